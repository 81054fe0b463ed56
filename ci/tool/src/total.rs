//! `proofs/hax/total`: no operation of the specification can panic.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use regex::Regex;

use crate::error::{Error, Result, found};
use crate::{files, process};

/// Fails if a crate has an operation that can panic: bare arithmetic on what is not constant, indexing, slicing, unwrap and
/// expect, panicking macros, methods that panic. A second look, by clippy and without hax: the engine translates total functions
/// only, and refuses all of these as well.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[arg(default_value = "spec", value_name = "CRATE")]
    krate: PathBuf,
}

const LINTS: &str = "arithmetic_side_effects indexing_slicing string_slice unwrap_used expect_used panic unreachable todo \
                     unimplemented panic_in_result_fn get_unwrap exit disallowed_macros disallowed_methods";

/// Clippy lets shifts pass. rustfmt puts spaces around the operator, and never around the brackets of types.
static SHIFT: LazyLock<Regex> = LazyLock::new(|| Regex::new("^[^/]* (<<|>>)=? ").expect("a pattern"));

pub(crate) fn run(Arguments { krate }: &Arguments) -> Result<()> {
    let here = std::env::current_dir().map_err(Error::file(Path::new(".")))?;
    let mut bad = false;
    for name in files::below(krate.join("src"), "rs")? {
        for line in shifts(&files::read(krate.join("src").join(&name))?) {
            eprintln!("src/{name}:{line}: error: a shift that can overflow");
            bad = true;
        }
    }
    let mut clippy = Command::new("cargo");
    clippy.args([
        "+1.95.0",
        "clippy",
        "--lib",
        "--quiet",
        "--message-format",
        "short",
        "--",
        "-A",
        "warnings",
    ]);
    clippy.args(["-A", "clippy::all", "-A", "clippy::pedantic"]);
    // `forbid`: the source cannot allow them.
    clippy.args(LINTS.split_whitespace().map(|lint| format!("-Fclippy::{lint}"))).current_dir(krate);
    clippy
        .env("CLIPPY_CONF_DIR", here.join("proofs/hax/clippy"))
        .env("CARGO_TARGET_DIR", here.join("target/total"));
    let ran = process::run(&mut clippy)?;
    eprint!("{}", ran.errors);
    if bad || !ran.success {
        return found("an operation that can panic");
    }
    println!("proofs/hax/total: no operation can panic");
    Ok(())
}

/// The lines, from 1, that shift.
fn shifts(text: &str) -> Vec<usize> {
    text.lines().zip(1..).filter(|(line, _)| SHIFT.is_match(line)).map(|(_, n)| n).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifts_are_found_and_brackets_of_types_are_not() {
        let text = "let a = x << 3;\nlet b: Vec<Vec<u8>> = c;\n// x >> 1\ny >>= 2;\nlet y = x.wrapping_shl(1); // x << 1\n z >>= w;\n";
        assert_eq!(shifts(text), [1, 4, 6]);
    }
}
