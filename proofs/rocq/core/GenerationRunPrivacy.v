(* Privacy of App. C, all levels together [duoram, App. C]: all that a primary receives while a DPF is generated is what a
   simulator makes of the party's own input, the opened corrections, which are its key, and fresh draws; it is told nothing
   else. That the corrections tell nothing about the target rests on the PRG: KeyPrivacy.v, and both together
   GenerationSimulated.v.

   Idealized: the AND triples are uniform but for what P2 deals to the party itself, which it knows. The PRG is any
   function. The messages are those of `distributed_gen::distributed_generation`. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection.
From Duoram.core Require Import VectorFacts Parties LabelFacts GenerationPrivacy.
From Duoram.Generated Require Import All.

Section Run.
  Context {P : Type} {P_Prg : prg_Prg P} (prg : P) (party : share_Primary).

  (* What a primary holds for a level: its share of the target bit, and its triple, whose X is a replicated bit. *)
  Record level_share : Type := { share_bit : bool; share_x : bool; share_y : u128; share_z : u128 }.

  (* Its input to a level follows from the labels. *)
  Definition input_at (labels : list u128) (bit : bool) : level_input :=
    {| input_bit := bit; input_sums := distributed_gen_child_sums prg labels |}.
  Definition held_at (labels : list u128) (m : level_share) : level_held :=
    {| held_input := input_at labels (share_bit m); held_x := share_x m; held_y := share_y m; held_z := share_z m |}.

  (* The triples depend on no labels. *)
  Definition own_triple (m : level_share) : du_atallah_AndTriple := held_triple (held_at [] m).
  Definition others_triple (m : level_share) (r : level_unknown) : du_atallah_AndTriple :=
    snd (dealt party (held_at [] m) r).
  Definition share_drawn (m : level_share) (r : level_unknown) : Prop := level_drawn party (held_at [] m) r.

  (* The secret: the other's bits of the target and its root. *)
  Record run_secret : Type := { secret_bits : list bool; secret_root : u128 }.

  Definition run (root : u128) (levels : list level_share) (s : run_secret) (rs : list level_unknown) :
    distributed_gen_Generation :=
    let own := mk_distributed_gen_Input (map share_bit levels) root (map own_triple levels) in
    let other := mk_distributed_gen_Input (secret_bits s) (secret_root s)
      (map (uncurry others_triple) (combine levels rs)) in
    let '(input_0, input_1) := in_order party own other in
    distributed_gen_distributed_generation prg input_0 input_1.

  (* What P_b receives: of each level the operands and the share of cw. *)
  Definition received (messages : distributed_gen_LevelMessages) : distributed_gen_Operands * u128 :=
    match party with
    | share_Primary_P0 =>
        (distributed_gen_LevelMessages_operands_1 messages, distributed_gen_LevelMessages_opening_1 messages)
    | share_Primary_P1 =>
        (distributed_gen_LevelMessages_operands_0 messages, distributed_gen_LevelMessages_opening_0 messages)
    end.
  Definition run_view (root : u128) (levels : list level_share) (s : run_secret) (rs : list level_unknown) :
    list (distributed_gen_Operands * u128) :=
    map received (distributed_gen_Generation_messages (run root levels s rs)).
  Definition run_corrections (root : u128) (levels : list level_share) (s : run_secret) (rs : list level_unknown) :
    list dpf_Correction :=
    dpf_Key_corrections (distributed_gen_Generation_key_0 (run root levels s rs)).

  (** * The run, level by level *)

  Definition opened_at (own other : list u128) (m : level_share) (bit : bool) : dpf_Correction :=
    uncurry opened_correction (in_order party (input_at own (share_bit m)) (input_at other bit)).

  Fixpoint opened_of (own other : list u128) (levels : list level_share) (bits : list bool) : list dpf_Correction :=
    match levels, bits with
    | m :: levels, bit :: bits =>
        let c := opened_at own other m bit in
        c :: opened_of (dpf_next_level prg own c) (dpf_next_level prg other c) levels bits
    | _, _ => []
    end.
  Fixpoint view_of (own other : list u128) (levels : list level_share) (bits : list bool) (rs : list level_unknown) :
    list (distributed_gen_Operands * u128) :=
    match levels, bits, rs with
    | m :: levels, bit :: bits, r :: rs =>
        let c := opened_at own other m bit in
        level_view party (held_at own m) (input_at other bit) r
          :: view_of (dpf_next_level prg own c) (dpf_next_level prg other c) levels bits rs
    | _, _, _ => []
    end.

  (* Own and other's labels of P0 and P1. *)
  Definition own_labels (g : distributed_gen_Generation) : list u128 :=
    fst (in_order party (distributed_gen_Generation_labels_0 g) (distributed_gen_Generation_labels_1 g)).
  Definition other_labels (g : distributed_gen_Generation) : list u128 :=
    snd (in_order party (distributed_gen_Generation_labels_0 g) (distributed_gen_Generation_labels_1 g)).

  Definition step (done : distributed_gen_Generation)
    (x : (bool * bool) * (du_atallah_AndTriple * du_atallah_AndTriple)) : distributed_gen_Generation :=
    let '((bit_0, bit_1), (triple_0, triple_1)) := x in
    distributed_gen_grow prg done (bit_0, bit_1) (triple_0, triple_1).

  Definition step_of (m : level_share) (bit : bool) (r : level_unknown) :
    (bool * bool) * (du_atallah_AndTriple * du_atallah_AndTriple) :=
    (in_order party (share_bit m) bit, in_order party (own_triple m) (others_triple m r)).

  (* The messages of a step are those of the level. *)
  Lemma level_run_messages (own other : list u128) (m : level_share) (bit : bool) (r : level_unknown) :
    (let '(level_0, level_1) := in_order party own other in
     distributed_gen_level_messages prg level_0 level_1 (in_order party (share_bit m) bit)
       (in_order party (own_triple m) (others_triple m r)))
    = level_run party (held_at own m) (input_at other bit) r.
  Proof.
    assert (h : dealt party (held_at own m) r = dealt party (held_at [] m) r) by (destruct party; reflexivity).
    unfold level_run. rewrite h. unfold others_triple. generalize (snd (dealt party (held_at [] m) r)). clear h.
    intros t. change (held_triple (held_at own m)) with (own_triple m). destruct party; reflexivity.
  Qed.

  Lemma step_messages (done : distributed_gen_Generation) (m : level_share) (bit : bool) (r : level_unknown) :
    share_drawn m r ->
    let c := opened_at (own_labels done) (other_labels done) m bit in
    let done' := step done (step_of m bit r) in
    map received (distributed_gen_Generation_messages done')
      = map received (distributed_gen_Generation_messages done)
        ++ [level_view party (held_at (own_labels done) m) (input_at (other_labels done) bit) r]
    /\ dpf_Key_corrections (distributed_gen_Generation_key_0 done')
      = dpf_Key_corrections (distributed_gen_Generation_key_0 done) ++ [c]
    /\ own_labels done' = dpf_next_level prg (own_labels done) c
    /\ other_labels done' = dpf_next_level prg (other_labels done) c.
  Proof.
    intros d. cbv zeta.
    assert (h : distributed_gen_correction_of
      (level_run party (held_at (own_labels done) m) (input_at (other_labels done) bit) r)
      = opened_at (own_labels done) (other_labels done) m bit) 
      by exact (correction_of_level party (held_at (own_labels done) m) _ _ d).
    rewrite <- h. clear h d. unfold level_view. rewrite <- level_run_messages.
    unfold step, step_of, own_labels, other_labels.
    unfold received. destruct party; cbn [in_order fst snd]; unfold distributed_gen_grow;
      cbn [distributed_gen_Generation_messages distributed_gen_Generation_key_0 distributed_gen_Generation_labels_0
        distributed_gen_Generation_labels_1 dpf_Key_corrections]; rewrite !concat_pair, !map_app; repeat split.
  Qed.

  Lemma steps_messages (levels : list level_share) (bits : list bool) (rs : list level_unknown)
    (done : distributed_gen_Generation) :
    length bits = length levels -> Forall2 share_drawn levels rs ->
    let steps := map (fun '(m, bit, r) => step_of m bit r) (combine (combine levels bits) rs) in
    let done' := fold_left step steps done in
    map received (distributed_gen_Generation_messages done')
      = map received (distributed_gen_Generation_messages done)
        ++ view_of (own_labels done) (other_labels done) levels bits rs
    /\ dpf_Key_corrections (distributed_gen_Generation_key_0 done')
      = dpf_Key_corrections (distributed_gen_Generation_key_0 done)
        ++ opened_of (own_labels done) (other_labels done) levels bits.
  Proof.
    intros hl d. revert bits done hl. induction d as [|m r levels rs d _ IH]; intros bits done hl.
    - cbn. rewrite !app_nil_r. split; reflexivity.
    - destruct bits as [|bit bits]; [discriminate|]. injection hl as hl. cbv zeta in *. cbn [combine map fold_left].
      destruct (step_messages done m bit r d) as (h_1 & h_2 & h_3 & h_4). cbv zeta in *.
      destruct (IH bits (step done (step_of m bit r)) hl) as (h_5 & h_6).
      cbn [view_of opened_of]. rewrite h_5, h_6, h_1, h_2, h_3, h_4, <- !app_assoc. split; reflexivity.
  Qed.

  Definition root_labels (root other_root : u128) : list u128 * list u128 :=
    ([distributed_gen_planted party root], [distributed_gen_planted (other_primary party) other_root]).

  (* The steps of `distributed_generation` are those above. *)
  Lemma run_steps (levels : list level_share) (bits : list bool) (rs : list level_unknown) :
    length bits = length levels -> length rs = length levels ->
    (let '(bits_0, bits_1) := in_order party (map share_bit levels) bits in
     let '(triples_0, triples_1) :=
       in_order party (map own_triple levels) (map (uncurry others_triple) (combine levels rs)) in
     combine (combine bits_0 bits_1) (combine triples_0 triples_1))
    = map (fun '(m, bit, r) => step_of m bit r) (combine (combine levels bits) rs).
  Proof.
    revert bits rs. induction levels as [|m levels IH]; intros [|bit bits] [|r rs] hb hr; try discriminate;
      [destruct party; reflexivity|].
    injection hb as hb. injection hr as hr. specialize (IH bits rs hb hr).
    cbn [combine map]. rewrite <- IH. unfold step_of. destruct party; reflexivity.
  Qed.

  Lemma run_view_and_corrections (root : u128) (levels : list level_share) (s : run_secret) (rs : list level_unknown) :
    length (secret_bits s) = length levels -> Forall2 share_drawn levels rs ->
    let '(own, other) := root_labels root (secret_root s) in
    run_view root levels s rs = view_of own other levels (secret_bits s) rs
    /\ run_corrections root levels s rs = opened_of own other levels (secret_bits s).
  Proof.
    intros hb d. assert (hr : length rs = length levels) by (clear -d; induction d; cbn; congruence).
    pose proof (run_steps levels (secret_bits s) rs hb hr) as h.
    unfold root_labels, run_view, run_corrections, run.
    pose proof (fun done => steps_messages levels (secret_bits s) rs done hb d) as g. cbv zeta in g. rewrite <- h in g.
    pose (root_0 := distributed_gen_planted share_Primary_P0 (fst (in_order party root (secret_root s)))).
    pose (root_1 := distributed_gen_planted share_Primary_P1 (snd (in_order party root (secret_root s)))).
    specialize (g (mk_distributed_gen_Generation (mk_dpf_Key root_0 []) (mk_dpf_Key root_1 []) [root_0] [root_1] [])).
    unfold own_labels, other_labels in g. destruct party; exact g.
  Qed.

  (** * The simulator *)

  (* What a primary's view of a level is made of: its key, and two fresh draws, the operands as they are masked. The flags
     and the share of cw are those that open to the correction. *)
  Definition simulated_level (held : level_held) (c : dpf_Correction) (coin : bool * u128) :
    distributed_gen_Operands * u128 :=
    let own := distributed_gen_operands (input_bit (held_input held)) (input_sums (held_input held)) (held_triple held) in
    let operands := mk_distributed_gen_Operands (fst coin) (snd coin)
      (negb (xorb (dpf_Correction_left_flag c) (distributed_gen_Operands_left_flag own)))
      (xorb (dpf_Correction_right_flag c) (distributed_gen_Operands_right_flag own)) in
    (operands, ixor (dpf_Correction_word c)
      (distributed_gen_opening (input_bit (held_input held)) (input_sums (held_input held)) (held_triple held) operands)).

  Fixpoint simulated_levels (own : list u128) (levels : list level_share) (corrections : list dpf_Correction)
    (coins : list (bool * u128)) : list (distributed_gen_Operands * u128) :=
    match levels, corrections, coins with
    | m :: levels, c :: corrections, coin :: coins =>
        simulated_level (held_at own m) c coin :: simulated_levels (dpf_next_level prg own c) levels corrections coins
    | _, _, _ => []
    end.
  Definition simulated_run (root : u128) (levels : list level_share) (corrections : list dpf_Correction)
    (coins : list (bool * u128)) : list (distributed_gen_Operands * u128) :=
    simulated_levels [distributed_gen_planted party root] levels corrections coins.

  (** * What masks what *)

  (* The operands as they are masked, and the draws that mask them so. *)
  Definition level_coin (other : level_input) (r : level_unknown) : bool * u128 :=
    (xorb (input_bit other) (unknown_x r), ixor (distributed_gen_second_operand (input_sums other)) (unknown_y r)).
  Definition level_draw (m : level_share) (other : level_input) (coin : bool * u128) : level_unknown :=
    let y := ixor (distributed_gen_second_operand (input_sums other)) (snd coin) in
    {| unknown_x := xorb (input_bit other) (fst coin); unknown_y := y;
       unknown_t := ixor (iand (block_replicate (share_x m)) y) (share_z m) |}.

  Lemma level_draw_drawn (m : level_share) (other : level_input) (coin : bool * u128) :
    share_drawn m (level_draw m other coin).
  Proof. unfold share_drawn, level_drawn. destruct party; cbn; unfold held_triple; cbn; rewrite ixor_cancel_l; reflexivity. Qed.
  Lemma level_coin_of_draw (m : level_share) (other : level_input) (coin : bool * u128) :
    level_coin other (level_draw m other coin) = coin.
  Proof.
    destruct coin as [b w]. unfold level_coin, level_draw. cbn [unknown_x unknown_y fst snd]. rewrite ixor_cancel_l.
    destruct (input_bit other), b; reflexivity.
  Qed.
  Lemma level_draw_of_coin (m : level_share) (other : level_input) (r : level_unknown) :
    share_drawn m r -> level_draw m other (level_coin other r) = r.
  Proof.
    destruct r as [x y t]. unfold share_drawn, level_drawn, level_draw, level_coin. cbn [unknown_x unknown_y fst snd].
    rewrite ixor_cancel_l. intros h.
    assert (hz : share_z m = ixor (iand (block_replicate (share_x m)) y) t).
    { apply (f_equal du_atallah_AndTriple_z) in h. destruct party; exact (eq_sym h). }
    rewrite hz, ixor_cancel_l. destruct (input_bit other), x; reflexivity.
  Qed.

  Lemma level_view_simulated (own : list u128) (m : level_share) (other : level_input) (r : level_unknown) :
    share_drawn m r ->
    level_view party (held_at own m) other r
    = simulated_level (held_at own m) (uncurry opened_correction (in_order party (input_at own (share_bit m)) other))
        (level_coin other r).
  Proof.
    intros d. set (c := uncurry opened_correction _).
    assert (operands : fst (level_view party (held_at own m) other r)
      = fst (simulated_level (held_at own m) c (level_coin other r))).
    { rewrite level_operands_seen. unfold simulated_level, level_coin, c. cbn [fst snd].
      rewrite opened_in_order. unfold opened_correction, distributed_gen_operands.
      cbn [du_atallah_and_message distributed_gen_Operands_left_flag distributed_gen_Operands_right_flag
        dpf_Correction_left_flag dpf_Correction_right_flag held_input held_at input_at input_bit input_sums].
      rewrite !flag_ixor.
      f_equal; destruct (share_bit m), (input_bit other);
        repeat match goal with |- context [block_flag ?x] => destruct (block_flag x) end; reflexivity. }
    rewrite (surjective_pairing (level_view _ _ _ _)), level_opening_seen by exact d. rewrite operands. reflexivity.
  Qed.

  Fixpoint run_coins (corrections : list dpf_Correction) (other : list u128) (bits : list bool) (rs : list level_unknown) :
    list (bool * u128) :=
    match corrections, bits, rs with
    | c :: corrections, bit :: bits, r :: rs =>
        level_coin (input_at other bit) r :: run_coins corrections (dpf_next_level prg other c) bits rs
    | _, _, _ => []
    end.
  Fixpoint run_draws (corrections : list dpf_Correction) (other : list u128) (levels : list level_share) (bits : list bool)
    (coins : list (bool * u128)) : list level_unknown :=
    match corrections, levels, bits, coins with
    | c :: corrections, m :: levels, bit :: bits, coin :: coins =>
        level_draw m (input_at other bit) coin
          :: run_draws corrections (dpf_next_level prg other c) levels bits coins
    | _, _, _, _ => []
    end.

  Lemma opened_of_length own other levels bits : length bits = length levels ->
    length (opened_of own other levels bits) = length levels.
  Proof.
    revert own other bits. induction levels as [|m levels IH]; intros own other [|bit bits] h; try discriminate;
      [reflexivity|]. cbn [opened_of length]. rewrite IH; cbn in *; lia.
  Qed.

  Section Masks.
    Context (levels : list level_share) (bits : list bool) (corrections : list dpf_Correction).
    Hypothesis bits_length : length bits = length levels.
    Hypothesis corrections_length : length corrections = length levels.

    Lemma run_coins_length (other : list u128) (rs : list level_unknown) : Forall2 share_drawn levels rs ->
      length (run_coins corrections other bits rs) = length levels.
    Proof.
      intros d. revert bits corrections other bits_length corrections_length.
      induction d as [|m r levels' rs _ _ IH]; intros [|bit bits'] [|c cs] other h h'; try discriminate; [reflexivity|].
      cbn [run_coins length]. rewrite IH; cbn in *; lia.
    Qed.
    Lemma run_draws_drawn (other : list u128) (coins : list (bool * u128)) : length coins = length levels ->
      Forall2 share_drawn levels (run_draws corrections other levels bits coins).
    Proof.
      revert bits corrections other coins bits_length corrections_length.
      induction levels as [|m levels' IH]; intros [|bit bits'] [|c cs] other [|coin coins] h h' h''; try discriminate;
        constructor; [apply level_draw_drawn | apply IH; cbn in *; lia].
    Qed.
    Lemma run_draws_of_coins (other : list u128) (rs : list level_unknown) : Forall2 share_drawn levels rs ->
      run_draws corrections other levels bits (run_coins corrections other bits rs) = rs.
    Proof.
      intros d. revert bits corrections other bits_length corrections_length.
      induction d as [|m r levels' rs dr _ IH]; intros [|bit bits'] [|c cs] other h h'; try discriminate; [reflexivity|].
      cbn [run_draws run_coins]. rewrite level_draw_of_coin, IH by (assumption || (cbn in *; lia)). reflexivity.
    Qed.
    Lemma run_coins_of_draws (other : list u128) (coins : list (bool * u128)) : length coins = length levels ->
      run_coins corrections other bits (run_draws corrections other levels bits coins) = coins.
    Proof.
      revert bits corrections other coins bits_length corrections_length.
      induction levels as [|m levels' IH]; intros [|bit bits'] [|c cs] other [|coin coins] h h' h''; try discriminate;
        [reflexivity|].
      cbn [run_draws run_coins]. rewrite level_coin_of_draw, IH by (cbn in *; lia). reflexivity.
    Qed.
  End Masks.

  Lemma view_of_simulated (own other : list u128) (levels : list level_share) (bits : list bool) (rs : list level_unknown) :
    length bits = length levels -> Forall2 share_drawn levels rs ->
    let corrections := opened_of own other levels bits in
    view_of own other levels bits rs = simulated_levels own levels corrections (run_coins corrections other bits rs).
  Proof.
    intros h d. cbv zeta. revert own other bits h.
    induction d as [|m r levels rs dr _ IH]; intros own other [|bit bits] h; try discriminate; [reflexivity|].
    cbn [view_of opened_of simulated_levels run_coins]. rewrite level_view_simulated by assumption.
    rewrite IH by (cbn in h; lia). reflexivity.
  Qed.

  (* The corrections that a run opens, whatever the triples are. *)
  Definition opened_corrections (root : u128) (levels : list level_share) (s : run_secret) : list dpf_Correction :=
    let '(own, other) := root_labels root (secret_root s) in opened_of own other levels (secret_bits s).

  (* P0 and P1: what a primary receives in App. C is distributed as what the simulator makes of its own input, the opened
     corrections, and a fresh bit and a fresh block a level. It takes neither the other's root nor its bits of the target. *)
  Theorem generation_view_simulated (root : u128) (levels : list level_share) (s : run_secret) :
    length (secret_bits s) = length levels ->
    same_distribution (Forall2 share_drawn levels) (fun coins => length coins = length levels)
      (run_view root levels s) (simulated_run root levels (opened_corrections root levels s)).
  Proof.
    intros hb. set (corrections := opened_corrections root levels s).
    set (other := [distributed_gen_planted (other_primary party) (secret_root s)]).
    assert (hc : length corrections = length levels) by apply opened_of_length, hb.
    unshelve eexists.
    - refine {| forth := run_coins corrections other (secret_bits s);
                back := run_draws corrections other levels (secret_bits s) |}; intros x hx.
      + apply run_coins_length; assumption.
      + apply run_draws_drawn; assumption.
      + apply run_draws_of_coins; assumption.
      + apply run_coins_of_draws; assumption.
    - intros rs d. destruct (run_view_and_corrections root levels s rs hb d) as [h _]. rewrite h. cbn [forth].
      apply view_of_simulated; assumption.
  Defined.
End Run.
