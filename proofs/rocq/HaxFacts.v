(* All facts about the prelude. *)
From Duoram Require Export Hax HaxInt HaxBits HaxList.
