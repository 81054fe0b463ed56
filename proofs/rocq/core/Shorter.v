(* Sums and products with a longer vector: what goes beyond the shorter one is left out. *)
From Coq Require Import Lia.
From Duoram.core Require Export XorShift.
From Duoram.core Require Import ListFacts.
From Duoram.Generated Require Import All.

(* m words of n. *)
Definition at_most (m n : u64) : Prop := val m <= val n.

Lemma at_most_nat m n : at_most m n -> (nat_of m <= nat_of n)%nat.
Proof. unfold at_most. intros. pose proof (Z_nat_of m). pose proof (Z_nat_of n). lia. Qed.
Lemma at_most_same n : at_most n n.
Proof. unfold at_most. lia. Qed.

Section Words.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Theory : RingTheory W}.
  Add Ring W_ring : (ring_theory_W W).
  Implicit Types (a b c : list W) (m n i : u64) (k : nat).
  Notation zero := (ring_Ring_zero W).

  Lemma add_cut a b : (length a <= length b)%nat -> vector_add a b = vector_add a (firstn (length a) b).
  Proof.
    unfold vector_add. revert b. induction a as [|x a IH]; intros [|y b] h; cbn in *; try reflexivity.
    rewrite IH by lia. reflexivity.
  Qed.
  Lemma dot_cut a b : vector_dot a b = vector_dot a (firstn (length a) b).
  Proof.
    revert b. induction a as [|x a IH]; intros [|y b]; try reflexivity.
    cbn [length firstn]. rewrite !vector_dot_cons, IH. reflexivity.
  Qed.

  Lemma sized_firstn m n b : sized n b -> at_most m n -> sized m (firstn (nat_of m) b).
  Proof. intros hb h%at_most_nat. unfold sized in *. rewrite firstn_length. lia. Qed.

  Lemma sized_add_longer m n a b : sized m a -> sized n b -> at_most m n -> sized m (vector_add a b).
  Proof.
    intros ha hb h. pose proof (at_most_nat m n h) as le. rewrite add_cut by (unfold sized in *; lia).
    apply sized_add; [exact ha|]. rewrite ha. apply (sized_firstn m n); assumption.
  Qed.
  Lemma nth_add_longer m n a b k : sized m a -> sized n b -> at_most m n -> (k < nat_of m)%nat ->
    nth k (vector_add a b) zero = ring_Ring_plus (nth k a zero) (nth k b zero).
  Proof.
    intros ha hb h hk. pose proof (at_most_nat m n h) as le. rewrite add_cut by (unfold sized in *; lia). rewrite ha.
    rewrite (nth_add m) by (auto; apply (sized_firstn m n); assumption). rewrite nth_firstn_lt by exact hk. reflexivity.
  Qed.

  (* <a, e_i> = a[i], and 0 behind the end of a. *)
  Lemma dot_unit_vector_longer m n a i : sized m a -> at_most m n ->
    vector_dot a (vector_unit_vector W n i) = nth (nat_of i) a zero.
  Proof.
    intros ha h. rewrite <- (vector_dot_unit_vector a m i) by exact ha. rewrite dot_cut. f_equal. rewrite ha.
    apply (sized_ext m); [apply (sized_firstn m n); auto using sized_unit_vector | apply sized_unit_vector |].
    intros k hk. pose proof (at_most_nat m n h). rewrite nth_firstn_lt, !nth_vector_unit_vector by lia. reflexivity.
  Qed.

  (* What is added behind the end of a is left out. *)
  Lemma add_unit_vector_longer m n a i (x : W) : sized m a -> at_most m n ->
    vector_add a (vector_scale x (vector_unit_vector W n i)) = vector_add a (vector_scale x (vector_unit_vector W m i)).
  Proof.
    intros ha h. pose proof (at_most_nat m n h).
    apply (sized_ext m); [apply (sized_add_longer m n); auto using sized_scale, sized_unit_vector | auto using sized_add, sized_scale, sized_unit_vector |].
    intros k hk. rewrite (nth_add_longer m n), (nth_add m), !nth_vector_scale, !nth_vector_unit_vector
      by (lia || auto using sized_scale, sized_unit_vector). reflexivity.
  Qed.

  (* Both shares of a vector of m words get a share each of one of n. *)
  Lemma both_added_longer m n a b c d : sized m a -> sized m b -> sized n c -> sized n d -> at_most m n ->
    vector_add (vector_add a c) (vector_add b d) = vector_add (vector_add a b) (vector_add c d).
  Proof.
    intros ha hb hc hd h.
    pose proof (sized_add_longer m n a c ha hc h) as ac. pose proof (sized_add_longer m n b d hb hd h) as bd.
    pose proof (sized_add m a b ha hb) as ab. pose proof (sized_add n c d hc hd) as cd.
    apply (sized_ext m); [apply sized_add; assumption | apply (sized_add_longer m n); assumption |].
    intros k hk. rewrite (nth_add m _ _ k ac bd), (nth_add_longer m n _ _ k ab cd h hk), (nth_add_longer m n _ _ k ha hc h hk),
      (nth_add_longer m n _ _ k hb hd h hk), (nth_add m _ _ k ha hb), (nth_add n _ _ k hc hd). ring.
  Qed.
End Words.
