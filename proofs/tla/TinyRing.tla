------------------------------- MODULE TinyRing -------------------------------
(* The arithmetic of the paper's Protocols 1 and 2, and of two parties, over   *)
(* Z_Modulus.                                                                  *)
(* Preprocessing is ideal: an item's material is a function of its number.     *)
EXTENDS TinyWords

Plus(x, y) == W(x + y)
Minus(x, y) == W(x - y)

Add(u, v) == [j \in Address |-> W(u[j] + v[j])]
Sub(u, v) == [j \in Address |-> W(u[j] - v[j])]
Scale(f, v) == [j \in Address |-> W(f * v[j])]
\* Moves what is at ri to ri + s.
Shift(v, s) == [j \in Address |-> v[A(j - s)]]
Dot(u, v) ==
    LET sum[j \in 0 .. Size] == IF j = 0 THEN 0 ELSE sum[j - 1] + u[j - 1] * v[j - 1]
    IN  W(sum[Size])

-------------------------------------------------------------------------------
(* What preprocessing leaves of item `id`: three DPFs with one target ri; with *)
(* two parties one, of an UPDATE.                                              *)

\* ri_b
IndexShare(salt, id, b) ==
    LET first == A(Draw(salt, id, 1)) IN IF b = 0 THEN first ELSE A(Target(salt, id) - first)

\* t_b^(k): additive shares of the unit vector at ri
Unit(salt, id, b, k) ==
    LET first == [j \in Address |-> Draw(salt, id, 10 * k + j)]
        unit == [j \in Address |-> IF j = Target(salt, id) THEN 1 ELSE 0]
    IN  IF b = 0 THEN first ELSE Sub(unit, first)

\* What the value words of DPF k add up to at ri; elsewhere they cancel.
Gap(salt, id, k) == Draw(salt, id, 80 + k)

\* v_b^(k)
Values(salt, id, b, k) ==
    LET first == [j \in Address |-> Draw(salt, id, 40 + 10 * k + j)]
        sum == [j \in Address |-> IF j = Target(salt, id) THEN Gap(salt, id, k) ELSE 0]
    IN  IF b = 0 THEN first ELSE Sub(sum, first)

\* F_b^(k), rerandomized
Correction(salt, id, b, k) ==
    LET first == Draw(salt, id, 90 + k) IN IF b = 0 THEN first ELSE W(-Gap(salt, id, k) - first)

\* rho
Mask(salt, id) == Draw(salt, id, 99)

-------------------------------------------------------------------------------
(* READ: Protocol 1, lines 7 to 10, for unit vectors moved by shift s          *)

\* P_b's answer but for gamma_b
Partial(salt, b, memory, id, s) ==
    LET t_1 == Shift(Unit(salt, id, b, 1), s)
        t_k == Shift(Unit(salt, id, b, IF b = 0 THEN 3 ELSE 2), s)
    IN  W(Dot(Add(memory.share, memory.blinded), t_1) - Dot(memory.blind, Sub(t_k, t_1)))

\* P2's message to P_b
Gamma(salt, b, memory, id, s) ==
    IF b = 0
    THEN W(Mask(salt, id) - Dot(memory.blind_0, Shift(Unit(salt, id, 1, 3), s)))
    ELSE W(-Mask(salt, id) - Dot(memory.blind_1, Shift(Unit(salt, id, 0, 2), s)))

-------------------------------------------------------------------------------
(* UPDATE: Protocol 2, lines 7 to 10 (with the errata), for opened corrections *)

\* A share of M e_i*
UpdateVector(salt, id, b, k, f, s) ==
    Shift(Add(Values(salt, id, b, k), Scale(f, Unit(salt, id, b, k))), s)

\* The memory of P_b after it; f is F^(1), F^(2), F^(3)
UpdatedPrimary(salt, b, memory, id, f, s) ==
    LET w(k) == UpdateVector(salt, id, b, k, f[k], s)
    IN  [ share   |-> Add(memory.share, w(1)),
          blind   |-> Sub(memory.blind, w(IF b = 0 THEN 2 ELSE 3)),
          blinded |-> Sub(Add(memory.blinded, w(IF b = 0 THEN 3 ELSE 2)), w(1)) ]

\* The memory of P2 after it; f is F^(2), F^(3)
UpdatedHelper(salt, memory, id, f, s) ==
    [ blind_0 |-> Sub(memory.blind_0, UpdateVector(salt, id, 0, 2, f[1], s)),
      blind_1 |-> Sub(memory.blind_1, UpdateVector(salt, id, 1, 3, f[2], s)) ]

-------------------------------------------------------------------------------
(* READ with two parties: section 5, with a PIR that carries the whole table.  *)

\* q_b, the index of P_b's query, and P_b's blind
QueryIndex(salt, id, b) == A(Draw(salt, id, 2 + b))
ReadBlind(salt, id, b) == Draw(salt, id, 4 + b)

\* What hides word x of the table that P_b may open at q_b: the other party knows all keys of it, P_b those of q_b.
TableMask(salt, id, b, x) == Draw(salt, id, 100 + Size * b + x)

\* P_c's table for P_(1-c), turned by what it knows of the address
MaskedTable(salt, c, memory, id, turn) ==
    [x \in Address |-> W(memory[A(x + turn)] + ReadBlind(salt, id, c) + TableMask(salt, id, 1 - c, x))]

\* read_b, from the one word of the table that P_b has the keys of
Unmasked(salt, b, id, table) ==
    LET q == QueryIndex(salt, id, b) IN W(table[q] - TableMask(salt, id, b, q) - ReadBlind(salt, id, b))

-------------------------------------------------------------------------------
\* Lemma 3: D~_b = D_b + zeta_b, and P2's blinds are those of the primaries
BelongTogether(p0, p1, p2) ==
    /\ p1.blinded = Add(p0.share, p0.blind)
    /\ p0.blinded = Add(p1.share, p1.blind)
    /\ p2.blind_0 = p0.blind
    /\ p2.blind_1 = p1.blind
===============================================================================
