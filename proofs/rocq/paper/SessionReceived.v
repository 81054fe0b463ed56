(* What a primary is sent in each step of a session (`paper::session`), byte for byte, is made of two things: what it has of the items' draws
   (ItemDraws.v), and what the theorems on privacy call its view of them ([received_of_item], [received_of_read] and the other's
   blinded share): it is a receiver, as Receiver.v has it ([primary_is_lawful]). *)
From Coq Require Import Lia.
From Duoram Require Import Bijection.
From Duoram.core Require Import VectorFacts Parties LabelFacts GenerationRunPrivacy GenerationSimulated ManyGenerations.
From Duoram.paper Require Import SessionSteps LeafLife PreparedView ReadLife WholeView TapeDiscipline ItemDraws.
From Duoram.paper Require Export Receiver.
From Duoram.Generated Require Import All.

Section Received.
  Context (party : share_Primary) (prg : prg_AesPrg) (h : u64).

  Definition number_of (p : share_Primary) : u8 := match p with share_Primary_P0 => repr 8 0 | share_Primary_P1 => repr 8 1 end.
  Definition for_primary : list paper_session_Sent -> list paper_session_Sent := sent_to (number_of party).
  Definition from_other (kind : Z) (operation : u64) (round : u32) (payload : list u8) : paper_session_Sent :=
    mk_paper_session_Sent (repr 8 kind) (number_of (other_primary party)) (number_of party) operation round payload.
  Definition from_helper (kind : Z) (operation : u64) (payload : list u8) : paper_session_Sent :=
    mk_paper_session_Sent (repr 8 kind) (repr 8 2) (number_of party) operation (repr 32 0) payload.

  (** * A load *)

  Definition load_messages (operation : u64) (blinded : list u64) : list paper_session_Sent :=
    paper_session_chunks operation (repr 8 2) (number_of (other_primary party)) (number_of party) blinded.

  Theorem load_is_received session (memory_share_0 memory_share_1 blind_0 blind_1 : list u64) :
    for_primary (paper_session_Step_sent (load_of_draws session memory_share_0 memory_share_1 blind_0 blind_1))
    = load_messages (paper_session_Session_operation session)
        (paper_memory_blinded_share (snd (in_order party memory_share_0 memory_share_1)) (snd (in_order party blind_0 blind_1))).
  Proof.
    unfold load_of_draws, step_with, for_primary. cbn [paper_session_Step_sent]. cbv zeta.
    rewrite !sent_to_app, !sent_to_chunks. unfold load_messages. destruct party; cbn [number_of];
      repeat match goal with |- context [ieqb ?a ?b] => let e := eval vm_compute in (ieqb a b) in change (ieqb a b) with e end;
      cbn [app in_order snd other_primary]; rewrite ?app_nil_r; reflexivity.
  Qed.

  (** * READs and UPDATEs *)

  Definition reads_messages (operation : u64) (seen : list (read_received (W := u64))) : list paper_session_Sent :=
    [from_other 10 operation (repr 32 0) (bytes_words_bytes (map (fun s => snd (fst s)) seen));
     from_helper 11 operation (bytes_words_bytes (map snd seen))].
  Definition updates_messages (operation : u64) (seen : list (item_received (W := u64))) : list paper_session_Sent :=
    [from_other 12 operation (repr 32 0) (paper_payload_update (map snd seen))].

  Theorem reads_are_received operation (done : list (paper_preprocessing_Item u64 * paper_read_Read u64)) :
    for_primary (all_of_reads operation (map snd done)) = reads_messages operation (map (uncurry (received_of_read party)) done).
  Proof.
    unfold for_primary, all_of_reads, reads_messages, from_other, from_helper. rewrite !map_map. cbv zeta.
    destruct party; cbn -[bytes_words_bytes map received_of_read];
      (apply (f_equal2 cons); [|apply (f_equal2 cons); [|reflexivity]]);
      apply (f_equal (mk_paper_session_Sent _ _ _ _ _)); apply f_equal; apply map_ext; intros [? ?]; reflexivity.
  Qed.
  Theorem updates_are_received operation (done : list (paper_preprocessing_Item u64 * paper_update_Update u64)) :
    for_primary (all_of_updates operation (map snd done)) = updates_messages operation (map (uncurry (received_of_item party)) done).
  Proof.
    unfold for_primary, all_of_updates, updates_messages, from_other. rewrite !map_map. cbv zeta.
    destruct party; cbn -[paper_payload_update map received_of_item]; (apply (f_equal2 cons); [|reflexivity]);
      apply (f_equal (mk_paper_session_Sent _ _ _ _ _)); apply f_equal; apply map_ext; intros [? ?]; reflexivity.
  Qed.

  (** * A batch *)

  Definition full_own (f : full) : item_own (W := u64) := own_part party (snd f) (fst f).

  Definition own_dpf_list (o : item_own (W := u64)) : list (own_dpf (W := u64)) :=
    let '(d_1, d_2, d_3) := own_dpfs o in [d_1; d_2; d_3].
  Definition made_list (m : made_received (W := u64)) : list (dpf_received (W := u64)) := let '(d_1, d_2, d_3) := m in [d_1; d_2; d_3].
  Definition and_of (a : bool * u128 * u128) : du_atallah_AndTriple :=
    let '(x, y, z) := a in mk_du_atallah_AndTriple (block_replicate x) y z.
  Definition delta_words (o : item_own (W := u64)) : list u64 := [fst (own_deltas o); snd (own_deltas o)].

  (* P2's triples; from the other one, of each level the operands and the shares of cw, and App. D; P1 is told the deltas. *)
  Definition batch_messages (operation : u64) (reads updates : list (item_own (W := u64))) (made : list (made_received (W := u64))) :
    list paper_session_Sent :=
    let dpfs := flat_map own_dpf_list (reads ++ updates) in
    let seen := flat_map made_list made in
    from_helper 4 operation (paper_payload_triples (flat_map (fun d => map and_of (own_ands d)) dpfs) (map own_product dpfs)) ::
    flat_map (fun level =>
      let at_level := flat_map (fun d : dpf_received (W := u64) => take (skip (fst (fst d)) level) (repr 64 1)) seen in
      [from_other 5 operation (cast 32 level) (bytes_operands_bytes (map fst at_level));
       from_other 6 operation (cast 32 level) (bytes_blocks_bytes (map snd at_level))])
      (range (repr 64 0) h) ++
    [from_other 7 operation (cast 32 (repr 64 0)) (paper_payload_conversions (map (fun d : dpf_received (W := u64) => fst (snd d)) seen)
       match party with share_Primary_P0 => [] | share_Primary_P1 => flat_map delta_words updates end);
     from_other 8 operation (cast 32 (repr 64 0)) (bytes_words_bytes (map (fun d : dpf_received (W := u64) => snd (snd d)) seen))].

  Definition made_of (item : paper_preprocessing_Item u64) : made_received (W := u64) :=
    (received_of_dpf party (paper_preprocessing_Item_dpf_1 item), received_of_dpf party (paper_preprocessing_Item_dpf_2 item),
     received_of_dpf party (paper_preprocessing_Item_dpf_3 item)).

  Lemma own_triples_are (dpf : dpf_draws) :
    map and_of (fst (dpf_part_own party dpf))
      = (match party with share_Primary_P0 => paper_preprocessing_DpfTriples_and_0 | share_Primary_P1 => paper_preprocessing_DpfTriples_and_1 end)
          (triples_of dpf) /\
    snd (dpf_part_own party dpf)
      = (match party with share_Primary_P0 => @paper_preprocessing_DpfTriples_product_0 u64 | share_Primary_P1 => @paper_preprocessing_DpfTriples_product_1 u64 end)
          (triples_of dpf).
  Proof.
    destruct dpf as [ls [x_0 [x_1 [y_0 [y_1 t]]]]]. unfold dpf_part_own, triples_of. cbn [fst snd]. split.
    - rewrite map_map. destruct party; cbn; apply map_ext; intros [b [u [v w]]]; reflexivity.
    - destruct party; reflexivity.
  Qed.

  Theorem batch_is_received session (reads updates : list full) :
    paper_session_Session_log_size session = h -> paper_session_Session_prg session = prg ->
    let drawn := batch_of reads updates in
    let step := step_of_draws session (step_preprocess (of_nat (length reads)) (of_nat (length updates))) drawn in
    for_primary (paper_session_Step_sent step)
    = batch_messages (paper_session_Session_operation session) (map full_own reads) (map full_own updates)
        (map (fun f => made_of (full_item prg h f)) (reads ++ updates)).
  Proof.
    intros hh hp. cbv zeta. unfold batch_of. cbn [step_of_draws]. unfold batch_of_draws. cbv zeta.
    rewrite batch_items_drawn. cbn [step_with paper_session_Step_sent]. rewrite hh, hp. set (all := reads ++ updates).
    unfold paper_session_batch_messages. cbv zeta. cbn [concat]. rewrite app_nil_r. unfold for_primary. rewrite !sent_to_app.
    assert (dpfs : forall {T} (f : paper_preprocessing_Dpf u64 -> T) (g : dpf_received (W := u64) -> T), (forall d, f d = g (received_of_dpf party d)) ->
      map f (flat_map (fun item => [paper_preprocessing_Item_dpf_1 item; paper_preprocessing_Item_dpf_2 item; paper_preprocessing_Item_dpf_3 item])
        (map (item_of_draws prg h) (map fst all)))
      = map g (flat_map made_list (map (fun f => made_of (full_item prg h f)) all))).
    { intros T f g e. induction all as [|x all IH]; [reflexivity|]. cbn [map flat_map]. rewrite !map_app, IH. cbn [map made_of made_list].
      rewrite !e. reflexivity. }
    assert (levels : forall {T} level (f : distributed_gen_LevelMessages -> T) (g : distributed_gen_Operands * u128 -> T),
      (forall m, f m = g (received party m)) ->
      map f (flat_map (fun dpf => take (skip (distributed_gen_Generation_messages (paper_preprocessing_Dpf_generation dpf)) level) (repr 64 1))
        (flat_map (fun item => [paper_preprocessing_Item_dpf_1 item; paper_preprocessing_Item_dpf_2 item; paper_preprocessing_Item_dpf_3 item])
          (map (item_of_draws prg h) (map fst all))))
      = map g (flat_map (fun d : dpf_received (W := u64) => take (skip (fst (fst d)) level) (repr 64 1))
          (flat_map made_list (map (fun f => made_of (full_item prg h f)) all)))).
    { intros T level f g e.
      assert (one : forall d : paper_preprocessing_Dpf u64,
        map f (take (skip (distributed_gen_Generation_messages (paper_preprocessing_Dpf_generation d)) level) (repr 64 1))
        = map g (take (skip (fst (fst (received_of_dpf party d))) level) (repr 64 1))).
      { intros d. cbn [received_of_dpf fst]. rewrite !take_firstn, !skip_skipn, skipn_map, firstn_map, map_map. apply map_ext, e. }
      clear dpfs. induction all as [|x all IH]; [reflexivity|]. cbn [map flat_map]. rewrite !flat_map_app, !map_app, IH.
      cbn [made_of made_list flat_map]. rewrite !app_nil_r, !map_app, !one. reflexivity. }
    assert (ands : forall f, (forall dpf, f (triples_of dpf) = map and_of (fst (dpf_part_own party dpf))) ->
      flat_map f (flat_map dealt_of_draws (map fst all)) = flat_map (fun d => map and_of (own_ands d)) (flat_map own_dpf_list (map full_own all))).
    { intros f e. clear dpfs levels. induction all as [|[[p_0 [p_1 [d_1 [d_2 d_3]]]] deltas] all IH]; [reflexivity|].
      cbn [map flat_map fst dealt_of_draws]. rewrite !flat_map_app, IH. cbn [flat_map]. rewrite !e.
      unfold full_own, own_part, own_of_parts, own_dpf_list, three_parts.
      destruct (paper_preprocessing_PrimaryRandomness_roots _) as [[r_1 r_2] r_3], (paper_preprocessing_PrimaryRandomness_blinds _) as [[b_1 b_2] b_3].
      cbn [own_dpfs flat_map own_ands fst snd]. rewrite ?app_nil_r, <- ?app_assoc. reflexivity. }
    assert (products : forall f : paper_preprocessing_DpfTriples u64 -> _, (forall dpf, f (triples_of dpf) = snd (dpf_part_own party dpf)) ->
      map f (flat_map dealt_of_draws (map fst all)) = map own_product (flat_map own_dpf_list (map full_own all))).
    { intros f e. clear dpfs levels ands. induction all as [|[[p_0 [p_1 [d_1 [d_2 d_3]]]] deltas] all IH]; [reflexivity|].
      cbn [map flat_map fst dealt_of_draws]. rewrite !map_app, IH. cbn [map]. rewrite !e.
      unfold full_own, own_part, own_of_parts, own_dpf_list, three_parts.
      destruct (paper_preprocessing_PrimaryRandomness_roots _) as [[r_1 r_2] r_3], (paper_preprocessing_PrimaryRandomness_blinds _) as [[b_1 b_2] b_3].
      reflexivity. }
    assert (deltas : flat_map (fun '(_, (delta_2, delta_3)) => [delta_2; delta_3]) (map (fun f : full => (fst (fst f), snd f)) updates)
      = flat_map delta_words (map full_own updates)).
    { clear. induction updates as [|[[p_0 [p_1 [d_1 [d_2 d_3]]]] [delta_2 delta_3]] updates IH]; [reflexivity|].
      cbn [map flat_map fst snd]. rewrite IH. f_equal. unfold delta_words, full_own, own_part, own_of_parts.
      destruct (paper_preprocessing_PrimaryRandomness_roots _) as [[r_1 r_2] r_3], (paper_preprocessing_PrimaryRandomness_blinds _) as [[b_1 b_2] b_3].
      reflexivity. }
    rewrite deltas. unfold batch_messages. cbv zeta. rewrite <- map_app. fold all.
    rewrite hh, sent_to_flat_map. unfold paper_payload_level_operands, paper_payload_level_opening, paper_payload_conversion_operands,
      paper_payload_conversion_opening. cbv zeta.
    unfold from_other, from_helper, sent_to. pose proof own_triples_are as own_are.
    assert (e_00 : ieqb (repr 8 0) (repr 8 0) = true) by reflexivity.
    assert (e_01 : ieqb (repr 8 0) (repr 8 1) = false) by reflexivity.
    assert (e_10 : ieqb (repr 8 1) (repr 8 0) = false) by reflexivity.
    assert (e_11 : ieqb (repr 8 1) (repr 8 1) = true) by reflexivity.
    assert (e_20 : ieqb (repr 8 2) (repr 8 0) = false) by reflexivity.
    assert (e_21 : ieqb (repr 8 2) (repr 8 1) = false) by reflexivity.
    destruct party; cbn [number_of other_primary filter paper_session_Sent_to]; rewrite ?e_00, ?e_01, ?e_10, ?e_11, ?e_20, ?e_21;
      cbn [app]; (apply (f_equal2 cons); [|apply (f_equal2 (@app _))]).
    - rewrite (ands (fun t => paper_preprocessing_DpfTriples_and_0 t) (fun dpf => eq_sym (proj1 (own_are dpf)))),
        (products (fun t => paper_preprocessing_DpfTriples_product_0 t) (fun dpf => eq_sym (proj2 (own_are dpf)))). reflexivity.
    - apply flat_map_ext. intros level. cbn [filter paper_session_Sent_to]. rewrite ?e_00, ?e_10.
      rewrite (levels _ level _ fst), (levels _ level _ snd) by reflexivity. reflexivity.
    - rewrite (dpfs _ _ (fun d => fst (snd d))), (dpfs _ _ (fun d => snd (snd d))) by reflexivity. reflexivity.
    - rewrite (ands (fun t => paper_preprocessing_DpfTriples_and_1 t) (fun dpf => eq_sym (proj1 (own_are dpf)))),
        (products (fun t => paper_preprocessing_DpfTriples_product_1 t) (fun dpf => eq_sym (proj2 (own_are dpf)))). reflexivity.
    - apply flat_map_ext. intros level. cbn [filter paper_session_Sent_to]. rewrite ?e_01, ?e_11.
      rewrite (levels _ level _ fst), (levels _ level _ snd) by reflexivity. reflexivity.
    - rewrite (dpfs _ _ (fun d => fst (snd d))), (dpfs _ _ (fun d => snd (snd d))) by reflexivity. reflexivity.
  Qed.

  (** * A primary is a receiver *)

  Definition reads_seen (views : list (run_received (W := u64))) := flat_map (fun v => match v with reading_received seen => [seen] | _ => [] end) views.
  Definition updates_seen (views : list (run_received (W := u64))) := flat_map (fun v => match v with updating_received seen => [seen] | _ => [] end) views.

  Lemma seen_of_reads (done : list (paper_preprocessing_Item u64 * paper_read_Read u64)) :
    reads_seen (map (uncurry (fun item run => reading_received (received_of_read party item run))) done) = map (uncurry (received_of_read party)) done.
  Proof. unfold reads_seen. induction done as [|[item run] done IH]; [reflexivity|]. cbn [map flat_map app uncurry]. rewrite IH. reflexivity. Qed.
  Lemma seen_of_updates (done : list (paper_preprocessing_Item u64 * paper_update_Update u64)) :
    updates_seen (map (uncurry (fun item run => updating_received (received_of_item party item run))) done) = map (uncurry (received_of_item party)) done.
  Proof. unfold updates_seen. induction done as [|[item run] done IH]; [reflexivity|]. cbn [map flat_map app uncurry]. rewrite IH. reflexivity. Qed.

  Definition to_primary : receiver (run_received (W := u64)) (item_own (W := u64)) (made_received (W := u64)) := {|
    receiver_number := number_of party;
    seen_load memory_shares blinds := load_received (paper_memory_blinded_share (snd (in_order party (fst memory_shares) (snd memory_shares)))
      (snd (in_order party (fst blinds) (snd blinds))));
    seen_read item run := reading_received (received_of_read party item run);
    seen_update item run := updating_received (received_of_item party item run);
    seen_idle item := idle_received (made_of item);
    has_of := full_own;
    made_for := made_of;
    made_in v := match v with load_received _ => None | reading_received s => Some (fst (fst s)) | updating_received s => Some (fst s) | idle_received m => Some m end;
    load_sent operation v := load_messages operation (match v with load_received words => words | _ => [] end);
    batch_sent := batch_messages;
    reads_sent operation views := reads_messages operation (reads_seen views);
    updates_sent operation views := updates_messages operation (updates_seen views);
  |}.

  Theorem primary_is_lawful : lawful prg h to_primary.
  Proof.
    constructor; try reflexivity.
    - intros session [memory_share_0 memory_share_1] [blind_0 blind_1]. apply load_is_received.
    - exact batch_is_received.
    - intros operation done. unfold messages_to. cbn [to_primary receiver_number reads_sent seen_read]. rewrite seen_of_reads. apply reads_are_received.
    - intros operation done. unfold messages_to. cbn [to_primary receiver_number updates_sent seen_update]. rewrite seen_of_updates. apply updates_are_received.
  Qed.
End Received.
