//! Random sessions, small ones mostly, each compared with the specification in full.

use std::collections::BTreeMap;

use duoram_reference::{MAX_ROW_WORDS, Word};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::Rng;
use serde::Serialize;

use crate::audit::{Audited, Audits};
use crate::check::{Checker, Layer, Mismatch, TRANSCRIPT_LOG_SIZE, Tally};
use duoram_runtime::Error;
use duoram_runtime::budget::{Budget, DEFAULT_TREE_BYTES};
use duoram_runtime::client::Client;
use duoram_runtime::local_computation::{Extent, LocalComputation};
use duoram_runtime::operation::{Operation, Row, demand};
use duoram_runtime::seed::{Seed, Seeds};
use duoram_runtime::transport::Transport;

/// One random session.
#[derive(Clone)]
pub struct Case {
    /// All of it follows from this.
    pub seed: Seed,
    /// h
    pub log_size: u32,
    /// m
    pub rows: usize,
    /// w
    pub row_words: usize,
    /// The memory that is loaded, if one is.
    pub memory: Option<Vec<Word>>,
    /// The operations.
    pub operations: Vec<Operation>,
    /// After how many operations the rest is prepared: so that there are two batches.
    pub first_batch: usize,
    /// The randomness of owner and parties.
    pub seeds: Seeds,
}

/// The longest rows: the specification takes as much time for each column as for a memory of words.
const MOST_ROW_WORDS: u64 = 9;

/// A word below `limit`; the bias does not matter here.
fn below(stream: &mut ChaCha20Rng, limit: u64) -> u64 {
    stream.next_u64() % limit
}

impl Case {
    /// The case of a seed, with no more words at an address than this, and with addresses that have none or without.
    pub fn new(seed: Seed, most_row_words: usize, fewer_rows: bool) -> Self {
        let mut stream = seed.stream();
        let seeds = Seeds::derive(&mut stream);
        let stream = &mut stream;
        // Mostly the least of three, of which half are at most 2: small memories have all the structure and cost next to
        // nothing. One case in eight takes any size.
        let tries = if below(stream, 8) == 0 { 1 } else { 3 };
        let log_size = (0..tries).map(|_| 1 + stream.next_u32() % TRANSCRIPT_LOG_SIZE).min().unwrap_or(1);
        let row_words = row_words(seed, log_size, most_row_words);
        let rows = if fewer_rows { rows(seed, log_size) } else { 1 << log_size };
        let n = 1_u64 << log_size;
        // A word for each address is drawn, so that what follows is the same whatever was allowed.
        let all = (below(stream, 4) > 0).then(|| row(stream, n, row_words << log_size));
        let memory = all.map(|words| words.into_iter().take(rows * row_words).collect());
        let operations: Vec<Operation> =
            (0..=below(stream, 5)).map(|_| operation(stream, n, row_words)).collect();
        let first_batch = 1 + usize::try_from(below(stream, operations.len() as u64)).unwrap_or_default();
        Self { seed, log_size, rows, row_words, memory, operations, first_batch, seeds }
    }

    /// Runs the session and compares it with the specification. A party that stops is a mismatch too.
    pub fn run<P: Audits<C>, C: LocalComputation>(&self, backend: &C) -> (Tally, u64, Vec<Mismatch>) {
        let stopped = |operation: &str, error: &Error| Mismatch {
            layer: Layer::Parties,
            operation: operation.to_owned(),
            what: format!("the session stopped: {error}"),
        };
        let extent = Extent { log_size: self.log_size, rows: self.rows, row_words: self.row_words };
        let parameters = match extent.parameters(self.seeds.session) {
            Ok(parameters) => parameters,
            Err(error) => {
                return (Tally::default(), 1, vec![stopped("parameters", &Error::Parameters(error))]);
            }
        };
        let mut checker =
            Checker::<P>::new(parameters, &self.seeds, self.memory.is_some(), demand::<P>(&self.operations));
        let computation = checker.watch(backend);
        let budget = Budget::new::<P, C>(backend, DEFAULT_TREE_BYTES, extent);
        let end = Client::<P, _>::start(
            parameters,
            &self.seeds,
            computation,
            budget,
            Transport::Memory,
            &mut checker,
        )
        .and_then(|mut client| self.take_steps(&mut client));
        let (tally, mut count, mut mismatches) =
            (*checker.tally(), checker.mismatches(), checker.described().to_vec());
        if let Err(error) = end {
            count += 1;
            mismatches.push(stopped("session", &error));
        }
        (tally, count, mismatches)
    }

    fn take_steps<P: Audited>(&self, client: &mut Client<P, &mut Checker<P>>) -> Result<(), Error> {
        if let Some(memory) = &self.memory {
            client.load(memory)?;
        }
        let (first, rest) = self.operations.split_at(self.first_batch.min(self.operations.len()));
        for part in [first, rest] {
            client.preprocess(demand::<P>(part), |_| ())?;
            for operation in part {
                client.perform(operation.clone())?;
            }
        }
        Ok(())
    }
}

/// A word of the memory: often one that is an address itself, sometimes an extreme.
fn word(stream: &mut ChaCha20Rng, n: u64) -> Word {
    match below(stream, 4) {
        0 => below(stream, n),
        1 => Word::MAX,
        2 => 0,
        _ => stream.next_u64(),
    }
}

fn row(stream: &mut ChaCha20Rng, n: u64, words: usize) -> Row {
    (0..words).map(|_| word(stream, n)).collect()
}

/// The words at an address: of every other case one, and of the others few, as far as the transcript is compared. Drawn from a
/// stream of their own: with one word the case is the same whatever was allowed.
fn row_words(seed: Seed, log_size: u32, most: usize) -> usize {
    let mut stream = seed.stream();
    stream.set_stream(2);
    let few = if below(&mut stream, 2) == 0 { 1 } else { 1 + below(&mut stream, MOST_ROW_WORDS) };
    usize::try_from(few).unwrap_or(1).min(most).min(1 << (TRANSCRIPT_LOG_SIZE - log_size))
}

/// How many addresses have words: of every other case all, and of the others more than half. Drawn from a stream of their own, too.
fn rows(seed: Seed, log_size: u32) -> usize {
    let mut stream = seed.stream();
    stream.set_stream(3);
    let (half, fewer) = (1_u64 << (log_size - 1), below(&mut stream, 2) == 1);
    let missing = if fewer { 1 + below(&mut stream, (half - 1).max(1)) } else { 0 };
    usize::try_from(2 * half - missing).unwrap_or(1)
}

fn operation(stream: &mut ChaCha20Rng, n: u64, row_words: usize) -> Operation {
    let address = below(stream, n);
    match below(stream, 8) {
        0..2 => Operation::Read { address },
        2..5 => Operation::Update { address, delta: row(stream, n, row_words) },
        5 => Operation::Write { address, value: row(stream, n, row_words) },
        6 => Operation::Swap { address, value: row(stream, n, row_words) },
        _ => Operation::Chase { address, steps: if below(stream, 2) == 0 { 2 } else { 3 } },
    }
}

/// What a case found: the comparisons, the number of mismatches, and the first of them.
type Found = (Tally, u64, Vec<Mismatch>);

/// A computation whose type is forgotten, so that several can be put to the same cases.
pub struct Candidate<'a> {
    name: &'static str,
    most_row_words: usize,
    fewer_rows: bool,
    run: Box<dyn Fn(&Case) -> Found + 'a>,
}

impl<'a> Candidate<'a> {
    /// A candidate.
    pub fn new<P: Audits<C>, C: LocalComputation>(backend: &'a C) -> Self {
        let most_row_words = if P::ROWS { MAX_ROW_WORDS } else { 1 };
        let run = Box::new(|case: &Case| case.run::<P, C>(backend));
        Self { name: backend.name(), most_row_words, fewer_rows: P::ROWS, run }
    }

    /// Its name.
    pub const fn name(&self) -> &'static str {
        self.name
    }
}

/// A case that failed.
#[derive(Clone, Debug, Serialize)]
pub struct Failure {
    /// `duoram check --cases 1 --seed` with this runs it again.
    pub seed: String,
    /// The computation that the parties used.
    pub backend: &'static str,
    /// Its first mismatches.
    pub mismatches: Vec<Mismatch>,
}

/// What a check found.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The cases that were run, by layer: `spec` is the specification's session against the ideal memory and the lemmas,
    /// the others are the parties with that computation against the specification.
    pub cases: BTreeMap<&'static str, u64>,
    /// Those with more than one word at an address.
    pub row_cases: u64,
    /// Those with addresses that have no words.
    pub fewer_cases: u64,
    /// What was compared in them, over all computations.
    pub comparisons: Tally,
    /// Mismatches in all of them.
    pub mismatches: u64,
    /// The seed of the whole check, which is that of the first case.
    pub seed: String,
    /// The cases that failed, at most ten.
    pub failures: Vec<Failure>,
}

/// Runs `count` cases. The first is that of the seed itself, so that a failing case can be run again alone; the seeds of
/// the others are drawn from it.
///
/// Every candidate is put to every case, on the same randomness.
pub fn run(count: u64, seed: Seed, candidates: &[Candidate<'_>], mut progress: impl FnMut(u64)) -> Report {
    let mut report = Report {
        cases: BTreeMap::from([("spec", 0)]),
        row_cases: 0,
        fewer_cases: 0,
        comparisons: Tally::default(),
        mismatches: 0,
        seed: seed.to_string(),
        failures: Vec::new(),
    };
    let mut stream = seed.stream();
    // A stream of its own: the first case draws from the beginning.
    stream.set_stream(1);
    let mut next = seed;
    let most = candidates.iter().map(|candidate| candidate.most_row_words).min().unwrap_or(1);
    let fewer = candidates.iter().all(|candidate| candidate.fewer_rows);
    for done in 0..count {
        let case = Case::new(next, most, fewer);
        *report.cases.entry("spec").or_default() += 1;
        report.row_cases += u64::from(case.row_words > 1);
        report.fewer_cases += u64::from(case.rows < 1 << case.log_size);
        for candidate in candidates {
            let (tally, mismatches, described) = (candidate.run)(&case);
            *report.cases.entry(candidate.name).or_default() += 1;
            report.comparisons += tally;
            report.mismatches += mismatches;
            if mismatches > 0 && report.failures.len() < 10 {
                let (seed, backend) = (case.seed.to_string(), candidate.name);
                report.failures.push(Failure { seed, backend, mismatches: described });
            }
        }
        stream.fill_bytes(&mut next.0);
        progress(done + 1);
    }
    report
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The cases of 256 seeds.
    fn cases(most_row_words: usize) -> Vec<Case> {
        (0..=255).map(|byte| Case::new(Seed([byte; 32]), most_row_words, false)).collect()
    }

    #[test]
    fn a_seed_fixes_the_case_and_all_sizes_occur() {
        let cases = cases(1);
        for log_size in 1..=TRANSCRIPT_LOG_SIZE {
            assert!(cases.iter().any(|case| case.log_size == log_size), "{log_size}");
        }
        let small = cases.iter().filter(|case| case.log_size <= 3).count();
        assert!(small > cases.len() / 2, "{small} of {} cases are small", cases.len());
        for case in cases {
            assert_eq!(Case::new(case.seed, 1, false).operations, case.operations);
            assert!((1..=case.operations.len()).contains(&case.first_batch));
        }
    }

    #[test]
    fn rows_of_every_small_length_occur_where_they_are_allowed_and_leave_words_as_they_were() {
        let (words, rows) = (cases(1), cases(512));
        for row_words in 1..=9 {
            assert!(rows.iter().any(|case| case.row_words == row_words), "{row_words}");
        }
        assert!(cases(3).iter().all(|case| case.row_words <= 3));
        for (of_words, of_rows) in words.iter().zip(&rows) {
            assert_eq!((of_words.row_words, of_words.log_size), (1, of_rows.log_size));
            assert!(of_rows.row_words << of_rows.log_size <= 1 << TRANSCRIPT_LOG_SIZE);
            let put_in = of_rows.operations.iter().filter_map(Operation::row);
            assert!(put_in.map(<[Word]>::len).all(|length| length == of_rows.row_words));
            if of_rows.row_words == 1 {
                assert_eq!((&of_words.memory, &of_words.operations), (&of_rows.memory, &of_rows.operations));
            }
        }
    }
}
