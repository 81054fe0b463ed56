(* Two parties' conversion: the sum of all signed conversion words is odd, so it has an inverse, and the words times the inverse
   are shares of the unit vector at ri; from them, shares of ri. *)
From Coq Require Import Lia.
From Duoram.core Require Import DpfFacts LemmasFacts LabelFacts.
From Duoram.Generated Require Import All.

Section Conversion.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Laws : RingLaws W}.
  Add Ring W_ring : (ring_theory_W W).
  Notation zero := (ring_Ring_zero W).
  Notation one := (ring_Ring_one W).
  Notation from := (ring_Ring_from_u64 W).
  Notation "x [+] y" := (ring_Ring_plus x y) (at level 50, left associativity).
  Notation "x [-] y" := (ring_Ring_minus x y) (at level 50, left associativity).
  Notation "x [*] y" := (ring_Ring_times x y) (at level 40, left associativity).

  (** * The inverse *)

  Definition odd_word (a : W) : Prop := exists w : u64, Z.odd (val w) = true /\ a = from w.

  Lemma from_wsub (a b : u64) : from (wsub a b) = from a [-] from b.
  Proof.
    assert (e : from (wsub a b) [+] from b = from a) by (rewrite <- ring_from_wadd; f_equal; ring).
    rewrite <- e. ring.
  Qed.

  Fixpoint squares (k : nat) (e : W) : W :=
    match k with
    | O => e
    | S k => squares k (e [*] e)
    end.

  (* What is missing to 1 is squared in each step. *)
  Lemma newton (a : W) (steps : list (int 32)) : forall x : W,
    one [-] a [*] fold_left (fun (x : W) _ => x [*] ((one [+] one) [-] a [*] x)) steps x
    = squares (length steps) (one [-] a [*] x).
  Proof.
    induction steps as [|s steps IH]; intros x; [reflexivity|]. cbn [fold_left length squares].
    rewrite IH. f_equal. ring.
  Qed.

  (* The square of an odd number is 1 mod 8. *)
  Lemma odd_squared (w : u64) : Z.odd (val w) = true -> exists m : u64, wsub (repr 64 1) (wmul w w) = wmul (repr 64 8) m.
  Proof.
    intros h. apply Zodd_bool_iff, Zodd_ex_iff in h as [k e].
    assert (even : Z.even (k * (k + 1)) = true) by (rewrite Z.even_mul, Z.even_add; destruct (Z.even k); reflexivity).
    apply Z.even_spec in even as [j ej]. exists (repr 64 (- j)).
    rewrite <- (repr_val w), e, <- repr_mul, <- repr_sub, <- repr_mul. f_equal. nia.
  Qed.

  Lemma eight_to_the_32 : squares 5 (from (repr 64 8)) = zero.
  Proof. cbn [squares]. rewrite <- !ring_from_wmul, <- ring_from_zero. f_equal. apply int_ext. reflexivity. Qed.

  Lemma squares_of_product (k : nat) : forall c y : W, squares k (c [*] y) = squares k c [*] squares k y.
  Proof.
    induction k as [|k IH]; intros c y; [reflexivity|]. cbn [squares]. rewrite <- IH. f_equal. ring.
  Qed.

  (* The inverse of an odd word is its inverse. *)
  Theorem inverse_of_odd (a : W) : odd_word a -> a [*] two_party_conversion_inverse a = one.
  Proof.
    intros (w & h & ->). unfold two_party_conversion_inverse. cbv zeta.
    pose proof (newton (from w) (range (repr 32 0) (repr 32 5)) (from w)) as e.
    change (length (range (repr 32 0) (repr 32 5))) with 5%nat in e.
    destruct (odd_squared w h) as [m hm].
    assert (e_0 : one [-] from w [*] from w = from (repr 64 8) [*] from m).
    { rewrite <- !ring_from_wmul, <- ring_from_one, <- from_wsub, hm. reflexivity. }
    rewrite e_0, squares_of_product, eight_to_the_32 in e.
    match type of e with _ [-] ?p = _ => transitivity (one [-] (one [-] p)); [ring | rewrite e; ring] end.
  Qed.

  Theorem inverse_inverts_holds (a : W) : odd_word a -> two_party_lemmas_inverse_inverts a = true.
  Proof. intros h. unfold two_party_lemmas_inverse_inverts. rewrite inverse_of_odd by assumption. apply same_refl. Qed.

  (** * One party's vectors *)

  Lemma conversion_words_sized n party labels : sized n labels -> sized n (dpf_conversion_words W party labels).
  Proof. unfold sized, dpf_conversion_words. intros <-. apply map_length. Qed.
  Lemma nth_conversion_words n party labels k : sized n labels -> (k < nat_of n)%nat ->
    nth k (dpf_conversion_words W party labels) zero
    = share_signed party (ring_Ring_conversion_word W (nth k labels (repr 128 0))).
  Proof. unfold sized, dpf_conversion_words. intros h hk. rewrite (nth_map _ labels k (repr 128 0)) by lia. reflexivity.
  Qed.
  Hint Resolve conversion_words_sized : sizes.

  Lemma unit_share_sized n party labels (z : W) : sized n labels -> sized n (two_party_conversion_unit_share party labels z).
  Proof. intros h. unfold two_party_conversion_unit_share. cbv zeta. auto with sizes. Qed.

  (** * Labels that point at ri *)

  Section Point.
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

    Let z : W := two_party_conversion_sum_share W share_Primary_P0 labels_0
      [+] two_party_conversion_sum_share W share_Primary_P1 labels_1.
    Let words_0 := dpf_conversion_words W share_Primary_P0 labels_0.
    Let words_1 := dpf_conversion_words W share_Primary_P1 labels_1.
    Let c : W := ring_Ring_conversion_word W (nth (nat_of ri) labels_0 (repr 128 0))
      [-] ring_Ring_conversion_word W (nth (nat_of ri) labels_1 (repr 128 0)).

    Let words_point k : (k < nat_of n)%nat ->
      nth k words_0 zero [+] nth k words_1 zero = c [*] nth k (vector_unit_vector W n ri) zero.
    Proof.
      intros hk. unfold words_0, words_1. rewrite !(nth_conversion_words n), nth_vector_unit_vector by assumption.
      pose proof (at_place k hk) as h. destruct (Nat.eqb_spec k (nat_of ri)) as [->|_].
      - unfold c. cbn. ring.
      - rewrite h. cbn. ring.
    Qed.

    Let z_is : z = c.
    Proof.
      unfold z, two_party_conversion_sum_share. cbv zeta. fold words_0 words_1.
      pose proof (Z_nat_of n) as zn. pose proof (Z_nat_of ri) as zi. assert (hi : (nat_of ri < nat_of n)%nat) by lia.
      assert (s_0 : sized n words_0) by (apply conversion_words_sized; assumption).
      assert (s_1 : sized n words_1) by (apply conversion_words_sized; assumption).
      rewrite <- vector_sum_add by (unfold sized in *; congruence). rewrite (vector_sum_point _ (nat_of ri)).
      - rewrite (nth_add n), words_point, nth_vector_unit_vector, Nat.eqb_refl by assumption. ring.
      - intros k hk ne. rewrite (sized_add n) in hk by assumption.
        rewrite (nth_add n), words_point, nth_vector_unit_vector by assumption.
        destruct (Nat.eqb_spec k (nat_of ri)); [contradiction | ring].
    Qed.

    (* z is odd, for the two flags at ri are its lowest bits' difference. *)
    Lemma sum_is_odd : odd_word z.
    Proof.
      rewrite z_is. exists (wsub (block_low_half (nth (nat_of ri) labels_0 (repr 128 0)))
        (block_low_half (nth (nat_of ri) labels_1 (repr 128 0)))). split.
      - rewrite val_wsub, odd_mod, Z.odd_sub, <- !flag_odd.
        assert (hi : (nat_of ri < nat_of n)%nat) by (pose proof (Z_nat_of n); pose proof (Z_nat_of ri); lia).
        pose proof (at_place (nat_of ri) hi) as h. rewrite Nat.eqb_refl in h. apply xorb_true_iff, h.
      - rewrite from_wsub. unfold c. rewrite !ring_conversion_word_from. reflexivity.
    Qed.

    (* Both shares add up to the unit vector at ri. *)
    Theorem sum_makes_unit_vector :
      vector_add (two_party_conversion_unit_share share_Primary_P0 labels_0 z)
        (two_party_conversion_unit_share share_Primary_P1 labels_1 z)
      = vector_unit_vector W n ri.
    Proof.
      pose proof (inverse_of_odd z sum_is_odd) as inv. unfold two_party_conversion_unit_share. cbv zeta.
      fold words_0 words_1.
      assert (s_0 : sized n words_0) by (apply conversion_words_sized; assumption).
      assert (s_1 : sized n words_1) by (apply conversion_words_sized; assumption).
      by_elements n. pose proof (words_point k hk) as w. rewrite <- z_is in w.
      match goal with |- ?i [*] ?x [+] ?i [*] ?y = ?e =>
        transitivity (i [*] (x [+] y)); [ring | rewrite w; transitivity (z [*] i [*] e); [ring | rewrite inv; ring]] end.
    Qed.
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
  Theorem sum_index_shares_add_up (n ri : u64) (unit_0 unit_1 : list W) :
    power_of_two n -> val n <= 2 ^ Zpos (ring_bits W) -> val ri < val n ->
    sized n unit_0 -> sized n unit_1 -> vector_add unit_0 unit_1 = vector_unit_vector W n ri ->
    vector_mod_size (wadd (two_party_conversion_random_index_share unit_0) (two_party_conversion_random_index_share unit_1)) n = ri.
  Proof.
    intros hn hw hi h_0 h_1 h. unfold two_party_conversion_random_index_share. rewrite !(sized_len n) by assumption.
    rewrite mod_size_add_l, mod_size_add_r, <- to_plus by assumption.
    rewrite <- (dot_add_r n), h by assumption. rewrite vector_dot_unit_vector by apply vector_indices_length.
    pose proof (Z_nat_of n). pose proof (Z_nat_of ri).
    rewrite nth_vector_indices, of_nat_nat_of by lia.
    apply int_ext. rewrite val_mod_size, ring_to_from, mod_bits_mod by assumption.
    apply Z.mod_small. pose proof (val_bounds ri). lia.
  Qed.

  (* Both as the specification states it. *)
  Theorem sum_converts_holds (n ri : u64) (labels_0 labels_1 : list u128) :
    power_of_two n -> val n <= 2 ^ Zpos (ring_bits W) -> val ri < val n -> sized n labels_0 -> sized n labels_1 ->
    lemmas_leaves_point_at labels_0 labels_1 ri = true -> two_party_lemmas_sum_converts W labels_0 labels_1 ri = true.
  Proof.
    intros hn hw hi s_0 s_1 point. unfold two_party_lemmas_sum_converts. cbv zeta. rewrite (sized_len n) by assumption.
    pose proof (sum_makes_unit_vector n ri labels_0 labels_1 s_0 s_1 hi point) as units.
    rewrite units, cast_same, same_vector_refl.
    rewrite (sum_index_shares_add_up n ri) by (assumption || apply unit_share_sized; assumption).
    apply ieqb_refl.
  Qed.
End Conversion.

#[global] Hint Resolve conversion_words_sized unit_share_sized : sizes.

(* With the words of the implementation: any odd one has its inverse. *)
Corollary inverse_of_odd_u64 (a : u64) : Z.odd (val a) = true -> wmul a (two_party_conversion_inverse a) = repr 64 1.
Proof. intros h. exact (inverse_of_odd (W := u64) a (ex_intro _ a (conj h eq_refl))). Qed.
