(* Labels: their halves and their flag, and the tree of the other party, which differs from one's own at ri alone. *)
From Coq Require Import Lia.
From Duoram.core Require Import VectorFacts.
From Duoram.Generated Require Import All.

(** * Bits *)

Lemma bit_flag (x : u128) : block_flag x = bit x 0.
Proof. apply ieqb_iand_1. reflexivity. Qed.

Lemma bit_bit_block (b : bool) (k : Z) : bit (block_bit_block b) k = b && (k =? 0).
Proof. destruct b; [apply bit_one; reflexivity | apply bit_zero]. Qed.

Lemma bit_replicate (b : bool) (k : Z) : 0 <= k < 128 -> bit (block_replicate b) k = b.
Proof. destruct b; intros h; [apply bit_ones, h | apply bit_zero]. Qed.

Lemma bit_clear_flag (x : u128) (k : Z) : bit (block_clear_flag x) k = bit x k && negb (k =? 0).
Proof.
  destruct (Z_lt_le_dec k 0) as [n|n]; [rewrite !bit_neg by lia; reflexivity|].
  destruct (Z_lt_le_dec k 128) as [low|high]; [|rewrite !bit_high by lia; reflexivity].
  unfold block_clear_flag. rewrite bit_iand, bit_inot, bit_one by (reflexivity || lia). reflexivity.
Qed.

Lemma bit_with_flag (x : u128) (b : bool) (k : Z) :
  bit (block_with_flag x b) k = if k =? 0 then b else bit x k.
Proof.
  unfold block_with_flag. rewrite bit_ixor, bit_clear_flag, bit_bit_block.
  destruct (k =? 0), b, (bit x k); reflexivity.
Qed.

Lemma bit_low_mask (k : Z) : 0 <= k < 128 -> bit (repr 128 18446744073709551615) k = (k <? 64).
Proof.
  intros h. rewrite bit_repr by assumption. change 18446744073709551615 with (Z.ones 64).
  destruct (Z.ltb_spec k 64); [apply Z.ones_spec_low | apply Z.ones_spec_high]; lia.
Qed.

Lemma bit_high_half (x : u128) (k : Z) : 0 <= k < 64 -> bit (block_high_half x) k = bit x (k + 64).
Proof.
  intros h. unfold block_high_half. change (val (repr 32 64)) with 64.
  rewrite bit_cast, bit_iand, bit_low_mask, bit_wshr by (try (change (val (repr 32 64)) with 64); lia).
  change (val (repr 32 64)) with 64.
  destruct (Z.ltb_spec k 64); [apply andb_true_r | lia].
Qed.

Lemma bit_low_half (x : u128) (k : Z) : 0 <= k < 64 -> bit (block_low_half x) k = bit x k.
Proof.
  intros h. unfold block_low_half. rewrite bit_cast, bit_iand, bit_low_mask by lia.
  destruct (Z.ltb_spec k 64); [apply andb_true_r | lia].
Qed.

Lemma bit_block_of_halves (low high : u64) (k : Z) : 0 <= k < 128 ->
  bit (block_block_of_halves low high) k = if k <? 64 then bit low k else bit high (k - 64).
Proof.
  intros h. unfold block_block_of_halves.
  rewrite bit_ixor, bit_cast, bit_wshl by (try (change (val (repr 32 64)) with 64); lia).
  change (val (repr 32 64)) with 64. destruct (Z.ltb_spec k 64).
  - rewrite (bit_neg _ (k - 64)) by lia. apply xorb_false_r.
  - rewrite (bit_high low), bit_cast by lia. apply xorb_false_l.
Qed.

(** * Halves and flags *)

Lemma high_half_of_halves (low high : u64) : block_high_half (block_block_of_halves low high) = high.
Proof.
  apply bit_ext. intros k h. rewrite bit_high_half, bit_block_of_halves by lia.
  destruct (Z.ltb_spec (k + 64) 64); [lia | f_equal; lia].
Qed.
Lemma low_half_of_halves (low high : u64) : block_low_half (block_block_of_halves low high) = low.
Proof.
  apply bit_ext. intros k h. rewrite bit_low_half, bit_block_of_halves by lia.
  destruct (Z.ltb_spec k 64); [reflexivity | lia].
Qed.
Lemma block_of_halves_of (x : u128) : block_block_of_halves (block_low_half x) (block_high_half x) = x.
Proof.
  apply bit_ext. intros k h. rewrite bit_block_of_halves by assumption. destruct (Z.ltb_spec k 64).
  - apply bit_low_half. lia.
  - rewrite bit_high_half by lia. f_equal. lia.
Qed.
Lemma high_half_with_flag (x : u128) (b : bool) : block_high_half (block_with_flag x b) = block_high_half x.
Proof.
  apply bit_ext. intros k h. rewrite !bit_high_half, bit_with_flag by assumption.
  destruct (Z.eqb_spec (k + 64) 0); [lia | reflexivity].
Qed.
Lemma flag_with_flag (x : u128) (b : bool) : block_flag (block_with_flag x b) = b.
Proof. rewrite bit_flag, bit_with_flag. reflexivity. Qed.
Lemma with_flag_same (x : u128) : block_with_flag x (block_flag x) = x.
Proof.
  apply bit_ext. intros k _. rewrite bit_with_flag, bit_flag.
  destruct (Z.eqb_spec k 0) as [->|]; reflexivity.
Qed.

Lemma with_flag_twice (x : u128) (a b : bool) : block_with_flag (block_with_flag x a) b = block_with_flag x b.
Proof. apply bit_ext. intros k _. rewrite !bit_with_flag. destruct (k =? 0); reflexivity. Qed.
Lemma clear_flag_with_flag (x : u128) (b : bool) : block_clear_flag (block_with_flag x b) = block_clear_flag x.
Proof. apply bit_ext. intros k _. rewrite !bit_clear_flag, bit_with_flag. destruct (k =? 0), (bit x k), b; reflexivity. Qed.

(* The flag is the lowest bit of the low half: of the conversion word. *)
Lemma flag_odd (x : u128) : block_flag x = Z.odd (val (block_low_half x)).
Proof. rewrite bit_flag, <- bit_low_half, <- Z.bit0_odd by lia. reflexivity. Qed.
Lemma odd_mod (z : Z) (w : positive) : Z.odd (z mod 2 ^ Zpos w) = Z.odd z.
Proof. rewrite <- !Z.bit0_odd. apply Z.mod_pow2_bits_low. lia. Qed.

Lemma flag_ixor (x y : u128) : block_flag (ixor x y) = xorb (block_flag x) (block_flag y).
Proof. rewrite !bit_flag. apply bit_ixor. Qed.
Lemma flag_replicate (b : bool) : block_flag (block_replicate b) = b.
Proof. rewrite bit_flag. apply bit_replicate. lia. Qed.
Lemma flag_clear_flag (x : u128) : block_flag (block_clear_flag x) = false.
Proof. rewrite bit_flag, bit_clear_flag. apply andb_false_r. Qed.
Lemma clear_flag_ixor (x y : u128) :
  block_clear_flag (ixor x y) = ixor (block_clear_flag x) (block_clear_flag y).
Proof. apply iand_ixor_r. Qed.
Lemma replicate_xorb (a b : bool) : block_replicate (xorb a b) = ixor (block_replicate a) (block_replicate b).
Proof. apply bit_ext. intros k h. rewrite bit_ixor, !bit_replicate by assumption. reflexivity. Qed.

(** * The other party's tree *)

(* The list with x at place i. *)
Definition replaced {T : Type} (l : list T) (i : nat) (x : T) : list T := firstn i l ++ x :: skipn (S i) l.

Lemma replaced_length {T : Type} (l : list T) (i : nat) (x : T) :
  (i < length l)%nat -> length (replaced l i x) = length l.
Proof. intros h. unfold replaced. rewrite app_length. cbn [length]. rewrite firstn_length, skipn_length. lia. Qed.

Lemma nth_replaced {T : Type} (l : list T) (i k : nat) (x d : T) : (i < length l)%nat ->
  nth k (replaced l i x) d = if Nat.eqb k i then x else nth k l d.
Proof.
  intros h. unfold replaced. pose proof (firstn_length i l) as f. rewrite Nat.min_l in f by lia.
  destruct (Nat.eqb_spec k i) as [->|n].
  - rewrite app_nth2, f, Nat.sub_diag by lia. reflexivity.
  - rewrite <- (firstn_skipn i l) at 3. destruct (Nat.lt_ge_cases k i).
    + rewrite !app_nth1 by lia. reflexivity.
    + rewrite !app_nth2, f by lia. destruct (k - i)%nat as [|j] eqn:e; [lia|]. cbn [nth].
      assert (c : skipn i l = nth i l d :: skipn (S i) l).
      { clear -h. revert i h. induction l as [|y l IH]; intros [|i] h; simpl in *; try lia; [reflexivity|].
        apply IH. lia. }
      rewrite c. reflexivity.
Qed.

(* What the leaves of the other party's tree are, given one's own: the same off ri; at ri another label x with the other
   flag. A party knows its own leaves only, and x is uniform to it. *)
Definition other_leaves (own : list u128) (ri : u64) (x : u128) : list u128 :=
  replaced own (nat_of ri) (block_with_flag x (negb (block_flag (dpf_leaf own ri)))).

Lemma dpf_leaf_nth (l : list u128) (i : u64) : dpf_leaf l i = nth (nat_of i) l (repr 128 0).
Proof. unfold dpf_leaf. rewrite vector_at_nth, cast_same. reflexivity. Qed.

Lemma every_true (l : list bool) : (forall b, In b l -> b = true) -> vector_every l = true.
Proof.
  intros h. unfold vector_every. apply fold_left_invariant; [reflexivity|].
  intros s x i ->. rewrite (h x i). reflexivity.
Qed.

(* Such leaves are what App. C guarantees [duoram, App. C]. *)
Lemma other_leaves_point_at (own : list u128) (ri : u64) (x : u128) :
  Z.of_nat (length own) < 2 ^ 64 -> (nat_of ri < length own)%nat ->
  lemmas_leaves_point_at own (other_leaves own ri x) ri = true.
Proof.
  intros small h. unfold lemmas_leaves_point_at, other_leaves, len.
  rewrite replaced_length, ieqb_refl by assumption. apply every_true.
  intros b i. apply in_map_iff in i. destruct i as (k & <- & i).
  apply in_range_0 in i. rewrite val_of_nat in i by assumption. pose proof (Z_nat_of k).
  rewrite !vector_at_nth, nth_replaced, cast_same by assumption.
  destruct (ieqb_reflect k ri) as [->|ne].
  - rewrite Nat.eqb_refl, flag_ixor, flag_with_flag, dpf_leaf_nth.
    destruct (block_flag _); reflexivity.
  - destruct (Nat.eqb_spec (nat_of k) (nat_of ri)) as [e|]; [elim ne; apply nat_of_inj, e|].
    rewrite ixor_nilpotent. reflexivity.
Qed.

Section Words.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Theory : RingTheory W}.
  Add Ring W_ring : (ring_theory_W W).

  Lemma vector_sum_app (a b : list W) : vector_sum (a ++ b) = ring_Ring_plus (vector_sum a) (vector_sum b).
  Proof.
    induction a as [|x a IH]; simpl app; [unfold vector_sum at 2; simpl; ring|].
    rewrite !vector_sum_cons, IH. ring.
  Qed.

  (* A sum over the other party's leaves: all but the one at ri are one's own. *)
  Lemma vector_sum_replaced (f : u128 -> W) (l : list u128) (i : nat) (x y : u128) :
    vector_sum (map f (replaced l i x))
    = ring_Ring_plus (ring_Ring_minus (vector_sum (map f (replaced l i y))) (f y)) (f x).
  Proof. unfold replaced. rewrite !map_app. simpl map. rewrite !vector_sum_app, !vector_sum_cons. ring. Qed.

  Lemma replaced_nth {T : Type} (l : list T) (i : nat) (d : T) : (i < length l)%nat -> replaced l i (nth i l d) = l.
  Proof.
    intros h. apply (list_ext d); rewrite replaced_length by assumption; [reflexivity|].
    intros k _. rewrite nth_replaced by assumption. destruct (Nat.eqb_spec k i) as [->|]; reflexivity.
  Qed.
End Words.
