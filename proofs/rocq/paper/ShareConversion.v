(* Lemma 5: the conversion of XOR-shared flags to an additively shared unit vector; and the additive shares of the index
   [duoram, App. D, section 4.1.1]. *)
From Coq Require Import Lia.
From Duoram.core Require Import DpfFacts.
From Duoram.paper Require Import PremiseFacts.
From Duoram.Generated Require Import All.

Section Conversion.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Laws : RingLaws W}.
  Add Ring W_ring : (ring_theory_W W).
  Notation zero := (ring_Ring_zero W).
  Notation one := (ring_Ring_one W).
  Notation "x [+] y" := (ring_Ring_plus x y) (at level 50, left associativity).
  Notation "x [-] y" := (ring_Ring_minus x y) (at level 50, left associativity).
  Notation "x [*] y" := (ring_Ring_times x y) (at level 40, left associativity).

  (** * One party's vectors *)

  Lemma signed_flags_sized n party labels : sized n labels -> sized n (dpf_signed_flags W party labels).
  Proof. unfold sized, dpf_signed_flags. intros <-. apply map_length. Qed.
  Lemma conversion_words_sized n party labels : sized n labels -> sized n (dpf_conversion_words W party labels).
  Proof. unfold sized, dpf_conversion_words. intros <-. apply map_length. Qed.
  Hint Resolve signed_flags_sized conversion_words_sized : sizes.

  Lemma unit_share_sized n party labels (factor : W) : sized n labels ->
    sized n (paper_conversion_unit_share party labels factor).
  Proof. intros h. unfold paper_conversion_unit_share. auto with sizes. Qed.

  Lemma nth_signed_flags n party labels k : sized n labels -> (k < nat_of n)%nat ->
    nth k (dpf_signed_flags W party labels) zero
    = share_signed party (if block_flag (nth k labels (repr 128 0)) then one else zero).
  Proof. unfold sized, dpf_signed_flags. intros h hk. rewrite (nth_map _ labels k (repr 128 0)) by lia. reflexivity. Qed.
  Lemma nth_conversion_words n party labels k : sized n labels -> (k < nat_of n)%nat ->
    nth k (dpf_conversion_words W party labels) zero
    = share_signed party (ring_Ring_conversion_word W (nth k labels (repr 128 0))).
  Proof. unfold sized, dpf_conversion_words. intros h hk. rewrite (nth_map _ labels k (repr 128 0)) by lia. reflexivity.
  Qed.

  (* Steps 1, 4 and 7 need nothing of the two opened words but their difference, the factor: for any labels, any words. *)
  Theorem unit_share_is_convert party labels (opened_sign opened_correction : W) :
    Z.of_nat (length labels) < 2 ^ 64 ->
    paper_conversion_unit_share party labels (paper_conversion_conversion_factor opened_sign opened_correction)
    = paper_conversion_convert party labels opened_sign opened_correction.
  Proof.
    intros small. pose proof (sized_of_len labels small) as hl. set (n := len labels) in hl. clearbody n.
    unfold paper_conversion_unit_share, paper_conversion_convert, paper_conversion_conversion_factor. by_elements n. ring.
  Qed.

  (* What the two messages open, for any inputs with triples of App. A: pm + r and F pm + r. *)
  Theorem conversion_opens (labels_0 labels_1 : list u128) (r_0 r_1 X_0 X_1 Y_0 Y_1 T : W) :
    let '(triple_0, triple_1) := du_atallah_product_triples X_0 X_1 Y_0 Y_1 T in
    let outcome := paper_conversion_conversion (mk_paper_conversion_Input labels_0 r_0 triple_0)
      (mk_paper_conversion_Input labels_1 r_1 triple_1) in
    let pm := paper_conversion_sign_share W share_Primary_P0 labels_0 [+] paper_conversion_sign_share W share_Primary_P1 labels_1 in
    let F := paper_conversion_conversion_correction_share W share_Primary_P0 labels_0
      [+] paper_conversion_conversion_correction_share W share_Primary_P1 labels_1 in
    paper_conversion_Conversion_opened_sign outcome = pm [+] (r_0 [+] r_1) /\
    paper_conversion_Conversion_opened_correction outcome = F [*] pm [+] (r_0 [+] r_1) /\
    paper_conversion_Conversion_factor outcome
      = paper_conversion_conversion_factor (paper_conversion_Conversion_opened_sign outcome)
          (paper_conversion_Conversion_opened_correction outcome).
  Proof.
    unfold paper_conversion_conversion, paper_conversion_opening, paper_conversion_operands, du_atallah_product_share.
    cbn -[paper_conversion_sign_share paper_conversion_conversion_correction_share paper_conversion_conversion_factor].
    repeat split; try reflexivity; ring.
  Qed.

  (** * Labels that point at ri *)

  Section Point.
    (* The premises: both parties' labels agree but at ri < n, where their flags differ. n need not be a power of two. *)
    Variables (n ri : u64) (labels_0 labels_1 : list u128).
    Hypotheses (sized_0 : sized n labels_0) (sized_1 : sized n labels_1) (ri_below : val ri < val n)
      (point : lemmas_leaves_point_at labels_0 labels_1 ri = true).

    Let at_place k : (k < nat_of n)%nat ->
      if Nat.eqb k (nat_of ri)
      then block_flag (nth k labels_0 (repr 128 0)) <> block_flag (nth k labels_1 (repr 128 0))
      else nth k labels_0 (repr 128 0) = nth k labels_1 (repr 128 0).
    Proof.
      pose proof point as h. apply leaves_point_at_iff in h as [_ h]; [| eapply sized_small; eassumption ..].
      intros hk. apply h. rewrite sized_0. exact hk.
    Qed.

    (* +1 or -1 *)
    Let pm : W := if block_flag (nth (nat_of ri) labels_0 (repr 128 0)) then one else ring_Ring_negated one.
    Let c : W := ring_Ring_conversion_word W (nth (nat_of ri) labels_0 (repr 128 0))
      [-] ring_Ring_conversion_word W (nth (nat_of ri) labels_1 (repr 128 0)).
    Let e : list W := vector_unit_vector W n ri.
    Let flags_0 := dpf_signed_flags W share_Primary_P0 labels_0.
    Let flags_1 := dpf_signed_flags W share_Primary_P1 labels_1.
    Let words_0 := dpf_conversion_words W share_Primary_P0 labels_0.
    Let words_1 := dpf_conversion_words W share_Primary_P1 labels_1.

    Let pm_squared : pm [*] pm = one.
    Proof. unfold pm. destruct (block_flag _); ring. Qed.

    (* The signed flags are shares of pm e_ri, the conversion words of c e_ri. *)
    Let flags_point k : (k < nat_of n)%nat -> nth k flags_0 zero [+] nth k flags_1 zero = pm [*] nth k e zero.
    Proof.
      intros hk. unfold flags_0, flags_1, e. rewrite !(nth_signed_flags n), nth_vector_unit_vector by assumption.
      pose proof (at_place k hk) as h. destruct (Nat.eqb_spec k (nat_of ri)) as [->|_].
      - unfold pm. destruct (block_flag _), (block_flag _); cbn; try (now elim h); ring.
      - rewrite h. cbn. ring.
    Qed.
    Let words_point k : (k < nat_of n)%nat -> nth k words_0 zero [+] nth k words_1 zero = c [*] nth k e zero.
    Proof.
      intros hk. unfold words_0, words_1, e. rewrite !(nth_conversion_words n), nth_vector_unit_vector by assumption.
      pose proof (at_place k hk) as h. destruct (Nat.eqb_spec k (nat_of ri)) as [->|_].
      - unfold c. cbn. ring.
      - rewrite h. cbn. ring.
    Qed.

    Let sums (a b : list W) (x : W) : sized n a -> sized n b ->
      (forall k, (k < nat_of n)%nat -> nth k a zero [+] nth k b zero = x [*] nth k e zero) ->
      vector_sum a [+] vector_sum b = x.
    Proof.
      intros ha hb h. unfold e in h. pose proof (Z_nat_of n) as zn. pose proof (Z_nat_of ri) as zi.
      assert (hi : (nat_of ri < nat_of n)%nat) by lia.
      rewrite <- vector_sum_add by (unfold sized in *; congruence). rewrite (vector_sum_point _ (nat_of ri)).
      - rewrite (nth_add n), h, nth_vector_unit_vector, Nat.eqb_refl by assumption. ring.
      - intros k hk ne. rewrite (sized_add n) in hk by assumption.
        rewrite (nth_add n), h, nth_vector_unit_vector by assumption.
        destruct (Nat.eqb_spec k (nat_of ri)); [contradiction | ring].
    Qed.

    (* pm_0 + pm_1 = pm is +1 or -1, and the words add up to - F e_ri. *)
    Let signs :
      paper_conversion_sign_share W share_Primary_P0 labels_0 [+] paper_conversion_sign_share W share_Primary_P1 labels_1 = pm.
    Proof.
      unfold paper_conversion_sign_share. cbv zeta. apply sums; [apply signed_flags_sized; assumption .. | exact flags_point].
    Qed.
    Let corrections : paper_conversion_conversion_correction_share W share_Primary_P0 labels_0
      [+] paper_conversion_conversion_correction_share W share_Primary_P1 labels_1 = ring_Ring_negated c.
    Proof.
      unfold paper_conversion_conversion_correction_share, dealer_final_correction_share. cbv zeta.
      rewrite <- (sums words_0 words_1 c);
        [unfold words_0, words_1; ring | apply conversion_words_sized; assumption .. | exact words_point].
    Qed.

    Section Outcome.
      Variables (r_0 r_1 X_0 X_1 Y_0 Y_1 T : W).
      Let triples := du_atallah_product_triples X_0 X_1 Y_0 Y_1 T.
      Let outcome := paper_conversion_conversion (mk_paper_conversion_Input labels_0 r_0 (fst triples))
        (mk_paper_conversion_Input labels_1 r_1 (snd triples)).

      (* Lemma 5, as an equation: the vectors that both parties compute add up to e_ri, whatever the blinds and the
         dealer's randomness are. *)
      Theorem conversion_makes_unit_vector :
        paper_conversion_opened_unit_vector labels_0 labels_1
          (paper_conversion_Conversion_opened_sign outcome) (paper_conversion_Conversion_opened_correction outcome)
        = vector_unit_vector W n ri.
      Proof.
        destruct (conversion_opens labels_0 labels_1 r_0 r_1 X_0 X_1 Y_0 Y_1 T) as (o_1 & o_2 & _).
        fold outcome in o_1, o_2. unfold outcome, triples in *. cbn [du_atallah_product_triples fst snd] in *.
        rewrite o_1, o_2, signs, corrections.
        unfold paper_conversion_opened_unit_vector, paper_conversion_convert. cbv zeta. by_elements n.
        fold flags_0 flags_1 words_0 words_1 e.
        pose proof (flags_point k hk) as f. pose proof (words_point k hk) as w.
        replace (nth k flags_1 zero) with (pm [*] nth k e zero [-] nth k flags_0 zero) by (rewrite <- f; ring).
        replace (nth k words_1 zero) with (c [*] nth k e zero [-] nth k words_0 zero) by (rewrite <- w; ring).
        transitivity (pm [*] pm [*] (one [+] c) [*] nth k e zero [-] c [*] nth k e zero); 
          [ring | rewrite pm_squared; ring].
      Qed.

      (* Lemma 5 as the specification states it. *)
      Theorem lemma_5_holds : paper_lemmas_lemma_5 labels_0 labels_1 outcome ri = true.
      Proof.
        unfold paper_lemmas_lemma_5. cbv zeta. rewrite conversion_makes_unit_vector, (sized_len n), cast_same by assumption.
        apply same_vector_refl.
      Qed.

      (* The same with the factor, which is what the parties use. *)
      Theorem unit_shares_add_up :
        vector_add (paper_conversion_unit_share share_Primary_P0 labels_0 (paper_conversion_Conversion_factor outcome))
          (paper_conversion_unit_share share_Primary_P1 labels_1 (paper_conversion_Conversion_factor outcome))
        = vector_unit_vector W n ri.
      Proof.
        rewrite <- conversion_makes_unit_vector. unfold paper_conversion_opened_unit_vector.
        destruct (conversion_opens labels_0 labels_1 r_0 r_1 X_0 X_1 Y_0 Y_1 T) as (_ & _ & o_3).
        fold outcome in o_3. unfold outcome, triples in *. cbn [du_atallah_product_triples fst snd] in *.
        rewrite o_3, !unit_share_is_convert by (eapply sized_small; eassumption). reflexivity.
      Qed.
    End Outcome.
  End Point.

  (** * The additive index *)

  (* 2^w is a multiple of n. *)
  Lemma mod_bits_mod (x : Z) (n : u64) : power_of_two n -> val n <= 2 ^ Zpos (ring_bits W) ->
    (x mod 2 ^ Zpos (ring_bits W)) mod val n = x mod val n.
  Proof.
    intros (h & hh & hn) hw. rewrite hn in *. apply Z.pow_le_mono_r_iff in hw; [|lia|lia].
    apply mod_pow_mod. lia.
  Qed.

  (* Words add up as numbers do, mod any n that divides 2^w. *)
  Lemma to_plus (x y : W) (n : u64) : power_of_two n -> val n <= 2 ^ Zpos (ring_bits W) ->
    vector_mod_size (ring_Ring_to_u64 (x [+] y)) n
    = vector_mod_size (wadd (ring_Ring_to_u64 x) (ring_Ring_to_u64 y)) n.
  Proof.
    intros hn hw. apply int_ext. rewrite !val_mod_size by assumption.
    rewrite <- (ring_from_to x) at 1. rewrite <- (ring_from_to y) at 1. rewrite <- ring_from_wadd, ring_to_from.
    apply mod_bits_mod; assumption.
  Qed.

  (* From shares of e_ri, each party computes on its own a share of ri mod n, for n = 2^h <= 2^w. *)
  Theorem index_shares_add_up (n ri : u64) (unit_0 unit_1 : list W) :
    power_of_two n -> val n <= 2 ^ Zpos (ring_bits W) -> val ri < val n ->
    sized n unit_0 -> sized n unit_1 -> vector_add unit_0 unit_1 = vector_unit_vector W n ri ->
    vector_mod_size (wadd (paper_conversion_random_index_share unit_0) (paper_conversion_random_index_share unit_1)) n = ri.
  Proof.
    intros hn hw hi h_0 h_1 h. unfold paper_conversion_random_index_share. rewrite !(sized_len n) by assumption.
    rewrite mod_size_add_l, mod_size_add_r, <- to_plus by assumption.
    rewrite <- (dot_add_r n), h by assumption. rewrite vector_dot_unit_vector by apply vector_indices_length.
    pose proof (Z_nat_of n). pose proof (Z_nat_of ri).
    rewrite nth_vector_indices, of_nat_nat_of by lia.
    apply int_ext. rewrite val_mod_size, ring_to_from, mod_bits_mod by assumption.
    apply Z.mod_small. pose proof (val_bounds ri). lia.
  Qed.
End Conversion.

(* With the words of the implementation, every n = 2^h, h < 64, will do. *)
Corollary index_shares_add_up_u64 (n ri : u64) (unit_0 unit_1 : list u64) :
  power_of_two n -> val ri < val n ->
  sized n unit_0 -> sized n unit_1 -> vector_add unit_0 unit_1 = vector_unit_vector u64 n ri ->
  vector_mod_size (wadd (paper_conversion_random_index_share unit_0) (paper_conversion_random_index_share unit_1)) n = ri.
Proof.
  intros hn. apply index_shares_add_up; [assumption|]. pose proof (val_bounds n). cbn [ring_bits ring_laws_u64]. lia.
Qed.
Definition lemma_5_holds_u64 := lemma_5_holds (W := u64).
