//! What the book's widgets show, computed by the specification's own functions.
//!
//! Each function takes the fields of a form as a JSON object of strings, just as the reader typed them, and returns JSON:
//! what to show, or `{"error": ..., "field": ...}`. Nothing is drawn here (`web/` does that), and nothing is remembered
//! between calls: a widget asks once for all steps of an input, and then walks through them.
//!
//! What must be shown is computed a second time, in other words, by the program `answers`; `book/checks/widgets.mjs`
//! compares the two on the page.

mod board;
mod crash;
mod game;
mod inputs;
mod lean;
mod masks;
mod read;
mod session;
mod sharing;
mod supposed;
mod tree;
mod update;
mod x16;
mod z16;

use inputs::{BadInput, Inputs};
use serde::Serialize;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen::prelude::wasm_bindgen;

/// What the page gets if an input was refused.
#[derive(Serialize)]
struct Refusal {
    field: String,
    error: String,
}

fn answer<T: Serialize>(fields: &str, show: fn(&Inputs) -> Result<T, BadInput>) -> String {
    match Inputs::parse(fields).and_then(|inputs| show(&inputs)) {
        Ok(shown) => serde_json::to_string(&shown),
        Err(BadInput { field, message }) => serde_json::to_string(&Refusal { field, error: message }),
    }
    // Maps with keys other than strings could fail. There are none.
    .unwrap_or_default()
}

/// The sharing playground: fields `kind`, `x`, `r`, `y`, `s`, `change_0`, `change_1`, `seed`.
#[cfg_attr(target_arch = "wasm32", wasm_bindgen)]
pub fn sharing(fields: &str) -> String {
    answer(fields, sharing::show)
}

/// GEN and EVALFULL level by level: fields `depth`, `target`, `value`, `seed`.
#[cfg_attr(target_arch = "wasm32", wasm_bindgen)]
pub fn dpf_tree(fields: &str) -> String {
    answer(fields, tree::show)
}

/// What P1 would have had to have for another target, with P0's key as it is: fields `depth`, `target`, `value`, `seed`,
/// `supposed`.
#[cfg_attr(target_arch = "wasm32", wasm_bindgen)]
pub fn dpf_supposed(fields: &str) -> String {
    answer(fields, supposed::show)
}

/// A READ message by message: fields `memory`, `address`, `seed`.
#[cfg_attr(target_arch = "wasm32", wasm_bindgen)]
pub fn read(fields: &str) -> String {
    answer(fields, read::show)
}

/// An UPDATE message by message: fields `memory`, `address`, `value`, `seed`.
#[cfg_attr(target_arch = "wasm32", wasm_bindgen)]
pub fn update(fields: &str) -> String {
    answer(fields, update::show)
}

/// An operation of the lean protocol message by message: fields `memory`, `kind`, `address`, `value`, `seed`.
#[cfg_attr(target_arch = "wasm32", wasm_bindgen)]
pub fn lean(fields: &str) -> String {
    answer(fields, lean::show)
}

/// The masks of a table of two parties' READ: fields `memory`, `index`, `seed`.
#[cfg_attr(target_arch = "wasm32", wasm_bindgen)]
pub fn masks(fields: &str) -> String {
    answer(fields, masks::show)
}

/// A READ or an UPDATE by the parties of the reference, which may crash: fields `operation`, `address`, `value`, `seed`, `pulls`.
#[cfg_attr(target_arch = "wasm32", wasm_bindgen)]
pub fn crash(fields: &str) -> String {
    answer(fields, crash::show)
}

/// The faults of the game that can be put back: no fields.
#[cfg_attr(target_arch = "wasm32", wasm_bindgen)]
pub fn game_list(fields: &str) -> String {
    answer(fields, game::list)
}

/// A round of the game as one party sees it: fields `fault`, `protocol`, `seed`, `round`.
#[cfg_attr(target_arch = "wasm32", wasm_bindgen)]
pub fn game_round(fields: &str) -> String {
    answer(fields, game::round)
}

/// What the tool of a fault computes from that view: the same fields.
#[cfg_attr(target_arch = "wasm32", wasm_bindgen)]
pub fn game_tool(fields: &str) -> String {
    answer(fields, game::tool)
}

/// Which script it was: the same fields, and `guess`.
#[cfg_attr(target_arch = "wasm32", wasm_bindgen)]
pub fn game_guess(fields: &str) -> String {
    answer(fields, game::guess)
}

/// How many rounds the tool wins by itself: the same fields, and `count`.
#[cfg_attr(target_arch = "wasm32", wasm_bindgen)]
pub fn game_play(fields: &str) -> String {
    answer(fields, game::play)
}

/// How often chance does as well: fields `wins` and `rounds`.
#[cfg_attr(target_arch = "wasm32", wasm_bindgen)]
pub fn game_score(fields: &str) -> String {
    answer(fields, game::score)
}
