//! What goes together in a configuration.

use duoram_link::Rights;
use duoram_link::settings::{Error, Source};
use duoram_reference::Role;

use super::{Config, Items};

/// The least room for what waits to leave: a piece of a memory, and its envelope.
const LEAST_OUTBOUND: usize = 1 << 20;

/// The most items of a kind that are kept ready, or made at once.
const MOST_ITEMS: usize = 1 << 20;

/// The most threads.
const MOST_THREADS: usize = 1024;

/// A number of a range, or an error that names both.
fn within(
    source: &Source,
    key: &str,
    range: std::ops::RangeInclusive<u64>,
    got: impl TryInto<u64>,
) -> Result<(), Error> {
    let got = got.try_into().unwrap_or(u64::MAX);
    if range.contains(&got) {
        return Ok(());
    }
    let expected = match (*range.start(), *range.end()) {
        (least, u64::MAX) => format!("at least {least}"),
        (least, most) => format!("{least} to {most}"),
    };
    Err(source.refuse(key, expected, got))
}

/// Parties, for an error.
fn named(roles: impl Iterator<Item = Role>) -> String {
    roles.map(|role| role.to_string()).collect::<Vec<_>>().join(" and ")
}

impl Config {
    pub(super) fn check(&self, source: &Source) -> Result<(), Error> {
        source.check_size(self.protocol, self.session, (self.log_size, self.rows, self.row_words))?;
        self.check_peers(source)?;
        self.check_clients(source)?;
        self.check_pins(source)?;
        self.check_stock(source)?;
        let timeouts = &self.timeouts;
        for (key, got) in [
            ("timeouts.connect_ms", timeouts.connect_ms),
            ("timeouts.handshake_ms", timeouts.handshake_ms),
            ("timeouts.heartbeat_ms", timeouts.heartbeat_ms),
        ] {
            within(source, key, 1..=3_600_000, got)?;
        }
        within(source, "timeouts.dead_ms", timeouts.heartbeat_ms + 1..=u64::MAX, timeouts.dead_ms)?;
        within(
            source,
            "limits.outbound_bytes",
            LEAST_OUTBOUND as u64..=u64::MAX,
            self.limits.outbound_bytes,
        )?;
        within(source, "limits.requests_per_client", 1..=1024, self.limits.requests_per_client)?;
        within(source, "state.journal_bytes", 1..=u64::MAX, self.state.journal_bytes)?;
        within(source, "compute.threads", 1..=MOST_THREADS as u64, self.compute.threads)?;
        if self.http.listen == self.listen {
            return Err(source.refuse("http.listen", "another port than listen has", self.http.listen));
        }
        Ok(())
    }

    fn check_peers(&self, source: &Source) -> Result<(), Error> {
        let (own, protocol, roles) = (self.role, self.protocol, self.protocol.roles());
        if !roles.contains(&own) {
            let expected = format!("one of {}, for protocol is {protocol}", named(roles.iter().copied()));
            return Err(source.refuse("role", expected, own));
        }
        let is_peer = |role: &Role| *role != own && roles.contains(role);
        let mut known = Role::ALL.into_iter().filter(|role| self.peers.of(*role).is_some());
        if let Some(got) = known.find(|role| !is_peer(role)) {
            let others = named(own.others(roles));
            let expected = format!("{others}, for role is {own} and protocol is {protocol}");
            return Err(source.refuse("peers", expected, got));
        }
        for role in own.others(roles) {
            let key = format!("peers.{role}");
            let peer = self.peers.of(role).ok_or_else(|| source.refuse(&key, "a table", "none"))?;
            // Whoever has the lower number listens.
            if role < own && peer.address.is_none() {
                let expected = format!("where {own} calls {role}");
                return Err(source.refuse(format!("{key}.address"), expected, "nothing"));
            }
            source.check_pins(&format!("{key}.pins"), &peer.pins)?;
        }
        Ok(())
    }

    fn check_clients(&self, source: &Source) -> Result<(), Error> {
        let mut names = std::collections::BTreeSet::new();
        names.extend(self.local.iter().map(|local| &local.client));
        for client in &self.clients {
            let name = &client.name;
            if !names.insert(name) {
                return Err(source.refuse("clients.name", "names that differ", format!("{name} twice")));
            }
            source.check_pins(&format!("clients.pins of {name}"), &client.pins)?;
            if self.role == Role::P2 && client.rights != Rights::NONE {
                let expected = "none, for P2 hears of the status only";
                return Err(source.refuse(format!("clients.rights of {name}"), expected, "some"));
            }
        }
        Ok(())
    }

    /// A pin is one peer's: who calls must be known by it.
    fn check_pins(&self, source: &Source) -> Result<(), Error> {
        let peers = self.peers().map(|(role, peer)| (role.to_string(), &peer.pins));
        let clients = self.clients.iter().map(|client| (format!("client {}", client.name), &client.pins));
        let mut seen = std::collections::BTreeMap::new();
        for (whose, pins) in peers.chain(clients) {
            for pin in pins {
                if let Some(other) = seen.insert(pin.to_string(), whose.clone()) {
                    let got = format!("{pin} of {other} and of {whose}");
                    return Err(source.refuse("pins", "a key for each peer and client", got));
                }
            }
        }
        Ok(())
    }

    fn check_stock(&self, source: &Source) -> Result<(), Error> {
        let each = |Items { reads, updates }| [reads, updates];
        let stock = self.stock();
        let marks = each(stock.low).into_iter().zip(each(stock.high)).zip(each(stock.batch));
        for (kind, ((low, high), batch)) in ["reads", "updates"].into_iter().zip(marks) {
            within(source, &format!("stock.high.{kind}"), 0..=MOST_ITEMS as u64, high)?;
            within(source, &format!("stock.batch.{kind}"), 1..=MOST_ITEMS as u64, batch)?;
            if low > high {
                let expected = format!("at most stock.high.{kind}, which is {high}");
                return Err(source.refuse(format!("stock.low.{kind}"), expected, low));
            }
        }
        Ok(())
    }
}
