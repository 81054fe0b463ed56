(* Privacy of a whole session of the paper's protocol, towards a primary: of the session as `paper::session` runs it, from its first step to the last,
   with any schedule of loads, batches, READs, UPDATEs and WRITEs, and inputs that may depend on all results before. All messages that the
   primary is sent are, for every test, within the sum of the advantages against the PRG, 3h for each item, of what a
   simulator makes of what the primary draws and is dealt, and of fresh draws ([session_simulated]). The simulator is told no input, no
   result, and nothing of what the others draw.

   What is put together here: the messages are made of views of runs (SessionViews.v); an item's draws fall into what the primary
   has and what is uniform to it (ItemDraws.v); and then each run is replaced, the last one first (WholeView.v).

   The session is [step_of_draws] of TapeDiscipline.v, step by step: it is there that this is what the steps do on their tapes, and that over
   uniform tapes all draws are uniform and independent. The key K of the PRG, which all contribute to and all know, is fixed. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection Counting Chains BackwardChains.
From Duoram.core Require Import VectorFacts Parties LabelFacts PrgAdvantage GenerationSimulated ManyGenerations HiddenParts.
From Duoram.core Require DrawnWords.
From Duoram.paper Require Import StateSizes SessionSteps LeafLife ItemView PreparedView ItemPrivacy ReadLife WholeView TapeDiscipline ItemDraws SessionReceived
  SessionRuns RunDraws SessionViews.
From Duoram.paper Require Export SessionMachine.
From Duoram.Generated Require Import All.
#[local] Open Scope Q_scope.

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

  Notation runs := (runs shapes).
  Notation run_at := (run_at shapes).
  Notation kind_at := (kind_at shapes).

  (** * What the primary has *)

  (* Of each item, its own draws and halves of triples, with both deltas; and its own blinds of each load. *)
  Notation owned := (list (item_own (W := u64)) * list (list u64))%type.
  Definition my_blind (b : list u64 * list u64) : list u64 := fst (in_order party (fst b) (snd b)).
  Definition their_blind (b : list u64 * list u64) : list u64 := snd (in_order party (fst b) (snd b)).
  Definition owned_of (table : list full) (blinds : blind_pairs) : owned := (map (full_own party) table, map my_blind blinds).

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

  (* Nothing of a rho, which is P2's. *)
  Definition own_item (a : owned) (i : nat) : item_own (W := u64) := nth i (fst a) (full_own party no_full).
  Notation own_run := (item_own (W := u64) * (unit * list u64))%type.
  Notation own_at := (SessionViews.own_at shapes own_item (fun _ => repeat tt (masks_in shapes)) snd fit_own tt []).
  Lemma own_at_ands (j : nat) (a : owned) (k : nat) : length (own_ands (own_dpf_at k (fst (own_at j a)))) = nat_of h.
  Proof.
    destruct (own_at_fits shapes own_item (fun _ => repeat tt (masks_in shapes)) snd fit_own tt [] j a) as [o ->]. apply fit_own_ands.
  Qed.

  (** * The runs, from the hidden draws *)

  Definition made_hidden (o : own_run) (d : run_draw (W := u64)) : made :=
    match d with
    | load_draw theirs => let '(blind_0, blind_1) := in_order party (snd (snd o)) theirs in made_load blind_0 blind_1
    | masked_draw rho (ws, roots) => made_read rho (prepared prg party h (fst o) ws roots)
    | bare_draw (ws, roots) => made_item (prepared prg party h (fst o) ws roots) (own_deltas (fst o))
    end.
  Definition hidden_of (f : full) : item_draw := hidden_part party (fst f).

  Definition before_run (r : owned * R) (before : list run_draw) : machine :=
    before_run_of n shapes ask own_item (fun _ => repeat tt (masks_in shapes)) snd fit_own tt [] made_hidden r before.
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
       whole_state := fit_state n (fst (before_run r before)) |}.
  Definition others_memory_of (j : nat) (r : owned * R) (before : list run_draw) : list u64 :=
    let '(memory_share_0, memory_share_1) := memory_of n (ask (snd r)) (run_at j) (snd (before_run r before)) in
    fit_words n (snd (in_order party memory_share_0 memory_share_1)).

  Notation view_of := (real_received prg party h kind_at (fun j a => fst (own_at j a)) own_inputs_of inputs_of others_memory_of).

  (* The view that WholeView.v speaks of is that of the run. *)
  Lemma view_is_of_run (r : owned * R) (j : nat) (before : list run_draw) (d : run_draw) :
    state_sized n (fst (before_run r before)) -> of_kind load_draw masked_draw bare_draw (kind_at j) d ->
    view_of r j before d = run_view (to_primary party h) n (ask (snd r)) (before_run r before) (run_at j) (made_hidden (own_at j (fst r)) d).
  Proof.
    intros s kind. unfold real_received, run_view.
    destruct (memory_sized n (ask (snd r)) (loads_sized (snd r)) (run_at j) (snd (before_run r before))) as [s_0 s_1].
    destruct d as [theirs|rho [ws roots]|[ws roots]]; cbn [made_hidden].
    - destruct (in_order party (snd (snd (own_at j (fst r)))) theirs) as [b_0 b_1] eqn:eb. unfold others_memory_of.
      destruct (memory_of n (ask (snd r)) (run_at j) (snd (before_run r before))) as [d_0 d_1]. cbn [fst snd] in *.
      rewrite fit_words_sized by (destruct party; assumption). destruct party; cbn in *; injection eb as <- <-; reflexivity.
    - unfold own_inputs_of, inputs_of, asked_of. cbv zeta. rewrite fit_state_sized by exact s.
      unfold read_run, read_with, given. cbn [own_address others_address whole_state fst snd].
      destruct (paper_session_UpdateQuery_address _) as [i_0 i_1]. destruct party; reflexivity.
    - unfold own_inputs_of, inputs_of, asked_of. cbv zeta. rewrite fit_state_sized by exact s.
      unfold updated, updating_by, given. cbn [own_address own_value own_deltas others_address others_value whole_state fst snd].
      unfold SessionMachine.kind_at. destruct (paper_session_UpdateQuery_address _) as [i_0 i_1], (paper_session_UpdateQuery_value _) as [m_0 m_1].
      destruct (run_kind_of (run_at j)), party; reflexivity.
  Qed.

  (** * The draws of a run, whole again *)

  Lemma item_is_whole (f : full) : proper_item h f ->
    prepared prg party h (fit_own (full_own party f)) (fst (hidden_of f)) (snd (hidden_of f)) = full_item prg h f /\
    own_deltas (fit_own (full_own party f)) = snd f.
  Proof.
    intros ok. rewrite fit_own_of by exact ok. split; [apply item_is_of_its_parts, ok|].
    unfold full_own, own_part, own_of_parts.
    destruct (paper_preprocessing_PrimaryRandomness_roots _) as [[r_1 r_2] r_3], (paper_preprocessing_PrimaryRandomness_blinds _) as [[b_1 b_2] b_3].
    reflexivity.
  Qed.
  Lemma load_is_whole (o : item_own (W := u64)) (m : unit) (b : list u64 * list u64) :
    made_hidden (o, (m, my_blind b)) (load_draw (their_blind b)) = made_load (fst b) (snd b).
  Proof. unfold made_hidden, my_blind, their_blind. destruct party; reflexivity. Qed.
  Lemma read_is_whole (f : full) (rho : u64) (b : list u64) : proper_item h f ->
    made_hidden (fit_own (full_own party f), (tt, b)) (masked_draw rho (hidden_of f)) = made_read rho (full_item prg h f).
  Proof. intros ok. destruct (item_is_whole f ok) as [<- _]. unfold made_hidden. destruct (hidden_of f). reflexivity. Qed.
  Lemma bare_is_whole (f : full) (m : unit) (b : list u64) : proper_item h f ->
    made_hidden (fit_own (full_own party f), (m, b)) (bare_draw (hidden_of f)) = made_item (full_item prg h f) (snd f).
  Proof. intros ok. destruct (item_is_whole f ok) as [<- <-]. unfold made_hidden. destruct (hidden_of f). reflexivity. Qed.

  (** * The theorem *)

  (* A session that has begun: no items yet, a memory of zeros. *)
  Context (session : paper_session_Session) (operation : u64).
  Hypothesis begun : paper_session_Session_log_size session = h /\ paper_session_Session_prg session = prg /\
    paper_session_Session_state session = paper_memory_initial u64 n /\ paper_session_Session_operation session = operation /\
    paper_session_Session_reads session = [] /\ paper_session_Session_updates session = [].
  (* Whoever tells the two apart knows all secrets, all that the primary has, and all messages to it. *)
  Context (test : R -> owned -> list (list paper_session_Sent) -> bool).

  Definition real_messages (r : R) (table : list full) (masks : list u64) (blinds : blind_pairs) : list (list paper_session_Sent) :=
    map (for_primary party) (session_sent (ask r) 0 [] session (draws_of shapes table masks blinds)).
  Definition real_session_view : Q :=
    Pr (list_prod rest (list_prod (all_masks shapes) (list_prod (tables h shapes) (all_blinds n shapes)))) (fun '(r, (masks, (table, blinds))) =>
      test r (owned_of table blinds) (real_messages r table masks blinds)).

  (* The simulator's: of what the primary has and fresh draws. *)
  Definition nothing_made : made_received (W := u64) := made_of party (full_item prg h no_full).
  Definition messages_of (a : owned) (views : list (run_received (W := u64))) : list (list paper_session_Sent) :=
    SessionViews.messages_of (to_primary party h) shapes own_item nothing_made operation a views.
  Definition simulated_messages (a : owned) (coins : list run_coins) : list (list paper_session_Sent) :=
    messages_of a (all_seen (fun j _ => simulated_run_view prg party h n kind_at (fun j a => fst (own_at j a)) a j) 0 [] coins).
  Definition coin_spaces : list (list run_coins) := draws_from (fun j => run_coin_space some_words h n (kind_at j)) 0 (length runs).
  Definition owned_space : list owned := map (fun '(table, blinds) => owned_of table blinds) (list_prod (tables h shapes) (all_blinds n shapes)).
  Definition owned_rest : list (owned * R) := SessionViews.owned_rest rest owned_space.
  Definition simulated_session_view : Q :=
    Pr (list_prod owned_rest coin_spaces) (fun '((a, r), coins) => test r a (simulated_messages a coins)).

  Definition views_test (z : owned * R) (views : list (run_received (W := u64))) : bool := test (snd z) (fst z) (messages_of (fst z) views).
  Definition session_price (j : nat) : Q :=
    run_price some_words prg party h n (length runs) kind_at owned_rest (fun j a => fst (own_at j a)) own_inputs_of inputs_of others_memory_of views_test j.

  (** * The spaces *)

  Lemma full_hides : hides (full_space h) (full_own party) hidden_of (hidden_draws h).
  Proof.
    intros g. unfold full_space. rewrite !mean_prod. rewrite (mean_swap (item_space (nat_of h))), (mean_swap (item_space (nat_of h))).
    apply mean_ext. intros deltas _. exact (item_hides party h deltas g).
  Qed.
  Lemma blind_hides : hides (blind_space n) my_blind their_blind (tuples (nat_of n) some_words).
  Proof.
    assert (some : tuples (nat_of n) some_words <> []).
    { apply (space_not_empty _ _ (vector_zeros u64 n) (tuples_enumerate _ _ (words_enumerate 64))). apply vector_zeros_length. }
    intros g. unfold blind_space, my_blind, their_blind. rewrite !mean_prod. destruct party; cbn [in_order fst snd].
    - apply mean_ext. intros b_0 _. symmetry. apply mean_const, some.
    - rewrite mean_swap. symmetry. apply (mean_const (tuples (nat_of n) some_words)), some.
  Qed.

  Lemma hidden_draws_once : NoDup (hidden_draws h).
  Proof.
    assert (r : NoDup (root_space h)) by (apply HiddenParts.NoDup_prod; [apply labels_enumerate | apply HiddenParts.NoDup_tuples, mask_space_enumerates]).
    apply HiddenParts.NoDup_prod; [|auto using HiddenParts.NoDup_prod].
    unfold word_space. refine (proj1 (enumerates_all_prod _ _ _ _)); [apply words_enumerate|].
    auto 10 using enumerates_all_prod, words_enumerate.
  Qed.

  Lemma real_session_is_whole :
    real_session_view
    == real_whole some_words prg party h n (length runs) kind_at owned_rest (fun j a => fst (own_at j a)) own_inputs_of inputs_of others_memory_of views_test.
  Proof.
    apply (real_session_is_viewed prg h n h_below_64 size (to_primary party h) (primary_is_lawful party prg h) shapes supply rest ask asked loads_sized
      own_item (fun _ => repeat tt (masks_in shapes)) snd fit_own tt [] hidden_of (fun rho => rho) their_blind load_draw masked_draw bare_draw
      (repr 64 0) [] (fun _ => tt) my_blind made_hidden load_is_whole read_is_whole bare_is_whole (fun table _ blinds => owned_of table blinds))
      with (session := session) (operation := operation) (nothing_made := nothing_made) (item_hidden_space := hidden_draws h) (rho_hidden_space := some_words)
        (load_hidden_space := tuples (nat_of n) some_words) (owned_space := owned_space).
    - intros table masks blinds i. apply (map_nth (full_own party)).
    - intros table masks blinds l. rewrite <- l. clear l. induction masks as [|rho masks IH]; [reflexivity|]. cbn. f_equal. exact IH.
    - reflexivity.
    - exact begun.
    - exact view_is_of_run.
    - exact hidden_draws_once.
    - intros G. unfold owned_space. rewrite mean_map.
      pose proof (hides_both _ _ _ _ _ _ _ _ (hides_each _ _ _ _ (items_in shapes) full_hides) (hides_each _ _ _ _ (loads_in shapes) blind_hides)) as hiding.
      transitivity (mean (all_masks shapes) (fun masks => mean (list_prod (tables h shapes) (all_blinds n shapes)) (fun z =>
        mean (list_prod (tuples (items_in shapes) (hidden_draws h)) (tuples (loads_in shapes) (tuples (nat_of n) some_words))) (fun x =>
          G (owned_of (fst z) (snd z)) (fst x) masks (snd x))))).
      { apply mean_ext. intros masks _. rewrite map_id. exact (hiding (fun o x => G o (fst x) masks (snd x))). }
      rewrite mean_swap. apply mean_ext. intros [table blinds] _. cbn [fst snd].
      rewrite (mean_swap (tuples (items_in shapes) (hidden_draws h))). apply mean_ext. intros masks _. rewrite mean_prod. reflexivity.
    - intros kind f. reflexivity.
  Qed.

  (* The theorem: the messages of a whole session to a primary. *)
  Theorem session_simulated : Qabs (real_session_view - simulated_session_view) <= sum_below (length runs) session_price.
  Proof.
    rewrite real_session_is_whole.
    assert (memory : forall j r before, length (others_memory_of j r before) = nat_of n).
    { intros j r before. unfold others_memory_of. destruct (memory_of _ _ _ _). apply fit_words_length. }
    pose proof (whole_schedule_simulated some_words (words_enumerate 64) prg party h n h_below_64 size (n_fits_word n) (length runs) kind_at
      owned_rest (fun j a => fst (own_at j a)) own_inputs_of inputs_of others_memory_of own_at_ands
      (fun j r before => fit_state_length n (fst (before_run r before))) memory views_test) as bound.
    assert (simulated : simulated_session_view
      == simulated_whole some_words prg party h n (length runs) kind_at owned_rest (fun j a => fst (own_at j a)) views_test).
    { unfold simulated_session_view, simulated_whole, coin_spaces. rewrite !Pr_mean. apply mean_ext. intros [[a r] coins] _. reflexivity. }
    rewrite simulated. exact bound.
  Qed.
End Privacy.
