(* Any number of lean READs, UPDATEs, WRITEs and SWAPs, each with an item of its own: all views of one party together are within the sum of all
   their prices of what a simulator makes that is told no secret. Every operation's inputs may depend on everything seen before; the
   schedule of kinds is public, addresses, values and the memory are not.

   This is the privacy of a whole session towards each of the three parties, but for what proofs/SOUNDNESS.md lists under "What is left of
   a session": above all, that a session's words are these draws.

   [A] is what the party has (its tape and its streams with the others, its shares of the inputs), [S] all else (secrets and the others' shares
   of them). The type of the simulated views says what the simulator is told: [A] and fresh draws. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection Counting Chains.
From Duoram.core Require Import Parties PrgAdvantage.
From Duoram.lean Require Import Generation LayeredPath PreparingView CorrectionsUniform KeysToP2 OperationView ItemLife ItemLifeOfP1 ItemLifeOfP2.
From Duoram.Generated Require Import All.
#[local] Open Scope Q_scope.

Section Session.
  Context {P : Type} {P_Prg : prg_Prg P} {P_Layers : lean_layers_Layers P} (prg : P).
  Context (h : u64) (h_small : (val h < 64)%Z).
  (* The schedule: what operation j is. *)
  Context (count : nat) (op : nat -> lean_op).
  Context {A S : Type} (rest : list (A * S)).
  Notation n := (lean_party_size h).
  Notation levels_of j := (Datatypes.S (tree_level h (purpose_of (op j)))).
  Notation tweaks_of j := (tweaks h (purpose_of (op j))).

  (** * P0 *)

  Section P0.
    (* For operation j, after what was seen before: what P0 has for it; the state and P1's inputs. *)
    Context (own : nat -> A -> list life_seen -> life_own) (inputs : nat -> A * S -> list life_seen -> op_inputs).
    Hypothesis own_sized : forall j a seen, life_sized h (op j) (own j a seen).
    Context (test : A * S -> list life_seen -> bool).

    Definition real_view_of_0 (r : A * S) (j : nat) (seen : list life_seen) draw : life_seen :=
      life_view prg h (op j) (own j (fst r) seen) (inputs j r seen) draw.
    Definition simulated_view_of_0 (a : A) (j : nat) (seen : list life_seen) coins : life_seen :=
      simulated_view prg h (op j) (own j a seen) coins.
    Definition real_session_of_0 : Q := real_chain rest count (fun j => life_space h (op j)) real_view_of_0 test.
    Definition simulated_session_of_0 : Q :=
      ideal_chain rest count (fun j => life_coin_space h (op j)) (fun r => simulated_view_of_0 (fst r)) test.

    (* The distinguisher for node k of DPF i (a, b) of operation j. *)
    Notation before z := (seen_before (fun r => simulated_view_of_0 (fst r)) z).
    Definition distinguisher_of_0 (j i k : nat) : node_distinguisher :=
      life_distinguisher prg h (op j) (others_of rest count (fun j => life_space h (op j)) (fun j => life_coin_space h (op j)) j)
        (fun z => own j (fst (fst z)) (before z)) (fun z => inputs j (fst z) (before z))
        (test_with real_view_of_0 (fun r => simulated_view_of_0 (fst r)) test j) i k.

    Theorem lean_session_of_items_simulated_to_P0 :
      Qabs (real_session_of_0 - simulated_session_of_0)
      <= sum_below count (fun j => sum_below 2 (fun i => sum_below (levels_of j) (fun k => node_Adv prg (tweaks_of j k) (distinguisher_of_0 j i k)))).
    Proof.
      apply chain_replaced. intros j hj.
      exact (lean_item_life_of_P0_simulated prg h h_small (op j)
        (others_of rest count (fun j => life_space h (op j)) (fun j => life_coin_space h (op j)) j)
        (fun z => own j (fst (fst z)) (before z)) (fun z => inputs j (fst z) (before z))
        (fun z => own_sized j _ _)
        (test_with real_view_of_0 (fun r => simulated_view_of_0 (fst r)) test j)).
    Qed.
  End P0.

  (** * P1 *)

  Section P1.
    Context (own : nat -> A -> list life_seen_1 -> life_own_1) (inputs : nat -> A * S -> list life_seen_1 -> op_inputs).
    Hypothesis own_sized : forall j a seen, life_sized_1 h (op j) (own j a seen).
    Context (test : A * S -> list life_seen_1 -> bool).

    Definition real_view_of_1 (r : A * S) (j : nat) (seen : list life_seen_1) draw : life_seen_1 :=
      life_view_1 prg h (op j) (own j (fst r) seen) (inputs j r seen) draw.
    Definition simulated_view_of_1 (a : A) (j : nat) (seen : list life_seen_1) coins : life_seen_1 :=
      simulated_view_1 prg h (op j) (own j a seen) coins.
    Definition real_session_of_1 : Q := real_chain rest count (fun j => life_space_1 h (op j)) real_view_of_1 test.
    Definition simulated_session_of_1 : Q :=
      ideal_chain rest count (fun j => life_coin_space_1 h (op j)) (fun r => simulated_view_of_1 (fst r)) test.

    Notation before z := (seen_before (fun r => simulated_view_of_1 (fst r)) z).
    Definition distinguisher_of_1 (j i k : nat) : node_distinguisher :=
      life_distinguisher_1 prg h (op j) (others_of rest count (fun j => life_space_1 h (op j)) (fun j => life_coin_space_1 h (op j)) j)
        (fun z => own j (fst (fst z)) (before z)) (fun z => inputs j (fst z) (before z))
        (test_with real_view_of_1 (fun r => simulated_view_of_1 (fst r)) test j) i k.

    Theorem lean_session_of_items_simulated_to_P1 :
      Qabs (real_session_of_1 - simulated_session_of_1)
      <= sum_below count (fun j => sum_below 2 (fun i => sum_below (levels_of j) (fun k => node_Adv prg (tweaks_of j k) (distinguisher_of_1 j i k)))).
    Proof.
      apply chain_replaced. intros j hj.
      exact (lean_item_life_of_P1_simulated prg h h_small (op j)
        (others_of rest count (fun j => life_space_1 h (op j)) (fun j => life_coin_space_1 h (op j)) j)
        (fun z => own j (fst (fst z)) (before z)) (fun z => inputs j (fst z) (before z))
        (fun z => own_sized j _ _)
        (test_with real_view_of_1 (fun r => simulated_view_of_1 (fst r)) test j)).
    Qed.
  End P1.

  (** * P2 *)

  Section P2.
    Context (own : nat -> A -> list life_seen_2 -> life_own_2) (inputs : nat -> A * S -> list life_seen_2 -> op_secrets).
    Hypothesis own_sized : forall j a seen, life_sized_2 h (op j) (own j a seen).
    Context (test : A * S -> list life_seen_2 -> bool).

    (* With the root of either DPF that P2 is not sent. *)
    Definition space_of_2 (j : nat) := list_prod life_space_2 (list_prod labels labels).
    Definition real_view_of_2 (r : A * S) (j : nat) (seen : list life_seen_2) draw : life_seen_2 :=
      let '(draw, (root_a, root_b)) := draw in life_view_2 prg h (op j) (own j (fst r) seen) (inputs j r seen) draw root_a root_b.
    Definition simulated_view_of_2 (a : A) (j : nat) (seen : list life_seen_2) coins : life_seen_2 :=
      simulated_view_2 h (op j) (own j a seen) coins.
    Definition real_session_of_2 : Q := real_chain rest count space_of_2 real_view_of_2 test.
    Definition simulated_session_of_2 : Q :=
      ideal_chain rest count (fun j => life_coin_space_2 h (op j)) (fun r => simulated_view_of_2 (fst r)) test.

    Notation before z := (seen_before (fun r => simulated_view_of_2 (fst r)) z).
    Notation beside j := (others_of rest count space_of_2 (fun j => life_coin_space_2 h (op j)) j).
    Notation test_of j := (test_with real_view_of_2 (fun r => simulated_view_of_2 (fst r)) test j).
    Definition distinguisher_a_of_2 (j k : nat) : node_distinguisher :=
      life_distinguisher_a prg h (op j) (beside j) (fun z => own j (fst (fst z)) (before z)) (fun z => inputs j (fst z) (before z)) (test_of j) k.
    Definition distinguisher_b_of_2 (j k : nat) : node_distinguisher :=
      life_distinguisher_b prg h (op j) (beside j) (fun z => own j (fst (fst z)) (before z)) (fun z => inputs j (fst z) (before z)) (test_of j) k.

    Theorem lean_session_of_items_simulated_to_P2 :
      Qabs (real_session_of_2 - simulated_session_of_2)
      <= sum_below count (fun j => sum_below (levels_of j) (fun k => node_Adv prg (tweaks_of j k) (distinguisher_a_of_2 j k))
                                   + sum_below (levels_of j) (fun k => node_Adv prg (tweaks_of j k) (distinguisher_b_of_2 j k))).
    Proof.
      apply chain_replaced. intros j hj.
      eapply Qle_trans; [|exact (lean_item_life_of_P2_simulated prg h h_small (op j) (beside j)
        (fun z => own j (fst (fst z)) (before z)) (fun z => inputs j (fst z) (before z))
        (fun z => own_sized j _ _) (test_of j))].
      apply Qle_lteq. right. apply Qabs_wd. unfold Qminus. apply Qplus_comp; [|reflexivity].
      unfold real_life_2. fold (space_of_2 j). rewrite !Pr_mean, !(mean_prod (list_prod (list_prod (beside j) _) _)).
      rewrite !(mean_prod (list_prod (beside j) _)), !(mean_prod (beside j)). apply mean_ext. intros z _.
      unfold space_of_2. rewrite (mean_prod life_space_2). apply mean_ext. intros draw _. rewrite (mean_prod labels). reflexivity.
    Qed.
  End P2.
End Session.

(* With the PRG of the implementation. *)
Definition lean_session_of_items_simulated_to_P0_aes := lean_session_of_items_simulated_to_P0 (P := prg_AesPrg).
Definition lean_session_of_items_simulated_to_P1_aes := lean_session_of_items_simulated_to_P1 (P := prg_AesPrg).
Definition lean_session_of_items_simulated_to_P2_aes := lean_session_of_items_simulated_to_P2 (P := prg_AesPrg).
