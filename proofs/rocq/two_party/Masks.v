(* Who asks a PIR for its index on a masked table, and takes the mask off that one word, has the word of the table: with masks, any
   PIR is what READ asks for, a symmetric one [duoram, section 5], [np99]. For any PRF. That the other words stay hidden is
   said in MaskedTable.v. *)
From Coq Require Import Lia.
From Duoram.core Require Import LemmasFacts.
From Duoram.Generated Require Import All.

Section Masks.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Theory : RingTheory W}.
  Context {F : Type} {F_Prf : two_party_masks_Prf F} (prf : F).
  Add Ring W_ring : (ring_theory_W W).

  Lemma masked_table_sized (n : u64) (pairs : list (u128 * u128)) (table : list W) : sized n table ->
    sized n (two_party_masks_masked_table prf pairs table).
  Proof. intros hs. unfold sized, two_party_masks_masked_table. rewrite map_range_0_length, (sized_len n) by assumption. reflexivity. Qed.

  (* Whatever the keys are: the client's are those of its index. *)
  Theorem unmasked_word (n index : u64) (pairs : list (u128 * u128)) (table : list W) :
    sized n table -> val index < val n ->
    two_party_masks_unmasked prf (two_party_masks_word_keys pairs index) index
      (two_party_read_ideal_symmetric_pir (two_party_masks_masked_table prf pairs table) index)
    = two_party_read_ideal_symmetric_pir table index.
  Proof.
    intros hs hi. unfold two_party_masks_unmasked, two_party_read_ideal_symmetric_pir, two_party_masks_masked_table.
    rewrite (sized_len n), !cast_same, !vector_at_nth by assumption.
    pose proof (Z_nat_of index). pose proof (Z_nat_of n).
    rewrite nth_map_range_0 by lia. cbv zeta. rewrite !cast_same, vector_at_nth, of_nat_nat_of. ring.
  Qed.

  (* The same as the specification states it. *)
  Theorem unmasking_recovers_holds (n index : u64) (pairs : list (u128 * u128)) (table : list W) :
    sized n table -> val index < val n -> two_party_lemmas_unmasking_recovers prf pairs table index = true.
  Proof.
    intros hs hi. unfold two_party_lemmas_unmasking_recovers. cbv zeta. rewrite (unmasked_word n) by assumption. apply same_eq. reflexivity.
  Qed.
End Masks.
