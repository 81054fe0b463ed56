(* Any number of READs and UPDATEs, each with an item of its own, towards a primary: all views together are within the sum of
   all levels' advantages, of three DPFs an operation, of what a simulator makes that is told no secret. Every operation's inputs
   may depend on everything seen before; the schedule of kinds is public, addresses and values are not.

   This is the privacy of a whole session towards P0 and P1 (towards P2: ManyItemsHelper.v), but for what proofs/SOUNDNESS.md lists
   under "What is left of a session": above all, that a session computes just these views from its tapes.

   [A] is what the primary has (its tape, its shares of the inputs), [S] all else (secrets and the other's shares of them). The
   type of [simulated_views] says what the simulator is told: [A] and fresh draws. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection Counting Chains.
From Duoram.core Require Import Parties LabelFacts PrgAdvantage GenerationSimulated ManyGenerations.
From Duoram.paper Require Import IdealPreprocessing LeafLife ItemView PreparedView ItemPrivacy ReadLife.
From Duoram.Generated Require Import All.
#[local] Open Scope Q_scope.

Section Session.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Laws : RingLaws W} (all_words : list W).
  Hypothesis all_words_enumerate : enumerates all_words anything.
  Context {P : Type} {P_Prg : prg_Prg P} (prg : P) (party : share_Primary).
  Context (h n : u64) (h_below_64 : (val h < 64)%Z) (size : val n = (2 ^ val h)%Z).
  Hypothesis fits_word : (val n <= 2 ^ Zpos (ring_bits W))%Z.

  (* What a primary receives of an operation and its item. *)
  Inductive op_received : Type :=
    | read_seen (seen : read_received (W := W))
    | update_seen (seen : item_received (W := W)).

  (* The schedule: operation j is a READ or an UPDATE. *)
  Context (count : nat) (is_read : nat -> bool).
  Context {A S : Type} (rest : list (A * S)).
  (* For operation j, after what was seen before: what the primary has for it; the other's inputs and the state. *)
  Context (own : nat -> A -> list op_received -> item_own (W := W))
    (inputs : nat -> A * S -> list op_received -> others_inputs (W := W)).
  Hypothesis ands_length : forall j a seen k, length (own_ands (own_dpf_at k (own j a seen))) = nat_of h.
  Hypothesis state_length : forall j r seen,
    len (paper_memory_PrimaryState_memory_share (paper_memory_State_p0 (whole_state (inputs j r seen)))) = n.
  Context (test : A * S -> list op_received -> bool).

  (* The draws of an operation: rho, of which an UPDATE makes no use; the words and roots of its item. *)
  Notation real_op := (W * ((u64 * ((W * W * W) * (W * W * W) * (W * W * W))) * (real_draw * real_draw * real_draw)))%type.
  Definition real_op_space : list real_op :=
    list_prod all_words (list_prod (word_space all_words) (three (root_space h))).
  Definition real_op_view (r : A * S) (j : nat) (seen : list op_received) (d : real_op) : op_received :=
    let '(rho, (words, draws)) := d in
    let o := own j (fst r) seen in
    let i := inputs j r seen in
    let item := prepared prg party h o words draws in
    if is_read j then read_seen (received_of_read party item (read_run party o i item rho))
    else update_seen (received_of_item party item (updated party o i item)).

  (* The simulator's: gamma, and its draws for the item. *)
  Notation key_draw := (list (bool * u128) * list dpf_Correction)%type.
  Notation ideal_op := (W * ((key_draw * key_draw * key_draw) * item_hidden W))%type.
  Definition ideal_op_space : list ideal_op :=
    list_prod all_words (list_prod (three (key_space h)) (coin_space all_words)).
  Definition simulated_op_view (a : A) (j : nat) (seen : list op_received) (e : ideal_op) : op_received :=
    let '(gamma, (keys, coins)) := e in
    let item := simulated_received prg party h n (own j a seen) keys coins in
    if is_read j then read_seen (as_read item gamma) else update_seen item.

  (* All views, in order. *)
  Definition real_views (r : A * S) (draws : list real_op) : list op_received := all_seen (real_op_view r) 0 [] draws.
  Definition simulated_views (a : A) (draws : list ideal_op) : list op_received := all_seen (simulated_op_view a) 0 [] draws.

  Definition real_session : Q :=
    Pr (list_prod rest (draws_from (fun _ => real_op_space) 0 count)) (fun '(r, ds) => test r (real_views r ds)).
  Definition simulated_session : Q :=
    Pr (list_prod rest (draws_from (fun _ => ideal_op_space) 0 count)) (fun '(r, es) => test r (simulated_views (fst r) es)).

  (** * One operation among the others *)

  Notation beside := ((A * S) * (list ideal_op * list real_op))%type.
  Definition beside_op (j : nat) : list beside :=
    others_of rest count (fun _ => real_op_space) (fun _ => ideal_op_space) j.
  Definition views_before (z : beside) : list op_received := seen_before (fun r => simulated_op_view (fst r)) z.
  Definition test_of_op (j : nat) (z : beside) (v : op_received) : bool :=
    test_with real_op_view (fun r => simulated_op_view (fst r)) test j z v.

  (* The distinguisher for level i of DPF k of operation j. *)
  Definition op_distinguisher (j k i : nat) : distinguisher :=
    let own_of (z : beside) := own j (fst (fst z)) (views_before z) in
    let inputs_of (z : beside) := inputs j (fst z) (views_before z) in
    if is_read j then
      read_distinguisher all_words prg party h n (beside_op j) own_of inputs_of (fun z v => test_of_op j z (read_seen v)) k i
    else
      item_distinguisher all_words prg party h n (list_prod (beside_op j) all_words) (fun z => own_of (fst z))
        (fun z => inputs_of (fst z)) (fun z v => test_of_op j (fst z) (update_seen v)) k i.

  Theorem session_of_items_simulated :
    Qabs (real_session - simulated_session)
    <= sum_below count (fun j => sum_below 3 (fun k => sum_below (nat_of h) (fun i => Adv prg (op_distinguisher j k i)))).
  Proof.
    apply (chain_replaced rest count (fun _ => real_op_space) real_op_view (fun _ => ideal_op_space)
      (fun r => simulated_op_view (fst r)) test).
    intros j hj. fold (beside_op j). fold (test_of_op j).
    pose (own_of (z : beside) := own j (fst (fst z)) (views_before z)).
    pose (inputs_of (z : beside) := inputs j (fst z) (views_before z)).
    unfold op_distinguisher, real_op_view, simulated_op_view. fold own_of inputs_of. destruct (is_read j) eqn:kind.
    - eapply Qle_trans; [|apply (read_life_simulated all_words all_words_enumerate prg party h n h_below_64 size fits_word
        (beside_op j) own_of inputs_of) with (test := fun z v => test_of_op j z (read_seen v))];
        [|intros; apply ands_length | intros; apply state_length].
      apply Qle_lteq. right. apply Qabs_wd. unfold Qminus. apply Qplus_comp; [|apply Qopp_comp].
      + apply Pr_regrouped. reflexivity.
      + apply Pr_regrouped. reflexivity.
    - eapply Qle_trans; [|apply (item_life_simulated all_words all_words_enumerate prg party h n h_below_64 size fits_word
        (list_prod (beside_op j) all_words) (fun z => own_of (fst z)) (fun z => inputs_of (fst z)))
        with (test := fun z v => test_of_op j (fst z) (update_seen v))];
        [|intros; apply ands_length | intros; apply state_length].
      apply Qle_lteq. right. apply Qabs_wd. unfold Qminus. apply Qplus_comp; [|apply Qopp_comp].
      + apply Pr_regrouped. reflexivity.
      + apply Pr_regrouped. reflexivity.
  Qed.
End Session.

(* For the words of the implementation. *)
Definition session_of_items_simulated_u64 {P : Type} {P_Prg : prg_Prg P} (prg : P) :=
  session_of_items_simulated (W := u64) (words 64) (words_enumerate 64) prg.
