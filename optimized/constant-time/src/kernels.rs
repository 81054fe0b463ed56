//! `kernels PROGRAM`: the VAES kernels in a program neither branch on secrets nor address memory by them, as far as the
//! analysis tells; and the leaky kernels in this program do.

use std::hint::black_box;

use crate::disassembly::{Function, functions};
use crate::leaky_kernel;

/// Functions that valgrind does not run, by how their names begin.
struct Kernels {
    path: &'static str,
    /// At least so many of them use this instruction.
    instruction: &'static str,
    least: usize,
}

/// The entry of a backend's kernels: everything else is inlined into it, or it is not compiled for the backend. Of ciphering kernels at least so
/// many have a function each: of the paper's protocol `Expand`, and `Leaves` with the consumers of READ, UPDATE (two) and the forest (three); of
/// the lean one, whose layers are others, five more. There are 17 today.
const fn backend(path: &'static str) -> Kernels {
    Kernels { path, instruction: "vaesenc", least: 12 }
}

/// Of two backends, and what one of them calls where there is GFNI.
const KERNELS: [Kernels; 3] = [
    backend("duoram_kernel::vaes256::run"),
    Kernels { path: "duoram_kernel::gfni::", instruction: "vgf2p8affineqb", least: 1 },
    backend("duoram_kernel::vaes512::run"),
];

fn check(program: &str) -> Result<(), String> {
    let mut leaky = Vec::new();
    let all = functions(program, &KERNELS.map(|kernels| kernels.path))?;
    for Kernels { path, instruction, least } in KERNELS {
        let kernels = named(&all, path);
        let using = kernels.iter().filter(|kernel| kernel.uses(instruction)).count();
        if using < least {
            return Err(format!(
                "{path}: expected at least {least} functions with {instruction}, got {using}"
            ));
        }
        let mut found = 0;
        for kernel in &kernels {
            for finding in kernel.findings() {
                println!("  {}: {finding}", kernel.name);
                found += 1;
            }
        }
        let sum =
            |of: fn((usize, usize)) -> usize| -> usize { kernels.iter().map(|k| of(k.decisions())).sum() };
        let instructions: usize = kernels.iter().copied().map(Function::instructions).sum();
        println!(
            "{path}: {} functions, {instructions} instructions, {} conditional jumps, {} memory operands: {found} depend on secrets",
            kernels.len(),
            sum(|(jumps, _)| jumps),
            sum(|(_, memory)| memory),
        );
        if found > 0 {
            leaky.push(path);
        }
    }
    if leaky.is_empty() { Ok(()) } else { Err(format!("{}: the machine code may leak", leaky.join(", "))) }
}

/// Those whose names begin with `path`.
fn named<'a>(functions: &'a [Function], path: &str) -> Vec<&'a Function> {
    functions.iter().filter(|function| function.name.starts_with(path)).collect()
}

/// Each leaky kernel must be found out.
fn check_leaky() -> Result<(), String> {
    let here = std::env::current_exe().map_err(|error| error.to_string())?;
    let here = here.to_str().ok_or("expected a path in UTF-8")?;
    let names = black_box(leaky_kernel::all()).map(|(name, _)| name);
    let paths = names.map(|name| format!("duoram_constant_time::leaky_kernel::{name}"));
    let all = functions(here, &paths.each_ref().map(String::as_str))?;
    for (name, path) in names.iter().zip(&paths) {
        let findings: Vec<_> = named(&all, path).iter().flat_map(|kernel| kernel.findings()).collect();
        match findings.first() {
            Some(finding) => println!("leaky {name}: caught: {finding}"),
            None => return Err(format!("the leaky kernel {name} was not caught")),
        }
    }
    Ok(())
}

/// Both checks.
///
/// # Errors
///
/// What is wrong with which kernel.
pub(crate) fn run(program: &str) -> Result<(), String> {
    check(program)?;
    check_leaky()
}
