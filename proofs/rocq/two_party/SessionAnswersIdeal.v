(* A session of two parties, as the Rust module `two_party::session` runs it from `connect` on, answers as the ideal RAM does: any
   sequence of loads, preparing in batches, READs (any number a step), UPDATEs, WRITEs and SWAPs for which enough items are
   prepared; whatever the tapes hold, and whatever blocks the ideal OTs yield. *)
From Coq Require Import Lia.
From Duoram.core Require Import LemmasFacts.
From Duoram.two_party Require Export SessionPreparing.
From Duoram.Generated Require Import All.

Section Steps.
  Context (W : Type) {W_Ring : ring_Ring W}.

  Inductive two_party_step : Type :=
    | two_party_step_load (memory_share_0 memory_share_1 : list W)
    | two_party_step_preprocess (reads updates : u64) (ots : two_party_session_Ots)
    | two_party_step_reads (addresses : list (u64 * u64))
    | two_party_step_updates (queries : list (two_party_party_online_Query W * two_party_party_online_Query W))
    | two_party_step_write (query : two_party_party_online_Query W * two_party_party_online_Query W)
    | two_party_step_swap (query : two_party_party_online_Query W * two_party_party_online_Query W).
End Steps.
Arguments two_party_step_load {W} _ _.
Arguments two_party_step_preprocess {W} _ _ _.
Arguments two_party_step_reads {W} _.
Arguments two_party_step_updates {W} _.
Arguments two_party_step_write {W} _.
Arguments two_party_step_swap {W} _.

Section Session.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Laws : RingLaws W}.
  Context {P : Type} {P_Prg : prg_Prg P} {F : Type} {F_Prf : two_party_masks_Prf F}.
  Context (h : u64) (h_small : val h < 64).
  Notation n := (two_party_party_size h).
  Context (h_fits : val n <= 2 ^ Zpos (ring_bits W)).

  Definition take_two_party_step (session : two_party_session_Session W P F) (step : two_party_step W) : two_party_session_Step W P F :=
    match step with
    | two_party_step_load d_0 d_1 => two_party_session_load session d_0 d_1
    | two_party_step_preprocess reads updates ots => two_party_session_preprocess session reads updates ots
    | two_party_step_reads addresses => two_party_session_reads session addresses
    | two_party_step_updates queries => two_party_session_updates session queries
    | two_party_step_write query => two_party_session_write session query
    | two_party_step_swap query => two_party_session_swap session query
    end.

  (* What the ideal RAM does in a step: the memory after it, and the words that it answers. Addresses count mod n. *)
  Definition ideal_two_party_step (memory : list W) (step : two_party_step W) : list W * list W :=
    match step with
    | two_party_step_load d_0 d_1 => (vector_add d_0 d_1, [])
    | two_party_step_preprocess _ _ _ => (memory, [])
    | two_party_step_reads addresses => (memory, map (fun address => ideal_get memory (target h address)) addresses)
    | two_party_step_updates queries => (ideal_updates h memory queries, [])
    | two_party_step_write query => (ideal_set memory (target h (query_address query)) (query_value query), [])
    | two_party_step_swap query => (ideal_set memory (target h (query_address query)) (query_value query),
        [ideal_get memory (target h (query_address query))])
    end.

  (* With r items for READs and u for UPDATEs, there is one of each kind for each query that needs it; loads have the memory's
     size; a batch has h OTs for each item and direction. *)
  Fixpoint two_party_scheduled (r u : nat) (steps : list (two_party_step W)) : Prop :=
    match steps with
    | [] => True
    | two_party_step_load d_0 d_1 :: steps => sized n d_0 /\ sized n d_1 /\ two_party_scheduled r u steps
    | two_party_step_preprocess reads updates ots :: steps =>
        (val reads + val updates) * val h < 2 ^ 64 /\
        ((nat_of reads + nat_of updates) * nat_of h <= length (two_party_session_Ots_from_0 ots))%nat /\
        ((nat_of reads + nat_of updates) * nat_of h <= length (two_party_session_Ots_from_1 ots))%nat /\
        two_party_scheduled (r + nat_of reads) (u + nat_of updates) steps
    | two_party_step_reads addresses :: steps =>
        Z.of_nat (length addresses) < 2 ^ 64 /\ (length addresses <= r)%nat /\ two_party_scheduled (r - length addresses) u steps
    | two_party_step_updates queries :: steps =>
        Z.of_nat (length queries) < 2 ^ 64 /\ (length queries <= u)%nat /\ two_party_scheduled r (u - length queries) steps
    | two_party_step_write _ :: steps | two_party_step_swap _ :: steps =>
        (1 <= r)%nat /\ (1 <= u)%nat /\ two_party_scheduled (r - 1) (u - 1) steps
    end.

  Fixpoint two_party_run (session : two_party_session_Session W P F) (steps : list (two_party_step W)) :
    two_party_session_Session W P F * list (list (W * W)) :=
    match steps with
    | [] => (session, [])
    | step :: steps =>
        let done := take_two_party_step session step in
        let '(session, results) := two_party_run (two_party_session_Step_session done) steps in
        (session, two_party_session_Step_results done :: results)
    end.
  Fixpoint ideal_two_party_run (memory : list W) (steps : list (two_party_step W)) : list W * list (list W) :=
    match steps with
    | [] => (memory, [])
    | step :: steps =>
        let '(memory, answer) := ideal_two_party_step memory step in
        let '(memory, answers) := ideal_two_party_run memory steps in
        (memory, answer :: answers)
    end.

  Section Run.
    Context (prg : P) (prf : F).
    Notation ready := (session_ready (W := W) prg prf h).

    Theorem two_party_step_answers_ideal held_reads held_updates session (step : two_party_step W) (steps : list (two_party_step W)) :
      ready held_reads held_updates session -> two_party_scheduled (length held_reads) (length held_updates) (step :: steps) ->
      exists held_reads' held_updates',
        let done := take_two_party_step session step in
        ready held_reads' held_updates' (two_party_session_Step_session done) /\
        two_party_scheduled (length held_reads') (length held_updates') steps /\
        ideal_two_party_step (memory_of session) step
        = (memory_of (two_party_session_Step_session done), map opened (two_party_session_Step_results done)).
    Proof.
      intros r supply.
      destruct step as [d_0 d_1 | reads updates ots | addresses | queries | query | query]; cbn [two_party_scheduled] in supply;
        cbn [take_two_party_step ideal_two_party_step].
      - destruct supply as (h_0 & h_1 & supply).
        destruct (two_party_load_makes_ready prg prf h _ _ _ d_0 d_1 r h_0 h_1) as (r' & m & e).
        exists held_reads, held_updates. split; [exact r'|]. split; [exact supply|]. rewrite m, e. reflexivity.
      - destruct supply as (few & enough_0 & enough_1 & supply).
        destruct (two_party_preprocess_makes_ready prg prf h h_small _ _ _ reads updates ots r h_fits few enough_0 enough_1)
          as ((new_reads & new_updates & l_r & l_u & r') & m & e).
        exists (held_reads ++ new_reads), (held_updates ++ new_updates). split; [exact r'|].
        rewrite !app_length, l_r, l_u. split; [exact supply|]. rewrite m, e. reflexivity.
      - destruct supply as (small & enough & supply).
        destruct (two_party_reads_answer_ideal prg prf h h_small _ _ _ addresses r small enough) as (r' & m & e).
        exists (skipn (length addresses) held_reads), held_updates. split; [exact r'|]. rewrite skipn_length. split; [exact supply|].
        rewrite m, e. reflexivity.
      - destruct supply as (small & enough & supply).
        destruct (two_party_updates_answer_ideal prg prf h h_small _ _ _ queries r small enough) as (r' & m & e).
        exists held_reads, (skipn (length queries) held_updates). split; [exact r'|]. rewrite skipn_length. split; [exact supply|].
        rewrite m, e. reflexivity.
      - destruct supply as (enough_r & enough_u & supply).
        destruct held_reads as [|x held_reads]; [cbn in enough_r; lia|]. destruct held_updates as [|y held_updates]; [cbn in enough_u; lia|].
        destruct (two_party_swap_answers_ideal prg prf h h_small _ _ _ _ _ query r) as (r' & m & e).
        exists held_reads, held_updates. split; [exact r'|]. cbn [length] in supply. rewrite !Nat.sub_succ, !Nat.sub_0_r in supply.
        split; [exact supply|]. unfold two_party_session_write. cbv zeta. cbn [two_party_session_Step_session two_party_session_Step_results map].
        rewrite m. reflexivity.
      - destruct supply as (enough_r & enough_u & supply).
        destruct held_reads as [|x held_reads]; [cbn in enough_r; lia|]. destruct held_updates as [|y held_updates]; [cbn in enough_u; lia|].
        destruct (two_party_swap_answers_ideal prg prf h h_small _ _ _ _ _ query r) as (r' & m & e).
        exists held_reads, held_updates. split; [exact r'|]. cbn [length] in supply. rewrite !Nat.sub_succ, !Nat.sub_0_r in supply.
        split; [exact supply|]. rewrite m, e. reflexivity.
    Qed.

    (* From any session that is ready: the results of all steps open to what the ideal RAM answers, and the memory is the ideal one;
       every beginning of a schedule being one, throughout. *)
    Theorem two_party_session_answers_ideal (steps : list (two_party_step W)) : forall held_reads held_updates session,
      ready held_reads held_updates session -> two_party_scheduled (length held_reads) (length held_updates) steps ->
      let '(session', results) := two_party_run session steps in
      ideal_two_party_run (memory_of session) steps = (memory_of session', map (map opened) results).
    Proof.
      induction steps as [|step steps IH]; intros held_reads held_updates session r supply.
      - reflexivity.
      - destruct (two_party_step_answers_ideal _ _ _ step steps r supply) as (rs & us & r' & supply' & a).
        specialize (IH rs us _ r' supply'). cbn [two_party_run ideal_two_party_run]. rewrite a.
        destruct (two_party_run (two_party_session_Step_session (take_two_party_step session step)) steps) as [session' results].
        rewrite IH. reflexivity.
    Qed.

    (* From the start, with a memory of zeros, under any PRG and any PRF. *)
    Theorem two_party_session_from_the_start (words_0 words_1 : two_party_session_Words) (steps : list (two_party_step W)) :
      two_party_scheduled 0 0 steps ->
      let '(session, results) := two_party_run (two_party_session_started_session W h prg prf words_0 words_1) steps in
      ideal_two_party_run (vector_zeros W n) steps = (memory_of session, map (map opened) results).
    Proof.
      intros supply. pose proof (ring_theory_W W) as ring_W. 
      assert (zeros : memory_of (two_party_session_started_session W h prg prf words_0 words_1) = vector_zeros W n).
      { unfold memory_of. cbn. apply (sized_ext n); auto with sizes. intros k hk.
        rewrite (nth_add n), !nth_vector_zeros by auto with sizes. apply (Radd_0_l ring_W). }
      rewrite <- zeros.
      apply (two_party_session_answers_ideal steps [] []); [|exact supply].
      constructor; try reflexivity; try constructor; cbn; apply sized_zeros.
    Qed.
  End Run.
End Session.

(* The whole protocol of two parties: they connect, with any random words on their tapes, to serve a memory of n = 2^h words, h < 64,
   all zero at first, and take any steps for which they have prepared items, of any OTs. All READs and SWAPs answer what the ideal
   RAM answers, and the memory is the ideal one. PRG and PRF are AES; that their outputs look random plays no part. *)
Theorem two_parties_from_connect_on (h : u64) (words_0 words_1 : two_party_session_Words) (steps : list (two_party_step u64)) :
  val h < 64 -> two_party_scheduled h 0 0 steps ->
  let '(session, results) := two_party_run (two_party_session_Step_session (two_party_session_connect u64 h words_0 words_1)) steps in
  ideal_two_party_run h (vector_zeros u64 (two_party_party_size h)) steps = (memory_of session, map (map opened) results).
Proof.
  intros hh supply. pose proof (val_bounds (two_party_party_size h)).
  assert (fits : val (two_party_party_size h) <= 2 ^ Zpos (ring_bits u64)) by (cbn [ring_bits ring_laws_u64]; lia).
  exact (two_party_session_from_the_start h hh fits _ _ words_0 words_1 steps supply).
Qed.
