//! Parties of two lanes, what is commanded of them, and what each of them has been told and has said.

use std::collections::VecDeque;
use std::rc::Rc;

use duoram_reference::{
    Batch, Command, Error, Frame, Lane, Lasting, Paper, Parameters, Plain, Protocol, Role, UnderWay, Word,
    lean, paper, two_party,
};
use zeroize::Zeroizing;

use super::{Masks, SESSION};

/// Which protocol, where it matters to a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Which {
    Paper,
    Lean,
    TwoParty,
}

impl Which {
    pub(crate) const ALL: [Self; 3] = [Self::Paper, Self::Lean, Self::TwoParty];

    /// The parties that take part.
    pub(crate) fn roles(self) -> &'static [Role] {
        match self {
            Self::Paper => Paper::ROLES,
            Self::Lean => lean::Lean::ROLES,
            Self::TwoParty => two_party::TwoParty::ROLES,
        }
    }

    /// Whether a WRITE takes a READ item.
    pub(crate) fn writes_read(self) -> bool {
        self != Self::Lean
    }

    /// A party of two lanes.
    pub(crate) fn party(self, role: Role, log_size: u32, seed: [u8; 32]) -> Box<dyn Lasting> {
        let parameters = Parameters::new(SESSION, log_size).unwrap();
        self.party_of(role, parameters, seed)
    }

    pub(crate) fn party_of(self, role: Role, parameters: Parameters, seed: [u8; 32]) -> Box<dyn Lasting> {
        match self {
            Self::Paper => paper::lasting(role, parameters, seed, Plain),
            Self::Lean => lean::lasting(role, parameters, seed, lean::Plain),
            Self::TwoParty => {
                let (plain, pir) = (two_party::Plain, two_party::PlainPir);
                Box::new(two_party::Primary::lasting(role, parameters, seed, plain, pir).unwrap())
            }
        }
    }

    pub(crate) fn add(self, one: Word, other: Word) -> Word {
        match self {
            Self::Paper | Self::TwoParty => one.wrapping_add(other),
            Self::Lean => one ^ other,
        }
    }

    /// Both shares of each word.
    fn share(self, masks: &mut Masks, words: &[Word]) -> [Vec<Word>; 2] {
        match self {
            Self::Paper | Self::TwoParty => masks.share(words),
            Self::Lean => super::lean::share(masks, words),
        }
    }
}

/// What the owner wants done, in the clear.
#[derive(Clone, Debug)]
pub(crate) enum Wish {
    /// In pieces of these lengths, over and over, with a memory of this seed.
    Load(u64, Vec<usize>),
    Batch(usize, usize),
    Read(Vec<Word>),
    Follow,
    Update(Vec<(Word, Word)>),
    Write(Word, Word),
    Swap(Word, Word),
    Discard,
}

/// What a party was told.
#[derive(Clone)]
pub(crate) enum Input {
    Command(Rc<Command>),
    Frame(Frame),
}

/// What a party was told, and what it said and was in the middle of then.
#[derive(Clone)]
pub(crate) struct Event {
    pub(crate) lane: Lane,
    pub(crate) input: Input,
    pub(crate) output: Vec<Frame>,
    pub(crate) under_way: Option<UnderWay>,
    pub(crate) results: Vec<Word>,
    /// What the lanes are saved as, memory first, if they are idle.
    pub(crate) saved: [Option<Zeroizing<Vec<u8>>>; 2],
}

/// Tells a party something; what it says.
pub(crate) fn tell(party: &mut dyn Lasting, input: &Input) -> Result<Vec<Frame>, Error> {
    match input {
        Input::Command(command) => party.begin(command),
        Input::Frame(frame) => party.receive(frame.from, &frame.bytes),
    }
}

/// The session, the array that it stands for, and a party's events.
pub(crate) struct Session {
    pub(crate) which: Which,
    pub(crate) log_size: u32,
    /// By their numbers.
    pub(crate) parties: Vec<Box<dyn Lasting>>,
    pub(crate) events: [Vec<Event>; 3],
    memory: Vec<Word>,
    /// Of the last step that had any, in the clear.
    last: Vec<Word>,
    /// Results of READs in their order, in the clear; and of each primary, its shares.
    expected: Vec<Vec<Word>>,
    results: [Vec<Vec<Word>>; 3],
    /// The commands that a party has not begun, in their order, with their places in that.
    commands: [VecDeque<Rc<Command>>; 3],
    /// From, to, lane.
    links: [[[VecDeque<Frame>; 2]; 3]; 3],
    /// What is under way in the memory lane of each.
    current: [Option<Rc<Command>>; 3],
    /// How many results each knows that there are.
    counts: [usize; 3],
    pub(crate) masks: Masks,
    /// Whether the lanes are saved after each event.
    pub(crate) saving: bool,
}

impl Session {
    pub(crate) fn new(which: Which, log_size: u32, seed: u64) -> Self {
        let mut masks = Masks::new(seed);
        let mut seed = || std::array::from_fn(|_| masks.word().to_le_bytes()[0]);
        let parties = which.roles().iter().map(|&role| which.party(role, log_size, seed())).collect();
        let mut session = Self {
            which,
            log_size,
            parties,
            events: Default::default(),
            memory: vec![0; 1 << log_size],
            last: Vec::new(),
            expected: Vec::new(),
            results: Default::default(),
            commands: Default::default(),
            links: Default::default(),
            current: Default::default(),
            counts: [0; 3],
            masks,
            saving: true,
        };
        session.command(|_| Command::Connect);
        session
    }

    fn command(&mut self, command: impl Fn(Role) -> Command) {
        for &role in self.which.roles() {
            self.commands[role.index()].push_back(Rc::new(command(role)));
        }
    }

    /// The same for all, but for the operands.
    fn with_operands(&mut self, words: &[Word], command: impl Fn(Zeroizing<Vec<Word>>) -> Command) {
        let shares = self.which.share(&mut self.masks, words);
        self.command(|role| command(Zeroizing::new(shares.get(role.index()).cloned().unwrap_or_default())));
    }

    fn index(&self, address: Word) -> usize {
        usize::try_from(address % self.memory.len() as u64).unwrap()
    }

    fn at(&self, addresses: &[Word]) -> Vec<Word> {
        addresses.iter().map(|&address| self.memory[self.index(address)]).collect()
    }

    fn answered(&mut self, results: Vec<Word>) {
        self.expected.push(results.clone());
        self.last = results;
    }

    /// Makes commands of a wish, and grants it to the array.
    pub(crate) fn wish(&mut self, wish: &Wish) {
        match wish {
            Wish::Load(seed, pieces) => {
                let mut words = Masks::new(*seed);
                self.memory.fill_with(|| words.word());
                let shares = self.which.share(&mut self.masks, &self.memory.clone());
                for (queue, share) in self.commands.iter_mut().zip(&shares) {
                    let mut rest = &share[..];
                    for length in pieces.iter().cycle() {
                        let (piece, after) = rest.split_at(rest.len().min(*length));
                        queue.push_back(Rc::new(Command::Load(Zeroizing::new(piece.to_vec()))));
                        rest = after;
                        if rest.is_empty() {
                            break;
                        }
                    }
                }
                if self.which.roles().contains(&Role::P2) {
                    self.commands[2].push_back(Rc::new(Command::Load(Zeroizing::default())));
                }
            }
            Wish::Batch(reads, updates) => {
                self.command(|_| Command::Preprocess(Batch { reads: *reads, updates: *updates }));
            }
            Wish::Read(addresses) => {
                let count = addresses.len();
                self.with_operands(addresses, |addresses| Command::Read { count, addresses });
                self.answered(self.at(addresses));
            }
            Wish::Follow => {
                self.command(|_| Command::Follow);
                self.answered(self.at(&self.last));
            }
            Wish::Update(updates) => {
                let (count, words) = (updates.len(), updates.iter().flat_map(|&(i, m)| [i, m]));
                self.with_operands(&words.collect::<Vec<_>>(), |pairs| Command::Update { count, pairs });
                for &(address, change) in updates {
                    let index = self.index(address);
                    self.memory[index] = self.which.add(self.memory[index], change);
                }
            }
            Wish::Write(address, value) => {
                self.with_operands(&[*address, *value], Command::Write);
                // The paper's WRITE is a READ first.
                if self.which == Which::Paper {
                    self.last = self.at(&[*address]);
                }
                let index = self.index(*address);
                self.memory[index] = *value;
            }
            Wish::Swap(address, value) => {
                self.with_operands(&[*address, *value], Command::Swap);
                self.answered(self.at(&[*address]));
                let index = self.index(*address);
                self.memory[index] = *value;
            }
            Wish::Discard => self.command(|_| Command::Discard),
        }
    }

    /// The items that a wish is granted with.
    pub(crate) fn needed(&self, wish: &Wish) -> Batch {
        match (wish, self.which) {
            (Wish::Read(addresses), _) => Batch { reads: addresses.len(), updates: 0 },
            (Wish::Follow, _) => Batch { reads: self.last.len(), updates: 0 },
            (Wish::Update(updates), _) => Batch { reads: 0, updates: updates.len() },
            (Wish::Write(..) | Wish::Swap(..), Which::Lean) => Batch { reads: 0, updates: 1 },
            (Wish::Write(..) | Wish::Swap(..), _) => Batch { reads: 1, updates: 1 },
            (Wish::Load(..) | Wish::Batch(..) | Wish::Discard, _) => Batch::default(),
        }
    }

    /// The place of the first command that a party may begin in a lane.
    fn next_command(&self, role: Role, lane: Lane) -> Option<usize> {
        let party = &self.parties[role.index()];
        let mut blocked = [false; 2];
        for (place, command) in self.commands[role.index()].iter().enumerate() {
            let lanes = command.lanes();
            if lanes[0] == lane && lanes.iter().all(|lane| !blocked[usize::from(lane.number())]) {
                return self.may_begin(&**party, command).then_some(place);
            }
            for lane in lanes {
                blocked[usize::from(lane.number())] = true;
            }
        }
        None
    }

    /// Whether its lanes are idle and there are items; or the load that it goes on with is under way.
    fn may_begin(&self, party: &dyn Lasting, command: &Command) -> bool {
        let idle = command.lanes().iter().all(|lane| party.under_way_in(*lane).is_none());
        let left = party.prepared();
        let connected = self.events[party.role().index()]
            .iter()
            .any(|event| event.lane == Lane::Making && event.under_way.is_none());
        let enough = |reads, updates| left.reads >= reads && left.updates >= updates;
        match command {
            Command::Connect => idle,
            Command::Load(_) => {
                let load = party.under_way_in(Lane::Memory).is_some_and(|load| load.step.name() == "load");
                connected && (idle || load)
            }
            Command::Preprocess(_) | Command::Discard => idle && connected,
            Command::Read { count, .. } => idle && enough(*count, 0),
            Command::Follow => idle && enough(self.counts[party.role().index()], 0),
            Command::Update { count, .. } => idle && enough(0, *count),
            Command::Write(_) | Command::Swap(_) => idle && enough(usize::from(self.which.writes_read()), 1),
        }
    }

    /// One thing that can happen now; whether there was one.
    pub(crate) fn happen(&mut self) -> bool {
        self.happen_among(&Lane::ALL)
    }

    /// The same in one lane.
    pub(crate) fn happen_in(&mut self, lane: Lane) -> bool {
        self.happen_among(&[lane])
    }

    fn happen_among(&mut self, lanes: &[Lane]) -> bool {
        let mut possible = Vec::new();
        for &role in self.which.roles() {
            for &lane in lanes {
                if let Some(place) = self.next_command(role, lane) {
                    possible.push((role, lane, None, place));
                }
                if let Some(from) = self.parties[role.index()].awaits_in(lane)
                    && !self.links[from.index()][role.index()][usize::from(lane.number())].is_empty()
                {
                    possible.push((role, lane, Some(from), 0));
                }
            }
        }
        let Some(choice) = self.masks.word().checked_rem(possible.len() as u64) else { return false };
        let (role, lane, from, place) = possible[usize::try_from(choice).unwrap()];
        let to = role.index();
        let input = match from {
            None => Input::Command(self.commands[to].remove(place).unwrap()),
            Some(from) => {
                Input::Frame(self.links[from.index()][to][usize::from(lane.number())].pop_front().unwrap())
            }
        };
        if let Input::Command(command) = &input
            && lane == Lane::Memory
        {
            self.current[to] = Some(Rc::clone(command));
        }
        let party = &mut self.parties[to];
        let output = tell(&mut **party, &input).unwrap();
        for frame in &output {
            let lane = self.parties[frame.to.index()].lane(&frame.bytes).unwrap();
            self.links[to][frame.to.index()][usize::from(lane.number())].push_back(frame.clone());
        }
        let party = &self.parties[to];
        let under_way = party.under_way_in(lane).cloned();
        if lane == Lane::Memory
            && under_way.is_none()
            && let Some(command) = self.current[to].take()
        {
            if command.has_results() {
                self.results[to].push(party.results().to_vec());
            }
            match *command {
                Command::Read { count, .. } => self.counts[to] = count,
                Command::Swap(_) => self.counts[to] = 1,
                Command::Write(_) if self.which == Which::Paper => self.counts[to] = 1,
                _ => {}
            }
        }
        let saved = Lane::ALL.map(|lane| self.saving.then(|| party.save(lane).ok()).flatten());
        let results = party.results().to_vec();
        self.events[to].push(Event { lane, input, output, under_way, results, saved });
        true
    }

    /// Until nothing can happen any more: everything is done then.
    pub(crate) fn finish(&mut self) {
        while self.happen() {}
        for &role in self.which.roles() {
            assert!(self.commands[role.index()].is_empty(), "{role} has commands left");
            for lane in Lane::ALL {
                assert_eq!(self.parties[role.index()].under_way_in(lane), None, "{role}");
            }
        }
        assert!(self.links.iter().flatten().flatten().all(VecDeque::is_empty));
        let opened: Vec<Vec<Word>> = (self.results[0].iter().zip(&self.results[1]))
            .map(|(own, theirs)| own.iter().zip(theirs).map(|(a, b)| self.which.add(*a, *b)).collect())
            .collect();
        assert_eq!(opened, self.expected, "an ideal RAM's results");
    }

    /// What a party said to another in a lane, in order.
    pub(crate) fn said(&self, from: Role, to: Role) -> Vec<Frame> {
        let frames = self.events[from.index()].iter().flat_map(|event| event.output.clone());
        frames.filter(|frame| frame.to == to).collect()
    }
}
