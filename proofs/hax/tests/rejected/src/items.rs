//! Items.

pub trait Named {
    fn name(&self) -> u64;
    fn twice(&self) -> u64 { //~ `rejected::items::Named::twice`, which is not a method without body
        self.name().wrapping_mul(2)
    }
}

pub trait Child: super::types::Marker { //~ the supertrait `rejected::types::Marker`
    fn child(&self) -> u64;
}

pub trait Container {
    type Item; //~ `rejected::items::Container::Item`, which is not a method without body
}

pub trait Convert<T> { //~ a generic trait
    fn convert(&self) -> T;
}

pub struct Own {
    pub x: u64,
}

impl Clone for Own { //~ an implementation of `core::clone::Clone`
    fn clone(&self) -> Own {
        Own { x: 0 }
    }
}

impl Own {
    pub fn method(&self) -> u64 { //~ a method outside of a trait
        self.x
    }
}

pub static STATIC: u64 = 3; //~ statics are not translated

macro_rules! own { //~ macros of the crate are not translated
    () => {
        4
    };
}

pub fn uses_a_macro() -> u64 {
    own!()
}

pub fn lists_at() -> u64 {
    0
}

pub mod lists {
    pub fn at() -> u64 { //~ the name `items_lists_at` is taken by `items::lists_at`
        0
    }
}
