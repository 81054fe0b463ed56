(* Runs that are replaced one after the other: what is seen of each may depend on all that was seen before, and the price of
   replacing all of them is the sum of the prices. Each run is replaced while those before it are replaced already and
   those after it are real, so that a price may speak of all of these ([others_of]): to whoever tells the runs apart they
   are part of what he knows. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection Counting HaxFacts.
#[local] Open Scope Q_scope.

(* Independent draws for runs j, j + 1, ..., m of them. *)
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
(* The last draw apart. *)
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

(* What is seen of runs j, j + 1, ..., after what was seen before. *)
Fixpoint all_seen {D V : Type} (view : nat -> list V -> D -> V) (j : nat) (before : list V) (draws : list D) : list V :=
  match draws with
  | [] => before
  | d :: draws => all_seen view (S j) (before ++ [view j before d]) draws
  end.
Lemma all_seen_snoc {D V : Type} (view : nat -> list V -> D -> V) (j : nat) (before : list V) (draws : list D) (d : D) :
  all_seen view j before (draws ++ [d])
  = all_seen view j before draws ++ [view (j + length draws)%nat (all_seen view j before draws) d].
Proof.
  revert j before. induction draws as [|x draws IH]; intros j before; cbn [app all_seen length].
  - rewrite Nat.add_0_r. reflexivity.
  - rewrite IH. replace (j + S (length draws))%nat with (S j + length draws)%nat by lia. reflexivity.
Qed.

Section Chain.
  Context {R D E V : Type} (rest : list R) (count : nat).
  Context (real_space : nat -> list D) (real : R -> nat -> list V -> D -> V).
  Context (ideal_space : nat -> list E) (ideal : R -> nat -> list V -> E -> V).
  Context (test : R -> list V -> bool).

  Definition real_chain : Q :=
    Pr (list_prod rest (draws_from real_space 0 count)) (fun '(r, ds) => test r (all_seen (real r) 0 [] ds)).
  Definition ideal_chain : Q :=
    Pr (list_prod rest (draws_from ideal_space 0 count)) (fun '(r, es) => test r (all_seen (ideal r) 0 [] es)).

  (* Beside run j: all else, the draws of the replaced runs before it and of the real ones after it. *)
  Definition others_of (j : nat) : list (R * (list E * list D)) :=
    list_prod rest (list_prod (draws_from ideal_space 0 j) (draws_from real_space (S j) (count - S j))).
  Definition seen_before (z : R * (list E * list D)) : list V := all_seen (ideal (fst z)) 0 [] (fst (snd z)).
  Definition test_with (j : nat) (z : R * (list E * list D)) (v : V) : bool :=
    test (fst z) (all_seen (real (fst z)) (S j) (seen_before z ++ [v]) (snd (snd z))).

  (* The price of each run, by itself. *)
  Context (price : nat -> Q).
  Hypothesis priced : forall j, (j < count)%nat ->
    Qabs (Pr (list_prod (others_of j) (real_space j)) (fun '(z, d) => test_with j z (real (fst z) j (seen_before z) d))
          - Pr (list_prod (others_of j) (ideal_space j)) (fun '(z, e) => test_with j z (ideal (fst z) j (seen_before z) e)))
    <= price j.

  (* Game j: the first j runs are replaced. *)
  Definition chain_game (j : nat) : Q :=
    mean rest (fun r => mean (draws_from ideal_space 0 j) (fun es => mean (draws_from real_space j (count - j)) (fun ds =>
      indicator (test r (all_seen (real r) j (all_seen (ideal r) 0 [] es) ds))))).

  Lemma chain_step (j : nat) : (j < count)%nat -> Qabs (chain_game j - chain_game (S j)) <= price j.
  Proof.
    intros hj. eapply Qle_trans; [|apply priced, hj].
    apply Qle_lteq. right. apply Qabs_wd. unfold Qminus. apply Qplus_comp; [|apply Qopp_comp].
    - unfold chain_game, others_of. rewrite Pr_mean, !mean_prod. apply mean_ext. intros r _.
      rewrite mean_prod. apply mean_ext. intros es _.
      replace (count - j)%nat with (S (count - S j)) by lia. rewrite mean_draws_S.
      rewrite (mean_swap (real_space j)). reflexivity.
    - unfold chain_game, others_of. rewrite Pr_mean, !mean_prod. apply mean_ext. intros r _.
      rewrite mean_prod, mean_draws_snoc. apply mean_ext. intros es i. apply draws_length in i. cbn [Nat.add].
      rewrite (mean_swap (ideal_space j)). apply mean_ext. intros ds _. apply mean_ext. intros e _.
      rewrite all_seen_snoc, i. reflexivity.
  Qed.

  Theorem chain_replaced : Qabs (real_chain - ideal_chain) <= sum_below count price.
  Proof.
    setoid_replace real_chain with (chain_game 0).
    2: { unfold real_chain, chain_game. rewrite Pr_mean, mean_prod. apply mean_ext. intros r _.
         rewrite mean_draws_0, Nat.sub_0_r. reflexivity. }
    setoid_replace ideal_chain with (chain_game count).
    2: { unfold ideal_chain, chain_game. rewrite Pr_mean, mean_prod. apply mean_ext. intros r _.
         apply mean_ext. intros es _. rewrite Nat.sub_diag, mean_draws_0. reflexivity. }
    eapply Qle_trans; [apply hybrid|]. apply sum_below_le. exact chain_step.
  Qed.
End Chain.
