(* The whole life of the leaf that a party of two does not know: the other's label at ri, in the one DPF of an UPDATE item. Its low half
   makes the sum z that both open, its high half the value word that M + F hides behind. If the label is uniform but for its flag and ri
   uniform, all that a party receives of them (the other's share of z, the shift share, M + F) is what a simulator makes of the party's
   own leaves and of fresh words: it is told neither ri nor the other's shares of i* and M.

   Exactly: for each i* and M there is a bijection ([life_forth], [life_back]) between what is not known (index and label) and the simulator's
   draws that leaves the view as it is. That the label is uniform costs one advantage a level: UpdateItem.v.

   The other's share of ri is what the other computes (`party_preprocessing::made_update`) of the same leaves and of z: it is no draw of
   its own. What is drawn is the XOR of both parties' index words, 64 bits of which ri has the lower h. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection.
From Duoram.core Require Import Parties LabelFacts DpfFacts LemmasFacts.
From Duoram.two_party Require Import SumConversion.
From Duoram.Generated Require Import All.

(* What a party does not know of an item: the XOR of the index words, and the other's label at ri, of which the flag is given. *)
Notation leaf_hidden := (u64 * u128)%type.

Section Life.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Laws : RingLaws W}.
  Add Ring W_ring : (ring_theory_W W).
  Context (n : u64) (n_power : power_of_two n) (fits_word : val n <= 2 ^ Zpos (ring_bits W)).
  Context (party : share_Primary).

  Notation "x [+] y" := (ring_Ring_plus x y) (at level 50, left associativity).
  Notation "x [-] y" := (ring_Ring_minus x y) (at level 50, left associativity).
  Notation from := (ring_Ring_from_u64 W).
  Notation other := (other_primary party).
  Notation sum := (two_party_conversion_sum_share W).
  Notation made := two_party_party_preprocessing_made_update.

  (* What the other brings: its shares of the address and of the value. *)
  Record others_query : Type := { others_address : u64; others_value : W }.

  (* The other's share of z, and its message, of any leaves of the party and of the other. *)
  Definition seen_of (own leaves : list u128) (query : others_query) : W * two_party_update_UpdateMessage W :=
    (sum other leaves,
     two_party_update_message (made other leaves (sum party own)) (others_address query) (others_value query)).
  Definition life_view (own : list u128) (query : others_query) (r : leaf_hidden) : W * two_party_update_UpdateMessage W :=
    seen_of own (other_leaves own (vector_mod_size (fst r) n) (snd r)) query.

  (* The simulator: z is an odd word, from the low half of a drawn label; M + F is its high half. *)
  Definition odd_low (y : u128) : u64 := block_low_half (block_with_flag y true).
  Definition simulated_life (own : list u128) (coins : leaf_hidden) : W * two_party_update_UpdateMessage W :=
    (from (odd_low (snd coins)) [-] sum party own,
     mk_two_party_update_UpdateMessage (vector_mod_size (fst coins) n) (from (block_high_half (snd coins)))).

  Lemma from_signed (who : share_Primary) (a : u64) : from (share_signed who a) = share_signed who (from a).
  Proof.
    destruct who; [reflexivity|]. cbn [share_signed ring_Ring_negated ring_Ring_u64].
    replace (wneg a) with (wsub (repr 64 0) a) by ring. rewrite from_wsub, ring_from_zero. ring.
  Qed.

  Section Bijection.
    Context (own : list u128) (own_sized : sized n own) (query : others_query).

    (** * The label *)

    Section Label.
      Context (ri : u64) (ri_below : val ri < val n).
      Notation leaves x := (other_leaves own ri x).

      Let t : bool := block_flag (dpf_leaf own ri).
      Let l : u64 := block_low_half (dpf_leaf own ri).
      (* M + F of the other with a value word of 0 at ri. *)
      Let base : u64 := ring_Ring_to_u64 (others_value query
        [+] dealer_final_correction_share (dpf_value_words W other (leaves (repr 128 0)))).

      Let below : (nat_of ri < length own)%nat.
      Proof. unfold sized in own_sized. pose proof (Z_nat_of n). pose proof (Z_nat_of ri). lia. Qed.

      (* z as a word of 64 bits, from the other's conversion word, and back. *)
      Definition label_forth (x : u128) : u128 :=
        block_with_flag (block_block_of_halves (share_signed other (wsub (block_low_half (block_with_flag x (negb t))) l))
          (wsub base (share_signed other (block_high_half x)))) (block_flag x).
      Definition label_back (y : u128) : u128 :=
        block_with_flag (block_block_of_halves (wadd (share_signed other (odd_low y)) l)
          (share_signed other (wsub base (block_high_half y)))) (block_flag y).

      Let flag_of_halves (low high : u64) : block_flag (block_block_of_halves low high) = Z.odd (val low).
      Proof. rewrite flag_odd, low_half_of_halves. reflexivity. Qed.
      Let t_odd : Z.odd (val l) = t.
      Proof. symmetry. apply flag_odd. Qed.
      Let odd_wadd (a b : u64) : Z.odd (val (wadd a b)) = xorb (Z.odd (val a)) (Z.odd (val b)).
      Proof. rewrite val_wadd, odd_mod. apply Z.odd_add. Qed.
      Let odd_wsub (a b : u64) : Z.odd (val (wsub a b)) = xorb (Z.odd (val a)) (Z.odd (val b)).
      Proof. rewrite val_wsub, odd_mod. apply Z.odd_sub. Qed.
      Let odd_signed (who : share_Primary) (a : u64) : Z.odd (val (share_signed who a)) = Z.odd (val a).
      Proof.
        destruct who; [reflexivity|]. cbn [share_signed ring_Ring_negated ring_Ring_u64].
        replace (wneg a) with (wsub (repr 64 0) a) by ring. rewrite odd_wsub. apply xorb_false_l.
      Qed.
      Let low_odd (x : u128) (b : bool) : Z.odd (val (block_low_half (block_with_flag x b))) = b.
      Proof. rewrite <- flag_odd. apply flag_with_flag. Qed.
      Let signed_twice (a : u64) : share_signed other (share_signed other a) = a.
      Proof. destruct party; cbn; ring. Qed.

      Let forth_odd (x : u128) : Z.odd (val (share_signed other (wsub (block_low_half (block_with_flag x (negb t))) l))) = true.
      Proof. rewrite odd_signed, odd_wsub, low_odd, t_odd. destruct t; reflexivity. Qed.
      Let back_odd (y : u128) : Z.odd (val (wadd (share_signed other (odd_low y)) l)) = negb t.
      Proof. unfold odd_low. rewrite odd_wadd, odd_signed, low_odd, t_odd. destruct t; reflexivity. Qed.

      (* A block of halves of which the low one has the parity b keeps its low half when its flag is set and set back. *)
      Let reset (low high : u64) (a b : bool) : Z.odd (val low) = b ->
        block_with_flag (block_with_flag (block_block_of_halves low high) a) b = block_block_of_halves low high.
      Proof. intros h. rewrite with_flag_twice, <- h, <- (flag_of_halves low high). apply with_flag_same. Qed.

      Lemma label_back_forth (x : u128) : label_back (label_forth x) = x.
      Proof.
        unfold label_back, odd_low. unfold label_forth at 1. rewrite reset by apply forth_odd.
        unfold label_forth. rewrite low_half_of_halves, signed_twice, high_half_with_flag, high_half_of_halves, flag_with_flag.
        match goal with |- context [wadd (wsub ?a l) l] => replace (wadd (wsub a l) l) with a by ring end.
        match goal with |- context [wsub base (wsub base ?a)] => replace (wsub base (wsub base a)) with a by ring end.
        rewrite signed_twice, <- (high_half_with_flag x (negb t)), block_of_halves_of, with_flag_twice. apply with_flag_same.
      Qed.
      Lemma label_forth_back (y : u128) : label_forth (label_back y) = y.
      Proof.
        unfold label_forth. unfold label_back at 1. rewrite reset by apply back_odd.
        unfold label_back. rewrite low_half_of_halves, high_half_with_flag, high_half_of_halves, flag_with_flag.
        match goal with |- context [wsub (wadd ?a l) l] => replace (wsub (wadd a l) l) with a by ring end.
        rewrite !signed_twice.
        match goal with |- context [wsub base (wsub base ?a)] => replace (wsub base (wsub base a)) with a by ring end.
        unfold odd_low. rewrite <- (high_half_with_flag y true), block_of_halves_of, with_flag_twice. apply with_flag_same.
      Qed.

      (* z, of both trees. *)
      Lemma sum_of_both (x : u128) : sum party own [+] sum other (leaves x) = from (odd_low (label_forth x)).
      Proof.
        unfold odd_low, label_forth. rewrite reset by apply forth_odd. rewrite low_half_of_halves, from_signed, from_wsub.
        unfold two_party_conversion_sum_share, dpf_conversion_words, other_leaves. cbv zeta. fold t.
        set (x' := block_with_flag x (negb t)).
        rewrite (vector_sum_replaced (W := W) _ _ _ _ (nth (nat_of ri) own (repr 128 0))), replaced_nth by exact below.
        rewrite <- dpf_leaf_nth, !ring_conversion_word_from. fold l.
        assert (cancel : forall labels : list u128,
          vector_sum (map (fun label => share_signed party (ring_Ring_conversion_word W label)) labels)
          [+] vector_sum (map (fun label => share_signed other (ring_Ring_conversion_word W label)) labels) = ring_Ring_zero W).
        { induction labels as [|y labels IH]; [unfold vector_sum; cbn [map fold_left]; ring|]. cbn [map]. rewrite !vector_sum_cons.
          match goal with |- (?a [+] ?b) [+] (?c [+] ?d) = _ => transitivity ((a [+] c) [+] (b [+] d)); [ring|]; rewrite IH end.
          destruct party; cbn; ring. }
        specialize (cancel own). revert cancel.
        match goal with |- context [?a [+] ?b = ring_Ring_zero W] => generalize a b end. intros a b e.
        match goal with |- ?a [+] (?b [-] ?c [+] ?d) = _ => transitivity ((a [+] b) [+] (d [-] c)); [ring | rewrite e] end.
        destruct party; cbn; ring.
      Qed.

      (* M + F. *)
      Lemma masked_of_label (x : u128) :
        others_value query [+] dealer_final_correction_share (dpf_value_words W other (leaves x))
        = from (block_high_half (label_forth x)).
      Proof.
        unfold label_forth. rewrite high_half_with_flag, high_half_of_halves, from_wsub, from_signed. unfold base. rewrite ring_from_to.
        unfold dealer_final_correction_share, dpf_value_words, other_leaves.
        rewrite (vector_sum_replaced (W := W) _ _ _ _ (block_with_flag (repr 128 0) (negb (block_flag (dpf_leaf own ri))))).
        rewrite !ring_value_word_from, !high_half_with_flag.
        replace (block_high_half (repr 128 0)) with (repr 64 0) by (apply int_ext; reflexivity).
        rewrite ring_from_zero. destruct party; cbn; ring.
      Qed.

      (** * The index *)

      Definition own_index (received_sum : W) : u64 := two_party_update_UpdateItem_random_index_share (made party own received_sum).
      Definition others_index (x : u128) : u64 :=
        two_party_update_UpdateItem_random_index_share (made other (leaves x) (sum party own)).

      Lemma leaves_sized (x : u128) : sized n (leaves x).
      Proof. unfold sized, other_leaves. rewrite replaced_length by exact below. exact own_sized. Qed.

      (* Both shares of the index add up to ri. *)
      Lemma both_indices (x : u128) : vector_mod_size (wadd (own_index (sum other (leaves x))) (others_index x)) n = ri.
      Proof.
        pose proof (leaves_sized x) as hs. pose proof (val_bounds n) as hn. pose proof (Z_nat_of n).
        assert (small : Z.of_nat (length own) < 2 ^ 64) by (unfold sized in own_sized; lia).
        assert (small' : Z.of_nat (length (leaves x)) < 2 ^ 64) by (unfold sized in hs; lia).
        pose proof (other_leaves_point_at own ri x small below) as points.
        unfold own_index, others_index, two_party_party_preprocessing_made_update.
        cbv zeta. cbn [two_party_update_UpdateItem_random_index_share].
        replace (sum other (leaves x) [+] sum party own) with (sum party own [+] sum other (leaves x)) by ring.
        destruct party; cbn [other_primary] in *.
        - apply (sum_index_shares_add_up n ri); try assumption; try (apply unit_share_sized; assumption).
          apply sum_makes_unit_vector; assumption.
        - assert (flip : forall a b : u64, wadd a b = wadd b a) by (intros; ring). rewrite flip.
          replace (sum share_Primary_P1 own [+] sum share_Primary_P0 (leaves x))
            with (sum share_Primary_P0 (leaves x) [+] sum share_Primary_P1 own) by ring.
          apply (sum_index_shares_add_up n ri); try assumption; try (apply unit_share_sized; assumption).
          apply sum_makes_unit_vector; try assumption.
          apply leaves_point_at_iff in points; [|assumption|assumption]. destruct points as [hl points].
          apply leaves_point_at_iff; [assumption|assumption|]. split; [auto|]. intros k hk. specialize (points k ltac:(lia)).
          destruct (Nat.eqb k (nat_of ri)); [intros e|]; auto.
      Qed.
    End Label.

    (** * Both *)

    Definition life_forth (r : leaf_hidden) : leaf_hidden :=
      let ri := vector_mod_size (fst r) n in
      let y := label_forth ri (snd r) in
      (wsub (wadd (others_address query) (own_index (from (odd_low y) [-] sum party own))) (fst r), y).
    Definition life_back (c : leaf_hidden) : leaf_hidden :=
      let index := wsub (wadd (others_address query) (own_index (from (odd_low (snd c)) [-] sum party own))) (fst c) in
      (index, label_back (vector_mod_size index n) (snd c)).

    Lemma life_back_forth (r : leaf_hidden) : life_back (life_forth r) = r.
    Proof.
      destruct r as [index x]. unfold life_back, life_forth. cbn [fst snd].
      set (y := label_forth _ x). set (a := own_index _).
      replace (wsub (wadd (others_address query) a) (wsub (wadd (others_address query) a) index)) with index by ring.
      unfold y. rewrite label_back_forth. reflexivity.
    Qed.
    Lemma life_forth_back (c : leaf_hidden) : life_forth (life_back c) = c.
    Proof.
      destruct c as [word y]. unfold life_back, life_forth. cbn [fst snd]. rewrite label_forth_back. f_equal. ring.
    Qed.

    Theorem life_view_simulated (r : leaf_hidden) : life_view own query r = simulated_life own (life_forth r).
    Proof.
      destruct r as [index x]. unfold life_view, simulated_life, life_forth, seen_of. cbn [fst snd].
      set (ri := vector_mod_size index n). assert (hi : val ri < val n) by apply mod_size_below, n_power.
      pose proof (sum_of_both ri hi x) as z. pose proof (both_indices ri hi x) as both.
      assert (e : from (odd_low (label_forth ri x)) [-] sum party own = sum other (other_leaves own ri x)) by (rewrite <- z; ring).
      rewrite e. f_equal. unfold two_party_update_message. f_equal.
      - change (two_party_update_UpdateItem_random_index_share _) with (others_index ri x) at 1.
        replace (len (two_party_update_UpdateItem_unit (made other (other_leaves own ri x) (sum party own)))) with n.
        2: { symmetry. apply sized_len. apply unit_share_sized, leaves_sized, hi. }
        set (a := own_index _) in *. set (b := others_index ri x) in *. set (i := others_address query).
        unfold two_party_update_shift_share.
        replace (wsub i b) with (wsub (wadd i a) (wadd a b)) by ring.
        rewrite <- (mod_size_sub_r (wadd i a) (wadd a b)), both by assumption. unfold ri. apply mod_size_sub_r, n_power.
      - apply (masked_of_label ri).
    Qed.
  End Bijection.

  (* A party's view of the leaf: distributed as the simulator's, whatever the other's shares of i* and M are. *)
  Theorem two_party_leaf_view_simulated (own : list u128) (query : others_query) : sized n own ->
    same_distribution (fun _ : leaf_hidden => True) (fun _ : leaf_hidden => True) (life_view own query) (simulated_life own).
  Proof.
    intros hs. unshelve eexists.
    - refine {| forth := life_forth own query; back := life_back own query |}; intros; try exact I;
        [apply life_back_forth | apply life_forth_back].
    - intros r _. apply life_view_simulated, hs.
  Defined.
End Life.
Arguments others_query : clear implicits.
