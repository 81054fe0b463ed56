//! The messages of a query and of a rebuild, as the authors' program sends them: gates on replicated shares, garbled lookups
//! among three, shuffles.
//!
//! Parties are in a ring. An AND costs each a bit to the next one; of many copies of a circuit the bits go together, as many
//! bytes as hold them. The first party builds tables and evaluates lookups, and the third garbles.

use super::shape::{STASH, Shape};
use crate::cost::aes::Cipher;
use crate::network::{Network, NothingSent, Spent};

/// A circuit on replicated shares: the ANDs of each round, and all gates.
struct Circuit {
    rounds: &'static [u64],
    gates: u64,
}

/// LowMC of 128 bits: 9 rounds of 42 S-boxes of three ANDs. A pseudorandom function of addresses.
const LOW_MC: Circuit = Circuit { rounds: &[126; 9], gates: 45_579 };

/// Whether an address of the cache is the one that is looked for, its word if so, and its address erased.
const CACHE: Circuit = Circuit { rounds: &[16, 8, 4, 2, 1, 96], gates: 71 };

/// Whether an element is a dummy, and a new label if so.
const RELABEL: Circuit = Circuit { rounds: &[16, 8, 4, 2, 1, 32], gates: 103 };

/// Whether an element is a dummy.
const IS_DUMMY: Circuit = Circuit { rounds: &[16, 8, 4, 2, 1], gates: 38 };

/// ANDs of the garbled lookup: a tag and two cells go in, and out comes the index of the equal one, or of a dummy.
const LOOKUP_ANDS: u64 = 254;

/// Blocks that go into it.
const LOOKUP_BLOCKS: u64 = 4;

/// Bytes of a block: a tag, a label, a cell.
const BLOCK: u64 = 16;

/// Bytes of an address, an index and a word.
const ADDRESS: u64 = 4;
const INDEX: u64 = 4;
const WORD: u64 = 8;

/// Copies of a circuit that are computed at once.
const MANY: u64 = 1024;

/// The parties.
const FIRST: usize = 0;
const SECOND: usize = 1;
const THIRD: usize = 2;

/// Bytes that hold a bit for each of so many copies.
const fn width(copies: u64) -> u64 {
    match copies {
        0..=8 => 1,
        9..=16 => 2,
        17..=32 => 4,
        33..=64 => 8,
        _ => copies.div_ceil(128) * BLOCK,
    }
}

/// What queries and rebuilds send.
pub(super) struct Schedule<'n> {
    network: &'n mut Network,
    cipher: Cipher,
    /// Bytes that were sent to each party, which the authors' program counts with those that it sent.
    received: [u64; 3],
}

impl<'n> Schedule<'n> {
    pub(super) fn new(network: &'n mut Network) -> Self {
        Self { network, cipher: Cipher::new(0), received: [0; 3] }
    }

    /// What happened since the network's last mark.
    pub(super) fn mark(&mut self) -> Spent {
        self.network.mark()
    }

    /// Bytes that were sent to a party since the beginning.
    pub(super) fn received(&self, party: usize) -> u64 {
        self.received[party]
    }

    fn send(&mut self, from: usize, to: usize, bytes: u64) {
        self.received[to] += bytes;
        self.network.send(from, to, bytes);
    }

    /// Each party sends to the next.
    fn ring(&mut self, bytes: u64) -> Result<(), NothingSent> {
        for party in 0..3 {
            self.send(party, (party + 1) % 3, bytes);
        }
        for party in 0..3 {
            self.network.receive(party, (party + 2) % 3)?;
        }
        Ok(())
    }

    fn pass(&mut self, from: usize, to: usize, bytes: u64) -> Result<(), NothingSent> {
        self.send(from, to, bytes);
        self.network.receive(to, from)
    }

    /// So many copies of a circuit.
    fn compute(&mut self, circuit: &Circuit, copies: u64) -> Result<(), NothingSent> {
        let mut left = copies;
        while left > 0 {
            let batch = left.min(MANY);
            // The rest of many is held in blocks, however few it is.
            let width = width(if copies > MANY { batch.max(MANY / 8) } else { batch });
            for ands in circuit.rounds {
                let bytes = ands * width;
                for party in 0..3 {
                    // Two shares a party of every wire; shares of zero from a common AES with each neighbour.
                    let gates = circuit.gates / circuit.rounds.len() as u64;
                    self.network.compute(party, || {
                        xors(2 * gates * width.div_ceil(BLOCK));
                        self.cipher.spend(2 * bytes.div_ceil(BLOCK));
                    });
                }
                self.ring(bytes)?;
            }
            left -= batch;
        }
        Ok(())
    }

    /// A value is opened to a party, by the one before it.
    fn open(&mut self, to: usize, bytes: u64) -> Result<(), NothingSent> {
        self.pass((to + 2) % 3, to, bytes)
    }

    /// Two parties' XOR shares become all parties' shares.
    fn share(&mut self, one: usize, other: usize, bytes: u64) -> Result<(), NothingSent> {
        self.pass(one, (one + 1) % 3, bytes)?;
        self.pass(other, (other + 1) % 3, bytes)
    }

    /// A query, with so many elements in the cache and so many tables.
    pub(super) fn query(&mut self, shape: &Shape, cached: usize, alive: usize) -> Result<(), NothingSent> {
        self.compute(&LOW_MC, u64::from(shape.levels))?;
        self.compute(&CACHE, cached.max(1) as u64)?;
        for _ in 0..alive {
            self.lookup()?;
        }
        // The new word or the old one, which goes to the cache; and the answer, which the authors' benchmark opens.
        self.ring(WORD)?;
        self.ring(WORD)
    }

    fn lookup(&mut self) -> Result<(), NothingSent> {
        // The tag, or a random one if the address was found before: opened to those who hold the table.
        self.ring(BLOCK)?;
        self.open(THIRD, BLOCK)?;
        self.open(SECOND, BLOCK)?;
        self.share(THIRD, SECOND, LOOKUP_BLOCKS * BLOCK)?;
        let labels = LOOKUP_BLOCKS * 128 * BLOCK;
        for party in [SECOND, THIRD] {
            self.network.compute(party, || self.cipher.spend(4 * LOOKUP_ANDS));
            self.send(party, FIRST, labels);
        }
        self.send(THIRD, FIRST, 2 * LOOKUP_ANDS * BLOCK);
        self.network.receive(FIRST, THIRD)?;
        self.network.receive(FIRST, SECOND)?;
        self.network.receive(FIRST, THIRD)?;
        self.network.compute(FIRST, || self.cipher.spend(2 * LOOKUP_ANDS));
        self.pass(FIRST, SECOND, BLOCK)?;
        self.open(THIRD, BLOCK)?;
        self.open(SECOND, BLOCK)?;
        self.pass(THIRD, FIRST, INDEX)
    }

    /// Builds a table of so many elements; the dummies among them, if they come from other tables, get new labels first.
    pub(super) fn build(&mut self, shape: &Shape, level: usize, built: usize) -> Result<(), NothingSent> {
        let elements = shape.elements(level, built) as u64;
        let all = elements + shape.dummies(level) as u64;
        self.compute(&LOW_MC, elements)?;
        for bytes in [BLOCK, ADDRESS, WORD, INDEX] {
            self.shuffle(all * bytes)?;
        }
        self.open(FIRST, all * BLOCK)?;
        // The table, from who built it to the other two.
        self.pass(FIRST, SECOND, (2 << shape.log_column(level, built)) * BLOCK)?;
        for bytes in [ADDRESS, WORD] {
            self.share(THIRD, SECOND, all * bytes)?;
        }
        let stash = STASH as u64 * INDEX;
        self.pass(FIRST, THIRD, stash)?;
        self.pass(FIRST, SECOND, stash)?;
        self.pass(THIRD, FIRST, stash)
    }

    /// Dummies among the extracted elements get new labels.
    pub(super) fn relabel(&mut self, extracted: usize) -> Result<(), NothingSent> {
        self.compute(&RELABEL, extracted as u64)
    }

    /// Dummies are thrown away, among elements shuffled before.
    pub(super) fn cleanse(&mut self, extracted: usize) -> Result<(), NothingSent> {
        let extracted = extracted as u64;
        for bytes in [ADDRESS, WORD] {
            self.shuffle(extracted * bytes)?;
        }
        self.compute(&IS_DUMMY, extracted)?;
        self.ring(extracted * BLOCK)
    }

    /// Three permutations, each of which one party does not know.
    fn shuffle(&mut self, bytes: u64) -> Result<(), NothingSent> {
        for party in 0..3 {
            self.share((party + 1) % 3, party, bytes)?;
        }
        Ok(())
    }
}

/// So many XORs of registers, which are done and forgotten.
fn xors(count: u64) {
    let mut register = std::hint::black_box(0_u128);
    for number in 0..count {
        register = std::hint::black_box(register ^ u128::from(number));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::Link;

    #[test]
    fn bits_of_copies_go_together() {
        assert_eq!([1, 8, 9, 17, 33, 65, 128, 129, 1024].map(width), [1, 1, 2, 4, 8, 16, 16, 32, 128]);
    }

    #[test]
    fn a_query_without_tables_is_two_circuits_and_two_words() {
        let mut network = Network::new(3, Link::none());
        Schedule::new(&mut network).query(&Shape::chosen(16), 8, 0).unwrap();
        let spent = network.mark();
        assert_eq!(spent.bytes, [9 * 126 + 127 + 16; 3]);
        assert_eq!(spent.sequential, 9 + 6 + 2);
    }

    #[test]
    fn a_lookup_is_mostly_the_labels_of_its_inputs() {
        let mut network = Network::new(3, Link::none());
        let mut with = Schedule::new(&mut network);
        with.lookup().unwrap();
        let spent = network.mark();
        assert_eq!(spent.bytes, [64, 16 + 16 + 64 + 8192 + 16, 16 + 64 + 8192 + 8128 + 4]);
    }
}
