//! Patterns: variables, tuples, constructors, `true`, `false` and `_`.

use super::ty::variant_name;
use super::{Lower, explain, refuse};
use crate::error::Result;
use crate::ir;
use hax_rust_engine::ast::literals::Literal;
use hax_rust_engine::ast::*;

impl Lower {
    pub fn pat(&self, pat: &Pat) -> Result<ir::Pat> {
        let at = pat.meta.span;
        Ok(match pat.kind() {
            PatKind::Wild => ir::Pat::Wild,
            PatKind::Constant { lit: Literal::Bool(bit) } => ir::Pat::Bool(*bit),
            PatKind::Constant { .. } => return refuse(at, "a literal in a pattern"),
            PatKind::Binding { mode: BindingMode::ByRef(BorrowKind::Mut | BorrowKind::Unique), .. } => {
                return refuse(at, "a pattern that borrows mutably");
            }
            PatKind::Binding { sub_pat: Some(_), .. } => return refuse(at, "a pattern with @"),
            PatKind::Binding { var, .. } => ir::Pat::Bind(var.to_string()),
            PatKind::Construct { constructor, fields, is_struct, .. } => {
                if constructor.expect_tuple().is_some() {
                    return Ok(ir::Pat::Tuple(
                        fields.iter().map(|(_, p)| self.pat(p)).collect::<Result<_>>()?,
                    ));
                }
                let fields = self.in_order(*constructor, fields).into_iter().map(|(_, field)| match field {
                    Some(field) => self.pat(&field),
                    None => Ok(ir::Pat::Wild), // `..`
                });
                let fields = fields.collect::<Result<_>>()?;
                ir::Pat::Construct(self.constructor(*constructor, *is_struct, at)?, fields)
            }
            PatKind::Or { .. } => return refuse(at, "an alternative in a pattern"),
            PatKind::Array { .. } => return refuse(at, "a slice pattern"),
            PatKind::Error(error) => return refuse(at, explain(error)),
            other => return refuse(at, format!("the pattern {}", variant_name(other))),
        })
    }
}
