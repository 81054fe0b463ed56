(* What P2 is sent in each step of a session (`paper::session`), byte for byte, is made of what WholeHelperView.v calls its views: P2 is a receiver, as
   Receiver.v has it ([helper_is_lawful]). Of an item's draws it has its own, the triples; no message to it has anything of them. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection.
From Duoram.core Require Import VectorFacts.
From Duoram.paper Require Import SessionSteps UpdateHelperPrivacy WholeHelperView TapeDiscipline.
From Duoram.paper Require Export Receiver.
From Duoram.Generated Require Import All.

Definition for_helper : list paper_session_Sent -> list paper_session_Sent := sent_to (repr 8 2).
Definition to_helper_from (from kind : Z) (operation : u64) (payload : list u8) : paper_session_Sent :=
  mk_paper_session_Sent (repr 8 kind) (repr 8 from) (repr 8 2) operation (repr 32 0) payload.

(* Both blinds of a load, from P0 and from P1. *)
Definition helper_load_messages (operation : u64) (v : helper_received) : list paper_session_Sent :=
  match v with
  | helper_loaded blind_0 blind_1 =>
      paper_session_chunks operation (repr 8 3) (repr 8 0) (repr 8 2) blind_0 ++ paper_session_chunks operation (repr 8 3) (repr 8 1) (repr 8 2) blind_1
  | _ => []
  end.
(* P0's keys of DPF 2 and P1's of DPF 3, with the factors. *)
Definition helper_batch_messages (operation : u64) (made : list helper_made) : list paper_session_Sent :=
  [to_helper_from 0 9 operation (paper_payload_keys (map (fun m : helper_made => mk_paper_preprocessing_HelperKey (fst (fst m)) (fst (snd m))) made));
   to_helper_from 1 9 operation (paper_payload_keys (map (fun m : helper_made => mk_paper_preprocessing_HelperKey (snd (fst m)) (snd (snd m))) made))].
(* Of a READ the shift shares, of an UPDATE the masked words of DPF 2 and 3 too. *)
Definition shifts_seen (views : list helper_received) : list (u64 * u64) :=
  flat_map (fun v => match v with helper_reading _ shifts => [shifts] | _ => [] end) views.
Definition helper_reads_messages (operation : u64) (shifts : list (u64 * u64)) : list paper_session_Sent :=
  [to_helper_from 0 10 operation (bytes_words_bytes (map fst shifts)); to_helper_from 1 10 operation (bytes_words_bytes (map snd shifts))].
Definition masked_seen (views : list helper_received) : list ((u64 * u64 * u64) * (u64 * u64 * u64)) :=
  flat_map (fun v => match v with helper_updating _ sent => [sent] | _ => [] end) views.
Definition three_masked (m : u64 * u64 * u64) : list u64 := let '(shift, masked_2, masked_3) := m in [shift; masked_2; masked_3].
Definition helper_updates_messages (operation : u64) (sent : list ((u64 * u64 * u64) * (u64 * u64 * u64))) : list paper_session_Sent :=
  [to_helper_from 0 13 operation (bytes_words_bytes (flat_map (fun m => three_masked (fst m)) sent));
   to_helper_from 1 13 operation (bytes_words_bytes (flat_map (fun m => three_masked (snd m)) sent))].

Section Received.
  Context (prg : prg_AesPrg) (h : u64).

  Definition to_helper : receiver helper_received dealt_draws helper_made := {|
    receiver_number := repr 8 2;
    seen_load _ blinds := helper_loaded (fst blinds) (snd blinds);
    seen_read := reading_for_helper;
    seen_update := updating_for_helper;
    seen_idle item := helper_idle (made_for_helper item);
    has_of f := snd (snd (fst f));
    made_for := made_for_helper;
    made_in v := match v with helper_loaded _ _ => None | helper_reading m _ | helper_updating m _ | helper_idle m => Some m end;
    load_sent := helper_load_messages;
    batch_sent operation _ _ made := helper_batch_messages operation made;
    reads_sent operation views := helper_reads_messages operation (shifts_seen views);
    updates_sent operation views := helper_updates_messages operation (masked_seen views);
  |}.

  Let same_2 : ieqb (repr 8 2) (repr 8 2) = true. Proof. reflexivity. Qed.
  Let not_0 : ieqb (repr 8 0) (repr 8 2) = false. Proof. reflexivity. Qed.
  Let not_1 : ieqb (repr 8 1) (repr 8 2) = false. Proof. reflexivity. Qed.

  Lemma load_is_received_by_helper session memory_shares (blinds : list u64 * list u64) :
    for_helper (paper_session_Step_sent (load_of_draws session (fst memory_shares) (snd memory_shares) (fst blinds) (snd blinds)))
    = helper_load_messages (paper_session_Session_operation session) (helper_loaded (fst blinds) (snd blinds)).
  Proof.
    unfold load_of_draws, step_with, for_helper. cbn [paper_session_Step_sent]. cbv zeta.
    rewrite !sent_to_app, !sent_to_chunks, same_2, not_0, not_1. reflexivity.
  Qed.

  Lemma batch_is_received_by_helper session (reads updates : list full) :
    paper_session_Session_log_size session = h -> paper_session_Session_prg session = prg ->
    for_helper (paper_session_Step_sent (step_of_draws session (step_preprocess (of_nat (length reads)) (of_nat (length updates))) (batch_of reads updates)))
    = helper_batch_messages (paper_session_Session_operation session) (map (fun f => made_for_helper (full_item prg h f)) (reads ++ updates)).
  Proof.
    intros hh hp. unfold batch_of. cbn [step_of_draws]. unfold batch_of_draws. cbv zeta. rewrite batch_items_drawn.
    cbn [step_with paper_session_Step_sent]. rewrite hh, hp. unfold paper_session_batch_messages. cbv zeta. cbn [concat].
    rewrite app_nil_r. unfold for_helper. rewrite !sent_to_app, sent_to_flat_map.
    match goal with |- context [flat_map ?f (range _ _)] => assert (none : forall l, flat_map f l = []) end.
    { intros l. induction l as [|x l IH]; [reflexivity|]. cbn [flat_map]. rewrite IH. unfold sent_to. cbn [filter paper_session_Sent_to].
      rewrite not_0, not_1. reflexivity. }
    rewrite none. unfold sent_to. cbn [filter paper_session_Sent_to]. rewrite not_0, not_1, same_2. cbn [app].
    unfold helper_batch_messages, to_helper_from, paper_payload_helper_keys. cbv zeta. rewrite !map_map. reflexivity.
  Qed.

  Theorem helper_is_lawful : lawful prg h to_helper.
  Proof.
    constructor; try reflexivity.
    - exact load_is_received_by_helper.
    - exact batch_is_received_by_helper.
    - intros operation done. unfold messages_to, all_of_reads, sent_to. cbv zeta. cbn [to_helper receiver_number filter paper_session_Sent_to].
      rewrite not_0, not_1, same_2. cbn [to_helper reads_sent seen_read].
      assert (e : shifts_seen (map (uncurry reading_for_helper) done) = map (fun o => (paper_read_Read_shift_0 (snd o), paper_read_Read_shift_1 (snd o))) done).
      { unfold shifts_seen. induction done as [|[item run] done IH]; [reflexivity|]. cbn [map flat_map uncurry reading_for_helper app snd]. rewrite <- IH. reflexivity. }
      rewrite e. unfold helper_reads_messages. rewrite !map_map. reflexivity.
    - intros operation done. unfold messages_to, all_of_updates, sent_to. cbv zeta. cbn [to_helper receiver_number filter paper_session_Sent_to].
      rewrite not_0, not_1, same_2. cbn [to_helper updates_sent seen_update].
      assert (e : masked_seen (map (uncurry updating_for_helper) done) = map (fun o => sent_to_helper (snd o)) done).
      { unfold masked_seen. induction done as [|[item run] done IH]; [reflexivity|]. cbn [map flat_map uncurry updating_for_helper app snd]. rewrite <- IH. reflexivity. }
      rewrite e. unfold helper_updates_messages, to_helper_from, paper_payload_helper_update. cbv zeta. rewrite !map_map.
      assert (words : forall part : paper_update_Update u64 -> paper_update_UpdateMessage u64, forall side,
        (forall u, side (sent_to_helper u) = (paper_update_UpdateMessage_shift (part u), paper_update_UpdateMessage_masked_dpf_2 (part u), paper_update_UpdateMessage_masked_dpf_3 (part u))) ->
        flat_map (fun m => [paper_update_HelperMessage_shift (paper_update_helper_message m);
            paper_update_HelperMessage_masked_dpf_2 (paper_update_helper_message m); paper_update_HelperMessage_masked_dpf_3 (paper_update_helper_message m)])
          (map (fun o => part (snd o)) done)
        = flat_map (fun m => three_masked (side m)) (map (fun o => sent_to_helper (snd o)) done)).
      { clear e. intros part side e. induction done as [|[item run] done IH]; [reflexivity|]. cbn [map flat_map snd]. rewrite IH, e. reflexivity. }
      pose proof (words (fun o => paper_update_Update_message_0 o) fst (fun u => eq_refl)) as e_0.
      pose proof (words (fun o => paper_update_Update_message_1 o) snd (fun u => eq_refl)) as e_1.
      rewrite e_0, e_1. reflexivity.
  Qed.
End Received.
