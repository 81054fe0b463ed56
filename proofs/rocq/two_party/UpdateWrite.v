(* UPDATE of two parties adds M at i*, WRITE and SWAP put M there: for any two parts of an item that point at one target, any shares
   of address and value, any n = 2^h [duoram, section 3.1.2, section 5]. *)
From Coq Require Import Lia.
From Duoram.core Require Import LemmasFacts DpfCorrectness.
From Duoram.two_party Require Import TwoPartyRead.
From Duoram.two_party Require Export SumConversion.
From Duoram.Generated Require Import All.

Section Update.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Laws : RingLaws W}.
  Add Ring W_ring : (ring_theory_W W).
  Notation zero := (ring_Ring_zero W).
  Implicit Types item : two_party_update_UpdateItem W.

  (* Both parties' parts of an item: shares of e_ri, value words that the shares of F fit, shares of ri. *)
  Record items_point_at (n ri : u64) item_0 item_1 : Prop := {
    point_unit_0 : sized n (two_party_update_UpdateItem_unit item_0);
    point_unit_1 : sized n (two_party_update_UpdateItem_unit item_1);
    point_values_0 : sized n (two_party_update_UpdateItem_values item_0);
    point_values_1 : sized n (two_party_update_UpdateItem_values item_1);
    point_below : val ri < val n;
    point_units : vector_add (two_party_update_UpdateItem_unit item_0) (two_party_update_UpdateItem_unit item_1)
      = vector_unit_vector W n ri;
    point_fits : lemmas_sums_to_zero (two_party_update_UpdateItem_values item_0) (two_party_update_UpdateItem_values item_1)
      (ring_Ring_plus (two_party_update_UpdateItem_correction item_0) (two_party_update_UpdateItem_correction item_1)) ri = true;
    point_index : vector_mod_size (wadd (two_party_update_UpdateItem_random_index_share item_0)
      (two_party_update_UpdateItem_random_index_share item_1)) n = ri;
  }.

  Lemma update_words_sized (n s : u64) item (f : W) :
    sized n (two_party_update_UpdateItem_unit item) -> sized n (two_party_update_UpdateItem_values item) ->
    sized n (two_party_update_update_words item f s).
  Proof. intros h_u h_v. unfold two_party_update_update_words. auto with sizes. Qed.
  Hint Resolve update_words_sized : sizes.

  (* Both parties' words, moved by S, add up to M e_(ri + S), where M + F is what was opened. *)
  Lemma update_words_point_at (n ri s : u64) item_0 item_1 (M : W) : power_of_two n -> items_point_at n ri item_0 item_1 ->
    let F := ring_Ring_plus (two_party_update_UpdateItem_correction item_0) (two_party_update_UpdateItem_correction item_1) in
    vector_add (two_party_update_update_words item_0 (ring_Ring_plus M F) s)
      (two_party_update_update_words item_1 (ring_Ring_plus M F) s)
    = vector_scale M (vector_unit_vector W n (vector_mod_size (wadd ri s) n)).
  Proof.
    intros hn [ht_0 ht_1 hv_0 hv_1 hri ht hv _] F. fold F in hv. clearbody F.
    destruct item_0 as [t_0 v_0 F_0 ri_0], item_1 as [t_1 v_1 F_1 ri_1]. cbn in *.
    apply (sums_to_zero_equation n) in hv; [|assumption|assumption].
    apply (f_equal (fun v => vector_shift v s)) in ht, hv.
    rewrite shift_zeros, !(shift_add n), (shift_scale n), !(shift_unit_vector n) in hv by auto with sizes.
    rewrite (shift_add n), (shift_unit_vector n) in ht by assumption.
    unfold two_party_update_update_words. cbn. by_elements n.
    apply (f_equal (fun v => nth k v zero)) in ht, hv.
    rewrite nth_vector_zeros, !(nth_add n), nth_vector_scale in hv by auto with sizes.
    rewrite (nth_add n) in ht by auto with sizes. rewrite <- ht in hv |- *.
    match type of hv with ?l = _ => transitivity (ring_Ring_plus l
      (ring_Ring_times M (ring_Ring_plus (nth k (vector_shift t_0 s) zero) (nth k (vector_shift t_1 s) zero)))); 
      [ring | rewrite hv; ring] end.
  Qed.

  (* The shifts that both send lead from ri to i*. *)
  Lemma shifts_lead_to_target (n i_0 i_1 ri_0 ri_1 : u64) : power_of_two n ->
    vector_mod_size (wadd (vector_mod_size (wadd ri_0 ri_1) n) (vector_mod_size
      (wadd (two_party_update_shift_share i_0 ri_0 n) (two_party_update_shift_share i_1 ri_1 n)) n)) n
    = vector_mod_size (wadd i_0 i_1) n.
  Proof.
    intros hn. unfold two_party_update_shift_share.
    rewrite mod_size_add_l, mod_size_add_r by assumption.
    replace (wadd (wadd ri_0 ri_1) (wadd (vector_mod_size (wsub i_0 ri_0) n) (vector_mod_size (wsub i_1 ri_1) n)))
      with (wadd (vector_mod_size (wsub i_0 ri_0) n) (wadd (wadd ri_0 ri_1) (vector_mod_size (wsub i_1 ri_1) n))) by ring.
    rewrite mod_size_add_l by assumption.
    replace (wadd (wsub i_0 ri_0) (wadd (wadd ri_0 ri_1) (vector_mod_size (wsub i_1 ri_1) n)))
      with (wadd (vector_mod_size (wsub i_1 ri_1) n) (wadd (wsub i_0 ri_0) (wadd ri_0 ri_1))) by ring.
    rewrite mod_size_add_l by assumption. f_equal. ring.
  Qed.

  (* M more at i, or M there, as the ideal RAM has it. *)
  Lemma ideal_set_sized (n : u64) (memory : list W) (i : u64) (x : W) : sized n memory -> sized n (ideal_set memory i x).
  Proof. intros h. unfold sized, ideal_set. rewrite map_range_0_length, (sized_len n) by assumption. reflexivity. Qed.
  Lemma point_added (n : u64) (memory : list W) (i : u64) (M : W) : sized n memory ->
    vector_add memory (vector_scale M (vector_unit_vector W n i)) = ideal_set memory i (ring_Ring_plus (ideal_get memory i) M).
  Proof.
    intros hm. pose proof (ideal_set_sized n memory i (ring_Ring_plus (ideal_get memory i) M) hm) as hs.
    apply (sized_ext n); auto with sizes. intros k hk.
    rewrite (nth_add n), nth_vector_scale, nth_vector_unit_vector by auto with sizes.
    unfold ideal_set, ideal_get. rewrite (sized_len n), nth_map_range_0 by assumption. rewrite !cast_same, !vector_at_nth.
    pose proof (nat_of_bound n). pose proof (nat_of_bound i). rewrite <- (of_nat_nat_of i) at 2.
    rewrite ieqb_of_nat, nat_of_of_nat by lia. destruct (Nat.eqb_spec k (nat_of i)) as [->|]; ring.
  Qed.

  Section Both.
    Variables (n i_0 i_1 : u64) (m_0 m_1 : W) (d_0 d_1 : list W) (item_0 item_1 : two_party_update_UpdateItem W) (ri : u64).
    Let target := vector_mod_size (wadd i_0 i_1) n.
    Hypotheses (hn : power_of_two n) (s_0 : sized n d_0) (s_1 : sized n d_1) (points : items_point_at n ri item_0 item_1).
    Let outcome := two_party_update_update (d_0, d_1) (item_0, item_1) (i_0, i_1) (m_0, m_1).
    Let after := vector_add (two_party_update_Update_memory_share_0 outcome) (two_party_update_Update_memory_share_1 outcome).

    Lemma update_sized : sized n (two_party_update_Update_memory_share_0 outcome) /\
      sized n (two_party_update_Update_memory_share_1 outcome).
    Proof.
      destruct points. unfold outcome, two_party_update_update, two_party_update_updated. cbn. split; auto with sizes.
    Qed.

    (* UPDATE adds M_0 + M_1 at i*_0 + i*_1 mod n, and changes nothing else. *)
    Theorem two_party_update_adds :
      after = ideal_set (vector_add d_0 d_1) target
        (ring_Ring_plus (ideal_get (vector_add d_0 d_1) target) (ring_Ring_plus m_0 m_1)).
    Proof.
      rewrite <- (point_added n) by auto with sizes. unfold after, outcome, two_party_update_update, two_party_update_updated.
      cbn. unfold two_party_update_message. cbn. destruct points as [u_0 u_1 v_0 v_1 below units fits index].
      rewrite !(sized_len n) by assumption.
      set (F := ring_Ring_plus (two_party_update_UpdateItem_correction item_0) (two_party_update_UpdateItem_correction item_1)).
      set (s := vector_mod_size (wadd (two_party_update_shift_share i_0 _ n) (two_party_update_shift_share i_1 _ n)) n).
      match goal with |- context [vector_mod_size (wadd (two_party_update_shift_share i_1 ?a n) (two_party_update_shift_share i_0 ?b n)) n] =>
        replace (vector_mod_size (wadd (two_party_update_shift_share i_1 a n) (two_party_update_shift_share i_0 b n)) n) with s
          by (unfold s; f_equal; ring) end.
      match goal with |- context [two_party_update_update_words item_0 ?f s] =>
        replace f with (ring_Ring_plus (ring_Ring_plus m_0 m_1) F) by (unfold F; ring) end.
      match goal with |- context [two_party_update_update_words item_1 ?f s] =>
        replace f with (ring_Ring_plus (ring_Ring_plus m_0 m_1) F) by (unfold F; ring) end.
      assert (goes : vector_mod_size (wadd ri s) n = target).
      { unfold s, target. rewrite <- index. apply shifts_lead_to_target, hn. }
      rewrite <- goes, <- (update_words_point_at n ri s item_0 item_1) by (assumption || constructor; assumption).
      fold F. assert (w_0 : sized n (two_party_update_update_words item_0 (ring_Ring_plus (ring_Ring_plus m_0 m_1) F) s)) by auto with sizes.
      assert (w_1 : sized n (two_party_update_update_words item_1 (ring_Ring_plus (ring_Ring_plus m_0 m_1) F) s)) by auto with sizes.
      by_elements n. ring.
    Qed.
  End Both.

  (* WRITE, and SWAP, put M_0 + M_1 at i*_0 + i*_1 mod n; the shares that SWAP keeps are of the word that was there. *)
  Theorem two_party_write_puts (n i_0 i_1 q_0 q_1 ri : u64) (m_0 m_1 r_0 r_1 : W) (d_0 d_1 : list W)
    (item_0 item_1 : two_party_update_UpdateItem W) :
    power_of_two n -> sized n d_0 -> sized n d_1 -> items_point_at n ri item_0 item_1 ->
    let target := vector_mod_size (wadd i_0 i_1) n in
    let '(outcome, (read_0, read_1)) :=
      two_party_write_write (d_0, d_1) (q_0, q_1) (r_0, r_1) (item_0, item_1) (i_0, i_1) (m_0, m_1) in
    vector_add (two_party_update_Update_memory_share_0 outcome) (two_party_update_Update_memory_share_1 outcome)
      = ideal_set (vector_add d_0 d_1) target (ring_Ring_plus m_0 m_1) /\
    ring_Ring_plus read_0 read_1 = ideal_get (vector_add d_0 d_1) target.
  Proof.
    intros hn s_0 s_1 points target. unfold two_party_write_write.
    pose proof (two_party_read_reconstructs n i_0 i_1 q_0 q_1 d_0 d_1 r_0 r_1 hn s_0 s_1) as reads.
    destruct (two_party_read_read _ _ _ _) as [read_0 read_1]. unfold two_party_write_difference. cbv zeta.
    rewrite (two_party_update_adds n i_0 i_1 _ _ d_0 d_1 item_0 item_1 ri) by assumption. fold target in reads |- *.
    split; [|exact reads]. f_equal. rewrite <- reads. ring.
  Qed.

  (* What a party makes of its leaves and the other's share of the sum, put together: an item that points at ri. *)
  Theorem made_updates_point_at (n ri : u64) (labels_0 labels_1 : list u128) :
    power_of_two n -> val n <= 2 ^ Zpos (ring_bits W) -> val ri < val n -> sized n labels_0 -> sized n labels_1 ->
    lemmas_leaves_point_at labels_0 labels_1 ri = true ->
    items_point_at n ri
      (two_party_party_preprocessing_made_update share_Primary_P0 labels_0 (two_party_conversion_sum_share W share_Primary_P1 labels_1))
      (two_party_party_preprocessing_made_update share_Primary_P1 labels_1 (two_party_conversion_sum_share W share_Primary_P0 labels_0)).
  Proof.
    intros hn hw hi s_0 s_1 point. unfold two_party_party_preprocessing_made_update. cbv zeta.
    replace (ring_Ring_plus (two_party_conversion_sum_share W share_Primary_P1 labels_1) (two_party_conversion_sum_share W share_Primary_P0 labels_0))
      with (ring_Ring_plus (two_party_conversion_sum_share W share_Primary_P0 labels_0) (two_party_conversion_sum_share W share_Primary_P1 labels_1)) by ring.
    pose proof (sum_makes_unit_vector n ri labels_0 labels_1 s_0 s_1 hi point) as units.
    assert (ht : (nat_of ri < length labels_0)%nat) by (rewrite s_0; pose proof (Z_nat_of n); pose proof (Z_nat_of ri); lia).
    constructor; cbn; try assumption; try (apply unit_share_sized; assumption).
    - unfold sized. rewrite value_words_length. exact s_0.
    - unfold sized. rewrite value_words_length. exact s_1.
    - apply deferred_final_correction_sums_to_zero; [eapply sized_small; eassumption .. | exact point | exact ht].
    - apply sum_index_shares_add_up; auto; apply unit_share_sized; assumption.
  Qed.
End Update.
