(* Privacy of UPDATE towards P2 [duoram, section 3.1.2; Protocol 2, line 5]: what P2 receives is distributed the same for
   every address i*, every value M and every sharing of them; and without rerandomized shares of F it learns M
   (spec/ERRATA.md, "Shares of F and P2"). For words with [RingLaws], and every size n = 2^h, h < 64.

   Idealized as in UpdatePrivacy.v: ri and ri_0 are uniform; the leaves at ri of the two trees of DPF 2 and 3 that P2 does
   not have are uniform labels but for their flags; delta_2 and delta_3, which the primaries have in common, are uniform. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection.
From Duoram.core Require Import LabelFacts.
From Duoram.paper Require Import IdealPreprocessing UpdatePrivacy.
From Duoram.Generated Require Import All.

Section Helper.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Laws : RingLaws W}.
  Add Ring W_ring : (ring_theory_W W).
  Context (n : u64) (n_power : power_of_two n).

  Notation "x [+] y" := (ring_Ring_plus x y) (at level 50, left associativity).
  Notation "x [-] y" := (ring_Ring_minus x y) (at level 50, left associativity).

  (* P2 holds P0's leaves of DPF 2 and P1's of DPF 3. *)
  Record helper_update_held : Type := { helper_leaves_0_2 : list u128; helper_leaves_1_3 : list u128 }.
  (* It does not know ri, ri_0, the labels at ri of P1's tree of DPF 2 and of P0's of DPF 3, delta_2 and delta_3. *)
  Record helper_update_unknown : Type := {
    helper_ri : u64;
    helper_ri_0 : u64;
    helper_label_1_2 : u128;
    helper_label_0_3 : u128;
    helper_delta_2 : W;
    helper_delta_3 : W;
  }.
  Definition helper_update_drawn (r : helper_update_unknown) : Prop :=
    val (helper_ri r) < val n /\ val (helper_ri_0 r) < val n.

  (* The secrets: i* and M with their sharing, the state, and all that P2 does not have and that its view does not depend
     on: both trees of DPF 1, and the unit vectors. *)
  Record helper_update_secret : Type := {
    helper_state : paper_memory_State W;
    helper_units : paper_read_UnitVectors W;
    helper_leaves_1 : list u128 * list u128;
    helper_address_shares : u64 * u64;
    helper_value_shares : W * W;
  }.
  Definition helper_update_secret_sized (s : helper_update_secret) : Prop := state_sized n (helper_state s).

  Definition helper_update_leaves (held : helper_update_held) (s : helper_update_secret) (r : helper_update_unknown) :
    leaves_of_three * leaves_of_three :=
    let '(l_0_1, l_1_1) := helper_leaves_1 s in
    ((l_0_1, helper_leaves_0_2 held, other_leaves (helper_leaves_1_3 held) (helper_ri r) (helper_label_0_3 r)),
     (l_1_1, other_leaves (helper_leaves_0_2 held) (helper_ri r) (helper_label_1_2 r), helper_leaves_1_3 held)).
  Definition helper_update_material (held : helper_update_held) (s : helper_update_secret) (r : helper_update_unknown) :
    paper_update_UpdateMaterial W :=
    let '(leaves_0, leaves_1) := helper_update_leaves held s r in
    update_material (helper_units s) leaves_0 leaves_1 (helper_delta_2 r) (helper_delta_3 r).

  (* P2 receives of each message all but what is masked by DPF 1. *)
  Definition sent_to_helper (run : paper_update_Update W) : (u64 * W * W) * (u64 * W * W) :=
    let seen message :=
      (paper_update_UpdateMessage_shift message, paper_update_UpdateMessage_masked_dpf_2 message, paper_update_UpdateMessage_masked_dpf_3 message) in
    (seen (paper_update_Update_message_0 run), seen (paper_update_Update_message_1 run)).
  Definition helper_update_run (material : paper_update_UpdateMaterial W) (s : helper_update_secret)
    (r : helper_update_unknown) : paper_update_Update W :=
    paper_update_update (helper_state s) material (helper_ri_0 r, missing_index (helper_ri r) (helper_ri_0 r) n)
      (helper_address_shares s) (helper_value_shares s).
  Definition helper_update_view (held : helper_update_held) (s : helper_update_secret) (r : helper_update_unknown) :
    (u64 * W * W) * (u64 * W * W) :=
    sent_to_helper (helper_update_run (helper_update_material held s r) s r).

  (* ri_0 moves with i*_0 and ri with i*; delta_2 makes up for M_0, delta_3 for M_1, and the labels at ri for M. *)
  Definition helper_update_move (held : helper_update_held) (s s' : helper_update_secret) (r : helper_update_unknown) :
    helper_update_unknown :=
    let '(i_0, i_1) := helper_address_shares s in
    let '(i_0', i_1') := helper_address_shares s' in
    let '(m_0, m_1) := helper_value_shares s in
    let '(m_0', m_1') := helper_value_shares s' in
    let ri := helper_ri r in
    let ri' := moved_index n (wadd i_0 i_1) (wadd i_0' i_1') ri in
    let moved party l x := moved_leaf party l (m_0 [+] m_1) (m_0' [+] m_1') ri ri' x in
    {| helper_ri := ri';
       helper_ri_0 := moved_index n i_0 i_0' (helper_ri_0 r);
       helper_label_1_2 := moved share_Primary_P1 (helper_leaves_0_2 held) (helper_label_1_2 r);
       helper_label_0_3 := moved share_Primary_P0 (helper_leaves_1_3 held) (helper_label_0_3 r);
       helper_delta_2 := helper_delta_2 r [+] m_0 [-] m_0';
       helper_delta_3 := helper_delta_3 r [-] m_1 [+] m_1' |}.

  (* P2's view of UPDATE does not depend on i*, on M, nor on how they are shared. *)
  Theorem update_view_of_helper_private (held : helper_update_held) :
    independent_of_secrets helper_update_secret_sized (fun _ => helper_update_drawn) (helper_update_view held).
  Proof.
    apply (independent_by_move _ _ _ (helper_update_move held)); destruct held as [l_0_2 l_1_3];
      unfold helper_update_secret_sized, state_sized, helper_update_drawn;
      intros [state u [l_0_1 l_1_1] [i_0 i_1] [m_0 m_1]] [state' u' [l_0_1' l_1_1'] [i_0' i_1'] [m_0' m_1']]
        [ri ri_0 x_2 x_3 delta_2 delta_3] hs hs' [hr hr_0]; cbn [helper_ri helper_ri_0 helper_state] in *.
    - split; apply mod_size_below; assumption.
    - unfold helper_update_move. cbn. unfold moved_leaf. rewrite !moved_index_back, !moved_label_back by assumption.
      f_equal; ring.
    - unfold helper_update_view, helper_update_run, helper_update_material, update_material, paper_update_update,
        helper_update_move. cbn. rewrite !(sized_len n) by assumption. unfold sent_to_helper. cbn.
      fold (unknown_correction share_Primary_P1 l_0_2 ri x_2) (unknown_correction share_Primary_P0 l_1_3 ri x_3).
      set (ri' := moved_index n (wadd i_0 i_1) (wadd i_0' i_1') ri).
      set (x_2' := moved_leaf share_Primary_P1 _ _ _ _ _ _). set (x_3' := moved_leaf share_Primary_P0 _ _ _ _ _ _).
      fold (unknown_correction share_Primary_P1 l_0_2 ri' x_2') (unknown_correction share_Primary_P0 l_1_3 ri' x_3').
      unfold x_2', x_3'. rewrite !moved_leaf_correction.
      f_equal; f_equal; try ring; f_equal; try ring;
        [apply moved_shift_share_0 | apply moved_shift_share_1]; assumption.
  Qed.

  (* What P2 would learn without fresh shares of F: it subtracts from P0's M_0 + F_0^(2) and P1's M_1 + F_1^(3) what it
     can compute of F itself, and has M. *)
  Definition helper_recovered_value (held : helper_update_held) (seen : (u64 * W * W) * (u64 * W * W)) : W :=
    let '((_, m_2, _), (_, _, m_3)) := seen in
    (m_2 [-] dealer_final_correction_share (dpf_value_words W share_Primary_P0 (helper_leaves_0_2 held)))
    [+] (m_3 [-] dealer_final_correction_share (dpf_value_words W share_Primary_P1 (helper_leaves_1_3 held))).

  (* P2's view with the shares of F as the paper defines them [duoram, section 4.1.1], not rerandomized. *)
  Definition helper_view_without_fresh_shares (held : helper_update_held) (s : helper_update_secret)
    (r : helper_update_unknown) : (u64 * W * W) * (u64 * W * W) :=
    let '(leaves_0, leaves_1) := helper_update_leaves held s r in
    let values := update_values leaves_0 leaves_1 in
    sent_to_helper (helper_update_run
      (mk_paper_update_UpdateMaterial (helper_units s) values (paper_preprocessing_local_correction_shares values)) s r).

  Theorem helper_learns_value_without_fresh_shares (held : helper_update_held) (s : helper_update_secret)
    (r : helper_update_unknown) :
    helper_recovered_value held (helper_view_without_fresh_shares held s r)
    = fst (helper_value_shares s) [+] snd (helper_value_shares s).
  Proof.
    destruct held, s as [state u [l_0_1 l_1_1] [i_0 i_1] [m_0 m_1]].
    unfold helper_view_without_fresh_shares, helper_update_run, paper_update_update, sent_to_helper, helper_recovered_value.
    cbn. ring.
  Qed.

  (* So the views are told apart as soon as the values differ. *)
  Corollary helper_tells_apart_without_fresh_shares (held : helper_update_held) (s s' : helper_update_secret) :
    fst (helper_value_shares s) [+] snd (helper_value_shares s)
      <> fst (helper_value_shares s') [+] snd (helper_value_shares s') ->
    same_distribution helper_update_drawn helper_update_drawn
      (helper_view_without_fresh_shares held s) (helper_view_without_fresh_shares held s') -> False.
  Proof.
    intros differ [f hf]. apply differ. destruct n_power as (h & hh & hn).
    set (zero := ring_Ring_zero W).
    set (r := Build_helper_update_unknown (repr 64 0) (repr 64 0) (repr 128 0) (repr 128 0) zero zero).
    rewrite <- (helper_learns_value_without_fresh_shares held s r).
    rewrite <- (helper_learns_value_without_fresh_shares held s' (forth f r)). f_equal. apply hf.
    unfold helper_update_drawn, r; cbn [helper_ri helper_ri_0]. change (val (repr 64 0)) with 0.
    assert (0 < 2 ^ h) by (apply Z.pow_pos_nonneg; lia). lia.
  Qed.
End Helper.

(* For the words of the implementation. *)
Corollary update_view_of_helper_private_u64 (n : u64) (held : helper_update_held) : power_of_two n ->
  independent_of_secrets (helper_update_secret_sized (W := u64) n) (fun _ => helper_update_drawn n)
    (helper_update_view n held).
Proof. intros hn. apply update_view_of_helper_private, hn. Qed.
