(* What the boolean functions of the Rust module `core::lemmas` say, as equations. *)
From Coq Require Import Lia.
From Duoram.core Require Export SizeFacts.
From Duoram.Generated Require Import All.

(** * Booleans *)

Lemma every_true (bits : list bool) : vector_every bits = true <-> forall b, In b bits -> b = true.
Proof.
  unfold vector_every. induction bits as [|b bits IH]; simpl; [intuition|].
  destruct b.
  - rewrite IH. split; intros h c; [intros [<-|hc]; auto | intros hc; auto].
  - assert (f : fold_left (fun all bit => all && bit) bits false = false) by (clear; induction bits; auto).
    rewrite f. split; [discriminate|]. intros h. apply h. auto.
Qed.

Lemma every_map_range (f : u64 -> bool) (n : u64) :
  vector_every (map f (range (repr 64 0) n)) = true <-> forall k, (k < nat_of n)%nat -> f (of_nat k) = true.
Proof.
  rewrite every_true, map_range_0. split.
  - intros h k hk. apply h, in_map_iff. exists k. split; [reflexivity|]. apply in_seq. lia.
  - intros h b hb. apply in_map_iff in hb as (k & <- & hk). apply in_seq in hk. apply h. lia.
Qed.

(** * Vectors of words *)

Section Words.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Theory : RingTheory W}.
  Add Ring W_ring : (ring_theory_W W).
  Implicit Types (a b c : list W) (n s i : u64) (k : nat) (x f : W).
  Notation zero := (ring_Ring_zero W).

  (** * Equality of vectors *)

  Lemma same_refl (x : W) : lemmas_same x x = true.
  Proof. apply same_eq. reflexivity. Qed.

  Lemma same_vector_refl a : lemmas_same_vector a a = true.
  Proof.
    unfold lemmas_same_vector. rewrite ieqb_refl. apply every_true. intros x hx.
    apply in_map_iff in hx as ([y z] & <- & h). induction a as [|y' a IH]; [destruct h|].
    destruct h as [h|h]; [|auto]. injection h as <- <-. apply same_refl.
  Qed.

  (* A vector that is the same as one of n words is that one, if it has fewer than 2^64 words, as all in memory have. *)
  Lemma same_vector_eq a b : Z.of_nat (length a) < 2 ^ 64 -> Z.of_nat (length b) < 2 ^ 64 ->
    lemmas_same_vector a b = true <-> a = b.
  Proof.
    intros ha hb. split; [|intros ->; apply same_vector_refl]. unfold lemmas_same_vector. intros h.
    apply andb_prop in h as [hl h]. apply ieqb_eq, of_nat_inj in hl; [|assumption|assumption].
    clear ha hb. revert b hl h. induction a as [|x a IH]; intros [|y b] hl h; try discriminate; [reflexivity|].
    injection hl as hl. rewrite every_true in h. f_equal.
    - apply same_eq, h. left. reflexivity.
    - apply IH; [assumption|]. apply every_true. intros c hc. apply h. right. assumption.
  Qed.
  Lemma same_vector_sized n a b : sized n a -> sized n b -> lemmas_same_vector a b = true <-> a = b.
  Proof. intros ha hb. apply same_vector_eq; eapply sized_small; eassumption. Qed.

  (* a - b = 0 *)
  Lemma sub_zeros n a b : sized n a -> sized n b -> vector_sub a b = vector_zeros W n <-> a = b.
  Proof.
    intros ha hb. split; intros h.
    - apply (sized_ext n); [assumption..|]. intros k hk.
      apply (f_equal (fun v => nth k v zero)) in h. rewrite (nth_sub n), nth_vector_zeros in h by assumption.
      transitivity (ring_Ring_plus (ring_Ring_minus (nth k a zero) (nth k b zero)) (nth k b zero)); [ring|].
      rewrite h. ring.
    - subst b. apply (sized_ext n); auto using sized_sub, sized_zeros. intros k hk.
      rewrite (nth_sub n), nth_vector_zeros by assumption. ring.
  Qed.

  (** * Value words that F fits *)

  Lemma sums_to_zero_equation n v_0 v_1 f i : sized n v_0 -> sized n v_1 ->
    lemmas_sums_to_zero v_0 v_1 f i = true <->
    vector_add (vector_add v_0 v_1) (vector_scale f (vector_unit_vector W n i)) = vector_zeros W n.
  Proof.
    intros h_0 h_1. unfold lemmas_sums_to_zero. rewrite (sized_len n), cast_same by assumption.
    apply (same_vector_sized n); auto using sized_add, sized_scale, sized_unit_vector, sized_zeros.
  Qed.
End Words.
