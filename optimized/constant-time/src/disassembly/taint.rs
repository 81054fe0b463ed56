//! What is secret where: a forward analysis of one function's machine code.
//!
//! Everything that a vector instruction computes is secret, and everything loaded through a pointer that was loaded itself: labels and
//! words, but also round keys and corrections, which nobody needs to branch on. Public are what the function is called with, the
//! fields of its arguments (pointers, lengths, the numbers of rows), constants, and what general instructions make of these.
//!
//! Compilers also keep fields on the stack, and pointers to them. So pointers into the frame and into arguments are followed, byte by byte:
//!
//! | access | is taken for |
//! |---|---|
//! | through a pointer whose place is known on all ways to here | what was last stored there. No assumption: whatever pointer it was stored through, it was the same place |
//! | a load by an index, or through one of several pointers | a secret, if it is of the frame |
//! | a store by an index or so, to an argument | a store to all of its fields |
//! | the same, to the frame | a store to every array: to all that was last stored from a vector, and if it is no vector itself, from a constant |
//! | of what the function has not stored, on one of the ways at least | a secret in the frame, public in an argument |
//!
//! Constants of other units are found by an address that the loader puts into a slot: it is known where that leads, and what lies in a
//! section that nobody writes to is public. An address that comes from anywhere else is one that was loaded.
//!
//! What remains assumed is in the fourth line: an index does not lead to what a general register was stored in, which is what a
//! compiler puts aside, and fields; arrays of secrets begin as zeros or vectors. Besides, arguments do not overlap, and where the stack
//! pointer is rounded down, nothing lies on both sides of that place.
//!
//! Of an instruction that overwrites its destination (`tzcnt`), what was there does not count: nothing of it is left. The carry is
//! known apart from the other flags, for some instructions leave it.
//!
//! Found are conditional jumps on secret flags, addresses made of secrets, operands in memory under a mask that is secret (lanes that it
//! leaves out are not accessed, and a page that is not there is asked for or not), gathers and scatters and whatever else takes its
//! addresses or its number of accesses from vectors, divisions of secrets, and calls of anything but panics. An instruction that is not
//! known here is a finding too.
//!
//! `tests.rs` has a few lines for each of these, and `leaky_kernel.rs` a kernel that would slip through if a rule went further.

use std::collections::{BTreeSet, HashMap};
use std::fmt;

use super::class::{Class, class};
use super::kind::{Kind, Region};
use super::operand::{Operand, Register, STACK};
use super::state::{Origin, State};
use super::{Flow, Instruction};

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

/// The length in bytes of what an instruction stores, or of what it loads if it stores nothing: by the register that takes part in it,
/// else by the suffix. What moves one element of a vector register moves 8 bytes at most.
fn length(instruction: &Instruction) -> i64 {
    let mnemonic = instruction.mnemonic.as_str();
    if mnemonic.starts_with("vpextr") || matches!(mnemonic, "vmovq" | "vmovd") {
        return 8;
    }
    if mnemonic.starts_with("set") {
        return 1;
    }
    let loaded = matches!(instruction.operands.first(), Some(Operand::Memory { .. }));
    let extended = [("movzb", 1), ("movsb", 1), ("movzw", 2), ("movsw", 2), ("movsl", 4)];
    if let Some((_, bytes)) = extended.iter().find(|(stem, _)| loaded && mnemonic.starts_with(stem)) {
        return *bytes;
    }
    let bytes = instruction.operands.iter().find_map(|operand| match operand {
        Operand::Register { bytes, .. } => Some(*bytes),
        _ => None,
    });
    bytes.unwrap_or(match mnemonic.as_bytes().last() {
        Some(b'b') => 1,
        Some(b'w') => 2,
        Some(b'l') => 4,
        _ => 8,
    })
}

/// What an instruction stores from.
fn origin(instruction: &Instruction) -> Origin {
    let vector = |operand: &Operand| {
        matches!(operand, Operand::Register { register: Register::Vector(_) | Register::Mask(_), .. })
    };
    if instruction.operands.iter().any(vector) {
        Origin::Vector
    } else if matches!(instruction.operands.first(), Some(Operand::Immediate(_))) {
        Origin::Immediate
    } else {
        Origin::General
    }
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

/// What an instruction does to the stack pointer; whether that is what it does.
fn moves_stack(state: &mut State, instruction: &Instruction) -> bool {
    let top = state.register(STACK);
    let general = Operand::Memory { displacement: 0, base: Some(STACK), index: None, scale: 1, mask: None };
    match (class(&instruction.mnemonic), &instruction.operands[..]) {
        (Class::Push, [source]) => {
            let kind = state.read(source, 8);
            state.set(STACK, top.plus(-8));
            state.write(&general, kind, 8, Origin::General);
        }
        (Class::Pop, [destination]) => {
            let kind = state.read(&general, 8);
            state.set(STACK, top.plus(8));
            state.write(destination, kind, 8, Origin::General);
        }
        // Rounded down: from there on places are counted anew.
        (Class::Arithmetic, [Operand::Immediate(_), Operand::Register { register: STACK, .. }])
            if instruction.mnemonic.starts_with("and") =>
        {
            let anew = if matches!(top, Kind::Pointer(Region::Frame, _)) { Some(0) } else { None };
            state.set(STACK, Kind::Pointer(Region::Aligned, anew));
        }
        _ => return false,
    }
    true
}

/// What an instruction does to a state; what is wrong with it.
fn step(state: &mut State, instruction: &Instruction) -> Option<&'static str> {
    let operands = &instruction.operands;
    let (mnemonic, class) = (instruction.mnemonic.as_str(), class(&instruction.mnemonic));
    let accessed = !matches!(class, Class::Address | Class::Nothing) || mnemonic.starts_with("prefetch");
    let memory = || operands.iter().filter(|operand| matches!(operand, Operand::Memory { .. }));
    if accessed && memory().any(|operand| state.address(operand) == Kind::Secret) {
        return Some("an address depends on a secret");
    }
    // Lanes that a mask leaves out are not accessed.
    let chosen = |operand: &Operand| match operand {
        Operand::Register { mask, .. } | Operand::Memory { mask, .. } => *mask,
        Operand::Immediate(_) => None,
    };
    if memory().next().is_some()
        && operands.iter().filter_map(chosen).any(|mask| state.register(mask) == Kind::Secret)
    {
        return Some("which words are accessed depends on a secret");
    }
    if moves_stack(state, instruction) {
        return None;
    }
    let [sources @ .., destination] = &operands[..] else {
        return matches!(class, Class::Unknown).then_some("an instruction that is not known");
    };
    let (length, origin) = (length(instruction), origin(instruction));
    let values = |state: &State, operands: &[Operand]| {
        operands.iter().fold(Kind::Public, |kind, operand| kind.or(state.read(operand, length).value()))
    };
    let all = values(state, operands);
    let partial = |destination: &Operand| {
        matches!(
            destination,
            Operand::Register { bytes: 1 | 2, .. } | Operand::Register { mask: Some(_), .. }
        )
    };
    match class {
        Class::Nothing => {}
        _ if clears(instruction) => {
            state.write(destination, Kind::Public, length, origin);
            if !mnemonic.starts_with('v') {
                (state.flags, state.carry) = (Kind::Public, Kind::Public);
            }
        }
        Class::Move => {
            let kind = sources.first().map_or(Kind::Public, |source| state.read(source, length));
            // A slot that the loader has filled.
            let kind = if instruction.loads_constant { Kind::Constant } else { kind };
            // Of a register's lower part, or of chosen lanes, the rest stays.
            let before = if partial(destination) { state.read(destination, length) } else { kind };
            // Extended from fewer bytes, it is no pointer.
            let kind = if length < 8 { kind.value() } else { kind };
            state.write(destination, kind.or(before), length, origin);
        }
        Class::Address => {
            let kind = sources.first().map_or(Kind::Secret, |source| state.address(source));
            // Cut to 32 bits, it is no pointer.
            let kind = if length == 8 { kind } else { kind.value() };
            state.write(destination, kind, length, origin);
        }
        Class::Compare => (state.flags, state.carry) = (all, all),
        Class::Arithmetic => {
            let kind = match (mnemonic.trim_end_matches('q'), sources) {
                ("add", [Operand::Immediate(Some(bytes))]) => state.read(destination, length).plus(*bytes),
                ("sub", [Operand::Immediate(Some(bytes))]) => {
                    state.read(destination, length).plus(bytes.wrapping_neg())
                }
                ("inc", []) => state.read(destination, length).plus(1),
                ("dec", []) => state.read(destination, length).plus(-1),
                ("add" | "sub" | "and" | "or", [source]) => {
                    state.read(destination, length).with(state.read(source, length))
                }
                _ => all,
            };
            state.write(destination, if length == 8 { kind } else { kind.value() }, length, origin);
            // Shifts by a distance of 0 leave the flags as they are.
            let stay = mnemonic.starts_with(['s', 'r'])
                && !mnemonic.starts_with("sub")
                && matches!(sources, [Operand::Register { .. }, ..]);
            state.flags = if stay { state.flags.or(all) } else { all };
            if !mnemonic.starts_with("inc") && !mnemonic.starts_with("dec") {
                state.carry = if stay { state.carry.or(all) } else { all };
            }
        }
        Class::Silent => {
            let kind = if operands.len() == 3 { values(state, sources) } else { all };
            state.write(destination, kind, length, origin);
        }
        Class::Fresh => {
            let kind = values(state, sources);
            state.write(destination, kind, length, origin);
            (state.flags, state.carry) = (kind, kind);
        }
        Class::Product => {
            let accumulator = Register::General(0);
            let kind = match sources {
                [] => all.or(state.register(accumulator).value()),
                [_] => all,
                _ => values(state, sources),
            };
            if sources.is_empty() {
                [0, 3].into_iter().for_each(|n| state.set(Register::General(n), kind));
            } else {
                state.write(destination, kind, length, origin);
            }
            (state.flags, state.carry) = (kind, kind);
        }
        Class::Carry => {
            let kind = all.or(state.carry);
            state.write(destination, kind, length, origin);
            (state.flags, state.carry) = (kind, kind);
        }
        Class::Conditional => {
            let condition = state.flags.or(state.carry);
            // Either of two pointers, or a number.
            let kind = match (mnemonic.starts_with("cmov"), sources) {
                (true, [source]) => state.read(source, length).or(state.read(destination, length)),
                // `set`: of memory it fills the one byte, of a register the rest stays.
                _ if partial(destination) => all,
                _ => Kind::Public,
            };
            let kind = if condition == Kind::Secret { Kind::Secret } else { kind };
            state.write(destination, kind, length, origin);
        }
        Class::Vector => {
            // Broadcasts and moves from general registers are copies; all else is taken to be computed from secrets.
            let copies = ["vbroadcast", "vpbroadcast", "vmovq", "vmovd"];
            let copy = copies.iter().any(|stem| mnemonic.starts_with(stem));
            // Of masks, constants are told apart from what vectors were compared for.
            let copy = copy || mnemonic.starts_with("kmov");
            let to_vector = matches!(
                destination,
                Operand::Register { register: Register::Vector(_) | Register::Mask(_), .. }
            );
            let before = if partial(destination) { state.read(destination, length) } else { Kind::Public };
            let kind =
                if copy && to_vector { values(state, sources).or(before.value()) } else { Kind::Secret };
            state.write(destination, kind, length, origin);
        }
        Class::VectorCompare => (state.flags, state.carry) = (Kind::Secret, Kind::Secret),
        Class::Exchange => operands.iter().for_each(|operand| state.write(operand, all, length, origin)),
        Class::Push | Class::Pop => return Some("an instruction that is not known"),
        Class::Division => {
            let dividend = [0, 3].iter().any(|n| state.register(Register::General(*n)) == Kind::Secret);
            [0, 3].into_iter().for_each(|n| state.set(Register::General(n), all));
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
    let targets = code.iter().filter_map(|instruction| match instruction.flow {
        Flow::Jump { target, .. } => places.get(&target).copied(),
        _ => None,
    });
    let jumped_to: BTreeSet<usize> = targets.collect();
    // States are kept where ways meet; there they only lose knowledge, so that this ends.
    let mut known: HashMap<usize, State> = HashMap::from([(0, State::entry())]);
    let mut reached = vec![false; code.len()];
    let mut found: HashMap<usize, &'static str> = HashMap::new();
    let mut due = BTreeSet::from([0]);
    while let Some(first) = due.pop_first() {
        let Some(mut state) = known.get(&first).cloned() else { continue };
        let mut go = |to: usize, state: &State| {
            let news = match known.get_mut(&to) {
                Some(there) => there.join(state),
                None => known.insert(to, state.clone()).is_none(),
            };
            if news {
                due.insert(to);
            }
        };
        for (at, instruction) in code.iter().enumerate().skip(first) {
            if at > first && jumped_to.contains(&at) {
                go(at, &state);
                break;
            }
            reached[at] = true;
            let mut wrong = None;
            match &instruction.flow {
                Flow::Next => wrong = step(&mut state, instruction),
                Flow::Jump { target, conditional } => {
                    let carried = ["ja", "jb", "jc", "jna", "jnb", "jnc"];
                    let carried = carried.iter().any(|stem| instruction.mnemonic.starts_with(stem));
                    let flags = if carried { state.flags.or(state.carry) } else { state.flags };
                    if *conditional && flags == Kind::Secret {
                        wrong = Some("a branch depends on a secret");
                    }
                    match places.get(target) {
                        Some(target) => go(*target, &state),
                        None => wrong = Some("a jump out of the function"),
                    }
                }
                Flow::Indirect => {
                    if instruction.operands.iter().any(|operand| state.read(operand, 8) == Kind::Secret) {
                        wrong = Some("a jump depends on a secret");
                    }
                    leaders.iter().for_each(|leader| go(*leader, &state));
                }
                Flow::Call(name) if ["panic", "_fail"].iter().any(|part| name.contains(part)) => {}
                Flow::Call(_) => wrong = Some("a call of a function that was not looked at"),
                Flow::Return => {}
            }
            if let Some(what) = wrong {
                found.insert(at, what);
            }
            if ends(at) {
                break;
            }
        }
    }
    // Behind what never returns there is only padding. Anything else would have been left out.
    for (at, instruction) in code.iter().enumerate() {
        if !reached[at] && !PADDING.iter().any(|padding| instruction.mnemonic.starts_with(padding)) {
            found.insert(at, "an instruction that was not reached");
        }
    }
    let mut findings: Vec<_> = found.into_iter().collect();
    findings.sort_unstable_by_key(|(at, _)| *at);
    let finding =
        |(at, what): (usize, _)| Finding { address: code[at].address, text: code[at].text.clone(), what };
    findings.into_iter().map(finding).collect()
}
