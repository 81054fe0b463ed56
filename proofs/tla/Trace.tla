--------------------------------- MODULE Trace --------------------------------
(* Is what real parties wrote down a behaviour of the model? TraceData is made *)
(* from a trace by `duoram-trace`. Each line must be the next that the model   *)
(* allows its party; if none is, the model stops at that line. Parties with    *)
(* disks are in DiskTrace.                                                     *)
EXTENDS Duoram

Data == INSTANCE TraceData
TraceProtocol == Data!Protocol
TracePrograms == {Data!Program}
TraceDepth == Data!Depth
TraceChunks == Data!Chunks
\* Parties without disks speak after nothing: then the model has none, and SpeaksAfter does not matter.
WithDisks == Data!SpeaksAfter # "nothing"
TraceSpeaksAfter == IF WithDisks THEN Data!SpeaksAfter ELSE "inputs"
Lines == Data!Trace
\* More than there are: without a crash at all there is a disk nevertheless.
TraceCrashes == IF WithDisks THEN Len(Lines) + 1 ELSE 0
TraceUnwritten == Len(Lines) + 1
TraceLanes == Data!Lanes

VARIABLES
    line,   \* the line that is due
    owed    \* the lines that each party must write before it takes its next message

PaperLength == INSTANCE PaperLengths
LeanLength == INSTANCE LeanLengths
TwoPartyLength == INSTANCE TwoPartyLengths

\* The bytes of the payload of a message of step s from party p
Length(p, s, kind, round) ==
    CASE IsPaper -> PaperLength!Length(p, program[s], kind)
      [] IsLean -> LeanLength!Length(program[s], kind, round)
      [] IsTwoParty -> TwoPartyLength!Length(program[s], kind)

Nobody == 3

Line(p, event, peer, kind, s, round, items, size) ==
    [ party |-> p, event |-> event, peer |-> peer, kind |-> kind, operation |-> s - 1, round |-> round,
      items |-> items, size |-> size ]

\* A line about a message of step s, and one about the whole step
OfMessage(p, event, from, peer, kind, s, round, items) ==
    Line(p, event, peer, kind, s, round, items, Length(from, s, kind, round))
OfStep(p, event, f) == Line(p, event, Nobody, program[f.step].op, f.step, 0, f.items, 0)

\* What party p writes when it reaches a place of the step of `f`: what it sends, and that it is done. With a disk it sends
\* when that has been written, and perhaps again.
Follows(p, f, place, done) ==
    LET step == program[f.step]
        sends == IF WithDisks THEN << >> ELSE Sends(p, step, place)
    IN  [i \in DOMAIN sends |->
           OfMessage(p, "send", p, sends[i].to, sends[i].kind, f.step, sends[i].round, f.items)]
        \o (IF done THEN << OfStep(p, "apply", f) >> ELSE << >>)

\* The step that p has under way in a lane, of which there is one; or has just begun and is done with, since it awaits nothing.
Current(st, l) ==
    IF Underway(st, l) = {} THEN [step |-> st.started[l], items |-> << >>]
    ELSE st.flight[CHOOSE i \in Underway(st, l) : TRUE]

\* The line is the next of those that its party owes.
Owed(p) ==
    /\ owed[p] # << >> /\ Lines[line] = Head(owed[p])
    /\ owed' = [owed EXCEPT ![p] = Tail(@)]
    /\ line' = line + 1
    /\ UNCHANGED vars

\* The line is the first message of a step, or says that a step is done that has no messages.
Opens(p) ==
    /\ owed[p] = << >> /\ Lines[line].event \in {"send", "apply"}
    /\ Start(p)
    /\ LET follows == Follows(p, Current(party'[p], 0), 0, Idle(party'[p]))
       IN  /\ follows # << >> /\ Lines[line] = Head(follows)
           /\ owed' = [owed EXCEPT ![p] = Tail(follows)]
    /\ line' = line + 1

\* A party that sends nothing first starts a step unseen, once the line says that it has received something.
OpensSilently(p) ==
    /\ owed[p] = << >> /\ Lines[line].event = "receive" /\ Idle(party[p])
    /\ Start(p)
    /\ Follows(p, Current(party'[p], 0), 0, FALSE) = << >>
    /\ UNCHANGED <<line, owed>>

\* The line is a message taken in a lane, of which the model has `written` on the link whose sending has been written down.
TakesOf(p, q, l, written) ==
    /\ owed[p] = << >> /\ Lines[line].event = "receive" /\ Lines[line].peer = q
    /\ written > 0
    /\ Receive(p, q) /\ party'[p].received[q][l] > party[p].received[q][l]
    /\ LET f == Current(party[p], l)
           message == Head(net[q][p][l])
       IN  /\ Lines[line] = OfMessage(p, "receive", q, q, message.kind, message.operation, message.round, message.items)
           /\ owed' = [owed EXCEPT ![p] = Follows(p, f, f.place + 1, Underway(party'[p], l) = {})]
    /\ line' = line + 1

\* It must have been sent, and written down by its sender.
Takes(p, q) ==
    LET unwritten == {i \in DOMAIN owed[q] : owed[q][i].event = "send" /\ owed[q][i].peer = p}
    IN  TakesOf(p, q, 0, Len(net[q][p][0]) - Cardinality(unwritten))

\* All lines were allowed, and the program is done.
Accepted ==
    /\ line > Len(Lines) /\ AllDone /\ \A p \in Party : owed[p] = << >>
    /\ UNCHANGED <<vars, line, owed>>

TraceInit == Init /\ line = 1 /\ owed = [p \in Party |-> << >>]

TraceNext ==
    \/ /\ line <= Len(Lines)
       /\ LET p == Lines[line].party
          IN  /\ p \in Party
              /\ Owed(p) \/ Opens(p) \/ OpensSilently(p) \/ \E q \in Party : Takes(p, q)
    \/ Accepted

TraceSpec == TraceInit /\ [][TraceNext]_<<vars, line, owed>>
===============================================================================
