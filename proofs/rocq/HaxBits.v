(* Facts about bits: each bitwise operation by its bits, the algebra of XOR and AND, masks, shifts. *)
From Coq Require Import Lia.
From Duoram Require Import Hax HaxInt.

(* Bit k; false from w on. *)
Definition bit {w : positive} (a : int w) (k : Z) : bool := Z.testbit (val a) k.

Lemma bit_high {w : positive} (a : int w) (k : Z) : Zpos w <= k -> bit a k = false.
Proof.
  intros h. unfold bit. rewrite <- (val_mod a). apply Z.mod_pow2_bits_high. lia.
Qed.

Lemma bit_neg {w : positive} (a : int w) (k : Z) : k < 0 -> bit a k = false.
Proof. apply Z.testbit_neg_r. Qed.

Lemma bit_repr (w : positive) (z k : Z) : 0 <= k < Zpos w -> bit (repr w z) k = Z.testbit z k.
Proof. intros h. unfold bit. rewrite val_repr. apply Z.mod_pow2_bits_low. lia. Qed.

(* Two integers with the same bits are the same. *)
Lemma bit_ext {w : positive} (a b : int w) : (forall k, 0 <= k < Zpos w -> bit a k = bit b k) -> a = b.
Proof.
  intros h. apply int_ext, Z.bits_inj'. intros k hk.
  destruct (Z_lt_le_dec k (Zpos w)) as [low|high].
  - apply h. lia.
  - exact (eq_trans (bit_high a k high) (eq_sym (bit_high b k high))).
Qed.

Lemma bit_ixor {w : positive} (a b : int w) (k : Z) : bit (ixor a b) k = xorb (bit a k) (bit b k).
Proof.
  destruct (Z_lt_le_dec k 0) as [n|n]; [rewrite !bit_neg by lia; reflexivity|].
  destruct (Z_lt_le_dec k (Zpos w)) as [low|high].
  - unfold ixor. rewrite bit_repr by lia. apply Z.lxor_spec.
  - rewrite !bit_high by assumption. reflexivity.
Qed.

Lemma bit_iand {w : positive} (a b : int w) (k : Z) : bit (iand a b) k = bit a k && bit b k.
Proof.
  destruct (Z_lt_le_dec k 0) as [n|n]; [rewrite !bit_neg by lia; reflexivity|].
  destruct (Z_lt_le_dec k (Zpos w)) as [low|high].
  - unfold iand. rewrite bit_repr by lia. apply Z.land_spec.
  - rewrite !bit_high by assumption. reflexivity.
Qed.

Lemma bit_ior {w : positive} (a b : int w) (k : Z) : bit (ior a b) k = bit a k || bit b k.
Proof.
  destruct (Z_lt_le_dec k 0) as [n|n]; [rewrite !bit_neg by lia; reflexivity|].
  destruct (Z_lt_le_dec k (Zpos w)) as [low|high].
  - unfold ior. rewrite bit_repr by lia. apply Z.lor_spec.
  - rewrite !bit_high by assumption. reflexivity.
Qed.

Lemma bit_inot {w : positive} (a : int w) (k : Z) : 0 <= k < Zpos w -> bit (inot a) k = negb (bit a k).
Proof.
  intros h. unfold inot. rewrite bit_repr by assumption.
  replace (2 ^ Zpos w - 1 - val a) with (Z.lnot (val a) + 1 * 2 ^ Zpos w) by (unfold Z.lnot; lia).
  rewrite <- (Z.mod_pow2_bits_low _ (Zpos w)), Z.mod_add, Z.mod_pow2_bits_low
    by (try apply Z.pow_nonzero; lia).
  apply Z.lnot_spec. lia.
Qed.

Lemma bit_zero (w : positive) (k : Z) : bit (repr w 0) k = false.
Proof. unfold bit. rewrite val_repr, Z.mod_0_l by (apply Z.pow_nonzero; lia). apply Z.bits_0. Qed.

Lemma bit_one (w : positive) (k : Z) : (1 < w)%positive -> bit (repr w 1) k = (k =? 0).
Proof.
  intros h. unfold bit. rewrite val_repr, Z.mod_1_l.
  - destruct (Z.eqb_spec k 0) as [->|n]; [reflexivity|].
    destruct (Z_lt_le_dec k 0); [apply Z.testbit_neg_r; assumption|].
    replace 1 with (2 ^ 0) by reflexivity. apply Z.pow2_bits_false. lia.
  - apply Z.pow_gt_1; lia.
Qed.

Lemma bit_ones (w : positive) (k : Z) : 0 <= k < Zpos w -> bit (inot (repr w 0)) k = true.
Proof. intros h. rewrite bit_inot, bit_zero by assumption. reflexivity. Qed.

(* The places of a shift, as long as they are fewer than w. *)
Lemma bit_wshl {w : positive} (a : int w) (s : u32) (k : Z) :
  val s < Zpos w -> 0 <= k < Zpos w -> bit (wshl a s) k = bit a (k - val s).
Proof.
  intros hs hk. unfold wshl. rewrite bit_repr by assumption. pose proof (val_bounds s).
  rewrite Z.mod_small by lia. apply Z.shiftl_spec. lia.
Qed.

Lemma bit_wshr {w : positive} (a : int w) (s : u32) (k : Z) :
  val s < Zpos w -> 0 <= k < Zpos w -> bit (wshr a s) k = bit a (k + val s).
Proof.
  intros hs hk. unfold wshr. rewrite bit_repr by assumption. pose proof (val_bounds s).
  rewrite Z.mod_small by lia. apply Z.shiftr_spec. lia.
Qed.

Lemma bit_cast {w : positive} (v : positive) (a : int w) (k : Z) :
  0 <= k < Zpos v -> bit (cast v a) k = bit a k.
Proof. intros h. apply bit_repr. assumption. Qed.

Lemma val_wshr {w : positive} (a : int w) (s : u32) :
  val s < Zpos w -> val (wshr a s) = val a / 2 ^ val s.
Proof.
  intros h. pose proof (val_bounds s). pose proof (val_bounds a). unfold wshr.
  rewrite (Z.mod_small (val s)), Z.shiftr_div_pow2 by lia.
  assert (0 < 2 ^ val s) by (apply Z.pow_pos_nonneg; lia).
  apply val_repr_small. split.
  - apply Z.div_pos; lia.
  - apply Z.div_lt_upper_bound; [lia|]. nia.
Qed.

Lemma val_wshl {w : positive} (a : int w) (s : u32) :
  val s < Zpos w -> val (wshl a s) = val a * 2 ^ val s mod 2 ^ Zpos w.
Proof.
  intros h. pose proof (val_bounds s). unfold wshl.
  rewrite (Z.mod_small (val s)), Z.shiftl_mul_pow2 by lia. apply val_repr.
Qed.

(** * The algebra of XOR and AND *)

Ltac push_bits :=
  repeat first [ rewrite bit_ixor | rewrite bit_iand | rewrite bit_ior | rewrite bit_zero
               | rewrite bit_inot by assumption ].
Ltac by_bits := apply bit_ext; intros; push_bits.

Section Algebra.
  Context {w : positive}.
  Implicit Types a b c : int w.

  Lemma ixor_comm a b : ixor a b = ixor b a.
  Proof. by_bits. apply xorb_comm. Qed.
  Lemma ixor_assoc a b c : ixor (ixor a b) c = ixor a (ixor b c).
  Proof. by_bits. apply xorb_assoc. Qed.
  Lemma ixor_nilpotent a : ixor a a = repr w 0.
  Proof. by_bits. apply xorb_nilpotent. Qed.
  Lemma ixor_0_l a : ixor (repr w 0) a = a.
  Proof. by_bits. apply xorb_false_l. Qed.
  Lemma ixor_0_r a : ixor a (repr w 0) = a.
  Proof. by_bits. apply xorb_false_r. Qed.
  Lemma ixor_cancel_l a b : ixor a (ixor a b) = b.
  Proof. rewrite <- ixor_assoc, ixor_nilpotent. apply ixor_0_l. Qed.
  Lemma ixor_cancel_r a b : ixor (ixor b a) a = b.
  Proof. rewrite ixor_assoc, ixor_nilpotent. apply ixor_0_r. Qed.
  Lemma ixor_eq_0 a b : ixor a b = repr w 0 <-> a = b.
  Proof.
    split; intros h; [|subst; apply ixor_nilpotent].
    rewrite <- (ixor_cancel_r b a), h. apply ixor_0_l.
  Qed.
  Lemma iand_comm a b : iand a b = iand b a.
  Proof. by_bits. apply andb_comm. Qed.
  Lemma iand_assoc a b c : iand (iand a b) c = iand a (iand b c).
  Proof. by_bits. symmetry. apply andb_assoc. Qed.
  Lemma iand_idem a : iand a a = a.
  Proof. by_bits. apply andb_diag. Qed.
  Lemma iand_0_l a : iand (repr w 0) a = repr w 0.
  Proof. by_bits. reflexivity. Qed.
  Lemma iand_0_r a : iand a (repr w 0) = repr w 0.
  Proof. by_bits. apply andb_false_r. Qed.
  Lemma iand_ones_l a : iand (inot (repr w 0)) a = a.
  Proof. apply bit_ext; intros k h. rewrite bit_iand, bit_ones by assumption. reflexivity. Qed.
  Lemma iand_ones_r a : iand a (inot (repr w 0)) = a.
  Proof. rewrite iand_comm. apply iand_ones_l. Qed.
  Lemma iand_ixor_l a b c : iand a (ixor b c) = ixor (iand a b) (iand a c).
  Proof. by_bits. destruct (bit a _), (bit b _), (bit c _); reflexivity. Qed.
  Lemma iand_ixor_r a b c : iand (ixor a b) c = ixor (iand a c) (iand b c).
  Proof. by_bits. destruct (bit a _), (bit b _), (bit c _); reflexivity. Qed.
  Lemma inot_inot a : inot (inot a) = a.
  Proof. apply bit_ext; intros k h. rewrite !bit_inot by assumption. apply negb_involutive. Qed.

  (* The boolean ring: `ring` with XOR for + and AND for *, and `x + x = 0` as [ixor_nilpotent]. *)
  Lemma xor_ring : ring_theory (repr w 0) (inot (repr w 0)) ixor iand ixor (fun a => a) eq.
  Proof.
    split; intros; auto using ixor_0_l, ixor_comm, iand_ones_l, iand_comm, iand_ixor_r, ixor_nilpotent.
    - symmetry. apply ixor_assoc.
    - symmetry. apply iand_assoc.
  Qed.
End Algebra.

(* Equations of XOR, AND, and the constant 0: compares them bit by bit, in every case of the bits. *)
Ltac xor_and :=
  by_bits;
  repeat match goal with |- context [bit ?a ?k] => destruct (bit a k) end; reflexivity.

(** * Masks *)

Lemma land_ones_mod (x k : Z) : 0 <= k -> Z.land x (2 ^ k - 1) = x mod 2 ^ k.
Proof. intros h. rewrite <- Z.land_ones by assumption. f_equal. rewrite Z.ones_equiv. lia. Qed.

(* x & (2^k - 1) is x mod 2^k. *)
Lemma val_iand_mask {w : positive} (a : int w) (m : int w) (k : Z) :
  0 <= k <= Zpos w -> val m = 2 ^ k - 1 -> val (iand a m) = val a mod 2 ^ k.
Proof.
  intros hk hm. unfold iand. rewrite val_repr, hm, land_ones_mod by lia.
  apply Z.mod_small. pose proof (Z.mod_pos_bound (val a) (2 ^ k) (Z.pow_pos_nonneg 2 k eq_refl (proj1 hk))).
  assert (2 ^ k <= 2 ^ Zpos w) by (apply Z.pow_le_mono_r; lia). lia.
Qed.

(* The lowest bit, as the specification tests it. *)
Lemma ieqb_iand_1 {w : positive} (a : int w) :
  (1 < w)%positive -> ieqb (iand a (repr w 1)) (repr w 1) = bit a 0.
Proof.
  intros h. assert (1 < 2 ^ Zpos w) by (apply Z.pow_gt_1; lia).
  unfold ieqb, bit. rewrite (val_iand_mask a _ 1); [|lia|apply val_repr_small; lia].
  rewrite val_repr_small by lia. rewrite <- Z.bit0_mod. destruct (Z.testbit (val a) 0); reflexivity.
Qed.
