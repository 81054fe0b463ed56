(* A DPF with output layers by hybrid (`lean::layers`): core/KeyHybrid.v, with more blocks a level. To the party that has one
   key, the corrections are uniform, and so is what the other party's labels on the path give to the layers, at whatever depths
   these hang: the flag layer of an UPDATE item is of a label whose children are used too.

   One level: if the other's label on the path is uniform but for its flag, its children and its layer blocks may be replaced by
   uniform blocks all at once, at the price of one [node_Adv]. The last label has layer blocks only. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection Counting Chains.
From Duoram.core Require Import TreeLevels PrgAdvantage KeyHybrid.
From Duoram.core Require LabelFacts.
From Duoram.lean Require Import LayerHybrid.
From Duoram.Generated Require Import All.
#[local] Open Scope Q_scope.

(* As [distinguisher] of PrgAdvantage.v: it chooses the flag of the secret label, is given two blocks for its children and a block
   for each tweak, and guesses whether they are the label's or uniform. *)
Record node_distinguisher : Type := {
  node_coins : Type;
  node_coin_space : list node_coins;
  node_seed_flag : node_coins -> bool;
  node_guess : node_coins -> u128 * u128 -> list u128 -> bool;
}.

Section Path.
  Context {P : Type} {P_Prg : prg_Prg P} {P_Layers : lean_layers_Layers P} (prg : P).

  Definition node_Adv (tweaks : list u128) (d : node_distinguisher) : Q :=
    Qabs (Pr (list_prod (node_coin_space d) labels) (fun '(r, seed) =>
            let label := block_with_flag seed (node_seed_flag d r) in
            node_guess d r (children prg label) (layer_blocks prg tweaks label))
          - Pr (list_prod (list_prod (node_coin_space d) (list_prod labels labels)) (tuples (length tweaks) labels))
              (fun '((r, two), blocks) => node_guess d r two blocks)).

  (* Without a layer it is the advantage against the children alone. *)
  Lemma node_Adv_of_children (d : node_distinguisher) :
    node_Adv [] d == Adv prg {| coins := node_coins d; coin_space := node_coin_space d; seed_flag := node_seed_flag d;
                               guess := fun r two => node_guess d r two [] |}.
  Proof.
    unfold node_Adv, Adv. cbn [coins coin_space seed_flag guess]. apply Qabs_wd. apply Qplus_comp; [reflexivity|]. apply Qopp_comp.
    rewrite !Pr_mean, !mean_prod. apply mean_ext. intros r _. rewrite (mean_prod labels labels).
    rewrite (mean_prod labels labels). apply mean_ext. intros l _. apply mean_ext. intros x _. cbn [length]. rewrite mean_tuples_0. reflexivity.
  Qed.

  (* Whatever else is drawn, and of it: one's own label at the top and the path. *)
  Context {R : Type} (rest : list R) (own : R -> u128) (bits : R -> list bool) (height : nat).
  Hypothesis bits_length : forall r, length (bits r) = height.
  (* The layers that hang on each depth, the last one included. *)
  Context (tweaks : nat -> list u128).
  (* A test of all else, the corrections, and the layer blocks of the other's labels on the path, from the top. *)
  Context (test : R -> list dpf_Correction -> list (list u128) -> bool).

  Fixpoint path_blocks (depth : nat) (node : u128) (cs : list dpf_Correction) (path : list bool) : list (list u128) :=
    layer_blocks prg (tweaks depth) node ::
    match cs, path with
    | c :: cs, bit :: path => path_blocks (S depth) (dpf_child prg node c bit) cs path
    | _, _ => []
    end.

  Definition real_layers : Q :=
    Pr (list_prod rest labels) (fun '(r, seed) =>
      let other := beside (own r) seed in
      let cs := corrections_for prg (own r) other (bits r) in
      test r cs (path_blocks 0 other cs (bits r))).

  (* A uniform correction and uniform blocks a level; uniform blocks at the end. *)
  Notation drawn_level := (dpf_Correction * list u128)%type.
  Definition level_space (depth : nat) : list drawn_level :=
    list_prod fresh_corrections (tuples (length (tweaks depth)) labels).
  Definition layers_space : list (list drawn_level * list u128) :=
    list_prod (draws_from level_space 0 height) (tuples (length (tweaks height)) labels).
  Definition ideal_layers : Q :=
    Pr (list_prod rest layers_space) (fun '(r, (ds, last)) => test r (map fst ds) (map snd ds ++ [last])).

  (* After the first levels, of which ds are the corrections and blocks, GEN goes on. *)
  Definition layers_below (r : R) (depth : nat) (ds : list drawn_level) (own_label other_label : u128) (below : list bool) :
    bool :=
    let cs := corrections_for prg own_label other_label below in
    test r (map fst ds ++ cs) (map snd ds ++ path_blocks depth other_label cs below).

  Definition own_label (r : R) (ds : list drawn_level) : u128 := walk prg (own r) (map fst ds) (bits r).

  (* Game i: the first i levels are uniform, and the other's label below them but for its flag. *)
  Definition layers_game (i : nat) : Q :=
    mean rest (fun r => mean (draws_from level_space 0 i) (fun ds => mean labels (fun seed =>
      indicator (layers_below r i ds (own_label r ds) (beside (own_label r ds) seed) (skipn i (bits r)))))).

  Definition level_distinguisher (i : nat) : node_distinguisher := {|
    node_coin_space := list_prod rest (draws_from level_space 0 i);
    node_seed_flag := fun '(r, ds) => negb (block_flag (own_label r ds));
    node_guess := fun '(r, ds) two blocks =>
      let label := own_label r ds in
      let bit := nth i (bits r) false in
      let c := correction_of_pairs (children prg label) two bit in
      layers_below r (S i) (ds ++ [(c, blocks)]) (dpf_child prg label c bit)
        (child_of_pair (negb (block_flag label)) two c bit) (skipn (S i) (bits r));
  |}.
  (* At the end of the path the children are not looked at. *)
  Definition last_distinguisher : node_distinguisher := {|
    node_coin_space := list_prod rest (draws_from level_space 0 height);
    node_seed_flag := fun '(r, ds) => negb (block_flag (own_label r ds));
    node_guess := fun '(r, ds) _ blocks => test r (map fst ds) (map snd ds ++ [blocks]);
  |}.
  Definition path_distinguisher (i : nat) : node_distinguisher :=
    if (i <? height)%nat then level_distinguisher i else last_distinguisher.

  Lemma draws_fst_length (i : nat) (ds : list drawn_level) : In ds (draws_from level_space 0 i) -> length (map fst ds) = i.
  Proof. intros h. rewrite map_length. exact (draws_length _ _ _ _ h). Qed.

  Lemma layers_step (i : nat) : (i < height)%nat ->
    Qabs (layers_game i - layers_game (S i)) == node_Adv (tweaks i) (level_distinguisher i).
  Proof.
    intros hi. unfold node_Adv, layers_game. cbn [node_coins node_coin_space node_seed_flag node_guess level_distinguisher].
    apply Qabs_wd. apply Qplus_comp; [|apply Qopp_comp].
    - rewrite Pr_mean, !mean_prod. apply mean_ext. intros r _. apply mean_ext. intros ds hds.
      apply mean_ext. intros seed _. cbv zeta. fold (beside (own_label r ds) seed).
      set (label := own_label r ds). set (other_label := beside label seed).
      rewrite (skipn_nth (bits r) i false) by (rewrite bits_length; exact hi).
      set (bit := nth i (bits r) false). unfold layers_below. cbn [corrections_for path_blocks].
      rewrite level_correction_of_pairs. set (c := correction_of_pairs _ _ _).
      assert (hf : block_flag other_label = negb (block_flag label)) by apply LabelFacts.flag_with_flag.
      rewrite (child_of_children prg other_label), hf, !map_app, <- !app_assoc. reflexivity.
    - rewrite Pr_mean, (mean_prod (list_prod _ _)), !mean_prod. apply mean_ext. intros r _. rewrite mean_draws_snoc.
      apply mean_ext. intros ds hds. apply draws_fst_length in hds. symmetry. cbn [Nat.add].
      set (label := own_label r ds). set (bit := nth i (bits r) false).
      rewrite (mean_swap (list_prod labels labels)). unfold level_space at 1. rewrite mean_prod, (mean_swap fresh_corrections).
      apply mean_ext. intros blocks _.
      rewrite (uniform_pair (block_flag label) bit (children prg label) (fun c other_label =>
        indicator (layers_below r (S i) (ds ++ [(c, blocks)]) (dpf_child prg label c bit) other_label (skipn (S i) (bits r))))).
      apply mean_ext. intros c _. apply mean_ext. intros seed _.
      assert (e : own_label r (ds ++ [(c, blocks)]) = dpf_child prg label c bit).
      { unfold own_label. rewrite map_app. cbn [map fst]. rewrite walk_snoc by (rewrite hds, bits_length; exact hi).
        rewrite hds. reflexivity. }
      rewrite e. unfold beside. rewrite <- child_of_children. reflexivity.
  Qed.

  Lemma layers_last :
    Qabs (layers_game height - ideal_layers) == node_Adv (tweaks height) last_distinguisher.
  Proof.
    unfold node_Adv, layers_game, ideal_layers, layers_space.
    cbn [node_coins node_coin_space node_seed_flag node_guess last_distinguisher].
    apply Qabs_wd. apply Qplus_comp; [|apply Qopp_comp].
    - rewrite Pr_mean, !mean_prod. apply mean_ext. intros r _. apply mean_ext. intros ds hds.
      apply mean_ext. intros seed _. cbv zeta. fold (beside (own_label r ds) seed). unfold layers_below.
      rewrite skipn_all2 by (rewrite bits_length; lia). cbn [corrections_for path_blocks]. rewrite app_nil_r. reflexivity.
    - rewrite !Pr_mean, !mean_prod. apply mean_ext. intros r _. rewrite !mean_prod. apply mean_ext. intros ds _.
      rewrite mean_const by (intros e; pose proof labels_not_empty; destruct labels; cbn in e; congruence).
      apply mean_ext. intros blocks _. reflexivity.
  Qed.

  (* The theorem: the price of all levels and of the end. *)
  Theorem layered_path_replaced :
    Qabs (real_layers - ideal_layers) <= sum_below (S height) (fun i => node_Adv (tweaks i) (path_distinguisher i)).
  Proof.
    assert (start : real_layers == layers_game 0).
    { unfold real_layers, layers_game. rewrite Pr_mean, mean_prod. apply mean_ext. intros r _.
      rewrite mean_draws_0. reflexivity. }
    rewrite start.
    eapply Qle_trans with (y := Qabs (layers_game 0 - layers_game height) + Qabs (layers_game height - ideal_layers)).
    { eapply Qle_trans; [|apply Qabs_triangle]. apply Qle_lteq. right. apply Qabs_wd. ring. }
    rewrite sum_below_S. apply Qplus_le_compat.
    - eapply Qle_trans; [apply hybrid|]. apply Qle_lteq. right. apply sum_below_ext. intros i hi.
      rewrite layers_step by exact hi. unfold path_distinguisher. destruct (Nat.ltb_spec i height); [reflexivity | lia].
    - rewrite layers_last. unfold path_distinguisher. rewrite Nat.ltb_irrefl. apply Qle_refl.
  Qed.
End Path.
