(* P0 as a receiver of a lean session's messages (Receiver.v): what it has and sees of an item, and what every message to it is made of ([primary_0_is_lawful]).
   It has its own tape, and the streams that it has in common with P1 and with P2. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection.
From Duoram.core Require Import Parties VectorFacts.
From Duoram.lean Require Import Generation PreparedItems SessionPreparing PreparingView CorrectionsUniform PreparingPrivacy OperationView ItemLife WholeSchedule TapeDiscipline
  PreparingMessages SessionMessages ItemPlans ItemDraws ItemOnTapes SessionTapes SessionItems StepStates SessionSchedule.
From Duoram.lean Require Export Receiver ReceivedMessages.
From Duoram.Generated Require Import All.

Notation dpf_seen := (dpf_received (W := W) * lean_layers_LayeredKey W)%type.
Notation made_for_0 := (dpf_seen * dpf_seen * W)%type.

(* P1's deltas; what P1 sends of the DPFs, in rounds. *)
Definition received_in_0 (made : list (lean_layers_Purpose * made_for_0)) : list (dpf_received (W := W)) :=
  flat_map (fun m => [fst (fst (fst (snd m))); fst (snd (fst (snd m)))]) made.
Definition delta_to_0 (m : lean_layers_Purpose * made_for_0) : lean_preprocessing_HelperKey W :=
  mk_lean_preprocessing_HelperKey (fst m) (snd (fst (fst (snd m)))) (snd (snd m)).
Definition batch_to_0 (h : u64) (operation updates : u64) (made : list (lean_layers_Purpose * made_for_0)) : list lean_session_Sent :=
  let levels := lean_preprocessing_batch_depth h updates in
  let last := wadd (wmul levels (repr 64 2)) (repr 64 2) in
  [prepare_message 5 1 0 operation (repr 64 0) (lean_payload_moved_shares (map received_moved (received_in_0 made)))]
  ++ flat_map (round_to 1 0 h operation (received_in_0 made)) (seq 0 (S (nat_of levels)))
  ++ lean_session_spoken [prepare_message 11 1 0 operation last (lean_payload_delta_shares (map delta_to_0 made))].
Definition use_to_0 (h : u64) (op : lean_op) (operation : u64) (told : list (u64 * list W)) : list lean_session_Sent :=
  match op with
  | op_read =>
      [message 12 1 0 operation 0 (lean_payload_addresses_bytes h (map fst told)); message 13 2 0 operation 1 (bytes_ring_bytes (flat_map snd told))]
  | op_update => [message 14 1 0 operation 0 (lean_payload_updates h (map (fun t => update_message (fst t) (snd t)) told))]
  | op_write | op_swap =>
      flat_map (fun t : u64 * list W =>
        [message 12 1 0 operation 0 (lean_payload_addresses_bytes h [fst t]); message 15 1 0 operation 1 (bytes_ring_bytes (firstn 1 (snd t)));
         message 15 2 0 operation 1 (bytes_ring_bytes (firstn 1 (skipn 1 (snd t))))]
        ++ map (fun g => message 13 2 0 operation 1 (bytes_ring_bytes [g])) (skipn 2 (snd t))) told
  end.

Section Received.
  Context {P : Type} {P_Prg : prg_Prg P} {P_Layers : lean_layers_Layers P} (prg : P) (h : u64) (h_small : val h < 64).
  Notation P0 := share_Primary_P0.
  Notation P1 := share_Primary_P1.

  Definition seen_of_0 (p : lean_layers_Purpose) (i : item_drawn) : item_drawn :=
    let '(_, (q_1, (_, (_, (f, v))))) := no_item h p in let '(p_0, (_, (c, (e, _)))) := i in (p_0, (q_1, (c, (e, (f, v))))).
  Definition taken_with_0 (p : lean_layers_Purpose) (o : life_own) (d : (u64 * W * W) * (dpf_draw W * dpf_draw W)) : taken :=
    let '((word, mask, rho), (draw_a, draw_b)) := d in
    {| taken_leaves := lean_party_size h; taken_material := item_material prg h (held_plan prg P0 h p (life_a o) (others_index h word) draw_a) (held_plan prg P0 h p (life_b o) (others_index h word) draw_b)
         (S (tree_level h p)) (life_stream_01 o);
       taken_index := (held_index (life_a o), others_index h word); taken_x := own_x (life_op o);
       taken_masks := mk_lean_write_Masks (own_y_01 (life_op o)) (own_y_2 (life_op o)) mask; taken_rho := rho |}.
  Definition mine_of_0 (o : life_own) (q : query) : op_own :=
    {| own_address := fst (fst q); own_written := fst (snd q); own_x := own_x (life_op o); own_y_01 := own_y_01 (life_op o); own_y_2 := own_y_2 (life_op o);
       own_rho := own_rho (life_op o) |}.
  Definition inputs_of_0 (state : lean_memory_State W) (q : query) : op_inputs :=
    {| whole_memory := state; others_address := snd (fst q); others_written := snd (snd q) |}.
  Definition made_of_0 (x : made_item) : made_for_0 :=
    let plan := plan_for h x in
    ((received_of prg P0 h (fst x) (plan false), key_of prg P0 h (fst x) (plan false)),
     (received_of prg P0 h (fst x) (plan true), key_of prg P0 h (fst x) (plan true)), delta_for prg h x P1).

  Definition primary_0 := {|
    seen_of := seen_of_0;
    own_of p := own_part_0 h (op_for p);
    hidden_of _ i _ := hidden_part_0 i;
    taken_with := taken_with_0;
    given := given_0;
    mine_of := mine_of_0;
    inputs_of := inputs_of_0;
    view_of op := life_view prg h op;
    made_of := made_of_0;
    told_of := received_by P0;
    load_own l := (fst (fst l), [] : list u64);
    load_hidden l := map (ring_Ring_from_u64 W) (snd (fst l));
    load_with own mask := (map (ring_Ring_from_u64 W) (fst own : list u64), mask);
    share_of := snd;
    load_view := lean_memory_masked_share;
    number_of := repr 8 0;
    load_to operation v := lean_session_chunks operation (repr 8 3) (repr 8 1) (repr 8 0) v;
    batch_to := batch_to_0 h;
    use_to := use_to_0 h;
  |}.

  Lemma plans_of_0 op (i : item_drawn) : item_fits h (op_for (purpose_of op)) i ->
    let p := purpose_of op in
    let o := own_part_0 h (op_for p) i in
    let '((word, _, _), (draw_a, draw_b)) := hidden_part_0 i in
    plan_for h (p, i) false = held_plan prg P0 h p (life_a o) (others_index h word) draw_a /\
    plan_for h (p, i) true = held_plan prg P0 h p (life_b o) (others_index h word) draw_b.
  Proof.
    intros fits. pose proof (lean_item_plans_of_P0 prg h h_small (op_for (purpose_of op)) i fits) as plans. cbv zeta in *.
    rewrite purpose_of_op_for in plans. exact plans.
  Qed.

  Theorem primary_0_is_lawful : lawful prg h primary_0.
  Proof.
    constructor.
    - (* seen *)
      intros p [[w0 [ra rb]] [p_1 [c [e [f v]]]]] [fa fb]. cbn [primary_0 seen_of]. unfold seen_of_0, no_item.
      destruct (no_item_fits h p) as [na nb]. unfold no_item in na, nb.
      destruct c as [ga [gb [dd [x y]]]], e as [[a b] m], f as [[a' b'] [rm yy]], v as [va vb], p_1 as [w1 [ra' rb']].
      destruct fa as [f0 f1], fb as [g0 g1], na as [n0 n1], nb as [m0 m1].
      split; constructor; first [exact f0 | exact g0 | exact n1 | exact m1].
    - intros p [[w0 [ra rb]] [[w1 [ra' rb']] [[ga [gb [dd [x y]]]] [[[a b] m] [[[a' b'] [rm yy]] [va vb]]]]]]. reflexivity.
    - (* taken *)
      intros p i unused fits. cbn [primary_0 taken_with own_of hidden_of]. unfold taken_with_0, taken_of. cbn [fst snd].
      pose proof (plans_of_0 (op_for p) i) as plans. rewrite purpose_of_op_for in plans. specialize (plans fits). cbv zeta in plans.
      destruct (hidden_part_0 i) as [[[word mask] rho] [draw_a draw_b]] eqn:e. destruct plans as [-> ->].
      destruct i as [[w0 [ra rb]] [[w1 [ra' rb']] [[ga [gb [dd [x y]]]] [[[[[l [u k]] [vs s]] b] m] [[[a' b'] [rm yy]] [va vb]]]]]].
      injection e as <- <- <- <- <-. reflexivity.
    - (* view *)
      intros op i unused state q fits. cbn [primary_0 view_of given mine_of inputs_of hidden_of own_of made_of told_of]. cbv zeta.
      pose proof (plans_of_0 op i fits) as plans. cbv zeta in plans. unfold life_view, made_of_0, delta_for, grown_for. cbn [fst snd].
      destruct (hidden_part_0 i) as [[[word mask] rho] [draw_a draw_b]] eqn:e. destruct plans as [pa pb].
      set (o := own_part_0 h (op_for (purpose_of op)) i) in *.
      change (life_a (given_0 o (mine_of_0 o q))) with (life_a o). change (life_b (given_0 o (mine_of_0 o q))) with (life_b o).
      change (life_stream_01 (given_0 o (mine_of_0 o q))) with (life_stream_01 o). change (life_op (given_0 o (mine_of_0 o q))) with (mine_of_0 o q).
      rewrite <- pa, <- pb.
      assert (stream : life_stream_01 o = words_01 i) by reflexivity. rewrite stream. apply f_equal.
      unfold operation, run_of_taken, taken_of, mine_of_0, inputs_of_0. apply f_equal.
      cbn [own_address own_written own_x own_y_01 own_y_2 own_rho whole_memory others_address others_written in_order all_masks all_rho taken_material taken_index taken_x
        taken_masks taken_rho fst snd].
      destruct i as [[w0 [ra rb]] [[w1 [ra' rb']] [[ga [gb [dd [x y]]]] [[[[[l [u k]] [vs s]] b] m] [[[a' b'] [rm yy]] [va vb]]]]]].
      injection e as <- <- <- <- <-. destruct q as [[i_0 i_1] [m_0 m_1]]. reflexivity.
    - intros n memory s_0 s_1. exact s_1.
    - intros [[l_01 l_12] unused]. reflexivity.
    - intros operation memory l. unfold messages_to, load_messages. cbn [primary_0 number_of load_to load_view share_of load_hidden].
      rewrite filter_app, !filter_chunks. reflexivity.
    - intros operation updates items. unfold messages_to, batch_of_draws. cbn [primary_0 number_of batch_to made_of]. cbv zeta.
      rewrite !filter_app, filter_flat_map, filter_spoken. unfold batch_to_0. cbv zeta.
      assert (rec : received_in_0 (map (fun x => (fst x, made_of_0 x)) items) = map (fun kx => sent_of_plan prg h P0 (plan_for h (fst kx) (snd kx))) (dpfs_of items)).
      { unfold received_in_0, dpfs_of. induction items as [|x items IH]; [reflexivity|]. cbn [map flat_map app]. rewrite IH. reflexivity. }
      rewrite rec.
      assert (keys : lean_payload_delta_shares (map delta_to_0 (map (fun x => (fst x, made_of_0 x)) items)) = lean_payload_delta_shares (map (key_for prg h P1) items)).
      { unfold lean_payload_delta_shares. rewrite !flat_map_concat_map, !map_map. apply f_equal. apply map_ext. intros x. unfold delta_to_0, made_of_0, key_for.
        cbn [fst snd lean_preprocessing_HelperKey_purpose lean_preprocessing_HelperKey_delta_share]. reflexivity. }
      rewrite keys. apply f_equal2; [reflexivity|]. apply f_equal2; [|reflexivity].
      rewrite !flat_map_concat_map. apply f_equal. apply map_ext. intros round. unfold round_to. rewrite filter_round_0. reflexivity.
    - intros op operation state used. unfold messages_to, put_messages. cbn [primary_0 number_of use_to told_of]. unfold runs_of_used, use_to_0, use_messages.
      destruct op.
      + unfold read_messages. cbv zeta. keep_messages. rewrite !map_map, !flat_map_concat_map, !map_map. reflexivity.
      + unfold update_messages. cbv zeta. keep_messages. rewrite !map_map. reflexivity.
      + rewrite filter_flat_map, !flat_map_concat_map, !map_map. reflexivity.
      + rewrite filter_flat_map, !flat_map_concat_map, !map_map. reflexivity.
  Qed.
End Received.
