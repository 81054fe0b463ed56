//! Three lean parties that are asked for READs at one rate for a long time: every word is right, and neither memory nor files grow
//! (`ci/soak SECONDS`). What the machine managed is printed, and asserted of no time.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use duoram_client::blocking::Memory;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::hosts::{Hosts, load};

const LOG_SIZE: u32 = 16;
/// READs a second, of all callers together.
const RATE: u32 = 1000;
/// The READs of one request.
const BATCH: usize = 8;
/// Threads that ask: each has one request under way.
const CALLERS: u32 = 8;
/// A run is judged, and printed, by so many parts of equal length.
const PARTS: usize = 10;

/// What the parties hold at one moment: bytes of memory by the system's account, and of the files in their folders.
#[derive(Clone, Copy, Default, Debug)]
struct Held {
    memory: u64,
    files: u64,
}

impl Held {
    fn of(hosts: &Hosts) -> Self {
        let resident = |pid: u32| {
            let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
            let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap().to_owned();
            1024 * line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap()
        };
        let memory = hosts.parties.iter().flatten().map(|party| resident(party.id())).sum();
        let files = hosts.places().map(|place| length(&hosts.path(&format!("p{place}.state")))).sum();
        Self { memory, files }
    }

    fn most(self, other: Self) -> Self {
        Self { memory: self.memory.max(other.memory), files: self.files.max(other.files) }
    }
}

/// Of all files below a folder. One that is gone by then has none.
fn length(folder: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    let of = |entry: fs::DirEntry| match entry.metadata() {
        Ok(metadata) if metadata.is_dir() => length(&entry.path()),
        Ok(metadata) => metadata.len(),
        Err(_) => 0,
    };
    entries.flatten().map(of).sum()
}

/// What is too much for parties that were at work for a fifth of the run already: what they hold at most in the last two parts
/// is a quarter, and some pages, above what they held at most in parts three and four. Journals go up and down by snapshots.
fn grown(most: &[Held]) -> Option<String> {
    let at = |parts: &[Held]| parts.iter().copied().fold(Held::default(), Held::most);
    let (before, after) = (at(&most[2..4]), at(&most[PARTS - 2..]));
    let more = |what: &str, before: u64, after: u64| {
        (after > before + before / 4 + (4 << 20))
            .then(|| format!("{what} grew from {before} to {after} bytes"))
    };
    more("memory", before.memory, after.memory).or_else(|| more("files", before.files, after.files))
}

/// How long requests took: here from the moment at which each was due, so that one that is late makes the next ones late, too.
#[derive(Clone, Default)]
pub(crate) struct Latencies(pub(crate) Vec<Duration>);

impl Latencies {
    /// Milliseconds within which such a part of them was done.
    pub(crate) fn at(&mut self, part: f64) -> f64 {
        self.0.sort_unstable();
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]
        let place = (part * (self.0.len() - 1) as f64) as usize;
        1e3 * self.0[place].as_secs_f64()
    }
}

/// One caller's requests until the end; latencies by part.
fn ask(memory: &Memory, array: &[u64], number: u32, begin: Instant, length: Duration) -> Vec<Latencies> {
    let mut random = ChaCha20Rng::from_seed([u8::try_from(number).unwrap(); 32]);
    let every = Duration::from_secs(1) * CALLERS * u32::try_from(BATCH).unwrap() / RATE;
    let mut latencies = vec![Latencies::default(); PARTS];
    for request in 0.. {
        let due = every * request + every * number / CALLERS;
        if due >= length {
            break;
        }
        thread::sleep((begin + due).saturating_duration_since(Instant::now()));
        let places = [0; BATCH].map(|_: u64| random.next_u64() % array.len() as u64);
        let expected = places.map(|place| array[usize::try_from(place).unwrap()]);
        assert_eq!(memory.read_all(&places).unwrap(), expected, "read {places:?}");
        let part = PARTS as u128 * due.as_nanos() / length.as_nanos();
        latencies[usize::try_from(part).unwrap()].0.push(begin.elapsed().saturating_sub(due));
    }
    latencies
}

/// `DUORAM_SOAK_SECONDS` says for how long. Growth is judged from two minutes on: before, caches and stocks fill.
#[test]
fn parties_that_are_asked_for_long_hold_no_more() {
    let seconds = std::env::var("DUORAM_SOAK_SECONDS").map_or(5, |seconds| seconds.parse().unwrap());
    let length = Duration::from_secs(seconds);
    let mut hosts = Hosts::start(LOG_SIZE, "lean", "warn");
    let array = load(&hosts, LOG_SIZE);
    hosts.wait_until_ready();
    let clients = ["a", "b"].map(|name| hosts.memory(name));
    let begin = Instant::now();
    let mut most = vec![Held::default(); PARTS];
    let mut latencies = vec![Latencies::default(); PARTS];
    thread::scope(|scope| {
        let (clients, array) = (&clients, &array);
        let callers: Vec<_> = (0..CALLERS)
            .map(|number| {
                let memory = &clients[number as usize % clients.len()];
                scope.spawn(move || ask(memory, array, number, begin, length))
            })
            .collect();
        while begin.elapsed() < length {
            let part = PARTS as u128 * begin.elapsed().as_nanos() / length.as_nanos();
            let part = &mut most[usize::try_from(part).unwrap().min(PARTS - 1)];
            *part = part.most(Held::of(&hosts));
            thread::sleep(Duration::from_secs(1).min(length / 50));
        }
        for caller in callers {
            for (all, some) in latencies.iter_mut().zip(caller.join().unwrap()) {
                all.0.extend(some.0);
            }
        }
    });
    let asked: usize = latencies.iter().map(|part| part.0.len() * BATCH).sum();
    println!(
        "{asked} READs of 2^{LOG_SIZE} words in {:.1} s, asked for at {RATE} a second, {BATCH} a request",
        begin.elapsed().as_secs_f64()
    );
    println!("part  requests   p50 ms   p90 ms   p99 ms   max ms   memory MiB   files MiB");
    for (number, (latencies, held)) in latencies.iter_mut().zip(&most).enumerate() {
        let [p50, p90, p99, max] = [0.5, 0.9, 0.99, 1.0].map(|part| latencies.at(part));
        println!(
            "{:>4} {:>9} {p50:>8.2} {p90:>8.2} {p99:>8.2} {max:>8.2} {:>12} {:>11}",
            number + 1,
            latencies.0.len(),
            held.memory >> 20,
            held.files >> 20
        );
    }
    if seconds >= 120 {
        assert_eq!(grown(&most), None);
    } else {
        println!("growth is judged from 120 s on, this was {seconds} s");
    }
    hosts.stop();
}

#[test]
fn growth_is_seen_and_journals_may_go_up_and_down() {
    let held = |memory: u64, files: u64| Held { memory: memory << 20, files: files << 20 };
    let steady: Vec<_> =
        (0..PARTS).map(|part| held(100 - part as u64 % 2, 30 + 5 * (part as u64 % 3))).collect();
    assert_eq!(grown(&steady), None);
    let leaking: Vec<_> = (0..PARTS).map(|part| held(100 + 8 * part as u64, 30)).collect();
    assert!(grown(&leaking).unwrap().starts_with("memory grew from "));
    let filling: Vec<_> = (0..PARTS).map(|part| held(100, 30 + 4 * part as u64)).collect();
    assert!(grown(&filling).unwrap().starts_with("files grew from "));
}
