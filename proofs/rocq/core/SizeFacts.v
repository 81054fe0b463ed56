(* Vectors of n = 2^h words: sizes, vectors element by element, dot products, and cyclic shifts. *)
From Coq Require Import Lia.
From Duoram.core Require Export Addresses.
From Duoram.Generated Require Import All.

(* `cbn` leaves arithmetic alone. *)
#[global] Arguments wadd {w} a b : simpl never.
#[global] Arguments wsub {w} a b : simpl never.
#[global] Arguments wmul {w} a b : simpl never.
#[global] Arguments repr w z : simpl never.
#[global] Arguments cast {w} v a : simpl never.

(** * Sizes *)

Lemma sized_of_len {T : Type} (v : list T) : Z.of_nat (length v) < 2 ^ 64 -> sized (len v) v.
Proof. intros h. unfold sized. rewrite nat_of_len by assumption. reflexivity. Qed.

Lemma sized_small {T : Type} (n : u64) (v : list T) : sized n v -> Z.of_nat (length v) < 2 ^ 64.
Proof. unfold sized. intros ->. apply nat_of_bound. Qed.

Section Words.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Theory : RingTheory W}.
  Add Ring W_ring : (ring_theory_W W).
  Implicit Types (a b c : list W) (n s i : u64) (k : nat) (x f : W).

  Lemma sized_add n a b : sized n a -> sized n b -> sized n (vector_add a b).
  Proof. unfold sized. intros. rewrite vector_add_length; congruence. Qed.
  Lemma sized_sub n a b : sized n a -> sized n b -> sized n (vector_sub a b).
  Proof. unfold sized. intros. rewrite vector_sub_length; congruence. Qed.
  Lemma sized_scale n x a : sized n a -> sized n (vector_scale x a).
  Proof. unfold sized. intros. rewrite vector_scale_length; assumption. Qed.
  Lemma sized_shift n a s : sized n a -> sized n (vector_shift a s).
  Proof. intros h. unfold sized. rewrite vector_shift_length; [exact h | apply (sized_small n), h]. Qed.
  Lemma sized_zeros n : sized n (vector_zeros W n).
  Proof. apply vector_zeros_length. Qed.
  Lemma sized_unit_vector n i : sized n (vector_unit_vector W n i).
  Proof. apply vector_unit_vector_length. Qed.

  (** * Vectors, element by element *)

  Notation zero := (ring_Ring_zero W).

  Lemma sized_ext n a b : sized n a -> sized n b ->
    (forall k, (k < nat_of n)%nat -> nth k a zero = nth k b zero) -> a = b.
  Proof. unfold sized. intros ha hb h. apply (list_ext zero); [congruence|]. rewrite ha. exact h. Qed.

  Lemma nth_add n a b k : sized n a -> sized n b ->
    nth k (vector_add a b) zero = ring_Ring_plus (nth k a zero) (nth k b zero).
  Proof. unfold sized. intros. apply nth_vector_add. congruence. Qed.
  Lemma nth_sub n a b k : sized n a -> sized n b ->
    nth k (vector_sub a b) zero = ring_Ring_minus (nth k a zero) (nth k b zero).
  Proof. unfold sized. intros. apply nth_vector_sub. congruence. Qed.

  Lemma dot_add_l n a b c : sized n a -> sized n b ->
    vector_dot (vector_add a b) c = ring_Ring_plus (vector_dot a c) (vector_dot b c).
  Proof. unfold sized. intros. apply vector_dot_add_l. congruence. Qed.
  Lemma dot_add_r n a b c : sized n b -> sized n c ->
    vector_dot a (vector_add b c) = ring_Ring_plus (vector_dot a b) (vector_dot a c).
  Proof. unfold sized. intros. apply vector_dot_add_r. congruence. Qed.
  Lemma dot_sub_r n a b c : sized n b -> sized n c ->
    vector_dot a (vector_sub b c) = ring_Ring_minus (vector_dot a b) (vector_dot a c).
  Proof. unfold sized. intros. apply vector_dot_sub_r. congruence. Qed.

  (** * Cyclic shifts *)

  Lemma nth_shift n a s k : power_of_two n -> sized n a -> (k < nat_of n)%nat ->
    nth k (vector_shift a s) zero = nth (Z.to_nat ((Z.of_nat k - val s) mod val n)) a zero.
  Proof.
    unfold sized. intros (h & hh & hn) ha hk. rewrite hn.
    apply nth_vector_shift; [assumption | rewrite ha, Z_nat_of; assumption | congruence].
  Qed.

  (* The place that a shift takes word k from is one of the n. *)
  Lemma shifted_place n s k : power_of_two n -> (Z.to_nat ((Z.of_nat k - val s) mod val n) < nat_of n)%nat.
  Proof.
    intros h. pose proof (power_of_two_pos n h). pose proof (Z_nat_of n).
    pose proof (Z.mod_pos_bound (Z.of_nat k - val s) (val n)). lia.
  Qed.

  Lemma shift_add n a b s : power_of_two n -> sized n a -> sized n b ->
    vector_shift (vector_add a b) s = vector_add (vector_shift a s) (vector_shift b s).
  Proof.
    intros h ha hb. apply (sized_ext n); try (repeat apply sized_add || apply sized_shift; assumption).
    intros k hk. rewrite (nth_add n), !(nth_shift n), (nth_add n) by (auto using sized_add, sized_shift). reflexivity.
  Qed.

  Lemma shift_scale n x a s : power_of_two n -> sized n a ->
    vector_shift (vector_scale x a) s = vector_scale x (vector_shift a s).
  Proof.
    intros h ha. apply (sized_ext n); try (repeat apply sized_scale || apply sized_shift; assumption).
    intros k hk. rewrite nth_vector_scale, !(nth_shift n), nth_vector_scale by (auto using sized_scale). reflexivity.
  Qed.

  Lemma shift_zeros n s : power_of_two n -> vector_shift (vector_zeros W n) s = vector_zeros W n.
  Proof.
    intros h. apply (sized_ext n); auto using sized_shift, sized_zeros.
    intros k hk. rewrite (nth_shift n), !nth_vector_zeros by (auto using sized_zeros). reflexivity.
  Qed.

  (* e_i shifted by s is e_(i + s mod n). *)
  Lemma shift_unit_vector n i s : power_of_two n -> val i < val n ->
    vector_shift (vector_unit_vector W n i) s = vector_unit_vector W n (vector_mod_size (wadd i s) n).
  Proof.
    intros h hi. pose proof (power_of_two_pos n h) as pos. pose proof (val_bounds i) as bi.
    apply (sized_ext n); auto using sized_shift, sized_unit_vector. intros k hk.
    rewrite (nth_shift n), !nth_vector_unit_vector by auto using sized_unit_vector, shifted_place.
    unfold nat_of in *.
    rewrite val_mod_size, val_wadd, mod_word_mod by assumption.
    pose proof (Z.mod_pos_bound (Z.of_nat k - val s) (val n) pos) as b1.
    pose proof (Z.mod_pos_bound (val i + val s) (val n) pos) as b2.
    assert (e : (Z.of_nat k - val s) mod val n = val i <-> (val i + val s) mod val n = Z.of_nat k).
    { split; intros hx.
      - rewrite <- hx, Zplus_mod_idemp_l. replace (Z.of_nat k - val s + val s) with (Z.of_nat k) by ring.
        apply Z.mod_small. lia.
      - rewrite <- hx, Zminus_mod_idemp_l. replace (val i + val s - val s) with (val i) by ring.
        apply Z.mod_small. lia. }
    destruct (Nat.eqb_spec (Z.to_nat ((Z.of_nat k - val s) mod val n)) (Z.to_nat (val i))),
      (Nat.eqb_spec k (Z.to_nat ((val i + val s) mod val n))); try reflexivity; exfalso; lia.
  Qed.
End Words.

#[global] Hint Resolve sized_add sized_sub sized_scale sized_shift sized_zeros sized_unit_vector : sizes.

(* Two vectors of n words are equal: element by element, what `ring` then has to show. *)
Ltac by_elements n :=
  apply (sized_ext n); [auto 10 with sizes | auto 10 with sizes |];
  let k := fresh "k" in let hk := fresh "hk" in
  intros k hk;
  repeat first [ rewrite nth_vector_scale | rewrite nth_vector_zeros
               | rewrite (nth_add n) by auto 10 with sizes | rewrite (nth_sub n) by auto 10 with sizes ].
