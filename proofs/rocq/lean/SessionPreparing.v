(* The preparing step of a lean session, as the Rust module `lean::session` runs it: any number of items, message by message,
   leaves parties that are ready for so many READs and UPDATEs more. Whatever the parties' tapes and the pairs' streams hold. *)
From Coq Require Import Lia.
From Duoram.lean Require Export SessionSteps.
From Duoram.Generated Require Import All.

(** * Lists with two DPFs an item *)

Definition dpfs_of {X : Type} (l : list X) : list (X * bool) := flat_map (fun x => [(x, false); (x, true)]) l.

Lemma flat_map_dpfs {X T : Type} (F : X * bool -> T) (g : X -> list T) (l : list X) :
  (forall x, g x = [F (x, false); F (x, true)]) -> flat_map g l = map F (dpfs_of l).
Proof. intros h. induction l as [|x l IH]; cbn; [reflexivity|]. rewrite h, IH. reflexivity. Qed.

Lemma dpfs_of_length {X : Type} (l : list X) : length (dpfs_of l) = (2 * length l)%nat.
Proof. unfold dpfs_of. induction l as [|x l IH]; cbn [flat_map app length] in *; lia. Qed.

Lemma in_dpfs_of {X : Type} (l : list X) (x : X) (b : bool) : In (x, b) (dpfs_of l) -> In x l.
Proof. unfold dpfs_of. intros h. apply in_flat_map in h as (y & hy & [e|[e|[]]]); injection e as <- <-; exact hy. Qed.

Lemma nth_error_dpfs {X T : Type} (F : X * bool -> T) (l : list X) (j : nat) :
  nth_error (map F (dpfs_of l)) (2 * j) = option_map (fun x => F (x, false)) (nth_error l j) /\
  nth_error (map F (dpfs_of l)) (2 * j + 1) = option_map (fun x => F (x, true)) (nth_error l j).
Proof.
  revert j. induction l as [|x l IH]; intros j.
  - replace (nth_error [] j) with (@None X) by (destruct j; reflexivity). split; apply nth_error_None; cbn; lia.
  - destruct j as [|j]; [split; reflexivity|].
    cbn [dpfs_of flat_map app map nth_error]. replace (2 * S j)%nat with (S (S (2 * j))) by lia.
    cbn [nth_error Nat.add]. apply IH.
Qed.

Lemma flat_map_nth_error {X T : Type} (G : X -> T) (l : list X) :
  flat_map (fun j => match nth_error l j with Some x => [G x] | None => [] end) (seq 0 (length l)) = map G l.
Proof.
  induction l as [|x l IH]; [reflexivity|]. cbn [length seq flat_map nth_error app map]. f_equal.
  rewrite <- seq_shift, flat_map_concat_map, map_map, <- flat_map_concat_map. exact IH.
Qed.

Lemma enumerate_map {X T : Type} (f : X -> T) (l : list X) :
  enumerate (map f l) = map (fun x => (fst x, f (snd x))) (enumerate l).
Proof.
  unfold enumerate. rewrite len_map. generalize (range (repr 64 0) (len l)). induction l as [|x l IH]; intros [|j r]; cbn; try reflexivity.
  rewrite IH. reflexivity.
Qed.

Lemma map_snd_enumerate {T : Type} (l : list T) : Z.of_nat (length l) < 2 ^ 64 -> map snd (enumerate l) = l.
Proof.
  intros h. apply map_snd_of_combine. rewrite range_length, nat_of_len by assumption. change (nat_of (repr 64 0)) with 0%nat. lia.
Qed.

Lemma in_skipn_seq (k a c i : nat) : In i (skipn k (seq a c)) -> (a + k <= i)%nat.
Proof.
  revert a c. induction k as [|k IH]; intros a [|c] h; cbn in h; try contradiction.
  - destruct h as [h|h]; [lia|]. apply in_seq in h. lia.
  - apply IH in h. lia.
Qed.

Lemma in_enumerate {T : Type} (l : list T) (i : u64) (x : T) : In (i, x) (enumerate l) -> In x l.
Proof. apply in_combine_r. Qed.

Lemma enumerate_twice {T : Type} (l : list T) : Z.of_nat (length l) < 2 ^ 64 -> enumerate (enumerate l) = map (fun x => (fst x, x)) (enumerate l).
Proof.
  intros small. unfold enumerate.
  assert (e : len (combine (range (repr 64 0) (len l)) l) = len l).
  { assert (same : length (combine (range (repr 64 0) (len l)) l) = length l).
    { rewrite combine_length, range_length, nat_of_len by exact small. change (nat_of (repr 64 0)) with 0%nat. lia. }
    unfold len at 1. rewrite same. reflexivity. }
  rewrite e. generalize (range (repr 64 0) (len l)). clear. induction l as [|x l IH]; intros [|j r]; cbn; try reflexivity. rewrite IH. reflexivity.
Qed.

Section Pairs.
  Context {W : Type} {W_Ring : ring_Ring W}.

  Lemma pairs_of_dpfs {X : Type} (F : X * bool -> lean_generation_Growing W) (l : list X) : 2 * Z.of_nat (length l) < 2 ^ 64 ->
    lean_preprocessing_pairs (map F (dpfs_of l)) = map (fun x => (F (x, false), F (x, true))) l.
  Proof.
    intros h. unfold lean_preprocessing_pairs.
    assert (hl : val (len (map F (dpfs_of l))) = 2 * Z.of_nat (length l)).
    { rewrite val_len; rewrite map_length, dpfs_of_length; lia. }
    assert (hn : nat_of (wshr (len (map F (dpfs_of l))) (repr 32 1)) = length l).
    { apply Nat2Z.inj. rewrite Z_nat_of, val_wshr, hl by reflexivity. change (2 ^ val (repr 32 1)) with 2.
      rewrite Z.mul_comm. apply Z.div_mul. lia. }
    rewrite range_0, hn, flat_map_concat_map, map_map, <- flat_map_concat_map.
    rewrite <- (flat_map_nth_error (fun x => (F (x, false), F (x, true))) l).
    rewrite !flat_map_concat_map. f_equal. apply map_ext_in. intros j hj. apply in_seq in hj. cbv zeta.
    assert (e : val (wmul (of_nat j) (repr 64 2)) = 2 * Z.of_nat j).
    { rewrite val_wmul, val_of_nat by lia. change (val (repr 64 2)) with 2. rewrite Z.mod_small by lia. lia. }
    assert (e' : val (wadd (wmul (of_nat j) (repr 64 2)) (repr 64 1)) = 2 * Z.of_nat j + 1).
    { rewrite val_wadd, e. change (val (repr 64 1)) with 1. apply Z.mod_small. lia. }
    rewrite !get_nth_error. unfold nat_of. rewrite e, e'.
    replace (Z.to_nat (2 * Z.of_nat j)) with (2 * j)%nat by lia. replace (Z.to_nat (2 * Z.of_nat j + 1)) with (2 * j + 1)%nat by lia.
    destruct (nth_error_dpfs F l j) as [-> ->]. destruct (nth_error l j); reflexivity.
  Qed.
End Pairs.

Section Preparing.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Boolean : BooleanRing W}.
  Context {P : Type} {P_Prg : prg_Prg P} {P_Layers : lean_layers_Layers P} (prg : P).
  Context (h : u64) (h_small : val h < 64).
  Add Ring W_ring : (ring_theory_W W).
  Notation n := (lean_party_size h).
  Context (pair_01 pair_02 pair_12 : lean_tape_PairStreams).
  (* The parties' tapes, how many words of them are used, and the number of the first item of the batch. *)
  Context (tape_0 tape_1 tape_2 : list u64) (drawn_0 drawn_1 drawn_2 first_item reads : u64).

  (** * What the tapes and the streams give to one DPF *)

  Definition own_randomness (tape : list u64) (drawn j : u64) : lean_tape_PrimaryRandomness :=
    lean_tape_primary_randomness tape (wadd drawn (wmul j lean_tape_PRIMARY_WORDS)).
  Definition dpf_number (b : bool) : u64 := if b then repr 64 1 else repr 64 0.
  Definition seed_of_0 (x : u64 * lean_layers_Purpose) (b : bool) : lean_tape_Seed0 W :=
    lean_tape_seed_0 W (lean_tape_item_stream pair_02 (wadd first_item (fst x))) h (snd x) (dpf_number b).
  Definition seed_of_1 (x : u64 * lean_layers_Purpose) (b : bool) : lean_tape_Seed1 :=
    lean_tape_seed_1 (lean_tape_item_stream pair_12 (wadd first_item (fst x))) h (snd x) (dpf_number b).
  Definition deal_of (x : u64 * lean_layers_Purpose) (b : bool) : lean_dealing_Deal W :=
    lean_dealing_deal (seed_of_0 x b) (seed_of_1 x b) (snd x)
      (lean_tape_ring_word W tape_2 (wadd (wadd drawn_2 (wmul (wsub (fst x) reads) (repr 64 2))) (dpf_number b))).

  Definition plan_of (k : (u64 * lean_layers_Purpose) * bool) : dpf_plan (W := W) :=
    let '(x, b) := k in
    {| plan_purpose := snd x;
       plan_index := fun party => lean_one_hot_low_bits (lean_tape_PrimaryRandomness_random_index
         (match party with share_Primary_P0 => own_randomness tape_0 drawn_0 (fst x)
                         | share_Primary_P1 => own_randomness tape_1 drawn_1 (fst x) end)) h;
       plan_root := fun party => (if b then lean_tape_PrimaryRandomness_root_b else lean_tape_PrimaryRandomness_root_a)
         (match party with share_Primary_P0 => own_randomness tape_0 drawn_0 (fst x)
                         | share_Primary_P1 => own_randomness tape_1 drawn_1 (fst x) end);
       plan_mask := fun party => match party with
         | share_Primary_P0 => lean_tape_Seed0_mask (seed_of_0 x b)
         | share_Primary_P1 => lean_tape_Seed1_mask (seed_of_1 x b) end;
       plan_common := lean_preprocessing_common W (lean_tape_item_stream pair_01 (wadd first_item (fst x))) (snd x) (dpf_number b);
       plan_dealt := fun party => match party with
         | share_Primary_P0 => lean_dealing_dealt_0 (seed_of_0 x b)
         | share_Primary_P1 => lean_dealing_dealt_1 (seed_of_1 x b) (deal_of x b) end |}.

  Lemma low_bits_below (x bits : u64) : val bits < 64 -> val (lean_one_hot_low_bits x bits) < 2 ^ val bits.
  Proof.
    intros hb. rewrite val_low_bits by assumption. pose proof (val_bounds bits). apply Z.mod_pos_bound, Z.pow_pos_nonneg; lia.
  Qed.

  (* Whatever the words are, what they give fits. *)
  Lemma plan_of_fits (k : (u64 * lean_layers_Purpose) * bool) : plan_fits h (plan_of k).
  Proof.
    destruct k as [[j purpose] b]. pose proof (flag_bits_bound h) as [b7 _]. constructor.
    - intros party. apply low_bits_below, h_small.
    - intros [|]; unfold plan_of, plan_mask, seed_of_0, seed_of_1, lean_tape_seed_0, lean_tape_seed_1; cbn [fst snd];
        destruct purpose; cbn [lean_tape_Seed0_mask lean_tape_Seed1_mask]; apply low_bits_below; lia.
    - intros i hi. cbn [plan_of plan_purpose plan_dealt fst snd] in *. unfold tree_level in hi.
      assert (z : lean_dealing_Deal_z (deal_of (j, purpose) b)
        = map (fun '(t_0, t_1) => lean_dealing_dealt_z t_0 t_1)
            (combine (lean_tape_Seed0_triples (seed_of_0 (j, purpose) b)) (lean_tape_Seed1_triples (seed_of_1 (j, purpose) b))))
        by (unfold deal_of, lean_dealing_deal; cbn [snd]; destruct purpose; reflexivity).
      unfold lean_dealing_dealt_0, lean_dealing_dealt_1. cbn [lean_dealing_Dealt_triples]. rewrite z.
      assert (t_0 : exists f, lean_tape_Seed0_triples (seed_of_0 (j, purpose) b)
        = map f (range (repr 64 0) (lean_layers_tree_depth h purpose)) /\
        forall l, exists bit, lean_tape_TripleSeed_x (f l) = block_replicate bit).
      { unfold seed_of_0, lean_tape_seed_0. cbv zeta. cbn [fst snd].
        destruct purpose; cbn [lean_tape_Seed0_triples]; eexists; (split; [reflexivity|]); intros l; eexists; reflexivity. }
      assert (t_1 : exists f, lean_tape_Seed1_triples (seed_of_1 (j, purpose) b)
        = map f (range (repr 64 0) (lean_layers_tree_depth h purpose)) /\
        forall l, exists bit, lean_tape_TripleSeed_x (f l) = block_replicate bit).
      { unfold seed_of_1, lean_tape_seed_1. cbv zeta. cbn [fst snd lean_tape_Seed1_triples].
        eexists. split; [reflexivity|]. intros l. eexists. reflexivity. }
      destruct t_0 as (f_0 & -> & bit_0), t_1 as (f_1 & -> & bit_1).
      repeat (rewrite map_map || rewrite combine_map). rewrite !nth_map_range_0 by exact hi.
      destruct (bit_0 (of_nat i)) as [x_0 hx_0], (bit_1 (of_nat i)) as [x_1 hx_1].
      exists x_0, x_1, (lean_tape_TripleSeed_y (f_0 (of_nat i))), (lean_tape_TripleSeed_y (f_1 (of_nat i))),
        (ixor (lean_tape_TripleSeed_z (f_0 (of_nat i))) (iand (block_replicate x_0) (lean_tape_TripleSeed_y (f_1 (of_nat i))))).
      unfold du_atallah_and_triples, lean_dealing_dealt_z. rewrite hx_0, hx_1. f_equal; f_equal; xor_and.
    - cbn [plan_of plan_dealt plan_mask]. unfold lean_dealing_dealt_1, deal_of, lean_dealing_deal.
      cbn [snd]. destruct purpose; reflexivity.
    - cbn [plan_of plan_purpose plan_dealt plan_mask snd]. intros ->. split.
      + apply map_range_0_length.
      + reflexivity.
  Qed.

  (** * The batch *)

  (* An item of the batch, as its parties hold it when so many rounds are over. *)
  Definition item_after (round : nat) (x : u64 * lean_layers_Purpose) : held_item (W := W) :=
    let number := wadd first_item (fst x) in
    let g party b := growing_after prg h (plan_of (x, b)) party round in
    let share party := lean_preprocessing_item_delta_share party (g party false) (g party true) (lean_tape_item_stream pair_01 number) in
    let delta := ring_Ring_plus (share share_Primary_P0) (share share_Primary_P1) in
    (mk_lean_party_Item0 number (lean_generation_Growing_random_index (g share_Primary_P0 false)) (lean_generation_Growing_key (g share_Primary_P0 false))
       (lean_generation_Growing_key (g share_Primary_P0 true)) (lean_generation_value_share share_Primary_P0 (g share_Primary_P0 false)) delta,
     mk_lean_party_Item1 number (lean_generation_Growing_random_index (g share_Primary_P1 false)) (lean_generation_Growing_key (g share_Primary_P1 false))
       (lean_generation_value_share share_Primary_P1 (g share_Primary_P1 false)),
     mk_lean_party_Item2 number (lean_generation_Growing_key (g share_Primary_P0 false)) (lean_generation_Growing_key (g share_Primary_P1 true)) delta).

  Definition growing_of party round k : lean_generation_Growing W := growing_after prg h (plan_of k) party round.

  Lemma batch_round_grows (session : lean_session_Session W P) (ks : list ((u64 * lean_layers_Purpose) * bool)) (round : nat) sent :
    lean_party_Party0_prg (lean_session_Session_p0 session) = prg ->
    lean_party_Party1_prg (lean_session_Session_p1 session) = prg -> (round <= nat_of h + 1)%nat ->
    exists sent', lean_session_batch_round session
      (mk_lean_session_Batch (map (growing_of share_Primary_P0 round) ks) (map (growing_of share_Primary_P1 round) ks) sent) (of_nat round)
    = mk_lean_session_Batch (map (growing_of share_Primary_P0 (S round)) ks) (map (growing_of share_Primary_P1 (S round)) ks) sent'.
  Proof.
    intros e_0 e_1 hr. unfold lean_session_batch_round. cbv zeta. rewrite e_0, e_1.
    eexists. f_equal.
    - unfold lean_preprocessing_next_round, lean_preprocessing_round_opening, lean_preprocessing_round_message.
      cbn [lean_session_Batch_batch_0 lean_session_Batch_batch_1 lean_preprocessing_Round_operands lean_preprocessing_Round_flags
        lean_preprocessing_Round_words].
      repeat (rewrite map_map || rewrite combine_map). apply map_ext. intros k.
      apply (proj1 (round_grows prg h h_small (plan_of k) round (plan_of_fits k) hr)).
    - unfold lean_preprocessing_next_round, lean_preprocessing_round_opening, lean_preprocessing_round_message.
      cbn [lean_session_Batch_batch_0 lean_session_Batch_batch_1 lean_preprocessing_Round_operands lean_preprocessing_Round_flags
        lean_preprocessing_Round_words].
      repeat (rewrite map_map || rewrite combine_map). apply map_ext. intros k.
      apply (proj2 (round_grows prg h h_small (plan_of k) round (plan_of_fits k) hr)).
  Qed.

  Lemma batch_rounds_grow (session : lean_session_Session W P) (ks : list ((u64 * lean_layers_Purpose) * bool)) (m : nat) :
    lean_party_Party0_prg (lean_session_Session_p0 session) = prg ->
    lean_party_Party1_prg (lean_session_Session_p1 session) = prg ->
    forall round sent, (round + m <= nat_of h + 2)%nat ->
    exists sent', fold_left (fun batch round => lean_session_batch_round session batch round) (map of_nat (seq round m))
      (mk_lean_session_Batch (map (growing_of share_Primary_P0 round) ks) (map (growing_of share_Primary_P1 round) ks) sent)
    = mk_lean_session_Batch (map (growing_of share_Primary_P0 (round + m)) ks) (map (growing_of share_Primary_P1 (round + m)) ks) sent'.
  Proof.
    intros e_0 e_1. induction m as [|m IH]; intros round sent hr.
    - exists sent. rewrite Nat.add_0_r. reflexivity.
    - cbn [seq map fold_left]. destruct (batch_round_grows session ks round sent e_0 e_1 ltac:(lia)) as [sent' ->].
      destruct (IH (S round) sent' ltac:(lia)) as [sent'' ->]. exists sent''. rewrite Nat.add_succ_comm. reflexivity.
  Qed.

  Lemma start_0 (k : (u64 * lean_layers_Purpose) * bool) (own other : lean_generation_Growing W) :
    own = lean_generation_begin share_Primary_P0 (mk_lean_generation_Input h (plan_purpose (plan_of k))
      (plan_index (plan_of k) share_Primary_P0) (plan_root (plan_of k) share_Primary_P0) (plan_mask (plan_of k) share_Primary_P0)
      (plan_common (plan_of k))) (plan_dealt (plan_of k) share_Primary_P0) ->
    lean_generation_moved other = lean_one_hot_moved_share (plan_index (plan_of k) share_Primary_P1)
      (plan_mask (plan_of k) share_Primary_P1) (lean_layers_flag_bits h) ->
    lean_generation_with_offset own (lean_generation_moved other) = growing_of share_Primary_P0 0 k.
  Proof.
    intros -> ->. unfold growing_of, growing_after. cbn [Nat.ltb Nat.leb Nat.min]. destruct (plan_purpose (plan_of k)) eqn:e; unfold growing_at; rewrite ?e; reflexivity.
  Qed.
  Lemma start_1 (k : (u64 * lean_layers_Purpose) * bool) (own other : lean_generation_Growing W) nothing :
    own = lean_generation_with_dealt (lean_generation_begin share_Primary_P1 (mk_lean_generation_Input h (plan_purpose (plan_of k))
      (plan_index (plan_of k) share_Primary_P1) (plan_root (plan_of k) share_Primary_P1) (plan_mask (plan_of k) share_Primary_P1)
      (plan_common (plan_of k))) nothing) (plan_dealt (plan_of k) share_Primary_P1) ->
    lean_generation_moved other = lean_one_hot_moved_share (plan_index (plan_of k) share_Primary_P0)
      (plan_mask (plan_of k) share_Primary_P0) (lean_layers_flag_bits h) ->
    lean_generation_with_offset own (lean_generation_moved other) = growing_of share_Primary_P1 0 k.
  Proof.
    intros -> ->. unfold growing_of, growing_after. cbn [Nat.ltb Nat.leb Nat.min]. unfold lean_generation_with_offset.
    rewrite (ixor_comm (lean_generation_moved _)).
    destruct (plan_purpose (plan_of k)) eqn:e; unfold growing_at; rewrite ?e; reflexivity.
  Qed.
End Preparing.

(** * The step *)

Section Step.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Boolean : BooleanRing W}.
  Context {P : Type} {P_Prg : prg_Prg P} {P_Layers : lean_layers_Layers P} (prg : P).
  Context (h : u64) (h_small : val h < 64).
  Add Ring W_ring : (ring_theory_W W).
  Notation n := (lean_party_size h).
  Context (pair_01 pair_02 pair_12 : lean_tape_PairStreams).
  Notation ready := (session_ready prg h pair_01 pair_02 pair_12).

  (* The items of a batch, of the words that its parties' tapes and streams have for it. *)
  Definition made_after (session : lean_session_Session W P) (reads : u64) : nat -> u64 * lean_layers_Purpose -> held_item (W := W) :=
    item_after prg h pair_01 pair_02 pair_12 (lean_party_Party0_tape (lean_session_Session_p0 session))
      (lean_party_Party1_tape (lean_session_Session_p1 session)) (lean_party_Party2_tape (lean_session_Session_p2 session))
      (lean_party_Party0_drawn (lean_session_Session_p0 session)) (lean_party_Party1_drawn (lean_session_Session_p1 session))
      (lean_party_Party2_drawn (lean_session_Session_p2 session)) (lean_party_Party0_items (lean_session_Session_p0 session)) reads.

  (* They are held in the order of the batch, when more rounds are over than any of its trees has levels. *)
  Theorem lean_preprocess_makes_items held_reads held_updates (session : lean_session_Session W P) (reads updates : u64) :
    ready held_reads held_updates session -> val reads + val updates < 2 ^ 63 ->
    let step := lean_session_preprocess session reads updates in
    let items := enumerate (lean_preprocessing_purposes reads updates) in
    (exists rounds new_reads new_updates, length new_reads = nat_of reads /\ length new_updates = nat_of updates /\
      (forall x, In x items -> (tree_level h (snd x) < rounds)%nat) /\
      new_reads ++ new_updates = map (made_after session reads rounds) items /\
      ready (held_reads ++ new_reads) (held_updates ++ new_updates) (lean_session_Step_session step)) /\
    lean_session_state (lean_session_Step_session step) = lean_session_state session /\
    lean_session_Step_results step = [].
  Proof.
    intros r small step items. split; [|split; reflexivity]. unfold items. clear items.
    pose proof r as [e1 e2 e3 e4 e5 e6 e7 e8 e9 e10 e11 e12 i1 i2 e13 e14 e15 e16 e17 e18 hr hu hm].
    pose proof (val_bounds reads) as br. pose proof (val_bounds updates) as bu.
    set (count := wadd reads updates).
    assert (vc : val count = val reads + val updates) by (unfold count; rewrite val_wadd; apply Z.mod_small; lia).
    set (l := enumerate (lean_preprocessing_purposes reads updates)).
    assert (lp : length (lean_preprocessing_purposes reads updates) = nat_of count) by apply map_range_0_length.
    pose proof (Z_nat_of reads) as zr. pose proof (Z_nat_of updates) as zu. pose proof (Z_nat_of count) as zc.
    assert (snd_l : map snd l = lean_preprocessing_purposes reads updates) by (apply map_snd_enumerate; lia).
    assert (ll : length l = nat_of count) by (rewrite <- lp, <- snd_l, map_length; reflexivity).
    set (number := lean_party_Party0_items (lean_session_Session_p0 session)) in *.
    set (tape_0 := lean_party_Party0_tape (lean_session_Session_p0 session)).
    set (tape_1 := lean_party_Party1_tape (lean_session_Session_p1 session)).
    set (tape_2 := lean_party_Party2_tape (lean_session_Session_p2 session)).
    set (drawn_0 := lean_party_Party0_drawn (lean_session_Session_p0 session)).
    set (drawn_1 := lean_party_Party1_drawn (lean_session_Session_p1 session)).
    set (drawn_2 := lean_party_Party2_drawn (lean_session_Session_p2 session)).
    set (plan := plan_of h pair_01 pair_02 pair_12 tape_0 tape_1 tape_2 drawn_0 drawn_1 drawn_2 number reads (W := W)).
    set (growing := growing_of prg h pair_01 pair_02 pair_12 tape_0 tape_1 tape_2 drawn_0 drawn_1 drawn_2 number reads (W := W)).
    set (seed_1 := seed_of_1 h pair_12 number).
    set (deal := deal_of h pair_02 pair_12 tape_2 drawn_2 number reads (W := W)).
    (* what each party begins with, as maps over the DPFs of the batch *)
    set (input := fun (k : (u64 * lean_layers_Purpose) * bool) party => mk_lean_generation_Input h (plan_purpose (plan k))
      (plan_index (plan k) party) (plan_root (plan k) party) (plan_mask (plan k) party) (plan_common (plan k))).
    set (nothing := mk_lean_dealing_Dealt (W := W) [] (repr 128 0) [] (ring_Ring_zero W)).
    assert (b_0 : lean_preprocessing_begin_0 (lean_session_Session_p0 session) reads updates
      = map (fun k => lean_generation_begin share_Primary_P0 (input k share_Primary_P0) (plan_dealt (plan k) share_Primary_P0)) (dpfs_of l)).
    { unfold lean_preprocessing_begin_0. fold l. apply flat_map_dpfs. intros [j purpose]. rewrite e1, e7, e8. reflexivity. }
    assert (b_1 : lean_preprocessing_begin_1 (lean_session_Session_p1 session) reads updates
      = map (fun k => lean_generation_begin share_Primary_P1 (input k share_Primary_P1) nothing) (dpfs_of l)).
    { unfold lean_preprocessing_begin_1. fold l. apply flat_map_dpfs. intros [j purpose]. rewrite e2, e9, e10, i1. reflexivity. }
    assert (s_1 : lean_preprocessing_seeds_1 (lean_session_Session_p1 session) reads updates
      = map (fun k => seed_1 (fst k) (snd k)) (dpfs_of l)).
    { unfold lean_preprocessing_seeds_1. fold l. apply flat_map_dpfs. intros [j purpose]. rewrite e2, e10, i1. reflexivity. }
    assert (d_2 : lean_preprocessing_deal_2 (lean_session_Session_p2 session) reads updates
      = map (fun k => deal (fst k) (snd k)) (dpfs_of l)).
    { unfold lean_preprocessing_deal_2. fold l. apply flat_map_dpfs. intros [j purpose]. rewrite e3, e11, e12, i2. reflexivity. }
    (* the rounds *)
    set (levels := lean_preprocessing_batch_depth h updates).
    assert (vl : val levels <= val h).
    { unfold levels, lean_preprocessing_batch_depth. pose proof (flag_level_below h (if ieqb updates (repr 64 0)
        then lean_layers_Purpose_Read else lean_layers_Purpose_Update)) as [_ b]. unfold tree_level in b.
      pose proof (Z_nat_of h). pose proof (Z_nat_of (lean_layers_tree_depth h (if ieqb updates (repr 64 0)
        then lean_layers_Purpose_Read else lean_layers_Purpose_Update))). lia. }
    set (rounds := nat_of (wadd levels (repr 64 1))).
    assert (hrounds : rounds = S (nat_of levels)).
    { unfold rounds. apply Nat2Z.inj. rewrite Nat2Z.inj_succ, !Z_nat_of, val_wadd. change (val (repr 64 1)) with 1.
      pose proof (val_bounds levels). apply Z.mod_small. lia. }
    assert (made : exists sent from_session,
      step = mk_lean_session_Step (mk_lean_session_Session
        (lean_preprocessing_prepared_0 (lean_session_Session_p0 session) (map (growing share_Primary_P0 rounds) (dpfs_of l))
          (lean_preprocessing_keys_0 (lean_session_Session_p0 session) (map (growing share_Primary_P0 rounds) (dpfs_of l)))
          (map (fun key => lean_preprocessing_HelperKey_delta_share key)
            (lean_preprocessing_keys_1 (lean_session_Session_p1 session) (map (growing share_Primary_P1 rounds) (dpfs_of l)))) reads)
        (lean_preprocessing_prepared_1 (lean_session_Session_p1 session) (map (growing share_Primary_P1 rounds) (dpfs_of l)) reads)
        (lean_preprocessing_prepared_2 (lean_session_Session_p2 session)
          (lean_preprocessing_keys_0 (lean_session_Session_p0 session) (map (growing share_Primary_P0 rounds) (dpfs_of l)))
          (lean_preprocessing_keys_1 (lean_session_Session_p1 session) (map (growing share_Primary_P1 rounds) (dpfs_of l))) reads)
        from_session) sent []).
    { subst step. unfold lean_session_preprocess. cbv zeta.
      assert (o_0 : lean_preprocessing_with_offsets (lean_preprocessing_begin_0 (lean_session_Session_p0 session) reads updates)
          (lean_preprocessing_moved_shares (lean_preprocessing_begin_1 (lean_session_Session_p1 session) reads updates))
        = map (growing share_Primary_P0 0%nat) (dpfs_of l)).
      { unfold lean_preprocessing_with_offsets, lean_preprocessing_moved_shares. rewrite b_0, b_1.
        repeat (rewrite map_map || rewrite combine_map). apply map_ext. intros k. apply start_0; reflexivity. }
      assert (o_1 : lean_preprocessing_with_offsets (lean_preprocessing_dealt_to_1
          (lean_preprocessing_begin_1 (lean_session_Session_p1 session) reads updates)
          (lean_preprocessing_seeds_1 (lean_session_Session_p1 session) reads updates)
          (lean_preprocessing_deal_2 (lean_session_Session_p2 session) reads updates))
          (lean_preprocessing_moved_shares (lean_preprocessing_begin_0 (lean_session_Session_p0 session) reads updates))
        = map (growing share_Primary_P1 0%nat) (dpfs_of l)).
      { unfold lean_preprocessing_with_offsets, lean_preprocessing_moved_shares, lean_preprocessing_dealt_to_1.
        rewrite b_0, b_1, s_1, d_2.
        repeat (rewrite map_map || rewrite combine_map). apply map_ext. intros [x b]. eapply start_1 with (nothing := nothing); reflexivity. }
      rewrite o_0, o_1, e1. fold levels. rewrite range_0. fold rounds.
      match goal with |- context [mk_lean_session_Batch _ _ ?sent] =>
        destruct (batch_rounds_grow prg h h_small pair_01 pair_02 pair_12 tape_0 tape_1 tape_2 drawn_0 drawn_1 drawn_2 number reads
          session (dpfs_of l) rounds e4 e5 0%nat sent ltac:(pose proof (Z_nat_of levels); pose proof (Z_nat_of h); lia)) as [sent' made] end.
      fold growing in made. cbn [Nat.add] in made. rewrite made.
      do 2 eexists. reflexivity. }
    destruct made as (sent & op & made). rewrite made. clear made. cbn [lean_session_Step_session].
    (* the items, as maps over the items of the batch *)
    set (L := enumerate l).
    assert (snd_L : map snd L = l) by (apply map_snd_enumerate; lia).
    assert (lL : length L = nat_of count) by (rewrite <- ll, <- snd_L, map_length; reflexivity).
    set (words := fun j : u64 => lean_tape_item_stream pair_01 (wadd number j)).
    set (g := fun party (x : u64 * lean_layers_Purpose) b => growing party rounds (x, b)).
    assert (pairs : forall party, lean_preprocessing_pairs (map (growing party rounds) (dpfs_of l))
      = map (fun y => (g party (snd y) false, g party (snd y) true)) L).
    { intros party. rewrite pairs_of_dpfs by lia. rewrite <- snd_L at 1. rewrite map_map. reflexivity. }
    set (key_0 := fun y : u64 * (u64 * lean_layers_Purpose) => mk_lean_preprocessing_HelperKey (snd (snd y))
      (lean_generation_Growing_key (g share_Primary_P0 (snd y) false))
      (lean_preprocessing_item_delta_share share_Primary_P0 (g share_Primary_P0 (snd y) false) (g share_Primary_P0 (snd y) true) (words (fst y)))).
    set (key_1 := fun y : u64 * (u64 * lean_layers_Purpose) => mk_lean_preprocessing_HelperKey (snd (snd y))
      (lean_generation_Growing_key (g share_Primary_P1 (snd y) true))
      (lean_preprocessing_item_delta_share share_Primary_P1 (g share_Primary_P1 (snd y) false) (g share_Primary_P1 (snd y) true) (words (fst y)))).
    assert (en_l : forall party, enumerate (map (fun x => (g party x false, g party x true)) l)
      = map (fun y => (fst y, (g party (snd y) false, g party (snd y) true))) L)
      by (intros party; exact (enumerate_map (fun x => (g party x false, g party x true)) l)).
    assert (pairs_l : forall party, lean_preprocessing_pairs (map (growing party rounds) (dpfs_of l))
      = map (fun x => (g party x false, g party x true)) l) by (intros; apply pairs_of_dpfs; lia).
    assert (k_0 : lean_preprocessing_keys_0 (lean_session_Session_p0 session) (map (growing share_Primary_P0 rounds) (dpfs_of l)) = map key_0 L).
    { unfold lean_preprocessing_keys_0. rewrite pairs_l, en_l, map_map. apply map_ext. intros [j [j' purpose]].
      rewrite e7. reflexivity. }
    assert (k_1 : lean_preprocessing_keys_1 (lean_session_Session_p1 session) (map (growing share_Primary_P1 rounds) (dpfs_of l)) = map key_1 L).
    { unfold lean_preprocessing_keys_1. rewrite pairs_l, en_l, map_map. apply map_ext. intros [j [j' purpose]].
      rewrite e9, i1. reflexivity. }
    rewrite k_0, k_1.
    set (E := enumerate L).
    assert (snd_E : map snd E = L) by (apply map_snd_enumerate; lia).
    assert (lE : length E = nat_of count) by (rewrite <- lL, <- snd_E, map_length; reflexivity).
    set (delta := fun y : u64 * (u64 * lean_layers_Purpose) => ring_Ring_plus (lean_preprocessing_HelperKey_delta_share (key_0 y))
      (lean_preprocessing_HelperKey_delta_share (key_1 y))).
    set (item := fun z : u64 * (u64 * (u64 * lean_layers_Purpose)) =>
      let x := snd (snd z) in
      (mk_lean_party_Item0 (wadd number (fst z)) (lean_generation_Growing_random_index (g share_Primary_P0 x false))
         (lean_generation_Growing_key (g share_Primary_P0 x false)) (lean_generation_Growing_key (g share_Primary_P0 x true))
         (lean_generation_value_share share_Primary_P0 (g share_Primary_P0 x false)) (delta (snd z)),
       mk_lean_party_Item1 (wadd number (fst z)) (lean_generation_Growing_random_index (g share_Primary_P1 x false))
         (lean_generation_Growing_key (g share_Primary_P1 x false))
         (lean_generation_value_share share_Primary_P1 (g share_Primary_P1 x false)),
       mk_lean_party_Item2 (wadd number (fst z)) (lean_generation_Growing_key (g share_Primary_P0 x false))
         (lean_generation_Growing_key (g share_Primary_P1 x true)) (delta (snd z))) : held_item (W := W)).
    set (H := map item E).
    assert (items_0 : map (fun '((j, ((a, b), (key, share))) : u64 * ((lean_generation_Growing W * lean_generation_Growing W) * (lean_preprocessing_HelperKey W * W))) =>
        mk_lean_party_Item0 (wadd number j) (lean_generation_Growing_random_index a) (lean_generation_Growing_key a)
          (lean_generation_Growing_key b) (lean_generation_value_share share_Primary_P0 a)
          (ring_Ring_plus (lean_preprocessing_HelperKey_delta_share key) share))
        (enumerate (combine (lean_preprocessing_pairs (map (growing share_Primary_P0 rounds) (dpfs_of l)))
          (combine (map key_0 L) (map (fun key => lean_preprocessing_HelperKey_delta_share key) (map key_1 L))))) = map at_0 H).
    { rewrite pairs. repeat (rewrite map_map || rewrite combine_map). rewrite enumerate_map. unfold H. fold E. rewrite !map_map. reflexivity. }
    assert (items_1 : map (fun '((j, (a, _)) : u64 * (lean_generation_Growing W * lean_generation_Growing W)) =>
        mk_lean_party_Item1 (wadd number j) (lean_generation_Growing_random_index a) (lean_generation_Growing_key a)
          (lean_generation_value_share share_Primary_P1 a))
        (enumerate (lean_preprocessing_pairs (map (growing share_Primary_P1 rounds) (dpfs_of l)))) = map at_1 H).
    { rewrite pairs, enumerate_map. unfold H. fold E. rewrite !map_map. reflexivity. }
    assert (items_2 : map (fun '((j, (a, b)) : u64 * (lean_preprocessing_HelperKey W * lean_preprocessing_HelperKey W)) =>
        mk_lean_party_Item2 (wadd number j) (lean_preprocessing_HelperKey_key a) (lean_preprocessing_HelperKey_key b)
          (ring_Ring_plus (lean_preprocessing_HelperKey_delta_share a) (lean_preprocessing_HelperKey_delta_share b)))
        (enumerate (combine (map key_0 L) (map key_1 L))) = map at_2 H).
    { repeat (rewrite map_map || rewrite combine_map). rewrite enumerate_map. unfold H. fold E. rewrite !map_map. reflexivity. }
    (* each item is what it should be *)
    assert (over : forall x, In x l -> (tree_level h (snd x) < rounds)%nat).
    { intros [j purpose] hx. rewrite hrounds. apply in_enumerate in hx. unfold tree_level, levels, lean_preprocessing_batch_depth. cbn [snd].
      destruct (ieqb_reflect updates (repr 64 0)) as [eu|eu].
      - unfold lean_preprocessing_purposes in hx. apply in_map_iff in hx as (i & <- & hi). apply in_range_0 in hi.
        fold count in hi. rewrite vc in hi. assert (val updates = 0) by (rewrite eu; reflexivity).
        assert (lt : iltb i reads = true) by (apply iltb_lt; lia). rewrite lt. lia.
      - pose proof (flag_level_below h lean_layers_Purpose_Update) as [a _]. unfold flag_level, tree_level in a.
        unfold lean_layers_tree_depth in *. destruct purpose; lia. }
    assert (ok : forall z, In z E -> read_item_ok prg h (item z)).
    { intros z hz. assert (hx : In (snd (snd z)) l) by (rewrite <- snd_L; apply in_map; rewrite <- snd_E; apply in_map, hz).
      set (x := snd (snd z)) in *.
      pose proof (plan_of_fits h h_small pair_01 pair_02 pair_12 tape_0 tape_1 tape_2 drawn_0 drawn_1 drawn_2 number reads (W := W)) as fits.
      destruct (item_flags_point_at prg h h_small (plan (x, false)) (plan (x, true)) rounds (fits _) (fits _) eq_refl
        (fun party => match party with share_Primary_P0 => eq_refl | share_Primary_P1 => eq_refl end) (over x hx)) as [s points].
      split; [reflexivity|]. split; [reflexivity|]. split; [reflexivity|].
      assert (ri : held_ri h (item z) = plan_ri (plan (x, false))).
      { apply mod_size_small; [apply size_power_of_two, h_small|]. rewrite val_size by assumption. apply (plan_ri_below h), fits. }
      rewrite ri. split; [exact s | exact points]. }
    assert (ok_update : forall z, In z (skipn (nat_of reads) E) -> update_item_ok prg h (item z)).
    { intros z hz. assert (hz' : In z E) by (rewrite <- (firstn_skipn (nat_of reads) E); apply in_or_app; right; exact hz).
      split; [apply ok, hz'|]. split; [reflexivity|].
      assert (hx : In (snd (snd z)) l) by (rewrite <- snd_L; apply in_map; rewrite <- snd_E; apply in_map, hz').
      set (x := snd (snd z)) in *.
      assert (up : snd x = lean_layers_Purpose_Update).
      { apply (in_map snd) in hz. rewrite <- skipn_map, snd_E in hz.
        apply (in_map snd) in hz. rewrite <- skipn_map, snd_L in hz.
        apply (in_map snd) in hz. rewrite <- skipn_map, snd_l in hz. fold x in hz.
        unfold lean_preprocessing_purposes in hz. rewrite map_range_0, skipn_map in hz.
        apply in_map_iff in hz as (i & <- & hi).
        assert (hi' : In i (seq 0 (nat_of count))).
        { unfold count. rewrite <- (firstn_skipn (nat_of reads) (seq 0 _)). apply in_or_app. right. exact hi. }
        apply in_seq in hi'. apply in_skipn_seq in hi.
        assert (ge : iltb (of_nat i) reads = false).
        { apply not_true_is_false. rewrite iltb_lt, val_of_nat by lia. lia. }
        rewrite ge. reflexivity. }
      pose proof (plan_of_fits h h_small pair_01 pair_02 pair_12 tape_0 tape_1 tape_2 drawn_0 drawn_1 drawn_2 number reads (W := W)) as fits.
      destruct (item_material_points_at prg h h_small (plan (x, false)) (plan (x, true)) rounds (fits _) (fits _) eq_refl
        (fun party => match party with share_Primary_P0 => eq_refl | share_Primary_P1 => eq_refl end) (over x hx)
        (words (fst (snd z))) up) as [s points].
      assert (ri : held_ri h (item z) = plan_ri (plan (x, false))).
      { apply mod_size_small; [apply size_power_of_two, h_small|]. rewrite val_size by assumption. apply (plan_ri_below h), fits. }
      rewrite ri. split; [exact s | exact points]. }
    exists rounds, (firstn (nat_of reads) H), (skipn (nat_of reads) H).
    assert (lH : length H = nat_of count) by (unfold H; rewrite map_length; exact lE).
    split; [rewrite firstn_length; lia|]. split; [rewrite skipn_length; lia|]. split; [exact over|].
    split.
    { rewrite firstn_skipn. assert (e : E = map (fun x => (fst x, (fst x, x))) l).
      { unfold E, L. rewrite enumerate_twice by lia. assert (e : enumerate l = map (fun x => (fst x, x)) l) by (apply enumerate_twice; lia).
        rewrite e, map_map. reflexivity. }
      unfold H. rewrite e, map_map. apply map_ext. intros [j purpose]. reflexivity. }
    unfold lean_preprocessing_prepared_0, lean_preprocessing_prepared_1, lean_preprocessing_prepared_2. cbv zeta.
    rewrite i1, i2. fold number. rewrite items_0, items_1, items_2.
    constructor; cbn [lean_session_Session_p0 lean_session_Session_p1 lean_session_Session_p2
      lean_party_Party0_log_size lean_party_Party1_log_size lean_party_Party2_log_size
      lean_party_Party0_prg lean_party_Party1_prg lean_party_Party2_prg lean_party_Party0_stream_01 lean_party_Party0_stream_02
      lean_party_Party1_stream_01 lean_party_Party1_stream_12 lean_party_Party2_stream_02 lean_party_Party2_stream_12
      lean_party_Party0_items lean_party_Party1_items lean_party_Party2_items lean_party_Party0_reads lean_party_Party1_reads
      lean_party_Party2_reads lean_party_Party0_updates lean_party_Party1_updates lean_party_Party2_updates]; try assumption;
      try (rewrite ?len_map; reflexivity);
      try (rewrite concat_pair, ?e13, ?e14, ?e15, ?take_firstn, map_app, firstn_map; reflexivity);
      try (rewrite concat_pair, ?e16, ?e17, ?e18, skip_map, map_app; reflexivity).
    - apply Forall_app. split; [assumption|]. apply Forall_forall. intros x hx.
      assert (hx' : In x H) by (rewrite <- (firstn_skipn (nat_of reads) H); apply in_or_app; left; exact hx).
      apply in_map_iff in hx' as (z & <- & hz). apply ok, hz.
    - apply Forall_app. split; [assumption|]. apply Forall_forall. intros x hx. unfold H in hx. rewrite skipn_map in hx.
      apply in_map_iff in hx as (z & <- & hz). apply ok_update, hz.
  Qed.

  Theorem lean_preprocess_makes_ready held_reads held_updates (session : lean_session_Session W P) (reads updates : u64) :
    ready held_reads held_updates session -> val reads + val updates < 2 ^ 63 ->
    let step := lean_session_preprocess session reads updates in
    (exists new_reads new_updates, length new_reads = nat_of reads /\ length new_updates = nat_of updates /\
      ready (held_reads ++ new_reads) (held_updates ++ new_updates) (lean_session_Step_session step)) /\
    lean_session_state (lean_session_Step_session step) = lean_session_state session /\
    lean_session_Step_results step = [].
  Proof.
    intros r small. destruct (lean_preprocess_makes_items held_reads held_updates session reads updates r small)
      as ((rounds & new_reads & new_updates & l_r & l_u & _ & _ & r') & rest). split; [|exact rest].
    exists new_reads, new_updates. repeat (split; [assumption|]). exact r'.
  Qed.
End Step.
