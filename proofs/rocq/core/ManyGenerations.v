(* Any number of DPFs, one after the other replaced by what the simulator makes (GenerationSimulated.v): the price is the sum
   of all levels' advantages of all of them. The DPFs may have different heights, targets and roots; what is made of
   them, together with all else ([rest]), is the test's matter: it sees every view, key and leaf. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection Counting.
From Duoram.core Require Import Parties LabelFacts TreeLevels GenerationPrivacy GenerationRunPrivacy PrgAdvantage KeyPrivacy
  GenerationSimulated.
From Duoram.Generated Require Import All.
#[local] Open Scope Q_scope.

(* What is drawn: the other's root and the triples; or fresh draws, corrections and the label at the target. *)
Notation real_draw := (u128 * list (bool * u128))%type.
Notation ideal_draw := (list (bool * u128) * list dpf_Correction * u128)%type.

(* What a primary receives while a DPF is generated, its key, and the other's leaves. *)
Definition outcome : Type := list (distributed_gen_Operands * u128) * dpf_Key * list u128.

(* A list of draws, of DPF j, j + 1, ..., as outcomes. *)
Fixpoint outcomes {D : Type} (outcome_of : nat -> D -> outcome) (j : nat) (draws : list D) : list outcome :=
  match draws with
  | [] => []
  | d :: draws => outcome_of j d :: outcomes outcome_of (S j) draws
  end.

Lemma outcomes_snoc {D : Type} (outcome_of : nat -> D -> outcome) (j : nat) (draws : list D) (d : D) :
  outcomes outcome_of j (draws ++ [d]) = outcomes outcome_of j draws ++ [outcome_of (j + length draws)%nat d].
Proof.
  revert j. induction draws as [|x draws IH]; intros j; cbn [outcomes app length].
  - rewrite Nat.add_0_r. reflexivity.
  - rewrite IH. replace (j + S (length draws))%nat with (S j + length draws)%nat by lia. reflexivity.
Qed.

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

  (* Independent draws for DPF j, j + 1, ..., m of them. *)
  Fixpoint draws_from {D : Type} (space : nat -> list D) (j m : nat) : list (list D) :=
    match m with
    | O => [[]]
    | S m => map (fun z => fst z :: snd z) (list_prod (space j) (draws_from space (S j) m))
    end.
  Lemma mean_draws_0 {D : Type} (space : nat -> list D) (j : nat) (f : list D -> Q) : mean (draws_from space j 0) f == f [].
  Proof. apply mean_singleton. Qed.
  Lemma mean_draws_S {D : Type} (space : nat -> list D) (j m : nat) (f : list D -> Q) :
    mean (draws_from space j (S m)) f
    == mean (space j) (fun x => mean (draws_from space (S j) m) (fun xs => f (x :: xs))).
  Proof. cbn [draws_from]. rewrite mean_map, mean_prod. reflexivity. Qed.
  Lemma mean_draws_snoc {D : Type} (space : nat -> list D) (j m : nat) (f : list D -> Q) :
    mean (draws_from space j (S m)) f
    == mean (draws_from space j m) (fun xs => mean (space (j + m)%nat) (fun x => f (xs ++ [x]))).
  Proof.
    revert j f. induction m as [|m IH]; intros j f.
    - rewrite mean_draws_S, mean_draws_0, Nat.add_0_r. apply mean_ext. intros x _. rewrite mean_draws_0. reflexivity.
    - rewrite mean_draws_S, mean_draws_S. apply mean_ext. intros x _. rewrite IH.
      replace (S j + m)%nat with (j + S m)%nat by lia. reflexivity.
  Qed.
  Lemma draws_length {D : Type} (space : nat -> list D) (j m : nat) (l : list D) : In l (draws_from space j m) -> length l = m.
  Proof.
    revert j l. induction m as [|m IH]; intros j l; cbn [draws_from].
    - intros [<-|[]]. reflexivity.
    - rewrite in_map_iff. intros ([x xs] & <- & i). apply in_prod_iff in i. cbn. f_equal. apply (IH (S j)), i.
  Qed.

  Definition real_generations : Q :=
    Pr (list_prod rest (draws_from real_space 0 count)) (fun '(r, ds) => test r (outcomes (real_outcome r) 0 ds)).
  Definition simulated_generations : Q :=
    Pr (list_prod rest (draws_from ideal_space 0 count)) (fun '(r, ds) => test r (outcomes (ideal_outcome r) 0 ds)).

  (* Game j: the first j DPFs are simulated. *)
  Definition generations_game (j : nat) : Q :=
    mean rest (fun r => mean (draws_from ideal_space 0 j) (fun is =>
      mean (draws_from real_space j (count - j)) (fun ds =>
        indicator (test r (outcomes (ideal_outcome r) 0 is ++ outcomes (real_outcome r) j ds))))).

  (* All that there is besides DPF j. *)
  Definition rest_of (j : nat) : list (R * (list ideal_draw * list real_draw)) :=
    list_prod rest (list_prod (draws_from ideal_space 0 j) (draws_from real_space (S j) (count - S j))).
  Definition test_of (j : nat) (z : R * (list ideal_draw * list real_draw))
    (messages : list (distributed_gen_Operands * u128)) (key : dpf_Key) (leaves : list u128) : bool :=
    let '(r, (is, ds)) := z in
    test r (outcomes (ideal_outcome r) 0 is ++ (messages, key, leaves) :: outcomes (real_outcome r) (S j) ds).
  Definition dpf_distinguisher (j : nat) : nat -> distinguisher :=
    generation_distinguisher prg party (rest_of j) (fun z => root j (fst z)) (fun z => levels j (fst z))
      (fun z => target j (fst z)) (h j) (test_of j).

  Lemma generations_step (j : nat) : (j < count)%nat ->
    Qabs (generations_game j - generations_game (S j))
    <= sum_below (nat_of (h j)) (fun i => Adv prg (dpf_distinguisher j i)).
  Proof.
    intros hj.
    eapply Qle_trans; [|apply (generation_simulated prg party (rest_of j) (fun z => root j (fst z)) (fun z => levels j (fst z))
      (fun z => bits j (fst z)) (fun z => target j (fst z)) (h j)); auto].
    apply Qle_lteq. right. apply Qabs_wd. unfold Qminus. apply Qplus_comp; [|apply Qopp_comp].
    - unfold generations_game, real_generation, rest_of. rewrite Pr_mean, !mean_prod. apply mean_ext. intros r _.
      rewrite mean_prod. apply mean_ext. intros is _.
      replace (count - j)%nat with (S (count - S j)) by lia. rewrite mean_draws_S.
      rewrite (mean_swap (real_space j)). apply mean_ext. intros ds _. unfold real_space. rewrite mean_prod. reflexivity.
    - unfold generations_game, simulated_generation, rest_of. rewrite Pr_mean, !mean_prod. apply mean_ext. intros r _.
      rewrite mean_prod, mean_draws_snoc. apply mean_ext. intros is i. apply draws_length in i. cbn [Nat.add].
      rewrite (mean_swap (ideal_space j)). apply mean_ext. intros ds _. unfold ideal_space. rewrite !mean_prod.
      apply mean_ext. intros coins _. apply mean_ext. intros cs _. apply mean_ext. intros seed _.
      rewrite outcomes_snoc, i, <- app_assoc. reflexivity.
  Qed.

  (* The theorem: the price of all DPFs. *)
  Theorem generations_simulated :
    Qabs (real_generations - simulated_generations)
    <= sum_below count (fun j => sum_below (nat_of (h j)) (fun i => Adv prg (dpf_distinguisher j i))).
  Proof.
    setoid_replace real_generations with (generations_game 0).
    2: { unfold real_generations, generations_game. rewrite Pr_mean, mean_prod. apply mean_ext. intros r _.
         rewrite mean_draws_0, Nat.sub_0_r. reflexivity. }
    setoid_replace simulated_generations with (generations_game count).
    2: { unfold simulated_generations, generations_game. rewrite Pr_mean, mean_prod. apply mean_ext. intros r _.
         apply mean_ext. intros is _. rewrite Nat.sub_diag, mean_draws_0. cbn [outcomes]. rewrite app_nil_r. reflexivity. }
    eapply Qle_trans; [apply hybrid|]. unfold sum_below at 1 2.
    assert (every : forall j, In j (seq 0 count) -> (j < count)%nat) by (intros j i; apply in_seq in i; lia).
    revert every. induction (seq 0 count) as [|j js IH]; intros every; [apply Qle_refl|].
    rewrite !total_cons. apply Qplus_le_compat; [apply generations_step, every; left; reflexivity|].
    apply IH. intros k i. apply every. right. assumption.
  Qed.
End Generations.
