(* One round of preparing at a primary is a function of its own DPFs and of what it is sent in that round (`lean::prepare_turn`): what the
   other sent decodes to the messages of the other's DPFs, because both know which DPFs have something to say in which round. *)
From Coq Require Import Lia.
From Duoram.core Require Import VectorFacts Parties.
From Duoram.lean Require Import PreparedItems PreparingView PreparingMessages PayloadRoundTrip.
From Duoram.Generated Require Import All.

(** * What is due *)

Definition is_there {T : Type} (entry : option T) : bool := match entry with Some _ => true | None => false end.

Lemma present_count {T : Type} (entries : list (option T)) : Z.of_nat (length entries) < 2 ^ 64 ->
  nat_of (lean_prepare_turn_count (map is_there entries)) = length (lean_payload_present entries).
Proof.
  intros small. unfold lean_payload_present.
  assert (shorter : (length (flat_map (fun entry : option T => match entry with Some value => [value] | None => [] end) entries) <= length entries)%nat).
  { clear. induction entries as [|[x|] l IH]; cbn [flat_map app length] in *; lia. }
  rewrite <- (nat_of_sum_of (fun entry : option T => match entry with Some value => [value] | None => [] end)
    (fun entry => if is_there entry then repr 64 1 else repr 64 0) entries) by (intros; lia || (destruct x; reflexivity)).
  unfold lean_prepare_turn_count. rewrite !fold_left_map. reflexivity.
Qed.

Lemma present_length {T : Type} (entries : list (option T)) : (length (lean_payload_present entries) <= length entries)%nat.
Proof. unfold lean_payload_present. induction entries as [|[x|] l IH]; cbn [flat_map app length] in *; lia. Qed.

(* A primary's number among the parties. *)
Definition number_of (party : share_Primary) : u8 := match party with share_Primary_P0 => repr 8 0 | share_Primary_P1 => repr 8 1 end.

Section Round.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Boolean : BooleanRing W}.
  Context {P : Type} {P_Prg : prg_Prg P} {P_Layers : lean_layers_Layers P} (prg : P).
  Context (h : u64) (h_small : val h < 64).
  Notation batch party round plans := (map (fun plan => growing_after prg h plan party round) plans).
  Notation heard party plans := (map (sent_of_plan prg h party) plans).
  Implicit Types (party : share_Primary) (plans : list (dpf_plan (W := W))) (round : nat).

  Notation number := number_of.
  Lemma other_number party : ixor (repr 8 1) (number party) = number (other_primary party).
  Proof. destruct party; reflexivity. Qed.

  Lemma word_share_length plan party : plan_fits h plan -> plan_purpose plan = lean_layers_Purpose_Update ->
    length (lean_generation_word_share prg (growing_after prg h plan party (word_level h))) = nat_of lean_layers_NODE_WORDS.
  Proof.
    intros fits update. destruct (fits_value h plan fits update) as [u_0 u_1].
    assert (u : sized (repr 64 8) (lean_dealing_Dealt_value_one_hot (plan_dealt plan party))).
    { destruct party; [exact u_0|]. rewrite u_1. apply dealt_values_open, u_0. }
    change (nat_of lean_layers_NODE_WORDS) with (nat_of (repr 64 8)).
    unfold growing_after, lean_generation_word_share, growing_at, lean_one_hot_moved_value. cbv zeta.
    cbn [lean_generation_Growing_dealt lean_generation_Growing_offset lean_generation_Growing_common lean_generation_Growing_labels].
    apply sized_add; [apply word_sum_sized|]. apply sized_add; [apply sized_xor_shift, u|].
    apply sized_scale. unfold sized. rewrite map_length, folded_length. reflexivity.
  Qed.

  (* What is sent to a primary in a round, from the primary with the other number. *)
  Definition hears_round party round plans (inbox : list lean_session_Sent) : Prop :=
    let from := number (other_primary party) in
    let time := round_time round in
    lean_delivery_received inbox (repr 8 8) from time = bytes_blocks_bytes (flags_in h round (heard party plans)) /\
    lean_delivery_received inbox (repr 8 6) from time = bytes_operands_bytes (map fst (levels_in round (heard party plans))) /\
    lean_delivery_received inbox (repr 8 9) from time = lean_payload_word_shares (words_in h round (heard party plans)) /\
    lean_delivery_received inbox (repr 8 7) from (wadd time (repr 64 1)) = bytes_blocks_bytes (map snd (levels_in round (heard party plans))).

  (* What a primary says in it, told by what the other hears. *)
  Definition says_in_round party operation round plans : list lean_session_Sent :=
    let other := other_primary party in
    let message kind time payload := mk_lean_session_Sent (repr 8 kind) (number party) (number other) operation (cast 32 time) payload in
    lean_session_spoken
      [message 8 (round_time round) (bytes_blocks_bytes (flags_in h round (heard other plans)));
       message 6 (round_time round) (bytes_operands_bytes (map fst (levels_in round (heard other plans))));
       message 9 (round_time round) (lean_payload_word_shares (words_in h round (heard other plans)));
       message 7 (wadd (round_time round) (repr 64 1)) (bytes_blocks_bytes (map snd (levels_in round (heard other plans))))].

  Theorem lean_round_is_a_turn party (operation : u64) round plans (inbox sent : list lean_session_Sent) :
    (round <= nat_of h + 1)%nat -> Z.of_nat (length plans) < 2 ^ 50 -> Forall (plan_fits h) plans -> hears_round party round plans inbox ->
    lean_prepare_turn_round_turn (number party) prg operation (mk_lean_prepare_turn_Growth (batch party round plans) sent) (of_nat round) inbox
    = mk_lean_prepare_turn_Growth (batch party (S round) plans) (sent ++ says_in_round party operation round plans).
  Proof.
    intros hr few fitting (h_8 & h_6 & h_9 & h_7). rewrite Forall_forall in fitting.
    unfold lean_prepare_turn_round_turn. cbv zeta. cbn [lean_prepare_turn_Growth_batch lean_prepare_turn_Growth_sent]. rewrite other_number.
    change (lean_prepare_turn_round_time (of_nat round)) with (round_time round).
    set (other := other_primary party) in *.
    assert (back : other_primary other = party) by (destruct party; reflexivity).
    set (theirs := lean_preprocessing_round_message prg (batch other round plans) (of_nat round)).
    set (own := lean_preprocessing_round_message prg (batch party round plans) (of_nat round)).
    set (second := lean_preprocessing_round_opening prg (batch other round plans) own).
    (* What is due is due at both. *)
    assert (levels : lean_prepare_turn_levels_due (batch party round plans) = map is_there (lean_preprocessing_Round_operands theirs)).
    { unfold lean_prepare_turn_levels_due, theirs, lean_preprocessing_round_message. cbn [lean_preprocessing_Round_operands].
      rewrite !map_map. apply map_ext. intros plan. rewrite !has_level_after by exact h_small. destruct (_ <? _)%nat; reflexivity. }
    assert (flags : map (fun growing => lean_preprocessing_flags_due growing (of_nat round)) (batch party round plans)
      = map is_there (lean_preprocessing_Round_flags theirs)).
    { unfold theirs, lean_preprocessing_round_message. cbn [lean_preprocessing_Round_flags]. rewrite !map_map. apply map_ext. intros plan.
      rewrite !flags_due_after by assumption. destruct (Nat.eqb _ _); reflexivity. }
    assert (words : map (fun growing => lean_preprocessing_words_due growing (of_nat round)) (batch party round plans)
      = map is_there (lean_preprocessing_Round_words theirs)).
    { unfold theirs, lean_preprocessing_round_message. cbn [lean_preprocessing_Round_words]. rewrite !map_map. apply map_ext. intros plan.
      rewrite !words_due_after by assumption. destruct (plan_purpose plan); [reflexivity|]. destruct (Nat.eqb _ _); reflexivity. }
    assert (openings : lean_prepare_turn_levels_due (batch party round plans) = map is_there second).
    { rewrite levels. unfold second, lean_preprocessing_round_opening, theirs, own, lean_preprocessing_round_message.
      cbn [lean_preprocessing_Round_operands]. repeat (rewrite map_map || rewrite combine_map). apply map_ext. intros plan.
      rewrite !has_level_after by exact h_small. destruct (_ <? _)%nat; reflexivity. }
    (* What is heard is what they said. *)
    pose proof (flags_sent prg h h_small party round plans hr) as s_8. pose proof (operands_sent prg h h_small party round plans) as s_6.
    pose proof (words_sent prg h h_small party round plans hr) as s_9. pose proof (openings_sent prg h h_small party round plans) as s_7.
    fold other in s_8, s_6, s_9, s_7. fold theirs in s_8, s_6, s_9. fold own second in s_7. rewrite <- s_8 in h_8. rewrite <- s_6 in h_6.
    rewrite <- s_9 in h_9. rewrite <- s_7 in h_7. clear s_8 s_6 s_9 s_7.
    assert (l_theirs : length (lean_preprocessing_Round_operands theirs) = length plans /\ length (lean_preprocessing_Round_flags theirs) = length plans /\
      length (lean_preprocessing_Round_words theirs) = length plans).
    { unfold theirs, lean_preprocessing_round_message.
      cbn [lean_preprocessing_Round_operands lean_preprocessing_Round_flags lean_preprocessing_Round_words]. rewrite !map_length. auto. }
    destruct l_theirs as (l_6 & l_8 & l_9).
    assert (l_7 : length second = length plans).
    { pose proof (f_equal (@length bool) openings) as e. unfold lean_prepare_turn_levels_due in e. rewrite !map_length in e. congruence. }
    pose proof (present_length (lean_preprocessing_Round_operands theirs)). pose proof (present_length (lean_preprocessing_Round_flags theirs)).
    pose proof (present_length (lean_preprocessing_Round_words theirs)). pose proof (present_length second).
    assert (wide : Forall (fun share : list W => length share = nat_of lean_layers_NODE_WORDS) (lean_payload_present (lean_preprocessing_Round_words theirs))).
    { apply Forall_forall. intros share hs. unfold lean_payload_present in hs. apply in_flat_map in hs as ([words_of|] & he & hs); [destruct hs as [<-|[]] | destruct hs].
      unfold theirs, lean_preprocessing_round_message in he. cbn [lean_preprocessing_Round_words] in he. rewrite map_map in he.
      apply in_map_iff in he as (plan & e & hp). rewrite words_due_after in e by assumption.
      destruct (plan_purpose plan) eqn:purpose; [discriminate e|]. destruct (Nat.eqb_spec round (word_level h)) as [->|]; [|discriminate e].
      injection e as <-. apply word_share_length; auto. }
    assert (received : lean_prepare_turn_received_round (batch party round plans) (of_nat round) (number other) inbox = theirs).
    { unfold lean_prepare_turn_received_round. cbv zeta. change (lean_prepare_turn_round_time (of_nat round)) with (round_time round).
      rewrite h_6, h_8, h_9, levels, flags, words.
      rewrite operands_of_operands_bytes by (try (apply present_count); lia).
      rewrite blocks_of_blocks_bytes by (unfold fits; lia).
      rewrite lean_word_shares_round_trip by (try exact wide; apply present_count; lia).
      rewrite !lean_gaps_round_trip by reflexivity. destruct theirs; reflexivity. }
    rewrite received, h_7, blocks_of_blocks_bytes by (unfold fits; lia). rewrite openings, lean_gaps_round_trip by reflexivity. f_equal.
    - unfold lean_preprocessing_next_round, second, theirs, own, lean_preprocessing_round_opening, lean_preprocessing_round_message.
      cbn [lean_preprocessing_Round_operands lean_preprocessing_Round_flags lean_preprocessing_Round_words].
      repeat (rewrite map_map || rewrite combine_map). apply map_ext_in. intros plan hp.
      unfold other. destruct party; [apply (proj1 (round_grows prg h h_small plan round (fitting plan hp) hr)) | apply (proj2 (round_grows prg h h_small plan round (fitting plan hp) hr))].
    - rewrite concat_pair. f_equal. unfold says_in_round. cbv zeta. fold other.
      pose proof (flags_sent prg h h_small other round plans hr) as s_8. pose proof (operands_sent prg h h_small other round plans) as s_6.
      pose proof (words_sent prg h h_small other round plans hr) as s_9. pose proof (openings_sent prg h h_small other round plans) as s_7.
      rewrite back in s_8, s_6, s_9, s_7. rewrite <- s_8, <- s_6, <- s_9, <- s_7. reflexivity.
  Qed.
End Round.
