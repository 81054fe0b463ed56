//! What the client wants done: a random program, its shares, and what an ideal RAM makes of it.

use duoram_reference::{Batch, Command, Lane, Operands, Parameters, Role, SessionId, Word};
use duoram_vectors::Random;

use crate::choice::{below, one_of};
use crate::protocol::{Protocol, Visible};

/// A step of a program, in the clear.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// Agree on a key.
    Connect,
    /// Make items.
    Preprocess(Batch),
    /// Load a memory, in pieces of so many words.
    Load(Vec<Word>, Vec<usize>),
    /// READ at these addresses.
    Read(Vec<Word>),
    /// READ at what was read.
    Follow,
    /// UPDATE by so much at these addresses.
    Update(Vec<(Word, Word)>),
    /// WRITE.
    Write(Word, Word),
    /// SWAP.
    Swap(Word, Word),
    /// Throw away all items.
    Discard,
}

impl Step {
    /// The lanes that it keeps busy.
    pub const fn lanes(&self) -> &'static [Lane] {
        match self {
            Self::Connect | Self::Preprocess(_) => &[Lane::Making],
            Self::Discard => &Lane::ALL,
            _ => &[Lane::Memory],
        }
    }

    /// Its name, in failures.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Connect => "connect",
            Self::Preprocess(_) => "preprocess",
            Self::Load(..) => "load",
            Self::Read(_) => "read",
            Self::Follow => "follow",
            Self::Update(_) => "update",
            Self::Write(..) => "write",
            Self::Swap(..) => "swap",
            Self::Discard => "discard",
        }
    }
}

/// What an ideal RAM does.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ideal {
    /// The memory after each number of steps that the memory lane has done.
    pub memories: Vec<Vec<Word>>,
    /// The results of each step of the program; none of most.
    pub results: Vec<Vec<Word>>,
}

/// A program with its shares, drawn once.
pub struct Program {
    /// What is spoken.
    pub protocol: Protocol,
    /// h
    pub log_size: u32,
    /// The steps, in the order in which every party is told.
    pub steps: Vec<Step>,
    /// What comes of it.
    pub ideal: Ideal,
    /// P0's shares of all operands, by step.
    shares: Vec<Vec<Word>>,
    /// By role: of each of its commands the step, and of a load the piece. Nobody is asked for those of a role that takes no part.
    commands: [Vec<(usize, usize)>; 3],
}

/// What a generator has to know: items that there will be before the next step, and after all that is owed.
struct Stock {
    left: Batch,
}

impl Stock {
    /// Takes what a step uses; what is missing.
    fn take(&mut self, needed: Batch) -> Batch {
        let missing = Batch {
            reads: needed.reads.saturating_sub(self.left.reads),
            updates: needed.updates.saturating_sub(self.left.updates),
        };
        self.left.reads = self.left.reads + missing.reads - needed.reads;
        self.left.updates = self.left.updates + missing.updates - needed.updates;
        missing
    }
}

impl Program {
    /// A random one.
    pub fn random(protocol: Protocol, random: &mut Random) -> Self {
        let (log_size, mut steps) = beginning(random, 3);
        let mut stock = Stock { left: Batch::default() };
        // What steps before wait for.
        let mut owed = Batch::default();
        let mut results = 0;
        for _ in 0..3 + random.below(9) {
            if random.below(6) == 0 {
                steps.extend(paid(&mut owed));
                steps.push(Step::Discard);
                stock.left = Batch::default();
                continue;
            }
            if random.below(4) == 0 {
                let more = Batch { reads: below(random, 3), updates: below(random, 3) };
                let batch = sum(std::mem::take(&mut owed), more);
                stock.left = sum(stock.left, more);
                steps.extend((batch != Batch::default()).then_some(Step::Preprocess(batch)));
            }
            let (step, needed) = online(protocol, random, &mut results);
            owed = sum(owed, stock.take(needed));
            // Late, so that the step waits, or before it.
            if random.bit() {
                steps.extend(paid(&mut owed));
            }
            steps.push(step);
        }
        steps.extend(paid(&mut owed));
        Self::new(protocol, log_size, steps, random)
    }

    /// A random one in which nothing is made while the memory is used, as in a session of one lane, and with the steps that traces
    /// know.
    pub fn random_apart(protocol: Protocol, random: &mut Random) -> Self {
        let (log_size, mut steps) = beginning(random, 1);
        for _ in 0..=random.below(3) {
            let mut needed = Batch::default();
            let mut window = Vec::new();
            let mut results = 0;
            for _ in 0..=random.below(4) {
                // READs of what was read are of one word, and right after it.
                let follows = matches!(window.last(), Some(Step::Read(_) | Step::Follow)) && results == 1;
                results = usize::from(follows);
                let (step, uses) = online(protocol, random, &mut results);
                needed = sum(needed, uses);
                window.push(step);
            }
            steps.push(Step::Preprocess(needed));
            steps.extend(window);
        }
        Self::new(protocol, log_size, steps, random)
    }

    /// One of every kind of step, in both orders of making and using.
    pub fn every_kind(protocol: Protocol, random: &mut Random) -> Self {
        let steps = vec![
            Step::Connect,
            Step::Preprocess(Batch { reads: 2, updates: 1 }),
            Step::Load(vec![11, 22, 33, 44], vec![3, 1]),
            Step::Read(vec![1, 2]),
            Step::Update(vec![(3, 5)]),
            Step::Follow,
            Step::Write(0, 7),
            Step::Swap(2, 9),
            Step::Preprocess(Batch { reads: 4, updates: 3 }),
            Step::Discard,
            Step::Preprocess(Batch { reads: 1, updates: 0 }),
            Step::Read(vec![0]),
        ];
        Self::new(protocol, 2, steps, random)
    }

    /// A program of these steps.
    pub fn new(protocol: Protocol, log_size: u32, steps: Vec<Step>, random: &mut Random) -> Self {
        let shares = steps.iter().map(|step| random.words(operands(step).len())).collect();
        let commands = Role::ALL.map(|role| {
            let of = |(number, step): (usize, &Step)| {
                let pieces = match step {
                    Step::Load(_, pieces) if role != Role::P2 => pieces.len(),
                    _ => 1,
                };
                (0..pieces).map(move |piece| (number, piece))
            };
            steps.iter().enumerate().flat_map(of).collect()
        });
        let ideal = ideal(protocol, log_size, &steps);
        Self { protocol, log_size, steps, ideal, shares, commands }
    }

    /// What the parties agree on.
    ///
    /// # Panics
    ///
    /// If the program is for a memory that cannot be.
    pub fn parameters(&self) -> Parameters {
        let session = SessionId(*b"a simulated one.");
        Parameters::new(session, self.log_size).expect("a size that a memory can have")
    }

    /// A party that has done nothing yet. Its seed is always the same, as on a disk.
    ///
    /// # Panics
    ///
    /// As [`Program::parameters`].
    pub fn party(&self, role: Role) -> Box<dyn Visible> {
        self.protocol.party(role, self.parameters(), [role.number() + 1; 32])
    }

    /// How many commands a party is given.
    pub fn commands(&self, role: Role) -> usize {
        self.commands[role.index()].len()
    }

    /// The step that a command is of.
    pub fn step_of(&self, role: Role, number: usize) -> usize {
        self.commands[role.index()][number].0
    }

    /// Whether a command goes on with a load.
    pub fn goes_on(&self, role: Role, number: usize) -> bool {
        self.commands[role.index()][number].1 > 0
    }

    /// A command for a party. The client has kept its shares, or has forgotten them and draws others: both are shares of the same.
    pub fn command(&self, role: Role, number: usize, forgotten: Option<&mut Random>) -> Command {
        let (step, piece) = self.commands[role.index()][number];
        let mut shares = self.shares[step].clone();
        if let Some(random) = forgotten {
            shares = random.words(shares.len());
        }
        let whole = operands(&self.steps[step]);
        let operands: Operands = match role {
            Role::P0 => shares,
            Role::P1 => {
                whole.iter().zip(&shares).map(|(word, share)| self.protocol.rest(*word, *share)).collect()
            }
            Role::P2 => Vec::new(),
        }
        .into();
        match &self.steps[step] {
            Step::Connect => Command::Connect,
            Step::Preprocess(batch) => Command::Preprocess(*batch),
            Step::Load(_, pieces) if role != Role::P2 => {
                let start = pieces[..piece].iter().sum();
                Command::Load(operands[start..][..pieces[piece]].to_vec().into())
            }
            Step::Load(..) => Command::Load(operands),
            Step::Read(addresses) => Command::Read { count: addresses.len(), addresses: operands },
            Step::Follow => Command::Follow,
            Step::Update(updates) => Command::Update { count: updates.len(), pairs: operands },
            Step::Write(..) => Command::Write(operands),
            Step::Swap(..) => Command::Swap(operands),
            Step::Discard => Command::Discard,
        }
    }
}

/// h; connect, and perhaps a load in at the most so many pieces.
fn beginning(random: &mut Random, most: usize) -> (u32, Vec<Step>) {
    let log_size = one_of(random, &[1, 2, 3, 4]);
    let size = 1_u64 << log_size;
    let mut steps = vec![Step::Connect];
    if random.below(4) > 0 {
        let words = (0..size).map(|_| random.word()).collect();
        steps.push(Step::Load(words, pieces(random, size, most)));
    }
    (log_size, steps)
}

fn sum(a: Batch, b: Batch) -> Batch {
    Batch { reads: a.reads + b.reads, updates: a.updates + b.updates }
}

/// What is owed, as a batch.
fn paid(owed: &mut Batch) -> Option<Step> {
    let batch = std::mem::take(owed);
    (batch != Batch::default()).then_some(Step::Preprocess(batch))
}

/// The lengths of pieces of so many words.
fn pieces(random: &mut Random, size: u64, most: usize) -> Vec<usize> {
    let mut left = size;
    let mut pieces = Vec::new();
    while pieces.len() + 1 < most && left > 0 {
        let piece = random.below(left + 1);
        left -= piece;
        pieces.push(piece);
    }
    pieces.push(left);
    pieces.into_iter().filter_map(|piece| usize::try_from(piece).ok()).filter(|piece| *piece > 0).collect()
}

/// A step on the memory, and what it uses; `results` are those that there are before and after it.
fn online(protocol: Protocol, random: &mut Random, results: &mut usize) -> (Step, Batch) {
    match random.below(5) {
        0 if *results > 0 => (Step::Follow, Batch { reads: *results, updates: 0 }),
        0 | 1 => {
            *results = 1 + below(random, 3);
            (Step::Read(random.words(*results)), Batch { reads: *results, updates: 0 })
        }
        2 => {
            let updates: Vec<_> = (0..=random.below(2)).map(|_| (random.word(), random.word())).collect();
            let needed = Batch { reads: 0, updates: updates.len() };
            (Step::Update(updates), needed)
        }
        3 => {
            // In the paper's protocol there is a READ in it, whose results these are then.
            if protocol == Protocol::Paper {
                *results = 0;
            }
            (Step::Write(random.word(), random.word()), protocol.write_items())
        }
        _ => {
            *results = 1;
            (Step::Swap(random.word(), random.word()), protocol.write_items())
        }
    }
}

/// The words that a step works on, in the order of its operands.
fn operands(step: &Step) -> Vec<Word> {
    match step {
        Step::Load(words, _) => words.clone(),
        Step::Read(addresses) => addresses.clone(),
        Step::Update(updates) => updates.iter().flat_map(|(address, change)| [*address, *change]).collect(),
        Step::Write(address, value) | Step::Swap(address, value) => vec![*address, *value],
        Step::Connect | Step::Preprocess(_) | Step::Follow | Step::Discard => Vec::new(),
    }
}

fn ideal(protocol: Protocol, log_size: u32, steps: &[Step]) -> Ideal {
    let size = 1_u64 << log_size;
    let mut memory = vec![0; usize::try_from(size).unwrap_or(0)];
    let at = |address: Word| usize::try_from(address % size).unwrap_or(0);
    let mut ideal = Ideal { memories: vec![memory.clone()], results: Vec::new() };
    let mut last: Vec<Word> = Vec::new();
    for step in steps {
        let mut results = Vec::new();
        let mut lasts = 1;
        match step {
            Step::Connect | Step::Preprocess(_) | Step::Discard => lasts = 0,
            Step::Load(words, _) => memory.clone_from(words),
            Step::Read(addresses) => results = addresses.iter().map(|address| memory[at(*address)]).collect(),
            Step::Follow => results = last.iter().map(|address| memory[at(*address)]).collect(),
            Step::Update(updates) => {
                for (address, change) in updates {
                    memory[at(*address)] = protocol.add(memory[at(*address)], *change);
                }
            }
            Step::Write(address, value) => {
                // The memory is as it was after the READ in it.
                ideal.memories.extend((1..protocol.write_steps()).map(|_| memory.clone()));
                memory[at(*address)] = *value;
            }
            Step::Swap(address, value) => {
                ideal.memories.extend((1..protocol.write_steps()).map(|_| memory.clone()));
                results = vec![memory[at(*address)]];
                memory[at(*address)] = *value;
            }
        }
        if !results.is_empty() {
            last.clone_from(&results);
        }
        ideal.results.push(results);
        ideal.memories.extend((0..lasts).map(|_| memory.clone()));
    }
    ideal
}
