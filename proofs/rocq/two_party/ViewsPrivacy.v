(* Privacy of two parties' READ, UPDATE, WRITE and SWAP: what a party receives is distributed the same for every memory, address and value
   of the other's shares. For words with [RingLaws], and every size n = 2^h, h < 64.

   Idealized: the PIR is symmetric and ideal (`two_party::read::ideal_symmetric_pir`), so a party that asks for index q_b learns the
   word there of the other's turned and blinded memory, and nothing else, and the other learns nothing of q_b; in its place the
   parties send a masked table: ReadItem.v has what that costs. The other's query index q_c is uniform below n, its blind r_c uniform.
   Of an UPDATE item its share ri_c is uniform below n and its share F_c uniform, given all that the party has: UpdateItem.v has what preparing
   from ideal OTs makes of them, and WholeSchedule.v both together.

   The messages are those of `two_party::party_online`; what the party holds itself is fixed, and the same in both cases. *)
From Coq Require Import Lia.
From Duoram Require Import Bijection.
From Duoram.core Require Import LemmasFacts.
From Duoram.two_party Require Import TwoPartyRead.
From Duoram.Generated Require Import All.

Section Views.
  Context {W : Type} {W_Ring : ring_Ring W} {W_Laws : RingLaws W}.
  Add Ring W_ring : (ring_theory_W W).
  Context (n : u64) (n_power : power_of_two n).
  Notation "x [+] y" := (ring_Ring_plus x y) (at level 50, left associativity).
  Notation "x [-] y" := (ring_Ring_minus x y) (at level 50, left associativity).
  Notation zero := (ring_Ring_zero W).

  (* The secrets: the other's shares of the memory, of the address and of the value. *)
  Record views_secret : Type := { other_memory : list W; other_address : u64; other_value : W }.
  Definition secret_sized (s : views_secret) : Prop := sized n (other_memory s).

  (* What P_b holds: its share of the memory, of the address, its query index and its blind. *)
  Record views_held : Type := { own_memory : list W; own_address : u64; own_query : u64; own_blind : W }.
  Definition own_sized (held : views_held) : Prop := sized n (own_memory held) /\ val (own_query held) < val n.

  (* An index that moves with the address, so that the shift share stays. *)
  Definition moved_index (i i' q : u64) : u64 := vector_mod_size (wadd q (wsub i' i)) n.
  Lemma moved_index_below i i' q : val (moved_index i i' q) < val n.
  Proof. apply mod_size_below, n_power. Qed.
  Lemma moved_index_back i i' q : val q < val n -> moved_index i' i (moved_index i i' q) = q.
  Proof.
    intros h. unfold moved_index. rewrite mod_size_add_l by assumption.
    replace (wadd (wadd q (wsub i' i)) (wsub i i')) with q by ring. apply mod_size_small; assumption.
  Qed.
  Lemma shift_share_kept i i' q : two_party_update_shift_share i q n = two_party_update_shift_share i' (moved_index i i' q) n.
  Proof. unfold two_party_update_shift_share, moved_index. rewrite mod_size_sub_r by assumption. f_equal. ring. Qed.

  (** * READ *)

  (* What the party does not know: the other's query index and blind. *)
  Record read_unknown : Type := { other_query : u64; other_blind : W }.
  Definition read_drawn (r : read_unknown) : Prop := val (other_query r) < val n.

  (* The answer to the party's query: of the other's memory, turned by the shift that the party sent. *)
  Definition answer (held : views_held) (s : views_secret) (blind : W) : W :=
    two_party_read_ideal_symmetric_pir (two_party_read_blinded_rotation (other_memory s) (other_address s)
      (two_party_update_shift_share (own_address held) (own_query held) n) blind) (own_query held).
  (* The other's shift share, and the answer. *)
  Definition read_view (held : views_held) (s : views_secret) (r : read_unknown) : u64 * W :=
    (two_party_update_shift_share (other_address s) (other_query r) n, answer held s (other_blind r)).

  Lemma answer_blinded (held : views_held) (s : views_secret) (blind : W) : own_sized held -> secret_sized s ->
    answer held s blind = answer held s zero [+] blind.
  Proof.
    intros [_ hq] hs. unfold answer. rewrite <- (mod_size_small (own_query held) n) at 2 4 by assumption.
    rewrite !(rotated_word n) by assumption. ring.
  Qed.

  Definition read_move (held : views_held) (s s' : views_secret) (r : read_unknown) : read_unknown :=
    {| other_query := moved_index (other_address s) (other_address s') (other_query r);
       other_blind := other_blind r [+] (answer held s zero [-] answer held s' zero) |}.

  Theorem two_party_read_view_private (held : views_held) : own_sized held ->
    independent_of_secrets secret_sized (fun _ => read_drawn) (read_view held).
  Proof.
    intros hh. apply (independent_by_move _ _ _ (read_move held)); intros s s' [q r] hs hs' hr; unfold read_drawn in hr; cbn in hr.
    - apply moved_index_below.
    - unfold read_move. cbn. rewrite moved_index_back by assumption. f_equal. ring.
    - unfold read_view, read_move. cbn. rewrite (answer_blinded held s), (answer_blinded held s') by assumption.
      f_equal; [apply shift_share_kept | ring].
  Qed.

  (** * UPDATE *)

  (* Of the other's item: its share of ri and of F. Its share of e_ri and its values, whatever they are, are nowhere sent. *)
  Record update_unknown : Type := { other_index : u64; other_correction : W }.
  Definition update_drawn (r : update_unknown) : Prop := val (other_index r) < val n.
  Context (other_unit other_values : views_secret -> update_unknown -> list W).
  Hypothesis other_unit_sized : forall s r, sized n (other_unit s r).

  Definition other_item (s : views_secret) (r : update_unknown) : two_party_update_UpdateItem W :=
    mk_two_party_update_UpdateItem (other_unit s r) (other_values s r) (other_correction r) (other_index r).
  (* The other's message. *)
  Definition message_for (s : views_secret) (value : W) (r : update_unknown) : two_party_update_UpdateMessage W :=
    two_party_update_message (other_item s r) (other_address s) value.
  Definition update_view (s : views_secret) (r : update_unknown) : two_party_update_UpdateMessage W :=
    message_for s (other_value s) r.

  Definition update_move (s s' : views_secret) (value value' : W) (r : update_unknown) : update_unknown :=
    {| other_index := moved_index (other_address s) (other_address s') (other_index r);
       other_correction := other_correction r [+] (value [-] value') |}.
  Lemma update_move_back s s' value value' r : update_drawn r -> update_move s' s value' value (update_move s s' value value' r) = r.
  Proof.
    destruct r as [i f]. unfold update_drawn, update_move. cbn. intros h. rewrite moved_index_back by assumption. f_equal. ring.
  Qed.
  Lemma message_kept s s' value value' r : message_for s value r = message_for s' value' (update_move s s' value value' r).
  Proof.
    unfold message_for, two_party_update_message, other_item.
    cbn [two_party_update_UpdateItem_random_index_share two_party_update_UpdateItem_unit two_party_update_UpdateItem_correction].
    rewrite !(sized_len n) by apply other_unit_sized. unfold update_move. cbn [other_index other_correction].
    f_equal; [apply shift_share_kept | ring].
  Qed.

  Theorem two_party_update_view_private :
    independent_of_secrets secret_sized (fun _ => update_drawn) update_view.
  Proof.
    apply (independent_by_move _ _ _ (fun s s' => update_move s s' (other_value s) (other_value s'))); intros s s' r hs hs' hr.
    - apply moved_index_below.
    - apply update_move_back, hr.
    - apply message_kept.
  Qed.

  (** * WRITE and SWAP *)

  (* The other's share of the word that was there: of the answer to its own query, which is of the party's memory and blind. *)
  Definition others_read (held : views_held) (s : views_secret) (r : read_unknown) : W :=
    two_party_read_ideal_symmetric_pir (two_party_read_blinded_rotation (own_memory held) (own_address held)
      (two_party_update_shift_share (other_address s) (other_query r) n) (own_blind held)) (other_query r) [-] other_blind r.
  Notation write_unknown := (read_unknown * update_unknown)%type.
  Definition write_drawn (r : write_unknown) : Prop := read_drawn (fst r) /\ update_drawn (snd r).
  Definition others_difference (held : views_held) (s : views_secret) (r : read_unknown) : W :=
    two_party_write_difference (other_value s) (others_read held s r).
  (* All that a READ sends, and the message of an UPDATE by what is missing. *)
  Definition write_view (held : views_held) (s : views_secret) (r : write_unknown) : (u64 * W) * two_party_update_UpdateMessage W :=
    (read_view held s (fst r), message_for s (others_difference held s (fst r)) (snd r)).

  Definition write_move (held : views_held) (s s' : views_secret) (r : write_unknown) : write_unknown :=
    let read' := read_move held s s' (fst r) in
    (read', update_move s s' (others_difference held s (fst r)) (others_difference held s' read') (snd r)).

  Theorem two_party_write_view_private (held : views_held) : own_sized held ->
    independent_of_secrets secret_sized (fun _ => write_drawn) (write_view held).
  Proof.
    intros hh. apply (independent_by_move _ _ _ (write_move held)); intros s s' [r u] hs hs' [hr hu]; cbn [fst snd] in hr, hu.
    - split; apply moved_index_below.
    - unfold write_move. cbn [fst snd].
      assert (e : read_move held s' s (read_move held s s' r) = r).
      { destruct r as [q b]. unfold read_drawn in hr. cbn in hr. unfold read_move. cbn. rewrite moved_index_back by assumption.
        f_equal. ring. }
      rewrite e. f_equal. apply update_move_back, hu.
    - unfold write_view, write_move. cbn [fst snd]. f_equal; [|apply message_kept].
      destruct r as [q b]. unfold read_view, read_move. cbn. rewrite (answer_blinded held s), (answer_blinded held s') by assumption.
      f_equal; [apply shift_share_kept | ring].
  Qed.

  (** * These are the messages and results of `two_party::read` and `two_party::write` *)

  Lemma views_of_read (held : views_held) (s : views_secret) (r : read_unknown) : own_sized held -> secret_sized s -> read_drawn r ->
    two_party_read_read (own_memory held, other_memory s) (own_address held, other_address s) (own_query held, other_query r)
      (own_blind held, other_blind r) = (answer held s (other_blind r) [-] own_blind held, others_read held s r) /\
    two_party_read_read (other_memory s, own_memory held) (other_address s, own_address held) (other_query r, own_query held)
      (other_blind r, own_blind held) = (others_read held s r, answer held s (other_blind r) [-] own_blind held).
  Proof.
    intros [hm hq] hs hr. unfold read_drawn in hr. unfold two_party_read_read. rewrite !(sized_len n) by assumption.
    rewrite !(mod_size_small (own_query held)), !(mod_size_small (other_query r)) by assumption. split; reflexivity.
  Qed.
  Lemma messages_of_write (held : views_held) (s : views_secret) (r : read_unknown) (u : update_unknown)
    (own_item : two_party_update_UpdateItem W) (own_value : W) : own_sized held -> secret_sized s -> read_drawn r ->
    let message := message_for s (others_difference held s r) u in
    two_party_update_Update_message_1 (fst (two_party_write_write (own_memory held, other_memory s) (own_query held, other_query r)
      (own_blind held, other_blind r) (own_item, other_item s u) (own_address held, other_address s) (own_value, other_value s))) = message /\
    two_party_update_Update_message_0 (fst (two_party_write_write (other_memory s, own_memory held) (other_query r, own_query held)
      (other_blind r, own_blind held) (other_item s u, own_item) (other_address s, own_address held) (other_value s, own_value))) = message.
  Proof.
    intros hh hs hr. destruct (views_of_read held s r hh hs hr) as [e e']. unfold two_party_write_write. rewrite e, e'. split; reflexivity.
  Qed.
End Views.

(* With the words of the implementation. *)
Definition two_party_write_view_private_u64 := two_party_write_view_private (W := u64).
