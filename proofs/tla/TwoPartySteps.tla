----------------------------- MODULE TwoPartySteps ----------------------------
(* What two parties compute at each place of a step. `f` is the step under way *)
(* at a party. Of a query i its `shifts` are << i*_b >>, with the other's      *)
(* shift << i*_b, s_c >>; its value is M_b, of a WRITE or SWAP M_b - read_b    *)
(* as soon as that is known.                                                   *)
EXTENDS TinyRing, Parties

\* P_b holds D_b.
EmptyMemory(p) == Zeros

\* The memory when a load begins, which is when it ends: nothing is sent.
Loading(salt, p, memory, share) == share

\* i*_b, of which both shifts are made
ShiftShare(salt, b, id, address) == << A(address) >>

-------------------------------------------------------------------------------
(* A WRITE or SWAP has two items: that of its READ, and then that of its       *)
(* UPDATE. Else item i is that of query i.                                     *)

Reads(step) == step.op \in {"read", "write", "swap"}
Updates(step) == step.op \in {"update", "write", "swap"}
Puts(step) == Reads(step) /\ Updates(step)

\* The place, among the items of a step, of that with which query i is read, or updates
ReadItem(i) == i
UpdateItem(step, i) == IF Puts(step) THEN i + step.count ELSE i

\* P_c's answer to query i of the other: from a table of which the other can open one word
Answer(salt, c, memory, f, i) ==
    MaskedTable(salt, c, memory, f.items[ReadItem(i)], A(f.shifts[i][1] + f.shifts[i][2]))

\* read_b, of the answer to query i
Result(salt, b, f, message, i) ==
    LET item == ReadItem(i) IN Unmasked(salt, b, f.items[item], message.words[item][1])

\* What P_b opens in UPDATE i
Opening(salt, b, step, f, i) ==
    LET id == f.items[UpdateItem(step, i)]
    IN  << A(f.shifts[i][1] - IndexShare(salt, id, b)), W(f.values[i] + Correction(salt, id, b, 1)) >>

-------------------------------------------------------------------------------
\* What the words of a message are: some for each item that it is about
Words(salt, p, step, memory, f, out) ==
    LET queries == 1 .. step.count
        \* The words of query i go with item At(i).
        With(At(_), Of(_)) ==
            [item \in DOMAIN f.items |->
               IF \E i \in queries : At(i) = item THEN Of(CHOOSE i \in queries : At(i) = item) ELSE << >>]
        OfUpdate(i) == UpdateItem(step, i)
        ShiftOf(i) == << A(f.shifts[i][1] - QueryIndex(salt, f.items[ReadItem(i)], p)) >>
        AnswerOf(i) == << Answer(salt, p, memory, f, i) >>
        OpeningOf(i) == Opening(salt, p, step, f, i)
    IN  CASE out.kind = "shifts" -> With(ReadItem, ShiftOf)
          [] out.kind = "answers" -> With(ReadItem, AnswerOf)
          [] out.kind = "updates" -> With(OfUpdate, OpeningOf)
          [] OTHER -> << >>

\* What a message changes in the step's own values
Noted(salt, p, step, memory, f, message) ==
    LET moved == [f EXCEPT !.place = @ + 1]
        queries == DOMAIN f.shifts
    IN  CASE message.kind = "shifts" ->
               [moved EXCEPT !.shifts = [i \in queries |-> Append(@[i], message.words[ReadItem(i)][1])]]
          [] message.kind = "answers" /\ Puts(step) ->
               [moved EXCEPT !.values = [i \in queries |-> W(@[i] - Result(salt, p, f, message, i))]]
          [] OTHER -> moved

\* The memory after the first i queries of an UPDATE; P_b's own words are made from what it has sent.
RECURSIVE UpdatedBy(_, _, _, _, _, _, _)
UpdatedBy(salt, p, step, memory, f, message, i) ==
    IF i = 0 THEN memory ELSE
    LET own == Opening(salt, p, step, f, i)
        theirs == message.words[UpdateItem(step, i)]
    IN  Add(UpdatedBy(salt, p, step, memory, f, message, i - 1),
            UpdateVector(salt, f.items[UpdateItem(step, i)], p, 1, W(own[2] + theirs[2]), A(own[1] + theirs[1])))

\* The memory after a message. `f` is the step before it.
Changed(salt, p, step, memory, f, message, last) ==
    IF message.kind = "updates" THEN UpdatedBy(salt, p, step, memory, f, message, step.count) ELSE memory

\* Whether the party reads or changes its memory for good when it reaches this place
Touches(p, step, place, last) ==
    CASE step.op \in {"load", "update", "write", "swap"} -> last
      [] step.op = "read" -> place = 1
      [] OTHER -> FALSE

\* Shares of the results that a message brings. `f` is the step after it.
Answers(salt, p, step, f, message) ==
    IF message.kind = "answers" /\ step.op \in {"read", "swap"}
    THEN [i \in DOMAIN f.shifts |-> Result(salt, p, f, message, i)] ELSE << >>

\* What the memory is
Opened(p0, p1) == Add(p0, p1)
===============================================================================
