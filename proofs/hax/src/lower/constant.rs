//! Constant arithmetic, the only place where `+`, `-` and `*` are allowed: their value is known here, so that it can be
//! checked not to overflow.

use super::Lower;
use super::ty::int_bits;
use crate::erase::called;
use hax_rust_engine::ast::literals::Literal;
use hax_rust_engine::ast::*;

impl Lower {
    /// The value of a constant expression of an unsigned type; none if it is not constant, or overflows.
    pub fn constant(&self, expr: &Expr) -> Option<u128> {
        let bits = int_bits(&expr.ty)?;
        let value = match expr.kind() {
            ExprKind::Literal(Literal::Int { value, negative: false, .. }) => value.parse().ok()?,
            ExprKind::GlobalId(id) => self.constant(self.constants.get(&id.to_debug_string())?)?,
            _ => {
                let (name, args) = called(expr)?;
                match (name.as_str(), args) {
                    (_, []) => self.constant(self.constants.get(&name)?)?,
                    ("core::ops::arith::Add::add", [a, b]) => {
                        self.constant(a)?.checked_add(self.constant(b)?)?
                    }
                    ("core::ops::arith::Sub::sub", [a, b]) => {
                        self.constant(a)?.checked_sub(self.constant(b)?)?
                    }
                    ("core::ops::arith::Mul::mul", [a, b]) => {
                        self.constant(a)?.checked_mul(self.constant(b)?)?
                    }
                    _ => return None,
                }
            }
        };
        (bits == 128 || value < 1 << bits).then_some(value)
    }
}
