(* Facts about the prelude's integers: equality, the ring, comparison, casts, lengths and indices. *)
From Coq Require Import Lia Eqdep_dec.
From Coq Require Export Ring.
From Duoram Require Import Hax.

(** * Numbers and integers *)

Lemma int_ext {w : positive} (a b : int w) : val a = val b -> a = b.
Proof. destruct a as [x hx], b as [y hy]; simpl; intros ->. f_equal. apply UIP_dec, bool_dec. Qed.

Lemma val_bounds {w : positive} (a : int w) : 0 <= val a < 2 ^ Zpos w.
Proof.
  destruct a as [x hx]; simpl. unfold in_range in hx. apply andb_prop in hx; destruct hx as [h1 h2].
  apply Z.leb_le in h1; apply Z.ltb_lt in h2. lia.
Qed.

Lemma val_mod {w : positive} (a : int w) : val a mod 2 ^ Zpos w = val a.
Proof. apply Z.mod_small, val_bounds. Qed.

Lemma val_repr (w : positive) (z : Z) : val (repr w z) = z mod 2 ^ Zpos w.
Proof. reflexivity. Qed.

Lemma val_repr_small (w : positive) (z : Z) : 0 <= z < 2 ^ Zpos w -> val (repr w z) = z.
Proof. intros h. apply Z.mod_small, h. Qed.

Lemma repr_val {w : positive} (a : int w) : repr w (val a) = a.
Proof. apply int_ext, val_mod. Qed.

Lemma repr_mod (w : positive) (z : Z) : repr w (z mod 2 ^ Zpos w) = repr w z.
Proof. apply int_ext. rewrite !val_repr. apply Z.mod_mod. pose proof (modulus_pos w). lia. Qed.

(* Two literals, or two results, are the same integer iff they are congruent. *)
Lemma repr_congruent (w : positive) (x y : Z) : repr w x = repr w y <-> x mod 2 ^ Zpos w = y mod 2 ^ Zpos w.
Proof.
  split; intros h.
  - apply (f_equal val) in h. exact h.
  - apply int_ext. exact h.
Qed.

Lemma int_eq_dec {w : positive} (a b : int w) : {a = b} + {a <> b}.
Proof. destruct (Z.eq_dec (val a) (val b)); [left; apply int_ext; assumption | right; congruence]. Qed.

(** * The ring of integers mod 2^w: `ring` works on u8, u32, u64 and u128 *)

Lemma val_wadd {w : positive} (a b : int w) : val (wadd a b) = (val a + val b) mod 2 ^ Zpos w.
Proof. reflexivity. Qed.
Lemma val_wsub {w : positive} (a b : int w) : val (wsub a b) = (val a - val b) mod 2 ^ Zpos w.
Proof. reflexivity. Qed.
Lemma val_wmul {w : positive} (a b : int w) : val (wmul a b) = (val a * val b) mod 2 ^ Zpos w.
Proof. reflexivity. Qed.
Lemma val_wneg {w : positive} (a : int w) : val (wneg a) = (- val a) mod 2 ^ Zpos w.
Proof. reflexivity. Qed.

Lemma repr_add (w : positive) (x y : Z) : repr w (x + y) = wadd (repr w x) (repr w y).
Proof. apply int_ext; simpl. apply Z.add_mod. pose proof (modulus_pos w); lia. Qed.
Lemma repr_sub (w : positive) (x y : Z) : repr w (x - y) = wsub (repr w x) (repr w y).
Proof. apply int_ext; simpl. apply Zminus_mod. Qed.
Lemma repr_mul (w : positive) (x y : Z) : repr w (x * y) = wmul (repr w x) (repr w y).
Proof. apply int_ext; simpl. apply Z.mul_mod. pose proof (modulus_pos w); lia. Qed.
Lemma repr_opp (w : positive) (x : Z) : repr w (- x) = wneg (repr w x).
Proof.
  apply int_ext; cbn [val repr wneg]. replace (- (x mod 2 ^ Zpos w)) with (0 - x mod 2 ^ Zpos w) by ring.
  rewrite Zminus_mod_idemp_r. reflexivity.
Qed.

Lemma int_ring (w : positive) :
  ring_theory (repr w 0) (repr w 1) (@wadd w) (@wmul w) (@wsub w) (@wneg w) (@eq (int w)).
Proof.
  pose proof (modulus_pos w).
  split; intros; apply int_ext; unfold wadd, wmul, wsub, wneg, repr; cbn [val];
    rewrite ?Zplus_mod_idemp_l, ?Zplus_mod_idemp_r, ?Zmult_mod_idemp_l, ?Zmult_mod_idemp_r,
      ?Zminus_mod_idemp_l, ?Zminus_mod_idemp_r; try (f_equal; ring).
  - rewrite Z.add_0_l. apply val_mod.
  - rewrite Z.mul_1_l. apply val_mod.
Qed.

(* Literals are constants for `ring`. *)
Lemma int_morph (w : positive) :
  ring_morph (repr w 0) (repr w 1) (@wadd w) (@wmul w) (@wsub w) (@wneg w) (@eq (int w))
    0 1 Z.add Z.mul Z.sub Z.opp Z.eqb (repr w).
Proof.
  split; try reflexivity.
  - apply repr_add.
  - apply repr_sub.
  - apply repr_mul.
  - apply repr_opp.
  - intros x y h. apply Z.eqb_eq in h. congruence.
Qed.

Ltac int_constant t :=
  match t with
  | repr _ ?z => match isZcst z with true => z | _ => constr:(InitialRing.NotConstant) end
  | _ => constr:(InitialRing.NotConstant)
  end.

Add Ring u8_ring : (int_ring 8) (morphism (int_morph 8), constants [int_constant]).
Add Ring u32_ring : (int_ring 32) (morphism (int_morph 32), constants [int_constant]).
Add Ring u64_ring : (int_ring 64) (morphism (int_morph 64), constants [int_constant]).
Add Ring u128_ring : (int_ring 128) (morphism (int_morph 128), constants [int_constant]).

(** * Comparison *)

Lemma ieqb_eq {w : positive} (a b : int w) : ieqb a b = true <-> a = b.
Proof.
  unfold ieqb. rewrite Z.eqb_eq. split; [apply int_ext | congruence].
Qed.
Lemma ieqb_neq {w : positive} (a b : int w) : ieqb a b = false <-> a <> b.
Proof. rewrite <- ieqb_eq. destruct (ieqb a b); intuition congruence. Qed.
Lemma ieqb_refl {w : positive} (a : int w) : ieqb a a = true.
Proof. apply ieqb_eq. reflexivity. Qed.
Lemma ieqb_sym {w : positive} (a b : int w) : ieqb a b = ieqb b a.
Proof. apply Z.eqb_sym. Qed.
Lemma ieqb_reflect {w : positive} (a b : int w) : reflect (a = b) (ieqb a b).
Proof. apply iff_reflect. symmetry. apply ieqb_eq. Qed.
Lemma ineb_ieqb {w : positive} (a b : int w) : ineb a b = negb (ieqb a b).
Proof. reflexivity. Qed.
Lemma iltb_lt {w : positive} (a b : int w) : iltb a b = true <-> val a < val b.
Proof. apply Z.ltb_lt. Qed.
Lemma ileb_le {w : positive} (a b : int w) : ileb a b = true <-> val a <= val b.
Proof. apply Z.leb_le. Qed.

(** * Casts *)

Lemma val_cast {w : positive} (v : positive) (a : int w) : val (cast v a) = val a mod 2 ^ Zpos v.
Proof. reflexivity. Qed.

(* `as` to the same width, such as between usize and u64 *)
Lemma cast_same {w : positive} (a : int w) : cast w a = a.
Proof. apply repr_val. Qed.

Lemma val_cast_widen {w : positive} (v : positive) (a : int w) : (w <= v)%positive -> val (cast v a) = val a.
Proof.
  intros h. rewrite val_cast. apply Z.mod_small. pose proof (val_bounds a).
  assert (2 ^ Zpos w <= 2 ^ Zpos v) by (apply Z.pow_le_mono_r; lia). lia.
Qed.

Lemma cast_repr (w v : positive) (z : Z) : (v <= w)%positive -> cast v (repr w z) = repr v z.
Proof.
  intros h. apply int_ext. rewrite val_cast, !val_repr.
  replace (Zpos w) with (Zpos v + (Zpos w - Zpos v)) by lia.
  rewrite Z.pow_add_r by lia.
  rewrite Z.rem_mul_r by (try apply Z.pow_nonzero; try apply Z.pow_pos_nonneg; lia).
  rewrite Z.mul_comm, Z.mod_add by (apply Z.pow_nonzero; lia).
  apply Z.mod_mod, Z.pow_nonzero; lia.
Qed.

Lemma cast_cast_widen {w : positive} (v u : positive) (a : int w) :
  (w <= v)%positive -> cast u (cast v a) = cast u a.
Proof. intros h. apply int_ext. rewrite !val_cast, <- (val_cast v), val_cast_widen by assumption. reflexivity. Qed.

(** * Lengths and indices *)

Lemma val_of_nat (n : nat) : Z.of_nat n < 2 ^ 64 -> val (of_nat n) = Z.of_nat n.
Proof. intros h. apply val_repr_small. lia. Qed.
Lemma nat_of_of_nat (n : nat) : Z.of_nat n < 2 ^ 64 -> nat_of (of_nat n) = n.
Proof. intros h. unfold nat_of. rewrite val_of_nat by assumption. apply Nat2Z.id. Qed.
Lemma of_nat_nat_of (a : u64) : of_nat (nat_of a) = a.
Proof.
  apply int_ext. unfold of_nat, nat_of. rewrite Z2Nat.id by apply val_bounds. apply val_mod.
Qed.
Lemma Z_nat_of {w : positive} (a : int w) : Z.of_nat (nat_of a) = val a.
Proof. unfold nat_of. apply Z2Nat.id, val_bounds. Qed.
Lemma nat_of_inj {w : positive} (a b : int w) : nat_of a = nat_of b -> a = b.
Proof. intros h. apply int_ext. rewrite <- !Z_nat_of. congruence. Qed.
Lemma nat_of_bound {w : positive} (a : int w) : Z.of_nat (nat_of a) < 2 ^ Zpos w.
Proof. rewrite Z_nat_of. apply val_bounds. Qed.
Lemma nat_of_repr (w : positive) (z : Z) : 0 <= z < 2 ^ Zpos w -> nat_of (repr w z) = Z.to_nat z.
Proof. intros h. unfold nat_of. rewrite val_repr_small by assumption. reflexivity. Qed.
Lemma of_nat_inj (m n : nat) :
  Z.of_nat m < 2 ^ 64 -> Z.of_nat n < 2 ^ 64 -> of_nat m = of_nat n -> m = n.
Proof. intros hm hn h. rewrite <- (nat_of_of_nat m), <- (nat_of_of_nat n), h; auto. Qed.
Lemma ieqb_of_nat (m n : nat) :
  Z.of_nat m < 2 ^ 64 -> Z.of_nat n < 2 ^ 64 -> ieqb (of_nat m) (of_nat n) = Nat.eqb m n.
Proof.
  intros hm hn. destruct (Nat.eqb_spec m n) as [->|h].
  - apply ieqb_refl.
  - apply ieqb_neq. intros e. apply h, of_nat_inj; assumption.
Qed.
Lemma of_nat_add (m n : nat) : of_nat (m + n) = wadd (of_nat m) (of_nat n).
Proof. unfold of_nat. rewrite Nat2Z.inj_add. apply repr_add. Qed.
Lemma of_nat_mul (m n : nat) : of_nat (m * n) = wmul (of_nat m) (of_nat n).
Proof. unfold of_nat. rewrite Nat2Z.inj_mul. apply repr_mul. Qed.
Lemma of_nat_S (n : nat) : of_nat (S n) = wadd (of_nat n) (repr 64 1).
Proof. replace (S n) with (n + 1)%nat by lia. apply of_nat_add. Qed.

(* Goals between integers become goals between numbers. *)
Ltac to_val :=
  try apply int_ext;
  repeat rewrite ?val_wadd, ?val_wsub, ?val_wmul, ?val_wneg, ?val_cast, ?val_repr in *.
