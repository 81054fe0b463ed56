//! AND triples without a dealer: each party draws its bit, and two random OTs, one each way, are the rest.

use crate::Block;
use crate::engine::level::AndTriple;

/// P_b's triple, of its bit `X_b`: the key `K^{X_b}` that it has received, and the two keys `K^0`, `K^1` that it has sent.
///
/// With `t_b = K^0` and `Y_b = K^0 xor K^1` of the OT that P_b has sent, what it has received is `X_b Y_c xor t_c`. So
/// `Z_0 = X_0 Y_1 xor T`, `Z_1 = X_1 Y_0 xor T` with `T = t_0 xor t_1` (`[duoram, Definition 4]`; erratum 1).
pub(super) fn and_triple(x: bool, received: Block, [zero, one]: [Block; 2]) -> AndTriple {
    AndTriple { x, y: zero ^ one, z: received ^ zero }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::PartyStream;
    use crate::engine::tree::mask;

    #[test]
    fn erratum_1_triples_satisfy_the_corrected_definition() {
        let mut stream = PartyStream::new([1; 32]);
        for bits in 0..4 {
            let x = [bits & 1 == 1, bits & 2 == 2];
            // Sent by P0 and by P1.
            let sent = [(); 2].map(|()| [stream.block(), stream.block()]);
            let triple = |b: usize| and_triple(x[b], sent[1 - b][usize::from(x[b])], sent[b]);
            let [zero, one] = [triple(0), triple(1)];
            assert_eq!(zero.z ^ one.z, mask(zero.x) & one.y ^ mask(one.x) & zero.y);
            // Each Z alone is masked by a key that the other party does not know.
            assert_eq!(zero.z ^ mask(zero.x) & one.y, sent[0][0] ^ sent[1][0]);
        }
    }
}
