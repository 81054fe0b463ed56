(* Privacy of a whole session of the paper's protocol, towards P2: of the session as `paper::session` runs it, from its first step to the last, with any
   schedule of loads, batches, READs, UPDATEs and WRITEs, and inputs that may depend on all results before. All messages that P2 is sent are, for
   every test, within the sum of the advantages against the PRG, 4h for each item, of what a simulator makes of fresh draws and of the
   schedule, and of nothing else: not even of what P2 itself draws ([session_simulated_to_helper]).

   What is put together here: the messages are made of views of runs (SessionViews.v); of all draws P2 has its own, triples and rho, and all others are
   uniform to it; then each run is replaced, the last one first (WholeHelperView.v).

   The session is [step_of_draws] of TapeDiscipline.v, as in SessionPrivacy.v. The key K of the PRG is fixed. For n >= 2. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection Counting Chains BackwardChains.
From Duoram.core Require Import VectorFacts LabelFacts PrgAdvantage.
From Duoram.core Require DrawnWords.
From Duoram.paper Require Import StateSizes SessionSteps HelperPrivacy HelperLife WholeView WholeHelperView TapeDiscipline ItemDraws HelperReceived
  SessionRuns RunDraws SessionViews.
From Duoram.paper Require Export SessionMachine.
From Duoram.Generated Require Import All.
#[local] Open Scope Q_scope.

(** * What P2 has of all that is drawn *)

Definition dealt_in (f : full) : dealt_draws := snd (snd (fst f)).
Definition primaries_in (f : full) : primaries_draw := (fst (fst f), (fst (snd (fst f)), snd f)).

Lemma mean_full (h : u64) (g : dealt_draws -> primaries_draw -> Q) :
  mean (full_space h) (fun f => g (dealt_in f) (primaries_in f)) == mean (dealt_space (nat_of h)) (fun d => mean primaries_space (fun p => g d p)).
Proof.
  transitivity (mean primaries_space (fun p => mean (dealt_space (nat_of h)) (fun d => g d p))); [|apply mean_swap].
  unfold full_space, item_space, primaries_space. rewrite !mean_prod. apply mean_ext. intros p_0 _. rewrite !mean_prod. apply mean_ext. intros p_1 _.
  apply mean_swap.
Qed.
Lemma mean_table (h : u64) (k : nat) (g : list dealt_draws -> list primaries_draw -> Q) :
  mean (tuples k (full_space h)) (fun table => g (map dealt_in table) (map primaries_in table))
  == mean (tuples k (dealt_space (nat_of h))) (fun ds => mean (tuples k primaries_space) (fun ps => g ds ps)).
Proof.
  revert g. induction k as [|k IH]; intros g; [rewrite !mean_tuples_0; reflexivity|]. rewrite !mean_tuples_S.
  transitivity (mean (full_space h) (fun f => mean (tuples k (dealt_space (nat_of h))) (fun ds => mean (tuples k primaries_space) (fun ps =>
    g (dealt_in f :: ds) (primaries_in f :: ps))))).
  { apply mean_ext. intros f _. exact (IH (fun ds ps => g (dealt_in f :: ds) (primaries_in f :: ps))). }
  rewrite (mean_full h (fun d p => mean (tuples k (dealt_space (nat_of h))) (fun ds => mean (tuples k primaries_space) (fun ps => g (d :: ds) (p :: ps))))).
  apply mean_ext. intros d _. rewrite mean_swap. apply mean_ext. intros ds _. rewrite mean_tuples_S. reflexivity.
Qed.
Lemma mean_units (k : nat) (f : list unit -> Q) : mean (tuples k [tt]) f == f (repeat tt k).
Proof.
  revert f. induction k as [|k IH]; intros f; [apply mean_tuples_0|]. rewrite mean_tuples_S, mean_singleton. exact (IH (fun l => f (tt :: l))).
Qed.

Section Privacy.
  Context (prg : prg_AesPrg).
  Context (h n : u64) (h_below_64 : (val h < 64)%Z) (h_one : (1 <= val h)%Z) (size : val n = (2 ^ val h)%Z).

  (* The public schedule, from a session that holds no items; what is asked, given all secrets and the results so far. *)
  Context (shapes : list shape) (supply : enough shapes 0 0).
  Context {R : Type} (rest : list R) (ask : R -> nat -> list (u64 * u64) -> session_step).
  Hypothesis asked : forall r k s results, nth_error shapes k = Some s -> has_shape s (ask r k results).
  Hypothesis loads_sized : forall r k results memory_share_0 memory_share_1,
    ask r k results = step_load memory_share_0 memory_share_1 -> sized n memory_share_0 /\ sized n memory_share_1.
  Notation runs := (runs shapes).
  Notation run_at := (run_at shapes).
  Notation kind_at := (kind_at shapes).

  (* The triples of each item, and each rho. *)
  Notation owned := (list dealt_draws * list u64)%type.
  Definition no_dealt : dealt_draws := dealt_in no_full.
  Definition own_dealt (a : owned) (i : nat) : dealt_draws := nth i (fst a) no_dealt.
  Definition helper_owned_of (table : list full) (masks : list u64) : owned := (map dealt_in table, masks).

  (* For any list in place of what it has, so that levels are h always. *)
  Definition fit_levels (d : dpf_draws) : dpf_draws :=
    (firstn (nat_of h) (fst d ++ repeat (repr 64 0, (repr 128 0, (repr 128 0, repr 128 0))) (nat_of h)), snd d).
  Definition fit_dealt (d : dealt_draws) : dealt_draws := (fit_levels (fst d), (fit_levels (fst (snd d)), fit_levels (snd (snd d)))).
  Lemma fit_dealt_levels (d : dealt_draws) : dealt_of_levels (nat_of h) (fit_dealt d).
  Proof.
    assert (e : forall d, of_levels (nat_of h) (fit_levels d)).
    { intros x. unfold of_levels, fit_levels. cbn [fst]. rewrite firstn_length, app_length, repeat_length. lia. }
    repeat split; apply e.
  Qed.
  Lemma fit_dealt_of (d : dealt_draws) : dealt_of_levels (nat_of h) d -> fit_dealt d = d.
  Proof.
    assert (e : forall d, of_levels (nat_of h) d -> fit_levels d = d).
    { intros [ls w] l. unfold fit_levels. cbn [fst snd]. f_equal. apply DrawnWords.firstn_of_app, l. }
    destruct d as [d_1 [d_2 d_3]]. intros (l_1 & l_2 & l_3). unfold fit_dealt. cbn [fst snd] in *. rewrite !e by assumption. reflexivity.
  Qed.

  Notation own_run := (dealt_draws * (u64 * unit))%type.
  Notation own_at := (SessionViews.own_at shapes own_dealt snd (fun _ => repeat tt (loads_in shapes)) fit_dealt (repr 64 0) tt).
  Definition helper_own (j : nat) (a : owned) : dealt_draws * u64 := (fst (own_at j a), fst (snd (own_at j a))).
  Lemma helper_own_levels (j : nat) (a : owned) : dealt_of_levels (nat_of h) (fst (helper_own j a)).
  Proof.
    unfold helper_own. cbn [fst].
    destruct (own_at_fits shapes own_dealt snd (fun _ => repeat tt (loads_in shapes)) fit_dealt (repr 64 0) tt j a) as [o ->]. apply fit_dealt_levels.
  Qed.

  (** * The runs, from the draws of P0 and P1 *)

  Definition helper_made_hidden (o : own_run) (d : helper_draw) : made :=
    match d with
    | pair_draw (blind_0, blind_1) => made_load blind_0 blind_1
    | read_draw (p_0, (p_1, _)) => made_read (fst (snd o)) (item_of_draws prg h (p_0, (p_1, fst o)))
    | other_draw (p_0, (p_1, deltas)) => made_item (item_of_draws prg h (p_0, (p_1, fst o))) deltas
    end.
  Definition before_helper_run (r : owned * R) (before : list helper_draw) : machine :=
    before_run_of n shapes ask own_dealt snd (fun _ => repeat tt (loads_in shapes)) fit_dealt (repr 64 0) tt helper_made_hidden r before.
  Definition query_for (j : nat) (r : owned * R) (before : list helper_draw) : paper_session_UpdateQuery :=
    query_of (ask (snd r)) (run_at j) (snd (before_helper_run r before)).
  Definition state_for (j : nat) (r : owned * R) (before : list helper_draw) : paper_memory_State u64 := fit_state n (fst (before_helper_run r before)).
  Notation view_of := (real_for_helper prg h kind_at helper_own query_for state_for).

  (* The view that WholeHelperView.v speaks of is that of the run. *)
  Lemma helper_view_is_of_run (r : owned * R) (j : nat) (before : list helper_draw) (d : helper_draw) :
    state_sized n (fst (before_helper_run r before)) -> of_kind pair_draw (fun _ : unit => read_draw) other_draw (kind_at j) d ->
    view_of r j before d = run_view to_helper n (ask (snd r)) (before_helper_run r before) (run_at j) (helper_made_hidden (own_at j (fst r)) d).
  Proof.
    intros s kind. unfold real_for_helper, run_view, helper_own, query_for, state_for. rewrite fit_state_sized by exact s.
    destruct d as [[blind_0 blind_1]|[p_0 [p_1 deltas]]|[p_0 [p_1 deltas]]]; cbn [helper_made_hidden]; reflexivity.
  Qed.

  Lemma helper_load_is_whole (o : dealt_draws) (m : u64) (b : list u64 * list u64) :
    helper_made_hidden (o, (m, tt)) (pair_draw b) = made_load (fst b) (snd b).
  Proof. destruct b. reflexivity. Qed.
  Lemma helper_read_is_whole (f : full) (rho : u64) (b : unit) : proper_item h f ->
    helper_made_hidden (fit_dealt (dealt_in f), (rho, b)) (read_draw (primaries_in f)) = made_read rho (full_item prg h f).
  Proof. intros ok. rewrite fit_dealt_of by exact ok. destruct f as [[p_0 [p_1 d]] deltas]. reflexivity. Qed.
  Lemma helper_item_is_whole (f : full) (m : u64) (b : unit) : proper_item h f ->
    helper_made_hidden (fit_dealt (dealt_in f), (m, b)) (other_draw (primaries_in f)) = made_item (full_item prg h f) (snd f).
  Proof. intros ok. rewrite fit_dealt_of by exact ok. destruct f as [[p_0 [p_1 d]] deltas]. reflexivity. Qed.

  (** * The theorem *)

  (* A session that has begun: no items yet, a memory of zeros. *)
  Context (session : paper_session_Session) (operation : u64).
  Hypothesis begun : paper_session_Session_log_size session = h /\ paper_session_Session_prg session = prg /\
    paper_session_Session_state session = paper_memory_initial u64 n /\ paper_session_Session_operation session = operation /\
    paper_session_Session_reads session = [] /\ paper_session_Session_updates session = [].
  (* Whoever tells the two apart knows all secrets, all that P2 draws, and all messages to it. *)
  Context (test : R -> owned -> list (list paper_session_Sent) -> bool).

  Definition real_view_of_helper : Q :=
    Pr (list_prod rest (list_prod (all_masks shapes) (list_prod (tables h shapes) (all_blinds n shapes)))) (fun '(r, (masks, (table, blinds))) =>
      test r (helper_owned_of table masks) (map for_helper (session_sent (ask r) 0 [] session (draws_of shapes table masks blinds)))).

  (* The simulator's: of the schedule and fresh draws. *)
  Definition no_made : helper_made := made_for_helper (full_item prg h no_full).
  Definition helper_messages_of (views : list helper_received) : list (list paper_session_Sent) :=
    assembled_messages to_helper shapes 0 operation (fun _ => no_dealt) (made_at to_helper no_made runs views) views.
  Definition simulated_helper_messages (coins : list helper_coins) : list (list paper_session_Sent) :=
    helper_messages_of (all_seen (fun j _ => simulated_for_helper n kind_at j) 0 [] coins).
  Definition helper_coins_of_runs : list (list helper_coins) := draws_from (fun j => helper_coin_spaces h n (kind_at j)) 0 (length runs).
  Definition helper_owned_space : list owned := list_prod (tuples (items_in shapes) (dealt_space (nat_of h))) (all_masks shapes).
  Definition helper_owned_rest : list (owned * R) := SessionViews.owned_rest rest helper_owned_space.
  Definition simulated_view_of_helper : Q :=
    Pr (list_prod helper_owned_rest helper_coins_of_runs) (fun '((a, r), coins) => test r a (simulated_helper_messages coins)).

  Definition helper_views_test (z : owned * R) (views : list helper_received) : bool := test (snd z) (fst z) (helper_messages_of views).
  Definition helper_session_price (j : nat) : Q :=
    helper_run_price prg h n (length runs) kind_at helper_owned_rest helper_own query_for state_for helper_views_test j.

  (* No message to P2 has anything of its own draws. *)
  Lemma messages_without_own (own own' : nat -> dealt_draws) (made : nat -> helper_made) : forall steps next number views,
    assembled_messages to_helper steps next number own made views = assembled_messages to_helper steps next number own' made views.
  Proof.
    induction steps as [|s steps IH]; intros next number views; [reflexivity|].
    destruct s; cbn [assembled_messages]; [destruct views; [reflexivity|]|..]; f_equal; apply IH.
  Qed.

  Lemma real_view_is_whole :
    real_view_of_helper
    == real_whole_helper prg h n (length runs) kind_at helper_owned_rest helper_own query_for state_for helper_views_test.
  Proof.
    transitivity (Pr (list_prod helper_owned_rest (draws_from (fun j => helper_run_space n (kind_at j)) 0 (length runs)))
      (fun '(z, ds) => views_test to_helper shapes own_dealt no_made operation test z (views_of (view_of z) 0 [] ds))).
    2: { unfold real_whole_helper. rewrite !Pr_mean. apply mean_ext. intros [z ds] _. unfold views_test, helper_views_test, messages_of, helper_messages_of.
         rewrite (messages_without_own (own_dealt (fst z)) (fun _ => no_dealt)). reflexivity. }
    apply (real_session_is_viewed prg h n h_below_64 size to_helper (helper_is_lawful prg h) shapes supply rest ask asked loads_sized
      own_dealt snd (fun _ => repeat tt (loads_in shapes)) fit_dealt (repr 64 0) tt primaries_in (fun _ => tt) (fun b => b) pair_draw (fun _ => read_draw) other_draw
      tt ([], []) (fun rho => rho) (fun _ => tt) helper_made_hidden helper_load_is_whole helper_read_is_whole helper_item_is_whole
      (fun table masks _ => helper_owned_of table masks))
      with (session := session) (operation := operation) (nothing_made := no_made) (item_hidden_space := primaries_space) (rho_hidden_space := [tt])
        (load_hidden_space := blind_space n) (owned_space := helper_owned_space).
    - intros table masks blinds i. apply (map_nth dealt_in).
    - intros table masks blinds _. symmetry. apply map_id.
    - intros table masks blinds l. rewrite <- l. clear l. induction blinds as [|b blinds IH]; [reflexivity|]. cbn. f_equal. exact IH.
    - exact begun.
    - exact helper_view_is_of_run.
    - apply (fun e => proj1 (enumerates_all_prod _ _ primary_space_enumerates (enumerates_all_prod _ _ primary_space_enumerates e))).
      apply enumerates_all_prod; apply words_enumerate.
    - intros G. unfold helper_owned_space. rewrite mean_prod, mean_swap.
      transitivity (mean (list_prod (tables h shapes) (all_blinds n shapes)) (fun z => mean (all_masks shapes) (fun masks =>
        G (map dealt_in (fst z), masks) (map primaries_in (fst z)) (repeat tt (masks_in shapes)) (snd z)))).
      { apply mean_ext. intros z _. apply mean_ext. intros masks hm. apply tuples_length in hm. rewrite map_id.
        assert (units : map (fun _ : u64 => tt) masks = repeat tt (masks_in shapes)).
        { rewrite <- hm. clear. induction masks as [|rho masks IH]; [reflexivity|]. cbn. f_equal. exact IH. }
        rewrite units. reflexivity. }
      rewrite mean_prod.
      transitivity (mean (tables h shapes) (fun table => mean (all_masks shapes) (fun masks => mean (all_blinds n shapes) (fun blinds =>
        G (map dealt_in table, masks) (map primaries_in table) (repeat tt (masks_in shapes)) blinds)))).
      { apply mean_ext. intros table _. apply mean_swap. }
      unfold tables. rewrite (mean_table h (items_in shapes) (fun ds ps => mean (all_masks shapes) (fun masks => mean (all_blinds n shapes) (fun blinds =>
        G (ds, masks) ps (repeat tt (masks_in shapes)) blinds)))).
      apply mean_ext. intros ds _. rewrite mean_swap. apply mean_ext. intros masks _. apply mean_ext. intros ps _. rewrite mean_units. reflexivity.
    - intros kind f. destruct kind; try reflexivity. cbn [helper_run_space draw_space]. rewrite !mean_map, mean_prod, mean_singleton. reflexivity.
  Qed.

  (* The theorem: the messages of a whole session to P2. *)
  Theorem session_simulated_to_helper : Qabs (real_view_of_helper - simulated_view_of_helper) <= sum_below (length runs) helper_session_price.
  Proof.
    rewrite real_view_is_whole.
    pose proof (whole_schedule_simulated_to_helper prg h n h_below_64 h_one size (length runs) kind_at helper_owned_rest helper_own query_for state_for
      helper_own_levels (fun j r before => fit_state_length n (fst (before_helper_run r before))) helper_views_test) as bound.
    assert (simulated : simulated_view_of_helper == simulated_whole_helper h n (length runs) kind_at helper_owned_rest helper_views_test).
    { unfold simulated_view_of_helper, simulated_whole_helper, helper_coins_of_runs. rewrite !Pr_mean. apply mean_ext. intros [[a r] coins] _. reflexivity. }
    rewrite simulated. exact bound.
  Qed.
End Privacy.
