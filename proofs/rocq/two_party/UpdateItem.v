(* Privacy of an UPDATE item's whole life towards a party of two [duoram, App. C]: the blocks that it receives in the ideal OTs, all messages of
   App. C with triples made of them, the other's share of z, and the other's message of the UPDATE that uses the item. All of it is within one
   advantage a level against the PRG (core/PrgAdvantage.v) of what a simulator makes of the party's own draws and of fresh ones. The simulator is
   told no secret: not ri nor the other's share of it, root, X_c, or pairs; nor the other's shares of i* and M.

   The DPF is replaced first (OtGeneration.v); then all is uniform, and an exact statement is left (LeafLife.v). Both together: one leaf
   feeds z, the other's share of ri, and M + F, and nothing of it is assumed.

   Probabilities are over the other's words, its pairs of the OTs, and [rest], which is whatever else there is: the party's own draws, all
   inputs, other items. The test sees [rest]. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection Counting.
From Duoram.core Require Import Parties LabelFacts GenerationPrivacy GenerationRunPrivacy PrgAdvantage KeyPrivacy GenerationSimulated SizeFacts.
From Duoram.two_party Require Import OneDpf OtGeneration LeafLife.
From Duoram.Generated Require Import All.
#[local] Open Scope Q_scope.

(* What a party draws for an UPDATE item (`tape::UpdateDraws`): the word of its share of ri, its root, the word of its X_b, and the pairs of
   the OTs that it sends. *)
Record update_own : Type := { own_target : u64; own_root : u128; own_choices : u64; own_pairs : list (u128 * u128) }.

Section Item.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Laws : RingLaws W}.
  Context {P : Type} {P_Prg : prg_Prg P} (prg : P) (party : share_Primary).
  Context (h n : u64) (h_small : (val h < 64)%Z) (size : val n = (2 ^ val h)%Z).
  Hypothesis fits_word : (val n <= 2 ^ Zpos (ring_bits W))%Z.
  Notation other := (other_primary party).
  Notation H := (nat_of h).

  Definition held_of (o : update_own) : ot_held := {|
    ot_root := own_root o; ot_target := dpf_address_bits (own_target o) h; ot_bits := dpf_address_bits (own_choices o) h;
    ot_pairs := own_pairs o |}.

  (* What the other draws: the word of its share of ri; a bit X_c and a pair for each level; its root. *)
  Notation update_draw := (u64 * (list (bool * (u128 * u128)) * u128))%type.
  Definition update_space : list update_draw := list_prod (words 64) (list_prod (tuples H ot_space) labels).

  (* What a party receives: blocks, App. C, the share of z, and the message of UPDATE. *)
  Definition update_received : Type :=
    list u128 * list (distributed_gen_Operands * u128) * (W * two_party_update_UpdateMessage W).

  Definition received_in_update (o : update_own) (query : others_query W) (d : update_draw) : update_received :=
    let '(word, (ots, root)) := d in
    let g := ot_run prg party h (held_of o) (dpf_address_bits word h) root ots in
    (received_blocks (ot_bits (held_of o)) ots, map (received party) (distributed_gen_Generation_messages g),
     seen_of party (own_labels party g) (other_labels party g) query).

  (* The simulator's draws: the blocks; two masks and a correction for each level; a word and a label. *)
  Notation update_coins := (list u128 * (list (bool * u128) * list dpf_Correction) * leaf_hidden)%type.
  Definition update_coin_space : list update_coins :=
    list_prod (list_prod (tuples H labels) (list_prod (tuples H mask_space) (tuples H fresh_corrections)))
      (list_prod (words 64) labels).
  Definition simulated_update (o : update_own) (c : update_coins) : update_received :=
    let '((blocks, (coins, corrections)), hidden) := c in
    let key := simulated_key party (own_root o) corrections in
    (blocks, simulated_run prg party (own_root o) (ot_levels (held_of o) blocks) corrections coins,
     simulated_life n party (dpf_eval_full prg key) hidden).

  Context {R : Type} (rest : list R) (own : R -> update_own) (query : R -> others_query W).
  Hypothesis pairs_length : forall r, length (own_pairs (own r)) = H.
  Context (test : R -> update_received -> bool).

  Definition real_update : Q := Pr (list_prod rest update_space) (fun '(r, d) => test r (received_in_update (own r) (query r) d)).
  Definition simulated_update_life : Q :=
    Pr (list_prod rest update_coin_space) (fun '(r, c) => test r (simulated_update (own r) c)).

  (* As a test of the DPF alone. *)
  Definition with_word : list (R * u64) := list_prod rest (words 64).
  Definition held_with (z : R * u64) : ot_held := held_of (own (fst z)).
  Definition item_target (z : R * u64) : u64 := vector_mod_size (ixor (own_target (own (fst z))) (snd z)) n.
  Definition dpf_test (z : (R * u64) * list u128) (messages : list (distributed_gen_Operands * u128)) (key : dpf_Key)
    (leaves : list u128) : bool :=
    test (fst (fst z)) (snd z, messages, seen_of party (dpf_eval_full prg key) leaves (query (fst (fst z)))).
  Definition update_distinguisher : nat -> distinguisher :=
    ot_distinguisher prg party h with_word held_with item_target dpf_test.

  Let n_power : power_of_two n.
  Proof. exists (val h). pose proof (val_bounds h). split; [lia | exact size]. Qed.

  Lemma held_sized (o : update_own) : length (own_pairs o) = H -> ot_sized h (held_of o).
  Proof. intros e. constructor; cbn; auto using dpf_address_bits_length. Qed.

  (* The party's own leaves are those of the key that it has. *)
  Lemma own_leaves_of_key (z : R * u64) (root : u128) (ots : list (bool * (u128 * u128))) : length ots = H ->
    let g := ot_run prg party h (held_with z) (dpf_address_bits (snd z) h) root ots in
    own_labels party g = dpf_eval_full prg (own_key party (run_keys g)).
  Proof.
    intros ho. cbv zeta.
    rewrite (ot_run_is prg party h (held_with z) _ root ots (held_sized _ (pairs_length _)) (dpf_address_bits_length _ _) ho).
    unfold run, own_labels, run_keys, own_key. destruct party; cbn [in_order fst snd]; apply distributed_generation_labels.
  Qed.

  Lemma real_update_is_generation :
    real_update == real_ot_generation prg party h with_word held_with (fun z => dpf_address_bits (snd z) h) dpf_test.
  Proof.
    unfold real_update, update_space, real_ot_generation, with_word.
    rewrite !Pr_mean, !mean_prod. apply mean_ext. intros r _. rewrite mean_prod. apply mean_ext. intros word _.
    rewrite mean_prod. apply mean_ext. intros ots ho. apply tuples_length in ho. apply mean_ext. intros root _.
    unfold received_in_update, dpf_test. cbv zeta. cbn [fst snd].
    pose proof (own_leaves_of_key (r, word) root ots ho) as e. cbv zeta in e. unfold held_with in *. cbn [fst snd] in *.
    rewrite <- e. reflexivity.
  Qed.

  Lemma simulated_leaves_sized (root : u128) (corrections : list dpf_Correction) : length corrections = H ->
    sized n (dpf_eval_full prg (simulated_key party root corrections)).
  Proof.
    intros e. unfold sized. rewrite dpf_eval_full_length. unfold simulated_key. cbn [dpf_Key_corrections].
    rewrite e. apply Nat2Z.inj. rewrite Nat2Z.inj_pow, !Z_nat_of, size. reflexivity.
  Qed.

  Lemma simulated_generation_is_life :
    simulated_ot_generation prg party h with_word held_with item_target dpf_test == simulated_update_life.
  Proof.
    unfold simulated_ot_generation, simulated_generation, with_word, simulated_update_life, update_coin_space.
    rewrite !Pr_mean, !mean_prod. apply mean_ext. intros r _.
    rewrite mean_swap. rewrite !mean_prod. apply mean_ext. intros blocks hb. apply tuples_length in hb.
    rewrite mean_swap, mean_prod. apply mean_ext. intros coins _.
    rewrite mean_swap. apply mean_ext. intros corrections hc. apply tuples_length in hc.
    assert (eb : forall word : u64, blocks_of h ((r, word), blocks) = blocks) by (intros; unfold blocks_of; cbn [snd]; rewrite hb, Nat.eqb_refl; reflexivity).
    pose (leaves := dpf_eval_full prg (simulated_key party (own_root (own r)) corrections)).
    assert (hs : sized n leaves) by (apply simulated_leaves_sized, hc).
    pose (g := fun seen => indicator (test r (blocks,
      simulated_run prg party (own_root (own r)) (ot_levels (held_of (own r)) blocks) corrections coins, seen))).
    pose proof (enumerates_all_prod _ _ (words_enumerate 64) labels_enumerate) as all.
    transitivity (mean (list_prod (words 64) labels) (fun r' => g (life_view n party leaves (query r) r'))).
    - rewrite mean_prod.
      rewrite <- (mean_by_bijection (words 64) (words 64) (ixor (own_target (own r))) (ixor (own_target (own r)))
        (fun index => mean labels (fun x => g (life_view n party leaves (query r) (index, x)))) (words_enumerate 64) (words_enumerate 64));
        [|intros; apply ixor_cancel_l|intros; apply ixor_cancel_l].
      apply mean_ext. intros word _. apply mean_ext. intros x _. unfold dpf_test, g, life_view, item_target, held_with, held_of.
      cbn [fst snd ot_root]. rewrite eb. reflexivity.
    - transitivity (mean (list_prod (words 64) labels) (fun c => g (simulated_life n party leaves c))).
      + rewrite <- (mean_by_bijection (list_prod (words 64) labels) (list_prod (words 64) labels)
          (life_forth n party leaves (query r)) (life_back n party leaves (query r)) (fun c => g (simulated_life n party leaves c)) all all
          (life_back_forth n party leaves (query r)) (life_forth_back n party leaves (query r))).
        apply mean_ext. intros x _. rewrite (life_view_simulated n n_power fits_word party leaves hs). reflexivity.
      + apply mean_ext. intros c _. unfold g, simulated_update, leaves. reflexivity.
  Qed.

  (* The theorem. *)
  Theorem two_party_update_life_simulated :
    Qabs (real_update - simulated_update_life) <= sum_below H (fun i => Adv prg (update_distinguisher i)).
  Proof.
    rewrite real_update_is_generation, <- simulated_generation_is_life.
    apply ot_generation_simulated; try assumption.
    - intros z. apply held_sized, pairs_length.
    - intros z. apply dpf_address_bits_length.
    - intros z. unfold item_target. rewrite <- size. apply mod_size_below, n_power.
    - intros z. apply xor_of_address_bits_mod_size; assumption.
  Qed.
End Item.

(* With the words of the implementation. *)
Definition two_party_update_life_simulated_u64 {P : Type} {P_Prg : prg_Prg P} (prg : P) (party : share_Primary) :=
  two_party_update_life_simulated (W := u64) prg party.
