(* Privacy of a whole session of the paper's protocol, towards a primary: of the session as `paper::session` runs it, from its first step to the last,
   with any schedule of loads, batches, READs, UPDATEs and WRITEs, and inputs that may depend on all results before. All messages that the
   primary is sent are, for every test, within the sum of the advantages against the PRG, 3h for each item, of what a
   simulator makes of what the primary draws and is dealt, and of fresh draws ([session_simulated]). The simulator is told no input, no
   result, and nothing of what the others draw.

   What is put together here: a step's messages are made of views (SessionReceived.v, SessionRuns.v); an item's draws fall into what the primary
   has and what is uniform to it (ItemDraws.v); items may as well be drawn in the order of use (RunDraws.v); and then each run is
   replaced, the last one first (WholeView.v).

   The session is [step_of_draws] of TapeDiscipline.v, step by step: it is there that this is what the steps do on their tapes, and that over
   uniform tapes all draws are uniform and independent. The key K of the PRG, which all contribute to and all know, is fixed. *)
From Coq Require Import Lia Permutation.
From Duoram Require Import Bijection Counting Chains BackwardChains.
From Duoram.core Require Import VectorFacts Parties LabelFacts PrgAdvantage GenerationSimulated ManyGenerations.
From Duoram.core Require DrawnWords.
From Duoram.paper Require Import StateSizes UpdateRefreshes PreparedDpfFacts PreparedMaterial SessionSteps LeafLife ItemView PreparedView ItemPrivacy ReadLife WholeView
  TapeDiscipline ItemDraws SessionReceived SessionRuns RunDraws.
From Duoram.Generated Require Import All.
#[local] Open Scope Q_scope.

Lemma nth_error_combine_both {A B : Type} (a : list A) (b : list B) (i : nat) (x : A) (y : B) :
  nth_error a i = Some x -> nth_error b i = Some y -> nth_error (combine a b) i = Some (x, y).
Proof.
  revert a b. induction i as [|i IH]; intros [|x' a] [|y' b] hx hy; try discriminate; cbn in *; [congruence | apply IH; assumption].
Qed.

Section Privacy.
  Context (party : share_Primary) (prg : prg_AesPrg).
  Context (h n : u64) (h_below_64 : (val h < 64)%Z) (size : val n = (2 ^ val h)%Z).
  Notation some_words := (words 64).

  (* The public schedule, from a session that holds no items; what is asked, given all secrets and the results so far. *)
  Context (shapes : list shape) (supply : enough shapes 0 0).
  Context {R : Type} (rest : list R) (ask : R -> nat -> list (u64 * u64) -> session_step).
  Hypothesis asked : forall r k s results, nth_error shapes k = Some s -> has_shape s (ask r k results).
  Hypothesis loads_sized : forall r k results memory_share_0 memory_share_1,
    ask r k results = step_load memory_share_0 memory_share_1 -> sized n memory_share_0 /\ sized n memory_share_1.

  Definition runs : list run_of_step := runs_of shapes 0 0 0 [] [].
  Definition run_at (j : nat) : run_of_step := nth j runs (run_idle 0).
  Definition kind_at (j : nat) : run_kind := run_kind_of (run_at j).

  Let n_fits_word : (val n <= 2 ^ Zpos (ring_bits u64))%Z.
  Proof. change (ring_bits u64) with 64%positive. pose proof (val_bounds n). lia. Qed.

  (** * What the primary has *)

  (* Of each item, its own draws and halves of triples, with both deltas; and its own blinds of each load. *)
  Notation owned := (list (item_own (W := u64)) * list (list u64))%type.
  Definition owned_of (table : list full) (blinds : list (list u64 * list u64)) : owned :=
    (map (full_own party) table, map (fun b => fst (in_order party (fst b) (snd b))) blinds).

  (* For any list in place of what it has, so that levels are h always. *)
  Definition fit_dpf (d : own_dpf (W := u64)) : own_dpf (W := u64) :=
    {| own_root := own_root d; own_ands := firstn (nat_of h) (own_ands d ++ repeat (false, repr 128 0, repr 128 0) (nat_of h));
       own_blind := own_blind d; own_product := own_product d |}.
  Definition fit_own (o : item_own (W := u64)) : item_own (W := u64) :=
    {| own_word := own_word o; own_dpfs := (fit_dpf (fst (fst (own_dpfs o))), fit_dpf (snd (fst (own_dpfs o))), fit_dpf (snd (own_dpfs o)));
       own_address := own_address o; own_value := own_value o; own_deltas := own_deltas o |}.
  Lemma fit_own_ands (o : item_own (W := u64)) (k : nat) : length (own_ands (own_dpf_at k (fit_own o))) = nat_of h.
  Proof.
    assert (e : forall d, length (own_ands (fit_dpf d)) = nat_of h)
      by (intros d; cbn; rewrite firstn_length, app_length, repeat_length; lia).
    destruct k as [|[|k]]; apply e.
  Qed.
  Lemma fit_own_of (f : full) : dealt_of_levels (nat_of h) (snd (snd (fst f))) -> fit_own (full_own party f) = full_own party f.
  Proof.
    destruct f as [[p_0 [p_1 [d_1 [d_2 d_3]]]] deltas]. intros (l_1 & l_2 & l_3). cbn [fst snd] in *.
    assert (e : forall d root blind, of_levels (nat_of h) d ->
      fit_dpf {| own_root := root; own_ands := fst (dpf_part_own party d); own_blind := blind; own_product := snd (dpf_part_own party d) |}
      = {| own_root := root; own_ands := fst (dpf_part_own party d); own_blind := blind; own_product := snd (dpf_part_own party d) |}).
    { intros d root blind l. unfold fit_dpf. cbn [own_root own_ands own_blind own_product]. f_equal. apply DrawnWords.firstn_of_app.
      unfold dpf_part_own. cbn [fst]. rewrite map_length. exact l. }
    unfold full_own, own_part, own_of_parts, three_parts, fit_own. cbn [fst snd].
    destruct (paper_preprocessing_PrimaryRandomness_roots _) as [[r_1 r_2] r_3], (paper_preprocessing_PrimaryRandomness_blinds _) as [[b_1 b_2] b_3].
    cbn [own_word own_dpfs own_address own_value own_deltas fst snd]. rewrite !e by assumption. reflexivity.
  Qed.

  Definition own_item (items : list (item_own (W := u64))) (i : nat) : item_own (W := u64) := fit_own (nth i items (full_own party no_full)).

  (* What it has for each run: for an item, or for a load. *)
  Notation own_run := (item_own (W := u64) * list u64)%type.
  Fixpoint own_runs (items : list (item_own (W := u64))) (ops : list run_of_step) (blinds : list (list u64)) : list own_run :=
    match ops with
    | [] => []
    | run_load _ _ :: ops => (own_item items 0, hd [] blinds) :: own_runs items ops (tl blinds)
    | run_read i _ _ _ :: ops | run_update _ i _ _ _ :: ops | run_idle i :: ops => (own_item items i, []) :: own_runs items ops blinds
    end.
  Lemma own_runs_length items ops blinds : length (own_runs items ops blinds) = length ops.
  Proof. revert blinds. induction ops as [|[] ops IH]; intros blinds; cbn; congruence. Qed.
  Definition owns_of (a : owned) : list own_run := own_runs (fst a) runs (snd a).
  Definition no_own (a : owned) : own_run := (own_item (fst a) 0, []).
  Definition own_at (j : nat) (a : owned) : own_run := nth j (owns_of a) (no_own a).
  Lemma own_at_ands (j : nat) (a : owned) (k : nat) : length (own_ands (own_dpf_at k (fst (own_at j a)))) = nat_of h.
  Proof.
    assert (all : forall ops blinds j, exists o, fst (nth j (own_runs (fst a) ops blinds) (no_own a)) = fit_own o).
    { intros ops. induction ops as [|op ops IH]; intros blinds i; [destruct i; eexists; reflexivity|].
      destruct op, i; cbn [own_runs nth fst]; try (eexists; reflexivity); apply IH. }
    destruct (all runs (snd a) j) as [o e]. unfold own_at, owns_of. rewrite e. apply fit_own_ands.
  Qed.

  (** * The runs, from the hidden draws *)

  Definition made_hidden (o : own_run) (d : run_draw (W := u64)) : made :=
    match d with
    | load_draw theirs => let '(blind_0, blind_1) := in_order party (snd o) theirs in made_load blind_0 blind_1
    | masked_draw rho (ws, roots) => made_read rho (prepared prg party h (fst o) ws roots)
    | bare_draw (ws, roots) => made_item (prepared prg party h (fst o) ws roots) (own_deltas (fst o))
    end.
  Notation machine := (paper_memory_State u64 * list (u64 * u64))%type.
  Fixpoint run_end (r : R) (m : machine) (ops : list run_of_step) (ds : list made) : machine :=
    match ops, ds with op :: ops, d :: ds => run_end r (run_next n (ask r) m op d) ops ds | _, _ => m end.
  Definition first_machine : machine := (paper_memory_initial u64 n, []).
  Definition before_run (r : owned * R) (before : list run_draw) : machine :=
    run_end (snd r) first_machine runs (map (uncurry made_hidden) (combine (owns_of (fst r)) before)).

  Lemma before_none (r : owned * R) : before_run r [] = first_machine.
  Proof.
    unfold before_run. replace (combine (owns_of (fst r)) []) with (@nil (own_run * run_draw (W := u64))) by (destruct (owns_of (fst r)); reflexivity).
    cbn [map]. destruct runs; reflexivity.
  Qed.

  (* As for what it has: any lists in place of draws leave a state of n words. *)
  Definition fit_state (state : paper_memory_State u64) : paper_memory_State u64 :=
    if ieqb (len (paper_memory_PrimaryState_memory_share (paper_memory_State_p0 state))) n then state else paper_memory_initial u64 n.
  Definition fit_words (l : list u64) : list u64 := firstn (nat_of n) (l ++ repeat (repr 64 0) (nat_of n)).

  Definition asked_of (j : nat) (r : owned * R) (before : list run_draw) : paper_session_UpdateQuery :=
    query_of (ask (snd r)) (run_at j) (snd (before_run r before)).
  Definition own_inputs_of (j : nat) (r : owned * R) (before : list run_draw) : u64 * u64 :=
    let q := asked_of j r before in
    (fst (in_order party (fst (paper_session_UpdateQuery_address q)) (snd (paper_session_UpdateQuery_address q))),
     fst (in_order party (fst (paper_session_UpdateQuery_value q)) (snd (paper_session_UpdateQuery_value q)))).
  Definition inputs_of (j : nat) (r : owned * R) (before : list run_draw) : others_inputs (W := u64) :=
    let q := asked_of j r before in
    {| others_address := snd (in_order party (fst (paper_session_UpdateQuery_address q)) (snd (paper_session_UpdateQuery_address q)));
       others_value := snd (in_order party (fst (paper_session_UpdateQuery_value q)) (snd (paper_session_UpdateQuery_value q)));
       whole_state := fit_state (fst (before_run r before)) |}.
  Definition others_memory_of (j : nat) (r : owned * R) (before : list run_draw) : list u64 :=
    let '(memory_share_0, memory_share_1) := memory_of n (ask (snd r)) (run_at j) (snd (before_run r before)) in
    fit_words (snd (in_order party memory_share_0 memory_share_1)).

  Let small_n : (Z.of_nat (nat_of n) < 2 ^ 64)%Z.
  Proof. rewrite Z_nat_of. apply val_bounds. Qed.
  Lemma len_sized (l : list u64) : sized n l -> len l = n.
  Proof. unfold sized, len. intros ->. apply of_nat_nat_of. Qed.
  Lemma fit_state_length state : len (paper_memory_PrimaryState_memory_share (paper_memory_State_p0 (fit_state state))) = n.
  Proof.
    unfold fit_state. destruct (ieqb _ n) eqn:e; [apply ieqb_eq, e|]. apply len_sized. cbn. apply vector_zeros_length.
  Qed.
  Lemma fit_state_sized state : state_sized n state -> fit_state state = state.
  Proof. intros s. unfold fit_state. rewrite len_sized by apply s. rewrite ieqb_refl. reflexivity. Qed.
  Lemma fit_words_length l : length (fit_words l) = nat_of n.
  Proof. unfold fit_words. rewrite firstn_length, app_length, repeat_length. lia. Qed.
  Lemma fit_words_sized l : sized n l -> fit_words l = l.
  Proof. intros e. apply DrawnWords.firstn_of_app, e. Qed.

  (* What is made properly keeps the state's size. *)
  Definition proper (d : made) : Prop :=
    match d with
    | made_load blind_0 blind_1 => sized n blind_0 /\ sized n blind_1
    | made_read _ _ => True
    | made_item item deltas => material_sized n (paper_preprocessing_update_material item (fst deltas) (snd deltas))
    end.
  Lemma memory_sized (r : R) op results : sized n (fst (memory_of n (ask r) op results)) /\ sized n (snd (memory_of n (ask r) op results)).
  Proof.
    assert (z : sized n (vector_zeros u64 n)) by apply vector_zeros_length.
    unfold memory_of. destruct op as [k c| | |]; [|split; exact z..].
    destruct (ask r k (firstn c results)) eqn:e; try (split; exact z). apply (loads_sized _ _ _ _ _ e).
  Qed.
  Lemma next_sized (r : R) m op d : state_sized n (fst m) -> proper d -> state_sized n (fst (run_next n (ask r) m op d)).
  Proof.
    intros s p. destruct d as [blind_0 blind_1|rho item|item deltas]; unfold run_next.
    - destruct (memory_sized r op (snd m)) as [s_0 s_1]. destruct (memory_of n (ask r) op (snd m)) as [d_0 d_1]. cbn [fst snd] in *.
      destruct p as [b_0 b_1]. unfold state_sized, sized_triple, paper_memory_shared, paper_memory_blinded_share.
      repeat apply conj; try assumption; apply sized_add; assumption.
    - exact s.
    - destruct (run_kind_of op); try exact s. cbn [fst]. unfold updating_by.
      destruct (paper_preprocessing_random_index_shares item) as [ri_0 ri_1], (paper_session_UpdateQuery_address _) as [i_0 i_1],
        (paper_session_UpdateQuery_value _) as [m_0 m_1]. apply update_sized; assumption.
  Qed.

  Definition of_kind (kind : run_kind) (d : run_draw (W := u64)) : Prop :=
    match kind, d with loading, load_draw _ | reading, masked_draw _ _ | updating, bare_draw _ | idle, bare_draw _ => True | _, _ => False end.

  Lemma run_end_snoc (r : R) m ops ds d : (length ds < length ops)%nat ->
    run_end r m ops (ds ++ [d]) = run_next n (ask r) (run_end r m ops ds) (nth (length ds) ops (run_idle 0)) d.
  Proof.
    revert m ops. induction ds as [|x ds IH]; intros m [|op ops] l; cbn in l; try lia; [destruct ops; reflexivity|]. cbn. apply IH. lia.
  Qed.

  (* The view that WholeView.v speaks of is that of the run. *)
  Lemma views_are_of_runs (r : owned * R) : forall ds before,
    (length before + length ds = length runs)%nat -> state_sized n (fst (before_run r before)) ->
    (forall i d, nth_error ds i = Some d -> of_kind (kind_at (length before + i)) d /\ proper (made_hidden (own_at (length before + i) (fst r)) d)) ->
    views_of (real_received prg party h kind_at (fun j a => fst (own_at j a)) own_inputs_of inputs_of others_memory_of r) (length before) before ds
    = run_views party n (ask (snd r)) (before_run r before) (skipn (length before) runs)
        (map (uncurry made_hidden) (combine (skipn (length before) (owns_of (fst r))) ds)).
  Proof.
    assert (lo : length (owns_of (fst r)) = length runs) by apply own_runs_length.
    induction ds as [|d ds IH]; intros before l s good.
    - destruct (skipn (length before) runs), (skipn (length before) (owns_of (fst r))); reflexivity.
    - cbn [length] in l.
      assert (split : forall {T} (x : T) (l : list T) k, (k < length l)%nat -> skipn k l = nth k l x :: skipn (S k) l).
      { clear. intros T x l. induction l as [|y l IH]; intros [|k] hk; cbn in *; try lia; [reflexivity|]. apply IH. lia. }
      rewrite (split _ (run_idle 0) runs) by lia. rewrite (split _ (no_own (fst r)) (owns_of (fst r))) by lia.
      cbn [views_of combine map run_views uncurry]. fold (run_at (length before)). fold (own_at (length before) (fst r)).
      destruct (good 0%nat d eq_refl) as [kind ok]. rewrite Nat.add_0_r in kind, ok.
      assert (next : before_run r (before ++ [d])
        = run_next n (ask (snd r)) (before_run r before) (run_at (length before)) (made_hidden (own_at (length before) (fst r)) d)).
      { unfold before_run.
        assert (e : combine (owns_of (fst r)) (before ++ [d]) = combine (owns_of (fst r)) before ++ [(own_at (length before) (fst r), d)]).
        { unfold own_at. clear -l lo. revert lo l. generalize (owns_of (fst r)) (length runs). intros os k lo l.
          assert (small : (length before < length os)%nat) by lia. clear lo l. revert os small.
          induction before as [|b before IH]; intros [|o os] small; cbn in *; try lia; [destruct os; reflexivity|]. f_equal. apply IH. lia. }
        rewrite e, map_app. cbn [map uncurry].
        assert (lc : length (map (uncurry made_hidden) (combine (owns_of (fst r)) before)) = length before)
          by (rewrite map_length, combine_length; lia).
        rewrite run_end_snoc by lia. rewrite lc. reflexivity. }
      f_equal.
      + unfold kind_at in kind. unfold real_received, run_view, kind_at.
        destruct d as [theirs|rho [ws roots]|[ws roots]]; cbn [made_hidden].
        * destruct (in_order party (snd (own_at (length before) (fst r))) theirs) as [b_0 b_1] eqn:eb.
          unfold others_memory_of. destruct (memory_sized (snd r) (run_at (length before)) (snd (before_run r before))) as [s_0 s_1].
          destruct (memory_of n (ask (snd r)) (run_at (length before)) (snd (before_run r before))) as [d_0 d_1]. cbn [fst snd] in *.
          rewrite fit_words_sized by (destruct party; assumption). destruct party; cbn in *; injection eb as <- <-; reflexivity.
        * unfold own_inputs_of, inputs_of, asked_of. cbv zeta. rewrite fit_state_sized by exact s.
          unfold read_run, read_with, given. cbn [own_address others_address whole_state fst snd].
          destruct (paper_session_UpdateQuery_address _) as [i_0 i_1]. destruct party; reflexivity.
        * unfold own_inputs_of, inputs_of, asked_of. cbv zeta. rewrite fit_state_sized by exact s.
          unfold updated, updating_by, given. cbn [own_address own_value own_deltas others_address others_value whole_state fst snd].
          destruct (paper_session_UpdateQuery_address _) as [i_0 i_1], (paper_session_UpdateQuery_value _) as [m_0 m_1].
          destruct party; reflexivity.
      + specialize (IH (before ++ [d])). rewrite app_length, Nat.add_1_r in IH. rewrite IH.
        * rewrite next. reflexivity.
        * lia.
        * rewrite next. apply next_sized; assumption.
        * intros i d' e. replace (S (length before) + i)%nat with (length before + S i)%nat by lia. exact (good (S i) d' e).
  Qed.

  (** * The real draws, as runs *)

  Notation blind_pairs := (list (list u64 * list u64)).
  Definition my_blind (b : list u64 * list u64) : list u64 := fst (in_order party (fst b) (snd b)).
  Definition their_blind (b : list u64 * list u64) : list u64 := snd (in_order party (fst b) (snd b)).
  Definition hidden_of (f : full) : item_draw := hidden_part party (fst f).

  Definition proper_item (f : full) : Prop := dealt_of_levels (nat_of h) (snd (snd (fst f))).
  Lemma proper_item_sized (f : full) : proper_item f ->
    material_sized n (paper_preprocessing_update_material (full_item prg h f) (fst (snd f)) (snd (snd f))).
  Proof.
    destruct f as [[p_0 [p_1 [d_1 [d_2 d_3]]]] deltas]. intros (l_1 & l_2 & l_3). cbn [fst snd] in *.
    assert (dealt_of : forall d, of_levels (nat_of h) d -> dealt h (triples_of d)).
    { intros [ls [x_0 [x_1 [y_0 [y_1 t]]]]] l. unfold of_levels in l. cbn [fst] in l. split; [|do 5 eexists; reflexivity].
      unfold dealt_for_height, triples_of. cbn [paper_preprocessing_DpfTriples_and_0 paper_preprocessing_DpfTriples_and_1].
      rewrite !map_length. split; [exact l|]. split; [exact l|]. clear l.
      induction ls as [|[bits [u [v w]]] ls IH]; cbn [map combine]; constructor; [do 5 eexists; reflexivity | exact IH]. }
    pose proof (prepared_update_ready (W := u64) prg h n h_below_64 size) as ready.
    unfold full_item, item_of_draws. destruct p_0 as [i_0 [[a_0 b_0] c_0] [[x_0 y_0] z_0]], p_1 as [i_1 [[a_1 b_1] c_1] [[x_1 y_1] z_1]].
    specialize (ready n_fits_word
      (mk_paper_preprocessing_PrimaryRandomness i_0 (a_0, b_0, c_0) (x_0, y_0, z_0))
      (mk_paper_preprocessing_PrimaryRandomness i_1 (a_1, b_1, c_1) (x_1, y_1, z_1)) (triples_of d_1) (triples_of d_2) (triples_of d_3)
      (dealt_of _ l_1) (dealt_of _ l_2) (dealt_of _ l_3) (fst deltas) (snd deltas)).
    apply ready.
  Qed.

  Section Table.
    Context (table : list full) (all_proper : forall i, proper_item (full_at table i) \/ (length table <= i)%nat).

    Lemma made_is_hidden ops masks (blinds : blind_pairs) : (forall i, In i (flat_map run_item ops) -> (i < length table)%nat) ->
      made_of_runs prg h table ops masks blinds
      = map (uncurry made_hidden) (combine (own_runs (map (full_own party) table) ops (map my_blind blinds))
          (draws_of_runs ops (map (fun i => hidden_of (full_at table i)) (flat_map run_item ops)) masks (map their_blind blinds))).
    Proof.
      assert (item : forall i, (i < length table)%nat ->
        prepared prg party h (own_item (map (full_own party) table) i) (fst (hidden_of (full_at table i))) (snd (hidden_of (full_at table i)))
          = item_at prg h table i /\ own_deltas (own_item (map (full_own party) table) i) = deltas_at table i).
      { intros i hi. destruct (all_proper i) as [ok|bad]; [|lia]. unfold own_item. rewrite map_nth. fold (full_at table i).
        rewrite fit_own_of by exact ok. split; [apply item_is_of_its_parts, ok|].
        unfold full_own, own_part, own_of_parts, deltas_at.
        destruct (paper_preprocessing_PrimaryRandomness_roots _) as [[r_1 r_2] r_3], (paper_preprocessing_PrimaryRandomness_blinds _) as [[b_1 b_2] b_3].
        reflexivity. }
      revert masks blinds. induction ops as [|op ops IH]; intros masks blinds small; [reflexivity|].
      destruct op as [k c|i k c q|w i k c q|i]; cbn [made_of_runs own_runs flat_map run_item app map draws_of_runs combine uncurry hd tl] in *.
      - rewrite IH by exact small. destruct blinds as [|[b_0 b_1] blinds]; cbn [map hd tl fst snd]; (apply (f_equal2 cons); [|reflexivity]);
          unfold made_hidden, my_blind, their_blind; cbn [fst snd]; destruct party; reflexivity.
      - destruct (item i (small i (or_introl eq_refl))) as [e d]. rewrite IH by (intros j hj; apply small; right; exact hj). f_equal.
        unfold made_hidden. cbn [fst]. rewrite <- e. destruct (hidden_of (full_at table i)). reflexivity.
      - destruct (item i (small i (or_introl eq_refl))) as [e d]. rewrite IH by (intros j hj; apply small; right; exact hj). f_equal.
        unfold made_hidden. cbn [fst]. rewrite <- e, <- d. destruct (hidden_of (full_at table i)). reflexivity.
      - destruct (item i (small i (or_introl eq_refl))) as [e d]. rewrite IH by (intros j hj; apply small; right; exact hj). f_equal.
        unfold made_hidden. cbn [fst]. rewrite <- e, <- d. destruct (hidden_of (full_at table i)). reflexivity.
    Qed.

    Lemma made_is_proper ops masks (blinds : blind_pairs) : (forall i, In i (flat_map run_item ops) -> (i < length table)%nat) ->
      length blinds = loads_of_runs ops -> Forall (fun b => sized n (fst b) /\ sized n (snd b)) blinds ->
      Forall proper (made_of_runs prg h table ops masks blinds).
    Proof.
      assert (item : forall i, (i < length table)%nat -> proper (made_item (item_at prg h table i) (deltas_at table i))).
      { intros i hi. destruct (all_proper i) as [ok|bad]; [|lia]. apply proper_item_sized, ok. }
      revert masks blinds. induction ops as [|op ops IH]; intros masks blinds small l good; [constructor|].
      destruct op as [k c|i k c q|w i k c q|i]; cbn [made_of_runs flat_map run_item app] in *.
      - destruct blinds as [|b blinds]; [discriminate|]. inversion_clear good as [|? ? ok others]. constructor; [exact ok|].
        apply IH; [exact small | injection l as l; exact l | exact others].
      - constructor; [exact I|]. apply IH; [intros j hj; apply small; right; exact hj | exact l | exact good].
      - constructor; [apply item, small; left; reflexivity|]. apply IH; [intros j hj; apply small; right; exact hj | exact l | exact good].
      - constructor; [apply item, small; left; reflexivity|]. apply IH; [intros j hj; apply small; right; exact hj | exact l | exact good].
    Qed.

    Lemma draws_kinds ops items masks blinds : forall i d, nth_error (draws_of_runs ops items masks blinds) i = Some d ->
      of_kind (run_kind_of (nth i ops (run_idle 0))) d.
    Proof.
      revert items masks blinds. induction ops as [|op ops IH]; intros items masks blinds [|i] d e; try discriminate.
      - destruct op; injection e as <-; exact I.
      - destruct op; exact (IH _ _ _ i d e).
    Qed.
    Lemma draws_of_runs_length ops items masks blinds : length (draws_of_runs ops items masks blinds) = length ops.
    Proof. revert items masks blinds. induction ops as [|[] ops IH]; intros; cbn; congruence. Qed.
  End Table.

  (** * What was received while an item was made, from the view of the run that uses it *)

  Definition made_in (v : run_received (W := u64)) : option made_received :=
    match v with load_received _ => None | reading_received s => Some (fst (fst s)) | updating_received s => Some (fst s) | idle_received m => Some m end.
  Definition nothing_made : made_received (W := u64) := made_of party (full_item prg h no_full).
  Definition made_at (ops : list run_of_step) (views : list (run_received (W := u64))) (i : nat) : made_received :=
    match find (fun z => existsb (Nat.eqb i) (run_item (fst z))) (combine ops views) with
    | Some (_, v) => match made_in v with Some m => m | None => nothing_made end
    | None => nothing_made
    end.
  Lemma made_found (r : R) (table : list full) : forall ops m masks blinds i, In i (flat_map run_item ops) ->
    made_at ops (run_views party n (ask r) m ops (made_of_runs prg h table ops masks blinds)) i = made_of party (item_at prg h table i).
  Proof.
    unfold made_at. induction ops as [|op ops IH]; intros m masks blinds i hi; [destruct hi|].
    destruct op as [k c|j k c q|w j k c q|j]; cbn [made_of_runs run_views combine find fst run_item existsb flat_map app] in *.
    - apply IH, hi.
    - destruct (Nat.eqb_spec i j) as [->|ne]; cbn [orb]; [|destruct hi as [e|hi]; [congruence|]; apply IH, hi]. reflexivity.
    - destruct (Nat.eqb_spec i j) as [->|ne]; cbn [orb]; [|destruct hi as [e|hi]; [congruence|]; apply IH, hi]. reflexivity.
    - destruct (Nat.eqb_spec i j) as [->|ne]; cbn [orb]; [|destruct hi as [e|hi]; [congruence|]; apply IH, hi]. reflexivity.
  Qed.

  (** * The theorem *)

  (* A session that has begun: no items yet, a memory of zeros. *)
  Context (session : paper_session_Session) (operation : u64).
  Hypothesis begun : paper_session_Session_log_size session = h /\ paper_session_Session_prg session = prg /\
    paper_session_Session_state session = paper_memory_initial u64 n /\ paper_session_Session_operation session = operation /\
    paper_session_Session_reads session = [] /\ paper_session_Session_updates session = [].
  (* Whoever tells the two apart knows all secrets, all that the primary has, and all messages to it. *)
  Context (test : R -> owned -> list (list paper_session_Sent) -> bool).

  (* All that is drawn: items, in the order in which they are made (deltas of a READ's are drawn and play no part), rho, and pairs of blinds. *)
  Definition full_space : list full := list_prod (item_space (nat_of h)) (list_prod some_words some_words).
  Definition blind_space : list (list u64 * list u64) := list_prod (tuples (nat_of n) some_words) (tuples (nat_of n) some_words).
  Definition tables : list (list full) := tuples (items_in shapes) full_space.
  Definition all_masks : list (list u64) := tuples (masks_in shapes) some_words.
  Definition all_blinds : list blind_pairs := tuples (loads_in shapes) blind_space.

  Definition real_messages (r : R) (table : list full) (masks : list u64) (blinds : blind_pairs) : list (list paper_session_Sent) :=
    map (for_primary party) (session_sent (ask r) 0 [] session (draws_of shapes table masks blinds)).
  Definition real_session_view : Q :=
    Pr (list_prod rest (list_prod all_masks (list_prod tables all_blinds))) (fun '(r, (masks, (table, blinds))) =>
      test r (owned_of table blinds) (real_messages r table masks blinds)).

  (* The simulator's: of what the primary has and fresh draws. *)
  Definition messages_of (a : owned) (views : list (run_received (W := u64))) : list (list paper_session_Sent) :=
    assembled_messages party h shapes 0 operation (fun i => nth i (fst a) (full_own party no_full)) (made_at runs views) views.
  Definition simulated_messages (a : owned) (coins : list run_coins) : list (list paper_session_Sent) :=
    messages_of a (all_seen (fun j _ => simulated_run_view prg party h n kind_at (fun j a => fst (own_at j a)) a j) 0 [] coins).
  Definition coin_spaces : list (list run_coins) := draws_from (fun j => run_coin_space some_words h n (kind_at j)) 0 (length runs).
  Definition owned_rest : list (owned * R) := map (fun '(r, (table, blinds)) => (owned_of table blinds, r)) (list_prod rest (list_prod tables all_blinds)).
  Definition simulated_session_view : Q :=
    Pr (list_prod owned_rest coin_spaces) (fun '((a, r), coins) => test r a (simulated_messages a coins)).

  Definition views_test (z : owned * R) (views : list (run_received (W := u64))) : bool := test (snd z) (fst z) (messages_of (fst z) views).
  Definition session_price (j : nat) : Q :=
    run_price some_words prg party h n (length runs) kind_at owned_rest (fun j a => fst (own_at j a)) own_inputs_of inputs_of others_memory_of views_test j.

  Let items_in_runs : Permutation (flat_map run_item runs) (seq 0 (items_in shapes)).
  Proof. exact (each_item_once shapes 0 0 0 [] [] supply). Qed.
  Let item_small i : In i (flat_map run_item runs) -> (i < items_in shapes)%nat.
  Proof. intros hi. apply (Permutation_in _ items_in_runs), in_seq in hi. lia. Qed.

  Lemma in_full_space f : In f full_space -> proper_item f.
  Proof.
    destruct f as [[p_0 [p_1 [[ls_1 w_1] [[ls_2 w_2] [ls_3 w_3]]]]] deltas]. unfold full_space, item_space, dealt_space, dpf_space. intros i.
    apply in_prod_iff in i as [i _]. apply in_prod_iff in i as [_ i]. apply in_prod_iff in i as [_ i].
    apply in_prod_iff in i as [i_1 i]. apply in_prod_iff in i as [i_2 i_3].
    apply in_prod_iff in i_1 as [l_1 _], i_2 as [l_2 _], i_3 as [l_3 _].
    apply tuples_length in l_1, l_2, l_3. repeat split; assumption.
  Qed.

  Definition runs_views (r : owned * R) (ds : list run_draw) : list run_received :=
    views_of (real_received prg party h kind_at (fun j a => fst (own_at j a)) own_inputs_of inputs_of others_memory_of r) 0 [] ds.
  Definition ordered (hidden : list item_draw) : list item_draw := map (fun i => nth i hidden (hidden_of no_full)) (flat_map run_item runs).

  Lemma real_messages_are_of_views (r : R) table masks blinds : In table tables -> In masks all_masks -> In blinds all_blinds ->
    real_messages r table masks blinds
    = messages_of (owned_of table blinds)
        (runs_views (owned_of table blinds, r) (draws_of_runs runs (ordered (map hidden_of table)) masks (map their_blind blinds))).
  Proof.
    intros ht hm hb. apply in_tuples in ht as [lt ht], hb as [lb hb]. apply tuples_length in hm.
    assert (proper_all : forall i, proper_item (full_at table i) \/ (length table <= i)%nat).
    { intros i. destruct (le_lt_dec (length table) i) as [late|early]; [right; exact late | left]. apply in_full_space, ht, nth_In, early. }
    assert (sized_all : Forall (fun b => sized n (fst b) /\ sized n (snd b)) blinds).
    { apply Forall_forall. intros [b_0 b_1] i. apply hb, in_prod_iff in i as [i_0 i_1]. apply tuples_length in i_0, i_1. split; assumption. }
    assert (small : forall i, In i (flat_map run_item runs) -> (i < length table)%nat) by (intros i hi; rewrite lt; apply item_small, hi).
    destruct (runs_masks shapes 0 0 0 [] [] supply) as [em el]. fold runs in em, el.
    assert (e : ordered (map hidden_of table) = map (fun i => hidden_of (full_at table i)) (flat_map run_item runs)).
    { unfold ordered. apply map_ext. intros i. apply (map_nth hidden_of). }
    assert (views : runs_views (owned_of table blinds, r) (draws_of_runs runs (ordered (map hidden_of table)) masks (map their_blind blinds))
      = run_views party n (ask r) first_machine runs (made_of_runs prg h table runs masks blinds)).
    { unfold runs_views. rewrite e. pose proof (made_is_hidden table proper_all runs masks blinds small) as hidden.
      rewrite (views_are_of_runs (owned_of table blinds, r) _ []).
      - cbn [length skipn snd fst]. rewrite hidden, before_none. reflexivity.
      - cbn [length]. rewrite draws_of_runs_length. reflexivity.
      - rewrite before_none. repeat split; apply vector_zeros_length.
      - cbn [length Nat.add]. intros i d hi. split; [exact (draws_kinds _ _ _ _ i d hi)|].
        pose proof (made_is_proper table proper_all runs masks blinds small ltac:(congruence) sized_all) as ok.
        rewrite hidden, Forall_forall in ok. apply ok, in_map_iff. exists (own_at i (owned_of table blinds), d). split; [reflexivity|].
        assert (li : (i < length runs)%nat) by (rewrite <- (draws_of_runs_length runs (map (fun i => hidden_of (full_at table i)) (flat_map run_item runs)) masks (map their_blind blinds)); apply nth_error_Some; congruence).
        apply (nth_error_In _ i). rewrite nth_error_combine_both with (x := own_at i (owned_of table blinds)) (y := d); [reflexivity| |exact hi].
        unfold own_at, owns_of. apply nth_error_nth'. rewrite own_runs_length. exact li. }
    rewrite views. unfold real_messages, messages_of.
    assert (held : holds prg h table session (paper_memory_initial u64 n) operation [] []).
    { destruct begun as (b_1 & b_2 & b_3 & b_4 & b_5 & b_6). repeat apply conj; assumption. }
    pose proof (session_is_assembled party prg h n table (ask r) (fun i => nth i (map (full_own party) table) (full_own party no_full))
      (made_at runs (run_views party n (ask r) first_machine runs (made_of_runs prg h table runs masks blinds)))
      (fun i => map_nth (full_own party) table no_full i) shapes 0 0 [] [] session (paper_memory_initial u64 n) operation [] masks blinds
      held supply lt hm (fun i s results e => asked r i s results e)) as assembled. cbv zeta in assembled. cbn [skipn length] in assembled.
    apply assembled. intros i hi. apply made_found. apply (Permutation_in _ (Permutation_sym items_in_runs)), in_seq. lia.
  Qed.

  (** * The spaces *)

  Lemma full_hides : hides full_space (full_own party) hidden_of (hidden_draws h).
  Proof.
    intros g. unfold full_space. rewrite !mean_prod. rewrite (mean_swap (item_space (nat_of h))), (mean_swap (item_space (nat_of h))).
    apply mean_ext. intros deltas _. exact (item_hides party h deltas g).
  Qed.
  Lemma blind_hides : hides blind_space my_blind their_blind (tuples (nat_of n) some_words).
  Proof.
    assert (some : tuples (nat_of n) some_words <> []).
    { apply (space_not_empty _ _ (vector_zeros u64 n) (tuples_enumerate _ _ (words_enumerate 64))). apply vector_zeros_length. }
    intros g. unfold blind_space, my_blind, their_blind. rewrite !mean_prod. destruct party; cbn [in_order fst snd].
    - apply mean_ext. intros b_0 _. symmetry. apply mean_const, some.
    - rewrite mean_swap. symmetry. apply (mean_const (tuples (nat_of n) some_words)), some.
  Qed.

  Lemma hidden_draws_once : NoDup (hidden_draws h).
  Proof.
    assert (r : NoDup (root_space h)) by (apply ItemDraws.NoDup_prod; [apply labels_enumerate | apply ItemDraws.NoDup_tuples, mask_space_enumerates]).
    apply ItemDraws.NoDup_prod; [|auto using ItemDraws.NoDup_prod].
    unfold word_space. refine (proj1 (enumerates_all_prod _ _ _ _)); [apply words_enumerate|].
    auto 10 using enumerates_all_prod, words_enumerate.
  Qed.

  Lemma real_session_is_whole :
    real_session_view
    == real_whole some_words prg party h n (length runs) kind_at owned_rest (fun j a => fst (own_at j a)) own_inputs_of inputs_of others_memory_of views_test.
  Proof.
    pose (G r a ds := indicator (views_test (a, r) (runs_views (a, r) ds))).
    unfold real_session_view, real_whole, owned_rest. rewrite !Pr_mean, !mean_prod, mean_map, mean_prod. apply mean_ext. intros r _.
    destruct (runs_masks shapes 0 0 0 [] [] supply) as [em el]. fold runs in em, el.
    assert (ei : length (flat_map run_item runs) = items_in shapes) by (rewrite (Permutation_length items_in_runs), seq_length; reflexivity).
    transitivity (mean all_masks (fun masks => mean (list_prod tables all_blinds) (fun z =>
      G r (owned_of (fst z) (snd z)) (draws_of_runs runs (ordered (map hidden_of (fst z))) masks (map their_blind (snd z)))))).
    { rewrite mean_prod. apply mean_ext. intros masks hm. apply mean_ext. intros [table blinds] hz. apply in_prod_iff in hz as [ht hb]. cbn [fst snd].
      rewrite real_messages_are_of_views by assumption. reflexivity. }
    pose proof (hides_both _ _ _ _ _ _ _ _ (hides_each _ _ _ _ (items_in shapes) full_hides) (hides_each _ _ _ _ (loads_in shapes) blind_hides)) as hiding.
    transitivity (mean all_masks (fun masks => mean (list_prod tables all_blinds) (fun z =>
      mean (list_prod (tuples (items_in shapes) (hidden_draws h)) (tuples (loads_in shapes) (tuples (nat_of n) some_words))) (fun x =>
        G r (owned_of (fst z) (snd z)) (draws_of_runs runs (ordered (fst x)) masks (snd x)))))).
    { apply mean_ext. intros masks _.
      exact (hiding (fun o x => G r (fst o, snd o) (draws_of_runs runs (ordered (fst x)) masks (snd x)))). }
    rewrite mean_swap. apply mean_ext. intros [table blinds] _. cbn [fst snd].
    transitivity (mean (tuples (items_in shapes) (hidden_draws h)) (fun items => mean all_masks (fun masks =>
      mean (tuples (loads_in shapes) (tuples (nat_of n) some_words)) (fun theirs =>
        G r (owned_of table blinds) (draws_of_runs runs (ordered items) masks theirs))))).
    { rewrite (mean_swap (tuples (items_in shapes) (hidden_draws h))). apply mean_ext. intros masks _. rewrite mean_prod. reflexivity. }
    rewrite (mean_reordered (hidden_draws h) (hidden_of no_full) (items_in shapes) (flat_map run_item runs)
      (fun items => mean all_masks (fun masks => mean (tuples (loads_in shapes) (tuples (nat_of n) some_words)) (fun theirs =>
        G r (owned_of table blinds) (draws_of_runs runs items masks theirs)))) hidden_draws_once items_in_runs).
    unfold all_masks. rewrite <- ei, <- em, <- el.
    apply (mean_of_runs h n runs (fun j => run_space some_words h n (kind_at j)) 0 (G r (owned_of table blinds))).
    intros i op e. cbn [Nat.add]. unfold kind_at, run_at. rewrite (nth_error_nth _ _ _ e). reflexivity.
  Qed.

  (* The theorem: the messages of a whole session to a primary. *)
  Theorem session_simulated : Qabs (real_session_view - simulated_session_view) <= sum_below (length runs) session_price.
  Proof.
    rewrite real_session_is_whole.
    assert (memory : forall j r before, length (others_memory_of j r before) = nat_of n).
    { intros j r before. unfold others_memory_of. destruct (memory_of _ _ _ _). apply fit_words_length. }
    pose proof (whole_schedule_simulated some_words (words_enumerate 64) prg party h n h_below_64 size n_fits_word (length runs) kind_at
      owned_rest (fun j a => fst (own_at j a)) own_inputs_of inputs_of others_memory_of own_at_ands
      (fun j r before => fit_state_length (fst (before_run r before))) memory views_test) as bound.
    assert (simulated : simulated_session_view
      == simulated_whole some_words prg party h n (length runs) kind_at owned_rest (fun j a => fst (own_at j a)) views_test).
    { unfold simulated_session_view, simulated_whole, coin_spaces. rewrite !Pr_mean. apply mean_ext. intros [[a r] coins] _. reflexivity. }
    rewrite simulated. exact bound.
  Qed.
End Privacy.
