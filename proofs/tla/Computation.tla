------------------------------ MODULE Computation ------------------------------
(* What each step computes, by the protocol.                                   *)
EXTENDS TinyWords, Rounds

PaperStep == INSTANCE PaperSteps
LeanStep == INSTANCE LeanSteps
TwoPartyStep == INSTANCE TwoPartySteps

\* How shares add up to a word
Plus(x, y) ==
    CASE IsPaper -> PaperStep!Plus(x, y)
      [] IsLean -> LeanStep!Plus(x, y)
      [] IsTwoParty -> TwoPartyStep!Plus(x, y)
Minus(x, y) ==
    CASE IsPaper -> PaperStep!Minus(x, y)
      [] IsLean -> LeanStep!Minus(x, y)
      [] IsTwoParty -> TwoPartyStep!Minus(x, y)

\* The memory of party p before anything, and when a load begins
EmptyMemory(p) ==
    CASE IsPaper -> PaperStep!EmptyMemory(p)
      [] IsLean -> LeanStep!EmptyMemory(p)
      [] IsTwoParty -> TwoPartyStep!EmptyMemory(p)
Loading(salt, p, memory, share) ==
    CASE IsPaper -> PaperStep!Loading(salt, p, memory, share)
      [] IsLean -> LeanStep!Loading(salt, p, memory, share)
      [] IsTwoParty -> TwoPartyStep!Loading(salt, p, memory, share)

\* What P_b says of its share of an address; with two parties, what it makes that of
ShiftShare(salt, b, id, address) ==
    CASE IsPaper -> PaperStep!ShiftShare(salt, b, id, address)
      [] IsLean -> LeanStep!ShiftShare(salt, b, id, address)
      [] IsTwoParty -> TwoPartyStep!ShiftShare(salt, b, id, address)

\* The words of the message `out` of the step under way `f`
Words(salt, p, step, memory, f, out) ==
    CASE IsPaper -> PaperStep!Words(salt, p, step, memory, f, out)
      [] IsLean -> LeanStep!Words(salt, p, step, memory, f, out)
      [] IsTwoParty -> TwoPartyStep!Words(salt, p, step, memory, f, out)

\* What a message changes in the step's own values, and in the memory; `f` is the step before it
Noted(salt, p, step, memory, f, message) ==
    CASE IsPaper -> PaperStep!Noted(salt, p, step, memory, f, message)
      [] IsLean -> LeanStep!Noted(salt, p, step, memory, f, message)
      [] IsTwoParty -> TwoPartyStep!Noted(salt, p, step, memory, f, message)
Changed(salt, p, step, memory, f, message, last) ==
    CASE IsPaper -> PaperStep!Changed(salt, p, step, memory, f, message, last)
      [] IsLean -> LeanStep!Changed(salt, p, step, memory, f, message, last)
      [] IsTwoParty -> TwoPartyStep!Changed(salt, p, step, memory, f, message, last)

\* Whether p reads or changes its memory for good when it reaches this place, perhaps the step's last
Touches(p, step, place, last) ==
    CASE IsPaper -> PaperStep!Touches(p, step, place, last)
      [] IsLean -> LeanStep!Touches(p, step, place, last)
      [] IsTwoParty -> TwoPartyStep!Touches(p, step, place, last)

\* Shares of the results that a message brings; `f` is the step after it
Answers(salt, p, step, f, message) ==
    CASE IsPaper -> PaperStep!Answers(salt, p, step, f, message)
      [] IsLean -> LeanStep!Answers(salt, p, step, f, message)
      [] IsTwoParty -> TwoPartyStep!Answers(salt, p, step, f, message)

\* Whether what the parties hold belongs together, beyond what it stands for: two parties have nothing in common. And what
\* memory it stands for.
BelongTogether(memory) ==
    CASE IsPaper -> PaperStep!BelongTogether(memory[0], memory[1], memory[Helper])
      [] IsLean -> LeanStep!BelongTogether(memory[0], memory[1], memory[Helper])
      [] IsTwoParty -> TRUE
Opened(memory) ==
    CASE IsPaper -> PaperStep!Opened(memory[0], memory[1])
      [] IsLean -> LeanStep!Opened(memory[0], memory[1])
      [] IsTwoParty -> TwoPartyStep!Opened(memory[0], memory[1])
===============================================================================
