//! The language between hax's typed syntax tree and Rocq: what is left of Rust once references are gone.
//!
//! [`crate::lower`] makes it, the passes rewrite it until only expressions remain that are Gallina's own (no
//! [`Expr::Assign`], [`Expr::For`], [`Expr::Return`], [`Expr::Try`]), and [`crate::print`] writes it down.

/// A path without the crate's name, as Rust writes it: `core::vector::add`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Path(pub String);

/// A place in the Rust source.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    pub file: String,
    pub line: usize,
}

impl Place {
    /// Not in the crate, whose files have relative paths: in the expansion of a library's macro.
    pub fn is_foreign(&self) -> bool {
        self.file.starts_with(['/', '?'])
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ty {
    Bool,
    /// An unsigned integer of so many bits; `usize` has 64.
    Int(u32),
    /// Of any length; the empty tuple is Rust's `()`.
    Tuple(Vec<Ty>),
    /// A slice, an array or a `Vec`.
    List(Box<Ty>),
    Option(Box<Ty>),
    /// A type parameter.
    Param(String),
    /// A struct or an enum of the crate.
    Named(Path, Vec<Ty>),
    Function(Vec<Ty>, Box<Ty>),
}

/// A constructor and, of a struct or enum of the crate, the path by which [`Type`] names it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Constructor {
    Some,
    None,
    /// The only constructor of a struct, by the struct's path.
    Struct(Path),
    /// A variant of an enum, by the variant's path.
    Variant(Path),
}

#[derive(Clone, Debug)]
pub enum Pat {
    Wild,
    Bind(String),
    Bool(bool),
    Tuple(Vec<Pat>),
    /// All fields, in the order of their declaration.
    Construct(Constructor, Vec<Pat>),
}

/// What a call calls.
#[derive(Clone, Debug)]
pub enum Callee {
    /// A name of the prelude or of Rocq's library.
    Prelude(&'static str),
    /// A cast between unsigned integers, to so many bits.
    Cast(u32),
    /// A function or constant of the crate, with all its type arguments.
    Function(Path, Vec<Ty>),
    /// A method of a trait of the crate, and the type whose implementation it is.
    Method(Path, Ty),
    /// A closure.
    Value(Box<Expr>),
}

#[derive(Clone, Debug)]
pub enum Expr {
    Local(String),
    Bool(bool),
    /// Bits of the type, and the value in decimal.
    Int(u32, String),
    Tuple(Vec<Expr>),
    List(Vec<Expr>),
    /// All fields, in the order of their declaration.
    Construct(Constructor, Vec<Expr>),
    /// Field of a struct, by the field's path.
    Field(Path, Box<Expr>),
    /// Component `index` of a tuple of `length`.
    Component {
        length: usize,
        index: usize,
        tuple: Box<Expr>,
    },
    Call(Callee, Vec<Expr>),
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    Match(Box<Expr>, Vec<(Pat, Expr)>),
    Let(Pat, Box<Expr>, Box<Expr>),
    /// Parameters, with their types where Rust says them, and the body.
    Closure(Vec<(Pat, Option<Ty>)>, Box<Expr>),
    /// `x = value`. Removed by [`crate::mutation`].
    Assign(String, Box<Expr>, Place),
    /// `for pat in list { body }`. Removed by [`crate::mutation`].
    For {
        pat: Pat,
        item: Ty,
        list: Box<Expr>,
        body: Box<Expr>,
        place: Place,
    },
    /// Removed by [`crate::early_return`].
    Return(Box<Expr>, Place),
    /// `value?` of an `Option`. Removed by [`crate::early_return`].
    Try(Box<Expr>, Place),
}

impl Expr {
    pub fn unit() -> Expr {
        Expr::Tuple(vec![])
    }

    /// The expressions directly below, those of closures too.
    pub fn children(&self) -> Vec<&Expr> {
        match self {
            Expr::Local(_) | Expr::Bool(_) | Expr::Int(..) => vec![],
            Expr::Tuple(es) | Expr::List(es) | Expr::Construct(_, es) => es.iter().collect(),
            Expr::Call(Callee::Value(f), es) => std::iter::once(&**f).chain(es).collect(),
            Expr::Call(_, es) => es.iter().collect(),
            Expr::Field(_, e)
            | Expr::Component { tuple: e, .. }
            | Expr::Closure(_, e)
            | Expr::Assign(_, e, _)
            | Expr::Return(e, _)
            | Expr::Try(e, _) => vec![e],
            Expr::If(c, a, b) => vec![c, a, b],
            Expr::Match(e, arms) => std::iter::once(&**e).chain(arms.iter().map(|arm| &arm.1)).collect(),
            Expr::Let(_, e, body) => vec![e, body],
            Expr::For { list, body, .. } => vec![list, body],
        }
    }

    /// The same with every expression directly below replaced.
    pub fn map_children<E>(self, f: &mut dyn FnMut(Expr) -> Result<Expr, E>) -> Result<Expr, E> {
        let mut all = |es: Vec<Expr>| es.into_iter().map(&mut *f).collect::<Result<Vec<_>, E>>();
        Ok(match self {
            Expr::Local(_) | Expr::Bool(_) | Expr::Int(..) => self,
            Expr::Tuple(es) => Expr::Tuple(all(es)?),
            Expr::List(es) => Expr::List(all(es)?),
            Expr::Construct(c, es) => Expr::Construct(c, all(es)?),
            Expr::Call(Callee::Value(g), es) => Expr::Call(Callee::Value(Box::new(f(*g)?)), {
                es.into_iter().map(&mut *f).collect::<Result<Vec<_>, E>>()?
            }),
            Expr::Call(callee, es) => Expr::Call(callee, all(es)?),
            Expr::Field(path, e) => Expr::Field(path, Box::new(f(*e)?)),
            Expr::Component { length, index, tuple } => {
                Expr::Component { length, index, tuple: Box::new(f(*tuple)?) }
            }
            Expr::Closure(params, e) => Expr::Closure(params, Box::new(f(*e)?)),
            Expr::Assign(x, e, place) => Expr::Assign(x, Box::new(f(*e)?), place),
            Expr::Return(e, place) => Expr::Return(Box::new(f(*e)?), place),
            Expr::Try(e, place) => Expr::Try(Box::new(f(*e)?), place),
            Expr::If(c, a, b) => Expr::If(Box::new(f(*c)?), Box::new(f(*a)?), Box::new(f(*b)?)),
            Expr::Match(e, arms) => Expr::Match(
                Box::new(f(*e)?),
                arms.into_iter().map(|(p, e)| Ok((p, f(e)?))).collect::<Result<_, E>>()?,
            ),
            Expr::Let(p, e, body) => Expr::Let(p, Box::new(f(*e)?), Box::new(f(*body)?)),
            Expr::For { pat, item, list, body, place } => {
                Expr::For { pat, item, list: Box::new(f(*list)?), body: Box::new(f(*body)?), place }
            }
        })
    }
}

/// A type parameter, and the traits of the crate that it has to implement.
#[derive(Clone, Debug)]
pub struct TypeParam {
    pub name: String,
    pub traits: Vec<Path>,
}

/// A function, or a constant, which is a function of nothing.
#[derive(Clone, Debug)]
pub struct Function {
    pub type_params: Vec<TypeParam>,
    pub params: Vec<(Pat, Ty)>,
    pub result: Ty,
    pub body: Expr,
}

/// A struct (one variant with the struct's own path) or an enum.
#[derive(Clone, Debug)]
pub struct Type {
    pub is_struct: bool,
    pub type_params: Vec<String>,
    pub variants: Vec<Variant>,
    /// It derives `PartialEq`.
    pub has_equality: bool,
}

#[derive(Clone, Debug)]
pub struct Variant {
    pub path: Path,
    pub fields: Vec<(Path, Ty)>,
}

#[derive(Clone, Debug)]
pub struct Method {
    pub path: Path,
    pub params: Vec<Ty>,
    pub result: Ty,
}

#[derive(Clone, Debug)]
pub struct Instance {
    pub trait_: Path,
    pub self_ty: Ty,
    /// In the trait's order: the method's path in the trait, and what it is here.
    pub methods: Vec<(Path, Function)>,
}

#[derive(Clone, Debug)]
pub enum ItemKind {
    Function(Function),
    Alias(Ty),
    Type(Type),
    Trait(Vec<Method>),
    Instance(Instance),
}

#[derive(Clone, Debug)]
pub struct Item {
    pub path: Path,
    /// The innermost module around it, `core::vector` of `core::vector::add`; empty for an item of the crate's root.
    pub module: String,
    pub place: Place,
    pub kind: ItemKind,
}
