(* One item's whole life, as a primary sees it [duoram, App. D; Protocols 1 and 2, lines 2 to 5]: App. D of the three DPFs, the
   other's shift share, and the three masked words of an UPDATE, M + F. The three leaves at ri that it does not know and
   the other's share of the index make up for everything (LeafLife.v): exactly, all of it together is distributed as
   what a simulator makes of the primary's own leaves, blinds and triples, and of fresh words. It is told neither ri nor
   the other's shares of i* and M.

   The other's share of ri is what the other computes, by `conversion::random_index_share`, of the same leaves and the
   factor that App. D opens: it is no draw of its own. What is drawn is the XOR of both parties' index words, 64 bits of
   which ri has the lower h. A READ opens no M + F: its view of an item is a part of this one. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection.
From Duoram.core Require Import LabelFacts DpfFacts.
From Duoram.paper Require Import IdealPreprocessing ConversionPrivacy UpdatePrivacy ShareConversion LeafLife.
From Duoram.Generated Require Import All.

(* To point at a place is symmetric. *)
Lemma leaves_point_at_sym (labels_0 labels_1 : list u128) (target : u64) :
  (Z.of_nat (length labels_0) < 2 ^ 64)%Z -> (Z.of_nat (length labels_1) < 2 ^ 64)%Z ->
  lemmas_leaves_point_at labels_0 labels_1 target = true -> lemmas_leaves_point_at labels_1 labels_0 target = true.
Proof.
  intros h_0 h_1 points. apply leaves_point_at_iff in points; [|assumption|assumption]. destruct points as [hl points].
  apply leaves_point_at_iff; [assumption|assumption|]. split; [auto|]. intros k hk. specialize (points k ltac:(lia)).
  destruct (Nat.eqb k (nat_of target)); [intros e|]; auto.
Qed.

(* What a primary does not know: the XOR of the index words, and of each DPF the leaf, blind and triple. *)
Notation item_hidden W := (u64 * (dpf_hidden W * dpf_hidden W * dpf_hidden W))%type.

Section Item.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Laws : RingLaws W}.
  Add Ring W_ring : (ring_theory_W W).
  Context (n : u64) (n_power : power_of_two n) (fits_word : (val n <= 2 ^ Zpos (ring_bits W))%Z).
  Context (party : share_Primary).
  Notation "x [+] y" := (ring_Ring_plus x y) (at level 50, left associativity).
  Notation other := (other_primary party).
  Notation held := (conversion_held (W := W)).

  (** * The index *)

  (* The factor of App. D, from what a primary has and receives, and its share of ri. *)
  Definition own_factor (own : held) (seen : paper_conversion_Operands W * W) : W :=
    let operands := paper_conversion_operands party (own_input own) in
    let opening := paper_conversion_opening party (own_input own) (fst seen) in
    paper_conversion_conversion_factor
      (paper_conversion_Operands_blinded_sign operands [+] paper_conversion_Operands_blinded_sign (fst seen))
      (opening [+] snd seen).
  Definition own_index (own : held) (seen : paper_conversion_Operands W * W) : u64 :=
    paper_conversion_random_index_share (paper_conversion_unit_share party (held_leaves own) (own_factor own seen)).

  (* The other's, from the run. *)
  Definition others_index (own : held) (ri : u64) (r : dpf_hidden W) : u64 :=
    let leaves := other_leaves (held_leaves own) ri (fst r) in
    paper_conversion_random_index_share
      (paper_conversion_unit_share other leaves (paper_conversion_Conversion_factor (life_run party own leaves (snd r)))).

  Lemma own_factor_of_run (own : held) (leaves : list u128) (r : W * W * W) :
    own_factor own (received_conversion party (life_run party own leaves r))
    = paper_conversion_Conversion_factor (life_run party own leaves r).
  Proof.
    destruct r as [[blind x] y]. unfold own_factor, received_conversion, life_run, paper_conversion_conversion_factor.
    destruct party; cbn [in_order uncurry]; unfold paper_conversion_conversion;
      cbn [paper_conversion_Conversion_operands_0 paper_conversion_Conversion_operands_1 paper_conversion_Conversion_factor
        paper_conversion_Conversion_opening_0 paper_conversion_Conversion_opening_1 fst snd];
      unfold paper_conversion_conversion_factor; ring.
  Qed.

  (* Both shares of the index add up to ri. *)
  Lemma both_indices (own : held) (ri : u64) (r : dpf_hidden W) : sized n (held_leaves own) -> (val ri < val n)%Z ->
    let leaves := other_leaves (held_leaves own) ri (fst r) in
    vector_mod_size (wadd (own_index own (received_conversion party (life_run party own leaves (snd r))))
      (others_index own ri r)) n = ri.
  Proof.
    intros hs hi. cbv zeta. pose proof (Z_nat_of n) as zn. pose proof (Z_nat_of ri) as zi. pose proof (val_bounds n).
    assert (below : (nat_of ri < length (held_leaves own))%nat) by (unfold sized in hs; lia).
    assert (small : (Z.of_nat (length (held_leaves own)) < 2 ^ 64)%Z) by (unfold sized in hs; lia).
    unfold own_index, others_index. rewrite own_factor_of_run. destruct r as [x [[blind X] Y]]. cbn [fst snd].
    pose proof (other_leaves_point_at (held_leaves own) ri x small below) as points.
    set (leaves := other_leaves (held_leaves own) ri x) in *.
    assert (hl : sized n leaves) by (unfold leaves, other_leaves, sized; rewrite replaced_length by assumption; exact hs).
    assert (small' : (Z.of_nat (length leaves) < 2 ^ 64)%Z) by (unfold sized in hl; lia).
    destruct (others_product_dealt party (held_triple own) X Y) as (X_0 & X_1 & Y_0 & Y_1 & T & dealt).
    unfold life_run, own_input, others_input.
    destruct party; cbn [in_order uncurry other_primary] in *.
    - pose proof (unit_shares_add_up n ri _ _ hs hl hi points (held_blind own) blind X_0 X_1 Y_0 Y_1 T) as add_up.
      rewrite <- dealt in add_up. cbn [fst snd] in add_up.
      apply (index_shares_add_up n ri); try assumption; apply unit_share_sized; assumption.
    - pose proof (unit_shares_add_up n ri _ _ hl hs hi (leaves_point_at_sym _ _ _ small small' points)
        blind (held_blind own) X_0 X_1 Y_0 Y_1 T) as add_up.
      rewrite <- dealt in add_up. cbn [fst snd] in add_up.
      replace (wadd (paper_conversion_random_index_share _) _) with
        (wadd (paper_conversion_random_index_share (paper_conversion_unit_share share_Primary_P0 leaves
            (paper_conversion_Conversion_factor (paper_conversion_conversion
              (mk_paper_conversion_Input leaves blind (others_product (held_triple own) X Y))
              (mk_paper_conversion_Input (held_leaves own) (held_blind own) (held_triple own))))))
          (paper_conversion_random_index_share (paper_conversion_unit_share share_Primary_P1 (held_leaves own)
            (paper_conversion_Conversion_factor (paper_conversion_conversion
              (mk_paper_conversion_Input leaves blind (others_product (held_triple own) X Y))
              (mk_paper_conversion_Input (held_leaves own) (held_blind own) (held_triple own))))))) by ring.
      apply (index_shares_add_up n ri); try assumption; apply unit_share_sized; assumption.
  Qed.

  (** * The item *)

  (* What a primary holds of each DPF, of one size; what the other one brings: its share of i*, and what F hides of DPF 1, 2, 3:
     its share of M, rerandomized for DPF 2 and 3. *)
  Context (own_1 own_2 own_3 : held).
  Hypothesis sized_1 : sized n (held_leaves own_1).
  Hypothesis sized_2 : sized n (held_leaves own_2).
  Hypothesis sized_3 : sized n (held_leaves own_3).
  Record item_secret : Type := { secret_address : u64; secret_values : W * W * W }.

  Definition item_seen : Type := dpf_seen (W := W) * dpf_seen (W := W) * dpf_seen (W := W) * u64.

  Definition item_view (secret : item_secret) (r : item_hidden W) : item_seen :=
    let '(index, (r_1, r_2, r_3)) := r in
    let ri := vector_mod_size index n in
    let '(m_1, m_2, m_3) := secret_values secret in
    (life_view party own_1 ri m_1 r_1, life_view party own_2 ri m_2 r_2, life_view party own_3 ri m_3 r_3,
     paper_read_shift_share (secret_address secret) (others_index own_1 ri r_1) n).

  Definition simulated_item (coins : item_hidden W) : item_seen :=
    let '(word, (c_1, c_2, c_3)) := coins in
    (simulated_life party own_1 c_1, simulated_life party own_2 c_2, simulated_life party own_3 c_3,
     vector_mod_size word n).

  (* A primary's share of ri, from the simulated view. *)
  Definition seen_index (c : dpf_hidden W) : u64 := own_index own_1 (fst (simulated_life party own_1 c)).

  Section Bijection.
    Context (secret : item_secret).

    Definition item_forth (r : item_hidden W) : item_hidden W :=
      let '(index, (r_1, r_2, r_3)) := r in
      let ri := vector_mod_size index n in
      let '(m_1, m_2, m_3) := secret_values secret in
      let c_1 := life_forth party own_1 ri m_1 r_1 in
      (wsub (wadd (secret_address secret) (seen_index c_1)) index,
       (c_1, life_forth party own_2 ri m_2 r_2, life_forth party own_3 ri m_3 r_3)).
    Definition item_back (c : item_hidden W) : item_hidden W :=
      let '(word, (c_1, c_2, c_3)) := c in
      let index := wsub (wadd (secret_address secret) (seen_index c_1)) word in
      let ri := vector_mod_size index n in
      let '(m_1, m_2, m_3) := secret_values secret in
      (index, (life_back party own_1 ri m_1 c_1, life_back party own_2 ri m_2 c_2, life_back party own_3 ri m_3 c_3)).

    Lemma item_back_forth (r : item_hidden W) : item_back (item_forth r) = r.
    Proof.
      destruct r as [index [[r_1 r_2] r_3]]. unfold item_back, item_forth.
      destruct (secret_values secret) as [[m_1 m_2] m_3]. cbv zeta. set (i := secret_address secret). set (ri := vector_mod_size index n).
      match goal with |- context [seen_index ?c] => set (a := seen_index c) end.
      replace (wsub (wadd i a) (wsub (wadd i a) index)) with index by ring. fold ri. rewrite !life_back_forth. reflexivity.
    Qed.
    Lemma item_forth_back (c : item_hidden W) : item_forth (item_back c) = c.
    Proof.
      destruct c as [word [[c_1 c_2] c_3]]. unfold item_back, item_forth.
      destruct (secret_values secret) as [[m_1 m_2] m_3]. cbv zeta. rewrite !life_forth_back. f_equal. ring.
    Qed.

    Lemma item_view_simulated (r : item_hidden W) : item_view secret r = simulated_item (item_forth r).
    Proof.
      destruct r as [index [[r_1 r_2] r_3]]. unfold item_view, simulated_item, item_forth.
      destruct (secret_values secret) as [[m_1 m_2] m_3]. cbv zeta. set (i := secret_address secret). set (ri := vector_mod_size index n).
      assert (hi : (val ri < val n)%Z) by apply mod_size_below, n_power.
      assert (below : forall own : held, sized n (held_leaves own) -> (nat_of ri < length (held_leaves own))%nat).
      { intros own hs. unfold sized in hs. pose proof (Z_nat_of n). pose proof (Z_nat_of ri). lia. }
      rewrite <- !life_view_simulated by auto. f_equal. unfold seen_index. rewrite <- life_view_simulated by auto.
      pose proof (both_indices own_1 ri r_1 sized_1 hi) as both. cbv zeta in both.
      unfold life_view. cbn [fst].
      set (a := own_index own_1 _) in *. set (b := others_index own_1 ri r_1) in *.
      unfold paper_read_shift_share.
      replace (wsub i b) with (wsub (wadd i a) (wadd a b)) by ring.
      rewrite <- (mod_size_sub_r (wadd i a) (wadd a b)), both by assumption. unfold ri.
      apply mod_size_sub_r, n_power.
    Qed.
  End Bijection.

  (* A primary's view of an item: distributed as the simulator's, whatever the other's shares of i* and M are. *)
  Theorem item_view_of_primary_simulated (secret : item_secret) :
    same_distribution (fun _ : item_hidden W => True) (fun _ : item_hidden W => True) (item_view secret) simulated_item.
  Proof.
    unshelve eexists.
    - refine {| forth := item_forth secret; back := item_back secret |}; intros; try exact I;
        [apply item_back_forth | apply item_forth_back].
    - intros r _. apply item_view_simulated.
  Defined.
End Item.
