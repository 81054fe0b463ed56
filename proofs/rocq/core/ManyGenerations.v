(* Any number of DPFs, one after the other replaced by what the simulator makes (GenerationSimulated.v): the price is the sum
   of all levels' advantages of all of them. The DPFs may have different heights, targets and roots; what is made of
   them, together with all else ([rest]), is the test's matter: it sees every view, key and leaf. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection Counting Chains.
From Duoram.core Require Import Parties LabelFacts TreeLevels GenerationPrivacy GenerationRunPrivacy PrgAdvantage KeyPrivacy
  GenerationSimulated.
From Duoram.Generated Require Import All.
#[local] Open Scope Q_scope.

(* What is drawn: the other's root and the triples; or fresh draws, corrections and the label at the target. *)
Notation real_draw := (u128 * list (bool * u128))%type.
Notation ideal_draw := (list (bool * u128) * list dpf_Correction * u128)%type.

(* What a primary receives while a DPF is generated, its key, and the other's leaves. *)
Definition outcome : Type := list (distributed_gen_Operands * u128) * dpf_Key * list u128.

Section Generations.
  Context {P : Type} {P_Prg : prg_Prg P} (prg : P) (party : share_Primary).
  Context {R : Type} (rest : list R) (count : nat).
  (* Of DPF j: own root, own levels, the other's share of the target, the target, the height. *)
  Context (root : nat -> R -> u128) (levels : nat -> R -> list level_share) (bits : nat -> R -> list bool)
    (target : nat -> R -> u64) (h : nat -> u64).
  Hypothesis h_small : forall j, (val (h j) < 64)%Z.
  Hypothesis levels_length : forall j r, length (levels j r) = nat_of (h j).
  Hypothesis bits_length : forall j r, length (bits j r) = nat_of (h j).
  Hypothesis target_small : forall j r, (val (target j r) < 2 ^ val (h j))%Z.
  Hypothesis target_shared : forall j r, xor_bits (map share_bit (levels j r)) (bits j r) = dpf_address_bits (target j r) (h j).
  Context (test : R -> list outcome -> bool).

  Definition real_outcome (r : R) (j : nat) (d : real_draw) : outcome :=
    let '(other_root, masks) := d in
    let secret := {| secret_bits := bits j r; secret_root := other_root |} in
    let g := run prg party (root j r) (levels j r) secret (dealt_draws (levels j r) masks) in
    (map (received party) (distributed_gen_Generation_messages g), own_key party (run_keys g), other_labels party g).
  Definition ideal_outcome (r : R) (j : nat) (d : ideal_draw) : outcome :=
    let '(coins, corrections, seed) := d in
    let key := simulated_key party (root j r) corrections in
    (simulated_run prg party (root j r) (levels j r) corrections coins, key,
     other_leaves (dpf_eval_full prg key) (target j r) seed).

  Definition real_space (j : nat) : list real_draw := list_prod labels (tuples (nat_of (h j)) mask_space).
  Definition ideal_space (j : nat) : list ideal_draw :=
    list_prod (list_prod (tuples (nat_of (h j)) mask_space) (tuples (nat_of (h j)) fresh_corrections)) labels.

  Definition real_generations : Q :=
    real_chain rest count real_space (fun r j _ => real_outcome r j) test.
  Definition simulated_generations : Q :=
    ideal_chain rest count ideal_space (fun r j _ => ideal_outcome r j) test.

  (* All that there is besides DPF j, and the test as one of DPF j. *)
  Definition rest_of (j : nat) : list (R * (list ideal_draw * list real_draw)) :=
    others_of rest count real_space ideal_space j.
  Definition test_of (j : nat) (z : R * (list ideal_draw * list real_draw))
    (messages : list (distributed_gen_Operands * u128)) (key : dpf_Key) (leaves : list u128) : bool :=
    test_with (fun r j _ => real_outcome r j) (fun r j _ => ideal_outcome r j) test j z (messages, key, leaves).
  Definition dpf_distinguisher (j : nat) : nat -> distinguisher :=
    generation_distinguisher prg party (rest_of j) (fun z => root j (fst z)) (fun z => levels j (fst z))
      (fun z => target j (fst z)) (h j) (test_of j).

  (* The theorem: the price of all DPFs. *)
  Theorem generations_simulated :
    Qabs (real_generations - simulated_generations)
    <= sum_below count (fun j => sum_below (nat_of (h j)) (fun i => Adv prg (dpf_distinguisher j i))).
  Proof.
    apply chain_replaced. intros j hj.
    eapply Qle_trans; [|apply (generation_simulated prg party (rest_of j) (fun z => root j (fst z)) (fun z => levels j (fst z))
      (fun z => bits j (fst z)) (fun z => target j (fst z)) (h j)); auto].
    apply Qle_lteq. right. apply Qabs_wd. unfold Qminus. apply Qplus_comp; [|apply Qopp_comp].
    - unfold real_generation, real_space, rest_of. rewrite !Pr_mean, !mean_prod. apply mean_ext. intros z _.
      rewrite mean_prod. reflexivity.
    - unfold simulated_generation, ideal_space, rest_of. rewrite !Pr_mean, !mean_prod. apply mean_ext. intros z _.
      rewrite !mean_prod. apply mean_ext. intros coins _. apply mean_ext. intros cs _. apply mean_ext. intros seed _.
      reflexivity.
  Qed.
End Generations.
