(* Privacy of preparing lean DPFs towards a primary (`lean::generation`, `lean::preprocessing`): all that it receives while a DPF with its
   layers is prepared, its key, and the other's share of R, are within one [node_Adv] a level, and one for the layer at the end, of what
   a simulator makes of the primary's own things and of fresh draws (PreparingView.v). The simulator is told neither ri, nor the
   other's share of it, nor the other's root, triples, r_c, R'_c or shares of what was dealt.

   The test sees all secrets, ri too. With the primary's key and R it can compute the other's flags and values (PreparedItems.v): so
   whatever the other makes of them afterwards may be part of the test.

   Probabilities are over the other's root, its part of the triples, r_c and R'_c, and [rest], which is whatever else there is:
   the primary's own things, other items, inputs may all be drawn from it. For P1 what P2 deals is in its own things: DealtToP1.v. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection Counting Chains.
From Duoram.core Require Import Parties LabelFacts TreeLevels GenerationPrivacy GenerationRunPrivacy PrgAdvantage KeyHybrid GenerationSimulated.
From Duoram.lean Require Import PreparedItems LayerHybrid LayeredPath PreparingView CorrectionsUniform.
From Duoram.Generated Require Import All.
#[local] Open Scope Q_scope.

(* What is seen of a DPF: what is received, the key, and the other's R'_c, which the primary does not see. *)
Notation dpf_outcome := (dpf_received (W := ring_XorWord) * lean_layers_LayeredKey ring_XorWord * ring_XorWord)%type.
Notation dpf_coins := (u64 * list (bool * u128) * list dpf_Correction * u128 * list ring_XorWord)%type.

Section OneDpf.
  Context {P : Type} {P_Prg : prg_Prg P} {P_Layers : lean_layers_Layers P} (prg : P) (party : share_Primary).
  Context (h : u64) (h_small : (val h < 64)%Z) (purpose : lean_layers_Purpose).
  Notation d := (tree_level h purpose).
  Notation other := (other_primary party).
  Context {R : Type} (rest : list R) (held : R -> dpf_held (W := W)) (other_index : R -> u64).
  Hypothesis own_sized : forall r, held_sized h purpose (held r).
  Hypothesis other_index_below : forall r, (val (other_index r) < 2 ^ val h)%Z.
  Context (test : R -> dpf_outcome -> bool).

  (* The other's root, X and Y of each level, the word of r_c, and R'_c. *)
  Definition dpf_draws : list (dpf_draw W) :=
    list_prod (list_prod (list_prod labels (tuples d mask_space)) (words 64)) xor_words.
  Definition real_outcome (r : R) (draw : dpf_draw W) : dpf_outcome :=
    let plan := held_plan prg party h purpose (held r) (other_index r) draw in
    (received_of prg party h purpose plan, key_of prg party h purpose plan, other_value purpose (snd draw)).
  Definition real_dpf : Q := Pr (list_prod rest dpf_draws) (fun '(r, draw) => test r (real_outcome r draw)).

  (* kf uniform bits, coins of App. C, corrections of the tree and of the layers; and R'_c. *)
  Definition coin_space : list (dpf_coins * W) :=
    list_prod (map (fun '((word, operands), (cs, flags, values)) => (other_mask h word, operands, cs, flags, values))
      (list_prod (list_prod (words 64) (tuples d mask_space)) (correction_space h purpose))) xor_words.
  Definition simulated_outcome (r : R) (draw : dpf_coins * W) : dpf_outcome :=
    (simulated_dpf prg party h purpose (held r) (fst draw), other_value purpose (snd draw)).
  Definition simulated_game : Q := Pr (list_prod rest coin_space) (fun '(r, draw) => test r (simulated_outcome r draw)).

  (** * Real: the masks of the triples, exactly *)

  Notation with_coins := (R * list (bool * u128) * u64 * W)%type.
  Let zs : list with_coins := list_prod (list_prod (list_prod rest (tuples d mask_space)) (words 64)) xor_words.
  Let held_z (z : with_coins) : dpf_held (W := W) := let '(r, _, _, _) := z in held r.
  Let index_z (z : with_coins) : u64 := let '(r, _, _, _) := z in other_index r.
  Let start_z (z : with_coins) : u128 := own_start party (held_z z).
  Let path_z (z : with_coins) : list bool := path_of h purpose (held_z z) (index_z z).
  Let flags_z (z : with_coins) (cs : list dpf_Correction) : u128 := known_flags prg party h purpose (held_z z) (index_z z) cs.
  Let words_z (z : with_coins) (cs : list dpf_Correction) : list W :=
    known_words prg party h purpose (held_z z) (index_z z) cs (snd z).
  Definition outcome_test (z : with_coins) (cs : list dpf_Correction) (flags : u128) (values : list W) : bool :=
    let '(r, operands, word, value) := z in
    test r (simulated_dpf prg party h purpose (held r)
      (lean_one_hot_moved_share (other_index r) (other_mask h word) (lean_layers_flag_bits h), operands, cs, flags, values),
      other_value purpose value).
  Definition dpf_distinguisher : nat -> node_distinguisher :=
    corrections_distinguisher prg h purpose zs start_z path_z flags_z words_z outcome_test.

  Lemma other_start_beside (r : R) (root : u128) : distributed_gen_planted other root = beside (own_start party (held r)) root.
  Proof. unfold beside, own_start. destruct party; cbn [other_primary distributed_gen_planted]; rewrite flag_with_flag; reflexivity. Qed.

  (* Uniform masks are uniform coins. *)
  Lemma coins_are_uniform (r : R) (cs : list dpf_Correction) (other_start : u128) (f : list (bool * u128) -> Q) : length cs = d ->
    mean (tuples d mask_space) (fun masks =>
      f (run_coins prg cs [other_start] (other_bits h purpose (other_index r)) (others_levels h (held r) masks)))
    == mean (tuples d mask_space) f.
  Proof.
    intros hc. set (shares := level_shares h (held r)). set (bits := other_bits h purpose (other_index r)).
    assert (ls : length shares = d) by apply (level_shares_length h purpose), own_sized.
    assert (lb : length bits = length shares) by (rewrite ls; apply other_bits_length).
    pose proof (dealt_draws_enumerate prg party shares) as all. rewrite ls in all.
    assert (all_coins : enumerates (tuples d mask_space) (fun coins => length coins = length shares))
      by (rewrite ls; exact (tuples_enumerate _ _ mask_space_enumerates)).
    transitivity (mean (map (dealt_draws shares) (tuples d mask_space)) (fun rs => f (run_coins prg cs [other_start] bits rs))).
    { rewrite mean_map. reflexivity. }
    apply (mean_same_distribution (drawn := Forall2 (share_drawn prg party) shares) (drawn' := fun coins => length coins = length shares)
      (view := run_coins prg cs [other_start] bits) (view' := fun coins => coins) _ _ f); [|exact all|exact all_coins].
    unshelve eexists.
    - refine {| forth := run_coins prg cs [other_start] bits; back := run_draws prg cs [other_start] shares bits |}; intros x hx.
      + apply (run_coins_length prg party); congruence || assumption.
      + apply run_draws_drawn; congruence || assumption.
      + apply (run_draws_of_coins prg party); congruence || assumption.
      + apply run_coins_of_draws; congruence || assumption.
    - reflexivity.
  Qed.

  Lemma real_dpf_is_layers :
    real_dpf == real_layers prg zs start_z path_z (tweaks h purpose)
      (corrections_test h purpose flags_z words_z outcome_test).
  Proof.
    unfold real_dpf, real_layers, dpf_draws, zs. rewrite !Pr_mean, !mean_prod. apply mean_ext. intros r _. rewrite !mean_prod.
    pose (G := fun (root : u128) (coins : list (bool * u128)) (word : u64) (value : W) =>
      indicator (let other_start := beside (own_start party (held r)) root in
        let path := path_of h purpose (held r) (other_index r) in
        let cs := corrections_for prg (own_start party (held r)) other_start path in
        corrections_test h purpose flags_z words_z outcome_test (r, coins, word, value) cs
          (path_blocks prg (tweaks h purpose) 0 other_start cs path))).
    transitivity (mean labels (fun root => mean (tuples d mask_space) (fun coins => mean (words 64) (fun word =>
      mean xor_words (fun value => G root coins word value))))).
    - apply mean_ext. intros root _.
      set (cs := corrections_for prg (own_start party (held r)) (beside (own_start party (held r)) root)
        (path_of h purpose (held r) (other_index r))).
      assert (hc : length cs = d) by (unfold cs; rewrite corrections_for_length; apply path_length).
      etransitivity; [|exact (coins_are_uniform r cs (beside (own_start party (held r)) root)
        (fun coins => mean (words 64) (fun word => mean xor_words (fun value => G root coins word value))) hc)].
      apply mean_ext. intros masks hm. apply tuples_length in hm. apply mean_ext. intros word _. apply mean_ext. intros value _.
      unfold G, real_outcome. cbv zeta. cbn [snd].
      rewrite (dpf_view_is prg party h h_small purpose (held r) (other_index r) root masks word value (own_sized r) (other_index_below r) hm).
      rewrite (other_start_beside r). reflexivity.
    - rewrite (mean_swap labels). apply mean_ext. intros coins _. rewrite (mean_swap labels). apply mean_ext. intros word _.
      rewrite (mean_swap labels). reflexivity.
  Qed.

  (** * Simulated *)

  Lemma uniform_corrections_are_simulated :
    uniform_corrections h purpose zs outcome_test == simulated_game.
  Proof.
    unfold uniform_corrections, simulated_game, zs, coin_space. rewrite !Pr_mean, !mean_prod. apply mean_ext. intros r _.
    rewrite (mean_prod (map _ _)), mean_map, !mean_prod.
    pose (G := fun (moved : u64) (coins : list (bool * u128)) (value : W) =>
      mean (correction_space h purpose) (fun '(cs, flags, values) =>
        indicator (test r (simulated_dpf prg party h purpose (held r) (moved, coins, cs, flags, values), other_value purpose value)))).
    transitivity (mean (words 64) (fun word => mean (tuples d mask_space) (fun coins => mean xor_words (fun value => G (other_mask h word) coins value)))).
    - rewrite (mean_swap (tuples d mask_space)).
      rewrite <- (mean_words_shifted (other_index r) (fun word => mean (tuples d mask_space) (fun coins => mean xor_words (fun value =>
        G (other_mask h word) coins value)))).
      apply mean_ext. intros word _. apply mean_ext. intros coins _. apply mean_ext. intros value _. unfold G, outcome_test.
      assert (e : lean_one_hot_moved_share (other_index r) (other_mask h word) (lean_layers_flag_bits h) = other_mask h (ixor (other_index r) word)).
      { unfold lean_one_hot_moved_share, other_mask, lean_one_hot_low_bits. symmetry. apply iand_ixor_r. }
      rewrite e. apply mean_ext. intros [[cs flags] values] _. reflexivity.
    - apply mean_ext. intros word _. apply mean_ext. intros coins _. rewrite mean_swap. unfold G.
      apply mean_ext. intros value _. apply mean_ext. intros [[cs flags] values] _. reflexivity.
  Qed.

  (* The theorem, of one DPF. *)
  Theorem lean_dpf_simulated :
    Qabs (real_dpf - simulated_game) <= sum_below (S d) (fun i => node_Adv prg (tweaks h purpose i) (dpf_distinguisher i)).
  Proof.
    rewrite real_dpf_is_layers, <- uniform_corrections_are_simulated. apply corrections_replaced.
    - intros z. apply path_length.
    - intros z cs. unfold words_z. rewrite known_words_length, value_words_is. destruct purpose; lia.
  Qed.
End OneDpf.
