(* Privacy of a session of the paper's protocol on three uniform tapes, towards a primary: its view is its tape and all messages that `paper::session` sends
   it from the first step on; for every test of it, that knows all secrets besides, the view is within the sum of the advantages, 3h
   for each item, of what a simulator makes of the primary's own draws, P2's halves of triples for it, and fresh draws ([session_on_uniform_tapes_simulated]).

   Of the tapes, the first two words of each are a part of the key K: fixed, and known to all. Whatever stands behind the words that the schedule
   takes is not read. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection Counting.
From Duoram.core Require Import VectorFacts Parties LabelFacts PrgAdvantage.
From Duoram.core Require DrawnWords.
From Duoram.paper Require Import StateSizes SessionSteps PreparedView WholeView TapeDiscipline ItemDraws SessionReceived SessionRuns RunDraws SessionPrivacy
  SessionOnTapes UniformTapes.
From Duoram.Generated Require Import All.
#[local] Open Scope Q_scope.

Section Privacy.
  Context (party : share_Primary) (h n : u64) (h_below_64 : (val h < 64)%Z) (size : val n = (2 ^ val h)%Z) (n_is : n = wshl (repr 64 1) (cast 32 h)).
  Context (block_0 block_1 block_2 : u128) (rests : list u64 * list u64 * list u64).
  Context (shapes : list shape) (supply : enough shapes 0 0) {R : Type} (rest : list R)
    (ask : R -> nat -> list (u64 * u64) -> session_step).
  Hypothesis asked : forall r k s results, nth_error shapes k = Some s -> has_shape s (ask r k results).
  Hypothesis loads_sized : forall r k results memory_share_0 memory_share_1,
    ask r k results = step_load memory_share_0 memory_share_1 -> sized n memory_share_0 /\ sized n memory_share_1.

  (* The tapes: as many words as the schedule takes, then whatever else. *)
  Notation words_0 := (words_0_in n shapes).
  Notation words_1 := (words_1_in n shapes).
  Notation words_2 := (words_2_in h shapes).
  Notation tapes_from := (tapes_from block_0 block_1 block_2 rests).
  Hypothesis tapes_small : forall w_0 w_1 w_2, length w_0 = words_0 -> length w_1 = words_1 -> length w_2 = words_2 -> below_2_64 (tapes_from w_0 w_1 w_2).

  (* A test of the primary's tape and of the messages to it, by somebody who knows all secrets. *)
  Context (test : R -> list u64 -> list (list paper_session_Sent) -> bool).
  Definition real_view_on_tapes : Q :=
    Pr (list_prod rest (list_prod (tuples words_0 W) (list_prod (tuples words_1 W) (tuples words_2 W)))) (fun '(r, (w_0, (w_1, w_2))) =>
      test r (fst (in_order party w_0 w_1))
        (map (for_primary party) (tape_session (ask r) 0 [] (connected h (tapes_from w_0 w_1 w_2)) (length shapes)))).

  (* The primary's tape is its words of all items, and its blinds. *)
  Definition primary_of_own (o : item_own (W := u64)) : primary_draws :=
    let '(d_1, d_2, d_3) := own_dpfs o in
    mk_paper_preprocessing_PrimaryRandomness (own_word o) (own_root d_1, own_root d_2, own_root d_3) (own_blind d_1, own_blind d_2, own_blind d_3).
  Definition own_words_of (updates : bool) (items : list (item_own (W := u64))) : list u64 :=
    match party, updates with
    | share_Primary_P0, true => flat_map (forth update_read_off) (map (fun o => (primary_of_own o, own_deltas o)) items)
    | _, _ => flat_map (forth primary_read_off) (map primary_of_own items)
    end.
  Fixpoint own_tape (shapes : list shape) (items : list (item_own (W := u64))) (blinds : list (list u64)) : list u64 :=
    match shapes with
    | [] => []
    | shape_load :: shapes => hd [] blinds ++ own_tape shapes items (tl blinds)
    | shape_batch r u :: shapes =>
        (own_words_of false (firstn r items) ++ own_words_of true (firstn u (skipn r items))) ++ own_tape shapes (skipn (r + u) items) blinds
    | _ :: shapes => own_tape shapes items blinds
    end.

  Lemma own_tape_is_drawn : forall steps items masks blinds,
    own_tape steps (map (full_own party) items) (map (my_blind party) blinds)
    = fst (in_order party (flat_map drawn_0 (draws_of steps items masks blinds)) (flat_map drawn_1 (draws_of steps items masks blinds))).
  Proof.
    assert (mine : forall f, primary_of_own (full_own party f) = match party with share_Primary_P0 => fst (fst f) | share_Primary_P1 => fst (snd (fst f)) end
      /\ own_deltas (full_own party f) = snd f).
    { intros [[p_0 [p_1 [d_1 [d_2 d_3]]]] deltas]. unfold full_own, own_part, own_of_parts. cbn [fst snd].
      destruct party; [destruct p_0 as [i [[a b] c] [[x y] z]] | destruct p_1 as [i [[a b] c] [[x y] z]]]; split; reflexivity. }
    induction steps as [|s steps IH]; intros items masks blinds; [destruct party; reflexivity|].
    destruct s as [|r u|q|q|]; cbn [own_tape draws_of flat_map].
    - destruct blinds as [|[b_0 b_1] blinds]; cbn [map hd tl]; specialize (IH items masks); 
        [specialize (IH []); cbn [map] in IH; rewrite IH; destruct party; reflexivity|].
      specialize (IH blinds). rewrite IH. unfold my_blind. destruct party; reflexivity.
    - specialize (IH (skipn (r + u) items) masks blinds). rewrite !skipn_map, IH. unfold own_words_of.
      rewrite !firstn_map, !map_map.
      assert (p : forall l, map (fun x => primary_of_own (full_own party x)) l
        = map (fun f : full => match party with share_Primary_P0 => fst (fst f) | share_Primary_P1 => fst (snd (fst f)) end) l)
        by (intros l; apply map_ext; intros f; apply mine).
      assert (q : forall l, map (fun x => (primary_of_own (full_own party x), own_deltas (full_own party x))) l
        = map (fun f : full => (match party with share_Primary_P0 => fst (fst f) | share_Primary_P1 => fst (snd (fst f)) end, snd f)) l)
        by (intros l; apply map_ext; intros f; destruct (mine f) as [-> ->]; reflexivity).
      rewrite ?p, ?q. destruct party; cbn [in_order fst batch_of drawn_0 drawn_1].
      + reflexivity.
      + unfold TapeDiscipline.words_1. rewrite map_app, flat_map_app. reflexivity.
    - rewrite (IH items (skipn q masks) blinds). destruct party; reflexivity.
    - rewrite (IH items masks blinds). destruct party; reflexivity.
    - rewrite (IH items (skipn 1 masks) blinds). destruct party; reflexivity.
  Qed.

  (* What the theorem on draws calls a test. *)
  Definition test_of_owned (r : R) (a : list (item_own (W := u64)) * list (list u64)) (messages : list (list paper_session_Sent)) : bool :=
    test r (own_tape shapes (fst a) (snd a)) messages.

  Theorem session_on_uniform_tapes_simulated :
    let prg := mk_prg_AesPrg (aes_expand_key (aes_bytes_of_block (ixor (ixor block_0 block_1) block_2))) in
    Qabs (real_view_on_tapes - simulated_session_view party prg h n shapes rest (repr 64 1) test_of_owned)
    <= sum_below (length (runs shapes)) (session_price party prg h n shapes rest ask (repr 64 1) test_of_owned).
  Proof.
    cbv zeta.
    assert (drawn : real_view_on_tapes
      == real_session_view party h n shapes rest ask (paper_session_Step_session (connect_of_draws h block_0 block_1 block_2)) test_of_owned).
    { apply (view_on_tapes_is_drawn h n block_0 block_1 block_2 rests shapes rest ask asked loads_sized tapes_small (to_primary party h)
        (fun w_0 w_1 _ => fst (in_order party w_0 w_1)) test (fun items _ blinds => owned_of party items blinds) (fun a => own_tape shapes (fst a) (snd a))).
      intros items masks blinds _ _ _. apply own_tape_is_drawn. }
    rewrite drawn. apply session_simulated; try assumption.
    unfold connect_of_draws. cbn [paper_session_Step_session]. rewrite n_is. repeat apply conj; reflexivity.
  Qed.
End Privacy.
