(* Privacy of READ [duoram, section 3.1.1; Protocol 1]: what a party receives is distributed the same for every memory D
   and every address i*. For words with [RingLaws], and every size n = 2^h, h < 64.

   Idealized: preprocessing (IdealPreprocessing.v): ri uniform, P2 does not know ri_0; the blinds zeta_b and the mask rho
   are uniform to the other primary. In the implementation they are pseudorandom; that is not formalized.

   The messages are those of `read::read` on the state that `memory::shared` makes. A view is what the party receives;
   what it holds itself (its shares, blinds, unit vectors) is fixed, and the same in both cases. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection.
From Duoram.paper Require Import IdealPreprocessing.
From Duoram.Generated Require Import All.

Section Read.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Laws : RingLaws W}.
  Add Ring W_ring : (ring_theory_W W).
  Context (n : u64) (n_power : power_of_two n).

  (* The secrets: D and i*; the target is i* mod n, i* itself is shared as a word of 64 bits. *)
  Record read_secret : Type := { secret_memory : list W; secret_address : u64 }.
  Definition read_secret_sized (s : read_secret) : Prop := length (secret_memory s) = nat_of n.

  (** * The primaries *)

  (* What a primary P_b holds: D_b, zeta_b, t_b^(1), t_b^(2), t_b^(3), its shares of ri and i*. *)
  Record read_held : Type := {
    held_memory : list W;
    held_blind : list W;
    held_units : list W * list W * list W;
    held_index : u64;
    held_address : u64;
  }.

  (* What it does not know: ri, the other primary's blind, and rho, which P2 draws. *)
  Record read_unknown : Type := { unknown_ri : u64; unknown_blind : list W; unknown_mask : W }.
  Definition read_drawn (r : read_unknown) : Prop :=
    val (unknown_ri r) < val n /\ length (unknown_blind r) = nat_of n.

  (* The state, and the run of READ: the other primary has the shares that are missing to D, i*, ri and e_ri. *)
  Definition read_state (party : share_Primary) (held : read_held) (s : read_secret) (r : read_unknown) :
    paper_memory_State W :=
    let '(d_0, d_1) := in_order party (held_memory held) (vector_sub (secret_memory s) (held_memory held)) in
    let '(zeta_0, zeta_1) := in_order party (held_blind held) (unknown_blind r) in
    paper_memory_shared d_0 d_1 zeta_0 zeta_1.
  Definition read_run (party : share_Primary) (held : read_held) (s : read_secret) (r : read_unknown) : paper_read_Read W :=
    paper_read_read (read_state party held s r)
      (units party n (unknown_ri r) (held_units held))
      (in_order party (held_index held) (missing_index (unknown_ri r) (held_index held) n))
      (in_order party (held_address held) (wsub (secret_address s) (held_address held)))
      (unknown_mask r).

  (* What P_b receives: the other's blinded share D~_(1-b), the other's shift share, and gamma_b. *)
  Definition read_view (party : share_Primary) (held : read_held) (s : read_secret) (r : read_unknown) :
    list W * u64 * W :=
    match party with
    | share_Primary_P0 =>
        (paper_memory_PrimaryState_blinded (paper_memory_State_p0 (read_state party held s r)),
         paper_read_Read_shift_1 (read_run party held s r), paper_read_Read_gamma_0 (read_run party held s r))
    | share_Primary_P1 =>
        (paper_memory_PrimaryState_blinded (paper_memory_State_p1 (read_state party held s r)),
         paper_read_Read_shift_0 (read_run party held s r), paper_read_Read_gamma_1 (read_run party held s r))
    end.

  (* gamma_b without the mask rho. *)
  Definition bare_gamma (party : share_Primary) (held : read_held) (s : read_secret) (ri : u64) (blind : list W) : W :=
    snd (read_view party held s {| unknown_ri := ri; unknown_blind := blind; unknown_mask := ring_Ring_zero W |}).

  (* The bijection, from the randomness of s to that of s': ri moves with i*, zeta_(1-b) makes up for D_(1-b), and rho for
     gamma_b. Its inverse is the same with s and s' exchanged. *)
  Definition read_move (party : share_Primary) (held : read_held) (s s' : read_secret) (r : read_unknown) :
    read_unknown :=
    let ri' := moved_index n (secret_address s) (secret_address s') (unknown_ri r) in
    let blind' := vector_add (unknown_blind r) (vector_sub (secret_memory s) (secret_memory s')) in
    let correction := ring_Ring_minus (bare_gamma party held s (unknown_ri r) (unknown_blind r))
      (bare_gamma party held s' ri' blind') in
    {| unknown_ri := ri'; unknown_blind := blind';
       unknown_mask := ring_Ring_plus (unknown_mask r) (share_signed party correction) |}.

  Lemma blind_back (zeta d d' : list W) : length zeta = nat_of n -> length d = nat_of n -> length d' = nat_of n ->
    vector_add (vector_add zeta (vector_sub d d')) (vector_sub d' d) = zeta.
  Proof.
    intros hz hd hd'. apply (list_ext (ring_Ring_zero W)); [lengths|].
    intros k _. rewrite !nth_vector_add, !nth_vector_sub by lengths. ring.
  Qed.
  Lemma blinded_kept (zeta d d' own : list W) : length zeta = nat_of n -> length d = nat_of n ->
    length d' = nat_of n -> length own = nat_of n ->
    vector_add (vector_sub d own) zeta = vector_add (vector_sub d' own) (vector_add zeta (vector_sub d d')).
  Proof.
    intros hz hd hd' ho. apply (list_ext (ring_Ring_zero W)); [lengths|].
    intros k _. rewrite !nth_vector_add, !nth_vector_sub by lengths. ring.
  Qed.

  (* gamma_b is masked by rho. *)
  Lemma gamma_masked (party : share_Primary) (held : read_held) (s : read_secret) (ri : u64) (blind : list W) (mask : W) :
    snd (read_view party held s {| unknown_ri := ri; unknown_blind := blind; unknown_mask := mask |})
    = ring_Ring_plus (bare_gamma party held s ri blind) (share_signed party mask).
  Proof.
    unfold bare_gamma, read_view, read_run, read_state. destruct held as [d zeta [[t_1 t_2] t_3] own_ri own_i].
    destruct party; cbn; ring.
  Qed.

  (* P0 and P1: for each primary, whatever it holds, its view of READ is distributed the same for all memories of n words
     and all addresses. *)
  Theorem read_view_of_primary_private (party : share_Primary) (held : read_held) :
    length (held_memory held) = nat_of n ->
    independent_of_secrets read_secret_sized (fun _ => read_drawn) (read_view party held).
  Proof.
    intros hm. apply (independent_by_move _ _ _ (read_move party held));
      intros s s' [ri zeta rho] hs hs' [hr hz]; unfold read_secret_sized in *;
      cbn [unknown_ri unknown_blind] in hr, hz.
    - split; cbn [read_move unknown_ri unknown_blind]; [apply mod_size_below, n_power | lengths].
    - unfold read_move. cbn [unknown_ri unknown_blind unknown_mask].
      rewrite moved_index_back, blind_back by assumption. f_equal. destruct party; cbn; ring.
    - assert (hl : length (vector_sub (secret_memory s) (held_memory held)) = nat_of n) by lengths.
      assert (hl' : length (vector_sub (secret_memory s') (held_memory held)) = nat_of n) by lengths.
      assert (pairs : forall v v' : list W * u64 * W,
        fst (fst v) = fst (fst v') -> snd (fst v) = snd (fst v') -> snd v = snd v' -> v = v').
      { intros [[a b] c] [[a' b'] c']. cbn. congruence. }
      apply pairs.
      + pose proof (blinded_kept zeta (secret_memory s) (secret_memory s') (held_memory held) hz hs hs' hm).
        destruct party; assumption.
      + unfold read_view, read_run, read_state. destruct held as [d zeta_b [[t_1 t_2] t_3] own_ri own_i].
        simpl in hm, hl, hl'.
        destruct party; cbn; unfold paper_read_answer; cbn; rewrite !(sized_len n) by assumption;
          apply moved_index_shift_share; assumption.
      + unfold read_move. rewrite !gamma_masked. cbn [unknown_ri unknown_blind unknown_mask].
        destruct party; cbn; ring.
  Qed.

  (** * P2 *)

  (* P2 holds both blinds and rho, t_0^(2) and t_1^(3), and the other unit vectors do not enter its view; it does not
     know ri, nor ri_0 (nor ri_1 = ri - ri_0). *)
  Record helper_read_held : Type := {
    helper_blinds : list W * list W;
    helper_units : list W * list W;
    helper_mask : W;
  }.
  Record helper_read_unknown : Type := { helper_ri : u64; helper_ri_0 : u64 }.
  Definition helper_read_drawn (r : helper_read_unknown) : Prop :=
    val (helper_ri r) < val n /\ val (helper_ri_0 r) < val n.

  (* The secrets are D and i* with their sharing: D_0, D_1, i*_0, i*_1, and all unit vectors that P2 does not have. *)
  Record helper_read_secret : Type := {
    secret_memory_shares : list W * list W;
    secret_address_shares : u64 * u64;
    secret_units : paper_read_UnitVectors W;
  }.
  Definition helper_read_secret_sized (s : helper_read_secret) : Prop :=
    length (fst (secret_memory_shares s)) = nat_of n.

  Definition helper_read_run (held : helper_read_held) (s : helper_read_secret) (r : helper_read_unknown) : paper_read_Read W :=
    let '(zeta_0, zeta_1) := helper_blinds held in
    let '(t_0_2, t_1_3) := helper_units held in
    let '(t_0_1, _, t_0_3) := paper_read_UnitVectors_p0 (secret_units s) in
    let '(t_1_1, t_1_2, _) := paper_read_UnitVectors_p1 (secret_units s) in
    paper_read_read (paper_memory_shared (fst (secret_memory_shares s)) (snd (secret_memory_shares s)) zeta_0 zeta_1)
      (mk_paper_read_UnitVectors (t_0_1, t_0_2, t_0_3) (t_1_1, t_1_2, t_1_3))
      (helper_ri_0 r, missing_index (helper_ri r) (helper_ri_0 r) n) (secret_address_shares s) (helper_mask held).

  (* P2 receives both shift shares. *)
  Definition helper_read_view (held : helper_read_held) (s : helper_read_secret) (r : helper_read_unknown) : u64 * u64 :=
    (paper_read_Read_shift_0 (helper_read_run held s r), paper_read_Read_shift_1 (helper_read_run held s r)).

  (* ri_0 moves with i*_0, and ri with i*. *)
  Definition helper_read_move (s s' : helper_read_secret) (r : helper_read_unknown) : helper_read_unknown :=
    let '(i_0, i_1) := secret_address_shares s in
    let '(i_0', i_1') := secret_address_shares s' in
    {| helper_ri := moved_index n (wadd i_0 i_1) (wadd i_0' i_1') (helper_ri r);
       helper_ri_0 := moved_index n i_0 i_0' (helper_ri_0 r) |}.

  (* P2's view of READ does not depend on D, on i*, nor on how they are shared. *)
  Theorem read_view_of_helper_private (held : helper_read_held) :
    independent_of_secrets helper_read_secret_sized (fun _ => helper_read_drawn) (helper_read_view held).
  Proof.
    apply (independent_by_move _ _ _ helper_read_move);
      intros [[d_0 d_1] [i_0 i_1] [[[a1 a2] a3] [[b1 b2] b3]]]
        [[d_0' d_1'] [i_0' i_1'] [[[a1' a2'] a3'] [[b1' b2'] b3']]] [ri ri_0] hs hs' [hr hr_0];
      unfold helper_read_secret_sized in *; simpl in *.
    - split; apply mod_size_below; assumption.
    - unfold helper_read_move; simpl. rewrite !moved_index_back by assumption. reflexivity.
    - destruct held as [[zeta_0 zeta_1] [t_0_2 t_1_3] rho].
      unfold helper_read_view, helper_read_run; cbn; unfold paper_read_answer; cbn.
      rewrite !(sized_len n) by assumption.
      f_equal; [apply moved_shift_share_0 | apply moved_shift_share_1]; assumption.
  Qed.
End Read.

(* For the words of the implementation. *)
Corollary read_view_of_primary_private_u64 (n : u64) (party : share_Primary) (held : read_held (W := u64)) :
  power_of_two n -> length (held_memory held) = nat_of n ->
  independent_of_secrets (read_secret_sized n) (fun _ => read_drawn n) (read_view n party held).
Proof. intros hn hm. apply read_view_of_primary_private; assumption. Qed.
