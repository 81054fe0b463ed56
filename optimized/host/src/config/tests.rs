//! A configuration that is right, and each way in which one can be wrong.

use std::fs;

use super::*;

const PIN: [&str; 4] = [
    "1111111111111111111111111111111111111111111111111111111111111111",
    "2222222222222222222222222222222222222222222222222222222222222222",
    "3333333333333333333333333333333333333333333333333333333333333333",
    "4444444444444444444444444444444444444444444444444444444444444444",
];

fn right() -> String {
    let [p0, p2, client, _] = PIN;
    format!(
        r#"protocol = "lean"
role = "P1"
session = "000102030405060708090a0b0c0d0e0f"
log_size = 16
listen = "127.0.0.1:7101"
key = "p1.key"
[peers.P0]
address = "127.0.0.1:7100"
pins = ["{p0}"]
[peers.P2]
pins = ["{p2}"]
[[clients]]
name = "c"
pins = ["{client}"]
rights = ["read", "update", "load"]
[state]
folder = "p1.state"
key = "/elsewhere/p1.state-key"
"#
    )
}

fn opened(text: &str) -> Result<Config, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("p1.toml");
    fs::write(&path, text).unwrap();
    let shown = format!("{}/", folder.path().display());
    let config = Config::open(&path).map_err(|error| error.to_string().replace(&shown, ""))?;
    assert_eq!(config.key, folder.path().join("p1.key"), "beside the file");
    Ok(config)
}

#[test]
fn what_is_left_out_has_a_default() {
    let config = opened(&right()).unwrap();
    assert_eq!(config.role, Role::P1);
    assert_eq!((config.parameters().unwrap().size(), config.parameters().unwrap().row_words()), (1 << 16, 1));
    assert_eq!(config.state.key, Path::new("/elsewhere/p1.state-key"), "not beside the file");
    let peers: Vec<_> = config.peers().map(|(role, peer)| (role, peer.address.is_some())).collect();
    assert_eq!(peers, [(Role::P0, true), (Role::P2, false)]);
    assert_eq!(config.clients[0].rights, Rights::READ.and(Rights::UPDATE).and(Rights::LOAD));
    let both = |items| Items { reads: items, updates: items };
    let stock = |log_size: &str| opened(&right().replace("log_size = 16", log_size)).unwrap().stock();
    assert_eq!(config.stock(), Stock { low: both(256), high: both(1024), batch: both(128) });
    // Of a large memory there are fewer, so that they have room.
    assert_eq!(stock("log_size = 18"), config.stock());
    assert_eq!(stock("log_size = 20"), Stock { low: both(64), high: both(256), batch: both(32) });
    assert_eq!(stock("log_size = 40"), Stock { low: both(4), high: both(16), batch: both(2) });
    assert_eq!(config.timeouts.dead(), Duration::from_secs(30));
    assert_eq!(config.limits.requests_per_client, 64);
    assert_eq!(config.http.listen.to_string(), "127.0.0.1:8100");
    assert_eq!(config.compute.backend, BackendSetting(None));
    assert!(config.compute.threads > 0);
}

#[test]
fn each_value_can_be_set() {
    let more = "[stock]\nlow = { reads = 1, updates = 2 }\nhigh = { reads = 3, updates = 9 }\n\
                [timeouts]\nheartbeat_ms = 7\n[limits]\noutbound_bytes = 2000000\n[http]\nlisten = \"[::1]:9\"\n\
                [compute]\nbackend = \"portable\"\nthreads = 3\n\
                [local]\nsocket = \"/run/d.socket\"\nclient = \"l\"\nrights = [\"read\"]\n";
    let rows = right().replace("log_size = 16", "log_size = 16\nrow_words = 3");
    let config = opened(&(rows + more)).unwrap();
    assert_eq!((config.parameters().unwrap().size(), config.parameters().unwrap().row_words()), (1 << 16, 3));
    let [low, high] = [(1, 2), (3, 9)].map(|(reads, updates)| Items { reads, updates });
    assert_eq!(config.stock(), Stock { low, high, batch: Items { reads: 1, updates: 2 } });
    assert_eq!((config.timeouts.heartbeat_ms, config.timeouts.connect_ms), (7, 5_000));
    assert_eq!(config.compute.backend, BackendSetting(Some(BackendName::Portable)));
    let local = config.local.unwrap();
    assert_eq!((local.socket.as_path(), local.client.as_str()), (Path::new("/run/d.socket"), "l"));
    assert_eq!(local.rights, Rights::READ);
    assert_eq!((config.compute.threads, config.limits.outbound_bytes), (3, 2_000_000));
}

/// What is put in place of what, and the error.
#[test]
#[allow(clippy::too_many_lines, reason = "one table")]
fn whatever_is_wrong_is_named_with_what_was_expected() {
    let [p0, p2, client, other] = PIN;
    let two = format!("pins = [\"{client}\", \"{client}\"]");
    let three = format!("pins = [\"{client}\", \"{other}\", \"{p0}\"]");
    let again = format!("[[clients]]\nname = \"c\"\npins = [\"{other}\"]\n[state]");
    let theirs = format!("pins = [\"{p2}\"]");
    let client_pins = format!("pins = [\"{client}\"]");
    let cases: &[(&str, &str, &str)] = &[
        (
            "\"lean\"",
            "\"Lean\"",
            "p1.toml, line 1: protocol: expected \"lean\", \"paper\" or \"two-party\", got \"Lean\"",
        ),
        ("\"P1\"", "\"P3\"", "p1.toml, line 2: role: expected \"P0\", \"P1\" or \"P2\", got \"P3\""),
        (
            "0e0f",
            "0e0",
            "p1.toml, line 3: session: expected 32 hexadecimal digits, got \"000102030405060708090a0b0c0d0e0\"",
        ),
        ("16", "41", "p1.toml: log_size: expected 1 to 40, got 41"),
        ("= 16", "= 16\nrow_words = 0", "p1.toml: row_words: expected 1 to 512, got 0"),
        ("= 16", "= 40\nrow_words = 257", "p1.toml: row_words: expected 1 to 256, got 257"),
        (
            "\"lean\"",
            "\"paper\"\nrow_words = 2",
            "p1.toml: row_words: expected 1, for protocol is paper, got 2",
        ),
        ("16", "-1", "p1.toml, line 4: log_size: invalid value: integer `-1`, expected u32"),
        (
            "\"127.0.0.1:7101\"",
            "\"localhost\"",
            "p1.toml, line 5: listen: expected an address and a port, such as \"127.0.0.1:7100\" or \"[::]:7100\", got \"localhost\"",
        ),
        (
            "\"127.0.0.1:7100\"",
            "\"p0\"",
            "p1.toml, line 8: peers.P0.address: expected a host and a port, such as \"p0.example.org:7100\" or \"127.0.0.1:7100\", got \"p0\"",
        ),
        (
            "address = \"127.0.0.1:7100\"\n",
            "",
            "p1.toml: peers.P0.address: expected where P1 calls P0, got nothing",
        ),
        (
            "[peers.P2]",
            "[peers.P1]",
            "p1.toml: peers: expected P0 and P2, for role is P1 and protocol is lean, got P1",
        ),
        (
            "[peers.P2]",
            "[peers.P3]",
            "p1.toml, line 10: peers.P3: unknown field `P3`, expected one of `P0`, `P1`, `P2`",
        ),
        ("listen", "lisen", "p1.toml, line 5: lisen: unknown field `lisen`, expected one of"),
        ("key = \"p1.key\"\n", "", "p1.toml, line 1: protocol: missing field `key`"),
        (
            &client_pins,
            "pins = []",
            "p1.toml: clients.pins of c: expected one pin, or two while a key is changed, got 0",
        ),
        (&client_pins, &two, "p1.toml: clients.pins of c: expected two different pins, got 33"),
        (
            &client_pins,
            &three,
            "p1.toml: clients.pins of c: expected one pin, or two while a key is changed, got 3",
        ),
        (
            &client_pins,
            &theirs,
            "p1.toml: pins: expected a key for each peer and client, got 2222222222222222222222222222222222222222222222222222222222222222 of P2 and of client c",
        ),
        (
            &client_pins,
            "pins = [\"33\"]",
            "p1.toml, line 14: clients.pins: expected a pin: the 64 hexadecimal digits that duoram keygen has printed, got \"33\"",
        ),
        (
            "name = \"c\"",
            "name = \"c d\"",
            "p1.toml, line 13: clients.name: expected 1 to 64 letters, digits, - _ or ., got \"c d\"",
        ),
        (
            "name = \"c\"",
            "name = \"\"",
            "p1.toml, line 13: clients.name: expected 1 to 64 letters, digits, - _ or ., got \"\"",
        ),
        ("[state]", &again, "p1.toml: clients.name: expected names that differ, got c twice"),
        (
            "\"load\"",
            "\"loud\"",
            "p1.toml, line 15: clients.rights: expected \"read\", \"update\" or \"load\", got \"loud\"",
        ),
        (
            "[state]",
            "[stock]\nlow = { reads = 2000, updates = 1 }\n[state]",
            "p1.toml: stock.low.reads: expected at most stock.high.reads, which is 1024, got 2000",
        ),
        (
            "[state]",
            "[stock]\nbatch = { reads = 1, updates = 0 }\n[state]",
            "p1.toml: stock.batch.updates: expected 1 to 1048576, got 0",
        ),
        (
            "[state]",
            "[stock]\nlow = { reads = 1 }\n[state]",
            "p1.toml, line 17: stock.low: missing field `updates`",
        ),
        (
            "[state]",
            "[timeouts]\ndead_ms = 5000\n[state]",
            "p1.toml: timeouts.dead_ms: expected at least 5001, got 5000",
        ),
        (
            "[state]",
            "[timeouts]\nconnect_ms = 0\n[state]",
            "p1.toml: timeouts.connect_ms: expected 1 to 3600000, got 0",
        ),
        (
            "[state]",
            "[limits]\noutbound_bytes = 1\n[state]",
            "p1.toml: limits.outbound_bytes: expected at least 1048576, got 1",
        ),
        (
            "[state]",
            "[limits]\nrequests_per_client = 0\n[state]",
            "p1.toml: limits.requests_per_client: expected 1 to 1024, got 0",
        ),
        ("[state]", "[state]\njournal_bytes = 0", "p1.toml: state.journal_bytes: expected at least 1, got 0"),
        (
            "[state]",
            "[http]\nlisten = \"127.0.0.1:7101\"\n[state]",
            "p1.toml: http.listen: expected another port than listen has, got 127.0.0.1:7101",
        ),
        (
            "[state]",
            "[compute]\nbackend = \"gpu\"\n[state]",
            "p1.toml, line 17: compute.backend: expected \"auto\", \"vaes512\", \"vaes256\", \"aesni\" or \"portable\", got \"gpu\"",
        ),
        ("[state]", "[compute]\nthreads = 0\n[state]", "p1.toml: compute.threads: expected 1 to 1024, got 0"),
    ];
    for (what, instead, expected) in cases {
        let text = right();
        assert!(text.contains(what), "{what}");
        let error = opened(&text.replacen(what, instead, 1)).unwrap_err();
        assert!(error.starts_with(expected), "{instead}:\n  got      {error}\n  expected {expected}");
    }
    let helper = right().replace("\"P1\"", "\"P2\"").replace("[peers.P2]", "[peers.P1]\naddress = \"b:1\"");
    assert_eq!(
        opened(&helper).unwrap_err(),
        "p1.toml: clients.rights of c: expected none, for P2 hears of the status only, got some"
    );
    opened(&helper.replace("rights = [\"read\", \"update\", \"load\"]", "")).unwrap();
}

/// Two parties have each other, and nobody else: neither a third as a peer, nor its role.
#[test]
fn of_two_parties_each_has_one_peer() {
    let [_, p2, ..] = PIN;
    let of_two = right().replace("\"lean\"", "\"two-party\"");
    assert_eq!(
        opened(&of_two).unwrap_err(),
        "p1.toml: peers: expected P0, for role is P1 and protocol is two-party, got P2"
    );
    let of_two = of_two.replace(&format!("[peers.P2]\npins = [\"{p2}\"]\n"), "");
    let config = opened(&of_two).unwrap();
    assert_eq!(config.peers().map(|(role, _)| role).collect::<Vec<_>>(), [Role::P0]);
    assert_eq!(
        opened(&of_two.replace("\"P1\"", "\"P2\"")).unwrap_err(),
        "p1.toml: role: expected one of P0 and P1, for protocol is two-party, got P2"
    );
    assert_eq!(
        opened(&of_two.replace("two-party", "lean")).unwrap_err(),
        "p1.toml: peers.P2: expected a table, got none"
    );
}

/// Somebody gives the wrong file.
#[test]
fn a_key_that_is_taken_for_settings_is_not_shown() {
    let digits = "feedfacecafebeef".repeat(4);
    for text in [
        format!("{digits}\n"),
        format!("-----BEGIN PRIVATE KEY-----\n{digits}==\n"),
        format!("key = {digits}"),
    ] {
        let error = opened(&text).unwrap_err();
        assert!(error.starts_with("p1.toml, line ") && !error.contains("feed"), "{error}");
    }
    let error = Config::open(Path::new("/there/is/no/file")).unwrap_err().to_string();
    assert!(error.starts_with("/there/is/no/file: "), "{error}");
}
