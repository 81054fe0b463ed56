(* Privacy of one lean item's whole life towards P1: what P2 deals to it, making the item, and the READ, UPDATE, WRITE or SWAP that uses it, in one
   view. As for P0 (ItemLife.v), with what P2 deals (DealtToP1.v); P1 is told nothing of delta. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection Counting Chains.
From Duoram.core Require Import Parties PrgAdvantage GenerationSimulated.
From Duoram.lean Require Import PreparedItems LayeredPath PreparingView CorrectionsUniform PreparingPrivacy PreparingItems DealtToP1 OperationView.
From Duoram.Generated Require Import All.
#[local] Open Scope Q_scope.

Section Life.
  Context {P : Type} {P_Prg : prg_Prg P} {P_Layers : lean_layers_Layers P} (prg : P).
  Context (h : u64) (h_small : (val h < 64)%Z) (op : lean_op).
  Notation P1 := share_Primary_P1.
  Notation purpose := (purpose_of op).
  Notation d := (tree_level h purpose).

  (* What P1 has for an item and its operation: of either DPF before P2's message, and of its stream with P0. *)
  Record life_own_1 : Type := {
    life_1_a : dpf_own; life_1_b : dpf_own; life_1_stream_01 : list u64; life_1_op : op_own;
  }.
  Record dpf_own_sized (own : dpf_own) : Prop := {
    own_index_sized : (val (own_index own) < 2 ^ val h)%Z;
    own_mask_sized : (val (own_mask own) < 2 ^ val (lean_layers_flag_bits h))%Z;
    own_pairs_sized : length (own_pairs own) = d;
  }.
  Record life_sized_1 (o : life_own_1) : Prop := {
    life_1_a_sized : dpf_own_sized (life_1_a o);
    life_1_b_sized : dpf_own_sized (life_1_b o);
    one_index_1 : own_index (life_1_b o) = own_index (life_1_a o);
  }.

  Context {R : Type} (rest : list R) (own : R -> life_own_1) (inputs : R -> op_inputs).
  Hypothesis own_sized : forall r, life_sized_1 (own r).

  (* What P1 sees: of both DPFs P2's message, what P0 sends, and its keys; what it receives of the operation. *)
  Notation dealt_seen := (lean_dealing_Deal W * (dpf_received (W := W) * lean_layers_LayeredKey W))%type.
  Definition life_seen_1 : Type := dealt_seen * dealt_seen * (u64 * list W).
  Context (test : R -> life_seen_1 -> bool).

  (* What is drawn that it does not know: for the operation the word of P0's share of ri, and y_02 (no rho: it has that); P0's draws for either
     DPF and the stream of P0 and P2, P2's R'_1. *)
  Notation dealt_draw := ((list (bool * u128) * u64 * W) * (W * list u128 * u128 * list W) * u128)%type.
  Notation life_draw := ((u64 * W * W) * (dealt_draw * dealt_draw))%type.
  Definition life_space_1 : list life_draw := list_prod op_space (list_prod (dealt_space h purpose) (dealt_space h purpose)).
  Definition plan_of (one : dpf_own) (word : u64) (draw : dealt_draw) : dpf_plan (W := W) :=
    let '(a, b, root) := draw in dealt_plan h purpose one (others_index h word) root a b.
  Definition message_to_1 (one : dpf_own) (draw : dealt_draw) : lean_dealing_Deal W :=
    let '(a, b, _) := draw in deal_sent h purpose one a b.
  Definition life_view_1 (o : life_own_1) (i : op_inputs) (draw : life_draw) : life_seen_1 :=
    let '((word, mask, rho), (draw_a, draw_b)) := draw in
    let plan_a := plan_of (life_1_a o) word draw_a in
    let plan_b := plan_of (life_1_b o) word draw_b in
    ((message_to_1 (life_1_a o) draw_a, (received_of prg P1 h purpose plan_a, key_of prg P1 h purpose plan_a)),
     (message_to_1 (life_1_b o) draw_b, (received_of prg P1 h purpose plan_b, key_of prg P1 h purpose plan_b)),
     operation op (lean_party_size h) P1 (life_1_op o) i (own_index (life_1_a o)) (others_index h word)
       (item_material prg h plan_a plan_b (S d) (life_1_stream_01 o)) mask rho).
  Definition real_life_1 : Q := Pr (list_prod rest life_space_1) (fun '(r, draw) => test r (life_view_1 (own r) (inputs r) draw)).

  (* The simulator: of either DPF a uniform message and coins, a shift share below n, and a word for each word of the operation. *)
  Notation life_coins := (((lean_dealing_Deal W * dpf_coins) * (lean_dealing_Deal W * dpf_coins)) * (u64 * list W))%type.
  Definition dealt_coins : list (lean_dealing_Deal W * dpf_coins) := list_prod (message_space h purpose) (item_coins h purpose).
  Definition life_coin_space_1 : list life_coins := list_prod (list_prod dealt_coins dealt_coins) (op_coin_space P1 op).
  Definition simulated_dealt_seen (one : dpf_own) (coins : lean_dealing_Deal W * dpf_coins) : dealt_seen :=
    (fst coins, simulated_dpf prg P1 h purpose (dealt_held one (fst coins)) (snd coins)).
  Definition simulated_view_1 (o : life_own_1) (coins : life_coins) : life_seen_1 :=
    let '((coins_a, coins_b), coins) := coins in
    (simulated_dealt_seen (life_1_a o) coins_a, simulated_dealt_seen (life_1_b o) coins_b, simulated_operation h coins).
  Definition simulated_life_1 : Q := Pr (list_prod rest life_coin_space_1) (fun '(r, coins) => test r (simulated_view_1 (own r) coins)).

  (** * The real view, of keys, ri and R' *)

  Notation with_op := (R * (u64 * W * W))%type.
  Notation life_rest := (list_prod rest op_space).
  Definition life_test_1 (z : with_op) (outcomes : list (lean_dealing_Deal W * dpf_outcome)) : bool :=
    let '(r, draw) := z in
    match outcomes with
    | [(message_a, (seen_a, value_a)); (message_b, (seen_b, _))] =>
        test r ((message_a, seen_a), (message_b, seen_b),
          told_operation prg P1 h op (life_1_op (own r)) (inputs r) (dealt_held (life_1_a (own r)) message_a) draw (snd seen_a) (snd seen_b) value_a)
    | _ => false
    end.
  Definition life_held_1 (j : nat) (z : with_op) : dpf_own := match j with O => life_1_a (own (fst z)) | S _ => life_1_b (own (fst z)) end.
  Definition life_index_1 (_ : nat) (z : with_op) : u64 := others_index h (fst (fst (snd z))).

  Lemma plan_of_is (one : dpf_own) (word : u64) (a : list (bool * u128) * u64 * W) (b : W * list u128 * u128 * list W) (root : u128) :
    dpf_own_sized one -> In (a, b, root) (dealt_space h purpose) ->
    let held := dealt_held one (deal_sent h purpose one a b) in
    plan_of one word (a, b, root) = held_plan prg P1 h purpose held (others_index h word) (root, fst (fst a), snd (fst a), snd a) /\
    held_sized h purpose held /\ length (fst (fst a)) = d.
  Proof.
    intros [hi hm hp] i. unfold dealt_space in i. rewrite !in_prod_iff in i. destruct i as [[ia ib] _]. split; [|split].
    - apply dealt_plan_is; [exact hp | exact ia | exact ib].
    - pose proof (held_with_sized h purpose (fun _ : unit => one) (fun _ => hi) (fun _ => hm) (fun _ => hp) (tt, deal_sent h purpose one a b)) as s.
      unfold held_with in s. cbn [fst snd] in s.
      rewrite (deal_fits h purpose one a b hp) in s; [exact s | exact ia | exact ib].
    - destruct a as [[masks w] v]. rewrite !in_prod_iff in ia. eapply tuples_length, ia.
  Qed.

  Lemma real_life_is_batch_1 : real_life_1 == real_dealt_batch prg h life_rest 2 (fun _ => purpose) life_held_1 life_index_1 life_test_1.
  Proof.
    unfold real_life_1, real_dealt_batch, real_chain, life_space_1. rewrite !Pr_mean, !(mean_prod rest), (mean_prod life_rest), (mean_prod rest).
    apply mean_ext. intros r _. rewrite (mean_prod op_space). apply mean_ext. intros [[word mask] rho] _.
    rewrite mean_prod, mean_draws_S. apply mean_ext. intros [[a b] root] i. rewrite mean_draws_S. apply mean_ext. intros [[a' b'] root'] i'.
    rewrite mean_draws_0. cbn [all_seen app]. unfold life_test_1, real_dealt, life_view_1, life_held_1, life_index_1, message_to_1. cbv zeta. cbn [fst snd].
    destruct (own_sized r) as [sa sb e].
    destruct (plan_of_is _ word a b root sa i) as (pa & ha & la). destruct (plan_of_is _ word a' b' root' sb i') as (pb & hb & lb).
    pose proof (operation_is_told prg P1 h h_small op (life_1_op (own r)) (inputs r) _ _ (life_1_stream_01 (own r))
      (word, mask, rho) (root, fst (fst a), snd (fst a), snd a) (root', fst (fst a'), snd (fst a'), snd a') ha hb e la lb) as told.
    cbv beta iota zeta in told. cbn [fst snd] in told. rewrite <- pa, <- pb in told. cbn [dealt_held held_index] in told. rewrite told. reflexivity.
  Qed.

  Lemma batch_is_simulated_life_1 : simulated_dealt_batch prg h life_rest 2 (fun _ => purpose) life_held_1 life_test_1 == simulated_life_1.
  Proof.
    unfold simulated_life_1, simulated_dealt_batch, ideal_chain, life_coin_space_1. rewrite !Pr_mean, (mean_prod life_rest), !(mean_prod rest).
    apply mean_ext. intros r _. set (o := own r).
    rewrite (mean_prod (list_prod dealt_coins dealt_coins)), (mean_prod dealt_coins).
    pose (view := fun coins_a coins_b (seen : u64 * list W) => indicator (test r
      (simulated_dealt_seen (life_1_a o) coins_a, simulated_dealt_seen (life_1_b o) coins_b, seen))).
    pose (told := fun draw (coins_a coins_b : lean_dealing_Deal W * dpf_coins) value_a => told_operation prg P1 h op (life_1_op o) (inputs r)
      (dealt_held (life_1_a o) (fst coins_a)) draw
      (snd (simulated_dpf prg P1 h purpose (dealt_held (life_1_a o) (fst coins_a)) (snd coins_a)))
      (snd (simulated_dpf prg P1 h purpose (dealt_held (life_1_b o) (fst coins_b)) (snd coins_b))) value_a).
    transitivity (mean op_space (fun draw => mean dealt_coins (fun coins_a => mean xor_words (fun value_a => mean dealt_coins (fun coins_b =>
      view coins_a coins_b (told draw coins_a coins_b (other_value purpose value_a))))))).
    { apply mean_ext. intros draw _. rewrite mean_draws_S. unfold simulated_dealt_space at 1, dealt_coins at 1, coin_space at 1. fold (item_coins h purpose).
      rewrite !(mean_prod (message_space h purpose)). apply mean_ext. intros message_a _. rewrite mean_prod.
      apply mean_ext. intros coins_a _. apply mean_ext. intros value_a _. rewrite mean_draws_S. unfold simulated_dealt_space, dealt_coins, coin_space.
      fold (item_coins h purpose). rewrite !(mean_prod (message_space h purpose)). apply mean_ext. intros message_b _. rewrite mean_prod.
      apply mean_ext. intros coins_b _.
      transitivity (mean xor_words (fun _ : W => view (message_a, coins_a) (message_b, coins_b)
        (told draw (message_a, coins_a) (message_b, coins_b) (other_value purpose value_a)))).
      - apply mean_ext. intros value_b _. rewrite mean_draws_0. reflexivity.
      - apply mean_const, xor_words_not_empty. }
    rewrite mean_swap. apply mean_ext. intros coins_a _.
    transitivity (mean op_space (fun draw => mean dealt_coins (fun coins_b => mean xor_words (fun value_a =>
      view coins_a coins_b (told draw coins_a coins_b (other_value purpose value_a)))))).
    { apply mean_ext. intros draw _. apply mean_swap. }
    rewrite mean_swap. apply mean_ext. intros coins_b _.
    exact (told_operation_uniform prg P1 h h_small op (life_1_op o) (inputs r) (dealt_held (life_1_a o) (fst coins_a))
      (snd (simulated_dpf prg P1 h purpose (dealt_held (life_1_a o) (fst coins_a)) (snd coins_a)))
      (snd (simulated_dpf prg P1 h purpose (dealt_held (life_1_b o) (fst coins_b)) (snd coins_b)))
      (fun seen => view coins_a coins_b seen)).
  Qed.

  (** * The theorem *)

  Definition life_distinguisher_1 : nat -> nat -> node_distinguisher :=
    dealt_batch_distinguisher prg h life_rest 2 (fun _ => purpose) life_held_1 life_index_1 life_test_1.

  Theorem lean_item_life_of_P1_simulated :
    Qabs (real_life_1 - simulated_life_1)
    <= sum_below 2 (fun j => sum_below (S d) (fun k => node_Adv prg (tweaks h purpose k) (life_distinguisher_1 j k))).
  Proof.
    rewrite real_life_is_batch_1, <- batch_is_simulated_life_1. apply lean_batch_of_P1_simulated.
    - exact h_small.
    - intros [|j] z; apply own_sized.
    - intros [|j] z; apply own_sized.
    - intros [|j] z; apply own_sized.
    - intros j z. apply others_index_below, h_small.
  Qed.
End Life.
