(* What a party's DPF key tells of its target [duoram, section 2.1.1], [bgi16]: no more than the advantage of one explicit
   distinguisher a level against the PRG (PrgAdvantage.v). The keys are those of `dealer::generate`, which are also those
   of App. C (DistributedGeneration.v; GenerationView.v has its messages).

   Probabilities are over the other party's root, a uniform label, and over [rest], which is whatever else there is: the
   party's own root, the target, other items, later inputs may all be drawn from it, in any way; a test sees all of it.
   The simulator is told neither the target nor the other's root: its corrections are uniform. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection Counting.
From Duoram.core Require Import Parties DpfTreeFacts PrgAdvantage KeyHybrid.
From Duoram.Generated Require Import All.
#[local] Open Scope Q_scope.

(* A party's key of a pair, and the other party's. *)
Definition own_key (party : share_Primary) (keys : dpf_Key * dpf_Key) : dpf_Key :=
  match party with share_Primary_P0 => fst keys | share_Primary_P1 => snd keys end.
Definition other_key (party : share_Primary) (keys : dpf_Key * dpf_Key) : dpf_Key := own_key (other_primary party) keys.

(* The key that a simulator makes up: the party's own root, and any corrections. *)
Definition simulated_key (party : share_Primary) (root : u128) (corrections : list dpf_Correction) : dpf_Key :=
  mk_dpf_Key (distributed_gen_planted party root) corrections.

Section Key.
  Context {P : Type} {P_Prg : prg_Prg P} (prg : P) (party : share_Primary).

  Definition dealt_keys (target h : u64) (root other_root : u128) : dpf_Key * dpf_Key :=
    uncurry (dealer_generate prg target h) (in_order party root other_root).

  (* The other's root is a label beside one's own; the corrections follow from both. *)
  Lemma own_dealt_key (target h : u64) (root other_root : u128) :
    let own := distributed_gen_planted party root in
    own_key party (dealt_keys target h root other_root)
    = mk_dpf_Key own (corrections_for prg own (beside own other_root) (dpf_address_bits target h)).
  Proof.
    unfold dealt_keys, beside. destruct party; cbn [in_order uncurry own_key distributed_gen_planted];
      rewrite generate_keys_for; unfold keys_for; cbn [fst snd]; rewrite block_flag_with_flag; cbn [negb];
      [|rewrite corrections_for_comm]; reflexivity.
  Qed.
  Lemma other_dealt_key (target h : u64) (root other_root : u128) :
    let own := distributed_gen_planted party root in
    other_key party (dealt_keys target h root other_root)
    = mk_dpf_Key (beside own other_root)
        (corrections_for prg own (beside own other_root) (dpf_address_bits target h)).
  Proof.
    unfold dealt_keys, beside, other_key. destruct party; cbn [in_order uncurry own_key other_primary distributed_gen_planted];
      rewrite generate_keys_for; unfold keys_for; cbn [fst snd]; rewrite block_flag_with_flag; cbn [negb];
      [|rewrite corrections_for_comm]; reflexivity.
  Qed.

  Context {R : Type} (rest : list R) (root : R -> u128) (target : R -> u64) (h : u64).
  Context (test : R -> dpf_Key -> u128 -> bool).

  Lemma target_bits_length (r : R) : length (dpf_address_bits (target r) h) = nat_of h.
  Proof. apply dpf_address_bits_length. Qed.

  (* The distinguisher of level i, for a test that sees the key and the other party's label at the target. *)
  Definition leaf_distinguisher : nat -> distinguisher :=
    level_distinguisher prg rest (fun r => distributed_gen_planted party (root r))
      (fun r => dpf_address_bits (target r) h) (fun r cs other => test r (simulated_key party (root r) cs) other).

  (* A party's key and the other party's label at the target together: to the party, they are uniform corrections and a
     uniform label whose flag is not its own. *)
  Theorem key_and_leaf_simulated : (val h <= 64)%Z ->
    Qabs (Pr (list_prod rest labels) (fun '(r, other_root) =>
            let keys := dealt_keys (target r) h (root r) other_root in
            test r (own_key party keys) (dpf_eval prg (other_key party keys) (target r)))
          - Pr (list_prod (list_prod rest (tuples (nat_of h) fresh_corrections)) labels) (fun '((r, corrections), seed) =>
            let key := simulated_key party (root r) corrections in
            test r key (beside (dpf_eval prg key (target r)) seed)))
    <= sum_below (nat_of h) (fun i => Adv prg (leaf_distinguisher i)).
  Proof.
    intros hh. eapply Qle_trans; [|apply path_replaced, target_bits_length].
    apply Qle_lteq. right. apply Qabs_wd. unfold Qminus. apply Qplus_comp; [|apply Qopp_comp].
    - unfold real_path. rewrite !Pr_mean. apply mean_ext. intros [r other_root] _. cbv zeta.
      rewrite own_dealt_key, other_dealt_key. cbv zeta.
      rewrite eval_walk; cbn [dpf_Key_root dpf_Key_corrections];
        rewrite corrections_for_length, dpf_address_bits_length; [|rewrite Z_nat_of; assumption].
      rewrite <- address_bits_path by assumption. reflexivity.
    - unfold ideal_path. rewrite !Pr_mean. apply mean_ext. intros [[r cs] seed] i. cbv zeta.
      apply in_prod_iff in i. destruct i as [i _]. apply in_prod_iff in i. destruct i as [_ i]. apply tuples_length in i.
      rewrite eval_walk; cbn [dpf_Key_root dpf_Key_corrections simulated_key]; rewrite i;
        [|rewrite Z_nat_of; assumption].
      rewrite <- address_bits_path by assumption. reflexivity.
  Qed.
End Key.

(** * The key alone: any height *)

Section KeyAlone.
  Context {P : Type} {P_Prg : prg_Prg P} (prg : P) (party : share_Primary).
  Context {R : Type} (rest : list R) (root : R -> u128) (target : R -> u64) (h : u64) (test : R -> dpf_Key -> bool).

  Definition key_distinguisher : nat -> distinguisher :=
    leaf_distinguisher prg party rest root target h (fun r key _ => test r key).

  Theorem key_simulated :
    Qabs (Pr (list_prod rest labels) (fun '(r, other_root) =>
            test r (own_key party (dealt_keys prg party (target r) h (root r) other_root)))
          - Pr (list_prod rest (tuples (nat_of h) fresh_corrections)) (fun '(r, corrections) =>
            test r (simulated_key party (root r) corrections)))
    <= sum_below (nat_of h) (fun i => Adv prg (key_distinguisher i)).
  Proof.
    eapply Qle_trans; [|apply path_replaced; intros r; apply dpf_address_bits_length].
    apply Qle_lteq. right. apply Qabs_wd. unfold Qminus. apply Qplus_comp; [|apply Qopp_comp].
    - unfold real_path. rewrite !Pr_mean. apply mean_ext. intros [r other_root] _. rewrite own_dealt_key. reflexivity.
    - unfold ideal_path. rewrite !Pr_mean, (mean_prod _ labels). apply mean_ext. intros [r cs] _.
      rewrite mean_const by exact labels_not_empty. reflexivity.
  Qed.
End KeyAlone.

(* For one own root and two targets: whatever a party computes from its key, it says yes about equally often. *)
Corollary key_hides_target {P : Type} {P_Prg : prg_Prg P} (prg : P) (party : share_Primary) (root : u128)
  (h target target' : u64) (test : dpf_Key -> bool) :
  let key t other_root := own_key party (dealt_keys prg party t h root other_root) in
  let d t := key_distinguisher prg party [tt] (fun _ => root) (fun _ => t) h (fun _ => test) in
  Qabs (Pr labels (fun other_root => test (key target other_root))
        - Pr labels (fun other_root => test (key target' other_root)))
  <= sum_below (nat_of h) (fun i => Adv prg (d target i)) + sum_below (nat_of h) (fun i => Adv prg (d target' i)).
Proof.
  cbv zeta.
  pose proof (fun t => key_simulated prg party [tt] (fun _ => root) (fun _ => t) h (fun _ => test)) as bound.
  set (ideal := Pr (tuples (nat_of h) fresh_corrections) (fun cs => test (simulated_key party root cs))).
  set (real t := Pr labels (fun other_root => test (own_key party (dealt_keys prg party t h root other_root)))).
  assert (close : forall t, Qabs (real t - ideal) <= sum_below (nat_of h) (fun i => Adv prg
    (key_distinguisher prg party [tt] (fun _ => root) (fun _ => t) h (fun _ => test) i))).
  { intros t. eapply Qle_trans; [|apply (bound t)]. apply Qle_lteq. right. apply Qabs_wd.
    unfold Qminus, real, ideal. rewrite !Pr_mean, !mean_prod, !mean_singleton. reflexivity. }
  eapply Qle_trans; [|apply Qplus_le_compat; apply close]. rewrite (Qabs_Qminus (real target')).
  eapply Qle_trans; [|apply Qabs_triangle]. change (Qabs (real target - real target') <= Qabs (real target - ideal + (ideal - real target'))).
  generalize (real target) (real target') ideal. intros x x' y. apply Qle_lteq. right. apply Qabs_wd. ring.
Qed.
