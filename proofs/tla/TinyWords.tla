------------------------------- MODULE TinyWords -------------------------------
(* Words, addresses and random draws so small that a model checker can carry   *)
(* them: words below Modulus, Size words of memory. How they are added up, and *)
(* shared, is the protocol's own: TinyRing, TinyXor.                           *)
EXTENDS Integers, Sequences

CONSTANTS
    Modulus,   \* words are below it
    Size       \* words of memory; divides Modulus, so that a share of a word is a share of an address

ASSUME Modulus \in Nat /\ Size \in Nat /\ Size > 1 /\ Modulus % Size = 0

Word == 0 .. Modulus - 1
Address == 0 .. Size - 1
Vector == [Address -> Word]

W(x) == x % Modulus
A(x) == x % Size

Zeros == [j \in Address |-> 0]

\* A word that looks random: what a party's stream, or the client's, gives at place b of subject a. Fixed, so that it
\* does not multiply the states; mixed well enough that shares of different items do not fit together; another salt,
\* other words.
Draw(salt, a, b) == W((((salt + 3) * (17 * a + 5 * b + 11) * (a + 7 * b + 2)) % 1009) \div 5)

\* Where an item's DPFs are not zero
Target(salt, id) == A(Draw(salt, id, 0))
===============================================================================
