(* Runs that are replaced one after the other, from the last to the first: each may hang on everything that was drawn for the runs
   before it, also on what was not seen of it. (Chains.v goes from the first to the last, where it may hang on what was seen.) *)
From Coq Require Import Lia.
From Duoram Require Import Bijection Counting Chains HaxFacts.
#[local] Open Scope Q_scope.
(* The views of runs, each of which may depend on all draws of the runs before it, seen or not. *)
Fixpoint views_of {D V : Type} (view : nat -> list D -> D -> V) (j : nat) (before draws : list D) : list V :=
  match draws with
  | [] => []
  | d :: draws => view j before d :: views_of view (S j) (before ++ [d]) draws
  end.
Lemma views_of_snoc {D V : Type} (view : nat -> list D -> D -> V) (j : nat) (before draws : list D) (d : D) :
  views_of view j before (draws ++ [d]) = views_of view j before draws ++ [view (j + length draws)%nat (before ++ draws) d].
Proof.
  revert j before. induction draws as [|x draws IH]; intros j before; cbn [app views_of length].
  - rewrite Nat.add_0_r, app_nil_r. reflexivity.
  - rewrite IH. replace (S j + length draws)%nat with (j + S (length draws))%nat by lia. rewrite <- app_assoc. reflexivity.
Qed.

(* Where a real run may hang on everything that was drawn before it, the last one is replaced first: while a run is replaced,
   those before it are real, with all their draws at hand, and those after it are replaced already. An ideal run hangs on no
   more than what was seen. *)
Section Backwards.
  Context {R D E V : Type} (rest : list R) (count : nat).
  Context (real_space : nat -> list D) (real : R -> nat -> list D -> D -> V).
  Context (ideal_space : nat -> list E) (ideal : R -> nat -> list V -> E -> V).
  Context (test : R -> list V -> bool).

  Definition real_run : Q :=
    Pr (list_prod rest (draws_from real_space 0 count)) (fun '(r, ds) => test r (views_of (real r) 0 [] ds)).
  Definition ideal_run : Q :=
    Pr (list_prod rest (draws_from ideal_space 0 count)) (fun '(r, es) => test r (all_seen (ideal r) 0 [] es)).

  (* Beside run j: all else, the real draws before it, and those of the replaced runs after it. *)
  Definition others_beside (j : nat) : list (R * (list D * list E)) :=
    list_prod rest (list_prod (draws_from real_space 0 j) (draws_from ideal_space (S j) (count - S j))).
  Definition drawn_before (z : R * (list D * list E)) : list D := fst (snd z).
  Definition views_before (z : R * (list D * list E)) : list V := views_of (real (fst z)) 0 [] (drawn_before z).
  Definition test_beside (j : nat) (z : R * (list D * list E)) (v : V) : bool :=
    test (fst z) (all_seen (ideal (fst z)) (S j) (views_before z ++ [v]) (snd (snd z))).

  Context (price : nat -> Q).
  Hypothesis priced : forall j, (j < count)%nat ->
    Qabs (Pr (list_prod (others_beside j) (real_space j)) (fun '(z, d) => test_beside j z (real (fst z) j (drawn_before z) d))
          - Pr (list_prod (others_beside j) (ideal_space j)) (fun '(z, e) => test_beside j z (ideal (fst z) j (views_before z) e)))
    <= price j.

  (* Game j: the first j runs are real. *)
  Definition run_game (j : nat) : Q :=
    mean rest (fun r => mean (draws_from real_space 0 j) (fun ds => mean (draws_from ideal_space j (count - j)) (fun es =>
      indicator (test r (all_seen (ideal r) j (views_of (real r) 0 [] ds) es))))).

  Lemma run_step (j : nat) : (j < count)%nat -> Qabs (run_game j - run_game (S j)) <= price j.
  Proof.
    intros hj. rewrite Qabs_Qminus. eapply Qle_trans; [|apply priced, hj].
    apply Qle_lteq. right. apply Qabs_wd. unfold Qminus. apply Qplus_comp; [|apply Qopp_comp].
    - unfold run_game, others_beside. rewrite Pr_mean, !mean_prod. apply mean_ext. intros r _.
      rewrite mean_prod, mean_draws_snoc. apply mean_ext. intros ds i. apply draws_length in i. cbn [Nat.add].
      rewrite (mean_swap (real_space j)). apply mean_ext. intros es _. apply mean_ext. intros d _.
      rewrite views_of_snoc, i. reflexivity.
    - unfold run_game, others_beside. rewrite Pr_mean, !mean_prod. apply mean_ext. intros r _.
      rewrite mean_prod. apply mean_ext. intros ds _.
      replace (count - j)%nat with (S (count - S j)) by lia. rewrite mean_draws_S.
      rewrite (mean_swap (ideal_space j)). reflexivity.
  Qed.

  Theorem runs_replaced : Qabs (real_run - ideal_run) <= sum_below count price.
  Proof.
    setoid_replace ideal_run with (run_game 0).
    2: { unfold ideal_run, run_game. rewrite Pr_mean, mean_prod. apply mean_ext. intros r _.
         rewrite mean_draws_0, Nat.sub_0_r. reflexivity. }
    setoid_replace real_run with (run_game count).
    2: { unfold real_run, run_game. rewrite Pr_mean, mean_prod. apply mean_ext. intros r _.
         apply mean_ext. intros ds _. rewrite Nat.sub_diag, mean_draws_0. reflexivity. }
    rewrite Qabs_Qminus. eapply Qle_trans; [apply hybrid|]. apply sum_below_le. exact run_step.
  Qed.
End Backwards.
