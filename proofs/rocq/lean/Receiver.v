(* A party of a lean session as one who receives ([receiver]): what it has of an item's draws and what is hidden from it, what it sees of the item and of the
   operation that uses it, and how the messages to it, byte for byte, are made of that ([lawful]). ReceiverP0.v, ReceiverP1.v and ReceiverP2.v have
   the three parties as receivers; SessionViews.v puts a session's messages together for any.

   Before that, the runs of a schedule, in the order in which they happen: the load, an operation with the next item that was made for such, and, at the end,
   the items that nothing uses. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection.
From Duoram.core Require Import Parties VectorFacts.
From Duoram.lean Require Import Generation PreparingView CorrectionsUniform OperationView WholeSchedule TapeDiscipline ItemDraws ItemOnTapes SessionTapes SessionItems
  StepStates SessionSchedule.
From Duoram.Generated Require Import All.

(** * The runs, in the order in which they happen *)

Notation purpose_at kind := (purpose_of (op_of kind)).

(* With r items that wait for READs and u for UPDATEs. *)
Fixpoint kinds_of (shapes : list lean_shape) (r u : nat) : list lean_run :=
  match shapes with
  | [] => repeat (lean_idle op_read) r ++ repeat (lean_idle op_update) u
  | shape_load :: shapes => lean_loading :: kinds_of shapes r u
  | shape_batch reads updates :: shapes => kinds_of shapes (r + nat_of reads) (u + nat_of updates)
  | shape_use op q :: shapes =>
      repeat (lean_using op) q ++
      match purpose_of op with
      | lean_layers_Purpose_Read => kinds_of shapes (r - q) u
      | lean_layers_Purpose_Update => kinds_of shapes r (u - q)
      end
  end.

(* Each run with what is its own, of the load and of both queues. *)
Fixpoint in_order {L T X : Type} (on_load : L -> X) (on_item : lean_run -> T -> X) (kinds : list lean_run) (l : L) (items : queues T) : list X :=
  match kinds with
  | [] => []
  | lean_loading :: kinds => on_load l :: in_order on_load on_item kinds l items
  | kind :: kinds =>
      match pick (purpose_at kind) items with
      | [] => []
      | x :: _ => on_item kind x :: in_order on_load on_item kinds l (drop (purpose_at kind) 1 items)
      end
  end.

Lemma pick_map {T T' : Type} (f : lean_layers_Purpose -> T -> T') p (items : queues T) :
  pick p (map (f lean_layers_Purpose_Read) (fst items), map (f lean_layers_Purpose_Update) (snd items)) = map (f p) (pick p items).
Proof. destruct p; reflexivity. Qed.
Lemma drop_map {T T' : Type} (f : lean_layers_Purpose -> T -> T') p k (items : queues T) :
  drop p k (map (f lean_layers_Purpose_Read) (fst items), map (f lean_layers_Purpose_Update) (snd items))
  = (map (f lean_layers_Purpose_Read) (fst (drop p k items)), map (f lean_layers_Purpose_Update) (snd (drop p k items))).
Proof. destruct p; cbn [drop fst snd]; rewrite skipn_map; reflexivity. Qed.

Lemma in_order_map {L T X L' T' X' : Type} (on_load : L -> X) (on_item : lean_run -> T -> X) (on_load' : L' -> X') (on_item' : lean_run -> T' -> X')
  (f : L -> L') (f' : lean_layers_Purpose -> T -> T') (g : X -> X') :
  (forall l, g (on_load l) = on_load' (f l)) -> (forall kind x, g (on_item kind x) = on_item' kind (f' (purpose_at kind) x)) ->
  forall kinds l items, map g (in_order on_load on_item kinds l items)
    = in_order on_load' on_item' kinds (f l) (map (f' lean_layers_Purpose_Read) (fst items), map (f' lean_layers_Purpose_Update) (snd items)).
Proof.
  intros el ei. induction kinds as [|kind kinds IH]; intros l items; [reflexivity|].
  destruct kind as [|op|op]; cbn [in_order].
  - cbn [map]. rewrite el, IH. reflexivity.
  - rewrite pick_map. destruct (pick _ items) as [|x xs]; [reflexivity|]. cbn [map]. rewrite ei, IH, drop_map. reflexivity.
  - rewrite pick_map. destruct (pick _ items) as [|x xs]; [reflexivity|]. cbn [map]. rewrite ei, IH, drop_map. reflexivity.
Qed.

Lemma in_order_uses {L T X : Type} (on_load : L -> X) (on_item : lean_run -> T -> X) op kinds l : forall q (items : queues T),
  (q <= length (pick (purpose_of op) items))%nat ->
  in_order on_load on_item (repeat (lean_using op) q ++ kinds) l items
  = map (on_item (lean_using op)) (firstn q (pick (purpose_of op) items)) ++ in_order on_load on_item kinds l (drop (purpose_of op) q items).
Proof.
  assert (none : forall items : queues T, drop (purpose_of op) 0 items = items) by (intros [rs us]; destruct (purpose_of op); reflexivity).
  assert (more : forall q (items : queues T), drop (purpose_of op) q (drop (purpose_of op) 1 items) = drop (purpose_of op) (S q) items).
  { intros q [rs us]. destruct (purpose_of op); cbn [drop fst snd]; [destruct rs | destruct us]; cbn [skipn]; rewrite ?skipn_nil; reflexivity. }
  induction q as [|q IH]; intros items enough; [rewrite none; reflexivity|]. cbn [repeat app in_order op_of].
  destruct (pick (purpose_of op) items) as [|x xs] eqn:e; [cbn in enough; lia|]. cbn [firstn map app]. f_equal.
  assert (next : pick (purpose_of op) (drop (purpose_of op) 1 items) = xs).
  { destruct items as [rs us]. destruct (purpose_of op); cbn [pick drop fst snd] in *; rewrite e; reflexivity. }
  rewrite IH by (rewrite next; cbn in enough; lia). rewrite next, more. reflexivity.
Qed.

(** * A receiver *)

(* A load's words of the streams of P0 and P1, and of P1 and P2; and words that are not used. *)
Notation load_drawn := ((list u64 * list u64) * list W)%type.
Definition load_masks (l : load_drawn) : list W * list W := (map (ring_Ring_from_u64 W) (fst (fst l)), map (ring_Ring_from_u64 W) (snd (fst l))).

Section Receiver.
  Context {P : Type} {P_Prg : prg_Prg P} {P_Layers : lean_layers_Layers P} (prg : P) (h : u64).

  (* Own is what it has of an item, Mine what it puts in, Inputs the others' and the state, Draw what is hidden from it; Made what it sees of an item while
     that is made, Told of the operation; Load what it sees of the load, LoadOwn what it has of the load's words. *)
  Record receiver {Own Mine Inputs Draw Made Told Load LoadOwn : Type} : Type := {
    (* An item's draws, with others in place of those that it does not have; what it makes of them; those that it does not have; both together. *)
    seen_of : lean_layers_Purpose -> item_drawn -> item_drawn;
    own_of : lean_layers_Purpose -> item_drawn -> Own;
    hidden_of : lean_layers_Purpose -> item_drawn -> W -> Draw;
    taken_with : lean_layers_Purpose -> Own -> Draw -> taken;
    (* Its view of an item and of the operation that uses it. *)
    given : Own -> Mine -> Own;
    mine_of : Own -> query -> Mine;
    inputs_of : lean_memory_State W -> query -> Inputs;
    view_of : lean_op -> Own -> Inputs -> Draw -> Made * Told;
    made_of : made_item -> Made;
    told_of : op_sent -> Told;
    (* The load. *)
    load_own : load_drawn -> LoadOwn;
    load_hidden : load_drawn -> list W;
    load_with : LoadOwn -> list W -> list W * list W;
    share_of : list W * list W -> list W;
    load_view : list W -> list W -> Load;
    (* The messages to it, of the step with this number. *)
    number_of : u8;
    load_to : u64 -> Load -> list lean_session_Sent;
    batch_to : u64 -> u64 -> list (lean_layers_Purpose * Made) -> list lean_session_Sent;
    use_to : lean_op -> u64 -> list Told -> list lean_session_Sent;
  }.
  Arguments receiver : clear implicits.

  Definition messages_to {Own Mine Inputs Draw Made Told Load LoadOwn : Type} (to : receiver Own Mine Inputs Draw Made Told Load LoadOwn) :
    list lean_session_Sent -> list lean_session_Sent := filter (fun message => ieqb (lean_session_Sent_to message) (number_of to)).

  Notation whole p i := (item_fits h (op_for p) i).
  Record lawful {Own Mine Inputs Draw Made Told Load LoadOwn : Type} (to : receiver Own Mine Inputs Draw Made Told Load LoadOwn) : Prop := {
    lawful_seen : forall p i, whole p i -> whole p (seen_of to p i);
    lawful_own : forall p i, own_of to p (seen_of to p i) = own_of to p i;
    lawful_taken : forall p i unused, whole p i -> taken_with to p (own_of to p i) (hidden_of to p i unused) = taken_of prg h (p, i);
    lawful_view : forall op i unused state q, whole (purpose_of op) i ->
      let own := own_of to (purpose_of op) i in
      view_of to op (given to own (mine_of to own q)) (inputs_of to state q) (hidden_of to (purpose_of op) i unused)
      = (made_of to (purpose_of op, i), told_of to (run_of_taken op state (taken_of prg h (purpose_of op, i)) q));
    lawful_share_sized : forall n memory, sized n (fst memory) -> sized n (snd memory) -> sized n (share_of to memory);
    lawful_load_masks : forall l, load_with to (load_own to l) (load_hidden to l) = load_masks l;
    lawful_load : forall operation memory l,
      messages_to to (load_messages operation memory (load_masks l)) = load_to to operation (load_view to (share_of to memory) (load_hidden to l));
    lawful_batch : forall operation updates items,
      messages_to to (batch_of_draws prg h operation updates items) = batch_to to operation updates (map (fun x => (fst x, made_of to x)) items);
    lawful_use : forall op operation state used,
      messages_to to (use_messages h op operation (runs_of_used op state used))
      = use_to to op operation (map (fun u => told_of to (run_of_taken op state (fst u) (snd u))) used);
  }.
End Receiver.
Arguments receiver : clear implicits.
