(* What the boolean functions of the Rust module `paper::lemmas` say, as equations. *)
From Coq Require Import Lia.
From Duoram.core Require Export LemmasFacts.
From Duoram.paper Require Export StateSizes.
From Duoram.Generated Require Import All.

Section Words.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Laws : RingLaws W}.
  Add Ring W_ring : (ring_theory_W W).
  Implicit Types (a b c : list W) (n s i : u64) (k : nat) (x f : W).

  (* Lemma 3's invariant. *)
  Lemma lemma_3_equations n (state : paper_memory_State W) : state_sized n state ->
    paper_lemmas_lemma_3 state = true <->
    paper_memory_PrimaryState_blinded (paper_memory_State_p1 state)
      = vector_add (paper_memory_PrimaryState_memory_share (paper_memory_State_p0 state))
          (paper_memory_PrimaryState_blind (paper_memory_State_p0 state)) /\
    paper_memory_PrimaryState_blinded (paper_memory_State_p0 state)
      = vector_add (paper_memory_PrimaryState_memory_share (paper_memory_State_p1 state))
          (paper_memory_PrimaryState_blind (paper_memory_State_p1 state)) /\
    paper_memory_HelperState_blind_0 (paper_memory_State_p2 state) = paper_memory_PrimaryState_blind (paper_memory_State_p0 state) /\
    paper_memory_HelperState_blind_1 (paper_memory_State_p2 state) = paper_memory_PrimaryState_blind (paper_memory_State_p1 state).
  Proof.
    intros h. split_sizes. unfold paper_lemmas_lemma_3, paper_memory_blinding_defect. rewrite (sized_len n) by assumption.
    rewrite !andb_true_iff, !(same_vector_sized n), !(sub_zeros n) by auto using sized_add, sized_sub, sized_zeros.
    tauto.
  Qed.

  Lemma units_equations n i t_0_1 t_0_2 t_0_3 t_1_1 t_1_2 t_1_3 :
    let units := mk_paper_read_UnitVectors (t_0_1, t_0_2, t_0_3) (t_1_1, t_1_2, t_1_3) in
    units_sized n units ->
    paper_lemmas_units_point_at units n i = true <->
    vector_add t_0_1 t_1_1 = vector_unit_vector W n i /\ vector_add t_0_2 t_1_2 = vector_unit_vector W n i /\
    vector_add t_0_3 t_1_3 = vector_unit_vector W n i.
  Proof.
    intros units h. subst units. split_sizes. unfold paper_lemmas_units_point_at. cbn. rewrite cast_same.
    rewrite !andb_true_iff, !(same_vector_sized n) by auto using sized_add, sized_unit_vector. tauto.
  Qed.

  Lemma vectors_equations n w w_0_1 w_0_2 w_0_3 w_1_1 w_1_2 w_1_3 :
    let vectors := mk_paper_update_UpdateVectors (w_0_1, w_0_2, w_0_3) (w_1_1, w_1_2, w_1_3) in
    vectors_sized n vectors -> sized n w ->
    paper_lemmas_vectors_agree vectors w = true <->
    vector_add w_0_1 w_1_1 = w /\ vector_add w_0_2 w_1_2 = w /\ vector_add w_0_3 w_1_3 = w.
  Proof.
    intros vectors h hw. subst vectors. split_sizes. unfold paper_lemmas_vectors_agree. cbn.
    rewrite !andb_true_iff, !(same_vector_sized n) by auto using sized_add. tauto.
  Qed.
End Words.
