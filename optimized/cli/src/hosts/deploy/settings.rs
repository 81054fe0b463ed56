//! The settings of parties and clients, as text: only what is needed, with comments.

use std::fmt::Write as _;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use duoram_link::settings::{Address, ProtocolName};
use duoram_link::{ClientName, Pin};
use duoram_reference::{Role, SessionId};
use duoram_runtime::local_computation::Extent;

use super::stem;

/// Where an operator looks at P0; the others have the next ones.
const HTTP_PORT: u16 = 8100;

/// What all files are about.
pub(super) struct Deployment {
    pub(super) protocol: ProtocolName,
    pub(super) session: SessionId,
    pub(super) extent: Extent,
    /// In order.
    pub(super) parties: Vec<(Address, Pin)>,
    pub(super) clients: Vec<(ClientName, Pin)>,
}

/// Where a party listens that is called at an address: there, if it is this very machine's in any case; else at every address that
/// the host has, for a name may stand for any of them.
fn listen(address: &Address) -> SocketAddr {
    let ip = match address.host().parse::<IpAddr>() {
        Ok(ip) if ip.is_loopback() => ip,
        Ok(IpAddr::V6(_)) => Ipv6Addr::UNSPECIFIED.into(),
        _ => Ipv4Addr::UNSPECIFIED.into(),
    };
    SocketAddr::new(ip, address.port())
}

/// Where an operator looks at a party.
fn http_port(role: Role) -> u16 {
    HTTP_PORT + u16::from(role.number())
}

/// Why the parties of a protocol share a machine to try it only, where that is more than that one operator has them all.
const fn apart(protocol: ProtocolName) -> &'static str {
    match protocol {
        ProtocolName::Paper | ProtocolName::Lean => "",
        ProtocolName::TwoParty => {
            " To try it, and for nothing else: a party that can\nwatch which memory the other one touches, \
             as on a cache that both share, learns from a READ its address."
        }
    }
}

impl Deployment {
    fn common(&self) -> String {
        let Self { protocol, session, extent, .. } = self;
        let Extent { log_size, rows, row_words } = *extent;
        let said = |is_usual: bool, name: &str, got: usize| {
            if is_usual { String::new() } else { format!("{name} = {got}\n") }
        };
        let rows = said(rows == Extent::of(log_size, 1).rows, "rows", rows);
        let row_words = said(row_words == 1, "row_words", row_words);
        format!(
            "protocol = \"{protocol}\"\nsession = \"{session}\"\nlog_size = {log_size}\n{rows}{row_words}"
        )
    }

    /// The settings of a party.
    pub(super) fn party(&self, role: Role) -> String {
        let (own, _) = &self.parties[role.index()];
        let stem = stem(role);
        let mut text = format!(
            "# Party {role}. Paths are relative to this file. duoram party --config {stem}.toml --check-config\n{}\
             role = \"{role}\"\n# Peers and clients call here.\nlisten = \"{}\"\nkey = \"{stem}.key\"\n",
            self.common(),
            listen(own)
        );
        for peer in role.others(self.protocol.roles()) {
            let (address, pin) = &self.parties[peer.index()];
            let _ = write!(text, "\n[peers.{peer}]\n");
            if peer < role {
                let _ = writeln!(text, "address = \"{address}\"");
            }
            let _ = writeln!(text, "# Two while its key is being changed.\npins = [\"{pin}\"]");
        }
        for (name, pin) in &self.clients {
            let _ = write!(text, "\n[[clients]]\nname = \"{name}\"\npins = [\"{pin}\"]\n");
            text.push_str(match role {
                Role::P2 => "# P2 tells clients nothing but its status.\n",
                _ => "# update: UPDATE, WRITE and SWAP. The same at P0 and P1.\nrights = [\"read\", \"update\", \"load\"]\n",
            });
        }
        let http = http_port(role);
        let _ = write!(
            text,
            "\n[state]\nfolder = \"{stem}.state\"\n# Seals the folder. Not to be lost, and not to be kept with copies of it.\n\
             key = \"{stem}.state-key\"\n\n# /livez, /readyz, /metrics, /status.json, and a page. It has no lock: for this host only.\n\
             [http]\nlisten = \"127.0.0.1:{http}\"\n"
        );
        if self.parties.iter().all(|(address, _)| address.host() == own.host()) {
            text.push_str("\n# The parties share one machine.\n[compute]\nthreads = 1\n");
        }
        text
    }

    /// The settings of a client.
    pub(super) fn client(&self, name: &ClientName) -> String {
        let mut text = format!(
            "# Client {name}. Paths are relative to this file. duoram client --config {name}.toml status\n{}\
             name = \"{name}\"\nkey = \"{name}.key\"\n",
            self.common()
        );
        for (role, (address, pin)) in self.protocol.roles().iter().zip(&self.parties) {
            let _ = write!(text, "\n[parties.{role}]\naddress = \"{address}\"\npins = [\"{pin}\"]\n");
        }
        text
    }

    /// The compose file, from its own text and that of a service.
    pub(super) fn compose(&self, text: &str, service: &str) -> String {
        let stems = || self.protocol.roles().iter().map(|role| stem(*role));
        let services: Vec<_> = stems().map(|stem| service.trim_end().replace("@NAME@", &stem)).collect();
        let volumes: Vec<_> = stems().map(|stem| format!("  {stem}-state:")).collect();
        let others: Vec<_> = self.others().map(stem).collect();
        text.replace("@SERVICES@", &services.join("\n"))
            .replace("@VOLUMES@", &volumes.join("\n"))
            .replace("@OTHER_NAMES@", &others.join(", "))
    }

    /// All but P0.
    fn others(&self) -> impl Iterator<Item = Role> {
        Role::P0.others(self.protocol.roles())
    }

    /// Fills in what a text has between `@`.
    pub(super) fn fill(&self, text: &str) -> String {
        let (list, lines) = (|names: &[String]| names.join(", "), |lines: &[String]| lines.join("\n"));
        let parties = || self.protocol.roles().iter().zip(&self.parties);
        let rows = parties().map(|(&role, (address, _))| {
            let (stem, host) = (stem(role), address.host());
            let files = format!("`{stem}.toml`, `{stem}.key`, `{stem}.state-key`, `duoram-{stem}.service`");
            format!("| {role}, {host} | {files} | its state |")
        });
        let commands = parties().map(|(&role, _)| format!("    duoram party --config {}.toml &", stem(role)));
        let (rows, commands): (Vec<_>, Vec<_>) = (rows.collect(), commands.collect());
        let others: Vec<_> = self.others().map(|role| role.to_string()).collect();
        let ports: Vec<_> = self.others().map(|role| format!("{} on {role}'s", http_port(role))).collect();
        let addresses: Vec<_> = self.parties.iter().map(|(address, _)| format!("`{address}`")).collect();
        let clients: Vec<_> = self.clients.iter().map(|(name, _)| format!("`{name}`")).collect();
        let first = self.clients.first().map(|(name, _)| name.to_string()).unwrap_or_default();
        text.replace("@ROWS@", &lines(&rows))
            .replace("@COMMANDS@", &lines(&commands))
            .replace("@OTHERS@", &list(&others))
            .replace("@PORTS@", &list(&ports))
            .replace("@APART@", apart(self.protocol))
            .replace("@EXTENT@", &self.extent.to_string())
            .replace("@PROTOCOL@", &self.protocol.to_string())
            .replace("@SESSION@", &format!("`{}`", self.session))
            .replace("@CLIENTS@", &list(&clients))
            .replace("@FIRST@", &first)
            .replace("@ADDRESSES@", &list(&addresses))
    }
}

#[cfg(test)]
mod tests {
    use duoram_link::settings::Value as _;

    use super::*;

    #[test]
    fn a_loopback_address_is_listened_at_and_a_name_everywhere() {
        for (called, expected) in [
            ("127.0.0.1:7100", "127.0.0.1:7100"),
            ("[::1]:7100", "[::1]:7100"),
            ("192.0.2.1:7100", "0.0.0.0:7100"),
            ("[2001:db8::1]:7100", "[::]:7100"),
            ("p0.example.org:7101", "0.0.0.0:7101"),
        ] {
            assert_eq!(listen(&Address::of(called).unwrap()).to_string(), expected, "{called}");
        }
    }
}
