//! Pass 1: read the file that hax's driver has written, and import it into hax's own syntax tree.
//!
//! The import is the library's (`hax_rust_engine::import_thir`), which takes the typed tree of rustc apart. It leaves
//! some kinds of definition out without a word; [`check_complete`] says so instead.

use crate::error::{Error, Result};
use crate::ir::Place;
use hax_frontend_exporter::{DefId, FullDef, FullDefKind, ThirBody};
use hax_rust_engine::ast::span::Span;
use hax_rust_engine::ast::{GlobalId, Item};
use hax_types::driver_api::{HaxMeta, Items};
use std::collections::HashMap;
use std::fs::File;

/// All items of the crate, as hax sees them, and what it would leave out.
pub fn read(tree: &str) -> Result<(Vec<Item>, Vec<Error>)> {
    let refuse = |what: String| Error::new(Place { file: tree.to_string(), line: 0 }, what);
    let file = File::open(tree).map_err(|error| refuse(error.to_string()))?;
    let (tree, _table) = HaxMeta::<ThirBody>::read(file);
    let Items::FullDef(definitions) = tree.items else {
        return Err(refuse("the driver was not asked for full definitions".to_string()));
    };
    let by_id: HashMap<DefId, &FullDef<ThirBody>> =
        definitions.iter().map(|d| (d.this.contents().def_id.clone(), d)).collect();
    let (mut items, mut errors) = (vec![], vec![]);
    for definition in &definitions {
        if matches!(definition.kind, FullDefKind::Use(_) | FullDefKind::ExternCrate) {
            continue; // names are resolved already
        }
        if let Err(error) = check_complete(definition) {
            errors.push(error);
            continue;
        }
        items.extend(hax_rust_engine::import_thir::import_item(definition, &by_id));
    }
    Ok((items, errors))
}

/// Where a span begins.
pub fn place(span: Span) -> Place {
    match span.as_frontend_spans().first() {
        Some(span) => {
            let file = span.filename.to_path().map_or("?".to_string(), |path| path.display().to_string());
            Place { file, line: span.lo.line }
        }
        None => Place { file: "?".to_string(), line: 0 },
    }
}

/// Definitions that the import drops are either parts of others (fields, constructors, methods) or an error.
fn check_complete(definition: &FullDef<ThirBody>) -> Result<()> {
    let refuse = |what: &str| {
        let span = Span::from_exporter(definition.span.clone(), None);
        let item = GlobalId::from_frontend(definition.this.contents().def_id.clone(), true).to_debug_string();
        Err(Error::new(place(span), format!("{what} are not translated")).within(&item))
    };
    match &definition.kind {
        FullDefKind::Macro(_) => refuse("macros of the crate"),
        FullDefKind::ForeignMod { .. } => refuse("foreign items"),
        FullDefKind::SyntheticCoroutineBody => refuse("coroutines"),
        FullDefKind::Static { .. } => refuse("statics"),
        FullDefKind::InherentImpl { .. } => Ok(()), // its functions are items
        _ => Ok(()),
    }
}
