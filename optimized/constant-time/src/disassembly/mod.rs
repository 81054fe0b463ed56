//! Machine code of functions, as `objdump` prints it, and whether it branches on secrets or addresses memory by them.
//!
//! Valgrind runs neither VAES nor AVX-512. The kernels are the same source for all backends, so what they do with the
//! results of a backend's operations is checked on the others; this looks at what the compiler made of these two.

mod class;
mod kind;
mod operand;
mod state;
mod taint;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::ops::Range;
use std::process::Command;

use operand::Operand;
pub(crate) use taint::Finding;

/// A function.
pub(crate) struct Function {
    /// Its demangled name.
    pub(crate) name: String,
    code: Vec<Instruction>,
}

/// An instruction: AT&T syntax, the destination last.
struct Instruction {
    address: u64,
    text: String,
    mnemonic: String,
    operands: Vec<Operand>,
    flow: Flow,
    /// What it loads of a fixed place is the address of a constant, which the loader has put there.
    loads_constant: bool,
}

/// What else is known of a program.
#[derive(Default)]
struct Program {
    /// Functions by their address.
    names: HashMap<u64, String>,
    /// What the loader fills slots with: `ADDRESS R_X86_64_RELATIVE *ABS*+0xTARGET`. Calls of other crates go by such slots, and constants
    /// of other units are found by them.
    slots: HashMap<u64, u64>,
    /// Where nothing is ever written.
    constants: Vec<Range<u64>>,
}

/// Where control goes.
enum Flow {
    Next,
    /// To an address, and to the next instruction if the flag is set.
    Jump {
        target: u64,
        conditional: bool,
    },
    /// By a register.
    Indirect,
    /// To a function, by its name.
    Call(String),
    Return,
}

fn run(program: &str, arguments: &[&str]) -> Result<String, String> {
    let output =
        Command::new(program).args(arguments).output().map_err(|error| format!("{program}: {error}"))?;
    if !output.status.success() {
        return Err(format!("{program}: {}", String::from_utf8_lossy(&output.stderr)));
    }
    String::from_utf8(output.stdout).map_err(|error| format!("{program}: {error}"))
}

fn hex(text: &str) -> Option<u64> {
    u64::from_str_radix(text.trim_start_matches("0x"), 16).ok()
}

/// The functions of a program whose names begin with one of the prefixes.
///
/// # Errors
///
/// If `objdump` fails, or prints what cannot be read.
pub(crate) fn functions(program: &str, prefixes: &[&str]) -> Result<Vec<Function>, String> {
    let text = run("objdump", &["-d", "-C", "--no-show-raw-insn", program])?;
    let header = |line: &str| -> Option<(u64, String)> {
        let (address, name) = line.split_once(" <")?;
        Some((hex(address)?, name.strip_suffix(">:")?.to_owned()))
    };
    let mut about = Program { names: text.lines().filter_map(header).collect(), ..Program::default() };
    for line in run("objdump", &["-R", program])?.lines() {
        if let [slot, "R_X86_64_RELATIVE", target] = line.split_whitespace().collect::<Vec<_>>()[..]
            && let (Some(slot), Some(target)) = (hex(slot), target.strip_prefix("*ABS*+").and_then(hex))
        {
            about.slots.insert(slot, target);
        }
    }
    for line in run("objdump", &["-h", "-w", program])?.lines() {
        if let [_, _, size, address, ..] = line.split_whitespace().collect::<Vec<_>>()[..]
            && let (true, Some(size), Some(address)) =
                (line.contains("READONLY, DATA"), hex(size), hex(address))
        {
            about.constants.push(address..address + size);
        }
    }
    let mut functions: Vec<Function> = Vec::new();
    let mut wanted = false;
    for line in text.lines() {
        if let Some((_, name)) = header(line) {
            wanted = prefixes.iter().any(|prefix| name.starts_with(prefix));
            if wanted {
                functions.push(Function { name, code: Vec::new() });
            }
        } else if let (true, Some(function), Some((address, text))) =
            (wanted, functions.last_mut(), line.split_once(":\t"))
        {
            let address = hex(address.trim()).ok_or_else(|| format!("no address in '{line}'"))?;
            function.code.push(Instruction::parse(address, text, &about)?);
        }
    }
    Ok(functions)
}

impl Instruction {
    fn parse(address: u64, text: &str, about: &Program) -> Result<Self, String> {
        let Program { names, slots, constants } = about;
        let (code, note) = text.split_once('#').unwrap_or((text, ""));
        let code = code.split_once(" <").map_or(code, |(code, _)| code).trim();
        let mut words = code.split_whitespace().skip_while(|word| PREFIXES.contains(word));
        let mnemonic = words.next().unwrap_or("nop").to_owned();
        let rest = words.collect::<Vec<_>>().join(" ");
        let target = || hex(&rest).ok_or_else(|| format!("no target in '{text}'"));
        // Of a slot, objdump prints the address in a note.
        let slot = note.split_whitespace().next().and_then(hex).and_then(|slot| slots.get(&slot));
        let flow = match mnemonic.as_str() {
            "ret" | "ud2" | "int3" => Flow::Return,
            "jmp" | "call" if rest.starts_with('*') => match slot.and_then(|target| names.get(target)) {
                Some(name) => Flow::Call(name.clone()),
                None if mnemonic == "call" => Flow::Call(format!("unknown: {text}")),
                None => Flow::Indirect,
            },
            "call" => Flow::Call(names.get(&target()?).cloned().unwrap_or_else(|| text.to_owned())),
            "jmp" => Flow::Jump { target: target()?, conditional: false },
            jump if jump.starts_with('j') => Flow::Jump { target: target()?, conditional: true },
            _ => Flow::Next,
        };
        let operands = match flow {
            Flow::Next | Flow::Indirect => operand::parse(rest.trim_start_matches('*')),
            _ => Vec::new(),
        };
        let is_constant = |target: &u64| constants.iter().any(|range| range.contains(target));
        let loads_constant = mnemonic == "mov" && slot.is_some_and(is_constant);
        Ok(Self { address, text: text.trim().to_owned(), mnemonic, operands, flow, loads_constant })
    }
}

/// Prefixes that change nothing here.
const PREFIXES: [&str; 5] = ["data16", "cs", "notrack", "bnd", "addr32"];

impl Function {
    /// The number of instructions.
    pub(crate) fn instructions(&self) -> usize {
        self.code.len()
    }

    /// Whether it has instructions whose mnemonic begins so.
    pub(crate) fn uses(&self, mnemonic: &str) -> bool {
        self.code.iter().any(|instruction| instruction.mnemonic.starts_with(mnemonic))
    }

    /// What is wrong with it.
    pub(crate) fn findings(&self) -> Vec<Finding> {
        taint::findings(&self.code)
    }

    /// How many conditional jumps and how many memory operands it has: what was decided on.
    pub(crate) fn decisions(&self) -> (usize, usize) {
        let jumps =
            self.code.iter().filter(|i| matches!(i.flow, Flow::Jump { conditional: true, .. })).count();
        let memory =
            self.code.iter().flat_map(|i| &i.operands).filter(|o| matches!(o, Operand::Memory { .. }));
        (jumps, memory.count())
    }
}
