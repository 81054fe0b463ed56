(* Whoever receives messages in a session: a party by its number, what it sees of a load, of a READ, of an UPDATE, of an item that is made, and
   how the messages to it, byte for byte, are made of that ([receiver], [lawful]). SessionReceived.v has the primaries as receivers, HelperReceived.v has P2;
   SessionRuns.v puts a session's messages together for any receiver.

   Before that, what a session's steps send, of its draws and of the outcomes of READs and UPDATEs. A step is [step_of_draws] of TapeDiscipline.v, which
   is what the step on its tapes does. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection.
From Duoram.core Require Import VectorFacts.
From Duoram.paper Require Import SessionSteps TapeDiscipline.
From Duoram.Generated Require Import All.

(* The messages to one party. *)
Definition sent_to (number : u8) (sent : list paper_session_Sent) : list paper_session_Sent :=
  filter (fun message => ieqb (paper_session_Sent_to message) number) sent.
Lemma sent_to_app number a b : sent_to number (a ++ b) = sent_to number a ++ sent_to number b.
Proof. apply filter_app. Qed.
Lemma sent_to_flat_map {T : Type} number (f : T -> list paper_session_Sent) (l : list T) :
  sent_to number (flat_map f l) = flat_map (fun x => sent_to number (f x)) l.
Proof. induction l as [|x l IH]; [reflexivity|]. cbn [flat_map]. rewrite sent_to_app, IH. reflexivity. Qed.
Lemma sent_to_chunks number operation kind from to words :
  sent_to number (paper_session_chunks operation kind from to words)
  = if ieqb to number then paper_session_chunks operation kind from to words else [].
Proof.
  unfold paper_session_chunks. cbv zeta. induction (range _ _) as [|chunk chunks IH].
  - destruct (ieqb _ _); reflexivity.
  - cbn [map]. unfold sent_to in *. cbn [filter]. cbn [paper_session_Sent_to]. rewrite IH. destruct (ieqb to number); reflexivity.
Qed.

(** * READs and UPDATEs *)

(* A prepared item serves a READ, or an UPDATE. *)
Definition for_read (item : paper_preprocessing_Item u64) : paper_session_PreparedRead :=
  mk_paper_session_PreparedRead (paper_preprocessing_unit_vectors item) (paper_preprocessing_random_index_shares item).
Definition for_update (item : paper_preprocessing_Item u64) (deltas : u64 * u64) : paper_session_PreparedUpdate :=
  mk_paper_session_PreparedUpdate (paper_preprocessing_update_material item (fst deltas) (snd deltas))
    (paper_preprocessing_random_index_shares item).

Definition read_with (state : paper_memory_State u64) (item : paper_preprocessing_Item u64) (address : u64 * u64) (rho : u64) :
  paper_read_Read u64 :=
  paper_read_read state (paper_preprocessing_unit_vectors item) (paper_preprocessing_random_index_shares item) address rho.
Definition updating_by (state : paper_memory_State u64) (item : paper_preprocessing_Item u64) (deltas : u64 * u64)
  (query : paper_session_UpdateQuery) : paper_update_Update u64 :=
  paper_update_update state (paper_preprocessing_update_material item (fst deltas) (snd deltas))
    (paper_preprocessing_random_index_shares item) (paper_session_UpdateQuery_address query) (paper_session_UpdateQuery_value query).

Definition reads_done (state : paper_memory_State u64) (addresses : list (u64 * u64)) (items : list (paper_preprocessing_Item u64)) (masks : list u64) :
  list (paper_preprocessing_Item u64 * paper_read_Read u64) :=
  map (fun '((address, item), rho) => (item, read_with state item address rho)) (combine (combine addresses items) masks).
Definition all_of_reads (operation : u64) (done : list (paper_read_Read u64)) : list paper_session_Sent :=
  let message := fun (kind from to : u8) (words : list u64) =>
    mk_paper_session_Sent kind from to operation (repr 32 0) (bytes_words_bytes words) in
  [message (repr 8 10) (repr 8 0) (repr 8 1) (map (fun o => paper_read_Read_shift_0 o) done);
   message (repr 8 10) (repr 8 0) (repr 8 2) (map (fun o => paper_read_Read_shift_0 o) done);
   message (repr 8 10) (repr 8 1) (repr 8 0) (map (fun o => paper_read_Read_shift_1 o) done);
   message (repr 8 10) (repr 8 1) (repr 8 2) (map (fun o => paper_read_Read_shift_1 o) done);
   message (repr 8 11) (repr 8 2) (repr 8 0) (map (fun o => paper_read_Read_gamma_0 o) done);
   message (repr 8 11) (repr 8 2) (repr 8 1) (map (fun o => paper_read_Read_gamma_1 o) done)].

Lemma reads_are_done session (addresses : list (u64 * u64)) (items : list (paper_preprocessing_Item u64)) (masks : list u64) more :
  paper_session_Session_reads session = map for_read items ++ more -> length items = length addresses -> length masks = length addresses ->
  let done := reads_done (paper_session_Session_state session) addresses items masks in
  paper_session_Step_sent (reads_of_draws session addresses masks) = all_of_reads (paper_session_Session_operation session) (map snd done) /\
  paper_session_Step_results (reads_of_draws session addresses masks)
    = map (fun o => (paper_read_Read_read_0 (snd o), paper_read_Read_read_1 (snd o))) done.
Proof.
  intros held li lm. cbv zeta. unfold reads_of_draws. cbv zeta. cbn [step_with paper_session_Step_sent paper_session_Step_results].
  rewrite held.
  assert (e : map (fun '((address, item), mask) => paper_read_read (paper_session_Session_state session) (paper_session_PreparedRead_units item)
        (paper_session_PreparedRead_random_index_shares item) address mask)
      (combine (combine addresses (map for_read items ++ more)) masks)
    = map snd (reads_done (paper_session_Session_state session) addresses items masks)).
  { unfold reads_done. clear held. revert items masks li lm. induction addresses as [|a addresses IH]; intros [|i items] [|m masks] li lm;
      try discriminate; [reflexivity|]. injection li as li. injection lm as lm. cbn [map app combine]. f_equal. apply IH; assumption. }
  rewrite e. split; [reflexivity|]. rewrite map_map. reflexivity.
Qed.

(* One UPDATE after the other. *)
Fixpoint updates_done (state : paper_memory_State u64) (l : list (paper_session_UpdateQuery * (paper_preprocessing_Item u64 * (u64 * u64)))) :
  paper_memory_State u64 * list (paper_preprocessing_Item u64 * paper_update_Update u64) :=
  match l with
  | [] => (state, [])
  | (query, (item, deltas)) :: l =>
      let outcome := updating_by state item deltas query in
      let '(state, done) := updates_done (paper_update_Update_state outcome) l in (state, (item, outcome) :: done)
  end.
Definition all_of_updates (operation : u64) (done : list (paper_update_Update u64)) : list paper_session_Sent :=
  let messages_0 := map (fun o => paper_update_Update_message_0 o) done in
  let messages_1 := map (fun o => paper_update_Update_message_1 o) done in
  let message := fun (kind from to : u8) (payload : list u8) => mk_paper_session_Sent kind from to operation (repr 32 0) payload in
  [message (repr 8 12) (repr 8 0) (repr 8 1) (paper_payload_update messages_0);
   message (repr 8 13) (repr 8 0) (repr 8 2) (paper_payload_helper_update messages_0);
   message (repr 8 12) (repr 8 1) (repr 8 0) (paper_payload_update messages_1);
   message (repr 8 13) (repr 8 1) (repr 8 2) (paper_payload_helper_update messages_1)].

Lemma updates_are_done session (queries : list paper_session_UpdateQuery) (items : list (paper_preprocessing_Item u64 * (u64 * u64))) more :
  paper_session_Session_updates session = map (uncurry for_update) items ++ more -> length items = length queries ->
  let '(state, done) := updates_done (paper_session_Session_state session) (combine queries items) in
  paper_session_Step_sent (paper_session_updates session queries) = all_of_updates (paper_session_Session_operation session) (map snd done) /\
  paper_session_Session_state (paper_session_Step_session (paper_session_updates session queries)) = state.
Proof.
  intros held li. unfold paper_session_updates. cbv zeta. rewrite held. clear held.
  match goal with |- context [fold_left ?f _ _] => set (one := f) end.
  assert (e : forall queries items before state, length items = length queries ->
    fold_left one (combine queries (map (uncurry for_update) items ++ more)) (state, before)
    = let '(state, done) := updates_done state (combine queries items) in (state, before ++ map snd done)).
  { clear. induction queries as [|q queries IH]; intros [|[item deltas] items] before state l; try discriminate.
    - cbn. rewrite app_nil_r. reflexivity.
    - injection l as l. cbn [map app combine fold_left updates_done]. cbv zeta. unfold one at 2. cbv zeta. rewrite concat_pair.
      rewrite IH by exact l. cbn [uncurry for_update paper_session_PreparedUpdate_material paper_session_PreparedUpdate_random_index_shares].
      fold (updating_by state item deltas q).
      destruct (updates_done (paper_update_Update_state (updating_by state item deltas q)) (combine queries items)) as [state' done].
      cbn [map snd]. rewrite <- app_assoc. reflexivity. }
  rewrite e by exact li. destruct (updates_done _ _) as [state done]. cbn [app]. split; reflexivity.
Qed.

(** * A batch *)

(* What both primaries and P2 draw for an item, and P0's deltas. *)
Notation full := ((primary_draws * (primary_draws * dealt_draws)) * (u64 * u64))%type.

(* What TapeDiscipline.v calls a batch's draws. *)
Definition batch_of (reads updates : list full) : step_draws :=
  batch_draws (map (fun f => fst (fst f)) reads) (map (fun f => (fst (fst f), snd f)) updates)
    (map (fun f => fst (snd (fst f))) (reads ++ updates)) (map (fun f => snd (snd (fst f))) (reads ++ updates)).

Lemma batch_items_drawn (reads updates : list full) :
  drawn_items (map (fun f => fst (fst f)) reads) (map (fun f => (fst (fst f), snd f)) updates)
    (map (fun f => fst (snd (fst f))) (reads ++ updates)) (map (fun f => snd (snd (fst f))) (reads ++ updates))
  = map fst (reads ++ updates).
Proof.
  unfold drawn_items. rewrite map_map. cbn [fst]. rewrite <- map_app. induction (reads ++ updates) as [|[[p_0 [p_1 d]] deltas] l IH]; [reflexivity|].
  cbn [map combine]. rewrite IH. reflexivity.
Qed.

(** * A receiver *)

Section Receiver.
  Context (prg : prg_AesPrg) (h : u64).

  Definition full_item (f : full) : paper_preprocessing_Item u64 := item_of_draws prg h (fst f).

  (* V is what it sees of a run: a load, a READ or an UPDATE with its item, an item that nothing uses. Own is what it has of an item's draws, Made
     what it receives while the item is made. *)
  Record receiver {V Own Made : Type} : Type := {
    receiver_number : u8;
    seen_load : list u64 * list u64 -> list u64 * list u64 -> V;
    seen_read : paper_preprocessing_Item u64 -> paper_read_Read u64 -> V;
    seen_update : paper_preprocessing_Item u64 -> paper_update_Update u64 -> V;
    seen_idle : paper_preprocessing_Item u64 -> V;
    has_of : full -> Own;
    made_for : paper_preprocessing_Item u64 -> Made;
    made_in : V -> option Made;
    (* The messages to it, of the step with this number. *)
    load_sent : u64 -> V -> list paper_session_Sent;
    batch_sent : u64 -> list Own -> list Own -> list Made -> list paper_session_Sent;
    reads_sent : u64 -> list V -> list paper_session_Sent;
    updates_sent : u64 -> list V -> list paper_session_Sent;
  }.
  Arguments receiver : clear implicits.

  Definition messages_to {V Own Made : Type} (to : receiver V Own Made) : list paper_session_Sent -> list paper_session_Sent :=
    sent_to (receiver_number to).

  (* These are the messages to it, and its views say what it received of an item that was made. *)
  Record lawful {V Own Made : Type} (to : receiver V Own Made) : Prop := {
    lawful_load : forall session memory_shares blinds,
      messages_to to (paper_session_Step_sent (load_of_draws session (fst memory_shares) (snd memory_shares) (fst blinds) (snd blinds)))
      = load_sent to (paper_session_Session_operation session) (seen_load to memory_shares blinds);
    lawful_batch : forall session (reads updates : list full),
      paper_session_Session_log_size session = h -> paper_session_Session_prg session = prg ->
      messages_to to (paper_session_Step_sent
        (step_of_draws session (step_preprocess (of_nat (length reads)) (of_nat (length updates))) (batch_of reads updates)))
      = batch_sent to (paper_session_Session_operation session) (map (has_of to) reads) (map (has_of to) updates)
          (map (fun f => made_for to (full_item f)) (reads ++ updates));
    lawful_reads : forall operation (done : list (paper_preprocessing_Item u64 * paper_read_Read u64)),
      messages_to to (all_of_reads operation (map snd done)) = reads_sent to operation (map (uncurry (seen_read to)) done);
    lawful_updates : forall operation (done : list (paper_preprocessing_Item u64 * paper_update_Update u64)),
      messages_to to (all_of_updates operation (map snd done)) = updates_sent to operation (map (uncurry (seen_update to)) done);
    lawful_made_read : forall item run, made_in to (seen_read to item run) = Some (made_for to item);
    lawful_made_update : forall item run, made_in to (seen_update to item run) = Some (made_for to item);
    lawful_made_idle : forall item, made_in to (seen_idle to item) = Some (made_for to item);
  }.
End Receiver.
Arguments receiver : clear implicits.
