(* What a party draws for an UPDATE item of two parties, word by word off its tape, is what the view of the other takes for uniform (UpdateItem.v): four
   uniform words and uniform pairs of the OTs are one draw of [update_space]. For a READ item nothing is to be said: [read_space] is a word, pairs
   and a blind. That the items of a session stand on its tapes one behind the other is not said here. Words of 64 bits. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection Counting.
From Duoram.core Require Import DpfFacts LabelFacts HiddenParts PrgAdvantage GenerationSimulated.
From Duoram.two_party Require Import OtGeneration UpdateItem MaskedTable ReadItem SessionMessages.
From Duoram.Generated Require Import All.
#[local] Open Scope Q_scope.

Lemma bools_lists_enumerate (k : nat) : NoDup (tuples k bools).
Proof. exact (NoDup_tuples k bools bools_enumerate). Qed.

(* All 64 bits of a uniform word. *)
Lemma all_bits_uniform : yields (words 64) (fun w => path_bits 64 (val w)) (tuples 64 bools).
Proof.
  intros g. rewrite <- (mean_map (fun w : u64 => path_bits 64 (val w)) (words 64) g). apply mean_permutation, Permutation.NoDup_Permutation.
  - apply FinFun.Injective_map_NoDup; [|exact (proj1 (words_enumerate 64))]. intros x y e. apply int_ext.
    apply (path_bits_inj 64); [apply val_bounds | apply val_bounds | exact e].
  - apply bools_lists_enumerate.
  - intros l. rewrite (proj2 (tuples_enumerate 64 bools bools_enumerate)), in_map_iff. split.
    + intros (w & <- & _). apply path_bits_length.
    + intros hl. exists (repr 64 (number_of_bits l)). pose proof (number_of_bits_bounds l) as hb. rewrite hl in hb.
      split; [|apply (proj2 (words_enumerate 64)), I].
      rewrite val_repr_small by exact hb. rewrite <- hl at 1. apply path_bits_number.
Qed.
Lemma path_bits_skipn (a b : nat) (z : Z) : skipn a (path_bits (a + b) z) = path_bits b z.
Proof. induction a as [|a IH]; [reflexivity|]. cbn [Nat.add path_bits skipn]. exact IH. Qed.

(* The lowest h of them. *)
Lemma address_bits_uniform (h : u64) : (val h <= 64)%Z -> yields (words 64) (fun w => dpf_address_bits w h) (tuples (nat_of h) bools).
Proof.
  intros hh g. pose proof (Z_nat_of h). set (a := (64 - nat_of h)%nat). assert (e : 64%nat = (a + nat_of h)%nat) by (unfold a; lia).
  transitivity (mean (words 64) (fun w => g (skipn a (path_bits 64 (val w))))).
  - apply mean_ext. intros w _. rewrite address_bits_path by assumption. rewrite e, path_bits_skipn. reflexivity.
  - rewrite (all_bits_uniform (fun l => g (skipn a l))). rewrite e, <- mean_app.
    transitivity (mean (tuples a bools) (fun _ => mean (tuples (nat_of h) bools) g)).
    + apply mean_ext. intros x hx. apply tuples_length in hx. apply mean_ext. intros y _.
      rewrite skipn_app, hx, Nat.sub_diag, skipn_all2 by lia. reflexivity.
    + apply mean_const. exact (space_not_empty _ _ (repeat false a) (tuples_enumerate a bools bools_enumerate) (repeat_length _ _)).
Qed.

(* Two uniform words are a uniform block, low half first. *)
Lemma block_uniform : yields (list_prod (words 64) (words 64)) (fun '(low, high) => block_block_of_halves low high) labels.
Proof.
  pose proof (enumerates_all_prod _ _ (words_enumerate 64) (words_enumerate 64)) as all.
  intros g. rewrite <- (mean_by_bijection (list_prod (words 64) (words 64)) labels
    (fun z => block_block_of_halves (fst z) (snd z)) (fun x => (block_low_half x, block_high_half x)) g all labels_enumerate).
  - apply mean_ext. intros [low high] _. reflexivity.
  - intros [low high]. cbn [fst snd]. rewrite low_half_of_halves, high_half_of_halves. reflexivity.
  - intros x. apply block_of_halves_of.
Qed.

Section Draws.
  Context (h : u64) (h_small : (val h < 64)%Z).
  Notation H := (nat_of h).

  (* The words of an UPDATE item in the order of the tape (`tape::update_draws`): of ri, both halves of the root, of X_c; and the pairs. *)
  Definition update_words : list (u64 * (u64 * (u64 * u64))) := list_prod (words 64) (list_prod (words 64) (list_prod (words 64) (words 64))).
  Definition read_off_update (z : (u64 * (u64 * (u64 * u64))) * list (u128 * u128)) : update_own :=
    let '((target, (low, (high, choices))), pairs) := z in
    {| own_target := target; own_root := block_block_of_halves low high; own_choices := choices; own_pairs := pairs |}.

  (* What `tape::update_draws` reads off a tape, and so what stands there for an item of a batch. *)
  Lemma update_draws_read_off (tape : two_party_tape_Tape) (offset : u64) (pairs : list (u128 * u128)) :
    let peek k := two_party_tape_peek tape (wadd offset (repr 64 k)) in
    let o := read_off_update ((two_party_tape_peek tape offset,
      (peek 1%Z, (two_party_tape_peek tape (wadd (wadd offset (repr 64 1)) (repr 64 1)), peek 3%Z))), pairs) in
    two_party_tape_update_draws tape offset h
    = mk_two_party_tape_UpdateDraws (ot_target (held_of h o)) (own_root o) (ot_bits (held_of h o)).
  Proof. reflexivity. Qed.

  Lemma mean_zipped {A B : Type} (xs : list A) (ys : list B) (k : nat) (f : list (A * B) -> Q) :
    mean (tuples k xs) (fun l => mean (tuples k ys) (fun m => f (combine l m))) == mean (tuples k (list_prod xs ys)) f.
  Proof.
    revert f. induction k as [|k IH]; intros f; [rewrite !mean_tuples_0; reflexivity|]. rewrite !mean_tuples_S, mean_prod.
    apply mean_ext. intros x _.
    transitivity (mean ys (fun y => mean (tuples k xs) (fun l => mean (tuples k ys) (fun m => f ((x, y) :: combine l m))))).
    - transitivity (mean (tuples k xs) (fun l => mean ys (fun y => mean (tuples k ys) (fun m => f ((x, y) :: combine l m))))).
      + apply mean_ext. intros l _. rewrite mean_tuples_S. reflexivity.
      + rewrite mean_swap. reflexivity.
    - apply mean_ext. intros y _. apply (IH (fun l => f ((x, y) :: l))).
  Qed.

  Theorem two_party_update_draws_uniform :
    yields (list_prod update_words (pair_space h)) (fun z => others_draw h (read_off_update z)) (update_space h).
  Proof.
    intros g. unfold update_words, update_space, pair_space, ot_space. rewrite !mean_prod. apply mean_ext. intros target _.
    rewrite !mean_prod.
    transitivity (mean (list_prod (words 64) (words 64)) (fun '(low, high) => mean (tuples H bools) (fun bits =>
      mean (tuples H (list_prod labels labels)) (fun pairs => g (target, (combine bits pairs, block_block_of_halves low high)))))).
    - rewrite mean_prod. apply mean_ext. intros low _. rewrite mean_prod. apply mean_ext. intros high _.
      apply (address_bits_uniform h ltac:(lia) (fun bits => mean (tuples H (list_prod labels labels)) (fun pairs =>
        g (target, (combine bits pairs, block_block_of_halves low high))))).
    - transitivity (mean labels (fun root => mean (tuples H bools) (fun bits =>
        mean (tuples H (list_prod labels labels)) (fun pairs => g (target, (combine bits pairs, root)))))).
      + rewrite <- (block_uniform (fun root => mean (tuples H bools) (fun bits =>
          mean (tuples H (list_prod labels labels)) (fun pairs => g (target, (combine bits pairs, root)))))).
        apply mean_ext. intros [low high] _. reflexivity.
      + rewrite mean_swap. transitivity (mean (tuples H (list_prod bools (list_prod labels labels))) (fun ots => mean labels (fun root => g (target, (ots, root))))).
        * rewrite <- (mean_zipped bools (list_prod labels labels) H). apply mean_ext. intros bits _. rewrite mean_swap. reflexivity.
        * reflexivity.
  Qed.
End Draws.
