(* The distributed generation of a DPF [duoram, App. C] makes the keys of GEN, for the target whose bits are the XOR of
   the two parties' bits; hence its leaves point at that target. For any PRG, any roots, and triples of App. A of which
   the first operands are replicated bits, whatever the dealer's randomness is. *)
From Coq Require Import Lia.
From Duoram.core Require Export DpfCorrectness.
From Duoram.Generated Require Import All.

(** * The targets *)

(* The XOR of two parties' bit lists. *)
Definition xor_bits (bits_0 bits_1 : list bool) : list bool :=
  map (fun '(b, c) => xorb b c) (combine bits_0 bits_1).

(* The XOR of the bit lists of two addresses is the bit list of the XOR of the addresses, for h <= 64. *)
Theorem xor_of_address_bits (i_0 i_1 h : u64) : val h <= 64 ->
  xor_bits (dpf_address_bits i_0 h) (dpf_address_bits i_1 h) = dpf_address_bits (ixor i_0 i_1) h.
Proof.
  intros hh. rewrite !address_bits_path by assumption. unfold xor_bits. rewrite path_bits_lxor.
  unfold ixor. rewrite val_repr. symmetry. apply path_bits_mod. rewrite Z_nat_of. assumption.
Qed.

(* Only the lower h bits of an address count. *)
Theorem address_bits_mod_size (i h n : u64) : val h < 64 -> val n = 2 ^ val h ->
  dpf_address_bits (vector_mod_size i n) h = dpf_address_bits i h.
Proof.
  intros hh hn. pose proof (val_bounds h). rewrite !address_bits_path, (val_vector_mod_size _ _ (val h)) by lia.
  apply path_bits_mod. rewrite Z_nat_of. lia.
Qed.

(* So generation from the bits of i_0 and i_1 has the target (i_0 xor i_1) mod 2^h. *)
Corollary xor_of_address_bits_mod_size (i_0 i_1 h n : u64) : val h < 64 -> val n = 2 ^ val h ->
  xor_bits (dpf_address_bits i_0 h) (dpf_address_bits i_1 h)
  = dpf_address_bits (vector_mod_size (ixor i_0 i_1) n) h.
Proof. intros hh hn. rewrite address_bits_mod_size by assumption. apply xor_of_address_bits. lia. Qed.

(* Every list of up to 64 bits is that of a target below 2^(its length). *)
Theorem every_bit_list_is_an_address (bits : list bool) : Z.of_nat (length bits) <= 64 ->
  exists target : u64, val target < 2 ^ Z.of_nat (length bits) /\ dpf_address_bits target (len bits) = bits.
Proof.
  intros h. exists (repr 64 (number_of_bits bits)). pose proof (number_of_bits_bounds bits).
  assert (2 ^ Z.of_nat (length bits) <= 2 ^ 64) by (apply Z.pow_le_mono_r; lia).
  rewrite address_bits_path, nat_of_len, val_repr_small by (rewrite ?val_len; lia).
  split; [lia | apply path_bits_number].
Qed.

(** * One level *)

(* Two AND triples as the dealer makes them for App. C: of its five random blocks, the first two are replicated bits. *)
Definition dealt_for_a_bit (triples : du_atallah_AndTriple * du_atallah_AndTriple) : Prop :=
  exists (x_0 x_1 : bool) (y_0 y_1 t : u128),
    triples = du_atallah_and_triples (block_replicate x_0) (block_replicate x_1) y_0 y_1 t.

Section Level.
  Context {P : Type} {P_Prg : prg_Prg P} (prg : P).

  Lemma xor_sum_fold (l : list u128) (a : u128) :
    fold_left (fun sum block => ixor sum block) l a = ixor a (block_xor_sum l).
  Proof.
    unfold block_xor_sum. revert a. induction l as [|x l IH]; intros a; cbn [fold_left].
    - symmetry. apply ixor_0_r.
    - rewrite IH, (IH (ixor (repr 128 0) x)), ixor_0_l. apply ixor_assoc.
  Qed.

  Lemma xor_sum_cons (x : u128) (l : list u128) : block_xor_sum (x :: l) = ixor x (block_xor_sum l).
  Proof. unfold block_xor_sum at 1. cbn [fold_left]. rewrite xor_sum_fold, ixor_0_l. reflexivity. Qed.

  Lemma xor_sum_app (a b : list u128) : block_xor_sum (a ++ b) = ixor (block_xor_sum a) (block_xor_sum b).
  Proof.
    induction a as [|x a IH]; cbn [app]; [symmetry; apply ixor_0_l|].
    rewrite !xor_sum_cons, IH. symmetry. apply ixor_assoc.
  Qed.

  (* Two levels that are equal but for one node: their sums differ by what the children of that node differ by. *)
  Lemma xor_sums_differ (f : u128 -> u128) (before after : list u128) (node_0 node_1 : u128) :
    ixor (block_xor_sum (map f (before ++ node_0 :: after))) (block_xor_sum (map f (before ++ node_1 :: after)))
    = ixor (f node_0) (f node_1).
  Proof. rewrite !map_app, !xor_sum_app. cbn [map]. rewrite !xor_sum_cons. xor_and. Qed.

  (* Both parties reconstruct, from the messages of a level, the correction that GEN computes from the two nodes on the
     path and the XOR of the parties' bits [duoram, App. C, steps 1 to 4]: the levels are equal but for these nodes. *)
  Theorem distributed_level_correction (before after : list u128) (node_0 node_1 : u128) (bit_0 bit_1 : bool)
    (triples : du_atallah_AndTriple * du_atallah_AndTriple) : dealt_for_a_bit triples ->
    distributed_gen_correction_of
      (distributed_gen_level_messages prg (before ++ node_0 :: after) (before ++ node_1 :: after)
        (bit_0, bit_1) triples)
    = dealer_level_correction prg node_0 node_1 (xorb bit_0 bit_1).
  Proof.
    intros (x_0 & x_1 & y_0 & y_1 & t & ->).
    pose proof (xor_sums_differ (prg_Prg_left prg) before after node_0 node_1) as hl.
    pose proof (xor_sums_differ (prg_Prg_right prg) before after node_0 node_1) as hr.
    unfold dealer_level_correction. rewrite <- hl, <- hr. clear hl hr.
    unfold distributed_gen_level_messages, distributed_gen_correction_of, distributed_gen_reconstruct,
      distributed_gen_operands, distributed_gen_child_sums. cbn -[block_xor_sum].
    set (l_0 := block_xor_sum (map _ (before ++ node_0 :: after))).
    set (l_1 := block_xor_sum (map _ (before ++ node_1 :: after))).
    set (r_0 := block_xor_sum (map _ (before ++ node_0 :: after))).
    set (r_1 := block_xor_sum (map _ (before ++ node_1 :: after))).
    f_equal.
    - unfold distributed_gen_opening, distributed_gen_second_operand, du_atallah_and_share. cbn -[block_xor_sum].
      rewrite !ixor_replicate, !block_flag_replicate.
      clearbody l_0 l_1 r_0 r_1. destruct bit_0, bit_1, x_0, x_1; cbn [xorb];
        rewrite ?iand_replicate, ?clear_flag_ixor, !(iand_comm _ (block_replicate _)), ?iand_replicate, ?ixor_0_l, ?ixor_0_r; xor_and.
    - rewrite block_flag_ixor. destruct (block_flag l_0), (block_flag l_1), bit_0, bit_1; reflexivity.
    - rewrite block_flag_ixor. destruct (block_flag r_0), (block_flag r_1), bit_0, bit_1; reflexivity.
  Qed.
End Level.

(** * All levels *)

Section Generation.
  Context {P : Type} {P_Prg : prg_Prg P} (prg : P).

  Notation step := (fun (done : distributed_gen_Generation)
    '(((bit_0, bit_1), (triple_0, triple_1)) : (bool * bool) * (du_atallah_AndTriple * du_atallah_AndTriple)) =>
      distributed_gen_grow prg done (bit_0, bit_1) (triple_0, triple_1)).

  (* The labels that a party holds are at all times the EVALFULL of its key so far. *)
  Lemma grow_labels (pairs : list ((bool * bool) * (du_atallah_AndTriple * du_atallah_AndTriple))) done :
    let fits g :=
      dpf_Key_corrections (distributed_gen_Generation_key_0 g)
        = dpf_Key_corrections (distributed_gen_Generation_key_1 g)
      /\ distributed_gen_Generation_labels_0 g = dpf_eval_full prg (distributed_gen_Generation_key_0 g)
      /\ distributed_gen_Generation_labels_1 g = dpf_eval_full prg (distributed_gen_Generation_key_1 g) in
    fits done -> fits (fold_left step pairs done).
  Proof.
    intros fits start. apply fold_left_invariant; [exact start|]. clear start.
    intros g [[b_0 b_1] [t_0 t_1]] _ (hc & h_0 & h_1). unfold fits, distributed_gen_grow. cbn -[concat dpf_eval_full].
    rewrite h_0, h_1, concat_pair. split; [reflexivity|]. unfold dpf_eval_full. cbn [dpf_Key_root dpf_Key_corrections].
    rewrite !fold_left_app, hc. split; reflexivity.
  Qed.

  Lemma next_level_split (before after : list u128) (node : u128) correction :
    dpf_next_level prg (before ++ node :: after) correction
    = dpf_next_level prg before correction ++ dpf_child prg node correction false
        :: dpf_child prg node correction true :: dpf_next_level prg after correction.
  Proof. unfold dpf_next_level. rewrite flat_map_app. reflexivity. Qed.

  (* From two levels that are equal but for one node, where the flags differ: the corrections to come are GEN's. *)
  Lemma grow_corrections (pairs : list ((bool * bool) * (du_atallah_AndTriple * du_atallah_AndTriple))) :
    Forall (fun pair => dealt_for_a_bit (snd pair)) pairs ->
    forall before after node_0 node_1 done, block_flag node_0 <> block_flag node_1 ->
    distributed_gen_Generation_labels_0 done = before ++ node_0 :: after ->
    distributed_gen_Generation_labels_1 done = before ++ node_1 :: after ->
    let key_0 := distributed_gen_Generation_key_0 done in
    let key_1 := distributed_gen_Generation_key_1 done in
    let bits := map (fun pair => xorb (fst (fst pair)) (snd (fst pair))) pairs in
    let result := fold_left step pairs done in
    dpf_Key_corrections key_0 = dpf_Key_corrections key_1 ->
    let corrections := dpf_Key_corrections key_0 ++ corrections_for prg node_0 node_1 bits in
    distributed_gen_Generation_key_0 result = mk_dpf_Key (dpf_Key_root key_0) corrections /\
    distributed_gen_Generation_key_1 result = mk_dpf_Key (dpf_Key_root key_1) corrections.
  Proof.
    intros dealt. induction dealt as [|[[b_0 b_1] triples] pairs hd dealt IH];
      intros before after node_0 node_1 done hf h_0 h_1 key_0 key_1 bits result hk corrections.
    - subst corrections result bits key_0 key_1. cbn [map corrections_for fold_left]. rewrite app_nil_r.
      destruct (distributed_gen_Generation_key_0 done), (distributed_gen_Generation_key_1 done); cbn in *.
      subst. split; reflexivity.
    - cbn [snd] in hd. subst result bits corrections. cbn [map fst snd corrections_for fold_left].
      set (c := dealer_level_correction prg node_0 node_1 (xorb b_0 b_1)).
      set (b := xorb b_0 b_1) in *.
      assert (hc : distributed_gen_correction_of
        (distributed_gen_level_messages prg (before ++ node_0 :: after) (before ++ node_1 :: after)
          (b_0, b_1) triples) = c) by (apply distributed_level_correction, hd).
      destruct triples as [t_0 t_1].
      set (grown := distributed_gen_grow prg done (b_0, b_1) (t_0, t_1)).
      assert (off : dpf_child prg node_0 c (negb b) = dpf_child prg node_1 c (negb b))
        by (apply child_off_path, hf).
      assert (on : block_flag (dpf_child prg node_0 c b) <> block_flag (dpf_child prg node_1 c b))
        by (apply child_on_path, hf).
      assert (keys : distributed_gen_Generation_key_0 grown
          = mk_dpf_Key (dpf_Key_root key_0) (dpf_Key_corrections key_0 ++ [c])
        /\ distributed_gen_Generation_key_1 grown
          = mk_dpf_Key (dpf_Key_root key_1) (dpf_Key_corrections key_0 ++ [c])
        /\ distributed_gen_Generation_labels_0 grown = dpf_next_level prg (before ++ node_0 :: after) c
        /\ distributed_gen_Generation_labels_1 grown = dpf_next_level prg (before ++ node_1 :: after) c).
      { unfold grown, distributed_gen_grow. cbv zeta. rewrite h_0, h_1, hc, concat_pair. repeat split. }
      destruct keys as (hk_0 & hk_1 & hl_0 & hl_1). rewrite next_level_split in hl_0, hl_1.
      set (before' := if b then dpf_next_level prg before c ++ [dpf_child prg node_0 c false]
                      else dpf_next_level prg before c).
      set (after' := if b then dpf_next_level prg after c
                     else dpf_child prg node_0 c true :: dpf_next_level prg after c).
      destruct (IH before' after' (dpf_child prg node_0 c b) (dpf_child prg node_1 c b) grown on) as [IH_0 IH_1].
      + rewrite hl_0. subst before' after'. destruct b; [rewrite <- app_assoc|]; reflexivity.
      + rewrite hl_1. subst before' after'. destruct b; cbn [negb] in off; rewrite off;
          [rewrite <- app_assoc|]; reflexivity.
      + rewrite hk_0, hk_1. reflexivity.
      + rewrite IH_0, IH_1, hk_0, hk_1. cbn [dpf_Key_root dpf_Key_corrections].
        rewrite <- app_assoc. split; reflexivity.
  Qed.

  (** The theorems: both parties have equally many bits and triples, and the dealer made each pair of triples. *)

  Context (input_0 input_1 : distributed_gen_Input) (height : nat).
  Notation bits_0 := (distributed_gen_Input_target_bits input_0).
  Notation bits_1 := (distributed_gen_Input_target_bits input_1).
  Notation triples_0 := (distributed_gen_Input_triples input_0).
  Notation triples_1 := (distributed_gen_Input_triples input_1).
  Notation generation := (distributed_gen_distributed_generation prg input_0 input_1).

  (* Each party holds the EVALFULL of its key, for any inputs at all [duoram, App. C, steps 5 and 6]. *)
  Theorem distributed_generation_labels :
    distributed_gen_Generation_labels_0 generation = dpf_eval_full prg (distributed_gen_Generation_key_0 generation) /\
    distributed_gen_Generation_labels_1 generation = dpf_eval_full prg (distributed_gen_Generation_key_1 generation).
  Proof. apply grow_labels. repeat split. Qed.

  Hypothesis bits_0_length : length bits_0 = height.
  Hypothesis bits_1_length : length bits_1 = height.
  Hypothesis triples_0_length : length triples_0 = height.
  Hypothesis triples_1_length : length triples_1 = height.
  Hypothesis dealt : Forall dealt_for_a_bit (combine triples_0 triples_1).

  (* The keys are those for the XOR of the bit lists, of any length. *)
  Theorem distributed_generation_keys_for :
    (distributed_gen_Generation_key_0 generation, distributed_gen_Generation_key_1 generation)
    = keys_for prg (xor_bits bits_0 bits_1) (distributed_gen_Input_root input_0) (distributed_gen_Input_root input_1).
  Proof.
    unfold distributed_gen_distributed_generation. cbv zeta.
    set (pairs := combine (combine bits_0 bits_1) (combine triples_0 triples_1)).
    set (start := mk_distributed_gen_Generation _ _ _ _ _).
    assert (hd : Forall (fun pair => dealt_for_a_bit (snd pair)) pairs).
    { apply Forall_forall. intros [b t] h. apply in_combine_r in h.
      exact (proj1 (Forall_forall _ _) dealt t h). }
    destruct (grow_corrections pairs hd [] []
      (distributed_gen_planted share_Primary_P0 (distributed_gen_Input_root input_0))
      (distributed_gen_planted share_Primary_P1 (distributed_gen_Input_root input_1)) start
      (roots_differ _ _) eq_refl eq_refl eq_refl) as [-> ->].
    unfold keys_for. cbn [distributed_gen_planted]. cbn [start distributed_gen_Generation_key_0
      distributed_gen_Generation_key_1 dpf_Key_root dpf_Key_corrections app].
    replace (map _ pairs) with (xor_bits bits_0 bits_1); [reflexivity|].
    apply (list_ext false); unfold xor_bits; rewrite !map_length; unfold pairs; rewrite !combine_length; [lia|].
    intros k hk. rewrite (nth_map_combine _ bits_0 bits_1 k false false) by lia.
    set (d := mk_du_atallah_AndTriple (repr 128 0) (repr 128 0) (repr 128 0)).
    rewrite (nth_map_combine _ _ (combine triples_0 triples_1) k (false, false) (d, d))
      by (rewrite combine_length; lia).
    rewrite (nth_combine bits_0) by lia. reflexivity.
  Qed.

  (* App. C makes GEN's keys, for the target whose bits are the XOR of the parties' bits, on the parties' roots
     [duoram, App. C]. *)
  Theorem distributed_generation_makes_dealer_keys (target h : u64) :
    xor_bits bits_0 bits_1 = dpf_address_bits target h ->
    (distributed_gen_Generation_key_0 generation, distributed_gen_Generation_key_1 generation)
    = dealer_generate prg target h (distributed_gen_Input_root input_0) (distributed_gen_Input_root input_1).
  Proof. intros e. rewrite generate_keys_for, <- e. apply distributed_generation_keys_for. Qed.

  (* Hence its leaves point at the target, as `lemmas::leaves_point_at` says it: flags that XOR to e_target, labels that
     agree off it [duoram, section 4.1.1, App. C]; for h < 64. *)
  Theorem distributed_generation_leaves_point_at (target h : u64) : val h < 64 -> val target < 2 ^ val h ->
    xor_bits bits_0 bits_1 = dpf_address_bits target h ->
    length (distributed_gen_Generation_labels_0 generation) = (2 ^ nat_of h)%nat /\
    length (distributed_gen_Generation_labels_1 generation) = (2 ^ nat_of h)%nat /\
    lemmas_leaves_point_at (distributed_gen_Generation_labels_0 generation)
      (distributed_gen_Generation_labels_1 generation) target = true.
  Proof.
    intros hh ht e. pose proof (distributed_generation_makes_dealer_keys target h e) as hk.
    destruct distributed_generation_labels as [-> ->].
    replace (distributed_gen_Generation_key_0 generation) with
      (fst (dealer_generate prg target h (distributed_gen_Input_root input_0) (distributed_gen_Input_root input_1)))
      by (rewrite <- hk; reflexivity).
    replace (distributed_gen_Generation_key_1 generation) with
      (snd (dealer_generate prg target h (distributed_gen_Input_root input_0) (distributed_gen_Input_root input_1)))
      by (rewrite <- hk; reflexivity).
    rewrite !dpf_eval_full_length, generate_height_0, generate_height_1.
    repeat split. apply dpf_leaves_point_at; assumption.
  Qed.
End Generation.
