//! All tests of this folder but one, in one program: what is generic is compiled once. `wiped` has an allocator of its own.
#![allow(missing_docs)]

mod common;

mod against_spec;
mod batches;
mod errors;
mod helper_view;
mod hostile;
mod items;
mod lasting;
mod lasting_refused;
mod lean_against_spec;
mod lean_helper_view;
mod lean_hostile;
mod lean_items;
mod lean_one_at_a_time;
mod lean_operations;
mod lean_rows;
mod lean_rows_against_spec;
mod lean_rows_saved;
mod lean_vectors;
mod one_at_a_time;
mod operations;
mod protocol_page;
mod secrets;
mod small;
mod two_party_against_spec;
mod two_party_hostile;
mod two_party_items;
mod two_party_operations;
mod vectors;
