(* Vectors of n = 2^h words: the shift S, the sizes of states and of material, vectors element by element, dot
   products, and cyclic shifts. The proofs about READ, UPDATE and the conversion share these lemmas. *)
From Coq Require Import Lia.
From Duoram Require Export Addresses.
From Duoram.Generated Require Import All.

(* `cbn` leaves arithmetic alone. *)
#[global] Arguments wadd {w} a b : simpl never.
#[global] Arguments wsub {w} a b : simpl never.
#[global] Arguments wmul {w} a b : simpl never.
#[global] Arguments repr w z : simpl never.
#[global] Arguments cast {w} v a : simpl never.
#[global] Arguments read_shift_share address_share index_share n : simpl never.
#[global] Arguments read_reconstruct_shift share_0 share_1 n : simpl never.

(** * The shift S *)

(* The shift S leads from ri_0 + ri_1 to i_0 + i_1 [duoram, section 3.1.1]. *)
Lemma shift_leads_to_target (i_0 i_1 ri_0 ri_1 n : u64) : power_of_two n ->
  vector_mod_size
    (wadd (vector_mod_size (wadd ri_0 ri_1) n)
       (read_reconstruct_shift (read_shift_share i_0 ri_0 n) (read_shift_share i_1 ri_1 n) n)) n
  = vector_mod_size (wadd i_0 i_1) n.
Proof.
  intros h. unfold read_reconstruct_shift, read_shift_share.
  rewrite mod_size_add_l, mod_size_add_r by assumption.
  replace (wadd (wadd ri_0 ri_1) (wadd (vector_mod_size (wsub i_0 ri_0) n) (vector_mod_size (wsub i_1 ri_1) n)))
    with (wadd (vector_mod_size (wsub i_0 ri_0) n) (wadd (vector_mod_size (wsub i_1 ri_1) n) (wadd ri_0 ri_1))) by ring.
  rewrite mod_size_add_l by assumption.
  replace (wadd (wsub i_0 ri_0) (wadd (vector_mod_size (wsub i_1 ri_1) n) (wadd ri_0 ri_1)))
    with (wadd (vector_mod_size (wsub i_1 ri_1) n) (wadd (wsub i_0 ri_0) (wadd ri_0 ri_1))) by ring.
  rewrite mod_size_add_l by assumption. f_equal. ring.
Qed.

(** * Sizes *)

Lemma sized_of_len {T : Type} (v : list T) : Z.of_nat (length v) < 2 ^ 64 -> sized (len v) v.
Proof. intros h. unfold sized. rewrite nat_of_len by assumption. reflexivity. Qed.

Lemma sized_small {T : Type} (n : u64) (v : list T) : sized n v -> Z.of_nat (length v) < 2 ^ 64.
Proof. unfold sized. intros ->. apply nat_of_bound. Qed.

Definition sized_triple {T : Type} (n : u64) (v : list T * list T * list T) : Prop :=
  let '(v_1, v_2, v_3) := v in sized n v_1 /\ sized n v_2 /\ sized n v_3.

(* All vectors of a state, of the unit vectors, of an UPDATE's material, have n elements. *)
Definition state_sized {W : Type} (n : u64) (state : memory_State W) : Prop :=
  sized_triple n (memory_PrimaryState_memory_share (memory_State_p0 state),
    memory_PrimaryState_blind (memory_State_p0 state), memory_PrimaryState_blinded (memory_State_p0 state)) /\
  sized_triple n (memory_PrimaryState_memory_share (memory_State_p1 state),
    memory_PrimaryState_blind (memory_State_p1 state), memory_PrimaryState_blinded (memory_State_p1 state)) /\
  sized n (memory_HelperState_blind_0 (memory_State_p2 state)) /\
  sized n (memory_HelperState_blind_1 (memory_State_p2 state)).
Definition units_sized {W : Type} (n : u64) (units : read_UnitVectors W) : Prop :=
  sized_triple n (read_UnitVectors_p0 units) /\ sized_triple n (read_UnitVectors_p1 units).
Definition vectors_sized {W : Type} (n : u64) (vectors : update_UpdateVectors W) : Prop :=
  sized_triple n (update_UpdateVectors_p0 vectors) /\ sized_triple n (update_UpdateVectors_p1 vectors).
Definition material_sized {W : Type} (n : u64) (material : update_UpdateMaterial W) : Prop :=
  units_sized n (update_UpdateMaterial_units material) /\
  sized_triple n (update_ValueVectors_p0 (update_UpdateMaterial_values material)) /\
  sized_triple n (update_ValueVectors_p1 (update_UpdateMaterial_values material)).

Ltac split_sizes :=
  repeat match goal with
    | h : state_sized _ _ |- _ => unfold state_sized in h; cbn in h
    | h : units_sized _ _ |- _ => unfold units_sized in h; cbn in h
    | h : vectors_sized _ _ |- _ => unfold vectors_sized in h; cbn in h
    | h : material_sized _ _ |- _ => unfold material_sized in h; cbn in h
    | h : sized_triple _ _ |- _ => unfold sized_triple in h; cbn in h
    | h : _ /\ _ |- _ => destruct h
    end.

Section Words.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Laws : RingLaws W}.
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
