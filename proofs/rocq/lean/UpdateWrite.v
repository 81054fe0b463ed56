(* UPDATE of the lean protocol adds M at i* in both sharings, WRITE puts M there, SWAP returns the old word as well; a load
   yields the invariant. Over any ring. *)
From Coq Require Import Lia.
From Duoram.lean Require Export ReadReconstructs.
From Duoram.Generated Require Import All.

Section Update.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Theory : RingTheory W}.
  Add Ring W_ring : (ring_theory_W W).
  Implicit Types (state : lean_memory_State W) (material : lean_update_Material W) (m n i s : u64).
  Notation zero := (ring_Ring_zero W).

  (** * Load *)

  (* A load opens to the memory that the shares were of, in both sharings, and A is the same at P0 and P2; whatever x and B
     are. *)
  Theorem load_opens_to_the_memory n (d_0 d_1 x b : list W) : sized n d_0 -> sized n d_1 -> sized n x -> sized n b ->
    lean_lemmas_load_shares (lean_memory_shared d_0 d_1 x b) d_0 d_1 = true.
  Proof.
    intros h_0 h_1 hx hb. unfold lean_lemmas_load_shares.
    assert (hs : lean_state_sized n (lean_memory_shared d_0 d_1 x b)).
    { unfold lean_memory_shared, lean_memory_loaded_alpha_0, lean_memory_loaded_alpha_1, lean_memory_loaded_beta_0,
        lean_memory_masked_share. repeat split; cbn; auto with sizes. }
    apply andb_true_iff. split.
    - apply (states_agree_equations n); [assumption|]. split; [reflexivity|].
      unfold lean_memory_opened_alpha, lean_memory_opened_beta, lean_memory_shared, lean_memory_loaded_alpha_0,
        lean_memory_loaded_alpha_1, lean_memory_loaded_beta_0, lean_memory_masked_share. cbn. by_elements n. ring.
    - apply (same_vector_sized n); [apply lean_opened_alpha_sized, hs | auto with sizes |].
      unfold lean_memory_opened_alpha, lean_memory_shared, lean_memory_loaded_alpha_0, lean_memory_loaded_alpha_1.
      cbn. by_elements n. ring.
  Qed.

  (* Without a load the memory is zero, and both sharings are of it. *)
  Theorem initial_opens_to_zeros n :
    lean_lemmas_states_agree (lean_memory_initial W n) = true /\
    lean_memory_opened_alpha (lean_memory_initial W n) = vector_zeros W n.
  Proof.
    assert (hs : lean_state_sized n (lean_memory_initial W n)) by (repeat split; cbn; auto with sizes).
    assert (zeros : vector_add (vector_zeros W n) (vector_zeros W n) = vector_zeros W n) by (by_elements n; ring).
    split; [apply (states_agree_equations n); [assumption|]; split; reflexivity | exact zeros].
  Qed.

  (** * UPDATE *)

  (* One DPF: if v_0 + v_1 = R e_ri and t_0 + t_1 = e_ri, then both sides' vectors for F = M - R, moved by S, add up to
     M e_(ri xor S). *)
  Theorem update_vectors_add_up n (ri s : u64) (v_0 v_1 t_0 t_1 : list W) (R M F : W) :
    power_of_two n -> sized n v_0 -> sized n v_1 -> sized n t_0 -> sized n t_1 -> val ri < val n ->
    vector_add v_0 v_1 = vector_scale R (vector_unit_vector W n ri) ->
    vector_add t_0 t_1 = vector_unit_vector W n ri -> F = ring_Ring_minus M R ->
    vector_add (lean_update_update_vector v_0 t_0 F s) (lean_update_update_vector v_1 t_1 F s)
    = vector_scale M (vector_unit_vector W n (vector_mod_size (ixor ri s) n)).
  Proof.
    intros hn hv_0 hv_1 ht_0 ht_1 hri hv ht ->. unfold lean_update_update_vector.
    rewrite <- (xor_shift_unit_vector n), <- (xor_shift_add n), <- (xor_shift_scale n) by auto with sizes.
    f_equal. by_elements n.
    apply (f_equal (fun v => nth k v zero)) in hv, ht.
    rewrite (nth_add n) in hv, ht by assumption. rewrite nth_vector_scale in hv. rewrite <- ht in hv |- *.
    match type of hv with ?l = _ => transitivity (ring_Ring_plus l
      (ring_Ring_times (ring_Ring_minus M R) (ring_Ring_plus (nth k t_0 zero) (nth k t_1 zero)))); [ring|] end.
    rewrite hv. ring.
  Qed.

  Lemma update_vector_sized n (v t : list W) (F : W) s : sized n v -> sized n t -> sized n (lean_update_update_vector v t F s).
  Proof. intros. unfold lean_update_update_vector. auto with sizes. Qed.

  Lemma lean_apply_sized m n state material s (F : W) : lean_state_sized m state -> at_most m n -> lean_material_sized n material ->
    lean_state_sized m (lean_update_apply state material s F).
  Proof.
    intros hs fits hm. split_lean_sizes. unfold lean_update_apply.
    repeat split; cbn; apply (sized_add_longer m n); auto using update_vector_sized.
  Qed.

  (* With F_a = M - R_a, M is added at ri xor S in both sharings, if they have a word there, and A stays the same at P0 and P2. *)
  Theorem lean_apply_adds m n (ri s : u64) state material (M F : W) :
    power_of_two n -> lean_state_sized m state -> at_most m n -> lean_material_sized n material -> val ri < val n ->
    lean_lemmas_states_agree state = true -> lean_lemmas_material_points_at material n ri = true ->
    F = ring_Ring_minus M (opened_value material) ->
    let after := lean_update_apply state material s F in
    lean_lemmas_states_agree after = true /\
    lean_memory_opened_alpha after = vector_add (lean_memory_opened_alpha state)
      (vector_scale M (vector_unit_vector W n (vector_mod_size (ixor ri s) n))).
  Proof.
    intros hn hs fits hm hri agree points hF after. pose proof (lean_apply_sized m n state material s F hs fits hm) as hs'.
    apply (states_agree_equations m) in agree as [same opened]; [|assumption].
    apply (material_points_at_equations n) in points as (points & h_a & h_b); [|assumption].
    apply (flags_point_at_equations n) in points as [t_a t_b]; [|apply hm].
    set (i := vector_mod_size (ixor ri s) n).
    assert (w_a := fun a b c d => update_vectors_add_up n ri s _ _ _ _ _ M F hn a b c d hri h_a t_a hF).
    assert (w_b := fun a b c d => update_vectors_add_up n ri s _ _ _ _ _ M
      (lean_update_final_correction_b F (lean_update_Material_delta material)) hn a b c d hri h_b t_b
      ltac:(unfold lean_update_final_correction_b; rewrite hF; ring)).
    destruct hm as [(f_1 & f_2 & f_3 & f_4) (v_1 & v_2 & v_3 & v_4)].
    specialize (w_a v_1 v_2 f_1 f_2). specialize (w_b v_3 v_4 f_3 f_4). fold i in w_a, w_b.
    assert (alpha : lean_memory_opened_alpha after
      = vector_add (lean_memory_opened_alpha state) (vector_scale M (vector_unit_vector W n i))).
    { rewrite <- w_a. destruct hs as (s_1 & s_2 & s_3 & s_4 & s_5).
      unfold after, lean_memory_opened_alpha, lean_update_apply. cbn -[lean_update_update_vector].
      apply (both_added_longer m n); auto using update_vector_sized. }
    assert (beta : lean_memory_opened_beta after
      = vector_add (lean_memory_opened_beta state) (vector_scale M (vector_unit_vector W n i))).
    { rewrite <- w_b. destruct hs as (s_1 & s_2 & s_3 & s_4 & s_5).
      unfold after, lean_memory_opened_beta, lean_update_apply. cbn -[lean_update_update_vector lean_update_final_correction_b].
      set (F_b := lean_update_final_correction_b _ _).
      rewrite (both_added_longer m n) by auto using update_vector_sized. f_equal.
      pose proof (update_vector_sized n _ _ F_b s v_3 f_3). pose proof (update_vector_sized n _ _ F_b s v_4 f_4).
      by_elements n. ring. }
    split; [|exact alpha]. apply (states_agree_equations m); [assumption|]. split.
    - unfold after, lean_update_apply. cbn. rewrite same. reflexivity.
    - rewrite alpha, beta, opened. reflexivity.
  Qed.

  (* UPDATE, as the specification states it, for
     - a memory of m <= n = 2^h words, of which both sharings agree;
     - material whose flags and values point at ri = ri_0 xor ri_1 mod n, with shares of R_a, and delta = R_a - R_b;
     - any shares of the address and of M, and any x. *)
  Theorem lean_update_adds m n (ri_0 ri_1 i_0 i_1 : u64) state material (m_0 m_1 x : W) :
    power_of_two n -> lean_state_sized m state -> at_most m n -> lean_material_sized n material ->
    lean_lemmas_states_agree state = true ->
    lean_lemmas_material_points_at material n (vector_mod_size (ixor ri_0 ri_1) n) = true ->
    lean_lemmas_update_adds state
      (lean_update_Update_state (lean_update_update state material n (ri_0, ri_1) (i_0, i_1) (m_0, m_1) x))
      n (i_0, i_1) (ring_Ring_plus m_0 m_1) = true.
  Proof.
    intros hn hs fits hm agree points. unfold lean_update_update.
    destruct (lean_update_Material_value_shares material) as [f_0 f_1] eqn:shares.
    cbn zeta. cbn [lean_update_Update_state]. set (s := lean_read_reconstruct_shift _ _).
    destruct (lean_apply_adds m n _ s state material (ring_Ring_plus m_0 m_1)
      (lean_update_final_correction_a (lean_update_masked_value_0 m_0 f_0 x) (lean_update_masked_value_1 m_1 f_1 x))
      hn hs fits hm (mod_size_below _ _ hn) agree points) as [agree' adds].
    { unfold opened_value. rewrite shares. cbn. unfold lean_update_final_correction_a, lean_update_masked_value_0,
        lean_update_masked_value_1. ring. }
    unfold s in adds. rewrite lean_shift_leads_to_target in adds. fold s in adds.
    unfold lean_lemmas_update_adds, lean_lemmas_target. cbv zeta. rewrite agree', adds, (sized_len m) by apply lean_opened_alpha_sized, hs.
    rewrite cast_same, (add_unit_vector_longer m n) by (exact fits || apply lean_opened_alpha_sized, hs). apply same_vector_refl.
  Qed.

  (** * WRITE and SWAP *)

  (* F_a = M - D[i*] - R_a: the three parts add up to it, whatever the masks of the pairs are. *)
  Theorem write_correction (m_0 m_1 p_0 p_1 p_2 f_0 f_1 y_01 y_02 y_12 : W) :
    lean_write_final_correction (lean_write_masked_part_0 m_0 p_0 f_0 y_01 y_02)
      (lean_write_masked_part_1 m_1 p_1 f_1 y_01 y_12) (lean_write_masked_part_2 p_2 y_02 y_12)
    = ring_Ring_minus
        (ring_Ring_minus (ring_Ring_plus m_0 m_1) (ring_Ring_plus (ring_Ring_plus p_0 p_1) p_2))
        (ring_Ring_plus f_0 f_1).
  Proof.
    unfold lean_write_final_correction, lean_write_masked_part_0, lean_write_masked_part_1, lean_write_masked_part_2. ring.
  Qed.

  (* What is as it was, but for M - D[i] more at i, has M there. *)
  Lemma written m n (i : u64) (before after : list W) (M : W) : sized m before -> at_most m n ->
    after = vector_add before (vector_scale (ring_Ring_minus M (nth (nat_of i) before zero)) (vector_unit_vector W n i)) ->
    forall k, (k < nat_of m)%nat -> nth k after zero = if Nat.eqb k (nat_of i) then M else nth k before zero.
  Proof.
    intros hb fits -> k hk. pose proof (at_most_nat m n fits).
    rewrite (nth_add_longer m n), nth_vector_scale, nth_vector_unit_vector by (lia || auto with sizes).
    destruct (Nat.eqb_spec k (nat_of i)) as [->|]; ring.
  Qed.

  (* SWAP, and with it WRITE, which is the same without its results: for the premises of UPDATE, and any masks, M_0 + M_1 is
     at i_0 xor i_1 afterwards, all other words are as they were, both sharings agree and A is the same at P0 and P2; the
     results are shares of the word that was there. *)
  Theorem lean_swap_puts_and_returns m n (ri_0 ri_1 i_0 i_1 : u64) state material (m_0 m_1 mask : W)
    (masks : lean_write_Masks W) :
    power_of_two n -> lean_state_sized m state -> at_most m n -> lean_material_sized n material ->
    lean_lemmas_states_agree state = true ->
    lean_lemmas_material_points_at material n (vector_mod_size (ixor ri_0 ri_1) n) = true ->
    lean_lemmas_swap_puts_and_returns state n (i_0, i_1) (ring_Ring_plus m_0 m_1)
      (lean_write_swap state material n (ri_0, ri_1) (i_0, i_1) (m_0, m_1) masks mask) = true.
  Proof.
    intros hn hs fits hm agree points. unfold lean_write_swap.
    destruct (lean_update_Material_value_shares material) as [f_0 f_1] eqn:shares.
    cbn zeta. set (s := lean_read_reconstruct_shift _ _).
    pose proof (proj1 (proj1 (material_points_at_equations n _ _ hm) points)) as flags.
    apply (moved_flags_point_at n _ s) in flags; [|assumption|apply hm|apply mod_size_below; assumption].
    unfold s in flags. rewrite lean_shift_leads_to_target in flags. fold s in flags.
    pose proof (parts_add_up m n _ _ _ hs fits (moved_flags_sized n s _ (proj1 hm)) agree flags) as parts.
    set (p_0 := lean_read_partial_0 _ _ _) in *. set (p_1 := lean_read_partial_1 _ _) in *.
    set (p_2 := lean_read_partial_2 _ _ _) in *. rewrite write_correction.
    set (i := vector_mod_size (ixor i_0 i_1) n) in *.
    destruct (lean_apply_adds m n _ s state material
      (ring_Ring_minus (ring_Ring_plus m_0 m_1) (ring_Ring_plus (ring_Ring_plus p_0 p_1) p_2))
      (ring_Ring_minus (ring_Ring_minus (ring_Ring_plus m_0 m_1) (ring_Ring_plus (ring_Ring_plus p_0 p_1) p_2))
        (ring_Ring_plus f_0 f_1)) hn hs fits hm (mod_size_below (ixor ri_0 ri_1) _ hn) agree points) as [agree' adds].
    { unfold opened_value. rewrite shares. reflexivity. }
    unfold s in adds. rewrite lean_shift_leads_to_target in adds. fold s i in adds.
    unfold lean_lemmas_swap_puts_and_returns. cbn [lean_write_Swap_state lean_write_Swap_read_0 lean_write_Swap_read_1].
    set (F := ring_Ring_minus _ (ring_Ring_plus f_0 f_1)) in *.
    pose proof (lean_apply_sized m n state material s F hs fits hm) as hs'.
    apply andb_true_iff. split.
    - unfold lean_lemmas_write_puts, lean_lemmas_target.
      rewrite agree', !(sized_len m), ieqb_refl by (apply lean_opened_alpha_sized; assumption). fold i. cbn [andb].
      apply every_map_range. intros k hk. rewrite cast_same, !vector_at_nth, nat_of_of_nat
        by (pose proof (nat_of_bound m); lia).
      apply same_eq. rewrite parts, vector_at_nth in adds.
      rewrite (written m n i _ _ _ (lean_opened_alpha_sized _ _ hs) fits adds k hk).
      rewrite <- (of_nat_nat_of i) at 2. pose proof (nat_of_bound m). pose proof (nat_of_bound i).
      rewrite ieqb_of_nat by lia. reflexivity.
    - apply same_eq. unfold lean_lemmas_word_at, lean_lemmas_target.
      rewrite cast_same. fold i. rewrite <- parts.
      unfold lean_read_read_share_0, lean_read_read_share_1, lean_read_unblinding. ring.
  Qed.
End Update.

(* With the words of the implementation. *)
Definition lean_update_adds_XorWord := lean_update_adds (W := ring_XorWord).
Definition lean_swap_puts_and_returns_XorWord := lean_swap_puts_and_returns (W := ring_XorWord).
