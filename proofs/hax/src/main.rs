//! The engine: from the typed syntax tree of a crate, which hax's driver has written to a file, one Rocq file for each Rust
//! module. `README.md` describes the passes; each is a module of its own.
//!
//! `duoram-hax-rocq TREE RESULT ROOT`: ROOT is the logical path of the files in the folder RESULT.
#![forbid(unsafe_code)]

mod alpha;
mod early_return;
mod erase;
mod error;
mod ir;
mod layout;
mod loops;
mod lower;
mod mutation;
mod names;
mod order;
mod print;
mod tree;

use error::{Error, Result};
use ir::{Function, Item, ItemKind, Place};
use std::collections::HashSet;
use std::path::Path;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [tree, result, root] = &arguments[..] else {
        eprintln!("expected TREE RESULT ROOT, got {} arguments", arguments.len());
        std::process::exit(2);
    };
    if let Err(errors) = translate(tree, root).and_then(|files| write(Path::new(result), &files)) {
        for error in &errors {
            eprintln!("not translated: {error}");
        }
        eprintln!("{} errors, no file written", errors.len());
        std::process::exit(1);
    }
}

fn write(result: &Path, files: &[(String, String)]) -> std::result::Result<(), Vec<Error>> {
    for (name, text) in files {
        let path = result.join(name);
        let written =
            path.parent().map_or(Ok(()), std::fs::create_dir_all).and_then(|()| std::fs::write(&path, text));
        written.map_err(|error| {
            vec![Error::new(Place { file: path.display().to_string(), line: 0 }, error.to_string())]
        })?;
    }
    Ok(())
}

/// All passes. Every error is reported, and a single one prevents all output.
fn translate(tree: &str, root: &str) -> std::result::Result<Vec<(String, String)>, Vec<Error>> {
    let (mut parsed, mut errors) = tree::read(tree).map_err(|error| vec![error])?;
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
    let print = print::Print::new(&plain);
    let file =
        |module: &order::Module<'_>| (format!("{}.v", names::file(&module.name)), print.module(module, root));
    let mut files: Vec<(String, String)> = modules.iter().map(file).collect();
    files.push(("All.v".to_string(), print::all(&modules, root)));
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
