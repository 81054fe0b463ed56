(* Privacy of one item's whole life towards P2 [duoram, App. C, App. D; Protocols 1 and 2, lines 1 to 5]: P0's key of DPF 2 and
   P1's of DPF 3, both factors, both shift shares, and the masked words of an UPDATE are within the sum of advantages against
   the PRG, one for each level of DPF 2 and 3 and two for each of DPF 1, of what a simulator makes of fresh draws. It is told
   nothing: P2 has no input and no share of anything. (A READ sends P2 the shift shares alone.)

   DPF 2 and 3 are replaced as for the primary whose key P2 has (core/KeyPrivacy.v). Of DPF 1, of which it has no key, P1's
   label at ri is replaced in this way, and then P0's labels along the path to one more leaf (core/OwnLeaf.v); the rest is exact
   (HelperView.v). The keys are those of the dealer, which App. C makes (core/DistributedGeneration.v).

   [rest] is whatever else there is: P2's triples, other items, both primaries' inputs. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection Counting Chains.
From Duoram.core Require Import Parties LabelFacts TreeLevels PrgAdvantage KeyHybrid KeyPrivacy GenerationSimulated OwnLeaf.
From Duoram.paper Require Import IdealPreprocessing HelperView ItemPrivacy.
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
  Context (h n : u64) (h_below_64 : (val h < 64)%Z) (h_one : (1 <= val h)%Z) (size : val n = (2 ^ val h)%Z).
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
    | O => let leaves := leaves_0_1 n (sides_of corrections coins) (ri_of z) leaf in
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
  Let n_two : (2 <= val n)%Z.
  Proof. rewrite size. change 2%Z with (2 ^ 1)%Z at 1. apply Z.pow_le_mono_r; lia. Qed.
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
  Definition path_in (z : corrected) : list bool := dpf_address_bits (leaf_place n (ri_of (fst (fst (fst z))))) h.
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
    2: { intros z. unfold path_in. apply dpf_address_bits_length. }
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

  (** * The three together *)

  Definition helper_price (j : nat) : Q :=
    match j with O => key_price 0 P0 + leaf_price | 1%nat => key_price 1 P0 | _ => key_price 2 P1 end.
  Definition real_helper : Q :=
    real_chain helper_rest 3 (fun _ => real_root_space) (fun z j _ => real_tree z j) trees_test.

  Lemma helper_dpfs_replaced :
    Qabs (real_helper - ideal_chain helper_rest 3 (fun _ => ideal_root_space) (fun z j _ => ideal_tree z j) trees_test)
    <= sum_below 3 helper_price.
  Proof.
    apply chain_replaced. intros [|[|[|j]]] hj; [exact dpf_1_replaced | exact dpf_2_replaced | exact dpf_3_replaced | lia].
  Qed.

  (** * What is left is exact *)

  (* Of each DPF the root, corrections and siblings; of DPF 1 and of siblings the simulator makes no use. *)
  Notation fixed := (u128 * list dpf_Correction * list (u128 * bool))%type.
  Notation helper_hidden := ((u64 * (W * W)) * (u128 * u128 * u128 * u128))%type.
  Definition fixed_space : list fixed :=
    list_prod (list_prod labels (tuples (nat_of h) fresh_corrections)) (tuples (nat_of h) sibling_space).
  Definition helper_coin_space : list helper_hidden :=
    list_prod (list_prod (words 64) (list_prod all_words all_words))
      (list_prod (list_prod (list_prod labels labels) labels) labels).

  Definition simulated_helper_received (keys : fixed * fixed * fixed) (coins : helper_hidden) : helper_received :=
    let '(_, (root_2, cs_2, _), (root_3, cs_3, _)) := keys in
    (simulated_key P0 root_2 cs_2, simulated_key P1 root_3 cs_3, simulated_helper n coins).
  Definition simulated_helper_item : Q :=
    Pr (list_prod (list_prod rest (list_prod (list_prod fixed_space fixed_space) fixed_space)) helper_coin_space)
      (fun '((r, keys), coins) => test r (simulated_helper_received keys coins)).

  Let as_draw (p : fixed * (u128 * u128)) : ideal_roots :=
    let '((root, cs, coins), (seed, leaf)) := p in (root, cs, seed, (coins, leaf)).
  Lemma mean_ideal_roots (f : ideal_roots -> Q) :
    mean ideal_root_space f == mean (list_prod fixed_space (list_prod labels labels)) (fun p => f (as_draw p)).
  Proof.
    unfold ideal_root_space, fixed_space. rewrite !mean_prod. apply mean_ext. intros root _. apply mean_ext. intros cs _.
    transitivity (mean labels (fun seed => mean (tuples (nat_of h) sibling_space) (fun coins => mean labels (fun leaf =>
      f (root, cs, seed, (coins, leaf)))))).
    - apply mean_ext. intros seed _. rewrite mean_prod. reflexivity.
    - rewrite mean_swap. apply mean_ext. intros coins _. rewrite mean_prod. reflexivity.
  Qed.

  Let sides_fit (cs : list dpf_Correction) (coins : list (u128 * bool)) : length coins = nat_of h ->
    forall j, (val j < val n)%Z -> length (fst (sides_of cs coins j)) = nat_of j
      /\ (length (fst (sides_of cs coins j)) + S (length (snd (sides_of cs coins j))))%nat = nat_of n.
  Proof.
    intros hl j hj. unfold sides_of, sides_at.
    pose proof (focus_place prg (fun _ : u64 => false) (fun _ => cs) (fun p => dpf_address_bits p h) (nat_of h)
      (fun p => dpf_address_bits_length p h) j coins ltac:(lia)) as place.
    pose proof (focus_length prg (fun _ : u64 => false) (fun _ => cs) (fun p => dpf_address_bits p h) j coins (repr 128 0)) as total.
    destruct (focus_at _ _ _ _ _ _) as [[before t] after]. cbn [fst snd filled] in *.
    rewrite app_length in total. cbn [length] in total. rewrite hl in *. split.
    - rewrite place. pose proof (Z_nat_of h) as zh. pose proof (val_bounds j).
      rewrite firstn_all2 by (rewrite dpf_address_bits_length; lia).
      pose proof (place_of_path (nat_of h) (nat_of h) (val j) ltac:(lia) ltac:(rewrite zh; lia)) as e.
      rewrite Z.sub_diag, Z.div_1_r, firstn_all2 in e by (rewrite path_bits_length; lia).
      rewrite address_bits_path by lia. apply Nat2Z.inj. rewrite e, Z_nat_of. reflexivity.
    - rewrite total. apply Nat2Z.inj. rewrite Nat2Z.inj_pow, !Z_nat_of, size. reflexivity.
  Qed.

  (* The draws in the order in which the hybrid leaves them; two leaves are not used. *)
  Let gathered (z : (u64 * (W * W)) * ((u128 * u128) * (u128 * u128) * (u128 * u128))) : helper_hidden :=
    let '(ws, ((s_1, x_1), (s_2, _), (s_3, _))) := z in (ws, (s_1, x_1, s_2, s_3)).
  Lemma mean_gathered_helper (f : helper_hidden -> Q) :
    mean (list_prod (list_prod (words 64) (list_prod all_words all_words))
      (list_prod (list_prod (list_prod labels labels) (list_prod labels labels)) (list_prod labels labels)))
      (fun z => f (gathered z))
    == mean helper_coin_space f.
  Proof.
    unfold helper_coin_space. rewrite !(mean_prod (list_prod (words 64) _)). apply mean_ext. intros ws _.
    rewrite !mean_prod. apply mean_ext. intros s_1 _. apply mean_ext. intros x_1 _. rewrite mean_prod.
    apply mean_ext. intros s_2 _.
    transitivity (mean labels (fun _ : u128 => mean labels (fun s_3 => f (ws, (s_1, x_1, s_2, s_3))))).
    - apply mean_ext. intros x_2 _. rewrite mean_prod. apply mean_ext. intros s_3 _.
      exact (mean_const labels (f (ws, (s_1, x_1, s_2, s_3))) labels_not_empty).
    - apply mean_const, labels_not_empty.
  Qed.

  Lemma helper_coins_enumerate : enumerates helper_coin_space anything.
  Proof. unfold helper_coin_space. auto 10 using enumerates_all_prod, words_enumerate, labels_enumerate. Qed.

  Lemma helper_item_is_left :
    ideal_chain helper_rest 3 (fun _ => ideal_root_space) (fun z j _ => ideal_tree z j) trees_test == simulated_helper_item.
  Proof.
    unfold ideal_chain, simulated_helper_item, helper_rest. rewrite !Pr_mean, !mean_prod. apply mean_ext. intros r _.
    pose (f ws p q o := indicator (trees_test (r, ws)
      [ideal_tree (r, ws) 0 (as_draw p); ideal_tree (r, ws) 1 (as_draw q); ideal_tree (r, ws) 2 (as_draw o)])).
    pose (space := list_prod fixed_space (list_prod labels labels)).
    transitivity (mean (list_prod (words 64) (list_prod all_words all_words)) (fun ws =>
      mean space (fun p => mean space (fun q => mean space (fun o => f ws p q o))))).
    { apply mean_ext. intros ws _. rewrite mean_draws_S, mean_ideal_roots. apply mean_ext. intros p _.
      rewrite mean_draws_S, mean_ideal_roots. apply mean_ext. intros q _.
      rewrite mean_draws_S, mean_ideal_roots. apply mean_ext. intros o _. rewrite mean_draws_0. reflexivity. }
    unfold space. rewrite mean_regrouped. apply mean_ext. intros [[a b] c] i. cbn [fst snd].
    apply in_prod_iff in i. destruct i as [i i_c]. apply in_prod_iff in i. destruct i as [i_a i_b].
    destruct a as [[root_1 cs_1] coins_1], b as [[root_2 cs_2] coins_2], c as [[root_3 cs_3] coins_3].
    apply in_prod_iff in i_a, i_b, i_c. destruct i_a as [_ i_a], i_b as [i_b _], i_c as [i_c _].
    apply in_prod_iff in i_b, i_c. destruct i_b as [_ i_b], i_c as [_ i_c]. apply tuples_length in i_a, i_b, i_c.
    pose (key_2 := simulated_key P0 root_2 cs_2). pose (key_3 := simulated_key P1 root_3 cs_3).
    assert (sizes : forall party root cs, length cs = nat_of h ->
      sized n (dpf_eval_full prg (simulated_key party root cs))).
    { intros party root cs e. unfold sized. rewrite dpf_eval_full_length. cbn [dpf_Key_corrections simulated_key].
      rewrite e. apply Nat2Z.inj. rewrite Nat2Z.inj_pow, !Z_nat_of, size. reflexivity. }
    pose (g coins := indicator (test r (key_2, key_3, simulated_helper n coins))).
    pose (move := helper_forth n (sides_of cs_1 coins_1) (dpf_eval_full prg key_2) (dpf_eval_full prg key_3) (secret r)).
    pose (move_back := helper_back n (sides_of cs_1 coins_1) (dpf_eval_full prg key_2) (dpf_eval_full prg key_3) (secret r)).
    transitivity (mean helper_coin_space (fun hidden => g (move hidden))).
    - rewrite <- (mean_gathered_helper (fun hidden => g (move hidden))). apply mean_ext.
      intros [[word deltas] [[[s_1 x_1] [s_2 x_2]] [s_3 x_3]]] _. unfold g, move, gathered.
      rewrite <- (helper_view_simulated n n_power n_two fits_word (sides_of cs_1 coins_1) (dpf_eval_full prg key_2)
        (dpf_eval_full prg key_3) (sides_fit cs_1 coins_1 i_a) (sizes P0 root_2 cs_2 i_b) (sizes P1 root_3 cs_3 i_c)).
      reflexivity.
    - apply (mean_by_bijection helper_coin_space helper_coin_space move move_back g);
        auto using helper_coins_enumerate; [apply helper_back_forth | apply helper_forth_back].
  Qed.

  (* The theorem, for the dealer's keys: App. C makes them ([received_of_helper_is_dealt]). *)
  Theorem helper_item_simulated : Qabs (real_helper - simulated_helper_item) <= sum_below 3 helper_price.
  Proof. rewrite <- helper_item_is_left. exact helper_dpfs_replaced. Qed.
End Helper.
