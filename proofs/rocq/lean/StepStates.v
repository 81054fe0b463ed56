(* The state and the results after each step of a lean session, of its items as they are held: what SessionMessages.v is for the messages. So what a session
   does later follows, with the messages, from what its steps take of their items ([taken]). For parties that are ready (SessionSteps.v). *)
From Coq Require Import Lia.
From Duoram.lean Require Import SessionSteps CorrectionsUniform OperationView SessionMessages.
From Duoram.Generated Require Import All.

(** * One operation *)

(* What an operation takes of its item, and of the words that were drawn for it. *)
Record taken : Type := {
  taken_leaves : u64; (* of its trees *)
  taken_material : lean_update_Material W; taken_index : u64 * u64; taken_x : W; taken_masks : lean_write_Masks W; taken_rho : W;
}.
(* The shares of an address, and of a value. *)
Notation query := ((u64 * u64) * (W * W))%type.

Definition run_of_taken (op : lean_op) (state : lean_memory_State W) (t : taken) (q : query) : op_sent :=
  op_run op (taken_leaves t) state (taken_material t) (taken_index t) (fst q) (snd q) (taken_x t) (taken_masks t) (taken_rho t).
Definition answers (op : lean_op) (state : lean_memory_State W) (t : taken) (q : query) : list (W * W) :=
  match op with
  | op_read =>
      let run := lean_read_read state (lean_update_Material_flags (taken_material t)) (taken_leaves t) (taken_index t) (fst q) (taken_rho t) in
      [(lean_read_Read_read_0 run, lean_read_Read_read_1 run)]
  | op_swap =>
      let run := lean_write_swap state (taken_material t) (taken_leaves t) (taken_index t) (fst q) (snd q) (taken_masks t) (taken_rho t) in
      [(lean_write_Swap_read_0 run, lean_write_Swap_read_1 run)]
  | op_update | op_write => []
  end.
(* The messages of a step are of the state before it, also those of its second UPDATE; they are applied to the state one after the other. *)
Definition applied (op : lean_op) (before state : lean_memory_State W) (t : taken) (q : query) : lean_memory_State W :=
  match op with
  | op_read => state
  | op_update =>
      let run := run_of_taken op_update before t q in
      lean_update_apply state (taken_material t) (lean_read_reconstruct_shift (sent_shift_0 run) (sent_shift_1 run))
        (lean_update_final_correction_a (first_word (sent_by_0 run)) (first_word (sent_by_1 run)))
  | op_write | op_swap =>
      lean_write_Swap_state (lean_write_swap before (taken_material t) (taken_leaves t) (taken_index t) (fst q) (snd q) (taken_masks t) (taken_rho t))
  end.
Definition all_answers (op : lean_op) (state : lean_memory_State W) (used : list (taken * query)) : list (W * W) :=
  flat_map (fun u => answers op state (fst u) (snd u)) used.
Definition all_applied (op : lean_op) (state : lean_memory_State W) (used : list (taken * query)) : lean_memory_State W :=
  fold_left (fun after u => applied op state after (fst u) (snd u)) used state.

Lemma flat_map_one {A B : Type} (f : A -> B) (l : list A) : flat_map (fun x => [f x]) l = map f l.
Proof. induction l as [|x l IH]; [reflexivity|]. cbn. rewrite IH. reflexivity. Qed.

Section Session.
  Context {P : Type} {P_Prg : prg_Prg P} {P_Layers : lean_layers_Layers P} (prg : P).
  Context (h : u64) (h_small : val h < 64).
  Context (pair_01 pair_02 pair_12 : lean_tape_PairStreams).
  Notation n := (lean_party_size h).
  Notation ready := (session_ready prg h pair_01 pair_02 pair_12).
  Notation held_item := (held_item (W := W)).
  Implicit Types (x : held_item) (session : lean_session_Session W P).

  Definition taken_held (op : lean_op) x : taken :=
    let number := lean_party_Item0_number (at_0 x) in
    let words_01 := lean_tape_item_stream pair_01 number in
    let words_12 := lean_tape_item_stream pair_12 number in
    {| taken_leaves := n; taken_material := held_material prg h x; taken_index := held_index x; taken_x := lean_tape_online_01 W words_01;
       taken_masks := mk_lean_write_Masks (lean_tape_write_mask_01 W words_01) (lean_tape_online_02 W (lean_tape_item_stream pair_02 number) h)
         (lean_tape_online_12 W words_12 h lean_layers_Purpose_Update (repr 64 1));
       taken_rho := lean_tape_online_12 W words_12 h (purpose_of op) (repr 64 0) |}.
  Lemma held_run_is_taken op session x addresses values :
    held_run prg h pair_01 pair_02 pair_12 op session x addresses values
    = run_of_taken op (lean_session_state session) (taken_held op x) (addresses, values).
  Proof. reflexivity. Qed.

  (** * READs *)

  Theorem lean_reads_results reads updates session (addresses : list (u64 * u64)) :
    ready reads updates session -> (length addresses <= length reads)%nat ->
    lean_session_state (lean_session_Step_session (lean_session_reads session addresses)) = lean_session_state session /\
    lean_session_Step_results (lean_session_reads session addresses)
    = all_answers op_read (lean_session_state session)
        (map (fun used => (taken_held op_read (fst used), (snd used, (ring_Ring_zero W, ring_Ring_zero W)))) (combine reads addresses)).
  Proof.
    intros r enough.
    destruct session as [[a0 a1 a2 a3 a4 a5 a6 a7 a8 a9] [b0 b1 b2 b3 b4 b5 b6 b7 b8 b9] [c0 c1 c2 c3 c4 c5 c6 c7 c8 c9] operation].
    destruct r as [e1 e2 e3 e4 e5 e6 e7 e8 e9 e10 e11 e12 e13 e14 e15 e16 e17 e18 e19 e20 hr hu hm]. cbn in *. subst.
    split; [reflexivity|]. unfold all_answers. rewrite flat_map_concat_map, map_map, <- flat_map_concat_map. cbn [fst snd answers]. rewrite flat_map_one.
    assert (ea : addresses = map snd (combine reads addresses)) by (symmetry; apply map_snd_of_combine, enough).
    assert (zip : forall (C D : Type) (f : held_item -> C) (g : held_item * (u64 * u64) -> D),
      combine (map f reads) (map g (combine reads addresses)) = map (fun used => (f (fst used), g used)) (combine reads addresses))
      by (intros; apply combine_map_combine).
    assert (inside : forall used, In used (combine reads addresses) -> In (fst used) reads) by (intros [x y] hx; exact (in_combine_l _ _ _ _ hx)).
    set (pairs := combine reads addresses) in *. clearbody pairs. subst addresses.
    unfold lean_session_reads, lean_online_reads_0, lean_online_reads_1, lean_online_reads_2, lean_online_read_shifts_0, lean_online_read_shifts_1. cbn.
    repeat (rewrite map_map || rewrite zip || rewrite combine_map).
    apply map_ext_in. intros [x [i_0 i_1]] hx. apply inside in hx. cbn [fst] in hx. rewrite Forall_forall in hr.
    destruct (hr x hx) as (num_1 & num_2 & key & _). cbn [fst snd].
    unfold lean_read_read, held_index. cbn [fst snd lean_memory_State_p1].
    unfold lean_online_part_0, lean_online_part_1, lean_online_part_2, lean_online_flags_at, lean_online_shift_0, lean_online_shift_1. cbn.
    rewrite num_1, num_2, key, (reconstruct_comm (lean_read_shift_share i_1 _ _)). reflexivity.
  Qed.

  (** * UPDATEs *)

  Lemma used_state reads updates x session (s operation : u64) (F : W) : ready reads (x :: updates) session ->
    lean_session_state (mk_lean_session_Session (lean_online_used_0 (lean_session_Session_p0 session) s F)
      (lean_online_used_1 (lean_session_Session_p1 session) s F) (lean_online_used_2 (lean_session_Session_p2 session) s F) operation)
    = lean_update_apply (lean_session_state session) (held_material prg h x) s F.
  Proof.
    intros r.
    destruct session as [[a0 a1 a2 a3 a4 a5 a6 a7 a8 a9] [b0 b1 b2 b3 b4 b5 b6 b7 b8 b9] [c0 c1 c2 c3 c4 c5 c6 c7 c8 c9] operation_0].
    destruct r as [e1 e2 e3 e4 e5 e6 e7 e8 e9 e10 e11 e12 e13 e14 e15 e16 e17 e18 e19 e20 hr hu hm].
    cbn in e1, e2, e3, e4, e5, e6, e7, e8, e9, e10, e11, e12, e13, e14, e15, e16, e17, e18, e19, e20. subst.
    inversion hu as [|? ? (hx & same_delta & _) hu']. destruct hx as (_ & _ & key & _).
    unfold lean_session_state, lean_online_used_0, lean_online_used_1, lean_online_used_2, lean_online_applied_0,
      lean_online_applied_1, lean_online_applied_2, lean_online_update_share, lean_update_apply. cbn.
    rewrite key, same_delta. reflexivity.
  Qed.

  Definition query_of (q : lean_online_Query W * lean_online_Query W) : query := (addresses_of q, written_of q).

  Lemma updates_states start (queries : list (lean_online_Query W * lean_online_Query W)) :
    forall reads updates session operation, ready reads updates session -> (length queries <= length updates)%nat ->
    let pairs := combine updates queries in
    lean_session_state (mk_lean_session_Session
      (lean_online_updates_0 (lean_session_Session_p0 session) (map (message_0 h pair_01) pairs) (map (message_1 h pair_01) pairs))
      (lean_online_updates_1 (lean_session_Session_p1 session) (map (message_1 h pair_01) pairs) (map (message_0 h pair_01) pairs))
      (lean_online_updates_2 (lean_session_Session_p2 session) (map (message_0 h pair_01) pairs) (map (message_1 h pair_01) pairs)) operation)
    = fold_left (fun after u => applied op_update start after (fst u) (snd u))
        (map (fun used => (taken_held op_update (fst used), query_of (snd used))) pairs) (lean_session_state session).
  Proof.
    induction queries as [|q queries IH]; intros reads [|x updates] session operation r enough; cbn [length] in enough; try lia; try reflexivity.
    cbn [combine map fold_left]. cbv zeta.
    assert (hF : snd (lean_online_opened (message_0 h pair_01 (x, q)) (message_1 h pair_01 (x, q)))
      = ring_Ring_minus (query_value q) (opened_value (held_material prg h x))).
    { unfold lean_online_opened, message_0, message_1, query_value, opened_value, lean_update_final_correction_a,
        lean_update_masked_value_0, lean_update_masked_value_1. cbn. apply xor_word_ext. cbn. xor_and. }
    destruct (used_together prg h h_small pair_01 pair_02 pair_12 reads updates x session (fst (lean_online_opened (message_0 h pair_01 (x, q)) (message_1 h pair_01 (x, q))))
      operation (query_value q) _ r hF) as [r' _].
    pose proof (used_state reads updates x session (fst (lean_online_opened (message_0 h pair_01 (x, q)) (message_1 h pair_01 (x, q)))) operation
      (snd (lean_online_opened (message_0 h pair_01 (x, q)) (message_1 h pair_01 (x, q)))) r) as state.
    specialize (IH reads updates _ operation r' ltac:(lia)). cbv zeta in IH. cbn [lean_session_Session_p0 lean_session_Session_p1 lean_session_Session_p2] in IH.
    rewrite state in IH. cbn [fst snd] in *.
    assert (same : lean_update_apply (lean_session_state session) (held_material prg h x)
        (fst (lean_online_opened (message_0 h pair_01 (x, q)) (message_1 h pair_01 (x, q))))
        (snd (lean_online_opened (message_0 h pair_01 (x, q)) (message_1 h pair_01 (x, q))))
      = applied op_update start (lean_session_state session) (taken_held op_update x) (query_of q)).
    { unfold applied, run_of_taken, op_run, lean_update_update, query_of, addresses_of, written_of, taken_held, held_index, held_material.
      cbn [fst snd taken_leaves taken_material taken_index taken_x sent_shift_0 sent_shift_1 sent_by_0 sent_by_1 first_word nth lean_update_Update_message_0
        lean_update_Update_message_1 lean_update_Material_value_shares]. reflexivity. }
    rewrite same in IH. rewrite <- IH.
    unfold lean_online_updates_0, lean_online_updates_1, lean_online_updates_2. cbn [combine fold_left].
    rewrite (opened_comm (message_1 h pair_01 (x, q))).
    destruct (lean_online_opened (message_0 h pair_01 (x, q)) (message_1 h pair_01 (x, q))) as [s F]. reflexivity.
  Qed.

  Theorem lean_updates_state reads updates session (queries : list (lean_online_Query W * lean_online_Query W)) :
    ready reads updates session -> (length queries <= length updates)%nat ->
    lean_session_state (lean_session_Step_session (lean_session_updates session queries))
    = all_applied op_update (lean_session_state session)
        (map (fun used => (taken_held op_update (fst used), query_of (snd used))) (combine updates queries)).
  Proof.
    intros r enough.
    pose proof r as [e1 e2 e3 e4 e5 e6 e7 e8 e9 e10 e11 e12 e13 e14 e15 e16 e17 e18 e19 e20 hr hu hm].
    rewrite Forall_forall in hu.
    assert (z : forall (C D : Type) (f : held_item -> C) (g : lean_online_Query W * lean_online_Query W -> D),
      combine (map f updates) (map g queries)
      = map (fun used : held_item * (lean_online_Query W * lean_online_Query W) => (f (fst used), g (snd used))) (combine updates queries)).
    { intros C D f g. clear. revert queries. induction updates as [|x l IH]; intros [|y q]; cbn; try reflexivity. rewrite IH. reflexivity. }
    assert (sent : lean_online_update_messages_0 (lean_session_Session_p0 session) (map (fun '(query, _) => query) queries)
        = map (message_0 h pair_01) (combine updates queries) /\
      lean_online_update_messages_1 (lean_session_Session_p1 session) (map (fun '(_, query) => query) queries)
        = map (message_1 h pair_01) (combine updates queries)).
    { unfold lean_online_update_messages_0, lean_online_update_messages_1. rewrite e18, e19.
      rewrite !z, !map_map. split; apply map_ext_in; intros [x [q_0 q_1]] hx; apply in_combine_l in hx;
        destruct (hu x hx) as ((num & _) & _); unfold lean_online_shift_0, lean_online_shift_1; cbn [fst snd];
        rewrite ?e1, ?e2, ?e7, ?e9, ?num; reflexivity. }
    destruct sent as [sent_0 sent_1]. unfold lean_session_updates. cbv zeta. cbn [lean_session_Step_session]. rewrite sent_0, sent_1.
    apply updates_states with (reads := reads); [exact r | exact enough].
  Qed.

  (** * WRITE and SWAP *)

  Theorem lean_put_results reads updates x session (q : lean_online_Query W * lean_online_Query W) (swap : bool) :
    ready reads (x :: updates) session ->
    let op := if swap then op_swap else op_write in
    lean_session_state (lean_session_Step_session (lean_session_put session q swap))
      = applied op (lean_session_state session) (lean_session_state session) (taken_held op x) (query_of q) /\
    lean_session_Step_results (lean_session_put session q swap) = answers op (lean_session_state session) (taken_held op x) (query_of q).
  Proof.
    intros r op. destruct q as [q_0 q_1]. unfold lean_session_put. cbv zeta.
    pose proof r as [e1 e2 e3 e4 e5 e6 e7 e8 e9 e10 e11 e12 e13 e14 e15 e16 e17 e18 e19 e20 hr hu hm].
    destruct (Forall_inv hu) as ((num_1 & num_2 & key & _ & _) & _).
    unfold lean_online_write_shifts_0, lean_online_write_shifts_1. rewrite e18, e19, e20, !take_firstn.
    change (nat_of (repr 64 1)) with 1%nat. cbn [map firstn first hd_error lean_session_Step_session lean_session_Step_results].
    change (vector_at [lean_online_shift_0 (lean_session_Session_p0 session) (at_0 x) (lean_online_Query_address q_0)] (repr 64 0)
      (repr 64 0)) with (lean_online_shift_0 (lean_session_Session_p0 session) (at_0 x) (lean_online_Query_address q_0)).
    change (vector_at [lean_online_shift_1 (lean_session_Session_p1 session) (at_1 x) (lean_online_Query_address q_1)] (repr 64 0)
      (repr 64 0)) with (lean_online_shift_1 (lean_session_Session_p1 session) (at_1 x) (lean_online_Query_address q_1)).
    rewrite (used_state reads updates x session _ _ _ r).
    unfold lean_online_shift_0, lean_online_shift_1, lean_online_write_part_0, lean_online_write_part_1, lean_online_write_part_2,
      lean_online_swap_unblinding, lean_online_swap_result_0, lean_online_swap_result_1, lean_online_swap_unblinding, lean_online_part_0, lean_online_part_1,
      lean_online_part_2, lean_online_flags_at.
    rewrite e1, e2, e3, e4, e5, e6, e7, e8, e9, e10, e11, e12, num_1, num_2, key.
    unfold applied, answers, lean_write_swap, taken_held, query_of, addresses_of, written_of, held_index, lean_session_state.
    unfold held_material at 2 4.
    destruct swap; unfold op; cbn [fst snd taken_leaves taken_material taken_index taken_masks taken_rho held_material lean_update_Material_value_shares lean_update_Material_flags
      lean_memory_State_p1 lean_memory_State_p0 lean_memory_State_p2 lean_write_Swap_state lean_write_Swap_read_0 lean_write_Swap_read_1 purpose_of
      lean_write_Masks_y_01 lean_write_Masks_y_02 lean_write_Masks_y_12]; split; reflexivity.
  Qed.

  (** * Load *)

  Theorem lean_load_state reads updates session m (d_0 d_1 : list W) : ready reads updates session -> sized m d_0 -> sized m d_1 ->
    lean_session_state (lean_session_Step_session (lean_session_load session d_0 d_1))
    = lean_memory_shared d_0 d_1 (lean_tape_ring_words W (lean_tape_stream pair_01 (repr 64 0)) (repr 64 0) m)
        (lean_tape_ring_words W (lean_tape_stream pair_12 (repr 64 0)) (repr 64 0) m).
  Proof.
    intros r h_0 h_1.
    destruct session as [[a0 a1 a2 a3 a4 a5 a6 a7 a8 a9] [b0 b1 b2 b3 b4 b5 b6 b7 b8 b9] [c0 c1 c2 c3 c4 c5 c6 c7 c8 c9] operation].
    destruct r as [e1 e2 e3 e4 e5 e6 e7 e8 e9 e10 e11 e12 e13 e14 e15 e16 e17 e18 e19 e20 hr hu hm].
    cbn in e1, e2, e3, e4, e5, e6, e7, e8, e9, e10, e11, e12, e13, e14, e15, e16, e17, e18, e19, e20. subst.
    assert (words : forall stream, sized m (lean_tape_ring_words W stream (repr 64 0) m)) by (intros; apply map_range_0_length).
    set (x := lean_tape_ring_words W (lean_tape_stream pair_01 (repr 64 0)) (repr 64 0) m).
    set (b := lean_tape_ring_words W (lean_tape_stream pair_12 (repr 64 0)) (repr 64 0) m).
    assert (hx : sized m x) by apply words.
    unfold lean_session_load, lean_party_load_0, lean_party_load_1. cbn -[lean_memory_shared].
    unfold lean_party_loaded_0, lean_party_loaded_2, lean_session_state. cbn -[lean_memory_shared].
    assert (ha : sized m (lean_memory_loaded_alpha_0 d_0 x)) by (apply sized_add; assumption).
    rewrite !(sized_len m d_0), !(sized_len m d_1) by assumption. fold x b. rewrite (sized_len m _ ha). reflexivity.
  Qed.
End Session.
