(* P2 as a receiver of a lean session's messages (Receiver.v): what it has and sees of an item, and what every message to it is made of ([primary_2_is_lawful]).
   It has its own tape, and the streams that it has in common with P0 and with P1. Of P0's draws and P1's it has of each item the root of the key that it
   is sent: these are words of messages to it. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection.
From Duoram.core Require Import Parties VectorFacts.
From Duoram.lean Require Import Generation PreparedItems SessionPreparing PreparingView CorrectionsUniform PreparingPrivacy OperationView ItemLifeOfP2 WholeSchedule
  TapeDiscipline PreparingMessages SessionMessages ItemPlans ItemDraws ItemOnTapes SessionTapes SessionItems StepStates SessionSchedule.
From Duoram.lean Require Export Receiver ReceivedMessages.
From Duoram.Generated Require Import All.

Notation made_for_2 := (lean_layers_LayeredKey W * lean_layers_LayeredKey W * (W * W))%type.

(* P0's keys of DPF a, P1's of DPF b, with their shares of delta. *)
Definition key_from_0 (m : lean_layers_Purpose * made_for_2) : lean_preprocessing_HelperKey W :=
  mk_lean_preprocessing_HelperKey (fst m) (fst (fst (snd m))) (fst (snd (snd m))).
Definition key_from_1 (m : lean_layers_Purpose * made_for_2) : lean_preprocessing_HelperKey W :=
  mk_lean_preprocessing_HelperKey (fst m) (snd (fst (snd m))) (snd (snd (snd m))).
Definition batch_to_2 (h : u64) (operation updates : u64) (made : list (lean_layers_Purpose * made_for_2)) : list lean_session_Sent :=
  let last := wadd (wmul (lean_preprocessing_batch_depth h updates) (repr 64 2)) (repr 64 2) in
  lean_session_spoken
    [prepare_message 10 0 2 operation last (lean_payload_keys (map key_from_0 made)); prepare_message 10 1 2 operation last (lean_payload_keys (map key_from_1 made));
     prepare_message 11 0 2 operation last (lean_payload_delta_shares (map key_from_0 made));
     prepare_message 11 1 2 operation last (lean_payload_delta_shares (map key_from_1 made))].
Definition use_to_2 (h : u64) (op : lean_op) (operation : u64) (told : list (u64 * u64 * list W)) : list lean_session_Sent :=
  match op with
  | op_read =>
      [message 12 0 2 operation 0 (lean_payload_addresses_bytes h (map (fun t => fst (fst t)) told));
       message 12 1 2 operation 0 (lean_payload_addresses_bytes h (map (fun t => snd (fst t)) told))]
  | op_update =>
      [message 14 0 2 operation 0 (lean_payload_updates h (map (fun t => update_message (fst (fst t)) (snd t)) told));
       message 14 1 2 operation 0 (lean_payload_updates h (map (fun t => update_message (snd (fst t)) (skipn 1 (snd t))) told))]
  | op_write | op_swap =>
      flat_map (fun t : u64 * u64 * list W =>
        [message 12 0 2 operation 0 (lean_payload_addresses_bytes h [fst (fst t)]); message 12 1 2 operation 0 (lean_payload_addresses_bytes h [snd (fst t)]);
         message 15 0 2 operation 1 (bytes_ring_bytes (firstn 1 (snd t))); message 15 1 2 operation 1 (bytes_ring_bytes (firstn 1 (skipn 1 (snd t))))]) told
  end.

Section Received.
  Context {P : Type} {P_Prg : prg_Prg P} {P_Layers : lean_layers_Layers P} (prg : P) (h : u64) (h_small : val h < 64).
  Notation P0 := share_Primary_P0.
  Notation P1 := share_Primary_P1.

  Definition seen_of_2 (_ : lean_layers_Purpose) (i : item_drawn) : item_drawn :=
    let '((_, (root_a, _)), ((_, (_, root_b)), (_, (e, (f, v))))) := i in
    ((repr 64 0, (root_a, repr 128 0)), ((repr 64 0, (repr 128 0, root_b)), (no_common, (e, (f, v))))).
  Notation stream_draw := (u64 * u64 * u64 * u64 * u64)%type.
  Definition taken_with_2 (p : lean_layers_Purpose) (o : life_own_2) (d : ((u64 * u64) * stream_draw) * (u128 * u128)) : taken :=
    let '(draw, (root_a, root_b)) := d in
    let stream := stream_01_of (snd draw) in
    {| taken_leaves := lean_party_size h; taken_material := item_material prg h (plan_a_with prg h (op_for p) o draw root_a) (plan_b_with prg h (op_for p) o draw root_b) (S (tree_level h p)) stream;
       taken_index := (others_index h (fst (fst draw)), others_index h (snd (fst draw))); taken_x := lean_tape_online_01 W stream;
       taken_masks := mk_lean_write_Masks (lean_tape_write_mask_01 W stream) (life_2_y_02 o) (life_2_y_12 o); taken_rho := life_2_rho o |}.
  Definition inputs_of_2 (state : lean_memory_State W) (q : query) : op_secrets :=
    {| secret_state := state; secret_address := fst q; secret_written := snd q |}.
  Definition made_of_2 (x : made_item) : made_for_2 :=
    (key_of prg P0 h (fst x) (plan_for h x false), key_of prg P1 h (fst x) (plan_for h x true), (delta_for prg h x P0, delta_for prg h x P1)).

  Definition party_2 := {|
    seen_of := seen_of_2;
    own_of p := own_part_2 h (op_for p);
    hidden_of _ i _ := hidden_part_2 i;
    taken_with := taken_with_2;
    given := given_2;
    mine_of _ _ := tt;
    inputs_of := inputs_of_2;
    view_of := view_of_P2 prg h;
    made_of := made_of_2;
    told_of := received_by_2;
    load_own l := ([] : list u64, snd (fst l));
    load_hidden l := map (ring_Ring_from_u64 W) (fst (fst l));
    load_with own mask := (mask, map (ring_Ring_from_u64 W) (snd own : list u64));
    share_of := fst;
    load_view := lean_memory_loaded_alpha_0;
    number_of := repr 8 2;
    load_to operation v := lean_session_chunks operation (repr 8 2) (repr 8 0) (repr 8 2) v;
    batch_to := batch_to_2 h;
    use_to := use_to_2 h;
  |}.

  Lemma plans_of_2 op (i : item_drawn) : item_fits h (op_for (purpose_of op)) i ->
    let p := purpose_of op in
    let o := own_part_2 h (op_for p) i in
    let '(draw, (root_a, root_b)) := hidden_part_2 i in
    plan_for h (p, i) false = plan_a_with prg h op o draw root_a /\ plan_for h (p, i) true = plan_b_with prg h op o draw root_b.
  Proof.
    intros fits. assert (fits' : item_fits h op i) by (destruct op; exact fits).
    pose proof (lean_item_plans_of_P2 prg h h_small op i fits') as plans. cbv zeta in *. unfold plan_for. cbn [fst snd].
    assert (e : own_part_2 h (op_for (purpose_of op)) i = own_part_2 h op i) by (destruct op; reflexivity).
    rewrite e. exact plans.
  Qed.

  Theorem party_2_is_lawful : lawful prg h party_2.
  Proof.
    constructor.
    - intros p [[w0 [ra rb]] [[w1 [ra' rb']] [[ga [gb [dd [x y]]]] [[[a b] m] [[[a' b'] [rm yy]] [va vb]]]]]] [fa fb].
      destruct fa as [f0 f1], fb as [g0 g1]. split; constructor; first [exact f0 | exact f1 | exact g0 | exact g1].
    - intros p [[w0 [ra rb]] [[w1 [ra' rb']] [[ga [gb [dd [x y]]]] [[[[[l [u k]] [vs s]] [[l' [u' k']] [vs' s']]] m] [[[a' b'] [rm yy]] [va vb]]]]]]. reflexivity.
    - intros p i unused fits. cbn [party_2 taken_with own_of hidden_of]. unfold taken_with_2, taken_of. cbn [fst snd].
      pose proof (plans_of_2 (op_for p) i) as plans. rewrite purpose_of_op_for in plans. specialize (plans fits). cbv zeta in plans.
      destruct (hidden_part_2 i) as [[[word_0 word_1] stream] [root_a root_b]] eqn:e. destruct plans as [-> ->].
      destruct i as [[w0 [ra rb]] [[w1 [ra' rb']] [[ga [gb [dd [x y]]]] [[[[[l [u k]] [vs s]] [[l' [u' k']] [vs' s']]] m] [[[a' b'] [rm yy]] [va vb]]]]]].
      unfold hidden_part_2 in e. injection e as <- <- <- _ _. reflexivity.
    - intros op i unused state q fits. cbn [party_2 view_of given mine_of inputs_of hidden_of own_of made_of told_of]. cbv zeta.
      pose proof (plans_of_2 op i fits) as plans. cbv zeta in plans. unfold view_of_P2, life_view_2, made_of_2, delta_for, grown_for, given_2. cbn [fst snd].
      destruct (hidden_part_2 i) as [[[word_0 word_1] stream] [root_a root_b]] eqn:e. cbn [fst snd]. destruct plans as [pa pb].
      set (o := own_part_2 h (op_for (purpose_of op)) i) in *. rewrite <- pa, <- pb.
      assert (same : stream_01_of stream = words_01 i /\ word_0 = word_of_0 i /\ word_1 = word_of_1 i).
      { destruct i as [[w0 [ra rb]] [[w1 [ra' rb']] [[ga [gb [dd [x y]]]] r]]]. unfold hidden_part_2 in e. injection e as <- <- <- _ _. repeat split; reflexivity. }
      destruct same as (-> & -> & ->). apply f_equal.
      unfold run_of_taken, taken_of, inputs_of_2. apply f_equal.
      cbn [secret_state secret_address secret_written taken_material taken_index taken_x taken_masks taken_rho fst snd]. reflexivity.
    - intros n memory s_0 s_1. exact s_0.
    - intros [[l_01 l_12] unused]. reflexivity.
    - intros operation memory l. unfold messages_to, load_messages. cbn [party_2 number_of load_to load_view share_of load_hidden].
      rewrite filter_app, !filter_chunks. etransitivity; [|apply app_nil_r]. reflexivity.
    - intros operation updates items. unfold messages_to, batch_of_draws. cbn [party_2 number_of batch_to made_of]. cbv zeta.
      rewrite !filter_app, filter_flat_map, filter_spoken. unfold batch_to_2. cbv zeta.
      assert (keys : map key_from_0 (map (fun x => (fst x, made_of_2 x)) items) = map (key_for prg h P0) items /\
        map key_from_1 (map (fun x => (fst x, made_of_2 x)) items) = map (key_for prg h P1) items) by (rewrite !map_map; split; reflexivity).
      destruct keys as [-> ->].
      assert (none : forall to_0 to_1 rounds, flat_map (fun round => filter (to_party 2) (round_messages (W := W) h operation to_0 to_1 round)) rounds = []).
      { intros to_0 to_1 rounds. induction rounds as [|round rounds IH]; [reflexivity|]. cbn [flat_map]. rewrite filter_round_2, IH. reflexivity. }
      rewrite none. reflexivity.
    - intros op operation state used. unfold messages_to, put_messages. cbn [party_2 number_of use_to told_of]. unfold runs_of_used, use_to_2, use_messages.
      destruct op.
      + unfold read_messages. cbv zeta. keep_messages. rewrite !map_map. reflexivity.
      + unfold update_messages. cbv zeta. keep_messages. rewrite !map_map. reflexivity.
      + rewrite filter_flat_map, !flat_map_concat_map, !map_map. reflexivity.
      + rewrite filter_flat_map, !flat_map_concat_map, !map_map. reflexivity.
  Qed.
End Received.
