//! What each phase costs each party.

use std::ops::AddAssign;
use std::time::Duration;

use crate::chains::Chains;
use crate::event::{Action, Event};

/// The phases of a session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// Connecting and loading.
    Setup,
    /// Making DPFs, before the addresses are known.
    Preprocessing,
    /// The operations.
    Online,
}

impl Phase {
    /// All three, in order.
    pub const ALL: [Self; 3] = [Self::Setup, Self::Preprocessing, Self::Online];

    /// The name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Setup => "setup",
            Self::Preprocessing => "preprocessing",
            Self::Online => "online",
        }
    }
}

/// What something cost one party. Bytes are those that it sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Usage {
    /// From start to end, waiting included.
    pub wall: Duration,
    /// CPU time, if the system tells.
    pub cpu: Option<Duration>,
    /// Without headers.
    pub payload_bytes: u64,
    /// With headers.
    pub wire_bytes: u64,
}

impl Default for Usage {
    fn default() -> Self {
        Self { wall: Duration::ZERO, cpu: Some(Duration::ZERO), payload_bytes: 0, wire_bytes: 0 }
    }
}

impl AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.wall += other.wall;
        self.cpu = self.cpu.zip(other.cpu).map(|(a, b)| a + b);
        self.payload_bytes += other.payload_bytes;
        self.wire_bytes += other.wire_bytes;
    }
}

/// The costs of one phase.
#[derive(Clone, Debug, Default)]
pub struct PhaseCost {
    /// By party.
    pub parties: [Usage; 3],
    /// As the owner sees it: the parties work side by side.
    pub wall: Duration,
    chains: Chains,
}

impl PhaseCost {
    /// The length of the longest chain of messages that depend on one another.
    pub const fn sequential_messages(&self) -> u64 {
        self.chains.longest()
    }

    /// The payload of all parties.
    pub fn payload_bytes(&self) -> u64 {
        self.parties.iter().map(|usage| usage.payload_bytes).sum()
    }
}

/// The costs of all phases so far.
#[derive(Clone, Debug, Default)]
pub struct Meter {
    phases: [PhaseCost; 3],
}

impl Meter {
    /// The costs of a phase.
    pub const fn phase(&self, phase: Phase) -> &PhaseCost {
        &self.phases[phase as usize]
    }

    /// Adds a step: its events, in order, and what it cost each party and the owner. The parties' bytes are counted from
    /// the events.
    pub(crate) fn add(
        &mut self,
        phase: Phase,
        wall: Duration,
        times: [(Duration, Option<Duration>); 3],
        events: &[Event],
    ) -> [Usage; 3] {
        let mut usages = times.map(|(wall, cpu)| Usage { wall, cpu, ..Usage::default() });
        let cost = &mut self.phases[phase as usize];
        for event in events {
            cost.chains.follow(event);
            if event.action == Action::Send {
                let usage = &mut usages[event.party.index()];
                usage.payload_bytes += event.payload_bytes;
                usage.wire_bytes += event.payload_bytes + duoram_reference::HEADER_LENGTH as u64;
            }
        }
        cost.wall += wall;
        for (sum, usage) in cost.parties.iter_mut().zip(usages) {
            *sum += usage;
        }
        usages
    }
}
