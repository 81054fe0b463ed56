(* The whole: any sequence of READ, UPDATE and WRITE by the three parties, each with material from real preprocessing,
   answers as the ideal RAM does, and the blinds fit at all times [duoram, sections 3.1, 4.1, 4.2; Lemmas 1, 2, 3, 5;
   App. C, D]. For any words, any PRG, and whatever the parties draw at random. SessionAnswersIdeal.v says the same of the
   Rust functions that run a session. *)
From Coq Require Import Lia.
From Duoram.paper Require Import PremiseFacts ReadReconstructs UpdateRefreshes PreparedMaterial.
From Duoram.Generated Require Import All.

Section Steps.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Laws : RingLaws W}.
  Add Ring W_ring : (ring_theory_W W).

  (* What holds between operations: all vectors have n words, and the blinds fit (Lemma 3). *)
  Definition state_ready (n : u64) (state : paper_memory_State W) : Prop :=
    state_sized n state /\ paper_lemmas_lemma_3 state = true.

  Definition opened_pair (shares : W * W) : W := ring_Ring_plus (fst shares) (snd shares).

  (* READ with material that is ready: the outputs open to what the ideal RAM answers. *)
  Theorem read_answers_ideal (n : u64) state units index_shares (address_shares : u64 * u64) (mask : W) :
    power_of_two n -> state_ready n state -> read_ready n units index_shares ->
    let outcome := paper_read_read state units index_shares address_shares mask in
    ideal_step (paper_memory_opened state)
      (ideal_Operation_Read (vector_mod_size (wadd (fst address_shares) (snd address_shares)) n))
    = (paper_memory_opened state, Some (opened_pair (paper_read_Read_read_0 outcome, paper_read_Read_read_1 outcome))).
  Proof.
    intros hn [hs h3] [hu points]. destruct index_shares as [ri_0 ri_1], address_shares as [i_0 i_1]. cbn [fst snd] in *.
    cbv zeta. unfold opened_pair. cbn [fst snd ideal_step].
    rewrite (read_reconstructs n ri_0 ri_1 i_0 i_1 state units mask) by assumption. reflexivity.
  Qed.

  (* UPDATE with material that is ready: the memory is what the ideal RAM has, and the state is ready for more. *)
  Theorem update_answers_ideal (n : u64) state material index_shares (address_shares : u64 * u64) (value_shares : W * W) :
    power_of_two n -> state_ready n state -> update_ready n material index_shares ->
    let after := paper_update_Update_state (paper_update_update state material index_shares address_shares value_shares) in
    ideal_step (paper_memory_opened state)
      (ideal_Operation_Update (vector_mod_size (wadd (fst address_shares) (snd address_shares)) n)
        (opened_pair value_shares))
    = (paper_memory_opened after, None) /\ state_ready n after.
  Proof.
    intros hn [hs h3] (hm & points & fits). destruct index_shares as [ri_0 ri_1], address_shares as [i_0 i_1],
      value_shares as [m_0 m_1].
    cbn [fst snd] in *. cbv zeta. split.
    - symmetry. apply (update_adds n); assumption.
    - split; [apply update_sized | apply (lemma_3_kept n)]; assumption.
  Qed.

  (* WRITE with material that is ready. *)
  Theorem write_answers_ideal (n : u64) state units index_shares material update_index_shares
    (address_shares : u64 * u64) (value_shares : W * W) (mask : W) :
    power_of_two n -> state_ready n state -> read_ready n units index_shares ->
    update_ready n material update_index_shares ->
    let after := paper_update_Update_state (snd (paper_update_write state
      (mk_paper_update_WriteMaterial units index_shares material update_index_shares) address_shares value_shares mask)) in
    ideal_step (paper_memory_opened state)
      (ideal_Operation_Write (vector_mod_size (wadd (fst address_shares) (snd address_shares)) n)
        (opened_pair value_shares))
    = (paper_memory_opened after, None) /\ state_ready n after.
  Proof.
    intros hn [hs h3] [hu points] (hm & points' & fits).
    destruct index_shares as [ri_0 ri_1], update_index_shares as [ri'_0 ri'_1], address_shares as [i_0 i_1],
      value_shares as [m_0 m_1].
    cbn [fst snd] in *.
    pose proof (write_puts n ri_0 ri_1 ri'_0 ri'_1 i_0 i_1 m_0 m_1 mask state units material hn hs hu hm h3
      points points' fits) as w.
    cbv zeta in *. destruct (paper_update_write _ _ _ _ _) as [first second]. destruct w as (w & hs' & h3' & _).
    split; [symmetry; exact w | split; assumption].
  Qed.

  (* The memory that the primaries share and blind, with any blinds, is ready, and so is the empty one. *)
  Theorem shared_ready (n : u64) (memory_share_0 memory_share_1 blind_0 blind_1 : list W) :
    sized n memory_share_0 -> sized n memory_share_1 -> sized n blind_0 -> sized n blind_1 ->
    state_ready n (paper_memory_shared memory_share_0 memory_share_1 blind_0 blind_1) /\
    paper_memory_opened (paper_memory_shared memory_share_0 memory_share_1 blind_0 blind_1) =
      vector_add memory_share_0 memory_share_1.
  Proof.
    intros h_0 h_1 b_0 b_1.
    assert (hs : state_sized n (paper_memory_shared memory_share_0 memory_share_1 blind_0 blind_1))
      by (repeat split; cbn; auto with sizes).
    split; [split; [exact hs|] | reflexivity]. apply (lemma_3_equations n); [exact hs|]. cbn. auto.
  Qed.

  Theorem initial_ready (n : u64) :
    state_ready n (paper_memory_initial W n) /\ paper_memory_opened (paper_memory_initial W n) = vector_zeros W n.
  Proof.
    assert (z : vector_add (vector_zeros W n) (vector_zeros W n) = vector_zeros W n).
    { by_elements n. ring. }
    assert (hs : state_sized n (paper_memory_initial W n)) by (repeat split; cbn; auto with sizes).
    split; [split; [exact hs|] | exact z]. apply (lemma_3_equations n); [exact hs|]. cbn. rewrite z. auto.
  Qed.
End Steps.

Section Run.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Laws : RingLaws W}.
  Context {P : Type} {P_Prg : prg_Prg P} (prg : P).
  (* The size n = 2^h; the words hold an index. *)
  Context (h n : u64) (h_below_64 : val h < 64) (size : val n = 2 ^ val h) (fits_word : val n <= 2 ^ Zpos (ring_bits W)).

  Let n_power : power_of_two n.
  Proof. exists (val h). pose proof (val_bounds h). auto with zarith. Qed.

  (* What the three parties draw to preprocess one item: both primaries' randomness, and P2's triples. *)
  Record draws : Type := mk_draws {
    draws_p0 : paper_preprocessing_PrimaryRandomness W;
    draws_p1 : paper_preprocessing_PrimaryRandomness W;
    draws_p2 : paper_preprocessing_DpfTriples W * paper_preprocessing_DpfTriples W * paper_preprocessing_DpfTriples W;
  }.
  Definition draws_dealt (d : draws) : Prop :=
    let '(triples_1, triples_2, triples_3) := draws_p2 d in dealt h triples_1 /\ dealt h triples_2 /\ dealt h triples_3.

  Definition prepared (d : draws) : paper_preprocessing_Item W :=
    paper_preprocessing_prepare prg h (draws_p0 d) (draws_p1 d) (draws_p2 d).

  (* A request to the three parties: shares of the address and of the value, P2's mask, and what was drawn for it. *)
  Inductive request : Type :=
    | request_read (address : u64 * u64) (mask : W) (item : draws)
    | request_update (address : u64 * u64) (value : W * W) (item : draws) (deltas : W * W)
    | request_write (address : u64 * u64) (value : W * W) (mask : W) (read_item update_item : draws) (deltas : W * W).

  Definition request_dealt (r : request) : Prop :=
    match r with
    | request_read _ _ item => draws_dealt item
    | request_update _ _ item _ => draws_dealt item
    | request_write _ _ _ read_item update_item _ => draws_dealt read_item /\ draws_dealt update_item
    end.

  (* What the request asks of the ideal RAM. *)
  Definition asked (r : request) : ideal_Operation W :=
    let target (address : u64 * u64) := vector_mod_size (wadd (fst address) (snd address)) n in
    match r with
    | request_read address _ _ => ideal_Operation_Read (target address)
    | request_update address value _ _ => ideal_Operation_Update (target address) (opened_pair value)
    | request_write address value _ _ _ _ => ideal_Operation_Write (target address) (opened_pair value)
    end.

  (* What the three parties do: preprocessing, then Protocol 1, Protocol 2 or both; the new states, and the outputs of a
     READ. *)
  Definition three_party_step (state : paper_memory_State W) (r : request) : paper_memory_State W * option (W * W) :=
    match r with
    | request_read address mask item =>
        let outcome := paper_read_read state (paper_preprocessing_unit_vectors (prepared item))
          (paper_preprocessing_random_index_shares (prepared item)) address mask in
        (state, Some (paper_read_Read_read_0 outcome, paper_read_Read_read_1 outcome))
    | request_update address value item (delta_2, delta_3) =>
        let outcome := paper_update_update state (paper_preprocessing_update_material (prepared item) delta_2 delta_3)
          (paper_preprocessing_random_index_shares (prepared item)) address value in
        (paper_update_Update_state outcome, None)
    | request_write address value mask read_item update_item (delta_2, delta_3) =>
        let material := mk_paper_update_WriteMaterial (paper_preprocessing_unit_vectors (prepared read_item))
          (paper_preprocessing_random_index_shares (prepared read_item))
          (paper_preprocessing_update_material (prepared update_item) delta_2 delta_3)
          (paper_preprocessing_random_index_shares (prepared update_item)) in
        (paper_update_Update_state (snd (paper_update_write state material address value mask)), None)
    end.

  (* A run: the state at the end and all answers, for the three parties and for the ideal RAM. *)
  Fixpoint run {S R O : Type} (step : S -> R -> S * O) (state : S) (requests : list R) : S * list O :=
    match requests with
    | [] => (state, [])
    | r :: requests =>
        let '(state, answer) := step state r in
        let '(state, answers) := run step state requests in
        (state, answer :: answers)
    end.

  Lemma prepared_ready (d : draws) : draws_dealt d ->
    read_ready n (paper_preprocessing_unit_vectors (prepared d)) (paper_preprocessing_random_index_shares (prepared d)) /\
    forall delta_2 delta_3,
      update_ready n (paper_preprocessing_update_material (prepared d) delta_2 delta_3)
        (paper_preprocessing_random_index_shares (prepared d)).
  Proof.
    destruct d as [p0 p1 [[triples_1 triples_2] triples_3]]. intros (d_1 & d_2 & d_3). split.
    - apply (prepared_read_ready prg h n); assumption.
    - intros delta_2 delta_3. apply (prepared_update_ready prg h n); assumption.
  Qed.

  (* One step. *)
  Theorem step_answers_ideal (state : paper_memory_State W) (r : request) :
    state_ready n state -> request_dealt r ->
    let '(state', answer) := three_party_step state r in
    ideal_step (paper_memory_opened state) (asked r) = (paper_memory_opened state', option_map opened_pair answer) /\
    state_ready n state'.
  Proof.
    intros hs hd. destruct r as [address mask item | address value item [delta_2 delta_3]
      | address value mask read_item update_item [delta_2 delta_3]];
      cbn [three_party_step request_dealt asked option_map] in *.
    - destruct (prepared_ready item hd) as [ready _]. split; [|assumption]. apply read_answers_ideal; assumption.
    - destruct (prepared_ready item hd) as [_ ready]. apply update_answers_ideal; auto.
    - destruct hd as [hr hu]. destruct (prepared_ready read_item hr) as [ready _].
      destruct (prepared_ready update_item hu) as [_ ready']. apply write_answers_ideal; auto.
  Qed.

  (* Any sequence, from any memory whose blinds fit: what the READs open to and what the memory opens to at the end are
     what the ideal RAM has, and the blinds fit at the end. Every beginning of a run is a run, so this holds
     throughout. *)
  Theorem three_parties_answer_as_ideal (requests : list request) (state : paper_memory_State W) :
    state_ready n state -> Forall request_dealt requests ->
    let '(state', answers) := run three_party_step state requests in
    run ideal_step (paper_memory_opened state) (map asked requests)
      = (paper_memory_opened state', map (option_map opened_pair) answers) /\
    state_ready n state'.
  Proof.
    intros hs hd. revert state hs. induction hd as [|r requests hr _ IH]; intros state hs; [cbn; auto|].
    cbn [run map]. pose proof (step_answers_ideal state r hs hr) as step.
    destruct (three_party_step state r) as [state' answer]. destruct step as [step ready]. rewrite step.
    specialize (IH state' ready). destruct (run three_party_step state' requests) as [state'' answers].
    destruct IH as [-> ready']. split; [reflexivity | assumption].
  Qed.
End Run.

(* With the words of the implementation, whose 64 bits hold every index below n = 2^h, h < 64. *)
Corollary three_parties_answer_as_ideal_u64 {P : Type} {P_Prg : prg_Prg P} (prg : P) (h n : u64)
  (requests : list request) (state : paper_memory_State u64) :
  val h < 64 -> val n = 2 ^ val h -> state_ready n state -> Forall (request_dealt h) requests ->
  let '(state', answers) := run (three_party_step prg h) state requests in
  run ideal_step (paper_memory_opened state) (map (asked n) requests)
    = (paper_memory_opened state', map (option_map opened_pair) answers) /\
  state_ready n state'.
Proof.
  intros hh hn. apply three_parties_answer_as_ideal; try assumption.
  pose proof (val_bounds n). cbn [ring_bits ring_laws_u64]. lia.
Qed.
