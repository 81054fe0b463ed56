//! What two parties draw alike: from a seed of each pair, with nothing sent.

use zeroize::Zeroizing;

use crate::Word;
use crate::engine::PartyStream;
use crate::wire::Role;

/// The words of a seed, or of a contribution to one.
pub(crate) type SeedWords = [Word; 4];

/// The seeds that a party has in common with the two others.
pub(crate) struct Pairs {
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

    /// The seeds, to be saved: of the peers in order.
    pub(super) fn words(&self) -> Zeroizing<Vec<Word>> {
        Zeroizing::new(self.seeds.as_flattened().to_vec())
    }

    /// Puts back what [`Pairs::words`] has given.
    pub(super) fn set_words(&mut self, words: &[Word]) {
        self.seeds.as_flattened_mut().copy_from_slice(words);
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Both ends of a pair of parties, after the same contributions.
    fn ends() -> [Pairs; 2] {
        let mut ends = [Pairs::new(Role::P0), Pairs::new(Role::P2)];
        for (end, peer) in ends.iter_mut().zip([Role::P2, Role::P0]) {
            end.add(peer, &[1, 2, 3, 4]);
            end.add(peer, &[8, 8, 8, 8]);
            end.add(Role::P1, &[9; 4]);
        }
        ends
    }

    #[test]
    fn both_draw_alike() {
        let [zero, two] = ends();
        for number in 0..3 {
            let (mut own, mut theirs) = (zero.item(Role::P2, number), two.item(Role::P0, number));
            assert_eq!([(); 5].map(|()| own.word()), [(); 5].map(|()| theirs.word()));
        }
    }

    /// However much is drawn for one item, and by whom: the draws for all others are what they are.
    #[test]
    fn each_item_has_a_cursor_of_its_own() {
        let [zero, two] = ends();
        let mut first = zero.item(Role::P2, 0);
        (0..1000).for_each(|_| _ = first.word());
        assert_eq!(zero.item(Role::P2, 1).word(), two.item(Role::P0, 1).word());
        let mut words = vec![zero.load(Role::P2).word(), zero.load(Role::P1).word()];
        words.extend((0..10).map(|number| zero.item(Role::P2, number).word()));
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), 12);
    }

    /// The seed is the words' bytes in order, and the load's stream has the number 0.
    #[test]
    fn the_seed_is_the_sum_of_the_contributions() {
        let [zero, _] = ends();
        let seed: Vec<u8> = [9_u64, 10, 11, 12].into_iter().flat_map(u64::to_le_bytes).collect();
        let mut expected = PartyStream::new(seed.try_into().unwrap());
        assert_eq!(zero.load(Role::P2).word(), expected.word());
    }
}
