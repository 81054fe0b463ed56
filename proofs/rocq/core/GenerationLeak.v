(* The leak that App. C has [duoram, App. C], and that the specification repairs (spec/ERRATA.md, "The lowest bit of cw"):
   with the lowest bits of L_b and R_b left in, the opened cw tells the address bit whenever cwt_L and cwt_R differ. *)
From Coq Require Import Lia.
From Duoram.core Require Import VectorFacts Parties LabelFacts GenerationPrivacy.
From Duoram.Generated Require Import All.

(* The specification opens none. *)
Theorem opened_word_has_no_lowest_bit (input input' : level_input) :
  block_flag (dpf_Correction_word (opened_correction input input')) = false.
Proof. apply flag_clear_flag. Qed.

(* A share of cw as App. C has it, with L_b and R_b complete: cw = (i and (L xor R)) xor R. *)
Definition printed_operand (input : level_input) : u128 :=
  ixor (distributed_gen_ChildSums_left (input_sums input)) (distributed_gen_ChildSums_right (input_sums input)).
Definition printed_message (input : level_input) (triple : du_atallah_AndTriple) : u128 * u128 :=
  du_atallah_and_message (block_replicate (input_bit input)) (printed_operand input) triple.
Definition printed_opening (input : level_input) (triple : du_atallah_AndTriple) (received : u128 * u128) : u128 :=
  ixor (du_atallah_and_share (block_replicate (input_bit input)) (printed_operand input) triple received)
    (distributed_gen_ChildSums_right (input_sums input)).
Definition printed_word (input input' : level_input) (triples : du_atallah_AndTriple * du_atallah_AndTriple) : u128 :=
  ixor (printed_opening input (fst triples) (printed_message input' (snd triples)))
    (printed_opening input' (snd triples) (printed_message input (fst triples))).

(* What was leaked: whenever cwt_L and cwt_R differ, the address bit is 1 exactly if the lowest bit of cw is cwt_L. *)
Theorem printed_word_tells_address_bit (input input' : level_input) (x_0 x_1 y_0 y_1 t : u128) :
  let word := printed_word input input' (du_atallah_and_triples x_0 x_1 y_0 y_1 t) in
  let correction := opened_correction input input' in
  dpf_Correction_left_flag correction <> dpf_Correction_right_flag correction ->
  xorb (input_bit input) (input_bit input') = Bool.eqb (block_flag word) (dpf_Correction_left_flag correction).
Proof.
  destruct input as [b [L R]], input' as [b' [L' R']]. cbv zeta. unfold opened_correction, printed_word.
  cbn [dpf_Correction_left_flag dpf_Correction_right_flag input_bit input_sums distributed_gen_ChildSums_left
    distributed_gen_ChildSums_right].
  assert (h : block_flag (printed_word {| input_bit := b; input_sums := mk_distributed_gen_ChildSums L R |}
      {| input_bit := b'; input_sums := mk_distributed_gen_ChildSums L' R' |}
      (du_atallah_and_triples x_0 x_1 y_0 y_1 t))
    = if xorb b b' then xorb (block_flag L) (block_flag L') else xorb (block_flag R) (block_flag R')).
  { unfold printed_word, printed_opening, printed_message, printed_operand, du_atallah_and_share, du_atallah_and_message.
    cbn. rewrite !bit_flag. push_bits. rewrite !bit_replicate by lia.
    destruct (xorb b b') eqn:e; replace b' with (xorb b (xorb b b')) by ring; rewrite e; ring. }
  unfold printed_word in h. rewrite h, !flag_ixor. clear h.
  destruct (xorb b b'), (block_flag L), (block_flag L'), (block_flag R), (block_flag R'); cbn; congruence.
Qed.
