(* What real preprocessing leaves for a READ or an UPDATE meets the premises of Lemmas 1, 2 and 3: it points at
   ri = (index_0 xor index_1) mod n, the parties' additive shares of the index add up to that ri, and the shares of F fit
   [duoram, section 4.1; Protocols 1 and 2, lines 1 to 4]. *)
From Coq Require Import Lia.
From Duoram.paper Require Import PreparedDpfFacts PremiseFacts ShareConversion.
From Duoram.Generated Require Import All.

Section Ready.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Laws : RingLaws W}.

  (* Material for a READ of a memory of n words: the unit vectors point at the index that is shared. *)
  Definition read_ready (n : u64) (units : paper_read_UnitVectors W) (index_shares : u64 * u64) : Prop :=
    units_sized n units /\
    paper_lemmas_units_point_at units n (vector_mod_size (wadd (fst index_shares) (snd index_shares)) n) = true.

  (* Material for an UPDATE. *)
  Definition update_ready (n : u64) (material : paper_update_UpdateMaterial W) (index_shares : u64 * u64) : Prop :=
    material_sized n material /\
    paper_lemmas_units_point_at (paper_update_UpdateMaterial_units material) n
      (vector_mod_size (wadd (fst index_shares) (snd index_shares)) n) = true /\
    paper_lemmas_corrections_fit material (vector_mod_size (wadd (fst index_shares) (snd index_shares)) n) = true.

  (* A DPF's triples, AND and multiplication, are made as App. A has them, from any random words. *)
  Definition dealt (h : u64) (triples : paper_preprocessing_DpfTriples W) : Prop :=
    dealt_for_height h triples /\
    exists X_0 X_1 Y_0 Y_1 T,
      (paper_preprocessing_DpfTriples_product_0 triples, paper_preprocessing_DpfTriples_product_1 triples)
      = du_atallah_product_triples X_0 X_1 Y_0 Y_1 T.
End Ready.

(* The triples of a tape are such. *)
Theorem tape_triples_are_dealt (tape : paper_tape_Tape) (h : u64) : dealt h (paper_tape_dpf_triples tape h).
Proof. split; [apply tape_triples_dealt | do 5 eexists; reflexivity]. Qed.

Section Prepared.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Laws : RingLaws W}.
  Context {P : Type} {P_Prg : prg_Prg P} (prg : P).
  (* The size n = 2^h; the words hold an index. *)
  Context (h n : u64) (h_below_64 : val h < 64) (size : val n = 2 ^ val h) (fits_word : val n <= 2 ^ Zpos (ring_bits W)).

  Let n_power : power_of_two n.
  Proof. exists (val h). pose proof (val_bounds h). auto with zarith. Qed.

  Lemma generation_sized (target : u64) generation : generation_points_at h target generation ->
    sized n (distributed_gen_Generation_labels_0 generation) /\ sized n (distributed_gen_Generation_labels_1 generation).
  Proof.
    intros (l_0 & l_1 & _). unfold sized. pose proof (Z_nat_of n). split; lia.
  Qed.

  Definition dpf_points_at (target : u64) (dpf : paper_preprocessing_Dpf W) : Prop :=
    sized n (paper_preprocessing_unit_share_0 dpf) /\ sized n (paper_preprocessing_unit_share_1 dpf) /\
    sized n (paper_preprocessing_value_words_0 dpf) /\ sized n (paper_preprocessing_value_words_1 dpf) /\
    vector_add (paper_preprocessing_unit_share_0 dpf) (paper_preprocessing_unit_share_1 dpf) = vector_unit_vector W n target.

  (* One DPF, after App. C and App. D: both parties' vectors add up to e_ri. *)
  Theorem prepared_dpf_adds_up (i_0 i_1 : u64) (roots : u128 * u128) (blinds : W * W)
    (triples : paper_preprocessing_DpfTriples W) :
    dealt h triples ->
    dpf_points_at (vector_mod_size (ixor i_0 i_1) n)
      (paper_preprocessing_prepare_dpf prg (dpf_address_bits i_0 h, dpf_address_bits i_1 h) roots blinds triples).
  Proof.
    intros (dealt_and & X_0 & X_1 & Y_0 & Y_1 & T & product).
    pose proof (prepared_dpf_points_at prg h n h_below_64 size i_0 i_1 roots blinds triples dealt_and) as points.
    destruct (generation_sized _ _ points) as [sized_0 sized_1]. destruct points as (_ & _ & points).
    destruct triples as [and_0 and_1 product_0 product_1], roots as [root_0 root_1], blinds as [r_0 r_1].
    cbn [paper_preprocessing_DpfTriples_product_0 paper_preprocessing_DpfTriples_product_1] in product.
    pose proof (mod_size_below (ixor i_0 i_1) n n_power) as below.
    pose proof (unit_shares_add_up n (vector_mod_size (ixor i_0 i_1) n) _ _ sized_0 sized_1 below points
      r_0 r_1 X_0 X_1 Y_0 Y_1 T) as add_up.
    rewrite <- product in add_up.
    unfold dpf_points_at, paper_preprocessing_unit_share_0, paper_preprocessing_unit_share_1, paper_preprocessing_value_words_0,
      paper_preprocessing_value_words_1, paper_preprocessing_prepare_dpf in *.
    cbn [paper_preprocessing_Dpf_generation paper_preprocessing_Dpf_conversion paper_preprocessing_DpfTriples_product_0
      paper_preprocessing_DpfTriples_product_1 paper_preprocessing_DpfTriples_and_0 paper_preprocessing_DpfTriples_and_1 fst snd] in *.
    repeat split; try (apply unit_share_sized; assumption); try exact add_up;
      unfold sized, dpf_value_words in *; rewrite map_length; assumption.
  Qed.

  (* P2, which is sent a key and the factor, computes from them the same vectors as the primary whose key it is, for any
     inputs at all [duoram, section 4.1; spec/ERRATA.md, 13]. *)
  Theorem helper_vectors_are_the_primarys (bits : list bool * list bool) (roots : u128 * u128) (blinds : W * W)
    (triples : paper_preprocessing_DpfTriples W) :
    let dpf := paper_preprocessing_prepare_dpf prg bits roots blinds triples in
    let labels_0 := dpf_eval_full prg (distributed_gen_Generation_key_0 (paper_preprocessing_Dpf_generation dpf)) in
    let labels_1 := dpf_eval_full prg (distributed_gen_Generation_key_1 (paper_preprocessing_Dpf_generation dpf)) in
    let factor := paper_conversion_Conversion_factor (paper_preprocessing_Dpf_conversion dpf) in
    paper_preprocessing_unit_share_0 dpf = paper_conversion_unit_share share_Primary_P0 labels_0 factor /\
    paper_preprocessing_unit_share_1 dpf = paper_conversion_unit_share share_Primary_P1 labels_1 factor /\
    paper_preprocessing_value_words_0 dpf = dpf_value_words W share_Primary_P0 labels_0 /\
    paper_preprocessing_value_words_1 dpf = dpf_value_words W share_Primary_P1 labels_1.
  Proof.
    destruct bits as [bits_0 bits_1], roots as [root_0 root_1], blinds as [r_0 r_1]. cbv zeta.
    unfold paper_preprocessing_unit_share_0, paper_preprocessing_unit_share_1, paper_preprocessing_value_words_0,
      paper_preprocessing_value_words_1.
    destruct (distributed_generation_labels prg
      (mk_distributed_gen_Input bits_0 root_0 (paper_preprocessing_DpfTriples_and_0 triples))
      (mk_distributed_gen_Input bits_1 root_1 (paper_preprocessing_DpfTriples_and_1 triples))) as [e_0 e_1].
    cbn [paper_preprocessing_prepare_dpf paper_preprocessing_Dpf_generation paper_preprocessing_Dpf_conversion].
    rewrite <- e_0, <- e_1. auto.
  Qed.

  Context (p0 p1 : paper_preprocessing_PrimaryRandomness W) (triples_1 triples_2 triples_3 : paper_preprocessing_DpfTriples W).
  Context (dealt_1 : dealt h triples_1) (dealt_2 : dealt h triples_2) (dealt_3 : dealt h triples_3).
  Let item := paper_preprocessing_prepare prg h p0 p1 (triples_1, triples_2, triples_3).
  Let ri := vector_mod_size
    (ixor (paper_preprocessing_PrimaryRandomness_random_index_xor p0) (paper_preprocessing_PrimaryRandomness_random_index_xor p1)) n.

  Lemma prepared_item_adds_up :
    dpf_points_at ri (paper_preprocessing_Item_dpf_1 item) /\ dpf_points_at ri (paper_preprocessing_Item_dpf_2 item) /\
    dpf_points_at ri (paper_preprocessing_Item_dpf_3 item).
  Proof.
    unfold item, paper_preprocessing_prepare. cbv zeta.
    destruct (paper_preprocessing_PrimaryRandomness_roots p0) as [[? ?] ?],
      (paper_preprocessing_PrimaryRandomness_roots p1) as [[? ?] ?],
      (paper_preprocessing_PrimaryRandomness_blinds p0) as [[? ?] ?],
      (paper_preprocessing_PrimaryRandomness_blinds p1) as [[? ?] ?].
    cbn [paper_preprocessing_Item_dpf_1 paper_preprocessing_Item_dpf_2 paper_preprocessing_Item_dpf_3].
    split; [|split]; apply prepared_dpf_adds_up; assumption.
  Qed.

  (* The unit vectors point at ri = (index_0 xor index_1) mod n, three times. *)
  Theorem prepared_units_point_at :
    units_sized n (paper_preprocessing_unit_vectors item) /\
    paper_lemmas_units_point_at (paper_preprocessing_unit_vectors item) n ri = true.
  Proof.
    destruct prepared_item_adds_up as ((a_0 & a_1 & _ & _ & a) & (b_0 & b_1 & _ & _ & b) & (c_0 & c_1 & _ & _ & c)).
    assert (hs : units_sized n (paper_preprocessing_unit_vectors item)) by (repeat split; assumption).
    split; [assumption|]. apply units_equations; auto.
  Qed.

  (* ri_0 + ri_1 = ri mod n: XOR shares of a random index have become additive shares. *)
  Theorem prepared_index_shares_add_up :
    vector_mod_size (wadd (fst (paper_preprocessing_random_index_shares item)) (snd (paper_preprocessing_random_index_shares item))) n = ri.
  Proof.
    destruct prepared_item_adds_up as ((a_0 & a_1 & _ & _ & a) & _).
    apply index_shares_add_up; try assumption. apply mod_size_below, n_power.
  Qed.

  (* So a prepared item serves for a READ, ... *)
  Theorem prepared_read_ready : read_ready n (paper_preprocessing_unit_vectors item) (paper_preprocessing_random_index_shares item).
  Proof. unfold read_ready. rewrite prepared_index_shares_add_up. apply prepared_units_point_at. Qed.

  (* ... and, with any words delta_2 and delta_3 to rerandomize the shares of F, for an UPDATE. *)
  Theorem prepared_update_ready (delta_2 delta_3 : W) :
    update_ready n (paper_preprocessing_update_material item delta_2 delta_3) (paper_preprocessing_random_index_shares item).
  Proof.
    unfold update_ready. rewrite prepared_index_shares_add_up.
    destruct prepared_units_point_at as [hs points].
    destruct prepared_item_adds_up as ((_ & _ & a_0 & a_1 & _) & (_ & _ & b_0 & b_1 & _) & (_ & _ & c_0 & c_1 & _)).
    split; [|split].
    - unfold material_sized. split; [exact hs|]. repeat split; assumption.
    - exact points.
    - destruct (prepared_item_points_at prg h n h_below_64 size p0 p1 triples_1 triples_2 triples_3
        (proj1 dealt_1) (proj1 dealt_2) (proj1 dealt_3)) as (g_1 & g_2 & g_3).
      apply (prepared_corrections_fit h ri item delta_2 delta_3 h_below_64); try assumption.
      rewrite <- size. apply mod_size_below, n_power.
  Qed.
End Prepared.
