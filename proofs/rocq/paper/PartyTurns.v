(* One party's whole step is one function of its own state, its own inputs and all that it was sent in the step
   (`paper::party_turn`). In any session that is ready it yields the party after the step, the messages that the party sends in it,
   and its results: what b does is computed from what b sees, and from nothing else. Where Locality.v says that the parties put
   together are the session, this says it of each party by itself, with the step's messages given. *)
From Coq Require Import Lia.
From Duoram.core Require Import VectorFacts Parties.
From Duoram.paper Require Import PremiseFacts PreparedMaterial WholeSession SessionSteps Delivery PartiesOnline PartiesPreprocessing Locality.
From Duoram.Generated Require Import All.

(* What a step asks of each party, with its own shares. *)
Definition task_of (role : share_Primary) (step : session_step) : paper_party_turn_PrimaryTask :=
  match step with
  | step_load memory_share_0 memory_share_1 => paper_party_turn_PrimaryTask_Load (own role (memory_share_0, memory_share_1))
  | step_preprocess reads updates => paper_party_turn_PrimaryTask_Preprocess reads updates
  | step_reads addresses => paper_party_turn_PrimaryTask_Reads (map (own role) addresses)
  | step_updates queries => paper_party_turn_PrimaryTask_Updates (map (query_of role) queries)
  | step_write query => paper_party_turn_PrimaryTask_Write (query_of role query)
  end.
Definition helper_task_of (step : session_step) : paper_party_turn_HelperTask :=
  match step with
  | step_load _ _ => paper_party_turn_HelperTask_Load
  | step_preprocess reads updates => paper_party_turn_HelperTask_Preprocess reads updates
  | step_reads addresses => paper_party_turn_HelperTask_Reads (len addresses)
  | step_updates queries => paper_party_turn_HelperTask_Updates (len queries)
  | step_write _ => paper_party_turn_HelperTask_Write
  end.

Lemma chunks_said (operation : u64) (kind from to : u8) (words : list u64) (who : u8) :
  said_by who (paper_session_chunks operation kind from to words)
  = if ieqb from who then paper_session_chunks operation kind from to words else [].
Proof.
  unfold said_by, paper_session_chunks. cbv zeta. rewrite flat_map_map. cbn [paper_session_Sent_from].
  destruct (ieqb from who); [apply flat_map_one|]. induction (range _ _) as [|k l IH]; [reflexivity | exact IH].
Qed.

(* Premises about what is received are computed; the others are at hand. *)
Ltac at_hand delivery :=
  match goal with
  | |- paper_party_received _ _ _ _ = _ => delivery
  | _ => assumption
  end.

Section Session.
  Context (h n : u64) (h_below_64 : val h < 64) (size : val n = 2 ^ val h).

  (** * READ *)

  Section Read.
    Context (session : paper_session_Session) (addresses : list (u64 * u64)).
    Context (eh : paper_session_Session_log_size session = h) (ready : state_ready n (paper_session_Session_state session)).
    Context (small : fits addresses).
    Let step := paper_session_reads session addresses.

    Lemma primary_reads_alone (role : share_Primary) (inbox : list paper_session_Sent) :
      paper_party_received inbox (repr 8 10) (paper_party_other role) (repr 64 0)
        = bytes_words_bytes (read_shifts session addresses (other_primary role)) ->
      paper_party_received inbox (repr 8 11) (repr 8 2) (repr 64 0) = bytes_words_bytes (read_gammas session addresses role) ->
      paper_party_turn_reads_turn (primary_of role session) (map (own role) addresses) inbox
      = mk_paper_party_turn_PrimaryTurn (primary_of role (paper_session_Step_session step))
          (said_by (paper_party_number role) (paper_session_Step_sent step)) (map (own role) (paper_session_Step_results step)).
    Proof.
      intros from_other from_helper. unfold paper_party_turn_reads_turn, step. cbv zeta.
      rewrite (shifts_said h n) by assumption.
      rewrite (primary_reads h n) by (at_hand ltac:(exact from_other || exact from_helper)). rewrite reads_sent. cbv zeta.
      f_equal; unfold said_by; destruct role; deliver; reflexivity.
    Qed.

    Lemma helper_reads_alone (inbox : list paper_session_Sent) :
      paper_party_received inbox (repr 8 10) (repr 8 0) (repr 64 0) = bytes_words_bytes (read_shifts session addresses share_Primary_P0) ->
      paper_party_received inbox (repr 8 10) (repr 8 1) (repr 64 0) = bytes_words_bytes (read_shifts session addresses share_Primary_P1) ->
      paper_party_online_reads_helper (helper_of session) (len addresses) inbox
      = (helper_of (paper_session_Step_session step), said_by (repr 8 2) (paper_session_Step_sent step)).
    Proof.
      intros from_0 from_1. unfold step. rewrite (helper_reads h n) by (at_hand ltac:(exact from_0 || exact from_1)). rewrite reads_sent. cbv zeta.
      f_equal; unfold said_by; deliver; reflexivity.
    Qed.
  End Read.

  (** * UPDATE *)

  Section Update.
    Context (session : paper_session_Session) (requests : list paper_session_UpdateQuery).
    Context (eh : paper_session_Session_log_size session = h) (ready : state_ready n (paper_session_Session_state session)).
    Context (material : Forall (fun item => update_ready n (paper_session_PreparedUpdate_material item)
      (paper_session_PreparedUpdate_random_index_shares item)) (paper_session_Session_updates session)).
    Context (small : fits requests) (enough : (length requests <= length (paper_session_Session_updates session))%nat).
    Let step := paper_session_updates session requests.
    Let messages (role : share_Primary) := map (update_said n role) (update_queries session requests).

    Lemma updates_sent : paper_session_Step_sent step
      = let say kind role to payload := paper_party_online_say (paper_session_Session_operation session) kind
          (paper_party_number role) to payload in
        [say (repr 8 12) share_Primary_P0 (repr 8 1) (paper_payload_update (messages share_Primary_P0));
         say (repr 8 13) share_Primary_P0 (repr 8 2) (paper_payload_helper_update (messages share_Primary_P0));
         say (repr 8 12) share_Primary_P1 (repr 8 0) (paper_payload_update (messages share_Primary_P1));
         say (repr 8 13) share_Primary_P1 (repr 8 2) (paper_payload_helper_update (messages share_Primary_P1))].
    Proof. unfold step. erewrite joint_updates by eassumption. reflexivity. Qed.

    Lemma updates_have_no_results : paper_session_Step_results step = [].
    Proof. unfold step. erewrite joint_updates by eassumption. reflexivity. Qed.

    Lemma primary_updates_alone (role : share_Primary) (inbox : list paper_session_Sent) :
      paper_party_received inbox (repr 8 12) (paper_party_other role) (repr 64 0) = paper_payload_update (messages (other_primary role)) ->
      paper_party_turn_updates_turn (primary_of role session) (map (query_of role) requests) inbox
      = mk_paper_party_turn_PrimaryTurn (primary_of role (paper_session_Step_session step))
          (said_by (paper_party_number role) (paper_session_Step_sent step)) [].
    Proof.
      intros from_other. unfold paper_party_turn_updates_turn. cbv zeta. erewrite updates_said by eassumption.
      erewrite primary_updates by eassumption. rewrite updates_sent. cbv zeta. f_equal; unfold said_by;
      destruct role; deliver; reflexivity.
    Qed.

    Lemma helper_updates_alone (inbox : list paper_session_Sent) :
      paper_party_received inbox (repr 8 13) (repr 8 0) (repr 64 0) = paper_payload_helper_update (messages share_Primary_P0) ->
      paper_party_received inbox (repr 8 13) (repr 8 1) (repr 64 0) = paper_payload_helper_update (messages share_Primary_P1) ->
      paper_party_online_updates_helper (helper_of session) (len requests) inbox = helper_of (paper_session_Step_session step) /\
      said_by (repr 8 2) (paper_session_Step_sent step) = [].
    Proof.
      intros from_0 from_1. split; [unfold step; erewrite helper_updates by eassumption; reflexivity|].
      rewrite updates_sent. cbv zeta. unfold said_by. deliver. reflexivity.
    Qed.
  End Update.

  (** * Every step *)

  Context (r u : nat) (session : paper_session_Session) (step : session_step) (steps : list session_step).
  Context (ready : session_ready h n r u session) (supply : scheduled n r u (step :: steps)) (small : small_step step).
  Let taken := take_step session step.

  Theorem primary_takes_its_turn (role : share_Primary) :
    paper_party_turn_primary_turn (primary_of role session) (task_of role step)
      (paper_party_inbox (paper_session_Step_sent taken) (paper_party_number role))
    = mk_paper_party_turn_PrimaryTurn (primary_of role (paper_session_Step_session taken))
        (said_by (paper_party_number role) (paper_session_Step_sent taken)) (map (own role) (paper_session_Step_results taken)).
  Proof.
    pose proof ready as (eh & state & hr & hu & lr & lu). unfold taken.
    destruct step as [d_0 d_1 | reads updates | addresses | queries | query]; cbn [scheduled take_step small_step task_of
      paper_party_turn_primary_turn] in *.
    - destruct supply as (s_0 & s_1 & _). pose proof (parties_load h n h_below_64 size session d_0 d_1 s_0 s_1) as whole.
      unfold paper_parties_load, parties_of in whole. cbn [paper_parties_Parties_p0 paper_parties_Parties_p1] in whole.
      destruct (paper_party_load (primary_of share_Primary_P0 session) d_0) as [p0 sent_0] eqn:e_0.
      destruct (paper_party_load (primary_of share_Primary_P1 session) d_1) as [p1 sent_1] eqn:e_1.
      cbv zeta in whole. unfold parties_step_of, parties_of in whole.
      pose proof (f_equal (fun s => paper_parties_Parties_p0 (paper_parties_PartiesStep_parties s)) whole) as after_0.
      pose proof (f_equal (fun s => paper_parties_Parties_p1 (paper_parties_PartiesStep_parties s)) whole) as after_1.
      pose proof (f_equal paper_parties_PartiesStep_sent whole) as sent. clear whole.
      cbn [paper_parties_PartiesStep_parties paper_parties_PartiesStep_sent paper_parties_Parties_p0 paper_parties_Parties_p1]
        in after_0, after_1, sent. rewrite sent in after_0, after_1. rewrite <- sent.
      assert (said : said_by (paper_party_number role) (concat [sent_0; sent_1]) = own role (sent_0, sent_1)).
      { unfold paper_party_load in e_0, e_1. cbv zeta in e_0, e_1.
        apply (f_equal snd) in e_0, e_1. cbn [snd] in e_0, e_1. rewrite <- e_0, <- e_1.
        rewrite !concat_pair, !said_by_app, !chunks_said. destruct role; cbn; rewrite ?app_nil_r; reflexivity. }
      rewrite said, sent. destruct role; cbn [own fst snd].
      + rewrite e_0. cbn [paper_party_number]. rewrite after_0. reflexivity.
      + rewrite e_1. cbn [paper_party_number]. rewrite after_1. reflexivity.
    - apply primary_prepares_alone; [rewrite eh; assumption | assumption].
    - apply primary_reads_alone; try assumption; rewrite reads_sent; cbv zeta; destruct role; deliver; reflexivity.
    - destruct supply as (_ & enough & _). rewrite <- lu in enough. erewrite updates_have_no_results by eassumption.
      apply primary_updates_alone; try assumption. erewrite updates_sent by eassumption. cbv zeta. destruct role; deliver; reflexivity.
    - destruct supply as (hr' & hu' & _). destruct query as [address [m_0 m_1]].
      destruct (reads_answer_ideal h n h_below_64 size r u session [address] ready eq_refl hr') as ((eh' & state' & _ & hu'' & _ & lu') & _).
      unfold paper_session_write. cbv zeta. cbn [paper_session_UpdateQuery_address paper_session_UpdateQuery_value].
      destruct (match first (paper_session_Step_results (paper_session_reads session [address])) with
        Some shares => shares | None => (repr 64 0, repr 64 0) end) as [read_0 read_1] eqn:results.
      set (query' := mk_paper_session_UpdateQuery address (wsub m_0 read_0, wsub m_1 read_1)).
      cbn [paper_session_Step_session paper_session_Step_sent paper_session_Step_results].
      assert (one : (length [query'] <= length (paper_session_Session_updates (paper_session_Step_session
        (paper_session_reads session [address]))))%nat) by (rewrite lu'; cbn [length]; lia).
      assert (f_a : fits [address]) by (unfold fits; cbn; lia). assert (f_q : fits [query']) by (unfold fits; cbn; lia).
      change [paper_party_online_Query_address (query_of role (mk_paper_session_UpdateQuery address (m_0, m_1)))]
        with (map (own role) [address]).
      rewrite primary_reads_alone by (assumption || (rewrite concat_pair, reads_sent;
        erewrite updates_sent by eassumption; cbv zeta; destruct role; deliver; reflexivity)).
      cbn [paper_party_turn_PrimaryTurn_party paper_party_turn_PrimaryTurn_sent paper_party_turn_PrimaryTurn_results].
      rewrite (write_query_is _ _ _ _ _ _ _ results). fold query'. change [query_of role query'] with (map (query_of role) [query']).
      rewrite primary_updates_alone by (assumption || (rewrite concat_pair, reads_sent;
        erewrite updates_sent by eassumption; cbv zeta; destruct role; deliver; reflexivity)).
      cbn [paper_party_turn_PrimaryTurn_party paper_party_turn_PrimaryTurn_sent]. rewrite !concat_pair, said_by_app. reflexivity.
  Qed.

  Theorem helper_takes_its_turn :
    paper_party_turn_helper_turn (helper_of session) (helper_task_of step)
      (paper_party_inbox (paper_session_Step_sent taken) (repr 8 2))
    = mk_paper_party_turn_HelperTurn (helper_of (paper_session_Step_session taken))
        (said_by (repr 8 2) (paper_session_Step_sent taken)).
  Proof.
    pose proof ready as (eh & state & hr & hu & lr & lu). unfold taken.
    destruct step as [d_0 d_1 | reads updates | addresses | queries | query]; cbn [scheduled take_step small_step helper_task_of] in *.
    - destruct supply as (s_0 & s_1 & _). pose proof (parties_load h n h_below_64 size session d_0 d_1 s_0 s_1) as whole.
      unfold paper_parties_load, parties_of in whole. cbn [paper_parties_Parties_p0 paper_parties_Parties_p1
        paper_parties_Parties_p2] in whole.
      destruct (paper_party_load (primary_of share_Primary_P0 session) d_0) as [p0 sent_0] eqn:e_0.
      destruct (paper_party_load (primary_of share_Primary_P1 session) d_1) as [p1 sent_1] eqn:e_1.
      cbv zeta in whole. unfold parties_step_of, parties_of in whole.
      pose proof (f_equal (fun s => paper_parties_Parties_p2 (paper_parties_PartiesStep_parties s)) whole) as after.
      pose proof (f_equal paper_parties_PartiesStep_sent whole) as sent. clear whole.
      cbn [paper_parties_PartiesStep_parties paper_parties_PartiesStep_sent paper_parties_Parties_p2] in after, sent.
      rewrite sent in after.
      assert (said : said_by (repr 8 2) (concat [sent_0; sent_1]) = []).
      { unfold paper_party_load in e_0, e_1. cbv zeta in e_0, e_1.
        apply (f_equal snd) in e_0, e_1. cbn [snd] in e_0, e_1. rewrite <- e_0, <- e_1.
        rewrite !concat_pair, !said_by_app, !chunks_said. reflexivity. }
      rewrite <- sent at 2. rewrite said. cbn [paper_party_turn_helper_turn]. f_equal. exact after.
    - apply helper_prepares_alone; [rewrite eh; assumption | assumption].
    - cbn [paper_party_turn_helper_turn].
      rewrite helper_reads_alone by (assumption || (rewrite reads_sent; cbv zeta; deliver; reflexivity)). reflexivity.
    - destruct supply as (_ & enough & _). rewrite <- lu in enough. cbn [paper_party_turn_helper_turn].
      destruct (helper_updates_alone session queries eh state hu small enough
        (paper_party_inbox (paper_session_Step_sent (paper_session_updates session queries)) (repr 8 2))) as [after said];
        [erewrite updates_sent by eassumption; cbv zeta; deliver; reflexivity..|].
      rewrite after, said. reflexivity.
    - destruct supply as (hr' & hu' & _). destruct query as [address [m_0 m_1]].
      destruct (reads_answer_ideal h n h_below_64 size r u session [address] ready eq_refl hr') as ((eh' & state' & _ & hu'' & _ & lu') & _).
      unfold paper_session_write. cbv zeta. cbn [paper_session_UpdateQuery_address paper_session_UpdateQuery_value].
      destruct (match first (paper_session_Step_results (paper_session_reads session [address])) with
        Some shares => shares | None => (repr 64 0, repr 64 0) end) as [read_0 read_1].
      set (query' := mk_paper_session_UpdateQuery address (wsub m_0 read_0, wsub m_1 read_1)).
      cbn [paper_session_Step_session paper_session_Step_sent paper_party_turn_helper_turn].
      assert (one : (length [query'] <= length (paper_session_Session_updates (paper_session_Step_session
        (paper_session_reads session [address]))))%nat) by (rewrite lu'; cbn [length]; lia).
      assert (f_a : fits [address]) by (unfold fits; cbn; lia). assert (f_q : fits [query']) by (unfold fits; cbn; lia).
      change (repr 64 1) with (len [address]) at 1.
      rewrite helper_reads_alone by (assumption || (rewrite concat_pair, reads_sent;
        erewrite updates_sent by eassumption; cbv zeta; deliver; reflexivity)).
      destruct (helper_updates_alone (paper_session_Step_session (paper_session_reads session [address])) [query'] eh' state' hu'' f_q one
        (paper_party_inbox (concat [paper_session_Step_sent (paper_session_reads session [address]);
           paper_session_Step_sent (paper_session_updates (paper_session_Step_session (paper_session_reads session [address])) [query'])])
          (repr 8 2))) as [after said];
        [rewrite concat_pair, reads_sent; erewrite updates_sent by eassumption; cbv zeta; deliver; reflexivity..|].
      change (repr 64 1) with (len [query']). rewrite after, concat_pair, said_by_app, said, app_nil_r. reflexivity.
  Qed.
End Session.
