---------------------------- MODULE TwoPartyRounds ----------------------------
(* Who sends what to whom, when, with two parties: the rounds of               *)
(* reference/PROTOCOL.md, part four, as a table. Both parties say the same     *)
(* kinds in the same turns.                                                    *)
EXTENDS Parties

\* The steps that there are
Operations == {"connect", "load", "preprocess", "read", "update", "write", "swap"}

Say(kind, round) == << [kind |-> kind, round |-> round] >>
Levels ==
    [i \in 1 .. 2 * Depth |-> Say(IF i % 2 = 1 THEN "level operands" ELSE "level opening", (i - 1) \div 2)]

\* The turns of a step: what a party says together, once it has taken all that the other says in the turn before.
Turns(step) ==
    CASE step.op = "connect" ->
           << Say("hello", 0), Say("base choices", 0) \o Say("pir keys", 0) >>
      \* A party's share of the memory is its own.
      [] step.op = "load" ->
           << >>
      [] step.op = "preprocess" ->
           << Say("ot columns", 0) \o (IF step.reads > 0 THEN Say("queries", 0) ELSE << >>) >>
           \o (IF step.updates > 0 THEN Levels \o << Say("sums", 0) >> ELSE << >>)
      [] step.op = "read" ->
           << Say("shifts", 0), Say("answers", 0) >>
      [] step.op = "update" ->
           << Say("updates", 0) >>
      [] step.op \in {"write", "swap"} ->
           << Say("shifts", 0), Say("answers", 0), Say("updates", 0) >>

RECURSIVE Joined(_)
Joined(turns) == IF turns = << >> THEN << >> ELSE Head(turns) \o Joined(Tail(turns))

\* The messages that party p takes in a step, in the order in which it takes them.
Awaits(p, step) ==
    LET talk == Joined(Turns(step)) IN [i \in DOMAIN talk |-> Due(Other(p), talk[i].kind, talk[i].round)]

\* After how many turns of the other p says its own turn t: t - 1. Faults: the UPDATE of a WRITE comes with READ's answers;
\* a party waits for the other's part of a READ before it sends its own.
After(p, step, t) ==
    CASE Fault = "early-update" /\ step.op \in {"write", "swap"} /\ t = 3 -> 1
      [] Fault = "turn-taking" /\ step.op = "read" /\ p = 1 /\ t = 1 -> 1
      [] OTHER -> t - 1

\* The messages that party p sends on reaching a place of a step, in order.
Sends(p, step, place) ==
    LET turns == Turns(step)
        Now(t) == Len(Joined(SubSeq(turns, 1, After(p, step, t)))) = place
        said == Joined([t \in DOMAIN turns |-> IF Now(t) THEN turns[t] ELSE << >>])
    IN  [i \in DOMAIN said |-> Out(Other(p), said[i].kind, said[i].round)]

\* What a step adds to the longest chain of messages of its operation.
Adds(step) == Len(Turns(step))
===============================================================================
