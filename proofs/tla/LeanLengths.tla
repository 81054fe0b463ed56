------------------------------ MODULE LeanLengths ------------------------------
(* How many bytes of payload each message of the lean protocol has: the column *)
(* "payload" of reference/PROTOCOL.md, part two.                               *)
EXTENDS Words64

Rounds == INSTANCE LeanRounds

\* The words of a block of the value layer
Layer == 8 * Word

Length(step, kind, round) ==
    LET preparing == step.op = "preprocess"
        reads == IF preparing THEN step.reads ELSE 0
        updates == IF preparing THEN step.updates ELSE 0
        m == reads + updates
        k == IF preparing \/ step.op \in {"connect", "load"} THEN 0 ELSE step.count
        \* The levels of one tree of each item
        levels == reads * Rounds!FlagDepth + updates * Rounds!ValueDepth
        \* The trees that have this level
        high == 2 * ((IF round < Rounds!FlagDepth THEN reads ELSE 0) + (IF round < Rounds!ValueDepth THEN updates ELSE 0))
        address == (Depth + 7) \div 8
    IN  CASE kind = "hello" -> Block + 32 + Word
          [] kind \in {"alpha", "beta"} -> ChunkBytes
          [] kind = "deal" -> 2 * levels * Block + 2 * m * Block + 2 * updates * (Layer + Word)
          [] kind = "index offset" -> 2 * m
          [] kind = "level operands" -> high * Block + Packed(3 * high)
          [] kind = "level opening" -> high * Block
          [] kind = "flag layer" -> 2 * m * Block
          [] kind = "value layer" -> 2 * updates * Layer
          [] kind = "helper keys" -> m * Block + levels * Block + m * Block + updates * Layer + Packed(2 * levels)
          [] kind = "difference" -> updates * Word
          [] kind = "shift" -> k * address
          [] kind = "unblinding" -> k * Word
          [] kind = "update" -> k * (address + Word)
          [] kind = "write" -> Word
===============================================================================
