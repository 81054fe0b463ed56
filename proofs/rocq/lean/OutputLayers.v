(* The output layers: for trees that agree at a depth but for one node pair, where the flags differ, the corrections as
   specified turn both sides' flags into shares of a unit vector, and both sides' values into shares of R times it.

   Nothing is asked of the PRG's outputs ([lean_layers_Layers]). Words are those of any boolean ring. *)
From Coq Require Import Lia.
From Duoram.core Require Export TreeLevels.
From Duoram.lean Require Export OneHot.
From Duoram.Generated Require Import All.

#[global] Arguments lean_layers_flag_block {P P_Layers} prg label : simpl never.
#[global] Arguments lean_layers_node_words W {W_Ring P P_Layers} prg label : simpl never.
#[global] Arguments lean_layers_node_flags {P P_Layers} prg label correction bits : simpl never.
#[global] Arguments lean_layers_node_values {W W_Ring P P_Layers} prg label correction bits : simpl never.
#[global] Arguments lean_layers_flag_sum {P P_Layers} prg labels : simpl never.
#[global] Arguments lean_layers_word_sum W {W_Ring P P_Layers} prg labels : simpl never.

(* 2^k *)
Lemma val_power (k : u64) : val k < 64 -> val (wshl (repr 64 1) (cast 32 k)) = 2 ^ val k.
Proof.
  intros h. pose proof (val_bounds k).
  assert (e : val (cast 32 k) = val k) by (rewrite val_cast; apply Z.mod_small; lia).
  rewrite val_wshl, e by (rewrite e; lia). change (val (repr 64 1)) with 1. rewrite Z.mul_1_l.
  apply Z.mod_small. split; [apply Z.pow_nonneg; lia | apply Z.pow_lt_mono_r; lia].
Qed.
Lemma nat_of_power (k : u64) : val k < 64 -> nat_of (wshl (repr 64 1) (cast 32 k)) = (2 ^ nat_of k)%nat.
Proof.
  intros h. apply Nat2Z.inj. rewrite Z_nat_of, val_power, Nat2Z.inj_pow, Z_nat_of by assumption. reflexivity.
Qed.

Section Layers.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Boolean : BooleanRing W}.
  Context {P : Type} {P_Layers : lean_layers_Layers P} (prg : P).
  Add Ring W_ring : (ring_theory_W W).
  Notation zero := (ring_Ring_zero W).
  Notation one := (ring_Ring_one W).
  Notation "x [+] y" := (ring_Ring_plus x y) (at level 50, left associativity).
  Notation "x [*] y" := (ring_Ring_times x y) (at level 40, left associativity).

  (** * Blocks of B words a node *)

  Section Blocks.
    Context (f : u128 -> list W) (B : nat) (f_length : forall label, length (f label) = B).

    Lemma nth_flat_map_cons (z : u128) (l : list u128) (k : nat) : nth k (flat_map f (z :: l)) zero
      = if (k <? B)%nat then nth k (f z) zero else nth (k - B) (flat_map f l) zero.
    Proof.
      cbn [flat_map]. destruct (Nat.ltb_spec k B).
      - apply app_nth1. rewrite f_length. assumption.
      - rewrite app_nth2, f_length by (rewrite f_length; assumption). reflexivity.
    Qed.

    Lemma flat_map_blocks_length (l : list u128) : length (flat_map f l) = (length l * B)%nat.
    Proof. induction l as [|z l IH]; cbn [flat_map length]; [reflexivity|]. rewrite app_length, f_length, IH. lia. Qed.

    (* Equal nodes cancel, and what the differing nodes add up to is left. *)
    Lemma blocks_add_up (before after : list u128) (x y : u128) (c : nat) (R : W) : (c < B)%nat ->
      (forall k, (k < B)%nat -> nth k (f x) zero [+] nth k (f y) zero = if Nat.eqb k c then R else zero) ->
      forall k, nth k (flat_map f (before ++ x :: after)) zero [+] nth k (flat_map f (before ++ y :: after)) zero
        = if Nat.eqb k (length before * B + c) then R else zero.
    Proof.
      intros hc h. induction before as [|z before IH]; intros k; cbn [app length]; rewrite !nth_flat_map_cons.
      - cbn [Nat.mul Nat.add]. destruct (Nat.ltb_spec k B); [apply h; assumption|].
        destruct (Nat.eqb_spec k c); [lia|]. apply ring_plus_self.
      - destruct (Nat.ltb_spec k B).
        + destruct (Nat.eqb_spec k (S (length before) * B + c)); [lia|]. apply ring_plus_self.
        + rewrite IH. destruct (Nat.eqb_spec (k - B) (length before * B + c)), (Nat.eqb_spec k (S (length before) * B + c));
            try reflexivity; lia.
    Qed.

    Lemma blocks_point_at (labels_0 labels_1 : list u128) (i c : nat) (x y : u128) (R : W) (n j : u64) :
      differ_at labels_0 labels_1 i x y -> (c < B)%nat ->
      (forall k, (k < B)%nat -> nth k (f x) zero [+] nth k (f y) zero = if Nat.eqb k c then R else zero) ->
      nat_of n = (length labels_0 * B)%nat -> nat_of j = (i * B + c)%nat ->
      sized n (flat_map f labels_0) /\ sized n (flat_map f labels_1) /\
      vector_add (flat_map f labels_0) (flat_map f labels_1) = vector_scale R (vector_unit_vector W n j).
    Proof.
      intros (_ & before & after & hi & e_0 & e_1) hc h hn hj.
      assert (hl : length labels_1 = length labels_0) by (subst; rewrite !app_length; reflexivity).
      assert (s_0 : sized n (flat_map f labels_0)) by (unfold sized; rewrite flat_map_blocks_length; congruence).
      assert (s_1 : sized n (flat_map f labels_1)) by (unfold sized; rewrite flat_map_blocks_length; congruence).
      repeat split; [assumption..|]. apply (sized_ext n); auto with sizes. intros k hk.
      rewrite (nth_add n), nth_vector_scale, nth_vector_unit_vector, hj by assumption. subst labels_0 labels_1 i.
      rewrite (blocks_add_up before after x y c R hc h). destruct (Nat.eqb _ _); ring.
    Qed.
  End Blocks.

  (** * The flag layer *)

  Definition flags_of (labels : list u128) (correction : u128) (bits : u64) : list W :=
    flat_map (fun label => bit_words (lean_layers_node_flags prg label correction bits)) labels.

  Lemma flag_sums_differ (labels_0 labels_1 : list u128) (i : nat) (x y : u128) : differ_at labels_0 labels_1 i x y ->
    ixor (lean_layers_flag_sum prg labels_0) (lean_layers_flag_sum prg labels_1)
    = ixor (lean_layers_flag_block prg x) (lean_layers_flag_block prg y).
  Proof. intros (_ & before & after & _ & -> & ->). apply xor_sums_differ. Qed.

  (* With CWf made of both sides' sums and shares of the one-hot block at q, the flags of all leaves are shares of
     e_(i 2^kf + q). *)
  Theorem flag_layer_points_at (labels_0 labels_1 : list u128) (i : nat) (x y o_0 o_1 cw : u128) (bits q n j : u64) :
    differ_at labels_0 labels_1 i x y -> val bits <= 7 -> val q < 2 ^ val bits ->
    ixor o_0 o_1 = lean_layers_one_hot_block q ->
    cw = ixor (ixor (lean_layers_flag_sum prg labels_0) o_0) (ixor (lean_layers_flag_sum prg labels_1) o_1) ->
    nat_of n = (length labels_0 * 2 ^ nat_of bits)%nat -> nat_of j = (i * 2 ^ nat_of bits + nat_of q)%nat ->
    sized n (flags_of labels_0 cw bits) /\ sized n (flags_of labels_1 cw bits) /\
    vector_add (flags_of labels_0 cw bits) (flags_of labels_1 cw bits) = vector_unit_vector W n j.
  Proof.
    intros h hb hq ho hcw hn hj. pose proof (val_bounds q). pose proof (val_bounds bits).
    assert (small : 2 ^ val bits <= 2 ^ 7) by (apply Z.pow_le_mono_r; lia).
    assert (hp : nat_of (wshl (repr 64 1) (cast 32 bits)) = (2 ^ nat_of bits)%nat) by (apply nat_of_power; lia).
    assert (hz : Z.of_nat (2 ^ nat_of bits) = 2 ^ val bits) by (rewrite Nat2Z.inj_pow, Z_nat_of; reflexivity).
    pose proof (Z_nat_of q) as hzq.
    assert (e : vector_unit_vector W n j = vector_scale one (vector_unit_vector W n j))
      by (apply (sized_ext n); auto with sizes; intros; rewrite nth_vector_scale; ring).
    rewrite e. unfold flags_of.
    apply (blocks_point_at _ (2 ^ nat_of bits)) with (i := i) (c := nat_of q) (x := x) (y := y); try assumption; try lia.
    - intros label. unfold bit_words, lean_layers_node_flags. rewrite map_length, map_range_0_length. assumption.
    - intros k hk. rewrite !nth_bit_words, bit_word_xorb. unfold lean_layers_node_flags. cbv zeta.
      rewrite !nth_map_range_0 by (rewrite hp; assumption).
      rewrite <- block_bit_ixor.
      assert (hx : ixor
          (ixor (lean_layers_flag_block prg x) (iand (block_replicate (block_flag x)) cw))
          (ixor (lean_layers_flag_block prg y) (iand (block_replicate (block_flag y)) cw)) = lean_layers_one_hot_block q).
      { rewrite !iand_replicate, <- ho. pose proof (flag_sums_differ _ _ _ _ _ h) as sums.
        assert (hcw' : cw = ixor (ixor (lean_layers_flag_block prg x) (lean_layers_flag_block prg y)) (ixor o_0 o_1))
          by (rewrite hcw, <- sums; xor_and).
        destruct h as [hf _]. rewrite hcw'. destruct (block_flag x), (block_flag y); try congruence; xor_and. }
      rewrite hx, block_bit_one_hot by (rewrite ?val_of_nat; lia).
      rewrite <- (of_nat_nat_of q) at 1. rewrite ieqb_of_nat by lia. reflexivity.
  Qed.

  (** * The word layer *)

  Definition values_of (labels : list u128) (correction : list W) (bits : u64) : list W :=
    flat_map (fun label => lean_layers_node_values prg label correction bits) labels.

  Notation eight := (repr 64 8).

  Lemma node_words_sized (label : u128) : sized eight (lean_layers_node_words W prg label).
  Proof. reflexivity. Qed.

  Lemma word_sum_sized (labels : list u128) : sized eight (lean_layers_word_sum W prg labels).
  Proof.
    unfold lean_layers_word_sum. apply fold_left_invariant; [apply sized_zeros|].
    intros s x _ hs. cbv zeta. apply sized_add; [assumption | apply node_words_sized].
  Qed.

  Lemma nth_word_sum (labels : list u128) (k : nat) : nth k (lean_layers_word_sum W prg labels) zero
    = vector_sum (map (fun label => nth k (lean_layers_node_words W prg label) zero) labels).
  Proof.
    unfold lean_layers_word_sum.
    assert (g : forall start, sized eight start ->
      nth k (fold_left (fun sum label => vector_add sum (lean_layers_node_words W prg label)) labels start) zero
      = nth k start zero [+] vector_sum (map (fun label => nth k (lean_layers_node_words W prg label) zero) labels)).
    { induction labels as [|z labels IH]; intros start hs; cbn [fold_left map].
      - unfold vector_sum. cbn [fold_left]. ring.
      - rewrite IH by (apply sized_add; [assumption | apply node_words_sized]).
        rewrite (nth_add eight) by (assumption || apply node_words_sized). rewrite vector_sum_cons. ring. }
    cbv zeta. rewrite g by apply sized_zeros. rewrite nth_vector_zeros. ring.
  Qed.

  Lemma word_sums_differ (labels_0 labels_1 : list u128) (i k : nat) (x y : u128) : differ_at labels_0 labels_1 i x y ->
    nth k (lean_layers_word_sum W prg labels_0) zero [+] nth k (lean_layers_word_sum W prg labels_1) zero
    = nth k (lean_layers_node_words W prg x) zero [+] nth k (lean_layers_node_words W prg y) zero.
  Proof.
    intros (_ & before & after & _ & -> & ->). rewrite !nth_word_sum.
    set (g := fun label => nth k (lean_layers_node_words W prg label) zero).
    assert (split : forall z, vector_sum (map g (before ++ z :: after))
      = g z [+] vector_sum (map g (before ++ after))).
    { intros z. induction before as [|b before IH]; cbn [app map]; rewrite !vector_sum_cons; [reflexivity|].
      rewrite IH. ring. }
    rewrite !split. fold (g x) (g y). set (r := vector_sum _).
    transitivity (g x [+] g y [+] (r [+] r)); [ring|]. rewrite ring_plus_self. ring.
  Qed.

  (* With CWw made of both sides' sums and shares of R e_c, the values of all leaves are shares of R e_(i 2^kw + c). *)
  Theorem word_layer_points_at (labels_0 labels_1 : list u128) (i : nat) (x y : u128) (m_0 m_1 cw : list W) (R : W)
    (bits c n j : u64) :
    differ_at labels_0 labels_1 i x y -> val bits <= 3 -> val c < 2 ^ val bits ->
    sized eight m_0 -> sized eight m_1 ->
    vector_add m_0 m_1 = vector_scale R (vector_unit_vector W eight c) ->
    cw = vector_add (vector_add (lean_layers_word_sum W prg labels_0) m_0)
           (vector_add (lean_layers_word_sum W prg labels_1) m_1) ->
    nat_of n = (length labels_0 * 2 ^ nat_of bits)%nat -> nat_of j = (i * 2 ^ nat_of bits + nat_of c)%nat ->
    sized n (values_of labels_0 cw bits) /\ sized n (values_of labels_1 cw bits) /\
    vector_add (values_of labels_0 cw bits) (values_of labels_1 cw bits) = vector_scale R (vector_unit_vector W n j).
  Proof.
    intros h hb hc s_0 s_1 hm hcw hn hj. pose proof (val_bounds c). pose proof (val_bounds bits).
    assert (small : 2 ^ val bits <= 2 ^ 3) by (apply Z.pow_le_mono_r; lia).
    assert (hp : nat_of (wshl (repr 64 1) (cast 32 bits)) = (2 ^ nat_of bits)%nat) by (apply nat_of_power; lia).
    assert (hz : Z.of_nat (2 ^ nat_of bits) = 2 ^ val bits) by (rewrite Nat2Z.inj_pow, Z_nat_of; reflexivity).
    pose proof (Z_nat_of c) as hzc.
    assert (s_cw : sized eight cw) by (subst cw; auto using word_sum_sized with sizes).
    unfold values_of.
    apply (blocks_point_at _ (2 ^ nat_of bits)) with (i := i) (c := nat_of c) (x := x) (y := y); try assumption; try lia.
    - intros label. unfold lean_layers_node_values. cbv zeta. rewrite map_range_0_length. assumption.
    - intros k hk. assert (hk8 : (k < nat_of (w := 64) eight)%nat) by (change (nat_of (w := 64) eight) with 8%nat; lia).
      unfold lean_layers_node_values. cbv zeta. rewrite !nth_map_range_0 by (rewrite hp; assumption).
      rewrite !vector_at_nth, !nat_of_of_nat by lia.
      rewrite !(nth_add eight), !nth_vector_scale by auto using node_words_sized with sizes.
      pose proof (word_sums_differ _ _ _ k _ _ h) as sums.
      apply (f_equal (fun v => nth k v zero)) in hm.
      rewrite (nth_add eight), nth_vector_scale, nth_vector_unit_vector in hm by assumption.
      assert (hcw' : nth k cw zero
        = nth k (lean_layers_node_words W prg x) zero [+] nth k (lean_layers_node_words W prg y) zero
          [+] (R [*] (if Nat.eqb k (nat_of c) then one else zero))).
      { rewrite hcw, !(nth_add eight) by auto using word_sum_sized with sizes. rewrite <- sums, <- hm. ring. }
      rewrite hcw'. set (Y := nth k (lean_layers_node_words W prg x) zero). set (Z := nth k (lean_layers_node_words W prg y) zero).
      assert (t : lean_layers_bit_word W (block_flag x) [+] lean_layers_bit_word W (block_flag y) = one).
      { rewrite bit_word_xorb. destruct h as [hf _]. destruct (block_flag x), (block_flag y); congruence || reflexivity. }
      set (a := lean_layers_bit_word W (block_flag x)) in *. set (b := lean_layers_bit_word W (block_flag y)) in *.
      set (d := R [*] _).
      transitivity ((Y [+] Z) [+] (a [+] b) [*] (Y [+] Z [+] d)); [ring|]. rewrite t.
      transitivity ((Y [+] Z [+] (Y [+] Z)) [+] d); [ring|]. rewrite ring_plus_self. unfold d.
      destruct (Nat.eqb k (nat_of c)); ring.
  Qed.
End Layers.
