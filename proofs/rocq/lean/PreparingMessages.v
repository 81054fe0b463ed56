(* What `lean::session::preprocess` sends, message by message, in bytes, for any number of items: it is what the theorems on privacy call a primary's
   view of each DPF ([received_of]), P2's deals, and the keys and shares of delta of [life_view] and [life_view_2], of the plans that the words of the
   tapes and streams make (SessionPreparing.v). With SessionMessages.v, which is about the steps that use items, every message of a
   lean session behind its load is one of those views, of the items as they are made and held. For parties that are ready (SessionSteps.v). *)
From Coq Require Import Lia.
From Duoram.core Require Import Parties.
From Duoram.lean Require Import SessionPreparing PreparedItems PreparingView.
From Duoram.Generated Require Import All.

Definition prepare_message (kind from to : Z) (operation round : u64) (payload : list u8) : lean_session_Sent :=
  mk_lean_session_Sent (repr 8 kind) (repr 8 from) (repr 8 to) operation (cast 32 round) payload.

(* From what a primary receives of all DPFs of a batch: of each round the levels' operands and shares of cw, and the layers' shares. *)
Section Messages.
  Context {W : Type} {W_Ring : ring_Ring W} (h : u64).
  Notation received := (list (dpf_received (W := W))).

  Definition levels_in (round : nat) (l : received) : list (distributed_gen_Operands * u128) :=
    flat_map (fun r => firstn 1 (skipn round (received_levels r))) l.
  Definition flags_in (round : nat) (l : received) : list u128 := if Nat.eqb round (flag_level h) then map received_flags l else [].
  Definition words_in (round : nat) (l : received) : list (list W) := if Nat.eqb round (word_level h) then map received_words l else [].
  Definition round_time (round : nat) : u64 := wadd (wmul (of_nat round) (repr 64 2)) (repr 64 1).

  Definition first_messages (from to : Z) (operation : u64) (round : nat) (l : received) : list lean_session_Sent :=
    [prepare_message 8 from to operation (round_time round) (bytes_blocks_bytes (flags_in round l));
     prepare_message 6 from to operation (round_time round) (bytes_operands_bytes (map fst (levels_in round l)));
     prepare_message 9 from to operation (round_time round) (lean_payload_word_shares (words_in round l))].
  Definition second_message (from to : Z) (operation : u64) (round : nat) (l : received) : lean_session_Sent :=
    prepare_message 7 from to operation (wadd (round_time round) (repr 64 1)) (bytes_blocks_bytes (map snd (levels_in round l))).
  (* Who has nothing to say says nothing. *)
  Definition round_messages (operation : u64) (to_0 to_1 : received) (round : nat) : list lean_session_Sent :=
    lean_session_spoken (first_messages 0 1 operation round to_1 ++ first_messages 1 0 operation round to_0
      ++ [second_message 0 1 operation round to_1; second_message 1 0 operation round to_0]).
End Messages.

Section Rounds.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Boolean : BooleanRing W}.
  Context {P : Type} {P_Prg : prg_Prg P} {P_Layers : lean_layers_Layers P} (prg : P).
  Context (h : u64) (h_small : val h < 64).

  (* What one primary receives of a plan's DPF. *)
  Definition sent_of_plan (party : share_Primary) (plan : dpf_plan (W := W)) : dpf_received (W := W) :=
    received_of prg party h (plan_purpose plan) plan.
  Notation batch party round plans := (map (fun plan => growing_after prg h plan party round) plans).
  Implicit Types (party : share_Primary) (plan : dpf_plan (W := W)) (plans : list (dpf_plan (W := W))) (round : nat).

  Let below plan : (tree_level h (plan_purpose plan) <= nat_of h)%nat.
  Proof. apply flag_level_below. Qed.

  Lemma has_level_after plan party round :
    lean_generation_has_level (growing_after prg h plan party round) = (round <? tree_level h (plan_purpose plan))%nat.
  Proof.
    pose proof (below plan). unfold growing_after. rewrite growing_has_level by (assumption || lia).
    destruct (Nat.ltb_spec round (tree_level h (plan_purpose plan))), (Nat.ltb_spec (Nat.min round (tree_level h (plan_purpose plan))) (tree_level h (plan_purpose plan)));
      try reflexivity; lia.
  Qed.
  Lemma flags_due_after plan party round : (round <= nat_of h + 1)%nat ->
    lean_preprocessing_flags_due (growing_after prg h plan party round) (of_nat round) = Nat.eqb round (flag_level h).
  Proof.
    intros hr. pose proof (below plan). pose proof (flag_level_below h (plan_purpose plan)). unfold growing_after.
    rewrite growing_flags_due by (assumption || lia).
    destruct (Nat.eqb_spec round (flag_level h)), (Nat.eqb_spec (Nat.min round (tree_level h (plan_purpose plan))) round); try reflexivity; lia.
  Qed.
  Lemma words_due_after plan party round : (round <= nat_of h + 1)%nat ->
    lean_preprocessing_words_due (growing_after prg h plan party round) (of_nat round)
    = match plan_purpose plan with lean_layers_Purpose_Read => false | lean_layers_Purpose_Update => Nat.eqb round (word_level h) end.
  Proof.
    intros hr. pose proof (below plan). unfold growing_after. rewrite growing_words_due by (assumption || lia).
    destruct (plan_purpose plan) eqn:e; [reflexivity|]. rewrite ?e.
    assert (t : tree_level h lean_layers_Purpose_Update = word_level h) by reflexivity.
    destruct (Nat.eqb_spec round (word_level h)), (Nat.eqb_spec (Nat.min round (tree_level h lean_layers_Purpose_Update)) round); try reflexivity; lia.
  Qed.

  Lemma level_of_plan party plan round :
    firstn 1 (skipn round (received_levels (sent_of_plan party plan)))
    = if (round <? tree_level h (plan_purpose plan))%nat
      then let own := growing_after prg h plan party round in
           let others := growing_after prg h plan (other_primary party) round in
           [(lean_generation_level_operands prg others, lean_generation_level_opening prg others (lean_generation_level_operands prg own))]
      else [].
  Proof.
    cbv zeta. unfold sent_of_plan, received_of. cbn [received_levels]. set (d := tree_level h (plan_purpose plan)).
    rewrite skipn_map, firstn_map. destruct (Nat.ltb_spec round d) as [lt|ge].
    - replace d with (round + S (d - S round))%nat by lia. rewrite seq_app, skipn_app, skipn_all2 by (rewrite seq_length; lia).
      rewrite seq_length, Nat.sub_diag. cbn [skipn app seq firstn map]. reflexivity.
    - rewrite skipn_all2 by (rewrite seq_length; lia). reflexivity.
  Qed.

  Lemma flags_sent party round plans : (round <= nat_of h + 1)%nat ->
    lean_payload_present (lean_preprocessing_Round_flags (lean_preprocessing_round_message prg (batch (other_primary party) round plans) (of_nat round)))
    = flags_in h round (map (sent_of_plan party) plans).
  Proof.
    intros hr. unfold lean_preprocessing_round_message. cbn [lean_preprocessing_Round_flags]. rewrite !map_map.
    induction plans as [|plan plans IH]; unfold flags_in in *; [destruct (Nat.eqb round _); reflexivity|]. cbn [map].
    unfold lean_payload_present in *. cbn [flat_map]. rewrite IH, flags_due_after by exact hr.
    destruct (Nat.eqb_spec round (flag_level h)) as [->|ne]; reflexivity.
  Qed.
  Lemma operands_sent party round plans :
    lean_payload_present (lean_preprocessing_Round_operands (lean_preprocessing_round_message prg (batch (other_primary party) round plans) (of_nat round)))
    = map fst (levels_in round (map (sent_of_plan party) plans)).
  Proof.
    unfold lean_preprocessing_round_message. cbn [lean_preprocessing_Round_operands]. rewrite !map_map.
    induction plans as [|plan plans IH]; [reflexivity|]. unfold lean_payload_present, levels_in in *. cbn [map flat_map].
    rewrite IH, map_app, level_of_plan, has_level_after. destruct (round <? _)%nat; reflexivity.
  Qed.
  Lemma openings_sent party round plans :
    lean_payload_present (lean_preprocessing_round_opening prg (batch (other_primary party) round plans)
      (lean_preprocessing_round_message prg (batch party round plans) (of_nat round)))
    = map snd (levels_in round (map (sent_of_plan party) plans)).
  Proof.
    unfold lean_preprocessing_round_opening, lean_preprocessing_round_message. cbn [lean_preprocessing_Round_operands].
    repeat (rewrite map_map || rewrite combine_map).
    induction plans as [|plan plans IH]; [reflexivity|]. unfold lean_payload_present, levels_in in *. cbn [map flat_map].
    rewrite IH, map_app, level_of_plan, has_level_after. destruct (round <? _)%nat; reflexivity.
  Qed.
  Lemma words_sent party round plans : (round <= nat_of h + 1)%nat ->
    lean_payload_word_shares (lean_payload_present (lean_preprocessing_Round_words
      (lean_preprocessing_round_message prg (batch (other_primary party) round plans) (of_nat round))))
    = lean_payload_word_shares (words_in h round (map (sent_of_plan party) plans)).
  Proof.
    intros hr. unfold lean_preprocessing_round_message. cbn [lean_preprocessing_Round_words]. rewrite !map_map.
    induction plans as [|plan plans IH]; unfold words_in in *; [destruct (Nat.eqb round _); reflexivity|]. cbn [map].
    unfold lean_payload_present, lean_payload_word_shares in *. cbn [flat_map]. rewrite flat_map_app, IH, words_due_after by exact hr.
    destruct (Nat.eqb_spec round (word_level h)) as [->|ne].
    - cbn [flat_map]. apply (f_equal (fun l => l ++ _)). unfold sent_of_plan, received_of. cbn [received_words].
      destruct (plan_purpose plan); [reflexivity|]. cbn [flat_map]. rewrite app_nil_r. reflexivity.
    - destruct (plan_purpose plan); reflexivity.
  Qed.

  Lemma batch_round_sends (session : lean_session_Session W P) plans round sent :
    lean_party_Party0_prg (lean_session_Session_p0 session) = prg ->
    lean_party_Party1_prg (lean_session_Session_p1 session) = prg -> (round <= nat_of h + 1)%nat ->
    lean_session_Batch_sent (lean_session_batch_round session
      (mk_lean_session_Batch (batch share_Primary_P0 round plans) (batch share_Primary_P1 round plans) sent) (of_nat round))
    = sent ++ round_messages h (lean_session_Session_operation session) (map (sent_of_plan share_Primary_P0) plans)
        (map (sent_of_plan share_Primary_P1) plans) round.
  Proof.
    intros e_0 e_1 hr. unfold lean_session_batch_round. cbv zeta. rewrite e_0, e_1.
    cbn [lean_session_Batch_sent lean_session_Batch_batch_0 lean_session_Batch_batch_1]. rewrite concat_pair.
    unfold round_messages, first_messages, second_message, round_time. cbn [app].
    pose proof (flags_sent share_Primary_P1 round plans hr) as f_1. pose proof (operands_sent share_Primary_P1 round plans) as o_1.
    pose proof (words_sent share_Primary_P1 round plans hr) as w_1. pose proof (openings_sent share_Primary_P1 round plans) as s_1.
    pose proof (flags_sent share_Primary_P0 round plans hr) as f_0. pose proof (operands_sent share_Primary_P0 round plans) as o_0.
    pose proof (words_sent share_Primary_P0 round plans hr) as w_0. pose proof (openings_sent share_Primary_P0 round plans) as s_0.
    cbn [other_primary] in *. rewrite f_1, o_1, w_1, s_1, f_0, o_0, w_0, s_0. reflexivity.
  Qed.
End Rounds.

Section Step.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Boolean : BooleanRing W}.
  Context {P : Type} {P_Prg : prg_Prg P} {P_Layers : lean_layers_Layers P} (prg : P).
  Context (h : u64) (h_small : val h < 64).
  Context (pair_01 pair_02 pair_12 : lean_tape_PairStreams).
  Notation ready := (session_ready prg h pair_01 pair_02 pair_12).
  Notation P0 := share_Primary_P0.
  Notation P1 := share_Primary_P1.

  (* After its last level nothing of a DPF changes. *)
  Lemma growing_settled (plan : dpf_plan (W := W)) party round : (tree_level h (plan_purpose plan) < round)%nat ->
    growing_after prg h plan party round = growing_after prg h plan party (S (tree_level h (plan_purpose plan))).
  Proof.
    intros hr. pose proof (flag_level_below h (plan_purpose plan)) as [hf _]. unfold growing_after.
    rewrite !Nat.min_r by lia. destruct (Nat.ltb_spec (flag_level h) round), (Nat.ltb_spec (flag_level h) (S (tree_level h (plan_purpose plan)))); try lia.
    destruct (plan_purpose plan) eqn:e; [reflexivity|]. change (tree_level h lean_layers_Purpose_Update) with (word_level h) in *.
    destruct (Nat.ltb_spec (word_level h) round), (Nat.ltb_spec (word_level h) (S (word_level h))); try lia. reflexivity.
  Qed.

  (* What the words of the session's tapes and of the pairs' streams make of the items of a batch: each is a number, with what it is for. *)
  Section Batch.
    Context (session : lean_session_Session W P) (reads updates : u64).
    Notation p0 := (lean_session_Session_p0 session).
    Notation p1 := (lean_session_Session_p1 session).
    Notation p2 := (lean_session_Session_p2 session).
    Definition batch_items : list (u64 * lean_layers_Purpose) := enumerate (lean_preprocessing_purposes reads updates).
    Definition batch_plan : (u64 * lean_layers_Purpose) * bool -> dpf_plan (W := W) :=
      plan_of h pair_01 pair_02 pair_12 (lean_party_Party0_tape p0) (lean_party_Party1_tape p1) (lean_party_Party2_tape p2)
        (lean_party_Party0_drawn p0) (lean_party_Party1_drawn p1) (lean_party_Party2_drawn p2) (lean_party_Party0_items p0) reads.
    Definition batch_deal (k : (u64 * lean_layers_Purpose) * bool) : lean_dealing_Deal W :=
      deal_of h pair_02 pair_12 (lean_party_Party2_tape p2) (lean_party_Party2_drawn p2) (lean_party_Party0_items p0) reads (fst k) (snd k).
    (* What a primary receives of each DPF; P2's key of an item from either primary, with its share of delta. *)
    Definition batch_to (party : share_Primary) : list (dpf_received (W := W)) :=
      map (fun k => sent_of_plan prg h party (batch_plan k)) (dpfs_of batch_items).
    Definition item_delta (party : share_Primary) (x : u64 * lean_layers_Purpose) : W :=
      let at_end b := growing_after prg h (batch_plan (x, b)) party (S (tree_level h (snd x))) in
      lean_preprocessing_item_delta_share party (at_end false) (at_end true)
        (lean_tape_item_stream pair_01 (wadd (lean_party_Party0_items p0) (fst x))).
    Definition batch_key (party : share_Primary) (x : u64 * lean_layers_Purpose) : lean_preprocessing_HelperKey W :=
      mk_lean_preprocessing_HelperKey (snd x)
        (key_of prg party h (snd x) (batch_plan (x, match party with share_Primary_P0 => false | share_Primary_P1 => true end))) (item_delta party x).

    Definition batch_messages : list lean_session_Sent :=
      let operation := lean_session_Session_operation session in
      let levels := lean_preprocessing_batch_depth h updates in
      let last := wadd (wmul levels (repr 64 2)) (repr 64 2) in
      let keys_0 := map (batch_key P0) batch_items in
      let keys_1 := map (batch_key P1) batch_items in
      [prepare_message 4 2 1 operation (repr 64 0) (lean_payload_deals (lean_preprocessing_purposes reads updates) (map batch_deal (dpfs_of batch_items)));
       prepare_message 5 0 1 operation (repr 64 0) (lean_payload_moved_shares (map received_moved (batch_to P1)));
       prepare_message 5 1 0 operation (repr 64 0) (lean_payload_moved_shares (map received_moved (batch_to P0)))]
      ++ flat_map (round_messages h operation (batch_to P0) (batch_to P1)) (seq 0 (S (nat_of levels)))
      ++ lean_session_spoken
        [prepare_message 10 0 2 operation last (lean_payload_keys keys_0); prepare_message 10 1 2 operation last (lean_payload_keys keys_1);
         prepare_message 11 0 2 operation last (lean_payload_delta_shares keys_0); prepare_message 11 1 0 operation last (lean_payload_delta_shares keys_1);
         prepare_message 11 1 2 operation last (lean_payload_delta_shares keys_1)].

    Notation growing party round := (map (fun k => growing_after prg h (batch_plan k) party round)).

    Lemma rounds_send (ks : list ((u64 * lean_layers_Purpose) * bool)) (m : nat) :
      lean_party_Party0_prg p0 = prg -> lean_party_Party1_prg p1 = prg -> forall round sent, (round + m <= nat_of h + 2)%nat ->
      let to party := map (fun k => sent_of_plan prg h party (batch_plan k)) ks in
      fold_left (fun batch round => lean_session_batch_round session batch round) (map of_nat (seq round m))
        (mk_lean_session_Batch (growing P0 round ks) (growing P1 round ks) sent)
      = mk_lean_session_Batch (growing P0 (round + m) ks) (growing P1 (round + m) ks)
          (sent ++ flat_map (round_messages h (lean_session_Session_operation session) (to P0) (to P1)) (seq round m)).
    Proof.
      intros e_0 e_1. cbv zeta. induction m as [|m IH]; intros round sent hr.
      - cbn. rewrite app_nil_r, Nat.add_0_r. reflexivity.
      - cbn [seq map fold_left flat_map].
        destruct (batch_round_grows prg h h_small pair_01 pair_02 pair_12 (lean_party_Party0_tape p0) (lean_party_Party1_tape p1) (lean_party_Party2_tape p2)
          (lean_party_Party0_drawn p0) (lean_party_Party1_drawn p1) (lean_party_Party2_drawn p2) (lean_party_Party0_items p0) reads
          session ks round sent e_0 e_1 ltac:(lia)) as [sent' made].
        pose proof (batch_round_sends prg h h_small session (map batch_plan ks) round sent e_0 e_1 ltac:(lia)) as said.
        rewrite !map_map in said. unfold growing_of in made. fold batch_plan in made. rewrite made in said |- *. cbn [lean_session_Batch_sent] in said.
        rewrite said. rewrite IH by lia. rewrite <- app_assoc, Nat.add_succ_comm. reflexivity.
    Qed.

    (* Of each party's part of the step: what it begins with, what it says first, its DPFs after all rounds, and its keys. *)
    Definition rounds_of_batch : nat := S (nat_of (lean_preprocessing_batch_depth h updates)).
    Definition grown_batch (party : share_Primary) (round : nat) : list (lean_generation_Growing W) := growing party round (dpfs_of batch_items).
    Definition batch_keys (party : share_Primary) : list (lean_preprocessing_HelperKey W) := map (batch_key party) batch_items.

    Record preprocess_parts : Prop := {
      moves_0 : lean_preprocessing_moved_shares (lean_preprocessing_begin_0 p0 reads updates) = map received_moved (batch_to P1);
      moves_1 : lean_preprocessing_moved_shares (lean_preprocessing_begin_1 p1 reads updates) = map received_moved (batch_to P0);
      deals_2 : lean_preprocessing_deal_2 p2 reads updates = map batch_deal (dpfs_of batch_items);
      starts_0 : lean_preprocessing_with_offsets (lean_preprocessing_begin_0 p0 reads updates) (map received_moved (batch_to P0)) = grown_batch P0 0;
      starts_1 : lean_preprocessing_with_offsets (lean_preprocessing_dealt_to_1 (lean_preprocessing_begin_1 p1 reads updates)
          (lean_preprocessing_seeds_1 p1 reads updates) (map batch_deal (dpfs_of batch_items))) (map received_moved (batch_to P1)) = grown_batch P1 0;
      gives_0 : lean_preprocessing_keys_0 p0 (grown_batch P0 rounds_of_batch) = batch_keys P0;
      gives_1 : lean_preprocessing_keys_1 p1 (grown_batch P1 rounds_of_batch) = batch_keys P1;
      whole_preprocess : lean_session_preprocess session reads updates
        = mk_lean_session_Step (mk_lean_session_Session
            (lean_preprocessing_prepared_0 p0 (grown_batch P0 rounds_of_batch) (batch_keys P0)
              (map (fun key => lean_preprocessing_HelperKey_delta_share key) (batch_keys P1)) reads)
            (lean_preprocessing_prepared_1 p1 (grown_batch P1 rounds_of_batch) reads)
            (lean_preprocessing_prepared_2 p2 (batch_keys P0) (batch_keys P1) reads) (wadd (lean_session_Session_operation session) (repr 64 1)))
          batch_messages [];
    }.

    Theorem lean_preprocess_is held_reads held_updates : ready held_reads held_updates session -> val reads + val updates < 2 ^ 63 -> preprocess_parts.
    Proof.
      intros r small. pose proof r as [e1 e2 e3 e4 e5 e6 e7 e8 e9 e10 e11 e12 i1 i2 e13 e14 e15 e16 e17 e18 hr hu hm].
      assert (vc : val (wadd reads updates) = val reads + val updates)
        by (pose proof (val_bounds reads); pose proof (val_bounds updates); rewrite val_wadd; apply Z.mod_small; lia).
      assert (lp : Z.of_nat (length (lean_preprocessing_purposes reads updates)) = val reads + val updates).
      { unfold lean_preprocessing_purposes. rewrite map_range_0_length, Z_nat_of. exact vc. }
      assert (ll : length batch_items = length (lean_preprocessing_purposes reads updates)).
      { unfold batch_items. rewrite <- (map_snd_enumerate (lean_preprocessing_purposes reads updates)) at 2 by lia. rewrite map_length. reflexivity. }
      set (ks := dpfs_of batch_items).
      set (input := fun (k : (u64 * lean_layers_Purpose) * bool) party => mk_lean_generation_Input h (plan_purpose (batch_plan k))
        (plan_index (batch_plan k) party) (plan_root (batch_plan k) party) (plan_mask (batch_plan k) party) (plan_common (batch_plan k))).
      set (nothing := mk_lean_dealing_Dealt (W := W) [] (repr 128 0) [] (ring_Ring_zero W)).
      assert (b_0 : lean_preprocessing_begin_0 p0 reads updates
        = map (fun k => lean_generation_begin P0 (input k P0) (plan_dealt (batch_plan k) P0)) ks).
      { unfold lean_preprocessing_begin_0. fold batch_items. apply flat_map_dpfs. intros [j purpose]. rewrite e1, e7, e8. reflexivity. }
      assert (b_1 : lean_preprocessing_begin_1 p1 reads updates = map (fun k => lean_generation_begin P1 (input k P1) nothing) ks).
      { unfold lean_preprocessing_begin_1. fold batch_items. apply flat_map_dpfs. intros [j purpose]. rewrite e2, e9, e10, i1. reflexivity. }
      assert (s_1 : lean_preprocessing_seeds_1 p1 reads updates = map (fun k => seed_of_1 h pair_12 (lean_party_Party0_items p0) (fst k) (snd k)) ks).
      { unfold lean_preprocessing_seeds_1. fold batch_items. apply flat_map_dpfs. intros [j purpose]. rewrite e2, e10, i1. reflexivity. }
      assert (d_2 : lean_preprocessing_deal_2 p2 reads updates = map batch_deal ks).
      { unfold lean_preprocessing_deal_2. fold batch_items. apply flat_map_dpfs. intros [j purpose]. rewrite e3, e11, e12, i2. reflexivity. }
      assert (o_0 : lean_preprocessing_with_offsets (lean_preprocessing_begin_0 p0 reads updates) (lean_preprocessing_moved_shares (lean_preprocessing_begin_1 p1 reads updates))
        = growing P0 0%nat ks).
      { unfold lean_preprocessing_with_offsets, lean_preprocessing_moved_shares. rewrite b_0, b_1.
        repeat (rewrite map_map || rewrite combine_map). apply map_ext. intros k. apply start_0; reflexivity. }
      assert (o_1 : lean_preprocessing_with_offsets (lean_preprocessing_dealt_to_1 (lean_preprocessing_begin_1 p1 reads updates)
          (lean_preprocessing_seeds_1 p1 reads updates) (lean_preprocessing_deal_2 p2 reads updates))
          (lean_preprocessing_moved_shares (lean_preprocessing_begin_0 p0 reads updates))
        = growing P1 0%nat ks).
      { unfold lean_preprocessing_with_offsets, lean_preprocessing_moved_shares, lean_preprocessing_dealt_to_1.
        rewrite b_0, b_1, s_1, d_2. repeat (rewrite map_map || rewrite combine_map). apply map_ext. intros [x b].
        eapply start_1 with (nothing := nothing); reflexivity. }
      assert (m_0 : lean_preprocessing_moved_shares (lean_preprocessing_begin_0 p0 reads updates) = map received_moved (batch_to P1)).
      { unfold lean_preprocessing_moved_shares, batch_to. rewrite b_0, !map_map. apply map_ext. intros k. reflexivity. }
      assert (m_1 : lean_preprocessing_moved_shares (lean_preprocessing_begin_1 p1 reads updates) = map received_moved (batch_to P0)).
      { unfold lean_preprocessing_moved_shares, batch_to. rewrite b_1, !map_map. apply map_ext. intros k. reflexivity. }
      set (levels := lean_preprocessing_batch_depth h updates).
      assert (vl : val levels <= val h).
      { unfold levels, lean_preprocessing_batch_depth. pose proof (flag_level_below h (if ieqb updates (repr 64 0)
          then lean_layers_Purpose_Read else lean_layers_Purpose_Update)) as [_ b]. unfold tree_level in b.
        pose proof (Z_nat_of h). pose proof (Z_nat_of (lean_layers_tree_depth h (if ieqb updates (repr 64 0)
          then lean_layers_Purpose_Read else lean_layers_Purpose_Update))). lia. }
      assert (hrounds : nat_of (wadd levels (repr 64 1)) = S (nat_of levels)).
      { apply Nat2Z.inj. rewrite Nat2Z.inj_succ, !Z_nat_of, val_wadd. change (val (repr 64 1)) with 1.
        pose proof (val_bounds levels). apply Z.mod_small. lia. }
      set (rounds := S (nat_of levels)) in *.
      assert (over : forall x, In x batch_items -> (tree_level h (snd x) < rounds)%nat).
      { intros [j purpose] hx. unfold rounds. apply in_enumerate in hx. unfold tree_level, levels, lean_preprocessing_batch_depth. cbn [snd].
        destruct (ieqb_reflect updates (repr 64 0)) as [eu|eu].
        - unfold lean_preprocessing_purposes in hx. apply in_map_iff in hx as (i & <- & hi). apply in_range_0 in hi.
          rewrite vc in hi. assert (val updates = 0) by (rewrite eu; reflexivity).
          assert (lt : iltb i reads = true) by (apply iltb_lt; lia). rewrite lt. lia.
        - pose proof (flag_level_below h lean_layers_Purpose_Update) as [a _]. unfold flag_level, tree_level in a.
          unfold lean_layers_tree_depth in *. destruct purpose; lia. }
      assert (settled : forall party b x, In x batch_items ->
        growing_after prg h (batch_plan (x, b)) party rounds = growing_after prg h (batch_plan (x, b)) party (S (tree_level h (snd x)))).
      { intros party b x hx. exact (growing_settled (batch_plan (x, b)) party rounds (over x hx)). }
      assert (pairs : forall party, lean_preprocessing_pairs (growing party rounds ks)
        = map (fun x => (growing_after prg h (batch_plan (x, false)) party rounds, growing_after prg h (batch_plan (x, true)) party rounds)) batch_items).
      { intros party. unfold ks. apply (pairs_of_dpfs (fun k => growing_after prg h (batch_plan k) party rounds) batch_items). lia. }
      assert (numbered : forall party, enumerate (lean_preprocessing_pairs (growing party rounds ks))
        = map (fun x => (fst x, (growing_after prg h (batch_plan (x, false)) party rounds, growing_after prg h (batch_plan (x, true)) party rounds))) batch_items).
      { intros party. rewrite pairs, enumerate_map. unfold batch_items at 1. rewrite enumerate_twice, map_map by lia. reflexivity. }
      assert (k_0 : lean_preprocessing_keys_0 p0 (growing P0 rounds ks) = map (batch_key P0) batch_items).
      { unfold lean_preprocessing_keys_0. rewrite numbered, map_map. apply map_ext_in. intros [j purpose] hx. cbn [fst]. rewrite !settled by exact hx. rewrite e7. reflexivity. }
      assert (k_1 : lean_preprocessing_keys_1 p1 (growing P1 rounds ks) = map (batch_key P1) batch_items).
      { unfold lean_preprocessing_keys_1. rewrite numbered, map_map. apply map_ext_in. intros [j purpose] hx. cbn [fst]. rewrite !settled by exact hx. rewrite e9, i1. reflexivity. }
      rewrite m_1 in o_0. rewrite m_0, d_2 in o_1. constructor; try assumption.
      unfold lean_session_preprocess. cbv zeta. rewrite m_0, m_1, d_2, o_0, o_1, e1. fold levels. rewrite range_0, hrounds.
      assert (enough : (0 + rounds <= nat_of h + 2)%nat) by (unfold rounds; pose proof (Z_nat_of levels); pose proof (Z_nat_of h); lia).
      match goal with |- context [mk_lean_session_Batch _ _ ?sent] => pose proof (rounds_send ks rounds e4 e5 0%nat sent enough) as made end.
      cbv zeta in made. rewrite made. clear made.
      cbn [lean_session_Batch_sent lean_session_Batch_batch_0 lean_session_Batch_batch_1 Nat.add]. rewrite k_0, k_1, concat_pair, <- app_assoc.
      reflexivity.
    Qed.

    Theorem lean_preprocess_sends held_reads held_updates : ready held_reads held_updates session -> val reads + val updates < 2 ^ 63 ->
      lean_session_Step_sent (lean_session_preprocess session reads updates) = batch_messages.
    Proof. intros r small. rewrite (whole_preprocess (lean_preprocess_is held_reads held_updates r small)). reflexivity. Qed.
  End Batch.
End Step.
