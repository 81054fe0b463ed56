(* Privacy of UPDATE towards the primaries [duoram, section 3.1.2; Protocol 2, line 5]: what P0 or P1 receives is
   distributed the same for every address i* and every value M. For words with [RingLaws], and every size n = 2^h, h < 64.
   P2 is in UpdateHelperPrivacy.v.

   Idealized: preprocessing (IdealPreprocessing.v): ri is uniform, and ri_0 to P2; the leaf at ri of the other party's tree
   is a uniform label but for its flag, in each of the three DPFs ([other_leaves]), so that the value word there is
   uniform, and F_(1-b)^(k) with it; delta_2 and delta_3 are uniform to P2. For the real PRG this holds only
   computationally, which is not formalized.

   The messages are those of `update::update`, on any state, with the shares of F that `preprocessing` makes of the
   leaves. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection.
From Duoram.core Require Import LabelFacts.
From Duoram.paper Require Import IdealPreprocessing.
From Duoram.Generated Require Import All.

Section Update.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Laws : RingLaws W}.
  Add Ring W_ring : (ring_theory_W W).
  Context (n : u64) (n_power : power_of_two n).

  Notation "x [+] y" := (ring_Ring_plus x y) (at level 50, left associativity).
  Notation "x [-] y" := (ring_Ring_minus x y) (at level 50, left associativity).

  Definition leaves_of_three : Type := list u128 * list u128 * list u128.

  (* v^(1), v^(2), v^(3) from the leaves of the three trees. *)
  Definition three_value_words (party : share_Primary) (leaves : leaves_of_three) : list W * list W * list W :=
    let '(l_1, l_2, l_3) := leaves in
    (dpf_value_words W party l_1, dpf_value_words W party l_2, dpf_value_words W party l_3).
  Definition update_values (leaves_0 leaves_1 : leaves_of_three) : paper_update_ValueVectors W :=
    mk_paper_update_ValueVectors (three_value_words share_Primary_P0 leaves_0) (three_value_words share_Primary_P1 leaves_1).
  Definition update_material (u : paper_read_UnitVectors W) (leaves_0 leaves_1 : leaves_of_three) (delta_2 delta_3 : W) :
    paper_update_UpdateMaterial W :=
    let values := update_values leaves_0 leaves_1 in
    mk_paper_update_UpdateMaterial u values
      (paper_update_rerandomized (paper_preprocessing_local_correction_shares values) delta_2 delta_3).

  (* The state, which plays no part in the messages, is any of n words. *)
  Definition state_sized (state : paper_memory_State W) : Prop :=
    length (paper_memory_PrimaryState_memory_share (paper_memory_State_p0 state)) = nat_of n.

  (** * What makes up for a change of the messages: the value word at ri *)

  (* F_b of the leaves of P_b's tree, if those of the other tree are [own]: the value word of x enters by itself. *)
  Definition unknown_correction (party : share_Primary) (own : list u128) (ri : u64) (x : u128) : W :=
    dealer_final_correction_share (dpf_value_words W party (other_leaves own ri x)).
  Definition bare_correction (party : share_Primary) (own : list u128) (ri : u64) : W :=
    unknown_correction party own ri (repr 128 0).

  Lemma unknown_correction_value_word (party : share_Primary) (own : list u128) (ri : u64) (x : u128) :
    unknown_correction party own ri x
    = bare_correction party own ri [-] share_signed party (ring_Ring_from_u64 W (block_high_half x)).
  Proof.
    unfold bare_correction, unknown_correction, other_leaves, dpf_value_words, dealer_final_correction_share.
    rewrite (vector_sum_replaced (W := W) _ _ _ _ (block_with_flag (repr 128 0) (negb (block_flag (dpf_leaf own ri))))).
    rewrite !ring_value_word_from, !high_half_with_flag.
    replace (block_high_half (repr 128 0)) with (repr 64 0) by (apply int_ext; reflexivity).
    rewrite ring_from_zero. destruct party; cbn; ring.
  Qed.

  (* The label with a - b added to its value word. *)
  Definition moved_label (a b : W) (x : u128) : u128 :=
    block_block_of_halves (block_low_half x)
      (wsub (wadd (block_high_half x) (ring_Ring_to_u64 a)) (ring_Ring_to_u64 b)).

  Lemma moved_label_back (a b : W) (x : u128) : moved_label b a (moved_label a b x) = x.
  Proof.
    unfold moved_label. rewrite low_half_of_halves, high_half_of_halves.
    match goal with |- block_block_of_halves _ ?h = _ => replace h with (block_high_half x) by ring end.
    apply block_of_halves_of.
  Qed.
  Lemma moved_label_value_word (a b : W) (x : u128) :
    ring_Ring_from_u64 W (block_high_half (moved_label a b x))
    = ring_Ring_from_u64 W (block_high_half x) [+] a [-] b.
  Proof.
    unfold moved_label. rewrite high_half_of_halves.
    set (sum := wadd _ _).
    assert (h : ring_Ring_from_u64 W (wsub sum (ring_Ring_to_u64 b)) [+] ring_Ring_from_u64 W (ring_Ring_to_u64 b)
      = ring_Ring_from_u64 W sum).
    { rewrite <- ring_from_wadd. f_equal. ring. }
    unfold sum in h at 2. rewrite ring_from_wadd, !ring_from_to in h. rewrite <- h. ring.
  Qed.

  (* M + F_b + d with the label x at ri is M' + F_b' + d' with the moved label at ri'. *)
  Definition moved_leaf (party : share_Primary) (own : list u128) (m m' : W) (ri ri' : u64) (x : u128) : u128 :=
    moved_label (share_signed party (m' [+] bare_correction party own ri'))
      (share_signed party (m [+] bare_correction party own ri)) x.
  Lemma moved_leaf_kept (party : share_Primary) (own : list u128) (m m' : W) (ri ri' : u64) (x : u128) :
    m [+] unknown_correction party own ri x
    = m' [+] unknown_correction party own ri' (moved_leaf party own m m' ri ri' x).
  Proof.
    rewrite !unknown_correction_value_word. unfold moved_leaf. rewrite moved_label_value_word.
    destruct party; cbn; ring.
  Qed.

  Lemma moved_leaf_correction (party : share_Primary) (own : list u128) (m m' : W) (ri ri' : u64) (x : u128) :
    unknown_correction party own ri' (moved_leaf party own m m' ri ri' x)
    = m [+] unknown_correction party own ri x [-] m'.
  Proof. rewrite (moved_leaf_kept party own m m' ri ri' x). ring. Qed.
  Lemma plus_plus (x y z : W) : x [+] (y [+] z) = x [+] y [+] z.
  Proof. ring. Qed.
  Lemma plus_minus (x y z : W) : x [+] (y [-] z) = x [+] y [-] z.
  Proof. ring. Qed.

  (** * The primaries *)

  (* What a primary P_b holds: its leaves, unit vectors, and shares of ri, i* and M; delta_2 and delta_3. *)
  Record update_held : Type := {
    update_held_leaves : leaves_of_three;
    update_held_units : list W * list W * list W;
    update_held_index : u64;
    update_held_address : u64;
    update_held_value : W;
    update_held_deltas : W * W;
  }.
  (* What it does not know: ri, and the labels at ri of the other's trees, of which the flags are given. *)
  Record update_unknown : Type := { update_ri : u64; update_label_1 : u128; update_label_2 : u128; update_label_3 : u128 }.
  Definition update_drawn (r : update_unknown) : Prop := val (update_ri r) < val n.

  Record update_secret : Type := { update_state : paper_memory_State W; update_address : u64; update_value : W }.
  Definition update_secret_sized (s : update_secret) : Prop := state_sized (update_state s).

  Definition update_run (party : share_Primary) (held : update_held) (s : update_secret) (r : update_unknown) :
    paper_update_Update W :=
    let '(l_1, l_2, l_3) := update_held_leaves held in
    let ri := update_ri r in
    let others := (other_leaves l_1 ri (update_label_1 r), other_leaves l_2 ri (update_label_2 r),
      other_leaves l_3 ri (update_label_3 r)) in
    let '(leaves_0, leaves_1) := in_order party (update_held_leaves held) others in
    paper_update_update (update_state s)
      (update_material (units party n ri (update_held_units held)) leaves_0 leaves_1
        (fst (update_held_deltas held)) (snd (update_held_deltas held)))
      (in_order party (update_held_index held) (missing_index ri (update_held_index held) n))
      (in_order party (update_held_address held) (wsub (update_address s) (update_held_address held)))
      (in_order party (update_held_value held) (update_value s [-] update_held_value held)).

  (* What P_b receives: the other primary's message, shift share and M_(1-b) + F_(1-b)^(1), ^(2), ^(3). *)
  Definition update_view (party : share_Primary) (held : update_held) (s : update_secret) (r : update_unknown) :
    paper_update_UpdateMessage W :=
    match party with
    | share_Primary_P0 => paper_update_Update_message_1 (update_run party held s r)
    | share_Primary_P1 => paper_update_Update_message_0 (update_run party held s r)
    end.

  (* ri moves with i*; each label at ri makes up for M_(1-b), and for the leaf at the other ri. *)
  Definition update_move (party : share_Primary) (held : update_held) (s s' : update_secret) (r : update_unknown) :
    update_unknown :=
    let '(l_1, l_2, l_3) := update_held_leaves held in
    let ri := update_ri r in
    let ri' := moved_index n (update_address s) (update_address s') ri in
    let m := update_value s [-] update_held_value held in
    let m' := update_value s' [-] update_held_value held in
    let moved l x := moved_leaf (other_primary party) l m m' ri ri' x in
    {| update_ri := ri'; update_label_1 := moved l_1 (update_label_1 r); update_label_2 := moved l_2 (update_label_2 r);
       update_label_3 := moved l_3 (update_label_3 r) |}.

  (* P0 and P1: whatever a primary holds, its view of UPDATE is distributed the same for all addresses, all values and all
     states of n words. *)
  Theorem update_view_of_primary_private (party : share_Primary) (held : update_held) :
    independent_of_secrets update_secret_sized (fun _ => update_drawn) (update_view party held).
  Proof.
    apply (independent_by_move _ _ _ (update_move party held));
      destruct held as [[[l_1 l_2] l_3] [[t_1 t_2] t_3] own_ri own_i own_m [delta_2 delta_3]];
      unfold update_secret_sized, state_sized, update_drawn;
      intros [state i m] [state' i' m'] [ri x_1 x_2 x_3] hs hs' hr;
      cbn [update_state update_address update_value update_ri] in *.
    - apply mod_size_below, n_power.
    - unfold update_move. cbn [update_ri update_label_1 update_label_2 update_label_3 update_held_leaves
        update_held_value update_address update_value].
      unfold moved_leaf. rewrite moved_index_back, !moved_label_back by assumption. reflexivity.
    - destruct party; unfold update_view, update_run, update_material, paper_update_update, in_order, update_move; cbn;
        rewrite !(sized_len n) by assumption; unfold paper_update_message; cbn; f_equal;
        try (apply moved_index_shift_share; assumption);
        rewrite ?plus_plus, ?plus_minus; first [apply moved_leaf_kept | f_equal; apply moved_leaf_kept].
  Qed.
End Update.

(* For the words of the implementation. *)
Corollary update_view_of_primary_private_u64 (n : u64) (party : share_Primary) (held : update_held (W := u64)) :
  power_of_two n ->
  independent_of_secrets (update_secret_sized n) (fun _ => update_drawn n) (update_view n party held).
Proof. intros hn. apply update_view_of_primary_private, hn. Qed.
