(* One DPF of two parties, made by each of them level by level (`two_party::party_preprocessing`) with triples of OTs: what either
   holds is its side of App. C, run by both (`core::distributed_gen`); so the leaves point at the XOR of the two parties' targets. *)
From Coq Require Import Lia.
From Duoram.core Require Import VectorFacts SizeFacts.
From Duoram.two_party Require Export OtTriples.
From Duoram.Generated Require Import All.

(* What goes into it, of P0 and of P1: the targets' bits, roots, the bits X_b, and the pairs of the OTs that a party sends. *)
Record seed : Type := mk_seed {
  seed_targets : list bool * list bool;
  seed_roots : u128 * u128;
  seed_bits : list bool * list bool;
  seed_pairs : list (u128 * u128) * list (u128 * u128);
}.

Section OneDpf.
  Context {P : Type} {P_Prg : prg_Prg P} (prg : P) (h : u64).
  Notation Growing := two_party_party_preprocessing_Growing.

  Definition triples_0 (s : seed) : list du_atallah_AndTriple :=
    two_party_party_preprocessing_level_triples (fst (seed_bits s)) (fst (seed_pairs s))
      (two_party_ot_received_all (snd (seed_pairs s)) (fst (seed_bits s))).
  Definition triples_1 (s : seed) : list du_atallah_AndTriple :=
    two_party_party_preprocessing_level_triples (snd (seed_bits s)) (snd (seed_pairs s))
      (two_party_ot_received_all (fst (seed_pairs s)) (snd (seed_bits s))).

  Definition seed_sized (s : seed) : Prop :=
    length (fst (seed_targets s)) = nat_of h /\ length (snd (seed_targets s)) = nat_of h /\
    length (fst (seed_bits s)) = nat_of h /\ length (snd (seed_bits s)) = nat_of h /\
    length (fst (seed_pairs s)) = nat_of h /\ length (snd (seed_pairs s)) = nat_of h.

  (* The generation after k levels. *)
  Definition level_step (done : distributed_gen_Generation)
    (pair : (bool * bool) * (du_atallah_AndTriple * du_atallah_AndTriple)) : distributed_gen_Generation :=
    let '((bit_0, bit_1), (triple_0, triple_1)) := pair in distributed_gen_grow prg done (bit_0, bit_1) (triple_0, triple_1).
  Definition level_pairs (s : seed) : list ((bool * bool) * (du_atallah_AndTriple * du_atallah_AndTriple)) :=
    combine (combine (fst (seed_targets s)) (snd (seed_targets s))) (combine (triples_0 s) (triples_1 s)).
  Definition input_0 (s : seed) : distributed_gen_Input :=
    mk_distributed_gen_Input (fst (seed_targets s)) (fst (seed_roots s)) (triples_0 s).
  Definition input_1 (s : seed) : distributed_gen_Input :=
    mk_distributed_gen_Input (snd (seed_targets s)) (snd (seed_roots s)) (triples_1 s).
  Definition generation_start (s : seed) : distributed_gen_Generation :=
    let root_0 := distributed_gen_planted share_Primary_P0 (fst (seed_roots s)) in
    let root_1 := distributed_gen_planted share_Primary_P1 (snd (seed_roots s)) in
    mk_distributed_gen_Generation (mk_dpf_Key root_0 []) (mk_dpf_Key root_1 []) [root_0] [root_1] [].
  Definition generation (s : seed) (k : nat) : distributed_gen_Generation :=
    fold_left level_step (firstn k (level_pairs s)) (generation_start s).

  (* The parties' sides of it. *)
  Definition growing_0 (k : nat) (s : seed) : Growing :=
    mk_two_party_party_preprocessing_Growing (fst (seed_targets s)) (triples_0 s) (distributed_gen_Generation_labels_0 (generation s k)).
  Definition growing_1 (k : nat) (s : seed) : Growing :=
    mk_two_party_party_preprocessing_Growing (snd (seed_targets s)) (triples_1 s) (distributed_gen_Generation_labels_1 (generation s k)).

  Definition no_triple : du_atallah_AndTriple := mk_du_atallah_AndTriple (repr 128 0) (repr 128 0) (repr 128 0).
  Definition messages_at (k : nat) (s : seed) : distributed_gen_LevelMessages :=
    distributed_gen_level_messages prg (distributed_gen_Generation_labels_0 (generation s k))
      (distributed_gen_Generation_labels_1 (generation s k))
      (nth k (fst (seed_targets s)) false, nth k (snd (seed_targets s)) false)
      (nth k (triples_0 s) no_triple, nth k (triples_1 s) no_triple).
  Notation operands_0 k s := (distributed_gen_LevelMessages_operands_0 (messages_at k s)).
  Notation operands_1 k s := (distributed_gen_LevelMessages_operands_1 (messages_at k s)).
  Notation opening_0 k s := (distributed_gen_LevelMessages_opening_0 (messages_at k s)).
  Notation opening_1 k s := (distributed_gen_LevelMessages_opening_1 (messages_at k s)).

  Section Sized.
    Context (s : seed) (sizes : seed_sized s).

    Lemma triples_lengths : length (triples_0 s) = nat_of h /\ length (triples_1 s) = nat_of h.
    Proof.
      destruct sizes as (_ & _ & x_0 & x_1 & p_0 & p_1). unfold triples_0, triples_1, two_party_party_preprocessing_level_triples,
        two_party_ot_received_all. rewrite !map_length, !combine_length, !map_length, !combine_length. lia.
    Qed.

    Lemma triples_dealt : Forall dealt_for_a_bit (combine (triples_0 s) (triples_1 s)).
    Proof.
      destruct sizes as (_ & _ & x_0 & x_1 & p_0 & p_1). unfold triples_0, triples_1.
      destruct s as [targets roots [bits_0 bits_1] [pairs_0 pairs_1]]. cbn [seed_bits seed_pairs fst snd] in *.
      unfold two_party_party_preprocessing_level_triples, two_party_ot_received_all. clear sizes.
      revert bits_1 pairs_0 pairs_1 x_1 p_0 p_1 x_0. generalize (nat_of h) as m.
      induction bits_0 as [|b_0 bits_0 IH]; intros m [|b_1 bits_1] [|q_0 pairs_0] [|q_1 pairs_1] l_1 l_2 l_3 l_0;
        cbn in *; try lia; [constructor|].
      constructor; [apply ot_triples_dealt_for_a_bit|]. destruct m as [|m]; [discriminate|]. apply (IH m); lia.
    Qed.

    Lemma generation_next (k : nat) : (k < nat_of h)%nat ->
      generation s (S k) = distributed_gen_grow prg (generation s k)
        (nth k (fst (seed_targets s)) false, nth k (snd (seed_targets s)) false)
        (nth k (triples_0 s) no_triple, nth k (triples_1 s) no_triple).
    Proof.
      intros hk. destruct triples_lengths as [c d]. destruct sizes as (a & b & _). unfold generation.
      assert (l : length (level_pairs s) = nat_of h) by (unfold level_pairs; rewrite !combine_length, a, b, c, d; lia).
      set (default := ((false, false), (no_triple, no_triple))).
      assert (e : firstn (S k) (level_pairs s) = firstn k (level_pairs s) ++ [nth k (level_pairs s) default]).
      { assert (hl : (k < length (level_pairs s))%nat) by lia. clear - hl. revert k hl.
        induction (level_pairs s) as [|x pairs IH]; intros [|k] hl; cbn in *; try lia; [reflexivity|].
        f_equal. apply IH. lia. }
      rewrite e, fold_left_app. cbn [fold_left]. unfold level_pairs at 2, default.
      rewrite !nth_combine by (rewrite ?combine_length; lia). reflexivity.
    Qed.

    Lemma generation_whole : distributed_gen_distributed_generation prg (input_0 s) (input_1 s) = generation s (nat_of h).
    Proof.
      destruct triples_lengths as [c d]. destruct sizes as (a & b & _).
      assert (l : length (level_pairs s) = nat_of h) by (unfold level_pairs; rewrite !combine_length, a, b, c, d; lia).
      unfold generation. rewrite <- l, firstn_all. reflexivity.
    Qed.

    Section Level.
      Context (k : nat) (in_tree : (k < nat_of h)%nat).

      Let nk : nat_of (of_nat k) = k.
      Proof. apply nat_of_of_nat. pose proof (nat_of_bound h). lia. Qed.

      Lemma own_operands_0 : two_party_party_preprocessing_level_operands prg (growing_0 k s) (of_nat k) = operands_0 k s.
      Proof.
        unfold two_party_party_preprocessing_level_operands, two_party_party_preprocessing_level_bit,
          two_party_party_preprocessing_level_triple. rewrite !vector_at_nth, nk. reflexivity.
      Qed.
      Lemma own_operands_1 : two_party_party_preprocessing_level_operands prg (growing_1 k s) (of_nat k) = operands_1 k s.
      Proof.
        unfold two_party_party_preprocessing_level_operands, two_party_party_preprocessing_level_bit,
          two_party_party_preprocessing_level_triple. rewrite !vector_at_nth, nk. reflexivity.
      Qed.
      Lemma own_opening_0 :
        two_party_party_preprocessing_level_opening prg (growing_0 k s) (of_nat k) (operands_1 k s) = opening_0 k s.
      Proof.
        unfold two_party_party_preprocessing_level_opening, two_party_party_preprocessing_level_bit,
          two_party_party_preprocessing_level_triple. rewrite !vector_at_nth, nk. reflexivity.
      Qed.
      Lemma own_opening_1 :
        two_party_party_preprocessing_level_opening prg (growing_1 k s) (of_nat k) (operands_0 k s) = opening_1 k s.
      Proof.
        unfold two_party_party_preprocessing_level_opening, two_party_party_preprocessing_level_bit,
          two_party_party_preprocessing_level_triple. rewrite !vector_at_nth, nk. reflexivity.
      Qed.

      Lemma reconstruct_comm (a b : distributed_gen_Operands) (x y : u128) :
        distributed_gen_reconstruct a b x y = distributed_gen_reconstruct b a y x.
      Proof.
        unfold distributed_gen_reconstruct. rewrite (ixor_comm x y).
        rewrite (xorb_comm (distributed_gen_Operands_left_flag a)), (xorb_comm (distributed_gen_Operands_right_flag a)). reflexivity.
      Qed.

      Lemma own_growth_0 :
        two_party_party_preprocessing_grown prg (growing_0 k s) (of_nat k) (operands_1 k s) (opening_1 k s) = growing_0 (S k) s.
      Proof.
        unfold two_party_party_preprocessing_grown. rewrite own_operands_0, own_opening_0. cbv zeta. unfold growing_0.
        rewrite generation_next by assumption. reflexivity.
      Qed.
      Lemma own_growth_1 :
        two_party_party_preprocessing_grown prg (growing_1 k s) (of_nat k) (operands_0 k s) (opening_0 k s) = growing_1 (S k) s.
      Proof.
        unfold two_party_party_preprocessing_grown. rewrite own_operands_1, own_opening_1. cbv zeta. unfold growing_1.
        rewrite generation_next, reconstruct_comm by assumption. reflexivity.
      Qed.
    End Level.
  End Sized.

  (* The leaves of both point at the XOR of the targets, cut to h bits. *)
  Theorem leaves_of_both_point_at (s : seed) (n i_0 i_1 : u64) : seed_sized s -> val h < 64 -> val n = 2 ^ val h ->
    seed_targets s = (dpf_address_bits i_0 h, dpf_address_bits i_1 h) ->
    let labels_0 := two_party_party_preprocessing_Growing_labels (growing_0 (nat_of h) s) in
    let labels_1 := two_party_party_preprocessing_Growing_labels (growing_1 (nat_of h) s) in
    sized n labels_0 /\ sized n labels_1 /\
    lemmas_leaves_point_at labels_0 labels_1 (vector_mod_size (ixor i_0 i_1) n) = true.
  Proof.
    intros sizes hh hn targets labels_0 labels_1. pose proof (triples_dealt s sizes) as dealt.
    destruct (triples_lengths s sizes) as [c d]. pose proof (val_bounds h).
    assert (0 < 2 ^ val h) by (apply Z.pow_pos_nonneg; lia).
    unfold labels_0, labels_1, growing_0, growing_1. cbn [two_party_party_preprocessing_Growing_labels].
    rewrite <- (generation_whole s sizes). unfold input_0, input_1. rewrite targets. cbn [fst snd].
    destruct (distributed_generation_leaves_point_at prg
      (mk_distributed_gen_Input (dpf_address_bits i_0 h) (fst (seed_roots s)) (triples_0 s))
      (mk_distributed_gen_Input (dpf_address_bits i_1 h) (snd (seed_roots s)) (triples_1 s))
      (nat_of h) (dpf_address_bits_length _ _) (dpf_address_bits_length _ _) c d dealt
      (vector_mod_size (ixor i_0 i_1) n) h hh) as (e_0 & e_1 & points).
    - rewrite (val_vector_mod_size _ _ (val h)) by lia. apply Z.mod_pos_bound. assumption.
    - apply xor_of_address_bits_mod_size; assumption.
    - assert (en : (2 ^ nat_of h)%nat = nat_of n).
      { apply Nat2Z.inj. rewrite Nat2Z.inj_pow, !Z_nat_of, hn. reflexivity. }
      unfold sized. rewrite e_0, e_1, en. auto.
  Qed.
End OneDpf.
