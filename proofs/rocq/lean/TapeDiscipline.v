(* What the lean parties draw: each stream that a pair of parties has for an item, and each party's own words of an item, is cut
   into parts that stand one behind the other, each for one thing, and the parts are in bijection with the words.

   [common_is_of_its_words], [seed_0_is_of_its_words], [seed_1_is_of_its_words], [mask_02_stands_behind], [masks_12_stand_behind]: the
   functions of the Rust module `lean::tape` yield, part for part, what the words of an item's stream are read off as; DPF b's
   stand behind those of DPF a, and the masks of the operations behind both. [streams_are_apart]: each item has a stream of its own,
   and the load another. [begin_0_is_of_its_draws], [begin_1_is_of_its_draws], [deal_2_is_of_its_draws]: the parties begin each item
   of a batch with the draws of that item, and [prepared_0_draws_on] and its like: they go on behind what they have read.

   What is not said here: that nothing else of a session reads a stream but the masks of an item's own operation. The tests of
   `spec/tests/lean_freshness.rs` say so. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection.
From Duoram.core Require Import VectorFacts LabelFacts DrawnWords.
From Duoram.Generated Require Import All.

(** * Words at known places *)

Lemma word_stands (words l : list u64) (start : nat) (i : u64) (k : nat) (w : u64) :
  stands words start l -> nth_error l k = Some w -> val i = Z.of_nat (start + k) -> lean_tape_word words i = w.
Proof.
  intros hs e hi. unfold lean_tape_word. rewrite vector_at_nth.
  replace (nat_of i) with (start + k)%nat by (apply Nat2Z.inj; rewrite Z_nat_of; lia). apply (stands_nth _ _ l); assumption.
Qed.

Lemma block_stands (words l : list u64) (start : nat) (i : u64) (k : nat) (x : u128) :
  stands words start l -> nth_error l k = Some (block_low_half x) -> nth_error l (S k) = Some (block_high_half x) ->
  val i = Z.of_nat (start + k) -> Z.of_nat (start + k) + 1 < 2 ^ 64 -> lean_tape_block words i = x.
Proof.
  intros hs low high hi small. unfold lean_tape_block.
  rewrite (word_stands _ _ _ _ _ _ hs low hi), (word_stands _ _ _ (wadd i (repr 64 1)) _ _ hs high).
  - apply block_of_halves_of.
  - rewrite val_wadd, hi. change (val (repr 64 1)) with 1. rewrite Z.mod_small by lia. lia.
Qed.

Lemma val_of_sum (n : nat) : Z.of_nat n < 2 ^ 64 -> val (of_nat n) = Z.of_nat n.
Proof. apply val_of_nat. Qed.

(** * What P0 and P1 have in common for an item *)

(* G of DPF a and of DPF b, the mask of delta, the mask of UPDATE, the mask of WRITE. *)
Definition common_draws : Type := u64 * (u64 * (u64 * (u64 * u64))).
Definition common_read_off : read_off (@any common_draws) 5 :=
  both word_read_off (both word_read_off (both word_read_off (both word_read_off word_read_off))).

Theorem common_is_of_its_words (W : Type) {W_Ring : ring_Ring W} (words : list u64) (g_a g_b delta_mask x y_01 : u64) :
  stands words 0 (forth common_read_off (g_a, (g_b, (delta_mask, (x, y_01))))) ->
  lean_tape_common_value W words (repr 64 0) = ring_Ring_from_u64 W g_a /\
  lean_tape_common_value W words (repr 64 1) = ring_Ring_from_u64 W g_b /\
  lean_tape_delta_mask W words = ring_Ring_from_u64 W delta_mask /\
  lean_tape_online_01 W words = ring_Ring_from_u64 W x /\ lean_tape_write_mask_01 W words = ring_Ring_from_u64 W y_01.
Proof.
  intros s. unfold lean_tape_common_value, lean_tape_delta_mask, lean_tape_online_01, lean_tape_write_mask_01, lean_tape_ring_word.
  rewrite (word_stands _ _ _ (repr 64 0) 0 g_a s eq_refl eq_refl), (word_stands _ _ _ (repr 64 1) 1 g_b s eq_refl eq_refl),
    (word_stands _ _ _ (repr 64 2) 2 delta_mask s eq_refl eq_refl), (word_stands _ _ _ (repr 64 3) 3 x s eq_refl eq_refl),
    (word_stands _ _ _ (repr 64 4) 4 y_01 s eq_refl eq_refl). repeat split.
Qed.

(** * What a primary draws of its own for an item *)

Definition own_draws : Type := u64 * (u128 * u128).
Definition own_read_off : read_off (@any own_draws) 5 := both word_read_off (both block_read_off block_read_off).

Theorem own_is_of_its_words (words : list u64) (start : nat) (index : u64) (root_a root_b : u128) :
  stands words start (forth own_read_off (index, (root_a, root_b))) -> Z.of_nat (start + 5) < 2 ^ 64 ->
  lean_tape_primary_randomness words (of_nat start) = mk_lean_tape_PrimaryRandomness index root_a root_b.
Proof.
  intros s small. unfold lean_tape_primary_randomness.
  assert (at_ : forall k, (k < 5)%nat -> val (wadd (of_nat start) (of_nat k)) = Z.of_nat (start + k))
    by (intros k hk; rewrite <- of_nat_add, val_of_nat by lia; reflexivity).
  rewrite (word_stands _ _ _ (of_nat start) 0 index s eq_refl) by (rewrite val_of_nat by lia; lia).
  rewrite (block_stands _ _ _ (wadd (of_nat start) (repr 64 1)) 1 root_a s eq_refl eq_refl); [|apply (at_ 1%nat); lia | lia].
  rewrite (block_stands _ _ _ (wadd (of_nat start) (repr 64 3)) 3 root_b s eq_refl eq_refl); [|apply (at_ 3%nat); lia | lia].
  reflexivity.
Qed.

(** * What P0 and P2, and P1 and P2, have in common for a DPF *)

(* A level's: a word whose lowest bit is X, and Y; with P0 also Z. *)
Definition level_draws_0 : Type := u64 * (u128 * u128).
Definition level_read_off_0 : read_off (@any level_draws_0) 5 := both word_read_off (both block_read_off block_read_off).
Definition level_draws_1 : Type := u64 * u128.
Definition level_read_off_1 : read_off (@any level_draws_1) 3 := both word_read_off block_read_off.

Definition level_seed_0 (level : level_draws_0) : lean_tape_TripleSeed :=
  let '(x, (y, z)) := level in mk_lean_tape_TripleSeed (block_replicate (bit x 0)) y z.
Definition level_seed_1 (level : level_draws_1) : lean_tape_TripleSeed :=
  let '(x, y) := level in mk_lean_tape_TripleSeed (block_replicate (bit x 0)) y (repr 128 0).

(* With P0, for a READ's DPF: the levels, u_0, r_0; for an UPDATE's, behind them U_0 and R'_0. *)
Definition seed_draws_0 : Type := list level_draws_0 * (u128 * u64).
Definition words_of_seed_0 (draws : seed_draws_0) : list u64 :=
  let '(levels, (one_hot, mask)) := draws in flat_map (forth level_read_off_0) levels ++ (block_words one_hot ++ [mask]).
Definition words_of_values (values : list u64) (share : u64) : list u64 := values ++ [share].
(* With P1: the levels and r_1. *)
Definition seed_draws_1 : Type := list level_draws_1 * u64.
Definition words_of_seed_1 (draws : seed_draws_1) : list u64 :=
  let '(levels, mask) := draws in flat_map (forth level_read_off_1) levels ++ [mask].

(* These are all lists of so many words. *)
Theorem seed_0_read_off (levels : nat) : read_off (fun draws : seed_draws_0 => length (fst draws) = levels) (levels * 5 + 3).
Proof.
  refine (restated (pair_read_off (list_read_off level_read_off_0 levels) (both block_read_off word_read_off)) _).
  intros [l rest]. unfold any. cbn. rewrite Forall_forall. tauto.
Defined.
Theorem values_read_off : read_off (fun draws : list u64 * u64 => length (fst draws) = 8%nat) 9.
Proof.
  refine (restated (pair_read_off (list_read_off word_read_off 8) word_read_off : read_off _ 9) _).
  intros [l rest]. unfold any. cbn. rewrite Forall_forall. tauto.
Defined.
Theorem seed_1_read_off (levels : nat) : read_off (fun draws : seed_draws_1 => length (fst draws) = levels) (levels * 3 + 1).
Proof.
  refine (restated (pair_read_off (list_read_off level_read_off_1 levels) word_read_off) _).
  intros [l rest]. unfold any. cbn. rewrite Forall_forall. tauto.
Defined.
Lemma seed_0_reads (levels : nat) (draws : seed_draws_0) : forth (seed_0_read_off levels) draws = words_of_seed_0 draws.
Proof. destruct draws as [l [one_hot mask]]. reflexivity. Qed.
Lemma values_read (values : list u64) (share : u64) : forth values_read_off (values, share) = words_of_values values share.
Proof.
  change (flat_map (fun w : u64 => [w]) values ++ [share] = values ++ [share]). f_equal.
  induction values as [|w values IH]; [reflexivity|]. cbn. rewrite IH. reflexivity.
Qed.
Lemma seed_1_reads (levels : nat) (draws : seed_draws_1) : forth (seed_1_read_off levels) draws = words_of_seed_1 draws.
Proof. destruct draws as [l mask]. reflexivity. Qed.

Section Seeds.
  Context (W : Type) {W_Ring : ring_Ring W} (words : list u64) (h : u64).

  Lemma levels_0 (start : nat) (n : u64) (levels : list level_draws_0) (rest : list u64) :
    length levels = nat_of n -> stands words start (flat_map (forth level_read_off_0) levels ++ rest) ->
    Z.of_nat (start + nat_of n * 5) < 2 ^ 64 ->
    map (fun level =>
      let place := wadd (of_nat start) (wmul level (repr 64 5)) in
      mk_lean_tape_TripleSeed
        (block_replicate (ieqb (iand (lean_tape_word words place) (repr 64 1)) (repr 64 1)))
        (lean_tape_block words (wadd place (repr 64 1))) (lean_tape_block words (wadd place (repr 64 3)))) (range (repr 64 0) n)
    = map level_seed_0 levels.
  Proof.
    intros hn s small. set (d := (repr 64 0, (repr 128 0, repr 128 0)) : level_draws_0).
    assert (all : Forall (fun level => length (forth level_read_off_0 level) = 5%nat) levels).
    { apply Forall_forall. intros level _. apply (forth_drawn level_read_off_0). exact I. }
    apply (list_ext (level_seed_0 d)); rewrite map_range_0_length, ?map_length; [congruence|].
    intros k hk. rewrite nth_map_range_0 by assumption. rewrite (nth_map _ _ k d) by lia. cbv zeta.
    rewrite (flat_map_around (forth level_read_off_0) levels k d), <- !app_assoc in s by lia. apply stands_part in s.
    rewrite (flat_map_firstn_length _ 5) in s by (exact all || lia).
    change (repr 64 5) with (of_nat 5). rewrite <- of_nat_mul, <- of_nat_add.
    set (place := (start + k * 5)%nat) in *. assert (hp : Z.of_nat (place + 5) < 2 ^ 64) by (unfold place; nia).
    destruct (nth k levels d) as [x [y z]].
    assert (at_ : forall j, (j < 5)%nat -> val (wadd (of_nat place) (of_nat j)) = Z.of_nat (place + j))
      by (intros j hj; rewrite <- of_nat_add, val_of_nat by lia; reflexivity).
    rewrite (word_stands _ _ _ (of_nat place) 0 x s eq_refl) by (rewrite val_of_nat by lia; lia).
    rewrite (block_stands _ _ _ (wadd (of_nat place) (repr 64 1)) 1 y s eq_refl eq_refl); [|apply (at_ 1%nat); lia | lia].
    rewrite (block_stands _ _ _ (wadd (of_nat place) (repr 64 3)) 3 z s eq_refl eq_refl); [|apply (at_ 3%nat); lia | lia].
    unfold level_seed_0. rewrite ieqb_iand_1 by reflexivity. reflexivity.
  Qed.

  (* How many words a DPF has of each stream. *)
  Definition size_0 (purpose : lean_layers_Purpose) : nat :=
    nat_of (lean_layers_tree_depth h purpose) * 5 + 3 +
    match purpose with lean_layers_Purpose_Read => 0 | lean_layers_Purpose_Update => 9 end.
  Definition size_1 (purpose : lean_layers_Purpose) : nat := nat_of (lean_layers_tree_depth h purpose) * 3 + 1.

  Lemma seed_words_0_size purpose : lean_tape_seed_words_0 h purpose = of_nat (size_0 purpose).
  Proof.
    unfold lean_tape_seed_words_0, size_0. rewrite !of_nat_add, of_nat_mul, of_nat_nat_of. destruct purpose; reflexivity.
  Qed.
  Lemma seed_words_1_size purpose : lean_tape_seed_words_1 h purpose = of_nat (size_1 purpose).
  Proof. unfold lean_tape_seed_words_1, size_1. rewrite of_nat_add, of_nat_mul, of_nat_nat_of. reflexivity. Qed.

  (* What P0 and P2 have in common for DPF number [dpf], which stands behind that of the DPFs before it. *)
  Theorem seed_0_is_of_its_words (purpose : lean_layers_Purpose) (dpf : nat) (levels : list level_draws_0) (one_hot : u128) (mask : u64)
    (values : list u64) (share : u64) :
    length levels = nat_of (lean_layers_tree_depth h purpose) -> length values = 8%nat ->
    stands words (dpf * size_0 purpose) (words_of_seed_0 (levels, (one_hot, mask)) ++
      match purpose with lean_layers_Purpose_Read => [] | lean_layers_Purpose_Update => words_of_values values share end) ->
    Z.of_nat ((dpf + 1) * size_0 purpose) < 2 ^ 64 ->
    lean_tape_seed_0 W words h purpose (of_nat dpf)
    = mk_lean_tape_Seed0 (map level_seed_0 levels) one_hot (lean_one_hot_low_bits mask (lean_layers_flag_bits h))
        match purpose with lean_layers_Purpose_Read => ring_Ring_zero W | lean_layers_Purpose_Update => ring_Ring_from_u64 W share end
        match purpose with lean_layers_Purpose_Read => [] | lean_layers_Purpose_Update => map (ring_Ring_from_u64 W) values end.
  Proof.
    intros hl hv s small. set (start := (dpf * size_0 purpose)%nat) in *.
    assert (room : Z.of_nat (start + size_0 purpose) < 2 ^ 64) by (unfold start; lia). clear small.
    set (n := lean_layers_tree_depth h purpose) in *.
    unfold words_of_seed_0 in s. rewrite <- !app_assoc in s.
    assert (tail := s). rewrite <- (app_nil_r (block_words _ ++ _)) in tail. apply stands_part in tail.
    assert (all : Forall (fun level => length (forth level_read_off_0 level) = 5%nat) levels).
    { apply Forall_forall. intros level _. apply (forth_drawn level_read_off_0). exact I. }
    rewrite (flat_map_length_const _ _ _ all), hl in tail.
    unfold lean_tape_seed_0. cbv zeta. rewrite seed_words_0_size, <- of_nat_mul. fold start n.
    assert (big : (nat_of n * 5 + 3 + match purpose with lean_layers_Purpose_Read => 0 | lean_layers_Purpose_Update => 9 end
      = size_0 purpose)%nat) by reflexivity.
    assert (triples := levels_0 start n levels _ hl s ltac:(lia)). cbv zeta in triples. rewrite triples.
    replace (wadd (of_nat start) (wmul n (repr 64 5))) with (of_nat (start + nat_of n * 5))
      by (rewrite of_nat_add, of_nat_mul, of_nat_nat_of; reflexivity).
    set (end_1 := (start + nat_of n * 5)%nat) in *.
    assert (at_ : forall j, (j < size_0 purpose - nat_of n * 5)%nat -> val (wadd (of_nat end_1) (of_nat j)) = Z.of_nat (end_1 + j))
      by (intros j hj; rewrite <- of_nat_add, val_of_nat by lia; reflexivity).
    rewrite (block_stands _ _ _ (of_nat end_1) 0 one_hot tail eq_refl eq_refl); [|rewrite val_of_nat by lia; lia | lia].
    rewrite (word_stands _ _ _ (wadd (of_nat end_1) (repr 64 2)) 2 mask tail eq_refl) by (apply (at_ 2%nat); lia).
    destruct purpose; [reflexivity|].
    assert (eight : exists a b c d e f g i, values = [a; b; c; d; e; f; g; i]).
    { destruct values as [|a [|b [|c [|d [|e [|f [|g [|i [|? ?]]]]]]]]]; try discriminate hv. repeat eexists. }
    destruct eight as (a & b & c & d & e & f & g & i & ->). unfold lean_tape_ring_word, lean_tape_ring_words.
    rewrite (word_stands _ _ _ (wadd (of_nat end_1) (repr 64 11)) 11 share tail eq_refl) by (apply (at_ 11%nat); lia).
    f_equal. rewrite map_range_0. change (nat_of lean_layers_NODE_WORDS) with 8%nat. cbn [seq map].
    assert (one : forall j w, (j < 8)%nat -> nth_error [a; b; c; d; e; f; g; i] j = Some w ->
      lean_tape_ring_word W words (wadd (wadd (of_nat end_1) (repr 64 3)) (of_nat j)) = ring_Ring_from_u64 W w).
    { intros j w hj ej. unfold lean_tape_ring_word. f_equal.
      replace (wadd (wadd (of_nat end_1) (repr 64 3)) (of_nat j)) with (wadd (of_nat end_1) (of_nat (3 + j)))
        by (rewrite (of_nat_add 3 j); change (of_nat 3) with (repr 64 3); ring).
      apply (word_stands _ _ _ _ (3 + j) w tail); [|apply at_; lia].
      do 8 (destruct j as [|j]; [exact ej|]). lia. }
    rewrite (one 0%nat a), (one 1%nat b), (one 2%nat c), (one 3%nat d), (one 4%nat e), (one 5%nat f), (one 6%nat g), (one 7%nat i)
      by (reflexivity || lia). reflexivity.
  Qed.

  (* What P1 and P2 have in common for a DPF. *)
  Theorem seed_1_is_of_its_words (purpose : lean_layers_Purpose) (dpf : nat) (levels : list level_draws_1) (mask : u64) :
    length levels = nat_of (lean_layers_tree_depth h purpose) ->
    stands words (dpf * size_1 purpose) (words_of_seed_1 (levels, mask)) -> Z.of_nat ((dpf + 1) * size_1 purpose) < 2 ^ 64 ->
    lean_tape_seed_1 words h purpose (of_nat dpf)
    = mk_lean_tape_Seed1 (map level_seed_1 levels) (lean_one_hot_low_bits mask (lean_layers_flag_bits h)).
  Proof.
    intros hl s small. set (start := (dpf * size_1 purpose)%nat) in *.
    assert (room : Z.of_nat (start + size_1 purpose) < 2 ^ 64) by (unfold start; lia). clear small.
    set (n := lean_layers_tree_depth h purpose) in *. assert (big : (nat_of n * 3 + 1 = size_1 purpose)%nat) by reflexivity.
    unfold words_of_seed_1 in s.
    assert (all : Forall (fun level => length (forth level_read_off_1 level) = 3%nat) levels).
    { apply Forall_forall. intros level _. apply (forth_drawn level_read_off_1). exact I. }
    assert (tail := s). rewrite <- (app_nil_r [mask]) in tail. apply stands_part in tail.
    rewrite (flat_map_length_const _ _ _ all), hl in tail.
    unfold lean_tape_seed_1. cbv zeta. rewrite seed_words_1_size, <- of_nat_mul. fold start n.
    replace (wadd (of_nat start) (wmul n (repr 64 3))) with (of_nat (start + nat_of n * 3))
      by (rewrite of_nat_add, of_nat_mul, of_nat_nat_of; reflexivity).
    rewrite (word_stands _ _ _ _ 0 mask tail eq_refl) by (rewrite val_of_nat by lia; lia). f_equal.
    set (d := (repr 64 0, repr 128 0) : level_draws_1).
    apply (list_ext (level_seed_1 d)); rewrite map_range_0_length, ?map_length; [congruence|].
    intros k hk. rewrite nth_map_range_0 by assumption. rewrite (nth_map _ _ k d) by lia. cbv zeta.
    rewrite (flat_map_around (forth level_read_off_1) levels k d), <- !app_assoc in s by lia. apply stands_part in s.
    rewrite (flat_map_firstn_length _ 3) in s by (exact all || lia).
    change (repr 64 3) with (of_nat 3). rewrite <- of_nat_mul, <- of_nat_add.
    set (place := (start + k * 3)%nat) in *. assert (hp : Z.of_nat (place + 3) < 2 ^ 64) by (unfold place; nia).
    destruct (nth k levels d) as [x y].
    rewrite (word_stands _ _ _ (of_nat place) 0 x s eq_refl) by (rewrite val_of_nat by lia; lia).
    rewrite (block_stands _ _ _ (wadd (of_nat place) (repr 64 1)) 1 y s eq_refl eq_refl);
      [|change (repr 64 1) with (of_nat 1); rewrite <- of_nat_add, val_of_nat by lia; reflexivity | lia].
    unfold level_seed_1. rewrite ieqb_iand_1 by reflexivity. reflexivity.
  Qed.

  (* Behind both DPFs of an item stand the masks of the operations: of WRITE, with P0; rho and, of WRITE, with P1. *)
  Theorem mask_02_stands_behind (y_02 : u64) :
    let size := (2 * size_0 lean_layers_Purpose_Update)%nat in
    stands words size [y_02] -> Z.of_nat size < 2 ^ 64 -> lean_tape_online_02 W words h = ring_Ring_from_u64 W y_02.
  Proof.
    intros size s small. unfold lean_tape_online_02, lean_tape_ring_word. f_equal. rewrite seed_words_0_size.
    change (repr 64 2) with (of_nat 2). rewrite <- of_nat_mul. apply (word_stands _ _ _ _ 0 _ s eq_refl).
    rewrite val_of_nat; unfold size in *; lia.
  Qed.

  Theorem masks_12_stand_behind (purpose : lean_layers_Purpose) (masks : list u64) (place : nat) (mask : u64) :
    let size := (2 * size_1 purpose)%nat in
    stands words size masks -> Z.of_nat (size + length masks) < 2 ^ 64 -> nth_error masks place = Some mask ->
    lean_tape_online_12 W words h purpose (of_nat place) = ring_Ring_from_u64 W mask.
  Proof.
    intros size s small e. unfold lean_tape_online_12, lean_tape_ring_word. f_equal. rewrite seed_words_1_size.
    assert (place < length masks)%nat by (apply nth_error_Some; congruence).
    change (repr 64 2) with (of_nat 2). rewrite <- of_nat_mul, <- of_nat_add. apply (word_stands _ _ _ _ place _ s e).
    rewrite val_of_nat; unfold size in *; lia.
  Qed.
End Seeds.

(** * Streams *)

(* Each item has a stream of its own, which is not the load's. *)
Theorem streams_are_apart (pair : lean_tape_PairStreams) (item : u64) : val item + 1 < 2 ^ 64 ->
  lean_tape_item_stream pair item = nth (S (nat_of item)) (lean_tape_PairStreams_streams pair) [].
Proof.
  intros small. unfold lean_tape_item_stream, lean_tape_stream. rewrite match_get. f_equal.
  apply Nat2Z.inj. rewrite Nat2Z.inj_succ, !Z_nat_of, val_wadd. change (val (repr 64 1)) with 1.
  pose proof (val_bounds item). rewrite Z.mod_small by lia. lia.
Qed.

(** * A batch at P0 and at P2 *)

(* What P0 and P2 have in common for one DPF of an item, with the values of UPDATE items. *)
Definition dpf_draws_0 : Type := (list level_draws_0 * (u128 * u64)) * (list u64 * u64).
Definition words_of_dpf_0 (purpose : lean_layers_Purpose) (draws : dpf_draws_0) : list u64 :=
  let '(seed, (values, share)) := draws in
  words_of_seed_0 seed ++ match purpose with lean_layers_Purpose_Read => [] | lean_layers_Purpose_Update => words_of_values values share end.
Definition whole_0 (h : u64) (purpose : lean_layers_Purpose) (draws : dpf_draws_0) : Prop :=
  length (fst (fst draws)) = nat_of (lean_layers_tree_depth h purpose) /\ length (fst (snd draws)) = 8%nat.

Section Batch.
  Context {W : Type} {W_Ring : ring_Ring W} {P : Type} (h : u64).

  Definition seed_of_draws_0 (purpose : lean_layers_Purpose) (draws : dpf_draws_0) : lean_tape_Seed0 W :=
    let '((levels, (one_hot, mask)), (values, share)) := draws in
    mk_lean_tape_Seed0 (map level_seed_0 levels) one_hot (lean_one_hot_low_bits mask (lean_layers_flag_bits h))
      match purpose with lean_layers_Purpose_Read => ring_Ring_zero W | lean_layers_Purpose_Update => ring_Ring_from_u64 W share end
      match purpose with lean_layers_Purpose_Read => [] | lean_layers_Purpose_Update => map (ring_Ring_from_u64 W) values end.

  Lemma words_of_dpf_0_length purpose draws : whole_0 h purpose draws -> length (words_of_dpf_0 purpose draws) = size_0 h purpose.
  Proof.
    destruct draws as [[levels [one_hot mask]] [values share]]. intros [hl hv]. cbn [fst snd] in hl, hv.
    unfold words_of_dpf_0, words_of_seed_0, size_0. rewrite !app_length, (flat_map_length_const _ 5).
    - rewrite hl. destruct purpose; cbn [block_words length words_of_values]; [lia|].
      unfold words_of_values. rewrite app_length, hv. cbn [length]. lia.
    - apply Forall_forall. intros level _. apply (forth_drawn level_read_off_0). exact I.
  Qed.

  (* Both DPFs of an item, off one stream. *)
  Lemma seeds_0_of_item (words : list u64) purpose (a b : dpf_draws_0) :
    whole_0 h purpose a -> whole_0 h purpose b -> stands words 0 (words_of_dpf_0 purpose a ++ words_of_dpf_0 purpose b) ->
    Z.of_nat (2 * size_0 h purpose) < 2 ^ 64 ->
    lean_tape_seed_0 W words h purpose (repr 64 0) = seed_of_draws_0 purpose a /\
    lean_tape_seed_0 W words h purpose (repr 64 1) = seed_of_draws_0 purpose b.
  Proof.
    intros ha hb s small. pose proof (words_of_dpf_0_length purpose a ha) as la. split.
    - destruct a as [[levels [one_hot mask]] [values share]]. destruct ha as [hl hv].
      apply (seed_0_is_of_its_words W words h purpose 0 levels one_hot mask values share hl hv); [|lia].
      apply (stands_part words 0 [] _ (words_of_dpf_0 purpose b)). exact s.
    - assert (s' : stands words (1 * size_0 h purpose) (words_of_dpf_0 purpose b)).
      { rewrite <- (app_nil_r (words_of_dpf_0 purpose b)) in s. apply stands_part in s. rewrite la in s.
        replace (1 * size_0 h purpose)%nat with (0 + size_0 h purpose)%nat by lia. exact s. }
      destruct b as [[levels [one_hot mask]] [values share]]. destruct hb as [hl hv].
      apply (seed_0_is_of_its_words W words h purpose 1 levels one_hot mask values share hl hv); [exact s' | lia].
  Qed.

  Lemma flat_map_same_in {A B : Type} (l : list A) (f g : A -> list B) : (forall x, In x l -> f x = g x) -> flat_map f l = flat_map g l.
  Proof.
    induction l as [|x l IH]; intros e; [reflexivity|]. cbn. rewrite (e x) by (left; reflexivity).
    rewrite IH; [reflexivity|]. intros y hy. apply e. right. exact hy.
  Qed.

  (* P0 begins each item of a batch with draws of that item only: its own words stand 5 an item behind those that it has drawn, the
     streams are those of the item's number. *)
  Theorem begin_0_is_of_its_draws (p0 : lean_party_Party0 W P) (reads updates : u64)
    (own : u64 -> own_draws) (common : u64 -> u64 * u64) (dealt_a dealt_b : u64 -> dpf_draws_0) :
    lean_party_Party0_log_size p0 = h ->
    (forall j purpose, In (j, purpose) (enumerate (lean_preprocessing_purposes reads updates)) ->
      let start := (nat_of (lean_party_Party0_drawn p0) + nat_of j * 5)%nat in
      let number := wadd (lean_party_Party0_items p0) j in
      stands (lean_party_Party0_tape p0) start (forth own_read_off (own j)) /\ Z.of_nat (start + 5) < 2 ^ 64 /\
      (purpose = lean_layers_Purpose_Update -> stands (lean_tape_item_stream (lean_party_Party0_stream_01 p0) number) 0
        [fst (common j); snd (common j)]) /\
      whole_0 h purpose (dealt_a j) /\ whole_0 h purpose (dealt_b j) /\ Z.of_nat (2 * size_0 h purpose) < 2 ^ 64 /\
      stands (lean_tape_item_stream (lean_party_Party0_stream_02 p0) number) 0
        (words_of_dpf_0 purpose (dealt_a j) ++ words_of_dpf_0 purpose (dealt_b j))) ->
    lean_preprocessing_begin_0 p0 reads updates
    = flat_map (fun '(j, purpose) =>
        let '(index, (root_a, root_b)) := own j in
        let one := fun (root : u128) (g : u64) (dealt : dpf_draws_0) =>
          let seed := seed_of_draws_0 purpose dealt in
          lean_generation_begin share_Primary_P0
            (mk_lean_generation_Input h purpose (lean_one_hot_low_bits index h) root (lean_tape_Seed0_mask seed)
              match purpose with lean_layers_Purpose_Read => ring_Ring_zero W | lean_layers_Purpose_Update => ring_Ring_from_u64 W g end)
            (lean_dealing_dealt_0 seed) in
        [one root_a (fst (common j)) (dealt_a j); one root_b (snd (common j)) (dealt_b j)])
      (enumerate (lean_preprocessing_purposes reads updates)).
  Proof.
    intros eh each. unfold lean_preprocessing_begin_0. rewrite eh.
    apply flat_map_same_in. intros [j purpose] hin. destruct (each j purpose hin) as (s & small & s_01 & wa & wb & room & s_02).
    destruct (own j) as [index [root_a root_b]]. destruct (seeds_0_of_item _ purpose _ _ wa wb s_02 room) as [e_a e_b].
    rewrite e_a, e_b.
    replace (wadd (lean_party_Party0_drawn p0) (wmul j lean_tape_PRIMARY_WORDS))
      with (of_nat (nat_of (lean_party_Party0_drawn p0) + nat_of j * 5))
      by (rewrite of_nat_add, of_nat_mul, !of_nat_nat_of; reflexivity).
    rewrite (own_is_of_its_words _ _ _ _ _ s small). destruct purpose; [reflexivity|]. specialize (s_01 eq_refl).
    unfold lean_preprocessing_common, lean_tape_common_value, lean_tape_ring_word.
    rewrite (word_stands _ _ _ (repr 64 0) 0 _ s_01 eq_refl eq_refl), (word_stands _ _ _ (repr 64 1) 1 _ s_01 eq_refl eq_refl).
    reflexivity.
  Qed.

  (* A batch moves each party's place in its own words by what it read: 5 an item at a primary. *)
  Theorem prepared_0_draws_on (p0 : lean_party_Party0 W P) batch own received (reads : u64) :
    let made := combine (lean_preprocessing_pairs batch) (combine own received) in
    Z.of_nat (length made) < 2 ^ 64 ->
    lean_party_Party0_drawn (lean_preprocessing_prepared_0 p0 batch own received reads)
    = wadd (lean_party_Party0_drawn p0) (of_nat (length made * 5)).
  Proof.
    intros made small. unfold lean_preprocessing_prepared_0. cbv zeta. cbn [lean_party_Party0_drawn]. f_equal.
    rewrite len_map. unfold enumerate, len. fold made. rewrite combine_length, range_length.
    change (nat_of (repr 64 0)) with 0%nat. rewrite Nat.sub_0_r, nat_of_of_nat by exact small.
    rewrite Nat.min_id, of_nat_mul. reflexivity.
  Qed.
  Theorem prepared_1_draws_on (p1 : lean_party_Party1 W P) batch (reads : u64) :
    Z.of_nat (length (lean_preprocessing_pairs batch)) < 2 ^ 64 ->
    lean_party_Party1_drawn (lean_preprocessing_prepared_1 p1 batch reads)
    = wadd (lean_party_Party1_drawn p1) (of_nat (length (lean_preprocessing_pairs batch) * 5)).
  Proof.
    intros small. unfold lean_preprocessing_prepared_1. cbv zeta. cbn [lean_party_Party1_drawn]. f_equal.
    rewrite len_map. unfold enumerate, len. rewrite combine_length, range_length.
    change (nat_of (repr 64 0)) with 0%nat. rewrite Nat.sub_0_r, nat_of_of_nat by exact small.
    rewrite Nat.min_id, of_nat_mul. reflexivity.
  Qed.

  (* What P1 and P2 have in common for one DPF. *)
  Definition seed_of_draws_1 (draws : seed_draws_1) : lean_tape_Seed1 :=
    let '(levels, mask) := draws in
    mk_lean_tape_Seed1 (map level_seed_1 levels) (lean_one_hot_low_bits mask (lean_layers_flag_bits h)).
  Definition whole_1 (purpose : lean_layers_Purpose) (draws : seed_draws_1) : Prop :=
    length (fst draws) = nat_of (lean_layers_tree_depth h purpose).

  Lemma seeds_1_of_item (words : list u64) purpose (a b : seed_draws_1) :
    whole_1 purpose a -> whole_1 purpose b -> stands words 0 (words_of_seed_1 a ++ words_of_seed_1 b) ->
    Z.of_nat (2 * size_1 h purpose) < 2 ^ 64 ->
    lean_tape_seed_1 words h purpose (repr 64 0) = seed_of_draws_1 a /\
    lean_tape_seed_1 words h purpose (repr 64 1) = seed_of_draws_1 b.
  Proof.
    intros ha hb s small. assert (la : length (words_of_seed_1 a) = size_1 h purpose).
    { destruct a as [levels mask]. unfold words_of_seed_1, size_1. rewrite app_length, (flat_map_length_const _ 3).
      - unfold whole_1 in ha. cbn [fst] in ha. rewrite ha. reflexivity.
      - apply Forall_forall. intros level _. apply (forth_drawn level_read_off_1). exact I. }
    split.
    - destruct a as [levels mask]. apply (seed_1_is_of_its_words words h purpose 0 levels mask ha); [|lia].
      apply (stands_part words 0 [] _ (words_of_seed_1 b)). exact s.
    - assert (s' : stands words (1 * size_1 h purpose) (words_of_seed_1 b)).
      { rewrite <- (app_nil_r (words_of_seed_1 b)) in s. apply stands_part in s. rewrite la in s.
        replace (1 * size_1 h purpose)%nat with (0 + size_1 h purpose)%nat by lia. exact s. }
      destruct b as [levels mask]. apply (seed_1_is_of_its_words words h purpose 1 levels mask hb); [exact s' | lia].
  Qed.

  (* P1 likewise: its own words, what it has with P0, and its masks of the stream with P2. *)
  Theorem begin_1_is_of_its_draws (p1 : lean_party_Party1 W P) (reads updates : u64)
    (own : u64 -> own_draws) (common : u64 -> u64 * u64) (seed_a seed_b : u64 -> seed_draws_1) :
    lean_party_Party1_log_size p1 = h ->
    (forall j purpose, In (j, purpose) (enumerate (lean_preprocessing_purposes reads updates)) ->
      let start := (nat_of (lean_party_Party1_drawn p1) + nat_of j * 5)%nat in
      let number := wadd (lean_party_Party1_items p1) j in
      stands (lean_party_Party1_tape p1) start (forth own_read_off (own j)) /\ Z.of_nat (start + 5) < 2 ^ 64 /\
      (purpose = lean_layers_Purpose_Update -> stands (lean_tape_item_stream (lean_party_Party1_stream_01 p1) number) 0
        [fst (common j); snd (common j)]) /\
      whole_1 purpose (seed_a j) /\ whole_1 purpose (seed_b j) /\ Z.of_nat (2 * size_1 h purpose) < 2 ^ 64 /\
      stands (lean_tape_item_stream (lean_party_Party1_stream_12 p1) number) 0
        (words_of_seed_1 (seed_a j) ++ words_of_seed_1 (seed_b j))) ->
    lean_preprocessing_begin_1 p1 reads updates
    = flat_map (fun '(j, purpose) =>
        let '(index, (root_a, root_b)) := own j in
        let one := fun (root : u128) (g : u64) (seed : seed_draws_1) =>
          lean_generation_begin share_Primary_P1
            (mk_lean_generation_Input h purpose (lean_one_hot_low_bits index h) root (lean_tape_Seed1_mask (seed_of_draws_1 seed))
              match purpose with lean_layers_Purpose_Read => ring_Ring_zero W | lean_layers_Purpose_Update => ring_Ring_from_u64 W g end)
            (mk_lean_dealing_Dealt [] (repr 128 0) [] (ring_Ring_zero W)) in
        [one root_a (fst (common j)) (seed_a j); one root_b (snd (common j)) (seed_b j)])
      (enumerate (lean_preprocessing_purposes reads updates)).
  Proof.
    intros eh each. unfold lean_preprocessing_begin_1. rewrite eh.
    apply flat_map_same_in. intros [j purpose] hin. destruct (each j purpose hin) as (s & small & s_01 & wa & wb & room & s_12).
    destruct (own j) as [index [root_a root_b]]. destruct (seeds_1_of_item _ purpose _ _ wa wb s_12 room) as [e_a e_b].
    rewrite e_a, e_b.
    replace (wadd (lean_party_Party1_drawn p1) (wmul j lean_tape_PRIMARY_WORDS))
      with (of_nat (nat_of (lean_party_Party1_drawn p1) + nat_of j * 5))
      by (rewrite of_nat_add, of_nat_mul, !of_nat_nat_of; reflexivity).
    rewrite (own_is_of_its_words _ _ _ _ _ s small). destruct purpose; [reflexivity|]. specialize (s_01 eq_refl).
    unfold lean_preprocessing_common, lean_tape_common_value, lean_tape_ring_word.
    rewrite (word_stands _ _ _ (repr 64 0) 0 _ s_01 eq_refl eq_refl), (word_stands _ _ _ (repr 64 1) 1 _ s_01 eq_refl eq_refl).
    reflexivity.
  Qed.

  (* P2 deals each DPF from its part of the item's streams and, for an UPDATE's item, a word of its own for each DPF: the two of
     UPDATE item m stand behind those of the m items before it. *)
  Theorem deal_2_is_of_its_draws (p2 : lean_party_Party2 W P) (reads updates : u64)
    (dealt_a dealt_b : u64 -> dpf_draws_0) (seed_a seed_b : u64 -> seed_draws_1) (value_a value_b : u64 -> u64) :
    lean_party_Party2_log_size p2 = h ->
    (forall j purpose, In (j, purpose) (enumerate (lean_preprocessing_purposes reads updates)) ->
      let number := wadd (lean_party_Party2_items p2) j in
      let start := (nat_of (lean_party_Party2_drawn p2) + nat_of (wsub j reads) * 2)%nat in
      whole_0 h purpose (dealt_a j) /\ whole_0 h purpose (dealt_b j) /\ Z.of_nat (2 * size_0 h purpose) < 2 ^ 64 /\
      stands (lean_tape_item_stream (lean_party_Party2_stream_02 p2) number) 0
        (words_of_dpf_0 purpose (dealt_a j) ++ words_of_dpf_0 purpose (dealt_b j)) /\
      whole_1 purpose (seed_a j) /\ whole_1 purpose (seed_b j) /\ Z.of_nat (2 * size_1 h purpose) < 2 ^ 64 /\
      stands (lean_tape_item_stream (lean_party_Party2_stream_12 p2) number) 0
        (words_of_seed_1 (seed_a j) ++ words_of_seed_1 (seed_b j)) /\
      (purpose = lean_layers_Purpose_Update -> stands (lean_party_Party2_tape p2) start [value_a j; value_b j] /\
        Z.of_nat (start + 2) < 2 ^ 64)) ->
    lean_preprocessing_deal_2 p2 reads updates
    = flat_map (fun '(j, purpose) =>
        let one := fun dealt seed (value : u64) =>
          lean_dealing_deal (seed_of_draws_0 purpose dealt) (seed_of_draws_1 seed) purpose
            match purpose with lean_layers_Purpose_Read => ring_Ring_zero W | lean_layers_Purpose_Update => ring_Ring_from_u64 W value end in
        [one (dealt_a j) (seed_a j) (value_a j); one (dealt_b j) (seed_b j) (value_b j)])
      (enumerate (lean_preprocessing_purposes reads updates)).
  Proof.
    intros eh each. unfold lean_preprocessing_deal_2. rewrite eh.
    apply flat_map_same_in. intros [j purpose] hin.
    destruct (each j purpose hin) as (wa & wb & room & s_02 & va & vb & room' & s_12 & s).
    destruct (seeds_0_of_item _ purpose _ _ wa wb s_02 room) as [e_a e_b].
    destruct (seeds_1_of_item _ purpose _ _ va vb s_12 room') as [f_a f_b].
    cbv zeta. rewrite e_a, e_b, f_a, f_b. destruct purpose; [reflexivity|]. destruct (s eq_refl) as [stand small].
    unfold lean_tape_ring_word.
    set (start := (nat_of (lean_party_Party2_drawn p2) + nat_of (wsub j reads) * 2)%nat) in *.
    replace (wadd (lean_party_Party2_drawn p2) (wmul (wsub j reads) (repr 64 2))) with (of_nat start)
      by (unfold start; rewrite of_nat_add, of_nat_mul, !of_nat_nat_of; reflexivity).
    rewrite (word_stands _ _ _ (wadd (of_nat start) (repr 64 0)) 0 (value_a j) stand eq_refl)
      by (change (repr 64 0) with (of_nat 0); rewrite <- of_nat_add, val_of_nat by lia; reflexivity).
    rewrite (word_stands _ _ _ (wadd (of_nat start) (repr 64 1)) 1 (value_b j) stand eq_refl)
      by (change (repr 64 1) with (of_nat 1); rewrite <- of_nat_add, val_of_nat by lia; reflexivity).
    reflexivity.
  Qed.

  (* P2 goes on behind two words for each UPDATE item. *)
  Theorem prepared_2_draws_on (p2 : lean_party_Party2 W P) from_0 from_1 (reads : u64) :
    let made := combine from_0 from_1 in
    Z.of_nat (length made) < 2 ^ 64 ->
    lean_party_Party2_drawn (lean_preprocessing_prepared_2 p2 from_0 from_1 reads)
    = wadd (lean_party_Party2_drawn p2) (of_nat ((length made - nat_of reads) * 2)).
  Proof.
    intros made small. unfold lean_preprocessing_prepared_2. cbv zeta. cbn [lean_party_Party2_drawn]. f_equal.
    unfold len at 1. rewrite ?map_length, skip_length, map_length. unfold enumerate, len. fold made.
    rewrite combine_length, range_length. change (nat_of (repr 64 0)) with 0%nat.
    rewrite Nat.sub_0_r, nat_of_of_nat by exact small. rewrite Nat.min_id, of_nat_mul. reflexivity.
  Qed.
End Batch.
