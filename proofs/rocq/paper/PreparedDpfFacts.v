(* The DPFs that preprocessing makes [duoram, section 4.1.1] point at the XOR of the two parties' random indices mod n:
   what preprocessing hands to App. C meets the premises of DistributedGeneration.v, and so do the triples of a tape.
   Hence the corrections of an UPDATE's material fit its value vectors [duoram, section 4.1.1]. *)
From Coq Require Import Lia.
From Duoram.core Require Export DistributedGeneration.
From Duoram.Generated Require Import All.

(* A DPF's AND triples, as the dealer makes them for a tree of height h. *)
Definition dealt_for_height {W : Type} (h : u64) (triples : paper_preprocessing_DpfTriples W) : Prop :=
  length (paper_preprocessing_DpfTriples_and_0 triples) = nat_of h /\
  length (paper_preprocessing_DpfTriples_and_1 triples) = nat_of h /\
  Forall dealt_for_a_bit
    (combine (paper_preprocessing_DpfTriples_and_0 triples) (paper_preprocessing_DpfTriples_and_1 triples)).

(* The labels of both parties have 2^h places and point at a target. *)
Definition generation_points_at (h target : u64) (generation : distributed_gen_Generation) : Prop :=
  Z.of_nat (length (distributed_gen_Generation_labels_0 generation)) = 2 ^ val h /\
  Z.of_nat (length (distributed_gen_Generation_labels_1 generation)) = 2 ^ val h /\
  lemmas_leaves_point_at (distributed_gen_Generation_labels_0 generation)
    (distributed_gen_Generation_labels_1 generation) target = true.

(* The triples that a tape yields are dealt for the height, whatever the tape holds. *)
Theorem tape_triples_dealt (tape : paper_tape_Tape) (h : u64) : dealt_for_height h (paper_tape_dpf_triples tape h).
Proof.
  unfold paper_tape_dpf_triples, du_atallah_product_triples, dealt_for_height.
  cbn [paper_preprocessing_DpfTriples_and_0 paper_preprocessing_DpfTriples_and_1].
  rewrite !map_range_0_length. split; [reflexivity|]. split; [reflexivity|].
  rewrite combine_map. apply Forall_forall. intros [t_0 t_1] ht. apply in_map_iff in ht.
  destruct ht as (l & <- & _). unfold dealt_for_a_bit. do 5 eexists. reflexivity.
Qed.

Section Prepare.
  Context {W : Type} {W_Ring : ring_Ring W}.
  Context {P : Type} {P_Prg : prg_Prg P} (prg : P).
  Context (h n : u64) (h_below_64 : val h < 64) (size : val n = 2 ^ val h).

  (* One DPF, of the bits of two indices: it points at (i_0 xor i_1) mod n [duoram, section 4.1.1, App. C]. *)
  Theorem prepared_dpf_points_at (i_0 i_1 : u64) (roots : u128 * u128) (blinds : W * W)
    (triples : paper_preprocessing_DpfTriples W) : dealt_for_height h triples ->
    generation_points_at h (vector_mod_size (ixor i_0 i_1) n)
      (paper_preprocessing_Dpf_generation
        (paper_preprocessing_prepare_dpf prg (dpf_address_bits i_0 h, dpf_address_bits i_1 h) roots blinds triples)).
  Proof.
    intros (l_0 & l_1 & dealt). destruct roots as [root_0 root_1], blinds as [blind_0 blind_1].
    cbn [paper_preprocessing_prepare_dpf paper_preprocessing_Dpf_generation].
    pose proof (val_bounds h). assert (0 < 2 ^ val h) by (apply Z.pow_pos_nonneg; lia).
    destruct (distributed_generation_leaves_point_at prg
      (mk_distributed_gen_Input (dpf_address_bits i_0 h) root_0 (paper_preprocessing_DpfTriples_and_0 triples))
      (mk_distributed_gen_Input (dpf_address_bits i_1 h) root_1 (paper_preprocessing_DpfTriples_and_1 triples))
      (nat_of h) (dpf_address_bits_length _ _) (dpf_address_bits_length _ _) l_0 l_1 dealt
      (vector_mod_size (ixor i_0 i_1) n) h h_below_64) as (e_0 & e_1 & points).
    - rewrite (val_vector_mod_size _ _ (val h)) by lia. apply Z.mod_pos_bound. assumption.
    - apply xor_of_address_bits_mod_size; assumption.
    - unfold generation_points_at. rewrite e_0, e_1, Nat2Z.inj_pow, Z_nat_of. auto.
  Qed.

  (* All three DPFs of an item have one target, ri = (ri_0 xor ri_1) mod n for the parties' random indices
     [duoram, section 4.1.1]. *)
  Theorem prepared_item_points_at (p0 p1 : paper_preprocessing_PrimaryRandomness W)
    (triples_1 triples_2 triples_3 : paper_preprocessing_DpfTriples W) :
    dealt_for_height h triples_1 -> dealt_for_height h triples_2 -> dealt_for_height h triples_3 ->
    let item := paper_preprocessing_prepare prg h p0 p1 (triples_1, triples_2, triples_3) in
    let target := vector_mod_size
      (ixor (paper_preprocessing_PrimaryRandomness_random_index_xor p0) (paper_preprocessing_PrimaryRandomness_random_index_xor p1)) n in
    generation_points_at h target (paper_preprocessing_Dpf_generation (paper_preprocessing_Item_dpf_1 item)) /\
    generation_points_at h target (paper_preprocessing_Dpf_generation (paper_preprocessing_Item_dpf_2 item)) /\
    generation_points_at h target (paper_preprocessing_Dpf_generation (paper_preprocessing_Item_dpf_3 item)).
  Proof.
    intros d_1 d_2 d_3. unfold paper_preprocessing_prepare. cbv zeta.
    destruct (paper_preprocessing_PrimaryRandomness_roots p0) as [[? ?] ?],
      (paper_preprocessing_PrimaryRandomness_roots p1) as [[? ?] ?],
      (paper_preprocessing_PrimaryRandomness_blinds p0) as [[? ?] ?],
      (paper_preprocessing_PrimaryRandomness_blinds p1) as [[? ?] ?].
    repeat split; apply prepared_dpf_points_at; assumption.
  Qed.
End Prepare.

Section Corrections.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Laws : RingLaws W}.
  Add Ring W_ring : (ring_theory_W W).

  (* One DPF of height below 64: its value words, with the sum of the local shares of F at the target, add up to zero.
     *)
  Lemma prepared_values_sum_to_zero (h target : u64) (dpf : paper_preprocessing_Dpf W) :
    val h < 64 -> val target < 2 ^ val h ->
    generation_points_at h target (paper_preprocessing_Dpf_generation dpf) ->
    let v_0 := paper_preprocessing_value_words_0 dpf in
    let v_1 := paper_preprocessing_value_words_1 dpf in
    lemmas_sums_to_zero v_0 v_1
      (ring_Ring_plus (dealer_final_correction_share v_0) (dealer_final_correction_share v_1)) target = true.
  Proof.
    intros hh ht (l_0 & l_1 & points). pose proof (val_bounds h).
    assert (2 ^ val h < 2 ^ 64) by (apply Z.pow_lt_mono_r; lia).
    apply deferred_final_correction_sums_to_zero; try assumption; rewrite ?l_0, ?l_1; try assumption.
    apply Nat2Z.inj_lt. rewrite Z_nat_of, l_0. assumption.
  Qed.

  (* The shares of F in an UPDATE's material fit its value vectors, for DPFs of height below 64 that point at one target
     below 2^h, and whatever the words are with which the primaries rerandomize [duoram, section 4.1.1; figure 6]. *)
  Theorem prepared_corrections_fit (h target : u64) (item : paper_preprocessing_Item W) (delta_2 delta_3 : W) :
    val h < 64 -> val target < 2 ^ val h ->
    generation_points_at h target (paper_preprocessing_Dpf_generation (paper_preprocessing_Item_dpf_1 item)) ->
    generation_points_at h target (paper_preprocessing_Dpf_generation (paper_preprocessing_Item_dpf_2 item)) ->
    generation_points_at h target (paper_preprocessing_Dpf_generation (paper_preprocessing_Item_dpf_3 item)) ->
    paper_lemmas_corrections_fit (paper_preprocessing_update_material item delta_2 delta_3) target = true.
  Proof.
    intros hh ht p_1 p_2 p_3.
    pose proof (prepared_values_sum_to_zero h target _ hh ht p_1) as z_1.
    pose proof (prepared_values_sum_to_zero h target _ hh ht p_2) as z_2.
    pose proof (prepared_values_sum_to_zero h target _ hh ht p_3) as z_3.
    assert (move : forall a b d : W, ring_Ring_plus (ring_Ring_plus a d) (ring_Ring_minus b d) = ring_Ring_plus a b)
      by (intros; ring).
    unfold paper_lemmas_corrections_fit, paper_preprocessing_update_material. cbn -[paper_preprocessing_value_words_0
      paper_preprocessing_value_words_1 lemmas_sums_to_zero dealer_final_correction_share].
    rewrite !move, z_1, z_2, z_3. reflexivity.
  Qed.
End Corrections.
