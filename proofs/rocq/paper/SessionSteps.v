(* The steps of a session, as the Rust module `session` runs them: each one answers as the ideal RAM does and leaves a
   session that is ready for more, whatever random words the three tapes hold. SessionAnswersIdeal.v puts them together
   [duoram, sections 3.1, 4.1, 4.2; Lemmas 1, 2, 3, 5; App. C, D]. *)
From Coq Require Import Lia.
From Duoram.paper Require Import PremiseFacts PreparedDpfFacts PreparedMaterial WholeSession.
From Duoram.Generated Require Import All.

(** * The steps, and what they ask of the ideal RAM *)

Inductive session_step : Type :=
  | step_load (memory_share_0 memory_share_1 : list u64)
  | step_preprocess (reads updates : u64)
  | step_reads (addresses : list (u64 * u64))
  | step_updates (queries : list paper_session_UpdateQuery)
  | step_write (query : paper_session_UpdateQuery).

Definition take_step (session : paper_session_Session) (step : session_step) : paper_session_Step :=
  match step with
  | step_load memory_share_0 memory_share_1 => paper_session_load session memory_share_0 memory_share_1
  | step_preprocess reads updates => paper_session_preprocess session reads updates
  | step_reads addresses => paper_session_reads session addresses
  | step_updates queries => paper_session_updates session queries
  | step_write query => paper_session_write session query
  end.

Definition session_run_step (session : paper_session_Session) (step : session_step) : paper_session_Session * list (u64 * u64) :=
  (paper_session_Step_session (take_step session step), paper_session_Step_results (take_step session step)).

Definition target_of (n : u64) (address : u64 * u64) : u64 := vector_mod_size (wadd (fst address) (snd address)) n.

(* A WRITE step's results are shares of the word that was there before: it also asks for a READ. *)
Definition operations (n : u64) (step : session_step) : list (ideal_Operation u64) :=
  match step with
  | step_load _ _ | step_preprocess _ _ => []
  | step_reads addresses => map (fun address => ideal_Operation_Read (target_of n address)) addresses
  | step_updates queries =>
      map (fun query => ideal_Operation_Update (target_of n (paper_session_UpdateQuery_address query))
        (opened_pair (paper_session_UpdateQuery_value query))) queries
  | step_write query =>
      [ideal_Operation_Read (target_of n (paper_session_UpdateQuery_address query));
       ideal_Operation_Write (target_of n (paper_session_UpdateQuery_address query)) 
         (opened_pair (paper_session_UpdateQuery_value query))]
  end.

(* The words that READs answered. *)
Definition words_of (answers : list (option u64)) : list u64 :=
  flat_map (fun answer => match answer with Some word => [word] | None => [] end) answers.

Definition ideal_session_step (n : u64) (memory : list u64) (step : session_step) : list u64 * list u64 :=
  match step with
  | step_load memory_share_0 memory_share_1 => (vector_add memory_share_0 memory_share_1, [])
  | _ => let '(memory, answers) := run ideal_step memory (operations n step) in (memory, words_of answers)
  end.

(* With material for r READs and u UPDATEs, there is enough of it for each step; loads have the memory's size. *)
Fixpoint scheduled (n : u64) (r u : nat) (steps : list session_step) : Prop :=
  match steps with
  | [] => True
  | step_load memory_share_0 memory_share_1 :: steps => sized n memory_share_0 /\ sized n memory_share_1 /\
      scheduled n r u steps
  | step_preprocess reads updates :: steps =>
      val reads + val updates < 2 ^ 64 /\ scheduled n (r + nat_of reads) (u + nat_of updates) steps
  | step_reads addresses :: steps =>
      Z.of_nat (length addresses) < 2 ^ 64 /\ (length addresses <= r)%nat /\ scheduled n (r - length addresses) u steps
  | step_updates queries :: steps =>
      Z.of_nat (length queries) < 2 ^ 64 /\ (length queries <= u)%nat /\ scheduled n r (u - length queries) steps
  | step_write _ :: steps => (1 <= r)%nat /\ (1 <= u)%nat /\ scheduled n (r - 1) (u - 1) steps
  end.

Lemma reads_of_ideal (n : u64) (memory : list u64) (addresses : list (u64 * u64)) :
  ideal_session_step n memory (step_reads addresses)
  = (memory, map (fun address => ideal_get memory (target_of n address)) addresses).
Proof.
  assert (a : run ideal_step memory (operations n (step_reads addresses))
    = (memory, map (fun address => Some (ideal_get memory (target_of n address))) addresses)).
  { cbn [operations]. induction addresses as [|address addresses IH]; [reflexivity|].
    cbn [map run ideal_step]. rewrite IH. reflexivity. }
  unfold ideal_session_step. rewrite a. f_equal. clear a. induction addresses as [|address addresses IH]; [reflexivity|].
  cbn [map words_of flat_map app]. f_equal. exact IH.
Qed.

Lemma words_of_none {T : Type} (l : list T) : words_of (map (fun _ => None) l) = [].
Proof. induction l as [|x l IH]; [reflexivity | exact IH]. Qed.

(** * Each step *)

Section Session.
  Context (h n : u64) (h_below_64 : val h < 64) (size : val n = 2 ^ val h).

  Let n_power : power_of_two n.
  Proof. exists (val h). pose proof (val_bounds h). auto with zarith. Qed.
  Let fits_word : val n <= 2 ^ Zpos (ring_bits u64).
  Proof. pose proof (val_bounds n). cbn [ring_bits ring_laws_u64]. lia. Qed.

  (* What holds between steps: the blinds fit, and all prepared material points where its index shares say. *)
  Definition session_ready (r u : nat) (session : paper_session_Session) : Prop :=
    paper_session_Session_log_size session = h /\ state_ready n (paper_session_Session_state session) /\
    Forall (fun item => read_ready n (paper_session_PreparedRead_units item) (paper_session_PreparedRead_random_index_shares item))
      (paper_session_Session_reads session) /\
    Forall (fun item => update_ready n (paper_session_PreparedUpdate_material item) (paper_session_PreparedUpdate_random_index_shares item))
      (paper_session_Session_updates session) /\
    length (paper_session_Session_reads session) = r /\ length (paper_session_Session_updates session) = u.

  Lemma forall_skip {T : Type} (Q : T -> Prop) (l : list T) (k : u64) : Forall Q l -> Forall Q (skip l k).
  Proof.
    rewrite !Forall_forall. intros hl x hx. apply hl. rewrite <- (take_skip l k). apply in_or_app. right. assumption.
  Qed.
  Lemma in_take {T : Type} (l : list T) (k : u64) x : In x (take l k) -> In x l.
  Proof. intros hx. rewrite <- (take_skip l k). apply in_or_app. left. assumption. Qed.
  Lemma in_skip {T : Type} (l : list T) (k : u64) x : In x (skip l k) -> In x l.
  Proof. intros hx. rewrite <- (take_skip l k). apply in_or_app. right. assumption. Qed.

  Lemma map_fst_combine {A B : Type} (a : list A) (b : list B) : (length a <= length b)%nat -> map fst (combine a b) = a.
  Proof.
    revert b. induction a as [|x a IH]; intros [|y b] hl; simpl in *; try lia; [reflexivity..|]. f_equal. apply IH. lia.
  Qed.
  Lemma map_snd_combine {A B : Type} (a : list A) (b : list B) : length a = length b -> map snd (combine a b) = b.
  Proof. revert b. induction a as [|x a IH]; intros [|y b] hl; simpl in *; try discriminate; [reflexivity|]. f_equal.
  auto. Qed.
  Lemma map_snd_enumerate {T : Type} (l : list T) : Z.of_nat (length l) < 2 ^ 64 -> map snd (enumerate l) = l.
  Proof.
    intros hl. apply map_snd_combine. rewrite range_length. rewrite nat_of_len by assumption. apply Nat.sub_0_r.
  Qed.

  (* READs: the results open to the words at the addresses. *)
  Theorem reads_answer_ideal (r u : nat) session (addresses : list (u64 * u64)) :
    session_ready r u session -> Z.of_nat (length addresses) < 2 ^ 64 -> (length addresses <= r)%nat ->
    let step := paper_session_reads session addresses in
    session_ready (r - length addresses) u (paper_session_Step_session step) /\
    paper_session_Session_state (paper_session_Step_session step) = paper_session_Session_state session /\
    map opened_pair (paper_session_Step_results step)
      = map (fun address => ideal_get (paper_memory_opened (paper_session_Session_state session)) (target_of n address)) addresses.
  Proof.
    intros (e & ready & hr & hu & lr & lu) small enough. cbv zeta. split; [|split].
    - repeat split; try assumption; try apply ready.
      + apply (forall_skip _ _ (len addresses)), hr.
      + apply (forall_skip _ _ (repr 64 0)), hu.
      + change (length (skip (paper_session_Session_reads session) (len addresses)) = (r - length addresses)%nat).
        rewrite skip_length, nat_of_len by assumption. congruence.
      + change (length (skip (paper_session_Session_updates session) (repr 64 0)) = u).
        rewrite skip_length. change (nat_of (repr 64 0)) with 0%nat. lia.
    - reflexivity.
    - unfold paper_session_reads. cbv zeta. cbn [paper_session_Step_results]. rewrite !map_map.
      set (pairs := combine addresses (paper_session_Session_reads session)).
      assert (ep : map snd (enumerate pairs) = pairs)
        by (apply map_snd_enumerate; unfold pairs; rewrite combine_length; lia).
      rewrite <- (map_fst_combine addresses (paper_session_Session_reads session)) at 1 by lia. fold pairs.
      rewrite <- ep at 2. rewrite !map_map. apply map_ext_in. intros [query [address item]] hin.
      apply (in_map snd) in hin. rewrite ep in hin. apply in_combine_r in hin.
      rewrite Forall_forall in hr. specialize (hr _ hin).
      pose proof (read_answers_ideal n _ _ _ address (paper_tape_peek (paper_session_Session_tape_2 session) query) n_power ready hr)
        as a.
      cbn [ideal_step] in a. injection a as a. symmetry. exact a.
  Qed.

  (* UPDATEs, one after the other. *)
  Theorem updates_answer_ideal (r u : nat) session (queries : list paper_session_UpdateQuery) :
    session_ready r u session -> Z.of_nat (length queries) < 2 ^ 64 -> (length queries <= u)%nat ->
    let step := paper_session_updates session queries in
    session_ready r (u - length queries) (paper_session_Step_session step) /\ paper_session_Step_results step = [] /\
    run ideal_step (paper_memory_opened (paper_session_Session_state session)) (operations n (step_updates queries))
    = (paper_memory_opened (paper_session_Session_state (paper_session_Step_session step)), map (fun _ => None) queries).
  Proof.
    intros (e & ready & hr & hu & lr & lu) small enough. cbv zeta. unfold paper_session_updates. cbv zeta.
    set (pairs := combine queries (paper_session_Session_updates session)).
    match goal with |- context [fold_left ?f pairs ?start] => set (F := f) end.
    assert (fold : forall (l : list (paper_session_UpdateQuery * paper_session_PreparedUpdate)) state done,
      Forall (fun pair => update_ready n (paper_session_PreparedUpdate_material (snd pair))
        (paper_session_PreparedUpdate_random_index_shares (snd pair))) l ->
      state_ready n state ->
      let state' := fst (fold_left F l (state, done)) in
      state_ready n state' /\
      run ideal_step (paper_memory_opened state) (operations n (step_updates (map fst l)))
      = (paper_memory_opened state', map (fun _ => None) l)).
    { intros l state done hl. revert state done. induction hl as [|[query item] l hi _ IH]; intros state done hs;
        [split; [exact hs | reflexivity]|].
      cbn [snd] in hi.
      destruct (update_answers_ideal n state _ _ (paper_session_UpdateQuery_address query) (paper_session_UpdateQuery_value query)
        n_power hs hi) as [a hs'].
      cbn [map fst operations run fold_left]. unfold target_of at 1. rewrite a.
      specialize (IH _ (concat [done; [paper_update_update state (paper_session_PreparedUpdate_material item)
        (paper_session_PreparedUpdate_random_index_shares item) (paper_session_UpdateQuery_address query) (paper_session_UpdateQuery_value
          query)]]) hs').
      cbv zeta in IH. destruct IH as [hs'' b]. cbn [operations] in b. rewrite b. split; [exact hs'' | reflexivity]. }
    assert (hp : Forall (fun pair => update_ready n (paper_session_PreparedUpdate_material (snd pair))
        (paper_session_PreparedUpdate_random_index_shares (snd pair))) pairs).
    { apply Forall_forall. intros [query item] hin. apply in_combine_r in hin. rewrite Forall_forall in hu.
      exact (hu _ hin). }
    destruct (fold pairs (paper_session_Session_state session) [] hp ready) as [ready' a]. cbv zeta in a.
    assert (em : map fst pairs = queries) by (apply map_fst_combine; lia). rewrite em in a.
    assert (en : map (fun _ => None) pairs = map (fun _ => @None u64) queries) by (rewrite <- em, map_map; reflexivity).
    rewrite en in a. destruct (fold_left F pairs (paper_session_Session_state session, [])) as [state' outcomes].
    cbn [fst] in *.
    split; [|split; [reflexivity | exact a]].
    repeat split; try assumption; try apply ready'.
    - apply (forall_skip _ _ (repr 64 0)), hr.
    - apply (forall_skip _ _ (len queries)), hu.
    - change (length (skip (paper_session_Session_reads session) (repr 64 0)) = r).
      rewrite skip_length. change (nat_of (repr 64 0)) with 0%nat. lia.
    - change (length (skip (paper_session_Session_updates session) (len queries)) = (u - length queries)%nat).
      rewrite skip_length, nat_of_len by assumption. congruence.
  Qed.

  (* WRITE: the results open to the word that was there, and then the new word is there. *)
  Theorem write_answers_ideal_ram (r u : nat) session (query : paper_session_UpdateQuery) :
    session_ready r u session -> (1 <= r)%nat -> (1 <= u)%nat ->
    let step := paper_session_write session query in
    session_ready (r - 1) (u - 1) (paper_session_Step_session step) /\
    ideal_session_step n (paper_memory_opened (paper_session_Session_state session)) (step_write query)
    = (paper_memory_opened (paper_session_Session_state (paper_session_Step_session step)), map opened_pair (paper_session_Step_results step)).
  Proof.
    intros ready hr hu. cbv zeta. unfold paper_session_write.
    destruct (reads_answer_ideal r u session [paper_session_UpdateQuery_address query] ready eq_refl hr) as (ready' & e & a).
    set (first_1 := paper_session_reads session [paper_session_UpdateQuery_address query]) in *. clearbody first_1.
    cbn [length] in ready'. cbv zeta. destruct (paper_session_UpdateQuery_value query) as [m_0 m_1] eqn:value.
    destruct (paper_session_Step_results first_1) as [|[read_0 read_1] [|? ?]] eqn:results; try discriminate a.
    cbn [first hd_error map] in *. injection a as a.
    set (query' := mk_paper_session_UpdateQuery (paper_session_UpdateQuery_address query) (wsub m_0 read_0, wsub m_1 read_1)).
    destruct (updates_answer_ideal _ u (paper_session_Step_session first_1) [query'] ready' eq_refl hu) as (ready'' & _ & b).
    set (second := paper_session_updates (paper_session_Step_session first_1) [query']) in *. clearbody second.
    cbn [paper_session_Step_session paper_session_Step_results map]. split; [exact ready''|].
    rewrite e in b. cbn [operations map run ideal_step query' paper_session_UpdateQuery_address paper_session_UpdateQuery_value] in b.
    injection b as b. unfold ideal_session_step. cbn [operations run ideal_step]. rewrite value.
    cbn [words_of flat_map app].
    rewrite <- a, <- b. f_equal. f_equal. rewrite <- a. unfold opened_pair. cbn. ring.
  Qed.

  (* Preprocessing: the batch adds material that is ready, and leaves the memory alone. *)
  Theorem preprocess_makes_ready (r u : nat) session (reads updates : u64) :
    session_ready r u session -> val reads + val updates < 2 ^ 64 ->
    let step := paper_session_preprocess session reads updates in
    session_ready (r + nat_of reads) (u + nat_of updates) (paper_session_Step_session step) /\
    paper_session_Session_state (paper_session_Step_session step) = paper_session_Session_state session /\ paper_session_Step_results step = [].
  Proof.
    intros (e & ready & hr & hu & lr & lu) small. cbv zeta. split; [|split; reflexivity].
    unfold paper_session_preprocess. cbv zeta.
    match goal with |- context [map (fun '(item, _) => item) ?l] => set (prepared := l) end.
    set (items := map (fun '(item, _) => item) prepared). set (count := wadd reads updates) in *.
    match goal with |- context [combine (skip items reads) ?l] => set (pairs := l) end.
    pose proof (val_bounds reads) as br. pose proof (val_bounds updates) as bu.
    assert (vc : val count = val reads + val updates) by (unfold count; rewrite val_wadd; apply Z.mod_small; lia).
    pose proof (Z_nat_of reads) as zr. pose proof (Z_nat_of updates) as zu. pose proof (Z_nat_of count) as zc.
    assert (li : length items = nat_of count).
    { unfold items, prepared. rewrite map_length. apply map_range_0_length. }
    assert (lp : length pairs = nat_of updates) by (unfold pairs; rewrite map_length, range_length; lia).
    assert (each : forall item, In item items -> exists p0 p1 t_1 t_2 t_3,
      item = paper_preprocessing_prepare (paper_session_Session_prg session) h p0 p1 (t_1, t_2, t_3) /\ dealt h t_1 /\ dealt h t_2 /\
        dealt h t_3).
    { intros item hi. unfold items, prepared in hi. rewrite map_map in hi. apply in_map_iff in hi as (j & <- & _).
      unfold paper_session_prepare_item. cbv zeta. rewrite e. do 5 eexists. split; [reflexivity|].
      split; [|split]; apply tape_triples_are_dealt. }
    clearbody items pairs prepared.
    repeat split; cbn [paper_session_Step_session paper_session_Session_log_size paper_session_Session_state paper_session_Session_reads
      paper_session_Session_updates]; try assumption; try apply ready; rewrite ?concat_pair.
    - apply Forall_app. split; [assumption|]. apply Forall_forall. intros x hx.
      apply in_map_iff in hx as (item & <- & hi).
      apply in_take, each in hi as (p0 & p1 & t_1 & t_2 & t_3 & -> & d_1 & d_2 & d_3).
      apply (prepared_read_ready _ h n); assumption.
    - apply Forall_app. split; [assumption|]. apply Forall_forall. intros x hx.
      apply in_map_iff in hx as ([item [delta_2 delta_3]] & <- & hi). apply in_combine_l, in_skip, each in hi
        as (p0 & p1 & t_1 & t_2 & t_3 & -> & d_1 & d_2 & d_3).
      apply (prepared_update_ready _ h n); assumption.
    - rewrite app_length, map_length, take_firstn, firstn_length, li. lia.
    - rewrite app_length, map_length, combine_length, skip_length, li, lp. lia.
  Qed.

  (* A load: the memory is what the loaded shares open to. *)
  Theorem load_makes_ready (r u : nat) session (memory_share_0 memory_share_1 : list u64) :
    session_ready r u session -> sized n memory_share_0 -> sized n memory_share_1 ->
    let step := paper_session_load session memory_share_0 memory_share_1 in
    session_ready r u (paper_session_Step_session step) /\
    paper_memory_opened (paper_session_Session_state (paper_session_Step_session step)) = vector_add memory_share_0 memory_share_1 /\
    paper_session_Step_results step = [].
  Proof.
    intros (e & _ & hr & hu & lr & lu) h_0 h_1. cbv zeta. unfold paper_session_load. cbv zeta.
    rewrite (sized_len n) by assumption.
    match goal with |- context [paper_memory_shared memory_share_0 memory_share_1 ?x ?y] =>
      destruct (shared_ready n memory_share_0 memory_share_1 x y h_0 h_1 (map_range_0_length _ _) (map_range_0_length _
        _))
        as [ready opened] end.
    split; [|split; [exact opened | reflexivity]]. repeat split; try assumption; apply ready.
  Qed.
End Session.
