(* The whole life of the leaf that a primary does not know: the other primary's label at ri, in one DPF. Its low half makes
   the conversion word and the flag that App. D works on [duoram, App. D], its high half the value word that M + F hides
   behind [Protocol 2, line 5]. If the label is uniform but for its flag, all that a primary receives of it together is
   what a simulator makes of the primary's own leaves, blind and triple, and of fresh words: it is told neither ri nor M.

   Exactly: for each ri and M there is a bijection ([life_forth], [life_back]) between what is not known (label, blind, two
   masks of the triple) and the simulator's draws that leaves the view as it is. That the label is uniform costs one
   advantage a level: core/GenerationSimulated.v. Three DPFs and the shift are in ItemView.v. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection.
From Duoram.core Require Import LabelFacts.
From Duoram.paper Require Import IdealPreprocessing ConversionPrivacy UpdatePrivacy.
From Duoram.Generated Require Import All.

(* What a primary does not know: the other's label at ri, of which the flag is given, its blind, and its X and Y. *)
Notation dpf_hidden W := (u128 * (W * W * W))%type.

Section Life.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Laws : RingLaws W}.
  Add Ring W_ring : (ring_theory_W W).
  Context (party : share_Primary).

  Notation one := (ring_Ring_one W).
  Notation "x [+] y" := (ring_Ring_plus x y) (at level 50, left associativity).
  Notation "x [-] y" := (ring_Ring_minus x y) (at level 50, left associativity).
  Notation "x [*] y" := (ring_Ring_times x y) (at level 40, left associativity).
  Notation from := (ring_Ring_from_u64 W).
  Notation other := (other_primary party).

  (* The other's triple: P2's T is such that the primary's own is what it holds. *)
  Definition others_product (own : du_atallah_ProductTriple W) (x y : W) : du_atallah_ProductTriple W :=
    let '(mk_du_atallah_ProductTriple X Y Z) := own in
    mk_du_atallah_ProductTriple x y (X [*] y [+] x [*] Y [-] Z).
  Lemma others_product_dealt (own : du_atallah_ProductTriple W) (x y : W) :
    exists X_0 X_1 Y_0 Y_1 T, in_order party own (others_product own x y)
      = du_atallah_product_triples X_0 X_1 Y_0 Y_1 T.
  Proof.
    unfold others_product. destruct own as [X Y Z].
    destruct party; [exists X, x, Y, y, (Z [-] X [*] y) | exists x, X, y, Y, (X [*] y [-] Z)];
      unfold du_atallah_product_triples; cbn [in_order]; f_equal; f_equal; ring.
  Qed.

  Definition own_input (held : conversion_held (W := W)) : paper_conversion_Input W :=
    mk_paper_conversion_Input (held_leaves held) (held_blind held) (held_triple held).
  Definition others_input (held : conversion_held) (leaves : list u128) (hidden : W * W * W) : paper_conversion_Input W :=
    let '(blind, x, y) := hidden in mk_paper_conversion_Input leaves blind (others_product (held_triple held) x y).

  (* What a primary receives in App. D, and M + F of the other one. *)
  Definition received_conversion (run : paper_conversion_Conversion W) : paper_conversion_Operands W * W :=
    match party with
    | share_Primary_P0 => (paper_conversion_Conversion_operands_1 run, paper_conversion_Conversion_opening_1 run)
    | share_Primary_P1 => (paper_conversion_Conversion_operands_0 run, paper_conversion_Conversion_opening_0 run)
    end.
  Definition life_run (held : conversion_held) (leaves : list u128) (hidden : W * W * W) : paper_conversion_Conversion W :=
    uncurry paper_conversion_conversion (in_order party (own_input held) (others_input held leaves hidden)).
  Definition dpf_seen : Type := paper_conversion_Operands W * W * W.
  Definition life_view (held : conversion_held) (ri : u64) (m : W) (r : dpf_hidden W) : dpf_seen :=
    let leaves := other_leaves (held_leaves held) ri (fst r) in
    (received_conversion (life_run held leaves (snd r)),
     m [+] dealer_final_correction_share (dpf_value_words W other leaves)).

  (** * The simulator *)

  Notation sign := (paper_conversion_sign_share W).
  Notation correction := (paper_conversion_conversion_correction_share W).

  (* The even word of a drawn label, for (F - 1) pm; its high half for M + F. *)
  Definition even_word (y : u128) : u64 := block_low_half (block_with_flag y false).
  Definition simulated_life (held : conversion_held) (coins : dpf_hidden W) : dpf_seen :=
    let '(y, (w_1, w_2, w_3)) := coins in
    let F := correction party (held_leaves held) in
    let pm := sign party (held_leaves held) in
    let '(mk_du_atallah_ProductTriple X Y Z) := held_triple held in
    ((mk_paper_conversion_Operands w_1 w_2 w_3,
      from (even_word y) [+] (pm [-] F [*] pm [-] Z [+] w_1 [-] w_3 [*] F [+] w_2 [*] Y)),
     from (block_high_half y)).

  (* What is opened, of any leaves of the other party: (F - 1) pm of both trees, and what masks it. *)
  Lemma conversion_opened (held : conversion_held (W := W)) (leaves : list u128) (blind x y : W) :
    let F := correction party (held_leaves held) in
    let pm := sign party (held_leaves held) in
    let '(mk_du_atallah_ProductTriple X Y Z) := held_triple held in
    let w_1 := sign other leaves [+] blind in
    let w_2 := correction other leaves [+] x in
    let w_3 := sign other leaves [+] y in
    received_conversion (life_run held leaves (blind, x, y))
    = (mk_paper_conversion_Operands w_1 w_2 w_3,
       (F [+] correction other leaves [-] one) [*] (pm [+] sign other leaves)
         [+] (pm [-] F [*] pm [-] Z [+] w_1 [-] w_3 [*] F [+] w_2 [*] Y)).
  Proof.
    unfold life_run, received_conversion, own_input, others_input, others_product.
    destruct held as [own r [X Y Z]]. cbn [held_leaves held_blind held_triple].
    destruct party; cbn [in_order uncurry other_primary]; unfold paper_conversion_conversion;
      cbn [paper_conversion_Conversion_operands_0 paper_conversion_Conversion_operands_1
        paper_conversion_Conversion_opening_0 paper_conversion_Conversion_opening_1];
      unfold paper_conversion_opening, paper_conversion_operands, du_atallah_product_share;
      cbn [paper_conversion_Input_labels paper_conversion_Input_blind paper_conversion_Input_triple
        paper_conversion_Operands_masked_correction paper_conversion_Operands_masked_sign
        du_atallah_ProductTriple_x du_atallah_ProductTriple_y du_atallah_ProductTriple_z];
      (f_equal; ring).
  Qed.

  (** * The bijection, for one ri and one M *)

  Section Bijection.
    Context (held : conversion_held (W := W)) (ri : u64) (m : W).
    Notation own := (held_leaves held).
    Hypothesis ri_below : (nat_of ri < length own)%nat.

    Let t : bool := block_flag (dpf_leaf own ri).
    Let l : u64 := block_low_half (dpf_leaf own ri).
    Let s : u64 := share_signed party (repr 64 1).
    Let base : u64 := ring_Ring_to_u64 (m [+] bare_correction (W := W) other own ri).

    (* (F - 1) pm as a word of 64 bits, from the conversion word, and back. *)
    Let low_forth (low : u64) : u64 := if t then wsub (wsub low l) s else wsub s (wsub low l).
    Let low_back (c : u64) : u64 := if t then wadd (wadd c l) s else wsub (wadd l s) c.

    Definition label_forth (x : u128) : u128 :=
      block_with_flag (block_block_of_halves (low_forth (block_low_half (block_with_flag x (negb t))))
        (wsub base (share_signed other (block_high_half x)))) (block_flag x).
    Definition label_back (y : u128) : u128 :=
      block_with_flag (block_block_of_halves (low_back (even_word y))
        (share_signed other (wsub base (block_high_half y)))) (block_flag y).

    Let flag_of_halves (low high : u64) : block_flag (block_block_of_halves low high) = Z.odd (val low).
    Proof. rewrite flag_odd, low_half_of_halves. reflexivity. Qed.
    Let t_odd : Z.odd (val l) = t.
    Proof. symmetry. apply flag_odd. Qed.
    Let s_odd : Z.odd (val s) = true.
    Proof. unfold s. destruct party; reflexivity. Qed.
    Let odd_wadd (a b : u64) : Z.odd (val (wadd a b)) = xorb (Z.odd (val a)) (Z.odd (val b)).
    Proof. rewrite val_wadd, odd_mod. apply Z.odd_add. Qed.
    Let odd_wsub (a b : u64) : Z.odd (val (wsub a b)) = xorb (Z.odd (val a)) (Z.odd (val b)).
    Proof. rewrite val_wsub, odd_mod. apply Z.odd_sub. Qed.
    Let low_odd (x : u128) (b : bool) : Z.odd (val (block_low_half (block_with_flag x b))) = b.
    Proof. rewrite <- flag_odd. apply flag_with_flag. Qed.

    Let forth_even (x : u128) : Z.odd (val (low_forth (block_low_half (block_with_flag x (negb t))))) = false.
    Proof. unfold low_forth. destruct t eqn:e; rewrite !odd_wsub, low_odd, t_odd, s_odd, ?e; reflexivity. Qed.
    Let back_odd (y : u128) : Z.odd (val (low_back (even_word y))) = negb t.
    Proof.
      unfold low_back, even_word. destruct t eqn:e; rewrite ?odd_wsub, !odd_wadd, low_odd, t_odd, s_odd, ?e; reflexivity.
    Qed.
    Let low_back_forth (low : u64) : low_back (low_forth low) = low.
    Proof. unfold low_back, low_forth. destruct t; ring. Qed.
    Let low_forth_back (c : u64) : low_forth (low_back c) = c.
    Proof. unfold low_back, low_forth. destruct t; ring. Qed.
    Let signed_twice (a : u64) : share_signed other (share_signed other a) = a.
    Proof. destruct party; cbn; ring. Qed.

    (* A block of halves of which the low one has the parity b keeps its low half when its flag is set and set back. *)
    Let reset (low high : u64) (a b : bool) : Z.odd (val low) = b ->
      block_with_flag (block_with_flag (block_block_of_halves low high) a) b = block_block_of_halves low high.
    Proof. intros h. rewrite with_flag_twice, <- h, <- (flag_of_halves low high). apply with_flag_same. Qed.

    Lemma label_back_forth (x : u128) : label_back (label_forth x) = x.
    Proof.
      unfold label_back, even_word. unfold label_forth at 1. rewrite reset by apply forth_even.
      unfold label_forth. rewrite low_half_of_halves, low_back_forth, high_half_with_flag, high_half_of_halves, flag_with_flag.
      replace (wsub base (wsub base (share_signed other (block_high_half x)))) with (share_signed other (block_high_half x))
        by ring.
      rewrite signed_twice, <- (high_half_with_flag x (negb t)), block_of_halves_of, with_flag_twice. apply with_flag_same.
    Qed.
    Lemma label_forth_back (y : u128) : label_forth (label_back y) = y.
    Proof.
      unfold label_forth. unfold label_back at 1. rewrite reset by apply back_odd.
      unfold label_back. rewrite low_half_of_halves, low_forth_back, high_half_with_flag, high_half_of_halves, flag_with_flag.
      rewrite signed_twice.
      replace (wsub base (wsub base (block_high_half y))) with (block_high_half y) by ring.
      unfold even_word. rewrite <- (high_half_with_flag y false), block_of_halves_of, with_flag_twice. apply with_flag_same.
    Qed.

    (* What is opened of the label, as a word of 64 bits: it depends on one's own leaves by the one at ri only. *)
    Definition opened_word (leaf x : u128) : u64 :=
      let low := wsub (block_low_half (block_with_flag x (negb (block_flag leaf)))) (block_low_half leaf) in
      if block_flag leaf then wsub low s else wsub s low.
    Lemma even_word_of_forth (x : u128) : even_word (label_forth x) = opened_word (dpf_leaf own ri) x.
    Proof. unfold even_word, label_forth. rewrite reset by apply forth_even. apply low_half_of_halves. Qed.
    Lemma even_word_even (y : u128) : Z.odd (val (even_word y)) = false.
    Proof. apply low_odd. Qed.

    Definition life_forth (r : dpf_hidden W) : dpf_hidden W :=
      let '(x, (blind, X, Y)) := r in
      let leaves := other_leaves own ri x in
      (label_forth x, (sign other leaves [+] blind, correction other leaves [+] X, sign other leaves [+] Y)).
    Definition life_back (c : dpf_hidden W) : dpf_hidden W :=
      let '(y, (w_1, w_2, w_3)) := c in
      let x := label_back y in
      let leaves := other_leaves own ri x in
      (x, (w_1 [-] sign other leaves, w_2 [-] correction other leaves, w_3 [-] sign other leaves)).

    Lemma life_back_forth (r : dpf_hidden W) : life_back (life_forth r) = r.
    Proof.
      destruct r as [x [[blind X] Y]]. unfold life_back, life_forth. rewrite label_back_forth.
      f_equal. f_equal; [f_equal|]; ring.
    Qed.
    Lemma life_forth_back (c : dpf_hidden W) : life_forth (life_back c) = c.
    Proof.
      destruct c as [y [[w_1 w_2] w_3]]. unfold life_back, life_forth. rewrite label_forth_back.
      f_equal. f_equal; [f_equal|]; ring.
    Qed.

    Lemma from_signed (who : share_Primary) (a : u64) : from (share_signed who a) = share_signed who (from a).
    Proof.
      destruct who; [reflexivity|]. cbn [share_signed ring_Ring_negated ring_Ring_u64].
      replace (wneg a) with (wsub (repr 64 0) a) by ring. rewrite from_wsub, ring_from_zero. ring.
    Qed.

    (* (F - 1) pm of both trees. *)
    Lemma opened_product (x : u128) :
      let leaves := other_leaves own ri x in
      (correction party own [+] correction other leaves [-] one) [*] (sign party own [+] sign other leaves)
      = from (even_word (label_forth x)).
    Proof.
      cbv zeta. unfold even_word, label_forth. rewrite reset by apply forth_even. rewrite low_half_of_halves.
      set (x' := block_with_flag x (negb t)).
      assert (e : other_leaves own ri x = other_leaves own ri x') by (unfold other_leaves, x'; rewrite with_flag_twice; reflexivity).
      assert (hx : other_flag own ri x') by apply flag_with_flag.
      rewrite e, correction_shares, sign_shares by assumption. fold l. unfold flag_word. fold t.
      replace (block_flag x') with (negb t) by (symmetry; apply flag_with_flag).
      unfold low_forth, s. destruct t; cbn [negb]; rewrite !from_wsub, from_signed, ring_from_one;
        destruct party; cbn [share_signed]; ring.
    Qed.

    Theorem life_view_simulated (r : dpf_hidden W) : life_view held ri m r = simulated_life held (life_forth r).
    Proof.
      destruct r as [x [[blind X'] Y']]. pose proof (opened_product x) as product. cbv zeta in product.
      pose proof (conversion_opened held (other_leaves own ri x) blind X' Y') as opened. cbv zeta in opened.
      unfold life_view, simulated_life, life_forth. cbn [fst snd]. destruct (held_triple held) as [X Y Z].
      rewrite opened, product. f_equal.
      change (m [+] unknown_correction other own ri x = from (block_high_half (label_forth x))).
      rewrite unknown_correction_value_word. unfold label_forth.
      rewrite high_half_with_flag, high_half_of_halves, from_wsub. unfold base. rewrite ring_from_to, from_signed. ring.
    Qed.
  End Bijection.
End Life.
