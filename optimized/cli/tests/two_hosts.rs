//! Two real processes on loopback, without a third: every command, a party that is away, and one of another protocol. That nothing is lost or
//! done twice, whoever is killed, is in `three_hosts`, for all protocols.

use std::fs;
use std::process::Command;

use serde_json::Value;

use crate::hosts::{Hosts, duoram, free_ports, load};
use crate::three_hosts::{both, customers};

/// What a third would be called in the settings of one of two.
const THIRD: &str = "pins = [\"3333333333333333333333333333333333333333333333333333333333333333\"]\n";

fn client(hosts: &Hosts, arguments: &[&str]) -> String {
    let config = hosts.path("a.toml");
    duoram(&[&["client", "--config", config.to_str().unwrap()], arguments].concat())
}

/// Of a party's page.
fn status(hosts: &Hosts, place: usize) -> Value {
    let answer = hosts.get(place, "/status.json");
    serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap()
}

#[test]
fn every_command_works_with_two_processes() {
    let mut hosts = Hosts::start(10, "two-party", "info");
    let file = hosts.path("memory.bin");
    let words: Vec<u8> = (0..1000_u64).flat_map(|word| (3 * word + 1).to_le_bytes()).collect();
    fs::write(&file, words).unwrap();
    let loaded = client(&hosts, &["load", file.to_str().unwrap()]);
    assert!(loaded.ends_with("1000 words, 1024 in all\n"), "{loaded}");
    assert_eq!(client(&hosts, &["read", "7"]), "line 1     read 7  ->  22 (0x16)\n");
    assert_eq!(client(&hosts, &["update", "7", "-2"]), "line 1     update 7 -2  done\n");
    assert_eq!(client(&hosts, &["swap", "7", "0x3e8"]), "line 1     swap 7 1000  ->  20 (0x14)\n");
    assert_eq!(client(&hosts, &["read", "7"]), "line 1     read 7  ->  1000 (0x3e8)\n");
    assert_eq!(client(&hosts, &["write", "1000", "5"]), "line 1     write 1000 5  done\n");
    // 7 -> 1000 -> 5 -> 16
    assert_eq!(client(&hosts, &["chase", "7", "3"]), "line 1     chase 7 3  ->  16 (0x10)\n");
    let script = hosts.path("some.ops");
    fs::write(&script, "read 5\nupdate 5 4\nread 5\n").unwrap();
    let report: Value =
        serde_json::from_str(&client(&hosts, &["--json", "run", script.to_str().unwrap()])).unwrap();
    assert_eq!(report["protocol"], "two-party");
    let results: Vec<_> =
        report["operations"].as_array().unwrap().iter().map(|done| &done["result"]).collect();
    assert_eq!(results, [&Value::from("0x10"), &Value::Null, &Value::from("0x14")]);

    hosts.wait_until_ready();
    let said = client(&hosts, &["status"]);
    let lines: Vec<_> = said.lines().collect();
    assert!(
        lines.len() == 2 && lines[0].starts_with("P0: ready, ") && lines[1].starts_with("P1: ready, "),
        "{said}"
    );
    for place in hosts.places() {
        let status = status(&hosts, place);
        assert_eq!(
            (&status["about"]["protocol"], &status["status"]["ready"]),
            (&"two-party".into(), &true.into())
        );
        let links = status["status"]["links"].as_array().unwrap();
        let other = format!("P{}", 1 - place);
        assert_eq!((links.len(), &links[0]["peer"]), (1, &Value::from(other.as_str())));
        let metrics = hosts.get(place, "/metrics");
        assert!(metrics.contains(&format!("duoram_link_up{{peer=\"{other}\"}} 1")), "{metrics}");
        assert!(!metrics.contains("P2"), "{metrics}");
    }
    hosts.stop();
}

/// Without the other one nothing is done, and nobody is told that it was; when it is back, all of it is done once.
#[test]
fn what_is_asked_while_one_is_away_is_done_when_it_is_back() {
    let log_size = 6;
    let mut hosts = Hosts::start(log_size, "two-party", "info");
    let array = load(&hosts, log_size);
    let mut two = customers(&hosts, &array, false);
    both(&mut two, 5);
    for place in hosts.places() {
        hosts.kill(place);
        let other = 1 - place;
        let said = client(&hosts, &["status"]);
        assert!(said.contains(&format!("P{other}: waits for a link, loaded")), "{said}");
        assert!(said.lines().nth(place).unwrap().starts_with(&format!("P{place}: ")), "{said}");
        let memory = two[0].memory.clone();
        let (address, before) = (0, two[0].array[0]);
        let asked = std::thread::spawn(move || memory.update(address, 1));
        hosts.run(place);
        asked.join().unwrap().unwrap();
        assert_eq!(two[0].memory.read(address).unwrap(), before.wrapping_add(1));
        two[0].array[0] = before.wrapping_add(1);
        both(&mut two, 5);
    }
    hosts.stop();
}

/// A party that speaks another protocol is refused by the other one, and refuses it; a client that expects another one goes away. When
/// all is right again, all goes on.
#[test]
fn a_party_of_another_protocol_is_refused_on_both_sides() {
    let log_size = 4;
    let mut hosts = Hosts::start(log_size, "two-party", "info");
    let array = load(&hosts, log_size);
    let path = hosts.path("p1.toml");
    let right = fs::read_to_string(&path).unwrap();
    let lean = right.replace("\"two-party\"", "\"lean\"").replace("p1.state\"", "other.state\"");
    // Of two hosts none can be of three by a word alone.
    fs::write(hosts.path("other.toml"), &lean).unwrap();
    let check = |name: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_duoram"));
        let output =
            command.args(["party", "--check-config", "--config"]).arg(hosts.path(name)).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, error) = check("other.toml");
    assert!(
        code == Some(2) && error.ends_with("other.toml: peers.P2: expected a table, got none\n"),
        "{error}"
    );
    fs::write(hosts.path("other.toml"), format!("{right}\n[peers.P2]\n{THIRD}")).unwrap();
    let (code, error) = check("other.toml");
    let expected = "other.toml: peers: expected P0, for role is P1 and protocol is two-party, got P2\n";
    assert!(code == Some(2) && error.ends_with(expected), "{error}");

    let before = hosts.places().map(|place| hosts.logged(place).len()).collect::<Vec<_>>();
    hosts.kill(1);
    fs::write(&path, format!("{lean}\n[peers.P2]\n{THIRD}")).unwrap();
    hosts.run(1);
    hosts.wait_until_logged(0, before[0], &["\"reason\":\"expected protocol two-party, got lean\""]);
    hosts.wait_until_logged(1, before[1], &["\"reason\":\"expected protocol lean, got two-party\""]);
    hosts.kill(1);
    fs::write(&path, &right).unwrap();
    hosts.run(1);

    let settings = fs::read_to_string(hosts.path("a.toml")).unwrap();
    let [port] = free_ports(1)[..] else { panic!() };
    let third = format!("\n[parties.P2]\naddress = \"127.0.0.1:{port}\"\n{THIRD}");
    let other = settings.replace("\"two-party\"", "\"paper\"") + &third;
    fs::write(hosts.path("other.toml"), other).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_duoram"));
    command.args(["client", "--config"]).arg(hosts.path("other.toml"));
    let output = command.args(["read", "1"]).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.ends_with("expected protocol paper, got two-party\n"), "{error}");
    both(&mut customers(&hosts, &array, false), 5);
    hosts.stop();
}
