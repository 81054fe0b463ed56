//! Every number that a case consists of, to be changed one at a time: to something plainer when a case is made smaller, and
//! to something else where two keys or two calls shall differ in nothing but that.

use duoram_reference::{Block, Word};

use super::case::{Case, Key, Scan};
use super::lean::{FlagKey, Selection, ValueUpdate, flag_mask};

/// A number in a case.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Number<'a> {
    /// The session key, or a correction word, whose lowest bit is not to be changed.
    Block(&'a mut Block),
    /// A label: its lowest bit is its flag, which stays.
    Label(&'a mut Block),
    /// F, A or a word of a memory.
    Word(&'a mut Word),
    /// Packed flags: the bits of this mask, the lowest among them.
    Flags(&'a mut Word, Word),
    /// A shift, which is below n.
    Shift(&'a mut u64, u64),
    /// A flag correction.
    Bit(&'a mut bool),
}

impl Number<'_> {
    /// Sets it to zero, or if that is not enough to one; whether that changes anything.
    pub(super) fn simplify(self, one: bool) -> bool {
        match self {
            Self::Block(block) => !one && std::mem::take(block) != 0,
            Self::Label(label) => !one && std::mem::replace(label, *label & 1) > 1,
            Self::Word(word) | Self::Flags(word, _) | Self::Shift(word, _) => {
                std::mem::replace(word, one.into()) > u64::from(one)
            }
            Self::Bit(bit) => !one && std::mem::take(bit),
        }
    }

    /// Makes it another one, of a block its upper or its lower half; `false` if there is no such half.
    pub(super) fn change(self, upper: bool) -> bool {
        // Many bits, the lowest not among them.
        const BITS: Word = 0x9e37_79b9_7f4a_7c14;
        match self {
            Self::Block(block) | Self::Label(block) => {
                *block ^= Block::from(BITS) << if upper { 64 } else { 0 };
            }
            Self::Word(word) => *word ^= if upper { BITS } else { 1 },
            Self::Flags(flags, mask) => *flags ^= if upper { mask & !(mask >> 1) } else { 1 },
            Self::Shift(shift, n) => *shift = (*shift + if upper { n / 2 } else { 1 }) % n,
            Self::Bit(bit) if !upper => *bit = !*bit,
            Self::Bit(_) => return false,
        }
        true
    }
}

/// All numbers of a case, in an order that depends on its kind and sizes only.
pub(super) fn numbers(case: &mut Case) -> Vec<Number<'_>> {
    let mut numbers = Vec::new();
    let depth = case.depth();
    match case {
        Case::Grow { session_key, parents, .. } | Case::LeanSums { session_key, parents, .. } => {
            numbers.push(Number::Block(session_key));
            numbers.extend(parents.iter_mut().map(Number::Label));
        }
        Case::Evaluate { session_key, keys } => {
            numbers.push(Number::Block(session_key));
            for key in keys {
                key_numbers(key, &mut numbers);
            }
        }
        Case::Read(Scan { session_key, memory, queries, .. })
        | Case::Update(Scan { session_key, memory, queries, .. }) => {
            let n = memory[0].len() as u64;
            numbers.push(Number::Block(session_key));
            for query in queries {
                numbers.push(Number::Shift(&mut query.shift, n));
                numbers.extend(query.final_corrections.iter_mut().map(Number::Word));
                for key in &mut query.keys {
                    key_numbers(key, &mut numbers);
                }
            }
            numbers.extend(memory.iter_mut().flatten().map(Number::Word));
        }
        Case::LeanFlags { session_key, keys, .. } => {
            numbers.push(Number::Block(session_key));
            for FlagKey { key, correction } in keys {
                key_numbers(key, &mut numbers);
                numbers.push(Number::Block(correction));
            }
        }
        Case::LeanRead { memory, queries } => {
            for query in queries {
                selection_numbers(query, depth, &mut numbers);
            }
            numbers.extend(memory.iter_mut().map(Number::Word));
        }
        Case::LeanUpdate { session_key, memory, queries } => {
            numbers.push(Number::Block(session_key));
            for ValueUpdate { key, word_correction, final_correction, selection } in queries {
                key_numbers(key, &mut numbers);
                numbers.extend(word_correction.iter_mut().chain([final_correction]).map(Number::Word));
                selection_numbers(selection, depth, &mut numbers);
            }
            numbers.extend(memory.iter_mut().map(Number::Word));
        }
    }
    numbers
}

fn selection_numbers<'a>(
    Selection { flags, shift }: &'a mut Selection,
    depth: u32,
    numbers: &mut Vec<Number<'a>>,
) {
    numbers.push(Number::Shift(shift, 1 << depth));
    numbers.extend(flags.iter_mut().map(|word| Number::Flags(word, flag_mask(depth))));
}

fn key_numbers<'a>(key: &'a mut Key, numbers: &mut Vec<Number<'a>>) {
    numbers.push(Number::Label(&mut key.root));
    numbers.push(Number::Word(&mut key.conversion_factor));
    for level in &mut key.levels {
        numbers.push(Number::Block(&mut level.word));
        numbers.extend([&mut level.left_flag, &mut level.right_flag].map(Number::Bit));
    }
}
