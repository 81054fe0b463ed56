(* Lists put together of parts, taken apart, zipped and numbered: what theorems about messages need of them. *)
From Coq Require Import Lia.
From Duoram Require Export HaxFacts.

Lemma flat_map_length_equal {A B : Type} (f : A -> list B) (l : list A) (width : nat) :
  (forall x, In x l -> length (f x) = width) -> length (flat_map f l) = (width * length l)%nat.
Proof.
  induction l as [|x l IH]; intros h; cbn [flat_map length]; [lia|]. rewrite app_length, h, IH by (auto using in_eq, in_cons).
  lia.
Qed.

Lemma flat_map_flat_map {A B C : Type} (f : A -> list B) (g : B -> list C) (l : list A) :
  flat_map g (flat_map f l) = flat_map (fun x => flat_map g (f x)) l.
Proof. induction l as [|x l IH]; [reflexivity|]. cbn [flat_map]. rewrite flat_map_app, IH. reflexivity. Qed.

Lemma flat_map_map {A B C : Type} (f : A -> B) (g : B -> list C) (l : list A) :
  flat_map g (map f l) = flat_map (fun x => g (f x)) l.
Proof. induction l as [|x l IH]; [reflexivity|]. cbn [flat_map map]. rewrite IH. reflexivity. Qed.

Lemma skip_app_exact {T : Type} (a b : list T) (n : u64) : nat_of n = length a -> skip (a ++ b) n = b.
Proof. intros e. rewrite skip_skipn, e, skipn_app, skipn_all, Nat.sub_diag. reflexivity. Qed.

Lemma take_app_exact {T : Type} (a b : list T) (n : u64) : nat_of n = length a -> take (a ++ b) n = a.
Proof. intros e. rewrite take_firstn, e, firstn_app, firstn_all, Nat.sub_diag. cbn [firstn]. apply app_nil_r. Qed.

Lemma nth_firstn_lt {T : Type} (l : list T) (x : T) : forall k d, (k < d)%nat -> nth k (firstn d l) x = nth k l x.
Proof. induction l as [|y l IH]; intros [|k] [|d] h; cbn; try lia; try reflexivity. apply IH. lia. Qed.

(* The pieces of a list, one behind another. *)
Lemma pieces_of {T : Type} (l : list T) (w count : nat) : (length l <= count * w)%nat ->
  flat_map (fun k => firstn w (skipn (k * w) l)) (seq 0 count) = l.
Proof.
  intros enough. transitivity (firstn (count * w) l); [clear enough | apply firstn_all2; assumption]. induction count as [|count IH]; [reflexivity|].
  rewrite seq_S, flat_map_app, IH. cbn [flat_map Nat.add]. rewrite app_nil_r.
  replace (S count * w)%nat with (count * w + w)%nat by lia. generalize (count * w)%nat. clear. intros k. revert l.
  induction k as [|k IH]; intros l; [reflexivity|]. destruct l as [|x l]; [destruct w; reflexivity|].
  cbn [firstn skipn Nat.add app]. rewrite IH. reflexivity.
Qed.

Lemma map_skip {A B : Type} (f : A -> B) (l : list A) (k : u64) : map f (skip l k) = skip (map f l) k.
Proof. rewrite !skip_skipn, skipn_map. reflexivity. Qed.

Lemma skip_none {T : Type} (l : list T) : skip l (repr 64 0) = l.
Proof. rewrite skip_skipn. reflexivity. Qed.

(* What is made of a zip, zipped with the second list again. *)
Lemma combine_with_second {A B C D E : Type} (e : list E) (pair : E -> A * B) (f : E -> C) (g : B -> D) (a : list A) (b : list B) :
  map pair e = combine a b -> combine (map f e) (map g b) = map (fun x => (f x, g (snd (pair x)))) e.
Proof.
  revert e a. induction b as [|y b IH]; intros [|x e] [|z a] h; cbn in h |- *; try discriminate; try reflexivity.
  injection h as h1 h2. rewrite h1. cbn [snd]. f_equal. eapply IH. exact h2.
Qed.

Lemma combine_map_both {A B C D : Type} (f : A -> C) (g : B -> D) (a : list A) (b : list B) :
  combine (map f a) (map g b) = map (fun p => (f (fst p), g (snd p))) (combine a b).
Proof.
  revert b. induction a as [|x a IH]; intros [|y b]; cbn [map combine]; try reflexivity. rewrite IH. reflexivity.
Qed.

Lemma enumerate_map {A B : Type} (f : A -> B) (l : list A) :
  enumerate (map f l) = map (fun p => (fst p, f (snd p))) (enumerate l).
Proof.
  unfold enumerate. rewrite len_map. rewrite <- (map_id (range (repr 64 0) (len l))) at 1.
  apply (combine_map_both (fun i => i) f).
Qed.

Lemma enumerate_enumerate {T : Type} (l : list T) : Z.of_nat (length l) < 2 ^ 64 ->
  enumerate (enumerate l) = map (fun x => (fst x, x)) (enumerate l).
Proof.
  intros small. unfold enumerate at 1. replace (len (enumerate l)) with (len l).
  - unfold enumerate. generalize (range (repr 64 0) (len l)). intros r. clear small. revert r.
    induction l as [|x l IH]; intros [|i r]; cbn [combine map fst]; try reflexivity. rewrite IH. reflexivity.
  - unfold len. f_equal. unfold enumerate. rewrite combine_length, range_length, nat_of_len by assumption.
    change (nat_of (repr 64 0)) with 0%nat. lia.
Qed.

Lemma map_flat_map {A B C : Type} (f : A -> list B) (g : B -> C) (l : list A) :
  map g (flat_map f l) = flat_map (fun x => map g (f x)) l.
Proof. induction l as [|x l IH]; [reflexivity|]. cbn [flat_map]. rewrite map_app, IH. reflexivity. Qed.

Lemma map_take {A B : Type} (f : A -> B) (l : list A) (k : u64) : map f (take l k) = take (map f l) k.
Proof. rewrite !take_firstn, firstn_map. reflexivity. Qed.

Lemma flat_map_one {A B : Type} (f : A -> B) (l : list A) : flat_map (fun x => [f x]) l = map f l.
Proof. induction l as [|x l IH]; [reflexivity|]. cbn [flat_map map app]. rewrite IH. reflexivity. Qed.

Lemma one_of_a_list {T : Type} (f : nat -> T) (count k : nat) : (k < count)%nat -> Z.of_nat count < 2 ^ 64 ->
  take (skip (map f (seq 0 count)) (of_nat k)) (repr 64 1) = [f k].
Proof.
  intros hk small. rewrite take_firstn, skip_skipn, nat_of_of_nat by lia. change (nat_of (repr 64 1)) with 1%nat.
  replace count with (k + S (count - S k))%nat by lia. rewrite seq_app, map_app.
  rewrite skipn_app, map_length, seq_length, Nat.sub_diag, skipn_all2 by (rewrite map_length, seq_length; lia).
  cbn. reflexivity.
Qed.

Lemma combine_map_map {A B C D : Type} (f : A -> B) (g : A -> C) (k : B * C -> D) (l : list A) :
  map k (combine (map f l) (map g l)) = map (fun x => k (f x, g x)) l.
Proof. rewrite combine_map. apply map_map. Qed.
