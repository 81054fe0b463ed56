(* A session's runs as a machine: the state and the results before each run, from the draws of the runs before it; and sizes, which all runs keep.
   Nothing here is about a party. For SessionViews.v. *)
From Coq Require Import Lia Permutation.
From Duoram Require Import Bijection Counting Chains BackwardChains.
From Duoram.core Require Import VectorFacts.
From Duoram.core Require DrawnWords.
From Duoram.paper Require Import StateSizes UpdateRefreshes PreparedMaterial SessionSteps WholeView TapeDiscipline ItemDraws SessionRuns RunDraws.
From Duoram.Generated Require Import All.
#[local] Open Scope Q_scope.

(* The public schedule, as runs, from a session that holds no items. *)
Definition runs (shapes : list shape) : list run_of_step := runs_of shapes 0 0 0 [] [].
Definition run_at (shapes : list shape) (j : nat) : run_of_step := nth j (runs shapes) (run_idle 0).
Definition kind_at (shapes : list shape) (j : nat) : run_kind := run_kind_of (run_at shapes j).

Lemma items_in_runs (shapes : list shape) : enough shapes 0 0 -> Permutation (flat_map run_item (runs shapes)) (seq 0 (items_in shapes)).
Proof. exact (each_item_once shapes 0 0 0 [] []). Qed.
Lemma item_small (shapes : list shape) i : enough shapes 0 0 -> In i (flat_map run_item (runs shapes)) -> (i < items_in shapes)%nat.
Proof. intros supply hi. apply (Permutation_in _ (items_in_runs shapes supply)), in_seq in hi. lia. Qed.

Notation machine := (paper_memory_State u64 * list (u64 * u64))%type.
Notation blind_pairs := (list (list u64 * list u64)).

Section Sizes.
  Context (n : u64).

  Lemma n_fits_word : (val n <= 2 ^ Zpos (ring_bits u64))%Z.
  Proof. change (ring_bits u64) with 64%positive. pose proof (val_bounds n). lia. Qed.
  Lemma len_sized (l : list u64) : sized n l -> len l = n.
  Proof. unfold sized, len. intros ->. apply of_nat_nat_of. Qed.

  (* Any lists in place of draws leave a state of n words. *)
  Definition fit_state (state : paper_memory_State u64) : paper_memory_State u64 :=
    if ieqb (len (paper_memory_PrimaryState_memory_share (paper_memory_State_p0 state))) n then state else paper_memory_initial u64 n.
  Definition fit_words (l : list u64) : list u64 := firstn (nat_of n) (l ++ repeat (repr 64 0) (nat_of n)).
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
End Sizes.

(** * All that is drawn *)

Section Draws.
  Context (prg : prg_AesPrg) (h n : u64) (h_below_64 : (val h < 64)%Z) (size : val n = (2 ^ val h)%Z).

  (* All that is drawn: items, in the order in which they are made (deltas of a READ's are drawn and play no part), rho, and pairs of blinds. *)
  Notation some_words := (words 64).
  Definition full_space : list full := list_prod (item_space (nat_of h)) (list_prod some_words some_words).
  Definition blind_space : list (list u64 * list u64) := list_prod (tuples (nat_of n) some_words) (tuples (nat_of n) some_words).
  Definition tables (shapes : list shape) : list (list full) := tuples (items_in shapes) full_space.
  Definition all_masks (shapes : list shape) : list (list u64) := tuples (masks_in shapes) some_words.
  Definition all_blinds (shapes : list shape) : list blind_pairs := tuples (loads_in shapes) blind_space.

  Definition proper_item (f : full) : Prop := dealt_of_levels (nat_of h) (snd (snd (fst f))).
  Lemma in_full_space f : In f full_space -> proper_item f.
  Proof.
    destruct f as [[p_0 [p_1 [[ls_1 w_1] [[ls_2 w_2] [ls_3 w_3]]]]] deltas]. unfold full_space, item_space, dealt_space, dpf_space. intros i.
    apply in_prod_iff in i as [i _]. apply in_prod_iff in i as [_ i]. apply in_prod_iff in i as [_ i].
    apply in_prod_iff in i as [i_1 i]. apply in_prod_iff in i as [i_2 i_3].
    apply in_prod_iff in i_1 as [l_1 _], i_2 as [l_2 _], i_3 as [l_3 _].
    apply tuples_length in l_1, l_2, l_3. repeat split; assumption.
  Qed.
  Lemma proper_item_sized (f : full) : proper_item f ->
    material_sized n (paper_preprocessing_update_material (full_item prg h f) (fst (snd f)) (snd (snd f))).
  Proof.
    destruct f as [[p_0 [p_1 [d_1 [d_2 d_3]]]] deltas]. intros (l_1 & l_2 & l_3). cbn [fst snd] in *.
    pose proof (prepared_update_ready (W := u64) prg h n h_below_64 size) as ready.
    unfold full_item, item_of_draws. destruct p_0 as [i_0 [[a_0 b_0] c_0] [[x_0 y_0] z_0]], p_1 as [i_1 [[a_1 b_1] c_1] [[x_1 y_1] z_1]].
    specialize (ready (n_fits_word n)
      (mk_paper_preprocessing_PrimaryRandomness i_0 (a_0, b_0, c_0) (x_0, y_0, z_0))
      (mk_paper_preprocessing_PrimaryRandomness i_1 (a_1, b_1, c_1) (x_1, y_1, z_1)) (triples_of d_1) (triples_of d_2) (triples_of d_3)
      (triples_are_dealt h _ l_1) (triples_are_dealt h _ l_2) (triples_are_dealt h _ l_3) (fst deltas) (snd deltas)).
    apply ready.
  Qed.

  (* What is made properly keeps the state's size. *)
  Definition proper (d : made) : Prop :=
    match d with
    | made_load blind_0 blind_1 => sized n blind_0 /\ sized n blind_1
    | made_read _ _ => True
    | made_item item deltas => material_sized n (paper_preprocessing_update_material item (fst deltas) (snd deltas))
    end.
  Lemma made_is_proper (table : list full) (all_proper : forall i, proper_item (full_at table i) \/ (length table <= i)%nat) ops masks (blinds : blind_pairs) :
    (forall i, In i (flat_map run_item ops) -> (i < length table)%nat) ->
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
End Draws.

(** * The machine *)

Section Machine.
  Context (n : u64).
  Context (ask : nat -> list (u64 * u64) -> session_step).
  Hypothesis loads_sized : forall k results memory_share_0 memory_share_1,
    ask k results = step_load memory_share_0 memory_share_1 -> sized n memory_share_0 /\ sized n memory_share_1.

  Fixpoint run_end (m : machine) (ops : list run_of_step) (ds : list made) : machine :=
    match ops, ds with op :: ops, d :: ds => run_end (run_next n ask m op d) ops ds | _, _ => m end.
  Definition first_machine : machine := (paper_memory_initial u64 n, []).

  Lemma memory_sized op results : sized n (fst (memory_of n ask op results)) /\ sized n (snd (memory_of n ask op results)).
  Proof.
    assert (z : sized n (vector_zeros u64 n)) by apply vector_zeros_length.
    unfold memory_of. destruct op as [k c| | |]; [|split; exact z..].
    destruct (ask k (firstn c results)) eqn:e; try (split; exact z). apply (loads_sized _ _ _ _ e).
  Qed.
  Lemma next_sized m op d : state_sized n (fst m) -> proper n d -> state_sized n (fst (run_next n ask m op d)).
  Proof.
    intros s p. destruct d as [blind_0 blind_1|rho item|item deltas]; unfold run_next.
    - destruct (memory_sized op (snd m)) as [s_0 s_1]. destruct (memory_of n ask op (snd m)) as [d_0 d_1]. cbn [fst snd] in *.
      destruct p as [b_0 b_1]. unfold state_sized, sized_triple, paper_memory_shared, paper_memory_blinded_share.
      repeat apply conj; try assumption; apply sized_add; assumption.
    - exact s.
    - destruct (run_kind_of op); try exact s. cbn [fst]. unfold updating_by.
      destruct (paper_preprocessing_random_index_shares item) as [ri_0 ri_1], (paper_session_UpdateQuery_address _) as [i_0 i_1],
        (paper_session_UpdateQuery_value _) as [m_0 m_1]. apply update_sized; assumption.
  Qed.
  Lemma run_end_snoc m ops ds d : (length ds < length ops)%nat ->
    run_end m ops (ds ++ [d]) = run_next n ask (run_end m ops ds) (nth (length ds) ops (run_idle 0)) d.
  Proof.
    revert m ops. induction ds as [|x ds IH]; intros m [|op ops] l; cbn in l; try lia; [destruct ops; reflexivity|]. cbn. apply IH. lia.
  Qed.

  (** * Views of draws are views of runs *)

  (* Of each run something is had, and something drawn; [made_hidden] is what both make. *)
  Context {V Own Made : Type} (to : receiver V Own Made) {Has Draw : Type} (made_hidden : Has -> Draw -> made).
  Context (ops : list run_of_step) (owns : list Has) (no_own : Has) (owns_length : length owns = length ops).

  Definition before_run (before : list Draw) : machine := run_end first_machine ops (map (uncurry made_hidden) (combine owns before)).
  Lemma before_none : before_run [] = first_machine.
  Proof.
    unfold before_run. replace (combine owns []) with (@nil (Has * Draw)) by (destruct owns; reflexivity).
    cbn [map]. destruct ops; reflexivity.
  Qed.

  Context (good : nat -> Draw -> Prop) (view : nat -> list Draw -> Draw -> V).
  Hypothesis view_of_run : forall before d, state_sized n (fst (before_run before)) -> good (length before) d ->
    view (length before) before d
    = run_view to n ask (before_run before) (nth (length before) ops (run_idle 0)) (made_hidden (nth (length before) owns no_own) d).

  Lemma views_are_of_runs_from : forall ds before,
    (length before + length ds = length ops)%nat -> state_sized n (fst (before_run before)) ->
    (forall i d, nth_error ds i = Some d -> good (length before + i)%nat d /\ proper n (made_hidden (nth (length before + i) owns no_own) d)) ->
    views_of view (length before) before ds
    = run_views to n ask (before_run before) (skipn (length before) ops) (map (uncurry made_hidden) (combine (skipn (length before) owns) ds)).
  Proof.
    induction ds as [|d ds IH]; intros before l s fine.
    - destruct (skipn (length before) ops), (skipn (length before) owns); reflexivity.
    - cbn [length] in l.
      assert (split : forall {T} (x : T) (l : list T) k, (k < length l)%nat -> skipn k l = nth k l x :: skipn (S k) l).
      { clear. intros T x l. induction l as [|y l IH]; intros [|k] hk; cbn in *; try lia; [reflexivity|]. apply IH. lia. }
      rewrite (split _ (run_idle 0) ops) by lia. rewrite (split _ no_own owns) by lia.
      cbn [views_of combine map run_views uncurry].
      destruct (fine 0%nat d eq_refl) as [kind ok]. rewrite Nat.add_0_r in kind, ok.
      set (op := nth (length before) ops (run_idle 0)) in *. set (own := nth (length before) owns no_own) in *.
      assert (next : before_run (before ++ [d]) = run_next n ask (before_run before) op (made_hidden own d)).
      { unfold before_run.
        assert (e : combine owns (before ++ [d]) = combine owns before ++ [(own, d)]).
        { unfold own. assert (small : (length before < length owns)%nat) by lia. clear -small. revert owns small.
          induction before as [|b before IH]; intros [|o os] small; cbn in *; try lia; [destruct os; reflexivity|]. f_equal. apply IH. lia. }
        rewrite e, map_app. cbn [map uncurry].
        assert (lc : length (map (uncurry made_hidden) (combine owns before)) = length before) by (rewrite map_length, combine_length; lia).
        rewrite run_end_snoc by lia. rewrite lc. reflexivity. }
      f_equal; [apply view_of_run; assumption|].
      specialize (IH (before ++ [d])). rewrite app_length, Nat.add_1_r in IH. rewrite IH.
      + rewrite next. reflexivity.
      + lia.
      + rewrite next. apply next_sized; assumption.
      + intros i d' e. replace (S (length before) + i)%nat with (length before + S i)%nat by lia. exact (fine (S i) d' e).
  Qed.
  Lemma views_are_of_runs (ds : list Draw) : length ds = length ops ->
    (forall i d, nth_error ds i = Some d -> good i d /\ proper n (made_hidden (nth i owns no_own) d)) ->
    views_of view 0 [] ds = run_views to n ask first_machine ops (map (uncurry made_hidden) (combine owns ds)).
  Proof.
    intros l fine. pose proof (views_are_of_runs_from ds []) as views. cbn [length Nat.add skipn] in views. rewrite before_none in views.
    apply views; [exact l | repeat split; apply vector_zeros_length | exact fine].
  Qed.
End Machine.
