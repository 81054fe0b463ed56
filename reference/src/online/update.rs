//! UPDATE and REFRESHBLINDS, online (`[duoram, Protocol 2, lines 5 to 10]`).

use super::shifts;
use crate::compute::{HelperUpdateQuery, UpdateQuery};
use crate::dpf::DpfShare;
use crate::endpoint::Expected;
use crate::message::{HelperUpdateOpening, Shape, UpdateOpening};
use crate::preprocessing::items::{HelperItem, Kept, UpdateItem};
use crate::{Parameters, Role, Word};

/// A primary that has sent its openings; the other primary's are due.
pub(crate) struct UpdateDue {
    items: Vec<Kept<UpdateItem>>,
    own: Vec<UpdateOpening>,
}

impl UpdateDue {
    /// One item for each pair of an address share and `M_b` (`[duoram, Protocol 2, line 5]`; erratum 8: minus ri_b).
    pub(crate) fn start(
        items: Vec<Kept<UpdateItem>>,
        updates: &[(Word, Word)],
        parameters: &Parameters,
    ) -> Self {
        let opening = |((address, value), item): (&(Word, Word), &Kept<UpdateItem>)| UpdateOpening {
            shift: parameters.reduce(address.wrapping_sub(*item.random_index)),
            masked: item.final_corrections.map(|correction| value.wrapping_add(correction)),
        };
        let own = updates.iter().zip(&items).map(opening).collect();
        Self { items, own }
    }

    pub(crate) fn shape(&self, parameters: &Parameters) -> Shape {
        Shape::Update { log_size: parameters.log_size(), queries: self.own.len() }
    }

    /// The numbers of the items in use.
    pub(crate) fn numbers(&self) -> Vec<u64> {
        self.items.iter().map(|item| item.number).collect()
    }

    /// What the other primary gets.
    pub(crate) fn openings(&self) -> Vec<UpdateOpening> {
        self.own.clone()
    }

    /// What the helper gets.
    pub(crate) fn helper_openings(&self) -> Vec<HelperUpdateOpening> {
        let opening = |&UpdateOpening { shift, masked: [_, second, third] }: &UpdateOpening| {
            HelperUpdateOpening { shift, masked: [second, third] }
        };
        self.own.iter().map(opening).collect()
    }

    /// With the final correction words and shifts reconstructed (`[duoram, Protocol 2, lines 6 and 7]`).
    pub(crate) fn queries(self, theirs: &[UpdateOpening], parameters: &Parameters) -> Vec<UpdateQuery> {
        let own_shifts = self.own.iter().map(|opening| opening.shift);
        let shifts = shifts(parameters, own_shifts, theirs.iter().map(|opening| opening.shift));
        let mut queries = Vec::with_capacity(self.items.len());
        for (((mut item, own), theirs), shift) in
            self.items.into_iter().zip(&self.own).zip(theirs).zip(shifts)
        {
            queries.push(UpdateQuery {
                dpfs: item.dpfs.each_mut().map(DpfShare::take),
                final_corrections: sums(own.masked, theirs.masked),
                shift,
            });
        }
        queries
    }
}

/// The helper, waiting for both openings, P0's first.
pub(crate) struct HelperUpdate {
    pub(crate) items: Vec<Kept<HelperItem>>,
    pub(crate) openings_0: Option<Vec<HelperUpdateOpening>>,
}

impl HelperUpdate {
    /// The numbers of the items in use.
    pub(crate) fn numbers(&self) -> Vec<u64> {
        self.items.iter().map(|item| item.number).collect()
    }

    pub(crate) fn expected(&self, parameters: &Parameters) -> Expected {
        let from = if self.openings_0.is_none() { Role::P0 } else { Role::P1 };
        let shape = Shape::HelperUpdate { log_size: parameters.log_size(), queries: self.items.len() };
        Expected { from, round: 0, shape }
    }
}

/// The helper's queries, with all openings (`[duoram, Protocol 2, lines 6 and 7]`).
pub(crate) fn helper_queries(
    items: Vec<Kept<HelperItem>>,
    openings_0: &[HelperUpdateOpening],
    openings_1: &[HelperUpdateOpening],
    parameters: &Parameters,
) -> Vec<HelperUpdateQuery> {
    let shares =
        |openings: &'_ [HelperUpdateOpening]| -> Vec<Word> { openings.iter().map(|o| o.shift).collect() };
    let shifts = shifts(parameters, shares(openings_0).into_iter(), shares(openings_1).into_iter());
    let mut queries = Vec::with_capacity(items.len());
    for (((mut item, opening_0), opening_1), shift) in
        items.into_iter().zip(openings_0).zip(openings_1).zip(shifts)
    {
        let [final_correction_2, final_correction_3] = sums(opening_0.masked, opening_1.masked);
        queries.push(HelperUpdateQuery {
            dpf_2: item.dpf_2.take(),
            dpf_3: item.dpf_3.take(),
            final_correction_2,
            final_correction_3,
            shift,
        });
    }
    queries
}

/// `F^(k) = (M_0 + F_0^(k)) + (M_1 + F_1^(k))`.
fn sums<const K: usize>(left: [Word; K], right: [Word; K]) -> [Word; K] {
    std::array::from_fn(|k| left[k].wrapping_add(right[k]))
}
