(* Privacy of App. C [duoram, App. C]: what a primary receives in one level of the generation of a DPF is masked by the
   level's AND triple, but for the correction that both open; and if the other party's child sums are uniform, it is
   distributed the same for both values of the other's address bit. All levels together are in GenerationRunPrivacy.v.

   Idealized: the AND triples are uniform but for what P2 deals to the party itself, which it knows; X_b is a replicated
   bit. For the second theorem: the XORs L_(1-b), R_(1-b) of all left and of all right children of the other party's
   level are uniform blocks. With the real PRG they are XORs of pseudorandom blocks with blocks that the party knows, as
   it does not know the other's label on the path: GenerationSimulated.v has what that costs.

   The messages are those of `distributed_gen::operands` and `distributed_gen::opening`. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection.
From Duoram.core Require Import VectorFacts Parties LabelFacts.
From Duoram.Generated Require Import All.

#[local] Arguments ixor : simpl never.
#[local] Arguments iand : simpl never.
#[local] Arguments block_replicate : simpl never.
#[local] Arguments block_flag : simpl never.
#[local] Arguments block_clear_flag : simpl never.

(** * One level *)

(* What one party brings to a level: its share of the address bit, and the sums L_b, R_b. *)
Record level_input : Type := { input_bit : bool; input_sums : distributed_gen_ChildSums }.

(* `distributed_gen::level_messages` depends on the labels of the level by their child sums only. *)
Definition messages_of_inputs (input_0 input_1 : level_input) (triples : du_atallah_AndTriple * du_atallah_AndTriple) :
  distributed_gen_LevelMessages :=
  let operands_0 := distributed_gen_operands (input_bit input_0) (input_sums input_0) (fst triples) in
  let operands_1 := distributed_gen_operands (input_bit input_1) (input_sums input_1) (snd triples) in
  mk_distributed_gen_LevelMessages operands_0 operands_1
    (distributed_gen_opening (input_bit input_0) (input_sums input_0) (fst triples) operands_1)
    (distributed_gen_opening (input_bit input_1) (input_sums input_1) (snd triples) operands_0).

Lemma level_messages_of_inputs {P : Type} {P_Prg : prg_Prg P} (prg : P) (level_0 level_1 : list u128)
  (bit_0 bit_1 : bool) (triple_0 triple_1 : du_atallah_AndTriple) :
  distributed_gen_level_messages prg level_0 level_1 (bit_0, bit_1) (triple_0, triple_1)
  = messages_of_inputs {| input_bit := bit_0; input_sums := distributed_gen_child_sums prg level_0 |}
      {| input_bit := bit_1; input_sums := distributed_gen_child_sums prg level_1 |} (triple_0, triple_1).
Proof. reflexivity. Qed.

(* What both parties open: cw, cwt_L and cwt_R, from the address bit and the sums over both trees. *)
Definition opened_correction (input_0 input_1 : level_input) : dpf_Correction :=
  let bit := xorb (input_bit input_0) (input_bit input_1) in
  let left := ixor (distributed_gen_ChildSums_left (input_sums input_0))
    (distributed_gen_ChildSums_left (input_sums input_1)) in
  let right := ixor (distributed_gen_ChildSums_right (input_sums input_0))
    (distributed_gen_ChildSums_right (input_sums input_1)) in
  mk_dpf_Correction (block_clear_flag (if bit then left else right))
    (xorb (block_flag left) (negb bit)) (xorb (block_flag right) bit).

(* What a primary holds: its input and its triple, whose X is a replicated bit. *)
Record level_held : Type := { held_input : level_input; held_x : bool; held_y : u128; held_z : u128 }.
Definition held_triple (held : level_held) : du_atallah_AndTriple :=
  mk_du_atallah_AndTriple (block_replicate (held_x held)) (held_y held) (held_z held).

(* What it does not know: the other's X (a bit, replicated) and Y, and the dealer's T. *)
Record level_unknown : Type := { unknown_x : bool; unknown_y : u128; unknown_t : u128 }.

(* The triples that P2 deals, own and other, if the party's X and Y are those that it holds. *)
Definition dealt (party : share_Primary) (held : level_held) (r : level_unknown) :
  du_atallah_AndTriple * du_atallah_AndTriple :=
  let '(x_0, x_1) := in_order party (block_replicate (held_x held)) (block_replicate (unknown_x r)) in
  let '(y_0, y_1) := in_order party (held_y held) (unknown_y r) in
  let '(triple_0, triple_1) := du_atallah_and_triples x_0 x_1 y_0 y_1 (unknown_t r) in
  in_order party triple_0 triple_1.

(* Uniform among the values for which P2 deals the triple that the party holds. *)
Definition level_drawn (party : share_Primary) (held : level_held) (r : level_unknown) : Prop :=
  fst (dealt party held r) = held_triple held.

Definition level_run (party : share_Primary) (held : level_held) (other : level_input) (r : level_unknown) :
  distributed_gen_LevelMessages :=
  let '(input_0, input_1) := in_order party (held_input held) other in
  messages_of_inputs input_0 input_1 (in_order party (held_triple held) (snd (dealt party held r))).

(* What P_b receives: the masked operands with the shares of the flag corrections, and the share of cw. *)
Definition level_view (party : share_Primary) (held : level_held) (other : level_input) (r : level_unknown) :
  distributed_gen_Operands * u128 :=
  let run := level_run party held other r in
  match party with
  | share_Primary_P0 => (distributed_gen_LevelMessages_operands_1 run, distributed_gen_LevelMessages_opening_1 run)
  | share_Primary_P1 => (distributed_gen_LevelMessages_operands_0 run, distributed_gen_LevelMessages_opening_0 run)
  end.

(* X makes up for the other's bit, Y for its L xor R, and T keeps the party's own Z. *)
Definition level_move (held : level_held) (other other' : level_input) (r : level_unknown) : level_unknown :=
  let difference := ixor (distributed_gen_second_operand (input_sums other))
    (distributed_gen_second_operand (input_sums other')) in
  {| unknown_x := xorb (unknown_x r) (xorb (input_bit other) (input_bit other'));
     unknown_y := ixor (unknown_y r) difference;
     unknown_t := ixor (unknown_t r) (iand (block_replicate (held_x held)) difference) |}.

Lemma flag_mask (b x : bool) : block_flag (ixor (block_replicate b) (block_replicate x)) = xorb b x.
Proof. rewrite flag_ixor, !flag_replicate. reflexivity. Qed.

(* The shares of cw, of a party and of the other one, XOR to cw: for the dealer's X, Y, X', Y' and T. *)
Lemma openings_xor (b x b' x' : bool) (sums sums' : distributed_gen_ChildSums) (y y' t : u128) :
  let X := block_replicate x in
  let X' := block_replicate x' in
  let triple := mk_du_atallah_AndTriple X y (ixor (iand X y') t) in
  let triple' := mk_du_atallah_AndTriple X' y' (ixor (iand X' y) t) in
  ixor (distributed_gen_opening b sums triple (distributed_gen_operands b' sums' triple'))
    (distributed_gen_opening b' sums' triple' (distributed_gen_operands b sums triple))
  = block_clear_flag (if xorb b b'
      then ixor (distributed_gen_ChildSums_left sums) (distributed_gen_ChildSums_left sums')
      else ixor (distributed_gen_ChildSums_right sums) (distributed_gen_ChildSums_right sums')).
Proof.
  cbv zeta. unfold distributed_gen_opening, distributed_gen_operands, du_atallah_and_share,
    distributed_gen_second_operand; cbn. rewrite !flag_mask.
  destruct sums as [L R], sums' as [L' R']; cbn.
  by_bits. rewrite !bit_clear_flag, !bit_replicate by assumption.
  destruct (xorb b b') eqn:e; push_bits; replace b' with (xorb b (xorb b b')) by ring; rewrite e; ring.
Qed.

(* The correction that follows from the messages of a level is [opened_correction]. *)
Lemma correction_of_messages (input input' : level_input) (x x' : bool) (y y' t : u128) :
  distributed_gen_correction_of (messages_of_inputs input input'
    (du_atallah_and_triples (block_replicate x) (block_replicate x') y y' t))
  = opened_correction input input'.
Proof.
  unfold distributed_gen_correction_of, distributed_gen_reconstruct, opened_correction, messages_of_inputs.
  cbn [distributed_gen_LevelMessages_operands_0 distributed_gen_LevelMessages_operands_1
    distributed_gen_LevelMessages_opening_0 distributed_gen_LevelMessages_opening_1 du_atallah_and_triples fst snd].
  f_equal; [apply openings_xor | |]; unfold distributed_gen_operands; cbn; rewrite flag_ixor;
    destruct (input_bit input), (input_bit input'), (block_flag _), (block_flag _); reflexivity.
Qed.

Lemma correction_of_level (party : share_Primary) (held : level_held) (other : level_input) (r : level_unknown) :
  level_drawn party held r ->
  distributed_gen_correction_of (level_run party held other r)
  = uncurry opened_correction (in_order party (held_input held) other).
Proof.
  intros d. unfold level_run. rewrite <- d. unfold level_drawn in d. destruct held as [input x y z], r as [x' y' t].
  destruct party; apply correction_of_messages.
Qed.

(* What is seen besides the masked operands: with the same operands and the same opened correction, the share of cw is the
   same, since it XORs to cw with the party's own share. *)
Lemma level_opening_seen (party : share_Primary) (held : level_held) (other : level_input) (r : level_unknown) :
  level_drawn party held r ->
  snd (level_view party held other r)
  = ixor (dpf_Correction_word (uncurry opened_correction (in_order party (held_input held) other)))
      (distributed_gen_opening (input_bit (held_input held)) (input_sums (held_input held)) (held_triple held)
        (fst (level_view party held other r))).
Proof.
  intros d. rewrite <- (correction_of_level party held other r d).
  unfold level_view, level_run, messages_of_inputs, distributed_gen_correction_of, distributed_gen_reconstruct.
  destruct party; cbn [in_order fst snd dpf_Correction_word distributed_gen_LevelMessages_operands_0
    distributed_gen_LevelMessages_operands_1 distributed_gen_LevelMessages_opening_0
    distributed_gen_LevelMessages_opening_1].
  - rewrite (ixor_comm (distributed_gen_opening _ _ (held_triple held) _)), ixor_cancel_r. reflexivity.
  - rewrite ixor_cancel_r. reflexivity.
Qed.

Lemma level_operands_seen (party : share_Primary) (held : level_held) (other : level_input) (r : level_unknown) :
  fst (level_view party held other r)
  = mk_distributed_gen_Operands (xorb (input_bit other) (unknown_x r))
      (ixor (distributed_gen_second_operand (input_sums other)) (unknown_y r))
      (xorb (block_flag (distributed_gen_ChildSums_left (input_sums other))) (input_bit other))
      (xorb (block_flag (distributed_gen_ChildSums_right (input_sums other))) (input_bit other)).
Proof. rewrite <- flag_mask. destruct party; reflexivity. Qed.

(* The opened flag corrections give away the other's shares of them. *)
Lemma opened_flags (party : share_Primary) (own other other' : level_input) :
  uncurry opened_correction (in_order party own other) = uncurry opened_correction (in_order party own other') ->
  xorb (block_flag (distributed_gen_ChildSums_left (input_sums other))) (input_bit other)
  = xorb (block_flag (distributed_gen_ChildSums_left (input_sums other'))) (input_bit other')
  /\ xorb (block_flag (distributed_gen_ChildSums_right (input_sums other))) (input_bit other)
  = xorb (block_flag (distributed_gen_ChildSums_right (input_sums other'))) (input_bit other').
Proof.
  intros h. pose proof (f_equal dpf_Correction_left_flag h) as hl. pose proof (f_equal dpf_Correction_right_flag h) as hr.
  clear h. destruct own as [b [L R]], other as [b_1 [L_1 R_1]], other' as [b_2 [L_2 R_2]].
  destruct party; unfold uncurry, in_order, opened_correction in hl, hr;
    cbn [dpf_Correction_left_flag dpf_Correction_right_flag input_bit input_sums distributed_gen_ChildSums_left
      distributed_gen_ChildSums_right] in *;
    rewrite !flag_ixor in hl, hr;
    destruct b, b_1, b_2, (block_flag L), (block_flag L_1), (block_flag L_2), (block_flag R), (block_flag R_1),
      (block_flag R_2); cbn in *; split; congruence.
Qed.

Lemma level_move_back (held : level_held) (other other' : level_input) (r : level_unknown) :
  level_move held other' other (level_move held other other' r) = r.
Proof.
  destruct other as [b s], other' as [b' s'], r as [x y t]. unfold level_move.
  cbn [input_bit input_sums unknown_x unknown_y unknown_t].
  f_equal; [destruct x, b, b'; reflexivity | |];
    rewrite (ixor_comm (distributed_gen_second_operand s')), ixor_cancel_r; reflexivity.
Qed.
Lemma level_move_drawn (party : share_Primary) (held : level_held) (other other' : level_input) (r : level_unknown) :
  level_drawn party held r -> level_drawn party held (level_move held other other' r).
Proof.
  unfold level_drawn. intros <-. destruct party; unfold dealt, level_move; cbn; f_equal; rewrite iand_ixor_l;
    set (p := iand _ (unknown_y r)); set (q := iand _ _); set (t := unknown_t r); xor_and.
Qed.

(* The same correction, the same view. *)
Lemma level_view_kept (party : share_Primary) (held : level_held) (other other' : level_input) (r : level_unknown) :
  uncurry opened_correction (in_order party (held_input held) other)
    = uncurry opened_correction (in_order party (held_input held) other') ->
  level_drawn party held r ->
  level_view party held other r = level_view party held other' (level_move held other other' r).
Proof.
  intros h d. assert (operands : fst (level_view party held other r)
    = fst (level_view party held other' (level_move held other other' r))).
  { destruct (opened_flags party _ _ _ h) as [hl hr]. rewrite !level_operands_seen, hl, hr. f_equal.
    - destruct other as [b s], other' as [b' s'], r as [x y t]. cbn. destruct b, b', x; reflexivity.
    - unfold level_move. cbn [unknown_y]. set (s := distributed_gen_second_operand (input_sums other)).
      set (s' := distributed_gen_second_operand (input_sums other')). set (y := unknown_y r). xor_and. }
  rewrite (surjective_pairing (level_view party held other r)), (surjective_pairing (level_view party held other' _)).
  rewrite !level_opening_seen by auto using level_move_drawn. rewrite h, operands. reflexivity.
Qed.

(* P0 and P1: whatever a primary holds, its view of a level is distributed the same for all inputs of the other primary,
   bit and child sums, that lead to the same opened correction. *)
Theorem level_view_masked_by_triples (party : share_Primary) (held : level_held) (correction : dpf_Correction) :
  independent_of_secrets
    (fun other => uncurry opened_correction (in_order party (held_input held) other) = correction)
    (fun _ => level_drawn party held) (level_view party held).
Proof.
  apply (independent_by_move _ _ _ (level_move held)).
  - intros other other' r _ _. apply level_move_drawn.
  - intros other other' r _ _ _. apply level_move_back.
  - intros other other' r h h'. apply level_view_kept. congruence.
Qed.

(** * Uniform child sums *)

Lemma opened_correction_comm (input input' : level_input) : opened_correction input input' = opened_correction input' input.
Proof.
  unfold opened_correction.
  rewrite (xorb_comm (input_bit input)), (ixor_comm (distributed_gen_ChildSums_left (input_sums input))),
    (ixor_comm (distributed_gen_ChildSums_right (input_sums input))). reflexivity.
Qed.
Lemma opened_in_order (party : share_Primary) (own other : level_input) :
  uncurry opened_correction (in_order party own other) = opened_correction own other.
Proof. destruct party; [reflexivity | apply opened_correction_comm]. Qed.

(* The other's sums with which the other address bit gives the same correction: L and R change places, and both flags
   change. It is its own inverse. *)
Definition moved_sums (own : distributed_gen_ChildSums) (bit_changes : bool) (other : distributed_gen_ChildSums) :
  distributed_gen_ChildSums :=
  let left := ixor (distributed_gen_ChildSums_left own) (distributed_gen_ChildSums_left other) in
  let right := ixor (distributed_gen_ChildSums_right own) (distributed_gen_ChildSums_right other) in
  if bit_changes then
    mk_distributed_gen_ChildSums
      (ixor (distributed_gen_ChildSums_left own) (block_with_flag right (negb (block_flag left))))
      (ixor (distributed_gen_ChildSums_right own) (block_with_flag left (negb (block_flag right))))
  else other.

Lemma moved_sums_back (own other : distributed_gen_ChildSums) (bit_changes : bool) :
  moved_sums own bit_changes (moved_sums own bit_changes other) = other.
Proof.
  destruct own as [L R], other as [L' R'], bit_changes; [|reflexivity]. unfold moved_sums.
  cbn [distributed_gen_ChildSums_left distributed_gen_ChildSums_right].
  rewrite !ixor_cancel_l, !flag_with_flag, !negb_involutive, !with_flag_twice, !with_flag_same, !ixor_cancel_l. reflexivity.
Qed.
Lemma moved_sums_correction (own other : distributed_gen_ChildSums) (a b a' b' : bool) :
  opened_correction {| input_bit := a; input_sums := own |} {| input_bit := b; input_sums := other |}
  = opened_correction {| input_bit := a'; input_sums := own |}
      {| input_bit := b'; input_sums := moved_sums own (xorb (xorb a b) (xorb a' b')) other |}.
Proof.
  destruct own as [L R], other as [L' R']. unfold opened_correction. cbn [input_bit input_sums].
  destruct (xorb (xorb a b) (xorb a' b')) eqn:change; unfold moved_sums;
    cbn [distributed_gen_ChildSums_left distributed_gen_ChildSums_right];
    rewrite ?ixor_cancel_l, ?flag_with_flag.
  - replace (xorb a' b') with (negb (xorb a b)) by (destruct a, b, a', b'; cbn in *; congruence).
    destruct (xorb a b); cbn [negb]; rewrite clear_flag_with_flag; f_equal;
      repeat match goal with |- context [block_flag ?x] => destruct (block_flag x) end; reflexivity.
  - replace (xorb a' b') with (xorb a b) by (destruct a, b, a', b'; cbn in *; congruence). reflexivity.
Qed.

(* P0 and P1: if the other's child sums are uniform, a primary's view of a level is distributed the same for both values
   of the other's address bit, and so of the address bit. *)
Theorem level_view_private (party : share_Primary) (held : level_held) :
  independent_of_secrets (fun _ : bool => True)
    (fun _ (r : distributed_gen_ChildSums * level_unknown) => level_drawn party held (snd r))
    (fun bit r => level_view party held {| input_bit := bit; input_sums := fst r |} (snd r)).
Proof.
  set (sums bit bit' := moved_sums (input_sums (held_input held)) (xorb bit bit')).
  apply (independent_by_move _ _ _ (fun bit bit' r =>
    (sums bit bit' (fst r), level_move held {| input_bit := bit; input_sums := fst r |}
      {| input_bit := bit'; input_sums := sums bit bit' (fst r) |} (snd r))));
    intros bit bit' [other r] _ _ d; cbn [fst snd] in *.
  - apply level_move_drawn, d.
  - unfold sums. rewrite (xorb_comm bit' bit), moved_sums_back, level_move_back. reflexivity.
  - apply level_view_kept; [|assumption]. rewrite !opened_in_order. unfold sums.
    destruct (held_input held) as [b own]. rewrite (moved_sums_correction own other b bit b bit'). do 2 f_equal.
    cbn [input_sums]. f_equal. destruct b, bit, bit'; reflexivity.
Qed.

(* P2 receives of App. C one key: what it sees of a level is the correction. Given the sums of the party whose key it has
   and uniform sums of the other one, the correction is distributed the same for all shares of the address bit. *)
Theorem level_view_of_helper_private (own : distributed_gen_ChildSums) :
  independent_of_secrets (fun _ : bool * bool => True) (fun _ _ => True)
    (fun bits other => opened_correction {| input_bit := fst bits; input_sums := own |}
      {| input_bit := snd bits; input_sums := other |}).
Proof.
  apply (independent_by_move _ _ _ (fun bits bits' =>
    moved_sums own (xorb (xorb (fst bits) (snd bits)) (xorb (fst bits') (snd bits')))));
    intros [a b] [a' b'] other _ _ _; cbn [fst snd].
  - exact I.
  - rewrite (xorb_comm (xorb a' b')). apply moved_sums_back.
  - apply moved_sums_correction.
Qed.
