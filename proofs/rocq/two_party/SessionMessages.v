(* Every message of a step of `two_party::session` to a party, with kind, sender, receiver, round and bytes, is one of the views of which privacy is
   proved (ReadItem.v, UpdateItem.v, WholeSchedule.v): of preparing, a batch of any size, of the draws that stand on both tapes and the blocks of
   the OTs; of READs and UPDATEs, of the items that the parties hold. SWAP and WRITE are a READ and an UPDATE (`two_party_swap_sends`). Step 0
   sends both contributions to K and h, which everybody knows, and load nothing. *)
From Coq Require Import Lia.
From Duoram.core Require Import ListFacts LemmasFacts Parties GenerationPrivacy GenerationRunPrivacy.
From Duoram.two_party Require Import OneDpf OtGeneration LeafLife UpdateItem MaskedTable ReadItem.
From Duoram.two_party Require Export SessionPreparing.
From Duoram.Generated Require Import All.

(** * Messages to a party *)

Definition number_of (party : share_Primary) : u8 :=
  match party with share_Primary_P0 => repr 8 0 | share_Primary_P1 => repr 8 1 end.
Definition messages_to (party : share_Primary) (sent : list two_party_session_Sent) : list two_party_session_Sent :=
  filter (fun message => ieqb (two_party_session_Sent_to message) (number_of party)) sent.
(* From the other. *)
Definition addressed (party : share_Primary) (operation : u64) (kind : u8) (round : u64) (payload : list u8) : two_party_session_Sent :=
  mk_two_party_session_Sent kind (number_of (other_primary party)) (number_of party) operation (cast 32 round) payload.

Lemma messages_to_app (party : share_Primary) (a b : list two_party_session_Sent) :
  messages_to party (a ++ b) = messages_to party a ++ messages_to party b.
Proof. apply filter_app. Qed.
Lemma messages_of_both (party : share_Primary) (operation : u64) (kind : u8) (round : u64) (from_0 from_1 : list u8) :
  messages_to party (two_party_session_both operation kind round from_0 from_1)
  = [addressed party operation kind round (snd (in_order party from_0 from_1))].
Proof. destruct party; reflexivity. Qed.

Section Messages.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Laws : RingLaws W}.
  Context {P : Type} {P_Prg : prg_Prg P} {F : Type} {F_Prf : two_party_masks_Prf F} (prg : P) (prf : F).
  Context (h : u64) (h_small : val h < 64).
  Notation n := (two_party_party_size h).
  Notation H := (nat_of h).
  Notation Session := (two_party_session_Session W P F).
  Notation Query := (two_party_party_online_Query W).
  Notation Item := two_party_party_ReadItem.
  Notation p0 := two_party_session_Session_p0.
  Notation p1 := two_party_session_Session_p1.
  Notation ready := (session_ready (W := W) prg prf h).
  Context (party : share_Primary).

  Notation own x := (fst (in_order party (fst x) (snd x))).
  Notation others x := (snd (in_order party (fst x) (snd x))).
  Definition others_party (session : Session) := snd (in_order party (p0 session) (p1 session)).

  (** * READs *)

  (* Of one query, with its number: what the party is sent, of the items that both hold. *)
  Definition read_seen (session : Session) (e : u64 * (held_read * (u64 * u64))) : read_received (list W) :=
    let '(number, (items, addresses)) := e in
    let index := two_party_party_ReadItem_query_index (own items) in
    received_in_read prf h n index
      {| others_memory := two_party_party_Party_memory_share (others_party session); read_address := others addresses;
         sent_shift := two_party_update_shift_share (own addresses) index n |}
      (two_party_party_ReadItem_query_index (others items),
       (two_party_party_ReadItem_pairs (others items),
        ring_Ring_from_u64 W (two_party_tape_peek (two_party_party_Party_blinds (others_party session)) number))).

  Theorem two_party_read_part_sends reads updates (session : Session) (addresses : list (u64 * u64)) :
    ready reads updates session -> Z.of_nat (length addresses) < 2 ^ 64 -> (length addresses <= length reads)%nat ->
    let seen := map (read_seen session) (enumerate (combine reads addresses)) in
    let operation := two_party_session_Session_operation session in
    messages_to party (two_party_session_Step_sent (two_party_session_read_part session addresses))
    = [addressed party operation (repr 8 9) (repr 64 0) (bytes_words_bytes (map (fun s => snd (fst s)) seen));
       addressed party operation (repr 8 10) (repr 64 0) (two_party_payload_tables (map snd seen))].
  Proof.
    intros r small enough seen operation. subst operation.
    set (pairs := combine reads addresses) in *. set (E := enumerate pairs) in *.
    assert (lp : length pairs = length addresses) by (unfold pairs; rewrite combine_length; lia).
    assert (ea : addresses = map snd pairs) by (symmetry; apply map_snd_combine, enough).
    assert (ep : pairs = map snd E) by (symmetry; apply map_snd_enumerate; rewrite lp; exact small).
    assert (below : forall e, In e E -> read_item_ok h (fst (snd e))).
    { intros e he. apply (in_map snd) in he. rewrite <- ep in he. destruct (snd e) as [x a]. apply in_combine_l in he.
      pose proof (ready_reads _ _ _ _ _ _ r) as all. rewrite Forall_forall in all. exact (all x he). }
    pose proof (size_power_of_two h h_small) as hn.
    destruct session as [[a0 a1 a2 a3 a4 a5 a6 a7 a8] [b0 b1 b2 b3 b4 b5 b6 b7 b8] op].
    destruct r as [e1 e2 e3 e4 e5 e6 e7 e8 e9 e10 e11 e12 hr hu hm_0 hm_1].
    cbn in e1, e2, e3, e4, e5, e6, e7, e8, e9, e10, e11, e12, hm_0, hm_1. subst a0 b0 a1 b1 a2 b2 a3 b3 a7 b7 a8 b8.
    unfold two_party_session_read_part, two_party_party_online_read_answers, two_party_party_online_read_shifts. cbv zeta.
    cbn [two_party_session_Step_sent two_party_session_Session_p0 two_party_session_Session_p1 two_party_session_Session_operation
      two_party_party_Party_reads two_party_party_Party_log_size two_party_party_Party_memory_share two_party_party_Party_prf].
    rewrite concat_pair, messages_to_app, !messages_of_both. cbn [app].
    assert (zip : forall (C D : Type) (g : held_read * (u64 * u64) -> C) (f : held_read -> D),
      combine (map g pairs) (map f reads) = map (fun x => (g x, f (fst x))) pairs) by (intros; apply zip_back).
    assert (numbered : forall (C : Type) (g : held_read * (u64 * u64) -> C), enumerate (map g pairs) = map (fun e => (fst e, g (snd e))) E).
    { intros. rewrite enumerate_map. reflexivity. }
    subst seen. unfold read_seen, others_party. cbn [two_party_session_Session_p0 two_party_session_Session_p1].
    f_equal; [|f_equal]; unfold addressed; f_equal.
    - destruct party; cbn [in_order snd fst]; f_equal; rewrite ea, !map_map, zip, map_map, ep, !map_map;
        apply map_ext_in; intros [q [[x y] [i_0 i_1]]] he; specialize (below _ he); destruct below as (b_0 & b_1 & _);
        unfold received_in_read; cbn [fst snd read_address] in *; rewrite (mod_size_small _ n hn) by assumption; reflexivity.
    - destruct party; cbn [in_order snd fst]; f_equal; rewrite ea, !map_map, !zip, !map_map, !combine_map, !zip, !numbered, !map_map;
        apply map_ext; intros [q [[x y] [i_0 i_1]]]; reflexivity.
  Qed.

  (** * UPDATEs *)

  Theorem two_party_update_part_sends reads updates (session : Session) (queries : list (Query * Query)) :
    ready reads updates session -> (length queries <= length updates)%nat ->
    messages_to party (two_party_session_Step_sent (two_party_session_update_part session queries))
    = [addressed party (two_party_session_Session_operation session) (repr 8 11) (repr 64 0)
        (two_party_payload_updates (map (fun '(items, query) =>
          two_party_update_message (others items) (two_party_party_online_Query_address (others query))
            (two_party_party_online_Query_value (others query))) (combine updates queries)))].
  Proof.
    intros r enough. set (pairs := combine updates queries).
    assert (eq_ : queries = map snd pairs) by (symmetry; apply map_snd_combine, enough).
    assert (zip : forall (C D : Type) (g : held_update * (Query * Query) -> C) (f : held_update -> D),
      combine (map g pairs) (map f updates) = map (fun x => (g x, f (fst x))) pairs) by (intros; apply zip_back).
    destruct session as [[a0 a1 a2 a3 a4 a5 a6 a7 a8] [b0 b1 b2 b3 b4 b5 b6 b7 b8] op].
    destruct r as [e1 e2 e3 e4 e5 e6 e7 e8 e9 e10 e11 e12 hr hu hm_0 hm_1].
    cbn in e1, e2, e3, e4, e5, e6, e7, e8, e9, e10, e11, e12, hm_0, hm_1. subst a0 b0 a1 b1 a2 b2 a3 b3 a7 b7 a8 b8.
    unfold two_party_session_update_part, two_party_party_online_update_messages. cbv zeta.
    cbn [two_party_session_Step_sent two_party_session_Session_p0 two_party_session_Session_p1 two_party_session_Session_operation
      two_party_party_Party_updates].
    rewrite messages_of_both. unfold addressed. do 2 f_equal. destruct party; cbn [in_order snd]; f_equal; rewrite eq_, map_map, zip, map_map;
      apply map_ext; intros [[x y] [q_0 q_1]]; reflexivity.
  Qed.

  (* A SWAP sends what a READ sends, and then an UPDATE by what is missing; a WRITE the same. *)
  Theorem two_party_swap_sends (session : Session) (query : Query * Query) :
    let first := two_party_session_read_part session
      [(two_party_party_online_Query_address (fst query), two_party_party_online_Query_address (snd query))] in
    let second := two_party_session_update_part (two_party_session_Step_session first)
      [(two_party_party_online_write_query (fst query) (map fst (two_party_session_Step_results first)),
        two_party_party_online_write_query (snd query) (map snd (two_party_session_Step_results first)))] in
    two_party_session_Step_sent (two_party_session_swap session query)
      = two_party_session_Step_sent first ++ two_party_session_Step_sent second
    /\ two_party_session_Step_sent (two_party_session_write session query)
      = two_party_session_Step_sent first ++ two_party_session_Step_sent second.
  Proof.
    destruct query as [query_0 query_1]. cbv zeta. unfold two_party_session_write, two_party_session_swap. cbv zeta.
    cbn [two_party_session_Step_sent fst snd]. rewrite !concat_pair. split; do 4 f_equal;
      (f_equal; f_equal; f_equal; apply map_ext; intros []; reflexivity) || reflexivity.
  Qed.

  (** * Preparing *)

  (* What stands on a tape for UPDATE item j of a batch, with the blocks of the OTs that the party sends. *)
  Definition item_offset (reads : u64) (j : nat) : u64 :=
    wadd (wmul reads two_party_tape_READ_WORDS) (wmul (of_nat j) two_party_tape_UPDATE_WORDS).
  Definition drawn_for_update (making : two_party_tape_Tape) (reads : u64) (pairs : list (u128 * u128)) (j : nat) : update_own := {|
    own_target := two_party_tape_peek making (item_offset reads j);
    own_root := two_party_tape_peek_block making (wadd (item_offset reads j) (repr 64 1));
    own_choices := two_party_tape_peek making (wadd (item_offset reads j) (repr 64 3));
    own_pairs := of_update h reads j pairs |}.
  (* The same of the other, as its draws. *)
  Definition others_draw (o : update_own) : u64 * (list (bool * (u128 * u128)) * u128) :=
    (own_target o, (combine (dpf_address_bits (own_choices o) h) (own_pairs o), own_root o)).

  Lemma generation_messages (s : seed) : seed_sized h s -> forall k, (k <= H)%nat ->
    distributed_gen_Generation_messages (generation prg s k) = map (fun i => messages_at prg i s) (seq 0 k).
  Proof.
    intros sizes. induction k as [|k IH]; intros hk; [reflexivity|].
    rewrite (generation_next prg h s sizes k) by lia. unfold distributed_gen_grow. cbv zeta.
    cbn [distributed_gen_Generation_messages]. rewrite concat_pair, IH, seq_S, map_app by lia. reflexivity.
  Qed.

  Section Batch.
    Context (making_0 making_1 : two_party_tape_Tape) (reads updates : u64) (from_0 from_1 : list (u128 * u128)).
    Context (few : (val reads + val updates) * val h < 2 ^ 64).
    Context (enough_0 : ((nat_of reads + nat_of updates) * H <= length from_0)%nat).
    Context (enough_1 : ((nat_of reads + nat_of updates) * H <= length from_1)%nat).
    Notation U := (nat_of updates).
    Notation of_0 j := (drawn_for_update making_0 reads from_0 j).
    Notation of_1 j := (drawn_for_update making_1 reads from_1 j).
    Notation seed_of j := (seed_of h making_0 making_1 reads from_0 from_1 j).

    (* What the party receives of item j, and of an UPDATE by it. *)
    Definition update_seen (query : others_query W) (j : nat) : update_received (W := W) :=
      received_in_update prg party h (fst (in_order party (of_0 j) (of_1 j))) query (others_draw (snd (in_order party (of_0 j) (of_1 j)))).

    Lemma seed_of_draws (j : nat) : (j < U)%nat ->
      ot_seed party (held_of h (fst (in_order party (of_0 j) (of_1 j))))
        (dpf_address_bits (own_target (snd (in_order party (of_0 j) (of_1 j)))) h)
        (own_root (snd (in_order party (of_0 j) (of_1 j))))
        (combine (dpf_address_bits (own_choices (snd (in_order party (of_0 j) (of_1 j)))) h) (own_pairs (snd (in_order party (of_0 j) (of_1 j)))))
      = seed_of j.
    Proof.
      intros hj.
      assert (both : forall (bits : list bool) (pairs : list (u128 * u128)), length bits = H -> length pairs = H ->
        map fst (combine bits pairs) = bits /\ map snd (combine bits pairs) = pairs).
      { intros bits pairs. generalize H. revert pairs. induction bits as [|b bits IH]; intros [|p pairs] k e e'; cbn in *; try lia;
          [split; reflexivity|]. destruct (IH pairs (length bits) eq_refl ltac:(lia)) as [-> ->]. split; reflexivity. }
      assert (l_0 : length (of_update h reads j from_0) = H) by exact (of_update_length h reads updates from_0 from_1 few enough_0 enough_1 from_0 j enough_0 hj).
      assert (l_1 : length (of_update h reads j from_1) = H) by exact (of_update_length h reads updates from_0 from_1 few enough_0 enough_1 from_1 j enough_1 hj).
      destruct (both (dpf_address_bits (own_choices (of_0 j)) h) (of_update h reads j from_0) (dpf_address_bits_length _ _) l_0) as [f_0 s_0].
      destruct (both (dpf_address_bits (own_choices (of_1 j)) h) (of_update h reads j from_1) (dpf_address_bits_length _ _) l_1) as [f_1 s_1].
      unfold ot_seed. destruct party; cbn [in_order fst snd held_of ot_target ot_root ot_bits ot_pairs] in *;
        cbn [own_pairs drawn_for_update] in *; rewrite ?f_0, ?s_0, ?f_1, ?s_1; reflexivity.
    Qed.

    Lemma update_seen_is (query : others_query W) (j : nat) : (j < U)%nat ->
      update_seen query j
      = (fst (fst (update_seen query j)), map (fun k => received party (messages_at prg k (seed_of j))) (seq 0 H),
         seen_of party (fst (in_order party (distributed_gen_Generation_labels_0 (generation prg (seed_of j) H))
             (distributed_gen_Generation_labels_1 (generation prg (seed_of j) H))))
           (snd (in_order party (distributed_gen_Generation_labels_0 (generation prg (seed_of j) H))
             (distributed_gen_Generation_labels_1 (generation prg (seed_of j) H)))) query).
    Proof.
      intros hj. pose proof (seed_of_draws j hj) as e. unfold update_seen, received_in_update, others_draw, ot_run. cbn [fst snd].
      rewrite e, generation_messages, map_map by (try lia; exact (seeds_sized h making_0 making_1 reads updates from_0 from_1 few enough_0 enough_1 j hj)).
      reflexivity.
    Qed.

    (* All that the batch sends of a level, and at the end. *)
    Definition no_message : distributed_gen_Operands * u128 :=
      (mk_distributed_gen_Operands false (repr 128 0) false false, repr 128 0).
    Definition at_level (k : nat) (seen : update_received (W := W)) : distributed_gen_Operands * u128 := nth k (snd (fst seen)) no_message.

    Lemma at_level_is (query : others_query W) (j k : nat) : (j < U)%nat -> (k < H)%nat ->
      at_level k (update_seen query j) = received party (messages_at prg k (seed_of j)).
    Proof.
      intros hj hk. unfold at_level. rewrite update_seen_is by assumption. cbn [fst snd].
      rewrite (nth_map _ _ k 0%nat) by (rewrite seq_length; assumption). rewrite seq_nth by assumption. reflexivity.
    Qed.

    Lemma level_is_seen (query : others_query W) (operation : u64) (k : nat) : (k < H)%nat ->
      let seen := map (update_seen query) (seq 0 U) in
      messages_to party (level_sent prg h making_0 making_1 reads updates from_0 from_1 operation k)
      = [addressed party operation (repr 8 6) (of_nat k) (bytes_operands_bytes (map (fun s => fst (at_level k s)) seen));
         addressed party operation (repr 8 7) (of_nat k) (bytes_blocks_bytes (map (fun s => snd (at_level k s)) seen))].
    Proof.
      intros hk. cbv zeta. unfold level_sent. cbv zeta. rewrite messages_to_app, !messages_of_both. cbn [app]. rewrite !map_map.
      assert (e : forall T (part : distributed_gen_Operands * u128 -> T), map (fun j => part (at_level k (update_seen query j))) (seq 0 U)
        = map (fun j => part (received party (messages_at prg k (seed_of j)))) (seq 0 U)).
      { intros T part. apply map_ext_in. intros j hj. apply in_seq in hj. rewrite at_level_is by (assumption || lia). reflexivity. }
      rewrite (e _ fst), (e _ snd). destruct party; reflexivity.
    Qed.
  End Batch.

  (* The step: of READ items an empty message, with the plain PIR; of UPDATE items each level and the shares of z. *)
  Theorem two_party_preprocess_sends held_reads held_updates (session : Session) (reads updates : u64) (ots : two_party_session_Ots)
    (query : others_query W) :
    ready held_reads held_updates session -> (val reads + val updates) * val h < 2 ^ 64 ->
    ((nat_of reads + nat_of updates) * H <= length (two_party_session_Ots_from_0 ots))%nat ->
    ((nat_of reads + nat_of updates) * H <= length (two_party_session_Ots_from_1 ots))%nat ->
    let operation := two_party_session_Session_operation session in
    let seen := map (update_seen (two_party_party_Party_making (p0 session)) (two_party_party_Party_making (p1 session)) reads
      (two_party_session_Ots_from_0 ots) (two_party_session_Ots_from_1 ots) query) (seq 0 (nat_of updates)) in
    messages_to party (two_party_session_Step_sent (two_party_session_preprocess session reads updates ots))
    = (if ieqb reads (repr 64 0) then [] else [addressed party operation (repr 8 5) (repr 64 0) []])
      ++ (if ieqb updates (repr 64 0) then [] else
        flat_map (fun k =>
          [addressed party operation (repr 8 6) (of_nat k) (bytes_operands_bytes (map (fun s => fst (at_level k s)) seen));
           addressed party operation (repr 8 7) (of_nat k) (bytes_blocks_bytes (map (fun s => snd (at_level k s)) seen))]) (seq 0 H)
        ++ [addressed party operation (repr 8 8) (repr 64 0) (bytes_ring_bytes (map (fun s => fst (snd s)) seen))]).
  Proof.
    intros r few enough_0 enough_1 operation seen.
    rewrite (preprocess_made prg prf h held_reads held_updates session reads updates ots r few enough_0 enough_1). cbv zeta.
    cbn [two_party_session_Step_sent]. rewrite messages_to_app. unfold two_party_session_of_items. f_equal.
    - destruct (ieqb reads (repr 64 0)); [reflexivity|]. rewrite messages_of_both. destruct party; reflexivity.
    - destruct (ieqb updates (repr 64 0)); [reflexivity|]. rewrite messages_to_app, messages_of_both. f_equal.
      + set (l := seq 0 H). assert (inside : forall k, In k l -> (k < H)%nat) by (intros k hk; apply in_seq in hk; lia). clearbody l.
        induction l as [|k l IH]; [reflexivity|]. cbn [flat_map]. rewrite messages_to_app, IH by (intros; apply inside; right; assumption).
        f_equal. apply (level_is_seen _ _ reads updates _ _ few enough_0 enough_1). apply inside. left. reflexivity.
      + do 2 f_equal. unfold seen. rewrite map_map.
        set (making_0 := two_party_party_Party_making (p0 session)). set (making_1 := two_party_party_Party_making (p1 session)).
        pose (dpf := fun j => generation prg (seed_of h making_0 making_1 reads (two_party_session_Ots_from_0 ots) (two_party_session_Ots_from_1 ots) j) H).
        rewrite (map_ext_in _ (fun j => two_party_conversion_sum_share W (other_primary party)
          (snd (in_order party (distributed_gen_Generation_labels_0 (dpf j)) (distributed_gen_Generation_labels_1 (dpf j)))))).
        * unfold two_party_party_preprocessing_batch_sums. rewrite !map_map. destruct party; reflexivity.
        * intros j hj. apply in_seq in hj. rewrite (update_seen_is _ _ reads updates _ _ few enough_0 enough_1) by lia. reflexivity.
  Qed.

  (* The other's UPDATE item that the step leaves ([update_item_0], [update_item_1] of SessionPreparing.v), and so its message of an UPDATE. *)
  Theorem two_party_made_item_sends (making_0 making_1 : two_party_tape_Tape) (reads updates : u64) (from_0 from_1 : list (u128 * u128))
    (j : nat) (query : others_query W) :
    (val reads + val updates) * val h < 2 ^ 64 ->
    ((nat_of reads + nat_of updates) * H <= length from_0)%nat -> ((nat_of reads + nat_of updates) * H <= length from_1)%nat ->
    (j < nat_of updates)%nat ->
    two_party_update_message (others (update_item_0 prg h making_0 making_1 reads from_0 from_1 j,
        update_item_1 prg h making_0 making_1 reads from_0 from_1 j)) (others_address query) (others_value query)
    = snd (snd (update_seen making_0 making_1 reads from_0 from_1 query j)).
  Proof.
    intros few enough_0 enough_1 hj. rewrite (update_seen_is making_0 making_1 reads updates from_0 from_1 few enough_0 enough_1) by assumption.
    cbn [fst snd]. unfold seen_of. destruct party; reflexivity.
  Qed.
End Messages.
