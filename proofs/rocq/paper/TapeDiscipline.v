(* What a session draws: each step reads the next words of each tape, as many as is said here, each for one thing, and nothing
   else of the tapes goes into what it sends, answers, holds or leaves; the next step reads on behind them.

   [step_of_draws] is a step as a function of what is drawn, each thing by itself: shares of ri, three roots and three blinds of
   each primary, two deltas, triples for each level of each of three DPFs, blinds of a load, a rho for each READ.
   [step_is_of_its_draws]: the step that runs is this function, of the words that stand next on the tapes. [session_draws]: so for
   a whole session, from its connect. [draws_are_all_words]: what a session draws is in bijection with the words that it reads, so
   that over uniform tapes all that it draws is uniform and independent.

   Idealized: nothing. That tapes are uniform is what is asked of a generator, and no part of this. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection.
From Duoram.core Require Import VectorFacts LabelFacts DrawnWords.
From Duoram.paper Require Import SessionSteps.
From Duoram.Generated Require Import All.

(** * What is drawn, and the words that it is read off *)

(* A primary's for one item: its share of ri, the roots of DPF 1, 2, 3, the blinds of App. D. *)
Definition primary_draws : Type := paper_preprocessing_PrimaryRandomness u64.
Definition primary_parts :
  bijection (@any primary_draws) (@any (u64 * (u128 * (u128 * (u128 * (u64 * (u64 * u64))))))).
Proof.
  refine {|
    forth := fun r =>
      let '(root_1, root_2, root_3) := paper_preprocessing_PrimaryRandomness_roots r in
      let '(blind_1, blind_2, blind_3) := paper_preprocessing_PrimaryRandomness_blinds r in
      (paper_preprocessing_PrimaryRandomness_random_index_xor r,
        (root_1, (root_2, (root_3, (blind_1, (blind_2, blind_3))))));
    back := fun '(index, (root_1, (root_2, (root_3, (blind_1, (blind_2, blind_3)))))) =>
      mk_paper_preprocessing_PrimaryRandomness index (root_1, root_2, root_3) (blind_1, blind_2, blind_3) |};
    try (intros; exact I).
  - intros [i [[a b] c] [[x y] z]] _. reflexivity.
  - intros [i [a [b [c [x [y z]]]]]] _. reflexivity.
Defined.
Definition primary_read_off : read_off (@any primary_draws) 10 :=
  renamed primary_parts (both word_read_off (both block_read_off (both block_read_off (both block_read_off
    (both word_read_off (both word_read_off word_read_off)))))).

(* P0's for an UPDATE's item: delta of DPF 2 and of DPF 3 as well. *)
Definition update_draws : Type := primary_draws * (u64 * u64).
Definition update_read_off : read_off (@any update_draws) 12 := both primary_read_off (both word_read_off word_read_off).

(* P2's for a level: a word of which two bits are X_0 and X_1, and Y_0, Y_1, T. *)
Definition level_draws : Type := u64 * (u128 * (u128 * u128)).
Definition level_read_off : read_off (@any level_draws) 7 :=
  both word_read_off (both block_read_off (both block_read_off block_read_off)).

Definition level_triples (level : level_draws) : du_atallah_AndTriple * du_atallah_AndTriple :=
  let '(bits, (y_0, (y_1, t))) := level in
  du_atallah_and_triples (block_replicate (bit bits 0)) (block_replicate (bit bits 1)) y_0 y_1 t.

(* P2's for a DPF: its levels', and X_0, X_1, Y_0, Y_1, T of a product. *)
Definition dpf_draws : Type := list level_draws * (u64 * (u64 * (u64 * (u64 * u64)))).
Definition product_read_off : read_off (@any (u64 * (u64 * (u64 * (u64 * u64))))) 5 :=
  both word_read_off (both word_read_off (both word_read_off (both word_read_off word_read_off))).
Definition of_levels (levels : nat) (dpf : dpf_draws) : Prop := length (fst dpf) = levels.
Definition dpf_read_off (levels : nat) : read_off (of_levels levels) (levels * 7 + 5).
Proof.
  refine (restated (pair_read_off (list_read_off level_read_off levels) product_read_off) _).
  intros [l rest]. unfold of_levels, any. cbn. rewrite Forall_forall. tauto.
Defined.

Definition triples_of (dpf : dpf_draws) : paper_preprocessing_DpfTriples u64 :=
  let '(levels, (x_0, (x_1, (y_0, (y_1, t))))) := dpf in
  mk_paper_preprocessing_DpfTriples (map (fun level => fst (level_triples level)) levels)
    (map (fun level => snd (level_triples level)) levels)
    (fst (du_atallah_product_triples x_0 x_1 y_0 y_1 t)) (snd (du_atallah_product_triples x_0 x_1 y_0 y_1 t)).

(* P2's for an item: of DPF 1, of DPF 2, of DPF 3. *)
Definition dealt_draws : Type := dpf_draws * (dpf_draws * dpf_draws).
Definition dealt_of_levels (levels : nat) (dealt : dealt_draws) : Prop :=
  of_levels levels (fst dealt) /\ of_levels levels (fst (snd dealt)) /\ of_levels levels (snd (snd dealt)).
Definition dealt_words (levels : nat) : nat := (levels * 7 + 5) + ((levels * 7 + 5) + (levels * 7 + 5)).
Definition dealt_read_off (levels : nat) : read_off (dealt_of_levels levels) (dealt_words levels).
Proof.
  refine (restated (pair_read_off (dpf_read_off levels) (pair_read_off (dpf_read_off levels) (dpf_read_off levels))) _).
  intros [a [b c]]. unfold dealt_of_levels. cbn. tauto.
Defined.

(** * A DPF and an item as functions of what is drawn *)

Section Item.
  Context (prg : prg_AesPrg) (h : u64).

  (* App. C from the bits of ri, two roots and the AND triples; App. D from its leaves, two blinds and the product triple. *)
  Definition dpf_of_draws (index_0 index_1 : u64) (root_0 root_1 : u128) (blind_0 blind_1 : u64) (dealt : dpf_draws) :
    paper_preprocessing_Dpf u64 :=
    let triples := triples_of dealt in
    let generation := distributed_gen_distributed_generation prg
      (mk_distributed_gen_Input (dpf_address_bits index_0 h) root_0 (paper_preprocessing_DpfTriples_and_0 triples))
      (mk_distributed_gen_Input (dpf_address_bits index_1 h) root_1 (paper_preprocessing_DpfTriples_and_1 triples)) in
    mk_paper_preprocessing_Dpf generation (paper_conversion_conversion
      (mk_paper_conversion_Input (distributed_gen_Generation_labels_0 generation) blind_0
        (paper_preprocessing_DpfTriples_product_0 triples))
      (mk_paper_conversion_Input (distributed_gen_Generation_labels_1 generation) blind_1
        (paper_preprocessing_DpfTriples_product_1 triples))).

  (* Three DPFs with one target: of everything else each has its own. *)
  Definition item_of_draws (draws : primary_draws * (primary_draws * dealt_draws)) : paper_preprocessing_Item u64 :=
    let '(p0, (p1, (dealt_1, (dealt_2, dealt_3)))) := draws in
    let '(root_0_1, root_0_2, root_0_3) := paper_preprocessing_PrimaryRandomness_roots p0 in
    let '(root_1_1, root_1_2, root_1_3) := paper_preprocessing_PrimaryRandomness_roots p1 in
    let '(blind_0_1, blind_0_2, blind_0_3) := paper_preprocessing_PrimaryRandomness_blinds p0 in
    let '(blind_1_1, blind_1_2, blind_1_3) := paper_preprocessing_PrimaryRandomness_blinds p1 in
    let dpf := dpf_of_draws (paper_preprocessing_PrimaryRandomness_random_index_xor p0)
      (paper_preprocessing_PrimaryRandomness_random_index_xor p1) in
    mk_paper_preprocessing_Item (dpf root_0_1 root_1_1 blind_0_1 blind_1_1 dealt_1)
      (dpf root_0_2 root_1_2 blind_0_2 blind_1_2 dealt_2) (dpf root_0_3 root_1_3 blind_0_3 blind_1_3 dealt_3).

  Definition dealt_of_draws (draws : primary_draws * (primary_draws * dealt_draws)) : list (paper_preprocessing_DpfTriples u64) :=
    let '(_, (_, (dealt_1, (dealt_2, dealt_3)))) := draws in [triples_of dealt_1; triples_of dealt_2; triples_of dealt_3].
End Item.

(** * What stands next on a tape *)

(* [l] are the words that the tape goes on with; no place has a number beyond 64 bits. *)
Definition next_words (tape : paper_tape_Tape) (l : list u64) : Prop :=
  stands (paper_tape_Tape_words tape) (nat_of (paper_tape_Tape_position tape)) l /\
  Z.of_nat (nat_of (paper_tape_Tape_position tape) + length l) < 2 ^ 64.

Lemma peek_next tape l i w : next_words tape l -> nth_error l (nat_of i) = Some w -> paper_tape_peek tape i = w.
Proof.
  intros [hs hb] e. unfold paper_tape_peek. rewrite vector_at_nth.
  assert (hi : (nat_of i < length l)%nat) by (apply nth_error_Some; congruence).
  replace (nat_of (wadd (paper_tape_Tape_position tape) i)) with (nat_of (paper_tape_Tape_position tape) + nat_of i)%nat.
  - apply (stands_nth _ _ l); assumption.
  - apply Nat2Z.inj. rewrite Nat2Z.inj_add, !Z_nat_of, val_wadd, Z.mod_small; [reflexivity|].
    pose proof (Z_nat_of i). pose proof (Z_nat_of (paper_tape_Tape_position tape)).
    pose proof (val_bounds i). pose proof (val_bounds (paper_tape_Tape_position tape)). lia.
Qed.

Lemma peek_block_next tape l i x : next_words tape l -> nth_error l (nat_of i) = Some (block_low_half x) ->
  nth_error l (nat_of (wadd i (repr 64 1))) = Some (block_high_half x) -> paper_tape_peek_block tape i = x.
Proof.
  intros hl low high. unfold paper_tape_peek_block.
  rewrite (peek_next tape l i _ hl low), (peek_next tape l _ _ hl high). apply block_of_halves_of.
Qed.

Lemma next_part tape a b c : next_words tape (a ++ b ++ c) -> next_words (paper_tape_advance tape (of_nat (length a))) b.
Proof.
  intros [hs hb]. rewrite !app_length in hb. unfold next_words. cbn [paper_tape_advance paper_tape_Tape_words paper_tape_Tape_position].
  assert (e : nat_of (wadd (paper_tape_Tape_position tape) (of_nat (length a)))
    = (nat_of (paper_tape_Tape_position tape) + length a)%nat).
  { apply Nat2Z.inj. rewrite Nat2Z.inj_add, !Z_nat_of, val_wadd, val_of_nat, Z.mod_small; try lia;
    pose proof (Z_nat_of (paper_tape_Tape_position tape)); pose proof (val_bounds (paper_tape_Tape_position tape)); lia. }
  rewrite e. split; [|lia]. apply (stands_part _ _ a b c hs).
Qed.
Lemma advance_none tape : paper_tape_advance tape (repr 64 0) = tape.
Proof.
  destruct tape as [words p]. unfold paper_tape_advance. cbn [paper_tape_Tape_words paper_tape_Tape_position]. f_equal. ring.
Qed.
Lemma next_first tape a c : next_words tape (a ++ c) -> next_words tape a.
Proof.
  intros h. apply (next_part tape [] a c) in h. rewrite <- (advance_none tape). exact h.
Qed.
Lemma next_rest tape a b : next_words tape (a ++ b) -> next_words (paper_tape_advance tape (of_nat (length a))) b.
Proof. intros h. apply (next_part tape a b []). rewrite app_nil_r. exact h. Qed.

Lemma peek_advanced tape a i : paper_tape_peek (paper_tape_advance tape a) i = paper_tape_peek tape (wadd a i).
Proof. unfold paper_tape_peek. cbn. f_equal. ring. Qed.
Lemma peek_block_advanced tape a i : paper_tape_peek_block (paper_tape_advance tape a) i = paper_tape_peek_block tape (wadd a i).
Proof. unfold paper_tape_peek_block. rewrite !peek_advanced. do 2 f_equal. ring. Qed.
Lemma advance_advanced tape a b : paper_tape_advance (paper_tape_advance tape a) b = paper_tape_advance tape (wadd a b).
Proof. unfold paper_tape_advance. cbn. f_equal. ring. Qed.

(** * Each structure, read off the words that stand next *)

Lemma primary_next tape (r : primary_draws) : next_words tape (forth primary_read_off r) ->
  paper_tape_primary_randomness tape = r.
Proof.
  destruct r as [i [[a b] c] [[x y] z]]. intros hl.
  unfold paper_tape_primary_randomness.
  rewrite (peek_next tape _ (repr 64 0) i hl eq_refl), (peek_block_next tape _ (repr 64 1) a hl eq_refl eq_refl),
    (peek_block_next tape _ (repr 64 3) b hl eq_refl eq_refl), (peek_block_next tape _ (repr 64 5) c hl eq_refl eq_refl),
    (peek_next tape _ (repr 64 7) x hl eq_refl), (peek_next tape _ (repr 64 8) y hl eq_refl),
    (peek_next tape _ (repr 64 9) z hl eq_refl). reflexivity.
Qed.

Lemma deltas_next tape (r : primary_draws) (delta_2 delta_3 : u64) : next_words tape (forth update_read_off (r, (delta_2, delta_3))) ->
  (paper_tape_peek tape (repr 64 10), paper_tape_peek tape (repr 64 11)) = (delta_2, delta_3).
Proof.
  destruct r as [i [[a b] c] [[x y] z]]. intros hl.
  rewrite (peek_next tape _ (repr 64 10) delta_2 hl eq_refl), (peek_next tape _ (repr 64 11) delta_3 hl eq_refl). reflexivity.
Qed.

(* A level's triples, off the seven words that stand next. *)
Lemma level_next tape (level : level_draws) : next_words tape (forth level_read_off level) ->
  du_atallah_and_triples
    (block_replicate (ieqb (iand (paper_tape_peek tape (repr 64 0)) (repr 64 1)) (repr 64 1)))
    (block_replicate (ieqb (iand (wshr (paper_tape_peek tape (repr 64 0)) (repr 32 1)) (repr 64 1)) (repr 64 1)))
    (paper_tape_peek_block tape (repr 64 1)) (paper_tape_peek_block tape (repr 64 3)) (paper_tape_peek_block tape (repr 64 5))
  = level_triples level.
Proof.
  destruct level as [bits [y_0 [y_1 t]]]. intros hl.
  rewrite (peek_next tape _ (repr 64 0) bits hl eq_refl), (peek_block_next tape _ (repr 64 1) y_0 hl eq_refl eq_refl),
    (peek_block_next tape _ (repr 64 3) y_1 hl eq_refl eq_refl), (peek_block_next tape _ (repr 64 5) t hl eq_refl eq_refl).
  unfold level_triples. rewrite !ieqb_iand_1 by reflexivity. rewrite bit_wshr; [reflexivity | reflexivity | split; [discriminate | reflexivity]].
Qed.

Lemma of_nat_val (x : u64) (n : nat) : val x = Z.of_nat n -> x = of_nat n.
Proof. intros e. rewrite <- (repr_val x), e. reflexivity. Qed.

Lemma dpf_next tape (h : u64) (dpf : dpf_draws) : of_levels (nat_of h) dpf ->
  next_words tape (forth (dpf_read_off (nat_of h)) dpf) -> paper_tape_dpf_triples tape h = triples_of dpf.
Proof.
  destruct dpf as [levels [x_0 [x_1 [y_0 [y_1 t]]]]]. intros hn hl. unfold of_levels in hn. cbn [fst] in hn.
  change (forth (dpf_read_off (nat_of h)) _) with (flat_map (forth level_read_off) levels ++ [x_0; x_1; y_0; y_1; t]) in hl.
  assert (all : Forall (fun level => length (forth level_read_off level) = 7%nat) levels).
  { apply Forall_forall. intros level _. apply (forth_drawn level_read_off). exact I. }
  assert (hlen : length (flat_map (forth level_read_off) levels) = (nat_of h * 7)%nat).
  { rewrite (flat_map_length_const _ 7) by exact all. congruence. }
  assert (product : forall i k w, i = of_nat k -> nth_error [x_0; x_1; y_0; y_1; t] k = Some w ->
    paper_tape_peek tape (wadd (wmul h (repr 64 7)) i) = w).
  { intros i k w -> e. apply next_rest in hl. rewrite hlen, of_nat_mul, of_nat_nat_of in hl. change (of_nat 7) with (repr 64 7) in hl.
    rewrite <- peek_advanced. apply (peek_next _ _ _ _ hl).
    assert (k < 5)%nat by (change 5%nat with (length [x_0; x_1; y_0; y_1; t]); apply nth_error_Some; congruence).
    rewrite nat_of_of_nat by lia. exact e. }
  assert (each : forall T (g : _ -> T), map (fun l => g (du_atallah_and_triples
      (block_replicate (ieqb (iand (paper_tape_peek tape (wmul l (repr 64 7))) (repr 64 1)) (repr 64 1)))
      (block_replicate (ieqb (iand (wshr (paper_tape_peek tape (wmul l (repr 64 7))) (repr 32 1)) (repr 64 1)) (repr 64 1)))
      (paper_tape_peek_block tape (wadd (wmul l (repr 64 7)) (repr 64 1)))
      (paper_tape_peek_block tape (wadd (wmul l (repr 64 7)) (repr 64 3)))
      (paper_tape_peek_block tape (wadd (wmul l (repr 64 7)) (repr 64 5))))) (range (repr 64 0) h)
    = map (fun level => g (level_triples level)) levels).
  { intros T g. set (d := (repr 64 0, (repr 128 0, (repr 128 0, repr 128 0))) : level_draws).
    apply (list_ext (g (level_triples d))); rewrite map_range_0_length, ?map_length; [congruence|].
    intros k hk. rewrite nth_map_range_0 by assumption. rewrite (nth_map _ _ _ d) by lia. f_equal.
    rewrite (flat_map_around (forth level_read_off) levels k d), <- !app_assoc in hl by lia.
    apply next_part in hl. rewrite (flat_map_firstn_length _ 7) in hl by (exact all || lia).
    rewrite of_nat_mul in hl. change (of_nat 7) with (repr 64 7) in hl. apply level_next in hl.
    rewrite <- hl, !peek_advanced, !peek_block_advanced.
    replace (wadd (wmul (of_nat k) (repr 64 7)) (repr 64 0)) with (wmul (of_nat k) (repr 64 7)) by ring. reflexivity. }
  unfold paper_tape_dpf_triples, triples_of. cbv zeta. rewrite !each.
  rewrite !(product (repr 64 0) 0%nat x_0 eq_refl eq_refl), !(product (repr 64 1) 1%nat x_1 eq_refl eq_refl),
    !(product (repr 64 2) 2%nat y_0 eq_refl eq_refl), !(product (repr 64 3) 3%nat y_1 eq_refl eq_refl),
    !(product (repr 64 4) 4%nat t eq_refl eq_refl). reflexivity.
Qed.

(** * A batch *)

(* Where P0's words of an item begin. *)
Lemma offset_of_read (r k : nat) : (k < r)%nat -> Z.of_nat r < 2 ^ 64 ->
  paper_session_item_offset_0 (of_nat k) (of_nat r) = of_nat (k * 10).
Proof.
  intros hk hr. unfold paper_session_item_offset_0.
  replace (iltb (of_nat k) (of_nat r)) with true by (symmetry; apply iltb_lt; rewrite !val_of_nat by lia; lia).
  cbv zeta. change paper_tape_PRIMARY_WORDS with (of_nat 10). rewrite of_nat_mul. ring.
Qed.
Lemma offset_of_update (r m : nat) : Z.of_nat (r + m) < 2 ^ 64 ->
  paper_session_item_offset_0 (of_nat (r + m)) (of_nat r) = of_nat (r * 10 + m * 12).
Proof.
  intros hr. unfold paper_session_item_offset_0.
  replace (iltb (of_nat (r + m)) (of_nat r)) with false.
  - cbv zeta. change paper_tape_PRIMARY_WORDS with (repr 64 10). rewrite !of_nat_add, !of_nat_mul.
    change (of_nat 10) with (repr 64 10). change (of_nat 12) with (repr 64 12). ring.
  - symmetry. apply not_true_iff_false. rewrite iltb_lt, !val_of_nat by lia. lia.
Qed.

Section Batch.
  Context (session : paper_session_Session).
  Let h : u64 := paper_session_Session_log_size session.
  Let prg : prg_AesPrg := paper_session_Session_prg session.

  (* What each party draws for a batch. *)
  Context (reads_0 : list primary_draws) (updates_0 : list update_draws) (items_1 : list primary_draws)
    (dealt : list dealt_draws).
  Let r : nat := length reads_0.
  Let u : nat := length updates_0.
  Context (as_many_1 : length items_1 = (r + u)%nat) (as_many_2 : length dealt = (r + u)%nat)
    (levels : Forall (dealt_of_levels (nat_of h)) dealt).

  Definition words_0 : list u64 :=
    flat_map (forth primary_read_off) reads_0 ++ flat_map (forth update_read_off) updates_0.
  Definition words_1 : list u64 := flat_map (forth primary_read_off) items_1.
  Definition words_2 : list u64 := flat_map (forth (dealt_read_off (nat_of h))) dealt.

  Context (stand_0 : next_words (paper_session_Session_tape_0 session) words_0)
    (stand_1 : next_words (paper_session_Session_tape_1 session) words_1)
    (stand_2 : next_words (paper_session_Session_tape_2 session) words_2).

  Let all_primary (l : list primary_draws) : Forall (fun x => length (forth primary_read_off x) = 10%nat) l.
  Proof. apply Forall_forall. intros x _. apply (forth_drawn primary_read_off x). exact I. Qed.
  Let all_update (l : list update_draws) : Forall (fun x => length (forth update_read_off x) = 12%nat) l.
  Proof. apply Forall_forall. intros x _. apply (forth_drawn update_read_off x). exact I. Qed.
  Let all_dealt : Forall (fun x => length (forth (dealt_read_off (nat_of h)) x) = dealt_words (nat_of h)) dealt.
  Proof. revert levels. apply Forall_impl. apply (forth_drawn (dealt_read_off (nat_of h))). Qed.

  Lemma length_0 : length words_0 = (r * 10 + u * 12)%nat.
  Proof.
    unfold words_0. rewrite app_length, (flat_map_length_const _ 10), (flat_map_length_const _ 12) by auto. reflexivity.
  Qed.
  Lemma length_1 : length words_1 = ((r + u) * 10)%nat.
  Proof. unfold words_1. rewrite (flat_map_length_const _ 10) by auto. congruence. Qed.
  Lemma length_2 : length words_2 = ((r + u) * dealt_words (nat_of h))%nat.
  Proof. unfold words_2. rewrite (flat_map_length_const _ _ _ all_dealt). congruence. Qed.

  Let few : Z.of_nat (r + u) < 2 ^ 64.
  Proof. destruct stand_1 as [_ b]. rewrite length_1 in b. lia. Qed.

  Let nobody : primary_draws := mk_paper_preprocessing_PrimaryRandomness (repr 64 0) (repr 128 0, repr 128 0, repr 128 0)
    (repr 64 0, repr 64 0, repr 64 0).
  Let no_update : update_draws := (nobody, (repr 64 0, repr 64 0)).
  Let no_dpf : dpf_draws := ([], (repr 64 0, (repr 64 0, (repr 64 0, (repr 64 0, repr 64 0))))).
  Let none_dealt : dealt_draws := (no_dpf, (no_dpf, no_dpf)).

  (* P0's words of UPDATE item m stand behind those of all READ items and of m UPDATE items. *)
  Lemma update_stands (m : nat) : (m < u)%nat ->
    next_words (paper_tape_advance (paper_session_Session_tape_0 session) (paper_session_item_offset_0 (of_nat (r + m)) (of_nat r)))
      (forth update_read_off (nth m updates_0 no_update)).
  Proof.
    intros hm. rewrite offset_of_update by lia. pose proof stand_0 as s. unfold words_0 in s.
    rewrite (flat_map_around (forth update_read_off) updates_0 m no_update hm), app_assoc in s. apply next_part in s.
    rewrite app_length, (flat_map_length_const _ 10), (flat_map_firstn_length _ 12) in s by (auto || lia). exact s.
  Qed.

  Lemma primary_0_drawn (k : nat) : (k < r + u)%nat ->
    paper_tape_primary_randomness (paper_tape_advance (paper_session_Session_tape_0 session)
      (paper_session_item_offset_0 (of_nat k) (of_nat r)))
    = nth k (reads_0 ++ map fst updates_0) nobody.
  Proof.
    intros hk. destruct (le_lt_dec r k) as [late|early].
    - replace k with (r + (k - r))%nat by lia. set (m := (k - r)%nat). assert (hm : (m < u)%nat) by lia.
      pose proof (update_stands m hm) as s. rewrite app_nth2 by (fold r; lia). fold r.
      replace (r + m - r)%nat with m by lia. rewrite (nth_map _ _ m no_update) by exact hm.
      destruct (nth m updates_0 no_update) as [p [delta_2 delta_3]]. apply primary_next. apply (next_first _ _ _ s).
    - rewrite offset_of_read by lia. rewrite app_nth1 by exact early. apply primary_next.
      pose proof stand_0 as s. unfold words_0 in s.
      rewrite (flat_map_around (forth primary_read_off) reads_0 k nobody early), <- !app_assoc in s. apply next_part in s.
      rewrite (flat_map_firstn_length _ 10) in s by (auto || (fold r; lia)). exact s.
  Qed.

  Lemma deltas_drawn (m : nat) : (m < u)%nat ->
    paper_session_item_deltas session (of_nat (r + m)) (of_nat r) = snd (nth m updates_0 no_update).
  Proof.
    intros hm. pose proof (update_stands m hm) as s. unfold paper_session_item_deltas. cbv zeta.
    destruct (nth m updates_0 no_update) as [p [delta_2 delta_3]]. cbn [snd]. apply deltas_next in s.
    rewrite <- s, !peek_advanced. change paper_tape_PRIMARY_WORDS with (repr 64 10). do 2 f_equal. ring.
  Qed.

  Lemma primary_1_drawn (k : nat) : (k < r + u)%nat ->
    paper_tape_primary_randomness (paper_tape_advance (paper_session_Session_tape_1 session) (wmul (of_nat k) paper_tape_PRIMARY_WORDS))
    = nth k items_1 nobody.
  Proof.
    intros hk. change paper_tape_PRIMARY_WORDS with (of_nat 10). rewrite <- of_nat_mul. apply primary_next.
    pose proof stand_1 as s. unfold words_1 in s.
    rewrite (flat_map_around (forth primary_read_off) items_1 k nobody) in s by lia. apply next_part in s.
    rewrite (flat_map_firstn_length _ 10) in s by (auto || lia). exact s.
  Qed.

  Lemma triples_drawn (k : nat) : (k < r + u)%nat ->
    let triples := fun number => paper_tape_dpf_triples (paper_tape_advance (paper_session_Session_tape_2 session)
      (wmul (wadd (wmul (of_nat k) (repr 64 3)) number) (paper_tape_triple_words h))) h in
    [triples (repr 64 0); triples (repr 64 1); triples (repr 64 2)]
    = let '(dealt_1, (dealt_2, dealt_3)) := nth k dealt none_dealt in
      [triples_of dealt_1; triples_of dealt_2; triples_of dealt_3].
  Proof.
    intros hk triples. pose proof stand_2 as s. unfold words_2 in s.
    rewrite (flat_map_around _ dealt k none_dealt) in s by lia. apply next_part in s.
    rewrite (flat_map_firstn_length _ _ _ _ all_dealt) in s by lia.
    assert (hl : dealt_of_levels (nat_of h) (nth k dealt none_dealt)).
    { rewrite Forall_forall in levels. apply levels, nth_In. lia. }
    destruct (nth k dealt none_dealt) as [dealt_1 [dealt_2 dealt_3]].
    destruct hl as (l_1 & l_2 & l_3). cbn [fst snd] in l_1, l_2, l_3.
    set (w := forth (dpf_read_off (nat_of h))) in *.
    change (forth (dealt_read_off (nat_of h)) (dealt_1, (dealt_2, dealt_3))) with (w dealt_1 ++ (w dealt_2 ++ w dealt_3)) in s.
    assert (e : forall dpf, of_levels (nat_of h) dpf -> length (w dpf) = (nat_of h * 7 + 5)%nat)
      by (intros dpf hd; apply (forth_drawn (dpf_read_off (nat_of h)) dpf hd)).
    assert (t : paper_tape_triple_words h = of_nat (nat_of h * 7 + 5)).
    { unfold paper_tape_triple_words. rewrite of_nat_add, of_nat_mul, of_nat_nat_of. reflexivity. }
    assert (place : forall j, wmul (wadd (wmul (of_nat k) (repr 64 3)) (of_nat j)) (paper_tape_triple_words h)
      = wadd (of_nat (k * dealt_words (nat_of h))) (of_nat (j * (nat_of h * 7 + 5)))).
    { intros j. rewrite t, <- of_nat_add. change (repr 64 3) with (of_nat 3).
      rewrite <- of_nat_mul, <- of_nat_add, <- of_nat_mul. f_equal. unfold dealt_words. lia. }
    assert (at_ : forall j dpf before after, w dealt_1 ++ (w dealt_2 ++ w dealt_3) = before ++ w dpf ++ after ->
      length before = (j * (nat_of h * 7 + 5))%nat -> of_levels (nat_of h) dpf ->
      triples (of_nat j) = triples_of dpf).
    { intros j dpf before after split lb hd. unfold triples. rewrite place, <- advance_advanced, <- lb.
      apply dpf_next; [exact hd|].
      rewrite split in s. exact (next_part _ before _ after s). }
    change (repr 64 0) with (of_nat 0). change (repr 64 1) with (of_nat 1). change (repr 64 2) with (of_nat 2).
    rewrite (at_ 0%nat dealt_1 [] (w dealt_2 ++ w dealt_3) eq_refl eq_refl l_1).
    rewrite (at_ 1%nat dealt_2 (w dealt_1) (w dealt_3) eq_refl) by (rewrite ?e by assumption; auto || lia).
    rewrite (at_ 2%nat dealt_3 (w dealt_1 ++ w dealt_2) []) by
      (rewrite ?app_length, ?e, ?app_nil_r, ?app_assoc by assumption; auto || lia).
    reflexivity.
  Qed.

  (* All that is drawn for the items of the batch, item by item. *)
  Definition drawn_items : list (primary_draws * (primary_draws * dealt_draws)) :=
    combine (reads_0 ++ map fst updates_0) (combine items_1 dealt).

  Lemma items_are_of_draws :
    map (fun j => paper_session_prepare_item session j (of_nat r)) (range (repr 64 0) (of_nat (r + u)))
    = map (fun draws => (item_of_draws prg h draws, dealt_of_draws draws)) drawn_items.
  Proof.
    set (nothing := (nobody, (nobody, none_dealt))).
    assert (l_0 : length (reads_0 ++ map fst updates_0) = (r + u)%nat) by (rewrite app_length, map_length; reflexivity).
    apply (list_ext (item_of_draws prg h nothing, dealt_of_draws nothing)).
    - unfold drawn_items. rewrite map_range_0_length, nat_of_of_nat by exact few.
      rewrite map_length, !combine_length, l_0, as_many_1, as_many_2. lia.
    - rewrite map_range_0_length, nat_of_of_nat by exact few. intros k hk.
      rewrite nth_map_range_0 by (rewrite nat_of_of_nat by exact few; exact hk).
      rewrite (nth_map _ _ k nothing)
        by (unfold drawn_items; rewrite !combine_length, l_0, as_many_1, as_many_2; lia).
      unfold drawn_items, nothing.
      rewrite combine_nth by (rewrite combine_length, l_0, as_many_1, as_many_2; lia).
      rewrite combine_nth by congruence.
      unfold paper_session_prepare_item. cbv zeta.
      rewrite primary_0_drawn, primary_1_drawn by exact hk.
      pose proof (triples_drawn k hk) as t. cbv zeta in t. fold h.
      destruct (nth k dealt none_dealt) as [dealt_1 [dealt_2 dealt_3]].
      injection t as t_1 t_2 t_3. rewrite t_1, t_2, t_3. unfold item_of_draws, dealt_of_draws, paper_preprocessing_prepare.
      destruct (nth k (reads_0 ++ map fst updates_0) nobody) as [i_0 [[a_0 b_0] c_0] [[x_0 y_0] z_0]].
      destruct (nth k items_1 nobody) as [i_1 [[a_1 b_1] c_1] [[x_1 y_1] z_1]]. reflexivity.
  Qed.

  Lemma deltas_are_of_draws :
    map (fun j => paper_session_item_deltas session j (of_nat r)) (range (of_nat r) (of_nat (r + u))) = map snd updates_0.
  Proof.
    assert (l : length (range (of_nat r) (of_nat (r + u))) = u).
    { rewrite range_length, !nat_of_of_nat by lia. lia. }
    apply (list_ext (snd no_update)); rewrite !map_length, l; [reflexivity|]. intros m hm.
    rewrite (nth_map _ _ m (repr 64 0)) by (rewrite l; exact hm). rewrite (nth_map _ _ m no_update) by exact hm.
    rewrite nth_range by (rewrite !nat_of_of_nat by lia; lia). rewrite val_of_nat by lia.
    rewrite <- Nat2Z.inj_add. change (repr 64 (Z.of_nat (r + m))) with (of_nat (r + m)). apply deltas_drawn, hm.
  Qed.
End Batch.

(** * Every step *)

(* What a step draws. *)
Inductive step_draws : Type :=
  | load_draws (blind_0 blind_1 : list u64)
  | batch_draws (reads_0 : list primary_draws) (updates_0 : list update_draws) (items_1 : list primary_draws) (dealt : list dealt_draws)
  | mask_draws (masks : list u64)
  | no_draws.

(* A load draws two words for each of the memory's, a batch what each item takes, a READ a word for each query. *)
Definition fits (h : u64) (step : session_step) (draws : step_draws) : Prop :=
  match step, draws with
  | step_load memory_share_0 _, load_draws blind_0 blind_1 =>
      length blind_0 = length memory_share_0 /\ length blind_1 = length memory_share_0
  | step_preprocess reads updates, batch_draws reads_0 updates_0 items_1 dealt =>
      length reads_0 = nat_of reads /\ length updates_0 = nat_of updates /\
      length items_1 = (nat_of reads + nat_of updates)%nat /\
      length dealt = (nat_of reads + nat_of updates)%nat /\ Forall (dealt_of_levels (nat_of h)) dealt
  | step_reads addresses, mask_draws masks => length masks = length addresses
  | step_write _, mask_draws masks => length masks = 1%nat
  | step_updates _, no_draws => True
  | _, _ => False
  end.

(* The words of P0's, P1's and P2's tape that it is read off. *)
Definition drawn_0 (draws : step_draws) : list u64 :=
  match draws with load_draws blind_0 _ => blind_0 | batch_draws reads_0 updates_0 _ _ => words_0 reads_0 updates_0 | _ => [] end.
Definition drawn_1 (draws : step_draws) : list u64 :=
  match draws with load_draws _ blind_1 => blind_1 | batch_draws _ _ items_1 _ => words_1 items_1 | _ => [] end.
Definition drawn_2 (h : u64) (draws : step_draws) : list u64 :=
  match draws with
  | batch_draws _ _ _ dealt => flat_map (forth (dealt_read_off (nat_of h))) dealt
  | mask_draws masks => masks
  | _ => []
  end.

Definition without_tapes (session : paper_session_Session) : paper_session_Session :=
  mk_paper_session_Session (paper_session_Session_log_size session) (paper_session_Session_prg session)
    (paper_tape_tape []) (paper_tape_tape []) (paper_tape_tape []) (paper_session_Session_state session)
    (paper_session_Session_reads session) (paper_session_Session_updates session) (paper_session_Session_operation session).
Definition with_tapes (tape_0 tape_1 tape_2 : paper_tape_Tape) (step : paper_session_Step) : paper_session_Step :=
  let session := paper_session_Step_session step in
  mk_paper_session_Step
    (mk_paper_session_Session (paper_session_Session_log_size session) (paper_session_Session_prg session) tape_0 tape_1 tape_2
      (paper_session_Session_state session) (paper_session_Session_reads session) (paper_session_Session_updates session)
      (paper_session_Session_operation session))
    (paper_session_Step_sent step) (paper_session_Step_results step).

Section Steps.
  Context (session : paper_session_Session).
  Let h : u64 := paper_session_Session_log_size session.
  Let tape_0 := paper_session_Session_tape_0 session.
  Let tape_1 := paper_session_Session_tape_1 session.
  Let tape_2 := paper_session_Session_tape_2 session.

  Definition step_with (state : paper_memory_State u64) (reads : list paper_session_PreparedRead)
    (updates : list paper_session_PreparedUpdate) (sent : list paper_session_Sent) (results : list (u64 * u64)) : paper_session_Step :=
    mk_paper_session_Step
      (mk_paper_session_Session h (paper_session_Session_prg session) tape_0 tape_1 tape_2 state reads updates
        (wadd (paper_session_Session_operation session) (repr 64 1)))
      sent results.

  (* A load, from two blinds. *)
  Definition load_of_draws (memory_share_0 memory_share_1 blind_0 blind_1 : list u64) : paper_session_Step :=
    let state := paper_memory_shared memory_share_0 memory_share_1 blind_0 blind_1 in
    let chunks := paper_session_chunks (paper_session_Session_operation session) in
    step_with state (paper_session_Session_reads session) (paper_session_Session_updates session)
      (chunks (repr 8 2) (repr 8 0) (repr 8 1) (paper_memory_PrimaryState_blinded (paper_memory_State_p1 state)) ++
       chunks (repr 8 3) (repr 8 0) (repr 8 2) blind_0 ++
       chunks (repr 8 2) (repr 8 1) (repr 8 0) (paper_memory_PrimaryState_blinded (paper_memory_State_p0 state)) ++
       chunks (repr 8 3) (repr 8 1) (repr 8 2) blind_1) [].

  (* A batch: each item of its own draws, and each UPDATE item with its own two deltas. *)
  Definition batch_of_draws (reads_0 : list primary_draws) (updates_0 : list update_draws) (items_1 : list primary_draws)
    (dealt : list dealt_draws) : paper_session_Step :=
    let draws := drawn_items reads_0 updates_0 items_1 dealt in
    let items := map (item_of_draws (paper_session_Session_prg session) h) draws in
    let made := fun item => (item, paper_preprocessing_random_index_shares item) in
    let new_reads := map (fun item => mk_paper_session_PreparedRead (paper_preprocessing_unit_vectors item)
      (paper_preprocessing_random_index_shares item)) (firstn (length reads_0) items) in
    let new_updates := map (fun '(item, (delta_2, delta_3)) =>
      mk_paper_session_PreparedUpdate (paper_preprocessing_update_material item delta_2 delta_3)
        (paper_preprocessing_random_index_shares item)) (combine (skipn (length reads_0) items) (map snd updates_0)) in
    step_with (paper_session_Session_state session) (paper_session_Session_reads session ++ new_reads)
      (paper_session_Session_updates session ++ new_updates)
      (paper_session_batch_messages session items (flat_map dealt_of_draws draws)
        (flat_map (fun '(_, (delta_2, delta_3)) => [delta_2; delta_3]) updates_0)) [].

  (* READs, each with its own rho. *)
  Definition reads_of_draws (addresses : list (u64 * u64)) (masks : list u64) : paper_session_Step :=
    let outcomes := map (fun '((address, item), mask) =>
      paper_read_read (paper_session_Session_state session) (paper_session_PreparedRead_units item)
        (paper_session_PreparedRead_random_index_shares item) address mask)
      (combine (combine addresses (paper_session_Session_reads session)) masks) in
    let message := fun (kind from to : u8) (words : list u64) =>
      mk_paper_session_Sent kind from to (paper_session_Session_operation session) (repr 32 0) (bytes_words_bytes words) in
    step_with (paper_session_Session_state session) (skip (paper_session_Session_reads session) (len addresses))
      (skip (paper_session_Session_updates session) (repr 64 0))
      [message (repr 8 10) (repr 8 0) (repr 8 1) (map (fun o => paper_read_Read_shift_0 o) outcomes);
       message (repr 8 10) (repr 8 0) (repr 8 2) (map (fun o => paper_read_Read_shift_0 o) outcomes);
       message (repr 8 10) (repr 8 1) (repr 8 0) (map (fun o => paper_read_Read_shift_1 o) outcomes);
       message (repr 8 10) (repr 8 1) (repr 8 2) (map (fun o => paper_read_Read_shift_1 o) outcomes);
       message (repr 8 11) (repr 8 2) (repr 8 0) (map (fun o => paper_read_Read_gamma_0 o) outcomes);
       message (repr 8 11) (repr 8 2) (repr 8 1) (map (fun o => paper_read_Read_gamma_1 o) outcomes)]
      (map (fun o => (paper_read_Read_read_0 o, paper_read_Read_read_1 o)) outcomes).
End Steps.

(* A WRITE: a READ, then an UPDATE, which draws nothing. *)
Definition write_of_draws (session : paper_session_Session) (query : paper_session_UpdateQuery) (masks : list u64) : paper_session_Step :=
  let first_1 := reads_of_draws session [paper_session_UpdateQuery_address query] masks in
  let '(m_0, m_1) := paper_session_UpdateQuery_value query in
  let '(read_0, read_1) := match first (paper_session_Step_results first_1) with
    | Some shares => shares
    | None => (repr 64 0, repr 64 0)
    end in
  let second := paper_session_updates (paper_session_Step_session first_1)
    [mk_paper_session_UpdateQuery (paper_session_UpdateQuery_address query) (wsub m_0 read_0, wsub m_1 read_1)] in
  mk_paper_session_Step (paper_session_Step_session second) (paper_session_Step_sent first_1 ++ paper_session_Step_sent second)
    (paper_session_Step_results first_1).

Definition step_of_draws (session : paper_session_Session) (step : session_step) (draws : step_draws) : paper_session_Step :=
  match step, draws with
  | step_load memory_share_0 memory_share_1, load_draws blind_0 blind_1 =>
      load_of_draws session memory_share_0 memory_share_1 blind_0 blind_1
  | step_preprocess _ _, batch_draws reads_0 updates_0 items_1 dealt => batch_of_draws session reads_0 updates_0 items_1 dealt
  | step_reads addresses, mask_draws masks => reads_of_draws session addresses masks
  | step_updates queries, _ => paper_session_updates session queries
  | step_write query, mask_draws masks => write_of_draws session query masks
  | _, _ => mk_paper_session_Step session [] []
  end.

Lemma flat_map_of_map {A B C : Type} (f : B -> list C) (g : A -> B) (l : list A) : flat_map f (map g l) = flat_map (fun x => f (g x)) l.
Proof. induction l as [|x l IH]; [reflexivity|]. cbn. rewrite IH. reflexivity. Qed.

Lemma batch_is_of_its_draws session reads_0 updates_0 items_1 dealt :
  let h := paper_session_Session_log_size session in
  length items_1 = (length reads_0 + length updates_0)%nat -> length dealt = (length reads_0 + length updates_0)%nat ->
  Forall (dealt_of_levels (nat_of h)) dealt ->
  next_words (paper_session_Session_tape_0 session) (words_0 reads_0 updates_0) ->
  next_words (paper_session_Session_tape_1 session) (words_1 items_1) ->
  next_words (paper_session_Session_tape_2 session) (words_2 session dealt) ->
  paper_session_preprocess session (of_nat (length reads_0)) (of_nat (length updates_0))
  = with_tapes (paper_tape_advance (paper_session_Session_tape_0 session) (len (words_0 reads_0 updates_0)))
      (paper_tape_advance (paper_session_Session_tape_1 session) (len (words_1 items_1)))
      (paper_tape_advance (paper_session_Session_tape_2 session) (len (words_2 session dealt)))
      (batch_of_draws (without_tapes session) reads_0 updates_0 items_1 dealt).
Proof.
  intros h as_many_1 as_many_2 levels stand_0 stand_1 stand_2.
  assert (few : Z.of_nat (length reads_0 + length updates_0) < 2 ^ 64).
  { destruct stand_1 as [_ b]. rewrite (length_1 reads_0 updates_0) in b by assumption. lia. }
  unfold paper_session_preprocess. cbv zeta. rewrite <- of_nat_add.
  rewrite (items_are_of_draws session reads_0 updates_0 items_1 dealt) by assumption.
  rewrite (deltas_are_of_draws session reads_0 updates_0 items_1 dealt) by assumption.
  rewrite map_map, !flat_map_of_map.
  set (draws := drawn_items reads_0 updates_0 items_1 dealt).
  change (map (fun x => item_of_draws (paper_session_Session_prg session) (paper_session_Session_log_size session) x) draws)
    with (map (item_of_draws (paper_session_Session_prg session) (paper_session_Session_log_size session)) draws).
  unfold with_tapes, batch_of_draws, step_with. cbn [paper_session_Step_session paper_session_Step_sent paper_session_Step_results
    paper_session_Session_log_size paper_session_Session_prg paper_session_Session_state paper_session_Session_reads
    paper_session_Session_updates paper_session_Session_operation without_tapes].
  fold draws. rewrite take_firstn, skip_skipn, !concat_pair, nat_of_of_nat by lia.
  unfold len. rewrite (length_0 reads_0 updates_0), (length_1 reads_0 updates_0) by assumption.
  rewrite (length_2 session reads_0 updates_0 dealt) by assumption.
  f_equal; [f_equal|].
  - rewrite offset_of_update by lia. reflexivity.
  - change paper_tape_PRIMARY_WORDS with (of_nat 10). rewrite <- of_nat_mul. reflexivity.
  - f_equal. apply eq_trans with (wmul (wmul (of_nat (length reads_0 + length updates_0)) (of_nat 3))
      (of_nat (nat_of h * 7 + 5))).
    + f_equal. unfold paper_tape_triple_words. rewrite of_nat_add, of_nat_mul, of_nat_nat_of. reflexivity.
    + rewrite <- !of_nat_mul. f_equal. unfold dealt_words. fold h. lia.
  - change (paper_session_batch_messages (without_tapes session)) with (paper_session_batch_messages session). f_equal.
    apply flat_map_ext. intros [p [delta_2 delta_3]]. reflexivity.
Qed.

Lemma load_is_of_its_draws session memory_share_0 memory_share_1 blind_0 blind_1 :
  length blind_0 = length memory_share_0 -> length blind_1 = length memory_share_0 ->
  next_words (paper_session_Session_tape_0 session) blind_0 -> next_words (paper_session_Session_tape_1 session) blind_1 ->
  paper_session_load session memory_share_0 memory_share_1
  = with_tapes (paper_tape_advance (paper_session_Session_tape_0 session) (len blind_0))
      (paper_tape_advance (paper_session_Session_tape_1 session) (len blind_1))
      (paper_tape_advance (paper_session_Session_tape_2 session) (len (@nil u64)))
      (load_of_draws (without_tapes session) memory_share_0 memory_share_1 blind_0 blind_1).
Proof.
  intros l_0 l_1 s_0 s_1.
  assert (blind : forall tape blind, length blind = length memory_share_0 -> next_words tape blind ->
    map (fun i => paper_tape_peek tape i) (range (repr 64 0) (len memory_share_0)) = blind).
  { intros tape blind l s. assert (Z.of_nat (length blind) < 2 ^ 64) by (destruct s as [_ b]; lia).
    apply (list_ext (repr 64 0)); rewrite map_range_0_length; unfold len; rewrite nat_of_of_nat by lia; [congruence|].
    intros k hk. rewrite nth_map_range_0 by (rewrite nat_of_of_nat by lia; exact hk). apply (peek_next _ _ _ _ s).
    rewrite nat_of_of_nat by lia. apply nth_error_nth'. lia. }
  unfold paper_session_load. cbv zeta. rewrite (blind _ _ l_0 s_0), (blind _ _ l_1 s_1).
  unfold with_tapes, load_of_draws, step_with. cbn -[paper_session_chunks paper_memory_shared paper_tape_advance len].
  unfold len. rewrite l_0, l_1. f_equal; [f_equal|].
  - symmetry. apply advance_none.
  - cbn -[paper_session_chunks paper_memory_shared]. rewrite app_nil_r. reflexivity.
Qed.

Lemma skipn_nth_error {T : Type} (l : list T) (k : nat) (x : T) : nth_error l k = Some x -> skipn k l = x :: skipn (S k) l.
Proof. revert l. induction k as [|k IH]; intros [|y l] e; try discriminate e; [injection e as ->; reflexivity | exact (IH l e)]. Qed.

Lemma reads_are_of_their_draws session addresses masks : length masks = length addresses ->
  next_words (paper_session_Session_tape_2 session) masks ->
  paper_session_reads session addresses
  = with_tapes (paper_session_Session_tape_0 session) (paper_session_Session_tape_1 session)
      (paper_tape_advance (paper_session_Session_tape_2 session) (len masks)) (reads_of_draws (without_tapes session) addresses masks).
Proof.
  intros l s. set (asked := combine addresses (paper_session_Session_reads session)).
  assert (few : Z.of_nat (length masks) < 2 ^ 64) by (destruct s as [_ b]; lia).
  assert (la : (length asked <= length masks)%nat) by (unfold asked; rewrite combine_length; lia).
  assert (e : map (fun '((query, (address, item)) : u64 * ((u64 * u64) * paper_session_PreparedRead)) =>
        paper_read_read (paper_session_Session_state session) (paper_session_PreparedRead_units item)
          (paper_session_PreparedRead_random_index_shares item) address (paper_tape_peek (paper_session_Session_tape_2 session) query))
      (enumerate asked)
    = map (fun '((address, item), mask) =>
      paper_read_read (paper_session_Session_state session) (paper_session_PreparedRead_units item)
        (paper_session_PreparedRead_random_index_shares item) address mask) (combine asked masks)).
  { unfold enumerate, len. clear l.
    assert (peeked : forall k, (k < length masks)%nat ->
      nth_error masks k = Some (paper_tape_peek (paper_session_Session_tape_2 session) (of_nat k))).
    { intros k hk. rewrite (nth_error_nth' masks (repr 64 0) hk). f_equal. symmetry. apply (peek_next _ _ _ _ s).
      rewrite nat_of_of_nat by lia. apply nth_error_nth', hk. }
    rewrite range_0, nat_of_of_nat by lia. clearbody asked. clear s.
    assert (few' : Z.of_nat (length masks) < 2 ^ 64) by exact few. clear few.
    assert (general : forall start, (start + length asked <= length masks)%nat ->
      map (fun '((query, (address, item)) : u64 * ((u64 * u64) * paper_session_PreparedRead)) =>
        paper_read_read (paper_session_Session_state session) (paper_session_PreparedRead_units item)
          (paper_session_PreparedRead_random_index_shares item) address (paper_tape_peek (paper_session_Session_tape_2 session) query))
        (combine (map of_nat (seq start (length asked))) asked)
      = map (fun '((address, item), mask) =>
        paper_read_read (paper_session_Session_state session) (paper_session_PreparedRead_units item)
          (paper_session_PreparedRead_random_index_shares item) address mask) (combine asked (skipn start masks))).
    { clear la. induction asked as [|[address item] asked IH]; intros start hs; [reflexivity|]. simpl in hs.
      rewrite (skipn_nth_error _ _ _ (peeked start ltac:(lia))). cbn [length seq map combine]. f_equal. apply IH. lia. }
    apply (general 0%nat la). }
  unfold paper_session_reads. cbv zeta. fold asked. rewrite e. unfold with_tapes, reads_of_draws, step_with, paper_session_after.
  cbn -[paper_tape_advance len skip bytes_words_bytes]. fold asked.
  replace (len masks) with (len addresses) by (unfold len; congruence). reflexivity.
Qed.

Lemma updates_draw_nothing session queries :
  paper_session_updates session queries
  = with_tapes (paper_session_Session_tape_0 session) (paper_session_Session_tape_1 session) (paper_session_Session_tape_2 session)
      (paper_session_updates (without_tapes session) queries).
Proof.
  unfold paper_session_updates. cbv zeta. cbn [without_tapes paper_session_Session_state paper_session_Session_updates].
  destruct (fold_left _ _ _) as [state outcomes]. unfold paper_session_after, with_tapes. cbv zeta.
  cbn [paper_session_Step_session paper_session_Step_sent paper_session_Step_results paper_session_Session_log_size
    paper_session_Session_prg paper_session_Session_state paper_session_Session_reads paper_session_Session_updates
    paper_session_Session_operation without_tapes]. rewrite advance_none. reflexivity.
Qed.

(* Each step reads the words that stand next on each tape, [drawn_0], [drawn_1] and [drawn_2], goes on behind them, and is a
   function of what they are read off as; no other word of a tape goes into it. *)
Theorem step_is_of_its_draws session step draws :
  let h := paper_session_Session_log_size session in
  fits h step draws ->
  next_words (paper_session_Session_tape_0 session) (drawn_0 draws) ->
  next_words (paper_session_Session_tape_1 session) (drawn_1 draws) ->
  next_words (paper_session_Session_tape_2 session) (drawn_2 h draws) ->
  take_step session step
  = with_tapes (paper_tape_advance (paper_session_Session_tape_0 session) (len (drawn_0 draws)))
      (paper_tape_advance (paper_session_Session_tape_1 session) (len (drawn_1 draws)))
      (paper_tape_advance (paper_session_Session_tape_2 session) (len (drawn_2 h draws)))
      (step_of_draws (without_tapes session) step draws).
Proof.
  intros h fit s_0 s_1 s_2.
  assert (same : forall tape, paper_tape_advance tape (len (@nil u64)) = tape) by exact advance_none.
  destruct step, draws; try contradiction; cbn [fits drawn_0 drawn_1 drawn_2 take_step step_of_draws] in *; rewrite ?same.
  - destruct fit as [l_0 l_1]. rewrite (load_is_of_its_draws session memory_share_0 memory_share_1 blind_0 blind_1) by assumption.
    rewrite same. reflexivity.
  - destruct fit as (l_0 & l_u & l_1 & l_2 & hl).
    rewrite <- (of_nat_nat_of reads), <- (of_nat_nat_of updates), <- l_0, <- l_u.
    apply batch_is_of_its_draws; try assumption; congruence.
  - apply reads_are_of_their_draws; assumption.
  - apply updates_draw_nothing.
  - unfold paper_session_write, write_of_draws.
    rewrite (reads_are_of_their_draws session [paper_session_UpdateQuery_address query] masks) by (exact fit || exact s_2).
    cbv zeta. cbn [with_tapes paper_session_Step_results paper_session_Step_sent paper_session_Step_session].
    destruct (paper_session_UpdateQuery_value query) as [m_0 m_1].
    destruct (match first _ with Some shares => shares | None => _ end) as [read_0 read_1].
    rewrite updates_draw_nothing. unfold with_tapes at 1 3. cbn [paper_session_Step_results paper_session_Step_sent paper_session_Step_session
      paper_session_Session_tape_0 paper_session_Session_tape_1 paper_session_Session_tape_2].
    rewrite concat_pair. reflexivity.
Qed.

(** * A whole session *)

Definition bare (step : paper_session_Step) : paper_session_Step :=
  with_tapes (paper_tape_tape []) (paper_tape_tape []) (paper_tape_tape []) step.

(* All steps of a session, one after the other: what each sends, answers and leaves, but for the tapes. *)
Fixpoint steps_taken (session : paper_session_Session) (steps : list session_step) : list paper_session_Step :=
  match steps with
  | [] => []
  | step :: steps =>
      bare (take_step session step) :: steps_taken (paper_session_Step_session (take_step session step)) steps
  end.

(* The same as a function of what is drawn. *)
Fixpoint steps_of_draws (session : paper_session_Session) (steps : list session_step) (draws : list step_draws) :
  list paper_session_Step :=
  match steps, draws with
  | step :: steps, drawn :: draws =>
      let taken := bare (step_of_draws session step drawn) in taken :: steps_of_draws (paper_session_Step_session taken) steps draws
  | _, _ => []
  end.

Lemma log_size_kept session step draws :
  paper_session_Session_log_size (paper_session_Step_session (step_of_draws session step draws)) = paper_session_Session_log_size session.
Proof.
  assert (updates : forall session queries,
    paper_session_Session_log_size (paper_session_Step_session (paper_session_updates session queries))
    = paper_session_Session_log_size session).
  { intros s queries. unfold paper_session_updates. cbv zeta. destruct (fold_left _ _ _). reflexivity. }
  destruct step, draws; try reflexivity; cbn [step_of_draws]; try apply updates.
  unfold write_of_draws. cbv zeta. destruct (paper_session_UpdateQuery_value query) as [m_0 m_1].
  destruct (match first _ with Some shares => shares | None => _ end) as [read_0 read_1].
  cbn [paper_session_Step_session]. rewrite updates. reflexivity.
Qed.

(* Whatever stands behind, and whatever stood before, what a session does is a function of its draws, step for step: the words
   of one step stand behind those of the step before, and none is read twice. *)
Theorem steps_are_of_their_draws session (steps : list session_step) (draws : list step_draws) :
  let h := paper_session_Session_log_size session in
  Forall2 (fits h) steps draws ->
  next_words (paper_session_Session_tape_0 session) (flat_map drawn_0 draws) ->
  next_words (paper_session_Session_tape_1 session) (flat_map drawn_1 draws) ->
  next_words (paper_session_Session_tape_2 session) (flat_map (drawn_2 h) draws) ->
  steps_taken session steps = steps_of_draws (without_tapes session) steps draws.
Proof.
  intros h fit. remember h as size eqn:hs in fit |- *. subst h. revert session hs.
  induction fit as [|step drawn steps draws fit _ IH]; intros session hs s_0 s_1 s_2; [reflexivity|].
  cbn [flat_map] in s_0, s_1, s_2. cbn [steps_taken steps_of_draws]. subst size.
  assert (e := step_is_of_its_draws session step drawn fit (next_first _ _ _ s_0) (next_first _ _ _ s_1) (next_first _ _ _ s_2)).
  cbv zeta in e. rewrite e.
  set (made := step_of_draws (without_tapes session) step drawn) in *.
  change (bare (with_tapes ?a ?b ?c made)) with (bare made). f_equal.
  match goal with |- steps_taken ?s _ = _ => change (paper_session_Step_session (bare made)) with (without_tapes s) end.
  apply IH; cbn [with_tapes paper_session_Step_session paper_session_Session_log_size paper_session_Session_tape_0
    paper_session_Session_tape_1 paper_session_Session_tape_2].
  - symmetry. exact (log_size_kept (without_tapes session) step drawn).
  - apply next_rest, s_0.
  - apply next_rest, s_1.
  - apply next_rest, s_2.
Qed.

(* The connect: each party contributes a block, and the key is of all three. *)
Definition connect_of_draws (h : u64) (block_0 block_1 block_2 : u128) : paper_session_Step :=
  let hello := fun block => concat [aes_bytes_of_block block; bytes_word_bytes (cast 64 h)] in
  let sent := fun (from to : u8) block => mk_paper_session_Sent (repr 8 1) from to (repr 64 0) (repr 32 0) (hello block) in
  mk_paper_session_Step
    (mk_paper_session_Session h
      (mk_prg_AesPrg (aes_expand_key (aes_bytes_of_block (ixor (ixor block_0 block_1) block_2))))
      (paper_tape_tape []) (paper_tape_tape []) (paper_tape_tape [])
      (paper_memory_initial u64 (wshl (repr 64 1) (cast 32 h))) [] [] (repr 64 1))
    [sent (repr 8 0) (repr 8 1) block_0; sent (repr 8 0) (repr 8 2) block_0; sent (repr 8 1) (repr 8 0) block_1;
     sent (repr 8 1) (repr 8 2) block_1; sent (repr 8 2) (repr 8 0) block_2; sent (repr 8 2) (repr 8 1) block_2]
    [].

(* From the connect on: a session whose tapes begin with the words of these draws, one behind the other, does what the draws
   say, and nothing of it hangs on what stands behind them. *)
Theorem session_is_of_its_draws (h : u64) (block_0 block_1 block_2 : u128) (steps : list session_step) (draws : list step_draws)
  (rest_0 rest_1 rest_2 : list u64) :
  let tape_0 := block_words block_0 ++ flat_map drawn_0 draws ++ rest_0 in
  let tape_1 := block_words block_1 ++ flat_map drawn_1 draws ++ rest_1 in
  let tape_2 := block_words block_2 ++ flat_map (drawn_2 h) draws ++ rest_2 in
  Forall2 (fits h) steps draws ->
  Z.of_nat (length tape_0) < 2 ^ 64 -> Z.of_nat (length tape_1) < 2 ^ 64 -> Z.of_nat (length tape_2) < 2 ^ 64 ->
  let connected := paper_session_connect h tape_0 tape_1 tape_2 in
  let connected_of_draws := connect_of_draws h block_0 block_1 block_2 in
  bare connected = connected_of_draws /\
  steps_taken (paper_session_Step_session connected) steps
  = steps_of_draws (paper_session_Step_session connected_of_draws) steps draws.
Proof.
  intros tape_0 tape_1 tape_2 fit b_0 b_1 b_2 connected connected_of_draws.
  assert (begin : forall tape l rest, tape = l ++ rest -> Z.of_nat (length tape) < 2 ^ 64 -> next_words (paper_tape_tape tape) l).
  { intros tape l rest -> b. rewrite app_length in b. split; [exists [], rest; split; reflexivity|].
    change (nat_of (paper_tape_Tape_position (paper_tape_tape (l ++ rest)))) with 0%nat. lia. }
  assert (block : forall block rest, Z.of_nat (length (block_words block ++ rest)) < 2 ^ 64 ->
    paper_tape_peek_block (paper_tape_tape (block_words block ++ rest)) (repr 64 0) = block).
  { intros block rest b. assert (s := begin _ (block_words block) rest eq_refl b).
    apply (peek_block_next _ _ _ _ s); reflexivity. }
  assert (e : bare connected = connected_of_draws).
  { unfold connected, paper_session_connect, tape_0, tape_1, tape_2. cbv zeta. rewrite !block by assumption. reflexivity. }
  split; [exact e|].
  replace (paper_session_Step_session connected_of_draws) with (without_tapes (paper_session_Step_session connected))
    by (rewrite <- e; reflexivity).
  assert (behind : forall x l rest, Z.of_nat (length (block_words x ++ l ++ rest)) < 2 ^ 64 ->
    next_words (paper_tape_advance (paper_tape_tape (block_words x ++ l ++ rest)) (repr 64 2)) l).
  { intros x l rest b. apply (next_part _ (block_words x) l []). rewrite app_nil_r.
    apply (begin _ _ rest); [rewrite <- app_assoc; reflexivity | exact b]. }
  apply steps_are_of_their_draws; [exact fit|apply behind; assumption..].
Qed.

(** * What a session draws is all that its tapes can hold *)

(* How many words a step reads off each tape. *)
Definition count_0 (step : session_step) : nat :=
  match step with
  | step_load memory_share_0 _ => length memory_share_0
  | step_preprocess reads updates => nat_of reads * 10 + nat_of updates * 12
  | _ => 0
  end.
Definition count_1 (step : session_step) : nat :=
  match step with
  | step_load memory_share_0 _ => length memory_share_0
  | step_preprocess reads updates => (nat_of reads + nat_of updates) * 10
  | _ => 0
  end.
Definition count_2 (h : u64) (step : session_step) : nat :=
  match step with
  | step_preprocess reads updates => (nat_of reads + nat_of updates) * dealt_words (nat_of h)
  | step_reads addresses => length addresses
  | step_write _ => 1
  | _ => 0
  end.

(* The three tapes, as far as they are read. *)
Definition on_three (k_0 k_1 k_2 : nat) : list u64 * (list u64 * list u64) -> Prop :=
  fun '(a, (b, c)) => words k_0 a /\ words k_1 b /\ words k_2 c.

Definition batch_0_read_off (r u : nat) := pair_read_off (list_read_off primary_read_off r) (list_read_off update_read_off u).
Definition batch_1_read_off (n : nat) := list_read_off primary_read_off n.
Definition batch_2_read_off (h : u64) (n : nat) := list_read_off (dealt_read_off (nat_of h)) n.

(* Each step's draws, as the words that they are read off, and back. *)
Definition step_read_off (h : u64) (step : session_step) :
  bijection (fits h step) (on_three (count_0 step) (count_1 step) (count_2 h step)).
Proof.
  assert (anything : forall T (l : list T), Forall any l) by (intros T l; apply Forall_forall; intros x _; exact I).
  refine {|
    forth := fun draws => (drawn_0 draws, (drawn_1 draws, drawn_2 h draws));
    back := fun '(a, (b, c)) => match step with
      | step_load _ _ => load_draws a b
      | step_preprocess reads updates =>
          let n := (nat_of reads + nat_of updates)%nat in
          batch_draws (fst (back (batch_0_read_off (nat_of reads) (nat_of updates)) a))
            (snd (back (batch_0_read_off (nat_of reads) (nat_of updates)) a)) (back (batch_1_read_off n) b)
            (back (batch_2_read_off h n) c)
      | step_reads _ | step_write _ => mask_draws c
      | step_updates _ => no_draws
      end |}.
  - intros draws fit. destruct step, draws; try contradiction; cbn [fits] in fit; unfold on_three, words.
    + destruct fit as [l_0 l_1]. repeat split; assumption.
    + destruct fit as (l_0 & l_u & l_1 & l_2 & hl). repeat split.
      * apply (forth_drawn (batch_0_read_off (nat_of reads) (nat_of updates)) (reads_0, updates_0)). repeat split; auto.
      * apply (forth_drawn (batch_1_read_off (nat_of reads + nat_of updates)) items_1). split; auto.
      * apply (forth_drawn (batch_2_read_off h (nat_of reads + nat_of updates)) dealt). split; auto.
    + repeat split; assumption.
    + repeat split.
    + repeat split; assumption.
  - intros [a [b c]] (h_0 & h_1 & h_2). destruct step; cbn [fits count_0 count_1 count_2] in *.
    + split; assumption.
    + pose proof (back_drawn (batch_0_read_off (nat_of reads) (nat_of updates)) a h_0) as d_0.
      pose proof (back_drawn (batch_1_read_off (nat_of reads + nat_of updates)) b h_1) as d_1.
      pose proof (back_drawn (batch_2_read_off h (nat_of reads + nat_of updates)) c h_2) as d_2.
      assert (two : forall p : list primary_draws * list update_draws,
        (let '(x, y) := p in (length x = nat_of reads /\ Forall any x) /\ (length y = nat_of updates /\ Forall any y)) ->
        length (fst p) = nat_of reads /\ length (snd p) = nat_of updates)
        by (intros [x y] [[? _] [? _]]; split; assumption).
      destruct (two (back (batch_0_read_off (nat_of reads) (nat_of updates)) a) d_0) as [l_0 l_u], d_1 as [l_1 _], d_2 as [l_2 hl]. exact (conj l_0 (conj l_u (conj l_1 (conj l_2 hl)))).
    + exact h_2.
    + exact I.
    + exact h_2.
  - intros draws fit. destruct step, draws; try contradiction; cbn [fits] in fit; try reflexivity.
    destruct fit as (l_0 & l_u & l_1 & l_2 & hl). cbn [drawn_0 drawn_1 drawn_2].
    change (words_0 reads_0 updates_0) with (forth (batch_0_read_off (nat_of reads) (nat_of updates)) (reads_0, updates_0)).
    change (words_1 items_1) with (forth (batch_1_read_off (nat_of reads + nat_of updates)) items_1).
    change (flat_map (forth (dealt_read_off (nat_of h))) dealt)
      with (forth (batch_2_read_off h (nat_of reads + nat_of updates)) dealt).
    rewrite !back_forth by (repeat split; auto). reflexivity.
  - intros [a [b c]] (h_0 & h_1 & h_2). destruct step; cbn [count_0 count_1 count_2 drawn_0 drawn_1 drawn_2] in *;
      unfold words in *; repeat match goal with e : length _ = 0%nat |- _ => apply length_zero_iff_nil in e; subst end; try reflexivity.
    f_equal; [|f_equal].
    + assert (two : forall p : list primary_draws * list update_draws,
        words_0 (fst p) (snd p) = forth (batch_0_read_off (nat_of reads) (nat_of updates)) p) by (intros [x y]; reflexivity).
      exact (eq_trans (two (back (batch_0_read_off (nat_of reads) (nat_of updates)) a))
        (forth_back (batch_0_read_off (nat_of reads) (nat_of updates)) a h_0)).
    + apply (forth_back (batch_1_read_off (nat_of reads + nat_of updates)) b h_1).
    + apply (forth_back (batch_2_read_off h (nat_of reads + nat_of updates)) c h_2).
Defined.

Definition total (count : session_step -> nat) (steps : list session_step) : nat := list_sum (map count steps).

Fixpoint cut_session (h : u64) (steps : list session_step) (a b c : list u64) : list step_draws :=
  match steps with
  | [] => []
  | step :: steps =>
      back (step_read_off h step) (firstn (count_0 step) a, (firstn (count_1 step) b, firstn (count_2 h step) c)) ::
      cut_session h steps (skipn (count_0 step) a) (skipn (count_1 step) b) (skipn (count_2 h step) c)
  end.

(* All that a session draws, thing by thing, is in bijection with all words that its three tapes can begin with: over tapes that
   are uniform and independent, so is everything that is drawn. *)
Theorem draws_are_all_words (h : u64) (steps : list session_step) :
  bijection (Forall2 (fits h) steps) (on_three (total count_0 steps) (total count_1 steps) (total (count_2 h) steps)).
Proof.
  refine {|
    forth := fun draws => (flat_map drawn_0 draws, (flat_map drawn_1 draws, flat_map (drawn_2 h) draws));
    back := fun '(a, (b, c)) => cut_session h steps a b c |}.
  - induction 1 as [|step drawn steps draws fit _ (l_0 & l_1 & l_2)]; [repeat split|].
    destruct (forth_drawn (step_read_off h step) drawn fit) as (k_0 & k_1 & k_2).
    unfold on_three, words, total in *. cbn [flat_map map list_sum fold_right] in *. rewrite !app_length.
    rewrite k_0, k_1, k_2, l_0, l_1, l_2. repeat split.
  - induction steps as [|step steps IH]; intros [a [b c]] (l_0 & l_1 & l_2); [constructor|].
    unfold words, total in l_0, l_1, l_2. cbn [map list_sum fold_right] in l_0, l_1, l_2. cbn [cut_session]. constructor.
    + apply (back_drawn (step_read_off h step)). unfold on_three, words. rewrite !firstn_length_le by lia. repeat split.
    + apply (IH (skipn (count_0 step) a, (skipn (count_1 step) b, skipn (count_2 h step) c))).
      unfold on_three, words, total, list_sum. rewrite !skipn_length. unfold list_sum in *. lia.
  - induction 1 as [|step drawn steps draws fit _ IH]; [reflexivity|]. cbn [flat_map cut_session].
    destruct (forth_drawn (step_read_off h step) drawn fit) as (k_0 & k_1 & k_2).
    rewrite !firstn_of_app, !skipn_of_app by assumption. f_equal; [|exact IH].
    exact (back_forth (step_read_off h step) drawn fit).
  - induction steps as [|step steps IH]; intros [a [b c]] (l_0 & l_1 & l_2); unfold words, total in l_0, l_1, l_2;
      cbn [map list_sum fold_right] in l_0, l_1, l_2.
    + apply length_zero_iff_nil in l_0, l_1, l_2. subst. reflexivity.
    + cbn [cut_session flat_map].
      set (drawn := back (step_read_off h step) _).
      assert (one : (drawn_0 drawn, (drawn_1 drawn, drawn_2 h drawn))
        = (firstn (count_0 step) a, (firstn (count_1 step) b, firstn (count_2 h step) c))).
      { apply (forth_back (step_read_off h step)). unfold on_three, words. rewrite !firstn_length_le by lia. repeat split. }
      clearbody drawn. set (draws := cut_session h steps _ _ _).
      assert (rest : (flat_map drawn_0 draws, (flat_map drawn_1 draws, flat_map (drawn_2 h) draws))
        = (skipn (count_0 step) a, (skipn (count_1 step) b, skipn (count_2 h step) c))).
      { apply (IH (skipn (count_0 step) a, (skipn (count_1 step) b, skipn (count_2 h step) c))).
        unfold on_three, words, total, list_sum. rewrite !skipn_length. unfold list_sum in *. lia. }
      clearbody draws. injection one as o_0 o_1 o_2. injection rest as r_0 r_1 r_2.
      rewrite o_0, o_1, o_2, r_0, r_1, r_2, !firstn_skipn. reflexivity.
Defined.

