(* Privacy of a lean session on uniform tapes and streams, towards P2: its view is its tape, its streams with P0 and with P1, and all messages that `lean::session`
   sends it, the keys of either primary among them. All is as towards P0 (SessionToP0.v). Besides P2's own tape and streams the simulator draws the root of
   either key of an item, uniform as it is: what P2 has ([owned_space]) is these three ([lean_session_simulated_to_P2]). *)
From Coq Require Import Lia.
From Duoram Require Import Bijection Counting Chains BackwardChains.
From Duoram.core Require Import Parties VectorFacts LabelFacts PrgAdvantage GenerationSimulated HiddenParts.
From Duoram.lean Require Import Generation PreparingView SessionAnswersIdeal CorrectionsUniform PreparingPrivacy DealtToP1 OperationView ItemLifeOfP1 ItemLifeOfP2 WholeSchedule TapeDiscipline ItemPlans ItemDraws ItemOnTapes
  SessionTapes SessionItems StepStates SessionSchedule ReceiverP2.
From Duoram.lean Require Export SessionOnTapes.
From Duoram.Generated Require Import All.
#[local] Open Scope Q_scope.

Lemma own_sized_2 (h : u64) (h_small : (val h < 64)%Z) op i : item_fits h (op_for (purpose_of op)) i -> life_sized_2 h op (own_part_2 h (op_for (purpose_of op)) i).
Proof.
  intros fits. assert (same : own_part_2 h (op_for (purpose_of op)) i = own_part_2 h op i) by (destruct op; reflexivity). rewrite same.
  assert (both : item_fits h op i) by (destruct op; exact fits). destruct both as [fa fb].
  assert (at_0 : forall held, held_sized h (purpose_of op) held -> held_sized h (purpose_of op) (held_at_index held (repr 64 0) (ring_Ring_zero W))).
  { intros held [i' t m v]. constructor; try assumption. cbn [held_at_index held_index]. change (val (repr 64 0 : u64)) with 0%Z. apply Z.pow_pos_nonneg; pose proof (val_bounds h); lia. }
  pose proof (masks_1_length h _ _ fa) as ma. unfold own_part_2. set (a := item_words false i) in *. set (b := item_words true i) in *.
  assert (in_b : In (fst (fst (hidden_from_1 (purpose_of op) b))) (list_prod (list_prod (tuples (tree_level h (purpose_of op)) mask_space) some_words) xor_words) /\
    In (snd (fst (hidden_from_1 (purpose_of op) b)))
      (list_prod (list_prod (list_prod xor_words (tuples (tree_level h (purpose_of op)) labels)) labels) (tuples (value_words h (purpose_of op)) xor_words)) /\
    length (fst (fst (fst (fst (hidden_from_1 (purpose_of op) b))))) = tree_level h (purpose_of op)).
  { destruct fb as [[fl fv] _]. clear - fl fv. unfold hidden_from_1. destruct (with_0 b) as [[levels [one_hot mask]] [values share]]. cbn [fst snd] in *.
    split; [|split; [|rewrite map_length; exact fl]]; repeat apply in_prod;
      try (apply words_enumerate || apply labels_enumerate || apply xor_words_enumerate; exact I).
    - apply (tuples_enumerate _ mask_space mask_space_enumerates). rewrite map_length. exact fl.
    - apply (tuples_enumerate _ labels labels_enumerate). rewrite map_length. exact fl.
    - apply (tuples_enumerate _ xor_words xor_words_enumerate). rewrite value_words_is. destruct (purpose_of op); [reflexivity|]. rewrite map_length. exact fv. }
  destruct in_b as (in_x & in_y & lx).
  assert (one : dpf_own_sized h op (own_1_of h (purpose_of op) b)).
  { constructor; cbn [own_1_of own_index own_mask own_pairs].
    - apply others_index_below, h_small.
    - pose proof (flag_bits_bound h). apply low_bits_below. lia.
    - exact (masks_1_length h _ _ fb). }
  constructor; cbn [life_2_a life_2_b life_2_others_a life_2_others_b fst snd].
  - apply at_0. exact (held_0_sized h h_small _ _ fa).
  - apply at_0.
    destruct (plan_of_is (agreed_prg [] [] []) h op (own_1_of h (purpose_of op) b) (repr 64 0) (fst (fst (hidden_from_1 (purpose_of op) b))) (snd (fst (hidden_from_1 (purpose_of op) b)))
      (repr 128 0) one) as (_ & sized & _); [|exact sized].
    unfold dealt_space. apply in_prod; [apply in_prod; assumption|]. apply labels_enumerate. exact I.
  - exact ma.
  - exact lx.
Qed.
Lemma items_hide_from_2 (h : u64) p :
  hides (item_pairs h p) (fun x => seen_of_2 p (fst x)) (fun x => hidden_part_2 (fst x)) (space_of_P2 (op_for p)).
Proof.
  unfold item_pairs. apply (hides_of (item_space (tree_level h p)) (seen_of_2 p) hidden_part_2).
  - intros g. rewrite mean_prod. apply mean_ext. intros i _. cbn [fst]. apply mean_const, xor_words_not_empty.
  - pose proof (lean_item_hides_from_P2 h (op_for p) (seen_of_2 p)) as hiding. rewrite purpose_of_op_for in hiding. apply hiding.
    intros. destruct rest as [e [f v]]. reflexivity.
Qed.
Lemma load_hides_from_2 (n : u64) :
  hides (list_prod (list_prod (tuples (nat_of n) some_words) (tuples (nat_of n) some_words)) (tuples (nat_of n) xor_words)) (fun l : load_drawn => ([] : list u64, snd (fst l)))
    (fun l => map (ring_Ring_from_u64 W) (fst (fst l))) (tuples (nat_of n) xor_words).
Proof.
  apply (hides_of (list_prod (tuples (nat_of n) some_words) (tuples (nat_of n) some_words)) (fun l : list u64 * list u64 => ([] : list u64, snd l))
    (fun l => map (ring_Ring_from_u64 W) (fst l))).
  - intros g. rewrite mean_prod. apply mean_ext. intros l _. cbn [fst]. apply mean_const, tuples_not_empty, xor_words_not_empty.
  - intros g. rewrite !mean_prod. cbn [fst snd]. rewrite mean_swap. symmetry. rewrite mean_swap. apply mean_ext. intros l_12 _.
    rewrite (mean_const (tuples (nat_of n) some_words)) by apply tuples_not_empty, words_not_empty.
    symmetry. exact (yields_each _ _ _ (nat_of n) word_yields (fun l => g ([], l_12) l)).
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

  (* A test of P2's tape and streams and of the messages to it, by somebody who knows all secrets. *)
  Notation start := (list u64 * (lean_tape_PairStreams * lean_tape_PairStreams))%type.
  Context (test : R -> start -> list (list lean_session_Sent) -> bool).
  Definition start_of_2 (tapes : list u64 * list u64 * list u64) (streams : lean_session_Streams) : start :=
    (snd tapes, (lean_session_Streams_pair_02 streams, lean_session_Streams_pair_12 streams)).
  Notation to := (party_2 prg h).
  Definition real_view_of_2 : Q :=
    view_on_tapes h m hello_0 hello_1 hello_2 rest_0 rest_1 rest_2 behind_01 stream_02 behind_12 tail_01 tail_02 tail_12 more_01 more_02 more_12 shapes rest ask to start_of_2 test.

  (* The simulator's: of what P2 has, which is its tape and streams and these roots, and of fresh draws. *)
  Notation owned := ((list u64 * list u64) * queues item_drawn)%type.
  Definition start_with_2 : owned -> start :=
    start_with hello_0 hello_1 hello_2 rest_0 rest_1 rest_2 behind_01 stream_02 behind_12 tail_01 tail_02 tail_12 more_01 more_02 more_12 shapes start_of_2.
  Definition coins_of_2 :=
    draws_from (fun j => coin_spaces (life_coin_space_2 h) (tuples (nat_of m) xor_words) (kind_at shapes j)) 0 (length (kinds shapes)).
  Definition simulated_messages_to_2 (a : owned) coins : list (list lean_session_Sent) :=
    messages_of to shapes (all_seen (fun j _ => simulated_seen fst (simulated_view_2 h) (kind_at shapes) (own_at h to shapes) a j) 0 [] coins).
  Definition simulated_view_of_2 : Q :=
    Pr (list_prod (owned_rest h m to shapes rest) coins_of_2) (fun '((a, r), coins) => test r (start_with_2 a) (simulated_messages_to_2 a coins)).

  Definition test_of_2 : R -> owned -> list (list lean_session_Sent) -> bool :=
    test_of_owned hello_0 hello_1 hello_2 rest_0 rest_1 rest_2 behind_01 stream_02 behind_12 tail_01 tail_02 tail_12 more_01 more_02 more_12 shapes start_of_2 test.
  Definition session_price_of_2 : nat -> Q :=
    run_price_of_2 prg h m (length (kinds shapes)) (kind_at shapes) (owned_rest h m to shapes rest) (own_at h to shapes) (inputs_at h m to shapes ask)
      (share_at h m to shapes ask) (views_test to shapes test_of_2).

  Theorem lean_session_simulated_to_P2 : Qabs (real_view_of_2 - simulated_view_of_2) <= sum_below (length (kinds shapes)) session_price_of_2.
  Proof.
    pose proof (party_2_is_lawful prg h h_small) as law.
    assert (drawn : real_view_of_2 == real_view prg h m to shapes rest ask test_of_2).
    { unfold real_view_of_2, test_of_2.
      apply (session_on_tapes_is_drawn h h_small m m_fits hello_0 hello_1 hello_2 rest_0 rest_1 rest_2 said_0 said_1 said_2 behind_01 stream_02 behind_12 tail_01 tail_02 tail_12
        more_01 more_02 more_12 shapes supply small_0 small_1 small_2 rest ask shaped to start_of_2 test).
      intros l rs us. unfold start_with, start_of_2, owned_of, tapes_of, streams_of_items, session_tapes, session_streams.
      cbn [party_2 load_own seen_of fst snd lean_session_Streams_pair_02 lean_session_Streams_pair_12].
      assert (own : forall p i, of_tape_2 (p, seen_of_2 p i) = of_tape_2 (p, i) /\ of_stream_02 (p, seen_of_2 p i) = of_stream_02 (p, i) /\
        of_stream_12 (p, seen_of_2 p i) = of_stream_12 (p, i)) by (intros p [[w0 [ra rb]] [[w1 [ra' rb']] [c [e [f v]]]]]; repeat split; reflexivity).
      rewrite (tape_is_own shapes of_tape_2 seen_of_2) by apply own. rewrite (streams_are_own shapes of_stream_02 seen_of_2) by apply own.
      rewrite (streams_are_own shapes of_stream_12 seen_of_2) by apply own. reflexivity. }
    rewrite drawn. clear drawn.
    rewrite (session_is_schedule prg h m to law shapes supply one_load rest ask shaped space_of_P2).
    - assert (simulated : simulated_view_of_2 == simulated_schedule_of_2 h m (length (kinds shapes)) (kind_at shapes) (owned_rest h m to shapes rest) (own_at h to shapes)
        (views_test to shapes test_of_2)).
      { unfold simulated_view_of_2, simulated_schedule_of_2, simulated_schedule, coins_of_2. rewrite !Pr_mean. apply mean_ext. intros [[a r] cs] _. reflexivity. }
      assert (fit : forall j a op, kind_at shapes j = lean_using op \/ kind_at shapes j = lean_idle op -> life_sized_2 h op (own_at h to shapes j a)).
      { intros j a op kind. unfold own_at. cbv zeta.
        assert (p : purpose_at (kind_at shapes j) = purpose_of op) by (destruct kind as [-> | ->]; reflexivity).
        rewrite p. apply (own_sized_2 h h_small), fitted_fits. }
      pose proof (lean_whole_schedule_simulated_to_P2 prg h h_small m (length (kinds shapes)) (kind_at shapes) (owned_rest h m to shapes rest) (own_at h to shapes)
        (inputs_at h m to shapes ask) (share_at h m to shapes ask) fit
        (fun j z before => share_at_length h m to shapes ask j z before) (views_test to shapes test_of_2)) as bound.
      rewrite simulated. exact bound.
    - intros op. destruct op; reflexivity.
    - apply items_hide_from_2.
    - apply load_hides_from_2.
  Qed.
End Privacy.
