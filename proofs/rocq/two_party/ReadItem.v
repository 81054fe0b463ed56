(* Privacy of a READ item's whole life towards a party of two [duoram, section 5]: the keys that it receives in the ideal OTs while the item is
   made, the other's shift share, and the other's answer to its query. With the plain PIR, which is the specification's, the answer is the whole
   masked table; all of it is within h advantages against the PRF (MaskedTable.v) of uniform keys, a uniform shift below n, and n uniform words
   ([two_party_read_life_simulated]). The simulator is told nothing at all: neither D_c, nor i*, nor their shares; not even the party's own
   draws or inputs, but for its index q in the distinguishers. With an ideal PIR, where the party has the masked word q and nothing else of the
   table, the same holds exactly, for any PRF ([two_party_ideal_read_life_simulated]).

   The other draws the word of its own index q_c, the pairs of the OTs that it sends, and its blind r_c. Its memory, its share of the address, and the
   shift that the party sent are any functions of all else ([rest]), which the test sees. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection Counting.
From Duoram.core Require Import LabelFacts LemmasFacts DpfFacts PrgAdvantage.
From Duoram.two_party Require Import TwoPartyRead MaskedTable.
From Duoram.Generated Require Import All.
#[local] Open Scope Q_scope.

(* What a READ is of, at the other: its memory, its share of i*, and the shift share that the party sent it. *)
Record read_inputs (W : Type) : Type := { others_memory : list W; read_address : u64; sent_shift : u64 }.
Arguments others_memory {W} _.
Arguments read_address {W} _.
Arguments sent_shift {W} _.

Section Read.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Laws : RingLaws W} (all_words : list W).
  Add Ring W_ring : (ring_theory_W W).
  Hypothesis all_words_enumerate : enumerates all_words anything.
  Context {F : Type} {F_Prf : two_party_masks_Prf F} (prf : F).
  Context (h n : u64) (h_small : (val h < 64)%Z) (size : val n = (2 ^ val h)%Z).
  Notation "x [+] y" := (ring_Ring_plus x y) (at level 50, left associativity).
  Notation zero := (ring_Ring_zero W).
  Notation N := (nat_of n).

  (* What the other draws: the word of q_c, its pairs, its blind. *)
  Notation read_draw := (u64 * (list (u128 * u128) * W))%type.
  Definition read_space : list read_draw := list_prod (words 64) (list_prod (pair_space h) all_words).

  (* What the party receives: the keys, the shift share, and what it is answered. *)
  Definition read_received (A : Type) : Type := list u128 * u64 * A.
  Definition answered_table (i : read_inputs W) (pairs : list (u128 * u128)) (blind : W) : list W :=
    two_party_masks_masked_table prf pairs
      (two_party_read_blinded_rotation (others_memory i) (read_address i) (sent_shift i) blind).
  Definition received_in_read (q : u64) (i : read_inputs W) (d : read_draw) : read_received (list W) :=
    let '(word, (pairs, blind)) := d in
    (two_party_ot_received_all pairs (dpf_address_bits q h),
     two_party_update_shift_share (read_address i) (vector_mod_size word n) n, answered_table i pairs blind).

  Notation read_coins := (list u128 * u64 * list W)%type.
  Definition read_coin_space : list read_coins :=
    list_prod (list_prod (tuples (nat_of h) labels) (words 64)) (tuples N all_words).
  Definition simulated_read (c : read_coins) : read_received (list W) :=
    let '((keys, word), others) := c in (keys, vector_mod_size word n, others).

  Let n_power : power_of_two n.
  Proof. exists (val h). pose proof (val_bounds h). split; [lia | exact size]. Qed.

  (** * The exact part *)

  (* The shift share is uniform. *)
  Lemma mean_shift (address : u64) (f : u64 -> Q) :
    mean (words 64) (fun word => f (two_party_update_shift_share address (vector_mod_size word n) n))
    == mean (words 64) (fun word => f (vector_mod_size word n)).
  Proof.
    rewrite <- (mean_by_bijection (words 64) (words 64) (fun word => wsub address word) (fun word => wsub address word)
      (fun word => f (vector_mod_size word n)) (words_enumerate 64) (words_enumerate 64)) by (intros; ring).
    apply mean_ext. intros word _. unfold two_party_update_shift_share. rewrite mod_size_sub_r by assumption. reflexivity.
  Qed.

  (* A list of uniform words stays one if another uniform word is put into it. *)
  Lemma mean_put (m k : nat) (f : list W -> Q) : (k < m)%nat ->
    mean all_words (fun v => mean (tuples m all_words) (fun l => f (replaced l k v))) == mean (tuples m all_words) f.
  Proof.
    assert (some : all_words <> []) by (exact (words_not_none all_words all_words_enumerate)).
    revert k f. induction m as [|m IH]; intros k f hk; [lia|]. rewrite mean_tuples_S.
    transitivity (mean all_words (fun v => mean all_words (fun x => mean (tuples m all_words) (fun l => f (replaced (x :: l) k v))))).
    { apply mean_ext. intros v _. rewrite mean_tuples_S. reflexivity. }
    destruct k as [|k].
    - apply mean_ext. intros v _. exact (mean_const all_words (mean (tuples m all_words) (fun xs => f (v :: xs))) some).
    - rewrite mean_swap. apply mean_ext. intros x _. apply (IH k (fun l => f (x :: l))). lia.
  Qed.

  (* The word that the party asked for, under the other's blind. *)
  Definition bare_word (q : u64) (i : read_inputs W) : W :=
    two_party_read_ideal_symmetric_pir (two_party_read_blinded_rotation (others_memory i) (read_address i) (sent_shift i) zero) q.
  Lemma word_blinded (q : u64) (i : read_inputs W) (blind : W) : (val q < val n)%Z -> sized n (others_memory i) ->
    two_party_read_ideal_symmetric_pir (two_party_read_blinded_rotation (others_memory i) (read_address i) (sent_shift i) blind) q
    = bare_word q i [+] blind.
  Proof.
    intros hq hs. unfold bare_word. rewrite <- (mod_size_small q n) at 1 2 by assumption.
    rewrite !(rotated_word n) by assumption. ring.
  Qed.
  Lemma rotation_sized (i : read_inputs W) (blind : W) : sized n (others_memory i) ->
    sized n (two_party_read_blinded_rotation (others_memory i) (read_address i) (sent_shift i) blind).
  Proof. intros hs. unfold sized, two_party_read_blinded_rotation. rewrite map_range_0_length, (sized_len n) by assumption. reflexivity. Qed.

  Context {R : Type} (rest : list R) (index : R -> u64) (inputs : R -> read_inputs W).
  Hypothesis index_below : forall r, (val (index r) < val n)%Z.
  Hypothesis memory_sized : forall r, sized n (others_memory (inputs r)).

  (** * The plain PIR *)

  Section Plain.
    Context (test : R -> read_received (list W) -> bool).

    Definition real_read : Q := Pr (list_prod rest read_space) (fun '(r, d) => test r (received_in_read (index r) (inputs r) d)).
    Definition simulated_read_life : Q := Pr (list_prod rest read_coin_space) (fun '(r, c) => test r (simulated_read c)).

    (* As a test of a masked table. *)
    Notation beside_table := (R * (u64 * W))%type.
    Definition with_shift : list beside_table := list_prod rest (list_prod (words 64) all_words).
    Definition table_of (z : beside_table) : list W :=
      two_party_read_blinded_rotation (others_memory (inputs (fst z))) (read_address (inputs (fst z))) (sent_shift (inputs (fst z)))
        (snd (snd z)).
    Definition table_test (z : beside_table) (keys : list u128) (masked : list W) : bool :=
      test (fst z) (keys, two_party_update_shift_share (read_address (inputs (fst z))) (vector_mod_size (fst (snd z)) n) n, masked).
    Definition read_distinguisher : nat -> prf_distinguisher W :=
      mask_distinguisher all_words prf h n with_shift (fun z => index (fst z)) table_of table_test.

    Theorem two_party_read_life_simulated :
      Qabs (real_read - simulated_read_life)
      <= sum_below (nat_of h) (fun j => Prf_Adv all_words prf n (read_distinguisher j)).
    Proof.
      eapply Qle_trans; [|exact (masks_hide_other_words all_words all_words_enumerate prf h n h_small size with_shift
        (fun z => index (fst z)) table_of (fun z => index_below (fst z)) (fun z => rotation_sized _ _ (memory_sized (fst z))) table_test)].
      apply Qle_lteq. right. apply Qabs_wd. unfold Qminus. apply Qplus_comp; [|apply Qopp_comp].
      - unfold real_read, read_space, real_masked, with_shift. rewrite !Pr_mean, !mean_prod. apply mean_ext. intros r _.
        rewrite !mean_prod. apply mean_ext. intros word _. rewrite mean_prod, mean_swap. reflexivity.
      - unfold simulated_read_life, read_coin_space, uniform_masked, masked_key_space, with_shift. rewrite !Pr_mean, !mean_prod.
        apply mean_ext. intros r _. rewrite !mean_prod.
        pose (g := fun keys shift masked => indicator (test r (keys, shift, masked))).
        transitivity (mean (tuples (nat_of h) labels) (fun keys => mean (words 64) (fun word =>
          mean (tuples N all_words) (fun others => g keys (vector_mod_size word n) others)))); [reflexivity|].
        transitivity (mean (words 64) (fun word => mean (tuples (nat_of h) labels) (fun keys => mean all_words (fun blind =>
          mean (tuples N all_words) (fun others => g keys
            (two_party_update_shift_share (read_address (inputs r)) (vector_mod_size word n) n)
            (replaced others (nat_of (index r)) (bare_word (index r) (inputs r) [+] blind [+] two_party_masks_mask W prf keys (index r)))))))).
        + transitivity (mean (words 64) (fun word => mean (tuples (nat_of h) labels) (fun keys =>
            mean (tuples N all_words) (fun others => g keys
              (two_party_update_shift_share (read_address (inputs r)) (vector_mod_size word n) n) others)))).
          * transitivity (mean (tuples (nat_of h) labels) (fun keys => mean (words 64) (fun word =>
              mean (tuples N all_words) (fun others => g keys
                (two_party_update_shift_share (read_address (inputs r)) (vector_mod_size word n) n) others)))).
            { apply mean_ext. intros keys _. symmetry.
              apply (mean_shift (read_address (inputs r)) (fun shift => mean (tuples N all_words) (fun others => g keys shift others))). }
            rewrite mean_swap. reflexivity.
          * apply mean_ext. intros word _. apply mean_ext. intros keys _. symmetry.
            set (shift := two_party_update_shift_share _ _ _). set (bare := bare_word (index r) (inputs r)).
            set (mask := two_party_masks_mask W prf keys (index r)).
            rewrite <- (mean_put N (nat_of (index r)) (fun others => g keys shift others)).
            2: { pose proof (index_below r). pose proof (Z_nat_of n). pose proof (Z_nat_of (index r)). lia. }
            rewrite <- (mean_by_bijection all_words all_words (fun blind => bare [+] blind [+] mask)
              (fun v => ring_Ring_minus (ring_Ring_minus v mask) bare)
              (fun v => mean (tuples N all_words) (fun others => g keys shift (replaced others (nat_of (index r)) v)))
              all_words_enumerate all_words_enumerate) by (intros; ring).
            reflexivity.
        + apply mean_ext. intros word _. rewrite mean_swap. apply mean_ext. intros blind _. rewrite mean_prod.
          apply mean_ext. intros keys _. apply mean_ext. intros others _. unfold g, table_test, table_of, all_but. cbn [fst snd].
          rewrite word_blinded by auto. reflexivity.
    Qed.
  End Plain.

  (** * An ideal PIR *)

  Section Ideal.
    Context (test : R -> read_received W -> bool).

    (* Of the masked table the word q, and nothing else. *)
    Definition asked (q : u64) (seen : read_received (list W)) : read_received W :=
      (fst seen, two_party_read_ideal_symmetric_pir (snd seen) q).
    Definition real_ideal_read : Q :=
      Pr (list_prod rest read_space) (fun '(r, d) => test r (asked (index r) (received_in_read (index r) (inputs r) d))).
    Definition ideal_coin_space : list (list u128 * u64 * W) := list_prod (list_prod (tuples (nat_of h) labels) (words 64)) all_words.
    Definition simulated_ideal_read : Q :=
      Pr (list_prod rest ideal_coin_space) (fun '(r, ((keys, word), v)) => test r (keys, vector_mod_size word n, v)).

    (* With an ideal PIR nothing is left to an assumption. *)
    Theorem two_party_ideal_read_life_simulated : real_ideal_read == simulated_ideal_read.
    Proof.
      unfold real_ideal_read, simulated_ideal_read, read_space, ideal_coin_space, pair_space.
      rewrite !Pr_mean, !mean_prod. apply mean_ext. intros r _. rewrite !mean_prod.
      pose (g := fun keys shift v => indicator (test r (keys, shift, v))).
      pose (bits := dpf_address_bits (index r) h).
      assert (lb : length bits = nat_of h) by apply dpf_address_bits_length.
      transitivity (mean (words 64) (fun word => mean (tuples (nat_of h) labels) (fun keys => mean all_words (fun v =>
        g keys (two_party_update_shift_share (read_address (inputs r)) (vector_mod_size word n) n) v)))).
      - apply mean_ext. intros word _. rewrite mean_prod. set (shift := two_party_update_shift_share _ _ _).
        pose (k := fun (keys _ : list u128) => mean all_words (fun v => g keys shift v)).
        transitivity (mean (tuples (nat_of h) (list_prod labels labels)) (fun pairs =>
          k (two_party_ot_received_all pairs bits) (two_party_ot_received_all pairs (map negb bits)))).
        + apply mean_ext. intros pairs hp. apply tuples_length in hp. unfold k.
          set (keys := two_party_ot_received_all pairs bits).
          rewrite <- (mean_by_bijection all_words all_words
            (fun blind => bare_word (index r) (inputs r) [+] blind [+] two_party_masks_mask W prf keys (index r))
            (fun v => ring_Ring_minus (ring_Ring_minus v (two_party_masks_mask W prf keys (index r))) (bare_word (index r) (inputs r)))
            (fun v => g keys shift v) all_words_enumerate all_words_enumerate) by (intros; ring).
          apply mean_ext. intros blind _. unfold g, asked, received_in_read, answered_table. cbn [fst snd].
          assert (lp : len pairs = h) by (unfold len; rewrite hp; apply of_nat_nat_of).
          pose proof (Masks.unmasked_word prf n (index r) pairs
            (two_party_read_blinded_rotation (others_memory (inputs r)) (read_address (inputs r)) (sent_shift (inputs r)) blind)
            (rotation_sized _ _ (memory_sized r)) (index_below r)) as e.
          unfold two_party_masks_unmasked, two_party_masks_word_keys in e. rewrite lp in e. fold bits keys in e.
          rewrite word_blinded in e by auto. rewrite <- e.
          match goal with |- context [ring_Ring_minus ?a ?m [+] ?m] => replace (ring_Ring_minus a m [+] m) with a by ring end.
          reflexivity.
        + pose proof (mean_pairs bits k) as e. rewrite lb in e. rewrite e. apply mean_ext. intros keys _. unfold k.
          apply mean_const. pose proof (tuples_enumerate (nat_of h) labels labels_enumerate) as all.
          exact (space_not_empty _ _ (repeat (repr 128 0) (nat_of h)) all (repeat_length _ _)).
      - transitivity (mean (tuples (nat_of h) labels) (fun keys => mean (words 64) (fun word => mean all_words (fun v =>
          g keys (two_party_update_shift_share (read_address (inputs r)) (vector_mod_size word n) n) v)))).
        { rewrite mean_swap. reflexivity. }
        apply mean_ext. intros keys _.
        apply (mean_shift (read_address (inputs r)) (fun shift => mean all_words (fun v => g keys shift v))).
    Qed.
  End Ideal.
End Read.

(* With the words of the implementation. *)
Definition two_party_read_life_simulated_u64 := two_party_read_life_simulated (W := u64) (words 64) (words_enumerate 64).
