//! A garbled circuit between two parties, as far as it costs: messages at their exact lengths, AES calls really computed.
//!
//! Half gates: 32 bytes an AND, four AES calls of who garbles and two of who evaluates. Inputs of who evaluates go through
//! extended oblivious transfers `[iknp03]`: 16 bytes there, two labels back. The transfers that these are extended from are made
//! once and not counted. What the circuit computes is taken from elsewhere: this is not secure, and does not compute.

use super::aes::Cipher;
use crate::network::{Network, NothingSent};

/// Bytes of a label.
const LABEL: u64 = 16;

/// Bytes of an AND gate.
const GATE: u64 = 2 * LABEL;

/// What a circuit is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Garbled {
    /// AND gates.
    pub ands: u64,
    /// Input bits of who garbles.
    pub of_garbler: u64,
    /// Input bits of who evaluates.
    pub of_evaluator: u64,
    /// Output bits that who garbles learns.
    pub to_garbler: u64,
    /// Output bits that who evaluates learns.
    pub to_evaluator: u64,
}

impl Garbled {
    /// What who garbles sends: labels, gates, and how to read the output.
    pub const fn bytes_of_garbler(&self) -> u64 {
        LABEL * self.of_garbler
            + 2 * LABEL * self.of_evaluator
            + GATE * self.ands
            + self.to_evaluator.div_ceil(8)
    }

    /// What who evaluates sends: choices before, and output bits after.
    pub const fn bytes_of_evaluator(&self) -> u64 {
        LABEL * self.of_evaluator + self.to_garbler.div_ceil(8)
    }

    /// Plays it: choices, if there are any; the circuit; output bits, if there are any.
    ///
    /// # Errors
    ///
    /// [`NothingSent`] never comes of this exchange.
    pub fn play(
        &self,
        network: &mut Network,
        [garbler, evaluator]: [usize; 2],
        cipher: &Cipher,
    ) -> Result<(), NothingSent> {
        if self.of_evaluator > 0 {
            // The columns of two seeds and of one, and hashes of both labels and of one.
            network.compute(evaluator, || cipher.spend(3 * self.of_evaluator));
            network.send(evaluator, garbler, LABEL * self.of_evaluator);
            network.receive(garbler, evaluator)?;
        }
        network.compute(garbler, || cipher.spend(4 * self.ands + 3 * self.of_evaluator));
        network.send(garbler, evaluator, self.bytes_of_garbler());
        network.receive(evaluator, garbler)?;
        network.compute(evaluator, || cipher.spend(2 * self.ands));
        if self.to_garbler > 0 {
            network.send(evaluator, garbler, self.to_garbler.div_ceil(8));
            network.receive(garbler, evaluator)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::Link;

    #[test]
    fn a_gate_is_32_bytes_and_a_transfer_48() {
        let mut network = Network::new(2, Link::none());
        let circuit = Garbled { ands: 10, of_garbler: 3, of_evaluator: 5, to_garbler: 9, to_evaluator: 1 };
        circuit.play(&mut network, [1, 0], &Cipher::new(0)).unwrap();
        let spent = network.mark();
        assert_eq!(spent.bytes, [16 * 5 + 2, 32 * 10 + 16 * 3 + 32 * 5 + 1]);
        assert_eq!(spent.bytes, [circuit.bytes_of_evaluator(), circuit.bytes_of_garbler()]);
        assert_eq!((spent.sequential, spent.messages), (3, vec![2, 1]));
    }

    #[test]
    fn without_inputs_and_outputs_of_who_evaluates_it_is_one_message() {
        let mut network = Network::new(2, Link::none());
        Garbled { ands: 1, of_garbler: 1, ..Garbled::default() }
            .play(&mut network, [0, 1], &Cipher::new(0))
            .unwrap();
        assert_eq!(network.mark().messages, [1, 0]);
    }
}
