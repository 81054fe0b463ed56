(* Privacy of preparing lean items towards P2: all that it is sent, P0's key of DPF a, P1's key of DPF b, and both shares of delta, is within one
   [node_Adv] a level of either DPF, and one for the end, of uniform corrections and uniform words. P2 knows all that it dealt, and the
   test sees it: both primaries' triples, r_0, r_1, u, U and R'. It sees ri and its shares, too. What hides them is
   the root that the owner of a key has not sent, of the other primary; delta is hidden by G of both DPFs and by x. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection Counting Chains.
From Duoram.core Require Import Parties LabelFacts TreeLevels PrgAdvantage KeyHybrid GenerationSimulated.
From Duoram.lean Require Import PreparedItems LayeredPath PreparingView CorrectionsUniform PreparingPrivacy.
From Duoram.Generated Require Import All.
#[local] Open Scope Q_scope.

(** * One key *)

Section OneKey.
  Context {P : Type} {P_Prg : prg_Prg P} {P_Layers : lean_layers_Layers P} (prg : P) (owner : share_Primary).
  Context (h : u64) (h_small : (val h < 64)%Z) (purpose : lean_layers_Purpose).
  Notation d := (tree_level h purpose).
  (* All else that there is, of it what the owner of the key has, the other's share of ri, and all that the other has but its root. *)
  Context {R : Type} (rest : list R) (held : R -> dpf_held (W := W)) (other_index : R -> u64).
  Context (others : R -> list (bool * u128) * u64 * W).
  Hypothesis own_sized : forall r, held_sized h purpose (held r).
  Hypothesis other_index_below : forall r, (val (other_index r) < 2 ^ val h)%Z.
  Hypothesis others_length : forall r, length (fst (fst (others r))) = d.
  Context (test : R -> lean_layers_LayeredKey W -> bool).

  Definition real_key_of (r : R) (root : u128) : lean_layers_LayeredKey W :=
    let '(masks, word, value) := others r in
    key_of prg owner h purpose (held_plan prg owner h purpose (held r) (other_index r) (root, masks, word, value)).
  Definition real_key : Q := Pr (list_prod rest labels) (fun '(r, root) => test r (real_key_of r root)).

  Definition uniform_key (r : R) (draw : list dpf_Correction * u128 * list W) : lean_layers_LayeredKey W :=
    let '(cs, flags, values) := draw in
    mk_lean_layers_LayeredKey (mk_dpf_Key (own_start owner (held r)) cs) flags
      (match purpose with lean_layers_Purpose_Read => [] | lean_layers_Purpose_Update => values end).
  Definition simulated_key : Q :=
    Pr (list_prod rest (correction_space h purpose)) (fun '(r, draw) => test r (uniform_key r draw)).

  Let start (r : R) : u128 := own_start owner (held r).
  Let path (r : R) : list bool := path_of h purpose (held r) (other_index r).
  Let flags_added (r : R) (cs : list dpf_Correction) : u128 := known_flags prg owner h purpose (held r) (other_index r) cs.
  Let words_added (r : R) (cs : list dpf_Correction) : list W :=
    known_words prg owner h purpose (held r) (other_index r) cs (snd (others r)).
  Definition key_test (r : R) (cs : list dpf_Correction) (flags : u128) (values : list W) : bool :=
    test r (uniform_key r (cs, flags, values)).
  Definition key_distinguisher : nat -> node_distinguisher :=
    corrections_distinguisher prg h purpose rest start path flags_added words_added key_test.

  Theorem lean_key_to_P2_simulated :
    Qabs (real_key - simulated_key) <= sum_below (S d) (fun i => node_Adv prg (tweaks h purpose i) (key_distinguisher i)).
  Proof.
    assert (real : real_key == real_layers prg rest start path (tweaks h purpose)
      (corrections_test h purpose flags_added words_added key_test)).
    { unfold real_key, real_layers. rewrite !Pr_mean. apply mean_ext. intros [r root] _. unfold real_key_of.
      unfold corrections_test, key_test, start, path, flags_added, words_added.
      pose proof (others_length r) as hm. destruct (others r) as [[masks word] value] eqn:e. cbn [fst snd] in *.
      pose proof (dpf_view_is prg owner h h_small purpose (held r) (other_index r) root masks word value (own_sized r) (other_index_below r) hm) as view.
      apply (f_equal snd) in view. cbn [snd] in view. rewrite view. unfold simulated_dpf, uniform_key. cbn [snd].
      assert (b : distributed_gen_planted (other_primary owner) root = beside (own_start owner (held r)) root)
        by (unfold beside, own_start; destruct owner; cbn [other_primary distributed_gen_planted]; rewrite flag_with_flag; reflexivity).
      rewrite b. reflexivity. }
    assert (ideal : uniform_corrections h purpose rest key_test == simulated_key).
    { unfold uniform_corrections, simulated_key. rewrite !Pr_mean. apply mean_ext. intros [r [[cs flags] values]] _. reflexivity. }
    rewrite real, <- ideal. apply corrections_replaced.
    - intros r. apply path_length.
    - intros r cs. unfold words_added. rewrite known_words_length, value_words_is. destruct purpose; lia.
  Qed.
End OneKey.

(** * Both keys of an item *)

Section TwoKeys.
  Context {P : Type} {P_Prg : prg_Prg P} {P_Layers : lean_layers_Layers P} (prg : P).
  Context (h : u64) (h_small : (val h < 64)%Z) (purpose : lean_layers_Purpose).
  Notation d := (tree_level h purpose).
  Notation P0 := share_Primary_P0.
  Notation P1 := share_Primary_P1.
  (* P0's key of DPF a and P1's of DPF b; of both as above. *)
  Context {R : Type} (rest : list R) (held_a held_b : R -> dpf_held (W := W)) (index_0 index_1 : R -> u64).
  Context (others_a others_b : R -> list (bool * u128) * u64 * W).
  Hypothesis sized_a : forall r, held_sized h purpose (held_a r).
  Hypothesis sized_b : forall r, held_sized h purpose (held_b r).
  Hypothesis index_0_below : forall r, (val (index_0 r) < 2 ^ val h)%Z.
  Hypothesis index_1_below : forall r, (val (index_1 r) < 2 ^ val h)%Z.
  Hypothesis length_a : forall r, length (fst (fst (others_a r))) = d.
  Hypothesis length_b : forall r, length (fst (fst (others_b r))) = d.
  Context (test : R -> lean_layers_LayeredKey W -> lean_layers_LayeredKey W -> bool).

  Definition key_a_of (r : R) (root : u128) : lean_layers_LayeredKey W := real_key_of prg P0 h purpose held_a index_1 others_a r root.
  Definition key_b_of (r : R) (root : u128) : lean_layers_LayeredKey W := real_key_of prg P1 h purpose held_b index_0 others_b r root.
  Definition real_keys : Q :=
    Pr (list_prod (list_prod rest labels) labels) (fun '((r, root_a), root_b) => test r (key_a_of r root_a) (key_b_of r root_b)).
  Definition simulated_keys : Q :=
    Pr (list_prod (list_prod rest (correction_space h purpose)) (correction_space h purpose)) (fun '((r, draw_a), draw_b) =>
      test r (uniform_key P0 purpose held_a r draw_a) (uniform_key P1 purpose held_b r draw_b)).

  (* First a is replaced, while b is real; then b. *)
  Definition test_a (y : R * u128) (key : lean_layers_LayeredKey W) : bool := test (fst y) key (key_b_of (fst y) (snd y)).
  Definition test_b (y : R * (list dpf_Correction * u128 * list W)) (key : lean_layers_LayeredKey W) : bool :=
    test (fst y) (uniform_key P0 purpose held_a (fst y) (snd y)) key.
  Definition distinguisher_a : nat -> node_distinguisher :=
    key_distinguisher prg P0 h purpose (list_prod rest labels) (fun y => held_a (fst y)) (fun y => index_1 (fst y)) (fun y => others_a (fst y)) test_a.
  Definition distinguisher_b : nat -> node_distinguisher :=
    key_distinguisher prg P1 h purpose (list_prod rest (correction_space h purpose)) (fun y => held_b (fst y)) (fun y => index_0 (fst y))
      (fun y => others_b (fst y)) test_b.

  Theorem lean_keys_to_P2_simulated :
    Qabs (real_keys - simulated_keys)
    <= sum_below (S d) (fun i => node_Adv prg (tweaks h purpose i) (distinguisher_a i))
       + sum_below (S d) (fun i => node_Adv prg (tweaks h purpose i) (distinguisher_b i)).
  Proof.
    pose proof (lean_key_to_P2_simulated prg P0 h h_small purpose (list_prod rest labels) (fun y => held_a (fst y))
      (fun y => index_1 (fst y)) (fun y => others_a (fst y)) (fun y => sized_a (fst y)) (fun y => index_1_below (fst y))
      (fun y => length_a (fst y)) test_a) as step_a.
    pose proof (lean_key_to_P2_simulated prg P1 h h_small purpose (list_prod rest (correction_space h purpose)) (fun y => held_b (fst y))
      (fun y => index_0 (fst y)) (fun y => others_b (fst y)) (fun y => sized_b (fst y)) (fun y => index_0_below (fst y))
      (fun y => length_b (fst y)) test_b) as step_b.
    fold distinguisher_a in step_a. fold distinguisher_b in step_b.
    match type of step_a with Qabs (?x - ?y) <= _ => set (real_a := x) in *; set (ideal_a := y) in * end.
    match type of step_b with Qabs (?x - ?y) <= _ => set (real_b := x) in *; set (ideal_b := y) in * end.
    assert (e_real : real_keys == real_a).
    { unfold real_keys, real_a, real_key. rewrite !Pr_mean, !mean_prod. apply mean_ext. intros r _.
      rewrite mean_swap. apply mean_ext. intros root_b _. apply mean_ext. intros root_a _. reflexivity. }
    assert (e_middle : ideal_a == real_b).
    { unfold ideal_a, real_b, simulated_key, real_key. rewrite !Pr_mean, !(mean_prod (list_prod rest _)), !(mean_prod rest).
      apply mean_ext. intros r _. rewrite mean_swap. apply mean_ext. intros draw _. apply mean_ext. intros root_b _.
      destruct draw as [[cs flags] values]. reflexivity. }
    assert (e_ideal : ideal_b == simulated_keys).
    { unfold ideal_b, simulated_keys, simulated_key. rewrite !Pr_mean. apply mean_ext. intros [[r draw_a] [[cs flags] values]] _. reflexivity. }
    rewrite e_real, <- e_ideal.
    eapply Qle_trans; [|apply Qplus_le_compat; [exact step_a | exact step_b]].
    eapply Qle_trans; [|apply Qabs_triangle]. apply Qle_lteq. right. apply Qabs_wd. rewrite e_middle. ring.
  Qed.
End TwoKeys.

(** * An item *)

Section Item.
  Context {P : Type} {P_Prg : prg_Prg P} {P_Layers : lean_layers_Layers P} (prg : P).
  Context (h : u64) (h_small : (val h < 64)%Z) (purpose : lean_layers_Purpose).
  Notation d := (tree_level h purpose).
  Notation P0 := share_Primary_P0.
  Notation P1 := share_Primary_P1.
  (* All else; of it what P0 has of DPF a and P1 of DPF b, and what the other has of either, but for its root, both shares of ri. *)
  Context {R : Type} (rest : list R) (held_a held_b : R -> dpf_held (W := W)) (index_0 index_1 : R -> u64).
  Context (others_a others_b : R -> list (bool * u128) * u64 * W).
  Hypothesis sized_a : forall r, held_sized h purpose (held_a r).
  Hypothesis sized_b : forall r, held_sized h purpose (held_b r).
  Hypothesis index_0_below : forall r, (val (index_0 r) < 2 ^ val h)%Z.
  Hypothesis index_1_below : forall r, (val (index_1 r) < 2 ^ val h)%Z.
  Hypothesis length_a : forall r, length (fst (fst (others_a r))) = d.
  Hypothesis length_b : forall r, length (fst (fst (others_b r))) = d.
  (* A test of all else, both keys, and both shares of delta. *)
  Context (test : R -> lean_layers_LayeredKey W -> lean_layers_LayeredKey W -> W * W -> bool).

  (* What P0 and P1 draw from their stream for the item: G of DPF a and of DPF b, and x. *)
  Definition stream_space : list (u64 * u64 * u64) := list_prod (list_prod (words 64) (words 64)) (words 64).
  Notation with_stream := (R * (u64 * u64 * u64))%type.
  Definition stream_of (z : with_stream) : list u64 := let '(g_a, g_b, x) := snd z in [g_a; g_b; x].
  Definition with_common (held : dpf_held (W := W)) (g : W) : dpf_held (W := W) :=
    {| held_index := held_index held; held_root := held_root held; held_triples := held_triples held; held_mask := held_mask held;
       held_one_hot := held_one_hot held; held_value_one_hot := held_value_one_hot held; held_value_share := held_value_share held;
       held_common := g |}.
  Definition a_of (z : with_stream) : dpf_held (W := W) :=
    with_common (held_a (fst z)) (lean_preprocessing_common W (stream_of z) purpose (repr 64 0)).
  Definition b_of (z : with_stream) : dpf_held (W := W) :=
    with_common (held_b (fst z)) (lean_preprocessing_common W (stream_of z) purpose (repr 64 1)).

  (* Both DPFs, and what P2 is sent: the keys, and the shares of delta, which the primaries make of all that they have. *)
  Definition helper_plan_a (z : with_stream) (root : u128) : dpf_plan (W := W) :=
    let '(masks, word, value) := others_a (fst z) in held_plan prg P0 h purpose (a_of z) (index_1 (fst z)) (root, masks, word, value).
  Definition helper_plan_b (z : with_stream) (root : u128) : dpf_plan (W := W) :=
    let '(masks, word, value) := others_b (fst z) in held_plan prg P1 h purpose (b_of z) (index_0 (fst z)) (root, masks, word, value).
  Definition share_of_delta (who : share_Primary) (z : with_stream) (root_a root_b : u128) : W :=
    lean_preprocessing_item_delta_share who (growing_after prg h (helper_plan_a z root_a) who (S d))
      (growing_after prg h (helper_plan_b z root_b) who (S d)) (stream_of z).
  Definition real_helper_item : Q :=
    Pr (list_prod (list_prod (list_prod rest stream_space) labels) labels) (fun '((z, root_a), root_b) =>
      test (fst z) (key_of prg P0 h purpose (helper_plan_a z root_a)) (key_of prg P1 h purpose (helper_plan_b z root_b))
        (share_of_delta P0 z root_a root_b, share_of_delta P1 z root_a root_b)).

  (* The simulator: the keys' owners' roots, which P2 is sent, uniform corrections, and two uniform words. *)
  Definition simulated_helper_item : Q :=
    Pr (list_prod (list_prod (list_prod rest (correction_space h purpose)) (correction_space h purpose)) (list_prod xor_words xor_words))
      (fun '(((r, draw_a), draw_b), (q_0, q_1)) =>
        test r (uniform_key P0 purpose held_a r draw_a) (uniform_key P1 purpose held_b r draw_b)
          (other_value purpose q_0, other_value purpose q_1)).

  (** ** delta *)

  Definition delta_words (z : with_stream) : W * W :=
    let '(g_a, g_b, x) := snd z in
    match purpose with
    | lean_layers_Purpose_Read => (ring_Ring_zero W, ring_Ring_zero W)
    | lean_layers_Purpose_Update =>
        (lean_preprocessing_delta_share P0 (ring_Ring_plus (held_value_share (held_a (fst z))) (mk_ring_XorWord g_a))
           (ring_Ring_plus (snd (others_b (fst z))) (mk_ring_XorWord g_b)) (mk_ring_XorWord x),
         lean_preprocessing_delta_share P1 (snd (others_a (fst z))) (held_value_share (held_b (fst z))) (mk_ring_XorWord x))
    end.
  Lemma shares_of_delta_are (z : with_stream) (root_a root_b : u128) :
    (share_of_delta P0 z root_a root_b, share_of_delta P1 z root_a root_b) = delta_words z.
  Proof.
    unfold share_of_delta, helper_plan_a, helper_plan_b, delta_words. destruct z as [r [[g_a g_b] x]]. cbn [fst snd].
    destruct (others_a r) as [[masks_a word_a] value_a], (others_b r) as [[masks_b word_b] value_b]. cbn [snd].
    unfold lean_preprocessing_item_delta_share, growing_after, growing_at, lean_generation_value_share.
    cbn [held_plan plan_purpose plan_dealt plan_common lean_generation_Growing_purpose lean_generation_Growing_dealt
      lean_generation_Growing_common at_party own_dealt others_dealt lean_dealing_Dealt_value_share].
    unfold a_of, b_of, other_value, lean_preprocessing_common. cbn [held_common held_value_share with_common fst snd stream_of].
    destruct purpose; reflexivity.
  Qed.

  Lemma delta_words_uniform (r : R) (f : W * W -> Q) :
    mean stream_space (fun stream => f (delta_words (r, stream)))
    == mean (list_prod xor_words xor_words) (fun '(q_0, q_1) => f (other_value purpose q_0, other_value purpose q_1)).
  Proof.
    unfold stream_space, delta_words, other_value. cbn [fst snd]. rewrite !mean_prod.
    destruct purpose.
    { rewrite !mean_const by (try apply xor_words_not_empty; apply words_not_empty). reflexivity. }
    set (u := held_value_share (held_a r)). set (v := snd (others_b r)). set (w := snd (others_a r)). set (y := held_value_share (held_b r)).
    pose (q_1 := fun x : W => lean_preprocessing_delta_share P1 w y x).
    pose (k := fun g_b x : W => ring_Ring_plus (ring_Ring_plus u (ring_Ring_plus v g_b)) x).
    transitivity (mean xor_words (fun g_a => mean xor_words (fun g_b => mean xor_words (fun x => f (ring_Ring_plus g_a (k g_b x), q_1 x))))).
    { unfold xor_words. rewrite mean_map. apply mean_ext. intros g_a _. rewrite mean_map. apply mean_ext. intros g_b _. rewrite mean_map.
      apply mean_ext. intros x _. apply eq_subrelation; [exact _|]. f_equal. f_equal.
      unfold lean_preprocessing_delta_share, k. apply xor_word_ext. cbn. xor_and. }
    transitivity (mean xor_words (fun g_b : W => mean xor_words (fun x => mean xor_words (fun q_0 => f (q_0, q_1 x))))).
    { rewrite mean_swap. apply mean_ext. intros g_b _. rewrite mean_swap. apply mean_ext. intros x _.
      apply (mean_xor_words_shifted (k g_b x) (fun q_0 => f (q_0, q_1 x))). }
    rewrite mean_const by exact xor_words_not_empty. rewrite mean_swap. apply mean_ext. intros q_0 _.
    transitivity (mean xor_words (fun x => f (q_0, ring_Ring_plus x (ring_Ring_plus w y)))).
    { apply mean_ext. intros x _. apply eq_subrelation; [exact _|]. f_equal. f_equal. unfold q_1, lean_preprocessing_delta_share.
      apply xor_word_ext. cbn. xor_and. }
    apply (mean_xor_words_shifted (ring_Ring_plus w y) (fun q => f (q_0, q))).
  Qed.

  (** ** Both keys *)

  Lemma common_sized (held : dpf_held (W := W)) (g : W) : held_sized h purpose held -> held_sized h purpose (with_common held g).
  Proof. intros [i t m v]. constructor; assumption. Qed.

  Definition keys_test (z : with_stream) (key_a key_b : lean_layers_LayeredKey W) : bool := test (fst z) key_a key_b (delta_words z).
  Definition item_distinguisher_a : nat -> node_distinguisher :=
    distinguisher_a prg h purpose (list_prod rest stream_space) a_of b_of (fun z => index_0 (fst z)) (fun z => index_1 (fst z))
      (fun z => others_a (fst z)) (fun z => others_b (fst z)) keys_test.
  Definition item_distinguisher_b : nat -> node_distinguisher :=
    distinguisher_b prg h purpose (list_prod rest stream_space) a_of b_of (fun z => index_0 (fst z)) (fun z => others_b (fst z)) keys_test.

  (* The theorem: the price of both DPFs. *)
  Theorem lean_item_to_P2_simulated :
    Qabs (real_helper_item - simulated_helper_item)
    <= sum_below (S d) (fun i => node_Adv prg (tweaks h purpose i) (item_distinguisher_a i))
       + sum_below (S d) (fun i => node_Adv prg (tweaks h purpose i) (item_distinguisher_b i)).
  Proof.
    assert (real : real_helper_item == real_keys prg h purpose (list_prod rest stream_space) a_of b_of (fun z => index_0 (fst z))
      (fun z => index_1 (fst z)) (fun z => others_a (fst z)) (fun z => others_b (fst z)) keys_test).
    { unfold real_helper_item, real_keys. rewrite !Pr_mean. apply mean_ext. intros [[z root_a] root_b] _. rewrite shares_of_delta_are.
      unfold keys_test, key_a_of, key_b_of, real_key_of, helper_plan_a, helper_plan_b.
      destruct (others_a (fst z)) as [[masks_a word_a] value_a], (others_b (fst z)) as [[masks_b word_b] value_b]. reflexivity. }
    assert (ideal : simulated_keys h purpose (list_prod rest stream_space) a_of b_of keys_test == simulated_helper_item).
    { unfold simulated_keys, simulated_helper_item. rewrite !Pr_mean.
      rewrite !(mean_prod (list_prod (list_prod rest stream_space) _)), !(mean_prod (list_prod rest stream_space)), (mean_prod rest stream_space).
      rewrite (mean_prod (list_prod (list_prod rest (correction_space h purpose)) (correction_space h purpose))).
      rewrite (mean_prod (list_prod rest (correction_space h purpose))), (mean_prod rest). apply mean_ext. intros r _.
      rewrite mean_swap. apply mean_ext. intros draw_a _. rewrite mean_swap. apply mean_ext. intros draw_b _.
      pose (f := fun q : W * W => indicator (test r (uniform_key P0 purpose held_a r draw_a) (uniform_key P1 purpose held_b r draw_b) q)).
      transitivity (mean stream_space (fun stream => f (delta_words (r, stream)))).
      { apply mean_ext. intros stream _. destruct draw_a as [[cs_a flags_a] values_a], draw_b as [[cs_b flags_b] values_b]. reflexivity. }
      rewrite delta_words_uniform. apply mean_ext. intros [q_0 q_1] _. reflexivity. }
    rewrite real, <- ideal. apply lean_keys_to_P2_simulated; auto; intros z; apply common_sized; auto.
  Qed.
End Item.
