(* The generation of one DPF with its layers, both primaries round by round: whatever the roots, the triples and the dealt
   shares are, both have GEN's key for ri = ri_0 xor ri_1, and corrections of the layers that make the flags shares of e_ri and
   the values shares of R e_ri. *)
From Coq Require Import Lia.
From Duoram.lean Require Export OutputLayers.
From Duoram.Generated Require Import All.

#[global] Arguments dpf_next_level {P P_Prg} prg level correction : simpl never.
#[global] Arguments distributed_gen_child_sums {P P_Prg} prg level : simpl never.

(** * Depths *)

Lemma val_flag_bits (h : u64) : val (lean_layers_flag_bits h) = Z.min (val h) 7.
Proof.
  unfold lean_layers_flag_bits. change 7 with (val (repr 64 7)) at 3.
  destruct (iltb h (repr 64 7)) eqn:e; [apply iltb_lt in e; lia|].
  assert (~ val h < val (repr 64 7)) by (rewrite <- iltb_lt; congruence). lia.
Qed.
Lemma val_word_bits (h : u64) : val (lean_layers_word_bits h) = Z.min (val h) 3.
Proof.
  unfold lean_layers_word_bits. change 3 with (val (repr 64 3)) at 3.
  destruct (iltb h (repr 64 3)) eqn:e; [apply iltb_lt in e; lia|].
  assert (~ val h < val (repr 64 3)) by (rewrite <- iltb_lt; congruence). lia.
Qed.
Lemma val_flag_depth (h : u64) : val (lean_layers_flag_depth h) = val h - Z.min (val h) 7.
Proof.
  unfold lean_layers_flag_depth. pose proof (val_bounds h). rewrite val_wsub, val_flag_bits. apply Z.mod_small. lia.
Qed.
Lemma val_word_depth (h : u64) : val (lean_layers_word_depth h) = val h - Z.min (val h) 3.
Proof.
  unfold lean_layers_word_depth. pose proof (val_bounds h). rewrite val_wsub, val_word_bits. apply Z.mod_small. lia.
Qed.

(* The levels above the flag layer, above the word layer, and of a whole tree. *)
Definition flag_level (h : u64) : nat := nat_of (lean_layers_flag_depth h).
Definition word_level (h : u64) : nat := nat_of (lean_layers_word_depth h).
Definition tree_level (h : u64) (purpose : lean_layers_Purpose) : nat := nat_of (lean_layers_tree_depth h purpose).

Lemma flag_level_below (h : u64) (purpose : lean_layers_Purpose) : (flag_level h <= tree_level h purpose <= nat_of h)%nat.
Proof.
  unfold flag_level, tree_level, lean_layers_tree_depth.
  pose proof (Z_nat_of h). pose proof (Z_nat_of (lean_layers_flag_depth h)). pose proof (Z_nat_of (lean_layers_word_depth h)).
  rewrite val_flag_depth in *. rewrite val_word_depth in *. pose proof (val_bounds h). destruct purpose; lia.
Qed.

Lemma vector_add_comm {W : Type} {W_Ring : ring_Ring W} {W_Theory : RingTheory W} (a b : list W) :
  vector_add a b = vector_add b a.
Proof.
  unfold vector_add. revert b. induction a as [|x a IH]; intros [|y b]; cbn; try reflexivity. rewrite IH.
  f_equal. apply (Radd_comm (ring_theory_W W)).
Qed.

Section Generation.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Boolean : BooleanRing W}.
  Context {P : Type} {P_Prg : prg_Prg P} {P_Layers : lean_layers_Layers P} (prg : P).
  Context (h : u64) (h_small : val h < 64).
  Add Ring W_ring : (ring_theory_W W).
  Notation zero := (ring_Ring_zero W).
  Notation eight := (repr 64 8).

  (* What the primaries bring to one DPF, and what was dealt to each. *)
  Record dpf_plan : Type := {
    plan_purpose : lean_layers_Purpose;
    plan_index : share_Primary -> u64;
    plan_root : share_Primary -> u128;
    plan_mask : share_Primary -> u64;
    plan_common : W;
    plan_dealt : share_Primary -> lean_dealing_Dealt W;
  }.
  Implicit Types (plan : dpf_plan) (party : share_Primary) (k round : nat).

  Definition no_triple : du_atallah_AndTriple := mk_du_atallah_AndTriple (repr 128 0) (repr 128 0) (repr 128 0).

  (* What was dealt is as P2 deals it: App. A's triples of a bit, one a level; a one-hot block at r; for UPDATE a value there.
     The shares of ri are cut to h bits, those of r to the flag layer's. *)
  Record plan_fits plan : Prop := {
    fits_index : forall party, val (plan_index plan party) < 2 ^ val h;
    fits_mask : forall party, val (plan_mask plan party) < 2 ^ val (lean_layers_flag_bits h);
    fits_triples : forall k, (k < tree_level h (plan_purpose plan))%nat ->
      dealt_for_a_bit (nth k (lean_dealing_Dealt_triples (plan_dealt plan share_Primary_P0)) no_triple,
        nth k (lean_dealing_Dealt_triples (plan_dealt plan share_Primary_P1)) no_triple);
    fits_one_hot : lean_dealing_Dealt_one_hot (plan_dealt plan share_Primary_P1)
      = lean_one_hot_dealt_one_hot (lean_dealing_Dealt_one_hot (plan_dealt plan share_Primary_P0))
          (plan_mask plan share_Primary_P0) (plan_mask plan share_Primary_P1);
    fits_value : plan_purpose plan = lean_layers_Purpose_Update ->
      sized eight (lean_dealing_Dealt_value_one_hot (plan_dealt plan share_Primary_P0)) /\
      lean_dealing_Dealt_value_one_hot (plan_dealt plan share_Primary_P1)
      = lean_one_hot_dealt_value (lean_dealing_Dealt_value_one_hot (plan_dealt plan share_Primary_P0))
          (ring_Ring_plus (lean_dealing_Dealt_value_share (plan_dealt plan share_Primary_P0))
            (lean_dealing_Dealt_value_share (plan_dealt plan share_Primary_P1)))
          (ixor (plan_mask plan share_Primary_P0) (plan_mask plan share_Primary_P1));
  }.

  (* ri, and R = R'_0 + R'_1 + G. *)
  Definition plan_ri plan : u64 := ixor (plan_index plan share_Primary_P0) (plan_index plan share_Primary_P1).
  Definition plan_value plan : W :=
    ring_Ring_plus
      (ring_Ring_plus (lean_dealing_Dealt_value_share (plan_dealt plan share_Primary_P0))
        (lean_dealing_Dealt_value_share (plan_dealt plan share_Primary_P1)))
      (plan_common plan).

  (** * Both primaries' DPFs after k levels *)

  Definition plan_offset plan : u64 :=
    ixor (lean_one_hot_moved_share (plan_index plan share_Primary_P0) (plan_mask plan share_Primary_P0) (lean_layers_flag_bits h))
      (lean_one_hot_moved_share (plan_index plan share_Primary_P1) (plan_mask plan share_Primary_P1) (lean_layers_flag_bits h)).
  Definition plan_start plan party : u128 := distributed_gen_planted party (plan_root plan party).
  Definition plan_bits plan : list bool := path_bits (nat_of h) (val (plan_ri plan)).
  Definition plan_corrections plan : list dpf_Correction :=
    corrections_for prg (plan_start plan share_Primary_P0) (plan_start plan share_Primary_P1) (plan_bits plan).
  Definition plan_level plan party k : list u128 := levels prg (firstn k (plan_corrections plan)) [plan_start plan party].

  Definition growing_at plan party k (flag_correction : u128) (word_correction : list W) : lean_generation_Growing W :=
    mk_lean_generation_Growing h (plan_purpose plan) (plan_index plan party) (plan_mask plan party) (plan_common plan)
      (plan_dealt plan party) (plan_offset plan)
      (mk_lean_layers_LayeredKey (mk_dpf_Key (plan_start plan party) (firstn k (plan_corrections plan)))
        flag_correction word_correction)
      (plan_level plan party k).

  (* The shares of the corrections that a primary sends, and the corrections. *)
  Definition plan_one_hot plan party : u128 :=
    lean_one_hot_moved_block (lean_dealing_Dealt_one_hot (plan_dealt plan party)) (plan_offset plan).
  Definition plan_flag_share plan party : u128 :=
    ixor (lean_layers_flag_sum prg (plan_level plan party (flag_level h))) (plan_one_hot plan party).
  Definition plan_moved_value plan party : list W :=
    lean_one_hot_moved_value (lean_dealing_Dealt_value_one_hot (plan_dealt plan party)) (plan_offset plan)
      (plan_common plan) (plan_one_hot plan party).
  Definition plan_word_share plan party : list W :=
    vector_add (lean_layers_word_sum W prg (plan_level plan party (word_level h))) (plan_moved_value plan party).
  Definition plan_flag_correction plan : u128 :=
    ixor (plan_flag_share plan share_Primary_P0) (plan_flag_share plan share_Primary_P1).
  Definition plan_word_correction plan : list W :=
    vector_add (plan_word_share plan share_Primary_P0) (plan_word_share plan share_Primary_P1).

  (* After so many rounds. *)
  Definition growing_after plan party round : lean_generation_Growing W :=
    growing_at plan party (Nat.min round (tree_level h (plan_purpose plan)))
      (if (flag_level h <? round)%nat then plan_flag_correction plan else repr 128 0)
      (match plan_purpose plan with
       | lean_layers_Purpose_Read => []
       | lean_layers_Purpose_Update => if (word_level h <? round)%nat then plan_word_correction plan else []
       end).

  (** * One round *)

  (* What happens to one DPF of a batch at one primary, from what the other primary has. *)
  Definition one_round (own other : lean_generation_Growing W) (round : u64) : lean_generation_Growing W :=
    lean_preprocessing_after_round prg own
      (if lean_generation_has_level other then Some (lean_generation_level_operands prg other) else None)
      (match (if lean_generation_has_level own then Some (lean_generation_level_operands prg own) else None) with
       | Some operands => Some (lean_generation_level_opening prg other operands)
       | None => None
       end)
      (if lean_preprocessing_flags_due other round then Some (lean_generation_flag_share prg other) else None)
      (if lean_preprocessing_words_due other round then Some (lean_generation_word_share prg other) else None).

  Lemma plan_corrections_length plan : length (plan_corrections plan) = nat_of h.
  Proof. unfold plan_corrections, plan_bits. rewrite corrections_for_length, path_bits_length. reflexivity. Qed.

  Lemma growing_depth plan party k fc wc : (k <= nat_of h)%nat ->
    lean_generation_depth (growing_at plan party k fc wc) = of_nat k.
  Proof.
    intros hk. unfold lean_generation_depth, len. cbn. rewrite firstn_length, plan_corrections_length.
    f_equal. lia.
  Qed.

  Lemma small_nat k : (k <= nat_of h + 2)%nat -> Z.of_nat k < 2 ^ 64.
  Proof. pose proof (Z_nat_of h). lia. Qed.

  Lemma growing_has_level plan party k fc wc : (k <= nat_of h)%nat ->
    lean_generation_has_level (growing_at plan party k fc wc) = (k <? tree_level h (plan_purpose plan))%nat.
  Proof.
    intros hk. unfold lean_generation_has_level. rewrite growing_depth by assumption.
    cbn [growing_at lean_generation_Growing_log_size lean_generation_Growing_purpose].
    unfold iltb, tree_level. rewrite val_of_nat by (apply small_nat; lia).
    pose proof (Z_nat_of (lean_layers_tree_depth h (plan_purpose plan))).
    destruct (Z.ltb_spec (Z.of_nat k) (val (lean_layers_tree_depth h (plan_purpose plan)))),
      (Nat.ltb_spec k (nat_of (lean_layers_tree_depth h (plan_purpose plan)))); try reflexivity; lia.
  Qed.

  Lemma ieqb_of_nat_nat_of (x : u64) k : (k <= nat_of h + 2)%nat -> ieqb (of_nat k) x = Nat.eqb k (nat_of x).
  Proof.
    intros hk. rewrite <- (of_nat_nat_of x) at 1. apply ieqb_of_nat; [apply small_nat; assumption | apply nat_of_bound].
  Qed.

  Lemma growing_flags_due plan party k fc wc round : (k <= nat_of h)%nat -> (round <= nat_of h + 2)%nat ->
    lean_preprocessing_flags_due (growing_at plan party k fc wc) (of_nat round)
    = Nat.eqb k round && Nat.eqb round (flag_level h).
  Proof.
    intros hk hr. unfold lean_preprocessing_flags_due. rewrite growing_depth by assumption.
    rewrite ieqb_of_nat by (apply small_nat; lia). rewrite ieqb_of_nat_nat_of by assumption. reflexivity.
  Qed.

  Lemma growing_words_due plan party k fc wc round : (k <= nat_of h)%nat -> (round <= nat_of h + 2)%nat ->
    lean_preprocessing_words_due (growing_at plan party k fc wc) (of_nat round)
    = match plan_purpose plan with
      | lean_layers_Purpose_Read => false
      | lean_layers_Purpose_Update => Nat.eqb round (word_level h) && Nat.eqb k round
      end.
  Proof.
    intros hk hr. unfold lean_preprocessing_words_due. cbv zeta. rewrite growing_depth by assumption. cbn [growing_at lean_generation_Growing_purpose lean_generation_Growing_log_size].
    destruct (plan_purpose plan); [reflexivity|].
    rewrite ieqb_of_nat by (apply small_nat; lia). rewrite ieqb_of_nat_nat_of by assumption. reflexivity.
  Qed.

  Lemma starts_differ plan : block_flag (plan_start plan share_Primary_P0) <> block_flag (plan_start plan share_Primary_P1).
  Proof. unfold plan_start. cbn. rewrite !block_flag_with_flag. discriminate. Qed.

  Lemma plan_ri_below plan : plan_fits plan -> val (plan_ri plan) < 2 ^ val h.
  Proof. intros fits. pose proof (val_bounds h). apply ixor_below; [lia | apply (fits_index plan fits)..]. Qed.

  (* One level: both reconstruct GEN's correction. *)
  Lemma level_grows plan k fc_0 wc_0 fc_1 wc_1 : plan_fits plan -> (k < tree_level h (plan_purpose plan))%nat ->
    let own := growing_at plan share_Primary_P0 k fc_0 wc_0 in
    let other := growing_at plan share_Primary_P1 k fc_1 wc_1 in
    lean_generation_grown prg own (lean_generation_level_operands prg other)
      (lean_generation_level_opening prg other (lean_generation_level_operands prg own))
    = growing_at plan share_Primary_P0 (S k) fc_0 wc_0 /\
    lean_generation_grown prg other (lean_generation_level_operands prg own)
      (lean_generation_level_opening prg own (lean_generation_level_operands prg other))
    = growing_at plan share_Primary_P1 (S k) fc_1 wc_1.
  Proof.
    intros fits hk own other. pose proof (flag_level_below h (plan_purpose plan)) as [_ ht].
    assert (bit_of : forall party fc wc, lean_generation_level_bit (growing_at plan party k fc wc)
      = nth k (path_bits (nat_of h) (val (plan_index plan party))) false).
    { intros party fc wc. unfold lean_generation_level_bit. rewrite growing_depth, vector_at_nth by lia.
      cbn [growing_at lean_generation_Growing_random_index lean_generation_Growing_log_size].
      rewrite nat_of_of_nat by (apply small_nat; lia). rewrite address_bits_path by lia. reflexivity. }
    assert (triple_of : forall party fc wc, lean_generation_level_triple (growing_at plan party k fc wc)
      = nth k (lean_dealing_Dealt_triples (plan_dealt plan party)) no_triple).
    { intros party fc wc. unfold lean_generation_level_triple. rewrite growing_depth, vector_at_nth by lia.
      rewrite nat_of_of_nat by (apply small_nat; lia). reflexivity. }
    set (bit_0 := nth k (path_bits (nat_of h) (val (plan_index plan share_Primary_P0))) false) in *.
    set (bit_1 := nth k (path_bits (nat_of h) (val (plan_index plan share_Primary_P1))) false) in *.
    assert (bits : xorb bit_0 bit_1 = nth k (plan_bits plan) false).
    { unfold plan_bits, plan_ri. rewrite val_ixor, <- path_bits_lxor.
      rewrite (nth_map_combine _ _ _ k false false) by (rewrite path_bits_length; lia). reflexivity. }
    pose proof (next_correction prg (plan_start plan share_Primary_P0) (plan_start plan share_Primary_P1) (plan_bits plan) k
      bit_0 bit_1 _ (starts_differ plan) ltac:(unfold plan_bits; rewrite path_bits_length; lia) (fits_triples plan fits k hk) bits) as next.
    cbv zeta in next. fold (plan_corrections plan) in next.
    set (c := distributed_gen_correction_of _) in next.
    assert (c_0 : distributed_gen_reconstruct (lean_generation_level_operands prg own) (lean_generation_level_operands prg other)
        (lean_generation_level_opening prg own (lean_generation_level_operands prg other))
        (lean_generation_level_opening prg other (lean_generation_level_operands prg own)) = c).
    { unfold lean_generation_level_operands, lean_generation_level_opening, own, other. rewrite !bit_of, !triple_of. reflexivity. }
    assert (c_1 : distributed_gen_reconstruct (lean_generation_level_operands prg other) (lean_generation_level_operands prg own)
        (lean_generation_level_opening prg other (lean_generation_level_operands prg own))
        (lean_generation_level_opening prg own (lean_generation_level_operands prg other)) = c).
    { rewrite <- c_0. unfold distributed_gen_reconstruct. f_equal; [apply ixor_comm | f_equal; apply xorb_comm | apply xorb_comm]. }
    split.
    - unfold lean_generation_grown. rewrite c_0. unfold own, growing_at. cbn -[firstn concat]. rewrite concat_pair, <- next.
      f_equal. unfold plan_level. rewrite next, levels_snoc. reflexivity.
    - unfold lean_generation_grown. rewrite c_1. unfold other, growing_at. cbn -[firstn concat]. rewrite concat_pair, <- next.
      f_equal. unfold plan_level. rewrite next, levels_snoc. reflexivity.
  Qed.

  Lemma growing_flag_share plan party fc wc :
    lean_generation_flag_share prg (growing_at plan party (flag_level h) fc wc) = plan_flag_share plan party.
  Proof. reflexivity. Qed.
  Lemma growing_word_share plan party fc wc :
    lean_generation_word_share prg (growing_at plan party (word_level h) fc wc) = plan_word_share plan party.
  Proof. reflexivity. Qed.
  Lemma growing_with_flags plan party k fc wc (share : u128) :
    lean_generation_with_flag_correction prg (growing_at plan party k fc wc) share
    = growing_at plan party k (ixor (lean_generation_flag_share prg (growing_at plan party k fc wc)) share) wc.
  Proof. reflexivity. Qed.
  Lemma growing_with_words plan party k fc wc (share : list W) :
    lean_generation_with_word_correction prg (growing_at plan party k fc wc) share
    = growing_at plan party k fc (vector_add (lean_generation_word_share prg (growing_at plan party k fc wc)) share).
  Proof. reflexivity. Qed.

  (* A round takes both primaries from what they have after so many rounds to what they have after one more. *)
  Theorem round_grows plan round : plan_fits plan -> (round <= nat_of h + 1)%nat ->
    one_round (growing_after plan share_Primary_P0 round) (growing_after plan share_Primary_P1 round) (of_nat round)
      = growing_after plan share_Primary_P0 (S round) /\
    one_round (growing_after plan share_Primary_P1 round) (growing_after plan share_Primary_P0 round) (of_nat round)
      = growing_after plan share_Primary_P1 (S round).
  Proof.
    intros fits hr. pose proof (flag_level_below h (plan_purpose plan)) as [hf ht].
    unfold growing_after.
    set (D := tree_level h (plan_purpose plan)) in *. set (k := Nat.min round D).
    set (fc := if (flag_level h <? round)%nat then plan_flag_correction plan else repr 128 0).
    set (wc := match plan_purpose plan with lean_layers_Purpose_Read => [] | lean_layers_Purpose_Update =>
      if (word_level h <? round)%nat then plan_word_correction plan else [] end).
    set (fc' := if (flag_level h <? S round)%nat then plan_flag_correction plan else repr 128 0).
    set (wc' := match plan_purpose plan with lean_layers_Purpose_Read => [] | lean_layers_Purpose_Update =>
      if (word_level h <? S round)%nat then plan_word_correction plan else [] end).
    assert (hk : (k <= nat_of h)%nat) by lia.
    (* the corrections of the layers *)
    assert (flags : forall own other : share_Primary,
      ixor (plan_flag_share plan own) (plan_flag_share plan other) = plan_flag_correction plan ->
      match (if lean_preprocessing_flags_due (growing_at plan other k fc wc) (of_nat round)
             then Some (lean_generation_flag_share prg (growing_at plan other k fc wc)) else None) with
      | Some share => lean_generation_with_flag_correction prg (growing_at plan own k fc wc) share
      | None => growing_at plan own k fc wc end = growing_at plan own k fc' wc).
    { intros own other e. rewrite growing_flags_due by lia.
      destruct (Nat.eqb_spec round (flag_level h)) as [er|er].
      - assert (ek : k = flag_level h) by lia. rewrite ek, er, Nat.eqb_refl. cbn [andb].
        rewrite growing_with_flags, !growing_flag_share, e. unfold fc'. rewrite er.
        destruct (Nat.ltb_spec (flag_level h) (S (flag_level h))); [reflexivity | lia].
      - rewrite andb_false_r. f_equal. unfold fc, fc'.
        destruct (Nat.ltb_spec (flag_level h) round), (Nat.ltb_spec (flag_level h) (S round)); try reflexivity; lia. }
    assert (words : forall own other : share_Primary,
      vector_add (plan_word_share plan own) (plan_word_share plan other) = plan_word_correction plan ->
      match (if lean_preprocessing_words_due (growing_at plan other k fc wc) (of_nat round)
             then Some (lean_generation_word_share prg (growing_at plan other k fc wc)) else None) with
      | Some share => lean_generation_with_word_correction prg (growing_at plan own k fc' wc) share
      | None => growing_at plan own k fc' wc end = growing_at plan own k fc' wc').
    { intros own other e. rewrite growing_words_due by lia. subst wc wc' k D. unfold tree_level, lean_layers_tree_depth.
      destruct (plan_purpose plan); [reflexivity|]. fold (word_level h) in *.
      destruct (Nat.eqb_spec round (word_level h)) as [er|er].
      - rewrite er, Nat.min_id, Nat.eqb_refl. cbn [andb].
        rewrite growing_with_words, !growing_word_share, e.
        destruct (Nat.ltb_spec (word_level h) (S (word_level h))); [reflexivity | lia].
      - cbn [andb]. f_equal.
        destruct (Nat.ltb_spec (word_level h) round), (Nat.ltb_spec (word_level h) (S round)); try reflexivity; lia. }
    unfold one_round, lean_preprocessing_after_round. cbv zeta.
    rewrite !(flags share_Primary_P0 share_Primary_P1 eq_refl), !(flags share_Primary_P1 share_Primary_P0 (ixor_comm _ _)).
    rewrite !(words share_Primary_P0 share_Primary_P1 eq_refl), !(words share_Primary_P1 share_Primary_P0 (vector_add_comm _ _)).
    rewrite !growing_has_level by lia. fold D.
    destruct (Nat.ltb_spec k D) as [l|l].
    - replace (Nat.min (S round) D) with (S k) by lia.
      destruct (level_grows plan k fc' wc' fc' wc' fits l) as [g_0 g_1]. split; [exact g_0 | exact g_1].
    - replace (Nat.min (S round) D) with k by lia. split; reflexivity.
  Qed.
End Generation.
