(* Privacy of a whole lean schedule towards each of the three parties, as paper/WholeView.v has it for the paper's protocol: READs, UPDATEs, WRITEs and
   SWAPs each with an item of its own, items that nothing uses, and the load. All views of one party together are within the sum of the items'
   prices of what a simulator makes of what the party has of the items and of fresh draws. The simulator is told no input, not even the party's own.

   Against ManyItems.v: what is asked, the party's own part of it and the state are any function of all secrets and of ALL that was drawn before, by
   whomever and whether the party saw it or not; so nothing is to be known of how later inputs depend on earlier results. The hybrid goes from the
   last run to the first for that (BackwardChains.v). And the load stands in the schedule, its mask drawn as the others' words are. It is drawn anew
   for each load of a schedule here; in a session there is one, whose mask is the beginning of stream 0.

   The three parties are one proof ([schedule_replaced]), of what ItemLife.v, ItemLifeOfP1.v and ItemLifeOfP2.v say of one item. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection Counting Chains BackwardChains.
From Duoram.core Require Import Parties PrgAdvantage.
From Duoram.lean Require Import Generation LayeredPath PreparingView CorrectionsUniform PreparingItems KeysToP2 OperationView ItemLife ItemLifeOfP1
  ItemLifeOfP2 LoadedSession.
From Duoram.Generated Require Import All.
#[local] Open Scope Q_scope.

(* The load; an operation with its item; an item made for such an operation, that nothing uses. *)
Inductive lean_run : Type := lean_loading | lean_using (op : lean_op) | lean_idle (op : lean_op).

(** * For any party *)

Section Schedule.
  (* What the party has for an item, and of its operation; the others' inputs with the state; what is drawn that it does not know; what it sees;
     the simulator's coins. *)
  Context {Own Mine Inputs Draw Seen Made Coins : Type} (given : Own -> Mine -> Own) (made_part : Seen -> Made).
  Context (space : lean_op -> list Draw) (coins : lean_op -> list Coins).
  Context (view : lean_op -> Own -> Inputs -> Draw -> Seen) (simulated : lean_op -> Own -> Coins -> Seen).
  Hypothesis simulated_of_given : forall op o mine c, simulated op (given o mine) c = simulated op o c.
  (* One item's life, with its price, beside anything else. *)
  Context (fit : lean_op -> Own -> Prop).
  Hypothesis given_fits : forall op o mine, fit op o -> fit op (given o mine).
  Context (price : forall (op : lean_op) (Z : Type), list Z -> (Z -> Own) -> (Z -> Inputs) -> (Z -> Seen -> bool) -> Q).
  Hypothesis life_simulated : forall op (Z : Type) (zs : list Z) (own : Z -> Own) (inputs : Z -> Inputs) (test : Z -> Seen -> bool),
    (forall z, fit op (own z)) ->
    Qabs (Pr (list_prod zs (space op)) (fun '(z, d) => test z (view op (own z) (inputs z) d))
          - Pr (list_prod zs (coins op)) (fun '(z, c) => test z (simulated op (own z) c))) <= price op Z zs own inputs test.
  (* What is sent of a load, of a share of the memory and a mask. *)
  Context {Load : Type} (n : nat) (load_view : list W -> list W -> Load) (load_coins : list Load).
  Hypothesis load_simulated : forall share (f : Load -> Q), length share = n ->
    mean (tuples n xor_words) (fun mask => f (load_view share mask)) == mean load_coins f.

  Inductive run_draw : Type := load_draw (mask : list W) | item_draw (draw : Draw).
  Inductive run_seen : Type := load_seen (sent : Load) | op_seen (seen : Seen) | idle_seen (made : Made).
  Inductive run_coins : Type := load_coin (sent : Load) | item_coins (c : Coins).

  (* The schedule; for run j: what the party has for the item, and after all draws before it, its part of the operation, the others' with the
     state, and the share of a memory that is loaded. *)
  Context (count : nat) (kind_of : nat -> lean_run) {A S : Type} (rest : list (A * S)).
  Context (own : nat -> A -> Own) (mine : nat -> A * S -> list run_draw -> Mine) (inputs : nat -> A * S -> list run_draw -> Inputs)
    (loaded_share : nat -> A * S -> list run_draw -> list W).
  Hypothesis own_fits : forall j a op, kind_of j = lean_using op \/ kind_of j = lean_idle op -> fit op (own j a).
  Hypothesis share_sized : forall j r before, length (loaded_share j r before) = n.
  Context (test : A * S -> list run_seen -> bool).

  Definition run_space (kind : lean_run) : list run_draw :=
    match kind with lean_loading => map load_draw (tuples n xor_words) | lean_using op | lean_idle op => map item_draw (space op) end.
  Definition coin_spaces (kind : lean_run) : list run_coins :=
    match kind with lean_loading => map load_coin load_coins | lean_using op | lean_idle op => map item_coins (coins op) end.
  Definition wrap (kind : lean_run) (seen : Seen) : run_seen :=
    match kind with lean_idle _ => idle_seen (made_part seen) | _ => op_seen seen end.
  Definition op_of (kind : lean_run) : lean_op := match kind with lean_using op | lean_idle op => op | lean_loading => op_read end.
  Definition real_seen (r : A * S) (j : nat) (before : list run_draw) (d : run_draw) : run_seen :=
    match d with
    | load_draw mask => load_seen (load_view (loaded_share j r before) mask)
    | item_draw d => wrap (kind_of j) (view (op_of (kind_of j)) (given (own j (fst r)) (mine j r before)) (inputs j r before) d)
    end.
  Definition simulated_seen (a : A) (j : nat) (c : run_coins) : run_seen :=
    match c with load_coin sent => load_seen sent | item_coins c => wrap (kind_of j) (simulated (op_of (kind_of j)) (own j a) c) end.

  Definition real_schedule : Q :=
    Pr (list_prod rest (draws_from (fun j => run_space (kind_of j)) 0 count)) (fun '(r, ds) => test r (views_of (real_seen r) 0 [] ds)).
  Definition simulated_schedule : Q :=
    Pr (list_prod rest (draws_from (fun j => coin_spaces (kind_of j)) 0 count))
      (fun '(r, cs) => test r (all_seen (fun j _ => simulated_seen (fst r) j) 0 [] cs)).

  Notation beside := ((A * S) * (list run_draw * list run_coins))%type.
  Definition beside_run (j : nat) : list beside :=
    others_beside rest count (fun j => run_space (kind_of j)) (fun j => coin_spaces (kind_of j)) j.
  Definition run_price (j : nat) : Q :=
    let op := op_of (kind_of j) in
    match kind_of j with
    | lean_loading => 0
    | _ => price op beside (beside_run j) (fun z => given (own j (fst (fst z))) (mine j (fst z) (drawn_before z)))
             (fun z => inputs j (fst z) (drawn_before z))
             (fun z seen => test_beside real_seen (fun r j _ => simulated_seen (fst r) j) test j z (wrap (kind_of j) seen))
    end.

  Theorem schedule_replaced : Qabs (real_schedule - simulated_schedule) <= sum_below count run_price.
  Proof.
    apply (runs_replaced rest count (fun j => run_space (kind_of j)) real_seen (fun j => coin_spaces (kind_of j))
      (fun r j _ => simulated_seen (fst r) j) test).
    intros j hj. fold (beside_run j). unfold run_price.
    assert (item : forall op, kind_of j = lean_using op \/ kind_of j = lean_idle op ->
      Qabs (Pr (list_prod (beside_run j) (map item_draw (space op)))
              (fun '(z, d) => test_beside real_seen (fun r j _ => simulated_seen (fst r) j) test j z (real_seen (fst z) j (drawn_before z) d))
            - Pr (list_prod (beside_run j) (map item_coins (coins op)))
              (fun '(z, c) => test_beside real_seen (fun r j _ => simulated_seen (fst r) j) test j z (simulated_seen (fst (fst z)) j c)))
      <= price op beside (beside_run j) (fun z => given (own j (fst (fst z))) (mine j (fst z) (drawn_before z)))
           (fun z => inputs j (fst z) (drawn_before z))
           (fun z seen => test_beside real_seen (fun r j _ => simulated_seen (fst r) j) test j z (wrap (kind_of j) seen))).
    { intros op kind. eapply Qle_trans; [|apply life_simulated; intros z; apply given_fits, own_fits, kind].
      assert (is_op : op_of (kind_of j) = op) by (destruct kind as [-> | ->]; reflexivity).
      apply Qle_lteq. right. apply Qabs_wd. unfold Qminus. apply Qplus_comp; [|apply Qopp_comp]; rewrite !Pr_mean, !mean_prod; apply mean_ext; intros z _;
        rewrite mean_map; apply mean_ext; intros x _; cbn [real_seen simulated_seen]; rewrite is_op, ?simulated_of_given; reflexivity. }
    destruct (kind_of j) as [|op|op] eqn:kind; cbn [run_space coin_spaces op_of]; [|apply item; left; reflexivity | apply item; right; reflexivity].
    clear item. apply Qle_lteq. right.
    match goal with |- Qabs (?a - ?b) == 0 => setoid_replace a with b; [unfold Qminus; rewrite Qplus_opp_r; reflexivity|] end.
    rewrite !Pr_mean, !mean_prod. apply mean_ext. intros z _. rewrite !mean_map. cbn [real_seen simulated_seen].
    exact (load_simulated (loaded_share j (fst z) (drawn_before z))
      (fun sent => indicator (test_beside real_seen (fun r j _ => simulated_seen (fst r) j) test j z (load_seen sent))) (share_sized j (fst z) (drawn_before z))).
  Qed.
End Schedule.

(** * For each party *)

Section Parties.
  Context {P : Type} {P_Prg : prg_Prg P} {P_Layers : lean_layers_Layers P} (prg : P).
  Context (h : u64) (h_small : (val h < 64)%Z).
  Context (m : u64). (* the words of the memory *)
  Notation levels_of op := (Datatypes.S (tree_level h (purpose_of op))).
  Notation tweaks_of op := (tweaks h (purpose_of op)).
  Context (count : nat) (kind_of : nat -> lean_run) {A S : Type} (rest : list (A * S)).

  (** ** P0 *)

  Section P0.
    Definition given_0 (o : life_own) (mine : op_own) : life_own :=
      {| life_a := life_a o; life_b := life_b o; life_stream_01 := life_stream_01 o; life_op := mine |}.
    Definition price_0 (op : lean_op) (Z : Type) (zs : list Z) (own : Z -> life_own) (inputs : Z -> op_inputs) (test : Z -> life_seen -> bool) : Q :=
      sum_below 2 (fun i => sum_below (levels_of op) (fun k => node_Adv prg (tweaks_of op k) (life_distinguisher prg h op zs own inputs test i k))).

    (* What P0 has for an item; its inputs and words of the operation; P1's inputs with the state; P1's share of the memory, of which P0 is sent D_1 - B. *)
    Notation draw := (run_draw (Draw := (u64 * W * W) * (dpf_draw W * dpf_draw W))).
    Notation seen := (run_seen (Seen := life_seen) (Made := dpf_received (W := W) * lean_layers_LayeredKey W * (dpf_received (W := W) * lean_layers_LayeredKey W) * W) (Load := list W)).
    Context (own : nat -> A -> life_own) (mine : nat -> A * S -> list draw -> op_own) (inputs : nat -> A * S -> list draw -> op_inputs)
      (share_1 : nat -> A * S -> list draw -> list W).
    Hypothesis own_fits : forall j a op, kind_of j = lean_using op \/ kind_of j = lean_idle op -> life_sized h op (own j a).
    Hypothesis share_sized : forall j r before, length (share_1 j r before) = nat_of m.
    Context (test : A * S -> list seen -> bool).

    Definition real_schedule_of_0 : Q :=
      real_schedule given_0 fst (life_space h) (life_view prg h) (nat_of m) lean_memory_masked_share count kind_of rest own mine inputs share_1 test.
    Definition simulated_schedule_of_0 : Q :=
      simulated_schedule fst (life_coin_space h) (simulated_view prg h) (tuples (nat_of m) xor_words) count kind_of rest own test.
    Definition run_price_of_0 : nat -> Q :=
      run_price given_0 fst (life_space h) (life_coin_space h) (life_view prg h) (simulated_view prg h) price_0 (nat_of m) lean_memory_masked_share
        (tuples (nat_of m) xor_words) count kind_of rest own mine inputs share_1 test.

    Theorem lean_whole_schedule_simulated_to_P0 : Qabs (real_schedule_of_0 - simulated_schedule_of_0) <= sum_below count run_price_of_0.
    Proof.
      apply (schedule_replaced given_0 fst (life_space h) (life_coin_space h) (life_view prg h) (simulated_view prg h))
        with (fit := life_sized h); try assumption.
      - reflexivity.
      - intros op o mine' [fa fb e]. constructor; assumption.
      - intros op Z zs own' inputs' test' fits. exact (lean_item_life_of_P0_simulated prg h h_small op zs own' inputs' fits test').
      - intros share f <-. apply mean_masked_share.
    Qed.
  End P0.

  (** ** P1: nothing is sent to it of a load *)

  Section P1.
    Definition given_1 (o : life_own_1) (mine : op_own) : life_own_1 :=
      {| life_1_a := life_1_a o; life_1_b := life_1_b o; life_1_stream_01 := life_1_stream_01 o; life_1_op := mine |}.
    Definition price_1 (op : lean_op) (Z : Type) (zs : list Z) (own : Z -> life_own_1) (inputs : Z -> op_inputs) (test : Z -> life_seen_1 -> bool) : Q :=
      sum_below 2 (fun i => sum_below (levels_of op) (fun k => node_Adv prg (tweaks_of op k) (life_distinguisher_1 prg h op zs own inputs test i k))).

    Notation dealt_draw := ((list (bool * u128) * u64 * W) * (W * list u128 * u128 * list W) * u128)%type.
    Notation draw := (run_draw (Draw := (u64 * W * W) * (dealt_draw * dealt_draw))).
    Notation dealt_seen := (lean_dealing_Deal W * (dpf_received (W := W) * lean_layers_LayeredKey W))%type.
    Notation seen := (run_seen (Seen := life_seen_1) (Made := dealt_seen * dealt_seen) (Load := unit)).
    Context (own : nat -> A -> life_own_1) (mine : nat -> A * S -> list draw -> op_own) (inputs : nat -> A * S -> list draw -> op_inputs)
      (share : nat -> A * S -> list draw -> list W).
    Hypothesis own_fits : forall j a op, kind_of j = lean_using op \/ kind_of j = lean_idle op -> life_sized_1 h op (own j a).
    Hypothesis share_sized : forall j r before, length (share j r before) = nat_of m.
    Context (test : A * S -> list seen -> bool).

    Definition real_schedule_of_1 : Q :=
      real_schedule given_1 fst (life_space_1 h) (life_view_1 prg h) (nat_of m) (fun _ _ => tt) count kind_of rest own mine inputs share test.
    Definition simulated_schedule_of_1 : Q :=
      simulated_schedule fst (life_coin_space_1 h) (simulated_view_1 prg h) [tt] count kind_of rest own test.
    Definition run_price_of_1 : nat -> Q :=
      run_price given_1 fst (life_space_1 h) (life_coin_space_1 h) (life_view_1 prg h) (simulated_view_1 prg h) price_1 (nat_of m) (fun _ _ => tt) [tt]
        count kind_of rest own mine inputs share test.

    Theorem lean_whole_schedule_simulated_to_P1 : Qabs (real_schedule_of_1 - simulated_schedule_of_1) <= sum_below count run_price_of_1.
    Proof.
      apply (schedule_replaced given_1 fst (life_space_1 h) (life_coin_space_1 h) (life_view_1 prg h) (simulated_view_1 prg h))
        with (fit := life_sized_1 h); try assumption.
      - reflexivity.
      - intros op o mine' [fa fb e]. constructor; assumption.
      - intros op Z zs own' inputs' test' fits. exact (lean_item_life_of_P1_simulated prg h h_small op zs own' inputs' fits test').
      - intros words f _. rewrite mean_singleton. apply mean_const.
        apply (space_not_empty _ _ (repeat (ring_Ring_zero W) (nat_of m)) (tuples_enumerate _ _ xor_words_enumerate)). apply repeat_length.
    Qed.
  End P1.

  (** ** P2 *)

  Section P2.
    Definition price_2 (op : lean_op) (Z : Type) (zs : list Z) (own : Z -> life_own_2) (inputs : Z -> op_secrets) (test : Z -> life_seen_2 -> bool) : Q :=
      sum_below (levels_of op) (fun k => node_Adv prg (tweaks_of op k) (life_distinguisher_a prg h op zs own inputs test k))
      + sum_below (levels_of op) (fun k => node_Adv prg (tweaks_of op k) (life_distinguisher_b prg h op zs own inputs test k)).

    (* With the root of either DPF that P2 is not sent. *)
    Notation stream_draw := (u64 * u64 * u64 * u64 * u64)%type.
    Notation draw := (run_draw (Draw := ((u64 * u64) * stream_draw) * (u128 * u128))).
    Notation seen := (run_seen (Seen := life_seen_2) (Made := lean_layers_LayeredKey W * lean_layers_LayeredKey W * (W * W)) (Load := list W)).
    Definition space_of_P2 (_ : lean_op) : list (((u64 * u64) * stream_draw) * (u128 * u128)) := list_prod life_space_2 (list_prod labels labels).
    Definition view_of_P2 (op : lean_op) (o : life_own_2) (i : op_secrets) (d : ((u64 * u64) * stream_draw) * (u128 * u128)) : life_seen_2 :=
      life_view_2 prg h op o i (fst d) (fst (snd d)) (snd (snd d)).
    (* What P2 dealt and keeps of an item; all else with the state; P0's share of the memory, of which P2 is sent D_0 + x. *)
    Context (own : nat -> A -> life_own_2) (inputs : nat -> A * S -> list draw -> op_secrets) (share_0 : nat -> A * S -> list draw -> list W).
    Hypothesis own_fits : forall j a op, kind_of j = lean_using op \/ kind_of j = lean_idle op -> life_sized_2 h op (own j a).
    Hypothesis share_sized : forall j r before, length (share_0 j r before) = nat_of m.
    Context (test : A * S -> list seen -> bool).

    Definition given_2 (o : life_own_2) (_ : unit) : life_own_2 := o.
    Definition real_schedule_of_2 : Q :=
      real_schedule given_2 fst space_of_P2 view_of_P2 (nat_of m) lean_memory_loaded_alpha_0 count kind_of rest own (fun _ _ _ => tt) inputs share_0 test.
    Definition simulated_schedule_of_2 : Q :=
      simulated_schedule fst (life_coin_space_2 h) (simulated_view_2 h) (tuples (nat_of m) xor_words) count kind_of rest own test.
    Definition run_price_of_2 : nat -> Q :=
      run_price given_2 fst space_of_P2 (life_coin_space_2 h) view_of_P2 (simulated_view_2 h) price_2 (nat_of m) lean_memory_loaded_alpha_0
        (tuples (nat_of m) xor_words) count kind_of rest own (fun _ _ _ => tt) inputs share_0 test.

    Theorem lean_whole_schedule_simulated_to_P2 : Qabs (real_schedule_of_2 - simulated_schedule_of_2) <= sum_below count run_price_of_2.
    Proof.
      apply (schedule_replaced given_2 fst space_of_P2 (life_coin_space_2 h) view_of_P2 (simulated_view_2 h))
        with (fit := life_sized_2 h); try assumption.
      - reflexivity.
      - intros op o mine' f. exact f.
      - intros op Z zs own' inputs' test' fits.
        eapply Qle_trans; [|exact (lean_item_life_of_P2_simulated prg h h_small op zs own' inputs' fits test')].
        apply Qle_lteq. right. apply Qabs_wd. unfold Qminus. apply Qplus_comp; [|reflexivity].
        unfold real_life_2, space_of_P2. rewrite !Pr_mean, !(mean_prod (list_prod (list_prod zs _) _)), !(mean_prod (list_prod zs _)), !(mean_prod zs).
        apply mean_ext. intros z _. rewrite (mean_prod life_space_2). apply mean_ext. intros d _. rewrite (mean_prod labels). reflexivity.
      - intros share f <-. apply mean_loaded_alpha.
    Qed.
  End P2.
End Parties.
