(* Words, blocks and bits are what their bytes decode to: `core::bytes` there and back. Lists are of fewer than 2^56 entries, so
   that no length and no offset wraps around. *)
From Coq Require Import Lia.
From Duoram.core Require Import VectorFacts.
From Duoram.core Require Export ListFacts.
From Duoram.Generated Require Import All.

(** * One word, one block, eight bits *)

Lemma bit_of_byte {w : positive} (x : int w) (s : u32) (k : Z) : (8 <= w)%positive -> val s + 8 <= Zpos w ->
  bit (cast 8 (iand (wshr x s) (repr w 255))) k = (0 <=? k) && (k <? 8) && bit x (k + val s).
Proof.
  intros hw hs. destruct (Z.leb_spec 0 k) as [low|low]; [|rewrite bit_neg by lia; reflexivity].
  destruct (Z.ltb_spec k 8) as [high|high]; [|rewrite bit_high by lia; reflexivity].
  rewrite bit_cast, bit_iand, bit_wshr by lia. cbn [andb].
  assert (e : bit (repr w 255) k = true).
  { rewrite bit_repr by lia. change 255 with (Z.ones 8). apply Z.ones_spec_low. lia. }
  rewrite e. apply andb_true_r.
Qed.

Lemma bit_of_moved_byte {w : positive} (x : u8) (s : u32) (k : Z) : (8 <= w)%positive -> val s < Zpos w -> 0 <= k < Zpos w ->
  bit (wshl (cast w x) s) k = bit x (k - val s).
Proof.
  intros hw hs hk. rewrite bit_wshl by lia. pose proof (val_bounds s).
  destruct (Z_lt_le_dec (k - val s) 0); [rewrite !bit_neg by lia; reflexivity | apply bit_cast; lia].
Qed.

(* Of the bytes at the places 8 i, the one at which k is. *)
Lemma one_of_the_bytes (b : Z -> bool) (count : nat) (k : Z) : 0 <= k < 8 * Z.of_nat count ->
  fold_left (fun sum i => xorb sum ((0 <=? k - 8 * i) && (k - 8 * i <? 8) && b k)) (map Z.of_nat (seq 0 count)) false = b k.
Proof.
  induction count as [|count IH]; intros hk; [lia|].
  rewrite seq_S, map_app, fold_left_app. cbn [map fold_left Nat.add].
  destruct (Z_lt_le_dec k (8 * Z.of_nat count)) as [low|high].
  - rewrite IH by lia. replace (0 <=? k - 8 * Z.of_nat count) with false by (symmetry; apply Z.leb_gt; lia).
    apply xorb_false_r.
  - assert (none : fold_left (fun sum i => xorb sum ((0 <=? k - 8 * i) && (k - 8 * i <? 8) && b k))
      (map Z.of_nat (seq 0 count)) false = false).
    { apply fold_left_invariant; [reflexivity|]. intros s i hi ->. apply in_map_iff in hi as (j & <- & hj). apply in_seq in hj.
      replace (k - 8 * Z.of_nat j <? 8) with false by (symmetry; apply Z.ltb_ge; lia).
      rewrite andb_false_r. reflexivity. }
    rewrite none. replace (0 <=? k - 8 * Z.of_nat count) with true by (symmetry; apply Z.leb_le; lia).
    replace (k - 8 * Z.of_nat count <? 8) with true by (symmetry; apply Z.ltb_lt; lia). apply xorb_false_l.
Qed.

Lemma bit_fold {w : positive} {A : Type} (f : A -> int w) (l : list A) (start : int w) (k : Z) :
  bit (fold_left (fun sum i => ixor sum (f i)) l start) k = fold_left (fun sum i => xorb sum (bit (f i) k)) l (bit start k).
Proof. revert start. induction l as [|x l IH]; intros start; [reflexivity|]. cbn [fold_left]. rewrite IH, bit_ixor. reflexivity. Qed.

(* The bytes of an integer of 8 m bits, and the integer of these bytes. *)
Lemma integer_of_its_bytes {w : positive} (m : nat) (x : int w) : Zpos w = 8 * Z.of_nat m -> (8 <= w)%positive -> Zpos w < 2 ^ 32 ->
  fold_left (fun sum i =>
      ixor sum (wshl (cast w (nth i (map (fun i => cast 8 (iand (wshr x (repr 32 (8 * Z.of_nat i))) (repr w 255))) (seq 0 m))
        (repr 8 0))) (repr 32 (8 * Z.of_nat i))))
    (seq 0 m) (repr w 0) = x.
Proof.
  intros hw large small. apply bit_ext. intros k hk. rewrite bit_fold, bit_zero.
  rewrite <- (one_of_the_bytes (bit x) m k) by lia. rewrite fold_left_map. apply fold_left_ext. intros s i hi.
  apply in_seq in hi. f_equal. rewrite (nth_map _ _ i 0%nat) by (rewrite seq_length; lia). rewrite seq_nth by lia.
  assert (e : val (repr 32 (8 * Z.of_nat i)) = 8 * Z.of_nat i) by (apply val_repr_small; lia).
  rewrite Nat.add_0_l, bit_of_moved_byte, bit_of_byte by (rewrite ?e; lia). rewrite e, <- andb_assoc.
  replace (k - 8 * Z.of_nat i + 8 * Z.of_nat i) with k by lia. rewrite andb_assoc. reflexivity.
Qed.

Theorem word_of_word_bytes (x : u64) : bytes_word_of_bytes (bytes_word_bytes x) = x.
Proof.
  etransitivity; [|apply (integer_of_its_bytes 8 x); [reflexivity | discriminate | reflexivity]].
  unfold bytes_word_of_bytes, range. rewrite fold_left_map. apply fold_left_ext. intros s i hi.
  repeat (destruct hi as [<-|hi]; [reflexivity|]). destruct hi.
Qed.

Theorem block_of_block_bytes (x : u128) : aes_block_of_bytes (aes_bytes_of_block x) = x.
Proof.
  etransitivity; [|apply (integer_of_its_bytes 16 x); [reflexivity | discriminate | reflexivity]].
  unfold aes_block_of_bytes, range. rewrite fold_left_map. apply fold_left_ext. intros s i hi.
  repeat (destruct hi as [<-|hi]; [reflexivity|]). destruct hi.
Qed.

Lemma word_bytes_length (x : u64) : length (bytes_word_bytes x) = 8%nat.
Proof. reflexivity. Qed.
Lemma block_bytes_length (x : u128) : length (aes_bytes_of_block x) = 16%nat.
Proof. reflexivity. Qed.

Definition packed_byte (bit : nat -> bool) : u8 :=
  fold_left (fun sum position => ixor sum (wshl (if bit position then repr 8 1 else repr 8 0) (repr 32 (Z.of_nat position))))
    (seq 0 8) (repr 8 0).
Definition bits_of_byte (byte : u8) : list bool :=
  map (fun (position : u32) => ieqb (iand (wshr byte position) (repr 8 1)) (repr 8 1)) (range (repr 32 0) (repr 32 8)).

Lemma bits_of_packed_byte (bit : nat -> bool) : bits_of_byte (packed_byte bit) = map bit (seq 0 8).
Proof.
  unfold packed_byte. cbn [seq fold_left map].
  destruct (bit 0%nat), (bit 1%nat), (bit 2%nat), (bit 3%nat), (bit 4%nat), (bit 5%nat), (bit 6%nat), (bit 7%nat); vm_compute;
    reflexivity.
Qed.

(** * Lists of parts of one width *)

Lemma parts_are_parts {T : Type} (l : list T) (width count : u64) : val count * val width < 2 ^ 64 ->
  bytes_parts l width count
  = map (fun k => firstn (nat_of width) (skipn (k * nat_of width) l)) (seq 0 (nat_of count)).
Proof.
  intros small. unfold bytes_parts. rewrite map_range_0. apply map_ext_in. intros k hk. apply in_seq in hk.
  rewrite take_firstn, skip_skipn. f_equal. f_equal. apply Nat2Z.inj.
  pose proof (Z_nat_of count). pose proof (Z_nat_of width). pose proof (nat_of_bound count).
  rewrite Z_nat_of, val_wmul, val_of_nat by lia. rewrite Nat2Z.inj_mul, Z_nat_of. apply Z.mod_small. nia.
Qed.

(* What was put together of parts of one width falls into them, whatever comes behind. *)
Theorem parts_of_flat_map {A T : Type} (f : A -> list T) (l : list A) (rest : list T) (width count : u64) :
  (forall x, In x l -> length (f x) = nat_of width) -> nat_of count = length l -> val count * val width < 2 ^ 64 ->
  bytes_parts (flat_map f l ++ rest) width count = map f l.
Proof.
  intros h e small. rewrite parts_are_parts, e by assumption. clear e small. set (w := nat_of width) in *. clearbody w.
  induction l as [|x l IH]; [reflexivity|]. cbn [length flat_map map]. rewrite <- cons_seq. cbn [map]. f_equal.
  - rewrite <- app_assoc. cbn [skipn Nat.mul]. rewrite firstn_app, h, Nat.sub_diag by apply in_eq. cbn [firstn].
    rewrite app_nil_r, <- (h x) by apply in_eq. apply firstn_all.
  - rewrite <- IH by (auto using in_cons). rewrite <- seq_shift, map_map. apply map_ext. intros k.
    rewrite <- app_assoc. cbn [Nat.mul]. rewrite skipn_app, h by apply in_eq.
    replace (w + k * w - w)%nat with (k * w)%nat by lia.
    rewrite (skipn_all2 (f x)) by (rewrite h by apply in_eq; lia). reflexivity.
Qed.

Theorem parts_of_flat_map_all {A T : Type} (f : A -> list T) (l : list A) (width count : u64) :
  (forall x, In x l -> length (f x) = nat_of width) -> nat_of count = length l -> val count * val width < 2 ^ 64 ->
  bytes_parts (flat_map f l) width count = map f l.
Proof. intros. rewrite <- (app_nil_r (flat_map f l)). apply parts_of_flat_map; assumption. Qed.

(** * Lists of words, of blocks, of bits *)

Definition fits {T : Type} (l : list T) : Prop := Z.of_nat (length l) < 2 ^ 56.

Lemma nat_of_len_fits {T : Type} (l : list T) : fits l -> nat_of (len l) = length l.
Proof. unfold fits. intros h. apply nat_of_len. lia. Qed.

Lemma shifted_length {T : Type} (l : list T) (n : nat) (s : u32) : val s < 8 -> Z.of_nat n < 2 ^ 56 ->
  Z.of_nat (length l) = 2 ^ val s * Z.of_nat n -> nat_of (wshr (len l) s) = n /\ val (wshr (len l) s) = Z.of_nat n.
Proof.
  intros hs hn e. pose proof (val_bounds s).
  assert (2 ^ val s <= 2 ^ 7) by (apply Z.pow_le_mono_r; lia).
  assert (v : val (wshr (len l) s) = Z.of_nat n).
  { rewrite val_wshr, val_len by nia. rewrite e, Z.mul_comm. apply Z.div_mul, Z.pow_nonzero; lia. }
  split; [|exact v]. apply Nat2Z.inj. rewrite Z_nat_of. exact v.
Qed.

Theorem words_of_words_bytes (words : list u64) : fits words -> bytes_words_of_bytes (bytes_words_bytes words) = words.
Proof.
  intros small. unfold fits in small. unfold bytes_words_of_bytes, bytes_words_bytes.
  change (fun word : u64 => bytes_word_bytes word) with bytes_word_bytes.
  assert (e : length (flat_map bytes_word_bytes words) = (8 * length words)%nat)
    by (apply flat_map_length_equal; reflexivity).
  destruct (shifted_length (flat_map bytes_word_bytes words) (length words) (repr 32 3)) as [n v]; [reflexivity|lia| |].
  { rewrite e. change (val (repr 32 3)) with 3. lia. }
  rewrite parts_of_flat_map_all; [|reflexivity|exact n|rewrite v; change (val (repr 64 8)) with 8; lia].
  rewrite map_map. rewrite <- (map_id words) at 2. apply map_ext. apply word_of_word_bytes.
Qed.

Theorem blocks_of_blocks_bytes (blocks : list u128) : fits blocks -> bytes_blocks_of_bytes (bytes_blocks_bytes blocks) = blocks.
Proof.
  intros small. unfold fits in small. unfold bytes_blocks_of_bytes, bytes_blocks_bytes.
  change (fun block : u128 => aes_bytes_of_block block) with aes_bytes_of_block.
  assert (e : length (flat_map aes_bytes_of_block blocks) = (16 * length blocks)%nat)
    by (apply flat_map_length_equal; reflexivity).
  destruct (shifted_length (flat_map aes_bytes_of_block blocks) (length blocks) (repr 32 4)) as [n v]; [reflexivity|lia| |].
  { rewrite e. change (val (repr 32 4)) with 4. lia. }
  rewrite parts_of_flat_map_all; [|reflexivity|exact n|rewrite v; change (val (repr 64 16)) with 16; lia].
  rewrite map_map. rewrite <- (map_id blocks) at 2. apply map_ext. apply block_of_block_bytes.
Qed.

(* How many bytes packed bits take. *)
Definition packed_length (bits : nat) : nat := ((bits + 7) / 8)%nat.

Lemma packed_places (bits : nat) : Z.of_nat bits < 2 ^ 56 ->
  nat_of (wshr (wadd (of_nat bits) (repr 64 7)) (repr 32 3)) = packed_length bits.
Proof.
  intros small. apply Nat2Z.inj. rewrite Z_nat_of, val_wshr by (cbv; reflexivity). unfold packed_length.
  rewrite val_wadd, val_of_nat by lia. change (val (repr 64 7)) with 7. change (2 ^ val (repr 32 3)) with 8.
  rewrite Z.mod_small by lia. rewrite Nat2Z.inj_div, Nat2Z.inj_add. reflexivity.
Qed.

Lemma packed_bits_are_bytes (bits : list bool) : fits bits ->
  bytes_packed_bits bits
  = map (fun byte => packed_byte (fun position => nth (8 * byte + position) bits false)) (seq 0 (packed_length (length bits))).
Proof.
  intros small. unfold fits in small. unfold bytes_packed_bits. rewrite map_range_0. unfold len. rewrite packed_places by assumption.
  apply map_ext_in. intros byte hb. apply in_seq in hb. unfold packed_byte.
  assert (bound : Z.of_nat (packed_length (length bits)) <= 2 ^ 56).
  { unfold packed_length. rewrite Nat2Z.inj_div. apply Z.div_le_upper_bound; lia. }
  unfold range. rewrite fold_left_map. change (nat_of (repr 64 8) - nat_of (repr 64 0))%nat with 8%nat.
  apply fold_left_ext. intros sum p hp. apply in_seq in hp. f_equal.
  assert (v : val (repr 64 (val (repr 64 0) + Z.of_nat p)) = Z.of_nat p).
  { change (val (repr 64 0)) with 0. apply val_repr_small. lia. }
  assert (e : nat_of (wadd (wmul (of_nat byte) (repr 64 8)) (repr 64 (val (repr 64 0) + Z.of_nat p))) = (8 * byte + p)%nat).
  { apply Nat2Z.inj. rewrite Z_nat_of, val_wadd, val_wmul, v, val_of_nat by lia. change (val (repr 64 8)) with 8.
    rewrite (Z.mod_small (Z.of_nat byte * 8)) by lia. rewrite Z.mod_small by lia. lia. }
  rewrite vector_at_nth, e. f_equal. apply int_ext. rewrite val_cast, v, val_repr. reflexivity.
Qed.

Lemma packed_bits_length (bits : list bool) : fits bits -> length (bytes_packed_bits bits) = packed_length (length bits).
Proof. intros small. rewrite packed_bits_are_bytes, map_length, seq_length by assumption. reflexivity. Qed.

Theorem bits_of_packed_bits (bits : list bool) (rest : list u8) (count : u64) : fits bits -> nat_of count = length bits ->
  bytes_bits_of_bytes (bytes_packed_bits bits ++ rest) count = bits.
Proof.
  intros small e. unfold bytes_bits_of_bytes. cbv zeta. rewrite take_firstn, e. fold bits_of_byte. rewrite flat_map_app.
  rewrite packed_bits_are_bytes by assumption. unfold packed_length. set (m := ((length bits + 7) / 8)%nat).
  assert (hm : (length bits <= 8 * m)%nat).
  { unfold m. pose proof (Nat.div_mod_eq (length bits + 7) 8). pose proof (Nat.mod_upper_bound (length bits + 7) 8). lia. }
  clearbody m.
  assert (flat : flat_map bits_of_byte
      (map (fun byte => packed_byte (fun position => nth (8 * byte + position) bits false)) (seq 0 m))
    = map (fun k => nth k bits false) (seq 0 (8 * m))).
  { clear. induction m as [|m IH]; [reflexivity|]. rewrite seq_S, map_app, flat_map_app, IH.
    replace (8 * S m)%nat with (8 * m + 8)%nat by lia. rewrite seq_app, map_app. f_equal. cbn [map flat_map Nat.add].
    rewrite app_nil_r. etransitivity; [apply bits_of_packed_byte|].
    assert (places : forall start n, seq start n = map (fun p => (start + p)%nat) (seq 0 n)).
    { clear. intros start n. revert start. induction n as [|n IH]; intros start; [reflexivity|].
      cbn [seq map]. f_equal; [lia|]. rewrite IH, (IH 1%nat), map_map. apply map_ext. intros. lia. }
    rewrite (places (8 * m)%nat), map_map. reflexivity. }
  change (fun byte : u8 => map _ _) with bits_of_byte. rewrite flat, firstn_app, map_length, seq_length.
  replace (length bits - 8 * m)%nat with 0%nat by lia. cbn [firstn]. rewrite app_nil_r, firstn_map.
  replace (firstn (length bits) (seq 0 (8 * m))) with (seq 0 (length bits)); [apply map_nth_seq|].
  replace (8 * m)%nat with (length bits + (8 * m - length bits))%nat by lia.
  rewrite seq_app, firstn_app, seq_length, Nat.sub_diag. cbn [firstn]. rewrite app_nil_r.
  rewrite <- (seq_length (length bits) 0) at 2. symmetry. apply firstn_all.
Qed.

(** * Messages of several lists *)

Lemma words_bytes_length (words : list u64) : length (bytes_words_bytes words) = (8 * length words)%nat.
Proof. apply flat_map_length_equal. reflexivity. Qed.
Lemma blocks_bytes_length (blocks : list u128) : length (bytes_blocks_bytes blocks) = (16 * length blocks)%nat.
Proof. apply flat_map_length_equal. reflexivity. Qed.

(* A product of sizes that does not wrap around. *)
Lemma nat_of_wmul (a b : u64) (m n : nat) : nat_of a = m -> nat_of b = n -> Z.of_nat m * Z.of_nat n < 2 ^ 64 ->
  nat_of (wmul a b) = (m * n)%nat.
Proof.
  intros <- <- small. rewrite !Z_nat_of in small. pose proof (val_bounds a). pose proof (val_bounds b).
  apply Nat2Z.inj. rewrite Z_nat_of, val_wmul, Nat2Z.inj_mul, !Z_nat_of. apply Z.mod_small. nia.
Qed.

Lemma nat_of_wadd (a b : u64) (m n : nat) : nat_of a = m -> nat_of b = n -> Z.of_nat m + Z.of_nat n < 2 ^ 64 ->
  nat_of (wadd a b) = (m + n)%nat.
Proof.
  intros <- <- small. rewrite !Z_nat_of in small. pose proof (val_bounds a). pose proof (val_bounds b).
  apply Nat2Z.inj. rewrite Z_nat_of, val_wadd, Nat2Z.inj_add, !Z_nat_of. apply Z.mod_small. lia.
Qed.

(** * Words of a ring *)

Theorem ring_of_ring_bytes {W : Type} {W_Ring : ring_Ring W} {W_Theory : RingTheory W} (words : list W) : fits words ->
  bytes_ring_of_bytes W (bytes_ring_bytes words) = words.
Proof.
  intros small. unfold bytes_ring_of_bytes, bytes_ring_bytes.
  change (flat_map (fun word => bytes_word_bytes (ring_Ring_to_u64 word)) words)
    with (flat_map (fun word => bytes_word_bytes ((fun w : W => ring_Ring_to_u64 w) word)) words).
  rewrite <- flat_map_map. change (flat_map (fun x : u64 => bytes_word_bytes x)) with bytes_words_bytes.
  rewrite words_of_words_bytes by (unfold fits in *; rewrite map_length; assumption).
  rewrite map_map. rewrite <- (map_id words) at 2. apply map_ext. apply ring_from_to.
Qed.

Lemma ring_bytes_length {W : Type} {W_Ring : ring_Ring W} (words : list W) : length (bytes_ring_bytes words) = (8 * length words)%nat.
Proof. apply flat_map_length_equal. reflexivity. Qed.

(** * Parts of different widths *)

Theorem pieces_of_concat {T : Type} (parts : list (list T)) (widths : list u64) (rest : list T) :
  map (fun width => nat_of width) widths = map (fun part => length part) parts ->
  bytes_pieces (concat parts ++ rest) widths = (parts, rest).
Proof.
  intros e. unfold bytes_pieces. match goal with |- fold_left ?f _ _ = _ => set (step := f) end.
  assert (one : forall before part rest width, nat_of width = length part -> step (before, part ++ rest) width = (before ++ [part], rest)).
  { clear. intros before part rest width e. unfold step. cbv zeta. rewrite take_app_exact, skip_app_exact by exact e.
    rewrite concat_pair. reflexivity. }
  clearbody step. change parts with ([] ++ parts) at 2. generalize ([] : list (list T)) as before.
  revert widths e. induction parts as [|part parts IH]; intros [|width widths] e before; try discriminate e.
  - cbn [concat app fold_left]. rewrite app_nil_r. reflexivity.
  - cbn [map] in e. injection e as e_1 e. cbn [concat fold_left]. rewrite <- app_assoc, one by exact e_1.
    rewrite IH by exact e. rewrite <- app_assoc. reflexivity.
Qed.

(* The parts are of the entries of a list. *)
Theorem pieces_of_flat_map {A T : Type} (f : A -> list T) (width : A -> u64) (l : list A) (rest : list T) :
  (forall x, In x l -> nat_of (width x) = length (f x)) -> bytes_pieces (flat_map f l ++ rest) (map width l) = (map f l, rest).
Proof.
  intros h. rewrite flat_map_concat_map. apply pieces_of_concat. rewrite !map_map. apply map_ext_in. exact h.
Qed.
Theorem pieces_of_flat_map_all {A T : Type} (f : A -> list T) (width : A -> u64) (l : list A) :
  (forall x, In x l -> nat_of (width x) = length (f x)) -> bytes_pieces (flat_map f l) (map width l) = (map f l, []).
Proof. intros h. rewrite <- (app_nil_r (flat_map f l)). apply pieces_of_flat_map, h. Qed.

(* One level of all DPFs. *)
Theorem operands_of_operands_bytes (messages : list distributed_gen_Operands) (dpfs : u64) : Z.of_nat (length messages) < 2 ^ 50 ->
  nat_of dpfs = length messages ->
  bytes_operands_of_bytes (bytes_operands_bytes messages) dpfs = messages.
Proof.
  intros small e. unfold bytes_operands_of_bytes, bytes_operands_bytes. cbv zeta. rewrite concat_pair.
  pose proof (Z_nat_of dpfs).
  rewrite skip_app_exact; cycle 1.
  { rewrite blocks_bytes_length, map_length. rewrite (nat_of_wmul _ _ (length messages) 16) by (assumption || reflexivity || lia). lia. }
  set (flags := flat_map _ messages). assert (lf : length flags = (3 * length messages)%nat)
    by (apply flat_map_length_equal; reflexivity).
  rewrite <- (app_nil_r (bytes_packed_bits flags)), bits_of_packed_bits; cycle 1.
  { unfold fits. lia. }
  { rewrite (nat_of_wmul _ _ (length messages) 3) by (assumption || reflexivity || lia). lia. }
  rewrite app_nil_r. unfold flags. clear lf. 
  rewrite (parts_of_flat_map_all _ messages); [|reflexivity|assumption|change (val (repr 64 3)) with 3; lia].
  unfold bytes_blocks_bytes. rewrite flat_map_map.
  rewrite parts_of_flat_map; [|reflexivity|assumption|change (val (repr 64 16)) with 16; lia].
  rewrite combine_map_map. rewrite <- (map_id messages) at 2. apply map_ext. intros [b w l r].
  rewrite block_of_block_bytes. reflexivity.
Qed.

#[global] Arguments bytes_parts {T} list_1 width count : simpl never.
#[global] Arguments bytes_words_bytes words : simpl never.
#[global] Arguments bytes_blocks_bytes blocks : simpl never.
#[global] Arguments bytes_packed_bits bits : simpl never.
#[global] Arguments bytes_words_of_bytes bytes : simpl never.
#[global] Arguments bytes_blocks_of_bytes bytes : simpl never.
#[global] Arguments bytes_bits_of_bytes bytes count : simpl never.
#[global] Arguments bytes_word_of_bytes bytes : simpl never.
#[global] Arguments bytes_word_bytes word : simpl never.
#[global] Arguments aes_block_of_bytes bytes : simpl never.
#[global] Arguments aes_bytes_of_block block : simpl never.
#[global] Arguments bytes_pieces {T} list_1 widths : simpl never.
#[global] Arguments bytes_ring_bytes {W W_Ring} words : simpl never.
#[global] Arguments bytes_ring_of_bytes W {W_Ring} bytes : simpl never.
#[global] Arguments bytes_operands_bytes messages : simpl never.
#[global] Arguments bytes_operands_of_bytes bytes dpfs : simpl never.
