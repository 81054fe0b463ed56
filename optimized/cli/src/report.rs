//! Costs as a table and as JSON.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use duoram_reference::{Protocol, Role};
use serde::Serialize;

use duoram_runtime::meter::{Meter, Phase, Usage};

/// A party's costs in one phase, for machines.
#[derive(Clone, Debug, Serialize)]
pub struct PartyCost {
    /// From start to end, waiting included.
    pub seconds: f64,
    /// Time on a CPU; `null` where the system does not tell.
    pub cpu_seconds: Option<f64>,
    /// Sent, without headers.
    pub payload_bytes: u64,
    /// Sent, with the headers of 40 bytes.
    pub wire_bytes: u64,
}

impl From<&Usage> for PartyCost {
    fn from(usage: &Usage) -> Self {
        Self {
            seconds: usage.wall.as_secs_f64(),
            cpu_seconds: usage.cpu.map(|cpu| cpu.as_secs_f64()),
            payload_bytes: usage.payload_bytes,
            wire_bytes: usage.wire_bytes,
        }
    }
}

/// One phase, for machines.
#[derive(Clone, Debug, Serialize)]
pub struct PhaseReport {
    /// As the owner saw it.
    pub seconds: f64,
    /// The longest chain of messages that depend on one another.
    pub sequential_messages: u64,
    /// `p0`, `p1` and, where it takes part, `p2`.
    pub parties: BTreeMap<String, PartyCost>,
}

/// The name of a party as a field.
pub fn field(party: Role) -> String {
    format!("p{}", party.index())
}

/// The phases, by name.
pub fn phases<P: Protocol>(meter: &Meter) -> BTreeMap<&'static str, PhaseReport> {
    Phase::ALL
        .into_iter()
        .map(|phase| {
            let cost = meter.phase(phase);
            let parties = P::ROLES.iter().map(|&party| (party, &cost.parties[party.index()]));
            let report = PhaseReport {
                seconds: cost.wall.as_secs_f64(),
                sequential_messages: cost.sequential_messages(),
                parties: parties.map(|(party, usage)| (field(party), usage.into())).collect(),
            };
            (phase.name(), report)
        })
        .collect()
}

fn seconds(duration: Duration) -> String {
    format!("{:.6}", duration.as_secs_f64())
}

/// The phases as a table.
pub fn table<P: Protocol>(meter: &Meter) -> String {
    let mut text = format!(
        "{:<14} {:<5} {:>12} {:>12} {:>14} {:>14} {:>11}\n",
        "phase", "party", "seconds", "cpu seconds", "payload bytes", "wire bytes", "sequential"
    );
    for phase in Phase::ALL {
        let cost = meter.phase(phase);
        let mut total = Usage::default();
        for &party in P::ROLES {
            let usage = &cost.parties[party.index()];
            row(&mut text, phase.name(), &party.to_string(), usage, "");
            total += *usage;
        }
        // The parties work side by side: their seconds do not add up.
        let total = Usage { wall: cost.wall, ..total };
        row(&mut text, phase.name(), "all", &total, &cost.sequential_messages().to_string());
    }
    text.push_str(
        "Bytes are those sent; wire bytes include the 40-byte headers. Sequential: messages in the longest\n",
    );
    text.push_str("chain in which each had to wait for the one before, measured from the parties' logs.\n");
    text
}

fn row(text: &mut String, phase: &str, party: &str, usage: &Usage, sequential: &str) {
    let cpu = usage.cpu.map_or("-".to_owned(), seconds);
    let (wall, payload, wire) = (seconds(usage.wall), usage.payload_bytes, usage.wire_bytes);
    // Writing to a string does not fail.
    let _ = writeln!(
        text,
        "{phase:<14} {party:<5} {wall:>12} {cpu:>12} {payload:>14} {wire:>14} {sequential:>11}"
    );
}
