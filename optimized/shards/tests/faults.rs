//! What these tests would see if a worker had the words of another range, if what one answers were lost on its way, or if workers were not
//! told of an UPDATE.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use duoram_reference::{Compute, Correction};
use duoram_shards::{Cut, Sharded, Threads};

use crate::faulty::{Fault, Faulty, answers, seen};
use crate::states::key;

#[test]
fn answers_differ_with_each_fault() {
    for fault in [Fault::None].into_iter().chain(Fault::ALL) {
        let fast = crate::fast(1);
        let threads = Arc::new(Mutex::new(Threads::start(3, &fast, None).unwrap()));
        let cut = Cut::new(vec![1, 1, 2], 3).unwrap();
        let faulty = Box::new(Faulty::new(&threads, fault));
        seen(fault, &answers(&Sharded::new(faulty, fast, &cut, None).unwrap()));
    }
}

/// Below the split: what the corrections of a level need goes out with the request for the next one.
#[test]
fn a_level_of_all_trees_costs_one_broadcast_and_one_reduce() {
    const LOG_SIZE: u32 = 9;
    let fast = crate::fast(1);
    let threads = Arc::new(Mutex::new(Threads::start(4, &fast, None).unwrap()));
    let counted = Faulty::new(&threads, Fault::None);
    let calls = Arc::clone(&counted.calls);
    let sharded = Sharded::new(Box::new(counted), fast, &Cut::even(4), None).unwrap();
    let said = || [&calls.broadcasts, &calls.reduces].map(|calls| calls.load(Ordering::SeqCst));
    let mut forest = Compute::plant(&sharded, &key(), vec![1, 2, 3], LOG_SIZE);
    let level = |forest: &mut _| {
        let before = said();
        assert_eq!(Compute::grow(&sharded, forest).len(), 3);
        Compute::correct(&sharded, forest, &[Correction::default(); 3]);
        let after = said();
        [after[0] - before[0], after[1] - before[1]]
    };
    // Rank 0 alone, and then it hands them over.
    assert_eq!([(); 2].map(|()| level(&mut forest)), [[0, 0], [1, 0]]);
    for _ in 2..LOG_SIZE {
        assert_eq!(level(&mut forest), [1, 1]);
    }
    Compute::leaf_sums(&sharded, forest);
}
