(* The DPFs that a lean session makes of the words of its tapes and streams (SessionPreparing.v) are those of the views that are simulated: in P0's terms
   (ItemLife.v), which has its own words and its streams with P1 and P2, and in P1's (ItemLifeOfP1.v), which has its own, its streams, and P2's
   message. P2's view takes both (ItemLifeOfP2.v).

   [parts_stand] says which words of which tape or stream are whose; each stands at a place of its own (TapeDiscipline.v). That they are uniform,
   and so the parts that a party does not have, given its own, is not said here. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection.
From Duoram.core Require Import Parties VectorFacts LabelFacts DrawnWords.
From Duoram.lean Require Import SessionPreparing PreparedItems PreparingView CorrectionsUniform DealtToP0 DealtToP1 OperationView ItemLife ItemLifeOfP1 ItemLifeOfP2
  TapeDiscipline PreparingMessages.
From Duoram.Generated Require Import All.

(** * Plans that are alike *)

Section Alike.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Boolean : BooleanRing W}.
  Context {P : Type} {P_Prg : prg_Prg P} {P_Layers : lean_layers_Layers P} (prg : P) (h : u64).

  Record plans_alike (p q : dpf_plan (W := W)) : Prop := {
    alike_purpose : plan_purpose p = plan_purpose q;
    alike_index : forall party, plan_index p party = plan_index q party;
    alike_root : forall party, plan_root p party = plan_root q party;
    alike_mask : forall party, plan_mask p party = plan_mask q party;
    alike_common : plan_common p = plan_common q;
    alike_dealt : forall party, plan_dealt p party = plan_dealt q party;
  }.

  (* Each round leaves the same, and so is what is sent, and the keys, the same. *)
  Theorem plans_alike_grow (p q : dpf_plan (W := W)) party round : plans_alike p q ->
    growing_after prg h p party round = growing_after prg h q party round.
  Proof.
    intros [e_p e_i e_r e_m e_c e_d]. destruct p as [pp pi pr pm pc pd], q as [qp qi qr qm qc qd].
    cbn [plan_purpose plan_index plan_root plan_mask plan_common plan_dealt] in *. subst qp qc.
    assert (offset : plan_offset h {| plan_purpose := pp; plan_index := pi; plan_root := pr; plan_mask := pm; plan_common := pc; plan_dealt := pd |}
      = plan_offset h {| plan_purpose := pp; plan_index := qi; plan_root := qr; plan_mask := qm; plan_common := pc; plan_dealt := qd |})
      by (unfold plan_offset; cbn [plan_index plan_mask]; rewrite !e_i, !e_m; reflexivity).
    assert (corrections : plan_corrections prg h {| plan_purpose := pp; plan_index := pi; plan_root := pr; plan_mask := pm; plan_common := pc; plan_dealt := pd |}
      = plan_corrections prg h {| plan_purpose := pp; plan_index := qi; plan_root := qr; plan_mask := qm; plan_common := pc; plan_dealt := qd |})
      by (unfold plan_corrections, plan_start, plan_bits, plan_ri; cbn [plan_index plan_root]; rewrite !e_i, !e_r; reflexivity).
    assert (level : forall who k, plan_level prg h {| plan_purpose := pp; plan_index := pi; plan_root := pr; plan_mask := pm; plan_common := pc; plan_dealt := pd |} who k
      = plan_level prg h {| plan_purpose := pp; plan_index := qi; plan_root := qr; plan_mask := qm; plan_common := pc; plan_dealt := qd |} who k)
      by (intros who k; unfold plan_level; rewrite corrections; unfold plan_start; cbn [plan_root]; rewrite e_r; reflexivity).
    assert (one_hot : forall who, plan_one_hot h {| plan_purpose := pp; plan_index := pi; plan_root := pr; plan_mask := pm; plan_common := pc; plan_dealt := pd |} who
      = plan_one_hot h {| plan_purpose := pp; plan_index := qi; plan_root := qr; plan_mask := qm; plan_common := pc; plan_dealt := qd |} who)
      by (intros who; unfold plan_one_hot; rewrite offset; cbn [plan_dealt]; rewrite e_d; reflexivity).
    unfold growing_after, growing_at. cbn [plan_purpose plan_index plan_mask plan_common plan_dealt]. rewrite offset, level, corrections, e_i, e_m, e_d.
    unfold plan_flag_correction, plan_word_correction, plan_flag_share, plan_word_share, plan_moved_value. rewrite !level, !one_hot, offset.
    unfold plan_start. cbn [plan_root plan_dealt plan_common]. rewrite !e_d, e_r. reflexivity.
  Qed.
  Theorem plans_alike_sent (p q : dpf_plan (W := W)) party purpose : plans_alike p q ->
    received_of prg party h purpose p = received_of prg party h purpose q /\ key_of prg party h purpose p = key_of prg party h purpose q.
  Proof.
    intros alike. unfold received_of, key_of, final_key. rewrite !(plans_alike_grow p q) by exact alike. split; [|reflexivity].
    f_equal. apply map_ext. intros k. rewrite !(plans_alike_grow p q) by exact alike. reflexivity.
  Qed.
End Alike.

(** * One DPF of an item, of the words that it is made of *)

Section Dpf.
  Context {P : Type} {P_Prg : prg_Prg P} (prg : P).
  Context (h : u64) (h_small : val h < 64) (purpose : lean_layers_Purpose).
  Notation d := (tree_level h purpose).
  Notation P0 := share_Primary_P0.
  Notation P1 := share_Primary_P1.
  Notation from := (ring_Ring_from_u64 W).

  (* P0's and P1's words and roots; what P0 and P2, and P1 and P2, have in common; G; P2's word R'_1. *)
  Record dpf_words : Type := {
    word_0 : u64; word_1 : u64; root_0 : u128; root_1 : u128;
    with_0 : dpf_draws_0; with_1 : seed_draws_1; common_word : u64; value_1 : u64;
  }.
  Record words_fit (w : dpf_words) : Prop := { fit_0 : whole_0 h purpose (with_0 w); fit_1 : whole_1 h purpose (with_1 w) }.
  Definition common_of (w : dpf_words) : W := match purpose with lean_layers_Purpose_Read => ring_Ring_zero W | lean_layers_Purpose_Update => from (common_word w) end.

  (* The plan that these words make. *)
  Definition words_plan (w : dpf_words) : dpf_plan (W := W) :=
    let seed_0 := seed_of_draws_0 (W := W) h purpose (with_0 w) in
    let seed_1 := seed_of_draws_1 h (with_1 w) in
    {| plan_purpose := purpose;
       plan_index := at_party P0 (others_index h (word_0 w)) (others_index h (word_1 w));
       plan_root := at_party P0 (root_0 w) (root_1 w);
       plan_mask := at_party P0 (lean_tape_Seed0_mask seed_0) (lean_tape_Seed1_mask seed_1);
       plan_common := common_of w;
       plan_dealt := at_party P0 (lean_dealing_dealt_0 seed_0)
         (lean_dealing_dealt_1 seed_1 (lean_dealing_deal seed_0 seed_1 purpose (other_value purpose (from (value_1 w))))) |}.

  (** ** P0: all but P1's words, what P1 has with P2, and P2's *)

  Definition mask_0_of (w : dpf_words) : u64 := lean_one_hot_low_bits (snd (snd (fst (with_0 w)))) (lean_layers_flag_bits h).
  Definition held_0_of (w : dpf_words) : dpf_held (W := W) :=
    let '((levels, (one_hot, _)), (values, share)) := with_0 w in
    {| held_index := others_index h (word_0 w); held_root := root_0 w;
       held_triples := map (fun '(x, (y, z)) => (bit x 0, (y, z))) levels; held_mask := mask_0_of w; held_one_hot := one_hot;
       held_value_one_hot := match purpose with lean_layers_Purpose_Read => [] | lean_layers_Purpose_Update => map from values end;
       held_value_share := match purpose with lean_layers_Purpose_Read => ring_Ring_zero W | lean_layers_Purpose_Update => from share end;
       held_common := common_of w |}.
  Definition masks_1_of (w : dpf_words) : list (bool * u128) := map (fun '(x, y) => (bit x 0, y)) (fst (with_1 w)).
  Definition hidden_from_0 (w : dpf_words) : dpf_draw W := (root_1 w, masks_1_of w, snd (with_1 w), from (value_1 w)).

  Lemma seed_0_is_held (w : dpf_words) : seed_of_draws_0 h purpose (with_0 w) = seed_of_held (held_0_of w).
  Proof.
    unfold held_0_of, mask_0_of, seed_of_draws_0, seed_of_held. destruct (with_0 w) as [[levels [one_hot mask]] [values share]].
    cbn [held_triples held_one_hot held_mask held_value_share held_value_one_hot fst snd]. rewrite map_map. f_equal.
    apply map_ext. intros [x [y z]]. reflexivity.
  Qed.
  Lemma seed_1_is_drawn (w : dpf_words) : seed_of_draws_1 h (with_1 w) = seed_of_draw h (masks_1_of w) (snd (with_1 w)).
  Proof.
    unfold masks_1_of, seed_of_draws_1, seed_of_draw. destruct (with_1 w) as [levels mask]. cbn [fst snd]. rewrite map_map. f_equal.
    apply map_ext. intros [x y]. reflexivity.
  Qed.
  Lemma mask_0_below (w : dpf_words) : val (mask_0_of w) < 2 ^ val (lean_layers_flag_bits h).
  Proof. pose proof (flag_bits_bound h). apply low_bits_below. lia. Qed.
  Lemma held_0_sized (w : dpf_words) : words_fit w -> held_sized h purpose (held_0_of w).
  Proof.
    intros [[hl hv] _]. pose proof (mask_0_below w) as hm. unfold held_0_of in *. destruct (with_0 w) as [[levels [one_hot mask]] [values share]].
    cbn [fst snd] in *. constructor; cbn [held_index held_triples held_mask held_value_one_hot].
    - apply others_index_below, h_small.
    - rewrite map_length. exact hl.
    - exact hm.
    - intros e. rewrite e. unfold sized. rewrite map_length. exact hv.
  Qed.
  Lemma masks_1_length (w : dpf_words) : words_fit w -> length (masks_1_of w) = d.
  Proof. intros [_ hl]. unfold masks_1_of. rewrite map_length. exact hl. Qed.

  Theorem words_plan_of_P0 (w : dpf_words) : words_fit w ->
    words_plan w = held_plan prg P0 h purpose (held_0_of w) (others_index h (word_1 w)) (hidden_from_0 w).
  Proof.
    intros fit. destruct (dealt_with_P0 prg h purpose (held_0_of w) (root_1 w) (masks_1_of w) (snd (with_1 w)) (from (value_1 w))
      (held_0_sized w fit) (masks_1_length w fit)) as [mine others].
    unfold words_plan, held_plan, hidden_from_0. rewrite seed_0_is_held, seed_1_is_drawn, mine, others.
    unfold held_0_of. destruct (with_0 w) as [[levels [one_hot mask]] [values share]]. reflexivity.
  Qed.

  (** ** P1: P2's message, and all but P0's words and what P0 has with P2 *)

  Definition own_1_of (w : dpf_words) : dpf_own :=
    {| own_index := others_index h (word_1 w); own_root := root_1 w; own_pairs := masks_1_of w;
       own_mask := lean_one_hot_low_bits (snd (with_1 w)) (lean_layers_flag_bits h); own_common := common_of w |}.
  Notation hidden_of_1 := ((list (bool * u128) * u64 * W) * (W * list u128 * u128 * list W) * u128)%type.
  Definition hidden_from_1 (w : dpf_words) : hidden_of_1 :=
    let '((levels, (one_hot, mask)), (values, share)) := with_0 w in
    ((map (fun '(x, (y, _)) => (bit x 0, y)) levels, mask, from share),
     (from (value_1 w), map (fun '(_, (_, z)) => z) levels, one_hot,
      match purpose with lean_layers_Purpose_Read => [] | lean_layers_Purpose_Update => map from values end), root_0 w).
  Lemma seed_0_is_hidden (w : dpf_words) :
    seed_of_draws_0 h purpose (with_0 w) = hidden_seed h purpose (fst (fst (hidden_from_1 w))) (snd (fst (hidden_from_1 w))).
  Proof.
    unfold hidden_from_1, seed_of_draws_0, hidden_seed. destruct (with_0 w) as [[levels [one_hot mask]] [values share]]. cbn [fst snd].
    rewrite combine_map, map_map. unfold other_value. f_equal. apply map_ext. intros [x [y z]]. reflexivity.
  Qed.
  Lemma seed_1_is_own (w : dpf_words) : seed_of_draws_1 h (with_1 w) = own_seed (own_1_of w).
  Proof. rewrite seed_1_is_drawn. reflexivity. Qed.

  (* [plan_of] and [message_to_1] of ItemLifeOfP1.v. *)
  Theorem words_plan_of_P1 (w : dpf_words) :
    let '(a, b, root) := hidden_from_1 w in
    words_plan w = dealt_plan h purpose (own_1_of w) (others_index h (word_0 w)) root a b /\
    lean_dealing_deal (seed_of_draws_0 h purpose (with_0 w)) (seed_of_draws_1 h (with_1 w)) purpose (other_value purpose (from (value_1 w)))
      = deal_sent h purpose (own_1_of w) a b.
  Proof.
    unfold words_plan, dealt_plan, deal_sent. cbv zeta. pose proof (seed_0_is_hidden w) as e_0. pose proof (seed_1_is_own w) as e_1.
    assert (mask : lean_tape_Seed0_mask (seed_of_draws_0 (W := W) h purpose (with_0 w)) = other_mask h (snd (fst (fst (fst (hidden_from_1 w))))))
      by (unfold hidden_from_1, seed_of_draws_0; destruct (with_0 w) as [[levels [one_hot mask]] [values share]]; reflexivity).
    assert (value : from (value_1 w) = fst (fst (fst (snd (fst (hidden_from_1 w))))))
      by (unfold hidden_from_1; destruct (with_0 w) as [[levels [one_hot m]] [values share]]; reflexivity).
    assert (root : root_0 w = snd (hidden_from_1 w))
      by (unfold hidden_from_1; destruct (with_0 w) as [[levels [one_hot m]] [values share]]; reflexivity).
    destruct (hidden_from_1 w) as [[a b] r]. cbn [fst snd] in *. rewrite mask, root, value, e_0, e_1. split; reflexivity.
  Qed.
End Dpf.

(** * An item of a session's batch *)

Section Item.
  Context (h : u64) (h_small : val h < 64).
  Context (pair_01 pair_02 pair_12 : lean_tape_PairStreams) (tape_0 tape_1 tape_2 : list u64) (drawn_0 drawn_1 drawn_2 first_item reads : u64).

  (* The words of item j for its DPFs a and b: on each primary's tape a word and two roots, on the item's streams what two parties have in common,
     on P2's tape, for an UPDATE's item, two words. *)
  Record parts_stand (j : u64) (purpose : lean_layers_Purpose) (a b : dpf_words) : Prop := {
    one_word_0 : word_0 b = word_0 a;
    one_word_1 : word_1 b = word_1 a;
    fits_a : words_fit h purpose a;
    fits_b : words_fit h purpose b;
    stand_0 : let start := (nat_of drawn_0 + nat_of j * 5)%nat in
      stands tape_0 start (forth own_read_off (word_0 a, (root_0 a, root_0 b))) /\ Z.of_nat (start + 5) < 2 ^ 64;
    stand_1 : let start := (nat_of drawn_1 + nat_of j * 5)%nat in
      stands tape_1 start (forth own_read_off (word_1 a, (root_1 a, root_1 b))) /\ Z.of_nat (start + 5) < 2 ^ 64;
    stand_01 : purpose = lean_layers_Purpose_Update ->
      stands (lean_tape_item_stream pair_01 (wadd first_item j)) 0 [common_word a; common_word b];
    stand_02 : stands (lean_tape_item_stream pair_02 (wadd first_item j)) 0 (words_of_dpf_0 purpose (with_0 a) ++ words_of_dpf_0 purpose (with_0 b)) /\
      Z.of_nat (2 * size_0 h purpose) < 2 ^ 64;
    stand_12 : stands (lean_tape_item_stream pair_12 (wadd first_item j)) 0 (words_of_seed_1 (with_1 a) ++ words_of_seed_1 (with_1 b)) /\
      Z.of_nat (2 * size_1 h purpose) < 2 ^ 64;
    stand_2 : purpose = lean_layers_Purpose_Update -> let start := (nat_of drawn_2 + nat_of (wsub j reads) * 2)%nat in
      stands tape_2 start [value_1 a; value_1 b] /\ Z.of_nat (start + 2) < 2 ^ 64;
  }.
  Notation plan := (SessionPreparing.plan_of (W := W) h pair_01 pair_02 pair_12 tape_0 tape_1 tape_2 drawn_0 drawn_1 drawn_2 first_item reads).
  Notation deal := (deal_of (W := W) h pair_02 pair_12 tape_2 drawn_2 first_item reads).

  Theorem item_plans_are_of_words (j : u64) (purpose : lean_layers_Purpose) (a b : dpf_words) : parts_stand j purpose a b ->
    forall last : bool, let w := if last then b else a in
      plans_alike (plan ((j, purpose), last)) (words_plan h purpose w) /\
      deal (j, purpose) last = lean_dealing_deal (seed_of_draws_0 h purpose (with_0 w)) (seed_of_draws_1 h (with_1 w)) purpose
        (other_value purpose (ring_Ring_from_u64 W (value_1 w))).
  Proof.
    intros [w_0 w_1 [fa_0 fa_1] [fb_0 fb_1] [s_0 r_0] [s_1 r_1] s_01 [s_02 room_0] [s_12 room_1] s_2].
    destruct (seeds_0_of_item (W := W) h _ purpose _ _ fa_0 fb_0 s_02 room_0) as [e_a e_b].
    destruct (seeds_1_of_item h _ purpose _ _ fa_1 fb_1 s_12 room_1) as [f_a f_b].
    assert (place : forall drawn, wadd drawn (wmul j lean_tape_PRIMARY_WORDS) = of_nat (nat_of drawn + nat_of j * 5))
      by (intros drawn; rewrite of_nat_add, of_nat_mul, !of_nat_nat_of; reflexivity).
    assert (own_0 : own_randomness tape_0 drawn_0 j = mk_lean_tape_PrimaryRandomness (word_0 a) (root_0 a) (root_0 b))
      by (unfold own_randomness; rewrite place; apply own_is_of_its_words; assumption).
    assert (own_1 : own_randomness tape_1 drawn_1 j = mk_lean_tape_PrimaryRandomness (word_1 a) (root_1 a) (root_1 b))
      by (unfold own_randomness; rewrite place; apply own_is_of_its_words; assumption).
    assert (seed_0 : forall last : bool, seed_of_0 (W := W) h pair_02 first_item (j, purpose) last = seed_of_draws_0 h purpose (with_0 (if last then b else a)))
      by (intros []; assumption).
    assert (seed_1 : forall last : bool, seed_of_1 h pair_12 first_item (j, purpose) last = seed_of_draws_1 h (with_1 (if last then b else a)))
      by (intros []; assumption).
    assert (common : forall last : bool, lean_preprocessing_common W (lean_tape_item_stream pair_01 (wadd first_item j)) purpose (dpf_number last)
      = common_of purpose (if last then b else a)).
    { intros last. unfold common_of, lean_preprocessing_common. destruct purpose; [reflexivity|]. specialize (s_01 eq_refl).
      unfold lean_tape_common_value, lean_tape_ring_word. destruct last; cbn [dpf_number]; f_equal;
        [apply (word_stands _ _ _ (repr 64 1) 1 _ s_01) | apply (word_stands _ _ _ (repr 64 0) 0 _ s_01)]; reflexivity. }
    assert (dealt : forall last : bool, deal (j, purpose) last = lean_dealing_deal (seed_of_draws_0 h purpose (with_0 (if last then b else a)))
      (seed_of_draws_1 h (with_1 (if last then b else a))) purpose (other_value purpose (ring_Ring_from_u64 W (value_1 (if last then b else a))))).
    { intros last. unfold deal_of. rewrite seed_0, seed_1. cbn [fst snd]. destruct purpose; [reflexivity|]. destruct (s_2 eq_refl) as [stand small].
      unfold lean_dealing_deal, other_value, lean_tape_ring_word.
      set (start := (nat_of drawn_2 + nat_of (wsub j reads) * 2)%nat) in *.
      replace (wadd drawn_2 (wmul (wsub j reads) (repr 64 2))) with (of_nat start) by (unfold start; rewrite of_nat_add, of_nat_mul, !of_nat_nat_of; reflexivity).
      destruct last; cbn [dpf_number].
      - rewrite (word_stands _ _ _ (wadd (of_nat start) (repr 64 1)) 1 (value_1 b) stand eq_refl)
          by (change (repr 64 1) with (of_nat 1); rewrite <- of_nat_add, val_of_nat by lia; reflexivity). reflexivity.
      - rewrite (word_stands _ _ _ (wadd (of_nat start) (repr 64 0)) 0 (value_1 a) stand eq_refl)
          by (change (repr 64 0) with (of_nat 0); rewrite <- of_nat_add, val_of_nat by lia; reflexivity). reflexivity. }
    intros last. cbv zeta. split; [|apply dealt].
    constructor; unfold SessionPreparing.plan_of, words_plan; cbn [fst snd plan_purpose plan_index plan_root plan_mask plan_common plan_dealt].
    - reflexivity.
    - intros []; [rewrite own_0 | rewrite own_1]; cbn [at_party lean_tape_PrimaryRandomness_random_index]; unfold others_index;
        destruct last; rewrite ?w_0, ?w_1; reflexivity.
    - intros []; [rewrite own_0 | rewrite own_1]; destruct last; reflexivity.
    - intros []; [rewrite seed_0 | rewrite seed_1]; reflexivity.
    - apply common.
    - intros []; [rewrite seed_0 | rewrite seed_1, dealt]; reflexivity.
  Qed.
End Item.
