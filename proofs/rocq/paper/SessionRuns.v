(* A whole session as a schedule of runs (WholeView.v): what a receiver (Receiver.v: a primary, or P2) is sent in all of its steps is put together of what
   it has, and of its views of the loads, READs, UPDATEs and unused items in the order in which these happen. The schedule is SessionSchedule.v's.

   Inputs are adaptive: what step k asks may depend on all results, of both primaries, before it. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection.
From Duoram.core Require Import VectorFacts LabelFacts DrawnWords.
From Duoram.paper Require Import SessionSteps WholeView TapeDiscipline.
From Duoram.paper Require Export Receiver SessionSchedule.
From Duoram.Generated Require Import All.

Section Runs.
  Context {V Own Made : Type} (to : receiver V Own Made) (prg : prg_AesPrg) (h n : u64).
  Context (table : list full) (ask : nat -> list (u64 * u64) -> session_step).

  Definition full_at (i : nat) : full := nth i table no_full.
  Definition item_at (i : nat) : paper_preprocessing_Item u64 := full_item prg h (full_at i).
  Definition deltas_at (i : nat) : u64 * u64 := snd (full_at i).

  (** * The runs, one after the other *)

  (* What a run takes of what is drawn. *)
  Inductive made : Type :=
    | made_load (blind_0 blind_1 : list u64)
    | made_read (rho : u64) (item : paper_preprocessing_Item u64)
    | made_item (item : paper_preprocessing_Item u64) (deltas : u64 * u64).
  Fixpoint made_of_runs (runs : list run_of_step) (masks : list u64) (blinds : list (list u64 * list u64)) : list made :=
    match runs with
    | [] => []
    | run_load _ _ :: runs => made_load (fst (hd ([], []) blinds)) (snd (hd ([], []) blinds)) :: made_of_runs runs masks (tl blinds)
    | run_read i _ _ _ :: runs => made_read (hd (repr 64 0) masks) (item_at i) :: made_of_runs runs (tl masks) blinds
    | run_update _ i _ _ _ :: runs | run_idle i :: runs => made_item (item_at i) (deltas_at i) :: made_of_runs runs masks blinds
    end.

  (* The state, and all results so far. *)
  Notation machine := (paper_memory_State u64 * list (u64 * u64))%type.
  Definition no_query : paper_session_UpdateQuery := mk_paper_session_UpdateQuery (repr 64 0, repr 64 0) (repr 64 0, repr 64 0).
  Definition query_of (op : run_of_step) (results : list (u64 * u64)) : paper_session_UpdateQuery :=
    match op with
    | run_read _ k c q =>
        match ask k (firstn c results) with
        | step_reads addresses => mk_paper_session_UpdateQuery (nth q addresses (repr 64 0, repr 64 0)) (repr 64 0, repr 64 0)
        | step_write query => query
        | _ => no_query
        end
    | run_update false _ k c q => match ask k (firstn c results) with step_updates queries => nth q queries no_query | _ => no_query end
    | run_update true _ k c _ =>
        match ask k (firstn c results) with
        | step_write query =>
            let '(m_0, m_1) := paper_session_UpdateQuery_value query in
            let '(read_0, read_1) := nth c results (repr 64 0, repr 64 0) in
            mk_paper_session_UpdateQuery (paper_session_UpdateQuery_address query) (wsub m_0 read_0, wsub m_1 read_1)
        | _ => no_query
        end
    | _ => no_query
    end.
  Let zeros : list u64 := vector_zeros u64 n.
  Definition memory_of (op : run_of_step) (results : list (u64 * u64)) : list u64 * list u64 :=
    match op with
    | run_load k c => match ask k (firstn c results) with step_load memory_share_0 memory_share_1 => (memory_share_0, memory_share_1) | _ => (zeros, zeros) end
    | _ => (zeros, zeros)
    end.

  Definition run_view (m : machine) (op : run_of_step) (d : made) : V :=
    match d with
    | made_load blind_0 blind_1 => seen_load to (memory_of op (snd m)) (blind_0, blind_1)
    | made_read rho item => seen_read to item (read_with (fst m) item (paper_session_UpdateQuery_address (query_of op (snd m))) rho)
    | made_item item deltas =>
        match run_kind_of op with
        | updating => seen_update to item (updating_by (fst m) item deltas (query_of op (snd m)))
        | _ => seen_idle to item
        end
    end.
  Definition run_next (m : machine) (op : run_of_step) (d : made) : machine :=
    match d with
    | made_load blind_0 blind_1 =>
        let '(memory_share_0, memory_share_1) := memory_of op (snd m) in
        (paper_memory_shared memory_share_0 memory_share_1 blind_0 blind_1, snd m)
    | made_read rho item =>
        let outcome := read_with (fst m) item (paper_session_UpdateQuery_address (query_of op (snd m))) rho in
        (fst m, snd m ++ [(paper_read_Read_read_0 outcome, paper_read_Read_read_1 outcome)])
    | made_item item deltas =>
        match run_kind_of op with
        | updating => (paper_update_Update_state (updating_by (fst m) item deltas (query_of op (snd m))), snd m)
        | _ => m
        end
    end.
  Fixpoint run_views (m : machine) (runs : list run_of_step) (ds : list made) : list V :=
    match runs, ds with
    | op :: runs, d :: ds => run_view m op d :: run_views (run_next m op d) runs ds
    | _, _ => []
    end.

  (** * The messages, put together again *)

  Fixpoint assembled_messages (shapes : list shape) (next : nat) (operation : u64) (own : nat -> Own) (made : nat -> Made) (views : list V) :
    list (list paper_session_Sent) :=
    match shapes with
    | [] => []
    | shape_load :: shapes =>
        match views with
        | [] => []
        | v :: views => load_sent to operation v :: assembled_messages shapes next (wadd operation (repr 64 1)) own made views
        end
    | shape_batch r u :: shapes =>
        batch_sent to operation (map own (seq next r)) (map own (seq (next + r) u)) (map made (seq next (r + u))) ::
        assembled_messages shapes (next + (r + u)) (wadd operation (repr 64 1)) own made views
    | shape_reads q :: shapes =>
        reads_sent to operation (firstn q views) :: assembled_messages shapes next (wadd operation (repr 64 1)) own made (skipn q views)
    | shape_updates q :: shapes =>
        updates_sent to operation (firstn q views) :: assembled_messages shapes next (wadd operation (repr 64 1)) own made (skipn q views)
    | shape_write :: shapes =>
        (reads_sent to operation (firstn 1 views) ++ updates_sent to (wadd operation (repr 64 1)) (firstn 1 (skipn 1 views))) ::
        assembled_messages shapes next (wadd (wadd operation (repr 64 1)) (repr 64 1)) own made (skipn 2 views)
    end%nat.

  (** * A step's runs *)

  Lemma reads_run (k c : nat) (results : list (u64 * u64)) (addresses : list (u64 * u64)) :
    length results = c -> ask k results = step_reads addresses ->
    forall ids before after extra state masks blinds runs,
      addresses = before ++ after -> length after = length ids -> (length ids <= length masks)%nat ->
      let done := reads_done state after (map item_at ids) (firstn (length ids) masks) in
      run_views (state, results ++ extra) (reads_from k c (length before) ids ++ runs)
        (made_of_runs (reads_from k c (length before) ids ++ runs) masks blinds)
      = map (uncurry (seen_read to)) done
        ++ run_views (state, results ++ extra ++ map (fun o => (paper_read_Read_read_0 (snd o), paper_read_Read_read_1 (snd o))) done) runs
             (made_of_runs runs (skipn (length ids) masks) blinds).
  Proof.
    intros hc ha. induction ids as [|i ids IH]; intros before after extra state masks blinds runs e l lm; cbv zeta.
    - destruct after; [|discriminate]. cbn. rewrite app_nil_r. reflexivity.
    - destruct after as [|a after]; [discriminate|]. destruct masks as [|rho masks]; [cbn in lm; lia|]. unfold reads_done in *.
      injection l as l. cbn [length] in lm. unfold reads_from. cbn [length seq combine map app made_of_runs hd tl firstn skipn run_views].
      unfold run_view at 1. unfold run_next at 1.
      assert (q : query_of (run_read i k c (length before)) (snd (state, results ++ extra)) = mk_paper_session_UpdateQuery a (repr 64 0, repr 64 0)).
      { unfold query_of. cbn [snd]. rewrite (firstn_of_app c results extra hc), ha, e, app_nth2, Nat.sub_diag by lia. reflexivity. }
      rewrite q. cbn [paper_session_UpdateQuery_address fst snd]. f_equal.
      rewrite <- app_assoc.
      specialize (IH (before ++ [a]) after (extra ++ [(paper_read_Read_read_0 (read_with state (item_at i) a rho),
        paper_read_Read_read_1 (read_with state (item_at i) a rho))]) state masks blinds runs).
      rewrite app_length, Nat.add_1_r in IH. fold (reads_from k c (S (length before)) ids).
      cbv zeta in IH. rewrite IH; [|rewrite e, <- app_assoc; reflexivity | exact l | lia]. rewrite <- !app_assoc. reflexivity.
  Qed.

  Lemma updates_run (k c : nat) (results : list (u64 * u64)) (queries : list paper_session_UpdateQuery) :
    length results = c -> ask k results = step_updates queries ->
    forall ids before after state masks blinds runs,
      queries = before ++ after -> length after = length ids ->
      let '(state', done) := updates_done state (combine after (map (fun i => (item_at i, deltas_at i)) ids)) in
      run_views (state, results) (updates_from k c (length before) ids ++ runs)
        (made_of_runs (updates_from k c (length before) ids ++ runs) masks blinds)
      = map (uncurry (seen_update to)) done
        ++ run_views (state', results) runs (made_of_runs runs masks blinds).
  Proof.
    intros hc ha. induction ids as [|i ids IH]; intros before after state masks blinds runs e l.
    - destruct after; [|discriminate]. reflexivity.
    - destruct after as [|a after]; [discriminate|]. injection l as l.
      unfold updates_from. cbn [length seq combine map app made_of_runs run_views updates_done].
      unfold run_view at 1. unfold run_next at 1. cbn [run_kind_of].
      assert (q : query_of (run_update false i k c (length before)) (snd (state, results)) = a).
      { unfold query_of. cbn [snd]. rewrite <- hc, firstn_all, ha, e, app_nth2, Nat.sub_diag by lia. reflexivity. }
      rewrite q. cbn [fst snd]. fold (updates_from k c (S (length before)) ids).
      specialize (IH (before ++ [a]) after (paper_update_Update_state (updating_by state (item_at i) (deltas_at i) a)) masks blinds runs).
      rewrite app_length, Nat.add_1_r in IH.
      destruct (updates_done _ _) as [state' done]. rewrite IH; [reflexivity | rewrite e, <- app_assoc; reflexivity | exact l].
  Qed.

  (** * The whole session *)

  Lemma table_part (k r : nat) : (k + r <= length table)%nat -> firstn r (skipn k table) = map full_at (seq k r).
  Proof.
    intros small. apply (list_ext no_full).
    - rewrite firstn_length, skipn_length, map_length, seq_length. lia.
    - rewrite firstn_length, skipn_length. intros j hj. rewrite (nth_map _ _ j 0%nat) by (rewrite seq_length; lia).
      rewrite seq_nth by lia. unfold full_at.
      rewrite <- (firstn_skipn k table) at 2. rewrite app_nth2 by (rewrite firstn_length; lia).
      rewrite firstn_length_le by lia. replace (k + j - k)%nat with j by lia.
      rewrite <- (firstn_skipn r (skipn k table)) at 2. rewrite app_nth1 by (rewrite firstn_length, skipn_length; lia). reflexivity.
  Qed.
  Lemma skipn_further {X : Type} (a b : nat) (l : list X) : skipn a (skipn b l) = skipn (b + a) l.
  Proof. revert l. induction b as [|b IH]; intros [|x l]; try (rewrite ?skipn_nil; reflexivity). apply IH. Qed.

  (* A session that holds these items, in this state. *)
  Definition holds (session : paper_session_Session) (state : paper_memory_State u64) (operation : u64) (reads updates : list nat) : Prop :=
    paper_session_Session_log_size session = h /\ paper_session_Session_prg session = prg /\
    paper_session_Session_state session = state /\ paper_session_Session_operation session = operation /\
    paper_session_Session_reads session = map (fun i => for_read (item_at i)) reads /\
    paper_session_Session_updates session = map (fun i => for_update (item_at i) (deltas_at i)) updates.

  Lemma batch_holds session state operation (reads updates : list nat) (next r u : nat) :
    holds session state operation reads updates -> (next + (r + u) <= length table)%nat ->
    holds (paper_session_Step_session (bare (step_of_draws session (step_preprocess (of_nat r) (of_nat u))
        (batch_of (firstn r (skipn next table)) (firstn u (skipn r (skipn next table)))))))
      state (wadd operation (repr 64 1)) (reads ++ seq next r) (updates ++ seq (next + r) u).
  Proof.
    intros (hh & hp & hs & ho & hr & hu) small. unfold batch_of. cbn [step_of_draws]. unfold batch_of_draws. cbv zeta.
    rewrite batch_items_drawn, skipn_further, hh, hp, !table_part by lia.
    unfold bare, with_tapes, step_with. cbn [paper_session_Step_session]. unfold holds.
    cbn [paper_session_Session_log_size paper_session_Session_prg paper_session_Session_state paper_session_Session_reads
      paper_session_Session_updates paper_session_Session_operation].
    repeat apply conj; try assumption; try (rewrite ho; reflexivity).
    - rewrite hr, !map_app. f_equal. rewrite firstn_of_app by (rewrite !map_length; reflexivity). rewrite !map_map. reflexivity.
    - rewrite hu, !map_app. f_equal. rewrite skipn_of_app by (rewrite !map_length; reflexivity).
      rewrite !map_map. generalize (seq (next + r) u). intros l. induction l as [|i l IH]; [reflexivity|]. cbn [map combine]. rewrite IH.
      unfold for_update, item_at, deltas_at, full_item. cbn [snd]. destruct (snd (full_at i)). reflexivity.
  Qed.

  Lemma updates_done_length state l : length (snd (updates_done state l)) = length l.
  Proof.
    revert state. induction l as [|[query [item deltas]] l IH]; intros state; [reflexivity|]. cbn [updates_done].
    specialize (IH (paper_update_Update_state (updating_by state item deltas query))).
    destruct (updates_done _ l) as [state' done]. cbn [snd length] in *. congruence.
  Qed.

  Theorem session_is_assembled (law : lawful prg h to) (own : nat -> Own) (made : nat -> Made) (owned : forall i, own i = has_of to (full_at i)) :
    forall shapes next k reads updates session state operation results masks blinds,
    holds session state operation reads updates -> enough shapes (length reads) (length updates) ->
    length table = (next + items_in shapes)%nat -> length masks = masks_in shapes ->
    (forall i s results, nth_error shapes i = Some s -> has_shape s (ask (k + i) results)) ->
    (forall i, (next <= i < length table)%nat -> made i = made_for to (item_at i)) ->
    let runs := runs_of shapes next k (length results) reads updates in
    map (messages_to to) (session_sent ask k results session (draws_of shapes (skipn next table) masks blinds))
    = assembled_messages shapes next operation own made
        (run_views (state, results) runs (made_of_runs runs masks blinds)).
  Proof.
    induction shapes as [|s shapes IH]; intros next k reads updates session state operation results masks blinds held supply lt lm asked hmade;
      [reflexivity|]. cbv zeta in *.
    pose proof held as (hh & hp & hs & ho & hr & hu).
    pose proof (asked 0%nat s results eq_refl) as shaped. rewrite Nat.add_0_r in shaped.
    assert (later : forall i s results, nth_error shapes i = Some s -> has_shape s (ask (S k + i) results)).
    { intros i s' results' e. replace (S k + i)%nat with (k + S i)%nat by lia. exact (asked (S i) s' results' e). }
    clear asked. destruct s as [|r u|q|q|]; cbn [draws_of session_sent runs_of assembled_messages map enough items_in masks_in] in *.
    - (* A load. *)
      destruct (ask k results) as [d_0 d_1| | | |] eqn:step; try contradiction. cbn [step_of_draws].
      cbn [made_of_runs run_views tl hd]. unfold run_view at 1, run_next at 1.
      assert (m : memory_of (run_load k (length results)) (snd (state, results)) = (d_0, d_1)).
      { unfold memory_of. cbn [snd]. rewrite firstn_all, step. reflexivity. }
      rewrite m. f_equal.
      + unfold bare, with_tapes. cbn [paper_session_Step_sent]. rewrite <- ho. exact (lawful_load prg h to law session (d_0, d_1) (_, _)).
      + change (paper_session_Step_results (bare (load_of_draws session d_0 d_1 _ _))) with (@nil (u64 * u64)). rewrite app_nil_r.
        apply IH; try assumption. unfold holds, bare, with_tapes, load_of_draws, step_with.
        cbn [paper_session_Step_session paper_session_Session_log_size paper_session_Session_prg paper_session_Session_state
          paper_session_Session_reads paper_session_Session_updates paper_session_Session_operation].
        rewrite ho. repeat apply conj; try assumption; reflexivity.
    - (* A batch. *)
      destruct (ask k results) as [|reads' updates'| | |] eqn:step; try contradiction. destruct shaped as [er eu].
      set (rs := firstn r (skipn next table)). set (us := firstn u (skipn r (skipn next table))).
      change (step_of_draws session (step_preprocess reads' updates') (batch_of rs us))
        with (step_of_draws session (step_preprocess (of_nat r) (of_nat u)) (batch_of rs us)).
      pose proof (batch_holds session state operation reads updates next r u held ltac:(lia)) as held'. fold rs us in held'.
      assert (parts : rs = map full_at (seq next r) /\ us = map full_at (seq (next + r) u)).
      { unfold rs, us. rewrite skipn_further, !table_part by lia. split; reflexivity. }
      f_equal.
      + pose proof (lawful_batch prg h to law session rs us hh hp) as sent.
        change (step_of_draws session (step_preprocess (of_nat (length rs)) (of_nat (length us))) (batch_of rs us))
          with (step_of_draws session (step_preprocess (of_nat r) (of_nat u)) (batch_of rs us)) in sent.
        unfold bare, with_tapes. cbn [paper_session_Step_sent]. rewrite sent, ho. destruct parts as [-> ->].
        rewrite !(map_ext own _ owned), !map_map, <- map_app, map_map, <- seq_app. f_equal. apply map_ext_in. intros i hi. apply in_seq in hi.
        rewrite hmade by lia. reflexivity.
      + change (paper_session_Step_results (bare (step_of_draws session _ (batch_of rs us)))) with (@nil (u64 * u64)).
        rewrite app_nil_r, skipn_further. apply IH; try assumption; try lia.
        * rewrite !app_length, !seq_length. exact supply.
        * intros i hi. apply hmade. lia.
    - (* READs. *)
      destruct supply as [qr supply].
      destruct (ask k results) as [| |addresses| |] eqn:step; try contradiction. destruct shaped as [la small]. cbn [step_of_draws].
      assert (lf : length (firstn q reads) = q) by (apply firstn_length_le; exact qr).
      assert (split : paper_session_Session_reads session = map for_read (map item_at (firstn q reads)) ++ map (fun i => for_read (item_at i)) (skipn q reads)).
      { rewrite hr, map_map, <- map_app, firstn_skipn. reflexivity. }
      assert (lmq : length (firstn q masks) = q) by (apply firstn_length_le; lia).
      destruct (reads_are_done session addresses (map item_at (firstn q reads)) (firstn q masks) _ split
        ltac:(rewrite map_length; congruence) ltac:(congruence)) as [sent answered].
      pose proof (reads_run k (length results) results addresses eq_refl step (firstn q reads) [] addresses [] state masks blinds
        (runs_of shapes next (S k) (length results + q) (skipn q reads) updates) eq_refl ltac:(congruence) ltac:(lia)) as run.
      cbv zeta in run, sent. rewrite lf, app_nil_r in run. cbn [length app] in run. rewrite run.
      rewrite hs in sent, answered.
      set (done := reads_done state addresses (map item_at (firstn q reads)) (firstn q masks)) in *.
      assert (ld : length (map (uncurry (seen_read to)) done) = q).
      { unfold done, reads_done. rewrite !map_length, !combine_length, map_length. lia. }
      rewrite firstn_of_app, skipn_of_app by exact ld.
      assert (lr : length (map (fun o : paper_preprocessing_Item u64 * paper_read_Read u64 => (paper_read_Read_read_0 (snd o), paper_read_Read_read_1 (snd o))) done) = q).
      { rewrite map_length in *. exact ld. }
      unfold bare, with_tapes. cbn [paper_session_Step_sent paper_session_Step_results paper_session_Step_session].
      rewrite sent, answered, ho, (lawful_reads prg h to law). f_equal. specialize (IH next (S k) (skipn q reads) updates
        (paper_session_Step_session (bare (reads_of_draws session addresses (firstn q masks)))) state (wadd operation (repr 64 1))
        (results ++ map (fun o : paper_preprocessing_Item u64 * paper_read_Read u64 => (paper_read_Read_read_0 (snd o), paper_read_Read_read_1 (snd o))) done)
        (skipn q masks) blinds).
      rewrite app_length, lr in IH. apply IH; try assumption.
      + unfold holds, bare, with_tapes, reads_of_draws, step_with.
        cbn [paper_session_Step_session paper_session_Session_log_size paper_session_Session_prg paper_session_Session_state
          paper_session_Session_reads paper_session_Session_updates paper_session_Session_operation].
        rewrite !skip_skipn, hr, hu, ho, nat_of_len, la, !skipn_map by (rewrite la; exact small).
        repeat apply conj; try assumption; reflexivity.
      + rewrite skipn_length. exact supply.
      + rewrite skipn_length. lia.
    - (* UPDATEs. *)
      destruct supply as [qu supply].
      destruct (ask k results) as [| | |queries|] eqn:step; try contradiction. destruct shaped as [la small]. cbn [step_of_draws].
      assert (lf : length (firstn q updates) = q) by (apply firstn_length_le; exact qu).
      assert (split : paper_session_Session_updates session
        = map (uncurry for_update) (map (fun i => (item_at i, deltas_at i)) (firstn q updates)) ++ map (fun i => for_update (item_at i) (deltas_at i)) (skipn q updates)).
      { rewrite hu, map_map. cbn [uncurry]. rewrite <- map_app, firstn_skipn. reflexivity. }
      pose proof (updates_are_done session queries (map (fun i => (item_at i, deltas_at i)) (firstn q updates)) _ split
        ltac:(rewrite map_length; congruence)) as sent.
      pose proof (updates_run k (length results) results queries eq_refl step (firstn q updates) [] queries state masks blinds
        (runs_of shapes next (S k) (length results) reads (skipn q updates)) eq_refl ltac:(congruence)) as run.
      pose proof (updates_done_length state (combine queries (map (fun i => (item_at i, deltas_at i)) (firstn q updates)))) as ld.
      rewrite combine_length, map_length, lf, la, Nat.min_id in ld.
      rewrite hs in sent. cbn [length] in run.
      destruct (updates_done state _) as [state' done]. destruct sent as [sent after]. cbn [snd] in ld. rewrite run.
      rewrite firstn_of_app, skipn_of_app by (rewrite map_length; exact ld).
      unfold bare, with_tapes. cbn [paper_session_Step_sent paper_session_Step_results paper_session_Step_session].
      rewrite sent, ho, (lawful_updates prg h to law). f_equal.
      assert (none : paper_session_Step_results (paper_session_updates session queries) = []).
      { unfold paper_session_updates. cbv zeta. destruct (fold_left _ _ _). reflexivity. }
      rewrite none, app_nil_r.
      specialize (IH next (S k) reads (skipn q updates)
        (paper_session_Step_session (bare (paper_session_updates session queries))) state' (wadd operation (repr 64 1)) results masks blinds).
      apply IH; try assumption; [|rewrite skipn_length; exact supply].
      revert after. unfold holds, bare, with_tapes, paper_session_updates. cbv zeta. destruct (fold_left _ _ _) as [final outcomes].
      unfold paper_session_after.
      cbn [paper_session_Step_session paper_session_Session_log_size paper_session_Session_prg paper_session_Session_state
        paper_session_Session_reads paper_session_Session_updates paper_session_Session_operation].
      intros ->. rewrite !skip_skipn, hr, hu, ho, nat_of_len, la, !skipn_map by (rewrite la; exact small).
      repeat apply conj; try assumption; reflexivity.
    - (* A WRITE. *)
      destruct supply as (qr & qu & supply).
      destruct (ask k results) as [| | | |query] eqn:step; try contradiction. cbn [step_of_draws].
      destruct reads as [|i reads]; [cbn in qr; lia|]. destruct updates as [|j updates]; [cbn in qu; lia|].
      destruct masks as [|rho masks]; [discriminate|]. cbn [firstn skipn hd tl length map] in *.
      cbn [made_of_runs run_views hd tl].
      set (o := read_with state (item_at i) (paper_session_UpdateQuery_address query) rho).
      set (answer := (paper_read_Read_read_0 o, paper_read_Read_read_1 o)).
      assert (first_query : query_of (run_read i k (length results) 0) (snd (state, results)) = query).
      { unfold query_of. cbn [snd]. rewrite firstn_all, step. reflexivity. }
      assert (view_1 : run_view (state, results) (run_read i k (length results) 0) (made_read rho (item_at i))
        = seen_read to (item_at i) o).
      { unfold run_view. rewrite first_query. reflexivity. }
      assert (next_1 : run_next (state, results) (run_read i k (length results) 0) (made_read rho (item_at i)) = (state, results ++ [answer])).
      { unfold run_next. rewrite first_query. reflexivity. }
      destruct (paper_session_UpdateQuery_value query) as [m_0 m_1] eqn:value.
      set (difference := mk_paper_session_UpdateQuery (paper_session_UpdateQuery_address query)
        (wsub m_0 (paper_read_Read_read_0 o), wsub m_1 (paper_read_Read_read_1 o))).
      set (u := updating_by state (item_at j) (deltas_at j) difference).
      assert (second_query : query_of (run_update true j k (length results) 0) (snd (state, results ++ [answer])) = difference).
      { unfold query_of. cbn [snd]. rewrite firstn_of_app, step, value, app_nth2, Nat.sub_diag by lia. reflexivity. }
      assert (view_2 : run_view (state, results ++ [answer]) (run_update true j k (length results) 0) (made_item (item_at j) (deltas_at j))
        = seen_update to (item_at j) u).
      { unfold run_view. rewrite second_query. reflexivity. }
      assert (next_2 : run_next (state, results ++ [answer]) (run_update true j k (length results) 0) (made_item (item_at j) (deltas_at j))
        = (paper_update_Update_state u, results ++ [answer])).
      { unfold run_next. cbn [run_kind_of]. rewrite second_query. reflexivity. }
      rewrite view_1, next_1, view_2, next_2. clear view_1 next_1 view_2 next_2 first_query second_query.
      destruct (reads_are_done session [paper_session_UpdateQuery_address query] [item_at i] [rho] _ hr eq_refl eq_refl) as [sent answered].
      unfold reads_done in sent, answered. cbn [combine map uncurry snd] in sent, answered. rewrite hs in sent, answered. fold o in sent, answered.
      unfold write_of_draws. cbv zeta. rewrite value, answered. cbn [first hd_error].
      set (first_step := reads_of_draws session [paper_session_UpdateQuery_address query] [rho]) in *.
      assert (held' : holds (paper_session_Step_session first_step) state (wadd operation (repr 64 1)) reads (j :: updates)).
      { unfold holds, first_step, reads_of_draws, step_with.
        cbn [paper_session_Step_session paper_session_Session_log_size paper_session_Session_prg paper_session_Session_state
          paper_session_Session_reads paper_session_Session_updates paper_session_Session_operation].
        rewrite !skip_skipn, hr, hu, ho. repeat apply conj; try assumption; reflexivity. }
      pose proof held' as (hh' & hp' & hs' & ho' & hr' & hu').
      pose proof (updates_are_done (paper_session_Step_session first_step) [difference] [(item_at j, deltas_at j)] _ hu' eq_refl) as sent'.
      cbn [combine updates_done map uncurry snd] in sent'. rewrite hs' in sent'. destruct sent' as [sent' after].
      fold difference.
      unfold bare, with_tapes. cbn [paper_session_Step_sent paper_session_Step_results paper_session_Step_session].
      unfold messages_to. rewrite sent_to_app, sent, sent', ho, ho'.
      pose proof (lawful_reads prg h to law operation [(item_at i, o)]) as read_to.
      pose proof (lawful_updates prg h to law (wadd operation (repr 64 1)) [(item_at j, u)]) as updates_to.
      unfold messages_to in read_to, updates_to. cbn [map snd uncurry] in read_to, updates_to. fold u. rewrite read_to, updates_to. cbn [firstn skipn]. f_equal.
      specialize (IH next (S k) reads updates
        (paper_session_Step_session (bare (paper_session_updates (paper_session_Step_session first_step) [difference])))
        (paper_update_Update_state (updating_by state (item_at j) (deltas_at j) difference)) (wadd (wadd operation (repr 64 1)) (repr 64 1))
        (results ++ [answer]) masks blinds).
      rewrite app_length, Nat.add_1_r in IH. apply IH; try assumption.
      + revert after. unfold holds, bare, with_tapes, paper_session_updates. cbv zeta. destruct (fold_left _ _ _) as [final outcomes].
        unfold paper_session_after.
        cbn [paper_session_Step_session paper_session_Session_log_size paper_session_Session_prg paper_session_Session_state
          paper_session_Session_reads paper_session_Session_updates paper_session_Session_operation].
        intros ->. rewrite !skip_skipn, hr', hu', ho'. repeat apply conj; try assumption; reflexivity.
      + cbn [Nat.sub] in supply. rewrite !Nat.sub_0_r in supply. exact supply.
      + cbn in lm. lia.
  Qed.
End Runs.
