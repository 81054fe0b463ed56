(* READ of the lean protocol returns shares of the word at i*. Over any ring. *)
From Coq Require Import Lia.
From Duoram.lean Require Export StateFacts.
From Duoram.Generated Require Import All.

Section Read.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Theory : RingTheory W}.
  Add Ring W_ring : (ring_theory_W W).
  Implicit Types (state : lean_memory_State W) (flags : lean_read_Flags W) (m n i s : u64).
  Notation zero := (ring_Ring_zero W).

  Lemma moved_flags_sized n s flags : lean_flags_sized n flags -> lean_flags_sized n (lean_read_moved flags s).
  Proof. intros h. split_lean_sizes. repeat split; cbn; auto with sizes. Qed.

  (* Flags that point at ri point, moved by S, at ri xor S. *)
  Theorem moved_flags_point_at n ri s flags : power_of_two n -> lean_flags_sized n flags -> val ri < val n ->
    lean_lemmas_flags_point_at flags n ri = true ->
    lean_lemmas_flags_point_at (lean_read_moved flags s) n (vector_mod_size (ixor ri s) n) = true.
  Proof.
    intros hn hs hri h. apply (flags_point_at_equations n) in h as [h_a h_b]; [|assumption].
    apply flags_point_at_equations; [apply moved_flags_sized, hs|]. split_lean_sizes. unfold lean_read_moved. cbn.
    rewrite <- !(xor_shift_add n), h_a, h_b, !(xor_shift_unit_vector n) by assumption. auto.
  Qed.

  (* The three parties' parts add up to the word that the flags point at. *)
  Theorem parts_add_up m n i state flags : lean_state_sized m state -> at_most m n -> lean_flags_sized n flags ->
    lean_lemmas_states_agree state = true -> lean_lemmas_flags_point_at flags n i = true ->
    ring_Ring_plus
      (ring_Ring_plus
        (lean_read_partial_0 (lean_memory_State_p0 state) (lean_read_Flags_a_0 flags) (lean_read_Flags_b_0 flags))
        (lean_read_partial_1 (lean_memory_State_p1 state) (lean_read_Flags_a_1 flags)))
      (lean_read_partial_2 (lean_memory_State_p2 state) (lean_read_Flags_a_0 flags) (lean_read_Flags_b_1 flags))
    = vector_at (lean_memory_opened_alpha state) i zero.
  Proof.
    intros hs fits hf agree points. rewrite vector_at_nth.
    apply (states_agree_equations m) in agree as [same opened]; [|assumption].
    apply (flags_point_at_equations n) in points as [h_a h_b]; [|assumption].
    destruct state as [[A H] [E] [A' B]], flags as [a_0 a_1 b_0 b_1]. cbn in same. subst A'. split_lean_sizes.
    unfold lean_memory_opened_alpha, lean_memory_opened_beta, lean_read_partial_0, lean_read_partial_1,
      lean_read_partial_2 in *. cbn in *.
    rewrite <- (dot_unit_vector_longer m n) by (auto using sized_add).
    rewrite (dot_sub_r n), (dot_add_l m) by assumption.
    (* <v, t_0> + <v, t_1> = <v, e_i> for each vector v and each DPF; A + E = B + H under t^a_0 *)
    assert (f_a : forall v, vector_dot v a_1 = ring_Ring_minus (vector_dot v (vector_unit_vector W n i)) (vector_dot v a_0))
      by (intros v; rewrite <- h_a, (dot_add_r n) by assumption; ring).
    assert (f_b : forall v, vector_dot v b_1 = ring_Ring_minus (vector_dot v (vector_unit_vector W n i)) (vector_dot v b_0))
      by (intros v; rewrite <- h_b, (dot_add_r n) by assumption; ring).
    assert (same : ring_Ring_plus (vector_dot A a_0) (vector_dot E a_0) = ring_Ring_plus (vector_dot B a_0) (vector_dot H a_0))
      by (rewrite <- !(dot_add_l m), opened by assumption; reflexivity).
    rewrite f_a, f_b.
    replace (vector_dot H a_0) with
      (ring_Ring_minus (ring_Ring_plus (vector_dot B a_0) (vector_dot H a_0)) (vector_dot B a_0)) by ring.
    rewrite <- same. ring.
  Qed.

  (* READ: both outputs add up to D[i_0 xor i_1 mod n], for
     - a memory of m <= n = 2^h words, of which both sharings agree; words that are not there are zero;
     - flags of both DPFs that add up to e_ri, for ri = ri_0 xor ri_1 mod n;
     - any shares of the address and any mask. *)
  Theorem lean_read_reconstructs m n (ri_0 ri_1 i_0 i_1 : u64) state flags (mask : W) :
    power_of_two n -> lean_state_sized m state -> at_most m n -> lean_flags_sized n flags ->
    lean_lemmas_states_agree state = true ->
    lean_lemmas_flags_point_at flags n (vector_mod_size (ixor ri_0 ri_1) n) = true ->
    let outcome := lean_read_read state flags n (ri_0, ri_1) (i_0, i_1) mask in
    ring_Ring_plus (lean_read_Read_read_0 outcome) (lean_read_Read_read_1 outcome)
    = vector_at (lean_memory_opened_alpha state) (vector_mod_size (ixor i_0 i_1) n) zero.
  Proof.
    intros hn hs fits hf agree points. unfold lean_read_read. cbn zeta. cbn [lean_read_Read_read_0 lean_read_Read_read_1].
    set (s := lean_read_reconstruct_shift _ _).
    apply (moved_flags_point_at n _ s) in points; [|assumption..|apply mod_size_below; assumption].
    unfold s in points. rewrite lean_shift_leads_to_target in points. fold s in points.
    rewrite <- (parts_add_up m n _ _ _ hs fits (moved_flags_sized n s _ hf) agree points).
    unfold lean_read_read_share_0, lean_read_read_share_1, lean_read_unblinding. ring.
  Qed.

  (* The same as the specification states it. *)
  Theorem lean_read_reconstructs_holds m n (ri_0 ri_1 i_0 i_1 : u64) state flags (mask : W) :
    power_of_two n -> lean_state_sized m state -> at_most m n -> lean_flags_sized n flags ->
    lean_lemmas_states_agree state = true ->
    lean_lemmas_flags_point_at flags n (vector_mod_size (ixor ri_0 ri_1) n) = true ->
    lean_lemmas_read_reconstructs state n (i_0, i_1) (lean_read_read state flags n (ri_0, ri_1) (i_0, i_1) mask) = true.
  Proof.
    intros hn hs fits hf agree points. apply same_eq. unfold lean_lemmas_word_at, lean_lemmas_target.
    rewrite cast_same. apply (lean_read_reconstructs m n); assumption.
  Qed.
End Read.

(* With the words of the implementation. *)
Corollary lean_read_reconstructs_XorWord (m n ri_0 ri_1 i_0 i_1 : u64) (state : lean_memory_State ring_XorWord)
  (flags : lean_read_Flags ring_XorWord) (mask : ring_XorWord) :
  power_of_two n -> lean_state_sized m state -> at_most m n -> lean_flags_sized n flags ->
  lean_lemmas_states_agree state = true ->
  lean_lemmas_flags_point_at flags n (vector_mod_size (ixor ri_0 ri_1) n) = true ->
  lean_lemmas_read_reconstructs state n (i_0, i_1) (lean_read_read state flags n (ri_0, ri_1) (i_0, i_1) mask) = true.
Proof. apply lean_read_reconstructs_holds. Qed.
