(* An item's draws, as a session reads them off its tapes (TapeDiscipline.v), cut in two for each primary: what it has of them, its own
   words and its halves of P2's triples ([own_part]), and what it has not ([hidden_part]). The item that the session makes of the draws
   is the one that the theorems on privacy are about, made of both parts ([item_is_of_its_parts]); and over uniform draws
   the hidden part is uniform whatever the own part is ([item_hides]).

   62 bits of a level's first word are read and not used; they are in neither part. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection Counting.
From Duoram.core Require Import VectorFacts Parties LabelFacts DistributedGeneration GenerationPrivacy GenerationRunPrivacy
  PrgAdvantage GenerationSimulated ManyGenerations HiddenParts.
From Duoram.paper Require PreparedDpfFacts PreparedMaterial.
From Duoram.paper Require Import LeafLife PreparedView ItemPrivacy TapeDiscipline.
From Duoram.Generated Require Import All.
#[local] Open Scope Q_scope.

(** * A level *)

Definition level_space : list level_draws := list_prod (words 64) (list_prod labels (list_prod labels labels)).

(* X, a bit, with Y and Z; and the other's X and Y. *)
Definition level_own (party : share_Primary) (level : level_draws) : bool * u128 * u128 :=
  let '(bits, (y_0, (y_1, t))) := level in
  match party with
  | share_Primary_P0 => (bit bits 0, y_0, ixor (iand (block_replicate (bit bits 0)) y_1) t)
  | share_Primary_P1 => (bit bits 1, y_1, ixor (iand (block_replicate (bit bits 1)) y_0) t)
  end.
Definition level_hidden (party : share_Primary) (level : level_draws) : bool * u128 :=
  let '(bits, (y_0, (y_1, _))) := level in
  match party with share_Primary_P0 => (bit bits 1, y_1) | share_Primary_P1 => (bit bits 0, y_0) end.

Lemma level_hides (party : share_Primary) : hides level_space (level_own party) (level_hidden party) mask_space.
Proof.
  intros g. unfold level_space.
  assert (last : forall (m : u128) (f : u128 -> Q), mean labels (fun t => f (ixor m t)) == mean labels f).
  { intros m f. apply (mean_by_bijection labels labels (ixor m) (ixor m) f labels_enumerate labels_enumerate); intros t; apply ixor_cancel_l. }
  unfold level_draws. rewrite !mean_prod. destruct party; cbn [level_own level_hidden].
  - transitivity (mean (words 64) (fun w => mean labels (fun y_0 => mean labels (fun y_1 => mean labels (fun t =>
      g (bit w 0, y_0, t) (bit w 1, y_1)))))).
    { apply mean_ext. intros w _. rewrite mean_prod. apply mean_ext. intros y_0 _. rewrite mean_prod. apply mean_ext. intros y_1 _.
      apply (last _ (fun t => g (bit w 0, y_0, t) (bit w 1, y_1))). }
    rewrite (bit_hides 0 1 ltac:(lia) ltac:(lia) ltac:(lia) (fun a b => mean labels (fun y_0 => mean labels (fun y_1 => mean labels (fun t =>
      g (a, y_0, t) (b, y_1)))))).
    apply mean_ext. intros w _. rewrite mean_prod. rewrite mean_swap. apply mean_ext. intros y_0 _. rewrite mean_prod.
    transitivity (mean labels (fun y_1 => mean labels (fun t => mean mask_space (fun x => g (bit w 0, y_0, t) x)))).
    + symmetry. rewrite mean_const by exact (words_not_empty 128). unfold mask_space.
      transitivity (mean bools (fun b => mean labels (fun t => mean labels (fun y => g (bit w 0, y_0, t) (b, y))))).
      { rewrite (mean_swap bools). apply mean_ext. intros t _. rewrite mean_prod. reflexivity. }
      apply mean_ext. intros b _. rewrite mean_swap. reflexivity.
    + apply mean_ext. intros y_1 _. symmetry. apply (last _ (fun t => mean mask_space (fun x => g (bit w 0, y_0, t) x))).
  - transitivity (mean (words 64) (fun w => mean labels (fun y_0 => mean labels (fun y_1 => mean labels (fun t =>
      g (bit w 1, y_1, t) (bit w 0, y_0)))))).
    { apply mean_ext. intros w _. rewrite mean_prod. apply mean_ext. intros y_0 _. rewrite mean_prod. apply mean_ext. intros y_1 _.
      apply (last _ (fun t => g (bit w 1, y_1, t) (bit w 0, y_0))). }
    rewrite (bit_hides 1 0 ltac:(lia) ltac:(lia) ltac:(lia) (fun a b => mean labels (fun y_0 => mean labels (fun y_1 => mean labels (fun t =>
      g (a, y_1, t) (b, y_0)))))).
    apply mean_ext. intros w _. rewrite mean_prod.
    transitivity (mean labels (fun y_1 => mean labels (fun t => mean mask_space (fun x => g (bit w 1, y_1, t) x)))).
    + unfold mask_space.
      transitivity (mean bools (fun b => mean labels (fun y_1 => mean labels (fun t => mean labels (fun y => g (bit w 1, y_1, t) (b, y)))))).
      { apply mean_ext. intros b _. rewrite mean_swap. apply mean_ext. intros y_1 _. rewrite mean_swap. reflexivity. }
      rewrite (mean_swap bools). apply mean_ext. intros y_1 _. rewrite (mean_swap bools). apply mean_ext. intros t _. rewrite mean_prod. reflexivity.
    + transitivity (mean labels (fun _ : u128 => mean labels (fun y_1 => mean labels (fun t => mean mask_space (fun x => g (bit w 1, y_1, t) x))))).
      { rewrite mean_const by exact (words_not_empty 128). reflexivity. }
      apply mean_ext. intros y_0 _. rewrite mean_prod. apply mean_ext. intros y_1 _. symmetry.
      apply (last _ (fun t => mean mask_space (fun x => g (bit w 1, y_1, t) x))).
Qed.

(** * A DPF: its levels, and a product triple *)

Notation five_words := (list_prod (words 64) (list_prod (words 64) (list_prod (words 64) (list_prod (words 64) (words 64))))).
Definition product_own (party : share_Primary) (draws : u64 * (u64 * (u64 * (u64 * u64)))) : du_atallah_ProductTriple u64 :=
  let '(x_0, (x_1, (y_0, (y_1, t)))) := draws in
  fst (let '(triple_0, triple_1) := du_atallah_product_triples x_0 x_1 y_0 y_1 t in in_order party triple_0 triple_1).
Definition product_hidden (party : share_Primary) (draws : u64 * (u64 * (u64 * (u64 * u64)))) : u64 * u64 :=
  let '(x_0, (x_1, (y_0, (y_1, _)))) := draws in
  match party with share_Primary_P0 => (x_1, y_1) | share_Primary_P1 => (x_0, y_0) end.

Lemma product_hides (party : share_Primary) : hides five_words (product_own party) (product_hidden party) (list_prod (words 64) (words 64)).
Proof.
  intros g. set (space := words 64).
  assert (all : enumerates space anything) by exact (words_enumerate 64).
  assert (some : space <> []) by exact (words_not_empty 64).
  assert (plus : forall (m : u64) (f : u64 -> Q), mean space (fun t => f (wadd m t)) == mean space f).
  { intros m f. apply (mean_by_bijection space space (wadd m) (fun t => wsub t m) f all all); intros t; ring. }
  assert (minus : forall (m : u64) (f : u64 -> Q), mean space (fun t => f (wsub m t)) == mean space f).
  { intros m f. apply (mean_by_bijection space space (wsub m) (wsub m) f all all); intros t; ring. }
  assert (five : forall f : u64 * (u64 * (u64 * (u64 * u64))) -> Q,
    mean (list_prod space (list_prod space (list_prod space (list_prod space space)))) f
    == mean space (fun x_0 => mean space (fun x_1 => mean space (fun y_0 => mean space (fun y_1 => mean space (fun t =>
         f (x_0, (x_1, (y_0, (y_1, t))))))))) ).
  { intros f. rewrite mean_prod. apply mean_ext. intros x_0 _. rewrite mean_prod. apply mean_ext. intros x_1 _.
    rewrite mean_prod. apply mean_ext. intros y_0 _. rewrite mean_prod. reflexivity. }
  rewrite !five. destruct party; cbn [product_own product_hidden du_atallah_product_triples in_order fst].
  - transitivity (mean space (fun x_0 => mean space (fun x_1 => mean space (fun y_0 => mean space (fun y_1 => mean space (fun t =>
      g (mk_du_atallah_ProductTriple x_0 y_0 t) (x_1, y_1))))))).
    { do 4 (apply mean_ext; intros ? _). apply (plus _ (fun t => g (mk_du_atallah_ProductTriple _ _ t) _)). }
    apply mean_ext. intros x_0 _.
    transitivity (mean space (fun y_0 => mean space (fun t => mean (list_prod space space) (fun x => g (mk_du_atallah_ProductTriple x_0 y_0 t) x)))).
    + rewrite mean_swap. apply mean_ext. intros y_0 _.
      transitivity (mean space (fun x_1 => mean space (fun t => mean space (fun y_1 => g (mk_du_atallah_ProductTriple x_0 y_0 t) (x_1, y_1))))).
      { apply mean_ext. intros x_1 _. rewrite mean_swap. reflexivity. }
      rewrite mean_swap. apply mean_ext. intros t _. rewrite mean_prod. reflexivity.
    + symmetry. etransitivity; [|apply (mean_const space _ some)]. apply mean_ext. intros x_1 _. apply mean_ext. intros y_0 _.
      etransitivity; [|apply (mean_const space _ some)]. apply mean_ext. intros y_1 _.
      apply (plus _ (fun t => mean (list_prod space space) (fun x => g (mk_du_atallah_ProductTriple x_0 y_0 t) x))).
  - transitivity (mean space (fun x_0 => mean space (fun x_1 => mean space (fun y_0 => mean space (fun y_1 => mean space (fun t =>
      g (mk_du_atallah_ProductTriple x_1 y_1 t) (x_0, y_0))))))).
    { do 4 (apply mean_ext; intros ? _). apply (minus _ (fun t => g (mk_du_atallah_ProductTriple _ _ t) _)). }
    transitivity (mean space (fun x_1 => mean space (fun y_1 => mean space (fun t => mean (list_prod space space) (fun x =>
      g (mk_du_atallah_ProductTriple x_1 y_1 t) x))))).
    + rewrite mean_swap. apply mean_ext. intros x_1 _.
      transitivity (mean space (fun x_0 => mean space (fun y_1 => mean space (fun t => mean space (fun y_0 =>
        g (mk_du_atallah_ProductTriple x_1 y_1 t) (x_0, y_0)))))).
      { apply mean_ext. intros x_0 _. rewrite mean_swap. apply mean_ext. intros y_1 _. rewrite mean_swap. reflexivity. }
      rewrite mean_swap. apply mean_ext. intros y_1 _. rewrite mean_swap. apply mean_ext. intros t _. rewrite mean_prod. reflexivity.
    + symmetry. etransitivity; [|apply (mean_const space _ some)]. apply mean_ext. intros x_0 _. apply mean_ext. intros x_1 _.
      etransitivity; [|apply (mean_const space _ some)]. apply mean_ext. intros y_0 _. apply mean_ext. intros y_1 _.
      apply (minus _ (fun t => mean (list_prod space space) (fun x => g (mk_du_atallah_ProductTriple x_1 y_1 t) x))).
Qed.

Definition dpf_space (levels : nat) : list dpf_draws := list_prod (tuples levels level_space) five_words.
Definition dpf_part_own (party : share_Primary) (dpf : dpf_draws) : list (bool * u128 * u128) * du_atallah_ProductTriple u64 :=
  (map (level_own party) (fst dpf), product_own party (snd dpf)).
Definition dpf_part_hidden (party : share_Primary) (dpf : dpf_draws) : list (bool * u128) * (u64 * u64) :=
  (map (level_hidden party) (fst dpf), product_hidden party (snd dpf)).
Notation dpf_hidden_space levels := (list_prod (tuples levels mask_space) (list_prod (words 64) (words 64))).

Lemma dpf_hides (party : share_Primary) (levels : nat) :
  hides (dpf_space levels) (dpf_part_own party) (dpf_part_hidden party) (dpf_hidden_space levels).
Proof. exact (hides_both _ _ _ _ _ _ _ _ (hides_each _ _ _ _ levels (level_hides party)) (product_hides party)). Qed.

(** * An item *)

Notation item_drawn := (primary_draws * (primary_draws * dealt_draws))%type.
Definition primary_space : list primary_draws :=
  map (back primary_parts) (list_prod (words 64) (list_prod labels (list_prod labels (list_prod labels
    (list_prod (words 64) (list_prod (words 64) (words 64))))))).
Definition dealt_space (levels : nat) : list dealt_draws := list_prod (dpf_space levels) (list_prod (dpf_space levels) (dpf_space levels)).
Definition item_space (levels : nat) : list item_drawn := list_prod primary_space (list_prod primary_space (dealt_space levels)).

Lemma primary_space_enumerates : enumerates primary_space anything.
Proof.
  apply (enumerates_back primary_parts). auto 12 using enumerates_all_prod, words_enumerate, labels_enumerate.
Qed.

Notation dpf_own := (list (bool * u128 * u128) * du_atallah_ProductTriple u64)%type.
Notation dpf_hidden := (list (bool * u128) * (u64 * u64))%type.
Notation item_draw := ((u64 * ((u64 * u64 * u64) * (u64 * u64 * u64) * (u64 * u64 * u64))) * (real_draw * real_draw * real_draw))%type.

(* From a primary's own words and its halves of the triples; the inputs of an operation are no part of it, and no draws. *)
Definition own_of_parts (deltas : u64 * u64) (mine : primary_draws) (dealt : dpf_own * (dpf_own * dpf_own)) : item_own (W := u64) :=
  let '(root_1, root_2, root_3) := paper_preprocessing_PrimaryRandomness_roots mine in
  let '(blind_1, blind_2, blind_3) := paper_preprocessing_PrimaryRandomness_blinds mine in
  let dpf root blind (d : dpf_own) := {| own_root := root; own_ands := fst d; own_blind := blind; own_product := snd d |} in
  {| own_word := paper_preprocessing_PrimaryRandomness_random_index_xor mine;
     own_dpfs := (dpf root_1 blind_1 (fst dealt), dpf root_2 blind_2 (fst (snd dealt)), dpf root_3 blind_3 (snd (snd dealt)));
     own_address := repr 64 0; own_value := repr 64 0; own_deltas := deltas |}.
Definition hidden_of_parts (theirs : primary_draws) (dealt : dpf_hidden * (dpf_hidden * dpf_hidden)) : item_draw :=
  let '(root_1, root_2, root_3) := paper_preprocessing_PrimaryRandomness_roots theirs in
  let '(blind_1, blind_2, blind_3) := paper_preprocessing_PrimaryRandomness_blinds theirs in
  let '((masks_1, (x_1, y_1)), ((masks_2, (x_2, y_2)), (masks_3, (x_3, y_3)))) := dealt in
  ((paper_preprocessing_PrimaryRandomness_random_index_xor theirs, ((blind_1, x_1, y_1), (blind_2, x_2, y_2), (blind_3, x_3, y_3))),
   ((root_1, masks_1), (root_2, masks_2), (root_3, masks_3))).

Definition three_parts {T : Type} (f : dpf_draws -> T) (dealt : dealt_draws) : T * (T * T) :=
  (f (fst dealt), (f (fst (snd dealt)), f (snd (snd dealt)))).
Definition own_part (party : share_Primary) (deltas : u64 * u64) (draws : item_drawn) : item_own (W := u64) :=
  own_of_parts deltas (match party with share_Primary_P0 => fst draws | share_Primary_P1 => fst (snd draws) end)
    (three_parts (dpf_part_own party) (snd (snd draws))).
Definition hidden_part (party : share_Primary) (draws : item_drawn) : item_draw :=
  hidden_of_parts (match party with share_Primary_P0 => fst (snd draws) | share_Primary_P1 => fst draws end)
    (three_parts (dpf_part_hidden party) (snd (snd draws))).

Definition parts_of_hidden (draw : item_draw) : primary_draws * (dpf_hidden * (dpf_hidden * dpf_hidden)) :=
  let '((word, ((blind_1, x_1, y_1), (blind_2, x_2, y_2), (blind_3, x_3, y_3))),
        ((root_1, masks_1), (root_2, masks_2), (root_3, masks_3))) := draw in
  (mk_paper_preprocessing_PrimaryRandomness word (root_1, root_2, root_3) (blind_1, blind_2, blind_3),
   ((masks_1, (x_1, y_1)), ((masks_2, (x_2, y_2)), (masks_3, (x_3, y_3))))).

Notation three_hidden h := (list_prod (dpf_hidden_space (nat_of h)) (list_prod (dpf_hidden_space (nat_of h)) (dpf_hidden_space (nat_of h)))).
Notation hidden_draws h := (list_prod (word_space (words 64)) (three (root_space h))).

Lemma mean_hidden (h : u64) (f : item_draw -> Q) :
  mean (list_prod primary_space (three_hidden h)) (fun z => f (hidden_of_parts (fst z) (snd z))) == mean (hidden_draws h) f.
Proof.
  apply (mean_renamed _ _ (fun z => hidden_of_parts (fst z) (snd z)) parts_of_hidden).
  - assert (w : NoDup (list_prod (words 64) (words 64))) by (apply NoDup_prod; apply words_enumerate).
    assert (d : NoDup (dpf_hidden_space (nat_of h))) by (apply NoDup_prod; [apply NoDup_tuples, mask_space_enumerates | exact w]).
    auto using NoDup_prod, (proj1 primary_space_enumerates).
  - assert (r : NoDup (root_space h)) by (apply NoDup_prod; [apply labels_enumerate | apply NoDup_tuples, mask_space_enumerates]).
    apply NoDup_prod; [|auto using NoDup_prod].
    unfold word_space. refine (proj1 (enumerates_all_prod _ _ _ _)); [apply words_enumerate|].
    auto 10 using enumerates_all_prod, words_enumerate.
  - intros [[i [[a b] c] [[x y] z]] [[m_1 [x_1 y_1]] [[m_2 [x_2 y_2]] [m_3 [x_3 y_3]]]]]. reflexivity.
  - intros [[word [[[[b_1 x_1] y_1] [[b_2 x_2] y_2]] [[b_3 x_3] y_3]]] [[[r_1 m_1] [r_2 m_2]] [r_3 m_3]]]. reflexivity.
  - intros [[i [[a b] c] [[x y] z]] [[m_1 [x_1 y_1]] [[m_2 [x_2 y_2]] [m_3 [x_3 y_3]]]]].
    assert (all_words : forall w, In w (words 64)) by (intros w; apply words_enumerate; exact I).
    assert (all_labels : forall l, In l labels) by (intros l; apply labels_enumerate; exact I).
    assert (all_primary : forall p, In p primary_space) by (intros p; apply primary_space_enumerates; exact I).
    unfold hidden_of_parts, word_space, root_space.
    cbn [fst snd paper_preprocessing_PrimaryRandomness_roots paper_preprocessing_PrimaryRandomness_blinds
      paper_preprocessing_PrimaryRandomness_random_index_xor].
    split.
    + intros i'. repeat match goal with e : In (_, _) (list_prod _ _) |- _ => apply in_prod_iff in e; destruct e end.
      repeat apply in_prod; auto.
    + intros i'. repeat match goal with e : In (_, _) (list_prod _ _) |- _ => apply in_prod_iff in e; destruct e end.
      repeat apply in_prod; auto.
Qed.

(* Whatever a primary has of an item's draws, the rest is uniform. *)
Theorem item_hides (party : share_Primary) (h : u64) (deltas : u64 * u64) :
  hides (item_space (nat_of h)) (own_part party deltas) (hidden_part party) (hidden_draws h).
Proof.
  pose proof (dpf_hides party (nat_of h)) as d.
  pose proof (hides_both _ _ _ _ _ _ _ _ d (hides_both _ _ _ _ _ _ _ _ d d)) as ds.
  destruct party.
  - refine (hides_renamed _ _ _ _ _ _ _ (fun o => own_of_parts deltas (fst o) (snd (snd o)))
      (fun x : unit * (primary_draws * _) => hidden_of_parts (fst (snd x)) (snd (snd x)))
      (hides_both _ _ _ _ _ _ _ _ (hides_nothing primary_space (fun p => p)) (hides_both _ _ _ _ _ _ _ _ (hides_all primary_space) ds)) _ _ _).
    + intros f. rewrite mean_prod, mean_singleton. apply mean_hidden.
    + intros [p_0 [p_1 [d_1 [d_2 d_3]]]]. reflexivity.
    + intros [p_0 [p_1 [d_1 [d_2 d_3]]]]. reflexivity.
  - refine (hides_renamed _ _ _ _ _ _ _ (fun o => own_of_parts deltas (fst (snd o)) (snd (snd o)))
      (fun x : primary_draws * (unit * _) => hidden_of_parts (fst x) (snd (snd x)))
      (hides_both _ _ _ _ _ _ _ _ (hides_all primary_space) (hides_both _ _ _ _ _ _ _ _ (hides_nothing primary_space (fun p => p)) ds)) _ _ _).
    + intros f. rewrite mean_prod, <- mean_hidden, mean_prod. apply mean_ext. intros p _. rewrite mean_prod, mean_singleton. reflexivity.
    + intros [p_0 [p_1 [d_1 [d_2 d_3]]]]. reflexivity.
    + intros [p_0 [p_1 [d_1 [d_2 d_3]]]]. reflexivity.
Qed.

(* P2's triples of a DPF are such as App. A asks for. *)
Lemma triples_are_dealt (h : u64) (dpf : dpf_draws) : of_levels (nat_of h) dpf -> PreparedMaterial.dealt h (triples_of dpf).
Proof.
  destruct dpf as [ls [x_0 [x_1 [y_0 [y_1 t]]]]]. intros l. unfold of_levels in l. cbn [fst] in l. split; [|do 5 eexists; reflexivity].
  unfold PreparedDpfFacts.dealt_for_height, triples_of. cbn [paper_preprocessing_DpfTriples_and_0 paper_preprocessing_DpfTriples_and_1].
  rewrite !map_length. split; [exact l|]. split; [exact l|]. clear l.
  induction ls as [|[bits [u [v w]]] ls IH]; cbn [map combine]; constructor; [do 5 eexists; reflexivity | exact IH].
Qed.

(** * The item of both parts is the session's *)

Lemma triples_of_parts {P : Type} {P_Prg : prg_Prg P} (prg : P) (party : share_Primary) (h word : u64) (root : u128) (blind : u64) (dpf : dpf_draws) :
  of_levels (nat_of h) dpf ->
  triples_with prg party h word
    {| own_root := root; own_ands := fst (dpf_part_own party dpf); own_blind := blind; own_product := snd (dpf_part_own party dpf) |}
    (fst (dpf_part_hidden party dpf)) (fst (snd (dpf_part_hidden party dpf))) (snd (snd (dpf_part_hidden party dpf)))
  = triples_of dpf.
Proof.
  destruct dpf as [ls [x_0 [x_1 [y_0 [y_1 t]]]]]. unfold of_levels. cbn [fst]. intros hl.
  pose proof (dpf_address_bits_length word h) as hb. rewrite <- hl in hb. clear hl.
  unfold triples_with, levels_of, triples_of, dpf_part_own, dpf_part_hidden. cbn [fst snd own_ands own_product].
  assert (each : forall bits, length bits = length ls ->
    let levels := map (fun '(bit, (x, y, z)) => {| share_bit := bit; share_x := x; share_y := y; share_z := z |})
      (combine bits (map (level_own party) ls)) in
    in_order party (map (own_triple prg) levels)
      (map (uncurry (others_triple prg party)) (combine levels (GenerationSimulated.dealt_draws levels (map (level_hidden party) ls))))
    = (map (fun level => fst (level_triples level)) ls, map (fun level => snd (level_triples level)) ls)).
  { clear hb. induction ls as [|[bits' [y y']] ls IH]; intros [|b bits] e; try discriminate; [destruct party; reflexivity|].
    destruct y' as [y' t']. injection e as e. specialize (IH bits e). cbv zeta in *. cbn [map combine].
    unfold GenerationSimulated.dealt_draws in *. cbn [combine map].
    assert (cancel : forall a c : u128, ixor a (ixor a c) = c) by (intros; apply ixor_cancel_l).
    destruct party; cbn [in_order] in *; injection IH as IH_0 IH_1;
      (apply pair_equal_spec; split; (apply (f_equal2 cons); [|assumption]));
      unfold own_triple, others_triple, held_triple, dealt; cbn; rewrite ?cancel; reflexivity. }
  specialize (each _ hb). cbv zeta in each.
  match type of each with ?a = ?b => destruct a as [and_0 and_1]; injection each as -> -> end.
  destruct party; cbn [in_order product_own product_hidden du_atallah_product_triples fst snd others_product];
    f_equal; unfold others_product; f_equal; cbn [ring_Ring_plus ring_Ring_minus ring_Ring_times ring_Ring_u64]; ring.
Qed.

Theorem item_is_of_its_parts (prg : prg_AesPrg) (party : share_Primary) (h : u64) (deltas : u64 * u64) (draws : item_drawn) :
  dealt_of_levels (nat_of h) (snd (snd draws)) ->
  prepared prg party h (own_part party deltas draws) (fst (hidden_part party draws)) (snd (hidden_part party draws))
  = item_of_draws prg h draws.
Proof.
  destruct draws as [p_0 [p_1 [d_1 [d_2 d_3]]]]. intros (l_1 & l_2 & l_3). cbn [fst snd] in *.
  unfold own_part, hidden_part, three_parts. cbn [fst snd].
  pose proof (fun root blind word => triples_of_parts prg party h word root blind d_1 l_1) as t_1.
  pose proof (fun root blind word => triples_of_parts prg party h word root blind d_2 l_2) as t_2.
  pose proof (fun root blind word => triples_of_parts prg party h word root blind d_3 l_3) as t_3.
  revert t_1 t_2 t_3.
  destruct (dpf_part_hidden party d_1) as [m_1 [x_1 y_1]], (dpf_part_hidden party d_2) as [m_2 [x_2 y_2]],
    (dpf_part_hidden party d_3) as [m_3 [x_3 y_3]]. cbn [fst snd]. intros t_1 t_2 t_3.
  unfold prepared, own_of_parts, hidden_of_parts, item_of_draws, dpf_of_draws, paper_preprocessing_prepare.
  destruct p_0 as [i_0 [[a_0 b_0] c_0] [[u_0 v_0] w_0]], p_1 as [i_1 [[a_1 b_1] c_1] [[u_1 v_1] w_1]].
  destruct party; cbn [paper_preprocessing_PrimaryRandomness_roots paper_preprocessing_PrimaryRandomness_blinds
    paper_preprocessing_PrimaryRandomness_random_index_xor own_dpfs own_word in_order fst snd]; rewrite t_1, t_2, t_3; reflexivity.
Qed.
