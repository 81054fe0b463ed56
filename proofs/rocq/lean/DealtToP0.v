(* What P2 deals, as P0 has it: P0's part is of its stream with P2 alone, and P1's, of `lean::dealing`, is what PreparingView.v takes it to be
   from P0's. So the theorems of PreparingItems.v on P0 are about what P2 deals. *)
From Coq Require Import Lia.
From Duoram.core Require Import Parties GenerationPrivacy GenerationRunPrivacy GenerationSimulated.
From Duoram.lean Require Import PreparedItems PreparingView CorrectionsUniform DealtToP1.
From Duoram.Generated Require Import All.

Section Dealt.
  Context {P : Type} {P_Prg : prg_Prg P} (prg : P).
  Context (h : u64) (h_small : val h < 64) (purpose : lean_layers_Purpose).
  Notation d := (tree_level h purpose).

  (* P0's stream, and P1's, of which X_1 (a bit), Y_1 and the word of r_1 are. *)
  Definition seed_of_held (held : dpf_held (W := W)) : lean_tape_Seed0 W :=
    mk_lean_tape_Seed0 (map (fun '(x, (y, z)) => mk_lean_tape_TripleSeed (block_replicate x) y z) (held_triples held)) (held_one_hot held)
      (held_mask held) (held_value_share held) (held_value_one_hot held).
  Definition seed_of_draw (masks : list (bool * u128)) (word : u64) : lean_tape_Seed1 :=
    mk_lean_tape_Seed1 (map (fun '(x, y) => mk_lean_tape_TripleSeed (block_replicate x) y (repr 128 0)) masks) (other_mask h word).

  Theorem dealt_with_P0 (held : dpf_held (W := W)) (root : u128) (masks : list (bool * u128)) (word : u64) (value : W) :
    held_sized h purpose held -> length masks = d ->
    let seed_0 := seed_of_held held in
    let seed_1 := seed_of_draw masks word in
    lean_dealing_dealt_0 seed_0 = own_dealt prg h held /\
    lean_dealing_dealt_1 seed_1 (lean_dealing_deal seed_0 seed_1 purpose (other_value purpose value))
    = others_dealt prg share_Primary_P0 h purpose held (root, masks, word, value).
  Proof.
    intros sized_held hm. cbv zeta. pose proof (triples_sized h purpose held sized_held) as ht.
    assert (small : (d <= nat_of h)%nat) by apply flag_level_below. split.
    - unfold lean_dealing_dealt_0, own_dealt. rewrite own_triples_are by lia. f_equal. cbn [seed_of_held lean_tape_Seed0_triples].
      rewrite map_map. apply map_ext. intros [x [y z]]. reflexivity.
    - unfold others_dealt, lean_dealing_dealt_1, others_levels.
      assert (triples : map (fun '(t, z) => mk_du_atallah_AndTriple (lean_tape_TripleSeed_x t) (lean_tape_TripleSeed_y t) z)
          (combine (lean_tape_Seed1_triples (seed_of_draw masks word)) (lean_dealing_Deal_z (lean_dealing_deal (seed_of_held held)
            (seed_of_draw masks word) purpose (other_value purpose value))))
        = map (uncurry (others_triple prg share_Primary_P0)) (combine (level_shares h held) (dealt_draws (level_shares h held) masks))).
      { transitivity (map (fun '(t, z) => mk_du_atallah_AndTriple (lean_tape_TripleSeed_x t) (lean_tape_TripleSeed_y t) z)
          (combine (lean_tape_Seed1_triples (seed_of_draw masks word)) (map (fun '(t_0, t_1) => lean_dealing_dealt_z t_0 t_1)
            (combine (lean_tape_Seed0_triples (seed_of_held held)) (lean_tape_Seed1_triples (seed_of_draw masks word)))))).
        { unfold lean_dealing_deal. destruct purpose; reflexivity. }
        unfold level_shares. cbn [seed_of_held seed_of_draw lean_tape_Seed0_triples lean_tape_Seed1_triples].
        assert (lb : (length (held_triples held) <= length (path_bits (nat_of h) (val (held_index held))))%nat) by (rewrite path_bits_length; lia).
        rewrite <- ht in hm. clear ht small. revert lb masks hm. generalize (path_bits (nat_of h) (val (held_index held))).
        induction (held_triples held) as [|[x [y z]] ts IH]; intros bits lb [|[x' y'] masks] hm; try discriminate;
          [destruct bits; reflexivity|]. destruct bits as [|bit bits]; [cbn in lb; lia|].
        cbn [combine map uncurry dealt_draws]. f_equal; [|apply IH; cbn in *; lia].
        unfold others_triple, dealt, held_at, lean_dealing_dealt_z. cbn. f_equal. xor_and. }
      rewrite triples. clear triples. unfold lean_dealing_deal, seed_of_held, seed_of_draw, other_value.
      destruct purpose; reflexivity.
  Qed.
End Dealt.
