(* Lemma 4: the 2-party READ returns shares of the word at i*, over an ideal symmetric PIR [duoram, section 5, App. B]. *)
From Coq Require Import Lia.
From Duoram.core Require Import LemmasFacts.
From Duoram.Generated Require Import All.

Section TwoParty.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Laws : RingLaws W}.
  Add Ring W_ring : (ring_theory_W W).

  (* What the ideal PIR answers from a rotated and blinded share: the word at query + own + received mod n, plus the
     blind. *)
  Lemma rotated_word (n own received query : u64) (memory_share : list W) (blind : W) :
    power_of_two n -> sized n memory_share ->
    two_party_read_ideal_symmetric_pir (two_party_read_blinded_rotation memory_share own received blind) (vector_mod_size query n)
    = ring_Ring_plus
        (ideal_get memory_share (vector_mod_size (wadd (vector_mod_size query n) (wadd own received)) n)) blind.
  Proof.
    intros hn hs. unfold two_party_read_ideal_symmetric_pir, two_party_read_blinded_rotation, ideal_get.
    rewrite (sized_len n), !cast_same, !vector_at_nth by assumption.
    pose proof (mod_size_below query n hn). pose proof (Z_nat_of (vector_mod_size query n)).
    pose proof (Z_nat_of n).
    rewrite nth_map_range_0, !cast_same, vector_at_nth, of_nat_nat_of by lia. reflexivity.
  Qed.

  (* Lemma 4, as an equation: for a shared memory of n = 2^h words, any shares of the address, any query indices ri_0 and
     ri_1 and any blinds, both outputs add up to D[i_0 + i_1 mod n]. *)
  Theorem two_party_read_reconstructs (n i_0 i_1 ri_0 ri_1 : u64) (d_0 d_1 : list W) (r_0 r_1 : W) :
    power_of_two n -> sized n d_0 -> sized n d_1 ->
    let '(read_0, read_1) := two_party_read_read (d_0, d_1) (i_0, i_1) (ri_0, ri_1) (r_0, r_1) in
    ring_Ring_plus read_0 read_1 = ideal_get (vector_add d_0 d_1) (vector_mod_size (wadd i_0 i_1) n).
  Proof.
    intros hn h_0 h_1. unfold two_party_read_read. rewrite (sized_len n), !(rotated_word n) by assumption.
    assert (target_1 : vector_mod_size (wadd (vector_mod_size ri_0 n) (wadd i_1 (vector_mod_size (wsub i_0 ri_0) n))) n
      = vector_mod_size (wadd i_0 i_1) n).
    { rewrite mod_size_add_l by assumption.
      replace (wadd ri_0 (wadd i_1 (vector_mod_size (wsub i_0 ri_0) n)))
        with (wadd (vector_mod_size (wsub i_0 ri_0) n) (wadd ri_0 i_1)) by ring.
      rewrite mod_size_add_l by assumption. f_equal. ring. }
    assert (target_0 : vector_mod_size (wadd (vector_mod_size ri_1 n) (wadd i_0 (vector_mod_size (wsub i_1 ri_1) n))) n
      = vector_mod_size (wadd i_0 i_1) n).
    { rewrite mod_size_add_l by assumption.
      replace (wadd ri_1 (wadd i_0 (vector_mod_size (wsub i_1 ri_1) n)))
        with (wadd (vector_mod_size (wsub i_1 ri_1) n) (wadd ri_1 i_0)) by ring.
      rewrite mod_size_add_l by assumption. f_equal. ring. }
    rewrite target_0, target_1. unfold ideal_get. rewrite !vector_at_nth, (nth_add n) by assumption. ring.
  Qed.

  (* Lemma 4 as the specification states it. *)
  Theorem lemma_4_holds (n i_0 i_1 ri_0 ri_1 : u64) (d_0 d_1 : list W) (r_0 r_1 : W) :
    power_of_two n -> sized n d_0 -> sized n d_1 ->
    two_party_lemmas_lemma_4 (d_0, d_1) (i_0, i_1) (ri_0, ri_1) (r_0, r_1) = true.
  Proof.
    intros hn h_0 h_1. pose proof (two_party_read_reconstructs n i_0 i_1 ri_0 ri_1 d_0 d_1 r_0 r_1 hn h_0 h_1) as h.
    unfold two_party_lemmas_lemma_4. destruct (two_party_read_read _ _ _ _) as [read_0 read_1].
    rewrite (sized_len n) by auto with sizes. apply same_eq. exact h.
  Qed.
End TwoParty.

(* With the words of the implementation. *)
Definition lemma_4_holds_u64 := lemma_4_holds (W := u64).
