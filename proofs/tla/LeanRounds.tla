------------------------------- MODULE LeanRounds ------------------------------
(* Who sends what to whom, when, in the lean protocol: the rounds of           *)
(* reference/PROTOCOL.md, part two, as a table.                                *)
EXTENDS Parties

\* The steps that there are
Operations == {"connect", "load", "preprocess", "read", "update", "write", "swap"}

-------------------------------------------------------------------------------
(* Preprocessing                                                               *)

Lesser(x, y) == IF x < y THEN x ELSE y
FlagDepth == Depth - Lesser(7, Depth)
ValueDepth == Depth - Lesser(3, Depth)
WithValues(step) == step.updates > 0
\* d, the levels of the batch's highest trees
Height(step) == IF WithValues(step) THEN ValueDepth ELSE FlagDepth

\* What the primaries tell each other of trees of height `level` and then on, in order: the same from both sides.
RECURSIVE TalkFrom(_, _)
TalkFrom(step, level) ==
    LET say(kind, round) == << [kind |-> kind, round |-> round] >>
    IN  (IF level = FlagDepth THEN say("flag layer", 0) ELSE << >>)
        \o (IF level < Height(step)
            THEN say("level operands", level) \o say("level opening", level) \o TalkFrom(step, level + 1)
            ELSE IF WithValues(step) THEN say("value layer", 0) ELSE << >>)

\* What a primary takes before the first of that.
FirstTaken(p) == IF p = 0 THEN << Due(1, "index offset", 0) >>
                          ELSE << Due(Helper, "deal", 0), Due(0, "index offset", 0) >>

\* What a primary sends when it has taken `taken` messages of the talk: the next, and what comes after a flag layer with
\* the flag layer; at the end P2's keys and the differences.
Tells(p, step, taken) ==
    LET talk == TalkFrom(step, 0)
        say(i) == << Out(Other(p), talk[i].kind, talk[i].round) >>
        last == Len(talk)
    IN  CASE taken = last ->
               << Out(Helper, "helper keys", 0) >>
               \o (IF ~WithValues(step) THEN << >>
                   ELSE IF p = 0 THEN << Out(Helper, "difference", 0) >> ELSE ToPeers(p, "difference"))
          [] taken < last /\ taken > 0 /\ talk[taken].kind = "flag layer" -> << >>
          [] OTHER ->
               say(taken + 1) \o (IF talk[taken + 1].kind = "flag layer" /\ taken + 1 < last THEN say(taken + 2) ELSE << >>)

-------------------------------------------------------------------------------
\* The messages that party p takes in a step, in the order in which it takes them. P2 hears nothing of what P0 and P1 say to
\* each other while they prepare, and of a load only A, from P0.
Awaits(p, step) ==
    CASE step.op = "connect" ->
           [i \in 1 .. 2 |-> Due(Peers(p)[i], "hello", 0)]
      [] step.op = "load" ->
           IF p = 1 THEN << >>
           ELSE [i \in 1 .. Chunks |-> IF p = 0 THEN Due(1, "beta", i - 1) ELSE Due(0, "alpha", i - 1)]
      [] step.op = "preprocess" /\ p \in Primaries ->
           LET talk == TalkFrom(step, 0)
           IN  FirstTaken(p) \o [i \in 1 .. Len(talk) |-> Due(Other(p), talk[i].kind, talk[i].round)]
               \o (IF p = 0 /\ WithValues(step) THEN << Due(1, "difference", 0) >> ELSE << >>)
      [] step.op = "preprocess" /\ p = Helper ->
           FromPrimaries("helper keys") \o (IF WithValues(step) THEN FromPrimaries("difference") ELSE << >>)
      [] step.op = "read" /\ p \in Primaries ->
           << Due(Other(p), "shift", 0) >> \o (IF p = 0 THEN << Due(Helper, "unblinding", 0) >> ELSE << >>)
      [] step.op = "read" /\ p = Helper ->
           FromPrimaries("shift")
      [] step.op = "update" /\ p \in Primaries ->
           << Due(Other(p), "update", 0) >>
      [] step.op = "update" /\ p = Helper ->
           FromPrimaries("update")
      [] step.op \in {"write", "swap"} /\ p \in Primaries ->
           << Due(Other(p), "shift", 0), Due(Other(p), "write", 0), Due(Helper, "write", 0) >>
           \o (IF step.op = "swap" /\ p = 0 THEN << Due(Helper, "unblinding", 0) >> ELSE << >>)
      [] step.op \in {"write", "swap"} /\ p = Helper ->
           FromPrimaries("shift") \o FromPrimaries("write")

\* A primary that waits for the other's part of a WRITE before it sends its own
Late(p) == Fault = "turn-taking" /\ p = 1

\* The messages that party p sends on reaching a place of a step, in order.
Sends(p, step, place) ==
    CASE step.op = "connect" /\ place = 0 ->
           ToPeers(p, "hello")
      [] step.op = "load" /\ place = 0 /\ p \in Primaries ->
           [i \in 1 .. Chunks |-> IF p = 0 THEN Out(Helper, "alpha", i - 1) ELSE Out(0, "beta", i - 1)]
      [] step.op = "preprocess" /\ p \in Primaries ->
           LET first == Len(FirstTaken(p))
               told == Len(TalkFrom(step, 0))
           IN  IF place = 0
               THEN << Out(Other(p), "index offset", 0) >>
                    \o (IF Fault = "offset-to-helper" THEN << Out(Helper, "index offset", 0) >> ELSE << >>)
               ELSE IF place \in first .. first + told THEN Tells(p, step, place - first) ELSE << >>
      [] step.op = "preprocess" /\ place = 0 /\ p = Helper ->
           << Out(1, "deal", 0) >>
      [] step.op = "read" /\ place = 2 /\ p = Helper ->
           << Out(0, "unblinding", 0) >>
      [] step.op = "update" /\ place = 0 /\ p \in Primaries ->
           ToPeers(p, "update")
      [] step.op \in {"read", "write", "swap"} /\ place = 0 /\ p \in Primaries ->
           ToPeers(p, "shift")
      [] step.op \in {"write", "swap"} /\ p \in Primaries /\ place = (IF Late(p) THEN 2 ELSE 1) ->
           ToPeers(p, "write")
      [] step.op \in {"write", "swap"} /\ p = Helper /\ place = 2 ->
           ToPeers(p, "write") \o (IF step.op = "swap" THEN << Out(0, "unblinding", 0) >> ELSE << >>)
      [] OTHER -> << >>

\* What a step adds to the longest chain of messages of its operation.
Adds(step) ==
    CASE step.op \in {"connect", "load", "update"} -> 1
      [] step.op = "preprocess" -> 2 * Height(step) + 3
      [] step.op \in {"read", "write", "swap"} -> 2
===============================================================================
