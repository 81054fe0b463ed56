(* Locality of preprocessing: the parties' functions (`paper::party_preprocessing`), put together by the delivery of their messages,
   make the batch that the session's function makes, with the same messages. The batch is made level by level over all its DPFs,
   and the session's function DPF by DPF over all levels; P2 evaluates the keys that it was sent, and the session's function
   gives it the vectors of the primaries. The premises are sizes: h < 64, and fewer than 2^32 items. *)
From Coq Require Import Lia.
From Duoram.core Require Import VectorFacts Parties.
From Duoram.paper Require Import PremiseFacts PreparedDpfFacts PreparedMaterial WholeSession SessionSteps PartiesOneDpf.
From Duoram.Generated Require Import All.

(* Of some messages those that one party sent. *)
Definition said_by (from : u8) (messages : list paper_session_Sent) : list paper_session_Sent :=
  flat_map (fun message => if ieqb (paper_session_Sent_from message) from then [message] else []) messages.

Lemma said_by_app (from : u8) (a b : list paper_session_Sent) : said_by from (a ++ b) = said_by from a ++ said_by from b.
Proof. apply flat_map_app. Qed.

(** * A batch *)

Section Batch.
  Context (session : paper_session_Session) (reads updates : u64).
  Notation h := (paper_session_Session_log_size session).
  Notation prg := (paper_session_Session_prg session).
  Context (h_below_64 : val h < 64) (few : val reads + val updates < 2 ^ 32).

  Let count := wadd reads updates.
  Let step := paper_session_preprocess session reads updates.
  Let after := paper_session_Step_session step.

  (* Item j: what the parties draw for it, and its DPFs. *)
  Definition randomness_of (role : share_Primary) (j : u64) : paper_preprocessing_PrimaryRandomness u64 :=
    paper_tape_primary_randomness (paper_tape_advance
      (own role (paper_session_Session_tape_0 session, paper_session_Session_tape_1 session))
      (paper_party_preprocessing_item_offset role j reads)).
  Definition pick {T : Type} (k : Z) (three : T * T * T) : T :=
    let '(x_1, x_2, x_3) := three in if k =? 0 then x_1 else if k =? 1 then x_2 else x_3.
  Definition seed_of (k : Z) (j : u64) : seed :=
    let bits role := dpf_address_bits (paper_preprocessing_PrimaryRandomness_random_index_xor (randomness_of role j)) h in
    let root role := pick k (paper_preprocessing_PrimaryRandomness_roots (randomness_of role j)) in
    let blind role := pick k (paper_preprocessing_PrimaryRandomness_blinds (randomness_of role j)) in
    mk_seed (bits share_Primary_P0, bits share_Primary_P1) (root share_Primary_P0, root share_Primary_P1)
      (blind share_Primary_P0, blind share_Primary_P1)
      (paper_tape_dpf_triples
        (paper_tape_advance (paper_session_Session_tape_2 session)
          (wmul (wadd (wmul j (repr 64 3)) (repr 64 k)) (paper_tape_triple_words h))) h).
  Let item_of (j : u64) : paper_preprocessing_Item u64 := fst (paper_session_prepare_item session j reads).

  Let numbers := range (repr 64 0) count.
  Let three {T : Type} (f : seed -> T) (j : u64) : list T := [f (seed_of 0 j); f (seed_of 1 j); f (seed_of 2 j)].
  Let seeds : list seed := flat_map (three (fun s => s)) numbers.

  Let over_seeds {T : Type} (f : seed -> T) : map f seeds = flat_map (three f) numbers.
  Proof. apply (map_flat_map (three (fun s => s)) f numbers). Qed.

  Let count_is : val count = val reads + val updates.
  Proof. unfold count. pose proof (val_bounds reads). pose proof (val_bounds updates). rewrite val_wadd. apply Z.mod_small. lia. Qed.
  Let numbers_length : length numbers = nat_of count.
  Proof. unfold numbers. rewrite range_length. apply Nat.sub_0_r. Qed.
  Let seeds_length : length seeds = (3 * nat_of count)%nat.
  Proof. unfold seeds. rewrite (flat_map_length_equal _ _ 3) by reflexivity. rewrite numbers_length. reflexivity. Qed.
  Let count_few : Z.of_nat (nat_of count) < 2 ^ 32.
  Proof. rewrite Z_nat_of, count_is. exact few. Qed.
  Let seeds_fit {T : Type} (f : seed -> T) : fits (map f seeds).
  Proof. unfold fits. rewrite map_length, seeds_length. lia. Qed.

  Let seeds_sized : Forall (seed_sized h) seeds.
  Proof.
    apply Forall_forall. intros s hs. unfold seeds in hs. apply in_flat_map in hs as (j & _ & hs).
    assert (all : forall k, seed_sized h (seed_of k j)).
    { intros k. unfold seed_sized, seed_ands, seed_of. cbn [seed_bits seed_triples fst snd].
      rewrite !dpf_address_bits_length. pose proof (tape_triples_dealt (paper_tape_advance (paper_session_Session_tape_2 session)
          (wmul (wadd (wmul j (repr 64 3)) (repr 64 k)) (paper_tape_triple_words h))) h) as (l_0 & l_1 & _). auto. }
    unfold three in hs. cbn [In] in hs. intuition (subst; auto).
  Qed.
  Let each_seed {T : Type} (f g : seed -> T) : (forall s, seed_sized h s -> f s = g s) -> map f seeds = map g seeds.
  Proof. intros e. apply map_ext_in. intros s hs. apply e. rewrite Forall_forall in seeds_sized. auto. Qed.

  Let dpfs_of_item (j : u64) :
    item_of j = mk_paper_preprocessing_Item (dpf_of prg (seed_of 0 j)) (dpf_of prg (seed_of 1 j)) (dpf_of prg (seed_of 2 j)).
  Proof. reflexivity. Qed.

  (** ** Triples and draws *)

  Lemma draws_are (role : share_Primary) :
    paper_party_preprocessing_batch_draws (primary_of role session) reads updates = map (draws_of role) seeds.
  Proof. rewrite over_seeds. unfold paper_party_preprocessing_batch_draws. apply flat_map_ext. intros j. destruct role; reflexivity. Qed.

  Lemma triples_are : paper_party_preprocessing_batch_triples (helper_of session) count = map seed_triples seeds.
  Proof. rewrite over_seeds. reflexivity. Qed.

  Let dealt_payload (role : share_Primary) : list u8 :=
    paper_payload_triples (flat_map (fun s => own role (seed_ands s)) seeds) (map (fun s => own role (seed_products s)) seeds).

  Let dealing_helper : paper_party_HelperParty prg_AesPrg :=
    mk_paper_party_HelperParty h prg
      (paper_tape_advance (paper_session_Session_tape_2 session) (wmul (wmul count (repr 64 3)) (paper_tape_triple_words h)))
      (paper_memory_State_p2 (paper_session_Session_state session))
      (map helper_read (paper_session_Session_reads session)) (map helper_update (paper_session_Session_updates session))
      (paper_session_Session_operation session).

  Lemma triples_said : paper_party_preprocessing_deal (helper_of session) count
    = (dealing_helper,
       [paper_party_online_say (paper_session_Session_operation session) (repr 8 4) (repr 8 2) (repr 8 0)
          (dealt_payload share_Primary_P0);
        paper_party_online_say (paper_session_Session_operation session) (repr 8 4) (repr 8 2) (repr 8 1)
          (dealt_payload share_Primary_P1)]).
  Proof.
    unfold paper_party_preprocessing_deal. rewrite triples_are. cbv zeta. rewrite !flat_map_map, !map_map. reflexivity.
  Qed.

  Let batch (role : share_Primary) (k : nat) : list paper_party_preprocessing_Growing := map (growing prg role k) seeds.

  Lemma replicated_ands (role : share_Primary) : Forall replicated (flat_map (fun s => own role (seed_ands s)) seeds).
  Proof.
    apply Forall_flat_map, Forall_forall. intros s hs. unfold seeds in hs. apply in_flat_map in hs as (j & _ & hs).
    assert (all : forall k, Forall replicated (own role (seed_ands (seed_of k j)))).
    { intros k. unfold seed_ands, seed_of. cbn [seed_triples].
      pose proof (tape_triples_dealt (paper_tape_advance (paper_session_Session_tape_2 session)
        (wmul (wadd (wmul j (repr 64 3)) (repr 64 k)) (paper_tape_triple_words h))) h) as (l_0 & l_1 & dealt).
      set (triples := paper_tape_dpf_triples _ _) in *. rewrite Forall_forall in dealt. apply Forall_forall. intros t ht.
      assert (both : exists t_0 t_1, dealt_for_a_bit (t_0, t_1) /\ t = own role (t_0, t_1)).
      { destruct role; cbn [own fst snd] in ht.
        - apply (In_nth _ _ no_triple) in ht as (i & hi & <-).
          exists (nth i (paper_preprocessing_DpfTriples_and_0 triples) no_triple),
            (nth i (paper_preprocessing_DpfTriples_and_1 triples) no_triple). split; [|reflexivity]. apply dealt.
          rewrite <- nth_combine by lia. apply nth_In. rewrite combine_length. lia.
        - apply (In_nth _ _ no_triple) in ht as (i & hi & <-).
          exists (nth i (paper_preprocessing_DpfTriples_and_0 triples) no_triple),
            (nth i (paper_preprocessing_DpfTriples_and_1 triples) no_triple). split; [|reflexivity]. apply dealt.
          rewrite <- nth_combine by lia. apply nth_In. rewrite combine_length. lia. }
      destruct both as (t_0 & t_1 & (x_0 & x_1 & y_0 & y_1 & w & e) & ->). injection e as -> ->.
      unfold replicated. destruct role; cbn; rewrite block_flag_replicate; reflexivity. }
    unfold three in hs. cbn [In] in hs. intuition (subst; auto).
  Qed.

  Lemma begun (role : share_Primary) (inbox : list paper_session_Sent) :
    paper_party_received inbox (repr 8 4) (repr 8 2) (repr 64 0) = dealt_payload role ->
    paper_party_preprocessing_begin (primary_of role session) reads updates inbox = batch role 0.
  Proof.
    intros from_helper. unfold paper_party_preprocessing_begin, paper_party_HELPER. cbv zeta. rewrite draws_are, from_helper.
    cbn [primary_of paper_party_PrimaryParty_log_size]. unfold dealt_payload.
    pose proof (Z_nat_of h) as zh. pose proof (val_bounds h).
    assert (la : length (flat_map (fun s => own role (seed_ands s)) seeds) = (nat_of h * length seeds)%nat).
    { apply flat_map_length_equal. intros s hs. rewrite Forall_forall in seeds_sized. specialize (seeds_sized s hs).
      destruct seeds_sized as (_ & _ & l_0 & l_1). destruct role; assumption. }
    assert (ld : nat_of (len (map (draws_of role) seeds)) = length seeds).
    { rewrite nat_of_len_fits, map_length by apply seeds_fit. reflexivity. }
    assert (ls : Z.of_nat (length seeds) < 2 ^ 34) by (rewrite seeds_length; lia).
    rewrite triples_round_trip; cycle 1.
    { unfold fits. rewrite la. nia. }
    { apply seeds_fit. }
    { apply replicated_ands. }
    { rewrite la, (nat_of_wmul _ _ (length seeds) (nat_of h)) by (assumption || reflexivity || nia). lia. }
    { rewrite map_length. exact ld. }
    rewrite parts_of_flat_map_all; cycle 1.
    { intros s hs. rewrite Forall_forall in seeds_sized. specialize (seeds_sized s hs).
      destruct seeds_sized as (_ & _ & l_0 & l_1). destruct role; assumption. }
    { exact ld. }
    { rewrite <- (Z_nat_of (len _)), ld. nia. }
    rewrite !combine_map, map_map. apply map_ext. intros s. destruct role; reflexivity.
  Qed.

  (** ** The levels *)

  Let level_message (k : nat) (kind : u8) (role : share_Primary) (payload : list u8) : paper_session_Sent :=
    mk_paper_session_Sent kind (paper_party_number role) (paper_party_other role) (paper_session_Session_operation session)
      (cast 32 (of_nat k)) payload.
  Let operands_at (k : nat) (role : share_Primary) : list distributed_gen_Operands :=
    map (fun s => own role (operands_of (messages_at prg k s))) seeds.
  Let openings_at (k : nat) (role : share_Primary) : list u128 :=
    map (fun s => own role (openings_of (messages_at prg k s))) seeds.
  Let level_sent (k : nat) : list paper_session_Sent :=
    [level_message k (repr 8 5) share_Primary_P0 (bytes_operands_bytes (operands_at k share_Primary_P0));
     level_message k (repr 8 5) share_Primary_P1 (bytes_operands_bytes (operands_at k share_Primary_P1));
     level_message k (repr 8 6) share_Primary_P0 (bytes_blocks_bytes (openings_at k share_Primary_P0));
     level_message k (repr 8 6) share_Primary_P1 (bytes_blocks_bytes (openings_at k share_Primary_P1))].

  Section Level.
    Context (k : nat) (in_tree : (k < nat_of h)%nat).

    Lemma operands_said (role : share_Primary) :
      paper_party_preprocessing_say_operands (primary_of role session) (batch role k) (of_nat k)
      = [level_message k (repr 8 5) role (bytes_operands_bytes (operands_at k role))].
    Proof.
      unfold paper_party_preprocessing_say_operands, batch, operands_at. cbv zeta. rewrite map_map.
      change (paper_party_PrimaryParty_prg (primary_of role session)) with prg.
      rewrite (each_seed _ _ (fun s _ => own_operands prg h s k in_tree role)). reflexivity.
    Qed.

    Lemma operands_received (role : share_Primary) (inbox : list paper_session_Sent) :
      paper_party_received inbox (repr 8 5) (paper_party_other role) (of_nat k)
        = bytes_operands_bytes (operands_at k (other_primary role)) ->
      paper_party_preprocessing_received_operands (primary_of role session) (batch role k) (of_nat k) inbox
      = operands_at k (other_primary role).
    Proof.
      intros from_other. unfold paper_party_preprocessing_received_operands.
      change (paper_party_PrimaryParty_role (primary_of role session)) with role. rewrite from_other. unfold batch, operands_at.
      apply operands_of_operands_bytes; rewrite map_length.
      - rewrite seeds_length. lia.
      - rewrite nat_of_len_fits, map_length by apply seeds_fit. reflexivity.
    Qed.

    Lemma openings_said (role : share_Primary) (inbox : list paper_session_Sent) :
      paper_party_received inbox (repr 8 5) (paper_party_other role) (of_nat k)
        = bytes_operands_bytes (operands_at k (other_primary role)) ->
      paper_party_preprocessing_say_openings (primary_of role session) (batch role k) (of_nat k) inbox
      = [level_message k (repr 8 6) role (bytes_blocks_bytes (openings_at k role))].
    Proof.
      intros from_other. unfold paper_party_preprocessing_say_openings. rewrite operands_received by assumption.
      cbv zeta. unfold batch, operands_at, openings_at. rewrite combine_map, map_map.
      change (paper_party_PrimaryParty_prg (primary_of role session)) with prg.
      rewrite (each_seed _ _ (fun s _ => own_opening prg h s k in_tree role)). reflexivity.
    Qed.

    Lemma batch_grown (role : share_Primary) (inbox : list paper_session_Sent) :
      paper_party_received inbox (repr 8 5) (paper_party_other role) (of_nat k)
        = bytes_operands_bytes (operands_at k (other_primary role)) ->
      paper_party_received inbox (repr 8 6) (paper_party_other role) (of_nat k)
        = bytes_blocks_bytes (openings_at k (other_primary role)) ->
      paper_party_preprocessing_grown_batch (primary_of role session) (batch role k) (of_nat k) inbox = batch role (S k).
    Proof.
      intros from_other openings. unfold paper_party_preprocessing_grown_batch. rewrite operands_received by assumption.
      change (paper_party_PrimaryParty_role (primary_of role session)) with role.
      change (paper_party_PrimaryParty_prg (primary_of role session)) with prg. rewrite openings. cbv zeta.
      unfold batch, operands_at, openings_at. rewrite blocks_of_blocks_bytes by apply seeds_fit.
      rewrite !combine_map, map_map. exact (each_seed _ _ (fun s sizes => own_growth prg h s sizes k in_tree role)).
    Qed.

    Lemma one_level (p2 : paper_party_HelperParty prg_AesPrg) (sent : list paper_session_Sent) :
      paper_parties_batch_level
        (mk_paper_parties_Parties (primary_of share_Primary_P0 session) (primary_of share_Primary_P1 session) p2)
        (mk_paper_parties_Batch (batch share_Primary_P0 k) (batch share_Primary_P1 k) sent) (of_nat k)
      = mk_paper_parties_Batch (batch share_Primary_P0 (S k)) (batch share_Primary_P1 (S k)) (sent ++ level_sent k).
    Proof.
      unfold paper_parties_batch_level.
      cbn [paper_parties_Parties_p0 paper_parties_Parties_p1 paper_parties_Batch_batch_0 paper_parties_Batch_batch_1
        paper_parties_Batch_sent].
      rewrite !operands_said. cbv zeta. unfold level_message.
      rewrite !openings_said by (unfold level_message; deliver; reflexivity). unfold level_message.
      rewrite !batch_grown by (unfold level_message; deliver; reflexivity).
      rewrite concat_pair. reflexivity.
    Qed.
  End Level.

  Lemma all_levels (p2 : paper_party_HelperParty prg_AesPrg) (sent : list paper_session_Sent) :
    fold_left (fun b level => paper_parties_batch_level
        (mk_paper_parties_Parties (primary_of share_Primary_P0 session) (primary_of share_Primary_P1 session) p2) b level)
      (range (repr 64 0) h) (mk_paper_parties_Batch (batch share_Primary_P0 0) (batch share_Primary_P1 0) sent)
    = mk_paper_parties_Batch (batch share_Primary_P0 (nat_of h)) (batch share_Primary_P1 (nat_of h))
        (sent ++ flat_map level_sent (seq 0 (nat_of h))).
  Proof.
    rewrite range_0, fold_left_map. assert (le : (nat_of h <= nat_of h)%nat) by lia. revert le. generalize (nat_of h) at 1 3 4 5 6.
    intros m. induction m as [|m IH]; intros le.
    - cbn [seq fold_left flat_map]. rewrite app_nil_r. reflexivity.
    - rewrite seq_S, fold_left_app, IH by lia. cbn [fold_left Nat.add]. rewrite one_level by lia.
      rewrite flat_map_app. cbn [flat_map]. rewrite app_nil_r, app_assoc. reflexivity.
  Qed.

  (** ** The conversion *)

  Notation whole := (nat_of h).
  Let pairs : list (u64 * u64) := map (fun j => paper_session_item_deltas session j reads) (range reads count).
  (* P0 sends deltas, P1 sends none. *)
  Let deltas_said (role : share_Primary) : list u64 := paper_party_preprocessing_drawn_deltas (primary_of role session) reads updates.
  Let conversions (role : share_Primary) : list (paper_conversion_Operands u64) :=
    map (fun s => own role (conversions_of prg s)) seeds.
  Let converteds (role : share_Primary) : list u64 := map (fun s => own role (converted_of prg s)) seeds.

  Lemma deltas_are : deltas_said share_Primary_P0 = flat_map (fun pair => [fst pair; snd pair]) pairs.
  Proof. unfold pairs. rewrite flat_map_map. reflexivity. Qed.

  Let pairs_length : length pairs = nat_of updates.
  Proof.
    unfold pairs. rewrite map_length, range_length. pose proof (Z_nat_of count). pose proof (Z_nat_of reads).
    pose proof (Z_nat_of updates). lia.
  Qed.

  Let deltas_fit (role : share_Primary) : fits (deltas_said role).
  Proof.
    unfold fits. destruct role; [|cbn; lia]. rewrite deltas_are, (flat_map_length_equal _ _ 2), pairs_length by reflexivity.
    pose proof (Z_nat_of updates). pose proof (val_bounds reads). lia.
  Qed.

  Lemma operands_are (role : share_Primary) :
    paper_party_preprocessing_conversion_operands role (batch role whole) = conversions role.
  Proof.
    unfold paper_party_preprocessing_conversion_operands, batch, conversions. rewrite map_map.
    exact (each_seed _ _ (fun s sizes => own_conversion prg h s sizes role)).
  Qed.

  Lemma conversion_said (role : share_Primary) :
    paper_party_preprocessing_say_conversion (primary_of role session) (batch role whole) reads updates
    = [paper_party_online_say (paper_session_Session_operation session) (repr 8 7) (paper_party_number role)
         (paper_party_other role) (paper_payload_conversions (conversions role) (deltas_said role))].
  Proof.
    unfold paper_party_preprocessing_say_conversion.
    change (paper_party_PrimaryParty_role (primary_of role session)) with role. rewrite operands_are. reflexivity.
  Qed.

  Section Converted.
    Context (role : share_Primary) (inbox : list paper_session_Sent).
    Context (operands_from_other : paper_party_received inbox (repr 8 7) (paper_party_other role) (repr 64 0)
      = paper_payload_conversions (conversions (other_primary role)) (deltas_said (other_primary role))).

    Lemma conversion_received : paper_party_preprocessing_received_conversion (primary_of role session) (batch role whole) inbox
      = (conversions (other_primary role), deltas_said (other_primary role)).
    Proof.
      unfold paper_party_preprocessing_received_conversion.
      change (paper_party_PrimaryParty_role (primary_of role session)) with role. rewrite operands_from_other.
      unfold batch, conversions. apply conversions_round_trip; [apply seeds_fit | apply deltas_fit |].
      rewrite nat_of_len_fits, !map_length by apply seeds_fit. reflexivity.
    Qed.

    Lemma openings_are :
      paper_party_preprocessing_conversion_openings (primary_of role session) (batch role whole) inbox = converteds role.
    Proof.
      unfold paper_party_preprocessing_conversion_openings. rewrite conversion_received.
      change (paper_party_PrimaryParty_role (primary_of role session)) with role. unfold batch, conversions, converteds.
      rewrite combine_map, map_map. exact (each_seed _ _ (fun s sizes => own_converted prg h s sizes role)).
    Qed.

    Lemma conversion_openings_said :
      paper_party_preprocessing_say_conversion_openings (primary_of role session) (batch role whole) inbox
      = [paper_party_online_say (paper_session_Session_operation session) (repr 8 8) (paper_party_number role)
           (paper_party_other role) (bytes_words_bytes (converteds role))].
    Proof. unfold paper_party_preprocessing_say_conversion_openings. rewrite openings_are. reflexivity. Qed.

    (* What a primary keeps of a DPF. *)
    Definition made_of (s : seed) : paper_party_preprocessing_Made :=
      let generation := paper_preprocessing_Dpf_generation (dpf_of prg s) in
      mk_paper_party_preprocessing_Made (own role (keys_of generation)) (own role (labels_of generation)) (factor_of prg s).

    Lemma dpfs_made :
      paper_party_received inbox (repr 8 8) (paper_party_other role) (repr 64 0)
        = bytes_words_bytes (converteds (other_primary role)) ->
      paper_party_preprocessing_made (primary_of role session) (batch role whole) inbox = map made_of seeds.
    Proof.
      intros openings_from_other. unfold paper_party_preprocessing_made. rewrite conversion_received, openings_are.
      change (paper_party_PrimaryParty_role (primary_of role session)) with role. rewrite openings_from_other, operands_are.
      cbv zeta. unfold converteds at 2. rewrite words_of_words_bytes by apply seeds_fit.
      unfold batch, conversions, converteds. rewrite !combine_map, map_map. apply each_seed. intros s sizes.
      rewrite own_factor with (h := h) by assumption. unfold made_of. rewrite generation_whole with (h := h) by assumption.
      reflexivity.
    Qed.

    Lemma deltas_received :
      paper_party_preprocessing_batch_deltas (primary_of role session) (batch role whole) reads updates inbox
      = deltas_said share_Primary_P0.
    Proof.
      unfold paper_party_preprocessing_batch_deltas. rewrite conversion_received. destruct role; reflexivity.
    Qed.
  End Converted.

  (** ** Keys, and what is left *)

  Definition item_made (role : share_Primary) (j : u64) :
    paper_party_preprocessing_Made * paper_party_preprocessing_Made * paper_party_preprocessing_Made :=
    (made_of role (seed_of 0 j), made_of role (seed_of 1 j), made_of role (seed_of 2 j)).

  Lemma items_are (role : share_Primary) :
    paper_party_preprocessing_by_item (map (made_of role) seeds) count = map (item_made role) numbers.
  Proof.
    unfold paper_party_preprocessing_by_item. rewrite over_seeds, parts_of_flat_map_all; cycle 1.
    { reflexivity. }
    { symmetry. exact numbers_length. }
    { rewrite count_is. change (val (repr 64 3)) with 3. lia. }
    rewrite flat_map_map. apply flat_map_one.
  Qed.

  Let items : list (paper_preprocessing_Item u64) := map item_of numbers.
  (* The DPF whose key a primary gives away. *)
  Let given (role : share_Primary) (item : paper_preprocessing_Item u64) : paper_preprocessing_Dpf u64 :=
    own role (paper_preprocessing_Item_dpf_2 item, paper_preprocessing_Item_dpf_3 item).
  Let key_of (role : share_Primary) (dpf : paper_preprocessing_Dpf u64) : paper_preprocessing_HelperKey u64 :=
    mk_paper_preprocessing_HelperKey (own role (keys_of (paper_preprocessing_Dpf_generation dpf)))
      (paper_conversion_Conversion_factor (paper_preprocessing_Dpf_conversion dpf)).
  Let keys (role : share_Primary) : list (paper_preprocessing_HelperKey u64) := map (fun j => key_of role (given role (item_of j))) numbers.

  Lemma keys_said (role : share_Primary) :
    paper_party_preprocessing_say_keys (primary_of role session) (map (item_made role) numbers)
    = [paper_party_online_say (paper_session_Session_operation session) (repr 8 9) (paper_party_number role) (repr 8 2)
         (paper_payload_keys (keys role))].
  Proof.
    unfold paper_party_preprocessing_say_keys, keys. cbv zeta. rewrite map_map. destruct role; reflexivity.
  Qed.

  Let all_sized (k : Z) (j : u64) : seed_sized h (seed_of k j).
  Proof.
    unfold seed_sized, seed_ands, seed_of. cbn [seed_bits seed_triples fst snd]. rewrite !dpf_address_bits_length.
    pose proof (tape_triples_dealt (paper_tape_advance (paper_session_Session_tape_2 session)
        (wmul (wadd (wmul j (repr 64 3)) (repr 64 k)) (paper_tape_triple_words h))) h) as (l_0 & l_1 & _). auto.
  Qed.

  Lemma keys_arrive (role : share_Primary) : paper_payload_keys_of (paper_payload_keys (keys role)) h count = keys role.
  Proof.
    unfold keys. apply keys_round_trip; try assumption.
    - rewrite map_length, numbers_length. lia.
    - rewrite map_length, numbers_length. reflexivity.
    - apply Forall_forall. intros key hk. apply in_map_iff in hk as (j & <- & _). unfold key_of, given.
      rewrite dpfs_of_item. cbn [paper_preprocessing_HelperKey_key paper_preprocessing_Item_dpf_2 paper_preprocessing_Item_dpf_3].
      destruct role; cbn [own fst snd]; rewrite (generation_whole prg h) by apply all_sized.
      + exact (proj1 (generation_heights prg h _ (all_sized 1 j) whole (le_n _))).
      + exact (proj2 (generation_heights prg h _ (all_sized 2 j) whole (le_n _))).
  Qed.

  Lemma joint_items : map (fun '(item, _) => item) (map (fun j => paper_session_prepare_item session j reads) numbers) = items.
  Proof. rewrite map_map. reflexivity. Qed.

  Let new_reads : list paper_session_PreparedRead :=
    map (fun item => mk_paper_session_PreparedRead (paper_preprocessing_unit_vectors item)
      (paper_preprocessing_random_index_shares item)) (take items reads).
  Let new_updates : list paper_session_PreparedUpdate :=
    map (fun '(item, (delta_dpf_2, delta_dpf_3)) => mk_paper_session_PreparedUpdate
      (paper_preprocessing_update_material item delta_dpf_2 delta_dpf_3) (paper_preprocessing_random_index_shares item))
      (combine (skip items reads) pairs).

  Lemma after_is : after = mk_paper_session_Session h prg
    (paper_tape_advance (paper_session_Session_tape_0 session) (paper_session_item_offset_0 count reads))
    (paper_tape_advance (paper_session_Session_tape_1 session) (wmul count paper_tape_PRIMARY_WORDS))
    (paper_tape_advance (paper_session_Session_tape_2 session) (wmul (wmul count (repr 64 3)) (paper_tape_triple_words h)))
    (paper_session_Session_state session) (paper_session_Session_reads session ++ new_reads)
    (paper_session_Session_updates session ++ new_updates) (wadd (paper_session_Session_operation session) (repr 64 1)).
  Proof.
    unfold after, step, paper_session_preprocess. cbv zeta. fold count numbers. rewrite joint_items.
    cbn [paper_session_Step_session]. rewrite !concat_pair. reflexivity.
  Qed.

  Lemma primary_prepared (role : share_Primary) :
    paper_party_preprocessing_prepared_primary (primary_of role session) (map (item_made role) numbers)
      (deltas_said share_Primary_P0) reads
    = primary_of role after.
  Proof.
    unfold paper_party_preprocessing_prepared_primary. cbv zeta. rewrite len_map.
    assert (ln : len numbers = count) by (unfold len; rewrite numbers_length; apply of_nat_nat_of). rewrite ln.
    pose proof (Z_nat_of updates) as zu. pose proof (val_bounds reads). pose proof (val_bounds updates).
    rewrite deltas_are.
    destruct (shifted_length (flat_map (fun pair => [fst pair; snd pair]) pairs) (length pairs) (repr 32 1)) as [np vp].
    { reflexivity. }
    { rewrite pairs_length. lia. }
    { rewrite (flat_map_length_equal _ _ 2) by reflexivity. change (2 ^ val (repr 32 1)) with 2. lia. }
    rewrite parts_of_flat_map_all; cycle 1.
    { reflexivity. }
    { exact np. }
    { rewrite vp, pairs_length. change (val (repr 64 2)) with 2. lia. }
    rewrite after_is. unfold primary_of, new_reads, new_updates, items. cbv zeta.
    cbn [paper_party_PrimaryParty_role paper_party_PrimaryParty_log_size paper_party_PrimaryParty_prg
      paper_party_PrimaryParty_tape paper_party_PrimaryParty_state paper_party_PrimaryParty_reads
      paper_party_PrimaryParty_updates paper_party_PrimaryParty_operation
      paper_session_Session_log_size paper_session_Session_prg paper_session_Session_tape_0 paper_session_Session_tape_1
      paper_session_Session_state paper_session_Session_reads paper_session_Session_updates paper_session_Session_operation].
    rewrite !concat_pair, !map_app, <- !map_take, <- !map_skip, !map_map, combine_map_both.
    rewrite <- (map_id pairs) at 2. rewrite combine_map_both, !map_map. f_equal.
    - destruct role; reflexivity.
    - f_equal. apply map_ext. intros j. destruct role; reflexivity.
    - f_equal. apply map_ext. intros [j [d_2 d_3]]. destruct role; reflexivity.
  Qed.

  Lemma helper_prepared (inbox : list paper_session_Sent) :
    paper_party_received inbox (repr 8 9) (repr 8 0) (repr 64 0) = paper_payload_keys (keys share_Primary_P0) ->
    paper_party_received inbox (repr 8 9) (repr 8 1) (repr 64 0) = paper_payload_keys (keys share_Primary_P1) ->
    paper_party_preprocessing_prepared_helper dealing_helper reads updates inbox = helper_of after.
  Proof.
    intros from_0 from_1. unfold paper_party_preprocessing_prepared_helper. cbv zeta. rewrite from_0, from_1.
    cbn [dealing_helper paper_party_HelperParty_log_size paper_party_HelperParty_prg paper_party_HelperParty_tape
      paper_party_HelperParty_state paper_party_HelperParty_reads paper_party_HelperParty_updates paper_party_HelperParty_operation].
    fold count. rewrite !keys_arrive. unfold keys. rewrite combine_map, map_map.
    set (new := map _ numbers).
    assert (made : new = map (fun j => helper_update (mk_paper_session_PreparedUpdate
        (paper_preprocessing_update_material (item_of j) (repr 64 0) (repr 64 0))
        (paper_preprocessing_random_index_shares (item_of j)))) numbers).
    { apply map_ext. intros j. unfold key_of, given. rewrite dpfs_of_item.
      cbn [own fst snd paper_preprocessing_Item_dpf_2 paper_preprocessing_Item_dpf_3 paper_preprocessing_HelperKey_key
        paper_preprocessing_HelperKey_factor].
      destruct (helper_vectors_are_the_primarys prg (seed_bits (seed_of 1 j)) (seed_roots (seed_of 1 j)) (seed_blinds (seed_of 1 j))
        (seed_triples (seed_of 1 j))) as (u_2 & _ & v_2 & _).
      destruct (helper_vectors_are_the_primarys prg (seed_bits (seed_of 2 j)) (seed_roots (seed_of 2 j)) (seed_blinds (seed_of 2 j))
        (seed_triples (seed_of 2 j))) as (_ & u_3 & _ & v_3).
      unfold helper_update. cbn [paper_session_PreparedUpdate_material paper_preprocessing_update_material
        paper_update_UpdateMaterial_units paper_update_UpdateMaterial_values paper_preprocessing_unit_vectors
        paper_preprocessing_value_vectors paper_read_UnitVectors_p0 paper_read_UnitVectors_p1 paper_update_ValueVectors_p0
        paper_update_ValueVectors_p1 of_dpf_2 of_dpf_3 fst snd paper_preprocessing_Item_dpf_2 paper_preprocessing_Item_dpf_3].
      fold (dpf_of prg (seed_of 1 j)) in u_2, v_2. fold (dpf_of prg (seed_of 2 j)) in u_3, v_3.
      rewrite u_2, v_2, u_3, v_3. reflexivity. }
    rewrite made, after_is. unfold helper_of, new_reads, new_updates, items. cbv zeta.
    cbn [paper_session_Session_log_size paper_session_Session_prg paper_session_Session_tape_2
      paper_session_Session_state paper_session_Session_reads paper_session_Session_updates paper_session_Session_operation].
    rewrite !concat_pair, !map_app, <- !map_take, <- !map_skip, !map_map. f_equal.
    f_equal. rewrite <- (map_id pairs), combine_map_both, map_map.
    assert (enough : (length (skip numbers reads) <= length pairs)%nat).
    { rewrite skip_length, numbers_length, pairs_length. pose proof (Z_nat_of count). pose proof (Z_nat_of reads).
      pose proof (Z_nat_of updates). lia. }
    rewrite <- (map_fst_combine h count (skip numbers reads) pairs) at 1 by assumption. rewrite map_map.
    apply map_ext. intros [j [d_2 d_3]]. reflexivity.
  Qed.

  (** ** All messages *)

  Lemma joint_levels (level : nat) : (level < whole)%nat ->
    flat_map (fun s => take (skip (distributed_gen_Generation_messages (paper_preprocessing_Dpf_generation (dpf_of prg s)))
      (of_nat level)) (repr 64 1)) seeds
    = map (messages_at prg level) seeds.
  Proof.
    intros hl. rewrite <- flat_map_one, !flat_map_concat_map. f_equal. apply each_seed. intros s sizes.
    rewrite (generation_whole prg h) by assumption. rewrite (generation_messages prg h) by (assumption || lia).
    apply (one_of_a_list (fun l => messages_at prg l s)); [assumption | apply nat_of_bound].
  Qed.

  Lemma joint_sent : paper_session_Step_sent step =
    let say kind role to payload := paper_party_online_say (paper_session_Session_operation session) kind
      (paper_party_number role) to payload in
    let helper_says kind to payload := paper_party_online_say (paper_session_Session_operation session) kind (repr 8 2) to payload in
    [helper_says (repr 8 4) (repr 8 0) (dealt_payload share_Primary_P0);
     helper_says (repr 8 4) (repr 8 1) (dealt_payload share_Primary_P1)] ++
    flat_map level_sent (seq 0 whole) ++
    [say (repr 8 7) share_Primary_P0 (repr 8 1) (paper_payload_conversions (conversions share_Primary_P0) (deltas_said share_Primary_P0));
     say (repr 8 7) share_Primary_P1 (repr 8 0) (paper_payload_conversions (conversions share_Primary_P1) (deltas_said share_Primary_P1));
     say (repr 8 8) share_Primary_P0 (repr 8 1) (bytes_words_bytes (converteds share_Primary_P0));
     say (repr 8 8) share_Primary_P1 (repr 8 0) (bytes_words_bytes (converteds share_Primary_P1))] ++
    [say (repr 8 9) share_Primary_P0 (repr 8 2) (paper_payload_keys (keys share_Primary_P0));
     say (repr 8 9) share_Primary_P1 (repr 8 2) (paper_payload_keys (keys share_Primary_P1))].
  Proof.
    unfold step, paper_session_preprocess. cbv zeta. fold count numbers. rewrite joint_items. cbn [paper_session_Step_sent].
    assert (triples : flat_map (fun '(_, triples) => triples) (map (fun j => paper_session_prepare_item session j reads) numbers)
      = map seed_triples seeds) by (rewrite flat_map_map, over_seeds; reflexivity).
    assert (deltas : flat_map (fun '(delta_dpf_2, delta_dpf_3) => [delta_dpf_2; delta_dpf_3])
      (map (fun j => paper_session_item_deltas session j reads) (range reads count)) = deltas_said share_Primary_P0)
      by (rewrite flat_map_map; reflexivity).
    rewrite triples, deltas. clear triples deltas. unfold paper_session_batch_messages. cbv zeta.
    assert (dpfs : flat_map (fun item => [paper_preprocessing_Item_dpf_1 item; paper_preprocessing_Item_dpf_2 item;
      paper_preprocessing_Item_dpf_3 item]) items = map (dpf_of prg) seeds)
      by (unfold items; rewrite flat_map_map, over_seeds; reflexivity).
    rewrite dpfs. clear dpfs. rewrite !flat_map_map, !map_map. cbn [concat]. rewrite app_nil_r.
    f_equal. f_equal; [|f_equal].
    - rewrite range_0, flat_map_map, !flat_map_concat_map. f_equal. apply map_ext_in. intros level hl. apply in_seq in hl.
      rewrite flat_map_map, joint_levels by lia.
      unfold paper_payload_level_operands, paper_payload_level_opening. cbv zeta. rewrite !map_map. reflexivity.
    - unfold paper_payload_conversion_operands, paper_payload_conversion_opening. cbv zeta. rewrite !map_map. reflexivity.
    - unfold paper_payload_helper_keys, items. cbv zeta. rewrite !map_map. reflexivity.
  Qed.

  Theorem parties_preprocess :
    paper_parties_preprocess (parties_of session) reads updates = parties_step_of step.
  Proof.
    unfold paper_parties_preprocess, parties_of. cbv zeta.
    cbn [paper_parties_Parties_p0 paper_parties_Parties_p1 paper_parties_Parties_p2]. fold count. rewrite triples_said.
    cbn [paper_parties_Parties_p0 paper_parties_Parties_p1 paper_parties_Parties_p2].
    rewrite !begun by (deliver; reflexivity).
    change (paper_party_PrimaryParty_log_size (primary_of share_Primary_P0 session)) with h. rewrite all_levels.
    cbn [paper_parties_Batch_batch_0 paper_parties_Batch_batch_1 paper_parties_Batch_sent].
    rewrite !conversion_said. cbv zeta.
    rewrite !conversion_openings_said by (deliver; reflexivity).
    rewrite !dpfs_made by (deliver; reflexivity). rewrite !deltas_received by (deliver; reflexivity).
    rewrite !items_are, !keys_said, !primary_prepared, helper_prepared by (deliver; reflexivity).
    unfold parties_step_of, parties_of. fold after. f_equal.
    rewrite joint_sent. cbv zeta. cbn [concat app]. rewrite ?app_nil_r, <- ?app_assoc. reflexivity.
  Qed.

  (** ** One party's whole step, from all that it was sent *)

  Let sent := paper_session_Step_sent step.

  Lemma levels_received (to : share_Primary) (kind from : u8) (round : u64) (m : nat) :
    paper_party_received (paper_party_inbox (flat_map level_sent (seq 0 m)) (paper_party_number to)) kind from round
    = flat_map (fun l => paper_party_received (paper_party_inbox (level_sent l) (paper_party_number to)) kind from round) (seq 0 m).
  Proof. unfold paper_party_received, paper_party_inbox. rewrite (flat_map_flat_map level_sent), flat_map_flat_map. reflexivity. Qed.

  Lemma levels_to_helper (m : nat) : paper_party_inbox (flat_map level_sent (seq 0 m)) (repr 8 2) = [].
  Proof.
    unfold paper_party_inbox. rewrite flat_map_flat_map. induction (seq 0 m) as [|l ls IH]; [reflexivity|].
    cbn [flat_map]. rewrite IH, app_nil_r. unfold level_sent, level_message. deliver. reflexivity.
  Qed.

  Lemma one_round {T : Type} (f : nat -> list T) (k m : nat) : (k < m)%nat -> Z.of_nat m < 2 ^ 32 ->
    flat_map (fun l => if ieqb (cast 32 (of_nat l)) (cast 32 (of_nat k)) then f l else []) (seq 0 m) = f k.
  Proof.
    intros hk hm. assert (e : forall l, (l < m)%nat -> ieqb (cast 32 (of_nat l)) (cast 32 (of_nat k)) = Nat.eqb l k).
    { intros l hl. unfold ieqb, of_nat. rewrite !cast_repr by lia. rewrite !val_repr_small by lia.
      destruct (Nat.eqb_spec l k) as [->|n]; [apply Z.eqb_refl | apply Z.eqb_neq; lia]. }
    rewrite !flat_map_concat_map.
    rewrite (map_ext_in _ (fun l => if Nat.eqb l k then f l else [])) by (intros l hl; apply in_seq in hl; rewrite e by lia; reflexivity).
    rewrite <- flat_map_concat_map. clear e hm. induction m as [|m IH]; [lia|]. rewrite seq_S, flat_map_app. cbn [flat_map Nat.add].
    rewrite app_nil_r. destruct (Nat.eqb_spec m k) as [->|n].
    - replace (flat_map (fun l => if Nat.eqb l k then f l else []) (seq 0 k)) with (@nil T); [reflexivity|].
      symmetry. clear. assert (none : forall l, In l (seq 0 k) -> (l < k)%nat) by (intros l hl; apply in_seq in hl; lia).
      induction (seq 0 k) as [|l ls IH]; [reflexivity|]. cbn [flat_map]. rewrite IH by (intros; apply none; right; assumption).
      specialize (none l (or_introl eq_refl)). destruct (Nat.eqb_spec l k); [lia | reflexivity].
    - rewrite IH by lia. apply app_nil_r.
  Qed.

  Lemma received_app (a b : list paper_session_Sent) (kind from : u8) (round : u64) :
    paper_party_received (a ++ b) kind from round = paper_party_received a kind from round ++ paper_party_received b kind from round.
  Proof. apply flat_map_app. Qed.

  (* No message of a level is of another kind. *)
  Lemma no_level (to : share_Primary) (kind from : u8) (round : u64) (m : nat) :
    ieqb (repr 8 5) kind = false -> ieqb (repr 8 6) kind = false ->
    paper_party_received (paper_party_inbox (flat_map level_sent (seq 0 m)) (paper_party_number to)) kind from round = [].
  Proof.
    intros n_5 n_6. rewrite levels_received. induction (seq 0 m) as [|l ls IH]; [reflexivity|]. cbn [flat_map].
    rewrite IH, app_nil_r. unfold level_sent, level_message. destruct to; deliver; rewrite ?n_5, ?n_6; reflexivity.
  Qed.

  Section Turn.
    Context (role : share_Primary).
    Let inbox := paper_party_inbox sent (paper_party_number role).

    Ltac of_the_batch :=
      unfold inbox, sent; rewrite joint_sent; cbv zeta; rewrite !inbox_app, !received_app;
      rewrite ?no_level by reflexivity; destruct role; deliver; reflexivity.

    Lemma triples_delivered : paper_party_received inbox (repr 8 4) (repr 8 2) (repr 64 0) = dealt_payload role.
    Proof. of_the_batch. Qed.
    Lemma conversion_delivered : paper_party_received inbox (repr 8 7) (paper_party_other role) (repr 64 0)
      = paper_payload_conversions (conversions (other_primary role)) (deltas_said (other_primary role)).
    Proof. of_the_batch. Qed.
    Lemma openings_delivered : paper_party_received inbox (repr 8 8) (paper_party_other role) (repr 64 0)
      = bytes_words_bytes (converteds (other_primary role)).
    Proof. of_the_batch. Qed.

    Section Level.
      Context (k : nat) (in_tree : (k < nat_of h)%nat).

      Let heights : Z.of_nat (nat_of h) < 2 ^ 32.
      Proof. rewrite Z_nat_of. lia. Qed.

      Lemma operands_delivered : paper_party_received inbox (repr 8 5) (paper_party_other role) (of_nat k)
        = bytes_operands_bytes (operands_at k (other_primary role)).
      Proof.
        unfold inbox, sent. rewrite joint_sent. cbv zeta. rewrite !inbox_app, !received_app, levels_received.
        rewrite (flat_map_ext _ (fun l => if ieqb (cast 32 (of_nat l)) (cast 32 (of_nat k))
          then bytes_operands_bytes (operands_at l (other_primary role)) else []))
          by (intros l; unfold level_sent, level_message; destruct role; deliver; reflexivity).
        rewrite (one_round (fun l => bytes_operands_bytes (operands_at l (other_primary role)))) by assumption.
        destruct role; deliver; reflexivity.
      Qed.

      Lemma level_openings_delivered : paper_party_received inbox (repr 8 6) (paper_party_other role) (of_nat k)
        = bytes_blocks_bytes (openings_at k (other_primary role)).
      Proof.
        unfold inbox, sent. rewrite joint_sent. cbv zeta. rewrite !inbox_app, !received_app, levels_received.
        rewrite (flat_map_ext _ (fun l => if ieqb (cast 32 (of_nat l)) (cast 32 (of_nat k))
          then bytes_blocks_bytes (openings_at l (other_primary role)) else []))
          by (intros l; unfold level_sent, level_message; destruct role; deliver; reflexivity).
        rewrite (one_round (fun l => bytes_blocks_bytes (openings_at l (other_primary role)))) by assumption.
        destruct role; deliver; reflexivity.
      Qed.
    End Level.

    Let own_sent (k : nat) : list paper_session_Sent :=
      [level_message k (repr 8 5) role (bytes_operands_bytes (operands_at k role));
       level_message k (repr 8 6) role (bytes_blocks_bytes (openings_at k role))].

    Lemma own_levels (m : nat) : (m <= nat_of h)%nat ->
      fold_left (fun growth level => paper_party_turn_grow_level (primary_of role session) growth level inbox)
        (map of_nat (seq 0 m)) (mk_paper_party_turn_Growth (batch role 0) [])
      = mk_paper_party_turn_Growth (batch role m) (flat_map own_sent (seq 0 m)).
    Proof.
      induction m as [|m IH]; intros hm; [reflexivity|].
      rewrite seq_S, map_app, fold_left_app, IH by lia. cbn [map fold_left Nat.add]. unfold paper_party_turn_grow_level.
      cbn [paper_party_turn_Growth_batch paper_party_turn_Growth_sent].
      rewrite operands_said by lia. rewrite openings_said by (lia || (apply operands_delivered; lia)).
      rewrite batch_grown by (lia || (apply operands_delivered; lia) || (apply level_openings_delivered; lia)).
      rewrite flat_map_app. reflexivity.
    Qed.

    Lemma levels_said_by (m : nat) :
      said_by (paper_party_number role) (flat_map level_sent (seq 0 m)) = flat_map own_sent (seq 0 m).
    Proof.
      unfold said_by. rewrite flat_map_flat_map. apply flat_map_ext. intros l. unfold level_sent, own_sent, level_message.
      destruct role; deliver; reflexivity.
    Qed.

    Theorem primary_prepares_alone : paper_party_turn_preprocess_turn (primary_of role session) reads updates inbox
      = mk_paper_party_turn_PrimaryTurn (primary_of role after) (said_by (paper_party_number role) sent) [].
    Proof.
      unfold paper_party_turn_preprocess_turn. cbv zeta. rewrite begun by exact triples_delivered.
      change (paper_party_PrimaryParty_log_size (primary_of role session)) with h. rewrite range_0, own_levels by lia.
      cbn [paper_party_turn_Growth_batch paper_party_turn_Growth_sent]. fold count.
      rewrite conversion_said, conversion_openings_said by exact conversion_delivered.
      rewrite dpfs_made by (exact conversion_delivered || exact openings_delivered). rewrite deltas_received by exact conversion_delivered.
      rewrite items_are, keys_said, primary_prepared. f_equal.
      unfold sent. rewrite joint_sent. cbv zeta. rewrite !said_by_app, levels_said_by. unfold said_by. destruct role; deliver; reflexivity.
    Qed.
  End Turn.

  Lemma levels_not_of_helper (m : nat) : said_by (repr 8 2) (flat_map level_sent (seq 0 m)) = [].
  Proof.
    unfold said_by. rewrite flat_map_flat_map. induction (seq 0 m) as [|l ls IH]; [reflexivity|].
    cbn [flat_map]. rewrite IH, app_nil_r. unfold level_sent, level_message. deliver. reflexivity.
  Qed.

  Lemma helper_sent : said_by (repr 8 2) sent
    = [paper_party_online_say (paper_session_Session_operation session) (repr 8 4) (repr 8 2) (repr 8 0) (dealt_payload share_Primary_P0);
       paper_party_online_say (paper_session_Session_operation session) (repr 8 4) (repr 8 2) (repr 8 1) (dealt_payload share_Primary_P1)].
  Proof.
    unfold sent. rewrite joint_sent. cbv zeta. rewrite !said_by_app, levels_not_of_helper.
    (* Whatever the payloads are: the kernel need not look into them. *)
    generalize (dealt_payload share_Primary_P0), (dealt_payload share_Primary_P1),
      (paper_payload_conversions (conversions share_Primary_P0) (deltas_said share_Primary_P0)),
      (paper_payload_conversions (conversions share_Primary_P1) (deltas_said share_Primary_P1)),
      (bytes_words_bytes (converteds share_Primary_P0)), (bytes_words_bytes (converteds share_Primary_P1)),
      (paper_payload_keys (keys share_Primary_P0)), (paper_payload_keys (keys share_Primary_P1)).
    intros. unfold said_by. deliver. reflexivity.
  Qed.

  Lemma keys_delivered (role : share_Primary) :
    paper_party_received (paper_party_inbox sent (repr 8 2)) (repr 8 9) (paper_party_number role) (repr 64 0)
    = paper_payload_keys (keys role).
  Proof.
    unfold sent. rewrite joint_sent. cbv zeta. rewrite !inbox_app, levels_to_helper. destruct role; deliver; reflexivity.
  Qed.

  Lemma helper_turn_after_dealing (party dealt : paper_party_HelperParty prg_AesPrg) (said inbox : list paper_session_Sent) :
    paper_party_preprocessing_deal party (wadd reads updates) = (dealt, said) ->
    paper_party_turn_helper_turn party (paper_party_turn_HelperTask_Preprocess reads updates) inbox
    = mk_paper_party_turn_HelperTurn (paper_party_preprocessing_prepared_helper dealt reads updates inbox) said.
  Proof. intros e. cbn [paper_party_turn_helper_turn]. rewrite e. reflexivity. Qed.

  Theorem helper_prepares_alone :
    paper_party_turn_helper_turn (helper_of session) (paper_party_turn_HelperTask_Preprocess reads updates)
      (paper_party_inbox sent (repr 8 2))
    = mk_paper_party_turn_HelperTurn (helper_of after) (said_by (repr 8 2) sent).
  Proof.
    rewrite (helper_turn_after_dealing _ _ _ _ triples_said), helper_sent. f_equal.
    exact (helper_prepared _ (keys_delivered share_Primary_P0) (keys_delivered share_Primary_P1)).
  Qed.
End Batch.
