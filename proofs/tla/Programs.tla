------------------------------- MODULE Programs -------------------------------
(* The programs that the models run: sets, of which a behaviour follows one.   *)
(* Those called Lean are of the lean protocol, those called TwoParty of that.  *)
EXTENDS Duoram

\* Every kind of step.
Everything == {
    << Connect, Load, Preprocess(4, 2), Read(2), Update(1), Read(1), ReadThere, Update(1) >>,
    << Connect, Preprocess(2, 2), Read(1), ThenPut, Update(1), Preprocess(1, 0), Read(1) >> }

\* READs and UPDATEs that can be under way together.
Pipeline == {
    << Preprocess(3, 2), Read(1), Update(1), Read(2), Update(1) >>,
    << Preprocess(2, 3), Update(2), Read(1), Update(1), Read(1) >>,
    << Preprocess(2, 2), Update(1), Read(1), ThenPut, Read(1) >> }

\* Items that are made while others are used, if there are two lanes.
MakeAndUse == { << Connect, Load, Preprocess(1, 1), Read(1), Preprocess(1, 0), Update(1), Read(1) >> }
MakeWhileReading == { << Preprocess(1, 0), Preprocess(0, 1), Read(1), Update(1) >> }
ReadAndMake == { << Preprocess(1, 0), Read(1), Preprocess(1, 0) >> }

\* Short ones, for models with crashes.
ReadUpdate == { << Preprocess(1, 1), Read(1), Update(1) >> }
TwoReads == { << Preprocess(2, 0), Read(1), Read(1) >> }
TwoUpdates == { << Preprocess(0, 2), Update(1), Update(1) >> }
OneBatch == { << Preprocess(1, 0) >> }
OneRead == { << Preprocess(1, 0), Read(1) >> }
TwoBatches == { << Preprocess(1, 0), Preprocess(1, 0) >> }
LoadWrite == { << Load, Preprocess(1, 1), Read(1), ThenPut >> }
Chain == { << Preprocess(2, 1), Update(1), Read(1), ReadThere >> }
UpdateReads == { << Preprocess(2, 1), Read(1), Update(1), Read(1) >> }

\* Every kind of step, and a batch for READs only, one for UPDATEs only, and one for both: they differ in their rounds.
LeanEverything == {
    << Connect, Load, Preprocess(3, 0), Preprocess(1, 2), Read(2), Update(2), Read(1), ReadThere >>,
    << Connect, Preprocess(0, 4), Put, Swap, Update(1), Preprocess(1, 0), Read(1), Put >>,
    << Connect, Load, Preprocess(1, 2), Swap, Read(1), Put >> }

\* READs and UPDATEs under way together, before and after a step that is alone.
LeanPipeline == {
    << Preprocess(2, 2), Read(1), Update(1), Read(1), Update(1) >>,
    << Preprocess(2, 2), Update(1), Read(1), Put, Read(1) >> }

\* Short ones.
LeanShort == { << Preprocess(1, 0) >>, << Preprocess(0, 1) >>, << Preprocess(1, 1) >> }
LeanTwoReads == { << Preprocess(2, 0), Read(1), Read(1) >> }
LeanReadUpdate == { << Preprocess(1, 1), Read(1), Update(1) >> }
LeanUpdate == { << Preprocess(0, 1), Update(1) >> }
LeanWrite == { << Load, Preprocess(0, 1), Swap >> }
LeanSwap == { << Preprocess(0, 1), Swap >> }

\* Every kind of step, and a batch for READs only, one for UPDATEs only, and one for both.
TwoPartyEverything == {
    << Connect, Load, Preprocess(4, 1), Read(2), Update(1), Read(1), ReadThere >>,
    << Connect, Preprocess(0, 1), Preprocess(3, 3), Put, Swap, Update(2), Read(1) >>,
    << Connect, Load, Preprocess(2, 0), Preprocess(0, 1), Swap, Read(1) >> }

\* UPDATEs under way together, before and after a step that is alone.
TwoPartyPipeline == {
    << Preprocess(1, 3), Update(1), Update(1), Read(1), Update(1) >>,
    << Preprocess(2, 3), Update(1), Update(1), Put, Read(1) >> }

\* Short ones.
TwoPartySwap == { << Preprocess(1, 1), Swap >> }
TwoPartyLoadWrite == { << Load, Preprocess(2, 1), Put, Read(1) >> }
===============================================================================
