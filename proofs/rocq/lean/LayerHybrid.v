(* The output layers of a lean tree that ends at their depth, by hybrid (`lean::layers`): after the levels, which are the paper's
   (core/KeyPrivacy.v), the other party's last label on the path is uniform but for its flag, and one more step replaces what the
   layer makes of it, X (tweak 2) or Y (tweaks 8 to 11), by uniform blocks. A layer's correction is such an output with something
   added that the party knows or that is secret, and so uniform.

   For the layer at the end of the tree: the flags of a READ item, the words of an UPDATE item. The flag layer of an UPDATE item is
   of a label whose children are used as well, and its step, of six blocks at once, is not here. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection Counting.
From Duoram.core Require Import Parties LabelFacts PrgAdvantage KeyHybrid KeyPrivacy.
From Duoram.Generated Require Import All.
#[local] Open Scope Q_scope.

Section Layer.
  Context {P : Type} {P_Prg : prg_Prg P} {P_Layers : lean_layers_Layers P} (prg : P).

  (* What a layer makes of a label: a block for each tweak. *)
  Definition layer_blocks (tweaks : list u128) (label : u128) : list u128 :=
    map (fun tweak => lean_layers_Layers_output prg label tweak) tweaks.

  Lemma flag_layer_block (label : u128) :
    layer_blocks [lean_layers_FLAG_TWEAK] label = [lean_layers_flag_block prg label].
  Proof. reflexivity. Qed.

  (* As [distinguisher] of PrgAdvantage.v, for a layer. *)
  Record layer_distinguisher : Type := {
    layer_coins : Type;
    layer_coin_space : list layer_coins;
    layer_seed_flag : layer_coins -> bool;
    layer_guess : layer_coins -> list u128 -> bool;
  }.
  Definition layer_Adv (tweaks : list u128) (d : layer_distinguisher) : Q :=
    Qabs (Pr (list_prod (layer_coin_space d) labels)
            (fun '(r, seed) => layer_guess d r (layer_blocks tweaks (block_with_flag seed (layer_seed_flag d r))))
          - Pr (list_prod (layer_coin_space d) (tuples (length tweaks) labels)) (fun '(r, blocks) => layer_guess d r blocks)).

  (* A key of [party] and the layer of the other's label at the target: for a test of both, and of all else. *)
  Context (party : share_Primary) (tweaks : list u128).
  Context {R : Type} (rest : list R) (root : R -> u128) (target : R -> u64) (h : u64).
  Context (test : R -> dpf_Key -> list u128 -> bool).

  Definition layer_step : layer_distinguisher := {|
    layer_coin_space := list_prod rest (tuples (nat_of h) fresh_corrections);
    layer_seed_flag := fun '(r, corrections) =>
      negb (block_flag (dpf_eval prg (simulated_key party (root r) corrections) (target r)));
    layer_guess := fun '(r, corrections) blocks => test r (simulated_key party (root r) corrections) blocks;
  |}.

  Theorem key_and_layer_simulated : (val h <= 64)%Z ->
    Qabs (Pr (list_prod rest labels) (fun '(r, other_root) =>
            let keys := dealt_keys prg party (target r) h (root r) other_root in
            test r (own_key party keys) (layer_blocks tweaks (dpf_eval prg (other_key party keys) (target r))))
          - Pr (list_prod (list_prod rest (tuples (nat_of h) fresh_corrections)) (tuples (length tweaks) labels))
              (fun '((r, corrections), blocks) => test r (simulated_key party (root r) corrections) blocks))
    <= sum_below (nat_of h) (fun i => Adv prg (leaf_distinguisher prg party rest root target h
         (fun r key label => test r key (layer_blocks tweaks label)) i))
       + layer_Adv tweaks layer_step.
  Proof.
    intros hh.
    eapply Qle_trans; [|apply Qplus_le_compat; [apply key_and_leaf_simulated, hh | apply Qle_refl]].
    unfold layer_Adv, layer_step. cbn [layer_coins layer_coin_space layer_seed_flag layer_guess].
    eapply Qle_trans; [|apply Qabs_triangle]. apply Qle_lteq. right. apply Qabs_wd.
    assert (middle : Pr (list_prod (list_prod rest (tuples (nat_of h) fresh_corrections)) labels) (fun '((r, corrections), seed) =>
        let key := simulated_key party (root r) corrections in
        test r key (layer_blocks tweaks (beside (dpf_eval prg key (target r)) seed)))
      == Pr (list_prod (list_prod rest (tuples (nat_of h) fresh_corrections)) labels) (fun '(z, seed) =>
        (let '(r, corrections) := z in fun blocks => test r (simulated_key party (root r) corrections) blocks)
          (layer_blocks tweaks (block_with_flag seed (let '(r, corrections) := z in
            negb (block_flag (dpf_eval prg (simulated_key party (root r) corrections) (target r)))))))).
    { rewrite !Pr_mean. apply mean_ext. intros [[r cs] seed] _. reflexivity. }
    assert (last : Pr (list_prod (list_prod rest (tuples (nat_of h) fresh_corrections)) (tuples (length tweaks) labels))
        (fun '((r, corrections), blocks) => test r (simulated_key party (root r) corrections) blocks)
      == Pr (list_prod (list_prod rest (tuples (nat_of h) fresh_corrections)) (tuples (length tweaks) labels)) (fun '(z, blocks) =>
        (let '(r, corrections) := z in fun blocks => test r (simulated_key party (root r) corrections) blocks) blocks)).
    { rewrite !Pr_mean. apply mean_ext. intros [[r cs] blocks] _. reflexivity. }
    rewrite middle, last. ring.
  Qed.
End Layer.
