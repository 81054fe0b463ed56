(* One party's whole step is one function of its own state, its own inputs, the step's number and all that it was sent in the step
   (`lean::party_turn`). In any session that is ready (SessionSteps.v) it yields the party after the step, the messages that the party
   sends in it, and its results: what a party does is computed from what it sees, and from nothing else. Here: connect, load and the
   steps that use items; preparing is in PreparingTurns.v, whole sessions are in Locality.v. *)
From Coq Require Import Lia.
From Duoram.core Require Import VectorFacts.
From Duoram.lean Require Import SessionSteps PayloadRoundTrip.
From Duoram.Generated Require Import All.

Definition said_by (who : u8) (sent : list lean_session_Sent) : list lean_session_Sent :=
  flat_map (fun message => if ieqb (lean_session_Sent_from message) who then [message] else []) sent.

(** * Delivery *)

(* Numbers of parties, kinds and rounds are literals: to compare them is to compute. *)
Ltac numbers :=
  repeat match goal with
  | |- context [ieqb (repr ?w ?a) (repr ?w ?b)] =>
      let v := eval vm_compute in (ieqb (repr w a) (repr w b)) in change (ieqb (repr w a) (repr w b)) with v
  | |- context [ieqb (repr 32 ?a) (cast 32 (repr 64 ?b))] =>
      let v := eval vm_compute in (ieqb (repr 32 a) (cast 32 (repr 64 b))) in
      change (ieqb (repr 32 a) (cast 32 (repr 64 b))) with v
  end.
Ltac deliver :=
  unfold lean_delivery_inbox, lean_delivery_received, said_by, lean_party_turn_say_to_both, lean_party_turn_say;
  cbn [concat app flat_map lean_session_Sent_kind lean_session_Sent_from lean_session_Sent_to lean_session_Sent_round lean_session_Sent_payload];
  numbers;
  cbn [andb app flat_map lean_session_Sent_kind lean_session_Sent_from lean_session_Sent_to lean_session_Sent_round lean_session_Sent_payload];
  numbers; cbn [andb app flat_map]; rewrite ?app_nil_r.

(* What one party hears of a kind is of the sender that is asked for, of all rounds or of one. *)
Notation payloads := (flat_map (fun message => lean_session_Sent_payload message)).

Lemma said_by_app (who : u8) (a b : list lean_session_Sent) : said_by who (a ++ b) = said_by who a ++ said_by who b.
Proof. apply flat_map_app. Qed.
Lemma inbox_app (a b : list lean_session_Sent) (to : u8) : lean_delivery_inbox (a ++ b) to = lean_delivery_inbox a to ++ lean_delivery_inbox b to.
Proof. apply flat_map_app. Qed.
Lemma received_app (a b : list lean_session_Sent) (kind from : u8) (round : u64) :
  lean_delivery_received (a ++ b) kind from round = lean_delivery_received a kind from round ++ lean_delivery_received b kind from round.
Proof. apply flat_map_app. Qed.

(* A vector that is sent in chunks is sent whole. *)
Section Chunks.
  Context {W : Type} {W_Ring : ring_Ring W}.
  Implicit Types (words : list W) (operation : u64) (kind from to : u8).

  Lemma chunks_hold operation kind from to words : Z.of_nat (length words) <= 2 ^ 63 ->
    payloads (lean_session_chunks operation kind from to words) = bytes_ring_bytes words.
  Proof.
    intros small. unfold lean_session_chunks. cbv zeta. rewrite flat_map_map. cbn [lean_session_Sent_payload].
    assert (ew : val lean_session_CHUNK_WORDS = 65536) by reflexivity. set (w := lean_session_CHUNK_WORDS) in *.
    assert (nw : Z.of_nat (nat_of w) = 65536) by (rewrite Z_nat_of; exact ew).
    assert (ec : Z.of_nat (nat_of (wshr (wadd (len words) (wsub w (repr 64 1))) (repr 32 16))) = (Z.of_nat (length words) + 65535) / 65536).
    { rewrite Z_nat_of, val_wshr by reflexivity. change (2 ^ val (repr 32 16)) with 65536. f_equal.
      rewrite val_wadd, val_len by lia. change (val (wsub w (repr 64 1))) with 65535. apply Z.mod_small. lia. }
    set (count := wshr _ _) in *. clearbody count.
    pose proof (Z.div_mod (Z.of_nat (length words) + 65535) 65536). pose proof (Z.mod_pos_bound (Z.of_nat (length words) + 65535) 65536).
    unfold bytes_ring_bytes. set (bytes := flat_map (fun word => bytes_word_bytes (ring_Ring_to_u64 word))).
    transitivity (bytes (flat_map (fun k => firstn (nat_of w) (skipn (k * nat_of w) words)) (seq 0 (nat_of count))));
      [|rewrite pieces_of by nia; reflexivity].
    unfold bytes. rewrite flat_map_flat_map, range_0, flat_map_map. rewrite !flat_map_concat_map. f_equal. apply map_ext_in. intros k hk. apply in_seq in hk.
    assert (ek : nat_of (wmul (of_nat k) w) = (k * nat_of w)%nat) by (apply nat_of_wmul; [apply nat_of_of_nat; nia | reflexivity | nia]).
    rewrite take_firstn, skip_skipn, ek. reflexivity.
  Qed.

  Lemma chunks_of operation kind from to words (test : lean_session_Sent -> bool) (b : bool) {T : Type} (f : lean_session_Sent -> list T) :
    (forall round payload, test (mk_lean_session_Sent kind from to operation round payload) = b) ->
    flat_map (fun message => if test message then f message else []) (lean_session_chunks operation kind from to words)
    = if b then flat_map f (lean_session_chunks operation kind from to words) else [].
  Proof.
    intros e. unfold lean_session_chunks. cbv zeta. rewrite !flat_map_map.
    induction (range (repr 64 0) _) as [|k l IH]; [destruct b; reflexivity|]. cbn [flat_map]. rewrite IH, e. destruct b; reflexivity.
  Qed.

  Lemma chunks_said operation kind from to words who :
    said_by who (lean_session_chunks operation kind from to words) = if ieqb from who then lean_session_chunks operation kind from to words else [].
  Proof.
    unfold said_by. rewrite (chunks_of _ _ _ _ _ (fun m => ieqb (lean_session_Sent_from m) who) (ieqb from who)) by reflexivity.
    destruct (ieqb from who); [|reflexivity]. generalize (lean_session_chunks operation kind from to words). intros l.
    induction l as [|m l IH]; [reflexivity|]. cbn [flat_map app]. rewrite IH. reflexivity.
  Qed.
  Lemma chunks_arrive operation kind from to words other kind' from' : Z.of_nat (length words) <= 2 ^ 63 ->
    lean_delivery_received_chunks (lean_delivery_inbox (lean_session_chunks operation kind from to words) other) kind' from'
    = if ieqb to other && (ieqb kind kind' && ieqb from from') then bytes_ring_bytes words else [].
  Proof.
    intros small. unfold lean_delivery_inbox.
    rewrite (chunks_of _ _ _ _ _ (fun m => ieqb (lean_session_Sent_to m) other) (ieqb to other)) by reflexivity.
    destruct (ieqb to other); [|reflexivity]. unfold lean_delivery_received_chunks. rewrite flat_map_flat_map. cbn [flat_map].
    assert (e : forall l, flat_map (fun x => (if ieqb (lean_session_Sent_kind x) kind' && ieqb (lean_session_Sent_from x) from'
        then lean_session_Sent_payload x else []) ++ []) l
      = flat_map (fun x => if ieqb (lean_session_Sent_kind x) kind' && ieqb (lean_session_Sent_from x) from' then lean_session_Sent_payload x else []) l)
      by (intros l; apply flat_map_ext; intros; apply app_nil_r).
    rewrite e, (chunks_of _ _ _ _ _ (fun m => ieqb (lean_session_Sent_kind m) kind' && ieqb (lean_session_Sent_from m) from')
      (ieqb kind kind' && ieqb from from')) by reflexivity.
    cbn [andb]. destruct (ieqb kind kind' && ieqb from from'); [|reflexivity]. apply chunks_hold, small.
  Qed.
End Chunks.

Lemma map_fst_combine {A B : Type} (a : list A) (b : list B) : length a = length b -> map fst (combine a b) = a.
Proof. revert b. induction a as [|x a IH]; intros [|y b] e; try discriminate e; [reflexivity|]. cbn. rewrite IH by (injection e; trivial). reflexivity. Qed.
Lemma map_snd_combine {A B : Type} (a : list A) (b : list B) : length a = length b -> map snd (combine a b) = b.
Proof. intros e. apply map_snd_of_combine. lia. Qed.

Section Session.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Boolean : BooleanRing W}.
  Context {P : Type} {P_Prg : prg_Prg P} {P_Layers : lean_layers_Layers P} (prg : P).
  Context (h : u64) (h_small : val h < 64).
  Context (pair_01 pair_02 pair_12 : lean_tape_PairStreams).
  Notation ready := (session_ready prg h pair_01 pair_02 pair_12).
  Notation p0 := lean_session_Session_p0.
  Notation p1 := lean_session_Session_p1.
  Notation p2 := lean_session_Session_p2.

  (* In a step that was taken, each party's function yields that party's part of it. *)
  Record each_takes_its_turn (session : lean_session_Session W P) (step : lean_session_Step W P)
    (task_0 task_1 : lean_party_turn_PrimaryTask W) (task_2 : lean_party_turn_HelperTask) : Prop := {
    turn_of_0 : lean_party_turn_turn_0 (p0 session) (lean_session_Session_operation session) task_0
        (lean_delivery_inbox (lean_session_Step_sent step) (repr 8 0))
      = mk_lean_prepare_turn_Turn (p0 (lean_session_Step_session step)) (said_by (repr 8 0) (lean_session_Step_sent step))
          (map fst (lean_session_Step_results step));
    turn_of_1 : lean_party_turn_turn_1 (p1 session) (lean_session_Session_operation session) task_1
        (lean_delivery_inbox (lean_session_Step_sent step) (repr 8 1))
      = mk_lean_prepare_turn_Turn (p1 (lean_session_Step_session step)) (said_by (repr 8 1) (lean_session_Step_sent step))
          (map snd (lean_session_Step_results step));
    turn_of_2 : lean_party_turn_turn_2 (p2 session) (lean_session_Session_operation session) task_2
        (lean_delivery_inbox (lean_session_Step_sent step) (repr 8 2))
      = mk_lean_prepare_turn_Turn (p2 (lean_session_Step_session step)) (said_by (repr 8 2) (lean_session_Step_sent step)) [];
  }.

  Lemma shift_share_below (address random_index : u64) : val (lean_read_shift_share address random_index (lean_party_size h)) < 2 ^ val h.
  Proof. rewrite <- val_size by exact h_small. apply mod_size_below, size_power_of_two, h_small. Qed.

  (** * Load *)

  Theorem lean_load_turns (session : lean_session_Session W P) (memory_share_0 memory_share_1 : list W) :
    fits memory_share_0 -> fits memory_share_1 ->
    each_takes_its_turn session (lean_session_load session memory_share_0 memory_share_1)
      (lean_party_turn_PrimaryTask_Load memory_share_0) (lean_party_turn_PrimaryTask_Load memory_share_1) lean_party_turn_HelperTask_Load.
  Proof.
    intros f_0 f_1. unfold lean_session_load. cbv zeta.
    destruct (lean_party_load_0 (p0 session) memory_share_0) as [after_0 to_2] eqn:e_0.
    destruct (lean_party_load_1 (p1 session) memory_share_1) as [after_1 to_0] eqn:e_1.
    assert (l_0 : fits to_2).
    { apply (f_equal snd) in e_0. cbn [snd lean_party_load_0] in e_0. rewrite <- e_0. unfold lean_memory_loaded_alpha_0, vector_add, fits in *.
      rewrite map_length, combine_length. lia. }
    assert (l_1 : fits to_0).
    { apply (f_equal snd) in e_1. cbn [snd lean_party_load_1] in e_1. rewrite <- e_1. unfold lean_memory_masked_share, vector_sub, fits in *.
      rewrite map_length, combine_length. lia. }
    rewrite concat_pair.
    constructor; cbn [lean_session_Step_sent lean_session_Step_results lean_session_Step_session lean_session_Session_p0
      lean_session_Session_p1 lean_session_Session_p2 lean_party_turn_turn_0 lean_party_turn_turn_1 lean_party_turn_turn_2 map];
      rewrite ?e_0, ?e_1, ?inbox_app, said_by_app, !chunks_said; numbers; cbv iota; rewrite ?app_nil_r; try reflexivity; cbv zeta.
    - unfold lean_delivery_received_chunks. rewrite flat_map_app. fold (lean_delivery_received_chunks).
      change (flat_map _ (lean_delivery_inbox ?a ?b)) with (lean_delivery_received_chunks (lean_delivery_inbox a b) (repr 8 3) (repr 8 1)).
      rewrite !chunks_arrive by (unfold fits in *; lia). numbers. cbn [andb app]. rewrite ring_of_ring_bytes by exact l_1. reflexivity.
    - unfold lean_delivery_received_chunks. rewrite flat_map_app.
      change (flat_map _ (lean_delivery_inbox ?a ?b)) with (lean_delivery_received_chunks (lean_delivery_inbox a b) (repr 8 2) (repr 8 0)).
      rewrite !chunks_arrive by (unfold fits in *; lia). numbers. cbn [andb app]. rewrite app_nil_r, ring_of_ring_bytes by exact l_0. reflexivity.
  Qed.

  (** * READs *)

  Theorem lean_reads_turns reads updates session (addresses : list (u64 * u64)) :
    ready reads updates session -> fits addresses -> (length addresses <= length reads)%nat ->
    each_takes_its_turn session (lean_session_reads session addresses)
      (lean_party_turn_PrimaryTask_Reads (map fst addresses)) (lean_party_turn_PrimaryTask_Reads (map snd addresses))
      (lean_party_turn_HelperTask_Reads (len addresses)).
  Proof.
    intros r small enough. pose proof (ready_size_0 _ _ _ _ _ _ _ _ r) as size_0. pose proof (ready_size_1 _ _ _ _ _ _ _ _ r) as size_1.
    pose proof (ready_size_2 _ _ _ _ _ _ _ _ r) as size_2.
    pose proof (ready_reads_0 _ _ _ _ _ _ _ _ r) as items_0. pose proof (ready_reads_1 _ _ _ _ _ _ _ _ r) as items_1.
    pose proof (ready_reads_2 _ _ _ _ _ _ _ _ r) as items_2. clear r.
    assert (count : nat_of (len addresses) = length addresses) by apply nat_of_len_fits, small.
    set (s_0 := lean_online_read_shifts_0 (p0 session) (map fst addresses)).
    set (s_1 := lean_online_read_shifts_1 (p1 session) (map snd addresses)).
    assert (l_0 : length s_0 = length addresses).
    { unfold s_0, lean_online_read_shifts_0. rewrite items_0, map_length, combine_length, !map_length. lia. }
    assert (l_1 : length s_1 = length addresses).
    { unfold s_1, lean_online_read_shifts_1. rewrite items_1, map_length, combine_length, !map_length. lia. }
    assert (b_0 : Forall (fun s => val s < 2 ^ val h) s_0).
    { apply Forall_forall. intros s hs. apply in_map_iff in hs as ([item address] & <- & _). unfold lean_online_shift_0. rewrite size_0. apply shift_share_below. }
    assert (b_1 : Forall (fun s => val s < 2 ^ val h) s_1).
    { apply Forall_forall. intros s hs. apply in_map_iff in hs as ([item address] & <- & _). unfold lean_online_shift_1. rewrite size_1. apply shift_share_below. }
    destruct (lean_online_reads_2 (p2 session) s_0 s_1) as [after_2 g] eqn:e_2.
    destruct (lean_online_reads_0 (p0 session) (map fst addresses) s_1 g) as [after_0 results_0] eqn:e_0.
    destruct (lean_online_reads_1 (p1 session) (map snd addresses) s_0) as [after_1 results_1] eqn:e_1.
    assert (l_g : length g = length addresses).
    { apply (f_equal snd) in e_2. unfold lean_online_reads_2 in e_2. cbn [snd] in e_2. rewrite <- e_2, items_2, map_length, !combine_length, map_length. lia. }
    assert (l_r0 : length results_0 = length addresses).
    { apply (f_equal snd) in e_0. unfold lean_online_reads_0 in e_0. cbn [snd] in e_0. rewrite <- e_0, items_0, map_length, !combine_length, !map_length. lia. }
    assert (l_r1 : length results_1 = length addresses).
    { apply (f_equal snd) in e_1. unfold lean_online_reads_1 in e_1. cbn [snd] in e_1. rewrite <- e_1, items_1, map_length, !combine_length, !map_length. lia. }
    assert (step : lean_session_reads session addresses
      = let operation := lean_session_Session_operation session in
        let message kind from to round payload := mk_lean_session_Sent (repr 8 kind) (repr 8 from) (repr 8 to) operation (repr 32 round) payload in
        mk_lean_session_Step (mk_lean_session_Session after_0 after_1 after_2 (wadd operation (repr 64 1)))
          [message 12 0 1 0 (lean_payload_addresses_bytes h s_0); message 12 0 2 0 (lean_payload_addresses_bytes h s_0);
           message 12 1 0 0 (lean_payload_addresses_bytes h s_1); message 12 1 2 0 (lean_payload_addresses_bytes h s_1);
           message 13 2 0 1 (bytes_ring_bytes g)] (combine results_0 results_1)).
    { unfold lean_session_reads. cbv zeta. change (fun '(share, _) => share) with (@fst u64 u64). change (fun '(_, share) => share) with (@snd u64 u64).
      fold s_0 s_1. rewrite e_2, e_0, e_1, size_0. f_equal. etransitivity; [|apply map_id]. apply map_ext. intros [x y]. reflexivity. }
    rewrite step. cbv zeta. clear step.
    constructor; cbn [lean_session_Step_sent lean_session_Step_results lean_session_Step_session lean_session_Session_p0
      lean_session_Session_p1 lean_session_Session_p2 lean_party_turn_turn_0 lean_party_turn_turn_1 lean_party_turn_turn_2];
      rewrite ?map_fst_combine, ?map_snd_combine by lia.
    - unfold lean_party_turn_reads_turn_0, lean_party_turn_received_shifts. cbv zeta. fold s_0. rewrite size_0. deliver.
      rewrite lean_addresses_round_trip, ring_of_ring_bytes, e_0 by (try assumption; unfold fits in *; rewrite ?nat_of_len_fits, ?map_length; unfold fits; rewrite ?map_length; lia).
      reflexivity.
    - unfold lean_party_turn_reads_turn_1, lean_party_turn_received_shifts. cbv zeta. fold s_1. rewrite size_1. deliver.
      rewrite lean_addresses_round_trip, e_1 by (try assumption; unfold fits in *; rewrite ?nat_of_len_fits, ?map_length; unfold fits; rewrite ?map_length; lia).
      reflexivity.
    - unfold lean_party_turn_reads_turn_2, lean_party_turn_received_shifts. cbv zeta. rewrite size_2. deliver.
      rewrite !lean_addresses_round_trip, e_2 by (assumption || congruence). reflexivity.
  Qed.
  (** * UPDATEs *)

  Theorem lean_updates_turns reads updates session (queries : list (lean_online_Query W * lean_online_Query W)) :
    ready reads updates session -> fits queries -> (length queries <= length updates)%nat ->
    each_takes_its_turn session (lean_session_updates session queries)
      (lean_party_turn_PrimaryTask_Updates (map fst queries)) (lean_party_turn_PrimaryTask_Updates (map snd queries))
      (lean_party_turn_HelperTask_Updates (len queries)).
  Proof.
    intros r small enough. pose proof (ready_size_0 _ _ _ _ _ _ _ _ r) as size_0. pose proof (ready_size_1 _ _ _ _ _ _ _ _ r) as size_1.
    pose proof (ready_size_2 _ _ _ _ _ _ _ _ r) as size_2.
    pose proof (ready_updates_0 _ _ _ _ _ _ _ _ r) as items_0. pose proof (ready_updates_1 _ _ _ _ _ _ _ _ r) as items_1. clear r.
    assert (count : nat_of (len queries) = length queries) by apply nat_of_len_fits, small.
    set (m_0 := lean_online_update_messages_0 (p0 session) (map fst queries)).
    set (m_1 := lean_online_update_messages_1 (p1 session) (map snd queries)).
    assert (l_0 : length m_0 = length queries).
    { unfold m_0, lean_online_update_messages_0. rewrite items_0, map_length, combine_length, !map_length. lia. }
    assert (l_1 : length m_1 = length queries).
    { unfold m_1, lean_online_update_messages_1. rewrite items_1, map_length, combine_length, !map_length. lia. }
    assert (b_0 : Forall (fun m => val (lean_online_UpdateMessage_shift m) < 2 ^ val h) m_0).
    { apply Forall_forall. intros m hm. apply in_map_iff in hm as ([item query] & <- & _). cbn [lean_online_UpdateMessage_shift].
      unfold lean_online_shift_0. rewrite size_0. apply shift_share_below. }
    assert (b_1 : Forall (fun m => val (lean_online_UpdateMessage_shift m) < 2 ^ val h) m_1).
    { apply Forall_forall. intros m hm. apply in_map_iff in hm as ([item query] & <- & _). cbn [lean_online_UpdateMessage_shift].
      unfold lean_online_shift_1. rewrite size_1. apply shift_share_below. }
    assert (step : lean_session_updates session queries
      = let operation := lean_session_Session_operation session in
        let message from to messages := mk_lean_session_Sent (repr 8 14) (repr 8 from) (repr 8 to) operation (repr 32 0) (lean_payload_updates h messages) in
        mk_lean_session_Step (mk_lean_session_Session (lean_online_updates_0 (p0 session) m_0 m_1) (lean_online_updates_1 (p1 session) m_1 m_0)
            (lean_online_updates_2 (p2 session) m_0 m_1) (wadd operation (repr 64 1)))
          [message 0 1 m_0; message 0 2 m_0; message 1 0 m_1; message 1 2 m_1] []).
    { unfold lean_session_updates. cbv zeta. change (fun '(query, _) => query) with (@fst (lean_online_Query W) (lean_online_Query W)).
      change (fun '(_, query) => query) with (@snd (lean_online_Query W) (lean_online_Query W)). fold m_0 m_1. rewrite size_0. reflexivity. }
    rewrite step. cbv zeta. clear step.
    assert (few : forall m : list (lean_online_UpdateMessage W), length m = length queries -> fits m) by (unfold fits in *; intros m ->; exact small).
    assert (counted : forall T (f : lean_online_Query W * lean_online_Query W -> T), nat_of (len (map f queries)) = length queries)
      by (intros; rewrite nat_of_len_fits, map_length; unfold fits in *; rewrite ?map_length; trivial).
    constructor; cbn [lean_session_Step_sent lean_session_Step_results lean_session_Step_session lean_session_Session_p0
      lean_session_Session_p1 lean_session_Session_p2 lean_party_turn_turn_0 lean_party_turn_turn_1 lean_party_turn_turn_2 map].
    - unfold lean_party_turn_updates_turn_0. cbv zeta. fold m_0. rewrite size_0. deliver.
      rewrite lean_updates_round_trip by (auto; rewrite counted; auto). reflexivity.
    - unfold lean_party_turn_updates_turn_1. cbv zeta. fold m_1. rewrite size_1. deliver.
      rewrite lean_updates_round_trip by (auto; rewrite counted; auto). reflexivity.
    - unfold lean_party_turn_updates_turn_2. cbv zeta. rewrite size_2. deliver.
      rewrite !lean_updates_round_trip by (auto; congruence). reflexivity.
  Qed.

  (** * WRITE and SWAP *)

  Lemma one_word (w : W) : bytes_word_bytes (ring_Ring_to_u64 w) = bytes_ring_bytes [w].
  Proof. unfold bytes_ring_bytes. cbn [flat_map]. rewrite app_nil_r. reflexivity. Qed.
  Lemma word_of_one (w : W) : vector_at (bytes_ring_of_bytes W (bytes_ring_bytes [w])) (repr 64 0) (ring_Ring_zero W) = w.
  Proof. rewrite ring_of_ring_bytes by reflexivity. reflexivity. Qed.

  Theorem lean_put_turns reads x updates session (query : lean_online_Query W * lean_online_Query W) (swap : bool) :
    ready reads (x :: updates) session ->
    each_takes_its_turn session (lean_session_put session query swap)
      (lean_party_turn_PrimaryTask_Put (fst query) swap) (lean_party_turn_PrimaryTask_Put (snd query) swap) (lean_party_turn_HelperTask_Put swap).
  Proof.
    intros r. pose proof (ready_size_0 _ _ _ _ _ _ _ _ r) as size_0. pose proof (ready_size_1 _ _ _ _ _ _ _ _ r) as size_1.
    pose proof (ready_size_2 _ _ _ _ _ _ _ _ r) as size_2.
    pose proof (ready_updates_0 _ _ _ _ _ _ _ _ r) as items_0. pose proof (ready_updates_1 _ _ _ _ _ _ _ _ r) as items_1.
    pose proof (ready_updates_2 _ _ _ _ _ _ _ _ r) as items_2. clear r. destruct query as [q_0 q_1]. cbn [fst snd].
    set (s_0 := lean_online_write_shifts_0 (p0 session) q_0). set (s_1 := lean_online_write_shifts_1 (p1 session) q_1).
    assert (e_0 : s_0 = [lean_online_shift_0 (p0 session) (at_0 x) (lean_online_Query_address q_0)])
      by (unfold s_0, lean_online_write_shifts_0; rewrite items_0, take_firstn; reflexivity).
    assert (e_1 : s_1 = [lean_online_shift_1 (p1 session) (at_1 x) (lean_online_Query_address q_1)])
      by (unfold s_1, lean_online_write_shifts_1; rewrite items_1, take_firstn; reflexivity).
    assert (back_0 : lean_payload_addresses_of (lean_payload_addresses_bytes h s_0) h (repr 64 1) = s_0).
    { apply lean_addresses_round_trip; [exact h_small | rewrite e_0; reflexivity | rewrite e_0; constructor; [|constructor]].
      unfold lean_online_shift_0. rewrite size_0. apply shift_share_below. }
    assert (back_1 : lean_payload_addresses_of (lean_payload_addresses_bytes h s_1) h (repr 64 1) = s_1).
    { apply lean_addresses_round_trip; [exact h_small | rewrite e_1; reflexivity | rewrite e_1; constructor; [|constructor]].
      unfold lean_online_shift_1. rewrite size_1. apply shift_share_below. }
    unfold lean_session_put. cbv zeta. fold s_0 s_1. rewrite items_0, items_1, items_2, size_0. clear e_0 e_1.
    cbn [map first hd_error]. rewrite !one_word.
    constructor; cbn [lean_session_Step_sent lean_session_Step_results lean_session_Step_session lean_session_Session_p0
      lean_session_Session_p1 lean_session_Session_p2 lean_party_turn_turn_0 lean_party_turn_turn_1 lean_party_turn_turn_2].
    - unfold lean_party_turn_put_turn_0, lean_party_turn_received_shifts, lean_party_turn_received_word, lean_party_turn_put_shift. cbv zeta.
      fold s_0. rewrite items_0, size_0. cbn [map first hd_error]. destruct swap; deliver; rewrite back_1, !word_of_one; reflexivity.
    - unfold lean_party_turn_put_turn_1, lean_party_turn_received_shifts, lean_party_turn_received_word, lean_party_turn_put_shift. cbv zeta.
      fold s_1. rewrite items_1, size_1. cbn [map first hd_error]. destruct swap; deliver; rewrite back_0, !word_of_one; reflexivity.
    - unfold lean_party_turn_put_turn_2, lean_party_turn_received_shifts, lean_party_turn_received_word, lean_party_turn_put_shift. cbv zeta.
      rewrite items_2, size_2. cbn [map first hd_error]. destruct swap; deliver; rewrite back_0, back_1, !word_of_one; reflexivity.
  Qed.
End Session.

(** * Connect *)

Theorem lean_connect_is_each_partys {W : Type} {W_Ring : ring_Ring W} (h m : u64) (words_0 words_1 words_2 : list u64) (streams : lean_session_Streams) :
  let step := lean_session_connect W h m (words_0, words_1, words_2) streams in
  let sent := lean_session_Step_sent step in
  let prg number words := lean_delivery_session_prg number m words (lean_delivery_inbox sent number) in
  let pair_01 := lean_session_Streams_pair_01 streams in
  let pair_02 := lean_session_Streams_pair_02 streams in
  let pair_12 := lean_session_Streams_pair_12 streams in
  (said_by (repr 8 0) sent = lean_delivery_say_hello (repr 8 0) m words_0 /\
   said_by (repr 8 1) sent = lean_delivery_say_hello (repr 8 1) m words_1 /\
   said_by (repr 8 2) sent = lean_delivery_say_hello (repr 8 2) m words_2) /\
  lean_session_Step_session step
  = mk_lean_session_Session (lean_party_connected_0 W h m (prg (repr 8 0) words_0) words_0 pair_01 pair_02)
      (lean_party_connected_1 W h m (prg (repr 8 1) words_1) words_1 pair_01 pair_12)
      (lean_party_connected_2 W h m (prg (repr 8 2) words_2) words_2 pair_02 pair_12) (repr 64 1).
Proof.
  unfold lean_session_connect, lean_session_started. cbv beta iota zeta. cbn [lean_session_Step_sent lean_session_Step_session].
  assert (others : lean_delivery_others (repr 8 0) = [repr 8 1; repr 8 2] /\ lean_delivery_others (repr 8 1) = [repr 8 0; repr 8 2] /\
    lean_delivery_others (repr 8 2) = [repr 8 0; repr 8 1]) by (repeat split; reflexivity).
  destruct others as (o_0 & o_1 & o_2).
  split; [split; [|split]; unfold lean_delivery_say_hello; rewrite ?o_0, ?o_1, ?o_2; deliver; reflexivity|].
  assert (back : forall words second, lean_party_Hello_contribution (lean_payload_hello_of (lean_payload_hello (lean_party_hello words m second)))
    = lean_party_Hello_contribution (lean_party_hello words m second)) by (intros; rewrite lean_hello_round_trip; reflexivity).
  assert (same : forall words, lean_party_Hello_contribution (lean_party_hello words m true) = lean_party_Hello_contribution (lean_party_hello words m false)) by reflexivity.
  unfold lean_delivery_session_prg. rewrite o_0, o_1, o_2. cbv zeta. cbn [map]. deliver. rewrite !back, !same.
  set (c_0 := lean_party_Hello_contribution (lean_party_hello words_0 m false)). set (c_1 := lean_party_Hello_contribution (lean_party_hello words_1 m false)).
  set (c_2 := lean_party_Hello_contribution (lean_party_hello words_2 m false)). unfold lean_party_session_key. cbn [fold_left].
  replace (ixor (ixor (ixor (repr 128 0) c_1) c_0) c_2) with (ixor (ixor (ixor (repr 128 0) c_0) c_1) c_2) by xor_and.
  replace (ixor (ixor (ixor (repr 128 0) c_2) c_0) c_1) with (ixor (ixor (ixor (repr 128 0) c_0) c_1) c_2) by xor_and.
  reflexivity.
Qed.
