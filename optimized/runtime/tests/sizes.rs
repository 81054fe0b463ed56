//! What a run will take, as it is computed before the run starts: batches, bytes of state, bytes in all.

use duoram_kernel::{Backend, Features, Workers};
use duoram_reference::lean::{self, Lean};
use duoram_reference::message::{TreeShape, Triples};
use duoram_reference::{Batch, Compute as _, MAX_PAYLOAD, Message as _, Paper, Parameters, Plain, SessionId};
use duoram_runtime::Error;
use duoram_runtime::budget::{Budget, DEFAULT_TREE_BYTES, require_memory};
use duoram_runtime::fast::Fast;
use duoram_runtime::local_computation::{Extent, Footprint, LocalComputation as _};
use duoram_runtime::protocol::Runs as _;

/// The kernels on this CPU, two threads.
fn fast(tree_bytes: u64) -> Fast {
    Fast::new(Backend::best(&Features::detect()), Workers::new(2).unwrap(), tree_bytes)
}

#[test]
fn the_kernels_keep_16_bytes_a_word_for_each_party() {
    let fast = fast(1 << 20);
    for log_size in [1, 4, 13] {
        let bytes = 16 << log_size;
        assert_eq!(Paper::footprint(&fast).state_bytes(Extent::of_words(log_size)), [bytes; 3]);
        let (primary, helper) = (fast.zero_primary_memory(log_size), fast.zero_helper_memory(log_size));
        let held =
            |vectors: [&[u64]; 2]| vectors.map(|vector| size_of_val(vector) as u64).iter().sum::<u64>();
        assert_eq!(held([primary.combined(), primary.blind()]), bytes);
        assert_eq!(held([helper.blind_0(), helper.blind_1()]), bytes);
    }
    assert_eq!(fast.zero_helper_memory(13).blind_0(), vec![0; 1 << 13]);
    assert_eq!(fast.threads(), 2);
    assert_eq!(fast.name(), Backend::best(&Features::detect()).name().as_str());
}

#[test]
fn a_session_takes_three_states_and_the_trees_of_two_primaries() {
    // How deep trees are stored depends on what AES costs on this CPU: from the roots, 16 bytes each, three an item, in two
    // primaries, to the level above the leaves, with a flag a label.
    let trees = Paper::footprint(&fast(1 << 20)).session_bytes(Extent::of_words(3), 5) - 48 * 8;
    assert!((2 * 3 * 5 * 16..=2 * 3 * 5 * (16 + 4) * 4).contains(&trees), "{trees}");
    // Never beyond what was allowed, and not far below it where that is what binds.
    let most = 3 * (17 << 9);
    let trees = Paper::footprint(&fast(most)).session_bytes(Extent::of_words(20), 1) - (48 << 20);
    assert!((most..=2 * most).contains(&trees), "{trees}");
    assert_eq!(
        Paper::footprint(&fast(0)).item_bytes(Extent::of_words(20)),
        0,
        "a batch is never cut for its labels"
    );
    assert_eq!(Paper::footprint(&Plain).session_bytes(Extent::of_words(3), 5), 208 * 8 + 2 * 5 * 72 * 8);
    assert_eq!(Paper::footprint(&Plain).item_bytes(Extent::of_words(3)), 72 * 8);
}

#[test]
fn a_batch_is_as_large_as_memory_and_messages_allow() {
    let batch =
        |tree_bytes, log_size| Budget::new::<Paper, _>(&Plain, tree_bytes, Extent::of_words(log_size)).batch;
    assert_eq!(batch(5 * (72 << 10), 10), 5);
    assert_eq!(batch(5 * (72 << 10) - 1, 10), 4);
    assert_eq!(batch(0, 10), 1, "one at least");
    assert_eq!(batch(DEFAULT_TREE_BYTES, 20), 14, "a gigabyte of labels");
    for log_size in [1, 20, 40] {
        let most = Budget::new::<Paper, _>(&fast(0), 0, Extent::of_words(log_size)).batch;
        let length = Triples::length(TreeShape { log_size, dpfs: 3 * most }).bytes();
        assert!(length <= MAX_PAYLOAD, "{log_size}: the longest message of {most} items is too long");
        assert!(most >= 256, "{log_size}: {most} items hardly fill a message");
    }
}

#[test]
fn what_a_session_takes_does_not_grow_with_its_operations() {
    let fast = fast(1 << 30);
    for log_size in [1, 10, 20] {
        let extent = Extent::of_words(log_size);
        let budget = Budget::new::<Paper, _>(&fast, 1 << 30, extent);
        let bytes = |items| budget.session_bytes::<Paper, _>(&fast, extent, items);
        assert!(bytes(10) < bytes(1000) && bytes(1000) < bytes(budget.stock), "{log_size}");
        assert_eq!(bytes(budget.stock), bytes(1 << 20), "{log_size}");
        let states: u64 = Paper::footprint(&fast).state_bytes(Extent::of_words(log_size)).iter().sum();
        assert!(bytes(1 << 20) < states + (3 << 30), "{log_size}");
    }
}

#[test]
fn a_demand_is_cut_into_full_batches_reads_first() {
    let cut = |batch, reads, updates| {
        let batches = Budget { batch, stock: 1, queries: 1 }.batches(Batch { reads, updates });
        batches.iter().map(|batch| (batch.reads, batch.updates)).collect::<Vec<_>>()
    };
    assert_eq!(cut(4, 5, 6), [(4, 0), (1, 3), (0, 3)]);
    assert_eq!(cut(4, 4, 0), [(4, 0)]);
    assert_eq!(cut(4, 0, 1), [(0, 1)]);
    assert_eq!(cut(4, 0, 0), []);
}

#[test]
fn a_memory_that_this_machine_has_no_room_for_is_refused_by_its_size() {
    let parameters = |log_size| Parameters::new(SessionId([0; 16]), log_size).unwrap();
    let budget = Budget { batch: 1, stock: 1, queries: 1 };
    assert!(require_memory::<Paper, _>(&Plain, parameters(1), &budget, 1, 0).is_ok());
    if duoram_runtime::resources::available_bytes().is_none() {
        println!("refusal: not tested, this system does not say how much memory is left");
        return;
    }
    for more in [0, 24 << 40] {
        let Err(Error::NotEnoughMemory {
            extent: Extent { log_size: 40, row_words: 1, .. },
            needed,
            available,
        }) = require_memory::<Paper, _>(&Plain, parameters(40), &budget, 2, more)
        else {
            panic!("terabytes were not refused")
        };
        assert_eq!(needed, budget.session_bytes::<Paper, _>(&Plain, Extent::of_words(40), 2) + more);
        assert!(available < needed);
    }
    assert!(
        require_memory::<Paper, _>(&Plain, parameters(1), &budget, 1, u64::MAX).is_err(),
        "what is kept beside counts"
    );
}

/// Vectors are w times as long, and an UPDATE item's keys end in eight rows each: with w = 1 nothing is other than without rows.
#[test]
fn rows_count_with_all_their_words() {
    let fast = fast(1 << 30);
    for log_size in [1, 7, 13] {
        let words = Extent::of_words(log_size);
        for row_words in [2, 3, 512] {
            let rows = Extent::of(log_size, row_words);
            let w = row_words as u64;
            let held = lean::Compute::zero_both(&fast, 1 << log_size, row_words);
            let vector = size_of_val(held.alpha()) as u64;
            assert_eq!(Lean::footprint(&fast).state_bytes(rows), [2 * vector, vector, 2 * vector]);
            for computation in [&fast as &dyn Footprint<Lean>, &lean::Plain] {
                let more = computation.session_bytes(rows, 3) - computation.session_bytes(words, 3);
                assert!(more >= 5 * (w - 1) * (8 << log_size), "five vectors: {more}");
                let kept = computation.kept_bytes(rows) - computation.kept_bytes(words);
                assert!(kept >= 2 * 64 * (w - 1), "the corrections of two keys: {kept}");
                assert_eq!(computation.item_bytes(rows), computation.item_bytes(words), "labels are as many");
            }
            let of = |extent| Budget::new::<Lean, _>(&fast, 1 << 30, extent);
            let bytes = |extent| of(extent).session_bytes::<Lean, _>(&fast, extent, 1 << 20);
            assert!(bytes(rows) > bytes(words) && of(rows).batch <= of(words).batch, "{rows}");
        }
    }
}

/// The longest message of a batch of UPDATE items over the longest rows fits a frame, and so do a step's.
#[test]
fn a_batch_of_rows_fits_its_messages() {
    for (log_size, row_words) in [(1, 512), (20, 512), (1, 2), (20, 65)] {
        let extent = Extent::of(log_size, row_words);
        let Budget { batch, queries, .. } = Budget::new::<Lean, _>(&fast(0), 1 << 30, extent);
        // Kind 4: nine rows for each of two DPFs.
        assert!(batch * 2 * 9 * 8 * row_words <= MAX_PAYLOAD, "{extent}: {batch} items");
        assert!(queries * 8 * (1 + row_words) <= MAX_PAYLOAD, "{extent}: {queries} queries");
        assert!(batch >= 16, "{extent}: {batch} items");
    }
}

#[test]
fn a_memory_of_rows_is_refused_by_its_rows() {
    let parameters = Parameters::new(SessionId([0; 16]), 38).unwrap().with_row_words(512).unwrap();
    let budget = Budget { batch: 1, stock: 1, queries: 1 };
    if duoram_runtime::resources::available_bytes().is_none() {
        println!("refusal: not tested, this system does not say how much memory is left");
        return;
    }
    let refused = require_memory::<Lean, _>(&lean::Plain, parameters, &budget, 1, 0).unwrap_err().to_string();
    assert!(refused.starts_with("a memory of 2^38 rows of 512 words needs about "), "{refused}");
}
