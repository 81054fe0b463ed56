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

  (** * The message is uniform *)

  Notation a_space := (list_prod (list_prod (tuples d mask_space) (words 64)) xor_words).
  Notation b_space := (list_prod (list_prod (list_prod xor_words (tuples d labels)) labels) (tuples (value_words h purpose) xor_words)).

  (* A uniform message: R'_1, Z_1, u_1, U_1. *)
  Definition message_of (b : draws_b) : lean_dealing_Deal W :=
    let '(value, zs, u, us) := b in mk_lean_dealing_Deal zs u us (other_value purpose value).
  Definition message_space : list (lean_dealing_Deal W) := map message_of b_space.

  Lemma deal_sent_is (own : dpf_own) (a : draws_a) (b : draws_b) : length (own_pairs own) = d -> In a a_space -> In b b_space ->
    deal_sent own a b = message_of (fst (fst (fst b)), map (uncurry ixor) (combine (cross_terms own (fst (fst a))) (snd (fst (fst b)))),
      ixor (lean_layers_one_hot_block (ixor (other_mask h (snd (fst a))) (own_mask own))) (snd (fst b)),
      match purpose with
      | lean_layers_Purpose_Read => snd b
      | lean_layers_Purpose_Update => lean_one_hot_dealt_value (snd b) (ring_Ring_plus (snd a) (fst (fst (fst b))))
          (ixor (other_mask h (snd (fst a))) (own_mask own))
      end).
  Proof.
    intros hp ha hb. destruct a as [[masks word] value], b as [[[v zs] u] us].
    apply in_prod_iff in ha as [ha _]. apply in_prod_iff in ha as [ha _]. apply in_prod_iff in hb as [hb hu].
    apply in_prod_iff in hb as [hb _]. apply in_prod_iff in hb as [_ hb]. apply tuples_length in ha, hb, hu.
    pose proof (deal_z_is own (masks, word, value) (v, zs, u, us) hp ha hb hu) as z. pose proof (value_words_is h purpose) as vw.
    cbn [fst snd] in *. rewrite vw in hu. clear vw. unfold message_of. rewrite <- z. clear z.
    unfold deal_sent, lean_dealing_deal, hidden_seed, own_seed, other_value, lean_one_hot_dealt_one_hot.
    cbn [lean_tape_Seed0_triples lean_tape_Seed0_one_hot lean_tape_Seed0_mask lean_tape_Seed0_value_share lean_tape_Seed0_value_one_hot
      lean_tape_Seed1_triples lean_tape_Seed1_mask fst snd].
    rewrite (ixor_comm u). destruct purpose; [destruct us; [reflexivity | discriminate] | reflexivity].
  Qed.

  Lemma mean_dealt_values (value : W) (r : u64) (f : list W -> Q) :
    mean (tuples 8 xor_words) (fun us => f (lean_one_hot_dealt_value us value r)) == mean (tuples 8 xor_words) f.
  Proof.
    pose proof (tuples_enumerate 8 _ xor_words_enumerate) as all.
    apply (mean_same_distribution (drawn := fun us => length us = 8%nat) (drawn' := fun us => length us = 8%nat)
      (view := fun us => lean_one_hot_dealt_value us value r) (view' := fun us => us) _ _ f); [|exact all|exact all].
    unshelve eexists.
    - refine {| forth := fun us => lean_one_hot_dealt_value us value r; back := fun us => lean_one_hot_dealt_value us value r |};
        intros us hu; try (apply (dealt_value_twice us value r hu)); apply (proj1 (dealt_values_open us value r hu)).
    - reflexivity.
  Qed.

  Lemma deal_is_uniform (own : dpf_own) (a : draws_a) (f : lean_dealing_Deal W -> Q) : length (own_pairs own) = d -> In a a_space ->
    mean b_space (fun b => f (deal_sent own a b)) == mean b_space (fun b => f (message_of b)).
  Proof.
    intros hp ha. rewrite (mean_ext b_space _ (fun b => f (message_of (fst (fst (fst b)),
      map (uncurry ixor) (combine (cross_terms own (fst (fst a))) (snd (fst (fst b)))),
      ixor (lean_layers_one_hot_block (ixor (other_mask h (snd (fst a))) (own_mask own))) (snd (fst b)),
      match purpose with
      | lean_layers_Purpose_Read => snd b
      | lean_layers_Purpose_Update => lean_one_hot_dealt_value (snd b) (ring_Ring_plus (snd a) (fst (fst (fst b))))
          (ixor (other_mask h (snd (fst a))) (own_mask own))
      end)))) by (intros b hb; rewrite deal_sent_is by assumption; reflexivity).
    assert (hm : length (fst (fst a)) = d).
    { destruct a as [[masks word] value]. apply in_prod_iff in ha as [ha _]. apply in_prod_iff in ha as [ha _].
      exact (tuples_length _ _ _ ha). }
    assert (hc : length (cross_terms own (fst (fst a))) = d) by (unfold cross_terms; rewrite map_length, combine_length; lia).
    rewrite !mean_prod. apply mean_ext. intros v _. cbn [fst snd].
    set (c := lean_layers_one_hot_block _). set (q := ixor (other_mask h (snd (fst a))) (own_mask own)).
    pose (k := fun zs u => mean (tuples (value_words h purpose) xor_words) (fun us => f (message_of (v, zs, u, us)))).
    transitivity (mean (tuples d labels) (fun zs => mean labels (fun u => k (map (uncurry ixor) (combine (cross_terms own (fst (fst a))) zs)) (ixor c u)))).
    { apply mean_ext. intros zs _. apply mean_ext. intros u _. unfold k. rewrite (value_words_is h purpose). destruct purpose; [reflexivity|].
      apply (mean_dealt_values _ _ (fun us => f (message_of (v, _, _, us)))). }
    transitivity (mean (tuples d labels) (fun zs => mean labels (fun u => k (map (uncurry ixor) (combine (cross_terms own (fst (fst a))) zs)) u))).
    { apply mean_ext. intros zs _. apply (mean_labels_shifted c (k _)). }
    rewrite <- hc. apply (mean_labels_added _ (fun zs => mean labels (fun u => k zs u))).
  Qed.

  (* A message of other lengths does not occur. *)
  Definition message_fits (message : lean_dealing_Deal W) : bool :=
    Nat.eqb (length (lean_dealing_Deal_z message)) d && Nat.eqb (length (lean_dealing_Deal_value_one_hot message)) (value_words h purpose).
  Definition fitting (message : lean_dealing_Deal W) : lean_dealing_Deal W :=
    if message_fits message then message
    else mk_lean_dealing_Deal (repeat (repr 128 0) d) (repr 128 0) (repeat (ring_Ring_zero W) (value_words h purpose)) (ring_Ring_zero W).

  Lemma fitting_lengths (message : lean_dealing_Deal W) :
    length (lean_dealing_Deal_z (fitting message)) = d /\ length (lean_dealing_Deal_value_one_hot (fitting message)) = value_words h purpose.
  Proof.
    unfold fitting. destruct (message_fits message) eqn:e; [|cbn; rewrite !repeat_length; auto].
    unfold message_fits in e. apply andb_true_iff in e as [e e']. apply Nat.eqb_eq in e, e'. auto.
  Qed.
  Lemma messages_fit (message : lean_dealing_Deal W) : In message message_space -> fitting message = message.
  Proof.
    intros h_in. apply in_map_iff in h_in as ([[[v zs] u] us] & <- & hb). apply in_prod_iff in hb as [hb hu].
    apply in_prod_iff in hb as [hb _]. apply in_prod_iff in hb as [_ hb]. apply tuples_length in hb, hu.
    unfold fitting, message_fits, message_of. cbn [lean_dealing_Deal_z lean_dealing_Deal_value_one_hot]. rewrite hb, hu, !Nat.eqb_refl. reflexivity.
  Qed.

  Lemma deal_fits (own : dpf_own) (a : draws_a) (b : draws_b) : length (own_pairs own) = d -> In a a_space -> In b b_space ->
    fitting (deal_sent own a b) = deal_sent own a b.
  Proof.
    intros hp ha hb. rewrite (deal_sent_is own a b hp ha hb).
    destruct a as [[masks word] value], b as [[[v zs] u] us].
    apply in_prod_iff in ha as [ha _]. apply in_prod_iff in ha as [ha _]. apply in_prod_iff in hb as [hb hu].
    apply in_prod_iff in hb as [hb _]. apply in_prod_iff in hb as [_ hb]. apply tuples_length in ha, hb, hu. cbn [fst snd].
    unfold fitting, message_fits, message_of. cbn [lean_dealing_Deal_z lean_dealing_Deal_value_one_hot].
    pose proof (value_words_is h purpose) as vw.
    assert (l : length (map (uncurry ixor) (combine (cross_terms own masks) zs)) = d)
      by (unfold cross_terms; rewrite map_length, combine_length, map_length, combine_length; lia).
    rewrite l, Nat.eqb_refl. rewrite vw in hu |- *.
    destruct purpose; cbn [andb]; [rewrite hu; reflexivity|].
    assert (l' : forall value q, length (lean_one_hot_dealt_value us value q) = 8%nat)
      by (intros value' q; exact (proj1 (dealt_values_open us value' q hu))).
    rewrite l'. reflexivity.
  Qed.

  (* Both primaries' parts are those of a plan in P1's terms. *)
  Lemma dealt_plan_is (own : dpf_own) (other_index : u64) (root : u128) (a : draws_a) (b : draws_b) :
    length (own_pairs own) = d -> In a a_space -> In b b_space ->
    dealt_plan own other_index root a b
    = held_plan prg P1 h purpose (dealt_held own (deal_sent own a b)) other_index (root, fst (fst a), snd (fst a), snd a).
  Proof.
    intros hp ha hb. unfold dealt_plan, held_plan. destruct a as [[masks word] value], b as [[[v zs] u] us].
    apply in_prod_iff in ha as [ha _]. apply in_prod_iff in ha as [ha _]. apply in_prod_iff in hb as [hb hu].
    apply in_prod_iff in hb as [hb _]. apply in_prod_iff in hb as [_ hb]. apply tuples_length in ha, hb, hu. cbn [fst snd].
    rewrite (dealt_is_own own (masks, word, value) (v, zs, u, us)), (dealt_is_others own (masks, word, value) (v, zs, u, us)) with (root := root)
      by assumption. reflexivity.
  Qed.

  (** * One DPF at P1 *)

  Context {R : Type} (rest : list R) (own : R -> dpf_own) (other_index : R -> u64).
  Hypothesis own_index_below : forall r, (val (own_index (own r)) < 2 ^ val h)%Z.
  Hypothesis own_mask_below : forall r, (val (own_mask (own r)) < 2 ^ val (lean_layers_flag_bits h))%Z.
  Hypothesis own_pairs_length : forall r, length (own_pairs (own r)) = d.
  Hypothesis other_index_below : forall r, (val (other_index r) < 2 ^ val h)%Z.
  (* A test of all else, of P2's message, of what P0 sends and the key, and of R'_0. *)
  Context (test : R -> lean_dealing_Deal W * dpf_outcome -> bool).

  Definition dealt_space : list (draws_a * draws_b * u128) := list_prod (list_prod a_space b_space) labels.
  Definition real_dealt (r : R) (draw : draws_a * draws_b * u128) : lean_dealing_Deal W * dpf_outcome :=
    let '(a, b, root) := draw in
    let plan := dealt_plan (own r) (other_index r) root a b in
    (deal_sent (own r) a b, (received_of prg P1 h purpose plan, key_of prg P1 h purpose plan, other_value purpose (snd a))).
  Definition simulated_dealt_space : list (lean_dealing_Deal W * (dpf_coins * W)) := list_prod message_space (coin_space h purpose).
  Definition simulated_dealt (r : R) (draw : lean_dealing_Deal W * (dpf_coins * W)) : lean_dealing_Deal W * dpf_outcome :=
    let '(message, coins) := draw in
    (message, (simulated_dpf prg P1 h purpose (dealt_held (own r) message) (fst coins), other_value purpose (snd coins))).
  Definition real_dealt_dpf : Q := Pr (list_prod rest dealt_space) (fun '(r, draw) => test r (real_dealt r draw)).
  Definition simulated_dealt_dpf : Q :=
    Pr (list_prod rest simulated_dealt_space) (fun '(r, draw) => test r (simulated_dealt r draw)).

  (* What there is beside the DPF: P2's message, too. *)
  Notation with_message := (R * lean_dealing_Deal W)%type.
  Definition held_with (z : with_message) : dpf_held (W := W) := dealt_held (own (fst z)) (fitting (snd z)).
  Definition test_dealt (z : with_message) (outcome : dpf_outcome) : bool := test (fst z) (snd z, outcome).
  Definition dealt_distinguisher : nat -> node_distinguisher :=
    dpf_distinguisher prg P1 h purpose (list_prod rest message_space) held_with (fun z => other_index (fst z)) test_dealt.

  Lemma held_with_sized (z : with_message) : held_sized h purpose (held_with z).
  Proof.
    destruct (fitting_lengths (snd z)) as [hz hu]. constructor; cbn [held_with dealt_held held_index held_triples held_mask held_value_one_hot]; auto.
    - rewrite map_length, combine_length, own_pairs_length, hz. lia.
    - intros up. pose proof (value_words_is h purpose) as vw. rewrite up in vw at 2. unfold sized. rewrite hu, vw. reflexivity.
  Qed.

  (* The theorem. *)
  Theorem lean_dpf_of_P1_simulated :
    Qabs (real_dealt_dpf - simulated_dealt_dpf) <= sum_below (S d) (fun i => node_Adv prg (tweaks h purpose i) (dealt_distinguisher i)).
  Proof.
    pose proof (lean_dpf_simulated prg P1 h h_small purpose (list_prod rest message_space) held_with (fun z => other_index (fst z)) held_with_sized
      (fun z => other_index_below (fst z)) test_dealt) as bound. fold dealt_distinguisher in bound.
    match type of bound with Qabs (?x - ?y) <= _ => set (real := x) in *; set (ideal := y) in * end.
    assert (e_ideal : ideal == simulated_dealt_dpf).
    { unfold ideal, simulated_game, simulated_dealt_dpf. unfold simulated_dealt_space. rewrite !Pr_mean, (mean_prod (list_prod rest message_space)), !(mean_prod rest).
      apply mean_ext. intros r _. rewrite (mean_prod message_space). apply mean_ext. intros message hi. apply mean_ext. intros coins _.
      unfold test_dealt, simulated_outcome, held_with. cbn [fst snd]. rewrite messages_fit by exact hi. reflexivity. }
    assert (e_real : real_dealt_dpf == real).
    { unfold real, real_dpf, real_dealt_dpf, dpf_draws, dealt_space. rewrite !Pr_mean, (mean_prod rest (list_prod (list_prod a_space b_space) labels)).
      rewrite (mean_prod (list_prod rest message_space)), (mean_prod rest message_space). apply mean_ext. intros r _.
      rewrite (mean_prod (list_prod a_space b_space)), (mean_prod a_space).
      pose (G := fun (message : lean_dealing_Deal W) (root : u128) (a : draws_a) => indicator (test r (message,
        real_outcome prg P1 h purpose held_with (fun z => other_index (fst z)) (r, message) (root, fst (fst a), snd (fst a), snd a)))).
      transitivity (mean a_space (fun a => mean b_space (fun b => mean labels (fun root => G (deal_sent (own r) a b) root a)))).
      { apply mean_ext. intros a ha. apply mean_ext. intros b hb. apply mean_ext. intros root _. unfold G, real_outcome, held_with, real_dealt. cbv zeta. cbn [fst snd].
        rewrite (deal_fits (own r) a b (own_pairs_length r) ha hb), dealt_plan_is by (assumption || apply own_pairs_length). reflexivity. }
      transitivity (mean a_space (fun a => mean b_space (fun b => mean labels (fun root => G (message_of b) root a)))).
      { apply mean_ext. intros a ha. apply (deal_is_uniform (own r) a (fun message => mean labels (fun root => G message root a)) (own_pairs_length r) ha). }
      rewrite mean_swap. unfold message_space. rewrite mean_map. apply mean_ext. intros b _. rewrite mean_swap.
      rewrite !mean_prod. apply mean_ext. intros root _. rewrite !mean_prod. reflexivity. }
    rewrite e_real, <- e_ideal. exact bound.
  Qed.
End Dealt.

(** * Any number of DPFs at P1 *)

Section Batch.
  Context {P : Type} {P_Prg : prg_Prg P} {P_Layers : lean_layers_Layers P} (prg : P).
  Context (h : u64) (h_small : (val h < 64)%Z).
  Context {R : Type} (rest : list R) (count : nat).
  (* Of DPF j: what it is for, what P1 has of itself and of its streams, and P0's share of ri. *)
  Context (purpose : nat -> lean_layers_Purpose) (own : nat -> R -> dpf_own) (other_index : nat -> R -> u64).
  Hypothesis own_index_below : forall j r, (val (own_index (own j r)) < 2 ^ val h)%Z.
  Hypothesis own_mask_below : forall j r, (val (own_mask (own j r)) < 2 ^ val (lean_layers_flag_bits h))%Z.
  Hypothesis own_pairs_length : forall j r, length (own_pairs (own j r)) = tree_level h (purpose j).
  Hypothesis other_index_below : forall j r, (val (other_index j r) < 2 ^ val h)%Z.
  Context (test : R -> list (lean_dealing_Deal W * dpf_outcome) -> bool).

  Notation real_view := (fun r j (_ : list (lean_dealing_Deal W * dpf_outcome)) draw =>
    real_dealt prg h (purpose j) (own j) (other_index j) r draw).
  Notation simulated_view := (fun r j (_ : list (lean_dealing_Deal W * dpf_outcome)) draw =>
    simulated_dealt prg h (purpose j) (own j) r draw).
  Definition real_dealt_batch : Q := real_chain rest count (fun j => dealt_space h (purpose j)) real_view test.
  Definition simulated_dealt_batch : Q := ideal_chain rest count (fun j => simulated_dealt_space h (purpose j)) simulated_view test.

  Definition dealt_batch_distinguisher (j : nat) : nat -> node_distinguisher :=
    dealt_distinguisher prg h (purpose j)
      (others_of rest count (fun j => dealt_space h (purpose j)) (fun j => simulated_dealt_space h (purpose j)) j)
      (fun z => own j (fst z)) (fun z => other_index j (fst z)) (test_with real_view simulated_view test j).

  (* P1's view of preparing any items: the price of all DPFs. *)
  Theorem lean_batch_of_P1_simulated :
    Qabs (real_dealt_batch - simulated_dealt_batch)
    <= sum_below count (fun j => sum_below (S (tree_level h (purpose j))) (fun i =>
         node_Adv prg (tweaks h (purpose j) i) (dealt_batch_distinguisher j i))).
  Proof.
    apply chain_replaced. intros j hj.
    exact (lean_dpf_of_P1_simulated prg h h_small (purpose j)
      (others_of rest count (fun j => dealt_space h (purpose j)) (fun j => simulated_dealt_space h (purpose j)) j)
      (fun z => own j (fst z)) (fun z => other_index j (fst z)) (fun z => own_index_below j (fst z)) (fun z => own_mask_below j (fst z))
      (fun z => own_pairs_length j (fst z)) (fun z => other_index_below j (fst z)) (test_with real_view simulated_view test j)).
  Qed.
End Batch.
