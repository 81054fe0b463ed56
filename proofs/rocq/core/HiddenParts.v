(* What is drawn, cut in two parts, one of which is uniform whatever the other is ([hides]); and what is uniform because it is read off uniform
   words. So is said what a party has of the draws that others make with it, and that it knows nothing of the rest: of the paper's
   items in paper/ItemDraws.v, of the lean ones in lean/ItemDraws.v. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection Counting.
From Duoram.core Require Import VectorFacts LabelFacts PrgAdvantage.
From Duoram.core Require DrawnWords.
From Duoram.Generated Require Import All.
#[local] Open Scope Q_scope.

(** * Two parts of a draw, one of which is uniform given the other *)

Definition hides {D O H : Type} (space : list D) (own : D -> O) (hidden : D -> H) (hidden_space : list H) : Prop :=
  forall g : O -> H -> Q,
    mean space (fun d => g (own d) (hidden d)) == mean space (fun d => mean hidden_space (fun x => g (own d) x)).

Section Hides.
  Context {D O H D' O' H' : Type}.

  Lemma hides_nothing (space : list D) (own : D -> O) : hides space own (fun _ => tt) [tt].
  Proof. intros g. apply mean_ext. intros d _. rewrite mean_singleton. reflexivity. Qed.
  Lemma hides_all (space : list D) : hides space (fun _ => tt) (fun d => d) space.
  Proof.
    intros g. destruct space as [|d space]; [reflexivity|]. set (xs := d :: space).
    rewrite (mean_const xs (mean xs (fun x => g tt x))) by discriminate. reflexivity.
  Qed.

  Lemma hides_both (space : list D) (own : D -> O) (hidden : D -> H) (hs : list H)
    (space' : list D') (own' : D' -> O') (hidden' : D' -> H') (hs' : list H') :
    hides space own hidden hs -> hides space' own' hidden' hs' ->
    hides (list_prod space space') (fun d => (own (fst d), own' (snd d))) (fun d => (hidden (fst d), hidden' (snd d))) (list_prod hs hs').
  Proof.
    intros e e' g. rewrite !mean_prod. cbn [fst snd].
    transitivity (mean space (fun x => mean space' (fun y => mean hs' (fun k => g (own x, own' y) (hidden x, k))))).
    { apply mean_ext. intros x _. apply (e' (fun o k => g (own x, o) (hidden x, k))). }
    rewrite mean_swap. transitivity (mean space' (fun y => mean space (fun x => mean hs (fun i => mean hs' (fun k => g (own x, own' y) (i, k)))))).
    { apply mean_ext. intros y _. apply (e (fun o i => mean hs' (fun k => g (o, own' y) (i, k)))). }
    rewrite mean_swap. apply mean_ext. intros x _. apply mean_ext. intros y _. rewrite mean_prod. reflexivity.
  Qed.

  (* What else follows from either part. *)
  Lemma hides_renamed (space : list D) (own : D -> O) (hidden : D -> H) (hs : list H) (own' : D -> O') (hidden' : D -> H')
    (hs' : list H') (a : O -> O') (b : H -> H') :
    hides space own hidden hs -> (forall f, mean hs (fun x => f (b x)) == mean hs' f) ->
    (forall d, own' d = a (own d)) -> (forall d, hidden' d = b (hidden d)) -> hides space own' hidden' hs'.
  Proof.
    intros e m ea eb g.
    transitivity (mean space (fun d => g (a (own d)) (b (hidden d)))); [apply mean_ext; intros d _; rewrite ea, eb; reflexivity|].
    rewrite (e (fun o x => g (a o) (b x))). apply mean_ext. intros d _. rewrite m, ea. reflexivity.
  Qed.
  (* The draws themselves renamed. *)
  Lemma hides_of (space : list D) (own : D -> O) (hidden : D -> H) (hs : list H) (space' : list D') (f : D' -> D) :
    (forall g, mean space' (fun d => g (f d)) == mean space g) -> hides space own hidden hs ->
    hides space' (fun d => own (f d)) (fun d => hidden (f d)) hs.
  Proof.
    intros m e g. rewrite (m (fun d => g (own d) (hidden d))), (m (fun d => mean hs (fun x => g (own d) x))). apply e.
  Qed.
  Lemma hides_each (space : list D) (own : D -> O) (hidden : D -> H) (hs : list H) (k : nat) :
    hides space own hidden hs -> hides (tuples k space) (map own) (map hidden) (tuples k hs).
  Proof.
    intros e. induction k as [|k IH]; intros g.
    - rewrite !mean_tuples_0. reflexivity.
    - rewrite !mean_tuples_S.
      transitivity (mean space (fun x => mean (tuples k space) (fun y => mean (tuples k hs) (fun z => g (own x :: map own y) (hidden x :: z))))).
      { apply mean_ext. intros x _. apply (IH (fun o z => g (own x :: o) (hidden x :: z))). }
      rewrite mean_swap.
      transitivity (mean (tuples k space) (fun y => mean space (fun x => mean hs (fun i => mean (tuples k hs) (fun z => g (own x :: map own y) (i :: z)))))).
      { apply mean_ext. intros y _. apply (e (fun o i => mean (tuples k hs) (fun z => g (o :: map own y) (i :: z)))). }
      rewrite mean_swap. apply mean_ext. intros x _. apply mean_ext. intros y _. rewrite mean_tuples_S. reflexivity.
  Qed.
End Hides.

Lemma mean_renamed {A B : Type} (xs : list A) (ys : list B) (f : A -> B) (back : B -> A) :
  NoDup xs -> NoDup ys -> (forall x, back (f x) = x) -> (forall y, f (back y) = y) -> (forall x, In x xs <-> In (f x) ys) ->
  forall g, mean xs (fun x => g (f x)) == mean ys g.
Proof.
  intros once once' bf fb same g. rewrite <- (mean_map f xs g). apply mean_permutation. apply Permutation.NoDup_Permutation.
  - apply FinFun.Injective_map_NoDup; [|exact once]. intros x y e. rewrite <- (bf x), e. apply bf.
  - exact once'.
  - intros y. rewrite in_map_iff. split.
    + intros (x & <- & i). apply same, i.
    + intros i. exists (back y). split; [apply fb|]. apply same. rewrite fb. exact i.
Qed.
Lemma NoDup_prod {A B : Type} (xs : list A) (ys : list B) : NoDup xs -> NoDup ys -> NoDup (list_prod xs ys).
Proof.
  intros h h'. apply (proj1 (enumerates_prod xs ys (fun x => In x xs) (fun y => In y ys) (conj h (fun _ => iff_refl _))
    (conj h' (fun _ => iff_refl _)))).
Qed.
Lemma NoDup_tuples {A : Type} (k : nat) (space : list A) : enumerates space anything -> NoDup (tuples k space).
Proof. intros e. exact (proj1 (tuples_enumerate k space e)). Qed.

(** * What is made of a draw, and is uniform *)

Definition yields {A B : Type} (space : list A) (f : A -> B) (space' : list B) : Prop := forall g : B -> Q, mean space (fun x => g (f x)) == mean space' g.

Section Yields.
  Context {A B C A' B' : Type}.

  Lemma yields_same (space : list A) : yields space (fun x => x) space.
  Proof. intros g. reflexivity. Qed.
  Lemma yields_mapped (space : list A) (f : A -> B) : yields space f (map f space).
  Proof. intros g. rewrite mean_map. reflexivity. Qed.
  Lemma yields_ext (space : list A) (f f' : A -> B) (space' : list B) : (forall x, In x space -> f' x = f x) -> yields space f space' -> yields space f' space'.
  Proof. intros e y g. rewrite <- (y g). apply mean_ext. intros x i. rewrite (e x i). reflexivity. Qed.
  Lemma yields_then (space : list A) (f : A -> B) (space' : list B) (g : B -> C) (space'' : list C) :
    yields space f space' -> yields space' g space'' -> yields space (fun x => g (f x)) space''.
  Proof. intros y y' k. rewrite (y (fun b => k (g b))). apply y'. Qed.
  Lemma yields_both (space : list A) (f : A -> B) (space' : list B) (others : list A') (f' : A' -> B') (others' : list B') :
    yields space f space' -> yields others f' others' ->
    yields (list_prod space others) (fun x => (f (fst x), f' (snd x))) (list_prod space' others').
  Proof.
    intros y y' g. rewrite !mean_prod. cbn [fst snd]. rewrite <- (y (fun b => mean others' (fun b' => g (b, b')))). apply mean_ext. intros x _.
    apply (y' (fun b' => g (f x, b'))).
  Qed.
  Lemma yields_each (space : list A) (f : A -> B) (space' : list B) (k : nat) : yields space f space' -> yields (tuples k space) (map f) (tuples k space').
  Proof.
    intros y. induction k as [|k IH]; intros g; [rewrite !mean_tuples_0; reflexivity|]. rewrite !mean_tuples_S.
    rewrite <- (y (fun b => mean (tuples k space') (fun bs => g (b :: bs)))). apply mean_ext. intros x _. apply (IH (fun bs => g (f x :: bs))).
  Qed.
  Lemma yields_unzipped (xs : list A) (ys : list B) (k : nat) :
    yields (tuples k (list_prod xs ys)) (fun l => (map fst l, map snd l)) (list_prod (tuples k xs) (tuples k ys)).
  Proof.
    induction k as [|k IH]; intros g; [rewrite mean_prod, !mean_tuples_0; reflexivity|]. rewrite mean_prod, !mean_tuples_S, mean_prod.
    apply mean_ext. intros x _.
    transitivity (mean ys (fun y => mean (tuples k xs) (fun l => mean (tuples k ys) (fun m => g (x :: l, y :: m))))).
    - apply mean_ext. intros y _. rewrite <- (mean_prod _ _ (fun p => g (x :: fst p, y :: snd p))). apply (IH (fun p => g (x :: fst p, y :: snd p))).
    - rewrite mean_swap. apply mean_ext. intros l _. rewrite mean_tuples_S. reflexivity.
  Qed.
End Yields.
Lemma yields_renamed {A B : Type} (xs : list A) (ys : list B) (f : A -> B) (back : B -> A) :
  NoDup xs -> NoDup ys -> (forall x, back (f x) = x) -> (forall y, f (back y) = y) -> (forall x, In x xs <-> In (f x) ys) -> yields xs f ys.
Proof. exact (mean_renamed xs ys f back). Qed.
Lemma yields_hidden {D O H O' H' : Type} (space : list D) (own : D -> O) (hidden : D -> H) (hs : list H) (own' : D -> O') (hidden' : D -> H')
  (hs' : list H') (a : O -> O') (b : H -> H') :
  hides space own hidden hs -> yields hs b hs' -> (forall d, own' d = a (own d)) -> (forall d, hidden' d = b (hidden d)) -> hides space own' hidden' hs'.
Proof. intros e m. exact (hides_renamed space own hidden hs own' hidden' hs' a b e m). Qed.

(** * Uniform words *)

(* A bit of a uniform word is uniform given another bit of it. *)
Lemma bit_hides (i j : Z) : (0 <= i < 64)%Z -> (0 <= j < 64)%Z -> i <> j ->
  hides (words 64) (fun w => bit w i) (fun w => bit w j) bools.
Proof.
  intros hi hj ne g.
  pose (mask (b : bool) := repr 64 (if b then 2 ^ j else 0)%Z).
  assert (at_j : forall b, bit (mask b) j = b).
  { intros []; unfold mask; rewrite bit_repr by exact hj; [rewrite Z.pow2_bits_eqb by lia; apply Z.eqb_refl | apply Z.testbit_0_l]. }
  assert (at_i : forall b, bit (mask b) i = false).
  { intros []; unfold mask; rewrite bit_repr by exact hi; [rewrite Z.pow2_bits_eqb by lia; apply Z.eqb_neq; lia | apply Z.testbit_0_l]. }
  assert (moved : forall b, mean (words 64) (fun w => g (bit w i) (bit w j)) == mean (words 64) (fun w => g (bit w i) (xorb (bit w j) b))).
  { intros b. rewrite <- (mean_by_bijection (words 64) (words 64) (fun w => ixor w (mask b)) (fun w => ixor w (mask b))
      (fun w => g (bit w i) (bit w j)) (words_enumerate 64) (words_enumerate 64));
      try (intros w; apply ixor_cancel_r).
    apply mean_ext. intros w _. rewrite !bit_ixor, at_i, at_j, xorb_false_r. reflexivity. }
  transitivity (mean bools (fun b => mean (words 64) (fun w => g (bit w i) (xorb (bit w j) b)))).
  { rewrite <- (mean_ext bools (fun _ => mean (words 64) (fun w => g (bit w i) (bit w j)))) by (intros b _; apply moved).
    rewrite mean_const by discriminate. reflexivity. }
  rewrite mean_swap. apply mean_ext. intros w _.
  apply (mean_by_bijection bools bools (xorb (bit w j)) (xorb (bit w j)) (fun b => g (bit w i) b) bools_enumerate bools_enumerate);
    intros b; destruct (bit w j), b; reflexivity.
Qed.

Lemma bit_uniform (i : Z) : (0 <= i < 64)%Z -> yields (words 64) (fun w => bit w i) bools.
Proof.
  intros hi g. pose (j := if Z.eqb i 0 then 1%Z else 0%Z). assert (hj : (0 <= j < 64)%Z /\ j <> i) by (unfold j; destruct (Z.eqb_spec i 0); lia).
  rewrite (bit_hides j i (proj1 hj) hi (proj2 hj) (fun _ b => g b)). apply mean_const, words_not_empty.
Qed.

Lemma mean_app {A : Type} (space : list A) (a b : nat) (g : list A -> Q) :
  mean (tuples a space) (fun x => mean (tuples b space) (fun y => g (x ++ y))) == mean (tuples (a + b) space) g.
Proof.
  revert g. induction a as [|a IH]; intros g; cbn [Nat.add].
  - rewrite mean_tuples_0. reflexivity.
  - rewrite !mean_tuples_S. apply mean_ext. intros x _. apply (IH (fun l => g (x :: l))).
Qed.

(* What is read off words is uniform as they are. *)
Lemma mean_read_off {T : Type} {drawn : T -> Prop} {k : nat} (r : DrawnWords.read_off drawn k) (space : list T) (g : list u64 -> Q) :
  enumerates space drawn -> mean space (fun x => g (forth r x)) == mean (tuples k (words 64)) g.
Proof.
  intros e. apply (mean_same_distribution (drawn := drawn) (drawn' := fun l : list u64 => length l = k) (view := forth r) (view' := fun l => l) space (tuples k (words 64)) g).
  - exists r. reflexivity.
  - exact e.
  - apply tuples_enumerate, words_enumerate.
Qed.
