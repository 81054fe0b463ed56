------------------------------ MODULE PaperSteps ------------------------------
(* What the parties of the paper's protocol compute at each place of a step.   *)
(* `f` is the step under way at a party: its items, shifts and values.         *)
EXTENDS TinyRing, Parties

\* P_b holds D_b, zeta_b and D~_(1-b), P2 both blinds.
EmptyMemory(p) ==
    IF p = Helper THEN [blind_0 |-> Zeros, blind_1 |-> Zeros]
                  ELSE [share |-> Zeros, blind |-> Zeros, blinded |-> Zeros]

\* The memory when a load begins: at the primaries with the client's share
Loading(salt, p, memory, share) ==
    IF p = Helper THEN memory
    ELSE [share |-> share, blind |-> [j \in Address |-> Draw(salt, 600 + p, j)], blinded |-> Zeros]

\* S_b
ShiftShare(salt, b, id, address) == A(address - IndexShare(salt, id, b))

\* What the words of a message are
Words(salt, p, step, memory, f, out) ==
    LET k == Len(f.items) IN
    CASE out.kind = "shift" ->
           [i \in 1 .. k |-> << f.shifts[i] >>]
      [] out.kind = "unblinding" ->
           [i \in 1 .. k |-> << Gamma(salt, out.to, memory, f.items[i], f.shifts[i]) >>]
      [] out.kind \in {"update", "helper update"} ->
           [i \in 1 .. k |->
              LET m(n) == W(f.values[i] + Correction(salt, f.items[i], p, n))
              IN  IF out.kind = "update" THEN << f.shifts[i], m(1), m(2), m(3) >>
                                         ELSE << f.shifts[i], m(2), m(3) >>]
      [] out.kind = "blinded" -> << Add(memory.share, memory.blind) >>
      [] out.kind = "blind" -> << memory.blind >>
      [] OTHER -> << >>

\* What a message changes in the step's own values
Noted(salt, p, step, memory, f, message) ==
    LET theirs(i, n) == message.words[i][n]
        queries == DOMAIN f.items
        moved == [f EXCEPT !.place = @ + 1]
    IN  CASE message.kind = "shift" ->
               LET shifts == IF p = Helper /\ f.place = 0
                             THEN [i \in queries |-> theirs(i, 1)]
                             ELSE [i \in queries |-> A(f.shifts[i] + theirs(i, 1))]
               IN  [moved EXCEPT !.shifts = shifts,
                    !.values = IF p = Helper THEN @ ELSE
                        [i \in queries |-> Partial(salt, p, memory, f.items[i], shifts[i])]]
          [] message.kind \in {"helper update", "update"} /\ p = Helper /\ f.place = 0 ->
               LET last == Len(message.words[1]) IN
               [moved EXCEPT !.shifts = [i \in queries |-> theirs(i, 1)],
                             !.values = [i \in queries |-> << theirs(i, last - 1), theirs(i, last) >>]]
          [] OTHER -> moved

\* The memory after all queries of an UPDATE; P_b's own words are made from what it has sent.
RECURSIVE UpdatedBy(_, _, _, _, _, _)
UpdatedBy(salt, p, memory, f, message, i) ==
    IF i = 0 THEN memory ELSE
    LET id == f.items[i]
        theirs == message.words[i]
        last == Len(theirs)
        s == A(f.shifts[i] + theirs[1])
        own(n) == W(f.values[i] + Correction(salt, id, p, n))
        before == UpdatedBy(salt, p, memory, f, message, i - 1)
    IN  IF p = Helper
        THEN UpdatedHelper(salt, before, id,
                 << W(f.values[i][1] + theirs[last - 1]), W(f.values[i][2] + theirs[last]) >>, s)
        ELSE UpdatedPrimary(salt, p, before, id, [n \in 1 .. 3 |-> W(own(n) + theirs[n + 1])], s)

\* The memory after a message, which may be the step's last for this party. `f` is the step before it.
Changed(salt, p, step, memory, f, message, last) ==
    CASE step.op = "update" /\ last -> UpdatedBy(salt, p, memory, f, message, Len(f.items))
      [] message.kind = "blinded" /\ last -> [memory EXCEPT !.blinded = message.words[1]]
      [] message.kind = "blind" ->
           IF f.place % 2 = 0 THEN [memory EXCEPT !.blind_0 = message.words[1]]
                              ELSE [memory EXCEPT !.blind_1 = message.words[1]]
      [] OTHER -> memory

\* Whether the party reads or changes its memory for good when it reaches this place
Touches(p, step, place, last) ==
    CASE step.op \in {"load", "update"} -> last
      [] step.op = "read" -> place = (IF p = Helper THEN 2 ELSE 1)
      [] OTHER -> FALSE

\* Shares of the results that a message brings. `f` is the step after it.
Answers(salt, p, step, f, message) ==
    IF message.kind = "unblinding" THEN [i \in DOMAIN f.items |-> W(f.values[i] + message.words[i][1])] ELSE << >>

\* What the memory is
Opened(p0, p1) == Add(p0.share, p1.share)
===============================================================================
