(* The draws of a session's items, in the order in which they are made, are as good as in the order in which runs use them: each run has an item of its own.
   For SessionViews.v: over uniform draws of all items, rho and blinds, the draws of the runs are uniform and independent, each in its
   own space ([mean_of_runs]). *)
From Coq Require Import Lia Permutation.
From Duoram Require Import Bijection Counting Chains.
From Duoram.core Require Import VectorFacts.
From Duoram.core Require HiddenParts.
From Duoram.paper Require Import WholeView SessionRuns.
From Duoram.Generated Require Import All.
#[local] Open Scope Q_scope.

(** * Each item serves one run *)

Lemma run_items_app a b : flat_map run_item (a ++ b) = flat_map run_item a ++ flat_map run_item b.
Proof. apply flat_map_app. Qed.
Lemma reads_from_items k c start ids : flat_map run_item (reads_from k c start ids) = ids.
Proof. revert start. induction ids as [|i ids IH]; intros start; [reflexivity|]. cbn. f_equal. apply (IH (S start)). Qed.
Lemma updates_from_items k c start ids : flat_map run_item (updates_from k c start ids) = ids.
Proof. revert start. induction ids as [|i ids IH]; intros start; [reflexivity|]. cbn. f_equal. apply (IH (S start)). Qed.
Lemma idle_items ids : flat_map run_item (map run_idle ids) = ids.
Proof. induction ids as [|i ids IH]; [reflexivity|]. cbn. f_equal. exact IH. Qed.

Lemma each_item_once : forall shapes next k c reads updates, enough shapes (length reads) (length updates) ->
  Permutation (flat_map run_item (runs_of shapes next k c reads updates)) (reads ++ updates ++ seq next (items_in shapes)).
Proof.
  induction shapes as [|s shapes IH]; intros next k c reads updates supply.
  - cbn [runs_of items_in seq]. rewrite idle_items, app_nil_r. reflexivity.
  - destruct s as [|r u|q|q|]; cbn [runs_of items_in enough flat_map run_item app] in *.
    + apply IH, supply.
    + rewrite IH by (rewrite !app_length, !seq_length; exact supply).
      rewrite <- !app_assoc. apply Permutation_app_head.
      rewrite (Permutation_app_swap_app (seq next r) updates). apply Permutation_app_head.
      rewrite <- Nat.add_assoc, !seq_app, <- ?app_assoc. replace (next + r + u)%nat with (next + (r + u))%nat by lia. reflexivity.
    + destruct supply as [hq supply]. rewrite run_items_app, reads_from_items, IH by (rewrite skipn_length; exact supply).
      rewrite app_assoc, firstn_skipn. reflexivity.
    + destruct supply as [hq supply]. rewrite run_items_app, updates_from_items, IH by (rewrite skipn_length; exact supply).
      rewrite <- (firstn_skipn q updates) at 3. rewrite <- app_assoc. apply Permutation_app_swap_app.
    + destruct supply as (hr & hu & supply). destruct reads as [|i reads]; [cbn in hr; lia|]. destruct updates as [|j updates]; [cbn in hu; lia|].
      cbn [hd tl length app] in *. rewrite !Nat.sub_succ, !Nat.sub_0_r in supply. rewrite IH by exact supply.
      apply perm_skip. apply (Permutation_app_swap_app [j] reads).
Qed.

Definition masks_of_runs (runs : list run_of_step) : nat := length (filter (fun op => match op with run_read _ _ _ _ => true | _ => false end) runs).
Definition loads_of_runs (runs : list run_of_step) : nat := length (filter (fun op => match op with run_load _ _ => true | _ => false end) runs).

Lemma runs_masks : forall shapes next k c reads updates, enough shapes (length reads) (length updates) ->
  masks_of_runs (runs_of shapes next k c reads updates) = masks_in shapes /\ loads_of_runs (runs_of shapes next k c reads updates) = loads_in shapes.
Proof.
  assert (read : forall k c start ids runs, masks_of_runs (reads_from k c start ids ++ runs) = (length ids + masks_of_runs runs)%nat
    /\ loads_of_runs (reads_from k c start ids ++ runs) = loads_of_runs runs).
  { intros k c start ids runs. unfold masks_of_runs, loads_of_runs. rewrite !filter_app, !app_length.
    assert (e : forall start, length (filter (fun op => match op with run_read _ _ _ _ => true | _ => false end) (reads_from k c start ids)) = length ids
      /\ length (filter (fun op => match op with run_load _ _ => true | _ => false end) (reads_from k c start ids)) = 0%nat).
    { clear start. induction ids as [|i ids IH]; intros start; [split; reflexivity|]. destruct (IH (S start)) as [a b]. split; cbn; [f_equal|]; assumption. }
    destruct (e start) as [-> ->]. split; reflexivity. }
  assert (update : forall k c start ids runs, masks_of_runs (updates_from k c start ids ++ runs) = masks_of_runs runs
    /\ loads_of_runs (updates_from k c start ids ++ runs) = loads_of_runs runs).
  { intros k c start ids runs. unfold masks_of_runs, loads_of_runs. rewrite !filter_app, !app_length.
    assert (e : forall start, length (filter (fun op => match op with run_read _ _ _ _ => true | _ => false end) (updates_from k c start ids)) = 0%nat
      /\ length (filter (fun op => match op with run_load _ _ => true | _ => false end) (updates_from k c start ids)) = 0%nat).
    { clear start. induction ids as [|i ids IH]; intros start; [split; reflexivity|]. destruct (IH (S start)) as [a b]. split; cbn; assumption. }
    destruct (e start) as [-> ->]. split; reflexivity. }
  induction shapes as [|s shapes IH]; intros next k c reads updates supply.
  - cbn [runs_of masks_in loads_in]. induction (reads ++ updates) as [|i l IHl]; [split; reflexivity | exact IHl].
  - destruct s as [|r u|q|q|]; cbn [runs_of masks_in loads_in enough] in *.
    + destruct (IH next (S k) c reads updates supply) as [a b]. split; [exact a | unfold loads_of_runs in *; cbn; f_equal; exact b].
    + apply IH. rewrite !app_length, !seq_length. exact supply.
    + destruct supply as [hq supply]. destruct (read k c 0%nat (firstn q reads) (runs_of shapes next (S k) (c + q) (skipn q reads) updates)) as [-> ->].
      destruct (IH next (S k) (c + q)%nat (skipn q reads) updates) as [-> ->]; [rewrite skipn_length; exact supply|].
      rewrite firstn_length_le by exact hq. split; reflexivity.
    + destruct supply as [hq supply]. destruct (update k c 0%nat (firstn q updates) (runs_of shapes next (S k) c reads (skipn q updates))) as [-> ->].
      apply IH. rewrite skipn_length. exact supply.
    + destruct supply as (hr & hu & supply).
      destruct (IH next (S k) (S c) (tl reads) (tl updates)) as [a b].
      { destruct reads, updates; cbn [length tl] in *; rewrite ?Nat.sub_succ, ?Nat.sub_0_r in supply; try lia; exact supply. }
      split; [unfold masks_of_runs in *; cbn; f_equal; exact a | exact b].
Qed.

(** * Independent draws in another order *)

Lemma mean_renamed_in {A B : Type} (xs : list A) (ys : list B) (f : A -> B) (back : B -> A) :
  NoDup xs -> NoDup ys -> (forall x, In x xs -> In (f x) ys /\ back (f x) = x) -> (forall y, In y ys -> In (back y) xs /\ f (back y) = y) ->
  forall g, mean xs (fun x => g (f x)) == mean ys g.
Proof.
  intros once once' forth_ back_ g. rewrite <- (mean_map f xs g). apply mean_permutation. apply NoDup_Permutation.
  - clear once' back_. induction once as [|x xs out once IH]; cbn; constructor.
    + rewrite in_map_iff. intros (y & e & i). apply out.
      rewrite <- (proj2 (forth_ x (or_introl eq_refl))), <- e, (proj2 (forth_ y (or_intror i))). exact i.
    + apply IH. intros y i. apply forth_. right. exact i.
  - exact once'.
  - intros y. rewrite in_map_iff. split.
    + intros (x & <- & i). apply forth_, i.
    + intros i. exists (back y). split; apply back_, i.
Qed.

Lemma in_tuples {A : Type} (k : nat) (space : list A) (l : list A) : In l (tuples k space) <-> length l = k /\ (forall x, In x l -> In x space).
Proof.
  revert l. induction k as [|k IH]; intros l; cbn [tuples].
  - split; [intros [<-|[]]; split; [reflexivity | intros x []] | intros [e _]; destruct l; [left; reflexivity | discriminate]].
  - rewrite in_map_iff. split.
    + intros ([x xs] & <- & i). apply in_prod_iff in i as [hx hxs]. apply IH in hxs as [e all]. cbn. split; [congruence|].
      intros y [<-|i]; [exact hx | apply all, i].
    + intros [e all]. destruct l as [|x l]; [discriminate|]. exists (x, l). split; [reflexivity|]. apply in_prod_iff. split.
      * apply all. left. reflexivity.
      * apply IH. split; [cbn in e; congruence | intros y i; apply all; right; exact i].
Qed.
Lemma NoDup_of_tuples {A : Type} (k : nat) (space : list A) : NoDup space -> NoDup (tuples k space).
Proof.
  intros once. induction k as [|k IH]; cbn [tuples]; [repeat constructor; intros []|].
  apply FinFun.Injective_map_NoDup; [intros [x l] [y m] e; cbn in e; congruence|]. apply HiddenParts.NoDup_prod; assumption.
Qed.

Fixpoint place (i : nat) (ids : list nat) : nat :=
  match ids with [] => 0%nat | j :: ids => if Nat.eqb i j then 0%nat else S (place i ids) end.
Lemma place_of i ids : In i ids -> (place i ids < length ids)%nat /\ nth (place i ids) ids 0%nat = i.
Proof.
  induction ids as [|j ids IH]; [intros []|]. cbn. destruct (Nat.eqb_spec i j) as [->|ne]; [intros _; split; [lia | reflexivity]|].
  intros [e|hi]; [congruence|]. destruct (IH hi). split; [lia | assumption].
Qed.
Lemma place_nth ids k : NoDup ids -> (k < length ids)%nat -> place (nth k ids 0%nat) ids = k.
Proof.
  intros once. revert k. induction once as [|j ids out once IH]; intros k hk; [cbn in hk; lia|]. destruct k as [|k]; cbn.
  - rewrite Nat.eqb_refl. reflexivity.
  - cbn in hk. destruct (Nat.eqb_spec (nth k ids 0%nat) j) as [e|ne]; [|f_equal; apply IH; lia].
    exfalso. apply out. rewrite <- e. apply nth_In. lia.
Qed.

Lemma mean_reordered {A : Type} (space : list A) (d : A) (m : nat) (ids : list nat) (g : list A -> Q) :
  NoDup space -> Permutation ids (seq 0 m) ->
  mean (tuples m space) (fun l => g (map (fun i => nth i l d) ids)) == mean (tuples m space) g.
Proof.
  intros once perm. assert (len : length ids = m) by (rewrite (Permutation_length perm), seq_length; reflexivity).
  assert (distinct : NoDup ids) by (apply (Permutation_NoDup (Permutation_sym perm)), seq_NoDup).
  assert (all : forall i, In i ids <-> (i < m)%nat).
  { intros i. split; intros h; [apply (Permutation_in _ perm), in_seq in h; lia | apply (Permutation_in _ (Permutation_sym perm)), in_seq; lia]. }
  apply (mean_renamed_in (tuples m space) (tuples m space) (fun l => map (fun i => nth i l d) ids)
    (fun l => map (fun i => nth (place i ids) l d) (seq 0 m))); try (apply NoDup_of_tuples; exact once).
  - intros l hl. apply in_tuples in hl as [hl hin]. split.
    + apply in_tuples. rewrite map_length. split; [exact len|]. intros x hx. apply in_map_iff in hx as (i & <- & hi).
      apply hin, nth_In. rewrite hl. apply all, hi.
    + apply (list_ext d); rewrite map_length, seq_length; [congruence|]. intros k hk.
      rewrite (nth_map _ _ k 0%nat) by (rewrite seq_length; exact hk). rewrite seq_nth by exact hk. cbn [Nat.add].
      destruct (place_of k ids (proj2 (all k) hk)) as [small found].
      rewrite (nth_map _ _ _ 0%nat) by exact small. rewrite found. reflexivity.
  - intros l hl. apply in_tuples in hl as [hl hin]. split.
    + apply in_tuples. rewrite map_length, seq_length. split; [reflexivity|]. intros x hx. apply in_map_iff in hx as (i & <- & hi).
      apply in_seq in hi. apply hin, nth_In. rewrite hl, <- len. apply place_of, all. lia.
    + apply (list_ext d); rewrite map_length; [congruence|]. intros k hk.
      rewrite (nth_map _ _ k 0%nat) by exact hk.
      assert (small : (nth k ids 0 < m)%nat) by (apply all, nth_In, hk).
      rewrite (nth_map _ _ _ 0%nat) by (rewrite seq_length; exact small). rewrite seq_nth by exact small. cbn [Nat.add].
      rewrite place_nth by assumption. reflexivity.
Qed.

(** * The runs' own draws *)

(* What is drawn of a load, of an item, of a READ besides; and what a run's draw is made of these. *)
Section Draws.
  Context {B D M X : Type} (on_load : B -> X) (on_read : M -> D -> X) (on_item : D -> X) (no_blind : B) (no_item : D) (no_mask : M).

  (* From the items' draws in the order of use. *)
  Fixpoint draws_of_runs (runs : list run_of_step) (items : list D) (masks : list M) (blinds : list B) : list X :=
    match runs with
    | [] => []
    | run_load _ _ :: runs => on_load (hd no_blind blinds) :: draws_of_runs runs items masks (tl blinds)
    | run_read _ _ _ _ :: runs => on_read (hd no_mask masks) (hd no_item items) :: draws_of_runs runs (tl items) (tl masks) blinds
    | run_update _ _ _ _ _ :: runs | run_idle _ :: runs => on_item (hd no_item items) :: draws_of_runs runs (tl items) masks blinds
    end.
  Lemma draws_of_runs_length runs items masks blinds : length (draws_of_runs runs items masks blinds) = length runs.
  Proof. revert items masks blinds. induction runs as [|[] runs IH]; intros; cbn; congruence. Qed.

  Context (blind_draws : list B) (item_draws : list D) (mask_draws : list M).
  Definition draw_space (kind : run_kind) : list X :=
    match kind with
    | loading => map on_load blind_draws
    | reading => map (uncurry on_read) (list_prod mask_draws item_draws)
    | updating | idle => map on_item item_draws
    end.

  Lemma mean_of_runs (runs : list run_of_step) (spaces : nat -> list X) (start : nat) (g : list X -> Q) :
    (forall i op, nth_error runs i = Some op -> forall f, mean (spaces (start + i)%nat) f == mean (draw_space (run_kind_of op)) f) ->
    mean (tuples (length (flat_map run_item runs)) item_draws) (fun items =>
      mean (tuples (masks_of_runs runs) mask_draws) (fun masks =>
        mean (tuples (loads_of_runs runs) blind_draws) (fun blinds => g (draws_of_runs runs items masks blinds))))
    == mean (draws_from spaces start (length runs)) g.
  Proof.
    revert start g. induction runs as [|op runs IH]; intros start g kinds.
    - cbn [flat_map length masks_of_runs loads_of_runs filter draws_of_runs]. rewrite mean_draws_0, !mean_tuples_0. reflexivity.
    - pose proof (kinds 0%nat op eq_refl) as kind. rewrite Nat.add_0_r in kind.
      assert (later : forall i op, nth_error runs i = Some op -> forall f, mean (spaces (S start + i)%nat) f == mean (draw_space (run_kind_of op)) f).
      { intros i op' e. replace (S start + i)%nat with (start + S i)%nat by lia. exact (kinds (S i) op' e). }
      cbn [length]. rewrite mean_draws_S, kind. clear kinds kind.
      destruct op as [k c|i k c q|w i k c q|i]; cbn [flat_map run_item app length run_kind_of draw_space].
      + rewrite mean_map. unfold masks_of_runs, loads_of_runs. cbn [filter length]. fold (masks_of_runs runs). fold (loads_of_runs runs).
        transitivity (mean blind_draws (fun b => mean (tuples (length (flat_map run_item runs)) item_draws) (fun items =>
          mean (tuples (masks_of_runs runs) mask_draws) (fun masks => mean (tuples (loads_of_runs runs) blind_draws) (fun blinds =>
            g (on_load b :: draws_of_runs runs items masks blinds)))))).
        * rewrite (mean_swap blind_draws). apply mean_ext. intros items _. rewrite (mean_swap blind_draws).
          apply mean_ext. intros masks _. rewrite mean_tuples_S. reflexivity.
        * apply mean_ext. intros b _. apply (IH (S start) (fun ds => g (on_load b :: ds)) later).
      + rewrite mean_map, mean_prod. unfold masks_of_runs, loads_of_runs. cbn [filter length uncurry]. fold (masks_of_runs runs). fold (loads_of_runs runs).
        transitivity (mean mask_draws (fun rho => mean item_draws (fun item =>
          mean (tuples (length (flat_map run_item runs)) item_draws) (fun items =>
          mean (tuples (masks_of_runs runs) mask_draws) (fun masks => mean (tuples (loads_of_runs runs) blind_draws) (fun blinds =>
            g (on_read rho item :: draws_of_runs runs items masks blinds))))))).
        * rewrite mean_tuples_S, (mean_swap mask_draws). apply mean_ext. intros item _.
          rewrite (mean_swap mask_draws). apply mean_ext. intros items _. rewrite mean_tuples_S. reflexivity.
        * apply mean_ext. intros rho _. apply mean_ext. intros item _. apply (IH (S start) (fun ds => g (on_read rho item :: ds)) later).
      + rewrite mean_map, mean_tuples_S. unfold masks_of_runs, loads_of_runs. cbn [filter length]. fold (masks_of_runs runs). fold (loads_of_runs runs).
        apply mean_ext. intros item _. apply (IH (S start) (fun ds => g (on_item item :: ds)) later).
      + rewrite mean_map, mean_tuples_S. unfold masks_of_runs, loads_of_runs. cbn [filter length]. fold (masks_of_runs runs). fold (loads_of_runs runs).
        apply mean_ext. intros item _. apply (IH (S start) (fun ds => g (on_item item :: ds)) later).
  Qed.
End Draws.
