(* Locality of a whole session of the paper's protocol. The Rust module `session` runs the three parties at once; the modules
   `party`, `party_online` and `party_preprocessing` have the functions of one party each: from its own state, its own tape and
   what it was sent to its new state, what it sends and its results. `parties` puts these together and does nothing itself but
   hand each message, as bytes, to the party that it is for. Here: both are the same, from connect on, for any schedule: the
   states of all parties, every message of every step, every result.
   So "what b received" is a defined thing (the messages to b, in order), and all that b does is computed from it.
   The premises are those of SessionSteps.v (h < 64, enough material for each step, loads of n words) and sizes that a frame cannot
   exceed anyway: fewer than 2^32 items in a batch, fewer than 2^56 queries in a step. *)
From Coq Require Import Lia.
From Duoram.core Require Import VectorFacts.
From Duoram.paper Require Import PremiseFacts WholeSession SessionSteps SessionAnswersIdeal Delivery PartiesOnline
  PartiesPreprocessing.
From Duoram.Generated Require Import All.

(* A step, taken by the parties: each gets its own shares of the step's inputs. *)
Definition take_parties_step (parties : paper_parties_Parties prg_AesPrg) (step : session_step) :
  paper_parties_PartiesStep prg_AesPrg :=
  match step with
  | step_load memory_share_0 memory_share_1 => paper_parties_load parties memory_share_0 memory_share_1
  | step_preprocess reads updates => paper_parties_preprocess parties reads updates
  | step_reads addresses => paper_parties_reads parties (map fst addresses) (map snd addresses)
  | step_updates queries =>
      paper_parties_updates parties (map (query_of share_Primary_P0) queries) (map (query_of share_Primary_P1) queries)
  | step_write query => paper_parties_write parties (query_of share_Primary_P0 query) (query_of share_Primary_P1 query)
  end.

(* No message of the step is too long for its own offsets. *)
Definition small_step (step : session_step) : Prop :=
  match step with
  | step_load _ _ | step_write _ => True
  | step_preprocess reads updates => val reads + val updates < 2 ^ 32
  | step_reads addresses => fits addresses
  | step_updates queries => fits queries
  end.

(* What a step shows: its messages, and each primary's results. *)
Definition shown : Type := list paper_session_Sent * list u64 * list u64.
Definition session_shows (session : paper_session_Session) (step : session_step) : paper_session_Session * shown :=
  let taken := take_step session step in
  (paper_session_Step_session taken,
   (paper_session_Step_sent taken, map fst (paper_session_Step_results taken), map snd (paper_session_Step_results taken))).
Definition parties_show (parties : paper_parties_Parties prg_AesPrg) (step : session_step) :
  paper_parties_Parties prg_AesPrg * shown :=
  let taken := take_parties_step parties step in
  (paper_parties_PartiesStep_parties taken,
   (paper_parties_PartiesStep_sent taken, paper_parties_PartiesStep_results_0 taken, paper_parties_PartiesStep_results_1 taken)).

Section Session.
  Context (h n : u64) (h_below_64 : val h < 64) (size : val n = 2 ^ val h).

  (* A step leaves a session that is ready for the rest of the schedule. *)
  Lemma step_keeps_ready (r u : nat) session step steps :
    session_ready h n r u session -> scheduled n r u (step :: steps) ->
    exists r' u', session_ready h n r' u' (paper_session_Step_session (take_step session step)) /\ scheduled n r' u' steps.
  Proof.
    intros ready supply. destruct step as [d_0 d_1 | reads updates | addresses | queries | query]; cbn [scheduled take_step] in *.
    - destruct supply as (h_0 & h_1 & supply). do 2 eexists. split; [|exact supply].
      apply (load_makes_ready h n r u session d_0 d_1 ready h_0 h_1).
    - destruct supply as (small & supply). do 2 eexists. split; [|exact supply].
      apply (preprocess_makes_ready h n h_below_64 size r u session reads updates ready small).
    - destruct supply as (small & enough & supply). do 2 eexists. split; [|exact supply].
      apply (reads_answer_ideal h n h_below_64 size r u session addresses ready small enough).
    - destruct supply as (small & enough & supply). do 2 eexists. split; [|exact supply].
      apply (updates_answer_ideal h n h_below_64 size r u session queries ready small enough).
    - destruct supply as (hr & hu & supply). do 2 eexists. split; [|exact supply].
      apply (write_answers_ideal_ram h n h_below_64 size r u session query ready hr hu).
  Qed.

  (* One step. *)
  Theorem parties_take_the_step (r u : nat) session step steps :
    session_ready h n r u session -> scheduled n r u (step :: steps) -> small_step step ->
    take_parties_step (parties_of session) step = parties_step_of (take_step session step).
  Proof.
    intros ready supply small. pose proof ready as (eh & state & hr & hu & lr & lu).
    destruct step as [d_0 d_1 | reads updates | addresses | queries | query]; cbn [scheduled take_step small_step take_parties_step] in *.
    - apply (parties_load h n); intuition.
    - apply parties_preprocess; [rewrite eh; assumption | assumption].
    - apply (parties_read h n); assumption.
    - apply (parties_update h n); try assumption. rewrite lu. intuition.
    - apply (parties_write h n h_below_64 size r u); intuition.
  Qed.

  (* Any schedule. *)
  Theorem session_is_its_parties (steps : list session_step) (r u : nat) session :
    session_ready h n r u session -> scheduled n r u steps -> Forall small_step steps ->
    let '(session', all_shown) := run session_shows session steps in
    run parties_show (parties_of session) steps = (parties_of session', all_shown).
  Proof.
    revert r u session. induction steps as [|step steps IH]; intros r u session ready supply small; [reflexivity|].
    inversion_clear small as [|? ? one others].
    destruct (step_keeps_ready r u session step steps ready supply) as (r' & u' & ready' & supply').
    pose proof (parties_take_the_step r u session step steps ready supply one) as taken.
    specialize (IH r' u' _ ready' supply' others). cbn [run]. unfold session_shows at 1, parties_show at 1. rewrite taken.
    cbn [parties_step_of paper_parties_PartiesStep_parties paper_parties_PartiesStep_sent paper_parties_PartiesStep_results_0
      paper_parties_PartiesStep_results_1].
    destruct (run session_shows (paper_session_Step_session (take_step session step)) steps) as [session' all_shown].
    rewrite IH. reflexivity.
  Qed.
End Session.

(* The whole: from connect on, with any random words on the tapes. *)
Theorem session_is_its_parties_from_connect_on (h : u64) (words_0 words_1 words_2 : list u64) (steps : list session_step) :
  val h < 64 -> scheduled (wshl (repr 64 1) (cast 32 h)) 0 0 steps -> Forall small_step steps ->
  let connected := paper_session_connect h words_0 words_1 words_2 in
  let connected_parties := paper_parties_connect h words_0 words_1 words_2 in
  connected_parties = parties_step_of connected /\
  let '(session, all_shown) := run session_shows (paper_session_Step_session connected) steps in
  run parties_show (paper_parties_PartiesStep_parties connected_parties) steps = (parties_of session, all_shown).
Proof.
  intros hh supply small connected connected_parties. pose proof (connected_size h hh) as size.
  assert (first : connected_parties = parties_step_of connected) by apply parties_connect. split; [exact first|].
  rewrite first. cbn [parties_step_of paper_parties_PartiesStep_parties].
  destruct (initial_ready (W := u64) (wshl (repr 64 1) (cast 32 h))) as [ready _].
  apply (session_is_its_parties h _ hh size steps 0 0); [|assumption|assumption].
  repeat split; try constructor; apply ready.
Qed.
