//! Triples: the helper is the dealer of App. A (`[duoram, appendix A]`, with a third party).

use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use super::drawn::Drawn;
use super::levels::Growth;
use super::{PREPROCESS, READ_ITEMS, TreeShape, agreed};
use crate::Word;
use crate::engine::endpoint::Due;
use crate::engine::level::AndTriple;
use crate::engine::step::{Begun, Next, State};
use crate::engine::tree::mask;
use crate::engine::{Batch, PartyStream};
use crate::paper::Compute;
use crate::paper::primary::PrimaryWorld;
use crate::wire::codec::{Reader, Writer};
use crate::wire::shape::levels;
use crate::wire::{Kind, Length, Message, Misbehaviour, Role};

/// One party's multiplication triple (`[duoram, Definition 5]` with vectors of one word; erratum 2).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Zeroize)]
pub struct ProductTriple {
    /// `X_b`.
    pub x: Word,
    /// `Y_b`.
    pub y: Word,
    /// `Z_b`.
    pub z: Word,
}

/// P2 to P_b: one party's triples of a batch. Wiped on drop.
#[derive(Zeroize, ZeroizeOnDrop)]
pub struct Triples {
    /// For DPF d and level l, number `d h + l`.
    pub and: Vec<AndTriple>,
    /// One a DPF.
    pub products: Vec<ProductTriple>,
}

impl Message for Triples {
    const KIND: Kind = Kind::agreeing(4, "triples", READ_ITEMS).making();
    type Shape = TreeShape;

    fn length(shape: TreeShape) -> Length {
        let count = shape.dpfs.saturating_mul(levels(shape.log_size));
        let strings = Length::blocks(count.saturating_mul(2)).and(Length::bits(count));
        strings.and(Length::words(shape.dpfs.saturating_mul(3)))
    }

    fn write(&self, out: &mut Writer) {
        for triple in &self.and {
            out.blocks(&[triple.y, triple.z]);
        }
        out.bits(self.and.iter().map(|triple| triple.x).collect());
        for triple in &self.products {
            out.words(&[triple.x, triple.y, triple.z]);
        }
    }

    fn read(reader: &mut Reader<'_>, shape: TreeShape) -> Result<Self, Misbehaviour> {
        let count = shape.dpfs * levels(shape.log_size);
        let strings = Zeroizing::new(reader.blocks(2 * count));
        let bits = Zeroizing::new(reader.bits(count)?);
        let and = strings
            .chunks_exact(2)
            .zip(bits.iter())
            .map(|(yz, &x)| AndTriple { x, y: yz[0], z: yz[1] })
            .collect();
        let mut product = || ProductTriple { x: reader.word(), y: reader.word(), z: reader.word() };
        Ok(Self { and, products: (0..shape.dpfs).map(|_| product()).collect() })
    }
}

/// A primary that has drawn its part: the triples are due.
struct TriplesDue(Drawn);

/// A primary draws, and has nothing to say before it has triples.
pub(in crate::paper) fn begin<C: Compute>(
    world: &mut PrimaryWorld<C>,
    batch: Batch,
) -> Begun<PrimaryWorld<C>> {
    let role = world.core.role();
    let drawn = Drawn::draw(role, batch, world.core.stream());
    Begun::new(PREPROCESS, world.items.coming(batch), TriplesDue(drawn))
}

impl<C: Compute> State<PrimaryWorld<C>> for TriplesDue {
    type Message = Triples;

    fn due(&self, world: &PrimaryWorld<C>) -> Due<Triples> {
        let shape = self.0.shape(world.core.parameters());
        Due { from: Role::P2, round: agreed(self.0.batch), shape }
    }

    fn receive(self, triples: Triples, world: &mut PrimaryWorld<C>) -> Next<PrimaryWorld<C>> {
        Growth::plant(self.0, triples, world)
    }
}

/// Triples for `dpfs` DPFs of height `log_size`: P0's and P1's.
///
/// The helper knows them, and must not hear what the primaries say to each other.
pub(super) fn deal(stream: &mut PartyStream, log_size: u32, dpfs: usize) -> [Triples; 2] {
    let levels = usize::try_from(log_size).unwrap_or(usize::MAX);
    let room = || Triples { and: Vec::with_capacity(dpfs * levels), products: Vec::with_capacity(dpfs) };
    let mut triples = [room(), room()];
    for _ in 0..dpfs {
        for _ in 0..levels {
            let pair = deal_and(stream);
            triples.iter_mut().zip(pair).for_each(|(triples, triple)| triples.and.push(triple));
        }
        let pair = deal_product(stream);
        triples.iter_mut().zip(pair).for_each(|(triples, triple)| triples.products.push(triple));
    }
    triples
}

/// `Z_0 = (X_0 and Y_1) xor T`, `Z_1 = (X_1 and Y_0) xor T` (`[duoram, Definition 4]`; erratum 1).
fn deal_and(stream: &mut PartyStream) -> [AndTriple; 2] {
    let bits = stream.word();
    let (x_0, x_1) = (bits & 1 == 1, bits >> 1 & 1 == 1);
    let (y_0, y_1, t) = (stream.block(), stream.block(), stream.block());
    [
        AndTriple { x: x_0, y: y_0, z: mask(x_0) & y_1 ^ t },
        AndTriple { x: x_1, y: y_1, z: mask(x_1) & y_0 ^ t },
    ]
}

/// `Z_0 = X_0 Y_1 + T`, `Z_1 = X_1 Y_0 - T` (`[duoram, Definition 5]`; erratum 2).
fn deal_product(stream: &mut PartyStream) -> [ProductTriple; 2] {
    let (x_0, x_1) = (stream.word(), stream.word());
    let (y_0, y_1) = (stream.word(), stream.word());
    let t = stream.word();
    [
        ProductTriple { x: x_0, y: y_0, z: x_0.wrapping_mul(y_1).wrapping_add(t) },
        ProductTriple { x: x_1, y: y_1, z: x_1.wrapping_mul(y_0).wrapping_sub(t) },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errata_1_and_2_triples_satisfy_the_corrected_definitions() {
        let [zero, one] = deal(&mut PartyStream::new([1; 32]), 5, 7);
        assert_eq!((zero.and.len(), zero.products.len()), (35, 7));
        for (a, b) in zero.and.iter().zip(&one.and) {
            assert_eq!(a.z ^ b.z, mask(a.x) & b.y ^ mask(b.x) & a.y);
        }
        for (a, b) in zero.products.iter().zip(&one.products) {
            let cross = a.x.wrapping_mul(b.y).wrapping_add(b.x.wrapping_mul(a.y));
            assert_eq!(a.z.wrapping_add(b.z), cross);
        }
    }

    #[test]
    fn draws_are_in_the_order_that_the_protocol_fixes() {
        let [zero, one] = deal(&mut PartyStream::new([2; 32]), 1, 1);
        let mut stream = PartyStream::new([2; 32]);
        let bits = stream.word();
        assert_eq!((zero.and[0].x, one.and[0].x), (bits & 1 == 1, bits & 2 == 2));
        assert_eq!((zero.and[0].y, one.and[0].y), (stream.block(), stream.block()));
        let _t = stream.block();
        assert_eq!((zero.products[0].x, one.products[0].x), (stream.word(), stream.word()));
        assert_eq!((zero.products[0].y, one.products[0].y), (stream.word(), stream.word()));
    }
}
