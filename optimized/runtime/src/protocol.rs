//! What the owner of the data and the threads of the parties have to know of a protocol: everything else is the protocol's own.

use duoram_reference::lean::{self, Lean};
use duoram_reference::two_party::{self, TwoParty, pir::Pir};
use duoram_reference::{
    Batch, Compute, Error, Frame, Helper, Lasting, Paper, Parameters, Party, Plain, Primary, Protocol, Role,
    Word, paper,
};
use zeroize::Zeroizing;

use crate::local_computation::{Footprint, LocalComputation};
use crate::two_party::Retrieving;

/// What the owner has to know of a protocol besides how it shares a word: what its operations use up.
pub trait Rules: Protocol + 'static {
    /// The name that the command line gives it.
    const NAME: &'static str;

    /// The DPFs of the items of a batch.
    fn dpfs(batch: Batch) -> usize;

    /// The items that a WRITE uses up, or a SWAP.
    const WRITE: Batch;

    /// The steps that a WRITE is, by name.
    const STEPS_OF_WRITE: &'static [&'static str];

    /// The steps that a SWAP is, by name.
    const STEPS_OF_SWAP: &'static [&'static str];

    /// The reference's own computation.
    type Plain: LocalComputation + Default;
}

/// A protocol that can be run with the local computation `C`.
pub trait Runs<C: LocalComputation>: Rules {
    /// P0 or P1.
    ///
    /// # Errors
    ///
    /// [`Error::NotPrimary`].
    fn primary(
        role: Role,
        parameters: Parameters,
        seed: [u8; 32],
        compute: C,
    ) -> Result<Box<dyn PrimaryParty>, Error>;

    /// P2, where it takes part ([`Protocol::ROLES`]).
    fn helper(parameters: Parameters, seed: [u8; 32], compute: C) -> Option<Box<dyn HelperParty>>;

    /// A party that can be stored ([`Lasting`]).
    ///
    /// # Errors
    ///
    /// [`Error::NotPrimary`] of a role that does not take part; whatever else the protocol does not take.
    fn lasting(
        role: Role,
        parameters: Parameters,
        seed: [u8; 32],
        compute: C,
    ) -> Result<Box<dyn Lasting>, Error>;

    /// What the parties take in memory.
    fn footprint(compute: &C) -> &dyn Footprint<Self>;
}

/// The frames that a call begins a step with.
pub type Started = Result<Vec<Frame>, Error>;

/// What P0 and P1 of every protocol can be told to do, besides what any party can. Errors are those of the protocol's party.
#[allow(clippy::missing_errors_doc, reason = "said once, for all of them")]
pub trait PrimaryParty: Party {
    /// Loads this party's share of a memory.
    fn load(&mut self, memory_share: Vec<Word>) -> Started;

    /// Independent READs.
    fn read(&mut self, addresses: &[Word]) -> Started;

    /// UPDATEs: for each the share of its address and that of the row that is put in, `1 + w` words.
    fn update(&mut self, operands: &[Word]) -> Started;

    /// A WRITE: `1 + w` words in the same way.
    fn write(&mut self, operands: &[Word]) -> Started;

    /// A SWAP: a WRITE with the old row as its result.
    fn swap(&mut self, operands: &[Word]) -> Started;

    /// The shares of the results since they were last taken, w words each.
    fn take_results(&mut self) -> Vec<Word>;
}

/// What P2 of every protocol can be told to do. Errors are those of the protocol's party.
#[allow(clippy::missing_errors_doc, reason = "said once, for all of them")]
pub trait HelperParty: Party {
    /// A memory is loaded.
    fn load(&mut self) -> Started;

    /// So many independent READs.
    fn read(&mut self, count: usize) -> Started;

    /// So many UPDATEs.
    fn update(&mut self, count: usize) -> Started;

    /// A WRITE.
    fn write(&mut self) -> Started;

    /// A SWAP.
    fn swap(&mut self) -> Started;
}

/// Operands of UPDATEs as they are, for calls that take rows.
#[allow(clippy::unnecessary_wraps, reason = "stands where the others stand")]
fn rows(operands: &[Word]) -> Result<&[Word], Error> {
    Ok(operands)
}

/// Operands of UPDATEs as pairs, for calls that take words.
fn pairs(operands: &[Word]) -> Result<Zeroizing<Vec<(Word, Word)>>, Error> {
    match operands.as_chunks() {
        (pairs, []) => Ok(Zeroizing::new(pairs.iter().map(|&[address, value]| (address, value)).collect())),
        _ => Err(Error::Operands { expected: operands.len() + 1, got: operands.len() }),
    }
}

/// The operands of a WRITE: an address, and a row as a call takes it.
fn query<'a, R>(
    operands: &'a [Word],
    row: impl FnOnce(&'a [Word]) -> Result<R, Error>,
) -> Result<(Word, R), Error> {
    let (address, rest) = operands.split_first().ok_or(Error::Operands { expected: 2, got: 0 })?;
    Ok((*address, row(rest)?))
}

/// A row of one word, for calls that take words.
fn word(row: &[Word]) -> Result<Word, Error> {
    if let [word] = row { Ok(*word) } else { Err(Error::Operands { expected: 2, got: 1 + row.len() }) }
}

/// The calls of a party of the reference, its own or those of a trait of its protocol; each call that puts something in with
/// what makes its arguments.
macro_rules! primary_party {
    ([$($generics:tt)*] $party:ty, $($calls:ident)::+,
     $update:ident($updates:ident), $write:ident($value:ident), $swap:ident) => {
        impl<$($generics)*> PrimaryParty for $party {
            fn load(&mut self, memory_share: Vec<Word>) -> Started {
                $($calls)::+::load(self, memory_share)
            }

            fn read(&mut self, addresses: &[Word]) -> Started {
                $($calls)::+::read(self, addresses)
            }

            fn update(&mut self, operands: &[Word]) -> Started {
                $($calls)::+::$update(self, &$updates(operands)?)
            }

            fn write(&mut self, operands: &[Word]) -> Started {
                let (address, value) = query(operands, $value)?;
                $($calls)::+::$write(self, address, value)
            }

            fn swap(&mut self, operands: &[Word]) -> Started {
                let (address, value) = query(operands, $value)?;
                $($calls)::+::$swap(self, address, value)
            }

            fn take_results(&mut self) -> Vec<Word> {
                $($calls)::+::take_results(self)
            }
        }
    };
}

// The old word is the result of a WRITE's READ.
primary_party!([C: Compute] Primary<C>, Self, update(pairs), write(word), write);
primary_party!([C: lean::Compute] lean::Primary0<C>, lean::Primary, update_rows(rows), write_row(rows), swap_row);
primary_party!([C: lean::Compute] lean::Primary1<C>, lean::Primary, update_rows(rows), write_row(rows), swap_row);
primary_party!([C: two_party::Compute, P: Pir] two_party::Primary<C, P>, Self, update(pairs), write(word), swap);

/// The calls of a helper of the reference. Online it only ever answers.
macro_rules! helper_party {
    ([$($generics:tt)*] $party:ty, $swap:ident) => {
        impl<$($generics)*> HelperParty for $party {
            fn load(&mut self) -> Started {
                Self::load(self).map(|()| vec![])
            }

            fn read(&mut self, count: usize) -> Started {
                Self::read(self, count).map(|()| vec![])
            }

            fn update(&mut self, count: usize) -> Started {
                Self::update(self, count).map(|()| vec![])
            }

            fn write(&mut self) -> Started {
                Self::write(self).map(|()| vec![])
            }

            fn swap(&mut self) -> Started {
                Self::$swap(self).map(|()| vec![])
            }
        }
    };
}

helper_party!([C: Compute] Helper<C>, write);
helper_party!([C: lean::Compute] lean::Helper<C>, swap);

impl Rules for Paper {
    type Plain = Plain;

    const NAME: &'static str = "paper";
    const WRITE: Batch = Batch { reads: 1, updates: 1 };
    /// A READ whose result stays shared, and an UPDATE.
    const STEPS_OF_WRITE: &'static [&'static str] = &["read", "update"];
    const STEPS_OF_SWAP: &'static [&'static str] = Self::STEPS_OF_WRITE;

    fn dpfs(Batch { reads, updates }: Batch) -> usize {
        3 * (reads + updates)
    }
}

impl<C: LocalComputation + Compute + Footprint<Paper>> Runs<C> for Paper {
    fn primary(
        role: Role,
        parameters: Parameters,
        seed: [u8; 32],
        compute: C,
    ) -> Result<Box<dyn PrimaryParty>, Error> {
        Ok(Box::new(Primary::new(role, parameters, seed, compute)?))
    }

    fn helper(parameters: Parameters, seed: [u8; 32], compute: C) -> Option<Box<dyn HelperParty>> {
        Some(Box::new(Helper::new(parameters, seed, compute)))
    }

    fn lasting(
        role: Role,
        parameters: Parameters,
        seed: [u8; 32],
        compute: C,
    ) -> Result<Box<dyn Lasting>, Error> {
        Ok(paper::lasting(role, parameters, seed, compute))
    }

    fn footprint(compute: &C) -> &dyn Footprint<Self> {
        compute
    }
}

impl Rules for Lean {
    type Plain = lean::Plain;

    const NAME: &'static str = "lean";
    const WRITE: Batch = Batch { reads: 0, updates: 1 };
    const STEPS_OF_WRITE: &'static [&'static str] = &["write"];
    const STEPS_OF_SWAP: &'static [&'static str] = &["swap"];

    fn dpfs(Batch { reads, updates }: Batch) -> usize {
        2 * (reads + updates)
    }
}

impl<C: LocalComputation + lean::Compute + Footprint<Lean>> Runs<C> for Lean {
    fn primary(
        role: Role,
        parameters: Parameters,
        seed: [u8; 32],
        compute: C,
    ) -> Result<Box<dyn PrimaryParty>, Error> {
        match role {
            Role::P0 => Ok(Box::new(lean::Primary0::new(parameters, seed, compute))),
            Role::P1 => Ok(Box::new(lean::Primary1::new(parameters, seed, compute))),
            Role::P2 => Err(Error::NotPrimary { got: role }),
        }
    }

    fn helper(parameters: Parameters, seed: [u8; 32], compute: C) -> Option<Box<dyn HelperParty>> {
        Some(Box::new(lean::Helper::new(parameters, seed, compute)))
    }

    fn lasting(
        role: Role,
        parameters: Parameters,
        seed: [u8; 32],
        compute: C,
    ) -> Result<Box<dyn Lasting>, Error> {
        Ok(lean::lasting(role, parameters, seed, compute))
    }

    fn footprint(compute: &C) -> &dyn Footprint<Self> {
        compute
    }
}

impl Rules for TwoParty {
    type Plain = two_party::Plain;

    const NAME: &'static str = "two-party";
    const WRITE: Batch = Batch { reads: 1, updates: 1 };
    const STEPS_OF_WRITE: &'static [&'static str] = &["write"];
    const STEPS_OF_SWAP: &'static [&'static str] = &["swap"];

    /// A READ uses none.
    fn dpfs(Batch { updates, .. }: Batch) -> usize {
        updates
    }
}

impl<C: LocalComputation + Retrieving + Footprint<TwoParty>> Runs<C> for TwoParty {
    fn primary(
        role: Role,
        parameters: Parameters,
        seed: [u8; 32],
        compute: C,
    ) -> Result<Box<dyn PrimaryParty>, Error> {
        let pir = compute.pir();
        Ok(Box::new(two_party::Primary::new(role, parameters, seed, compute, pir)?))
    }

    fn helper(_parameters: Parameters, _seed: [u8; 32], _compute: C) -> Option<Box<dyn HelperParty>> {
        None
    }

    fn lasting(
        role: Role,
        parameters: Parameters,
        seed: [u8; 32],
        compute: C,
    ) -> Result<Box<dyn Lasting>, Error> {
        let pir = compute.pir();
        Ok(Box::new(two_party::Primary::lasting(role, parameters, seed, compute, pir)?))
    }

    fn footprint(compute: &C) -> &dyn Footprint<Self> {
        compute
    }
}
