-------------------------------- MODULE Rounds --------------------------------
(* Who sends what to whom, when: by the table of the protocol.                 *)
EXTENDS Parties

CONSTANT Protocol

ASSUME Protocol \in {"paper", "lean"}

Paper == INSTANCE PaperRounds
Lean == INSTANCE LeanRounds

\* The kinds that one party may send another
Allowed(from, to) == IF Protocol = "lean" THEN Lean!Allowed(from, to) ELSE Paper!Allowed(from, to)

\* The messages that party p takes in a step, in the order in which it takes them
Awaits(p, step) == IF Protocol = "lean" THEN Lean!Awaits(p, step) ELSE Paper!Awaits(p, step)

\* The messages that party p sends on reaching a place of a step, in order
Sends(p, step, place) == IF Protocol = "lean" THEN Lean!Sends(p, step, place) ELSE Paper!Sends(p, step, place)

\* What a step adds to the longest chain of messages of its operation
Adds(step) == IF Protocol = "lean" THEN Lean!Adds(step) ELSE Paper!Adds(step)

-------------------------------------------------------------------------------
Online(step) == step.op \in {"read", "update", "write", "swap"}

\* A step that takes its address, or its value, from the result of the step before: the later READs of a chain of
\* dependent READs, and the UPDATE of the paper's WRITE. Together they are one operation.
Dependent(step) == Online(step) /\ step.after

\* Steps that a party does not have under way together with others: those that take from the step before, and those in
\* which both primaries speak twice, for what they say second would come after what they say in the next step.
Alone(step) == Dependent(step) \/ step.op \in {"write", "swap"}

\* Which items a step takes
TakesReads(step) == step.op = "read"
TakesUpdates(step) == step.op \in {"update", "write", "swap"}
===============================================================================
