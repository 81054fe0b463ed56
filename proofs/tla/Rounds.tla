-------------------------------- MODULE Rounds --------------------------------
(* Who sends what to whom, when: by the table of the protocol.                 *)
EXTENDS Parties

Paper == INSTANCE PaperRounds
Lean == INSTANCE LeanRounds
TwoParty == INSTANCE TwoPartyRounds

\* The kinds that one party may send another
Allowed(from, to) ==
    CASE IsPaper -> Paper!Allowed(from, to)
      [] IsLean -> Lean!Allowed(from, to)
      [] IsTwoParty -> TwoParty!Allowed(from, to)

\* The messages that party p takes in a step, in the order in which it takes them
Awaits(p, step) ==
    CASE IsPaper -> Paper!Awaits(p, step)
      [] IsLean -> Lean!Awaits(p, step)
      [] IsTwoParty -> TwoParty!Awaits(p, step)

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
