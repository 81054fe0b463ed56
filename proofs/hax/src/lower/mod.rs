//! Pass 4: from hax's syntax tree to [`crate::ir`]. Whatever is not explicitly handled here is refused.

mod constant;
mod expr;
mod item;
mod library;
mod pat;
mod ty;

use crate::error::{Error, Result};
use crate::ir;
use crate::tree::place;
use hax_rust_engine::ast::span::Span;
use hax_rust_engine::ast::*;
use std::collections::{HashMap, HashSet};

/// What lowering must know of the whole crate.
pub struct Lower {
    krate: String,
    /// The paths of a constructor's fields, in the order of their declaration.
    fields: HashMap<String, Vec<String>>,
    /// The bodies of constants.
    constants: HashMap<String, Expr>,
    /// The paths of all modules.
    modules: HashSet<String>,
}

/// The crate's items in the order of the source, and everything that cannot be translated.
pub fn lower(items: &[Item]) -> (Vec<ir::Item>, Vec<Error>) {
    let lower = Lower::new(items);
    let derived = item::derived_equalities(items);
    let (mut out, mut errors) = (vec![], vec![]);
    for item in items {
        match lower.item(item, items, &derived) {
            Ok(Some(item)) => out.push(item),
            Ok(None) => (),
            Err(error) => errors.push(error.within(&item.ident.to_debug_string())),
        }
    }
    out.sort_by(|a: &ir::Item, b: &ir::Item| a.place.cmp(&b.place));
    (out, errors)
}

impl Lower {
    fn new(items: &[Item]) -> Lower {
        let krate = items.first().map_or(String::new(), |item| item.ident.krate().to_string());
        let (mut fields, mut constants, mut modules) = (HashMap::new(), HashMap::new(), HashSet::new());
        for item in items {
            match item.kind() {
                ItemKind::Type { variants, .. } => {
                    for variant in variants {
                        let names = variant.arguments.iter().map(|field| field.0.to_debug_string());
                        fields.insert(variant.name.to_debug_string(), names.collect());
                    }
                }
                ItemKind::Fn { params, body, .. } if params.is_empty() => {
                    constants.insert(item.ident.to_debug_string(), body.clone());
                }
                ItemKind::RustModule => {
                    modules.insert(item.ident.to_debug_string());
                }
                _ => (),
            }
        }
        Lower { krate, fields, constants, modules }
    }

    fn is_own(&self, id: GlobalId) -> bool {
        id.krate() == self.krate
    }

    /// The path of an item of the crate.
    fn path(&self, id: GlobalId, at: Span) -> Result<ir::Path> {
        if !self.is_own(id) {
            return refuse(at, format!("`{}` of another crate", id.to_debug_string()));
        }
        Ok(self.strip(&id.to_debug_string()))
    }

    /// The path of the innermost module around an item, without the crate's name. The item may be in a function.
    fn module(&self, item: &str) -> String {
        let ends = item.rmatch_indices("::").map(|(end, _)| &item[..end]);
        let module = ends.into_iter().find(|path| self.modules.contains(*path)).unwrap_or_default();
        if module == self.krate { String::new() } else { self.strip(module).0 }
    }

    /// The path without the crate's name.
    fn strip(&self, name: &str) -> ir::Path {
        let prefix = format!("{}::", self.krate);
        ir::Path(name.strip_prefix(&prefix).unwrap_or(name).to_string())
    }

    /// Puts the fields of a constructor of the crate into the order of their declaration.
    fn in_order<T: Clone>(&self, constructor: GlobalId, given: &[(GlobalId, T)]) -> Vec<(String, Option<T>)> {
        let find = |name: &str| {
            given.iter().find(|(id, _)| id.to_debug_string() == name).map(|(_, value)| value.clone())
        };
        match self.fields.get(&constructor.to_debug_string()) {
            Some(names) => names.iter().map(|name| (name.clone(), find(name))).collect(),
            None => given.iter().map(|(id, value)| (id.to_debug_string(), Some(value.clone()))).collect(),
        }
    }

    fn constructor(&self, id: GlobalId, is_struct: bool, at: Span) -> Result<ir::Constructor> {
        Ok(match id.to_debug_string().as_str() {
            "core::option::Option::Some" => ir::Constructor::Some,
            "core::option::Option::None" => ir::Constructor::None,
            _ if is_struct => ir::Constructor::Struct(self.path(id, at)?),
            _ => ir::Constructor::Variant(self.path(id, at)?),
        })
    }
}

fn refuse<T>(at: Span, message: impl Into<String>) -> Result<T> {
    Err(Error::new(place(at), message))
}

/// What hax itself says about a node that it could not import.
fn explain(error: &ErrorNode) -> String {
    let reasons: Vec<String> = error.diagnostics.iter().map(|d| format!("{:?}", d.info().kind)).collect();
    format!("hax cannot import this: {}", reasons.join("; "))
}
