(* Who is sent what, in a session of the paper's protocol: every message that a step sends, by its kind, its sender and its
   receiver, is the table's ([links]); and what P2 is sent while items are made is P0's keys of DPF 2 and P1's of DPF 3 and nothing
   else ([p2_is_given_keys_of_dpf_2_and_3]), so that it does not hang on DPF 1 but through what the three DPFs have in common,
   the shares of ri ([p2_is_given_nothing_of_dpf_1]).

   That tells nothing by itself of what a payload gives away: the theorems on privacy do. *)
From Coq Require Import Lia.
From Duoram.core Require Import VectorFacts.
From Duoram.paper Require Import SessionSteps.
From Duoram.Generated Require Import All.

(** * The table *)

(* A message's kind, who sends it, and to whom. *)
Definition link (message : paper_session_Sent) : u8 * (u8 * u8) :=
  (paper_session_Sent_kind message, (paper_session_Sent_from message, paper_session_Sent_to message)).

Definition links_of_kind (kind : Z) (pairs : list (Z * Z)) : list (u8 * (u8 * u8)) :=
  map (fun '(from, to) => (repr 8 kind, (repr 8 from, repr 8 to))) pairs.
Definition chunk_links (words kind from to : Z) : list (u8 * (u8 * u8)) :=
  repeat (repr 8 kind, (repr 8 from, repr 8 to)) (Z.to_nat ((words + 65535) / 65536)).

Definition read_links : list (u8 * (u8 * u8)) :=
  links_of_kind 10 [(0, 1); (0, 2); (1, 0); (1, 2)] ++ links_of_kind 11 [(2, 0); (2, 1)].
Definition update_links : list (u8 * (u8 * u8)) :=
  links_of_kind 12 [(0, 1)] ++ links_of_kind 13 [(0, 2)] ++ links_of_kind 12 [(1, 0)] ++ links_of_kind 13 [(1, 2)].

(* P2 gives each primary its triples; the primaries tell each other the levels and the conversion; P2 is given keys. *)
Definition batch_links (h : u64) : list (u8 * (u8 * u8)) :=
  links_of_kind 4 [(2, 0); (2, 1)] ++
  concat (repeat (links_of_kind 5 [(0, 1); (1, 0)] ++ links_of_kind 6 [(0, 1); (1, 0)]) (nat_of h)) ++
  links_of_kind 7 [(0, 1); (1, 0)] ++ links_of_kind 8 [(0, 1); (1, 0)] ++ links_of_kind 9 [(0, 2); (1, 2)].

Definition links (h : u64) (step : session_step) : list (u8 * (u8 * u8)) :=
  match step with
  | step_load memory_share_0 _ =>
      let words := Z.of_nat (length memory_share_0) in
      chunk_links words 2 0 1 ++ chunk_links words 3 0 2 ++ chunk_links words 2 1 0 ++ chunk_links words 3 1 2
  | step_preprocess _ _ => batch_links h
  | step_reads _ => read_links
  | step_updates _ => update_links
  | step_write _ => read_links ++ update_links
  end.

(** * Every step sends along it *)

Lemma map_repeat {A B : Type} (f : A -> B) (l : list A) (x : B) : (forall a, f a = x) -> map f l = repeat x (length l).
Proof. intros e. induction l as [|a l IH]; [reflexivity|]. cbn. rewrite e, IH. reflexivity. Qed.

Lemma flat_map_repeat {A B : Type} (f : A -> list B) (l : list A) (x : list B) : (forall a, f a = x) ->
  flat_map f l = concat (repeat x (length l)).
Proof. intros e. induction l as [|a l IH]; [reflexivity|]. cbn. rewrite e, IH. reflexivity. Qed.

Lemma map_flat_map {A B C : Type} (f : B -> C) (g : A -> list B) (l : list A) : map f (flat_map g l) = flat_map (fun a => map f (g a)) l.
Proof. induction l as [|a l IH]; [reflexivity|]. cbn. rewrite map_app, IH. reflexivity. Qed.

Lemma updates_links session queries : map link (paper_session_Step_sent (paper_session_updates session queries)) = update_links.
Proof. unfold paper_session_updates. cbv zeta. destruct (fold_left _ _ _). reflexivity. Qed.

Lemma chunks_links operation (kind from to : Z) (words : list u64) (n : nat) : length words = n -> Z.of_nat n + 65535 < 2 ^ 64 ->
  map link (paper_session_chunks operation (repr 8 kind) (repr 8 from) (repr 8 to) words) = chunk_links (Z.of_nat n) kind from to.
Proof.
  intros <- small. unfold paper_session_chunks. cbv zeta. rewrite map_map.
  rewrite (map_repeat _ _ (repr 8 kind, (repr 8 from, repr 8 to))) by reflexivity.
  unfold chunk_links. f_equal. rewrite range_length. change (nat_of (repr 64 0)) with 0%nat. rewrite Nat.sub_0_r.
  unfold nat_of. f_equal. rewrite val_wshr by reflexivity. change (val (repr 32 16)) with 16. change (2 ^ 16) with 65536.
  f_equal. change (wsub paper_session_CHUNK_WORDS (repr 64 1)) with (repr 64 65535). rewrite val_wadd, val_len by lia.
  change (val (repr 64 65535)) with 65535. apply Z.mod_small. lia.
Qed.

Theorem each_message_goes_where_the_table_says session step :
  match step with
  | step_load memory_share_0 memory_share_1 =>
      length memory_share_1 = length memory_share_0 /\ Z.of_nat (length memory_share_0) + 65535 < 2 ^ 64
  | _ => True
  end ->
  map link (paper_session_Step_sent (take_step session step)) = links (paper_session_Session_log_size session) step.
Proof.
  intros premise. destruct step as [memory_share_0 memory_share_1|reads updates|addresses|queries|query]; cbn [take_step links].
  - destruct premise as [same small]. unfold paper_session_load. cbv zeta. cbn [paper_session_Step_sent concat].
    rewrite !map_app. cbn [map]. rewrite !app_nil_r.
    assert (drawn : forall tape, length (map (fun i => paper_tape_peek tape i) (range (repr 64 0) (len memory_share_0)))
      = length memory_share_0) by (intros tape; rewrite map_range_0_length; apply nat_of_len; lia).
    rewrite !(chunks_links _ _ _ _ _ (length memory_share_0)); try exact small; try apply drawn; try reflexivity;
      cbn [paper_memory_shared paper_memory_State_p0 paper_memory_State_p1 paper_memory_PrimaryState_blinded];
      rewrite vector_add_length; rewrite ?drawn; congruence.
  - unfold paper_session_preprocess. cbv zeta. cbn [paper_session_Step_sent]. unfold paper_session_batch_messages. cbv zeta.
    cbn [concat]. rewrite !map_app, (map_flat_map link), app_nil_r. unfold batch_links. rewrite <- ?app_assoc.
    rewrite (flat_map_repeat _ _ (links_of_kind 5 [(0, 1); (1, 0)] ++ links_of_kind 6 [(0, 1); (1, 0)])) by reflexivity.
    rewrite range_length. change (nat_of (repr 64 0)) with 0%nat. rewrite Nat.sub_0_r. reflexivity.
  - reflexivity.
  - apply updates_links.
  - unfold paper_session_write. cbv zeta. destruct (paper_session_UpdateQuery_value query) as [m_0 m_1].
    destruct (match first _ with Some shares => shares | None => _ end) as [read_0 read_1].
    cbn [paper_session_Step_sent]. rewrite concat_pair, map_app, updates_links. reflexivity.
Qed.

(** * What P2 is given *)

Definition to_p2 (messages : list paper_session_Sent) : list paper_session_Sent :=
  filter (fun message => ieqb (paper_session_Sent_to message) (repr 8 2)) messages.

(* The items that a batch makes. *)
Definition batch_items (session : paper_session_Session) (reads updates : u64) : list (paper_preprocessing_Item u64) :=
  map (fun j => fst (paper_session_prepare_item session j reads)) (range (repr 64 0) (wadd reads updates)).

Theorem p2_is_given_keys_of_dpf_2_and_3 session (reads updates : u64) :
  let items := batch_items session reads updates in
  let message := fun from => mk_paper_session_Sent (repr 8 9) from (repr 8 2) (paper_session_Session_operation session) (repr 32 0) in
  to_p2 (paper_session_Step_sent (paper_session_preprocess session reads updates))
  = [message (repr 8 0) (paper_payload_helper_keys share_Primary_P0 (map (fun item => paper_preprocessing_Item_dpf_2 item) items));
     message (repr 8 1) (paper_payload_helper_keys share_Primary_P1 (map (fun item => paper_preprocessing_Item_dpf_3 item) items))].
Proof.
  intros items message. unfold paper_session_preprocess. cbv zeta. cbn [paper_session_Step_sent].
  unfold paper_session_batch_messages. cbv zeta. cbn [concat].
  unfold to_p2. rewrite !filter_app.
  match goal with |- context [filter ?p (flat_map ?f ?l)] => assert (none : filter p (flat_map f l) = []) end.
  { generalize (range (repr 64 0) (paper_session_Session_log_size session)) as levels. intros levels.
    induction levels as [|level levels IH]; [reflexivity|]. cbn [flat_map]. rewrite filter_app, IH. reflexivity. }
  rewrite none. unfold items, batch_items, message. rewrite !map_map.
  assert (e : forall (g : paper_preprocessing_Item u64 -> paper_preprocessing_Dpf u64),
    map (fun x => g (let '(item, _) := paper_session_prepare_item session x reads in item)) (range (repr 64 0) (wadd reads updates))
    = map (fun x => g (fst (paper_session_prepare_item session x reads))) (range (repr 64 0) (wadd reads updates))).
  { intros g. apply map_ext. intros j. destruct (paper_session_prepare_item session j reads). reflexivity. }
  assert (second := e (fun item => paper_preprocessing_Item_dpf_2 item)). assert (third := e (fun item => paper_preprocessing_Item_dpf_3 item)).
  cbv beta in second, third. rewrite <- second, <- third. reflexivity.
Qed.

(* Items that have DPF 2 and DPF 3 in common are the same to P2 while they are made, whatever DPF 1 is. *)
Corollary p2_is_given_nothing_of_dpf_1 session session' (reads updates : u64) :
  paper_session_Session_operation session = paper_session_Session_operation session' ->
  map (fun item => (paper_preprocessing_Item_dpf_2 item, paper_preprocessing_Item_dpf_3 item)) (batch_items session reads updates)
  = map (fun item => (paper_preprocessing_Item_dpf_2 item, paper_preprocessing_Item_dpf_3 item)) (batch_items session' reads updates) ->
  to_p2 (paper_session_Step_sent (paper_session_preprocess session reads updates))
  = to_p2 (paper_session_Step_sent (paper_session_preprocess session' reads updates)).
Proof.
  intros operation same. rewrite !p2_is_given_keys_of_dpf_2_and_3, operation. cbv zeta.
  assert (second := f_equal (map fst) same). assert (third := f_equal (map snd) same).
  rewrite !map_map in second, third. cbn [fst snd] in second, third. rewrite second, third. reflexivity.
Qed.
