//! The operation that the client asks for: by the shares that each primary was given last, which are others if the client had to ask anew.

use duoram_vectors::Random;

use super::undisturbed::{Undisturbed, undisturbed};
use super::{N, Place};

/// So many plugs may be pulled, and so often a client may have to ask anew.
const PULLS: usize = 8;

pub(super) struct Operation {
    memory: Vec<u64>,
    masks: Vec<u64>,
    /// What hides address and value, each time that the client asks.
    hidden: Vec<[u64; 2]>,
    address: u64,
    value: Option<u64>,
    /// How often each was asked anew, and how often it had been when it last said something.
    anew: [usize; 3],
    said: [usize; 3],
}

impl Operation {
    pub(super) fn new(
        memory: Vec<u64>,
        mut masks: Vec<u64>,
        address: u64,
        value: Option<u64>,
        random: &mut Random,
    ) -> Self {
        let mut hidden = vec![[masks[N], masks[N + 1]]];
        hidden.extend((0..PULLS).map(|_| [random.word(), random.word()]));
        masks.truncate(N);
        Self { memory, masks, hidden, address, value, anew: [0; 3], said: [0; 3] }
    }

    pub(super) fn is_read(&self) -> bool {
        self.value.is_none()
    }

    pub(super) fn ask_anew(&mut self, party: usize) {
        self.anew[party] += 1;
    }

    /// With the shares that the primaries had when they spoke.
    fn undisturbed(&self) -> Undisturbed {
        let hidden = [self.hidden[self.said[0]], self.hidden[self.said[1]]];
        undisturbed(&self.memory, &self.masks, hidden, self.address, self.value)
    }

    /// The bytes of a message that leaves now.
    pub(super) fn says(&mut self, place: Place) -> Vec<u8> {
        self.said[place.0] = self.anew[place.0];
        self.undisturbed().said[&place].clone()
    }

    pub(super) fn answer(&self, party: usize) -> String {
        self.undisturbed().answers[party].clone()
    }

    /// What the shares of P0 and P1 add up to: not what the client wants, if they are of two askings.
    fn asked(&self) -> (usize, u64) {
        let [of_0, of_1] = [self.hidden[self.said[0]], self.hidden[self.said[1]]];
        let sum = |word: u64, part: usize| word.wrapping_sub(of_0[part]).wrapping_add(of_1[part]);
        let place = sum(self.address, 0) % N as u64;
        (usize::try_from(place).expect("below 4"), sum(self.value.unwrap_or(0), 1))
    }

    /// The word that is read.
    pub(super) fn result(&self) -> u64 {
        self.memory[self.asked().0]
    }

    /// The memory after it.
    pub(super) fn changed(&self) -> Vec<u64> {
        let mut memory = self.memory.clone();
        if self.value.is_some() {
            let (place, value) = self.asked();
            memory[place] = memory[place].wrapping_add(value);
        }
        memory
    }
}
