(* A lean session that is run on the tapes and streams of its items' draws (SessionTapes.v): what it holds, and what every message of every step is
   made of. [lean_session_is_of_items]: from `connect` on, in any schedule of steps with an item for each query, each step sends what the draws of its
   own items make ([sent_of_draws]): a batch, of the DPFs of the items that it makes; READs, UPDATEs, WRITE and SWAP, of the oldest items that are not
   used yet, with the masks that were drawn for these, and of the state. Nothing of it hangs on any other item, but by way of the state.

   The state is the session's own, and the schedule is what was asked in this session; SessionDrawn.v says that both follow from the draws of the items that
   were used before. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection.
From Duoram.core Require Import Parties VectorFacts.
From Duoram.lean Require Import Generation PreparedItems SessionPreparing SessionAnswersIdeal PreparingView CorrectionsUniform OperationView TapeDiscipline
  PreparingMessages SessionMessages ItemPlans ItemDraws ItemOnTapes SessionTapes.
From Duoram.Generated Require Import All.

(* What a batch makes, in its order. *)
Lemma purposes_are (reads updates : u64) : val reads + val updates < 2 ^ 63 ->
  lean_preprocessing_purposes reads updates
  = repeat lean_layers_Purpose_Read (nat_of reads) ++ repeat lean_layers_Purpose_Update (nat_of updates).
Proof.
  intros small. pose proof (Z_nat_of reads) as zr. pose proof (Z_nat_of updates) as zu. pose proof (val_bounds reads). pose proof (val_bounds updates).
  assert (count : nat_of (wadd reads updates) = (nat_of reads + nat_of updates)%nat).
  { apply Nat2Z.inj. rewrite Z_nat_of, val_wadd, Z.mod_small, Nat2Z.inj_add by lia. lia. }
  assert (const : forall (T : Type) (c : T) (f : nat -> T) (l : list nat), (forall i, In i l -> f i = c) -> map f l = repeat c (length l)).
  { intros T c f l. induction l as [|i l IH]; intros e; [reflexivity|]. cbn. rewrite e by (left; reflexivity). f_equal. apply IH. intros j hj. apply e. right. exact hj. }
  unfold lean_preprocessing_purposes. rewrite map_range_0, count, seq_app, map_app. cbn [Nat.add]. f_equal.
  - rewrite (const _ lean_layers_Purpose_Read), seq_length; [reflexivity|]. intros i hi. apply in_seq in hi.
    assert (lt : iltb (of_nat i) reads = true) by (apply iltb_lt; rewrite val_of_nat; lia). rewrite lt. reflexivity.
  - rewrite (const _ lean_layers_Purpose_Update), seq_length; [reflexivity|]. intros i hi. apply in_seq in hi.
    assert (ge : iltb (of_nat i) reads = false) by (apply not_true_is_false; rewrite iltb_lt, val_of_nat by lia; lia). rewrite ge. reflexivity.
Qed.

(* Numbered items, from the number of the first. *)
Notation numbered first items := (combine (seq first (length items)) items).
Lemma enumerate_numbered {T : Type} (l : list T) : Z.of_nat (length l) < 2 ^ 64 -> enumerate l = map (fun kx => (of_nat (fst kx), snd kx)) (numbered 0%nat l).
Proof.
  intros small. unfold enumerate. rewrite range_0, nat_of_len by exact small. generalize (seq 0 (length l)). clear. intros ks. revert l.
  induction ks as [|k ks IH]; intros [|x l]; cbn; try reflexivity. rewrite IH. reflexivity.
Qed.

Section Items.
  Context {P : Type} {P_Prg : prg_Prg P} {P_Layers : lean_layers_Layers P} (prg : P).
  Context (h : u64) (h_small : val h < 64).
  Notation P0 := share_Primary_P0.
  Notation P1 := share_Primary_P1.
  Notation from := (ring_Ring_from_u64 W).

  (** * Of an item's draws *)

  Definition plan_for (x : made_item) (last : bool) : dpf_plan (W := W) := words_plan h (fst x) (item_words last (snd x)).
  Definition grown_for (x : made_item) (party : share_Primary) (last : bool) : lean_generation_Growing W :=
    growing_after prg h (plan_for x last) party (S (tree_level h (fst x))).
  Definition delta_for (x : made_item) (party : share_Primary) : W :=
    lean_preprocessing_item_delta_share party (grown_for x party false) (grown_for x party true) (words_01 (snd x)).
  Definition deal_for (x : made_item) (last : bool) : lean_dealing_Deal W :=
    let w := item_words last (snd x) in
    lean_dealing_deal (seed_of_draws_0 h (fst x) (with_0 w)) (seed_of_draws_1 h (with_1 w)) (fst x) (other_value (fst x) (from (value_1 w))).
  Definition key_for (party : share_Primary) (x : made_item) : lean_preprocessing_HelperKey W :=
    mk_lean_preprocessing_HelperKey (fst x) (key_of prg party h (fst x) (plan_for x match party with share_Primary_P0 => false | share_Primary_P1 => true end))
      (delta_for x party).

  (* As it is held, with its number in the session. *)
  Definition held_of (kx : nat * made_item) : held_item (W := W) :=
    let '(k, x) := kx in
    let g := grown_for x in
    let delta := ring_Ring_plus (delta_for x P0) (delta_for x P1) in
    (mk_lean_party_Item0 (of_nat k) (lean_generation_Growing_random_index (g P0 false)) (lean_generation_Growing_key (g P0 false))
       (lean_generation_Growing_key (g P0 true)) (lean_generation_value_share P0 (g P0 false)) delta,
     mk_lean_party_Item1 (of_nat k) (lean_generation_Growing_random_index (g P1 false)) (lean_generation_Growing_key (g P1 false))
       (lean_generation_value_share P1 (g P1 false)),
     mk_lean_party_Item2 (of_nat k) (lean_generation_Growing_key (g P0 false)) (lean_generation_Growing_key (g P1 true)) delta).

  (* What an operation of it sends, with the masks that were drawn for it. *)
  Definition run_of_draws (op : lean_op) (state : lean_memory_State W) (x : made_item) (addresses : u64 * u64) (values : W * W) : op_sent :=
    op_run op (lean_party_size h) state (item_material prg h (plan_for x false) (plan_for x true) (S (tree_level h (fst x))) (words_01 (snd x)))
      (others_index h (word_of_0 (snd x)), others_index h (word_of_1 (snd x))) addresses values (lean_tape_online_01 W (words_01 (snd x)))
      (mk_lean_write_Masks (lean_tape_write_mask_01 W (words_01 (snd x))) (from (mask_02 (snd x))) (from (mask_12 (snd x)))) (from (rho_12 (snd x))).

  (* What a batch of these items sends. *)
  Definition batch_of_draws (operation updates : u64) (batch : list made_item) : list lean_session_Sent :=
    let levels := lean_preprocessing_batch_depth h updates in
    let last := wadd (wmul levels (repr 64 2)) (repr 64 2) in
    let to party := map (fun kx => sent_of_plan prg h party (plan_for (fst kx) (snd kx))) (dpfs_of batch) in
    [prepare_message 4 2 1 operation (repr 64 0) (lean_payload_deals (map fst batch) (map (fun kx => deal_for (fst kx) (snd kx)) (dpfs_of batch)));
     prepare_message 5 0 1 operation (repr 64 0) (lean_payload_moved_shares (map received_moved (to P1)));
     prepare_message 5 1 0 operation (repr 64 0) (lean_payload_moved_shares (map received_moved (to P0)))]
    ++ flat_map (round_messages h operation (to P0) (to P1)) (seq 0 (S (nat_of levels)))
    ++ lean_session_spoken
      [prepare_message 10 0 2 operation last (lean_payload_keys (map (key_for P0) batch)); prepare_message 10 1 2 operation last (lean_payload_keys (map (key_for P1) batch));
       prepare_message 11 0 2 operation last (lean_payload_delta_shares (map (key_for P0) batch));
       prepare_message 11 1 0 operation last (lean_payload_delta_shares (map (key_for P1) batch));
       prepare_message 11 1 2 operation last (lean_payload_delta_shares (map (key_for P1) batch))].
End Items.

(** * In a session on their tapes and streams *)

Section Session.
  Context {P : Type} {P_Prg : prg_Prg P} {P_Layers : lean_layers_Layers P} (prg : P).
  Context (h : u64) (h_small : val h < 64).
  (* The tapes and the streams (SessionTapes.v), of all items of the session. *)
  Context (hello_0 hello_1 hello_2 rest_0 rest_1 rest_2 : list u64).
  Hypothesis said_0 : length hello_0 = nat_of lean_party_HELLO_WORDS.
  Hypothesis said_1 : length hello_1 = nat_of lean_party_HELLO_WORDS.
  Hypothesis said_2 : length hello_2 = nat_of lean_party_HELLO_WORDS.
  Context (load_01 load_02 load_12 : list u64) (tail_01 tail_02 tail_12 : nat -> list u64) (more_01 more_02 more_12 : list (list u64)).
  Context (all : list made_item).
  Notation tapes := (session_tapes hello_0 hello_1 hello_2 rest_0 rest_1 rest_2 all).
  Notation streams := (session_streams load_01 load_02 load_12 tail_01 tail_02 tail_12 more_01 more_02 more_12 all).
  Hypothesis whole : forall x, In x all -> item_fits h (op_for (fst x)) (snd x).
  Hypothesis few : Z.of_nat (length all) < 2 ^ 63.
  Hypothesis small_0 : Z.of_nat (length (fst (fst tapes))) < 2 ^ 64.
  Hypothesis small_1 : Z.of_nat (length (snd (fst tapes))) < 2 ^ 64.
  Hypothesis small_2 : Z.of_nat (length (snd tapes)) < 2 ^ 64.
  Notation pair_01 := (lean_session_Streams_pair_01 streams).
  Notation pair_02 := (lean_session_Streams_pair_02 streams).
  Notation pair_12 := (lean_session_Streams_pair_12 streams).
  Notation start := (nat_of lean_party_HELLO_WORDS).
  Notation ready := (session_ready prg h pair_01 pair_02 pair_12).
  Notation has_drawn := (has_drawn tapes start).
  Notation from := (ring_Ring_from_u64 W).

  (* The masks of an item's operation are those of its draws. *)
  Definition masks_stand (kx : nat * made_item) : Prop :=
    let '(k, x) := kx in
    let words_01' := lean_tape_item_stream pair_01 (of_nat k) in
    lean_tape_online_01 W words_01' = lean_tape_online_01 W (words_01 (snd x)) /\
    lean_tape_write_mask_01 W words_01' = lean_tape_write_mask_01 W (words_01 (snd x)) /\
    (fst x = lean_layers_Purpose_Update ->
      lean_tape_online_02 W (lean_tape_item_stream pair_02 (of_nat k)) h = from (mask_02 (snd x)) /\
      lean_tape_online_12 W (lean_tape_item_stream pair_12 (of_nat k)) h (fst x) (repr 64 1) = from (mask_12 (snd x))) /\
    lean_tape_online_12 W (lean_tape_item_stream pair_12 (of_nat k)) h (fst x) (repr 64 0) = from (rho_12 (snd x)).

  (* So is what its operation sends. *)
  Lemma held_run_of_draws (op : lean_op) (session : lean_session_Session W P) (kx : nat * made_item) addresses values :
    masks_stand kx -> purpose_of op = fst (snd kx) ->
    held_run prg h pair_01 pair_02 pair_12 op session (held_of prg h kx) addresses values
    = run_of_draws prg h op (lean_session_state session) (snd kx) addresses values.
  Proof.
    destruct kx as [k x]. intros (e_x & e_y & e_2 & e_rho) serves. cbn [snd] in *. unfold held_run, run_of_draws. cbv zeta.
    change (lean_party_Item0_number (at_0 (held_of prg h (k, x)))) with (of_nat k : u64). rewrite e_x, e_y, serves, e_rho.
    change (held_material prg h (held_of prg h (k, x))) with (item_material prg h (plan_for h x false) (plan_for h x true) (S (tree_level h (fst x))) (words_01 (snd x))).
    assert (index : SessionSteps.held_index (held_of prg h (k, x)) = (others_index h (word_of_0 (snd x)), others_index h (word_of_1 (snd x)))).
    { destruct x as [p [[w0 [ra rb]] [[w1 [ra' rb']] [[ga [gb [dd [x' y]]]] [[[a b] m] [[[a' b'] [rm yy]] [va vb]]]]]]]. 
      unfold SessionSteps.held_index, held_of, grown_for, growing_after, growing_at. cbn [fst snd]. destruct p; reflexivity. }
    rewrite index. destruct op; [reflexivity | | |]; rewrite <- serves in e_2; destruct (e_2 eq_refl) as [-> m]; cbn [purpose_of] in m; rewrite m; reflexivity.
  Qed.

  Section Batch.
    Context (before batch after : list made_item) (reads updates : u64).
    Hypothesis parts : all = before ++ batch ++ after.
    Hypothesis kinds : map fst batch = lean_preprocessing_purposes reads updates.
    Hypothesis batch_small : val reads + val updates < 2 ^ 63.

    Lemma batch_length : length batch = (nat_of reads + nat_of updates)%nat.
    Proof. rewrite <- (map_length fst), kinds, purposes_are, app_length, !repeat_length by exact batch_small. reflexivity. Qed.

    Lemma item_of_batch_stands (k : nat) (x : made_item) (op : lean_op) : nth_error batch k = Some x -> purpose_of op = fst x ->
      item_stands h op pair_01 pair_02 pair_12 (fst (fst tapes)) (snd (fst tapes)) (snd tapes) (of_nat (start + length before * 5))
        (of_nat (start + length before * 5)) (of_nat (start + 2 * updates_in before)) (of_nat (length before)) reads (of_nat k) (snd x).
    Proof.
      intros e serves. pose proof (Z_nat_of reads). pose proof (Z_nat_of updates). pose proof batch_length as l.
      assert (cut : batch = firstn (nat_of reads) batch ++ skipn (nat_of reads) batch) by (symmetry; apply firstn_skipn).
      assert (lr : length (firstn (nat_of reads) batch) = nat_of reads) by (rewrite firstn_length; lia).
      pose proof kinds as ks. rewrite purposes_are in ks by exact batch_small.
      assert (first : map fst (firstn (nat_of reads) batch) = repeat lean_layers_Purpose_Read (nat_of reads)).
      { rewrite <- firstn_map, ks, firstn_app, repeat_length, Nat.sub_diag, firstn_all2 by (rewrite repeat_length; lia). apply app_nil_r. }
      assert (second : map fst (skipn (nat_of reads) batch) = repeat lean_layers_Purpose_Update (nat_of updates)).
      { rewrite <- skipn_map, ks, skipn_app, repeat_length, Nat.sub_diag, skipn_all2 by (rewrite repeat_length; lia). reflexivity. }
      pose proof (batch_stands h h_small hello_0 hello_1 hello_2 rest_0 rest_1 rest_2 said_0 said_1 said_2 load_01 load_02 load_12 tail_01 tail_02 tail_12 more_01 more_02 more_12
        before (firstn (nat_of reads) batch) (skipn (nat_of reads) batch) after) as stand.
      rewrite <- cut, <- parts, lr, said_0, said_1, said_2, of_nat_nat_of in stand. apply stand; try assumption.
      - intros y hy. apply (in_map fst) in hy. rewrite first in hy. exact (repeat_spec _ _ _ hy).
      - intros y hy. apply (in_map fst) in hy. rewrite second in hy. exact (repeat_spec _ _ _ hy).
    Qed.
    Lemma item_of_batch_masks (k : nat) (x : made_item) : nth_error batch k = Some x -> masks_stand ((length before + k)%nat, x).
    Proof.
      intros e. pose proof (item_of_batch_stands k x (op_for (fst x)) e (purpose_of_op_for _)) as s. apply lean_item_stands in s.
      rewrite <- of_nat_add, purpose_of_op_for in s. unfold masks_stand. tauto.
    Qed.

    Context (session : lean_session_Session W P).
    Hypothesis far : has_drawn (length before) (updates_in before) session.

    Lemma batch_plans (k : nat) (x : made_item) : nth_error batch k = Some x -> forall last,
      plans_alike (batch_plan h pair_01 pair_02 pair_12 session reads ((of_nat k, fst x), last)) (plan_for h x last) /\
      batch_deal h pair_02 pair_12 session reads ((of_nat k, fst x), last) = deal_for h x last.
    Proof.
      intros e last. destruct far as [t_0 t_1 t_2 d_0 d_1 d_2 number].
      pose proof (item_of_batch_stands k x (op_for (fst x)) e (purpose_of_op_for _)) as s. apply lean_item_stands in s. destruct s as [s _].
      rewrite purpose_of_op_for in s. unfold batch_plan, batch_deal. rewrite t_0, t_1, t_2, d_0, d_1, d_2, number.
      destruct (item_plans_are_of_words h _ _ _ _ _ _ _ _ _ _ _ (of_nat k) (fst x) _ _ s last) as [alike deal].
      unfold plan_for, deal_for. destruct last; split; assumption.
    Qed.

    Lemma same_share (k : nat) (x : made_item) party (a b : lean_generation_Growing W) : nth_error batch k = Some x ->
      lean_preprocessing_item_delta_share party a b (lean_tape_item_stream pair_01 (wadd (lean_party_Party0_items (lean_session_Session_p0 session)) (of_nat k)))
      = lean_preprocessing_item_delta_share party a b (words_01 (snd x)).
    Proof.
      intros e. rewrite (next_item _ _ _ _ _ far).
      pose proof (item_of_batch_stands k x (op_for (fst x)) e (purpose_of_op_for _)) as s. apply lean_item_stands in s.
      destruct s as (_ & _ & _ & delta & _). unfold lean_preprocessing_item_delta_share. rewrite delta. reflexivity.
    Qed.

    Lemma made_is_held (k : nat) (x : made_item) (rounds : nat) : nth_error batch k = Some x -> (tree_level h (fst x) < rounds)%nat ->
      made_after prg h pair_01 pair_02 pair_12 session reads rounds (of_nat k, fst x) = held_of prg h ((length before + k)%nat, x).
    Proof.
      intros e over.
      assert (g : forall party last, growing_after prg h (batch_plan h pair_01 pair_02 pair_12 session reads ((of_nat k, fst x), last)) party rounds
        = grown_for prg h x party last).
      { intros party last. destruct (batch_plans k x e last) as [alike _]. unfold grown_for.
        rewrite (growing_settled prg h) by exact over. apply (plans_alike_grow prg h _ _ party _ alike). }
      unfold made_after, item_after, held_of. cbv zeta. cbn [fst snd]. fold (batch_plan (W := W) (P := P) h pair_01 pair_02 pair_12 session reads).
      rewrite !g, !(same_share k x _ _ _ e). unfold delta_for. rewrite (next_item _ _ _ _ _ far), <- of_nat_add. reflexivity.
    Qed.

    (* What the batch sends is of their draws. *)
    Lemma batch_items_are : batch_items reads updates = map (fun kx : nat * made_item => (of_nat (fst kx), fst (snd kx))) (numbered 0%nat batch).
    Proof.
      pose proof (Z_nat_of reads). pose proof (Z_nat_of updates). pose proof batch_length as l.
      unfold batch_items. rewrite <- kinds, enumerate_map, enumerate_numbered, map_map by lia. reflexivity.
    Qed.
    Lemma in_batch (k : nat) (x : made_item) : In (k, x) (numbered 0%nat batch) -> nth_error batch k = Some x.
    Proof.
      assert (general : forall l first, In (k, x) (numbered first l) -> (first <= k)%nat /\ nth_error l (k - first) = Some x).
      { clear. induction l as [|y l IH]; intros first; cbn; [intros []|]. intros [e|hin].
        - injection e as -> ->. split; [lia|]. rewrite Nat.sub_diag. reflexivity.
        - destruct (IH (S first) hin) as [le e]. split; [lia|]. replace (k - first)%nat with (S (k - S first)) by lia. exact e. }
      intros hin. destruct (general batch 0%nat hin) as [_ e]. rewrite Nat.sub_0_r in e. exact e.
    Qed.
    Lemma dpfs_of_map {A B : Type} (f : A -> B) (l : list A) : dpfs_of (map f l) = map (fun y => (f (fst y), snd y)) (dpfs_of l).
    Proof. induction l as [|x l IH]; [reflexivity|]. unfold dpfs_of in *. cbn [map flat_map app]. rewrite IH. reflexivity. Qed.
    Lemma batch_is_snd : map snd (numbered 0%nat batch) = batch.
    Proof. apply map_snd_of_combine. rewrite seq_length. lia. Qed.

    Theorem batch_messages_of_draws :
      batch_messages prg h pair_01 pair_02 pair_12 session reads updates
      = batch_of_draws prg h (lean_session_Session_operation session) updates batch.
    Proof.
      assert (each : forall (T : Type) (f : (u64 * lean_layers_Purpose) * bool -> T) (g : made_item * bool -> T),
        (forall k x last, nth_error batch k = Some x -> f ((of_nat k, fst x), last) = g (x, last)) ->
        map f (dpfs_of (batch_items reads updates)) = map g (dpfs_of batch)).
      { intros T f g e. transitivity (map g (dpfs_of (map snd (numbered 0%nat batch)))); [|rewrite batch_is_snd; reflexivity].
        rewrite batch_items_are, !dpfs_of_map, !map_map. apply map_ext_in.
        intros [[k x] last] hin. apply in_dpfs_of, in_batch in hin. cbn [fst snd]. apply e, hin. }
      assert (each_item : forall (T : Type) (f : u64 * lean_layers_Purpose -> T) (g : made_item -> T),
        (forall k x, nth_error batch k = Some x -> f (of_nat k, fst x) = g x) -> map f (batch_items reads updates) = map g batch).
      { intros T f g e. transitivity (map g (map snd (numbered 0%nat batch))); [|rewrite batch_is_snd; reflexivity].
        rewrite batch_items_are, !map_map. apply map_ext_in. intros [k x] hin. apply in_batch in hin. cbn [fst snd]. apply e, hin. }
      assert (to : forall party, batch_to prg h pair_01 pair_02 pair_12 session reads updates party
        = map (fun kx => sent_of_plan prg h party (plan_for h (fst kx) (snd kx))) (dpfs_of batch)).
      { intros party. unfold batch_to. apply each. intros k x last e. destruct (batch_plans k x e last) as [alike _]. cbn [fst snd].
        unfold sent_of_plan. rewrite (alike_purpose _ _ alike). apply (plans_alike_sent prg h _ _ party _ alike). }
      assert (keys : forall party, map (batch_key prg h pair_01 pair_02 pair_12 session reads party) (batch_items reads updates) = map (key_for prg h party) batch).
      { intros party. apply each_item. intros k x e. unfold batch_key, key_for, item_delta, delta_for. cbv zeta. cbn [fst snd]. f_equal.
        - destruct party; apply (plans_alike_sent prg h _ _ _ _ (proj1 (batch_plans k x e _))).
        - rewrite (same_share k x _ _ _ e). unfold grown_for.
          rewrite (plans_alike_grow prg h _ _ party _ (proj1 (batch_plans k x e false))), (plans_alike_grow prg h _ _ party _ (proj1 (batch_plans k x e true))). reflexivity. }
      assert (deals : map (batch_deal h pair_02 pair_12 session reads) (dpfs_of (batch_items reads updates))
        = map (fun kx => deal_for h (fst kx) (snd kx)) (dpfs_of batch)).
      { apply each. intros k x last e. apply (batch_plans k x e last). }
      unfold batch_messages, batch_of_draws. cbv zeta. rewrite !to, !keys, deals, kinds. reflexivity.
    Qed.
  End Batch.

  (** ** Step by step *)

  (* The items that it holds, with their numbers: the oldest first. *)
  Notation held := (list (nat * made_item)).
  Record holds (before : list made_item) (reads updates : held) (session : lean_session_Session W P) : Prop := {
    holds_ready : ready (map (held_of prg h) reads) (map (held_of prg h) updates) session;
    holds_drawn : has_drawn (length before) (updates_in before) session;
    holds_masks : Forall masks_stand (reads ++ updates);
    holds_reads : Forall (fun kx => fst (snd kx) = lean_layers_Purpose_Read) reads;
    holds_updates : Forall (fun kx => fst (snd kx) = lean_layers_Purpose_Update) updates;
  }.

  (* How many items a step makes; which it holds afterwards, of those that are next to be made, from their number on. *)
  Definition made_by (step : lean_step W) : nat := (fst (items_of_step step) + snd (items_of_step step))%nat.
  Definition reads_after (step : lean_step W) (first : nat) (next : list made_item) (reads : held) : held :=
    match step with
    | lean_step_preprocess r u => reads ++ firstn (nat_of r) (numbered first (firstn (nat_of r + nat_of u) next))
    | lean_step_reads addresses => skipn (length addresses) reads
    | _ => reads
    end.
  Definition updates_after (step : lean_step W) (first : nat) (next : list made_item) (updates : held) : held :=
    match step with
    | lean_step_preprocess r u => updates ++ skipn (nat_of r) (numbered first (firstn (nat_of r + nat_of u) next))
    | lean_step_updates queries => skipn (length queries) updates
    | lean_step_write _ | lean_step_swap _ => skipn 1 updates
    | _ => updates
    end.

  (* What a step sends, of the items' draws, of the words of stream 0, and of the state. *)
  Definition put_of_draws (op : lean_op) (state : lean_memory_State W) (operation : u64) (updates : held)
    (query : lean_online_Query W * lean_online_Query W) : list lean_session_Sent :=
    match updates with
    | [] => []
    | kx :: _ => put_messages h operation (run_of_draws prg h op state (snd kx) (addresses_of query) (written_of query))
    end.
  Definition step_of_draws (state : lean_memory_State W) (operation : u64) (step : lean_step W) (next : list made_item) (reads updates : held) :
    list lean_session_Sent :=
    match step with
    | lean_step_load d_0 d_1 =>
        concat [lean_session_chunks operation (repr 8 2) (repr 8 0) (repr 8 2)
                  (lean_memory_loaded_alpha_0 d_0 (lean_tape_ring_words W load_01 (repr 64 0) (len d_0)));
                lean_session_chunks operation (repr 8 3) (repr 8 1) (repr 8 0)
                  (lean_memory_masked_share d_1 (lean_tape_ring_words W load_12 (repr 64 0) (len d_1)))]
    | lean_step_preprocess r u => batch_of_draws prg h operation u (firstn (nat_of r + nat_of u) next)
    | lean_step_reads addresses =>
        read_messages h operation (map (fun used => run_of_draws prg h op_read state (snd (fst used)) (snd used) (ring_Ring_zero W, ring_Ring_zero W))
          (combine reads addresses))
    | lean_step_updates queries =>
        update_messages h operation (map (fun used => run_of_draws prg h op_update state (snd (fst used)) (addresses_of (snd used)) (written_of (snd used)))
          (combine updates queries))
    | lean_step_write query => put_of_draws op_write state operation updates query
    | lean_step_swap query => put_of_draws op_swap state operation updates query
    end.

  Lemma combine_map_l {A B C : Type} (f : A -> C) (l : list A) (m : list B) : combine (map f l) m = map (fun x => (f (fst x), snd x)) (combine l m).
  Proof. revert m. induction l as [|x l IH]; intros [|y m]; cbn; try reflexivity. rewrite IH. reflexivity. Qed.
  Lemma numbered_map_snd {T : Type} first (l : list T) : map snd (numbered first l) = l.
  Proof. apply map_snd_of_combine. rewrite seq_length. lia. Qed.
  Lemma numbered_from {T : Type} (first k : nat) (l : list T) : numbered (first + k) l = map (fun kx => ((first + fst kx)%nat, snd kx)) (numbered k l).
  Proof. revert k. induction l as [|x l IH]; intros k; [reflexivity|]. cbn [length seq combine map fst snd]. f_equal. rewrite <- Nat.add_succ_r. apply IH. Qed.
  Lemma numbered_at {T : Type} (first : nat) (l : list T) : numbered first l = map (fun kx => ((first + fst kx)%nat, snd kx)) (numbered 0%nat l).
  Proof. rewrite <- (Nat.add_0_r first) at 1. apply numbered_from. Qed.

  Theorem lean_step_is_of_items before next reads updates session (step : lean_step W) (steps : list (lean_step W)) :
    holds before reads updates session -> all = before ++ next -> lean_scheduled h (length reads) (length updates) (step :: steps) ->
    (forall r u, step = lean_step_preprocess r u -> map fst (firstn (nat_of r + nat_of u) next) = lean_preprocessing_purposes r u) ->
    lean_session_Step_sent (take_lean_step session step)
      = step_of_draws (lean_session_state session) (lean_session_Session_operation session) step next reads updates /\
    holds (before ++ firstn (made_by step) next) (reads_after step (length before) next reads) (updates_after step (length before) next updates)
      (lean_session_Step_session (take_lean_step session step)).
  Proof.
    intros [r far masks are_reads are_updates] parts supply kinds.
    assert (supply' : lean_scheduled h (length (map (held_of prg h) reads)) (length (map (held_of prg h) updates)) (step :: steps)) by (rewrite !map_length; exact supply).
    pose proof (lean_step_draws h h_small prg pair_01 pair_02 pair_12 tapes start _ _ _ _ session step steps r supply' far) as far'.
    apply Forall_app in masks as [masks_r masks_u]. rewrite Forall_forall in masks_r, masks_u, are_reads, are_updates.
    destruct step as [d_0 d_1 | rs us | addresses | queries | query | query];
      cbn [lean_scheduled take_lean_step step_of_draws reads_after updates_after made_by items_of_step fst snd] in *; unfold made_by in *; cbn [items_of_step fst snd Nat.add firstn] in *;
      rewrite ?app_nil_r, ?Nat.add_0_r in *.
    - destruct supply as (same & most & _). destruct (load_sizes h d_0 d_1 same most) as (s_0 & s_1 & fits).
      destruct (lean_load_makes_ready prg h pair_01 pair_02 pair_12 _ _ session _ d_0 d_1 r s_0 s_1 fits) as (r' & _).
      split.
      + pose proof r as [e1 e2 e3 e4 e5 e6 e7 e8 e9 e10 e11 e12 _ _ _ _ _ _ _ _ _ _ _].
        unfold lean_session_load, lean_party_load_0, lean_party_load_1. cbv zeta. cbn [lean_session_Step_sent]. rewrite e7, e10. reflexivity.
      + constructor; try assumption; try (apply Forall_forall; assumption). apply Forall_app. split; apply Forall_forall; assumption.
    - destruct supply as (small & _). specialize (kinds rs us eq_refl). set (batch := firstn (nat_of rs + nat_of us) next) in *.
      assert (parts' : all = before ++ batch ++ skipn (nat_of rs + nat_of us) next) by (unfold batch; rewrite firstn_skipn; exact parts).
      split.
      + rewrite (lean_preprocess_sends prg h h_small pair_01 pair_02 pair_12 session rs us _ _ r small).
        apply (batch_messages_of_draws before batch _ rs us parts' kinds small session far).
      + destruct (lean_preprocess_makes_items prg h h_small pair_01 pair_02 pair_12 _ _ session rs us r small)
          as ((rounds & new_reads & new_updates & l_r & l_u & over & made & r') & _).
        assert (news : new_reads ++ new_updates = map (held_of prg h) (numbered (length before) batch)).
        { rewrite made. fold (batch_items rs us). rewrite (batch_items_are batch rs us kinds small), map_map.
          rewrite (numbered_at (length before) batch), map_map. apply map_ext_in. intros [k x] hin. cbn [fst snd].
          pose proof (in_batch batch k x hin) as e. apply (made_is_held before batch _ rs us parts' kinds small session far k x rounds e).
          specialize (over (of_nat k, fst x)). cbn [snd] in over. apply over. fold (batch_items rs us). rewrite (batch_items_are batch rs us kinds small).
          apply in_map_iff. exists (k, x). split; [reflexivity | exact hin]. }
        assert (new_r : new_reads = map (held_of prg h) (firstn (nat_of rs) (numbered (length before) batch))).
        { rewrite <- firstn_map, <- news, firstn_app, l_r, Nat.sub_diag, firstn_all2 by lia. symmetry. apply app_nil_r. }
        assert (new_u : new_updates = map (held_of prg h) (skipn (nat_of rs) (numbered (length before) batch))).
        { rewrite <- skipn_map, <- news, skipn_app, l_r, Nat.sub_diag, skipn_all2 by lia. reflexivity. }
        rewrite new_r, new_u, <- !map_app in r'.
        assert (l : length batch = (nat_of rs + nat_of us)%nat) by apply (batch_length batch rs us kinds small).
        pose proof kinds as ks. rewrite purposes_are in ks by exact small.
        assert (all_masks : forall kx, In kx (numbered (length before) batch) -> masks_stand kx).
        { intros [k x] hin. rewrite (numbered_at (length before) batch) in hin.
          apply in_map_iff in hin as ([j y] & e & hin). cbn [fst snd] in e. injection e as <- <-.
          apply (item_of_batch_masks before batch _ rs us parts' kinds small j y (in_batch batch j y hin)). }
        constructor.
        * exact r'.
        * rewrite app_length, updates_in_app, l. replace (updates_in batch) with (nat_of us); [exact far'|].
          assert (count : forall items, updates_in items = length (filter (fun p => match p with lean_layers_Purpose_Read => false | lean_layers_Purpose_Update => true end) (map fst items))).
          { clear. unfold updates_in, for_update. induction items as [|x items IH]; [reflexivity|]. cbn. destruct (fst x); cbn; rewrite IH; reflexivity. }
          rewrite count, ks, filter_app, app_length.
          assert (none : forall n, length (filter (fun p => match p with lean_layers_Purpose_Read => false | lean_layers_Purpose_Update => true end) (repeat lean_layers_Purpose_Read n)) = 0%nat)
            by (clear; induction n as [|n IH]; [reflexivity | exact IH]).
          assert (each : forall n, length (filter (fun p => match p with lean_layers_Purpose_Read => false | lean_layers_Purpose_Update => true end) (repeat lean_layers_Purpose_Update n)) = n)
            by (clear; induction n as [|n IH]; [reflexivity | cbn; f_equal; exact IH]).
          rewrite none, each. reflexivity.
        * apply Forall_forall. intros kx hin. rewrite !in_app_iff in hin. destruct hin as [[hin|hin]|[hin|hin]]; auto; apply all_masks;
            rewrite <- (firstn_skipn (nat_of rs)); apply in_or_app; auto.
        * apply Forall_app. split; apply Forall_forall; [exact are_reads|]. intros kx hin. apply (in_map (fun kx => fst (snd kx))) in hin.
          rewrite <- firstn_map, <- (map_map snd fst), numbered_map_snd, ks, firstn_app, repeat_length, Nat.sub_diag, firstn_all2, app_nil_r in hin
            by (rewrite repeat_length; lia). exact (repeat_spec _ _ _ hin).
        * apply Forall_app. split; apply Forall_forall; [exact are_updates|]. intros kx hin. apply (in_map (fun kx => fst (snd kx))) in hin.
          rewrite <- skipn_map, <- (map_map snd fst), numbered_map_snd, ks, skipn_app, repeat_length, Nat.sub_diag, skipn_all2 in hin
            by (rewrite repeat_length; lia). exact (repeat_spec _ _ _ hin).
    - destruct supply as (small & enough & _). rewrite <- (map_length (held_of prg h)) in enough. split.
      + rewrite (lean_reads_send prg h pair_01 pair_02 pair_12 _ _ session addresses r enough). f_equal. rewrite combine_map_l, map_map.
        apply map_ext_in. intros [kx a] hin. apply in_combine_l in hin. cbn [fst snd]. apply held_run_of_draws; [apply masks_r, hin | symmetry; apply are_reads, hin].
      + destruct (lean_reads_answer_ideal prg h h_small pair_01 pair_02 pair_12 _ _ session addresses r small enough) as (r' & _).
        rewrite skipn_map in r'. constructor; try assumption.
        * apply Forall_app. split; [apply forall_skipn|]; apply Forall_forall; assumption.
        * apply forall_skipn, Forall_forall, are_reads.
        * apply Forall_forall, are_updates.
    - destruct supply as (enough & _). rewrite <- (map_length (held_of prg h)) in enough. split.
      + rewrite (lean_updates_send prg h pair_01 pair_02 pair_12 _ _ session queries r enough). f_equal. rewrite combine_map_l, map_map.
        apply map_ext_in. intros [kx a] hin. apply in_combine_l in hin. cbn [fst snd]. apply held_run_of_draws; [apply masks_u, hin | symmetry; apply are_updates, hin].
      + destruct (lean_updates_answer_ideal prg h h_small pair_01 pair_02 pair_12 _ _ session queries r enough) as (r' & _).
        rewrite skipn_map in r'. constructor; try assumption.
        * apply Forall_app. split; [|apply forall_skipn]; apply Forall_forall; assumption.
        * apply Forall_forall, are_reads.
        * apply forall_skipn, Forall_forall, are_updates.
    - destruct supply as (enough & _). destruct updates as [|kx updates]; [cbn in enough; lia|]. cbn [map] in r. split.
      + unfold lean_session_write. rewrite (lean_put_sends prg h pair_01 pair_02 pair_12 _ _ _ session query false r). unfold put_of_draws. apply (f_equal (put_messages h _)).
        apply held_run_of_draws; [apply masks_u; left; reflexivity | symmetry; apply are_updates; left; reflexivity].
      + destruct (lean_put_answers_ideal prg h h_small pair_01 pair_02 pair_12 _ _ _ session query false r) as (r' & _). constructor; try assumption.
        * apply Forall_app. split; apply Forall_forall; [exact masks_r | intros y hy; apply masks_u; right; exact hy].
        * apply Forall_forall, are_reads.
        * apply Forall_forall. intros y hy. apply are_updates. right. exact hy.
    - destruct supply as (enough & _). destruct updates as [|kx updates]; [cbn in enough; lia|]. cbn [map] in r. split.
      + unfold lean_session_swap. rewrite (lean_put_sends prg h pair_01 pair_02 pair_12 _ _ _ session query true r). unfold put_of_draws. apply (f_equal (put_messages h _)).
        apply held_run_of_draws; [apply masks_u; left; reflexivity | symmetry; apply are_updates; left; reflexivity].
      + destruct (lean_put_answers_ideal prg h h_small pair_01 pair_02 pair_12 _ _ _ session query true r) as (r' & _). constructor; try assumption.
        * apply Forall_app. split; apply Forall_forall; [exact masks_r | intros y hy; apply masks_u; right; exact hy].
        * apply Forall_forall, are_reads.
        * apply Forall_forall. intros y hy. apply are_updates. right. exact hy.
  Qed.

  (** * The whole session *)

  (* What steps are to make: the items' kinds, in the order of making. *)
  Fixpoint kinds_made (steps : list (lean_step W)) : list lean_layers_Purpose :=
    match steps with
    | [] => []
    | lean_step_preprocess r u :: steps => lean_preprocessing_purposes r u ++ kinds_made steps
    | _ :: steps => kinds_made steps
    end.
  (* What each step sends. *)
  Fixpoint lean_sent (session : lean_session_Session W P) (steps : list (lean_step W)) : list (list lean_session_Sent) :=
    match steps with
    | [] => []
    | step :: steps => let done := take_lean_step session step in lean_session_Step_sent done :: lean_sent (lean_session_Step_session done) steps
    end.
  (* Of the items: those that are held, and those that are next to be made, the first of which has this number. *)
  Fixpoint sent_of_draws (session : lean_session_Session W P) (first : nat) (next : list made_item) (reads updates : held) (steps : list (lean_step W)) :
    list (list lean_session_Sent) :=
    match steps with
    | [] => []
    | step :: steps =>
        step_of_draws (lean_session_state session) (lean_session_Session_operation session) step next reads updates
        :: sent_of_draws (lean_session_Step_session (take_lean_step session step)) (first + made_by step) (skipn (made_by step) next)
             (reads_after step first next reads) (updates_after step first next updates) steps
    end.

  Lemma session_is_of_items (steps : list (lean_step W)) : forall before next reads updates session,
    holds before reads updates session -> all = before ++ next -> lean_scheduled h (length reads) (length updates) steps ->
    (exists unused, map fst next = kinds_made steps ++ unused) ->
    lean_sent session steps = sent_of_draws session (length before) next reads updates steps.
  Proof.
    induction steps as [|step steps IH]; intros before next reads updates session has parts supply [unused kinds]; [reflexivity|].
    assert (sizes : forall r u, step = lean_step_preprocess r u -> val r + val u < 2 ^ 63)
      by (intros r u ->; cbn [lean_scheduled] in supply; apply supply).
    assert (cut : forall r u, step = lean_step_preprocess r u -> map fst (firstn (nat_of r + nat_of u) next) = lean_preprocessing_purposes r u).
    { intros r u e. pose proof (sizes r u e) as small. subst step. cbn [kinds_made] in kinds.
      assert (l : length (lean_preprocessing_purposes r u) = (nat_of r + nat_of u)%nat) by (rewrite purposes_are, app_length, !repeat_length by exact small; reflexivity).
      rewrite <- firstn_map, kinds, <- app_assoc, <- l. rewrite firstn_app, firstn_all, Nat.sub_diag. apply app_nil_r. }
    destruct (lean_step_is_of_items before next reads updates session step steps has parts supply cut) as [sent has'].
    cbn [lean_sent sent_of_draws]. cbv zeta. rewrite sent. f_equal.
    assert (l : made_by step = length (firstn (made_by step) next) /\ map fst (skipn (made_by step) next) = kinds_made steps ++ unused).
    { unfold made_by. destruct step as [| r u | | | |]; cbn [items_of_step fst snd Nat.add firstn skipn length]; try (split; [reflexivity | exact kinds]).
      pose proof (cut r u eq_refl) as c. pose proof (sizes r u eq_refl) as small. cbn [kinds_made] in kinds.
      assert (l : length (lean_preprocessing_purposes r u) = (nat_of r + nat_of u)%nat) by (rewrite purposes_are, app_length, !repeat_length by exact small; reflexivity).
      split; [rewrite <- (map_length fst (firstn _ next)), c, l; reflexivity|].
      rewrite <- skipn_map, kinds, <- app_assoc, <- l, skipn_app, skipn_all, Nat.sub_diag. reflexivity. }
    destruct l as [l later]. rewrite l at 1. rewrite <- app_length. apply IH; [exact has' | | | exists unused; exact later].
    - rewrite <- app_assoc, firstn_skipn. exact parts.
    - destruct step as [d_0 d_1 | r u | addresses | queries | query | query]; cbn [lean_scheduled reads_after updates_after] in *.
      + apply supply.
      + destruct supply as [small supply]. pose proof (cut r u eq_refl) as c.
        assert (lb : length (firstn (nat_of r + nat_of u) next) = (nat_of r + nat_of u)%nat)
          by (rewrite <- (map_length fst), c, purposes_are, app_length, !repeat_length by exact small; reflexivity).
        rewrite !app_length, firstn_length, skipn_length, combine_length, seq_length, lb.
        replace (Nat.min (nat_of r) (Nat.min (nat_of r + nat_of u) (nat_of r + nat_of u)))%nat with (nat_of r) by lia.
        replace (Nat.min (nat_of r + nat_of u) (nat_of r + nat_of u) - nat_of r)%nat with (nat_of u) by lia. exact supply.
      + rewrite skipn_length. apply supply.
      + rewrite skipn_length. apply supply.
      + rewrite skipn_length. apply supply.
      + rewrite skipn_length. apply supply.
  Qed.

  Theorem lean_session_is_of_items (m : u64) (steps : list (lean_step W)) :
    at_most m (lean_party_size h) -> lean_scheduled h 0 0 steps -> (exists unused, map fst all = kinds_made steps ++ unused) ->
    let session := lean_session_started W h m prg tapes streams in
    lean_sent session steps = sent_of_draws session 0 all [] [] steps.
  Proof.
    intros fits supply kinds session. apply (session_is_of_items steps [] all [] [] session); try assumption; [|reflexivity].
    constructor; try constructor; try reflexivity; try constructor. apply zeros_ready, fits.
  Qed.
End Session.

(* The same from `connect` on, which takes 10 words of each tape and makes of them the PRG's key. The tapes are any of fewer than 2^64 words that have the draws
   of all items, in the order of making, behind these 10, and whatever else behind; the streams have those of each item, and the load's words. *)
Theorem lean_session_from_connect_is_of_items (h m : u64) (hello_0 hello_1 hello_2 rest_0 rest_1 rest_2 load_01 load_02 load_12 : list u64)
  (tail_01 tail_02 tail_12 : nat -> list u64) (more_01 more_02 more_12 : list (list u64)) (all : list made_item) (steps : list (lean_step W)) :
  let tapes := session_tapes hello_0 hello_1 hello_2 rest_0 rest_1 rest_2 all in
  let streams := session_streams load_01 load_02 load_12 tail_01 tail_02 tail_12 more_01 more_02 more_12 all in
  val h < 64 -> at_most m (lean_party_size h) ->
  length hello_0 = nat_of lean_party_HELLO_WORDS -> length hello_1 = nat_of lean_party_HELLO_WORDS -> length hello_2 = nat_of lean_party_HELLO_WORDS ->
  (forall x, In x all -> item_fits h (op_for (fst x)) (snd x)) -> Z.of_nat (length all) < 2 ^ 63 ->
  Z.of_nat (length (fst (fst tapes))) < 2 ^ 64 -> Z.of_nat (length (snd (fst tapes))) < 2 ^ 64 -> Z.of_nat (length (snd tapes)) < 2 ^ 64 ->
  lean_scheduled h 0 0 steps -> (exists unused, map fst all = kinds_made steps ++ unused) ->
  let session := lean_session_Step_session (lean_session_connect W h m tapes streams) in
  lean_sent session steps
  = sent_of_draws (lean_party_Party0_prg (lean_session_Session_p0 session)) h load_01 load_12 session 0 all [] [] steps.
Proof.
  intros tapes streams h_small fits said_0 said_1 said_2 whole few small_0 small_1 small_2 supply kinds. cbv zeta.
  unfold lean_session_connect, tapes, streams, session_tapes. cbv zeta. cbn [lean_session_Step_session].
  match goal with |- context [lean_session_started W h m ?p _ _] => generalize p; intros prg end.
  exact (lean_session_is_of_items prg h h_small hello_0 hello_1 hello_2 rest_0 rest_1 rest_2 said_0 said_1 said_2 load_01 load_02 load_12
    tail_01 tail_02 tail_12 more_01 more_02 more_12 all whole few small_0 small_1 small_2 m steps fits supply kinds).
Qed.
