(* The public schedule of a session, and its runs: what takes draws of its own, in the order in which it happens. The session prepares items in batches and
   takes them from queues; here each item has a number, in the order in which items are made, and a run names the item that it uses
   ([runs_of]). What a schedule draws, and the messages of a session that asks as it goes, from these draws. *)
From Duoram Require Import Bijection.
From Duoram.core Require Import VectorFacts.
From Duoram.paper Require Import SessionSteps WholeView TapeDiscipline.
From Duoram.paper Require Export Receiver.
From Duoram.Generated Require Import All.

(** * The public schedule *)

Inductive shape : Type := shape_load | shape_batch (reads updates : nat) | shape_reads (queries : nat) | shape_updates (queries : nat) | shape_write.

Definition has_shape (s : shape) (step : session_step) : Prop :=
  match s, step with
  | shape_load, step_load _ _ => True
  | shape_batch r u, step_preprocess reads updates => nat_of reads = r /\ nat_of updates = u
  | shape_reads q, step_reads addresses => length addresses = q /\ (Z.of_nat q < 2 ^ 64)%Z
  | shape_updates q, step_updates queries => length queries = q /\ (Z.of_nat q < 2 ^ 64)%Z
  | shape_write, step_write _ => True
  | _, _ => False
  end.

(* There is an item for each query, with r and u to begin with. *)
Fixpoint enough (shapes : list shape) (r u : nat) : Prop :=
  match shapes with
  | [] => True
  | shape_load :: shapes => enough shapes r u
  | shape_batch reads updates :: shapes => enough shapes (r + reads) (u + updates)
  | shape_reads q :: shapes => (q <= r)%nat /\ enough shapes (r - q) u
  | shape_updates q :: shapes => (q <= u)%nat /\ enough shapes r (u - q)
  | shape_write :: shapes => (1 <= r)%nat /\ (1 <= u)%nat /\ enough shapes (r - 1) (u - 1)
  end.

(* How many items are made, words of rho drawn, memories loaded. *)
Fixpoint items_in (shapes : list shape) : nat :=
  match shapes with [] => 0 | shape_batch r u :: shapes => r + u + items_in shapes | _ :: shapes => items_in shapes end.
Fixpoint masks_in (shapes : list shape) : nat :=
  match shapes with [] => 0 | shape_reads q :: shapes => q + masks_in shapes | shape_write :: shapes => 1 + masks_in shapes | _ :: shapes => masks_in shapes end.
Fixpoint loads_in (shapes : list shape) : nat :=
  match shapes with [] => 0 | shape_load :: shapes => 1 + loads_in shapes | _ :: shapes => loads_in shapes end.

(* A run: its item, the step that it is part of, how many results there are before that step, its place among the step's queries. *)
Inductive run_of_step : Type :=
  | run_load (step results : nat)
  | run_read (item step results query : nat)
  | run_update (of_write : bool) (item step results query : nat)
  | run_idle (item : nat).
Definition run_item (op : run_of_step) : list nat :=
  match op with run_load _ _ => [] | run_read i _ _ _ | run_update _ i _ _ _ | run_idle i => [i] end.
Definition run_kind_of (op : run_of_step) : run_kind :=
  match op with run_load _ _ => loading | run_read _ _ _ _ => reading | run_update _ _ _ _ _ => updating | run_idle _ => idle end.

Definition reads_from (k c start : nat) (ids : list nat) : list run_of_step :=
  map (fun '(q, i) => run_read i k c q) (combine (seq start (length ids)) ids).
Definition updates_from (k c start : nat) (ids : list nat) : list run_of_step :=
  map (fun '(q, i) => run_update false i k c q) (combine (seq start (length ids)) ids).

(* With the numbers of the items that wait for READs and for UPDATEs. *)
Fixpoint runs_of (shapes : list shape) (next k c : nat) (reads updates : list nat) : list run_of_step :=
  match shapes with
  | [] => map run_idle (reads ++ updates)
  | shape_load :: shapes => run_load k c :: runs_of shapes next (S k) c reads updates
  | shape_batch r u :: shapes => runs_of shapes (next + (r + u)) (S k) c (reads ++ seq next r) (updates ++ seq (next + r) u)
  | shape_reads q :: shapes => reads_from k c 0 (firstn q reads) ++ runs_of shapes next (S k) (c + q) (skipn q reads) updates
  | shape_updates q :: shapes => updates_from k c 0 (firstn q updates) ++ runs_of shapes next (S k) c reads (skipn q updates)
  | shape_write :: shapes =>
      run_read (hd 0 reads) k c 0 :: run_update true (hd 0 updates) k c 0 :: runs_of shapes next (S k) (S c) (tl reads) (tl updates)
  end%nat.

Definition no_full : full :=
  let nobody := mk_paper_preprocessing_PrimaryRandomness (repr 64 0) (repr 128 0, repr 128 0, repr 128 0) (repr 64 0, repr 64 0, repr 64 0) in
  let none : dpf_draws := ([], (repr 64 0, (repr 64 0, (repr 64 0, (repr 64 0, repr 64 0))))) in
  ((nobody, (nobody, (none, (none, none)))), (repr 64 0, repr 64 0)).

(* All that a session draws, step by step, from all items in the order of making, all rho, and all pairs of blinds. *)
Fixpoint draws_of (shapes : list shape) (items : list full) (masks : list u64) (blinds : list (list u64 * list u64)) : list step_draws :=
  match shapes with
  | [] => []
  | shape_load :: shapes => load_draws (fst (hd ([], []) blinds)) (snd (hd ([], []) blinds)) :: draws_of shapes items masks (tl blinds)
  | shape_batch r u :: shapes => batch_of (firstn r items) (firstn u (skipn r items)) :: draws_of shapes (skipn (r + u) items) masks blinds
  | shape_reads q :: shapes => mask_draws (firstn q masks) :: draws_of shapes items (skipn q masks) blinds
  | shape_updates _ :: shapes => no_draws :: draws_of shapes items masks blinds
  | shape_write :: shapes => mask_draws (firstn 1 masks) :: draws_of shapes items (skipn 1 masks) blinds
  end.

(* The messages of a session that asks as it goes. *)
Fixpoint session_sent (ask : nat -> list (u64 * u64) -> session_step) (k : nat) (results : list (u64 * u64))
  (session : paper_session_Session) (draws : list step_draws) : list (list paper_session_Sent) :=
  match draws with
  | [] => []
  | drawn :: draws =>
      let taken := bare (step_of_draws session (ask k results) drawn) in
      paper_session_Step_sent taken ::
      session_sent ask (S k) (results ++ paper_session_Step_results taken) (paper_session_Step_session taken) draws
  end.
