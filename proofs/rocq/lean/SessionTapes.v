(* All items of a lean session, in the order in which they are made, on its tapes and streams: as one item stands there (ItemOnTapes.v).

   [session_tapes] and [session_streams] are three tapes and the streams of the three pairs, of the draws of any number of items and whatever else
   stands before, between and behind them. [batch_stands]: each item of each batch stands where the batch takes it, if the parties have drawn for the
   items before it; [lean_step_draws]: after any steps of a session they have. [lean_session_on_uniform_words]: over uniform words at these places,
   whatever stands elsewhere, the draws of all items are uniform and independent.

   What the session's steps send, of these draws, is SessionItems.v. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection Counting.
From Duoram.core Require Import Parties VectorFacts LabelFacts PrgAdvantage HiddenParts.
From Duoram.core Require DrawnWords.
From Duoram.lean Require Import Generation SessionPreparing SessionAnswersIdeal OperationView WholeSchedule TapeDiscipline ItemPlans ItemDraws ItemOnTapes.
From Duoram.Generated Require Import All.

(* An item: what it is for, and all that is drawn for it. *)
Notation made_item := (lean_layers_Purpose * item_drawn)%type.
(* Of the operations that an item may serve, one: the words of an item are the same for all of them. *)
Definition op_for (purpose : lean_layers_Purpose) : lean_op :=
  match purpose with lean_layers_Purpose_Read => op_read | lean_layers_Purpose_Update => op_update end.
Lemma purpose_of_op_for purpose : purpose_of (op_for purpose) = purpose.
Proof. destruct purpose; reflexivity. Qed.
Lemma words_for_op op i : item_words_of op i = item_words_of (op_for (purpose_of op)) i.
Proof. destruct op; reflexivity. Qed.

(* Its words: of P0's tape and P1's, of its streams 01, 02 and 12, of P2's tape. *)
Definition of_tape_0 (x : made_item) : list u64 := fst (item_words_of (op_for (fst x)) (snd x)).
Definition of_tape_1 (x : made_item) : list u64 := fst (snd (item_words_of (op_for (fst x)) (snd x))).
Definition of_stream_01 (x : made_item) : list u64 := fst (snd (snd (item_words_of (op_for (fst x)) (snd x)))).
Definition of_stream_02 (x : made_item) : list u64 := fst (snd (snd (snd (item_words_of (op_for (fst x)) (snd x))))).
Definition of_stream_12 (x : made_item) : list u64 := fst (snd (snd (snd (snd (item_words_of (op_for (fst x)) (snd x)))))).
Definition of_tape_2 (x : made_item) : list u64 := snd (snd (snd (snd (snd (item_words_of (op_for (fst x)) (snd x)))))).

Lemma of_tape_0_length x : length (of_tape_0 x) = 5%nat.
Proof. destruct x as [p [own [own_1 [c [e [f v]]]]]]. exact (forth_drawn own_read_off own I). Qed.
Lemma of_tape_1_length x : length (of_tape_1 x) = 5%nat.
Proof. destruct x as [p [own_0 [own [c [e [f v]]]]]]. exact (forth_drawn own_read_off own I). Qed.
Definition for_update (x : made_item) : bool := match fst x with lean_layers_Purpose_Read => false | lean_layers_Purpose_Update => true end.
Definition updates_in (items : list made_item) : nat := length (filter for_update items).
Lemma of_tape_2_length items : length (flat_map of_tape_2 items) = (2 * updates_in items)%nat.
Proof.
  induction items as [|x items IH]; [reflexivity|]. unfold updates_in in *. cbn [flat_map filter]. rewrite app_length, IH.
  destruct x as [[|] [w0 [w1 [c [e [f v]]]]]]; cbn; lia.
Qed.
Lemma updates_in_app a b : updates_in (a ++ b) = (updates_in a + updates_in b)%nat.
Proof. unfold updates_in. rewrite filter_app, app_length. reflexivity. Qed.

Lemma stands_here (before l rest : list u64) : DrawnWords.stands (before ++ l ++ rest) (length before) l.
Proof. exists before, rest. split; reflexivity. Qed.

Lemma skipn_next {T : Type} (l : list T) k x : nth_error l k = Some x -> skipn k l = x :: skipn (S k) l.
Proof.
  revert k. induction l as [|y l IH]; intros [|k] e; try discriminate.
  - injection e as ->. reflexivity.
  - exact (IH k e).
Qed.

Section Places.
  Context (h : u64) (h_small : (val h < 64)%Z).

  (* Whatever else the tapes and the streams have: what each party says when it connects, 10 words; stream 0, of which the load takes; and what stands behind. *)
  Context (hello_0 hello_1 hello_2 rest_0 rest_1 rest_2 : list u64).
  Hypothesis said_0 : length hello_0 = nat_of lean_party_HELLO_WORDS.
  Hypothesis said_1 : length hello_1 = nat_of lean_party_HELLO_WORDS.
  Hypothesis said_2 : length hello_2 = nat_of lean_party_HELLO_WORDS.
  Context (load_01 load_02 load_12 : list u64) (tail_01 tail_02 tail_12 : nat -> list u64) (more_01 more_02 more_12 : list (list u64)).

  Definition tape_of (hello : list u64) (own : made_item -> list u64) (rest : list u64) (items : list made_item) : list u64 :=
    hello ++ flat_map own items ++ rest.
  Definition session_tapes (items : list made_item) : list u64 * list u64 * list u64 :=
    (tape_of hello_0 of_tape_0 rest_0 items, tape_of hello_1 of_tape_1 rest_1 items, tape_of hello_2 of_tape_2 rest_2 items).
  Definition streams_of (load : list u64) (own : made_item -> list u64) (tail : nat -> list u64) (more : list (list u64)) (items : list made_item) :
    lean_tape_PairStreams :=
    mk_lean_tape_PairStreams (load :: map (fun kx => own (snd kx) ++ tail (fst kx)) (combine (seq 0 (length items)) items) ++ more).
  Definition session_streams (items : list made_item) : lean_session_Streams :=
    mk_lean_session_Streams (streams_of load_01 of_stream_01 tail_01 more_01 items) (streams_of load_02 of_stream_02 tail_02 more_02 items)
      (streams_of load_12 of_stream_12 tail_12 more_12 items).

  Lemma stream_of_item load own tail more items k x : (Z.of_nat (length items) < 2 ^ 63)%Z -> nth_error items k = Some x ->
    lean_tape_item_stream (streams_of load own tail more items) (of_nat k) = own x ++ tail k.
  Proof.
    intros small e. assert (hk : (k < length items)%nat) by (apply nth_error_Some; congruence).
    assert (v : val (of_nat k : u64) = Z.of_nat k) by (apply val_of_nat; lia).
    rewrite streams_are_apart by (rewrite v; lia).
    assert (nk : nat_of (of_nat k : u64) = k) by (apply Nat2Z.inj; rewrite Z_nat_of; exact v). rewrite nk.
    unfold streams_of. cbn [lean_tape_PairStreams_streams nth].
    set (f := fun kx : nat * made_item => own (snd kx) ++ tail (fst kx)).
    rewrite app_nth1 by (rewrite map_length, combine_length, seq_length; lia).
    rewrite (nth_map _ _ k (0%nat, x)) by (rewrite combine_length, seq_length; lia).
    rewrite combine_nth by (rewrite seq_length; reflexivity). rewrite seq_nth by exact hk. rewrite (nth_error_nth _ _ x e). reflexivity.
  Qed.

  (* One batch, behind the items before it: its READ items, then its UPDATE items. *)
  Section Batch.
    Context (before reads updates after : list made_item).
    Notation items := (before ++ (reads ++ updates) ++ after).
    Notation tape_0 := (fst (fst (session_tapes items))).
    Notation tape_1 := (snd (fst (session_tapes items))).
    Notation tape_2 := (snd (session_tapes items)).
    Hypothesis whole : forall x, In x items -> item_fits h (op_for (fst x)) (snd x).
    Hypothesis are_reads : forall x, In x reads -> fst x = lean_layers_Purpose_Read.
    Hypothesis are_updates : forall x, In x updates -> fst x = lean_layers_Purpose_Update.
    Hypothesis few : (Z.of_nat (length items) < 2 ^ 63)%Z.
    Hypothesis small_0 : (Z.of_nat (length tape_0) < 2 ^ 64)%Z.
    Hypothesis small_1 : (Z.of_nat (length tape_1) < 2 ^ 64)%Z.
    Hypothesis small_2 : (Z.of_nat (length tape_2) < 2 ^ 64)%Z.

    Lemma no_updates_in_reads l : (forall x, In x l -> fst x = lean_layers_Purpose_Read) -> updates_in l = 0%nat.
    Proof.
      unfold updates_in, for_update. induction l as [|x l IH]; intros e; [reflexivity|]. cbn. rewrite (e x) by (left; reflexivity).
      apply IH. intros y hy. apply e. right. exact hy.
    Qed.
    Lemma all_updates l : (forall x, In x l -> fst x = lean_layers_Purpose_Update) -> updates_in l = length l.
    Proof.
      unfold updates_in, for_update. induction l as [|x l IH]; intros e; [reflexivity|]. cbn. rewrite (e x) by (left; reflexivity).
      cbn. f_equal. apply IH. intros y hy. apply e. right. exact hy.
    Qed.

    Lemma around (k : nat) (x : made_item) : nth_error (reads ++ updates) k = Some x ->
      items = (before ++ firstn k (reads ++ updates)) ++ x :: (skipn (S k) (reads ++ updates) ++ after) /\
      length (before ++ firstn k (reads ++ updates)) = (length before + k)%nat.
    Proof.
      intros e. assert (hk : (k < length (reads ++ updates))%nat) by (apply nth_error_Some; congruence). split.
      - assert (cut : reads ++ updates = firstn k (reads ++ updates) ++ x :: skipn (S k) (reads ++ updates))
          by (rewrite <- (skipn_next _ k x e); symmetry; apply firstn_skipn).
        rewrite cut at 1. rewrite <- !app_assoc. reflexivity.
      - rewrite app_length, firstn_length_le by lia. reflexivity.
    Qed.
    Lemma stands_on_tape hello own rest (x : made_item) (a b : list made_item) : items = a ++ x :: b ->
      DrawnWords.stands (tape_of hello own rest items) (length hello + length (flat_map own a)) (own x).
    Proof.
      intros ->. unfold tape_of. rewrite flat_map_app. cbn [flat_map]. rewrite <- !app_assoc.
      rewrite (app_assoc hello). rewrite <- app_length. apply stands_here.
    Qed.
    Lemma flat_map_length_5 own (l : list made_item) : (forall x, length (own x : list u64) = 5%nat) -> length (flat_map own l) = (length l * 5)%nat.
    Proof. intros e. apply DrawnWords.flat_map_length_const. apply Forall_forall. intros x _. apply e. Qed.

    Lemma room_of purpose : (Z.of_nat (2 * size_0 h purpose) < 2 ^ 64)%Z /\ (Z.of_nat (2 * size_1 h purpose + 2) < 2 ^ 64)%Z.
    Proof.
      pose proof (flag_level_below h purpose) as [_ b]. unfold size_0, size_1. unfold tree_level in b.
      pose proof (Z_nat_of h). destruct purpose; lia.
    Qed.

    Notation drawn_0 := (of_nat (length hello_0 + length before * 5) : u64).
    Notation drawn_1 := (of_nat (length hello_1 + length before * 5) : u64).
    Notation drawn_2 := (of_nat (length hello_2 + 2 * updates_in before) : u64).

    Theorem batch_stands (k : nat) (x : made_item) (op : lean_op) : nth_error (reads ++ updates) k = Some x -> purpose_of op = fst x ->
      item_stands h op (lean_session_Streams_pair_01 (session_streams items)) (lean_session_Streams_pair_02 (session_streams items))
        (lean_session_Streams_pair_12 (session_streams items)) tape_0 tape_1 tape_2 drawn_0 drawn_1 drawn_2 (of_nat (length before))
        (of_nat (length reads)) (of_nat k) (snd x).
    Proof.
      intros e serves. destruct (around k x e) as [split_ l].
      assert (hin : In x items) by (rewrite split_; apply in_or_app; right; left; reflexivity).
      assert (hk : (k < length (reads ++ updates))%nat) by (apply nth_error_Some; congruence).
      assert (count : (length before + k < length items)%nat) by (rewrite !app_length in *; lia).
      assert (number : wadd (of_nat (length before)) (of_nat k) = (of_nat (length before + k) : u64)) by (symmetry; apply of_nat_add).
      assert (at_ : nth_error items (length before + k) = Some x).
      { rewrite split_, <- l, nth_error_app2 by lia. rewrite Nat.sub_diag. reflexivity. }
      assert (fits : item_fits h op (snd x)) by (pose proof (whole x hin) as f; destruct x as [p i], op, p; try discriminate serves; exact f).
      assert (same : item_words_of op (snd x) = item_words_of (op_for (fst x)) (snd x)) by (rewrite <- serves; apply words_for_op).
      pose proof (room_of (purpose_of op)) as [room_02 room_12].
      assert (nk : nat_of (of_nat k : u64) = k) by (apply nat_of_of_nat; lia).
      (* a tape's length is that of the words before the item's, and of these, at least *)
      assert (inside : forall hello own rest, (Z.of_nat (length hello + length (flat_map own (before ++ firstn k (reads ++ updates))) + length (own x : list u64))
        <= Z.of_nat (length (tape_of hello own rest items)))%Z).
      { intros hello own rest. rewrite split_. unfold tape_of. rewrite !flat_map_app. cbn [flat_map]. rewrite !app_length. lia. }
      pose proof (inside hello_0 of_tape_0 rest_0) as in_0. pose proof (inside hello_1 of_tape_1 rest_1) as in_1. pose proof (inside hello_2 of_tape_2 rest_2) as in_2.
      pose proof (stands_on_tape hello_0 of_tape_0 rest_0 x _ _ split_) as s_0. pose proof (stands_on_tape hello_1 of_tape_1 rest_1 x _ _ split_) as s_1.
      pose proof (stands_on_tape hello_2 of_tape_2 rest_2 x _ _ split_) as s_2.
      rewrite flat_map_length_5, of_tape_0_length, l in in_0 by apply of_tape_0_length. rewrite flat_map_length_5, l in s_0 by apply of_tape_0_length.
      rewrite flat_map_length_5, of_tape_1_length, l in in_1 by apply of_tape_1_length. rewrite flat_map_length_5, l in s_1 by apply of_tape_1_length.
      rewrite of_tape_2_length in in_2, s_2. clear inside.
      change (fst (fst (session_tapes items))) with (tape_of hello_0 of_tape_0 rest_0 items) in *.
      change (snd (fst (session_tapes items))) with (tape_of hello_1 of_tape_1 rest_1 items) in *.
      change (snd (session_tapes items)) with (tape_of hello_2 of_tape_2 rest_2 items) in *.
      constructor; rewrite ?same, ?number, ?nk.
      - exact fits.
      - rewrite nat_of_of_nat by lia. fold (of_tape_0 x). cbv zeta.
        replace (length hello_0 + length before * 5 + k * 5)%nat with (length hello_0 + (length before + k) * 5)%nat by lia. split; [exact s_0 | lia].
      - rewrite nat_of_of_nat by lia. fold (of_tape_1 x). cbv zeta.
        replace (length hello_1 + length before * 5 + k * 5)%nat with (length hello_1 + (length before + k) * 5)%nat by lia. split; [exact s_1 | lia].
      - unfold session_streams. cbn [lean_session_Streams_pair_01]. rewrite (stream_of_item _ _ _ _ _ _ x few at_). fold (of_stream_01 x).
        exact (stands_here [] _ _).
      - unfold session_streams. cbn [lean_session_Streams_pair_02]. rewrite (stream_of_item _ _ _ _ _ _ x few at_). fold (of_stream_02 x).
        split; [exact (stands_here [] _ _) | exact room_02].
      - unfold session_streams. cbn [lean_session_Streams_pair_12]. rewrite (stream_of_item _ _ _ _ _ _ x few at_). fold (of_stream_12 x).
        split; [exact (stands_here [] _ _) | exact room_12].
      - intros up. fold (of_tape_2 x). rewrite serves in up.
        assert (behind : (length reads <= k)%nat).
        { destruct (Nat.le_gt_cases (length reads) k) as [le|gt]; [exact le|]. rewrite nth_error_app1 in e by exact gt.
          apply nth_error_In in e. rewrite (are_reads x e) in up. discriminate. }
        assert (m : updates_in (before ++ firstn k (reads ++ updates)) = (updates_in before + (k - length reads))%nat).
        { rewrite updates_in_app, firstn_app, updates_in_app, firstn_all2 by exact behind. rewrite (no_updates_in_reads reads are_reads).
          rewrite (all_updates (firstn (k - length reads) updates)).
          - rewrite app_length in hk. rewrite firstn_length_le by lia. lia.
          - intros y hy. apply are_updates. rewrite <- (firstn_skipn (k - length reads) updates). apply in_or_app. left. exact hy. }
        rewrite m in in_2, s_2.
        assert (two : length (of_tape_2 x) = 2%nat) by (destruct x as [p [w0 [w1 [c [e2 [f v]]]]]]; cbn in up; subst p; reflexivity).
        rewrite two in in_2.
        assert (w : nat_of (wsub (of_nat k) (of_nat (length reads)) : u64) = (k - length reads)%nat).
        { apply Nat2Z.inj. rewrite Z_nat_of, val_wsub, !val_of_nat by (rewrite ?app_length in *; lia).
          rewrite app_length in *. rewrite Z.mod_small by lia. lia. }
        rewrite w, nat_of_of_nat by lia. cbv zeta.
        replace (length hello_2 + 2 * updates_in before + (k - length reads) * 2)%nat
          with (length hello_2 + 2 * (updates_in before + (k - length reads)))%nat by lia.
        split; [exact s_2 | lia].
    Qed.
  End Batch.
End Places.

(** * A session that is run on them *)

Section Run.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Boolean : BooleanRing W}.
  Context {P : Type} {P_Prg : prg_Prg P} {P_Layers : lean_layers_Layers P}.
  Context (h : u64) (h_small : (val h < 64)%Z) (prg : P) (pair_01 pair_02 pair_12 : lean_tape_PairStreams).
  Notation ready := (session_ready prg h pair_01 pair_02 pair_12).
  Context (tapes : list u64 * list u64 * list u64) (start : nat).

  (* The parties' tapes, and how far they have drawn: for so many items, of which so many are for UPDATEs. *)
  Record has_drawn (items updates : nat) (session : lean_session_Session W P) : Prop := {
    drawn_tape_0 : lean_party_Party0_tape (lean_session_Session_p0 session) = fst (fst tapes);
    drawn_tape_1 : lean_party_Party1_tape (lean_session_Session_p1 session) = snd (fst tapes);
    drawn_tape_2 : lean_party_Party2_tape (lean_session_Session_p2 session) = snd tapes;
    drawn_by_0 : lean_party_Party0_drawn (lean_session_Session_p0 session) = of_nat (start + items * 5);
    drawn_by_1 : lean_party_Party1_drawn (lean_session_Session_p1 session) = of_nat (start + items * 5);
    drawn_by_2 : lean_party_Party2_drawn (lean_session_Session_p2 session) = of_nat (start + 2 * updates);
    next_item : lean_party_Party0_items (lean_session_Session_p0 session) = of_nat items;
  }.

  Definition items_of_step (step : lean_step W) : nat * nat :=
    match step with lean_step_preprocess reads updates => (nat_of reads, nat_of updates) | _ => (0, 0)%nat end.

  (* A batch's length is what it adds to both queues. *)
  Lemma both_parts {T : Type} (old old' made : list T) (reads : u64) (u : nat) :
    length (concat [old; take made reads]) = (length old + nat_of reads)%nat -> length (concat [old'; skip made reads]) = (length old' + u)%nat ->
    length made = (nat_of reads + u)%nat.
  Proof.
    rewrite !concat_pair, take_firstn, skip_skipn, !app_length, firstn_length, skipn_length. lia.
  Qed.

  Lemma preprocess_draws held_reads held_updates items updates_before session (reads updates : u64) :
    ready held_reads held_updates session -> (val reads + val updates < 2 ^ 63)%Z -> has_drawn items updates_before session ->
    has_drawn (items + (nat_of reads + nat_of updates)) (updates_before + nat_of updates)
      (lean_session_Step_session (lean_session_preprocess session reads updates)).
  Proof.
    intros r small [t_0 t_1 t_2 d_0 d_1 d_2 number].
    destruct (lean_preprocess_makes_ready prg h h_small _ _ _ _ _ session reads updates r small) as ((new_reads & new_updates & l_r & l_u & r') & _).
    destruct r as [_ _ _ _ _ _ _ _ _ _ _ _ _ _ q_0 q_1 q_2 q_3 q_4 q_5 _ _ _], r' as [_ _ _ _ _ _ _ _ _ _ _ _ _ _ q_0' q_1' q_2' q_3' q_4' q_5' _ _ _].
    apply (f_equal (@length _)) in q_0, q_1, q_2, q_3, q_4, q_5, q_0', q_1', q_2', q_3', q_4', q_5'.
    rewrite !map_length in q_0, q_1, q_2, q_3, q_4, q_5, q_0', q_1', q_2', q_3', q_4', q_5'. rewrite app_length in q_0', q_1', q_2', q_3', q_4', q_5'.
    rewrite l_r in q_0', q_1', q_2'. rewrite l_u in q_3', q_4', q_5'. rewrite <- q_0 in q_0'. rewrite <- q_1 in q_1'. rewrite <- q_2 in q_2'.
    rewrite <- q_3 in q_3'. rewrite <- q_4 in q_4'. rewrite <- q_5 in q_5'. clear q_0 q_1 q_2 q_3 q_4 q_5.
    unfold lean_session_preprocess in *. cbv zeta in *. cbn [lean_session_Step_session lean_session_Session_p0 lean_session_Session_p1 lean_session_Session_p2] in *.
    unfold lean_preprocessing_prepared_0, lean_preprocessing_prepared_1, lean_preprocessing_prepared_2 in *. cbv zeta in *.
    cbn [lean_party_Party0_reads lean_party_Party1_reads lean_party_Party2_reads lean_party_Party0_updates lean_party_Party1_updates lean_party_Party2_updates] in *.
    pose proof (both_parts _ _ _ _ _ q_0' q_3') as m_0. pose proof (both_parts _ _ _ _ _ q_1' q_4') as m_1. pose proof (both_parts _ _ _ _ _ q_2' q_5') as m_2.
    clear q_0' q_1' q_2' q_3' q_4' q_5'. pose proof (Z_nat_of reads) as zr. pose proof (Z_nat_of updates) as zu.
    constructor; cbn [lean_session_Session_p0 lean_session_Session_p1 lean_session_Session_p2 lean_party_Party0_tape lean_party_Party1_tape lean_party_Party2_tape
      lean_party_Party0_drawn lean_party_Party1_drawn lean_party_Party2_drawn lean_party_Party0_items]; try assumption.
    - unfold len. rewrite m_0, d_0. change lean_tape_PRIMARY_WORDS with (of_nat 5 : u64). rewrite <- of_nat_mul, <- of_nat_add. f_equal. lia.
    - unfold len. rewrite m_1, d_1. change lean_tape_PRIMARY_WORDS with (of_nat 5 : u64). rewrite <- of_nat_mul, <- of_nat_add. f_equal. lia.
    - unfold len. rewrite skip_skipn, skipn_length, m_2, d_2. change (repr 64 2) with (of_nat 2 : u64). rewrite <- of_nat_mul, <- of_nat_add. f_equal. lia.
    - unfold len. rewrite m_0, number, <- of_nat_add. reflexivity.
  Qed.

  (* UPDATEs draw nothing. *)
  Lemma updates_draw_nothing_0 (own received : list (lean_online_UpdateMessage W)) (p0 : lean_party_Party0 W P) :
    let after := lean_online_updates_0 p0 own received in
    lean_party_Party0_tape after = lean_party_Party0_tape p0 /\ lean_party_Party0_drawn after = lean_party_Party0_drawn p0 /\
    lean_party_Party0_items after = lean_party_Party0_items p0.
  Proof.
    cbv zeta. unfold lean_online_updates_0. revert p0. induction (combine own received) as [|[a b] l IH]; intros p0; [repeat split; reflexivity|].
    cbn [fold_left]. destruct (lean_online_opened a b) as [s f]. destruct (IH (lean_online_used_0 p0 s f)) as (-> & -> & ->). repeat split; reflexivity.
  Qed.
  Lemma updates_draw_nothing_1 (own received : list (lean_online_UpdateMessage W)) (p1 : lean_party_Party1 W P) :
    let after := lean_online_updates_1 p1 own received in
    lean_party_Party1_tape after = lean_party_Party1_tape p1 /\ lean_party_Party1_drawn after = lean_party_Party1_drawn p1.
  Proof.
    cbv zeta. unfold lean_online_updates_1. revert p1. induction (combine own received) as [|[a b] l IH]; intros p1; [repeat split; reflexivity|].
    cbn [fold_left]. destruct (lean_online_opened a b) as [s f]. destruct (IH (lean_online_used_1 p1 s f)) as (-> & ->). repeat split; reflexivity.
  Qed.
  Lemma updates_draw_nothing_2 (from_0 from_1 : list (lean_online_UpdateMessage W)) (p2 : lean_party_Party2 W P) :
    let after := lean_online_updates_2 p2 from_0 from_1 in
    lean_party_Party2_tape after = lean_party_Party2_tape p2 /\ lean_party_Party2_drawn after = lean_party_Party2_drawn p2.
  Proof.
    cbv zeta. unfold lean_online_updates_2. revert p2. induction (combine from_0 from_1) as [|[a b] l IH]; intros p2; [repeat split; reflexivity|].
    cbn [fold_left]. destruct (lean_online_opened a b) as [s f]. destruct (IH (lean_online_used_2 p2 s f)) as (-> & ->). repeat split; reflexivity.
  Qed.

  Theorem lean_step_draws held_reads held_updates items updates session (step : lean_step W) (steps : list (lean_step W)) :
    ready held_reads held_updates session -> lean_scheduled h (length held_reads) (length held_updates) (step :: steps) ->
    has_drawn items updates session ->
    has_drawn (items + (fst (items_of_step step) + snd (items_of_step step))) (updates + snd (items_of_step step))
      (lean_session_Step_session (take_lean_step session step)).
  Proof.
    intros r supply far.
    destruct step as [d_0 d_1 | reads updates' | addresses | queries | query | query]; cbn [lean_scheduled items_of_step fst snd take_lean_step] in *;
      rewrite ?Nat.add_0_r.
    - destruct far. constructor; assumption.
    - destruct supply as [small _]. eapply preprocess_draws; eassumption.
    - destruct far as [t_0 t_1 t_2 d_0 d_1 d_2 number]. unfold lean_session_reads, lean_online_reads_0, lean_online_reads_1, lean_online_reads_2. constructor; assumption.
    - destruct far as [t_0 t_1 t_2 d_0 d_1 d_2 number]. unfold lean_session_updates. cbv zeta.
      constructor; cbn [lean_session_Step_session lean_session_Session_p0 lean_session_Session_p1 lean_session_Session_p2].
      all: match goal with
        | |- context [lean_online_updates_0 ?p ?a ?b] => destruct (updates_draw_nothing_0 a b p) as (e_1 & e_2 & e_3); rewrite ?e_1, ?e_2, ?e_3
        | |- context [lean_online_updates_1 ?p ?a ?b] => destruct (updates_draw_nothing_1 a b p) as (e_1 & e_2); rewrite ?e_1, ?e_2
        | |- context [lean_online_updates_2 ?p ?a ?b] => destruct (updates_draw_nothing_2 a b p) as (e_1 & e_2); rewrite ?e_1, ?e_2 end; assumption.
    - destruct far as [t_0 t_1 t_2 d_0 d_1 d_2 number]. unfold lean_session_write, lean_session_put. destruct query as [q_0 q_1]. cbv zeta.
      destruct (first (lean_party_Party0_updates (lean_session_Session_p0 session))), (first (lean_party_Party1_updates (lean_session_Session_p1 session))),
        (first (lean_party_Party2_updates (lean_session_Session_p2 session))); constructor; assumption.
    - destruct far as [t_0 t_1 t_2 d_0 d_1 d_2 number]. unfold lean_session_swap, lean_session_put. destruct query as [q_0 q_1]. cbv zeta.
      destruct (first (lean_party_Party0_updates (lean_session_Session_p0 session))), (first (lean_party_Party1_updates (lean_session_Session_p1 session))),
        (first (lean_party_Party2_updates (lean_session_Session_p2 session))); constructor; assumption.
  Qed.
End Run.

(** * Over uniform words *)

#[local] Open Scope Q_scope.

(* One of each, all independent. *)
Fixpoint each_of {D : Type} (spaces : list (list D)) : list (list D) :=
  match spaces with [] => [[]] | space :: spaces => map (fun z => fst z :: snd z) (list_prod space (each_of spaces)) end.
Lemma mean_each_of {D : Type} (space : list D) spaces (f : list D -> Q) :
  mean (each_of (space :: spaces)) f == mean space (fun x => mean (each_of spaces) (fun xs => f (x :: xs))).
Proof. cbn [each_of]. rewrite mean_map, mean_prod. reflexivity. Qed.

(* Two things, put together, are uniform. *)
Definition joined {A B C : Type} (xs : list A) (ys : list B) (join : A -> B -> C) (zs : list C) : Prop :=
  forall g, mean xs (fun x => mean ys (fun y => g (join x y))) == mean zs g.
Lemma joined_both {A B C A' B' C' : Type} (xs : list A) (ys : list B) (join : A -> B -> C) zs (xs' : list A') (ys' : list B') (join' : A' -> B' -> C') zs' :
  joined xs ys join zs -> joined xs' ys' join' zs' ->
  joined (list_prod xs xs') (list_prod ys ys') (fun x y => (join (fst x) (fst y), join' (snd x) (snd y))) (list_prod zs zs').
Proof.
  intros j j' g. rewrite !mean_prod. rewrite <- (j (fun z => mean zs' (fun z' => g (z, z')))). apply mean_ext. intros x _.
  transitivity (mean xs' (fun x' => mean ys (fun y => mean ys' (fun y' => g (join x y, join' x' y'))))).
  { apply mean_ext. intros x' _. rewrite mean_prod. reflexivity. }
  rewrite mean_swap. apply mean_ext. intros y _. apply (j' (fun z' => g (join x y, z'))).
Qed.
Lemma joined_words (a b : nat) : joined (uniform_words a) (uniform_words b) (fun x y => x ++ y) (uniform_words (a + b)).
Proof. intros g. exact (mean_app some_words a b g). Qed.
Lemma joined_each {D : Type} (space : list D) spaces : joined space (each_of spaces) (fun x xs => x :: xs) (each_of (space :: spaces)).
Proof. intros g. symmetry. apply mean_each_of. Qed.
Lemma yields_joined {A B C A' B' : Type} (xs : list A) (f : A -> A') xs' (ys : list B) (f' : B -> B') ys' (join : A' -> B' -> C) zs :
  yields xs f xs' -> yields ys f' ys' -> joined xs' ys' join zs -> yields (list_prod xs ys) (fun z => join (f (fst z)) (f' (snd z))) zs.
Proof.
  intros y y' j g. rewrite mean_prod. transitivity (mean xs' (fun a => mean ys' (fun b => g (join a b)))); [|apply j].
  rewrite <- (y (fun a => mean ys' (fun b => g (join a b)))). apply mean_ext. intros x _.
  apply (y' (fun b => g (join (f x) b))).
Qed.

Section Uniform.
  Context (h : u64).

  (* All that is drawn for items of these kinds, in this order. *)
  Definition drawn_items (kinds : list lean_layers_Purpose) : list (list made_item) :=
    each_of (map (fun purpose => map (pair purpose) (item_space (tree_level h purpose))) kinds).
  (* All their words, tape by tape and stream by stream. *)
  Definition session_words (items : list made_item) :
    list u64 * (list u64 * (list (list u64) * (list (list u64) * (list (list u64) * list u64)))) :=
    (flat_map of_tape_0 items, (flat_map of_tape_1 items, (map of_stream_01 items, (map of_stream_02 items, (map of_stream_12 items, flat_map of_tape_2 items))))).
  Definition masks_for (purpose : lean_layers_Purpose) : nat := mask_count (op_for purpose).
  Definition uniform_session_words (kinds : list lean_layers_Purpose) :
    list (list u64 * (list u64 * (list (list u64) * (list (list u64) * (list (list u64) * list u64))))) :=
    list_prod (uniform_words (5 * length kinds)) (list_prod (uniform_words (5 * length kinds))
      (list_prod (each_of (map (fun _ => uniform_words 5) kinds))
        (list_prod (each_of (map (fun purpose => uniform_words (size_0 h purpose + size_0 h purpose + masks_for purpose)) kinds))
          (list_prod (each_of (map (fun purpose => uniform_words (size_1 h purpose + size_1 h purpose + (1 + masks_for purpose))) kinds))
            (uniform_words (list_sum (map (fun purpose => words_of_p2_count (op_for purpose)) kinds))))))).

  Theorem lean_session_draws_of_uniform_words (kinds : list lean_layers_Purpose) :
    yields (drawn_items kinds) session_words (uniform_session_words kinds).
  Proof.
    unfold drawn_items. induction kinds as [|purpose kinds IH].
    - intros g. reflexivity.
    - cbn [map each_of]. intros g. rewrite mean_map.
      pose proof (lean_item_draws_of_uniform_words h (op_for purpose)) as one. rewrite purpose_of_op_for in one.
      assert (first : yields (map (pair purpose) (item_space (tree_level h purpose))) (fun x : made_item => item_words_of (op_for (fst x)) (snd x))
        (list_prod (uniform_words 5) (list_prod (uniform_words 5) (list_prod (uniform_words 5)
          (list_prod (uniform_words (size_0 h purpose + size_0 h purpose + mask_count (op_for purpose)))
            (list_prod (uniform_words (size_1 h purpose + size_1 h purpose + (1 + mask_count (op_for purpose)))) (uniform_words (words_of_p2_count (op_for purpose))))))))).
      { intros k. rewrite mean_map. apply one. }
      assert (five : (5 * length (purpose :: kinds) = 5 + 5 * length kinds)%nat) by (cbn [length]; lia).
      unfold uniform_session_words. rewrite five. cbn [map list_sum fold_right].
      refine (yields_ext _ _ _ _ _ (yields_joined _ _ _ _ _ _ _ _ first IH
        (joined_both _ _ _ _ _ _ _ _ (joined_words _ _) (joined_both _ _ _ _ _ _ _ _ (joined_words _ _)
          (joined_both _ _ _ _ _ _ _ _ (joined_each _ _) (joined_both _ _ _ _ _ _ _ _ (joined_each _ _)
            (joined_both _ _ _ _ _ _ _ _ (joined_each _ _) (joined_words _ _))))))) g).
      intros [x items] _. reflexivity.
  Qed.

  (* Such draws are whole: there are as many levels as a tree has. *)
  Lemma drawn_items_fit kinds items : In items (drawn_items kinds) ->
    map fst items = kinds /\ (forall x, In x items -> item_fits h (op_for (fst x)) (snd x)).
  Proof.
    unfold drawn_items. revert items. induction kinds as [|purpose kinds IH]; intros items.
    - intros [<-|[]]. split; [reflexivity | intros x []].
    - cbn [map each_of]. rewrite in_map_iff. intros ([x items'] & <- & i). apply in_prod_iff in i as [i i'].
      destruct (IH items' i') as [e all]. apply in_map_iff in i as (d & <- & i). cbn [fst snd map]. split; [congruence|].
      intros y [<-|hy]; [|apply all, hy]. cbn [fst snd]. apply item_space_fits. rewrite purpose_of_op_for. exact i.
  Qed.
End Uniform.

(* The same of whole tapes and streams: where an item's words stand they are uniform, and all else is fixed. *)
Section Tapes.
  Context (h : u64) (hello_0 hello_1 hello_2 rest_0 rest_1 rest_2 : list u64).
  Context (load_01 load_02 load_12 : list u64) (tail_01 tail_02 tail_12 : nat -> list u64) (more_01 more_02 more_12 : list (list u64)).

  Definition streams_with (load : list u64) (tail : nat -> list u64) (more parts : list (list u64)) : lean_tape_PairStreams :=
    mk_lean_tape_PairStreams (load :: map (fun kw => snd kw ++ tail (fst kw)) (combine (seq 0 (length parts)) parts) ++ more).
  Lemma streams_of_parts load own tail more items : streams_of load own tail more items = streams_with load tail more (map own items).
  Proof.
    assert (same : forall ks, map (fun kx => own (snd kx) ++ tail (fst kx)) (combine ks items) = map (fun kw => snd kw ++ tail (fst kw)) (combine ks (map own items))).
    { induction items as [|x items IH]; intros [|k ks]; cbn; try reflexivity. rewrite IH. reflexivity. }
    unfold streams_of, streams_with. rewrite map_length, same. reflexivity.
  Qed.

  Theorem lean_session_on_uniform_words (kinds : list lean_layers_Purpose) (f : list u64 * list u64 * list u64 -> lean_session_Streams -> Q) :
    mean (uniform_session_words h kinds) (fun '(words_0, (words_1, (parts_01, (parts_02, (parts_12, words_2))))) =>
      f (hello_0 ++ words_0 ++ rest_0, hello_1 ++ words_1 ++ rest_1, hello_2 ++ words_2 ++ rest_2)
        (mk_lean_session_Streams (streams_with load_01 tail_01 more_01 parts_01) (streams_with load_02 tail_02 more_02 parts_02)
          (streams_with load_12 tail_12 more_12 parts_12)))
    == mean (drawn_items h kinds) (fun items => f (session_tapes hello_0 hello_1 hello_2 rest_0 rest_1 rest_2 items)
         (session_streams load_01 load_02 load_12 tail_01 tail_02 tail_12 more_01 more_02 more_12 items)).
  Proof.
    pose proof (lean_session_draws_of_uniform_words h kinds) as uniform. unfold yields in uniform. rewrite <- uniform.
    apply mean_ext. intros items _. unfold session_words, session_tapes, session_streams, tape_of. rewrite !streams_of_parts. reflexivity.
  Qed.
End Tapes.
