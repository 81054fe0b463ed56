(* Privacy of preparing lean DPFs towards P1, with what P2 deals to it in a message: Z_1 of each level, u_1, U_1 and R'_1 are uniform to P1,
   since Z_0, u_0, U_0 of the stream of P0 and P2 and P2's own word are; with them PreparingPrivacy.v says the rest. The message, and what
   both primaries have of the DPF, are those of `lean::dealing`. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection Counting Chains.
From Duoram.core Require Import Parties LabelFacts TreeLevels GenerationPrivacy GenerationRunPrivacy PrgAdvantage KeyHybrid GenerationSimulated.
From Duoram.lean Require Import PreparedItems LayeredPath PreparingView CorrectionsUniform PreparingPrivacy.
From Duoram.Generated Require Import All.
#[local] Open Scope Q_scope.

(* Words added to a uniform list, one by one. *)
Lemma mean_labels_added (ks : list u128) : forall f : list u128 -> Q,
  mean (tuples (length ks) labels) (fun zs => f (map (uncurry ixor) (combine ks zs))) == mean (tuples (length ks) labels) f.
Proof.
  induction ks as [|k ks IH]; intros f; cbn [length].
  - rewrite !mean_tuples_0. reflexivity.
  - rewrite !mean_tuples_S. rewrite <- (mean_labels_shifted k (fun x => mean (tuples (length ks) labels) (fun xs => f (x :: xs)))).
    apply mean_ext. intros x _. rewrite <- (IH (fun xs => f (ixor k x :: xs))). reflexivity.
Qed.

Section Dealt.
  Context {P : Type} {P_Prg : prg_Prg P} {P_Layers : lean_layers_Layers P} (prg : P).
  Context (h : u64) (h_small : (val h < 64)%Z) (purpose : lean_layers_Purpose).
  Notation d := (tree_level h purpose).
  Notation P1 := share_Primary_P1.

  (* What P1 has for a DPF before P2's message: its share of ri, its root, X_1 (a bit) and Y_1 of each level, r_1, and G. *)
  Record dpf_own : Type := {
    own_index : u64; own_root : u128; own_pairs : list (bool * u128); own_mask : u64; own_common : W;
  }.
  Definition own_seed (own : dpf_own) : lean_tape_Seed1 :=
    mk_lean_tape_Seed1 (map (fun '(x, y) => mk_lean_tape_TripleSeed (block_replicate x) y (repr 128 0)) (own_pairs own)) (own_mask own).

  (* What it does not know: of the stream of P0 and P2 X_0, Y_0, the word of r_0, R'_0; and P2's R'_1, Z_0, u_0, U_0. *)
  Notation draws_a := (list (bool * u128) * u64 * W)%type.
  Notation draws_b := (W * list u128 * u128 * list W)%type.
  Definition hidden_seed (a : draws_a) (b : draws_b) : lean_tape_Seed0 W :=
    let '(masks, word, value) := a in
    let '(_, zs, u, us) := b in
    mk_lean_tape_Seed0 (map (fun '(x, y, z) => mk_lean_tape_TripleSeed (block_replicate x) y z) (combine masks zs)) u (other_mask h word)
      (other_value purpose value) us.
  Definition deal_sent (own : dpf_own) (a : draws_a) (b : draws_b) : lean_dealing_Deal W :=
    lean_dealing_deal (hidden_seed a b) (own_seed own) purpose (other_value purpose (fst (fst (fst b)))).

  (* What P1 has with it. *)
  Definition dealt_held (own : dpf_own) (deal : lean_dealing_Deal W) : dpf_held (W := W) :=
    {| held_index := own_index own; held_root := own_root own;
       held_triples := map (fun '(x, y, z) => (x, (y, z))) (combine (own_pairs own) (lean_dealing_Deal_z deal));
       held_mask := own_mask own; held_one_hot := lean_dealing_Deal_one_hot deal;
       held_value_one_hot := lean_dealing_Deal_value_one_hot deal; held_value_share := lean_dealing_Deal_value_share deal;
       held_common := own_common own |}.

  (* The plan of both, of what `lean::dealing` gives to either. *)
  Definition dealt_plan (own : dpf_own) (other_index : u64) (root : u128) (a : draws_a) (b : draws_b) : dpf_plan (W := W) :=
    {| plan_purpose := purpose;
       plan_index := at_party P1 (own_index own) other_index;
       plan_root := at_party P1 (own_root own) root;
       plan_mask := at_party P1 (own_mask own) (other_mask h (snd (fst a)));
       plan_common := own_common own;
       plan_dealt := at_party P1 (lean_dealing_dealt_1 (own_seed own) (deal_sent own a b)) (lean_dealing_dealt_0 (hidden_seed a b)) |}.

  Lemma own_triples_are (held : dpf_held (W := W)) : (length (held_triples held) <= nat_of h)%nat ->
    map (own_triple prg) (level_shares h held)
    = map (fun '(x, (y, z)) => mk_du_atallah_AndTriple (block_replicate x) y z) (held_triples held).
  Proof.
    unfold level_shares. intros hl. rewrite map_map.
    assert (lb : length (path_bits (nat_of h) (val (held_index held))) = nat_of h) by apply path_bits_length.
    rewrite <- lb in hl. clear lb. revert hl. generalize (path_bits (nat_of h) (val (held_index held))).
    induction (held_triples held) as [|[x [y z]] ts IH]; intros [|bit bits] hl; cbn in *; try lia; try reflexivity.
    f_equal. apply IH. lia.
  Qed.

  (* X_0 Y_1 xor X_1 Y_0 *)
  Definition cross_terms (own : dpf_own) (masks : list (bool * u128)) : list u128 :=
    map (fun '((x_0, y_0), (x_1, y_1)) => ixor (iand (block_replicate x_0) y_1) (iand (block_replicate x_1) y_0))
      (combine masks (own_pairs own)).

  Section Consistent.
    Context (own : dpf_own) (a : draws_a) (b : draws_b).
    Hypothesis pairs_length : length (own_pairs own) = d.
    Hypothesis masks_length : length (fst (fst a)) = d.
    Hypothesis zs_length : length (snd (fst (fst b))) = d.
    Hypothesis us_length : length (snd b) = value_words h purpose.

    Lemma cross_terms_length : length (cross_terms own (fst (fst a))) = d.
    Proof. unfold cross_terms. rewrite map_length, combine_length. lia. Qed.

    Lemma deal_z_is : lean_dealing_Deal_z (deal_sent own a b) = map (uncurry ixor) (combine (cross_terms own (fst (fst a))) (snd (fst (fst b)))).
    Proof.
      destruct a as [[masks word] value], b as [[[v zs] u] us]. unfold deal_sent, lean_dealing_deal, cross_terms. cbn [fst snd hidden_seed] in *.
      transitivity (map (fun '(t_0, t_1) => lean_dealing_dealt_z t_0 t_1) (combine
        (map (fun '(x, y, z) => mk_lean_tape_TripleSeed (block_replicate x) y z) (combine masks zs))
        (map (fun '(x, y) => mk_lean_tape_TripleSeed (block_replicate x) y (repr 128 0)) (own_pairs own)))).
      { destruct purpose; reflexivity. }
      clear us_length. revert masks zs masks_length zs_length pairs_length. generalize (own_pairs own). generalize d.
      induction n as [|n IH]; intros [|[x_1 y_1] l] [|[x_0 y_0] masks] [|z zs] e e' e''; try discriminate; [reflexivity|].
      cbn [combine map]. f_equal; [|apply IH; cbn in *; lia].
      unfold lean_dealing_dealt_z. cbn [lean_tape_TripleSeed_x lean_tape_TripleSeed_y lean_tape_TripleSeed_z uncurry]. xor_and.
    Qed.
    Lemma deal_z_length : length (lean_dealing_Deal_z (deal_sent own a b)) = d.
    Proof. rewrite deal_z_is, map_length, combine_length, cross_terms_length. lia. Qed.
    Lemma held_triples_length : length (held_triples (dealt_held own (deal_sent own a b))) = d.
    Proof. cbn [dealt_held held_triples]. rewrite map_length, combine_length, deal_z_length. lia. Qed.

    Lemma dealt_is_own : lean_dealing_dealt_1 (own_seed own) (deal_sent own a b) = own_dealt prg h (dealt_held own (deal_sent own a b)).
    Proof.
      unfold lean_dealing_dealt_1, own_dealt. f_equal.
      rewrite own_triples_are by (rewrite held_triples_length; apply flag_level_below).
      cbn [dealt_held held_triples own_seed lean_tape_Seed1_triples].
      generalize (lean_dealing_Deal_z (deal_sent own a b)). generalize (own_pairs own).
      induction l as [|[x y] l IH]; intros [|z zs]; cbn; try reflexivity. f_equal. apply IH.
    Qed.

    Lemma dealt_is_others (root : u128) : lean_dealing_dealt_0 (hidden_seed a b)
      = others_dealt prg P1 h purpose (dealt_held own (deal_sent own a b)) (root, fst (fst a), snd (fst a), snd a).
    Proof.
      pose proof deal_z_is as z_is. pose proof held_triples_length as hl. pose proof value_words_is h purpose as vw.
      unfold others_dealt, lean_dealing_dealt_0, others_levels.
      assert (triples : map (fun t => mk_du_atallah_AndTriple (lean_tape_TripleSeed_x t) (lean_tape_TripleSeed_y t) (lean_tape_TripleSeed_z t))
          (lean_tape_Seed0_triples (hidden_seed a b))
        = map (uncurry (others_triple prg P1)) (combine (level_shares h (dealt_held own (deal_sent own a b)))
            (dealt_draws (level_shares h (dealt_held own (deal_sent own a b))) (fst (fst a))))).
      { unfold level_shares. cbn [dealt_held held_triples held_index] in *. rewrite z_is.
        assert (lb : (d <= length (path_bits (nat_of h) (val (own_index own))))%nat) by (rewrite path_bits_length; apply flag_level_below).
        revert lb. generalize (path_bits (nat_of h) (val (own_index own))).
        clear z_is hl us_length vw. unfold cross_terms. destruct a as [[masks word] value], b as [[[v zs] u] us]. cbn [fst snd hidden_seed lean_tape_Seed0_triples] in *.
        revert masks zs masks_length zs_length pairs_length. generalize (own_pairs own). generalize d.
        induction n as [|n IH]; intros [|[x_1 y_1] l] [|[x_0 y_0] masks] [|z zs] e e' e'' [|bit bits] lb; try discriminate; try (cbn in lb; lia); try reflexivity.
        cbn [combine map uncurry dealt_draws]. f_equal; [|apply IH; cbn in *; lia].
        cbn [lean_tape_TripleSeed_x lean_tape_TripleSeed_y lean_tape_TripleSeed_z].
        unfold others_triple, dealt, held_at. cbn. f_equal. xor_and. }
      rewrite triples. clear triples.
      destruct a as [[masks word] value], b as [[[v zs] u] us]. cbn [fst snd hidden_seed] in *.
      cbn [lean_tape_Seed0_one_hot lean_tape_Seed0_value_one_hot lean_tape_Seed0_value_share dealt_held held_one_hot held_mask
        held_value_one_hot held_value_share].
      assert (one_hot : lean_one_hot_dealt_one_hot (lean_dealing_Deal_one_hot (deal_sent own (masks, word, value) (v, zs, u, us))) (own_mask own)
        (other_mask h word) = u).
      { unfold deal_sent, lean_dealing_deal. destruct purpose; cbn [lean_dealing_Deal_one_hot hidden_seed lean_tape_Seed0_one_hot
          lean_tape_Seed0_mask own_seed lean_tape_Seed1_mask]; unfold lean_one_hot_dealt_one_hot; rewrite (ixor_comm (own_mask own)); xor_and. }
      rewrite one_hot. f_equal.
      unfold deal_sent, lean_dealing_deal, hidden_seed, own_seed, other_value. destruct purpose; cbn [lean_dealing_Deal_value_one_hot lean_dealing_Deal_value_share
        lean_tape_Seed0_value_one_hot lean_tape_Seed0_value_share lean_tape_Seed0_mask lean_tape_Seed1_mask fst snd].
      - rewrite vw in us_length. destruct us; [reflexivity | discriminate].
      - rewrite vw in us_length. rewrite (ixor_comm (own_mask own)).
        replace (ring_Ring_plus v value) with (ring_Ring_plus value v) by (apply xor_word_ext; cbn; apply ixor_comm).
        symmetry. apply dealt_value_twice. exact us_length.
    Qed.
  End Consistent.
End Dealt.
