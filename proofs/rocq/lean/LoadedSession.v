(* A lean session that begins with a load: what a party is sent of it is uniform, and so ManyItems.v holds of load and operations together. P0 is
   sent D_1 - B, P2 A = D_0 + x; P1 is sent nothing. There is one load, before all else, as reference/PROTOCOL.md has it: a second one would take
   the same B and x.

   What a party is sent joins what it has ([A]): its own things, the other's inputs and the state may depend on it. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection Counting Chains.
From Duoram.core Require Import Parties PrgAdvantage.
From Duoram.lean Require Import Generation LayeredPath PreparingView CorrectionsUniform OperationView ItemLife ItemLifeOfP2 ManyItems.
From Duoram.Generated Require Import All.
#[local] Open Scope Q_scope.

Lemma mean_masked_share (d : list W) (f : list W -> Q) :
  mean (tuples (length d) xor_words) (fun b => f (lean_memory_masked_share d b)) == mean (tuples (length d) xor_words) f.
Proof.
  rewrite <- (mean_vector_shifted (length d) d f) by lia. apply mean_ext. intros b _. apply eq_subrelation; [exact _|]. f_equal.
  unfold lean_memory_masked_share, vector_sub, vector_add. revert b. induction d as [|x d IH]; intros [|y b]; try reflexivity.
  cbn [combine map]. rewrite IH. f_equal. apply xor_word_ext. cbn. apply ixor_comm.
Qed.
Lemma mean_loaded_alpha (d : list W) (f : list W -> Q) :
  mean (tuples (length d) xor_words) (fun x => f (lean_memory_loaded_alpha_0 d x)) == mean (tuples (length d) xor_words) f.
Proof.
  rewrite <- (mean_vector_shifted (length d) d f) by lia. apply mean_ext. intros b _. apply eq_subrelation; [exact _|]. f_equal.
  unfold lean_memory_loaded_alpha_0, vector_add. revert b. induction d as [|x d IH]; intros [|y b]; try reflexivity.
  cbn [combine map]. rewrite IH. f_equal. apply xor_word_ext. cbn. apply ixor_comm.
Qed.

Section Session.
  Context {P : Type} {P_Prg : prg_Prg P} {P_Layers : lean_layers_Layers P} (prg : P).
  Context (h : u64) (h_small : (val h < 64)%Z) (count : nat) (op : nat -> lean_op).
  Context {A S : Type} (rest : list (A * S)).
  Context (m : nat). (* the words of the load *)
  Notation levels_of j := (Datatypes.S (tree_level h (purpose_of (op j)))).
  Notation tweaks_of j := (tweaks h (purpose_of (op j))).

  (* All else, with what is sent of the load: as it is made of a share of the memory and a mask, and uniform. *)
  Definition with_load (sent : A * S -> list W -> list W) : list ((A * list W) * S) :=
    map (fun '(r, mask) => ((fst r, sent r mask), snd r)) (list_prod rest (tuples m xor_words)).
  Definition with_uniform_load : list ((A * list W) * S) := with_load (fun _ words => words).

  Lemma load_is_uniform (sent : A * S -> list W -> list W) (f : (A * list W) * S -> Q) :
    (forall r (g : list W -> Q), mean (tuples m xor_words) (fun mask => g (sent r mask)) == mean (tuples m xor_words) g) ->
    mean (with_load sent) f == mean with_uniform_load f.
  Proof.
    intros same. unfold with_uniform_load, with_load. rewrite !mean_map, !mean_prod. apply mean_ext. intros r _.
    exact (same r (fun words => f ((fst r, words), snd r))).
  Qed.

  (** * P0 *)

  Section P0.
    Context (share_1 : A * S -> list W) (own : nat -> A * list W -> list life_seen -> life_own)
      (inputs : nat -> (A * list W) * S -> list life_seen -> op_inputs).
    Hypothesis share_sized : forall r, length (share_1 r) = m.
    Hypothesis own_sized : forall j a seen, life_sized h (op j) (own j a seen).
    Context (test : (A * list W) * S -> list life_seen -> bool).

    Definition loaded_for_0 : list ((A * list W) * S) := with_load (fun r b => lean_memory_masked_share (share_1 r) b).
    Definition real_loaded_session_of_0 : Q := real_session_of_0 prg h count op loaded_for_0 own inputs test.
    Definition simulated_loaded_session_of_0 : Q := simulated_session_of_0 prg h count op with_uniform_load own test.

    Theorem lean_loaded_session_simulated_to_P0 :
      Qabs (real_loaded_session_of_0 - simulated_loaded_session_of_0)
      <= sum_below count (fun j => sum_below 2 (fun i => sum_below (levels_of j) (fun k =>
           node_Adv prg (tweaks_of j k) (distinguisher_of_0 prg h count op loaded_for_0 own inputs test j i k)))).
    Proof.
      assert (e : simulated_loaded_session_of_0 == simulated_session_of_0 prg h count op loaded_for_0 own test).
      { unfold simulated_loaded_session_of_0, simulated_session_of_0, ideal_chain. rewrite !Pr_mean, !mean_prod. symmetry.
        apply load_is_uniform. intros r g. rewrite <- (share_sized r). apply mean_masked_share. }
      rewrite e. apply lean_session_of_items_simulated_to_P0; assumption.
    Qed.
  End P0.

  (** * P2 *)

  Section P2.
    Context (share_0 : A * S -> list W) (own : nat -> A * list W -> list life_seen_2 -> life_own_2)
      (inputs : nat -> (A * list W) * S -> list life_seen_2 -> op_secrets).
    Hypothesis share_sized : forall r, length (share_0 r) = m.
    Hypothesis own_sized : forall j a seen, life_sized_2 h (op j) (own j a seen).
    Context (test : (A * list W) * S -> list life_seen_2 -> bool).

    Definition loaded_for_2 : list ((A * list W) * S) := with_load (fun r x => lean_memory_loaded_alpha_0 (share_0 r) x).
    Definition real_loaded_session_of_2 : Q := real_session_of_2 prg h count op loaded_for_2 own inputs test.
    Definition simulated_loaded_session_of_2 : Q := simulated_session_of_2 h count op with_uniform_load own test.

    Theorem lean_loaded_session_simulated_to_P2 :
      Qabs (real_loaded_session_of_2 - simulated_loaded_session_of_2)
      <= sum_below count (fun j =>
           sum_below (levels_of j) (fun k => node_Adv prg (tweaks_of j k) (distinguisher_a_of_2 prg h count op loaded_for_2 own inputs test j k))
           + sum_below (levels_of j) (fun k => node_Adv prg (tweaks_of j k) (distinguisher_b_of_2 prg h count op loaded_for_2 own inputs test j k))).
    Proof.
      assert (e : simulated_loaded_session_of_2 == simulated_session_of_2 h count op loaded_for_2 own test).
      { unfold simulated_loaded_session_of_2, simulated_session_of_2, ideal_chain. rewrite !Pr_mean, !mean_prod. symmetry.
        apply load_is_uniform. intros r g. rewrite <- (share_sized r). apply mean_loaded_alpha. }
      rewrite e. apply lean_session_of_items_simulated_to_P2; assumption.
    Qed.
  End P2.
End Session.
