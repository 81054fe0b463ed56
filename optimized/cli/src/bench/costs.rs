//! What operations cannot do without: AES calls, and passes over memory.

use duoram_reference::lean::Lean;
use duoram_reference::two_party::TwoParty;
use duoram_reference::{Paper, Role};
use duoram_runtime::protocol::Rules;

/// The least that a protocol's operations take, on a memory of n rows of w words.
pub(super) trait Costs: Rules {
    /// AES calls of an operation at a party, online.
    fn aes_calls(operation: &str, party: Role, n: f64, w: f64) -> f64;

    /// AES calls of the trees of an item at a primary, while it is prepared.
    fn item_aes_calls(update: bool, n: f64, w: f64) -> f64;
}

/// Two trees are evaluated for a READ or an UPDATE at every party, by 2 (n - 1) calls each; a WRITE is one of both.
impl Costs for Paper {
    fn aes_calls(operation: &str, _party: Role, n: f64, _w: f64) -> f64 {
        let trees = if operation == "write" { 4.0 } else { 2.0 };
        trees * 2.0 * (n - 1.0)
    }

    /// Three trees.
    fn item_aes_calls(_update: bool, n: f64, _w: f64) -> f64 {
        3.0 * 2.0 * (n - 1.0)
    }
}

/// A tree down to the values takes n/4 calls, its values n w/2, and the flags of n/128 nodes n/128. Flags are evaluated while
/// items are prepared.
impl Costs for Lean {
    fn aes_calls(operation: &str, party: Role, n: f64, w: f64) -> f64 {
        let sides = if party == Role::P1 { 1.0 } else { 2.0 };
        if operation == "read" { 0.0 } else { sides * (n / 4.0 + n * w / 2.0) }
    }

    fn item_aes_calls(update: bool, n: f64, w: f64) -> f64 {
        // Grown with both layers, and the flags evaluated once more, to be kept.
        let flags = 2.0 * 3.0 * n / 128.0;
        if update { 2.0 * (n / 4.0 + n * w / 2.0 + n / 128.0) + flags } else { 2.0 * flags }
    }
}

/// A READ masks n words, by a call for each bit of their index; what the PIR computes is none of these. An UPDATE evaluates its tree.
impl Costs for TwoParty {
    fn aes_calls(operation: &str, _party: Role, n: f64, _w: f64) -> f64 {
        let (read, update) = (n * n.log2(), 2.0 * (n - 1.0));
        match operation {
            "read" => read,
            "update" => update,
            _ => read + update,
        }
    }

    /// A READ item has no tree.
    fn item_aes_calls(update: bool, n: f64, _w: f64) -> f64 {
        if update { 2.0 * (n - 1.0) } else { 0.0 }
    }
}
