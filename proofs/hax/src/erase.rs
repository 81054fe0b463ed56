//! Pass 2: erase references. Shared borrows, dereferences, boxes, blocks and type ascriptions are the identity on values,
//! and `&T`, `Box<T>` are `T`. Mutable borrows stay, for [`crate::lower`] to refuse.

use hax_rust_engine::ast::visitors::AstVisitorMut;
use hax_rust_engine::ast::*;

/// Functions that return their only argument, as far as values go.
const IDENTITIES: &[&str] = &[
    "alloc::boxed::impl::new",
    "rust_primitives::hax::box_new",
    "rust_primitives::hax::deref_op",
    "rust_primitives::unsize",
    "core::ops::deref::Deref::deref",
];

pub fn erase(item: &mut Item) {
    Erase.visit_item(item);
}

/// The path of a called function, and the arguments.
pub fn called(expr: &Expr) -> Option<(String, &[Expr])> {
    match expr.kind() {
        ExprKind::App { head, args, .. } => match head.kind() {
            ExprKind::GlobalId(id) => Some((id.to_debug_string(), args)),
            _ => None,
        },
        _ => None,
    }
}

struct Erase;

impl AstVisitorMut for Erase {
    fn visit_expr(&mut self, expr: &mut Expr) {
        self.visit_inner(expr);
        let inner = match expr.kind() {
            ExprKind::Borrow { mutable: false, inner } => Some(inner.clone()),
            ExprKind::Ascription { e, .. } => Some(e.clone()),
            ExprKind::Block { body, safety_mode: SafetyKind::Safe } => Some(body.clone()),
            _ => called(expr)
                .filter(|(name, args)| args.len() == 1 && IDENTITIES.contains(&name.as_str()))
                .map(|(_, args)| args[0].clone()),
        };
        if let Some(inner) = inner {
            *expr = inner;
        }
    }

    fn visit_pat(&mut self, pat: &mut Pat) {
        self.visit_inner(pat);
        let inner = match pat.kind() {
            PatKind::Deref { sub_pat } => Some(sub_pat.clone()),
            PatKind::Ascription { pat, .. } => Some(pat.clone()),
            _ => None,
        };
        if let Some(inner) = inner {
            *pat = inner;
        }
    }

    fn visit_ty(&mut self, ty: &mut Ty) {
        self.visit_inner(ty);
        let inner = match ty.kind() {
            TyKind::Ref { inner, mutable: false, .. } => Some(inner.clone()),
            TyKind::App { head, args } if head.to_debug_string() == "alloc::boxed::Box" => {
                args.first().and_then(|arg| arg.expect_ty()).cloned()
            }
            _ => None,
        };
        if let Some(inner) = inner {
            *ty = inner;
        }
    }
}
