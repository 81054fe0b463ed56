//! The functions that expand a key of AES. The S-box is computed and not copied, which takes Rocq half a minute: their
//! examples share a file, which computes it once, as a lemma, and rewrites with it.

use duoram_spec::core::aes;

/// Those functions.
pub const FUNCTIONS: [&str; 7] = [
    "core::aes::expand_key",
    "core::aes::s_box_table",
    "lean::session::connect",
    "paper::session::connect",
    "two_party::masks::aes_prf",
    "two_party::party::session_prg",
    "two_party::session::connect",
];

/// What the file of their examples is called after.
pub const FILE: &str = "key_expansion";

/// The table is found once the functions are unfolded.
pub const PROOF: &str = "Proof.
  cbv delta [
    aes_expand_key aes_s_box_table lean_session_connect paper_session_connect two_party_masks_aes_prf
    two_party_party_session_prg two_party_session_connect
  ].
  rewrite s_box_table.
  vm_cast_no_check (eq_refl true).
Qed.
";

/// The lemma: the S-box as Rust computes it. Integers with equal numbers are equal, although their proofs are written
/// otherwise; so that Rocq compares the numbers.
pub fn lemma() -> String {
    let table: Vec<String> =
        aes::expand_key(&[0; 16]).s_box.iter().map(|entry| format!("{entry:#x}")).collect();
    format!(
        "
Lemma equal_numbers (a b : list u8) : map val a = map val b -> a = b.
Proof.
  revert b. induction a as [|x a IH]; intros [|y b] same; try discriminate same; [reflexivity|].
  injection same as first rest. rewrite (IH b rest). f_equal.
  destruct x as [x low], y as [y low']. cbn in first. subst y. f_equal. apply Eqdep_dec.UIP_dec, bool_dec.
Qed.

Lemma s_box_table :
  map (fun a : u64 => aes_s_box (cast 8 (iand a (repr 64 255)))) (range (repr 64 0) (repr 64 256))
  = map (repr 8) [{numbers}].
Proof. apply equal_numbers. vm_cast_no_check (eq_refl [{numbers}]). Qed.
",
        numbers = table.join("; ")
    )
}
