//! Names in Rocq. An item's name is its whole path joined by underscores, `paper_read_read_share`: free of collisions with
//! Rocq's library and with the module of the same name in another protocol, whatever files are imported, and in whatever
//! order. Only the folder that all protocols share is left out: `core::vector::add` is `vector_add`.

use crate::error::Error;
use crate::ir::{Constructor, Item, ItemKind, Path, Ty};
use std::collections::{HashMap, HashSet};

/// Words that no variable may have as a name: Gallina's keywords, and all that the printer may write unqualified.
const RESERVED: &str = "as at cofix else end exists exists2 fix for forall fun if IF in let match mod Prop return Set \
    SProp Type then using where with by Axiom Class Definition Fixpoint Inductive Instance Lemma Record Section \
    bool true false andb orb xorb negb Bool unit tt prod pair fst snd list nil cons app map flat_map fold_left combine \
    concat option Some None nat Z positive \
    int u8 u16 u32 u64 u128 usize repr val wadd wsub wmul wneg wshl wshr rotl ixor iand ior inot ieqb ineb iltb ileb \
    igtb igeb cast range enumerate take skip len get first eqb Eqb Self";

/// The folder whose name is left out of names, but not out of files.
const SHARED: &str = "core::";

/// `core::vector::add` is `vector_add`, and `paper::read::read` is `paper_read_read`.
pub fn item(path: &Path) -> String {
    path.0.strip_prefix(SHARED).unwrap_or(&path.0).replace("::", "_")
}

/// The constructor of a struct is its name with `mk_` before it.
pub fn constructor(constructor: &Constructor) -> String {
    match constructor {
        Constructor::Some => "Some".to_string(),
        Constructor::None => "None".to_string(),
        Constructor::Struct(path) => format!("mk_{}", item(path)),
        Constructor::Variant(path) => item(path),
    }
}

/// The instance of a trait for a type: `ring_Ring_u64`.
pub fn instance(trait_: &Path, self_ty: &Ty) -> String {
    format!("{}_{}", item(trait_), type_word(self_ty))
}

/// The implicit argument by which a type parameter implements a trait: `W_Ring`.
pub fn bound(param: &str, trait_: &Path) -> String {
    format!("{param}_{}", trait_.0.rsplit("::").next().unwrap_or_default())
}

/// The file of a module, without its ending: that of `core::du_atallah` is `Core/DuAtallah`.
pub fn file(module: &str) -> String {
    steps(module).join("/")
}

/// The logical path of a module below the root of the generated files: `Core.DuAtallah`.
pub fn library(module: &str) -> String {
    steps(module).join(".")
}

/// The folders of a module and the module itself, as Rocq writes them.
fn steps(module: &str) -> Vec<String> {
    let capital = |word: &str| {
        let mut letters = word.chars();
        letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
    };
    match module {
        "" => vec!["Root".to_string()],
        _ => module.split("::").map(|step| step.split('_').map(capital).collect()).collect(),
    }
}

fn type_word(ty: &Ty) -> String {
    match ty {
        Ty::Bool => "bool".to_string(),
        Ty::Int(bits) => format!("u{bits}"),
        Ty::Tuple(types) => {
            let words: Vec<String> =
                std::iter::once("tuple".to_string()).chain(types.iter().map(type_word)).collect();
            words.join("_")
        }
        Ty::List(item) => format!("list_{}", type_word(item)),
        Ty::Option(item) => format!("option_{}", type_word(item)),
        Ty::Param(name) => name.clone(),
        Ty::Named(path, _) => path.0.rsplit("::").next().unwrap_or_default().to_string(),
        Ty::Function(..) => "function".to_string(),
    }
}

/// All names at the top level that an item makes.
fn made_by(entry: &Item) -> Vec<String> {
    match &entry.kind {
        ItemKind::Function(_) | ItemKind::Alias(_) => vec![item(&entry.path)],
        ItemKind::Type(ty) => {
            let mut names = vec![item(&entry.path), format!("{}_eqb", item(&entry.path))];
            for variant in &ty.variants {
                if ty.is_struct {
                    names.push(constructor(&Constructor::Struct(variant.path.clone())));
                    names.extend(variant.fields.iter().map(|(field, _)| item(field)));
                } else {
                    names.push(item(&variant.path));
                }
            }
            names
        }
        ItemKind::Trait(methods) => {
            std::iter::once(&entry.path).chain(methods.iter().map(|method| &method.path)).map(item).collect()
        }
        ItemKind::Instance(of) => vec![instance(&of.trait_, &of.self_ty)],
    }
}

/// The names that variables must avoid; an error for each name that two items would share.
pub fn reserved(items: &[Item]) -> (HashSet<String>, Vec<Error>) {
    let mut owners: HashMap<String, &Item> = HashMap::new();
    let mut errors = vec![];
    let words: HashSet<String> = RESERVED.split_whitespace().map(str::to_string).collect();
    for entry in items {
        for name in made_by(entry) {
            let clash = owners.insert(name.clone(), entry).map(|other| other.path.0.clone());
            let clash = clash.or_else(|| words.contains(&name).then(|| "the prelude".to_string()));
            if let Some(other) = clash {
                let message = format!("the name `{name}` is taken by `{other}`");
                errors.push(Error::of(&entry.path, &entry.place, message));
            }
        }
    }
    let all = words.into_iter().chain(owners.into_keys()).collect();
    (all, errors)
}
