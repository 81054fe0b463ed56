(* The protocols of Du and Atallah, AND, product and dot product, are correct with the triples of App. A
   [duoram, section 2.2.1, App. A]. *)
From Coq Require Import Lia.
From Duoram.core Require Import VectorFacts.
From Duoram.Generated Require Import All.

(* AND: both shares XOR to the AND of the shared blocks, for any operands and whatever the dealer's five random blocks
   are [duoram, section 2.2.1, App. A]. The triples are those of App. A, not of Definition 4 as printed (spec/ERRATA.md,
   1). *)
Theorem du_atallah_and_correct (x_0 x_1 y_0 y_1 X_0 X_1 Y_0 Y_1 T : u128) :
  let '(triple_0, triple_1) := du_atallah_and_triples X_0 X_1 Y_0 Y_1 T in
  let message_0 := du_atallah_and_message x_0 y_0 triple_0 in
  let message_1 := du_atallah_and_message x_1 y_1 triple_1 in
  let z_0 := du_atallah_and_share x_0 y_0 triple_0 message_1 in
  let z_1 := du_atallah_and_share x_1 y_1 triple_1 message_0 in
  share_xor_open z_0 z_1 = iand (share_xor_open x_0 x_1) (share_xor_open y_0 y_1).
Proof. cbn. unfold share_xor_open, du_atallah_and_share. cbn. xor_and. Qed.

Section Words.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Laws : RingLaws W}.
  Add Ring W_ring : (ring_theory_W W).

  (* Product: both shares add up to the product of the shared words, for any factors and whatever the dealer's five
     random words are [duoram, section 2.2.1, App. A]. *)
  Theorem du_atallah_product_correct (x_0 x_1 y_0 y_1 X_0 X_1 Y_0 Y_1 T : W) :
    let '(triple_0, triple_1) := du_atallah_product_triples X_0 X_1 Y_0 Y_1 T in
    let z_0 := du_atallah_product_share x_0 y_0 triple_0 (ring_Ring_plus x_1 X_1) (ring_Ring_plus y_1 Y_1) in
    let z_1 := du_atallah_product_share x_1 y_1 triple_1 (ring_Ring_plus x_0 X_0) (ring_Ring_plus y_0 Y_0) in
    share_additive_open z_0 z_1
    = ring_Ring_times (share_additive_open x_0 x_1) (share_additive_open y_0 y_1).
  Proof. cbn. unfold share_additive_open, du_atallah_product_share. cbn. ring. Qed.

  (* Dot product: both shares add up to the dot product of the shared vectors, for any length n that all vectors have,
     and whatever the dealer's four random vectors and random word are [duoram, section 2.2.1, App. A]. The triples are
     those of App. A, not of Definition 5 as printed (spec/ERRATA.md, 2). *)
  Theorem du_atallah_dot_correct (n : nat) (x_0 x_1 y_0 y_1 X_0 X_1 Y_0 Y_1 : list W) (T : W) :
    Forall (fun v => length v = n) [x_0; x_1; y_0; y_1; X_0; X_1; Y_0; Y_1] ->
    let '(triple_0, triple_1) := du_atallah_dot_triples X_0 X_1 Y_0 Y_1 T in
    let '(masked_x_0, masked_y_0) := du_atallah_dot_message x_0 y_0 triple_0 in
    let '(masked_x_1, masked_y_1) := du_atallah_dot_message x_1 y_1 triple_1 in
    let z_0 := du_atallah_dot_share x_0 y_0 triple_0 masked_x_1 masked_y_1 in
    let z_1 := du_atallah_dot_share x_1 y_1 triple_1 masked_x_0 masked_y_0 in
    share_additive_open z_0 z_1
    = vector_dot (share_additive_vector_open x_0 x_1) (share_additive_vector_open y_0 y_1).
  Proof.
    intros h.
    repeat match goal with h : Forall _ (_ :: _) |- _ => inversion_clear h end.
    cbn. unfold share_additive_open, share_additive_vector_open, du_atallah_dot_share. cbn.
    assert (ly_0 : length (vector_add y_0 Y_0) = n) by (rewrite vector_add_length; lia).
    assert (ly_1 : length (vector_add y_1 Y_1) = n) by (rewrite vector_add_length; lia).
    rewrite !vector_dot_add_l, !vector_dot_add_r by (rewrite ?vector_add_length; lia).
    rewrite (vector_dot_comm Y_0 x_1), (vector_dot_comm Y_0 X_1), (vector_dot_comm Y_1 x_0), (vector_dot_comm Y_1 X_0).
    ring.
  Qed.

  Lemma vector_dot_one (x y : W) : vector_dot [x] [y] = ring_Ring_times x y.
  Proof. rewrite vector_dot_cons, vector_dot_nil_l. ring. Qed.

  (* The multiplication triples are dot-product triples of length one [duoram, Definition 5]. *)
  Theorem du_atallah_product_triples_are_dot_triples (X_0 X_1 Y_0 Y_1 T : W) :
    let as_dot triple := mk_du_atallah_DotTriple
      [du_atallah_ProductTriple_x triple] [du_atallah_ProductTriple_y triple] (du_atallah_ProductTriple_z triple) in
    let '(triple_0, triple_1) := du_atallah_product_triples X_0 X_1 Y_0 Y_1 T in
    (as_dot triple_0, as_dot triple_1) = du_atallah_dot_triples [X_0] [X_1] [Y_0] [Y_1] T.
  Proof. cbn. unfold du_atallah_dot_triples. rewrite !vector_dot_one. reflexivity. Qed.

  (* And a share of a product is a share of a dot product of length one, for any triple and any message. *)
  Theorem du_atallah_product_is_dot (x y X Y Z masked_x masked_y : W) :
    du_atallah_product_share x y (mk_du_atallah_ProductTriple X Y Z) masked_x masked_y
    = du_atallah_dot_share [x] [y] (mk_du_atallah_DotTriple [X] [Y] Z) [masked_x] [masked_y].
  Proof.
    unfold du_atallah_product_share, du_atallah_dot_share. cbn.
    change (vector_add [y] [masked_y]) with [ring_Ring_plus y masked_y].
    rewrite !vector_dot_one. reflexivity.
  Qed.
End Words.

(* For the 64-bit words of the implementation. *)
Definition du_atallah_product_correct_u64 := du_atallah_product_correct (W := u64).
Definition du_atallah_dot_correct_u64 := du_atallah_dot_correct (W := u64).
