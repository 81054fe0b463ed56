(* The online steps of a session of two parties, as the Rust module `two_party::session` runs them: from parties that are ready,
   READs, UPDATEs, WRITE, SWAP and load answer as the ideal RAM does, and leave parties that are ready for more. Whatever the tapes
   hold. *)
From Coq Require Import Lia.
From Duoram.core Require Import ListFacts LemmasFacts.
From Duoram.two_party Require Import TwoPartyRead Masks.
From Duoram.two_party Require Export UpdateWrite.
From Duoram.Generated Require Import All.

#[global] Arguments two_party_party_size log_size : simpl never.

(** * Zips *)

Lemma zip_back {X A C D : Type} (g : X * A -> C) (f : X -> D) (items : list X) : forall arguments : list A,
  combine (map g (combine items arguments)) (map f items) = map (fun x => (g x, f (fst x))) (combine items arguments).
Proof. induction items as [|x items IH]; intros [|a arguments]; cbn; try reflexivity. rewrite IH. reflexivity. Qed.

Lemma numbered_zip_back {I X A C D : Type} (g : I * (X * A) -> C) (f : X -> D) (items : list X) :
  forall (numbers : list I) (arguments : list A),
  combine (map g (combine numbers (combine items arguments))) (map f items)
  = map (fun e => (g e, f (fst (snd e)))) (combine numbers (combine items arguments)).
Proof.
  induction items as [|x items IH]; intros [|i numbers] [|a arguments]; cbn; try reflexivity.
  rewrite IH. reflexivity.
Qed.

Lemma map_snd_combine {A B : Type} (a : list A) : forall b : list B, (length b <= length a)%nat -> map snd (combine a b) = b.
Proof. induction a as [|x a IH]; intros [|y b] h; cbn in *; try lia; try reflexivity. rewrite IH by lia. reflexivity. Qed.

Lemma map_snd_enumerate {T : Type} (l : list T) : Z.of_nat (length l) < 2 ^ 64 -> map snd (enumerate l) = l.
Proof.
  intros h. apply map_snd_combine. rewrite range_length, nat_of_len by assumption. change (nat_of (repr 64 0)) with 0%nat. lia.
Qed.

Lemma forall_skipn {T : Type} (Q : T -> Prop) (l : list T) (k : nat) : Forall Q l -> Forall Q (skipn k l).
Proof.
  rewrite !Forall_forall. intros hl x hx. apply hl. rewrite <- (firstn_skipn k l). apply in_or_app. right. assumption.
Qed.

Lemma skip_map {A B : Type} (f : A -> B) (l : list A) (k : u64) : skip (map f l) k = map f (skipn (nat_of k) l).
Proof. rewrite skip_skipn. apply skipn_map. Qed.

Section Session.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Laws : RingLaws W}.
  Context {P : Type} {F : Type} {F_Prf : two_party_masks_Prf F} (prg : P) (prf : F).
  Context (h : u64) (h_small : val h < 64).
  Add Ring W_ring : (ring_theory_W W).
  Notation zero := (ring_Ring_zero W).
  Notation n := (two_party_party_size h).

  Lemma val_size : val n = 2 ^ val h.
  Proof.
    pose proof (val_bounds h) as hb. unfold two_party_party_size.
    assert (e : val (cast 32 h) = val h) by (rewrite val_cast; apply Z.mod_small; lia).
    rewrite val_wshl by (rewrite e; lia). rewrite e, val_repr_small by lia. rewrite Z.mul_1_l.
    apply Z.mod_small. split; [apply Z.pow_nonneg; lia | apply Z.pow_lt_mono_r; lia].
  Qed.
  Lemma size_power_of_two : power_of_two n.
  Proof. exists (val h). pose proof (val_bounds h). split; [lia | apply val_size]. Qed.
  Let hn := size_power_of_two.

  (** * What holds between steps *)

  (* An item, where it is held. *)
  Definition held_read : Type := two_party_party_ReadItem * two_party_party_ReadItem.
  Definition held_update : Type := two_party_update_UpdateItem W * two_party_update_UpdateItem W.

  (* Each party's keys are those of its index, of the pairs that the other one sent. *)
  Definition read_item_ok (x : held_read) : Prop :=
    val (two_party_party_ReadItem_query_index (fst x)) < val n /\
    val (two_party_party_ReadItem_query_index (snd x)) < val n /\
    two_party_party_ReadItem_keys (fst x)
      = two_party_masks_word_keys (two_party_party_ReadItem_pairs (snd x)) (two_party_party_ReadItem_query_index (fst x)) /\
    two_party_party_ReadItem_keys (snd x)
      = two_party_masks_word_keys (two_party_party_ReadItem_pairs (fst x)) (two_party_party_ReadItem_query_index (snd x)).
  Definition update_item_ok (x : held_update) : Prop := exists ri, items_point_at n ri (fst x) (snd x).

  Notation Session := (two_party_session_Session W P F).
  Notation p0 := two_party_session_Session_p0.
  Notation p1 := two_party_session_Session_p1.

  (* The parties agree on h, on the PRG, on the PRF and on the items. *)
  Record session_ready (reads : list held_read) (updates : list held_update) (session : Session) : Prop := {
    ready_role_0 : two_party_party_Party_role (p0 session) = share_Primary_P0;
    ready_role_1 : two_party_party_Party_role (p1 session) = share_Primary_P1;
    ready_size_0 : two_party_party_Party_log_size (p0 session) = h;
    ready_size_1 : two_party_party_Party_log_size (p1 session) = h;
    ready_prg_0 : two_party_party_Party_prg (p0 session) = prg;
    ready_prg_1 : two_party_party_Party_prg (p1 session) = prg;
    ready_prf_0 : two_party_party_Party_prf (p0 session) = prf;
    ready_prf_1 : two_party_party_Party_prf (p1 session) = prf;
    ready_reads_0 : two_party_party_Party_reads (p0 session) = map fst reads;
    ready_reads_1 : two_party_party_Party_reads (p1 session) = map snd reads;
    ready_updates_0 : two_party_party_Party_updates (p0 session) = map fst updates;
    ready_updates_1 : two_party_party_Party_updates (p1 session) = map snd updates;
    ready_reads : Forall read_item_ok reads;
    ready_updates : Forall update_item_ok updates;
    ready_memory_0 : sized n (two_party_party_Party_memory_share (p0 session));
    ready_memory_1 : sized n (two_party_party_Party_memory_share (p1 session));
  }.
  Notation ready := session_ready.
  Implicit Types (session : Session) (reads : list held_read) (updates : list held_update).

  Definition memory_of session : list W :=
    vector_add (two_party_party_Party_memory_share (p0 session)) (two_party_party_Party_memory_share (p1 session)).
  Definition opened (result : W * W) : W := ring_Ring_plus (fst result) (snd result).
  Definition target (address : u64 * u64) : u64 := vector_mod_size (wadd (fst address) (snd address)) n.

  Ltac open_ready session r :=
    let a := fresh "a" in
    destruct session as [[a0 a1 a2 a3 a4 a5 a6 a7 a8] [b0 b1 b2 b3 b4 b5 b6 b7 b8] op];
    destruct r as [e1 e2 e3 e4 e5 e6 e7 e8 e9 e10 e11 e12 hr hu hm_0 hm_1]; cbn in e1, e2, e3, e4, e5, e6, e7, e8, e9, e10, e11, e12, hm_0, hm_1;
    subst.

  (** * READs *)

  (* Of one query, with its number: what the parties send and find. *)
  Section OneRead.
    Variables (blinds_0 blinds_1 : two_party_tape_Tape) (d_0 d_1 : list W) (s_0 : sized n d_0) (s_1 : sized n d_1).
    Implicit Types e : u64 * (held_read * (u64 * u64)).

    Definition blind_of (blinds : two_party_tape_Tape) e : W := ring_Ring_from_u64 W (two_party_tape_peek blinds (fst e)).
    Definition shift_0 (x : held_read * (u64 * u64)) : u64 :=
      two_party_update_shift_share (fst (snd x)) (two_party_party_ReadItem_query_index (fst (fst x))) n.
    Definition shift_1 (x : held_read * (u64 * u64)) : u64 :=
      two_party_update_shift_share (snd (snd x)) (two_party_party_ReadItem_query_index (snd (fst x))) n.
    Definition answer_0 e : list W :=
      two_party_masks_masked_table prf (two_party_party_ReadItem_pairs (fst (fst (snd e))))
        (two_party_read_blinded_rotation d_0 (fst (snd (snd e))) (shift_1 (snd e)) (blind_of blinds_0 e)).
    Definition answer_1 e : list W :=
      two_party_masks_masked_table prf (two_party_party_ReadItem_pairs (snd (fst (snd e))))
        (two_party_read_blinded_rotation d_1 (snd (snd (snd e))) (shift_0 (snd e)) (blind_of blinds_1 e)).
    Definition result_of (item : two_party_party_ReadItem) (answer : list W) (blind : W) : W :=
      ring_Ring_minus (two_party_masks_unmasked prf (two_party_party_ReadItem_keys item) (two_party_party_ReadItem_query_index item)
        (two_party_read_ideal_symmetric_pir answer (two_party_party_ReadItem_query_index item))) blind.
    Definition result_0 e : W := result_of (fst (fst (snd e))) (answer_1 e) (blind_of blinds_0 e).
    Definition result_1 e : W := result_of (snd (fst (snd e))) (answer_0 e) (blind_of blinds_1 e).

    Lemma rotation_sized (d : list W) (own received : u64) (blind : W) : sized n d ->
      sized n (two_party_read_blinded_rotation d own received blind).
    Proof. intros hs. unfold sized, two_party_read_blinded_rotation. cbv zeta. rewrite map_range_0_length, (sized_len n) by assumption. reflexivity. Qed.

    Lemma one_read e : read_item_ok (fst (snd e)) ->
      ring_Ring_plus (result_0 e) (result_1 e) = ideal_get (vector_add d_0 d_1) (target (snd (snd e))).
    Proof.
      destruct e as [q [[x y] [i_0 i_1]]]. intros (b_0 & b_1 & k_0 & k_1). cbn [fst snd] in *.
      unfold result_0, result_1, result_of, answer_0, answer_1. cbn [fst snd]. rewrite k_0, k_1.
      rewrite !(unmasked_word prf n) by (assumption || apply rotation_sized; assumption).
      pose proof (two_party_read_reconstructs n i_0 i_1 (two_party_party_ReadItem_query_index x) (two_party_party_ReadItem_query_index y)
        d_0 d_1 (blind_of blinds_0 (q, ((x, y), (i_0, i_1)))) (blind_of blinds_1 (q, ((x, y), (i_0, i_1)))) hn s_0 s_1) as l.
      unfold two_party_read_read in l. rewrite (sized_len n) in l by assumption.
      rewrite (mod_size_small _ n hn b_0), (mod_size_small _ n hn b_1) in l.
      exact l.
    Qed.
  End OneRead.

  Theorem two_party_read_part_answers_ideal reads updates session (addresses : list (u64 * u64)) :
    ready reads updates session -> Z.of_nat (length addresses) < 2 ^ 64 -> (length addresses <= length reads)%nat ->
    let step := two_party_session_read_part session addresses in
    ready (skipn (length addresses) reads) updates (two_party_session_Step_session step) /\
    memory_of (two_party_session_Step_session step) = memory_of session /\
    length (two_party_session_Step_results step) = length addresses /\
    map opened (two_party_session_Step_results step)
    = map (fun address => ideal_get (memory_of session) (target address)) addresses.
  Proof.
    intros r small enough step. open_ready session r.
    split; [|split; [reflexivity|]].
    - subst step. unfold two_party_session_read_part, two_party_party_online_after_reads. cbn.
      constructor; cbn; try reflexivity; try assumption.
      + rewrite skip_map, nat_of_len by assumption. reflexivity.
      + rewrite skip_map, nat_of_len by assumption. reflexivity.
      + apply forall_skipn, hr.
    - set (pairs := combine reads addresses). set (E := enumerate pairs).
      assert (lp : length pairs = length addresses) by (unfold pairs; rewrite combine_length; lia).
      assert (ea : addresses = map snd pairs) by (symmetry; apply map_snd_combine, enough).
      assert (ep : pairs = map snd E) by (symmetry; apply map_snd_enumerate; rewrite lp; exact small).
      assert (results : two_party_session_Step_results step
        = map (fun e => (result_0 a5 b5 b6 e, result_1 a5 b5 a6 e)) E).
      { subst step. unfold two_party_session_read_part, two_party_party_online_read_results, two_party_party_online_read_answers,
          two_party_party_online_read_shifts. cbn. rewrite ea. fold pairs.
        assert (zip : forall (C D : Type) (g : held_read * (u64 * u64) -> C) (f : held_read -> D),
          combine (map g pairs) (map f reads) = map (fun x => (g x, f (fst x))) pairs).
        { intros. apply zip_back. }
        assert (zipE : forall (C D : Type) (g : u64 * (held_read * (u64 * u64)) -> C) (f : held_read -> D),
          combine (map g E) (map f reads) = map (fun e => (g e, f (fst (snd e)))) E).
        { intros. apply numbered_zip_back. }
        assert (numbered : forall (C : Type) (g : u64 * (held_read * (u64 * u64)) -> C),
          enumerate (map g E) = map (fun e => (fst e, g e)) E).
        { intros. rewrite enumerate_map. unfold E. rewrite enumerate_enumerate by (rewrite lp; exact small).
          rewrite map_map. reflexivity. }
        repeat (rewrite map_map || rewrite zip || rewrite zipE || rewrite numbered || rewrite combine_map || rewrite enumerate_map).
        fold E. repeat (rewrite map_map || rewrite zipE || rewrite numbered || rewrite combine_map).
        apply map_ext. intros [q [[x y] [i_0 i_1]]]. reflexivity. }
      split; [rewrite results, map_length, <- lp, ep, map_length; reflexivity|].
      rewrite results, map_map. rewrite ea, ep, !map_map. apply map_ext_in. intros e he.
      unfold opened. cbn [fst snd]. apply one_read; try assumption.
      apply (in_map snd) in he. rewrite <- ep in he. destruct (snd e) as [x a]. apply in_combine_l in he.
      rewrite Forall_forall in hr. exact (hr x he).
  Qed.

  (** * UPDATEs *)

  Notation Query := (two_party_party_online_Query W).
  Definition query_address (query : Query * Query) : u64 * u64 :=
    (two_party_party_online_Query_address (fst query), two_party_party_online_Query_address (snd query)).
  Definition query_value (query : Query * Query) : W :=
    ring_Ring_plus (two_party_party_online_Query_value (fst query)) (two_party_party_online_Query_value (snd query)).

  Definition message_0 (x : held_update * (Query * Query)) : two_party_update_UpdateMessage W :=
    two_party_update_message (fst (fst x)) (fst (query_address (snd x))) (two_party_party_online_Query_value (fst (snd x))).
  Definition message_1 (x : held_update * (Query * Query)) : two_party_update_UpdateMessage W :=
    two_party_update_message (snd (fst x)) (snd (query_address (snd x))) (two_party_party_online_Query_value (snd (snd x))).

  (* The ideal RAM after some UPDATEs. *)
  Definition ideal_updates (memory : list W) (queries : list (Query * Query)) : list W :=
    fold_left (fun memory query => fst (ideal_step memory
      (ideal_Operation_Update (target (query_address query)) (query_value query)))) queries memory.

  Definition fold_of (d : list W) (own received : list (two_party_update_UpdateMessage W))
    (items : list (two_party_update_UpdateItem W)) : list W :=
    fold_left (fun (memory_share : list W) '((own, received), item) => two_party_update_updated memory_share item own received)
      (combine (combine own received) items) d.

  Lemma updates_in_order (queries : list (Query * Query)) : forall updates (d_0 d_1 : list W),
    Forall update_item_ok updates -> sized n d_0 -> sized n d_1 -> (length queries <= length updates)%nat ->
    let pairs := combine updates queries in
    let d_0' := fold_of d_0 (map message_0 pairs) (map message_1 pairs) (map fst updates) in
    let d_1' := fold_of d_1 (map message_1 pairs) (map message_0 pairs) (map snd updates) in
    sized n d_0' /\ sized n d_1' /\ vector_add d_0' d_1' = ideal_updates (vector_add d_0 d_1) queries.
  Proof.
    induction queries as [|query queries IH]; intros [|x updates] d_0 d_1 hu s_0 s_1 enough; cbn [length] in enough; try lia;
      try (cbn; auto).
    inversion hu as [|? ? (ri & hx) hu']. subst.
    pose proof (update_sized n (fst (query_address query)) (snd (query_address query))
      (two_party_party_online_Query_value (fst query)) (two_party_party_online_Query_value (snd query)) d_0 d_1 (fst x) (snd x) ri
      s_0 s_1 hx) as [t_0 t_1].
    pose proof (two_party_update_adds n (fst (query_address query)) (snd (query_address query))
      (two_party_party_online_Query_value (fst query)) (two_party_party_online_Query_value (snd query)) d_0 d_1 (fst x) (snd x) ri
      hn s_0 s_1 hx) as adds.
    specialize (IH updates _ _ hu' t_0 t_1 ltac:(lia)). cbv zeta in IH.
    destruct IH as (u_0 & u_1 & e). unfold fold_of in *. cbn [combine map fold_left].
    split; [exact u_0|]. split; [exact u_1|]. etransitivity; [exact e|]. rewrite adds. reflexivity.
  Qed.

  Theorem two_party_update_part_answers_ideal reads updates session (queries : list (Query * Query)) :
    ready reads updates session -> Z.of_nat (length queries) < 2 ^ 64 -> (length queries <= length updates)%nat ->
    let step := two_party_session_update_part session queries in
    ready reads (skipn (length queries) updates) (two_party_session_Step_session step) /\
    memory_of (two_party_session_Step_session step) = ideal_updates (memory_of session) queries /\
    two_party_session_Step_results step = [].
  Proof.
    intros r small enough step. open_ready session r.
    set (pairs := combine updates queries).
    assert (lp : length pairs = length queries) by (unfold pairs; rewrite combine_length; lia).
    assert (eq_ : queries = map snd pairs) by (symmetry; apply map_snd_combine, enough).
    assert (zip : forall (C D : Type) (g : held_update * (Query * Query) -> C) (f : held_update -> D),
      combine (map g pairs) (map f updates) = map (fun x => (g x, f (fst x))) pairs) by (intros; apply zip_back).
    pose proof (updates_in_order queries updates _ _ hu hm_0 hm_1 enough) as order. cbv zeta in order. fold pairs in order.
    destruct order as (s_0 & s_1 & e).
    assert (step_is : two_party_session_Step_session step = mk_two_party_session_Session
      (mk_two_party_party_Party share_Primary_P0 h prg prf a4 a5 (fold_of a6 (map message_0 pairs) (map message_1 pairs) (map fst updates))
        (map fst reads) (skip (map fst updates) (len (map message_0 pairs))))
      (mk_two_party_party_Party share_Primary_P1 h prg prf b4 b5 (fold_of b6 (map message_1 pairs) (map message_0 pairs) (map snd updates))
        (map snd reads) (skip (map snd updates) (len (map message_1 pairs)))) op).
    { subst step. unfold two_party_session_update_part, two_party_party_online_update_messages, two_party_party_online_updates. cbn.
      assert (m_0 : map (fun '(query, item) => two_party_update_message item (two_party_party_online_Query_address query)
          (two_party_party_online_Query_value query)) (combine (map (fun '(query, _) => query) queries) (map fst updates))
        = map message_0 pairs).
      { rewrite eq_ at 1. rewrite map_map, zip, map_map. apply map_ext. intros [x [q_0 q_1]]. reflexivity. }
      assert (m_1 : map (fun '(query, item) => two_party_update_message item (two_party_party_online_Query_address query)
          (two_party_party_online_Query_value query)) (combine (map (fun '(_, query) => query) queries) (map snd updates))
        = map message_1 pairs).
      { rewrite eq_ at 1. rewrite map_map, zip, map_map. apply map_ext. intros [x [q_0 q_1]]. reflexivity. }
      rewrite m_0, m_1. reflexivity. }
    split; [|split; [|reflexivity]]; rewrite step_is.
    - constructor; cbn; try reflexivity; try assumption.
      + rewrite skip_map, nat_of_len; rewrite map_length, lp; [reflexivity | exact small].
      + rewrite skip_map, nat_of_len; rewrite map_length, lp; [reflexivity | exact small].
      + apply forall_skipn, hu.
    - exact e.
  Qed.

  (** * Whole steps *)

  Lemma next_step_ready reads updates session : ready reads updates session -> ready reads updates (two_party_session_next_step session).
  Proof. intros []. constructor; assumption. Qed.

  Theorem two_party_reads_answer_ideal reads updates session (addresses : list (u64 * u64)) :
    ready reads updates session -> Z.of_nat (length addresses) < 2 ^ 64 -> (length addresses <= length reads)%nat ->
    let step := two_party_session_reads session addresses in
    ready (skipn (length addresses) reads) updates (two_party_session_Step_session step) /\
    memory_of (two_party_session_Step_session step) = memory_of session /\
    map opened (two_party_session_Step_results step)
    = map (fun address => ideal_get (memory_of session) (target address)) addresses.
  Proof.
    intros r small enough step. destruct (two_party_read_part_answers_ideal reads updates session addresses r small enough) as (r' & m & _ & a).
    split; [apply next_step_ready, r'|]. split; [exact m | exact a].
  Qed.

  Theorem two_party_updates_answer_ideal reads updates session (queries : list (Query * Query)) :
    ready reads updates session -> Z.of_nat (length queries) < 2 ^ 64 -> (length queries <= length updates)%nat ->
    let step := two_party_session_updates session queries in
    ready reads (skipn (length queries) updates) (two_party_session_Step_session step) /\
    memory_of (two_party_session_Step_session step) = ideal_updates (memory_of session) queries /\
    two_party_session_Step_results step = [].
  Proof.
    intros r small enough step. destruct (two_party_update_part_answers_ideal reads updates session queries r small enough) as (r' & m & a).
    split; [apply next_step_ready, r'|]. split; [exact m | exact a].
  Qed.

  (* SWAP, and WRITE, which is a SWAP without its result. *)
  Theorem two_party_swap_answers_ideal x reads y updates session (query : Query * Query) :
    ready (x :: reads) (y :: updates) session ->
    let step := two_party_session_swap session query in
    ready reads updates (two_party_session_Step_session step) /\
    memory_of (two_party_session_Step_session step)
      = ideal_set (memory_of session) (target (query_address query)) (query_value query) /\
    map opened (two_party_session_Step_results step) = [ideal_get (memory_of session) (target (query_address query))].
  Proof.
    intros r step. destruct query as [query_0 query_1].
    destruct (two_party_read_part_answers_ideal (x :: reads) (y :: updates) session
      [(two_party_party_online_Query_address query_0, two_party_party_online_Query_address query_1)] r ltac:(reflexivity)
      ltac:(cbn; lia)) as (r' & m & l & a).
    unfold step, two_party_session_swap.
    set (first := two_party_session_read_part session _) in *. clearbody first. cbn [skipn length] in r', l.
    destruct (two_party_session_Step_results first) as [|[r_0 r_1] [|? ?]] eqn:er; try discriminate l.
    cbn [map] in a. injection a as a. unfold opened in a. cbn [fst snd] in a.
    cbv zeta. rewrite ?er. cbn [map].
    set (queries := [(_, _)]).
    destruct (two_party_update_part_answers_ideal reads (y :: updates) (two_party_session_Step_session first) queries r'
      ltac:(reflexivity) ltac:(cbn; lia)) as (r'' & m' & _).
    cbn [two_party_session_Step_session two_party_session_Step_results].
    split; [apply next_step_ready; exact r''|]. split.
    - change (memory_of (two_party_session_next_step ?s)) with (memory_of s).
      etransitivity; [exact m'|]. rewrite m. unfold queries, ideal_updates. cbn [fold_left ideal_step fst].
      unfold query_address, query_value, two_party_party_online_write_query, two_party_write_difference in *. cbn in *.
      f_equal. rewrite <- a, !vector_at_nth. change (nat_of (repr 64 0)) with 0%nat. cbn [nth]. ring.
    - cbn [map]. unfold opened. cbn [fst snd]. rewrite a. reflexivity.
  Qed.

  Theorem two_party_load_makes_ready reads updates session (d_0 d_1 : list W) :
    ready reads updates session -> sized n d_0 -> sized n d_1 ->
    let step := two_party_session_load session d_0 d_1 in
    ready reads updates (two_party_session_Step_session step) /\
    memory_of (two_party_session_Step_session step) = vector_add d_0 d_1 /\ two_party_session_Step_results step = [].
  Proof.
    intros r s_0 s_1 step. open_ready session r. split; [|split; reflexivity]. constructor; cbn; try reflexivity; assumption.
  Qed.
End Session.
