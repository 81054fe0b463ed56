(* Privacy of a lean session on uniform tapes and streams, towards P1: its view is its tape, its streams with P0 and with P2, and all messages that `lean::session`
   sends it, P2's deals among them. All is as towards P0 (SessionToP0.v), but that nothing is sent to it of the load ([lean_session_simulated_to_P1]). *)
From Coq Require Import Lia.
From Duoram Require Import Bijection Counting Chains BackwardChains.
From Duoram.core Require Import Parties VectorFacts PrgAdvantage HiddenParts.
From Duoram.lean Require Import Generation PreparingView SessionAnswersIdeal CorrectionsUniform PreparingPrivacy DealtToP1 OperationView ItemLifeOfP1 WholeSchedule TapeDiscipline ItemPlans ItemDraws ItemOnTapes
  SessionTapes SessionItems StepStates SessionSchedule ReceiverP1.
From Duoram.lean Require Export SessionOnTapes.
From Duoram.Generated Require Import All.
#[local] Open Scope Q_scope.

Lemma own_sized_1 (h : u64) (h_small : (val h < 64)%Z) op i : item_fits h (op_for (purpose_of op)) i -> life_sized_1 h op (own_part_1 h (op_for (purpose_of op)) i).
Proof.
  intros fits. assert (same : own_part_1 h (op_for (purpose_of op)) i = own_part_1 h op i) by (destruct op; reflexivity). rewrite same.
  assert (both : item_fits h op i) by (destruct op; exact fits). destruct both as [fa fb].
  assert (one : forall w, words_fit h (purpose_of op) w -> dpf_own_sized h op (own_1_of h (purpose_of op) w)).
  { intros w fw. constructor; cbn [own_1_of own_index own_mask own_pairs].
    - apply others_index_below, h_small.
    - pose proof (flag_bits_bound h). apply low_bits_below. lia.
    - exact (masks_1_length h _ _ fw). }
  constructor; [exact (one _ fa) | exact (one _ fb)|].
  destruct i as [[w0 [ra rb]] [[w1 [ra' rb']] [[ga [gb [dd [x y]]]] [[[[[l1 [u1 k1]] [vs1 s1]] [[l2 [u2 k2]] [vs2 s2]]] m] [[[a' b'] [rm yy]] [va vb]]]]]]. reflexivity.
Qed.
Lemma items_hide_from_1 (h : u64) p :
  hides (item_pairs h p) (fun x => seen_of_1 h p (fst x)) (fun x => hidden_part_1 (op_for p) (fst x) (snd x)) (life_space_1 h (op_for p)).
Proof.
  unfold item_pairs. pose proof (lean_item_hides_from_P1 h (op_for p) (seen_of_1 h p)) as hiding. rewrite purpose_of_op_for in hiding. apply hiding. intros. reflexivity.
Qed.
Lemma load_hides_from_1 (n : u64) (load : list (list u64 * list u64)) :
  hides (list_prod load (tuples (nat_of n) xor_words)) (fun l : load_drawn => fst l) (fun l => snd l) (tuples (nat_of n) xor_words).
Proof.
  intros g. rewrite !mean_prod. apply mean_ext. intros l _. cbn [fst snd]. symmetry. apply mean_const, tuples_not_empty, xor_words_not_empty.
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

  (* A test of P1's tape and streams and of the messages to it, by somebody who knows all secrets. *)
  Notation start := (list u64 * (lean_tape_PairStreams * lean_tape_PairStreams))%type.
  Context (test : R -> start -> list (list lean_session_Sent) -> bool).
  Definition start_of_1 (tapes : list u64 * list u64 * list u64) (streams : lean_session_Streams) : start :=
    (snd (fst tapes), (lean_session_Streams_pair_01 streams, lean_session_Streams_pair_12 streams)).
  Notation to := (primary_1 prg h).
  Definition real_view_of_1 : Q :=
    view_on_tapes h m hello_0 hello_1 hello_2 rest_0 rest_1 rest_2 behind_01 stream_02 behind_12 tail_01 tail_02 tail_12 more_01 more_02 more_12 shapes rest ask to start_of_1 test.

  (* The simulator's: of what P1 has, which is its tape and streams, and of fresh draws. *)
  Notation owned := ((list u64 * list u64) * queues item_drawn)%type.
  Definition start_with_1 : owned -> start :=
    start_with hello_0 hello_1 hello_2 rest_0 rest_1 rest_2 behind_01 stream_02 behind_12 tail_01 tail_02 tail_12 more_01 more_02 more_12 shapes start_of_1.
  Definition coins_of_1 :=
    draws_from (fun j => coin_spaces (life_coin_space_1 h) [tt] (kind_at shapes j)) 0 (length (kinds shapes)).
  Definition simulated_messages_to_1 (a : owned) coins : list (list lean_session_Sent) :=
    messages_of to shapes (all_seen (fun j _ => simulated_seen fst (simulated_view_1 prg h) (kind_at shapes) (own_at h to shapes) a j) 0 [] coins).
  Definition simulated_view_of_1 : Q :=
    Pr (list_prod (owned_rest h m to shapes rest) coins_of_1) (fun '((a, r), coins) => test r (start_with_1 a) (simulated_messages_to_1 a coins)).

  Definition test_of_1 : R -> owned -> list (list lean_session_Sent) -> bool :=
    test_of_owned hello_0 hello_1 hello_2 rest_0 rest_1 rest_2 behind_01 stream_02 behind_12 tail_01 tail_02 tail_12 more_01 more_02 more_12 shapes start_of_1 test.
  Definition session_price_of_1 : nat -> Q :=
    run_price_of_1 prg h m (length (kinds shapes)) (kind_at shapes) (owned_rest h m to shapes rest) (own_at h to shapes) (mine_at h m to shapes ask) (inputs_at h m to shapes ask)
      (share_at h m to shapes ask) (views_test to shapes test_of_1).

  Theorem lean_session_simulated_to_P1 : Qabs (real_view_of_1 - simulated_view_of_1) <= sum_below (length (kinds shapes)) session_price_of_1.
  Proof.
    pose proof (primary_1_is_lawful prg h) as law.
    assert (drawn : real_view_of_1 == real_view prg h m to shapes rest ask test_of_1).
    { unfold real_view_of_1, test_of_1.
      apply (session_on_tapes_is_drawn h h_small m m_fits hello_0 hello_1 hello_2 rest_0 rest_1 rest_2 said_0 said_1 said_2 behind_01 stream_02 behind_12 tail_01 tail_02 tail_12
        more_01 more_02 more_12 shapes supply small_0 small_1 small_2 rest ask shaped to start_of_1 test).
      intros l rs us. unfold start_with, start_of_1, owned_of, tapes_of, streams_of_items, session_tapes, session_streams.
      cbn [primary_1 load_own seen_of fst snd lean_session_Streams_pair_01 lean_session_Streams_pair_12].
      assert (own : forall p i, of_tape_1 (p, seen_of_1 h p i) = of_tape_1 (p, i) /\ of_stream_01 (p, seen_of_1 h p i) = of_stream_01 (p, i) /\
        of_stream_12 (p, seen_of_1 h p i) = of_stream_12 (p, i)) by (intros p [p_0 [p_1 [c [e [f v]]]]]; repeat split; reflexivity).
      rewrite (tape_is_own shapes of_tape_1 (seen_of_1 h)) by apply own. rewrite (streams_are_own shapes of_stream_01 (seen_of_1 h)) by apply own.
      rewrite (streams_are_own shapes of_stream_12 (seen_of_1 h)) by apply own. reflexivity. }
    rewrite drawn. clear drawn.
    rewrite (session_is_schedule prg h m to law shapes supply one_load rest ask shaped (life_space_1 h)).
    - assert (simulated : simulated_view_of_1 == simulated_schedule_of_1 prg h (length (kinds shapes)) (kind_at shapes) (owned_rest h m to shapes rest) (own_at h to shapes)
        (views_test to shapes test_of_1)).
      { unfold simulated_view_of_1, simulated_schedule_of_1, simulated_schedule, coins_of_1. rewrite !Pr_mean. apply mean_ext. intros [[a r] cs] _. reflexivity. }
      assert (fit : forall j a op, kind_at shapes j = lean_using op \/ kind_at shapes j = lean_idle op -> life_sized_1 h op (own_at h to shapes j a)).
      { intros j a op kind. unfold own_at. cbv zeta.
        assert (p : purpose_at (kind_at shapes j) = purpose_of op) by (destruct kind as [-> | ->]; reflexivity).
        rewrite p. apply (own_sized_1 h h_small), fitted_fits. }
      pose proof (lean_whole_schedule_simulated_to_P1 prg h h_small m (length (kinds shapes)) (kind_at shapes) (owned_rest h m to shapes rest) (own_at h to shapes)
        (mine_at h m to shapes ask) (inputs_at h m to shapes ask) (share_at h m to shapes ask) fit
        (fun j z before => share_at_length h m to shapes ask j z before) (views_test to shapes test_of_1)) as bound.
      rewrite simulated. exact bound.
    - intros op. destruct op; reflexivity.
    - apply items_hide_from_1.
    - apply load_hides_from_1.
  Qed.
End Privacy.
