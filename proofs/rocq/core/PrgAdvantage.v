(* The advantage of a distinguisher against the length-doubling PRG G = (G_L, G_R) [duoram, section 2.1.1]: how much better
   than by chance it tells both children of a secret label from two uniform blocks. It is defined for every PRG and every
   distinguisher, and nothing is said of how small it is: theorems that use it have it in their bounds.

   A label on the path of a DPF is uniform but for its flag: the party whose tree one sees has the other flag than oneself,
   and everybody knows it. So the secret label has a flag that the distinguisher chooses before it gets the two blocks. For
   a PRG that does not depend on the flag, as `prg::Prg` asks for and AES's does ([aes_ignores_the_flag]), that is
   the usual game with a uniform label ([Adv_of_uniform_labels]). *)
From Duoram Require Import Bijection Counting.
From Duoram.core Require Import VectorFacts LabelFacts.

From Duoram.Generated Require Import All.
#[local] Open Scope Q_scope.

(* All labels; all corrections, each with the same weight: a uniform block without its lowest bit, and two flags. *)
Definition labels : list u128 := words 128.
Definition fresh_corrections : list dpf_Correction :=
  map (fun '(word, (left_flag, right_flag)) => mk_dpf_Correction (block_clear_flag word) left_flag right_flag)
    (list_prod labels (list_prod bools bools)).

(* It draws coins, chooses the flag of the secret label, is given two blocks, and guesses. *)
Record distinguisher : Type := {
  coins : Type;
  coin_space : list coins;
  seed_flag : coins -> bool;
  guess : coins -> u128 * u128 -> bool;
}.

Section Advantage.
  Context {P : Type} {P_Prg : prg_Prg P} (prg : P).

  Definition children (label : u128) : u128 * u128 := (prg_Prg_left prg label, prg_Prg_right prg label).

  Definition Adv (d : distinguisher) : Q :=
    Qabs (Pr (list_prod (coin_space d) labels)
            (fun '(r, seed) => guess d r (children (block_with_flag seed (seed_flag d r))))
          - Pr (list_prod (coin_space d) (list_prod labels labels)) (fun '(r, blocks) => guess d r blocks)).

  (* `prg::Prg`: "does not depend on the flag of `label`". *)
  Definition ignores_the_flag : Prop :=
    forall label t, children (block_with_flag label t) = children label.

  Lemma Adv_of_uniform_labels (d : distinguisher) : ignores_the_flag ->
    Adv d == Qabs (Pr (list_prod (coin_space d) labels) (fun '(r, seed) => guess d r (children seed))
                   - Pr (list_prod (coin_space d) (list_prod labels labels)) (fun '(r, blocks) => guess d r blocks)).
  Proof.
    intros h. unfold Adv. apply Qabs_wd. apply Qplus_comp; [|reflexivity]. rewrite !Pr_mean. apply mean_ext.
    intros [r seed] _. rewrite h. reflexivity.
  Qed.
End Advantage.

Theorem aes_ignores_the_flag (prg : prg_AesPrg) : ignores_the_flag prg.
Proof.
  intros label t. unfold children. cbn [prg_Prg_left prg_Prg_right prg_Prg_AesPrg]. rewrite clear_flag_with_flag. reflexivity.
Qed.

(** * Uniform labels *)

Lemma labels_enumerate : enumerates labels anything.
Proof. exact (words_enumerate 128). Qed.
Lemma labels_not_empty : labels <> [].
Proof. exact (words_not_empty 128). Qed.

Lemma mean_labels_shifted (k : u128) (f : u128 -> Q) : mean labels (fun x => f (ixor k x)) == mean labels f.
Proof.
  apply (mean_by_bijection labels labels (ixor k) (ixor k)); auto using labels_enumerate, ixor_cancel_l.
Qed.

(* The flag of a uniform label is a draw of its own. *)
Lemma mean_flag_apart (g : bool -> u128 -> Q) : (forall b x t, g b (block_with_flag x t) == g b x) ->
  mean labels (fun x => g (block_flag x) x) == mean bools (fun b => mean labels (fun x => g b x)).
Proof.
  intros h. transitivity (mean bools (fun _ => mean labels (fun x => g (block_flag x) x))).
  { rewrite mean_const; [reflexivity | discriminate]. }
  rewrite <- (mean_prod bools labels (fun z => g (block_flag (snd z)) (snd z))).
  rewrite <- (mean_prod bools labels (fun z => g (fst z) (snd z))).
  pose (turn := fun z : bool * u128 => (block_flag (snd z), block_with_flag (snd z) (fst z))).
  assert (turn_turn : forall z, turn (turn z) = z).
  { intros [b x]. unfold turn. cbn [fst snd]. rewrite flag_with_flag, with_flag_twice, with_flag_same.
    reflexivity. }
  pose proof (enumerates_all_prod _ _ bools_enumerate labels_enumerate) as all.
  rewrite <- (mean_by_bijection _ _ turn turn (fun z => g (fst z) (snd z)) all all turn_turn turn_turn).
  apply mean_ext. intros [b x] _. unfold turn. cbn [fst snd]. rewrite h. reflexivity.
Qed.

Lemma mean_fresh_corrections (f : dpf_Correction -> Q) :
  mean fresh_corrections f
  == mean labels (fun word => mean bools (fun left_flag => mean bools (fun right_flag =>
       f (mk_dpf_Correction (block_clear_flag word) left_flag right_flag)))).
Proof.
  unfold fresh_corrections. rewrite mean_map, mean_prod. apply mean_ext. intros word _. rewrite mean_prod. reflexivity.
Qed.
