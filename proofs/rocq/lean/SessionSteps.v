(* The online steps of a lean session, as the Rust module `lean::session` runs them: from parties that are ready, READs, UPDATEs,
   WRITE, SWAP and load answer as the ideal RAM does, and leave parties that are ready for more. Whatever the streams hold. *)
From Coq Require Import Lia.
From Duoram.lean Require Export PreparedItems UpdateWrite.
From Duoram.Generated Require Import All.

#[global] Arguments lean_party_size log_size : simpl never.
#[global] Arguments lean_update_apply {W W_Ring} state material s final_correction : simpl never.

(** * Zips of maps *)

Lemma combine_map_combine {A B C D : Type} (f : A -> C) (g : A * B -> D) (a : list A) (b : list B) :
  combine (map f a) (map g (combine a b)) = map (fun x => (f (fst x), g x)) (combine a b).
Proof. revert b. induction a as [|x a IH]; intros [|y b]; cbn; try reflexivity. rewrite IH. reflexivity. Qed.
Lemma map_snd_of_combine {A B : Type} (a : list A) (b : list B) : (length b <= length a)%nat -> map snd (combine a b) = b.
Proof. revert b. induction a as [|x a IH]; intros [|y b] h; cbn in *; try lia; try reflexivity. rewrite IH by lia. reflexivity. Qed.

(* What is used of a list of items, one for each query: zips of both are maps of one list of pairs. *)
Lemma zipped {A B : Type} (items : list A) (queries : list B) : (length queries <= length items)%nat ->
  exists pairs : list (A * B), queries = map snd pairs /\
    (forall (C D : Type) (f : A -> C) (g : A * B -> D),
      combine (map f items) (map g pairs) = map (fun x => (f (fst x), g x)) pairs) /\
    (forall x, In x pairs -> In (fst x) items).
Proof.
  intros h. exists (combine items queries). split; [symmetry; apply map_snd_of_combine, h|]. split.
  - intros. apply combine_map_combine.
  - intros [x y] hx. apply in_combine_l in hx. exact hx.
Qed.

Section Session.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Boolean : BooleanRing W}.
  Context {P : Type} {P_Prg : prg_Prg P} {P_Layers : lean_layers_Layers P} (prg : P).
  Context (h : u64) (h_small : val h < 64).
  Add Ring W_ring : (ring_theory_W W).
  Notation zero := (ring_Ring_zero W).
  Notation n := (lean_party_size h).

  (** * What holds between steps *)

  (* An item, where it is held. *)
  Definition held_item : Type := lean_party_Item0 W * lean_party_Item1 W * lean_party_Item2 W.
  Definition at_0 (x : held_item) : lean_party_Item0 W := fst (fst x).
  Definition at_1 (x : held_item) : lean_party_Item1 W := snd (fst x).
  Definition at_2 (x : held_item) : lean_party_Item2 W := snd x.

  Definition held_flags (x : held_item) : lean_read_Flags W :=
    mk_lean_read_Flags (lean_layers_unit_flags prg (lean_party_Item0_key_a (at_0 x)) h)
      (lean_layers_unit_flags prg (lean_party_Item1_key_a (at_1 x)) h)
      (lean_layers_unit_flags prg (lean_party_Item0_key_b (at_0 x)) h)
      (lean_layers_unit_flags prg (lean_party_Item2_key_b (at_2 x)) h).
  Definition held_values (x : held_item) : lean_update_Values W :=
    mk_lean_update_Values (lean_layers_values prg (lean_party_Item0_key_a (at_0 x)) h)
      (lean_layers_values prg (lean_party_Item1_key_a (at_1 x)) h)
      (lean_layers_values prg (lean_party_Item0_key_b (at_0 x)) h)
      (lean_layers_values prg (lean_party_Item2_key_b (at_2 x)) h).
  Definition held_material (x : held_item) : lean_update_Material W :=
    mk_lean_update_Material (held_flags x) (held_values x)
      (lean_party_Item0_value_share (at_0 x), lean_party_Item1_value_share (at_1 x)) (lean_party_Item0_delta (at_0 x)).
  Definition held_index (x : held_item) : u64 * u64 :=
    (lean_party_Item0_random_index (at_0 x), lean_party_Item1_random_index (at_1 x)).
  Definition held_ri (x : held_item) : u64 := vector_mod_size (ixor (fst (held_index x)) (snd (held_index x))) n.

  (* The three parties mean the same item, and its flags point at ri. *)
  Definition read_item_ok (x : held_item) : Prop :=
    lean_party_Item1_number (at_1 x) = lean_party_Item0_number (at_0 x) /\
    lean_party_Item2_number (at_2 x) = lean_party_Item0_number (at_0 x) /\
    lean_party_Item2_key_a (at_2 x) = lean_party_Item0_key_a (at_0 x) /\
    lean_flags_sized n (held_flags x) /\ lean_lemmas_flags_point_at (held_flags x) n (held_ri x) = true.
  Definition update_item_ok (x : held_item) : Prop :=
    read_item_ok x /\ lean_party_Item2_delta (at_2 x) = lean_party_Item0_delta (at_0 x) /\
    lean_material_sized n (held_material x) /\ lean_lemmas_material_points_at (held_material x) n (held_ri x) = true.

  (* A memory of any m <= n words. *)
  Definition memory_ready (state : lean_memory_State W) : Prop :=
    exists m, at_most m n /\ lean_state_sized m state /\ lean_lemmas_states_agree state = true.

  Lemma zeros_ready (m : u64) : at_most m n -> memory_ready (lean_memory_initial W m).
  Proof.
    intros fits. exists m. split; [exact fits|]. split; [repeat split; cbn; apply sized_zeros | apply initial_opens_to_zeros].
  Qed.

  (* The parties agree on h, on the PRG, on the pairs' streams and on the items; both sharings are of one memory, and A is the
     same at P0 and P2. *)
  Record session_ready (pair_01 pair_02 pair_12 : lean_tape_PairStreams) (reads updates : list held_item)
    (session : lean_session_Session W P) : Prop := {
    ready_size_0 : lean_party_Party0_log_size (lean_session_Session_p0 session) = h;
    ready_size_1 : lean_party_Party1_log_size (lean_session_Session_p1 session) = h;
    ready_size_2 : lean_party_Party2_log_size (lean_session_Session_p2 session) = h;
    ready_prg_0 : lean_party_Party0_prg (lean_session_Session_p0 session) = prg;
    ready_prg_1 : lean_party_Party1_prg (lean_session_Session_p1 session) = prg;
    ready_prg_2 : lean_party_Party2_prg (lean_session_Session_p2 session) = prg;
    ready_01_0 : lean_party_Party0_stream_01 (lean_session_Session_p0 session) = pair_01;
    ready_02_0 : lean_party_Party0_stream_02 (lean_session_Session_p0 session) = pair_02;
    ready_01_1 : lean_party_Party1_stream_01 (lean_session_Session_p1 session) = pair_01;
    ready_12_1 : lean_party_Party1_stream_12 (lean_session_Session_p1 session) = pair_12;
    ready_02_2 : lean_party_Party2_stream_02 (lean_session_Session_p2 session) = pair_02;
    ready_12_2 : lean_party_Party2_stream_12 (lean_session_Session_p2 session) = pair_12;
    ready_items_1 : lean_party_Party1_items (lean_session_Session_p1 session)
      = lean_party_Party0_items (lean_session_Session_p0 session);
    ready_items_2 : lean_party_Party2_items (lean_session_Session_p2 session)
      = lean_party_Party0_items (lean_session_Session_p0 session);
    ready_reads_0 : lean_party_Party0_reads (lean_session_Session_p0 session) = map at_0 reads;
    ready_reads_1 : lean_party_Party1_reads (lean_session_Session_p1 session) = map at_1 reads;
    ready_reads_2 : lean_party_Party2_reads (lean_session_Session_p2 session) = map at_2 reads;
    ready_updates_0 : lean_party_Party0_updates (lean_session_Session_p0 session) = map at_0 updates;
    ready_updates_1 : lean_party_Party1_updates (lean_session_Session_p1 session) = map at_1 updates;
    ready_updates_2 : lean_party_Party2_updates (lean_session_Session_p2 session) = map at_2 updates;
    ready_reads : Forall read_item_ok reads;
    ready_updates : Forall update_item_ok updates;
    ready_memory : memory_ready (lean_session_state session);
  }.

  Context (pair_01 pair_02 pair_12 : lean_tape_PairStreams).
  Notation ready := (session_ready pair_01 pair_02 pair_12).
  Implicit Types (session : lean_session_Session W P) (reads updates : list held_item).

  Definition memory_of session : list W := lean_memory_opened_alpha (lean_session_state session).
  Definition opened (result : W * W) : W := ring_Ring_plus (fst result) (snd result).
  Definition target (address : u64 * u64) : u64 := vector_mod_size (ixor (fst address) (snd address)) n.

  Lemma reconstruct_comm (a b : u64) : lean_read_reconstruct_shift a b = lean_read_reconstruct_shift b a.
  Proof. apply ixor_comm. Qed.

  Lemma forall_skipn {T : Type} (Q : T -> Prop) (l : list T) (k : nat) : Forall Q l -> Forall Q (skipn k l).
  Proof.
    rewrite !Forall_forall. intros hl x hx. apply hl. rewrite <- (firstn_skipn k l). apply in_or_app. right. assumption.
  Qed.

  Lemma skip_map {A B : Type} (f : A -> B) (l : list A) (k : u64) : skip (map f l) k = map f (skipn (nat_of k) l).
  Proof. rewrite skip_skipn. apply skipn_map. Qed.

  Lemma skip_one {T : Type} (x : T) (l : list T) : skip (x :: l) (repr 64 1) = l.
  Proof. rewrite skip_skipn. reflexivity. Qed.

  (** * READs *)

  Theorem lean_reads_answer_ideal reads updates session (addresses : list (u64 * u64)) :
    ready reads updates session -> Z.of_nat (length addresses) < 2 ^ 64 -> (length addresses <= length reads)%nat ->
    let step := lean_session_reads session addresses in
    ready (skipn (length addresses) reads) updates (lean_session_Step_session step) /\
    lean_session_state (lean_session_Step_session step) = lean_session_state session /\
    map opened (lean_session_Step_results step)
    = map (fun address => vector_at (memory_of session) (target address) zero) addresses.
  Proof.
    intros r small enough step.
    destruct session as [[a0 a1 a2 a3 a4 a5 a6 a7 a8 a9] [b0 b1 b2 b3 b4 b5 b6 b7 b8 b9] [c0 c1 c2 c3 c4 c5 c6 c7 c8 c9] op].
    destruct r as [e1 e2 e3 e4 e5 e6 e7 e8 e9 e10 e11 e12 e13 e14 e15 e16 e17 e18 e19 e20 hr hu hm]. cbn in *. subst.
    split; [|split; [reflexivity|]].
    - subst step. unfold lean_session_reads, lean_online_reads_0, lean_online_reads_1, lean_online_reads_2. cbn.
      constructor; cbn; try reflexivity; try assumption; try (rewrite skip_map; do 2 f_equal);
        try (rewrite ?map_length, nat_of_len; rewrite ?map_length; auto).
      all: try apply forall_skipn, hr.
      all: rewrite combine_length, !map_length; try (rewrite Nat.min_r by lia; exact small); lia.
    - set (mem := memory_of _).
      destruct (zipped reads addresses enough) as (pairs & ea & zip & inside). subst addresses.
      assert (results : lean_session_Step_results step = map (fun x : held_item * (u64 * u64) =>
        let outcome := lean_read_read (mk_lean_memory_State a6 b6 c6) (held_flags (fst x)) n (held_index (fst x)) (snd x)
          (lean_tape_online_12 W (lean_tape_item_stream pair_12 (lean_party_Item0_number (at_0 (fst x)))) h
            lean_layers_Purpose_Read (repr 64 0)) in
        (lean_read_Read_read_0 outcome, lean_read_Read_read_1 outcome)) pairs).
      { subst step. unfold lean_session_reads, lean_online_reads_0, lean_online_reads_1, lean_online_reads_2,
          lean_online_read_shifts_0, lean_online_read_shifts_1. cbn.
        repeat (rewrite map_map || rewrite zip || rewrite combine_map).
        apply map_ext_in. intros [x [i_0 i_1]] hx. apply inside in hx. cbn [fst] in hx. rewrite Forall_forall in hr.
        destruct (hr x hx) as (num_1 & num_2 & key & _). cbn [fst snd].
        unfold lean_read_read, held_index. cbn [fst snd lean_memory_State_p1].
        unfold lean_online_part_0, lean_online_part_1, lean_online_part_2, lean_online_flags_at, lean_online_shift_0,
          lean_online_shift_1. cbn.
        rewrite num_1, num_2, key, (reconstruct_comm (lean_read_shift_share i_1 _ _)). reflexivity. }
      etransitivity; [apply (f_equal (map opened)), results|]. rewrite !map_map.
      apply map_ext_in. intros [x [i_0 i_1]] hx. apply inside in hx. cbn [fst] in hx. rewrite Forall_forall in hr.
      destruct (hr x hx) as (_ & _ & _ & hs & points). unfold held_index, held_ri in *. cbn [fst snd] in *.
      unfold opened. cbn [fst snd].
      destruct hm as (m & fits & sized_m & agree). apply (lean_read_reconstructs m n); auto using size_power_of_two.
  Qed.

  (** * One query with an UPDATE item *)

  (* M more at i, or M there, as the ideal RAM has it. *)
  Lemma point_added m (memory : list W) (i : u64) (M : W) : sized m memory -> at_most m n ->
    vector_add memory (vector_scale M (vector_unit_vector W n i)) = ideal_set memory i (ring_Ring_plus (ideal_get memory i) M).
  Proof.
    intros hm fits. rewrite (add_unit_vector_longer m n) by assumption.
    assert (hs : sized m (ideal_set memory i (ring_Ring_plus (ideal_get memory i) M))).
    { unfold sized, ideal_set. rewrite map_range_0_length, (sized_len m) by assumption. reflexivity. }
    apply (sized_ext m); auto with sizes. intros k hk.
    rewrite (nth_add m), nth_vector_scale, nth_vector_unit_vector by auto with sizes.
    unfold ideal_set, ideal_get. rewrite (sized_len m), nth_map_range_0 by assumption. rewrite !cast_same, !vector_at_nth.
    pose proof (nat_of_bound m). pose proof (nat_of_bound i). rewrite <- (of_nat_nat_of i) at 2.
    rewrite ieqb_of_nat, nat_of_of_nat by lia. destruct (Nat.eqb_spec k (nat_of i)) as [->|]; ring.
  Qed.

  (* All three parties apply F = M - R_a from the same item with the same S: M is added at ri xor S. *)
  Theorem used_together reads updates x session (s op : u64) (M F : W) :
    ready reads (x :: updates) session -> F = ring_Ring_minus M (opened_value (held_material x)) ->
    let after := mk_lean_session_Session (lean_online_used_0 (lean_session_Session_p0 session) s F)
      (lean_online_used_1 (lean_session_Session_p1 session) s F) (lean_online_used_2 (lean_session_Session_p2 session) s F) op in
    ready reads updates after /\
    memory_of after = ideal_set (memory_of session) (vector_mod_size (ixor (held_ri x) s) n)
      (ring_Ring_plus (ideal_get (memory_of session) (vector_mod_size (ixor (held_ri x) s) n)) M).
  Proof.
    intros r hF after.
    destruct session as [[a0 a1 a2 a3 a4 a5 a6 a7 a8 a9] [b0 b1 b2 b3 b4 b5 b6 b7 b8 b9] [c0 c1 c2 c3 c4 c5 c6 c7 c8 c9] op_0].
    destruct r as [e1 e2 e3 e4 e5 e6 e7 e8 e9 e10 e11 e12 e13 e14 e15 e16 e17 e18 e19 e20 hr hu hm]. cbn in e1, e2, e3, e4, e5, e6, e7, e8, e9, e10, e11, e12, e13, e14, e15, e16, e17, e18, e19, e20. subst.
    inversion hu as [|? ? (hx & same_delta & sized_x & points) hu']. subst.
    pose proof hx as (_ & _ & key & _).
    assert (state : lean_session_state after
      = lean_update_apply (mk_lean_memory_State a6 b6 c6) (held_material x) s (ring_Ring_minus M (opened_value (held_material x)))).
    { unfold after, lean_session_state, lean_online_used_0, lean_online_used_1, lean_online_used_2, lean_online_applied_0,
        lean_online_applied_1, lean_online_applied_2, lean_online_update_share, lean_update_apply. cbn.
      rewrite key, same_delta. reflexivity. }
    destruct hm as (m & fits & hs & agree).
    destruct (lean_apply_adds m n (held_ri x) s _ _ M _ (size_power_of_two h h_small) hs fits sized_x
      (mod_size_below _ _ (size_power_of_two h h_small)) agree points eq_refl) as [agree' adds].
    split.
    - constructor; try reflexivity; try assumption; try apply skip_one.
      exists m. split; [exact fits|]. split; rewrite state; [|exact agree']. apply (lean_apply_sized m n); assumption.
    - unfold memory_of at 1. rewrite state. etransitivity; [exact adds|]. apply (point_added m); [apply lean_opened_alpha_sized, hs | exact fits].
  Qed.

  Lemma shift_from_ri (x : held_item) (address : u64 * u64) :
    vector_mod_size (ixor (held_ri x) (lean_read_reconstruct_shift
      (lean_read_shift_share (fst address) (fst (held_index x)) n) (lean_read_shift_share (snd address) (snd (held_index x)) n))) n
    = target address.
  Proof. apply lean_shift_leads_to_target. Qed.

  (** * UPDATEs *)

  Definition query_address (query : lean_online_Query W * lean_online_Query W) : u64 * u64 :=
    (lean_online_Query_address (fst query), lean_online_Query_address (snd query)).
  Definition query_value (query : lean_online_Query W * lean_online_Query W) : W :=
    ring_Ring_plus (lean_online_Query_value (fst query)) (lean_online_Query_value (snd query)).

  (* The primaries' messages for one query. *)
  Definition message_0 (x : held_item * (lean_online_Query W * lean_online_Query W)) : lean_online_UpdateMessage W :=
    mk_lean_online_UpdateMessage
      (lean_read_shift_share (fst (query_address (snd x))) (fst (held_index (fst x))) n)
      (lean_update_masked_value_0 (lean_online_Query_value (fst (snd x))) (lean_party_Item0_value_share (at_0 (fst x)))
        (lean_tape_online_01 W (lean_tape_item_stream pair_01 (lean_party_Item0_number (at_0 (fst x)))))).
  Definition message_1 (x : held_item * (lean_online_Query W * lean_online_Query W)) : lean_online_UpdateMessage W :=
    mk_lean_online_UpdateMessage
      (lean_read_shift_share (snd (query_address (snd x))) (snd (held_index (fst x))) n)
      (lean_update_masked_value_1 (lean_online_Query_value (snd (snd x))) (lean_party_Item1_value_share (at_1 (fst x)))
        (lean_tape_online_01 W (lean_tape_item_stream pair_01 (lean_party_Item0_number (at_0 (fst x)))))).

  Lemma opened_comm (a b : lean_online_UpdateMessage W) : lean_online_opened a b = lean_online_opened b a.
  Proof.
    unfold lean_online_opened. f_equal; [apply reconstruct_comm|]. unfold lean_update_final_correction_a. ring.
  Qed.

  (* The ideal RAM after some UPDATEs. *)
  Definition ideal_updates (memory : list W) (queries : list (lean_online_Query W * lean_online_Query W)) : list W :=
    fold_left (fun memory query => fst (ideal_step memory
      (ideal_Operation_Update (target (query_address query)) (query_value query)))) queries memory.

  Lemma updates_in_order (queries : list (lean_online_Query W * lean_online_Query W)) :
    forall reads updates session op, ready reads updates session -> (length queries <= length updates)%nat ->
    let pairs := combine updates queries in
    let after := mk_lean_session_Session
      (lean_online_updates_0 (lean_session_Session_p0 session) (map message_0 pairs) (map message_1 pairs))
      (lean_online_updates_1 (lean_session_Session_p1 session) (map message_1 pairs) (map message_0 pairs))
      (lean_online_updates_2 (lean_session_Session_p2 session) (map message_0 pairs) (map message_1 pairs)) op in
    ready reads (skipn (length queries) updates) after /\ memory_of after = ideal_updates (memory_of session) queries.
  Proof.
    induction queries as [|query queries IH]; intros reads [|x updates] session op r enough; cbn [length] in enough; try lia;
      try (cbn; split; [|reflexivity]; destruct r; constructor; assumption).
    cbn [combine map length skipn]. cbv zeta.
    assert (hF : snd (lean_online_opened (message_0 (x, query)) (message_1 (x, query)))
      = ring_Ring_minus (query_value query) (opened_value (held_material x))).
    { unfold lean_online_opened, message_0, message_1, query_value, opened_value, lean_update_final_correction_a,
        lean_update_masked_value_0, lean_update_masked_value_1. cbn. ring. }
    destruct (used_together reads updates x session (fst (lean_online_opened (message_0 (x, query)) (message_1 (x, query)))) op
      (query_value query) _ r hF) as [r' m].
    destruct (IH reads updates _ op r' ltac:(lia)) as [r'' m']. cbn [lean_session_Session_p0 lean_session_Session_p1 lean_session_Session_p2] in r'', m'.
    unfold lean_online_updates_0, lean_online_updates_1, lean_online_updates_2 in *. cbn [combine fold_left].
    rewrite (opened_comm (message_1 (x, query))).
    destruct (lean_online_opened (message_0 (x, query)) (message_1 (x, query))) as [s F] eqn:e. cbn [fst snd] in *.
    split; [exact r''|]. etransitivity; [exact m'|]. cbn [ideal_updates fold_left]. unfold ideal_updates. cbn [fold_left]. f_equal.
    etransitivity; [exact m|]. cbn [ideal_step fst].
    assert (es : s = lean_read_reconstruct_shift (lean_read_shift_share (fst (query_address query)) (fst (held_index x)) n)
      (lean_read_shift_share (snd (query_address query)) (snd (held_index x)) n)) by (unfold lean_online_opened in e; injection e; auto).
    rewrite es, shift_from_ri. reflexivity.
  Qed.

  Theorem lean_updates_answer_ideal reads updates session (queries : list (lean_online_Query W * lean_online_Query W)) :
    ready reads updates session -> (length queries <= length updates)%nat ->
    let step := lean_session_updates session queries in
    ready reads (skipn (length queries) updates) (lean_session_Step_session step) /\
    memory_of (lean_session_Step_session step) = ideal_updates (memory_of session) queries /\
    lean_session_Step_results step = [].
  Proof.
    intros r enough step.
    assert (sent : lean_online_update_messages_0 (lean_session_Session_p0 session) (map (fun '(query, _) => query) queries)
        = map message_0 (combine updates queries) /\
      lean_online_update_messages_1 (lean_session_Session_p1 session) (map (fun '(_, query) => query) queries)
        = map message_1 (combine updates queries)).
    { pose proof r as [e1 e2 e3 e4 e5 e6 e7 e8 e9 e10 e11 e12 e13 e14 e15 e16 e17 e18 e19 e20 hr hu hm].
      unfold lean_online_update_messages_0, lean_online_update_messages_1. rewrite e18, e19.
      rewrite Forall_forall in hu.
      assert (z : forall (C D : Type) (f : held_item -> C) (g : lean_online_Query W * lean_online_Query W -> D),
        combine (map f updates) (map g queries) = map (fun x => (f (fst x), g (snd x))) (combine updates queries)).
      { intros C D f g. clear. revert queries. induction updates as [|x l IH]; intros [|y q]; cbn; try reflexivity.
        rewrite IH. reflexivity. }
      rewrite !z, !map_map. split; apply map_ext_in; intros [x [q_0 q_1]] hx; apply in_combine_l in hx;
        destruct (hu x hx) as ((num & _) & _);
        unfold lean_online_shift_0, lean_online_shift_1; cbn [fst snd];
        rewrite ?e1, ?e2, ?e7, ?e9, ?num; reflexivity. }
    destruct sent as [sent_0 sent_1]. subst step. unfold lean_session_updates. cbv zeta.
    cbn [lean_session_Step_session lean_session_Step_results]. rewrite sent_0, sent_1.
    destruct (updates_in_order queries reads updates session
      (wadd (lean_session_Session_operation session) (repr 64 1)) r enough) as [r' m].
    split; [exact r'|]. split; [exact m | reflexivity].
  Qed.

  (** * WRITE and SWAP *)

  Theorem lean_put_answers_ideal reads updates x session (query : lean_online_Query W * lean_online_Query W) (swap : bool) :
    ready reads (x :: updates) session ->
    let step := lean_session_put session query swap in
    let i := target (query_address query) in
    ready reads updates (lean_session_Step_session step) /\
    memory_of (lean_session_Step_session step) = ideal_set (memory_of session) i (query_value query) /\
    map opened (lean_session_Step_results step) = if swap then [ideal_get (memory_of session) i] else [].
  Proof.
    intros r step i. subst step. destruct query as [q_0 q_1]. unfold lean_session_put. cbv zeta.
    pose proof r as [e1 e2 e3 e4 e5 e6 e7 e8 e9 e10 e11 e12 e13 e14 e15 e16 e17 e18 e19 e20 hr hu hm].
    destruct (Forall_inv hu) as (hx & same_delta & sized_x & points).
    pose proof hx as (num_1 & num_2 & key & hs & flags).
    unfold lean_online_write_shifts_0, lean_online_write_shifts_1. rewrite e18, e19, e20, !take_firstn.
    change (nat_of (repr 64 1)) with 1%nat.
    cbn [map firstn first hd_error lean_session_Step_session lean_session_Step_results].
    change (vector_at [lean_online_shift_0 (lean_session_Session_p0 session) (at_0 x) (lean_online_Query_address q_0)] (repr 64 0)
      (repr 64 0)) with (lean_online_shift_0 (lean_session_Session_p0 session) (at_0 x) (lean_online_Query_address q_0)).
    change (vector_at [lean_online_shift_1 (lean_session_Session_p1 session) (at_1 x) (lean_online_Query_address q_1)] (repr 64 0)
      (repr 64 0)) with (lean_online_shift_1 (lean_session_Session_p1 session) (at_1 x) (lean_online_Query_address q_1)).
    unfold lean_online_shift_0, lean_online_shift_1. rewrite e1, e2.
    set (s := lean_read_reconstruct_shift _ _).
    assert (hs_i : vector_mod_size (ixor (held_ri x) s) n = i) by apply (shift_from_ri x (query_address (q_0, q_1))).
    apply (moved_flags_point_at n _ s) in flags;
      [|apply size_power_of_two, h_small | exact hs | apply mod_size_below, size_power_of_two, h_small].
    rewrite hs_i in flags. destruct hm as (m & fits & hsz & agree).
    pose proof (parts_add_up m n _ _ _ hsz fits (moved_flags_sized n s _ hs) agree flags) as parts. fold (memory_of session) in parts.
    set (p_0 := lean_online_part_0 (lean_session_Session_p0 session) (at_0 x) s).
    set (p_1 := lean_online_part_1 (lean_session_Session_p1 session) (at_1 x) s).
    set (p_2 := lean_online_part_2 (lean_session_Session_p2 session) (at_2 x) s).
    assert (parts' : ring_Ring_plus (ring_Ring_plus p_0 p_1) p_2 = ideal_get (memory_of session) i).
    { unfold ideal_get. rewrite cast_same, <- parts. unfold p_0, p_1, p_2, lean_online_part_0, lean_online_part_1, lean_online_part_2,
        lean_online_flags_at. rewrite e1, e2, e3, e4, e5, e6, key. reflexivity. }
    set (correction := lean_write_final_correction _ _ _).
    assert (hF : correction = ring_Ring_minus
      (ring_Ring_minus (query_value (q_0, q_1)) (ideal_get (memory_of session) i)) (opened_value (held_material x))).
    { unfold correction, lean_online_write_part_0, lean_online_write_part_1, lean_online_write_part_2. fold p_0 p_1 p_2.
      rewrite e1, e2, e3, e7, e8, e9, e10, e11, e12, num_1, num_2, write_correction, parts'. reflexivity. }
    destruct (used_together reads updates x session s (wadd (lean_session_Session_operation session) (repr 64 1)) _ _ r hF)
      as [r' set]. rewrite hs_i in set.
    split; [exact r'|]. split.
    - etransitivity; [exact set|]. f_equal. ring.
    - destruct swap; [|reflexivity]. cbn [map]. f_equal. rewrite <- parts'. unfold opened, lean_online_swap_result_0,
        lean_online_swap_result_1, lean_online_swap_unblinding. fold p_0 p_1 p_2. cbn [fst snd].
      rewrite e2, e3, e10, e12, num_1, num_2. unfold lean_read_read_share_0, lean_read_read_share_1, lean_read_unblinding. ring.
  Qed.

  (** * Load *)

  Theorem lean_load_makes_ready reads updates session m (d_0 d_1 : list W) : ready reads updates session ->
    sized m d_0 -> sized m d_1 -> at_most m n ->
    let step := lean_session_load session d_0 d_1 in
    ready reads updates (lean_session_Step_session step) /\
    memory_of (lean_session_Step_session step) = vector_add d_0 d_1 /\ lean_session_Step_results step = [].
  Proof.
    intros r h_0 h_1 fits step.
    destruct session as [[a0 a1 a2 a3 a4 a5 a6 a7 a8 a9] [b0 b1 b2 b3 b4 b5 b6 b7 b8 b9] [c0 c1 c2 c3 c4 c5 c6 c7 c8 c9] op].
    destruct r as [e1 e2 e3 e4 e5 e6 e7 e8 e9 e10 e11 e12 e13 e14 e15 e16 e17 e18 e19 e20 hr hu hm]. cbn in e1, e2, e3, e4, e5, e6, e7, e8, e9, e10, e11, e12, e13, e14, e15, e16, e17, e18, e19, e20. subst.
    assert (words : forall stream, sized m (lean_tape_ring_words W stream (repr 64 0) m)) by (intros; apply map_range_0_length).
    set (x := lean_tape_ring_words W (lean_tape_stream pair_01 (repr 64 0)) (repr 64 0) m).
    set (b := lean_tape_ring_words W (lean_tape_stream pair_12 (repr 64 0)) (repr 64 0) m).
    assert (hx : sized m x) by apply words. assert (hb : sized m b) by apply words.
    assert (state : lean_session_state (lean_session_Step_session step) = lean_memory_shared d_0 d_1 x b).
    { subst step. unfold lean_session_load, lean_party_load_0, lean_party_load_1. cbn -[lean_memory_shared].
      unfold lean_party_loaded_0, lean_party_loaded_2, lean_session_state. cbn -[lean_memory_shared].
      assert (ha : sized m (lean_memory_loaded_alpha_0 d_0 x)) by (apply sized_add; assumption).
      rewrite !(sized_len m d_0), !(sized_len m d_1) by assumption. fold x b.
      rewrite (sized_len m _ ha). reflexivity. }
    pose proof (load_opens_to_the_memory m d_0 d_1 x b h_0 h_1 hx hb) as load. apply andb_true_iff in load as [agree opens].
    assert (hsz : lean_state_sized m (lean_memory_shared d_0 d_1 x b)).
    { unfold lean_memory_shared, lean_memory_loaded_alpha_0, lean_memory_loaded_alpha_1, lean_memory_loaded_beta_0,
        lean_memory_masked_share. repeat split; cbn; auto with sizes. }
    split; [|split; [|reflexivity]].
    - constructor; try reflexivity; try assumption. rewrite state. exists m. auto.
    - unfold memory_of. rewrite state. apply (same_vector_sized m) in opens; auto with sizes.
      apply lean_opened_alpha_sized, hsz.
  Qed.
End Session.
