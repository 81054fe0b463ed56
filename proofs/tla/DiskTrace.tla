------------------------------- MODULE DiskTrace -------------------------------
(* The same for parties with disks: also that a step was begun, what was       *)
(* written, and acknowledged, and who crashed. A crashed run is checked as it  *)
(* was, not what is left of it.                                                *)
EXTENDS Trace

VARIABLE seen   \* seen[p][q]: of the messages on the link from p to q, how many p has written down as sent

Now(p) == Lines[line].party = p /\ owed[p] = << >>
Is(p, event, peer, kind) == LET is == Lines[line] IN is = Line(p, event, peer, kind, 1, 0, << >>, is.size)

\* The links between p and q hold nothing that was written down.
Unseen(pairs) == [q \in Party |-> [r \in Party |-> IF <<q, r>> \in pairs THEN 0 ELSE seen[q][r]]]
LinksOf(p) == {<<q, r>> \in Party \X Party : p \in {q, r}}

OwedToo(p) == Owed(p) /\ UNCHANGED seen

\* A step is begun: the party has a command.
Begins(p) ==
    /\ Now(p) /\ Start(p)
    /\ Lines[line] = OfStep(p, "begin", Started(p))
    /\ owed' = [owed EXCEPT ![p] = Follows(p, Started(p), 0, Idle(party'[p]))]
    /\ line' = line + 1
    /\ UNCHANGED seen

\* The next message on a link, which may leave since what it must wait for is on disk: the model has put it there.
Sent(p, q) ==
    /\ Now(p) /\ up[p] /\ seen[p][q] < Len(net[p][q])
    /\ LET message == net[p][q][seen[p][q] + 1]
       IN  Lines[line] = OfMessage(p, "send", p, q, message.kind, message.operation, message.round, message.items)
    /\ seen' = [seen EXCEPT ![p][q] = @ + 1]
    /\ line' = line + 1
    /\ UNCHANGED <<vars, owed>>

TakesSeen(p, q) ==
    /\ TakesOf(p, q, seen[q][p])
    /\ seen' = [seen EXCEPT ![q][p] = @ - 1]

\* So many of the inputs that the disk had not, the oldest, are on it.
Writes(p) ==
    /\ Now(p) /\ Is(p, "write", Nobody, "inputs")
    /\ Write(p) /\ Len(behind'[p]) = Len(behind[p]) - Lines[line].size
    /\ line' = line + 1
    /\ UNCHANGED <<owed, seen>>

\* A peer is told that so many of its messages are on disk; or the client, so many commands.
Acknowledges(p) ==
    /\ Now(p) /\ up[p]
    /\ \/ \E q \in Party : Is(p, "acknowledge", q, "messages") /\ Lines[line].size <= disk[p].received[q]
       \/ Is(p, "acknowledge", Nobody, "commands") /\ Lines[line].size <= disk[p].started
    /\ line' = line + 1
    /\ UNCHANGED <<vars, owed, seen>>

\* Of what p had sent, all that it had written down may still arrive.
Crashes(p) ==
    /\ Now(p) /\ Is(p, "crash", Nobody, "party") /\ Lines[line].size = 0
    /\ Crash(p) /\ \A q \in Party : Len(net'[p][q]) = seen[p][q]
    /\ seen' = Unseen(Party \X {p})
    /\ line' = line + 1
    /\ UNCHANGED owed

Restarts(p) ==
    /\ Now(p) /\ Is(p, "restart", Nobody, "party") /\ Lines[line].size = 0
    /\ Restart(p)
    /\ seen' = Unseen(LinksOf(p))
    /\ line' = line + 1
    /\ UNCHANGED owed

\* A link between two that are up is made anew: what was on its way is lost, and leaves again.
Relinks(p) ==
    /\ Now(p) /\ up[p]
    /\ \E q \in Party :
         /\ up[q] /\ Is(p, "link", q, "party") /\ Lines[line].size = 0
         /\ seen' = Unseen({<<p, q>>, <<q, p>>})
    /\ line' = line + 1
    /\ UNCHANGED <<vars, owed>>

AcceptedToo == Accepted /\ UNCHANGED seen

DiskInit == TraceInit /\ seen = [p \in Party |-> [q \in Party |-> 0]]

DiskNext ==
    \/ /\ line <= Len(Lines)
       /\ LET p == Lines[line].party
          IN  \/ OwedToo(p) \/ Begins(p) \/ Writes(p) \/ Acknowledges(p) \/ Crashes(p) \/ Restarts(p) \/ Relinks(p)
              \/ \E q \in Party : Sent(p, q) \/ TakesSeen(p, q)
    \/ AcceptedToo

DiskSpec == DiskInit /\ [][DiskNext]_<<vars, line, owed, seen>>
===============================================================================
