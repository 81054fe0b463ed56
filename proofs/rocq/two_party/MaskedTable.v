(* Masks hide the other words [duoram, section 5], [np99]: who has one key of each pair, those that the bits of an index q choose, learns of a
   masked table its word q and nothing else. The keys and the whole masked table are within h advantages against the PRF of the keys
   and a table that is uniform but for its word q, which is the masked one of the table: so all other words are uniform, whatever the
   table is. h is the number of pairs, n = 2^h that of words.

   The advantage ([Prf_Adv]) is that of telling the words that masks are made of (the value words of `PRF(K, x)`, x = 0 .. n - 1, for one
   uniform key K) from n uniform words. It is defined for every PRF and every distinguisher, and nothing is said of how small it is. One key of
   those that the party lacks is replaced after the other (Chains.v); then words are masked by uniform ones, exactly: a word x that is not q
   differs from it in some bit, so that the party lacks a key of its mask ([masked_by_uniform]).

   Any ring, any PRF. Probabilities are over both blocks of each pair and [rest], which is whatever else there is; index and table are
   any functions of it, and the test sees it. A PIR in whose answer there is less than the whole masked table tells less: what it answers is
   computed from this table and a query. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection Counting Chains.
From Duoram.core Require Import LabelFacts LemmasFacts DpfFacts PrgAdvantage.
From Duoram.two_party Require Import Masks.
From Duoram.Generated Require Import All.
#[local] Open Scope Q_scope.

(** * A word for each place of a list *)

(* The same place of two lists. *)
Definition zipped {A B C : Type} (f : A -> B -> C) (a : list A) (b : list B) : list C := map (uncurry f) (combine a b).
Lemma zipped_cons {A B C : Type} (f : A -> B -> C) (x : A) (y : B) (a : list A) (b : list B) :
  zipped f (x :: a) (y :: b) = f x y :: zipped f a b.
Proof. reflexivity. Qed.
Lemma zipped_length {A B C : Type} (f : A -> B -> C) (a : list A) (b : list B) (n : nat) : length a = n -> length b = n ->
  length (zipped f a b) = n.
Proof. intros. unfold zipped. rewrite map_length, combine_length. lia. Qed.
Lemma nth_zipped {A B C : Type} (f : A -> B -> C) (a : list A) (b : list B) (k : nat) (x : A) (y : B) (z : C) :
  (k < length a)%nat -> (k < length b)%nat -> nth k (zipped f a b) z = f (nth k a x) (nth k b y).
Proof.
  intros ha hb. unfold zipped. rewrite (nth_map _ _ k (x, y)) by (rewrite combine_length; lia).
  revert b k ha hb. induction a as [|u a IH]; intros [|v b] [|k] ha hb; cbn in *; try lia; [reflexivity|].
  apply IH; lia.
Qed.

Lemma draws_from_tuples {D : Type} (space : list D) (m j : nat) : draws_from (fun _ => space) j m = tuples m space.
Proof. revert j. induction m as [|m IH]; intros j; [reflexivity|]. cbn [draws_from tuples]. rewrite IH. reflexivity. Qed.
Lemma all_seen_map {D V : Type} (g : D -> V) (draws : list D) : forall j before,
  all_seen (fun _ _ d => g d) j before draws = before ++ map g draws.
Proof.
  induction draws as [|d draws IH]; intros j before; cbn [all_seen map]; [symmetry; apply app_nil_r|].
  rewrite IH, <- app_assoc. reflexivity.
Qed.

(** * Words that are masked by uniform ones *)

Section Uniform.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Theory : RingTheory W} (all_words : list W).
  Add Ring W_ring : (ring_theory_W W).
  Hypothesis all_words_enumerate : enumerates all_words anything.
  Notation "x [+] y" := (ring_Ring_plus x y) (at level 50, left associativity).
  Notation "x [-] y" := (ring_Ring_minus x y) (at level 50, left associativity).
  Notation zero := (ring_Ring_zero W).

  (* The places of [column] masked with [mask]. *)
  Definition one_masked (column : list bool) (words mask : list W) : list W :=
    zipped (fun (d : bool) '(b, t) => if d then b [+] t else b) column (combine words mask).
  Fixpoint all_masked (columns : list (list bool)) (words : list W) (masks : list (list W)) : list W :=
    match columns, masks with
    | column :: columns, mask :: masks => all_masked columns (one_masked column words mask) masks
    | _, _ => words
    end.
  (* The places of [column] replaced. *)
  Definition picked (column : list bool) (words others : list W) : list W :=
    zipped (fun (d : bool) '(b, u) => if d then u else b) column (combine words others).
  Fixpoint any_of (n : nat) (columns : list (list bool)) : list bool :=
    match columns with
    | [] => repeat false n
    | column :: columns => zipped orb column (any_of n columns)
    end.

  Lemma any_of_length (n : nat) (columns : list (list bool)) : (forall c, In c columns -> length c = n) ->
    length (any_of n columns) = n.
  Proof.
    intros hc. induction columns as [|c cs IH]; [apply repeat_length|]. cbn [any_of].
    apply zipped_length; [apply hc; left; reflexivity | apply IH; intros; apply hc; right; assumption].
  Qed.
  Lemma one_masked_length (n : nat) column words mask : length column = n -> length words = n -> length mask = n ->
    length (one_masked column words mask) = n.
  Proof. intros. apply zipped_length; [assumption|]. rewrite combine_length. lia. Qed.

  Lemma words_not_none : all_words <> [].
  Proof. exact (space_not_empty _ _ zero all_words_enumerate I). Qed.
  Lemma mean_shifted (b : W) (f : W -> Q) : mean all_words (fun t => f (b [+] t)) == mean all_words f.
  Proof.
    apply (mean_by_bijection all_words all_words (fun t => b [+] t) (fun t => t [-] b) f); auto; intros; ring.
  Qed.

  (* A place that a uniform word masks, and one that is replaced by a uniform word, are both uniform. *)
  Lemma one_masked_picked (n : nat) : forall (c d : list bool) (words : list W) (f : list W -> Q),
    length c = n -> length d = n -> length words = n ->
    mean (tuples n all_words) (fun mask => mean (tuples n all_words) (fun us => f (picked d (one_masked c words mask) us)))
    == mean (tuples n all_words) (fun us => f (picked (zipped orb c d) words us)).
  Proof.
    induction n as [|n IH]; intros [|x c] [|y d] [|b words] f hc hd hw; try discriminate.
    - rewrite !mean_tuples_0. reflexivity.
    - injection hc as hc. injection hd as hd. injection hw as hw.
      rewrite !mean_tuples_S.
      transitivity (mean all_words (fun t => mean all_words (fun u => mean (tuples n all_words) (fun mask => mean (tuples n all_words)
        (fun us => f ((if y then u else if x then b [+] t else b) :: picked d (one_masked c words mask) us)))))).
      { apply mean_ext. intros t _. rewrite mean_swap. rewrite mean_tuples_S. apply mean_ext. intros u _.
        rewrite mean_swap. apply mean_ext. intros mask _. apply mean_ext. intros us _. reflexivity. }
      transitivity (mean all_words (fun t => mean all_words (fun u =>
        mean (tuples n all_words) (fun us => f ((if y then u else if x then b [+] t else b) :: picked (zipped orb c d) words us))))).
      { apply mean_ext. intros t _. apply mean_ext. intros u _. apply (IH c d words (fun l => f (_ :: l))); assumption. }
      pose (g := fun w => mean (tuples n all_words) (fun us => f (w :: picked (zipped orb c d) words us))).
      transitivity (mean all_words (fun u => g (if x || y then u else b))%bool).
      { destruct y.
        - rewrite mean_const by exact words_not_none. rewrite orb_true_r. reflexivity.
        - rewrite orb_false_r. transitivity (mean all_words (fun t => g (if x then b [+] t else b))).
          + apply mean_ext. intros t _. rewrite mean_const by exact words_not_none. reflexivity.
          + destruct x; [apply (mean_shifted b g) | reflexivity]. }
      apply mean_ext. intros u _. reflexivity.
  Qed.

  (* All that some column has is uniform, the rest is as it was. *)
  Theorem masked_by_uniform (n : nat) (columns : list (list bool)) : forall (words : list W) (f : list W -> Q),
    (forall c, In c columns -> length c = n) -> length words = n ->
    mean (tuples (length columns) (tuples n all_words)) (fun masks => f (all_masked columns words masks))
    == mean (tuples n all_words) (fun us => f (picked (any_of n columns) words us)).
  Proof.
    induction columns as [|c cs IH]; intros words f hc hw; cbn [length].
    - rewrite mean_tuples_0. cbn [all_masked any_of].
      transitivity (mean (tuples n all_words) (fun _ => f words)).
      + symmetry. apply mean_const. pose proof (tuples_enumerate n all_words all_words_enumerate) as e.
        exact (space_not_empty _ _ (repeat zero n) e (repeat_length _ _)).
      + apply mean_ext. intros us hu. apply tuples_length in hu. assert (e : picked (repeat false n) words us = words).
        { clear hc f. revert words us hw hu. induction n as [|n IH]; intros [|b words] [|u us] hw hu; try discriminate; [reflexivity|].
          cbn [repeat]. unfold picked. cbn [combine]. rewrite zipped_cons. f_equal. apply IH; cbn in *; lia. }
        rewrite e. reflexivity.
    - rewrite mean_tuples_S. cbn [all_masked any_of].
      transitivity (mean (tuples n all_words) (fun mask => mean (tuples n all_words) (fun us => f (picked (any_of n cs) (one_masked c words mask) us)))).
      + apply mean_ext. intros mask hm. apply tuples_length in hm. apply IH; [intros; apply hc; right; assumption|].
        apply one_masked_length; auto. apply hc. left. reflexivity.
      + apply one_masked_picked; [apply hc; left; reflexivity | apply any_of_length; intros; apply hc; right; assumption | assumption].
  Qed.

  Lemma all_masked_length (n : nat) (columns : list (list bool)) : forall (words : list W) (masks : list (list W)),
    (forall c, In c columns -> length c = n) -> (forall m, In m masks -> length m = n) -> length words = n ->
    length (all_masked columns words masks) = n.
  Proof.
    induction columns as [|c cs IH]; intros words [|m ms] hc hm hw; try assumption. cbn [all_masked].
    apply IH; [intros; apply hc; right; assumption | intros; apply hm; right; assumption|].
    apply one_masked_length; auto; [apply hc | apply hm]; left; reflexivity.
  Qed.
  (* One place, whose row is [row]. *)
  Definition masked_step (sum : W) (z : bool * W) : W := if fst z then sum [+] snd z else sum.
  Lemma nth_all_masked (n k : nat) (columns : list (list bool)) : forall (words : list W) (masks : list (list W)),
    (forall c, In c columns -> length c = n) -> (forall m, In m masks -> length m = n) -> length words = n -> (k < n)%nat ->
    nth k (all_masked columns words masks) zero
    = fold_left masked_step (combine (map (fun c => nth k c false) columns) (map (fun m => nth k m zero) masks)) (nth k words zero).
  Proof.
    induction columns as [|c cs IH]; intros words [|m ms] hc hm hw hk; try reflexivity. cbn [all_masked map combine fold_left].
    assert (lc : length c = n) by (apply hc; left; reflexivity). assert (lm : length m = n) by (apply hm; left; reflexivity).
    rewrite IH; [| intros; apply hc; right; assumption | intros; apply hm; right; assumption | apply one_masked_length; auto | assumption].
    f_equal. unfold one_masked. rewrite (nth_zipped _ _ _ k false (zero, zero)) by (rewrite ?combine_length; lia).
    assert (e : nth k (combine words m) (zero, zero) = (nth k words zero, nth k m zero)) by (apply combine_nth; lia).
    rewrite e. reflexivity.
  Qed.
  Lemma nth_any_of (n k : nat) (columns : list (list bool)) : (forall c, In c columns -> length c = n) -> (k < n)%nat ->
    nth k (any_of n columns) false = existsb (fun c => nth k c false) columns.
  Proof.
    intros hc hk. induction columns as [|c cs IH]; cbn [any_of existsb].
    - apply nth_repeat.
    - assert (lc : length c = n) by (apply hc; left; reflexivity).
      assert (hs : forall c, In c cs -> length c = n) by (intros; apply hc; right; assumption).
      rewrite (nth_zipped _ _ _ k false false) by (rewrite ?any_of_length by assumption; lia). rewrite IH by assumption. reflexivity.
  Qed.
End Uniform.

(** * The PRF *)

(* It draws coins, is given n words, and guesses. *)
Record prf_distinguisher (W : Type) : Type := {
  prf_coins : Type;
  prf_coin_space : list prf_coins;
  prf_guess : prf_coins -> list W -> bool;
}.
Arguments prf_coins {W} _.
Arguments prf_coin_space {W} _.
Arguments prf_guess {W} _ _ _.

Section Masked.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Theory : RingTheory W} (all_words : list W).
  Add Ring W_ring2 : (ring_theory_W W).
  Hypothesis all_words_enumerate : enumerates all_words anything.
  Context {F : Type} {F_Prf : two_party_masks_Prf F} (prf : F).
  Context (h n : u64) (h_small : (val h < 64)%Z) (size : val n = (2 ^ val h)%Z).
  Notation "x [+] y" := (ring_Ring_plus x y) (at level 50, left associativity).
  Notation zero := (ring_Ring_zero W).
  Notation H := (nat_of h).
  Notation N := (nat_of n).

  (* The word that a key gives to the mask of word x. *)
  Definition prf_word (key : u128) (x : u64) : W := ring_Ring_value_word W (two_party_masks_Prf_value prf key (cast 128 x)).
  Definition prf_words (key : u128) : list W := map (prf_word key) (range (repr 64 0) n).

  Definition Prf_Adv (d : prf_distinguisher W) : Q :=
    Qabs (Pr (list_prod (prf_coin_space d) labels) (fun '(r, key) => prf_guess d r (prf_words key))
          - Pr (list_prod (prf_coin_space d) (tuples N all_words)) (fun '(r, values) => prf_guess d r values)).

  (** * Masks, by the keys that are known and those that are not *)

  Definition differences (a b : list bool) : list bool := zipped xorb a b.
  Definition known_step (x : u64) (sum : W) (z : bool * u128) : W := if fst z then sum else sum [+] prf_word (snd z) x.
  Definition key_step (x : u64) (sum : W) (key : u128) : W := sum [+] prf_word key x.

  Lemma mask_from (keys : list u128) (x : u64) : forall a : W, a [+] two_party_masks_mask W prf keys x = fold_left (key_step x) keys a.
  Proof.
    unfold two_party_masks_mask. change (fun (sum : W) (key : u128) => _) with (key_step x).
    assert (from : forall b c : W, fold_left (key_step x) keys (b [+] c) = b [+] fold_left (key_step x) keys c).
    { induction keys as [|key keys IH]; intros b c; [reflexivity|]. cbn [fold_left]. rewrite <- IH. f_equal. unfold key_step. ring. }
    intros a. rewrite <- from. f_equal. ring.
  Qed.
  Lemma known_from (x : u64) (l : list (bool * u128)) : forall a b : W,
    fold_left (known_step x) l (a [+] b) = fold_left (known_step x) l a [+] b.
  Proof.
    induction l as [|[d key] l IH]; intros a b; [reflexivity|]. cbn [fold_left]. rewrite <- IH. f_equal.
    unfold known_step. cbn [fst snd]. destruct d; ring.
  Qed.
  Lemma mask_split (x : u64) (pairs : list (u128 * u128)) : forall (own others : list bool) (a : W),
    length own = length pairs -> length others = length pairs ->
    fold_left (key_step x) (two_party_ot_received_all pairs own) a
    = fold_left masked_step (combine (differences own others) (map (fun key => prf_word key x) (two_party_ot_received_all pairs (map negb others))))
        (fold_left (known_step x) (combine (differences own others) (two_party_ot_received_all pairs others)) a).
  Proof.
    induction pairs as [|[k_0 k_1] pairs IH]; intros [|b own] [|c others] a ho ho'; try discriminate; [reflexivity|].
    injection ho as ho. injection ho' as ho'. specialize (IH own others). unfold differences in *. rewrite zipped_cons.
    unfold two_party_ot_received_all in *. cbn [map combine fold_left].
    rewrite IH by assumption. f_equal. destruct b, c; [reflexivity | apply known_from | apply known_from | reflexivity].
  Qed.
  Lemma known_all (x : u64) (bits : list bool) : forall (keys : list u128) (a : W), length keys = length bits ->
    fold_left (known_step x) (combine (differences bits bits) keys) a = fold_left (key_step x) keys a.
  Proof.
    induction bits as [|b bits IH]; intros [|key keys] a e; try discriminate; [reflexivity|].
    unfold differences in *. rewrite zipped_cons. cbn [combine fold_left]. rewrite IH by (cbn in e; lia). rewrite xorb_nilpotent. reflexivity.
  Qed.

  (** * The table *)

  Notation bits x := (dpf_address_bits x h).
  Definition row (q x : u64) : list bool := differences (bits x) (bits q).
  Definition columns_of (q : u64) : list (list bool) :=
    map (fun j => map (fun x => nth j (row q x) false) (range (repr 64 0) n)) (seq 0 H).
  (* The table under the keys that are known. *)
  Definition known_masked (q : u64) (keys : list u128) (table : list W) : list W :=
    map (fun x => fold_left (known_step x) (combine (row q x) keys) (vector_at table x zero)) (range (repr 64 0) n).

  Lemma row_length q x : length (row q x) = H.
  Proof. apply zipped_length; apply dpf_address_bits_length. Qed.
  Lemma columns_sized q : forall c, In c (columns_of q) -> length c = N.
  Proof. intros c i. unfold columns_of in i. apply in_map_iff in i as (j & <- & _). apply map_range_0_length. Qed.
  Lemma columns_length q : length (columns_of q) = H.
  Proof. unfold columns_of. rewrite map_length. apply seq_length. Qed.
  Lemma column_rows q k : (k < N)%nat -> map (fun c => nth k c false) (columns_of q) = row q (of_nat k).
  Proof.
    intros hk. unfold columns_of. rewrite map_map. apply (list_ext false).
    - rewrite map_length, seq_length, row_length. reflexivity.
    - intros j hj. rewrite map_length, seq_length in hj. rewrite (nth_map _ _ j 0%nat) by (rewrite seq_length; lia).
      rewrite seq_nth by lia. rewrite nth_map_range_0 by assumption. reflexivity.
  Qed.

  Theorem masked_table_by_keys (q : u64) (pairs : list (u128 * u128)) (table : list W) : length pairs = H -> sized n table ->
    two_party_masks_masked_table prf pairs table
    = all_masked (columns_of q) (known_masked q (two_party_ot_received_all pairs (bits q)) table)
        (map prf_words (two_party_ot_received_all pairs (map negb (bits q)))).
  Proof.
    intros hp hs. pose proof (Z_nat_of n) as zn. pose proof (val_bounds n).
    assert (masks_sized : forall m, In m (map prf_words (two_party_ot_received_all pairs (map negb (bits q)))) -> length m = N).
    { intros m i. apply in_map_iff in i as (key & <- & _). apply map_range_0_length. }
    assert (base : length (known_masked q (two_party_ot_received_all pairs (bits q)) table) = N) by apply map_range_0_length.
    assert (lp : len pairs = h) by (unfold len; rewrite hp; apply of_nat_nat_of).
    apply (list_ext zero).
    - rewrite (all_masked_length N) by (try assumption; apply columns_sized). unfold two_party_masks_masked_table. rewrite map_range_0_length, (sized_len n) by assumption. reflexivity.
    - intros k hk. unfold two_party_masks_masked_table in hk |- *. rewrite map_range_0_length, (sized_len n) in hk by assumption.
      rewrite (nth_all_masked N) by (try assumption; apply columns_sized). rewrite (sized_len n), nth_map_range_0 by assumption.
      cbv zeta. rewrite mask_from, cast_same. unfold two_party_masks_word_keys. rewrite lp.
      rewrite (mask_split _ pairs (bits (of_nat k)) (bits q)) by (rewrite dpf_address_bits_length; congruence).
      rewrite column_rows by assumption. unfold known_masked at 1. rewrite nth_map_range_0 by assumption.
      rewrite map_map. f_equal. f_equal. apply map_ext. intros key. unfold prf_words. rewrite nth_map_range_0 by assumption. reflexivity.
  Qed.

  (* A word that is not q has a bit that q has not. *)
  Lemma differs_somewhere q x : (val q < val n)%Z -> (val x < val n)%Z -> existsb (fun d => d) (row q x) = negb (ieqb x q).
  Proof.
    intros hq hx. destruct (ieqb_reflect x q) as [->|ne]; cbn [negb].
    - unfold row, differences. induction (bits q) as [|b l IH]; [reflexivity|]. rewrite zipped_cons. cbn [existsb].
      rewrite IH, xorb_nilpotent. reflexivity.
    - destruct (existsb (fun d => d) (row q x)) eqn:e; [reflexivity|]. elim ne. apply int_ext.
      assert (same : bits x = bits q).
      { unfold row in e. revert e. pose proof (dpf_address_bits_length x h) as a. pose proof (dpf_address_bits_length q h) as b.
        rewrite <- b in a. clear b. unfold differences. revert a. generalize (bits x) (bits q).
        induction l as [|u l IH]; intros [|v l'] a e; try discriminate; [reflexivity|].
        rewrite zipped_cons in e. cbn [existsb] in e. apply orb_false_iff in e as [e e']. f_equal.
        - destruct u, v; try discriminate; reflexivity.
        - apply IH; [cbn in a; lia | exact e']. }
      pose proof (val_bounds x). pose proof (val_bounds q). pose proof (val_bounds h).
      rewrite !address_bits_path in same by lia. apply (path_bits_inj (nat_of h)); rewrite ?Z_nat_of; [lia | lia | exact same].
  Qed.

  (* What is left: uniform words, but for word q, which is masked by the keys that are known. *)
  Definition all_but (q : u64) (word : W) (others : list W) : list W := replaced others (nat_of q) word.

  Lemma picked_all_but (q : u64) (keys : list u128) (table others : list W) :
    (val q < val n)%Z -> length keys = H -> length others = N ->
    picked (any_of N (columns_of q)) (known_masked q keys table) others
    = all_but q (two_party_read_ideal_symmetric_pir table q [+] two_party_masks_mask W prf keys q) others.
  Proof.
    intros hq hk ho. pose proof (Z_nat_of n) as zn. pose proof (Z_nat_of q) as zq. pose proof (val_bounds n).
    assert (base : length (known_masked q keys table) = N) by apply map_range_0_length.
    assert (any : length (any_of N (columns_of q)) = N) by (apply any_of_length, columns_sized).
    assert (both : length (combine (known_masked q keys table) others) = N) by (rewrite combine_length; lia).
    unfold all_but. apply (list_ext zero).
    - rewrite replaced_length by lia. rewrite ho. unfold picked. apply zipped_length; assumption.
    - intros k hk'. unfold picked in hk' |- *. rewrite (zipped_length _ _ _ N) in hk' by assumption.
      rewrite (nth_zipped _ _ _ k false (zero, zero)) by lia. rewrite combine_nth by lia. rewrite nth_replaced by lia.
      rewrite nth_any_of by (try assumption; apply columns_sized).
      assert (hx : (val (of_nat k) < val n)%Z) by (rewrite val_of_nat; lia).
      assert (e : existsb (fun c => nth k c false) (columns_of q) = negb (ieqb (of_nat k) q)).
      { rewrite <- (differs_somewhere q (of_nat k) hq hx), <- column_rows by assumption. clear.
        induction (columns_of q) as [|c cs IH]; [reflexivity|]. cbn [map existsb]. rewrite IH. reflexivity. }
      rewrite e. destruct (ieqb_reflect (of_nat k) q) as [eq|ne]; cbn [negb].
      + assert (ek : k = nat_of q) by (rewrite <- eq, nat_of_of_nat by lia; reflexivity). rewrite <- ek, Nat.eqb_refl.
        unfold known_masked. rewrite nth_map_range_0 by assumption. rewrite eq. unfold row.
        rewrite known_all by (rewrite dpf_address_bits_length; assumption). rewrite mask_from.
        unfold two_party_read_ideal_symmetric_pir. rewrite cast_same. reflexivity.
      + destruct (Nat.eqb_spec k (nat_of q)) as [ek|_]; [|reflexivity]. elim ne. rewrite ek. apply of_nat_nat_of.
  Qed.

  (* Both blocks of a pair are uniform, in whatever order. *)
  Lemma mean_pairs (choices : list bool) : forall f : list u128 -> list u128 -> Q,
    mean (tuples (length choices) (list_prod labels labels)) (fun pairs =>
      f (two_party_ot_received_all pairs choices) (two_party_ot_received_all pairs (map negb choices)))
    == mean (tuples (length choices) labels) (fun known => mean (tuples (length choices) labels) (fun unknown => f known unknown)).
  Proof.
    induction choices as [|b choices IH]; intros f; cbn [length map].
    - rewrite !mean_tuples_0. reflexivity.
    - rewrite !mean_tuples_S.
      pose (g := fun k u => mean (tuples (length choices) labels) (fun known => mean (tuples (length choices) labels) (fun unknown =>
        f (k :: known) (u :: unknown)))).
      transitivity (mean labels (fun k => mean labels (fun u => g k u))).
      + rewrite mean_prod. unfold two_party_ot_received_all. destruct b; [rewrite mean_swap|]; apply mean_ext; intros k _; apply mean_ext; intros u _;
          exact (IH (fun known unknown => f (k :: known) (u :: unknown))).
      + apply mean_ext. intros k _. unfold g. rewrite mean_swap. apply mean_ext. intros known _. rewrite mean_tuples_S. reflexivity.
  Qed.

  (** * All tables *)

  Context {R : Type} (rest : list R) (index : R -> u64) (table : R -> list W).
  Hypothesis index_below : forall r, (val (index r) < val n)%Z.
  Hypothesis table_sized : forall r, sized n (table r).
  (* A test of all else, of the keys that the party has, and of the whole masked table. *)
  Context (test : R -> list u128 -> list W -> bool).

  Definition pair_space : list (list (u128 * u128)) := tuples H (list_prod labels labels).
  Definition masked_key_space : list (list u128 * list W) := list_prod (tuples H labels) (tuples N all_words).

  Definition real_masked : Q :=
    Pr (list_prod rest pair_space) (fun '(r, pairs) =>
      test r (two_party_ot_received_all pairs (bits (index r))) (two_party_masks_masked_table prf pairs (table r))).
  Definition uniform_masked : Q :=
    Pr (list_prod rest masked_key_space) (fun '(r, (keys, others)) =>
      test r keys (all_but (index r) (two_party_read_ideal_symmetric_pir (table r) (index r)
        [+] two_party_masks_mask W prf keys (index r)) others)).

  (* The keys that are not known, one after the other. *)
  Notation with_known := (list_prod rest (tuples H labels)).
  Definition masked_test (z : R * list u128) (masks : list (list W)) : bool :=
    test (fst z) (snd z) (all_masked (columns_of (index (fst z))) (known_masked (index (fst z)) (snd z) (table (fst z))) masks).
  Definition mask_distinguisher (j : nat) : prf_distinguisher W := {|
    prf_coin_space := others_of with_known H (fun _ => labels) (fun _ => tuples N all_words) j;
    prf_guess := fun z values => test_with (fun _ _ _ key => prf_words key) (fun _ _ _ values => values) masked_test j z values;
  |}.

  Theorem masks_hide_other_words :
    Qabs (real_masked - uniform_masked) <= sum_below H (fun j => Prf_Adv (mask_distinguisher j)).
  Proof.
    assert (real : real_masked == real_chain with_known H (fun _ => labels) (fun _ _ _ key => prf_words key) masked_test).
    { unfold real_masked, real_chain, pair_space. rewrite !Pr_mean, !mean_prod. apply mean_ext. intros r _.
      pose (f := fun known unknown => indicator (masked_test (r, known) (map prf_words unknown))).
      transitivity (mean (tuples H (list_prod labels labels)) (fun pairs =>
        f (two_party_ot_received_all pairs (bits (index r))) (two_party_ot_received_all pairs (map negb (bits (index r)))))).
      - apply mean_ext. intros pairs hp. apply tuples_length in hp. unfold f, masked_test. cbn [fst snd].
        rewrite <- masked_table_by_keys by auto. reflexivity.
      - pose proof (mean_pairs (bits (index r)) f) as e. rewrite dpf_address_bits_length in e. rewrite e.
        apply mean_ext. intros known _. rewrite draws_from_tuples. apply mean_ext. intros unknown _.
        rewrite all_seen_map. reflexivity. }
    assert (ideal : uniform_masked == ideal_chain with_known H (fun _ => tuples N all_words) (fun _ _ _ values => values) masked_test).
    { unfold uniform_masked, ideal_chain, masked_key_space. rewrite !Pr_mean, !mean_prod. apply mean_ext. intros r _.
      rewrite mean_prod. apply mean_ext. intros known hk. apply tuples_length in hk. rewrite draws_from_tuples.
      pose (f := fun l => indicator (test r known l)).
      pose proof (masked_by_uniform all_words all_words_enumerate N (columns_of (index r)) (known_masked (index r) known (table r)) f
        (columns_sized (index r)) (map_range_0_length _ _)) as e.
      rewrite columns_length in e. transitivity (mean (tuples N all_words) (fun us => f (picked (any_of N (columns_of (index r)))
        (known_masked (index r) known (table r)) us))).
      - apply mean_ext. intros others ho. apply tuples_length in ho. unfold f. rewrite picked_all_but by auto. reflexivity.
      - rewrite <- e. apply mean_ext. intros masks _. rewrite (all_seen_map (fun values => values)), map_id. reflexivity. }
    rewrite real, ideal. apply chain_replaced. intros j hj. apply Qle_refl.
  Qed.
End Masked.
