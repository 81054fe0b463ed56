-------------------------------- MODULE Parties --------------------------------
(* Who there is, by the protocol, and what a table of rounds is made of. A     *)
(* step is a sequence of places at each party; a party is at place 0 once it   *)
(* has started, and one further with each message that it has taken.           *)
EXTENDS Naturals, Sequences

CONSTANTS
    Protocol, \* "paper", "lean", or "two-party"
    Depth,    \* h: the memory has 2^h words
    Chunks,   \* messages into which a loaded vector is cut
    Fault     \* "none", or a deviation that must be found out

IsPaper == Protocol = "paper"
IsLean == Protocol = "lean"
IsTwoParty == Protocol = "two-party"
ASSUME IsPaper \/ IsLean \/ IsTwoParty

\* There is no P2 in the two-party protocol.
Primaries == {0, 1}
Helper == 2
Party == IF IsTwoParty THEN Primaries ELSE Primaries \cup {Helper}
Other(b) == 1 - b
Peers(p) == IF IsTwoParty THEN << Other(p) >> ELSE IF p = 0 THEN <<1, 2>> ELSE IF p = 1 THEN <<0, 2>> ELSE <<0, 1>>

Due(from, kind, round) == [from |-> from, kind |-> kind, round |-> round]
Out(to, kind, round) == [to |-> to, kind |-> kind, round |-> round]

\* The same message to all peers
ToPeers(p, kind) == [i \in DOMAIN Peers(p) |-> Out(Peers(p)[i], kind, 0)]
\* A message of this kind from each primary, at P2: P0's first
FromPrimaries(kind) == [i \in 1 .. 2 |-> Due(i - 1, kind, 0)]
===============================================================================
