(* Privacy of the lean READ, and of a load: what a party receives is distributed the same for every memory D and every address
   i*. Over any ring, for every size n = 2^h, h < 64.

   Idealized: preparing has dealt flags that point at ri, ri is uniform to each primary, given its own share of it and its own
   flags, and ri and ri_0 are uniform to P2, given the flags that it has; masks of a pair are uniform to the third party. In the
   implementation these are pseudorandom; that is not formalized.

   The messages are those of `lean::read::read` and `lean::memory::shared`. A view is what the party receives; what it holds
   itself is fixed, and the same in both cases. What the others hold follows from that and from the secrets. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection.
From Duoram.lean Require Export StateFacts.
From Duoram.Generated Require Import All.

(** * The random index *)

Section Index.
  Context (n : u64) (n_power : power_of_two n).

  (* ri moves with the address, so that S stays. *)
  Definition lean_moved_index (i i' ri : u64) : u64 := vector_mod_size (ixor ri (ixor i i')) n.

  Lemma lean_moved_index_below i i' ri : val (lean_moved_index i i' ri) < val n.
  Proof. apply mod_size_below, n_power. Qed.

  Lemma lean_moved_index_back i i' ri : val ri < val n -> lean_moved_index i' i (lean_moved_index i i' ri) = ri.
  Proof.
    intros h. unfold lean_moved_index. rewrite (ixor_comm i' i). rewrite !mod_size_ixor, !mod_size_mod_size.
    rewrite (mod_size_small ri) by assumption. xor_and.
  Qed.

  (* The shift share of a party whose shares of i* and ri are what is missing to the other's. *)
  Lemma lean_shift_share_kept i i' ri own_i own_ri :
    lean_read_shift_share (ixor i own_i) (ixor ri own_ri) n
    = lean_read_shift_share (ixor i' own_i) (ixor (lean_moved_index i i' ri) own_ri) n.
  Proof.
    unfold lean_read_shift_share, lean_moved_index. rewrite !mod_size_ixor, !mod_size_mod_size. xor_and.
  Qed.

  (* Both shift shares, for P2: ri_0 moves with i*_0, ri with i*. *)
  Lemma lean_shift_shares_kept i_0 i_1 i_0' i_1' ri ri_0 :
    lean_read_shift_share i_0 ri_0 n = lean_read_shift_share i_0' (lean_moved_index i_0 i_0' ri_0) n /\
    lean_read_shift_share i_1 (ixor ri ri_0) n
    = lean_read_shift_share i_1' (ixor (lean_moved_index (ixor i_0 i_1) (ixor i_0' i_1') ri) (lean_moved_index i_0 i_0' ri_0)) n.
  Proof.
    unfold lean_read_shift_share, lean_moved_index. rewrite !mod_size_ixor, !mod_size_mod_size.
    split; xor_and.
  Qed.
End Index.

Section Privacy.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Theory : RingTheory W}.
  Add Ring W_ring : (ring_theory_W W).
  Context (n : u64) (n_power : power_of_two n).
  Notation "x [+] y" := (ring_Ring_plus x y) (at level 50, left associativity).
  Notation "x [-] y" := (ring_Ring_minus x y) (at level 50, left associativity).

  (* The secrets of an operation: D, i* and M; READ has no M. *)
  Record lean_secret : Type := { lean_memory : list W; lean_address : u64; lean_value : W }.
  Definition lean_secret_sized (s : lean_secret) : Prop := sized n (lean_memory s).

  Notation unit ri := (vector_unit_vector W n ri).

  (** * P0 *)

  (* P0 holds A and H, t^a_0 and t^b_0, its shares of ri and i*. *)
  Record held_by_0 : Type := {
    held_0_alpha : list W; held_0_beta : list W; held_0_flags : list W * list W; held_0_index : u64; held_0_address : u64;
  }.
  Definition held_0_sized (held : held_by_0) : Prop := sized n (held_0_alpha held).

  (* So E = D - A, B = D - H, t^a_1 = e_ri - t^a_0, t^b_1 = e_ri - t^b_0. *)
  Definition state_for_0 (held : held_by_0) (s : lean_secret) : lean_memory_State W :=
    mk_lean_memory_State (mk_lean_memory_State0 (held_0_alpha held) (held_0_beta held))
      (mk_lean_memory_State1 (vector_sub (lean_memory s) (held_0_alpha held)))
      (mk_lean_memory_State2 (held_0_alpha held) (vector_sub (lean_memory s) (held_0_beta held))).
  Definition flags_for_0 (held : held_by_0) (ri : u64) : lean_read_Flags W :=
    mk_lean_read_Flags (fst (held_0_flags held)) (vector_sub (unit ri) (fst (held_0_flags held)))
      (snd (held_0_flags held)) (vector_sub (unit ri) (snd (held_0_flags held))).
  Definition indices_for_0 (held : held_by_0) (ri : u64) : u64 * u64 := (held_0_index held, ixor ri (held_0_index held)).
  Definition addresses_for_0 (held : held_by_0) (s : lean_secret) : u64 * u64 :=
    (held_0_address held, ixor (lean_address s) (held_0_address held)).

  (* It does not know ri and rho. *)
  Record read_unknown_to_0 : Type := { read_0_ri : u64; read_0_mask : W }.
  Definition read_drawn_0 (r : read_unknown_to_0) : Prop := val (read_0_ri r) < val n.

  (* It receives s_1 and g. *)
  Definition read_view_0 (held : held_by_0) (s : lean_secret) (r : read_unknown_to_0) : u64 * W :=
    let outcome := lean_read_read (state_for_0 held s) (flags_for_0 held (read_0_ri r)) n (indices_for_0 held (read_0_ri r))
      (addresses_for_0 held s) (read_0_mask r) in
    (lean_read_Read_shift_1 outcome, lean_read_Read_unblinding outcome).

  Definition read_move_0 (held : held_by_0) (s s' : lean_secret) (r : read_unknown_to_0) : read_unknown_to_0 :=
    let ri' := lean_moved_index n (lean_address s) (lean_address s') (read_0_ri r) in
    let bare s ri := snd (read_view_0 held s {| read_0_ri := ri; read_0_mask := ring_Ring_zero W |}) in
    {| read_0_ri := ri'; read_0_mask := read_0_mask r [+] (bare s (read_0_ri r) [-] bare s' ri') |}.

  (* P0's view of READ: the same for all memories and all addresses. *)
  Theorem lean_read_view_of_P0_private (held : held_by_0) : held_0_sized held ->
    independent_of_secrets lean_secret_sized (fun _ => read_drawn_0) (read_view_0 held).
  Proof.
    intros hh. apply (independent_by_move _ _ _ (read_move_0 held)); intros s s' [ri rho] hs hs' hr; unfold read_drawn_0 in hr;
      cbn [read_0_ri] in hr.
    - apply lean_moved_index_below, n_power.
    - unfold read_move_0. cbn [read_0_ri read_0_mask]. rewrite lean_moved_index_back by assumption. f_equal. ring.
    - unfold read_move_0. cbn [read_0_ri read_0_mask]. unfold read_view_0, lean_read_read. cbv zeta.
      unfold state_for_0, indices_for_0, addresses_for_0.
      cbn [lean_memory_State_p1 lean_memory_State1_alpha read_0_ri read_0_mask fst snd lean_read_Read_shift_1 lean_read_Read_unblinding].
      f_equal; [apply lean_shift_share_kept|].
      unfold lean_read_unblinding. ring.
  Qed.

  (** * P1 *)

  (* P1 holds E, t^a_1, its shares of ri and i*, and rho. It had t^b_1 while it made it, and B is of its stream with P2: the
     theorem lets it have both. *)
  Record held_by_1 : Type := {
    held_1_alpha : list W; held_1_beta : list W; held_1_flags : list W * list W; held_1_index : u64; held_1_address : u64;
  }.
  Definition held_1_sized (held : held_by_1) : Prop := sized n (held_1_alpha held).
  Definition state_for_1 (held : held_by_1) (s : lean_secret) : lean_memory_State W :=
    mk_lean_memory_State
      (mk_lean_memory_State0 (vector_sub (lean_memory s) (held_1_alpha held)) (vector_sub (lean_memory s) (held_1_beta held)))
      (mk_lean_memory_State1 (held_1_alpha held))
      (mk_lean_memory_State2 (vector_sub (lean_memory s) (held_1_alpha held)) (held_1_beta held)).
  Definition flags_for_1 (held : held_by_1) (ri : u64) : lean_read_Flags W :=
    mk_lean_read_Flags (vector_sub (unit ri) (fst (held_1_flags held))) (fst (held_1_flags held))
      (vector_sub (unit ri) (snd (held_1_flags held))) (snd (held_1_flags held)).
  Definition indices_for_1 (held : held_by_1) (ri : u64) : u64 * u64 := (ixor ri (held_1_index held), held_1_index held).
  Definition addresses_for_1 (held : held_by_1) (s : lean_secret) : u64 * u64 :=
    (ixor (lean_address s) (held_1_address held), held_1_address held).

  (* It receives s_0. *)
  Definition read_view_1 (held : held_by_1) (mask : W) (s : lean_secret) (ri : u64) : u64 :=
    lean_read_Read_shift_0 (lean_read_read (state_for_1 held s) (flags_for_1 held ri) n (indices_for_1 held ri)
      (addresses_for_1 held s) mask).

  Theorem lean_read_view_of_P1_private (held : held_by_1) (mask : W) : held_1_sized held ->
    independent_of_secrets lean_secret_sized (fun _ ri => val ri < val n) (read_view_1 held mask).
  Proof.
    intros hh. apply (independent_by_move _ _ _ (fun s s' ri => lean_moved_index n (lean_address s) (lean_address s') ri));
      intros s s' ri hs hs' hr.
    - apply lean_moved_index_below, n_power.
    - apply lean_moved_index_back; assumption.
    - unfold read_view_1, lean_read_read. cbn. apply lean_shift_share_kept.
  Qed.

  (** * P2 *)

  (* P2 holds A, B, t^a_0, t^b_1 and rho. *)
  Record held_by_2 : Type := { held_2_alpha : list W; held_2_beta : list W; held_2_flags : list W * list W }.
  Definition held_2_sized (held : held_by_2) : Prop := sized n (held_2_alpha held).

  (* The secrets are D, i* and M with their sharing. *)
  Record shared_secret : Type := { shared_memory : list W; shared_address : u64 * u64; shared_value : W * W }.
  Definition shared_secret_sized (s : shared_secret) : Prop := sized n (shared_memory s).

  Definition state_for_2 (held : held_by_2) (s : shared_secret) : lean_memory_State W :=
    mk_lean_memory_State (mk_lean_memory_State0 (held_2_alpha held) (vector_sub (shared_memory s) (held_2_beta held)))
      (mk_lean_memory_State1 (vector_sub (shared_memory s) (held_2_alpha held)))
      (mk_lean_memory_State2 (held_2_alpha held) (held_2_beta held)).
  Definition flags_for_2 (held : held_by_2) (ri : u64) : lean_read_Flags W :=
    mk_lean_read_Flags (fst (held_2_flags held)) (vector_sub (unit ri) (fst (held_2_flags held)))
      (vector_sub (unit ri) (snd (held_2_flags held))) (snd (held_2_flags held)).

  (* It does not know ri, nor ri_0 (nor ri_1 = ri xor ri_0). *)
  Record index_unknown_to_2 : Type := { unknown_2_ri : u64; unknown_2_ri_0 : u64 }.
  Definition index_drawn_2 (r : index_unknown_to_2) : Prop := val (unknown_2_ri r) < val n /\ val (unknown_2_ri_0 r) < val n.
  Definition indices_for_2 (r : index_unknown_to_2) : u64 * u64 := (unknown_2_ri_0 r, ixor (unknown_2_ri r) (unknown_2_ri_0 r)).
  Definition index_move_2 (s s' : shared_secret) (r : index_unknown_to_2) : index_unknown_to_2 :=
    {| unknown_2_ri := lean_moved_index n (ixor (fst (shared_address s)) (snd (shared_address s)))
         (ixor (fst (shared_address s')) (snd (shared_address s'))) (unknown_2_ri r);
       unknown_2_ri_0 := lean_moved_index n (fst (shared_address s)) (fst (shared_address s')) (unknown_2_ri_0 r) |}.

  Lemma index_move_2_back (s s' : shared_secret) (r : index_unknown_to_2) : index_drawn_2 r ->
    index_move_2 s' s (index_move_2 s s' r) = r.
  Proof.
    destruct r as [ri ri_0]. intros [h h_0]. unfold index_move_2. cbn in *.
    rewrite !lean_moved_index_back by assumption. reflexivity.
  Qed.

  (* It receives both shift shares. *)
  Definition read_view_2 (held : held_by_2) (mask : W) (s : shared_secret) (r : index_unknown_to_2) : u64 * u64 :=
    let outcome := lean_read_read (state_for_2 held s) (flags_for_2 held (unknown_2_ri r)) n (indices_for_2 r) (shared_address s) mask in
    (lean_read_Read_shift_0 outcome, lean_read_Read_shift_1 outcome).

  Theorem lean_read_view_of_P2_private (held : held_by_2) (mask : W) : held_2_sized held ->
    independent_of_secrets shared_secret_sized (fun _ => index_drawn_2) (read_view_2 held mask).
  Proof.
    intros hh. apply (independent_by_move _ _ _ index_move_2); intros s s' r hs hs' hr.
    - split; apply lean_moved_index_below, n_power.
    - apply index_move_2_back, hr.
    - destruct s as [d [i_0 i_1] m], s' as [d' [i_0' i_1'] m'], r as [ri ri_0].
      unfold shared_secret_sized in *. cbn in hs, hs'. unfold read_view_2, lean_read_read. cbn.
      destruct (lean_shift_shares_kept n i_0 i_1 i_0' i_1' ri ri_0) as [e_0 e_1]. f_equal; [exact e_0 | exact e_1].
  Qed.

  (** * Load *)

  Lemma moved_vector_back (x d d' : list W) : sized n x -> sized n d -> sized n d' ->
    vector_add (vector_add x (vector_sub d d')) (vector_sub d' d) = x.
  Proof. intros. by_elements n. ring. Qed.

  (* P0 receives D_1 - B, and B is uniform to it: the same for all D_1. P1 receives nothing. *)
  Theorem lean_load_view_of_P0_private :
    independent_of_secrets (sized n) (fun _ => sized n) (fun d_1 b : list W => lean_memory_masked_share d_1 b).
  Proof.
    apply (independent_by_move _ _ _ (fun d d' b => vector_add b (vector_sub d' d))); intros d d' b hd hd' hb.
    - auto with sizes.
    - apply moved_vector_back; assumption.
    - unfold lean_memory_masked_share. by_elements n. ring.
  Qed.

  (* P2 receives A = D_0 + x, and x is uniform to it: the same for all D_0. *)
  Theorem lean_load_view_of_P2_private :
    independent_of_secrets (sized n) (fun _ => sized n) (fun d_0 x : list W => lean_memory_loaded_alpha_0 d_0 x).
  Proof.
    apply (independent_by_move _ _ _ (fun d d' x => vector_add x (vector_sub d d'))); intros d d' x hd hd' hx.
    - auto with sizes.
    - apply moved_vector_back; assumption.
    - unfold lean_memory_loaded_alpha_0. by_elements n. ring.
  Qed.
End Privacy.
