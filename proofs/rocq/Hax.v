(* The prelude of the translation: what Rust's integers, lists and iterators are in Rocq.

   An unsigned integer of w bits is a number with a proof that it lies in [0, 2^w). The proof is an equation between
   booleans, of which there is only one, so that two integers are equal as soon as their numbers are ([int_ext]).
   Arrays, slices and Vec are lists, and so are iterators. Every function here is total. Lemmas are in HaxFacts.v. *)
From Coq Require Export ZArith List Bool.
From Coq Require Import Lia Eqdep_dec.
Export ListNotations.
#[global] Open Scope Z_scope.
#[global] Open Scope list_scope.
#[global] Open Scope bool_scope.

(** * Integers *)

Definition in_range (w : positive) (z : Z) : bool := (0 <=? z) && (z <? 2 ^ Zpos w).

Record int (w : positive) : Type := mk_int { val : Z; val_in_range : in_range w val = true }.
Arguments val {w} _.
Arguments val_in_range {w} _.

Notation u8 := (int 8).
Notation u16 := (int 16).
Notation u32 := (int 32).
(* usize too *)
Notation u64 := (int 64).
Notation u128 := (int 128).

Lemma modulus_pos (w : positive) : 0 < 2 ^ Zpos w.
Proof. apply Z.pow_pos_nonneg; lia. Qed.

Lemma in_range_mod (w : positive) (z : Z) : in_range w (z mod 2 ^ Zpos w) = true.
Proof.
  unfold in_range. pose proof (Z.mod_pos_bound z _ (modulus_pos w)).
  apply andb_true_intro; split; [apply Z.leb_le | apply Z.ltb_lt]; lia.
Qed.

(* The integer of w bits that is congruent to z: all results are made by it, and all literals. *)
Definition repr (w : positive) (z : Z) : int w := mk_int w (z mod 2 ^ Zpos w) (in_range_mod w z).

Section Operations.
  Context {w : positive}.

  (* wrapping_add, wrapping_sub, wrapping_mul, wrapping_neg *)
  Definition wadd (a b : int w) : int w := repr w (val a + val b).
  Definition wsub (a b : int w) : int w := repr w (val a - val b).
  Definition wmul (a b : int w) : int w := repr w (val a * val b).
  Definition wneg (a : int w) : int w := repr w (- val a).

  (* wrapping_shl, wrapping_shr: the number of places is taken mod w; rotate_left *)
  Definition wshl (a : int w) (k : u32) : int w := repr w (Z.shiftl (val a) (val k mod Zpos w)).
  Definition wshr (a : int w) (k : u32) : int w := repr w (Z.shiftr (val a) (val k mod Zpos w)).
  Definition rotl (a : int w) (k : u32) : int w :=
    repr w (Z.lor (Z.shiftl (val a) (val k mod Zpos w))
                  (Z.shiftr (val a) (Zpos w - val k mod Zpos w))).

  Definition ixor (a b : int w) : int w := repr w (Z.lxor (val a) (val b)).
  Definition iand (a b : int w) : int w := repr w (Z.land (val a) (val b)).
  Definition ior (a b : int w) : int w := repr w (Z.lor (val a) (val b)).
  Definition inot (a : int w) : int w := repr w (2 ^ Zpos w - 1 - val a).

  Definition ieqb (a b : int w) : bool := val a =? val b.
  Definition ineb (a b : int w) : bool := negb (val a =? val b).
  Definition iltb (a b : int w) : bool := val a <? val b.
  Definition ileb (a b : int w) : bool := val a <=? val b.
  Definition igtb (a b : int w) : bool := val b <? val a.
  Definition igeb (a b : int w) : bool := val b <=? val a.

  (* `as`: from any unsigned type to any *)
  Definition cast (v : positive) (a : int w) : int v := repr v (val a).
End Operations.

(* Lengths and indices of lists are nat, Rust's are usize. *)
Definition nat_of {w : positive} (a : int w) : nat := Z.to_nat (val a).
Definition of_nat (n : nat) : u64 := repr 64 (Z.of_nat n).

(** * Lists and iterators; map, flat_map, fold_left, combine (zip) and concat are those of Rocq's library *)

(* a, a + 1, ..., b - 1 *)
Definition range {w : positive} (a b : int w) : list (int w) :=
  map (fun k => repr w (val a + Z.of_nat k)) (seq 0 (nat_of b - nat_of a)).

(* A list of 2^64 or more elements, which no memory holds, would have a length that wraps around. *)
Definition len {T : Type} (l : list T) : u64 := of_nat (length l).
(* Numbers past the end are never turned into nat, so that all of this computes. They are nth_error, firstn and skipn
   (HaxList.v: get_nth_error, take_firstn, skip_skipn). *)
Definition get {T : Type} (l : list T) (i : u64) : option T :=
  if val i <? Z.of_nat (length l) then nth_error l (nat_of i) else None.
Definition take {T : Type} (l : list T) (n : u64) : list T :=
  if val n <? Z.of_nat (length l) then firstn (nat_of n) l else l.
Definition skip {T : Type} (l : list T) (n : u64) : list T :=
  if val n <? Z.of_nat (length l) then skipn (nat_of n) l else [].
Definition first {T : Type} (l : list T) : option T := hd_error l.
Definition enumerate {T : Type} (l : list T) : list (u64 * T) := combine (range (repr 64 0) (len l)) l.

(** * Derived equality, `==` of structs and enums *)

Class Eqb (T : Type) : Type := eqb : T -> T -> bool.
#[global] Instance int_Eqb (w : positive) : Eqb (int w) := ieqb.
#[global] Instance bool_Eqb : Eqb bool := Bool.eqb.
#[global] Instance unit_Eqb : Eqb unit := fun _ _ => true.
#[global] Instance prod_Eqb {A B : Type} {A_Eqb : Eqb A} {B_Eqb : Eqb B} : Eqb (A * B) := fun x y =>
  eqb (fst x) (fst y) && eqb (snd x) (snd y).
#[global] Instance option_Eqb {A : Type} {A_Eqb : Eqb A} : Eqb (option A) := fun x y =>
  match x, y with
  | None, None => true
  | Some a, Some b => eqb a b
  | _, _ => false
  end.
Fixpoint list_eqb {A : Type} {A_Eqb : Eqb A} (x y : list A) : bool :=
  match x, y with
  | [], [] => true
  | a :: x, b :: y => eqb a b && list_eqb x y
  | _, _ => false
  end.
#[global] Instance list_Eqb {A : Type} {A_Eqb : Eqb A} : Eqb (list A) := list_eqb.
