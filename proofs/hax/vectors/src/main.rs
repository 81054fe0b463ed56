//! Differential vectors: every function of the specification is run on random inputs, and what it returns is printed as a
//! Rocq `Example` about its translation, for `vm_compute` to check.
//!
//! `vectors spec DIRECTORY [SEED]` writes one file a module and `covered.txt`, the functions that have at least one example;
//! `proofs/hax/test` compares it with the list of translated functions that the engine wrote. `vectors accepted DIRECTORY`
//! does the same for `proofs/hax/tests/accepted`, the constructs that translate.
#![forbid(unsafe_code)]

mod cases;
mod key_expansion;
mod random;
mod rocq;
mod structures;
mod structures_lean;
mod structures_parties;
mod structures_two_party;
mod toy;

use random::Rng;
use std::collections::{BTreeMap, BTreeSet};

pub struct Vectors {
    rng: Rng,
    /// What every file begins with.
    header: String,
    /// Texts of the files, by module.
    files: BTreeMap<String, String>,
    covered: BTreeSet<String>,
    count: usize,
}

/// The computation is the kernel's alone: `vm_compute` would do it a second time, before.
const PROOF: &str = "Proof. vm_cast_no_check (eq_refl true). Qed.\n";

/// The text with a name in place of each expanded key of AES, of 432 bytes, which the file has once, as a definition.
fn expanded_keys_named(file: &mut String, text: &str) -> String {
    const BEGIN: &str = "(mk_aes_Aes128 ";
    const END: &str = "]])";
    let Some((before, rest)) = text.split_once(BEGIN) else { return text.to_string() };
    let Some((key, after)) = rest.split_once(END) else { return text.to_string() };
    let definition = format!(" : aes_Aes128 := {BEGIN}{key}{END}.\n");
    let name = if let Some(there) = file.find(&definition) {
        file[..there].rsplit(' ').next().unwrap_or_default().to_string()
    } else {
        let name = format!("aes_{}", file.matches(" : aes_Aes128 := ").count());
        *file += &format!("\nDefinition {name}{definition}");
        name
    };
    format!("{before}{name}{}", expanded_keys_named(file, after))
}

impl Vectors {
    /// One example: the function by its Rust path as the engine lists it, its explicit type arguments, its arguments, and
    /// what Rust computes.
    fn example(&mut self, path: &str, types: &str, arguments: &[String], expected: &str) {
        let expands = key_expansion::FUNCTIONS.contains(&path);
        let module = if expands { key_expansion::FILE.to_string() } else { rocq::module(path) };
        let file = self.files.entry(module).or_insert_with(|| self.header.clone());
        let arguments: String =
            arguments.iter().map(|argument| format!(" {}", expanded_keys_named(file, argument))).collect();
        let expected = expanded_keys_named(file, expected);
        let call = match path.split_once(" for ") {
            Some((method, ty)) => format!("@{} {} _{arguments}", rocq::name(method), rocq::name(ty)),
            None => format!("{}{types}{arguments}", rocq::name(path)),
        };
        *file += &format!("\nExample check_{} : eqb\n  ({call})\n  {expected} = true.\n", self.count);
        *file += PROOF;
        self.covered.insert(path.to_string());
        self.count += 1;
    }
}

/// `case!(vectors, 4, "core::vector::add", "", |a: Vec<u64>, b: Vec<u64>| vector::add(&a, &b))` adds four examples of the function
/// of this path, with these type arguments, on random values for the parameters.
#[macro_export]
macro_rules! case {
    ($vectors:expr, $times:expr, $path:literal, $types:literal, |$($name:ident : $ty:ty),*| $body:expr) => {
        for _ in 0..$times {
            $(let $name = <$ty as $crate::random::Random>::random(&mut $vectors.rng);)*
            let arguments: Vec<String> = vec![$($crate::rocq::Rocq::rocq(&$name)),*];
            let expected = $crate::rocq::Rocq::rocq(&$body);
            $vectors.example($path, $types, &arguments, &expected);
        }
    };
}

/// `given!(vectors, "core::lemmas::same", "", same(a, b); a, b)` adds one example, on values that are in scope.
#[macro_export]
macro_rules! given {
    ($vectors:expr, $path:literal, $types:literal, $body:expr; $($name:expr),*) => {{
        let arguments: Vec<String> = vec![$($crate::rocq::Rocq::rocq(&$name)),*];
        let expected = $crate::rocq::Rocq::rocq(&$body);
        $vectors.example($path, $types, &arguments, &expected);
    }};
}

fn main() -> std::io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (subject, directory, seed) = match &arguments[..] {
        [subject, directory] => (subject.as_str(), directory, 1),
        [subject, directory, seed] => (subject.as_str(), directory, seed.parse().unwrap_or(1)),
        _ => return Err(std::io::Error::other("usage: vectors spec|accepted DIRECTORY [SEED]")),
    };
    let (translation, toy, cases): (_, _, fn(&mut Vectors)) = match subject {
        "accepted" => ("Accepted", "", cases::accepted::accepted),
        _ => ("Duoram.Generated", toy::ROCQ, cases::all),
    };
    let header = format!("{}From {translation} Require Import All.\n{}{toy}", rocq::IMPORTS, rocq::INTEGERS);
    let rng = Rng(seed);
    let mut vectors = Vectors { rng, header, files: BTreeMap::new(), covered: BTreeSet::new(), count: 0 };
    cases(&mut vectors);
    for (module, text) in &vectors.files {
        std::fs::write(format!("{directory}/Vectors_{module}.v"), text)?;
    }
    let covered: String = vectors.covered.iter().map(|path| format!("{path}\n")).collect();
    std::fs::write(format!("{directory}/covered.txt"), covered)?;
    println!("{} examples of {} functions, seed {seed}", vectors.count, vectors.covered.len());
    Ok(())
}
