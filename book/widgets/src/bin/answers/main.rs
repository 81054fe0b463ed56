//! What the widgets must show: JSON lines with the fields of a form on standard input, JSON lines with the cells on
//! standard output.
//!
//! An answer is `{"steps": [{VIEW: {CELL: VALUE}}]}`, where a view is `all`, `P0`, `P1` or `P2`, and a cell is named as in
//! `data-cell` on the page. What a party does not know is "unknown". The cells come from the specification in plain code
//! of their own: nothing is taken from the library that the page runs, but for the game, and the random values come from
//! `duoram-vectors`, the generator of all tests. The one thing said twice, here and there, is the order in which they are drawn.

mod cells;
mod crash;
mod game;
mod lean;
mod masks;
mod operations;
mod sharing;
mod tree;

use std::error::Error;
use std::io::{BufRead, Write, stdin, stdout};

fn main() -> Result<(), Box<dyn Error>> {
    let mut out = stdout().lock();
    for line in stdin().lock().lines() {
        let form: serde_json::Value = serde_json::from_str(&line?)?;
        let steps = match form["widget"].as_str() {
            Some("sharing") => sharing::steps(&form),
            Some("dpf-tree") => tree::steps(&form),
            Some("read") => operations::read_steps(&form),
            Some("update") => operations::update_steps(&form),
            Some("lean") => lean::steps(&form),
            Some("masks") => masks::steps(&form),
            Some("crash") => crash::steps(&form),
            Some("game") => game::steps(&form),
            other => return Err(format!("expected a widget's name, got {other:?}").into()),
        };
        writeln!(out, "{}", serde_json::json!({ "steps": steps }))?;
    }
    Ok(())
}
