(* The DPF is correct [duoram, section 2.1.1, Definition 2], after Boyle, Gilboa and Ishai [bgi16]: EVALFULL agrees with
   EVAL, GEN's keys point at the target, with F they share the point function, and the shares of the deferred F fit
   [duoram, sections 4 and 4.1.1]. The PRG is any pair of functions on blocks; the roots and the target are any. *)
From Coq Require Import Lia.
From Duoram.core Require Export DpfTreeFacts.
From Duoram.Generated Require Import All.

Section Evaluation.
  Context {P : Type} {P_Prg : prg_Prg P} (prg : P).

  (* EVALFULL of a key of height h has 2^h labels [duoram, section 2.1.1]. *)
  Theorem dpf_eval_full_length (key : dpf_Key) :
    length (dpf_eval_full prg key) = (2 ^ length (dpf_Key_corrections key))%nat.
  Proof. rewrite eval_full_levels, levels_length. cbn [length]. lia. Qed.

  (* EVALFULL agrees with EVAL: for any key, also one that GEN did not make, of height h <= 64, the label at each
     address < 2^h is EVAL's [duoram, section 2.1.1]. *)
  Theorem dpf_eval_full_agrees_with_eval (key : dpf_Key) (address : u64) :
    Z.of_nat (length (dpf_Key_corrections key)) <= 64 ->
    val address < 2 ^ Z.of_nat (length (dpf_Key_corrections key)) ->
    dpf_leaf (dpf_eval_full prg key) address = dpf_eval prg key address.
  Proof.
    intros hh ha. unfold dpf_leaf. rewrite vector_at_nth, cast_same.
    assert (hn : (nat_of address < 2 ^ length (dpf_Key_corrections key))%nat).
    { apply Nat2Z.inj_lt. rewrite Z_nat_of, Nat2Z.inj_pow. assumption. }
    rewrite eval_full_levels, nth_levels by (cbn [length]; lia).
    rewrite eval_walk, Z_nat_of, Nat.div_small by assumption. reflexivity.
  Qed.

  (* The same with the list's own element function. *)
  Corollary dpf_nth_eval_full (key : dpf_Key) (address : u64) :
    Z.of_nat (length (dpf_Key_corrections key)) <= 64 ->
    val address < 2 ^ Z.of_nat (length (dpf_Key_corrections key)) ->
    nth (nat_of address) (dpf_eval_full prg key) (repr 128 0) = dpf_eval prg key address.
  Proof.
    intros hh ha. rewrite <- dpf_eval_full_agrees_with_eval by assumption. unfold dpf_leaf.
    rewrite vector_at_nth, cast_same. reflexivity.
  Qed.
End Evaluation.

Section Generation.
  Context {P : Type} {P_Prg : prg_Prg P} (prg : P).
  Context (target h : u64) (root_0 root_1 : u128).
  Notation key_0 := (fst (dealer_generate prg target h root_0 root_1)).
  Notation key_1 := (snd (dealer_generate prg target h root_0 root_1)).

  (* GEN's keys differ only in the root; their height is h. *)
  Theorem dpf_generate_shape :
    dpf_Key_corrections key_0 = dpf_Key_corrections key_1 /\ length (dpf_Key_corrections key_0) = nat_of h
    /\ dpf_Key_root key_0 = block_with_flag root_0 false /\ dpf_Key_root key_1 = block_with_flag root_1 true.
  Proof.
    rewrite generate_keys_for. cbn. rewrite corrections_for_length, dpf_address_bits_length. auto.
  Qed.

  Lemma generate_height_0 : length (dpf_Key_corrections key_0) = nat_of h.
  Proof. apply dpf_generate_shape. Qed.
  Lemma generate_height_1 : length (dpf_Key_corrections key_1) = nat_of h.
  Proof. rewrite <- (proj1 dpf_generate_shape). apply generate_height_0. Qed.

  Lemma eval_generate (address : u64) : val h <= 64 ->
    let corrections := corrections_for prg (block_with_flag root_0 false) (block_with_flag root_1 true)
      (path_bits (nat_of h) (val target)) in
    dpf_eval prg key_0 address
      = walk prg (block_with_flag root_0 false) corrections (path_bits (nat_of h) (val address)) /\
    dpf_eval prg key_1 address
      = walk prg (block_with_flag root_1 true) corrections (path_bits (nat_of h) (val address)).
  Proof.
    intros hh. cbv zeta. rewrite <- (Z_nat_of h) in hh.
    rewrite !eval_walk by (rewrite ?generate_height_0, ?generate_height_1; assumption).
    rewrite generate_height_0, generate_height_1, generate_keys_for, address_bits_path
      by (rewrite <- Z_nat_of; assumption).
    split; reflexivity.
  Qed.

  Lemma roots_differ : block_flag (block_with_flag root_0 false) <> block_flag (block_with_flag root_1 true).
  Proof. rewrite !block_flag_with_flag. discriminate. Qed.

  (* GEN / EVAL: at every address other than the target the two labels are equal [duoram, section 2.1.1]; for heights up
     to 64, and target and address below 2^h. *)
  Theorem dpf_labels_agree_off_target (address : u64) : val h <= 64 ->
    val target < 2 ^ val h -> val address < 2 ^ val h -> address <> target ->
    dpf_eval prg key_0 address = dpf_eval prg key_1 address.
  Proof.
    intros hh ht ha ne. destruct (eval_generate address hh) as [-> ->].
    apply walks_off_path; [apply roots_differ | rewrite !path_bits_length; reflexivity |].
    intros e. apply ne, int_ext. pose proof (val_bounds address). pose proof (val_bounds target).
    apply (path_bits_inj (nat_of h)); rewrite ?Z_nat_of; try assumption; lia.
  Qed.

  (* GEN / EVAL: at the target the two flags differ [duoram, section 2.1.1]. *)
  Theorem dpf_flags_differ_at_target : val h <= 64 ->
    block_flag (dpf_eval prg key_0 target) <> block_flag (dpf_eval prg key_1 target).
  Proof.
    intros hh. destruct (eval_generate target hh) as [-> ->]. apply walks_on_path, roots_differ.
  Qed.

  (* GEN / EVALFULL: the leaves point at the target, as `lemmas::leaves_point_at` says it, for h < 64 and a target
     below 2^h [duoram, section 2.1.1]. *)
  Theorem dpf_leaves_point_at : val h < 64 -> val target < 2 ^ val h ->
    lemmas_leaves_point_at (dpf_eval_full prg key_0) (dpf_eval_full prg key_1) target = true.
  Proof.
    intros hh ht. rewrite <- (Z_nat_of h) in hh, ht.
    assert (small : 2 ^ Z.of_nat (nat_of h) < 2 ^ 64) by (apply Z.pow_lt_mono_r; lia).
    apply leaves_point_at_iff;
      rewrite ?dpf_eval_full_length, ?generate_height_0, ?generate_height_1, ?Nat2Z.inj_pow; try assumption.
    split; [reflexivity|]. intros k hk. apply Nat2Z.inj_lt in hk. rewrite Nat2Z.inj_pow in hk.
    change (Z.of_nat 2) with 2 in hk.
    assert (ek : k = nat_of (of_nat k)) by (rewrite nat_of_of_nat; lia).
    assert (vk : val (of_nat k) = Z.of_nat k) by (apply val_of_nat; lia).
    assert (leaf : nth k (dpf_eval_full prg key_0) (repr 128 0) = dpf_eval prg key_0 (of_nat k) /\
                   nth k (dpf_eval_full prg key_1) (repr 128 0) = dpf_eval prg key_1 (of_nat k)).
    { rewrite ek at 1 3. split; apply dpf_nth_eval_full;
        rewrite ?generate_height_0, ?generate_height_1; lia. }
    destruct leaf as [-> ->]. rewrite Z_nat_of in *.
    destruct (Nat.eqb_spec k (nat_of target)) as [e|ne].
    - rewrite e, of_nat_nat_of. apply dpf_flags_differ_at_target. lia.
    - apply dpf_labels_agree_off_target; try lia. intros e. apply ne. rewrite ek, e. reflexivity.
  Qed.
End Generation.

(* What pointing at the target means for the flags: they XOR to the unit vector, as bits
   [duoram, section 4.1.1]. *)
Theorem leaf_flags_xor_to_unit_vector (labels_0 labels_1 : list u128) (target : u64) :
  Z.of_nat (length labels_0) < 2 ^ 64 -> Z.of_nat (length labels_1) < 2 ^ 64 ->
  lemmas_leaves_point_at labels_0 labels_1 target = true ->
  map (fun '(t_0, t_1) => xorb t_0 t_1) (combine (dpf_leaf_flags labels_0) (dpf_leaf_flags labels_1))
  = map (fun k => Nat.eqb k (nat_of target)) (seq 0 (length labels_0)).
Proof.
  intros h_0 h_1 h. apply leaves_point_at_iff in h; [|assumption|assumption]. destruct h as [hl h].
  apply (list_ext false).
  - rewrite map_combine_length; unfold dpf_leaf_flags; rewrite !map_length, ?seq_length; auto.
  - intros k hk. rewrite map_combine_length in hk; unfold dpf_leaf_flags in *; rewrite !map_length in *; auto.
    rewrite (nth_map_combine _ _ _ k false false) by (rewrite map_length; lia).
    rewrite !(nth_map _ _ k (repr 128 0)) by lia.
    rewrite (nth_map _ _ k O), seq_nth by (rewrite ?seq_length; assumption).
    specialize (h k hk). cbn [Nat.add]. destruct (Nat.eqb k (nat_of target)).
    + apply xorb_true_iff, h.
    + rewrite h. apply xorb_nilpotent.
Qed.

Section Values.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Laws : RingLaws W}.
  Context {P : Type} {P_Prg : prg_Prg P} (prg : P).
  Add Ring W_ring : (ring_theory_W W).

  (* One leaf: with F the words at the target add up to m, and equal labels to zero. *)
  Lemma leaf_values_at_target (label_0 label_1 : u128) (m : W) : block_flag label_0 <> block_flag label_1 ->
    let f := dealer_final_correction label_0 label_1 m in
    ring_Ring_plus (dealer_leaf_value share_Primary_P0 label_0 f) (dealer_leaf_value share_Primary_P1 label_1 f) = m.
  Proof.
    intros h. unfold dealer_leaf_value, dealer_final_correction. cbn.
    destruct (block_flag label_0), (block_flag label_1); try congruence; ring.
  Qed.

  Lemma leaf_values_cancel (label : u128) (f : W) :
    ring_Ring_plus (dealer_leaf_value share_Primary_P0 label f) (dealer_leaf_value share_Primary_P1 label f)
    = ring_Ring_zero W.
  Proof. unfold dealer_leaf_value. cbn. ring. Qed.

  (* GEN / EVAL of Definition 2: the two values at each address < 2^h add up to the point function that is m at the
     target and zero elsewhere, for h <= 64 and a target below 2^h [duoram, Definitions 1 and 2]. *)
  Theorem dpf_value_is_point_function (target h : u64) (m : W) (root_0 root_1 : u128) (address : u64) :
    val h <= 64 -> val target < 2 ^ val h -> val address < 2 ^ val h ->
    let '(key_0, key_1) := dealer_generate_value prg target h m root_0 root_1 in
    share_additive_open (dealer_eval_value prg share_Primary_P0 key_0 address)
      (dealer_eval_value prg share_Primary_P1 key_1 address)
    = if ieqb address target then m else ring_Ring_zero W.
  Proof.
    intros hh ht ha. unfold dealer_generate_value.
    pose proof (dpf_labels_agree_off_target prg target h root_0 root_1 address hh ht ha) as off.
    pose proof (dpf_flags_differ_at_target prg target h root_0 root_1 hh) as on.
    destruct (dealer_generate prg target h root_0 root_1) as [key_0 key_1]. cbn [fst snd] in *.
    unfold share_additive_open, dealer_eval_value. cbn [dealer_ValueKey_key dealer_ValueKey_final_correction].
    destruct (ieqb_reflect address target) as [->|ne].
    - apply leaf_values_at_target, on.
    - rewrite off by assumption. apply leaf_values_cancel.
  Qed.

  (** * The deferred final correction word

      For any two lists of labels that point at the target: GEN's by [dpf_leaves_point_at], App. C's by
      [distributed_generation_leaves_point_at]. *)

  Section Deferred.
    Context (labels_0 labels_1 : list u128) (target : u64).
    Hypothesis small_0 : Z.of_nat (length labels_0) < 2 ^ 64.
    Hypothesis small_1 : Z.of_nat (length labels_1) < 2 ^ 64.
    Hypothesis points : lemmas_leaves_point_at labels_0 labels_1 target = true.
    Notation words_0 := (dpf_value_words W share_Primary_P0 labels_0).
    Notation words_1 := (dpf_value_words W share_Primary_P1 labels_1).
    Notation deferred := (dealer_deferred_final_correction W labels_0 labels_1 target).
    Notation zero := (ring_Ring_zero W).

    Lemma value_words_length party labels : length (dpf_value_words W party labels) = length labels.
    Proof. apply map_length. Qed.
    Lemma nth_value_words party labels (k : nat) : (k < length labels)%nat ->
      nth k (dpf_value_words W party labels) zero
      = share_signed party (ring_Ring_value_word W (nth k labels (repr 128 0))).
    Proof.
      intros h. unfold dpf_value_words.
      apply (nth_map (fun label => share_signed party (ring_Ring_value_word W label))), h.
    Qed.

    Lemma labels_length : length labels_0 = length labels_1.
    Proof. pose proof points as h. apply leaves_point_at_iff in h; tauto. Qed.

    Lemma value_words_add_length : length (vector_add words_0 words_1) = length labels_0.
    Proof. rewrite vector_add_length; rewrite !value_words_length; auto using labels_length. Qed.

    (* The signed words add up to zero but at the target, and to minus the deferred F there. *)
    Theorem value_words_add_up (k : nat) : (k < length labels_0)%nat ->
      nth k (vector_add words_0 words_1) zero
      = if Nat.eqb k (nat_of target) then ring_Ring_negated deferred else zero.
    Proof.
      intros hk. pose proof labels_length as hl. pose proof points as h.
      apply leaves_point_at_iff in h; [|assumption|assumption]. apply proj2 in h. specialize (h k hk).
      rewrite nth_vector_add, !nth_value_words by (rewrite ?value_words_length; lia). cbn [share_signed].
      destruct (Nat.eqb_spec k (nat_of target)) as [->|ne].
      - unfold dealer_deferred_final_correction, dpf_leaf. rewrite !vector_at_nth, !cast_same. ring.
      - rewrite h. ring.
    Qed.

    (* The deferred F is minus the sum of the two signed words at the target [duoram, section 4]. *)
    Theorem deferred_final_correction_at_target : (nat_of target < length labels_0)%nat ->
      deferred = ring_Ring_negated
        (ring_Ring_plus (nth (nat_of target) words_0 zero) (nth (nat_of target) words_1 zero)).
    Proof.
      intros ht. pose proof labels_length as hl. pose proof (value_words_add_up _ ht) as h.
      rewrite Nat.eqb_refl, nth_vector_add in h by (rewrite !value_words_length; lia). rewrite h. ring.
    Qed.

    (* The parties' shares, each minus the sum of its own words, add up to it [duoram, sections 4 and 4.1.1]. *)
    Theorem deferred_final_correction_shares_add_up : (nat_of target < length labels_0)%nat ->
      share_additive_open (dealer_final_correction_share words_0) (dealer_final_correction_share words_1) = deferred.
    Proof.
      intros ht. unfold share_additive_open, dealer_final_correction_share.
      assert (h : ring_Ring_plus (vector_sum words_0) (vector_sum words_1) = ring_Ring_negated deferred).
      { rewrite <- vector_sum_add by (rewrite !value_words_length; apply labels_length).
        rewrite (vector_sum_point _ (nat_of target)), value_words_add_up, Nat.eqb_refl; [reflexivity | assumption |].
        intros k hk ne. rewrite value_words_add_length in hk. rewrite value_words_add_up by assumption.
        destruct (Nat.eqb_spec k (nat_of target)); [contradiction | reflexivity]. }
      rewrite <- (Radd_0_l (ring_theory_W W) deferred). replace zero with
        (ring_Ring_plus (ring_Ring_plus (vector_sum words_0) (vector_sum words_1))
          (ring_Ring_negated (ring_Ring_plus (vector_sum words_0) (vector_sum words_1)))) by ring.
      rewrite h at 1. ring.
    Qed.

    (* So v_0 + v_1 + F e_target = 0, as `lemmas::sums_to_zero` says it [duoram, section 4.1.1]. *)
    Theorem deferred_final_correction_sums_to_zero : (nat_of target < length labels_0)%nat ->
      lemmas_sums_to_zero words_0 words_1
        (ring_Ring_plus (dealer_final_correction_share words_0) (dealer_final_correction_share words_1)) target = true.
    Proof.
      intros ht. pose proof (deferred_final_correction_shares_add_up ht) as h. unfold share_additive_open in h.
      rewrite h. unfold lemmas_sums_to_zero. rewrite cast_same.
      assert (hn : nat_of (len words_0) = length labels_0)
        by (rewrite nat_of_len; rewrite value_words_length; auto).
      assert (hs : length (vector_scale deferred (vector_unit_vector W (len words_0) target)) = length labels_0)
        by (rewrite vector_scale_length, vector_unit_vector_length; assumption).
      apply same_vector_of_eq, (list_ext zero).
      - rewrite vector_zeros_length, vector_add_length by (rewrite value_words_add_length; congruence).
        rewrite value_words_add_length. congruence.
      - intros k hk. rewrite vector_add_length, value_words_add_length in hk
          by (rewrite value_words_add_length; congruence).
        rewrite nth_vector_add by (rewrite value_words_add_length; congruence).
        rewrite nth_vector_zeros, value_words_add_up, nth_vector_scale, nth_vector_unit_vector by lia.
        destruct (Nat.eqb k (nat_of target)); ring.
    Qed.
  End Deferred.

  (* GEN's keys, for h < 64 and a target below 2^h: the shares of the deferred F that the parties compute from their
     EVALFULL add up to minus the sum of the two signed words at the target [duoram, section 4]. *)
  Corollary dpf_deferred_final_correction (target h : u64) (root_0 root_1 : u128) :
    val h < 64 -> val target < 2 ^ val h ->
    let '(key_0, key_1) := dealer_generate prg target h root_0 root_1 in
    let labels_0 := dpf_eval_full prg key_0 in
    let labels_1 := dpf_eval_full prg key_1 in
    share_additive_open
      (dealer_final_correction_share (dpf_value_words W share_Primary_P0 labels_0))
      (dealer_final_correction_share (dpf_value_words W share_Primary_P1 labels_1))
    = dealer_deferred_final_correction W labels_0 labels_1 target.
  Proof.
    intros hh ht. pose proof (dpf_leaves_point_at prg target h root_0 root_1 hh ht) as points.
    pose proof (generate_height_0 prg target h root_0 root_1) as h_0.
    pose proof (generate_height_1 prg target h root_0 root_1) as h_1.
    destruct (dealer_generate prg target h root_0 root_1) as [key_0 key_1]. cbn [fst snd] in *. cbv zeta.
    rewrite <- (Z_nat_of h) in hh, ht.
    assert (2 ^ Z.of_nat (nat_of h) < 2 ^ 64) by (apply Z.pow_lt_mono_r; lia).
    apply deferred_final_correction_shares_add_up; try assumption;
      try (apply Nat2Z.inj_lt; rewrite Z_nat_of);
      rewrite dpf_eval_full_length, ?h_0, ?h_1, Nat2Z.inj_pow; assumption.
  Qed.
End Values.

(* For the 64-bit words of the implementation. *)
Definition dpf_value_is_point_function_u64 {P : Type} {P_Prg : prg_Prg P} (prg : P) :=
  dpf_value_is_point_function (W := u64) prg.
Definition deferred_final_correction_shares_add_up_u64 := deferred_final_correction_shares_add_up (W := u64).
