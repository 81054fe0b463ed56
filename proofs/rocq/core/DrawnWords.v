(* Random words, and what they are cut into: lists of words that stand one behind the other on a tape, and bijections between
   structures (a block, a list of things, things beside each other) and the lists of words that they are read off.

   A structure that is in bijection with all lists of k words is, over a uniform tape, uniform: each value is read off equally
   many tapes. And what is read off places that no other thing is read off is independent of all else. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection.
From Duoram.core Require Import VectorFacts LabelFacts.
From Duoram.Generated Require Import All.

(** * Where words stand *)

(* From place [start] on, [words] goes on with [l]. *)
Definition stands (words : list u64) (start : nat) (l : list u64) : Prop :=
  exists used rest, words = used ++ l ++ rest /\ length used = start.

Lemma stands_nth (words : list u64) (start : nat) (l : list u64) (k : nat) (w d : u64) :
  stands words start l -> nth_error l k = Some w -> nth (start + k) words d = w.
Proof.
  intros (used & rest & -> & <-) e. rewrite app_nth2 by lia. replace (length used + k - length used)%nat with k by lia.
  rewrite app_nth1 by (apply nth_error_Some; congruence). apply nth_error_nth, e.
Qed.

Lemma stands_part (words : list u64) (start : nat) (a b c : list u64) :
  stands words start (a ++ b ++ c) -> stands words (start + length a) b.
Proof.
  intros (used & rest & -> & <-). exists (used ++ a), (c ++ rest). rewrite app_length, <- !app_assoc. split; reflexivity.
Qed.

(** * What is cut into parts of one length *)

Section Parts.
  Context {T : Type} (f : T -> list u64) (k : nat).

  Lemma flat_map_length_const (l : list T) : Forall (fun x => length (f x) = k) l -> length (flat_map f l) = (length l * k)%nat.
  Proof. induction 1 as [|x l hx _ IH]; [reflexivity|]. simpl. rewrite app_length. lia. Qed.

  Lemma flat_map_around (l : list T) (j : nat) (d : T) : (j < length l)%nat ->
    flat_map f l = flat_map f (firstn j l) ++ f (nth j l d) ++ flat_map f (skipn (S j) l).
  Proof.
    revert j. induction l as [|x l IH]; intros [|j] h; simpl in *; try lia; [reflexivity|].
    rewrite (IH j) at 1 by lia. rewrite <- app_assoc. reflexivity.
  Qed.

  Lemma flat_map_firstn_length (l : list T) (j : nat) : Forall (fun x => length (f x) = k) l -> (j <= length l)%nat ->
    length (flat_map f (firstn j l)) = (j * k)%nat.
  Proof.
    intros hl h. rewrite flat_map_length_const.
    - rewrite firstn_length_le by assumption. reflexivity.
    - rewrite <- (firstn_skipn j l) in hl. apply Forall_app in hl as [hl _]. exact hl.
  Qed.
End Parts.

Lemma firstn_of_app {T : Type} (k : nat) (a b : list T) : length a = k -> firstn k (a ++ b) = a.
Proof. intros <-. rewrite firstn_app, firstn_all, Nat.sub_diag. apply app_nil_r. Qed.
Lemma skipn_of_app {T : Type} (k : nat) (a b : list T) : length a = k -> skipn k (a ++ b) = b.
Proof. intros <-. rewrite skipn_app, skipn_all, Nat.sub_diag. reflexivity. Qed.

(** * Structures and lists of words *)

(* All lists of k words: what a uniform tape yields. *)
Definition words (k : nat) (l : list u64) : Prop := length l = k.

(* The values of T that are drawn, as lists of k words. *)
Definition read_off {T : Type} (drawn : T -> Prop) (k : nat) : Type := bijection drawn (words k).

(* What is drawn may be anything of its type. *)
Definition any {T : Type} : T -> Prop := fun _ => True.

Definition word_read_off : read_off (@any u64) 1.
Proof.
  refine {| forth := fun w => [w]; back := fun l => nth 0 l (repr 64 0) |}; unfold words, any; trivial.
  intros [|w [|? ?]] h; try discriminate h. reflexivity.
Defined.

Definition block_words (x : u128) : list u64 := [block_low_half x; block_high_half x].
Definition block_read_off : read_off (@any u128) 2.
Proof.
  refine {| forth := block_words; back := fun l => block_block_of_halves (nth 0 l (repr 64 0)) (nth 1 l (repr 64 0)) |};
    unfold words, any, block_words; trivial.
  - intros x _. apply block_of_halves_of.
  - intros [|low [|high [|? ?]]] h; try discriminate h. cbn [nth]. rewrite low_half_of_halves, high_half_of_halves. reflexivity.
Defined.

(* No value is left out. *)
Definition anything {T : Type} {drawn : T -> Prop} {k : nat} (f : read_off drawn k) (all : forall x, drawn x) : read_off (@any T) k.
Proof.
  refine {| forth := forth f; back := back f |}; intros; try exact I;
    first [apply (forth_drawn f) | apply (back_forth f) | apply (forth_back f)]; auto.
Defined.

(* What is drawn, in other words. *)
Definition restated {T : Type} {drawn drawn' : T -> Prop} {k : nat} (f : read_off drawn k) (same : forall x, drawn' x <-> drawn x) :
  read_off drawn' k.
Proof.
  refine {| forth := forth f; back := back f |}; intros x hx.
  - apply (forth_drawn f), same, hx.
  - apply same, (back_drawn f), hx.
  - apply (back_forth f), same, hx.
  - apply (forth_back f), hx.
Defined.

(* One behind the other. *)
Theorem pair_read_off {A B : Type} {a : A -> Prop} {b : B -> Prop} {m n : nat} (f : read_off a m) (g : read_off b n) :
  read_off (fun '(x, y) => a x /\ b y) (m + n).
Proof.
  refine {| forth := fun '(x, y) => forth f x ++ forth g y; back := fun l => (back f (firstn m l), back g (skipn m l)) |};
    unfold words.
  - intros [x y] [hx hy]. rewrite app_length. pose proof (forth_drawn f x hx). pose proof (forth_drawn g y hy).
    unfold words in *. lia.
  - intros l h. split; [apply (back_drawn f) | apply (back_drawn g)]; unfold words.
    + apply firstn_length_le. lia.
    + rewrite skipn_length. lia.
  - intros [x y] [hx hy]. rewrite firstn_of_app, skipn_of_app by (apply (forth_drawn f), hx).
    rewrite !back_forth by assumption. reflexivity.
  - intros l h. rewrite !forth_back by (unfold words; rewrite ?firstn_length_le, ?skipn_length; lia). apply firstn_skipn.
Defined.

Definition both {A B : Type} {m n : nat} (f : read_off (@any A) m) (g : read_off (@any B) n) : read_off (@any (A * B)) (m + n) :=
  anything (pair_read_off f g) (fun '(_, _) => conj I I).

(* As many as there are to be. *)
Theorem list_read_off {T : Type} {drawn : T -> Prop} {k : nat} (f : read_off drawn k) (n : nat) :
  read_off (fun l => length l = n /\ Forall drawn l) (n * k).
Proof.
  refine {| forth := flat_map (forth f);
            back := (fix cut (n : nat) (l : list u64) := match n with
              | O => []
              | S n => back f (firstn k l) :: cut n (skipn k l)
              end) n |}; unfold words.
  - intros l [hn hl]. rewrite <- hn. apply flat_map_length_const. revert hl. apply Forall_impl. apply (forth_drawn f).
  - induction n as [|n IH]; intros l h; [split; [reflexivity | constructor]|]. simpl in h.
    destruct (IH (skipn k l)) as [a b]; [rewrite skipn_length; lia|].
    split; [simpl; congruence|]. constructor; [|exact b]. apply (back_drawn f). unfold words. apply firstn_length_le. lia.
  - intros l [hn hl]. revert n hn. induction hl as [|x l hx _ IH]; intros n <-; [reflexivity|]. cbn [length flat_map].
    rewrite firstn_of_app, skipn_of_app by (apply (forth_drawn f), hx). rewrite back_forth by assumption.
    f_equal. apply IH. reflexivity.
  - induction n as [|n IH]; intros l h; [destruct l; [reflexivity | discriminate h]|]. simpl in h. cbn [flat_map].
    rewrite IH, forth_back by (unfold words; rewrite ?firstn_length_le, ?skipn_length; lia). apply firstn_skipn.
Defined.

(* The same by another name: [rename] is one-to-one between what is drawn here and there. *)
Definition renamed {A B : Type} {a : A -> Prop} {b : B -> Prop} {k : nat} (f : bijection b a) (g : read_off a k) : read_off b k.
Proof.
  refine {| forth := fun y => forth g (forth f y); back := fun l => back f (back g l) |}.
  - intros y hy. apply (forth_drawn g), (forth_drawn f), hy.
  - intros l h. apply (back_drawn f), (back_drawn g), h.
  - intros y hy. rewrite !back_forth by (try apply (forth_drawn f); assumption). reflexivity.
  - intros l h. rewrite !forth_back by (try apply (back_drawn g); assumption). reflexivity.
Defined.
