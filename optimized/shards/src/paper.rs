//! The paper's local computation, by all workers.

use duoram_reference::{
    Aside, Block, ChildSums, Compute, Correction, DpfShare, HelperReadQuery, HelperUpdateQuery, LeafSums,
    NotAside, ReadQuery, Role, SessionKey, UpdateQuery, Word,
};
use zeroize::{Zeroize, Zeroizing};

use crate::Forest;
use crate::bytes::Request;
use crate::operation as op;
use crate::sharded::{Memory, Sharded};
use crate::summed::write_key;
use crate::trees::PAPER;

/// C and the blind of a primary, or both blinds.
const VECTORS: usize = 2;

/// Two keys, what is beside them, and the shift.
fn write_query(request: &mut Request, keys: [&DpfShare; 2], beside: &[Word], shift: u64) {
    for key in keys {
        write_key(request, key);
    }
    for word in beside {
        request.word(*word);
    }
    request.word(shift);
}

impl Compute for Sharded {
    type PrimaryMemory = Memory;
    type HelperMemory = Memory;
    type Forest = Forest;

    fn zero_primary_memory(&self, log_size: u32) -> Memory {
        self.zero((1 << log_size, 1), VECTORS)
    }

    fn zero_helper_memory(&self, log_size: u32) -> Memory {
        self.zero((1 << log_size, 1), VECTORS)
    }

    fn primary_memory(&self, memory_share: Vec<Word>, blind: Vec<Word>, mut blinded: Vec<Word>) -> Memory {
        // As duoram_runtime::fast has it: C, and the blind.
        let (mut combined, blind) = (Zeroizing::new(memory_share), Zeroizing::new(blind));
        for ((sum, blinded), blind) in combined.iter_mut().zip(&blinded).zip(&*blind) {
            *sum = sum.wrapping_add(*blinded).wrapping_add(*blind);
        }
        blinded.zeroize();
        self.filled(&[&combined, &blind])
    }

    fn helper_memory(&self, blind_0: Vec<Word>, blind_1: Vec<Word>) -> Memory {
        let [blind_0, blind_1] = [blind_0, blind_1].map(Zeroizing::new);
        self.filled(&[&blind_0, &blind_1])
    }

    /// C and `zeta_b`.
    fn primary_words<'a>(&self, memory: &'a Memory) -> Vec<&'a [Word]> {
        vec![memory.vector(0), memory.vector(1)]
    }

    fn primary_vectors(&self, memory: &Memory) -> usize {
        memory.vectors()
    }

    fn put_aside_primary(&self, memory: &Memory) -> Option<Aside> {
        self.put_aside(memory)
    }

    fn take_aside_primary(&self, aside: Aside, log_size: u32) -> Result<Memory, NotAside> {
        self.take_aside(aside, (1 << log_size, 1), VECTORS)
    }

    fn put_aside_helper(&self, memory: &Memory) -> Option<Aside> {
        self.put_aside(memory)
    }

    fn take_aside_helper(&self, aside: Aside, log_size: u32) -> Result<Memory, NotAside> {
        self.take_aside(aside, (1 << log_size, 1), VECTORS)
    }

    fn primary_from_words(&self, vectors: Vec<Vec<Word>>) -> Memory {
        let vectors = Zeroizing::new(vectors);
        self.filled(&vectors.iter().map(|words| &words[..]).collect::<Vec<_>>())
    }

    fn helper_words<'a>(&self, memory: &'a Memory) -> [&'a [Word]; 2] {
        [memory.vector(0), memory.vector(1)]
    }

    fn plant(&self, key: &SessionKey, roots: Vec<Block>, log_size: u32) -> Forest {
        Forest::plant(self, key, roots, log_size, PAPER)
    }

    fn grow(&self, forest: &mut Forest) -> Vec<ChildSums> {
        forest.grow()
    }

    fn correct(&self, forest: &mut Forest, corrections: &[Correction]) {
        forest.correct(corrections);
    }

    fn leaf_sums(&self, forest: Forest) -> Vec<LeafSums> {
        forest.leaf_sums()
    }

    fn read(&self, key: &SessionKey, role: Role, memory: &Memory, queries: &[ReadQuery]) -> Vec<Word> {
        let mut request = memory.request(op::READ);
        request.key(key).byte(role.number()).count(queries.len());
        for query in queries {
            write_query(&mut request, [&query.read, &query.refresh], &[], query.shift);
        }
        self.ask(request).to_vec()
    }

    fn unblinding(&self, key: &SessionKey, memory: &Memory, queries: &[HelperReadQuery]) -> Vec<[Word; 2]> {
        let mut request = memory.request(op::UNBLINDING);
        request.key(key).count(queries.len());
        for query in queries {
            write_query(&mut request, [&query.dpf_2, &query.dpf_3], &[], query.shift);
        }
        self.ask(request).as_chunks().0.to_vec()
    }

    fn update(&self, key: &SessionKey, role: Role, memory: &mut Memory, queries: &[UpdateQuery]) {
        memory.changed();
        let mut request = memory.request(op::UPDATE);
        request.key(key).byte(role.number()).count(queries.len());
        for query in queries {
            let [_, dpf_2, dpf_3] = &query.dpfs;
            write_query(&mut request, [dpf_2, dpf_3], &query.final_corrections[1..], query.shift);
        }
        self.ask(request);
    }

    fn update_blinds(&self, key: &SessionKey, memory: &mut Memory, queries: &[HelperUpdateQuery]) {
        memory.changed();
        let mut request = memory.request(op::UPDATE_BLINDS);
        request.key(key).count(queries.len());
        for query in queries {
            let corrections = [query.final_correction_2, query.final_correction_3];
            write_query(&mut request, [&query.dpf_2, &query.dpf_3], &corrections, query.shift);
        }
        self.ask(request);
    }
}
