------------------------------- MODULE Words64 --------------------------------
(* Sizes in bytes, as on the wire.                                             *)
EXTENDS Parties

Word == 8
Block == 16

\* So many bits, packed
Packed(bits) == (bits + 7) \div 8

\* A chunk of a loaded vector: up to 2^16 words
ChunkBytes == Word * (IF Depth < 16 THEN 2 ^ Depth ELSE 2 ^ 16)
===============================================================================
