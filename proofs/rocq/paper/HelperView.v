(* One item's whole life, as P2 sees it [duoram, App. D; Protocols 1 and 2, lines 2 and 5]: the factors of DPF 2 and 3, both shift
   shares, and M + F of DPF 2 and 3 from both primaries, besides P0's key of DPF 2 and P1's of DPF 3. If the leaves at ri that
   it does not have are uniform but for their flags, and one more leaf of DPF 1, of which it has no key, is uniform (IndexShare.v),
   all of this together is distributed as what a simulator makes of the two keys and of fresh words: it is told
   neither ri nor i* nor M, nor how these are shared. The leaves' uniformity costs advantages: core/KeyPrivacy.v, core/OwnLeaf.v.

   With two words, index 1 is the only odd one, and it may be ri itself: then it is the flag of P0's leaf there that is uniform. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection.
From Duoram.core Require Import LabelFacts DpfFacts.
From Duoram.paper Require Import IdealPreprocessing ConversionPrivacy UpdatePrivacy ShareConversion LeafLife ItemView IndexShare.
From Duoram.Generated Require Import All.

(* An odd index that is not ri, and its inverse mod 2^64. *)
Definition odd_place (ri : u64) : u64 := if ieqb ri (repr 64 1) then repr 64 3 else repr 64 1.
Definition odd_inverse (ri : u64) : u64 := if ieqb ri (repr 64 1) then repr 64 12297829382473034411 else repr 64 1.
Lemma odd_place_inverse (ri : u64) : wmul (odd_place ri) (odd_inverse ri) = repr 64 1.
Proof. unfold odd_place, odd_inverse. destruct (ieqb ri _); apply int_ext; reflexivity. Qed.
Lemma odd_place_other (ri : u64) : nat_of ri <> nat_of (odd_place ri).
Proof.
  unfold odd_place. destruct (ieqb_reflect ri (repr 64 1)) as [->|ne]; [discriminate|].
  intros e. apply ne, nat_of_inj, e.
Qed.
(* With two words, 1. *)
Definition leaf_place (n ri : u64) : u64 := if ieqb n (repr 64 2) then repr 64 1 else odd_place ri.
Lemma odd_place_below (ri : u64) : (val (odd_place ri) < 4)%Z.
Proof. unfold odd_place. destruct (ieqb ri _); reflexivity. Qed.

Section Helper.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Laws : RingLaws W}.
  Add Ring W_ring : (ring_theory_W W).
  Context (n : u64) (n_power : power_of_two n) (n_two : (2 <= val n)%Z) (fits_word : (val n <= 2 ^ Zpos (ring_bits W))%Z).
  Notation one := (ring_Ring_one W).
  Notation "x [+] y" := (ring_Ring_plus x y) (at level 50, left associativity).
  Notation "x [-] y" := (ring_Ring_minus x y) (at level 50, left associativity).
  Notation "x [*] y" := (ring_Ring_times x y) (at level 40, left associativity).
  Notation from := (ring_Ring_from_u64 W).
  Notation P0 := share_Primary_P0.
  Notation P1 := share_Primary_P1.

  (* The factor of App. D, from both trees: (1 - F) pm, whatever blinds and triples are. *)
  Definition factor_of (leaves_0 leaves_1 : list u128) : W :=
    ring_Ring_negated ((paper_conversion_conversion_correction_share W P0 leaves_0
        [+] paper_conversion_conversion_correction_share W P1 leaves_1 [-] one)
      [*] (paper_conversion_sign_share W P0 leaves_0 [+] paper_conversion_sign_share W P1 leaves_1)).
  Lemma factor_of_conversion (leaves_0 leaves_1 : list u128) (r_0 r_1 X_0 X_1 Y_0 Y_1 T : W) :
    let triples := du_atallah_product_triples X_0 X_1 Y_0 Y_1 T in
    paper_conversion_Conversion_factor (paper_conversion_conversion (mk_paper_conversion_Input leaves_0 r_0 (fst triples))
      (mk_paper_conversion_Input leaves_1 r_1 (snd triples)))
    = factor_of leaves_0 leaves_1.
  Proof.
    unfold factor_of, paper_conversion_conversion, paper_conversion_opening, paper_conversion_operands, du_atallah_product_share,
      paper_conversion_conversion_factor.
    cbn -[paper_conversion_sign_share paper_conversion_conversion_correction_share]. ring.
  Qed.

  (* Of the label at ri that a party does not have: what the factor opens. *)
  Definition opened_of (party : share_Primary) (own : list u128) (ri : u64) (x : u128) : u64 :=
    opened_word party (dpf_leaf own ri) x.
  Definition factor_with (party : share_Primary) (own : list u128) (ri : u64) (x : u128) : W :=
    uncurry factor_of (in_order party own (other_leaves own ri x)).

  Lemma factor_with_opened (party : share_Primary) (own : list u128) (ri : u64) (x : u128) : (nat_of ri < length own)%nat ->
    factor_with party own ri x = from (wneg (opened_of party own ri x)).
  Proof.
    intros below.
    pose (held := {| held_leaves := own; held_blind := one; held_triple := mk_du_atallah_ProductTriple one one one |}).
    pose proof (opened_product party held ri one below x) as product. cbv zeta in product.
    rewrite even_word_of_forth in product. cbn [held_leaves held] in product. unfold opened_of.
    replace (from (wneg (opened_word party (dpf_leaf own ri) x)))
      with (ring_Ring_negated (from (opened_word party (dpf_leaf own ri) x))).
    - rewrite <- product. unfold factor_with, factor_of. destruct party; cbn [in_order uncurry other_primary]; ring.
    - replace (wneg (opened_word party (dpf_leaf own ri) x))
        with (wsub (repr 64 0) (opened_word party (dpf_leaf own ri) x)) by ring.
      rewrite from_wsub, ring_from_zero. ring.
  Qed.

  (** * What P2 sees, but for its keys *)

  (* The secrets: shares of i* and M, and P0's word of the index. *)
  Record helper_secret : Type := { address_0 : u64; address_1 : u64; value_0 : W; value_1 : W; word_0 : u64 }.

  (* All of DPF 1 but one leaf of P0's tree, left and right of it, for its place; the leaves that P2 has of DPF 2 and 3. *)
  Context (sides : u64 -> list u128 * list u128) (leaves_0_2 leaves_1_3 : list u128).
  Hypothesis sides_sized : forall j, (val j < val n)%Z ->
    length (fst (sides j)) = nat_of j /\ (length (fst (sides j)) + S (length (snd (sides j))))%nat = nat_of n.
  Hypothesis sized_2 : sized n leaves_0_2.
  Hypothesis sized_3 : sized n leaves_1_3.

  Definition leaves_0_1 (ri : u64) (x : u128) : list u128 :=
    let '(before, after) := sides (leaf_place n ri) in leaves_with before after x.
  Lemma leaf_place_below (ri : u64) : (val (leaf_place n ri) < val n)%Z.
  Proof.
    unfold leaf_place. destruct (ieqb_reflect n (repr 64 2)) as [->|ne]; [reflexivity|]. pose proof (odd_place_below ri).
    destruct n_power as (h & hh & e). assert (h <> 1%Z) by (intros ->; apply ne, int_ext; exact e).
    assert (h <> 0%Z) by (intros ->; cbn in e; lia). assert (2 ^ 2 <= 2 ^ h)%Z by (apply Z.pow_le_mono_r; lia). lia.
  Qed.

  (* P1's word, delta_2 and delta_3, the labels at ri that P2 does not have, and the one leaf of DPF 1. *)
  Notation helper_hidden := ((u64 * (W * W)) * (u128 * u128 * u128 * u128))%type.
  Definition helper_seen : Type := W * W * ((u64 * W * W) * (u64 * W * W)).

  Definition share_words (party : share_Primary) (leaves : list u128) : W :=
    dealer_final_correction_share (dpf_value_words W party leaves).
  (* From the leaves of both trees, of DPF 1, 2, 3. *)
  Definition helper_view_of (s : helper_secret) (deltas : W * W) (l_1 l_2 l_3 : list u128 * list u128) : helper_seen :=
    let factor_1 := uncurry factor_of l_1 in
    let ri_0 := paper_conversion_random_index_share (paper_conversion_unit_share P0 (fst l_1) factor_1) in
    let ri_1 := paper_conversion_random_index_share (paper_conversion_unit_share P1 (snd l_1) factor_1) in
    (uncurry factor_of l_2, uncurry factor_of l_3,
     ((paper_read_shift_share (address_0 s) ri_0 n, value_0 s [+] (share_words P0 (fst l_2) [+] fst deltas),
       value_0 s [+] (share_words P0 (fst l_3) [+] snd deltas)),
      (paper_read_shift_share (address_1 s) ri_1 n, value_1 s [+] (share_words P1 (snd l_2) [-] fst deltas),
       value_1 s [+] (share_words P1 (snd l_3) [-] snd deltas)))).

  Definition helper_view (s : helper_secret) (r : helper_hidden) : helper_seen :=
    let '((word, deltas), (y_1, x, y_2, y_3)) := r in
    let ri := vector_mod_size (ixor (word_0 s) word) n in
    let l_1 := leaves_0_1 ri x in
    helper_view_of s deltas (l_1, other_leaves l_1 ri y_1) (leaves_0_2, other_leaves leaves_0_2 ri y_2)
      (other_leaves leaves_1_3 ri y_3, leaves_1_3).

  (* The simulator: fresh words, of which it knows no more than that they are fresh. *)
  Definition simulated_helper (c : helper_hidden) : helper_seen :=
    let '((word, (w_2, w_3)), (_, x, y_2, y_3)) := c in
    (from (wneg (even_word y_2)), from (wneg (even_word y_3)),
     ((vector_mod_size (block_low_half x) n, w_2, from (block_high_half y_3)),
      (vector_mod_size word n, from (block_high_half y_2), w_3))).

  (** * The bijection *)

  Section Bijection.
    Context (s : helper_secret).

    (* Of DPF 1: the factor, as a word, and the leaf as the word of the index. *)
    Let factor_word (ri : u64) (y : u128) : u64 := wneg (opened_of P0 (leaves_0_1 ri (repr 128 0)) ri y).
    Let before (ri : u64) : list u128 := fst (sides (leaf_place n ri)).
    Let after (ri : u64) : list u128 := snd (sides (leaf_place n ri)).
    Let index_forth_at (ri : u64) (y x : u128) : u128 :=
      if ieqb n (repr 64 2) then x else index_forth (W := W) n (before ri) (after ri) (odd_place ri) (factor_word ri y) x.
    Let index_back_at (ri : u64) (y x : u128) : u128 :=
      if ieqb n (repr 64 2) then x else index_back (W := W) n (before ri) (after ri) (odd_inverse ri) (factor_word ri y) x.
    (* The low half becomes i*_0 minus it. *)
    Let turned (x : u128) : u128 := block_block_of_halves (wsub (address_0 s) (block_low_half x)) (block_high_half x).

    Let held_2 : conversion_held (W := W) :=
      {| held_leaves := leaves_0_2; held_blind := one; held_triple := mk_du_atallah_ProductTriple one one one |}.
    Let held_3 : conversion_held (W := W) :=
      {| held_leaves := leaves_1_3; held_blind := one; held_triple := mk_du_atallah_ProductTriple one one one |}.

    Definition helper_forth (r : helper_hidden) : helper_hidden :=
      let '((word, (d_2, d_3)), (y_1, x, y_2, y_3)) := r in
      let index := ixor (word_0 s) word in
      let ri := vector_mod_size index n in
      let x' := index_forth_at ri y_1 x in
      ((wsub (wadd (address_1 s) (block_low_half x')) index,
        (value_0 s [+] (share_words P0 leaves_0_2 [+] d_2), value_1 s [+] (share_words P1 leaves_1_3 [-] d_3))),
       (y_1, turned x', label_forth P0 held_2 ri (value_1 s [-] d_2) y_2, label_forth P1 held_3 ri (value_0 s [+] d_3) y_3)).
    Definition helper_back (c : helper_hidden) : helper_hidden :=
      let '((word, (w_2, w_3)), (y_1, x', y_2, y_3)) := c in
      let x := turned x' in
      let index := wsub (wadd (address_1 s) (block_low_half x)) word in
      let ri := vector_mod_size index n in
      let d_2 := w_2 [-] value_0 s [-] share_words P0 leaves_0_2 in
      let d_3 := value_1 s [+] share_words P1 leaves_1_3 [-] w_3 in
      ((ixor (word_0 s) index, (d_2, d_3)),
       (y_1, index_back_at ri y_1 x, label_back P0 held_2 ri (value_1 s [-] d_2) y_2,
        label_back P1 held_3 ri (value_0 s [+] d_3) y_3)).

    Let turned_turned (x : u128) : turned (turned x) = x.
    Proof.
      unfold turned. rewrite low_half_of_halves, high_half_of_halves.
      replace (wsub (address_0 s) (wsub (address_0 s) (block_low_half x))) with (block_low_half x) by ring.
      apply block_of_halves_of.
    Qed.
    Let opened_even (l : list u128) (ri : u64) (y : u128) : Z.odd (val (wneg (opened_of P0 l ri y))) = false.
    Proof.
      unfold opened_of. rewrite val_wneg, odd_mod, Z.odd_opp.
      pose (held := {| held_leaves := l; held_blind := one; held_triple := mk_du_atallah_ProductTriple one one one |}).
      rewrite <- (even_word_of_forth P0 held ri one). apply even_word_even.
    Qed.
    Let factor_word_even (ri : u64) (y : u128) : Z.odd (val (factor_word ri y)) = false.
    Proof. apply opened_even. Qed.
    Let index_back_forth_at (ri : u64) (y x : u128) : index_back_at ri y (index_forth_at ri y x) = x.
    Proof.
      unfold index_back_at, index_forth_at. destruct (ieqb n _); [reflexivity|].
      apply (index_back_forth n _ _ _ (odd_inverse _)); [apply odd_place_inverse | apply factor_word_even].
    Qed.
    Let index_forth_back_at (ri : u64) (y x : u128) : index_forth_at ri y (index_back_at ri y x) = x.
    Proof.
      unfold index_back_at, index_forth_at. destruct (ieqb n _); [reflexivity|].
      apply (index_forth_back n _ _ _ (odd_inverse _)); [apply odd_place_inverse | apply factor_word_even].
    Qed.
    Lemma helper_back_forth (r : helper_hidden) : helper_back (helper_forth r) = r.
    Proof.
      destruct r as [[word [d_2 d_3]] [[[y_1 x] y_2] y_3]]. unfold helper_back, helper_forth. cbv zeta.
      rewrite turned_turned. set (index := ixor (word_0 s) word).
      set (x' := index_forth_at (vector_mod_size index n) y_1 x).
      replace (wsub (wadd (address_1 s) (block_low_half x')) (wsub (wadd (address_1 s) (block_low_half x')) index))
        with index by ring.
      replace (value_0 s [+] (share_words P0 leaves_0_2 [+] d_2) [-] value_0 s [-] share_words P0 leaves_0_2) with d_2 by ring.
      replace (value_1 s [+] share_words P1 leaves_1_3 [-] (value_1 s [+] (share_words P1 leaves_1_3 [-] d_3))) with d_3 by ring.
      rewrite !label_back_forth. unfold x'. rewrite index_back_forth_at.
      unfold index. rewrite ixor_cancel_l. reflexivity.
    Qed.
    Lemma helper_forth_back (c : helper_hidden) : helper_forth (helper_back c) = c.
    Proof.
      destruct c as [[word [w_2 w_3]] [[[y_1 x'] y_2] y_3]]. unfold helper_back, helper_forth. cbv zeta.
      rewrite ixor_cancel_l. set (x := turned x'). set (index := wsub (wadd (address_1 s) (block_low_half x)) word).
      rewrite !index_forth_back_at.
      rewrite !label_forth_back. unfold x. rewrite turned_turned. unfold index. f_equal. f_equal; [unfold x; ring | f_equal; ring].
    Qed.

    (** * The view is the simulator's *)

    Let leaves_0_1_sized (ri : u64) (x : u128) : sized n (leaves_0_1 ri x).
    Proof.
      unfold leaves_0_1. destruct (sides_sized (leaf_place n ri) (leaf_place_below ri)) as [_ h].
      destruct (sides (leaf_place n ri)) as [b a]. apply leaves_with_sized, h.
    Qed.
    Let below_of (ri : u64) (l : list u128) : (val ri < val n)%Z -> sized n l -> (nat_of ri < length l)%nat.
    Proof. intros h hs. unfold sized in hs. pose proof (Z_nat_of n). pose proof (Z_nat_of ri). lia. Qed.

    (* The factor of DPF 1 does not depend on the one leaf, but with two words. *)
    Let factor_1 (ri : u64) (y x : u128) : (val ri < val n)%Z -> n <> repr 64 2 ->
      factor_with P0 (leaves_0_1 ri x) ri y = from (factor_word ri y).
    Proof.
      intros hi ne. rewrite factor_with_opened by (apply below_of; auto). unfold factor_word, opened_of. do 3 f_equal.
      unfold leaves_0_1. destruct (sides_sized (leaf_place n ri) (leaf_place_below ri)) as [hp hs].
      assert (place : leaf_place n ri = odd_place ri) by (unfold leaf_place; destruct (ieqb_reflect n (repr 64 2)); [contradiction | reflexivity]).
      rewrite place in *. destruct (sides (odd_place ri)) as [b a]. cbn [fst snd] in *. rewrite !dpf_leaf_nth.
      rewrite (nth_leaves_with n b a (odd_place ri) hp hs x).
      destruct (Nat.eqb_spec (nat_of ri) (nat_of (odd_place ri))) as [e|_]; [elim (odd_place_other ri e) | reflexivity].
    Qed.

    Let index_0 (ri : u64) (y x : u128) : (val ri < val n)%Z ->
      paper_conversion_random_index_share (paper_conversion_unit_share P0 (leaves_0_1 ri x) (factor_with P0 (leaves_0_1 ri x) ri y))
      = vector_mod_size (block_low_half (index_forth_at ri y x)) n.
    Proof.
      intros hi. pose proof (below_of ri (leaves_0_1 ri x) hi (leaves_0_1_sized ri x)) as below.
      pose proof (factor_with_opened P0 (leaves_0_1 ri x) ri y below) as opened. pose proof (opened_even (leaves_0_1 ri x) ri y) as even.
      pose proof (factor_1 ri y x hi) as other. unfold index_forth_at.
      destruct (sides_sized (leaf_place n ri) (leaf_place_below ri)) as [hp hs]. unfold leaf_place in hp, hs.
      destruct (ieqb_reflect n (repr 64 2)) as [two|ne].
      - rewrite opened. clear opened other below. revert even. generalize (opened_of P0 (leaves_0_1 ri x) ri y). intros o even.
        unfold leaves_0_1, leaf_place. rewrite two, ieqb_refl. destruct (sides (repr 64 1)) as [b a]. cbn [fst snd] in *.
        apply index_share_of_two; [exact hp | rewrite two in hs; change (nat_of (repr 64 1)) with 1%nat in hp; change (nat_of (repr 64 2)) with 2%nat in hs; lia | exact even].
      - rewrite (other ne). unfold index_forth. rewrite low_half_of_halves. clear opened even other below.
        assert (place : leaf_place n ri = odd_place ri) by (unfold leaf_place; destruct (ieqb_reflect n (repr 64 2)); [contradiction | reflexivity]).
        unfold leaves_0_1, before, after. rewrite place. destruct (sides (odd_place ri)) as [b a]. cbn [fst snd] in *.
        apply (index_share_of n n_power fits_word b a (odd_place ri) (factor_word ri y) hp hs).
    Qed.

    Let indices_add_up (ri : u64) (y x : u128) : (val ri < val n)%Z ->
      let l := leaves_0_1 ri x in
      let l' := other_leaves l ri y in
      vector_mod_size (wadd (paper_conversion_random_index_share (paper_conversion_unit_share P0 l (factor_of l l')))
        (paper_conversion_random_index_share (paper_conversion_unit_share P1 l' (factor_of l l')))) n = ri.
    Proof.
      intros hi. cbv zeta. set (l := leaves_0_1 ri x). assert (hl : sized n l) by apply leaves_0_1_sized.
      pose proof (below_of ri l hi hl) as below. pose proof (Z_nat_of n). pose proof (val_bounds n).
      assert (small : (Z.of_nat (length l) < 2 ^ 64)%Z) by (unfold sized in hl; lia).
      pose proof (other_leaves_point_at l ri y small below) as points. set (l' := other_leaves l ri y) in *.
      assert (hl' : sized n l') by (unfold l', other_leaves, sized; rewrite replaced_length by assumption; exact hl).
      pose proof (unit_shares_add_up n ri l l' hl hl' hi points one one one one one one one) as add_up.
      rewrite factor_of_conversion in add_up.
      apply (index_shares_add_up n ri); try assumption; apply unit_share_sized; assumption.
    Qed.

    Lemma masked_of_other (party : share_Primary) (held : conversion_held (W := W)) (ri : u64) (m : W) (y : u128) :
      (nat_of ri < length (held_leaves held))%nat ->
      m [+] share_words (other_primary party) (other_leaves (held_leaves held) ri y)
      = from (block_high_half (label_forth party held ri m y)).
    Proof.
      intros below. pose proof (life_view_simulated party held ri m below (y, (one, one, one))) as h. apply (f_equal snd) in h.
      unfold life_view, simulated_life, life_forth in h. cbn [fst snd] in h. destruct (held_triple held). exact h.
    Qed.

    Lemma helper_view_simulated (r : helper_hidden) : helper_view s r = simulated_helper (helper_forth r).
    Proof.
      destruct r as [[word [d_2 d_3]] [[[y_1 x] y_2] y_3]]. unfold helper_view, helper_view_of, simulated_helper, helper_forth.
      cbv zeta. cbn [fst snd uncurry]. set (index := ixor (word_0 s) word). set (ri := vector_mod_size index n).
      assert (hi : (val ri < val n)%Z) by apply mod_size_below, n_power.
      pose proof (below_of ri _ hi sized_2) as below_2. pose proof (below_of ri _ hi sized_3) as below_3.
      pose proof (index_0 ri y_1 x hi) as i_0. pose proof (indices_add_up ri y_1 x hi) as both. cbv zeta in both.
      unfold factor_with in i_0. cbn [in_order uncurry] in i_0. rewrite i_0 in both |- *.
      set (x' := index_forth_at ri y_1 x) in *. set (ri_1 := paper_conversion_random_index_share (paper_conversion_unit_share P1 _ _)) in *.
      assert (f_2 : factor_of leaves_0_2 (other_leaves leaves_0_2 ri y_2)
        = from (wneg (even_word (label_forth P0 held_2 ri (value_1 s [-] d_2) y_2)))).
      { rewrite even_word_of_forth. exact (factor_with_opened P0 leaves_0_2 ri y_2 below_2). }
      assert (f_3 : factor_of (other_leaves leaves_1_3 ri y_3) leaves_1_3
        = from (wneg (even_word (label_forth P1 held_3 ri (value_0 s [+] d_3) y_3)))).
      { rewrite even_word_of_forth. exact (factor_with_opened P1 leaves_1_3 ri y_3 below_3). }
      pose proof (masked_of_other P0 held_2 ri (value_1 s [-] d_2) y_2 below_2) as m_2.
      pose proof (masked_of_other P1 held_3 ri (value_0 s [+] d_3) y_3 below_3) as m_3.
      cbn [other_primary held_leaves held_2 held_3] in m_2, m_3. rewrite f_2, f_3, <- m_2, <- m_3.
      unfold turned. rewrite low_half_of_halves. unfold paper_read_shift_share.
      rewrite (mod_size_sub_r (address_0 s)) by assumption.
      assert (shift : vector_mod_size (wsub (address_1 s) ri_1) n
        = vector_mod_size (wsub (wadd (address_1 s) (block_low_half x')) index) n).
      { replace (wsub (address_1 s) ri_1) with
          (wsub (wadd (address_1 s) (vector_mod_size (block_low_half x') n)) (wadd (vector_mod_size (block_low_half x') n) ri_1)) by ring.
        rewrite <- mod_size_sub_r, both by assumption. unfold ri. rewrite mod_size_sub_r by assumption.
        replace (wsub (wadd (address_1 s) (vector_mod_size (block_low_half x') n)) index)
          with (wadd (wsub (address_1 s) index) (vector_mod_size (block_low_half x') n)) by ring.
        rewrite mod_size_add_r by assumption. f_equal. ring. }
      rewrite shift.
      replace (value_0 s [+] (share_words P0 (other_leaves leaves_1_3 ri y_3) [+] d_3))
        with (value_0 s [+] d_3 [+] share_words P0 (other_leaves leaves_1_3 ri y_3)) by ring.
      replace (value_1 s [+] (share_words P1 (other_leaves leaves_0_2 ri y_2) [-] d_2))
        with (value_1 s [-] d_2 [+] share_words P1 (other_leaves leaves_0_2 ri y_2)) by ring.
      reflexivity.
    Qed.
  End Bijection.

  (* P2's view of an item, besides its keys: distributed as the simulator's, whatever the secrets are. *)
  Theorem item_view_of_helper_simulated (s : helper_secret) :
    same_distribution (fun _ : helper_hidden => True) (fun _ : helper_hidden => True) (helper_view s) simulated_helper.
  Proof.
    unshelve eexists.
    - refine {| forth := helper_forth s; back := helper_back s |}; intros; try exact I;
        [apply helper_back_forth | apply helper_forth_back].
    - intros r _. apply helper_view_simulated.
  Defined.
End Helper.
