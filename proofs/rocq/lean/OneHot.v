(* Dealt one-hot shares: what P2 deals at r, moved by e = r xor ri, are shares of the one-hot block at ri, also folded to 8
   bits; and the dealt value, moved, is shares of R = R' + G there. *)
From Coq Require Import Lia.
From Duoram.core Require Export XorShift DpfFacts.
From Duoram.Generated Require Import All.

#[global] Arguments lean_layers_block_bit block i : simpl never.
#[global] Arguments lean_layers_one_hot_block i : simpl never.
#[global] Arguments lean_layers_bit_word W {W_Ring} bit : simpl never.
#[global] Arguments lean_one_hot_moved_block u e : simpl never.
#[global] Arguments lean_one_hot_folded o : simpl never.

(** * Bits of a block *)

Lemma block_bit_bit (b : u128) (i : u64) : val i < 128 -> lean_layers_block_bit b i = bit b (val i).
Proof.
  intros h. unfold lean_layers_block_bit. rewrite block_flag_bit. pose proof (val_bounds i).
  assert (e : val (cast 32 i) = val i) by (rewrite val_cast; apply Z.mod_small; lia).
  rewrite bit_wshr, e by (rewrite ?e; lia). reflexivity.
Qed.

Lemma bit_one_hot_block (i : u64) (k : Z) : val i < 128 -> 0 <= k < 128 ->
  bit (lean_layers_one_hot_block i) k = (k =? val i).
Proof.
  intros h hk. unfold lean_layers_one_hot_block. pose proof (val_bounds i).
  assert (e : val (cast 32 i) = val i) by (rewrite val_cast; apply Z.mod_small; lia).
  rewrite bit_wshl, e, bit_bit_block by (rewrite ?e; lia). cbn [andb].
  destruct (Z.eqb_spec (k - val i) 0), (Z.eqb_spec k (val i)); try reflexivity; lia.
Qed.

Lemma block_bit_one_hot (i j : u64) : val i < 128 -> val j < 128 ->
  lean_layers_block_bit (lean_layers_one_hot_block i) j = ieqb j i.
Proof. intros hi hj. pose proof (val_bounds j). rewrite block_bit_bit, bit_one_hot_block by lia. reflexivity. Qed.

Lemma block_bit_ixor (a b : u128) (i : u64) :
  lean_layers_block_bit (ixor a b) i = xorb (lean_layers_block_bit a i) (lean_layers_block_bit b i).
Proof.
  unfold lean_layers_block_bit. rewrite !block_flag_bit. unfold wshr. rewrite !bit_repr by lia.
  rewrite !Z.shiftr_spec by lia. apply bit_ixor.
Qed.

(* Numbers below a power of two stay there under XOR. *)
Lemma lxor_below (x y k : Z) : 0 <= k -> 0 <= x < 2 ^ k -> 0 <= y < 2 ^ k -> 0 <= Z.lxor x y < 2 ^ k.
Proof.
  intros hk hx hy. assert (n : 0 <= Z.lxor x y) by (apply Z.lxor_nonneg; tauto). split; [assumption|].
  replace (Z.lxor x y) with (Z.lxor x y mod 2 ^ k); [apply Z.mod_pos_bound, Z.pow_pos_nonneg; lia|].
  apply Z.bits_inj'. intros j hj. destruct (Z_lt_le_dec j k).
  - apply Z.mod_pow2_bits_low. assumption.
  - rewrite Z.mod_pow2_bits_high, Z.lxor_spec by lia.
    rewrite <- (Z.mod_small x (2 ^ k)), <- (Z.mod_small y (2 ^ k)), !Z.mod_pow2_bits_high by lia. reflexivity.
Qed.

Lemma val_ixor {w : positive} (a b : int w) : val (ixor a b) = Z.lxor (val a) (val b).
Proof. apply val_repr_small, lxor_below; [lia | apply val_bounds..]. Qed.

Lemma ixor_below {w : positive} (a b : int w) (k : Z) : 0 <= k -> val a < 2 ^ k -> val b < 2 ^ k -> val (ixor a b) < 2 ^ k.
Proof. intros hk ha hb. rewrite val_ixor. pose proof (val_bounds a). pose proof (val_bounds b). apply lxor_below; lia. Qed.

(** * Moving *)

(* o[j] = u[j xor e] *)
Lemma block_bit_moved_block (u : u128) (e j : u64) : val j < 128 ->
  lean_layers_block_bit (lean_one_hot_moved_block u e) j = lean_layers_block_bit u (ixor j e).
Proof.
  intros hj. pose proof (val_bounds j). rewrite block_bit_bit by assumption. unfold lean_one_hot_moved_block. rewrite range_0. rewrite (fold_left_map _ of_nat).
  change (nat_of (repr 64 128)) with 128%nat.
  assert (g : forall (m a : nat) (s : u128), (a + m <= 128)%nat ->
    bit (fold_left (fun (s : u128) (x : nat) => ixor s
      (if lean_layers_block_bit u (ixor (of_nat x) e) then lean_layers_one_hot_block (of_nat x) else repr 128 0)) (seq a m) s) (val j)
    = xorb (bit s (val j)) (((a <=? nat_of j)%nat && (nat_of j <? a + m)%nat) && lean_layers_block_bit u (ixor j e))).
  { induction m as [|m IH]; intros a s ha; cbn [seq fold_left].
    - replace ((a <=? nat_of j)%nat && (nat_of j <? a + 0)%nat) with false; [symmetry; apply xorb_false_r|].
      destruct (Nat.leb_spec a (nat_of j)), (Nat.ltb_spec (nat_of j) (a + 0)); try reflexivity; lia.
    - rewrite IH by lia. rewrite bit_ixor, xorb_assoc. f_equal. pose proof (Z_nat_of j) as hz.
      destruct (Nat.eq_dec a (nat_of j)) as [->|ne].
      + rewrite of_nat_nat_of. destruct (Nat.leb_spec (S (nat_of j)) (nat_of j)); [lia|].
        destruct (Nat.leb_spec (nat_of j) (nat_of j)); [|lia].
        destruct (Nat.ltb_spec (nat_of j) (nat_of j + S m)); [|lia]. cbn [andb]. rewrite xorb_false_r.
        destruct (lean_layers_block_bit u (ixor j e)); [|apply bit_zero].
        rewrite bit_one_hot_block by lia. apply Z.eqb_refl.
      + assert (z : bit (if lean_layers_block_bit u (ixor (of_nat a) e) then lean_layers_one_hot_block (of_nat a)
          else repr 128 0) (val j) = false).
        { destruct (lean_layers_block_bit u (ixor (of_nat a) e)); [|apply bit_zero].
          rewrite bit_one_hot_block, val_of_nat by (rewrite ?val_of_nat; lia). apply Z.eqb_neq. lia. }
        rewrite z, xorb_false_l. f_equal.
        destruct (Nat.leb_spec (S a) (nat_of j)), (Nat.leb_spec a (nat_of j)),
          (Nat.ltb_spec (nat_of j) (S a + m)), (Nat.ltb_spec (nat_of j) (a + S m)); try reflexivity; lia. }
  rewrite g by lia. rewrite bit_zero, xorb_false_l. pose proof (Z_nat_of j) as hz.
  destruct (Nat.leb_spec 0 (nat_of j)), (Nat.ltb_spec (nat_of j) (0 + 128)); try lia. reflexivity.
Qed.

Lemma block_ext (a b : u128) :
  (forall j : u64, val j < 128 -> lean_layers_block_bit a j = lean_layers_block_bit b j) -> a = b.
Proof.
  intros h. apply bit_ext. intros k hk. specialize (h (repr 64 k)).
  assert (e : val (repr 64 k) = k) by (apply val_repr_small; lia).
  rewrite !block_bit_bit, e in h by lia. apply h. lia.
Qed.

(* What P2 deals at r = r_0 xor r_1, moved by both primaries by e, is shares of the one-hot block at r xor e. *)
Theorem moved_blocks_open (u_0 : u128) (r_0 r_1 e : u64) : val r_0 < 128 -> val r_1 < 128 -> val e < 128 ->
  ixor (lean_one_hot_moved_block u_0 e) (lean_one_hot_moved_block (lean_one_hot_dealt_one_hot u_0 r_0 r_1) e)
  = lean_layers_one_hot_block (ixor (ixor r_0 r_1) e).
Proof.
  intros h_0 h_1 he. apply block_ext. intros j hj. unfold lean_one_hot_dealt_one_hot.
  assert (hr : val (ixor r_0 r_1) < 128) by (apply (ixor_below _ _ 7); lia).
  assert (hje : val (ixor j e) < 128) by (apply (ixor_below _ _ 7); lia).
  assert (hre : val (ixor (ixor r_0 r_1) e) < 128) by (apply (ixor_below _ _ 7); lia).
  rewrite block_bit_ixor, !block_bit_moved_block, block_bit_ixor, !block_bit_one_hot by assumption.
  rewrite <- xorb_assoc, xorb_nilpotent, xorb_false_l.
  destruct (ieqb_reflect (ixor j e) (ixor r_0 r_1)) as [a|a], (ieqb_reflect j (ixor (ixor r_0 r_1) e)) as [b|b];
    try reflexivity; exfalso.
  - apply b. rewrite <- a, ixor_cancel_r. reflexivity.
  - apply a. rewrite b, ixor_cancel_r. reflexivity.
Qed.

(* The primaries' moved shares of ri add up to e, which leads from r to ri. *)
Theorem moved_shares_lead_to_ri (ri_0 ri_1 r_0 r_1 bits : u64) :
  ixor (ixor r_0 r_1) (ixor (lean_one_hot_moved_share ri_0 r_0 bits) (lean_one_hot_moved_share ri_1 r_1 bits))
  = lean_one_hot_low_bits (ixor ri_0 ri_1) bits.
Proof. unfold lean_one_hot_moved_share, lean_one_hot_low_bits. rewrite iand_ixor_r. xor_and. Qed.

(** * Folding *)

Lemma folded_length (o : u128) : length (lean_one_hot_folded o) = 8%nat.
Proof. unfold lean_one_hot_folded. rewrite map_range_0_length. reflexivity. Qed.

Lemma nth_folded_ixor (a b : u128) (k : nat) : (k < 8)%nat ->
  nth k (lean_one_hot_folded (ixor a b)) false
  = xorb (nth k (lean_one_hot_folded a) false) (nth k (lean_one_hot_folded b) false).
Proof.
  intros hk. unfold lean_one_hot_folded. rewrite !nth_map_range_0 by exact hk.
  generalize (range (w := 64) (repr 64 0) (repr 64 16)). intros l.
  assert (g : forall s t : bool, fold_left (fun (sum : bool) (i : u64) => xorb sum
      (lean_layers_block_bit (ixor a b) (wadd (wmul i (repr 64 8)) (of_nat k)))) l (xorb s t)
    = xorb (fold_left (fun (sum : bool) (i : u64) => xorb sum (lean_layers_block_bit a (wadd (wmul i (repr 64 8)) (of_nat k)))) l s)
        (fold_left (fun (sum : bool) (i : u64) => xorb sum (lean_layers_block_bit b (wadd (wmul i (repr 64 8)) (of_nat k)))) l t)).
  { induction l as [|i l IH]; intros s t; cbn [fold_left]; [reflexivity|]. rewrite <- IH, block_bit_ixor. f_equal.
    destruct s, t, (lean_layers_block_bit a _), (lean_layers_block_bit b _); reflexivity. }
  apply (g false false).
Qed.

(* All 128 places, one by one. *)
Lemma folded_one_hot (q : u64) : val q < 128 ->
  lean_one_hot_folded (lean_layers_one_hot_block q) = map (fun k => Nat.eqb k (nat_of q mod 8)) (seq 0 8).
Proof.
  intros h. pose proof (val_bounds q).
  assert (all : forallb (fun k => if list_eq_dec bool_dec (lean_one_hot_folded (lean_layers_one_hot_block (of_nat k)))
      (map (fun j => Nat.eqb j (k mod 8)) (seq 0 8)) then true else false) (seq 0 128) = true) by (vm_compute; reflexivity).
  rewrite forallb_forall in all. specialize (all (nat_of q)). rewrite of_nat_nat_of in all.
  destruct (list_eq_dec _ _ _); [assumption|]. discriminate all. apply in_seq. pose proof (Z_nat_of q). lia.
Qed.

(** * As words *)

Section Words.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Boolean : BooleanRing W}.
  Add Ring W_ring : (ring_theory_W W).
  Notation zero := (ring_Ring_zero W).
  Notation one := (ring_Ring_one W).

  (* Bits add up as XOR does. *)
  Lemma bit_word_xorb (b c : bool) :
    ring_Ring_plus (lean_layers_bit_word W b) (lean_layers_bit_word W c) = lean_layers_bit_word W (xorb b c).
  Proof. unfold lean_layers_bit_word. destruct b, c; cbn [xorb]; [apply ring_plus_self | ring..]. Qed.

  Definition bit_words (bits : list bool) : list W := map (fun bit => lean_layers_bit_word W bit) bits.

  Lemma nth_bit_words (bits : list bool) (k : nat) : nth k (bit_words bits) zero = lean_layers_bit_word W (nth k bits false).
  Proof. apply (map_nth (fun bit => lean_layers_bit_word W bit) bits false k). Qed.

  Notation eight := (repr 64 8).

  Lemma power_of_two_8 : power_of_two eight.
  Proof. exists 3. split; [lia | reflexivity]. Qed.

  (* Both primaries' folded shares add up to e_(q mod 8). *)
  Lemma folded_shares_open (o_0 o_1 : u128) (q : u64) : val q < 128 -> ixor o_0 o_1 = lean_layers_one_hot_block q ->
    vector_add (bit_words (lean_one_hot_folded o_0)) (bit_words (lean_one_hot_folded o_1))
    = vector_unit_vector W eight (vector_mod_size q eight).
  Proof.
    intros hq h.
    assert (sz : forall o, sized eight (bit_words (lean_one_hot_folded o)))
      by (intros o; unfold sized, bit_words; rewrite map_length, folded_length; reflexivity).
    apply (sized_ext eight); auto with sizes. intros k hk. change (nat_of eight) with 8%nat in hk.
    rewrite (nth_add eight), !nth_bit_words, bit_word_xorb, <- nth_folded_ixor, h, folded_one_hot by auto.
    rewrite (nth_map _ _ _ 0%nat), seq_nth, nth_vector_unit_vector by (rewrite ?seq_length; assumption). cbn [Nat.add].
    replace (nat_of (vector_mod_size q eight)) with (nat_of q mod 8)%nat; [reflexivity|].
    apply Nat2Z.inj. rewrite Z_nat_of, val_mod_size, Nat2Z.inj_mod, Z_nat_of by apply power_of_two_8. reflexivity.
  Qed.

  (* U_0 + U_1 = R' e_(r mod 8) *)
  Lemma dealt_values_open (u_0 : list W) (value : W) (r : u64) : sized eight u_0 ->
    sized eight (lean_one_hot_dealt_value u_0 value r) /\
    vector_add u_0 (lean_one_hot_dealt_value u_0 value r)
    = vector_scale value (vector_unit_vector W eight (vector_mod_size r eight)).
  Proof.
    intros hu.
    assert (sz : sized eight (lean_one_hot_dealt_value u_0 value r)).
    { unfold sized, lean_one_hot_dealt_value. rewrite map_length, combine_length, range_length, hu. reflexivity. }
    split; [exact sz|]. apply (sized_ext eight); auto with sizes. intros k hk.
    rewrite (nth_add eight), nth_vector_scale, nth_vector_unit_vector by assumption.
    unfold lean_one_hot_dealt_value.
    rewrite (nth_map_combine _ _ _ k (repr 64 0) zero) by (rewrite ?range_length, ?hu; exact hk).
    rewrite nth_range by exact hk. rewrite cast_same.
    change (repr 64 (val (repr 64 0) + Z.of_nat k)) with (of_nat k).
    change (iand r (repr 64 7)) with (vector_mod_size r eight).
    rewrite <- (of_nat_nat_of (vector_mod_size r eight)) at 1.
    pose proof (nat_of_bound (vector_mod_size r eight)). pose proof (nat_of_bound eight).
    rewrite ieqb_of_nat by lia. destruct (Nat.eqb k _); ring.
  Qed.

  (* The value at ri: the dealt shares of R' at r, moved by e, and G where the one-hot bits are, are shares of R = R' + G at
     q = r xor e, folded to 8 places. *)
  Theorem moved_values_open (u_0 : list W) (value g : W) (r e : u64) (o_0 o_1 : u128) :
    sized eight u_0 -> val (ixor r e) < 128 -> ixor o_0 o_1 = lean_layers_one_hot_block (ixor r e) ->
    vector_add (lean_one_hot_moved_value u_0 e g o_0)
      (lean_one_hot_moved_value (lean_one_hot_dealt_value u_0 value r) e g o_1)
    = vector_scale (ring_Ring_plus value g) (vector_unit_vector W eight (vector_mod_size (ixor r e) eight)).
  Proof.
    intros hu hq ho. destruct (dealt_values_open u_0 value r hu) as [hu_1 deal].
    pose proof (folded_shares_open o_0 o_1 _ hq ho) as bits.
    assert (sz : forall o, sized eight (bit_words (lean_one_hot_folded o)))
      by (intros o; unfold sized, bit_words; rewrite map_length, folded_length; reflexivity).
    assert (e_r : vector_mod_size (ixor (vector_mod_size r eight) e) eight = vector_mod_size (ixor r e) eight)
      by (rewrite !mod_size_ixor, mod_size_mod_size; reflexivity).
    assert (hr : val (vector_mod_size r eight) < val eight) by (apply mod_size_below, power_of_two_8).
    apply (f_equal (fun v => vector_xor_shift v e)) in deal.
    rewrite (xor_shift_add eight), (xor_shift_scale eight), (xor_shift_unit_vector eight), e_r in deal
      by (auto using power_of_two_8 with sizes).
    unfold lean_one_hot_moved_value. fold (bit_words (lean_one_hot_folded o_0)) (bit_words (lean_one_hot_folded o_1)).
    pose proof (sz o_0). pose proof (sz o_1).
    set (n := eight) in *. by_elements n.
    apply (f_equal (fun v => nth k v zero)) in deal, bits.
    rewrite (nth_add n) in deal, bits by auto with sizes. rewrite nth_vector_scale in deal. rewrite <- bits in deal |- *.
    match type of deal with ?l = _ => transitivity (ring_Ring_plus l
      (ring_Ring_times g (ring_Ring_plus (nth k (bit_words (lean_one_hot_folded o_0)) zero)
         (nth k (bit_words (lean_one_hot_folded o_1)) zero)))); [ring|] end.
    rewrite deal. ring.
  Qed.
End Words.
