//! READ, online (`[duoram, Protocol 1, lines 5 to 10]`), and the READ that a WRITE begins with.

use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use super::helper::HelperWorld;
use super::items::{HelperItem, ReadItem};
use super::primary::PrimaryWorld;
use super::{Compute, HelperReadQuery, QueryShape, ReadQuery, shifts, update};
use crate::Word;
use crate::engine::Step;
use crate::engine::endpoint::Due;
use crate::engine::items::{Kept, numbers};
use crate::engine::queries::check_shifts;
use crate::engine::results::Results;
use crate::engine::step::{Begun, Next, State};
use crate::wire::codec::{Reader, Writer};
use crate::wire::{Kind, Length, Message, Misbehaviour, Role};

/// Protocol 1, online.
pub const READ: Step = Step::new("read");

/// P_b to the others: `(i*_b - ri_b) mod n` for each query.
pub struct Shift(pub Vec<Word>);

/// P2 to P_b: `gamma_b` for each query.
pub struct Unblinding(pub Vec<Word>);

impl Message for Shift {
    const KIND: Kind = Kind::new(10, "shift");
    type Shape = QueryShape;

    fn length(shape: QueryShape) -> Length {
        Length::words(shape.queries)
    }

    fn write(&self, out: &mut Writer) {
        out.words(&self.0);
    }

    fn read(reader: &mut Reader<'_>, shape: QueryShape) -> Result<Self, Misbehaviour> {
        let shares = reader.words(shape.queries);
        check_shifts(reader, shape, shares.iter().copied())?;
        Ok(Self(shares))
    }
}

impl Message for Unblinding {
    const KIND: Kind = Kind::new(11, "unblinding");

    /// The number of queries.
    type Shape = usize;

    fn length(queries: usize) -> Length {
        Length::words(queries)
    }

    fn write(&self, out: &mut Writer) {
        out.words(&self.0);
    }

    fn read(reader: &mut Reader<'_>, queries: usize) -> Result<Self, Misbehaviour> {
        Ok(Self(reader.words(queries)))
    }
}

/// The UPDATE to come after the READ of a WRITE (`[duoram, section 3.1.2]`). Kept in a box: as a part of a state it would be
/// moved, and leave its bytes behind.
#[derive(Zeroize, ZeroizeOnDrop)]
pub(super) struct Write {
    /// `i*_b`.
    pub(super) address: Word,
    /// `M_b`, the share of the new value.
    pub(super) value: Word,
}

/// A primary that has sent its shift shares: the other primary's are due.
struct ShiftDue {
    items: Vec<Kept<ReadItem>>,
    /// `(i*_b - ri_b) mod n` for each query.
    shares: Vec<Word>,
    then: Option<Box<Write>>,
}

/// One item for each address share (`[duoram, Protocol 1, line 5]`). Reduced mod n: full words would narrow down the
/// address.
pub(super) fn begin<C: Compute>(
    world: &mut PrimaryWorld<C>,
    addresses: &[Word],
    then: Option<Box<Write>>,
) -> Begun<PrimaryWorld<C>> {
    let items = world.items.take_reads(addresses.len());
    let parameters = *world.core.parameters();
    let share = |(address, kept): (&Word, &Kept<ReadItem>)| {
        parameters.reduce(address.wrapping_sub(*kept.item.random_index))
    };
    let message = Shift(addresses.iter().zip(&items).map(share).collect());
    for to in world.core.role().peers() {
        world.core.send(to, 0, &message);
    }
    Begun::new(READ, numbers(&items), ShiftDue { items, shares: message.0, then })
}

impl<C: Compute> State<PrimaryWorld<C>> for ShiftDue {
    type Message = Shift;

    fn due(&self, world: &PrimaryWorld<C>) -> Due<Shift> {
        let log_size = world.core.parameters().log_size();
        let shape = QueryShape { log_size, queries: self.shares.len() };
        Due { from: world.other, round: 0, shape }
    }

    /// All of the answer but gamma.
    fn receive(self, theirs: Shift, world: &mut PrimaryWorld<C>) -> Next<PrimaryWorld<C>> {
        let PrimaryWorld { core, compute, memory, .. } = world;
        let shifts = shifts(core.parameters(), self.shares.into_iter(), theirs.0.into_iter());
        let queries: Vec<_> = (self.items.into_iter().zip(shifts))
            .map(|(kept, shift)| ReadQuery { read: kept.item.read, refresh: kept.item.refresh, shift })
            .collect();
        let partial = Zeroizing::new(compute.read(&core.key, core.role(), memory, &queries));
        Next::state(UnblindingDue { partial, then: self.then })
    }
}

/// A primary that waits for gamma.
struct UnblindingDue {
    /// `read_b - gamma_b` for each query.
    partial: Zeroizing<Vec<Word>>,
    then: Option<Box<Write>>,
}

impl<C: Compute> State<PrimaryWorld<C>> for UnblindingDue {
    type Message = Unblinding;

    fn due(&self, _world: &PrimaryWorld<C>) -> Due<Unblinding> {
        Due { from: Role::P2, round: 0, shape: self.partial.len() }
    }

    /// `read_b` for each query (`[duoram, Protocol 1, lines 9 and 10]`).
    fn receive(self, gammas: Unblinding, world: &mut PrimaryWorld<C>) -> Next<PrimaryWorld<C>> {
        let results = self.partial.iter().zip(&gammas.0).map(|(part, gamma)| part.wrapping_add(*gamma));
        world.results = Results::of(Zeroizing::new(results.collect()));
        match self.then {
            Some(write) => Next::Then(Box::new(move |world| {
                let old = world.results.shares.first().copied().unwrap_or_default();
                let change = Zeroizing::new(write.value.wrapping_sub(old));
                update::begin(world, &[(write.address, *change)])
            })),
            None => Next::Done,
        }
    }
}

/// The helper, waiting for both shift shares, P0's first.
struct HelperRead {
    items: Vec<Kept<HelperItem>>,
    /// P0's, once they have come.
    shares_0: Option<Vec<Word>>,
    /// Whether the UPDATE of a WRITE follows.
    write: bool,
}

/// The helper sends nothing until it knows the shifts.
pub(super) fn begin_helper<C: Compute>(
    world: &mut HelperWorld<C>,
    count: usize,
    write: bool,
) -> Begun<HelperWorld<C>> {
    let items = world.items.take_reads(count);
    Begun::new(READ, numbers(&items), HelperRead { items, shares_0: None, write })
}

impl<C: Compute> State<HelperWorld<C>> for HelperRead {
    type Message = Shift;

    fn due(&self, world: &HelperWorld<C>) -> Due<Shift> {
        let from = if self.shares_0.is_none() { Role::P0 } else { Role::P1 };
        let log_size = world.core.parameters().log_size();
        Due { from, round: 0, shape: QueryShape { log_size, queries: self.items.len() } }
    }

    /// `gamma_0` and `gamma_1` for each query (`[duoram, Protocol 1, line 8]`).
    fn receive(self, shares: Shift, world: &mut HelperWorld<C>) -> Next<HelperWorld<C>> {
        let Some(shares_0) = self.shares_0 else {
            return Next::state(Self { shares_0: Some(shares.0), ..self });
        };
        let HelperWorld { core, compute, memory, .. } = world;
        let shifts = shifts(core.parameters(), shares_0.into_iter(), shares.0.into_iter());
        let queries: Vec<_> = (self.items.into_iter().zip(shifts))
            .map(|(kept, shift)| HelperReadQuery { dpf_2: kept.item.dpf_2, dpf_3: kept.item.dpf_3, shift })
            .collect();
        let products = Zeroizing::new(compute.unblinding(&core.key, memory, &queries));
        let mut gammas = [Vec::with_capacity(queries.len()), Vec::with_capacity(queries.len())];
        for [product_0, product_1] in products.iter() {
            let mask = Zeroizing::new(core.stream().word());
            gammas[0].push(mask.wrapping_sub(*product_0));
            gammas[1].push(product_1.wrapping_add(*mask).wrapping_neg());
        }
        world.results = Results::counted(queries.len());
        for (to, gamma) in Role::P2.peers().into_iter().zip(gammas) {
            world.core.send(to, 0, &Unblinding(gamma));
        }
        if self.write { Next::Then(Box::new(|world| update::begin_helper(world, 1))) } else { Next::Done }
    }
}
