(* Privacy of one lean item's whole life towards P0: making it, with the share of delta that P0 is told, and the READ, UPDATE, WRITE or SWAP
   that uses it, in one view. It is within one [node_Adv] a level of both DPFs, and one for either's end, of what a simulator makes of
   P0's own things and of fresh draws. Told to it are neither ri, D, i*, M, nor anything of P1's or P2's. The state is any, of
   whatever size, also one that UPDATEs have changed.

   While the item is made this is PreparingItems.v (of what P2 deals: DealtToP0.v); the operation's messages follow from P0's keys, ri and R' (OperationView.v), which the
   test sees there. Towards P1: ItemLifeOfP1.v; towards P2: ItemLifeOfP2.v. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection Counting Chains.
From Duoram.core Require Import Parties PrgAdvantage GenerationSimulated.
From Duoram.lean Require Import PreparedItems LayeredPath PreparingView CorrectionsUniform PreparingPrivacy PreparingItems OperationView.
From Duoram.Generated Require Import All.
#[local] Open Scope Q_scope.

Section Life.
  Context {P : Type} {P_Prg : prg_Prg P} {P_Layers : lean_layers_Layers P} (prg : P).
  Context (h : u64) (h_small : (val h < 64)%Z) (op : lean_op).
  Notation P0 := share_Primary_P0.
  Notation P1 := share_Primary_P1.
  Notation purpose := (purpose_of op).
  Notation d := (tree_level h purpose).

  (* What P0 has for an item and its operation: of either DPF, and of its stream with P1. *)
  Record life_own : Type := {
    life_a : dpf_held (W := W); life_b : dpf_held (W := W); life_stream_01 : list u64; life_op : op_own;
  }.
  Record life_sized (o : life_own) : Prop := {
    life_a_sized : held_sized h purpose (life_a o);
    life_b_sized : held_sized h purpose (life_b o);
    one_index : held_index (life_b o) = held_index (life_a o);
  }.

  Context {R : Type} (rest : list R) (own : R -> life_own) (inputs : R -> op_inputs).
  Hypothesis own_sized : forall r, life_sized (own r).

  (* What P0 sees: of both DPFs what it receives, and its keys; P1's share of delta; what it receives of the operation. *)
  Notation dpf_seen := (dpf_received (W := W) * lean_layers_LayeredKey W)%type.
  Definition life_seen : Type := dpf_seen * dpf_seen * W * (u64 * list W).
  Context (test : R -> life_seen -> bool).

  (* What is drawn that it does not know: for the operation the word of P1's share of ri, y_12 and rho; P1's draws for either DPF. *)
  Notation life_draw := ((u64 * W * W) * (dpf_draw W * dpf_draw W))%type.
  Definition life_space : list life_draw := list_prod op_space (list_prod (dpf_draws h purpose) (dpf_draws h purpose)).
  Definition life_view (o : life_own) (i : op_inputs) (draw : life_draw) : life_seen :=
    let '((word, mask, rho), (draw_a, draw_b)) := draw in
    let plan_a := held_plan prg P0 h purpose (life_a o) (others_index h word) draw_a in
    let plan_b := held_plan prg P0 h purpose (life_b o) (others_index h word) draw_b in
    ((received_of prg P0 h purpose plan_a, key_of prg P0 h purpose plan_a),
     (received_of prg P0 h purpose plan_b, key_of prg P0 h purpose plan_b),
     lean_preprocessing_item_delta_share P1 (growing_after prg h plan_a P1 (S d)) (growing_after prg h plan_b P1 (S d)) (life_stream_01 o),
     operation op (lean_party_size h) P0 (life_op o) i (held_index (life_a o)) (others_index h word)
       (item_material prg h plan_a plan_b (S d) (life_stream_01 o)) mask rho).
  Definition real_life : Q := Pr (list_prod rest life_space) (fun '(r, draw) => test r (life_view (own r) (inputs r) draw)).

  (* The simulator: coins for either DPF, a word for delta, a shift share below n, and a word for each word of the operation. *)
  Notation life_coins := ((dpf_coins * dpf_coins) * W * (u64 * list W))%type.
  Definition life_coin_space : list life_coins :=
    list_prod (list_prod (list_prod (item_coins h purpose) (item_coins h purpose)) xor_words) (op_coin_space P0 op).
  Definition simulated_view (o : life_own) (coins : life_coins) : life_seen :=
    let '((coins_a, coins_b), q, coins) := coins in
    (simulated_dpf prg P0 h purpose (life_a o) coins_a, simulated_dpf prg P0 h purpose (life_b o) coins_b, other_value purpose q,
     simulated_operation h coins).
  Definition simulated_life : Q := Pr (list_prod rest life_coin_space) (fun '(r, coins) => test r (simulated_view (own r) coins)).

  (** * The real view, of keys, ri and R' *)

  Definition told_delta (o : life_own) (value_a value_b : W) : W :=
    delta_of P0 purpose (fun _ : unit => life_a o) (fun _ => life_b o) (fun _ => life_stream_01 o) tt value_a value_b.
  Lemma told_delta_uniform (o : life_own) (value_a : W) (f : W -> Q) :
    mean xor_words (fun value_b => f (told_delta o value_a (other_value purpose value_b))) == mean xor_words (fun q => f (other_value purpose q)).
  Proof.
    unfold told_delta, delta_of, other_value. destruct purpose; [reflexivity|]. cbn [other_primary].
    set (x := lean_tape_delta_mask W (life_stream_01 o)).
    transitivity (mean xor_words (fun value_b => f (ring_Ring_plus value_b (ring_Ring_plus value_a x)))); [|apply mean_xor_words_shifted].
    apply mean_ext. intros value_b _. apply eq_subrelation; [exact _|]. f_equal. apply xor_word_ext. cbn. xor_and.
  Qed.

  Notation with_op := (R * (u64 * W * W))%type.
  Notation life_rest := (list_prod rest op_space).
  Definition life_test (z : with_op) (outcomes : list dpf_outcome) : bool :=
    let '(r, draw) := z in
    match outcomes with
    | [(seen_a, value_a); (seen_b, value_b)] =>
        test r (seen_a, seen_b, told_delta (own r) value_a value_b,
          told_operation prg P0 h op (life_op (own r)) (inputs r) (life_a (own r)) draw (snd seen_a) (snd seen_b) value_a)
    | _ => false
    end.
  Definition life_held (j : nat) (z : with_op) : dpf_held (W := W) := match j with O => life_a (own (fst z)) | S _ => life_b (own (fst z)) end.
  Definition life_index (_ : nat) (z : with_op) : u64 := others_index h (fst (fst (snd z))).

  Lemma dpf_draws_masks (draw : dpf_draw W) : In draw (dpf_draws h purpose) -> length (snd (fst (fst draw))) = d.
  Proof.
    destruct draw as [[[root masks] word] value]. unfold dpf_draws. rewrite !in_prod_iff. intros [[[_ i] _] _]. exact (tuples_length _ _ _ i).
  Qed.

  Lemma real_life_is_batch : real_life == real_batch prg P0 h life_rest 2 (fun _ => purpose) life_held life_index life_test.
  Proof.
    unfold real_life, real_batch, real_chain, life_space. rewrite !Pr_mean, !(mean_prod rest), (mean_prod life_rest), (mean_prod rest).
    apply mean_ext. intros r _. rewrite (mean_prod op_space). apply mean_ext. intros [[word mask] rho] _.
    rewrite mean_prod, mean_draws_S. apply mean_ext. intros draw_a ia. rewrite mean_draws_S. apply mean_ext. intros draw_b ib.
    rewrite mean_draws_0. cbn [all_seen app]. unfold life_test, real_outcome, life_view, life_held, life_index. cbv zeta. cbn [fst snd].
    destruct (own_sized r) as [sa sb e].
    pose proof (operation_is_told prg P0 h h_small op (life_op (own r)) (inputs r) (life_a (own r)) (life_b (own r)) (life_stream_01 (own r))
      (word, mask, rho) draw_a draw_b sa sb e (dpf_draws_masks draw_a ia) (dpf_draws_masks draw_b ib)) as told.
    cbv beta iota zeta in told. rewrite told.
    pose proof (others_delta_is prg P0 h purpose (fun _ : unit => life_a (own r)) (fun _ => life_b (own r)) (fun _ => others_index h word)
      (fun _ => life_stream_01 (own r)) tt draw_a draw_b) as delta.
    unfold others_delta, plan_a, plan_b in delta. cbn [other_primary] in delta. rewrite delta. reflexivity.
  Qed.

  (* Once the DPFs are simulated, all that is left of P1's and P2's draws is uniform. *)
  Lemma batch_is_simulated_life : simulated_batch prg P0 h life_rest 2 (fun _ => purpose) life_held life_test == simulated_life.
  Proof.
    unfold simulated_life, simulated_batch, ideal_chain, life_coin_space. rewrite !Pr_mean, (mean_prod life_rest), !(mean_prod rest).
    apply mean_ext. intros r _. set (o := own r).
    rewrite (mean_prod (list_prod (list_prod _ _) xor_words)), (mean_prod (list_prod (item_coins h purpose) _)), (mean_prod (item_coins h purpose)).
    pose (view := fun coins_a coins_b (q : W) (seen : u64 * list W) => indicator (test r
      (simulated_dpf prg P0 h purpose (life_a o) coins_a, simulated_dpf prg P0 h purpose (life_b o) coins_b, q, seen))).
    pose (told := fun draw coins_a coins_b value_a => told_operation prg P0 h op (life_op o) (inputs r) (life_a o) draw
      (snd (simulated_dpf prg P0 h purpose (life_a o) coins_a)) (snd (simulated_dpf prg P0 h purpose (life_b o) coins_b)) value_a).
    transitivity (mean op_space (fun draw => mean (item_coins h purpose) (fun coins_a => mean xor_words (fun value_a =>
      mean (item_coins h purpose) (fun coins_b => mean xor_words (fun value_b =>
        view coins_a coins_b (told_delta o (other_value purpose value_a) (other_value purpose value_b))
          (told draw coins_a coins_b (other_value purpose value_a)))))))).
    { apply mean_ext. intros draw _. rewrite mean_draws_S. unfold coin_space at 1. fold (item_coins h purpose). rewrite mean_prod.
      apply mean_ext. intros coins_a _. apply mean_ext. intros value_a _. rewrite mean_draws_S. unfold coin_space. fold (item_coins h purpose).
      rewrite mean_prod. apply mean_ext. intros coins_b _. apply mean_ext. intros value_b _. rewrite mean_draws_0. reflexivity. }
    rewrite mean_swap. apply mean_ext. intros coins_a _.
    transitivity (mean op_space (fun draw => mean (item_coins h purpose) (fun coins_b => mean xor_words (fun value_a => mean xor_words (fun q =>
      view coins_a coins_b (other_value purpose q) (told draw coins_a coins_b (other_value purpose value_a))))))).
    { apply mean_ext. intros draw _. rewrite mean_swap. apply mean_ext. intros coins_b _. apply mean_ext. intros value_a _.
      exact (told_delta_uniform o (other_value purpose value_a) (fun q => view coins_a coins_b q (told draw coins_a coins_b (other_value purpose value_a)))). }
    transitivity (mean op_space (fun draw => mean (item_coins h purpose) (fun coins_b => mean xor_words (fun q => mean xor_words (fun value_a =>
      view coins_a coins_b (other_value purpose q) (told draw coins_a coins_b (other_value purpose value_a))))))).
    { apply mean_ext. intros draw _. apply mean_ext. intros coins_b _. apply mean_swap. }
    rewrite mean_swap. apply mean_ext. intros coins_b _. rewrite mean_swap. apply mean_ext. intros q _.
    exact (told_operation_uniform prg P0 h h_small op (life_op o) (inputs r) (life_a o) (snd (simulated_dpf prg P0 h purpose (life_a o) coins_a))
      (snd (simulated_dpf prg P0 h purpose (life_b o) coins_b)) (fun seen => view coins_a coins_b (other_value purpose q) seen)).
  Qed.

  (** * The theorem *)

  Definition life_distinguisher : nat -> nat -> node_distinguisher :=
    batch_distinguisher prg P0 h life_rest 2 (fun _ => purpose) life_held life_index life_test.

  Theorem lean_item_life_of_P0_simulated :
    Qabs (real_life - simulated_life)
    <= sum_below 2 (fun j => sum_below (S d) (fun k => node_Adv prg (tweaks h purpose k) (life_distinguisher j k))).
  Proof.
    rewrite real_life_is_batch, <- batch_is_simulated_life. apply lean_batch_simulated.
    - exact h_small.
    - intros [|j] z; apply own_sized.
    - intros j z. apply others_index_below, h_small.
  Qed.
End Life.
