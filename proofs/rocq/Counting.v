(* Probability by counting: of a list of equally likely cases, how many satisfy a test, divided by how many there are. No
   measures, no real numbers, no axioms: rationals of Rocq's library.

   A space is a list; that it holds each value of a set exactly once is [enumerates] of Bijection.v. Two independent draws
   are the product of two lists ([list_prod]), n draws of one kind are [tuples n]. [mean] is the average of a function over
   a space, [Pr] that of a test; averages are taken one draw at a time ([mean_prod]), a bijection leaves them as they are
   ([mean_same_distribution]), and two ends of a chain of games differ by no more than its steps do ([hybrid]).

   Nothing here is ever computed: [words 128] has 2^128 elements, and of it only [words_enumerate] is known. *)
From Coq Require Import Permutation Lia QArith Qabs Lqa.
From Duoram Require Import HaxFacts Bijection.
Export QArith Qabs.
#[local] Open Scope Q_scope.

(** * Sums and averages *)

Definition total {A : Type} (space : list A) (f : A -> Q) : Q := fold_right (fun x sum => f x + sum) 0 space.
Definition size {A : Type} (space : list A) : Q := inject_Z (Z.of_nat (length space)).

(* The average of f; 0 for the empty list. *)
Definition mean {A : Type} (space : list A) (f : A -> Q) : Q := total space f / size space.

(* The probability of an event: how many cases of the space satisfy it, of how many. *)
Definition Pr {A : Type} (space : list A) (event : A -> bool) : Q := size (filter event space) / size space.

Definition indicator (b : bool) : Q := if b then 1 else 0.

Lemma size_cons {A : Type} (x : A) (space : list A) : size (x :: space) == 1 + size space.
Proof. unfold size. cbn [length]. rewrite Nat2Z.inj_succ, <- Z.add_1_l, inject_Z_plus. reflexivity. Qed.
Lemma size_not_0 {A : Type} (space : list A) : space <> [] -> ~ size space == 0.
Proof. destruct space as [|x space]; [congruence|]. intros _. unfold size, Qeq. cbn. lia. Qed.
Lemma size_prod {A B : Type} (xs : list A) (ys : list B) : size (list_prod xs ys) == size xs * size ys.
Proof. unfold size. rewrite prod_length, Nat2Z.inj_mul, inject_Z_mult. reflexivity. Qed.

Lemma total_cons {A : Type} (x : A) (space : list A) (f : A -> Q) : total (x :: space) f = f x + total space f.
Proof. reflexivity. Qed.
#[local] Arguments total : simpl never.

Lemma total_ext {A : Type} (space : list A) (f g : A -> Q) :
  (forall x, In x space -> f x == g x) -> total space f == total space g.
Proof.
  intros h. induction space as [|x space IH]; [reflexivity|].
  rewrite !total_cons, (h x) by (left; reflexivity). rewrite IH; [reflexivity|]. intros y i. apply h. right. assumption.
Qed.
Lemma total_app {A : Type} (xs ys : list A) (f : A -> Q) : total (xs ++ ys) f == total xs f + total ys f.
Proof. induction xs as [|x xs IH]; cbn [app]; [unfold total at 2; cbn; ring|]. rewrite !total_cons, IH. ring. Qed.
Lemma total_map {A B : Type} (g : A -> B) (space : list A) (f : B -> Q) : total (map g space) f = total space (fun x => f (g x)).
Proof. induction space as [|x space IH]; [reflexivity|]. cbn [map]. rewrite !total_cons, IH. reflexivity. Qed.
Lemma total_minus {A : Type} (space : list A) (f g : A -> Q) :
  total space (fun x => f x - g x) == total space f - total space g.
Proof. induction space as [|x space IH]; [unfold total; cbn; ring|]. rewrite !total_cons, IH. ring. Qed.
Lemma total_scaled {A : Type} (space : list A) (c : Q) (f : A -> Q) : total space (fun x => f x * c) == total space f * c.
Proof. induction space as [|x space IH]; [unfold total; cbn; ring|]. rewrite !total_cons, IH. ring. Qed.
Lemma total_permutation {A : Type} (xs ys : list A) (f : A -> Q) : Permutation xs ys -> total xs f == total ys f.
Proof.
  induction 1 as [|x l l' _ IH|x y l|l m o _ IH _ IH']; rewrite ?total_cons; [reflexivity | | ring | ].
  - rewrite IH. reflexivity.
  - rewrite IH. assumption.
Qed.
Lemma total_prod {A B : Type} (xs : list A) (ys : list B) (f : A * B -> Q) :
  total (list_prod xs ys) f == total xs (fun x => total ys (fun y => f (x, y))).
Proof. induction xs as [|x xs IH]; cbn [list_prod]; [reflexivity|]. rewrite total_app, total_map, total_cons, IH. reflexivity. Qed.
Lemma total_indicator {A : Type} (space : list A) (event : A -> bool) :
  total space (fun x => indicator (event x)) == size (filter event space).
Proof.
  induction space as [|x space IH]; cbn [filter]; [reflexivity|]. rewrite total_cons.
  destruct (event x); cbn [indicator]; rewrite ?size_cons, IH; ring.
Qed.
Lemma Pr_mean {A : Type} (space : list A) (event : A -> bool) : Pr space event == mean space (fun x => indicator (event x)).
Proof. unfold Pr, mean. rewrite total_indicator. reflexivity. Qed.

Lemma mean_ext {A : Type} (space : list A) (f g : A -> Q) : (forall x, In x space -> f x == g x) -> mean space f == mean space g.
Proof. intros h. unfold mean. rewrite (total_ext _ _ _ h). reflexivity. Qed.
Lemma mean_map {A B : Type} (g : A -> B) (space : list A) (f : B -> Q) : mean (map g space) f = mean space (fun x => f (g x)).
Proof. unfold mean, size. rewrite total_map, map_length. reflexivity. Qed.
Lemma mean_minus {A : Type} (space : list A) (f g : A -> Q) : mean space (fun x => f x - g x) == mean space f - mean space g.
Proof. unfold mean. rewrite total_minus. unfold Qdiv. ring. Qed.
Lemma mean_const {A : Type} (space : list A) (c : Q) : space <> [] -> mean space (fun _ => c) == c.
Proof.
  intros h. unfold mean.
  assert (e : total space (fun _ => c) == size space * c).
  { clear h. induction space as [|x space IH]; [reflexivity|]. rewrite total_cons, IH, size_cons. ring. }
  rewrite e. field. apply size_not_0, h.
Qed.
Lemma mean_permutation {A : Type} (xs ys : list A) (f : A -> Q) : Permutation xs ys -> mean xs f == mean ys f.
Proof.
  intros h. unfold mean, size. rewrite (total_permutation _ _ _ h), (Permutation_length h). reflexivity.
Qed.

(* One draw after the other. *)
Lemma mean_prod {A B : Type} (xs : list A) (ys : list B) (f : A * B -> Q) :
  mean (list_prod xs ys) f == mean xs (fun x => mean ys (fun y => f (x, y))).
Proof.
  unfold mean. rewrite total_prod, size_prod. unfold Qdiv. rewrite total_scaled, Qinv_mult_distr. ring.
Qed.
Lemma mean_singleton {A : Type} (x : A) (f : A -> Q) : mean [x] f == f x.
Proof. unfold mean. rewrite total_cons. change (total [] f) with 0. change (size [x]) with 1. field. Qed.

(* In any order. *)
Lemma total_swap {A B : Type} (xs : list A) (ys : list B) (f : A -> B -> Q) :
  total xs (fun x => total ys (fun y => f x y)) == total ys (fun y => total xs (fun x => f x y)).
Proof.
  induction xs as [|x xs IH].
  - induction ys as [|y ys IH]; [reflexivity|]. rewrite total_cons, <- IH. reflexivity.
  - rewrite total_cons, IH. clear IH. induction ys as [|y ys IH]; [unfold total; cbn; ring|].
    rewrite !total_cons, <- IH. ring.
Qed.
Lemma mean_swap {A B : Type} (xs : list A) (ys : list B) (f : A -> B -> Q) :
  mean xs (fun x => mean ys (fun y => f x y)) == mean ys (fun y => mean xs (fun x => f x y)).
Proof.
  unfold mean, Qdiv. rewrite !total_scaled, total_swap. ring.
Qed.

(* How the draws are bracketed makes no difference. *)
Lemma Pr_regrouped {A B C D : Type} (xs : list A) (ys : list B) (zs : list C) (ws : list D)
  (event : A * (B * (C * D)) -> bool) (event' : A * B * C * D -> bool) :
  (forall x y z w, event (x, (y, (z, w))) = event' (x, y, z, w)) ->
  Pr (list_prod xs (list_prod ys (list_prod zs ws))) event
  == Pr (list_prod (list_prod (list_prod xs ys) zs) ws) event'.
Proof.
  intros h. rewrite !Pr_mean, !mean_prod. apply mean_ext. intros x _. rewrite mean_prod. apply mean_ext. intros y _.
  rewrite mean_prod. apply mean_ext. intros z _. apply mean_ext. intros w _. rewrite h. reflexivity.
Qed.

(** * Bijections *)

(* Views with one distribution (Bijection.v) have one average, and tests of them one probability. *)
Theorem mean_same_distribution {R R' V : Type} {drawn : R -> Prop} {drawn' : R' -> Prop}
  {view : R -> V} {view' : R' -> V} (values : list R) (values' : list R') (f : V -> Q) :
  same_distribution drawn drawn' view view' -> enumerates values drawn -> enumerates values' drawn' ->
  mean values (fun r => f (view r)) == mean values' (fun r => f (view' r)).
Proof.
  intros same e e'. pose proof (same_distribution_multiset _ _ same e e') as p.
  rewrite <- (mean_map view values f), <- (mean_map view' values' f). apply mean_permutation, p.
Qed.

Theorem Pr_same_distribution {R R' V : Type} {drawn : R -> Prop} {drawn' : R' -> Prop}
  {view : R -> V} {view' : R' -> V} (values : list R) (values' : list R') (test : V -> bool) :
  same_distribution drawn drawn' view view' -> enumerates values drawn -> enumerates values' drawn' ->
  Pr values (fun r => test (view r)) == Pr values' (fun r => test (view' r)).
Proof.
  intros same e e'. rewrite !Pr_mean. exact (mean_same_distribution values values' (fun v => indicator (test v)) same e e').
Qed.

Definition anything {A : Type} (_ : A) : Prop := True.

(* A function with an inverse takes one whole space to another. *)
Lemma mean_by_bijection {R R' : Type} (values : list R) (values' : list R') (forth : R -> R') (back : R' -> R)
  (f : R' -> Q) :
  enumerates values anything -> enumerates values' anything ->
  (forall r, back (forth r) = r) -> (forall r, forth (back r) = r) ->
  mean values (fun r => f (forth r)) == mean values' f.
Proof.
  intros e e' bf fb.
  apply (mean_same_distribution (drawn := anything) (drawn' := anything) (view := forth) (view' := fun r => r) values values' f);
    [|assumption|assumption].
  unshelve eexists.
  - refine {| forth := forth; back := back |}; intros; try exact I; auto.
  - reflexivity.
Qed.

(** * Spaces *)

Lemma enumerates_prod {A B : Type} (xs : list A) (ys : list B) (p : A -> Prop) (q : B -> Prop) :
  enumerates xs p -> enumerates ys q -> enumerates (list_prod xs ys) (fun z => p (fst z) /\ q (snd z)).
Proof.
  intros [once all] [once' all']. split.
  - clear all all'. induction once as [|x xs out once IH]; cbn; [constructor|].
    assert (m : NoDup (map (fun y => (x, y)) ys)).
    { apply FinFun.Injective_map_NoDup; [intros y y' h; congruence | assumption]. }
    revert m. assert (d : forall z, In z (map (fun y => (x, y)) ys) -> ~ In z (list_prod xs ys)).
    { intros z i. apply in_map_iff in i. destruct i as (y & <- & _). rewrite in_prod_iff. tauto. }
    revert d. generalize (map (fun y => (x, y)) ys). intros l d m. induction m as [|z l out' m IHl]; cbn; [assumption|].
    constructor.
    + rewrite in_app_iff. intros [i|i]; [apply out', i | apply (d z); [left; reflexivity | assumption]].
    + apply IHl. intros y i. apply d. right. assumption.
  - intros [x y]. rewrite in_prod_iff, all, all'. reflexivity.
Qed.

Lemma enumerates_all_prod {A B : Type} (xs : list A) (ys : list B) :
  enumerates xs anything -> enumerates ys anything -> enumerates (list_prod xs ys) anything.
Proof. intros e e'. destruct (enumerates_prod _ _ _ _ e e') as [once all]. split; [assumption|]. intros z. rewrite all. unfold anything. tauto. Qed.

Definition bools : list bool := [false; true].
Lemma bools_enumerate : enumerates bools anything.
Proof.
  split; [|intros []; cbn; unfold anything; tauto].
  repeat constructor; cbn; intuition congruence.
Qed.

(* All integers of w bits, each once. That there is such a list is all that can be known of [words]. *)
Lemma words_exist (w : positive) : { values : list (int w) | enumerates values anything }.
Proof.
  exists (map (fun k => repr w (Z.of_nat k)) (seq 0 (Z.to_nat (2 ^ Zpos w)))). split.
  - assert (h : forall k, In k (seq 0 (Z.to_nat (2 ^ Zpos w))) -> (0 <= Z.of_nat k < 2 ^ Zpos w)%Z).
    { intros k i. apply in_seq in i. lia. }
    revert h. generalize (seq_NoDup (Z.to_nat (2 ^ Zpos w)) 0). generalize (seq 0 (Z.to_nat (2 ^ Zpos w))).
    intros l once h. induction once as [|k l out once IH]; cbn; constructor.
    + intros i. apply in_map_iff in i. destruct i as (j & e & i). apply (f_equal val) in e.
      rewrite !val_repr_small in e by (apply h; cbn; auto). apply out. apply Nat2Z.inj in e. congruence.
    + apply IH. intros j i. apply h. right. assumption.
  - intros x. split; [exact (fun _ => I)|]. intros _. apply in_map_iff. exists (Z.to_nat (val x)).
    pose proof (val_bounds x). rewrite Z2Nat.id by lia. split; [apply repr_val|]. apply in_seq. lia.
Qed.
Definition words (w : positive) : list (int w) := proj1_sig (words_exist w).
Lemma words_enumerate (w : positive) : enumerates (words w) anything.
Proof. exact (proj2_sig (words_exist w)). Qed.

Lemma space_not_empty {A : Type} (values : list A) (p : A -> Prop) (x : A) : enumerates values p -> p x -> values <> [].
Proof. intros [_ all] h ->. apply (all x), h. Qed.
Lemma words_not_empty (w : positive) : words w <> [].
Proof. exact (space_not_empty _ _ (repr w 0) (words_enumerate w) I). Qed.

(* n independent draws. *)
Fixpoint tuples {A : Type} (n : nat) (space : list A) : list (list A) :=
  match n with
  | O => [[]]
  | S n => map (fun z => fst z :: snd z) (list_prod space (tuples n space))
  end.

Lemma tuples_length {A : Type} (n : nat) (space : list A) (l : list A) : In l (tuples n space) -> length l = n.
Proof.
  revert l. induction n as [|n IH]; intros l; cbn [tuples].
  - intros [<-|[]]. reflexivity.
  - rewrite in_map_iff. intros ([x xs] & <- & i). apply in_prod_iff in i. cbn. f_equal. apply IH, i.
Qed.
Lemma mean_tuples_0 {A : Type} (space : list A) (f : list A -> Q) : mean (tuples 0 space) f == f [].
Proof. apply mean_singleton. Qed.
Lemma mean_tuples_S {A : Type} (n : nat) (space : list A) (f : list A -> Q) :
  mean (tuples (S n) space) f == mean space (fun x => mean (tuples n space) (fun xs => f (x :: xs))).
Proof. cbn [tuples]. rewrite mean_map, mean_prod. reflexivity. Qed.
(* The last draw apart. *)
Lemma mean_tuples_snoc {A : Type} (n : nat) (space : list A) (f : list A -> Q) :
  mean (tuples (S n) space) f == mean (tuples n space) (fun xs => mean space (fun x => f (xs ++ [x]))).
Proof.
  revert f. induction n as [|n IH]; intros f.
  - rewrite mean_tuples_S, mean_tuples_0. apply mean_ext. intros x _. rewrite mean_tuples_0. reflexivity.
  - rewrite mean_tuples_S, mean_tuples_S. apply mean_ext. intros x _. rewrite IH. reflexivity.
Qed.
Lemma tuples_enumerate {A : Type} (n : nat) (space : list A) :
  enumerates space anything -> enumerates (tuples n space) (fun l => length l = n).
Proof.
  intros e. induction n as [|n IH].
  - split; [repeat constructor; intros []|]. intros [|x l]; cbn; split; try tauto; try discriminate.
    intros [h|[]]; discriminate.
  - destruct (enumerates_prod _ _ _ _ e IH) as [once all]. split; cbn [tuples].
    + apply FinFun.Injective_map_NoDup; [|assumption]. intros [x l] [y m] h. cbn in h. congruence.
    + intros [|x l]; rewrite in_map_iff.
      * split; [intros ([y m] & h & _); discriminate | discriminate].
      * split.
        -- intros ([y m] & h & i). apply all in i. cbn in *. injection h as <- <-. f_equal. apply i.
        -- intros h. exists (x, l). split; [reflexivity|]. apply all. split; [exact I|]. cbn in *. congruence.
Qed.

(* What a bijection takes to a space is one. *)
Lemma enumerates_back {R R' : Type} {drawn : R -> Prop} {drawn' : R' -> Prop} (f : bijection drawn drawn')
  (values' : list R') : enumerates values' drawn' -> enumerates (map (back f) values') drawn.
Proof.
  intros [once all]. split.
  - assert (h : forall r, In r values' -> drawn' r) by (intros r; apply all). clear all. revert h.
    induction once as [|r l out once IH]; cbn; intros h; constructor.
    + intros i. apply in_map_iff in i. destruct i as (r' & e & i). apply out.
      rewrite <- (forth_back f r), <- e, (forth_back f r') by (apply h; auto). assumption.
    + apply IH. intros r' i. apply h. auto.
  - intros r. rewrite in_map_iff. split.
    + intros (r' & <- & i). apply (back_drawn f), all, i.
    + intros d. exists (forth f r). split; [apply (back_forth f), d | apply all, (forth_drawn f), d].
Qed.

(** * Chains of games *)

Definition sum_below (n : nat) (a : nat -> Q) : Q := total (seq 0 n) a.

Lemma sum_below_S (n : nat) (a : nat -> Q) : sum_below (S n) a == sum_below n a + a n.
Proof. unfold sum_below. rewrite seq_S, total_app, total_cons. change (total [] a) with 0. cbn [Nat.add]. ring. Qed.

(* The ends differ by no more than all steps together. *)
Theorem hybrid (n : nat) (game : nat -> Q) :
  Qabs (game 0%nat - game n) <= sum_below n (fun i => Qabs (game i - game (S i))).
Proof.
  induction n as [|n IH].
  - change (sum_below 0 _) with 0. apply Qabs_Qle_condition. lra.
  - rewrite sum_below_S. eapply Qle_trans; [|apply Qplus_le_compat; [exact IH | apply Qle_refl]].
    eapply Qle_trans; [|apply Qabs_triangle]. apply Qle_lteq. right. apply Qabs_wd. ring.
Qed.

Lemma sum_below_ext (n : nat) (a b : nat -> Q) : (forall i, (i < n)%nat -> a i == b i) -> sum_below n a == sum_below n b.
Proof. intros h. apply total_ext. intros i hi. apply h. apply in_seq in hi. lia. Qed.
Lemma sum_below_le (n : nat) (a b : nat -> Q) : (forall i, (i < n)%nat -> a i <= b i) -> sum_below n a <= sum_below n b.
Proof.
  intros h. induction n as [|n IH]; [apply Qle_refl|].
  rewrite !sum_below_S. apply Qplus_le_compat; [apply IH; intros i hi; apply h; lia | apply h; lia].
Qed.
