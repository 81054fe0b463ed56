//! `PROTOCOL.md` says of each formula which function of the specification it is: the functions are there, and none that
//! computes what a party sends or keeps is left out.
#![allow(missing_docs)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

fn repository(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)).unwrap()
}

/// The functions that the page's last table names, as `module::function`.
fn named() -> BTreeSet<String> {
    let page = repository("reference/PROTOCOL.md");
    let (_, table) = page.split_once("## Where each formula is in the specification").unwrap();
    let names = table.split('`').skip(1).step_by(2).filter(|text| text.contains("::"));
    names.map(str::to_owned).collect()
}

/// The functions of a module of the specification, but for its tests.
fn functions(module: &str) -> BTreeSet<String> {
    let text = repository(&format!("spec/src/{}.rs", module.replace("::", "/")));
    let text = text.split("#[cfg(test)]").next().unwrap_or_default();
    let name = |line: &str| {
        let (_, rest) =
            line.trim_start().strip_prefix("pub ").unwrap_or(line.trim_start()).split_once("fn ")?;
        rest.split(['(', '<']).next().map(|name| format!("{module}::{name}"))
    };
    text.lines()
        .filter(|line| line.contains("fn ") && !line.trim_start().starts_with("//"))
        .filter_map(name)
        .collect()
}

#[test]
fn every_formula_is_a_function_of_the_specification() {
    let named = named();
    assert!(named.len() > 50, "{named:?}");
    for name in &named {
        let (module, _) = name.rsplit_once("::").unwrap();
        assert!(functions(module).contains(name), "{name}");
    }
}

#[test]
fn no_function_of_the_protocols_is_left_out() {
    // What puts named functions together, and adds no formula.
    let compositions = [
        "paper::read::shifted",
        "paper::read::answer",
        "paper::read::read",
        "paper::update::apply",
        "paper::update::update_vectors",
        "paper::update::update",
        "paper::conversion::conversion",
        "two_party::ot::received_all",
        "two_party::update::update",
        "two_party::write::write",
        "two_party::masks::value",
        "two_party::masks::aes_prf",
        // The same in the paper's terms, and what only lemmas need.
        "paper::conversion::convert",
        "paper::conversion::opened_unit_vector",
        "paper::compressed::opened",
        "lean::memory::initial",
        "lean::memory::shared",
        "lean::memory::opened_alpha",
        "lean::memory::opened_beta",
        "lean::read::read",
        "lean::read::opened_flags",
        "lean::update::apply",
        "lean::update::update",
        "lean::one_hot::low_bits",
        "lean::dealing::dealt_0",
        "lean::dealing::dealt_1",
        "lean::layers::bit_word",
        "lean::layers::block_bit",
        "lean::layers::labels_at",
    ];
    let named = named();
    for module in [
        "paper::read",
        "paper::update",
        "paper::conversion",
        "paper::compressed",
        "two_party::conversion",
        "two_party::masks",
        "two_party::ot",
        "two_party::read",
        "two_party::update",
        "two_party::write",
        "lean::memory",
        "lean::layers",
        "lean::one_hot",
        "lean::dealing",
        "lean::read",
        "lean::update",
        "lean::write",
    ] {
        for function in functions(module) {
            assert!(named.contains(&function) ^ compositions.contains(&function.as_str()), "{function}");
        }
    }
}
