(* The shift of XOR-shared addresses, x<S>: word j moves to j xor S. It undoes itself, it is linear, and it takes e_i to
   e_(i xor S). *)
From Coq Require Import Lia.
From Duoram.core Require Export LemmasFacts.
From Duoram.Generated Require Import All.

#[global] Arguments vector_xor_shift {W W_Ring} x s : simpl never.

(** * Addresses mod n under XOR *)

Lemma mod_size_ixor (a b n : u64) : vector_mod_size (ixor a b) n = ixor (vector_mod_size a n) (vector_mod_size b n).
Proof. apply iand_ixor_r. Qed.

Lemma mod_size_mod_size (a n : u64) : vector_mod_size (vector_mod_size a n) n = vector_mod_size a n.
Proof. unfold vector_mod_size. rewrite iand_assoc, iand_idem. reflexivity. Qed.

(* The place that word k comes from. *)
Definition xor_place (n s : u64) (k : nat) : nat := nat_of (vector_mod_size (ixor (of_nat k) s) n).

Lemma xor_place_below (n s : u64) (k : nat) : power_of_two n -> (xor_place n s k < nat_of n)%nat.
Proof.
  intros h. pose proof (mod_size_below (ixor (of_nat k) s) n h). unfold xor_place.
  pose proof (Z_nat_of n). pose proof (Z_nat_of (vector_mod_size (ixor (of_nat k) s) n)). lia.
Qed.

Lemma mod_size_of_nat (n : u64) (k : nat) : power_of_two n -> (k < nat_of n)%nat ->
  vector_mod_size (of_nat k) n = of_nat k.
Proof.
  intros h hk. apply mod_size_small; [assumption|]. pose proof (Z_nat_of n). pose proof (val_bounds n).
  rewrite val_of_nat; lia.
Qed.

Lemma xor_place_twice (n s : u64) (k : nat) : power_of_two n -> (k < nat_of n)%nat ->
  xor_place n s (xor_place n s k) = k.
Proof.
  intros h hk. unfold xor_place. rewrite of_nat_nat_of, !mod_size_ixor, !mod_size_mod_size, ixor_cancel_r.
  rewrite mod_size_of_nat by assumption. apply nat_of_of_nat. pose proof (nat_of_bound n). lia.
Qed.

(* k comes from place i iff k is i moved. *)
Lemma xor_place_eqb (n s i : u64) (k : nat) : power_of_two n -> (k < nat_of n)%nat -> val i < val n ->
  Nat.eqb (xor_place n s k) (nat_of i) = Nat.eqb k (nat_of (vector_mod_size (ixor i s) n)).
Proof.
  intros h hk hi. replace (nat_of (vector_mod_size (ixor i s) n)) with (xor_place n s (nat_of i))
    by (unfold xor_place; rewrite of_nat_nat_of; reflexivity).
  assert (hi' : (nat_of i < nat_of n)%nat) by (pose proof (Z_nat_of n); pose proof (Z_nat_of i); lia).
  destruct (Nat.eqb_spec (xor_place n s k) (nat_of i)) as [e|e], (Nat.eqb_spec k (xor_place n s (nat_of i))) as [e'|e'];
    try reflexivity; exfalso.
  - apply e'. rewrite <- e, xor_place_twice; auto.
  - apply e. rewrite e', xor_place_twice; auto.
Qed.

(** * Vectors *)

Section Words.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Theory : RingTheory W}.
  Add Ring W_ring : (ring_theory_W W).
  Implicit Types (a b : list W) (n s i : u64) (k : nat) (x : W).
  Notation zero := (ring_Ring_zero W).

  Lemma sized_xor_shift n a s : sized n a -> sized n (vector_xor_shift a s).
  Proof.
    intros h. unfold sized, vector_xor_shift. rewrite map_range_0_length, (sized_len n) by assumption. reflexivity.
  Qed.

  Lemma nth_xor_shift n a s k : sized n a -> (k < nat_of n)%nat ->
    nth k (vector_xor_shift a s) zero = nth (xor_place n s k) a zero.
  Proof.
    intros ha hk. unfold vector_xor_shift. rewrite (sized_len n), nth_map_range_0 by assumption.
    rewrite vector_at_nth, !cast_same. reflexivity.
  Qed.

  Ltac place_by_place n :=
    apply (sized_ext n); auto 10 using sized_xor_shift, sized_add, sized_sub, sized_scale, sized_zeros, sized_unit_vector;
    intros k hk.

  (* Moving twice by one S changes nothing. *)
  Theorem xor_shift_twice n a s : power_of_two n -> sized n a -> vector_xor_shift (vector_xor_shift a s) s = a.
  Proof.
    intros h ha. place_by_place n.
    rewrite !(nth_xor_shift n), xor_place_twice by auto using sized_xor_shift, xor_place_below. reflexivity.
  Qed.

  Lemma xor_shift_add n a b s : power_of_two n -> sized n a -> sized n b ->
    vector_xor_shift (vector_add a b) s = vector_add (vector_xor_shift a s) (vector_xor_shift b s).
  Proof.
    intros h ha hb. place_by_place n.
    rewrite (nth_add n), !(nth_xor_shift n), (nth_add n) by auto using sized_add, sized_xor_shift. reflexivity.
  Qed.

  Lemma xor_shift_scale n x a s : power_of_two n -> sized n a ->
    vector_xor_shift (vector_scale x a) s = vector_scale x (vector_xor_shift a s).
  Proof.
    intros h ha. place_by_place n.
    rewrite nth_vector_scale, !(nth_xor_shift n), nth_vector_scale by auto using sized_scale. reflexivity.
  Qed.

  (* e_i goes to e_(i xor S mod n). *)
  Theorem xor_shift_unit_vector n i s : power_of_two n -> val i < val n ->
    vector_xor_shift (vector_unit_vector W n i) s = vector_unit_vector W n (vector_mod_size (ixor i s) n).
  Proof.
    intros h hi. place_by_place n.
    rewrite (nth_xor_shift n), !nth_vector_unit_vector by auto using sized_unit_vector, xor_place_below.
    rewrite xor_place_eqb by assumption. reflexivity.
  Qed.
End Words.

#[global] Hint Resolve sized_xor_shift : sizes.
