(* Lemma 1: READ returns shares of the word at i* [duoram, section 3.1.1, Protocol 1, App. B]. *)
From Coq Require Import Lia.
From Duoram.paper Require Import PremiseFacts.
From Duoram.Generated Require Import All.

Section Read.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Laws : RingLaws W}.
  Add Ring W_ring : (ring_theory_W W).
  Implicit Types (state : paper_memory_State W) (units : paper_read_UnitVectors W).

  (* Vectors that point at ri point, moved by s, at ri + s mod n. *)
  Lemma shifted_units_point_at (n ri s : u64) units :
    power_of_two n -> units_sized n units -> val ri < val n ->
    paper_lemmas_units_point_at units n ri = true ->
    paper_lemmas_units_point_at (paper_read_shifted units s) n (vector_mod_size (wadd ri s) n) = true.
  Proof.
    intros hn hs hri h. destruct units as [[[t_0_1 t_0_2] t_0_3] [[t_1_1 t_1_2] t_1_3]].
    apply units_equations in h as (h_1 & h_2 & h_3); [|assumption]. split_sizes.
    unfold paper_read_shifted. cbn. apply units_equations.
    - repeat split; cbn; auto with sizes.
    - rewrite <- !(shift_add n) by assumption. rewrite h_1, h_2, h_3.
      rewrite !(shift_unit_vector n) by assumption. auto.
  Qed.

  Lemma shifted_units_sized (n s : u64) units : units_sized n units -> units_sized n (paper_read_shifted units s).
  Proof.
    intros h. destruct units as [[[t_0_1 t_0_2] t_0_3] [[t_1_1 t_1_2] t_1_3]]. split_sizes.
    repeat split; cbn; auto with sizes.
  Qed.

  (* Section 3.1.1, with vectors that a trusted source deals: from shares of e_i, the parties compute shares of D[i],
     whatever P2's mask rho is. This is the calculation in App. B. *)
  Theorem answer_reconstructs (n i : u64) state (at_target : paper_read_UnitVectors W) (mask : W) :
    state_sized n state -> units_sized n at_target ->
    paper_lemmas_lemma_3 state = true -> paper_lemmas_units_point_at at_target n i = true ->
    let '(_, _, read_0, read_1) := paper_read_answer state at_target mask in
    ring_Ring_plus read_0 read_1 = vector_at (paper_memory_opened state) i (ring_Ring_zero W).
  Proof.
    intros hs ht h3 h. rewrite vector_at_nth.
    apply (lemma_3_equations n) in h3 as (e_1 & e_0 & b_0 & b_1); [|assumption].
    destruct at_target as [[[t_0_1 t_0_2] t_0_3] [[t_1_1 t_1_2] t_1_3]].
    apply units_equations in h as (h_1 & h_2 & h_3); [|assumption].
    destruct state as [[D_0 zeta_0 blinded_1] [D_1 zeta_1 blinded_0] [helper_0 helper_1]]. split_sizes. cbn in *. subst.
    unfold paper_memory_opened. cbn. rewrite <- (vector_dot_unit_vector _ n) by (apply sized_add; assumption).
    unfold paper_read_read_share.
    rewrite !(dot_add_l n), !(dot_sub_r n) by auto with sizes.
    (* <v, t_0> + <v, t_1> = <v, e_i> for each vector v of the state and each DPF *)
    assert (f_1 : forall v, vector_dot v t_1_1 =
      ring_Ring_minus (vector_dot v (vector_unit_vector W n i)) (vector_dot v t_0_1))
      by (intros v; rewrite <- h_1, (dot_add_r n) by assumption; ring).
    assert (f_2 : forall v, vector_dot v t_1_2 =
      ring_Ring_minus (vector_dot v (vector_unit_vector W n i)) (vector_dot v t_0_2))
      by (intros v; rewrite <- h_2, (dot_add_r n) by assumption; ring).
    assert (f_3 : forall v, vector_dot v t_1_3 =
      ring_Ring_minus (vector_dot v (vector_unit_vector W n i)) (vector_dot v t_0_3))
      by (intros v; rewrite <- h_3, (dot_add_r n) by assumption; ring).
    rewrite !f_1, !f_2, !f_3. ring.
  Qed.

  (* Lemma 1, as an equation: both outputs of READ add up to D[i_0 + i_1 mod n], for
     - a memory of n = 2^h words whose blinds fit (Lemma 3);
     - vectors that add up to e_ri, for ri = ri_0 + ri_1 mod n, three times;
     - any shares of the address and any mask. *)
  Theorem read_reconstructs (n ri_0 ri_1 i_0 i_1 : u64) state units (mask : W) :
    power_of_two n -> state_sized n state -> units_sized n units ->
    paper_lemmas_lemma_3 state = true ->
    paper_lemmas_units_point_at units n (vector_mod_size (wadd ri_0 ri_1) n) = true ->
    let outcome := paper_read_read state units (ri_0, ri_1) (i_0, i_1) mask in
    ring_Ring_plus (paper_read_Read_read_0 outcome) (paper_read_Read_read_1 outcome)
    = ideal_get (paper_memory_opened state) (vector_mod_size (wadd i_0 i_1) n).
  Proof.
    intros hn hs ht h3 h. unfold ideal_get. rewrite cast_same.
    unfold paper_read_read. rewrite (sized_len n) by apply hs.
    apply (shifted_units_point_at n _
      (paper_read_reconstruct_shift (paper_read_shift_share i_0 ri_0 n) (paper_read_shift_share i_1 ri_1 n) n)) in h;
      [| assumption | assumption | apply mod_size_below; assumption].
    rewrite shift_leads_to_target in h by assumption.
    pose proof (answer_reconstructs n _ _ _ mask hs (shifted_units_sized n _ _ ht) h3 h) as e.
    cbv zeta. destruct (paper_read_answer _ _ mask) as [[[gamma_0 gamma_1] read_0] read_1]. exact e.
  Qed.

  Lemma opened_sized (n : u64) state : state_sized n state -> sized n (paper_memory_opened state).
  Proof. intros h. split_sizes. unfold paper_memory_opened. auto with sizes. Qed.

  (* Lemma 1 as the specification states it. *)
  Theorem lemma_1_holds (n ri_0 ri_1 i_0 i_1 : u64) state units (mask : W) :
    power_of_two n -> state_sized n state -> units_sized n units ->
    paper_lemmas_lemma_3 state = true ->
    paper_lemmas_units_point_at units n (vector_mod_size (wadd ri_0 ri_1) n) = true ->
    paper_lemmas_lemma_1 state (i_0, i_1) (paper_read_read state units (ri_0, ri_1) (i_0, i_1) mask) = true.
  Proof.
    intros hn hs ht h3 h. unfold paper_lemmas_lemma_1. apply same_eq.
    rewrite (sized_len n) by (apply opened_sized, hs). apply read_reconstructs; assumption.
  Qed.
End Read.

(* With the words of the implementation. *)
Corollary lemma_1_holds_u64 (n ri_0 ri_1 i_0 i_1 : u64) (state : paper_memory_State u64) (units : paper_read_UnitVectors u64)
  (mask : u64) :
  power_of_two n -> state_sized n state -> units_sized n units ->
  paper_lemmas_lemma_3 state = true ->
  paper_lemmas_units_point_at units n (vector_mod_size (wadd ri_0 ri_1) n) = true ->
  paper_lemmas_lemma_1 state (i_0, i_1) (paper_read_read state units (ri_0, ri_1) (i_0, i_1) mask) = true.
Proof. apply lemma_1_holds. Qed.
