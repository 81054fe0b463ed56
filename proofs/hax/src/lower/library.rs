//! The functions of Rust's library that are known, and what they become. A name that is not in the table is refused: in
//! particular everything that can panic, and everything that mutates its argument.

use super::ty::{int_bits, is_bool, is_named, variant_name};
use super::{Lower, refuse};
use crate::error::Result;
use crate::ir::{Callee, Expr as Out};
use hax_rust_engine::ast::*;

/// Functions that return their first argument: copies, and the ways between slices, vectors and iterators, which are all
/// lists. (`Clone::clone` too: a `Clone` that is not derived is refused.)
const IDENTITIES: &[&str] = &[
    "core::clone::Clone::clone",
    "core::slice::impl::iter",
    "core::iter::traits::collect::IntoIterator::into_iter",
    "core::iter::traits::iterator::Iterator::copied",
    "core::iter::traits::iterator::Iterator::cloned",
    "alloc::slice::impl::into_vec",
    "alloc::slice::impl::to_vec",
    "alloc::vec::impl__1::as_slice",
    "rust_primitives::hax::never_to_any",
];

/// Functions of the same arguments in the same order, with their name in the prelude.
const SAME_ORDER: &[(&str, &str)] = &[
    ("core::iter::traits::iterator::Iterator::zip", "combine"),
    ("core::iter::traits::iterator::Iterator::enumerate", "enumerate"),
    ("core::iter::traits::iterator::Iterator::take", "take"),
    ("core::iter::traits::iterator::Iterator::skip", "skip"),
    ("core::slice::impl::len", "len"),
    ("alloc::vec::impl__1::len", "len"),
    ("core::slice::impl::get", "get"),
    ("core::slice::impl::first", "first"),
    ("alloc::slice::impl::concat", "concat"),
    ("rust_primitives::hax::logical_op_and", "andb"),
    ("rust_primitives::hax::logical_op_or", "orb"),
];

/// Functions whose first argument, the list, comes last in Rocq.
const LIST_LAST: &[(&str, &str)] = &[
    ("core::iter::traits::iterator::Iterator::map", "map"),
    ("core::iter::traits::iterator::Iterator::flat_map", "flat_map"),
];

/// Methods of unsigned integers.
const INT_METHODS: &[(&str, &str)] = &[
    ("wrapping_add", "wadd"),
    ("wrapping_sub", "wsub"),
    ("wrapping_mul", "wmul"),
    ("wrapping_neg", "wneg"),
    ("wrapping_shl", "wshl"),
    ("wrapping_shr", "wshr"),
    ("rotate_left", "rotl"),
];

/// Operators: on integers, and on bools if they have them.
const OPERATORS: &[(&str, &str, Option<&str>)] = &[
    ("core::ops::bit::BitXor::bitxor", "ixor", Some("xorb")),
    ("core::ops::bit::BitAnd::bitand", "iand", Some("andb")),
    ("core::ops::bit::BitOr::bitor", "ior", Some("orb")),
    ("core::ops::bit::Not::not", "inot", Some("negb")),
    ("core::cmp::PartialEq::eq", "ieqb", Some("Bool.eqb")),
    ("core::cmp::PartialEq::ne", "ineb", Some("xorb")),
    ("core::cmp::PartialOrd::lt", "iltb", None),
    ("core::cmp::PartialOrd::le", "ileb", None),
    ("core::cmp::PartialOrd::gt", "igtb", None),
    ("core::cmp::PartialOrd::ge", "igeb", None),
];

/// Operators that panic: allowed between constants only.
const PARTIAL: &[(&str, &str)] = &[
    ("core::ops::arith::Add::add", "wadd"),
    ("core::ops::arith::Sub::sub", "wsub"),
    ("core::ops::arith::Mul::mul", "wmul"),
];

fn lookup(table: &[(&str, &'static str)], name: &str) -> Option<&'static str> {
    table.iter().find(|(rust, _)| *rust == name).map(|(_, rocq)| *rocq)
}

fn prelude(name: &'static str, args: Vec<Out>) -> Out {
    Out::Call(Callee::Prelude(name), args)
}

impl Lower {
    /// The call of a function of another crate.
    pub fn library(&self, name: &str, args: &[Expr], call: &Expr) -> Result<Out> {
        let at = call.meta.span;
        if let ([first], true) = (args, IDENTITIES.contains(&name)) {
            return self.expr(first);
        }
        if name == "core::slice::impl::get" && args.get(1).is_none_or(|index| int_bits(&index.ty).is_none()) {
            return refuse(at, "`get` with a range");
        }
        if let Some(rocq) = lookup(SAME_ORDER, name) {
            return Ok(prelude(rocq, self.exprs(args)?));
        }
        if let (Some(rocq), [list, function]) = (lookup(LIST_LAST, name), args) {
            return Ok(prelude(rocq, vec![self.expr(function)?, self.expr(list)?]));
        }
        if let Some((rust, int, bool)) = OPERATORS.iter().find(|(rust, ..)| *rust == name) {
            return self.operator(rust, int, *bool, args, call);
        }
        if let Some(method) = name.strip_prefix("core::num::impl").and_then(|rest| rest.rsplit("::").next()) {
            return match (lookup(INT_METHODS, method), args.first().and_then(|a| int_bits(&a.ty))) {
                (Some(rocq), Some(_)) => Ok(prelude(rocq, self.exprs(args)?)),
                _ => refuse(at, format!("the integer method `{method}`")),
            };
        }
        if let Some(operator) = name.strip_prefix("core::ops::arith::") {
            return match (lookup(PARTIAL, name), self.constant(call)) {
                (Some(rocq), Some(_)) => Ok(prelude(rocq, self.exprs(args)?)),
                _ => refuse(at, format!("`{operator}`, which can overflow: use the wrapping method")),
            };
        }
        self.special(name, args, call)
    }

    fn operator(
        &self,
        rust: &str,
        int: &'static str,
        bool: Option<&'static str>,
        args: &[Expr],
        call: &Expr,
    ) -> Result<Out> {
        let all = |p: &dyn Fn(&Ty) -> bool| !args.is_empty() && args.iter().all(|arg| p(&arg.ty));
        if all(&|ty| int_bits(ty).is_some()) {
            return Ok(prelude(int, self.exprs(args)?));
        }
        match bool {
            Some(bool) if all(&is_bool) => Ok(prelude(bool, self.exprs(args)?)),
            _ => {
                let types: Vec<String> = args.iter().map(|arg| variant_name(arg.ty.kind())).collect();
                refuse(call.meta.span, format!("`{rust}` on {}", types.join(" and ")))
            }
        }
    }

    fn special(&self, name: &str, args: &[Expr], call: &Expr) -> Result<Out> {
        let at = call.meta.span;
        match (name, args) {
            ("alloc::vec::impl::new", _) => Ok(Out::List(vec![])),
            ("core::iter::traits::iterator::Iterator::fold", [list, start, function]) => {
                Ok(prelude("fold_left", vec![self.expr(function)?, self.expr(list)?, self.expr(start)?]))
            }
            ("core::iter::traits::iterator::Iterator::collect", [list]) => {
                if is_named(&call.ty, "alloc::vec::Vec") {
                    self.expr(list)
                } else {
                    refuse(at, "`collect` into something else than a Vec")
                }
            }
            ("rust_primitives::hax::cast_op", [value]) => match (int_bits(&value.ty), int_bits(&call.ty)) {
                (Some(_), Some(bits)) => Ok(Out::Call(Callee::Cast(bits), vec![self.expr(value)?])),
                _ => refuse(at, "a cast between other types than unsigned integers"),
            },
            ("core::ops::function::Fn::call", [function, arguments]) => match arguments.kind() {
                ExprKind::Construct { fields, .. } => {
                    let mut arguments =
                        fields.iter().map(|(_, e)| self.expr(e)).collect::<Result<Vec<_>>>()?;
                    if arguments.is_empty() {
                        arguments.push(Out::unit()); // as `Closure` has it
                    }
                    Ok(Out::Call(Callee::Value(Box::new(self.expr(function)?)), arguments))
                }
                _ => refuse(at, "a call of a closure with a tuple of arguments"),
            },
            _ => refuse(at, format!("a call of `{name}`{}", hint(name))),
        }
    }
}

/// Why a well-known function is not in the table.
fn hint(name: &str) -> &'static str {
    let last = name.rsplit("::").next().unwrap_or_default();
    match last {
        "index" | "index_mut" | "split_at" => ", which can panic: use `get`",
        "unwrap" | "expect" => ", which can panic: use `match`",
        "shl" | "shr" => ", which can panic: use the wrapping method",
        "panic" | "panic_fmt" | "begin_panic" | "assert_failed" | "unreachable_display" => ", which panics",
        _ => "",
    }
}
