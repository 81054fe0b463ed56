//! Pass 8: order. Rocq wants what an item mentions before the item: modules become files in the order of their
//! dependencies, and so do items in a module. A cycle (recursion, or modules that need each other) is an error.

use crate::error::Error;
use crate::ir::{Callee, Constructor, Expr, Function, Item, ItemKind, Pat, Path, Ty};
use std::collections::{BTreeMap, BTreeSet};

/// A file: its module, the modules it needs, and its items in order.
pub struct Module<'a> {
    pub name: String,
    pub needs: BTreeSet<String>,
    pub items: Vec<&'a Item>,
}

pub fn order(items: &[Item]) -> (Vec<Module<'_>>, Vec<Error>) {
    let mut owners: BTreeMap<&Path, usize> = BTreeMap::new();
    for (k, item) in items.iter().enumerate() {
        owners.insert(&item.path, k);
        let parts: Vec<&Path> = match &item.kind {
            ItemKind::Type(ty) => {
                let fields = ty.variants.iter().flat_map(|v| v.fields.iter().map(|(path, _)| path));
                ty.variants.iter().map(|v| &v.path).chain(fields).collect()
            }
            ItemKind::Trait(methods) => methods.iter().map(|method| &method.path).collect(),
            _ => vec![],
        };
        parts.into_iter().for_each(|part| {
            owners.insert(part, k);
        });
    }
    let mut needs: Vec<BTreeSet<usize>> = vec![];
    for item in items {
        let mut paths = BTreeSet::new();
        mentioned(item, &mut paths);
        needs.push(paths.iter().filter_map(|path| owners.get(path).copied()).collect());
    }
    add_instances(items, &mut needs);
    let mut errors = vec![];
    let sorted = sort(items.len(), &|k| needs[k].iter().copied().collect(), &mut |k| {
        errors.push(Error::of(&items[k].path, &items[k].place, "recursion: this item needs itself"));
    });
    let modules = modules(items, &sorted, &needs, &mut errors);
    (modules, errors)
}

/// A type that has an instance brings it along: whoever mentions both a type and a trait needs the instance. The instance
/// is put before all items outside of it that mention its type, except for those that it needs itself.
fn add_instances(items: &[Item], needs: &mut [BTreeSet<usize>]) {
    for (k, item) in items.iter().enumerate() {
        let ItemKind::Instance(instance) = &item.kind else { continue };
        let mut below = BTreeSet::new();
        reach(k, needs, &mut below);
        for (other, entry) in items.iter().enumerate() {
            let mut paths = BTreeSet::new();
            mentioned(entry, &mut paths);
            let is_user = match &instance.self_ty {
                Ty::Named(path, _) => paths.contains(path),
                _ => paths.contains(&instance.trait_),
            };
            if is_user && !below.contains(&other) && other != k {
                needs[other].insert(k);
            }
        }
    }
}

fn reach(from: usize, needs: &[BTreeSet<usize>], seen: &mut BTreeSet<usize>) {
    for next in &needs[from] {
        if seen.insert(*next) {
            reach(*next, needs, seen);
        }
    }
}

fn modules<'a>(
    items: &'a [Item],
    sorted: &[usize],
    needs: &[BTreeSet<usize>],
    errors: &mut Vec<Error>,
) -> Vec<Module<'a>> {
    let mut found: Vec<Module<'a>> = vec![];
    for k in sorted {
        let item = &items[*k];
        let name = item.module.clone();
        let others = needs[*k].iter().map(|other| items[*other].module.clone());
        let others: Vec<String> = others.filter(|other| *other != name).collect();
        let at = found.iter().position(|module| module.name == name).unwrap_or_else(|| {
            found.push(Module { name, needs: BTreeSet::new(), items: vec![] });
            found.len() - 1
        });
        found[at].needs.extend(others);
        found[at].items.push(item);
    }
    let index = |name: &str| found.iter().position(|module| module.name == name);
    let below = |k: usize| found[k].needs.iter().filter_map(|name| index(name)).collect::<Vec<_>>();
    let sorted = sort(found.len(), &below, &mut |k| {
        let Some(place) = found[k].items.first().map(|item| &item.place) else { return };
        let message = "modules that need each other: their files could not be ordered";
        errors.push(Error::of(&Path(found[k].name.clone()), place, message));
    });
    let mut slots: Vec<Option<Module<'a>>> = found.into_iter().map(Some).collect();
    sorted.into_iter().filter_map(|k| slots[k].take()).collect()
}

/// All nodes, each after those that it needs, and otherwise in the given order; `cycle` is told of a node of each cycle.
fn sort(n: usize, needs: &dyn Fn(usize) -> Vec<usize>, cycle: &mut dyn FnMut(usize)) -> Vec<usize> {
    let mut waiting: Vec<usize> = (0..n).collect();
    let mut out: Vec<usize> = vec![];
    while !waiting.is_empty() {
        let ready = waiting.iter().position(|k| needs(*k).iter().all(|other| !waiting.contains(other)));
        let at = ready.unwrap_or_else(|| {
            cycle(waiting[0]);
            0
        });
        out.push(waiting.remove(at));
    }
    out
}

/// The paths that an item mentions.
fn mentioned(item: &Item, out: &mut BTreeSet<Path>) {
    match &item.kind {
        ItemKind::Function(function) => in_function(function, out),
        ItemKind::Alias(ty) => in_ty(ty, out),
        ItemKind::Type(ty) => ty.variants.iter().flat_map(|v| &v.fields).for_each(|(_, ty)| in_ty(ty, out)),
        ItemKind::Trait(methods) => {
            for method in methods {
                method.params.iter().chain([&method.result]).for_each(|ty| in_ty(ty, out));
            }
        }
        ItemKind::Instance(instance) => {
            out.insert(instance.trait_.clone());
            in_ty(&instance.self_ty, out);
            instance.methods.iter().for_each(|(_, function)| in_function(function, out));
        }
    }
}

fn in_function(function: &Function, out: &mut BTreeSet<Path>) {
    out.extend(function.type_params.iter().flat_map(|param| param.traits.iter().cloned()));
    function.params.iter().for_each(|(pat, ty)| {
        in_pat(pat, out);
        in_ty(ty, out);
    });
    in_ty(&function.result, out);
    in_expr(&function.body, out);
}

fn in_ty(ty: &Ty, out: &mut BTreeSet<Path>) {
    match ty {
        Ty::Bool | Ty::Int(_) | Ty::Param(_) => (),
        Ty::Tuple(types) => types.iter().for_each(|ty| in_ty(ty, out)),
        Ty::List(ty) | Ty::Option(ty) => in_ty(ty, out),
        Ty::Named(path, types) => {
            out.insert(path.clone());
            types.iter().for_each(|ty| in_ty(ty, out));
        }
        Ty::Function(params, result) => params.iter().chain([&**result]).for_each(|ty| in_ty(ty, out)),
    }
}

fn in_constructor(constructor: &Constructor, out: &mut BTreeSet<Path>) {
    if let Constructor::Struct(path) | Constructor::Variant(path) = constructor {
        out.insert(path.clone());
    }
}

fn in_pat(pat: &Pat, out: &mut BTreeSet<Path>) {
    match pat {
        Pat::Wild | Pat::Bind(_) | Pat::Bool(_) => (),
        Pat::Tuple(pats) => pats.iter().for_each(|p| in_pat(p, out)),
        Pat::Construct(constructor, pats) => {
            in_constructor(constructor, out);
            pats.iter().for_each(|p| in_pat(p, out));
        }
    }
}

fn in_expr(expr: &Expr, out: &mut BTreeSet<Path>) {
    match expr {
        Expr::Construct(constructor, _) => in_constructor(constructor, out),
        Expr::Field(path, _) => {
            out.insert(path.clone());
        }
        Expr::Call(Callee::Function(path, types), _) => {
            out.insert(path.clone());
            types.iter().for_each(|ty| in_ty(ty, out));
        }
        Expr::Call(Callee::Method(path, ty), _) => {
            out.insert(path.clone());
            in_ty(ty, out);
        }
        Expr::Let(pat, ..) => in_pat(pat, out),
        Expr::Match(_, arms) => arms.iter().for_each(|(pat, _)| in_pat(pat, out)),
        Expr::Closure(params, _) => params.iter().for_each(|(pat, ty)| {
            in_pat(pat, out);
            ty.iter().for_each(|ty| in_ty(ty, out));
        }),
        _ => (),
    }
    expr.children().into_iter().for_each(|child| in_expr(child, out));
}
