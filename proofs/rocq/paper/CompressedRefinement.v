(* The compressed state (spec/src/paper/compressed.rs) refines the paper's: READ on it yields the same shares, UPDATE leads to
   the compression of what UPDATE leads to, and the memory that it opens to is the same. Not in the paper; READ and
   UPDATE are those of [duoram, section 3.1, Protocols 1 and 2]. *)
From Coq Require Import Lia.
From Duoram.paper Require Import PremiseFacts ReadReconstructs UpdateRefreshes.
From Duoram.Generated Require Import All.

Section Compressed.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Laws : RingLaws W}.
  Add Ring W_ring : (ring_theory_W W).
  Implicit Types (state : paper_memory_State W) (vectors : paper_update_UpdateVectors W).

  (** * READ *)

  (* One party's share, from the same message gamma of P2: for any vectors of one length. *)
  Theorem compressed_read_share_same (n : u64) (party : paper_memory_PrimaryState W) (t_1 t_k : list W) (gamma : W) :
    sized n (paper_memory_PrimaryState_memory_share party) -> sized n (paper_memory_PrimaryState_blind party) ->
    sized n (paper_memory_PrimaryState_blinded party) -> sized n t_1 -> sized n t_k ->
    paper_compressed_read_share (paper_compressed_compress party) t_1 t_k gamma
    = paper_read_read_share (paper_memory_PrimaryState_memory_share party) (paper_memory_PrimaryState_blinded party)
        (paper_memory_PrimaryState_blind party) t_1 t_k gamma.
  Proof.
    intros h_1 h_2 h_3 ht_1 ht_k. unfold paper_compressed_read_share, paper_read_read_share. cbn.
    rewrite (dot_add_l n (vector_add _ _)), (dot_sub_r n) by auto with sizes. ring.
  Qed.

  (* As the specification states it: both parties' shares are the same as with the paper's state, for any state and any
     unit vectors of one length, whether the blinds fit or not, and so for what Protocol 1 makes of any unit vectors. *)
  Theorem refines_read_holds (n : u64) state (at_target : paper_read_UnitVectors W) (mask : W) :
    state_sized n state -> units_sized n at_target -> paper_lemmas_refines_read state at_target mask = true.
  Proof.
    intros hs ht. unfold paper_lemmas_refines_read, paper_read_answer.
    destruct at_target as [[[t_0_1 t_0_2] t_0_3] [[t_1_1 t_1_2] t_1_3]]. split_sizes. cbn.
    apply andb_true_intro. split; apply same_eq; apply (compressed_read_share_same n); assumption.
  Qed.

  (** * UPDATE *)

  (* UPDATE on compressed states, without the vectors of DPF 1, gives the compression of the paper's new states. *)
  Theorem compressed_update_same (n : u64) state vectors :
    state_sized n state -> vectors_sized n vectors ->
    let after := paper_update_apply state vectors in
    let '(_, w_0_2, w_0_3) := paper_update_UpdateVectors_p0 vectors in
    let '(_, w_1_2, w_1_3) := paper_update_UpdateVectors_p1 vectors in
    paper_compressed_updated_p0 (paper_compressed_compress (paper_memory_State_p0 state)) w_0_2 w_0_3
      = paper_compressed_compress (paper_memory_State_p0 after) /\
    paper_compressed_updated_p1 (paper_compressed_compress (paper_memory_State_p1 state)) w_1_2 w_1_3
      = paper_compressed_compress (paper_memory_State_p1 after).
  Proof.
    intros hs hv. destruct vectors as [[[w_0_1 w_0_2] w_0_3] [[w_1_1 w_1_2] w_1_3]].
    split_sizes. unfold paper_compressed_updated_p0, paper_compressed_updated_p1, paper_compressed_compress. cbn.
    split; f_equal; by_elements n; ring.
  Qed.

  (* As the specification states it. *)
  Theorem refines_update_holds (n : u64) state vectors :
    state_sized n state -> vectors_sized n vectors -> paper_lemmas_refines_update state vectors = true.
  Proof.
    intros hs hv. pose proof (compressed_update_same n state vectors hs hv) as h.
    unfold paper_lemmas_refines_update, paper_lemmas_same_compressed. cbv zeta in h |- *.
    destruct (paper_update_UpdateVectors_p0 vectors) as [[w_0_1 w_0_2] w_0_3],
      (paper_update_UpdateVectors_p1 vectors) as [[w_1_1 w_1_2] w_1_3].
    destruct h as [-> ->]. rewrite !same_vector_refl. reflexivity.
  Qed.

  (** * Lemma 3, and what the states open to *)

  Definition compressed_sized (n : u64) (p0 p1 : paper_compressed_CompressedState W) (p2 : paper_memory_HelperState W) : Prop :=
    sized n (paper_compressed_CompressedState_combined p0) /\ sized n (paper_compressed_CompressedState_blind p0) /\
    sized n (paper_compressed_CompressedState_combined p1) /\ sized n (paper_compressed_CompressedState_blind p1) /\
    sized n (paper_memory_HelperState_blind_0 p2) /\ sized n (paper_memory_HelperState_blind_1 p2).

  Lemma compress_sized (n : u64) state : state_sized n state ->
    compressed_sized n (paper_compressed_compress (paper_memory_State_p0 state)) (paper_compressed_compress (paper_memory_State_p1 state))
      (paper_memory_State_p2 state).
  Proof. intros h. split_sizes. repeat split; cbn; auto with sizes. Qed.

  Lemma lemma_3_compressed_equations (n : u64) (p0 p1 : paper_compressed_CompressedState W) (p2 : paper_memory_HelperState W) :
    compressed_sized n p0 p1 p2 ->
    paper_lemmas_lemma_3_compressed p0 p1 p2 = true <->
    paper_compressed_CompressedState_combined p0 = paper_compressed_CompressedState_combined p1 /\
    paper_memory_HelperState_blind_0 p2 = paper_compressed_CompressedState_blind p0 /\
    paper_memory_HelperState_blind_1 p2 = paper_compressed_CompressedState_blind p1.
  Proof.
    intros (h_1 & h_2 & h_3 & h_4 & h_5 & h_6). unfold paper_lemmas_lemma_3_compressed.
    rewrite !andb_true_iff, !(same_vector_sized n) by assumption. tauto.
  Qed.

  (* Lemma 3 of the paper's state is Lemma 3 of the compressed one: both primaries hold one C. *)
  Theorem compress_lemma_3 (n : u64) state : state_sized n state -> paper_lemmas_lemma_3 state = true ->
    paper_lemmas_lemma_3_compressed (paper_compressed_compress (paper_memory_State_p0 state)) (paper_compressed_compress (paper_memory_State_p1 state))
      (paper_memory_State_p2 state) = true.
  Proof.
    intros hs h. pose proof (compress_sized n state hs) as hc.
    apply (lemma_3_equations n) in h as (e_1 & e_0 & b_0 & b_1); [|assumption].
    apply (lemma_3_compressed_equations n); [assumption|]. clear hc. split_sizes. cbn.
    split; [|split; assumption]. rewrite e_1, e_0. by_elements n. ring.
  Qed.

  (* C - zeta_0 - zeta_1 is the memory. *)
  Theorem compressed_opened_same (n : u64) state : state_sized n state -> paper_lemmas_lemma_3 state = true ->
    paper_compressed_opened (paper_compressed_compress (paper_memory_State_p0 state)) (paper_memory_State_p2 state) = paper_memory_opened state.
  Proof.
    intros hs h. apply (lemma_3_equations n) in h as (e_1 & e_0 & b_0 & b_1); [|assumption]. split_sizes.
    unfold paper_compressed_opened, paper_memory_opened. cbn. rewrite b_0, b_1, e_0. by_elements n. ring.
  Qed.

  (* On its own: UPDATE of compressed states by vectors that are shares of one w, of DPF 2 and 3, keeps Lemma 3 and adds
     w to the memory. *)
  Theorem lemma_3_compressed_kept (n : u64) (w : list W) (p0 p1 : paper_compressed_CompressedState W)
    (p2 : paper_memory_HelperState W) vectors :
    compressed_sized n p0 p1 p2 -> vectors_sized n vectors -> sized n w ->
    paper_lemmas_vectors_agree vectors w = true -> paper_lemmas_lemma_3_compressed p0 p1 p2 = true ->
    let '(_, w_0_2, w_0_3) := paper_update_UpdateVectors_p0 vectors in
    let '(_, w_1_2, w_1_3) := paper_update_UpdateVectors_p1 vectors in
    let p0' := paper_compressed_updated_p0 p0 w_0_2 w_0_3 in
    let p1' := paper_compressed_updated_p1 p1 w_1_2 w_1_3 in
    let p2' := paper_update_updated_p2 p2 w_0_2 w_1_3 in
    paper_lemmas_lemma_3_compressed p0' p1' p2' = true /\
    paper_compressed_opened p0' p2' = vector_add (paper_compressed_opened p0 p2) w.
  Proof.
    intros hs hv hw agree h. destruct vectors as [[[w_0_1 w_0_2] w_0_3] [[w_1_1 w_1_2] w_1_3]].
    apply (vectors_equations n) in agree as (_ & h_2 & h_3); [|assumption|assumption].
    apply (lemma_3_compressed_equations n) in h as (c & b_0 & b_1); [|assumption].
    destruct hs as (s_1 & s_2 & s_3 & s_4 & s_5 & s_6). split_sizes. cbn. cbv zeta.
    assert (f_2 : forall k, nth k w_1_2 (ring_Ring_zero W)
      = ring_Ring_minus (nth k w (ring_Ring_zero W)) (nth k w_0_2 (ring_Ring_zero W)))
      by (intros k; rewrite <- h_2, (nth_add n) by assumption; ring).
    assert (f_3 : forall k, nth k w_0_3 (ring_Ring_zero W)
      = ring_Ring_minus (nth k w (ring_Ring_zero W)) (nth k w_1_3 (ring_Ring_zero W)))
      by (intros k; rewrite <- h_3, (nth_add n) by assumption; ring).
    split.
    - apply (lemma_3_compressed_equations n); [repeat split; cbn; auto with sizes|].
      unfold paper_compressed_updated_p0, paper_compressed_updated_p1, paper_update_updated_p2. cbn. rewrite c, b_0, b_1.
      split; [|split; reflexivity]. by_elements n. rewrite f_2, f_3. ring.
    - unfold paper_compressed_opened, paper_compressed_updated_p0, paper_update_updated_p2. cbn. by_elements n. rewrite f_3. ring.
  Qed.

  (** * Any sequence of UPDATEs *)

  Definition compressed_all state : paper_compressed_CompressedState W * paper_compressed_CompressedState W * paper_memory_HelperState W :=
    (paper_compressed_compress (paper_memory_State_p0 state), paper_compressed_compress (paper_memory_State_p1 state), paper_memory_State_p2 state).

  Definition compressed_apply
    (states : paper_compressed_CompressedState W * paper_compressed_CompressedState W * paper_memory_HelperState W) vectors : paper_compressed_CompressedState W * paper_compressed_CompressedState W * paper_memory_HelperState W :=
    let '(p0, p1, p2) := states in
    let '(_, w_0_2, w_0_3) := paper_update_UpdateVectors_p0 vectors in
    let '(_, w_1_2, w_1_3) := paper_update_UpdateVectors_p1 vectors in
    (paper_compressed_updated_p0 p0 w_0_2 w_0_3, paper_compressed_updated_p1 p1 w_1_2 w_1_3, paper_update_updated_p2 p2 w_0_2 w_1_3).

  (* After any UPDATEs the compressed states are the compression of the paper's, so that with [refines_read_holds] every
     later READ yields the same shares; what P2 sends does not depend on the primaries' states at all, and the messages of
     an UPDATE depend on no state. *)
  Theorem compressed_updates_same (n : u64) state (updates : list (paper_update_UpdateVectors W)) :
    state_sized n state -> Forall (vectors_sized n) updates ->
    fold_left compressed_apply updates (compressed_all state) = compressed_all (fold_left paper_update_apply updates state).
  Proof.
    intros hs hu. revert state hs. induction hu as [|vectors updates hv _ IH]; intros state hs; [reflexivity|].
    simpl. rewrite <- IH by (apply apply_sized; assumption). f_equal.
    pose proof (compressed_update_same n state vectors hs hv) as h. cbv zeta in h.
    unfold compressed_all, paper_update_apply in *.
    destruct vectors as [[[w_0_1 w_0_2] w_0_3] [[w_1_1 w_1_2] w_1_3]]. cbn in *. destruct h as [-> ->]. reflexivity.
  Qed.
End Compressed.

(* With the words of the implementation. *)
Definition refines_read_holds_u64 := refines_read_holds (W := u64).
Definition refines_update_holds_u64 := refines_update_holds (W := u64).
