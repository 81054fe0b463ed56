//! Items have numbers: counted over the session in the order in which they are made, alike at all parties, used once.

use crate::common::World;
use duoram_reference::{Batch, Role, Word};

/// The numbers in use at each party, right after a step was started at all three.
fn in_use(world: &World) -> [Vec<u64>; 3] {
    Role::ALL.map(|role| world.session.party(role).items())
}

fn all_three(numbers: &[u64]) -> [Vec<u64>; 3] {
    [(); 3].map(|()| numbers.to_vec())
}

impl World {
    fn start_preprocess(&mut self, batch: Batch) -> [Vec<u64>; 3] {
        self.start(|world| {
            for role in Role::ALL {
                let frames = world.session.party_mut(role).preprocess(batch).unwrap();
                world.session.post(frames);
            }
        })
    }

    fn start_read(&mut self, addresses: &[Word]) -> [Vec<u64>; 3] {
        let shares = self.masks.share(addresses);
        self.start(|world| {
            for (b, shares) in shares.iter().enumerate() {
                let frames = world.session.primaries_mut()[b].read(shares).unwrap();
                world.session.post(frames);
            }
            world.session.helper_mut().read(addresses.len()).unwrap();
        })
    }

    fn start_update(&mut self, address: Word) -> [Vec<u64>; 3] {
        let shares = self.masks.share(&[address, 1]);
        self.start(|world| {
            for (b, shares) in shares.iter().enumerate() {
                let frames = world.session.primaries_mut()[b].update(&[(shares[0], shares[1])]).unwrap();
                world.session.post(frames);
            }
            world.session.helper_mut().update(1).unwrap();
        })
    }

    /// Starts a step, and takes it to its end; at every moment a party has the step's items or, before and after, none.
    fn start(&mut self, start: impl FnOnce(&mut Self)) -> [Vec<u64>; 3] {
        assert_eq!(in_use(self), all_three(&[]));
        start(self);
        let started = in_use(self);
        while self.session.deliver().unwrap() {
            for (now, of_step) in in_use(self).iter().zip(&started) {
                assert!(now.is_empty() || now == of_step, "{now:?} within the step of {of_step:?}");
            }
        }
        assert_eq!(in_use(self), all_three(&[]));
        started
    }
}

#[test]
fn numbers_go_on_from_batch_to_batch_reads_first() {
    let mut world = World::new(3, 5, true);
    // READ items 0, 1, 2 and UPDATE items 3, 4; then READ item 5 and UPDATE item 6.
    assert_eq!(world.start_preprocess(Batch { reads: 3, updates: 2 }), all_three(&[0, 1, 2, 3, 4]));
    assert_eq!(world.start_read(&[1, 2]), all_three(&[0, 1]));
    assert_eq!(world.start_preprocess(Batch { reads: 1, updates: 1 }), all_three(&[5, 6]));
    assert_eq!(world.start_update(7), all_three(&[3]));
    assert_eq!(world.start_read(&[0, 7]), all_three(&[2, 5]));
    assert_eq!(world.start_update(7), all_three(&[4]));
    assert_eq!(world.start_update(0), all_three(&[6]));
}

#[test]
fn a_write_uses_a_read_item_and_then_an_update_item() {
    let mut world = World::new(2, 6, false);
    world.session.preprocess(Batch { reads: 2, updates: 2 }).unwrap();
    let mut seen = [(); 3].map(|()| Vec::new());
    for _ in 0..2 {
        let shares = world.masks.share(&[3, 9]);
        for (b, shares) in shares.iter().enumerate() {
            let frames = world.session.primaries_mut()[b].write(shares[0], shares[1]).unwrap();
            world.session.post(frames);
        }
        world.session.helper_mut().write().unwrap();
        loop {
            for (seen, now) in seen.iter_mut().zip(in_use(&world)) {
                if seen.last() != Some(&now) {
                    seen.push(now);
                }
            }
            if !world.session.deliver().unwrap() {
                break;
            }
        }
    }
    let expected: Vec<Vec<u64>> = vec![vec![0], vec![2], vec![], vec![1], vec![3], vec![]];
    assert_eq!(seen, [(); 3].map(|()| expected.clone()));
}

/// What is refused takes no item and gives no number.
#[test]
fn refused_steps_leave_the_numbers_alone() {
    let mut world = World::new(2, 7, false);
    let none = Batch { reads: 0, updates: 0 };
    for role in Role::ALL {
        assert!(world.session.party_mut(role).preprocess(none).is_err());
    }
    assert!(world.session.primaries_mut()[0].read(&[1]).is_err());
    assert_eq!(world.start_preprocess(Batch { reads: 1, updates: 0 }), all_three(&[0]));
    assert!(world.session.primaries_mut()[1].read(&[1, 2]).is_err());
    assert_eq!(world.start_read(&[1]), all_three(&[0]));
}
