(* A whole session towards any receiver (Receiver.v), as one view: the messages that it is sent in all steps, over uniform draws of all three parties, are
   made of what it has of the draws, and of its views of runs, of which each has hidden draws of its own, uniform and independent
   ([real_session_is_viewed]). That view is what WholeView.v and WholeHelperView.v simulate.

   What a receiver has of an item's draws, of a rho, of a load's blinds, and what is hidden from it, is for SessionPrivacy.v and HelperSession.v to
   say. What is put together here: a step's messages are made of views (SessionRuns.v), and items may as well be drawn in the order of use
   (RunDraws.v). *)
From Coq Require Import Lia Permutation.
From Duoram Require Import Bijection Counting Chains BackwardChains.
From Duoram.core Require Import VectorFacts.
From Duoram.paper Require Import StateSizes SessionSteps WholeView TapeDiscipline ItemDraws SessionRuns RunDraws SessionMachine.
From Duoram.Generated Require Import All.
#[local] Open Scope Q_scope.

Lemma nth_error_combine_both {A B : Type} (a : list A) (b : list B) (i : nat) (x : A) (y : B) :
  nth_error a i = Some x -> nth_error b i = Some y -> nth_error (combine a b) i = Some (x, y).
Proof.
  revert a b. induction i as [|i IH]; intros [|x' a] [|y' b] hx hy; try discriminate; cbn in *; [congruence | apply IH; assumption].
Qed.

Section Session.
  Context (prg : prg_AesPrg) (h n : u64) (h_below_64 : (val h < 64)%Z) (size : val n = (2 ^ val h)%Z).
  Context {V Own Made : Type} (to : receiver V Own Made) (law : lawful prg h to).

  (* The public schedule, from a session that holds no items; what is asked, given all secrets and the results so far. *)
  Context (shapes : list shape) (supply : enough shapes 0 0).
  Context {R : Type} (rest : list R) (ask : R -> nat -> list (u64 * u64) -> session_step).
  Hypothesis asked : forall r k s results, nth_error shapes k = Some s -> has_shape s (ask r k results).
  Hypothesis loads_sized : forall r k results memory_share_0 memory_share_1,
    ask r k results = step_load memory_share_0 memory_share_1 -> sized n memory_share_0 /\ sized n memory_share_1.
  Notation runs := (runs shapes).
  Notation run_at := (run_at shapes).
  Notation kind_at := (kind_at shapes).

  (** * What the receiver has, and what is hidden from it *)

  (* Of all items, as they are made, of all rho, of all blinds; [fit] makes of anything in place of what it has of an item such as it may have. *)
  Context {A RhoOwn LoadOwn : Type} (own_of : A -> nat -> Own) (masks_of : A -> list RhoOwn) (blinds_of : A -> list LoadOwn).
  Context (fit : Own -> Own) (no_mask : RhoOwn) (no_blind : LoadOwn).
  Notation own_run := (Own * (RhoOwn * LoadOwn))%type.
  Fixpoint own_runs (own : nat -> Own) (ops : list run_of_step) (masks : list RhoOwn) (blinds : list LoadOwn) : list own_run :=
    match ops with
    | [] => []
    | run_load _ _ :: ops => (fit (own 0%nat), (no_mask, hd no_blind blinds)) :: own_runs own ops masks (tl blinds)
    | run_read i _ _ _ :: ops => (fit (own i), (hd no_mask masks, no_blind)) :: own_runs own ops (tl masks) blinds
    | run_update _ i _ _ _ :: ops | run_idle i :: ops => (fit (own i), (no_mask, no_blind)) :: own_runs own ops masks blinds
    end.
  Lemma own_runs_length own ops masks blinds : length (own_runs own ops masks blinds) = length ops.
  Proof. revert masks blinds. induction ops as [|[] ops IH]; intros; cbn; congruence. Qed.
  Definition owns_of (a : A) : list own_run := own_runs (own_of a) runs (masks_of a) (blinds_of a).
  Definition no_own (a : A) : own_run := (fit (own_of a 0%nat), (no_mask, no_blind)).
  Definition own_at (j : nat) (a : A) : own_run := nth j (owns_of a) (no_own a).
  Lemma own_at_fits (j : nat) (a : A) : exists o, fst (own_at j a) = fit o.
  Proof.
    unfold own_at, owns_of. generalize (masks_of a) (blinds_of a). revert j.
    induction runs as [|op ops IH]; intros j masks blinds; [destruct j; eexists; reflexivity|].
    destruct op, j; cbn [own_runs nth fst]; try (eexists; reflexivity); apply IH.
  Qed.

  (* The hidden draws of an item, of a rho and of a load, and those of runs. *)
  Context {ItemHidden RhoHidden LoadHidden Draw : Type}
    (hidden_item : full -> ItemHidden) (hidden_mask : u64 -> RhoHidden) (hidden_blind : list u64 * list u64 -> LoadHidden).
  Context (on_load : LoadHidden -> Draw) (on_read : RhoHidden -> ItemHidden -> Draw) (on_item : ItemHidden -> Draw).
  Context (no_hidden_mask : RhoHidden) (no_hidden_blind : LoadHidden).
  Notation draws_of_runs := (draws_of_runs on_load on_read on_item no_hidden_blind (hidden_item no_full) no_hidden_mask).

  (* Both together make a run what it is. *)
  Context (own_mask : u64 -> RhoOwn) (own_blind : list u64 * list u64 -> LoadOwn) (made_hidden : own_run -> Draw -> made).
  Hypothesis load_made : forall o m b, made_hidden (o, (m, own_blind b)) (on_load (hidden_blind b)) = made_load (fst b) (snd b).
  Hypothesis read_made : forall f rho b, proper_item h f ->
    made_hidden (fit (has_of to f), (own_mask rho, b)) (on_read (hidden_mask rho) (hidden_item f)) = made_read rho (full_item prg h f).
  Hypothesis item_made : forall f m b, proper_item h f ->
    made_hidden (fit (has_of to f), (m, b)) (on_item (hidden_item f)) = made_item (full_item prg h f) (snd f).

  Context (owned_of : list full -> list u64 -> blind_pairs -> A).
  Hypothesis own_of_table : forall table masks blinds i, own_of (owned_of table masks blinds) i = has_of to (full_at table i).
  Hypothesis masks_of_owned : forall table masks blinds, length masks = masks_in shapes -> masks_of (owned_of table masks blinds) = map own_mask masks.
  Hypothesis blinds_of_owned : forall table masks blinds, length blinds = loads_in shapes -> blinds_of (owned_of table masks blinds) = map own_blind blinds.

  Lemma made_is_hidden (table : list full) (all_proper : forall i, proper_item h (full_at table i) \/ (length table <= i)%nat)
    (own : nat -> Own) (owns : forall i, own i = has_of to (full_at table i)) : forall ops masks (blinds : blind_pairs),
    (forall i, In i (flat_map run_item ops) -> (i < length table)%nat) -> length masks = masks_of_runs ops -> length blinds = loads_of_runs ops ->
    made_of_runs prg h table ops masks blinds
    = map (uncurry made_hidden) (combine (own_runs own ops (map own_mask masks) (map own_blind blinds))
        (draws_of_runs ops (map (fun i => hidden_item (full_at table i)) (flat_map run_item ops)) (map hidden_mask masks) (map hidden_blind blinds))).
  Proof.
    assert (is_proper : forall i, (i < length table)%nat -> proper_item h (full_at table i)) by (intros i hi; destruct (all_proper i); [assumption | lia]).
    induction ops as [|op ops IH]; intros masks blinds small lm lb; [reflexivity|].
    assert (later : forall i, In i (flat_map run_item ops) -> (i < length table)%nat) by (intros i hi; apply small, in_or_app; right; exact hi).
    destruct op as [k c|i k c q|w i k c q|i];
      cbn [made_of_runs own_runs flat_map run_item app map RunDraws.draws_of_runs combine uncurry] in *; unfold masks_of_runs, loads_of_runs in *;
      cbn [filter length] in lm, lb.
    - destruct blinds as [|b blinds]; [discriminate|]. injection lb as lb. cbn [hd tl map]. rewrite load_made, IH by assumption. reflexivity.
    - destruct masks as [|rho masks]; [discriminate|]. injection lm as lm. cbn [hd tl map].
      rewrite owns, read_made by (apply is_proper, small; left; reflexivity). rewrite IH by assumption. reflexivity.
    - cbn [hd tl]. rewrite owns, item_made by (apply is_proper, small; left; reflexivity). rewrite IH by assumption. reflexivity.
    - cbn [hd tl]. rewrite owns, item_made by (apply is_proper, small; left; reflexivity). rewrite IH by assumption. reflexivity.
  Qed.

  (** * The view *)

  (* What was received while an item was made, from the view of the run that uses it. *)
  Context (nothing_made : Made).
  Definition made_at (ops : list run_of_step) (views : list V) (i : nat) : Made :=
    match find (fun z => existsb (Nat.eqb i) (run_item (fst z))) (combine ops views) with
    | Some (_, v) => match made_in to v with Some m => m | None => nothing_made end
    | None => nothing_made
    end.
  Lemma made_found (r : R) (table : list full) : forall ops m masks blinds i, In i (flat_map run_item ops) ->
    made_at ops (run_views to n (ask r) m ops (made_of_runs prg h table ops masks blinds)) i = made_for to (item_at prg h table i).
  Proof.
    unfold made_at. induction ops as [|op ops IH]; intros m masks blinds i hi; [destruct hi|].
    destruct op as [k c|j k c q|w j k c q|j]; cbn [made_of_runs run_views combine find fst run_item existsb flat_map app] in *;
      [apply IH, hi | destruct (Nat.eqb_spec i j) as [->|ne]; cbn [orb]; [|destruct hi as [e|hi]; [congruence|]; apply IH, hi]..];
      unfold run_view; cbn [run_kind_of].
    - rewrite (lawful_made_read prg h to law). reflexivity.
    - rewrite (lawful_made_update prg h to law). reflexivity.
    - rewrite (lawful_made_idle prg h to law). reflexivity.
  Qed.

  (* A session that has begun: no items yet, a memory of zeros. *)
  Context (session : paper_session_Session) (operation : u64).
  Hypothesis begun : paper_session_Session_log_size session = h /\ paper_session_Session_prg session = prg /\
    paper_session_Session_state session = paper_memory_initial u64 n /\ paper_session_Session_operation session = operation /\
    paper_session_Session_reads session = [] /\ paper_session_Session_updates session = [].

  Definition messages_of (a : A) (views : list V) : list (list paper_session_Sent) :=
    assembled_messages to shapes 0 operation (own_of a) (made_at runs views) views.
  Definition before_run_of (r : A * R) (before : list Draw) : machine := before_run n (ask (snd r)) made_hidden runs (owns_of (fst r)) before.

  (* The view that is simulated is that of the run. *)
  Definition of_kind (kind : run_kind) (d : Draw) : Prop :=
    match kind with
    | loading => exists b, d = on_load b
    | reading => exists rho item, d = on_read rho item
    | updating | idle => exists item, d = on_item item
    end.
  Context (view : A * R -> nat -> list Draw -> Draw -> V).
  Hypothesis view_of_run : forall r j before d, state_sized n (fst (before_run_of r before)) -> of_kind (kind_at j) d ->
    view r j before d = run_view to n (ask (snd r)) (before_run_of r before) (run_at j) (made_hidden (own_at j (fst r)) d).

  Lemma draws_kinds ops items masks blinds : forall i d, nth_error (draws_of_runs ops items masks blinds) i = Some d ->
    of_kind (run_kind_of (nth i ops (run_idle 0))) d.
  Proof.
    revert items masks blinds. induction ops as [|op ops IH]; intros items masks blinds [|i] d e; try discriminate.
    - destruct op; injection e as <-; repeat eexists.
    - destruct op; exact (IH _ _ _ i d e).
  Qed.

  (* Whoever tells the two apart knows all secrets, all that the receiver has, and all messages to it. *)
  Context (test : R -> A -> list (list paper_session_Sent) -> bool).
  Definition real_messages (r : R) (table : list full) (masks : list u64) (blinds : blind_pairs) : list (list paper_session_Sent) :=
    map (messages_to to) (session_sent (ask r) 0 [] session (draws_of shapes table masks blinds)).
  Definition real_session_view : Q :=
    Pr (list_prod rest (list_prod (all_masks shapes) (list_prod (tables h shapes) (all_blinds n shapes)))) (fun '(r, (masks, (table, blinds))) =>
      test r (owned_of table masks blinds) (real_messages r table masks blinds)).

  Definition ordered (hidden : list ItemHidden) : list ItemHidden := map (fun i => nth i hidden (hidden_item no_full)) (flat_map run_item runs).
  Lemma real_messages_are_of_views (r : R) table masks blinds :
    In table (tables h shapes) -> In masks (all_masks shapes) -> In blinds (all_blinds n shapes) ->
    real_messages r table masks blinds
    = messages_of (owned_of table masks blinds) (views_of (view (owned_of table masks blinds, r)) 0 []
        (draws_of_runs runs (ordered (map hidden_item table)) (map hidden_mask masks) (map hidden_blind blinds))).
  Proof.
    intros ht hm hb. apply in_tuples in ht as [lt ht], hb as [lb hb]. apply tuples_length in hm.
    assert (proper_all : forall i, proper_item h (full_at table i) \/ (length table <= i)%nat).
    { intros i. destruct (le_lt_dec (length table) i) as [late|early]; [right; exact late | left]. apply in_full_space, ht, nth_In, early. }
    assert (sized_all : Forall (fun b => sized n (fst b) /\ sized n (snd b)) blinds).
    { apply Forall_forall. intros [b_0 b_1] i. apply hb, in_prod_iff in i as [i_0 i_1]. apply tuples_length in i_0, i_1. split; assumption. }
    assert (small : forall i, In i (flat_map run_item runs) -> (i < length table)%nat) by (intros i hi; rewrite lt; apply item_small, hi; exact supply).
    destruct (runs_masks shapes 0 0 0 [] [] supply) as [em el]. fold runs in em, el.
    set (a := owned_of table masks blinds).
    assert (e : ordered (map hidden_item table) = map (fun i => hidden_item (full_at table i)) (flat_map run_item runs)).
    { unfold ordered. apply map_ext. intros i. apply (map_nth hidden_item). }
    pose proof (made_is_hidden table proper_all (own_of a) (own_of_table table masks blinds) runs masks blinds small ltac:(congruence) ltac:(congruence)) as hidden.
    rewrite <- (masks_of_owned table masks blinds), <- (blinds_of_owned table masks blinds) in hidden by assumption. fold a in hidden.
    change (own_runs (own_of a) runs (masks_of a) (blinds_of a)) with (owns_of a) in hidden.
    set (draws := draws_of_runs runs (ordered (map hidden_item table)) (map hidden_mask masks) (map hidden_blind blinds)).
    rewrite <- e in hidden. fold draws in hidden.
    assert (lo : length (owns_of a) = length runs) by apply own_runs_length.
    assert (ld : length draws = length runs) by apply draws_of_runs_length.
    assert (views : views_of (view (a, r)) 0 [] draws = run_views to n (ask r) (first_machine n) runs (made_of_runs prg h table runs masks blinds)).
    { rewrite hidden. apply (views_are_of_runs n (ask r) (loads_sized r) to made_hidden runs (owns_of a) (no_own a) lo (fun i d => of_kind (kind_at i) d)).
      - intros before d s kind. exact (view_of_run (a, r) (length before) before d s kind).
      - exact ld.
      - intros i d hi. split; [exact (draws_kinds _ _ _ _ i d hi)|].
        pose proof (made_is_proper prg h n h_below_64 size table proper_all runs masks blinds small ltac:(congruence) sized_all) as ok.
        rewrite hidden, Forall_forall in ok. apply ok, in_map_iff. exists (own_at i a, d). split; [reflexivity|].
        assert (li : (i < length runs)%nat) by (rewrite <- ld; apply nth_error_Some; congruence).
        apply (nth_error_In _ i). rewrite nth_error_combine_both with (x := own_at i a) (y := d); [reflexivity| |exact hi].
        unfold own_at. apply nth_error_nth'. rewrite lo. exact li. }
    rewrite views. unfold real_messages, messages_of.
    assert (held : holds prg h table session (paper_memory_initial u64 n) operation [] []).
    { destruct begun as (b_1 & b_2 & b_3 & b_4 & b_5 & b_6). repeat apply conj; assumption. }
    pose proof (session_is_assembled to prg h n table (ask r) law (own_of a)
      (made_at runs (run_views to n (ask r) (first_machine n) runs (made_of_runs prg h table runs masks blinds)))
      (own_of_table table masks blinds) shapes 0 0 [] [] session (paper_memory_initial u64 n) operation [] masks blinds
      held supply lt hm (fun i s results e => asked r i s results e)) as assembled. cbv zeta in assembled. cbn [skipn length] in assembled.
    apply assembled. intros i hi. apply made_found. apply (Permutation_in _ (Permutation_sym (items_in_runs shapes supply))), in_seq. lia.
  Qed.

  (** * The spaces *)

  Context (item_hidden_space : list ItemHidden) (rho_hidden_space : list RhoHidden) (load_hidden_space : list LoadHidden) (owned_space : list A).
  Hypothesis item_hidden_once : NoDup item_hidden_space.
  Hypothesis hiding : forall G : A -> list ItemHidden -> list RhoHidden -> list LoadHidden -> Q,
    mean (all_masks shapes) (fun masks => mean (list_prod (tables h shapes) (all_blinds n shapes)) (fun z =>
      G (owned_of (fst z) masks (snd z)) (map hidden_item (fst z)) (map hidden_mask masks) (map hidden_blind (snd z))))
    == mean owned_space (fun a => mean (tuples (items_in shapes) item_hidden_space) (fun items =>
         mean (tuples (masks_in shapes) rho_hidden_space) (fun masks => mean (tuples (loads_in shapes) load_hidden_space) (fun blinds => G a items masks blinds)))).
  Context (spaces : run_kind -> list Draw).
  Hypothesis spaces_are : forall kind f,
    mean (spaces kind) f == mean (draw_space on_load on_read on_item load_hidden_space item_hidden_space rho_hidden_space kind) f.

  Definition owned_rest : list (A * R) := map (fun '(r, a) => (a, r)) (list_prod rest owned_space).
  Definition views_test (z : A * R) (views : list V) : bool := test (snd z) (fst z) (messages_of (fst z) views).

  Theorem real_session_is_viewed :
    real_session_view
    == Pr (list_prod owned_rest (draws_from (fun j => spaces (kind_at j)) 0 (length runs))) (fun '(z, ds) => views_test z (views_of (view z) 0 [] ds)).
  Proof.
    pose (G r a ds := indicator (views_test (a, r) (views_of (view (a, r)) 0 [] ds))).
    unfold real_session_view, owned_rest. rewrite !Pr_mean, !mean_prod, mean_map, mean_prod. apply mean_ext. intros r _.
    destruct (runs_masks shapes 0 0 0 [] [] supply) as [em el]. fold runs in em, el.
    assert (ei : length (flat_map run_item runs) = items_in shapes) by (rewrite (Permutation_length (items_in_runs shapes supply)), seq_length; reflexivity).
    transitivity (mean (all_masks shapes) (fun masks => mean (list_prod (tables h shapes) (all_blinds n shapes)) (fun z =>
      G r (owned_of (fst z) masks (snd z)) (draws_of_runs runs (ordered (map hidden_item (fst z))) (map hidden_mask masks) (map hidden_blind (snd z)))))).
    { rewrite mean_prod. apply mean_ext. intros masks hm. apply mean_ext. intros [table blinds] hz. apply in_prod_iff in hz as [ht hb]. cbn [fst snd].
      rewrite real_messages_are_of_views by assumption. reflexivity. }
    rewrite (hiding (fun a items masks blinds => G r a (draws_of_runs runs (ordered items) masks blinds))).
    apply mean_ext. intros a _.
    rewrite (mean_reordered item_hidden_space (hidden_item no_full) (items_in shapes) (flat_map run_item runs)
      (fun items => mean (tuples (masks_in shapes) rho_hidden_space) (fun masks => mean (tuples (loads_in shapes) load_hidden_space) (fun blinds =>
        G r a (draws_of_runs runs items masks blinds)))) item_hidden_once (items_in_runs shapes supply)).
    rewrite <- ei, <- em, <- el.
    apply (mean_of_runs on_load on_read on_item no_hidden_blind (hidden_item no_full) no_hidden_mask load_hidden_space item_hidden_space rho_hidden_space
      runs (fun j => spaces (kind_at j)) 0 (G r a)).
    intros i op e f. cbn [Nat.add]. rewrite spaces_are. unfold SessionMachine.kind_at, SessionMachine.run_at. rewrite (nth_error_nth _ _ _ e). reflexivity.
  Qed.
End Session.
