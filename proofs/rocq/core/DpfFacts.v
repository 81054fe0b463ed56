(* Facts that the proofs about DPFs need: flags and labels, the bits of an address as a list, sums of vectors that are
   zero but at one place, `lemmas::leaves_point_at` in plain words, and the walk down a tree along a list of bits. *)
From Coq Require Import Lia.
From Duoram.core Require Export VectorFacts.
From Duoram.Generated Require Import All.

(* `cbn` and `simpl` leave these alone: they are to be rewritten with the lemmas below. *)
#[global] Arguments block_flag label : simpl never.
#[global] Arguments block_clear_flag label : simpl never.
#[global] Arguments block_bit_block bit : simpl never.
#[global] Arguments block_replicate bit : simpl never.
#[global] Arguments block_with_flag label bit : simpl never.
#[global] Arguments dpf_child {P P_Prg} prg parent correction bit : simpl never.
#[global] Arguments dpf_left_child {P P_Prg} prg parent correction : simpl never.
#[global] Arguments dpf_right_child {P P_Prg} prg parent correction : simpl never.
#[global] Arguments dealer_level_correction {P P_Prg} prg node_0 node_1 bit : simpl never.

(** * Flags and labels *)

Lemma block_flag_bit (a : u128) : block_flag a = bit a 0.
Proof. apply ieqb_iand_1. reflexivity. Qed.

Lemma bit_clear_flag (a : u128) (k : Z) : bit (block_clear_flag a) k = bit a k && negb (k =? 0).
Proof.
  destruct (Z_lt_le_dec k 0) as [n|n]; [rewrite !bit_neg by lia; reflexivity|].
  destruct (Z_lt_le_dec k 128) as [low|high]; [|rewrite !bit_high by lia; reflexivity].
  unfold block_clear_flag. rewrite bit_iand, bit_inot, bit_one by lia. reflexivity.
Qed.

Lemma bit_bit_block (b : bool) (k : Z) : bit (block_bit_block b) k = b && (k =? 0).
Proof. destruct b; unfold block_bit_block; [apply bit_one; reflexivity | apply bit_zero]. Qed.

Lemma iand_replicate (b : bool) (a : u128) : iand (block_replicate b) a = if b then a else repr 128 0.
Proof. destruct b; [apply iand_ones_l | apply iand_0_l]. Qed.

Lemma ixor_replicate (b c : bool) : ixor (block_replicate b) (block_replicate c) = block_replicate (xorb b c).
Proof.
  destruct b, c; unfold block_replicate; cbn;
    rewrite ?ixor_nilpotent, ?ixor_0_l, ?ixor_0_r; reflexivity.
Qed.

Lemma block_flag_replicate (b : bool) : block_flag (block_replicate b) = b.
Proof.
  rewrite block_flag_bit. destruct b; unfold block_replicate; [apply bit_ones; lia | apply bit_zero].
Qed.

Lemma block_flag_ixor (a b : u128) : block_flag (ixor a b) = xorb (block_flag a) (block_flag b).
Proof. rewrite !block_flag_bit. apply bit_ixor. Qed.

Lemma block_flag_zero : block_flag (repr 128 0) = false.
Proof. rewrite block_flag_bit. apply bit_zero. Qed.

Lemma block_flag_bit_block (b : bool) : block_flag (block_bit_block b) = b.
Proof. rewrite block_flag_bit, bit_bit_block. apply andb_true_r. Qed.

Lemma block_flag_clear_flag (a : u128) : block_flag (block_clear_flag a) = false.
Proof. rewrite block_flag_bit, bit_clear_flag. apply andb_false_r. Qed.

Lemma block_flag_with_flag (a : u128) (b : bool) : block_flag (block_with_flag a b) = b.
Proof.
  unfold block_with_flag. rewrite block_flag_ixor, block_flag_clear_flag, block_flag_bit_block. apply xorb_false_l.
Qed.

Lemma clear_flag_ixor (a b : u128) :
  block_clear_flag (ixor a b) = ixor (block_clear_flag a) (block_clear_flag b).
Proof. unfold block_clear_flag. apply iand_ixor_r. Qed.

(* A block is its upper 127 bits and its flag. *)
Lemma clear_flag_and_flag (a : u128) : ixor (block_clear_flag a) (block_bit_block (block_flag a)) = a.
Proof.
  apply bit_ext. intros k _. rewrite bit_ixor, bit_clear_flag, bit_bit_block, block_flag_bit.
  destruct (Z.eqb_spec k 0) as [->|n]; destruct (bit a _); try reflexivity; destruct (bit a 0); reflexivity.
Qed.

(** * The bits of an address *)

(* Bits h - 1, ..., 0 of z: the path to leaf z of a tree of height h. *)
Fixpoint path_bits (h : nat) (z : Z) : list bool :=
  match h with
  | O => []
  | S h => Z.testbit z (Z.of_nat h) :: path_bits h z
  end.

Lemma path_bits_length (h : nat) (z : Z) : length (path_bits h z) = h.
Proof. induction h; cbn; congruence. Qed.

Lemma path_bits_map (h : nat) (z : Z) :
  path_bits h z = map (fun k => Z.testbit z (Z.of_nat h - 1 - Z.of_nat k)) (seq 0 h).
Proof.
  induction h as [|h IH]; [reflexivity|].
  cbn [path_bits seq map]. rewrite IH, <- seq_shift, map_map. f_equal; [f_equal; lia|].
  apply map_ext. intros k. f_equal. lia.
Qed.

(* The specification's bits, up to the 64 that an address has. *)
Lemma address_bits_path (address h : u64) : val h <= 64 ->
  dpf_address_bits address h = path_bits (nat_of h) (val address).
Proof.
  intros hh. unfold dpf_address_bits. rewrite map_range_0, path_bits_map. apply map_ext_in.
  intros k hk. apply in_seq in hk. pose proof (Z_nat_of h). pose proof (val_bounds h).
  rewrite ieqb_iand_1 by reflexivity.
  assert (hp : val (cast 32 (wsub (wsub h (repr 64 1)) (of_nat k))) = val h - 1 - Z.of_nat k).
  { rewrite val_cast, !val_wsub, val_of_nat by lia. change (val (repr 64 1)) with 1.
    rewrite (Z.mod_small (val h - 1) _) by lia. rewrite (Z.mod_small _ (2 ^ 64)) by lia. apply Z.mod_small. lia. }
  rewrite bit_wshr, hp by (rewrite ?hp; lia). unfold bit. f_equal. lia.
Qed.

Lemma dpf_address_bits_length (address h : u64) : length (dpf_address_bits address h) = nat_of h.
Proof. apply map_range_0_length. Qed.

(* The bits tell numbers below 2^h apart. *)
Lemma path_bits_inj (h : nat) (x y : Z) : 0 <= x < 2 ^ Z.of_nat h -> 0 <= y < 2 ^ Z.of_nat h ->
  path_bits h x = path_bits h y -> x = y.
Proof.
  intros hx hy e.
  assert (low : forall k, 0 <= k < Z.of_nat h -> Z.testbit x k = Z.testbit y k).
  { clear hx hy. induction h as [|h IH]; intros k hk; [lia|].
    injection e as e0 e. destruct (Z.eq_dec k (Z.of_nat h)) as [->|ne]; [assumption|].
    apply IH; [assumption | lia]. }
  apply Z.bits_inj'. intros k hk. destruct (Z_lt_le_dec k (Z.of_nat h)) as [l|l]; [apply low; lia|].
  rewrite <- (Z.mod_small x (2 ^ Z.of_nat h)), <- (Z.mod_small y (2 ^ Z.of_nat h)) by assumption.
  rewrite !Z.mod_pow2_bits_high by lia. reflexivity.
Qed.

Lemma path_bits_lxor (h : nat) (x y : Z) :
  map (fun '(b, c) => xorb b c) (combine (path_bits h x) (path_bits h y)) = path_bits h (Z.lxor x y).
Proof. induction h as [|h IH]; cbn; [reflexivity|]. rewrite IH, Z.lxor_spec. reflexivity. Qed.

(* The upper bits are not looked at. *)
Lemma path_bits_mod (h : nat) (m x : Z) : Z.of_nat h <= m -> path_bits h (x mod 2 ^ m) = path_bits h x.
Proof.
  induction h as [|h IH]; intros hm; cbn; [reflexivity|].
  rewrite IH, Z.mod_pow2_bits_low by lia. reflexivity.
Qed.

(* Every list of bits is that of a number. *)
Fixpoint number_of_bits (bits : list bool) : Z :=
  match bits with
  | [] => 0
  | b :: bits => Z.b2z b * 2 ^ Z.of_nat (length bits) + number_of_bits bits
  end.

Lemma number_of_bits_bounds (bits : list bool) : 0 <= number_of_bits bits < 2 ^ Z.of_nat (length bits).
Proof.
  induction bits as [|b bits IH]; [cbn; lia|].
  cbn [number_of_bits length]. rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia. destruct b; cbn [Z.b2z]; lia.
Qed.

Lemma path_bits_number (bits : list bool) : path_bits (length bits) (number_of_bits bits) = bits.
Proof.
  induction bits as [|b bits IH]; [reflexivity|].
  pose proof (number_of_bits_bounds bits) as hb.
  assert (hm : number_of_bits (b :: bits) mod 2 ^ Z.of_nat (length bits) = number_of_bits bits).
  { cbn [number_of_bits]. rewrite Z.add_comm, Z.mod_add by lia. apply Z.mod_small. assumption. }
  cbn [length path_bits]. f_equal.
  - rewrite Z.testbit_eqb by lia. cbn [number_of_bits].
    rewrite Z.div_add_l, Z.div_small by lia. destruct b; reflexivity.
  - rewrite <- (path_bits_mod _ (Z.of_nat (length bits))), hm by lia. apply IH.
Qed.

(** * `lemmas::leaves_point_at` *)

Lemma vector_every_cons (b : bool) (l : list bool) : vector_every (b :: l) = b && vector_every l.
Proof.
  unfold vector_every. simpl. destruct b; [reflexivity|]. induction l; auto.
Qed.

Lemma vector_every_forall (l : list bool) : vector_every l = true <-> forall b, In b l -> b = true.
Proof.
  induction l as [|b l IH]; [cbn; intuition|].
  rewrite vector_every_cons, andb_true_iff, IH. split.
  - intros [hb hl] c [<-|hc]; auto.
  - intros h. split; [apply h; left; reflexivity | intros c hc; apply h; right; assumption].
Qed.

Lemma xorb_true_iff (b c : bool) : xorb b c = true <-> b <> c.
Proof. destruct b, c; cbn; intuition congruence. Qed.

(* What it says, place by place. *)
Lemma leaves_point_at_iff (labels_0 labels_1 : list u128) (target : u64) :
  Z.of_nat (length labels_0) < 2 ^ 64 -> Z.of_nat (length labels_1) < 2 ^ 64 ->
  lemmas_leaves_point_at labels_0 labels_1 target = true <->
  length labels_0 = length labels_1 /\
  forall k, (k < length labels_0)%nat ->
    if Nat.eqb k (nat_of target)
    then block_flag (nth k labels_0 (repr 128 0)) <> block_flag (nth k labels_1 (repr 128 0))
    else nth k labels_0 (repr 128 0) = nth k labels_1 (repr 128 0).
Proof.
  intros h_0 h_1. unfold lemmas_leaves_point_at.
  rewrite andb_true_iff, ieqb_eq, vector_every_forall. unfold len at 1 2.
  assert (hl : of_nat (length labels_0) = of_nat (length labels_1) <-> length labels_0 = length labels_1)
    by (split; [apply of_nat_inj; assumption | congruence]).
  rewrite hl, map_range_0, nat_of_len by assumption.
  apply and_iff_compat_l. pose proof (nat_of_bound target) as ht.
  assert (place : forall k, (k < length labels_0)%nat ->
    (if ieqb (cast 64 (of_nat k)) target
     then block_flag (ixor (vector_at labels_0 (of_nat k) (repr 128 0)) (vector_at labels_1 (of_nat k) (repr 128 0)))
     else ieqb (ixor (vector_at labels_0 (of_nat k) (repr 128 0)) (vector_at labels_1 (of_nat k) (repr 128 0)))
       (repr 128 0)) = true <->
    if Nat.eqb k (nat_of target)
    then block_flag (nth k labels_0 (repr 128 0)) <> block_flag (nth k labels_1 (repr 128 0))
    else nth k labels_0 (repr 128 0) = nth k labels_1 (repr 128 0)).
  { intros k hk. rewrite cast_same, !vector_at_nth, nat_of_of_nat by lia.
    rewrite <- (of_nat_nat_of target) at 1. rewrite ieqb_of_nat by lia.
    destruct (Nat.eqb k (nat_of target)).
    - rewrite block_flag_ixor. apply xorb_true_iff.
    - rewrite ieqb_eq. apply ixor_eq_0. }
  split.
  - intros h k hk. apply place; [assumption|]. apply h, in_map_iff. exists k. split; [reflexivity|].
    apply in_seq. lia.
  - intros h b hb. apply in_map_iff in hb. destruct hb as (k & <- & hk). apply in_seq in hk.
    apply place; [lia | apply h; lia].
Qed.

(** * Sums of vectors *)

Section Sums.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Theory : RingTheory W}.
  Add Ring W_ring : (ring_theory_W W).

  Lemma vector_sum_add (a b : list W) : length a = length b ->
    vector_sum (vector_add a b) = ring_Ring_plus (vector_sum a) (vector_sum b).
  Proof.
    revert b. induction a as [|x a IH]; intros [|y b] h; try discriminate.
    - change (vector_add [] []) with (@nil W). unfold vector_sum. cbn. ring.
    - injection h as h. change (vector_add (x :: a) (y :: b)) with (ring_Ring_plus x y :: vector_add a b).
      rewrite !vector_sum_cons, IH by assumption. ring.
  Qed.

  (* The sum of a vector that is zero but at place i is its word there. *)
  Lemma vector_sum_point (a : list W) (i : nat) :
    (forall k, (k < length a)%nat -> k <> i -> nth k a (ring_Ring_zero W) = ring_Ring_zero W) ->
    vector_sum a = nth i a (ring_Ring_zero W).
  Proof.
    revert i. induction a as [|x a IH]; intros i h; [destruct i; reflexivity|].
    rewrite vector_sum_cons. destruct i as [|i]; cbn [nth].
    - rewrite (IH (length a)).
      + rewrite nth_overflow by lia. ring.
      + intros k hk _. apply (h (S k)); cbn; lia.
    - rewrite (IH i).
      + specialize (h O). cbn in h. rewrite h by lia. ring.
      + intros k hk ne. apply (h (S k)); cbn; lia.
  Qed.

  Lemma same_vector_of_eq (a b : list W) : a = b -> lemmas_same_vector a b = true.
  Proof.
    intros <-. unfold lemmas_same_vector. rewrite ieqb_refl. apply vector_every_forall. intros x hx.
    apply in_map_iff in hx. destruct hx as ([u v] & <- & huv). apply same_eq. revert huv. clear.
    induction a as [|y a IH]; cbn; [contradiction|]. intros [e|h]; [congruence | apply IH, h].
  Qed.
End Sums.
