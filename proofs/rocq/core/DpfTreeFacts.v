(* The trees of a DPF [duoram, section 2.1.1]: EVAL is a walk along the address bits, EVALFULL holds the end of every
   walk, GEN's corrections by recursion, and where two walks differ. DpfCorrectness.v says what follows for the keys. *)
From Coq Require Import Lia.
From Duoram.core Require Export DpfFacts.
From Duoram.Generated Require Import All.

Section Tree.
  Context {P : Type} {P_Prg : prg_Prg P} (prg : P).

  (** * Walks *)

  (* From a node down, one correction and one bit a level. *)
  Definition walk (node : u128) (corrections : list dpf_Correction) (bits : list bool) : u128 :=
    fold_left (fun label '(correction, bit) => dpf_child prg label correction bit) (combine corrections bits) node.

  Lemma walk_cons node correction corrections bit bits :
    walk node (correction :: corrections) (bit :: bits)
    = walk (dpf_child prg node correction bit) corrections bits.
  Proof. reflexivity. Qed.

  (* EVAL walks from the root, for keys of height up to 64. *)
  Lemma eval_walk (key : dpf_Key) (address : u64) :
    Z.of_nat (length (dpf_Key_corrections key)) <= 64 ->
    dpf_eval prg key address = walk (dpf_Key_root key) (dpf_Key_corrections key)
      (path_bits (length (dpf_Key_corrections key)) (val address)).
  Proof.
    intros h. unfold dpf_eval. rewrite address_bits_path, nat_of_len by (rewrite ?val_len; lia).
    apply fold_left_ext. intros s [c b] _. reflexivity.
  Qed.

  (** * Levels *)

  (* The level below some nodes, after all corrections. *)
  Definition levels (corrections : list dpf_Correction) (level : list u128) : list u128 :=
    fold_left (fun level correction => dpf_next_level prg level correction) corrections level.

  Lemma eval_full_levels (key : dpf_Key) :
    dpf_eval_full prg key = levels (dpf_Key_corrections key) [dpf_Key_root key].
  Proof. reflexivity. Qed.

  Lemma next_level_length level correction :
    length (dpf_next_level prg level correction) = (2 * length level)%nat.
  Proof. unfold dpf_next_level. induction level as [|x level IH]; cbn in *; lia. Qed.

  Lemma levels_length corrections level :
    length (levels corrections level) = (2 ^ length corrections * length level)%nat.
  Proof.
    unfold levels. revert level. induction corrections as [|c cs IH]; intros level; [cbn; lia|].
    cbn [fold_left]. rewrite IH, next_level_length. cbn [length]. rewrite Nat.pow_succ_r'. lia.
  Qed.

  (* Node i of the next level is a child of node i / 2, the right one if i is odd. *)
  Lemma nth_next_level level correction (i : nat) (d : u128) : (i < 2 * length level)%nat ->
    nth i (dpf_next_level prg level correction) d
    = dpf_child prg (nth (i / 2) level d) correction (Z.odd (Z.of_nat i)).
  Proof.
    revert i. induction level as [|x level IH]; intros i h; [cbn in h; lia|].
    change (dpf_next_level prg (x :: level) correction) with
      (dpf_left_child prg x correction :: dpf_right_child prg x correction :: dpf_next_level prg level correction).
    destruct i as [|[|i]]; [reflexivity | reflexivity |].
    cbn [nth]. rewrite IH by (cbn in h; lia).
    replace (S (S i) / 2)%nat with (S (i / 2)).
    - cbn [nth]. f_equal. rewrite !Nat2Z.inj_succ, Z.odd_succ_succ. reflexivity.
    - replace (S (S i)) with (i + 1 * 2)%nat by lia. rewrite Nat.div_add by lia. lia.
  Qed.

  (* Node i at the end is where the walk along the lower bits of i ends, from the node that the upper bits name. *)
  Lemma nth_levels corrections level (i : nat) (d : u128) :
    (i < 2 ^ length corrections * length level)%nat ->
    nth i (levels corrections level) d
    = walk (nth (i / 2 ^ length corrections) level d) corrections (path_bits (length corrections) (Z.of_nat i)).
  Proof.
    unfold levels. revert level. induction corrections as [|c cs IH]; intros level h.
    - cbn [fold_left length Nat.pow]. rewrite Nat.div_1_r. reflexivity.
    - cbn [fold_left length path_bits] in *. rewrite Nat.pow_succ_r' in *.
      assert (hp : (2 ^ length cs)%nat <> O) by (apply Nat.pow_nonzero; lia).
      rewrite IH by (rewrite next_level_length; lia).
      rewrite walk_cons. f_equal. rewrite nth_next_level by (apply Nat.div_lt_upper_bound; lia).
      f_equal.
      + rewrite Nat.div_div by lia. f_equal. f_equal. lia.
      + rewrite Z.testbit_odd, Z.shiftr_div_pow2, Nat2Z.inj_div, Nat2Z.inj_pow by lia. reflexivity.
  Qed.

  (** * GEN's corrections *)

  (* From the two nodes on the path and the bits of the target below them. *)
  Fixpoint corrections_for (node_0 node_1 : u128) (bits : list bool) : list dpf_Correction :=
    match bits with
    | [] => []
    | bit :: bits =>
      let correction := dealer_level_correction prg node_0 node_1 bit in
      correction :: corrections_for (dpf_child prg node_0 correction bit) (dpf_child prg node_1 correction bit) bits
    end.

  Lemma corrections_for_length node_0 node_1 bits : length (corrections_for node_0 node_1 bits) = length bits.
  Proof. revert node_0 node_1. induction bits; intros; cbn; auto. Qed.

  (* The keys for a target of which only the bits are given. *)
  Definition keys_for (bits : list bool) (root_0 root_1 : u128) : dpf_Key * dpf_Key :=
    let start_0 := block_with_flag root_0 false in
    let start_1 := block_with_flag root_1 true in
    let corrections := corrections_for start_0 start_1 bits in
    (mk_dpf_Key start_0 corrections, mk_dpf_Key start_1 corrections).

  Lemma generate_keys_for (target h : u64) (root_0 root_1 : u128) :
    dealer_generate prg target h root_0 root_1 = keys_for (dpf_address_bits target h) root_0 root_1.
  Proof.
    unfold dealer_generate, keys_for. cbv zeta.
    set (bits := dpf_address_bits target h). clearbody bits.
    set (n0 := block_with_flag root_0 false). set (n1 := block_with_flag root_1 true).
    match goal with |- context [fold_left ?f bits ([], n0, n1)] =>
      assert (e : forall corrections m0 m1, fst (fst (fold_left f bits (corrections, m0, m1)))
        = corrections ++ corrections_for m0 m1 bits) end.
    { clear n0 n1. induction bits as [|b bits IH]; intros cs m0 m1; cbn [fold_left corrections_for].
      - cbn. rewrite app_nil_r. reflexivity.
      - rewrite IH, concat_pair, <- app_assoc. reflexivity. }
    specialize (e [] n0 n1). destruct (fold_left _ bits _) as [[cs m0] m1]. cbn in e. subst cs. reflexivity.
  Qed.

  (** * Where the walks of the two parties differ *)

  Lemma child_split node correction (b : bool) :
    dpf_child prg node correction b
    = ixor (if b then prg_Prg_right prg node else prg_Prg_left prg node)
        (if block_flag node
         then ixor (dpf_Correction_word correction)
                (block_bit_block
                  (if b then dpf_Correction_right_flag correction else dpf_Correction_left_flag correction))
         else repr 128 0).
  Proof. unfold dpf_child, dpf_left_child, dpf_right_child. rewrite !iand_replicate. destruct b; reflexivity. Qed.

  (* Off the path the children become equal, in label and flag. *)
  Lemma child_off_path node_0 node_1 (b : bool) : block_flag node_0 <> block_flag node_1 ->
    let correction := dealer_level_correction prg node_0 node_1 b in
    dpf_child prg node_0 correction (negb b) = dpf_child prg node_1 correction (negb b).
  Proof.
    intros h. cbv zeta. rewrite !child_split. unfold dealer_level_correction.
    destruct b; cbn [negb dpf_Correction_word dpf_Correction_left_flag dpf_Correction_right_flag];
      rewrite xorb_false_r, clear_flag_and_flag;
      destruct (block_flag node_0), (block_flag node_1); try congruence;
      rewrite ?ixor_cancel_l, ?ixor_0_r; try reflexivity;
      rewrite ixor_comm, ixor_cancel_r; reflexivity.
  Qed.

  (* On the path the flags of the children differ. *)
  Lemma child_on_path node_0 node_1 (b : bool) : block_flag node_0 <> block_flag node_1 ->
    let correction := dealer_level_correction prg node_0 node_1 b in
    block_flag (dpf_child prg node_0 correction b) <> block_flag (dpf_child prg node_1 correction b).
  Proof.
    intros h. cbv zeta. rewrite !child_split. unfold dealer_level_correction.
    destruct b; cbn [negb dpf_Correction_word dpf_Correction_left_flag dpf_Correction_right_flag];
      destruct (block_flag node_0), (block_flag node_1); try congruence;
      rewrite ?block_flag_ixor, ?block_flag_clear_flag, ?block_flag_bit_block, ?block_flag_ixor, block_flag_zero;
      repeat match goal with |- context [block_flag ?a] => destruct (block_flag a) end; cbn; congruence.
  Qed.

  Lemma walks_on_path node_0 node_1 (bits : list bool) : block_flag node_0 <> block_flag node_1 ->
    let corrections := corrections_for node_0 node_1 bits in
    block_flag (walk node_0 corrections bits) <> block_flag (walk node_1 corrections bits).
  Proof.
    revert node_0 node_1. induction bits as [|b bits IH]; intros n0 n1 h; [exact h|].
    cbn [corrections_for]. cbv zeta. rewrite !walk_cons. apply IH, child_on_path, h.
  Qed.

  Lemma walks_off_path node_0 node_1 (bits other : list bool) : block_flag node_0 <> block_flag node_1 ->
    length other = length bits -> other <> bits ->
    let corrections := corrections_for node_0 node_1 bits in
    walk node_0 corrections other = walk node_1 corrections other.
  Proof.
    revert node_0 node_1 other. induction bits as [|b bits IH]; intros n0 n1 [|c other] h hl ne; try discriminate.
    - congruence.
    - injection hl as hl. cbn [corrections_for]. cbv zeta. rewrite !walk_cons.
      destruct (Bool.bool_dec c b) as [->|nc].
      + apply IH; [apply child_on_path, h | assumption | congruence].
      + replace c with (negb b) by (destruct b, c; cbn; congruence).
        rewrite child_off_path by assumption. reflexivity.
  Qed.
End Tree.
