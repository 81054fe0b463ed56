(* Privacy of App. D [duoram, App. D]: what a party receives while the XOR-shared flags of a DPF become additive shares of
   e_ri is distributed the same for every target ri, and so for both signs pm. For words with [RingLaws].

   Idealized: the leaf at ri of the other party's tree is uniform among the labels with the other flag. Its conversion
   word has the flag as its lowest bit: so F, the difference of the two conversion words at ri, is not uniform in Z_2^w
   but, exactly, uniform among the odd words. This suffices: of F and pm only (F - 1) pm is seen, and for uniform odd F
   this is a uniform even word, whether pm is 1 or -1. The other leaves are equal in both trees.
   The triples are uniform but for what P2 deals to the party itself; the blinds r_b are uniform. In the implementation
   all this is pseudorandom, which is not formalized.

   The messages are those of `conversion::conversion`. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection.
From Duoram.core Require Import LabelFacts.
From Duoram.paper Require Import IdealPreprocessing.
From Duoram.Generated Require Import All.

Section Conversion.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Laws : RingLaws W}.
  Add Ring W_ring : (ring_theory_W W).

  Notation one := (ring_Ring_one W).
  Notation "x [+] y" := (ring_Ring_plus x y) (at level 50, left associativity).
  Notation "x [-] y" := (ring_Ring_minus x y) (at level 50, left associativity).
  Notation "x [*] y" := (ring_Ring_times x y) (at level 40, left associativity).

  (** * The label at ri, and what is seen of it: (F - 1) pm *)

  (* The labels that the other party may have at ri: those with the other flag. *)
  Definition other_flag (own : list u128) (ri : u64) (x : u128) : Prop :=
    block_flag x = negb (block_flag (dpf_leaf own ri)).

  (* The label for ri' that yields the same (F - 1) pm: with l, l' one's own conversion words at ri and ri' and x the
     other's, F = x - l for P0; if pm stays, F is to stay, and else to become 2 - F. For P1 F = l - x. *)
  Definition moved_label_at (party : share_Primary) (own : list u128) (ri ri' : u64) (x : u128) : u128 :=
    let l := block_low_half (dpf_leaf own ri) in
    let l' := block_low_half (dpf_leaf own ri') in
    let low := block_low_half x in
    let low' :=
      if Bool.eqb (block_flag (dpf_leaf own ri)) (block_flag (dpf_leaf own ri')) then wadd (wsub low l) l'
      else wadd (wsub (wadd l l') low) (share_signed party (repr 64 2)) in
    block_block_of_halves low' (block_high_half x).

  Lemma moved_label_at_back (party : share_Primary) (own : list u128) (ri ri' : u64) (x : u128) :
    moved_label_at party own ri' ri (moved_label_at party own ri ri' x) = x.
  Proof.
    unfold moved_label_at. rewrite low_half_of_halves, high_half_of_halves.
    replace (Bool.eqb (block_flag (dpf_leaf own ri')) (block_flag (dpf_leaf own ri)))
      with (Bool.eqb (block_flag (dpf_leaf own ri)) (block_flag (dpf_leaf own ri')))
      by (destruct (block_flag (dpf_leaf own ri)), (block_flag (dpf_leaf own ri')); reflexivity).
    transitivity (block_block_of_halves (block_low_half x) (block_high_half x)); [f_equal | apply block_of_halves_of].
    destruct (Bool.eqb _ _), party; cbn [share_signed ring_Ring_negated ring_Ring_u64]; ring.
  Qed.

  Lemma moved_label_at_flag (party : share_Primary) (own : list u128) (ri ri' : u64) (x : u128) :
    other_flag own ri x -> other_flag own ri' (moved_label_at party own ri ri' x).
  Proof.
    unfold other_flag, moved_label_at. rewrite !flag_odd, low_half_of_halves. intros h.
    generalize dependent (block_low_half x). intros low h.
    destruct (Bool.eqb _ _), party; cbn [share_signed ring_Ring_negated ring_Ring_u64];
      repeat rewrite ?val_wadd, ?val_wsub, ?val_wneg, ?odd_mod, ?Z.odd_add, ?Z.odd_sub, ?Z.odd_opp;
      rewrite ?h; change (Z.odd (val (repr 64 2))) with false;
      destruct (Z.odd (val (block_low_half (dpf_leaf own ri)))), (Z.odd (val (block_low_half (dpf_leaf own ri'))));
      reflexivity.
  Qed.

  Lemma from_wsub (a b : u64) :
    ring_Ring_from_u64 W (wsub a b) = ring_Ring_from_u64 W a [-] ring_Ring_from_u64 W b.
  Proof.
    assert (h : ring_Ring_from_u64 W (wsub a b) [+] ring_Ring_from_u64 W b = ring_Ring_from_u64 W a).
    { rewrite <- ring_from_wadd. f_equal. ring. }
    rewrite <- h. ring.
  Qed.

  (* Sums over both trees: what is left is the two leaves at ri. *)
  Lemma sum_over_both_trees (party : share_Primary) (g : u128 -> W) (own : list u128) (ri : u64) (x : u128) :
    (nat_of ri < length own)%nat -> other_flag own ri x ->
    vector_sum (map (fun label => share_signed party (g label)) own)
      [+] vector_sum (map (fun label => share_signed (other_primary party) (g label)) (other_leaves own ri x))
    = share_signed party (g (dpf_leaf own ri) [-] g x).
  Proof.
    intros hri hx. unfold other_leaves. rewrite <- hx, with_flag_same.
    rewrite (vector_sum_replaced (W := W) _ own (nat_of ri) x (dpf_leaf own ri)), dpf_leaf_nth, replaced_nth by assumption.
    assert (h : vector_sum (map (fun label => share_signed (other_primary party) (g label)) own)
      = ring_Ring_negated (vector_sum (map (fun label => share_signed party (g label)) own))).
    { clear -W_Laws. induction own as [|y own IH]; [unfold vector_sum; simpl; ring|].
      cbn [map]. rewrite !vector_sum_cons, IH. destruct party; cbn; ring. }
    rewrite h. destruct party; cbn; ring.
  Qed.

  Definition flag_word (label : u128) : W := if block_flag label then one else ring_Ring_zero W.

  (* pm: +1 or -1. *)
  Lemma sign_shares (party : share_Primary) (own : list u128) (ri : u64) (x : u128) :
    (nat_of ri < length own)%nat -> other_flag own ri x ->
    paper_conversion_sign_share W party own [+] paper_conversion_sign_share W (other_primary party) (other_leaves own ri x)
    = share_signed party (flag_word (dpf_leaf own ri) [-] flag_word x).
  Proof. apply (sum_over_both_trees party flag_word). Qed.

  (* F, the difference of the conversion words at ri. *)
  Lemma correction_shares (party : share_Primary) (own : list u128) (ri : u64) (x : u128) :
    (nat_of ri < length own)%nat -> other_flag own ri x ->
    paper_conversion_conversion_correction_share W party own
      [+] paper_conversion_conversion_correction_share W (other_primary party) (other_leaves own ri x)
    = share_signed party
        (ring_Ring_from_u64 W (wsub (block_low_half x) (block_low_half (dpf_leaf own ri)))).
  Proof.
    intros hri hx. pose proof (sum_over_both_trees party (ring_Ring_conversion_word W) own ri x hri hx) as h.
    unfold paper_conversion_conversion_correction_share, dealer_final_correction_share, dpf_conversion_words.
    cbv zeta. rewrite from_wsub, <- !ring_conversion_word_from.
    match type of h with ?a [+] ?b = _ => transitivity (ring_Ring_negated (a [+] b)); [ring | rewrite h] end.
    destruct party; cbn; ring.
  Qed.

  (* F and pm, of both trees. *)
  Definition both_corrections (party : share_Primary) (own : list u128) (ri : u64) (x : u128) : W :=
    paper_conversion_conversion_correction_share W party own
      [+] paper_conversion_conversion_correction_share W (other_primary party) (other_leaves own ri x).
  Definition both_signs (party : share_Primary) (own : list u128) (ri : u64) (x : u128) : W :=
    paper_conversion_sign_share W party own [+] paper_conversion_sign_share W (other_primary party) (other_leaves own ri x).

  Lemma from_two : ring_Ring_from_u64 W (repr 64 2) = one [+] one.
  Proof. rewrite <- ring_from_one, <- ring_from_wadd. f_equal. Qed.

  Lemma seen_kept (party : share_Primary) (own : list u128) (ri ri' : u64) (x : u128) :
    (nat_of ri < length own)%nat -> (nat_of ri' < length own)%nat -> other_flag own ri x ->
    let x' := moved_label_at party own ri ri' x in
    (both_corrections party own ri x [-] one) [*] both_signs party own ri x
    = (both_corrections party own ri' x' [-] one) [*] both_signs party own ri' x'.
  Proof.
    intros hri hri' hx x'. assert (hx' : other_flag own ri' x') by (apply moved_label_at_flag, hx).
    unfold both_corrections, both_signs. rewrite !correction_shares, !sign_shares by assumption.
    unfold flag_word. rewrite hx, hx'. unfold x', moved_label_at. rewrite low_half_of_halves.
    set (l := block_low_half (dpf_leaf own ri)). set (l' := block_low_half (dpf_leaf own ri')).
    set (low := block_low_half x).
    destruct (block_flag (dpf_leaf own ri)), (block_flag (dpf_leaf own ri')), party;
      cbn [Bool.eqb negb share_signed ring_Ring_negated ring_Ring_u64];
      try replace (wneg (repr 64 2)) with (wsub (repr 64 0) (repr 64 2)) by ring;
      repeat rewrite ?from_wsub, ?ring_from_wadd; rewrite ?from_two, ?ring_from_zero; ring.
  Qed.

  (* A share of the product, blinded, as the holder of F, pm, (X, Y, Z) and r sees it if the masked operands that it
     receives are the same and so is (F - 1) pm. *)
  Lemma opening_seen_kept (F pm X Y Z : W) (F_o pm_o X_o Y_o Z_o r_o F_o' pm_o' X_o' Y_o' Z_o' r_o' : W) :
    (F [+] F_o [-] one) [*] (pm [+] pm_o) = (F [+] F_o' [-] one) [*] (pm [+] pm_o') ->
    Z [+] Z_o = X [*] Y_o [+] X_o [*] Y -> Z [+] Z_o' = X [*] Y_o' [+] X_o' [*] Y ->
    X_o [+] F_o = X_o' [+] F_o' -> Y_o [+] pm_o = Y_o' [+] pm_o' -> r_o [+] pm_o = r_o' [+] pm_o' ->
    du_atallah_product_share F_o pm_o (mk_du_atallah_ProductTriple X_o Y_o Z_o) (F [+] X) (pm [+] Y) [+] r_o
    = du_atallah_product_share F_o' pm_o' (mk_du_atallah_ProductTriple X_o' Y_o' Z_o') (F [+] X) (pm [+] Y) [+] r_o'.
  Proof.
    intros kept hz hz' hX hY hr.
    assert (seen : forall F_o pm_o X_o Y_o Z_o r_o, Z [+] Z_o = X [*] Y_o [+] X_o [*] Y ->
      du_atallah_product_share F_o pm_o (mk_du_atallah_ProductTriple X_o Y_o Z_o) (F [+] X) (pm [+] Y) [+] r_o
      = (F [+] F_o [-] one) [*] (pm [+] pm_o)
        [+] (pm [-] F [*] pm [-] Z [+] (r_o [+] pm_o) [-] (Y_o [+] pm_o) [*] F [+] (X_o [+] F_o) [*] Y)).
    { clear -W_Laws. intros F_o pm_o X_o Y_o Z_o r_o h. replace Z_o with (Z [+] Z_o [-] Z) by ring. rewrite h.
      unfold du_atallah_product_share. cbn. ring. }
    rewrite !seen by assumption. rewrite kept, hX, hY, hr. reflexivity.
  Qed.

  (** * The primaries *)

  (* What a primary P_b holds: its leaves, its blind r_b and its triple. *)
  Record conversion_held : Type := {
    held_leaves : list u128;
    held_blind : W;
    held_triple : du_atallah_ProductTriple W;
  }.
  (* What it does not know: the other's label at ri, blind, X and Y, and the dealer's T. *)
  Record conversion_unknown : Type := {
    unknown_label : u128;
    unknown_blind : W;
    unknown_x : W;
    unknown_y : W;
    unknown_t : W;
  }.

  (* The triples that P2 deals, own and other, if the party's X and Y are those that it holds. *)
  Definition dealt (party : share_Primary) (held : conversion_held) (r : conversion_unknown) :
    du_atallah_ProductTriple W * du_atallah_ProductTriple W :=
    let '(x_0, x_1) := in_order party (du_atallah_ProductTriple_x (held_triple held)) (unknown_x r) in
    let '(y_0, y_1) := in_order party (du_atallah_ProductTriple_y (held_triple held)) (unknown_y r) in
    let '(triple_0, triple_1) := du_atallah_product_triples x_0 x_1 y_0 y_1 (unknown_t r) in
    in_order party triple_0 triple_1.

  (* Uniform among the values for which the label has the other flag, and P2 deals the triple that the party holds. *)
  Definition conversion_drawn (party : share_Primary) (held : conversion_held) (ri : u64) (r : conversion_unknown) : Prop :=
    other_flag (held_leaves held) ri (unknown_label r) /\ fst (dealt party held r) = held_triple held.

  Definition conversion_run (party : share_Primary) (held : conversion_held) (ri : u64) (r : conversion_unknown) :
    paper_conversion_Conversion W :=
    let others := mk_paper_conversion_Input (other_leaves (held_leaves held) ri (unknown_label r)) (unknown_blind r)
      (snd (dealt party held r)) in
    let own := mk_paper_conversion_Input (held_leaves held) (held_blind held) (held_triple held) in
    let '(input_0, input_1) := in_order party own others in paper_conversion_conversion input_0 input_1.

  (* What P_b receives: pm_(1-b) + r_(1-b), F_(1-b) + X_(1-b), pm_(1-b) + Y_(1-b), and then F'_(1-b). *)
  Definition conversion_view (party : share_Primary) (held : conversion_held) (ri : u64) (r : conversion_unknown) :
    paper_conversion_Operands W * W :=
    let run := conversion_run party held ri r in
    match party with
    | share_Primary_P0 => (paper_conversion_Conversion_operands_1 run, paper_conversion_Conversion_opening_1 run)
    | share_Primary_P1 => (paper_conversion_Conversion_operands_0 run, paper_conversion_Conversion_opening_0 run)
    end.

  (* The label moves as above; the blind and Y make up for pm_(1-b), X for F_(1-b), and T keeps the party's own Z. *)
  Definition conversion_move (party : share_Primary) (held : conversion_held) (ri ri' : u64) (r : conversion_unknown) :
    conversion_unknown :=
    let own := held_leaves held in
    let other := other_primary party in
    let label' := moved_label_at party own ri ri' (unknown_label r) in
    let leaves := other_leaves own ri (unknown_label r) in
    let leaves' := other_leaves own ri' label' in
    let sign := paper_conversion_sign_share W other leaves [-] paper_conversion_sign_share W other leaves' in
    let correction :=
      paper_conversion_conversion_correction_share W other leaves [-] paper_conversion_conversion_correction_share W other leaves' in
    {| unknown_label := label';
       unknown_blind := unknown_blind r [+] sign;
       unknown_x := unknown_x r [+] correction;
       unknown_y := unknown_y r [+] sign;
       unknown_t := unknown_t r [-]
         share_signed party (du_atallah_ProductTriple_x (held_triple held) [*] sign) |}.

  (* P0 and P1: whatever a primary holds, its view of App. D is distributed the same for all targets, of either sign. *)
  Theorem conversion_view_of_primary_private (party : share_Primary) (held : conversion_held) :
    independent_of_secrets (fun ri : u64 => (nat_of ri < length (held_leaves held))%nat)
      (conversion_drawn party held) (conversion_view party held).
  Proof.
    apply (independent_by_move _ _ _ (conversion_move party held)); destruct held as [own blind [X Y Z]];
      unfold conversion_drawn; cbn [held_leaves];
      intros ri ri' [x r X' Y' T] hri hri' [hx hz]; cbn [unknown_label] in hx.
    - split; [apply moved_label_at_flag, hx|]. rewrite <- hz.
      destruct party; unfold dealt; cbn; f_equal; ring.
    - unfold conversion_move. cbn [unknown_label unknown_blind unknown_x unknown_y unknown_t held_leaves held_triple].
      rewrite moved_label_at_back. destruct party; f_equal; cbn; ring.
    - pose proof (seen_kept party own ri ri' x hri hri' hx) as kept. cbv zeta in kept.
      unfold both_corrections, both_signs in kept.
      set (x' := moved_label_at party own ri ri' x) in *.
      unfold conversion_view, conversion_run, paper_conversion_conversion, conversion_move, dealt in *.
      cbn [unknown_label unknown_blind unknown_x unknown_y unknown_t held_leaves held_triple] in *. fold x'.
      set (others := other_leaves own ri x) in *. set (others' := other_leaves own ri' x') in *.
      destruct party; cbn in hz |- *; injection hz as hz; unfold paper_conversion_operands, paper_conversion_opening;
        cbn -[paper_conversion_sign_share paper_conversion_conversion_correction_share du_atallah_product_share] in kept |- *;
        (f_equal; [f_equal; ring|]);
        (apply (opening_seen_kept _ _ _ _ Z); [exact kept | rewrite <- hz; ring .. | ring | ring | ring]).
  Qed.

  (** * P2 *)

  (* P2 holds the key of one primary, [party], and with it that one's leaves: P0's of DPF 2, P1's of DPF 3. It deals the
     triples. It receives the factor A. It does not know the label at ri of the other tree, nor the blinds. *)
  Record helper_conversion_held : Type := {
    helper_leaves : list u128;
    helper_x : W * W;
    helper_y : W * W;
    helper_t : W;
  }.
  Record helper_conversion_unknown : Type := { helper_label : u128; helper_blind_own : W; helper_blind_other : W }.
  Definition helper_conversion_drawn (held : helper_conversion_held) (ri : u64) (r : helper_conversion_unknown) : Prop :=
    other_flag (helper_leaves held) ri (helper_label r).

  Definition helper_conversion_view (party : share_Primary) (held : helper_conversion_held) (ri : u64)
    (r : helper_conversion_unknown) : W :=
    let '(triple_0, triple_1) := du_atallah_product_triples (fst (helper_x held)) (snd (helper_x held))
      (fst (helper_y held)) (snd (helper_y held)) (helper_t held) in
    let '(leaves_0, leaves_1) :=
      in_order party (helper_leaves held) (other_leaves (helper_leaves held) ri (helper_label r)) in
    let '(blind_0, blind_1) := in_order party (helper_blind_own r) (helper_blind_other r) in
    paper_conversion_Conversion_factor (paper_conversion_conversion (mk_paper_conversion_Input leaves_0 blind_0 triple_0)
      (mk_paper_conversion_Input leaves_1 blind_1 triple_1)).

  (* The factor is (1 - F) pm. *)
  Lemma factor_seen (party : share_Primary) (held : helper_conversion_held) (ri : u64) (r : helper_conversion_unknown) :
    helper_conversion_view party held ri r
    = ring_Ring_negated ((both_corrections party (helper_leaves held) ri (helper_label r) [-] one)
        [*] both_signs party (helper_leaves held) ri (helper_label r)).
  Proof.
    destruct held as [own [X_0 X_1] [Y_0 Y_1] T], r as [x r r'].
    unfold helper_conversion_view, both_corrections, both_signs.
    destruct party;
      cbn -[paper_conversion_sign_share paper_conversion_conversion_correction_share];
      unfold paper_conversion_conversion_factor, paper_conversion_opening, du_atallah_product_share;
      cbn -[paper_conversion_sign_share paper_conversion_conversion_correction_share]; ring.
  Qed.

  (* P2's view of App. D is distributed the same for all targets, of either sign. *)
  Theorem conversion_view_of_helper_private (party : share_Primary) (held : helper_conversion_held) :
    independent_of_secrets (fun ri : u64 => (nat_of ri < length (helper_leaves held))%nat)
      (helper_conversion_drawn held) (helper_conversion_view party held).
  Proof.
    apply (independent_by_move _ _ _ (fun ri ri' r =>
      {| helper_label := moved_label_at party (helper_leaves held) ri ri' (helper_label r);
         helper_blind_own := helper_blind_own r; helper_blind_other := helper_blind_other r |}));
      unfold helper_conversion_drawn; intros ri ri' [x r r'] hri hri' hx; cbn [helper_label] in *.
    - apply moved_label_at_flag, hx.
    - cbn [helper_label helper_blind_own helper_blind_other]. rewrite moved_label_at_back. reflexivity.
    - rewrite !factor_seen. cbn [helper_label]. f_equal. apply seen_kept; assumption.
  Qed.
End Conversion.

(* For the words of the implementation. *)
Corollary conversion_view_of_primary_private_u64 (party : share_Primary) (held : conversion_held (W := u64)) :
  independent_of_secrets (fun ri : u64 => (nat_of ri < length (held_leaves held))%nat)
    (conversion_drawn party held) (conversion_view party held).
Proof. apply conversion_view_of_primary_private. Qed.
Corollary conversion_view_of_helper_private_u64 (party : share_Primary) (held : helper_conversion_held (W := u64)) :
  independent_of_secrets (fun ri : u64 => (nat_of ri < length (helper_leaves held))%nat)
    (helper_conversion_drawn held) (helper_conversion_view party held).
Proof. apply conversion_view_of_helper_private. Qed.
