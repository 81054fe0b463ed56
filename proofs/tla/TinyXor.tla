-------------------------------- MODULE TinyXor --------------------------------
(* The arithmetic of the lean protocol: words and addresses are XOR-shared, so *)
(* Modulus and Size are powers of 2. Preprocessing is ideal: an item's         *)
(* material is a function of its number.                                       *)
EXTENDS TinyWords

RECURSIVE Xor(_, _)
Xor(x, y) == IF x = 0 THEN y ELSE IF y = 0 THEN x ELSE ((x + y) % 2) + 2 * Xor(x \div 2, y \div 2)

Plus(x, y) == Xor(x, y)
Minus(x, y) == Xor(x, y)

Add(u, v) == [j \in Address |-> Xor(u[j], v[j])]
\* a<S>: moves what is at ri to ri xor s.
Moved(v, s) == [j \in Address |-> v[Xor(j, s)]]
\* <t, x>: the sum of the words at which the flag is set
Select(t, x) ==
    LET sum[j \in 0 .. Size] == IF j = 0 THEN 0 ELSE IF t[j - 1] = 1 THEN Xor(sum[j - 1], x[j - 1]) ELSE sum[j - 1]
    IN  sum[Size]

-------------------------------------------------------------------------------
(* What preprocessing leaves of item `id`: two DPFs, a and b, with one target  *)
(* ri. P0 has sides 0 of both, P1 side 1 of a, P2 side 0 of a and side 1 of b. *)

DpfA == 1
DpfB == 2

\* ri_b
IndexShare(salt, id, b) ==
    LET first == A(Draw(salt, id, 1)) IN IF b = 0 THEN first ELSE Xor(Target(salt, id), first)

\* t^d_c
Flags(salt, id, d, c) ==
    LET first == [j \in Address |-> Draw(salt, id, 10 * d + j) % 2]
        unit == [j \in Address |-> IF j = Target(salt, id) THEN 1 ELSE 0]
    IN  IF c = 0 THEN first ELSE Add(unit, first)

\* R_d
Gap(salt, id, d) == Draw(salt, id, 80 + d)

\* v^d_c
Values(salt, id, d, c) ==
    LET first == [j \in Address |-> Draw(salt, id, 40 + 10 * d + j)]
        sum == [j \in Address |-> IF j = Target(salt, id) THEN Gap(salt, id, d) ELSE 0]
    IN  IF c = 0 THEN first ELSE Add(sum, first)

\* f^a_b
GapShare(salt, id, b) ==
    LET first == Draw(salt, id, 90) IN IF b = 0 THEN first ELSE Xor(Gap(salt, id, DpfA), first)

\* What P0 and P2 know
Delta(salt, id) == Xor(Gap(salt, id, DpfA), Gap(salt, id, DpfB))

\* The masks that two parties draw alike: rho, x, and y_pq
Rho(salt, id) == Draw(salt, id, 99)
UpdateMask(salt, id) == Draw(salt, id, 98)
WriteMask(salt, id, p, q) == Draw(salt, id, 94 + p + q)

-------------------------------------------------------------------------------
\* Party p's part of the word at i*
Part(salt, p, memory, id, s) ==
    LET a == Flags(salt, id, DpfA, IF p = 1 THEN 1 ELSE 0)
        b == Flags(salt, id, DpfB, IF p = 0 THEN 0 ELSE 1)
        alpha(t) == Select(Moved(t, s), memory.alpha)
        beta(t) == Select(Moved(t, s), memory.beta)
    IN  CASE p = 0 -> Xor(alpha(Add(a, b)), beta(a))
          [] p = 1 -> alpha(a)
          [] p = 2 -> Xor(alpha(b), beta(a))

\* m_b, for a share of what is put in
MaskedValue(salt, b, id, value) == Xor(Xor(value, GapShare(salt, id, b)), UpdateMask(salt, id))

\* Party p's part of F_a in a WRITE; P2 puts nothing in.
WritePart(salt, p, id, value, part) ==
    CASE p = 2 -> Xor(part, Xor(WriteMask(salt, id, 0, 2), WriteMask(salt, id, 1, 2)))
      [] OTHER -> Xor(Xor(Xor(value, part), GapShare(salt, id, p)),
                      Xor(WriteMask(salt, id, 0, 1), WriteMask(salt, id, p, 2)))

\* (v^d_c + F_d t^d_c)<S>
UpdateVector(salt, id, d, c, f, s) ==
    LET t == Flags(salt, id, d, c) v == Values(salt, id, d, c)
    IN  Moved([j \in Address |-> IF t[j] = 1 THEN Xor(v[j], f) ELSE v[j]], s)

\* The memory of party p after `F_a` was opened
UpdatedParty(salt, p, memory, id, f_a, s) ==
    LET f_b == Xor(f_a, Delta(salt, id))
        alpha == Add(memory.alpha, UpdateVector(salt, id, DpfA, IF p = 1 THEN 1 ELSE 0, f_a, s))
    IN  IF p = 1 THEN [alpha |-> alpha]
        ELSE [ alpha |-> alpha,
               beta  |-> Add(memory.beta, UpdateVector(salt, id, DpfB, IF p = 0 THEN 0 ELSE 1, f_b, s)) ]

\* Both sharings open to one memory, and A is the same at P0 and P2.
BelongTogether(p0, p1, p2) ==
    /\ p0.alpha = p2.alpha
    /\ Add(p0.alpha, p1.alpha) = Add(p0.beta, p2.beta)
===============================================================================
