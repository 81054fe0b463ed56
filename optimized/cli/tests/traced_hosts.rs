//! Three real processes on loopback that are killed again and again, and what they have then left on their disks, as a trace for the
//! model in `proofs/tla`: `ci/crash --traces N`.
//!
//! The plan in the trace is what P0 has ordered, by its journal; each party's part is its own journal, done again by the same party.
//! Journals are whole since no party lives to its next snapshot: they make fewer items than that takes, and are never stopped but killed.

use std::cell::RefCell;
use std::fs;
use std::thread;
use std::time::Duration;

use duoram_host::config::Config;
use duoram_host::journal::{self, Journal};
use duoram_host::process::engine_settings;
use duoram_kernel::{Backend, Features, Workers};
use duoram_reference::Paper;
use duoram_reference::lean::Lean;
use duoram_runtime::fast::Fast;
use duoram_runtime::protocol::Runs;
use duoram_runtime::store::{Owner, StoreKey};
use duoram_simulation::protocol::Protocol;
use duoram_simulation::trace::{self, Parties};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde_json::Value;

use crate::hosts::{Hosts, crash_rounds, load, set};
use crate::three_hosts::{Customer, both, customers, hold};

/// What each client asks for while one party is killed: few, since the model takes longer for each line the more there are.
const OPERATIONS: usize = 4;

/// A small stock, so that items are made all the time.
const STOCK: &str = "[stock]\n\
                     low = { reads = 4, updates = 4 }\n\
                     high = { reads = 6, updates = 6 }\n\
                     batch = { reads = 3, updates = 3 }\n\n\
                     [http]";

#[test]
fn what_killed_parties_have_left_is_a_trace() {
    let rounds = crash_rounds(4);
    for protocol in Protocol::OF_THREE {
        let (name, log_size) = (protocol.name(), 3);
        let mut hosts = Hosts::deployed(log_size, name, "info");
        set(&hosts, "p0", "[http]", STOCK);
        hosts.places().for_each(|place| hosts.run(place));
        let array = load(&hosts, log_size);
        let mut two = customers(&hosts, &array, protocol == Protocol::Lean);
        let mut random = ChaCha20Rng::from_seed([11; 32]);
        let mut crashes: [Vec<usize>; 3] = Default::default();
        for _ in 0..rounds {
            let (place, records) = one_is_killed(&mut hosts, &mut two, &mut random);
            crashes[place].push(records);
        }
        hold(&mut two, name);
        let text = trace_of(&mut hosts, protocol, crashes);

        let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let count = |event: &str| lines.iter().filter(|line| line["event"] == event).count();
        let steps = lines[0]["steps"].as_array().unwrap();
        assert_eq!([count("begin"), count("apply")], [3 * steps.len(); 2], "{name}: all have done all steps");
        assert_eq!([count("crash"), count("restart")], [rounds; 2], "{name}");
        let queries =
            |step: &&Value| ["load", "connect", "preprocess"].iter().all(|other| step["step"] != *other);
        assert!(steps.iter().filter(queries).count() > rounds, "{name}: {steps:?}");
        println!(
            "{name}: {rounds} kills, {} steps, {} lines, {} messages sent again",
            steps.len(),
            lines.len(),
            count("send") - count("receive")
        );
        if let Some(folder) = std::env::var_os("DUORAM_TRACES") {
            fs::write(std::path::Path::new(&folder).join(format!("{name}.ndjson")), text).unwrap();
        }
    }
}

/// While both clients have something done, one party is killed and started again: which, and how many records its disk had.
fn one_is_killed(hosts: &mut Hosts, two: &mut [Customer; 2], random: &mut ChaCha20Rng) -> (usize, usize) {
    let after = Duration::from_millis(u64::from(random.next_u32() % 20));
    let place = random.next_u32() as usize % hosts.places().len();
    let records = |hosts: &Hosts| left(hosts, place).1.records.len();
    (place, hosts.kill_during((place, after), "traced", || both(two, OPERATIONS), records))
}

/// Kills all parties when they have nothing more to do, and merges what they have left.
fn trace_of(hosts: &mut Hosts, protocol: Protocol, crashes: [Vec<usize>; 3]) -> String {
    // Every party has published its state since, and all are of the same orders.
    let before = RefCell::new(Value::Null);
    hosts.wait_until("nothing is under way", |hosts| {
        let orders: Value = hosts.places().map(|place| hosts.status(place)["orders"].clone()).collect();
        let is_quiet = |place| {
            let status = hosts.status(place);
            let nothing = serde_json::json!({"reads": 0, "updates": 0});
            let sent = |link: &Value| link["unacknowledged_bytes"] == 0;
            status["orders"] == orders[0]
                && status["making"] == nothing
                && status["under_way"] == serde_json::json!([false, false])
                && status["links"].as_array().unwrap().iter().all(sent)
        };
        let quiet = hosts.places().all(is_quiet);
        let is_same = before.replace(orders.clone()) == orders;
        thread::sleep(Duration::from_millis(300));
        quiet && is_same
    });
    hosts.places().for_each(|place| hosts.kill(place));
    let all: Vec<(Config, Journal)> = hosts.places().map(|place| left(hosts, place)).collect();
    let settings = engine_settings(&all[0].0).unwrap();
    let parameters = settings.parameters;
    let party = |role| {
        let fast = Fast::new(Backend::best(&Features::detect()), Workers::one(), 1 << 20);
        // The seed is in the state that is put back.
        let party = match protocol {
            Protocol::Lean => <Lean as Runs<Fast>>::lasting(role, parameters, [0; 32], fast),
            _ => <Paper as Runs<Fast>>::lasting(role, parameters, [0; 32], fast),
        };
        party.unwrap()
    };
    let parties = Parties { protocol, parameters, limits: settings.limits, party: &party };
    let plan = &all[0].1.schedule;
    let journals = all.iter().zip(crashes).map(|((_, journal), crashes)| {
        assert_eq!(journal.lsn, 0, "a snapshot has taken the journal's place");
        trace::Journal {
            began: Some(journal.state.to_vec()),
            records: journal.records.iter().map(|record| record.to_vec()).collect(),
            crashes,
        }
    });
    trace::text(&parties, plan, &journals.collect::<Vec<_>>())
}

/// What a party that was killed has on its disk. A copy is looked at: the party itself must find what it has left.
fn left(hosts: &Hosts, place: usize) -> (Config, Journal) {
    let config = Config::open(&hosts.path(&format!("p{place}.toml"))).unwrap();
    let copy = tempfile::tempdir().unwrap();
    for file in fs::read_dir(&config.state.folder).unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), copy.path().join(file.file_name())).unwrap();
    }
    let key = StoreKey::read(&config.state.key).unwrap();
    let journal = journal::read(copy.path(), &key, &Owner::party(config.session, config.role)).unwrap();
    (config, journal)
}
