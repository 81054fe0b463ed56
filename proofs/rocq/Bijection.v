(* When a party's view tells nothing about the secrets: a bijection of the randomness that it does not know.

   A view is a function of the secrets and of the randomness. For randomness that is uniform on a finite set, the
   probability of a view v is the number of random values that yield v, divided by the number of all random values. If a
   bijection takes the random values of one case to those of another and every value yields the same view as its image,
   then these numbers are the same in both cases, for every v: both distributions of views are equal, and nobody, however
   long he computes, can tell the cases apart. [same_distribution_multiset] is this argument as a theorem, in the form in
   which `spec/tests/privacy.rs` compares views: as multisets.

   What a party holds itself is fixed (an argument of the view that is the same on both sides), so that equality holds
   given all that it knows.

   Randomness may be restricted by a predicate, such as `length v = n` for a vector of words, or the equation between a
   dealer's random words that a party knows to hold; it is uniform on the values that satisfy the predicate. *)
From Coq Require Import Permutation.
From Duoram Require Import Hax.

(* A bijection from the values with [drawn] to those with [drawn'], as a function, its inverse, and both round trips. *)
Record bijection {R R' : Type} (drawn : R -> Prop) (drawn' : R' -> Prop) : Type := {
  forth : R -> R';
  back : R' -> R;
  forth_drawn : forall r, drawn r -> drawn' (forth r);
  back_drawn : forall r, drawn' r -> drawn (back r);
  back_forth : forall r, drawn r -> back (forth r) = r;
  forth_back : forall r, drawn' r -> forth (back r) = r;
}.
Arguments forth {R R' drawn drawn'} _ _.
Arguments back {R R' drawn drawn'} _ _.
Arguments forth_drawn {R R' drawn drawn'} _ _ _.
Arguments back_drawn {R R' drawn drawn'} _ _ _.
Arguments back_forth {R R' drawn drawn'} _ _ _.
Arguments forth_back {R R' drawn drawn'} _ _ _.

(* The view is distributed in one case as it is in the other. *)
Definition same_distribution {R R' V : Type} (drawn : R -> Prop) (drawn' : R' -> Prop)
  (view : R -> V) (view' : R' -> V) : Type :=
  { f : bijection drawn drawn' | forall r, drawn r -> view r = view' (forth f r) }.

(* The view is distributed the same for all secrets that satisfy [secret]. *)
Definition independent_of_secrets {S R V : Type} (secret : S -> Prop) (drawn : S -> R -> Prop)
  (view : S -> R -> V) : Type :=
  forall s s', secret s -> secret s' -> same_distribution (drawn s) (drawn s') (view s) (view s').

(* How the theorems below give their bijections: [move s s'] takes the randomness of the secret s to that of s', and
   [move s' s] takes it back. *)
Lemma independent_by_move {S R V : Type} (secret : S -> Prop) (drawn : S -> R -> Prop) (view : S -> R -> V)
  (move : S -> S -> R -> R) :
  (forall s s' r, secret s -> secret s' -> drawn s r -> drawn s' (move s s' r)) ->
  (forall s s' r, secret s -> secret s' -> drawn s r -> move s' s (move s s' r) = r) ->
  (forall s s' r, secret s -> secret s' -> drawn s r -> view s r = view s' (move s s' r)) ->
  independent_of_secrets secret drawn view.
Proof.
  intros hd hm hv s s' hs hs'.
  unshelve eapply (exist _ {| forth := move s s'; back := move s' s |}); cbn; auto.
Defined.

(* Every value with [drawn] once. *)
Definition enumerates {R : Type} (values : list R) (drawn : R -> Prop) : Prop :=
  NoDup values /\ forall r, In r values <-> drawn r.

(* Over all random values, both cases yield every view equally often. *)
Theorem same_distribution_multiset {R R' V : Type} {drawn : R -> Prop} {drawn' : R' -> Prop}
  {view : R -> V} {view' : R' -> V} (values : list R) (values' : list R') :
  same_distribution drawn drawn' view view' -> enumerates values drawn -> enumerates values' drawn' ->
  Permutation (map view values) (map view' values').
Proof.
  intros [f hf] [once all] [once' all'].
  assert (p : Permutation (map (forth f) values) values').
  { apply NoDup_Permutation; [|assumption|].
    - clear all'. assert (h : forall r, In r values -> drawn r) by (intros r; apply all). clear all.
      induction once as [|r values out once IH]; simpl; constructor.
      + rewrite in_map_iff. intros (r' & e & i). apply out.
        rewrite <- (back_forth f r), <- e, (back_forth f r') by (apply h; simpl; auto). assumption.
      + apply IH. intros r' i. apply h. right. assumption.
    - intros r. rewrite in_map_iff, all'. split.
      + intros (r' & <- & i). apply (forth_drawn f), all, i.
      + intros d. exists (back f r). split; [apply forth_back; assumption | apply all, (back_drawn f), d]. }
  rewrite <- p, map_map. rewrite (map_ext_in view (fun r => view' (forth f r))); [reflexivity|].
  intros r i. apply hf, all, i.
Qed.

(* So every property of views is satisfied equally often: an observer's test succeeds with the same probability. *)
Corollary same_distribution_count {R R' V : Type} {drawn : R -> Prop} {drawn' : R' -> Prop}
  {view : R -> V} {view' : R' -> V} (values : list R) (values' : list R') (test : V -> bool) :
  same_distribution drawn drawn' view view' -> enumerates values drawn -> enumerates values' drawn' ->
  length (filter test (map view values)) = length (filter test (map view' values')).
Proof.
  intros same e e'. induction (same_distribution_multiset _ _ same e e') as [|x l l' _ IH|x y l|l m o _ IH _ IH'];
    simpl; try congruence.
  - destruct (test x); simpl; congruence.
  - destruct (test x), (test y); reflexivity.
Qed.

(* What is computed from a view, and from what is fixed, is distributed the same as well. *)
Lemma same_distribution_computed {R R' V U : Type} {drawn : R -> Prop} {drawn' : R' -> Prop}
  {view : R -> V} {view' : R' -> V} (g : V -> U) :
  same_distribution drawn drawn' view view' ->
  same_distribution drawn drawn' (fun r => g (view r)) (fun r => g (view' r)).
Proof. intros [f hf]. exists f. intros r d. f_equal. apply hf, d. Defined.
