-------------------------------- MODULE Rounds --------------------------------
(* Who sends what to whom, when: by the table of the protocol.                 *)
EXTENDS Parties

Paper == INSTANCE PaperRounds
Lean == INSTANCE LeanRounds
TwoParty == INSTANCE TwoPartyRounds

\* The messages that party p takes in a step, in the order in which it takes them
Awaits(p, step) ==
    CASE IsPaper -> Paper!Awaits(p, step)
      [] IsLean -> Lean!Awaits(p, step)
      [] IsTwoParty -> TwoParty!Awaits(p, step)

\* The kinds that one party may send another: those that the other takes from it in some step. There is no other table of
\* them; who sends what is [Sends], which this is held against.
Operations == CASE IsPaper -> Paper!Operations [] IsLean -> Lean!Operations [] IsTwoParty -> TwoParty!Operations
Shapes == [op : Operations, reads : 0 .. 1, updates : 0 .. 1]
Taken(p) == UNION {{Awaits(p, step)[i] : i \in DOMAIN Awaits(p, step)} : step \in Shapes}
KindsTaken == [from \in Party |-> [to \in Party |-> {due.kind : due \in {taken \in Taken(to) : taken.from = from}}]]
Allowed(from, to) == KindsTaken[from][to]

\* The messages that party p sends on reaching a place of a step, in order
Sends(p, step, place) ==
    CASE IsPaper -> Paper!Sends(p, step, place)
      [] IsLean -> Lean!Sends(p, step, place)
      [] IsTwoParty -> TwoParty!Sends(p, step, place)

\* What a step adds to the longest chain of messages of its operation
Adds(step) ==
    CASE IsPaper -> Paper!Adds(step)
      [] IsLean -> Lean!Adds(step)
      [] IsTwoParty -> TwoParty!Adds(step)

-------------------------------------------------------------------------------
Online(step) == step.op \in {"read", "update", "write", "swap"}

\* A step that takes its address, or its value, from the result of the step before: the later READs of a chain of
\* dependent READs, and the UPDATE of the paper's WRITE. Together they are one operation.
Dependent(step) == Online(step) /\ step.after

\* Steps that a party does not have under way together with others: those that take from the step before, and those in
\* which both primaries speak twice, for what they say second would come after what they say in the next step.
Alone(step) == Dependent(step) \/ step.op \in {"write", "swap"} \/ (IsTwoParty /\ step.op = "read")

\* Which items a step takes. With two parties a WRITE is a READ and an UPDATE, each with an item.
TakesReads(step) == step.op = "read" \/ (IsTwoParty /\ step.op \in {"write", "swap"})
TakesUpdates(step) == step.op \in {"update", "write", "swap"}
===============================================================================
