//! What these tests would see if a worker had the words of another range, if what one answers were lost on its way, or if workers were not
//! told of an UPDATE.

use std::sync::{Arc, Mutex};

use duoram_shards::{Cut, Sharded, Threads};

use crate::faulty::{Fault, Faulty, answers, seen};

#[test]
fn answers_differ_with_each_fault() {
    for fault in [Fault::None].into_iter().chain(Fault::ALL) {
        let fast = crate::fast(1);
        let threads = Arc::new(Mutex::new(Threads::start(3, &fast).unwrap()));
        let cut = Cut::new(vec![1, 1, 2], 3).unwrap();
        let faulty = Faulty { collective: threads, fault };
        seen(fault, &answers(&Sharded::new(Box::new(faulty), fast, &cut).unwrap()));
    }
}
