//! The dealer of App. A: the helper draws triples for both primaries (`[duoram, appendix A]`, with a third party).

use crate::dpf::mask;
use crate::message::{AndTriple, ProductTriple, Triples};
use crate::random::PartyStream;

/// Triples for `dpfs` DPFs of height `log_size`: P0's and P1's.
///
/// The helper knows them, and must not hear what the primaries say to each other.
pub(crate) fn deal(stream: &mut PartyStream, log_size: u32, dpfs: usize) -> [Triples; 2] {
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
