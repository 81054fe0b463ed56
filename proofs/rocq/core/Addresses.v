(* Addresses mod n = 2^h, and vectors of n words. *)
From Coq Require Import Lia.
From Duoram.core Require Export VectorFacts.
From Duoram.Generated Require Import All.

(* n is a power of two, as the sizes of all memories are. *)
Definition power_of_two (n : u64) : Prop := exists h, 0 <= h < 64 /\ val n = 2 ^ h.

Lemma power_of_two_pos (n : u64) : power_of_two n -> 0 < val n.
Proof. intros (h & hh & ->). apply Z.pow_pos_nonneg; lia. Qed.

Lemma val_mod_size (x n : u64) : power_of_two n -> val (vector_mod_size x n) = val x mod val n.
Proof. intros (h & hh & hn). rewrite (val_vector_mod_size x n h), hn; auto. Qed.

(* 2^64 is a multiple of n. *)
Lemma mod_word_mod (x : Z) (n : u64) : power_of_two n -> (x mod 2 ^ 64) mod val n = x mod val n.
Proof. intros (h & hh & ->). apply mod_pow_mod. lia. Qed.

Lemma mod_size_below (x n : u64) : power_of_two n -> val (vector_mod_size x n) < val n.
Proof. intros h. rewrite val_mod_size by assumption. apply Z.mod_pos_bound, power_of_two_pos, h. Qed.

Lemma mod_size_small (x n : u64) : power_of_two n -> val x < val n -> vector_mod_size x n = x.
Proof.
  intros h hx. apply int_ext. rewrite val_mod_size by assumption. apply Z.mod_small. pose proof (val_bounds x). lia.
Qed.

(* Sums and differences of addresses are the same before and after reduction. *)
Ltac reduced law :=
  intros h; apply int_ext; rewrite !val_mod_size, ?val_wadd, ?val_wsub, !mod_word_mod, val_mod_size by assumption; apply law.

Lemma mod_size_add_l (x y n : u64) : power_of_two n ->
  vector_mod_size (wadd (vector_mod_size x n) y) n = vector_mod_size (wadd x y) n.
Proof. reduced Zplus_mod_idemp_l. Qed.
Lemma mod_size_add_r (x y n : u64) : power_of_two n ->
  vector_mod_size (wadd x (vector_mod_size y n)) n = vector_mod_size (wadd x y) n.
Proof. reduced Zplus_mod_idemp_r. Qed.
Lemma mod_size_sub_l (x y n : u64) : power_of_two n ->
  vector_mod_size (wsub (vector_mod_size x n) y) n = vector_mod_size (wsub x y) n.
Proof. reduced Zminus_mod_idemp_l. Qed.
Lemma mod_size_sub_r (x y n : u64) : power_of_two n ->
  vector_mod_size (wsub x (vector_mod_size y n)) n = vector_mod_size (wsub x y) n.
Proof. reduced Zminus_mod_idemp_r. Qed.

(* A list of n elements. *)
Definition sized {T : Type} (n : u64) (v : list T) : Prop := length v = nat_of n.

Lemma sized_len {T : Type} (n : u64) (v : list T) : sized n v -> len v = n.
Proof. unfold sized, len. intros ->. apply of_nat_nat_of. Qed.
