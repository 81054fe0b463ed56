------------------------------ MODULE PaperRounds ------------------------------
(* Who sends what to whom, when, in the paper's protocol: the rounds of        *)
(* reference/PROTOCOL.md, part one, as a table.                                *)
EXTENDS Parties

\* The steps that there are: a WRITE is a READ and an UPDATE.
Operations == {"connect", "load", "preprocess", "read", "update"}

\* What a primary's UPDATE message to P2 is called by its sender.
ToHelper == IF Fault = "value-to-helper" THEN "update" ELSE "helper update"

\* The messages that party p takes in a step, in the order in which it takes them. P2 hears of no blinded share, no opened
\* value and no address: neither kind "blinded" nor kind "update", nor anything of what P0 and P1 say to each other while
\* they prepare.
Awaits(p, step) ==
    CASE step.op = "connect" ->
           [i \in 1 .. 2 |-> Due(Peers(p)[i], "hello", 0)]
      [] step.op = "load" /\ p \in Primaries ->
           [i \in 1 .. Chunks |-> Due(Other(p), "blinded", i - 1)]
      [] step.op = "load" /\ p = Helper ->
           [i \in 1 .. 2 * Chunks |-> Due((i - 1) % 2, "blind", (i - 1) \div 2)]
      [] step.op = "preprocess" /\ p \in Primaries ->
           << Due(Helper, "triples", 0) >>
           \o [i \in 1 .. 2 * Depth |->
                 Due(Other(p), IF i % 2 = 1 THEN "level operands" ELSE "level opening", (i - 1) \div 2)]
           \o << Due(Other(p), "conversion operands", 0), Due(Other(p), "conversion opening", 0) >>
      [] step.op = "preprocess" /\ p = Helper ->
           FromPrimaries("helper keys")
      [] step.op = "read" /\ p \in Primaries ->
           << Due(Other(p), "shift", 0), Due(Helper, "unblinding", 0) >>
      [] step.op = "read" /\ p = Helper ->
           FromPrimaries("shift")
      [] step.op = "update" /\ p \in Primaries ->
           << Due(Other(p), "update", 0) >>
      [] step.op = "update" /\ p = Helper ->
           FromPrimaries("helper update")

\* Preprocessing at a primary. Place 2l + 1: level l is grown; 2l + 2: its operands are opened.
PrimaryPrepares(p, place) ==
    LET other == Other(p)
        level == (place - 1) \div 2
        \* A primary that waits for the other's operands before it sends its own.
        late == Fault = "turn-taking" /\ p = 1
        operands == Out(other, "level operands", level)
    IN  CASE place = 0 -> << >>
          [] place \in 1 .. 2 * Depth /\ place % 2 = 1 -> IF late THEN << >> ELSE << operands >>
          [] place \in 1 .. 2 * Depth /\ place % 2 = 0 ->
               (IF late THEN << operands >> ELSE << >>) \o << Out(other, "level opening", level) >>
          [] place = 2 * Depth + 1 -> << Out(other, "conversion operands", 0) >>
          [] place = 2 * Depth + 2 -> << Out(other, "conversion opening", 0) >>
          [] place = 2 * Depth + 3 -> << Out(Helper, "helper keys", 0) >>

\* The messages that party p sends on reaching a place of a step, in order.
Sends(p, step, place) ==
    CASE step.op = "connect" /\ place = 0 ->
           ToPeers(p, "hello")
      [] step.op = "load" /\ place = 0 /\ p \in Primaries ->
           [i \in 1 .. 2 * Chunks |->
              IF i % 2 = 1 THEN Out(Other(p), "blinded", (i - 1) \div 2) ELSE Out(Helper, "blind", (i - 1) \div 2)]
      [] step.op = "preprocess" /\ p \in Primaries ->
           PrimaryPrepares(p, place)
      [] step.op = "preprocess" /\ place = 0 /\ p = Helper ->
           << Out(0, "triples", 0), Out(1, "triples", 0) >>
      [] step.op = "read" /\ place = 0 /\ p \in Primaries ->
           ToPeers(p, "shift")
      [] step.op = "read" /\ place = 2 /\ p = Helper ->
           << Out(0, "unblinding", 0), Out(1, "unblinding", 0) >>
      [] step.op = "update" /\ place = 0 /\ p \in Primaries ->
           << Out(Other(p), "update", 0), Out(Helper, ToHelper, 0) >>
      [] OTHER -> << >>

\* What a step adds to the longest chain of messages of its operation: Table 2, and section 6.1 for what is counted.
Adds(step) ==
    CASE step.op \in {"connect", "load"} -> 1
      [] step.op = "preprocess" -> 2 * Depth + 4
      [] step.op = "read" -> 2
      [] step.op = "update" -> 1
===============================================================================
