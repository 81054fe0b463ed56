(* Locality of a whole session of the lean protocol. The Rust module `session` runs the three parties at once; `party_turn` has each
   party's whole step as one function of its own state, its own inputs, the step's number and the messages to it. Here: from connect on,
   for any schedule, each party by itself, step after step from the messages to it, has the state that it has in the session, says what
   it says there, in bytes, and has its shares of the results. So "what b received" is a defined thing, and all that b does is computed
   from it, from b's own tape and inputs and from the streams that b has with the others.
   The premises are those of SessionAnswersIdeal.v (h < 64, enough items for each step, loads of at most n words) and sizes that a frame cannot
   exceed anyway: fewer than 2^32 items in a batch, fewer than 2^56 words in a load, fewer than 2^56 queries in a step. *)
From Coq Require Import Lia.
From Duoram.core Require Import VectorFacts.
From Duoram.lean Require Import SessionAnswersIdeal PayloadRoundTrip PartyTurns PreparingTurns.
From Duoram.Generated Require Import All.

(* A party on its own, step after step: from its tasks and from what it is sent in each step to what it says and its results. *)
Section Alone.
  Context {T Task W : Type} (turn : T -> u64 -> Task -> list lean_session_Sent -> lean_prepare_turn_Turn T W).

  Fixpoint run_alone (party : T) (operation : u64) (steps : list (Task * list lean_session_Sent)) : T * list (list lean_session_Sent * list W) :=
    match steps with
    | [] => (party, [])
    | (task, inbox) :: steps =>
        let done := turn party operation task inbox in
        let '(party, others) := run_alone (lean_prepare_turn_Turn_party done) (wadd operation (repr 64 1)) steps in
        (party, (lean_prepare_turn_Turn_sent done, lean_prepare_turn_Turn_results done) :: others)
    end.
End Alone.

Section Session.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Boolean : BooleanRing W}.
  Context {P : Type} {P_Prg : prg_Prg P} {P_Layers : lean_layers_Layers P}.
  Context (h : u64) (h_small : val h < 64).

  (* What a step asks of each party, with its own shares: [mine] is the first or the second of a pair. *)
  Definition task_of (mine : forall A : Type, A * A -> A) (step : lean_step W) : lean_party_turn_PrimaryTask W :=
    match step with
    | lean_step_load d_0 d_1 => lean_party_turn_PrimaryTask_Load (mine _ (d_0, d_1))
    | lean_step_preprocess reads updates => lean_party_turn_PrimaryTask_Preprocess reads updates
    | lean_step_reads addresses => lean_party_turn_PrimaryTask_Reads (map (mine _) addresses)
    | lean_step_updates queries => lean_party_turn_PrimaryTask_Updates (map (mine _) queries)
    | lean_step_write query => lean_party_turn_PrimaryTask_Put (mine _ query) false
    | lean_step_swap query => lean_party_turn_PrimaryTask_Put (mine _ query) true
    end.
  Definition task_0 : lean_step W -> lean_party_turn_PrimaryTask W := task_of (fun A => @fst A A).
  Definition task_1 : lean_step W -> lean_party_turn_PrimaryTask W := task_of (fun A => @snd A A).
  Definition task_2 (step : lean_step W) : lean_party_turn_HelperTask :=
    match step with
    | lean_step_load _ _ => lean_party_turn_HelperTask_Load
    | lean_step_preprocess reads updates => lean_party_turn_HelperTask_Preprocess reads updates
    | lean_step_reads addresses => lean_party_turn_HelperTask_Reads (len addresses)
    | lean_step_updates queries => lean_party_turn_HelperTask_Updates (len queries)
    | lean_step_write _ => lean_party_turn_HelperTask_Put false
    | lean_step_swap _ => lean_party_turn_HelperTask_Put true
    end.

  (* No message of the step is too long for its own counts. *)
  Definition small_lean_step (step : lean_step W) : Prop :=
    match step with
    | lean_step_load d_0 d_1 => fits d_0 /\ fits d_1
    | lean_step_preprocess reads updates => val reads + val updates < 2 ^ 32
    | lean_step_reads addresses => fits addresses
    | lean_step_updates queries => fits queries
    | lean_step_write _ | lean_step_swap _ => True
    end.

  (* All messages of all steps. *)
  Fixpoint lean_transcript (session : lean_session_Session W P) (steps : list (lean_step W)) : list (list lean_session_Sent) :=
    match steps with
    | [] => []
    | step :: steps =>
        let done := take_lean_step session step in
        lean_session_Step_sent done :: lean_transcript (lean_session_Step_session done) steps
    end.

  Section Run.
    Context (prg : P) (pair_01 pair_02 pair_12 : lean_tape_PairStreams).
    Notation ready := (session_ready prg h pair_01 pair_02 pair_12).

    Theorem lean_step_turns held_reads held_updates session (step : lean_step W) (steps : list (lean_step W)) :
      ready held_reads held_updates session -> lean_scheduled h (length held_reads) (length held_updates) (step :: steps) -> small_lean_step step ->
      each_takes_its_turn session (take_lean_step session step) (task_0 step) (task_1 step) (task_2 step) /\
      lean_session_Session_operation (lean_session_Step_session (take_lean_step session step))
      = wadd (lean_session_Session_operation session) (repr 64 1).
    Proof.
      intros r supply small.
      destruct step as [d_0 d_1 | reads updates | addresses | queries | query | query]; cbn [lean_scheduled small_lean_step] in *;
        unfold task_0, task_1; cbn [take_lean_step task_of task_2].
      - split; [apply lean_load_turns; apply small|]. unfold lean_session_load. cbv zeta.
        destruct (lean_party_load_0 _ d_0), (lean_party_load_1 _ d_1). reflexivity.
      - split; [exact (lean_preprocess_turns prg h h_small pair_01 pair_02 pair_12 session reads updates small held_reads held_updates r) | reflexivity].
      - destruct supply as (_ & enough & _).
        split; [exact (lean_reads_turns prg h h_small pair_01 pair_02 pair_12 held_reads held_updates session addresses r small enough)|].
        unfold lean_session_reads. cbv zeta. destruct (lean_online_reads_2 _ _ _), (lean_online_reads_0 _ _ _ _), (lean_online_reads_1 _ _ _). reflexivity.
      - destruct supply as (enough & _).
        split; [exact (lean_updates_turns prg h h_small pair_01 pair_02 pair_12 held_reads held_updates session queries r small enough) | reflexivity].
      - destruct supply as (enough & _). destruct held_updates as [|x held_updates]; [cbn in enough; lia|]. unfold lean_session_write.
        split; [exact (lean_put_turns prg h h_small pair_01 pair_02 pair_12 held_reads x held_updates session query false r)|].
        destruct query. unfold lean_session_put. rewrite (ready_updates_0 _ _ _ _ _ _ _ _ r), (ready_updates_1 _ _ _ _ _ _ _ _ r), (ready_updates_2 _ _ _ _ _ _ _ _ r).
        reflexivity.
      - destruct supply as (enough & _). destruct held_updates as [|x held_updates]; [cbn in enough; lia|]. unfold lean_session_swap.
        split; [exact (lean_put_turns prg h h_small pair_01 pair_02 pair_12 held_reads x held_updates session query true r)|].
        destruct query. unfold lean_session_put. rewrite (ready_updates_0 _ _ _ _ _ _ _ _ r), (ready_updates_1 _ _ _ _ _ _ _ _ r), (ready_updates_2 _ _ _ _ _ _ _ _ r).
        reflexivity.
    Qed.

    Notation alone turn party operation steps tasks number transcript :=
      (run_alone turn party operation (combine (map tasks steps) (map (fun sent => lean_delivery_inbox sent (repr 8 number)) transcript))).
    Notation told mine number transcript results :=
      (combine (map (said_by (repr 8 number)) transcript) (map (map mine) results)).

    Theorem lean_parties_are_local (steps : list (lean_step W)) : forall held_reads held_updates session,
      ready held_reads held_updates session -> lean_scheduled h (length held_reads) (length held_updates) steps -> Forall small_lean_step steps ->
      let '(session', results) := lean_run session steps in
      let transcript := lean_transcript session steps in
      let operation := lean_session_Session_operation session in
      alone lean_party_turn_turn_0 (lean_session_Session_p0 session) operation steps task_0 0 transcript
        = (lean_session_Session_p0 session', told fst 0 transcript results) /\
      alone lean_party_turn_turn_1 (lean_session_Session_p1 session) operation steps task_1 1 transcript
        = (lean_session_Session_p1 session', told snd 1 transcript results) /\
      alone lean_party_turn_turn_2 (lean_session_Session_p2 session) operation steps task_2 2 transcript
        = (lean_session_Session_p2 session', combine (map (said_by (repr 8 2)) transcript) (map (fun _ => []) results)).
    Proof.
      induction steps as [|step steps IH]; intros held_reads held_updates session r supply small.
      - cbn. repeat split.
      - inversion_clear small as [|? ? one others].
        destruct (lean_step_turns _ _ _ step steps r supply one) as [[turn_0 turn_1 turn_2] next].
        destruct (lean_step_answers_ideal h h_small prg pair_01 pair_02 pair_12 _ _ _ step steps r supply) as (rs & us & r' & supply' & _).
        specialize (IH rs us _ r' supply' others). cbn [lean_run lean_transcript] in *.
        destruct (lean_run (lean_session_Step_session (take_lean_step session step)) steps) as [session' results].
        cbv zeta in *. cbn [map combine run_alone]. rewrite turn_0, turn_1, turn_2.
        cbn [lean_prepare_turn_Turn_party lean_prepare_turn_Turn_sent lean_prepare_turn_Turn_results]. rewrite next in IH.
        destruct IH as (IH_0 & IH_1 & IH_2). rewrite IH_0, IH_1, IH_2. repeat split.
    Qed.
  End Run.
End Session.

(* The whole lean protocol: three parties connect, with any random words on their tapes and any words in the streams that each pair has in
   common, and take any steps for which they have prepared items. Each party, from its own words, streams and inputs and from the
   messages to it, says what it says in the session and ends as it ends there. *)
Theorem lean_parties_are_local_from_connect_on (h m : u64) (words_0 words_1 words_2 : list u64) (streams : lean_session_Streams)
  (steps : list (lean_step ring_XorWord)) : val h < 64 -> at_most m (lean_party_size h) -> lean_scheduled h 0 0 steps -> Forall small_lean_step steps ->
  let connected := lean_session_connect ring_XorWord h m (words_0, words_1, words_2) streams in
  let hellos := lean_session_Step_sent connected in
  let pair_01 := lean_session_Streams_pair_01 streams in
  let pair_02 := lean_session_Streams_pair_02 streams in
  let pair_12 := lean_session_Streams_pair_12 streams in
  let prg number words := lean_delivery_session_prg number m words (lean_delivery_inbox hellos number) in
  let '(session, results) := lean_run (lean_session_Step_session connected) steps in
  let transcript := lean_transcript (lean_session_Step_session connected) steps in
  let inboxes number := map (fun sent => lean_delivery_inbox sent number) transcript in
  (said_by (repr 8 0) hellos = lean_delivery_say_hello (repr 8 0) m words_0 /\
   run_alone lean_party_turn_turn_0 (lean_party_connected_0 ring_XorWord h m (prg (repr 8 0) words_0) words_0 pair_01 pair_02) (repr 64 1)
     (combine (map task_0 steps) (inboxes (repr 8 0)))
   = (lean_session_Session_p0 session, combine (map (said_by (repr 8 0)) transcript) (map (map fst) results))) /\
  (said_by (repr 8 1) hellos = lean_delivery_say_hello (repr 8 1) m words_1 /\
   run_alone lean_party_turn_turn_1 (lean_party_connected_1 ring_XorWord h m (prg (repr 8 1) words_1) words_1 pair_01 pair_12) (repr 64 1)
     (combine (map task_1 steps) (inboxes (repr 8 1)))
   = (lean_session_Session_p1 session, combine (map (said_by (repr 8 1)) transcript) (map (map snd) results))) /\
  (said_by (repr 8 2) hellos = lean_delivery_say_hello (repr 8 2) m words_2 /\
   run_alone lean_party_turn_turn_2 (lean_party_connected_2 ring_XorWord h m (prg (repr 8 2) words_2) words_2 pair_02 pair_12) (repr 64 1)
     (combine (map task_2 steps) (inboxes (repr 8 2)))
   = (lean_session_Session_p2 session, combine (map (said_by (repr 8 2)) transcript) (map (fun _ => []) results))).
Proof.
  intros hh fits supply small connected hellos pair_01 pair_02 pair_12 prg.
  destruct (lean_connect_is_each_partys (W := ring_XorWord) h m words_0 words_1 words_2 streams) as [(s_0 & s_1 & s_2) start].
  fold connected in s_0, s_1, s_2, start. fold hellos pair_01 pair_02 pair_12 in s_0, s_1, s_2, start.
  assert (r : exists any_prg, session_ready any_prg h pair_01 pair_02 pair_12 [] [] (lean_session_Step_session connected)).
  { eexists. unfold connected, pair_01, pair_02, pair_12. destruct streams. cbn.
    constructor; try reflexivity; try constructor. apply zeros_ready, fits. }
  destruct r as [any_prg r].
  pose proof (lean_parties_are_local h hh any_prg pair_01 pair_02 pair_12 steps [] [] _ r supply small) as local.
  destruct (lean_run (lean_session_Step_session connected) steps) as [session results]. cbv zeta in *.
  rewrite start in local |- *. cbn [lean_session_Session_p0 lean_session_Session_p1 lean_session_Session_p2 lean_session_Session_operation] in local.
  destruct local as (l_0 & l_1 & l_2). repeat split; assumption.
Qed.
