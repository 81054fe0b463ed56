//! Values as Rocq writes them.

use crate::random::{Exactly, Memory};

/// The name that the engine gives: `core::vector::add` is `vector_add`, and `paper::read::read` is `paper_read_read`.
pub fn name(path: &str) -> String {
    path.strip_prefix("core::").unwrap_or(path).replace("::", "_")
}

/// The module of a function or of a trait's method, as a part of a file's name: `core_ring` of `core::ring::Ring::plus`.
pub fn module(path: &str) -> String {
    let steps: Vec<&str> = path.split("::").collect();
    let of_trait = |step: &&str| step.starts_with(|c: char| c.is_ascii_uppercase());
    let end = steps.iter().position(of_trait).unwrap_or(steps.len() - 1);
    steps[..end].join("_")
}

/// The value of a struct.
pub fn structure(path: &str, fields: &[String]) -> String {
    format!("(mk_{} {})", name(path), fields.join(" "))
}

/// The value of a variant of an enum.
pub fn variant(path: &str, fields: &[String]) -> String {
    format!("({} {})", name(path), fields.join(" "))
}

pub trait Rocq {
    fn rocq(&self) -> String;
}

/// What comes before the imports of the translation, whose names must hide these.
pub const IMPORTS: &str = "From Coq Require Import ZArith Uint63.\n";

/// How integers are put together, from digits of 60 bits: Rocq reads its own integers, of 63 bits, several times faster than
/// the digits of a Z, and an example of a session has thousands.
pub const INTEGERS: &str = "
Definition r8 (low : Uint63.int) : u8 := repr 8 (Uint63.to_Z low).
Definition r32 (low : Uint63.int) : u32 := repr 32 (Uint63.to_Z low).
Definition base : Z := 2 ^ 60.
Definition above (high low : Z) : Z := high * base + low.
Definition r64 (high low : Uint63.int) : u64 := repr 64 (above (Uint63.to_Z high) (Uint63.to_Z low)).
Definition r128 (high middle low : Uint63.int) : u128 :=
  repr 128 (above (above (Uint63.to_Z high) (Uint63.to_Z middle)) (Uint63.to_Z low)).
";

/// The integer of `bits` bits, as [`INTEGERS`] puts it together.
fn integer(value: u128, bits: u32) -> String {
    const DIGIT: u32 = 60;
    let digit = |place| value >> (DIGIT * place) & ((1 << DIGIT) - 1);
    let digits: String =
        (0..bits.div_ceil(DIGIT)).rev().map(|place| format!(" {:#x}", digit(place))).collect();
    format!("(r{bits}{digits})")
}

macro_rules! integer {
    ($($ty:ty),*) => {
        $(impl Rocq for $ty {
            fn rocq(&self) -> String {
                integer(*self as u128, <$ty>::BITS)
            }
        })*
    };
}
integer!(u8, u32, u64, u128, usize);

impl Rocq for bool {
    fn rocq(&self) -> String {
        self.to_string()
    }
}

impl Rocq for () {
    fn rocq(&self) -> String {
        "tt".to_string()
    }
}

impl<T: Rocq> Rocq for Box<T> {
    fn rocq(&self) -> String {
        (**self).rocq()
    }
}

impl<T: Rocq> Rocq for Vec<T> {
    fn rocq(&self) -> String {
        let items: Vec<String> = self.iter().map(Rocq::rocq).collect();
        format!("[{}]", items.join("; "))
    }
}

impl<T: Rocq, const N: usize> Rocq for Exactly<T, N> {
    fn rocq(&self) -> String {
        self.0.rocq()
    }
}

impl Rocq for Memory {
    fn rocq(&self) -> String {
        self.0.rocq()
    }
}

impl<T: Rocq> Rocq for Option<T> {
    fn rocq(&self) -> String {
        match self {
            Some(value) => format!("(Some {})", value.rocq()),
            None => "None".to_string(),
        }
    }
}

impl<A: Rocq, B: Rocq> Rocq for (A, B) {
    fn rocq(&self) -> String {
        format!("({}, {})", self.0.rocq(), self.1.rocq())
    }
}

impl<A: Rocq, B: Rocq, C: Rocq> Rocq for (A, B, C) {
    fn rocq(&self) -> String {
        format!("({}, {}, {})", self.0.rocq(), self.1.rocq(), self.2.rocq())
    }
}

impl<A: Rocq, B: Rocq, C: Rocq, D: Rocq> Rocq for (A, B, C, D) {
    fn rocq(&self) -> String {
        format!("({}, {}, {}, {})", self.0.rocq(), self.1.rocq(), self.2.rocq(), self.3.rocq())
    }
}
