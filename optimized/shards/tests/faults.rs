//! What these tests would see if a worker had the words of another range, or if what one answers were lost on its way.

use duoram_reference::{HelperReadQuery, HelperUpdateQuery, Plain, Word};
use duoram_shards::{By, Collective, Cut, Failure, Sharded, Threads};
use zeroize::Zeroizing;

use crate::states::{Numbers, key};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fault {
    None,
    /// All others are told that the party's share is twice what it is, so that their ranges begin too late.
    Offset,
    /// The last worker's words are not added to the others'.
    Lost,
}

/// Threads with a fault.
struct Faulty {
    threads: Threads,
    fault: Fault,
}

impl Collective for Faulty {
    fn rank(&self) -> usize {
        0
    }

    fn size(&self) -> usize {
        self.threads.size()
    }

    fn broadcast(&mut self, bytes: &mut Zeroizing<Vec<u8>>) -> Result<(), Failure> {
        const HELLO: u8 = 1;
        let mut sent = bytes.clone();
        if self.fault == Fault::Offset && sent.first() == Some(&HELLO) {
            // The shares are its last words.
            let start = sent.len() - 8 * self.size();
            sent[start..start + 8].copy_from_slice(&2_u64.to_le_bytes());
            let end = sent.len() - 8;
            sent[end..].copy_from_slice(&1_u64.to_le_bytes());
        }
        self.threads.broadcast(&mut sent)
    }

    fn reduce(&mut self, by: By, words: &mut [u64]) -> Result<(), Failure> {
        if self.fault != Fault::Lost {
            return self.threads.reduce(by, words);
        }
        for rank in 1..self.size() {
            let mut sent = vec![0; words.len()];
            self.threads.receive(rank, &mut sent)?;
            if rank + 1 < self.size() {
                by.combine(words, &sent);
            }
        }
        Ok(())
    }

    fn send(&mut self, to: usize, words: &[u64]) -> Result<(), Failure> {
        self.threads.send(to, words)
    }

    fn receive(&mut self, from: usize, words: &mut [u64]) -> Result<(), Failure> {
        self.threads.receive(from, words)
    }

    fn abort(&mut self, failure: &Failure) -> ! {
        self.threads.abort(failure)
    }
}

/// What the helper answers to a READ after an UPDATE of a memory of zeros.
fn answer<C: duoram_reference::Compute>(computation: &C) -> Vec<[Word; 2]> {
    const LOG_SIZE: u32 = 8;
    let mut numbers = Numbers(4);
    let [dpf_2, dpf_3] = [(); 2].map(|()| numbers.key(LOG_SIZE));
    let mut memory = computation.zero_helper_memory(LOG_SIZE);
    let update = HelperUpdateQuery { dpf_2, dpf_3, final_correction_2: 2, final_correction_3: 3, shift: 77 };
    computation.update_blinds(&key(), &mut memory, &[update]);
    let [dpf_2, dpf_3] = [(); 2].map(|()| numbers.key(LOG_SIZE));
    computation.unblinding(&key(), &memory, &[HelperReadQuery { dpf_2, dpf_3, shift: 5 }])
}

#[test]
fn answers_differ_with_each_fault() {
    let with = |fault| {
        let fast = crate::fast(1);
        let threads = Threads::start(3, &fast).unwrap();
        let cut = Cut::new(vec![1, 1, 2], 3).unwrap();
        answer(&Sharded::new(Box::new(Faulty { threads, fault }), fast, &cut).unwrap())
    };
    let expected = answer(&Plain);
    assert_eq!(with(Fault::None), expected);
    for fault in [Fault::Offset, Fault::Lost] {
        assert_ne!(with(fault), expected, "{fault:?}");
    }
}
