(* The session of SessionViews.v on its tapes: `session::connect`, then `session::load`, `preprocess`, `reads`, `updates` and `write`, one after the
   other, as each is asked for. If the three tapes hold the words of all draws one behind the other, whatever stands behind, then
   the messages are those of the draws ([tape_session_is_of_draws]). Over three uniform tapes the draws are uniform (UniformTapes.v): so what a receiver
   sees of a session on uniform tapes, its own tape and all messages to it, is what SessionViews.v speaks of ([view_on_tapes_is_drawn]). *)
From Coq Require Import Lia.
From Duoram Require Import Bijection Counting.
From Duoram.core Require Import VectorFacts LabelFacts DrawnWords.
From Duoram.paper Require Import StateSizes SessionSteps TapeDiscipline ItemDraws SessionRuns RunDraws SessionViews UniformTapes.
From Duoram.paper Require Export SessionMachine.
From Duoram.Generated Require Import All.

(* All messages of the steps, each asked for after the results so far. *)
Fixpoint tape_session (ask : nat -> list (u64 * u64) -> session_step) (k : nat) (results : list (u64 * u64))
  (session : paper_session_Session) (steps : nat) : list (list paper_session_Sent) :=
  match steps with
  | O => []
  | S steps =>
      let taken := take_step session (ask k results) in
      paper_session_Step_sent taken ::
      tape_session ask (S k) (results ++ paper_session_Step_results taken) (paper_session_Step_session taken) steps
  end.

Lemma tape_session_is_session_sent (ask : nat -> list (u64 * u64) -> session_step) : forall draws k results session,
  let h := paper_session_Session_log_size session in
  (forall i d results, nth_error draws i = Some d -> fits h (ask (k + i)%nat results) d) ->
  next_words (paper_session_Session_tape_0 session) (flat_map drawn_0 draws) ->
  next_words (paper_session_Session_tape_1 session) (flat_map drawn_1 draws) ->
  next_words (paper_session_Session_tape_2 session) (flat_map (drawn_2 h) draws) ->
  tape_session ask k results session (length draws) = session_sent ask k results (without_tapes session) draws.
Proof.
  induction draws as [|d draws IH]; intros k results session; cbv zeta; [reflexivity|]. intros fit s_0 s_1 s_2.
  cbn [flat_map] in s_0, s_1, s_2. cbn [length tape_session session_sent].
  pose proof (fit 0%nat d results eq_refl) as now. rewrite Nat.add_0_r in now.
  assert (e := step_is_of_its_draws session (ask k results) d now (next_first _ _ _ s_0) (next_first _ _ _ s_1) (next_first _ _ _ s_2)).
  cbv zeta in e. rewrite e. set (made := step_of_draws (without_tapes session) (ask k results) d) in *.
  cbn [with_tapes paper_session_Step_sent paper_session_Step_results bare]. f_equal.
  match goal with |- tape_session _ _ _ ?s _ = _ => change (paper_session_Step_session (bare made)) with (without_tapes s) end.
  assert (same : paper_session_Session_log_size (paper_session_Step_session made) = paper_session_Session_log_size session)
    by exact (log_size_kept (without_tapes session) (ask k results) d).
  apply IH; cbn [with_tapes paper_session_Step_session paper_session_Session_log_size paper_session_Session_tape_0
    paper_session_Session_tape_1 paper_session_Session_tape_2]; rewrite ?same.
  - intros i d' results' hi. replace (S k + i)%nat with (k + S i)%nat by lia. exact (fit (S i) d' results' hi).
  - apply next_rest, s_0.
  - apply next_rest, s_1.
  - apply next_rest, s_2.
Qed.

Section Tapes.
  Context (h n : u64).

  (* A schedule's draws are as many as its steps take. *)
  Lemma draws_fit (ask : nat -> list (u64 * u64) -> session_step) : forall shapes k items masks blinds,
    (forall i s results, nth_error shapes i = Some s -> has_shape s (ask (k + i)%nat results)) ->
    (forall k results memory_share_0 memory_share_1, ask k results = step_load memory_share_0 memory_share_1 ->
      sized n memory_share_0 /\ sized n memory_share_1) ->
    length items = items_in shapes -> Forall (proper_item h) items -> length masks = masks_in shapes ->
    length blinds = loads_in shapes -> Forall (fun b => sized n (fst b) /\ sized n (snd b)) blinds ->
    forall i d results, nth_error (draws_of shapes items masks blinds) i = Some d -> fits h (ask (k + i)%nat results) d.
  Proof.
    induction shapes as [|s shapes IH]; intros k items masks blinds asked loads li proper lm lb sizes i d results e; [destruct i; discriminate|].
    assert (later : forall i s results, nth_error shapes i = Some s -> has_shape s (ask (S k + i)%nat results)).
    { intros j s' r' e'. replace (S k + j)%nat with (k + S j)%nat by lia. exact (asked (S j) s' r' e'). }
    assert (others : forall items masks blinds j, length items = items_in shapes -> Forall (proper_item h) items -> length masks = masks_in shapes ->
      length blinds = loads_in shapes -> Forall (fun b => sized n (fst b) /\ sized n (snd b)) blinds ->
      nth_error (draws_of shapes items masks blinds) j = Some d -> fits h (ask (k + S j)%nat results) d).
    { intros items' masks' blinds' j a b c a' b' e'. replace (k + S j)%nat with (S k + j)%nat by lia.
      exact (IH (S k) items' masks' blinds' later loads a b c a' b' j d results e'). }
    pose proof (asked 0%nat s results eq_refl) as shaped. rewrite Nat.add_0_r in shaped. clear IH asked later.
    destruct s as [|r u|q|q|]; cbn [draws_of items_in masks_in loads_in] in *.
    - destruct blinds as [|[b_0 b_1] blinds]; [discriminate|]. injection lb as lb. inversion_clear sizes as [|? ? [z_0 z_1] sizes'].
      destruct i as [|i]; cbn [nth_error hd tl fst snd] in e.
      + injection e as <-. rewrite Nat.add_0_r. destruct (ask k results) eqn:step; try contradiction.
        destruct (loads _ _ _ _ step) as [m_0 _]. unfold fits, sized in *. cbn [fst snd] in *. split; congruence.
      + apply (others items masks blinds); assumption.
    - destruct i as [|i]; cbn [nth_error] in e.
      + injection e as <-. rewrite Nat.add_0_r. destruct (ask k results); try contradiction. destruct shaped as [er eu].
        unfold batch_of, fits. rewrite !map_length, !app_length, !firstn_length, skipn_length, er, eu.
        repeat apply conj; try lia. apply Forall_map, Forall_app. split.
        * apply Forall_forall. intros f hf. rewrite Forall_forall in proper. apply proper. rewrite <- (firstn_skipn r items). apply in_or_app. left. exact hf.
        * apply Forall_forall. intros f hf. rewrite Forall_forall in proper. apply proper. rewrite <- (firstn_skipn r items). apply in_or_app. right.
          rewrite <- (firstn_skipn u (skipn r items)). apply in_or_app. left. exact hf.
      + apply (others (skipn (r + u) items) masks blinds); try assumption; [rewrite skipn_length; lia|].
        apply Forall_forall. intros f hf. rewrite Forall_forall in proper. apply proper. rewrite <- (firstn_skipn (r + u) items). apply in_or_app. right. exact hf.
    - destruct i as [|i]; cbn [nth_error] in e.
      + injection e as <-. rewrite Nat.add_0_r. destruct (ask k results); try contradiction. destruct shaped as [la _]. cbn [fits]. rewrite la. apply firstn_length_le. lia.
      + apply (others items (skipn q masks) blinds); try assumption. rewrite skipn_length. lia.
    - destruct i as [|i]; cbn [nth_error] in e.
      + injection e as <-. rewrite Nat.add_0_r. destruct (ask k results); try contradiction. exact I.
      + apply (others items masks blinds); assumption.
    - destruct i as [|i]; cbn [nth_error] in e.
      + injection e as <-. rewrite Nat.add_0_r. destruct (ask k results); try contradiction. destruct masks; [discriminate | reflexivity].
      + apply (others items (skipn 1 masks) blinds); try assumption. rewrite skipn_length. lia.
  Qed.

  Lemma draws_of_length shapes items masks blinds : length (draws_of shapes items masks blinds) = length shapes.
  Proof. revert items masks blinds. induction shapes as [|[] shapes IH]; intros; cbn; congruence. Qed.

  (* Three tapes with the words of all draws, from the three parts of K on. *)
  Definition tapes_of (block_0 block_1 block_2 : u128) (rests : list u64 * list u64 * list u64) (draws : list step_draws) :
    list u64 * list u64 * list u64 :=
    (block_words block_0 ++ flat_map drawn_0 draws ++ fst (fst rests), block_words block_1 ++ flat_map drawn_1 draws ++ snd (fst rests),
     block_words block_2 ++ flat_map (drawn_2 h) draws ++ snd rests).
  Definition below_2_64 (tapes : list u64 * list u64 * list u64) : Prop :=
    Z.of_nat (length (fst (fst tapes))) < 2 ^ 64 /\ Z.of_nat (length (snd (fst tapes))) < 2 ^ 64 /\ Z.of_nat (length (snd tapes)) < 2 ^ 64.
  Definition connected (tapes : list u64 * list u64 * list u64) : paper_session_Session :=
    paper_session_Step_session (paper_session_connect h (fst (fst tapes)) (snd (fst tapes)) (snd tapes)).

  Theorem tape_session_is_of_draws (ask : nat -> list (u64 * u64) -> session_step) (block_0 block_1 block_2 : u128) rests (draws : list step_draws) :
    (forall i d results, nth_error draws i = Some d -> fits h (ask i results) d) ->
    let tapes := tapes_of block_0 block_1 block_2 rests draws in
    below_2_64 tapes ->
    tape_session ask 0 [] (connected tapes) (length draws)
    = session_sent ask 0 [] (paper_session_Step_session (connect_of_draws h block_0 block_1 block_2)) draws.
  Proof.
    intros fit tapes (b_0 & b_1 & b_2).
    assert (begin : forall tape l rest, tape = l ++ rest -> Z.of_nat (length tape) < 2 ^ 64 -> next_words (paper_tape_tape tape) l).
    { intros tape l rest -> b. rewrite app_length in b. split; [exists [], rest; split; reflexivity|].
      change (nat_of (paper_tape_Tape_position (paper_tape_tape (l ++ rest)))) with 0%nat. lia. }
    assert (block : forall block rest, Z.of_nat (length (block_words block ++ rest)) < 2 ^ 64 ->
      paper_tape_peek_block (paper_tape_tape (block_words block ++ rest)) (repr 64 0) = block).
    { intros block rest b. assert (s := begin _ (block_words block) rest eq_refl b). apply (peek_block_next _ _ _ _ s); reflexivity. }
    assert (behind : forall x l rest, Z.of_nat (length (block_words x ++ l ++ rest)) < 2 ^ 64 ->
      next_words (paper_tape_advance (paper_tape_tape (block_words x ++ l ++ rest)) (repr 64 2)) l).
    { intros x l rest b. apply (next_part _ (block_words x) l []). rewrite app_nil_r.
      apply (begin _ _ rest); [rewrite <- app_assoc; reflexivity | exact b]. }
    unfold tapes, tapes_of in b_0, b_1, b_2. cbn [fst snd] in b_0, b_1, b_2.
    assert (e : without_tapes (connected tapes) = paper_session_Step_session (connect_of_draws h block_0 block_1 block_2)).
    { unfold connected, paper_session_connect, tapes, tapes_of. cbv zeta. cbn [fst snd]. rewrite !block by assumption. reflexivity. }
    rewrite <- e. apply tape_session_is_session_sent; [exact fit | apply behind; assumption..].
  Qed.
End Tapes.

(* What a receiver sees of a session on three uniform tapes. *)
Section View.
  Context (h n : u64) (n_is : n = wshl (repr 64 1) (cast 32 h)).
  Context (block_0 block_1 block_2 : u128) (rests : list u64 * list u64 * list u64).
  Context (shapes : list shape) {R : Type} (rest : list R) (ask : R -> nat -> list (u64 * u64) -> session_step).
  Hypothesis asked : forall r k s results, nth_error shapes k = Some s -> has_shape s (ask r k results).
  Hypothesis loads_sized : forall r k results memory_share_0 memory_share_1,
    ask r k results = step_load memory_share_0 memory_share_1 -> sized n memory_share_0 /\ sized n memory_share_1.

  (* The tapes: as many words as the schedule takes, then whatever else. *)
  Notation words_0 := (words_0_in n shapes).
  Notation words_1 := (words_1_in n shapes).
  Notation words_2 := (words_2_in h shapes).
  Definition tapes_from (w_0 w_1 w_2 : list u64) : list u64 * list u64 * list u64 :=
    (block_words block_0 ++ w_0 ++ fst (fst rests), block_words block_1 ++ w_1 ++ snd (fst rests), block_words block_2 ++ w_2 ++ snd rests).
  Hypothesis tapes_small : forall w_0 w_1 w_2, length w_0 = words_0 -> length w_1 = words_1 -> length w_2 = words_2 -> below_2_64 (tapes_from w_0 w_1 w_2).

  (* A test of its tape and of the messages to it, by somebody who knows all secrets. *)
  Context {V Own Made : Type} (to : receiver V Own Made) (tape_of : list u64 -> list u64 -> list u64 -> list u64).
  Context (test : R -> list u64 -> list (list paper_session_Sent) -> bool).
  Definition view_on_tapes : Q :=
    Pr (list_prod rest (list_prod (tuples words_0 W) (list_prod (tuples words_1 W) (tuples words_2 W)))) (fun '(r, (w_0, (w_1, w_2))) =>
      test r (tape_of w_0 w_1 w_2) (map (messages_to to) (tape_session (ask r) 0 [] (connected h (tapes_from w_0 w_1 w_2)) (length shapes)))).

  (* What it has of the draws makes its tape. *)
  Context {A : Type} (owned_of : list full -> list u64 -> blind_pairs -> A) (own_tape : A -> list u64).
  Hypothesis own_tape_is_drawn : forall items masks blinds,
    In items (tables h shapes) -> In masks (all_masks shapes) -> In blinds (all_blinds n shapes) ->
    let draws := draws_of shapes items masks blinds in
    own_tape (owned_of items masks blinds) = tape_of (flat_map drawn_0 draws) (flat_map drawn_1 draws) (flat_map (drawn_2 h) draws).
  Definition test_of_owned (r : R) (a : A) (messages : list (list paper_session_Sent)) : bool := test r (own_tape a) messages.

  Theorem view_on_tapes_is_drawn :
    (view_on_tapes == real_session_view h n to shapes rest ask owned_of (paper_session_Step_session (connect_of_draws h block_0 block_1 block_2)) test_of_owned)%Q.
  Proof.
    unfold view_on_tapes, real_session_view. rewrite !Pr_mean, !mean_prod. apply mean_ext. intros r _.
    pose proof (uniform_tapes h n shapes (fun w_0 w_1 w_2 => indicator (test r (tape_of w_0 w_1 w_2)
      (map (messages_to to) (tape_session (ask r) 0 [] (connected h (tapes_from w_0 w_1 w_2)) (length shapes)))))) as uniform.
    rewrite mean_prod. transitivity (mean (tuples words_0 W) (fun w_0 => mean (tuples words_1 W) (fun w_1 => mean (tuples words_2 W) (fun w_2 =>
      indicator (test r (tape_of w_0 w_1 w_2)
        (map (messages_to to) (tape_session (ask r) 0 [] (connected h (tapes_from w_0 w_1 w_2)) (length shapes)))))))).
    { apply mean_ext. intros w_0 _. rewrite mean_prod. reflexivity. }
    rewrite <- uniform, mean_prod, mean_swap. apply mean_ext. intros masks hm. rewrite mean_prod. apply mean_ext. intros items hi.
    apply mean_ext. intros blinds hb. cbv zeta. unfold test_of_owned.
    pose proof (own_tape_is_drawn items masks blinds hi hm hb) as mine. cbv zeta in mine. rewrite mine. clear mine.
    destruct (drawn_lengths h n shapes items masks blinds hi hm hb) as (l_0 & l_1 & l_2). pose proof (tapes_small _ _ _ l_0 l_1 l_2) as small.
    apply in_tuples in hi as [li hi], hb as [lb hb]. apply tuples_length in hm.
    assert (fit : forall i d results, nth_error (draws_of shapes items masks blinds) i = Some d -> fits h (ask r i results) d).
    { apply (draws_fit h n (ask r) shapes 0 items masks blinds).
      - intros j s results e. exact (asked r j s results e).
      - intros j results m_0 m_1. apply loads_sized.
      - exact li.
      - apply Forall_forall. intros f hf. apply in_full_space, hi, hf.
      - exact hm.
      - exact lb.
      - apply Forall_forall. intros [b_0 b_1] hin. apply hb, in_prod_iff in hin as [i_0 i_1]. apply tuples_length in i_0, i_1. split; assumption. }
    pose proof (tape_session_is_of_draws h (ask r) block_0 block_1 block_2 rests (draws_of shapes items masks blinds) fit small) as messages.
    cbv zeta in messages. rewrite draws_of_length in messages. unfold real_messages, tapes_from. unfold tapes_of in messages. rewrite messages. reflexivity.
  Qed.
End View.
