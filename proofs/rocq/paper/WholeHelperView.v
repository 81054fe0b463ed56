(* Privacy of a whole schedule towards P2, as WholeView.v has it for a primary: loads wherever they stand, READs and UPDATEs each with an item of
   its own, and items that nothing uses. All that P2 receives is within the sum of the advantages, 4h for each item, of what a simulator makes
   of fresh draws, and of nothing else.

   What P2 receives of an item is its key of DPF 2 and of DPF 3 with their factors, when the item is made; of a READ both shift shares; of an
   UPDATE both shift shares and M + F of DPF 2 and 3. Of a load it receives both blinds, which hide the memory from the primaries, and hang on
   nothing.

   [A] is what P2 has: triples and rho. [S] is all else. What is asked and the state are any function of both and of ALL that was drawn before, by
   whomever and whether P2 saw it or not ([query], [state]). Of an item P0 and P1 draw everything else, so that nothing of it is assumed. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection Counting Chains BackwardChains.
From Duoram.core Require Import LabelFacts PrgAdvantage.
From Duoram.paper Require Import IdealPreprocessing UpdateHelperPrivacy PreparedMaterial HelperView HelperPrivacy HelperLife ItemPrivacy WholeView
  TapeDiscipline ItemDraws Receiver.
From Duoram.Generated Require Import All.
#[local] Open Scope Q_scope.

(** * What P2 receives *)

(* Of an item that is made: P0's key of DPF 2 and P1's of DPF 3, and the factors of both. *)
Notation helper_made := ((dpf_Key * dpf_Key) * (u64 * u64))%type.
Inductive helper_received : Type :=
  | helper_loaded (blind_0 blind_1 : list u64)
  | helper_reading (made : helper_made) (shifts : u64 * u64)
  | helper_updating (made : helper_made) (sent : (u64 * u64 * u64) * (u64 * u64 * u64))
  | helper_idle (made : helper_made).

Definition made_for_helper (item : paper_preprocessing_Item u64) : helper_made :=
  let d_2 := paper_preprocessing_Item_dpf_2 item in
  let d_3 := paper_preprocessing_Item_dpf_3 item in
  ((distributed_gen_Generation_key_0 (paper_preprocessing_Dpf_generation d_2),
    distributed_gen_Generation_key_1 (paper_preprocessing_Dpf_generation d_3)),
   (paper_conversion_Conversion_factor (paper_preprocessing_Dpf_conversion d_2),
    paper_conversion_Conversion_factor (paper_preprocessing_Dpf_conversion d_3))).
Definition reading_for_helper (item : paper_preprocessing_Item u64) (run : paper_read_Read u64) : helper_received :=
  helper_reading (made_for_helper item) (paper_read_Read_shift_0 run, paper_read_Read_shift_1 run).
Definition updating_for_helper (item : paper_preprocessing_Item u64) (run : paper_update_Update u64) : helper_received :=
  helper_updating (made_for_helper item) (sent_to_helper run).

(* The same of what HelperLife.v calls P2's view of an item: a READ sends less than an UPDATE, an unused item nothing more. *)
Definition of_item_view (kind : run_kind) (received : dpf_Key * dpf_Key * helper_seen (W := u64)) : helper_received :=
  let '(key_2, key_3, (factor_2, factor_3, ((shift_0, m_2, m_3), (shift_1, m_2', m_3')))) := received in
  let made := ((key_2, key_3), (factor_2, factor_3)) in
  match kind with
  | reading => helper_reading made (shift_0, shift_1)
  | updating => helper_updating made ((shift_0, m_2, m_3), (shift_1, m_2', m_3'))
  | _ => helper_idle made
  end.

(** * The draws that P2 has no part in *)

(* Both primaries' words of an item, and the deltas, which P0 draws. *)
Notation primaries_draw := (primary_draws * (primary_draws * (u64 * u64)))%type.
Definition primaries_space : list primaries_draw :=
  list_prod primary_space (list_prod primary_space (list_prod (words 64) (words 64))).
Inductive helper_draw : Type :=
  | pair_draw (blinds : list u64 * list u64)
  | read_draw (item : primaries_draw)
  | other_draw (item : primaries_draw).
Definition helper_run_space (n : u64) (kind : run_kind) : list helper_draw :=
  match kind with
  | loading => map pair_draw (list_prod (tuples (nat_of n) (words 64)) (tuples (nat_of n) (words 64)))
  | reading => map read_draw primaries_space
  | updating | idle => map other_draw primaries_space
  end.

(* In the order in which HelperPrivacy.v has them: P0's word and all blinds; P1's word and the deltas; the roots. *)
Notation beside_words := (u64 * ((u64 * u64 * u64) * (u64 * u64 * u64)))%type.
Notation three_words := (list_prod (list_prod (words 64) (words 64)) (words 64)).
Definition beside_space : list beside_words := list_prod (words 64) (list_prod three_words three_words).
Notation index_words := (list_prod (words 64) (list_prod (words 64) (words 64))).
Notation roots_space := (list_prod (list_prod real_root_space real_root_space) real_root_space).
Definition primaries_of (z : (beside_words * (u64 * (u64 * u64))) * (real_roots * real_roots * real_roots)) : primaries_draw :=
  let '(((word_0, (blinds_0, blinds_1)), (word_1, deltas)), ((a_1, b_1), (a_2, b_2), (a_3, b_3))) := z in
  (mk_paper_preprocessing_PrimaryRandomness word_0 (a_1, a_2, a_3) blinds_0,
   (mk_paper_preprocessing_PrimaryRandomness word_1 (b_1, b_2, b_3) blinds_1, deltas)).
Definition parts_of_primaries (d : primaries_draw) : (beside_words * (u64 * (u64 * u64))) * (real_roots * real_roots * real_roots) :=
  let '(p_0, (p_1, deltas)) := d in
  let '(a_1, a_2, a_3) := paper_preprocessing_PrimaryRandomness_roots p_0 in
  let '(b_1, b_2, b_3) := paper_preprocessing_PrimaryRandomness_roots p_1 in
  (((paper_preprocessing_PrimaryRandomness_random_index_xor p_0,
     (paper_preprocessing_PrimaryRandomness_blinds p_0, paper_preprocessing_PrimaryRandomness_blinds p_1)),
    (paper_preprocessing_PrimaryRandomness_random_index_xor p_1, deltas)), ((a_1, b_1), (a_2, b_2), (a_3, b_3))).

Lemma mean_primaries (f : primaries_draw -> Q) :
  mean (list_prod (list_prod beside_space index_words) roots_space) (fun z => f (primaries_of z)) == mean primaries_space f.
Proof.
  apply (mean_by_bijection _ _ primaries_of parts_of_primaries).
  - unfold beside_space, real_root_space. auto 12 using enumerates_all_prod, words_enumerate, labels_enumerate.
  - unfold primaries_space. auto 12 using enumerates_all_prod, words_enumerate, primary_space_enumerates.
  - intros [[[word_0 [blinds_0 blinds_1]] [word_1 deltas]] [[[a_1 b_1] [a_2 b_2]] [a_3 b_3]]]. reflexivity.
  - intros [[i [[a_1 a_2] a_3] x] [[j [[b_1 b_2] b_3] y] deltas]]. reflexivity.
Qed.
Lemma beside_space_not_empty : beside_space <> [].
Proof.
  assert (e : enumerates beside_space anything) by (unfold beside_space; auto 12 using enumerates_all_prod, words_enumerate).
  apply (space_not_empty _ _ (repr 64 0, ((repr 64 0, repr 64 0, repr 64 0), (repr 64 0, repr 64 0, repr 64 0))) e I).
Qed.

Section Schedule.
  Context (prg : prg_AesPrg) (h n : u64) (h_below_64 : (val h < 64)%Z) (h_one : (1 <= val h)%Z) (size : val n = (2 ^ val h)%Z).

  (* The schedule. *)
  Context (count : nat) (kind_of : nat -> run_kind).
  Context {A S : Type} (rest : list (A * S)).
  (* For run j: P2's triples and rho; after all draws before it, what is asked, and the state. *)
  Context (own : nat -> A -> dealt_draws * u64) (query : nat -> A * S -> list helper_draw -> paper_session_UpdateQuery)
    (state : nat -> A * S -> list helper_draw -> paper_memory_State u64).
  Hypothesis own_levels : forall j a, dealt_of_levels (nat_of h) (fst (own j a)).
  Hypothesis state_length : forall j r before,
    len (paper_memory_PrimaryState_memory_share (paper_memory_State_p0 (state j r before))) = n.
  Context (test : A * S -> list helper_received -> bool).

  (** * What is received, and what the simulator makes *)

  Definition real_for_helper (r : A * S) (j : nat) (before : list helper_draw) (d : helper_draw) : helper_received :=
    let '(dealt, rho) := own j (fst r) in
    let q := query j r before in
    let made p_0 p_1 := item_of_draws prg h (p_0, (p_1, dealt)) in
    match d with
    | pair_draw (blind_0, blind_1) => helper_loaded blind_0 blind_1
    | read_draw (p_0, (p_1, _)) =>
        reading_for_helper (made p_0 p_1) (read_with (state j r before) (made p_0 p_1) (paper_session_UpdateQuery_address q) rho)
    | other_draw (p_0, (p_1, deltas)) =>
        match kind_of j with
        | updating => updating_for_helper (made p_0 p_1) (updating_by (state j r before) (made p_0 p_1) deltas q)
        | _ => helper_idle (made_for_helper (made p_0 p_1))
        end
    end.

  Notation fixed := (u128 * list dpf_Correction * list (u128 * bool))%type.
  Notation helper_hidden := ((u64 * (u64 * u64)) * (u128 * u128 * u128 * u128))%type.
  Inductive helper_coins : Type :=
    | pair_coins (blinds : list u64 * list u64)
    | item_coins (keys : fixed * fixed * fixed) (coins : helper_hidden).
  Definition helper_coin_spaces (kind : run_kind) : list helper_coins :=
    match kind with
    | loading => map pair_coins (list_prod (tuples (nat_of n) (words 64)) (tuples (nat_of n) (words 64)))
    | _ => map (uncurry item_coins) (list_prod (list_prod (list_prod (fixed_space h) (fixed_space h)) (fixed_space h)) (helper_coin_space (words 64)))
    end.
  Definition simulated_for_helper (j : nat) (e : helper_coins) : helper_received :=
    match e with
    | pair_coins (blind_0, blind_1) => helper_loaded blind_0 blind_1
    | item_coins keys coins => of_item_view (kind_of j) (simulated_helper_received n keys coins)
    end.

  (* All of it, in order. *)
  Definition real_whole_helper : Q :=
    Pr (list_prod rest (draws_from (fun j => helper_run_space n (kind_of j)) 0 count))
      (fun '(r, ds) => test r (views_of (real_for_helper r) 0 [] ds)).
  Definition simulated_whole_helper : Q :=
    Pr (list_prod rest (draws_from (fun j => helper_coin_spaces (kind_of j)) 0 count))
      (fun '(r, es) => test r (all_seen (fun j _ => simulated_for_helper j) 0 [] es)).

  (** * One run among the others *)

  Notation beside := ((A * S) * (list helper_draw * list helper_coins))%type.
  Definition beside_helper_run (j : nat) : list (beside * beside_words) :=
    list_prod (others_beside rest count (fun j => helper_run_space n (kind_of j)) (fun j => helper_coin_spaces (kind_of j)) j) beside_space.
  Definition test_of_helper_run (j : nat) (z : beside) (v : helper_received) : bool :=
    test_beside real_for_helper (fun _ j _ => simulated_for_helper j) test j z v.

  Definition secret_of_run (j : nat) (z : beside * beside_words) : helper_secret (W := u64) :=
    let q := query j (fst (fst z)) (drawn_before (fst z)) in
    {| address_0 := fst (paper_session_UpdateQuery_address q); address_1 := snd (paper_session_UpdateQuery_address q);
       value_0 := fst (paper_session_UpdateQuery_value q); value_1 := snd (paper_session_UpdateQuery_value q); word_0 := fst (snd z) |}.
  Definition triples_of_run (j : nat) (z : beside * beside_words) :
    paper_preprocessing_DpfTriples u64 * paper_preprocessing_DpfTriples u64 * paper_preprocessing_DpfTriples u64 :=
    let '(d_1, (d_2, d_3)) := fst (own j (fst (fst (fst z)))) in (triples_of d_1, triples_of d_2, triples_of d_3).

  (* A load costs nothing; of an item, what DPF 1, 2 and 3 cost: 2h, h and h. *)
  Definition helper_run_price (j : nat) : Q :=
    match kind_of j with
    | loading => 0
    | _ => sum_below 3 (helper_price (words 64) prg h n (beside_helper_run j) (secret_of_run j)
             (fun z v => test_of_helper_run j (fst z) (of_item_view (kind_of j) v)))
    end.

  Lemma run_triples_dealt (j : nat) (z : beside * beside_words) :
    dealt h (fst (fst (triples_of_run j z))) /\ dealt h (snd (fst (triples_of_run j z))) /\ dealt h (snd (triples_of_run j z)).
  Proof.
    unfold triples_of_run. pose proof (own_levels j (fst (fst (fst z)))) as levels.
    destruct (fst (own j (fst (fst (fst z))))) as [d_1 [d_2 d_3]]. destruct levels as (l_1 & l_2 & l_3). cbn [fst snd] in *.
    auto using triples_are_dealt.
  Qed.

  (* A run that has an item is what P2 sees of the item. *)
  Lemma item_run_is_viewed (j : nat) (z : beside * beside_words) (ws : u64 * (u64 * u64)) (roots : real_roots * real_roots * real_roots) :
    kind_of j <> loading ->
    let wrap := match kind_of j with reading => read_draw | _ => other_draw end in
    real_for_helper (fst (fst z)) j (drawn_before (fst z)) (wrap (primaries_of ((snd z, ws), roots)))
    = of_item_view (kind_of j) (received_of_helper
        (item_of prg h (secret_of_run j) (fun z => snd (snd z)) (triples_of_run j) (z, ws) roots)
        (update_of (secret_of_run j) (fun z => state j (fst (fst z)) (drawn_before (fst z))) (z, ws)
          (item_of prg h (secret_of_run j) (fun z => snd (snd z)) (triples_of_run j) (z, ws) roots))).
  Proof.
    intros kind. cbv zeta. destruct z as [z [index_0 [[[u_1 u_2] u_3] [[v_1 v_2] v_3]]]], ws as [index_1 deltas],
      roots as [[[a_1 b_1] [a_2 b_2]] [a_3 b_3]].
    unfold real_for_helper, secret_of_run, triples_of_run, item_of. cbn [fst snd primaries_of].
    destruct (own j (fst (fst z))) as [[d_1 [d_2 d_3]] rho]. cbn [fst snd HelperView.word_0].
    set (q := query j (fst z) (drawn_before z)). set (st := state j (fst z) (drawn_before z)).
    set (made := paper_preprocessing_prepare _ _ _ _ _).
    destruct (kind_of j); [contradiction|..];
      match goal with |- context [item_of_draws prg h ?draws] => change (item_of_draws prg h draws) with made end; clearbody made;
      unfold update_of, received_of_helper; cbn [fst snd address_0 address_1 value_0 value_1]; rewrite <- !surjective_pairing;
      unfold of_item_view, reading_for_helper, updating_for_helper, read_with, updating_by, sent_to_helper, made_for_helper;
      [|reflexivity..].
    unfold q, st, paper_read_read, paper_update_update. destruct (paper_preprocessing_random_index_shares made) as [ri_0 ri_1].
    destruct (paper_session_UpdateQuery_address _) as [i_0 i_1], (paper_session_UpdateQuery_value _) as [m_0 m_1].
    destruct (paper_read_answer _ _ _) as [[[g_0 g_1] r_0] r_1]. reflexivity.
  Qed.

  Theorem whole_schedule_simulated_to_helper : Qabs (real_whole_helper - simulated_whole_helper) <= sum_below count helper_run_price.
  Proof.
    apply (runs_replaced rest count (fun j => helper_run_space n (kind_of j)) real_for_helper (fun j => helper_coin_spaces (kind_of j))
      (fun _ j _ => simulated_for_helper j) test).
    intros j hj. fold (test_of_helper_run j). set (others := others_beside rest count _ _ j).
    assert (n_fits_word : (val n <= 2 ^ Zpos (ring_bits u64))%Z)
      by (change (ring_bits u64) with 64%positive; pose proof (val_bounds n); lia).
    assert (item : kind_of j <> loading ->
      let wrap := match kind_of j with reading => read_draw | _ => other_draw end in
      Qabs (Pr (list_prod others (map wrap primaries_space)) (fun '(z, d) => test_of_helper_run j z (real_for_helper (fst z) j (drawn_before z) d))
            - Pr (list_prod others (map (uncurry item_coins)
                (list_prod (list_prod (list_prod (fixed_space h) (fixed_space h)) (fixed_space h)) (helper_coin_space (words 64)))))
                (fun '(z, e) => test_of_helper_run j z (simulated_for_helper j e)))
      <= sum_below 3 (helper_price (words 64) prg h n (beside_helper_run j) (secret_of_run j)
           (fun z v => test_of_helper_run j (fst z) (of_item_view (kind_of j) v)))).
    { intros kind wrap.
      eapply Qle_trans; [|apply (helper_life_simulated (words 64) (words_enumerate 64) prg h n h_below_64 h_one size n_fits_word
        (beside_helper_run j) (secret_of_run j) (fun z => snd (snd z)) (fun z => state j (fst (fst z)) (drawn_before (fst z))) (triples_of_run j)
        (run_triples_dealt j) (fun z => state_length j (fst (fst z)) (drawn_before (fst z)))
        (fun z v => test_of_helper_run j (fst z) (of_item_view (kind_of j) v)))].
      apply Qle_lteq. right. apply Qabs_wd. unfold Qminus. apply Qplus_comp; [|apply Qopp_comp].
      - unfold real_helper_item, helper_rest, beside_helper_run. fold others. rewrite !Pr_mean, !mean_prod. apply mean_ext. intros z _.
        rewrite mean_map, <- mean_primaries, !mean_prod. apply mean_ext. intros b _. apply mean_ext. intros ws _. apply mean_ext. intros roots _.
        pose proof (item_run_is_viewed j (z, b) ws roots kind) as e. cbv zeta in e. cbn [fst snd] in e. fold wrap in e. rewrite e. reflexivity.
      - unfold simulated_helper_item, beside_helper_run. fold others. rewrite !Pr_mean, !mean_prod. apply mean_ext. intros z _.
        rewrite mean_map. transitivity (mean beside_space (fun _ => mean (list_prod (list_prod (list_prod (fixed_space h) (fixed_space h)) (fixed_space h)) (helper_coin_space (words 64)))
          (fun e => indicator (test_of_helper_run j z (simulated_for_helper j (uncurry item_coins e)))))).
        { symmetry. apply mean_const, beside_space_not_empty. }
        apply mean_ext. intros b _. rewrite mean_prod. reflexivity. }
    unfold helper_run_price. destruct (kind_of j) eqn:kind; cbn [helper_run_space helper_coin_spaces].
    - apply Qle_lteq. right.
      setoid_replace (Pr (list_prod others (map pair_draw (list_prod (tuples (nat_of n) (words 64)) (tuples (nat_of n) (words 64)))))
          (fun '(z, d) => test_of_helper_run j z (real_for_helper (fst z) j (drawn_before z) d)))
        with (Pr (list_prod others (map pair_coins (list_prod (tuples (nat_of n) (words 64)) (tuples (nat_of n) (words 64)))))
          (fun '(z, e) => test_of_helper_run j z (simulated_for_helper j e))).
      + unfold Qminus. rewrite Qplus_opp_r. reflexivity.
      + rewrite !Pr_mean, !mean_prod. apply mean_ext. intros z _. rewrite !mean_map. apply mean_ext. intros [blind_0 blind_1] _.
        unfold real_for_helper. destruct (own j (fst (fst z))). reflexivity.
    - apply item. discriminate.
    - apply item. discriminate.
    - apply item. discriminate.
  Qed.
End Schedule.
