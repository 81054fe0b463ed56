(* Privacy of a session of the paper's protocol on three uniform tapes, towards P2: its view is its tape and all messages that `paper::session` sends it from
   the first step on; for every test of it, that knows all secrets besides, the view is within the sum of the advantages, 4h for each item, of
   P2's own tape with what a simulator makes of fresh draws: the simulator takes the schedule, and nothing else
   ([session_on_uniform_tapes_simulated_to_helper]).

   Of the tapes, the first two words of each are a part of the key K: fixed, and known to all. Whatever stands behind the words that the schedule
   takes is not read. For n >= 2. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection Counting.
From Duoram.core Require Import VectorFacts LabelFacts PrgAdvantage.
From Duoram.core Require DrawnWords.
From Duoram.paper Require Import StateSizes SessionSteps TapeDiscipline ItemDraws HelperReceived SessionRuns RunDraws HelperSession SessionOnTapes UniformTapes.
From Duoram.Generated Require Import All.
#[local] Open Scope Q_scope.

Section Privacy.
  Context (h n : u64) (h_below_64 : (val h < 64)%Z) (h_one : (1 <= val h)%Z) (size : val n = (2 ^ val h)%Z) (n_is : n = wshl (repr 64 1) (cast 32 h)).
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

  (* A test of P2's tape and of the messages to it, by somebody who knows all secrets. *)
  Context (test : R -> list u64 -> list (list paper_session_Sent) -> bool).
  Definition real_helper_view_on_tapes : Q :=
    Pr (list_prod rest (list_prod (tuples words_0 W) (list_prod (tuples words_1 W) (tuples words_2 W)))) (fun '(r, (w_0, (w_1, w_2))) =>
      test r w_2 (map for_helper (tape_session (ask r) 0 [] (connected h (tapes_from w_0 w_1 w_2)) (length shapes)))).

  (* P2's tape is its words of all items, and each rho. *)
  Fixpoint helper_tape (shapes : list shape) (items : list dealt_draws) (masks : list u64) : list u64 :=
    match shapes with
    | [] => []
    | shape_batch r u :: shapes =>
        flat_map (forth (dealt_read_off (nat_of h))) (firstn (r + u) items) ++ helper_tape shapes (skipn (r + u) items) masks
    | shape_reads q :: shapes => firstn q masks ++ helper_tape shapes items (skipn q masks)
    | shape_write :: shapes => firstn 1 masks ++ helper_tape shapes items (skipn 1 masks)
    | _ :: shapes => helper_tape shapes items masks
    end.
  Lemma helper_tape_is_drawn : forall steps items masks blinds,
    helper_tape steps (map dealt_in items) masks = flat_map (drawn_2 h) (draws_of steps items masks blinds).
  Proof.
    induction steps as [|s steps IH]; intros items masks blinds; [reflexivity|].
    destruct s as [|r u|q|q|]; cbn [helper_tape draws_of flat_map]; try (rewrite <- IH; reflexivity).
    rewrite <- IH, <- skipn_map. apply (f_equal (fun l => l ++ _)). cbn [batch_of drawn_2]. do 2 f_equal. rewrite firstn_map. f_equal.
    clear. revert items. induction r as [|r IHr]; intros [|f items]; cbn; rewrite ?firstn_nil; try reflexivity. f_equal. apply IHr.
  Qed.

  (* What the theorem on draws calls a test. *)
  Definition test_of_helper_owned (r : R) (a : list dealt_draws * list u64) (messages : list (list paper_session_Sent)) : bool :=
    test r (helper_tape shapes (fst a) (snd a)) messages.

  Theorem session_on_uniform_tapes_simulated_to_helper :
    let prg := mk_prg_AesPrg (aes_expand_key (aes_bytes_of_block (ixor (ixor block_0 block_1) block_2))) in
    Qabs (real_helper_view_on_tapes - simulated_view_of_helper prg h n shapes rest (repr 64 1) test_of_helper_owned)
    <= sum_below (length (runs shapes)) (helper_session_price prg h n shapes rest ask (repr 64 1) test_of_helper_owned).
  Proof.
    cbv zeta.
    assert (drawn : real_helper_view_on_tapes
      == real_view_of_helper h n shapes rest ask (paper_session_Step_session (connect_of_draws h block_0 block_1 block_2)) test_of_helper_owned).
    { apply (view_on_tapes_is_drawn h n block_0 block_1 block_2 rests shapes rest ask asked loads_sized tapes_small to_helper
        (fun _ _ w_2 => w_2) test (fun items masks _ => helper_owned_of items masks) (fun a => helper_tape shapes (fst a) (snd a))).
      intros items masks blinds _ _ _. apply helper_tape_is_drawn. }
    rewrite drawn. apply session_simulated_to_helper; try assumption.
    unfold connect_of_draws. cbn [paper_session_Step_session]. rewrite n_is. repeat apply conj; reflexivity.
  Qed.
End Privacy.
