(* What the online steps of `lean::session` send, in bytes, is the messages that OperationView.v speaks of: of each query's item, as it is held,
   the state, and the words of the item's streams. So the views of privacy are those of the functions that run a session, once an item
   is made. For parties that are ready (SessionSteps.v). *)
From Coq Require Import Lia.
From Duoram.lean Require Import SessionSteps CorrectionsUniform OperationView.
From Duoram.Generated Require Import All.

Notation message kind from to operation round payload :=
  (mk_lean_session_Sent (repr 8 kind) (repr 8 from) (repr 8 to) operation (repr 32 round) payload).
Definition bytes_of (ws : list W) : list u8 := flat_map (fun w => bytes_word_bytes (ring_Ring_to_u64 w)) ws.
Definition first_word (ws : list W) : W := nth 0 ws (ring_Ring_zero W).

Section Session.
  Context {P : Type} {P_Prg : prg_Prg P} {P_Layers : lean_layers_Layers P} (prg : P).
  Context (h : u64) (h_small : val h < 64).
  Context (pair_01 pair_02 pair_12 : lean_tape_PairStreams).
  Notation n := (lean_party_size h).
  Notation ready := (session_ready prg h pair_01 pair_02 pair_12).
  Notation held_item := (held_item (W := W)).
  Implicit Types (x : held_item) (session : lean_session_Session W P).

  (* One query, with its item and the words that it takes of the item's streams. *)
  Definition held_run (op : lean_op) session (x : held_item) (addresses : u64 * u64) (values : W * W) : op_sent :=
    let number := lean_party_Item0_number (at_0 x) in
    let words_01 := lean_tape_item_stream pair_01 number in
    let words_02 := lean_tape_item_stream pair_02 number in
    let words_12 := lean_tape_item_stream pair_12 number in
    op_run op (lean_session_state session) (held_material prg h x) (held_index x) addresses values (lean_tape_online_01 W words_01)
      (mk_lean_write_Masks (lean_tape_write_mask_01 W words_01) (lean_tape_online_02 W words_02 h)
        (lean_tape_online_12 W words_12 h lean_layers_Purpose_Update (repr 64 1)))
      (lean_tape_online_12 W words_12 h (purpose_of op) (repr 64 0)).
  Definition addresses_of (query : lean_online_Query W * lean_online_Query W) : u64 * u64 :=
    (lean_online_Query_address (fst query), lean_online_Query_address (snd query)).
  Definition written_of (query : lean_online_Query W * lean_online_Query W) : W * W :=
    (lean_online_Query_value (fst query), lean_online_Query_value (snd query)).

  (* WRITE and SWAP *)
  Definition put_messages (operation : u64) (run : op_sent) : list lean_session_Sent :=
    let shifts_0 := lean_payload_addresses_bytes h [sent_shift_0 run] in
    let shifts_1 := lean_payload_addresses_bytes h [sent_shift_1 run] in
    [message 12 0 1 operation 0 shifts_0; message 12 0 2 operation 0 shifts_0;
     message 12 1 0 operation 0 shifts_1; message 12 1 2 operation 0 shifts_1;
     message 15 0 1 operation 1 (bytes_of (sent_by_0 run)); message 15 0 2 operation 1 (bytes_of (sent_by_0 run));
     message 15 1 0 operation 1 (bytes_of (sent_by_1 run)); message 15 1 2 operation 1 (bytes_of (sent_by_1 run));
     message 15 2 0 operation 1 (bytes_of (sent_by_2 run)); message 15 2 1 operation 1 (bytes_of (sent_by_2 run))]
    ++ map (fun g => message 13 2 0 operation 1 (bytes_of [g])) (sent_to_0 run).

  Theorem lean_put_sends reads updates x session (query : lean_online_Query W * lean_online_Query W) (swap : bool) :
    ready reads (x :: updates) session ->
    lean_session_Step_sent (lean_session_put session query swap)
    = put_messages (lean_session_Session_operation session)
        (held_run (if swap then op_swap else op_write) session x (addresses_of query) (written_of query)).
  Proof.
    intros r. destruct query as [q_0 q_1]. unfold lean_session_put. cbv zeta.
    pose proof r as [e1 e2 e3 e4 e5 e6 e7 e8 e9 e10 e11 e12 e13 e14 e15 e16 e17 e18 e19 e20 hr hu hm].
    destruct (Forall_inv hu) as ((num_1 & num_2 & key & _ & _) & _). destruct hm as [(_ & _ & size_1 & _) _].
    unfold lean_online_write_shifts_0, lean_online_write_shifts_1. rewrite e18, e19, e20, !take_firstn.
    change (nat_of (repr 64 1)) with 1%nat. cbn [map firstn first hd_error lean_session_Step_sent].
    change (vector_at [lean_online_shift_0 (lean_session_Session_p0 session) (at_0 x) (lean_online_Query_address q_0)] (repr 64 0)
      (repr 64 0)) with (lean_online_shift_0 (lean_session_Session_p0 session) (at_0 x) (lean_online_Query_address q_0)).
    change (vector_at [lean_online_shift_1 (lean_session_Session_p1 session) (at_1 x) (lean_online_Query_address q_1)] (repr 64 0)
      (repr 64 0)) with (lean_online_shift_1 (lean_session_Session_p1 session) (at_1 x) (lean_online_Query_address q_1)).
    assert (size : len (lean_memory_State1_alpha (lean_party_Party1_state (lean_session_Session_p1 session))) = n) by (apply sized_len, size_1).
    unfold lean_online_shift_0, lean_online_shift_1, lean_online_write_part_0, lean_online_write_part_1, lean_online_write_part_2,
      lean_online_swap_unblinding, lean_online_part_0, lean_online_part_1, lean_online_part_2, lean_online_flags_at.
    rewrite e1, e2, e3, e4, e5, e6, e7, e8, e9, e10, e11, e12, num_1, num_2, key.
    unfold held_run, op_run, lean_write_swap, held_material, held_index, addresses_of, written_of, lean_session_state.
    cbn [lean_update_Material_value_shares lean_update_Material_flags lean_memory_State_p0 lean_memory_State_p1 lean_memory_State_p2 fst snd].
    rewrite size. destruct swap; unfold put_messages, bytes_of; cbn [sent_shift_0 sent_shift_1 sent_by_0 sent_by_1 sent_by_2 sent_to_0 flat_map map
      lean_write_Swap_shift_0 lean_write_Swap_shift_1 lean_write_Swap_part_0 lean_write_Swap_part_1 lean_write_Swap_part_2 lean_write_Swap_unblinding
      lean_write_Masks_y_01 lean_write_Masks_y_02 lean_write_Masks_y_12 purpose_of]; rewrite !app_nil_r; reflexivity.
  Qed.
End Session.
