//! Registers, flags and memory of the function's own, at one place of the code.

use std::collections::{HashMap, HashSet};

use super::kind::{Kind, Region};
use super::operand::{ARGUMENTS, Operand, Register, STACK};

/// A byte that was stored.
#[derive(Clone, Copy, PartialEq)]
struct Stored {
    kind: Kind,
    by: Origin,
}

/// What is stored from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Origin {
    /// A general register: what a compiler puts aside, and fields.
    General,
    /// A constant: fields, and arrays of words at their beginning; what is put aside never is one.
    Immediate,
    /// A vector: arrays of any kind at their beginning.
    Vector,
}

/// Where an operand in memory is.
enum Place {
    Constant,
    At(Region, i64),
    /// Somewhere in a region.
    Within(Region),
    /// Behind a pointer that was loaded: labels, words and keys.
    Elsewhere,
}

#[derive(Clone, PartialEq)]
pub(super) struct State {
    registers: HashMap<Register, Kind>,
    /// All flags but the carry.
    pub(super) flags: Kind,
    pub(super) carry: Kind,
    /// By byte.
    stored: HashMap<(Region, i64), Stored>,
    /// Arguments that got a secret at an unknown place.
    spoilt: HashSet<Region>,
}

impl State {
    /// Where the function begins.
    pub(super) fn entry() -> Self {
        let mut registers: HashMap<_, _> = (0..16).map(|n| (Register::General(n), Kind::Public)).collect();
        let arguments = ARGUMENTS.into_iter().enumerate();
        registers
            .extend(arguments.map(|(n, register)| (register, Kind::Pointer(Region::Argument(n), Some(0)))));
        registers.insert(STACK, Kind::Pointer(Region::Frame, Some(0)));
        registers.insert(Register::Instruction, Kind::Constant);
        let flags = Kind::Public;
        Self { registers, flags, carry: flags, stored: HashMap::new(), spoilt: HashSet::new() }
    }

    /// Of a vector or mask register that was not written yet: secret.
    pub(super) fn register(&self, register: Register) -> Kind {
        self.registers.get(&register).copied().unwrap_or(Kind::Secret)
    }

    pub(super) fn set(&mut self, register: Register, kind: Kind) {
        self.registers.insert(register, kind);
    }

    /// What is true whichever of the two it is; whether that is less than was known here.
    pub(super) fn join(&mut self, other: &Self) -> bool {
        let before = self.clone();
        for (register, kind) in &mut self.registers {
            *kind = kind.or(other.register(*register));
        }
        self.registers.retain(|register, _| other.registers.contains_key(register));
        self.spoilt.extend(&other.spoilt);
        // What one of them has stored is in the other what it was before.
        for place in other.stored.keys() {
            if !self.stored.contains_key(place) {
                self.stored.insert(*place, Stored { kind: self.fresh(place.0), by: Origin::General });
            }
        }
        for (place, here) in &mut self.stored {
            let there = other.stored.get(place).copied();
            let there = there.unwrap_or(Stored { kind: other.fresh(place.0), by: Origin::General });
            *here = Stored { kind: here.kind.or(there.kind), by: here.by.max(there.by) };
        }
        self.flags = self.flags.or(other.flags);
        self.carry = self.carry.or(other.carry);
        *self != before
    }

    fn fresh(&self, region: Region) -> Kind {
        if self.spoilt.contains(&region) { Kind::Secret } else { region.fresh() }
    }

    /// The address of an operand in memory: a secret, a pointer or another number.
    pub(super) fn address(&self, operand: &Operand) -> Kind {
        let Operand::Memory { displacement, base, index, scale, .. } = *operand else { return Kind::Secret };
        let base = base.map_or(Kind::Public, |base| self.register(base));
        let index = match index.map_or(Kind::Public, |index| self.register(index)) {
            kind if scale == 1 => kind,
            kind => kind.value(),
        };
        match operand {
            Operand::Memory { index: None, .. } => base.plus(displacement),
            _ => base.with(index),
        }
    }

    fn place(&self, operand: &Operand) -> Place {
        match self.address(operand) {
            Kind::Pointer(region, Some(at)) => Place::At(region, at),
            Kind::Pointer(region, None) => Place::Within(region),
            Kind::Constant => Place::Constant,
            Kind::Public | Kind::Secret => Place::Elsewhere,
        }
    }

    /// What an operand holds in its first `length` bytes.
    pub(super) fn read(&self, operand: &Operand, length: i64) -> Kind {
        match *operand {
            Operand::Immediate(_) => Kind::Public,
            Operand::Register { register, mask, .. } => {
                mask.map_or(Kind::Public, |mask| self.register(mask)).choosing(self.register(register))
            }
            Operand::Memory { .. } => match self.place(operand) {
                Place::At(region, at) => {
                    let byte = |at| self.stored.get(&(region, at)).map(|byte| byte.kind);
                    let byte = |at| byte(at).unwrap_or_else(|| self.fresh(region));
                    let kind = (at + 1..at + length).fold(byte(at), |kind, at| kind.or(byte(at)));
                    // A part of a pointer is none.
                    if length == 8 { kind } else { kind.value() }
                }
                // Of arguments all but what was stored there is public; where in a frame which array lies, nobody knows.
                Place::Within(region @ Region::Argument(_)) => {
                    let stored = self.stored.iter().filter(|((of, _), _)| *of == region);
                    stored.fold(self.fresh(region), |kind, (_, byte)| kind.or(byte.kind)).value()
                }
                Place::Within(_) | Place::Elsewhere => Kind::Secret,
                Place::Constant => Kind::Public,
            },
        }
    }

    /// Stores in an operand's first `length` bytes.
    pub(super) fn write(&mut self, operand: &Operand, kind: Kind, length: i64, origin: Origin) {
        match *operand {
            Operand::Immediate(_) => {}
            Operand::Register { register, .. } => self.set(register, kind),
            Operand::Memory { mask, .. } => match self.place(operand) {
                Place::At(region, at) => {
                    let fresh = self.fresh(region);
                    for at in at..at + length {
                        let before = self.stored.get(&(region, at)).map_or(fresh, |byte| byte.kind);
                        // Of chosen lanes, the rest stays.
                        let kind = if mask.is_some() { kind.or(before) } else { kind };
                        self.stored.insert((region, at), Stored { kind, by: origin });
                    }
                }
                Place::Within(region) => self.spoil(region, kind, origin),
                Place::Constant | Place::Elsewhere => {}
            },
        }
    }

    /// Stores somewhere in a region. Where in a frame arrays lie is not known; but such a store goes to an array, and what that held at
    /// its beginning came as wide as what is stored now or wider, or from constants.
    fn spoil(&mut self, region: Region, kind: Kind, origin: Origin) {
        let argument = matches!(region, Region::Argument(_));
        if argument && kind == Kind::Secret {
            self.spoilt.insert(region);
        }
        let narrowest = if origin == Origin::Vector { Origin::Vector } else { Origin::Immediate };
        for ((of, _), byte) in &mut self.stored {
            if *of == region && (argument || byte.by >= narrowest) {
                byte.kind = byte.kind.or(kind);
            }
        }
    }
}
