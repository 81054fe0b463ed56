(* Every message of the lean protocol is what its payload decodes to: `lean::payload` there and back, one theorem a kind. Kinds 2, 3, 13
   and 15 are words (`ring_of_ring_bytes`), kind 6 is operands (`operands_of_operands_bytes`), kinds 7 and 8 are blocks
   (`blocks_of_blocks_bytes`), in core/BytesRoundTrip.v. A receiver knows from the step which items a message is about and what for;
   here that is a premise, as is that a key or a deal has as many entries as its purpose asks for. Lists are of fewer than 2^56
   entries, keys fewer than 2^40, so that no count wraps around. *)
From Coq Require Import Lia.
From Duoram.core Require Import VectorFacts.
From Duoram.core Require Export BytesRoundTrip.
From Duoram.lean Require Import Generation.
From Duoram.Generated Require Import All.

(** * Addresses *)

(* Of a number that is small enough the high bytes are 0, and need not be sent. *)
Lemma high_byte (x : u64) (k : nat) : (k < 8)%nat -> val x < 2 ^ (8 * Z.of_nat k) -> nth k (bytes_word_bytes x) (repr 8 0) = repr 8 0.
Proof.
  intros hk hx. pose proof (val_bounds x).
  assert (zero : forall s : u32, val s = 8 * Z.of_nat k -> cast 8 (iand (wshr x s) (repr 64 255)) = repr 8 0).
  { intros s es. assert (e : wshr x s = repr 64 0).
    { apply int_ext. rewrite val_wshr by lia. rewrite es, Z.div_small by lia. reflexivity. }
    rewrite e. reflexivity. }
  do 8 (destruct k as [|k]; [apply zero; reflexivity|]). lia.
Qed.

Lemma word_of_low_bytes (x width : u64) : val x < 2 ^ (8 * val width) -> bytes_word_of_bytes (take (bytes_word_bytes x) width) = x.
Proof.
  intros hx. pose proof (Z_nat_of width). pose proof (word_bytes_length x) as lx.
  assert (byte : forall k, (k < 8)%nat -> nth k (take (bytes_word_bytes x) width) (repr 8 0) = nth k (bytes_word_bytes x) (repr 8 0)).
  { intros k hk. rewrite take_firstn. destruct (Nat.lt_ge_cases k (nat_of width)) as [lt|ge].
    - rewrite <- (firstn_skipn (nat_of width) (bytes_word_bytes x)) at 2. rewrite app_nth1; [reflexivity|].
      rewrite firstn_length, lx. lia.
    - rewrite nth_overflow by (rewrite firstn_length; lia). symmetry. apply high_byte; [exact hk|].
      apply Z.lt_le_trans with (1 := hx). apply Z.pow_le_mono_r; lia. }
  rewrite <- (word_of_word_bytes x) at 2. unfold bytes_word_of_bytes, range. rewrite !fold_left_map. apply fold_left_ext.
  intros s i hi. rewrite !vector_at_nth.
  repeat (destruct hi as [<-|hi]; [do 3 f_equal; apply byte; vm_compute; lia|]). destruct hi.
Qed.

Lemma equal_widths_are {A : Type} (l : list A) (count width : u64) : nat_of count = length l ->
  lean_payload_equal_widths count width = map (fun _ => width) l.
Proof.
  intros e. unfold lean_payload_equal_widths. rewrite map_range_0, e. generalize 0%nat as start. clear e.
  induction l as [|x l IH]; intros start; [reflexivity|]. cbn [length seq map]. rewrite IH. reflexivity.
Qed.

Lemma address_width_holds (h x : u64) : val h < 64 -> val x < 2 ^ val h -> val x < 2 ^ (8 * val (lean_payload_address_width h)).
Proof.
  intros hh hx. apply Z.lt_le_trans with (1 := hx). apply Z.pow_le_mono_r; [lia|]. pose proof (val_bounds h).
  unfold lean_payload_address_width. rewrite val_wshr by reflexivity. rewrite val_wadd, Z.mod_small; change (val (repr 64 7)) with 7; [|lia].
  change (2 ^ val (repr 32 3)) with 8. pose proof (Z.div_mod (val h + 7) 8). pose proof (Z.mod_pos_bound (val h + 7) 8). lia.
Qed.

(* The bytes of addresses, or of shares of shifts, and what is behind them. *)
Lemma address_pieces (h : u64) (addresses : list u64) (count : u64) (rest : list u8) :
  val h < 64 -> nat_of count = length addresses ->
  bytes_pieces (lean_payload_addresses_bytes h addresses ++ rest) (lean_payload_equal_widths count (lean_payload_address_width h))
  = (map (fun address => take (bytes_word_bytes address) (lean_payload_address_width h)) addresses, rest).
Proof.
  intros hh e. rewrite (equal_widths_are addresses) by exact e. unfold lean_payload_addresses_bytes. cbv zeta.
  apply pieces_of_flat_map. intros x hx. rewrite take_firstn, firstn_length, word_bytes_length. apply Nat2Z.inj.
  rewrite Nat2Z.inj_min, Z_nat_of. pose proof (val_bounds h). symmetry. apply Z.min_l.
  unfold lean_payload_address_width. rewrite val_wshr by reflexivity. rewrite val_wadd, Z.mod_small; change (val (repr 64 7)) with 7; [|lia].
  change (2 ^ val (repr 32 3)) with 8. pose proof (Z.div_mod (val h + 7) 8). pose proof (Z.mod_pos_bound (val h + 7) 8). lia.
Qed.

(* Kind 12. *)
Theorem lean_addresses_round_trip (h : u64) (addresses : list u64) (count : u64) :
  val h < 64 -> nat_of count = length addresses -> Forall (fun address => val address < 2 ^ val h) addresses ->
  lean_payload_addresses_of (lean_payload_addresses_bytes h addresses) h count = addresses.
Proof.
  intros hh e small. unfold lean_payload_addresses_of. rewrite <- (app_nil_r (lean_payload_addresses_bytes h addresses)).
  rewrite address_pieces by assumption. rewrite map_map. rewrite <- (map_id addresses) at 2. apply map_ext_in. intros x hx.
  rewrite Forall_forall in small. apply word_of_low_bytes, address_width_holds; auto.
Qed.

(* Kind 1. *)
Theorem lean_hello_round_trip (hello : lean_party_Hello) : length (lean_party_Hello_seed hello) = 4%nat ->
  lean_payload_hello_of (lean_payload_hello hello) = hello.
Proof.
  destruct hello as [contribution words seed]. cbn [lean_party_Hello_seed]. intros four. unfold lean_payload_hello_of, lean_payload_hello.
  cbn [lean_party_Hello_contribution lean_party_Hello_words lean_party_Hello_seed].
  change (concat [?a; ?b; ?c]) with (a ++ b ++ c ++ []). rewrite app_nil_r. cbv zeta.
  pose proof (words_bytes_length seed) as ls. rewrite four in ls. pose proof (block_bytes_length contribution) as lc.
  set (c := aes_bytes_of_block contribution) in *. set (w := bytes_words_bytes seed) in *. set (l := bytes_word_bytes words).
  assert (behind : skip (c ++ w ++ l) (repr 64 48) = l) by (rewrite app_assoc; apply skip_app_exact; rewrite app_length, lc, ls; reflexivity).
  assert (middle : take (skip (c ++ w ++ l) (repr 64 16)) (repr 64 32) = w)
    by (rewrite skip_app_exact by (rewrite lc; reflexivity); apply take_app_exact; rewrite ls; reflexivity).
  rewrite behind, middle, (take_app_exact c) by (rewrite lc; reflexivity). unfold c, w, l.
  rewrite block_of_block_bytes, word_of_word_bytes, words_of_words_bytes by (unfold fits; lia). reflexivity.
Qed.

(* Kind 5. *)
Theorem lean_moved_shares_round_trip (shares : list u64) : Forall (fun share => val share < 256) shares ->
  lean_payload_moved_shares_of (lean_payload_moved_shares shares) = shares.
Proof.
  intros small. unfold lean_payload_moved_shares_of, lean_payload_moved_shares. rewrite map_map. rewrite <- (map_id shares) at 2.
  apply map_ext_in. intros x hx. rewrite Forall_forall in small. specialize (small _ hx). pose proof (val_bounds x).
  apply int_ext. rewrite !val_cast, (val_iand_mask x (repr 64 255) 8) by (lia || reflexivity). change (2 ^ 8) with 256.
  repeat (rewrite (Z.mod_small (val x)) by lia). reflexivity.
Qed.

(* What is left out is known to be left out. *)
Theorem lean_gaps_round_trip {T : Type} (entries : list (option T)) (due : list bool) :
  due = map (fun entry => match entry with Some _ => true | None => false end) entries ->
  lean_payload_with_gaps (lean_payload_present entries) due = entries.
Proof.
  intros ->. unfold lean_payload_with_gaps, lean_payload_present. rewrite map_map, pieces_of_flat_map_all.
  - rewrite map_map. etransitivity; [|apply map_id]. apply map_ext. intros [x|]; reflexivity.
  - intros [x|] _; reflexivity.
Qed.

(** * Facts about lists and sizes *)

Lemma pairs_of_forall2 {A B : Type} (R : A -> B -> Prop) (a : list A) (b : list B) : Forall2 R a b ->
  exists pairs, a = map fst pairs /\ b = map snd pairs /\ Forall (fun p => R (fst p) (snd p)) pairs.
Proof.
  induction 1 as [|x y a b r _ (pairs & -> & -> & each)]; [exists []; repeat split; constructor|].
  exists ((x, y) :: pairs). repeat split. constructor; assumption.
Qed.

Lemma combine_app_left {A B : Type} (a a' : list A) (b : list B) : length a = length b -> combine (a ++ a') b = combine a b.
Proof.
  revert b. induction a as [|x a IH]; intros [|y b] e; try discriminate e; [destruct a'; reflexivity|].
  cbn [app combine]. rewrite IH by (injection e; trivial). reflexivity.
Qed.

Lemma nat_of_sum_of {A T : Type} (f : A -> list T) (width : A -> u64) (l : list A) :
  (forall x, In x l -> nat_of (width x) = length (f x)) -> Z.of_nat (length (flat_map f l)) < 2 ^ 64 ->
  nat_of (fold_left (fun sum w => wadd sum w) (map width l) (repr 64 0)) = length (flat_map f l).
Proof.
  intros h. change (length (flat_map f l)) with (nat_of (repr 64 0) + length (flat_map f l))%nat. generalize (repr 64 0) as start.
  induction l as [|x l IH]; intros start small; [cbn; lia|]. cbn [map fold_left flat_map] in *. rewrite app_length in *.
  assert (e : nat_of (wadd start (width x)) = (nat_of start + length (f x))%nat) by (apply nat_of_wadd; [reflexivity | apply h, in_eq | lia]).
  rewrite IH by (try (intros y hy; apply h, in_cons, hy); rewrite e; lia). rewrite e. lia.
Qed.

Lemma depth_small (h : u64) (purpose : lean_layers_Purpose) : val h < 64 -> Z.of_nat (tree_level h purpose) < 64.
Proof. intros hh. pose proof (flag_level_below h purpose). pose proof (Z_nat_of h). lia. Qed.

Section Words.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Theory : RingTheory W}.

  (* Kind 9. *)
  Theorem lean_word_shares_round_trip (shares : list (list W)) (count : u64) :
    nat_of count = length shares -> Forall (fun share => length share = nat_of lean_layers_NODE_WORDS) shares ->
    lean_payload_word_shares_of W (lean_payload_word_shares shares) count = shares.
  Proof.
    intros e widths. rewrite Forall_forall in widths. change (nat_of lean_layers_NODE_WORDS) with 8%nat in widths.
    unfold lean_payload_word_shares_of, lean_payload_word_shares. rewrite (equal_widths_are shares) by exact e.
    rewrite pieces_of_flat_map_all by (intros share hs; rewrite ring_bytes_length, widths by exact hs; reflexivity).
    rewrite map_map. rewrite <- (map_id shares) at 2. apply map_ext_in. intros share hs. apply ring_of_ring_bytes.
    unfold fits. rewrite widths by exact hs. reflexivity.
  Qed.

  (* Kind 11: of a READ item nothing is said, and its share is 0. *)
  Theorem lean_delta_shares_round_trip (keys : list (lean_preprocessing_HelperKey W)) :
    Forall (fun key => lean_preprocessing_HelperKey_purpose key = lean_layers_Purpose_Read ->
      lean_preprocessing_HelperKey_delta_share key = ring_Ring_zero W) keys ->
    lean_payload_delta_shares_of W (lean_payload_delta_shares keys) (map (fun key => lean_preprocessing_HelperKey_purpose key) keys)
    = map (fun key => lean_preprocessing_HelperKey_delta_share key) keys.
  Proof.
    intros zero. unfold lean_payload_delta_shares_of, lean_payload_delta_shares. rewrite map_map.
    rewrite pieces_of_flat_map_all by (intros key _; destruct (lean_preprocessing_HelperKey_purpose key); reflexivity).
    rewrite map_map. apply map_ext_in. intros key hk. rewrite Forall_forall in zero. specialize (zero _ hk).
    destruct (lean_preprocessing_HelperKey_purpose key); cbv zeta.
    - rewrite zero by reflexivity. reflexivity.
    - rewrite <- (app_nil_r (bytes_word_bytes _)).
      change (bytes_word_bytes (ring_Ring_to_u64 (lean_preprocessing_HelperKey_delta_share key)) ++ [])
        with (bytes_ring_bytes [lean_preprocessing_HelperKey_delta_share key]).
      rewrite ring_of_ring_bytes by reflexivity. reflexivity.
  Qed.

  (* Kind 14. *)
  Theorem lean_updates_round_trip (h : u64) (messages : list (lean_online_UpdateMessage W)) (count : u64) :
    val h < 64 -> fits messages -> nat_of count = length messages ->
    Forall (fun message => val (lean_online_UpdateMessage_shift message) < 2 ^ val h) messages ->
    lean_payload_updates_of W (lean_payload_updates h messages) h count = messages.
  Proof.
    intros hh small e shifts. unfold lean_payload_updates_of, lean_payload_updates. cbv zeta. rewrite concat_pair.
    rewrite address_pieces by (rewrite ?map_length; assumption).
    rewrite ring_of_ring_bytes by (unfold fits in *; rewrite map_length; exact small). rewrite map_map, combine_map_map.
    rewrite <- (map_id messages) at 2. apply map_ext_in. intros [shift masked] hm. rewrite Forall_forall in shifts.
    specialize (shifts _ hm). cbn [lean_online_UpdateMessage_shift lean_online_UpdateMessage_masked] in *.
    rewrite word_of_low_bytes by (apply address_width_holds; assumption). reflexivity.
  Qed.
  (* Kind 4: of a READ item no value is dealt. *)
  Definition deal_shape (h : u64) (purpose : lean_layers_Purpose) (deal : lean_dealing_Deal W) : Prop :=
    length (lean_dealing_Deal_z deal) = tree_level h purpose /\
    match purpose with
    | lean_layers_Purpose_Read => lean_dealing_Deal_value_one_hot deal = [] /\ lean_dealing_Deal_value_share deal = ring_Ring_zero W
    | lean_layers_Purpose_Update => length (lean_dealing_Deal_value_one_hot deal) = nat_of lean_layers_NODE_WORDS
    end.

  Theorem lean_deals_round_trip (h : u64) (purposes : list lean_layers_Purpose) (deals : list (lean_dealing_Deal W)) :
    val h < 64 -> fits deals -> Forall2 (deal_shape h) (lean_payload_of_dpfs purposes) deals ->
    lean_payload_deals_of W (lean_payload_deals purposes deals) h purposes = deals.
  Proof.
    intros hh small shapes. unfold lean_payload_deals_of, lean_payload_deals. cbv zeta. set (dpfs := lean_payload_of_dpfs purposes) in *. clearbody dpfs.
    destruct (pairs_of_forall2 _ _ _ shapes) as (pairs & -> & -> & each). clear shapes. rewrite Forall_forall in each.
    change (concat [?a; ?b; ?c]) with (a ++ b ++ c ++ []). rewrite app_nil_r, !map_map, combine_map, !flat_map_map.
    rewrite (pieces_of_flat_map (fun p => bytes_blocks_bytes (lean_dealing_Deal_z (snd p)))
      (fun p => wmul (lean_layers_tree_depth h (fst p)) (repr 64 16))); cycle 1.
    { intros [purpose deal] hp. destruct (each _ hp) as [z _]. cbn [fst snd] in *. rewrite blocks_bytes_length, z.
      pose proof (depth_small h purpose hh). rewrite (nat_of_wmul _ _ (tree_level h purpose) 16) by (reflexivity || lia). lia. }
    rewrite (equal_widths_are pairs) by (rewrite nat_of_len_fits, map_length; [reflexivity | unfold fits in *; rewrite map_length in *; exact small]).
    assert (one_hots : bytes_blocks_bytes (map (fun p : lean_layers_Purpose * lean_dealing_Deal W => lean_dealing_Deal_one_hot (snd p)) pairs)
      = flat_map (fun p => aes_bytes_of_block (lean_dealing_Deal_one_hot (snd p))) pairs) by apply flat_map_map.
    rewrite one_hots, pieces_of_flat_map by reflexivity. clear one_hots.
    rewrite pieces_of_flat_map_all; cycle 1.
    { intros [purpose deal] hp. destruct (each _ hp) as [_ value]. cbn [fst snd] in *. destruct purpose; [reflexivity|].
      change (nat_of lean_layers_NODE_WORDS) with 8%nat in value. rewrite concat_pair, app_length, ring_bytes_length, word_bytes_length, value. reflexivity. }
    rewrite !combine_map, map_map. apply map_ext_in. intros [purpose [z one_hot value_one_hot value_share]] hp.
    destruct (each _ hp) as [lz value]. cbn [fst snd lean_dealing_Deal_z lean_dealing_Deal_one_hot lean_dealing_Deal_value_one_hot
      lean_dealing_Deal_value_share] in *. pose proof (depth_small h purpose hh).
    rewrite blocks_of_blocks_bytes, block_of_block_bytes by (unfold fits; lia). destruct purpose.
    - destruct value as [-> ->]. reflexivity.
    - change (nat_of lean_layers_NODE_WORDS) with 8%nat in value. rewrite concat_pair.
      replace (bytes_ring_bytes value_one_hot ++ bytes_word_bytes (ring_Ring_to_u64 value_share)) with (bytes_ring_bytes (value_one_hot ++ [value_share]))
        by (unfold bytes_ring_bytes; rewrite flat_map_app; cbn [flat_map]; rewrite app_nil_r; reflexivity).
      rewrite ring_of_ring_bytes by (unfold fits; rewrite app_length; cbn [length]; lia).
      rewrite take_app_exact by (rewrite value; reflexivity). rewrite vector_at_nth.
      change (nat_of lean_layers_NODE_WORDS) with 8%nat. rewrite <- value, nth_middle. reflexivity.
  Qed.

  (* Kind 10: the key of a READ item has no words. *)
  Definition key_shape (h : u64) (item : lean_preprocessing_HelperKey W) : Prop :=
    let key := lean_preprocessing_HelperKey_key item in
    length (dpf_Key_corrections (lean_layers_LayeredKey_tree key)) = tree_level h (lean_preprocessing_HelperKey_purpose item) /\
    length (lean_layers_LayeredKey_word_correction key) = match lean_preprocessing_HelperKey_purpose item with
      | lean_layers_Purpose_Read => 0%nat | lean_layers_Purpose_Update => nat_of lean_layers_NODE_WORDS end.
  Notation flags_of := (flat_map (fun c => [dpf_Correction_left_flag c; dpf_Correction_right_flag c])).

  Lemma key_of_its_parts (key : lean_layers_LayeredKey W) (body : list u8) :
    Z.of_nat (length (dpf_Key_corrections (lean_layers_LayeredKey_tree key))) <= 64 ->
    Z.of_nat (length (lean_layers_LayeredKey_word_correction key)) <= 8 ->
    body = concat [aes_bytes_of_block (dpf_Key_root (lean_layers_LayeredKey_tree key));
      bytes_blocks_bytes (map (fun c => dpf_Correction_word c) (dpf_Key_corrections (lean_layers_LayeredKey_tree key)));
      aes_bytes_of_block (lean_layers_LayeredKey_flag_correction key); bytes_ring_bytes (lean_layers_LayeredKey_word_correction key)] ->
    lean_payload_key_of W body (flags_of (dpf_Key_corrections (lean_layers_LayeredKey_tree key))) = key.
  Proof.
    destruct key as [[root corrections] flag_correction words].
    cbn [lean_layers_LayeredKey_tree lean_layers_LayeredKey_word_correction lean_layers_LayeredKey_flag_correction dpf_Key_corrections dpf_Key_root].
    intros few few_words ->. unfold lean_payload_key_of. cbv zeta. set (bits := flags_of corrections). set (k := length corrections) in *.
    assert (lb : length bits = (2 * k)%nat) by (apply flat_map_length_equal; reflexivity).
    destruct (shifted_length bits k (repr 32 1)) as [levels _]; [reflexivity | lia | rewrite lb; change (val (repr 32 1)) with 1; lia|].
    set (count := wshr (len bits) (repr 32 1)) in *. clearbody count.
    assert (more : forall x : u64, (nat_of x <= 2)%nat -> nat_of (wadd count x) = (k + nat_of x)%nat) by (intros; apply nat_of_wadd; (reflexivity || assumption || lia)).
    set (blocks := root :: map (fun c => dpf_Correction_word c) corrections ++ [flag_correction]).
    assert (split : concat [aes_bytes_of_block root; bytes_blocks_bytes (map (fun c => dpf_Correction_word c) corrections);
        aes_bytes_of_block flag_correction; bytes_ring_bytes words] = bytes_blocks_bytes blocks ++ bytes_ring_bytes words).
    { unfold blocks, bytes_blocks_bytes. cbn [concat flat_map]. rewrite flat_map_app. cbn [flat_map]. rewrite !app_nil_r, <- !app_assoc. reflexivity. }
    assert (lk : length blocks = (k + 2)%nat) by (unfold blocks; cbn [length]; rewrite app_length, map_length; cbn [length]; fold k; lia).
    assert (cut : nat_of (wmul (wadd count (repr 64 2)) (repr 64 16)) = length (bytes_blocks_bytes blocks)).
    { rewrite blocks_bytes_length, lk, (nat_of_wmul _ _ (k + 2) 16); [lia | apply (more (repr 64 2)); vm_compute; lia | reflexivity | lia]. }
    rewrite split, take_app_exact, skip_app_exact by exact cut.
    rewrite blocks_of_blocks_bytes, ring_of_ring_bytes by (unfold fits; lia). rewrite !vector_at_nth, more by (vm_compute; lia).
    f_equal; [f_equal|].
    - change (skip blocks (repr 64 1)) with (skip ([root] ++ (map (fun c => dpf_Correction_word c) corrections ++ [flag_correction])) (repr 64 1)).
      rewrite skip_app_exact by reflexivity. pose proof (Z_nat_of count). unfold bits.
      rewrite (parts_of_flat_map_all _ corrections); [|reflexivity|exact levels|change (val (repr 64 2)) with 2; lia].
      rewrite combine_app_left, combine_map_map by (rewrite !map_length; reflexivity).
      etransitivity; [|apply map_id]. apply map_ext. intros [word l r]. reflexivity.
    - unfold blocks. change (nat_of (repr 64 1)) with 1%nat. rewrite Nat.add_1_r. cbn [nth]. unfold k.
      rewrite <- (map_length (fun c => dpf_Correction_word c) corrections). apply nth_middle.
  Qed.

  Theorem lean_keys_round_trip (h : u64) (keys : list (lean_preprocessing_HelperKey W)) :
    val h < 64 -> Z.of_nat (length keys) < 2 ^ 40 -> Forall (key_shape h) keys ->
    lean_payload_keys_of W (lean_payload_keys keys) h (map (fun item => lean_preprocessing_HelperKey_purpose item) keys)
    = map (fun item => lean_preprocessing_HelperKey_key item) keys.
  Proof.
    intros hh few shapes. rewrite Forall_forall in shapes. unfold lean_payload_keys_of, lean_payload_keys. cbv zeta. rewrite concat_pair, !map_map.
    set (bits := fun item : lean_preprocessing_HelperKey W => flags_of (dpf_Key_corrections (lean_layers_LayeredKey_tree (lean_preprocessing_HelperKey_key item)))).
    set (widths := fun item : lean_preprocessing_HelperKey W => wmul (lean_layers_tree_depth h (lean_preprocessing_HelperKey_purpose item)) (repr 64 2)).
    change (flat_map (fun item : lean_preprocessing_HelperKey W => flags_of (dpf_Key_corrections (lean_layers_LayeredKey_tree (lean_preprocessing_HelperKey_key item)))) keys)
      with (flat_map bits keys).
    assert (width : forall item, In item keys -> nat_of (widths item) = length (bits item) /\ (length (bits item) <= 128)%nat).
    { intros item hi. destruct (shapes _ hi) as [lc _]. pose proof (depth_small h (lean_preprocessing_HelperKey_purpose item) hh) as d.
      unfold bits. rewrite (flat_map_length_equal _ _ 2) by reflexivity. rewrite lc. split; [|lia]. unfold widths.
      rewrite (nat_of_wmul _ _ (tree_level h (lean_preprocessing_HelperKey_purpose item)) 2) by (reflexivity || lia). lia. }
    assert (total : (length (flat_map bits keys) <= 128 * length keys)%nat).
    { clear - width. induction keys as [|item keys IH]; cbn [flat_map length]; [lia|]. rewrite app_length.
      pose proof (proj2 (width item (in_eq _ _))). specialize (IH (fun x hx => width x (in_cons _ _ _ hx))). lia. }
    rewrite pieces_of_flat_map; cycle 1.
    { intros item hi. destruct (shapes _ hi) as [lc lw]. pose proof (depth_small h (lean_preprocessing_HelperKey_purpose item) hh) as d.
      set (purpose := lean_preprocessing_HelperKey_purpose item) in *.
      assert (e : nat_of (wmul (wadd (lean_layers_tree_depth h purpose) (repr 64 2)) (repr 64 16)) = ((tree_level h purpose + 2) * 16)%nat).
      { apply nat_of_wmul; [apply nat_of_wadd; [reflexivity | reflexivity | lia] | reflexivity | lia]. }
      cbn [concat]. rewrite !app_length, blocks_bytes_length, map_length, lc, !block_bytes_length. cbn [length].
      assert (v : nat_of (lean_payload_value_width purpose lean_layers_NODE_WORDS) = length (match purpose with lean_layers_Purpose_Read => []
        | lean_layers_Purpose_Update => bytes_ring_bytes (lean_layers_LayeredKey_word_correction (lean_preprocessing_HelperKey_key item)) end)).
      { destruct purpose; [reflexivity|]. rewrite ring_bytes_length, lw. reflexivity. }
      assert (vw : (nat_of (lean_payload_value_width purpose lean_layers_NODE_WORDS) <= 64)%nat) by (destruct purpose; vm_compute; lia).
      rewrite <- v. rewrite (nat_of_wadd _ _ _ _ e eq_refl); lia. }
    rewrite <- (app_nil_r (bytes_packed_bits (flat_map bits keys))), bits_of_packed_bits; cycle 1.
    { unfold fits. lia. }
    { rewrite (nat_of_sum_of bits widths keys) by (try exact (fun x hx => proj1 (width x hx)); lia). reflexivity. }
    rewrite (pieces_of_flat_map_all bits widths keys) by (exact (fun x hx => proj1 (width x hx))).
    rewrite combine_map_map. apply map_ext_in. intros item hi. destruct (shapes _ hi) as [lc lw].
    pose proof (depth_small h (lean_preprocessing_HelperKey_purpose item) hh). apply key_of_its_parts.
    - rewrite lc. lia.
    - rewrite lw. destruct (lean_preprocessing_HelperKey_purpose item); vm_compute; discriminate.
    - destruct (lean_preprocessing_HelperKey_purpose item); [|reflexivity].
      destruct (lean_layers_LayeredKey_word_correction (lean_preprocessing_HelperKey_key item)); [reflexivity | discriminate lw].
  Qed.
End Words.
