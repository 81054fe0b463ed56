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

// In hexadecimal, which Rocq reads twice as fast.
macro_rules! integer {
    ($($ty:ty: $bits:literal),*) => {
        $(impl Rocq for $ty {
            fn rocq(&self) -> String {
                format!(concat!("(repr ", $bits, " {:#x})"), self)
            }
        })*
    };
}
integer!(u8: 8, u32: 32, u64: 64, u128: 128, usize: 64);

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
