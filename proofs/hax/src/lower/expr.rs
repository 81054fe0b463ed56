//! Expressions.

use super::ty::{is_named, variant_name};
use super::{Lower, explain, refuse};
use crate::erase::called;
use crate::error::{Error, Result};
use crate::ir;
use crate::loops;
use crate::tree::place;
use hax_rust_engine::ast::identifiers::global_id::TupleId;
use hax_rust_engine::ast::literals::Literal;
use hax_rust_engine::ast::*;

impl Lower {
    pub fn exprs(&self, exprs: &[Expr]) -> Result<Vec<ir::Expr>> {
        exprs.iter().map(|expr| self.expr(expr)).collect()
    }

    pub fn boxed(&self, expr: &Expr) -> Result<Box<ir::Expr>> {
        Ok(Box::new(self.expr(expr)?))
    }

    /// An expression. An error in the expansion of a macro of another crate is reported where the macro is called.
    pub fn expr(&self, expr: &Expr) -> Result<ir::Expr> {
        self.expr_here(expr).map_err(|error| match error.place.is_foreign() {
            true => Error { place: place(expr.meta.span), ..error },
            false => error,
        })
    }

    fn expr_here(&self, expr: &Expr) -> Result<ir::Expr> {
        let at = expr.meta.span;
        if let Some(found) = loops::recognize(expr) {
            return Ok(ir::Expr::For {
                pat: self.pat(found.pat)?,
                item: self.ty(&found.pat.ty, found.pat.meta.span)?,
                list: self.boxed(found.list)?,
                body: self.boxed(found.body)?,
                place: place(at),
            });
        }
        Ok(match expr.kind() {
            ExprKind::Literal(literal) => self.literal(literal, expr)?,
            ExprKind::LocalId(name) => ir::Expr::Local(name.to_string()),
            ExprKind::GlobalId(id) => match id.expect_tuple() {
                Some(_) => ir::Expr::unit(),
                None => ir::Expr::Call(ir::Callee::Function(self.path(*id, at)?, vec![]), vec![]),
            },
            ExprKind::Array(items) => ir::Expr::List(self.exprs(items)?),
            ExprKind::If { condition, then, else_ } => {
                let else_ = else_.as_ref().map_or(Ok(ir::Expr::unit()), |e| self.expr(e))?;
                ir::Expr::If(self.boxed(condition)?, self.boxed(then)?, Box::new(else_))
            }
            ExprKind::Let { lhs, rhs, body } => {
                ir::Expr::Let(self.pat(lhs)?, self.boxed(rhs)?, self.boxed(body)?)
            }
            ExprKind::Match { scrutinee, arms } => self.matching(scrutinee, arms, expr)?,
            ExprKind::Closure { params, body, .. } => {
                let mut lowered = params.iter().map(|p| self.closure_param(p)).collect::<Result<Vec<_>>>()?;
                if lowered.is_empty() || self.is_unit_alone(&params.iter().map(|p| &p.ty).collect::<Vec<_>>())
                {
                    lowered = vec![(ir::Pat::Wild, Some(ir::Ty::Tuple(vec![])))]; // a closure of nothing takes `tt`
                }
                ir::Expr::Closure(lowered, self.boxed(body)?)
            }
            ExprKind::Construct { .. } => self.construct(expr)?,
            ExprKind::App { head, args, generic_args, trait_, .. } => {
                self.application(expr, head, args, generic_args, trait_)?
            }
            ExprKind::Assign { lhs: Lhs::LocalVar { var, .. }, value } => {
                ir::Expr::Assign(var.to_string(), self.boxed(value)?, place(at))
            }
            ExprKind::Assign { .. } => return refuse(at, "an assignment to a part of a variable"),
            ExprKind::Return { value } => ir::Expr::Return(self.boxed(value)?, place(at)),
            ExprKind::Loop { .. } => return refuse(at, "a loop that is not a `for`"),
            ExprKind::Break { .. } | ExprKind::Continue { .. } => return refuse(at, "`break` or `continue`"),
            ExprKind::Borrow { mutable: true, .. } => return refuse(at, "a mutable borrow"),
            ExprKind::Block { .. } => return refuse(at, "an unsafe block"),
            ExprKind::Error(error) => return refuse(at, explain(error)),
            other => return refuse(at, format!("the expression {}", variant_name(other))),
        })
    }

    fn literal(&self, literal: &Literal, expr: &Expr) -> Result<ir::Expr> {
        match literal {
            Literal::Bool(bit) => Ok(ir::Expr::Bool(*bit)),
            Literal::Int { value, negative: false, kind } => match super::ty::bits(kind) {
                Some(bits) => Ok(ir::Expr::Int(bits, value.to_string())),
                None => refuse(expr.meta.span, "a signed integer"),
            },
            _ => refuse(expr.meta.span, "a literal that is neither a number nor a bool"),
        }
    }

    /// A bound of a range. `(0..8)` counts in `i32` where the count is not used; a literal that is not negative is the same
    /// as an unsigned one then.
    fn range_bound(&self, bound: &Expr) -> Result<ir::Expr> {
        match bound.kind() {
            ExprKind::Literal(Literal::Int { value, negative: false, kind })
                if super::ty::bits(kind).is_none() =>
            {
                Ok(ir::Expr::Int(super::ty::width(kind), value.to_string()))
            }
            _ => self.expr(bound),
        }
    }

    /// A parameter of a closure, with its type; an unused one, which may be such a count, without.
    fn closure_param(&self, param: &Pat) -> Result<(ir::Pat, Option<ir::Ty>)> {
        match self.pat(param)? {
            ir::Pat::Wild => Ok((ir::Pat::Wild, None)),
            pat => Ok((pat, Some(self.ty(&param.ty, param.meta.span)?))),
        }
    }

    fn matching(&self, scrutinee: &Expr, arms: &[Arm], expr: &Expr) -> Result<ir::Expr> {
        let at = expr.meta.span;
        if let Some((name, [value])) = called(scrutinee).as_ref().map(|(name, args)| (name.as_str(), *args))
            && name == "core::ops::try_trait::Try::branch"
        {
            if !is_named(&value.ty, "core::option::Option") {
                return refuse(at, "`?` on something else than an Option");
            }
            return Ok(ir::Expr::Try(self.boxed(value)?, place(at)));
        }
        let mut out = vec![];
        for arm in arms {
            if arm.guard.is_some() {
                return refuse(arm.meta.span, "a match guard");
            }
            out.push((self.pat(&arm.pat)?, self.expr(&arm.body)?));
        }
        if out.is_empty() {
            return refuse(at, "a match without arms");
        }
        Ok(ir::Expr::Match(self.boxed(scrutinee)?, out))
    }

    fn construct(&self, expr: &Expr) -> Result<ir::Expr> {
        let at = expr.meta.span;
        let ExprKind::Construct { constructor, fields, base, is_struct, .. } = expr.kind() else {
            return refuse(at, "not a constructor");
        };
        let given = |fields: &[(GlobalId, Expr)]| {
            fields.iter().map(|(_, e)| self.expr(e)).collect::<Result<Vec<_>>>()
        };
        if constructor.expect_tuple().is_some() {
            return Ok(ir::Expr::Tuple(given(fields)?));
        }
        if constructor.to_debug_string() == "core::ops::range::Range" {
            let bounds = fields.iter().map(|(_, bound)| self.range_bound(bound)).collect::<Result<_>>()?;
            return Ok(ir::Expr::Call(ir::Callee::Prelude("range"), bounds));
        }
        let base = match base {
            None => None,
            Some(base) => match base.kind() {
                ExprKind::LocalId(name) => Some(ir::Expr::Local(name.to_string())),
                _ => return refuse(at, "`..base` where base is not a variable"),
            },
        };
        let mut values = vec![];
        for (field, value) in self.in_order(*constructor, fields) {
            values.push(match (value, &base) {
                (Some(value), _) => self.expr(&value)?,
                (None, Some(base)) => ir::Expr::Field(self.strip(&field), Box::new(base.clone())),
                (None, None) => return refuse(at, format!("no value for the field {field}")),
            });
        }
        Ok(ir::Expr::Construct(self.constructor(*constructor, *is_struct, at)?, values))
    }

    fn application(
        &self,
        expr: &Expr,
        head: &Expr,
        args: &[Expr],
        generic_args: &[GenericValue],
        trait_: &Option<(ImplExpr, Vec<GenericValue>)>,
    ) -> Result<ir::Expr> {
        let at = expr.meta.span;
        let ExprKind::GlobalId(id) = head.kind() else {
            return refuse(at, "a call of something else than a function or a closure");
        };
        if let Some(TupleId::Field { length, field }) = id.expect_tuple()
            && let [tuple] = args
        {
            return Ok(ir::Expr::Component { length, index: field, tuple: self.boxed(tuple)? });
        }
        if !self.is_own(*id) {
            return self.library(&id.to_debug_string(), args, expr);
        }
        let path = self.path(*id, at)?;
        if id.is_projector()
            && let [value] = args
        {
            return Ok(ir::Expr::Field(path, self.boxed(value)?));
        }
        let callee = match trait_ {
            None => ir::Callee::Function(path, self.type_args(generic_args, at)?),
            Some((_, trait_args)) => match &self.type_args(trait_args, at)?[..] {
                [self_ty] => ir::Callee::Method(path, self_ty.clone()),
                _ => return refuse(at, "a method of a generic trait"),
            },
        };
        let args =
            if self.is_unit_alone(&args.iter().map(|arg| &arg.ty).collect::<Vec<_>>()) { &[] } else { args };
        Ok(ir::Expr::Call(callee, self.exprs(args)?))
    }
}
