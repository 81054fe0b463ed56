(* Every message of the paper's protocol is what its payload decodes to: `paper::payload` there and back, one theorem a kind.
   Kinds 2, 3, 8, 10 and 11 are words (`words_of_words_bytes`), kind 5 is operands (`operands_of_operands_bytes`), kind 6 is blocks
   (`blocks_of_blocks_bytes`), in core/BytesRoundTrip.v. A receiver knows from the step how many DPFs, items or queries a message is about; here that is a
   premise. Lists are of fewer than 2^56 entries, keys fewer than 2^40, so that no offset wraps around. *)
From Coq Require Import Lia.
From Duoram.core Require Import VectorFacts.
From Duoram.core Require Export BytesRoundTrip.
From Duoram.Generated Require Import All.

(* Kind 1. *)
Theorem hello_round_trip (contribution : u128) (log_size : u64) :
  paper_payload_hello_of (paper_payload_hello contribution log_size) = (contribution, log_size).
Proof.
  unfold paper_payload_hello_of, paper_payload_hello. rewrite concat_pair.
  rewrite take_app_exact, skip_app_exact by reflexivity.
  rewrite block_of_block_bytes, word_of_word_bytes, !cast_same. reflexivity.
Qed.

(* A part of a few words or blocks. *)
Lemma words_of_a_part (words : list u64) : (length words < 8)%nat -> bytes_words_of_bytes (bytes_words_bytes words) = words.
Proof. intros small. apply words_of_words_bytes. unfold fits. lia. Qed.
Lemma blocks_of_a_part (blocks : list u128) : (length blocks < 8)%nat -> bytes_blocks_of_bytes (bytes_blocks_bytes blocks) = blocks.
Proof. intros small. apply blocks_of_blocks_bytes. unfold fits. lia. Qed.

Lemma words_of_records {A : Type} (f : A -> list u64) (l : list A) :
  bytes_words_bytes (flat_map f l) = flat_map (fun x => bytes_words_bytes (f x)) l.
Proof. apply flat_map_flat_map. Qed.
Lemma blocks_of_records {A : Type} (f : A -> list u128) (l : list A) :
  bytes_blocks_bytes (flat_map f l) = flat_map (fun x => bytes_blocks_bytes (f x)) l.
Proof. apply flat_map_flat_map. Qed.

(* Kind 4: the first operands of AND triples are bits at all places. *)
Definition replicated (triple : du_atallah_AndTriple) : Prop :=
  du_atallah_AndTriple_x triple = block_replicate (block_flag (du_atallah_AndTriple_x triple)).

Theorem triples_round_trip (and : list du_atallah_AndTriple) (product : list (du_atallah_ProductTriple u64)) (ands products : u64) :
  fits and -> fits product -> Forall replicated and -> nat_of ands = length and -> nat_of products = length product ->
  paper_payload_triples_of (paper_payload_triples and product) ands products = (and, product).
Proof.
  intros fa fp bits ea ep. unfold fits in *. unfold paper_payload_triples_of, paper_payload_triples, paper_payload_rest. cbv zeta.
  cbn [concat]. rewrite app_nil_r.
  rewrite skip_app_exact; cycle 1.
  { rewrite blocks_bytes_length, (flat_map_length_equal _ _ 2) by reflexivity.
    rewrite (nat_of_wmul _ _ (length and) 32) by (assumption || reflexivity || lia). lia. }
  rewrite bits_of_packed_bits by (unfold fits; rewrite map_length; assumption).
  rewrite skip_app_exact; cycle 1.
  { rewrite packed_bits_length by (unfold fits; rewrite map_length; assumption). rewrite map_length.
    unfold paper_payload_packed_len. rewrite <- (of_nat_nat_of ands), ea. apply packed_places. assumption. }
  rewrite blocks_of_records, words_of_records.
  pose proof (Z_nat_of ands). pose proof (Z_nat_of products).
  rewrite parts_of_flat_map; [|reflexivity|assumption|change (val (repr 64 32)) with 32; lia].
  rewrite parts_of_flat_map_all; [|reflexivity|assumption|change (val (repr 64 24)) with 24; lia].
  rewrite combine_map_map, map_map. f_equal.
  - rewrite <- (map_id and) at 2. apply map_ext_in. intros [x y z] ht. rewrite blocks_of_a_part by (cbn; lia).
    rewrite Forall_forall in bits. specialize (bits _ ht). unfold replicated in bits.
    cbn [du_atallah_AndTriple_x] in bits. cbn [du_atallah_AndTriple_x du_atallah_AndTriple_y du_atallah_AndTriple_z].
    rewrite <- bits. reflexivity.
  - rewrite <- (map_id product) at 2. apply map_ext. intros [x y z]. rewrite words_of_a_part by (cbn; lia). reflexivity.
Qed.

(* Kind 7. *)
Theorem conversions_round_trip (operands : list (paper_conversion_Operands u64)) (deltas : list u64) (dpfs : u64) :
  fits operands -> fits deltas -> nat_of dpfs = length operands ->
  paper_payload_conversions_of (paper_payload_conversions operands deltas) dpfs = (operands, deltas).
Proof.
  intros fo fd e. unfold fits in *. unfold paper_payload_conversions_of, paper_payload_conversions, paper_payload_rest. cbv zeta.
  rewrite concat_pair. pose proof (Z_nat_of dpfs).
  rewrite skip_app_exact; cycle 1.
  { rewrite words_bytes_length, (flat_map_length_equal _ _ 3) by reflexivity.
    rewrite (nat_of_wmul _ _ (length operands) 24) by (assumption || reflexivity || lia). lia. }
  rewrite words_of_words_bytes by assumption. f_equal. rewrite words_of_records.
  rewrite parts_of_flat_map; [|reflexivity|assumption|change (val (repr 64 24)) with 24; lia].
  rewrite map_map. rewrite <- (map_id operands) at 2. apply map_ext. intros [a b c].
  rewrite words_of_a_part by (cbn; lia). reflexivity.
Qed.

(* Kind 9: keys of trees of one height. *)
Theorem keys_round_trip (h : u64) (keys : list (paper_preprocessing_HelperKey u64)) (items : u64) :
  val h < 64 -> Z.of_nat (length keys) < 2 ^ 40 -> nat_of items = length keys ->
  Forall (fun item => length (dpf_Key_corrections (paper_preprocessing_HelperKey_key item)) = nat_of h) keys ->
  paper_payload_keys_of (paper_payload_keys keys) h items = keys.
Proof.
  intros hh small e heights. unfold paper_payload_keys_of, paper_payload_keys, paper_payload_rest. cbv zeta. rewrite concat_pair.
  pose proof (Z_nat_of items). pose proof (val_bounds h). pose proof (Z_nat_of h). rewrite Forall_forall in heights.
  assert (nh : (nat_of h < 64)%nat) by lia.
  assert (e_1 : nat_of (wadd h (repr 64 1)) = S (nat_of h)).
  { rewrite (nat_of_wadd _ _ (nat_of h) 1) by (reflexivity || lia). lia. }
  assert (e_b : nat_of (wmul (wadd h (repr 64 1)) (repr 64 16)) = (S (nat_of h) * 16)%nat)
    by (apply nat_of_wmul; [exact e_1 | reflexivity | lia]).
  assert (e_w : nat_of (wadd (wmul (wadd h (repr 64 1)) (repr 64 16)) (repr 64 8)) = (S (nat_of h) * 16 + 8)%nat)
    by (apply nat_of_wadd; [exact e_b | reflexivity | lia]).
  assert (e_f : nat_of (wmul h (repr 64 2)) = (nat_of h * 2)%nat) by (apply nat_of_wmul; [reflexivity | reflexivity | lia]).
  set (blocks_len := wmul (wadd h (repr 64 1)) (repr 64 16)) in *. set (width := wadd blocks_len (repr 64 8)) in *.
  set (flags := wmul h (repr 64 2)) in *.
  pose proof (Z_nat_of width). pose proof (Z_nat_of flags). clearbody width flags.
  rewrite skip_app_exact; cycle 1.
  { rewrite (flat_map_length_equal _ _ (nat_of width)).
    - rewrite (nat_of_wmul _ _ (length keys) (nat_of width)) by (assumption || reflexivity || nia). lia.
    - intros item hi. cbn [concat]. rewrite !app_length, blocks_bytes_length, map_length, heights by assumption.
      rewrite block_bytes_length, word_bytes_length. cbn [length]. lia. }
  set (bits := flat_map (fun item => flat_map _ _) keys).
  assert (lb : length bits = (nat_of flags * length keys)%nat).
  { apply flat_map_length_equal. intros item hi. rewrite (flat_map_length_equal _ _ 2) by reflexivity.
    rewrite heights by assumption. lia. }
  rewrite <- (app_nil_r (bytes_packed_bits bits)), bits_of_packed_bits; cycle 1.
  { unfold fits. nia. }
  { rewrite lb, (nat_of_wmul _ _ (length keys) (nat_of flags)) by (assumption || reflexivity || nia). lia. }
  rewrite app_nil_r. unfold bits. clear lb.
  rewrite (parts_of_flat_map_all _ keys); [| |assumption|nia]; cycle 1.
  { intros item hi. rewrite (flat_map_length_equal _ _ 2) by reflexivity. rewrite heights by assumption. lia. }
  rewrite parts_of_flat_map; [| |assumption|nia]; cycle 1.
  { intros item hi. cbn [concat]. rewrite !app_length, blocks_bytes_length, map_length, heights by assumption.
    rewrite block_bytes_length, word_bytes_length. cbn [length]. lia. }
  rewrite combine_map_map. rewrite <- (map_id keys) at 2. apply map_ext_in. intros [[root corrections] factor] hi.
  specialize (heights _ hi). cbn [paper_preprocessing_HelperKey_key dpf_Key_corrections paper_preprocessing_HelperKey_factor
    dpf_Key_root] in *. cbn [concat]. rewrite app_nil_r.
  assert (blocks : map (fun block => aes_block_of_bytes block)
      (bytes_parts (aes_bytes_of_block root ++ bytes_blocks_bytes (map (fun c => dpf_Correction_word c) corrections) ++
        bytes_word_bytes factor) (repr 64 16) (wadd h (repr 64 1)))
    = root :: map (fun c => dpf_Correction_word c) corrections).
  { rewrite app_assoc.
    change (aes_bytes_of_block root ++ bytes_blocks_bytes (map (fun c => dpf_Correction_word c) corrections))
      with (flat_map aes_bytes_of_block (root :: map (fun c => dpf_Correction_word c) corrections)).
    pose proof (Z_nat_of (wadd h (repr 64 1))).
    rewrite parts_of_flat_map; [|reflexivity|cbn [length]; rewrite map_length; congruence|change (val (repr 64 16)) with 16; lia].
    rewrite map_map. etransitivity; [|apply map_id]. apply map_ext. apply block_of_block_bytes. }
  rewrite blocks. f_equal; [f_equal|].
  - change (skip (root :: ?l) (repr 64 1)) with (skip ([root] ++ l) (repr 64 1)). rewrite skip_app_exact by reflexivity.
    rewrite (parts_of_flat_map_all _ corrections); [|reflexivity|congruence|change (val (repr 64 2)) with 2; lia].
    rewrite combine_map_map. etransitivity; [|apply map_id]. apply map_ext. intros [w l r]. reflexivity.
  - rewrite app_assoc, skip_app_exact; [apply word_of_word_bytes|].
    rewrite app_length, blocks_bytes_length, map_length, block_bytes_length. lia.
Qed.

(* Kind 12. *)
Theorem update_round_trip (messages : list (paper_update_UpdateMessage u64)) (queries : u64) :
  fits messages -> nat_of queries = length messages ->
  paper_payload_update_of (paper_payload_update messages) queries = messages.
Proof.
  intros small e. unfold fits in small. unfold paper_payload_update_of, paper_payload_update. cbv zeta. rewrite words_of_records.
  pose proof (Z_nat_of queries).
  rewrite parts_of_flat_map_all; [|reflexivity|assumption|change (val (repr 64 32)) with 32; lia].
  rewrite map_map. etransitivity; [|apply map_id]. apply map_ext. intros [s a b c].
  rewrite words_of_a_part by (cbn; lia). reflexivity.
Qed.

(* Kind 13: what is sent of a message is what P2 decodes. *)
Theorem helper_update_round_trip (messages : list (paper_update_UpdateMessage u64)) (queries : u64) :
  fits messages -> nat_of queries = length messages ->
  paper_payload_helper_update_of (paper_payload_helper_update messages) queries = map (fun m => paper_update_helper_message m) messages.
Proof.
  intros small e. unfold fits in small. unfold paper_payload_helper_update_of, paper_payload_helper_update. cbv zeta.
  rewrite words_of_records. pose proof (Z_nat_of queries).
  rewrite parts_of_flat_map_all; [|reflexivity|assumption|change (val (repr 64 24)) with 24; lia].
  rewrite map_map. apply map_ext. intros m. rewrite words_of_a_part by (cbn; lia). destruct m. reflexivity.
Qed.
