(* What the theorems about privacy of READ and UPDATE put in the place of preprocessing [duoram, section 3]: the material
   of an operation as a trusted source would deal it.

   - ri is uniform in [0, n).
   - Its additive shares ri_0, ri_1 mod n are uniform given ri, and so are the shares t_0^(k), t_1^(k) of e_ri: given what
     a primary holds of them (any values), the other primary's are what is missing to ri and e_ri. To a primary its own
     are independent of ri; to P2, which holds t_0^(2) and t_1^(3), ri_0 is uniform too: index shares come from DPF 1.
   - The leaves of the other party's tree are one's own off ri, and a uniform label (with the other flag) at ri
     ([other_leaves] in LabelFacts.v). For the real PRG this holds only computationally, which is not formalized.

   Here: the missing shares, and the index that has the same distance to another address. *)
From Coq Require Import Lia.
From Duoram.core Require Export Addresses Parties.
From Duoram.Generated Require Import All.

(* The share of ri that is missing to [own], mod n. *)
Definition missing_index (ri own n : u64) : u64 := vector_mod_size (wsub ri own) n.

(* The other party's shares of e_ri, for DPF 1, 2, 3. *)
Definition missing_units {W : Type} {W_Ring : ring_Ring W} (n ri : u64) (own : list W * list W * list W) :
  list W * list W * list W :=
  let '(t_1, t_2, t_3) := own in
  let e_ri := vector_unit_vector W n ri in
  (vector_sub e_ri t_1, vector_sub e_ri t_2, vector_sub e_ri t_3).

Definition units {W : Type} {W_Ring : ring_Ring W} (party : share_Primary) (n ri : u64)
  (own : list W * list W * list W) : paper_read_UnitVectors W :=
  let '(p0, p1) := in_order party own (missing_units n ri own) in mk_paper_read_UnitVectors p0 p1.

(** * Moved indices *)

Section Indices.
  Context (n : u64) (n_power : power_of_two n).

  (* The index that has the distance to [i'] that ri has to [i]: with it S = i - ri stays the same. *)
  Definition moved_index (i i' ri : u64) : u64 := vector_mod_size (wadd ri (wsub i' i)) n.

  Lemma moved_index_back (i i' ri : u64) : val ri < val n -> moved_index i' i (moved_index i i' ri) = ri.
  Proof.
    intros s. unfold moved_index. rewrite mod_size_add_l by assumption.
    replace (wadd (wadd ri (wsub i' i)) (wsub i i')) with ri by ring.
    apply mod_size_small; assumption.
  Qed.

  (* The other primary's shift share is the same. *)
  Lemma moved_index_shift_share (i i' own_i ri own_ri : u64) :
    paper_read_shift_share (wsub i own_i) (missing_index ri own_ri n) n
    = paper_read_shift_share (wsub i' own_i) (missing_index (moved_index i i' ri) own_ri n) n.
  Proof.
    unfold paper_read_shift_share, missing_index, moved_index.
    rewrite (mod_size_sub_l _ own_ri), !mod_size_sub_r by assumption. f_equal. ring.
  Qed.

  (* And if ri_0 moves with i*_0, and ri with i* = i*_0 + i*_1, so are both. *)
  Lemma moved_shift_share_0 (i_0 i_0' ri_0 : u64) :
    paper_read_shift_share i_0 ri_0 n = paper_read_shift_share i_0' (moved_index i_0 i_0' ri_0) n.
  Proof. unfold paper_read_shift_share, moved_index. rewrite mod_size_sub_r by assumption. f_equal. ring. Qed.
  Lemma moved_shift_share_1 (i_0 i_1 i_0' i_1' ri ri_0 : u64) :
    paper_read_shift_share i_1 (missing_index ri ri_0 n) n
    = paper_read_shift_share i_1'
        (missing_index (moved_index (wadd i_0 i_1) (wadd i_0' i_1') ri) (moved_index i_0 i_0' ri_0) n) n.
  Proof.
    unfold paper_read_shift_share, missing_index, moved_index.
    rewrite (mod_size_sub_l (wadd ri _)), (mod_size_sub_r (wadd ri _)), !mod_size_sub_r by assumption. f_equal. ring.
  Qed.
End Indices.

(* Lengths of sums and differences of vectors. *)
Ltac lengths := repeat first [rewrite vector_add_length | rewrite vector_sub_length]; lia.

Section Premises.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Laws : RingLaws W}.
  Add Ring W_ring : (ring_theory_W W).

  Lemma same_vector_refl (a : list W) : lemmas_same_vector a a = true.
  Proof.
    unfold lemmas_same_vector. rewrite ieqb_refl. unfold vector_every.
    apply (fold_left_invariant (fun b => b = true)); [reflexivity|].
    intros s x i ->. apply in_map_iff in i. destruct i as ([y z] & <- & i).
    assert (e : y = z).
    { clear -i. induction a as [|x a IH]; simpl in i; [contradiction|]. destruct i as [i|i]; [congruence | auto]. }
    subst z. unfold lemmas_same. rewrite ieqb_refl. reflexivity.
  Qed.

  Lemma vector_add_sub (a b : list W) : length a = length b -> vector_add b (vector_sub a b) = a.
  Proof.
    intros h. assert (l : length (vector_sub a b) = length a) by (apply vector_sub_length; lia).
    apply (list_ext (ring_Ring_zero W)); rewrite vector_add_length; try lia.
    intros k _. rewrite nth_vector_add, nth_vector_sub by lia. ring.
  Qed.
  Lemma vector_add_comm (a b : list W) : length a = length b -> vector_add a b = vector_add b a.
  Proof.
    intros h. apply (list_ext (ring_Ring_zero W)); rewrite !vector_add_length by lia; try lia.
    intros k _. rewrite !nth_vector_add by lia. ring.
  Qed.

  (* The material is what Lemma 1 takes as its premise. *)
  Lemma units_point_at (party : share_Primary) (n ri : u64) (t_1 t_2 t_3 : list W) :
    length t_1 = nat_of n -> length t_2 = nat_of n -> length t_3 = nat_of n ->
    paper_lemmas_units_point_at (units party n ri (t_1, t_2, t_3)) n ri = true.
  Proof.
    intros h_1 h_2 h_3. pose proof (@vector_unit_vector_length W _ n ri) as e.
    destruct party; unfold units, paper_lemmas_units_point_at, in_order, missing_units; cbn;
      rewrite cast_same, ?(vector_add_comm (vector_sub _ _)) by (rewrite ?vector_sub_length; lia);
      rewrite !vector_add_sub by lia; rewrite same_vector_refl; reflexivity.
  Qed.
End Premises.
