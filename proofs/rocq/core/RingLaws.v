(* What theorems assume of words, and that the rings of spec/ are such.

   Rust's trait `Ring` has no laws; a theorem over any ring of words takes an instance of one of three classes next to that of
   [ring_Ring]: [RingTheory], any commutative ring; [RingLaws], the integers Z_2^w [duoram, section 3, Notation]; [BooleanRing],
   the XOR words of the lean protocol, where x + x = 0. *)
From Coq Require Import Lia Eqdep_dec.
From Duoram Require Export HaxFacts.
From Duoram.Generated Require Import All.

(* A commutative ring whose words are told apart by their 64 bits. *)
Class RingTheory (W : Type) {W_Ring : ring_Ring W} : Prop := {
  ring_theory_W :
    ring_theory (ring_Ring_zero W) (ring_Ring_one W) ring_Ring_plus ring_Ring_times
      ring_Ring_minus ring_Ring_negated (@eq W);
  ring_from_to : forall x : W, ring_Ring_from_u64 W (ring_Ring_to_u64 x) = x;
}.
Arguments ring_theory_W W {W_Ring RingTheory}.

Class RingLaws (W : Type) {W_Ring : ring_Ring W} : Type := {
  ring_laws_theory :> RingTheory W;
  (* The w of Z_2^w. *)
  ring_bits : positive;
  ring_bits_le : (ring_bits <= 64)%positive;
  ring_from_zero : ring_Ring_from_u64 W (repr 64 0) = ring_Ring_zero W;
  ring_from_one : ring_Ring_from_u64 W (repr 64 1) = ring_Ring_one W;
  ring_from_wadd : forall a b : u64,
    ring_Ring_from_u64 W (wadd a b) = ring_Ring_plus (ring_Ring_from_u64 W a) (ring_Ring_from_u64 W b);
  ring_from_wmul : forall a b : u64,
    ring_Ring_from_u64 W (wmul a b) = ring_Ring_times (ring_Ring_from_u64 W a) (ring_Ring_from_u64 W b);
  ring_to_from : forall a : u64, val (ring_Ring_to_u64 (ring_Ring_from_u64 W a)) = val a mod 2 ^ Zpos ring_bits;
  ring_value_word_from : forall label : u128,
    ring_Ring_value_word W label = ring_Ring_from_u64 W (block_high_half label);
  ring_conversion_word_from : forall label : u128,
    ring_Ring_conversion_word W label = ring_Ring_from_u64 W (block_low_half label);
}.
Arguments ring_bits W {W_Ring RingLaws}.

(* A ring in which every word is its own negative. *)
Class BooleanRing (W : Type) {W_Ring : ring_Ring W} : Prop := {
  boolean_ring_theory :> RingTheory W;
  ring_plus_self : forall x : W, ring_Ring_plus x x = ring_Ring_zero W;
}.

Section Laws.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Theory : RingTheory W}.

  Lemma ring_to_inj (x y : W) : ring_Ring_to_u64 x = ring_Ring_to_u64 y -> x = y.
  Proof. intros h. rewrite <- (ring_from_to x), <- (ring_from_to y), h. reflexivity. Qed.

  (* `lemmas::same` decides equality. *)
  Lemma same_eq (x y : W) : lemmas_same x y = true <-> x = y.
  Proof. unfold lemmas_same. rewrite ieqb_eq. split; [apply ring_to_inj | congruence]. Qed.

  Lemma ring_eq_dec (x y : W) : {x = y} + {x <> y}.
  Proof. destruct (lemmas_same x y) eqn:h; [left | right]; rewrite <- same_eq; congruence. Qed.
End Laws.

(** * 64-bit words *)

#[global] Instance ring_laws_u64 : RingLaws u64.
Proof.
  unshelve refine {| ring_bits := 64%positive |}; try reflexivity.
  - split; [apply int_ring | reflexivity].
  - intros a. symmetry. apply val_mod.
Defined.

(** * The integers mod 4

    Rust's struct [ring_Z4] has a public u64, and values that are not reduced break the laws (0 + x is reduced). All values
    that the ring's functions make are reduced; the ring is that of the reduced ones. *)

Definition z4_reduced (x : ring_Z4) : bool := val (ring_Z4_representative x) <? 4.
Record z4_word : Type := mk_z4_word { z4_value : ring_Z4; z4_value_reduced : z4_reduced z4_value = true }.

Lemma val_z4 (x : u64) : val (ring_Z4_representative (ring_z4 x)) = val x mod 4.
Proof. apply (val_iand_mask x (repr 64 3) 2); [lia | reflexivity]. Qed.

Lemma z4_reduced_z4 (x : u64) : z4_reduced (ring_z4 x) = true.
Proof. apply Z.ltb_lt. rewrite val_z4. apply Z.mod_pos_bound. reflexivity. Qed.

Definition z4_word_of (x : u64) : z4_word := mk_z4_word (ring_z4 x) (z4_reduced_z4 x).

Lemma z4_word_ext (x y : z4_word) :
  val (ring_Z4_representative (z4_value x)) = val (ring_Z4_representative (z4_value y)) -> x = y.
Proof.
  destruct x as [[x] hx], y as [[y] hy]; simpl; intros h. apply int_ext in h. subst y.
  f_equal. apply UIP_dec, bool_dec.
Qed.

Lemma z4_word_of_value (x : z4_word) : z4_word_of (ring_Z4_representative (z4_value x)) = x.
Proof.
  apply z4_word_ext. simpl z4_value. rewrite val_z4. destruct x as [x hx]; simpl. apply Z.ltb_lt in hx.
  apply Z.mod_small. pose proof (val_bounds (ring_Z4_representative x)). lia.
Qed.

(* The functions of `impl Ring for Z4`: each has a reduced result. *)
#[global] Instance ring_Ring_z4_word : ring_Ring z4_word := {|
  ring_Ring_zero := mk_z4_word (ring_Ring_zero ring_Z4) (z4_reduced_z4 _);
  ring_Ring_one := mk_z4_word (ring_Ring_one ring_Z4) (z4_reduced_z4 _);
  ring_Ring_plus := fun x y => mk_z4_word (ring_Ring_plus (z4_value x) (z4_value y)) (z4_reduced_z4 _);
  ring_Ring_minus := fun x y => mk_z4_word (ring_Ring_minus (z4_value x) (z4_value y)) (z4_reduced_z4 _);
  ring_Ring_times := fun x y => mk_z4_word (ring_Ring_times (z4_value x) (z4_value y)) (z4_reduced_z4 _);
  ring_Ring_negated := fun x => mk_z4_word (ring_Ring_negated (z4_value x)) (z4_reduced_z4 _);
  ring_Ring_from_u64 := fun a => mk_z4_word (ring_Ring_from_u64 ring_Z4 a) (z4_reduced_z4 _);
  ring_Ring_to_u64 := fun x => ring_Ring_to_u64 (z4_value x);
  ring_Ring_value_word := fun label => mk_z4_word (ring_Ring_value_word ring_Z4 label) (z4_reduced_z4 _);
  ring_Ring_conversion_word := fun label => mk_z4_word (ring_Ring_conversion_word ring_Z4 label) (z4_reduced_z4 _);
|}.

(* mod 2^64 and then mod 4 is mod 4 *)
Lemma mod_64_mod_4 (z : Z) : (z mod 2 ^ 64) mod 4 = z mod 4.
Proof. symmetry. apply Znumtheory.Zmod_div_mod; [reflexivity | reflexivity | exists (2 ^ 62); reflexivity]. Qed.

Ltac z4 :=
  intros; apply z4_word_ext;
  cbn [z4_value ring_Ring_z4_word ring_Ring_Z4 ring_Ring_zero ring_Ring_one ring_Ring_plus ring_Ring_minus
       ring_Ring_times ring_Ring_negated ring_Ring_from_u64 ring_Ring_to_u64];
  repeat (rewrite val_z4 || rewrite val_wadd || rewrite val_wsub || rewrite val_wmul || rewrite val_wneg
          || rewrite val_repr || rewrite mod_64_mod_4).

Lemma z4_bounds (x : z4_word) : val (ring_Z4_representative (z4_value x)) mod 4 = val (ring_Z4_representative (z4_value x)).
Proof. destruct x as [x hx]; simpl. apply Z.ltb_lt in hx. apply Z.mod_small. pose proof (val_bounds (ring_Z4_representative x)). lia. Qed.

#[global] Instance ring_laws_Z4 : RingLaws z4_word.
Proof.
  unshelve refine {| ring_bits := 2%positive |}; try reflexivity.
  - split; [|intros x; apply z4_word_of_value]. split; z4;
      rewrite ?Zplus_mod_idemp_l, ?Zplus_mod_idemp_r, ?Zmult_mod_idemp_l, ?Zmult_mod_idemp_r,
        ?Zminus_mod_idemp_l, ?Zminus_mod_idemp_r; try (f_equal; ring).
    + rewrite Z.add_0_l. apply z4_bounds.
    + rewrite Z.mul_1_l. apply z4_bounds.
  - discriminate.
  - z4. apply Zplus_mod.
  - z4. apply Zmult_mod.
  - intros a. apply val_z4.
Defined.

(** * XOR words, and bits *)

Lemma xor_word_ext (x y : ring_XorWord) : ring_XorWord_bits x = ring_XorWord_bits y -> x = y.
Proof. destruct x, y. cbn. congruence. Qed.

#[global] Instance boolean_ring_XorWord : BooleanRing ring_XorWord.
Proof.
  split; [split|].
  - pose proof (@xor_ring 64) as [].
    split; intros; apply xor_word_ext; cbn; auto.
  - intros [x]. reflexivity.
  - intros x. apply xor_word_ext. apply ixor_nilpotent.
Qed.

#[global] Instance boolean_ring_Bit : BooleanRing ring_Bit.
Proof.
  split; [split|].
  - split; repeat intros [[]]; reflexivity.
  - intros [[]]; reflexivity.
  - intros [[]]; reflexivity.
Qed.
