//! READ, online (`[duoram, Protocol 1, lines 5 to 10]`).

use zeroize::Zeroizing;

use super::{Write, shifts};
use crate::compute::{Compute, HelperReadQuery, ReadQuery};
use crate::endpoint::Expected;
use crate::message::Shape;
use crate::preprocessing::items::{HelperItem, Kept, ReadItem};
use crate::random::PartyStream;
use crate::{Parameters, Role, SessionKey, Word};

/// A primary that has sent its shift shares; the other primary's are due.
pub(crate) struct ShiftDue {
    items: Vec<Kept<ReadItem>>,
    /// `(i*_b - ri_b) mod n` for each query.
    shares: Vec<Word>,
    then: Option<Box<Write>>,
}

impl ShiftDue {
    /// One item for each address share. Reduced mod n: full words would narrow down the address.
    pub(crate) fn start(
        items: Vec<Kept<ReadItem>>,
        addresses: &[Word],
        then: Option<Box<Write>>,
        parameters: &Parameters,
    ) -> Self {
        let share = |(address, item): (&Word, &Kept<ReadItem>)| {
            parameters.reduce(address.wrapping_sub(*item.random_index))
        };
        let shares = addresses.iter().zip(&items).map(share).collect();
        Self { items, shares, then }
    }

    pub(crate) fn shares(&self) -> Vec<Word> {
        self.shares.clone()
    }

    /// The numbers of the items in use.
    pub(crate) fn numbers(&self) -> Vec<u64> {
        self.items.iter().map(|item| item.number).collect()
    }

    pub(crate) fn shape(&self, parameters: &Parameters) -> Shape {
        Shape::Shift { log_size: parameters.log_size(), queries: self.shares.len() }
    }

    /// All of the answer but gamma.
    pub(crate) fn answer(
        self,
        theirs: &[Word],
        parameters: &Parameters,
        local: impl FnOnce(&[ReadQuery]) -> Vec<Word>,
    ) -> UnblindingDue {
        let numbers = self.numbers();
        let shifts = shifts(parameters, self.shares.into_iter(), theirs.iter().copied());
        let queries: Vec<_> = (self.items.into_iter().zip(shifts))
            .map(|(mut item, shift)| ReadQuery {
                dpf_1: item.dpf_1.take(),
                dpf_refresh: item.dpf_refresh.take(),
                shift,
            })
            .collect();
        UnblindingDue { numbers, partial: Zeroizing::new(local(&queries)), then: self.then }
    }
}

/// A primary that waits for gamma.
pub(crate) struct UnblindingDue {
    /// Of the items that went into it.
    pub(crate) numbers: Vec<u64>,
    /// `read_b - gamma_b` for each query.
    partial: Zeroizing<Vec<Word>>,
    pub(crate) then: Option<Box<Write>>,
}

impl UnblindingDue {
    pub(crate) fn shape(&self) -> Shape {
        Shape::Unblinding { queries: self.partial.len() }
    }

    /// `read_b` for each query (`[duoram, Protocol 1, lines 9 and 10]`).
    pub(crate) fn finish(&self, gammas: &[Word]) -> Zeroizing<Vec<Word>> {
        Zeroizing::new(
            self.partial.iter().zip(gammas).map(|(part, gamma)| part.wrapping_add(*gamma)).collect(),
        )
    }
}

/// The helper, waiting for both shift shares, P0's first.
pub(crate) struct HelperRead {
    pub(crate) items: Vec<Kept<HelperItem>>,
    pub(crate) shares_0: Option<Vec<Word>>,
    /// Whether the UPDATE of a WRITE follows.
    pub(crate) write: bool,
}

impl HelperRead {
    /// The numbers of the items in use.
    pub(crate) fn numbers(&self) -> Vec<u64> {
        self.items.iter().map(|item| item.number).collect()
    }

    pub(crate) fn expected(&self, parameters: &Parameters) -> Expected {
        let from = if self.shares_0.is_none() { Role::P0 } else { Role::P1 };
        let shape = Shape::Shift { log_size: parameters.log_size(), queries: self.items.len() };
        Expected { from, round: 0, shape }
    }
}

/// `gamma_0` and `gamma_1` for each query (`[duoram, Protocol 1, line 8]`).
pub(crate) fn unblindings<C: Compute>(
    items: Vec<Kept<HelperItem>>,
    shifts: impl Iterator<Item = u64>,
    compute: &C,
    key: &SessionKey,
    memory: &C::HelperMemory,
    stream: &mut PartyStream,
) -> [Vec<Word>; 2] {
    let queries: Vec<_> = (items.into_iter().zip(shifts))
        .map(|(mut item, shift)| HelperReadQuery {
            dpf_2: item.dpf_2.take(),
            dpf_3: item.dpf_3.take(),
            shift,
        })
        .collect();
    let products = Zeroizing::new(compute.unblinding(key, memory, &queries));
    let mut gammas = [Vec::with_capacity(queries.len()), Vec::with_capacity(queries.len())];
    for [product_0, product_1] in products.iter() {
        let mask = Zeroizing::new(stream.word());
        gammas[0].push(mask.wrapping_sub(*product_0));
        gammas[1].push(product_1.wrapping_add(*mask).wrapping_neg());
    }
    gammas
}
