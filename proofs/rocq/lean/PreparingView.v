(* What a primary receives while a DPF with its layers is prepared, and its key, as functions of what it has itself, of fresh-looking
   draws, of the corrections, and of the layer blocks of the other's labels on the path. Exactly, with no assumption on the PRG; that the
   corrections and the blocks are pseudorandom is in PreparingPrivacy.v.

   The messages are those of `lean::generation`, round by round as `lean::preprocessing` sends them (Generation.v); what was dealt is as
   `lean::dealing` deals it. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection.
From Duoram.core Require Import ListFacts Parties LabelFacts GenerationPrivacy GenerationRunPrivacy PrgAdvantage KeyHybrid GenerationSimulated.
From Duoram.lean Require Import PreparedItems LayerHybrid LayeredPath.
From Duoram.Generated Require Import All.

Lemma xor_shares (a b x y p q : u128) : ixor a b = ixor x y -> ixor (ixor a p) (ixor b q) = ixor y (ixor x (ixor p q)).
Proof. intros e. transitivity (ixor (ixor a b) (ixor p q)); [xor_and | rewrite e; xor_and]. Qed.

(** * The path *)

Section Path.
  Context {P : Type} {P_Prg : prg_Prg P} {P_Layers : lean_layers_Layers P} (prg : P).

  Lemma corrections_for_firstn (x y : u128) (bits : list bool) (k : nat) :
    firstn k (corrections_for prg x y bits) = corrections_for prg x y (firstn k bits).
  Proof.
    revert x y k. induction bits as [|b bits IH]; intros x y [|k]; try reflexivity.
    cbn [corrections_for firstn]. cbv zeta. rewrite IH. reflexivity.
  Qed.

  (* As [levels_differ_on_the_path], with the nodes that differ. *)
  Lemma levels_differ_at_walk (start_0 start_1 : u128) (bits : list bool) (k : nat) :
    block_flag start_0 <> block_flag start_1 -> (k <= length bits)%nat ->
    let corrections := corrections_for prg start_0 start_1 bits in
    let x := walk prg start_0 (firstn k corrections) bits in
    let y := walk prg start_1 (firstn k corrections) bits in
    differ_at (levels prg (firstn k corrections) [start_0]) (levels prg (firstn k corrections) [start_1])
      (place_of (firstn k bits)) x y /\
    skipn k corrections = corrections_for prg x y (skipn k bits).
  Proof.
    intros hf hk corrections. induction k as [|k IH].
    - split; [|reflexivity]. split; [exact hf|]. exists [], []. repeat split.
    - destruct IH as (d & rest); [lia|]. cbv zeta in *.
      assert (hl : length corrections = length bits) by apply corrections_for_length.
      set (x := walk prg start_0 (firstn k corrections) bits) in *. set (y := walk prg start_1 (firstn k corrections) bits) in *.
      set (b := nth k bits false). set (c := dealer_level_correction prg x y b).
      set (none := mk_dpf_Correction (repr 128 0) false false).
      rewrite (skipn_nth corrections k none), (skipn_nth bits k false) in rest by lia.
      cbn [corrections_for] in rest. fold b c in rest. injection rest as hc rest.
      rewrite (firstn_snoc corrections k none), (firstn_snoc bits k false), hc, !levels_snoc, place_of_snoc by lia.
      rewrite !walk_snoc by (rewrite firstn_length; lia). rewrite firstn_length, Nat.min_l by lia. fold x y b.
      split; [apply next_level_differs, d | exact rest].
  Qed.

  Lemma nth_path_blocks (tweaks : nat -> list u128) (cs : list dpf_Correction) (path : list bool) : length cs = length path ->
    forall depth node k, (k <= length cs)%nat ->
    nth k (path_blocks prg tweaks depth node cs path) [] = layer_blocks prg (tweaks (depth + k)%nat) (walk prg node (firstn k cs) path).
  Proof.
    revert path. induction cs as [|c cs IH]; intros [|b path] hl depth node k hk; try discriminate.
    - destruct k; [|cbn in hk; lia]. rewrite Nat.add_0_r. reflexivity.
    - destruct k as [|k]; [rewrite Nat.add_0_r; reflexivity|].
      cbn [path_blocks nth firstn]. rewrite walk_cons, IH by (cbn in *; lia). rewrite Nat.add_succ_comm. reflexivity.
  Qed.
End Path.

(** * The levels *)

Section Levels.
  Context {P : Type} {P_Prg : prg_Prg P} (prg : P) (party : share_Primary).

  Lemma opened_at_node (own other : list u128) (i : nat) (x y : u128) (m : level_share) (bit : bool) : differ_at own other i x y ->
    opened_at prg party own other m bit = dealer_level_correction prg x y (xorb (share_bit m) bit).
  Proof.
    intros (_ & before & after & _ & -> & ->). rewrite level_correction_of_pairs.
    unfold opened_at, opened_correction, correction_of_pairs, children. cbn [fst snd].
    rewrite <- (xor_sums_differ (prg_Prg_left prg) before after x y), <- (xor_sums_differ (prg_Prg_right prg) before after x y).
    destruct party; cbn [in_order uncurry fst snd input_at input_bit input_sums]; unfold distributed_gen_child_sums;
      cbn [distributed_gen_ChildSums_left distributed_gen_ChildSums_right]; [reflexivity|].
    rewrite (xorb_comm bit), (ixor_comm (block_xor_sum (map (prg_Prg_left prg) (before ++ y :: after)))),
      (ixor_comm (block_xor_sum (map (prg_Prg_right prg) (before ++ y :: after)))). reflexivity.
  Qed.

  Lemma opened_of_corrections (shares : list level_share) : forall (own other : list u128) (i : nat) (x y : u128) (bits : list bool),
    differ_at own other i x y -> length bits = length shares ->
    opened_of prg party own other shares bits = corrections_for prg x y (xor_bits (map share_bit shares) bits).
  Proof.
    induction shares as [|m shares IH]; intros own other i x y [|bit bits] d hl; try discriminate; [reflexivity|].
    cbn [opened_of map xor_bits combine corrections_for]. cbv zeta.
    rewrite (opened_at_node _ _ _ _ _ m bit d). f_equal.
    apply (IH _ _ (2 * i + if xorb (share_bit m) bit then 1 else 0)%nat); [apply next_level_differs, d | cbn in hl; lia].
  Qed.

  (* All that is seen of the levels, one by one. *)
  Lemma view_of_levels (no_share : level_share) (no_draw : level_unknown) (shares : list level_share) :
    forall (own other : list u128) (bits : list bool) (rs : list level_unknown),
    length bits = length shares -> length rs = length shares ->
    let cs := opened_of prg party own other shares bits in
    view_of prg party own other shares bits rs
    = map (fun k => level_view party (held_at prg (levels prg (firstn k cs) own) (nth k shares no_share))
        (input_at prg (levels prg (firstn k cs) other) (nth k bits false)) (nth k rs no_draw)) (seq 0 (length shares)).
  Proof.
    induction shares as [|m shares IH]; intros own other [|bit bits] [|r rs] hb hr; try discriminate; [reflexivity|].
    cbn [view_of opened_of length seq map]. cbv zeta. f_equal.
    rewrite IH by (cbn in *; lia). rewrite <- seq_shift, map_map. apply map_ext. intros k. reflexivity.
  Qed.

  (* A level's two messages, as the functions of one party make them. *)
  Lemma level_view_messages (own other : list u128) (m : level_share) (bit : bool) (r : level_unknown) :
    level_view party (held_at prg own m) (input_at prg other bit) r
    = (distributed_gen_operands bit (distributed_gen_child_sums prg other) (others_triple prg party m r),
       distributed_gen_opening bit (distributed_gen_child_sums prg other) (others_triple prg party m r)
         (distributed_gen_operands (share_bit m) (distributed_gen_child_sums prg own) (own_triple prg m))).
  Proof. destruct party; reflexivity. Qed.
End Levels.

(** * One DPF at a primary *)

(* What is drawn that it does not know: the other's root, its X (a bit) and Y of each level, the word of its r_c, and its R'_c. *)
Notation dpf_draw W := (u128 * list (bool * u128) * u64 * W)%type.

Section View.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Boolean : BooleanRing W}.
  Context {P : Type} {P_Prg : prg_Prg P} {P_Layers : lean_layers_Layers P} (prg : P) (party : share_Primary).
  Context (h : u64) (h_small : val h < 64) (purpose : lean_layers_Purpose).
  Add Ring W_ring : (ring_theory_W W).
  Notation zero := (ring_Ring_zero W).
  Notation "x [+] y" := (ring_Ring_plus x y) (at level 50, left associativity).
  Notation other := (other_primary party).
  Notation d := (tree_level h purpose).
  Notation eight := (repr 64 8).
  Notation kf := (lean_layers_flag_bits h).

  (* What a primary has for a DPF: its own draws, what it is dealt, and G. To P0 all of it is random words of its own and of its
     streams; to P1 u_1, U_1, R'_1 and the triples' Z_1 come from P2, in a message. *)
  Record dpf_held : Type := {
    held_index : u64;                          (* ri_b *)
    held_root : u128;
    held_triples : list (bool * (u128 * u128));  (* X_b, a bit; Y_b, Z_b *)
    held_mask : u64;                           (* r_b *)
    held_one_hot : u128;                       (* u_b *)
    held_value_one_hot : list W;               (* U_b, none in READ items *)
    held_value_share : W;                      (* R'_b *)
    held_common : W;                           (* G *)
  }.
  Record held_sized (held : dpf_held) : Prop := {
    index_sized : val (held_index held) < 2 ^ val h;
    triples_sized : length (held_triples held) = d;
    mask_sized : val (held_mask held) < 2 ^ val kf;
    value_sized : purpose = lean_layers_Purpose_Update -> sized eight (held_value_one_hot held);
  }.

  (* The paper's App. C sees a DPF so. *)
  Definition level_shares (held : dpf_held) : list level_share :=
    map (fun '(bit, (x, (y, z))) => {| share_bit := bit; share_x := x; share_y := y; share_z := z |})
      (combine (path_bits (nat_of h) (val (held_index held))) (held_triples held)).
  Definition other_bits (other_index : u64) : list bool := firstn d (path_bits (nat_of h) (val other_index)).
  Definition ri_of (held : dpf_held) (other_index : u64) : u64 := ixor (held_index held) other_index.
  Definition path_of (held : dpf_held) (other_index : u64) : list bool :=
    firstn d (path_bits (nat_of h) (val (ri_of held other_index))).

  (* What the other primary has, given what P2 dealt to this one. *)
  Definition other_mask (word : u64) : u64 := lean_one_hot_low_bits word kf.
  Definition others_levels (held : dpf_held) (masks : list (bool * u128)) : list level_unknown := dealt_draws (level_shares held) masks.
  Definition other_value (value : W) : W :=
    match purpose with lean_layers_Purpose_Read => zero | lean_layers_Purpose_Update => value end.
  Definition own_dealt (held : dpf_held) : lean_dealing_Dealt W :=
    mk_lean_dealing_Dealt (map (own_triple prg) (level_shares held)) (held_one_hot held) (held_value_one_hot held)
      (held_value_share held).
  Definition others_dealt (held : dpf_held) (draw : dpf_draw W) : lean_dealing_Dealt W :=
    let '(_, masks, word, value) := draw in
    mk_lean_dealing_Dealt (map (uncurry (others_triple prg party)) (combine (level_shares held) (others_levels held masks)))
      (lean_one_hot_dealt_one_hot (held_one_hot held) (held_mask held) (other_mask word))
      (match purpose with
       | lean_layers_Purpose_Read => []
       | lean_layers_Purpose_Update =>
           lean_one_hot_dealt_value (held_value_one_hot held) (held_value_share held [+] value) (ixor (held_mask held) (other_mask word))
       end)
      (other_value value).

  Definition at_party {T : Type} (own others : T) (who : share_Primary) : T :=
    match party, who with
    | share_Primary_P0, share_Primary_P0 | share_Primary_P1, share_Primary_P1 => own
    | _, _ => others
    end.
  Lemma at_own {T : Type} (own others : T) : at_party own others party = own.
  Proof. unfold at_party. destruct party; reflexivity. Qed.
  Lemma at_other {T : Type} (own others : T) : at_party own others other = others.
  Proof. unfold at_party. destruct party; reflexivity. Qed.

  Definition held_plan (held : dpf_held) (other_index : u64) (draw : dpf_draw W) : dpf_plan (W := W) :=
    let '(root, _, word, _) := draw in
    {| plan_purpose := purpose;
       plan_index := at_party (held_index held) other_index;
       plan_root := at_party (held_root held) root;
       plan_mask := at_party (held_mask held) (other_mask word);
       plan_common := held_common held;
       plan_dealt := at_party (own_dealt held) (others_dealt held draw) |}.

  (** * Views *)

  (* What the primary receives from the other one. *)
  Record dpf_received : Type := {
    received_moved : u64;
    received_levels : list (distributed_gen_Operands * u128);
    received_flags : u128;
    received_words : list W;
  }.

  (* Of a plan: the other's messages, made by the functions that send them. *)
  Definition received_of (plan : dpf_plan) : dpf_received :=
    let own round := growing_after prg h plan party round in
    let others round := growing_after prg h plan other round in
    {| received_moved := lean_generation_moved (others 0%nat);
       received_levels := map (fun k => (lean_generation_level_operands prg (others k),
         lean_generation_level_opening prg (others k) (lean_generation_level_operands prg (own k)))) (seq 0 d);
       received_flags := lean_generation_flag_share prg (others (flag_level h));
       received_words := match purpose with
         | lean_layers_Purpose_Read => []
         | lean_layers_Purpose_Update => lean_generation_word_share prg (others (word_level h))
         end |}.
  Definition key_of (plan : dpf_plan) : lean_layers_LayeredKey W := final_key prg h plan party (S d).

  (* Of the primary's own things and of the draws of a simulator: the other's moved share of ri, the coins of App. C, the
     corrections of the tree and of the layers. It is told nothing else. *)
  Notation dpf_coins := (u64 * list (bool * u128) * list dpf_Correction * u128 * list W)%type.
  Definition own_start (held : dpf_held) : u128 := distributed_gen_planted party (held_root held).
  Definition simulated_dpf (held : dpf_held) (coins : dpf_coins) : dpf_received * lean_layers_LayeredKey W :=
    let '(moved, operands, cs, flags, values) := coins in
    let offset := ixor (lean_one_hot_moved_share (held_index held) (held_mask held) kf) moved in
    let one_hot := lean_one_hot_moved_block (held_one_hot held) offset in
    let level k := levels prg (firstn k cs) [own_start held] in
    let values := match purpose with lean_layers_Purpose_Read => [] | lean_layers_Purpose_Update => values end in
    ({| received_moved := moved;
        received_levels := simulated_run prg party (held_root held) (level_shares held) cs operands;
        received_flags := ixor flags (ixor (lean_layers_flag_sum prg (level (flag_level h))) one_hot);
        received_words := match purpose with
          | lean_layers_Purpose_Read => []
          | lean_layers_Purpose_Update => vector_add values (vector_add (lean_layers_word_sum W prg (level (word_level h)))
              (lean_one_hot_moved_value (held_value_one_hot held) offset (held_common held) one_hot))
          end |},
     mk_lean_layers_LayeredKey (mk_dpf_Key (own_start held) cs) flags values).

  (* The layers that hang on a depth of the tree. *)
  Definition flag_tweaks (depth : nat) : list u128 :=
    if Nat.eqb depth (flag_level h) then [lean_layers_FLAG_TWEAK] else [].
  Definition word_tweaks (depth : nat) : list u128 :=
    match purpose with
    | lean_layers_Purpose_Read => []
    | lean_layers_Purpose_Update => if Nat.eqb depth (word_level h)
        then map (fun i => ixor lean_layers_WORD_TWEAK (cast 128 i)) (range (repr 64 0) (repr 64 4)) else []
    end.
  Definition tweaks (depth : nat) : list u128 := flag_tweaks depth ++ word_tweaks depth.

  (* The words that the word layer's four blocks are. *)
  Definition words_of_blocks (blocks : list u128) : list W :=
    flat_map (fun block => [ring_Ring_conversion_word W block; ring_Ring_value_word W block]) blocks.
  Lemma node_words_of_blocks (label : u128) : purpose = lean_layers_Purpose_Update ->
    lean_layers_node_words W prg label = words_of_blocks (layer_blocks prg (word_tweaks (word_level h)) label).
  Proof. intros e. unfold word_tweaks. rewrite e, Nat.eqb_refl. reflexivity. Qed.

  (* What the corrections of the layers are, besides the layer blocks of the other's labels: of the primary's own tree, ri, and R. *)
  Definition place (held : dpf_held) (other_index : u64) : u64 := lean_one_hot_low_bits (ri_of held other_index) kf.
  Definition known_flags (held : dpf_held) (other_index : u64) (cs : list dpf_Correction) : u128 :=
    ixor (lean_layers_flag_block prg (walk prg (own_start held) (firstn (flag_level h) cs) (path_of held other_index)))
      (lean_layers_one_hot_block (place held other_index)).
  Definition known_words (held : dpf_held) (other_index : u64) (cs : list dpf_Correction) (value : W) : list W :=
    vector_add (lean_layers_node_words W prg (walk prg (own_start held) (firstn (word_level h) cs) (path_of held other_index)))
      (vector_scale (held_value_share held [+] value [+] held_common held)
        (vector_unit_vector W eight (vector_mod_size (place held other_index) eight))).

  Lemma known_words_length (held : dpf_held) (other_index : u64) (cs : list dpf_Correction) (value : W) :
    length (known_words held other_index cs value) = 8%nat.
  Proof.
    change 8%nat with (nat_of eight). apply sized_add; [apply node_words_sized | apply sized_scale, sized_unit_vector].
  Qed.

  (** * The plan is one *)

  Section Of_one.
    Context (held : dpf_held) (other_index : u64) (root : u128) (masks : list (bool * u128)) (word : u64) (value : W).
    Hypothesis own_sized : held_sized held.
    Hypothesis other_index_below : val other_index < 2 ^ val h.
    Hypothesis masks_length : length masks = d.
    Notation draw := ((root, masks, word, value) : dpf_draw W).
    Notation plan := (held_plan held other_index draw).
    Notation shares := (level_shares held).
    Notation rs := (others_levels held masks).
    Notation other_start := (distributed_gen_planted other root).
    Notation cs := (corrections_for prg (own_start held) other_start (path_of held other_index)).

    Let d_below : (d <= nat_of h)%nat.
    Proof. apply flag_level_below. Qed.
    Let d_flags : (flag_level h <= d)%nat.
    Proof. apply flag_level_below. Qed.

    Lemma level_shares_length : length shares = d.
    Proof.
      unfold level_shares. rewrite map_length, combine_length, path_bits_length, (triples_sized held own_sized). apply Nat.min_r, d_below.
    Qed.
    Lemma others_levels_drawn : Forall2 (share_drawn prg party) shares rs.
    Proof. apply (back_drawn (masks_of prg party shares)). rewrite level_shares_length. exact masks_length. Qed.
    Lemma others_levels_length : length rs = d.
    Proof. rewrite <- level_shares_length. pose proof others_levels_drawn as l. symmetry. induction l; cbn; congruence. Qed.
    Lemma other_bits_length : length (other_bits other_index) = d.
    Proof. unfold other_bits. rewrite firstn_length, path_bits_length. apply Nat.min_l, d_below. Qed.
    Lemma path_length : length (path_of held other_index) = d.
    Proof. unfold path_of. rewrite firstn_length, path_bits_length. apply Nat.min_l, d_below. Qed.

    Lemma other_mask_below : val (other_mask word) < 2 ^ val kf.
    Proof.
      pose proof (flag_bits_bound h). pose proof (val_bounds kf). unfold other_mask. rewrite val_low_bits by lia.
      apply Z.mod_pos_bound, Z.pow_pos_nonneg; lia.
    Qed.

    Lemma map_share_bit : map share_bit shares = firstn d (path_bits (nat_of h) (val (held_index held))).
    Proof.
      unfold level_shares. rewrite map_map. rewrite <- (triples_sized held own_sized).
      generalize (path_bits (nat_of h) (val (held_index held))). generalize (held_triples held).
      induction l as [|[x [y z]] l IH]; intros [|b bits]; cbn; try reflexivity. f_equal. apply IH.
    Qed.
    Lemma path_is_xor : xor_bits (map share_bit shares) (other_bits other_index) = path_of held other_index.
    Proof.
      rewrite map_share_bit. unfold other_bits, path_of, ri_of, xor_bits. rewrite val_ixor, <- path_bits_lxor, firstn_map, combine_firstn.
      reflexivity.
    Qed.

    Lemma dealt_value_twice (u : list W) (v : W) (r : u64) : sized eight u ->
      lean_one_hot_dealt_value (lean_one_hot_dealt_value u v r) v r = u.
    Proof.
      intros hu. destruct (dealt_values_open u v r hu) as [s e]. destruct (dealt_values_open _ v r s) as [s' e'].
      rewrite <- e' in e. apply (sized_ext eight); [exact (proj1 (dealt_values_open _ v r s)) | exact hu |]. intros k hk.
      apply (f_equal (fun x => nth k x zero)) in e. rewrite !(nth_add eight) in e by assumption.
      set (a := nth k u zero) in *. set (b := nth k (lean_one_hot_dealt_value u v r) zero) in *.
      set (c := nth k (lean_one_hot_dealt_value (lean_one_hot_dealt_value u v r) v r) zero) in *.
      transitivity (b [+] c [+] b); [transitivity (c [+] (b [+] b)); [rewrite ring_plus_self; ring | ring]|]. rewrite <- e.
      transitivity (a [+] (b [+] b)); [ring | rewrite ring_plus_self; ring].
    Qed.

    Lemma held_plan_fits : plan_fits h plan.
    Proof.
      pose proof other_mask_below as mb. destruct own_sized as [ib tb mb' vb]. constructor.
      - intros who. cbn [held_plan plan_index]. unfold at_party. destruct party, who; assumption.
      - intros who. cbn [held_plan plan_mask]. unfold at_party. destruct party, who; assumption.
      - intros k hk. cbn [held_plan plan_purpose plan_dealt] in *.
        pose proof (triples_dealt_for_bits prg party shares rs others_levels_drawn) as all.
        assert (lo : length (map (own_triple prg) shares) = d) by (rewrite map_length; apply level_shares_length).
        assert (lt : length (map (uncurry (others_triple prg party)) (combine shares rs)) = d).
        { rewrite map_length, combine_length, level_shares_length, others_levels_length. apply Nat.min_id. }
        assert (pick : forall ts us : list du_atallah_AndTriple, length ts = d -> length us = d -> Forall dealt_for_a_bit (combine ts us) ->
          dealt_for_a_bit (nth k ts no_triple, nth k us no_triple)).
        { intros ts us l l' f. rewrite <- nth_combine by lia. rewrite Forall_forall in f. apply f, nth_In.
          rewrite combine_length. lia. }
        unfold at_party, own_dealt, others_dealt. destruct party; cbn [in_order uncurry lean_dealing_Dealt_triples] in *;
          apply pick; assumption.
      - cbn [held_plan plan_dealt plan_mask]. unfold at_party. destruct party; cbn [own_dealt others_dealt lean_dealing_Dealt_one_hot];
          [reflexivity|].
        unfold lean_one_hot_dealt_one_hot. rewrite (ixor_comm (other_mask word)). xor_and.
      - cbn [held_plan plan_purpose plan_dealt plan_mask]. intros e. specialize (vb e). unfold at_party.
        destruct party; cbn [own_dealt others_dealt lean_dealing_Dealt_value_one_hot lean_dealing_Dealt_value_share];
          unfold other_value; rewrite e.
        + split; [exact vb | reflexivity].
        + split; [apply dealt_values_open, vb|]. rewrite (ixor_comm (other_mask word)).
          replace (value [+] held_value_share held) with (held_value_share held [+] value) by ring.
          symmetry. apply dealt_value_twice, vb.
    Qed.

    (** * The plan in the primary's terms *)

    Lemma starts_of_plan : plan_start plan party = own_start held /\ plan_start plan other = other_start.
    Proof. unfold plan_start, own_start. cbn [held_plan plan_root]. rewrite at_own, at_other. split; reflexivity. Qed.

    Lemma plan_ri_is : plan_ri plan = ri_of held other_index.
    Proof.
      unfold plan_ri, ri_of. cbn [held_plan plan_index]. unfold at_party. destruct party; [reflexivity | apply ixor_comm].
    Qed.

    Lemma starts_flags : block_flag (own_start held) <> block_flag other_start.
    Proof. unfold own_start. destruct party; cbn; rewrite !flag_with_flag; discriminate. Qed.

    Lemma plan_corrections_are : firstn d (plan_corrections prg h plan) = cs.
    Proof.
      unfold plan_corrections, plan_bits. rewrite plan_ri_is, corrections_for_firstn. fold (path_of held other_index).
      destruct starts_of_plan as [e e']. destruct party; cbn [other_primary] in *; rewrite e, e'; [reflexivity | apply corrections_for_comm].
    Qed.
    Lemma plan_level_is (k : nat) : (k <= d)%nat ->
      plan_level prg h plan party k = levels prg (firstn k cs) [own_start held] /\
      plan_level prg h plan other k = levels prg (firstn k cs) [other_start].
    Proof.
      intros hk. unfold plan_level. destruct starts_of_plan as [-> ->].
      rewrite <- plan_corrections_are, firstn_firstn, Nat.min_l by exact hk. split; reflexivity.
    Qed.

    Lemma offset_is : plan_offset h plan
      = ixor (lean_one_hot_moved_share (held_index held) (held_mask held) kf) (lean_one_hot_moved_share other_index (other_mask word) kf).
    Proof.
      unfold plan_offset. cbn [held_plan plan_index plan_mask]. unfold at_party. destruct party; [reflexivity | apply ixor_comm].
    Qed.

    Lemma level_nodes (k : nat) : (k <= d)%nat ->
      differ_at (levels prg (firstn k cs) [own_start held]) (levels prg (firstn k cs) [other_start])
        (place_of (firstn k (path_of held other_index))) (walk prg (own_start held) (firstn k cs) (path_of held other_index))
        (walk prg other_start (firstn k cs) (path_of held other_index)).
    Proof.
      intros hk. apply (levels_differ_at_walk prg (own_start held) other_start (path_of held other_index) k starts_flags).
      rewrite path_length. exact hk.
    Qed.

    (** ** The levels *)

    Notation coins := (run_coins prg cs [other_start] (other_bits other_index) rs).

    Lemma opened_are_corrections :
      opened_of prg party [own_start held] [other_start] shares (other_bits other_index) = cs.
    Proof.
      rewrite (opened_of_corrections prg party shares [own_start held] [other_start] 0 (own_start held) other_start).
      - rewrite path_is_xor. reflexivity.
      - split; [exact starts_flags|]. exists [], []. repeat split.
      - rewrite other_bits_length, level_shares_length. reflexivity.
    Qed.

    Lemma levels_received :
      received_levels (received_of plan) = simulated_run prg party (held_root held) shares cs coins.
    Proof.
      assert (hl : length (other_bits other_index) = length shares) by (rewrite other_bits_length, level_shares_length; reflexivity).
      pose proof (view_of_simulated prg party [own_start held] [other_start] shares (other_bits other_index) rs hl others_levels_drawn) as sim.
      cbv zeta in sim. rewrite opened_are_corrections in sim. unfold simulated_run. fold (own_start held). rewrite <- sim. clear sim.
      pose (no_share := {| share_bit := false; share_x := false; share_y := repr 128 0; share_z := repr 128 0 |}).
      pose (no_draw := {| unknown_x := false; unknown_y := repr 128 0; unknown_t := repr 128 0 |}).
      rewrite (view_of_levels prg party no_share no_draw) by (rewrite ?hl, ?others_levels_length, ?level_shares_length; reflexivity).
      rewrite opened_are_corrections, level_shares_length. cbn [received_of received_levels]. apply map_ext_in. intros k hk.
      apply in_seq in hk. rewrite level_view_messages.
      assert (bit_of : forall who, lean_generation_level_bit (growing_after prg h plan who k)
        = nth k (path_bits (nat_of h) (val (plan_index plan who))) false).
      { intros who. unfold lean_generation_level_bit, growing_after. rewrite growing_depth, vector_at_nth by lia.
        cbn [growing_at lean_generation_Growing_random_index lean_generation_Growing_log_size].
        rewrite nat_of_of_nat by (apply (small_nat h); lia). rewrite address_bits_path by lia. rewrite Nat.min_l by (cbn; lia). reflexivity. }
      assert (triple_of : forall who, lean_generation_level_triple (growing_after prg h plan who k)
        = nth k (lean_dealing_Dealt_triples (plan_dealt plan who)) no_triple).
      { intros who. unfold lean_generation_level_triple, growing_after. rewrite growing_depth, vector_at_nth by lia.
        rewrite nat_of_of_nat by (apply (small_nat h); lia). rewrite Nat.min_l by (cbn; lia). reflexivity. }
      assert (labels_of : forall who, lean_generation_Growing_labels (growing_after prg h plan who k) = plan_level prg h plan who k).
      { intros who. unfold growing_after, growing_at. cbn [lean_generation_Growing_labels]. rewrite Nat.min_l by (cbn; lia). reflexivity. }
      unfold lean_generation_level_opening, lean_generation_level_operands.
      rewrite !bit_of, !triple_of, !labels_of. destruct (plan_level_is k ltac:(lia)) as [-> ->].
      cbn [held_plan plan_index plan_dealt]. rewrite !at_own, !at_other. cbn [own_dealt others_dealt lean_dealing_Dealt_triples].
      assert (b_own : nth k (path_bits (nat_of h) (val (held_index held))) false = share_bit (nth k shares no_share)).
      { change (share_bit (nth k shares no_share)) with (share_bit (nth k shares no_share)).
        rewrite <- (map_nth share_bit), map_share_bit. cbn [no_share share_bit]. symmetry. apply nth_firstn_lt. lia. }
      assert (b_other : nth k (path_bits (nat_of h) (val other_index)) false = nth k (other_bits other_index) false).
      { unfold other_bits. symmetry. apply nth_firstn_lt. lia. }
      assert (t_own : nth k (map (own_triple prg) shares) no_triple = own_triple prg (nth k shares no_share)).
      { apply nth_map. rewrite level_shares_length. lia. }
      assert (t_other : nth k (map (uncurry (others_triple prg party)) (combine shares rs)) no_triple
        = others_triple prg party (nth k shares no_share) (nth k rs no_draw)).
      { rewrite (nth_map _ _ _ (no_share, no_draw)) by (rewrite combine_length, level_shares_length, others_levels_length; lia).
        rewrite nth_combine by (rewrite ?level_shares_length, ?others_levels_length; lia). reflexivity. }
      rewrite b_own, b_other, t_own, t_other. reflexivity.
    Qed.

    (** ** The layers *)

    Notation own_walk k := (walk prg (own_start held) (firstn k cs) (path_of held other_index)).
    Notation other_walk k := (walk prg other_start (firstn k cs) (path_of held other_index)).
    Notation moved := (lean_one_hot_moved_share other_index (other_mask word) kf).
    Notation offset := (ixor (lean_one_hot_moved_share (held_index held) (held_mask held) kf) moved).

    Lemma flag_correction_is :
      plan_flag_correction prg h plan
      = ixor (lean_layers_flag_block prg (other_walk (flag_level h))) (known_flags held other_index cs).
    Proof.
      pose proof (flag_sums_differ prg _ _ _ _ _ (level_nodes (flag_level h) d_flags)) as sums.
      pose proof (one_hots_open h plan held_plan_fits) as open. rewrite plan_ri_is in open. fold (place held other_index) in open.
      destruct (plan_level_is (flag_level h) d_flags) as [l_own l_other].
      unfold plan_flag_correction, plan_flag_share, known_flags.
      destruct party; cbn [other_primary] in *; rewrite l_own, l_other, <- open; apply xor_shares; [|rewrite ixor_comm]; exact sums.
    Qed.

    Lemma flags_received :
      received_flags (received_of plan)
      = ixor (plan_flag_correction prg h plan) (ixor (lean_layers_flag_sum prg (levels prg (firstn (flag_level h) cs) [own_start held]))
          (lean_one_hot_moved_block (held_one_hot held) offset)).
    Proof.
      assert (own : plan_flag_share prg h plan party = ixor (lean_layers_flag_sum prg (levels prg (firstn (flag_level h) cs) [own_start held]))
          (lean_one_hot_moved_block (held_one_hot held) offset)).
      { unfold plan_flag_share, plan_one_hot. destruct (plan_level_is (flag_level h) d_flags) as [-> _].
        rewrite offset_is. cbn [held_plan plan_dealt]. rewrite at_own. reflexivity. }
      rewrite <- own. clear own.
      assert (e : received_flags (received_of plan) = plan_flag_share prg h plan other).
      { unfold received_of, plan_flag_share, plan_one_hot, lean_generation_flag_share, growing_after, growing_at.
        cbn [received_flags lean_generation_Growing_labels lean_generation_Growing_dealt lean_generation_Growing_offset].
        rewrite Nat.min_l by exact d_flags. reflexivity. }
      rewrite e. unfold plan_flag_correction. destruct party; cbn [other_primary]; xor_and.
    Qed.

    Section Words.
      Hypothesis update : purpose = lean_layers_Purpose_Update.

      Let d_words : d = word_level h.
      Proof. rewrite update. reflexivity. Qed.

      Lemma word_share_sized (who : share_Primary) : sized eight (plan_word_share prg h plan who).
      Proof.
        destruct (fits_value h plan held_plan_fits update) as [u_0 u_1].
        assert (u : sized eight (lean_dealing_Dealt_value_one_hot (plan_dealt plan who))).
        { destruct who; [exact u_0|]. rewrite u_1. apply dealt_values_open, u_0. }
        unfold plan_word_share, plan_moved_value, lean_one_hot_moved_value. cbv zeta.
        apply sized_add; [apply word_sum_sized|]. apply sized_add; [apply sized_xor_shift, u|].
        apply sized_scale. unfold sized. rewrite map_length, folded_length. reflexivity.
      Qed.

      Lemma moved_values_of_plan :
        vector_add (plan_moved_value h plan share_Primary_P0) (plan_moved_value h plan share_Primary_P1)
        = vector_scale (held_value_share held [+] value [+] held_common held)
            (vector_unit_vector W eight (vector_mod_size (place held other_index) eight)).
      Proof.
        pose proof held_plan_fits as fits. destruct (flag_bits_bound h) as [b7 _].
        destruct (fits_value h plan fits update) as [u_0 u_1].
        pose proof (one_hots_open h plan fits) as open. pose proof (offset_leads_to_ri h plan) as hoff.
        pose proof (moved_values_open (lean_dealing_Dealt_value_one_hot (plan_dealt plan share_Primary_P0))
          (ring_Ring_plus (lean_dealing_Dealt_value_share (plan_dealt plan share_Primary_P0))
            (lean_dealing_Dealt_value_share (plan_dealt plan share_Primary_P1))) (plan_common plan)
          (ixor (plan_mask plan share_Primary_P0) (plan_mask plan share_Primary_P1)) (plan_offset h plan)
          (plan_one_hot h plan share_Primary_P0) (plan_one_hot h plan share_Primary_P1) u_0) as moved.
        rewrite hoff in moved. specialize (moved (power_7 _ _ b7 (low_ri_below h plan)) open). rewrite <- u_1 in moved.
        unfold plan_moved_value. rewrite moved, plan_ri_is. fold (place held other_index). f_equal.
        cbn [held_plan plan_dealt plan_common]. unfold at_party.
        destruct party; cbn [own_dealt others_dealt lean_dealing_Dealt_value_share]; unfold other_value; rewrite update; ring.
      Qed.

      Lemma word_correction_is :
        plan_word_correction prg h plan
        = vector_add (lean_layers_node_words W prg (other_walk (word_level h))) (known_words held other_index cs value).
      Proof.
        pose proof (word_share_sized share_Primary_P0) as s_0. pose proof (word_share_sized share_Primary_P1) as s_1.
        pose proof moved_values_of_plan as moved. unfold plan_word_correction, known_words. rewrite <- moved. clear moved.
        pose proof (level_nodes (word_level h) ltac:(lia)) as nodes.
        destruct (plan_level_is (word_level h) ltac:(lia)) as [l_own l_other].
        assert (m : forall who, sized eight (plan_moved_value h plan who)).
        { intros who. destruct (fits_value h plan held_plan_fits update) as [u_0 u_1].
          assert (u : sized eight (lean_dealing_Dealt_value_one_hot (plan_dealt plan who))).
          { destruct who; [exact u_0|]. rewrite u_1. apply dealt_values_open, u_0. }
          unfold plan_moved_value, lean_one_hot_moved_value. cbv zeta.
          apply sized_add; [apply sized_xor_shift, u|].
          apply sized_scale. unfold sized. rewrite map_length, folded_length. reflexivity. }
        pose proof (m share_Primary_P0) as m_0. pose proof (m share_Primary_P1) as m_1.
        assert (ws : forall l, sized eight (lean_layers_word_sum W prg l)) by (intros; apply word_sum_sized).
        assert (wn : forall l, sized eight (lean_layers_node_words W prg l)) by (intros; apply node_words_sized).
        (* Where the context is as large as here, `auto` tries all of it for each of them. *)
        assert (sums_sized : forall a b, sized eight a -> sized eight b -> sized eight (vector_add a b)) by apply sized_add.
        apply (sized_ext eight); [repeat simple apply sums_sized; trivial.. |]. intros k hk.
        pose proof (word_sums_differ prg _ _ _ k _ _ nodes) as sums.
        unfold plan_word_share. rewrite !(nth_add eight) by (repeat simple apply sums_sized; trivial).
        assert (shares : forall a b x y p q : W, a [+] b = x [+] y -> a [+] p [+] (b [+] q) = y [+] (x [+] (p [+] q))).
        { intros a b x y p q e. transitivity (a [+] b [+] (p [+] q)); [ring | rewrite e; ring]. }
        destruct party; cbn [other_primary] in *; rewrite l_own, l_other; apply shares; [exact sums|].
        rewrite <- sums. ring.
      Qed.

      Lemma words_received :
        received_words (received_of plan)
        = vector_add (plan_word_correction prg h plan)
            (vector_add (lean_layers_word_sum W prg (levels prg (firstn (word_level h) cs) [own_start held]))
              (lean_one_hot_moved_value (held_value_one_hot held) offset (held_common held)
                (lean_one_hot_moved_block (held_one_hot held) offset))).
      Proof.
        assert (own : plan_word_share prg h plan party
          = vector_add (lean_layers_word_sum W prg (levels prg (firstn (word_level h) cs) [own_start held]))
              (lean_one_hot_moved_value (held_value_one_hot held) offset (held_common held)
                (lean_one_hot_moved_block (held_one_hot held) offset))).
        { unfold plan_word_share, plan_moved_value, plan_one_hot. destruct (plan_level_is (word_level h) ltac:(lia)) as [-> _].
          rewrite offset_is. cbn [held_plan plan_dealt plan_common]. rewrite at_own. reflexivity. }
        rewrite <- own. clear own.
        assert (e : received_words (received_of plan) = plan_word_share prg h plan other).
        { unfold received_of, plan_word_share, plan_moved_value, plan_one_hot, lean_generation_word_share, growing_after, growing_at.
          cbn [received_words lean_generation_Growing_labels lean_generation_Growing_dealt lean_generation_Growing_offset
            lean_generation_Growing_common held_plan plan_purpose]. rewrite update.
          rewrite Nat.min_l by (rewrite <- update, d_words; reflexivity). reflexivity. }
        rewrite e. unfold plan_word_correction.
        pose proof (word_share_sized share_Primary_P0) as s_0. pose proof (word_share_sized share_Primary_P1) as s_1.
        pose proof (sized_add _ _ _ s_0 s_1) as s.
        apply (sized_ext eight); [apply word_share_sized | apply (sized_add _ _ _ s), word_share_sized |]. intros k hk.
        (* Whatever they are: what is not their size is tried in vain for long. *)
        destruct party; cbn [other_primary]; set (a := plan_word_share prg h plan share_Primary_P0) in *;
          set (b := plan_word_share prg h plan share_Primary_P1) in *; clearbody a b;
          rewrite !(nth_add eight) by (exact s_0 || exact s_1 || exact s);
          set (x := nth k a zero); set (y := nth k b zero);
          [transitivity (x [+] x [+] y) | transitivity (y [+] y [+] x)]; try ring; rewrite ring_plus_self; ring.
      Qed.
    End Words.

    (** ** All of it *)

    (* The blocks of the layers, of those of a depth. *)
    Definition flag_part (blocks : list u128) : u128 := nth 0 blocks (repr 128 0).
    Definition word_part (blocks : list u128) : list u128 := skipn (length (flag_tweaks d)) blocks.

    Notation bs := (path_blocks prg tweaks 0 other_start cs (path_of held other_index)).

    Lemma corrections_length : length cs = d.
    Proof. rewrite corrections_for_length. apply path_length. Qed.

    Theorem dpf_view_is :
      (received_of plan, key_of plan)
      = simulated_dpf held (moved, coins, cs, ixor (flag_part (nth (flag_level h) bs [])) (known_flags held other_index cs),
          vector_add (words_of_blocks (word_part (nth d bs []))) (known_words held other_index cs value)).
    Proof.
      assert (hb : forall k, (k <= d)%nat -> nth k bs [] = layer_blocks prg (tweaks k) (other_walk k)).
      { intros k hk. apply (nth_path_blocks prg tweaks cs (path_of held other_index));
          rewrite corrections_length, ?path_length; [reflexivity | exact hk]. }
      rewrite (hb _ d_flags), (hb d (le_n d)).
      assert (hf : flag_part (layer_blocks prg (tweaks (flag_level h)) (other_walk (flag_level h)))
        = lean_layers_flag_block prg (other_walk (flag_level h)))
        by (unfold flag_part, tweaks, flag_tweaks; rewrite Nat.eqb_refl; reflexivity).
      assert (hw : word_part (layer_blocks prg (tweaks d) (other_walk d)) = layer_blocks prg (word_tweaks d) (other_walk d)).
      { unfold word_part, tweaks, layer_blocks. rewrite map_app, <- (map_length (fun tweak => lean_layers_Layers_output prg (other_walk d) tweak) (flag_tweaks d)).
        rewrite skipn_app, skipn_all, Nat.sub_diag. reflexivity. }
      rewrite hf, hw, <- flag_correction_is. clear hf hw hb. unfold simulated_dpf.
      assert (received : received_of plan = {| received_moved := received_moved (received_of plan); received_levels := received_levels (received_of plan);
        received_flags := received_flags (received_of plan); received_words := received_words (received_of plan) |}) by reflexivity.
      assert (moved_is : received_moved (received_of plan) = moved).
      { unfold received_of, lean_generation_moved, growing_after, growing_at. cbn [received_moved lean_generation_Growing_random_index
          lean_generation_Growing_mask lean_generation_Growing_log_size held_plan plan_index plan_mask]. rewrite !at_other. reflexivity. }
      assert (key : key_of plan = mk_lean_layers_LayeredKey (mk_dpf_Key (own_start held) cs) (plan_flag_correction prg h plan)
        (match purpose with lean_layers_Purpose_Read => [] | lean_layers_Purpose_Update => plan_word_correction prg h plan end)).
      { unfold key_of, final_key, growing_after, growing_at. cbn [lean_generation_Growing_key].
        destruct starts_of_plan as [-> _]. change (plan_purpose plan) with purpose.
        rewrite Nat.min_r, plan_corrections_are by lia. destruct (Nat.ltb_spec (flag_level h) (S d)); [|lia].
        destruct (Nat.ltb_spec (word_level h) (S d)) as [_|n]; [destruct purpose; reflexivity|].
        destruct purpose; [reflexivity|]. unfold tree_level, word_level in n. cbn in n. lia. }
      rewrite received, key, moved_is, levels_received, flags_received. clear received key moved_is.
      assert (cases : purpose = lean_layers_Purpose_Read \/ purpose = lean_layers_Purpose_Update) by (destruct purpose; auto).
      destruct cases as [up|up].
      - assert (none : received_words (received_of plan) = []) by (unfold received_of; cbn [received_words]; rewrite up; reflexivity).
        rewrite none, up. reflexivity.
      - assert (hy : words_of_blocks (layer_blocks prg (word_tweaks d) (other_walk d)) = lean_layers_node_words W prg (other_walk (word_level h))).
        { rewrite node_words_of_blocks by exact up. replace d with (word_level h); [reflexivity | rewrite up; reflexivity]. }
        rewrite hy, <- word_correction_is, words_received by exact up. rewrite up. reflexivity.
    Qed.
  End Of_one.
End View.
