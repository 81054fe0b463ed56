---------------------------- MODULE TwoPartyLengths ----------------------------
(* How many bytes of payload each message of two parties has: the column       *)
(* "payload" of reference/PROTOCOL.md, part four, with the plain PIR, whose    *)
(* keys and queries are empty and whose answer is the whole table.             *)
EXTENDS Words64

Point == 32
\* The columns of a batch of OTs, and the base OTs that they are made from
Columns == 128

Length(step, kind) ==
    LET preparing == step.op = "preprocess"
        updates == IF preparing THEN step.updates ELSE 0
        m == IF preparing THEN step.reads + updates ELSE 0
        k == IF preparing \/ step.op \in {"connect", "load"} THEN 0 ELSE step.count
    IN  CASE kind = "hello" -> Block + Word + Point
          [] kind = "base choices" -> Columns * Point
          [] kind \in {"pir keys", "queries"} -> 0
          [] kind = "ot columns" -> Columns * Packed(m * Depth)
          [] kind = "level operands" -> updates * Block + Packed(3 * updates)
          [] kind = "level opening" -> updates * Block
          [] kind = "sums" -> updates * Word
          [] kind = "shifts" -> k * Word
          [] kind = "answers" -> k * Word * 2 ^ Depth
          [] kind = "updates" -> k * 2 * Word
===============================================================================
