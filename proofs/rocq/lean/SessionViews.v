(* A whole lean session towards any party (Receiver.v), as one view: the messages that it is sent in all steps, over uniform draws of all items and of the
   load, are made of what it has of the draws and of its views of runs, each of which has hidden draws of its own, uniform and independent
   ([session_is_schedule]). That view is what WholeSchedule.v simulates.

   Items are drawn in the order in which they are made, and used in the order in which they are made, those for READs and those for UPDATEs each; between the
   two kinds the order of use is any: so uniform draws of two queues are uniform draws of the runs ([mean_in_order]). *)
From Coq Require Import Lia.
From Duoram Require Import Bijection Counting Chains BackwardChains.
From Duoram.core Require Import Parties VectorFacts PrgAdvantage HiddenParts.
From Duoram.lean Require Import Generation PreparingView SessionAnswersIdeal CorrectionsUniform OperationView WholeSchedule TapeDiscipline ItemDraws ItemOnTapes SessionTapes
  SessionItems StepStates SessionSchedule.
From Duoram.lean Require Export Receiver ReceivedMessages SessionMachine.
From Duoram.Generated Require Import All.
#[local] Open Scope Q_scope.

(** * Counts *)

Definition is_for (p : lean_layers_Purpose) (kind : lean_run) : bool :=
  match kind with lean_loading => false | _ => same_purpose p (purpose_at kind) end.
Definition count_for (p : lean_layers_Purpose) (kinds : list lean_run) : nat := length (filter (is_for p) kinds).
Definition loads_of (kinds : list lean_run) : nat := length (filter (fun kind => match kind with lean_loading => true | _ => false end) kinds).

Lemma counts_repeat p op q idle (kinds : list lean_run) :
  let kind := if idle : bool then lean_idle op else lean_using op in
  count_for p (repeat kind q ++ kinds) = ((if same_purpose p (purpose_of op) then q else 0) + count_for p kinds)%nat /\
  loads_of (repeat kind q ++ kinds) = loads_of kinds.
Proof.
  cbv zeta. unfold count_for, loads_of. rewrite !filter_app, !app_length.
  assert (each : forall (f : lean_run -> bool) x, length (filter f (repeat x q)) = if f x then q else 0%nat).
  { intros f x. induction q as [|k IH]; cbn [repeat filter length]; [destruct (f x); reflexivity|]. destruct (f x); cbn [length]; rewrite IH; reflexivity. }
  rewrite !each. destruct idle; split; reflexivity.
Qed.
Lemma kinds_counts : forall shapes r u, enough shapes r u ->
  count_for lean_layers_Purpose_Read (kinds_of shapes r u) = (r + made_in lean_layers_Purpose_Read shapes)%nat /\
  count_for lean_layers_Purpose_Update (kinds_of shapes r u) = (u + made_in lean_layers_Purpose_Update shapes)%nat /\
  loads_of (kinds_of shapes r u) = loads_in shapes.
Proof.
  induction shapes as [|s shapes IH]; intros r u supply.
  - cbn [kinds_of made_in loads_in].
    destruct (counts_repeat lean_layers_Purpose_Read op_read r true (repeat (lean_idle op_update) u)) as [-> e].
    destruct (counts_repeat lean_layers_Purpose_Update op_read r true (repeat (lean_idle op_update) u)) as [-> _]. rewrite e.
    pose proof (counts_repeat lean_layers_Purpose_Read op_update u true []) as [a b]. pose proof (counts_repeat lean_layers_Purpose_Update op_update u true []) as [c _].
    rewrite app_nil_r in *. rewrite a, b, c. cbn. lia.
  - destruct s as [|r' u'|op q]; cbn [kinds_of made_in loads_in enough] in *.
    + destruct (IH r u supply) as (a & b & c). unfold count_for, loads_of in *. cbn [filter is_for length]. rewrite a, b, c. repeat split; reflexivity.
    + destruct (IH _ _ (proj2 supply)) as (a & b & c). rewrite a, b, c. lia.
    + destruct (counts_repeat lean_layers_Purpose_Read op q false (match purpose_of op with
        | lean_layers_Purpose_Read => kinds_of shapes (r - q) u | lean_layers_Purpose_Update => kinds_of shapes r (u - q) end)) as [-> e].
      destruct (counts_repeat lean_layers_Purpose_Update op q false (match purpose_of op with
        | lean_layers_Purpose_Read => kinds_of shapes (r - q) u | lean_layers_Purpose_Update => kinds_of shapes r (u - q) end)) as [-> _]. rewrite e.
      destruct supply as [_ supply]. destruct (purpose_of op); destruct supply as [hq supply]; destruct (IH _ _ supply) as (a & b & c); rewrite a, b, c;
        cbn [same_purpose]; lia.
Qed.

(* What a schedule costs: of each item, used or not, one advantage against the PRG for each level of its two trees and one for either's end; nothing for the load. *)
Definition advantages (h : u64) (kind : lean_run) : nat := match kind with lean_loading => 0 | _ => 2 * S (tree_level h (purpose_at kind)) end%nat.
Theorem lean_session_costs (h : u64) (shapes : list lean_shape) : enough shapes 0 0 ->
  list_sum (map (advantages h) (kinds_of shapes 0 0))
  = (2 * (made_in lean_layers_Purpose_Read shapes * S (tree_level h lean_layers_Purpose_Read)
          + made_in lean_layers_Purpose_Update shapes * S (tree_level h lean_layers_Purpose_Update)))%nat.
Proof.
  intros supply. destruct (kinds_counts shapes 0 0 supply) as (cr & cu & _). cbn [Nat.add] in cr, cu. rewrite <- cr, <- cu. clear cr cu supply.
  unfold count_for. remember (S (tree_level h lean_layers_Purpose_Read)) as a eqn:ea. remember (S (tree_level h lean_layers_Purpose_Update)) as b eqn:eb.
  induction (kinds_of shapes 0 0) as [|kind kinds IH]; [reflexivity|].
  change (list_sum (map (advantages h) (kind :: kinds))) with (advantages h kind + list_sum (map (advantages h) kinds))%nat. rewrite IH. cbn [filter].
  destruct kind as [|op|op]; cbn [advantages is_for op_of]; [reflexivity|..]; destruct (purpose_of op); cbn [same_purpose length]; rewrite <- ?ea, <- ?eb, ?Nat.mul_succ_l; first [lia | nia].
Qed.

(** * Draws of the queues are draws of the runs *)

Section Order.
  Context {L T X : Type} (on_load : L -> X) (on_item : T -> X) (load_space : list L) (space : lean_layers_Purpose -> list T).

  Definition kind_mean (kind : lean_run) (f : X -> Q) : Q :=
    match kind with lean_loading => mean load_space (fun l => f (on_load l)) | _ => mean (space (purpose_at kind)) (fun d => f (on_item d)) end.

  Theorem mean_in_order : forall kinds (spaces : nat -> list X) (start : nat) (loads : list L) (g : list X -> Q),
    loads <> [] -> ((loads_of kinds <= 1)%nat /\ loads = load_space) \/ loads_of kinds = 0%nat ->
    (forall i kind f, nth_error kinds i = Some kind -> mean (spaces (start + i)%nat) f == kind_mean kind f) ->
    mean loads (fun l => mean (tuples (count_for lean_layers_Purpose_Read kinds) (space lean_layers_Purpose_Read)) (fun rs =>
      mean (tuples (count_for lean_layers_Purpose_Update kinds) (space lean_layers_Purpose_Update)) (fun us =>
        g (in_order on_load (fun _ d => on_item d) kinds l (rs, us)))))
    == mean (draws_from spaces start (length kinds)) g.
  Proof.
    induction kinds as [|kind kinds IH]; intros spaces start loads g some once are.
    - cbn [length in_order]. rewrite mean_draws_0, (mean_const loads) by exact some. unfold count_for. cbn [filter length]. rewrite !mean_tuples_0. reflexivity.
    - pose proof (are 0%nat kind) as here. rewrite Nat.add_0_r in here.
      assert (later : forall i kind f, nth_error kinds i = Some kind -> mean (spaces (S start + i)%nat) f == kind_mean kind f).
      { intros i kind' f e. replace (S start + i)%nat with (start + S i)%nat by lia. apply (are (S i) kind' f e). }
      cbn [length]. rewrite mean_draws_S, (here _ eq_refl). clear here are.
      assert (item : forall op, kind = lean_using op \/ kind = lean_idle op ->
        mean loads (fun l => mean (tuples (count_for lean_layers_Purpose_Read (kind :: kinds)) (space lean_layers_Purpose_Read)) (fun rs =>
          mean (tuples (count_for lean_layers_Purpose_Update (kind :: kinds)) (space lean_layers_Purpose_Update)) (fun us =>
            g (in_order on_load (fun _ d => on_item d) (kind :: kinds) l (rs, us)))))
        == mean (space (purpose_of op)) (fun d => mean (draws_from spaces (S start) (length kinds)) (fun xs => g (on_item d :: xs)))).
      { intros op is_item.
        assert (once' : ((loads_of kinds <= 1)%nat /\ loads = load_space) \/ loads_of kinds = 0%nat) by (destruct is_item as [-> | ->]; exact once).
        assert (order : forall l rs us, in_order on_load (fun _ d => on_item d) (kind :: kinds) l (rs, us)
          = match pick (purpose_of op) (rs, us) with [] => [] | d :: _ => on_item d :: in_order on_load (fun _ d => on_item d) kinds l (drop (purpose_of op) 1 (rs, us)) end)
          by (intros; destruct is_item as [-> | ->]; reflexivity).
        assert (counts : forall p, count_for p (kind :: kinds) = ((if same_purpose p (purpose_of op) then 1 else 0) + count_for p kinds)%nat).
        { intros p. unfold count_for. destruct is_item as [-> | ->]; cbn [filter is_for op_of]; destruct (same_purpose p (purpose_of op)); reflexivity. }
        rewrite !counts. clear counts.
        transitivity (mean (space (purpose_of op)) (fun d => mean loads (fun l => mean (tuples (count_for lean_layers_Purpose_Read kinds) (space lean_layers_Purpose_Read)) (fun rs =>
          mean (tuples (count_for lean_layers_Purpose_Update kinds) (space lean_layers_Purpose_Update)) (fun us =>
            g (on_item d :: in_order on_load (fun _ d => on_item d) kinds l (rs, us))))))).
        - rewrite (mean_swap (space (purpose_of op))). apply mean_ext. intros l _. destruct (purpose_of op); cbn [same_purpose Nat.add].
          + rewrite mean_tuples_S. apply mean_ext. intros d _. apply mean_ext. intros rs _. apply mean_ext. intros us _. rewrite order. reflexivity.
          + rewrite (mean_swap (space lean_layers_Purpose_Update)). apply mean_ext. intros rs _. rewrite mean_tuples_S. apply mean_ext. intros d _. apply mean_ext. intros us _. rewrite order. reflexivity.
        - apply mean_ext. intros d _. exact (IH spaces (S start) loads (fun xs => g (on_item d :: xs)) some once' later). }
      destruct kind as [|op|op]; [|apply item; left; reflexivity | apply item; right; reflexivity].
      clear item. unfold kind_mean, count_for. cbn [filter is_for in_order]. unfold loads_of in once. cbn [filter length] in once.
      destruct once as [[one ->]|none]; [|discriminate]. apply mean_ext. intros l _.
      rewrite <- (IH spaces (S start) [l] (fun xs => g (on_load l :: xs))); [|discriminate | right; unfold loads_of; lia | exact later].
      rewrite mean_singleton. reflexivity.
  Qed.
End Order.

(** * What was seen of the items *)

Section Session.
  Context {P : Type} {P_Prg : prg_Prg P} {P_Layers : lean_layers_Layers P} (prg : P) (h m : u64).
  Context {Own Mine Inputs Draw Made Told Load LoadOwn : Type} (to : receiver Own Mine Inputs Draw Made Told Load LoadOwn) (law : lawful prg h to).
  Notation seen := (run_seen (Seen := Made * Told) (Made := Made) (Load := Load)).

  (* The public schedule, with at most one load; what is asked, given all secrets and the results so far. *)
  Context (shapes : list lean_shape) (supply : enough shapes 0 0) (one_load : (loads_in shapes <= 1)%nat).
  Context {R : Type} (rest : list R) (ask : R -> nat -> list (W * W) -> lean_step W).
  Hypothesis shaped : forall r k s results, nth_error shapes k = Some s -> has_shape m s (ask r k results).

  Definition kinds : list lean_run := kinds_of shapes 0 0.
  Definition kind_at (j : nat) : lean_run := nth j kinds lean_loading.
  Notation reads := (made_in lean_layers_Purpose_Read shapes).
  Notation updates := (made_in lean_layers_Purpose_Update shapes).
  Notation wholes := (in_order whole_load whole_item).
  Notation whole_seen r := (whole_seen prg h m to shapes (ask r)).
  Notation used_by_run := (used_by_run prg h).

  Lemma made_is_seen r p : forall kinds j before l items,
    count_for lean_layers_Purpose_Read kinds = length (fst items) -> count_for lean_layers_Purpose_Update kinds = length (snd items) ->
    made_seen (Told := Told) (Load := Load) p kinds (views_of (whole_seen r) j before (wholes kinds l items))
    = map (fun x : item_drawn * W => made_of to (p, fst x)) (pick p items).
  Proof.
    induction kinds0 as [|kind kinds0 IH]; intros j before l [rs us] cr cu.
    - unfold count_for in cr, cu. cbn in cr, cu. destruct rs, us; try discriminate. destruct p; reflexivity.
    - unfold count_for in cr, cu. cbn [fst snd] in *. destruct kind as [|op|op]; cbn [filter is_for op_of] in cr, cu.
      + cbn [in_order views_of]. unfold made_seen. cbn [combine flat_map fst snd SessionMachine.whole_seen]. 
        transitivity (made_seen (Told := Told) (Load := Load) p kinds0 (views_of (whole_seen r) (S j) (before ++ [whole_load l]) (wholes kinds0 l (rs, us)))).
        { unfold made_seen. destruct (same_purpose _ _); reflexivity. }
        apply IH; assumption.
      + cbn [in_order]. destruct (purpose_at (lean_using op)) eqn:e; cbn [op_of] in e; rewrite e in cr, cu; cbn [same_purpose length pick drop fst snd] in *.
        * destruct rs as [|x rs]; [discriminate|]. injection cr as cr. cbn [views_of skipn]. unfold made_seen. cbn [combine flat_map fst snd op_of]. rewrite ?e.
          specialize (IH (S j) (before ++ [whole_item (lean_using op) x]) l (rs, us) cr cu). unfold made_seen in IH. rewrite IH.
          unfold SessionMachine.whole_seen. cbv zeta. cbn [wrap op_of]. rewrite ?e. destruct p; reflexivity.
        * destruct us as [|x us]; [discriminate|]. injection cu as cu. cbn [views_of skipn]. unfold made_seen. cbn [combine flat_map fst snd op_of]. rewrite ?e.
          specialize (IH (S j) (before ++ [whole_item (lean_using op) x]) l (rs, us) cr cu). unfold made_seen in IH. rewrite IH.
          unfold SessionMachine.whole_seen. cbv zeta. cbn [wrap op_of]. rewrite ?e. destruct p; reflexivity.
      + cbn [in_order]. destruct (purpose_at (lean_idle op)) eqn:e; cbn [op_of] in e; rewrite e in cr, cu; cbn [same_purpose length pick drop fst snd] in *.
        * destruct rs as [|x rs]; [discriminate|]. injection cr as cr. cbn [views_of skipn]. unfold made_seen. cbn [combine flat_map fst snd op_of]. rewrite ?e.
          specialize (IH (S j) (before ++ [whole_item (lean_idle op) x]) l (rs, us) cr cu). unfold made_seen in IH. rewrite IH.
          unfold SessionMachine.whole_seen. cbv zeta. cbn [wrap op_of fst]. rewrite ?e. destruct p; reflexivity.
        * destruct us as [|x us]; [discriminate|]. injection cu as cu. cbn [views_of skipn]. unfold made_seen. cbn [combine flat_map fst snd op_of]. rewrite ?e.
          specialize (IH (S j) (before ++ [whole_item (lean_idle op) x]) l (rs, us) cr cu). unfold made_seen in IH. rewrite IH.
          unfold SessionMachine.whole_seen. cbv zeta. cbn [wrap op_of fst]. rewrite ?e. destruct p; reflexivity.
  Qed.

  (* The messages, of views alone. *)
  Definition messages_of (views : list seen) : list (list lean_session_Sent) := assembled to shapes (repr 64 1) (both_made_seen kinds views) views.

  Lemma messages_are_of_views r l rs us : length rs = reads -> length us = updates ->
    map (messages_to to) (drawn_sent prg h m (ask r) (load_masks l) shapes 0 [] (lean_memory_initial W m) (repr 64 1) (map fst rs, map fst us)
      (map (fun x : item_drawn * W => taken_of prg h (lean_layers_Purpose_Read, fst x)) rs, map (fun x => taken_of prg h (lean_layers_Purpose_Update, fst x)) us))
    = messages_of (views_of (whole_seen r) 0 [] (wholes kinds l (rs, us))).
  Proof.
    intros lr lu. destruct (kinds_counts shapes 0 0 supply) as (cr & cu & _). cbn [Nat.add] in cr, cu. fold kinds in cr, cu.
    rewrite (drawn_is_assembled prg h m to law shapes (ask r) l shapes 0 [] (lean_memory_initial W m) (repr 64 1) (map fst rs, map fst us) rs us [] 0 0);
      [|reflexivity | exact supply | exact lr | exact lu | intros i s results e; exact (shaped r i s results e)].
    fold kinds. unfold messages_of, both_made_seen. cbn [length fst snd].
    rewrite !made_is_seen by (cbn [fst snd]; congruence). cbn [pick fst snd]. rewrite !map_map. reflexivity.
  Qed.

  (** * What the party has, and what is hidden from it *)

  Notation owned := (LoadOwn * queues item_drawn)%type.
  Notation run_draw := (run_draw (Draw := Draw)).
  Definition owned_of (l : load_drawn) (rs us : list (item_drawn * W)) : owned :=
    (load_own to l, (map (fun x => seen_of to lean_layers_Purpose_Read (fst x)) rs, map (fun x => seen_of to lean_layers_Purpose_Update (fst x)) us)).
  Definition hidden_run (w : whole_run) : run_draw :=
    match w with whole_load l => load_draw (load_hidden to l) | whole_item kind x => item_draw (hidden_of to (purpose_at kind) (fst x) (snd x)) end.

  (* Of run j: what it has of the item; what the run drew; what is asked in it, by what was drawn before it. *)
  Definition none : item_drawn := no_item h lean_layers_Purpose_Read.
  Definition own_at (j : nat) (a : owned) : Own :=
    let p := purpose_at (kind_at j) in own_of to p (fitted h p (nth j (in_order (fun _ : unit => none) (fun _ i => i) kinds tt (snd a)) none)).
  Definition used_at (a : owned) (j : nat) (d : run_draw) : used :=
    match d with
    | load_draw mask => used_load (load_with to (fst a) mask)
    | item_draw d => used_item (taken_with to (purpose_at (kind_at j)) (own_at j a) d)
    end.
  Fixpoint used_from (a : owned) (j : nat) (ds : list run_draw) : list used :=
    match ds with [] => [] | d :: ds => used_at a j d :: used_from a (S j) ds end.
  Definition asked_of (z : owned * R) (before : list run_draw) : asked := asked_now m shapes (ask (snd z)) (used_from (fst z) 0 before).
  Definition mine_at (j : nat) (z : owned * R) (before : list run_draw) : Mine := mine_of to (own_at j (fst z)) (asked_query (asked_of z before)).
  Definition inputs_at (_ : nat) (z : owned * R) (before : list run_draw) : Inputs := inputs_of to (asked_state (asked_of z before)) (asked_query (asked_of z before)).
  Definition share_at (_ : nat) (z : owned * R) (before : list run_draw) : list W := fit_words m (share_of to (asked_memory (asked_of z before))).
  Notation view := (real_seen (given to) fst (view_of to) (load_view to) kind_at own_at mine_at inputs_at share_at).

  Lemma share_at_length j z before : length (share_at j z before) = nat_of m.
  Proof. apply fit_words_length. Qed.

  Section Runs.
    Context (r : R) (l : load_drawn) (rs us : list (item_drawn * W)).
    Hypothesis fit_r : forall x, In x rs -> item_fits h (op_for lean_layers_Purpose_Read) (fst x).
    Hypothesis fit_u : forall x, In x us -> item_fits h (op_for lean_layers_Purpose_Update) (fst x).
    Notation ws := (wholes kinds l (rs, us)).
    Notation a := (owned_of l rs us).

    Definition kind_of_run (w : whole_run) : lean_run := match w with whole_load _ => lean_loading | whole_item kind _ => kind end.
    Lemma kinds_aligned : forall kinds items j w, nth_error (wholes kinds l items) j = Some w -> nth j kinds lean_loading = kind_of_run w.
    Proof.
      induction kinds0 as [|kind kinds0 IH]; intros items j w e; [destruct j; discriminate|].
      destruct kind as [|op|op]; cbn [in_order] in e.
      - destruct j as [|j]; [injection e as <-; reflexivity | exact (IH items j w e)].
      - destruct (pick _ _) as [|x xs]; [destruct j; discriminate|]. destruct j as [|j]; [injection e as <-; reflexivity | exact (IH _ j w e)].
      - destruct (pick _ _) as [|x xs]; [destruct j; discriminate|]. destruct j as [|j]; [injection e as <-; reflexivity | exact (IH _ j w e)].
    Qed.
    Lemma runs_fit : forall kinds items, (forall p x, In x (pick p items) -> item_fits h (op_for p) (fst x)) ->
      forall kind x, In (whole_item kind x) (wholes kinds l items) -> item_fits h (op_for (purpose_at kind)) (fst x).
    Proof.
      assert (less : forall p p' (items : queues (item_drawn * W)) x, In x (pick p (drop p' 1 items)) -> In x (pick p items)).
      { intros p p' [xs ys] x hx. destruct p, p'; cbn [pick drop fst snd] in *; try exact hx; [destruct xs | destruct ys]; try exact hx; right; exact hx. }
      induction kinds0 as [|kind kinds0 IH]; intros items fit k x hx; [destruct hx|].
      destruct kind as [|op|op]; cbn [in_order] in hx.
      - destruct hx as [e|hx]; [discriminate | exact (IH items fit k x hx)].
      - destruct (pick _ items) as [|y ys] eqn:e; [destruct hx|]. destruct hx as [e'|hx].
        + injection e' as <- <-. apply fit. rewrite e. left. reflexivity.
        + apply (IH (drop (purpose_at (lean_using op)) 1 items)); [|exact hx]. intros p z hz. apply fit, (less _ _ _ _ hz).
      - destruct (pick _ items) as [|y ys] eqn:e; [destruct hx|]. destruct hx as [e'|hx].
        + injection e' as <- <-. apply fit. rewrite e. left. reflexivity.
        + apply (IH (drop (purpose_at (lean_idle op)) 1 items)); [|exact hx]. intros p z hz. apply fit, (less _ _ _ _ hz).
    Qed.

    Lemma own_of_run past w todo : ws = past ++ w :: todo ->
      kind_at (length past) = kind_of_run w /\
      forall kind x, w = whole_item kind x -> item_fits h (op_for (purpose_at kind)) (fst x) /\ own_at (length past) a = own_of to (purpose_at kind) (fst x).
    Proof.
      intros e. assert (at_ : nth_error ws (length past) = Some w) by (rewrite e, nth_error_app2, Nat.sub_diag by apply le_n; reflexivity).
      pose proof (kinds_aligned kinds (rs, us) (length past) w at_) as kind_is. split; [exact kind_is|]. intros kind x ->. cbn [kind_of_run] in kind_is.
      assert (fit : item_fits h (op_for (purpose_at kind)) (fst x)).
      { apply (runs_fit kinds (rs, us)); [intros p y hy; destruct p; [apply fit_r | apply fit_u]; exact hy|]. apply nth_error_In in at_. exact at_. }
      split; [exact fit|]. unfold own_at. fold (kind_at (length past)) in kind_is. rewrite kind_is. cbv zeta.
      pose (g := fun w => match w with whole_load _ => none | whole_item kind x => seen_of to (purpose_at kind) (fst x) end).
      assert (order : in_order (fun _ : unit => none) (fun _ i => i) kinds tt (snd a) = map g ws).
      { symmetry. apply (in_order_map whole_load whole_item (fun _ : unit => none) (fun _ i => i) (fun _ => tt) (fun p x => seen_of to p (fst x)) g); reflexivity. }
      rewrite order, e, map_app. cbn [map]. rewrite app_nth2, map_length, Nat.sub_diag by (rewrite map_length; apply le_n). cbn [nth g].
      rewrite fitted_same by (apply (lawful_seen prg h to law), fit). apply (lawful_own prg h to law).
    Qed.

    Lemma used_as_whole : forall todo past more, ws = past ++ todo ++ more -> used_from a (length past) (map hidden_run todo) = map used_by_run todo.
    Proof.
      induction todo as [|w todo IH]; intros past more e; [reflexivity|]. cbn [map used_from].
      destruct (own_of_run past w (todo ++ more) e) as [kind_is own_is]. apply f_equal2.
      - destruct w as [l'|kind x]; cbn [hidden_run used_at SessionMachine.used_by_run].
        + assert (same : l' = l).
          { assert (i : In (whole_load l') ws) by (rewrite e; apply in_or_app; right; left; reflexivity). clear - i. revert i. generalize (rs, us).
            induction kinds as [|kind kinds0 IH]; intros items i; [destruct i|]. destruct kind as [|op|op]; cbn [in_order] in i.
            - destruct i as [e|i]; [congruence | exact (IH items i)].
            - destruct (pick _ _); [destruct i|]. destruct i as [e|i]; [discriminate | exact (IH _ i)].
            - destruct (pick _ _); [destruct i|]. destruct i as [e|i]; [discriminate | exact (IH _ i)]. }
          subst l'. unfold owned_of. cbn [fst]. rewrite (lawful_load_masks prg h to law). reflexivity.
        + destruct (own_is kind x eq_refl) as [fit ->]. rewrite kind_is. cbn [kind_of_run]. rewrite (lawful_taken prg h to law) by exact fit. reflexivity.
      - specialize (IH (past ++ [w]) more). rewrite app_length, Nat.add_1_r in IH. apply IH. rewrite <- app_assoc. exact e.
    Qed.

    Lemma views_as_whole : forall todo past, ws = past ++ todo ->
      views_of (view (a, r)) (length past) (map hidden_run past) (map hidden_run todo) = views_of (whole_seen r) (length past) past todo.
    Proof.
      induction todo as [|w todo IH]; intros past e; [reflexivity|]. cbn [map views_of].
      destruct (own_of_run past w todo e) as [kind_is own_is].
      assert (now : asked_of (a, r) (map hidden_run past) = asked_now m shapes (ask r) (map used_by_run past)).
      { unfold asked_of. cbn [fst snd]. pose proof (used_as_whole past [] (w :: todo) e) as same. cbn [length] in same. rewrite same. reflexivity. }
      apply f_equal2.
      - unfold SessionMachine.whole_seen. cbv zeta. destruct w as [l'|kind x]; cbn [hidden_run real_seen].
        + unfold share_at. rewrite now. reflexivity.
        + unfold mine_at, inputs_at. cbn [fst]. rewrite now, kind_is. cbn [kind_of_run]. destruct (own_is kind x eq_refl) as [fit ->].
          rewrite (lawful_view prg h to law) by exact fit. reflexivity.
      - specialize (IH (past ++ [w])). rewrite map_app, app_length, Nat.add_1_r in IH. apply IH. rewrite <- app_assoc. exact e.
    Qed.
  End Runs.

  (** * The spaces *)

  Context (space : lean_op -> list Draw).
  Definition item_pairs (p : lean_layers_Purpose) : list (item_drawn * W) := list_prod (item_space (tree_level h p)) xor_words.
  Definition load_words : list (list u64 * list u64) := list_prod (tuples (nat_of m) some_words) (tuples (nat_of m) some_words).
  Definition load_space : list load_drawn := list_prod load_words (tuples (nat_of m) xor_words).
  Hypothesis space_of_purpose : forall op, space op = space (op_for (purpose_of op)).
  Hypothesis items_hide : forall p,
    hides (item_pairs p) (fun x => seen_of to p (fst x)) (fun x => hidden_of to p (fst x) (snd x)) (space (op_for p)).
  Hypothesis load_hides : hides load_space (load_own to) (load_hidden to) (tuples (nat_of m) xor_words).

  (* Whoever tells the two apart knows all secrets, all that the party has, and all messages to it. *)
  Context (test : R -> owned -> list (list lean_session_Sent) -> bool).
  Definition real_view : Q :=
    mean rest (fun r => mean load_space (fun l => mean (tuples reads (item_pairs lean_layers_Purpose_Read)) (fun rs =>
      mean (tuples updates (item_pairs lean_layers_Purpose_Update)) (fun us => indicator (test r (owned_of l rs us)
        (map (messages_to to) (drawn_sent prg h m (ask r) (load_masks l) shapes 0 [] (lean_memory_initial W m) (repr 64 1) (map fst rs, map fst us)
          (map (fun x : item_drawn * W => taken_of prg h (lean_layers_Purpose_Read, fst x)) rs, map (fun x => taken_of prg h (lean_layers_Purpose_Update, fst x)) us)))))))).

  Definition owned_space : list owned :=
    map (fun z => owned_of (fst z) (fst (snd z)) (snd (snd z)))
      (list_prod load_space (list_prod (tuples reads (item_pairs lean_layers_Purpose_Read)) (tuples updates (item_pairs lean_layers_Purpose_Update)))).
  Definition owned_rest : list (owned * R) := map (fun z => (snd z, fst z)) (list_prod rest owned_space).
  Definition views_test (z : owned * R) (views : list seen) : bool := test (snd z) (fst z) (messages_of views).

  Lemma item_of_pairs p x : In x (item_pairs p) -> item_fits h (op_for p) (fst x).
  Proof. destruct x as [i unused]. unfold item_pairs. intros hx. apply in_prod_iff in hx as [hx _]. apply item_space_fits. rewrite purpose_of_op_for. exact hx. Qed.
  Lemma in_tuples_in {T : Type} k (s : list T) (xs : list T) : In xs (tuples k s) -> forall x, In x xs -> In x s.
  Proof.
    revert xs. induction k as [|k IH]; intros xs hx x hin; cbn [tuples] in hx; [destruct hx as [<-|[]]; destruct hin|].
    apply in_map_iff in hx as ([y ys] & <- & hx). apply in_prod_iff in hx as [hy hys]. destruct hin as [<-|hin]; [exact hy | exact (IH ys hys x hin)].
  Qed.

  Theorem session_is_schedule :
    real_view == real_schedule (given to) fst space (view_of to) (nat_of m) (load_view to) (length kinds) kind_at owned_rest own_at mine_at inputs_at share_at views_test.
  Proof.
    destruct (kinds_counts shapes 0 0 supply) as (cr & cu & cl). cbn [Nat.add] in cr, cu. fold kinds in cr, cu, cl.
    pose (G r (a : owned) ds := indicator (views_test (a, r) (views_of (view (a, r)) 0 [] ds))).
    pose (order l rs us := in_order load_draw (fun _ d => item_draw d) kinds l (rs, us) : list run_draw).
    unfold real_view, real_schedule, owned_rest, owned_space. rewrite Pr_mean, mean_prod, mean_map, mean_prod. apply mean_ext. intros r _.
    rewrite mean_map. cbn [fst snd].
    transitivity (mean load_space (fun l => mean (list_prod (tuples reads (item_pairs lean_layers_Purpose_Read)) (tuples updates (item_pairs lean_layers_Purpose_Update))) (fun z =>
      G r (owned_of l (fst z) (snd z)) (order (load_hidden to l) (map (fun x => hidden_of to lean_layers_Purpose_Read (fst x) (snd x)) (fst z))
        (map (fun x => hidden_of to lean_layers_Purpose_Update (fst x) (snd x)) (snd z)))))).
    { apply mean_ext. intros l _. rewrite mean_prod. apply mean_ext. intros rs hr. apply mean_ext. intros us hu. cbn [fst snd].
      rewrite messages_are_of_views by (eapply tuples_length; eassumption).
      unfold G, views_test. cbn [fst snd].
      assert (ds : order (load_hidden to l) (map (fun x => hidden_of to lean_layers_Purpose_Read (fst x) (snd x)) rs)
          (map (fun x => hidden_of to lean_layers_Purpose_Update (fst x) (snd x)) us) = map hidden_run (wholes kinds l (rs, us))).
      { symmetry. apply (in_order_map whole_load whole_item load_draw (fun _ d => item_draw d) (load_hidden to) (fun p x => hidden_of to p (fst x) (snd x)) hidden_run); reflexivity. }
      rewrite ds.
      pose proof (views_as_whole r l rs us (fun x hx => item_of_pairs _ x (in_tuples_in _ _ _ hr x hx)) (fun x hx => item_of_pairs _ x (in_tuples_in _ _ _ hu x hx))
        (wholes kinds l (rs, us)) [] eq_refl) as same. cbn [length map] in same. rewrite same. reflexivity. }
    pose proof (hides_both _ _ _ _ _ _ _ _ load_hides (hides_both _ _ _ _ _ _ _ _ (hides_each _ _ _ _ reads (items_hide lean_layers_Purpose_Read))
      (hides_each _ _ _ _ updates (items_hide lean_layers_Purpose_Update)))) as hiding.
    specialize (hiding (fun o x => G r (fst o, snd o) (order (fst x) (fst (snd x)) (snd (snd x))))). cbn [fst snd] in hiding.
    rewrite mean_prod in hiding. etransitivity; [exact hiding|]. clear hiding.
    apply mean_ext. intros [l [rs us]] _. cbn [fst snd]. unfold owned_of. cbn [fst snd].
    match goal with |- context [G r ?a _] => set (owned_here := a) end. change (map (fun x => seen_of to lean_layers_Purpose_Read (fst x)) rs) with (fst (snd owned_here)).
    rewrite mean_prod.
    transitivity (mean (tuples (nat_of m) xor_words) (fun hl => mean (tuples (count_for lean_layers_Purpose_Read kinds) (space (op_for lean_layers_Purpose_Read))) (fun hr =>
      mean (tuples (count_for lean_layers_Purpose_Update kinds) (space (op_for lean_layers_Purpose_Update))) (fun hu => G r owned_here (order hl hr hu))))).
    { rewrite cr, cu. apply mean_ext. intros hl _. rewrite mean_prod. reflexivity. }
    apply (mean_in_order (X := run_draw) load_draw item_draw (tuples (nat_of m) xor_words) (fun p => space (op_for p)) kinds
      (fun j => run_space space (nat_of m) (kind_at j)) 0 (tuples (nat_of m) xor_words) (fun ds => G r owned_here ds)).
    - apply (space_not_empty _ _ (repeat (ring_Ring_zero W) (nat_of m)) (tuples_enumerate _ _ xor_words_enumerate)). apply repeat_length.
    - left. split; [|reflexivity]. rewrite cl. exact one_load.
    - intros i kind f e. cbn [Nat.add]. unfold kind_at. rewrite (nth_error_nth _ _ _ e).
      destruct kind as [|op|op]; unfold run_space, kind_mean; cbn [op_of]; rewrite mean_map; [reflexivity|..]; rewrite space_of_purpose; reflexivity.
  Qed.
End Session.
