//! Pass 5: rename variables so that none has a reserved name and none shadows another.
//!
//! The passes after this one move expressions under binders that were not around them. That captures nothing: what is
//! moved was in the scope of all variables that it mentions, and no binder on the way has one of their names.

use crate::error::Result;
use crate::ir::{Expr, Function, Pat};
use std::collections::{HashMap, HashSet};

#[derive(Clone, Default)]
struct Scope {
    /// Rust's names in scope, and theirs here.
    names: HashMap<String, String>,
    /// All names of the binders around, those too that Rust's own shadowing hides: what is moved here later may mean them.
    taken: HashSet<String>,
}

struct Alpha<'a> {
    reserved: &'a HashSet<String>,
}

pub fn rename(function: Function, reserved: &HashSet<String>) -> Result<Function> {
    let bounds = function.type_params.iter().flat_map(|param| {
        let bounds = param.traits.iter().map(|trait_| crate::names::bound(&param.name, trait_));
        std::iter::once(param.name.clone()).chain(bounds)
    });
    let mut reserved = reserved.clone();
    reserved.extend(bounds);
    let alpha = Alpha { reserved: &reserved };
    let mut scope = Scope::default();
    let params = function.params.into_iter().map(|(pat, ty)| (alpha.pat(pat, &mut scope), ty)).collect();
    let body = alpha.expr(function.body, &scope)?;
    Ok(Function { params, body, ..function })
}

impl Alpha<'_> {
    /// A new name for a variable.
    fn bind(&self, name: &str, scope: &mut Scope) -> String {
        let free =
            |candidate: &String| !self.reserved.contains(candidate) && !scope.taken.contains(candidate);
        let candidates = std::iter::once(name.to_string()).chain((1..).map(|k| format!("{name}_{k}")));
        let new = candidates.into_iter().find(free).unwrap_or_default();
        scope.names.insert(name.to_string(), new.clone());
        scope.taken.insert(new.clone());
        new
    }

    fn pat(&self, pat: Pat, scope: &mut Scope) -> Pat {
        match pat {
            Pat::Wild | Pat::Bool(_) => pat,
            Pat::Bind(name) => Pat::Bind(self.bind(&name, scope)),
            Pat::Tuple(pats) => Pat::Tuple(pats.into_iter().map(|p| self.pat(p, scope)).collect()),
            Pat::Construct(constructor, pats) => {
                Pat::Construct(constructor, pats.into_iter().map(|p| self.pat(p, scope)).collect())
            }
        }
    }

    fn expr(&self, expr: Expr, scope: &Scope) -> Result<Expr> {
        let renamed = |name: String| scope.names.get(&name).cloned().unwrap_or(name);
        match expr {
            Expr::Local(name) => Ok(Expr::Local(renamed(name))),
            Expr::Assign(name, value, place) => {
                Ok(Expr::Assign(renamed(name), Box::new(self.expr(*value, scope)?), place))
            }
            Expr::Let(pat, value, body) => {
                let value = self.expr(*value, scope)?;
                let mut inner = scope.clone();
                let pat = self.pat(pat, &mut inner);
                Ok(Expr::Let(pat, Box::new(value), Box::new(self.expr(*body, &inner)?)))
            }
            Expr::Match(value, arms) => {
                let value = self.expr(*value, scope)?;
                let arms = arms.into_iter().map(|(pat, body)| {
                    let mut inner = scope.clone();
                    let pat = self.pat(pat, &mut inner);
                    Ok((pat, self.expr(body, &inner)?))
                });
                Ok(Expr::Match(Box::new(value), arms.collect::<Result<_>>()?))
            }
            Expr::Closure(params, body) => {
                let mut inner = scope.clone();
                let params = params.into_iter().map(|(pat, ty)| (self.pat(pat, &mut inner), ty)).collect();
                Ok(Expr::Closure(params, Box::new(self.expr(*body, &inner)?)))
            }
            Expr::For { pat, item, list, body, place } => {
                let list = self.expr(*list, scope)?;
                let mut inner = scope.clone();
                let pat = self.pat(pat, &mut inner);
                let body = self.expr(*body, &inner)?;
                Ok(Expr::For { pat, item, list: Box::new(list), body: Box::new(body), place })
            }
            other => other.map_children(&mut |child| self.expr(child, scope)),
        }
    }
}
