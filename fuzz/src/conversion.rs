//! Preprocessing, App. C and App. D, and what is made of it online: one real party against the specification.
//!
//! The party is P0, P1 or P2, with the reference's computation or a backend's. The specification plays the other two, with
//! randomness that the input chooses freely, which two real parties would never draw. Every message of the party, its
//! results and its state must be the specification's, item by item.

use std::collections::VecDeque;

use arbitrary::Arbitrary;
use duoram_conformance::paper::view::Inspect;
use duoram_reference::{Batch, Frame, Parameters, PartyStream, Plain, Role, SessionId, SessionKey, Word};
use duoram_spec::core::aes::Aes128;
use duoram_spec::core::prg::{AesPrg, Prg};
use duoram_spec::paper::memory::initial;
use duoram_spec::paper::payload;
use duoram_spec::paper::preprocessing::{prepare, random_index_shares, unit_vectors, update_material};
use duoram_spec::paper::session::{
    self, PreparedRead, PreparedUpdate, Sent, Session, Step, UpdateQuery, batch_messages, item_deltas,
    item_offset_0,
};
use duoram_spec::paper::tape::{
    PRIMARY_WORDS, advance, dpf_triples, peek_block, primary_randomness, tape, triple_words,
};

use crate::computations::singles;
use crate::party::Player as _;
use crate::party::paper::{AnyParty, View};
use crate::payloads::header;
use crate::payloads::paper::Shape;
use crate::prg::ReferencePrg;
use crate::wire::Role3;
use crate::words::Words;

const SESSION: SessionId = SessionId(*b"one real party..");

/// The specification keeps whole levels as lists: above this it takes milliseconds.
const MAX_LOG_SIZE: usize = 5;

/// A session.
#[derive(Arbitrary, Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// h, from 1.
    pub log_size: u8,
    /// The real party.
    pub role: Role3,
    /// Its computation: the reference's, or one of the backends.
    pub computation: u8,
    /// Items for READs, up to 2.
    pub reads: u8,
    /// Items for UPDATEs, up to 3.
    pub updates: u8,
    /// Whether a memory is loaded.
    pub load: bool,
    /// Whether the first READ and the first UPDATE are those of a WRITE.
    pub write: bool,
    /// Expands to the party's seed, the memory, addresses and values, and to what is missing from the tapes.
    pub seed: u64,
    /// The random words of the party that is simulated first (P0, or P1 if P0 is real).
    pub first_tape: Vec<Word>,
    /// Those of the other one.
    pub second_tape: Vec<Word>,
}

/// Runs a session.
pub fn check(input: &Input) {
    match usize::from(input.computation) % (1 + singles().len()) {
        0 => run(input, &Plain),
        backend => run(input, &singles()[backend - 1]),
    }
}

/// The real party next to the specification's session.
struct Pair<C: Inspect> {
    role: Role,
    party: AnyParty<C>,
    session: Session,
}

fn run<C: Inspect>(input: &Input, computation: &C) {
    let log_size = 1 + usize::from(input.log_size) % MAX_LOG_SIZE;
    let (reads, updates) = (usize::from(input.reads % 3), usize::from(input.updates % 4));
    let mut words = Words::new(input.seed);
    let role = Role::from(input.role);
    let seed = words.seed();
    let tapes = tapes(input, role, seed, &mut words, log_size, reads + updates);
    let parameters = Parameters::new(SESSION, u32::try_from(log_size).expect("small")).expect("1 to 40");
    let mut party = AnyParty::new(role, parameters, seed, computation);

    let started = party.common().connect().expect("the first step");
    let (step, prg) = connect(log_size, &tapes);
    let n = 1 << log_size;
    let mut pair = Pair { role, party, session: step.session };
    pair.finish(started, &step.sent);

    if input.load {
        let (share_0, share_1) = (words.words(n), words.words(n));
        let own = if role == Role::P0 { &share_0 } else { &share_1 };
        let started = pair.party.load(own).expect("right after the connection");
        pair.follow(started, |session| session::load(session, &share_0, &share_1));
    }
    if reads + updates == 0 {
        return;
    }
    let batch = Batch { reads, updates };
    let started = pair.party.common().preprocess(batch).expect("connected");
    pair.follow(started, |session| preprocess(&session, &prg, reads, updates));
    assert_eq!(pair.party.common().prepared(), batch);
    pair.online(input.write, batch, &mut words);
}

/// All parties' words: the real one's are its stream's.
fn tapes(
    input: &Input,
    role: Role,
    seed: [u8; 32],
    words: &mut Words,
    log_size: usize,
    items: usize,
) -> [Vec<Word>; 3] {
    let mut stream = PartyStream::new(seed);
    let mut given = [&input.first_tape, &input.second_tape].into_iter();
    // Of P0 and P1: contribution, blinds of the memory, items with deltas. Of P2: contribution, triples, masks.
    let primary = 2 + (1 << log_size) + items * (PRIMARY_WORDS + 2);
    let lengths = [primary, primary, 2 + items * (3 * triple_words(log_size) + 1)];
    Role::ALL.map(|of| {
        let length = lengths[of.index()];
        if of == role {
            return (0..length).map(|_| stream.word()).collect();
        }
        let mut tape = given.next().expect("two are simulated").clone();
        tape.truncate(length);
        let missing = length - tape.len();
        tape.extend(words.words(missing));
        tape
    })
}

/// Step 0, without the specification's slow key expansion: nothing here uses the session's own PRG.
fn connect(log_size: usize, tapes: &[Vec<Word>; 3]) -> (Step, ReferencePrg) {
    let tapes = tapes.each_ref().map(|words| tape(words));
    let contributions = tapes.each_ref().map(|tape| peek_block(tape, 0));
    let [c_0, c_1, c_2] = contributions;
    let mut sent = Vec::new();
    for (from, to) in Role::ALL.into_iter().flat_map(|from| from.peers().map(|to| (from, to))) {
        let hello =
            [payload::blocks_bytes(&[contributions[from.index()]]), payload::word_bytes(log_size as u64)];
        let (from, to) = (from.number(), to.number());
        sent.push(Sent { kind: 1, from, to, operation: 0, round: 0, payload: hello.concat() });
    }
    let [tape_0, tape_1, tape_2] = tapes.each_ref().map(|tape| advance(tape, 2));
    let session = Session {
        log_size,
        prg: AesPrg { aes: Aes128 { s_box: vec![], round_keys: vec![] } },
        tape_0,
        tape_1,
        tape_2,
        state: initial(1 << log_size),
        reads: vec![],
        updates: vec![],
        operation: 1,
    };
    let key = SessionKey::new((c_0 ^ c_1 ^ c_2).to_le_bytes());
    (Step { session, sent, results: vec![] }, ReferencePrg(key))
}

/// As the specification's `session::preprocess`, with another PRG.
fn preprocess<P: Prg>(session: &Session, prg: &P, reads: usize, updates: usize) -> Step {
    let (count, log_size) = (reads + updates, session.log_size);
    let (mut items, mut triples, mut deltas) = (Vec::new(), Vec::new(), Vec::new());
    let mut after = session.clone();
    for j in 0..count {
        let dealt = [0, 1, 2]
            .map(|k| dpf_triples(&advance(&session.tape_2, (3 * j + k) * triple_words(log_size)), log_size));
        let p0 = primary_randomness(&advance(&session.tape_0, item_offset_0(j, reads)));
        let p1 = primary_randomness(&advance(&session.tape_1, j * PRIMARY_WORDS));
        let item = prepare(prg, log_size, &p0, &p1, (&dealt[0], &dealt[1], &dealt[2]));
        if j < reads {
            after.reads.push(PreparedRead {
                units: unit_vectors(&item),
                random_index_shares: random_index_shares(&item),
            });
        } else {
            let (delta_2, delta_3) = item_deltas(session, j, reads);
            deltas.extend([delta_2, delta_3]);
            let material = update_material(&item, delta_2, delta_3);
            after.updates.push(PreparedUpdate { material, random_index_shares: random_index_shares(&item) });
        }
        items.push(item);
        triples.extend(dealt);
    }
    after.tape_0 = advance(&session.tape_0, item_offset_0(count, reads));
    after.tape_1 = advance(&session.tape_1, count * PRIMARY_WORDS);
    after.tape_2 = advance(&session.tape_2, 3 * count * triple_words(log_size));
    after.operation += 1;
    let mut sent = batch_messages(session, &items, &triples, &deltas);
    // The specification's round says which of a step's messages of one kind it is; where there is one, the wire has the
    // number of READ items.
    for message in sent.iter_mut().filter(|message| !matches!(message.kind, 5 | 6)) {
        message.round = u32::try_from(reads).expect("a small batch");
    }
    Step { session: after, sent, results: vec![] }
}

impl<C: Inspect> Pair<C> {
    /// This party's share.
    fn own(&self, shares: (Word, Word)) -> Word {
        if self.role == Role::P0 { shares.0 } else { shares.1 }
    }

    /// All items, in one step of each kind.
    fn online(&mut self, write: bool, Batch { mut reads, mut updates }: Batch, words: &mut Words) {
        let mut shares = || (words.word(), words.word());
        if write && reads > 0 && updates > 0 {
            let query = UpdateQuery { address: shares(), value: shares() };
            let started = self.party.write(self.own(query.address), self.own(query.value));
            self.follow(started.expect("prepared"), |session| session::write(session, query));
            (reads, updates) = (reads - 1, updates - 1);
        }
        if reads > 0 {
            let addresses: Vec<_> = (0..reads).map(|_| shares()).collect();
            let own: Vec<_> = addresses.iter().map(|&address| self.own(address)).collect();
            let started = self.party.read(&own).expect("prepared");
            self.follow(started, |session| session::reads(session, &addresses));
        }
        if updates > 0 {
            let query = |_| UpdateQuery { address: shares(), value: shares() };
            let queries: Vec<_> = (0..updates).map(query).collect();
            let own: Vec<_> =
                queries.iter().map(|query| (self.own(query.address), self.own(query.value))).collect();
            let started = self.party.update(&own).expect("prepared");
            self.follow(started, |session| session::updates(session, &queries));
        }
    }

    /// Takes the specification through a step that the party has started, and the party through the rest of it.
    fn follow(&mut self, started: Vec<Frame>, take: impl FnOnce(Session) -> Step) {
        let step = take(self.session.clone());
        self.session = step.session;
        self.finish(started, &step.sent);
        let results: Vec<Word> = step.results.iter().map(|&shares| self.own(shares)).collect();
        if self.role != Role::P2 {
            assert_eq!(self.party.take_results(), results, "results");
        }
        let expected = View::specified(self.role, &self.session.state);
        assert!(expected.is(&self.party.view()), "another state");
    }

    /// Hands over what the others send, as the party asks for it, and compares what it sends itself.
    fn finish(&mut self, started: Vec<Frame>, sent: &[Sent]) {
        let role = self.role;
        let frame = |message: &Sent| {
            let links = [message.from, message.to].map(|number| Role::ALL[usize::from(number)]);
            let length = message.payload.len();
            let header =
                header::<Shape>(message.kind, links, message.round, length, message.operation, SESSION.0);
            Frame { from: links[0], to: links[1], bytes: [header, message.payload.clone()].concat().into() }
        };
        let frames: Vec<Frame> = sent.iter().map(frame).collect();
        let mut links = [(); 3].map(|()| VecDeque::new());
        for frame in frames.iter().filter(|frame| frame.to == role) {
            links[frame.from.index()].push_back(&frame.bytes);
        }
        let mut got = started;
        while let Some(from) = self.party.common().awaits() {
            let bytes = links[from.index()].pop_front().expect("the specification sends no more");
            got.extend(self.party.common().receive(from, bytes).expect("the specification's message"));
        }
        assert!(links.iter().all(VecDeque::is_empty), "messages are left");
        for to in role.peers() {
            let expected = frames.iter().filter(|frame| (frame.from, frame.to) == (role, to));
            let got: Vec<&Frame> = got.iter().filter(|frame| frame.to == to).collect();
            assert_eq!(got, expected.collect::<Vec<_>>(), "to {to}");
        }
    }
}
