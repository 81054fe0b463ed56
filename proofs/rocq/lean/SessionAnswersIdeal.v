(* A lean session of the three parties, as the Rust module `lean::session` runs it from `connect` on, answers as the ideal RAM
   does, and keeps its invariants: any sequence of loads, preparing in batches, READs (any number a step), UPDATEs, WRITEs and
   SWAPs for which enough items are prepared; whatever the three tapes and the pairs' streams hold. *)
From Coq Require Import Lia.
From Duoram.lean Require Export SessionPreparing.
From Duoram.Generated Require Import All.

Section Steps.
  Context (W : Type) {W_Ring : ring_Ring W}.

  Inductive lean_step : Type :=
    | lean_step_load (memory_share_0 memory_share_1 : list W)
    | lean_step_preprocess (reads updates : u64)
    | lean_step_reads (addresses : list (u64 * u64))
    | lean_step_updates (queries : list (lean_online_Query W * lean_online_Query W))
    | lean_step_write (query : lean_online_Query W * lean_online_Query W)
    | lean_step_swap (query : lean_online_Query W * lean_online_Query W).
End Steps.
Arguments lean_step_load {W} _ _.
Arguments lean_step_preprocess {W} _ _.
Arguments lean_step_reads {W} _.
Arguments lean_step_updates {W} _.
Arguments lean_step_write {W} _.
Arguments lean_step_swap {W} _.

Section Session.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Boolean : BooleanRing W}.
  Context {P : Type} {P_Prg : prg_Prg P} {P_Layers : lean_layers_Layers P}.
  Context (h : u64) (h_small : val h < 64).
  Notation n := (lean_party_size h).

  Definition take_lean_step (session : lean_session_Session W P) (step : lean_step W) : lean_session_Step W P :=
    match step with
    | lean_step_load d_0 d_1 => lean_session_load session d_0 d_1
    | lean_step_preprocess reads updates => lean_session_preprocess session reads updates
    | lean_step_reads addresses => lean_session_reads session addresses
    | lean_step_updates queries => lean_session_updates session queries
    | lean_step_write query => lean_session_write session query
    | lean_step_swap query => lean_session_swap session query
    end.

  (* What the ideal RAM does in a step: the memory after it, and the words that it answers. Addresses count mod n. *)
  Definition ideal_lean_step (memory : list W) (step : lean_step W) : list W * list W :=
    match step with
    | lean_step_load d_0 d_1 => (vector_add d_0 d_1, [])
    | lean_step_preprocess _ _ => (memory, [])
    | lean_step_reads addresses => (memory, map (fun address => ideal_get memory (target h address)) addresses)
    | lean_step_updates queries => (ideal_updates h memory queries, [])
    | lean_step_write query => (ideal_set memory (target h (query_address query)) (query_value query), [])
    | lean_step_swap query => (ideal_set memory (target h (query_address query)) (query_value query),
        [ideal_get memory (target h (query_address query))])
    end.

  (* With r items for READs and u for UPDATEs, there is one for each query; a load has at most n words, of which the memory is then. *)
  Fixpoint lean_scheduled (r u : nat) (steps : list (lean_step W)) : Prop :=
    match steps with
    | [] => True
    | lean_step_load d_0 d_1 :: steps =>
        length d_1 = length d_0 /\ (length d_0 <= nat_of n)%nat /\ lean_scheduled r u steps
    | lean_step_preprocess reads updates :: steps =>
        val reads + val updates < 2 ^ 63 /\ lean_scheduled (r + nat_of reads) (u + nat_of updates) steps
    | lean_step_reads addresses :: steps =>
        Z.of_nat (length addresses) < 2 ^ 64 /\ (length addresses <= r)%nat /\ lean_scheduled (r - length addresses) u steps
    | lean_step_updates queries :: steps =>
        (length queries <= u)%nat /\ lean_scheduled r (u - length queries) steps
    | lean_step_write _ :: steps | lean_step_swap _ :: steps => (1 <= u)%nat /\ lean_scheduled r (u - 1) steps
    end.

  Lemma load_sizes (d_0 d_1 : list W) : length d_1 = length d_0 -> (length d_0 <= nat_of n)%nat ->
    sized (len d_0) d_0 /\ sized (len d_0) d_1 /\ at_most (len d_0) n.
  Proof.
    intros same few. pose proof (nat_of_bound n). assert (s : sized (len d_0) d_0) by (apply sized_of_len; lia).
    split; [exact s|]. split; [unfold sized in *; congruence|]. unfold sized in s. unfold at_most.
    pose proof (Z_nat_of n). pose proof (Z_nat_of (len d_0)). lia.
  Qed.

  Fixpoint lean_run (session : lean_session_Session W P) (steps : list (lean_step W)) :
    lean_session_Session W P * list (list (W * W)) :=
    match steps with
    | [] => (session, [])
    | step :: steps =>
        let done := take_lean_step session step in
        let '(session, results) := lean_run (lean_session_Step_session done) steps in
        (session, lean_session_Step_results done :: results)
    end.
  Fixpoint ideal_lean_run (memory : list W) (steps : list (lean_step W)) : list W * list (list W) :=
    match steps with
    | [] => (memory, [])
    | step :: steps =>
        let '(memory, answer) := ideal_lean_step memory step in
        let '(memory, answers) := ideal_lean_run memory steps in
        (memory, answer :: answers)
    end.

  Section Run.
    Context (prg : P) (pair_01 pair_02 pair_12 : lean_tape_PairStreams).
    Notation ready := (session_ready prg h pair_01 pair_02 pair_12).

    Theorem lean_step_answers_ideal held_reads held_updates session (step : lean_step W) (steps : list (lean_step W)) :
      ready held_reads held_updates session -> lean_scheduled (length held_reads) (length held_updates) (step :: steps) ->
      exists held_reads' held_updates',
        let done := take_lean_step session step in
        ready held_reads' held_updates' (lean_session_Step_session done) /\
        lean_scheduled (length held_reads') (length held_updates') steps /\
        ideal_lean_step (memory_of session) step
        = (memory_of (lean_session_Step_session done), map opened (lean_session_Step_results done)).
    Proof.
      intros r supply.
      destruct step as [d_0 d_1 | reads updates | addresses | queries | query | query]; cbn [lean_scheduled] in supply;
        cbn [take_lean_step ideal_lean_step].
      - destruct supply as (same & few & supply). destruct (load_sizes d_0 d_1 same few) as (h_0 & h_1 & fits).
        destruct (lean_load_makes_ready prg h _ _ _ _ _ _ (len d_0) d_0 d_1 r h_0 h_1 fits) as (r' & m & e).
        exists held_reads, held_updates. split; [exact r'|]. split; [exact supply|]. rewrite m, e. reflexivity.
      - destruct supply as (small & supply).
        destruct (lean_preprocess_makes_ready prg h h_small _ _ _ _ _ _ reads updates r small)
          as ((new_reads & new_updates & l_r & l_u & r') & s & e).
        exists (held_reads ++ new_reads), (held_updates ++ new_updates). split; [exact r'|].
        rewrite !app_length, l_r, l_u. split; [exact supply|]. rewrite e. unfold memory_of. rewrite s. reflexivity.
      - destruct supply as (small & enough & supply).
        destruct (lean_reads_answer_ideal prg h h_small _ _ _ _ _ _ addresses r small enough) as (r' & s & e).
        exists (skipn (length addresses) held_reads), held_updates. split; [exact r'|]. rewrite skipn_length. split; [exact supply|].
        rewrite e.
        replace (memory_of (lean_session_Step_session (lean_session_reads session addresses))) with (memory_of session)
          by (unfold memory_of; rewrite s; reflexivity).
        f_equal. apply map_ext. intros a. unfold ideal_get. rewrite cast_same. reflexivity.
      - destruct supply as (enough & supply).
        destruct (lean_updates_answer_ideal prg h h_small _ _ _ _ _ _ queries r enough) as (r' & m & e).
        exists held_reads, (skipn (length queries) held_updates). split; [exact r'|]. rewrite skipn_length. split; [exact supply|].
        rewrite m, e. reflexivity.
      - destruct supply as (enough & supply). destruct held_updates as [|x held_updates]; [cbn in enough; lia|].
        destruct (lean_put_answers_ideal prg h h_small _ _ _ _ _ _ _ query false r) as (r' & m & e).
        exists held_reads, held_updates. split; [exact r'|]. cbn [length] in supply. rewrite Nat.sub_succ, Nat.sub_0_r in supply.
        split; [exact supply|]. unfold lean_session_write. rewrite m, e. reflexivity.
      - destruct supply as (enough & supply). destruct held_updates as [|x held_updates]; [cbn in enough; lia|].
        destruct (lean_put_answers_ideal prg h h_small _ _ _ _ _ _ _ query true r) as (r' & m & e).
        exists held_reads, held_updates. split; [exact r'|]. cbn [length] in supply. rewrite Nat.sub_succ, Nat.sub_0_r in supply.
        split; [exact supply|]. unfold lean_session_swap. rewrite m, e. reflexivity.
    Qed.

    (* From any session that is ready: the results of all steps open to what the ideal RAM answers, the memory is the ideal one
       in both sharings, and A is the same at P0 and P2; every beginning of a schedule being one, throughout. *)
    Theorem lean_session_answers_ideal (steps : list (lean_step W)) : forall held_reads held_updates session,
      ready held_reads held_updates session -> lean_scheduled (length held_reads) (length held_updates) steps ->
      let '(session', results) := lean_run session steps in
      ideal_lean_run (memory_of session) steps = (memory_of session', map (map opened) results) /\
      lean_lemmas_states_agree (lean_session_state session') = true.
    Proof.
      induction steps as [|step steps IH]; intros held_reads held_updates session r supply.
      - cbn. split; [reflexivity|]. destruct (ready_memory _ _ _ _ _ _ _ _ r) as (m & _ & _ & agree). exact agree.
      - destruct (lean_step_answers_ideal _ _ _ step steps r supply) as (rs & us & r' & supply' & a).
        specialize (IH rs us _ r' supply'). cbn [lean_run ideal_lean_run]. rewrite a.
        destruct (lean_run (lean_session_Step_session (take_lean_step session step)) steps) as [session' results].
        destruct IH as [b agree]. rewrite b. split; [reflexivity | exact agree].
    Qed.

    (* From the start, with a memory of m <= n zeros, under any PRG. *)
    Theorem lean_session_from_the_start (m : u64) (tapes : list u64 * list u64 * list u64) (steps : list (lean_step W)) :
      at_most m n -> lean_scheduled 0 0 steps ->
      let '(session, results) := lean_run (lean_session_started W h m prg tapes (mk_lean_session_Streams pair_01 pair_02 pair_12)) steps in
      ideal_lean_run (vector_zeros W m) steps = (memory_of session, map (map opened) results) /\
      lean_lemmas_states_agree (lean_session_state session) = true.
    Proof.
      intros fits supply. destruct (initial_opens_to_zeros (W := W) m) as [_ zeros]. rewrite <- zeros.
      destruct tapes as [[tape_0 tape_1] tape_2].
      apply (lean_session_answers_ideal steps [] []
        (lean_session_started W h m prg (tape_0, tape_1, tape_2) (mk_lean_session_Streams pair_01 pair_02 pair_12))); [|exact supply].
      constructor; try reflexivity; try constructor. apply zeros_ready, fits.
    Qed.
  End Run.
End Session.

(* The whole lean protocol: three parties connect, with any random words on their tapes and any words in the streams that each
   pair has in common, to serve a memory of m words at n = 2^h addresses, m <= n and h < 64, all zero at first, and take any steps for
   which they have prepared items; where there is no word, nothing is put and zero is read. All READs and SWAPs answer what
   the ideal RAM answers, the memory is the ideal one in both sharings, and A is the same at P0 and P2. The PRG is AES under the key
   that they agree on; that its outputs look random plays no part. *)
Theorem lean_parties_from_connect_on (h m : u64) (tapes : list u64 * list u64 * list u64) (streams : lean_session_Streams)
  (steps : list (lean_step ring_XorWord)) : val h < 64 -> at_most m (lean_party_size h) -> lean_scheduled h 0 0 steps ->
  let '(session, results) := lean_run (lean_session_Step_session (lean_session_connect ring_XorWord h m tapes streams)) steps in
  ideal_lean_run h (vector_zeros ring_XorWord m) steps = (memory_of session, map (map opened) results) /\
  lean_lemmas_states_agree (lean_session_state session) = true.
Proof.
  intros hh fits supply. destruct tapes as [[tape_0 tape_1] tape_2], streams as [pair_01 pair_02 pair_12].
  exact (lean_session_from_the_start h hh _ pair_01 pair_02 pair_12 m (tape_0, tape_1, tape_2) steps fits supply).
Qed.
