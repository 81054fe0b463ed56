(* Privacy of one item's whole life towards P2 [duoram, App. C, App. D; Protocols 1 and 2, lines 1 to 5]: P0's key of DPF 2 and
   P1's of DPF 3, both factors, both shift shares, and the masked words of an UPDATE are within the sum of advantages against
   the PRG, one for each level of DPF 2 and 3 and two for each of DPF 1, of what a simulator makes of fresh draws. It is told
   nothing: P2 has no input and no share of anything. (A READ sends P2 the shift shares alone.)

   DPF 2 and 3 are replaced as for the primary whose key P2 has (core/KeyPrivacy.v). Of DPF 1, of which it has no key, P1's
   label at ri is replaced in this way, and then P0's labels along the path to one more leaf (core/OwnLeaf.v); the rest is exact
   (HelperView.v). The keys are those of the dealer, which App. C makes (core/DistributedGeneration.v).

   For n >= 4, see HelperView.v. [rest] is whatever else there is: P2's triples, other items, both primaries' inputs. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection Counting Chains.
From Duoram.core Require Import Parties LabelFacts TreeLevels PrgAdvantage KeyHybrid KeyPrivacy GenerationSimulated OwnLeaf.
From Duoram.paper Require Import IdealPreprocessing HelperView.
From Duoram.Generated Require Import All.
#[local] Open Scope Q_scope.

(* The leaves of P0 and P1, and the key that P2 has. *)
Notation tree := (list u128 * list u128 * dpf_Key)%type.
(* Both roots; or the root, the corrections and the leaf that is not had, and of DPF 1 the siblings of a path and its leaf. *)
Notation real_roots := (u128 * u128)%type.
Notation ideal_roots := (u128 * list dpf_Correction * u128 * (list (u128 * bool) * u128))%type.

Section Helper.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Laws : RingLaws W} (all_words : list W).
  Hypothesis all_words_enumerate : enumerates all_words anything.
  Context {P : Type} {P_Prg : prg_Prg P} (prg : P).
  Context (h n : u64) (h_below_64 : (val h < 64)%Z) (h_two : (2 <= val h)%Z) (size : val n = (2 ^ val h)%Z).
  Hypothesis fits_word : (val n <= 2 ^ Zpos (ring_bits W))%Z.
  Context {R : Type} (rest : list R) (secret : R -> helper_secret (W := W)).

  Notation P0 := share_Primary_P0.
  Notation P1 := share_Primary_P1.
  Notation helper_received := (dpf_Key * dpf_Key * helper_seen (W := W))%type.
  Context (test : R -> helper_received -> bool).

  (* P1's word of the index, and both deltas. *)
  Notation with_words := (R * (u64 * (W * W)))%type.
  Definition helper_rest : list with_words := list_prod rest (list_prod (words 64) (list_prod all_words all_words)).
  Definition ri_of (z : with_words) : u64 := vector_mod_size (ixor (word_0 (secret (fst z))) (fst (snd z))) n.

  Definition no_key : dpf_Key := mk_dpf_Key (repr 128 0) [].
  (* Of DPF 1 P2 has no key, of DPF 2 it has P0's, of DPF 3 P1's. *)
  Definition real_tree (z : with_words) (j : nat) (roots : real_roots) : tree :=
    let keys := dealer_generate prg (ri_of z) h (fst roots) (snd roots) in
    (dpf_eval_full prg (fst keys), dpf_eval_full prg (snd keys),
     match j with O => no_key | 1%nat => fst keys | _ => snd keys end).

  Definition sides_of (corrections : list dpf_Correction) (coins : list (u128 * bool)) (place : u64) : list u128 * list u128 :=
    sides_at prg (fun _ : u64 => false) (fun _ => corrections) (fun p => dpf_address_bits p h) place coins.
  Definition ideal_tree (z : with_words) (j : nat) (draw : ideal_roots) : tree :=
    let '(root, corrections, seed, (coins, leaf)) := draw in
    match j with
    | O => let leaves := leaves_0_1 (sides_of corrections coins) (ri_of z) leaf in
           (leaves, other_leaves leaves (ri_of z) seed, no_key)
    | 1%nat => let key := simulated_key P0 root corrections in
         (dpf_eval_full prg key, other_leaves (dpf_eval_full prg key) (ri_of z) seed, key)
    | _ => let key := simulated_key P1 root corrections in
         (other_leaves (dpf_eval_full prg key) (ri_of z) seed, dpf_eval_full prg key, key)
    end.

  Definition real_root_space : list real_roots := list_prod labels labels.
  Definition ideal_root_space : list ideal_roots :=
    list_prod (list_prod (list_prod labels (tuples (nat_of h) fresh_corrections)) labels)
      (list_prod (tuples (nat_of h) sibling_space) labels).

  (* What P2 receives, from the three DPFs. *)
  Definition received_of_trees (z : with_words) (trees : list tree) : option helper_received :=
    match trees with
    | [(l_0_1, l_1_1, _); (l_0_2, l_1_2, key_2); (l_0_3, l_1_3, key_3)] =>
        Some (key_2, key_3, helper_view_of n (secret (fst z)) (snd (snd z)) (l_0_1, l_1_1) (l_0_2, l_1_2) (l_0_3, l_1_3))
    | _ => None
    end.
  Definition trees_test (z : with_words) (trees : list tree) : bool :=
    match received_of_trees z trees with Some seen => test (fst z) seen | None => false end.

  (** * One DPF among the three *)

  Notation others := (with_words * (list ideal_roots * list real_roots))%type.
  Definition beside_dpf (j : nat) : list others :=
    others_of helper_rest 3 (fun _ => real_root_space) (fun _ => ideal_root_space) j.
  Definition test_of_tree (j : nat) (z : others) (t : tree) : bool :=
    test_with (fun z j _ => real_tree z j) (fun z j _ => ideal_tree z j) trees_test j z t.

  (* DPF 2 and 3, by the party whose key P2 has. *)
  Definition key_test (j : nat) (party : share_Primary) (z : others * u128) (key : dpf_Key) (label : u128) : bool :=
    let own := dpf_eval_full prg key in
    let other := other_leaves own (ri_of (fst (fst z))) label in
    test_of_tree j (fst z) (in_order party own other, match j with O => no_key | _ => key end).
  Definition key_price (j : nat) (party : share_Primary) : Q :=
    sum_below (nat_of h) (fun i => Adv prg (leaf_distinguisher prg party (list_prod (beside_dpf j) labels) snd
      (fun z => ri_of (fst (fst z))) h (key_test j party) i)).

  Let n_power : power_of_two n.
  Proof. exists (val h). pose proof (val_bounds h). auto with zarith. Qed.
  Let ri_below (z : with_words) : (val (ri_of z) < 2 ^ val h)%Z.
  Proof. rewrite <- size. apply mod_size_below, n_power. Qed.

  (* What is left after it: the root and the corrections are drawn, and the other's label at ri. *)
  Definition half_ideal (j : nat) (party : share_Primary) : Q :=
    Pr (list_prod (list_prod (list_prod (beside_dpf j) labels) (tuples (nat_of h) fresh_corrections)) labels)
      (fun '((z, corrections), seed) => key_test j party z (simulated_key party (snd z) corrections) seed).

  Lemma key_replaced (j : nat) (party : share_Primary) :
    Qabs (Pr (list_prod (list_prod (beside_dpf j) labels) labels) (fun '((z, root), other_root) =>
            test_of_tree j z (let keys := dealt_keys prg party (ri_of (fst z)) h root other_root in
              (in_order party (dpf_eval_full prg (own_key party keys)) (dpf_eval_full prg (other_key party keys)),
               match j with O => no_key | _ => own_key party keys end)))
          - half_ideal j party)
    <= key_price j party.
  Proof.
    eapply Qle_trans; [|apply key_and_leaf_simulated; lia].
    apply Qle_lteq. right. apply Qabs_wd. unfold Qminus. apply Qplus_comp; [|apply Qopp_comp].
    - rewrite !Pr_mean. apply mean_ext. intros [[z root] other_root] _. cbv zeta. unfold key_test. cbn [fst snd].
      rewrite <- dealt_other_leaves by (exact h_below_64 || apply ri_below). reflexivity.
    - unfold half_ideal. rewrite !Pr_mean. apply mean_ext. intros [[[z root] cs] seed] _. cbv zeta.
      unfold key_test. cbn [fst snd].
      unfold beside.
      assert (e : forall l t x b, other_leaves l t (block_with_flag x b) = other_leaves l t x)
        by (intros l t x b; unfold other_leaves; rewrite with_flag_twice; reflexivity).
      rewrite e. reflexivity.
  Qed.

  Let siblings_not_empty : list_prod (tuples (nat_of h) sibling_space) labels <> [].
  Proof.
    pose proof (enumerates_all_prod _ _ labels_enumerate bools_enumerate) as siblings.
    apply (space_not_empty _ _ (repeat (repr 128 0, false) (nat_of h), repr 128 0)
      (enumerates_prod _ _ _ _ (tuples_enumerate (nat_of h) sibling_space siblings) labels_enumerate)).
    split; [apply repeat_length | exact I].
  Qed.

  (* DPF 2 and 3 have no use for the siblings. *)
  Lemma half_is_ideal (j : nat) (party : share_Primary) :
    (j = 1%nat /\ party = P0) \/ (j = 2%nat /\ party = P1) ->
    half_ideal j party
    == Pr (list_prod (beside_dpf j) ideal_root_space) (fun '(z, e) => test_of_tree j z (ideal_tree (fst z) j e)).
  Proof.
    intros which. unfold half_ideal, ideal_root_space. rewrite !Pr_mean, !mean_prod. apply mean_ext. intros z _.
    rewrite !mean_prod. apply mean_ext. intros root _. apply mean_ext. intros cs _. apply mean_ext. intros seed _.
    rewrite <- (mean_const (list_prod (tuples (nat_of h) sibling_space) labels)
      (indicator (key_test j party (z, root) (simulated_key party (snd (z, root)) cs) seed))) by exact siblings_not_empty.
    apply mean_ext. intros [coins leaf] _. destruct which as [[-> ->]|[-> ->]]; reflexivity.
  Qed.

  Lemma dpf_2_replaced :
    Qabs (Pr (list_prod (beside_dpf 1) real_root_space) (fun '(z, d) => test_of_tree 1 z (real_tree (fst z) 1 d))
          - Pr (list_prod (beside_dpf 1) ideal_root_space) (fun '(z, e) => test_of_tree 1 z (ideal_tree (fst z) 1 e)))
    <= key_price 1 P0.
  Proof.
    rewrite <- (half_is_ideal 1 P0) by auto. eapply Qle_trans; [|apply key_replaced].
    apply Qle_lteq. right. apply Qabs_wd. unfold Qminus. apply Qplus_comp; [|reflexivity].
    unfold real_root_space. rewrite !Pr_mean, !mean_prod. apply mean_ext. intros z _. rewrite mean_prod. reflexivity.
  Qed.
  Lemma dpf_3_replaced :
    Qabs (Pr (list_prod (beside_dpf 2) real_root_space) (fun '(z, d) => test_of_tree 2 z (real_tree (fst z) 2 d))
          - Pr (list_prod (beside_dpf 2) ideal_root_space) (fun '(z, e) => test_of_tree 2 z (ideal_tree (fst z) 2 e)))
    <= key_price 2 P1.
  Proof.
    rewrite <- (half_is_ideal 2 P1) by auto. eapply Qle_trans; [|apply key_replaced].
    apply Qle_lteq. right. apply Qabs_wd. unfold Qminus. apply Qplus_comp; [|reflexivity].
    unfold real_root_space. rewrite !Pr_mean, !mean_prod. apply mean_ext. intros z _. rewrite mean_prod, mean_swap. reflexivity.
  Qed.

  (* DPF 1: P1's label at ri, and then one leaf of P0's tree. *)
  Notation corrected := (others * list dpf_Correction * u128)%type.
  Definition corrected_rest : list corrected :=
    list_prod (list_prod (beside_dpf 0) (tuples (nat_of h) fresh_corrections)) labels.
  Definition corrections_in (z : corrected) : list dpf_Correction := snd (fst z).
  Definition path_in (z : corrected) : list bool := dpf_address_bits (odd_place (ri_of (fst (fst (fst z))))) h.
  Definition leaf_test (z : corrected) (leaves : list u128) : bool :=
    let '(x, _, seed) := z in
    test_of_tree 0 x (leaves, other_leaves leaves (ri_of (fst x)) seed, no_key).
  Definition leaf_price : Q :=
    sum_below (nat_of h) (fun i => Adv prg (leaf_level_distinguisher prg corrected_rest (fun _ => false) corrections_in path_in
      leaf_test i)).

  Lemma dpf_1_replaced :
    Qabs (Pr (list_prod (beside_dpf 0) real_root_space) (fun '(z, d) => test_of_tree 0 z (real_tree (fst z) 0 d))
          - Pr (list_prod (beside_dpf 0) ideal_root_space) (fun '(z, e) => test_of_tree 0 z (ideal_tree (fst z) 0 e)))
    <= key_price 0 P0 + leaf_price.
  Proof.
    eapply Qle_trans; [|apply Qplus_le_compat; [apply key_replaced | apply own_leaf_replaced]].
    2: { intros [[z cs] seed] i. apply in_prod_iff in i. destruct i as [i _]. apply in_prod_iff in i. destruct i as [_ i].
         apply tuples_length in i. exact i. }
    rewrite ideal_leaf_uniform.
    2: { intros [[z cs] seed] i. apply in_prod_iff in i. destruct i as [i _]. apply in_prod_iff in i. destruct i as [_ i].
         apply tuples_length in i. exact i. }
    2: { intros z. apply dpf_address_bits_length. }
    2: { pose proof (Z_nat_of h). lia. }
    eapply Qle_trans; [|apply Qabs_triangle]. apply Qle_lteq. right. apply Qabs_wd.
    assert (real : Pr (list_prod (beside_dpf 0) real_root_space) (fun '(z, d) => test_of_tree 0 z (real_tree (fst z) 0 d))
      == Pr (list_prod (list_prod (beside_dpf 0) labels) labels) (fun '((z, root), other_root) =>
            test_of_tree 0 z (let keys := dealt_keys prg P0 (ri_of (fst z)) h root other_root in
              (in_order P0 (dpf_eval_full prg (own_key P0 keys)) (dpf_eval_full prg (other_key P0 keys)), no_key)))).
    { unfold real_root_space. rewrite !Pr_mean, !mean_prod. apply mean_ext. intros z _. rewrite mean_prod. reflexivity. }
    assert (half : half_ideal 0 P0 == real_leaf prg corrected_rest (fun _ => false) corrections_in leaf_test).
    { unfold half_ideal, real_leaf, corrected_rest. rewrite !Pr_mean, !mean_prod. apply mean_ext. intros z _.
      rewrite (mean_swap labels (tuples (nat_of h) fresh_corrections)). apply mean_ext. intros cs _.
      rewrite (mean_swap labels labels). apply mean_ext. intros seed _. reflexivity. }
    assert (ideal : uniform_leaf prg corrected_rest (fun _ => false) corrections_in path_in (nat_of h) leaf_test
      == Pr (list_prod (beside_dpf 0) ideal_root_space) (fun '(z, e) => test_of_tree 0 z (ideal_tree (fst z) 0 e))).
    { unfold uniform_leaf, corrected_rest, ideal_root_space. rewrite !Pr_mean, !mean_prod. apply mean_ext. intros z _.
      rewrite !mean_prod.
      rewrite <- (mean_const labels (mean (tuples (nat_of h) fresh_corrections) _)) by exact labels_not_empty.
      apply mean_ext. intros root _. apply mean_ext. intros cs _. apply mean_ext. intros seed _. rewrite mean_prod.
      apply mean_ext. intros coins _. apply mean_ext. intros leaf _. unfold ideal_tree, leaves_0_1, sides_of, path_in, corrections_in.
      unfold sides_at, focus_at. cbn [fst snd]. destruct (focus_from prg _ _ _ coins) as [[before t] after]. reflexivity. }
    rewrite real, half, ideal. ring.
  Qed.
End Helper.
