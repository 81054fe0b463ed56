(* A primary's whole view of the distributed generation of a DPF [duoram, App. C], and the other primary's leaves with it, is
   within one advantage a level (PrgAdvantage.v) of a simulator that is told neither the target, nor the other's share of
   it, nor the other's root: what it receives is made of its own input, uniform corrections and fresh draws
   ([simulated_run]); the other's tree is its own but for one label, at the target, which is uniform but for its flag
   ([other_leaves]). From there on go the theorems on App. D, READ and UPDATE, which begin with such leaves.

   Two steps: the messages are masked by the triples, exactly (GenerationRunPrivacy.v); the corrections and the last label
   on the path are pseudorandom (KeyPrivacy.v).

   Probabilities are over the other's root, the triples of P2 that the party does not know, and [rest], which is whatever
   else there is: the party's own root and triples, both shares of the target, other DPFs, inputs may be drawn from it. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection Counting.
From Duoram.core Require Import Parties LabelFacts TreeLevels GenerationPrivacy GenerationRunPrivacy PrgAdvantage KeyHybrid
  KeyPrivacy.
From Duoram.Generated Require Import All.
#[local] Open Scope Q_scope.

(** * The other party's leaves *)

(* If two lists of labels point at a place, either is the other one but for the label there, which has the other flag. *)
Lemma points_at_other_leaves (own other : list u128) (target : u64) :
  (Z.of_nat (length own) < 2 ^ 64)%Z -> (Z.of_nat (length other) < 2 ^ 64)%Z -> (nat_of target < length own)%nat ->
  lemmas_leaves_point_at own other target = true ->
  other = other_leaves own target (dpf_leaf other target) /\ own = other_leaves other target (dpf_leaf own target).
Proof.
  intros h h' ht points. apply leaves_point_at_iff in points; [|assumption|assumption]. destruct points as [hl points].
  assert (flags : block_flag (dpf_leaf own target) <> block_flag (dpf_leaf other target)).
  { specialize (points _ ht). rewrite Nat.eqb_refl in points. rewrite !dpf_leaf_nth. exact points. }
  assert (alike : forall a b : bool, a <> b -> negb a = b) by (intros [] [] n; congruence || reflexivity).
  unfold other_leaves. rewrite (alike _ _ flags), (alike _ _ (not_eq_sym flags)), !with_flag_same, !dpf_leaf_nth.
  split; apply (list_ext (repr 128 0)); try (rewrite replaced_length by lia; auto); intros k hk; rewrite nth_replaced by lia;
    specialize (points k ltac:(lia)); destruct (Nat.eqb_spec k (nat_of target)) as [e|_]; try rewrite e; auto.
Qed.

Section Generation.
  Context {P : Type} {P_Prg : prg_Prg P} (prg : P) (party : share_Primary).

  (** * One run *)

  (* The AND triples of a level, from what the party holds and from the other's X and Y: P2's T follows. *)
  Definition dealt_draws (levels : list level_share) (masks : list (bool * u128)) : list level_unknown :=
    map (fun '(m, (x, y)) => {| unknown_x := x; unknown_y := y;
      unknown_t := ixor (iand (block_replicate (share_x m)) y) (share_z m) |}) (combine levels masks).

  Definition masks_of (levels : list level_share) :
    bijection (Forall2 (share_drawn prg party) levels) (fun masks : list (bool * u128) => length masks = length levels).
  Proof.
    unshelve refine {| forth := map (fun r => (unknown_x r, unknown_y r)); back := dealt_draws levels |}.
    - intros rs d. rewrite map_length. induction d; cbn; congruence.
    - induction levels as [|m levels IH]; intros [|[x y] masks] h; try discriminate; constructor.
      + unfold share_drawn, level_drawn. destruct party; cbn; unfold held_triple; cbn; rewrite ixor_cancel_l; reflexivity.
      + apply IH. cbn in h. lia.
    - intros rs d. induction d as [|m [x y t] levels rs d _ IH]; [reflexivity|]. cbn. f_equal; [|exact IH].
      unfold share_drawn, level_drawn in d. apply (f_equal du_atallah_AndTriple_z) in d. f_equal.
      assert (hz : share_z m = ixor (iand (block_replicate (share_x m)) y) t) by (destruct party; exact (eq_sym d)).
      rewrite hz. apply ixor_cancel_l.
    - induction levels as [|m levels IH]; intros [|[x y] masks] h; try discriminate; [reflexivity|].
      cbn. f_equal. apply IH. cbn in h. lia.
  Defined.

  Definition mask_space : list (bool * u128) := list_prod bools labels.
  Lemma mask_space_enumerates : enumerates mask_space anything.
  Proof. exact (enumerates_all_prod _ _ bools_enumerate labels_enumerate). Qed.

  (* These are the draws for which P2 deals what the party holds, each once. *)
  Lemma dealt_draws_enumerate (levels : list level_share) :
    enumerates (map (dealt_draws levels) (tuples (length levels) mask_space)) (Forall2 (share_drawn prg party) levels).
  Proof. exact (enumerates_back (masks_of levels) _ (tuples_enumerate _ _ mask_space_enumerates)). Qed.

  Lemma triples_dealt_for_bits (levels : list level_share) (rs : list level_unknown) :
    Forall2 (share_drawn prg party) levels rs ->
    Forall dealt_for_a_bit (uncurry (@combine du_atallah_AndTriple du_atallah_AndTriple) (in_order party (map (own_triple prg) levels)
      (map (uncurry (others_triple prg party)) (combine levels rs)))).
  Proof.
    intros d.
    assert (h : Forall dealt_for_a_bit (map (fun '(m, r) => in_order party (own_triple prg m) (others_triple prg party m r))
      (combine levels rs))).
    { induction d as [|m r levels rs d _ IH]; constructor; [|exact IH]. cbv beta.
      unfold share_drawn, level_drawn in d. unfold others_triple. unfold own_triple. rewrite <- d.
      destruct party; [exists (share_x m), (unknown_x r), (share_y m), (unknown_y r), (unknown_t r)
        | exists (unknown_x r), (share_x m), (unknown_y r), (share_y m), (unknown_t r)]; reflexivity. }
    revert h. assert (hl : length rs = length levels) by (induction d; cbn; congruence). clear d. revert rs hl.
    induction levels as [|m levels IH]; intros [|r rs] hl; try discriminate;
      [destruct party; constructor|].
    cbn [combine map]. intros h. apply Forall_cons_iff in h. destruct h as [h hs]. specialize (IH rs ltac:(cbn in hl; lia) hs).
    destruct party; constructor; assumption.
  Qed.

  Lemma xor_bits_comm (a b : list bool) : xor_bits a b = xor_bits b a.
  Proof.
    unfold xor_bits. revert b. induction a as [|x a IH]; intros [|y b]; cbn; try reflexivity.
    rewrite IH, xorb_comm. reflexivity.
  Qed.

  (* GEN's trees: the other's leaves are one's own but for the label at the target. *)
  Lemma dealt_other_leaves (target h : u64) (root other_root : u128) : (val h < 64)%Z -> (val target < 2 ^ val h)%Z ->
    let keys := dealt_keys prg party target h root other_root in
    dpf_eval_full prg (other_key party keys)
    = other_leaves (dpf_eval_full prg (own_key party keys)) target (dpf_eval prg (other_key party keys) target).
  Proof.
    intros hh ht. cbv zeta. pose proof (val_bounds h).
    assert (hp : (2 ^ val h < 2 ^ 64)%Z) by (apply Z.pow_lt_mono_r; lia).
    assert (pairs : forall root_0 root_1,
      let keys := dealer_generate prg target h root_0 root_1 in
      let leaves_0 := dpf_eval_full prg (fst keys) in
      let leaves_1 := dpf_eval_full prg (snd keys) in
      leaves_1 = other_leaves leaves_0 target (dpf_eval prg (snd keys) target)
      /\ leaves_0 = other_leaves leaves_1 target (dpf_eval prg (fst keys) target)).
    { intros root_0 root_1. cbv zeta.
      pose proof (generate_height_0 prg target h root_0 root_1) as h_0.
      pose proof (generate_height_1 prg target h root_0 root_1) as h_1.
      rewrite <- !dpf_nth_eval_full, <- !dpf_leaf_nth by (rewrite ?h_0, ?h_1, Z_nat_of; lia).
      apply points_at_other_leaves; [| | |apply dpf_leaves_point_at; assumption];
        try (apply Nat2Z.inj_lt; rewrite Z_nat_of); rewrite dpf_eval_full_length, ?h_0, ?h_1, Nat2Z.inj_pow, Z_nat_of;
        assumption. }
    unfold dealt_keys, other_key. destruct party; apply pairs.
  Qed.

  Definition run_keys (g : distributed_gen_Generation) : dpf_Key * dpf_Key :=
    (distributed_gen_Generation_key_0 g, distributed_gen_Generation_key_1 g).

  (* A run makes the keys of GEN for the XOR of both shares of the target, and their leaves. *)
  Lemma run_makes_dealt_keys (root : u128) (levels : list level_share) (s : run_secret) (rs : list level_unknown)
    (target h : u64) :
    length levels = nat_of h -> length (secret_bits s) = nat_of h ->
    xor_bits (map share_bit levels) (secret_bits s) = dpf_address_bits target h ->
    Forall2 (share_drawn prg party) levels rs ->
    let g := run prg party root levels s rs in
    let keys := dealt_keys prg party target h root (secret_root s) in
    run_keys g = keys
    /\ opened_corrections prg party root levels s = dpf_Key_corrections (own_key party keys)
    /\ other_labels party g = dpf_eval_full prg (other_key party keys).
  Proof.
    intros hl hb hx d. cbv zeta. assert (hr : length rs = length levels) by (clear -d; induction d; cbn; congruence).
    assert (keys : run_keys (run prg party root levels s rs) = dealt_keys prg party target h root (secret_root s)).
    { pose proof (triples_dealt_for_bits levels rs d) as dealt. unfold run, run_keys, dealt_keys.
      pose proof hx as hx'. rewrite xor_bits_comm in hx'.
      set (other_triples := map (uncurry (others_triple prg party)) (combine levels rs)) in *.
      assert (ho : length other_triples = nat_of h) by (unfold other_triples; rewrite map_length, combine_length; lia).
      pose (own := mk_distributed_gen_Input (map share_bit levels) root (map (own_triple prg) levels)).
      pose (other := mk_distributed_gen_Input (secret_bits s) (secret_root s) other_triples).
      assert (lengths : length (map share_bit levels) = nat_of h /\ length (map (own_triple prg) levels) = nat_of h)
        by (rewrite !map_length; auto).
      destruct lengths as [hs ho'].
      destruct party; cbn [in_order uncurry] in *;
        [ exact (distributed_generation_makes_dealer_keys prg own other (nat_of h) hs hb ho' ho dealt target h hx)
        | exact (distributed_generation_makes_dealer_keys prg other own (nat_of h) hb hs ho ho' dealt target h hx')]. }
    destruct (run_view_and_corrections prg party root levels s rs ltac:(lia) d) as [_ hc].
    split; [exact keys|]. rewrite <- keys. split.
    - unfold opened_corrections, root_labels. rewrite <- hc. unfold run_corrections.
      pose proof (proj1 (dpf_generate_shape prg target h (fst (in_order party root (secret_root s)))
        (snd (in_order party root (secret_root s))))) as same.
      assert (e : dealer_generate prg target h (fst (in_order party root (secret_root s)))
        (snd (in_order party root (secret_root s))) = run_keys (run prg party root levels s rs))
        by (rewrite keys; destruct party; reflexivity).
      rewrite e in same. destruct party; [reflexivity | exact same].
    - unfold run, other_labels, run_keys, other_key. destruct party; apply distributed_generation_labels.
  Qed.

  (** * All runs *)

  Context {R : Type} (rest : list R).
  (* Of all else: own root, own levels, the other's share of the target, and the target. *)
  Context (root : R -> u128) (levels : R -> list level_share) (bits : R -> list bool) (target : R -> u64) (h : u64).
  Hypothesis h_small : (val h < 64)%Z.
  Hypothesis levels_length : forall r, length (levels r) = nat_of h.
  Hypothesis bits_length : forall r, length (bits r) = nat_of h.
  Hypothesis target_small : forall r, (val (target r) < 2 ^ val h)%Z.
  Hypothesis target_shared : forall r, xor_bits (map share_bit (levels r)) (bits r) = dpf_address_bits (target r) h.

  (* A test of all else, what the party receives, its key, and the other's leaves. *)
  Context (test : R -> list (distributed_gen_Operands * u128) -> dpf_Key -> list u128 -> bool).

  Definition real_generation : Q :=
    Pr (list_prod (list_prod rest labels) (tuples (nat_of h) mask_space)) (fun '((r, other_root), masks) =>
      let secret := {| secret_bits := bits r; secret_root := other_root |} in
      let g := run prg party (root r) (levels r) secret (dealt_draws (levels r) masks) in
      test r (map (received party) (distributed_gen_Generation_messages g)) (own_key party (run_keys g))
        (other_labels party g)).

  Definition simulated_generation : Q :=
    Pr (list_prod (list_prod (list_prod rest (tuples (nat_of h) mask_space)) (tuples (nat_of h) fresh_corrections)) labels)
      (fun '(((r, coins), corrections), seed) =>
        let key := simulated_key party (root r) corrections in
        test r (simulated_run prg party (root r) (levels r) corrections coins) key
          (other_leaves (dpf_eval_full prg key) (target r) seed)).

  (* The test of a key and the other's label at the target that the above comes to. *)
  Definition test_with_coins (z : R * list (bool * u128)) (key : dpf_Key) (label : u128) : bool :=
    let '(r, coins) := z in
    test r (simulated_run prg party (root r) (levels r) (dpf_Key_corrections key) coins) key
      (other_leaves (dpf_eval_full prg key) (target r) label).
  Definition generation_distinguisher : nat -> distinguisher :=
    leaf_distinguisher prg party (list_prod rest (tuples (nat_of h) mask_space)) (fun z => root (fst z))
      (fun z => target (fst z)) h test_with_coins.

  (* The masks: exactly. *)
  Lemma generation_masked (r : R) (other_root : u128) :
    let secret := {| secret_bits := bits r; secret_root := other_root |} in
    let keys := dealt_keys prg party (target r) h (root r) other_root in
    mean (tuples (nat_of h) mask_space) (fun masks =>
      let g := run prg party (root r) (levels r) secret (dealt_draws (levels r) masks) in
      indicator (test r (map (received party) (distributed_gen_Generation_messages g)) (own_key party (run_keys g))
        (other_labels party g)))
    == mean (tuples (nat_of h) mask_space) (fun coins =>
         indicator (test_with_coins (r, coins) (own_key party keys) (dpf_eval prg (other_key party keys) (target r)))).
  Proof.
    cbv zeta. set (secret := {| secret_bits := bits r; secret_root := other_root |}).
    set (keys := dealt_keys prg party (target r) h (root r) other_root).
    set (opened := opened_corrections prg party (root r) (levels r) secret).
    assert (made : forall rs, Forall2 (share_drawn prg party) (levels r) rs ->
      run_keys (run prg party (root r) (levels r) secret rs) = keys
      /\ opened = dpf_Key_corrections (own_key party keys)
      /\ other_labels party (run prg party (root r) (levels r) secret rs) = dpf_eval_full prg (other_key party keys)).
    { intros rs d. apply (run_makes_dealt_keys (root r) (levels r) secret rs (target r) h); cbn [secret_bits secret]; auto. }
    pose proof (dealt_draws_enumerate (levels r)) as all. rewrite levels_length in all.
    assert (all_coins : enumerates (tuples (nat_of h) mask_space) (fun coins => length coins = length (levels r)))
      by (rewrite levels_length; exact (tuples_enumerate _ _ mask_space_enumerates)).
    set (f messages := indicator (test r messages (own_key party keys) (dpf_eval_full prg (other_key party keys)))).
    transitivity (mean (map (dealt_draws (levels r)) (tuples (nat_of h) mask_space))
      (fun rs => f (run_view prg party (root r) (levels r) secret rs))).
    { rewrite mean_map. apply mean_ext. intros masks i.
      assert (d : Forall2 (share_drawn prg party) (levels r) (dealt_draws (levels r) masks))
        by (apply (proj1 (proj2 all _)), in_map, i).
      destruct (made _ d) as (e & _ & e'). rewrite e, e'. reflexivity. }
    rewrite (mean_same_distribution _ _ f
      (generation_view_simulated prg party (root r) (levels r) secret (eq_trans (bits_length r) (eq_sym (levels_length r))))
      all all_coins).
    apply mean_ext. intros coins i. unfold f, test_with_coins.
    assert (i' : length coins = length (levels r)) by (apply (proj1 (proj2 all_coins _)), i).
    destruct (made _ (back_drawn (masks_of (levels r)) _ i')) as (_ & e & _). fold opened. rewrite e.
    pose proof (dealt_other_leaves (target r) h (root r) other_root h_small (target_small r)) as leaves.
    cbv zeta in leaves. fold keys in leaves. rewrite leaves. reflexivity.
  Qed.

  Theorem generation_simulated :
    Qabs (real_generation - simulated_generation)
    <= sum_below (nat_of h) (fun i => Adv prg (generation_distinguisher i)).
  Proof.
    eapply Qle_trans; [|apply key_and_leaf_simulated; lia].
    apply Qle_lteq. right. apply Qabs_wd. unfold Qminus. apply Qplus_comp; [|apply Qopp_comp].
    - unfold real_generation. rewrite !Pr_mean, !mean_prod. apply mean_ext. intros r _.
      rewrite (mean_swap (tuples (nat_of h) mask_space) labels). apply mean_ext. intros other_root _. apply generation_masked.
    - unfold simulated_generation. rewrite !Pr_mean. apply mean_ext. intros [[[r coins] cs] seed] _.
      cbv zeta. unfold test_with_coins, simulated_key. cbn [fst dpf_Key_corrections].
      unfold beside. unfold other_leaves at 2. rewrite with_flag_twice. reflexivity.
  Qed.
End Generation.
