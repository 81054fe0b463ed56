(* The shift S, and the sizes of states and of material. The proofs about READ, UPDATE and the conversion share these lemmas. *)
From Coq Require Import Lia.
From Duoram.core Require Export SizeFacts.
From Duoram.Generated Require Import All.

#[global] Arguments paper_read_shift_share address_share random_index_share n : simpl never.
#[global] Arguments paper_read_reconstruct_shift share_0 share_1 n : simpl never.

(** * The shift S *)

(* The shift S leads from ri_0 + ri_1 to i_0 + i_1 [duoram, section 3.1.1]. *)
Lemma shift_leads_to_target (i_0 i_1 ri_0 ri_1 n : u64) : power_of_two n ->
  vector_mod_size
    (wadd (vector_mod_size (wadd ri_0 ri_1) n)
       (paper_read_reconstruct_shift (paper_read_shift_share i_0 ri_0 n) (paper_read_shift_share i_1 ri_1 n) n)) n
  = vector_mod_size (wadd i_0 i_1) n.
Proof.
  intros h. unfold paper_read_reconstruct_shift, paper_read_shift_share.
  rewrite mod_size_add_l, mod_size_add_r by assumption.
  replace (wadd (wadd ri_0 ri_1) (wadd (vector_mod_size (wsub i_0 ri_0) n) (vector_mod_size (wsub i_1 ri_1) n)))
    with (wadd (vector_mod_size (wsub i_0 ri_0) n) (wadd (vector_mod_size (wsub i_1 ri_1) n) (wadd ri_0 ri_1))) by ring.
  rewrite mod_size_add_l by assumption.
  replace (wadd (wsub i_0 ri_0) (wadd (vector_mod_size (wsub i_1 ri_1) n) (wadd ri_0 ri_1)))
    with (wadd (vector_mod_size (wsub i_1 ri_1) n) (wadd (wsub i_0 ri_0) (wadd ri_0 ri_1))) by ring.
  rewrite mod_size_add_l by assumption. f_equal. ring.
Qed.

(** * Sizes *)

Definition sized_triple {T : Type} (n : u64) (v : list T * list T * list T) : Prop :=
  let '(v_1, v_2, v_3) := v in sized n v_1 /\ sized n v_2 /\ sized n v_3.

(* All vectors of a state, of the unit vectors, of an UPDATE's material, have n elements. *)
Definition state_sized {W : Type} (n : u64) (state : paper_memory_State W) : Prop :=
  sized_triple n (paper_memory_PrimaryState_memory_share (paper_memory_State_p0 state),
    paper_memory_PrimaryState_blind (paper_memory_State_p0 state), paper_memory_PrimaryState_blinded (paper_memory_State_p0 state)) /\
  sized_triple n (paper_memory_PrimaryState_memory_share (paper_memory_State_p1 state),
    paper_memory_PrimaryState_blind (paper_memory_State_p1 state), paper_memory_PrimaryState_blinded (paper_memory_State_p1 state)) /\
  sized n (paper_memory_HelperState_blind_0 (paper_memory_State_p2 state)) /\
  sized n (paper_memory_HelperState_blind_1 (paper_memory_State_p2 state)).
Definition units_sized {W : Type} (n : u64) (units : paper_read_UnitVectors W) : Prop :=
  sized_triple n (paper_read_UnitVectors_p0 units) /\ sized_triple n (paper_read_UnitVectors_p1 units).
Definition vectors_sized {W : Type} (n : u64) (vectors : paper_update_UpdateVectors W) : Prop :=
  sized_triple n (paper_update_UpdateVectors_p0 vectors) /\ sized_triple n (paper_update_UpdateVectors_p1 vectors).
Definition material_sized {W : Type} (n : u64) (material : paper_update_UpdateMaterial W) : Prop :=
  units_sized n (paper_update_UpdateMaterial_units material) /\
  sized_triple n (paper_update_ValueVectors_p0 (paper_update_UpdateMaterial_values material)) /\
  sized_triple n (paper_update_ValueVectors_p1 (paper_update_UpdateMaterial_values material)).

Ltac split_sizes :=
  repeat match goal with
    | h : state_sized _ _ |- _ => unfold state_sized in h; cbn in h
    | h : units_sized _ _ |- _ => unfold units_sized in h; cbn in h
    | h : vectors_sized _ _ |- _ => unfold vectors_sized in h; cbn in h
    | h : material_sized _ _ |- _ => unfold material_sized in h; cbn in h
    | h : sized_triple _ _ |- _ => unfold sized_triple in h; cbn in h
    | h : _ /\ _ |- _ => destruct h
    end.
