(* What a primary receives while an item is prepared and used by an UPDATE, as the functions of the specification make it:
   `preprocessing::prepare`, then `update::update` with `preprocessing::update_material` and `random_index_shares`
   [duoram, Protocol 2, lines 1 to 5]. It is put together of what each of the three DPFs leaves ([outcome] of
   core/ManyGenerations.v: messages, own key, the other's leaves) and of a few words more ([assembled]); that is the form
   in which ItemPrivacy.v replaces the DPFs. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection.
From Duoram.core Require Import Parties LabelFacts DistributedGeneration GenerationPrivacy GenerationRunPrivacy KeyPrivacy
  GenerationSimulated ManyGenerations.
From Duoram.paper Require Import ConversionPrivacy LeafLife.
From Duoram.Generated Require Import All.

Section View.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Laws : RingLaws W}.
  Add Ring W_ring : (ring_theory_W W).
  Context {P : Type} {P_Prg : prg_Prg P} (prg : P) (party : share_Primary).
  (* The height, and the size of the memory, 2^h. *)
  Context (h n : u64).
  Notation "x [+] y" := (ring_Ring_plus x y) (at level 50, left associativity).
  Notation "x [-] y" := (ring_Ring_minus x y) (at level 50, left associativity).
  Notation other := (other_primary party).
  Notation triple_of T := (T * T * T)%type.

  (** * What a primary has, and what it has not *)

  (* Of one DPF: root, AND triples (X, a bit, Y and Z), blind, multiplication triple. *)
  Record own_dpf : Type := {
    own_root : u128;
    own_ands : list (bool * u128 * u128);
    own_blind : W;
    own_product : du_atallah_ProductTriple W;
  }.
  (* Of an item: its word of the index, the three DPFs, its shares of i* and M, and both deltas. *)
  Record item_own : Type := {
    own_word : u64;
    own_dpfs : triple_of own_dpf;
    own_address : u64;
    own_value : W;
    own_deltas : W * W;
  }.
  (* The other's shares of i* and M; the state plays no part. *)
  Record others_inputs : Type := { others_address : u64; others_value : W; whole_state : paper_memory_State W }.

  Definition levels_of (word : u64) (d : own_dpf) : list level_share :=
    map (fun '(bit, (x, y, z)) => {| share_bit := bit; share_x := x; share_y := y; share_z := z |})
      (combine (dpf_address_bits word h) (own_ands d)).
  Definition held_with (d : own_dpf) (leaves : list u128) : conversion_held (W := W) :=
    {| held_leaves := leaves; held_blind := own_blind d; held_triple := own_product d |}.

  Lemma levels_of_length (word : u64) (d : own_dpf) : length (own_ands d) = nat_of h -> length (levels_of word d) = nat_of h.
  Proof. intros e. unfold levels_of. rewrite map_length, combine_length, dpf_address_bits_length. lia. Qed.
  Lemma levels_of_bits (word : u64) (d : own_dpf) : length (own_ands d) = nat_of h ->
    map share_bit (levels_of word d) = dpf_address_bits word h.
  Proof.
    intros e. unfold levels_of. rewrite map_map. pose proof (dpf_address_bits_length word h) as e'.
    revert e e'. generalize (nat_of h) (dpf_address_bits word h). intros k bits. revert k bits.
    induction (own_ands d) as [|[[x y] z] ands IH]; intros k [|bit bits] e e'; cbn in *; try lia; [reflexivity|].
    f_equal. apply (IH (length bits)); lia.
  Qed.

  (** * The run *)

  (* P2's triples, from the party's own and what it does not know of them. *)
  Definition triples_with (word : u64) (d : own_dpf) (masks : list (bool * u128)) (x y : W) :
    paper_preprocessing_DpfTriples W :=
    let levels := levels_of word d in
    let '(and_0, and_1) := in_order party (map (own_triple prg) levels)
      (map (uncurry (others_triple prg party)) (combine levels (dealt_draws levels masks))) in
    let '(product_0, product_1) := in_order party (own_product d) (others_product (own_product d) x y) in
    mk_paper_preprocessing_DpfTriples and_0 and_1 product_0 product_1.

  (* The other's word of the index; of each DPF its root, the masks of the AND triples, and blind, X and Y of App. D. *)
  Notation others_words := (u64 * triple_of (triple_of W))%type.
  Definition prepared (own : item_own) (words : others_words) (draws : triple_of real_draw) : paper_preprocessing_Item W :=
    let '(d_1, d_2, d_3) := own_dpfs own in
    let '(word, ((b_1, x_1, y_1), (b_2, x_2, y_2), (b_3, x_3, y_3))) := words in
    let '((root_1, masks_1), (root_2, masks_2), (root_3, masks_3)) := draws in
    let '(p0, p1) := in_order party
      (mk_paper_preprocessing_PrimaryRandomness (own_word own) (own_root d_1, own_root d_2, own_root d_3)
        (own_blind d_1, own_blind d_2, own_blind d_3))
      (mk_paper_preprocessing_PrimaryRandomness word (root_1, root_2, root_3) (b_1, b_2, b_3)) in
    paper_preprocessing_prepare prg h p0 p1
      (triples_with (own_word own) d_1 masks_1 x_1 y_1, triples_with (own_word own) d_2 masks_2 x_2 y_2,
       triples_with (own_word own) d_3 masks_3 x_3 y_3).

  Definition updated (own : item_own) (inputs : others_inputs) (item : paper_preprocessing_Item W) : paper_update_Update W :=
    paper_update_update (whole_state inputs)
      (paper_preprocessing_update_material item (fst (own_deltas own)) (snd (own_deltas own)))
      (paper_preprocessing_random_index_shares item)
      (in_order party (own_address own) (others_address inputs)) (in_order party (own_value own) (others_value inputs)).

  (* What the primary receives, and its keys: of each DPF the messages of App. C, the key, and the messages of App. D; and
     the other's message of UPDATE. *)
  Definition dpf_received : Type := list (distributed_gen_Operands * u128) * dpf_Key * (paper_conversion_Operands W * W).
  Definition received_of_dpf (d : paper_preprocessing_Dpf W) : dpf_received :=
    let g := paper_preprocessing_Dpf_generation d in
    (map (received party) (distributed_gen_Generation_messages g), own_key party (run_keys g),
     received_conversion party (paper_preprocessing_Dpf_conversion d)).
  Definition item_received : Type := triple_of dpf_received * paper_update_UpdateMessage W.
  Definition received_of_item (item : paper_preprocessing_Item W) (u : paper_update_Update W) : item_received :=
    (received_of_dpf (paper_preprocessing_Item_dpf_1 item), received_of_dpf (paper_preprocessing_Item_dpf_2 item),
     received_of_dpf (paper_preprocessing_Item_dpf_3 item),
     match party with
     | share_Primary_P0 => paper_update_Update_message_1 u
     | share_Primary_P1 => paper_update_Update_message_0 u
     end).

  (** * The same from the outcomes of the three DPFs *)

  (* M of the other with its deltas, as F^(1), F^(2), F^(3) hide it. *)
  Definition hidden_values (own : item_own) (inputs : others_inputs) : triple_of W :=
    let m := others_value inputs in
    let '(delta_2, delta_3) := own_deltas own in
    match other with
    | share_Primary_P0 => (m, m [+] delta_2, m [+] delta_3)
    | share_Primary_P1 => (m, m [-] delta_2, m [-] delta_3)
    end.

  Definition dpf_part (d : own_dpf) (o : outcome) (hidden : triple_of W) : dpf_received :=
    let '(messages, key, leaves) := o in
    (messages, key, received_conversion party (life_run party (held_with d (dpf_eval_full prg key)) leaves hidden)).
  Definition others_index_of (d : own_dpf) (o : outcome) (hidden : triple_of W) : u64 :=
    let '(_, key, leaves) := o in
    paper_conversion_random_index_share (paper_conversion_unit_share other leaves (paper_conversion_Conversion_factor
      (life_run party (held_with d (dpf_eval_full prg key)) leaves hidden))).
  Definition masked_of (m : W) (o : outcome) : W :=
    m [+] dealer_final_correction_share (dpf_value_words W other (snd o)).

  Definition assembled (own : item_own) (inputs : others_inputs) (hidden : triple_of (triple_of W)) (o_1 o_2 o_3 : outcome) :
    item_received :=
    let '(d_1, d_2, d_3) := own_dpfs own in
    let '(h_1, h_2, h_3) := hidden in
    let '(m_1, m_2, m_3) := hidden_values own inputs in
    (dpf_part d_1 o_1 h_1, dpf_part d_2 o_2 h_2, dpf_part d_3 o_3 h_3,
     mk_paper_update_UpdateMessage (paper_read_shift_share (others_address inputs) (others_index_of d_1 o_1 h_1) n)
       (masked_of m_1 o_1) (masked_of m_2 o_2) (masked_of m_3 o_3)).

  (* The outcome of one DPF of the item, from its draws. *)
  Definition outcome_with (own_word others_word : u64) (d : own_dpf) (draw : real_draw) : outcome :=
    let '(other_root, masks) := draw in
    let levels := levels_of own_word d in
    let g := run prg party (own_root d) levels
      {| secret_bits := dpf_address_bits others_word h; secret_root := other_root |} (dealt_draws levels masks) in
    (map (received party) (distributed_gen_Generation_messages g), own_key party (run_keys g), other_labels party g).

  (* `prepare_dpf` is App. C of these levels, and App. D of the leaves that it makes. *)
  Lemma prepared_dpf (word word' : u64) (d : own_dpf) (other_root : u128) (masks : list (bool * u128)) (b x y : W) :
    length (own_ands d) = nat_of h ->
    let levels := levels_of word d in
    let g := run prg party (own_root d) levels
      {| secret_bits := dpf_address_bits word' h; secret_root := other_root |} (dealt_draws levels masks) in
    paper_preprocessing_prepare_dpf prg (in_order party (dpf_address_bits word h) (dpf_address_bits word' h))
      (in_order party (own_root d) other_root) (in_order party (own_blind d) b) (triples_with word d masks x y)
    = mk_paper_preprocessing_Dpf g
        (life_run party (held_with d (dpf_eval_full prg (own_key party (run_keys g)))) (other_labels party g) (b, x, y)).
  Proof.
    intros e. cbv zeta. rewrite <- (levels_of_bits word d e). unfold triples_with.
    set (levels := levels_of word d).
    assert (leaves : forall i_0 i_1, let g := distributed_gen_distributed_generation prg i_0 i_1 in
      dpf_eval_full prg (distributed_gen_Generation_key_0 g) = distributed_gen_Generation_labels_0 g
      /\ dpf_eval_full prg (distributed_gen_Generation_key_1 g) = distributed_gen_Generation_labels_1 g).
    { intros i_0 i_1. cbv zeta. destruct (distributed_generation_labels prg i_0 i_1). split; symmetry; assumption. }
    unfold run, run_keys, own_key, other_labels, life_run, own_input, others_input, held_with.
    destruct party; cbn [in_order uncurry fst snd held_leaves held_blind held_triple secret_bits secret_root] in *;
      unfold paper_preprocessing_prepare_dpf;
      cbn [paper_preprocessing_DpfTriples_and_0 paper_preprocessing_DpfTriples_and_1
        paper_preprocessing_DpfTriples_product_0 paper_preprocessing_DpfTriples_product_1];
      match goal with |- context [distributed_gen_distributed_generation prg ?a ?b] => destruct (leaves a b) as [l_0 l_1] end;
      rewrite ?l_0, ?l_1; reflexivity.
  Qed.

  Theorem received_is_assembled (own : item_own) (inputs : others_inputs) (words : others_words) (draws : triple_of real_draw) :
    let '(d_1, d_2, d_3) := own_dpfs own in
    let '(draw_1, draw_2, draw_3) := draws in
    length (own_ands d_1) = nat_of h -> length (own_ands d_2) = nat_of h -> length (own_ands d_3) = nat_of h ->
    len (paper_memory_PrimaryState_memory_share (paper_memory_State_p0 (whole_state inputs))) = n ->
    let item := prepared own words draws in
    received_of_item item (updated own inputs item)
    = assembled own inputs (snd words) (outcome_with (own_word own) (fst words) d_1 draw_1)
        (outcome_with (own_word own) (fst words) d_2 draw_2) (outcome_with (own_word own) (fst words) d_3 draw_3).
  Proof.
    destruct own as [word [[d_1 d_2] d_3] i m [delta_2 delta_3]], inputs as [i' m' state].
    destruct words as [word' [[[[b_1 x_1] y_1] [[b_2 x_2] y_2]] [[b_3 x_3] y_3]]].
    destruct draws as [[[root_1 masks_1] [root_2 masks_2]] [root_3 masks_3]].
    cbn [own_dpfs own_word own_address own_value own_deltas others_address others_value whole_state fst snd].
    intros e_1 e_2 e_3 hn. cbv zeta.
    pose proof (prepared_dpf word word' d_1 root_1 masks_1 b_1 x_1 y_1 e_1) as p_1.
    pose proof (prepared_dpf word word' d_2 root_2 masks_2 b_2 x_2 y_2 e_2) as p_2.
    pose proof (prepared_dpf word word' d_3 root_3 masks_3 b_3 x_3 y_3 e_3) as p_3. cbv zeta in p_1, p_2, p_3.
    unfold received_of_item, updated, prepared, assembled, hidden_values, outcome_with, dpf_part, others_index_of, masked_of.
    cbn [own_dpfs own_word own_address own_value own_deltas others_address others_value whole_state fst snd].
    set (g_1 := run prg party (own_root d_1) _ _ _) in *. set (g_2 := run prg party (own_root d_2) _ _ _) in *.
    set (g_3 := run prg party (own_root d_3) _ _ _) in *. clearbody g_1 g_2 g_3.
    unfold received_of_dpf, paper_update_update, paper_preprocessing_update_material, paper_preprocessing_random_index_shares,
      paper_preprocessing_prepare.
    destruct party; cbn [in_order] in *;
      cbn [paper_preprocessing_PrimaryRandomness_random_index_xor paper_preprocessing_PrimaryRandomness_roots
        paper_preprocessing_PrimaryRandomness_blinds];
      rewrite hn, p_1, p_2, p_3;
      cbn [paper_preprocessing_Item_dpf_1 paper_preprocessing_Item_dpf_2 paper_preprocessing_Item_dpf_3
        paper_preprocessing_Dpf_generation paper_preprocessing_Dpf_conversion paper_update_Update_message_0
        paper_update_Update_message_1 other_primary];
      apply pair_equal_spec; (split; [reflexivity|]);
      unfold paper_update_message, paper_preprocessing_unit_share_0, paper_preprocessing_unit_share_1,
        paper_preprocessing_value_vectors, paper_preprocessing_value_words_0, paper_preprocessing_value_words_1,
        paper_preprocessing_local_correction_shares, paper_update_rerandomized, paper_update_rerandomized_share;
      cbn [paper_preprocessing_Item_dpf_1 paper_preprocessing_Item_dpf_2 paper_preprocessing_Item_dpf_3
        paper_preprocessing_Dpf_generation paper_preprocessing_Dpf_conversion paper_update_UpdateMaterial_corrections
        paper_update_CorrectionShares_p0 paper_update_CorrectionShares_p1 paper_update_ValueVectors_p0
        paper_update_ValueVectors_p1 other_labels in_order fst snd];
      (f_equal; ring).
  Qed.
End View.
