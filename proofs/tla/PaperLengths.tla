----------------------------- MODULE PaperLengths ------------------------------
(* How many bytes of payload each message of the paper's protocol has: the     *)
(* column "payload" of reference/PROTOCOL.md, part one.                        *)
EXTENDS Words64

\* The payload of a message of a step, from party p
Length(p, step, kind) ==
    LET preparing == step.op = "preprocess"
        m == IF preparing THEN step.reads + step.updates ELSE 0
        dpfs == 3 * m
        k == IF preparing \/ step.op \in {"connect", "load"} THEN 0 ELSE step.count
    IN  CASE kind = "hello" -> Block + Word
          [] kind \in {"blinded", "blind"} -> ChunkBytes
          [] kind = "triples" -> dpfs * Depth * 2 * Block + Packed(dpfs * Depth) + dpfs * 3 * Word
          [] kind = "level operands" -> dpfs * Block + Packed(3 * dpfs)
          [] kind = "level opening" -> dpfs * Block
          [] kind = "conversion operands" -> dpfs * 3 * Word + (IF p = 0 THEN step.updates * 2 * Word ELSE 0)
          [] kind = "conversion opening" -> dpfs * Word
          [] kind = "helper keys" -> m * (Block + Depth * Block + Word) + Packed(2 * m * Depth)
          [] kind \in {"shift", "unblinding"} -> k * Word
          [] kind = "update" -> k * 4 * Word
          [] kind = "helper update" -> k * 3 * Word
===============================================================================
