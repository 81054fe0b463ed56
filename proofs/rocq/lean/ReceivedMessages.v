(* Of messages, those to one party; and an item that nobody draws, in place of draws that a party does not have. For ReceiverP0.v, ReceiverP1.v, ReceiverP2.v. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection.
From Duoram.core Require Import VectorFacts.
From Duoram.lean Require Import Generation PreparedItems PreparingView CorrectionsUniform OperationView TapeDiscipline PreparingMessages ItemPlans ItemDraws ItemOnTapes SessionTapes.
From Duoram.Generated Require Import All.

Notation to_party number := (fun message : lean_session_Sent => ieqb (lean_session_Sent_to message) (repr 8 number)).

(* Of messages that are given one by one. *)
Ltac keep_messages :=
  cbn [filter lean_session_Sent_to];
  repeat match goal with |- context [ieqb (repr 8 ?a) (repr 8 ?b)] =>
    let v := eval vm_compute in (ieqb (repr 8 a) (repr 8 b)) in change (ieqb (repr 8 a) (repr 8 b)) with v end; cbv iota.

Lemma filter_flat_map {A B : Type} (keep : B -> bool) (f : A -> list B) (l : list A) : filter keep (flat_map f l) = flat_map (fun x => filter keep (f x)) l.
Proof. induction l as [|x l IH]; [reflexivity|]. cbn [flat_map]. rewrite filter_app, IH. reflexivity. Qed.
Lemma filter_spoken keep (l : list lean_session_Sent) : filter keep (lean_session_spoken l) = lean_session_spoken (filter keep l).
Proof.
  unfold lean_session_spoken. rewrite filter_flat_map. induction l as [|x l IH]; [reflexivity|]. cbn [flat_map filter]. rewrite IH.
  destruct (first _) eqn:e; cbn [filter]; destruct (keep x); cbn [flat_map]; rewrite ?e; reflexivity.
Qed.
Lemma filter_chunks (number : u8) operation kind from to (words : list W) :
  filter (fun message : lean_session_Sent => ieqb (lean_session_Sent_to message) number) (lean_session_chunks operation kind from to words)
  = if ieqb to number then lean_session_chunks operation kind from to words else [].
Proof.
  unfold lean_session_chunks. cbv zeta. induction (range _ _) as [|chunk chunks IH].
  - destruct (ieqb _ _); reflexivity.
  - cbn [map filter lean_session_Sent_to]. rewrite IH. destruct (ieqb to number); reflexivity.
Qed.

(* A round's messages from one primary to the other. *)
Definition round_to (from to : Z) (h operation : u64) (received : list (dpf_received (W := W))) (round : nat) : list lean_session_Sent :=
  lean_session_spoken (first_messages h from to operation round received ++ [second_message from to operation round received]).
Lemma filter_round_0 h operation to_0 to_1 round : filter (to_party 0) (round_messages (W := W) h operation to_0 to_1 round) = round_to 1 0 h operation to_0 round.
Proof. unfold round_messages. rewrite filter_spoken. reflexivity. Qed.
Lemma filter_round_1 h operation to_0 to_1 round : filter (to_party 1) (round_messages (W := W) h operation to_0 to_1 round) = round_to 0 1 h operation to_1 round.
Proof. unfold round_messages. rewrite filter_spoken. reflexivity. Qed.
Lemma filter_round_2 h operation to_0 to_1 round : filter (to_party 2) (round_messages (W := W) h operation to_0 to_1 round) = [].
Proof. unfold round_messages. rewrite filter_spoken. reflexivity. Qed.

(** * No item *)

Definition no_own : own_draws := (repr 64 0, (repr 128 0, repr 128 0)).
Definition no_common : common_draws := (repr 64 0, (repr 64 0, (repr 64 0, (repr 64 0, repr 64 0)))).
Definition no_dpf_0 (levels : nat) : dpf_draws_0 :=
  ((repeat (repr 64 0, (repr 128 0, repr 128 0)) levels, (repr 128 0, repr 64 0)), (repeat (repr 64 0) 8, repr 64 0)).
Definition no_dpf_1 (levels : nat) : seed_draws_1 := (repeat (repr 64 0, repr 128 0) levels, repr 64 0).
Definition no_item (h : u64) (p : lean_layers_Purpose) : item_drawn :=
  let levels := tree_level h p in
  (no_own, (no_own, (no_common, (((no_dpf_0 levels, no_dpf_0 levels), repr 64 0), (((no_dpf_1 levels, no_dpf_1 levels), (repr 64 0, repr 64 0)), (repr 64 0, repr 64 0)))))).
Lemma no_item_fits h p : item_fits h (op_for p) (no_item h p).
Proof.
  unfold no_item. set (levels := tree_level h p). assert (e : levels = tree_level h (purpose_of (op_for p))) by (rewrite purpose_of_op_for; reflexivity). clearbody levels.
  subst levels. split; constructor; unfold whole_0, whole_1; cbn [item_words with_0 with_1 no_own no_common no_dpf_0 no_dpf_1 fst snd];
    rewrite ?repeat_length; try split; reflexivity.
Qed.

(* Any list in place of a level's draws makes an item that is not whole: then take none. *)
Definition fits (h : u64) (p : lean_layers_Purpose) (i : item_drawn) : bool :=
  let whole w := Nat.eqb (length (fst (fst (with_0 w)))) (tree_level h p) && Nat.eqb (length (fst (snd (with_0 w)))) 8
    && Nat.eqb (length (fst (with_1 w))) (tree_level h p) in
  whole (item_words false i) && whole (item_words true i).
Lemma fits_is h p i : fits h p i = true <-> item_fits h (op_for p) i.
Proof.
  unfold fits, item_fits. rewrite purpose_of_op_for, !andb_true_iff, !Nat.eqb_eq. split.
  - intros [[[a b] c] [[a' b'] c']]. split; constructor; unfold whole_0, whole_1; try split; assumption.
  - intros [[[a b] c] [[a' b'] c']]. unfold whole_0, whole_1 in *. repeat split; assumption.
Qed.
Definition fitted (h : u64) (p : lean_layers_Purpose) (i : item_drawn) : item_drawn := if fits h p i then i else no_item h p.
Lemma fitted_fits h p i : item_fits h (op_for p) (fitted h p i).
Proof. unfold fitted. destruct (fits h p i) eqn:e; [apply fits_is, e | apply no_item_fits]. Qed.
Lemma fitted_same h p i : item_fits h (op_for p) i -> fitted h p i = i.
Proof. intros f. apply fits_is in f. unfold fitted. rewrite f. reflexivity. Qed.
