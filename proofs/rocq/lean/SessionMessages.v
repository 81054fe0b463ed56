(* What the online steps of `lean::session` send, in bytes, is the messages that OperationView.v speaks of: of each query's item, as it is held,
   the state, and the words of the item's streams. So the views of privacy are those of the functions that run a session, once an item
   is made. For parties that are ready (SessionSteps.v). *)
From Coq Require Import Lia.
From Duoram.lean Require Import SessionSteps CorrectionsUniform OperationView.
From Duoram.Generated Require Import All.

Notation message kind from to operation round payload :=
  (mk_lean_session_Sent (repr 8 kind) (repr 8 from) (repr 8 to) operation (repr 32 round) payload).

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
    op_run op n (lean_session_state session) (held_material prg h x) (held_index x) addresses values (lean_tape_online_01 W words_01)
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
     message 15 0 1 operation 1 (bytes_ring_bytes (sent_by_0 run)); message 15 0 2 operation 1 (bytes_ring_bytes (sent_by_0 run));
     message 15 1 0 operation 1 (bytes_ring_bytes (sent_by_1 run)); message 15 1 2 operation 1 (bytes_ring_bytes (sent_by_1 run));
     message 15 2 0 operation 1 (bytes_ring_bytes (sent_by_2 run)); message 15 2 1 operation 1 (bytes_ring_bytes (sent_by_2 run))]
    ++ map (fun g => message 13 2 0 operation 1 (bytes_ring_bytes [g])) (sent_to_0 run).

  Theorem lean_put_sends reads updates x session (query : lean_online_Query W * lean_online_Query W) (swap : bool) :
    ready reads (x :: updates) session ->
    lean_session_Step_sent (lean_session_put session query swap)
    = put_messages (lean_session_Session_operation session)
        (held_run (if swap then op_swap else op_write) session x (addresses_of query) (written_of query)).
  Proof.
    intros r. destruct query as [q_0 q_1]. unfold lean_session_put. cbv zeta.
    pose proof r as [e1 e2 e3 e4 e5 e6 e7 e8 e9 e10 e11 e12 e13 e14 e15 e16 e17 e18 e19 e20 hr hu hm].
    destruct (Forall_inv hu) as ((num_1 & num_2 & key & _ & _) & _).
    unfold lean_online_write_shifts_0, lean_online_write_shifts_1. rewrite e18, e19, e20, !take_firstn.
    change (nat_of (repr 64 1)) with 1%nat. cbn [map firstn first hd_error lean_session_Step_sent].
    change (vector_at [lean_online_shift_0 (lean_session_Session_p0 session) (at_0 x) (lean_online_Query_address q_0)] (repr 64 0)
      (repr 64 0)) with (lean_online_shift_0 (lean_session_Session_p0 session) (at_0 x) (lean_online_Query_address q_0)).
    change (vector_at [lean_online_shift_1 (lean_session_Session_p1 session) (at_1 x) (lean_online_Query_address q_1)] (repr 64 0)
      (repr 64 0)) with (lean_online_shift_1 (lean_session_Session_p1 session) (at_1 x) (lean_online_Query_address q_1)).
    unfold lean_online_shift_0, lean_online_shift_1, lean_online_write_part_0, lean_online_write_part_1, lean_online_write_part_2,
      lean_online_swap_unblinding, lean_online_part_0, lean_online_part_1, lean_online_part_2, lean_online_flags_at.
    rewrite e1, e2, e3, e4, e5, e6, e7, e8, e9, e10, e11, e12, num_1, num_2, key.
    unfold held_run, op_run, lean_write_swap, held_material, held_index, addresses_of, written_of, lean_session_state.
    cbn [lean_update_Material_value_shares lean_update_Material_flags lean_memory_State_p0 lean_memory_State_p1 lean_memory_State_p2 fst snd].
    destruct swap; unfold put_messages, bytes_ring_bytes; cbn [sent_shift_0 sent_shift_1 sent_by_0 sent_by_1 sent_by_2 sent_to_0 flat_map map
      lean_write_Swap_shift_0 lean_write_Swap_shift_1 lean_write_Swap_part_0 lean_write_Swap_part_1 lean_write_Swap_part_2 lean_write_Swap_unblinding
      lean_write_Masks_y_01 lean_write_Masks_y_02 lean_write_Masks_y_12 purpose_of]; rewrite !app_nil_r; reflexivity.
  Qed.

  (* READs, k in one step, all of one state *)
  Definition read_messages (operation : u64) (runs : list op_sent) : list lean_session_Sent :=
    let shifts_0 := lean_payload_addresses_bytes h (map sent_shift_0 runs) in
    let shifts_1 := lean_payload_addresses_bytes h (map sent_shift_1 runs) in
    [message 12 0 1 operation 0 shifts_0; message 12 0 2 operation 0 shifts_0;
     message 12 1 0 operation 0 shifts_1; message 12 1 2 operation 0 shifts_1;
     message 13 2 0 operation 1 (bytes_ring_bytes (flat_map sent_to_0 runs))].

  Theorem lean_reads_send reads updates session (addresses : list (u64 * u64)) :
    ready reads updates session -> (length addresses <= length reads)%nat ->
    lean_session_Step_sent (lean_session_reads session addresses)
    = read_messages (lean_session_Session_operation session)
        (map (fun used => held_run op_read session (fst used) (snd used) (ring_Ring_zero W, ring_Ring_zero W)) (combine reads addresses)).
  Proof.
    intros r enough.
    pose proof r as [e1 e2 e3 e4 e5 e6 e7 e8 e9 e10 e11 e12 e13 e14 e15 e16 e17 e18 e19 e20 hr hu hm].
    rewrite Forall_forall in hr.
    set (run := fun used => held_run op_read session (fst used) (snd used) (ring_Ring_zero W, ring_Ring_zero W)).
    set (pairs := combine reads addresses).
    assert (inside : forall used, In used pairs -> In (fst used) reads) by (intros [x y] hx; exact (in_combine_l _ _ _ _ hx)).
    assert (ea : addresses = map snd pairs) by (symmetry; apply map_snd_of_combine, enough).
    assert (zip : forall (C D : Type) (f : held_item -> C) (g : held_item * (u64 * u64) -> D),
      combine (map f reads) (map g pairs) = map (fun used : held_item * (u64 * u64) => (f (fst used), g used)) pairs)
      by (intros; apply combine_map_combine).
    clearbody pairs. subst addresses.
    assert (s_0 : lean_online_read_shifts_0 (lean_session_Session_p0 session) (map (fun '((share, _) : u64 * u64) => share) (map snd pairs))
      = map sent_shift_0 (map run pairs)).
    { unfold lean_online_read_shifts_0. rewrite e15, !map_map, zip, map_map. apply map_ext. intros [x [i_0 i_1]].
      cbn [fst snd]. unfold run, held_run, op_run, lean_read_read, held_index, lean_online_shift_0. cbn [fst snd sent_shift_0 lean_read_Read_shift_0].
      unfold lean_session_state. cbn [lean_memory_State_p1]. rewrite e1. reflexivity. }
    assert (s_1 : lean_online_read_shifts_1 (lean_session_Session_p1 session) (map (fun '((_, share) : u64 * u64) => share) (map snd pairs))
      = map sent_shift_1 (map run pairs)).
    { unfold lean_online_read_shifts_1. rewrite e16, !map_map, zip, map_map. apply map_ext. intros [x [i_0 i_1]].
      cbn [fst snd]. unfold run, held_run, op_run, lean_read_read, held_index, lean_online_shift_1. cbn [fst snd sent_shift_1 lean_read_Read_shift_1].
      unfold lean_session_state. cbn [lean_memory_State_p1]. rewrite e2. reflexivity. }
    assert (g : snd (lean_online_reads_2 (lean_session_Session_p2 session) (map sent_shift_0 (map run pairs)) (map sent_shift_1 (map run pairs)))
      = flat_map sent_to_0 (map run pairs)).
    { unfold lean_online_reads_2. cbv zeta. cbn [snd]. rewrite e17, !map_map, combine_map, zip, map_map.
      match goal with |- map ?f pairs = _ => set (sent := f) end.
      assert (one : forall used, In used pairs -> sent_to_0 (run used) = [sent used]).
      { intros used hx. destruct (hr (fst used) (inside used hx)) as (num_1 & num_2 & key & _). destruct used as [x [i_0 i_1]]. unfold sent.
        cbn [fst snd] in *. unfold run, held_run, op_run, lean_read_read, held_index. cbn [fst snd sent_shift_0 sent_shift_1 sent_to_0
          lean_read_Read_shift_0 lean_read_Read_shift_1 lean_read_Read_unblinding purpose_of].
        unfold lean_online_part_2, lean_online_flags_at. rewrite e3, e6, e12, num_2, key. reflexivity. }
      clearbody sent. clear - one. induction pairs as [|used l IH]; [reflexivity|]. cbn [map flat_map].
      rewrite (one used) by (left; reflexivity). cbn [app]. f_equal. apply IH. intros u hu. apply one. right. exact hu. }
    unfold lean_session_reads. cbv zeta. rewrite s_0, s_1, e1.
    destruct (lean_online_reads_2 _ _ _) as [p2 gs] eqn:e. cbn [snd] in g. subst gs.
    destruct (lean_online_reads_0 _ _ _ _) as [p0 rs_0], (lean_online_reads_1 _ _ _) as [p1 rs_1]. reflexivity.
  Qed.

  (* UPDATEs, k in one message *)
  Definition update_message (shift : u64) (ws : list W) : lean_online_UpdateMessage W := mk_lean_online_UpdateMessage shift (first_word ws).
  Definition update_messages (operation : u64) (runs : list op_sent) : list lean_session_Sent :=
    let from_0 := lean_payload_updates h (map (fun run => update_message (sent_shift_0 run) (sent_by_0 run)) runs) in
    let from_1 := lean_payload_updates h (map (fun run => update_message (sent_shift_1 run) (sent_by_1 run)) runs) in
    [message 14 0 1 operation 0 from_0; message 14 0 2 operation 0 from_0; message 14 1 0 operation 0 from_1; message 14 1 2 operation 0 from_1].

  Theorem lean_updates_send reads updates session (queries : list (lean_online_Query W * lean_online_Query W)) :
    ready reads updates session -> (length queries <= length updates)%nat ->
    lean_session_Step_sent (lean_session_updates session queries)
    = update_messages (lean_session_Session_operation session)
        (map (fun used => held_run op_update session (fst used) (addresses_of (snd used)) (written_of (snd used))) (combine updates queries)).
  Proof.
    intros r enough.
    pose proof r as [e1 e2 e3 e4 e5 e6 e7 e8 e9 e10 e11 e12 e13 e14 e15 e16 e17 e18 e19 e20 hr hu hm].
    rewrite Forall_forall in hu.
    assert (z : forall (C D : Type) (f : held_item -> C) (g : lean_online_Query W * lean_online_Query W -> D),
      combine (map f updates) (map g queries)
      = map (fun used : held_item * (lean_online_Query W * lean_online_Query W) => (f (fst used), g (snd used))) (combine updates queries)).
    { intros C D f g. clear. revert queries. induction updates as [|x l IH]; intros [|y q]; cbn; try reflexivity. rewrite IH. reflexivity. }
    assert (from_0 : lean_online_update_messages_0 (lean_session_Session_p0 session) (map (fun '(query, _) => query) queries)
      = map (fun run => update_message (sent_shift_0 run) (sent_by_0 run)) (map (fun used => held_run op_update session (fst used)
          (addresses_of (snd used)) (written_of (snd used))) (combine updates queries))).
    { unfold lean_online_update_messages_0. rewrite e18, z, !map_map. apply map_ext_in. intros [x [q_0 q_1]] hx. apply in_combine_l in hx.
      unfold update_message, held_run, op_run, lean_update_update, held_material, held_index, addresses_of, written_of, lean_online_shift_0, lean_session_state.
      cbn [fst snd first_word nth sent_shift_0 sent_by_0 lean_update_Update_message_0 lean_update_Material_value_shares lean_memory_State_p1].
      rewrite e1, e7. reflexivity. }
    assert (from_1 : lean_online_update_messages_1 (lean_session_Session_p1 session) (map (fun '(_, query) => query) queries)
      = map (fun run => update_message (sent_shift_1 run) (sent_by_1 run)) (map (fun used => held_run op_update session (fst used)
          (addresses_of (snd used)) (written_of (snd used))) (combine updates queries))).
    { unfold lean_online_update_messages_1. rewrite e19, z, !map_map. apply map_ext_in. intros [x [q_0 q_1]] hx. apply in_combine_l in hx.
      destruct (hu x hx) as ((num & _) & _).
      unfold update_message, held_run, op_run, lean_update_update, held_material, held_index, addresses_of, written_of, lean_online_shift_1, lean_session_state.
      cbn [fst snd first_word nth sent_shift_1 sent_by_1 lean_update_Update_message_1 lean_update_Material_value_shares lean_memory_State_p1].
      rewrite e2, e9, num. reflexivity. }
    unfold lean_session_updates. cbv zeta. cbn [lean_session_Step_sent]. rewrite from_0, from_1, e1. reflexivity.
  Qed.
End Session.
