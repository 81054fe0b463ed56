(* A session of the three parties, as the Rust module `session` runs it from `connect` on, answers as the ideal RAM does,
   whatever random words the three tapes hold: any sequence of loads, preprocessing, READs, UPDATEs and WRITEs for which
   enough material is prepared [duoram, sections 3.1, 4.1, 4.2; Lemmas 1, 2, 3, 5; App. C, D]. *)
From Coq Require Import Lia.
From Duoram.paper Require Import PremiseFacts WholeSession SessionSteps.
From Duoram.Generated Require Import All.

Section Session.
  Context (h n : u64) (h_below_64 : val h < 64) (size : val n = 2 ^ val h).

  (* From any session that is ready: the results of all steps open to what the ideal RAM answers, and so does the memory
     at the end; the blinds fit at the end (Lemma 3), and, every beginning of a schedule being one, throughout. *)
  Theorem session_answers_ideal (steps : list session_step) (r u : nat) session :
    session_ready h n r u session -> scheduled n r u steps ->
    let '(session', results) := run session_run_step session steps in
    run (ideal_session_step n) (paper_memory_opened (paper_session_Session_state session)) steps
      = (paper_memory_opened (paper_session_Session_state session'), map (map opened_pair) results) /\
    paper_lemmas_lemma_3 (paper_session_Session_state session') = true.
  Proof.
    revert r u session. induction steps as [|step steps IH]; intros r u session ready supply.
    - cbn. split; [reflexivity | apply ready].
    - assert (one : exists r' u', session_ready h n r' u' (paper_session_Step_session (take_step session step)) /\
        scheduled n r' u' steps /\
        ideal_session_step n (paper_memory_opened (paper_session_Session_state session)) step
        = (paper_memory_opened (paper_session_Session_state (paper_session_Step_session (take_step session step))),
           map opened_pair (paper_session_Step_results (take_step session step)))).
      { destruct step as [d_0 d_1 | reads updates | addresses | queries | query]; cbn [scheduled take_step] in *.
        - destruct supply as (h_0 & h_1 & supply).
          destruct (load_makes_ready h n r u session d_0 d_1 ready h_0 h_1) as (ready' & a & b).
          do 2 eexists. split; [exact ready'|]. split; [exact supply|]. rewrite a, b. reflexivity.
        - destruct supply as (small & supply).
          destruct (preprocess_makes_ready h n h_below_64 size r u session reads updates ready small) as (ready' & a & b).
          do 2 eexists. split; [exact ready'|]. split; [exact supply|]. rewrite a, b. reflexivity.
        - destruct supply as (small & enough & supply).
          destruct (reads_answer_ideal h n h_below_64 size r u session addresses ready small enough) as (ready' & a & b).
          do 2 eexists. split; [exact ready'|]. split; [exact supply|]. rewrite a, b. apply reads_of_ideal.
        - destruct supply as (small & enough & supply).
          destruct (updates_answer_ideal h n h_below_64 size r u session queries ready small enough) as (ready' & a & b).
          do 2 eexists. split; [exact ready'|]. split; [exact supply|]. unfold ideal_session_step. rewrite a, b.
          rewrite words_of_none. reflexivity.
        - destruct supply as (hr & hu & supply).
          destruct (write_answers_ideal_ram h n h_below_64 size r u session query ready hr hu) as (ready' & a).
          do 2 eexists. split; [exact ready'|]. split; [exact supply | exact a]. }
      destruct one as (r' & u' & ready' & supply' & a). specialize (IH r' u' _ ready' supply').
      cbn [run]. rewrite a. unfold session_run_step at 1.
      destruct (run session_run_step (paper_session_Step_session (take_step session step)) steps) as [session' results].
      destruct IH as [b l]. rewrite b. split; [reflexivity | exact l].
  Qed.
End Session.

(** * From connect on *)

Lemma connected_size (h : u64) : val h < 64 -> val (wshl (repr 64 1) (cast 32 h)) = 2 ^ val h.
Proof.
  intros hh. pose proof (val_bounds h). assert (e : val (cast 32 h) = val h) by (rewrite val_cast; apply Z.mod_small;
    lia).
  rewrite val_wshl by lia. rewrite e, val_repr_small, Z.mul_1_l by lia. apply Z.mod_small.
  split; [apply Z.pow_nonneg; lia | apply Z.pow_lt_mono_r; lia].
Qed.

(* The whole [duoram]: three parties connect, with any random words on their tapes, to serve a memory of n = 2^h words,
   h < 64, all zero at first, and take any steps for which they have prepared material.
   All READs and WRITEs answer what the
   ideal RAM answers, the memory is the ideal one, and the blinds fit.
   The PRG is AES under the key that they agree on; that
   its outputs look random plays no part. *)
Theorem three_parties_from_connect_on (h : u64) (words_0 words_1 words_2 : list u64) (steps : list session_step) :
  val h < 64 ->
  let n := wshl (repr 64 1) (cast 32 h) in
  scheduled n 0 0 steps ->
  let '(session, results) := run session_run_step (paper_session_Step_session (paper_session_connect h words_0 words_1 words_2)) steps
    in
  run (ideal_session_step n) (vector_zeros u64 n) steps
    = (paper_memory_opened (paper_session_Session_state session), map (map opened_pair) results) /\
  paper_lemmas_lemma_3 (paper_session_Session_state session) = true.
Proof.
  intros hh n supply. pose proof (connected_size h hh) as size. destruct (initial_ready (W := u64) n) as [ready zeros].
  rewrite <- zeros.
  apply (session_answers_ideal h n hh size steps 0 0 (paper_session_Step_session (paper_session_connect h words_0 words_1 words_2)));
    [|assumption].
  repeat split; try constructor; apply ready.
Qed.
