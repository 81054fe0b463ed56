//! Pass 6: early return. What follows a statement that may return is moved into those of its branches that do not:
//! `if c { return a; } rest` becomes `if c { a } else { rest }`, and `let x = e?; rest` a match on `e`.
//!
//! A `return` in a closure leaves the closure. In a loop, or in the middle of an expression, it is refused.

use crate::error::{Error, Result};
use crate::ir::{Constructor, Expr, Pat};

/// The body of a function or closure, without `return` and `?`.
pub fn eliminate(body: Expr) -> Result<Expr> {
    match body {
        Expr::Return(value, _) => eliminate(*value),
        Expr::Let(pat, value, body) if leaves(&value) => bind(*value, pat, *body),
        Expr::Let(pat, value, body) => {
            Ok(Expr::Let(pat, Box::new(inside(*value)?), Box::new(eliminate(*body)?)))
        }
        Expr::If(c, a, b) => {
            Ok(Expr::If(Box::new(inside(*c)?), Box::new(eliminate(*a)?), Box::new(eliminate(*b)?)))
        }
        Expr::Match(value, arms) => {
            let arms = arms.into_iter().map(|(pat, body)| Ok((pat, eliminate(body)?)));
            Ok(Expr::Match(Box::new(inside(*value)?), arms.collect::<Result<_>>()?))
        }
        Expr::Try(value, place) => {
            // `e?` as the last expression has the type inside the Option, and so cannot end a function that returns one
            Err(Error::new(place, format!("`?` in this position, on {}", kind(&value))))
        }
        other => inside(other),
    }
}

/// `let pat = value; body`, where `value` may leave the function.
fn bind(value: Expr, pat: Pat, body: Expr) -> Result<Expr> {
    match value {
        Expr::Return(value, _) => eliminate(*value),
        Expr::Try(value, _) => {
            let value = Box::new(inside(*value)?);
            let none =
                (Pat::Construct(Constructor::None, vec![]), Expr::Construct(Constructor::None, vec![]));
            let some = (Pat::Construct(Constructor::Some, vec![pat]), eliminate(body)?);
            Ok(Expr::Match(value, vec![some, none]))
        }
        Expr::If(c, a, b) if leaves(&a) || leaves(&b) => Ok(Expr::If(
            Box::new(inside(*c)?),
            Box::new(bind(*a, pat.clone(), body.clone())?),
            Box::new(bind(*b, pat, body)?),
        )),
        Expr::Match(value, arms) if arms.iter().any(|(_, arm)| leaves(arm)) => {
            let arms = arms.into_iter().map(|(p, arm)| Ok((p, bind(arm, pat.clone(), body.clone())?)));
            Ok(Expr::Match(Box::new(inside(*value)?), arms.collect::<Result<_>>()?))
        }
        Expr::Let(p, first, second) if leaves(&first) => {
            bind(*first, p, Expr::Let(pat, second, Box::new(body)))
        }
        Expr::Let(p, first, second) => {
            Ok(Expr::Let(p, Box::new(inside(*first)?), Box::new(bind(*second, pat, body)?)))
        }
        // the end of a statement
        Expr::Tuple(items) if items.is_empty() && matches!(pat, Pat::Wild) => eliminate(body),
        other => Ok(Expr::Let(pat, Box::new(inside(other)?), Box::new(eliminate(body)?))),
    }
}

/// An expression that must not leave the function; closures in it may be left.
fn inside(expr: Expr) -> Result<Expr> {
    match expr {
        Expr::Closure(params, body) => Ok(Expr::Closure(params, Box::new(eliminate(*body)?))),
        Expr::Return(_, place) => Err(Error::new(place, "`return` inside of an expression or a loop")),
        Expr::Try(_, place) => {
            Err(Error::new(place, "`?` inside of an expression or a loop: bind it with `let`"))
        }
        other => other.map_children(&mut inside),
    }
}

/// Evaluating the expression may leave the function.
fn leaves(expr: &Expr) -> bool {
    match expr {
        Expr::Return(..) | Expr::Try(..) => true,
        Expr::Closure(..) => false,
        other => other.children().into_iter().any(leaves),
    }
}

fn kind(expr: &Expr) -> &'static str {
    match expr {
        Expr::Call(..) => "a call",
        _ => "an expression",
    }
}
