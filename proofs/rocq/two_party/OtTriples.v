(* The AND triples that two parties make of two random OTs, one each way, are triples of App. A [duoram, App. A], with a bit as
   first operand, whatever the OTs' blocks are: so the distributed generation of a DPF works with them (core/DistributedGeneration.v). *)
From Duoram.core Require Export DistributedGeneration.
From Duoram.Generated Require Import All.

Definition ot_triples (b_0 b_1 : bool) (pair_0 pair_1 : u128 * u128) : du_atallah_AndTriple * du_atallah_AndTriple :=
  (two_party_ot_and_triple_from_ots b_0 pair_0 (two_party_ot_received pair_1 b_0),
   two_party_ot_and_triple_from_ots b_1 pair_1 (two_party_ot_received pair_0 b_1)).

(* They are the dealer's, for X_b the parties' bits, Y_b = K^0 xor K^1 of P_b's own OT, and T the XOR of both K^0. *)
Theorem ot_triples_are_dealt (b_0 b_1 : bool) (pair_0 pair_1 : u128 * u128) :
  ot_triples b_0 b_1 pair_0 pair_1
  = du_atallah_and_triples (block_replicate b_0) (block_replicate b_1) (ixor (fst pair_0) (snd pair_0))
      (ixor (fst pair_1) (snd pair_1)) (ixor (fst pair_0) (fst pair_1)).
Proof.
  destruct pair_0 as [k_0 k_1], pair_1 as [l_0 l_1]. unfold ot_triples, two_party_ot_and_triple_from_ots, two_party_ot_received,
    du_atallah_and_triples. cbn [fst snd]. unfold block_replicate.
  f_equal; f_equal; destruct b_0, b_1; xor_and.
Qed.

Corollary ot_triples_dealt_for_a_bit (b_0 b_1 : bool) (pair_0 pair_1 : u128 * u128) :
  dealt_for_a_bit (ot_triples b_0 b_1 pair_0 pair_1).
Proof. do 5 eexists. apply ot_triples_are_dealt. Qed.

(* The same as the specification states it. *)
Theorem ots_make_a_triple_holds (bits : bool * bool) (pair_0 pair_1 : u128 * u128) :
  two_party_lemmas_ots_make_a_triple bits pair_0 pair_1 = true.
Proof.
  destruct bits as [b_0 b_1]. unfold two_party_lemmas_ots_make_a_triple. cbv zeta.
  pose proof (ot_triples_are_dealt b_0 b_1 pair_0 pair_1) as e. unfold ot_triples, du_atallah_and_triples in e.
  injection e as -> ->. unfold two_party_lemmas_is_triple. cbn. apply ieqb_eq. xor_and.
Qed.
