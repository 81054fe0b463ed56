(* What a party has of a session, and how messages are handed over: the ground on which the theorems on locality stand. And the
   first of them: connect. *)
From Coq Require Import Lia.
From Duoram.core Require Import VectorFacts Parties.
From Duoram.paper Require Export PayloadRoundTrip.
From Duoram.Generated Require Import All.

(** * A party's part of a session *)

Definition own {T : Type} (role : share_Primary) (pair : T * T) : T :=
  match role with
  | share_Primary_P0 => fst pair
  | share_Primary_P1 => snd pair
  end.

Definition primary_read (role : share_Primary) (item : paper_session_PreparedRead) : paper_party_PrimaryRead :=
  let units := paper_session_PreparedRead_units item in
  mk_paper_party_PrimaryRead (own role (paper_read_UnitVectors_p0 units, paper_read_UnitVectors_p1 units))
    (own role (paper_session_PreparedRead_random_index_shares item)).

Definition primary_update (role : share_Primary) (item : paper_session_PreparedUpdate) : paper_party_PrimaryUpdate :=
  let material := paper_session_PreparedUpdate_material item in
  let units := paper_update_UpdateMaterial_units material in
  let values := paper_update_UpdateMaterial_values material in
  let corrections := paper_update_UpdateMaterial_corrections material in
  mk_paper_party_PrimaryUpdate (own role (paper_read_UnitVectors_p0 units, paper_read_UnitVectors_p1 units))
    (own role (paper_update_ValueVectors_p0 values, paper_update_ValueVectors_p1 values))
    (own role (paper_update_CorrectionShares_p0 corrections, paper_update_CorrectionShares_p1 corrections))
    (own role (paper_session_PreparedUpdate_random_index_shares item)).

(* P2 has P0's vectors of DPF 2 and P1's of DPF 3. *)
Definition of_dpf_2 {T : Type} (vectors : T * T * T) : T := snd (fst vectors).
Definition of_dpf_3 {T : Type} (vectors : T * T * T) : T := snd vectors.

Definition helper_read (item : paper_session_PreparedRead) : paper_party_HelperRead :=
  let units := paper_session_PreparedRead_units item in
  mk_paper_party_HelperRead (of_dpf_2 (paper_read_UnitVectors_p0 units)) (of_dpf_3 (paper_read_UnitVectors_p1 units)).

Definition helper_update (item : paper_session_PreparedUpdate) : paper_party_HelperUpdate :=
  let material := paper_session_PreparedUpdate_material item in
  let units := paper_update_UpdateMaterial_units material in
  let values := paper_update_UpdateMaterial_values material in
  mk_paper_party_HelperUpdate (of_dpf_2 (paper_read_UnitVectors_p0 units)) (of_dpf_3 (paper_read_UnitVectors_p1 units))
    (of_dpf_2 (paper_update_ValueVectors_p0 values)) (of_dpf_3 (paper_update_ValueVectors_p1 values)).

Definition primary_of (role : share_Primary) (session : paper_session_Session) : paper_party_PrimaryParty prg_AesPrg :=
  let state := paper_session_Session_state session in
  mk_paper_party_PrimaryParty role (paper_session_Session_log_size session) (paper_session_Session_prg session)
    (own role (paper_session_Session_tape_0 session, paper_session_Session_tape_1 session))
    (own role (paper_memory_State_p0 state, paper_memory_State_p1 state))
    (map (primary_read role) (paper_session_Session_reads session))
    (map (primary_update role) (paper_session_Session_updates session))
    (paper_session_Session_operation session).

Definition helper_of (session : paper_session_Session) : paper_party_HelperParty prg_AesPrg :=
  mk_paper_party_HelperParty (paper_session_Session_log_size session) (paper_session_Session_prg session)
    (paper_session_Session_tape_2 session) (paper_memory_State_p2 (paper_session_Session_state session))
    (map helper_read (paper_session_Session_reads session)) (map helper_update (paper_session_Session_updates session))
    (paper_session_Session_operation session).

Definition parties_of (session : paper_session_Session) : paper_parties_Parties prg_AesPrg :=
  mk_paper_parties_Parties (primary_of share_Primary_P0 session) (primary_of share_Primary_P1 session) (helper_of session).

(* A step of the session, as the parties are to yield it. *)
Definition parties_step_of (step : paper_session_Step) : paper_parties_PartiesStep prg_AesPrg :=
  mk_paper_parties_PartiesStep (parties_of (paper_session_Step_session step)) (paper_session_Step_sent step)
    (map fst (paper_session_Step_results step)) (map snd (paper_session_Step_results step)).

(* A primary's part of a query. *)
Definition query_of (role : share_Primary) (query : paper_session_UpdateQuery) : paper_party_online_Query :=
  mk_paper_party_online_Query (own role (paper_session_UpdateQuery_address query)) (own role (paper_session_UpdateQuery_value query)).

(** * Delivery *)

(* Numbers of parties, kinds and rounds are literals: to compare them is to compute. *)
Ltac numbers :=
  cbn [paper_party_number paper_party_other];
  repeat match goal with
  | |- context [ieqb (repr ?w ?a) (repr ?w ?b)] =>
      let v := eval vm_compute in (ieqb (repr w a) (repr w b)) in change (ieqb (repr w a) (repr w b)) with v
  | |- context [ieqb (repr 32 ?a) (cast 32 (repr 64 ?b))] =>
      let v := eval vm_compute in (ieqb (repr 32 a) (cast 32 (repr 64 b))) in
      change (ieqb (repr 32 a) (cast 32 (repr 64 b))) with v
  end.
Ltac deliver :=
  unfold paper_party_inbox, paper_party_received, paper_party_online_say, paper_party_HELPER;
  cbn [concat app flat_map paper_session_Sent_kind paper_session_Sent_from paper_session_Sent_to paper_session_Sent_round
    paper_session_Sent_payload paper_party_number paper_party_other];
  numbers; rewrite ?ieqb_refl;
  cbn [andb app flat_map paper_session_Sent_kind paper_session_Sent_from paper_session_Sent_to paper_session_Sent_round
    paper_session_Sent_payload];
  numbers; rewrite ?ieqb_refl; cbn [andb app flat_map]; rewrite ?app_nil_r.

Lemma inbox_app (a b : list paper_session_Sent) (to : u8) :
  paper_party_inbox (a ++ b) to = paper_party_inbox a to ++ paper_party_inbox b to.
Proof. apply flat_map_app. Qed.

Lemma received_chunks_app (a b : list paper_session_Sent) (kind from : u8) :
  paper_party_received_chunks (a ++ b) kind from = paper_party_received_chunks a kind from ++ paper_party_received_chunks b kind from.
Proof. apply flat_map_app. Qed.

(* A vector that is sent in chunks arrives. *)
Lemma chunks_arrive (operation : u64) (kind from to : u8) (words : list u64) : Z.of_nat (length words) <= 2 ^ 63 ->
  paper_party_received_chunks (paper_party_inbox (paper_session_chunks operation kind from to words) to) kind from = words.
Proof.
  intros small. unfold paper_party_received_chunks, paper_party_inbox, paper_session_chunks. cbv zeta.
  rewrite flat_map_map. cbn [paper_session_Sent_to]. rewrite ieqb_refl, flat_map_flat_map.
  cbn [flat_map paper_session_Sent_kind paper_session_Sent_from paper_session_Sent_payload]. rewrite !ieqb_refl. cbn [andb].
  assert (ew : val paper_session_CHUNK_WORDS = 65536) by reflexivity.
  set (w := paper_session_CHUNK_WORDS) in *. assert (nw : Z.of_nat (nat_of w) = 65536) by (rewrite Z_nat_of; exact ew).
  assert (ec : Z.of_nat (nat_of (wshr (wadd (len words) (wsub w (repr 64 1))) (repr 32 16))) = (Z.of_nat (length words) + 65535) / 65536).
  { rewrite Z_nat_of, val_wshr by reflexivity. change (2 ^ val (repr 32 16)) with 65536. f_equal.
    rewrite val_wadd, val_len by lia. change (val (wsub w (repr 64 1))) with 65535. apply Z.mod_small. lia. }
  set (count := wshr _ _) in *. clearbody count.
  pose proof (Z.div_mod (Z.of_nat (length words) + 65535) 65536). pose proof (Z.mod_pos_bound (Z.of_nat (length words) + 65535) 65536).
  rewrite range_0, flat_map_map.
  etransitivity; [|apply (pieces_of words (nat_of w) (nat_of count)); nia].
  rewrite !flat_map_concat_map. f_equal. apply map_ext_in. intros k hk. apply in_seq in hk. rewrite app_nil_r.
  assert (ek : nat_of (wmul (of_nat k) w) = (k * nat_of w)%nat).
  { apply nat_of_wmul; [apply nat_of_of_nat; nia | reflexivity | nia]. }
  rewrite take_firstn, skip_skipn, ek. apply words_of_words_bytes. unfold fits. rewrite firstn_length. nia.
Qed.

(* To whom it is not, and who asks for another kind or sender, it does not. *)
Lemma chunks_to_others (operation : u64) (kind from to other : u8) (words : list u64) : ieqb to other = false ->
  paper_party_inbox (paper_session_chunks operation kind from to words) other = [].
Proof.
  intros h. unfold paper_party_inbox, paper_session_chunks. cbv zeta. rewrite flat_map_map. cbn [paper_session_Sent_to]. rewrite h.
  induction (range _ _) as [|k l IH]; [reflexivity | exact IH].
Qed.

Lemma chunks_of_others (operation : u64) (kind from to kind' from' : u8) (words : list u64) :
  ieqb kind kind' && ieqb from from' = false ->
  paper_party_received_chunks (paper_party_inbox (paper_session_chunks operation kind from to words) to) kind' from' = [].
Proof.
  intros h. unfold paper_party_received_chunks, paper_party_inbox, paper_session_chunks. cbv zeta.
  rewrite flat_map_map. cbn [paper_session_Sent_to]. rewrite ieqb_refl, flat_map_flat_map.
  cbn [flat_map paper_session_Sent_kind paper_session_Sent_from paper_session_Sent_payload]. rewrite h.
  induction (range _ _) as [|k l IH]; [reflexivity | exact IH].
Qed.

(** * Connect *)

Theorem parties_connect (h : u64) (words_0 words_1 words_2 : list u64) :
  paper_parties_connect h words_0 words_1 words_2 = parties_step_of (paper_session_connect h words_0 words_1 words_2).
Proof.
  unfold paper_parties_connect, paper_session_connect, parties_step_of, parties_of, primary_of, helper_of. cbv zeta.
  cbn [paper_session_Step_session paper_session_Step_sent paper_session_Step_results map own fst snd
    paper_session_Session_log_size paper_session_Session_prg paper_session_Session_tape_0 paper_session_Session_tape_1
    paper_session_Session_tape_2 paper_session_Session_state paper_session_Session_reads paper_session_Session_updates
    paper_session_Session_operation].
  assert (numbers : range (repr 8 0) (repr 8 3) = [repr 8 0; repr 8 1; repr 8 2]) by reflexivity.
  assert (say : forall number words, paper_party_say_hello number h words
    = flat_map (fun to => if ieqb to number then [] else
        [mk_paper_session_Sent (repr 8 1) number to (repr 64 0) (repr 32 0) (paper_payload_hello (paper_party_contribution words) h)])
      [repr 8 0; repr 8 1; repr 8 2]) by (intros; rewrite <- numbers; reflexivity).
  unfold paper_party_connected_primary, paper_party_connected_helper, paper_party_session_prg. rewrite numbers, !say. clear say.
  cbn [flat_map]. deliver. cbn [fold_left]. deliver. rewrite !hello_round_trip.
  destruct (paper_payload_hello_of []) as [? ?].
  unfold paper_party_started_primary, paper_party_started_helper, paper_party_contribution, paper_party_CONTRIBUTION_WORDS,
    paper_party_size. cbv zeta.
  set (c_0 := paper_tape_peek_block (paper_tape_tape words_0) (repr 64 0)).
  set (c_1 := paper_tape_peek_block (paper_tape_tape words_1) (repr 64 0)).
  set (c_2 := paper_tape_peek_block (paper_tape_tape words_2) (repr 64 0)).
  replace (ixor (ixor c_1 c_0) c_2) with (ixor (ixor c_0 c_1) c_2) by xor_and.
  replace (ixor (ixor c_2 c_0) c_1) with (ixor (ixor c_0 c_1) c_2) by xor_and.
  reflexivity.
Qed.
