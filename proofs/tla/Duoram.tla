-------------------------------- MODULE Duoram --------------------------------
(* Parties that follow one program of steps over FIFO links, and may crash and *)
(* restart. What each step computes is in Computation, who speaks when in      *)
(* Rounds; here is what may interleave, be kept, and be lost.                  *)
EXTENDS Computation, FiniteSets, TLC

CONSTANTS
    Programs,     \* of which one is followed: sequences of steps
    Salts,        \* of which one decides all that is random
    Lanes,        \* 1; or 2: items are made in a lane of their own, while others are used
    Window,       \* steps that a party may have under way in a lane; 1 in `reference`
    MaxCrashes,   \* 0: nothing is written to disk, a message leaves at once
    CrashesFrom,  \* a party may crash once it has begun so many steps
    Unwritten,    \* inputs that a party may have taken that are not on its disk
    SpeaksAfter   \* which of the inputs that a message follows from are on disk when it leaves: all "inputs", or "commands"

ASSUME Lanes \in {1, 2}
ASSUME SpeaksAfter \in {"inputs", "commands"}

VARIABLES
    program,    \* the steps, the same at all parties
    salt,
    party,      \* what each party holds in memory
    disk,       \* what each party would hold again after a restart
    behind,     \* what each has held since, after each input that its disk has not: the last is party[p]
    up,         \* whether it runs
    crashes,    \* how many there were
    net,        \* net[p][q][l]: the messages of lane l on the link from p to q
    acked,      \* acked[p][q][l]: how many of p's messages to q p need not send again
    spoken,     \* history: what was said with which item, while it was made and when it was used
    longest     \* history: the longest chain of messages of each operation

vars == <<program, salt, party, disk, behind, up, crashes, net, acked, spoken, longest>>

-------------------------------------------------------------------------------
(* Programs                                                                    *)

Connect == [op |-> "connect"]
Load == [op |-> "load"]
Preprocess(reads, updates) == [op |-> "preprocess", reads |-> reads, updates |-> updates]
\* k independent READs, in one step
Read(k) == [op |-> "read", count |-> k, after |-> FALSE]
\* A READ at the address that the step before has read
ReadThere == [op |-> "read", count |-> 1, after |-> TRUE]
Update(k) == [op |-> "update", count |-> k, after |-> FALSE]
\* A READ and this are a WRITE of the paper's protocol
ThenPut == [op |-> "update", count |-> 1, after |-> TRUE]
\* Of the others: one step each
Put == [op |-> "write", count |-> 1, after |-> FALSE]
Swap == [op |-> "swap", count |-> 1, after |-> FALSE]

Steps == 1 .. Len(program)

\* The lanes: of the memory 0, and of what makes items the last. Each has its order of steps, and of messages on a link.
Lane == 0 .. Lanes - 1
LaneOf(step) == IF step.op \in {"connect", "preprocess"} THEN Lanes - 1 ELSE 0

\* The first step of the operation that step s is of
RECURSIVE Operation(_)
Operation(s) == IF Dependent(program[s]) THEN Operation(s - 1) ELSE s

-------------------------------------------------------------------------------
(* The client. Its shares are what it would draw; the same if it has to ask    *)
(* again, since it keeps them until it is answered. With the faults            *)
(* "forgetful-client" and "speaks-first" it does not keep them: that is when   *)
(* speaking first does harm.                                                   *)

Forgets == Fault \in {"forgetful-client", "speaks-first"}

ClientAddress(s, i) == A(Draw(salt, 200 + s, i))
ClientValue(s, i) == Draw(salt, 300 + s, i)

ClientShare(whole, s, i, b) ==
    LET first == Draw(salt, 400 + s + (IF Forgets THEN 50 * crashes ELSE 0), i)
    IN  IF b = 0 THEN first ELSE Minus(whole, first)

ClientMemory == [j \in Address |-> Draw(salt, 500, j)]

\* What an ideal RAM holds after the first s steps
RECURSIVE IdealUpTo(_)
IdealUpTo(s) ==
    IF s = 0 THEN [memory |-> Zeros, at |-> << >>, answers |-> << >>] ELSE
    LET before == IdealUpTo(s - 1)
        step == program[s]
        k == IF Online(step) THEN step.count ELSE 0
        at == [i \in 1 .. k |->
                 IF ~step.after THEN ClientAddress(s, i)
                 ELSE IF step.op = "read" THEN A(before.answers[1]) ELSE before.at[1]]
        delta == [i \in 1 .. k |->
                    IF step.after THEN Minus(ClientValue(s, i), before.answers[1]) ELSE ClientValue(s, i)]
        RECURSIVE Apply(_)
        Apply(i) == IF i = 0 THEN before.memory
                    ELSE LET m == Apply(i - 1) IN [m EXCEPT ![at[i]] = Plus(@, delta[i])]
    IN  [ memory  |-> CASE step.op = "load" -> ClientMemory
                        [] step.op = "update" -> Apply(k)
                        [] step.op \in {"write", "swap"} -> [before.memory EXCEPT ![at[1]] = ClientValue(s, 1)]
                        [] OTHER -> before.memory,
          at      |-> at,
          answers |-> IF step.op \in {"read", "swap"} THEN [i \in 1 .. k |-> before.memory[at[i]]] ELSE << >> ]

-------------------------------------------------------------------------------
(* A party: party[p] is a record `st` of                                       *)
(*   started   of each lane, the last step begun                               *)
(*   flight    those of them that are not done, each with its place, its items *)
(*             and its intermediate values                                     *)
(*   touched   the steps that have read or changed its memory, in that order   *)
(*   reads, updates  items left; made: items made so far                       *)
(*   memory, results                                                           *)
(*   received  messages taken from each peer, by lane; out: messages for each  *)
(*   clock     of each operation, the length of the chain of messages so far   *)

NewParty(p) ==
    [ started |-> [l \in Lane |-> 0], flight |-> << >>, touched |-> << >>, reads |-> << >>, updates |-> << >>, made |-> 0,
      memory |-> EmptyMemory(p), results |-> [s \in Steps |-> << >>],
      received |-> [q \in Party |-> [l \in Lane |-> 0]], out |-> [q \in Party |-> [l \in Lane |-> << >>]],
      clock |-> [s \in Steps |-> 0] ]

Drop(k, sequence) == SubSeq(sequence, k + 1, Len(sequence))
Without(i, sequence) == SubSeq(sequence, 1, i - 1) \o Drop(i, sequence)
Range(first, count) == [i \in 1 .. count |-> first + i - 1]

\* What a party says with the items of a batch while it makes them is masked by what it draws for them from its stream,
\* which moves on with every batch.
Masked(p, f) == [i \in DOMAIN f.items |-> << Draw(salt, 700 + 10 * f.step + p, i) >>]

Makes(s) == program[s].op = "preprocess"

\* The party after it has put the messages of this place where they leave from.
RECURSIVE Post(_, _, _, _)
Post(p, st, f, outs) ==
    IF outs = << >> THEN st ELSE
    LET out == Head(outs)
        message == [ kind |-> out.kind, operation |-> f.step, round |-> out.round, items |-> f.items,
                     words |-> IF Makes(f.step) THEN Masked(p, f)
                               ELSE Words(salt, p, program[f.step], st.memory, f, out),
                     chain |-> st.clock[Operation(f.step)] + 1 ]
    IN  Post(p, [st EXCEPT !.out[out.to][LaneOf(program[f.step])] = Append(@, message)], f, Tail(outs))

(* A step begins: the client's shares come in, items are taken.                *)
HasBegun(st, s) == s <= st.started[LaneOf(program[s])]
Begun(st) == {s \in Steps : HasBegun(st, s)}
Underway(st, l) == {i \in DOMAIN st.flight : LaneOf(program[st.flight[i].step]) = l}
Idle(st) == st.flight = << >>

\* What may begin next in a lane, if anything: a step of the memory when its items are there.
MayBegin(st, l) ==
    LET left == {s \in Steps : LaneOf(program[s]) = l /\ ~HasBegun(st, s)}
        May(s) ==
            LET step == program[s] IN
            /\ \A t \in left : s <= t
            /\ Cardinality(Underway(st, l)) < Window
            /\ ~Online(step) \/ Alone(step) => Underway(st, l) = {}
            /\ Online(step) =>
                 /\ \A i \in Underway(st, l) : LET under == program[st.flight[i].step] IN Online(under) /\ ~Alone(under)
                 /\ TakesReads(step) => step.count <= Len(st.reads)
                 /\ TakesUpdates(step) => step.count <= Len(st.updates)
            \* The session's key comes first.
            /\ \A t \in Steps : program[t].op = "connect" /\ t < s =>
                 HasBegun(st, t) /\ \A i \in DOMAIN st.flight : st.flight[i].step # t
    IN  {s \in left : May(s)}

\* P_b's share of the address of query i of step s, reduced mod n only where it is masked
AddressShare(b, st, s, i) ==
    LET step == program[s] IN
    IF ~step.after THEN ClientShare(ClientAddress(s, i), s, i, b)
    ELSE IF step.op = "read" THEN st.results[s - 1][1]
    ELSE ClientShare(ClientAddress(s - 1, 1), s - 1, 1, b)

\* The value share that P_b puts into its UPDATE
ValueShare(b, st, s, i) ==
    LET put == ClientShare(ClientValue(s, i), s, 10 + i, b)
    IN  IF program[s].after THEN Minus(put, st.results[s - 1][1]) ELSE put

\* What is remembered of a step that has read or changed the memory
Touch(f) == [step |-> f.step, item |-> IF f.items = << >> THEN 0 ELSE f.items[1]]

Begin(p, st, s) ==
    LET step == program[s]
        sharing == Fault = "shared-shift" /\ Dependent(step) /\ step.op = "update"
        reads == IF TakesReads(step) THEN SubSeq(st.reads, 1, step.count) ELSE << >>
        updates == IF ~TakesUpdates(step) THEN << >>
                   ELSE IF sharing THEN << st.touched[Len(st.touched)].item >> ELSE SubSeq(st.updates, 1, step.count)
        items == IF Makes(s) THEN Range(st.made, step.reads + step.updates) ELSE reads \o updates
        queries == IF Online(step) /\ p \in Primaries THEN 1 .. step.count ELSE {}
        f == [ step |-> s, place |-> 0, items |-> items,
               shifts |-> [i \in queries |-> ShiftShare(salt, p, items[i], AddressShare(p, st, s, i))],
               values |-> [i \in queries |-> IF TakesUpdates(step) THEN ValueShare(p, st, s, i) ELSE 0] ]
        taken == [st EXCEPT
            !.started[LaneOf(step)] = s,
            \* A fault: what a READ has used is there for the next.
            !.reads = IF TakesReads(step) /\ Fault # "keys-kept" THEN Drop(step.count, @) ELSE @,
            !.updates = IF TakesUpdates(step) THEN Drop(step.count, @) ELSE @,
            !.memory = IF step.op = "load"
                       THEN Loading(salt, p, @, [j \in Address |-> ClientShare(ClientMemory[j], 0, 20 + j, p)])
                       ELSE @ ]
        \* A party that awaits nothing is done.
        awaits == Awaits(p, step) # << >>
    IN  Post(p, [taken EXCEPT !.flight = IF awaits THEN Append(@, f) ELSE @,
                              !.touched = IF Touches(p, step, 0, ~awaits) THEN Append(@, Touch(f)) ELSE @],
             f, Sends(p, step, 0))

(* A message is taken.                                                         *)

\* The first step under way in a lane that awaits something of q; the message must be what it awaits next.
Waits(p, st, q, l) ==
    LET Open(i) == LET due == Awaits(p, program[st.flight[i].step])
                   IN  \E n \in st.flight[i].place + 1 .. Len(due) : due[n].from = q
    IN  {i \in Underway(st, l) : Open(i) /\ \A j \in Underway(st, l) : j < i => ~Open(j)}

IsDue(p, st, f, q, message) ==
    LET due == Awaits(p, program[f.step])[f.place + 1]
    IN  due = Due(q, message.kind, message.round) /\ message.operation = f.step /\ message.items = f.items

\* A fault: P2 does not answer a READ at once.
Held(p, step) == Fault = "late-answer" /\ p = Helper /\ step.op = "read"

\* What the message changes in the party. `f` is the step before, `g` after it.
After(p, st, f, g, message) ==
    LET step == program[f.step]
        last == g.place = Len(Awaits(p, step))
        answers == Answers(salt, p, step, g, message)
    IN  [st EXCEPT
            !.touched = IF Touches(p, step, g.place, last) /\ ~Held(p, step) THEN Append(@, Touch(f)) ELSE @,
            !.memory = Changed(salt, p, step, @, f, message, last),
            !.results[f.step] = IF answers = << >> THEN @ ELSE answers,
            !.made = IF Makes(f.step) /\ last /\ Fault # "number-reused" THEN @ + Len(f.items) ELSE @,
            !.reads = IF Makes(f.step) /\ last THEN @ \o SubSeq(f.items, 1, step.reads) ELSE @,
            !.updates = IF Makes(f.step) /\ last THEN @ \o Drop(step.reads, f.items) ELSE @]

Take(p, st, q, i, message) ==
    LET f == st.flight[i]
        g == Noted(salt, p, program[f.step], st.memory, f, message)
        o == Operation(f.step)
        clocked == [st EXCEPT !.received[q][LaneOf(program[f.step])] = @ + 1, !.clock[o] = IF message.chain > @ THEN message.chain ELSE @]
        changed == After(p, clocked, f, g, message)
        step == program[f.step]
        posted == IF Held(p, step) THEN changed ELSE Post(p, changed, g, Sends(p, step, g.place))
    IN  [posted EXCEPT !.flight = IF g.place = Len(Awaits(p, step)) /\ ~Held(p, step)
                                  THEN Without(i, @) ELSE [@ EXCEPT ![i] = g]]

-------------------------------------------------------------------------------
(* Links and disks. What is on disk is what a restart finds again: in a        *)
(* program, a snapshot and the journal of the inputs taken since, replayed.    *)

Durable == MaxCrashes > 0

\* The history of what is on a link: what is said with items, and the chains of messages.
Said(sent) ==
    LET chains(s) == {longest[s]} \cup {m.message.chain : m \in {m \in sent : Operation(m.message.operation) = s}}
    IN  /\ spoken' = spoken \cup UNION
             {{[from |-> m.from, to |-> m.to, item |-> m.message.items[i], makes |-> Makes(m.message.operation),
                kind |-> m.message.kind, round |-> m.message.round, operation |-> m.message.operation,
                words |-> m.message.words[i]]
                 : i \in DOMAIN m.message.items} : m \in sent}
        /\ longest' = [s \in Steps |-> CHOOSE c \in chains(s) : \A d \in chains(s) : d <= c]

\* Messages from one party to another, as a set.
Batch(from, to, messages) == {[from |-> from, to |-> to, message |-> messages[i]] : i \in DOMAIN messages}

\* What `new` has for q in a lane and `old` had not, unless q has taken it before a restart.
Fresh(p, q, l, old, new) ==
    LET had == Len(old.out[q][l])
        taken == party[q].received[p][l]
    IN  Drop(IF had > taken THEN had ELSE taken, new.out[q][l])

\* Messages leave p on links that hold `links` so far; those for a party that is down wait for its return.
Leave(p, links, old, new) ==
    LET fresh == [q \in Party |-> [l \in Lane |-> IF q # p /\ up[q] THEN Fresh(p, q, l, old, new) ELSE << >>]]
    IN  /\ net' = [links EXCEPT ![p] = [q \in Party |-> [l \in Lane |-> @[q][l] \o fresh[q][l]]]]
        /\ Said(UNION {Batch(p, q, fresh[q][l]) : q \in Party, l \in Lane})

AtOnce == ~Durable \/ Fault = "speaks-first"

\* The state whose messages may all leave, of a party that holds `now`, and `later` since what is on its disk: the last of
\* which the disk has all inputs, or all commands, that is, the steps that it has begun.
MaySay(now, written, later) ==
    IF AtOnce THEN now ELSE
    LET states == << written >> \o later
        speaks == {i \in DOMAIN states : i = 1 \/ (SpeaksAfter = "commands" /\ states[i].started = written.started)}
    IN  states[Cardinality(speaks)]

\* Those messages leave, if they have not left before.
Speak(p, links) ==
    Leave(p, links, MaySay(party[p], disk[p], behind[p]), MaySay(party'[p], disk'[p], behind'[p]))

\* Party p goes on to `new`, and the links hold `links`.
GoOn(p, new, links) ==
    /\ party' = [party EXCEPT ![p] = new]
    /\ disk' = IF Durable /\ Fault = "torn-snapshot" THEN [disk EXCEPT ![p].memory = new.memory] ELSE disk
    /\ behind' = IF Durable THEN [behind EXCEPT ![p] = Append(@, new)] ELSE behind
    /\ Speak(p, links)
    /\ UNCHANGED <<program, salt, up, crashes>>

\* Whether p may take an input before it writes those that it has taken.
MayLag(p) == Durable => Len(behind[p]) < Unwritten

Start(p) ==
    /\ up[p] /\ MayLag(p)
    /\ \E l \in Lane : \E s \in MayBegin(party[p], l) : GoOn(p, Begin(p, party[p], s), net)
    /\ UNCHANGED acked

Receive(p, q) ==
    /\ up[p] /\ MayLag(p)
    /\ \E l \in Lane :
         /\ net[q][p][l] # << >>
         /\ LET st == party[p]
                message == Head(net[q][p][l])
            IN  \E i \in Waits(p, st, q, l) :
                  /\ IsDue(p, st, st.flight[i], q, message)
                  /\ GoOn(p, Take(p, st, q, i, message), [net EXCEPT ![q][p][l] = Tail(@)])
                  /\ acked' = IF Fault = "early-acknowledgement"
                              THEN [acked EXCEPT ![q][p][l] = st.received[q][l] + 1] ELSE acked

\* The disk gets the oldest inputs that it has not, at once; then messages leave, and what it has is acknowledged.
Write(p) ==
    /\ up[p]
    /\ \E n \in DOMAIN behind[p] :
         LET new == behind[p][n]
         IN  /\ disk' = [disk EXCEPT ![p] =
                  IF Fault = "items-restored" /\ new.made = disk[p].made
                  THEN [new EXCEPT !.reads = disk[p].reads, !.updates = disk[p].updates]
                  ELSE new]
             /\ behind' = [behind EXCEPT ![p] = Drop(n, @)]
             /\ acked' = [q \in Party |->
                  IF up[q] /\ Fault # "early-acknowledgement" THEN [acked[q] EXCEPT ![p] = new.received[q]] ELSE acked[q]]
    /\ UNCHANGED party
    /\ Speak(p, net)
    /\ UNCHANGED <<program, salt, up, crashes>>

NoMessages == [l \in Lane |-> << >>]

\* What may be left of the messages on a link
Beginnings(link) ==
    LET most == CHOOSE n \in {Len(link[l]) : l \in Lane} : \A l \in Lane : Len(link[l]) <= n
        left == {n \in [Lane -> 0 .. most] : \A l \in Lane : n[l] <= Len(link[l])}
    IN  {[l \in Lane |-> SubSeq(link[l], 1, n[l])] : n \in left}

\* What may be left of the messages on links to those peers
RECURSIVE LeftOf(_, _)
LeftOf(links, peers) ==
    IF peers = << >> THEN {links} ELSE
    UNION {LeftOf([links EXCEPT ![Head(peers)] = beginning], Tail(peers)) : beginning \in Beginnings(links[Head(peers)])}

\* What was on its way to p is lost, and of what p had sent any part that had not arrived.
Crash(p) ==
    /\ crashes < MaxCrashes /\ up[p] /\ Cardinality(Begun(party[p])) >= CrashesFrom
    /\ up' = [up EXCEPT ![p] = FALSE]
    /\ crashes' = crashes + 1
    /\ behind' = [behind EXCEPT ![p] = << >>]
    /\ \E left \in LeftOf(net[p], Peers(p)) :
         net' = [q \in Party |-> [r \in Party |->
             CASE r = p -> NoMessages
               [] q = p /\ r # p -> left[r]
               [] OTHER -> net[q][r]]]
    /\ UNCHANGED <<program, salt, party, disk, acked, spoken, longest>>

\* A fault: a restart draws again, from elsewhere in its stream, what the party has said of a batch under way.
Redrawn(st) ==
    LET underway == {st.flight[i].step : i \in DOMAIN st.flight}
        Again(m) == IF Makes(m.operation) /\ m.operation \in underway
                    THEN [m EXCEPT !.words = [i \in DOMAIN @ |-> << W(@[i][1] + 1) >>]] ELSE m
    IN  IF Fault # "stream-not-restored" THEN st
        ELSE [st EXCEPT !.out = [q \in Party |-> [l \in Lane |-> [i \in DOMAIN @[q][l] |-> Again(@[q][l][i])]]]]

\* p goes on from its disk. It and each peer tell each other how many messages they have taken, and send what is
\* missing, as far as they still have it.
Restart(p) ==
    /\ ~up[p]
    /\ up' = [up EXCEPT ![p] = TRUE]
    /\ disk' = [disk EXCEPT ![p] = Redrawn(@)]
    /\ party' = [party EXCEPT ![p] = disk'[p]]
    /\ LET again == [q \in Party |-> [r \in Party |-> [l \in Lane |->
             IF Fault = "no-retransmission" \/ q = r \/ p \notin {q, r} \/ ~up'[q] \/ ~up'[r] THEN << >>
             ELSE IF acked[q][r][l] > party'[r].received[q][l] THEN << >>
             ELSE Drop(party'[r].received[q][l], MaySay(party'[q], disk'[q], behind[q]).out[r][l])]]]
       IN  /\ net' = [q \in Party |-> [r \in Party |->
                IF p \in {q, r} THEN again[q][r] ELSE net[q][r]]]
           /\ Said(UNION {Batch(q, r, again[q][r][l]) : q, r \in Party, l \in Lane})
    /\ UNCHANGED <<program, salt, behind, crashes, acked>>

\* A fault: P2 answers a READ when it pleases, from the blinds that it has then.
AnswerLate ==
    /\ Fault = "late-answer"
    /\ LET st == party[Helper] IN \E i \in DOMAIN st.flight :
         LET f == st.flight[i]
         IN  /\ program[f.step].op = "read" /\ f.place = 2
             /\ GoOn(Helper,
                     [Post(Helper, st, f, Sends(Helper, program[f.step], 2)) EXCEPT
                        !.flight = Without(i, @), !.touched = Append(@, Touch(f))],
                     net)
    /\ UNCHANGED acked

AllDone == \A p \in Party :
    up[p] /\ Begun(party[p]) = Steps /\ Idle(party[p]) /\ behind[p] = << >>

\* So that a deadlock is a program that was not finished.
Finished == AllDone /\ UNCHANGED vars

Init ==
    /\ program \in Programs
    /\ salt \in Salts
    /\ party = [p \in Party |-> NewParty(p)]
    /\ disk = IF Durable THEN party ELSE << >>
    /\ behind = [p \in Party |-> << >>]
    /\ up = [p \in Party |-> TRUE]
    /\ crashes = 0
    /\ net = [p \in Party |-> [q \in Party |-> NoMessages]]
    /\ acked = [p \in Party |-> [q \in Party |-> [l \in Lane |-> 0]]]
    /\ spoken = {}
    /\ longest = [s \in Steps |-> 0]

Progress == \/ \E p \in Party : Start(p) \/ Write(p) \/ Restart(p)
            \/ \E p, q \in Party : Receive(p, q)
            \/ AnswerLate

Next == Progress \/ (\E p \in Party : Crash(p)) \/ Finished

Spec == Init /\ [][Next]_vars /\ WF_vars(Progress)

-------------------------------------------------------------------------------
(* Properties                                                                  *)

\* No item is ever used twice, across crashes too: it is made in one operation and used in one; what one party says to
\* another with an item, it says in that operation, and whenever it says it again it says the same words.
NeverTwice ==
    LET operations == {<<said.from, said.to, said.item, said.makes, said.operation>> : said \in spoken}
        uses == {<<said.from, said.to, said.item, said.makes>> : said \in spoken}
        messages == {<<said.from, said.to, said.item, said.kind, said.round>> : said \in spoken}
    IN  Cardinality(uses) = Cardinality(operations) /\ Cardinality(messages) = Cardinality(spoken)

\* All parties apply READs and UPDATEs in one order: of what two have done, the one is a beginning of the other.
CommonOrder ==
    \A p, q \in Party : \A i \in DOMAIN party[p].touched \cap DOMAIN party[q].touched :
        party[p].touched[i] = party[q].touched[i]

\* A party is sent only what the protocol sends it.
KindsByRole ==
    \A p, q \in Party : \A l \in Lane : \A i \in DOMAIN net[p][q][l] : net[p][q][l][i].kind \in Allowed(p, q)

\* Lemma 3 (lean: both sharings stand for one memory, A is the same at P0 and P2), and the memory is the ideal one, whenever
\* all have done the same operations: at quiescence, and also while they are at it.
StatesBelongTogether ==
    LET done == [p \in Party |-> Len(party[p].touched)]
        loading == \E p \in Party : \E i \in DOMAIN party[p].flight : program[party[p].flight[i].step].op = "load"
        last == IF done[0] = 0 THEN 0 ELSE party[0].touched[done[0]].step
        memory == [p \in Party |-> party[p].memory]
    IN  ((\A p \in Party : done[p] = done[0]) /\ ~loading) =>
          /\ BelongTogether(memory)
          /\ Opened(memory) = IdealUpTo(last).memory

\* Lemma 1: results are those of an ideal RAM.
ReadsAnswerIdeal ==
    \A s \in Steps :
        LET r_0 == party[0].results[s] r_1 == party[1].results[s]
        IN  (r_0 # << >> /\ r_1 # << >>) =>
              [i \in DOMAIN r_0 |-> Plus(r_0[i], r_1[i])] = IdealUpTo(s).answers

\* Sequential messages, Table 2: never more, and just as many once the operation is done.
SequentialMessages ==
    \A o \in {Operation(s) : s \in Steps} :
        LET steps == {s \in Steps : Operation(s) = o}
            RECURSIVE Sum(_)
            Sum(set) == IF set = {} THEN 0 ELSE LET s == CHOOSE s \in set : TRUE IN Adds(program[s]) + Sum(set \ {s})
            underway == \E p \in Party :
                \/ \E s \in steps : ~HasBegun(party[p], s)
                \/ \E i \in DOMAIN party[p].flight : party[p].flight[i].step \in steps
                \/ behind[p] # << >>
        IN  /\ longest[o] <= Sum(steps)
            /\ ~underway => longest[o] = Sum(steps)

\* Under fairness, and with finitely many crashes, every operation is done.
Completes == <>[]AllDone
===============================================================================
