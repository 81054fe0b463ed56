(* Lemma 2: UPDATE adds M at i*; Lemma 3: it refreshes the blinds; WRITE puts M at i*
   [duoram, section 3.1.2, Protocol 2, App. B]. *)
From Coq Require Import Lia.
From Duoram.paper Require Import PremiseFacts ReadReconstructs.
From Duoram.Generated Require Import All.

Section Update.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Laws : RingLaws W}.
  Add Ring W_ring : (ring_theory_W W).
  Implicit Types (state : paper_memory_State W) (material : paper_update_UpdateMaterial W) (vectors : paper_update_UpdateVectors W).

  (** * From update vectors (section 3.1.2) *)

  Lemma apply_sized (n : u64) state vectors :
    state_sized n state -> vectors_sized n vectors -> state_sized n (paper_update_apply state vectors).
  Proof.
    intros hs hv. destruct vectors as [[[w_0_1 w_0_2] w_0_3] [[w_1_1 w_1_2] w_1_3]]. split_sizes.
    repeat split; cbn; auto with sizes.
  Qed.

  (* Lemma 2: if the vectors of DPF 1 are shares of w, then w is added to the memory. *)
  Theorem apply_adds (n : u64) (w : list W) state vectors :
    state_sized n state -> vectors_sized n vectors -> sized n w ->
    paper_lemmas_vectors_agree vectors w = true ->
    paper_memory_opened (paper_update_apply state vectors) = vector_add (paper_memory_opened state) w.
  Proof.
    intros hs hv hw h. destruct vectors as [[[w_0_1 w_0_2] w_0_3] [[w_1_1 w_1_2] w_1_3]].
    apply (vectors_equations n) in h as (<- & _ & _); [|assumption|assumption]. split_sizes.
    unfold paper_memory_opened. cbn. by_elements n. ring.
  Qed.

  (* Lemma 3: if the vectors of DPF 1, 2, 3 are shares of one w, blinds that fit the memory fit it afterwards. *)
  Theorem apply_refreshes (n : u64) (w : list W) state vectors :
    state_sized n state -> vectors_sized n vectors -> sized n w ->
    paper_lemmas_vectors_agree vectors w = true ->
    paper_lemmas_lemma_3 state = true -> paper_lemmas_lemma_3 (paper_update_apply state vectors) = true.
  Proof.
    intros hs hv hw h h3. pose proof (apply_sized n _ _ hs hv) as hs'.
    destruct vectors as [[[w_0_1 w_0_2] w_0_3] [[w_1_1 w_1_2] w_1_3]].
    apply (vectors_equations n) in h as (h_1 & h_2 & h_3); [|assumption|assumption].
    apply (lemma_3_equations n) in h3 as (e_1 & e_0 & b_0 & b_1); [|assumption].
    apply (lemma_3_equations n); [assumption|]. clear hs'.
    destruct state as [[D_0 zeta_0 blinded_1] [D_1 zeta_1 blinded_0] [helper_0 helper_1]]. split_sizes. cbn in *. subst.
    assert (f_2 : forall k, nth k w_1_2 (ring_Ring_zero W)
      = ring_Ring_minus (ring_Ring_plus (nth k w_0_1 (ring_Ring_zero W)) (nth k w_1_1 (ring_Ring_zero W)))
          (nth k w_0_2 (ring_Ring_zero W))).
    { intros k. apply (f_equal (fun v => nth k v (ring_Ring_zero W))) in h_2.
      rewrite !(nth_add n) in h_2 by assumption. rewrite <- h_2. ring. }
    assert (f_3 : forall k, nth k w_0_3 (ring_Ring_zero W)
      = ring_Ring_minus (ring_Ring_plus (nth k w_0_1 (ring_Ring_zero W)) (nth k w_1_1 (ring_Ring_zero W)))
          (nth k w_1_3 (ring_Ring_zero W))).
    { intros k. apply (f_equal (fun v => nth k v (ring_Ring_zero W))) in h_3.
      rewrite !(nth_add n) in h_3 by assumption. rewrite <- h_3. ring. }
    repeat split; by_elements n; rewrite ?f_2, ?f_3; ring.
  Qed.

  (** * From material that points at ri (Protocol 2) *)

  Lemma update_vectors_sized (n s : u64) material (f : W * W * W) :
    material_sized n material -> vectors_sized n (paper_update_update_vectors material s f).
  Proof.
    intros h. destruct f as [[f_1 f_2] f_3].
    destruct material as [[[[t_0_1 t_0_2] t_0_3] [[t_1_1 t_1_2] t_1_3]] [[[v_0_1 v_0_2] v_0_3] [[v_1_1 v_1_2] v_1_3]] F].
    split_sizes. unfold paper_update_update_vectors, paper_update_update_words. repeat split; cbn; auto with sizes.
  Qed.

  (* One DPF: if v_0 + v_1 = - F e_ri and t_0 + t_1 = e_ri, then both parties' update words, moved by s, add up to
     M e_(ri + s), where M + F is the opened word. *)
  Lemma update_words_point_at (n ri s : u64) (v_0 v_1 t_0 t_1 : list W) (M F : W) :
    power_of_two n -> sized n v_0 -> sized n v_1 -> sized n t_0 -> sized n t_1 -> val ri < val n ->
    lemmas_sums_to_zero v_0 v_1 F ri = true -> vector_add t_0 t_1 = vector_unit_vector W n ri ->
    vector_add (paper_update_update_words v_0 t_0 (ring_Ring_plus M F) s) (paper_update_update_words v_1 t_1 (ring_Ring_plus M F) s)
    = vector_scale M (vector_unit_vector W n (vector_mod_size (wadd ri s) n)).
  Proof.
    intros hn hv_0 hv_1 ht_0 ht_1 hri hv ht. apply (sums_to_zero_equation n) in hv; [|assumption|assumption].
    apply (f_equal (fun v => vector_shift v s)) in ht, hv.
    rewrite shift_zeros, !(shift_add n), (shift_scale n), !(shift_unit_vector n) in hv by auto with sizes.
    rewrite (shift_add n), (shift_unit_vector n) in ht by assumption.
    unfold paper_update_update_words. by_elements n.
    apply (f_equal (fun v => nth k v (ring_Ring_zero W))) in ht, hv.
    rewrite nth_vector_zeros, !(nth_add n), nth_vector_scale in hv by auto with sizes.
    rewrite (nth_add n) in ht by auto with sizes. rewrite <- ht in hv |- *.
    match type of hv with ?l = _ => transitivity (ring_Ring_plus l
      (ring_Ring_times M (ring_Ring_plus (nth k (vector_shift t_0 s) (ring_Ring_zero W))
        (nth k (vector_shift t_1 s) (ring_Ring_zero W))))); [ring | rewrite hv; ring] end.
  Qed.

  (* Rerandomized shares of F fit as well as the shares themselves. *)
  Theorem rerandomized_fits (n ri : u64) (delta_2 delta_3 : W) material :
    paper_lemmas_corrections_fit material ri = true ->
    paper_lemmas_corrections_fit
      (mk_paper_update_UpdateMaterial (paper_update_UpdateMaterial_units material) (paper_update_UpdateMaterial_values material)
         (paper_update_rerandomized (paper_update_UpdateMaterial_corrections material) delta_2 delta_3)) ri = true.
  Proof.
    destruct material as [units values [[[F_0_1 F_0_2] F_0_3] [[F_1_1 F_1_2] F_1_3]]].
    unfold paper_lemmas_corrections_fit, paper_update_rerandomized. cbn.
    replace (ring_Ring_plus (ring_Ring_plus F_0_2 delta_2) (ring_Ring_minus F_1_2 delta_2))
      with (ring_Ring_plus F_0_2 F_1_2) by ring.
    replace (ring_Ring_plus (ring_Ring_plus F_0_3 delta_3) (ring_Ring_minus F_1_3 delta_3))
      with (ring_Ring_plus F_0_3 F_1_3) by ring.
    auto.
  Qed.

  (* The vectors that the parties add in UPDATE. *)
  Definition vectors_of_update (n ri_0 ri_1 i_0 i_1 : u64) (m_0 m_1 : W) material : paper_update_UpdateVectors W :=
    let message_0 := paper_update_message (paper_read_shift_share i_0 ri_0 n) m_0
      (paper_update_CorrectionShares_p0 (paper_update_UpdateMaterial_corrections material)) in
    let message_1 := paper_update_message (paper_read_shift_share i_1 ri_1 n) m_1
      (paper_update_CorrectionShares_p1 (paper_update_UpdateMaterial_corrections material)) in
    paper_update_update_vectors material
      (paper_read_reconstruct_shift (paper_update_UpdateMessage_shift message_0) (paper_update_UpdateMessage_shift message_1) n)
      (paper_update_reconstruct_corrections message_0 message_1).

  Lemma vectors_of_update_sized (n ri_0 ri_1 i_0 i_1 : u64) (m_0 m_1 : W) material :
    material_sized n material -> vectors_sized n (vectors_of_update n ri_0 ri_1 i_0 i_1 m_0 m_1 material).
  Proof. intros hm. unfold vectors_of_update. cbv zeta. apply update_vectors_sized, hm. Qed.

  (* The premise of Lemmas 2 and 3: in UPDATE, the parties' vectors are shares of M e_i*, three times. *)
  Theorem update_vectors_agree (n ri_0 ri_1 i_0 i_1 : u64) (m_0 m_1 : W) material :
    power_of_two n -> material_sized n material ->
    paper_lemmas_units_point_at (paper_update_UpdateMaterial_units material) n (vector_mod_size (wadd ri_0 ri_1) n) = true ->
    paper_lemmas_corrections_fit material (vector_mod_size (wadd ri_0 ri_1) n) = true ->
    paper_lemmas_vectors_agree (vectors_of_update n ri_0 ri_1 i_0 i_1 m_0 m_1 material)
      (vector_scale (ring_Ring_plus m_0 m_1) (vector_unit_vector W n (vector_mod_size (wadd i_0 i_1) n))) = true.
  Proof.
    intros hn hm points fits. pose proof (mod_size_below (wadd ri_0 ri_1) n hn) as below.
    rewrite <- (shift_leads_to_target i_0 i_1 ri_0 ri_1) by assumption.
    destruct material as [[[[t_0_1 t_0_2] t_0_3] [[t_1_1 t_1_2] t_1_3]] [[[v_0_1 v_0_2] v_0_3] [[v_1_1 v_1_2] v_1_3]]
      [[[F_0_1 F_0_2] F_0_3] [[F_1_1 F_1_2] F_1_3]]].
    cbn in points. apply units_equations in points as (p_1 & p_2 & p_3); [|apply hm].
    unfold paper_lemmas_corrections_fit in fits. cbn in fits.
    apply andb_prop in fits as [fits f_3]. apply andb_prop in fits as [f_1 f_2].
    pose proof (vectors_of_update_sized n ri_0 ri_1 i_0 i_1 m_0 m_1 _ hm) as sz.
    unfold vectors_of_update in *. cbn in *. apply (vectors_equations n); [assumption | auto with sizes |]. clear sz.
    split_sizes. generalize (paper_read_reconstruct_shift (paper_read_shift_share i_0 ri_0 n) (paper_read_shift_share i_1 ri_1 n) n).
    intros s.
    assert (regroup : forall F_0 F_1, ring_Ring_plus (ring_Ring_plus m_0 F_0) (ring_Ring_plus m_1 F_1)
      = ring_Ring_plus (ring_Ring_plus m_0 m_1) (ring_Ring_plus F_0 F_1)) by (intros; ring).
    rewrite !regroup. repeat split; apply update_words_point_at; assumption.
  Qed.

  Section Protocol2.
    (* The premises: a memory of n = 2^h words, material that points at ri = ri_0 + ri_1 mod n and whose shares of F
       fit. *)
    Variables (n ri_0 ri_1 i_0 i_1 : u64) (m_0 m_1 : W) (state : paper_memory_State W) (material : paper_update_UpdateMaterial W).
    Let target := vector_mod_size (wadd i_0 i_1) n.
    Hypotheses (hn : power_of_two n) (hs : state_sized n state) (hm : material_sized n material)
      (points : paper_lemmas_units_point_at (paper_update_UpdateMaterial_units material) n
        (vector_mod_size (wadd ri_0 ri_1) n) = true)
      (fits : paper_lemmas_corrections_fit material (vector_mod_size (wadd ri_0 ri_1) n) = true).
    Let vectors := vectors_of_update n ri_0 ri_1 i_0 i_1 m_0 m_1 material.

    Lemma update_state :
      paper_update_Update_state (paper_update_update state material (ri_0, ri_1) (i_0, i_1) (m_0, m_1)) = paper_update_apply state vectors.
    Proof. unfold paper_update_update. rewrite (sized_len n) by apply hs. reflexivity. Qed.

    Let sized_vectors : vectors_sized n vectors.
    Proof. apply vectors_of_update_sized, hm. Qed.
    Let agree : paper_lemmas_vectors_agree vectors
      (vector_scale (ring_Ring_plus m_0 m_1) (vector_unit_vector W n target)) = true.
    Proof. apply update_vectors_agree; assumption. Qed.
    Let sized_sum : sized n (vector_scale (ring_Ring_plus m_0 m_1) (vector_unit_vector W n target)).
    Proof. auto with sizes. Qed.

    Let after := paper_update_Update_state (paper_update_update state material (ri_0, ri_1) (i_0, i_1) (m_0, m_1)).

    Theorem update_sized : state_sized n after.
    Proof. unfold after. rewrite update_state. apply apply_sized; assumption. Qed.

    (* Lemma 2 as the specification states it. *)
    Theorem lemma_2_holds :
      paper_lemmas_lemma_2 (paper_memory_opened state) (paper_memory_opened after) target (ring_Ring_plus m_0 m_1) = true.
    Proof.
      pose proof (opened_sized n _ hs) as ho. pose proof (opened_sized n _ update_sized) as ho'.
      unfold paper_lemmas_lemma_2. rewrite !(sized_len n), ieqb_refl by assumption. apply every_map_range. intros k hk.
      apply same_eq. unfold after. rewrite update_state,
        (apply_adds n (vector_scale (ring_Ring_plus m_0 m_1) (vector_unit_vector W n target)))
        by assumption.
      pose proof (nat_of_bound n). pose proof (nat_of_bound target).
      rewrite !vector_at_nth, nat_of_of_nat, cast_same, (nth_add n), nth_vector_scale, nth_vector_unit_vector by
        (auto with sizes || lia).
      rewrite <- (of_nat_nat_of target) at 2. rewrite ieqb_of_nat by lia. destruct (Nat.eqb k (nat_of target)); ring.
    Qed.

    (* Lemma 2 with the ideal RAM: UPDATE does what [ideal_step] does. *)
    Theorem update_adds :
      (paper_memory_opened after, None) =
      ideal_step (paper_memory_opened state) (ideal_Operation_Update target (ring_Ring_plus m_0 m_1)).
    Proof.
      pose proof (opened_sized n _ hs) as ho. pose proof (opened_sized n _ update_sized) as ho'.
      simpl. f_equal. unfold ideal_set. rewrite (sized_len n) by assumption.
      pose proof lemma_2_holds as h. unfold paper_lemmas_lemma_2 in h. apply andb_prop in h as [_ h].
      rewrite (sized_len n), every_map_range in h by assumption.
      apply (sized_ext n); [assumption | apply map_range_0_length |]. intros k hk.
      rewrite nth_map_range_0 by assumption. specialize (h k hk). apply same_eq in h.
      pose proof (nat_of_bound n). rewrite !vector_at_nth, nat_of_of_nat in h by lia. rewrite h, cast_same.
      rewrite vector_at_nth, nat_of_of_nat by lia. destruct (ieqb_reflect (of_nat k) target) as [<-|_].
      - unfold ideal_get. rewrite cast_same, vector_at_nth, nat_of_of_nat by lia. ring.
      - ring.
    Qed.

    (* Lemma 3 as the specification states it. *)
    Theorem lemma_3_kept : paper_lemmas_lemma_3 state = true -> paper_lemmas_lemma_3 after = true.
    Proof.
      intros h. unfold after. rewrite update_state.
      apply (apply_refreshes n (vector_scale (ring_Ring_plus m_0 m_1) (vector_unit_vector W n target))); assumption.
    Qed.
  End Protocol2.

  (** * WRITE: a READ, then an UPDATE by M_b - read_b *)

  (* Afterwards M_0 + M_1 is at i*, all other words are as before, and the blinds fit; the READ's outputs are shares of
     the word that was there. The READ's and the UPDATE's material have targets of their own. *)
  Theorem write_puts (n ri_0 ri_1 ri'_0 ri'_1 i_0 i_1 : u64) (m_0 m_1 mask : W) state (units : paper_read_UnitVectors W)
    material :
    power_of_two n -> state_sized n state -> units_sized n units -> material_sized n material ->
    paper_lemmas_lemma_3 state = true ->
    paper_lemmas_units_point_at units n (vector_mod_size (wadd ri_0 ri_1) n) = true ->
    paper_lemmas_units_point_at (paper_update_UpdateMaterial_units material) n (vector_mod_size (wadd ri'_0 ri'_1) n) = true ->
    paper_lemmas_corrections_fit material (vector_mod_size (wadd ri'_0 ri'_1) n) = true ->
    let target := vector_mod_size (wadd i_0 i_1) n in
    let '(first, second) := paper_update_write state
      (mk_paper_update_WriteMaterial units (ri_0, ri_1) material (ri'_0, ri'_1)) (i_0, i_1) (m_0, m_1) mask in
    let after := paper_update_Update_state second in
    (paper_memory_opened after, None)
      = ideal_step (paper_memory_opened state) (ideal_Operation_Write target (ring_Ring_plus m_0 m_1)) /\
    state_sized n after /\ paper_lemmas_lemma_3 after = true /\
    paper_lemmas_lemma_1 state (i_0, i_1) first = true.
  Proof.
    intros hn hs hu hm h3 points points' fits target.
    pose proof (read_reconstructs n ri_0 ri_1 i_0 i_1 state units mask hn hs hu h3 points) as r.
    pose proof (lemma_1_holds n ri_0 ri_1 i_0 i_1 state units mask hn hs hu h3 points) as l1.
    unfold paper_update_write. cbn [paper_update_WriteMaterial_units paper_update_WriteMaterial_read_random_index_shares
      paper_update_WriteMaterial_update
      paper_update_WriteMaterial_update_random_index_shares].
    set (first := paper_read_read state units (ri_0, ri_1) (i_0, i_1) mask) in *. cbv zeta in r.
    set (d_0 := ring_Ring_minus m_0 (paper_read_Read_read_0 first)). set (d_1 := ring_Ring_minus m_1 (paper_read_Read_read_1 first)).
    cbv zeta. split; [|split; [|split]].
    - rewrite (update_adds n ri'_0 ri'_1 i_0 i_1 d_0 d_1) by assumption. simpl. f_equal. f_equal.
      fold target in r |- *. rewrite <- r. unfold d_0, d_1. ring.
    - apply update_sized; assumption.
    - apply (lemma_3_kept n); assumption.
    - assumption.
  Qed.
End Update.

(* With the words of the implementation. *)
Definition lemma_2_holds_u64 := lemma_2_holds (W := u64).
Definition lemma_3_kept_u64 := lemma_3_kept (W := u64).
Definition write_puts_u64 := write_puts (W := u64).
