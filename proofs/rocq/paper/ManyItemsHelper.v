(* Any number of READs and UPDATEs, each with an item of its own, towards P2: as ManyItems.v for the primaries. The simulator has
   nothing to go by but the schedule: [simulated_helper_views] is a function of fresh draws alone.

   [A] is what P2 has (its tape, with the triples and rho), [S] all else. Every operation's inputs may depend on everything seen
   before. Keys and factors are P2's of every item; a READ sends it the shift shares, an UPDATE also the masked words. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection Counting Chains.
From Duoram.core Require Import PrgAdvantage OwnLeaf.
From Duoram.paper Require Import IdealPreprocessing UpdateHelperPrivacy PreparedMaterial HelperView HelperPrivacy HelperLife.
From Duoram.Generated Require Import All.
#[local] Open Scope Q_scope.

Lemma Pr_bracketed {A B C : Type} (xs : list A) (ys : list B) (zs : list C)
  (event : A * (B * C) -> bool) (event' : A * B * C -> bool) :
  (forall x y z, event (x, (y, z)) = event' (x, y, z)) ->
  Pr (list_prod xs (list_prod ys zs)) event == Pr (list_prod (list_prod xs ys) zs) event'.
Proof.
  intros h. rewrite !Pr_mean, !mean_prod. apply mean_ext. intros x _. rewrite mean_prod. apply mean_ext. intros y _.
  apply mean_ext. intros z _. rewrite h. reflexivity.
Qed.

Section Session.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Laws : RingLaws W} (all_words : list W).
  Hypothesis all_words_enumerate : enumerates all_words anything.
  Context {P : Type} {P_Prg : prg_Prg P} (prg : P).
  Context (h n : u64) (h_below_64 : (val h < 64)%Z) (h_one : (1 <= val h)%Z) (size : val n = (2 ^ val h)%Z).
  Hypothesis fits_word : (val n <= 2 ^ Zpos (ring_bits W))%Z.

  (* P2's keys and factors, and the shift shares of P0 and P1; or all that it receives in an UPDATE. *)
  Inductive helper_op_received : Type :=
    | read_sent (keys : dpf_Key * dpf_Key) (factors : W * W) (shifts : u64 * u64)
    | update_sent (keys : dpf_Key * dpf_Key) (seen : helper_seen (W := W)).
  Definition as_read_sent (received : dpf_Key * dpf_Key * helper_seen (W := W)) : helper_op_received :=
    let '(keys, (factor_2, factor_3, ((shift_0, _, _), (shift_1, _, _)))) := received in
    read_sent keys (factor_2, factor_3) (shift_0, shift_1).

  Context (count : nat) (is_read : nat -> bool).
  Context {A S : Type} (rest : list (A * S)).
  Notation all_triples := (paper_preprocessing_DpfTriples W * paper_preprocessing_DpfTriples W * paper_preprocessing_DpfTriples W)%type.
  (* For operation j, after what was seen before: the primaries' shares and blinds, the state; P2's triples and rho. *)
  Context (secret : nat -> A * S -> list helper_op_received -> helper_secret (W := W))
    (blinds : nat -> A * S -> list helper_op_received -> (W * W * W) * (W * W * W))
    (state : nat -> A * S -> list helper_op_received -> paper_memory_State W)
    (triples : nat -> A -> list helper_op_received -> all_triples) (rho : nat -> A -> list helper_op_received -> W).
  Hypothesis triples_dealt : forall j a seen,
    dealt h (fst (fst (triples j a seen))) /\ dealt h (snd (fst (triples j a seen))) /\ dealt h (snd (triples j a seen)).
  Hypothesis state_length : forall j r seen,
    len (paper_memory_PrimaryState_memory_share (paper_memory_State_p0 (state j r seen))) = n.
  Context (test : A * S -> list helper_op_received -> bool).

  (* What an operation sends P2, as the specification's functions make it. *)
  Notation real_op := ((u64 * (W * W)) * (real_roots * real_roots * real_roots))%type.
  Definition real_op_space : list real_op :=
    list_prod (list_prod (words 64) (list_prod all_words all_words))
      (list_prod (list_prod real_root_space real_root_space) real_root_space).
  Definition helper_read (s : helper_secret (W := W)) (state : paper_memory_State W) (rho : W) (item : paper_preprocessing_Item W) :
    paper_read_Read W :=
    paper_read_read state (paper_preprocessing_unit_vectors item) (paper_preprocessing_random_index_shares item)
      (address_0 s, address_1 s) rho.
  Definition helper_op_view (r : A * S) (j : nat) (seen : list helper_op_received) (d : real_op) : helper_op_received :=
    let '(words, roots) := d in
    let item := item_of prg h (fun r => secret j r seen) (fun r => blinds j r seen) (fun r => triples j (fst r) seen)
      (r, words) roots in
    let update := received_of_helper item
      (update_of (fun r => secret j r seen) (fun r => state j r seen) (r, words) item) in
    if is_read j then
      let run := helper_read (secret j r seen) (state j r seen) (rho j (fst r) seen) item in
      read_sent (fst update) (fst (snd update)) (paper_read_Read_shift_0 run, paper_read_Read_shift_1 run)
    else update_sent (fst update) (snd update).

  (* And as the simulator does, of fresh draws. *)
  Notation fixed := (u128 * list dpf_Correction * list (u128 * bool))%type.
  Notation ideal_op := ((fixed * fixed * fixed) * ((u64 * (W * W)) * (u128 * u128 * u128 * u128)))%type.
  Definition ideal_op_space : list ideal_op :=
    list_prod (list_prod (list_prod (fixed_space h) (fixed_space h)) (fixed_space h)) (helper_coin_space all_words).
  Definition simulated_helper_op (j : nat) (e : ideal_op) : helper_op_received :=
    let received := simulated_helper_received n (fst e) (snd e) in
    if is_read j then as_read_sent received else update_sent (fst received) (snd received).

  Definition real_helper_views (r : A * S) (draws : list real_op) : list helper_op_received :=
    all_seen (helper_op_view r) 0 [] draws.
  Definition simulated_helper_views (draws : list ideal_op) : list helper_op_received :=
    all_seen (fun j _ => simulated_helper_op j) 0 [] draws.

  Definition real_helper_session : Q :=
    Pr (list_prod rest (draws_from (fun _ => real_op_space) 0 count)) (fun '(r, ds) => test r (real_helper_views r ds)).
  Definition simulated_helper_session : Q :=
    Pr (list_prod rest (draws_from (fun _ => ideal_op_space) 0 count)) (fun '(r, es) => test r (simulated_helper_views es)).

  (* A READ's shift shares are those of an UPDATE with the same item. *)
  Lemma read_sent_is_as_update (s : helper_secret (W := W)) (st : paper_memory_State W) (mask : W)
    (item : paper_preprocessing_Item W) (deltas : W * W) :
    let run := helper_read s st mask item in
    let update := received_of_helper item (paper_update_update st
      (paper_preprocessing_update_material item (fst deltas) (snd deltas)) (paper_preprocessing_random_index_shares item)
      (address_0 s, address_1 s) (value_0 s, value_1 s)) in
    read_sent (fst update) (fst (snd update)) (paper_read_Read_shift_0 run, paper_read_Read_shift_1 run) = as_read_sent update.
  Proof.
    cbv zeta. unfold helper_read, received_of_helper, as_read_sent, sent_to_helper, paper_update_update, paper_read_read.
    destruct (paper_preprocessing_random_index_shares item) as [ri_0 ri_1]. destruct (paper_read_answer _ _ _) as [[[g_0 g_1] r_0] r_1].
    reflexivity.
  Qed.

  (** * One operation among the others *)

  Notation others := ((A * S) * (list ideal_op * list real_op))%type.
  Definition beside_helper_op (j : nat) : list others :=
    others_of rest count (fun _ => real_op_space) (fun _ => ideal_op_space) j.
  Definition helper_seen_before (z : others) : list helper_op_received := seen_before (fun _ j _ => simulated_helper_op j) z.
  Definition test_of_helper_op (j : nat) (z : others) (received : dpf_Key * dpf_Key * helper_seen (W := W)) : bool :=
    test_with helper_op_view (fun _ j _ => simulated_helper_op j) test j z
      (if is_read j then as_read_sent received else update_sent (fst received) (snd received)).

  (* The price of operation j: of DPF k of its item. *)
  Definition helper_op_price (j k : nat) : Q :=
    helper_price all_words prg h n (beside_helper_op j) (fun z => secret j (fst z) (helper_seen_before z)) (test_of_helper_op j) k.

  Theorem session_of_items_simulated_to_helper :
    Qabs (real_helper_session - simulated_helper_session)
    <= sum_below count (fun j => sum_below 3 (helper_op_price j)).
  Proof.
    apply (chain_replaced rest count (fun _ => real_op_space) helper_op_view (fun _ => ideal_op_space)
      (fun _ j _ => simulated_helper_op j) test).
    intros j hj.
    pose proof (helper_life_simulated all_words all_words_enumerate prg h n h_below_64 h_one size fits_word (beside_helper_op j)
      (fun z => secret j (fst z) (helper_seen_before z)) (fun z => blinds j (fst z) (helper_seen_before z))
      (fun z => state j (fst z) (helper_seen_before z)) (fun z => triples j (fst (fst z)) (helper_seen_before z))
      (fun z => triples_dealt j (fst (fst z)) (helper_seen_before z))
      (fun z => state_length j (fst z) (helper_seen_before z)) (test_of_helper_op j)) as bound.
    eapply Qle_trans; [|exact bound]. clear bound.
    apply Qle_lteq. right. apply Qabs_wd. unfold Qminus. apply Qplus_comp; [|apply Qopp_comp].
    - apply Pr_bracketed. intros z [word deltas] roots. unfold test_of_helper_op, helper_op_view.
      fold (helper_seen_before z). destruct (is_read j); [|reflexivity]. apply f_equal.
      exact (read_sent_is_as_update (secret j (fst z) (helper_seen_before z)) (state j (fst z) (helper_seen_before z))
        (rho j (fst (fst z)) (helper_seen_before z)) _ deltas).
    - apply Pr_bracketed. intros z keys coins. reflexivity.
  Qed.
End Session.

(* For the words of the implementation. *)
Definition session_of_items_simulated_to_helper_u64 {P : Type} {P_Prg : prg_Prg P} (prg : P) :=
  session_of_items_simulated_to_helper (W := u64) (words 64) (words_enumerate 64) prg.
