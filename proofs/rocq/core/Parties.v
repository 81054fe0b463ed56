(* The two primaries, as theorems about one of them speak of both. *)
From Duoram Require Import Hax.
From Duoram.Generated Require Import All.

(* What P0 has and what P1 has, from what one of them holds itself and what the other one has. *)
Definition in_order {T : Type} (party : share_Primary) (own other : T) : T * T :=
  match party with
  | share_Primary_P0 => (own, other)
  | share_Primary_P1 => (other, own)
  end.
Definition other_primary (party : share_Primary) : share_Primary :=
  match party with
  | share_Primary_P0 => share_Primary_P1
  | share_Primary_P1 => share_Primary_P0
  end.
