------------------------------ MODULE Computation ------------------------------
(* What each step computes, by the protocol.                                   *)
EXTENDS TinyWords, Rounds

PaperStep == INSTANCE PaperSteps
LeanStep == INSTANCE LeanSteps
IsLean == Protocol = "lean"

\* How shares add up to a word
Plus(x, y) == IF IsLean THEN LeanStep!Plus(x, y) ELSE PaperStep!Plus(x, y)
Minus(x, y) == IF IsLean THEN LeanStep!Minus(x, y) ELSE PaperStep!Minus(x, y)

\* The memory of party p before anything, and when a load begins
EmptyMemory(p) == IF IsLean THEN LeanStep!EmptyMemory(p) ELSE PaperStep!EmptyMemory(p)
Loading(salt, p, memory, share) ==
    IF IsLean THEN LeanStep!Loading(salt, p, memory, share) ELSE PaperStep!Loading(salt, p, memory, share)

\* What P_b says of its share of an address
ShiftShare(salt, b, id, address) ==
    IF IsLean THEN LeanStep!ShiftShare(salt, b, id, address) ELSE PaperStep!ShiftShare(salt, b, id, address)

\* The words of the message `out` of the step under way `f`
Words(salt, p, step, memory, f, out) ==
    IF IsLean THEN LeanStep!Words(salt, p, step, memory, f, out) ELSE PaperStep!Words(salt, p, step, memory, f, out)

\* What a message changes in the step's own values, and in the memory; `f` is the step before it
Noted(salt, p, step, memory, f, message) ==
    IF IsLean THEN LeanStep!Noted(salt, p, step, memory, f, message)
              ELSE PaperStep!Noted(salt, p, step, memory, f, message)
Changed(salt, p, step, memory, f, message, last) ==
    IF IsLean THEN LeanStep!Changed(salt, p, step, memory, f, message, last)
              ELSE PaperStep!Changed(salt, p, step, memory, f, message, last)

\* Whether p reads or changes its memory for good when it reaches this place, perhaps the step's last
Touches(p, step, place, last) ==
    IF IsLean THEN LeanStep!Touches(p, step, place, last) ELSE PaperStep!Touches(p, step, place, last)

\* Shares of the results that a message brings; `f` is the step after it
Answers(salt, p, step, f, message) ==
    IF IsLean THEN LeanStep!Answers(salt, p, step, f, message) ELSE PaperStep!Answers(salt, p, step, f, message)

\* Whether the states of the parties belong together, and what memory they stand for
BelongTogether(p0, p1, p2) ==
    IF IsLean THEN LeanStep!BelongTogether(p0, p1, p2) ELSE PaperStep!BelongTogether(p0, p1, p2)
Opened(p0, p1) == IF IsLean THEN LeanStep!Opened(p0, p1) ELSE PaperStep!Opened(p0, p1)
===============================================================================
