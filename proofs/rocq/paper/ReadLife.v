(* Privacy of one item's whole life towards a primary, if a READ uses it [duoram, Protocol 1, lines 1 to 8]: what it receives
   while the item is prepared, the other's shift share, and P2's gamma, is within the three DPFs' levels' advantages of
   what a simulator makes that is told no secret. As for an UPDATE (ItemPrivacy.v), of which it opens a part, but for
   gamma: that is masked by rho, which P2 draws, and so a fresh word.

   The state is any of n words, also one that UPDATEs have changed: nothing of it but gamma is in the view. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection Counting.
From Duoram.core Require Import Parties LabelFacts PrgAdvantage GenerationSimulated ManyGenerations.
From Duoram.paper Require Import IdealPreprocessing ItemView PreparedView ItemPrivacy.
From Duoram.Generated Require Import All.
#[local] Open Scope Q_scope.

Section Read.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Laws : RingLaws W} (all_words : list W).
  Add Ring W_ring : (ring_theory_W W).
  Hypothesis all_words_enumerate : enumerates all_words anything.
  Context {P : Type} {P_Prg : prg_Prg P} (prg : P) (party : share_Primary).
  Context (h n : u64) (h_below_64 : (val h < 64)%Z) (size : val n = (2 ^ val h)%Z).
  Hypothesis fits_word : (val n <= 2 ^ Zpos (ring_bits W))%Z.
  Context {R : Type} (rest : list R) (own : R -> item_own (W := W)) (inputs : R -> others_inputs (W := W)).
  Hypothesis ands_length : forall j r, length (own_ands (own_dpf_at j (own r))) = nat_of h.
  Hypothesis state_length : forall r,
    len (paper_memory_PrimaryState_memory_share (paper_memory_State_p0 (whole_state (inputs r)))) = n.

  Definition read_run (o : item_own (W := W)) (i : others_inputs (W := W)) (item : paper_preprocessing_Item W) (rho : W) :
    paper_read_Read W :=
    paper_read_read (whole_state i) (paper_preprocessing_unit_vectors item) (paper_preprocessing_random_index_shares item)
      (in_order party (own_address o) (others_address i)) rho.

  (* Of each DPF what is received, the other's shift share, and gamma. *)
  Definition read_received : Type := dpf_received (W := W) * dpf_received (W := W) * dpf_received (W := W) * u64 * W.
  Definition received_of_read (item : paper_preprocessing_Item W) (run : paper_read_Read W) : read_received :=
    (received_of_dpf party (paper_preprocessing_Item_dpf_1 item), received_of_dpf party (paper_preprocessing_Item_dpf_2 item),
     received_of_dpf party (paper_preprocessing_Item_dpf_3 item),
     match party with share_Primary_P0 => paper_read_Read_shift_1 run | share_Primary_P1 => paper_read_Read_shift_0 run end,
     match party with share_Primary_P0 => paper_read_Read_gamma_0 run | share_Primary_P1 => paper_read_Read_gamma_1 run end).

  (* The part of an UPDATE's view that a READ has, with gamma. *)
  Definition as_read (seen : item_received (W := W)) (gamma : W) : read_received :=
    (fst seen, paper_update_UpdateMessage_shift (snd seen), gamma).

  Definition bare_gamma (o : item_own (W := W)) (i : others_inputs (W := W)) (item : paper_preprocessing_Item W) : W :=
    snd (received_of_read item (read_run o i item (ring_Ring_zero W))).

  Lemma received_of_read_masked (o : item_own (W := W)) (i : others_inputs (W := W)) (item : paper_preprocessing_Item W) (rho : W) :
    received_of_read item (read_run o i item rho)
    = as_read (received_of_item party item (updated party o i item))
        (ring_Ring_plus (bare_gamma o i item) (share_signed party rho)).
  Proof.
    unfold bare_gamma, received_of_read, as_read, received_of_item, updated, read_run, paper_update_update, paper_read_read.
    destruct (paper_preprocessing_random_index_shares item) as [ri_0 ri_1].
    unfold paper_read_answer. destruct party; cbn [in_order];
      match goal with |- context [paper_read_shifted ?u ?s] => generalize (paper_read_shifted u s) end;
      intros [[[t_0_1 t_0_2] t_0_3] [[t_1_1 t_1_2] t_1_3]]; apply pair_equal_spec; (split; [reflexivity|]);
      unfold paper_read_unblinding;
      cbn [snd share_signed paper_read_UnitVectors_p0 paper_read_UnitVectors_p1 paper_read_Read_gamma_0 paper_read_Read_gamma_1];
      ring.
  Qed.

  Context (test : R -> read_received -> bool).

  Definition real_read : Q :=
    Pr (list_prod (list_prod (list_prod rest all_words) (word_space all_words)) (three (root_space h)))
      (fun '(((r, rho), words), draws) =>
        let item := prepared prg party h (own r) words draws in
        test r (received_of_read item (read_run (own r) (inputs r) item rho))).
  Definition simulated_read : Q :=
    Pr (list_prod (list_prod (list_prod rest all_words) (three (key_space h))) (coin_space all_words))
      (fun '(((r, gamma), keys), coins) => test r (as_read (simulated_received prg party h n (own r) keys coins) gamma)).

  Definition read_distinguisher : nat -> nat -> distinguisher :=
    item_distinguisher all_words prg party h n (list_prod rest all_words) (fun z => own (fst z)) (fun z => inputs (fst z))
      (fun z seen => test (fst z) (as_read seen (snd z))).

  Theorem read_life_simulated :
    Qabs (real_read - simulated_read)
    <= sum_below 3 (fun j => sum_below (nat_of h) (fun i => Adv prg (read_distinguisher j i))).
  Proof.
    eapply Qle_trans; [|apply (item_life_simulated all_words all_words_enumerate prg party h n h_below_64 size fits_word
      (list_prod rest all_words) (fun z => own (fst z)) (fun z => inputs (fst z))); auto].
    apply Qle_lteq. right. apply Qabs_wd. unfold Qminus. apply Qplus_comp; [|apply Qopp_comp].
    - unfold real_read, real_item. rewrite !Pr_mean, !(mean_prod (list_prod (list_prod rest all_words) _)),
        !(mean_prod (list_prod rest all_words)), !(mean_prod rest).
      apply mean_ext. intros r _. rewrite mean_swap, (mean_swap all_words). apply mean_ext. intros words _.
      rewrite mean_swap, (mean_swap all_words). apply mean_ext. intros draws _. cbv zeta. cbn [fst snd].
      set (item := prepared prg party h (own r) words draws).
      set (bare := bare_gamma (own r) (inputs r) item).
      rewrite <- (mean_by_bijection all_words all_words (fun rho => ring_Ring_plus bare (share_signed party rho))
        (fun gamma => share_signed party (ring_Ring_minus gamma bare))
        (fun gamma => indicator (test r (as_read (received_of_item party item (updated party (own r) (inputs r) item)) gamma)))
        all_words_enumerate all_words_enumerate).
      + apply mean_ext. intros rho _. rewrite received_of_read_masked. reflexivity.
      + intros rho. destruct party; cbn; ring.
      + intros gamma. destruct party; cbn; ring.
    - unfold simulated_read, simulated_item_life. rewrite !Pr_mean. apply mean_ext. intros [[[r gamma] keys] coins] _. reflexivity.
  Qed.
End Read.
