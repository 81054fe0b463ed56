(* The view of SessionViews.v on tapes and streams, of the session as `lean::session` runs it from `connect` on: where the words of the items and of the load stand on
   the three tapes and in the streams of the three pairs they are uniform, all else is fixed; and what a party sees, its own tape and streams and all messages
   to it, is what SessionViews.v speaks of ([session_on_tapes_is_drawn]). *)
From Coq Require Import Lia.
From Duoram Require Import Bijection Counting.
From Duoram.core Require Import Parties VectorFacts PrgAdvantage HiddenParts.
From Duoram.lean Require Import Generation PreparingView SessionAnswersIdeal CorrectionsUniform OperationView WholeSchedule TapeDiscipline ItemDraws ItemOnTapes SessionTapes
  SessionItems StepStates SessionSchedule SessionDrawn.
From Duoram.lean Require Export SessionViews.
From Duoram.Generated Require Import All.
#[local] Open Scope Q_scope.

(** * Draws of all items, in the order in which they are made *)

Fixpoint purposes_in (shapes : list lean_shape) : list lean_layers_Purpose :=
  match shapes with
  | [] => []
  | shape_batch reads updates :: shapes =>
      (repeat lean_layers_Purpose_Read (nat_of reads) ++ repeat lean_layers_Purpose_Update (nat_of updates)) ++ purposes_in shapes
  | _ :: shapes => purposes_in shapes
  end.

Lemma mean_each_of_app {D : Type} (a b : list (list D)) (f : list D -> Q) :
  mean (each_of (a ++ b)) f == mean (each_of a) (fun x => mean (each_of b) (fun y => f (x ++ y))).
Proof.
  revert f. induction a as [|space a IH]; intros f; cbn [app].
  - cbn [each_of]. rewrite mean_singleton. reflexivity.
  - rewrite !mean_each_of. apply mean_ext. intros x _. rewrite (IH (fun xs => f (x :: xs))). reflexivity.
Qed.
Lemma mean_each_of_same {D T : Type} (g : T -> D) (space : list T) (k : nat) (f : list D -> Q) :
  mean (each_of (repeat (map g space) k)) f == mean (tuples k space) (fun l => f (map g l)).
Proof.
  revert f. induction k as [|k IH]; intros f; cbn [repeat].
  - cbn [each_of]. rewrite mean_singleton, mean_tuples_0. reflexivity.
  - rewrite mean_each_of, mean_map, mean_tuples_S. apply mean_ext. intros x _. apply (IH (fun xs => f (g x :: xs))).
Qed.
Lemma map_repeat {A B : Type} (f : A -> B) x k : map f (repeat x k) = repeat (f x) k.
Proof. induction k as [|k IH]; [reflexivity|]. cbn. rewrite IH. reflexivity. Qed.

Theorem mean_drawn_items (h : u64) : forall shapes (f : list made_item -> Q),
  mean (drawn_items h (purposes_in shapes)) f
  == mean (tuples (made_in lean_layers_Purpose_Read shapes) (item_space (tree_level h lean_layers_Purpose_Read))) (fun rn =>
       mean (tuples (made_in lean_layers_Purpose_Update shapes) (item_space (tree_level h lean_layers_Purpose_Update))) (fun un => f (all_items shapes (rn, un)))).
Proof.
  unfold drawn_items. induction shapes as [|s shapes IH]; intros f.
  - cbn [purposes_in map each_of made_in all_items]. rewrite mean_singleton, !mean_tuples_0. reflexivity.
  - destruct s as [|r u|op q]; cbn [purposes_in made_in all_items]; [apply IH| |apply IH].
    rewrite !map_app, !map_repeat, !mean_each_of_app, <- mean_app.
    rewrite (mean_each_of_same (pair lean_layers_Purpose_Read)). apply mean_ext. intros rs hr.
    transitivity (mean (tuples (nat_of u) (item_space (tree_level h lean_layers_Purpose_Update))) (fun us =>
      mean (tuples (made_in lean_layers_Purpose_Read shapes) (item_space (tree_level h lean_layers_Purpose_Read))) (fun rn =>
      mean (tuples (made_in lean_layers_Purpose_Update shapes) (item_space (tree_level h lean_layers_Purpose_Update))) (fun un =>
        f ((map (pair lean_layers_Purpose_Read) rs ++ map (pair lean_layers_Purpose_Update) us) ++ all_items shapes (rn, un)))))).
    { rewrite (mean_each_of_same (pair lean_layers_Purpose_Update)). apply mean_ext. intros us _. apply (IH (fun items => f (_ ++ items))). }
    rewrite mean_swap. apply mean_ext. intros rn _. rewrite <- mean_app. apply mean_ext. intros us hu. apply mean_ext. intros un _.
    apply tuples_length in hr, hu. unfold batch_of, drop_both. cbn [fst snd].
    rewrite !DrawnWords.firstn_of_app, !DrawnWords.skipn_of_app by assumption. reflexivity.
Qed.
Lemma all_items_length : forall shapes rn un, length rn = made_in lean_layers_Purpose_Read shapes -> length un = made_in lean_layers_Purpose_Update shapes ->
  length (all_items shapes (rn, un)) = length (purposes_in shapes).
Proof.
  induction shapes as [|s shapes IH]; intros rn un lr lu; [reflexivity|].
  destruct s as [|r u|op q]; cbn [purposes_in made_in all_items] in *; [apply IH; assumption| |apply IH; assumption].
  rewrite !app_length, !repeat_length. unfold batch_of, drop_both. cbn [fst snd]. rewrite app_length, !map_length, !firstn_length, IH by (rewrite skipn_length; lia). lia.
Qed.
Lemma all_items_map (f : lean_layers_Purpose -> item_drawn -> item_drawn) : forall shapes rn un,
  all_items shapes (map (f lean_layers_Purpose_Read) rn, map (f lean_layers_Purpose_Update) un) = map (fun x => (fst x, f (fst x) (snd x))) (all_items shapes (rn, un)).
Proof.
  induction shapes as [|s shapes IH]; intros rn un; [reflexivity|].
  destruct s as [|r u|op q]; cbn [all_items]; [apply IH| |apply IH].
  unfold batch_of, drop_both. cbn [fst snd]. rewrite !map_app, !skipn_map, IH, !firstn_map, !map_map. reflexivity.
Qed.
Lemma in_all_items : forall shapes rn un x, In x (all_items shapes (rn, un)) ->
  (fst x = lean_layers_Purpose_Read /\ In (snd x) rn) \/ (fst x = lean_layers_Purpose_Update /\ In (snd x) un).
Proof.
  assert (part : forall (l : list item_drawn) k i, In i (firstn k l) -> In i l) by (intros l k i hi; rewrite <- (firstn_skipn k l); apply in_or_app; left; exact hi).
  assert (other : forall (l : list item_drawn) k i, In i (skipn k l) -> In i l) by (intros l k i hi; rewrite <- (firstn_skipn k l); apply in_or_app; right; exact hi).
  induction shapes as [|s shapes IH]; intros rn un x hx; [destruct hx|].
  destruct s as [|r u|op q]; cbn [all_items] in hx; [apply IH, hx| |apply IH, hx].
  apply in_app_or in hx as [hx|hx].
  - unfold batch_of in hx. cbn [fst snd] in hx. apply in_app_or in hx as [hx|hx]; apply in_map_iff in hx as (i & <- & hi); [left | right]; split; try reflexivity;
      eapply part, hi.
  - unfold drop_both in hx. cbn [fst snd] in hx. destruct (IH _ _ _ hx) as [[e hi]|[e hi]]; [left | right]; (split; [exact e | eapply other, hi]).
Qed.

(** * The load's words *)

Lemma ring_words_stand (l rest : list u64) (n : u64) : length l = nat_of n ->
  lean_tape_ring_words W (l ++ rest) (repr 64 0) n = map (ring_Ring_from_u64 W) l.
Proof.
  intros e. pose proof (nat_of_bound n) as b. unfold lean_tape_ring_words. rewrite map_range_0. rewrite <- e.
  assert (small : (Z.of_nat (length l) < 2 ^ 64)%Z) by lia. clear e b.
  apply (list_ext (ring_Ring_zero W)); rewrite map_length, seq_length; [rewrite map_length; reflexivity|]. intros j hj.
  rewrite (nth_map _ _ j 0%nat) by (rewrite seq_length; exact hj). rewrite seq_nth by exact hj. rewrite (nth_map _ _ j (repr 64 0)) by exact hj.
  unfold lean_tape_ring_word, lean_tape_word. cbn [Nat.add].
  replace (wadd (repr 64 0) (of_nat j)) with (of_nat j : u64) by ring. rewrite vector_at_nth, nat_of_of_nat by lia. rewrite app_nth1 by exact hj. reflexivity.
Qed.

(** * The key *)

(* Of what each party says first, 10 words, two are its contribution to the key of the PRG. *)
Definition agreed_prg (hello_0 hello_1 hello_2 : list u64) : prg_AesPrg :=
  mk_prg_AesPrg (aes_expand_key (aes_bytes_of_block (lean_party_session_key
    [lean_tape_block hello_0 (repr 64 0); lean_tape_block hello_1 (repr 64 0); lean_tape_block hello_2 (repr 64 0)]))).
Lemma block_stands (hello rest : list u64) : length hello = nat_of lean_party_HELLO_WORDS ->
  lean_tape_block (hello ++ rest) (repr 64 0) = lean_tape_block hello (repr 64 0).
Proof. intros e. destruct hello as [|a [|b hello]]; [discriminate..|]. unfold lean_tape_block, lean_tape_word. rewrite !vector_at_nth. reflexivity. Qed.
Lemma connect_is_started (h m : u64) (hello_0 hello_1 hello_2 words_0 words_1 words_2 : list u64) (streams : lean_session_Streams) :
  length hello_0 = nat_of lean_party_HELLO_WORDS -> length hello_1 = nat_of lean_party_HELLO_WORDS -> length hello_2 = nat_of lean_party_HELLO_WORDS ->
  lean_session_Step_session (lean_session_connect W h m (hello_0 ++ words_0, hello_1 ++ words_1, hello_2 ++ words_2) streams)
  = lean_session_started W h m (agreed_prg hello_0 hello_1 hello_2) (hello_0 ++ words_0, hello_1 ++ words_1, hello_2 ++ words_2) streams.
Proof.
  intros e_0 e_1 e_2. unfold lean_session_connect. cbv zeta. cbn [lean_session_Step_session lean_party_hello lean_party_Hello_contribution].
  rewrite !block_stands by assumption. reflexivity.
Qed.

(** * A session on its tapes and streams *)

Section Tapes.
  Context (h : u64) (h_small : (val h < 64)%Z).
  Context (m : u64) (m_fits : at_most m (lean_party_size h)). (* the words of the memory *)
  (* What stands elsewhere: what each party says first; behind the items on the tapes; of the streams, in stream 0 behind the load's words, behind each
     item's words, and further streams. *)
  Context (hello_0 hello_1 hello_2 rest_0 rest_1 rest_2 : list u64).
  Hypothesis said_0 : length hello_0 = nat_of lean_party_HELLO_WORDS.
  Hypothesis said_1 : length hello_1 = nat_of lean_party_HELLO_WORDS.
  Hypothesis said_2 : length hello_2 = nat_of lean_party_HELLO_WORDS.
  Context (behind_01 stream_02 behind_12 : list u64) (tail_01 tail_02 tail_12 : nat -> list u64) (more_01 more_02 more_12 : list (list u64)).
  Notation prg := (agreed_prg hello_0 hello_1 hello_2).

  Context (shapes : list lean_shape) (supply : enough shapes 0 0).
  Notation items := (length (purposes_in shapes)).
  Hypothesis small_0 : (Z.of_nat (length hello_0 + 5 * items + length rest_0) < 2 ^ 64)%Z.
  Hypothesis small_1 : (Z.of_nat (length hello_1 + 5 * items + length rest_1) < 2 ^ 64)%Z.
  Hypothesis small_2 : (Z.of_nat (length hello_2 + 2 * items + length rest_2) < 2 ^ 64)%Z.
  Context {R : Type} (rest : list R) (ask : R -> nat -> list (W * W) -> lean_step W).
  Hypothesis shaped : forall r k s results, nth_error shapes k = Some s -> has_shape m s (ask r k results).

  Context {Own Mine Inputs Draw Made Told Load : Type} (to : receiver Own Mine Inputs Draw Made Told Load (list u64 * list u64)).
  (* What the party has at the start: its tape, its streams. *)
  Context {Start : Type} (start_of : list u64 * list u64 * list u64 -> lean_session_Streams -> Start).
  Context (test : R -> Start -> list (list lean_session_Sent) -> bool).

  Definition tapes_with (w_0 w_1 w_2 : list u64) : list u64 * list u64 * list u64 := (hello_0 ++ w_0 ++ rest_0, hello_1 ++ w_1 ++ rest_1, hello_2 ++ w_2 ++ rest_2).
  Definition all_streams_with (load : list u64 * list u64) (p_01 p_02 p_12 : list (list u64)) : lean_session_Streams :=
    mk_lean_session_Streams (streams_with (fst load ++ behind_01) tail_01 more_01 p_01) (streams_with stream_02 tail_02 more_02 p_02)
      (streams_with (snd load ++ behind_12) tail_12 more_12 p_12).
  (* The messages to it, of a session on these tapes and streams, from the first step on. *)
  Definition messages_on (r : R) (tapes : list u64 * list u64 * list u64) (streams : lean_session_Streams) : list (list lean_session_Sent) :=
    map (messages_to to) (asked_sent (ask r) 0 [] (lean_session_Step_session (lean_session_connect W h m tapes streams)) (length shapes)).
  Definition view_on_tapes : Q :=
    Pr (list_prod rest (list_prod (load_words m) (uniform_session_words h (purposes_in shapes)))) (fun '(r, (load, (w_0, (w_1, (p_01, (p_02, (p_12, w_2))))))) =>
      let tapes := tapes_with w_0 w_1 w_2 in
      let streams := all_streams_with load p_01 p_02 p_12 in
      test r (start_of tapes streams) (messages_on r tapes streams)).

  (* What it has at the start follows from what it has of the draws. *)
  Definition tapes_of (l : list made_item) : list u64 * list u64 * list u64 := session_tapes hello_0 hello_1 hello_2 rest_0 rest_1 rest_2 l.
  Definition streams_of_items (load : list u64 * list u64) (l : list made_item) : lean_session_Streams :=
    session_streams (fst load ++ behind_01) stream_02 (snd load ++ behind_12) tail_01 tail_02 tail_12 more_01 more_02 more_12 l.
  Definition start_with (a : (list u64 * list u64) * queues item_drawn) : Start :=
    start_of (tapes_of (all_items shapes (snd a))) (streams_of_items (fst a) (all_items shapes (snd a))).
  Hypothesis start_is_own : forall l rs us,
    start_with (owned_of to l rs us) = start_of (tapes_of (all_items shapes (map fst rs, map fst us))) (streams_of_items (fst l) (all_items shapes (map fst rs, map fst us))).

  Definition test_of_owned (r : R) (a : (list u64 * list u64) * queues item_drawn) (messages : list (list lean_session_Sent)) : bool := test r (start_with a) messages.

  Lemma messages_on_are_drawn r (load : list u64 * list u64) (unused : list W) rn un :
    In load (load_words m) -> (forall i, In i rn -> item_fits h (op_for lean_layers_Purpose_Read) i) -> (forall i, In i un -> item_fits h (op_for lean_layers_Purpose_Update) i) ->
    length rn = made_in lean_layers_Purpose_Read shapes -> length un = made_in lean_layers_Purpose_Update shapes ->
    messages_on r (tapes_of (all_items shapes (rn, un))) (streams_of_items load (all_items shapes (rn, un)))
    = map (messages_to to) (drawn_sent prg h m (ask r) (load_masks (load, unused)) shapes 0 [] (lean_memory_initial W m) (repr 64 1) (rn, un)
        (map (taken_of prg h) (map (pair lean_layers_Purpose_Read) rn), map (taken_of prg h) (map (pair lean_layers_Purpose_Update) un))).
  Proof.
    intros hl fr fu lr lu. destruct load as [l_01 l_12]. unfold load_words in hl. apply in_prod_iff in hl as [h_01 h_12]. apply tuples_length in h_01, h_12.
    unfold messages_on. apply f_equal. unfold tapes_of, session_tapes, tape_of at 1 2 3. rewrite connect_is_started by assumption.
    set (l := all_items shapes (rn, un)). pose proof (all_items_length shapes rn un lr lu) as ll. fold l in ll.
    assert (len_0 : length (fst (fst (session_tapes hello_0 hello_1 hello_2 rest_0 rest_1 rest_2 l))) = (length hello_0 + 5 * items + length rest_0)%nat).
    { unfold session_tapes, tape_of. cbn [fst snd]. rewrite !app_length, (DrawnWords.flat_map_length_const _ 5) by (apply Forall_forall; intros x _; apply of_tape_0_length).
      rewrite ll. lia. }
    assert (len_1 : length (snd (fst (session_tapes hello_0 hello_1 hello_2 rest_0 rest_1 rest_2 l))) = (length hello_1 + 5 * items + length rest_1)%nat).
    { unfold session_tapes, tape_of. cbn [fst snd]. rewrite !app_length, (DrawnWords.flat_map_length_const _ 5) by (apply Forall_forall; intros x _; apply of_tape_1_length).
      rewrite ll. lia. }
    assert (len_2 : (length (snd (session_tapes hello_0 hello_1 hello_2 rest_0 rest_1 rest_2 l)) <= length hello_2 + 2 * items + length rest_2)%nat).
    { unfold session_tapes, tape_of. cbn [fst snd]. rewrite !app_length, of_tape_2_length. unfold updates_in.
      assert (le : (length (filter for_update l) <= length l)%nat).
      { clear. induction l as [|x l IH]; [apply le_n|]. cbn [filter]. destruct (for_update x); cbn [length]; lia. }
      lia. }
    pose proof (lean_session_is_drawn prg h h_small hello_0 hello_1 hello_2 rest_0 rest_1 rest_2 said_0 said_1 said_2 (l_01 ++ behind_01) stream_02 (l_12 ++ behind_12)
      tail_01 tail_02 tail_12 more_01 more_02 more_12 l m m_fits) as drawn.
    rewrite !ring_words_stand in drawn by assumption. apply drawn; try assumption; try reflexivity.
    - intros x hx. unfold l in hx. apply in_all_items in hx as [[-> hi]|[-> hi]]; [apply fr, hi | apply fu, hi].
    - rewrite ll. lia.
    - rewrite len_0. exact small_0.
    - rewrite len_1. exact small_1.
    - apply (Z.le_lt_trans _ (Z.of_nat (length hello_2 + 2 * items + length rest_2))); [lia | exact small_2].
    - intros k s results e. exact (shaped r k s results e).
  Qed.

  Theorem session_on_tapes_is_drawn : view_on_tapes == real_view prg h m to shapes rest ask test_of_owned.
  Proof.
    unfold view_on_tapes, real_view. rewrite Pr_mean, mean_prod. apply mean_ext. intros r _. rewrite mean_prod. unfold load_space. rewrite mean_prod.
    apply mean_ext. intros load hl.
    pose (f := fun tapes streams => indicator (test r (start_of tapes streams) (messages_on r tapes streams))).
    pose proof (lean_session_on_uniform_words h hello_0 hello_1 hello_2 rest_0 rest_1 rest_2 (fst load ++ behind_01) stream_02 (snd load ++ behind_12) tail_01 tail_02 tail_12
      more_01 more_02 more_12 (purposes_in shapes) f) as uniform.
    transitivity (mean (drawn_items h (purposes_in shapes)) (fun l => f (tapes_of l) (streams_of_items load l))).
    { unfold tapes_of, streams_of_items. rewrite <- uniform. apply mean_ext. intros (w_0 & w_1 & p_01 & p_02 & p_12 & w_2) _. reflexivity. }
    rewrite mean_drawn_items. symmetry.
    assert (words_some : tuples (nat_of m) xor_words <> []).
    { apply (space_not_empty _ _ (repeat (ring_Ring_zero W) (nat_of m)) (tuples_enumerate _ _ xor_words_enumerate)). apply repeat_length. }
    assert (firsts : forall p k, yields (tuples k (item_pairs h p)) (map fst) (tuples k (item_space (tree_level h p)))).
    { intros p k. apply yields_each. intros g. unfold item_pairs. rewrite mean_prod. apply mean_ext. intros i _. cbn [fst]. apply mean_const, xor_words_not_empty. }
    rewrite <- (mean_const (tuples (nat_of m) xor_words) (mean (tuples (made_in lean_layers_Purpose_Read shapes) (item_space (tree_level h lean_layers_Purpose_Read))) _) words_some).
    apply mean_ext. intros unused _. symmetry.
    pose proof (firsts lean_layers_Purpose_Read (made_in lean_layers_Purpose_Read shapes)) as fr. unfold yields in fr. rewrite <- fr.
    apply mean_ext. intros rs hr.
    pose proof (firsts lean_layers_Purpose_Update (made_in lean_layers_Purpose_Update shapes)) as fu. unfold yields in fu. rewrite <- fu.
    apply mean_ext. intros us hu.
    unfold f, test_of_owned. rewrite (start_is_own (load, unused) rs us). cbn [fst].
    rewrite (messages_on_are_drawn r load unused (map fst rs) (map fst us) hl).
    - rewrite !map_map. reflexivity.
    - intros i hi. apply in_map_iff in hi as (x & <- & hx). apply (item_of_pairs h lean_layers_Purpose_Read x), (in_tuples_in _ _ _ hr x hx).
    - intros i hi. apply in_map_iff in hi as (x & <- & hx). apply (item_of_pairs h lean_layers_Purpose_Update x), (in_tuples_in _ _ _ hu x hx).
    - rewrite map_length. eapply tuples_length, hr.
    - rewrite map_length. eapply tuples_length, hu.
  Qed.

  (* Of the tapes and streams, what the party has. *)
  Lemma tape_is_own (own : made_item -> list u64) (f : lean_layers_Purpose -> item_drawn -> item_drawn) hello_ rest_ rs us : (forall p i, own (p, f p i) = own (p, i)) ->
    tape_of hello_ own rest_ (all_items shapes (map (fun x : item_drawn * W => f lean_layers_Purpose_Read (fst x)) rs, map (fun x : item_drawn * W => f lean_layers_Purpose_Update (fst x)) us))
    = tape_of hello_ own rest_ (all_items shapes (map fst rs, map fst us)).
  Proof.
    intros same. rewrite <- (map_map fst (f lean_layers_Purpose_Read)), <- (map_map fst (f lean_layers_Purpose_Update)), all_items_map. unfold tape_of.
    apply f_equal. apply (f_equal (fun l => l ++ rest_)). rewrite !flat_map_concat_map, map_map. apply f_equal. apply map_ext. intros [p i]. apply same.
  Qed.
  Lemma streams_are_own (own : made_item -> list u64) (f : lean_layers_Purpose -> item_drawn -> item_drawn) load tail more rs us : (forall p i, own (p, f p i) = own (p, i)) ->
    streams_of load own tail more (all_items shapes (map (fun x : item_drawn * W => f lean_layers_Purpose_Read (fst x)) rs, map (fun x : item_drawn * W => f lean_layers_Purpose_Update (fst x)) us))
    = streams_of load own tail more (all_items shapes (map fst rs, map fst us)).
  Proof.
    intros same. rewrite <- (map_map fst (f lean_layers_Purpose_Read)), <- (map_map fst (f lean_layers_Purpose_Update)), all_items_map, !streams_of_parts, map_map.
    apply f_equal. apply map_ext. intros [p i]. apply same.
  Qed.
End Tapes.
