(* The corrections of a lean DPF's layers, as whoever has one of its keys sees them: after LayeredPath.v the layer blocks of the other
   party's labels are uniform, and each layer's correction is such blocks with something added. So all corrections of a key are
   uniform, those of the tree and of both layers, at the price of one [node_Adv] a level and one for the end.

   Words are XOR words, which is what the implementation has: a label's two halves are two of them. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection Counting Chains.
From Duoram.core Require Import TreeLevels LabelFacts PrgAdvantage KeyHybrid.
From Duoram.lean Require Import PreparedItems LayerHybrid LayeredPath PreparingView.
From Duoram.Generated Require Import All.
#[local] Open Scope Q_scope.

Notation W := ring_XorWord.

(** * Draws *)

Lemma mean_draws_unzip {A B : Type} (xs : list A) (ys : nat -> list B) (m : nat) :
  forall (j : nat) (F : list A -> list B -> Q),
  mean (draws_from (fun i => list_prod xs (ys i)) j m) (fun ds => F (map fst ds) (map snd ds))
  == mean (tuples m xs) (fun cs => mean (draws_from ys j m) (fun bs => F cs bs)).
Proof.
  induction m as [|m IH]; intros j F.
  - rewrite mean_draws_0, mean_tuples_0, mean_draws_0. reflexivity.
  - rewrite mean_draws_S, mean_prod, mean_tuples_S. apply mean_ext. intros x _.
    transitivity (mean (ys j) (fun y => mean (tuples m xs) (fun cs => mean (draws_from ys (S j) m) (fun bs => F (x :: cs) (y :: bs))))).
    { apply mean_ext. intros y _. exact (IH (S j) (fun cs bs => F (x :: cs) (y :: bs))). }
    rewrite mean_swap. apply mean_ext. intros cs _. rewrite mean_draws_S. reflexivity.
Qed.

Section Picks.
  Context {B : Type} (ys : nat -> list (list B)) (not_empty : forall i, ys i <> []).

  Lemma draws_not_empty (m : nat) : forall j, draws_from ys j m <> [].
  Proof.
    induction m as [|m IH]; intros j; cbn [draws_from]; [discriminate|]. specialize (not_empty j). specialize (IH (S j)).
    destruct (ys j); [congruence|]. destruct (draws_from ys (S j) m); [congruence|]. discriminate.
  Qed.
  Lemma mean_pick (m : nat) : forall (j i : nat) (H : list B -> Q), (i < m)%nat ->
    mean (draws_from ys j m) (fun bs => H (nth i bs [])) == mean (ys (j + i)%nat) H.
  Proof.
    induction m as [|m IH]; intros j i H hi; [lia|]. rewrite mean_draws_S. destruct i as [|i].
    - rewrite Nat.add_0_r. apply mean_ext. intros x _. cbn [nth]. apply mean_const, draws_not_empty.
    - cbn [nth]. rewrite mean_const by apply not_empty. rewrite (IH (S j) i H) by lia. rewrite Nat.add_succ_comm. reflexivity.
  Qed.
  Lemma mean_pick_two (m : nat) : forall (j i k : nat) (H : list B -> list B -> Q), (i < k < m)%nat ->
    mean (draws_from ys j m) (fun bs => H (nth i bs []) (nth k bs []))
    == mean (ys (j + i)%nat) (fun a => mean (ys (j + k)%nat) (fun b => H a b)).
  Proof.
    induction m as [|m IH]; intros j i k H hi; [lia|]. rewrite mean_draws_S. destruct k as [|k]; [lia|]. destruct i as [|i].
    - rewrite Nat.add_0_r. apply mean_ext. intros x _. cbn [nth]. rewrite (mean_pick m (S j) k (H x)) by lia.
      rewrite Nat.add_succ_comm. reflexivity.
    - cbn [nth]. rewrite mean_const by apply not_empty. rewrite (IH (S j) i k H) by lia. rewrite !Nat.add_succ_comm. reflexivity.
  Qed.
End Picks.

Lemma tuples_not_empty {A : Type} (n : nat) (space : list A) : space <> [] -> tuples n space <> [].
Proof.
  intros h. induction n as [|n IH]; cbn [tuples]; [discriminate|].
  destruct space; [congruence|]. destruct (tuples n _); [congruence|]. discriminate.
Qed.

(** * Words *)

Definition xor_words : list W := map mk_ring_XorWord (words 64).
Lemma xor_words_enumerate : enumerates xor_words anything.
Proof.
  destruct (words_enumerate 64) as [once all]. split.
  - apply FinFun.Injective_map_NoDup; [intros x y e; congruence | exact once].
  - intros [x]. split; [exact (fun _ => I)|]. intros _. apply in_map, all. exact I.
Qed.
Lemma xor_words_not_empty : xor_words <> [].
Proof. exact (space_not_empty _ _ (mk_ring_XorWord (repr 64 0)) xor_words_enumerate I). Qed.

Lemma mean_words_shifted (k : u64) (f : u64 -> Q) : mean (words 64) (fun x => f (ixor k x)) == mean (words 64) f.
Proof.
  apply (mean_by_bijection (words 64) (words 64) (ixor k) (ixor k)); auto using words_enumerate, ixor_cancel_l.
Qed.
Lemma mean_xor_words_shifted (k : W) (f : W -> Q) : mean xor_words (fun x => f (ring_Ring_plus x k)) == mean xor_words f.
Proof.
  assert (twice : forall x : W, ring_Ring_plus (ring_Ring_plus x k) k = x) by (intros [x]; apply xor_word_ext; cbn; xor_and).
  apply (mean_by_bijection xor_words xor_words (fun x => ring_Ring_plus x k) (fun x => ring_Ring_plus x k));
    auto using xor_words_enumerate.
Qed.

(* The halves of a uniform label. *)
Lemma mean_halves (f : W -> W -> Q) :
  mean labels (fun x => f (ring_Ring_conversion_word W x) (ring_Ring_value_word W x))
  == mean xor_words (fun a => mean xor_words (fun b => f a b)).
Proof.
  unfold xor_words. rewrite mean_map.
  pose (g := fun z : u64 * u64 => f (mk_ring_XorWord (fst z)) (mk_ring_XorWord (snd z))).
  transitivity (mean (list_prod (words 64) (words 64)) g).
  - change (mean labels (fun x => g (block_low_half x, block_high_half x)) == mean (list_prod (words 64) (words 64)) g).
    apply (mean_by_bijection labels (list_prod (words 64) (words 64)) (fun x => (block_low_half x, block_high_half x))
      (fun z => block_block_of_halves (fst z) (snd z)) g); auto using labels_enumerate, enumerates_all_prod, words_enumerate.
    + intros x. apply block_of_halves_of.
    + intros [a b]. cbn [fst snd]. rewrite low_half_of_halves, high_half_of_halves. reflexivity.
  - rewrite mean_prod. apply mean_ext. intros a _. rewrite mean_map. reflexivity.
Qed.
Lemma mean_words_of_blocks (n : nat) : forall g : list W -> Q,
  mean (tuples n labels) (fun blocks => g (words_of_blocks blocks)) == mean (tuples (2 * n) xor_words) g.
Proof.
  induction n as [|n IH]; intros g.
  - rewrite !mean_tuples_0. reflexivity.
  - replace (2 * S n)%nat with (S (S (2 * n))) by lia. rewrite !mean_tuples_S.
    pose (k := fun a b => mean (tuples (2 * n) xor_words) (fun ws => g (a :: b :: ws))).
    transitivity (mean labels (fun x => k (ring_Ring_conversion_word W x) (ring_Ring_value_word W x))).
    + apply mean_ext. intros x _. unfold k. rewrite <- (IH (fun ws => g (_ :: _ :: ws))). reflexivity.
    + rewrite (mean_halves k). apply mean_ext. intros a _. rewrite mean_tuples_S. reflexivity.
Qed.

Lemma vector_add_twice (ws k : list W) : (length ws <= length k)%nat -> vector_add (vector_add ws k) k = ws.
Proof.
  unfold vector_add. revert k. induction ws as [|[x] ws IH]; intros [|[y] k] h; cbn in *; try lia; try reflexivity.
  rewrite IH by lia. f_equal. apply xor_word_ext. cbn. xor_and.
Qed.
Lemma mean_vector_shifted (n : nat) (k : list W) (g : list W -> Q) : (n <= length k)%nat ->
  mean (tuples n xor_words) (fun ws => g (vector_add ws k)) == mean (tuples n xor_words) g.
Proof.
  intros hk. pose proof (tuples_enumerate n _ xor_words_enumerate) as all.
  assert (hl : forall ws : list W, length ws = n -> length (vector_add ws k) = n)
    by (intros ws e; unfold vector_add; rewrite map_length, combine_length; lia).
  apply (mean_same_distribution (drawn := fun ws => length ws = n) (drawn' := fun ws => length ws = n)
    (view := fun ws => vector_add ws k) (view' := fun ws => ws) (tuples n xor_words) (tuples n xor_words) g); [|exact all|exact all].
  unshelve eexists.
  - refine {| forth := fun ws => vector_add ws k; back := fun ws => vector_add ws k |}; auto;
      intros ws e; apply vector_add_twice; lia.
  - reflexivity.
Qed.

(** * The corrections *)

Section Corrections.
  Context {P : Type} {P_Prg : prg_Prg P} {P_Layers : lean_layers_Layers P} (prg : P).
  Context (h : u64) (purpose : lean_layers_Purpose).
  Notation d := (tree_level h purpose).
  Notation tweaks := (tweaks h purpose).
  Notation word_tweaks := (word_tweaks h purpose).

  (* The words of a word correction: 8 in UPDATE items, none in READ items. *)
  Definition value_words : nat := (2 * length (word_tweaks d))%nat.
  Lemma value_words_is : value_words = match purpose with lean_layers_Purpose_Read => 0%nat | lean_layers_Purpose_Update => 8%nat end.
  Proof.
    unfold value_words, word_tweaks, tree_level, lean_layers_tree_depth. destruct purpose; [reflexivity|].
    unfold word_level. rewrite Nat.eqb_refl. reflexivity.
  Qed.

  Let block_space (i : nat) : list (list u128) := tuples (length (tweaks i)) labels.
  Let block_space_not_empty (i : nat) : block_space i <> [].
  Proof. apply tuples_not_empty, labels_not_empty. Qed.

  (* The layer blocks at the flag layer's depth and at the end. *)
  Lemma layers_picked (G : list dpf_Correction -> u128 -> list u128 -> Q) :
    mean (layers_space d tweaks) (fun '(ds, last) =>
      let bs := map snd ds ++ [last] in G (map fst ds) (flag_part (nth (flag_level h) bs [])) (word_part h purpose (nth d bs [])))
    == mean (tuples d fresh_corrections) (fun cs => mean labels (fun x =>
         mean (tuples (length (word_tweaks d)) labels) (fun ys => G cs x ys))).
  Proof.
    pose proof (flag_level_below h purpose) as [hf _].
    transitivity (mean (tuples d fresh_corrections) (fun cs => mean (draws_from block_space 0 (S d)) (fun bs =>
      G cs (flag_part (nth (flag_level h) bs [])) (word_part h purpose (nth d bs []))))).
    { unfold layers_space. rewrite mean_prod.
      pose (F := fun (cs : list dpf_Correction) (bs : list (list u128)) => mean (block_space d) (fun last =>
        G cs (flag_part (nth (flag_level h) (bs ++ [last]) [])) (word_part h purpose (nth d (bs ++ [last]) [])))).
      transitivity (mean (draws_from (fun i => list_prod fresh_corrections (block_space i)) 0 d) (fun ds => F (map fst ds) (map snd ds)));
        [reflexivity|].
      rewrite (mean_draws_unzip fresh_corrections block_space d 0 F).
      apply mean_ext. intros cs _. rewrite mean_draws_snoc. reflexivity. }
    apply mean_ext. intros cs _. destruct (Nat.eq_dec (flag_level h) d) as [e|ne].
    - rewrite e, (mean_pick block_space block_space_not_empty (S d) 0 d (fun b => G cs (flag_part b) (word_part h purpose b))) by lia.
      unfold block_space. cbn [Nat.add]. unfold tweaks, flag_tweaks, word_part, flag_tweaks. rewrite <- e, Nat.eqb_refl. cbn [app length].
      rewrite mean_tuples_S. reflexivity.
    - rewrite (mean_pick_two block_space block_space_not_empty (S d) 0 (flag_level h) d
        (fun a b => G cs (flag_part a) (word_part h purpose b))) by lia.
      unfold block_space. cbn [Nat.add].
      assert (up : purpose = lean_layers_Purpose_Update) by (destruct purpose; [contradiction ne; reflexivity | reflexivity]).
      assert (t_f : tweaks (flag_level h) = [lean_layers_FLAG_TWEAK]).
      { unfold tweaks, flag_tweaks, word_tweaks. rewrite Nat.eqb_refl, up. destruct (Nat.eqb_spec (flag_level h) (word_level h)) as [e|_]; [|reflexivity].
        contradiction ne. rewrite e, up. reflexivity. }
      assert (f_d : flag_tweaks h d = []).
      { unfold flag_tweaks. destruct (Nat.eqb_spec d (flag_level h)); [congruence | reflexivity]. }
      rewrite t_f. cbn [length]. rewrite mean_tuples_S. apply mean_ext. intros x _. rewrite mean_tuples_0.
      unfold tweaks, word_part. rewrite f_d. reflexivity.
  Qed.

  (* All else that there is, of it one's own start and the path, and what is added to the layers. *)
  Context {Z : Type} (zs : list Z) (start : Z -> u128) (path : Z -> list bool).
  Context (flags_added : Z -> list dpf_Correction -> u128) (words_added : Z -> list dpf_Correction -> list W).
  Hypothesis path_length : forall z, length (path z) = d.
  Hypothesis words_added_length : forall z cs, (value_words <= length (words_added z cs))%nat.
  Context (test : Z -> list dpf_Correction -> u128 -> list W -> bool).

  Definition corrections_test (z : Z) (cs : list dpf_Correction) (bs : list (list u128)) : bool :=
    test z cs (ixor (flag_part (nth (flag_level h) bs [])) (flags_added z cs))
      (vector_add (words_of_blocks (word_part h purpose (nth d bs []))) (words_added z cs)).
  Definition corrections_distinguisher : nat -> node_distinguisher :=
    path_distinguisher prg zs start path d tweaks corrections_test.

  Definition correction_space : list (list dpf_Correction * u128 * list W) :=
    list_prod (list_prod (tuples d fresh_corrections) labels) (tuples value_words xor_words).
  Definition uniform_corrections : Q :=
    Pr (list_prod zs correction_space) (fun '(z, (cs, flags, values)) => test z cs flags values).

  Lemma layers_are_uniform : ideal_layers zs d tweaks corrections_test == uniform_corrections.
  Proof.
    unfold ideal_layers, uniform_corrections, correction_space. rewrite !Pr_mean, !mean_prod. apply mean_ext. intros z _.
    pose (G := fun (cs : list dpf_Correction) x ys =>
      indicator (test z cs (ixor x (flags_added z cs)) (vector_add (words_of_blocks ys) (words_added z cs)))).
    transitivity (mean (layers_space d tweaks) (fun '(ds, last) =>
      let bs := map snd ds ++ [last] in
      G (map fst ds) (flag_part (nth (flag_level h) bs [])) (word_part h purpose (nth d bs [])))).
    { apply mean_ext. intros [ds last] _. reflexivity. }
    rewrite (layers_picked G), mean_prod, mean_prod. apply mean_ext. intros cs _.
    transitivity (mean labels (fun x => mean (tuples value_words xor_words) (fun ws => indicator (test z cs x ws)))); [|reflexivity].
    transitivity (mean labels (fun x => mean (tuples value_words xor_words) (fun ws =>
      indicator (test z cs (ixor (flags_added z cs) x) ws)))).
    - apply mean_ext. intros x _. rewrite (ixor_comm (flags_added z cs)).
      unfold G. rewrite (mean_words_of_blocks _ (fun ws => indicator (test z cs (ixor x (flags_added z cs)) (vector_add ws (words_added z cs))))).
      apply (mean_vector_shifted _ _ (fun ws => indicator (test z cs (ixor x (flags_added z cs)) ws))), words_added_length.
    - apply (mean_labels_shifted (flags_added z cs) (fun x => mean (tuples value_words xor_words) (fun ws => indicator (test z cs x ws)))).
  Qed.

  (* The theorem. *)
  Theorem corrections_replaced :
    Qabs (real_layers prg zs start path tweaks corrections_test - uniform_corrections)
    <= sum_below (S d) (fun i => node_Adv prg (tweaks i) (corrections_distinguisher i)).
  Proof. rewrite <- layers_are_uniform. apply layered_path_replaced, path_length. Qed.
End Corrections.
