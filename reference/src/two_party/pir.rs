//! Private information retrieval: how P_b gets one word of a table of P_c's, and P_c does not learn which.
//!
//! It need not keep the other words from P_b: the table is masked (`masks.rs`), so that they are noise to whoever has the
//! keys of one word only. That makes a symmetric PIR (`[duoram, section 5]`) of any (`[np99, section 4]`).
//!
//! [`Pir`] is what the parties are generic over. [`PlainPir`] sends the whole masked table: linear and honest, the measure of
//! any other.

use zeroize::Zeroizing;

use super::masks::Masks;
use crate::engine::leaves;
use crate::engine::tree::mask;
use crate::{Block, Word};

/// A single-server PIR for tables of 2^h words.
///
/// All lengths are known before a message is read. What is refused is refused by what is public: the peer sees that it was.
pub trait Pir: Clone + Send + 'static {
    /// The client's keys: derived from 32 bytes that the party keeps; wiped when dropped.
    type Client: Send + 'static;
    /// What the server has of a client's keys.
    type Server: Send + 'static;

    /// The bytes that a client sends once.
    fn setup_length(&self, log_size: u32) -> usize;

    /// The bytes of a query.
    fn query_length(&self, log_size: u32) -> usize;

    /// The bytes of an answer; not 0.
    fn answer_length(&self, log_size: u32) -> usize;

    /// The client of a seed, and what it sends once. The same seed gives the same client.
    fn client(&self, log_size: u32, seed: &[u8; 32]) -> (Self::Client, Vec<u8>);

    /// What the server makes of what came, which has the right length.
    ///
    /// # Errors
    ///
    /// What is wrong with it: the message is refused.
    fn server(&self, log_size: u32, setup: &[u8]) -> Result<Self::Server, &'static str>;

    /// A query for an index below 2^h, which is secret. No two of a client have the same number, and what it draws follows from
    /// its seed and the number.
    fn query(&self, client: &Self::Client, index: u64, number: u64) -> Vec<u8>;

    /// Whether what came, which has the right length, may be a query.
    ///
    /// # Errors
    ///
    /// What is wrong with it: the message is refused.
    fn check_query(&self, log_size: u32, query: &[u8]) -> Result<(), &'static str>;

    /// The answer to a query that has been checked.
    fn answer(&self, server: &Self::Server, query: &[u8], table: Table<'_>) -> Vec<u8>;

    /// Whether what came, which has the right length, may be an answer.
    ///
    /// # Errors
    ///
    /// What is wrong with it: the message is refused.
    fn check_answer(&self, log_size: u32, answer: &[u8]) -> Result<(), &'static str>;

    /// The masked word at the index of the query that this is the answer to. Never an error: whether it were one could tell
    /// the server something of the index.
    fn decode(&self, client: &Self::Client, index: u64, answer: &[u8]) -> Word;
}

/// What a masked table is made of, for a PIR that makes its words as it goes.
#[derive(Clone, Copy)]
pub struct Table<'a> {
    /// `D_c`, n words.
    pub memory: &'a [Word],
    /// `i*_c + s_b = i* - q_b`, below n: word x of the table is of word `x + turn` of the memory (`[duoram, section 5]`, step 2). The
    /// server may use it as an address, and the client must never know it.
    pub turn: u64,
    /// `r_c`, added to each word.
    pub blind: Word,
    /// The keys of the masks: for each bit of x, the highest first, that of 0 and that of 1.
    pub keys: &'a [[Block; 2]],
}

impl Table<'_> {
    /// The n masked words: `D_c[x + turn mod n] + r_c + mask(x)`.
    pub fn words(&self) -> Zeroizing<Vec<Word>> {
        let masks = Masks::new(self.keys);
        let mut words = Zeroizing::new(Vec::with_capacity(self.memory.len()));
        words.extend_from_slice(self.memory);
        // The server knows the turn, and turns by it: `SECURITY.md`, "Two parties", says who must not watch.
        words.rotate_left(usize::try_from(self.turn).unwrap_or(0) % self.memory.len().max(1));
        for (x, word) in (0..).zip(words.iter_mut()) {
            *word = word.wrapping_add(self.blind).wrapping_add(masks.mask(x));
        }
        words
    }
}

/// The whole table, and no query.
#[derive(Clone, Copy, Debug, Default)]
pub struct PlainPir;

impl Pir for PlainPir {
    type Client = ();
    type Server = ();

    fn setup_length(&self, _log_size: u32) -> usize {
        0
    }

    fn query_length(&self, _log_size: u32) -> usize {
        0
    }

    fn answer_length(&self, log_size: u32) -> usize {
        leaves(log_size).saturating_mul(size_of::<Word>())
    }

    fn client(&self, _log_size: u32, _seed: &[u8; 32]) -> ((), Vec<u8>) {
        ((), Vec::new())
    }

    fn server(&self, _log_size: u32, _setup: &[u8]) -> Result<(), &'static str> {
        Ok(())
    }

    fn query(&self, (): &(), _index: u64, _number: u64) -> Vec<u8> {
        Vec::new()
    }

    fn check_query(&self, _log_size: u32, _query: &[u8]) -> Result<(), &'static str> {
        Ok(())
    }

    fn answer(&self, (): &(), _query: &[u8], table: Table<'_>) -> Vec<u8> {
        table.words().iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    fn check_answer(&self, _log_size: u32, _answer: &[u8]) -> Result<(), &'static str> {
        Ok(())
    }

    /// Looks at all words: an index is no address.
    fn decode(&self, (): &(), index: u64, answer: &[u8]) -> Word {
        let words = answer.as_chunks().0.iter().map(|&bytes| Word::from_le_bytes(bytes));
        (0..).zip(words).fold(0, |sum, (x, word)| sum | word & selected(x == index))
    }
}

/// All ones, or zero.
#[allow(clippy::cast_possible_truncation)] // all bits are equal
fn selected(chosen: bool) -> Word {
    mask(chosen) as Word
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEYS: [[Block; 2]; 3] = [[1, 2], [3, 4], [5, 6]];

    /// Section 5, step 2, and the masks; the turn wraps around.
    #[test]
    fn a_table_is_the_turned_memory_blinded_and_masked() {
        let memory = [10, 11, 12, 13, 14, 15, 16, Word::MAX];
        let table = Table { memory: &memory, turn: 5, blind: 100, keys: &KEYS };
        for (x, &word) in table.words().iter().enumerate() {
            let own: [Block; 3] = std::array::from_fn(|j| KEYS[j][x >> (2 - j) & 1]);
            let unmasked = word.wrapping_sub(Masks::of_one(&own, x as u64));
            assert_eq!(unmasked, memory[(x + 5) % 8].wrapping_add(100));
        }
    }

    #[test]
    fn the_plain_answer_holds_the_word_of_each_index() {
        let table = Table { memory: &[7; 8], turn: 3, blind: 1, keys: &KEYS };
        let answer = PlainPir.answer(&(), &[], table);
        assert_eq!(answer.len(), PlainPir.answer_length(3));
        for (index, &word) in (0..).zip(table.words().iter()) {
            assert_eq!(PlainPir.decode(&(), index, &answer), word);
        }
    }
}
