(* Privacy of a whole schedule of two parties, towards either of them: READs and UPDATEs, each with an item of its own, in any order, and items that nothing
   uses; a WRITE or SWAP is a READ and an UPDATE, whose value hangs on what the READ yields. All that the party receives from the other is within
   the sum of the items' prices of what a simulator makes of the party's own draws and of fresh ones: h advantages against the PRG for an UPDATE
   item (UpdateItem.v), h against the PRF for a READ with the plain PIR (ReadItem.v), nothing for a READ item that is not used. The simulator is told no
   secret, and no input: what the party receives does not even hang on its own inputs. A load sends nothing.

   Both parties' inputs and memories are any function of all secrets and of ALL that was drawn before the operation, by whomever and whether
   the party saw it or not ([read_given], [query_given]). So nothing is to be known of how later inputs depend on earlier results, nor how
   UPDATEs change the memories: a dependent READ, and the UPDATE of a WRITE, are instances. The hybrid goes from the last run to the first
   for that (BackwardChains.v).

   [A] is what the party draws, [S] all else. What it draws for an item is a function of [A] alone. The test sees [A * S] and what is received. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection Counting Chains BackwardChains.
From Duoram.core Require Import Parties LabelFacts LemmasFacts PrgAdvantage GenerationSimulated.
From Duoram.two_party Require Import OtGeneration LeafLife UpdateItem MaskedTable ReadItem.
From Duoram.Generated Require Import All.
#[local] Open Scope Q_scope.

(* What takes draws of its own: a READ or an UPDATE with its item, an item of either kind that is never used. *)
Inductive run_kind : Type := reading | updating | idle_read | idle_update.

Section Schedule.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Laws : RingLaws W} (all_words : list W).
  Hypothesis all_words_enumerate : enumerates all_words anything.
  Context {P : Type} {P_Prg : prg_Prg P} (prg : P) {F : Type} {F_Prf : two_party_masks_Prf F} (prf : F) (party : share_Primary).
  Context (h n : u64) (h_small : (val h < 64)%Z) (size : val n = (2 ^ val h)%Z).
  Hypothesis fits_word : (val n <= 2 ^ Zpos (ring_bits W))%Z.

  (* What the party receives: of items that are not used, the blocks of the OTs and what making them sends. *)
  Inductive run_received : Type :=
    | reading_received (seen : read_received (list W))
    | updating_received (seen : update_received (W := W))
    | idle_read_received (keys : list u128)
    | idle_update_received (blocks : list u128) (messages : list (distributed_gen_Operands * u128)) (sum : W).
  Definition only_made (seen : update_received (W := W)) : run_received :=
    idle_update_received (fst (fst seen)) (snd (fst seen)) (fst (snd seen)).
  Definition only_keys (seen : read_received (list W)) : run_received := idle_read_received (fst (fst seen)).

  (* The other's draws. *)
  Inductive run_draw : Type :=
    | read_draws (draw : u64 * (list (u128 * u128) * W))
    | update_draws (draw : u64 * (list (bool * (u128 * u128)) * u128)).
  Definition run_space (kind : run_kind) : list run_draw :=
    match kind with
    | reading | idle_read => map read_draws (read_space all_words h)
    | updating | idle_update => map update_draws (update_space h)
    end.

  (* The simulator's. *)
  Inductive run_coins : Type :=
    | read_coins (coins : list u128 * u64 * list W)
    | update_coins (coins : list u128 * (list (bool * u128) * list dpf_Correction) * leaf_hidden).
  Definition run_coin_space (kind : run_kind) : list run_coins :=
    match kind with
    | reading | idle_read => map read_coins (read_coin_space all_words h n)
    | updating | idle_update => map update_coins (update_coin_space h)
    end.

  (* The schedule. *)
  Context (count : nat) (kind_of : nat -> run_kind).
  Context {A S : Type} (rest : list (A * S)).
  (* For run j: of what the party draws, its query index, or what it draws for an UPDATE item; after all draws before it, what the READ is of,
     and the other's shares of the query. *)
  Context (own_index : nat -> A -> u64) (own : nat -> A -> update_own)
    (read_given : nat -> A * S -> list run_draw -> read_inputs W) (query_given : nat -> A * S -> list run_draw -> others_query W).
  Hypothesis index_below : forall j a, (val (own_index j a) < val n)%Z.
  Hypothesis pairs_length : forall j a, length (own_pairs (own j a)) = nat_of h.
  Hypothesis memory_sized : forall j r before, sized n (others_memory (read_given j r before)).
  Context (test : A * S -> list run_received -> bool).

  (** * What is received, and what the simulator makes *)

  Definition real_received (r : A * S) (j : nat) (before : list run_draw) (d : run_draw) : run_received :=
    match d with
    | read_draws draw =>
        let seen := received_in_read prf h n (own_index j (fst r)) (read_given j r before) draw in
        match kind_of j with reading => reading_received seen | _ => only_keys seen end
    | update_draws draw =>
        let seen := received_in_update prg party h (own j (fst r)) (query_given j r before) draw in
        match kind_of j with updating => updating_received seen | _ => only_made seen end
    end.
  Definition simulated_run_view (a : A) (j : nat) (c : run_coins) : run_received :=
    match c with
    | read_coins coins =>
        let seen := simulated_read n coins in
        match kind_of j with reading => reading_received seen | _ => only_keys seen end
    | update_coins coins =>
        let seen := simulated_update prg party h n (own j a) coins in
        match kind_of j with updating => updating_received seen | _ => only_made seen end
    end.

  (* All of it, in order. *)
  Definition real_schedule : Q :=
    Pr (list_prod rest (draws_from (fun j => run_space (kind_of j)) 0 count))
      (fun '(r, ds) => test r (views_of (real_received r) 0 [] ds)).
  Definition simulated_schedule : Q :=
    Pr (list_prod rest (draws_from (fun j => run_coin_space (kind_of j)) 0 count))
      (fun '(r, es) => test r (all_seen (fun j _ => simulated_run_view (fst r) j) 0 [] es)).

  (** * One run among the others *)

  Notation beside := ((A * S) * (list run_draw * list run_coins))%type.
  Definition beside_run (j : nat) : list beside :=
    others_beside rest count (fun j => run_space (kind_of j)) (fun j => run_coin_space (kind_of j)) j.
  Definition test_of_run (j : nat) (z : beside) (v : run_received) : bool :=
    test_beside real_received (fun r j _ => simulated_run_view (fst r) j) test j z v.

  (* The distinguishers of run j: for level i of its DPF, for the key i that a masked table's reader lacks. *)
  Definition run_distinguisher (j i : nat) : distinguisher :=
    update_distinguisher prg party h n (beside_run j) (fun z => own j (fst (fst z)))
      (fun z => query_given j (fst z) (drawn_before z))
      (fun z seen => test_of_run j z (match kind_of j with updating => updating_received seen | _ => only_made seen end)) i.
  Definition run_prf_distinguisher (j i : nat) : prf_distinguisher W :=
    read_distinguisher all_words prf h n (beside_run j) (fun z => own_index j (fst (fst z)))
      (fun z => read_given j (fst z) (drawn_before z)) (fun z seen => test_of_run j z (reading_received seen)) i.
  Definition run_price (j : nat) : Q :=
    match kind_of j with
    | reading => sum_below (nat_of h) (fun i => Prf_Adv all_words prf n (run_prf_distinguisher j i))
    | idle_read => 0
    | updating | idle_update => sum_below (nat_of h) (fun i => Adv prg (run_distinguisher j i))
    end.

  Lemma Pr_of_run {Z D E : Type} (zs : list Z) (ds : list D) (wrap : D -> E) (event : Z * E -> bool) (event' : Z * D -> bool) :
    (forall z d, event (z, wrap d) = event' (z, d)) ->
    Pr (list_prod zs (map wrap ds)) event == Pr (list_prod zs ds) event'.
  Proof.
    intros e. rewrite !Pr_mean, !mean_prod. apply mean_ext. intros z _. rewrite mean_map.
    apply mean_ext. intros d _. rewrite e. reflexivity.
  Qed.

  (* The keys that the OTs of a READ item yield are uniform, whatever they are asked for. *)
  Lemma idle_read_exact (j : nat) : kind_of j = idle_read ->
    Pr (list_prod (beside_run j) (map read_draws (read_space all_words h)))
      (fun '(z, d) => test_of_run j z (real_received (fst z) j (drawn_before z) d))
    == Pr (list_prod (beside_run j) (map read_coins (read_coin_space all_words h n)))
      (fun '(z, e) => test_of_run j z (simulated_run_view (fst (fst z)) j e)).
  Proof.
    intros kind.
    rewrite (Pr_of_run (beside_run j) _ read_draws _ (fun '(z, d) =>
      test_of_run j z (only_keys (received_in_read prf h n (own_index j (fst (fst z))) (read_given j (fst z) (drawn_before z)) d)))).
    2: { intros z d. cbn [real_received]. rewrite kind. reflexivity. }
    rewrite (Pr_of_run (beside_run j) _ read_coins _ (fun '(z, e) => test_of_run j z (only_keys (simulated_read n e)))).
    2: { intros z d. cbn [simulated_run_view]. rewrite kind. reflexivity. }
    pose proof (two_party_ideal_read_life_simulated all_words all_words_enumerate prf h n h_small size (beside_run j)
      (fun z => own_index j (fst (fst z))) (fun z => read_given j (fst z) (drawn_before z))
      (fun z => index_below j (fst (fst z))) (fun z => memory_sized j (fst z) (drawn_before z))
      (fun z seen => test_of_run j z (idle_read_received (fst (fst seen))))) as e.
    transitivity (real_ideal_read all_words prf h n (beside_run j)
      (fun z => own_index j (fst (fst z))) (fun z => read_given j (fst z) (drawn_before z))
      (fun z seen => test_of_run j z (idle_read_received (fst (fst seen))))); [reflexivity|].
    rewrite e. unfold simulated_ideal_read, ideal_coin_space, read_coin_space.
    rewrite !Pr_mean, !(mean_prod (beside_run j)). apply mean_ext. intros z _. rewrite !(mean_prod (list_prod _ _)).
    apply mean_ext. intros [keys word] _. cbn [fst].
    pose (q := indicator (test_of_run j z (idle_read_received keys))).
    transitivity q.
    - apply (mean_const all_words q). exact (words_not_none all_words all_words_enumerate).
    - symmetry. apply (mean_const (tuples (nat_of n) all_words) q).
      pose proof (tuples_enumerate (nat_of n) all_words all_words_enumerate) as all.
      exact (space_not_empty _ _ (repeat (ring_Ring_zero W) (nat_of n)) all (repeat_length _ _)).
  Qed.

  Theorem two_party_schedule_simulated : Qabs (real_schedule - simulated_schedule) <= sum_below count run_price.
  Proof.
    apply (runs_replaced rest count (fun j => run_space (kind_of j)) real_received (fun j => run_coin_space (kind_of j))
      (fun r j _ => simulated_run_view (fst r) j) test).
    intros j hj. fold (beside_run j). fold (test_of_run j).
    unfold run_price. destruct (kind_of j) eqn:kind; cbn [run_space run_coin_space].
    - eapply Qle_trans; [|exact (two_party_read_life_simulated all_words all_words_enumerate prf h n h_small size (beside_run j)
        (fun z => own_index j (fst (fst z))) (fun z => read_given j (fst z) (drawn_before z))
        (fun z => index_below j (fst (fst z))) (fun z => memory_sized j (fst z) (drawn_before z))
        (fun z seen => test_of_run j z (reading_received seen)))].
      apply Qle_lteq. right. apply Qabs_wd. unfold Qminus. apply Qplus_comp; [|apply Qopp_comp].
      + apply Pr_of_run. intros z d. cbn [real_received]. rewrite kind. reflexivity.
      + apply Pr_of_run. intros z d. cbn [simulated_run_view]. rewrite kind. reflexivity.
    - unfold run_distinguisher. rewrite kind.
      eapply Qle_trans; [|exact (two_party_update_life_simulated prg party h n h_small size fits_word (beside_run j)
        (fun z => own j (fst (fst z))) (fun z => query_given j (fst z) (drawn_before z)) (fun z => pairs_length j (fst (fst z)))
        (fun z seen => test_of_run j z (updating_received seen)))].
      apply Qle_lteq. right. apply Qabs_wd. unfold Qminus. apply Qplus_comp; [|apply Qopp_comp].
      + apply Pr_of_run. intros z d. cbn [real_received]. rewrite kind. reflexivity.
      + apply Pr_of_run. intros z d. cbn [simulated_run_view]. rewrite kind. reflexivity.
    - rewrite (idle_read_exact j kind). unfold Qminus. rewrite Qplus_opp_r. apply Qle_refl.
    - unfold run_distinguisher. rewrite kind.
      eapply Qle_trans; [|exact (two_party_update_life_simulated prg party h n h_small size fits_word (beside_run j)
        (fun z => own j (fst (fst z))) (fun z => query_given j (fst z) (drawn_before z)) (fun z => pairs_length j (fst (fst z)))
        (fun z seen => test_of_run j z (only_made seen)))].
      apply Qle_lteq. right. apply Qabs_wd. unfold Qminus. apply Qplus_comp; [|apply Qopp_comp].
      + apply Pr_of_run. intros z d. cbn [real_received]. rewrite kind. reflexivity.
      + apply Pr_of_run. intros z d. cbn [simulated_run_view]. rewrite kind. reflexivity.
  Qed.
End Schedule.

(* For the words of the implementation. *)
Definition two_party_schedule_simulated_u64 {P : Type} {P_Prg : prg_Prg P} (prg : P) {F : Type} {F_Prf : two_party_masks_Prf F} (prf : F) :=
  two_party_schedule_simulated (W := u64) (words 64) (words_enumerate 64) prg prf.
