(* GEN's trees at every depth: the levels of both parties are equal but for one node, the one on the path to the target,
   where the flags differ; and the corrections below it are GEN's from there. *)
From Coq Require Import Lia.
From Duoram.core Require Export DistributedGeneration.
From Duoram.Generated Require Import All.

(* Two levels that are equal but for node i, whose labels are x and y, with different flags. *)
Definition differ_at (labels_0 labels_1 : list u128) (i : nat) (x y : u128) : Prop :=
  block_flag x <> block_flag y /\
  exists before after, length before = i /\ labels_0 = before ++ x :: after /\ labels_1 = before ++ y :: after.

(* The node that a path leads to. *)
Definition place_of (bits : list bool) : nat := fold_left (fun i (b : bool) => (2 * i + if b then 1 else 0)%nat) bits 0%nat.

Lemma place_of_snoc (bits : list bool) (b : bool) : place_of (bits ++ [b]) = (2 * place_of bits + if b then 1 else 0)%nat.
Proof. unfold place_of. rewrite fold_left_app. reflexivity. Qed.

Lemma firstn_snoc {T : Type} (l : list T) (k : nat) (d : T) : (k < length l)%nat -> firstn (S k) l = firstn k l ++ [nth k l d].
Proof. revert l. induction k as [|k IH]; intros [|x l] h; cbn in *; try lia; [reflexivity|]. rewrite <- IH by lia. reflexivity. Qed.

Lemma skipn_nth {T : Type} (l : list T) (k : nat) (d : T) : (k < length l)%nat -> skipn k l = nth k l d :: skipn (S k) l.
Proof. revert l. induction k as [|k IH]; intros [|x l] h; cbn in *; try lia; [reflexivity|]. rewrite (IH l) by lia. reflexivity. Qed.

(* k levels down on the path to leaf z is node z / 2^(h - k). *)
Lemma place_of_path (h k : nat) (z : Z) : (k <= h)%nat -> 0 <= z < 2 ^ Z.of_nat h ->
  Z.of_nat (place_of (firstn k (path_bits h z))) = z / 2 ^ (Z.of_nat h - Z.of_nat k).
Proof.
  intros hk hz. induction k as [|k IH].
  - cbn. rewrite Z.sub_0_r, Z.div_small by assumption. reflexivity.
  - rewrite (firstn_snoc _ _ false), place_of_snoc by (rewrite path_bits_length; lia).
    rewrite Nat2Z.inj_add, Nat2Z.inj_mul, IH by lia. clear IH.
    rewrite path_bits_map, (nth_map _ _ _ 0%nat), seq_nth by (rewrite ?seq_length; lia). cbn [Nat.add].
    replace (Z.of_nat h - Z.of_nat k) with (Z.of_nat h - 1 - Z.of_nat k + 1) by lia.
    replace (Z.of_nat h - Z.of_nat (S k)) with (Z.of_nat h - 1 - Z.of_nat k) by lia.
    set (j := Z.of_nat h - 1 - Z.of_nat k). assert (hj : 0 <= j) by lia.
    rewrite Z.pow_add_r, <- Z.div_div by (try apply Z.pow_nonzero; lia). change (2 ^ 1) with 2.
    pose proof (Z.div_mod (z / 2 ^ j) 2 ltac:(lia)) as e. rewrite Z.testbit_odd, Z.shiftr_div_pow2 by assumption.
    rewrite Zmod_odd in e. destruct (Z.odd (z / 2 ^ j)); cbn [Z.of_nat]; lia.
Qed.

Section Tree.
  Context {P : Type} {P_Prg : prg_Prg P} (prg : P).

  Lemma next_level_differs (labels_0 labels_1 : list u128) (i : nat) (x y : u128) (b : bool) :
    differ_at labels_0 labels_1 i x y ->
    let c := dealer_level_correction prg x y b in
    differ_at (dpf_next_level prg labels_0 c) (dpf_next_level prg labels_1 c) (2 * i + if b then 1 else 0)
      (dpf_child prg x c b) (dpf_child prg y c b).
  Proof.
    intros (hf & before & after & hi & -> & ->) c. split; [apply child_on_path, hf|].
    pose proof (child_off_path prg x y b hf) as off. cbv zeta in off. fold c in off.
    rewrite !next_level_split. destruct b; cbn [negb] in off.
    - exists (dpf_next_level prg before c ++ [dpf_child prg x c false]), (dpf_next_level prg after c).
      rewrite app_length, next_level_length, <- !app_assoc, off, hi. repeat split.
    - exists (dpf_next_level prg before c), (dpf_child prg x c true :: dpf_next_level prg after c).
      rewrite next_level_length, off, hi. repeat split. lia.
  Qed.

  Lemma levels_snoc (corrections : list dpf_Correction) (c : dpf_Correction) (level : list u128) :
    levels prg (corrections ++ [c]) level = dpf_next_level prg (levels prg corrections level) c.
  Proof. unfold levels. rewrite fold_left_app. reflexivity. Qed.

  (* At each depth k: the node on the path, and GEN's corrections from there. *)
  Theorem levels_differ_on_the_path (start_0 start_1 : u128) (bits : list bool) (k : nat) :
    block_flag start_0 <> block_flag start_1 -> (k <= length bits)%nat ->
    let corrections := corrections_for prg start_0 start_1 bits in
    exists x y,
      differ_at (levels prg (firstn k corrections) [start_0]) (levels prg (firstn k corrections) [start_1])
        (place_of (firstn k bits)) x y /\
      skipn k corrections = corrections_for prg x y (skipn k bits).
  Proof.
    intros hf hk corrections. induction k as [|k IH].
    - exists start_0, start_1. split; [|reflexivity]. split; [exact hf|]. exists [], []. repeat split.
    - destruct IH as (x & y & d & rest); [lia|].
      assert (hl : (k < length corrections)%nat) by (unfold corrections; rewrite corrections_for_length; lia).
      set (b := nth k bits false). set (c := dealer_level_correction prg x y b).
      set (none := mk_dpf_Correction (repr 128 0) false false).
      rewrite (skipn_nth corrections k none), (skipn_nth bits k false) in rest by (assumption || lia).
      cbn [corrections_for] in rest. fold b c in rest. injection rest as hc rest.
      exists (dpf_child prg x c b), (dpf_child prg y c b). split; [|exact rest].
      rewrite (firstn_snoc corrections k none), (firstn_snoc bits k false), hc, !levels_snoc, place_of_snoc by (assumption || lia).
      apply next_level_differs, d.
  Qed.

  (* So the two messages of level k open the correction that GEN has there. *)
  Corollary next_correction (start_0 start_1 : u128) (bits : list bool) (k : nat) (bit_0 bit_1 : bool)
    (triples : du_atallah_AndTriple * du_atallah_AndTriple) :
    block_flag start_0 <> block_flag start_1 -> (k < length bits)%nat -> dealt_for_a_bit triples ->
    xorb bit_0 bit_1 = nth k bits false ->
    let corrections := corrections_for prg start_0 start_1 bits in
    firstn (S k) corrections = firstn k corrections ++ [distributed_gen_correction_of
      (distributed_gen_level_messages prg (levels prg (firstn k corrections) [start_0])
        (levels prg (firstn k corrections) [start_1]) (bit_0, bit_1) triples)].
  Proof.
    intros hf hk ht hb corrections.
    destruct (levels_differ_on_the_path start_0 start_1 bits k hf) as (x & y & (_ & before & after & _ & e_0 & e_1) & rest); [lia|].
    fold corrections in e_0, e_1, rest. rewrite e_0, e_1, distributed_level_correction, hb by assumption.
    set (none := mk_dpf_Correction (repr 128 0) false false).
    rewrite (firstn_snoc corrections k none) by (unfold corrections; rewrite corrections_for_length; lia).
    do 2 f_equal.
    rewrite (skipn_nth corrections k none), (skipn_nth bits k false) in rest
      by (unfold corrections; rewrite ?corrections_for_length; lia).
    cbn [corrections_for] in rest. injection rest. auto.
  Qed.
End Tree.
