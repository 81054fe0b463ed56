//! All tests of this folder in one program: what is generic is compiled once.
#![allow(missing_docs)]

mod aes;
mod errata;
mod exhaustive;
mod freshness;
mod lean;
mod lean_freshness;
mod lean_lemmas;
mod lean_locality;
mod lean_reuse;
mod lean_routing;
mod lean_rows;
mod lean_session;
mod lean_sizes;
mod lean_tape;
mod lean_views;
mod lemmas;
mod locality;
mod predicates;
mod privacy;
mod reuse;
mod routing;
mod security;
mod session;
mod taint;
mod two_party_locality;
mod two_party_session;
mod two_party_uses;
mod two_party_views;
