(* Facts about the prelude's lists: lengths, indices, ranges, and the elements of what maps and zips make. *)
From Coq Require Import Lia.
From Duoram Require Import Hax HaxInt.

(** * Lengths and elements *)

Lemma val_len {T : Type} (l : list T) : Z.of_nat (length l) < 2 ^ 64 -> val (len l) = Z.of_nat (length l).
Proof. apply val_of_nat. Qed.
Lemma nat_of_len {T : Type} (l : list T) : Z.of_nat (length l) < 2 ^ 64 -> nat_of (len l) = length l.
Proof. apply nat_of_of_nat. Qed.
Lemma len_map {A B : Type} (f : A -> B) (l : list A) : len (map f l) = len l.
Proof. unfold len. rewrite map_length. reflexivity. Qed.

(* The tests for the end in the definitions are for computing only. *)
Lemma get_nth_error {T : Type} (l : list T) (i : u64) : get l i = nth_error l (nat_of i).
Proof.
  unfold get. destruct (Z.ltb_spec (val i) (Z.of_nat (length l))); [reflexivity|].
  symmetry. apply nth_error_None. pose proof (Z_nat_of i). lia.
Qed.
Lemma take_firstn {T : Type} (l : list T) (n : u64) : take l n = firstn (nat_of n) l.
Proof.
  unfold take. destruct (Z.ltb_spec (val n) (Z.of_nat (length l))); [reflexivity|].
  symmetry. apply firstn_all2. pose proof (Z_nat_of n). lia.
Qed.
Lemma skip_skipn {T : Type} (l : list T) (n : u64) : skip l n = skipn (nat_of n) l.
Proof.
  unfold skip. destruct (Z.ltb_spec (val n) (Z.of_nat (length l))); [reflexivity|].
  symmetry. apply skipn_all2. pose proof (Z_nat_of n). lia.
Qed.

Lemma get_nth {T : Type} (l : list T) (i : u64) (d : T) :
  (nat_of i < length l)%nat -> get l i = Some (nth (nat_of i) l d).
Proof. rewrite get_nth_error. apply nth_error_nth'. Qed.
Lemma get_none {T : Type} (l : list T) (i : u64) : (length l <= nat_of i)%nat -> get l i = None.
Proof. rewrite get_nth_error. apply nth_error_None. Qed.
(* The function that spec/ calls `at`. *)
Lemma match_get {T : Type} (l : list T) (i : u64) (d : T) :
  match get l i with Some x => x | None => d end = nth (nat_of i) l d.
Proof.
  rewrite get_nth_error. destruct (nth_error l (nat_of i)) as [x|] eqn:h.
  - symmetry. apply nth_error_nth, h.
  - symmetry. apply nth_overflow, nth_error_None, h.
Qed.

(* Lists are equal if their lengths and elements are; the default may depend on nothing. *)
Lemma list_ext {T : Type} (d : T) (a b : list T) :
  length a = length b -> (forall k, (k < length a)%nat -> nth k a d = nth k b d) -> a = b.
Proof. intros hl h. apply (nth_ext a b d d hl h). Qed.

Lemma nth_map {A B : Type} (f : A -> B) (l : list A) (k : nat) (da : A) (db : B) :
  (k < length l)%nat -> nth k (map f l) db = f (nth k l da).
Proof.
  intros h. rewrite (nth_indep _ db (f da)) by (rewrite map_length; assumption). apply map_nth.
Qed.

Lemma concat_pair {T : Type} (a b : list T) : concat [a; b] = a ++ b.
Proof. simpl. rewrite app_nil_r. reflexivity. Qed.

(** * Zips *)

Lemma nth_combine {A B : Type} (a : list A) (b : list B) (k : nat) (x : A) (y : B) :
  (k < length a)%nat -> (k < length b)%nat -> nth k (combine a b) (x, y) = (nth k a x, nth k b y).
Proof.
  revert b k. induction a as [|a0 a IH]; intros [|b0 b] [|k] ha hb; simpl in *; try lia; auto.
  apply IH; lia.
Qed.

Lemma nth_map_combine {A B C : Type} (f : A * B -> C) (a : list A) (b : list B) (k : nat) (x : A) (y : B) (z : C) :
  (k < length a)%nat -> (k < length b)%nat -> nth k (map f (combine a b)) z = f (nth k a x, nth k b y).
Proof.
  intros ha hb. rewrite (nth_map f _ k (x, y)) by (rewrite combine_length; lia).
  rewrite nth_combine by assumption. reflexivity.
Qed.

Lemma map_combine_length {A B C : Type} (f : A * B -> C) (a : list A) (b : list B) :
  length a = length b -> length (map f (combine a b)) = length a.
Proof. intros h. rewrite map_length, combine_length. lia. Qed.

(* A zip of maps of one list is a map. *)
Lemma combine_map {A B C : Type} (f : A -> B) (g : A -> C) (l : list A) :
  combine (map f l) (map g l) = map (fun x => (f x, g x)) l.
Proof. induction l as [|x l IH]; simpl; congruence. Qed.

(* Every list is a map of its indices. *)
Lemma map_nth_seq {T : Type} (l : list T) (d : T) : map (fun k => nth k l d) (seq 0 (length l)) = l.
Proof.
  apply (list_ext d); rewrite map_length, seq_length; [reflexivity|]. intros k h.
  rewrite (nth_map _ _ k 0%nat) by (rewrite seq_length; assumption). rewrite seq_nth by assumption. reflexivity.
Qed.

(** * Ranges *)

Lemma range_length {w : positive} (a b : int w) : length (range a b) = (nat_of b - nat_of a)%nat.
Proof. unfold range. rewrite map_length, seq_length. reflexivity. Qed.

Lemma nth_range {w : positive} (a b : int w) (k : nat) (d : int w) :
  (k < nat_of b - nat_of a)%nat -> nth k (range a b) d = repr w (val a + Z.of_nat k).
Proof.
  intros h. unfold range. rewrite (nth_map _ _ k 0%nat) by (rewrite seq_length; assumption).
  rewrite seq_nth by assumption. reflexivity.
Qed.

(* 0..n, whose elements need no reduction *)
Lemma range_0 (n : u64) : range (repr 64 0) n = map of_nat (seq 0 (nat_of n)).
Proof. unfold range. rewrite Nat.sub_0_r. reflexivity. Qed.

Lemma in_range_0 (n i : u64) : In i (range (repr 64 0) n) <-> val i < val n.
Proof.
  rewrite range_0, in_map_iff. pose proof (val_bounds n). pose proof (val_bounds i). split.
  - intros (k & <- & hk). apply in_seq in hk. pose proof (Z_nat_of n).
    rewrite val_of_nat by lia. lia.
  - intros h. exists (nat_of i). split; [apply of_nat_nat_of|]. apply in_seq.
    pose proof (Z_nat_of n). pose proof (Z_nat_of i). lia.
Qed.

Lemma map_range_0 {T : Type} (f : u64 -> T) (n : u64) :
  map f (range (repr 64 0) n) = map (fun k => f (of_nat k)) (seq 0 (nat_of n)).
Proof. rewrite range_0. apply map_map. Qed.

Lemma map_range_0_length {T : Type} (f : u64 -> T) (n : u64) :
  length (map f (range (repr 64 0) n)) = nat_of n.
Proof. rewrite map_length, range_length. apply Nat.sub_0_r. Qed.

Lemma nth_map_range_0 {T : Type} (f : u64 -> T) (n : u64) (k : nat) (d : T) :
  (k < nat_of n)%nat -> nth k (map f (range (repr 64 0) n)) d = f (of_nat k).
Proof.
  intros h. rewrite map_range_0. rewrite (nth_map _ _ k 0%nat) by (rewrite seq_length; assumption).
  rewrite seq_nth by assumption. reflexivity.
Qed.

(** * Folds *)

Lemma fold_left_map {A B C : Type} (f : A -> B -> A) (g : C -> B) (l : list C) (start : A) :
  fold_left f (map g l) start = fold_left (fun s x => f s (g x)) l start.
Proof. revert start. induction l as [|x l IH]; intros start; simpl; auto. Qed.

Lemma fold_left_ext {A B : Type} (f g : A -> B -> A) (l : list B) (start : A) :
  (forall s x, In x l -> f s x = g s x) -> fold_left f l start = fold_left g l start.
Proof.
  revert start. induction l as [|x l IH]; intros start h; simpl; [reflexivity|].
  rewrite h by (left; reflexivity). apply IH. intros s y hy. apply h. right. assumption.
Qed.

(* What holds at the start and is kept by each step holds at the end. *)
Lemma fold_left_invariant {A B : Type} (P : A -> Prop) (f : A -> B -> A) (l : list B) (start : A) :
  P start -> (forall s x, In x l -> P s -> P (f s x)) -> P (fold_left f l start).
Proof.
  revert start. induction l as [|x l IH]; intros start hs h; simpl; [assumption|].
  apply IH; [apply h; [left; reflexivity | assumption]|]. intros s y hy. apply h. right. assumption.
Qed.

(* Two folds over one list, related step by step. *)
Lemma fold_left_related {A B C : Type} (R : A -> B -> Prop) (f : A -> C -> A) (g : B -> C -> B)
  (l : list C) (a : A) (b : B) :
  R a b -> (forall s t x, In x l -> R s t -> R (f s x) (g t x)) -> R (fold_left f l a) (fold_left g l b).
Proof.
  revert a b. induction l as [|x l IH]; intros a b hs h; simpl; [assumption|].
  apply IH; [apply h; [left; reflexivity | assumption]|]. intros s t y hy. apply h. right. assumption.
Qed.


(** * take, skip *)

Lemma nth_skip {T : Type} (l : list T) (n : u64) (k : nat) (d : T) :
  nth k (skip l n) d = nth (nat_of n + k) l d.
Proof.
  rewrite skip_skipn. generalize (nat_of n) as m. intros m. revert l. induction m as [|m IH]; intros l; [reflexivity|].
  destruct l; simpl; [destruct k; reflexivity | apply IH].
Qed.
Lemma skip_length {T : Type} (l : list T) (n : u64) : length (skip l n) = (length l - nat_of n)%nat.
Proof. rewrite skip_skipn. apply skipn_length. Qed.
Lemma take_skip {T : Type} (l : list T) (n : u64) : take l n ++ skip l n = l.
Proof. rewrite take_firstn, skip_skipn. apply firstn_skipn. Qed.

(** * Derived equality decides equality *)

Class EqbSpec (T : Type) {T_Eqb : Eqb T} : Prop := eqb_eq : forall a b : T, eqb a b = true <-> a = b.
#[global] Instance int_EqbSpec (w : positive) : EqbSpec (int w).
Proof. intros a b. apply ieqb_eq. Qed.
#[global] Instance bool_EqbSpec : EqbSpec bool.
Proof. intros a b. apply Bool.eqb_true_iff. Qed.
#[global] Instance prod_EqbSpec {A B : Type} `{EqbSpec A} `{EqbSpec B} : EqbSpec (A * B).
Proof.
  intros [a b] [c d]. unfold eqb, prod_Eqb; simpl. rewrite andb_true_iff, !eqb_eq. split.
  - intros [-> ->]. reflexivity.
  - intros h. injection h. auto.
Qed.
#[global] Instance list_EqbSpec {A : Type} `{EqbSpec A} : EqbSpec (list A).
Proof.
  intros x. unfold eqb, list_Eqb. induction x as [|a x IH]; intros [|b y]; simpl; try (split; congruence).
  rewrite andb_true_iff, eqb_eq, IH. split; [intros [-> ->]; reflexivity|].
  intros h. injection h. auto.
Qed.
