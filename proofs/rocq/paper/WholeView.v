(* Privacy of a whole schedule towards a primary: loads wherever they stand, READs and UPDATEs each with an item of its own, and items that nothing
   uses. All that the primary receives is within the sum of the advantages, 3h for each item, of what a simulator makes of the
   primary's own draws and of fresh ones. The simulator is told no secret, and no input: what the primary receives does not
   even hang on its own inputs.

   Both primaries' inputs and the whole state are any function of all secrets and of ALL that was drawn before the operation, by whomever
   and whether the primary saw it or not ([inputs], [own_inputs]). So nothing is to be known of how later inputs depend on earlier results, nor
   how UPDATEs change the state: a dependent READ, and the UPDATE of a WRITE, whose value is the word without the result, are instances. The
   hybrid goes from the last operation to the first for that (BackwardChains.v).

   [A] is what the primary draws and is dealt, [S] all else. An operation's own draws are a function of [A] alone. The test sees [A * S]
   and what is received. Own inputs that are in [A], or follow from it and from what was received, as own results do, are seen so; if
   an owner makes later ones of what both results open to and gives the primary more than a share that it has drawn beforehand, then
   what it gives it is not part of this view. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection Counting Chains BackwardChains.
From Duoram.core Require Import Parties LabelFacts PrgAdvantage GenerationSimulated ManyGenerations.
From Duoram.paper Require Import IdealPreprocessing LeafLife ItemView PreparedView ItemPrivacy ReadLife LoadedSession.
From Duoram.Generated Require Import All.
#[local] Open Scope Q_scope.

(* An item's own draws, with the inputs of its operation. *)
Definition given {W : Type} (o : item_own (W := W)) (own_inputs : u64 * W) : item_own (W := W) :=
  {| own_word := own_word o; own_dpfs := own_dpfs o; own_address := fst own_inputs; own_value := snd own_inputs;
     own_deltas := own_deltas o |}.

(* What takes draws of its own: a load, a READ or an UPDATE with its item, an item that is never used. *)
Inductive run_kind : Type := loading | reading | updating | idle.

Section Schedule.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Laws : RingLaws W} (all_words : list W).
  Hypothesis all_words_enumerate : enumerates all_words anything.
  Context {P : Type} {P_Prg : prg_Prg P} (prg : P) (party : share_Primary).
  Context (h n : u64) (h_below_64 : (val h < 64)%Z) (size : val n = (2 ^ val h)%Z).
  Hypothesis fits_word : (val n <= 2 ^ Zpos (ring_bits W))%Z.

  (* What a primary receives. *)
  Definition made_received : Type := dpf_received (W := W) * dpf_received (W := W) * dpf_received (W := W).
  Inductive run_received : Type :=
    | load_received (blinded : list W)
    | reading_received (seen : read_received (W := W))
    | updating_received (seen : item_received (W := W))
    | idle_received (made : made_received).

  (* The other's draws: its blinds; rho, which is P2's, and an item's words and roots; or these alone. *)
  Notation item_draw := ((u64 * ((W * W * W) * (W * W * W) * (W * W * W))) * (real_draw * real_draw * real_draw))%type.
  Inductive run_draw : Type :=
    | load_draw (blinds : list W)
    | masked_draw (rho : W) (item : item_draw)
    | bare_draw (item : item_draw).
  Definition item_draws : list item_draw := list_prod (word_space all_words) (three (root_space h)).
  Definition run_space (kind : run_kind) : list run_draw :=
    match kind with
    | loading => map load_draw (tuples (nat_of n) all_words)
    | reading => map (fun '(rho, item) => masked_draw rho item) (list_prod all_words item_draws)
    | updating | idle => map bare_draw item_draws
    end.

  (* The schedule. *)
  Context (count : nat) (kind_of : nat -> run_kind).
  Context {A S : Type} (rest : list (A * S)).
  (* For run j: what the primary has for the item (no inputs); after all draws before it, its shares of i* and M, the other's with the
     state, and the other's share of a memory that is loaded. *)
  Context (own : nat -> A -> item_own (W := W)) (own_inputs : nat -> A * S -> list run_draw -> u64 * W)
    (inputs : nat -> A * S -> list run_draw -> others_inputs (W := W))
    (others_memory : nat -> A * S -> list run_draw -> list W).
  Hypothesis ands_length : forall j a k, length (own_ands (own_dpf_at k (own j a))) = nat_of h.
  Hypothesis state_length : forall j r before,
    len (paper_memory_PrimaryState_memory_share (paper_memory_State_p0 (whole_state (inputs j r before)))) = n.
  Hypothesis memory_length : forall j r before, length (others_memory j r before) = nat_of n.
  Context (test : A * S -> list run_received -> bool).

  (** * What is received, and what the simulator makes *)

  Definition real_received (r : A * S) (j : nat) (before : list run_draw) (d : run_draw) : run_received :=
    let o := given (own j (fst r)) (own_inputs j r before) in
    let i := inputs j r before in
    match d with
    | load_draw blinds => load_received (paper_memory_blinded_share (others_memory j r before) blinds)
    | masked_draw rho (words, roots) =>
        let item := prepared prg party h o words roots in
        reading_received (received_of_read party item (read_run party o i item rho))
    | bare_draw (words, roots) =>
        let item := prepared prg party h o words roots in
        let received := received_of_item party item (updated party o i item) in
        match kind_of j with updating => updating_received received | _ => idle_received (fst received) end
    end.

  Notation key_draw := (list (bool * u128) * list dpf_Correction)%type.
  Notation item_coins := ((key_draw * key_draw * key_draw) * item_hidden W)%type.
  Inductive run_coins : Type :=
    | load_coins (words : list W)
    | masked_coins (gamma : W) (item : item_coins)
    | bare_coins (item : item_coins).
  Definition item_coin_space : list item_coins := list_prod (three (key_space h)) (coin_space all_words).
  Definition run_coin_space (kind : run_kind) : list run_coins :=
    match kind with
    | loading => map load_coins (tuples (nat_of n) all_words)
    | reading => map (fun '(gamma, item) => masked_coins gamma item) (list_prod all_words item_coin_space)
    | updating | idle => map bare_coins item_coin_space
    end.
  Definition simulated_run_view (a : A) (j : nat) (e : run_coins) : run_received :=
    match e with
    | load_coins words => load_received words
    | masked_coins gamma (keys, coins) => reading_received (as_read (simulated_received prg party h n (own j a) keys coins) gamma)
    | bare_coins (keys, coins) =>
        let received := simulated_received prg party h n (own j a) keys coins in
        match kind_of j with updating => updating_received received | _ => idle_received (fst received) end
    end.

  (* All of it, in order. *)
  Definition real_whole : Q :=
    Pr (list_prod rest (draws_from (fun j => run_space (kind_of j)) 0 count))
      (fun '(r, ds) => test r (views_of (real_received r) 0 [] ds)).
  Definition simulated_whole : Q :=
    Pr (list_prod rest (draws_from (fun j => run_coin_space (kind_of j)) 0 count))
      (fun '(r, es) => test r (all_seen (fun j _ => simulated_run_view (fst r) j) 0 [] es)).

  (** * One run among the others *)

  Notation beside := ((A * S) * (list run_draw * list run_coins))%type.
  Definition beside_run (j : nat) : list beside :=
    others_beside rest count (fun j => run_space (kind_of j)) (fun j => run_coin_space (kind_of j)) j.
  Definition test_of_run (j : nat) (z : beside) (v : run_received) : bool :=
    test_beside real_received (fun r j _ => simulated_run_view (fst r) j) test j z v.

  (* The distinguisher for level i of DPF k of run j's item. *)
  Definition run_distinguisher (j k i : nat) : distinguisher :=
    let own_of (z : beside) := given (own j (fst (fst z))) (own_inputs j (fst z) (drawn_before z)) in
    let inputs_of (z : beside) := inputs j (fst z) (drawn_before z) in
    match kind_of j with
    | reading =>
        read_distinguisher all_words prg party h n (beside_run j) own_of inputs_of
          (fun z v => test_of_run j z (reading_received v)) k i
    | updating =>
        item_distinguisher all_words prg party h n (beside_run j) own_of inputs_of
          (fun z v => test_of_run j z (updating_received v)) k i
    | _ =>
        item_distinguisher all_words prg party h n (beside_run j) own_of inputs_of
          (fun z v => test_of_run j z (idle_received (fst v))) k i
    end.

  (* A load costs nothing. *)
  Definition run_price (j : nat) : Q :=
    match kind_of j with
    | loading => 0
    | _ => sum_below 3 (fun k => sum_below (nat_of h) (fun i => Adv prg (run_distinguisher j k i)))
    end.

  Lemma Pr_of_item {Z X Y D : Type} (zs : list Z) (xs : list X) (ys : list Y) (wrap : X * Y -> D)
    (event : Z * D -> bool) (event' : Z * X * Y -> bool) :
    (forall z x y, event (z, wrap (x, y)) = event' (z, x, y)) ->
    Pr (list_prod zs (map wrap (list_prod xs ys))) event == Pr (list_prod (list_prod zs xs) ys) event'.
  Proof.
    intros e. rewrite !Pr_mean, !mean_prod. apply mean_ext. intros z _. rewrite mean_map, mean_prod.
    apply mean_ext. intros x _. apply mean_ext. intros y _. rewrite e. reflexivity.
  Qed.
  Lemma Pr_of_masked {Z M X Y D : Type} (zs : list Z) (ms : list M) (xs : list X) (ys : list Y) (wrap : M * (X * Y) -> D)
    (event : Z * D -> bool) (event' : Z * M * X * Y -> bool) :
    (forall z m x y, event (z, wrap (m, (x, y))) = event' (z, m, x, y)) ->
    Pr (list_prod zs (map wrap (list_prod ms (list_prod xs ys)))) event == Pr (list_prod (list_prod (list_prod zs ms) xs) ys) event'.
  Proof.
    intros e. rewrite !Pr_mean, !mean_prod. apply mean_ext. intros z _. rewrite mean_map, mean_prod.
    apply mean_ext. intros m _. rewrite mean_prod. apply mean_ext. intros x _. apply mean_ext. intros y _. rewrite e. reflexivity.
  Qed.

  Theorem whole_schedule_simulated : Qabs (real_whole - simulated_whole) <= sum_below count run_price.
  Proof.
    apply (runs_replaced rest count (fun j => run_space (kind_of j)) real_received (fun j => run_coin_space (kind_of j))
      (fun r j _ => simulated_run_view (fst r) j) test).
    intros j hj. fold (beside_run j). fold (test_of_run j).
    pose (own_of (z : beside) := given (own j (fst (fst z))) (own_inputs j (fst z) (drawn_before z))).
    pose (inputs_of (z : beside) := inputs j (fst z) (drawn_before z)).
    unfold run_price, run_distinguisher. fold own_of inputs_of. destruct (kind_of j) eqn:kind; cbn [run_space run_coin_space].
    - apply Qle_lteq. right.
      setoid_replace (Pr (list_prod (beside_run j) (map load_draw (tuples (nat_of n) all_words)))
          (fun '(z, d) => test_of_run j z (real_received (fst z) j (drawn_before z) d)))
        with (Pr (list_prod (beside_run j) (map load_coins (tuples (nat_of n) all_words)))
          (fun '(z, e) => test_of_run j z (simulated_run_view (fst (fst z)) j e))).
      + unfold Qminus. rewrite Qplus_opp_r. reflexivity.
      + rewrite !Pr_mean, !mean_prod. apply mean_ext. intros z _. rewrite !mean_map. cbn [real_received simulated_run_view].
        rewrite <- (memory_length j (fst z) (drawn_before z)).
        apply (mean_blinded_share all_words all_words_enumerate (others_memory j (fst z) (drawn_before z))
          (fun words => indicator (test_of_run j z (load_received words)))).
    - eapply Qle_trans; [|apply (read_life_simulated all_words all_words_enumerate prg party h n h_below_64 size fits_word
        (beside_run j) own_of inputs_of) with (test := fun z v => test_of_run j z (reading_received v))];
        [|intros k z; apply (ands_length j (fst (fst z)) k) | intros; apply state_length].
      apply Qle_lteq. right. apply Qabs_wd. unfold Qminus. apply Qplus_comp; [|apply Qopp_comp].
      + apply Pr_of_masked. reflexivity.
      + apply Pr_of_masked. reflexivity.
    - eapply Qle_trans; [|apply (item_life_simulated all_words all_words_enumerate prg party h n h_below_64 size fits_word
        (beside_run j) own_of inputs_of) with (test := fun z v => test_of_run j z (updating_received v))];
        [|intros k z; apply (ands_length j (fst (fst z)) k) | intros; apply state_length].
      apply Qle_lteq. right. apply Qabs_wd. unfold Qminus. apply Qplus_comp; [|apply Qopp_comp].
      + apply Pr_of_item. intros z x y. cbn [real_received]. rewrite kind. reflexivity.
      + apply Pr_of_item. intros z x y. cbn [simulated_run_view]. rewrite kind. reflexivity.
    - eapply Qle_trans; [|apply (item_life_simulated all_words all_words_enumerate prg party h n h_below_64 size fits_word
        (beside_run j) own_of inputs_of) with (test := fun z v => test_of_run j z (idle_received (fst v)))];
        [|intros k z; apply (ands_length j (fst (fst z)) k) | intros; apply state_length].
      apply Qle_lteq. right. apply Qabs_wd. unfold Qminus. apply Qplus_comp; [|apply Qopp_comp].
      + apply Pr_of_item. intros z x y. cbn [real_received]. rewrite kind. reflexivity.
      + apply Pr_of_item. intros z x y. cbn [simulated_run_view]. rewrite kind. reflexivity.
  Qed.
End Schedule.

(* For the words of the implementation. *)
Definition whole_schedule_simulated_u64 {P : Type} {P_Prg : prg_Prg P} (prg : P) :=
  whole_schedule_simulated (W := u64) (words 64) (words_enumerate 64) prg.
