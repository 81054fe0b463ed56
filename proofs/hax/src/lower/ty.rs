//! Types. Unsigned integers, `bool`, tuples, lists (slices, arrays, `Vec`), `Option`, type parameters, and the crate's own.

use super::{Lower, refuse};
use crate::error::Result;
use crate::ir;
use hax_rust_engine::ast::identifiers::global_id::TupleId;
use hax_rust_engine::ast::literals::{IntKind, IntSize, Signedness};
use hax_rust_engine::ast::span::Span;
use hax_rust_engine::ast::*;

/// The width of an integer type; `usize` is taken to have 64 bits.
pub fn width(kind: &IntKind) -> u32 {
    match &kind.size {
        IntSize::S8 => 8,
        IntSize::S16 => 16,
        IntSize::S32 => 32,
        IntSize::S64 | IntSize::SSize => 64,
        IntSize::S128 => 128,
    }
}

/// The width of an unsigned type.
pub fn bits(kind: &IntKind) -> Option<u32> {
    matches!(kind.signedness, Signedness::Unsigned).then(|| width(kind))
}

/// The width, if `ty` is an unsigned integer.
pub fn int_bits(ty: &Ty) -> Option<u32> {
    match ty.kind() {
        TyKind::Primitive(PrimitiveTy::Int(kind)) => bits(kind),
        _ => None,
    }
}

pub fn is_bool(ty: &Ty) -> bool {
    matches!(ty.kind(), TyKind::Primitive(PrimitiveTy::Bool))
}

/// `ty` is this type of another crate.
pub fn is_named(ty: &Ty, name: &str) -> bool {
    matches!(ty.kind(), TyKind::App { head, .. } if head.to_debug_string() == name)
}

impl Lower {
    pub fn ty(&self, ty: &Ty, at: Span) -> Result<ir::Ty> {
        Ok(match ty.kind() {
            TyKind::Primitive(PrimitiveTy::Bool) => ir::Ty::Bool,
            TyKind::Primitive(PrimitiveTy::Int(kind)) => match bits(kind) {
                Some(bits) => ir::Ty::Int(bits),
                None => return refuse(at, "a signed integer type"),
            },
            TyKind::Slice(item) | TyKind::Array { ty: item, .. } => {
                ir::Ty::List(Box::new(self.ty(item, at)?))
            }
            TyKind::Param(name) => ir::Ty::Param(name.to_string()),
            TyKind::Arrow { inputs, output } => {
                let inputs = inputs.iter().map(|input| self.ty(input, at)).collect::<Result<_>>()?;
                ir::Ty::Function(inputs, Box::new(self.ty(output, at)?))
            }
            TyKind::App { head, args } => return self.applied(*head, args, at),
            TyKind::Ref { .. } => return refuse(at, "a mutable reference"),
            TyKind::Error(error) => return refuse(at, super::explain(error)),
            other => return refuse(at, format!("the type {}", variant_name(other))),
        })
    }

    fn applied(&self, head: GlobalId, args: &[GenericValue], at: Span) -> Result<ir::Ty> {
        let mut types = self.type_args(args, at)?;
        if let Some(TupleId::Type { .. }) = head.expect_tuple() {
            return Ok(ir::Ty::Tuple(types));
        }
        Ok(match head.to_debug_string().as_str() {
            "core::option::Option" if types.len() == 1 => ir::Ty::Option(Box::new(types.remove(0))),
            "alloc::vec::Vec" if !types.is_empty() => ir::Ty::List(Box::new(types.remove(0))),
            "alloc::alloc::Global" => ir::Ty::Tuple(vec![]), // the allocator of a Vec: dropped with it
            _ => ir::Ty::Named(self.path(head, at)?, types),
        })
    }

    /// A function of nothing: hax gives it one parameter of type `()`, and calls one argument, which are dropped.
    pub fn is_unit_alone(&self, types: &[&Ty]) -> bool {
        let is_unit = |ty: &Ty| {
            matches!(ty.kind(), TyKind::App { head, .. }
            if matches!(head.expect_tuple(), Some(TupleId::Type { length: 0 })))
        };
        matches!(types, [only] if is_unit(only))
    }

    /// The types among generic arguments; lifetimes vanish, constants are refused.
    pub fn type_args(&self, args: &[GenericValue], at: Span) -> Result<Vec<ir::Ty>> {
        let mut types = vec![];
        for arg in args {
            match arg {
                GenericValue::Ty(ty) => types.push(self.ty(ty, at)?),
                GenericValue::Expr(_) => return refuse(at, "a constant as generic argument"),
                GenericValue::Lifetime => (),
            }
        }
        Ok(types)
    }
}

/// The first word of a node's debug output: its kind.
pub fn variant_name(node: &impl std::fmt::Debug) -> String {
    let debug = format!("{node:?}");
    debug.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_string()
}
