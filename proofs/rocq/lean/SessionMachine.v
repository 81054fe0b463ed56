(* A lean session's runs as a machine: what is asked in each run, the state and the memory that is loaded, from what the runs before it drew ([asked_at]);
   and what a receiver (Receiver.v) is sent in all steps is put together of its views of the runs ([drawn_is_assembled]). *)
From Coq Require Import Lia.
From Duoram Require Import Bijection Counting Chains BackwardChains.
From Duoram.core Require Import Parties VectorFacts.
From Duoram.lean Require Import Generation PreparingView SessionAnswersIdeal CorrectionsUniform OperationView WholeSchedule TapeDiscipline ItemDraws ItemOnTapes SessionTapes
  SessionItems StepStates SessionSchedule Receiver.
From Duoram.Generated Require Import All.

(* What a run drew: of the load x and B, of an item what its operation takes. *)
Inductive used : Type := used_load (masks : list W * list W) | used_item (t : taken).
Definition no_taken : taken :=
  {| taken_leaves := repr 64 0; taken_material := mk_lean_update_Material (mk_lean_read_Flags [] [] [] []) (mk_lean_update_Values [] [] [] []) (ring_Ring_zero W, ring_Ring_zero W) (ring_Ring_zero W);
     taken_index := (repr 64 0, repr 64 0); taken_x := ring_Ring_zero W;
     taken_masks := mk_lean_write_Masks (ring_Ring_zero W) (ring_Ring_zero W) (ring_Ring_zero W); taken_rho := ring_Ring_zero W |}.
Definition masks_used (d : used) : list W * list W := match d with used_load masks => masks | used_item _ => ([], []) end.
Definition taken_used (d : used) : taken := match d with used_item t => t | used_load _ => no_taken end.
Definition no_query : query := ((repr 64 0, repr 64 0), (ring_Ring_zero W, ring_Ring_zero W)).

(* What a run is asked, in which state. *)
Record asked : Type := { asked_state : lean_memory_State W; asked_query : query; asked_memory : list W * list W }.

Section Machine.
  Context (m : u64). (* the words of the memory *)
  Notation zeros := (vector_zeros W m, vector_zeros W m).

  (* Of the run that comes when so much is drawn. All queries of a step are asked in the state before the step. *)
  Fixpoint asked_at (ask : nat -> list (W * W) -> lean_step W) (shapes : list lean_shape) (k : nat) (results : list (W * W)) (state : lean_memory_State W)
    (before : list used) : asked :=
    match shapes with
    | [] => {| asked_state := state; asked_query := no_query; asked_memory := zeros |}
    | shape_load :: shapes =>
        let memory := memory_asked m (ask k results) in
        match before with
        | [] => {| asked_state := state; asked_query := no_query; asked_memory := memory |}
        | d :: before => asked_at ask shapes (S k) results (loaded memory (masks_used d)) before
        end
    | shape_batch _ _ :: shapes => asked_at ask shapes (S k) results state before
    | shape_use op q :: shapes =>
        let queries := queries_of (ask k results) in
        if (length before <? q)%nat then {| asked_state := state; asked_query := nth (length before) queries no_query; asked_memory := zeros |}
        else
          let used := combine (map taken_used (firstn q before)) queries in
          asked_at ask shapes (S k) (results ++ all_answers op state used) (all_applied op state used) (skipn q before)
    end.

  Definition fit_words (l : list W) : list W := firstn (nat_of m) (l ++ repeat (ring_Ring_zero W) (nat_of m)).
  Lemma fit_words_length l : length (fit_words l) = nat_of m.
  Proof. unfold fit_words. rewrite firstn_length, app_length, repeat_length. lia. Qed.
  Lemma fit_words_sized l : sized m l -> fit_words l = l.
  Proof. intros e. apply DrawnWords.firstn_of_app, e. Qed.
End Machine.

Section Views.
  Context {P : Type} {P_Prg : prg_Prg P} {P_Layers : lean_layers_Layers P} (prg : P) (h m : u64).
  Context {Own Mine Inputs Draw Made Told Load LoadOwn : Type} (to : receiver Own Mine Inputs Draw Made Told Load LoadOwn) (law : lawful prg h to).
  Notation seen := (run_seen (Seen := Made * Told) (Made := Made) (Load := Load)).

  (* A run, with all that is drawn for it: an item, beside a word that is not used. *)
  Inductive whole_run : Type := whole_load (l : load_drawn) | whole_item (kind : lean_run) (x : item_drawn * W).
  Definition used_by_run (w : whole_run) : used :=
    match w with whole_load l => used_load (load_masks l) | whole_item kind x => used_item (taken_of prg h (purpose_at kind, fst x)) end.
  Notation wholes := (in_order whole_load whole_item).
  Notation drawn purpose xs := (map (fun x : item_drawn * W => taken_of prg h (purpose, fst x)) xs).

  (* All shapes of the schedule, and what is asked in it. *)
  Context (schedule : list lean_shape) (ask : nat -> list (W * W) -> lean_step W).
  Notation initial := (lean_memory_initial W m).
  Definition asked_now (before : list used) : asked := asked_at m ask schedule 0 [] initial before.
  Definition whole_seen (_ : nat) (before : list whole_run) (w : whole_run) : seen :=
    let now := asked_now (map used_by_run before) in
    match w with
    | whole_load l => load_seen (load_view to (fit_words m (share_of to (asked_memory now))) (load_hidden to l))
    | whole_item kind x =>
        wrap fst kind (made_of to (purpose_at kind, fst x),
          told_of to (run_of_taken (op_of kind) (asked_state now) (taken_of prg h (purpose_at kind, fst x)) (asked_query now)))
    end.

  (** * The messages, put together again *)

  Definition told_in (views : list seen) : list Told := flat_map (fun v => match v with op_seen s => [snd s] | _ => [] end) views.
  Definition batch_made (reads updates : u64) (made : queues Made) : list (lean_layers_Purpose * Made) :=
    map (pair lean_layers_Purpose_Read) (firstn (nat_of reads) (fst made)) ++ map (pair lean_layers_Purpose_Update) (firstn (nat_of updates) (snd made)).
  (* Of the views of runs, in their order, and of what was seen of the items, in the order in which they are made. *)
  Fixpoint assembled (shapes : list lean_shape) (operation : u64) (made : queues Made) (views : list seen) : list (list lean_session_Sent) :=
    match shapes with
    | [] => []
    | shape_load :: shapes =>
        match views with
        | load_seen v :: views => load_to to operation v :: assembled shapes (wadd operation (repr 64 1)) made views
        | _ => []
        end
    | shape_batch r u :: shapes => batch_to to operation u (batch_made r u made) :: assembled shapes (wadd operation (repr 64 1)) (drop_both r u made) views
    | shape_use op q :: shapes => use_to to op operation (told_in (firstn q views)) :: assembled shapes (wadd operation (repr 64 1)) made (skipn q views)
    end.
  (* What was seen of the items for READs, or for UPDATEs, from the views of the runs that use them. *)
  Definition same_purpose (p p' : lean_layers_Purpose) : bool :=
    match p, p' with lean_layers_Purpose_Read, lean_layers_Purpose_Read | lean_layers_Purpose_Update, lean_layers_Purpose_Update => true | _, _ => false end.
  Definition made_seen (p : lean_layers_Purpose) (kinds : list lean_run) (views : list seen) : list Made :=
    flat_map (fun kv => if same_purpose p (purpose_at (fst kv))
      then match snd kv with op_seen s => [fst s] | idle_seen m => [m] | load_seen _ => [] end else []) (combine kinds views).
  Definition both_made_seen (kinds : list lean_run) (views : list seen) : queues Made :=
    (made_seen lean_layers_Purpose_Read kinds views, made_seen lean_layers_Purpose_Update kinds views).

  (** * A step's runs *)

  Lemma views_of_app {D V : Type} (view : nat -> list D -> D -> V) : forall a j before b,
    views_of view j before (a ++ b) = views_of view j before a ++ views_of view (j + length a)%nat (before ++ a) b.
  Proof.
    induction a as [|d a IH]; intros j before b; cbn [app views_of length].
    - rewrite Nat.add_0_r, app_nil_r. reflexivity.
    - rewrite IH, <- app_assoc. replace (S j + length a)%nat with (j + S (length a))%nat by lia. reflexivity.
  Qed.

  Lemma uses_seen op q shapes k results state before (xs : list (item_drawn * W)) :
    (forall part, asked_now (map used_by_run (before ++ part)) = asked_at m ask (shape_use op q :: shapes) k results state (map used_by_run part)) ->
    length xs = q -> length (queries_of (ask k results)) = q ->
    forall todo past j, xs = past ++ todo ->
    views_of whole_seen j (before ++ map (whole_item (lean_using op)) past) (map (whole_item (lean_using op)) todo)
    = map (fun xq => op_seen (made_of to (purpose_of op, fst (fst xq)),
        told_of to (run_of_taken op state (taken_of prg h (purpose_of op, fst (fst xq))) (snd xq)))) (combine todo (skipn (length past) (queries_of (ask k results)))).
  Proof.
    intros now lx lq. induction todo as [|x todo IH]; intros past j e; [reflexivity|]. cbn [map views_of].
    assert (l : (length past < q)%nat) by (rewrite <- lx, e, app_length; cbn; lia).
    assert (cut : skipn (length past) (queries_of (ask k results)) = nth (length past) (queries_of (ask k results)) no_query :: skipn (S (length past)) (queries_of (ask k results))).
    { rewrite (SessionTapes.skipn_next _ _ (nth (length past) (queries_of (ask k results)) no_query)); [reflexivity|]. apply nth_error_nth'. lia. }
    rewrite cut. cbn [combine map fst snd]. apply f_equal2.
    - unfold whole_seen. rewrite now. cbn [asked_at]. cbv zeta. rewrite !map_length.
      destruct (Nat.ltb_spec (length past) q) as [_|ge]; [|lia]. reflexivity.
    - specialize (IH (past ++ [x]) (S j)). rewrite map_app, app_length, Nat.add_1_r in IH. cbn [map] in IH. rewrite <- app_assoc. rewrite IH; [reflexivity|].
      rewrite e, <- app_assoc. reflexivity.
  Qed.

  (** * The whole session *)

  Theorem drawn_is_assembled (l : load_drawn) : forall shapes k results state operation next rs us before r u,
    (forall part, asked_now (map used_by_run (before ++ part)) = asked_at m ask shapes k results state (map used_by_run part)) ->
    enough shapes r u -> length rs = (r + made_in lean_layers_Purpose_Read shapes)%nat -> length us = (u + made_in lean_layers_Purpose_Update shapes)%nat ->
    (forall i s results, nth_error shapes i = Some s -> has_shape m s (ask (k + i)%nat results)) ->
    map (messages_to to) (drawn_sent prg h m ask (load_masks l) shapes k results state operation next
      (drawn lean_layers_Purpose_Read rs, drawn lean_layers_Purpose_Update us))
    = assembled shapes operation
        (map (fun i => made_of to (lean_layers_Purpose_Read, i)) (fst next), map (fun i => made_of to (lean_layers_Purpose_Update, i)) (snd next))
        (views_of whole_seen (length before) before (wholes (kinds_of shapes r u) l (rs, us))).
  Proof.
    induction shapes as [|s shapes IH]; intros k results state operation next rs us before r u now supply lr lu shaped; [reflexivity|].
    pose proof (shaped 0%nat s results eq_refl) as here. rewrite Nat.add_0_r in here.
    assert (later : forall i s results, nth_error shapes i = Some s -> has_shape m s (ask (S k + i)%nat results)).
    { intros i s' results' e. replace (S k + i)%nat with (k + S i)%nat by lia. exact (shaped (S i) s' results' e). }
    clear shaped. destruct s as [|r' u'|op q]; cbn [drawn_sent map kinds_of in_order enough made_in assembled] in *; cbv zeta.
    - (* The load. *)
      cbn [views_of]. unfold whole_seen at 1. pose proof (now []) as at_load. rewrite app_nil_r in at_load. cbn [map asked_at] in at_load. rewrite at_load. cbn [asked_memory].
      assert (sizes : sized m (fst (memory_asked m (ask k results))) /\ sized m (snd (memory_asked m (ask k results)))).
      { destruct (ask k results); try contradiction. exact here. }
      apply f_equal2.
      + rewrite (lawful_load prg h to law). apply f_equal. rewrite fit_words_sized; [reflexivity|].
        exact (lawful_share_sized prg h to law m _ (proj1 sizes) (proj2 sizes)).
      + specialize (IH (S k) results (loaded (memory_asked m (ask k results)) (load_masks l)) (wadd operation (repr 64 1)) next rs us (before ++ [whole_load l]) r u).
        rewrite app_length, Nat.add_1_r in IH. apply IH; try assumption. intros part. rewrite <- app_assoc, now. reflexivity.
    - (* A batch. *)
      destruct supply as [small supply]. apply f_equal2.
      + rewrite (lawful_batch prg h to law). unfold batch_of, batch_made. cbn [fst snd]. rewrite map_app, !firstn_map, !map_map. reflexivity.
      + specialize (IH (S k) results state (wadd operation (repr 64 1)) (drop_both r' u' next) rs us before (r + nat_of r')%nat (u + nat_of u')%nat).
        cbn [drop_both fst snd] in IH. rewrite <- !skipn_map in IH. apply IH; try assumption; lia.
    - (* Queries. *)
      destruct supply as [once supply]. pose proof (queries_of_length h op q _ here once) as lq.
      set (p := purpose_of op) in *. set (xs := firstn q (pick p (rs, us))).
      assert (hq : (q <= length (pick p (rs, us)))%nat) by (unfold p in *; destruct (purpose_of op); cbn [pick fst snd]; lia).
      assert (lx : length xs = q) by (apply firstn_length_le, hq).
      fold p. rewrite (in_order_uses whole_load whole_item op _ l q (rs, us) hq). fold p xs.
      rewrite views_of_app, map_length, lx.
      pose proof (uses_seen op q shapes k results state before xs now lx lq xs [] (length before) eq_refl) as seen_here.
      cbn [map app length skipn] in seen_here. rewrite app_nil_r in seen_here. rewrite seen_here. fold p.
      assert (lv : length (combine xs (queries_of (ask k results))) = q) by (rewrite combine_length; lia).
      rewrite firstn_app, skipn_app, map_length, lv, Nat.sub_diag, firstn_all2, skipn_all2 by (rewrite map_length; lia). cbn [firstn skipn app]. rewrite app_nil_r.
      assert (same : used_by op q (drawn lean_layers_Purpose_Read rs, drawn lean_layers_Purpose_Update us) (ask k results)
        = combine (drawn p xs) (queries_of (ask k results))).
      { unfold used_by. fold p. apply (f_equal (fun l => combine l _)). unfold xs. destruct p; cbn [pick fst snd]; apply firstn_map. }
      rewrite same. apply f_equal2.
      + rewrite (lawful_use prg h to law). apply f_equal. unfold runs_of_used, told_in. rewrite combine_map_l, !map_map, flat_map_concat_map, map_map, <- flat_map_concat_map.
        cbn [fst snd]. rewrite flat_map_one. reflexivity.
      + assert (next_queues : drop p q (drawn lean_layers_Purpose_Read rs, drawn lean_layers_Purpose_Update us)
          = (drawn lean_layers_Purpose_Read (fst (drop p q (rs, us))), drawn lean_layers_Purpose_Update (snd (drop p q (rs, us)))))
          by exact (drop_map (fun p x => taken_of prg h (p, fst x)) p q (rs, us)).
        rewrite next_queues.
        specialize (IH (S k) (results ++ all_answers op state (combine (drawn p xs) (queries_of (ask k results))))
          (all_applied op state (combine (drawn p xs) (queries_of (ask k results)))) (wadd operation (repr 64 1)) next
          (fst (drop p q (rs, us))) (snd (drop p q (rs, us))) (before ++ map (whole_item (lean_using op)) xs)
          (match p with lean_layers_Purpose_Read => r - q | lean_layers_Purpose_Update => r end)%nat
          (match p with lean_layers_Purpose_Read => u | lean_layers_Purpose_Update => u - q end)%nat).
        rewrite app_length, map_length, lx in IH. rewrite IH.
        * apply f_equal. apply f_equal. destruct p; reflexivity.
        * intros part. rewrite <- app_assoc, now, map_app. cbn [asked_at]. cbv zeta. rewrite app_length, !map_length, lx.
          destruct (Nat.ltb_spec (q + length part) q) as [lt|_]; [lia|].
          rewrite firstn_app, skipn_app, !map_length, lx, Nat.sub_diag, firstn_all2, skipn_all2 by (rewrite !map_length; lia). cbn [firstn skipn app]. rewrite app_nil_r.
          rewrite !map_map. reflexivity.
        * destruct p; apply supply.
        * destruct p; cbn [drop fst snd]; rewrite ?skipn_length; lia.
        * destruct p; cbn [drop fst snd]; rewrite ?skipn_length; lia.
        * exact later.
  Qed.
End Views.
