-------------------------------- MODULE Parties --------------------------------
(* Who there is, and what a table of rounds is made of. A step is a sequence   *)
(* of places at each party; a party is at place 0 once it has started, and one *)
(* further with each message that it has taken.                                *)
EXTENDS Naturals, Sequences

CONSTANTS
    Depth,    \* h: the memory has 2^h words
    Chunks,   \* messages into which a loaded vector is cut
    Fault     \* "none", or a deviation that must be found out

Party == 0 .. 2
Primaries == {0, 1}
Helper == 2
Other(b) == 1 - b
Peers(p) == IF p = 0 THEN <<1, 2>> ELSE IF p = 1 THEN <<0, 2>> ELSE <<0, 1>>

Due(from, kind, round) == [from |-> from, kind |-> kind, round |-> round]
Out(to, kind, round) == [to |-> to, kind |-> kind, round |-> round]

\* The same message to both peers
ToPeers(p, kind) == [i \in 1 .. 2 |-> Out(Peers(p)[i], kind, 0)]
\* A message of this kind from each primary, at P2: P0's first
FromPrimaries(kind) == [i \in 1 .. 2 |-> Due(i - 1, kind, 0)]
===============================================================================
