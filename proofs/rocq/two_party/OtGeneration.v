(* Privacy of the DPF that two parties make with triples of ideal random OTs [duoram, App. C]: all that a party receives in it, the blocks
   that it gets from the OTs with it, its key, and the other's leaves are within one advantage a level of what a simulator
   makes of the party's own things, uniform blocks and fresh draws (core/GenerationSimulated.v). It is told neither the target, nor the
   other's bits of it, root, X_c, or pairs.

   Ideal: an OT gives its sender two uniform blocks and its receiver the one that its bit chooses (`two_party::ot::received`), and nothing else
   to either. The triples are those of `two_party::ot::and_triple_from_ots`, the messages those of OneDpf.v. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection Counting.
From Duoram.core Require Import Parties LabelFacts GenerationPrivacy GenerationRunPrivacy PrgAdvantage KeyHybrid KeyPrivacy GenerationSimulated.
From Duoram.two_party Require Import OneDpf.
From Duoram.Generated Require Import All.
#[local] Open Scope Q_scope.

(* What the other draws for a level: its X_c, and its pair. *)
Definition ot_space : list (bool * (u128 * u128)) := list_prod bools (list_prod labels labels).

(* The block that is received and Y_c are two uniform blocks, whatever the party's bit is. *)
Lemma mean_ot (bit : bool) (f : u128 -> bool * u128 -> Q) :
  mean ot_space (fun '(x, ks) => f (two_party_ot_received ks bit) (x, ixor (fst ks) (snd ks)))
  == mean labels (fun received => mean mask_space (fun mask => f received mask)).
Proof.
  unfold ot_space. rewrite mean_prod.
  transitivity (mean bools (fun x => mean labels (fun received => mean labels (fun y => f received (x, y))))).
  - apply mean_ext. intros x _. rewrite mean_prod. unfold two_party_ot_received. destruct bit; cbn [fst snd].
    + rewrite mean_swap. apply mean_ext. intros l_1 _.
      transitivity (mean labels (fun l_0 => f l_1 (x, ixor l_1 l_0))); [|apply (mean_labels_shifted l_1 (fun y => f l_1 (x, y)))].
      apply mean_ext. intros l_0 _. rewrite ixor_comm. reflexivity.
    + apply mean_ext. intros l_0 _. apply (mean_labels_shifted l_0 (fun y => f l_0 (x, y))).
  - rewrite mean_swap. apply mean_ext. intros received _. unfold mask_space. rewrite mean_prod. reflexivity.
Qed.

Definition received_blocks (bits : list bool) (ots : list (bool * (u128 * u128))) : list u128 := two_party_ot_received_all (map snd ots) bits.
Definition ot_masks (ots : list (bool * (u128 * u128))) : list (bool * u128) :=
  map (fun '(x, ks) => (x, ixor (fst ks) (snd ks))) ots.

Lemma mean_ots (bits : list bool) : forall f : list u128 -> list (bool * u128) -> Q,
  mean (tuples (length bits) ot_space) (fun ots => f (received_blocks bits ots) (ot_masks ots))
  == mean (tuples (length bits) labels) (fun received => mean (tuples (length bits) mask_space) (fun masks => f received masks)).
Proof.
  induction bits as [|bit bits IH]; intros f; cbn [length].
  - rewrite !mean_tuples_0. reflexivity.
  - rewrite !mean_tuples_S.
    pose (k := fun received mask => mean (tuples (length bits) labels) (fun rs => mean (tuples (length bits) mask_space) (fun masks =>
      f (received :: rs) (mask :: masks)))).
    transitivity (mean ot_space (fun '(x, ks) => k (two_party_ot_received ks bit) (x, ixor (fst ks) (snd ks)))).
    { apply mean_ext. intros [x ks] _. unfold k. rewrite <- (IH (fun rs masks => f (_ :: rs) (_ :: masks))). reflexivity. }
    rewrite mean_ot. apply mean_ext. intros received _. unfold k. rewrite mean_swap. apply mean_ext. intros rs _.
    rewrite mean_tuples_S. reflexivity.
Qed.

Section Ot.
  Context {P : Type} {P_Prg : prg_Prg P} (prg : P) (party : share_Primary) (h : u64).

  (* What a party has for a DPF: its root, its bits of the target, its X_b and its pair of each level. *)
  Record ot_held : Type := { ot_root : u128; ot_target : list bool; ot_bits : list bool; ot_pairs : list (u128 * u128) }.
  Record ot_sized (held : ot_held) : Prop := {
    target_length : length (ot_target held) = nat_of h;
    bits_sized : length (ot_bits held) = nat_of h;
    pairs_sized : length (ot_pairs held) = nat_of h;
  }.
  Definition ot_levels (held : ot_held) (received : list u128) : list level_share :=
    map (fun '(bit, (x, (ks, block))) =>
        {| share_bit := bit; share_x := x; share_y := ixor (fst ks) (snd ks); share_z := ixor block (fst ks) |})
      (combine (ot_target held) (combine (ot_bits held) (combine (ot_pairs held) received))).

  (* Both parties' seeds, and the DPF that they make. *)
  Definition ot_seed (held : ot_held) (other_target : list bool) (root : u128) (ots : list (bool * (u128 * u128))) : seed :=
    mk_seed (in_order party (ot_target held) other_target) (in_order party (ot_root held) root)
      (in_order party (ot_bits held) (map fst ots)) (in_order party (ot_pairs held) (map snd ots)).
  Definition ot_run (held : ot_held) (other_target : list bool) (root : u128) (ots : list (bool * (u128 * u128))) : distributed_gen_Generation :=
    generation prg (ot_seed held other_target root ots) (nat_of h).

  Lemma ot_run_is (held : ot_held) (other_target : list bool) (root : u128) (ots : list (bool * (u128 * u128))) :
    ot_sized held -> length other_target = nat_of h -> length ots = nat_of h ->
    let levels := ot_levels held (received_blocks (ot_bits held) ots) in
    ot_run held other_target root ots
    = run prg party (ot_root held) levels {| secret_bits := other_target; secret_root := root |} (dealt_draws levels (ot_masks ots)).
  Proof.
    intros [ht hb hp] ho hl. cbv zeta. set (levels := ot_levels held (received_blocks (ot_bits held) ots)).
    assert (bits : map share_bit levels = ot_target held).
    { unfold levels, ot_levels, received_blocks, two_party_ot_received_all. clear - prg P_Prg party ht hb hp hl. revert hb hp ht hl. generalize (nat_of h).
      generalize (ot_target held) (ot_bits held) (ot_pairs held). revert ots.
      intros ots l l0 l1 n. revert ots l l0 l1. induction n as [|n IH]; intros [|[x' pair'] ots] [|t ts] [|x xs] [|p ps] e e' e'' e'''; try discriminate; [reflexivity|].
      cbn. f_equal. apply IH; cbn in *; lia. }
    assert (own : two_party_party_preprocessing_level_triples (ot_bits held) (ot_pairs held)
        (two_party_ot_received_all (map snd ots) (ot_bits held)) = map (own_triple prg) levels).
    { unfold levels, ot_levels, received_blocks, two_party_ot_received_all, two_party_party_preprocessing_level_triples. clear - prg P_Prg party ht hb hp hl. revert hb hp ht hl. generalize (nat_of h).
      generalize (ot_target held) (ot_bits held) (ot_pairs held). revert ots.
      intros ots l l0 l1 n. revert ots l l0 l1. induction n as [|n IH]; intros [|[x' pair'] ots] [|t ts] [|x xs] [|[k_0 k_1] ps] e e' e'' e'''; try discriminate; [reflexivity|].
      cbn. f_equal. apply IH; cbn in *; lia. }
    assert (others : two_party_party_preprocessing_level_triples (map fst ots) (map snd ots)
        (two_party_ot_received_all (ot_pairs held) (map fst ots)) = map (uncurry (others_triple prg party)) (combine levels (dealt_draws levels (ot_masks ots)))).
    { unfold levels, ot_levels, received_blocks, ot_masks, two_party_ot_received_all, two_party_party_preprocessing_level_triples. clear - prg P_Prg party ht hb hp hl. revert hb hp ht hl. generalize (nat_of h).
      generalize (ot_target held) (ot_bits held) (ot_pairs held). revert ots.
      intros ots l l0 l1 n. revert ots l l0 l1. induction n as [|n IH]; intros [|[x' [l_0 l_1]] ots] [|t ts] [|x xs] [|[k_0 k_1] ps] e e' e'' e'''; try discriminate; [reflexivity|].
      cbn [combine map uncurry dealt_draws fst snd]. f_equal; [|apply IH; cbn in *; lia].
      unfold others_triple, dealt, held_at, two_party_ot_and_triple_from_ots, two_party_ot_received, block_replicate. 
      destruct party, x, x'; cbn; f_equal; xor_and. }
    assert (sizes : seed_sized h (ot_seed held other_target root ots)).
    { unfold seed_sized, ot_seed. destruct party; cbn [in_order seed_targets seed_bits seed_pairs fst snd]; rewrite !map_length; repeat split; assumption. }
    unfold ot_run. rewrite <- (generation_whole prg h _ sizes). unfold run. rewrite <- own, <- others, bits.
    unfold input_0, input_1, triples_0, triples_1, ot_seed. destruct party; reflexivity.
  Qed.

  (** * All runs *)

  Context {R : Type} (rest : list R) (held : R -> ot_held) (other_target : R -> list bool) (target : R -> u64).
  Hypothesis h_small : (val h < 64)%Z.
  Hypothesis held_sized : forall r, ot_sized (held r).
  Hypothesis other_target_length : forall r, length (other_target r) = nat_of h.
  Hypothesis target_small : forall r, (val (target r) < 2 ^ val h)%Z.
  Hypothesis target_shared : forall r, xor_bits (ot_target (held r)) (other_target r) = dpf_address_bits (target r) h.
  (* A test of all else, of the blocks that the party received, of App. C's messages, of its key and of the other's leaves. *)
  Context (test : R * list u128 -> list (distributed_gen_Operands * u128) -> dpf_Key -> list u128 -> bool).

  Definition real_ot_generation : Q :=
    Pr (list_prod (list_prod rest (tuples (nat_of h) ot_space)) labels) (fun '((r, ots), root) =>
      let g := ot_run (held r) (other_target r) root ots in
      test (r, received_blocks (ot_bits (held r)) ots) (map (received party) (distributed_gen_Generation_messages g))
        (own_key party (run_keys g)) (other_labels party g)).

  (* The received blocks are uniform. A list of another length does not occur. *)
  Notation with_blocks := (list_prod rest (tuples (nat_of h) labels)).
  Definition blocks_of (z : R * list u128) : list u128 :=
    if Nat.eqb (length (snd z)) (nat_of h) then snd z else repeat (repr 128 0) (nat_of h).
  Let root_z (z : R * list u128) : u128 := ot_root (held (fst z)).
  Let levels_z (z : R * list u128) : list level_share := ot_levels (held (fst z)) (blocks_of z).
  Definition simulated_ot_generation : Q := simulated_generation prg party with_blocks root_z levels_z (fun z => target (fst z)) h test.
  Definition ot_distinguisher : nat -> distinguisher :=
    generation_distinguisher prg party with_blocks root_z levels_z (fun z => target (fst z)) h test.

  Lemma blocks_length (z : R * list u128) : length (blocks_of z) = nat_of h.
  Proof. unfold blocks_of. destruct (Nat.eqb_spec (length (snd z)) (nat_of h)); [assumption | apply repeat_length]. Qed.

  Theorem ot_generation_simulated :
    Qabs (real_ot_generation - simulated_ot_generation) <= sum_below (nat_of h) (fun i => Adv prg (ot_distinguisher i)).
  Proof.
    assert (bits : forall z, map share_bit (levels_z z) = ot_target (held (fst z))).
    { intros z. unfold levels_z, ot_levels. pose proof (blocks_length z) as hl. destruct (held_sized (fst z)) as [ht hb hp].
      revert ht hb hp hl. generalize (ot_target (held (fst z))) (ot_bits (held (fst z))) (ot_pairs (held (fst z))) (blocks_of z). generalize (nat_of h).
      induction n as [|n IH]; intros [|t ts] [|x xs] [|p ps] [|b bs] e e' e'' e'''; try discriminate; [reflexivity|].
      cbn. f_equal. apply IH; cbn in *; lia. }
    assert (lengths : forall z, length (levels_z z) = nat_of h).
    { intros z. rewrite <- (map_length share_bit), bits. apply (target_length _ (held_sized (fst z))). }
    assert (real : real_ot_generation == real_generation prg party with_blocks root_z levels_z (fun z => other_target (fst z)) h test).
    { unfold real_ot_generation, real_generation. rewrite !Pr_mean, !mean_prod. apply mean_ext. intros r _.
      pose proof (bits_sized _ (held_sized r)) as hb.
      pose (F := fun (blocks : list u128) (masks : list (bool * u128)) => mean labels (fun root =>
        let levels := ot_levels (held r) blocks in
        let g := run prg party (ot_root (held r)) levels {| secret_bits := other_target r; secret_root := root |} (dealt_draws levels masks) in
        indicator (test (r, blocks) (map (received party) (distributed_gen_Generation_messages g)) (own_key party (run_keys g)) (other_labels party g)))).
      transitivity (mean (tuples (nat_of h) ot_space) (fun ots => F (received_blocks (ot_bits (held r)) ots) (ot_masks ots))).
      { apply mean_ext. intros ots ho. apply tuples_length in ho. apply mean_ext. intros root _. cbv zeta.
        rewrite (ot_run_is (held r) (other_target r) root ots (held_sized r) (other_target_length r) ho). reflexivity. }
      rewrite <- hb, (mean_ots (ot_bits (held r)) F), hb. apply mean_ext. intros blocks hl. apply tuples_length in hl.
      unfold F. rewrite mean_swap. apply mean_ext. intros root _. apply mean_ext. intros masks _.
      assert (e : blocks_of (r, blocks) = blocks) by (unfold blocks_of; cbn [snd]; rewrite hl, Nat.eqb_refl; reflexivity).
      unfold levels_z, root_z. rewrite e. reflexivity. }
    rewrite real. apply (generation_simulated prg party with_blocks root_z levels_z (fun z => other_target (fst z)) (fun z => target (fst z)) h); auto.
    intros z. rewrite bits. apply target_shared.
  Qed.
End Ot.
