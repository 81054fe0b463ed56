//! The links: in order while they last, as late as they please, and cut off anywhere.

use std::collections::VecDeque;

use duoram_reference::{Lane, Role};
use duoram_vectors::Random;
use zeroize::Zeroizing;

use crate::choice::below;

/// What is on a link.
pub(crate) enum Packet {
    /// The first: how many frames of the receiver are on the sender's disk.
    Hello([u64; 2]),
    /// A frame, with its lane and its number there.
    Frame(Lane, u64, Zeroizing<Vec<u8>>),
    /// So many frames of a lane are on disk.
    Acknowledge(Lane, u64),
    /// The last: the receiver finds out that the link is down.
    Down,
}

/// All of them: of a party that takes no part, none is ever up.
#[derive(Default)]
pub(crate) struct Links {
    /// From, to.
    queues: [[VecDeque<Packet>; 3]; 3],
    /// Whether what is put on the link comes out at the other end.
    whole: [[bool; 3]; 3],
    /// Whether a party believes that its link to another is up.
    up: [[bool; 3]; 3],
}

impl Links {
    /// Whether a party has to find out that a link is down, or may make a new one.
    pub(crate) fn are_down(&self, a: Role, b: Role) -> bool {
        !self.up[a.index()][b.index()] && !self.up[b.index()][a.index()]
    }

    pub(crate) fn is_whole(&self, a: Role, b: Role) -> bool {
        self.whole[a.index()][b.index()]
    }

    /// A new link, on which both say hello.
    pub(crate) fn connect(&mut self, a: Role, b: Role, hello_a: [u64; 2], hello_b: [u64; 2]) {
        for (from, to, hello) in [(a, b, hello_a), (b, a, hello_b)] {
            let (from, to) = (from.index(), to.index());
            self.queues[from][to] = [Packet::Hello(hello)].into();
            (self.whole[from][to], self.up[from][to]) = (true, true);
        }
    }

    /// Sends; into nothing, if the link is down and the sender does not know.
    pub(crate) fn send(&mut self, from: Role, to: Role, packet: Packet) {
        if self.is_whole(from, to) {
            self.queues[from.index()][to.index()].push_back(packet);
        }
    }

    pub(crate) fn waiting(&self, from: Role, to: Role) -> usize {
        self.queues[from.index()][to.index()].len()
    }

    pub(crate) fn receive(&mut self, from: Role, to: Role) -> Option<Packet> {
        let packet = self.queues[from.index()][to.index()].pop_front();
        if matches!(packet, Some(Packet::Down)) {
            self.up[to.index()][from.index()] = false;
        }
        packet
    }

    /// What is on the way is lost from some packet on, and the receiver finds out after those before.
    fn lose_suffix(&mut self, from: Role, to: Role, random: &mut Random) {
        let queue = &mut self.queues[from.index()][to.index()];
        queue.truncate(below(random, queue.len() + 1));
        queue.push_back(Packet::Down);
        self.whole[from.index()][to.index()] = false;
    }

    /// A link breaks, and both find out.
    pub(crate) fn cut(&mut self, a: Role, b: Role, random: &mut Random) {
        self.lose_suffix(a, b, random);
        self.lose_suffix(b, a, random);
    }

    /// A party crashes: what was on its way to it is lost, and of what it had sent any part from the end.
    pub(crate) fn crash(&mut self, party: Role, random: &mut Random) {
        for peer in party.peers() {
            if self.is_whole(party, peer) {
                self.lose_suffix(party, peer, random);
            }
            self.queues[peer.index()][party.index()].clear();
            self.whole[peer.index()][party.index()] = false;
            self.up[party.index()][peer.index()] = false;
        }
    }
}
