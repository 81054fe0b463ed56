(* HelperPrivacy.v, for the specification's own functions: P2's view of an item that `preprocessing::prepare` makes and
   `update::update` uses, keys and factors with it, is within the same sum of advantages of a simulator that is told nothing
   [duoram, Protocol 2, lines 1 to 5]. Whatever the blinds and P2's triples are: nothing that P2 receives depends on them. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection Counting Chains.
From Duoram.core Require Import DistributedGeneration PrgAdvantage.
From Duoram.paper Require Import IdealPreprocessing UpdateHelperPrivacy PreparedDpfFacts PreparedMaterial HelperView HelperPrivacy.
From Duoram.Generated Require Import All.
#[local] Open Scope Q_scope.

Section Helper.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Laws : RingLaws W} (all_words : list W).
  Hypothesis all_words_enumerate : enumerates all_words anything.
  Context {P : Type} {P_Prg : prg_Prg P} (prg : P).
  Context (h n : u64) (h_below_64 : (val h < 64)%Z) (h_one : (1 <= val h)%Z) (size : val n = (2 ^ val h)%Z).
  Hypothesis fits_word : (val n <= 2 ^ Zpos (ring_bits W))%Z.

  (* All else, and of it: the primaries' shares, with P0's word of the index; their blinds, P2's triples, the state. *)
  Context {R : Type} (rest : list R) (secret : R -> helper_secret (W := W)).
  Context (blinds : R -> (W * W * W) * (W * W * W)) (state : R -> paper_memory_State W).
  Context (triples : R -> paper_preprocessing_DpfTriples W * paper_preprocessing_DpfTriples W * paper_preprocessing_DpfTriples W).
  Hypothesis triples_dealt : forall r, dealt h (fst (fst (triples r))) /\ dealt h (snd (fst (triples r))) /\ dealt h (snd (triples r)).
  Hypothesis state_length : forall r,
    len (paper_memory_PrimaryState_memory_share (paper_memory_State_p0 (state r))) = n.
  Context (test : R -> dpf_Key * dpf_Key * helper_seen (W := W) -> bool).

  Notation with_words := (R * (u64 * (W * W)))%type.
  Definition item_of (z : with_words) (roots : real_roots * real_roots * real_roots) : paper_preprocessing_Item W :=
    let '((a_1, b_1), (a_2, b_2), (a_3, b_3)) := roots in
    paper_preprocessing_prepare prg h
      (mk_paper_preprocessing_PrimaryRandomness (word_0 (secret (fst z))) (a_1, a_2, a_3) (fst (blinds (fst z))))
      (mk_paper_preprocessing_PrimaryRandomness (fst (snd z)) (b_1, b_2, b_3) (snd (blinds (fst z)))) (triples (fst z)).
  Definition update_of (z : with_words) (item : paper_preprocessing_Item W) : paper_update_Update W :=
    let s := secret (fst z) in
    paper_update_update (state (fst z)) (paper_preprocessing_update_material item (fst (snd (snd z))) (snd (snd (snd z))))
      (paper_preprocessing_random_index_shares item) (address_0 s, address_1 s) (value_0 s, value_1 s).

  (* P0's key of DPF 2 and P1's of DPF 3, both factors, and what both send to P2 in an UPDATE. *)
  Definition received_of_helper (item : paper_preprocessing_Item W) (u : paper_update_Update W) :
    dpf_Key * dpf_Key * helper_seen (W := W) :=
    let d_2 := paper_preprocessing_Item_dpf_2 item in
    let d_3 := paper_preprocessing_Item_dpf_3 item in
    (distributed_gen_Generation_key_0 (paper_preprocessing_Dpf_generation d_2),
     distributed_gen_Generation_key_1 (paper_preprocessing_Dpf_generation d_3),
     (paper_conversion_Conversion_factor (paper_preprocessing_Dpf_conversion d_2),
      paper_conversion_Conversion_factor (paper_preprocessing_Dpf_conversion d_3), sent_to_helper u)).

  Definition real_helper_item : Q :=
    Pr (list_prod (helper_rest all_words rest) (list_prod (list_prod real_root_space real_root_space) real_root_space))
      (fun '(z, roots) => let item := item_of z roots in test (fst z) (received_of_helper item (update_of z item))).

  (* One DPF: the keys of the dealer, their leaves, and the factor of these. *)
  Lemma prepared_is_dealt (i_0 i_1 : u64) (root_0 root_1 : u128) (r : W * W) (t : paper_preprocessing_DpfTriples W) :
    dealt h t ->
    let d := paper_preprocessing_prepare_dpf prg (dpf_address_bits i_0 h, dpf_address_bits i_1 h) (root_0, root_1) r t in
    let g := paper_preprocessing_Dpf_generation d in
    let keys := dealer_generate prg (vector_mod_size (ixor i_0 i_1) n) h root_0 root_1 in
    (distributed_gen_Generation_key_0 g = fst keys /\ distributed_gen_Generation_key_1 g = snd keys) /\
    (distributed_gen_Generation_labels_0 g = dpf_eval_full prg (fst keys)
      /\ distributed_gen_Generation_labels_1 g = dpf_eval_full prg (snd keys)) /\
    paper_conversion_Conversion_factor (paper_preprocessing_Dpf_conversion d)
      = factor_of (dpf_eval_full prg (fst keys)) (dpf_eval_full prg (snd keys)).
  Proof.
    intros ((l_0 & l_1 & ands) & X_0 & X_1 & Y_0 & Y_1 & T & product). destruct r as [r_0 r_1]. cbv zeta.
    pose (input_0 := mk_distributed_gen_Input (dpf_address_bits i_0 h) root_0 (paper_preprocessing_DpfTriples_and_0 t)).
    pose (input_1 := mk_distributed_gen_Input (dpf_address_bits i_1 h) root_1 (paper_preprocessing_DpfTriples_and_1 t)).
    pose proof (distributed_generation_makes_dealer_keys prg input_0 input_1 (nat_of h) (dpf_address_bits_length _ _)
      (dpf_address_bits_length _ _) l_0 l_1 ands (vector_mod_size (ixor i_0 i_1) n) h
      (xor_of_address_bits_mod_size i_0 i_1 h n h_below_64 size)) as keys.
    destruct (distributed_generation_labels prg input_0 input_1) as [e_0 e_1].
    cbn [distributed_gen_Input_root input_0 input_1] in keys.
    unfold paper_preprocessing_prepare_dpf. cbn [paper_preprocessing_Dpf_generation paper_preprocessing_Dpf_conversion].
    fold input_0 input_1. rewrite <- keys. cbn [fst snd]. rewrite <- e_0, <- e_1.
    split; [split; reflexivity|]. split; [split; reflexivity|].
    pose proof (factor_of_conversion (distributed_gen_Generation_labels_0 (distributed_gen_distributed_generation prg input_0 input_1))
      (distributed_gen_Generation_labels_1 (distributed_gen_distributed_generation prg input_0 input_1))
      r_0 r_1 X_0 X_1 Y_0 Y_1 T) as f. cbv zeta in f. rewrite <- product in f. exact f.
  Qed.

  Lemma received_of_helper_is_dealt (z : with_words) (d_1 d_2 d_3 : real_roots) :
    let item := item_of z (d_1, d_2, d_3) in
    Some (received_of_helper item (update_of z item))
    = received_of_trees n secret z
        [real_tree prg h n secret z 0 d_1; real_tree prg h n secret z 1 d_2; real_tree prg h n secret z 2 d_3].
  Proof.
    destruct d_1 as [a_1 b_1], d_2 as [a_2 b_2], d_3 as [a_3 b_3], z as [r [word [delta_2 delta_3]]]. cbv zeta.
    destruct (triples_dealt r) as (t_1 & t_2 & t_3). pose proof (state_length r) as hn.
    unfold item_of, update_of. cbn [fst snd]. destruct (triples r) as [[tr_1 tr_2] tr_3]. cbn [fst snd] in *.
    destruct (blinds r) as [[[u_1 u_2] u_3] [[v_1 v_2] v_3]]. cbn [fst snd].
    unfold paper_preprocessing_prepare.
    cbn [paper_preprocessing_PrimaryRandomness_random_index_xor paper_preprocessing_PrimaryRandomness_roots
      paper_preprocessing_PrimaryRandomness_blinds].
    pose proof (prepared_is_dealt (word_0 (secret r)) word a_1 b_1 (u_1, v_1) tr_1 t_1) as h_1.
    pose proof (prepared_is_dealt (word_0 (secret r)) word a_2 b_2 (u_2, v_2) tr_2 t_2) as h_2.
    pose proof (prepared_is_dealt (word_0 (secret r)) word a_3 b_3 (u_3, v_3) tr_3 t_3) as h_3. cbv zeta in h_1, h_2, h_3.
    set (p_1 := paper_preprocessing_prepare_dpf prg _ (a_1, b_1) _ _) in *.
    set (p_2 := paper_preprocessing_prepare_dpf prg _ (a_2, b_2) _ _) in *.
    set (p_3 := paper_preprocessing_prepare_dpf prg _ (a_3, b_3) _ _) in *. clearbody p_1 p_2 p_3.
    destruct h_1 as ((_ & _) & (l_0_1 & l_1_1) & f_1), h_2 as ((k_2 & _) & (l_0_2 & l_1_2) & f_2),
      h_3 as ((_ & k_3) & (l_0_3 & l_1_3) & f_3).
    unfold received_of_trees, real_tree, ri_of, received_of_helper, helper_view_of, sent_to_helper, paper_update_update,
      paper_preprocessing_random_index_shares, paper_preprocessing_unit_share_0, paper_preprocessing_unit_share_1.
    cbn [fst snd uncurry paper_preprocessing_Item_dpf_1 paper_preprocessing_Item_dpf_2 paper_preprocessing_Item_dpf_3].
    rewrite hn, f_1, f_2, f_3, k_2, k_3, l_0_1, l_1_1. do 2 f_equal.
    unfold paper_preprocessing_update_material, paper_preprocessing_value_vectors, paper_preprocessing_value_words_0,
      paper_preprocessing_value_words_1, paper_preprocessing_local_correction_shares, paper_update_rerandomized, paper_update_message.
    cbn [paper_preprocessing_Item_dpf_1 paper_preprocessing_Item_dpf_2 paper_preprocessing_Item_dpf_3
      paper_update_UpdateMaterial_corrections paper_update_CorrectionShares_p0 paper_update_CorrectionShares_p1
      paper_update_ValueVectors_p0 paper_update_ValueVectors_p1 paper_update_Update_message_0 paper_update_Update_message_1
      paper_update_UpdateMessage_shift paper_update_UpdateMessage_masked_dpf_2 paper_update_UpdateMessage_masked_dpf_3].
    rewrite l_0_2, l_1_2, l_0_3, l_1_3. reflexivity.
  Qed.

  Lemma real_helper_item_is_dealt : real_helper_item == real_helper all_words prg h n rest secret test.
  Proof.
    unfold real_helper_item, real_helper, real_chain. rewrite !Pr_mean, !(mean_prod (helper_rest all_words rest)).
    apply mean_ext. intros z _. rewrite !mean_prod, mean_draws_S. apply mean_ext. intros d_1 _.
    rewrite mean_draws_S. apply mean_ext. intros d_2 _. rewrite mean_draws_S. apply mean_ext. intros d_3 _.
    rewrite mean_draws_0. cbn [all_seen app]. unfold trees_test. rewrite <- received_of_helper_is_dealt. reflexivity.
  Qed.

  Theorem helper_life_simulated :
    Qabs (real_helper_item - simulated_helper_item all_words h n rest test)
    <= sum_below 3 (helper_price all_words prg h n rest secret test).
  Proof. rewrite real_helper_item_is_dealt. apply helper_item_simulated; assumption. Qed.
End Helper.
