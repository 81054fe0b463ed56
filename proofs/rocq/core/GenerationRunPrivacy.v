(* Privacy of App. C, all levels together [duoram, App. C]: all that a primary receives while a DPF is generated is masked
   by the AND triples, but for the corrections, which are its key. Whatever it holds, and for all inputs of the other
   primary (bits of the target and root) that lead to the same key, what it receives is distributed the same. So the view
   tells no more than the key; that a key tells nothing about the target rests on the PRG, and is not formalized
   (GenerationPrivacy.v has the step, for uniform child sums).

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

  (** * The bijection *)

  (* Level by level, along the corrections, which are the same for both secrets. *)
  Fixpoint move_of (corrections : list dpf_Correction) (other other' : list u128) (levels : list level_share)
    (bits bits' : list bool) (rs : list level_unknown) : list level_unknown :=
    match corrections, levels, bits, bits', rs with
    | c :: corrections, m :: levels, bit :: bits, bit' :: bits', r :: rs =>
        level_move (held_at [] m) (input_at other bit) (input_at other' bit') r
          :: move_of corrections (dpf_next_level prg other c) (dpf_next_level prg other' c) levels bits bits' rs
    | _, _, _, _, _ => []
    end.

  Lemma move_of_back corrections other other' levels bits bits' rs :
    length corrections = length levels -> length bits = length levels -> length bits' = length levels ->
    length rs = length levels ->
    move_of corrections other' other levels bits' bits (move_of corrections other other' levels bits bits' rs) = rs.
  Proof.
    revert other other' levels bits bits' rs.
    induction corrections as [|c corrections IH];
      intros other other' [|m levels] [|bit bits] [|bit' bits'] [|r rs] h h1 h2 h3; try discriminate; [reflexivity|].
    cbn [move_of]. f_equal; [apply level_move_back | apply IH; cbn in *; lia].
  Qed.

  Lemma move_of_drawn corrections other other' levels bits bits' rs :
    length corrections = length levels -> length bits = length levels -> length bits' = length levels ->
    Forall2 share_drawn levels rs ->
    Forall2 share_drawn levels (move_of corrections other other' levels bits bits' rs).
  Proof.
    intros h h1 h2 d. revert corrections other other' bits bits' h h1 h2.
    induction d as [|m r levels rs d _ IH]; intros [|c corrections] other other' [|bit bits] [|bit' bits'] h h1 h2;
      try discriminate; [constructor|].
    cbn [move_of]. constructor; [apply level_move_drawn, d | apply IH; cbn in *; lia].
  Qed.

  Lemma view_of_kept corrections own other other' levels bits bits' rs :
    length bits = length levels -> length bits' = length levels -> Forall2 share_drawn levels rs ->
    opened_of own other levels bits = corrections -> opened_of own other' levels bits' = corrections ->
    view_of own other levels bits rs
    = view_of own other' levels bits' (move_of corrections other other' levels bits bits' rs).
  Proof.
    intros h1 h2 d. revert corrections own other other' bits bits' h1 h2.
    induction d as [|m r levels rs d _ IH]; intros corrections own other other' [|bit bits] [|bit' bits'] h1 h2 hc hc';
      try discriminate; [reflexivity|].
    cbn [opened_of] in hc, hc'. destruct corrections as [|c corrections]; [discriminate|].
    injection hc as hc hcs. injection hc' as hc' hcs'. rewrite hc in hcs. rewrite hc' in hcs'.
    cbn [view_of move_of]. rewrite hc, hc'. f_equal.
    - exact (level_view_kept party (held_at own m) (input_at other bit) (input_at other' bit') r
        (eq_trans hc (eq_sym hc')) d).
    - apply IH; cbn in *; try lia; assumption.
  Qed.

  Lemma opened_of_length own other levels bits : length bits = length levels ->
    length (opened_of own other levels bits) = length levels.
  Proof.
    revert own other bits. induction levels as [|m levels IH]; intros own other [|bit bits] h; try discriminate;
      [reflexivity|]. cbn [opened_of length]. rewrite IH; cbn in *; lia.
  Qed.

  (* The other's inputs that lead to these corrections: they do so whatever the triples are. *)
  Definition leads_to (root : u128) (levels : list level_share) (corrections : list dpf_Correction) (s : run_secret) :
    Prop :=
    length (secret_bits s) = length levels /\
    forall rs, Forall2 share_drawn levels rs -> run_corrections root levels s rs = corrections.

  (* Each input of the other primary leads to one key. *)
  Lemma leads_to_one (root : u128) (levels : list level_share) (s : run_secret) :
    length (secret_bits s) = length levels -> exists corrections, leads_to root levels corrections s.
  Proof.
    intros hb. exists (opened_of [distributed_gen_planted party root]
      [distributed_gen_planted (other_primary party) (secret_root s)] levels (secret_bits s)).
    split; [assumption|]. intros rs d. apply (run_view_and_corrections root levels s rs hb d).
  Qed.

  (* P0 and P1: for whatever a primary holds and every key, its view of App. C is distributed the same for all inputs of
     the other primary that lead to this key. *)
  Theorem generation_view_masked_by_triples (root : u128) (levels : list level_share) (corrections : list dpf_Correction) :
    independent_of_secrets (leads_to root levels corrections) (fun _ => Forall2 share_drawn levels)
      (run_view root levels).
  Proof.
    pose (own := [distributed_gen_planted party root]).
    pose (others s := [distributed_gen_planted (other_primary party) (secret_root s)]).
    assert (opened : forall s rs, leads_to root levels corrections s -> Forall2 share_drawn levels rs ->
      opened_of own (others s) levels (secret_bits s) = corrections
      /\ length corrections = length levels /\ length rs = length levels).
    { intros s rs [hb hc] d. destruct (run_view_and_corrections root levels s rs hb d) as [_ h].
      rewrite hc in h by assumption. split; [exact (eq_sym h)|]. split.
      - rewrite h. apply opened_of_length, hb.
      - clear -d. induction d; cbn; congruence. }
    apply (independent_by_move _ _ _ (fun s s' =>
      move_of corrections (others s) (others s') levels (secret_bits s) (secret_bits s')));
      intros s s' rs hs hs' d; destruct (opened s rs hs d) as (ho & hc & hr), hs as [hb _];
      destruct (opened s' rs hs' d) as (ho' & _ & _); destruct hs' as [hb' _].
    - apply move_of_drawn; assumption.
    - apply move_of_back; assumption.
    - pose proof (run_view_and_corrections root levels s rs hb d) as [h _].
      pose proof (run_view_and_corrections root levels s' _ hb' (move_of_drawn corrections (others s) (others s')
        levels (secret_bits s) (secret_bits s') rs hc hb hb' d)) as [h' _].
      rewrite h, h'. apply (view_of_kept corrections own (others s) (others s')); assumption.
  Qed.
End Run.
