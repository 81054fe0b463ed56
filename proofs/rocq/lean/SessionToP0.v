(* Privacy of a lean session on uniform tapes and streams, towards P0: its view is its tape, its streams with P1 and with P2, and all messages that `lean::session`
   sends it from the first step on, in any public schedule of at most one load, batches, READs, UPDATEs, WRITEs and SWAPs with an item for each query,
   and whatever is asked, as a function of all secrets and of all results before. For every test, that knows all secrets besides, the view is
   within the sum of the advantages against the PRG, 2(d + 1) for each item with a tree of d levels, of what a simulator makes of P0's own
   tape and streams and of fresh draws ([lean_session_simulated_to_P0]). The simulator takes these and the schedule, and nothing else: no input, no result.

   The first 10 words of each tape, of which two are a part of the PRG's key, are fixed and known to all, as is all that stands on the tapes and in the streams
   elsewhere than the words of the items and of the load. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection Counting Chains BackwardChains.
From Duoram.core Require Import Parties VectorFacts PrgAdvantage HiddenParts.
From Duoram.lean Require Import Generation PreparingView SessionAnswersIdeal CorrectionsUniform OperationView ItemLife WholeSchedule TapeDiscipline ItemPlans ItemDraws ItemOnTapes
  SessionTapes SessionItems StepStates SessionSchedule ReceiverP0.
From Duoram.lean Require Export SessionOnTapes.
From Duoram.Generated Require Import All.
#[local] Open Scope Q_scope.

Lemma own_sized_0 (h : u64) (h_small : (val h < 64)%Z) op i : item_fits h (op_for (purpose_of op)) i -> life_sized h op (own_part_0 h (op_for (purpose_of op)) i).
Proof.
  intros fits. assert (same : own_part_0 h (op_for (purpose_of op)) i = own_part_0 h op i) by (destruct op; reflexivity). rewrite same.
  assert (both : item_fits h op i) by (destruct op; exact fits). destruct both as [fa fb]. constructor.
  - exact (held_0_sized h h_small _ _ fa).
  - exact (held_0_sized h h_small _ _ fb).
  - destruct i as [[w0 [ra rb]] [[w1 [ra' rb']] [[ga [gb [dd [x y]]]] [[[[[l1 [u1 k1]] [vs1 s1]] [[l2 [u2 k2]] [vs2 s2]]] m] [[[a' b'] [rm yy]] [va vb]]]]]]. reflexivity.
Qed.
Lemma items_hide_from_0 (h : u64) p :
  hides (item_pairs h p) (fun x => seen_of_0 h p (fst x)) (fun x => hidden_part_0 (fst x)) (life_space h (op_for p)).
Proof.
  unfold item_pairs. apply (hides_of (item_space (tree_level h p)) (seen_of_0 h p) hidden_part_0).
  - intros g. rewrite mean_prod. apply mean_ext. intros i _. cbn [fst]. apply mean_const, xor_words_not_empty.
  - pose proof (lean_item_hides_from_P0 h (op_for p) (seen_of_0 h p)) as hiding. rewrite purpose_of_op_for in hiding. apply hiding. intros. reflexivity.
Qed.
Lemma load_hides_from_0 (n : u64) :
  hides (list_prod (list_prod (tuples (nat_of n) some_words) (tuples (nat_of n) some_words)) (tuples (nat_of n) xor_words)) (fun l : load_drawn => (fst (fst l), [] : list u64))
    (fun l => map (ring_Ring_from_u64 W) (snd (fst l))) (tuples (nat_of n) xor_words).
Proof.
  apply (hides_of (list_prod (tuples (nat_of n) some_words) (tuples (nat_of n) some_words)) (fun l : list u64 * list u64 => (fst l, [] : list u64))
    (fun l => map (ring_Ring_from_u64 W) (snd l))).
  - intros g. rewrite mean_prod. apply mean_ext. intros l _. cbn [fst]. apply mean_const, tuples_not_empty, xor_words_not_empty.
  - intros g. rewrite !mean_prod. apply mean_ext. intros l_01 _. cbn [fst snd].
    rewrite (mean_const (tuples (nat_of n) some_words)) by apply tuples_not_empty, words_not_empty.
    exact (yields_each _ _ _ (nat_of n) word_yields (fun l => g (l_01, []) l)).
Qed.

Section Privacy.
  Context (h : u64) (h_small : (val h < 64)%Z).
  (* The words of the memory. *)
  Context (m : u64) (m_fits : at_most m (lean_party_size h)).
  Context (hello_0 hello_1 hello_2 rest_0 rest_1 rest_2 : list u64).
  Hypothesis said_0 : length hello_0 = nat_of lean_party_HELLO_WORDS.
  Hypothesis said_1 : length hello_1 = nat_of lean_party_HELLO_WORDS.
  Hypothesis said_2 : length hello_2 = nat_of lean_party_HELLO_WORDS.
  Context (behind_01 stream_02 behind_12 : list u64) (tail_01 tail_02 tail_12 : nat -> list u64) (more_01 more_02 more_12 : list (list u64)).
  Notation prg := (agreed_prg hello_0 hello_1 hello_2).
  (* The public schedule, and what is asked, given all secrets and the results so far. *)
  Context (shapes : list lean_shape) (supply : enough shapes 0 0) (one_load : (loads_in shapes <= 1)%nat).
  Notation items := (length (purposes_in shapes)).
  Hypothesis small_0 : (Z.of_nat (length hello_0 + 5 * items + length rest_0) < 2 ^ 64)%Z.
  Hypothesis small_1 : (Z.of_nat (length hello_1 + 5 * items + length rest_1) < 2 ^ 64)%Z.
  Hypothesis small_2 : (Z.of_nat (length hello_2 + 2 * items + length rest_2) < 2 ^ 64)%Z.
  Context {R : Type} (rest : list R) (ask : R -> nat -> list (W * W) -> lean_step W).
  Hypothesis shaped : forall r k s results, nth_error shapes k = Some s -> has_shape m s (ask r k results).

  (* A test of P0's tape and streams and of the messages to it, by somebody who knows all secrets. *)
  Notation start := (list u64 * (lean_tape_PairStreams * lean_tape_PairStreams))%type.
  Context (test : R -> start -> list (list lean_session_Sent) -> bool).
  Definition start_of_0 (tapes : list u64 * list u64 * list u64) (streams : lean_session_Streams) : start :=
    (fst (fst tapes), (lean_session_Streams_pair_01 streams, lean_session_Streams_pair_02 streams)).
  Notation to := (primary_0 prg h).
  Definition real_view_of_0 : Q :=
    view_on_tapes h m hello_0 hello_1 hello_2 rest_0 rest_1 rest_2 behind_01 stream_02 behind_12 tail_01 tail_02 tail_12 more_01 more_02 more_12 shapes rest ask to start_of_0 test.

  (* The simulator's: of what P0 has, which is its tape and streams, and of fresh draws. *)
  Notation owned := ((list u64 * list u64) * queues item_drawn)%type.
  Definition start_with_0 : owned -> start :=
    start_with hello_0 hello_1 hello_2 rest_0 rest_1 rest_2 behind_01 stream_02 behind_12 tail_01 tail_02 tail_12 more_01 more_02 more_12 shapes start_of_0.
  Definition coins_of_0 :=
    draws_from (fun j => coin_spaces (life_coin_space h) (tuples (nat_of m) xor_words) (kind_at shapes j)) 0 (length (kinds shapes)).
  Definition simulated_messages_to_0 (a : owned) coins : list (list lean_session_Sent) :=
    messages_of to shapes (all_seen (fun j _ => simulated_seen fst (simulated_view prg h) (kind_at shapes) (own_at h to shapes) a j) 0 [] coins).
  Definition simulated_view_of_0 : Q :=
    Pr (list_prod (owned_rest h m to shapes rest) coins_of_0) (fun '((a, r), coins) => test r (start_with_0 a) (simulated_messages_to_0 a coins)).

  Definition test_of_0 : R -> owned -> list (list lean_session_Sent) -> bool :=
    test_of_owned hello_0 hello_1 hello_2 rest_0 rest_1 rest_2 behind_01 stream_02 behind_12 tail_01 tail_02 tail_12 more_01 more_02 more_12 shapes start_of_0 test.
  Definition session_price_of_0 : nat -> Q :=
    run_price_of_0 prg h m (length (kinds shapes)) (kind_at shapes) (owned_rest h m to shapes rest) (own_at h to shapes) (mine_at h m to shapes ask) (inputs_at h m to shapes ask)
      (share_at h m to shapes ask) (views_test to shapes test_of_0).

  Theorem lean_session_simulated_to_P0 : Qabs (real_view_of_0 - simulated_view_of_0) <= sum_below (length (kinds shapes)) session_price_of_0.
  Proof.
    pose proof (primary_0_is_lawful prg h h_small) as law.
    assert (drawn : real_view_of_0 == real_view prg h m to shapes rest ask test_of_0).
    { unfold real_view_of_0, test_of_0.
      apply (session_on_tapes_is_drawn h h_small m m_fits hello_0 hello_1 hello_2 rest_0 rest_1 rest_2 said_0 said_1 said_2 behind_01 stream_02 behind_12 tail_01 tail_02 tail_12
        more_01 more_02 more_12 shapes supply small_0 small_1 small_2 rest ask shaped to start_of_0 test).
      intros l rs us. unfold start_with, start_of_0, owned_of, tapes_of, streams_of_items, session_tapes, session_streams.
      cbn [primary_0 load_own seen_of fst snd lean_session_Streams_pair_01 lean_session_Streams_pair_02].
      assert (own : forall p i, of_tape_0 (p, seen_of_0 h p i) = of_tape_0 (p, i) /\ of_stream_01 (p, seen_of_0 h p i) = of_stream_01 (p, i) /\
        of_stream_02 (p, seen_of_0 h p i) = of_stream_02 (p, i)) by (intros p [p_0 [p_1 [c [e [f v]]]]]; repeat split; reflexivity).
      rewrite (tape_is_own shapes of_tape_0 (seen_of_0 h)) by apply own. rewrite (streams_are_own shapes of_stream_01 (seen_of_0 h)) by apply own.
      rewrite (streams_are_own shapes of_stream_02 (seen_of_0 h)) by apply own. reflexivity. }
    rewrite drawn. clear drawn.
    rewrite (session_is_schedule prg h m to law shapes supply one_load rest ask shaped (life_space h)).
    - assert (simulated : simulated_view_of_0 == simulated_schedule_of_0 prg h m (length (kinds shapes)) (kind_at shapes) (owned_rest h m to shapes rest) (own_at h to shapes)
        (views_test to shapes test_of_0)).
      { unfold simulated_view_of_0, simulated_schedule_of_0, simulated_schedule, coins_of_0. rewrite !Pr_mean. apply mean_ext. intros [[a r] cs] _. reflexivity. }
      assert (fit : forall j a op, kind_at shapes j = lean_using op \/ kind_at shapes j = lean_idle op -> life_sized h op (own_at h to shapes j a)).
      { intros j a op kind. unfold own_at. cbv zeta.
        assert (p : purpose_at (kind_at shapes j) = purpose_of op) by (destruct kind as [-> | ->]; reflexivity).
        rewrite p. apply (own_sized_0 h h_small), fitted_fits. }
      pose proof (lean_whole_schedule_simulated_to_P0 prg h h_small m (length (kinds shapes)) (kind_at shapes) (owned_rest h m to shapes rest) (own_at h to shapes)
        (mine_at h m to shapes ask) (inputs_at h m to shapes ask) (share_at h m to shapes ask) fit
        (fun j z before => share_at_length h m to shapes ask j z before) (views_test to shapes test_of_0)) as bound.
      rewrite simulated. exact bound.
    - intros op. destruct op; reflexivity.
    - apply items_hide_from_0.
    - apply load_hides_from_0.
  Qed.
End Privacy.
