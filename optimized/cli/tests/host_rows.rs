//! Rows of three words at most of the addresses, on real processes on loopback, from `duoram deploy --rows 61 --row-words 3`: results are those of an array of rows, also with
//! parties that are killed, and whoever has other rows is refused.

use std::fs;
use std::process::Command;
use std::thread;
use std::time::Duration;

use duoram_client::Config;
use duoram_client::blocking::Memory;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde_json::Value;

use crate::hosts::{Hosts, crash_rounds, duoram, load_words, set};
use crate::program;

const LOG_SIZE: u32 = 6;

/// The other three addresses have none.
const ROWS: usize = 61;

type Row = [u64; 3];

/// Parties at work, with a memory that is loaded: of each row the first word is an address.
fn started() -> (Hosts, Vec<Row>) {
    started_with(&[])
}

/// The same with more arguments.
fn started_with(more: &'static [&'static str]) -> (Hosts, Vec<Row>) {
    let mut hosts = Hosts::deployed_of_rows("a,b", (LOG_SIZE, ROWS, 3), "lean", "info");
    hosts.more = more;
    hosts.places().for_each(|place| hosts.run(place));
    let mut random = ChaCha20Rng::from_seed([5; 32]);
    let rows: Vec<Row> = (0..ROWS as u64)
        .map(|place| [(place * 5 + 1) % (1 << LOG_SIZE), random.next_u64(), random.next_u64()])
        .collect();
    assert_eq!(rows.as_flattened().len(), 183);
    load_words(&hosts, rows.as_flattened());
    hosts.wait_until_ready();
    (hosts, rows)
}

/// What `duoram client` says as client a.
fn client(hosts: &Hosts, arguments: &[&str]) -> String {
    let config = hosts.path("a.toml");
    duoram(&[&["client", "--config", config.to_str().unwrap()], arguments].concat())
}

/// Every kind of operation, so many, at random rows of one parity in the lower half; the upper half is never changed.
fn work(memory: &Memory, rows: &mut [Row], (parity, seed): (usize, u8), operations: usize) {
    let mut random = ChaCha20Rng::from_seed([seed; 32]);
    for _ in 0..operations {
        let place = 2 * usize::try_from(random.next_u64() % 14).unwrap() + parity;
        let (address, row) = (place as u64, [(); 3].map(|()| random.next_u64()));
        let before = rows[place];
        match random.next_u32() % 5 {
            0 => {
                memory.write_row(address, &row).unwrap();
                rows[place] = row;
            }
            1 => {
                assert_eq!(memory.swap_row(address, &row).unwrap(), before, "swap {address}");
                rows[place] = row;
            }
            2 => {
                memory.update_rows(&[(address, row), (address, [1, 0, 1])]).unwrap();
                rows[place] = [before[0] ^ row[0] ^ 1, before[1] ^ row[1], before[2] ^ row[2] ^ 1];
            }
            3 => {
                let start = 1 << LOG_SIZE >> 1;
                // 5 p + 1 leads from the upper half to the lower one soon, so this is one step.
                assert_eq!(memory.chase_row(start + address, 1).unwrap(), rows[place + (1 << LOG_SIZE >> 1)]);
            }
            _ => assert_eq!(memory.read_rows(&[address, address]).unwrap(), [before; 2], "read {address}"),
        }
    }
}

/// kill -9 of any party at any moment, and it is started again, while two clients are at work: nothing is lost, nothing is done twice.
#[test]
fn rows_are_those_of_an_array_whoever_is_killed() {
    let (mut hosts, rows) = started();
    let mut two = [("a", 0), ("b", 1)].map(|(name, parity)| (hosts.memory(name), rows.clone(), parity));
    let mut random = ChaCha20Rng::from_seed([8; 32]);
    for round in 0..crash_rounds(4) {
        let seed = u8::try_from(2 * round + 1).unwrap();
        let both = || {
            thread::scope(|scope| {
                for (memory, rows, parity) in &mut two {
                    scope.spawn(move || work(memory, rows, (*parity, seed), 40));
                }
            });
        };
        let [after, alone] =
            [300, 200].map(|most| Duration::from_millis(u64::from(random.next_u32() % most)));
        hosts.kill_during((round % 3, after), &format!("round {round}"), both, |_| thread::sleep(alone));
    }
    hosts.wait_until_ready();
    // All of them stop and start again, too: what they have on disk is the rows.
    hosts.stop();
    hosts.places().for_each(|place| hosts.run(place));
    let all: Vec<u64> = (0..ROWS as u64).collect();
    let expected: Vec<Row> = (0..rows.len())
        .map(|place| if place < rows.len() / 2 { two[place % 2].1[place] } else { rows[place] })
        .collect();
    assert_eq!(two[0].0.read_rows(&all).unwrap(), expected);
    hosts.stop();
}

/// Parties of several workers, of which one has nothing: each keeps whole rows, and finds them again when all are killed.
#[test]
fn workers_keep_ranges_of_rows() {
    let (mut hosts, mut rows) = started_with(&["--shares", "5,0,2"]);
    let memory = hosts.memory("a");
    for round in 0..2 {
        work(&memory, &mut rows, (0, 101 + round), 20);
        for place in hosts.places() {
            hosts.kill(place);
        }
        hosts.places().for_each(|place| hosts.run(place));
    }
    let all: Vec<u64> = (0..ROWS as u64).collect();
    assert_eq!(memory.read_rows(&all).unwrap(), rows);
    hosts.stop();
}

/// Each verb, a script, and both with `--json`, as `duoram run` has them.
#[test]
fn the_client_reads_and_puts_in_rows() {
    let (mut hosts, rows) = started();
    let shown = |[a, b, c]: Row| format!("{a} {b} {c} ({a:#x} {b:#x} {c:#x})");
    assert_eq!(client(&hosts, &["read", "3"]), format!("line 1     read 3  ->  {}\n", shown(rows[3])));
    assert_eq!(client(&hosts, &["write", "3", "4", "-1", "0x10"]), "line 1     write 3 4 -1 16  done\n");
    assert_eq!(client(&hosts, &["update", "3", "1", "0", "1"]), "line 1     update 3 1 0 1  done\n");
    let swapped = client(&hosts, &["swap", "3", "7", "8", "9"]);
    assert_eq!(swapped, format!("line 1     swap 3 7 8 9  ->  {}\n", shown([5, u64::MAX, 17])));
    assert_eq!(
        client(&hosts, &["chase", "3", "2"]),
        format!("line 1     chase 3 2  ->  {}\n", shown(rows[7]))
    );

    let script = hosts.path("ops");
    fs::write(&script, "read 3\nupdate 3 1 1 1\nread 3\n").unwrap();
    let report: Value =
        serde_json::from_str(&client(&hosts, &["--json", "run", script.to_str().unwrap()])).unwrap();
    let sizes = ["row_words", "rows", "log_size"].map(|field| report[field].as_u64().unwrap());
    assert_eq!(sizes, [3, 61, 6]);
    assert_eq!(program::results(&report), [Some(vec![7, 8, 9]), None, Some(vec![6, 9, 8])]);
    assert_eq!(client(&hosts, &["status"]).matches(": ready, loaded").count(), 3);
    let page = hosts.get(0, "/status.json");
    assert!(page.contains("\"rows\":61,\"row_words\":3"), "{page}");

    let refused = |arguments: &[&str]| {
        let config = hosts.path("a.toml");
        program::fail(2, &[&["client", "--config", config.to_str().unwrap()], arguments].concat())
    };
    for put in [&["write", "3", "1"][..], &["update", "3", "1"], &["swap", "3", "1"]] {
        let error = refused(put);
        assert_eq!(
            error,
            "error: expected 3 words at an address (row_words in the parties' settings), got 1\n"
        );
    }
    fs::write(&script, "write 3 1\n").unwrap();
    let error = refused(&["run", script.to_str().unwrap()]);
    assert!(
        error.contains("line 1: expected 'write I VALUE' with 3 numbers after I, the words of a row"),
        "{error}"
    );
    let error = refused(&["read", "61"]);
    assert!(
        error.contains("expected an address below 61 (the words or rows of the memory), got 61"),
        "{error}"
    );
    fs::write(&script, [0; 16]).unwrap();
    let error = refused(&["load", script.to_str().unwrap()]);
    assert!(error.contains("24"), "{error}");
    fs::write(&script, [0; 24 * 62]).unwrap();
    let error = refused(&["load", script.to_str().unwrap()]);
    assert!(error.contains("at most 183 words"), "{error}");
    hosts.stop();
}

/// P1 with rows of two words: both it and P0 say what they expected and what they got; on a state of rows of three it does not start; and a
/// client that expects other rows is told so.
#[test]
fn whoever_has_other_rows_is_refused() {
    let (mut hosts, rows) = started();
    let before = [0, 1].map(|place| hosts.logged(place).len());
    hosts.kill(1);
    set(&hosts, "p1", "row_words = 3", "row_words = 2");
    hosts.run(1);
    assert!(hosts.ended(1).is_some_and(|code| code != 0));
    let said = &hosts.logged(1)[before[1]..];
    assert!(said.contains("saved with 3 words a row, this has 2"), "{said}");
    set(&hosts, "p1", "p1.state\"", "other.state\"");
    hosts.run(1);
    hosts.wait_until_logged(0, before[0], &["\"reason\":\"expected row_words 3, got 2\""]);
    hosts.wait_until_logged(1, before[1], &["\"reason\":\"expected row_words 2, got 3\""]);
    hosts.kill(1);
    set(&hosts, "p1", "other.state\"", "p1.state\"");
    set(&hosts, "p1", "row_words = 2", "row_words = 3");
    hosts.run(1);
    hosts.wait_until_ready();

    set(&hosts, "b", "rows = 61", "rows = 60");
    let error = Memory::open(&Config::open(&hosts.path("b.toml")).unwrap()).err().unwrap().to_string();
    assert!(error.ends_with(": expected rows 60, got 61"), "{error}");
    set(&hosts, "b", "rows = 60", "rows = 61");
    set(&hosts, "b", "row_words = 3\n", "");
    let error = Memory::open(&Config::open(&hosts.path("b.toml")).unwrap()).err().unwrap().to_string();
    assert!(error.ends_with(": expected row_words 1, got 3"), "{error}");
    assert_eq!(hosts.memory("a").read_rows(&[9]).unwrap(), [rows[9]]);
    hosts.stop();
}

/// Rows where there are none, or too long ones for so many, are refused before anything is written.
#[test]
fn deploy_refuses_rows_that_no_party_takes() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("d");
    let refused = |more: &[&str]| {
        let deploy = ["deploy", "--hosts", "a,b,c", "--out", out.to_str().unwrap()];
        let error = program::fail(2, &[&deploy[..], more].concat());
        assert!(!out.exists(), "{more:?}");
        error
    };
    let error = refused(&["--log-size", "4", "--protocol", "paper", "--row-words", "3"]);
    assert_eq!(error, "error: --row-words: expected 1 with --protocol paper, got 3\n");
    let error = refused(&["--log-size", "40", "--row-words", "257"]);
    assert_eq!(error, "error: --row-words: a row has from 1 to 256 words, got 257\n");
    let error = refused(&["--log-size", "4", "--rows", "8"]);
    assert_eq!(error, "error: --rows: with addresses of 4 bits a memory has from 9 to 16 rows, got 8\n");
    let error = refused(&["--log-size", "4", "--rows", "9", "--protocol", "two-party"]);
    let expected =
        "error: --rows: addresses without words are of the lean protocol: this one has 16 words, got 9\n";
    assert_eq!(error, expected);
    let deploy =
        ["deploy", "--hosts", "a,b,c", "--out", out.to_str().unwrap(), "--log-size", "4", "--row-words", "1"];
    assert!(duoram(&deploy).contains("a memory of 2^4 words, protocol lean"));
    assert!(!fs::read_to_string(out.join("p0.toml")).unwrap().contains("row"));
    let checked = Command::new(env!("CARGO_BIN_EXE_duoram"))
        .args(["party", "--check-config", "--config"])
        .arg(out.join("p0.toml"))
        .output()
        .unwrap();
    assert!(checked.status.success(), "{checked:?}");
}
