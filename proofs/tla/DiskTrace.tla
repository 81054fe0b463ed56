------------------------------- MODULE DiskTrace -------------------------------
(* The same for parties with disks: also that a step was begun, what was       *)
(* written, and acknowledged, and who crashed. A crashed run is checked as it  *)
(* was, not what is left of it.                                                *)
EXTENDS Trace

VARIABLE seen   \* seen[p][q][l]: of the messages of lane l on the link from p to q, how many p has written down as sent

Now(p) == Lines[line].party = p /\ owed[p] = << >>
Is(p, event, peer, kind, lane) == LET is == Lines[line] IN is = Line(p, event, peer, kind, 1, lane, << >>, is.size)

\* The links between p and q hold nothing that was written down.
Unseen(pairs) == [q \in Party |-> [r \in Party |-> [l \in Lane |-> IF <<q, r>> \in pairs THEN 0 ELSE seen[q][r][l]]]]
LinksOf(p) == {<<q, r>> \in Party \X Party : p \in {q, r}}

OwedToo(p) == Owed(p) /\ UNCHANGED seen

\* A step is begun: the party has a command.
Begins(p) ==
    /\ Now(p) /\ Start(p)
    /\ \E l \in Lane :
         LET f == Current(party'[p], l)
         IN  /\ party'[p].started[l] # party[p].started[l]
             /\ Lines[line] = OfStep(p, "begin", f)
             /\ owed' = [owed EXCEPT ![p] = Follows(p, f, 0, Underway(party'[p], l) = {})]
    /\ line' = line + 1
    /\ UNCHANGED seen

\* The next message on a link, which may leave since what it must wait for is on disk: the model has put it there.
Sent(p, q, l) ==
    /\ Now(p) /\ up[p] /\ seen[p][q][l] < Len(net[p][q][l])
    /\ LET message == net[p][q][l][seen[p][q][l] + 1]
       IN  Lines[line] = OfMessage(p, "send", p, q, message.kind, message.operation, message.round, message.items)
    /\ seen' = [seen EXCEPT ![p][q][l] = @ + 1]
    /\ line' = line + 1
    /\ UNCHANGED <<vars, owed>>

TakesSeen(p, q, l) ==
    /\ TakesOf(p, q, l, seen[q][p][l])
    /\ seen' = [seen EXCEPT ![q][p][l] = @ - 1]

\* So many of the inputs that the disk had not, the oldest, are on it.
Writes(p) ==
    /\ Now(p) /\ Is(p, "write", Nobody, "inputs", 0)
    /\ Write(p) /\ Len(behind'[p]) = Len(behind[p]) - Lines[line].size
    /\ line' = line + 1
    /\ UNCHANGED <<owed, seen>>

\* A peer is told that so many of its messages are on disk; or the client, so many commands.
Acknowledges(p) ==
    /\ Now(p) /\ up[p]
    /\ \E l \in Lane :
         \/ \E q \in Party : Is(p, "acknowledge", q, "messages", l) /\ Lines[line].size <= disk[p].received[q][l]
         \/ /\ Is(p, "acknowledge", Nobody, "commands", l)
            /\ Lines[line].size <= Cardinality({s \in Begun(disk[p]) : LaneOf(program[s]) = l})
    /\ line' = line + 1
    /\ UNCHANGED <<vars, owed, seen>>

\* Of what p had sent, all that it had written down may still arrive.
Crashes(p) ==
    /\ Now(p) /\ Is(p, "crash", Nobody, "party", 0) /\ Lines[line].size = 0
    /\ Crash(p) /\ \A q \in Party, l \in Lane : Len(net'[p][q][l]) = seen[p][q][l]
    /\ seen' = Unseen(Party \X {p})
    /\ line' = line + 1
    /\ UNCHANGED owed

Restarts(p) ==
    /\ Now(p) /\ Is(p, "restart", Nobody, "party", 0) /\ Lines[line].size = 0
    /\ Restart(p)
    /\ seen' = Unseen(LinksOf(p))
    /\ line' = line + 1
    /\ UNCHANGED owed

\* A link between two that are up is made anew: what was on its way is lost, and leaves again.
Relinks(p) ==
    /\ Now(p) /\ up[p]
    /\ \E q \in Party :
         /\ up[q] /\ Is(p, "link", q, "party", 0) /\ Lines[line].size = 0
         /\ seen' = Unseen({<<p, q>>, <<q, p>>})
    /\ line' = line + 1
    /\ UNCHANGED <<vars, owed>>

AcceptedToo == Accepted /\ UNCHANGED seen

DiskInit == TraceInit /\ seen = [p \in Party |-> [q \in Party |-> [l \in Lane |-> 0]]]

DiskNext ==
    \/ /\ line <= Len(Lines)
       /\ LET p == Lines[line].party
          IN  /\ p \in Party
              /\ \/ OwedToo(p) \/ Begins(p) \/ Writes(p) \/ Acknowledges(p) \/ Crashes(p) \/ Restarts(p) \/ Relinks(p)
                 \/ \E q \in Party, l \in Lane : Sent(p, q, l) \/ TakesSeen(p, q, l)
    \/ AcceptedToo

DiskSpec == DiskInit /\ [][DiskNext]_<<vars, line, owed, seen>>
===============================================================================
