(* Privacy of the lean UPDATE, WRITE and SWAP: what a party receives is distributed the same for every memory D, every address i*
   and every value M. Over any ring, for every size n = 2^h, h < 64. A WRITE's view is a part of SWAP's: all but g.

   Idealized as for READ (ReadPrivacy.v); besides, the other share of R_a is uniform to each party: f^a_1 to P0 and f^a_0 to P1, given
   their own flags, values and delta, and f^a_0 = R'_0 + G to P2, which does not know G.

   The messages are those of `lean::update::update` and `lean::write::swap`. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection.
From Duoram.lean Require Export ReadPrivacy.
From Duoram.Generated Require Import All.

Section Privacy.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Theory : RingTheory W}.
  Add Ring W_ring : (ring_theory_W W).
  Context (n : u64) (n_power : power_of_two n).
  Notation "x [+] y" := (ring_Ring_plus x y) (at level 50, left associativity).
  Notation "x [-] y" := (ring_Ring_minus x y) (at level 50, left associativity).
  Notation zero := (ring_Ring_zero W).
  Notation unit ri := (vector_unit_vector W n ri).

  (* Both sides of the values: what is held, and what is missing to R e_ri. *)
  Definition missing_values (R : W) (ri : u64) (own : list W) : list W := vector_sub (vector_scale R (unit ri)) own.

  (** * P0 *)

  (* What P0 holds besides: v^a_0, v^b_0, f^a_0, delta, M_0, and what it has with P1 and P2: x, which is y_01 in a WRITE, and y_02. *)
  Record write_held_by_0 : Type := {
    write_0_held : held_by_0 (W := W); write_0_values : list W * list W; write_0_share : W; write_0_delta : W; write_0_value : W;
    write_0_mask_01 : W; write_0_mask_02 : W;
  }.
  Definition write_held_0_sized (held : write_held_by_0) : Prop := held_0_sized n (write_0_held held).

  (* It does not know ri, f^a_1, and in a WRITE and a SWAP y_12 and rho. *)
  Record write_unknown_to_0 : Type := { write_0_ri : u64; write_0_other_share : W; write_0_mask_12 : W; write_0_mask : W }.
  Definition write_drawn_0 (r : write_unknown_to_0) : Prop := val (write_0_ri r) < val n.

  Definition material_for_0 (held : write_held_by_0) (r : write_unknown_to_0) : lean_update_Material W :=
    let R := write_0_share held [+] write_0_other_share r in
    let '(v_a, v_b) := write_0_values held in
    mk_lean_update_Material (flags_for_0 n (write_0_held held) (write_0_ri r))
      (mk_lean_update_Values v_a (missing_values R (write_0_ri r) v_a)
        v_b (missing_values (R [-] write_0_delta held) (write_0_ri r) v_b))
      (write_0_share held, write_0_other_share r) (write_0_delta held).
  Definition values_for_0 (held : write_held_by_0) (s : lean_secret (W := W)) : W * W :=
    (write_0_value held, lean_value s [-] write_0_value held).

  (* UPDATE: P0 receives s_1 and m_1. *)
  Definition update_view_0 (held : write_held_by_0) (s : lean_secret) (r : write_unknown_to_0) : u64 * W :=
    lean_update_Update_message_1 (lean_update_update (state_for_0 (write_0_held held) s) (material_for_0 held r) n
      (indices_for_0 (write_0_held held) (write_0_ri r)) (addresses_for_0 (write_0_held held) s) (values_for_0 held s)
      (write_0_mask_01 held)).

  Definition update_move_0 (s s' : lean_secret (W := W)) (r : write_unknown_to_0) : write_unknown_to_0 :=
    {| write_0_ri := lean_moved_index n (lean_address s) (lean_address s') (write_0_ri r);
       write_0_other_share := write_0_other_share r [+] (lean_value s' [-] lean_value s);
       write_0_mask_12 := write_0_mask_12 r; write_0_mask := write_0_mask r |}.

  Theorem lean_update_view_of_P0_private (held : write_held_by_0) : write_held_0_sized held ->
    independent_of_secrets (lean_secret_sized n) (fun _ => write_drawn_0) (update_view_0 held).
  Proof.
    intros hh. apply (independent_by_move _ _ _ update_move_0); intros s s' [ri f y rho] hs hs' hr; unfold write_drawn_0 in hr; cbn in hr.
    - apply lean_moved_index_below, n_power.
    - unfold update_move_0. cbn. rewrite lean_moved_index_back by assumption. f_equal. ring.
    - destruct held as [held [v_a v_b] f_0 delta m_0 y_01 y_02]. unfold update_view_0, lean_update_update. cbn.
      f_equal; [apply lean_shift_share_kept | unfold lean_update_masked_value_1; ring].
  Qed.

  (* SWAP: P0 receives s_1, P1's and P2's parts, and g. *)
  Definition swap_for_0 (held : write_held_by_0) (s : lean_secret) (r : write_unknown_to_0) : lean_write_Swap W :=
    lean_write_swap (state_for_0 (write_0_held held) s) (material_for_0 held r) n
      (indices_for_0 (write_0_held held) (write_0_ri r)) (addresses_for_0 (write_0_held held) s) (values_for_0 held s)
      (mk_lean_write_Masks (write_0_mask_01 held) (write_0_mask_02 held) (write_0_mask_12 r)) (write_0_mask r).
  Definition swap_view_0 (held : write_held_by_0) (s : lean_secret) (r : write_unknown_to_0) : u64 * W * W * W :=
    let outcome := swap_for_0 held s r in
    (lean_write_Swap_shift_1 outcome, lean_write_Swap_part_1 outcome, lean_write_Swap_part_2 outcome, lean_write_Swap_unblinding outcome).

  (* The messages without what P0 does not know but ri. *)
  Definition bare_0 (held : write_held_by_0) (s : lean_secret) (ri : u64) : lean_write_Swap W :=
    swap_for_0 held s {| write_0_ri := ri; write_0_other_share := zero; write_0_mask_12 := zero; write_0_mask := zero |}.

  Lemma swap_masked_0 (held : write_held_by_0) (s : lean_secret) (r : write_unknown_to_0) :
    lean_write_Swap_part_1 (swap_for_0 held s r)
      = lean_write_Swap_part_1 (bare_0 held s (write_0_ri r)) [-] write_0_other_share r [+] write_0_mask_12 r /\
    lean_write_Swap_part_2 (swap_for_0 held s r) = lean_write_Swap_part_2 (bare_0 held s (write_0_ri r)) [-] write_0_mask_12 r /\
    lean_write_Swap_unblinding (swap_for_0 held s r) = lean_write_Swap_unblinding (bare_0 held s (write_0_ri r)) [+] write_0_mask r.
  Proof.
    destruct held as [held [v_a v_b] f_0 delta m_0 y_01 y_02], r as [ri f y rho].
    unfold bare_0, swap_for_0, lean_write_swap. cbn.
    unfold lean_write_masked_part_1, lean_write_masked_part_2, lean_read_unblinding. repeat split; ring.
  Qed.

  Lemma swap_shift_0 (held : write_held_by_0) (s : lean_secret) (r : write_unknown_to_0) :
    lean_write_Swap_shift_1 (swap_for_0 held s r)
    = lean_read_shift_share (ixor (lean_address s) (held_0_address (write_0_held held)))
        (ixor (write_0_ri r) (held_0_index (write_0_held held))) n.
  Proof.
    destruct held as [held [v_a v_b] f_0 delta m_0 y_01 y_02], r as [ri f y rho].
    unfold swap_for_0, lean_write_swap. cbn. reflexivity.
  Qed.

  Definition swap_move_0 (held : write_held_by_0) (s s' : lean_secret) (r : write_unknown_to_0) : write_unknown_to_0 :=
    let ri' := lean_moved_index n (lean_address s) (lean_address s') (write_0_ri r) in
    let b := bare_0 held s (write_0_ri r) in
    let b' := bare_0 held s' ri' in
    let y := lean_write_Swap_part_2 b' [-] lean_write_Swap_part_2 b in
    {| write_0_ri := ri';
       write_0_other_share := write_0_other_share r [+] (lean_write_Swap_part_1 b' [-] lean_write_Swap_part_1 b) [+] y;
       write_0_mask_12 := write_0_mask_12 r [+] y;
       write_0_mask := write_0_mask r [+] (lean_write_Swap_unblinding b [-] lean_write_Swap_unblinding b') |}.

  Theorem lean_swap_view_of_P0_private (held : write_held_by_0) : write_held_0_sized held ->
    independent_of_secrets (lean_secret_sized n) (fun _ => write_drawn_0) (swap_view_0 held).
  Proof.
    intros hh. apply (independent_by_move _ _ _ (swap_move_0 held)); intros s s' r hs hs' hr.
    - apply lean_moved_index_below, n_power.
    - destruct r as [ri f y rho]. unfold write_drawn_0 in hr. cbn in hr. unfold swap_move_0.
      cbn [write_0_ri write_0_other_share write_0_mask_12 write_0_mask]. rewrite lean_moved_index_back by assumption. f_equal; ring.
    - unfold swap_view_0. destruct (swap_masked_0 held s r) as (e_1 & e_2 & e_3).
      destruct (swap_masked_0 held s' (swap_move_0 held s s' r)) as (e_1' & e_2' & e_3').
      cbv zeta. rewrite e_1, e_2, e_3, e_1', e_2', e_3', !swap_shift_0.
      unfold swap_move_0. cbn [write_0_ri write_0_other_share write_0_mask_12 write_0_mask].
      f_equal; [f_equal; [f_equal; [apply lean_shift_share_kept | ring] | ring] | ring].
  Qed.

  (** * P1 *)

  (* What P1 holds besides what it has for a READ: v^a_1, v^b_1, f^a_1, delta, M_1; x, which is y_01, and y_12; rho. It does not know
     delta; the theorem lets it. *)
  Record write_held_by_1 : Type := {
    write_1_held : held_by_1 (W := W); write_1_values : list W * list W; write_1_share : W; write_1_delta : W; write_1_value : W;
    write_1_mask_01 : W; write_1_mask_12 : W; write_1_mask : W;
  }.
  Definition write_held_1_sized (held : write_held_by_1) : Prop := held_1_sized n (write_1_held held).

  (* It does not know ri, f^a_0, and in a WRITE and a SWAP y_02. *)
  Record write_unknown_to_1 : Type := { write_1_ri : u64; write_1_other_share : W; write_1_mask_02 : W }.
  Definition write_drawn_1 (r : write_unknown_to_1) : Prop := val (write_1_ri r) < val n.

  Definition material_for_1 (held : write_held_by_1) (r : write_unknown_to_1) : lean_update_Material W :=
    let R := write_1_other_share r [+] write_1_share held in
    let '(v_a, v_b) := write_1_values held in
    mk_lean_update_Material (flags_for_1 n (write_1_held held) (write_1_ri r))
      (mk_lean_update_Values (missing_values R (write_1_ri r) v_a) v_a
        (missing_values (R [-] write_1_delta held) (write_1_ri r) v_b) v_b)
      (write_1_other_share r, write_1_share held) (write_1_delta held).
  Definition values_for_1 (held : write_held_by_1) (s : lean_secret (W := W)) : W * W :=
    (lean_value s [-] write_1_value held, write_1_value held).

  (* UPDATE: P1 receives s_0 and m_0. *)
  Definition update_view_1 (held : write_held_by_1) (s : lean_secret) (r : write_unknown_to_1) : u64 * W :=
    lean_update_Update_message_0 (lean_update_update (state_for_1 (write_1_held held) s) (material_for_1 held r) n
      (indices_for_1 (write_1_held held) (write_1_ri r)) (addresses_for_1 (write_1_held held) s) (values_for_1 held s)
      (write_1_mask_01 held)).

  Definition update_move_1 (s s' : lean_secret (W := W)) (r : write_unknown_to_1) : write_unknown_to_1 :=
    {| write_1_ri := lean_moved_index n (lean_address s) (lean_address s') (write_1_ri r);
       write_1_other_share := write_1_other_share r [+] (lean_value s' [-] lean_value s);
       write_1_mask_02 := write_1_mask_02 r |}.

  Theorem lean_update_view_of_P1_private (held : write_held_by_1) : write_held_1_sized held ->
    independent_of_secrets (lean_secret_sized n) (fun _ => write_drawn_1) (update_view_1 held).
  Proof.
    intros hh. apply (independent_by_move _ _ _ update_move_1); intros s s' [ri f y] hs hs' hr; unfold write_drawn_1 in hr; cbn in hr.
    - apply lean_moved_index_below, n_power.
    - unfold update_move_1. cbn. rewrite lean_moved_index_back by assumption. f_equal. ring.
    - destruct held as [held [v_a v_b] f_1 delta m_1 y_01 y_12 rho]. unfold update_view_1, lean_update_update. cbn.
      f_equal; [apply lean_shift_share_kept | unfold lean_update_masked_value_0; ring].
  Qed.

  (* SWAP: P1 receives s_0, P0's and P2's parts. *)
  Definition swap_for_1 (held : write_held_by_1) (s : lean_secret) (r : write_unknown_to_1) : lean_write_Swap W :=
    lean_write_swap (state_for_1 (write_1_held held) s) (material_for_1 held r) n
      (indices_for_1 (write_1_held held) (write_1_ri r)) (addresses_for_1 (write_1_held held) s) (values_for_1 held s)
      (mk_lean_write_Masks (write_1_mask_01 held) (write_1_mask_02 r) (write_1_mask_12 held)) (write_1_mask held).
  Definition swap_view_1 (held : write_held_by_1) (s : lean_secret) (r : write_unknown_to_1) : u64 * W * W :=
    let outcome := swap_for_1 held s r in
    (lean_write_Swap_shift_0 outcome, lean_write_Swap_part_0 outcome, lean_write_Swap_part_2 outcome).

  Definition bare_1 (held : write_held_by_1) (s : lean_secret) (ri : u64) : lean_write_Swap W :=
    swap_for_1 held s {| write_1_ri := ri; write_1_other_share := zero; write_1_mask_02 := zero |}.

  Lemma swap_masked_1 (held : write_held_by_1) (s : lean_secret) (r : write_unknown_to_1) :
    lean_write_Swap_part_0 (swap_for_1 held s r)
      = lean_write_Swap_part_0 (bare_1 held s (write_1_ri r)) [-] write_1_other_share r [+] write_1_mask_02 r /\
    lean_write_Swap_part_2 (swap_for_1 held s r) = lean_write_Swap_part_2 (bare_1 held s (write_1_ri r)) [-] write_1_mask_02 r.
  Proof.
    destruct held as [held [v_a v_b] f_1 delta m_1 y_01 y_12 rho], r as [ri f y].
    unfold bare_1, swap_for_1, lean_write_swap. cbn.
    unfold lean_write_masked_part_0, lean_write_masked_part_2. split; ring.
  Qed.

  Lemma swap_shift_1 (held : write_held_by_1) (s : lean_secret) (r : write_unknown_to_1) :
    lean_write_Swap_shift_0 (swap_for_1 held s r)
    = lean_read_shift_share (ixor (lean_address s) (held_1_address (write_1_held held)))
        (ixor (write_1_ri r) (held_1_index (write_1_held held))) n.
  Proof.
    destruct held as [held [v_a v_b] f_1 delta m_1 y_01 y_12 rho], r as [ri f y].
    unfold swap_for_1, lean_write_swap. cbn. reflexivity.
  Qed.

  Definition swap_move_1 (held : write_held_by_1) (s s' : lean_secret) (r : write_unknown_to_1) : write_unknown_to_1 :=
    let ri' := lean_moved_index n (lean_address s) (lean_address s') (write_1_ri r) in
    let b := bare_1 held s (write_1_ri r) in
    let b' := bare_1 held s' ri' in
    let y := lean_write_Swap_part_2 b' [-] lean_write_Swap_part_2 b in
    {| write_1_ri := ri';
       write_1_other_share := write_1_other_share r [+] (lean_write_Swap_part_0 b' [-] lean_write_Swap_part_0 b) [+] y;
       write_1_mask_02 := write_1_mask_02 r [+] y |}.

  Theorem lean_swap_view_of_P1_private (held : write_held_by_1) : write_held_1_sized held ->
    independent_of_secrets (lean_secret_sized n) (fun _ => write_drawn_1) (swap_view_1 held).
  Proof.
    intros hh. apply (independent_by_move _ _ _ (swap_move_1 held)); intros s s' r hs hs' hr.
    - apply lean_moved_index_below, n_power.
    - destruct r as [ri f y]. unfold write_drawn_1 in hr. cbn in hr. unfold swap_move_1.
      cbn [write_1_ri write_1_other_share write_1_mask_02]. rewrite lean_moved_index_back by assumption. f_equal; ring.
    - unfold swap_view_1. destruct (swap_masked_1 held s r) as (e_0 & e_2).
      destruct (swap_masked_1 held s' (swap_move_1 held s s' r)) as (e_0' & e_2').
      cbv zeta. rewrite e_0, e_2, e_0', e_2', !swap_shift_1.
      unfold swap_move_1. cbn [write_1_ri write_1_other_share write_1_mask_02].
      f_equal; [f_equal; [apply lean_shift_share_kept | ring] | ring].
  Qed.

  (** * P2 *)

  (* What P2 holds besides what it has for a READ: v^a_0, v^b_1, f^a_1, which it dealt, delta; y_02, y_12 and rho. *)
  Record write_held_by_2 : Type := {
    write_2_held : held_by_2 (W := W); write_2_values : list W * list W; write_2_share : W; write_2_delta : W;
    write_2_mask_02 : W; write_2_mask_12 : W; write_2_mask : W;
  }.
  Definition write_held_2_sized (held : write_held_by_2) : Prop := held_2_sized n (write_2_held held).

  (* It does not know ri and ri_0, f^a_0, and x, which is y_01 in a WRITE and a SWAP. *)
  Record write_unknown_to_2 : Type := { write_2_index : index_unknown_to_2; write_2_other_share : W; write_2_mask_01 : W }.
  Definition write_drawn_2 (r : write_unknown_to_2) : Prop := index_drawn_2 n (write_2_index r).

  Definition material_for_2 (held : write_held_by_2) (r : write_unknown_to_2) : lean_update_Material W :=
    let ri := unknown_2_ri (write_2_index r) in
    let R := write_2_other_share r [+] write_2_share held in
    let '(v_a, v_b) := write_2_values held in
    mk_lean_update_Material (flags_for_2 n (write_2_held held) ri)
      (mk_lean_update_Values v_a (missing_values R ri v_a) (missing_values (R [-] write_2_delta held) ri v_b) v_b)
      (write_2_other_share r, write_2_share held) (write_2_delta held).

  (* UPDATE: P2 receives both messages. *)
  Definition update_for_2 (held : write_held_by_2) (s : shared_secret) (r : write_unknown_to_2) : lean_update_Update W :=
    lean_update_update (state_for_2 (write_2_held held) s) (material_for_2 held r) n
      (indices_for_2 (write_2_index r)) (shared_address s) (shared_value s) (write_2_mask_01 r).
  Definition update_view_2 (held : write_held_by_2) (s : shared_secret) (r : write_unknown_to_2) : (u64 * W) * (u64 * W) :=
    (lean_update_Update_message_0 (update_for_2 held s r), lean_update_Update_message_1 (update_for_2 held s r)).

  Definition update_move_2 (s s' : shared_secret (W := W)) (r : write_unknown_to_2) : write_unknown_to_2 :=
    let x := snd (shared_value s') [-] snd (shared_value s) in
    {| write_2_index := index_move_2 n s s' (write_2_index r);
       write_2_other_share := write_2_other_share r [+] (fst (shared_value s') [-] fst (shared_value s)) [+] x;
       write_2_mask_01 := write_2_mask_01 r [+] x |}.

  Theorem lean_update_view_of_P2_private (held : write_held_by_2) : write_held_2_sized held ->
    independent_of_secrets (shared_secret_sized n) (fun _ => write_drawn_2) (update_view_2 held).
  Proof.
    intros hh. apply (independent_by_move _ _ _ update_move_2); intros s s' [index f x] hs hs' hr; unfold write_drawn_2 in hr; cbn in hr.
    - split; apply lean_moved_index_below, n_power.
    - unfold update_move_2. cbn [write_2_index write_2_other_share write_2_mask_01].
      rewrite index_move_2_back by assumption. f_equal; ring.
    - destruct held as [held [v_a v_b] f_1 delta y_02 y_12 rho], s as [d [i_0 i_1] [m_0 m_1]], s' as [d' [i_0' i_1'] [m_0' m_1']],
        index as [ri ri_0]. unfold shared_secret_sized in *. cbn in hs, hs'.
      unfold update_view_2, update_for_2, lean_update_update. cbn.
      destruct (lean_shift_shares_kept n i_0 i_1 i_0' i_1' ri ri_0) as [e_0 e_1].
      unfold lean_update_masked_value_0, lean_update_masked_value_1.
      f_equal; (f_equal; [first [exact e_0 | exact e_1] | ring]).
  Qed.

  (* SWAP: P2 receives both shift shares, P0's and P1's parts. *)
  Definition swap_for_2 (held : write_held_by_2) (s : shared_secret) (r : write_unknown_to_2) : lean_write_Swap W :=
    lean_write_swap (state_for_2 (write_2_held held) s) (material_for_2 held r) n
      (indices_for_2 (write_2_index r)) (shared_address s) (shared_value s)
      (mk_lean_write_Masks (write_2_mask_01 r) (write_2_mask_02 held) (write_2_mask_12 held)) (write_2_mask held).
  Definition swap_view_2 (held : write_held_by_2) (s : shared_secret) (r : write_unknown_to_2) : u64 * u64 * W * W :=
    let outcome := swap_for_2 held s r in
    (lean_write_Swap_shift_0 outcome, lean_write_Swap_shift_1 outcome, lean_write_Swap_part_0 outcome, lean_write_Swap_part_1 outcome).

  Definition bare_2 (held : write_held_by_2) (s : shared_secret) (index : index_unknown_to_2) : lean_write_Swap W :=
    swap_for_2 held s {| write_2_index := index; write_2_other_share := zero; write_2_mask_01 := zero |}.

  Lemma swap_masked_2 (held : write_held_by_2) (s : shared_secret) (r : write_unknown_to_2) :
    lean_write_Swap_part_0 (swap_for_2 held s r)
      = lean_write_Swap_part_0 (bare_2 held s (write_2_index r)) [-] write_2_other_share r [+] write_2_mask_01 r /\
    lean_write_Swap_part_1 (swap_for_2 held s r) = lean_write_Swap_part_1 (bare_2 held s (write_2_index r)) [-] write_2_mask_01 r.
  Proof.
    destruct held as [held [v_a v_b] f_1 delta y_02 y_12 rho], r as [[ri ri_0] f x], s as [d [i_0 i_1] [m_0 m_1]].
    unfold bare_2, swap_for_2, lean_write_swap. cbn.
    unfold lean_write_masked_part_0, lean_write_masked_part_1. split; ring.
  Qed.

  Lemma swap_shifts_2 (held : write_held_by_2) (s : shared_secret) (r : write_unknown_to_2) :
    lean_write_Swap_shift_0 (swap_for_2 held s r)
      = lean_read_shift_share (fst (shared_address s)) (unknown_2_ri_0 (write_2_index r)) n /\
    lean_write_Swap_shift_1 (swap_for_2 held s r)
      = lean_read_shift_share (snd (shared_address s))
          (ixor (unknown_2_ri (write_2_index r)) (unknown_2_ri_0 (write_2_index r))) n.
  Proof.
    destruct held as [held [v_a v_b] f_1 delta y_02 y_12 rho], r as [[ri ri_0] f x], s as [d [i_0 i_1] [m_0 m_1]].
    unfold swap_for_2, lean_write_swap. cbn. split; reflexivity.
  Qed.

  Definition swap_move_2 (held : write_held_by_2) (s s' : shared_secret) (r : write_unknown_to_2) : write_unknown_to_2 :=
    let index' := index_move_2 n s s' (write_2_index r) in
    let b := bare_2 held s (write_2_index r) in
    let b' := bare_2 held s' index' in
    let x := lean_write_Swap_part_1 b' [-] lean_write_Swap_part_1 b in
    {| write_2_index := index';
       write_2_other_share := write_2_other_share r [+] (lean_write_Swap_part_0 b' [-] lean_write_Swap_part_0 b) [+] x;
       write_2_mask_01 := write_2_mask_01 r [+] x |}.

  Theorem lean_swap_view_of_P2_private (held : write_held_by_2) : write_held_2_sized held ->
    independent_of_secrets (shared_secret_sized n) (fun _ => write_drawn_2) (swap_view_2 held).
  Proof.
    intros hh. apply (independent_by_move _ _ _ (swap_move_2 held)); intros s s' r hs hs' hr.
    - split; apply lean_moved_index_below, n_power.
    - destruct r as [index f x]. unfold write_drawn_2 in hr. cbn in hr. unfold swap_move_2.
      cbn [write_2_index write_2_other_share write_2_mask_01]. rewrite index_move_2_back by assumption. f_equal; ring.
    - unfold swap_view_2. destruct (swap_masked_2 held s r) as (e_0 & e_1).
      destruct (swap_masked_2 held s' (swap_move_2 held s s' r)) as (e_0' & e_1').
      destruct (swap_shifts_2 held s r) as (t_0 & t_1).
      destruct (swap_shifts_2 held s' (swap_move_2 held s s' r)) as (t_0' & t_1').
      cbv zeta. rewrite e_0, e_1, e_0', e_1', t_0, t_1, t_0', t_1'.
      unfold swap_move_2. cbn [write_2_index write_2_other_share write_2_mask_01].
      destruct (lean_shift_shares_kept n (fst (shared_address s)) (snd (shared_address s)) (fst (shared_address s'))
        (snd (shared_address s')) (unknown_2_ri (write_2_index r)) (unknown_2_ri_0 (write_2_index r))) as [k_0 k_1].
      f_equal; [f_equal; [f_equal; [exact k_0 | exact k_1] | ring] | ring].
  Qed.
End Privacy.

(* With the words of the implementation. *)
Definition lean_swap_view_of_P0_private_XorWord := lean_swap_view_of_P0_private (W := ring_XorWord).
Definition lean_swap_view_of_P1_private_XorWord := lean_swap_view_of_P1_private (W := ring_XorWord).
Definition lean_swap_view_of_P2_private_XorWord := lean_swap_view_of_P2_private (W := ring_XorWord).
