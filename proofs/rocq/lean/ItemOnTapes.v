(* The draws of an item (ItemDraws.v), on tapes and streams. The DPFs that their words make are, in each party's terms, those of the views, made of the
   party's part and of the other ([lean_item_plans_of_P0], [_P1], [_P2]). On uniform tapes and streams the draws are uniform
   ([lean_item_draws_of_uniform_words]): so what ItemDraws.v says of draws is so of words. And where an item's words stand in their places
   in a session's tapes and streams, its DPFs and its operation's masks are these ([lean_item_stands], with ItemPlans.v).

   One item: that a session's items stand so one behind the other, is not said here. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection Counting.
From Duoram.core Require Import Parties VectorFacts LabelFacts PrgAdvantage GenerationSimulated HiddenParts.
From Duoram.core Require DrawnWords.
From Duoram.lean Require Import Generation SessionPreparing PreparingView CorrectionsUniform PreparingPrivacy DealtToP1 OperationView ItemLife ItemLifeOfP1
  ItemLifeOfP2 WholeSchedule TapeDiscipline PreparingMessages ItemPlans ItemDraws.
From Duoram.Generated Require Import All.
#[local] Open Scope Q_scope.

(** * The DPFs that the draws make, in each party's terms *)

Section Plans.
  Context {P : Type} {P_Prg : prg_Prg P} {P_Layers : lean_layers_Layers P} (prg : P).
  Context (h : u64) (h_small : (val h < 64)%Z) (op : lean_op).
  Notation purpose := (purpose_of op).
  Notation d := (tree_level h purpose).
  Notation P0 := share_Primary_P0.
  Notation P1 := share_Primary_P1.

  Definition item_fits (i : item_drawn) : Prop := words_fit h purpose (item_words false i) /\ words_fit h purpose (item_words true i).
  Lemma item_space_fits (i : item_drawn) : In i (item_space d) -> item_fits i.
  Proof.
    destruct i as [[w0 [ra rb]] [[w1 [ra' rb']] [c [[[[[l1 u1] [vs1 s1]] [[l2 u2] [vs2 s2]]] m] [[[[l3 m3] [l4 m4]] [rm yy]] [va vb]]]]]].
    destruct c as [ga [gb [dd [x y]]]].
    unfold item_space, space_02, space_12, dpf_space_0, dpf_space_1. intros it.
    repeat match goal with e : In _ (list_prod _ _) |- _ => apply in_prod_iff in e; destruct e end.
    split; constructor; unfold whole_0, whole_1; [split| |split|]; cbn [item_words with_0 with_1 fst snd];
      match goal with e : In ?l _ |- length ?l = _ => exact (tuples_length _ _ _ e) end.
  Qed.

  Theorem lean_item_plans_of_P0 (i : item_drawn) : item_fits i ->
    let o := own_part_0 h op i in
    let '((word, _, _), (draw_a, draw_b)) := hidden_part_0 i in
    words_plan h purpose (item_words false i) = held_plan prg P0 h purpose (life_a o) (others_index h word) draw_a /\
    words_plan h purpose (item_words true i) = held_plan prg P0 h purpose (life_b o) (others_index h word) draw_b.
  Proof.
    intros [fa fb]. cbv zeta. unfold hidden_part_0.
    pose proof (words_plan_of_P0 prg h h_small purpose _ fa) as ea. pose proof (words_plan_of_P0 prg h h_small purpose _ fb) as eb.
    destruct i as [[w0 [ra rb]] [[w1 [ra' rb']] [[ga [gb [dd [x y]]]] [[[a b] m] [[[a' b'] [rm yy]] [va vb]]]]]]. split; assumption.
  Qed.

  (* And what P2 deals to P1 for them. *)
  Theorem lean_item_plans_of_P1 (i : item_drawn) (unused : W) :
    let o := own_part_1 h op i in
    let '((word, _, _), (draw_a, draw_b)) := hidden_part_1 op i unused in
    let deal w := lean_dealing_deal (seed_of_draws_0 h purpose (with_0 w)) (seed_of_draws_1 h (with_1 w)) purpose
      (other_value purpose (ring_Ring_from_u64 W (value_1 w))) in
    words_plan h purpose (item_words false i) = ItemLifeOfP1.plan_of h op (life_1_a o) word draw_a /\ deal (item_words false i) = message_to_1 h op (life_1_a o) draw_a /\
    words_plan h purpose (item_words true i) = ItemLifeOfP1.plan_of h op (life_1_b o) word draw_b /\ deal (item_words true i) = message_to_1 h op (life_1_b o) draw_b.
  Proof.
    cbv zeta. unfold hidden_part_1.
    pose proof (words_plan_of_P1 h purpose (item_words false i)) as ea. pose proof (words_plan_of_P1 h purpose (item_words true i)) as eb.
    unfold ItemLifeOfP1.plan_of, message_to_1.
    destruct i as [[w0 [ra rb]] [[w1 [ra' rb']] [[ga [gb [dd [x y]]]] [[[a b] m] [[[a' b'] [rm yy]] [va vb]]]]]].
    cbn [own_part_1 life_1_a life_1_b]. destruct (hidden_from_1 purpose _) as [[u v] r] in ea |- *.
    destruct (hidden_from_1 purpose _) as [[u' v'] r'] in eb |- *. tauto.
  Qed.

  Theorem lean_item_plans_of_P2 (i : item_drawn) : item_fits i ->
    let o := own_part_2 h op i in
    let '(draw, (root_a, root_b)) := hidden_part_2 i in
    words_plan h purpose (item_words false i) = plan_a_with prg h op o draw root_a /\
    words_plan h purpose (item_words true i) = plan_b_with prg h op o draw root_b.
  Proof.
    intros [fa fb]. cbv zeta. unfold hidden_part_2, plan_a_with, plan_b_with.
    pose proof (words_plan_of_P0 prg h h_small purpose _ fa) as ea. pose proof (words_plan_of_P1 h purpose (item_words true i)) as eb.
    set (b := item_words true i) in *.
    assert (in_a : In (fst (fst (hidden_from_1 purpose b))) (list_prod (list_prod (tuples d mask_space) some_words) xor_words) /\
      In (snd (fst (hidden_from_1 purpose b))) (list_prod (list_prod (list_prod xor_words (tuples d labels)) labels) (tuples (value_words h purpose) xor_words))).
    { destruct fb as [[fl fv] _]. clear - fl fv. unfold hidden_from_1. destruct (with_0 b) as [[levels [one_hot mask]] [values share]]. cbn [fst snd] in *.
      repeat apply conj; repeat apply in_prod; try (apply words_enumerate || apply labels_enumerate || apply xor_words_enumerate; exact I).
      - apply (tuples_enumerate d mask_space mask_space_enumerates). rewrite map_length. exact fl.
      - apply (tuples_enumerate d labels labels_enumerate). rewrite map_length. exact fl.
      - apply (tuples_enumerate _ xor_words xor_words_enumerate). rewrite value_words_is. destruct purpose; [reflexivity|]. rewrite map_length. exact fv. }
    assert (pairs : length (own_pairs (own_1_of h purpose b)) = d) by (apply masks_1_length, fb).
    destruct in_a as [in_a in_b]. destruct (hidden_from_1 purpose b) as [[x y] r] eqn:eh. cbn [fst snd] in *.
    pose proof (dealt_plan_is prg h purpose (own_1_of h purpose b) (others_index h (word_0 b)) r x y pairs in_a in_b) as ed.
    destruct eb as [eb _]. rewrite ed in eb. clear ed pairs in_a in_b.
    assert (er : r = root_0 b) by (unfold hidden_from_1 in eh; destruct (with_0 b) as [[? [? ?]] [? ?]]; congruence).
    unfold own_part_2. fold b. cbn [life_2_others_a life_2_others_b]. rewrite eh. cbn [fst snd]. destruct x as [[masks word] value]. cbn [fst snd] in eb. subst r.
    split; [rewrite ea | rewrite eb].
    - clear. unfold held_a_with, hidden_from_0, b. cbn [life_2_a].
      destruct i as [[w0 [ra rb]] [[w1 [ra' rb']] [[ga [gb [dd [x y]]]] [[[[[l [u k]] [vs s]] dpf_b] m] [[[a' b'] [rm yy]] [va vb]]]]]].
      destruct op; reflexivity.
    - unfold held_b_with, dealt_to_1. cbn [life_2_b]. rewrite eh. cbn [fst snd]. clear. unfold b.
      destruct i as [[w0 [ra rb]] [[w1 [ra' rb']] [[ga [gb [dd [x y']]]] [[[a dpf_b] m] [[[a' b'] [rm yy]] [va vb]]]]]].
      destruct op; reflexivity.
  Qed.
End Plans.

(** * On uniform tapes and streams *)

Notation uniform_words k := (tuples k some_words).

Lemma read_off_yields {T : Type} {drawn : T -> Prop} {k : nat} (r : DrawnWords.read_off drawn k) (space : list T) : enumerates space drawn ->
  yields space (forth r) (uniform_words k).
Proof. intros e g. exact (mean_read_off r space g e). Qed.
Lemma yields_beside {A B : Type} (xs : list A) (ys : list B) (f : A -> list u64) (g : B -> list u64) (a b : nat) :
  yields xs f (uniform_words a) -> yields ys g (uniform_words b) -> yields (list_prod xs ys) (fun z => f (fst z) ++ g (snd z)) (uniform_words (a + b)).
Proof.
  intros y y' k. rewrite mean_prod. cbn [fst snd]. rewrite <- (mean_app some_words a b).
  rewrite <- (y (fun l => mean (uniform_words b) (fun m => k (l ++ m)))). apply mean_ext. intros x _. apply (y' (fun m => k (f x ++ m))).
Qed.
Lemma word_alone : yields some_words (fun w => [w]) (uniform_words 1).
Proof. intros g. rewrite mean_tuples_S. apply mean_ext. intros w _. rewrite mean_tuples_0. reflexivity. Qed.
Lemma yields_none {A : Type} (space : list A) : space <> [] -> yields space (fun _ => []) (uniform_words 0).
Proof. intros some g. rewrite mean_tuples_0. apply mean_const, some. Qed.

Section Words.
  Context (h : u64) (op : lean_op).
  Notation purpose := (purpose_of op).
  Notation d := (tree_level h purpose).

  (* The words that an item takes: of P0's and P1's tapes; of its streams 01, 02 and 12; of P2's tape. *)
  Definition mask_words (word : u64) : list u64 := match purpose with lean_layers_Purpose_Read => [] | lean_layers_Purpose_Update => [word] end.
  Definition words_02 (e : of_02) : list u64 := (words_of_dpf_0 purpose (fst (fst e)) ++ words_of_dpf_0 purpose (snd (fst e))) ++ mask_words (snd e).
  Definition words_12 (e : of_12) : list u64 :=
    (words_of_seed_1 (fst (fst e)) ++ words_of_seed_1 (snd (fst e))) ++ ([fst (snd e)] ++ mask_words (snd (snd e))).
  Definition words_of_p2 (v : u64 * u64) : list u64 :=
    match purpose with lean_layers_Purpose_Read => [] | lean_layers_Purpose_Update => [fst v] ++ [snd v] end.
  Definition item_words_of (i : item_drawn) : list u64 * (list u64 * (list u64 * (list u64 * (list u64 * list u64)))) :=
    let '(p_0, (p_1, (c, (e, (f, v))))) := i in
    (forth own_read_off p_0, (forth own_read_off p_1, (forth common_read_off c, (words_02 e, (words_12 f, words_of_p2 v))))).
  Definition mask_count : nat := match purpose with lean_layers_Purpose_Read => 0 | lean_layers_Purpose_Update => 1 end.
  Definition words_of_p2_count : nat := match purpose with lean_layers_Purpose_Read => 0 | lean_layers_Purpose_Update => 2 end.

  Lemma mask_words_yield : yields some_words mask_words (uniform_words mask_count).
  Proof. unfold mask_words, mask_count. destruct purpose; [apply yields_none, words_not_empty | apply word_alone]. Qed.
  Lemma p2_words_yield : yields (list_prod some_words some_words) words_of_p2 (uniform_words words_of_p2_count).
  Proof.
    unfold words_of_p2, words_of_p2_count. destruct purpose.
    - apply yields_none, (space_not_empty _ _ (repr 64 0, repr 64 0) (enumerates_all_prod _ _ (words_enumerate 64) (words_enumerate 64)) I).
    - exact (yields_beside some_words some_words _ _ 1 1 word_alone word_alone).
  Qed.
  Lemma dpf_1_words_yield : yields (dpf_space_1 d) words_of_seed_1 (uniform_words (size_1 h purpose)).
  Proof.
    assert (e : enumerates (dpf_space_1 d) (fun draws : seed_draws_1 => length (fst draws) = d)).
    { destruct (enumerates_prod _ _ _ _ (tuples_enumerate d level_space_1 (enumerates_all_prod _ _ (words_enumerate 64) labels_enumerate)) (words_enumerate 64))
        as [once all]. split; [exact once|]. intros [l m]. unfold dpf_space_1. rewrite all. unfold anything. cbn. tauto. }
    refine (yields_ext _ _ _ _ _ (read_off_yields (seed_1_read_off d) (dpf_space_1 d) e)). intros x _. symmetry. apply seed_1_reads.
  Qed.
  Lemma dpf_0_words_yield : yields (dpf_space_0 d) (words_of_dpf_0 purpose) (uniform_words (size_0 h purpose)).
  Proof.
    assert (l : enumerates level_space_0 anything) by exact (enumerates_all_prod _ _ (words_enumerate 64) (enumerates_all_prod _ _ labels_enumerate labels_enumerate)).
    assert (e : enumerates (list_prod (tuples d level_space_0) (list_prod labels some_words)) (fun draws : seed_draws_0 => length (fst draws) = d)).
    { destruct (enumerates_prod _ _ _ _ (tuples_enumerate d level_space_0 l) (enumerates_all_prod _ _ labels_enumerate (words_enumerate 64)))
        as [once all]. split; [exact once|]. intros [x m]. rewrite all. unfold anything. cbn. tauto. }
    assert (v : enumerates (list_prod (uniform_words 8) some_words) (fun draws : list u64 * u64 => length (fst draws) = 8%nat)).
    { destruct (enumerates_prod _ _ _ _ (tuples_enumerate 8 some_words (words_enumerate 64)) (words_enumerate 64))
        as [once all]. split; [exact once|]. intros [x m]. rewrite all. unfold anything. cbn. tauto. }
    assert (values : yields (list_prod (uniform_words 8) some_words) (fun z => match purpose with
        lean_layers_Purpose_Read => [] | lean_layers_Purpose_Update => words_of_values (fst z) (snd z) end)
      (uniform_words match purpose with lean_layers_Purpose_Read => 0 | lean_layers_Purpose_Update => 9 end)).
    { destruct purpose.
      - apply yields_none, (space_not_empty _ _ (repeat (repr 64 0) 8, repr 64 0) v). reflexivity.
      - refine (yields_ext _ _ _ _ _ (read_off_yields values_read_off _ v)). intros [x s] _. symmetry. apply values_read. }
    refine (yields_ext _ _ _ _ _ (yields_beside _ _ _ _ _ _ (read_off_yields (seed_0_read_off d) _ e) values)).
    intros [seed [x s]] _. cbn [fst snd]. rewrite seed_0_reads. reflexivity.
  Qed.

  (* All six are uniform, and so, over uniform tapes and streams, are the draws. *)
  Theorem lean_item_draws_of_uniform_words : yields (item_space d) item_words_of
    (list_prod (uniform_words 5) (list_prod (uniform_words 5) (list_prod (uniform_words 5)
      (list_prod (uniform_words (size_0 h purpose + size_0 h purpose + mask_count))
        (list_prod (uniform_words (size_1 h purpose + size_1 h purpose + (1 + mask_count))) (uniform_words words_of_p2_count)))))).
  Proof.
    assert (own : enumerates own_space anything) by exact (enumerates_all_prod _ _ (words_enumerate 64) (enumerates_all_prod _ _ labels_enumerate labels_enumerate)).
    assert (common : enumerates common_space anything).
    { pose proof (words_enumerate 64) as w. exact (enumerates_all_prod _ _ w (enumerates_all_prod _ _ w (enumerates_all_prod _ _ w (enumerates_all_prod _ _ w w)))). }
    refine (yields_ext _ _ _ _ _ (yields_both _ _ _ _ _ _ (read_off_yields own_read_off _ own) (yields_both _ _ _ _ _ _ (read_off_yields own_read_off _ own)
      (yields_both _ _ _ _ _ _ (read_off_yields common_read_off _ common) (yields_both _ _ _ _ _ _
        (yields_beside _ _ _ _ _ _ (yields_beside _ _ _ _ _ _ dpf_0_words_yield dpf_0_words_yield) mask_words_yield)
      (yields_both _ _ _ _ _ _
        (yields_beside _ _ _ _ _ _ (yields_beside _ _ _ _ _ _ dpf_1_words_yield dpf_1_words_yield) (yields_beside _ _ _ _ _ _ word_alone mask_words_yield))
        p2_words_yield)))))).
    intros [p_0 [p_1 [c [e [f v]]]]] _. reflexivity.
  Qed.
End Words.

(** * An item whose words stand on the tapes and streams of a session *)

Section Stands.
  Context (h : u64) (op : lean_op).
  Notation purpose := (purpose_of op).
  Notation from := (ring_Ring_from_u64 W).
  Context (pair_01 pair_02 pair_12 : lean_tape_PairStreams) (tape_0 tape_1 tape_2 : list u64) (drawn_0 drawn_1 drawn_2 first_item reads : u64).

  (* Item j of a batch: its words in their places, which are numbers of words. *)
  Record item_stands (j : u64) (i : item_drawn) : Prop := {
    all_fits : item_fits h op i;
    all_0 : let start := (nat_of drawn_0 + nat_of j * 5)%nat in
      DrawnWords.stands tape_0 start (fst (item_words_of op i)) /\ (Z.of_nat (start + 5) < 2 ^ 64)%Z;
    all_1 : let start := (nat_of drawn_1 + nat_of j * 5)%nat in
      DrawnWords.stands tape_1 start (fst (snd (item_words_of op i))) /\ (Z.of_nat (start + 5) < 2 ^ 64)%Z;
    all_01 : DrawnWords.stands (lean_tape_item_stream pair_01 (wadd first_item j)) 0 (fst (snd (snd (item_words_of op i))));
    all_02 : DrawnWords.stands (lean_tape_item_stream pair_02 (wadd first_item j)) 0 (fst (snd (snd (snd (item_words_of op i))))) /\
      (Z.of_nat (2 * size_0 h purpose) < 2 ^ 64)%Z;
    all_12 : DrawnWords.stands (lean_tape_item_stream pair_12 (wadd first_item j)) 0 (fst (snd (snd (snd (snd (item_words_of op i)))))) /\
      (Z.of_nat (2 * size_1 h purpose + 2) < 2 ^ 64)%Z;
    all_2 : purpose = lean_layers_Purpose_Update -> let start := (nat_of drawn_2 + nat_of (wsub j reads) * 2)%nat in
      DrawnWords.stands tape_2 start (snd (snd (snd (snd (snd (item_words_of op i)))))) /\ (Z.of_nat (start + 2) < 2 ^ 64)%Z;
  }.

  (* So its DPFs are made of these parts (ItemPlans.v), and its operation's masks are these. *)
  Theorem lean_item_stands (j : u64) (i : item_drawn) : item_stands j i ->
    parts_stand h pair_01 pair_02 pair_12 tape_0 tape_1 tape_2 drawn_0 drawn_1 drawn_2 first_item reads j purpose (item_words false i) (item_words true i) /\
    lean_tape_online_01 W (lean_tape_item_stream pair_01 (wadd first_item j)) = lean_tape_online_01 W (words_01 i) /\
    lean_tape_write_mask_01 W (lean_tape_item_stream pair_01 (wadd first_item j)) = lean_tape_write_mask_01 W (words_01 i) /\
    lean_tape_delta_mask W (lean_tape_item_stream pair_01 (wadd first_item j)) = lean_tape_delta_mask W (words_01 i) /\
    (purpose = lean_layers_Purpose_Update ->
      lean_tape_online_02 W (lean_tape_item_stream pair_02 (wadd first_item j)) h = from (mask_02 i) /\
      lean_tape_online_12 W (lean_tape_item_stream pair_12 (wadd first_item j)) h purpose (repr 64 1) = from (mask_12 i)) /\
    lean_tape_online_12 W (lean_tape_item_stream pair_12 (wadd first_item j)) h purpose (repr 64 0) = from (rho_12 i).
  Proof.
    destruct i as [[w0 [ra rb]] [[w1 [ra' rb']] [[ga [gb [dd [x y]]]] [[[a b] m] [[[a' b'] [rm yy]] [va vb]]]]]].
    intros [[fa fb] [s_0 r_0] [s_1 r_1] s_01 [s_02 r_02] [s_12 r_12] s_2].
    cbn [item_words_of fst snd] in *. unfold words_02, words_12, words_of_p2 in *. cbn [fst snd] in *.
    assert (l_02 : length (words_of_dpf_0 purpose a ++ words_of_dpf_0 purpose b) = (2 * size_0 h purpose)%nat).
    { rewrite app_length, !(words_of_dpf_0_length h purpose) by (apply fa || apply fb). lia. }
    assert (seed_length : forall e, whole_1 h purpose e -> length (words_of_seed_1 e) = size_1 h purpose).
    { intros [l k] w. unfold words_of_seed_1, size_1. rewrite app_length, (DrawnWords.flat_map_length_const _ 3).
      - unfold whole_1 in w. cbn [fst] in w. rewrite w. reflexivity.
      - apply Forall_forall. intros level _. apply (forth_drawn level_read_off_1). exact I. }
    assert (l_12 : length (words_of_seed_1 a' ++ words_of_seed_1 b') = (2 * size_1 h purpose)%nat).
    { rewrite app_length, !seed_length by (apply fa || apply fb). lia. }
    pose proof (common_is_of_its_words W _ ga gb dd x y s_01) as (_ & _ & e_d & e_x & e_y).
    assert (behind_12 : DrawnWords.stands (lean_tape_item_stream pair_12 (wadd first_item j)) (2 * size_1 h purpose) ([rm] ++ mask_words op yy)).
    { rewrite <- l_12. rewrite <- (app_nil_r ([rm] ++ _)) in s_12. exact (DrawnWords.stands_part _ 0 _ _ [] s_12). }
    split; [|split; [|split; [|split; [|split]]]].
    - constructor; cbn [item_words word_0 word_1 root_0 root_1 with_0 with_1 common_word value_1]; try assumption; try reflexivity.
      + split; assumption.
      + split; assumption.
      + intros _. exact (DrawnWords.stands_part _ 0 [] [ga; gb] [dd; x; y] s_01).
      + split; [|exact r_02]. exact (DrawnWords.stands_part _ 0 [] _ _ s_02).
      + split; [|lia]. exact (DrawnWords.stands_part _ 0 [] _ _ s_12).
      + intros e. specialize (s_2 e). rewrite e in s_2. exact s_2.
    - rewrite e_x. reflexivity.
    - rewrite e_y. reflexivity.
    - rewrite e_d. reflexivity.
    - intros e. unfold mask_words in *. rewrite e in *. split.
      + apply mask_02_stands_behind; [|exact r_02]. rewrite <- l_02. rewrite <- (app_nil_r [m]) in s_02. exact (DrawnWords.stands_part _ 0 _ _ [] s_02).
      + change (repr 64 1) with (of_nat 1). refine (masks_12_stand_behind W _ h _ _ 1 yy behind_12 _ eq_refl). cbn [length app]. lia.
    - change (repr 64 0) with (of_nat 0). refine (masks_12_stand_behind W _ h _ _ 0 rm behind_12 _ eq_refl).
      rewrite app_length. unfold mask_words. destruct purpose; cbn [length]; lia.
  Qed.
End Stands.
