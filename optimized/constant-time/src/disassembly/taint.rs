//! What is secret where: a forward analysis of one function's machine code.
//!
//! Everything that a vector instruction computes is secret, and everything loaded through a pointer that is not an argument:
//! labels and words, but also round keys and corrections, which nobody needs to branch on. Public are what the function
//! is called with, the fields of its arguments (pointers, lengths, the numbers of rows), constants, and what
//! general instructions make of these. A slot of the stack is what was last stored there; a place of the stack that is
//! addressed otherwise than by a constant is secret. Compilers keep no other pointers to slots that they spill to.
//!
//! Found are conditional jumps on secret flags, addresses made of secrets, gathers and scatters and whatever
//! else takes its addresses or its number of accesses from vectors, divisions of secrets, and calls of anything but panics. An
//! instruction that is not known here is a finding too.

use std::collections::{HashMap, VecDeque};
use std::fmt;

use super::class::{Class, class};
use super::operand::{ARGUMENTS, FRAME, Operand, Register, STACK};
use super::{Flow, Instruction};

/// What is known about a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Public,
    /// A pointer to the arguments: what it points to is public.
    Argument,
    /// A pointer to constants.
    Constant,
    /// A pointer to the stack.
    Stack,
    Secret,
}

impl Kind {
    fn or(self, other: Self) -> Self {
        match (self, other) {
            (a, b) if a == b => a,
            (Self::Secret, _) | (_, Self::Secret) => Self::Secret,
            _ => Self::Public,
        }
    }

    /// Another value, chosen or read with the help of this one.
    fn choosing(self, other: Self) -> Self {
        if self == Self::Secret { self } else { other }
    }

    /// A value computed from this one: no pointer any more.
    fn value(self) -> Self {
        if self == Self::Secret { self } else { Self::Public }
    }
}

/// Something that depends on a secret.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Finding {
    /// Where.
    pub(crate) address: u64,
    /// The instruction.
    pub(crate) text: String,
    /// What is wrong.
    pub(crate) what: &'static str,
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:x}: {}: {}", self.address, self.what, self.text)
    }
}

/// Registers, flags and slots before an instruction.
#[derive(Clone, PartialEq)]
struct State {
    registers: HashMap<Register, Kind>,
    flags: Kind,
    /// By their place, in units of 8 bytes.
    slots: HashMap<(Register, i64), Kind>,
}

impl State {
    fn entry() -> Self {
        let mut registers: HashMap<_, _> = (0..16).map(|n| (Register::General(n), Kind::Public)).collect();
        registers.extend(ARGUMENTS.map(|register| (register, Kind::Argument)));
        registers.insert(STACK, Kind::Stack);
        registers.insert(Register::Instruction, Kind::Constant);
        Self { registers, flags: Kind::Public, slots: HashMap::new() }
    }

    /// Of a vector or mask register that was not written yet: secret.
    fn register(&self, register: Register) -> Kind {
        self.registers.get(&register).copied().unwrap_or(Kind::Secret)
    }

    fn join(&mut self, other: &Self) {
        for (register, kind) in &mut self.registers {
            *kind = kind.or(other.register(*register));
        }
        self.registers.retain(|register, _| other.registers.contains_key(register));
        self.slots.retain(|slot, _| other.slots.contains_key(slot));
        for (slot, kind) in &mut self.slots {
            *kind = kind.or(other.slots[slot]);
        }
        self.flags = self.flags.or(other.flags);
    }

    /// What an operand holds.
    fn read(&self, operand: &Operand) -> Kind {
        match *operand {
            Operand::Immediate => Kind::Public,
            Operand::Register { register, mask, .. } => {
                mask.map_or(Kind::Public, |mask| self.register(mask)).choosing(self.register(register))
            }
            Operand::Memory { displacement, base: Some(base), index: None, .. }
                if base == STACK || self.is_frame(base) =>
            {
                self.slots.get(&(base, displacement / 8)).copied().unwrap_or(Kind::Secret)
            }
            Operand::Memory { base, index, .. } => {
                let index = index.map_or(Kind::Public, |index| self.register(index));
                match base.map(|base| self.register(base)) {
                    Some(Kind::Argument | Kind::Constant) if index != Kind::Secret => Kind::Public,
                    _ => Kind::Secret,
                }
            }
        }
    }

    fn is_frame(&self, base: Register) -> bool {
        base == FRAME && self.register(base) == Kind::Stack
    }

    fn write(&mut self, operand: &Operand, kind: Kind, length: i64) {
        match *operand {
            // The stack pointer stays one, whatever is added to it.
            Operand::Immediate | Operand::Register { register: STACK, .. } => {}
            Operand::Register { register, .. } => {
                self.registers.insert(register, kind);
            }
            Operand::Memory { displacement, base: Some(base), index: None, .. }
                if base == STACK || self.is_frame(base) =>
            {
                for slot in displacement.div_euclid(8)..(displacement + length - 1).div_euclid(8) + 1 {
                    self.slots.insert((base, slot), kind);
                }
            }
            Operand::Memory { .. } => {}
        }
    }
}

/// The length of an access, by the register that takes part in it; 8 for immediates, and for what moves one element of a
/// vector register, which is 8 bytes at most.
fn length(instruction: &Instruction) -> i64 {
    let mnemonic = instruction.mnemonic.as_str();
    if mnemonic.starts_with("vpextr") || matches!(mnemonic, "vmovq" | "vmovd") {
        return 8;
    }
    let bytes = instruction.operands.iter().find_map(|operand| match operand {
        Operand::Register { bytes, .. } => Some(*bytes),
        _ => None,
    });
    bytes.unwrap_or(8)
}

/// Whether a register is cleared: `xor` of it with itself, in any width.
fn clears(instruction: &Instruction) -> bool {
    let plain = instruction.mnemonic.trim_start_matches('v');
    let cleared = ["xor", "pxor"].iter().any(|stem| plain.starts_with(stem));
    cleared
        && instruction.operands.len() >= 2
        && instruction.operands.iter().all(|operand| *operand == instruction.operands[0])
        && matches!(instruction.operands[0], Operand::Register { mask: None, .. })
}

/// What an instruction does to a state; what is wrong with it.
fn step(state: &mut State, instruction: &Instruction) -> Option<&'static str> {
    let operands = &instruction.operands;
    let class = class(&instruction.mnemonic);
    let secret_address =
        !matches!(class, Class::Address | Class::Nothing) || instruction.mnemonic.starts_with("prefetch");
    for operand in operands {
        if let Operand::Memory { base, index, .. } = operand
            && secret_address
            && [base, index].into_iter().flatten().any(|register| state.register(*register) == Kind::Secret)
        {
            return Some("an address depends on a secret");
        }
    }
    let [sources @ .., destination] = &operands[..] else {
        return matches!(class, Class::Unknown).then_some("an instruction that is not known");
    };
    let all = operands.iter().fold(Kind::Public, |kind, operand| kind.or(state.read(operand).value()));
    let length = length(instruction);
    match class {
        Class::Nothing => {}
        _ if clears(instruction) => {
            state.write(destination, Kind::Public, length);
            if !instruction.mnemonic.starts_with('v') {
                state.flags = Kind::Public;
            }
        }
        Class::Move => {
            let kind = sources.first().map_or(Kind::Public, |source| state.read(source));
            // Of a register's lower part, or of chosen lanes, the rest stays.
            let partial = match destination {
                Operand::Register { bytes: 1, .. } | Operand::Register { mask: Some(_), .. } => {
                    state.read(destination)
                }
                _ => kind,
            };
            let kind = if partial == kind { kind } else { kind.or(partial) };
            state.write(destination, kind, length);
        }
        Class::Address => {
            let kind = match sources.first() {
                Some(Operand::Memory { base: Some(base), index: None, .. }) => state.register(*base),
                Some(Operand::Memory { base, index, .. }) => [base, index]
                    .into_iter()
                    .flatten()
                    .fold(Kind::Public, |kind, register| kind.or(state.register(*register).value())),
                _ => Kind::Secret,
            };
            state.write(destination, kind, length);
        }
        Class::Compare => state.flags = all,
        Class::Arithmetic | Class::Silent => {
            let pointer = sources.iter().all(|source| *source == Operand::Immediate);
            let kind = if pointer { state.read(destination) } else { all };
            state.write(destination, kind, length);
            if matches!(class, Class::Arithmetic) {
                state.flags = all;
            }
        }
        Class::Conditional => state.write(destination, all.or(state.flags), length),
        Class::Vector => {
            // Broadcasts and moves from general registers are copies; all else is taken to be computed from secrets.
            let copies = ["vbroadcast", "vpbroadcast", "vmovq", "vmovd"];
            let copy = copies.iter().any(|stem| instruction.mnemonic.starts_with(stem));
            let to_vector = matches!(destination, Operand::Register { register: Register::Vector(_), .. });
            let kind = if copy && to_vector { all } else { Kind::Secret };
            state.write(destination, kind, length);
        }
        Class::VectorCompare => state.flags = Kind::Secret,
        Class::Exchange => operands.iter().for_each(|operand| state.write(operand, all, length)),
        Class::Restore => state.write(destination, Kind::Public, length),
        Class::Division => {
            state.registers.extend([0, 3].map(|n| (Register::General(n), all)));
            let dividend = [0, 3].iter().any(|n| state.register(Register::General(*n)) == Kind::Secret);
            return (all == Kind::Secret || dividend).then_some("a division, whose time depends on a secret");
        }
        Class::Scattered => return Some("addresses or accesses depend on a vector"),
        Class::Unknown => return Some("an instruction that is not known"),
    }
    None
}

/// What stands between blocks of code.
const PADDING: [&str; 4] = ["int3", "nop", "xchg", "ud2"];

/// Everything that is wrong with a function.
pub(super) fn findings(code: &[Instruction]) -> Vec<Finding> {
    let places: HashMap<u64, usize> = code.iter().enumerate().map(|(at, i)| (i.address, at)).collect();
    // Where an indirect jump may lead: to whatever follows an end, and so has no other way to be reached.
    let ends = |at: usize| !matches!(code[at].flow, Flow::Next | Flow::Jump { conditional: true, .. });
    let leaders: Vec<usize> =
        (1..code.len()).filter(|at| ends(at - 1) && code[*at].mnemonic != "int3").collect();
    let mut before: Vec<Option<State>> = code.iter().map(|_| None).collect();
    let mut found: HashMap<usize, &'static str> = HashMap::new();
    let mut due = VecDeque::from([(0, State::entry())]);
    while let Some((at, state)) = due.pop_front() {
        let Some(instruction) = code.get(at) else { continue };
        let mut state = match &mut before[at] {
            Some(known) => {
                let mut joined = known.clone();
                joined.join(&state);
                if joined == *known {
                    continue;
                }
                known.clone_from(&joined);
                joined
            }
            none => none.insert(state).clone(),
        };
        let computes = matches!(instruction.flow, Flow::Next);
        let mut wrong = if computes { step(&mut state, instruction) } else { None };
        match &instruction.flow {
            Flow::Next => due.push_back((at + 1, state)),
            Flow::Jump { target, conditional } => {
                if *conditional {
                    if state.flags == Kind::Secret {
                        wrong = Some("a branch depends on a secret");
                    }
                    due.push_back((at + 1, state.clone()));
                }
                match places.get(target) {
                    Some(target) => due.push_back((*target, state)),
                    None => wrong = Some("a jump out of the function"),
                }
            }
            Flow::Indirect => {
                if instruction.operands.iter().any(|operand| state.read(operand) == Kind::Secret) {
                    wrong = Some("a jump depends on a secret");
                }
                leaders.iter().for_each(|leader| due.push_back((*leader, state.clone())));
            }
            Flow::Call(name) if ["panic", "_fail"].iter().any(|part| name.contains(part)) => {}
            Flow::Call(_) => wrong = Some("a call of a function that was not looked at"),
            Flow::Return => {}
        }
        if let Some(what) = wrong {
            found.insert(at, what);
        }
    }
    // Behind what never returns there is only padding. Anything else would have been left out.
    for (at, instruction) in code.iter().enumerate() {
        if before[at].is_none() && !PADDING.iter().any(|padding| instruction.mnemonic.starts_with(padding)) {
            found.insert(at, "an instruction that was not reached");
        }
    }
    let mut findings: Vec<_> = found.into_iter().collect();
    findings.sort_unstable_by_key(|(at, _)| *at);
    let finding =
        |(at, what): (usize, _)| Finding { address: code[at].address, text: code[at].text.clone(), what };
    findings.into_iter().map(finding).collect()
}
