(* A session of the paper's protocol that begins with a load: the other's blinded share, which a primary is sent, is uniform, and so ManyItems.v
   holds of load and operations together. P2 is sent both blinds, which are drawn and hang on nothing: they are part of what it has
   in ManyItemsHelper.v. There is one load, before all else, as reference/PROTOCOL.md has it.

   What the primary is sent joins what it has ([A]): its own things, the other's inputs and the state may depend on it. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection Counting Chains.
From Duoram.core Require Import Parties LabelFacts PrgAdvantage GenerationSimulated.
From Duoram.paper Require Import IdealPreprocessing ItemView PreparedView ItemPrivacy ManyItems.
From Duoram.Generated Require Import All.
#[local] Open Scope Q_scope.

Section Session.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Laws : RingLaws W} (all_words : list W).
  Add Ring W_ring : (ring_theory_W W).
  Hypothesis all_words_enumerate : enumerates all_words anything.

  Lemma mean_blinded_share (d : list W) (f : list W -> Q) :
    mean (tuples (length d) all_words) (fun blind => f (paper_memory_blinded_share d blind)) == mean (tuples (length d) all_words) f.
  Proof.
    revert f. unfold paper_memory_blinded_share, vector_add. induction d as [|x d IH]; intros f; cbn [length].
    - rewrite !mean_tuples_0. reflexivity.
    - rewrite !mean_tuples_S.
      rewrite <- (mean_by_bijection all_words all_words (fun y => ring_Ring_plus x y) (fun y => ring_Ring_minus y x)
        (fun y => mean (tuples (length d) all_words) (fun ys => f (y :: ys))) all_words_enumerate all_words_enumerate)
        by (intros; ring).
      apply mean_ext. intros y _. rewrite <- (IH (fun ys => f (ring_Ring_plus x y :: ys))). reflexivity.
  Qed.

  Context {P : Type} {P_Prg : prg_Prg P} (prg : P) (party : share_Primary).
  Context (h n : u64) (h_below_64 : (val h < 64)%Z) (size : val n = (2 ^ val h)%Z).
  Hypothesis fits_word : (val n <= 2 ^ Zpos (ring_bits W))%Z.
  Context (count : nat) (is_read : nat -> bool) {A S : Type} (rest : list (A * S)).

  (* All else, with the other's blinded share: as it is made of its share and a blind, and uniform. *)
  Context (others_share : A * S -> list W).
  Hypothesis share_sized : forall r, length (others_share r) = nat_of n.
  Notation blinds := (tuples (nat_of n) all_words).
  Definition with_blinded : list ((A * list W) * S) :=
    map (fun '(r, blind) => ((fst r, paper_memory_blinded_share (others_share r) blind), snd r)) (list_prod rest blinds).
  Definition with_uniform : list ((A * list W) * S) := map (fun '(r, words) => ((fst r, words), snd r)) (list_prod rest blinds).

  Context (own : nat -> A * list W -> list (op_received (W := W)) -> item_own (W := W))
    (inputs : nat -> (A * list W) * S -> list (op_received (W := W)) -> others_inputs (W := W)).
  Hypothesis ands_length : forall j a seen k, length (own_ands (own_dpf_at k (own j a seen))) = nat_of h.
  Hypothesis state_length : forall j r seen,
    len (paper_memory_PrimaryState_memory_share (paper_memory_State_p0 (whole_state (inputs j r seen)))) = n.
  Context (test : (A * list W) * S -> list (op_received (W := W)) -> bool).

  Definition real_loaded_session : Q := real_session all_words prg party h count is_read with_blinded own inputs test.
  Definition simulated_loaded_session : Q := simulated_session all_words prg party h n count is_read with_uniform own test.

  Theorem loaded_session_simulated :
    Qabs (real_loaded_session - simulated_loaded_session)
    <= sum_below count (fun j => sum_below 3 (fun k => sum_below (nat_of h) (fun i =>
         Adv prg (op_distinguisher all_words prg party h n count is_read with_blinded own inputs test j k i)))).
  Proof.
    assert (e : simulated_loaded_session == simulated_session all_words prg party h n count is_read with_blinded own test).
    { unfold simulated_loaded_session, simulated_session. rewrite !Pr_mean, !mean_prod. unfold with_uniform, with_blinded.
      rewrite !mean_map, !mean_prod. apply mean_ext. intros r _. symmetry.
      pose (g := fun words => mean (draws_from (fun _ => ideal_op_space all_words h) 0 count) (fun es =>
        indicator (test ((fst r, words), snd r) (simulated_views prg party h n is_read own (fst r, words) es)))).
      rewrite <- (share_sized r). exact (mean_blinded_share (others_share r) g). }
    rewrite e. apply session_of_items_simulated; assumption.
  Qed.
End Session.

(* For the words of the implementation. *)
Definition loaded_session_simulated_u64 {P : Type} {P_Prg : prg_Prg P} (prg : P) :=
  loaded_session_simulated (W := u64) (words 64) (words_enumerate 64) prg.
