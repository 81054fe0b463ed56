(* Privacy of preparing lean items: any number of DPFs at a primary, and one item with the share of delta that it is told.

   An item is DPFs a and b at one ri. P0 is told q_1; P1 is told nothing of delta, and the theorem holds for it with q_0 besides. What P2
   deals to P1 is in DealtToP1.v, what P2 is told in KeysToP2.v. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection Counting Chains.
From Duoram.core Require Import Parties PrgAdvantage GenerationSimulated.
From Duoram.lean Require Import PreparedItems LayeredPath PreparingView CorrectionsUniform PreparingPrivacy.
From Duoram.Generated Require Import All.
#[local] Open Scope Q_scope.

(** * Any number of DPFs *)

Section Batch.
  Context {P : Type} {P_Prg : prg_Prg P} {P_Layers : lean_layers_Layers P} (prg : P) (party : share_Primary).
  Context (h : u64) (h_small : (val h < 64)%Z).
  Context {R : Type} (rest : list R) (count : nat).
  (* Of DPF j: what it is for, what the primary has, and the other's share of ri. *)
  Context (purpose : nat -> lean_layers_Purpose) (held : nat -> R -> dpf_held (W := W)) (other_index : nat -> R -> u64).
  Hypothesis own_sized : forall j r, held_sized h (purpose j) (held j r).
  Hypothesis other_index_below : forall j r, (val (other_index j r) < 2 ^ val h)%Z.
  Context (test : R -> list dpf_outcome -> bool).

  Definition real_batch : Q :=
    real_chain rest count (fun j => dpf_draws h (purpose j))
      (fun r j _ draw => real_outcome prg party h (purpose j) (held j) (other_index j) r draw) test.
  Definition simulated_batch : Q :=
    ideal_chain rest count (fun j => coin_space h (purpose j))
      (fun r j _ draw => simulated_outcome prg party h (purpose j) (held j) r draw) test.

  (* All that there is besides DPF j, and the test as one of DPF j. *)
  Definition rest_of (j : nat) : list (R * (list (dpf_coins * W) * list (dpf_draw W))) :=
    others_of rest count (fun j => dpf_draws h (purpose j)) (fun j => coin_space h (purpose j)) j.
  Definition test_of (j : nat) (z : R * (list (dpf_coins * W) * list (dpf_draw W))) (outcome : dpf_outcome) : bool :=
    test_with (fun r j _ draw => real_outcome prg party h (purpose j) (held j) (other_index j) r draw)
      (fun r j _ draw => simulated_outcome prg party h (purpose j) (held j) r draw) test j z outcome.
  Definition batch_distinguisher (j : nat) : nat -> node_distinguisher :=
    dpf_distinguisher prg party h (purpose j) (rest_of j) (fun z => held j (fst z)) (fun z => other_index j (fst z)) (test_of j).

  Theorem lean_batch_simulated :
    Qabs (real_batch - simulated_batch)
    <= sum_below count (fun j => sum_below (S (tree_level h (purpose j))) (fun i =>
         node_Adv prg (tweaks h (purpose j) i) (batch_distinguisher j i))).
  Proof.
    apply chain_replaced. intros j hj.
    exact (lean_dpf_simulated prg party h h_small (purpose j) (rest_of j) (fun z => held j (fst z)) (fun z => other_index j (fst z))
      (fun z => own_sized j (fst z)) (fun z => other_index_below j (fst z)) (test_of j)).
  Qed.
End Batch.

(** * One item *)

Section Item.
  Context {P : Type} {P_Prg : prg_Prg P} {P_Layers : lean_layers_Layers P} (prg : P) (party : share_Primary).
  Context (h : u64) (h_small : (val h < 64)%Z) (purpose : lean_layers_Purpose).
  Notation other := (other_primary party).
  Notation d := (tree_level h purpose).
  Context {R : Type} (rest : list R).
  (* What the primary has for DPF a and DPF b, both with its share of ri; the other's share of ri; the words of the stream of P0 and P1. *)
  Context (held_a held_b : R -> dpf_held (W := W)) (other_index : R -> u64) (stream_01 : R -> list u64).
  Hypothesis sized_a : forall r, held_sized h purpose (held_a r).
  Hypothesis sized_b : forall r, held_sized h purpose (held_b r).
  Hypothesis other_index_below : forall r, (val (other_index r) < 2 ^ val h)%Z.
  (* A test of all else, of what is received of both DPFs with the keys, and of the other's share of delta. *)
  Notation seen := (dpf_received (W := W) * lean_layers_LayeredKey W)%type.
  Context (test : R -> seen -> seen -> W -> bool).

  Definition plan_a (r : R) (draw : dpf_draw W) : dpf_plan (W := W) := held_plan prg party h purpose (held_a r) (other_index r) draw.
  Definition plan_b (r : R) (draw : dpf_draw W) : dpf_plan (W := W) := held_plan prg party h purpose (held_b r) (other_index r) draw.
  Definition seen_of (plan : dpf_plan (W := W)) : seen := (received_of prg party h purpose plan, key_of prg party h purpose plan).

  (* The other makes its share of delta of the DPFs that it has at the end. *)
  Definition others_delta (r : R) (draw_a draw_b : dpf_draw W) : W :=
    lean_preprocessing_item_delta_share other (growing_after prg h (plan_a r draw_a) other (S d))
      (growing_after prg h (plan_b r draw_b) other (S d)) (stream_01 r).

  Definition real_item : Q :=
    Pr (list_prod rest (list_prod (dpf_draws h purpose) (dpf_draws h purpose))) (fun '(r, (draw_a, draw_b)) =>
      test r (seen_of (plan_a r draw_a)) (seen_of (plan_b r draw_b)) (others_delta r draw_a draw_b)).

  (* The simulator: fresh coins for both DPFs, and a word; none of it depends on ri. *)
  Definition item_coins : list dpf_coins :=
    map (fun '((word, operands), (cs, flags, values)) => (other_mask h word, operands, cs, flags, values))
      (list_prod (list_prod (words 64) (tuples d mask_space)) (correction_space h purpose)).
  Definition simulated_item : Q :=
    Pr (list_prod rest (list_prod (list_prod item_coins item_coins) xor_words)) (fun '(r, ((coins_a, coins_b), q)) =>
      test r (simulated_dpf prg party h purpose (held_a r) coins_a) (simulated_dpf prg party h purpose (held_b r) coins_b)
        (other_value purpose q)).

  (* From the other's R' of both DPFs. *)
  Definition delta_of (r : R) (value_a value_b : W) : W :=
    match purpose with
    | lean_layers_Purpose_Read => ring_Ring_zero W
    | lean_layers_Purpose_Update =>
        let share (held : dpf_held (W := W)) value :=
          match other with share_Primary_P0 => ring_Ring_plus value (held_common held) | share_Primary_P1 => value end in
        lean_preprocessing_delta_share other (share (held_a r) value_a) (share (held_b r) value_b)
          (lean_tape_delta_mask W (stream_01 r))
    end.
  Lemma others_delta_is (r : R) (draw_a draw_b : dpf_draw W) :
    others_delta r draw_a draw_b = delta_of r (other_value purpose (snd draw_a)) (other_value purpose (snd draw_b)).
  Proof.
    destruct draw_a as [[[root_a masks_a] word_a] value_a], draw_b as [[[root_b masks_b] word_b] value_b].
    unfold others_delta, plan_a, plan_b, lean_preprocessing_item_delta_share, delta_of, growing_after, growing_at, lean_generation_value_share.
    cbn [held_plan plan_purpose plan_dealt plan_common lean_generation_Growing_purpose lean_generation_Growing_dealt lean_generation_Growing_common].
    rewrite !at_other. cbn [others_dealt lean_dealing_Dealt_value_share snd]. reflexivity.
  Qed.

  (* Shifted by what does not depend on the other's R' of DPF a. *)
  Lemma delta_is_uniform (r : R) (value_b : W) (f : W -> Q) :
    mean xor_words (fun value_a => f (delta_of r (other_value purpose value_a) (other_value purpose value_b)))
    == mean xor_words (fun q => f (other_value purpose q)).
  Proof.
    unfold delta_of, other_value. destruct purpose; [reflexivity|].
    set (x := lean_tape_delta_mask W (stream_01 r)).
    destruct party; cbn [other_primary]; unfold lean_preprocessing_delta_share; cbv zeta.
    - transitivity (mean xor_words (fun value_a => f (ring_Ring_plus value_a (ring_Ring_plus value_b x)))); [|apply mean_xor_words_shifted].
      apply mean_ext. intros value_a _. apply eq_subrelation; [exact _|]. f_equal. apply xor_word_ext. cbn. xor_and.
    - transitivity (mean xor_words (fun value_a => f (ring_Ring_plus value_a (ring_Ring_plus (held_common (held_a r))
        (ring_Ring_plus (ring_Ring_plus value_b (held_common (held_b r))) x))))); [|apply mean_xor_words_shifted].
      apply mean_ext. intros value_a _. apply eq_subrelation; [exact _|]. f_equal. apply xor_word_ext. cbn. xor_and.
  Qed.

  (* The test of two DPFs that the item comes to. *)
  Definition held_of (j : nat) : R -> dpf_held (W := W) := match j with O => held_a | S _ => held_b end.
  Definition item_test (r : R) (outcomes : list dpf_outcome) : bool :=
    match outcomes with
    | [(seen_a, value_a); (seen_b, value_b)] => test r seen_a seen_b (delta_of r value_a value_b)
    | _ => false
    end.
  Definition item_distinguisher : nat -> nat -> node_distinguisher :=
    batch_distinguisher prg party h rest 2 (fun _ => purpose) held_of (fun _ => other_index) item_test.

  (* The theorem: the price of both DPFs. *)
  Theorem lean_item_prepared_simulated :
    Qabs (real_item - simulated_item)
    <= sum_below 2 (fun j => sum_below (S d) (fun i => node_Adv prg (tweaks h purpose i) (item_distinguisher j i))).
  Proof.
    assert (real : real_item == real_batch prg party h rest 2 (fun _ => purpose) held_of (fun _ => other_index) item_test).
    { unfold real_item, real_batch, real_chain. rewrite !Pr_mean, !(mean_prod rest). apply mean_ext. intros r _.
      rewrite mean_prod, mean_draws_S. apply mean_ext. intros draw_a _. rewrite mean_draws_S. apply mean_ext. intros draw_b _.
      rewrite mean_draws_0. cbn [all_seen app]. rewrite others_delta_is. reflexivity. }
    assert (ideal : simulated_batch prg party h rest 2 (fun _ => purpose) held_of item_test == simulated_item).
    { unfold simulated_item, simulated_batch, ideal_chain. rewrite !Pr_mean, !(mean_prod rest). apply mean_ext. intros r _.
      rewrite mean_draws_S. unfold coin_space at 1. fold item_coins. rewrite !mean_prod. apply mean_ext. intros coins_a _.
      transitivity (mean xor_words (fun value_a => mean item_coins (fun coins_b => mean xor_words (fun value_b =>
        indicator (test r (simulated_dpf prg party h purpose (held_a r) coins_a) (simulated_dpf prg party h purpose (held_b r) coins_b)
          (delta_of r (other_value purpose value_a) (other_value purpose value_b))))))).
      { apply mean_ext. intros value_a _. rewrite mean_draws_S. unfold coin_space. fold item_coins. rewrite mean_prod.
        apply mean_ext. intros coins_b _. apply mean_ext. intros value_b _. rewrite mean_draws_0. reflexivity. }
      rewrite mean_swap. apply mean_ext. intros coins_b _. rewrite mean_swap.
      transitivity (mean xor_words (fun _ : W => mean xor_words (fun q => indicator (test r (simulated_dpf prg party h purpose (held_a r) coins_a)
        (simulated_dpf prg party h purpose (held_b r) coins_b) (other_value purpose q))))).
      { apply mean_ext. intros value_b _.
        apply (delta_is_uniform r value_b (fun q => indicator (test r (simulated_dpf prg party h purpose (held_a r) coins_a)
          (simulated_dpf prg party h purpose (held_b r) coins_b) q))). }
      apply mean_const, xor_words_not_empty. }
    rewrite real, <- ideal. apply lean_batch_simulated; auto. intros [|j] r; cbn [held_of]; auto.
  Qed.
End Item.
