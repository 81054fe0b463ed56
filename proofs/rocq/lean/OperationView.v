(* What is sent in a lean READ, UPDATE, WRITE or SWAP whose item was prepared for it, as a function of one party's keys, ri, and the words
   that the party does not know, which mask it. Exactly, with no assumption on the PRG.

   The messages are those of `lean::read::read`, `lean::update::update` and `lean::write::swap`; the item is the one that
   `lean::preprocessing` makes (PreparedItems.v). The other parties' flags follow from one's own and ri: all flags add up to e_ri. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection Counting.
From Duoram.core Require Import Parties PrgAdvantage.
From Duoram.lean Require Import StateFacts PreparedItems PreparingView CorrectionsUniform PreparingPrivacy.
From Duoram.Generated Require Import All.
#[local] Open Scope Q_scope.

(** * The messages *)

(* A WRITE is a SWAP without g. *)
Inductive lean_op : Type := op_read | op_update | op_write | op_swap.
Definition purpose_of (op : lean_op) : lean_layers_Purpose :=
  match op with op_read => lean_layers_Purpose_Read | _ => lean_layers_Purpose_Update end.

(* Who sends what: P0 and P1 their shift shares and words to the other two, P2 a word to both primaries and one to P0. *)
Record op_sent : Type := {
  sent_shift_0 : u64; sent_shift_1 : u64;
  sent_by_0 : list W; sent_by_1 : list W; sent_by_2 : list W; sent_to_0 : list W;
}.
Definition op_run (op : lean_op) (n : u64) (state : lean_memory_State W) (material : lean_update_Material W) (indices addresses : u64 * u64)
  (values : W * W) (x : W) (masks : lean_write_Masks W) (rho : W) : op_sent :=
  match op with
  | op_read =>
      let run := lean_read_read state (lean_update_Material_flags material) n indices addresses rho in
      {| sent_shift_0 := lean_read_Read_shift_0 run; sent_shift_1 := lean_read_Read_shift_1 run;
         sent_by_0 := []; sent_by_1 := []; sent_by_2 := []; sent_to_0 := [lean_read_Read_unblinding run] |}
  | op_update =>
      let run := lean_update_update state material n indices addresses values x in
      {| sent_shift_0 := fst (lean_update_Update_message_0 run); sent_shift_1 := fst (lean_update_Update_message_1 run);
         sent_by_0 := [snd (lean_update_Update_message_0 run)]; sent_by_1 := [snd (lean_update_Update_message_1 run)];
         sent_by_2 := []; sent_to_0 := [] |}
  | op_write | op_swap =>
      let run := lean_write_swap state material n indices addresses values masks rho in
      {| sent_shift_0 := lean_write_Swap_shift_0 run; sent_shift_1 := lean_write_Swap_shift_1 run;
         sent_by_0 := [lean_write_Swap_part_0 run]; sent_by_1 := [lean_write_Swap_part_1 run]; sent_by_2 := [lean_write_Swap_part_2 run];
         sent_to_0 := match op with op_swap => [lean_write_Swap_unblinding run] | _ => [] end |}
  end.
Definition received_by (party : share_Primary) (sent : op_sent) : u64 * list W :=
  match party with
  | share_Primary_P0 => (sent_shift_1 sent, sent_by_1 sent ++ sent_by_2 sent ++ sent_to_0 sent)
  | share_Primary_P1 => (sent_shift_0 sent, sent_by_0 sent ++ sent_by_2 sent)
  end.
Definition received_by_2 (sent : op_sent) : u64 * u64 * list W :=
  (sent_shift_0 sent, sent_shift_1 sent, sent_by_0 sent ++ sent_by_1 sent).

(* Of an item's vectors only the flags are in the messages, and of its words the shares of R. *)
Definition flags_and_shares (flags : lean_read_Flags W) (shares : W * W) : lean_update_Material W :=
  mk_lean_update_Material flags (mk_lean_update_Values [] [] [] []) shares (ring_Ring_zero W).
Lemma op_run_of_parts (op : lean_op) n state (material : lean_update_Material W) indices addresses values x masks rho :
  op_run op n state material indices addresses values x masks rho
  = op_run op n state (flags_and_shares (lean_update_Material_flags material) (lean_update_Material_value_shares material))
      indices addresses values x masks rho.
Proof.
  destruct material as [flags vs [f_0 f_1] delta], indices as [ri_0 ri_1], addresses as [i_0 i_1], values as [m_0 m_1], op; reflexivity.
Qed.

Lemma op_shifts (op : lean_op) n state material ri_0 ri_1 i_0 i_1 values x masks rho :
  let sent := op_run op n state material (ri_0, ri_1) (i_0, i_1) values x masks rho in
  sent_shift_0 sent = lean_read_shift_share i_0 ri_0 n /\
  sent_shift_1 sent = lean_read_shift_share i_1 ri_1 n.
Proof. destruct material as [flags vs [f_0 f_1] delta], values as [m_0 m_1], op; split; reflexivity. Qed.

(** * Words that mask *)

Notation added xs ys := (map (uncurry ring_Ring_plus) (combine xs ys)).
Lemma mean_words_added (ks : list W) : forall (n : nat) (f : list W -> Q), length ks = n ->
  mean (tuples n xor_words) (fun ws => f (added ks ws)) == mean (tuples n xor_words) f.
Proof.
  induction ks as [|k ks IH]; intros n f <-; cbn [length].
  - rewrite !mean_tuples_0. reflexivity.
  - rewrite !mean_tuples_S. rewrite <- (mean_xor_words_shifted k (fun x => mean (tuples (length ks) xor_words) (fun xs => f (x :: xs)))).
    apply mean_ext. intros x _. rewrite <- (IH (length ks) (fun xs => f (ring_Ring_plus x k :: xs)) eq_refl).
    apply mean_ext. intros xs _. apply eq_subrelation; [exact _|]. cbn [combine map uncurry]. do 2 f_equal. apply xor_word_ext. cbn. apply ixor_comm.
Qed.

(* To a primary: the other's share of R, P2's mask that the primary does not know (y_12 to P0, y_02 to P1), and to P0 rho. *)
Definition hidden_words (op : lean_op) (party : share_Primary) (value mask rho : W) : list W :=
  match op, party with
  | op_read, share_Primary_P0 => [rho]
  | op_read, share_Primary_P1 => []
  | op_update, _ => [value]
  | op_swap, share_Primary_P0 => [ring_Ring_plus value mask; mask; rho]
  | _, _ => [ring_Ring_plus value mask; mask]
  end.
Definition hidden_count (op : lean_op) (party : share_Primary) : nat :=
  length (hidden_words op party (ring_Ring_zero W) (ring_Ring_zero W) (ring_Ring_zero W)).

(* What a primary knows of an operation, and what it does not. *)
Record op_own : Type := {
  own_address : u64;     (* its share of i* *)
  own_written : W;       (* of M *)
  own_x : W;             (* x of an UPDATE *)
  own_y_01 : W;
  own_y_2 : W;           (* y_02 of P0, y_12 of P1 *)
  own_rho : W;           (* P1's; nothing of P0 *)
}.
Record op_inputs : Type := {
  whole_memory : lean_memory_State W;
  others_address : u64;
  others_written : W;
}.
Definition all_masks (party : share_Primary) (o : op_own) (mask : W) : lean_write_Masks W :=
  match party with
  | share_Primary_P0 => mk_lean_write_Masks (own_y_01 o) (own_y_2 o) mask
  | share_Primary_P1 => mk_lean_write_Masks (own_y_01 o) mask (own_y_2 o)
  end.
Definition all_rho (party : share_Primary) (o : op_own) (rho : W) : W :=
  match party with share_Primary_P0 => rho | share_Primary_P1 => own_rho o end.
Definition operation (op : lean_op) (n : u64) (party : share_Primary) (o : op_own) (i : op_inputs) (own_index other_index : u64)
  (material : lean_update_Material W) (mask rho : W) : u64 * list W :=
  received_by party (op_run op n (whole_memory i) material (in_order party own_index other_index)
    (in_order party (own_address o) (others_address i)) (in_order party (own_written o) (others_written i)) (own_x o)
    (all_masks party o mask) (all_rho party o rho)).

(* The words are masked, one by one; the shift share is the other's. *)
Lemma operation_masked (op : lean_op) (n : u64) (party : share_Primary) (o : op_own) (i : op_inputs) (own_index other_index : u64)
  (flags : lean_read_Flags W) (own_share known value mask rho : W) :
  let zero := ring_Ring_zero W in
  let bare := operation op n party o i own_index other_index (flags_and_shares flags (in_order party own_share known)) zero zero in
  operation op n party o i own_index other_index (flags_and_shares flags (in_order party own_share (ring_Ring_plus known value))) mask rho
  = (lean_read_shift_share (others_address i) other_index n, added (snd bare) (hidden_words op party value mask rho)) /\
  length (snd bare) = hidden_count op party.
Proof.
  cbv zeta. destruct o as [address m x y y_2 r], i as [state address' m'].
  unfold operation, op_run, received_by, all_masks, all_rho, hidden_words, flags_and_shares.
  split; [|destruct op, party; reflexivity].
  destruct op, party; cbn [own_address own_written own_x own_y_01 own_y_2 own_rho whole_memory others_address others_written in_order];
    unfold lean_read_read, lean_update_update, lean_write_swap;
    cbn [lean_update_Material_flags lean_update_Material_value_shares lean_read_Read_shift_0 lean_read_Read_shift_1 lean_read_Read_unblinding
      lean_update_Update_message_0 lean_update_Update_message_1 lean_write_Swap_shift_0 lean_write_Swap_shift_1 lean_write_Swap_part_0
      lean_write_Swap_part_1 lean_write_Swap_part_2 lean_write_Swap_unblinding sent_shift_0 sent_shift_1 sent_by_0 sent_by_1 sent_by_2 sent_to_0
      fst snd app lean_write_Masks_y_01 lean_write_Masks_y_02 lean_write_Masks_y_12 combine map uncurry];
    f_equal; repeat (apply f_equal2; [|try reflexivity]); try reflexivity;
    unfold lean_read_unblinding, lean_update_masked_value_0, lean_update_masked_value_1, lean_write_masked_part_0, lean_write_masked_part_1,
      lean_write_masked_part_2;
    repeat match goal with |- context [lean_read_partial_0 ?a ?b ?c] => generalize (lean_read_partial_0 a b c); intros ? end;
    repeat match goal with |- context [lean_read_partial_1 ?a ?b] => generalize (lean_read_partial_1 a b); intros ? end;
    repeat match goal with |- context [lean_read_partial_2 ?a ?b ?c] => generalize (lean_read_partial_2 a b c); intros ? end;
    apply xor_word_ext; cbn; xor_and.
Qed.

(* Uniform words mask them. *)
Lemma hidden_words_uniform (op : lean_op) (party : share_Primary) (f : list W -> Q) :
  mean xor_words (fun mask => mean xor_words (fun rho => mean xor_words (fun value => f (hidden_words op party value mask rho))))
  == mean (tuples (hidden_count op party) xor_words) f.
Proof.
  pose proof xor_words_not_empty as some. unfold hidden_count, hidden_words.
  assert (two : forall g : W -> W -> Q, mean xor_words (fun mask => mean xor_words (fun value => g (ring_Ring_plus value mask) mask))
    == mean xor_words (fun a => mean xor_words (fun b => g a b))).
  { intros g. rewrite (mean_swap xor_words xor_words g). apply mean_ext. intros mask _. apply (mean_xor_words_shifted mask (fun a => g a mask)). }
  destruct op, party; cbn [length]; rewrite ?mean_tuples_S.
  - rewrite mean_const by exact some. apply mean_ext. intros rho _. rewrite mean_const, mean_tuples_0 by exact some. reflexivity.
  - rewrite !mean_const, mean_tuples_0 by exact some. reflexivity.
  - rewrite !mean_const by exact some. apply mean_ext. intros value _. rewrite mean_tuples_0. reflexivity.
  - rewrite !mean_const by exact some. apply mean_ext. intros value _. rewrite mean_tuples_0. reflexivity.
  - transitivity (mean xor_words (fun mask => mean xor_words (fun value => f [ring_Ring_plus value mask; mask]))).
    { apply mean_ext. intros mask _. apply mean_const, some. }
    rewrite (two (fun a b => f [a; b])). apply mean_ext. intros a _. rewrite mean_tuples_S. apply mean_ext. intros b _. rewrite mean_tuples_0. reflexivity.
  - transitivity (mean xor_words (fun mask => mean xor_words (fun value => f [ring_Ring_plus value mask; mask]))).
    { apply mean_ext. intros mask _. apply mean_const, some. }
    rewrite (two (fun a b => f [a; b])). apply mean_ext. intros a _. rewrite mean_tuples_S. apply mean_ext. intros b _. rewrite mean_tuples_0. reflexivity.
  - transitivity (mean xor_words (fun mask => mean xor_words (fun value => mean xor_words (fun rho => f [ring_Ring_plus value mask; mask; rho])))).
    { apply mean_ext. intros mask _. apply mean_swap. }
    rewrite (two (fun a b => mean xor_words (fun rho => f [a; b; rho]))). apply mean_ext. intros a _. rewrite mean_tuples_S.
    apply mean_ext. intros b _. rewrite mean_tuples_S. apply mean_ext. intros rho _. rewrite mean_tuples_0. reflexivity.
  - transitivity (mean xor_words (fun mask => mean xor_words (fun value => f [ring_Ring_plus value mask; mask]))).
    { apply mean_ext. intros mask _. apply mean_const, some. }
    rewrite (two (fun a b => f [a; b])). apply mean_ext. intros a _. rewrite mean_tuples_S. apply mean_ext. intros b _. rewrite mean_tuples_0. reflexivity.
Qed.

(* The other's index is of a uniform word, of which h bits count, and so is its shift share. *)
Lemma shift_uniform (address n : u64) (f : u64 -> Q) :
  mean (words 64) (fun word => f (lean_read_shift_share address (vector_mod_size word n) n))
  == mean (words 64) (fun word => f (vector_mod_size word n)).
Proof.
  rewrite <- (mean_words_shifted address (fun word => f (vector_mod_size word n))). apply mean_ext. intros word _.
  apply eq_subrelation; [exact _|]. f_equal. unfold lean_read_shift_share. rewrite !mod_size_ixor, mod_size_mod_size. reflexivity.
Qed.

(* All that a primary receives of an operation is uniform, whatever the flags are and however they hang on ri. In a READ item there
   is no R. *)
Lemma operation_uniform (op : lean_op) (party : share_Primary) (o : op_own) (i : op_inputs) (own_index n : u64)
  (flags : u64 -> lean_read_Flags W) (own_share known : W) (others_share : W -> W) (f : u64 * list W -> Q) :
  (forall value, others_share value = ring_Ring_plus known value) ->
  mean (words 64) (fun word => mean xor_words (fun mask => mean xor_words (fun rho => mean xor_words (fun value =>
    f (operation op n party o i own_index (vector_mod_size word n)
      (flags_and_shares (flags word) (in_order party own_share (others_share (other_value (purpose_of op) value)))) mask rho)))))
  == mean (words 64) (fun word => mean (tuples (hidden_count op party) xor_words) (fun ws => f (vector_mod_size word n, ws))).
Proof.
  intros share.
  transitivity (mean (words 64) (fun word => mean (tuples (hidden_count op party) xor_words) (fun ws =>
    f (lean_read_shift_share (others_address i) (vector_mod_size word n) n, ws)))).
  - apply mean_ext. intros word _.
    pose (bare := snd (operation op n party o i own_index (vector_mod_size word n)
      (flags_and_shares (flags word) (in_order party own_share known)) (ring_Ring_zero W) (ring_Ring_zero W))).
    pose (s := lean_read_shift_share (others_address i) (vector_mod_size word n) n).
    assert (m : forall value mask rho, operation op n party o i own_index (vector_mod_size word n)
      (flags_and_shares (flags word) (in_order party own_share (ring_Ring_plus known value))) mask rho
      = (s, added bare (hidden_words op party value mask rho)) /\ length bare = hidden_count op party)
      by (intros; apply operation_masked).
    assert (hidden : forall value mask rho, hidden_words op party (other_value (purpose_of op) value) mask rho = hidden_words op party value mask rho)
      by (intros; destruct op; reflexivity).
    etransitivity; [|exact (mean_words_added bare _ (fun ws => f (s, ws)) (proj2 (m known known known)))].
    etransitivity; [|exact (hidden_words_uniform op party (fun ws => f (s, added bare ws)))].
    apply mean_ext. intros mask _. apply mean_ext. intros rho _. apply mean_ext. intros value _.
    rewrite share, (proj1 (m _ mask rho)), hidden. reflexivity.
  - apply (shift_uniform (others_address i) n (fun s => mean (tuples (hidden_count op party) xor_words) (fun ws => f (s, ws)))).
Qed.

(** * The flags *)

Section Flags.
  Context {P : Type} {P_Prg : prg_Prg P} {P_Layers : lean_layers_Layers P} (prg : P).
  Context (h : u64) (h_small : (val h < 64)%Z).
  Notation n := (lean_party_size h).
  Add Ring W_ring : (ring_theory_W W).

  (* The other side's flags, of a key and ri. *)
  Definition own_flags (key : lean_layers_LayeredKey W) : list W := lean_layers_unit_flags prg key h.
  Definition missing_flags (ri : u64) (key : lean_layers_LayeredKey W) : list W := vector_sub (vector_unit_vector W n ri) (own_flags key).

  (* To a primary, who has both its keys; to P2, who has P0's of DPF a and P1's of DPF b. *)
  Definition flags_of_primary (party : share_Primary) (key_a key_b : lean_layers_LayeredKey W) (ri : u64) : lean_read_Flags W :=
    let '(a_0, a_1) := in_order party (own_flags key_a) (missing_flags ri key_a) in
    let '(b_0, b_1) := in_order party (own_flags key_b) (missing_flags ri key_b) in
    mk_lean_read_Flags a_0 a_1 b_0 b_1.
  Definition flags_of_helper (key_a key_b : lean_layers_LayeredKey W) (ri : u64) : lean_read_Flags W :=
    mk_lean_read_Flags (own_flags key_a) (missing_flags ri key_a) (missing_flags ri key_b) (own_flags key_b).

  Lemma flags_of_other (plan : dpf_plan (W := W)) (party : share_Primary) (round : nat) :
    plan_fits h plan -> (tree_level h (plan_purpose plan) < round)%nat ->
    lean_layers_unit_flags prg (final_key prg h plan (other_primary party) round) h
    = missing_flags (plan_ri plan) (final_key prg h plan party round).
  Proof.
    intros fits hr. destruct (prepared_flags prg h h_small plan round fits hr) as (s_0 & s_1 & e).
    unfold missing_flags, own_flags. rewrite <- e. destruct party; cbn [other_primary]; by_elements (lean_party_size h); ring.
  Qed.

  (* The item's flags, of two plans at one ri. *)
  Lemma item_flags_of_primary (plan_a plan_b : dpf_plan (W := W)) (party : share_Primary) (round : nat) :
    plan_fits h plan_a -> plan_fits h plan_b -> plan_purpose plan_b = plan_purpose plan_a -> plan_ri plan_b = plan_ri plan_a ->
    (tree_level h (plan_purpose plan_a) < round)%nat ->
    item_flags prg h plan_a plan_b round
    = flags_of_primary party (final_key prg h plan_a party round) (final_key prg h plan_b party round) (plan_ri plan_a).
  Proof.
    intros fits_a fits_b e e' hr. unfold item_flags, flags_of_primary, own_flags.
    rewrite <- (flags_of_other plan_a party round fits_a hr), <- e'.
    rewrite <- (flags_of_other plan_b party round fits_b) by (rewrite e; exact hr). destruct party; reflexivity.
  Qed.
  Lemma item_flags_of_helper (plan_a plan_b : dpf_plan (W := W)) (round : nat) :
    plan_fits h plan_a -> plan_fits h plan_b -> plan_purpose plan_b = plan_purpose plan_a -> plan_ri plan_b = plan_ri plan_a ->
    (tree_level h (plan_purpose plan_a) < round)%nat ->
    item_flags prg h plan_a plan_b round
    = flags_of_helper (final_key prg h plan_a share_Primary_P0 round) (final_key prg h plan_b share_Primary_P1 round) (plan_ri plan_a).
  Proof.
    intros fits_a fits_b e e' hr. unfold item_flags, flags_of_helper, own_flags.
    rewrite <- (flags_of_other plan_a share_Primary_P0 round fits_a hr), <- e'.
    rewrite <- (flags_of_other plan_b share_Primary_P1 round fits_b) by (rewrite e; exact hr). reflexivity.
  Qed.
End Flags.

(** * The operation that a prepared item serves *)

Section Told.
  Context {P : Type} {P_Prg : prg_Prg P} {P_Layers : lean_layers_Layers P} (prg : P) (party : share_Primary).
  Context (h : u64) (h_small : (val h < 64)%Z) (op : lean_op).
  Notation other := (other_primary party).
  Notation purpose := (purpose_of op).
  Notation d := (tree_level h purpose).
  Notation n := (lean_party_size h).

  (* The other draws a word for its share of ri, of which the lowest h bits count. *)
  Definition others_index (word : u64) : u64 := lean_one_hot_low_bits word h.
  Lemma others_index_below (word : u64) : (val (others_index word) < 2 ^ val h)%Z.
  Proof. unfold others_index. rewrite val_low_bits by exact h_small. apply Z.mod_pos_bound, Z.pow_pos_nonneg; pose proof (val_bounds h); lia. Qed.
  Lemma others_index_is (word : u64) : others_index word = vector_mod_size word n.
  Proof.
    apply int_ext. unfold others_index. rewrite val_low_bits, val_mod_size, val_size by (exact h_small || apply size_power_of_two, h_small).
    reflexivity.
  Qed.

  (* A primary's share of R_a. *)
  Definition share_at (who : share_Primary) (common value : W) : W :=
    match who with share_Primary_P0 => ring_Ring_plus value common | share_Primary_P1 => value end.

  (* What is drawn that the party does not know: the word of the other's share of ri, P2's mask with the other, rho. *)
  Notation op_draw := (u64 * W * W)%type.
  Definition op_space : list op_draw := list_prod (list_prod (words 64) xor_words) xor_words.

  (* What the party receives: of its keys, ri, and the other's R'. *)
  Definition told_operation (o : op_own) (i : op_inputs) (held_a : dpf_held (W := W)) (draw : op_draw)
    (key_a key_b : lean_layers_LayeredKey W) (value_a : W) : u64 * list W :=
    let '(word, mask, rho) := draw in
    operation op n party o i (held_index held_a) (others_index word)
      (flags_and_shares (flags_of_primary prg h party key_a key_b (ri_of held_a (others_index word)))
        (in_order party (share_at party (held_common held_a) (held_value_share held_a)) (share_at other (held_common held_a) value_a))) mask rho.

  (* That is what it receives, for an item that both prepared. *)
  Lemma operation_is_told (o : op_own) (i : op_inputs) (held_a held_b : dpf_held (W := W)) (stream : list u64) (draw : op_draw)
    (draw_a draw_b : dpf_draw W) :
    held_sized h purpose held_a -> held_sized h purpose held_b -> held_index held_b = held_index held_a ->
    length (snd (fst (fst draw_a))) = d -> length (snd (fst (fst draw_b))) = d ->
    let '(word, mask, rho) := draw in
    let plan_a := held_plan prg party h purpose held_a (others_index word) draw_a in
    let plan_b := held_plan prg party h purpose held_b (others_index word) draw_b in
    operation op n party o i (held_index held_a) (others_index word) (item_material prg h plan_a plan_b (S d) stream) mask rho
    = told_operation o i held_a draw (key_of prg party h purpose plan_a) (key_of prg party h purpose plan_b) (other_value purpose (snd draw_a)).
  Proof.
    intros sa sb ib la lb. destruct draw as [[word mask] rho]. unfold told_operation, operation. f_equal. rewrite op_run_of_parts. f_equal.
    destruct draw_a as [[[root_a masks_a] word_a] value_a], draw_b as [[[root_b masks_b] word_b] value_b]. cbn [fst snd] in *.
    unfold item_material. cbn [lean_update_Material_flags lean_update_Material_value_shares].
    rewrite (item_flags_of_primary prg h h_small _ _ party).
    - rewrite plan_ri_is. unfold key_of. f_equal.
      unfold grown_of, growing_after, growing_at, lean_generation_value_share, share_at, other_value.
      cbn [held_plan plan_dealt plan_common lean_generation_Growing_dealt lean_generation_Growing_common].
      destruct party; reflexivity.
    - apply held_plan_fits; [exact sa | apply others_index_below | exact la].
    - apply held_plan_fits; [exact sb | apply others_index_below | exact lb].
    - reflexivity.
    - rewrite !plan_ri_is. unfold ri_of. rewrite ib. reflexivity.
    - apply Nat.lt_succ_diag_r.
  Qed.

  (* And all of it is uniform. *)
  Definition op_coin_space : list (u64 * list W) := list_prod (words 64) (tuples (hidden_count op party) xor_words).
  Definition simulated_operation (coins : u64 * list W) : u64 * list W := (vector_mod_size (fst coins) n, snd coins).
  Lemma told_operation_uniform (o : op_own) (i : op_inputs) (held_a : dpf_held (W := W)) (key_a key_b : lean_layers_LayeredKey W)
    (f : u64 * list W -> Q) :
    mean op_space (fun draw => mean xor_words (fun value => f (told_operation o i held_a draw key_a key_b (other_value purpose value))))
    == mean op_coin_space (fun coins => f (simulated_operation coins)).
  Proof.
    unfold op_space, op_coin_space. rewrite !mean_prod.
    pose (known := share_at other (held_common held_a) (ring_Ring_zero W)).
    assert (e : forall value, share_at other (held_common held_a) value = ring_Ring_plus known value).
    { intros value. unfold known, share_at. destruct other; apply xor_word_ext; cbn; xor_and. }
    etransitivity; [|exact (operation_uniform op party o i (held_index held_a) n
      (fun word => flags_of_primary prg h party key_a key_b (ri_of held_a (others_index word)))
      (share_at party (held_common held_a) (held_value_share held_a)) known (share_at other (held_common held_a)) f e)].
    apply mean_ext. intros word _. apply mean_ext. intros mask _. apply mean_ext. intros rho _. apply mean_ext. intros value _.
    unfold told_operation. rewrite others_index_is. reflexivity.
  Qed.
End Told.
