(* Privacy of one item's whole life towards a primary [duoram, App. C, App. D; Protocol 2, lines 1 to 5]: all that it receives
   while an item is prepared (`preprocessing::prepare`: three DPFs, App. C and App. D) and used by an UPDATE (`update::update`),
   and its three keys, is within the sum of the three DPFs' levels' advantages against the PRG (core/PrgAdvantage.v) of
   what a simulator makes of the primary's own things and of fresh draws. The simulator is told no secret: not ri, nor the
   other's shares of i* and M, nor the state. What is received is, but for what follows from it and the party's own, uniform.

   Three DPFs are replaced one after the other (core/ManyGenerations.v); then all is uniform, and an exact statement is left
   (ItemView.v). Both together: one leaf feeds App. D, the index share and M + F, and nothing of it is assumed.

   Probabilities are over the other's word of the index, roots and blinds, P2's triples as far as the party does not know
   them, and [rest], which is whatever else there is: own tape, all inputs, the state, other items. The test sees [rest]. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection Counting Chains.
From Duoram.core Require Import Parties LabelFacts DistributedGeneration GenerationPrivacy GenerationRunPrivacy PrgAdvantage
  KeyPrivacy GenerationSimulated ManyGenerations.
From Duoram.paper Require Import IdealPreprocessing ConversionPrivacy LeafLife ItemView PreparedView.
From Duoram.Generated Require Import All.
#[local] Open Scope Q_scope.

Notation three space := (list_prod (list_prod space space) space).

(* Three pairs drawn one after the other: the second parts may be drawn after all first ones, and after anything else. *)
Lemma mean_regrouped {A S Z : Type} (zs : list Z) (xs : list A) (ss : list S) (f : Z -> A * S -> A * S -> A * S -> Q) :
  mean zs (fun z => mean (list_prod xs ss) (fun p => mean (list_prod xs ss) (fun q => mean (list_prod xs ss) (fun r =>
    f z p q r))))
  == mean (three xs) (fun abc => mean (list_prod zs (three ss)) (fun zs =>
       f (fst zs) (fst (fst abc), fst (fst (snd zs))) (snd (fst abc), snd (fst (snd zs))) (snd abc, snd (snd zs)))).
Proof.
  transitivity (mean zs (fun z => mean xs (fun a => mean xs (fun b => mean xs (fun c =>
    mean ss (fun s => mean ss (fun t => mean ss (fun u => f z (a, s) (b, t) (c, u))))))))).
  - apply mean_ext. intros z _. rewrite mean_prod. apply mean_ext. intros a _.
    transitivity (mean ss (fun s => mean xs (fun b => mean xs (fun c => mean ss (fun t => mean ss (fun u =>
      f z (a, s) (b, t) (c, u))))))).
    + apply mean_ext. intros s _. rewrite mean_prod. apply mean_ext. intros b _. rewrite mean_swap, mean_prod.
      apply mean_ext. intros c _. rewrite mean_swap. reflexivity.
    + rewrite mean_swap. apply mean_ext. intros b _. rewrite mean_swap. reflexivity.
  - rewrite mean_swap, !mean_prod. apply mean_ext. intros a _. rewrite mean_swap. apply mean_ext. intros b _.
    rewrite mean_swap. apply mean_ext. intros c _. rewrite mean_prod. apply mean_ext. intros z _.
    rewrite !mean_prod. reflexivity.
Qed.

Section Item.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Laws : RingLaws W} (all_words : list W).
  Hypothesis all_words_enumerate : enumerates all_words anything.
  Context {P : Type} {P_Prg : prg_Prg P} (prg : P) (party : share_Primary).
  Context (h n : u64) (h_below_64 : (val h < 64)%Z) (size : val n = (2 ^ val h)%Z).
  Hypothesis fits_word : (val n <= 2 ^ Zpos (ring_bits W))%Z.

  (* Whatever else there is, and of it: what the party has for the item, and the other's inputs with the state. *)
  Context {R : Type} (rest : list R) (own : R -> item_own (W := W)) (inputs : R -> others_inputs (W := W)).
  Definition own_dpf_at (j : nat) (o : item_own (W := W)) : own_dpf (W := W) :=
    match j with O => fst (fst (own_dpfs o)) | 1%nat => snd (fst (own_dpfs o)) | _ => snd (own_dpfs o) end.
  Hypothesis ands_length : forall j r, length (own_ands (own_dpf_at j (own r))) = nat_of h.
  Hypothesis state_length : forall r,
    len (paper_memory_PrimaryState_memory_share (paper_memory_State_p0 (whole_state (inputs r)))) = n.
  Context (test : R -> item_received (W := W) -> bool).

  (** * The real item, and the simulated one *)

  (* Of each DPF the blind, X and Y of App. D; the word of the index. *)
  Notation blinds := (list_prod (list_prod all_words all_words) all_words).
  Definition word_space : list (u64 * ((W * W * W) * (W * W * W) * (W * W * W))) := list_prod (words 64) (three blinds).
  Definition root_space : list real_draw := list_prod labels (tuples (nat_of h) mask_space).

  Definition real_item : Q :=
    Pr (list_prod (list_prod rest word_space) (three root_space)) (fun '((r, words), draws) =>
      let item := prepared prg party h (own r) words draws in
      test r (received_of_item party item (updated party (own r) (inputs r) item))).

  (* Fresh draws for the messages of App. C, and corrections; a word for the shift, and of each DPF a label and three words. *)
  Definition key_space : list (list (bool * u128) * list dpf_Correction) :=
    list_prod (tuples (nat_of h) mask_space) (tuples (nat_of h) fresh_corrections).
  Definition coin_space : list (item_hidden W) := list_prod (words 64) (three (list_prod labels blinds)).

  Definition simulated_received (o : item_own (W := W))
    (keys : (list (bool * u128) * list dpf_Correction) * (list (bool * u128) * list dpf_Correction)
            * (list (bool * u128) * list dpf_Correction)) (coins : item_hidden W) : item_received (W := W) :=
    let '(d_1, d_2, d_3) := own_dpfs o in
    let '((c_1, cs_1), (c_2, cs_2), (c_3, cs_3)) := keys in
    let key d cs := simulated_key party (own_root d) cs in
    let held d cs := held_with d (dpf_eval_full prg (key d cs)) in
    let messages d cs c := simulated_run prg party (own_root d) (levels_of h (own_word o) d) cs c in
    let '(s_1, s_2, s_3, shift) := simulated_item n party (held d_1 cs_1) (held d_2 cs_2) (held d_3 cs_3) coins in
    ((messages d_1 cs_1 c_1, key d_1 cs_1, fst s_1), (messages d_2 cs_2 c_2, key d_2 cs_2, fst s_2),
     (messages d_3 cs_3 c_3, key d_3 cs_3, fst s_3),
     mk_paper_update_UpdateMessage shift (snd s_1) (snd s_2) (snd s_3)).

  Definition simulated_item_life : Q :=
    Pr (list_prod (list_prod rest (three key_space)) coin_space) (fun '((r, keys), coins) =>
      test r (simulated_received (own r) keys coins)).

  (** * The three DPFs *)

  Notation with_words := (R * (u64 * ((W * W * W) * (W * W * W) * (W * W * W))))%type.
  Let root (j : nat) (z : with_words) : u128 := own_root (own_dpf_at j (own (fst z))).
  Let levels (j : nat) (z : with_words) : list level_share :=
    levels_of h (own_word (own (fst z))) (own_dpf_at j (own (fst z))).
  Let bits (j : nat) (z : with_words) : list bool := dpf_address_bits (fst (snd z)) h.
  Let target (j : nat) (z : with_words) : u64 := vector_mod_size (ixor (own_word (own (fst z))) (fst (snd z))) n.
  Let height (j : nat) : u64 := h.

  (* The test that the hybrid over the DPFs is for. *)
  Definition outcomes_test (z : with_words) (os : list outcome) : bool :=
    match os with
    | [o_1; o_2; o_3] =>
        test (fst z) (assembled prg party n (own (fst z)) (inputs (fst z)) (snd (snd z)) o_1 o_2 o_3)
    | _ => false
    end.
  Definition item_distinguisher : nat -> nat -> distinguisher :=
    dpf_distinguisher prg party (list_prod rest word_space) 3 root levels bits target height outcomes_test.

  Let n_power : power_of_two n.
  Proof. exists (val h). pose proof (val_bounds h). auto with zarith. Qed.

  Lemma item_dpfs_replaced :
    Qabs (real_generations prg party (list_prod rest word_space) 3 root levels bits height outcomes_test
          - simulated_generations prg party (list_prod rest word_space) 3 root levels target height outcomes_test)
    <= sum_below 3 (fun j => sum_below (nat_of h) (fun i => Adv prg (item_distinguisher j i))).
  Proof.
    apply generations_simulated; unfold height, levels, bits, target.
    - intros _. exact h_below_64.
    - intros j z. apply levels_of_length, ands_length.
    - intros j z. apply dpf_address_bits_length.
    - intros j z. rewrite <- size. apply mod_size_below, n_power.
    - intros j z. rewrite levels_of_bits by apply ands_length. apply xor_of_address_bits_mod_size; assumption.
  Qed.

  Lemma real_item_is_generated :
    real_item == real_generations prg party (list_prod rest word_space) 3 root levels bits height outcomes_test.
  Proof.
    unfold real_item, real_generations, real_chain. rewrite !Pr_mean, !(mean_prod (list_prod rest word_space)).
    apply mean_ext. intros [r ws] _. rewrite !mean_prod, mean_draws_S. apply mean_ext. intros d_1 _.
    rewrite mean_draws_S. apply mean_ext. intros d_2 _. rewrite mean_draws_S. apply mean_ext. intros d_3 _.
    rewrite mean_draws_0. cbn [all_seen app outcomes_test fst snd].
    pose proof (received_is_assembled prg party h n (own r) (inputs r) ws (d_1, d_2, d_3)) as h_view.
    pose proof (ands_length 0 r) as e_1. pose proof (ands_length 1 r) as e_2. pose proof (ands_length 2 r) as e_3.
    unfold real_outcome, root, levels, bits. cbn [own_dpf_at fst snd] in *.
    destruct (own_dpfs (own r)) as [[o_1 o_2] o_3]. cbn [fst snd] in *.
    cbv zeta in *. rewrite (h_view e_1 e_2 e_3 (state_length r)). destruct d_1, d_2, d_3. reflexivity.
  Qed.

  (** * What is left is exact *)

  (* From the draws in the order in which the hybrid leaves them. *)
  Let gather (word : u64) (z : (u64 * ((W * W * W) * (W * W * W) * (W * W * W))) * (u128 * u128 * u128)) : item_hidden W :=
    let '((index, (b_1, b_2, b_3)), (x_1, x_2, x_3)) := z in (ixor word index, ((x_1, b_1), (x_2, b_2), (x_3, b_3))).
  Let scatter (word : u64) (z : item_hidden W) : (u64 * ((W * W * W) * (W * W * W) * (W * W * W))) * (u128 * u128 * u128) :=
    let '(index, ((x_1, b_1), (x_2, b_2), (x_3, b_3))) := z in ((ixor word index, (b_1, b_2, b_3)), (x_1, x_2, x_3)).

  Lemma blinds_enumerate : enumerates blinds anything.
  Proof. auto using enumerates_all_prod. Qed.
  Lemma coin_space_enumerates : enumerates coin_space anything.
  Proof. unfold coin_space. auto 10 using enumerates_all_prod, words_enumerate, labels_enumerate, blinds_enumerate. Qed.

  Lemma mean_gathered (word : u64) (f : item_hidden W -> Q) :
    mean (list_prod word_space (three labels)) (fun z => f (gather word z)) == mean coin_space f.
  Proof.
    apply (mean_by_bijection _ _ (gather word) (scatter word)).
    - unfold word_space. auto 10 using enumerates_all_prod, words_enumerate, labels_enumerate, blinds_enumerate.
    - exact coin_space_enumerates.
    - intros [[index [[b_1 b_2] b_3]] [[x_1 x_2] x_3]]. unfold gather, scatter. rewrite ixor_cancel_l. reflexivity.
    - intros [index [[[x_1 b_1] [x_2 b_2]] [x_3 b_3]]]. unfold gather, scatter. rewrite ixor_cancel_l. reflexivity.
  Qed.

  (* The secret of the item. *)
  Let secret (r : R) : item_secret (W := W) :=
    {| secret_address := others_address (inputs r); secret_values := hidden_values party (own r) (inputs r) |}.

  Lemma simulated_item_is_left :
    simulated_generations prg party (list_prod rest word_space) 3 root levels target height outcomes_test
    == simulated_item_life.
  Proof.
    unfold simulated_generations, ideal_chain, simulated_item_life. rewrite !Pr_mean, !mean_prod. apply mean_ext. intros r _.
    transitivity (mean word_space (fun ws => mean (list_prod key_space labels) (fun d_1 =>
      mean (list_prod key_space labels) (fun d_2 => mean (list_prod key_space labels) (fun d_3 =>
        indicator (outcomes_test (r, ws) (map (uncurry (ideal_outcome prg party root levels target (r, ws))) [(0%nat, d_1); (1%nat, d_2); (2%nat, d_3)]))))))).
    { apply mean_ext. intros ws _. rewrite mean_draws_S. apply mean_ext. intros d_1 _. rewrite mean_draws_S.
      apply mean_ext. intros d_2 _. rewrite mean_draws_S. apply mean_ext. intros d_3 _. rewrite mean_draws_0. reflexivity. }
    rewrite mean_regrouped. apply mean_ext. intros [[[c_1 cs_1] [c_2 cs_2]] [c_3 cs_3]] i. cbn [fst snd].
    apply in_prod_iff in i. destruct i as [i i_3]. apply in_prod_iff in i. destruct i as [i_1 i_2].
    apply in_prod_iff in i_1, i_2, i_3.
    destruct i_1 as [_ i_1], i_2 as [_ i_2], i_3 as [_ i_3]. apply tuples_length in i_1, i_2, i_3.
    pose (held j cs := held_with (own_dpf_at j (own r))
      (dpf_eval_full prg (simulated_key party (own_root (own_dpf_at j (own r))) cs))).
    assert (sizes : forall j cs, length cs = nat_of h -> sized n (held_leaves (held j cs))).
    { intros j cs e. unfold sized, held. cbn [held_leaves held_with]. rewrite dpf_eval_full_length. cbn [dpf_Key_corrections simulated_key].
      rewrite e. apply Nat2Z.inj. rewrite Nat2Z.inj_pow, !Z_nat_of, size. reflexivity. }
    pose (g coins := indicator (test r (simulated_received (own r) ((c_1, cs_1), (c_2, cs_2), (c_3, cs_3)) coins))).
    transitivity (mean coin_space (fun hidden => g (item_forth n party (held 0%nat cs_1) (held 1%nat cs_2) (held 2%nat cs_3) (secret r) hidden))).
    - rewrite <- (mean_gathered (own_word (own r))). apply mean_ext.
      intros [[index [[b_1 b_2] b_3]] [[x_1 x_2] x_3]] _. unfold g, simulated_received.
      pose proof (item_view_simulated n n_power fits_word party (held 0%nat cs_1) (held 1%nat cs_2) (held 2%nat cs_3)
        (sizes _ _ i_1) (sizes _ _ i_2) (sizes _ _ i_3) (secret r)
        (gather (own_word (own r)) ((index, (b_1, b_2, b_3)), (x_1, x_2, x_3)))) as view.
      revert view. unfold held, secret. cbn [map uncurry outcomes_test fst snd own_dpf_at].
      unfold ideal_outcome, root, levels, target, assembled. cbn [fst snd own_dpf_at].
      destruct (own_dpfs (own r)) as [[d_1 d_2] d_3]. cbn [fst snd]. intros view. rewrite <- view. clear view.
      unfold item_view, gather. cbn [secret_values secret_address].
      destruct (hidden_values party (own r) (inputs r)) as [[m_1 m_2] m_3]. reflexivity.
    - apply (mean_by_bijection coin_space coin_space
        (item_forth n party (held 0%nat cs_1) (held 1%nat cs_2) (held 2%nat cs_3) (secret r))
        (item_back n party (held 0%nat cs_1) (held 1%nat cs_2) (held 2%nat cs_3) (secret r)) g);
        auto using coin_space_enumerates; [apply item_back_forth | apply item_forth_back].
  Qed.

  (* The theorem. *)
  Theorem item_life_simulated :
    Qabs (real_item - simulated_item_life)
    <= sum_below 3 (fun j => sum_below (nat_of h) (fun i => Adv prg (item_distinguisher j i))).
  Proof.
    rewrite real_item_is_generated, <- simulated_item_is_left. apply item_dpfs_replaced.
  Qed.
End Item.
