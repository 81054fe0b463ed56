(* Locality of load, READ, UPDATE and WRITE: what the three parties' functions (`paper::party`, `paper::party_online`) yield,
   put together by nothing but the delivery of their messages (`paper::parties`), is what the session's functions yield, which see
   all three parties at once: the same states, every message, the same results. The premises are sizes: the memory has n = 2^h
   words, and a step fewer than 2^56 queries, so that no offset in a payload wraps around. *)
From Coq Require Import Lia.
From Duoram.core Require Import VectorFacts Parties.
From Duoram.paper Require Import PremiseFacts PreparedMaterial WholeSession SessionSteps Delivery.
From Duoram.Generated Require Import All.

(** * Each online step *)

Section Online.
  Context (h n : u64) (h_below_64 : val h < 64) (size : val n = 2 ^ val h).

  Let n_power : power_of_two n.
  Proof. exists (val h). pose proof (val_bounds h). auto with zarith. Qed.

  Lemma party_size : paper_party_size h = n.
  Proof.
    apply int_ext. unfold paper_party_size. rewrite size. pose proof (val_bounds h).
    assert (e : val (cast 32 h) = val h) by (rewrite val_cast; apply Z.mod_small; lia).
    rewrite val_wshl by lia. rewrite e, val_repr_small, Z.mul_1_l by lia. apply Z.mod_small.
    split; [apply Z.pow_nonneg; lia | apply Z.pow_lt_mono_r; lia].
  Qed.

  Lemma shift_comm (a b : u64) : paper_read_reconstruct_shift a b n = paper_read_reconstruct_shift b a n.
  Proof. unfold paper_read_reconstruct_shift. f_equal. ring. Qed.

  (* READ, for one session and the addresses of one step. *)
  Section Read.
    Context (session : paper_session_Session) (addresses : list (u64 * u64)).
    Context (eh : paper_session_Session_log_size session = h) (ready : state_ready n (paper_session_Session_state session)).
    Context (small : fits addresses).

    (* The queries with their items, numbered, and what each yields. *)
    Definition read_queries := enumerate (combine addresses (paper_session_Session_reads session)).
    Definition read_outcome (query : u64 * ((u64 * u64) * paper_session_PreparedRead)) : paper_read_Read u64 :=
      let '(q, (address, item)) := query in
      paper_read_read (paper_session_Session_state session) (paper_session_PreparedRead_units item)
        (paper_session_PreparedRead_random_index_shares item) address (paper_tape_peek (paper_session_Session_tape_2 session) q).
    Definition read_shifts (role : share_Primary) : list u64 :=
      map (fun query => own role (paper_read_Read_shift_0 (read_outcome query), paper_read_Read_shift_1 (read_outcome query))) read_queries.
    Definition read_gammas (role : share_Primary) : list u64 :=
      map (fun query => own role (paper_read_Read_gamma_0 (read_outcome query), paper_read_Read_gamma_1 (read_outcome query))) read_queries.
    Let after := paper_session_Step_session (paper_session_reads session addresses).

    Let size_of_state :
      len (paper_memory_PrimaryState_memory_share (paper_memory_State_p0 (paper_session_Session_state session))) = n.
    Proof. destruct ready as [sizes _]. destruct sizes as ((s & _) & _). apply sized_len, s. Qed.

    Let queries_are : map snd read_queries = combine addresses (paper_session_Session_reads session).
    Proof. unfold fits in small. apply map_snd_enumerate. rewrite combine_length. lia. Qed.

    Let queries_fit {T : Type} (f : u64 * ((u64 * u64) * paper_session_PreparedRead) -> T) : fits (map f read_queries).
    Proof. unfold fits in *. rewrite map_length, <- (map_length snd), queries_are, combine_length. lia. Qed.

    Lemma read_shifts_are (role : share_Primary) :
      paper_party_online_read_shifts (primary_of role session) (map (own role) addresses) = read_shifts role.
    Proof.
      unfold paper_party_online_read_shifts, primary_of, read_shifts. cbv zeta.
      cbn [paper_party_PrimaryParty_reads paper_party_PrimaryParty_log_size]. rewrite eh, party_size, combine_map_both, map_map.
      rewrite <- queries_are, map_map. apply map_ext. intros [q [[i_0 i_1] [[units_0 units_1] [ri_0 ri_1]]]].
      unfold read_outcome, paper_read_read. rewrite size_of_state. cbn [paper_session_PreparedRead_units
        paper_session_PreparedRead_random_index_shares].
      destruct (paper_read_answer _ _ _) as [[[? ?] ?] ?]. destruct role; reflexivity.
    Qed.

    Lemma shifts_said (role : share_Primary) :
      paper_party_online_say_shifts (primary_of role session) (map (own role) addresses)
      = [paper_party_online_say (paper_session_Session_operation session) (repr 8 10) (paper_party_number role)
           (paper_party_other role) (bytes_words_bytes (read_shifts role));
         paper_party_online_say (paper_session_Session_operation session) (repr 8 10) (paper_party_number role) (repr 8 2)
           (bytes_words_bytes (read_shifts role))].
    Proof. unfold paper_party_online_say_shifts. rewrite read_shifts_are. reflexivity. Qed.

    Lemma helper_reads (inbox : list paper_session_Sent) :
      paper_party_received inbox (repr 8 10) (repr 8 0) (repr 64 0) = bytes_words_bytes (read_shifts share_Primary_P0) ->
      paper_party_received inbox (repr 8 10) (repr 8 1) (repr 64 0) = bytes_words_bytes (read_shifts share_Primary_P1) ->
      paper_party_online_reads_helper (helper_of session) (len addresses) inbox
      = (helper_of after,
         [paper_party_online_say (paper_session_Session_operation session) (repr 8 11) (repr 8 2) (repr 8 0)
            (bytes_words_bytes (read_gammas share_Primary_P0));
          paper_party_online_say (paper_session_Session_operation session) (repr 8 11) (repr 8 2) (repr 8 1)
            (bytes_words_bytes (read_gammas share_Primary_P1))]).
    Proof.
      intros from_0 from_1. unfold paper_party_online_reads_helper. cbv zeta. rewrite from_0, from_1.
      unfold read_shifts. rewrite !words_of_words_bytes by apply queries_fit. unfold helper_of.
      cbn [paper_party_HelperParty_reads paper_party_HelperParty_log_size paper_party_HelperParty_prg paper_party_HelperParty_tape
        paper_party_HelperParty_state paper_party_HelperParty_updates paper_party_HelperParty_operation].
      rewrite eh, party_size, combine_map. rewrite (combine_with_second _ _ _ _ _ _ queries_are).
      set (F := fun '(query, ((shift_0, shift_1), item)) => _).
      assert (pairs : map F (enumerate (map (fun x =>
          ((own share_Primary_P0 (paper_read_Read_shift_0 (read_outcome x), paper_read_Read_shift_1 (read_outcome x)),
            own share_Primary_P1 (paper_read_Read_shift_0 (read_outcome x), paper_read_Read_shift_1 (read_outcome x))),
           helper_read (snd (snd x)))) read_queries))
        = map (fun x => (paper_read_Read_gamma_0 (read_outcome x), paper_read_Read_gamma_1 (read_outcome x))) read_queries).
      { rewrite enumerate_map, map_map.
        unfold read_queries. rewrite enumerate_enumerate, map_map by (unfold fits in small; rewrite combine_length; lia).
        apply map_ext. intros [q [[i_0 i_1] [[[[t_01 t_02] t_03] [[t_11 t_12] t_13]] [ri_0 ri_1]]]].
        cbn [fst snd F helper_read own of_dpf_2 of_dpf_3]. unfold read_outcome, paper_read_read. rewrite size_of_state.
        reflexivity. }
      rewrite pairs, !map_map. unfold after, paper_session_reads, paper_session_after. cbv zeta.
      cbn [paper_session_Step_session paper_session_Session_log_size paper_session_Session_prg paper_session_Session_tape_2
        paper_session_Session_state paper_session_Session_reads paper_session_Session_updates paper_session_Session_operation].
      rewrite eh, !map_skip, skip_none. reflexivity.
    Qed.

    Lemma primary_reads (role : share_Primary) (inbox : list paper_session_Sent) :
      paper_party_received inbox (repr 8 10) (paper_party_other role) (repr 64 0)
        = bytes_words_bytes (read_shifts (other_primary role)) ->
      paper_party_received inbox (repr 8 11) (repr 8 2) (repr 64 0) = bytes_words_bytes (read_gammas role) ->
      paper_party_online_reads_primary (primary_of role session) (map (own role) addresses) inbox
      = (primary_of role after, map (own role) (paper_session_Step_results (paper_session_reads session addresses))).
    Proof.
      intros from_other from_helper. unfold paper_party_online_reads_primary. cbv zeta. rewrite read_shifts_are.
      unfold paper_party_HELPER, primary_of. cbv zeta. cbn [paper_party_PrimaryParty_role]. rewrite from_other, from_helper.
      unfold read_shifts, read_gammas. rewrite !words_of_words_bytes by apply queries_fit.
      cbn [paper_party_PrimaryParty_log_size paper_party_PrimaryParty_prg paper_party_PrimaryParty_tape
        paper_party_PrimaryParty_state paper_party_PrimaryParty_reads paper_party_PrimaryParty_updates
        paper_party_PrimaryParty_operation].
      rewrite eh, party_size, !combine_map, (combine_with_second _ _ _ _ _ _ queries_are), map_map.
      unfold after, paper_session_reads, paper_session_after. cbv zeta.
      cbn [paper_session_Step_session paper_session_Step_results paper_session_Session_log_size paper_session_Session_prg
        paper_session_Session_tape_0 paper_session_Session_tape_1 paper_session_Session_tape_2
        paper_session_Session_state paper_session_Session_reads paper_session_Session_updates paper_session_Session_operation].
      rewrite eh, !map_skip, skip_none, len_map. f_equal. rewrite !map_map. fold read_queries. apply map_ext.
      intros [q [[i_0 i_1] [[[[t_01 t_02] t_03] [[t_11 t_12] t_13]] [ri_0 ri_1]]]].
      unfold read_outcome, paper_read_read. rewrite size_of_state. destruct role; cbn.
      - reflexivity.
      - rewrite shift_comm. reflexivity.
    Qed.

    Lemma reads_sent : paper_session_Step_sent (paper_session_reads session addresses)
      = let say kind from to payload := paper_party_online_say (paper_session_Session_operation session) kind from to
          (bytes_words_bytes payload) in
        [say (repr 8 10) (repr 8 0) (repr 8 1) (read_shifts share_Primary_P0);
         say (repr 8 10) (repr 8 0) (repr 8 2) (read_shifts share_Primary_P0);
         say (repr 8 10) (repr 8 1) (repr 8 0) (read_shifts share_Primary_P1);
         say (repr 8 10) (repr 8 1) (repr 8 2) (read_shifts share_Primary_P1);
         say (repr 8 11) (repr 8 2) (repr 8 0) (read_gammas share_Primary_P0);
         say (repr 8 11) (repr 8 2) (repr 8 1) (read_gammas share_Primary_P1)].
    Proof. unfold paper_session_reads, read_shifts, read_gammas. cbv zeta. cbn [paper_session_Step_sent]. rewrite !map_map. reflexivity. Qed.

    Theorem parties_read : paper_parties_reads (parties_of session) (map fst addresses) (map snd addresses)
      = parties_step_of (paper_session_reads session addresses).
    Proof.
      unfold paper_parties_reads, parties_of. cbv zeta.
      cbn [paper_parties_Parties_p0 paper_parties_Parties_p1 paper_parties_Parties_p2]. rewrite len_map.
      change (map fst addresses) with (map (own share_Primary_P0) addresses).
      change (map snd addresses) with (map (own share_Primary_P1) addresses).
      rewrite !shifts_said. cbv zeta. rewrite helper_reads by (deliver; reflexivity).
      rewrite !primary_reads by (deliver; reflexivity).
      unfold parties_step_of, parties_of. rewrite reads_sent. deliver. reflexivity.
    Qed.
  End Read.

  (* UPDATE. *)
  Section Update.
    Context (session : paper_session_Session) (requests : list paper_session_UpdateQuery).
    Context (eh : paper_session_Session_log_size session = h) (ready : state_ready n (paper_session_Session_state session)).
    Context (material : Forall (fun item => update_ready n (paper_session_PreparedUpdate_material item)
      (paper_session_PreparedUpdate_random_index_shares item)) (paper_session_Session_updates session)).
    Context (small : fits requests).

    Definition update_queries := combine requests (paper_session_Session_updates session).
    (* A primary's message of a query. *)
    Definition update_said (role : share_Primary) (query : paper_session_UpdateQuery * paper_session_PreparedUpdate) :
      paper_update_UpdateMessage u64 :=
      let '(request, item) := query in
      paper_update_message
        (paper_read_shift_share (own role (paper_session_UpdateQuery_address request))
          (own role (paper_session_PreparedUpdate_random_index_shares item)) n)
        (own role (paper_session_UpdateQuery_value request))
        (paper_party_PrimaryUpdate_corrections (primary_update role item)).
    Let after := paper_session_Step_session (paper_session_updates session requests).

    Let queries_fit {T : Type} (f : paper_session_UpdateQuery * paper_session_PreparedUpdate -> T) : fits (map f update_queries).
    Proof. unfold fits in *. unfold update_queries. rewrite map_length, combine_length. lia. Qed.

    Let primary_step (role : share_Primary) (state : paper_memory_PrimaryState u64)
      (query : paper_session_UpdateQuery * paper_session_PreparedUpdate) : paper_memory_PrimaryState u64 :=
      paper_party_online_updated_primary role state (primary_update role (snd query))
        (paper_read_reconstruct_shift (paper_update_UpdateMessage_shift (update_said role query))
          (paper_update_UpdateMessage_shift (update_said (other_primary role) query)) n)
        (paper_update_reconstruct_corrections (update_said role query) (update_said (other_primary role) query)).
    Let helper_step (state : paper_memory_HelperState u64)
      (query : paper_session_UpdateQuery * paper_session_PreparedUpdate) : paper_memory_HelperState u64 :=
      let message_0 := paper_update_helper_message (update_said share_Primary_P0 query) in
      let message_1 := paper_update_helper_message (update_said share_Primary_P1 query) in
      paper_party_online_updated_helper state (helper_update (snd query))
        (paper_read_reconstruct_shift (paper_update_HelperMessage_shift message_0) (paper_update_HelperMessage_shift message_1) n)
        (paper_update_reconstruct_helper_corrections message_0 message_1).

    (* One query: the joint function does what the three do. *)
    Lemma one_update (state : paper_memory_State u64) (request : paper_session_UpdateQuery) (item : paper_session_PreparedUpdate) :
      state_ready n state ->
      let outcome := paper_update_update state (paper_session_PreparedUpdate_material item)
        (paper_session_PreparedUpdate_random_index_shares item) (paper_session_UpdateQuery_address request)
        (paper_session_UpdateQuery_value request) in
      paper_update_Update_state outcome
      = mk_paper_memory_State (primary_step share_Primary_P0 (paper_memory_State_p0 state) (request, item))
          (primary_step share_Primary_P1 (paper_memory_State_p1 state) (request, item))
          (helper_step (paper_memory_State_p2 state) (request, item)) /\
      paper_update_Update_message_0 outcome = update_said share_Primary_P0 (request, item) /\
      paper_update_Update_message_1 outcome = update_said share_Primary_P1 (request, item).
    Proof.
      intros [sizes _]. assert (en : len (paper_memory_PrimaryState_memory_share (paper_memory_State_p0 state)) = n).
      { destruct sizes as ((s & _) & _). apply sized_len, s. }
      destruct request as [[i_0 i_1] [m_0 m_1]].
      destruct item as [[[[[t_01 t_02] t_03] [[t_11 t_12] t_13]] [[[v_01 v_02] v_03] [[v_11 v_12] v_13]]
        [[[f_01 f_02] f_03] [[f_11 f_12] f_13]]] [ri_0 ri_1]].
      cbv zeta. unfold primary_step, helper_step, update_said, paper_update_update. cbn [paper_session_PreparedUpdate_material
        paper_session_PreparedUpdate_random_index_shares paper_session_UpdateQuery_address paper_session_UpdateQuery_value].
      rewrite en. cbn. split; [|split; reflexivity].
      unfold paper_update_apply. cbn. rewrite (shift_comm (paper_read_shift_share i_1 ri_1 n)).
      replace (wadd (wadd m_1 f_11) (wadd m_0 f_01)) with (wadd (wadd m_0 f_01) (wadd m_1 f_11)) by ring.
      replace (wadd (wadd m_1 f_12) (wadd m_0 f_02)) with (wadd (wadd m_0 f_02) (wadd m_1 f_12)) by ring.
      replace (wadd (wadd m_1 f_13) (wadd m_0 f_03)) with (wadd (wadd m_0 f_03) (wadd m_1 f_13)) by ring.
      reflexivity.
    Qed.
    (* All of them, one after another. *)
    Lemma joint_updates :
      paper_session_updates session requests
      = mk_paper_session_Step
          (paper_session_after session
            (mk_paper_memory_State
              (fold_left (primary_step share_Primary_P0) update_queries (paper_memory_State_p0 (paper_session_Session_state session)))
              (fold_left (primary_step share_Primary_P1) update_queries (paper_memory_State_p1 (paper_session_Session_state session)))
              (fold_left helper_step update_queries (paper_memory_State_p2 (paper_session_Session_state session))))
            (repr 64 0) (len requests) (repr 64 0))
          (let message kind role to payload := paper_party_online_say (paper_session_Session_operation session) kind
             (paper_party_number role) to payload in
           let messages role := map (update_said role) update_queries in
           [message (repr 8 12) share_Primary_P0 (repr 8 1) (paper_payload_update (messages share_Primary_P0));
            message (repr 8 13) share_Primary_P0 (repr 8 2) (paper_payload_helper_update (messages share_Primary_P0));
            message (repr 8 12) share_Primary_P1 (repr 8 0) (paper_payload_update (messages share_Primary_P1));
            message (repr 8 13) share_Primary_P1 (repr 8 2) (paper_payload_helper_update (messages share_Primary_P1))])
          [].
    Proof.
      unfold paper_session_updates. cbv zeta. fold update_queries.
      match goal with |- context [fold_left ?f update_queries (?start, [])] => set (F := f) end.
      assert (all : forall l state done,
        Forall (fun query => update_ready n (paper_session_PreparedUpdate_material (snd query))
          (paper_session_PreparedUpdate_random_index_shares (snd query))) l -> state_ready n state ->
        exists outcomes, fold_left F l (state, done)
          = (mk_paper_memory_State (fold_left (primary_step share_Primary_P0) l (paper_memory_State_p0 state))
              (fold_left (primary_step share_Primary_P1) l (paper_memory_State_p1 state))
              (fold_left helper_step l (paper_memory_State_p2 state)), done ++ outcomes) /\
          map (fun o => paper_update_Update_message_0 o) outcomes = map (update_said share_Primary_P0) l /\
          map (fun o => paper_update_Update_message_1 o) outcomes = map (update_said share_Primary_P1) l).
      { intros l state done hl. revert state done. induction hl as [|[request item] l hi _ IH]; intros state done hs.
        - exists []. rewrite app_nil_r. destruct state. repeat split; reflexivity.
        - cbn [snd] in hi. destruct (update_answers_ideal n state _ _ (paper_session_UpdateQuery_address request)
            (paper_session_UpdateQuery_value request) n_power hs hi) as [_ hs'].
          destruct (one_update state request item hs) as (e & m_0 & m_1).
          cbn [fold_left]. unfold F at 2.
          specialize (IH _ (concat [done; [paper_update_update state (paper_session_PreparedUpdate_material item)
            (paper_session_PreparedUpdate_random_index_shares item) (paper_session_UpdateQuery_address request)
            (paper_session_UpdateQuery_value request)]]) hs') as (outcomes & f & f_0 & f_1).
          eexists (_ :: outcomes). split; [|split].
          + rewrite f, e, concat_pair, <- app_assoc. reflexivity.
          + cbn [map]. rewrite f_0, <- m_0. reflexivity.
          + cbn [map]. rewrite f_1, <- m_1. reflexivity. }
      assert (hq : Forall (fun query => update_ready n (paper_session_PreparedUpdate_material (snd query))
          (paper_session_PreparedUpdate_random_index_shares (snd query))) update_queries).
      { apply Forall_forall. intros [request item] hin. apply in_combine_r in hin. rewrite Forall_forall in material.
        exact (material _ hin). }
      destruct (all update_queries (paper_session_Session_state session) [] hq ready) as (outcomes & -> & m_0 & m_1).
      cbn [app]. rewrite m_0, m_1. reflexivity.
    Qed.

    Lemma messages_are (role : share_Primary) :
      paper_party_online_update_messages (primary_of role session) (map (query_of role) requests) = map (update_said role) update_queries.
    Proof.
      unfold paper_party_online_update_messages, primary_of. cbv zeta.
      cbn [paper_party_PrimaryParty_updates paper_party_PrimaryParty_log_size]. rewrite eh, party_size, combine_map_both, map_map.
      apply map_ext. intros [request item]. reflexivity.
    Qed.

    Lemma updates_said (role : share_Primary) :
      paper_party_online_say_updates (primary_of role session) (map (query_of role) requests)
      = [paper_party_online_say (paper_session_Session_operation session) (repr 8 12) (paper_party_number role)
           (paper_party_other role) (paper_payload_update (map (update_said role) update_queries));
         paper_party_online_say (paper_session_Session_operation session) (repr 8 13) (paper_party_number role) (repr 8 2)
           (paper_payload_helper_update (map (update_said role) update_queries))].
    Proof. unfold paper_party_online_say_updates. rewrite messages_are. reflexivity. Qed.

    Let same_second {A : Type} (f : paper_session_UpdateQuery * paper_session_PreparedUpdate -> A) {B : Type} (g : paper_session_PreparedUpdate -> B) :
      combine (map f update_queries) (map g (paper_session_Session_updates session)) = map (fun query => (f query, g (snd query))) update_queries.
    Proof. apply (combine_with_second update_queries (fun query => query) f g requests). apply map_id. Qed.

    Lemma primary_updates (role : share_Primary) (inbox : list paper_session_Sent) :
      paper_party_received inbox (repr 8 12) (paper_party_other role) (repr 64 0)
        = paper_payload_update (map (update_said (other_primary role)) update_queries) ->
      paper_party_online_updates_primary (primary_of role session) (map (query_of role) requests) inbox = primary_of role after.
    Proof.
      intros from_other. unfold paper_party_online_updates_primary. cbv zeta. rewrite messages_are. unfold primary_of. cbv zeta.
      cbn [paper_party_PrimaryParty_role]. rewrite from_other, update_round_trip; cycle 1.
      { apply queries_fit. }
      { rewrite nat_of_len_fits by apply queries_fit. rewrite !map_length. reflexivity. }
      cbn [paper_party_PrimaryParty_log_size paper_party_PrimaryParty_prg paper_party_PrimaryParty_tape
        paper_party_PrimaryParty_state paper_party_PrimaryParty_reads paper_party_PrimaryParty_updates
        paper_party_PrimaryParty_operation paper_party_PrimaryParty_role].
      rewrite eh, party_size, combine_map, same_second, fold_left_map. unfold after. rewrite joint_updates.
      unfold paper_session_after. cbv zeta.
      cbn [paper_session_Step_session paper_session_Session_log_size paper_session_Session_prg
        paper_session_Session_tape_0 paper_session_Session_tape_1 paper_session_Session_tape_2
        paper_session_Session_state paper_session_Session_reads paper_session_Session_updates paper_session_Session_operation].
      rewrite eh, !map_skip, skip_none, len_map. f_equal. destruct role; reflexivity.
    Qed.

    Lemma helper_updates (inbox : list paper_session_Sent) :
      paper_party_received inbox (repr 8 13) (repr 8 0) (repr 64 0)
        = paper_payload_helper_update (map (update_said share_Primary_P0) update_queries) ->
      paper_party_received inbox (repr 8 13) (repr 8 1) (repr 64 0)
        = paper_payload_helper_update (map (update_said share_Primary_P1) update_queries) ->
      (length requests <= length (paper_session_Session_updates session))%nat ->
      paper_party_online_updates_helper (helper_of session) (len requests) inbox = helper_of after.
    Proof.
      intros from_0 from_1 enough. unfold paper_party_online_updates_helper. cbv zeta. rewrite from_0, from_1.
      assert (count : nat_of (len requests) = length update_queries).
      { rewrite nat_of_len_fits by assumption. unfold update_queries. rewrite combine_length. lia. }
      rewrite !helper_update_round_trip by (try apply queries_fit; rewrite map_length; exact count). rewrite !map_map.
      unfold helper_of. cbn [paper_party_HelperParty_reads paper_party_HelperParty_log_size paper_party_HelperParty_prg
        paper_party_HelperParty_tape paper_party_HelperParty_state paper_party_HelperParty_updates paper_party_HelperParty_operation].
      rewrite eh, party_size, combine_map, same_second, fold_left_map. unfold after. rewrite joint_updates.
      unfold paper_session_after. cbv zeta.
      cbn [paper_session_Step_session paper_session_Session_log_size paper_session_Session_prg
        paper_session_Session_tape_0 paper_session_Session_tape_1 paper_session_Session_tape_2
        paper_session_Session_state paper_session_Session_reads paper_session_Session_updates paper_session_Session_operation
        paper_memory_State_p2].
      rewrite eh, !map_skip, skip_none. unfold paper_tape_advance. destruct (paper_session_Session_tape_2 session) as [words position].
      cbn [paper_tape_Tape_words paper_tape_Tape_position]. replace (wadd position (repr 64 0)) with position by ring. reflexivity.
    Qed.

    Theorem parties_update : (length requests <= length (paper_session_Session_updates session))%nat ->
      paper_parties_updates (parties_of session) (map (query_of share_Primary_P0) requests) (map (query_of share_Primary_P1) requests)
      = parties_step_of (paper_session_updates session requests).
    Proof.
      intros enough. unfold paper_parties_updates, parties_of. cbv zeta.
      cbn [paper_parties_Parties_p0 paper_parties_Parties_p1 paper_parties_Parties_p2]. rewrite !updates_said, len_map.
      rewrite !primary_updates by (deliver; reflexivity). rewrite helper_updates by (assumption || (deliver; reflexivity)).
      unfold parties_step_of, parties_of. f_equal; unfold after; rewrite joint_updates; reflexivity.
    Qed.
  End Update.

  (* What is left of a WRITE's query, when a primary has its share of the old word. *)
  Lemma write_query_is (role : share_Primary) (address : u64 * u64) (m_0 m_1 read_0 read_1 : u64) (results : list (u64 * u64)) :
    match first results with Some shares => shares | None => (repr 64 0, repr 64 0) end = (read_0, read_1) ->
    paper_party_online_write_query (query_of role (mk_paper_session_UpdateQuery address (m_0, m_1))) (map (own role) results)
    = query_of role (mk_paper_session_UpdateQuery address (wsub m_0 read_0, wsub m_1 read_1)).
  Proof.
    intros e. unfold paper_party_online_write_query. rewrite vector_at_nth. change (nat_of (repr 64 0)) with 0%nat.
    destruct results as [|[x_0 x_1] rest]; cbn in e; injection e as <- <-; destruct role; reflexivity.
  Qed.

  (* WRITE. *)
  Theorem parties_write (r u : nat) (session : paper_session_Session) (query : paper_session_UpdateQuery) :
    session_ready h n r u session -> (1 <= r)%nat -> (1 <= u)%nat ->
    paper_parties_write (parties_of session) (query_of share_Primary_P0 query) (query_of share_Primary_P1 query)
    = parties_step_of (paper_session_write session query).
  Proof.
    intros ready hr hu. destruct (reads_answer_ideal h n h_below_64 size r u session [paper_session_UpdateQuery_address query]
      ready eq_refl hr) as (ready' & _ & _).
    destruct ready as (eh & state & _ & _ & _ & _). unfold paper_parties_write, paper_session_write. cbv zeta.
    change [paper_party_online_Query_address (query_of share_Primary_P0 query)] with (map fst [paper_session_UpdateQuery_address query]).
    change [paper_party_online_Query_address (query_of share_Primary_P1 query)] with (map snd [paper_session_UpdateQuery_address query]).
    rewrite parties_read by (assumption || (unfold fits; cbn; lia)).
    set (read := paper_session_reads session [paper_session_UpdateQuery_address query]) in *. clearbody read.
    destruct ready' as (eh' & state' & _ & material' & _ & lu').
    cbn [parties_step_of paper_parties_PartiesStep_parties paper_parties_PartiesStep_results_0 paper_parties_PartiesStep_results_1
      paper_parties_PartiesStep_sent].
    destruct query as [address [m_0 m_1]]. cbn [paper_session_UpdateQuery_value paper_session_UpdateQuery_address].
    destruct (match first (paper_session_Step_results read) with Some shares => shares | None => (repr 64 0, repr 64 0) end)
      as [read_0 read_1] eqn:results.
    set (query' := mk_paper_session_UpdateQuery address (wsub m_0 read_0, wsub m_1 read_1)).
    change (map fst (paper_session_Step_results read)) with (map (own share_Primary_P0) (paper_session_Step_results read)).
    change (map snd (paper_session_Step_results read)) with (map (own share_Primary_P1) (paper_session_Step_results read)).
    rewrite !(write_query_is _ _ _ _ _ _ _ results). fold query'. change [query_of ?role query'] with (map (query_of role) [query']).
    rewrite parties_update by (assumption || (unfold fits; cbn; lia) || (rewrite lu'; cbn [length]; lia)).
    reflexivity.
  Qed.

  (* A load. *)
  Theorem parties_load (session : paper_session_Session) (memory_share_0 memory_share_1 : list u64) :
    sized n memory_share_0 -> sized n memory_share_1 ->
    paper_parties_load (parties_of session) memory_share_0 memory_share_1
    = parties_step_of (paper_session_load session memory_share_0 memory_share_1).
  Proof.
    intros s_0 s_1. pose proof (val_bounds h). assert (top : val n <= 2 ^ 63) by (rewrite size; apply Z.pow_le_mono_r; lia).
    pose proof (Z_nat_of n). unfold paper_parties_load, paper_session_load, parties_of, paper_party_load. cbv zeta.
    cbn [paper_parties_Parties_p0 paper_parties_Parties_p1 paper_parties_Parties_p2].
    rewrite (sized_len n memory_share_0), (sized_len n memory_share_1) by assumption.
    unfold primary_of. cbv zeta. cbn [own fst snd paper_party_PrimaryParty_log_size paper_party_PrimaryParty_prg paper_party_PrimaryParty_tape
        paper_party_PrimaryParty_state paper_party_PrimaryParty_reads paper_party_PrimaryParty_updates
        paper_party_PrimaryParty_operation paper_party_PrimaryParty_role].
    set (blind_0 := map (fun i => paper_tape_peek (paper_session_Session_tape_0 session) i) _).
    set (blind_1 := map (fun i => paper_tape_peek (paper_session_Session_tape_1 session) i) _).
    assert (b_0 : sized n blind_0) by apply map_range_0_length. assert (b_1 : sized n blind_1) by apply map_range_0_length.
    clearbody blind_0 blind_1. unfold paper_party_HELPER. cbn [paper_party_number paper_party_other].
    set (blinded_0 := paper_memory_blinded_share memory_share_0 blind_0).
    set (blinded_1 := paper_memory_blinded_share memory_share_1 blind_1).
    assert (d_0 : sized n blinded_0) by (apply sized_add; assumption).
    assert (d_1 : sized n blinded_1) by (apply sized_add; assumption).
    unfold sized in *.
    unfold parties_step_of, parties_of, paper_party_loaded_primary, paper_party_loaded_helper. cbv zeta.
    cbn [concat]. rewrite !app_nil_r, !inbox_app, !received_chunks_app.
    cbn [paper_party_PrimaryParty_role paper_party_other].
    repeat match goal with
    | |- context [paper_party_inbox (paper_session_chunks ?o ?k ?f ?t ?w) ?x] =>
        rewrite (chunks_to_others o k f t x w) by reflexivity
    | |- context [paper_party_received_chunks (paper_party_inbox (paper_session_chunks ?o ?k ?f ?t ?w) ?t) ?k' ?f'] =>
        rewrite (chunks_of_others o k f t k' f' w) by reflexivity
    end.
    rewrite !chunks_arrive by lia.
    cbn. rewrite <- !app_assoc. cbn [app]. rewrite !app_nil_r. reflexivity.
  Qed.
End Online.
