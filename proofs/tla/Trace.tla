--------------------------------- MODULE Trace --------------------------------
(* Is what three real parties wrote down a behaviour of the model? TraceData   *)
(* is made from a trace by `duoram-trace`. Each line must be the next that the *)
(* model allows its party; if none is, the model stops at that line.           *)
EXTENDS Duoram

Data == INSTANCE TraceData
TraceProtocol == Data!Protocol
TracePrograms == {Data!Program}
TraceDepth == Data!Depth
TraceChunks == Data!Chunks
Lines == Data!Trace

VARIABLES
    line,   \* the line that is due
    owed    \* the lines that each party must write before it takes its next message

Nobody == 3

Line(p, event, peer, kind, s, round, items) ==
    [ party |-> p, event |-> event, peer |-> peer, kind |-> kind, operation |-> s - 1, round |-> round,
      items |-> items ]

\* What party p writes when it reaches a place of the step of `f`: what it sends, and that it is done.
Follows(p, f, place, done) ==
    LET step == program[f.step]
        sends == Sends(p, step, place)
    IN  [i \in DOMAIN sends |->
           Line(p, "send", sends[i].to, sends[i].kind, f.step, sends[i].round, f.items)]
        \o (IF done THEN << Line(p, "apply", Nobody, step.op, f.step, 0, f.items) >> ELSE << >>)

\* The step that p has just started; one in which it awaits nothing is done already, and has no items.
Started(p) ==
    LET st == party'[p]
    IN  IF Idle(st) THEN [step |-> st.started, items |-> << >>] ELSE st.flight[Len(st.flight)]

\* The line is the next of those that its party owes.
Owed(p) ==
    /\ owed[p] # << >> /\ Lines[line] = Head(owed[p])
    /\ owed' = [owed EXCEPT ![p] = Tail(@)]
    /\ line' = line + 1
    /\ UNCHANGED vars

\* The line is the first message of a step.
Opens(p) ==
    /\ owed[p] = << >> /\ Lines[line].event = "send"
    /\ Start(p)
    /\ LET follows == Follows(p, Started(p), 0, Idle(party'[p]))
       IN  /\ follows # << >> /\ Lines[line] = Head(follows)
           /\ owed' = [owed EXCEPT ![p] = Tail(follows)]
    /\ line' = line + 1

\* A party that sends nothing first starts a step unseen, once the line says that it has received something.
OpensSilently(p) ==
    /\ owed[p] = << >> /\ Lines[line].event = "receive" /\ Idle(party[p])
    /\ Start(p)
    /\ Follows(p, Started(p), 0, FALSE) = << >>
    /\ UNCHANGED <<line, owed>>

\* The line is a message taken. It must have been sent, and written down by its sender.
Takes(p, q) ==
    /\ owed[p] = << >> /\ Lines[line].event = "receive" /\ Lines[line].peer = q
    /\ Cardinality({i \in DOMAIN owed[q] : owed[q][i].event = "send" /\ owed[q][i].peer = p}) < Len(net[q][p])
    /\ Receive(p, q)
    /\ LET f == party[p].flight[1]
           message == Head(net[q][p])
       IN  /\ Lines[line] = Line(p, "receive", q, message.kind, message.operation, message.round, message.items)
           /\ owed' = [owed EXCEPT ![p] = Follows(p, f, f.place + 1, Idle(party'[p]))]
    /\ line' = line + 1

\* All lines were allowed, and the program is done.
Accepted ==
    /\ line > Len(Lines) /\ AllDone /\ \A p \in Party : owed[p] = << >>
    /\ UNCHANGED <<vars, line, owed>>

TraceInit == Init /\ line = 1 /\ owed = [p \in Party |-> << >>]

TraceNext ==
    \/ /\ line <= Len(Lines)
       /\ LET p == Lines[line].party
          IN  Owed(p) \/ Opens(p) \/ OpensSilently(p) \/ \E q \in Party : Takes(p, q)
    \/ Accepted

TraceSpec == TraceInit /\ [][TraceNext]_<<vars, line, owed>>
===============================================================================
