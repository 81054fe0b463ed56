(* Over uniform draws of a schedule, the words of its three tapes are uniform: so a session on three uniform tapes is a session of uniform draws
   ([uniform_tapes]). TapeDiscipline.v has that each value of the draws is one of the words; here that is counted. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection Counting.
From Duoram.core Require Import VectorFacts LabelFacts PrgAdvantage HiddenParts.
From Duoram.core Require DrawnWords.
From Duoram.paper Require Import SessionSteps TapeDiscipline ItemDraws SessionRuns RunDraws SessionMachine.
From Duoram.Generated Require Import All.
#[local] Open Scope Q_scope.

Notation W := (Counting.words 64).
Notation tape_of k := (tuples k W).

Section Uniform.
  Context (h n : u64).
  Notation levels := (nat_of h).

  Lemma level_space_enumerates : enumerates level_space anything.
  Proof.
    exact (enumerates_all_prod _ _ (words_enumerate 64) (enumerates_all_prod _ _ labels_enumerate
      (enumerates_all_prod _ _ labels_enumerate labels_enumerate))).
  Qed.
  Lemma dpf_space_enumerates : enumerates (dpf_space levels) (of_levels levels).
  Proof.
    assert (five : enumerates (list_prod W (list_prod W (list_prod W (list_prod W W)))) anything)
      by auto 10 using enumerates_all_prod, words_enumerate.
    destruct (enumerates_prod _ _ _ _ (tuples_enumerate levels level_space level_space_enumerates) five) as [once all].
    split; [exact once|]. intros [l w]. unfold dpf_space. rewrite all. unfold of_levels, anything. cbn. tauto.
  Qed.
  Lemma dealt_space_enumerates : enumerates (dealt_space levels) (dealt_of_levels levels).
  Proof.
    destruct (enumerates_prod _ _ _ _ dpf_space_enumerates (enumerates_prod _ _ _ _ dpf_space_enumerates dpf_space_enumerates)) as [once all].
    split; [exact once|]. intros [a [b c]]. unfold dealt_space. rewrite all. unfold dealt_of_levels. cbn. tauto.
  Qed.

  (* The words of a list of items on each tape. *)
  Definition on_0 (items : list full) : list u64 := flat_map (forth primary_read_off) (map (fun f => fst (fst f)) items).
  Definition on_0_with_deltas (items : list full) : list u64 := flat_map (forth update_read_off) (map (fun f => (fst (fst f), snd f)) items).
  Definition on_1 (items : list full) : list u64 := flat_map (forth primary_read_off) (map (fun f => fst (snd (fst f))) items).
  Definition on_2 (items : list full) : list u64 := flat_map (forth (dealt_read_off levels)) (map (fun f => snd (snd (fst f))) items).

  Let some : W <> [] := words_not_empty 64.
  Let pairs_some : list_prod W W <> [].
  Proof. apply (space_not_empty _ _ (repr 64 0, repr 64 0) (enumerates_all_prod _ _ (words_enumerate 64) (words_enumerate 64)) I). Qed.

  Notation three_tapes a b c g := (mean (tape_of a) (fun x => mean (tape_of b) (fun y => mean (tape_of c) (fun z => g x y z)))).

  Lemma mean_item (g : list u64 -> list u64 -> list u64 -> Q) :
    mean (full_space h) (fun f => g (forth primary_read_off (fst (fst f))) (forth primary_read_off (fst (snd (fst f)))) (forth (dealt_read_off levels) (snd (snd (fst f)))))
    == three_tapes 10%nat 10%nat (dealt_words levels) g.
  Proof.
    unfold full_space, item_space. rewrite mean_prod.
    transitivity (mean (list_prod primary_space (list_prod primary_space (dealt_space levels))) (fun x =>
      g (forth primary_read_off (fst x)) (forth primary_read_off (fst (snd x))) (forth (dealt_read_off levels) (snd (snd x))))).
    { apply mean_ext. intros x _. exact (mean_const (list_prod W W) (g (forth primary_read_off (fst x)) (forth primary_read_off (fst (snd x)))
        (forth (dealt_read_off levels) (snd (snd x)))) pairs_some). }
    rewrite mean_prod, <- (mean_read_off primary_read_off primary_space) by apply primary_space_enumerates. apply mean_ext. intros p_0 _.
    rewrite mean_prod, <- (mean_read_off primary_read_off primary_space) by apply primary_space_enumerates. apply mean_ext. intros p_1 _.
    exact (mean_read_off (dealt_read_off levels) (dealt_space levels) (g (forth primary_read_off p_0) (forth primary_read_off p_1)) dealt_space_enumerates).
  Qed.
  Lemma mean_item_with_deltas (g : list u64 -> list u64 -> list u64 -> Q) :
    mean (full_space h) (fun f => g (forth update_read_off (fst (fst f), snd f)) (forth primary_read_off (fst (snd (fst f)))) (forth (dealt_read_off levels) (snd (snd (fst f)))))
    == three_tapes 12%nat 10%nat (dealt_words levels) g.
  Proof.
    assert (e : enumerates (list_prod primary_space (list_prod W W)) anything).
    { exact (enumerates_all_prod _ _ primary_space_enumerates (enumerates_all_prod _ _ (words_enumerate 64) (words_enumerate 64))). }
    unfold full_space, item_space.
    transitivity (mean (list_prod primary_space (list_prod W W)) (fun x => mean primary_space (fun p_1 => mean (dealt_space levels) (fun d =>
      g (forth update_read_off x) (forth primary_read_off p_1) (forth (dealt_read_off levels) d))))).
    - rewrite !mean_prod. apply mean_ext. intros p_0 _.
      rewrite (mean_swap (list_prod primary_space (dealt_space levels))). apply mean_ext. intros deltas _. rewrite mean_prod. reflexivity.
    - rewrite <- (mean_read_off update_read_off _ _ e). apply mean_ext. intros x _.
      rewrite <- (mean_read_off primary_read_off primary_space) by apply primary_space_enumerates. apply mean_ext. intros p_1 _.
      exact (mean_read_off (dealt_read_off levels) (dealt_space levels) (g (forth update_read_off x) (forth primary_read_off p_1)) dealt_space_enumerates).
  Qed.

  (* One item more. *)
  Lemma three_more (a b c a' b' c' : nat) (g : list u64 -> list u64 -> list u64 -> Q) :
    three_tapes a b c (fun x y z => three_tapes a' b' c' (fun x' y' z' => g (x ++ x') (y ++ y') (z ++ z')))
    == three_tapes (a + a')%nat (b + b')%nat (c + c')%nat g.
  Proof.
    rewrite <- (mean_app W a a'). apply mean_ext. intros x _.
    transitivity (mean (tape_of a') (fun x' => mean (tape_of b) (fun y => mean (tape_of c) (fun z => mean (tape_of b') (fun y' => mean (tape_of c') (fun z' =>
      g (x ++ x') (y ++ y') (z ++ z'))))))).
    { rewrite (mean_swap (tape_of a')). apply mean_ext. intros y _. rewrite (mean_swap (tape_of a')). reflexivity. }
    apply mean_ext. intros x' _. rewrite <- (mean_app W b b'). apply mean_ext. intros y _. rewrite mean_swap. apply mean_ext. intros y' _.
    exact (mean_app W c c' (g (x ++ x') (y ++ y'))).
  Qed.
  Lemma mean_items (r : nat) (g : list u64 -> list u64 -> list u64 -> Q) :
    mean (tuples r (full_space h)) (fun items => g (on_0 items) (on_1 items) (on_2 items)) == three_tapes (r * 10)%nat (r * 10)%nat (r * dealt_words levels)%nat g.
  Proof.
    revert g. induction r as [|r IH]; intros g; cbn [Nat.mul].
    - rewrite !mean_tuples_0. reflexivity.
    - rewrite mean_tuples_S, <- three_more, <- (mean_item (fun x y z => three_tapes (r * 10)%nat (r * 10)%nat (r * dealt_words levels)%nat (fun x' y' z' => g (x ++ x') (y ++ y') (z ++ z')))).
      apply mean_ext. intros f _. exact (IH (fun x y z => g (forth primary_read_off (fst (fst f)) ++ x) (forth primary_read_off (fst (snd (fst f))) ++ y)
        (forth (dealt_read_off levels) (snd (snd (fst f))) ++ z))).
  Qed.
  Lemma mean_items_with_deltas (u : nat) (g : list u64 -> list u64 -> list u64 -> Q) :
    mean (tuples u (full_space h)) (fun items => g (on_0_with_deltas items) (on_1 items) (on_2 items))
    == three_tapes (u * 12)%nat (u * 10)%nat (u * dealt_words levels)%nat g.
  Proof.
    revert g. induction u as [|u IH]; intros g; cbn [Nat.mul].
    - rewrite !mean_tuples_0. reflexivity.
    - rewrite mean_tuples_S, <- three_more, <- (mean_item_with_deltas (fun x y z => three_tapes (u * 12)%nat (u * 10)%nat (u * dealt_words levels)%nat (fun x' y' z' => g (x ++ x') (y ++ y') (z ++ z')))).
      apply mean_ext. intros f _. exact (IH (fun x y z => g (forth update_read_off (fst (fst f), snd f) ++ x) (forth primary_read_off (fst (snd (fst f))) ++ y)
        (forth (dealt_read_off levels) (snd (snd (fst f))) ++ z))).
  Qed.

  (** * A schedule *)

  Fixpoint words_0_in (shapes : list shape) : nat :=
    match shapes with
    | [] => 0 | shape_load :: shapes => nat_of n + words_0_in shapes
    | shape_batch r u :: shapes => r * 10 + u * 12 + words_0_in shapes | _ :: shapes => words_0_in shapes
    end%nat.
  Fixpoint words_1_in (shapes : list shape) : nat :=
    match shapes with
    | [] => 0 | shape_load :: shapes => nat_of n + words_1_in shapes
    | shape_batch r u :: shapes => r * 10 + u * 10 + words_1_in shapes | _ :: shapes => words_1_in shapes
    end%nat.
  Fixpoint words_2_in (shapes : list shape) : nat :=
    match shapes with
    | [] => 0 | shape_batch r u :: shapes => r * dealt_words levels + u * dealt_words levels + words_2_in shapes
    | shape_reads q :: shapes => q + words_2_in shapes | shape_write :: shapes => 1 + words_2_in shapes | _ :: shapes => words_2_in shapes
    end%nat.

  Theorem uniform_tapes (shapes : list shape) (g : list u64 -> list u64 -> list u64 -> Q) :
    mean (tables h shapes) (fun items => mean (all_masks shapes) (fun masks => mean (all_blinds n shapes) (fun blinds =>
      let draws := draws_of shapes items masks blinds in
      g (flat_map drawn_0 draws) (flat_map drawn_1 draws) (flat_map (drawn_2 h) draws))))
    == three_tapes (words_0_in shapes) (words_1_in shapes) (words_2_in shapes) g.
  Proof.
    unfold tables, all_masks, all_blinds. revert g. induction shapes as [|s shapes IH]; intros g; cbv zeta in *.
    - cbn [items_in masks_in loads_in words_0_in words_1_in words_2_in draws_of flat_map]. rewrite !mean_tuples_0. reflexivity.
    - destruct s as [|r u|q|q|]; cbn [items_in masks_in loads_in words_0_in words_1_in words_2_in draws_of].
      + (* load *)
        transitivity (mean (tape_of (nat_of n)) (fun b_0 => mean (tape_of (nat_of n)) (fun b_1 =>
          three_tapes (words_0_in shapes) (words_1_in shapes) (words_2_in shapes) (fun x y z => g (b_0 ++ x) (b_1 ++ y) z)))).
        * transitivity (mean (blind_space n) (fun b => mean (tuples (items_in shapes) (full_space h)) (fun items => mean (tape_of (masks_in shapes)) (fun masks =>
            mean (tuples (loads_in shapes) (blind_space n)) (fun blinds => let draws := draws_of shapes items masks blinds in
              g (fst b ++ flat_map drawn_0 draws) (snd b ++ flat_map drawn_1 draws) (flat_map (drawn_2 h) draws)))))).
          { rewrite (mean_swap (blind_space n)). apply mean_ext. intros items _. rewrite (mean_swap (blind_space n)). apply mean_ext. intros masks _.
            rewrite mean_tuples_S. reflexivity. }
          unfold blind_space at 1. rewrite mean_prod. apply mean_ext. intros b_0 _. apply mean_ext. intros b_1 _.
          exact (IH (fun x y z => g (b_0 ++ x) (b_1 ++ y) z)).
        * rewrite <- (mean_app W (nat_of n) (words_0_in shapes)). apply mean_ext. intros b_0 _. rewrite mean_swap. apply mean_ext. intros x _.
          exact (mean_app W (nat_of n) (words_1_in shapes) (fun y => mean (tape_of (words_2_in shapes)) (fun z => g (b_0 ++ x) y z))).
      + (* batch *)
        rewrite <- three_more, <- (three_more (r * 10) (r * 10) (r * dealt_words levels)).
        rewrite <- (mean_items r (fun x y z => three_tapes (u * 12)%nat (u * 10)%nat (u * dealt_words levels)%nat (fun x' y' z' =>
          three_tapes (words_0_in shapes) (words_1_in shapes) (words_2_in shapes) (fun x'' y'' z'' => g ((x ++ x') ++ x'') ((y ++ y') ++ y'') ((z ++ z') ++ z''))))).
        rewrite <- Nat.add_assoc, <- (mean_app (full_space h) r (u + items_in shapes)). apply mean_ext. intros rs hr. apply tuples_length in hr.
        rewrite <- (mean_items_with_deltas u (fun x' y' z' => three_tapes (words_0_in shapes) (words_1_in shapes) (words_2_in shapes) (fun x'' y'' z'' =>
          g ((on_0 rs ++ x') ++ x'') ((on_1 rs ++ y') ++ y'') ((on_2 rs ++ z') ++ z'')))).
        rewrite <- (mean_app (full_space h) u (items_in shapes)). apply mean_ext. intros us hu. apply tuples_length in hu.
        rewrite <- (IH (fun x'' y'' z'' => g ((on_0 rs ++ on_0_with_deltas us) ++ x'') ((on_1 rs ++ on_1 us) ++ y'') ((on_2 rs ++ on_2 us) ++ z''))).
        apply mean_ext. intros items _. apply mean_ext. intros masks _. apply mean_ext. intros blinds _.
        assert (e_r : firstn r (rs ++ us ++ items) = rs) by (apply DrawnWords.firstn_of_app, hr).
        assert (e_u : firstn u (skipn r (rs ++ us ++ items)) = us) by (rewrite DrawnWords.skipn_of_app by exact hr; apply DrawnWords.firstn_of_app, hu).
        assert (e_i : skipn (r + u) (rs ++ us ++ items) = items) by (rewrite app_assoc; apply DrawnWords.skipn_of_app; rewrite app_length; congruence).
        rewrite e_r, e_u, e_i. cbn [flat_map batch_of drawn_0 drawn_1 drawn_2]. unfold words_0, words_1.
        rewrite !map_app, !flat_map_app. reflexivity.
      + (* READs *)
        transitivity (mean (tape_of q) (fun m => three_tapes (words_0_in shapes) (words_1_in shapes) (words_2_in shapes) (fun x y z => g x y (m ++ z)))).
        * transitivity (mean (tape_of q) (fun m => mean (tuples (items_in shapes) (full_space h)) (fun items => mean (tape_of (masks_in shapes)) (fun masks =>
            mean (tuples (loads_in shapes) (blind_space n)) (fun blinds => let draws := draws_of shapes items masks blinds in
              g (flat_map drawn_0 draws) (flat_map drawn_1 draws) (m ++ flat_map (drawn_2 h) draws)))))).
          { rewrite (mean_swap (tape_of q)). apply mean_ext. intros items _. rewrite <- (mean_app W q (masks_in shapes)).
            apply mean_ext. intros m hm. apply tuples_length in hm. apply mean_ext. intros masks _. apply mean_ext. intros blinds _.
            rewrite DrawnWords.firstn_of_app, DrawnWords.skipn_of_app by exact hm. reflexivity. }
          apply mean_ext. intros m _. exact (IH (fun x y z => g x y (m ++ z))).
        * rewrite mean_swap. apply mean_ext. intros x _. rewrite mean_swap. apply mean_ext. intros y _. exact (mean_app W q (words_2_in shapes) (g x y)).
      + exact (IH g).
      + (* WRITE *)
        transitivity (mean (tape_of 1) (fun m => three_tapes (words_0_in shapes) (words_1_in shapes) (words_2_in shapes) (fun x y z => g x y (m ++ z)))).
        * transitivity (mean (tape_of 1) (fun m => mean (tuples (items_in shapes) (full_space h)) (fun items => mean (tape_of (masks_in shapes)) (fun masks =>
            mean (tuples (loads_in shapes) (blind_space n)) (fun blinds => let draws := draws_of shapes items masks blinds in
              g (flat_map drawn_0 draws) (flat_map drawn_1 draws) (m ++ flat_map (drawn_2 h) draws)))))).
          { rewrite (mean_swap (tape_of 1)). apply mean_ext. intros items _. rewrite <- (mean_app W 1 (masks_in shapes)).
            apply mean_ext. intros m hm. apply tuples_length in hm. apply mean_ext. intros masks _. apply mean_ext. intros blinds _.
            rewrite DrawnWords.firstn_of_app, DrawnWords.skipn_of_app by exact hm. reflexivity. }
          apply mean_ext. intros m _. exact (IH (fun x y z => g x y (m ++ z))).
        * rewrite mean_swap. apply mean_ext. intros x _. rewrite mean_swap. apply mean_ext. intros y _. exact (mean_app W 1 (words_2_in shapes) (g x y)).
  Qed.
End Uniform.

(* Each tape's words are as many as the schedule takes. *)
Section Lengths.
  Context (h n : u64).
  Lemma drawn_lengths : forall steps items masks blinds, In items (tables h steps) -> In masks (all_masks steps) -> In blinds (all_blinds n steps) ->
    let draws := draws_of steps items masks blinds in
    length (flat_map drawn_0 draws) = words_0_in n steps /\ length (flat_map drawn_1 draws) = words_1_in n steps /\
    length (flat_map (drawn_2 h) draws) = words_2_in h steps.
  Proof.
    unfold tables, all_masks, all_blinds. cbv zeta.
    assert (prim : forall l : list primary_draws, length (flat_map (forth primary_read_off) l) = (length l * 10)%nat).
    { intros l. apply DrawnWords.flat_map_length_const, Forall_forall. intros x _. apply (forth_drawn primary_read_off). exact I. }
    assert (upd : forall l : list update_draws, length (flat_map (forth update_read_off) l) = (length l * 12)%nat).
    { intros l. apply DrawnWords.flat_map_length_const, Forall_forall. intros x _. apply (forth_drawn update_read_off). exact I. }
    induction steps as [|s steps IH]; intros items masks blinds hi hm hb; [repeat split|].
    apply in_tuples in hi as [li hi], hb as [lb hb]. apply in_tuples in hm as [lm hm].
    assert (later : forall items masks blinds, length items = items_in steps -> (forall x, In x items -> In x (full_space h)) ->
      length masks = masks_in steps -> length blinds = loads_in steps -> (forall x, In x blinds -> In x (blind_space n)) ->
      let draws := draws_of steps items masks blinds in
      length (flat_map drawn_0 draws) = words_0_in n steps /\ length (flat_map drawn_1 draws) = words_1_in n steps /\ length (flat_map (drawn_2 h) draws) = words_2_in h steps).
    { intros i' m' b' a b c d e. apply IH; apply in_tuples; split; try assumption. intros x _. apply words_enumerate. exact I. }
    clear IH. destruct s as [|r u|q|q|]; cbn [draws_of flat_map items_in masks_in loads_in words_0_in words_1_in words_2_in] in *; rewrite ?app_length.
    - destruct blinds as [|[b_0 b_1] blinds]; [discriminate|]. injection lb as lb.
      pose proof (hb _ (or_introl eq_refl)) as one. apply in_prod_iff in one as [z_0 z_1]. apply tuples_length in z_0, z_1.
      cbn [hd tl fst snd drawn_0 drawn_1 drawn_2 length app].
      destruct (later items masks blinds li hi lm lb (fun x hx => hb x (or_intror hx))) as (-> & -> & ->).
      repeat split; congruence.
    - assert (rest_items : forall x, In x (skipn (r + u) items) -> In x (full_space h)).
      { intros x hx. apply hi. rewrite <- (firstn_skipn (r + u) items). apply in_or_app. right. exact hx. }
      destruct (later (skipn (r + u) items) masks blinds ltac:(rewrite skipn_length; lia) rest_items lm lb hb) as (-> & -> & ->).
      cbn [batch_of drawn_0 drawn_1 drawn_2]. unfold TapeDiscipline.words_0, TapeDiscipline.words_1.
      assert (dealt : length (flat_map (forth (dealt_read_off (nat_of h))) (map (fun f : full => snd (snd (fst f))) (firstn r items ++ firstn u (skipn r items))))
        = ((r + u) * dealt_words (nat_of h))%nat).
      { rewrite (DrawnWords.flat_map_length_const _ (dealt_words (nat_of h))).
        - rewrite map_length, app_length, !firstn_length, skipn_length. f_equal. lia.
        - apply Forall_forall. intros d hd. apply (forth_drawn (dealt_read_off (nat_of h))). apply in_map_iff in hd as (f & <- & hf).
          apply (in_full_space h), hi. rewrite <- (firstn_skipn r items). apply in_app_or in hf as [hf|hf]; apply in_or_app; [left; exact hf|right].
          rewrite <- (firstn_skipn u (skipn r items)). apply in_or_app. left. exact hf. }
      rewrite dealt, app_length, !prim, upd, !map_length, app_length, !firstn_length, skipn_length.
      rewrite !Nat.min_l by lia. repeat split; lia.
    - destruct (later items (skipn q masks) blinds li hi ltac:(rewrite skipn_length; lia) lb hb) as (-> & -> & ->).
      cbn [drawn_0 drawn_1 drawn_2 length]. rewrite firstn_length_le by lia. repeat split.
    - destruct (later items masks blinds li hi lm lb hb) as (-> & -> & ->). repeat split.
    - destruct (later items (skipn 1 masks) blinds li hi ltac:(rewrite skipn_length; lia) lb hb) as (-> & -> & ->).
      cbn [drawn_0 drawn_1 drawn_2 length]. rewrite firstn_length_le by lia. repeat split.
  Qed.
End Lengths.
