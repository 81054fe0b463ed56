(* Preparing at each party is one function of its own things and of what it is sent in the step (`lean::prepare_turn`): in a session that is
   ready it yields the party after the step and what the party says in it. What a party hears is found among the messages of the whole step
   by kind, sender and round. *)
From Coq Require Import Lia.
From Duoram.core Require Import VectorFacts Parties.
From Duoram.lean Require Import SessionPreparing PreparedItems PreparingView PreparingMessages PayloadRoundTrip PartyTurns RoundTurns.
From Duoram.Generated Require Import All.

(** * What is heard of a step *)

(* By a party, of a kind from a sender in a round. *)
Definition heard_of (sent : list lean_session_Sent) (to kind from : u8) (round : u64) : list u8 :=
  lean_delivery_received (lean_delivery_inbox sent to) kind from round.
Definition is_for (to kind from : u8) (round : u64) (message : lean_session_Sent) : bool :=
  ieqb (lean_session_Sent_to message) to &&
  (ieqb (lean_session_Sent_kind message) kind && ieqb (lean_session_Sent_from message) from && ieqb (lean_session_Sent_round message) (cast 32 round)).

Lemma heard_is sent to kind from round :
  heard_of sent to kind from round = flat_map (fun m => if is_for to kind from round m then lean_session_Sent_payload m else []) sent.
Proof.
  unfold heard_of, lean_delivery_received, lean_delivery_inbox, is_for. rewrite flat_map_flat_map. apply flat_map_ext. intros m.
  destruct (ieqb (lean_session_Sent_to m) to); [|reflexivity]. cbn [flat_map andb]. apply app_nil_r.
Qed.
Lemma heard_app a b to kind from round : heard_of (a ++ b) to kind from round = heard_of a to kind from round ++ heard_of b to kind from round.
Proof. rewrite !heard_is. apply flat_map_app. Qed.
(* Who has nothing to say is heard to say nothing. *)
Lemma heard_spoken l to kind from round : heard_of (lean_session_spoken l) to kind from round = heard_of l to kind from round.
Proof.
  rewrite !heard_is. unfold lean_session_spoken. rewrite flat_map_flat_map. apply flat_map_ext. intros m.
  destruct (first (lean_session_Sent_payload m)) eqn:e; cbn [flat_map]; [apply app_nil_r|].
  destruct (lean_session_Sent_payload m); [|discriminate e]. destruct (is_for _ _ _ _ m); reflexivity.
Qed.
Lemma said_spoken l who : said_by who (lean_session_spoken l) = lean_session_spoken (said_by who l).
Proof.
  unfold said_by, lean_session_spoken. rewrite !flat_map_flat_map. apply flat_map_ext. intros m.
  destruct (first (lean_session_Sent_payload m)) eqn:e, (ieqb (lean_session_Sent_from m) who) eqn:f; cbn [flat_map]; rewrite ?e, ?f, ?app_nil_r; reflexivity.
Qed.

(* Rounds are told apart by their times. *)
Lemma round_time_is (round : nat) : (round <= 65)%nat ->
  val (cast 32 (round_time round)) = 2 * Z.of_nat round + 1 /\ val (cast 32 (wadd (round_time round) (repr 64 1))) = 2 * Z.of_nat round + 2.
Proof.
  intros hr. assert (e : val (round_time round) = 2 * Z.of_nat round + 1).
  { unfold round_time. rewrite val_wadd, val_wmul, val_of_nat by lia. change (val (repr 64 2)) with 2. change (val (repr 64 1)) with 1.
    rewrite (Z.mod_small (Z.of_nat round * 2)) by lia. rewrite Z.mod_small by lia. lia. }
  rewrite !val_cast, val_wadd, e. change (val (repr 64 1)) with 1.
  rewrite (Z.mod_small (2 * Z.of_nat round + 1 + 1)) by lia. rewrite !Z.mod_small by lia. lia.
Qed.
Lemma same_time (a b : nat) : (a <= 65)%nat -> (b <= 65)%nat ->
  ieqb (cast 32 (round_time a)) (cast 32 (round_time b)) = Nat.eqb a b /\
  ieqb (cast 32 (wadd (round_time a) (repr 64 1))) (cast 32 (wadd (round_time b) (repr 64 1))) = Nat.eqb a b.
Proof.
  intros ha hb. destruct (round_time_is a ha) as [a_1 a_2], (round_time_is b hb) as [b_1 b_2].
  destruct (Nat.eqb_spec a b) as [->|ne]; [rewrite !ieqb_refl; split; reflexivity|].
  split; apply ieqb_neq; intros e; apply (f_equal val) in e; lia.
Qed.

Lemma one_round {T : Type} (f : nat -> list T) (round start count : nat) :
  flat_map (fun r => if Nat.eqb r round then f r else []) (seq start count) = if (start <=? round)%nat && (round <? start + count)%nat then f round else [].
Proof.
  revert start. induction count as [|count IH]; intros start; cbn [seq flat_map].
  - destruct (Nat.leb_spec start round), (Nat.ltb_spec round (start + 0)); try reflexivity; lia.
  - rewrite IH. destruct (Nat.eqb_spec start round) as [->|ne].
    + destruct (Nat.leb_spec (S round) round); [lia|]. destruct (Nat.leb_spec round round); [|lia]. destruct (Nat.ltb_spec round (round + S count)); [|lia].
      cbn [andb]. apply app_nil_r.
    + cbn [app]. destruct (Nat.leb_spec (S start) round), (Nat.leb_spec start round), (Nat.ltb_spec round (S start + count)), (Nat.ltb_spec round (start + S count)); try reflexivity; lia.
Qed.

(* Kinds and parties are literals; times stay. *)
Ltac kinds :=
  repeat match goal with
  | |- context [ieqb (repr 8 ?a) (repr 8 ?b)] =>
      let v := eval vm_compute in (ieqb (repr 8 a) (repr 8 b)) in change (ieqb (repr 8 a) (repr 8 b)) with v
  end; cbn [andb].
Ltac hear :=
  unfold is_for, prepare_message;
  cbn [app flat_map lean_session_Sent_kind lean_session_Sent_from lean_session_Sent_to lean_session_Sent_round lean_session_Sent_payload];
  kinds.

Section Messages.
  Context {W : Type} {W_Ring : ring_Ring W} (h : u64) (operation : u64).
  Notation received := (list (dpf_received (W := W))).

  Lemma heard_of_rounds (to_0 to_1 : received) (count : nat) (to kind from : u8) (time : u64) (f : nat -> list u8) (round : nat) : (round < count)%nat ->
    (forall r, (r < count)%nat -> heard_of (round_messages h operation to_0 to_1 r) to kind from time = if Nat.eqb r round then f r else []) ->
    heard_of (flat_map (round_messages h operation to_0 to_1) (seq 0 count)) to kind from time = f round.
  Proof.
    intros hr each. rewrite heard_is, flat_map_flat_map, flat_map_concat_map.
    rewrite (map_ext_in _ (fun r => if Nat.eqb r round then f r else [])), <- flat_map_concat_map, one_round.
    - destruct (Nat.leb_spec 0 round); [|lia]. destruct (Nat.ltb_spec round (0 + count)); [reflexivity | lia].
    - intros r hin. apply in_seq in hin. rewrite <- heard_is. apply each. lia.
  Qed.

  (* Of all rounds, those messages that a primary hears in one of them. *)
  Lemma heard_in_round (to_0 to_1 : received) (count round : nat) : (count <= 66)%nat -> (round < count)%nat ->
    let sent := flat_map (round_messages h operation to_0 to_1) (seq 0 count) in
    let hears to from l :=
      heard_of sent to (repr 8 8) from (round_time round) = bytes_blocks_bytes (flags_in h round l) /\
      heard_of sent to (repr 8 6) from (round_time round) = bytes_operands_bytes (map fst (levels_in round l)) /\
      heard_of sent to (repr 8 9) from (round_time round) = lean_payload_word_shares (words_in h round l) /\
      heard_of sent to (repr 8 7) from (wadd (round_time round) (repr 64 1)) = bytes_blocks_bytes (map snd (levels_in round l)) in
    hears (repr 8 0) (repr 8 1) to_0 /\ hears (repr 8 1) (repr 8 0) to_1.
  Proof.
    intros few hr. cbv zeta.
    Local Ltac listen count round hr f :=
      apply (heard_of_rounds _ _ count _ _ _ _ f round hr); intros r hr'; destruct (same_time r round ltac:(lia) ltac:(lia)) as [e_1 e_2];
      unfold round_messages, first_messages, second_message; rewrite heard_spoken, heard_is; hear; rewrite ?e_1, ?e_2;
      destruct (Nat.eqb r round); rewrite ?app_nil_r; reflexivity.
    split; (split; [|split; [|split]]).
    - listen count round hr (fun r => bytes_blocks_bytes (flags_in h r to_0)).
    - listen count round hr (fun r => bytes_operands_bytes (map fst (levels_in r to_0))).
    - listen count round hr (fun r => lean_payload_word_shares (words_in h r to_0)).
    - listen count round hr (fun r => bytes_blocks_bytes (map snd (levels_in r to_0))).
    - listen count round hr (fun r => bytes_blocks_bytes (flags_in h r to_1)).
    - listen count round hr (fun r => bytes_operands_bytes (map fst (levels_in r to_1))).
    - listen count round hr (fun r => lean_payload_word_shares (words_in h r to_1)).
    - listen count round hr (fun r => bytes_blocks_bytes (map snd (levels_in r to_1))).
  Qed.

  (* Rounds have messages of kinds 6 to 9 only. *)
  Lemma rounds_are_silent (to_0 to_1 : received) (count : nat) (to kind from : u8) (time : u64) :
    ieqb (repr 8 6) kind = false -> ieqb (repr 8 7) kind = false -> ieqb (repr 8 8) kind = false -> ieqb (repr 8 9) kind = false ->
    heard_of (flat_map (round_messages h operation to_0 to_1) (seq 0 count)) to kind from time = [].
  Proof.
    intros n_6 n_7 n_8 n_9. rewrite heard_is, flat_map_flat_map. generalize (seq 0 count) as rounds. intros rounds.
    induction rounds as [|r rounds IH]; [reflexivity|]. cbn [flat_map]. rewrite IH, app_nil_r, <- heard_is.
    unfold round_messages, first_messages, second_message. rewrite heard_spoken, heard_is. unfold is_for, prepare_message.
    cbn [app flat_map lean_session_Sent_kind lean_session_Sent_from lean_session_Sent_to]. rewrite n_6, n_7, n_8, n_9.
    rewrite !andb_false_r. reflexivity.
  Qed.
End Messages.

(** * All rounds at a primary *)

Section Rounds.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Boolean : BooleanRing W}.
  Context {P : Type} {P_Prg : prg_Prg P} {P_Layers : lean_layers_Layers P} (prg : P).
  Context (h : u64) (h_small : val h < 64).
  Notation batch party round plans := (map (fun plan => growing_after prg h plan party round) plans).

  Lemma rounds_are_turns (party : share_Primary) (operation : u64) (plans : list (dpf_plan (W := W))) (inbox : list lean_session_Sent) (m : nat) :
    Z.of_nat (length plans) < 2 ^ 50 -> Forall (plan_fits h) plans ->
    forall round sent, (round + m <= nat_of h + 2)%nat ->
    (forall r, (round <= r < round + m)%nat -> hears_round prg h party r plans inbox) ->
    fold_left (fun growth round => lean_prepare_turn_round_turn (number_of party) prg operation growth round inbox) (map of_nat (seq round m))
      (mk_lean_prepare_turn_Growth (batch party round plans) sent)
    = mk_lean_prepare_turn_Growth (batch party (round + m) plans)
        (sent ++ flat_map (fun r => says_in_round prg h party operation r plans) (seq round m)).
  Proof.
    intros few fitting. induction m as [|m IH]; intros round sent hr heard.
    - cbn. rewrite app_nil_r, Nat.add_0_r. reflexivity.
    - cbn [seq map fold_left flat_map]. rewrite (lean_round_is_a_turn prg h h_small) by (assumption || (apply heard; lia) || lia).
      rewrite IH by (lia || (intros r hr'; apply heard; lia)). rewrite <- app_assoc, Nat.add_succ_comm. reflexivity.
  Qed.

  (* What a primary says in all rounds. *)
  Lemma said_in_rounds (party : share_Primary) (operation : u64) (plans : list (dpf_plan (W := W))) (count : nat) :
    said_by (number_of party) (flat_map (round_messages h operation (map (sent_of_plan prg h share_Primary_P0) plans)
      (map (sent_of_plan prg h share_Primary_P1) plans)) (seq 0 count))
    = flat_map (fun r => says_in_round prg h party operation r plans) (seq 0 count).
  Proof.
    unfold said_by. rewrite flat_map_flat_map. apply flat_map_ext. intros r.
    change (flat_map _ ?l) with (said_by (number_of party) l). unfold round_messages. rewrite said_spoken. unfold says_in_round. cbv zeta. f_equal.
    unfold said_by, first_messages, second_message, prepare_message. cbn [app flat_map lean_session_Sent_from].
    destruct party; cbn [number_of other_primary]; kinds; reflexivity.
  Qed.
End Rounds.

(** * The step *)

Lemma forall2_maps {A B C : Type} (R : B -> C -> Prop) (f : A -> B) (g : A -> C) (l : list A) :
  (forall x, In x l -> R (f x) (g x)) -> Forall2 R (map f l) (map g l).
Proof. induction l as [|x l IH]; intros each; cbn [map]; constructor; [apply each, in_eq | apply IH; intros y hy; apply each, in_cons, hy]. Qed.

Section Step.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Boolean : BooleanRing W}.
  Context {P : Type} {P_Prg : prg_Prg P} {P_Layers : lean_layers_Layers P} (prg : P).
  Context (h : u64) (h_small : val h < 64).
  Context (pair_01 pair_02 pair_12 : lean_tape_PairStreams).
  Notation ready := (session_ready prg h pair_01 pair_02 pair_12).
  Notation P0 := share_Primary_P0.
  Notation P1 := share_Primary_P1.
  Context (session : lean_session_Session W P) (reads updates : u64) (small : val reads + val updates < 2 ^ 32).
  Notation p0 := (lean_session_Session_p0 session).
  Notation p1 := (lean_session_Session_p1 session).
  Notation p2 := (lean_session_Session_p2 session).
  Notation operation := (lean_session_Session_operation session).
  Notation items := (batch_items reads updates).
  Notation plan := (batch_plan h pair_01 pair_02 pair_12 session reads).
  Notation deal := (batch_deal h pair_02 pair_12 session reads).
  Notation heard := (batch_to prg h pair_01 pair_02 pair_12 session reads updates).
  Notation grown := (grown_batch prg h pair_01 pair_02 pair_12 session reads updates).
  Notation keys := (batch_keys prg h pair_01 pair_02 pair_12 session reads updates).
  Notation purposes := (lean_preprocessing_purposes reads updates).
  Notation rounds := (rounds_of_batch h updates).
  Notation levels := (lean_preprocessing_batch_depth h updates).
  Notation plans := (map plan (dpfs_of items)).

  (** ** Sizes *)

  Lemma purposes_length : Z.of_nat (length purposes) = val reads + val updates.
  Proof.
    unfold lean_preprocessing_purposes. rewrite map_range_0_length, Z_nat_of, val_wadd. pose proof (val_bounds reads). pose proof (val_bounds updates).
    apply Z.mod_small. change (2 ^ Zpos 64) with 18446744073709551616. lia.
  Qed.
  Lemma items_purposes : map snd items = purposes.
  Proof. apply map_snd_enumerate. rewrite purposes_length. lia. Qed.
  Lemma items_length : Z.of_nat (length items) = val reads + val updates.
  Proof. rewrite <- purposes_length, <- items_purposes, map_length. reflexivity. Qed.
  Lemma dpfs_length : Z.of_nat (length (dpfs_of items)) < 2 ^ 33.
  Proof. rewrite dpfs_of_length, Nat2Z.inj_mul, items_length. lia. Qed.
  Lemma levels_small : (nat_of levels <= nat_of h)%nat /\ (nat_of h < 64)%nat.
  Proof.
    pose proof (Z_nat_of h). split; [|lia]. unfold lean_preprocessing_batch_depth.
    exact (proj2 (flag_level_below h (if ieqb updates (repr 64 0) then lean_layers_Purpose_Read else lean_layers_Purpose_Update))).
  Qed.

  Lemma plans_fit : Forall (plan_fits h) plans.
  Proof. apply Forall_forall. intros p hp. apply in_map_iff in hp as (k & <- & _). apply plan_of_fits, h_small. Qed.

  Lemma moves_small party : Forall (fun share => val share < 256) (map received_moved (heard party)).
  Proof.
    apply Forall_forall. intros share hs. apply in_map_iff in hs as (r & <- & hr). unfold batch_to in hr. apply in_map_iff in hr as (k & <- & _).
    pose proof (plan_of_fits h h_small pair_01 pair_02 pair_12 (lean_party_Party0_tape p0) (lean_party_Party1_tape p1) (lean_party_Party2_tape p2)
      (lean_party_Party0_drawn p0) (lean_party_Party1_drawn p1) (lean_party_Party2_drawn p2) (lean_party_Party0_items p0) reads k (W := W)) as fitting.
    change (plan_fits h (plan k)) in fitting. unfold sent_of_plan, received_of. cbn [received_moved].
    unfold growing_after, growing_at, lean_generation_moved, lean_one_hot_moved_share.
    cbn [lean_generation_Growing_random_index lean_generation_Growing_mask lean_generation_Growing_log_size].
    pose proof (flag_bits_bound h) as [b7 _]. pose proof (val_bounds (lean_layers_flag_bits h)).
    change 256 with (2 ^ 8). apply ixor_below; [lia| |].
    - apply Z.lt_le_trans with (2 ^ val (lean_layers_flag_bits h)); [apply low_bits_below; lia | apply Z.pow_le_mono_r; lia].
    - apply Z.lt_le_trans with (2 ^ val (lean_layers_flag_bits h)); [apply (fits_mask h _ fitting) | apply Z.pow_le_mono_r; lia].
  Qed.

  (** ** Shapes *)

  Lemma deals_shaped : Forall2 (deal_shape h) (lean_payload_of_dpfs purposes) (map deal (dpfs_of items)).
  Proof.
    assert (e : lean_payload_of_dpfs purposes = map (fun k => snd (fst k)) (dpfs_of items)).
    { rewrite <- items_purposes. unfold lean_payload_of_dpfs. rewrite flat_map_map. apply flat_map_dpfs. reflexivity. }
    rewrite e. apply forall2_maps. intros [[j purpose] b] _. cbn [fst snd]. unfold batch_deal, deal_of, lean_dealing_deal, deal_shape. cbn [fst snd].
    set (seed_0 := seed_of_0 h pair_02 (lean_party_Party0_items p0) (j, purpose) b). set (seed_1 := seed_of_1 h pair_12 (lean_party_Party0_items p0) (j, purpose) b).
    assert (t_0 : length (lean_tape_Seed0_triples seed_0) = tree_level h purpose).
    { unfold seed_0, seed_of_0, lean_tape_seed_0. cbv zeta. cbn [fst snd]. destruct purpose; cbn [lean_tape_Seed0_triples]; apply map_range_0_length. }
    assert (t_1 : length (lean_tape_Seed1_triples seed_1) = tree_level h purpose).
    { unfold seed_1, seed_of_1, lean_tape_seed_1. cbv zeta. cbn [fst snd lean_tape_Seed1_triples]. apply map_range_0_length. }
    assert (u_0 : purpose = lean_layers_Purpose_Update -> length (lean_tape_Seed0_value_one_hot seed_0) = 8%nat).
    { intros ->. unfold seed_0, seed_of_0, lean_tape_seed_0. cbv zeta. cbn [fst snd lean_tape_Seed0_value_one_hot]. apply map_range_0_length. }
    destruct purpose; cbn [lean_dealing_Deal_z lean_dealing_Deal_value_one_hot lean_dealing_Deal_value_share]; rewrite map_length, combine_length, t_0, t_1.
    - split; [lia | split; reflexivity].
    - split; [lia|]. unfold lean_one_hot_dealt_value. rewrite map_length, combine_length, range_length, u_0 by reflexivity. reflexivity.
  Qed.

  Lemma keys_purposes party : map (fun key => lean_preprocessing_HelperKey_purpose key) (keys party) = purposes.
  Proof. unfold batch_keys. rewrite map_map, <- items_purposes. apply map_ext. reflexivity. Qed.

  Lemma keys_shaped party : Forall (key_shape h) (keys party).
  Proof.
    apply Forall_forall. intros key hk. apply in_map_iff in hk as ([j purpose] & <- & _). unfold batch_key, key_shape. cbn [snd].
    cbn [lean_preprocessing_HelperKey_key lean_preprocessing_HelperKey_purpose].
    set (pl := plan (j, purpose, match party with P0 => false | P1 => true end)).
    assert (up : plan_purpose pl = purpose) by reflexivity. assert (fitting : plan_fits h pl) by apply plan_of_fits, h_small.
    pose proof (flag_level_below h purpose) as [_ below].
    unfold key_of, final_key, growing_after, growing_at. rewrite up.
    cbn [lean_generation_Growing_key lean_layers_LayeredKey_tree lean_layers_LayeredKey_word_correction dpf_Key_corrections]. split.
    - rewrite firstn_length, plan_corrections_length. lia.
    - destruct purpose; [reflexivity|]. change (tree_level h lean_layers_Purpose_Update) with (word_level h).
      destruct (Nat.ltb_spec (word_level h) (S (word_level h))); [|lia].
      assert (share : forall who, sized (repr 64 8) (plan_word_share prg h pl who)).
      { intros who. pose proof (word_share_length prg h pl who fitting up) as l. unfold growing_after in l. rewrite up in l.
        change (tree_level h lean_layers_Purpose_Update) with (word_level h) in l. rewrite Nat.min_id in l. exact l. }
      apply (sized_add (repr 64 8) _ _ (share P0) (share P1)).
  Qed.

  Lemma keys_of_reads party : Forall (fun key => lean_preprocessing_HelperKey_purpose key = lean_layers_Purpose_Read ->
    lean_preprocessing_HelperKey_delta_share key = ring_Ring_zero W) (keys party).
  Proof. apply Forall_forall. intros key hk. apply in_map_iff in hk as ([j purpose] & <- & _). cbn. intros ->. reflexivity. Qed.
  (** ** What each party hears *)

  Notation sent := (batch_messages prg h pair_01 pair_02 pair_12 session reads updates).
  Notation last := (wadd (wmul levels (repr 64 2)) (repr 64 2)).

  Lemma heard_plans party : map (sent_of_plan prg h party) plans = heard party.
  Proof. apply map_map. Qed.
  Lemma grown_plans party round : grown party round = map (fun pl => growing_after prg h pl party round) plans.
  Proof. symmetry. apply map_map. Qed.

  Lemma hears_all party r : (r < rounds)%nat -> hears_round prg h party r plans (lean_delivery_inbox sent (number_of party)).
  Proof.
    intros hr. pose proof levels_small as [l_1 l_2]. unfold hears_round. cbv zeta. rewrite heard_plans.
    change (lean_delivery_received (lean_delivery_inbox ?a ?b) ?c ?d ?e) with (heard_of a b c d e).
    destruct (heard_in_round h operation (heard P0) (heard P1) rounds r ltac:(unfold rounds_of_batch; lia) hr) as [of_0 of_1].
    unfold batch_messages. cbv zeta. rewrite !heard_app, !heard_spoken.
    destruct party; cbn [number_of other_primary]; [destruct of_0 as (e_8 & e_6 & e_9 & e_7) | destruct of_1 as (e_8 & e_6 & e_9 & e_7)];
      unfold rounds_of_batch in *; rewrite e_8, e_6, e_9, e_7; rewrite !heard_is; hear; rewrite ?app_nil_r; repeat split; reflexivity.
  Qed.

  (* Of the messages around the rounds. *)
  Lemma heard_besides (to kind from : u8) (time : u64) :
    ieqb (repr 8 6) kind = false -> ieqb (repr 8 7) kind = false -> ieqb (repr 8 8) kind = false -> ieqb (repr 8 9) kind = false ->
    lean_delivery_received (lean_delivery_inbox sent to) kind from time
    = heard_of [prepare_message 4 2 1 operation (repr 64 0) (lean_payload_deals purposes (map deal (dpfs_of items)));
        prepare_message 5 0 1 operation (repr 64 0) (lean_payload_moved_shares (map received_moved (heard P1)));
        prepare_message 5 1 0 operation (repr 64 0) (lean_payload_moved_shares (map received_moved (heard P0)))] to kind from time
      ++ heard_of [prepare_message 10 0 2 operation last (lean_payload_keys (keys P0)); prepare_message 10 1 2 operation last (lean_payload_keys (keys P1));
        prepare_message 11 0 2 operation last (lean_payload_delta_shares (keys P0)); prepare_message 11 1 0 operation last (lean_payload_delta_shares (keys P1));
        prepare_message 11 1 2 operation last (lean_payload_delta_shares (keys P1))] to kind from time.
  Proof.
    intros n_6 n_7 n_8 n_9. change (lean_delivery_received (lean_delivery_inbox ?a ?b) ?c ?d ?e) with (heard_of a b c d e).
    unfold batch_messages. cbv zeta. rewrite !heard_app, heard_spoken, rounds_are_silent by assumption. reflexivity.
  Qed.

  Lemma rounds_counted : map of_nat (seq 0 (nat_of (wadd levels (repr 64 1)))) = map of_nat (seq 0 rounds) :> list u64.
  Proof.
    do 2 f_equal. unfold rounds_of_batch. pose proof levels_small as [l_1 l_2]. rewrite (nat_of_wadd levels (repr 64 1) (nat_of levels) 1) by (reflexivity || lia). lia.
  Qed.

  Lemma all_rounds party said :
    lean_prepare_turn_rounds_turn (number_of party) prg operation (mk_lean_prepare_turn_Growth (grown party 0) said) levels
      (lean_delivery_inbox sent (number_of party))
    = mk_lean_prepare_turn_Growth (grown party rounds)
        (said ++ flat_map (fun r => says_in_round prg h party operation r plans) (seq 0 rounds)).
  Proof.
    pose proof levels_small as [l_1 l_2]. pose proof dpfs_length. unfold lean_prepare_turn_rounds_turn. rewrite range_0, rounds_counted, !grown_plans.
    apply (rounds_are_turns prg h h_small party operation plans _ rounds).
    - rewrite map_length. lia.
    - apply plans_fit.
    - unfold rounds_of_batch. lia.
    - intros r hr. apply hears_all. lia.
  Qed.

  Lemma said_in_step who : said_by who sent
    = said_by who [prepare_message 4 2 1 operation (repr 64 0) (lean_payload_deals purposes (map deal (dpfs_of items)));
        prepare_message 5 0 1 operation (repr 64 0) (lean_payload_moved_shares (map received_moved (heard P1)));
        prepare_message 5 1 0 operation (repr 64 0) (lean_payload_moved_shares (map received_moved (heard P0)))]
      ++ said_by who (flat_map (round_messages h operation (map (sent_of_plan prg h P0) plans) (map (sent_of_plan prg h P1) plans)) (seq 0 rounds))
      ++ lean_session_spoken (said_by who
        [prepare_message 10 0 2 operation last (lean_payload_keys (keys P0)); prepare_message 10 1 2 operation last (lean_payload_keys (keys P1));
         prepare_message 11 0 2 operation last (lean_payload_delta_shares (keys P0)); prepare_message 11 1 0 operation last (lean_payload_delta_shares (keys P1));
         prepare_message 11 1 2 operation last (lean_payload_delta_shares (keys P1))]).
  Proof. rewrite !heard_plans. unfold batch_messages. cbv zeta. rewrite !said_by_app, said_spoken. reflexivity. Qed.

  (** ** The three parties *)

  Context (held_reads held_updates : list (held_item (W := W))) (is_ready : ready held_reads held_updates session).
  Notation step := (lean_session_preprocess session reads updates).

  Let parts : preprocess_parts prg h pair_01 pair_02 pair_12 session reads updates.
  Proof. apply (lean_preprocess_is prg h h_small pair_01 pair_02 pair_12 session reads updates held_reads held_updates is_ready). lia. Qed.

  Lemma prepare_turn_0 :
    lean_prepare_turn_prepare_0 p0 operation reads updates (lean_delivery_inbox sent (repr 8 0))
    = mk_lean_prepare_turn_Turn (lean_session_Session_p0 (lean_session_Step_session step)) (said_by (repr 8 0) sent) [].
  Proof.
    rewrite (whole_preprocess _ _ _ _ _ _ _ _ parts). cbn [lean_session_Step_session lean_session_Session_p0].
    unfold lean_prepare_turn_prepare_0. cbv zeta.
    rewrite (ready_size_0 _ _ _ _ _ _ _ _ is_ready), (ready_prg_0 _ _ _ _ _ _ _ _ is_ready).
    change (lean_prepare_turn_keys_time levels) with last.
    rewrite !heard_besides by reflexivity. rewrite !heard_is. hear. rewrite !ieqb_refl. cbn [app]. rewrite !app_nil_r.
    rewrite lean_moved_shares_round_trip by apply moves_small. rewrite (starts_0 _ _ _ _ _ _ _ _ parts), (moves_0 _ _ _ _ _ _ _ _ parts).
    pose proof (all_rounds P0) as all. cbn [number_of] in all. rewrite all. clear all.
    cbn [lean_prepare_turn_Growth_batch lean_prepare_turn_Growth_sent]. rewrite (gives_0 _ _ _ _ _ _ _ _ parts).
    rewrite <- (keys_purposes P1), lean_delta_shares_round_trip by apply keys_of_reads. f_equal.
    rewrite said_in_step, concat_pair. change (repr 8 0) with (number_of P0) at 4. rewrite (said_in_rounds prg h P0).
    unfold said_by, prepare_message. cbn [flat_map app lean_session_Sent_from number_of]. kinds. cbn [app]. reflexivity.
  Qed.

  Lemma prepare_turn_1 :
    lean_prepare_turn_prepare_1 p1 operation reads updates (lean_delivery_inbox sent (repr 8 1))
    = mk_lean_prepare_turn_Turn (lean_session_Session_p1 (lean_session_Step_session step)) (said_by (repr 8 1) sent) [].
  Proof.
    rewrite (whole_preprocess _ _ _ _ _ _ _ _ parts). cbn [lean_session_Step_session lean_session_Session_p1].
    unfold lean_prepare_turn_prepare_1. cbv zeta.
    rewrite (ready_size_1 _ _ _ _ _ _ _ _ is_ready), (ready_prg_1 _ _ _ _ _ _ _ _ is_ready).
    change (lean_prepare_turn_keys_time levels) with last.
    rewrite !heard_besides by reflexivity. rewrite !heard_is. hear. rewrite !ieqb_refl. cbn [app]. rewrite !app_nil_r.
    pose proof dpfs_length. rewrite lean_deals_round_trip by (try apply deals_shaped; try exact h_small; unfold fits; rewrite map_length; lia).
    rewrite lean_moved_shares_round_trip by apply moves_small. rewrite (starts_1 _ _ _ _ _ _ _ _ parts), (moves_1 _ _ _ _ _ _ _ _ parts).
    pose proof (all_rounds P1) as all. cbn [number_of] in all. rewrite all. clear all.
    cbn [lean_prepare_turn_Growth_batch lean_prepare_turn_Growth_sent]. rewrite (gives_1 _ _ _ _ _ _ _ _ parts). f_equal.
    rewrite said_in_step, concat_pair. pose proof (said_in_rounds prg h P1 operation plans rounds) as said. cbn [number_of] in said. rewrite said.
    unfold said_by, prepare_message. cbn [flat_map app lean_session_Sent_from number_of]. kinds. cbn [app]. reflexivity.
  Qed.

  Lemma rounds_say_nothing_of_2 (to_0 to_1 : list (dpf_received (W := W))) l : said_by (repr 8 2) (flat_map (round_messages h operation to_0 to_1) l) = [].
  Proof.
    induction l as [|r l IH]; [reflexivity|]. cbn [flat_map]. rewrite said_by_app, IH, app_nil_r. unfold round_messages. rewrite said_spoken.
    unfold said_by, first_messages, second_message, prepare_message. cbn [app flat_map lean_session_Sent_from]. kinds. reflexivity.
  Qed.

  Lemma keys_arrive party from : from = number_of party ->
    lean_prepare_turn_received_keys W h purposes last from (lean_delivery_inbox sent (repr 8 2)) = keys party.
  Proof.
    intros ->. unfold lean_prepare_turn_received_keys. cbv zeta. rewrite !heard_besides by reflexivity. rewrite !heard_is.
    pose proof items_length.
    assert (few : Z.of_nat (length (keys party)) < 2 ^ 40) by (unfold batch_keys; rewrite map_length; lia).
    destruct party; cbn [number_of]; hear; rewrite !ieqb_refl; cbn [app]; rewrite !app_nil_r.
    all: match goal with |- context [lean_payload_keys (keys ?who)] => set (given := who) in * end.
    all: rewrite <- (keys_purposes given), lean_keys_round_trip, lean_delta_shares_round_trip by (assumption || apply keys_shaped || apply keys_of_reads).
    all: rewrite !combine_map, map_map; etransitivity; [|apply map_id]; apply map_ext; intros [? ? ?]; reflexivity.
  Qed.

  Lemma prepare_turn_2 :
    lean_prepare_turn_prepare_2 p2 operation reads updates (lean_delivery_inbox sent (repr 8 2))
    = mk_lean_prepare_turn_Turn (lean_session_Session_p2 (lean_session_Step_session step)) (said_by (repr 8 2) sent) [].
  Proof.
    rewrite (whole_preprocess _ _ _ _ _ _ _ _ parts). cbn [lean_session_Step_session lean_session_Session_p2].
    unfold lean_prepare_turn_prepare_2. cbv zeta. rewrite (ready_size_2 _ _ _ _ _ _ _ _ is_ready).
    change (lean_prepare_turn_keys_time levels) with last. rewrite !(keys_arrive P0) by reflexivity. rewrite (keys_arrive P1) by reflexivity.
    f_equal. rewrite said_in_step, rounds_say_nothing_of_2, (deals_2 _ _ _ _ _ _ _ _ parts).
    unfold said_by, prepare_message. cbn [flat_map app lean_session_Sent_from]. kinds. cbn [app]. reflexivity.
  Qed.

  Theorem lean_preprocess_turns :
    each_takes_its_turn session step (lean_party_turn_PrimaryTask_Preprocess reads updates) (lean_party_turn_PrimaryTask_Preprocess reads updates)
      (lean_party_turn_HelperTask_Preprocess reads updates).
  Proof.
    pose proof (whole_preprocess _ _ _ _ _ _ _ _ parts) as whole.
    assert (e_sent : lean_session_Step_sent step = sent) by (rewrite whole; reflexivity).
    assert (e_results : lean_session_Step_results step = []) by (rewrite whole; reflexivity).
    constructor; rewrite e_sent, ?e_results; cbn [map];
      [exact prepare_turn_0 | exact prepare_turn_1 | exact prepare_turn_2].
  Qed.
End Step.
