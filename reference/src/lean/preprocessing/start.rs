//! A primary's own draws, what it has been dealt, and the index offsets by which one-hot vectors are moved to ri.

use std::hint::black_box;
use std::mem;

use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use super::dealing::Deal;
use super::levels::Growth;
use super::seeds::{Seeds01, Seeds12};
use super::sides::Making;
use super::{BatchShape, DPFS_PER_ITEM};
use crate::engine::Batch;
use crate::engine::endpoint::Due;
use crate::engine::items::{READ_ITEMS, agreed};
use crate::engine::level::AndTriple;
use crate::engine::step::{Begun, Next, State};
use crate::lean::Compute;
use crate::lean::layers::{flag_bits, flag_depth};
use crate::lean::one_hot::{move_rows, moved};
use crate::lean::primary::World;
use crate::lean::side::Side1;
use crate::wire::codec::{Reader, Writer};
use crate::wire::{Bound, Kind, Length, Message, Misbehaviour, Role};
use crate::{Block, Word};

/// The rule that an index offset has no more bits than choose a flag on a node.
pub const OFFSET: &str = "an index offset";

/// P0 and P1: for each DPF `(ri_b mod 2^kf) xor r_b`. P2, which knows r, would know ri by it.
#[derive(Zeroize, ZeroizeOnDrop)]
pub struct IndexOffset(pub Vec<u8>);

impl Message for IndexOffset {
    const KIND: Kind = Kind::agreeing(5, "index offset", READ_ITEMS).making();
    type Shape = BatchShape;

    fn length(shape: BatchShape) -> Length {
        Length::of_bytes(shape.dpfs())
    }

    fn write(&self, out: &mut Writer) {
        for &offset in &self.0 {
            out.byte(offset);
        }
    }

    fn read(reader: &mut Reader<'_>, shape: BatchShape) -> Result<Self, Misbehaviour> {
        let offsets: Vec<_> = (0..shape.dpfs()).map(|_| reader.byte()).collect();
        let bits = flag_bits(shape.log_size);
        // Only the bits that must be clear are looked at, and no comparison of the whole, which is secret, is made of it.
        match offsets.iter().position(|&offset| black_box(offset >> bits) != 0) {
            Some(dpf) => {
                let got = offsets[dpf].into();
                Err(reader.content(OFFSET, &[("DPF", dpf)], Bound::Below(1 << bits), got))
            }
            None => Ok(Self(offsets)),
        }
    }
}

/// What a primary makes a batch from: its own draws, what it has in common with the other primary, and what it has been dealt.
#[derive(Zeroize, ZeroizeOnDrop)]
pub(crate) struct Drawn {
    #[zeroize(skip)]
    pub(super) shape: BatchShape,
    /// The places of the items in the session.
    #[zeroize(skip)]
    pub(super) numbers: Vec<u64>,
    /// For each item, `ri_b`.
    pub(super) random_indices: Vec<Word>,
    /// For each DPF; the lowest bit is b.
    pub(super) roots: Vec<Block>,
    /// What it has in common with the other primary.
    pub(super) common: Seeds01,
    /// What it has been dealt.
    pub(super) dealt: Dealt,
}

/// What a primary has been dealt: P0 out of the stream that it shares with P2, P1 in part by a message.
#[derive(Default, Zeroize, ZeroizeOnDrop)]
pub(super) struct Dealt {
    /// For each DPF, for each level.
    pub(super) triples: Vec<Vec<AndTriple>>,
    /// For each DPF, `u_b` and, as soon as it has been moved, `o_b`.
    pub(super) one_hots: Vec<Block>,
    /// For each DPF of UPDATE items, `U_b`, `8 w` words, and, as soon as it has been moved, that.
    pub(super) value_one_hots: Vec<Vec<Word>>,
    /// For each DPF of UPDATE items, `R'_b`: w words.
    pub(super) value_shares: Vec<Vec<Word>>,
}

impl Drawn {
    /// The bit of `ri_b` that decides at a level, of the item that a DPF belongs to.
    pub(super) fn index_bit(&self, dpf: usize, level: u32) -> bool {
        self.random_indices[dpf / DPFS_PER_ITEM] >> (self.shape.log_size - 1 - level) & 1 == 1
    }

    /// The first DPF of those that have a level.
    pub(super) fn first_dpf(&self, level: u32) -> usize {
        if level < flag_depth(self.shape.log_size) { 0 } else { self.shape.read_dpfs() }
    }

    /// Moves what has been dealt at r to ri.
    fn move_dealt(&mut self, distances: &[Word]) {
        let dealt = &mut self.dealt;
        for (one_hot, distance) in dealt.one_hots.iter_mut().zip(distances) {
            *one_hot = moved(*one_hot, *distance);
        }
        let distances = distances.iter().skip(self.shape.read_dpfs());
        for (rows, distance) in dealt.value_one_hots.iter_mut().zip(distances) {
            move_rows(rows, *distance);
        }
    }
}

/// Draws, and sends the index offsets.
pub(in crate::lean) fn begin<S: Making, C: Compute>(
    world: &mut World<S, C>,
    batch: Batch,
) -> Begun<World<S, C>> {
    let shape = BatchShape::of(world.core.parameters(), batch);
    let numbers = world.items.coming(batch);
    let mut drawn = Drawn {
        shape,
        random_indices: Vec::with_capacity(batch.items()),
        roots: Vec::with_capacity(shape.dpfs()),
        common: Seeds01::draw(&world.pairs, S::OTHER, shape, &numbers),
        dealt: Dealt::default(),
        numbers,
    };
    let parameters = *world.core.parameters();
    for _ in 0..batch.items() {
        drawn.random_indices.push(parameters.reduce(world.core.stream().word()));
        for _ in 0..DPFS_PER_ITEM {
            drawn.roots.push(world.core.stream().block() & !1 | Block::from(S::ROLE.number()));
        }
    }
    let seeds = S::draw_seeds(&world.pairs, shape, &drawn.numbers);
    let flag_index = (1 << flag_bits(shape.log_size)) - 1;
    let offset = |(dpf, r): (usize, &Word)| {
        let offset = drawn.random_indices[dpf / DPFS_PER_ITEM] & flag_index ^ r;
        // Below 2^7.
        offset.to_le_bytes()[0]
    };
    let own = IndexOffset(S::indices(&seeds).iter().enumerate().map(offset).collect());
    world.core.send(S::OTHER, agreed(batch), &own);
    S::begin(drawn, seeds, own)
}

/// The other primary's index offsets are due.
pub(super) struct OffsetDue<S: Making> {
    pub(super) drawn: Drawn,
    pub(super) seeds: S::Seeds,
    pub(super) own: IndexOffset,
}

impl<S: Making, C: Compute> State<World<S, C>> for OffsetDue<S> {
    type Message = IndexOffset;

    fn due(&self, _world: &World<S, C>) -> Due<IndexOffset> {
        Due { from: S::OTHER, round: agreed(self.drawn.shape.batch), shape: self.drawn.shape }
    }

    fn receive(mut self, theirs: IndexOffset, world: &mut World<S, C>) -> Next<World<S, C>> {
        let distance = |(own, theirs): (&u8, &u8)| Word::from(own ^ theirs);
        let distances = Zeroizing::new(self.own.0.iter().zip(&theirs.0).map(distance).collect::<Vec<_>>());
        self.drawn.move_dealt(&distances);
        Growth::plant(self.drawn, self.seeds, world)
    }
}

/// P1 has told its offsets: the deal is due.
pub(super) struct DealDue {
    pub(super) drawn: Drawn,
    pub(super) seeds: Seeds12,
    pub(super) own: IndexOffset,
}

impl<C: Compute> State<World<Side1, C>> for DealDue {
    type Message = Deal;

    fn due(&self, _world: &World<Side1, C>) -> Due<Deal> {
        Due { from: Role::P2, round: agreed(self.drawn.shape.batch), shape: self.drawn.shape }
    }

    fn receive(mut self, mut deal: Deal, _world: &mut World<Side1, C>) -> Next<World<Side1, C>> {
        let mut triples = mem::take(&mut self.seeds.triples);
        for (triple, z) in triples.iter_mut().flatten().zip(deal.products.iter().flatten()) {
            triple.z = *z;
        }
        self.drawn.dealt = Dealt {
            triples,
            one_hots: mem::take(&mut deal.one_hots),
            value_one_hots: mem::take(&mut deal.value_one_hots),
            value_shares: mem::take(&mut deal.value_shares),
        };
        Next::state(OffsetDue::<Side1> { drawn: self.drawn, seeds: self.seeds, own: self.own })
    }
}
