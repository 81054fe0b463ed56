(* Sharing reconstructs [duoram, section 3, Notation]: additive sharing of words and vectors, XOR sharing of blocks and
   vectors of blocks, and the signs that turn equal words into additive shares of zero [duoram, section 4.1.1]. *)
From Coq Require Import Lia.
From Duoram.core Require Import VectorFacts.
From Duoram.Generated Require Import All.

Section Additive.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Laws : RingLaws W}.
  Add Ring W_ring : (ring_theory_W W).

  (* Additive shares of x, made with any random word r, add up to x [duoram, section 3, Notation]. *)
  Theorem additive_sharing_reconstructs (x r : W) :
    let '(x_0, x_1) := share_additive_shares x r in share_additive_open x_0 x_1 = x.
  Proof. cbn. unfold share_additive_open. ring. Qed.

  (* Any two words are the shares of their sum: the first is the random word. *)
  Theorem additive_sharing_reaches_all (x_0 x_1 : W) :
    share_additive_shares (share_additive_open x_0 x_1) x_0 = (x_0, x_1).
  Proof. unfold share_additive_shares, share_additive_open. f_equal. ring. Qed.

  (* The same for vectors, with a random vector of the same length. *)
  Theorem additive_vector_sharing_reconstructs (x r : list W) : length r = length x ->
    let '(x_0, x_1) := share_additive_vector_shares x r in share_additive_vector_open x_0 x_1 = x.
  Proof.
    intros h. cbn. unfold share_additive_vector_open.
    assert (hs : length (vector_sub x r) = length x) by (apply vector_sub_length; lia).
    apply (list_ext (ring_Ring_zero W)).
    - rewrite vector_add_length; lia.
    - intros k _. rewrite nth_vector_add, nth_vector_sub by lia. ring.
  Qed.

  Theorem additive_vector_sharing_reaches_all (x_0 x_1 : list W) : length x_0 = length x_1 ->
    share_additive_vector_shares (share_additive_vector_open x_0 x_1) x_0 = (x_0, x_1).
  Proof.
    intros h. unfold share_additive_vector_shares, share_additive_vector_open. f_equal.
    assert (hs : length (vector_add x_0 x_1) = length x_0) by (apply vector_add_length; lia).
    apply (list_ext (ring_Ring_zero W)).
    - rewrite vector_sub_length; lia.
    - intros k _. rewrite nth_vector_sub, nth_vector_add by lia. ring.
  Qed.

  (* A word that both parties hold, negated by P1, is an additive sharing of zero [duoram, section 4.1.1]. *)
  Theorem signed_words_cancel (x : W) :
    share_additive_open (share_signed share_Primary_P0 x) (share_signed share_Primary_P1 x) = ring_Ring_zero W.
  Proof. unfold share_additive_open. cbn. ring. Qed.

  (* The same for each word of a vector. *)
  Theorem signed_vectors_cancel (x : list W) : Z.of_nat (length x) < 2 ^ 64 ->
    share_additive_vector_open (share_signed_vector share_Primary_P0 x) (share_signed_vector share_Primary_P1 x)
    = vector_zeros W (len x).
  Proof.
    intros small.
    assert (hl : forall party, length (share_signed_vector party x) = length x)
      by (intros party; apply map_length).
    apply (list_ext (ring_Ring_zero W)); unfold share_additive_vector_open.
    - rewrite vector_zeros_length, vector_add_length, nat_of_len by (rewrite ?hl; auto). apply hl.
    - intros k hk. rewrite vector_add_length, hl in hk by (rewrite !hl; reflexivity).
      rewrite nth_vector_add, nth_vector_zeros by (rewrite !hl; reflexivity).
      unfold share_signed_vector.
      rewrite !(nth_map _ _ k (ring_Ring_zero W)) by assumption. apply signed_words_cancel.
  Qed.
End Additive.

(* XOR shares of a block, made with any random block, XOR to it [duoram, section 3, Notation]. *)
Theorem xor_sharing_reconstructs (x r : u128) :
  let '(x_0, x_1) := share_xor_shares x r in share_xor_open x_0 x_1 = x.
Proof. cbn. unfold share_xor_open. xor_and. Qed.

Theorem xor_sharing_reaches_all (x_0 x_1 : u128) :
  share_xor_shares (share_xor_open x_0 x_1) x_0 = (x_0, x_1).
Proof. unfold share_xor_shares, share_xor_open. f_equal. xor_and. Qed.

(* The same for vectors of blocks, shared and opened block by block. *)
Theorem xor_vector_sharing_reconstructs (x r : list u128) : length r = length x ->
  map (fun '(x_0, x_1) => share_xor_open x_0 x_1) (map (fun '(x, r) => share_xor_shares x r) (combine x r)) = x.
Proof.
  intros h. rewrite map_map. apply (list_ext (repr 128 0)).
  - apply map_combine_length. lia.
  - intros k hk. rewrite map_combine_length in hk by lia.
    rewrite (nth_map_combine _ x r k (repr 128 0) (repr 128 0)) by lia. apply xor_sharing_reconstructs.
Qed.
