(* The public schedule of a lean session ([lean_shape]); a session that asks as it goes, of all results so far ([asked_sent]); and what its messages are to be, of the
   draws of its items alone: these are used in the order in which they are made, those for READs and those for UPDATEs each, and the state and the
   results follow from those that were used before ([drawn_sent]). That the session's messages are these is SessionDrawn.v. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection.
From Duoram.core Require Import Parties VectorFacts.
From Duoram.lean Require Import Generation PreparedItems SessionPreparing SessionAnswersIdeal PreparingView CorrectionsUniform OperationView TapeDiscipline
  PreparingMessages SessionMessages ItemPlans ItemDraws ItemOnTapes SessionTapes SessionItems StepStates.
From Duoram.Generated Require Import All.

(** * Schedules *)

(* The load, a batch, queries of one kind in one step. *)
Inductive lean_shape : Type := shape_load | shape_batch (reads updates : u64) | shape_use (op : lean_op) (queries : nat).

(* Two queues: of what is for READs, of what is for UPDATEs. *)
Notation queues T := (list T * list T)%type.
Definition pick {T : Type} (purpose : lean_layers_Purpose) (l : queues T) : list T :=
  match purpose with lean_layers_Purpose_Read => fst l | lean_layers_Purpose_Update => snd l end.
Definition drop {T : Type} (purpose : lean_layers_Purpose) (k : nat) (l : queues T) : queues T :=
  match purpose with lean_layers_Purpose_Read => (skipn k (fst l), snd l) | lean_layers_Purpose_Update => (fst l, skipn k (snd l)) end.
Definition drop_both {T : Type} (reads updates : u64) (l : queues T) : queues T := (skipn (nat_of reads) (fst l), skipn (nat_of updates) (snd l)).

(* A WRITE and a SWAP are one query; READs and UPDATEs are any number. *)
Definition at_once (op : lean_op) (queries : nat) : Prop :=
  match op with op_read => Z.of_nat queries < 2 ^ 64 | op_update => True | op_write | op_swap => queries = 1%nat end.
(* With r items for READs and u for UPDATEs, there is one for each query. *)
Fixpoint enough (shapes : list lean_shape) (r u : nat) : Prop :=
  match shapes with
  | [] => True
  | shape_load :: shapes => enough shapes r u
  | shape_batch reads updates :: shapes => val reads + val updates < 2 ^ 63 /\ enough shapes (r + nat_of reads) (u + nat_of updates)
  | shape_use op q :: shapes =>
      at_once op q /\
      match purpose_of op with
      | lean_layers_Purpose_Read => (q <= r)%nat /\ enough shapes (r - q) u
      | lean_layers_Purpose_Update => (q <= u)%nat /\ enough shapes r (u - q)
      end
  end.
Fixpoint loads_in (shapes : list lean_shape) : nat :=
  match shapes with [] => 0 | shape_load :: shapes => S (loads_in shapes) | _ :: shapes => loads_in shapes end%nat.
(* How many items are made for READs, and for UPDATEs. *)
Fixpoint made_in (purpose : lean_layers_Purpose) (shapes : list lean_shape) : nat :=
  match shapes with
  | [] => 0
  | shape_batch reads updates :: shapes => nat_of (match purpose with lean_layers_Purpose_Read => reads | lean_layers_Purpose_Update => updates end) + made_in purpose shapes
  | _ :: shapes => made_in purpose shapes
  end%nat.

(* All items, in the order in which they are made. *)
Definition batch_of (reads updates : u64) (l : queues item_drawn) : list made_item :=
  map (pair lean_layers_Purpose_Read) (firstn (nat_of reads) (fst l)) ++ map (pair lean_layers_Purpose_Update) (firstn (nat_of updates) (snd l)).
Fixpoint all_items (shapes : list lean_shape) (l : queues item_drawn) : list made_item :=
  match shapes with
  | [] => []
  | shape_batch reads updates :: shapes => batch_of reads updates l ++ all_items shapes (drop_both reads updates l)
  | _ :: shapes => all_items shapes l
  end.

(** * What is asked *)

Section Asked.
  (* The words of a memory that is loaded: no more than there are addresses, and no matter how few. *)
  Context (m : u64).

  Definition has_shape (s : lean_shape) (step : lean_step W) : Prop :=
    match s, step with
    | shape_load, lean_step_load d_0 d_1 => sized m d_0 /\ sized m d_1
    | shape_batch r u, lean_step_preprocess reads updates => reads = r /\ updates = u
    | shape_use op_read q, lean_step_reads addresses => length addresses = q
    | shape_use op_update q, lean_step_updates queries => length queries = q
    | shape_use op_write _, lean_step_write _ => True
    | shape_use op_swap _, lean_step_swap _ => True
    | _, _ => False
    end.
  Definition queries_of (step : lean_step W) : list query :=
    match step with
    | lean_step_reads addresses => map (fun a => (a, (ring_Ring_zero W, ring_Ring_zero W))) addresses
    | lean_step_updates queries => map query_of queries
    | lean_step_write q | lean_step_swap q => [query_of q]
    | _ => []
    end.
  Definition memory_asked (step : lean_step W) : list W * list W :=
    match step with lean_step_load d_0 d_1 => (d_0, d_1) | _ => (vector_zeros W m, vector_zeros W m) end.
  Lemma queries_of_length op q step : has_shape (shape_use op q) step -> at_once op q -> length (queries_of step) = q.
  Proof. intros s o. destruct op, step; try contradiction; cbn in *; rewrite ?map_length; congruence. Qed.

  (* A session that asks as it goes: step k, after these results. *)
  Fixpoint asked_sent {P : Type} {P_Prg : prg_Prg P} {P_Layers : lean_layers_Layers P} (ask : nat -> list (W * W) -> lean_step W) (k : nat)
    (results : list (W * W)) (session : lean_session_Session W P) (steps : nat) : list (list lean_session_Sent) :=
    match steps with
    | O => []
    | S steps =>
        let done := take_lean_step session (ask k results) in
        lean_session_Step_sent done :: asked_sent ask (S k) (results ++ lean_session_Step_results done) (lean_session_Step_session done) steps
    end.
End Asked.

(** * Of the draws *)

Section Drawn.
  Context {P : Type} {P_Prg : prg_Prg P} {P_Layers : lean_layers_Layers P} (prg : P).
  Context (h m : u64).
  Notation from := (ring_Ring_from_u64 W).

  Definition taken_of (x : made_item) : taken :=
    {| taken_leaves := lean_party_size h; taken_material := item_material prg h (plan_for h x false) (plan_for h x true) (S (tree_level h (fst x))) (words_01 (snd x));
       taken_index := (others_index h (word_of_0 (snd x)), others_index h (word_of_1 (snd x))); taken_x := lean_tape_online_01 W (words_01 (snd x));
       taken_masks := mk_lean_write_Masks (lean_tape_write_mask_01 W (words_01 (snd x))) (from (mask_02 (snd x))) (from (mask_12 (snd x)));
       taken_rho := from (rho_12 (snd x)) |}.

  Definition load_messages (operation : u64) (memory masks : list W * list W) : list lean_session_Sent :=
    lean_session_chunks operation (repr 8 2) (repr 8 0) (repr 8 2) (lean_memory_loaded_alpha_0 (fst memory) (fst masks))
    ++ lean_session_chunks operation (repr 8 3) (repr 8 1) (repr 8 0) (lean_memory_masked_share (snd memory) (snd masks)).
  Definition loaded (memory masks : list W * list W) : lean_memory_State W :=
    lean_memory_shared (fst memory) (snd memory) (fst masks) (snd masks).
  Definition use_messages (op : lean_op) (operation : u64) (runs : list op_sent) : list lean_session_Sent :=
    match op with
    | op_read => read_messages h operation runs
    | op_update => update_messages h operation runs
    | op_write | op_swap => flat_map (put_messages h operation) runs
    end.
  Definition runs_of_used (op : lean_op) (state : lean_memory_State W) (used : list (taken * query)) : list op_sent :=
    map (fun u => run_of_taken op state (fst u) (snd u)) used.
  Definition used_by (op : lean_op) (q : nat) (unused : queues taken) (step : lean_step W) : list (taken * query) :=
    combine (firstn q (pick (purpose_of op) unused)) (queries_of step).

  (* The messages of step k and of those after it: of the items that are next to be made, of those that are next to be used, and of x and B of the load. *)
  Fixpoint drawn_sent (ask : nat -> list (W * W) -> lean_step W) (masks : list W * list W) (shapes : list lean_shape) (k : nat) (results : list (W * W))
    (state : lean_memory_State W) (operation : u64) (next : queues item_drawn) (unused : queues taken) : list (list lean_session_Sent) :=
    match shapes with
    | [] => []
    | shape_load :: shapes =>
        let memory := memory_asked m (ask k results) in
        load_messages operation memory masks
        :: drawn_sent ask masks shapes (S k) results (loaded memory masks) (wadd operation (repr 64 1)) next unused
    | shape_batch r u :: shapes =>
        batch_of_draws prg h operation u (batch_of r u next)
        :: drawn_sent ask masks shapes (S k) results state (wadd operation (repr 64 1)) (drop_both r u next) unused
    | shape_use op q :: shapes =>
        let used := used_by op q unused (ask k results) in
        use_messages op operation (runs_of_used op state used)
        :: drawn_sent ask masks shapes (S k) (results ++ all_answers op state used) (all_applied op state used) (wadd operation (repr 64 1))
             next (drop (purpose_of op) q unused)
    end.
End Drawn.
