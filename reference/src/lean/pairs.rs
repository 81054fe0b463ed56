//! What two parties draw alike: from a seed of each pair, with nothing sent.

use zeroize::Zeroizing;

use crate::Word;
use crate::engine::PartyStream;
use crate::wire::Role;

/// The words of a seed, or of a contribution to one.
pub(super) type SeedWords = [Word; 4];

/// The seeds that a party has in common with the two others.
pub(super) struct Pairs {
    peers: [Role; 2],
    /// In a place of their own, by the number of the peer.
    seeds: Zeroizing<Vec<SeedWords>>,
}

impl Pairs {
    /// Before the parties have connected: no stream is drawn from by then.
    pub(super) fn new(role: Role) -> Self {
        Self { peers: role.peers(), seeds: Zeroizing::new(vec![[0; 4]; 2]) }
    }

    /// Adds a contribution to the seed that is shared with a peer.
    pub(super) fn add(&mut self, peer: Role, contribution: &SeedWords) {
        let place = self.place(peer);
        self.seeds[place].iter_mut().zip(contribution).for_each(|(word, theirs)| *word ^= theirs);
    }

    /// The stream for the load.
    pub(super) fn load(&self, peer: Role) -> PartyStream {
        self.stream(peer, 0)
    }

    /// The stream for one item, by its number in the session: whatever becomes of a step, no other item's draws shift.
    pub(super) fn item(&self, peer: Role, number: u64) -> PartyStream {
        self.stream(peer, number + 1)
    }

    fn stream(&self, peer: Role, number: u64) -> PartyStream {
        let mut seed = Zeroizing::new([0; 32]);
        for (bytes, word) in seed.as_chunks_mut().0.iter_mut().zip(self.seeds[self.place(peer)]) {
            *bytes = word.to_le_bytes();
        }
        PartyStream::numbered(&seed, number)
    }

    fn place(&self, peer: Role) -> usize {
        usize::from(peer != self.peers[0])
    }
}
