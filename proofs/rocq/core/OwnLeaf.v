(* A leaf of a tree whose root one does not know [duoram, section 2.1.1]: along the path to any leaf, the labels may be replaced by
   uniform ones, at the price of an advantage a level; what is left is that leaf, a uniform label, among others that are
   independent of it. This is for whoever has no key of a DPF, as P2 has none of DPF 1: its index shares are uniform to P2
   since some leaf with an odd index is (paper/IndexShare.v).

   The corrections are any that do not depend on the root, given [rest]: KeyPrivacy.v makes them so first. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection Counting.
From Duoram.core Require Import TreeLevels PrgAdvantage KeyHybrid.
From Duoram.core Require LabelFacts.
From Duoram.Generated Require Import All.
#[local] Open Scope Q_scope.

Section Leaf.
  Context {P : Type} {P_Prg : prg_Prg P} (prg : P).
  (* All else, and of it: the root's flag, the corrections, the path to the leaf. *)
  Context {R : Type} (rest : list R) (root_flag : R -> bool) (corrections : R -> list dpf_Correction) (bits : R -> list bool)
    (height : nat).
  Hypothesis corrections_length : forall r, In r rest -> length (corrections r) = height.
  Hypothesis bits_length : forall r, length (bits r) = height.
  (* A test of all else and the leaves. *)
  Context (test : R -> list u128 -> bool).

  (* A level: what is left of the node on the path, its flag, and what is right of it. *)
  Definition focus : Type := list u128 * bool * list u128.
  Definition filled (f : focus) (node : u128) : list u128 :=
    let '(before, t, after) := f in before ++ block_with_flag node t :: after.

  (* The next level, if the child off the path is made of the block z, and the one on the path gets the flag t'. *)
  Definition focus_step (f : focus) (c : dpf_Correction) (bit : bool) (coin : u128 * bool) : focus :=
    let '(before, t, after) := f in
    let off := child_of_pair t (fst coin, fst coin) c (negb bit) in
    if bit then (dpf_next_level prg before c ++ [off], snd coin, dpf_next_level prg after c)
    else (dpf_next_level prg before c, snd coin, off :: dpf_next_level prg after c).

  Definition no_correction : dpf_Correction := mk_dpf_Correction (repr 128 0) false false.
  Fixpoint focus_from (f : focus) (cs : list dpf_Correction) (path : list bool) (coins : list (u128 * bool)) : focus :=
    match coins with
    | [] => f
    | coin :: coins =>
        focus_from (focus_step f (hd no_correction cs) (hd false path) coin) (tl cs) (tl path) coins
    end.
  Definition focus_at (r : R) (coins : list (u128 * bool)) : focus :=
    focus_from ([], root_flag r, []) (corrections r) (bits r) coins.

  Lemma nth_tl {T : Type} (l : list T) (k : nat) (d : T) : nth k (tl l) d = nth (S k) l d.
  Proof. destruct l; [destruct k; reflexivity | reflexivity]. Qed.
  Lemma focus_from_snoc (f : focus) (cs : list dpf_Correction) (path : list bool) (coins : list (u128 * bool)) (coin : u128 * bool) :
    focus_from f cs path (coins ++ [coin])
    = focus_step (focus_from f cs path coins) (nth (length coins) cs no_correction) (nth (length coins) path false) coin.
  Proof.
    revert f cs path. induction coins as [|x coins IH]; intros f cs path; cbn [app focus_from length].
    - destruct cs, path; reflexivity.
    - rewrite IH, !nth_tl. reflexivity.
  Qed.

  Definition sibling_space : list (u128 * bool) := list_prod labels bools.

  (* Game i: the labels on the path are uniform down to level i. *)
  Definition leaf_game (i : nat) : Q :=
    Pr (list_prod (list_prod rest (tuples i sibling_space)) labels) (fun '((r, coins), seed) =>
      test r (levels prg (skipn i (corrections r)) (filled (focus_at r coins) seed))).

  Definition real_leaf : Q :=
    Pr (list_prod rest labels) (fun '(r, seed) => test r (levels prg (corrections r) [block_with_flag seed (root_flag r)])).
  Definition ideal_leaf : Q :=
    Pr (list_prod (list_prod rest (tuples height sibling_space)) labels) (fun '((r, coins), seed) =>
      test r (filled (focus_at r coins) seed)).

  (* It makes up i levels, and takes the two blocks for the children of the node on the path. *)
  Definition leaf_level_distinguisher (i : nat) : distinguisher := {|
    coin_space := list_prod rest (tuples i sibling_space);
    seed_flag := fun '(r, coins) => snd (fst (focus_at r coins));
    guess := fun '(r, coins) blocks =>
      let '(before, t, after) := focus_at r coins in
      let c := nth i (corrections r) no_correction in
      test r (levels prg (skipn (S i) (corrections r))
        (dpf_next_level prg before c
          ++ child_of_pair t blocks c false :: child_of_pair t blocks c true :: dpf_next_level prg after c));
  |}.

  (* Two uniform blocks: the child on the path is a uniform label, flag and all. *)
  Lemma uniform_children (t bit : bool) (c : dpf_Correction) (g : u128 -> u128 -> Q) :
    mean (list_prod labels labels) (fun blocks => g (child_of_pair t blocks c false) (child_of_pair t blocks c true))
    == mean sibling_space (fun coin => mean labels (fun seed =>
         let on := block_with_flag seed (snd coin) in
         let off := child_of_pair t (fst coin, fst coin) c (negb bit) in
         if bit then g off on else g on off)).
  Proof.
    pose (k := if t then ixor (dpf_Correction_word c) (block_bit_block (flag_correction c bit)) else repr 128 0).
    pose (f z x := let off := child_of_pair t (z, z) c (negb bit) in if bit then g off x else g x off).
    transitivity (mean labels (fun z => mean labels (fun x => f z (ixor k x)))).
    - rewrite mean_prod. destruct bit; [|rewrite mean_swap]; apply mean_ext; intros z _; apply mean_ext; intros x _;
        unfold f, k, child_of_pair; cbn [fst snd negb]; rewrite (ixor_comm _ x); reflexivity.
    - unfold sibling_space. rewrite mean_prod. apply mean_ext. intros z _. cbn [fst snd].
      rewrite (mean_labels_shifted k (f z)).
      transitivity (mean labels (fun x => (fun b y => f z (block_with_flag y b)) (block_flag x) x)).
      { apply mean_ext. intros x _. cbv beta. rewrite LabelFacts.with_flag_same. reflexivity. }
      rewrite (mean_flag_apart (fun b y => f z (block_with_flag y b))); [reflexivity|].
      intros b x u. rewrite LabelFacts.with_flag_twice. reflexivity.
  Qed.

  Lemma leaf_game_step (i : nat) : (i < height)%nat ->
    Qabs (leaf_game i - leaf_game (S i)) == Adv prg (leaf_level_distinguisher i).
  Proof.
    intros hi. unfold Adv, leaf_game, leaf_level_distinguisher. cbn [coins coin_space seed_flag guess]. apply Qabs_wd.
    apply Qplus_comp; [|apply Qopp_comp]; rewrite !Pr_mean.
    - apply mean_ext. intros [[r coins] seed] i_r. apply in_prod_iff in i_r. destruct i_r as [i_r _].
      apply in_prod_iff in i_r. destruct i_r as [i_r _]. destruct (focus_at r coins) as [[before t] after]. cbn [fst snd filled].
      rewrite (skipn_nth (corrections r) i no_correction) by (rewrite (corrections_length r i_r); exact hi).
      unfold levels. cbn [fold_left]. rewrite next_level_split, !child_of_children, block_flag_with_flag. reflexivity.
    - rewrite !mean_prod. apply mean_ext. intros r _. rewrite mean_tuples_snoc. apply mean_ext. intros coins hc.
      apply tuples_length in hc. symmetry. unfold focus_at.
      setoid_replace (mean sibling_space (fun coin => mean labels (fun seed => indicator (test r (levels prg (skipn (S i) (corrections r))
        (filled (focus_from ([], root_flag r, []) (corrections r) (bits r) (coins ++ [coin])) seed))))))
        with (mean sibling_space (fun coin => mean labels (fun seed => indicator (test r (levels prg (skipn (S i) (corrections r))
        (filled (focus_step (focus_at r coins) (nth i (corrections r) no_correction) (nth i (bits r) false) coin) seed)))))).
      2: { apply mean_ext. intros coin _. rewrite focus_from_snoc, hc. reflexivity. }
      fold (focus_at r coins). destruct (focus_at r coins) as [[before t] after].
      set (c := nth i (corrections r) no_correction). set (bit := nth i (bits r) false).
      rewrite (uniform_children t bit c (fun left right => indicator (test r (levels prg (skipn (S i) (corrections r))
        (dpf_next_level prg before c ++ left :: right :: dpf_next_level prg after c))))).
      apply mean_ext. intros [z t'] _. apply mean_ext. intros seed _. unfold focus_step, filled. cbn [fst snd].
      destruct bit; [rewrite <- app_assoc|]; reflexivity.
  Qed.

  (* The theorem: the price of the path. *)
  Theorem own_leaf_replaced :
    Qabs (real_leaf - ideal_leaf) <= sum_below height (fun i => Adv prg (leaf_level_distinguisher i)).
  Proof.
    setoid_replace real_leaf with (leaf_game 0).
    2: { unfold real_leaf, leaf_game. rewrite !Pr_mean, !mean_prod. apply mean_ext. intros r _.
         rewrite mean_tuples_0. reflexivity. }
    setoid_replace ideal_leaf with (leaf_game height).
    2: { unfold ideal_leaf, leaf_game. rewrite !Pr_mean. apply mean_ext. intros [[r coins] seed] i_r.
         apply in_prod_iff in i_r. destruct i_r as [i_r _]. apply in_prod_iff in i_r. destruct i_r as [i_r _].
         rewrite skipn_all2 by (rewrite (corrections_length r i_r); lia). reflexivity. }
    eapply Qle_trans; [apply hybrid|]. apply Qle_lteq. right. apply sum_below_ext. apply leaf_game_step.
  Qed.

  (* The leaf alone: its flag is the last one drawn, and nothing else depends on that. *)
  Definition sides_at (r : R) (coins : list (u128 * bool)) : list u128 * list u128 :=
    let '(before, _, after) := focus_at r coins in (before, after).
  Definition uniform_leaf : Q :=
    Pr (list_prod (list_prod rest (tuples height sibling_space)) labels) (fun '((r, coins), leaf) =>
      let '(before, after) := sides_at r coins in test r (before ++ leaf :: after)).

  Lemma ideal_leaf_uniform : (0 < height)%nat -> ideal_leaf == uniform_leaf.
  Proof.
    intros hh. unfold ideal_leaf, uniform_leaf. rewrite !Pr_mean, !mean_prod. apply mean_ext. intros r _.
    destruct height as [|k]; [lia|]. rewrite !mean_tuples_snoc. apply mean_ext. intros coins _.
    unfold sibling_space. rewrite !mean_prod. apply mean_ext. intros z _. unfold sides_at, focus_at.
    set (f := focus_from ([], root_flag r, []) (corrections r) (bits r) coins).
    set (c := nth (length coins) (corrections r) no_correction). set (bit := nth (length coins) (bits r) false).
    pose (before := fst (fst (focus_step f c bit (z, false)))). pose (after := snd (focus_step f c bit (z, false))).
    assert (e : forall t, focus_step f c bit (z, t) = (before, t, after)).
    { intros t. unfold before, after. destruct f as [[b u] a]. unfold focus_step. destruct bit; reflexivity. }
    pose (g x := indicator (test r (before ++ x :: after))).
    transitivity (mean bools (fun t => mean labels (fun seed => g (block_with_flag seed t)))).
    { apply mean_ext. intros t _. apply mean_ext. intros seed _. rewrite focus_from_snoc. fold f c bit. rewrite e. reflexivity. }
    transitivity (mean bools (fun _ => mean labels g)).
    - rewrite <- (mean_flag_apart (fun t seed => g (block_with_flag seed t))).
      + rewrite mean_const by discriminate. apply mean_ext. intros x _. rewrite LabelFacts.with_flag_same. reflexivity.
      + intros t x u. rewrite LabelFacts.with_flag_twice. reflexivity.
    - apply mean_ext. intros t _. apply mean_ext. intros x _. rewrite focus_from_snoc. fold f c bit. rewrite e. reflexivity.
  Qed.

  (* The leaf is where its path leads. *)
  Lemma focus_place (r : R) (coins : list (u128 * bool)) : (length coins <= height)%nat ->
    length (fst (fst (focus_at r coins))) = place_of (firstn (length coins) (bits r)).
  Proof.
    induction coins as [|coin coins IH] using rev_ind; intros hl; [reflexivity|].
    rewrite app_length, Nat.add_1_r in *. unfold focus_at in *. rewrite focus_from_snoc.
    rewrite (firstn_snoc (bits r) _ false), place_of_snoc, <- IH by (rewrite ?bits_length; lia).
    destruct (focus_from _ _ _ _) as [[before t] after]. unfold focus_step. cbn [fst snd].
    destruct (nth (length coins) (bits r) false); cbn [fst]; rewrite ?app_length, next_level_length; cbn [length]; lia.
  Qed.
  Lemma focus_length (r : R) (coins : list (u128 * bool)) (node : u128) :
    length (filled (focus_at r coins) node) = (2 ^ length coins)%nat.
  Proof.
    induction coins as [|coin coins IH] using rev_ind; [reflexivity|].
    rewrite app_length, Nat.add_1_r, Nat.pow_succ_r', <- IH. unfold focus_at. rewrite focus_from_snoc.
    destruct (focus_from _ _ _ coins) as [[before t] after]. unfold focus_step, filled.
    destruct (nth (length coins) (bits r) false); rewrite !app_length; cbn [length]; rewrite ?app_length, !next_level_length;
      cbn [length]; lia.
  Qed.
End Leaf.
