(* What preparing yields is what READ, UPDATE and WRITE ask for: an item's flags point at ri, and its values are R e_ri with
   the shares and the delta that the parties keep. For any roots, and whatever was dealt. *)
From Coq Require Import Lia.
From Duoram.lean Require Export Generation StateFacts.
From Duoram.Generated Require Import All.

#[global] Arguments lean_layers_unit_flags {W W_Ring P P_Prg P_Layers} prg key log_size : simpl never.
#[global] Arguments lean_layers_values {W W_Ring P P_Prg P_Layers} prg key log_size : simpl never.

Lemma val_low_bits (x bits : u64) : val bits < 64 -> val (lean_one_hot_low_bits x bits) = val x mod 2 ^ val bits.
Proof.
  intros h. pose proof (val_bounds bits). unfold lean_one_hot_low_bits. apply val_iand_mask; [lia|].
  rewrite val_wsub, val_power by assumption. change (val (repr 64 1)) with 1. apply Z.mod_small.
  assert (0 < 2 ^ val bits) by (apply Z.pow_pos_nonneg; lia).
  assert (2 ^ val bits < 2 ^ 64) by (apply Z.pow_lt_mono_r; lia). lia.
Qed.

Lemma val_size (h : u64) : val h < 64 -> val (lean_party_size h) = 2 ^ val h.
Proof. apply val_power. Qed.

Lemma size_power_of_two (h : u64) : val h < 64 -> power_of_two (lean_party_size h).
Proof. intros hh. exists (val h). pose proof (val_bounds h). split; [lia | apply val_size, hh]. Qed.

(* The leaf z of 2^h, from its node at depth h - k and its place there. *)
Lemma place_and_rest (h k : nat) (z : Z) : (k <= h)%nat -> 0 <= z < 2 ^ Z.of_nat h ->
  Z.to_nat z = (place_of (firstn (h - k) (path_bits h z)) * 2 ^ k + Z.to_nat (z mod 2 ^ Z.of_nat k))%nat.
Proof.
  intros hk hz. assert (0 < 2 ^ Z.of_nat k) by (apply Z.pow_pos_nonneg; lia).
  pose proof (Z.mod_pos_bound z (2 ^ Z.of_nat k) ltac:(assumption)).
  apply Nat2Z.inj. rewrite Nat2Z.inj_add, Nat2Z.inj_mul, Nat2Z.inj_pow, place_of_path, !Z2Nat.id by lia.
  replace (Z.of_nat h - Z.of_nat (h - k)) with (Z.of_nat k) by lia.
  rewrite (Z.div_mod z (2 ^ Z.of_nat k)) at 1 by lia. change (Z.of_nat 2) with 2. lia.
Qed.

Section Items.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Boolean : BooleanRing W}.
  Context {P : Type} {P_Prg : prg_Prg P} {P_Layers : lean_layers_Layers P} (prg : P).
  Context (h : u64) (h_small : val h < 64).
  Add Ring W_ring : (ring_theory_W W).
  Notation zero := (ring_Ring_zero W).
  Notation eight := (repr 64 8).
  Notation n := (lean_party_size h).
  Implicit Types (plan : dpf_plan (W := W)) (party : share_Primary) (k round : nat).

  Lemma flag_depth_bits : (flag_level h = nat_of h - nat_of (lean_layers_flag_bits h))%nat /\
    (nat_of (lean_layers_flag_bits h) <= nat_of h)%nat.
  Proof.
    unfold flag_level. pose proof (Z_nat_of h). pose proof (Z_nat_of (lean_layers_flag_depth h)) as a.
    pose proof (Z_nat_of (lean_layers_flag_bits h)) as b. rewrite val_flag_depth in a. rewrite val_flag_bits in b. lia.
  Qed.
  Lemma word_depth_bits : (word_level h = nat_of h - nat_of (lean_layers_word_bits h))%nat /\
    (nat_of (lean_layers_word_bits h) <= nat_of h)%nat.
  Proof.
    unfold word_level. pose proof (Z_nat_of h). pose proof (Z_nat_of (lean_layers_word_depth h)) as a.
    pose proof (Z_nat_of (lean_layers_word_bits h)) as b. rewrite val_word_depth in a. rewrite val_word_bits in b. lia.
  Qed.

  (* The sizes and places of n leaves in blocks of 2^bits. *)
  Lemma leaves_of_level plan party k (bits : u64) : (k = nat_of h - nat_of bits)%nat -> (nat_of bits <= nat_of h)%nat ->
    nat_of n = (length (plan_level prg h plan party k) * 2 ^ nat_of bits)%nat.
  Proof.
    intros -> hb. unfold plan_level. rewrite levels_length, firstn_length, plan_corrections_length. cbn [length].
    unfold lean_party_size. rewrite nat_of_power, Nat.mul_1_r, <- Nat.pow_add_r by assumption. f_equal. lia.
  Qed.

  (* q = r xor e is ri, cut to the flag layer's bits. *)
  Lemma offset_leads_to_ri plan :
    ixor (ixor (plan_mask plan share_Primary_P0) (plan_mask plan share_Primary_P1)) (plan_offset h plan)
    = lean_one_hot_low_bits (plan_ri plan) (lean_layers_flag_bits h).
  Proof. apply moved_shares_lead_to_ri. Qed.

  Lemma flag_bits_bound : val (lean_layers_flag_bits h) <= 7 /\ val (lean_layers_flag_bits h) <= val h.
  Proof. rewrite val_flag_bits. lia. Qed.

  Lemma low_ri_below plan : val (lean_one_hot_low_bits (plan_ri plan) (lean_layers_flag_bits h))
    < 2 ^ val (lean_layers_flag_bits h).
  Proof.
    pose proof flag_bits_bound. pose proof (val_bounds (lean_layers_flag_bits h)). rewrite val_low_bits by lia.
    apply Z.mod_pos_bound, Z.pow_pos_nonneg; lia.
  Qed.

  Lemma power_7 (x bits : u64) : val bits <= 7 -> val x < 2 ^ val bits -> val x < 128.
  Proof.
    intros hb hx. pose proof (val_bounds bits). assert (2 ^ val bits <= 2 ^ 7) by (apply Z.pow_le_mono_r; lia). lia.
  Qed.

  Lemma one_hots_open plan : plan_fits h plan ->
    ixor (plan_one_hot h plan share_Primary_P0) (plan_one_hot h plan share_Primary_P1)
    = lean_layers_one_hot_block (lean_one_hot_low_bits (plan_ri plan) (lean_layers_flag_bits h)).
  Proof.
    intros fits. destruct flag_bits_bound as [b7 _]. rewrite <- offset_leads_to_ri. unfold plan_one_hot.
    rewrite (fits_one_hot h plan fits). apply moved_blocks_open.
    - apply (power_7 _ _ b7), (fits_mask h plan fits).
    - apply (power_7 _ _ b7), (fits_mask h plan fits).
    - apply (power_7 _ _ b7).
      replace (plan_offset h plan) with (ixor (ixor (plan_mask plan share_Primary_P0) (plan_mask plan share_Primary_P1))
        (lean_one_hot_low_bits (plan_ri plan) (lean_layers_flag_bits h))) by (rewrite <- offset_leads_to_ri; xor_and).
      pose proof (val_bounds (lean_layers_flag_bits h)).
      apply ixor_below; [lia | apply ixor_below; [lia | apply (fits_mask h plan fits)..] | apply low_ri_below].
  Qed.

  Lemma level_differs plan k : (k <= nat_of h)%nat -> exists x y,
    differ_at (plan_level prg h plan share_Primary_P0 k) (plan_level prg h plan share_Primary_P1 k)
      (place_of (firstn k (plan_bits h plan))) x y.
  Proof.
    intros hk. destruct (levels_differ_on_the_path prg (plan_start plan share_Primary_P0) (plan_start plan share_Primary_P1)
      (plan_bits h plan) k (starts_differ plan)) as (x & y & d & _).
    - unfold plan_bits. rewrite path_bits_length. assumption.
    - exists x, y. exact d.
  Qed.

  (** * One DPF *)

  (* The key that a primary has when all rounds are over. *)
  Definition final_key plan party round : lean_layers_LayeredKey W :=
    lean_generation_Growing_key (growing_after prg h plan party round).

  Lemma labels_at_level plan party round k : (k <= tree_level h (plan_purpose plan))%nat -> (k <= round)%nat ->
    forall depth : u64, nat_of depth = k ->
    lean_layers_labels_at prg (lean_layers_LayeredKey_tree (final_key plan party round)) depth = plan_level prg h plan party k.
  Proof.
    intros hk hr depth hd. unfold lean_layers_labels_at, final_key, growing_after, growing_at. cbn -[firstn take].
    rewrite take_firstn, firstn_firstn, hd. unfold plan_level, levels. do 2 f_equal. lia.
  Qed.

  (* The flags of all n leaves, both sides', are shares of e_ri. *)
  Theorem prepared_flags plan round : plan_fits h plan -> (tree_level h (plan_purpose plan) < round)%nat ->
    let t party := lean_layers_unit_flags prg (final_key plan party round) h in
    sized n (t share_Primary_P0) /\ sized n (t share_Primary_P1) /\
    vector_add (t share_Primary_P0) (t share_Primary_P1) = vector_unit_vector W n (plan_ri plan).
  Proof.
    intros fits hr t. pose proof (flag_level_below h (plan_purpose plan)) as [hf ht].
    destruct flag_depth_bits as [hd hb]. destruct flag_bits_bound as [b7 bh].
    destruct (level_differs plan (flag_level h) ltac:(lia)) as (x & y & d).
    assert (e : forall party, t party
      = flags_of prg (plan_level prg h plan party (flag_level h)) (plan_flag_correction prg h plan) (lean_layers_flag_bits h)).
    { intros party. unfold t, lean_layers_unit_flags. cbv zeta.
      rewrite (labels_at_level plan party round (flag_level h)) by (reflexivity || lia).
      unfold flags_of, bit_words, final_key, growing_after, growing_at. cbn -[Nat.ltb firstn].
      destruct (Nat.ltb_spec (flag_level h) round); [reflexivity | lia]. }
    rewrite !e.
    apply (flag_layer_points_at prg _ _ _ x y (plan_one_hot h plan share_Primary_P0) (plan_one_hot h plan share_Primary_P1)
      _ _ (lean_one_hot_low_bits (plan_ri plan) (lean_layers_flag_bits h)) n (plan_ri plan) d b7 (low_ri_below plan)
      (one_hots_open plan fits)); [reflexivity | apply (leaves_of_level plan _ _ _ hd hb) |].
    unfold nat_of at 1. pose proof (plan_ri_below h plan fits) as below. pose proof (val_bounds (plan_ri plan)).
    rewrite (place_and_rest (nat_of h) (nat_of (lean_layers_flag_bits h))) by (rewrite ?Z_nat_of; lia).
    rewrite <- hd. f_equal. unfold nat_of at 2. rewrite val_low_bits by lia. rewrite Z_nat_of. reflexivity.
  Qed.

  (* In UPDATE items the values of all n leaves are shares of R e_ri, for R = R'_0 + R'_1 + G. *)
  Theorem prepared_values plan round : plan_fits h plan -> plan_purpose plan = lean_layers_Purpose_Update ->
    (tree_level h (plan_purpose plan) < round)%nat ->
    let v party := lean_layers_values prg (final_key plan party round) h in
    sized n (v share_Primary_P0) /\ sized n (v share_Primary_P1) /\
    vector_add (v share_Primary_P0) (v share_Primary_P1) = vector_scale (plan_value plan) (vector_unit_vector W n (plan_ri plan)).
  Proof.
    intros fits up hr v. pose proof (flag_level_below h (plan_purpose plan)) as [hf ht].
    assert (hD : tree_level h (plan_purpose plan) = word_level h) by (rewrite up; reflexivity).
    destruct word_depth_bits as [hd hb]. destruct flag_bits_bound as [b7 bh].
    destruct (level_differs plan (word_level h) ltac:(lia)) as (x & y & d).
    assert (e : forall party, v party
      = values_of prg (plan_level prg h plan party (word_level h)) (plan_word_correction prg h plan) (lean_layers_word_bits h)).
    { intros party. unfold v, lean_layers_values.
      rewrite (labels_at_level plan party round (word_level h)) by (reflexivity || lia).
      unfold values_of, final_key, growing_after, growing_at. cbn -[Nat.ltb firstn]. rewrite up.
      destruct (Nat.ltb_spec (word_level h) round); [reflexivity | lia]. }
    rewrite !e. destruct (fits_value h plan fits up) as [u_0 u_1].
    set (q := lean_one_hot_low_bits (plan_ri plan) (lean_layers_flag_bits h)).
    assert (hq : val q < 128) by (apply (power_7 _ _ b7), low_ri_below).
    pose proof (one_hots_open plan fits) as open. fold q in open.
    pose proof (offset_leads_to_ri plan) as hoff. fold q in hoff.
    assert (moved := moved_values_open (lean_dealing_Dealt_value_one_hot (plan_dealt plan share_Primary_P0))
      (ring_Ring_plus (lean_dealing_Dealt_value_share (plan_dealt plan share_Primary_P0))
        (lean_dealing_Dealt_value_share (plan_dealt plan share_Primary_P1))) (plan_common plan)
      (ixor (plan_mask plan share_Primary_P0) (plan_mask plan share_Primary_P1)) (plan_offset h plan)
      (plan_one_hot h plan share_Primary_P0) (plan_one_hot h plan share_Primary_P1) u_0).
    rewrite hoff in moved. specialize (moved hq open). rewrite <- u_1 in moved.
    pose proof (plan_ri_below h plan fits) as below. pose proof (val_bounds (plan_ri plan)) as bri.
    pose proof (val_word_bits h) as wb. pose proof (val_flag_bits h) as fb. pose proof (val_bounds h) as bh'.
    (* the place among the 8 words: ri mod 8, and below 2^kw *)
    assert (c_val : val (vector_mod_size q eight) = val (plan_ri plan) mod 2 ^ val (lean_layers_word_bits h)).
    { rewrite val_mod_size by apply power_of_two_8. change (val (repr 64 8)) with (2 ^ 3). unfold q. rewrite val_low_bits, fb, wb by lia.
      destruct (Z_lt_le_dec (val h) 3).
      - rewrite !Z.min_l by lia. rewrite (Z.mod_small _ (2 ^ val h)) by lia. apply Z.mod_small.
        assert (2 ^ val h <= 2 ^ 3) by (apply Z.pow_le_mono_r; lia). lia.
      - rewrite (Z.min_r _ 3) by lia. apply mod_pow_mod. lia. }
    assert (eight_sized : forall (u : list W) off g o, sized eight u -> sized eight (lean_one_hot_moved_value u off g o)).
    { intros u off g o hu. unfold lean_one_hot_moved_value. cbv zeta. apply sized_add; [apply sized_xor_shift, hu|].
      apply sized_scale. unfold sized. rewrite map_length, folded_length. reflexivity. }
    assert (s_1 : sized eight (lean_dealing_Dealt_value_one_hot (plan_dealt plan share_Primary_P1)))
      by (rewrite u_1; apply dealt_values_open, u_0).
    apply (word_layer_points_at prg _ _ _ x y (plan_moved_value h plan share_Primary_P0)
      (plan_moved_value h plan share_Primary_P1) _ (plan_value plan) (lean_layers_word_bits h) (vector_mod_size q eight)
      n (plan_ri plan) d).
    - rewrite wb. lia.
    - rewrite c_val. apply Z.mod_pos_bound, Z.pow_pos_nonneg; lia.
    - apply eight_sized, u_0.
    - apply eight_sized, s_1.
    - exact moved.
    - reflexivity.
    - apply (leaves_of_level plan _ _ _ hd hb).
    - unfold nat_of at 1.
      rewrite (place_and_rest (nat_of h) (nat_of (lean_layers_word_bits h))) by (rewrite ?Z_nat_of; lia).
      rewrite <- hd. f_equal. unfold nat_of at 2. rewrite c_val, Z_nat_of. reflexivity.
  Qed.

  (** * One item: DPF a and DPF b, both at ri *)

  Context (plan_a plan_b : dpf_plan (W := W)) (round : nat).
  Hypothesis fits_a : plan_fits h plan_a.
  Hypothesis fits_b : plan_fits h plan_b.
  Hypothesis same_purpose : plan_purpose plan_b = plan_purpose plan_a.
  Hypothesis same_index : forall party, plan_index plan_b party = plan_index plan_a party.
  Hypothesis rounds_over : (tree_level h (plan_purpose plan_a) < round)%nat.

  (* The vectors, each where it is held. *)
  Definition item_flags : lean_read_Flags W :=
    mk_lean_read_Flags (lean_layers_unit_flags prg (final_key plan_a share_Primary_P0 round) h)
      (lean_layers_unit_flags prg (final_key plan_a share_Primary_P1 round) h)
      (lean_layers_unit_flags prg (final_key plan_b share_Primary_P0 round) h)
      (lean_layers_unit_flags prg (final_key plan_b share_Primary_P1 round) h).
  Definition item_values : lean_update_Values W :=
    mk_lean_update_Values (lean_layers_values prg (final_key plan_a share_Primary_P0 round) h)
      (lean_layers_values prg (final_key plan_a share_Primary_P1 round) h)
      (lean_layers_values prg (final_key plan_b share_Primary_P0 round) h)
      (lean_layers_values prg (final_key plan_b share_Primary_P1 round) h).
  Definition grown_of plan party := growing_after prg h plan party round.
  (* f^a_0, f^a_1, and delta from both primaries' shares, whatever x is. *)
  Definition item_material (words : list u64) : lean_update_Material W :=
    mk_lean_update_Material item_flags item_values
      (lean_generation_value_share share_Primary_P0 (grown_of plan_a share_Primary_P0),
       lean_generation_value_share share_Primary_P1 (grown_of plan_a share_Primary_P1))
      (ring_Ring_plus
        (lean_preprocessing_item_delta_share share_Primary_P0 (grown_of plan_a share_Primary_P0)
          (grown_of plan_b share_Primary_P0) words)
        (lean_preprocessing_item_delta_share share_Primary_P1 (grown_of plan_a share_Primary_P1)
          (grown_of plan_b share_Primary_P1) words)).

  Lemma same_ri : plan_ri plan_b = plan_ri plan_a.
  Proof. unfold plan_ri. rewrite !same_index. reflexivity. Qed.

  Theorem item_flags_point_at :
    lean_flags_sized n item_flags /\ lean_lemmas_flags_point_at item_flags n (plan_ri plan_a) = true.
  Proof.
    destruct (prepared_flags plan_a round fits_a rounds_over) as (a_0 & a_1 & a).
    destruct (prepared_flags plan_b round fits_b ltac:(rewrite same_purpose; exact rounds_over)) as (b_0 & b_1 & b).
    rewrite same_ri in b.
    (* By name: it takes seconds to find out that a size is not another's. *)
    assert (s : lean_flags_sized n item_flags) by exact (conj a_0 (conj a_1 (conj b_0 b_1))).
    split; [exact s|]. apply (flags_point_at_equations n); [exact s|]. exact (conj a b).
  Qed.

  Theorem item_material_points_at (words : list u64) : plan_purpose plan_a = lean_layers_Purpose_Update ->
    lean_material_sized n (item_material words) /\
    lean_lemmas_material_points_at (item_material words) n (plan_ri plan_a) = true.
  Proof.
    intros up. destruct item_flags_point_at as [sf flags].
    destruct (prepared_values plan_a round fits_a up rounds_over) as (a_0 & a_1 & a).
    destruct (prepared_values plan_b round fits_b ltac:(rewrite same_purpose; exact up)
      ltac:(rewrite same_purpose; exact rounds_over)) as (b_0 & b_1 & b).
    rewrite same_ri in b.
    assert (s : lean_material_sized n (item_material words)) by (split; [exact sf | repeat split; assumption]).
    split; [exact s|]. apply (material_points_at_equations n); [exact s|]. split; [exact flags|].
    assert (r_a : opened_value (item_material words) = plan_value plan_a).
    { unfold opened_value, item_material, grown_of, growing_after, growing_at, plan_value. cbn. ring. }
    assert (r_b : ring_Ring_minus (opened_value (item_material words)) (lean_update_Material_delta (item_material words))
      = plan_value plan_b).
    { rewrite r_a. unfold item_material, grown_of. cbn [lean_update_Material_delta].
      unfold lean_preprocessing_item_delta_share, lean_preprocessing_delta_share, growing_after, growing_at.
      cbn [lean_generation_Growing_purpose]. rewrite up.
      unfold lean_generation_value_share, plan_value. cbn. ring. }
    rewrite r_b, r_a. split; [exact a | exact b].
  Qed.
End Items.
