//! What a client is told: one TOML file, which `duoram deploy` writes.
//!
//! ```toml
//! protocol = "lean"                 # or "paper", or "two-party"
//! session = "<32 hexadecimal digits>"
//! log_size = 16
//! rows = 65536                      # or, if lean, fewer, but more than half; all if left out
//! row_words = 1                     # or, if lean, the words of a row; 1 may be left out
//! name = "client"                   # as the parties' files call it
//! key = "client.key"                # of duoram keygen; relative to this file
//! deadline_ms = 30000               # how long a request may wait for its turn; 0: for ever
//!
//! [parties.P0]
//! address = "127.0.0.1:7100"
//! pins = ["<64 hexadecimal digits>"] # two while the party's key is being changed
//! # and P1, and P2, which is asked for its status only; "two-party" has none
//! ```

use std::path::{Path, PathBuf};

use duoram_link::settings::{self, Address, Error, ProtocolName, Source};
use duoram_link::{ClientName, Pin};
use duoram_reference::{Role, SessionId};
use serde::Deserialize;

/// The settings of a client, well-formed and checked against each other.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// What the parties are to speak.
    #[serde(deserialize_with = "settings::value")]
    pub protocol: ProtocolName,
    /// Which session they are to be in.
    #[serde(deserialize_with = "settings::value")]
    pub session: SessionId,
    /// `h`: there are to be `2^h` addresses.
    pub log_size: u32,
    /// `m`: so many of them, the first ones, are to have words, or rows of them; all, if it is left out.
    pub rows: Option<usize>,
    /// `w`: the words of a row, which an address is to hold.
    #[serde(default = "settings::row_words")]
    pub row_words: usize,
    /// What the parties call this client.
    #[serde(deserialize_with = "settings::value")]
    pub name: ClientName,
    /// The file of the client's own key.
    pub key: PathBuf,
    /// How long a request may wait for its turn, in milliseconds; 0: for ever.
    #[serde(default = "deadline_ms")]
    pub deadline_ms: u32,
    parties: Parties,
}

const fn deadline_ms() -> u32 {
    30_000
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Parties {
    #[serde(rename = "P0")]
    p0: Party,
    #[serde(rename = "P1")]
    p1: Party,
    /// Where the protocol has it.
    #[serde(rename = "P2")]
    p2: Option<Party>,
}

/// A party, as its client knows it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Party {
    /// Where it is called.
    #[serde(deserialize_with = "settings::value")]
    pub address: Address,
    /// Its keys: one, or two while it is being changed.
    #[serde(deserialize_with = "settings::values")]
    pub pins: Vec<Pin>,
}

impl Config {
    /// Reads a file and checks it. The key is not opened.
    ///
    /// # Errors
    ///
    /// See [`Error`].
    pub fn open(path: &Path) -> Result<Self, Error> {
        let (source, mut config) = Source::read::<Self>(path)?;
        source.check_size(
            config.protocol,
            config.session,
            (config.log_size, config.rows, config.row_words),
        )?;
        let mut seen: Vec<(Pin, Role)> = Vec::new();
        for role in Role::ALL {
            let party = match (config.protocol.roles().contains(&role), config.party(role)) {
                (true, Some(party)) => party,
                (false, None) => continue,
                (takes_part, party) => {
                    let there = |is_there| if is_there { "a table" } else { "none" };
                    let expected = format!("{}, for protocol is {}", there(takes_part), config.protocol);
                    return Err(source.refuse(format!("parties.{role}"), expected, there(party.is_some())));
                }
            };
            source.check_pins(&format!("parties.{role}.pins"), &party.pins)?;
            for &pin in &party.pins {
                if let Some((_, other)) = seen.iter().find(|(known, _)| *known == pin) {
                    let got = format!("{pin} of {other} and of {role}");
                    return Err(source.refuse("parties", "a key for each", got));
                }
                seen.push((pin, role));
            }
        }
        config.key = source.beside(&config.key);
        Ok(config)
    }

    /// The addresses that have words, or rows of them.
    pub fn addresses(&self) -> u64 {
        self.rows.map_or(1 << self.log_size, |rows| rows as u64)
    }

    /// A party, if it takes part in the protocol.
    pub const fn party(&self, role: Role) -> Option<&Party> {
        match role {
            Role::P0 => Some(&self.parties.p0),
            Role::P1 => Some(&self.parties.p1),
            Role::P2 => self.parties.p2.as_ref(),
        }
    }

    /// Those who are asked.
    pub(crate) const fn primaries(&self) -> [(Role, &Party); 2] {
        [(Role::P0, &self.parties.p0), (Role::P1, &self.parties.p1)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn right() -> String {
        let party = |place: usize| {
            let pin = place.to_string().repeat(64);
            format!("[parties.P{place}]\naddress = \"127.0.0.1:710{place}\"\npins = [\"{pin}\"]\n")
        };
        let first = "protocol = \"paper\"\nsession = \"000102030405060708090a0b0c0d0e0f\"\nlog_size = 16\n\
                     name = \"client\"\nkey = \"client.key\"\n";
        [first.to_owned(), party(0), party(1), party(2)].concat()
    }

    fn opened(text: &str) -> Result<Config, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("c.toml");
        std::fs::write(&path, text).unwrap();
        let shown = format!("{}/", folder.path().display());
        let config = Config::open(&path).map_err(|error| error.to_string().replace(&shown, ""))?;
        assert_eq!(config.key, folder.path().join("client.key"), "beside the file");
        Ok(config)
    }

    #[test]
    fn three_parties_and_a_deadline() {
        let config = opened(&right()).unwrap();
        assert_eq!((config.protocol, config.deadline_ms), (ProtocolName::Paper, 30_000));
        for role in Role::ALL {
            let party = config.party(role).unwrap();
            assert_eq!(party.address.port(), 7100 + u16::from(role.number()));
            assert_eq!(party.pins, [role.index().to_string().repeat(64).parse().unwrap()]);
        }
    }

    #[test]
    fn of_two_parties_there_are_two_tables() {
        let right = right();
        let (without_p2, _) = right.split_once("[parties.P2]").unwrap();
        let config = opened(&without_p2.replace("\"paper\"", "\"two-party\"")).unwrap();
        assert_eq!(config.protocol, ProtocolName::TwoParty);
        assert_eq!(Role::ALL.map(|role| config.party(role).is_some()), [true, true, false]);
        let error = opened(without_p2).unwrap_err();
        assert_eq!(error, "c.toml: parties.P2: expected a table, for protocol is paper, got none");
    }

    #[test]
    fn whatever_is_wrong_is_named_with_what_was_expected() {
        let twos = "2".repeat(64);
        let zero = "0".repeat(64);
        let cases: &[(&str, &str, String)] = &[
            ("= 16", "= 0", "c.toml: log_size: expected 1 to 40, got 0".to_owned()),
            (
                "= 16",
                "= 16\nrow_words = 3",
                "c.toml: row_words: expected 1, for protocol is paper, got 3".to_owned(),
            ),
            (
                "\"paper\"",
                "\"two\"",
                "c.toml, line 1: protocol: expected \"lean\", \"paper\" or \"two-party\", got \"two\""
                    .to_owned(),
            ),
            ("name", "nam", "c.toml, line 4: nam: unknown field `nam`, expected one of".to_owned()),
            (
                "\"client\"",
                "\"\"",
                "c.toml, line 4: name: expected 1 to 64 letters, digits, - _ or ., got \"\"".to_owned(),
            ),
            (
                "[parties.P2]",
                "[parties.P3]",
                "c.toml, line 12: parties.P3: unknown field `P3`, expected one of `P0`, `P1`, `P2`"
                    .to_owned(),
            ),
            (
                "\"127.0.0.1:7101\"",
                "\"here\"",
                "c.toml, line 10: parties.P1.address: expected a host and a port".to_owned(),
            ),
            (
                "\"paper\"",
                "\"two-party\"",
                "c.toml: parties.P2: expected none, for protocol is two-party, got a table".to_owned(),
            ),
            (&twos, "22", "c.toml, line 14: parties.P2.pins: expected a pin".to_owned()),
            (&twos, &zero, format!("c.toml: parties: expected a key for each, got {zero} of P0 and of P2")),
        ];
        for (what, instead, expected) in cases {
            let error = opened(&right().replacen(what, instead, 1)).unwrap_err();
            assert!(error.starts_with(expected), "{instead}:\n  got      {error}\n  expected {expected}");
        }
    }
}
