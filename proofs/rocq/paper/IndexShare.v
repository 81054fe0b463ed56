(* P0's additive share of ri [duoram, section 4.1.1], if one of its leaves is a uniform label: with an odd index j, another one
   than ri, that leaf makes the share uniform mod n, given all other leaves of both trees. For P2, which has no key of DPF 1,
   some leaf is uniform at the price of an advantage a level (core/OwnLeaf.v); so both shift shares tell it nothing.

   Exactly: the share is `sum_k k (A t_k - c_k)`, A being the factor of App. D and c_k, t_k the conversion word and flag of leaf k. A is even
   and depends on the leaves at ri only. The term of leaf j is j (A t - c) with t the lowest bit of c, and this is a bijection
   of the low half of its label. *)
From Coq Require Import Lia.
From Duoram.core Require Import LabelFacts.
From Duoram.paper Require Import IdealPreprocessing PremiseFacts ShareConversion.
From Duoram.Generated Require Import All.

Section Index.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Laws : RingLaws W}.
  Add Ring W_ring : (ring_theory_W W).
  Context (n : u64) (n_power : power_of_two n) (fits_word : (val n <= 2 ^ Zpos (ring_bits W))%Z).
  Notation "x [+] y" := (ring_Ring_plus x y) (at level 50, left associativity).
  Notation "x [-] y" := (ring_Ring_minus x y) (at level 50, left associativity).
  Notation "x [*] y" := (ring_Ring_times x y) (at level 40, left associativity).
  Notation from := (ring_Ring_from_u64 W).

  (* The leaves but for the one at j, which has an inverse: j is odd. The factor is even. *)
  Context (before after : list u128) (j inverse a : u64).
  Hypothesis place : length before = nat_of j.
  Hypothesis leaves_sized : (length before + S (length after))%nat = nat_of n.
  Hypothesis inverse_of_j : wmul j inverse = repr 64 1.
  Hypothesis factor_even : Z.odd (val a) = false.

  Definition leaves_with (x : u128) : list u128 := before ++ x :: after.
  Definition share_of (x : u128) : list W := paper_conversion_unit_share share_Primary_P0 (leaves_with x) (from a).
  (* A t - c *)
  Definition leaf_term (x : u128) : u64 := wsub (if block_flag x then a else repr 64 0) (block_low_half x).

  Lemma leaves_with_sized (x : u128) : sized n (leaves_with x).
  Proof. unfold sized, leaves_with. rewrite app_length. cbn [length]. exact leaves_sized. Qed.
  Lemma nth_leaves_with (x : u128) (k : nat) :
    nth k (leaves_with x) (repr 128 0) = if Nat.eqb k (nat_of j) then x else nth k (leaves_with (repr 128 0)) (repr 128 0).
  Proof.
    unfold leaves_with. destruct (Nat.eqb_spec k (nat_of j)) as [->|ne].
    - rewrite app_nth2, place, Nat.sub_diag by lia. reflexivity.
    - destruct (Nat.lt_ge_cases k (length before)); [rewrite !app_nth1 by assumption; reflexivity|].
      rewrite !app_nth2 by assumption. destruct (k - length before)%nat as [|i] eqn:e; [lia|]. reflexivity.
  Qed.

  Lemma from_minus (x y : u64) : from (wsub x y) = from x [-] from y.
  Proof.
    assert (h : from (wsub x y) [+] from y = from x) by (rewrite <- ring_from_wadd; f_equal; ring).
    rewrite <- h. ring.
  Qed.

  (* The share of e_ri, without leaf j and with it. *)
  Lemma share_of_split (x : u128) :
    share_of x = vector_add (share_of (repr 128 0)) (vector_scale (from (leaf_term x)) (vector_unit_vector W n j)).
  Proof.
    assert (s : forall y, sized n (share_of y)) by (intros y; apply unit_share_sized, leaves_with_sized).
    assert (e : sized n (vector_scale (from (leaf_term x)) (vector_unit_vector W n j)))
      by (apply sized_scale, sized_unit_vector).
    apply (sized_ext n); [apply s | apply sized_add; auto |]. intros k hk.
    rewrite (nth_add n), nth_vector_scale, nth_vector_unit_vector by auto.
    unfold share_of, paper_conversion_unit_share.
    rewrite !(nth_sub n), !nth_vector_scale, !(nth_signed_flags n), !(nth_conversion_words n)
      by (try assumption; try apply sized_scale; try apply signed_flags_sized; try apply conversion_words_sized; apply leaves_with_sized).
    rewrite (nth_leaves_with x). destruct (Nat.eqb_spec k (nat_of j)) as [->|ne]; [|cbn [share_signed]; ring].
    rewrite (nth_leaves_with (repr 128 0)), Nat.eqb_refl. cbn [share_signed].
    rewrite !ring_conversion_word_from. unfold leaf_term. rewrite from_minus.
    replace (block_flag (repr 128 0)) with false by (rewrite bit_flag, bit_zero; reflexivity).
    replace (block_low_half (repr 128 0)) with (repr 64 0) by (apply int_ext; reflexivity).
    destruct (block_flag x); rewrite ?ring_from_zero; ring.
  Qed.

  Definition index_base : u64 := ring_Ring_to_u64 (vector_dot (vector_indices W n) (share_of (repr 128 0))).
  Definition index_word (x : u128) : u64 := wadd index_base (wmul j (leaf_term x)).

  Lemma j_below : (val j < val n)%Z.
  Proof. pose proof (Z_nat_of n). pose proof (Z_nat_of j). lia. Qed.

  Theorem index_share_of (x : u128) :
    paper_conversion_random_index_share (share_of x) = vector_mod_size (index_word x) n.
  Proof.
    unfold paper_conversion_random_index_share.
    rewrite (sized_len n) by (apply unit_share_sized, leaves_with_sized). rewrite share_of_split.
    rewrite (dot_add_r n) by (try apply sized_scale, sized_unit_vector; apply unit_share_sized, leaves_with_sized).
    rewrite vector_dot_scale_r, vector_dot_unit_vector by apply vector_indices_length.
    pose proof j_below. pose proof (Z_nat_of n). pose proof (Z_nat_of j).
    rewrite nth_vector_indices, of_nat_nat_of by lia.
    rewrite to_plus by assumption. fold index_base. unfold index_word. rewrite <- ring_from_wmul.
    rewrite <- (mod_size_add_r index_base), <- (mod_size_add_r index_base (wmul j _)) by assumption. do 2 f_equal.
    apply int_ext. rewrite !val_mod_size, ring_to_from, mod_bits_mod by assumption. do 2 f_equal. ring.
  Qed.

  (** * The bijection *)

  Definition index_forth (x : u128) : u128 := block_block_of_halves (index_word x) (block_high_half x).
  Definition index_back (y : u128) : u128 :=
    let term := wmul inverse (wsub (block_low_half y) index_base) in
    block_block_of_halves (wsub (if Z.odd (val term) then a else repr 64 0) term) (block_high_half y).

  Let odd_wsub (x y : u64) : Z.odd (val (wsub x y)) = xorb (Z.odd (val x)) (Z.odd (val y)).
  Proof. rewrite val_wsub, odd_mod. apply Z.odd_sub. Qed.
  Let inverse_l (x : u64) : wmul inverse (wmul j x) = x.
  Proof. transitivity (wmul (wmul j inverse) x); [ring | rewrite inverse_of_j; ring]. Qed.
  Let inverse_r (x : u64) : wmul j (wmul inverse x) = x.
  Proof. transitivity (wmul (wmul j inverse) x); [ring | rewrite inverse_of_j; ring]. Qed.

  Lemma index_back_forth (x : u128) : index_back (index_forth x) = x.
  Proof.
    unfold index_back, index_forth. rewrite low_half_of_halves, high_half_of_halves. unfold index_word.
    replace (wsub (wadd index_base (wmul j (leaf_term x))) index_base) with (wmul j (leaf_term x)) by ring.
    rewrite inverse_l.
    assert (odd : Z.odd (val (leaf_term x)) = block_flag x).
    { unfold leaf_term. rewrite odd_wsub, <- flag_odd. destruct (block_flag x); [rewrite factor_even|]; reflexivity. }
    rewrite odd. unfold leaf_term.
    replace (wsub _ (wsub _ (block_low_half x))) with (block_low_half x) by ring. apply block_of_halves_of.
  Qed.
  Lemma index_forth_back (y : u128) : index_forth (index_back y) = y.
  Proof.
    unfold index_forth, index_back, index_word. set (term := wmul inverse (wsub (block_low_half y) index_base)).
    rewrite high_half_of_halves. unfold leaf_term. rewrite low_half_of_halves, flag_odd, low_half_of_halves, odd_wsub.
    replace (Z.odd (val (if Z.odd (val term) then a else repr 64 0))) with false
      by (destruct (Z.odd (val term)); [rewrite factor_even|]; reflexivity).
    rewrite xorb_false_l. replace (wsub _ (wsub _ term)) with term by ring. unfold term. rewrite inverse_r.
    replace (wadd index_base (wsub (block_low_half y) index_base)) with (block_low_half y) by ring.
    apply block_of_halves_of.
  Qed.
End Index.

(* With two words, the share is the flag of the leaf at 1, even if that is ri: only the even factor hangs on it. *)
Section Two.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Laws : RingLaws W}.
  Add Ring W_ring_2 : (ring_theory_W W).
  Notation two := (repr 64 2).

  Theorem index_share_of_two (before after : list u128) (a : u64) (x : u128) :
    length before = 1%nat -> length after = 0%nat -> Z.odd (val a) = false ->
    paper_conversion_random_index_share (paper_conversion_unit_share share_Primary_P0 (leaves_with before after x) (ring_Ring_from_u64 W a))
    = vector_mod_size (block_low_half x) two.
  Proof.
    intros hb ha even. destruct before as [|b [|]]; try discriminate. destruct after; [|discriminate].
    assert (power : power_of_two two) by (exists 1%Z; split; [lia | reflexivity]).
    assert (fits : (val two <= 2 ^ Zpos (ring_bits W))%Z).
    { change (val two) with (2 ^ 1)%Z. apply Z.pow_le_mono_r; lia. }
    pose proof (index_share_of two power fits [b] [] (repr 64 1) a eq_refl eq_refl x) as share. unfold share_of in share. rewrite share. clear share.
    assert (base : index_base (W := W) two [b] [] a = repr 64 0).
    { unfold index_base. set (l := share_of [b] [] a (repr 128 0)).
      assert (sized_l : sized two l) by (apply unit_share_sized; reflexivity).
      assert (last : nth 1 l (ring_Ring_zero W) = ring_Ring_zero W).
      { unfold l, share_of, paper_conversion_unit_share, leaves_with. cbn [app].
        rewrite (nth_sub two), nth_vector_scale, (nth_signed_flags two), (nth_conversion_words two)
          by (try apply sized_scale; try apply signed_flags_sized; try apply conversion_words_sized; try reflexivity; exact (le_n 2)).
        cbn [nth share_signed]. rewrite ring_conversion_word_from.
        replace (block_flag (repr 128 0)) with false by (rewrite bit_flag, bit_zero; reflexivity).
        replace (block_low_half (repr 128 0)) with (repr 64 0) by (apply int_ext; reflexivity). rewrite ring_from_zero. ring. }
      clearbody l. destruct l as [|l_0 [|l_1 [|]]]; try discriminate sized_l. cbn [nth] in last. subst l_1.
      change (vector_indices W two) with [ring_Ring_from_u64 W (repr 64 0); ring_Ring_from_u64 W (repr 64 1)].
      rewrite !vector_dot_cons, vector_dot_nil_l, ring_from_zero.
      replace (ring_Ring_plus _ _) with (ring_Ring_from_u64 W (repr 64 0)) by (rewrite ring_from_zero; ring).
      apply int_ext. rewrite ring_to_from. reflexivity. }
    unfold index_word. rewrite base. unfold leaf_term. rewrite flag_odd.
    apply int_ext. rewrite !val_mod_size by assumption. change (val two) with 2%Z. rewrite !Zmod_odd. f_equal.
    replace (wadd (repr 64 0) _) with (wsub (if Z.odd (val (block_low_half x)) then a else repr 64 0) (block_low_half x)) by ring.
    rewrite val_wsub, odd_mod, Z.odd_sub. replace (Z.odd (val (if _ : bool then a else repr 64 0))) with false
      by (destruct (Z.odd (val (block_low_half x))); [rewrite even|]; reflexivity).
    rewrite xorb_false_l. reflexivity.
  Qed.
End Two.
