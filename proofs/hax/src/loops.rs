//! Pass 3: recognize `for`. rustc has already turned `for pat in list { body }` into
//!
//! ```text
//! match IntoIterator::into_iter(list) {
//!     mut iter => loop { match Iterator::next(&mut iter) { None => break, Some(pat) => body } }
//! }
//! ```
//!
//! Any other loop is refused by [`crate::lower`]: only a `for` over a list ends for a reason that can be seen.

use crate::erase::called;
use hax_rust_engine::ast::*;

pub struct For<'a> {
    pub list: &'a Expr,
    pub pat: &'a Pat,
    pub body: &'a Expr,
}

/// `expr` as a desugared `for`.
pub fn recognize(expr: &Expr) -> Option<For<'_>> {
    let ExprKind::Match { scrutinee, arms } = expr.kind() else { return None };
    let list = the_call(scrutinee, "IntoIterator::into_iter")?;
    let [arm] = &arms[..] else { return None };
    let ExprKind::Loop { body, .. } = arm.body.kind() else { return None };
    let step = match body.kind() {
        ExprKind::Let { rhs, .. } => rhs,
        _ => body,
    };
    let ExprKind::Match { scrutinee: next, arms } = step.kind() else { return None };
    the_call(next, "Iterator::next")?;
    let [_, some] = &arms[..] else { return None };
    let PatKind::Construct { fields, .. } = some.pat.kind() else { return None };
    let [(_, pat)] = &fields[..] else { return None };
    Some(For { list, pat, body: &some.body })
}

/// The argument of a call of the trait method with this last name.
fn the_call<'a>(expr: &'a Expr, method: &str) -> Option<&'a Expr> {
    called(expr).filter(|(name, args)| name.ends_with(method) && args.len() == 1).map(|(_, args)| &args[0])
}
