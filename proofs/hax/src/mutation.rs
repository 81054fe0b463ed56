//! Pass 7: local mutation and loops. An assignment becomes a `let` of the same name; an `if`, a `match` or a loop whose
//! branches assign variables yields their new values as a tuple; a loop is a `fold_left` over this tuple.

use crate::error::{Error, Result};
use crate::ir::{Callee, Expr, Pat, Place};
use std::collections::BTreeSet;

/// The same value without assignments and loops.
pub fn eliminate(expr: Expr) -> Result<Expr> {
    state(expr, &[], true)
}

/// An expression for the value of `expr` (if it is wanted) and the values of `variables` after it, as one tuple.
fn state(expr: Expr, variables: &[String], value: bool) -> Result<Expr> {
    match expr {
        Expr::Let(pat, first, body) => {
            let changed = assigned(&first);
            // the value of a statement is not used
            let wanted = changed.is_empty() || !matches!(pat, Pat::Wild);
            let pat = tuple_pat(wanted.then_some(pat), &changed);
            let first = state(*first, &changed, wanted)?;
            Ok(bind(pat, first, state(*body, variables, value)?))
        }
        Expr::Assign(name, new, place) => {
            let new = pure(*new, &place)?;
            Ok(Expr::Let(Pat::Bind(name), Box::new(new), Box::new(result(Expr::unit(), variables, value))))
        }
        Expr::For { pat, item, list, body, place } => {
            let changed = assigned(&body);
            let list = pure(*list, &place)?;
            let step = state(*body, &changed, false)?;
            let accumulator = (tuple_pat(None, &changed), None);
            let closure = Expr::Closure(vec![accumulator, (pat, Some(item))], Box::new(step));
            let fold = Expr::Call(Callee::Prelude("fold_left"), vec![closure, list, tuple(None, &changed)]);
            let rest = result(Expr::unit(), variables, value);
            Ok(Expr::Let(tuple_pat(None, &changed), Box::new(fold), Box::new(rest)))
        }
        Expr::If(c, a, b) => Ok(Expr::If(
            Box::new(condition(*c)?),
            Box::new(state(*a, variables, value)?),
            Box::new(state(*b, variables, value)?),
        )),
        Expr::Match(scrutinee, arms) => {
            let arms = arms.into_iter().map(|(pat, body)| Ok((pat, state(body, variables, value)?)));
            Ok(Expr::Match(Box::new(condition(*scrutinee)?), arms.collect::<Result<_>>()?))
        }
        other => Ok(result(condition(other)?, variables, value)),
    }
}

/// An expression in a place where nothing may be assigned; blocks in it may have variables of their own.
fn condition(expr: Expr) -> Result<Expr> {
    match expr {
        Expr::Closure(params, body) => Ok(Expr::Closure(params, Box::new(closed(*body)?))),
        other => other.map_children(&mut closed),
    }
}

/// An expression that assigns only what it binds itself.
fn closed(expr: Expr) -> Result<Expr> {
    match first_assignment(&expr) {
        Some(place) => Err(Error::new(place, "an assignment inside of an expression or a closure")),
        None => eliminate(expr),
    }
}

fn pure(expr: Expr, place: &Place) -> Result<Expr> {
    match assigned(&expr).is_empty() {
        true => eliminate(expr),
        false => Err(Error::new(place.clone(), "an assignment inside of an expression")),
    }
}

/// `value` followed by `variables`, or those alone.
fn result(expr: Expr, variables: &[String], value: bool) -> Expr {
    tuple(value.then_some(expr), variables)
}

/// `let pat := first in body`; but `let x := (let x := v in x) in body` is `let x := v in body`.
fn bind(pat: Pat, first: Expr, body: Expr) -> Expr {
    match first {
        Expr::Let(inner, value, end) if mirrors(&inner, &end) && mirrors(&pat, &end) => {
            Expr::Let(pat, value, Box::new(body))
        }
        first => Expr::Let(pat, Box::new(first), Box::new(body)),
    }
}

/// The expression is the value that the pattern matches, variable by variable.
fn mirrors(pat: &Pat, expr: &Expr) -> bool {
    match (pat, expr) {
        (Pat::Bind(name), Expr::Local(other)) => name == other,
        (Pat::Tuple(pats), Expr::Tuple(exprs)) => {
            pats.len() == exprs.len() && pats.iter().zip(exprs).all(|(pat, expr)| mirrors(pat, expr))
        }
        _ => false,
    }
}

fn tuple(first: Option<Expr>, variables: &[String]) -> Expr {
    let mut all: Vec<Expr> = first.into_iter().chain(variables.iter().cloned().map(Expr::Local)).collect();
    if all.len() == 1 { all.remove(0) } else { Expr::Tuple(all) }
}

fn tuple_pat(first: Option<Pat>, variables: &[String]) -> Pat {
    let mut all: Vec<Pat> = first.into_iter().chain(variables.iter().cloned().map(Pat::Bind)).collect();
    match all.len() {
        0 => Pat::Wild,
        1 => all.remove(0),
        _ => Pat::Tuple(all),
    }
}

/// The variables that `expr` assigns and does not bind, in alphabetical order.
fn assigned(expr: &Expr) -> Vec<String> {
    let mut found = BTreeSet::new();
    visit(expr, &mut vec![], &mut |name, _| {
        found.insert(name.to_string());
    });
    found.into_iter().collect()
}

/// The place of an assignment to a variable that `expr` does not bind.
fn first_assignment(expr: &Expr) -> Option<Place> {
    let mut found = None;
    visit(expr, &mut vec![], &mut |_, place| {
        found.get_or_insert(place.clone());
    });
    found
}

/// Calls `f` for each assignment to a variable that is not bound.
fn visit(expr: &Expr, bound: &mut Vec<String>, f: &mut dyn FnMut(&str, &Place)) {
    let depth = bound.len();
    match expr {
        Expr::Assign(name, value, place) => {
            visit(value, bound, f);
            if !bound.contains(name) {
                f(name, place);
            }
        }
        Expr::Let(pat, value, body) => {
            visit(value, bound, f);
            binders(pat, bound);
            visit(body, bound, f);
        }
        Expr::Match(value, arms) => {
            visit(value, bound, f);
            for (pat, body) in arms {
                binders(pat, bound);
                visit(body, bound, f);
                bound.truncate(depth);
            }
        }
        Expr::Closure(params, body) => {
            params.iter().for_each(|(pat, _)| binders(pat, bound));
            visit(body, bound, f);
        }
        Expr::For { pat, list, body, .. } => {
            visit(list, bound, f);
            binders(pat, bound);
            visit(body, bound, f);
        }
        other => other.children().into_iter().for_each(|child| visit(child, bound, f)),
    }
    bound.truncate(depth);
}

fn binders(pat: &Pat, bound: &mut Vec<String>) {
    match pat {
        Pat::Wild | Pat::Bool(_) => (),
        Pat::Bind(name) => bound.push(name.clone()),
        Pat::Tuple(pats) | Pat::Construct(_, pats) => pats.iter().for_each(|p| binders(p, bound)),
    }
}
