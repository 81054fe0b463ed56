//! Real processes on loopback, three and once two, from what `duoram deploy` has written, and two clients at once: results are those
//! of an array, with parties that are killed at any moment as without.
//!
//! `DUORAM_CRASH_ROUNDS` says how often one is killed (`ci/crash N`).

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use duoram_client::blocking::Memory;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::hosts::{DEADLINE, Hosts, crash_rounds, duoram, load, set};

/// What each client asks for while one party is killed: it takes longer than the party waits for that.
const OPERATIONS: usize = 100;

/// What one of two clients asks for, and what must come out. It alone changes words of its parity in the lower half; the upper half
/// is a ring that both chase through.
pub(crate) struct Customer {
    pub(crate) memory: Memory,
    pub(crate) array: Vec<u64>,
    own: u64,
    random: ChaCha20Rng,
    lean: bool,
}

impl Customer {
    fn new(hosts: &Hosts, (name, own): (&str, u64), array: &[u64], lean: bool) -> Self {
        let random = ChaCha20Rng::from_seed([u8::try_from(own).unwrap(); 32]);
        Self { memory: hosts.memory(name), array: array.to_vec(), own, random, lean }
    }

    fn own_place(&mut self) -> u64 {
        let pairs = self.array.len() as u64 / 4;
        2 * (self.random.next_u64() % pairs) + self.own
    }

    fn word(&mut self, address: u64) -> &mut u64 {
        &mut self.array[usize::try_from(address).unwrap()]
    }

    /// So many operations, of all kinds.
    fn work(&mut self, operations: usize) {
        for _ in 0..operations {
            let (address, value) = (self.own_place(), self.random.next_u64());
            let before = *self.word(address);
            match self.random.next_u32() % 8 {
                0 => {
                    self.memory.write(address, value).unwrap();
                    *self.word(address) = value;
                }
                1 => {
                    assert_eq!(self.memory.swap(address, value).unwrap(), before, "swap {address}");
                    *self.word(address) = value;
                }
                2 | 3 => {
                    self.memory.update(address, value).unwrap();
                    *self.word(address) = if self.lean { before ^ value } else { before.wrapping_add(value) };
                }
                4 => {
                    let size = self.array.len() as u64;
                    let (start, steps) = (size / 2 + value % (size / 2), 1 + value % 3);
                    let end = (0..steps).fold(start, |place, _| *self.word(place));
                    assert_eq!(self.memory.chase(start, steps).unwrap(), end, "chase {start} {steps}");
                }
                5 => {
                    let places = [address, self.own_place(), address];
                    let expected = places.map(|place| *self.word(place));
                    assert_eq!(self.memory.read_all(&places).unwrap(), expected, "read {places:?}");
                }
                _ => assert_eq!(self.memory.read(address).unwrap(), before, "read {address}"),
            }
        }
    }
}

/// Two clients at once, so many operations each; what their own halves of the array have become.
pub(crate) fn both(customers: &mut [Customer; 2], operations: usize) {
    thread::scope(|scope| {
        for customer in customers {
            scope.spawn(|| customer.work(operations));
        }
    });
}

pub(crate) fn customers(hosts: &Hosts, array: &[u64], lean: bool) -> [Customer; 2] {
    [("a", 0), ("b", 1)].map(|who| Customer::new(hosts, who, array, lean))
}

/// Whether any 8 bytes of a secret are in a text: raw, in hexadecimal digits either way around, or in decimal ones.
fn shows(text: &[u8], secret: u64) -> bool {
    let raw = [secret.to_le_bytes(), secret.to_be_bytes()];
    let written = [format!("{secret}"), format!("{secret:x}"), format!("{:x}", secret.swap_bytes())];
    let lower = text.to_ascii_lowercase();
    let has = |text: &[u8], what: &[u8]| text.windows(what.len()).any(|window| window == what);
    raw.iter().any(|bytes| has(text, bytes)) || written.iter().any(|digits| has(&lower, digits.as_bytes()))
}

/// 1,000 operations on 2^16 words; stopped and started again in between. Nothing that was read or written is in any log, at the most
/// verbose level, nor on any page.
#[test]
fn results_are_those_of_an_array_and_are_in_no_log() {
    let log_size = 16;
    let mut hosts = Hosts::start(log_size, "lean", "trace");
    let array = load(&hosts, log_size);
    hosts.wait_until_ready();
    let mut two = customers(&hosts, &array, true);
    both(&mut two, 250);
    // Keys and shares are in no core dump: there may be none, and the limit cannot be raised.
    #[cfg(target_os = "linux")]
    for party in hosts.parties.iter().flatten() {
        let limits = fs::read_to_string(format!("/proc/{}/limits", party.id())).unwrap();
        let core = limits.lines().find(|line| line.starts_with("Max core file size")).unwrap();
        assert_eq!(core.split_whitespace().filter(|word| *word == "0").count(), 2, "{core}");
    }
    let made = |hosts: &Hosts| hosts.status(2)["items_made"].as_u64().unwrap();
    let before = made(&hosts);
    assert!(before >= 500 / 2, "{before} items for 500 operations");
    hosts.stop();
    hosts.places().for_each(|place| hosts.run(place));
    both(&mut two, 250);
    // What the key has served is not forgotten.
    assert!(made(&hosts) >= before, "{} items made, {before} before", made(&hosts));

    let status = duoram(&["client", "--config", hosts.path("b.toml").to_str().unwrap(), "status"]);
    assert_eq!(status.matches(", loaded, ").count(), 3, "{status}");
    let config = hosts.path("a.toml");
    let printed = duoram(&["client", "--config", config.to_str().unwrap(), "read", "0x2"]);
    let word = *two[0].word(2);
    assert_eq!(printed, format!("line 1     read 2  ->  {word} ({word:#x})\n"));

    let mut shown: Vec<u8> = Vec::new();
    for place in hosts.places() {
        shown.extend(hosts.logged(place).bytes());
        for path in ["/metrics", "/status.json", "/", "/livez"] {
            shown.extend(hosts.get(place, path).bytes());
        }
        for key in [format!("p{place}.key"), format!("p{place}.state-key")] {
            let key = fs::read_to_string(hosts.path(&key)).unwrap();
            for line in key.lines().filter(|line| !line.starts_with('-')) {
                let part = &line.as_bytes()[..line.len().min(16)];
                assert!(!shown.windows(part.len()).any(|window| window == part), "a key is shown");
            }
        }
    }
    assert!(shown.len() > 10_000, "{} bytes are not the most verbose", shown.len());
    // Words as they were loaded and as they have become; small ones mean nothing.
    let words = (0..64).map(|place| two[place % 2].array[place]).chain(array[..64].iter().copied());
    for word in words.filter(|word| *word >> 32 != 0) {
        assert!(!shows(&shown, word), "{word:#x} is shown");
    }
    // One that is there is found.
    shown.extend(format!("{:X}", array[1]).bytes());
    assert!(shows(&shown, array[1]));
}

/// kill -9 of any party at any moment, and it is started again: nothing is lost, and nothing is done twice. Of two parties as of three.
#[test]
fn whoever_is_killed_goes_on_where_it_was() {
    let rounds = crash_rounds(3);
    for (protocol, log_size, operations) in
        [("lean", 10, OPERATIONS), ("paper", 8, OPERATIONS), ("two-party", 6, 20)]
    {
        let mut hosts = Hosts::start(log_size, protocol, "info");
        let array = load(&hosts, log_size);
        let mut two = customers(&hosts, &array, protocol == "lean");
        let mut random = ChaCha20Rng::from_seed([9; 32]);
        for round in 0..rounds {
            let what = format!("{protocol}, round {round}");
            one_is_killed(&mut hosts, &mut two, (round, operations), &mut random, &what);
        }
        hosts.wait_until_ready();
        hold(&mut two, protocol);
        hosts.stop();
    }
}

/// One party is killed and started again while both clients have so many operations done: in each round the next of them.
pub(crate) fn one_is_killed(
    hosts: &mut Hosts,
    two: &mut [Customer; 2],
    (round, operations): (usize, usize),
    random: &mut ChaCha20Rng,
    what: &str,
) {
    let after = Duration::from_millis(u64::from(random.next_u32() % 300));
    let place = round % hosts.places().len();
    // At times the others go on alone for a while.
    let alone = Duration::from_millis(u64::from(random.next_u32() % 200));
    hosts.kill_during((place, after), what, || both(two, operations), |_| thread::sleep(alone));
}

/// The lower half of the memory is what both clients have made of it.
pub(crate) fn hold(two: &mut [Customer; 2], what: &str) {
    let size = two[0].array.len() / 2;
    let all: Vec<u64> = (0..size as u64).collect();
    let read = two[0].memory.read_all(&all).unwrap();
    let expected: Vec<u64> = (0..size).map(|place| two[place % 2].array[place]).collect();
    assert!(read == expected, "{what}: other words");
}

/// A party whose disk is full says so, and ends as one that is to be started again. With room it goes on, and all is done once.
#[test]
fn a_full_disk_ends_a_party_and_loses_nothing() {
    let log_size = 8;
    let mut hosts = Hosts::start(log_size, "lean", "info");
    let array = load(&hosts, log_size);
    let mut two = customers(&hosts, &array, true);
    both(&mut two, 10);
    for place in hosts.places() {
        hosts.kill(place);
        let before = hosts.logged(place).len();
        let files = fs::read_dir(hosts.path(&format!("p{place}.state"))).unwrap();
        let longest = files.map(|file| file.unwrap().metadata().unwrap().len()).max().unwrap();
        // Half of its journal is out of reach.
        hosts.run_on_a_full_disk(place, longest / 2 / 512);
        // How much work fills it depends on how many requests become one step: it goes on until that has happened.
        let full = AtomicBool::new(false);
        thread::scope(|scope| {
            let work = scope.spawn(|| {
                let rounds = (0..20).take_while(|_| !full.load(Ordering::Relaxed));
                rounds.for_each(|_| both(&mut two, OPERATIONS));
            });
            assert_eq!(hosts.ended(place), Some(3), "{}", hosts.logged(place));
            full.store(true, Ordering::Relaxed);
            let said = &hosts.logged(place)[before..];
            assert!(said.contains("File too large") && said.contains(&format!("p{place}.state")), "{said}");
            hosts.run(place);
            work.join().unwrap();
        });
    }
    hosts.stop();
}

/// A party for which time jumps: it is stopped for longer than the others wait for a sign of life, and than one client's requests may
/// wait for their turn. Such a request is refused and changes nothing; all else that is asked for in the meantime is done once. What a
/// calendar says is read by nobody (`clippy.toml`).
#[test]
fn a_clock_that_jumps_loses_nothing() {
    let log_size = 6;
    let mut hosts = Hosts::deployed(log_size, "lean", "info");
    for place in hosts.places() {
        set(&hosts, &format!("p{place}"), "[http]", "[timeouts]\nheartbeat_ms = 500\ndead_ms = 2000\n[http]");
    }
    set(&hosts, "b", DEADLINE, "deadline_ms = 500");
    hosts.places().for_each(|place| hosts.run(place));
    let array = load(&hosts, log_size);
    hosts.wait_until_ready();
    let [mut patient, mut hasty] = customers(&hosts, &array, true);
    // Until both parties have answered it, a client sends no request to either.
    hosts.wait_until("the other client has its links", |_| hasty.memory.read(0).is_ok());
    for place in hosts.places() {
        let before: Vec<_> = hosts.places().map(|place| hosts.logged(place).len()).collect();
        let refused = hosts.refused_updates(0);
        thread::scope(|scope| {
            let stopped = hosts.stopped(place);
            let work = scope.spawn(|| patient.work(10));
            // P0 alone refuses what has waited too long, and gives no order for what P1 does not say that it holds.
            let late = (place == 1).then(|| scope.spawn(|| hasty.memory.update(1, 1)));
            for other in hosts.places().filter(|other| *other != place) {
                let words = [&*format!("\"who\":\"P{place}\""), "has taken longer than 2000 ms"];
                hosts.wait_until_logged(other, before[other], &words);
            }
            if late.is_some() {
                hosts.wait_until("an update is refused", |hosts| hosts.refused_updates(0) > refused);
            }
            drop(stopped);
            work.join().unwrap();
            if let Some(late) = late {
                let error = late.join().unwrap().unwrap_err().to_string();
                assert!(error.contains("expired: not done within 500 ms"), "{error}");
            }
        });
    }
    hosts.wait_until_ready();
    hasty.work(10);
    hold(&mut [patient, hasty], "after three jumps");
    hosts.stop();
}

/// P1 with settings or a key that are not the others': both it and P0 say so, and when it is right again all is as it was.
#[test]
fn a_party_that_is_another_is_refused_on_both_sides() {
    let log_size = 6;
    let mut hosts = Hosts::start(log_size, "lean", "info");
    let array = load(&hosts, log_size);
    let (path, key) = (hosts.path("p1.toml"), hosts.path("p1.key"));
    let right = fs::read_to_string(&path).unwrap();
    let session = right.lines().find(|line| line.starts_with("session")).unwrap().to_owned();
    let other_session = format!("session = \"{}\"", "5e".repeat(16));
    for (what, instead, said) in [
        (session.as_str(), other_session.as_str(), "session "),
        ("\"lean\"", "\"paper\"", "protocol "),
        ("log_size = 6", "log_size = 7", "rows "),
    ] {
        let before = [0, 1].map(|place| hosts.logged(place).len());
        hosts.kill(1);
        // A state is of one session, so this one has a state of its own.
        fs::write(&path, right.replace(what, instead).replace("p1.state\"", "other.state\"")).unwrap();
        hosts.run(1);
        for (place, before) in before.into_iter().enumerate() {
            hosts.wait_until_logged(place, before, &["\"reason\":\"expected ", said, ", got "]);
        }
        hosts.kill(1);
        fs::remove_dir_all(hosts.path("other.state")).unwrap();
        fs::write(&path, &right).unwrap();
        hosts.run(1);
    }
    hosts.kill(1);
    fs::rename(&key, hosts.path("right.key")).unwrap();
    duoram(&["keygen", "--out", key.to_str().unwrap()]);
    let before = [0, 1].map(|place| hosts.logged(place).len());
    hosts.run(1);
    hosts.wait_until_logged(0, before[0], &["which is none of those that are pinned for it"]);
    hosts.wait_until_logged(1, before[1], &["does not know this end's key"]);
    hosts.kill(1);
    fs::rename(hosts.path("right.key"), &key).unwrap();
    hosts.run(1);
    both(&mut customers(&hosts, &array, true), 10);
    hosts.stop();
}

/// A party that is told to use what is not there says so, and does not start.
#[test]
fn a_port_or_a_folder_in_use_is_an_error() {
    let mut hosts = Hosts::start(4, "lean", "info");
    let run = |config: &Path| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_duoram"));
        let output = command.args(["party", "--config"]).arg(config).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "to start it again does not help");
        String::from_utf8(output.stderr).unwrap()
    };
    hosts.wait_until_there(0);
    let error = run(&hosts.path("p0.toml"));
    assert!(error.contains("cannot listen on 127.0.0.1:"), "{error}");
    // The same folder, and other ports.
    let text = fs::read_to_string(hosts.path("p0.toml")).unwrap();
    let lines =
        text.lines().map(|line| if line.starts_with("listen") { "listen = \"127.0.0.1:0\"" } else { line });
    let other = lines.collect::<Vec<_>>().join("\n").replacen("127.0.0.1:0", "127.0.0.2:0", 1);
    fs::write(hosts.path("other.toml"), other).unwrap();
    let error = run(&hosts.path("other.toml"));
    assert!(error.contains("p0.state"), "{error}");
    hosts.stop();
}

/// As the book has it: the others know both keys for a while. Two clients are at work all the time.
#[test]
fn a_key_is_changed_without_a_stop() {
    let log_size = 8;
    let mut hosts = Hosts::start(log_size, "lean", "info");
    let array = load(&hosts, log_size);
    let settings = fs::read_to_string(hosts.path("p0.toml")).unwrap();
    let old = settings.split("[peers.P1]").nth(1).unwrap().split("pins = [").nth(1).unwrap();
    let old = old.split('"').nth(1).unwrap();
    let new = duoram(&["keygen", "--out", hosts.path("new.key").to_str().unwrap()]);
    let (one, two) = (format!("[\"{old}\"]"), format!("[\"{old}\", \"{}\"]", new.trim()));
    for client in ["a", "b"] {
        set(&hosts, client, &one, &two);
    }
    let mut clients = customers(&hosts, &array, true);
    let again = |hosts: &mut Hosts, place: usize| {
        hosts.kill(place);
        hosts.run(place);
    };
    thread::scope(|scope| {
        let work = scope.spawn(|| both(&mut clients, 2 * OPERATIONS));
        for place in [0, 2] {
            set(&hosts, &format!("p{place}"), &one, &two);
            again(&mut hosts, place);
        }
        set(&hosts, "p1", "\"p1.key\"", "\"new.key\"");
        again(&mut hosts, 1);
        for place in [0, 2] {
            set(&hosts, &format!("p{place}"), &two, &format!("[\"{}\"]", new.trim()));
            again(&mut hosts, place);
        }
        work.join().unwrap();
    });
    hosts.wait_until_ready();
    hosts.stop();
}

/// A state that is put back from a copy is older than what its party has said: both others refuse it, nothing is done with it, and with the
/// right one all goes on.
#[test]
fn an_old_state_is_refused_and_the_right_one_goes_on() {
    let log_size = 6;
    let mut hosts = Hosts::start(log_size, "lean", "info");
    let array = load(&hosts, log_size);
    let mut two = customers(&hosts, &array, true);
    both(&mut two, 5);
    let (state, right) = (hosts.path("p1.state"), hosts.path("right.state"));
    hosts.stop();
    let copy = Command::new("cp").arg("-a").arg(&state).arg(hosts.path("old.state")).status().unwrap();
    assert!(copy.success());
    hosts.places().for_each(|place| hosts.run(place));
    both(&mut two, 5);
    hosts.stop();
    fs::rename(&state, &right).unwrap();
    fs::rename(hosts.path("old.state"), &state).unwrap();
    let before = [0, 1, 2].map(|place| hosts.logged(place).len());
    hosts.places().for_each(|place| hosts.run(place));
    for place in [0, 2] {
        hosts.wait_until_logged(place, before[place], &["\"peer\":\"P1\"", "the link is taken down"]);
    }
    hosts.kill(1);
    fs::remove_dir_all(&state).unwrap();
    fs::rename(&right, &state).unwrap();
    hosts.run(1);
    both(&mut two, 5);
    hosts.stop();
}
