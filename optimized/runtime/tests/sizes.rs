//! What a run will take, as it is computed before the run starts: batches, bytes of state, bytes in all.
#![allow(missing_docs)]

use duoram_kernel::{Backend, Features, Workers};
use duoram_reference::message::{TreeShape, Triples};
use duoram_reference::{Batch, Compute as _, MAX_PAYLOAD, Message as _, Parameters, Plain, SessionId};
use duoram_runtime::Error;
use duoram_runtime::budget::{DEFAULT_TREE_BYTES, batch_items, batches, require_memory};
use duoram_runtime::fast::Fast;
use duoram_runtime::local_computation::LocalComputation as _;

/// The kernels on this CPU, two threads.
fn fast(tree_bytes: u64) -> Fast {
    Fast::new(Backend::best(&Features::detect()), Workers::new(2).unwrap(), tree_bytes)
}

#[test]
fn the_kernels_keep_16_bytes_a_word_for_each_party() {
    let fast = fast(1 << 20);
    for log_size in [1, 4, 13] {
        let bytes = 16 << log_size;
        assert_eq!(fast.state_bytes(log_size), [bytes; 3]);
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
    // Trees of height 3 store their roots only: 16 bytes each, three an item, in two primaries.
    assert_eq!(fast(1 << 20).session_bytes(3, 5), 48 * 8 + 2 * 3 * 5 * 16);
    // With room for level 9 of three trees, that is what they store.
    assert_eq!(fast(3 * (16 << 9)).session_bytes(20, 1), (48 << 20) + 2 * 3 * (16 << 9));
    assert_eq!(fast(0).item_bytes(20), 0, "a batch is never cut for its labels");
    assert_eq!(Plain.session_bytes(3, 5), 208 * 8 + 2 * 5 * 72 * 8);
    assert_eq!(Plain.item_bytes(3), 72 * 8);
}

#[test]
fn a_batch_is_as_large_as_memory_and_messages_allow() {
    assert_eq!(batch_items(&Plain, 5 * (72 << 10), 10), 5);
    assert_eq!(batch_items(&Plain, 5 * (72 << 10) - 1, 10), 4);
    assert_eq!(batch_items(&Plain, 0, 10), 1, "one at least");
    assert_eq!(batch_items(&Plain, DEFAULT_TREE_BYTES, 20), 14, "a gigabyte of labels");
    for log_size in [1, 20, 40] {
        let most = batch_items(&fast(0), 0, log_size);
        let length = |items| Triples::length(TreeShape { log_size, dpfs: 3 * items }).bytes();
        assert!(length(most) <= MAX_PAYLOAD, "{log_size}: the longest message of {most} items is too long");
        assert!(length(most + most / 10) > MAX_PAYLOAD, "{log_size}: {most} items leave a tenth unused");
    }
}

#[test]
fn a_demand_is_cut_into_full_batches_reads_first() {
    let cut = |most, reads, updates| {
        let batches = batches(most, Batch { reads, updates });
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
    assert!(require_memory(&Plain, parameters(1), 1, true).is_ok());
    if duoram_runtime::resources::available_bytes().is_none() {
        println!("refusal: not tested, this system does not say how much memory is left");
        return;
    }
    for (checked, owner) in [(false, 24), (true, 160)] {
        let Err(Error::NotEnoughMemory { log_size: 40, needed, available }) =
            require_memory(&Plain, parameters(40), 2, checked)
        else {
            panic!("terabytes were not refused")
        };
        assert_eq!(needed, Plain.session_bytes(40, 2) + (owner << 40));
        assert!(available < needed);
    }
}
