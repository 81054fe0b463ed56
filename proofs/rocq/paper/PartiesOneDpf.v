(* Locality of one DPF's making: a primary's own side of it, level by level (`paper::party_preprocessing`), is its part of what
   App. C and App. D, run by both (`paper::preprocessing::prepare_dpf`), yield. *)
From Coq Require Import Lia.
From Duoram.core Require Import VectorFacts Parties.
From Duoram.paper Require Import PreparedDpfFacts.
From Duoram.paper Require Export Delivery.
From Duoram.Generated Require Import All.

Lemma int_add_comm (a b : u64) : wadd a b = wadd b a.
Proof. ring. Qed.

(** * One DPF *)

(* What goes into it, of all three parties. *)
Record seed : Type := mk_seed {
  seed_bits : list bool * list bool;
  seed_roots : u128 * u128;
  seed_blinds : u64 * u64;
  seed_triples : paper_preprocessing_DpfTriples u64;
}.

Section OneDpf.
  Context {P : Type} {P_Prg : prg_Prg P} (prg : P) (h : u64).

  Definition dpf_of (s : seed) : paper_preprocessing_Dpf u64 :=
    paper_preprocessing_prepare_dpf prg (seed_bits s) (seed_roots s) (seed_blinds s) (seed_triples s).

  Definition seed_ands (s : seed) : list du_atallah_AndTriple * list du_atallah_AndTriple :=
    (paper_preprocessing_DpfTriples_and_0 (seed_triples s), paper_preprocessing_DpfTriples_and_1 (seed_triples s)).
  Definition seed_products (s : seed) : du_atallah_ProductTriple u64 * du_atallah_ProductTriple u64 :=
    (paper_preprocessing_DpfTriples_product_0 (seed_triples s), paper_preprocessing_DpfTriples_product_1 (seed_triples s)).

  Definition seed_sized (s : seed) : Prop :=
    length (fst (seed_bits s)) = nat_of h /\ length (snd (seed_bits s)) = nat_of h /\
    length (fst (seed_ands s)) = nat_of h /\ length (snd (seed_ands s)) = nat_of h.

  Definition draws_of (role : share_Primary) (s : seed) : paper_party_preprocessing_Draws :=
    mk_paper_party_preprocessing_Draws (own role (seed_bits s)) (distributed_gen_planted role (own role (seed_roots s)))
      (own role (seed_blinds s)).

  (* The generation after k levels. *)
  Definition level_step (done : distributed_gen_Generation)
    (pair : (bool * bool) * (du_atallah_AndTriple * du_atallah_AndTriple)) : distributed_gen_Generation :=
    let '((bit_0, bit_1), (triple_0, triple_1)) := pair in distributed_gen_grow prg done (bit_0, bit_1) (triple_0, triple_1).
  Definition level_pairs (s : seed) : list ((bool * bool) * (du_atallah_AndTriple * du_atallah_AndTriple)) :=
    combine (combine (fst (seed_bits s)) (snd (seed_bits s))) (combine (fst (seed_ands s)) (snd (seed_ands s))).
  Definition generation_start (s : seed) : distributed_gen_Generation :=
    let root_0 := distributed_gen_planted share_Primary_P0 (fst (seed_roots s)) in
    let root_1 := distributed_gen_planted share_Primary_P1 (snd (seed_roots s)) in
    mk_distributed_gen_Generation (mk_dpf_Key root_0 []) (mk_dpf_Key root_1 []) [root_0] [root_1] [].
  Definition generation (s : seed) (k : nat) : distributed_gen_Generation :=
    fold_left level_step (firstn k (level_pairs s)) (generation_start s).

  Definition keys_of (g : distributed_gen_Generation) : dpf_Key * dpf_Key :=
    (distributed_gen_Generation_key_0 g, distributed_gen_Generation_key_1 g).
  Definition labels_of (g : distributed_gen_Generation) : list u128 * list u128 :=
    (distributed_gen_Generation_labels_0 g, distributed_gen_Generation_labels_1 g).

  (* A primary's side of it. *)
  Definition growing (role : share_Primary) (k : nat) (s : seed) : paper_party_preprocessing_Growing :=
    mk_paper_party_preprocessing_Growing (draws_of role s) (own role (seed_ands s)) (own role (seed_products s))
      (own role (keys_of (generation s k))) (own role (labels_of (generation s k))).

  Definition no_triple : du_atallah_AndTriple := mk_du_atallah_AndTriple (repr 128 0) (repr 128 0) (repr 128 0).
  Definition messages_at (k : nat) (s : seed) : distributed_gen_LevelMessages :=
    distributed_gen_level_messages prg (distributed_gen_Generation_labels_0 (generation s k))
      (distributed_gen_Generation_labels_1 (generation s k))
      (nth k (fst (seed_bits s)) false, nth k (snd (seed_bits s)) false)
      (nth k (fst (seed_ands s)) no_triple, nth k (snd (seed_ands s)) no_triple).
  Definition operands_of (m : distributed_gen_LevelMessages) : distributed_gen_Operands * distributed_gen_Operands :=
    (distributed_gen_LevelMessages_operands_0 m, distributed_gen_LevelMessages_operands_1 m).
  Definition openings_of (m : distributed_gen_LevelMessages) : u128 * u128 :=
    (distributed_gen_LevelMessages_opening_0 m, distributed_gen_LevelMessages_opening_1 m).

  Section Sized.
    Context (s : seed) (sizes : seed_sized s).

    Lemma level_pairs_length : length (level_pairs s) = nat_of h.
    Proof.
      destruct sizes as (a & b & c & d). unfold level_pairs. rewrite !combine_length, a, b, c, d. lia.
    Qed.

    Lemma generation_next (k : nat) : (k < nat_of h)%nat ->
      generation s (S k) = distributed_gen_grow prg (generation s k)
        (nth k (fst (seed_bits s)) false, nth k (snd (seed_bits s)) false)
        (nth k (fst (seed_ands s)) no_triple, nth k (snd (seed_ands s)) no_triple).
    Proof.
      intros hk. pose proof level_pairs_length as l. destruct sizes as (a & b & c & d). unfold generation.
      set (default := ((false, false), (no_triple, no_triple))).
      assert (e : firstn (S k) (level_pairs s) = firstn k (level_pairs s) ++ [nth k (level_pairs s) default]).
      { assert (hl : (k < length (level_pairs s))%nat) by lia. clear - hl. revert k hl.
        induction (level_pairs s) as [|x pairs IH]; intros [|k] hl; cbn in *; try lia; [reflexivity|].
        f_equal. apply IH. lia. }
      rewrite e, fold_left_app. cbn [fold_left]. unfold level_pairs at 2, default.
      rewrite !nth_combine by (rewrite ?combine_length; lia). reflexivity.
    Qed.

    Lemma generation_messages (k : nat) : (k <= nat_of h)%nat ->
      distributed_gen_Generation_messages (generation s k) = map (fun l => messages_at l s) (seq 0 k).
    Proof.
      induction k as [|k IH]; intros hk; [reflexivity|]. rewrite generation_next by lia. rewrite seq_S, map_app, <- IH by lia.
      unfold distributed_gen_grow. cbn [distributed_gen_Generation_messages]. apply concat_pair.
    Qed.

    Lemma same_corrections (k : nat) :
      dpf_Key_corrections (distributed_gen_Generation_key_1 (generation s k))
      = dpf_Key_corrections (distributed_gen_Generation_key_0 (generation s k)).
    Proof.
      unfold generation. apply (fold_left_invariant (fun g => dpf_Key_corrections (distributed_gen_Generation_key_1 g)
        = dpf_Key_corrections (distributed_gen_Generation_key_0 g))); [reflexivity|].
      intros g [[? ?] [? ?]] _ _. reflexivity.
    Qed.

    Lemma generation_heights (k : nat) : (k <= nat_of h)%nat ->
      length (dpf_Key_corrections (distributed_gen_Generation_key_0 (generation s k))) = k /\
      length (dpf_Key_corrections (distributed_gen_Generation_key_1 (generation s k))) = k.
    Proof.
      rewrite same_corrections. intros hk. enough (l : length (dpf_Key_corrections
        (distributed_gen_Generation_key_0 (generation s k))) = k) by auto.
      induction k as [|k IH]; [reflexivity|]. rewrite generation_next by lia.
      unfold distributed_gen_grow. cbn [distributed_gen_Generation_key_0 dpf_Key_corrections].
      rewrite concat_pair, app_length, IH by lia. cbn [length]. lia.
    Qed.

    Lemma generation_whole : paper_preprocessing_Dpf_generation (dpf_of s) = generation s (nat_of h).
    Proof.
      unfold generation. rewrite <- level_pairs_length, firstn_all. unfold dpf_of, paper_preprocessing_prepare_dpf, level_pairs,
        generation_start, seed_ands. destruct (seed_bits s), (seed_roots s), (seed_blinds s). reflexivity.
    Qed.

    Section Level.
      Context (k : nat) (in_tree : (k < nat_of h)%nat) (role : share_Primary).

      Let nk : nat_of (of_nat k) = k.
      Proof. apply nat_of_of_nat. pose proof (nat_of_bound h). lia. Qed.

      Lemma own_operands : paper_party_preprocessing_level_operands prg (growing role k s) (of_nat k)
        = own role (operands_of (messages_at k s)).
      Proof.
        unfold paper_party_preprocessing_level_operands, paper_party_preprocessing_level_bit,
          paper_party_preprocessing_level_triple, messages_at, distributed_gen_level_messages.
        rewrite !vector_at_nth, nk. destruct role; reflexivity.
      Qed.

      Lemma own_opening :
        paper_party_preprocessing_level_opening prg (growing role k s) (of_nat k)
          (own (other_primary role) (operands_of (messages_at k s)))
        = own role (openings_of (messages_at k s)).
      Proof.
        unfold paper_party_preprocessing_level_opening, paper_party_preprocessing_level_bit,
          paper_party_preprocessing_level_triple, messages_at, distributed_gen_level_messages.
        rewrite !vector_at_nth, nk. destruct role; reflexivity.
      Qed.

      Lemma reconstruct_comm (a b : distributed_gen_Operands) (x y : u128) :
        distributed_gen_reconstruct a b x y = distributed_gen_reconstruct b a y x.
      Proof.
        unfold distributed_gen_reconstruct. rewrite (ixor_comm x y).
        rewrite (xorb_comm (distributed_gen_Operands_left_flag a)), (xorb_comm (distributed_gen_Operands_right_flag a)). reflexivity.
      Qed.

      Lemma own_growth :
        paper_party_preprocessing_grown prg (growing role k s) (of_nat k)
          (own (other_primary role) (operands_of (messages_at k s))) (own (other_primary role) (openings_of (messages_at k s)))
        = growing role (S k) s.
      Proof.
        unfold paper_party_preprocessing_grown. rewrite own_operands, own_opening. cbv zeta. unfold growing.
        rewrite generation_next by assumption. destruct role; cbn [own other_primary fst snd operands_of openings_of].
        - reflexivity.
        - rewrite reconstruct_comm. unfold keys_of, distributed_gen_grow.
          cbn [snd paper_party_preprocessing_Growing_key distributed_gen_Generation_key_1 dpf_Key_root].
          rewrite same_corrections. reflexivity.
      Qed.
    End Level.

    (* App. D. *)
    Definition conversions_of (s' : seed) : paper_conversion_Operands u64 * paper_conversion_Operands u64 :=
      let c := paper_preprocessing_Dpf_conversion (dpf_of s') in
      (paper_conversion_Conversion_operands_0 c, paper_conversion_Conversion_operands_1 c).
    Definition converted_of (s' : seed) : u64 * u64 :=
      let c := paper_preprocessing_Dpf_conversion (dpf_of s') in
      (paper_conversion_Conversion_opening_0 c, paper_conversion_Conversion_opening_1 c).
    Definition factor_of (s' : seed) : u64 := paper_conversion_Conversion_factor (paper_preprocessing_Dpf_conversion (dpf_of s')).

    Lemma conversion_is : paper_preprocessing_Dpf_conversion (dpf_of s)
      = paper_conversion_conversion (paper_party_preprocessing_conversion_input (growing share_Primary_P0 (nat_of h) s))
          (paper_party_preprocessing_conversion_input (growing share_Primary_P1 (nat_of h) s)).
    Proof.
      unfold paper_party_preprocessing_conversion_input, growing, labels_of. cbn [own fst snd
        paper_party_preprocessing_Growing_labels paper_party_preprocessing_Growing_draws paper_party_preprocessing_Growing_product
        draws_of paper_party_preprocessing_Draws_blind]. rewrite <- generation_whole.
      unfold dpf_of, paper_preprocessing_prepare_dpf. destruct (seed_bits s), (seed_roots s), (seed_blinds s). reflexivity.
    Qed.

    Lemma own_conversion (role : share_Primary) :
      paper_conversion_operands role (paper_party_preprocessing_conversion_input (growing role (nat_of h) s))
      = own role (conversions_of s).
    Proof. unfold conversions_of. rewrite conversion_is. destruct role; reflexivity. Qed.

    Lemma own_converted (role : share_Primary) :
      paper_conversion_opening role (paper_party_preprocessing_conversion_input (growing role (nat_of h) s))
        (own (other_primary role) (conversions_of s))
      = own role (converted_of s).
    Proof. unfold conversions_of, converted_of. rewrite conversion_is. destruct role; reflexivity. Qed.

    Lemma own_factor (role : share_Primary) :
      paper_conversion_conversion_factor
        (wadd (paper_conversion_Operands_blinded_sign (own role (conversions_of s)))
          (paper_conversion_Operands_blinded_sign (own (other_primary role) (conversions_of s))))
        (wadd (own role (converted_of s)) (own (other_primary role) (converted_of s)))
      = factor_of s.
    Proof.
      unfold conversions_of, converted_of, factor_of. rewrite conversion_is. destruct role; [reflexivity|].
      cbn [own other_primary fst snd]. rewrite (int_add_comm (paper_conversion_Conversion_opening_1 _)),
        (int_add_comm (paper_conversion_Operands_blinded_sign (paper_conversion_Conversion_operands_1 _))). reflexivity.
    Qed.
  End Sized.
End OneDpf.
