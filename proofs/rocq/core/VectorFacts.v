(* Vectors of words: what each function of the Rust module `vector` computes, element by element, and the linear algebra
   of dot products. *)
From Coq Require Import Lia.
From Duoram.core Require Export RingLaws.
From Duoram.Generated Require Import All.

(* `cbn` and `simpl` leave these alone: they are to be rewritten with the lemmas below. *)
#[global] Arguments vector_at {T} v i default : simpl never.
#[global] Arguments vector_add {W W_Ring} a b : simpl never.
#[global] Arguments vector_sub {W W_Ring} a b : simpl never.
#[global] Arguments vector_scale {W W_Ring} k a : simpl never.
#[global] Arguments vector_sum {W W_Ring} a : simpl never.
#[global] Arguments vector_dot {W W_Ring} a b : simpl never.
#[global] Arguments vector_zeros W {W_Ring} n : simpl never.
#[global] Arguments vector_unit_vector W {W_Ring} n i : simpl never.
#[global] Arguments vector_indices W {W_Ring} n : simpl never.
#[global] Arguments vector_shift {W W_Ring} t s : simpl never.
#[global] Arguments vector_mod_size x n : simpl never.

Lemma vector_at_nth {T : Type} (v : list T) (i : u64) (d : T) : vector_at v i d = nth (nat_of i) v d.
Proof. apply match_get. Qed.

(* A smaller power of two divides a greater one. *)
Lemma mod_pow_mod (z w h : Z) : 0 <= h <= w -> (z mod 2 ^ w) mod 2 ^ h = z mod 2 ^ h.
Proof.
  intros hh. symmetry. apply Znumtheory.Zmod_div_mod; [apply Z.pow_pos_nonneg; lia | apply Z.pow_pos_nonneg; lia |].
  exists (2 ^ (w - h)). rewrite <- Z.pow_add_r by lia. f_equal. lia.
Qed.

(* x mod n, for n = 2^h. *)
Lemma val_vector_mod_size (x n : u64) (h : Z) : 0 <= h < 64 -> val n = 2 ^ h ->
  val (vector_mod_size x n) = val x mod 2 ^ h.
Proof.
  intros hh hn. unfold vector_mod_size. apply val_iand_mask; [lia|].
  rewrite cast_same, val_wsub, hn. change (val (repr 64 1)) with 1. apply Z.mod_small.
  assert (0 < 2 ^ h) by (apply Z.pow_pos_nonneg; lia).
  assert (2 ^ h < 2 ^ 64) by (apply Z.pow_lt_mono_r; lia). lia.
Qed.

Section Vectors.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Theory : RingTheory W}.
  Add Ring W_ring : (ring_theory_W W).
  Implicit Types a b c : list W.

  Notation zero := (ring_Ring_zero W).
  Notation "x [+] y" := (ring_Ring_plus x y) (at level 50, left associativity).
  Notation "x [-] y" := (ring_Ring_minus x y) (at level 50, left associativity).
  Notation "x [*] y" := (ring_Ring_times x y) (at level 40, left associativity).

  (** * Lengths *)

  Lemma vector_add_length a b : length a = length b -> length (vector_add a b) = length a.
  Proof. apply map_combine_length. Qed.
  Lemma vector_sub_length a b : length a = length b -> length (vector_sub a b) = length a.
  Proof. apply map_combine_length. Qed.
  Lemma vector_scale_length k a : length (vector_scale k a) = length a.
  Proof. apply map_length. Qed.
  Lemma vector_zeros_length n : length (vector_zeros W n) = nat_of n.
  Proof. apply map_range_0_length. Qed.
  Lemma vector_unit_vector_length n i : length (vector_unit_vector W n i) = nat_of n.
  Proof. apply map_range_0_length. Qed.
  Lemma vector_indices_length n : length (vector_indices W n) = nat_of n.
  Proof. apply map_range_0_length. Qed.
  Lemma vector_shift_length a s : Z.of_nat (length a) < 2 ^ 64 -> length (vector_shift a s) = length a.
  Proof. intros h. unfold vector_shift. rewrite map_range_0_length. apply nat_of_len, h. Qed.

  (** * Elements *)

  Lemma nth_vector_add a b k : length a = length b ->
    nth k (vector_add a b) zero = nth k a zero [+] nth k b zero.
  Proof.
    intros h. destruct (Nat.lt_ge_cases k (length a)) as [l|l].
    - unfold vector_add. rewrite (nth_map_combine _ a b k zero zero) by lia. reflexivity.
    - rewrite !nth_overflow; [ring | lia | lia | rewrite vector_add_length; lia].
  Qed.
  Lemma nth_vector_sub a b k : length a = length b ->
    nth k (vector_sub a b) zero = nth k a zero [-] nth k b zero.
  Proof.
    intros h. destruct (Nat.lt_ge_cases k (length a)) as [l|l].
    - unfold vector_sub. rewrite (nth_map_combine _ a b k zero zero) by lia. reflexivity.
    - rewrite !nth_overflow; [ring | lia | lia | rewrite vector_sub_length; lia].
  Qed.
  Lemma nth_vector_scale x a k : nth k (vector_scale x a) zero = x [*] nth k a zero.
  Proof.
    destruct (Nat.lt_ge_cases k (length a)) as [l|l].
    - apply (nth_map (fun y => x [*] y) a k zero zero l).
    - rewrite !nth_overflow; [ring | lia | rewrite vector_scale_length; lia].
  Qed.
  Lemma nth_vector_zeros n k : nth k (vector_zeros W n) zero = zero.
  Proof.
    destruct (Nat.lt_ge_cases k (nat_of n)) as [l|l].
    - apply (nth_map_range_0 (fun _ => zero)), l.
    - apply nth_overflow. rewrite vector_zeros_length. assumption.
  Qed.
  Lemma nth_vector_unit_vector n i k : (k < nat_of n)%nat ->
    nth k (vector_unit_vector W n i) zero = if Nat.eqb k (nat_of i) then ring_Ring_one W else zero.
  Proof.
    intros h. unfold vector_unit_vector. rewrite nth_map_range_0 by assumption.
    rewrite <- (of_nat_nat_of i) at 1. pose proof (nat_of_bound n). pose proof (nat_of_bound i).
    rewrite ieqb_of_nat by lia. reflexivity.
  Qed.
  Lemma nth_vector_indices n k : (k < nat_of n)%nat ->
    nth k (vector_indices W n) zero = ring_Ring_from_u64 W (of_nat k).
  Proof. intros h. unfold vector_indices. rewrite nth_map_range_0, cast_same by assumption. reflexivity. Qed.

  (* The cyclic shift of a vector of 2^h words: word k comes from k - s mod 2^h. *)
  Lemma nth_vector_shift a s (h : Z) k : 0 <= h < 64 -> Z.of_nat (length a) = 2 ^ h -> (k < length a)%nat ->
    nth k (vector_shift a s) zero = nth (Z.to_nat ((Z.of_nat k - val s) mod 2 ^ h)) a zero.
  Proof.
    intros hh ha hk. assert (small : 2 ^ h < 2 ^ 64) by (apply Z.pow_lt_mono_r; lia).
    unfold vector_shift. rewrite nth_map_range_0 by (rewrite nat_of_len; lia).
    rewrite vector_at_nth. f_equal. rewrite cast_same. unfold nat_of. f_equal.
    rewrite (val_vector_mod_size _ _ h), cast_same, val_wsub, val_of_nat by (rewrite ?val_len; lia).
    apply mod_pow_mod. lia.
  Qed.

  (** * Dot products *)

  Lemma fold_plus {T : Type} (f : T -> W) (l : list T) x :
    fold_left (fun s y => s [+] f y) l x = x [+] fold_left (fun s y => s [+] f y) l zero.
  Proof.
    revert x. induction l as [|y l IH]; intros x; simpl; [ring|].
    rewrite (IH (x [+] f y)), (IH (zero [+] f y)). ring.
  Qed.

  Lemma vector_sum_cons x a : vector_sum (x :: a) = x [+] vector_sum a.
  Proof. unfold vector_sum. simpl. rewrite (fold_plus (fun y => y)). ring. Qed.

  Lemma vector_dot_cons x y a b : vector_dot (x :: a) (y :: b) = x [*] y [+] vector_dot a b.
  Proof.
    unfold vector_dot. simpl.
    assert (h : forall l s, fold_left (fun (s : W) '((x, y) : W * W) => s [+] x [*] y) l s
      = fold_left (fun s p => s [+] fst p [*] snd p) l s).
    { intros l s. apply fold_left_ext. intros t [u v] _. reflexivity. }
    rewrite !h, fold_plus. ring.
  Qed.

  Lemma vector_dot_nil_l b : vector_dot [] b = zero.
  Proof. reflexivity. Qed.

  Lemma vector_dot_comm a b : vector_dot a b = vector_dot b a.
  Proof.
    revert b. induction a as [|x a IH]; intros [|y b]; try reflexivity.
    rewrite !vector_dot_cons, IH. ring.
  Qed.

  (* Linear in the first argument; with [vector_dot_comm], in the second. *)
  Lemma vector_dot_add_l a b c : length a = length b ->
    vector_dot (vector_add a b) c = vector_dot a c [+] vector_dot b c.
  Proof.
    revert b c. induction a as [|x a IH]; intros [|y b] [|z c] h; try discriminate;
      try (unfold vector_dot; simpl; ring).
    change (vector_add (x :: a) (y :: b)) with (x [+] y :: vector_add a b).
    injection h as h. rewrite !vector_dot_cons, IH by assumption. ring.
  Qed.
  Lemma vector_dot_sub_l a b c : length a = length b ->
    vector_dot (vector_sub a b) c = vector_dot a c [-] vector_dot b c.
  Proof.
    revert b c. induction a as [|x a IH]; intros [|y b] [|z c] h; try discriminate;
      try (unfold vector_dot; simpl; ring).
    change (vector_sub (x :: a) (y :: b)) with (x [-] y :: vector_sub a b).
    injection h as h. rewrite !vector_dot_cons, IH by assumption. ring.
  Qed.
  Lemma vector_dot_scale_l k a c : vector_dot (vector_scale k a) c = k [*] vector_dot a c.
  Proof.
    revert c. induction a as [|x a IH]; intros [|z c]; try (unfold vector_dot; simpl; ring).
    change (vector_scale k (x :: a)) with (k [*] x :: vector_scale k a).
    rewrite !vector_dot_cons, IH. ring.
  Qed.
  Lemma vector_dot_add_r a b c : length b = length c ->
    vector_dot a (vector_add b c) = vector_dot a b [+] vector_dot a c.
  Proof. intros h. rewrite vector_dot_comm, vector_dot_add_l, !(vector_dot_comm a) by assumption. reflexivity. Qed.
  Lemma vector_dot_sub_r a b c : length b = length c ->
    vector_dot a (vector_sub b c) = vector_dot a b [-] vector_dot a c.
  Proof. intros h. rewrite vector_dot_comm, vector_dot_sub_l, !(vector_dot_comm a) by assumption. reflexivity. Qed.
  Lemma vector_dot_scale_r k a c : vector_dot a (vector_scale k c) = k [*] vector_dot a c.
  Proof. rewrite vector_dot_comm, vector_dot_scale_l, vector_dot_comm. reflexivity. Qed.

  (* A vector of zeros at the end of a list of indices, as a sum. *)
  Lemma vector_dot_unit_map a (k0 i : nat) : vector_dot a
      (map (fun k => if Nat.eqb k i then ring_Ring_one W else zero) (seq k0 (length a)))
    = if (k0 <=? i)%nat then nth (i - k0) a zero else zero.
  Proof.
    revert k0. induction a as [|x a IH]; intros k0; simpl length; simpl seq; simpl map.
    - rewrite vector_dot_nil_l. destruct (k0 <=? i)%nat, (i - k0)%nat; reflexivity.
    - rewrite vector_dot_cons, IH.
      destruct (Nat.eqb_spec k0 i) as [->|ne].
      + rewrite Nat.sub_diag, Nat.leb_refl. destruct (Nat.leb_spec (S i) i); [lia|]. simpl. ring.
      + destruct (Nat.leb_spec (S k0) i), (Nat.leb_spec k0 i); try lia; [|ring].
        replace (i - k0)%nat with (S (i - S k0)) by lia. simpl. ring.
  Qed.

  (* <a, e_i> = a[i] *)
  Lemma vector_dot_unit_vector a (n i : u64) : length a = nat_of n ->
    vector_dot a (vector_unit_vector W n i) = nth (nat_of i) a zero.
  Proof.
    intros h. transitivity (vector_dot a
      (map (fun k => if Nat.eqb k (nat_of i) then ring_Ring_one W else zero) (seq 0 (length a)))).
    - f_equal. unfold vector_unit_vector. rewrite map_range_0, h. apply map_ext_in. intros k hk.
      apply in_seq in hk. pose proof (nat_of_bound n). pose proof (nat_of_bound i).
      rewrite <- (of_nat_nat_of i) at 1. rewrite ieqb_of_nat by lia. reflexivity.
    - rewrite vector_dot_unit_map. simpl. rewrite Nat.sub_0_r. reflexivity.
  Qed.
End Vectors.
