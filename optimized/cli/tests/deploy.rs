//! `duoram keygen` and `duoram deploy`: what they write can be used, and nothing is overwritten.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use duoram_client::Config as ClientConfig;
use duoram_host::config::Config;
use duoram_link::{Identity, Rights};
use duoram_reference::Role;

use crate::program::{duoram, text};

/// `duoram deploy` into a folder; its output.
fn deploy(folder: &Path, hosts: &str, more: &[&str]) -> Output {
    let folder = folder.to_str().unwrap();
    duoram(&[&["deploy", "--hosts", hosts, "--log-size", "12", "--out", folder], more].concat())
}

fn deployed(hosts: &str, more: &[&str]) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let output = deploy(&folder.path().join("d"), hosts, more);
    assert!(output.status.success(), "{}", text(&output.stderr));
    (folder, text(&output.stdout))
}

const LOOPBACK: &str = "127.0.0.1:7100,127.0.0.1:7101,127.0.0.1:7102";

#[test]
fn a_key_is_written_once_and_its_pin_printed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.key");
    let out = path.to_str().unwrap();
    let output = duoram(&["keygen", "--out", out]);
    let pin = text(&output.stdout);
    assert_eq!(pin.trim(), Identity::read(&path).unwrap().pin().to_string());
    let before = fs::read(&path).unwrap();
    let again = duoram(&["keygen", "--out", out]);
    assert_eq!(again.status.code(), Some(2));
    assert!(text(&again.stderr).contains("a.key: "), "{}", text(&again.stderr));
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn all_files_belong_together() {
    let (folder, printed) = deployed(LOOPBACK, &["--clients", "a,b", "--protocol", "paper"]);
    let folder = folder.path().join("d");
    let configs = Role::ALL.map(|role| {
        let config = Config::open(&folder.join(format!("{role}.toml").to_lowercase())).unwrap();
        assert_eq!(config.role, role);
        assert!(printed.contains(&format!(
            "duoram party --config {}/p{}.toml",
            folder.display(),
            role.index()
        )));
        config
    });
    let own = configs.each_ref().map(|config| Identity::read(&config.key).unwrap().pin());
    for config in &configs {
        assert_eq!(config.parameters(), configs[0].parameters());
        assert_eq!(config.protocol.to_string(), "paper");
        for (peer, settings) in config.peers() {
            assert_eq!(settings.pins, [own[peer.index()]]);
            let called = (peer < config.role).then(|| configs[peer.index()].listen.to_string());
            assert_eq!(settings.address.as_ref().map(ToString::to_string), called, "who calls whom");
        }
        assert_eq!(fs::read_to_string(&config.state.key).unwrap().trim().len(), 64);
    }
    for name in ["a", "b"] {
        let client = ClientConfig::open(&folder.join(format!("{name}.toml"))).unwrap();
        let pin = Identity::read(&client.key).unwrap().pin();
        assert_eq!((client.name.as_str(), client.log_size), (name, 12));
        assert_eq!(client.session, configs[0].session);
        for (role, config) in Role::ALL.into_iter().zip(&configs) {
            assert_eq!(client.party(role).unwrap().pins, [own[role.index()]]);
            assert_eq!(client.party(role).unwrap().address.to_string(), config.listen.to_string());
            let known = config.clients.iter().find(|known| known.name == client.name).unwrap();
            assert_eq!(known.pins, [pin]);
            let rights = Rights::READ.and(Rights::UPDATE).and(Rights::LOAD);
            assert_eq!(known.rights, if role == Role::P2 { Rights::NONE } else { rights });
        }
    }
    for name in ["README.md", "compose.yaml", "duoram-p0.service", "duoram-p1.service", "duoram-p2.service"] {
        let text = fs::read_to_string(folder.join(name)).unwrap();
        assert!(!text.contains('@') || name.ends_with(".service"), "{name}: all is filled in");
        assert!(!text.contains("@NAME@") && !text.contains("@ROLE@"), "{name}: all is filled in");
    }
    // Nothing else, and no session or key twice.
    let names: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), 3 * 4 + 2 * 2 + 2, "{names:?}");
    let (other, _) = deployed(LOOPBACK, &[]);
    let other = Config::open(&other.path().join("d/p0.toml")).unwrap();
    assert_ne!(other.session, configs[0].session);
    assert_ne!(Identity::read(&other.key).unwrap().pin(), own[0]);
    assert_eq!(other.protocol.to_string(), "lean", "unless another is asked for");
}

/// Two parties are two hosts: no file, and no line of one, knows of a third.
#[test]
fn all_files_of_two_parties_are_of_two() {
    let (folder, printed) = deployed("127.0.0.1:7100,127.0.0.1:7101", &["--protocol", "two-party"]);
    let folder = folder.path().join("d");
    assert_eq!(printed.matches("duoram party --config ").count(), 2, "{printed}");
    let roles = [Role::P0, Role::P1];
    let configs =
        roles.map(|role| Config::open(&folder.join(format!("{role}.toml").to_lowercase())).unwrap());
    let own = configs.each_ref().map(|config| Identity::read(&config.key).unwrap().pin());
    for (config, role) in configs.iter().zip(roles) {
        assert_eq!((config.protocol.to_string().as_str(), config.role), ("two-party", role));
        let (peer, settings) = config.peers().next().unwrap();
        assert_eq!((config.peers().count(), peer.index()), (1, 1 - role.index()));
        assert_eq!(settings.pins, [own[peer.index()]]);
        assert_eq!(settings.address.is_some(), role == Role::P1, "P1 calls P0");
        assert!(config.clients.iter().all(|client| client.rights != Rights::NONE));
    }
    let client = ClientConfig::open(&folder.join("client.toml")).unwrap();
    assert_eq!(roles.map(|role| client.party(role).unwrap().pins[0]), own);
    assert!(client.party(Role::P2).is_none());
    let mut names: Vec<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort_unstable();
    assert_eq!(names.len(), 2 * 4 + 2 + 2, "{names:?}");
    for name in names {
        let text = fs::read_to_string(folder.join(&name)).unwrap();
        // A pin has every four digits now and then.
        let is_pin = |word: &str| word.len() >= 32 && word.bytes().all(|digit| digit.is_ascii_hexdigit());
        let words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '@');
        let words: Vec<_> = words.filter(|word| !is_pin(word)).collect();
        for third in ["P2", "p2", "7102", "8102", "@NAME", "@ROLE", "@OTHER", "@SERV", "@VOL"] {
            let knows = words.iter().any(|word| word.contains(third));
            assert!(name.ends_with("key") || !knows, "{name} knows of {third}:\n{text}");
        }
    }
    let readme = fs::read_to_string(folder.join("README.md")).unwrap();
    assert!(readme.contains("(P1 likewise)") && readme.contains("cache"), "{readme}");
}

/// One service, one volume and one check of health a party, each with its own files; the tool that reads it is not asked, for it is
/// hardly anywhere.
#[test]
fn the_compose_file_has_a_service_for_each_party() {
    let two = deployed("a,b", &["--protocol", "two-party"]);
    let three = deployed("a,b,c", &[]);
    for ((folder, _), count) in [(two, 2), (three, 3)] {
        let text = fs::read_to_string(folder.path().join("d/compose.yaml")).unwrap();
        let (_, services) = text.split_once("\nservices:\n").unwrap();
        let (services, volumes) = services.split_once("\n\nvolumes:\n").unwrap();
        let parties: Vec<_> = services.split("    <<: *party\n").collect();
        assert_eq!((parties.len(), volumes.lines().count()), (count + 1, count), "{text}");
        for place in 0..count {
            assert!(parties[place].ends_with(&format!("  p{place}:\n")), "{text}");
            assert_eq!(parties[place + 1].matches(&format!("p{place}.")).count(), 8, "{text}");
            assert_eq!(volumes.lines().nth(place), Some(format!("  p{place}-state:").as_str()));
        }
        assert_eq!(services.matches("<<: *healthcheck").count(), count);
    }
}

#[cfg(unix)]
#[test]
fn keys_are_their_owners_only() {
    use std::os::unix::fs::PermissionsExt;
    let (folder, _) = deployed(LOOPBACK, &[]);
    let folder = folder.path().join("d");
    let modes: BTreeMap<String, u32> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| {
            (entry.file_name().into_string().unwrap(), entry.metadata().unwrap().permissions().mode() & 0o777)
        })
        .collect();
    for (name, mode) in &modes {
        let is_key = name.ends_with("key");
        assert!(!is_key || *mode == 0o600, "{name} {mode:o}");
    }
    assert_eq!(modes.keys().filter(|name| name.ends_with("key")).count(), 7);
    assert_eq!(fs::metadata(&folder).unwrap().permissions().mode() & 0o777, 0o700);
}

#[test]
fn nothing_is_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("p1.key"), "mine").unwrap();
    let output = deploy(folder.path(), LOOPBACK, &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).ends_with("expected no file of these names, got p1.key\n"),
        "{}",
        text(&output.stderr)
    );
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing was written");
    fs::remove_file(folder.path().join("p1.key")).unwrap();
    assert!(deploy(folder.path(), LOOPBACK, &[]).status.success());
    assert_eq!(deploy(folder.path(), LOOPBACK, &[]).status.code(), Some(2));
}

#[test]
fn hosts_are_as_many_as_parties_and_names_are_files() {
    for (protocol, hosts, got) in [
        ("lean", "a,b", "2 of them"),
        ("paper", "a,b", "2 of them"),
        ("lean", "a,b,c,d", "4 of them"),
        ("lean", "a,b,b c", "'b c'"),
        ("lean", "a:1,a:1,a:2", "a:1 twice"),
        ("lean", "a:0,b,c", "'a:0'"),
        ("two-party", "a", "1 of them"),
        ("two-party", "a,b,c", "3 of them"),
        ("two-party", "a:1,a:1", "a:1 twice"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let output = deploy(&folder.path().join("d"), hosts, &["--protocol", protocol]);
        let error = text(&output.stderr);
        let expected = if protocol == "two-party" {
            "2 different HOST or HOST:PORT, for P0, P1"
        } else {
            "3 different HOST or HOST:PORT, for P0, P1, P2"
        };
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(
            error,
            format!("error: --hosts: expected {expected} of the protocol {protocol}, got {got}\n")
        );
        assert!(!folder.path().join("d").exists());
    }
    for names in ["a,A", "p0", "P2", "..", "a/b", ""] {
        let folder = tempfile::tempdir().unwrap();
        let output = deploy(&folder.path().join("d"), LOOPBACK, &["--clients", names]);
        assert_eq!(output.status.code(), Some(2), "{names}");
    }
    let (folder, _) = deployed("p0.example.org,192.0.2.7:99,[2001:db8::1]", &[]);
    let client = ClientConfig::open(&folder.path().join("d/client.toml")).unwrap();
    let called = Role::ALL.map(|role| client.party(role).unwrap().address.to_string());
    assert_eq!(called, ["p0.example.org:7100", "192.0.2.7:99", "[2001:db8::1]:7102"]);
    let p1 = Config::open(&folder.path().join("d/p1.toml")).unwrap();
    assert_eq!(p1.listen.to_string(), "0.0.0.0:99");
}

/// `--check-config` and what a party refuses before it starts.
#[cfg(unix)]
#[test]
fn a_party_says_whether_its_settings_can_be_used() {
    let (folder, _) = deployed(LOOPBACK, &[]);
    let folder = folder.path().join("d");
    let path = folder.join("p1.toml");
    let check = || {
        let output = duoram(&["party", "--config", path.to_str().unwrap(), "--check-config"]);
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let (code, said, _) = check();
    assert_eq!(code, Some(0));
    assert!(said.ends_with("p1.toml: P1 can be used\n"), "{said}");
    assert!(!folder.join("p1.state").exists(), "nothing is started");
    fs::rename(folder.join("p1.key"), folder.join("old.key")).unwrap();
    assert!(check().2.contains("p1.key: "));
    // The key of a peer.
    fs::copy(folder.join("p0.key"), folder.join("p1.key")).unwrap();
    assert!(check().2.contains("is also that of P0"), "{}", check().2);
    fs::copy(folder.join("old.key"), folder.join("p1.key")).unwrap();
    fs::write(folder.join("p1.state-key"), "short").unwrap();
    assert_eq!(check().0, Some(2));
    fs::write(&path, "role = 1").unwrap();
    assert!(check().2.contains("p1.toml, line 1: role: "), "{}", check().2);
    let ready = duoram(&["party", "--config", folder.join("p0.toml").to_str().unwrap(), "--ready"]);
    assert_eq!(ready.status.code(), Some(2));
    assert!(text(&ready.stderr).contains("127.0.0.1:8100: expected the party to be ready"));
}

/// Units that systemd takes, with the program in place of the installed one.
#[cfg(target_os = "linux")]
#[test]
fn units_are_taken_by_systemd() {
    let (folder, _) = deployed(LOOPBACK, &[]);
    let unit = folder.path().join("d/duoram-p0.service");
    let text_of_unit = fs::read_to_string(&unit).unwrap();
    let installed = "/usr/local/bin/duoram";
    assert!(text_of_unit.contains(installed));
    fs::write(&unit, text_of_unit.replace(installed, env!("CARGO_BIN_EXE_duoram"))).unwrap();
    let verified = match Command::new("systemd-analyze").arg("verify").arg(&unit).output() {
        Ok(output) => output,
        Err(error) => return eprintln!("skipped: systemd-analyze: {error}"),
    };
    assert!(verified.status.success() && verified.stderr.is_empty(), "{}", text(&verified.stderr));
}
