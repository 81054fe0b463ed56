(* All messages of a lean session, whatever is asked as it goes, are of the draws of its items ([lean_session_is_drawn], [drawn_sent] of SessionSchedule.v): against
   SessionItems.v, the state and the results of the session are gone. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection.
From Duoram.core Require Import Parties VectorFacts.
From Duoram.lean Require Import Generation PreparedItems SessionPreparing SessionAnswersIdeal PreparingView CorrectionsUniform OperationView TapeDiscipline
  PreparingMessages SessionMessages ItemPlans ItemDraws ItemOnTapes SessionTapes SessionItems StepStates SessionSchedule.
From Duoram.Generated Require Import All.

(** * A session on its tapes and streams *)

Lemma numbered_items {T : Type} (first : nat) (l : list T) : map snd (combine (seq first (length l)) l) = l.
Proof. apply map_snd_of_combine. rewrite seq_length. apply le_n. Qed.

Section Session.
  Context {P : Type} {P_Prg : prg_Prg P} {P_Layers : lean_layers_Layers P} (prg : P).
  Context (h : u64) (h_small : val h < 64).
  Context (hello_0 hello_1 hello_2 rest_0 rest_1 rest_2 : list u64).
  Hypothesis said_0 : length hello_0 = nat_of lean_party_HELLO_WORDS.
  Hypothesis said_1 : length hello_1 = nat_of lean_party_HELLO_WORDS.
  Hypothesis said_2 : length hello_2 = nat_of lean_party_HELLO_WORDS.
  Context (load_01 load_02 load_12 : list u64) (tail_01 tail_02 tail_12 : nat -> list u64) (more_01 more_02 more_12 : list (list u64)).
  Context (all : list made_item).
  Notation tapes := (session_tapes hello_0 hello_1 hello_2 rest_0 rest_1 rest_2 all).
  Notation streams := (session_streams load_01 load_02 load_12 tail_01 tail_02 tail_12 more_01 more_02 more_12 all).
  Context (m : u64) (m_fits : at_most m (lean_party_size h)). (* the words of the memory *)
  Hypothesis whole : forall x, In x all -> item_fits h (op_for (fst x)) (snd x).
  Hypothesis few : Z.of_nat (length all) < 2 ^ 63.
  Hypothesis small_0 : Z.of_nat (length (fst (fst tapes))) < 2 ^ 64.
  Hypothesis small_1 : Z.of_nat (length (snd (fst tapes))) < 2 ^ 64.
  Hypothesis small_2 : Z.of_nat (length (snd tapes)) < 2 ^ 64.
  Notation pair_01 := (lean_session_Streams_pair_01 streams).
  Notation pair_02 := (lean_session_Streams_pair_02 streams).
  Notation pair_12 := (lean_session_Streams_pair_12 streams).
  Notation held := (list (nat * made_item)).
  Notation holds := (holds prg h hello_0 hello_1 hello_2 rest_0 rest_1 rest_2 load_01 load_02 load_12 tail_01 tail_02 tail_12 more_01 more_02 more_12 all).
  Notation stand := (masks_stand h load_01 load_02 load_12 tail_01 tail_02 tail_12 more_01 more_02 more_12 all).
  Notation taken_held := (taken_held prg h pair_01 pair_02 pair_12).
  Notation taken_of := (taken_of prg h).

  (* What an item's operation does is of its draws. *)
  Lemma held_does_as_drawn (op : lean_op) (before state : lean_memory_State W) (kx : nat * made_item) q : stand kx -> purpose_of op = fst (snd kx) ->
    run_of_taken op state (taken_held op (held_of prg h kx)) q = run_of_taken op state (taken_of (snd kx)) q /\
    answers op state (taken_held op (held_of prg h kx)) q = answers op state (taken_of (snd kx)) q /\
    applied op before state (taken_held op (held_of prg h kx)) q = applied op before state (taken_of (snd kx)) q.
  Proof.
    destruct kx as [k x]. intros (e_x & e_y & e_2 & e_rho) serves. cbn [snd] in *.
    set (t := taken_held op (held_of prg h (k, x))). set (t' := taken_of x).
    assert (l : taken_leaves t = taken_leaves t') by reflexivity.
    assert (mat : taken_material t = taken_material t') by reflexivity.
    assert (i : taken_index t = taken_index t').
    { destruct x as [p [[w0 [ra rb]] [[w1 [ra' rb']] [[ga [gb [dd [x' y]]]] [[[a b] m'] [[[a' b'] [rm yy]] [va vb]]]]]]]. destruct p; reflexivity. }
    assert (ex : taken_x t = taken_x t') by exact e_x.
    assert (er : taken_rho t = taken_rho t').
    { unfold t, t', StepStates.taken_held, SessionSchedule.taken_of. cbn [taken_rho].
      change (lean_party_Item0_number (at_0 (held_of prg h (k, x)))) with (of_nat k : u64). rewrite serves. exact e_rho. }
    assert (em : op <> op_read -> taken_masks t = taken_masks t').
    { intros ne. assert (up : fst x = lean_layers_Purpose_Update) by (rewrite <- serves; destruct op; congruence || reflexivity).
      destruct (e_2 up) as [e_02 e_12]. rewrite up in e_12. unfold t, t', StepStates.taken_held, SessionSchedule.taken_of. cbn [taken_masks].
      change (lean_party_Item0_number (at_0 (held_of prg h (k, x)))) with (of_nat k : u64). rewrite e_y, e_02, e_12. reflexivity. }
    clearbody t t'. clear - l mat i ex er em. destruct t as [l1 m1 i1 x1 y1 r1], t' as [l2 m2 i2 x2 y2 r2]. cbn [taken_leaves taken_material taken_index taken_x taken_masks taken_rho] in *.
    subst. destruct op; [repeat split; reflexivity|..]; rewrite em by discriminate; repeat split; reflexivity.
  Qed.

  Lemma all_do_as_drawn (op : lean_op) (state : lean_memory_State W) (l : list ((nat * made_item) * query)) :
    (forall y, In y l -> stand (fst y) /\ purpose_of op = fst (snd (fst y))) ->
    let used := map (fun y => (taken_held op (held_of prg h (fst y)), snd y)) l in
    let used' := map (fun y => (taken_of (snd (fst y)), snd y)) l in
    runs_of_used op state used = runs_of_used op state used' /\ all_answers op state used = all_answers op state used' /\
    all_applied op state used = all_applied op state used'.
  Proof.
    intros ok. cbv zeta. unfold runs_of_used, all_answers, all_applied. rewrite !map_map.
    assert (same : forall y after, In y l ->
      run_of_taken op state (taken_held op (held_of prg h (fst y))) (snd y) = run_of_taken op state (taken_of (snd (fst y))) (snd y) /\
      answers op state (taken_held op (held_of prg h (fst y))) (snd y) = answers op state (taken_of (snd (fst y))) (snd y) /\
      applied op state after (taken_held op (held_of prg h (fst y))) (snd y) = applied op state after (taken_of (snd (fst y))) (snd y)).
    { intros y after hy. destruct (ok y hy) as [s e]. destruct (held_does_as_drawn op state after (fst y) (snd y) s e) as (_ & _ & a).
      destruct (held_does_as_drawn op state state (fst y) (snd y) s e) as (b & c & _). exact (conj b (conj c a)). }
    split; [|split].
    - apply map_ext_in. intros y hy. apply (same y state hy).
    - rewrite !flat_map_concat_map, !map_map. apply (f_equal (@concat _)). apply map_ext_in. intros y hy. apply (same y state hy).
    - clear ok. generalize state at 2 4. induction l as [|y l IH]; intros after; [reflexivity|]. cbn [map fold_left fst snd].
      rewrite (proj2 (proj2 (same y after (or_introl eq_refl)))). apply IH. intros z after' hz. apply same. right. exact hz.
  Qed.

  (* One step with queries. *)
  Lemma zip_drawn (T : Type) (q : nat) (l : held) (qs : list T) (g : T -> query) : length qs = q ->
    combine (map taken_of (map snd (firstn q l))) (map g qs) = map (fun y => (taken_of (snd (fst y)), snd y)) (map (fun y => (fst y, g (snd y))) (combine l qs)).
  Proof.
    intros <-. rewrite map_map. revert qs. induction l as [|x l IH]; intros [|y qs]; cbn [length firstn map combine]; try reflexivity. rewrite IH. reflexivity.
  Qed.
  Lemma zip_held (op : lean_op) (T : Type) (l : held) (qs : list T) (g : T -> query) :
    map (fun y => (taken_held op (fst y), g (snd y))) (combine (map (held_of prg h) l) qs)
    = map (fun y => (taken_held op (held_of prg h (fst y)), snd y)) (map (fun y => (fst y, g (snd y))) (combine l qs)).
  Proof. rewrite combine_map_l, !map_map. reflexivity. Qed.

  Lemma use_is_drawn before next reads updates session (op : lean_op) (q : nat) (step : lean_step W) :
    holds before reads updates session -> all = before ++ next -> has_shape m (shape_use op q) step -> at_once op q ->
    (q <= length (pick (purpose_of op) (reads, updates)))%nat ->
    let state := lean_session_state session in
    let used := combine (map taken_of (map snd (firstn q (pick (purpose_of op) (reads, updates))))) (queries_of step) in
    let done := take_lean_step session step in
    lean_session_Step_sent done = use_messages h op (lean_session_Session_operation session) (runs_of_used op state used) /\
    lean_session_Step_results done = all_answers op state used /\
    lean_session_state (lean_session_Step_session done) = all_applied op state used /\
    lean_session_Session_operation (lean_session_Step_session done) = wadd (lean_session_Session_operation session) (repr 64 1) /\
    holds before (fst (drop (purpose_of op) q (reads, updates))) (snd (drop (purpose_of op) q (reads, updates))) (lean_session_Step_session done).
  Proof.
    intros has parts shaped once supply. cbv zeta. pose proof has as [r far stands are_reads are_updates].
    apply Forall_app in stands as [stands_r stands_u]. rewrite Forall_forall in stands_r, stands_u, are_reads, are_updates.
    pose proof (lean_step_is_of_items prg h h_small hello_0 hello_1 hello_2 rest_0 rest_1 rest_2 said_0 said_1 said_2 load_01 load_02 load_12 tail_01 tail_02
      tail_12 more_01 more_02 more_12 all whole few small_0 small_1 small_2 before next reads updates session step [] has parts) as general.
    assert (ok_r : forall T (qs : list T) (g : T -> query) y, In y (map (fun y => (fst y, g (snd y))) (combine reads qs)) ->
      stand (fst y) /\ lean_layers_Purpose_Read = fst (snd (fst y))).
    { intros T qs g y hy. apply in_map_iff in hy as ([kx z] & <- & hy). apply in_combine_l in hy. split; [apply stands_r, hy | symmetry; apply are_reads, hy]. }
    assert (ok_u : forall T (qs : list T) (g : T -> query) y, In y (map (fun y => (fst y, g (snd y))) (combine updates qs)) ->
      stand (fst y) /\ lean_layers_Purpose_Update = fst (snd (fst y))).
    { intros T qs g y hy. apply in_map_iff in hy as ([kx z] & <- & hy). apply in_combine_l in hy. split; [apply stands_u, hy | symmetry; apply are_updates, hy]. }
    destruct op, step as [d_0 d_1 | rs us | addresses | queries | query | query]; try contradiction; cbn [has_shape purpose_of pick fst snd drop queries_of at_once] in *.
    - (* READs *)
      destruct general as [_ has']; [split; [congruence|]; split; [congruence | exact I] | discriminate |].
      unfold made_by in has'. cbn [items_of_step fst snd Nat.add firstn reads_after updates_after] in has'. rewrite app_nil_r, shaped in has'.
      rewrite (zip_drawn _ q reads addresses _ shaped).
      destruct (all_do_as_drawn op_read (lean_session_state session) _ (ok_r _ addresses (fun a => (a, (ring_Ring_zero W, ring_Ring_zero W))))) as (e_1 & e_2 & e_3).
      pose proof (zip_held op_read _ reads addresses (fun a => (a, (ring_Ring_zero W, ring_Ring_zero W)))) as z. cbv beta in z, e_1, e_2, e_3 |- *.
      rewrite <- e_1, <- e_2, <- e_3. cbv beta. rewrite <- z. clear e_1 e_2 e_3 z.
      assert (l : (length addresses <= length (map (held_of prg h) reads))%nat) by (rewrite map_length; congruence).
      destruct (lean_reads_results prg h pair_01 pair_02 pair_12 _ _ session addresses r l) as [e_4 e_5].
      cbn [take_lean_step use_messages]. split; [|split; [|split; [|split; [reflexivity | exact has']]]].
      + rewrite (lean_reads_send prg h pair_01 pair_02 pair_12 _ _ session addresses r l). apply f_equal. unfold runs_of_used. rewrite map_map. reflexivity.
      + exact e_5.
      + rewrite e_4. unfold all_applied. generalize (map (fun y => (taken_held op_read (fst y), (snd y, (ring_Ring_zero W, ring_Ring_zero W)))) (combine (map (held_of prg h) reads) addresses)).
        clear. intros l. generalize (lean_session_state session) at 1 3. induction l as [|y l IH]; intros after; [reflexivity|]. cbn [fold_left]. apply IH.
    - (* UPDATEs *)
      destruct general as [_ has']; [split; [congruence | exact I] | discriminate |].
      unfold made_by in has'. cbn [items_of_step fst snd Nat.add firstn reads_after updates_after] in has'. rewrite app_nil_r, shaped in has'.
      rewrite (zip_drawn _ q updates queries _ shaped).
      destruct (all_do_as_drawn op_update (lean_session_state session) _ (ok_u _ queries query_of)) as (e_1 & e_2 & e_3).
      pose proof (zip_held op_update _ updates queries query_of) as z. cbv beta in z, e_1, e_2, e_3 |- *.
      rewrite <- e_1, <- e_2, <- e_3. cbv beta. rewrite <- z. clear e_1 e_2 e_3 z.
      assert (l : (length queries <= length (map (held_of prg h) updates))%nat) by (rewrite map_length; congruence).
      cbn [take_lean_step use_messages]. split; [|split; [|split; [|split; [reflexivity | exact has']]]].
      + rewrite (lean_updates_send prg h pair_01 pair_02 pair_12 _ _ session queries r l). apply f_equal. unfold runs_of_used. rewrite map_map. reflexivity.
      + unfold all_answers. rewrite flat_map_concat_map, map_map. cbn [answers]. unfold lean_session_updates. cbv zeta. cbn [lean_session_Step_results].
        induction (combine _ _) as [|y l' IH]; [reflexivity|]. exact IH.
      + exact (lean_updates_state prg h h_small pair_01 pair_02 pair_12 _ _ session queries r l).
    - (* WRITE *)
      subst q. destruct updates as [|kx updates]; [cbn in supply; lia|]. destruct general as [_ has']; [split; [cbn; lia | exact I] | discriminate |].
      unfold made_by in has'. cbn [items_of_step fst snd Nat.add firstn reads_after updates_after] in has'. rewrite app_nil_r in has'.
      destruct (held_does_as_drawn op_write (lean_session_state session) (lean_session_state session) kx (query_of query)
        (stands_u kx (or_introl eq_refl)) (eq_sym (are_updates kx (or_introl eq_refl)))) as (e_1 & e_2 & e_3).
      cbn [map] in r. destruct (lean_put_results prg h pair_01 pair_02 pair_12 _ _ _ session query false r) as [e_4 e_5]. cbv iota in e_4, e_5.
      cbn [firstn map combine take_lean_step use_messages]. unfold runs_of_used, all_answers, all_applied. cbn [map flat_map fold_left fst snd]. rewrite !app_nil_r.
      rewrite <- e_1, <- e_2, <- e_3. split; [|split; [exact e_5 | split; [exact e_4 | split; [|exact has']]]].
      + unfold lean_session_write. rewrite (lean_put_sends prg h pair_01 pair_02 pair_12 _ _ _ session query false r). reflexivity.
      + destruct r as [_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ q_0 q_1 q_2 _ _ _]. unfold lean_session_write, lean_session_put. destruct query as [a b].
        rewrite q_0, q_1, q_2. reflexivity.
    - (* SWAP *)
      subst q. destruct updates as [|kx updates]; [cbn in supply; lia|]. destruct general as [_ has']; [split; [cbn; lia | exact I] | discriminate |].
      unfold made_by in has'. cbn [items_of_step fst snd Nat.add firstn reads_after updates_after] in has'. rewrite app_nil_r in has'.
      destruct (held_does_as_drawn op_swap (lean_session_state session) (lean_session_state session) kx (query_of query)
        (stands_u kx (or_introl eq_refl)) (eq_sym (are_updates kx (or_introl eq_refl)))) as (e_1 & e_2 & e_3).
      cbn [map] in r. destruct (lean_put_results prg h pair_01 pair_02 pair_12 _ _ _ session query true r) as [e_4 e_5]. cbv iota in e_4, e_5.
      cbn [firstn map combine take_lean_step use_messages]. unfold runs_of_used, all_answers, all_applied. cbn [map flat_map fold_left fst snd]. rewrite !app_nil_r.
      rewrite <- e_1, <- e_2, <- e_3. split; [|split; [exact e_5 | split; [exact e_4 | split; [|exact has']]]].
      + unfold lean_session_swap. rewrite (lean_put_sends prg h pair_01 pair_02 pair_12 _ _ _ session query true r). reflexivity.
      + destruct r as [_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ q_0 q_1 q_2 _ _ _]. unfold lean_session_swap, lean_session_put. destruct query as [a b].
        rewrite q_0, q_1, q_2. reflexivity.
  Qed.

  (** * The whole session *)

  Lemma batch_of_parts (r u : u64) (rn un : list item_drawn) : (nat_of r <= length rn)%nat -> (nat_of u <= length un)%nat ->
    length (batch_of r u (rn, un)) = (nat_of r + nat_of u)%nat /\
    firstn (nat_of r) (batch_of r u (rn, un)) = map (pair lean_layers_Purpose_Read) (firstn (nat_of r) rn) /\
    skipn (nat_of r) (batch_of r u (rn, un)) = map (pair lean_layers_Purpose_Update) (firstn (nat_of u) un).
  Proof.
    intros lr lu. unfold batch_of. cbn [fst snd].
    assert (l : length (map (pair lean_layers_Purpose_Read) (firstn (nat_of r) rn)) = nat_of r) by (rewrite map_length; apply firstn_length_le, lr).
    rewrite app_length, l, map_length, firstn_length_le by exact lu. split; [reflexivity|].
    rewrite firstn_app, skipn_app, l, Nat.sub_diag, firstn_all2, skipn_all2 by lia. cbn [firstn skipn]. rewrite app_nil_r. split; reflexivity.
  Qed.
  Lemma batch_kinds (r u : u64) (rn un : list item_drawn) : (nat_of r <= length rn)%nat -> (nat_of u <= length un)%nat -> val r + val u < 2 ^ 63 ->
    map fst (batch_of r u (rn, un)) = lean_preprocessing_purposes r u.
  Proof.
    intros lr lu small. rewrite purposes_are by exact small. unfold batch_of. cbn [fst snd]. rewrite map_app, !map_map. cbn [fst].
    assert (const : forall (p : lean_layers_Purpose) (l : list item_drawn), map (fun _ => p) l = repeat p (length l))
      by (intros p l; induction l as [|x l IH]; [reflexivity|]; cbn; rewrite IH; reflexivity).
    rewrite !const, !firstn_length_le by assumption. reflexivity.
  Qed.

  Notation masks := (lean_tape_ring_words W load_01 (repr 64 0) m, lean_tape_ring_words W load_12 (repr 64 0) m).
  Notation numbered first items := (combine (seq first (length items)) items).
  Lemma scheduled_load (r u : nat) (d_0 d_1 : list W) : sized m d_0 -> sized m d_1 -> lean_scheduled h r u [lean_step_load d_0 d_1].
  Proof. unfold sized. intros h_0 h_1. cbn [lean_scheduled]. pose proof (at_most_nat _ _ m_fits). repeat split; lia. Qed.

  Lemma session_is_drawn (ask : nat -> list (W * W) -> lean_step W) : forall shapes k results before reads updates session rn un,
    holds before reads updates session -> all = before ++ all_items shapes (rn, un) ->
    length rn = made_in lean_layers_Purpose_Read shapes -> length un = made_in lean_layers_Purpose_Update shapes ->
    enough shapes (length reads) (length updates) ->
    (forall i s results, nth_error shapes i = Some s -> has_shape m s (ask (k + i)%nat results)) ->
    asked_sent ask k results session (length shapes)
    = drawn_sent prg h m ask masks shapes k results (lean_session_state session) (lean_session_Session_operation session) (rn, un)
        (map taken_of (map snd reads ++ map (pair lean_layers_Purpose_Read) rn), map taken_of (map snd updates ++ map (pair lean_layers_Purpose_Update) un)).
  Proof.
    induction shapes as [|s shapes IH]; intros k results before reads updates session rn un has parts lr lu supply asked; [reflexivity|].
    pose proof (asked 0%nat s results eq_refl) as shaped. rewrite Nat.add_0_r in shaped.
    assert (later : forall i s results, nth_error shapes i = Some s -> has_shape m s (ask (S k + i)%nat results)).
    { intros i s' results' e. replace (S k + i)%nat with (k + S i)%nat by lia. exact (asked (S i) s' results' e). }
    clear asked. pose proof (lean_step_is_of_items prg h h_small hello_0 hello_1 hello_2 rest_0 rest_1 rest_2 said_0 said_1 said_2 load_01 load_02 load_12 tail_01
      tail_02 tail_12 more_01 more_02 more_12 all whole few small_0 small_1 small_2 before) as general.
    destruct s as [|r u|op q]; cbn [length asked_sent drawn_sent all_items made_in enough] in *; cbv zeta.
    - (* The load. *)
      destruct (ask k results) as [d_0 d_1| | | | |] eqn:step; try contradiction. destruct shaped as [s_0 s_1]. cbn [memory_asked].
      destruct (general _ reads updates session (lean_step_load d_0 d_1) [] has parts) as [sent has'];
        [apply scheduled_load; assumption | discriminate |].
      unfold made_by in has'. cbn [items_of_step fst snd Nat.add firstn reads_after updates_after] in has'. rewrite app_nil_r in has'.
      pose proof (lean_load_state prg h pair_01 pair_02 pair_12 _ _ session m d_0 d_1 (holds_ready _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ has) s_0 s_1) as state.
      apply f_equal2.
      + rewrite sent. cbn [step_of_draws]. rewrite concat_pair, !(sized_len m) by assumption. reflexivity.
      + cbn [take_lean_step] in *. change (lean_session_Step_results (lean_session_load session d_0 d_1)) with (@nil (W * W)). rewrite app_nil_r.
        rewrite (IH (S k) results before reads updates _ rn un has' parts lr lu supply later). f_equal.
        unfold loaded. cbn [fst snd]. exact state.
    - (* A batch. *)
      destruct (ask k results) as [|r' u'| | | |] eqn:step; try contradiction. destruct shaped as [-> ->]. destruct supply as [small supply].
      assert (hr : (nat_of r <= length rn)%nat) by lia. assert (hu : (nat_of u <= length un)%nat) by lia.
      destruct (batch_of_parts r u rn un hr hu) as (lb & first_part & second_part). set (batch := batch_of r u (rn, un)) in *.
      assert (cut : firstn (nat_of r + nat_of u) (batch ++ all_items shapes (drop_both r u (rn, un))) = batch) by (rewrite <- lb; apply DrawnWords.firstn_of_app; reflexivity).
      destruct (general _ reads updates session (lean_step_preprocess r u) [] has parts) as [sent has'];
        [split; [exact small | exact I] | intros r' u' e; injection e as <- <-; rewrite cut; apply batch_kinds; assumption |].
      unfold made_by in has'. cbn [items_of_step fst snd reads_after updates_after step_of_draws] in sent, has'. rewrite cut in sent, has'.
      destruct (lean_preprocess_makes_ready prg h h_small pair_01 pair_02 pair_12 _ _ session r u (holds_ready _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ has) small)
        as (_ & state & none). cbn [take_lean_step] in *.
      apply f_equal2; [exact sent|]. rewrite none, app_nil_r.
      assert (lns : length (firstn (nat_of r) (numbered (length before) batch)) = nat_of r)
        by (rewrite firstn_length, combine_length, seq_length; lia).
      assert (lnu : length (skipn (nat_of r) (numbered (length before) batch)) = nat_of u)
        by (rewrite skipn_length, combine_length, seq_length; lia).
      rewrite (IH (S k) results _ _ _ _ (skipn (nat_of r) rn) (skipn (nat_of u) un) has').
      + rewrite state. change (drop_both r u (rn, un)) with (skipn (nat_of r) rn, skipn (nat_of u) un).
        assert (new_r : map snd (firstn (nat_of r) (numbered (length before) batch)) = map (pair lean_layers_Purpose_Read) (firstn (nat_of r) rn))
          by (rewrite <- firstn_map, numbered_items; exact first_part).
        assert (new_u : map snd (skipn (nat_of r) (numbered (length before) batch)) = map (pair lean_layers_Purpose_Update) (firstn (nat_of u) un))
          by (rewrite <- skipn_map, numbered_items; exact second_part).
        rewrite !(map_app snd), new_r, new_u, <- !app_assoc, <- !map_app, !firstn_skipn. reflexivity.
      + rewrite <- app_assoc. exact parts.
      + rewrite skipn_length. lia.
      + rewrite skipn_length. lia.
      + rewrite !app_length, lns, lnu. exact supply.
      + exact later.
    - (* Queries. *)
      destruct supply as [once supply].
      assert (hq : (q <= length (pick (purpose_of op) (reads, updates)))%nat) by (destruct (purpose_of op); apply supply).
      destruct (use_is_drawn before _ reads updates session op q _ has parts shaped once hq) as (sent & answered & state & operation & has').
      set (used := combine _ _) in sent, answered, state.
      assert (same : used_by op q (map taken_of (map snd reads ++ map (pair lean_layers_Purpose_Read) rn),
        map taken_of (map snd updates ++ map (pair lean_layers_Purpose_Update) un)) (ask k results) = used).
      { unfold used, used_by. apply (f_equal (fun l => combine l _)).
        destruct (purpose_of op); cbn [pick fst snd] in *; rewrite firstn_map, firstn_app, map_length;
          match goal with |- context [(q - ?l)%nat] => replace (q - l)%nat with 0%nat by lia end; rewrite app_nil_r, firstn_map; reflexivity. }
      rewrite same, sent, answered. apply f_equal2; [reflexivity|].
      rewrite (IH (S k) _ before _ _ _ rn un has' parts lr lu).
      + rewrite operation, state. f_equal.
        destruct (purpose_of op); cbn [drop pick fst snd] in *; rewrite skipn_map, skipn_app, map_length, skipn_map;
          match goal with |- context [(q - ?l)%nat] => replace (q - l)%nat with 0%nat by lia end; reflexivity.
      + destruct (purpose_of op); cbn [drop fst snd]; rewrite skipn_length; apply supply.
      + exact later.
  Qed.

  (* From the start: all of it is of the draws. *)
  Theorem lean_session_is_drawn (ask : nat -> list (W * W) -> lean_step W) (shapes : list lean_shape) (rn un : list item_drawn) :
    all = all_items shapes (rn, un) -> length rn = made_in lean_layers_Purpose_Read shapes -> length un = made_in lean_layers_Purpose_Update shapes ->
    enough shapes 0 0 -> (forall k s results, nth_error shapes k = Some s -> has_shape m s (ask k results)) ->
    asked_sent ask 0 [] (lean_session_started W h m prg tapes streams) (length shapes)
    = drawn_sent prg h m ask masks shapes 0 [] (lean_memory_initial W m) (repr 64 1) (rn, un)
        (map taken_of (map (pair lean_layers_Purpose_Read) rn), map taken_of (map (pair lean_layers_Purpose_Update) un)).
  Proof.
    intros parts lr lu supply asked.
    apply (session_is_drawn ask shapes 0 [] [] [] [] (lean_session_started W h m prg tapes streams) rn un); try assumption.
    constructor; try constructor; try reflexivity; try constructor. apply zeros_ready, m_fits.
  Qed.
End Session.
