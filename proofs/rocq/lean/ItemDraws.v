(* All that is drawn for an item and the operation that it serves, cut in two for each party: what it has of the draws, and what it has not. Over
   uniform draws the second part is uniform whatever the first is ([lean_item_hides_from_P0], [_P1], [_P2]), and is drawn as the theorems on an
   item's life (ItemLife.v, ItemLifeOfP1.v, ItemLifeOfP2.v) and on whole schedules (WholeSchedule.v) draw it.

   That the DPFs of an item are made of these parts, and that on uniform tapes and streams the draws are uniform, is ItemOnTapes.v.

   Bits that are read and not used are in no party's own part: of a level's first word all but the lowest, of the words of ri and r all but the
   low ones. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection Counting.
From Duoram.core Require Import Parties VectorFacts LabelFacts PrgAdvantage GenerationSimulated HiddenParts.
From Duoram.lean Require Import Generation SessionPreparing PreparingView CorrectionsUniform PreparingPrivacy DealtToP1 OperationView ItemLife ItemLifeOfP1
  ItemLifeOfP2 WholeSchedule TapeDiscipline PreparingMessages ItemPlans.
From Duoram.Generated Require Import All.
#[local] Open Scope Q_scope.

Notation W := ring_XorWord.
Notation some_words := (words 64).

(** * The draws *)

(* What P0 and P2 have in common for an item: for DPFs a and b, and y_02. P1 and P2: for both DPFs, and rho and y_12. P2's own: R'_1 of both. *)
Notation of_02 := ((dpf_draws_0 * dpf_draws_0) * u64)%type.
Notation of_12 := ((seed_draws_1 * seed_draws_1) * (u64 * u64))%type.
(* P0's own and P1's own, what they have in common, and these. *)
Notation item_drawn := (own_draws * (own_draws * (common_draws * (of_02 * (of_12 * (u64 * u64))))))%type.

Definition own_space : list own_draws := list_prod some_words (list_prod labels labels).
Definition common_space : list common_draws :=
  list_prod some_words (list_prod some_words (list_prod some_words (list_prod some_words some_words))).
Definition level_space_0 : list level_draws_0 := list_prod some_words (list_prod labels labels).
Definition level_space_1 : list level_draws_1 := list_prod some_words labels.
Definition dpf_space_0 (levels : nat) : list dpf_draws_0 :=
  list_prod (list_prod (tuples levels level_space_0) (list_prod labels some_words)) (list_prod (tuples 8 some_words) some_words).
Definition dpf_space_1 (levels : nat) : list seed_draws_1 := list_prod (tuples levels level_space_1) some_words.
Definition space_02 (levels : nat) : list of_02 := list_prod (list_prod (dpf_space_0 levels) (dpf_space_0 levels)) some_words.
Definition space_12 (levels : nat) : list of_12 := list_prod (list_prod (dpf_space_1 levels) (dpf_space_1 levels)) (list_prod some_words some_words).
Definition item_space (levels : nat) : list item_drawn :=
  list_prod own_space (list_prod own_space (list_prod common_space (list_prod (space_02 levels) (list_prod (space_12 levels) (list_prod some_words some_words))))).

(* The words of DPF a, or b. *)
Definition item_words (last : bool) (i : item_drawn) : dpf_words :=
  let '((word_0, (root_0a, root_0b)), ((word_1, (root_1a, root_1b)), ((g_a, (g_b, _)), (((a_0, b_0), _), (((a_1, b_1), _), (v_a, v_b)))))) := i in
  if last
  then {| word_0 := word_0; word_1 := word_1; root_0 := root_0b; root_1 := root_1b; with_0 := b_0; with_1 := b_1; common_word := g_b; value_1 := v_b |}
  else {| word_0 := word_0; word_1 := word_1; root_0 := root_0a; root_1 := root_1a; with_0 := a_0; with_1 := a_1; common_word := g_a; value_1 := v_a |}.
Definition words_01 (i : item_drawn) : list u64 :=
  let '(_, (_, ((g_a, (g_b, (delta, (x, y)))), _))) := i in [g_a; g_b; delta; x; y].
Definition word_of_0 (i : item_drawn) : u64 := fst (fst i).
Definition word_of_1 (i : item_drawn) : u64 := fst (fst (snd i)).
Definition mask_02 (i : item_drawn) : u64 := let '(_, (_, (_, ((_, y_02), _)))) := i in y_02.
Definition mask_12 (i : item_drawn) : u64 := let '(_, (_, (_, (_, ((_, (_, y_12)), _))))) := i in y_12.
Definition rho_12 (i : item_drawn) : u64 := let '(_, (_, (_, (_, ((_, (rho, _)), _))))) := i in rho.

Section Parts.
  Context (h : u64) (op : lean_op).
  Notation purpose := (purpose_of op).
  Notation d := (tree_level h purpose).
  Notation from := (ring_Ring_from_u64 W).
  Notation zero := (ring_Ring_zero W).

  (* What is masked online with, of an operation whose address and value are no part of it. *)
  Definition online_words (i : item_drawn) (y_2 rho : W) : op_own :=
    {| own_address := repr 64 0; own_written := zero; own_x := lean_tape_online_01 W (words_01 i);
       own_y_01 := lean_tape_write_mask_01 W (words_01 i); own_y_2 := y_2; own_rho := rho |}.

  (** ** P0 *)

  Definition own_part_0 (i : item_drawn) : life_own :=
    {| life_a := held_0_of h purpose (item_words false i); life_b := held_0_of h purpose (item_words true i); life_stream_01 := words_01 i;
       life_op := online_words i (from (mask_02 i)) zero |}.
  Definition hidden_part_0 (i : item_drawn) : (u64 * W * W) * (dpf_draw W * dpf_draw W) :=
    ((word_of_1 i, from (mask_12 i), from (rho_12 i)), (hidden_from_0 (item_words false i), hidden_from_0 (item_words true i))).

  (** ** P1 *)

  Definition own_part_1 (i : item_drawn) : life_own_1 :=
    {| life_1_a := own_1_of h purpose (item_words false i); life_1_b := own_1_of h purpose (item_words true i); life_1_stream_01 := words_01 i;
       life_1_op := online_words i (from (mask_12 i)) (from (rho_12 i)) |}.
  (* In place of rho, which P1 has, its draw has a word that is not used ([all_rho]). *)
  Definition hidden_part_1 (i : item_drawn) (unused : W) :=
    ((word_of_0 i, from (mask_02 i), unused), (hidden_from_1 purpose (item_words false i), hidden_from_1 purpose (item_words true i))).

  (** ** P2 *)

  (* What it has of either DPF, at no index and with no G: those are P0's and P1's. *)
  Definition dealt_to_0 (w : dpf_words) : dpf_held (W := W) := held_at_index (held_0_of h purpose w) (repr 64 0) zero.
  Definition dealt_to_1 (w : dpf_words) : dpf_held (W := W) :=
    held_at_index (dealt_held (own_1_of h purpose w) (deal_sent h purpose (own_1_of h purpose w) (fst (fst (hidden_from_1 purpose w))) (snd (fst (hidden_from_1 purpose w)))))
      (repr 64 0) zero.
  Definition own_part_2 (i : item_drawn) : life_own_2 :=
    let a := item_words false i in
    let b := item_words true i in
    {| life_2_a := dealt_to_0 a; life_2_b := dealt_to_1 b;
       life_2_others_a := (masks_1_of a, snd (with_1 a), from (value_1 a)); life_2_others_b := fst (fst (hidden_from_1 purpose b));
       life_2_y_02 := from (mask_02 i); life_2_y_12 := from (mask_12 i); life_2_rho := from (rho_12 i) |}.
  Definition hidden_part_2 (i : item_drawn) : ((u64 * u64) * (u64 * u64 * u64 * u64 * u64)) * (u128 * u128) :=
    (((word_of_0 i, word_of_1 i), (let '(_, (_, ((g_a, (g_b, (delta, (x, y)))), _))) := i in (g_a, g_b, delta, x, y))),
     (root_1 (item_words false i), root_0 (item_words true i))).
End Parts.

(** * What a party does not have is uniform, whatever it has *)

(* Of a level: a bit of its first word. Of a DPF, what each party makes of it. *)
Notation ring_words_of ws := (map (ring_Ring_from_u64 W) ws).
Lemma word_yields : yields some_words (ring_Ring_from_u64 W) xor_words.
Proof. exact (yields_mapped some_words (ring_Ring_from_u64 W)). Qed.
Lemma level_1_yields : yields level_space_1 (fun '(x, y) => (bit x 0, y)) mask_space.
Proof.
  refine (yields_ext _ _ _ _ _ (yields_both _ _ _ _ _ _ (bit_uniform 0 _) (yields_same labels))); [|lia].
  intros [x y] _. reflexivity.
Qed.
Lemma level_0_yields : yields level_space_0 (fun '(x, (y, z)) => ((bit x 0, y), z)) (list_prod mask_space labels).
Proof.
  refine (yields_ext _ _ _ _ _ (yields_then _ _ _ (fun '(x, (y, z)) => ((x, y), z)) _
    (yields_both _ _ _ _ _ _ (bit_uniform 0 _) (yields_same (list_prod labels labels))) _)); [intros [x [y z]] _; reflexivity | lia|].
  intros g. unfold mask_space. rewrite !mean_prod. apply mean_ext. intros x _. rewrite mean_prod. reflexivity.
Qed.

Lemma no_twice_tt : NoDup [tt].
Proof. repeat constructor. intros []. Qed.
(* The same parts, otherwise grouped. *)
Section Regrouped.
  Context {Wd R M V T U : Type} (ws : list Wd) (rs : list R) (ms : list M) (vs : list V) (ts : list T) (us : list U).
  Hypothesis (ow : NoDup ws) (orr : NoDup rs) (om : NoDup ms) (ov : NoDup vs) (ot : NoDup ts) (ou : NoDup us).
  Ltac in_all := cbn [fst snd] in *; rewrite ?in_prod_iff in *;
    repeat match goal with e : _ /\ _ |- _ => destruct e | e : In _ (list_prod _ _) |- _ => apply in_prod_iff in e end;
    repeat split; repeat apply in_prod; try assumption; left; reflexivity.
  Lemma regrouped_0 : yields
    (list_prod [tt] (list_prod (list_prod ws (list_prod rs rs)) (list_prod [tt] (list_prod [tt]
      (list_prod (list_prod (list_prod (list_prod ms ws) (list_prod ms ws)) (list_prod vs vs)) (list_prod vs vs))))))
    (fun x => let '(_, ((word, (root_a, root_b)), (_, (_, (((dpf_a, dpf_b), (rho, y)), (v_a, v_b)))))) := x in
      ((word, y, rho), ((root_a, fst dpf_a, snd dpf_a, v_a), (root_b, fst dpf_b, snd dpf_b, v_b))))
    (list_prod (list_prod (list_prod ws vs) vs) (list_prod (list_prod (list_prod (list_prod rs ms) ws) vs) (list_prod (list_prod (list_prod rs ms) ws) vs))).
  Proof.
    apply (yields_renamed _ _ _ (fun z => let '((word, y, rho), ((root_a, masks_a, mask_a, v_a), (root_b, masks_b, mask_b, v_b))) := z in
      (tt, ((word, (root_a, root_b)), (tt, (tt, ((((masks_a, mask_a), (masks_b, mask_b)), (rho, y)), (v_a, v_b)))))))).
    - auto 12 using NoDup_prod, no_twice_tt.
    - auto 12 using NoDup_prod.
    - intros [[] [[word [root_a root_b]] [[] [[] [[[[la ma] [lb mb]] [rho y]] [va vb]]]]]]. reflexivity.
    - intros [[[word y] rho] [[[[ra ma] wa] va] [[[rb mb] wb] vb]]]. reflexivity.
    - intros [[] [[word [root_a root_b]] [[] [[] [[[[la ma] [lb mb]] [rho y]] [va vb]]]]]]. split; intros i; in_all.
  Qed.
  Notation dpf := (list_prod (list_prod (list_prod ms ts) (list_prod rs ws)) (list_prod us vs)).
  Notation dealt := (list_prod (list_prod (list_prod (list_prod ms ws) vs) (list_prod (list_prod (list_prod vs ts) rs) us)) rs).
  Lemma regrouped_1 : yields
    (list_prod (list_prod (list_prod ws (list_prod rs rs)) (list_prod [tt] (list_prod [tt] (list_prod (list_prod (list_prod dpf dpf) vs)
      (list_prod [tt] (list_prod vs vs)))))) vs)
    (fun x => let '(((word, (root_a, root_b)), (_, (_, (((((masks, zs), (u, mask)), (values, share)), (((masks', zs'), (u', mask')), (values', share')), y),
        (_, (v_a, v_b)))))), unused) := x in
      ((word, y, unused), (((masks, mask, share), (v_a, zs, u, values), root_a), ((masks', mask', share'), (v_b, zs', u', values'), root_b))))
    (list_prod (list_prod (list_prod ws vs) vs) (list_prod dealt dealt)).
  Proof.
    apply (yields_renamed _ _ _ (fun z =>
      let '((word, y, unused), (((masks, mask, share), (v_a, zs, u, values), root_a), ((masks', mask', share'), (v_b, zs', u', values'), root_b))) := z in
      (((word, (root_a, root_b)), (tt, (tt, (((((masks, zs), (u, mask)), (values, share)), (((masks', zs'), (u', mask')), (values', share')), y),
        (tt, (v_a, v_b)))))), unused))).
    - auto 14 using NoDup_prod, no_twice_tt.
    - auto 14 using NoDup_prod.
    - intros [[[word [ra rb]] [[] [[] [[[[[[m z] [u k]] [w s]] [[[m' z'] [u' k']] [w' s']]] y] [[] [va vb]]]]]] un]. reflexivity.
    - intros [[[word y] un] [[[[[m k] s] [[[va z] u] w]] ra] [[[[m' k'] s'] [[[vb z'] u'] w']] rb]]]. reflexivity.
    - intros [[[word [ra rb]] [[] [[] [[[[[[m z] [u k]] [w s]] [[[m' z'] [u' k']] [w' s']]] y] [[] [va vb]]]]]] un]. split; intros i; in_all.
  Qed.
  Lemma regrouped_2 : yields
    (list_prod (list_prod ws (list_prod [tt] rs)) (list_prod (list_prod ws (list_prod rs [tt]))
      (list_prod (list_prod ws (list_prod ws (list_prod ws (list_prod ws ws)))) (list_prod [tt] (list_prod [tt] [tt])))))
    (fun x => let '((word_0, (_, root_b)), ((word_1, (root_a, _)), ((g_a, (g_b, (delta, (x, y)))), _))) := x in
      (((word_0, word_1), (g_a, g_b, delta, x, y)), (root_a, root_b)))
    (list_prod (list_prod (list_prod ws ws) (list_prod (list_prod (list_prod (list_prod ws ws) ws) ws) ws)) (list_prod rs rs)).
  Proof.
    apply (yields_renamed _ _ _ (fun z => let '(((word_0, word_1), (g_a, g_b, delta, x, y)), (root_a, root_b)) := z in
      ((word_0, (tt, root_b)), ((word_1, (root_a, tt)), ((g_a, (g_b, (delta, (x, y)))), (tt, (tt, tt))))))).
    - auto 12 using NoDup_prod, no_twice_tt.
    - auto 12 using NoDup_prod.
    - intros [[w0 [[] rb]] [[w1 [ra []]] [[ga [gb [dd [x y]]]] [[] [[] []]]]]]. reflexivity.
    - intros [[[w0 w1] [[[[ga gb] dd] x] y]] [ra rb]]. reflexivity.
    - intros [[w0 [[] rb]] [[w1 [ra []]] [[ga [gb [dd [x y]]]] [[] [[] []]]]]]. split; intros i; in_all.
  Qed.
End Regrouped.

Section Uniform.
  Context (h : u64) (op : lean_op).
  Notation purpose := (purpose_of op).
  Notation d := (tree_level h purpose).
  Notation from := (ring_Ring_from_u64 W).

  Lemma dpf_1_yields : yields (dpf_space_1 d) (fun '(levels, mask) => (map (fun '(x, y) => (bit x 0, y)) levels, mask)) (list_prod (tuples d mask_space) some_words).
  Proof.
    refine (yields_ext _ _ _ _ _ (yields_both _ _ _ _ _ _ (yields_each _ _ _ d level_1_yields) (yields_same some_words))).
    intros [levels mask] _. reflexivity.
  Qed.
  Lemma values_yield : yields (tuples 8 some_words)
    (fun values => match purpose with lean_layers_Purpose_Read => [] | lean_layers_Purpose_Update => ring_words_of values end)
    (tuples (value_words h purpose) xor_words).
  Proof.
    rewrite value_words_is. destruct purpose.
    - intros g. rewrite mean_tuples_0. apply mean_const, tuples_not_empty, words_not_empty.
    - exact (yields_each _ _ _ 8 word_yields).
  Qed.
  Lemma dpf_0_yields : yields (dpf_space_0 d)
    (fun '((levels, (one_hot, mask)), (values, share)) =>
      ((map (fun '(x, (y, _)) => (bit x 0, y)) levels, map (fun '(_, (_, z)) => z) levels), (one_hot, mask),
       (match purpose with lean_layers_Purpose_Read => [] | lean_layers_Purpose_Update => ring_words_of values end, from share)))
    (list_prod (list_prod (list_prod (tuples d mask_space) (tuples d labels)) (list_prod labels some_words))
      (list_prod (tuples (value_words h purpose) xor_words) xor_words)).
  Proof.
    refine (yields_ext _ _ _ _ _ (yields_both _ _ _ _ _ _ (yields_both _ _ _ _ _ _
      (yields_then _ _ _ _ _ (yields_each _ _ _ d level_0_yields) (yields_unzipped mask_space labels d)) (yields_same (list_prod labels some_words)))
      (yields_both _ _ _ _ _ _ values_yield word_yields))).
    intros [[levels [one_hot mask]] [values share]] _. cbn [fst snd]. rewrite !map_map.
    repeat f_equal; apply map_ext; intros [x [y z]]; reflexivity.
  Qed.

  Let w_once : NoDup some_words := proj1 (words_enumerate 64).
  Let l_once : NoDup labels := proj1 labels_enumerate.
  Let m_once : NoDup (tuples d mask_space) := NoDup_tuples d mask_space mask_space_enumerates.
  Let x_once : NoDup xor_words := proj1 xor_words_enumerate.
  Let ls_once : NoDup (tuples d labels) := NoDup_tuples d labels labels_enumerate.
  Let xs_once : NoDup (tuples (value_words h purpose) xor_words) := NoDup_tuples _ xor_words xor_words_enumerate.

  Let dummy_own : own_draws := (repr 64 0, (repr 128 0, repr 128 0)).
  Let dummy_common : common_draws := (repr 64 0, (repr 64 0, (repr 64 0, (repr 64 0, repr 64 0)))).
  Let dummy_0 : dpf_draws_0 := (([], (repr 128 0, repr 64 0)), ([], repr 64 0)).
  Let dummy_1 : seed_draws_1 := ([], repr 64 0).
  Let dummy_02 : of_02 := ((dummy_0, dummy_0), repr 64 0).
  Let dummy_12 : of_12 := ((dummy_1, dummy_1), (repr 64 0, repr 64 0)).
  Let dummy_2 : u64 * u64 := (repr 64 0, repr 64 0).

  (* Given anything that does not hang on the others' draws: its own part, or all words of its own. *)
  Theorem lean_item_hides_from_P0 {O : Type} (own : item_drawn -> O) :
    (forall p_0 p_1 p_1' c e f f' v v', own (p_0, (p_1, (c, (e, (f, v))))) = own (p_0, (p_1', (c, (e, (f', v')))))) ->
    hides (item_space d) own hidden_part_0 (life_space h op).
  Proof.
    intros indifferent. refine (yields_hidden _ _ _ _ _ _ _
      (fun '(p_0, (_, (c, (e, _)))) => own (p_0, (dummy_own, (c, (e, (dummy_12, dummy_2))))))
      (fun '(_, (p_1, (_, (_, (e, v))))) => hidden_part_0 (dummy_own, (p_1, (dummy_common, (dummy_02, (e, v))))))
      (hides_both _ _ _ _ _ _ _ _ (hides_nothing own_space (fun p => p)) (hides_both _ _ _ _ _ _ _ _ (hides_all own_space)
      (hides_both _ _ _ _ _ _ _ _ (hides_nothing common_space (fun p => p)) (hides_both _ _ _ _ _ _ _ _ (hides_nothing (space_02 d) (fun p => p))
      (hides_both _ _ _ _ _ _ _ _ (hides_all (space_12 d)) (hides_all (list_prod some_words some_words))))))) _ _ _).
    - refine (yields_ext _ _ _ _ _ (yields_then _ _ _ _ _
        (yields_both _ _ _ _ _ _ (yields_same [tt]) (yields_both _ _ _ _ _ _ (yields_same own_space) (yields_both _ _ _ _ _ _ (yields_same [tt])
        (yields_both _ _ _ _ _ _ (yields_same [tt]) (yields_both _ _ _ _ _ _ (yields_both _ _ _ _ _ _ (yields_both _ _ _ _ _ _ dpf_1_yields dpf_1_yields)
          (yields_both _ _ _ _ _ _ word_yields word_yields)) (yields_both _ _ _ _ _ _ word_yields word_yields))))))
        (regrouped_0 some_words labels (tuples d mask_space) xor_words w_once l_once m_once x_once))).
      intros [[] [[word [root_a root_b]] [[] [[] [[[[la ma] [lb mb]] [rho y]] [va vb]]]]]] _. reflexivity.
    - intros [p_0 [p_1 [c [e [f v]]]]]. apply indifferent.
    - intros [[w0 [ra rb]] [[w1 [ra' rb']] [[ga [gb [dd [x y]]]] [[[a b] m] [[[a' b'] [rm yy]] [va vb]]]]]]. reflexivity.
  Qed.

  (* Beside a word that is not used, in place of rho. *)
  Theorem lean_item_hides_from_P1 {O : Type} (own : item_drawn -> O) :
    (forall p_0 p_0' p_1 c e e' f v v', own (p_0, (p_1, (c, (e, (f, v))))) = own (p_0', (p_1, (c, (e', (f, v')))))) ->
    hides (list_prod (item_space d) xor_words) (fun x => own (fst x)) (fun x => hidden_part_1 op (fst x) (snd x)) (life_space_1 h op).
  Proof.
    intros indifferent. refine (yields_hidden _ _ _ _ _ _ _
      (fun '((_, (p_1, (c, (_, (f, _))))), _) => own (dummy_own, (p_1, (c, (dummy_02, (f, dummy_2))))))
      (fun '((p_0, (_, (_, (e, (_, v))))), unused) => hidden_part_1 op (p_0, (dummy_own, (dummy_common, (e, (dummy_12, v))))) unused)
      (hides_both _ _ _ _ _ _ _ _ (hides_both _ _ _ _ _ _ _ _ (hides_all own_space) (hides_both _ _ _ _ _ _ _ _ (hides_nothing own_space (fun p => p))
      (hides_both _ _ _ _ _ _ _ _ (hides_nothing common_space (fun p => p)) (hides_both _ _ _ _ _ _ _ _ (hides_all (space_02 d))
      (hides_both _ _ _ _ _ _ _ _ (hides_nothing (space_12 d) (fun p => p)) (hides_all (list_prod some_words some_words))))))) (hides_all xor_words)) _ _ _).
    - refine (yields_ext _ _ _ _ _ (yields_then _ _ _ _ _
        (yields_both _ _ _ _ _ _ (yields_both _ _ _ _ _ _ (yields_same own_space) (yields_both _ _ _ _ _ _ (yields_same [tt])
        (yields_both _ _ _ _ _ _ (yields_same [tt]) (yields_both _ _ _ _ _ _ (yields_both _ _ _ _ _ _ (yields_both _ _ _ _ _ _ dpf_0_yields dpf_0_yields) word_yields)
        (yields_both _ _ _ _ _ _ (yields_same [tt]) (yields_both _ _ _ _ _ _ word_yields word_yields)))))) (yields_same xor_words))
        (regrouped_1 some_words labels (tuples d mask_space) xor_words (tuples d labels) (tuples (value_words h purpose) xor_words)
          w_once l_once m_once x_once ls_once xs_once))).
      intros [[[word [root_a root_b]] [[] [[] [[[a b] y] [[] [va vb]]]]]] unused] _.
      destruct a as [[la [ua ma]] [wa sa]], b as [[lb [ub mb]] [wb sb]]. reflexivity.
    - intros [[p_0 [p_1 [c [e [f v]]]]] unused]. apply indifferent.
    - intros [[[w0 [ra rb]] [[w1 [ra' rb']] [[ga [gb [dd [x y]]]] [[[a b] m] [[[a' b'] [rm yy]] [va vb]]]]]] unused]. reflexivity.
  Qed.

  Theorem lean_item_hides_from_P2 {O : Type} (own : item_drawn -> O) :
    (forall w_0 w_0' root_a r r' w_1 w_1' s s' root_b c c' rest,
      own ((w_0, (root_a, r)), ((w_1, (s, root_b)), (c, rest))) = own ((w_0', (root_a, r')), ((w_1', (s', root_b)), (c', rest)))) ->
    hides (item_space d) own hidden_part_2 (space_of_P2 op).
  Proof.
    intros indifferent. refine (yields_hidden _ _ _ _ _ _ _
      (fun '((_, (root_a, _)), ((_, (_, root_b)), (_, (e, (f, v))))) =>
        own ((repr 64 0, (root_a, repr 128 0)), ((repr 64 0, (repr 128 0, root_b)), (dummy_common, (e, (f, v))))))
      (fun '((word_0, (_, root_b)), ((word_1, (root_a, _)), (c, _))) =>
        hidden_part_2 ((word_0, (repr 128 0, root_b)), ((word_1, (root_a, repr 128 0)), (c, (dummy_02, (dummy_12, dummy_2))))))
      (hides_both _ _ _ _ _ _ _ _
        (hides_both _ _ _ _ _ _ _ _ (hides_all some_words) (hides_both _ _ _ _ _ _ _ _ (hides_nothing labels (fun p => p)) (hides_all labels)))
      (hides_both _ _ _ _ _ _ _ _
        (hides_both _ _ _ _ _ _ _ _ (hides_all some_words) (hides_both _ _ _ _ _ _ _ _ (hides_all labels) (hides_nothing labels (fun p => p))))
      (hides_both _ _ _ _ _ _ _ _ (hides_all common_space) (hides_both _ _ _ _ _ _ _ _ (hides_nothing (space_02 d) (fun p => p))
      (hides_both _ _ _ _ _ _ _ _ (hides_nothing (space_12 d) (fun p => p)) (hides_nothing (list_prod some_words some_words) (fun p => p))))))) _ _ _).
    - refine (yields_ext _ _ _ _ _ (regrouped_2 some_words labels w_once l_once)).
      intros [[w0 [[] rb]] [[w1 [ra []]] [[ga [gb [dd [x y]]]] [[] [[] []]]]]] _. reflexivity.
    - intros [[w0 [ra rb]] [[w1 [ra' rb']] [c [e [f v]]]]]. apply indifferent.
    - intros [[w0 [ra rb]] [[w1 [ra' rb']] [[ga [gb [dd [x y]]]] [[[a b] m] [[[a' b'] [rm yy]] [va vb]]]]]]. reflexivity.
  Qed.
End Uniform.
