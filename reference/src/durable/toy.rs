//! A party for the tests of what is kept around it: two lanes, items, memory, randomness, and next to no computation. In every step all
//! say one word to all, and wait for the others' in the order of their numbers.

use std::collections::VecDeque;

use zeroize::Zeroizing;

use crate::Word;
use crate::engine::{Batch, Command, Error, ItemKind, Lane, Lasting, Party, Step, UnderWay};
use crate::wire::{Frame, Misbehaviour, Role};

/// A frame of the toy: lane, number of the step, word.
pub(super) fn frame(lane: Lane, operation: u64, word: Word) -> Zeroizing<Vec<u8>> {
    Zeroizing::new([&[lane as u8][..], &operation.to_le_bytes(), &word.to_le_bytes()].concat())
}

/// A step under way: what it adds up, who is to be heard, and what is done at the end.
struct Running {
    under_way: UnderWay,
    sum: Word,
    awaits: VecDeque<Role>,
    then: Then,
}

#[derive(Clone, Copy)]
enum Then {
    Nothing,
    Make,
    Answer,
    Change,
}

pub(super) struct Toy {
    role: Role,
    running: [Option<Running>; 2],
    operations: [u64; 2],
    /// Place in the lane's stream.
    drawn: [u64; 2],
    /// The first is the oldest.
    items: VecDeque<(u64, Word)>,
    made: u64,
    pub(super) memory: Word,
    results: Vec<Word>,
}

impl Toy {
    pub(super) fn new(role: Role) -> Self {
        Self {
            role,
            running: [None, None],
            operations: [0; 2],
            drawn: [0; 2],
            items: VecDeque::new(),
            made: 0,
            memory: 0,
            results: Vec::new(),
        }
    }

    fn draw(&mut self, lane: Lane) -> Word {
        self.drawn[lane as usize] += 1;
        let place = self.drawn[lane as usize] * 8 + lane as u64 * 4 + u64::from(self.role.number());
        place.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    /// Says a word to both, and waits for theirs.
    fn step(
        &mut self,
        lane: Lane,
        name: &'static str,
        items: Vec<u64>,
        word: Word,
        then: Then,
    ) -> Vec<Frame> {
        let bytes = frame(lane, self.operations[lane as usize], word);
        let awaits = self.role.peers().into();
        let under_way = UnderWay { step: Step::new(name), items };
        self.running[lane as usize] = Some(Running { under_way, sum: word, awaits, then });
        let frame = |to| Frame { from: self.role, to, bytes: bytes.clone() };
        self.role.peers().map(frame).to_vec()
    }

    fn done(&mut self, lane: Lane, Running { under_way, sum, then, .. }: Running) {
        self.operations[lane as usize] += 1;
        match then {
            Then::Nothing => {}
            Then::Make => {
                self.made += under_way.items.len() as u64;
                self.items.extend(under_way.items.iter().map(|number| (*number, sum ^ number)));
            }
            Then::Answer => self.results = vec![self.memory.wrapping_add(sum)],
            Then::Change => self.memory = self.memory.rotate_left(1).wrapping_add(sum),
        }
    }
}

impl Party for Toy {
    fn role(&self) -> Role {
        self.role
    }

    fn awaits(&self) -> Option<Role> {
        Lane::ALL.into_iter().find_map(|lane| self.awaits_in(lane))
    }

    fn receive(&mut self, from: Role, bytes: &[u8]) -> Result<Vec<Frame>, Error> {
        let refused = Error::Peer(Misbehaviour::Truncated { from, expected: 17, got: bytes.len() });
        let lane = self.lane(bytes).ok_or(refused.clone())?;
        let number =
            |at: usize| bytes.get(at..at + 8).and_then(|word| word.try_into().ok()).map(u64::from_le_bytes);
        let (Some(operation), Some(word)) = (number(1), number(9)) else { return Err(refused) };
        let Some(mut running) = self.running[lane as usize].take() else { return Err(refused) };
        if operation != self.operations[lane as usize] || running.awaits.front() != Some(&from) {
            self.running[lane as usize] = Some(running);
            return Err(refused);
        }
        running.awaits.pop_front();
        running.sum = running.sum.rotate_left(7).wrapping_add(word);
        if running.awaits.is_empty() {
            self.done(lane, running);
        } else {
            self.running[lane as usize] = Some(running);
        }
        Ok(Vec::new())
    }

    fn connect(&mut self) -> Result<Vec<Frame>, Error> {
        self.begin(&Command::Connect)
    }

    fn preprocess(&mut self, batch: Batch) -> Result<Vec<Frame>, Error> {
        self.begin(&Command::Preprocess(batch))
    }

    fn prepared(&self) -> Batch {
        Batch { reads: self.items.len(), updates: 0 }
    }

    fn made(&self) -> u64 {
        self.made
    }

    fn under_way(&self) -> Option<&UnderWay> {
        Lane::ALL.into_iter().find_map(|lane| self.under_way_in(lane))
    }
}

impl Lasting for Toy {
    fn roles(&self) -> &'static [Role] {
        &Role::ALL
    }

    fn lane(&self, frame: &[u8]) -> Option<Lane> {
        Lane::ALL.into_iter().find(|lane| frame.first() == Some(&(*lane as u8)))
    }

    fn awaits_in(&self, lane: Lane) -> Option<Role> {
        self.running[lane as usize].as_ref().and_then(|running| running.awaits.front().copied())
    }

    fn under_way_in(&self, lane: Lane) -> Option<&UnderWay> {
        self.running[lane as usize].as_ref().map(|running| &running.under_way)
    }

    fn begin(&mut self, command: &Command) -> Result<Vec<Frame>, Error> {
        for lane in command.lanes() {
            if let Some(under_way) = self.under_way_in(*lane) {
                return Err(Error::Busy { step: under_way.step });
            }
        }
        let connected = self.operations[Lane::Making as usize] > 0;
        match command {
            Command::Connect if connected => return Err(Error::AlreadyConnected),
            Command::Connect => {}
            _ if !connected => return Err(Error::NotConnected),
            _ => {}
        }
        if matches!(command, Command::Preprocess(Batch { reads: 0, .. })) {
            return Err(Error::EmptyStep);
        }
        let takes = usize::from(command.lanes() == [Lane::Memory]);
        if self.items.len() < takes {
            return Err(Error::PreprocessingExhausted { kind: ItemKind::Read, needed: takes, left: 0 });
        }
        let word = self.draw(command.lanes()[0]);
        let (numbers, items): (Vec<_>, Vec<_>) = self.items.drain(..takes).unzip();
        let word = items.into_iter().fold(word, Word::wrapping_add);
        Ok(match command {
            Command::Connect => self.step(Lane::Making, "connect", Vec::new(), word, Then::Nothing),
            Command::Preprocess(Batch { reads, .. }) => {
                let coming = (self.made..).take(*reads).collect();
                self.step(Lane::Making, "preprocess", coming, word, Then::Make)
            }
            Command::Read { addresses, .. } => {
                let word = addresses.iter().fold(word, |sum, address| sum.wrapping_add(*address));
                self.step(Lane::Memory, "read", numbers, word, Then::Answer)
            }
            Command::Discard => {
                self.items.clear();
                Vec::new()
            }
            _ => self.step(Lane::Memory, "update", numbers, word, Then::Change),
        })
    }

    fn results(&self) -> &[Word] {
        &self.results
    }

    fn save(&self, lane: Lane) -> Result<Zeroizing<Vec<u8>>, Error> {
        if let Some(under_way) = self.under_way_in(lane) {
            return Err(Error::Busy { step: under_way.step });
        }
        let mut words = vec![self.operations[lane as usize], self.drawn[lane as usize]];
        if lane == Lane::Memory {
            words.extend([self.memory, self.made, self.results.len() as u64]);
            words.extend(&self.results);
            words.extend(self.items.iter().flat_map(|(number, item)| [*number, *item]));
        }
        Ok(Zeroizing::new(words.into_iter().flat_map(u64::to_le_bytes).collect()))
    }

    fn restore(&mut self, lane: Lane, saved: &[u8]) -> Result<(), Error> {
        let mut words = saved.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word));
        let mut next = || words.next().ok_or(Error::EmptyStep);
        (self.operations[lane as usize], self.drawn[lane as usize]) = (next()?, next()?);
        if lane == Lane::Memory {
            (self.memory, self.made) = (next()?, next()?);
            for _ in 0..next()? {
                self.results.push(next()?);
            }
            while let Ok(number) = next() {
                self.items.push_back((number, next()?));
            }
        }
        Ok(())
    }
}
