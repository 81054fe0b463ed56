//! The topics of two parties: files named `two_party_*`, besides [`crate::two_party_read`].

pub mod masks;
pub mod session;
pub mod triple;
pub mod update;
pub mod write;

use duoram_spec::core::block::Block;
use serde_json::{Value, json};

use crate::json::blocks;

pub(crate) fn files() -> Vec<(String, Value)> {
    [triple::files(), masks::files(), update::files(), write::files(), session::files()].concat()
}

/// What random OTs give their sender: all K^0, and all K^1.
fn pairs(pairs: &[(Block, Block)]) -> Value {
    let (k_0, k_1): (Vec<Block>, Vec<Block>) = pairs.iter().copied().unzip();
    json!({ "k_0": blocks(&k_0), "k_1": blocks(&k_1) })
}
