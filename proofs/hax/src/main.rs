//! The engine that cargo-hax runs: it reads the typed syntax tree of a crate from its standard input and answers with
//! one Rocq file for each Rust module. `README.md` describes the passes; each is a module of its own.
#![forbid(unsafe_code)]

mod alpha;
mod early_return;
mod erase;
mod error;
mod ir;
mod layout;
mod loops;
mod lower;
mod message;
mod mutation;
mod names;
mod order;
mod print;

use error::{Error, Result};
use hax_types::engine_api::File;
use hax_types::engine_api::protocol::FromEngine;
use ir::{Function, Item, ItemKind};
use std::collections::HashSet;

/// The logical path of the generated files; another one for the engine's own tests.
const ROOT_VARIABLE: &str = "HAX_ROCQ_ROOT";

fn main() {
    match translate() {
        Ok(files) => {
            for (path, contents) in files {
                hax_rust_engine::hax_io::write(&FromEngine::File(File { path, contents, sourcemap: None }));
            }
        }
        Err(errors) => {
            for error in &errors {
                eprintln!("not translated: {error}");
            }
            eprintln!("{} errors, no file written", errors.len());
            std::process::exit(1);
        }
    }
}

/// All passes. Every error is reported, and a single one prevents all output.
fn translate() -> std::result::Result<Vec<(String, String)>, Vec<Error>> {
    let (mut parsed, mut errors) = message::read().map_err(|error| vec![error])?;
    parsed.iter_mut().for_each(erase::erase);
    let (items, refused) = lower::lower(&parsed);
    errors.extend(refused);
    let (reserved, clashes) = names::reserved(&items);
    errors.extend(clashes);
    let mut plain = vec![];
    for item in items {
        let path = item.path.0.clone();
        match rewrite(item, &reserved) {
            Ok(item) => plain.push(item),
            Err(error) => errors.push(error.within(&path)),
        }
    }
    let (modules, cycles) = order::order(&plain);
    errors.extend(cycles);
    if !errors.is_empty() {
        return Err(errors);
    }
    let root = std::env::var(ROOT_VARIABLE).unwrap_or_else(|_| "Duoram.Generated".to_string());
    let print = print::Print::new(&plain);
    let file = |module: &order::Module<'_>| {
        (format!("{}.v", names::file(&module.name)), print.module(module, &root))
    };
    let mut files: Vec<(String, String)> = modules.iter().map(file).collect();
    files.push(("All.v".to_string(), print::all(&modules, &root)));
    files.push(("functions.txt".to_string(), print::functions(&modules)));
    Ok(files)
}

/// The passes on the bodies of functions.
fn rewrite(item: Item, reserved: &HashSet<String>) -> Result<Item> {
    let plain = |function: Function| {
        let function = alpha::rename(function, reserved)?;
        let body = mutation::eliminate(early_return::eliminate(function.body)?)?;
        Ok(Function { body, ..function })
    };
    let kind = match item.kind {
        ItemKind::Function(function) => ItemKind::Function(plain(function)?),
        ItemKind::Instance(mut instance) => {
            let methods = instance.methods.into_iter().map(|(path, function)| Ok((path, plain(function)?)));
            instance.methods = methods.collect::<Result<_>>()?;
            ItemKind::Instance(instance)
        }
        other => other,
    };
    Ok(Item { kind, ..item })
}
