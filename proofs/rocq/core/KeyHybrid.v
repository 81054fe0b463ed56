(* The key of a DPF by hybrid [duoram, section 2.1.1], [bgi16]: to the party that has one key, the corrections are uniform
   and the other party's label at the leaf on the path is uniform but for its flag, at the price of one advantage a level.

   Path form: both trees are equal off the path, so all that a key owes to the other party's tree are the pairs of children
   (G_L, G_R) of its labels on the path ([corrections_for]); everything else is computed from one's own tree. One level
   ([uniform_pair]): if the other's label on the path is uniform but for its flag, its pair of children may be replaced by
   two uniform blocks, at the price of an advantage. Then the correction is uniform, for either address bit, and the other's
   next label on the path is uniform but for its flag and independent of the correction; so it goes on down the tree.

   [path_replaced] says this with all else that there is, [rest]: own randomness, other DPFs, secrets, later messages. The
   test is given the last label on the path too, from which values, conversion words and output layers are made. KeyPrivacy.v
   states what follows for the translated functions. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection Counting.
From Duoram.core Require Import TreeLevels PrgAdvantage.
From Duoram.core Require LabelFacts.
From Duoram.Generated Require Import All.
#[local] Open Scope Q_scope.

(** * One level, from two pairs of children *)

(* `dealer::level_correction` and `dpf::child` depend on a node by its flag and its two children. *)
Definition correction_of_pairs (own other : u128 * u128) (bit : bool) : dpf_Correction :=
  let left := ixor (fst own) (fst other) in
  let right := ixor (snd own) (snd other) in
  mk_dpf_Correction (block_clear_flag (if bit then left else right)) (xorb (block_flag left) (negb bit))
    (xorb (block_flag right) bit).
Definition flag_correction (c : dpf_Correction) (bit : bool) : bool :=
  if bit then dpf_Correction_right_flag c else dpf_Correction_left_flag c.
Definition child_of_pair (flag : bool) (blocks : u128 * u128) (c : dpf_Correction) (bit : bool) : u128 :=
  ixor (if bit then snd blocks else fst blocks)
    (if flag then ixor (dpf_Correction_word c) (block_bit_block (flag_correction c bit)) else repr 128 0).

Section Nodes.
  Context {P : Type} {P_Prg : prg_Prg P} (prg : P).

  Lemma level_correction_of_pairs (own other : u128) (bit : bool) :
    dealer_level_correction prg own other bit = correction_of_pairs (children prg own) (children prg other) bit.
  Proof. reflexivity. Qed.
  Lemma child_of_children (node : u128) (c : dpf_Correction) (bit : bool) :
    dpf_child prg node c bit = child_of_pair (block_flag node) (children prg node) c bit.
  Proof. apply child_split. Qed.

  (* Which of the two parties has which tree makes no difference to the corrections. *)
  Lemma corrections_for_comm (node_0 node_1 : u128) (bits : list bool) :
    corrections_for prg node_0 node_1 bits = corrections_for prg node_1 node_0 bits.
  Proof.
    revert node_0 node_1. induction bits as [|bit bits IH]; intros x y; [reflexivity|]. cbn [corrections_for].
    assert (h : dealer_level_correction prg x y bit = dealer_level_correction prg y x bit).
    { rewrite !level_correction_of_pairs. unfold correction_of_pairs.
      rewrite (ixor_comm (fst (children prg x))), (ixor_comm (snd (children prg x))). reflexivity. }
    rewrite h, IH. reflexivity.
  Qed.

  Lemma walk_app (node : u128) (cs cs' : list dpf_Correction) (bits bits' : list bool) : length cs = length bits ->
    walk prg node (cs ++ cs') (bits ++ bits') = walk prg (walk prg node cs bits) cs' bits'.
  Proof.
    revert node bits. induction cs as [|c cs IH]; intros node [|b bits] h; try discriminate; [reflexivity|].
    cbn [app]. rewrite !walk_cons. apply IH. cbn in h. lia.
  Qed.
  (* A walk takes as many steps as there are corrections. *)
  Lemma walk_firstn (node : u128) (cs : list dpf_Correction) (bits : list bool) :
    walk prg node cs bits = walk prg node cs (firstn (length cs) bits).
  Proof. unfold walk. rewrite combine_firstn_l. reflexivity. Qed.
  Lemma walk_snoc (node : u128) (cs : list dpf_Correction) (c : dpf_Correction) (bits : list bool) :
    (length cs < length bits)%nat ->
    walk prg node (cs ++ [c]) bits = dpf_child prg (walk prg node cs bits) c (nth (length cs) bits false).
  Proof.
    intros h. rewrite walk_firstn, app_length, Nat.add_1_r, (walk_firstn node cs bits).
    rewrite (firstn_snoc bits _ false), walk_app by (rewrite ?firstn_length; lia). reflexivity.
  Qed.
End Nodes.

(* The pair of children as two blocks a, b: the correction has a's upper bits as its word, and the two flags; the next label
   on the path has b's upper bits. *)
Definition correction_of_blocks (bit : bool) (a b : u128) : dpf_Correction :=
  if bit then mk_dpf_Correction (block_clear_flag a) (block_flag a) (block_flag b)
  else mk_dpf_Correction (block_clear_flag a) (block_flag b) (block_flag a).

Lemma blocks_of_pair (own_flag bit : bool) (own other : u128 * u128) :
  let on x := if bit then snd x else fst x in
  let off x := if bit then fst x else snd x in
  let a := ixor (off own) (off other) in
  let k := ixor (block_bit_block (negb (block_flag (on own)))) (if own_flag then repr 128 0 else block_clear_flag a) in
  let c := correction_of_blocks bit a (ixor k (on other)) in
  correction_of_pairs own other bit = c
  /\ child_of_pair (negb own_flag) other c bit
    = block_with_flag (ixor k (on other)) (negb (block_flag (child_of_pair own_flag own c bit))).
Proof.
  destruct own as [lo ro], other as [l r]. cbv zeta. split.
  - unfold correction_of_pairs, correction_of_blocks.
    destruct bit; cbn [fst snd negb]; rewrite !block_flag_ixor, block_flag_bit_block; f_equal;
      destruct own_flag; rewrite ?block_flag_clear_flag, ?block_flag_zero;
      repeat match goal with |- context [block_flag ?x] => destruct (block_flag x) end; reflexivity.
  - apply bit_ext. intros j hj. rewrite LabelFacts.bit_with_flag. destruct (Z.eqb_spec j 0) as [->|n].
    + rewrite <- block_flag_bit. unfold child_of_pair, correction_of_blocks, flag_correction.
      destruct bit, own_flag; cbn [fst snd negb dpf_Correction_word dpf_Correction_left_flag dpf_Correction_right_flag];
        rewrite ?block_flag_ixor, ?block_flag_clear_flag, ?block_flag_bit_block, ?block_flag_ixor,
          ?block_flag_bit_block, ?block_flag_clear_flag, ?block_flag_zero;
        repeat match goal with |- context [block_flag ?x] => destruct (block_flag x) end; reflexivity.
    + unfold child_of_pair, correction_of_blocks, flag_correction.
      assert (e : (j =? 0)%Z = false) by (apply Z.eqb_neq, n).
      destruct bit, own_flag; cbn [fst snd negb dpf_Correction_word dpf_Correction_left_flag dpf_Correction_right_flag];
        rewrite ?bit_ixor, ?bit_clear_flag, ?bit_bit_block, ?bit_zero, ?bit_ixor, e;
        cbn [negb]; rewrite ?andb_false_r, ?andb_true_r; destruct (bit lo j), (bit ro j), (bit l j), (bit r j); reflexivity.
Qed.

(* One level: from a uniform pair of children of the other's label on the path, a uniform correction, and a next label of
   the other that is uniform but for its flag; for either address bit and any own children. *)
Theorem uniform_pair (own_flag bit : bool) (own : u128 * u128) (f : dpf_Correction -> u128 -> Q) :
  mean (list_prod labels labels) (fun other =>
    let c := correction_of_pairs own other bit in f c (child_of_pair (negb own_flag) other c bit))
  == mean fresh_corrections (fun c => mean labels (fun seed =>
       f c (block_with_flag seed (negb (block_flag (child_of_pair own_flag own c bit)))))).
Proof.
  set (next c seed := block_with_flag seed (negb (block_flag (child_of_pair own_flag own c bit)))).
  set (g a b := let c := correction_of_blocks bit a b in f c (next c b)).
  set (on := if bit then snd own else fst own). set (off := if bit then fst own else snd own).
  set (k a := ixor (block_bit_block (negb (block_flag on))) (if own_flag then repr 128 0 else block_clear_flag a)).
  transitivity (mean labels (fun x => mean labels (fun y => g (ixor off x) (ixor (k (ixor off x)) y)))).
  { rewrite mean_prod. unfold g. destruct bit.
    - apply mean_ext. intros l _. apply mean_ext. intros r _.
      destruct (blocks_of_pair own_flag true own (l, r)) as [h h']. cbv zeta in *. cbn [fst snd] in *.
      rewrite h, h'. reflexivity.
    - rewrite mean_swap. apply mean_ext. intros r _. apply mean_ext. intros l _.
      destruct (blocks_of_pair own_flag false own (l, r)) as [h h']. cbv zeta in *. cbn [fst snd] in *.
      rewrite h, h'. reflexivity. }
  rewrite (mean_labels_shifted off (fun a => mean labels (fun y => g a (ixor (k a) y)))).
  transitivity (mean labels (fun a => mean labels (fun b => g a b))).
  { apply mean_ext. intros a _. apply (mean_labels_shifted (k a) (fun b => g a b)). }
  rewrite mean_fresh_corrections. subst g. cbv beta zeta. unfold correction_of_blocks. destruct bit.
  - transitivity (mean labels (fun a => mean bools (fun right_flag => mean labels (fun seed =>
      let c := mk_dpf_Correction (block_clear_flag a) (block_flag a) right_flag in f c (next c seed))))).
    { apply mean_ext. intros a _.
      apply (mean_flag_apart (fun t seed =>
        let c := mk_dpf_Correction (block_clear_flag a) (block_flag a) t in f c (next c seed))).
      intros t seed u. cbv zeta. unfold next. rewrite LabelFacts.with_flag_twice. reflexivity. }
    rewrite (mean_flag_apart (fun t a => mean bools (fun right_flag => mean labels (fun seed =>
      let c := mk_dpf_Correction (block_clear_flag a) t right_flag in f c (next c seed))))).
    + rewrite mean_swap. reflexivity.
    + intros t a u. rewrite LabelFacts.clear_flag_with_flag. reflexivity.
  - transitivity (mean labels (fun a => mean bools (fun left_flag => mean labels (fun seed =>
      let c := mk_dpf_Correction (block_clear_flag a) left_flag (block_flag a) in f c (next c seed))))).
    { apply mean_ext. intros a _.
      apply (mean_flag_apart (fun t seed =>
        let c := mk_dpf_Correction (block_clear_flag a) t (block_flag a) in f c (next c seed))).
      intros t seed u. cbv zeta. unfold next. rewrite LabelFacts.with_flag_twice. reflexivity. }
    rewrite (mean_flag_apart (fun t a => mean bools (fun left_flag => mean labels (fun seed =>
      let c := mk_dpf_Correction (block_clear_flag a) left_flag t in f c (next c seed))))).
    + rewrite mean_swap. apply mean_ext. intros a _. rewrite mean_swap. reflexivity.
    + intros t a u. rewrite LabelFacts.clear_flag_with_flag. reflexivity.
Qed.

(** * All levels *)

Section Path.
  Context {P : Type} {P_Prg : prg_Prg P} (prg : P).
  (* Whatever else is drawn, and of it: one's own label at the top and the path. *)
  Context {R : Type} (rest : list R) (own : R -> u128) (bits : R -> list bool) (height : nat).
  Hypothesis bits_length : forall r, length (bits r) = height.
  (* A test of all else, the corrections, and the other's label at the end of the path. *)
  Context (test : R -> list dpf_Correction -> u128 -> bool).

  (* A label of the other party beside an own one on the path. *)
  Definition beside (own_label seed : u128) : u128 := block_with_flag seed (negb (block_flag own_label)).

  (* From corrections cs of the first levels, and both labels there, GEN goes on. *)
  Definition test_below (r : R) (cs : list dpf_Correction) (own_label other_label : u128) (below : list bool) : bool :=
    let cs' := corrections_for prg own_label other_label below in
    test r (cs ++ cs') (walk prg other_label cs' below).

  (* Game i: the corrections of the first i levels are uniform, and the other's label below them but for its flag. *)
  Definition game (i : nat) : Q :=
    Pr (list_prod (list_prod rest (tuples i fresh_corrections)) labels) (fun '((r, cs), seed) =>
      let own_label := walk prg (own r) cs (bits r) in
      test_below r cs own_label (beside own_label seed) (skipn i (bits r))).

  Definition real_path : Q :=
    Pr (list_prod rest labels) (fun '(r, seed) =>
      let other_label := beside (own r) seed in
      let cs := corrections_for prg (own r) other_label (bits r) in
      test r cs (walk prg other_label cs (bits r))).
  Definition ideal_path : Q :=
    Pr (list_prod (list_prod rest (tuples height fresh_corrections)) labels) (fun '((r, cs), seed) =>
      test r cs (beside (walk prg (own r) cs (bits r)) seed)).

  (* It makes up i levels, takes the two blocks for the children of the other's label, and goes on as GEN does. *)
  Definition level_distinguisher (i : nat) : distinguisher := {|
    coin_space := list_prod rest (tuples i fresh_corrections);
    seed_flag := fun '(r, cs) => negb (block_flag (walk prg (own r) cs (bits r)));
    guess := fun '(r, cs) blocks =>
      let own_label := walk prg (own r) cs (bits r) in
      let bit := nth i (bits r) false in
      let c := correction_of_pairs (children prg own_label) blocks bit in
      test_below r (cs ++ [c]) (dpf_child prg own_label c bit)
        (child_of_pair (negb (block_flag own_label)) blocks c bit) (skipn (S i) (bits r));
  |}.

  Lemma game_step (i : nat) : (i < height)%nat ->
    Qabs (game i - game (S i)) == Adv prg (level_distinguisher i).
  Proof.
    intros hi. unfold Adv, game, level_distinguisher. cbn [coins coin_space seed_flag guess]. apply Qabs_wd.
    apply Qplus_comp; [|apply Qopp_comp]; rewrite !Pr_mean.
    - apply mean_ext. intros [[r cs] seed] hin. fold (beside (walk prg (own r) cs (bits r)) seed).
      set (own_label := walk prg (own r) cs (bits r)). set (other_label := beside own_label seed).
      rewrite (skipn_nth (bits r) i false) by (rewrite bits_length; exact hi).
      set (bit := nth i (bits r) false). unfold test_below. cbn [corrections_for]. rewrite walk_cons.
      rewrite level_correction_of_pairs. set (c := correction_of_pairs _ _ _).
      assert (hf : block_flag other_label = negb (block_flag own_label)) by apply block_flag_with_flag.
      rewrite (child_of_children prg other_label), hf, <- app_assoc. reflexivity.
    - rewrite !mean_prod. apply mean_ext. intros r _. rewrite mean_tuples_snoc.
      apply mean_ext. intros cs hcs. apply tuples_length in hcs. symmetry.
      set (own_label := walk prg (own r) cs (bits r)). set (bit := nth i (bits r) false).
      rewrite (uniform_pair (block_flag own_label) bit (children prg own_label) (fun c other_label =>
        indicator (test_below r (cs ++ [c]) (dpf_child prg own_label c bit) other_label (skipn (S i) (bits r))))).
      apply mean_ext. intros c _. apply mean_ext. intros seed _.
      rewrite walk_snoc by (rewrite hcs, bits_length; exact hi). rewrite hcs. fold own_label bit.
      unfold beside. rewrite <- child_of_children. reflexivity.
  Qed.

  (* The theorem: the price of all levels. *)
  Theorem path_replaced :
    Qabs (real_path - ideal_path) <= sum_below height (fun i => Adv prg (level_distinguisher i)).
  Proof.
    setoid_replace real_path with (game 0).
    2: { unfold real_path, game. rewrite !Pr_mean, !mean_prod. apply mean_ext. intros r _.
         rewrite mean_tuples_0. reflexivity. }
    setoid_replace ideal_path with (game height).
    2: { unfold ideal_path, game. rewrite !Pr_mean. apply mean_ext. intros [[r cs] seed] _.
         rewrite skipn_all2 by (rewrite bits_length; lia). unfold test_below. cbn [corrections_for].
         rewrite app_nil_r. reflexivity. }
    eapply Qle_trans; [apply hybrid|]. apply Qle_lteq. right. apply sum_below_ext. apply game_step.
  Qed.
End Path.
