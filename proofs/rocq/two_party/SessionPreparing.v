(* The preparing step of a session of two parties, as the Rust module `two_party::session` runs it: any number of items, from ideal
   random OTs, h an item and direction, leaves parties that are ready for so many READs and UPDATEs more. Whatever the parties'
   tapes and the OTs' blocks hold. *)
From Coq Require Import Lia.
From Duoram.core Require Import ListFacts BytesRoundTrip LemmasFacts.
From Duoram.two_party Require Import OneDpf.
From Duoram.two_party Require Export SessionSteps.
From Duoram.Generated Require Import All.

#[global] Arguments two_party_tape_peek tape offset : simpl never.

(** * Parts of lists *)

Definition part {T : Type} (w k : nat) (l : list T) : list T := firstn w (skipn (k * w) l).

Lemma skipn_combine {A B : Type} (k : nat) : forall (a : list A) (b : list B),
  skipn k (combine a b) = combine (skipn k a) (skipn k b).
Proof.
  induction k as [|k IH]; intros [|x a] [|y b]; cbn; try reflexivity.
  - destruct (skipn k a); reflexivity.
  - apply IH.
Qed.

Lemma part_received (w k : nat) (pairs : list (u128 * u128)) (choices : list bool) :
  part w k (two_party_ot_received_all pairs choices) = two_party_ot_received_all (part w k pairs) (part w k choices).
Proof.
  unfold part, two_party_ot_received_all. rewrite skipn_map, firstn_map, skipn_combine, combine_firstn. reflexivity.
Qed.

Lemma skipn_received (k : nat) (pairs : list (u128 * u128)) (choices : list bool) :
  skipn k (two_party_ot_received_all pairs choices) = two_party_ot_received_all (skipn k pairs) (skipn k choices).
Proof. unfold two_party_ot_received_all. rewrite skipn_map, skipn_combine. reflexivity. Qed.

Lemma part_of_flat_map {A T : Type} (f : A -> list T) (w : nat) (d : A) (rest : list T) (l : list A) : forall k,
  (forall x, length (f x) = w) -> (k < length l)%nat -> part w k (flat_map f l ++ rest) = f (nth k l d).
Proof.
  unfold part. induction l as [|x l IH]; intros k hw hk; cbn [length] in hk; [lia|]. cbn [flat_map]. rewrite <- app_assoc.
  destruct k as [|k].
  - cbn [Nat.mul skipn nth]. rewrite firstn_app, hw, Nat.sub_diag. cbn [firstn]. rewrite app_nil_r, <- (hw x). apply firstn_all.
  - cbn [Nat.mul nth]. rewrite skipn_app, hw. replace (w + k * w - w)%nat with (k * w)%nat by lia.
    rewrite skipn_all2 by (rewrite hw; lia). apply IH; [exact hw | lia].
Qed.

Lemma part_length {T : Type} (w k c : nat) (l : list T) : (c * w <= length l)%nat -> (k < c)%nat -> length (part w k l) = w.
Proof. intros hl hk. unfold part. rewrite firstn_length, skipn_length. nia. Qed.

Section Preparing.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Laws : RingLaws W}.
  Context {P : Type} {P_Prg : prg_Prg P} {F : Type} {F_Prf : two_party_masks_Prf F} (prg : P) (prf : F).
  Context (h : u64) (h_small : val h < 64).
  Notation n := (two_party_party_size h).
  Notation Session := (two_party_session_Session W P F).
  Notation ready := (session_ready (W := W) prg prf h).
  Notation H := (nat_of h).

  Section Batch.
    Context (making_0 making_1 : two_party_tape_Tape) (reads updates : u64) (from_0 from_1 : list (u128 * u128)).
    Context (few : (val reads + val updates) * val h < 2 ^ 64).
    Context (enough_0 : ((nat_of reads + nat_of updates) * H <= length from_0)%nat).
    Context (enough_1 : ((nat_of reads + nat_of updates) * H <= length from_1)%nat).
    Notation R := (nat_of reads).
    Notation U := (nat_of updates).

    (* What a tape gives. *)
    Definition index_of (making : two_party_tape_Tape) (k : nat) : u64 :=
      two_party_tape_query_index making (wmul (of_nat k) two_party_tape_READ_WORDS) n.
    Definition draws_of (making : two_party_tape_Tape) (j : nat) : two_party_tape_UpdateDraws :=
      two_party_tape_update_draws making
        (wadd (wmul reads two_party_tape_READ_WORDS) (wmul (of_nat j) two_party_tape_UPDATE_WORDS)) h.
    Definition index_bits (making : two_party_tape_Tape) (k : nat) : list bool := dpf_address_bits (index_of making k) h.
    Definition triple_bits (making : two_party_tape_Tape) (j : nat) : list bool :=
      two_party_tape_UpdateDraws_triple_bits (draws_of making j).
    Definition choices_of (making : two_party_tape_Tape) : list bool :=
      flat_map (index_bits making) (seq 0 R) ++ flat_map (triple_bits making) (seq 0 U).

    Lemma triple_bits_length making j : length (triple_bits making j) = H.
    Proof. apply dpf_address_bits_length. Qed.
    Lemma index_bits_length making k : length (index_bits making k) = H.
    Proof. apply dpf_address_bits_length. Qed.

    Lemma read_choice making k : (k < R)%nat -> part H k (choices_of making) = index_bits making k.
    Proof.
      intros hk. unfold choices_of. rewrite (part_of_flat_map _ H O) by (auto using index_bits_length; rewrite seq_length; assumption).
      rewrite seq_nth by assumption. reflexivity.
    Qed.
    Lemma update_choice making j : (j < U)%nat -> part H j (skipn (R * H) (choices_of making)) = triple_bits making j.
    Proof.
      intros hj. unfold choices_of.
      assert (l : length (flat_map (index_bits making) (seq 0 R)) = (R * H)%nat).
      { rewrite (flat_map_length_equal _ _ H) by (intros; apply index_bits_length). rewrite seq_length. lia. }
      rewrite skipn_app, l, Nat.sub_diag, skipn_all2 by lia. cbn [app skipn].
      rewrite <- (app_nil_r (flat_map (triple_bits making) _)).
      rewrite (part_of_flat_map _ H O) by (auto using triple_bits_length; rewrite seq_length; assumption).
      rewrite seq_nth by assumption. reflexivity.
    Qed.

    (* The parts of a batch's OTs. *)
    Definition of_update {T : Type} (j : nat) (l : list T) : list T := part H j (skipn (R * H) l).

    Let used : nat_of (wmul reads h) = (R * H)%nat.
    Proof.
      pose proof (val_bounds reads). pose proof (val_bounds updates). pose proof (val_bounds h).
      apply Nat2Z.inj. rewrite Z_nat_of, val_wmul, Nat2Z.inj_mul, !Z_nat_of. apply Z.mod_small. nia.
    Qed.

    Lemma parts_of_reads {T : Type} (l : list T) : bytes_parts l h reads = map (fun k => part H k l) (seq 0 R).
    Proof.
      pose proof (val_bounds reads). pose proof (val_bounds updates). pose proof (val_bounds h).
      apply parts_are_parts. nia.
    Qed.
    Lemma parts_of_updates {T : Type} (l : list T) :
      bytes_parts (skip l (wmul reads h)) h updates = map (fun j => of_update j l) (seq 0 U).
    Proof.
      pose proof (val_bounds reads). pose proof (val_bounds updates). pose proof (val_bounds h).
      rewrite skip_skipn, used. apply parts_are_parts. nia.
    Qed.

    (** ** READ items *)

    Definition read_item (making : two_party_tape_Tape) (own others : list (u128 * u128)) (k : nat) : two_party_party_ReadItem :=
      mk_two_party_party_ReadItem (index_of making k) (two_party_ot_received_all (part H k others) (index_bits making k)) (part H k own).

    Lemma reads_made (party : two_party_party_Party W P F) (own others : list (u128 * u128)) :
      two_party_party_Party_log_size party = h ->
      let making := two_party_party_Party_making party in
      two_party_party_preprocessing_made_reads party reads own (two_party_ot_received_all others (choices_of making))
      = map (read_item making own others) (seq 0 R).
    Proof.
      intros size making. unfold two_party_party_preprocessing_made_reads, two_party_party_preprocessing_drawn_indices.
      rewrite size, !parts_of_reads, map_range_0, !combine_map, map_map. apply map_ext_in. intros k hk. apply in_seq in hk.
      rewrite part_received, read_choice by lia. reflexivity.
    Qed.

    Lemma read_items_ok k : (k < R)%nat ->
      read_item_ok h (read_item making_0 from_0 from_1 k, read_item making_1 from_1 from_0 k).
    Proof.
      intros hk. pose proof (size_power_of_two h h_small) as hn. unfold read_item_ok, read_item, two_party_masks_word_keys. cbn.
      assert (l_0 : len (part H k from_0) = h).
      { unfold len. rewrite (part_length H k (R + U)) by lia. apply of_nat_nat_of. }
      assert (l_1 : len (part H k from_1) = h).
      { unfold len. rewrite (part_length H k (R + U)) by lia. apply of_nat_nat_of. }
      rewrite l_0, l_1. repeat split; apply mod_size_below; exact hn.
    Qed.

    (** ** UPDATE items *)

    Definition seed_of (j : nat) : seed :=
      mk_seed (two_party_tape_UpdateDraws_target_bits (draws_of making_0 j), two_party_tape_UpdateDraws_target_bits (draws_of making_1 j))
        (two_party_tape_UpdateDraws_root (draws_of making_0 j), two_party_tape_UpdateDraws_root (draws_of making_1 j))
        (triple_bits making_0 j, triple_bits making_1 j) (of_update j from_0, of_update j from_1).

    Lemma of_update_length {T : Type} (l : list T) j : ((R + U) * H <= length l)%nat -> (j < U)%nat -> length (of_update j l) = H.
    Proof.
      intros hl hj. unfold of_update. apply (part_length H j U); [|exact hj]. rewrite skipn_length. nia.
    Qed.

    Lemma seeds_sized j : (j < U)%nat -> seed_sized h (seed_of j).
    Proof.
      intros hj. unfold seed_sized, seed_of. cbn [seed_targets seed_bits seed_pairs fst snd].
      repeat split; try apply dpf_address_bits_length; apply of_update_length; assumption.
    Qed.

    Lemma begun_0 (party : two_party_party_Party W P F) : two_party_party_Party_role party = share_Primary_P0 ->
      two_party_party_Party_log_size party = h -> two_party_party_Party_making party = making_0 ->
      two_party_party_preprocessing_begun party reads updates from_0 (two_party_ot_received_all from_1 (choices_of making_0))
      = map (fun j => growing_0 prg 0 (seed_of j)) (seq 0 U).
    Proof.
      intros role size making. unfold two_party_party_preprocessing_begun, two_party_party_preprocessing_drawn_updates. cbv zeta.
      rewrite size, role, making, !parts_of_updates, map_range_0, !combine_map, map_map. apply map_ext_in. intros j hj. apply in_seq in hj.
      unfold of_update at 2. rewrite skipn_received, part_received, update_choice by lia. reflexivity.
    Qed.
    Lemma begun_1 (party : two_party_party_Party W P F) : two_party_party_Party_role party = share_Primary_P1 ->
      two_party_party_Party_log_size party = h -> two_party_party_Party_making party = making_1 ->
      two_party_party_preprocessing_begun party reads updates from_1 (two_party_ot_received_all from_0 (choices_of making_1))
      = map (fun j => growing_1 prg 0 (seed_of j)) (seq 0 U).
    Proof.
      intros role size making. unfold two_party_party_preprocessing_begun, two_party_party_preprocessing_drawn_updates. cbv zeta.
      rewrite size, role, making, !parts_of_updates, map_range_0, !combine_map, map_map. apply map_ext_in. intros j hj. apply in_seq in hj.
      unfold of_update at 2. rewrite skipn_received, part_received, update_choice by lia. reflexivity.
    Qed.

    Notation batch_0 k := (map (fun j => growing_0 prg k (seed_of j)) (seq 0 U)).
    Notation batch_1 k := (map (fun j => growing_1 prg k (seed_of j)) (seq 0 U)).

    (* What is sent for a level of all DPFs. *)
    Definition level_sent (operation : u64) (k : nat) : list two_party_session_Sent :=
      let of_all {T : Type} (part : distributed_gen_LevelMessages -> T) := map (fun j => part (messages_at prg k (seed_of j))) (seq 0 U) in
      two_party_session_both operation (repr 8 6) (of_nat k)
        (bytes_operands_bytes (of_all distributed_gen_LevelMessages_operands_0))
        (bytes_operands_bytes (of_all distributed_gen_LevelMessages_operands_1))
      ++ two_party_session_both operation (repr 8 7) (of_nat k)
        (bytes_blocks_bytes (of_all distributed_gen_LevelMessages_opening_0))
        (bytes_blocks_bytes (of_all distributed_gen_LevelMessages_opening_1)).

    (* One level, by both. *)
    Lemma level_grows (session : Session) (sent : list two_party_session_Sent) (k : nat) : (k < H)%nat ->
      two_party_party_Party_prg (two_party_session_Session_p0 session) = prg ->
      two_party_party_Party_prg (two_party_session_Session_p1 session) = prg ->
      two_party_session_batch_level session (mk_two_party_session_Batch (batch_0 k) (batch_1 k) sent) (of_nat k)
        = mk_two_party_session_Batch (batch_0 (S k)) (batch_1 (S k)) (sent ++ level_sent (two_party_session_Session_operation session) k).
    Proof.
      intros hk g_0 g_1. unfold level_sent. cbv zeta. unfold two_party_session_batch_level. rewrite g_0, g_1. cbv zeta. cbn [two_party_session_Batch_batch_0 two_party_session_Batch_batch_1].
      set (S_ := seq 0 U). assert (inside : forall j, In j S_ -> seed_sized h (seed_of j)).
      { intros j hj. apply in_seq in hj. apply seeds_sized. lia. }
      assert (o_0 : two_party_party_preprocessing_batch_operands prg (map (fun j => growing_0 prg k (seed_of j)) S_) (of_nat k)
        = map (fun j => distributed_gen_LevelMessages_operands_0 (messages_at prg k (seed_of j))) S_).
      { unfold two_party_party_preprocessing_batch_operands. rewrite map_map. apply map_ext_in. intros j hj.
        apply (own_operands_0 prg h); assumption. }
      assert (o_1 : two_party_party_preprocessing_batch_operands prg (map (fun j => growing_1 prg k (seed_of j)) S_) (of_nat k)
        = map (fun j => distributed_gen_LevelMessages_operands_1 (messages_at prg k (seed_of j))) S_).
      { unfold two_party_party_preprocessing_batch_operands. rewrite map_map. apply map_ext_in. intros j hj.
        apply (own_operands_1 prg h); assumption. }
      rewrite o_0, o_1.
      assert (p_0 : two_party_party_preprocessing_batch_openings prg (map (fun j => growing_0 prg k (seed_of j)) S_) (of_nat k)
          (map (fun j => distributed_gen_LevelMessages_operands_1 (messages_at prg k (seed_of j))) S_)
        = map (fun j => distributed_gen_LevelMessages_opening_0 (messages_at prg k (seed_of j))) S_).
      { unfold two_party_party_preprocessing_batch_openings. rewrite combine_map, map_map. apply map_ext_in. intros j hj.
        apply (own_opening_0 prg h); assumption. }
      assert (p_1 : two_party_party_preprocessing_batch_openings prg (map (fun j => growing_1 prg k (seed_of j)) S_) (of_nat k)
          (map (fun j => distributed_gen_LevelMessages_operands_0 (messages_at prg k (seed_of j))) S_)
        = map (fun j => distributed_gen_LevelMessages_opening_1 (messages_at prg k (seed_of j))) S_).
      { unfold two_party_party_preprocessing_batch_openings. rewrite combine_map, map_map. apply map_ext_in. intros j hj.
        apply (own_opening_1 prg h); assumption. }
      rewrite p_0, p_1. unfold two_party_party_preprocessing_grown_batch. rewrite !combine_map, !map_map.
      f_equal; apply map_ext_in; intros j hj.
      - apply (own_growth_0 prg h); auto.
      - apply (own_growth_1 prg h); auto.
    Qed.

    Lemma levels_grow (session : Session) : two_party_party_Party_prg (two_party_session_Session_p0 session) = prg ->
      two_party_party_Party_prg (two_party_session_Session_p1 session) = prg ->
      fold_left (fun batch level => two_party_session_batch_level session batch level) (range (repr 64 0) h)
        (mk_two_party_session_Batch (batch_0 0) (batch_1 0) [])
      = mk_two_party_session_Batch (batch_0 H) (batch_1 H)
          (flat_map (level_sent (two_party_session_Session_operation session)) (seq 0 H)).
    Proof.
      intros g_0 g_1. rewrite range_0, fold_left_map.
      enough (all : forall k, (k <= H)%nat ->
        fold_left (fun batch level => two_party_session_batch_level session batch (of_nat level)) (seq 0 k)
          (mk_two_party_session_Batch (batch_0 0) (batch_1 0) [])
        = mk_two_party_session_Batch (batch_0 k) (batch_1 k)
            (flat_map (level_sent (two_party_session_Session_operation session)) (seq 0 k)))
        by (apply all; lia).
      induction k as [|k IH]; intros hk; [reflexivity|].
      rewrite seq_S, fold_left_app, IH by lia. cbn [fold_left Nat.add]. rewrite level_grows by assumption.
      rewrite flat_map_app. cbn [flat_map]. rewrite app_nil_r. reflexivity.
    Qed.

    (* The items that both make of it. *)
    Definition update_item_0 (j : nat) : two_party_update_UpdateItem W :=
      two_party_party_preprocessing_made_update share_Primary_P0 (two_party_party_preprocessing_Growing_labels (growing_0 prg H (seed_of j)))
        (two_party_conversion_sum_share W share_Primary_P1 (two_party_party_preprocessing_Growing_labels (growing_1 prg H (seed_of j)))).
    Definition update_item_1 (j : nat) : two_party_update_UpdateItem W :=
      two_party_party_preprocessing_made_update share_Primary_P1 (two_party_party_preprocessing_Growing_labels (growing_1 prg H (seed_of j)))
        (two_party_conversion_sum_share W share_Primary_P0 (two_party_party_preprocessing_Growing_labels (growing_0 prg H (seed_of j)))).

    Lemma update_items_ok j : (j < U)%nat -> val n <= 2 ^ Zpos (ring_bits W) -> update_item_ok h (update_item_0 j, update_item_1 j).
    Proof.
      intros hj hw. pose proof (size_power_of_two h h_small) as hn.
      destruct (leaves_of_both_point_at prg h (seed_of j) n _ _ (seeds_sized j hj) h_small (val_size h h_small) eq_refl)
        as (s_0 & s_1 & points).
      unfold update_item_ok, update_item_0, update_item_1. cbn [fst snd]. cbv zeta in s_0, s_1, points.
      eexists. exact (made_updates_point_at n _ _ _ hn hw (mod_size_below _ _ hn) s_0 s_1 points).
    Qed.
  End Batch.

  (* The step: both parties' items, and what is sent. *)
  Lemma preprocess_made held_reads held_updates (session : Session) (reads updates : u64) (ots : two_party_session_Ots) :
    ready held_reads held_updates session -> (val reads + val updates) * val h < 2 ^ 64 ->
    ((nat_of reads + nat_of updates) * H <= length (two_party_session_Ots_from_0 ots))%nat ->
    ((nat_of reads + nat_of updates) * H <= length (two_party_session_Ots_from_1 ots))%nat ->
    let operation := two_party_session_Session_operation session in
    let from_0 := two_party_session_Ots_from_0 ots in
    let from_1 := two_party_session_Ots_from_1 ots in
    let making_0 := two_party_party_Party_making (two_party_session_Session_p0 session) in
    let making_1 := two_party_party_Party_making (two_party_session_Session_p1 session) in
    let made_0 := map (fun j => growing_0 prg H (seed_of making_0 making_1 reads from_0 from_1 j)) (seq 0 (nat_of updates)) in
    let made_1 := map (fun j => growing_1 prg H (seed_of making_0 making_1 reads from_0 from_1 j)) (seq 0 (nat_of updates)) in
    let sums_0 := two_party_party_preprocessing_batch_sums W share_Primary_P0 made_0 in
    let sums_1 := two_party_party_preprocessing_batch_sums W share_Primary_P1 made_1 in
    two_party_session_preprocess session reads updates ots
    = mk_two_party_session_Step
        (mk_two_party_session_Session
          (two_party_party_preprocessing_prepared (two_party_session_Session_p0 session)
            (map (read_item making_0 from_0 from_1) (seq 0 (nat_of reads))) made_0 sums_1)
          (two_party_party_preprocessing_prepared (two_party_session_Session_p1 session)
            (map (read_item making_1 from_1 from_0) (seq 0 (nat_of reads))) made_1 sums_0)
          (wadd operation (repr 64 1)))
        (two_party_session_of_items reads (two_party_session_both operation (repr 8 5) (repr 64 0) [] [])
          ++ two_party_session_of_items updates
            (flat_map (level_sent making_0 making_1 reads updates from_0 from_1 operation) (seq 0 H)
              ++ two_party_session_both operation (repr 8 8) (repr 64 0) (bytes_ring_bytes sums_0)
                (bytes_ring_bytes sums_1)))
        [].
  Proof.
    intros r few enough_0 enough_1. destruct ots as [from_0 from_1]. cbn in enough_0, enough_1.
    destruct session as [[a0 a1 a2 a3 a4 a5 a6 a7 a8] [b0 b1 b2 b3 b4 b5 b6 b7 b8] op].
    destruct r as [e1 e2 e3 e4 e5 e6 e7 e8 e9 e10 e11 e12 hr hu hm_0 hm_1].
    cbn in e1, e2, e3, e4, e5, e6, e7, e8, e9, e10, e11, e12, hm_0, hm_1. subst.
    cbv zeta. unfold two_party_session_preprocess. cbv zeta.
    set (session := mk_two_party_session_Session _ _ op).
    assert (choices_0 : two_party_party_preprocessing_choices (two_party_session_Session_p0 session) reads updates = choices_of reads updates a4).
    { unfold two_party_party_preprocessing_choices, two_party_party_preprocessing_drawn_indices,
        two_party_party_preprocessing_drawn_updates, choices_of. cbv zeta. rewrite concat_pair, !map_range_0, !flat_map_map. reflexivity. }
    assert (choices_1 : two_party_party_preprocessing_choices (two_party_session_Session_p1 session) reads updates = choices_of reads updates b4).
    { unfold two_party_party_preprocessing_choices, two_party_party_preprocessing_drawn_indices,
        two_party_party_preprocessing_drawn_updates, choices_of. cbv zeta. rewrite concat_pair, !map_range_0, !flat_map_map. reflexivity. }
    rewrite choices_0, choices_1. cbn [two_party_session_Ots_from_0 two_party_session_Ots_from_1].
    assert (reads_0 : two_party_party_preprocessing_made_reads (two_party_session_Session_p0 session) reads from_0
      (two_party_ot_received_all from_1 (choices_of reads updates a4)) = map (read_item a4 from_0 from_1) (seq 0 (nat_of reads)))
      by exact (reads_made reads updates from_0 from_1 few enough_0 enough_1 (two_party_session_Session_p0 session) from_0 from_1 eq_refl).
    assert (reads_1 : two_party_party_preprocessing_made_reads (two_party_session_Session_p1 session) reads from_1
      (two_party_ot_received_all from_0 (choices_of reads updates b4)) = map (read_item b4 from_1 from_0) (seq 0 (nat_of reads)))
      by exact (reads_made reads updates from_0 from_1 few enough_0 enough_1 (two_party_session_Session_p1 session) from_1 from_0 eq_refl).
    assert (start_0 := begun_0 a4 b4 reads updates from_0 from_1 few enough_0 enough_1 (two_party_session_Session_p0 session)
      eq_refl eq_refl eq_refl).
    assert (start_1 := begun_1 a4 b4 reads updates from_0 from_1 few enough_0 enough_1 (two_party_session_Session_p1 session)
      eq_refl eq_refl eq_refl).
    rewrite reads_0, reads_1, start_0, start_1.
    pose proof (levels_grow a4 b4 reads updates from_0 from_1 few enough_0 enough_1 session eq_refl eq_refl) as made.
    change (two_party_party_Party_log_size (two_party_session_Session_p0 session)) with h.
    change (two_party_party_Party_role (two_party_session_Session_p0 session)) with share_Primary_P0.
    change (two_party_party_Party_role (two_party_session_Session_p1 session)) with share_Primary_P1.
    rewrite made. cbn [two_party_session_Batch_batch_0 two_party_session_Batch_batch_1 two_party_session_Batch_sent concat].
    rewrite !app_nil_r. reflexivity.
  Qed.

  Theorem two_party_preprocess_makes_ready held_reads held_updates (session : Session) (reads updates : u64) (ots : two_party_session_Ots) :
    ready held_reads held_updates session -> val n <= 2 ^ Zpos (ring_bits W) -> (val reads + val updates) * val h < 2 ^ 64 ->
    ((nat_of reads + nat_of updates) * H <= length (two_party_session_Ots_from_0 ots))%nat ->
    ((nat_of reads + nat_of updates) * H <= length (two_party_session_Ots_from_1 ots))%nat ->
    let step := two_party_session_preprocess session reads updates ots in
    (exists new_reads new_updates, length new_reads = nat_of reads /\ length new_updates = nat_of updates /\
      ready (held_reads ++ new_reads) (held_updates ++ new_updates) (two_party_session_Step_session step)) /\
    memory_of (two_party_session_Step_session step) = memory_of session /\ two_party_session_Step_results step = [].
  Proof.
    intros r hw few enough_0 enough_1 step. destruct ots as [from_0 from_1]. cbn in enough_0, enough_1.
    split; [|split; reflexivity].
    subst step. rewrite (preprocess_made _ _ session reads updates (mk_two_party_session_Ots from_0 from_1) r few enough_0 enough_1). cbv zeta.
    destruct session as [[a0 a1 a2 a3 a4 a5 a6 a7 a8] [b0 b1 b2 b3 b4 b5 b6 b7 b8] op].
    destruct r as [e1 e2 e3 e4 e5 e6 e7 e8 e9 e10 e11 e12 hr hu hm_0 hm_1].
    cbn in e1, e2, e3, e4, e5, e6, e7, e8, e9, e10, e11, e12, hm_0, hm_1. subst.
    set (new_reads := map (fun k => (read_item a4 from_0 from_1 k, read_item b4 from_1 from_0 k)) (seq 0 (nat_of reads))).
    set (new_updates := map (fun j => (update_item_0 a4 b4 reads from_0 from_1 j, update_item_1 a4 b4 reads from_0 from_1 j)) (seq 0 (nat_of updates))).
    exists new_reads, new_updates.
    split; [unfold new_reads; rewrite map_length; apply seq_length|].
    split; [unfold new_updates; rewrite map_length; apply seq_length|].
    cbn [two_party_session_Step_session two_party_session_Session_p0 two_party_session_Session_p1 two_party_party_Party_making
      two_party_session_Ots_from_0 two_party_session_Ots_from_1].
    assert (items_0 : map (fun '((growing, sum) : two_party_party_preprocessing_Growing * W) =>
        two_party_party_preprocessing_made_update share_Primary_P0 (two_party_party_preprocessing_Growing_labels growing) sum)
        (combine (map (fun j => growing_0 prg H (seed_of a4 b4 reads from_0 from_1 j)) (seq 0 (nat_of updates)))
          (two_party_party_preprocessing_batch_sums W share_Primary_P1
            (map (fun j => growing_1 prg H (seed_of a4 b4 reads from_0 from_1 j)) (seq 0 (nat_of updates)))))
      = map fst new_updates).
    { unfold two_party_party_preprocessing_batch_sums, new_updates. rewrite map_map, combine_map, !map_map. reflexivity. }
    assert (items_1 : map (fun '((growing, sum) : two_party_party_preprocessing_Growing * W) =>
        two_party_party_preprocessing_made_update share_Primary_P1 (two_party_party_preprocessing_Growing_labels growing) sum)
        (combine (map (fun j => growing_1 prg H (seed_of a4 b4 reads from_0 from_1 j)) (seq 0 (nat_of updates)))
          (two_party_party_preprocessing_batch_sums W share_Primary_P0
            (map (fun j => growing_0 prg H (seed_of a4 b4 reads from_0 from_1 j)) (seq 0 (nat_of updates)))))
      = map snd new_updates).
    { unfold two_party_party_preprocessing_batch_sums, new_updates. rewrite map_map, combine_map, !map_map. reflexivity. }
    assert (of_reads_0 : map (read_item a4 from_0 from_1) (seq 0 (nat_of reads)) = map fst new_reads) by (unfold new_reads; rewrite map_map; reflexivity).
    assert (of_reads_1 : map (read_item b4 from_1 from_0) (seq 0 (nat_of reads)) = map snd new_reads) by (unfold new_reads; rewrite map_map; reflexivity).
    assert (ok_reads : Forall (read_item_ok h) new_reads).
    { apply Forall_map, Forall_forall. intros k hk. apply in_seq in hk.
      apply (read_items_ok a4 b4 reads updates from_0 from_1 few enough_0 enough_1). lia. }
    assert (ok_updates : Forall (update_item_ok h) new_updates).
    { apply Forall_map, Forall_forall. intros j hj. apply in_seq in hj.
      apply (update_items_ok a4 b4 reads updates from_0 from_1 few enough_0 enough_1); [lia | exact hw]. }
    rewrite of_reads_0, of_reads_1. clearbody new_reads. clear of_reads_0 of_reads_1.
    unfold two_party_party_preprocessing_prepared. cbv zeta.
    cbn [two_party_session_Session_p0 two_party_session_Session_p1 two_party_party_Party_role two_party_party_Party_reads
      two_party_party_Party_updates].
    rewrite items_0, items_1, !concat_pair, <- !map_app. clear items_0 items_1. clearbody new_updates.
    constructor; cbn [two_party_session_Session_p0 two_party_session_Session_p1 two_party_party_Party_role two_party_party_Party_log_size
      two_party_party_Party_prg two_party_party_Party_prf two_party_party_Party_reads two_party_party_Party_updates
      two_party_party_Party_memory_share].
    1-12: reflexivity.
    - apply Forall_app. split; assumption.
    - apply Forall_app. split; assumption.
    - assumption.
    - assumption.
  Qed.
End Preparing.
