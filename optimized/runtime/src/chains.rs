//! The longest chain of messages that had to wait for one another, from the parties' logs.
//!
//! Latency is paid once for each message of such a chain, however much is sent side by side. The number is measured, not
//! taken from a formula: a message's depth is one more than that of the deepest message which its sender had received
//! (Lamport, *Time, Clocks, and the Ordering of Events in a Distributed System*, 1978).

use std::collections::VecDeque;

use crate::event::{Action, Event};

/// Follows the events of one phase.
#[derive(Clone, Debug, Default)]
pub struct Chains {
    /// The depth of the deepest message that each party has received.
    clocks: [u64; 3],
    /// The depths of the messages under way, by sender and receiver.
    under_way: [[VecDeque<u64>; 3]; 3],
    longest: u64,
}

impl Chains {
    /// Takes the next event; they must come in their order.
    pub fn follow(&mut self, event: &Event) {
        let me = event.party.index();
        let Some(peer) = event.peer.map(duoram_reference::Role::index) else { return };
        match event.action {
            Action::Send => {
                let depth = self.clocks[me] + 1;
                self.under_way[me][peer].push_back(depth);
                self.longest = self.longest.max(depth);
            }
            Action::Receive => {
                let depth = self.under_way[peer][me].pop_front().unwrap_or_default();
                self.clocks[me] = self.clocks[me].max(depth);
            }
            Action::Apply => {}
        }
    }

    /// The length of the longest chain so far.
    pub const fn longest(&self) -> u64 {
        self.longest
    }
}

#[cfg(test)]
mod tests {
    use duoram_reference::Role::{self, P0, P1, P2};

    use super::*;

    fn longest(events: &[(Role, Action, Role)]) -> u64 {
        let mut chains = Chains::default();
        for &(party, action, peer) in events {
            chains.follow(&Event {
                order: 0,
                party,
                action,
                peer: Some(peer),
                kind: String::new(),
                operation: 0,
                round: 0,
                items: [].into(),
                payload_bytes: 0,
                frame: None,
            });
        }
        chains.longest()
    }

    #[test]
    fn messages_side_by_side_count_once() {
        assert_eq!(longest(&[(P0, Action::Send, P1), (P0, Action::Send, P2), (P1, Action::Send, P0)]), 1);
    }

    #[test]
    fn answers_count_on() {
        let events = [
            (P0, Action::Send, P1),
            (P1, Action::Receive, P0),
            (P1, Action::Send, P2),
            (P2, Action::Send, P0),
            (P2, Action::Receive, P1),
            (P2, Action::Send, P0),
        ];
        assert_eq!(longest(&events), 3);
    }
}
