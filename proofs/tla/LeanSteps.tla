------------------------------- MODULE LeanSteps -------------------------------
(* What the parties of the lean protocol compute at each place of a step.      *)
(* `f` is the step under way at a party: its items, shifts and values. Of a    *)
(* READ a value is << part of the old word >>, of a WRITE or SWAP              *)
(* << that, what is known of F_a >>.                                           *)
EXTENDS TinyXor, Parties

Puts(step) == step.op \in {"write", "swap"}

\* alpha is A at P0 and P2 and E at P1; beta is H at P0 and B at P2.
EmptyMemory(p) == IF p = 1 THEN [alpha |-> Zeros] ELSE [alpha |-> Zeros, beta |-> Zeros]

\* x and B of a load, from the streams of pairs
LoadMask(salt) == [j \in Address |-> Draw(salt, 600, j)]
LoadedB(salt) == [j \in Address |-> Draw(salt, 601, j)]

\* The memory when a load begins: at the primaries with the client's share. P0's beta is D_0 until P1's message has come.
Loading(salt, p, memory, share) ==
    CASE p = 0 -> [alpha |-> Add(share, LoadMask(salt)), beta |-> share]
      [] p = 1 -> [alpha |-> Add(share, LoadMask(salt))]
      [] p = Helper -> [alpha |-> Zeros, beta |-> LoadedB(salt)]

\* S_b
ShiftShare(salt, b, id, address) == Xor(A(address), IndexShare(salt, id, b))

\* What the words of a message are
Words(salt, p, step, memory, f, out) ==
    LET queries == DOMAIN f.items IN
    CASE out.kind = "shift" ->
           [i \in queries |-> << f.shifts[i] >>]
      [] out.kind = "unblinding" ->
           [i \in queries |-> << Xor(f.values[i][1], Rho(salt, f.items[i])) >>]
      [] out.kind = "update" ->
           [i \in queries |-> << f.shifts[i], MaskedValue(salt, p, f.items[i], f.values[i]) >>]
      [] out.kind = "write" ->
           [i \in queries |-> << f.values[i][2] >>]
      [] out.kind = "alpha" -> << memory.alpha >>
      \* D_1 + B, of E
      [] out.kind = "beta" -> << Add(Add(memory.alpha, LoadMask(salt)), LoadedB(salt)) >>
      [] OTHER -> << >>

\* What a message changes in the step's own values
Noted(salt, p, step, memory, f, message) ==
    LET theirs(i, n) == message.words[i][n]
        queries == DOMAIN f.items
        moved == [f EXCEPT !.place = @ + 1]
        part(i, s) == Part(salt, p, memory, f.items[i], s)
        value(i) == IF p = Helper THEN 0 ELSE f.values[i]
    IN  CASE message.kind \in {"shift", "update"} /\ p = Helper /\ f.place = 0 ->
               [moved EXCEPT !.shifts = [i \in queries |-> theirs(i, 1)],
                             !.values = [i \in queries |-> IF message.kind = "update" THEN theirs(i, 2) ELSE 0]]
          [] message.kind = "shift" /\ (p \in Primaries \/ f.place = 1) ->
               LET shifts == [i \in queries |-> Xor(f.shifts[i], theirs(i, 1))]
               IN  [moved EXCEPT !.shifts = shifts,
                    !.values = [i \in queries |->
                        IF Puts(step)
                        THEN << part(i, shifts[i]),
                                WritePart(salt, p, f.items[i], value(i), part(i, shifts[i])) >>
                        ELSE << part(i, shifts[i]) >>]]
          [] message.kind = "write" ->
               [moved EXCEPT !.values = [i \in queries |-> << f.values[i][1], Xor(f.values[i][2], theirs(i, 1)) >>]]
          [] OTHER -> moved

\* The memory after all queries of an UPDATE
RECURSIVE UpdatedBy(_, _, _, _, _, _)
UpdatedBy(salt, p, memory, f, message, i) ==
    IF i = 0 THEN memory ELSE
    LET id == f.items[i]
        theirs == message.words[i]
        own == IF p = Helper THEN f.values[i] ELSE MaskedValue(salt, p, id, f.values[i])
    IN  UpdatedParty(salt, p, UpdatedBy(salt, p, memory, f, message, i - 1), id, Xor(own, theirs[2]),
                     Xor(f.shifts[i], theirs[1]))

\* The place of a WRITE or SWAP at which F_a is known
Known(p) == IF p = Helper THEN 4 ELSE 3

\* The memory after a message, which may be the step's last for this party. `f` is the step before it.
Changed(salt, p, step, memory, f, message, last) ==
    CASE step.op = "update" /\ last -> UpdatedBy(salt, p, memory, f, message, Len(f.items))
      [] Puts(step) /\ f.place + 1 = Known(p) ->
           UpdatedParty(salt, p, memory, f.items[1], Xor(f.values[1][2], message.words[1][1]), f.shifts[1])
      [] message.kind = "alpha" /\ last -> [memory EXCEPT !.alpha = message.words[1]]
      [] message.kind = "beta" /\ last -> [memory EXCEPT !.beta = Add(@, message.words[1])]
      [] OTHER -> memory

\* Whether the party reads or changes its memory for good when it reaches this place. P1 has loaded when it begins to.
Touches(p, step, place, last) ==
    CASE step.op \in {"load", "update"} -> last
      [] step.op = "read" -> place = (IF p = Helper THEN 2 ELSE 1)
      [] Puts(step) -> place = Known(p)
      [] OTHER -> FALSE

\* Shares of the results that a message brings: to P0 with g; to P1 with the shift, in a SWAP with the last part of F_a. `f`
\* is the step after it.
Answers(salt, p, step, f, message) ==
    LET queries == DOMAIN f.items IN
    CASE message.kind = "unblinding" -> [i \in queries |-> Xor(f.values[i][1], message.words[i][1])]
      [] p = 1 /\ ((step.op = "read" /\ f.place = 1) \/ (step.op = "swap" /\ f.place = Known(p))) ->
           [i \in queries |-> Xor(f.values[i][1], Rho(salt, f.items[i]))]
      [] OTHER -> << >>

\* What the memory is
Opened(p0, p1) == Add(p0.alpha, p1.alpha)
===============================================================================
