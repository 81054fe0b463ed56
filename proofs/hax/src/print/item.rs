//! Items.

use super::expr::param;
use super::{Print, bare, ty};
use crate::ir::{Constructor, Function, Instance, Item, ItemKind, Method, Type, TypeParam, Variant};
use crate::layout::{Doc, concat, group, indent, text};
use crate::names;

impl Print {
    pub fn item(&self, item: &Item) -> Doc {
        let name = names::item(&item.path);
        match &item.kind {
            ItemKind::Function(function) => self.function(&name, function),
            ItemKind::Alias(of) => text(format!("Notation {name} := {} (only parsing).", ty(of))),
            ItemKind::Type(of) if of.is_struct => structure(&name, of),
            ItemKind::Type(of) => enumeration(&name, of),
            ItemKind::Trait(methods) => class(&name, methods),
            ItemKind::Instance(instance) => self.instance(instance),
        }
    }

    fn function(&self, name: &str, function: &Function) -> Doc {
        let types: Vec<_> = function.params.iter().map(|(_, ty)| ty).collect();
        let mut words = vec![];
        for type_param in &function.type_params {
            let implicit = super::inferable(type_param, &types);
            let name = &type_param.name;
            let open = if implicit { format!("{{{name} : Type}}") } else { format!("({name} : Type)") };
            let all: Vec<String> = std::iter::once(open).chain(bounds(type_param)).collect();
            words.push(all.join(" "));
        }
        words.extend(function.params.iter().map(|(pat, ty)| param(pat, Some(ty))));
        let words = words.into_iter().flat_map(|word| [Doc::Line, text(word)]).collect();
        let head = group(vec![
            text(format!("Definition {name}")),
            indent(words),
            text(format!(" : {} :=", bare(&function.result))),
        ]);
        let body = indent(vec![Doc::Hard, self.body(&function.body)]);
        concat(vec![head, body, text(".")])
    }

    fn instance(&self, instance: &Instance) -> Doc {
        let name = names::instance(&instance.trait_, &instance.self_ty);
        let class = names::item(&instance.trait_);
        let mut docs =
            vec![text(format!("#[global] Instance {name} : {class} {} := {{|", ty(&instance.self_ty)))];
        for (method, function) in &instance.methods {
            let params: Vec<String> = function.params.iter().map(|(pat, ty)| param(pat, Some(ty))).collect();
            let head = match params.is_empty() {
                true => format!("{} :=", names::item(method)),
                false => format!("{} := fun {} =>", names::item(method), params.join(" ")),
            };
            let line = group(vec![text(head), indent(vec![Doc::Line, self.body(&function.body)]), text(";")]);
            docs.push(indent(vec![Doc::Hard, line]));
        }
        docs.push(Doc::Hard);
        docs.push(text("|}."));
        concat(docs)
    }
}

/// One instance argument for each trait that a type parameter implements.
fn bounds(param: &TypeParam) -> Vec<String> {
    let bound = |trait_| {
        format!("{{{} : {} {}}}", names::bound(&param.name, trait_), names::item(trait_), param.name)
    };
    param.traits.iter().map(bound).collect()
}

fn type_params(of: &Type) -> String {
    of.type_params.iter().map(|param| format!(" ({param} : Type)")).collect()
}

/// `Arguments` lines that make the type parameters of constructors and fields implicit.
fn arguments(name: &str, of: &Type, others: usize) -> Vec<Doc> {
    if of.type_params.is_empty() {
        return vec![];
    }
    let implicit: String = of.type_params.iter().map(|param| format!(" {{{param}}}")).collect();
    vec![Doc::Hard, text(format!("Arguments {name}{implicit}{}.", " _".repeat(others)))]
}

fn constructor_of(variant: &Variant, of: &Type) -> String {
    names::constructor(&match of.is_struct {
        true => Constructor::Struct(variant.path.clone()),
        false => Constructor::Variant(variant.path.clone()),
    })
}

fn structure(name: &str, of: &Type) -> Doc {
    let mut docs = vec![];
    for variant in &of.variants {
        let constructor = constructor_of(variant, of);
        docs.push(text(format!("Record {name}{} : Type := {constructor} {{", type_params(of))));
        for (field, of) in &variant.fields {
            docs.push(indent(vec![Doc::Hard, text(format!("{} : {};", names::item(field), bare(of)))]));
        }
        docs.push(Doc::Hard);
        docs.push(text("}."));
        docs.extend(arguments(&constructor, of, variant.fields.len()));
        for (field, _) in &variant.fields {
            docs.extend(arguments(&names::item(field), of, 1));
        }
    }
    docs.push(equality(name, of));
    concat(docs)
}

fn enumeration(name: &str, of: &Type) -> Doc {
    let mut docs = vec![text(format!("Inductive {name}{} : Type :=", type_params(of)))];
    for variant in &of.variants {
        let fields: String = variant
            .fields
            .iter()
            .map(|(path, of)| {
                let last = path.0.rsplit("::").next().unwrap_or_default();
                let name = if last.starts_with(|c: char| c.is_ascii_digit()) {
                    "_".to_string()
                } else {
                    format!("{last}_")
                };
                format!(" ({name} : {})", bare(of))
            })
            .collect();
        docs.push(indent(vec![Doc::Hard, text(format!("| {}{fields}", names::item(&variant.path)))]));
    }
    docs.push(text("."));
    for variant in &of.variants {
        docs.extend(arguments(&names::item(&variant.path), of, variant.fields.len()));
    }
    docs.push(equality(name, of));
    concat(docs)
}

/// The derived equality, field by field.
fn equality(name: &str, of: &Type) -> Doc {
    if !of.has_equality {
        return concat(vec![]);
    }
    let params: String =
        of.type_params.iter().map(|p| format!(" {{{p} : Type}} {{{p}_Eqb : Eqb {p}}}")).collect();
    let applied: String =
        std::iter::once(name.to_string()).chain(of.type_params.iter().cloned()).collect::<Vec<_>>().join(" ");
    let applied = if of.type_params.is_empty() { applied } else { format!("({applied})") };
    let mut docs = vec![
        Doc::Hard,
        text(format!("#[global] Instance {name}_eqb{params} : Eqb {applied} := fun a b =>")),
        indent(vec![Doc::Hard, text("match a, b with")]),
    ];
    for variant in &of.variants {
        let fields =
            |letter: &str| (0..variant.fields.len()).map(|k| format!(" {letter}{k}")).collect::<String>();
        let constructor = constructor_of(variant, of);
        let tests: Vec<String> = (0..variant.fields.len()).map(|k| format!("eqb a{k} b{k}")).collect();
        let tests = if tests.is_empty() { "true".to_string() } else { tests.join(" && ") };
        let (left, right) = (fields("a"), fields("b"));
        let line = format!("| {constructor}{left}, {constructor}{right} => {tests}");
        docs.push(indent(vec![Doc::Hard, text(line)]));
    }
    if of.variants.len() > 1 {
        docs.push(indent(vec![Doc::Hard, text("| _, _ => false")]));
    }
    docs.push(indent(vec![Doc::Hard, text("end.")]));
    concat(docs)
}

fn class(name: &str, methods: &[Method]) -> Doc {
    let mut docs = vec![text(format!("Class {name} (Self : Type) : Type := {{"))];
    for method in methods {
        let types: Vec<String> = method.params.iter().chain([&method.result]).map(ty).collect();
        let line = format!("{} : {};", names::item(&method.path), types.join(" -> "));
        docs.push(indent(vec![Doc::Hard, text(line)]));
    }
    docs.push(Doc::Hard);
    docs.push(text("}."));
    let of_self = TypeParam { name: "Self".to_string(), traits: vec![] };
    for method in methods {
        let types: Vec<_> = method.params.iter().collect();
        let self_ = if super::inferable(&of_self, &types) { "{Self}" } else { "Self" };
        let line =
            format!("Arguments {} {self_} {{_}}{}.", names::item(&method.path), " _".repeat(types.len()));
        docs.extend([Doc::Hard, text(line)]);
    }
    concat(docs)
}
