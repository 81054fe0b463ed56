//! Secrets are wiped, type by type: wiping clears every field, and dropping wipes. `wiped.rs` looks at what freed memory
//! holds.

use std::mem::needs_drop;

use duoram_reference::lean::message::{self, Beta, Deal, Hello, IndexOffset};
use duoram_reference::lean::{Alpha, Both, LayeredKey};
use duoram_reference::message::{AndTriple, ConversionOperands, ProductTriple, Triples};
use duoram_reference::two_party::{DpfKey, LeafSums, Memory};
use duoram_reference::{
    Correction, DpfShare, HelperMemory, HelperReadQuery, HelperUpdateQuery, PartyStream, PrimaryMemory,
    ReadQuery, SessionKey, UpdateQuery, two_party,
};
use zeroize::{Zeroize, ZeroizeOnDrop};

/// Dropping wipes.
const fn wipes_on_drop<T: ZeroizeOnDrop>() {
    assert!(needs_drop::<T>());
}

const _: () = {
    wipes_on_drop::<DpfShare>();
    wipes_on_drop::<SessionKey>();
    wipes_on_drop::<Triples>();
    wipes_on_drop::<ConversionOperands>();
    wipes_on_drop::<PrimaryMemory>();
    wipes_on_drop::<HelperMemory>();
    wipes_on_drop::<duoram_reference::dpf::Forest>();
    // Queries hold keys, each of which wipes itself.
    assert!(needs_drop::<ReadQuery>() && needs_drop::<HelperReadQuery>());
    assert!(needs_drop::<UpdateQuery>() && needs_drop::<HelperUpdateQuery>());
    assert!(needs_drop::<PartyStream>());
    // The lean protocol's.
    wipes_on_drop::<LayeredKey>();
    wipes_on_drop::<Both>();
    wipes_on_drop::<Alpha>();
    wipes_on_drop::<Deal>();
    wipes_on_drop::<IndexOffset>();
    assert!(needs_drop::<Hello>() && needs_drop::<message::Alpha>() && needs_drop::<Beta>());
    // That of two parties.
    wipes_on_drop::<DpfKey>();
    wipes_on_drop::<Memory>();
    assert!(needs_drop::<two_party::UpdateQuery>());
    assert!(needs_drop::<two_party::ot::Receiver>() && needs_drop::<two_party::ot::Sender>());
};

#[test]
fn a_wiped_key_holds_nothing() {
    let correction = Correction { word: 2, left_flag: true, right_flag: true };
    let mut share = DpfShare::for_test(1, vec![correction; 3], 5);
    share.zeroize();
    assert_eq!((*share.root(), share.conversion_factor()), (0, 0));
    assert!(share.corrections().is_empty());
    let mut correction = correction;
    correction.zeroize();
    assert_eq!(correction, Correction::default());
}

#[test]
fn a_wiped_lean_key_holds_nothing() {
    let correction = Correction { word: 2, left_flag: true, right_flag: true };
    let mut key = LayeredKey::for_test(1, vec![correction; 3], 5, vec![7; 8]);
    key.zeroize();
    assert_eq!((*key.root(), key.flag_correction()), (0, 0));
    assert!(key.corrections().is_empty() && key.value_correction().is_none());
}

#[test]
fn a_wiped_key_of_two_parties_holds_nothing() {
    let correction = Correction { word: 2, left_flag: true, right_flag: true };
    let mut key = DpfKey::for_test(1, vec![correction; 3], 5);
    key.zeroize();
    assert_eq!((*key.root(), key.inverse(), key.corrections().len()), (0, 0, 0));
    let mut sums = LeafSums { conversion_sum: 1, index_conversion_sum: 2, value_sum: 3 };
    sums.zeroize();
    assert_eq!(sums, LeafSums::default());
}

#[test]
fn a_wiped_memory_holds_nothing() {
    let mut memory = PrimaryMemory { memory_share: vec![1], blind: vec![2], blinded: vec![3] };
    memory.zeroize();
    assert!(memory.memory_share.is_empty() && memory.blind.is_empty() && memory.blinded.is_empty());
    let mut memory = HelperMemory { blind_0: vec![1], blind_1: vec![2] };
    memory.zeroize();
    assert!(memory.blind_0.is_empty() && memory.blind_1.is_empty());
    let mut memory = Both { alpha: vec![1], beta: vec![2], row_words: 1 };
    memory.zeroize();
    assert!(memory.alpha.is_empty() && memory.beta.is_empty());
    let mut memory = Alpha { alpha: vec![1], row_words: 1 };
    memory.zeroize();
    assert!(memory.alpha.is_empty());
    let mut memory = Memory { memory_share: vec![1] };
    memory.zeroize();
    assert!(memory.memory_share.is_empty());
}

#[test]
fn wiped_triples_hold_nothing() {
    let mut triple = AndTriple { x: true, y: 1, z: 2 };
    triple.zeroize();
    assert_eq!(triple, AndTriple::default());
    let mut triple = ProductTriple { x: 1, y: 2, z: 3 };
    triple.zeroize();
    assert_eq!(triple, ProductTriple::default());
    let mut triples =
        Triples { and: vec![triple_of_ones()], products: vec![ProductTriple { x: 1, y: 1, z: 1 }] };
    triples.zeroize();
    assert!(triples.and.is_empty() && triples.products.is_empty());
}

fn triple_of_ones() -> AndTriple {
    AndTriple { x: true, y: 1, z: 1 }
}

#[test]
fn a_wiped_session_key_holds_nothing() {
    let mut key = SessionKey::new([7; 16]);
    key.zeroize();
    assert_eq!(key.bytes(), &[0; 16]);
}
