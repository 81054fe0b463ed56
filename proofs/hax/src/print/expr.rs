//! Expressions and patterns.

use super::{Print, ty};
use crate::ir::{Callee, Expr, Pat, Ty};
use crate::layout::{Doc, concat, group, indent, separated, text};
use crate::names;

/// How much a place holds together: what stands as an argument needs parentheses around applications, and so on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Nothing follows that could be drawn in.
    Whole,
    /// An argument.
    Argument,
}

impl Print {
    pub fn body(&self, expr: &Expr) -> Doc {
        self.expr(expr, Place::Whole)
    }

    fn argument(&self, expr: &Expr) -> Doc {
        self.expr(expr, Place::Argument)
    }

    fn expr(&self, expr: &Expr, place: Place) -> Doc {
        match expr {
            Expr::Local(name) => text(name),
            Expr::Bool(bit) => text(bit.to_string()),
            Expr::Int(bits, value) => parens(place, vec![text(format!("repr {bits} {value}"))]),
            Expr::Tuple(items) if items.is_empty() => text("tt"),
            Expr::Tuple(items) => {
                let items = items.iter().map(|item| self.body(item)).collect();
                self.bracketed("(", items, ",", ")")
            }
            Expr::List(items) if items.is_empty() => text("[]"),
            Expr::List(items) => {
                let items = items.iter().map(|item| self.body(item)).collect();
                self.bracketed("[", items, ";", "]")
            }
            Expr::Construct(constructor, fields) => {
                self.apply(text(names::constructor(constructor)), fields, place)
            }
            Expr::Field(path, of) => self.apply(text(names::item(path)), std::slice::from_ref(of), place),
            Expr::Component { length: 2, index, tuple } => {
                self.apply(text(["fst", "snd"][*index]), std::slice::from_ref(tuple), place)
            }
            Expr::Component { length, index, tuple } => {
                let pats: Vec<&str> = (0..*length).map(|k| if k == *index { "it" } else { "_" }).collect();
                let of = self.body(tuple);
                group(vec![text(format!("(let '({}) := ", pats.join(", "))), of, text(" in it)")])
            }
            Expr::Call(callee, args) => self.call(callee, args, place),
            Expr::If(c, a, b) => parens(
                place,
                vec![
                    text("if "),
                    self.body(c),
                    Doc::Line,
                    text("then"),
                    self.branch(a),
                    Doc::Line,
                    text("else"),
                    self.branch(b),
                ],
            ),
            Expr::Match(value, arms) => self.matching(value, arms),
            Expr::Let(pat, value, body) => {
                let head = format!("let {} :=", binder(pat));
                let line =
                    vec![group(vec![text(head), indent(vec![Doc::Line, self.body(value)]), text(" in")])];
                let rest = vec![Doc::Hard, self.body(body)];
                match place {
                    Place::Whole => concat(line.into_iter().chain(rest).collect()),
                    Place::Argument => {
                        concat(vec![text("("), indent(line.into_iter().chain(rest).collect()), text(")")])
                    }
                }
            }
            Expr::Closure(params, body) => {
                let params: Vec<String> = params.iter().map(|(pat, ty)| param(pat, ty.as_ref())).collect();
                parens(
                    place,
                    vec![
                        text(format!("fun {} =>", params.join(" "))),
                        indent(vec![Doc::Line, self.body(body)]),
                    ],
                )
            }
            // The passes have removed these.
            Expr::Assign(..) | Expr::For { .. } | Expr::Return(..) | Expr::Try(..) => text("(untranslated)"),
        }
    }

    /// A branch of an `if`; one of several lines begins on a line of its own.
    fn branch(&self, expr: &Expr) -> Doc {
        let first = match expr {
            Expr::Let(..) | Expr::If(..) | Expr::Match(..) => Doc::Hard,
            _ => text(" "),
        };
        indent(vec![first, self.body(expr)])
    }

    fn matching(&self, value: &Expr, arms: &[(Pat, Expr)]) -> Doc {
        let mut docs = vec![group(vec![text("match "), indent(vec![self.body(value)]), text(" with")])];
        for (pattern, body) in arms {
            docs.push(Doc::Hard);
            docs.push(text(format!("| {} =>", bare_pat(pattern))));
            docs.push(group(vec![indent(vec![indent(vec![Doc::Line, self.body(body)])])]));
        }
        docs.push(Doc::Hard);
        docs.push(text("end"));
        concat(docs)
    }

    fn call(&self, callee: &Callee, args: &[Expr], place: Place) -> Doc {
        let with_types = |name: String, path, types: &[Ty]| {
            let none = vec![];
            let explicit = self.explicit.get(path).unwrap_or(&none);
            let written = types.iter().zip(explicit).filter(|(_, explicit)| **explicit).map(|(t, _)| ty(t));
            let words: Vec<String> = std::iter::once(name).chain(written).collect();
            (words.join(" "), words.len() > 1)
        };
        let (head, has_types) = match callee {
            Callee::Prelude(name) => (text(*name), false),
            Callee::Cast(bits) => (text(format!("cast {bits}")), true),
            Callee::Function(path, types) => {
                let (head, many) = with_types(names::item(path), path, types);
                (text(head), many)
            }
            Callee::Method(path, self_ty) => {
                let (head, many) = with_types(names::item(path), path, std::slice::from_ref(self_ty));
                (text(head), many)
            }
            Callee::Value(function) => (self.argument(function), false),
        };
        match (args.is_empty(), has_types, place) {
            (true, true, Place::Argument) => group(vec![text("("), head, text(")")]),
            _ => self.apply(head, args, place),
        }
    }

    fn apply(&self, head: Doc, args: &[Expr], place: Place) -> Doc {
        if args.is_empty() {
            return head;
        }
        let args = args.iter().flat_map(|arg| [Doc::Line, self.argument(arg)]).collect();
        parens(place, vec![head, indent(args)])
    }

    fn bracketed(&self, open: &str, items: Vec<Doc>, separator: &str, close: &str) -> Doc {
        let items = separated(items, &[text(separator), Doc::Line]);
        group(vec![text(open), indent(vec![Doc::Break, items]), Doc::Break, text(close)])
    }
}

fn parens(place: Place, docs: Vec<Doc>) -> Doc {
    match place {
        Place::Whole => group(docs),
        Place::Argument => {
            group(std::iter::once(text("(")).chain(docs).chain(std::iter::once(text(")"))).collect())
        }
    }
}

/// A pattern in a `match`.
fn pat(of: &Pat) -> String {
    match of {
        Pat::Wild => "_".to_string(),
        Pat::Bind(name) => name.clone(),
        Pat::Bool(bit) => bit.to_string(),
        Pat::Tuple(pats) if pats.is_empty() => "tt".to_string(),
        Pat::Tuple(pats) => format!("({})", pats.iter().map(pat).collect::<Vec<_>>().join(", ")),
        Pat::Construct(constructor, pats) if pats.is_empty() => names::constructor(constructor),
        Pat::Construct(constructor, pats) => {
            let pats: Vec<String> = pats.iter().map(pat).collect();
            format!("({} {})", names::constructor(constructor), pats.join(" "))
        }
    }
}

/// A pattern where nothing has to be kept together.
fn bare_pat(of: &Pat) -> String {
    let written = pat(of);
    match of {
        Pat::Construct(_, fields) if !fields.is_empty() => written[1..written.len() - 1].to_string(),
        _ => written,
    }
}

/// A pattern after `let`.
fn binder(of: &Pat) -> String {
    match of {
        Pat::Wild | Pat::Bind(_) => pat(of),
        _ => format!("'{}", pat(of)),
    }
}

/// A parameter of a function.
pub fn param(of: &Pat, with: Option<&Ty>) -> String {
    match (of, with) {
        (Pat::Wild | Pat::Bind(_), Some(with)) => format!("({} : {})", pat(of), super::bare(with)),
        (Pat::Wild | Pat::Bind(_), None) => pat(of),
        (_, Some(with)) => format!("'({} : {})", pat(of), super::bare(with)),
        (_, None) => format!("'{}", pat(of)),
    }
}
