(* What the boolean functions of the Rust module `lean::lemmas` say, as equations; the sizes of states and of material; and
   where the shift S leads. *)
From Coq Require Import Lia.
From Duoram.core Require Export Shorter.
From Duoram.Generated Require Import All.

#[global] Arguments lean_read_shift_share address_share random_index n : simpl never.
#[global] Arguments lean_read_reconstruct_shift shift_0 shift_1 : simpl never.
#[global] Arguments lean_lemmas_flags_point_at {W W_Ring} flags n i : simpl never.
#[global] Arguments lean_lemmas_states_agree {W W_Ring} state : simpl never.

(* S leads from ri_0 xor ri_1 to i_0 xor i_1. *)
Lemma lean_shift_leads_to_target (i_0 i_1 ri_0 ri_1 n : u64) :
  vector_mod_size
    (ixor (vector_mod_size (ixor ri_0 ri_1) n)
       (lean_read_reconstruct_shift (lean_read_shift_share i_0 ri_0 n) (lean_read_shift_share i_1 ri_1 n))) n
  = vector_mod_size (ixor i_0 i_1) n.
Proof.
  unfold lean_read_reconstruct_shift, lean_read_shift_share. rewrite !mod_size_ixor, !mod_size_mod_size. xor_and.
Qed.

(** * Sizes *)

(* All vectors of a state, of the flags, of an UPDATE's material, have n words. A state may have fewer than there are addresses, m of
   n: what is not there is zero, and stays so. *)
Definition lean_state_sized {W : Type} (n : u64) (state : lean_memory_State W) : Prop :=
  sized n (lean_memory_State0_alpha (lean_memory_State_p0 state)) /\
  sized n (lean_memory_State0_beta (lean_memory_State_p0 state)) /\
  sized n (lean_memory_State1_alpha (lean_memory_State_p1 state)) /\
  sized n (lean_memory_State2_alpha (lean_memory_State_p2 state)) /\
  sized n (lean_memory_State2_beta (lean_memory_State_p2 state)).
Definition lean_flags_sized {W : Type} (n : u64) (flags : lean_read_Flags W) : Prop :=
  sized n (lean_read_Flags_a_0 flags) /\ sized n (lean_read_Flags_a_1 flags) /\
  sized n (lean_read_Flags_b_0 flags) /\ sized n (lean_read_Flags_b_1 flags).
Definition lean_values_sized {W : Type} (n : u64) (values : lean_update_Values W) : Prop :=
  sized n (lean_update_Values_a_0 values) /\ sized n (lean_update_Values_a_1 values) /\
  sized n (lean_update_Values_b_0 values) /\ sized n (lean_update_Values_b_1 values).
Definition lean_material_sized {W : Type} (n : u64) (material : lean_update_Material W) : Prop :=
  lean_flags_sized n (lean_update_Material_flags material) /\ lean_values_sized n (lean_update_Material_values material).

Ltac split_lean_sizes :=
  repeat match goal with
    | h : lean_state_sized _ _ |- _ => unfold lean_state_sized in h; cbn in h
    | h : lean_flags_sized _ _ |- _ => unfold lean_flags_sized in h; cbn in h
    | h : lean_values_sized _ _ |- _ => unfold lean_values_sized in h; cbn in h
    | h : lean_material_sized _ _ |- _ => unfold lean_material_sized in h; cbn in h
    | h : _ /\ _ |- _ => destruct h
    end.

(** * The lemmas as equations *)

Section Words.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Theory : RingTheory W}.
  Add Ring W_ring : (ring_theory_W W).
  Implicit Types (state : lean_memory_State W) (flags : lean_read_Flags W) (material : lean_update_Material W)
    (n i : u64).
  Notation zero := (ring_Ring_zero W).

  Lemma lean_opened_alpha_sized n state : lean_state_sized n state -> sized n (lean_memory_opened_alpha state).
  Proof. intros h. split_lean_sizes. apply sized_add; assumption. Qed.
  Lemma lean_opened_beta_sized n state : lean_state_sized n state -> sized n (lean_memory_opened_beta state).
  Proof. intros h. split_lean_sizes. apply sized_add; assumption. Qed.

  Lemma states_agree_equations n state : lean_state_sized n state ->
    lean_lemmas_states_agree state = true <->
    lean_memory_State0_alpha (lean_memory_State_p0 state) = lean_memory_State2_alpha (lean_memory_State_p2 state) /\
    lean_memory_opened_alpha state = lean_memory_opened_beta state.
  Proof.
    intros h. unfold lean_lemmas_states_agree.
    rewrite andb_true_iff, !(same_vector_sized n) by first [apply lean_opened_alpha_sized, h | apply lean_opened_beta_sized, h | apply h].
    tauto.
  Qed.

  Lemma flags_point_at_equations n i flags : lean_flags_sized n flags ->
    lean_lemmas_flags_point_at flags n i = true <->
    vector_add (lean_read_Flags_a_0 flags) (lean_read_Flags_a_1 flags) = vector_unit_vector W n i /\
    vector_add (lean_read_Flags_b_0 flags) (lean_read_Flags_b_1 flags) = vector_unit_vector W n i.
  Proof.
    intros (h_1 & h_2 & h_3 & h_4). unfold lean_lemmas_flags_point_at, lean_read_opened_flags. rewrite cast_same.
    rewrite andb_true_iff, !(same_vector_sized n) by auto with sizes. tauto.
  Qed.

  (* Of R_a and R_b. *)
  Definition opened_value material : W :=
    ring_Ring_plus (fst (lean_update_Material_value_shares material)) (snd (lean_update_Material_value_shares material)).

  Lemma material_points_at_equations n i material : lean_material_sized n material ->
    lean_lemmas_material_points_at material n i = true <->
    lean_lemmas_flags_point_at (lean_update_Material_flags material) n i = true /\
    vector_add (lean_update_Values_a_0 (lean_update_Material_values material))
      (lean_update_Values_a_1 (lean_update_Material_values material))
      = vector_scale (opened_value material) (vector_unit_vector W n i) /\
    vector_add (lean_update_Values_b_0 (lean_update_Material_values material))
      (lean_update_Values_b_1 (lean_update_Material_values material))
      = vector_scale (ring_Ring_minus (opened_value material) (lean_update_Material_delta material))
          (vector_unit_vector W n i).
  Proof.
    destruct material as [flags values [f_0 f_1] delta]. intros (hf & h_1 & h_2 & h_3 & h_4). cbn in *.
    unfold lean_lemmas_material_points_at, opened_value. cbn. rewrite cast_same.
    rewrite !andb_true_iff, !(same_vector_sized n) by auto with sizes. tauto.
  Qed.
End Words.
