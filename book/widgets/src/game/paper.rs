//! A session of the paper's protocol, with a fault put in or without, as each of the three parties sees it.
//!
//! The session is the specification's: [`duoram_spec::paper::parties`] hands each message to the party that it is for. Most
//! faults are of what is drawn: a party is then given the words that a faulty one would have drawn, and all functions stay as
//! they are. The others change what a party keeps, or is told, between two steps.

use duoram_spec::core::block::{Block, low_half, replicate};
use duoram_spec::core::dealer::final_correction_share;
use duoram_spec::core::distributed_gen::child_sums;
use duoram_spec::core::dpf::{address_bits, next_level};
use duoram_spec::core::prg::Prg;
use duoram_spec::core::share::{Primary, signed_vector};
use duoram_spec::paper::parties::{Parties, PartiesStep, load, preprocess, reads, updates};
use duoram_spec::paper::party::{
    CONTRIBUTION_WORDS, HELPER, PrimaryUpdate, say_hello, started_helper, started_primary,
};
use duoram_spec::paper::party_online::Query;
use duoram_spec::paper::party_preprocessing::{drawn_deltas, item_offset};
use duoram_spec::paper::payload;
use duoram_spec::paper::preprocessing::{Dpf, Item, prepare};
use duoram_spec::paper::session::Sent;
use duoram_spec::paper::tape::{PRIMARY_WORDS, advance, dpf_triples, primary_randomness, triple_words};
use duoram_spec::paper::update::rerandomized_share;
use duoram_vectors::Random;

use crate::game::faults::Fault;
use crate::game::prg::GamePrg;
use crate::game::script::{Addend, LOG_SIZE, N, Operation, Script};
use crate::game::seen::{Inboxes, Run, Turn};

pub(crate) type PaperRun<P> = Run<Parties<P>, Sent, Query>;

/// Runs a script. Drawn, in this order: the parties' words, the shares of the memory, the shares of each operation.
pub(crate) fn run<P: GamePrg>(script: &Script, fault: Option<Fault>, random: &mut Random) -> PaperRun<P> {
    let (reads_made, updates_made) = (script.reads(), script.updates());
    let items = reads_made + updates_made;
    let primary_words = CONTRIBUTION_WORDS + N + items * (PRIMARY_WORDS + 2);
    let helper_words = CONTRIBUTION_WORDS + items * 3 * triple_words(LOG_SIZE) + reads_made;
    let mut words = [random.words(primary_words), random.words(primary_words), random.words(helper_words)];
    if let Some(fault) = fault {
        spoil(fault, &mut words, items);
    }
    let hello: Vec<Sent> =
        (0..3).zip(&words).flat_map(|(number, words)| say_hello(number, LOG_SIZE, words)).collect();
    let prg = P::of_contributions(&words);
    let parties = Parties {
        p0: started_primary(Primary::P0, LOG_SIZE, prg.clone(), &words[0]),
        p1: started_primary(Primary::P1, LOG_SIZE, prg.clone(), &words[1]),
        p2: started_helper(LOG_SIZE, prg, &words[2]),
    };
    let share_0 = random.words(N);
    let share_1: Vec<u64> =
        script.memory.iter().zip(&share_0).map(|(word, share)| word.wrapping_sub(*share)).collect();

    let load = load(parties, &share_0, &share_1);
    let loaded = load.parties.clone();
    let PartiesStep { parties: mut prepared, sent, .. } = preprocess(load.parties, reads_made, updates_made);
    let mut preparing = inboxes(sent);
    match fault {
        Some(Fault::LowestBit) => tell_printed_keys(&loaded, &mut preparing, items),
        Some(Fault::FlagInValue) => take_low_words(&loaded, &mut prepared),
        Some(Fault::HeardByHelper) => {
            let between = preparing[..2].iter().flatten().filter(|message| message.from != HELPER);
            let heard: Vec<Sent> = between.cloned().collect();
            preparing[2].extend(heard);
        }
        _ => {}
    }

    let mut parties = prepared.clone();
    let mut turns = vec![];
    for operation in &script.operations {
        let item = items - parties.p2.reads.len() - parties.p2.updates.len();
        let queries = queries(*operation, random);
        let step = match operation {
            Operation::Read(_) => reads_step(parties, queries, fault == Some(Fault::ItemTwice)),
            Operation::Update { .. } => updates(parties, &queries[..1], &queries[1..]),
        };
        parties = step.parties;
        let results = [step.results_0.first().copied(), step.results_1.first().copied()];
        turns.push(Turn { item, queries, inboxes: inboxes(step.sent), results });
    }
    let told = [inboxes(hello), inboxes(load.sent), preparing];
    Run { loaded, prepared, ended: parties, told, turns }
}

/// A READ, after which its item may be kept.
fn reads_step<P: Clone>(parties: Parties<P>, queries: [Query; 2], keep: bool) -> PartiesStep<P> {
    let kept = keep.then(|| (parties.p0.reads.clone(), parties.p1.reads.clone(), parties.p2.reads.clone()));
    let mut step = reads(parties, &[queries[0].address], &[queries[1].address]);
    if let Some((of_0, of_1, of_2)) = kept {
        (step.parties.p0.reads, step.parties.p1.reads, step.parties.p2.reads) = (of_0, of_1, of_2);
    }
    step
}

/// The primaries' shares of an operation's secrets.
fn queries(operation: Operation, random: &mut Random) -> [Query; 2] {
    let (address, (value_0, value_1)) = match operation {
        Operation::Read(address) => (address, (0, 0)),
        Operation::Update { address, value: Addend::Value(value) } => (address, random.shares(value)),
        Operation::Update { address, value: Addend::ShareOfP1(share) } => (address, (random.word(), share)),
    };
    let (address_0, address_1) = random.shares(address);
    [Query { address: address_0, value: value_0 }, Query { address: address_1, value: value_1 }]
}

fn inboxes(sent: Vec<Sent>) -> Inboxes<Sent> {
    let mut inboxes = [vec![], vec![], vec![]];
    for message in sent {
        inboxes[usize::from(message.to)].push(message);
    }
    inboxes
}

// ---------------------------------------------------------------- faults of what is drawn

/// The words that a faulty implementation would have drawn in the place of these.
fn spoil(fault: Fault, words: &mut [Vec<u64>; 3], items: usize) {
    let blinds = CONTRIBUTION_WORDS..CONTRIBUTION_WORDS + N;
    // All items of a round are of one kind. Where P0's words for an item begin depends on which, P1's do not.
    let item = |role: Primary, j: usize| blinds.end + item_offset(role, j, items);
    let deltas = blinds.end + PRIMARY_WORDS;
    let triple = |dpf: usize, level: usize| CONTRIBUTION_WORDS + dpf * triple_words(LOG_SIZE) + level * 7;
    let masks = triple(items * 3, 0);
    let primaries = [(0, Primary::P0), (1, Primary::P1)];
    match fault {
        Fault::DeltasZero => words[0][deltas..deltas + 2].fill(0),
        Fault::DeltasEqual => words[0][deltas + 1] = words[0][deltas],
        Fault::RootsEqual => {
            for (party, role) in primaries {
                for start in (0..items).map(|j| item(role, j)) {
                    words[party].copy_within(start + 3..start + 5, start + 5);
                }
            }
        }
        Fault::SignNotBlinded => {
            for (party, role) in primaries {
                for start in (0..items).map(|j| item(role, j)) {
                    words[party][start + 7..start + PRIMARY_WORDS].fill(0);
                }
            }
        }
        Fault::LoadNotBlinded => words[..2].iter_mut().for_each(|words| words[blinds.clone()].fill(0)),
        Fault::TripleReused => {
            for (dpf, level) in (0..items * 3).flat_map(|dpf| (1..LOG_SIZE).map(move |level| (dpf, level))) {
                words[2].copy_within(triple(dpf, 0)..triple(dpf, 1), triple(dpf, level));
            }
        }
        Fault::NoRho => words[2][masks] = 0,
        Fault::RhoTwice => words[2][masks + 1] = words[2][masks],
        _ => {}
    }
}

// ---------------------------------------------------------------- faults of what is said and made

/// The three DPFs of an item with all that nobody keeps of them, made once more from what the parties drew.
fn made_again<P: Prg>(loaded: &Parties<P>, j: usize, reads: usize) -> Item<u64> {
    let drawn = |tape, role| primary_randomness(&advance(tape, item_offset(role, j, reads)));
    let dealt = |dpf| {
        let place = (j * 3 + dpf) * triple_words(LOG_SIZE);
        dpf_triples(&advance(&loaded.p2.tape, place), LOG_SIZE)
    };
    let p0 = drawn(&loaded.p0.tape, Primary::P0);
    let p1 = drawn(&loaded.p1.tape, Primary::P1);
    prepare(&loaded.p0.prg, LOG_SIZE, &p0, &p1, (&dealt(0), &dealt(1), &dealt(2)))
}

/// The correction words of App. C as printed: with their lowest bits.
fn printed_words<P: Prg>(prg: &P, dpf: &Dpf<u64>, target: u64) -> Vec<Block> {
    let keys = [&dpf.generation.key_0, &dpf.generation.key_1];
    let mut levels = keys.map(|key| vec![key.root]);
    address_bits(target, LOG_SIZE)
        .iter()
        .zip(&keys[0].corrections)
        .map(|(bit, correction)| {
            let sums = [child_sums(prg, &levels[0]), child_sums(prg, &levels[1])];
            let (left, right) = (sums[0].left ^ sums[1].left, sums[0].right ^ sums[1].right);
            for level in &mut levels {
                *level = next_level(prg, level, correction);
            }
            (replicate(*bit) & (left ^ right)) ^ right
        })
        .collect()
}

/// P2 is sent keys with the correction words as printed. It evaluates them all the same: a label's lowest bit is its flag.
fn tell_printed_keys<P: Prg>(loaded: &Parties<P>, preparing: &mut Inboxes<Sent>, reads: usize) {
    let items: Vec<Item<u64>> = (0..reads).map(|j| made_again(loaded, j, reads)).collect();
    let index = |j| {
        let word =
            |tape, role| primary_randomness(&advance(tape, item_offset(role, j, reads))).random_index_xor;
        word(&loaded.p0.tape, Primary::P0) ^ word(&loaded.p1.tape, Primary::P1)
    };
    for message in preparing[2].iter_mut().filter(|message| message.kind == 9) {
        let mut keys = payload::keys_of(&message.payload, LOG_SIZE, reads);
        for (j, (key, item)) in keys.iter_mut().zip(&items).enumerate() {
            let dpf = if message.from == 0 { &item.dpf_2 } else { &item.dpf_3 };
            let printed = printed_words(&loaded.p0.prg, dpf, index(j));
            for (correction, word) in key.key.corrections.iter_mut().zip(printed) {
                correction.word = word;
            }
        }
        message.payload = payload::keys(&keys);
    }
}

/// All three take an UPDATE's values from the low halves of the leaves, which hold the flags.
fn take_low_words<P: Prg>(loaded: &Parties<P>, prepared: &mut Parties<P>) {
    let item = made_again(loaded, 0, 0);
    let deltas = drawn_deltas(&loaded.p0, 0, 1);
    let dpfs = [&item.dpf_1, &item.dpf_2, &item.dpf_3];
    let values = |role: Primary, dpf: usize| {
        let generation = &dpfs[dpf].generation;
        let labels = if role == Primary::P0 { &generation.labels_0 } else { &generation.labels_1 };
        signed_vector(role, &labels.iter().map(|label| low_half(*label)).collect::<Vec<u64>>())
    };
    let taken = |role, update: &PrimaryUpdate| {
        let values = (values(role, 0), values(role, 1), values(role, 2));
        let shares = (
            final_correction_share(&values.0),
            final_correction_share(&values.1),
            final_correction_share(&values.2),
        );
        let corrections = rerandomized_share(role, shares, deltas[0], deltas[1]);
        PrimaryUpdate { values, corrections, ..update.clone() }
    };
    let Parties { p0, p1, p2 } = prepared;
    for (role, party) in [(Primary::P0, p0), (Primary::P1, p1)] {
        party.updates = party.updates.iter().map(|update| taken(role, update)).collect();
    }
    for update in &mut p2.updates {
        update.values_0_dpf_2 = values(Primary::P0, 1);
        update.values_1_dpf_3 = values(Primary::P1, 2);
    }
}
