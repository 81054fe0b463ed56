(* What a primary is sent in each step of a session (`paper::session`), byte for byte, is made of two things: what it has of the items' draws
   (ItemDraws.v), and what the theorems on privacy call its view of them ([received_of_item], [received_of_read] and the other's
   blinded share). A step is [step_of_draws] of TapeDiscipline.v, which is what the step on its tapes does. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection.
From Duoram.core Require Import VectorFacts Parties LabelFacts GenerationRunPrivacy GenerationSimulated ManyGenerations.
From Duoram.paper Require Import SessionSteps LeafLife PreparedView ReadLife WholeView TapeDiscipline ItemDraws.
From Duoram.Generated Require Import All.

Section Received.
  Context (party : share_Primary) (prg : prg_AesPrg) (h : u64).

  Definition number_of (p : share_Primary) : u8 := match p with share_Primary_P0 => repr 8 0 | share_Primary_P1 => repr 8 1 end.
  Definition for_primary (sent : list paper_session_Sent) : list paper_session_Sent :=
    filter (fun message => ieqb (paper_session_Sent_to message) (number_of party)) sent.
  Definition from_other (kind : Z) (operation : u64) (round : u32) (payload : list u8) : paper_session_Sent :=
    mk_paper_session_Sent (repr 8 kind) (number_of (other_primary party)) (number_of party) operation round payload.
  Definition from_helper (kind : Z) (operation : u64) (payload : list u8) : paper_session_Sent :=
    mk_paper_session_Sent (repr 8 kind) (repr 8 2) (number_of party) operation (repr 32 0) payload.

  (** * A load *)

  Definition load_messages (operation : u64) (blinded : list u64) : list paper_session_Sent :=
    paper_session_chunks operation (repr 8 2) (number_of (other_primary party)) (number_of party) blinded.

  Lemma for_primary_app a b : for_primary (a ++ b) = for_primary a ++ for_primary b.
  Proof. apply filter_app. Qed.
  Lemma for_primary_chunks operation kind from to words :
    for_primary (paper_session_chunks operation kind from to words)
    = if ieqb to (number_of party) then paper_session_chunks operation kind from to words else [].
  Proof.
    unfold paper_session_chunks. cbv zeta. induction (range _ _) as [|chunk chunks IH].
    - destruct (ieqb _ _); reflexivity.
    - cbn [map]. unfold for_primary in *. cbn [filter]. cbn [paper_session_Sent_to]. rewrite IH. destruct (ieqb to (number_of party)); reflexivity.
  Qed.

  Theorem load_is_received session (memory_share_0 memory_share_1 blind_0 blind_1 : list u64) :
    for_primary (paper_session_Step_sent (load_of_draws session memory_share_0 memory_share_1 blind_0 blind_1))
    = load_messages (paper_session_Session_operation session)
        (paper_memory_blinded_share (snd (in_order party memory_share_0 memory_share_1)) (snd (in_order party blind_0 blind_1))).
  Proof.
    unfold load_of_draws, step_with. cbn [paper_session_Step_sent]. cbv zeta.
    rewrite !for_primary_app, !for_primary_chunks. unfold load_messages. destruct party; cbn [number_of];
      repeat match goal with |- context [ieqb ?a ?b] => let e := eval vm_compute in (ieqb a b) in change (ieqb a b) with e end;
      cbn [app in_order snd other_primary]; rewrite ?app_nil_r; reflexivity.
  Qed.

  (** * READs and UPDATEs *)

  Definition reads_messages (operation : u64) (seen : list (read_received (W := u64))) : list paper_session_Sent :=
    [from_other 10 operation (repr 32 0) (bytes_words_bytes (map (fun s => snd (fst s)) seen));
     from_helper 11 operation (bytes_words_bytes (map snd seen))].
  Definition updates_messages (operation : u64) (seen : list (item_received (W := u64))) : list paper_session_Sent :=
    [from_other 12 operation (repr 32 0) (paper_payload_update (map snd seen))].

  (* A prepared item serves a READ, or an UPDATE. *)
  Definition for_read (item : paper_preprocessing_Item u64) : paper_session_PreparedRead :=
    mk_paper_session_PreparedRead (paper_preprocessing_unit_vectors item) (paper_preprocessing_random_index_shares item).
  Definition for_update (item : paper_preprocessing_Item u64) (deltas : u64 * u64) : paper_session_PreparedUpdate :=
    mk_paper_session_PreparedUpdate (paper_preprocessing_update_material item (fst deltas) (snd deltas))
      (paper_preprocessing_random_index_shares item).

  Definition read_with (state : paper_memory_State u64) (item : paper_preprocessing_Item u64) (address : u64 * u64) (rho : u64) :
    paper_read_Read u64 :=
    paper_read_read state (paper_preprocessing_unit_vectors item) (paper_preprocessing_random_index_shares item) address rho.
  Definition updating_by (state : paper_memory_State u64) (item : paper_preprocessing_Item u64) (deltas : u64 * u64)
    (query : paper_session_UpdateQuery) : paper_update_Update u64 :=
    paper_update_update state (paper_preprocessing_update_material item (fst deltas) (snd deltas))
      (paper_preprocessing_random_index_shares item) (paper_session_UpdateQuery_address query) (paper_session_UpdateQuery_value query).

  Theorem reads_are_received session (addresses : list (u64 * u64)) (items : list (paper_preprocessing_Item u64)) (masks : list u64) more :
    paper_session_Session_reads session = map for_read items ++ more -> length items = length addresses -> length masks = length addresses ->
    let read := fun '((address, item), rho) => (item, read_with (paper_session_Session_state session) item address rho) in
    let done := map read (combine (combine addresses items) masks) in
    for_primary (paper_session_Step_sent (reads_of_draws session addresses masks))
      = reads_messages (paper_session_Session_operation session) (map (uncurry (received_of_read party)) done) /\
    paper_session_Step_results (reads_of_draws session addresses masks)
      = map (fun o => (paper_read_Read_read_0 (snd o), paper_read_Read_read_1 (snd o))) done.
  Proof.
    intros held li lm. cbv zeta. unfold reads_of_draws. cbv zeta. cbn [step_with paper_session_Step_sent paper_session_Step_results].
    rewrite held.
    assert (e : forall {T} (f : paper_read_Read u64 -> T),
      map f (map (fun '((address, item), mask) => paper_read_read (paper_session_Session_state session) (paper_session_PreparedRead_units item)
          (paper_session_PreparedRead_random_index_shares item) address mask)
        (combine (combine addresses (map for_read items ++ more)) masks))
      = map (fun o => f (snd o)) (map (fun '((address, item), rho) => (item, read_with (paper_session_Session_state session) item address rho))
          (combine (combine addresses items) masks))).
    { intros T f. clear held. revert items masks li lm. induction addresses as [|a addresses IH]; intros [|i items] [|m masks] li lm;
        try discriminate; [reflexivity|]. injection li as li. injection lm as lm. cbn [map app combine]. f_equal. apply IH; assumption. }
    split.
    - unfold for_primary. rewrite !e. unfold reads_messages, from_other, from_helper. rewrite !map_map.
      destruct party; cbn -[bytes_words_bytes combine map received_of_read read_with];
        (apply (f_equal2 cons); [|apply (f_equal2 cons); [|reflexivity]]);
        apply (f_equal (mk_paper_session_Sent _ _ _ _ _)); apply f_equal; apply map_ext; intros [[? ?] ?]; reflexivity.
    - rewrite e. reflexivity.
  Qed.

  (* One UPDATE after the other. *)
  Fixpoint updates_done (state : paper_memory_State u64) (l : list (paper_session_UpdateQuery * (paper_preprocessing_Item u64 * (u64 * u64)))) :
    paper_memory_State u64 * list (paper_preprocessing_Item u64 * paper_update_Update u64) :=
    match l with
    | [] => (state, [])
    | (query, (item, deltas)) :: l =>
        let outcome := updating_by state item deltas query in
        let '(state, done) := updates_done (paper_update_Update_state outcome) l in (state, (item, outcome) :: done)
    end.

  Theorem updates_are_received session (queries : list paper_session_UpdateQuery) (items : list (paper_preprocessing_Item u64 * (u64 * u64))) more :
    paper_session_Session_updates session = map (uncurry for_update) items ++ more -> length items = length queries ->
    let '(state, done) := updates_done (paper_session_Session_state session) (combine queries items) in
    for_primary (paper_session_Step_sent (paper_session_updates session queries))
      = updates_messages (paper_session_Session_operation session) (map (uncurry (received_of_item party)) done) /\
    paper_session_Session_state (paper_session_Step_session (paper_session_updates session queries)) = state.
  Proof.
    intros held li. unfold paper_session_updates. cbv zeta. rewrite held. clear held.
    match goal with |- context [fold_left ?f _ _] => set (one := f) end.
    assert (e : forall queries items before state, length items = length queries ->
      fold_left one (combine queries (map (uncurry for_update) items ++ more)) (state, before)
      = let '(state, done) := updates_done state (combine queries items) in (state, before ++ map snd done)).
    { clear. induction queries as [|q queries IH]; intros [|[item deltas] items] before state l; try discriminate.
      - cbn. rewrite app_nil_r. reflexivity.
      - injection l as l. cbn [map app combine fold_left updates_done]. cbv zeta. unfold one at 2. cbv zeta. rewrite concat_pair.
        rewrite IH by exact l. cbn [uncurry for_update paper_session_PreparedUpdate_material paper_session_PreparedUpdate_random_index_shares].
        fold (updating_by state item deltas q).
        destruct (updates_done (paper_update_Update_state (updating_by state item deltas q)) (combine queries items)) as [state' done].
        cbn [map snd]. rewrite <- app_assoc. reflexivity. }
    rewrite e by exact li. destruct (updates_done _ _) as [state done]. cbn [app]. split; [|reflexivity].
    cbn [paper_session_Step_sent]. unfold for_primary, updates_messages. rewrite !map_map.
    unfold from_other. destruct party; cbn -[paper_payload_update map received_of_item]; (apply (f_equal2 cons); [|reflexivity]);
      apply (f_equal (mk_paper_session_Sent _ _ _ _ _)); apply f_equal; apply map_ext; intros [? ?]; reflexivity.
  Qed.

  (** * A batch *)

  Notation full := ((primary_draws * (primary_draws * dealt_draws)) * (u64 * u64))%type.
  Definition full_item (f : full) : paper_preprocessing_Item u64 := item_of_draws prg h (fst f).
  Definition full_own (f : full) : item_own (W := u64) := own_part party (snd f) (fst f).

  (* What TapeDiscipline.v calls a batch's draws. *)
  Definition batch_of (reads updates : list full) : step_draws :=
    batch_draws (map (fun f => fst (fst f)) reads) (map (fun f => (fst (fst f), snd f)) updates)
      (map (fun f => fst (snd (fst f))) (reads ++ updates)) (map (fun f => snd (snd (fst f))) (reads ++ updates)).

  Lemma batch_items_drawn (reads updates : list full) :
    drawn_items (map (fun f => fst (fst f)) reads) (map (fun f => (fst (fst f), snd f)) updates)
      (map (fun f => fst (snd (fst f))) (reads ++ updates)) (map (fun f => snd (snd (fst f))) (reads ++ updates))
    = map fst (reads ++ updates).
  Proof.
    unfold drawn_items. rewrite map_map. cbn [fst]. rewrite <- map_app. induction (reads ++ updates) as [|[[p_0 [p_1 d]] deltas] l IH]; [reflexivity|].
    cbn [map combine]. rewrite IH. reflexivity.
  Qed.

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
      [from_other 5 operation (cast 32 level) (paper_payload_operands (map fst at_level));
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
        (map (fun f => made_of (full_item f)) (reads ++ updates)).
  Proof.
    intros hh hp. cbv zeta. unfold batch_of. cbn [step_of_draws]. unfold batch_of_draws. cbv zeta.
    rewrite batch_items_drawn. cbn [step_with paper_session_Step_sent]. rewrite hh, hp. set (all := reads ++ updates).
    unfold paper_session_batch_messages. cbv zeta. cbn [concat]. rewrite app_nil_r, !for_primary_app.
    assert (dpfs : forall {T} (f : paper_preprocessing_Dpf u64 -> T) (g : dpf_received (W := u64) -> T), (forall d, f d = g (received_of_dpf party d)) ->
      map f (flat_map (fun item => [paper_preprocessing_Item_dpf_1 item; paper_preprocessing_Item_dpf_2 item; paper_preprocessing_Item_dpf_3 item])
        (map (item_of_draws prg h) (map fst all)))
      = map g (flat_map made_list (map (fun f => made_of (full_item f)) all))).
    { intros T f g e. induction all as [|x all IH]; [reflexivity|]. cbn [map flat_map]. rewrite !map_app, IH. cbn [map made_of made_list].
      rewrite !e. reflexivity. }
    assert (levels : forall {T} level (f : distributed_gen_LevelMessages -> T) (g : distributed_gen_Operands * u128 -> T),
      (forall m, f m = g (received party m)) ->
      map f (flat_map (fun dpf => take (skip (distributed_gen_Generation_messages (paper_preprocessing_Dpf_generation dpf)) level) (repr 64 1))
        (flat_map (fun item => [paper_preprocessing_Item_dpf_1 item; paper_preprocessing_Item_dpf_2 item; paper_preprocessing_Item_dpf_3 item])
          (map (item_of_draws prg h) (map fst all))))
      = map g (flat_map (fun d : dpf_received (W := u64) => take (skip (fst (fst d)) level) (repr 64 1))
          (flat_map made_list (map (fun f => made_of (full_item f)) all)))).
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
    assert (flat : forall f : u64 -> list paper_session_Sent, for_primary (flat_map f (range (repr 64 0) h))
      = flat_map (fun level => for_primary (f level)) (range (repr 64 0) h)).
    { intros f. induction (range (repr 64 0) h) as [|l ls IH]; [reflexivity|]. cbn [flat_map]. rewrite for_primary_app, IH. reflexivity. }
    rewrite hh, flat. unfold paper_payload_level_operands, paper_payload_level_opening, paper_payload_conversion_operands,
      paper_payload_conversion_opening. cbv zeta.
    unfold from_other, from_helper, for_primary. pose proof own_triples_are as own_are.
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
End Received.
