//! Items.

use super::ty::variant_name;
use super::{Lower, explain, refuse};
use crate::error::Result;
use crate::ir;
use crate::tree::place;
use hax_rust_engine::ast::span::Span;
use hax_rust_engine::ast::*;
use std::collections::HashSet;

/// Bounds that say nothing about values: every value can be copied, and has a size.
const ERASED_BOUNDS: &[&str] = &[
    "core::marker::Copy",
    "core::clone::Clone",
    "core::marker::Sized",
    "core::marker::MetaSized",
    "core::marker::PointeeSized",
];

/// Traits of which only the derived implementation is known, and nothing but equality becomes of it.
const DERIVED: &[&str] = &[
    "core::clone::Clone",
    "core::marker::Copy",
    "core::cmp::PartialEq",
    "core::cmp::Eq",
    "core::fmt::Debug",
    "core::marker::StructuralPartialEq",
];

/// The types that derive `PartialEq`.
pub fn derived_equalities(items: &[Item]) -> HashSet<String> {
    let derives = |item: &Item| match item.kind() {
        ItemKind::Impl { of_trait, self_ty, .. }
            if of_trait.trait_.to_debug_string() == "core::cmp::PartialEq" =>
        {
            match self_ty.kind() {
                TyKind::App { head, .. } => Some(head.to_debug_string()),
                _ => None,
            }
        }
        _ => None,
    };
    items.iter().filter_map(derives).collect()
}

impl Lower {
    /// Nothing, for modules and derived implementations.
    pub fn item(&self, item: &Item, all: &[Item], derived: &HashSet<String>) -> Result<Option<ir::Item>> {
        let at = item.meta.span;
        let id = item.ident.to_debug_string();
        let path = self.strip(&id);
        let module = self.module(&id);
        let named = |path: ir::Path, kind: ir::ItemKind| {
            Ok(Some(ir::Item { path, module: module.clone(), place: place(at), kind }))
        };
        match item.kind() {
            ItemKind::RustModule | ItemKind::Use { .. } => Ok(None),
            ItemKind::Fn { .. } if is_discriminant_cast(item, all) => Ok(None),
            ItemKind::Fn { .. }
                if id.split("::").any(|part| part == "impl" || part.starts_with("impl__")) =>
            {
                refuse(at, "a method outside of a trait")
            }
            ItemKind::Fn { generics, body, params, safety, .. } => {
                if !matches!(safety, SafetyKind::Safe) {
                    return refuse(at, "an unsafe function");
                }
                named(path, ir::ItemKind::Function(self.function(generics, params, body, at)?))
            }
            ItemKind::TyAlias { generics, ty, .. } => {
                if !self.type_params(generics, at)?.is_empty() {
                    return refuse(at, "a generic type alias");
                }
                named(path, ir::ItemKind::Alias(self.ty(ty, at)?))
            }
            ItemKind::Type { generics, variants, is_struct, .. } => {
                let type_params = self.type_params(generics, at)?;
                if type_params.iter().any(|param| !param.traits.is_empty()) {
                    return refuse(at, "a bound on a type's parameter");
                }
                let has_equality = derived.contains(&id);
                let type_params = type_params.into_iter().map(|param| param.name).collect();
                let variants = variants.iter().map(|v| self.variant(v, at)).collect::<Result<_>>()?;
                let ty = ir::Type { is_struct: *is_struct, type_params, variants, has_equality };
                named(path, ir::ItemKind::Type(ty))
            }
            ItemKind::Trait { generics, items, .. } => {
                named(path.clone(), ir::ItemKind::Trait(self.methods(&path, generics, items, at)?))
            }
            ItemKind::Impl { generics, self_ty, of_trait, items, .. } => {
                if !self.is_own(of_trait.trait_) {
                    return match DERIVED.contains(&of_trait.trait_.to_debug_string().as_str())
                        && items.is_empty()
                    {
                        true => Ok(None),
                        false => refuse(
                            at,
                            format!("an implementation of `{}`", of_trait.trait_.to_debug_string()),
                        ),
                    };
                }
                if !generics.params.is_empty() || of_trait.args.len() != 1 {
                    return refuse(at, "a generic implementation");
                }
                let trait_ = self.path(of_trait.trait_, at)?;
                let self_ty = self.ty(self_ty, at)?;
                let methods =
                    items.iter().map(|i| self.instance_method(&trait_, i)).collect::<Result<_>>()?;
                named(path, ir::ItemKind::Instance(ir::Instance { trait_, self_ty, methods }))
            }
            ItemKind::Error(error) => refuse(at, explain(error)),
            other => refuse(at, format!("the item {}", variant_name(other))),
        }
    }

    fn function(&self, generics: &Generics, params: &[Param], body: &Expr, at: Span) -> Result<ir::Function> {
        let params =
            if self.is_unit_alone(&params.iter().map(|p| &p.ty).collect::<Vec<_>>()) { &[] } else { params };
        Ok(ir::Function {
            type_params: self.type_params(generics, at)?,
            params: params
                .iter()
                .map(|p| Ok((self.pat(&p.pat)?, self.ty(&p.ty, at)?)))
                .collect::<Result<_>>()?,
            result: self.ty(&body.ty, at)?,
            body: self.expr(body)?,
        })
    }

    fn type_params(&self, generics: &Generics, at: Span) -> Result<Vec<ir::TypeParam>> {
        let mut params = vec![];
        for param in &generics.params {
            match &param.kind {
                GenericParamKind::Type => {
                    params.push(ir::TypeParam { name: param.ident.to_string(), traits: vec![] });
                }
                GenericParamKind::Lifetime => (),
                GenericParamKind::Const { .. } => return refuse(at, "a constant parameter"),
            }
        }
        for bound in generics.type_class_constraints() {
            let name = bound.goal.trait_.to_debug_string();
            if ERASED_BOUNDS.contains(&name.as_str()) {
                continue;
            }
            if !self.is_own(bound.goal.trait_) {
                return refuse(at, format!("a bound by `{name}`"));
            }
            let trait_ = self.path(bound.goal.trait_, at)?;
            let bounded = match &bound.goal.args[..] {
                [GenericValue::Ty(ty)] => match ty.kind() {
                    TyKind::Param(name) => params.iter_mut().find(|param| param.name == name.to_string()),
                    _ => None,
                },
                _ => None,
            };
            match bounded {
                Some(param) => param.traits.push(trait_),
                None => return refuse(at, "a bound on something else than a type parameter"),
            }
        }
        if generics.equality_constraints().next().is_some() {
            return refuse(at, "a bound on an associated type");
        }
        Ok(params)
    }

    fn variant(&self, variant: &Variant, at: Span) -> Result<ir::Variant> {
        let fields = variant.arguments.iter().map(|(id, ty, _)| Ok((self.path(*id, at)?, self.ty(ty, at)?)));
        Ok(ir::Variant { path: self.path(variant.name, at)?, fields: fields.collect::<Result<_>>()? })
    }

    fn methods(
        &self,
        path: &ir::Path,
        generics: &Generics,
        items: &[TraitItem],
        at: Span,
    ) -> Result<Vec<ir::Method>> {
        for bound in generics.type_class_constraints() {
            let name = bound.goal.trait_.to_debug_string();
            if !ERASED_BOUNDS.contains(&name.as_str()) && self.strip(&name) != *path {
                return refuse(at, format!("the supertrait `{name}`"));
            }
        }
        let types =
            generics.params.iter().filter(|param| matches!(param.kind, GenericParamKind::Type)).count();
        if types > 1 {
            return refuse(at, "a generic trait");
        }
        let mut methods = vec![];
        for item in items {
            let at = item.meta.span;
            let name = item.ident.to_debug_string();
            if item.generics.params.iter().any(|param| !matches!(param.kind, GenericParamKind::Lifetime)) {
                return refuse(at, format!("the generic method `{name}`"));
            }
            let TraitItemKind::Fn(ty) = &item.kind else {
                return refuse(at, format!("`{name}`, which is not a method without body"));
            };
            let (params, result) = match self.ty(ty, at)? {
                ir::Ty::Function(params, result) if params == [ir::Ty::Tuple(vec![])] => (vec![], *result),
                ir::Ty::Function(params, result) => (params, *result),
                result => (vec![], result),
            };
            methods.push(ir::Method { path: self.strip(&name), params, result });
        }
        Ok(methods)
    }

    fn instance_method(&self, trait_: &ir::Path, item: &ImplItem) -> Result<(ir::Path, ir::Function)> {
        let at = item.meta.span;
        let id = item.ident.to_debug_string();
        let name = id.rsplit("::").next().unwrap_or_default();
        match &item.kind {
            ImplItemKind::Fn { body, params } => {
                let path = ir::Path(format!("{}::{name}", trait_.0));
                Ok((path, self.function(&item.generics, params, body, at)?))
            }
            ImplItemKind::Error(error) => refuse(at, explain(error)),
            _ => refuse(at, format!("`{name}`, which is not a method")),
        }
    }
}

/// A function that hax adds to an enum without fields, for casts to integers, which are refused.
fn is_discriminant_cast(item: &Item, all: &[Item]) -> bool {
    let id = item.ident.to_debug_string();
    let of_enum = |other: &Item| {
        matches!(other.kind(), ItemKind::Type { .. }) && {
            let name = other.ident.to_debug_string();
            id == name || id == format!("{name}_cast_to_repr")
        }
    };
    all.iter().any(of_enum)
}
