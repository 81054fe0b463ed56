(* Privacy of one lean item's whole life towards P2: the keys and the shares of delta that it is sent while the item is made, and both primaries'
   messages of the READ, UPDATE, WRITE or SWAP that uses it, in one view. It is within one [node_Adv] a level of both DPFs, and one for either's
   end, of what a simulator makes of what P2 has dealt and of fresh draws. Told to it are neither ri or its shares, i* or its shares, M or its
   shares, D, nor what P0 and P1 have in common.

   The keys are KeysToP2.v; the operation's messages follow from them, ri, and the words of the stream of P0 and P1 (OperationView.v). *)
From Coq Require Import Lia.
From Duoram Require Import Bijection Counting Chains.
From Duoram.core Require Import Parties PrgAdvantage GenerationSimulated.
From Duoram.lean Require Import PreparedItems LayeredPath PreparingView CorrectionsUniform PreparingPrivacy KeysToP2 OperationView.
From Duoram.Generated Require Import All.
#[local] Open Scope Q_scope.

(** * The words that mask *)

(* f^a_0 hangs on G of DPF a; x in an UPDATE, y_01 in a WRITE and a SWAP. *)
Definition hidden_from_2 (op : lean_op) (g x y : W) : list W :=
  match op with
  | op_read => []
  | op_update => [ring_Ring_plus g x; x]
  | op_write | op_swap => [ring_Ring_plus g y; y]
  end.
Definition count_to_2 (op : lean_op) : nat := match op with op_read => 0%nat | _ => 2%nat end.

Lemma operation_masked_from_2 (op : lean_op) (n : u64) (state : lean_memory_State W) (flags : lean_read_Flags W) (ri_0 ri_1 i_0 i_1 : u64) (m_0 m_1 : W)
  (f_0 f_1 g x y y_02 y_12 rho : W) :
  let zero := ring_Ring_zero W in
  let run f x y := received_by_2 (op_run op n state (flags_and_shares flags (f, f_1)) (ri_0, ri_1) (i_0, i_1) (m_0, m_1) x
    (mk_lean_write_Masks y y_02 y_12) rho) in
  let bare := snd (run f_0 zero zero) in
  run (ring_Ring_plus f_0 g) x y
  = (lean_read_shift_share i_0 ri_0 n, lean_read_shift_share i_1 ri_1 n, added bare (hidden_from_2 op g x y)) /\
  length bare = count_to_2 op.
Proof.
  cbv zeta. unfold op_run, received_by_2, hidden_from_2, flags_and_shares, count_to_2.
  split; [|destruct op; reflexivity].
  destruct op; unfold lean_read_read, lean_update_update, lean_write_swap;
    cbn [lean_update_Material_flags lean_update_Material_value_shares lean_read_Read_shift_0 lean_read_Read_shift_1
      lean_update_Update_message_0 lean_update_Update_message_1 lean_write_Swap_shift_0 lean_write_Swap_shift_1 lean_write_Swap_part_0
      lean_write_Swap_part_1 sent_shift_0 sent_shift_1 sent_by_0 sent_by_1 fst snd app lean_write_Masks_y_01 lean_write_Masks_y_02
      lean_write_Masks_y_12 combine map uncurry];
    f_equal; repeat (apply f_equal2; [|try reflexivity]); try reflexivity;
    unfold lean_update_masked_value_0, lean_update_masked_value_1, lean_write_masked_part_0, lean_write_masked_part_1;
    repeat match goal with |- context [lean_read_partial_0 ?a ?b ?c] => generalize (lean_read_partial_0 a b c); intros ? end;
    repeat match goal with |- context [lean_read_partial_1 ?a ?b] => generalize (lean_read_partial_1 a b); intros ? end;
    apply xor_word_ext; cbn; xor_and.
Qed.

Lemma hidden_from_2_uniform (op : lean_op) (f : list W -> Q) :
  mean xor_words (fun g => mean xor_words (fun x => mean xor_words (fun y => f (hidden_from_2 op g x y)))) == mean (tuples (count_to_2 op) xor_words) f.
Proof.
  pose proof xor_words_not_empty as some. unfold hidden_from_2, count_to_2.
  assert (two : mean xor_words (fun g => mean xor_words (fun x => f [ring_Ring_plus g x; x])) == mean (tuples 2 xor_words) f).
  { rewrite mean_tuples_S. transitivity (mean xor_words (fun a => mean xor_words (fun b => f [a; b]))).
    - rewrite mean_swap, (mean_swap xor_words xor_words (fun a b => f [a; b])). apply mean_ext. intros x _.
      apply (mean_xor_words_shifted x (fun a => f [a; x])).
    - apply mean_ext. intros a _. rewrite mean_tuples_S. apply mean_ext. intros b _. rewrite mean_tuples_0. reflexivity. }
  destruct op.
  - rewrite !mean_const, mean_tuples_0 by exact some. reflexivity.
  - rewrite <- two. apply mean_ext. intros g _. apply mean_ext. intros x _. apply mean_const, some.
  - rewrite <- two. apply mean_ext. intros g _. apply mean_const, some.
  - rewrite <- two. apply mean_ext. intros g _. apply mean_const, some.
Qed.

Section Life.
  Context {P : Type} {P_Prg : prg_Prg P} {P_Layers : lean_layers_Layers P} (prg : P).
  Context (h : u64) (h_small : (val h < 64)%Z) (op : lean_op).
  Notation P0 := share_Primary_P0.
  Notation P1 := share_Primary_P1.
  Notation purpose := (purpose_of op).
  Notation d := (tree_level h purpose).
  Notation n := (lean_party_size h).

  (* What P2 has for an item and its operation: what it dealt to P0 and P1 for either DPF, y_02, y_12, rho. The roots are of the keys that it is
     sent; in [life_2_a] and [life_2_b] what is not P2's, the share of ri and G, is drawn anew below. *)
  Record life_own_2 : Type := {
    life_2_a : dpf_held (W := W); life_2_b : dpf_held (W := W);
    life_2_others_a : list (bool * u128) * u64 * W; life_2_others_b : list (bool * u128) * u64 * W;
    life_2_y_02 : W; life_2_y_12 : W; life_2_rho : W;
  }.
  Record life_sized_2 (o : life_own_2) : Prop := {
    life_2_a_sized : held_sized h purpose (life_2_a o);
    life_2_b_sized : held_sized h purpose (life_2_b o);
    life_2_masks_a : length (fst (fst (life_2_others_a o))) = d;
    life_2_masks_b : length (fst (fst (life_2_others_b o))) = d;
  }.
  Record op_secrets : Type := { secret_state : lean_memory_State W; secret_address : u64 * u64; secret_written : W * W }.

  Context {R : Type} (rest : list R) (own : R -> life_own_2) (inputs : R -> op_secrets).
  Hypothesis own_sized : forall r, life_sized_2 (own r).

  (* What P2 sees: P0's key of DPF a and P1's of DPF b; both shares of delta; both shift shares and the primaries' words. *)
  Definition life_seen_2 : Type := lean_layers_LayeredKey W * lean_layers_LayeredKey W * (W * W) * (u64 * u64 * list W).
  Context (test : R -> life_seen_2 -> bool).

  (* What is drawn that it does not know: the words of both shares of ri, the words of the stream of P0 and P1, the other root of either DPF. *)
  Notation stream_draw := (u64 * u64 * u64 * u64 * u64)%type.
  Notation life_draw := ((u64 * u64) * stream_draw)%type.
  Definition stream_01_of (draw : stream_draw) : list u64 := let '(g_a, g_b, x, online, y) := draw in [g_a; g_b; x; online; y].
  Definition stream_01_space : list stream_draw :=
    list_prod (list_prod (list_prod (list_prod (words 64) (words 64)) (words 64)) (words 64)) (words 64).
  Definition life_space_2 : list life_draw := list_prod (list_prod (words 64) (words 64)) stream_01_space.

  Definition held_at_index (held : dpf_held (W := W)) (index : u64) (g : W) : dpf_held (W := W) :=
    {| held_index := index; held_root := held_root held; held_triples := held_triples held; held_mask := held_mask held;
       held_one_hot := held_one_hot held; held_value_one_hot := held_value_one_hot held; held_value_share := held_value_share held;
       held_common := g |}.
  Definition held_a_with (o : life_own_2) (draw : life_draw) : dpf_held (W := W) :=
    held_at_index (life_2_a o) (others_index h (fst (fst draw))) (lean_preprocessing_common W (stream_01_of (snd draw)) purpose (repr 64 0)).
  Definition held_b_with (o : life_own_2) (draw : life_draw) : dpf_held (W := W) :=
    held_at_index (life_2_b o) (others_index h (snd (fst draw))) (lean_preprocessing_common W (stream_01_of (snd draw)) purpose (repr 64 1)).
  Definition plan_a_with (o : life_own_2) (draw : life_draw) (root : u128) : dpf_plan (W := W) :=
    let '(masks, word, value) := life_2_others_a o in
    held_plan prg P0 h purpose (held_a_with o draw) (others_index h (snd (fst draw))) (root, masks, word, value).
  Definition plan_b_with (o : life_own_2) (draw : life_draw) (root : u128) : dpf_plan (W := W) :=
    let '(masks, word, value) := life_2_others_b o in
    held_plan prg P1 h purpose (held_b_with o draw) (others_index h (fst (fst draw))) (root, masks, word, value).

  Definition life_view_2 (o : life_own_2) (i : op_secrets) (draw : life_draw) (root_a root_b : u128) : life_seen_2 :=
    let stream := stream_01_of (snd draw) in
    let plan_a := plan_a_with o draw root_a in
    let plan_b := plan_b_with o draw root_b in
    let delta who := lean_preprocessing_item_delta_share who (growing_after prg h plan_a who (S d)) (growing_after prg h plan_b who (S d)) stream in
    (key_of prg P0 h purpose plan_a, key_of prg P1 h purpose plan_b, (delta P0, delta P1),
     received_by_2 (op_run op n (secret_state i) (item_material prg h plan_a plan_b (S d) stream)
       (others_index h (fst (fst draw)), others_index h (snd (fst draw))) (secret_address i) (secret_written i) (lean_tape_online_01 W stream)
       (mk_lean_write_Masks (lean_tape_write_mask_01 W stream) (life_2_y_02 o) (life_2_y_12 o)) (life_2_rho o))).
  Definition real_life_2 : Q :=
    Pr (list_prod (list_prod (list_prod rest life_space_2) labels) labels) (fun '(((r, draw), root_a), root_b) =>
      test r (life_view_2 (own r) (inputs r) draw root_a root_b)).

  (* The simulator: uniform corrections in both keys, two words for delta, two shift shares below n, a word for each word of the operation. *)
  Notation key_coins := (list dpf_Correction * u128 * list W)%type.
  Notation life_coins := ((key_coins * key_coins) * ((W * W) * ((u64 * u64) * list W)))%type.
  Definition life_coin_space_2 : list life_coins :=
    list_prod (list_prod (correction_space h purpose) (correction_space h purpose))
      (list_prod (list_prod xor_words xor_words) (list_prod (list_prod (words 64) (words 64)) (tuples (count_to_2 op) xor_words))).
  Definition simulated_view_2 (o : life_own_2) (coins : life_coins) : life_seen_2 :=
    let '((coins_a, coins_b), ((q_0, q_1), ((word_0, word_1), ws))) := coins in
    (uniform_key P0 purpose life_2_a o coins_a, uniform_key P1 purpose life_2_b o coins_b,
     (other_value purpose q_0, other_value purpose q_1), (vector_mod_size word_0 n, vector_mod_size word_1 n, ws)).
  Definition simulated_life_2 : Q := Pr (list_prod rest life_coin_space_2) (fun '(r, coins) => test r (simulated_view_2 (own r) coins)).

  (** * The real view, of the keys, ri and the stream *)

  Definition told_deltas (o : life_own_2) (draw : stream_draw) : W * W :=
    let '(g_a, g_b, x, _, _) := draw in
    match purpose with
    | lean_layers_Purpose_Read => (ring_Ring_zero W, ring_Ring_zero W)
    | lean_layers_Purpose_Update =>
        (lean_preprocessing_delta_share P0 (ring_Ring_plus (held_value_share (life_2_a o)) (mk_ring_XorWord g_a))
           (ring_Ring_plus (snd (life_2_others_b o)) (mk_ring_XorWord g_b)) (mk_ring_XorWord x),
         lean_preprocessing_delta_share P1 (snd (life_2_others_a o)) (held_value_share (life_2_b o)) (mk_ring_XorWord x))
    end.
  Definition told_to_2 (o : life_own_2) (i : op_secrets) (draw : life_draw) (key_a key_b : lean_layers_LayeredKey W) : u64 * u64 * list W :=
    let '((word_0, word_1), (g_a, g_b, x, online, y)) := draw in
    received_by_2 (op_run op n (secret_state i)
      (flags_and_shares (flags_of_helper prg h key_a key_b (ixor (others_index h word_0) (others_index h word_1)))
        (ring_Ring_plus (held_value_share (life_2_a o)) (lean_preprocessing_common W [g_a; g_b; x; online; y] purpose (repr 64 0)),
         other_value purpose (snd (life_2_others_a o))))
      (others_index h word_0, others_index h word_1) (secret_address i) (secret_written i) (mk_ring_XorWord online)
      (mk_lean_write_Masks (mk_ring_XorWord y) (life_2_y_02 o) (life_2_y_12 o)) (life_2_rho o)).

  Lemma at_index_sized (held : dpf_held (W := W)) (word : u64) (g : W) : held_sized h purpose held -> held_sized h purpose (held_at_index held (others_index h word) g).
  Proof. intros [i t m v]. constructor; try assumption. apply others_index_below, h_small. Qed.

  Lemma life_view_2_is (o : life_own_2) (i : op_secrets) (draw : life_draw) (root_a root_b : u128) : life_sized_2 o ->
    let key_a := key_of prg P0 h purpose (plan_a_with o draw root_a) in
    let key_b := key_of prg P1 h purpose (plan_b_with o draw root_b) in
    life_view_2 o i draw root_a root_b = (key_a, key_b, told_deltas o (snd draw), told_to_2 o i draw key_a key_b).
  Proof.
    intros [sa sb la lb]. cbv zeta. unfold life_view_2. destruct draw as [[word_0 word_1] [[[[g_a g_b] x] online] y]]. cbn [fst snd].
    unfold plan_a_with, plan_b_with, told_to_2, told_deltas. cbn [fst snd].
    destruct (life_2_others_a o) as [[masks_a word_a] value_a] eqn:ea, (life_2_others_b o) as [[masks_b word_b] value_b] eqn:eb. cbn [fst snd] in *.
    set (draw := ((word_0, word_1), (g_a, g_b, x, online, y))).
    assert (sa' : held_sized h purpose (held_a_with o draw)) by (apply at_index_sized, sa).
    assert (sb' : held_sized h purpose (held_b_with o draw)) by (apply at_index_sized, sb).
    apply f_equal2; [apply f_equal|].
    - unfold lean_preprocessing_item_delta_share, growing_after, growing_at, lean_generation_value_share.
      cbn [held_plan plan_purpose plan_dealt plan_common lean_generation_Growing_purpose lean_generation_Growing_dealt
        lean_generation_Growing_common at_party own_dealt others_dealt lean_dealing_Dealt_value_share].
      unfold held_a_with, held_b_with, held_at_index, other_value, lean_preprocessing_common. cbn [held_common held_value_share fst snd stream_01_of].
      destruct op; reflexivity.
    - apply (f_equal received_by_2). rewrite op_run_of_parts. unfold item_material. cbn [lean_update_Material_flags lean_update_Material_value_shares].
      rewrite (item_flags_of_helper prg h h_small).
      + rewrite plan_ri_is. reflexivity.
      + apply held_plan_fits; [exact sa' | apply others_index_below, h_small | exact la].
      + apply held_plan_fits; [exact sb' | apply others_index_below, h_small | exact lb].
      + reflexivity.
      + rewrite !plan_ri_is. unfold ri_of. apply ixor_comm.
      + apply Nat.lt_succ_diag_r.
  Qed.

  (** * All of it is uniform, once the keys are *)

  Definition deltas_of (o : life_own_2) (g_a g_b x : W) : W * W :=
    match purpose with
    | lean_layers_Purpose_Read => (ring_Ring_zero W, ring_Ring_zero W)
    | lean_layers_Purpose_Update =>
        (lean_preprocessing_delta_share P0 (ring_Ring_plus (held_value_share (life_2_a o)) g_a) (ring_Ring_plus (snd (life_2_others_b o)) g_b) x,
         lean_preprocessing_delta_share P1 (snd (life_2_others_a o)) (held_value_share (life_2_b o)) x)
    end.
  Lemma deltas_uniform (o : life_own_2) (g_a : W) (f : W * W -> Q) :
    mean xor_words (fun g_b => mean xor_words (fun x => f (deltas_of o g_a g_b x)))
    == mean xor_words (fun q_0 => mean xor_words (fun q_1 => f (other_value purpose q_0, other_value purpose q_1))).
  Proof.
    unfold deltas_of, other_value. destruct purpose; [reflexivity|].
    set (u := held_value_share (life_2_a o)). set (v := snd (life_2_others_b o)). set (w := snd (life_2_others_a o)). set (y := held_value_share (life_2_b o)).
    pose (k := fun x : W => ring_Ring_plus (ring_Ring_plus (ring_Ring_plus u g_a) v) x).
    transitivity (mean xor_words (fun g_b => mean xor_words (fun x => f (ring_Ring_plus g_b (k x), ring_Ring_plus x (ring_Ring_plus w y))))).
    { apply mean_ext. intros g_b _. apply mean_ext. intros x _. apply eq_subrelation; [exact _|]. f_equal.
      unfold lean_preprocessing_delta_share, k. f_equal; apply xor_word_ext; cbn; xor_and. }
    rewrite mean_swap.
    transitivity (mean xor_words (fun x => mean xor_words (fun q_0 => f (q_0, ring_Ring_plus x (ring_Ring_plus w y))))).
    { apply mean_ext. intros x _. exact (mean_xor_words_shifted (k x) (fun q_0 => f (q_0, ring_Ring_plus x (ring_Ring_plus w y)))). }
    rewrite mean_swap. apply mean_ext. intros q_0 _. exact (mean_xor_words_shifted (ring_Ring_plus w y) (fun q => f (q_0, q))).
  Qed.

  Lemma told_to_2_uniform (o : life_own_2) (i : op_secrets) (key_a key_b : lean_layers_LayeredKey W) (f : W * W -> u64 * u64 * list W -> Q) :
    mean life_space_2 (fun draw => f (told_deltas o (snd draw)) (told_to_2 o i draw key_a key_b))
    == mean (list_prod (list_prod xor_words xor_words) (list_prod (list_prod (words 64) (words 64)) (tuples (count_to_2 op) xor_words)))
         (fun '((q_0, q_1), ((word_0, word_1), ws)) =>
           f (other_value purpose q_0, other_value purpose q_1) (vector_mod_size word_0 n, vector_mod_size word_1 n, ws)).
  Proof.
    destruct i as [state [i_0 i_1] [m_0 m_1]].
    pose (shifts := fun word_0 word_1 : u64 => (lean_read_shift_share i_0 (vector_mod_size word_0 n) n, lean_read_shift_share i_1 (vector_mod_size word_1 n) n)).
    pose (run := fun word_0 word_1 f_0 x y => received_by_2 (op_run op n state
      (flags_and_shares (flags_of_helper prg h key_a key_b (ixor (others_index h word_0) (others_index h word_1))) (f_0, other_value purpose (snd (life_2_others_a o))))
      (others_index h word_0, others_index h word_1) (i_0, i_1) (m_0, m_1) x (mk_lean_write_Masks y (life_2_y_02 o) (life_2_y_12 o)) (life_2_rho o))).
    pose (bare := fun word_0 word_1 => snd (run word_0 word_1 (held_value_share (life_2_a o)) (ring_Ring_zero W) (ring_Ring_zero W))).
    assert (told : forall word_0 word_1 g_a g_b x online y,
      f (told_deltas o (g_a, g_b, x, online, y)) (told_to_2 o {| secret_state := state; secret_address := (i_0, i_1); secret_written := (m_0, m_1) |}
        ((word_0, word_1), (g_a, g_b, x, online, y)) key_a key_b)
      = f (deltas_of o (mk_ring_XorWord g_a) (mk_ring_XorWord g_b) (mk_ring_XorWord x)) (shifts word_0 word_1,
          added (bare word_0 word_1) (hidden_from_2 op (mk_ring_XorWord g_a) (mk_ring_XorWord online) (mk_ring_XorWord y)))).
    { intros. f_equal. unfold told_to_2. cbn [secret_state secret_address secret_written].
      match goal with |- context [ring_Ring_plus (held_value_share (life_2_a o)) ?c] => set (g := c) end.
      destruct (operation_masked_from_2 op n state (flags_of_helper prg h key_a key_b (ixor (others_index h word_0) (others_index h word_1)))
        (others_index h word_0) (others_index h word_1) i_0 i_1 m_0 m_1 (held_value_share (life_2_a o)) (other_value purpose (snd (life_2_others_a o)))
        g (mk_ring_XorWord online) (mk_ring_XorWord y) (life_2_y_02 o) (life_2_y_12 o) (life_2_rho o)) as [e _].
      rewrite e. unfold shifts. rewrite <- !(others_index_is h h_small). f_equal. unfold bare, run. f_equal. f_equal.
      unfold g. destruct op; reflexivity. }
    assert (bare_length : forall word_0 word_1, length (bare word_0 word_1) = count_to_2 op).
    { intros. unfold bare, run. destruct op; reflexivity. }
    unfold life_space_2, stream_01_space. rewrite !mean_prod.
    transitivity (mean (words 64) (fun word_0 => mean (words 64) (fun word_1 => mean xor_words (fun q_0 => mean xor_words (fun q_1 =>
      mean (tuples (count_to_2 op) xor_words) (fun ws => f (other_value purpose q_0, other_value purpose q_1) (shifts word_0 word_1, ws))))))).
    - apply mean_ext. intros word_0 _. apply mean_ext. intros word_1 _. rewrite !mean_prod.
      pose (F := fun g_a q => mean xor_words (fun online => mean xor_words (fun y =>
        f q (shifts word_0 word_1, added (bare word_0 word_1) (hidden_from_2 op g_a online y))))).
      transitivity (mean xor_words (fun g_a => mean xor_words (fun g_b => mean xor_words (fun x => F g_a (deltas_of o g_a g_b x))))).
      { unfold F, xor_words. rewrite mean_map. apply mean_ext. intros g_a _. rewrite mean_map. apply mean_ext. intros g_b _. rewrite mean_map.
        apply mean_ext. intros x _. rewrite mean_map. apply mean_ext. intros online _. rewrite mean_map. apply mean_ext. intros y _.
        cbn [snd]. rewrite told. reflexivity. }
      transitivity (mean xor_words (fun g_a => mean xor_words (fun q_0 => mean xor_words (fun q_1 => F g_a (other_value purpose q_0, other_value purpose q_1))))).
      { apply mean_ext. intros g_a _. exact (deltas_uniform o g_a (F g_a)). }
      rewrite mean_swap. apply mean_ext. intros q_0 _. rewrite mean_swap. apply mean_ext. intros q_1 _. unfold F.
      etransitivity; [exact (hidden_from_2_uniform op (fun ws => f (other_value purpose q_0, other_value purpose q_1)
        (shifts word_0 word_1, added (bare word_0 word_1) ws)))|].
      exact (mean_words_added (bare word_0 word_1) (count_to_2 op)
        (fun ws => f (other_value purpose q_0, other_value purpose q_1) (shifts word_0 word_1, ws)) (bare_length word_0 word_1)).
    - pose (F := fun s_0 s_1 => mean xor_words (fun q_0 => mean xor_words (fun q_1 => mean (tuples (count_to_2 op) xor_words) (fun ws =>
        f (other_value purpose q_0, other_value purpose q_1) (s_0, s_1, ws))))).
      transitivity (mean (words 64) (fun word_0 => mean (words 64) (fun word_1 => F (vector_mod_size word_0 n) (vector_mod_size word_1 n)))).
      { etransitivity; [|exact (shift_uniform i_0 n (fun s_0 => mean (words 64) (fun word_1 => F s_0 (vector_mod_size word_1 n))))].
        apply mean_ext. intros word_0 _.
        exact (shift_uniform i_1 n (fun s_1 => F (lean_read_shift_share i_0 (vector_mod_size word_0 n) n) s_1)). }
      unfold F. rewrite mean_swap.
      transitivity (mean xor_words (fun q_0 => mean xor_words (fun q_1 => mean (words 64) (fun word_0 => mean (words 64) (fun word_1 =>
        mean (tuples (count_to_2 op) xor_words) (fun ws => f (other_value purpose q_0, other_value purpose q_1)
          (vector_mod_size word_0 n, vector_mod_size word_1 n, ws))))))).
      { pose (K := fun word_0 word_1 q_0 q_1 => mean (tuples (count_to_2 op) xor_words) (fun ws => f (other_value purpose q_0, other_value purpose q_1)
          (vector_mod_size word_0 n, vector_mod_size word_1 n, ws))).
        transitivity (mean (words 64) (fun word_1 => mean xor_words (fun q_0 => mean (words 64) (fun word_0 => mean xor_words (fun q_1 => K word_0 word_1 q_0 q_1))))).
        { apply mean_ext. intros word_1 _. apply mean_swap. }
        rewrite mean_swap. apply mean_ext. intros q_0 _.
        transitivity (mean (words 64) (fun word_1 => mean xor_words (fun q_1 => mean (words 64) (fun word_0 => K word_0 word_1 q_0 q_1)))).
        { apply mean_ext. intros word_1 _. apply mean_swap. }
        rewrite mean_swap. apply mean_ext. intros q_1 _. apply mean_swap. }
      apply mean_ext. intros q_0 _. apply mean_ext. intros q_1 _. rewrite !mean_prod. reflexivity.
  Qed.

  (** * The theorem *)

  Notation life_rest := (list_prod rest life_space_2).
  Notation with_draw := (R * life_draw)%type.
  Definition a_with (z : with_draw) : dpf_held (W := W) := held_a_with (own (fst z)) (snd z).
  Definition b_with (z : with_draw) : dpf_held (W := W) := held_b_with (own (fst z)) (snd z).
  Definition index_0_with (z : with_draw) : u64 := others_index h (fst (fst (snd z))).
  Definition index_1_with (z : with_draw) : u64 := others_index h (snd (fst (snd z))).
  Definition life_test_2 (z : with_draw) (key_a key_b : lean_layers_LayeredKey W) : bool :=
    test (fst z) (key_a, key_b, told_deltas (own (fst z)) (snd (snd z)), told_to_2 (own (fst z)) (inputs (fst z)) (snd z) key_a key_b).
  Definition life_distinguisher_a : nat -> node_distinguisher :=
    distinguisher_a prg h purpose life_rest a_with b_with index_0_with index_1_with (fun z => life_2_others_a (own (fst z)))
      (fun z => life_2_others_b (own (fst z))) life_test_2.
  Definition life_distinguisher_b : nat -> node_distinguisher :=
    distinguisher_b prg h purpose life_rest a_with b_with index_0_with (fun z => life_2_others_b (own (fst z))) life_test_2.

  Theorem lean_item_life_of_P2_simulated :
    Qabs (real_life_2 - simulated_life_2)
    <= sum_below (S d) (fun k => node_Adv prg (tweaks h purpose k) (life_distinguisher_a k))
       + sum_below (S d) (fun k => node_Adv prg (tweaks h purpose k) (life_distinguisher_b k)).
  Proof.
    assert (real : real_life_2 == real_keys prg h purpose life_rest a_with b_with index_0_with index_1_with (fun z => life_2_others_a (own (fst z)))
      (fun z => life_2_others_b (own (fst z))) life_test_2).
    { unfold real_life_2, real_keys. rewrite !Pr_mean. apply mean_ext. intros [[[r draw] root_a] root_b] _.
      rewrite life_view_2_is by apply own_sized. unfold life_test_2, key_a_of, key_b_of, real_key_of, plan_a_with, plan_b_with, a_with, b_with,
        index_0_with, index_1_with. cbn [fst snd].
      destruct (life_2_others_a (own r)) as [[masks_a word_a] value_a], (life_2_others_b (own r)) as [[masks_b word_b] value_b]. reflexivity. }
    assert (ideal : simulated_keys h purpose life_rest a_with b_with life_test_2 == simulated_life_2).
    { unfold simulated_keys, simulated_life_2, life_coin_space_2. rewrite !Pr_mean.
      rewrite (mean_prod (list_prod life_rest _)), (mean_prod life_rest), !(mean_prod rest). apply mean_ext. intros r _.
      rewrite (mean_prod (list_prod (correction_space h purpose) (correction_space h purpose))), (mean_prod (correction_space h purpose) (correction_space h purpose)).
      rewrite mean_swap. apply mean_ext. intros draw_a _.
      pose (key_a := uniform_key P0 purpose life_2_a (own r) draw_a).
      transitivity (mean life_space_2 (fun draw => mean (correction_space h purpose) (fun draw_b =>
        indicator (test r (key_a, uniform_key P1 purpose life_2_b (own r) draw_b, told_deltas (own r) (snd draw),
          told_to_2 (own r) (inputs r) draw key_a (uniform_key P1 purpose life_2_b (own r) draw_b)))))).
      { apply mean_ext. intros draw _. apply mean_ext. intros draw_b _. unfold key_a.
        destruct draw_a as [[cs_a flags_a] values_a], draw_b as [[cs_b flags_b] values_b]. reflexivity. }
      rewrite mean_swap. apply mean_ext. intros draw_b _. set (key_b := uniform_key P1 purpose life_2_b (own r) draw_b).
      etransitivity; [exact (told_to_2_uniform (own r) (inputs r) key_a key_b (fun q seen => indicator (test r (key_a, key_b, q, seen))))|].
      apply mean_ext. intros [[q_0 q_1] [[word_0 word_1] ws]] _. reflexivity. }
    rewrite real, <- ideal.
    exact (lean_keys_to_P2_simulated prg h h_small purpose life_rest a_with b_with index_0_with index_1_with
      (fun z => life_2_others_a (own (fst z))) (fun z => life_2_others_b (own (fst z)))
      (fun z => at_index_sized _ _ _ (life_2_a_sized _ (own_sized (fst z)))) (fun z => at_index_sized _ _ _ (life_2_b_sized _ (own_sized (fst z))))
      (fun z => others_index_below h h_small _) (fun z => others_index_below h h_small _)
      (fun z => life_2_masks_a _ (own_sized (fst z))) (fun z => life_2_masks_b _ (own_sized (fst z))) life_test_2).
  Qed.
End Life.
