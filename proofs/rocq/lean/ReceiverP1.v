(* P1 as a receiver of a lean session's messages (Receiver.v): what it has and sees of an item, and what every message to it is made of ([primary_1_is_lawful]).
   It has its own tape, and the streams that it has in common with P0 and with P2. Nothing is sent to it of the load. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection.
From Duoram.core Require Import Parties VectorFacts.
From Duoram.lean Require Import Generation PreparedItems SessionPreparing PreparingView CorrectionsUniform PreparingPrivacy DealtToP1 OperationView ItemLifeOfP1 WholeSchedule
  TapeDiscipline PreparingMessages SessionMessages ItemPlans ItemDraws ItemOnTapes SessionTapes SessionItems StepStates SessionSchedule.
From Duoram.lean Require Export Receiver ReceivedMessages.
From Duoram.Generated Require Import All.

Notation dpf_seen := (dpf_received (W := W) * lean_layers_LayeredKey W)%type.
Notation made_for_1 := ((lean_dealing_Deal W * dpf_seen) * (lean_dealing_Deal W * dpf_seen))%type.

(* P2's deals; what P0 sends of the DPFs, in rounds. *)
Definition received_in_1 (made : list (lean_layers_Purpose * made_for_1)) : list (dpf_received (W := W)) :=
  flat_map (fun m => [fst (snd (fst (snd m))); fst (snd (snd (snd m)))]) made.
Definition deals_in (made : list (lean_layers_Purpose * made_for_1)) : list (lean_dealing_Deal W) :=
  flat_map (fun m => [fst (fst (snd m)); fst (snd (snd m))]) made.
Definition batch_to_1 (h : u64) (operation updates : u64) (made : list (lean_layers_Purpose * made_for_1)) : list lean_session_Sent :=
  [prepare_message 4 2 1 operation (repr 64 0) (lean_payload_deals (map fst made) (deals_in made));
   prepare_message 5 0 1 operation (repr 64 0) (lean_payload_moved_shares (map received_moved (received_in_1 made)))]
  ++ flat_map (round_to 0 1 h operation (received_in_1 made)) (seq 0 (S (nat_of (lean_preprocessing_batch_depth h updates)))).
Definition use_to_1 (h : u64) (op : lean_op) (operation : u64) (told : list (u64 * list W)) : list lean_session_Sent :=
  match op with
  | op_read => [message 12 0 1 operation 0 (lean_payload_addresses_bytes h (map fst told))]
  | op_update => [message 14 0 1 operation 0 (lean_payload_updates h (map (fun t => update_message (fst t) (snd t)) told))]
  | op_write | op_swap =>
      flat_map (fun t : u64 * list W =>
        [message 12 0 1 operation 0 (lean_payload_addresses_bytes h [fst t]); message 15 0 1 operation 1 (bytes_ring_bytes (firstn 1 (snd t)));
         message 15 2 1 operation 1 (bytes_ring_bytes (firstn 1 (skipn 1 (snd t))))]) told
  end.

Section Received.
  Context {P : Type} {P_Prg : prg_Prg P} {P_Layers : lean_layers_Layers P} (prg : P) (h : u64).
  Notation P1 := share_Primary_P1.

  Definition seen_of_1 (p : lean_layers_Purpose) (i : item_drawn) : item_drawn :=
    let '(q_0, (_, (_, (e, (_, v))))) := no_item h p in let '(_, (p_1, (c, (_, (f, _))))) := i in (q_0, (p_1, (c, (e, (f, v))))).
  Notation dealt_draw := ((list (bool * u128) * u64 * W) * (W * list u128 * u128 * list W) * u128)%type.
  Definition taken_with_1 (p : lean_layers_Purpose) (o : life_own_1) (d : (u64 * W * W) * (dealt_draw * dealt_draw)) : taken :=
    let '((word, mask, _), (draw_a, draw_b)) := d in
    {| taken_leaves := lean_party_size h; taken_material := item_material prg h (ItemLifeOfP1.plan_of h (op_for p) (life_1_a o) word draw_a) (ItemLifeOfP1.plan_of h (op_for p) (life_1_b o) word draw_b)
         (S (tree_level h p)) (life_1_stream_01 o);
       taken_index := (others_index h word, own_index (life_1_a o)); taken_x := own_x (life_1_op o);
       taken_masks := mk_lean_write_Masks (own_y_01 (life_1_op o)) mask (own_y_2 (life_1_op o)); taken_rho := own_rho (life_1_op o) |}.
  Definition mine_of_1 (o : life_own_1) (q : query) : op_own :=
    {| own_address := snd (fst q); own_written := snd (snd q); own_x := own_x (life_1_op o); own_y_01 := own_y_01 (life_1_op o); own_y_2 := own_y_2 (life_1_op o);
       own_rho := own_rho (life_1_op o) |}.
  Definition inputs_of_1 (state : lean_memory_State W) (q : query) : op_inputs :=
    {| whole_memory := state; others_address := fst (fst q); others_written := fst (snd q) |}.
  Definition made_of_1 (x : made_item) : made_for_1 :=
    let plan := plan_for h x in
    ((deal_for h x false, (received_of prg P1 h (fst x) (plan false), key_of prg P1 h (fst x) (plan false))),
     (deal_for h x true, (received_of prg P1 h (fst x) (plan true), key_of prg P1 h (fst x) (plan true)))).

  Definition primary_1 := {|
    seen_of := seen_of_1;
    own_of p := own_part_1 h (op_for p);
    hidden_of p := hidden_part_1 (op_for p);
    taken_with := taken_with_1;
    given := given_1;
    mine_of := mine_of_1;
    inputs_of := inputs_of_1;
    view_of op := life_view_1 prg h op;
    made_of := made_of_1;
    told_of := received_by P1;
    load_own l := fst l;
    load_hidden l := snd l;
    load_with own _ := (map (ring_Ring_from_u64 W) (fst own : list u64), map (ring_Ring_from_u64 W) (snd own : list u64));
    share_of := fst;
    load_view _ _ := tt;
    number_of := repr 8 1;
    load_to _ _ := [];
    batch_to := batch_to_1 h;
    use_to := use_to_1 h;
  |}.

  Lemma plans_of_1 op (i : item_drawn) (unused : W) :
    let p := purpose_of op in
    let o := own_part_1 h (op_for p) i in
    let '((word, _, _), (draw_a, draw_b)) := hidden_part_1 (op_for p) i unused in
    plan_for h (p, i) false = ItemLifeOfP1.plan_of h op (life_1_a o) word draw_a /\ deal_for h (p, i) false = message_to_1 h op (life_1_a o) draw_a /\
    plan_for h (p, i) true = ItemLifeOfP1.plan_of h op (life_1_b o) word draw_b /\ deal_for h (p, i) true = message_to_1 h op (life_1_b o) draw_b.
  Proof.
    pose proof (lean_item_plans_of_P1 h op i unused) as plans. cbv zeta in *. unfold plan_for, deal_for. cbn [fst snd].
    assert (e : hidden_part_1 (op_for (purpose_of op)) i unused = hidden_part_1 op i unused) by (destruct op; reflexivity).
    assert (e' : own_part_1 h (op_for (purpose_of op)) i = own_part_1 h op i) by (destruct op; reflexivity).
    rewrite e, e'. destruct (hidden_part_1 op i unused) as [[[word mask] rho] [draw_a draw_b]]. exact plans.
  Qed.

  Theorem primary_1_is_lawful : lawful prg h primary_1.
  Proof.
    constructor.
    - intros p [p_0 [[w1 [ra rb]] [c [e [f v]]]]] [fa fb]. cbn [primary_1 seen_of]. unfold seen_of_1, no_item.
      destruct (no_item_fits h p) as [na nb]. unfold no_item in na, nb.
      destruct c as [ga [gb [dd [x y]]]], e as [[a b] m], f as [[a' b'] [rm yy]], v as [va vb], p_0 as [w0 [ra' rb']].
      destruct fa as [f0 f1], fb as [g0 g1], na as [n0 n1], nb as [m0 m1].
      split; constructor; first [exact f1 | exact g1 | exact n0 | exact m0].
    - intros p [[w0 [ra rb]] [[w1 [ra' rb']] [[ga [gb [dd [x y]]]] [[[a b] m] [[[a' b'] [rm yy]] [va vb]]]]]]. reflexivity.
    - intros p i unused _. cbn [primary_1 taken_with own_of hidden_of]. unfold taken_with_1, taken_of. cbn [fst snd].
      pose proof (plans_of_1 (op_for p) i unused) as plans. rewrite purpose_of_op_for in plans. cbv zeta in plans.
      destruct (hidden_part_1 (op_for p) i unused) as [[[word mask] rho] [draw_a draw_b]] eqn:e. destruct plans as (-> & _ & -> & _).
      destruct i as [[w0 [ra rb]] [[w1 [ra' rb']] [[ga [gb [dd [x y]]]] [[[[[l [u k]] [vs s]] [[l' [u' k']] [vs' s']]] m] [[[a' b'] [rm yy]] [va vb]]]]]].
      unfold hidden_part_1 in e. injection e as <- <- _ _ _. reflexivity.
    - intros op i unused state q _. cbn [primary_1 view_of given mine_of inputs_of hidden_of own_of made_of told_of]. cbv zeta.
      pose proof (plans_of_1 op i unused) as plans. cbv zeta in plans. unfold life_view_1, made_of_1. cbn [fst snd].
      destruct (hidden_part_1 (op_for (purpose_of op)) i unused) as [[[word mask] rho] [draw_a draw_b]] eqn:e. destruct plans as (pa & da & pb & db).
      set (o := own_part_1 h (op_for (purpose_of op)) i) in *.
      change (life_1_a (given_1 o (mine_of_1 o q))) with (life_1_a o). change (life_1_b (given_1 o (mine_of_1 o q))) with (life_1_b o).
      change (life_1_stream_01 (given_1 o (mine_of_1 o q))) with (life_1_stream_01 o). change (life_1_op (given_1 o (mine_of_1 o q))) with (mine_of_1 o q).
      rewrite <- pa, <- pb, <- da, <- db.
      assert (stream : life_1_stream_01 o = words_01 i) by reflexivity. rewrite stream. apply f_equal.
      unfold operation, run_of_taken, taken_of, mine_of_1, inputs_of_1. apply f_equal.
      cbn [own_address own_written own_x own_y_01 own_y_2 own_rho whole_memory others_address others_written in_order all_masks all_rho taken_material taken_index taken_x
        taken_masks taken_rho fst snd].
      destruct i as [[w0 [ra rb]] [[w1 [ra' rb']] [[ga [gb [dd [x y]]]] [[[[[l [u k]] [vs s]] [[l' [u' k']] [vs' s']]] m] [[[a' b'] [rm yy]] [va vb]]]]]].
      unfold hidden_part_1 in e. injection e as <- <- _ _ _. destruct q as [[i_0 i_1] [m_0 m_1]]. reflexivity.
    - intros n memory s_0 s_1. exact s_0.
    - intros [[l_01 l_12] unused]. reflexivity.
    - intros operation memory l. unfold messages_to, load_messages. cbn [primary_1 number_of load_to]. rewrite filter_app, !filter_chunks. reflexivity.
    - intros operation updates items. unfold messages_to, batch_of_draws. cbn [primary_1 number_of batch_to made_of]. cbv zeta.
      rewrite !filter_app, filter_flat_map, filter_spoken. unfold batch_to_1.
      assert (rec : received_in_1 (map (fun x => (fst x, made_of_1 x)) items) = map (fun kx => sent_of_plan prg h P1 (plan_for h (fst kx) (snd kx))) (dpfs_of items)).
      { unfold received_in_1, dpfs_of. induction items as [|x items IH]; [reflexivity|]. cbn [map flat_map app]. rewrite IH. reflexivity. }
      assert (deals : deals_in (map (fun x => (fst x, made_of_1 x)) items) = map (fun kx => deal_for h (fst kx) (snd kx)) (dpfs_of items)).
      { clear rec. unfold deals_in, dpfs_of. induction items as [|x items IH]; [reflexivity|]. cbn [map flat_map app]. rewrite IH. reflexivity. }
      assert (purposes : map fst (map (fun x => (fst x, made_of_1 x)) items) = map fst items) by (rewrite map_map; reflexivity).
      rewrite rec, deals, purposes. apply f_equal2; [reflexivity|].
      etransitivity; [|apply app_nil_r]. apply f_equal2; [|reflexivity].
      rewrite !flat_map_concat_map. apply f_equal. apply map_ext. intros round. rewrite filter_round_1. reflexivity.
    - intros op operation state used. unfold messages_to, put_messages. cbn [primary_1 number_of use_to told_of]. unfold runs_of_used, use_to_1, use_messages.
      destruct op.
      + unfold read_messages. cbv zeta. keep_messages. rewrite !map_map. reflexivity.
      + unfold update_messages. cbv zeta. keep_messages. rewrite !map_map. reflexivity.
      + rewrite filter_flat_map, !flat_map_concat_map, !map_map. reflexivity.
      + rewrite filter_flat_map, !flat_map_concat_map, !map_map. reflexivity.
  Qed.
End Received.
