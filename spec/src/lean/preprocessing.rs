//! Preparing a batch of items, any number at once: what each party does, round by round.
//!
//! 1. P2 deals to P1; P0 and P1 exchange their moved shares of ri.
//! 2. For each level of the highest tree: operands, then openings. A layer's correction shares travel in the round after its
//!    depth is reached, which is a level's first or, at the bottom, one of its own.
//! 3. P0 gives P2 its keys of DPF a, P1 its keys of DPF b; after them go the shares of delta, to P2 and from P1 to P0.
//!
//! That is `1 + 2d + 2` messages one after another. The READ items of a batch come first; an item has DPF a, then DPF b.

use crate::core::block::Block;
use crate::core::distributed_gen::Operands;
use crate::core::prg::Prg;
use crate::core::ring::Ring;
use crate::core::share::Primary;
use crate::lean::dealing::{Deal, Dealt, deal, dealt_0, dealt_1};
use crate::lean::generation::{
    Growing, Input, begin, depth, flag_share, grown, has_level, level_opening, level_operands, moved,
    value_share, with_dealt, with_flag_correction, with_offset, with_word_correction, word_share,
};
use crate::lean::layers::{LayeredKey, Layers, Purpose, tree_depth};
use crate::lean::one_hot::low_bits;
use crate::lean::party::{Item0, Item1, Item2, Party0, Party1, Party2};
use crate::lean::tape::{
    PRIMARY_WORDS, Seed0, Seed1, common_value, delta_mask, item_stream, primary_randomness, ring_word,
    seed_0, seed_1,
};

/// The items of a batch, in order.
pub fn purposes(reads: usize, updates: usize) -> Vec<Purpose> {
    (0..reads.wrapping_add(updates))
        .map(|j: usize| if j < reads { Purpose::Read } else { Purpose::Update })
        .collect()
}

/// The levels of the highest tree of a batch.
pub fn batch_depth(log_size: usize, updates: usize) -> usize {
    tree_depth(log_size, if updates == 0 { Purpose::Read } else { Purpose::Update })
}

/// G of one DPF.
pub fn common<W: Ring>(words: &[u64], purpose: Purpose, dpf: usize) -> W {
    match purpose {
        Purpose::Read => W::zero(),
        Purpose::Update => common_value(words, dpf),
    }
}

// ---------------------------------------------------------------- round 0

/// P2 to P1: what it deals for each DPF. `R'_1` is a word of its own for each DPF with values.
pub fn deal_2<W: Ring, P>(p2: &Party2<W, P>, reads: usize, updates: usize) -> Vec<Deal<W>> {
    purposes(reads, updates)
        .iter()
        .enumerate()
        .flat_map(|(j, purpose): (usize, &Purpose)| {
            let number = p2.items.wrapping_add(j);
            let (words_0, words_1) = (item_stream(&p2.stream_02, number), item_stream(&p2.stream_12, number));
            let drawn = p2.drawn.wrapping_add(j.wrapping_sub(reads).wrapping_mul(2));
            let of_dpf = |dpf: usize| {
                let from_0: Seed0<W> = seed_0(&words_0, p2.log_size, *purpose, dpf);
                let from_1 = seed_1(&words_1, p2.log_size, *purpose, dpf);
                deal(&from_0, &from_1, *purpose, ring_word(&p2.tape, drawn.wrapping_add(dpf)))
            };
            vec![of_dpf(0), of_dpf(1)]
        })
        .collect()
}

/// P0's DPFs before the first message: all that P2 dealt is in its stream.
pub fn begin_0<W: Ring, P>(p0: &Party0<W, P>, reads: usize, updates: usize) -> Vec<Growing<W>> {
    purposes(reads, updates)
        .iter()
        .enumerate()
        .flat_map(|(j, purpose): (usize, &Purpose)| {
            let number = p0.items.wrapping_add(j);
            let own = primary_randomness(&p0.tape, p0.drawn.wrapping_add(j.wrapping_mul(PRIMARY_WORDS)));
            let (words_01, words_02) =
                (item_stream(&p0.stream_01, number), item_stream(&p0.stream_02, number));
            let of_dpf = |dpf: usize, root: Block| {
                let seed: Seed0<W> = seed_0(&words_02, p0.log_size, *purpose, dpf);
                let input = Input {
                    log_size: p0.log_size,
                    purpose: *purpose,
                    random_index: low_bits(own.random_index, p0.log_size),
                    root,
                    mask: seed.mask,
                    common: common(&words_01, *purpose, dpf),
                };
                begin(Primary::P0, &input, dealt_0(&seed))
            };
            vec![of_dpf(0, own.root_a), of_dpf(1, own.root_b)]
        })
        .collect()
}

/// P1's seeds of each DPF.
pub fn seeds_1<W: Ring, P>(p1: &Party1<W, P>, reads: usize, updates: usize) -> Vec<Seed1> {
    purposes(reads, updates)
        .iter()
        .enumerate()
        .flat_map(|(j, purpose): (usize, &Purpose)| {
            let words = item_stream(&p1.stream_12, p1.items.wrapping_add(j));
            vec![seed_1(&words, p1.log_size, *purpose, 0), seed_1(&words, p1.log_size, *purpose, 1)]
        })
        .collect()
}

/// P1's DPFs before the first message, without what P2 deals.
pub fn begin_1<W: Ring, P>(p1: &Party1<W, P>, reads: usize, updates: usize) -> Vec<Growing<W>> {
    purposes(reads, updates)
        .iter()
        .enumerate()
        .flat_map(|(j, purpose): (usize, &Purpose)| {
            let number = p1.items.wrapping_add(j);
            let own = primary_randomness(&p1.tape, p1.drawn.wrapping_add(j.wrapping_mul(PRIMARY_WORDS)));
            let (words_01, words_12) =
                (item_stream(&p1.stream_01, number), item_stream(&p1.stream_12, number));
            let of_dpf = |dpf: usize, root: Block| {
                let input = Input {
                    log_size: p1.log_size,
                    purpose: *purpose,
                    random_index: low_bits(own.random_index, p1.log_size),
                    root,
                    mask: seed_1(&words_12, p1.log_size, *purpose, dpf).mask,
                    common: common(&words_01, *purpose, dpf),
                };
                let nothing =
                    Dealt { triples: vec![], one_hot: 0, value_one_hot: vec![], value_share: W::zero() };
                begin(Primary::P1, &input, nothing)
            };
            vec![of_dpf(0, own.root_a), of_dpf(1, own.root_b)]
        })
        .collect()
}

/// P1's DPFs with what P2 dealt.
pub fn dealt_to_1<W: Ring>(batch: &[Growing<W>], seeds: &[Seed1], received: &[Deal<W>]) -> Vec<Growing<W>> {
    batch
        .iter()
        .zip(seeds.iter().zip(received.iter()))
        .map(|(growing, (seed, deal))| with_dealt(growing.clone(), dealt_1(seed, deal)))
        .collect()
}

/// To the other primary: the moved share of ri of each DPF.
pub fn moved_shares<W: Ring>(batch: &[Growing<W>]) -> Vec<u64> {
    batch.iter().map(|growing| moved(growing)).collect()
}

/// A primary's DPFs, with the other's moved shares.
pub fn with_offsets<W: Ring>(batch: &[Growing<W>], received: &[u64]) -> Vec<Growing<W>> {
    batch.iter().zip(received.iter()).map(|(growing, share)| with_offset(growing.clone(), *share)).collect()
}

// ---------------------------------------------------------------- the rounds of the tree

/// A primary's first message of a round. Each list has an entry a DPF: nothing for a DPF that sends nothing of the kind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Round<W> {
    /// Of the DPFs that have a level left.
    pub operands: Vec<Option<Operands>>,
    /// Shares of `CWf`, of the DPFs whose flag layer is at this depth.
    pub flags: Vec<Option<Block>>,
    /// Shares of `CWw`, of the DPFs whose word layer is at this depth.
    pub words: Vec<Option<Vec<W>>>,
}

/// Whether a DPF has its flag layer at the depth that it has reached, and no correction yet: `round` is the depth.
pub fn flags_due<W: Ring>(growing: &Growing<W>, round: usize) -> bool {
    depth(growing) == round && round == tree_depth(growing.log_size, Purpose::Read)
}

/// Whether a DPF has its word layer at the depth that it has reached.
pub fn words_due<W: Ring>(growing: &Growing<W>, round: usize) -> bool {
    let layer = match growing.purpose {
        Purpose::Read => false,
        Purpose::Update => round == tree_depth(growing.log_size, Purpose::Update),
    };
    layer && depth(growing) == round
}

/// A primary's first message of a round: the operands of the next level, and the correction shares of the layers at this depth.
pub fn round_message<W: Ring, P: Prg + Layers>(prg: &P, batch: &[Growing<W>], round: usize) -> Round<W> {
    Round {
        operands: batch
            .iter()
            .map(|growing| if has_level(growing) { Some(level_operands(prg, growing)) } else { None })
            .collect(),
        flags: batch
            .iter()
            .map(|growing| if flags_due(growing, round) { Some(flag_share(prg, growing)) } else { None })
            .collect(),
        words: batch
            .iter()
            .map(|growing| if words_due(growing, round) { Some(word_share(prg, growing)) } else { None })
            .collect(),
    }
}

/// A primary's second message of a round: the openings of the level.
pub fn round_opening<W: Ring, P: Prg>(
    prg: &P,
    batch: &[Growing<W>],
    received: &Round<W>,
) -> Vec<Option<Block>> {
    batch
        .iter()
        .zip(received.operands.iter())
        .map(|(growing, operands)| match operands {
            Some(operands) => Some(level_opening(prg, growing, operands)),
            None => None,
        })
        .collect()
}

/// A DPF after a round, from the other primary's messages.
pub fn after_round<W: Ring, P: Prg + Layers>(
    prg: &P,
    growing: Growing<W>,
    operands: &Option<Operands>,
    opening: &Option<Block>,
    flags: &Option<Block>,
    words: &Option<Vec<W>>,
) -> Growing<W> {
    let with_flags = match flags {
        Some(share) => with_flag_correction(prg, growing, *share),
        None => growing,
    };
    let with_words = match words {
        Some(share) => with_word_correction(prg, with_flags, share),
        None => with_flags,
    };
    match (operands, opening) {
        (Some(operands), Some(opening)) => grown(prg, with_words, operands, *opening),
        _ => with_words,
    }
}

/// A primary's DPFs after a round.
pub fn next_round<W: Ring, P: Prg + Layers>(
    prg: &P,
    batch: &[Growing<W>],
    received: &Round<W>,
    openings: &[Option<Block>],
) -> Vec<Growing<W>> {
    let levels = received.operands.iter().zip(openings.iter());
    let layers = received.flags.iter().zip(received.words.iter());
    batch
        .iter()
        .zip(levels.zip(layers))
        .map(|(growing, ((operands, opening), (flags, words)))| {
            after_round(prg, growing.clone(), operands, opening, flags, words)
        })
        .collect()
}

// ---------------------------------------------------------------- keys and delta

/// A primary to P2, for one item: the key and, in UPDATE items, behind all keys the share of delta.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HelperKey<W> {
    /// Whether the item has values.
    pub purpose: Purpose,
    /// Of DPF a from P0, of DPF b from P1.
    pub key: LayeredKey<W>,
    /// `q_b`
    pub delta_share: W,
}

/// `q_0 = f^a_0 - f^b_0 + x`, and `q_1 = f^a_1 - f^b_1 - x`, whose sum is delta. P2 learns no more from the shares than from
/// delta, x or not: it dealt `f^a_1` and `f^b_1` (`spec/tests/lean_views.rs`).
pub fn delta_share<W: Ring>(party: Primary, value_share_a: W, value_share_b: W, x: W) -> W {
    let difference = value_share_a.minus(value_share_b);
    match party {
        Primary::P0 => difference.plus(x),
        Primary::P1 => difference.minus(x),
    }
}

/// `q_b` of an item, whose streams of P0 and P1 are `words`.
pub fn item_delta_share<W: Ring>(party: Primary, a: &Growing<W>, b: &Growing<W>, words: &[u64]) -> W {
    match a.purpose {
        Purpose::Read => W::zero(),
        Purpose::Update => {
            delta_share(party, value_share(party, a), value_share(party, b), delta_mask(words))
        }
    }
}

/// The two DPFs of each item.
pub fn pairs<W: Ring>(batch: &[Growing<W>]) -> Vec<(Growing<W>, Growing<W>)> {
    (0..batch.len().wrapping_shr(1))
        .flat_map(|j: usize| {
            let first = j.wrapping_mul(2);
            match (batch.get(first), batch.get(first.wrapping_add(1))) {
                (Some(a), Some(b)) => vec![(a.clone(), b.clone())],
                _ => vec![],
            }
        })
        .collect()
}

/// P0 to P2: its keys of DPF a, and `q_0`.
pub fn keys_0<W: Ring, P>(p0: &Party0<W, P>, batch: &[Growing<W>]) -> Vec<HelperKey<W>> {
    pairs(batch)
        .iter()
        .enumerate()
        .map(|(j, (a, b)): (usize, &(Growing<W>, Growing<W>))| {
            let words = item_stream(&p0.stream_01, p0.items.wrapping_add(j));
            let delta_share = item_delta_share(Primary::P0, a, b, &words);
            HelperKey { purpose: a.purpose, key: a.key.clone(), delta_share }
        })
        .collect()
}

/// P1 to P2: its keys of DPF b, and `q_1`, which goes to P0 as well.
pub fn keys_1<W: Ring, P>(p1: &Party1<W, P>, batch: &[Growing<W>]) -> Vec<HelperKey<W>> {
    pairs(batch)
        .iter()
        .enumerate()
        .map(|(j, (a, b)): (usize, &(Growing<W>, Growing<W>))| {
            let words = item_stream(&p1.stream_01, p1.items.wrapping_add(j));
            let delta_share = item_delta_share(Primary::P1, a, b, &words);
            HelperKey { purpose: b.purpose, key: b.key.clone(), delta_share }
        })
        .collect()
}

/// P0 with the items of the batch, from P1's shares of delta, one an item.
pub fn prepared_0<W: Ring, P>(
    p0: Party0<W, P>,
    batch: &[Growing<W>],
    own: &[HelperKey<W>],
    received: &[W],
    reads: usize,
) -> Party0<W, P> {
    let shares = own.iter().zip(received.iter());
    let items: Vec<Item0<W>> = pairs(batch)
        .iter()
        .zip(shares)
        .enumerate()
        .map(|(j, ((a, b), (key, share))): (usize, (&(Growing<W>, Growing<W>), (&HelperKey<W>, &W)))| Item0 {
            number: p0.items.wrapping_add(j),
            random_index: a.random_index,
            key_a: a.key.clone(),
            key_b: b.key.clone(),
            value_share: value_share(Primary::P0, a),
            delta: key.delta_share.plus(*share),
        })
        .collect();
    let new_reads: Vec<Item0<W>> = items.iter().take(reads).cloned().collect();
    let new_updates: Vec<Item0<W>> = items.iter().skip(reads).cloned().collect();
    Party0 {
        drawn: p0.drawn.wrapping_add(items.len().wrapping_mul(PRIMARY_WORDS)),
        reads: [p0.reads.clone(), new_reads].concat(),
        updates: [p0.updates.clone(), new_updates].concat(),
        items: p0.items.wrapping_add(items.len()),
        ..p0
    }
}

/// P1 with its part of the items of the batch; its side of DPF b it forgets.
pub fn prepared_1<W: Ring, P>(p1: Party1<W, P>, batch: &[Growing<W>], reads: usize) -> Party1<W, P> {
    let items: Vec<Item1<W>> = pairs(batch)
        .iter()
        .enumerate()
        .map(|(j, (a, _)): (usize, &(Growing<W>, Growing<W>))| Item1 {
            number: p1.items.wrapping_add(j),
            random_index: a.random_index,
            key_a: a.key.clone(),
            value_share: value_share(Primary::P1, a),
        })
        .collect();
    let new_reads: Vec<Item1<W>> = items.iter().take(reads).cloned().collect();
    let new_updates: Vec<Item1<W>> = items.iter().skip(reads).cloned().collect();
    Party1 {
        drawn: p1.drawn.wrapping_add(items.len().wrapping_mul(PRIMARY_WORDS)),
        reads: [p1.reads.clone(), new_reads].concat(),
        updates: [p1.updates.clone(), new_updates].concat(),
        items: p1.items.wrapping_add(items.len()),
        ..p1
    }
}

/// P2 with its part, from the primaries' keys. It has used two words of its own for each UPDATE item.
pub fn prepared_2<W: Ring, P>(
    p2: Party2<W, P>,
    from_0: &[HelperKey<W>],
    from_1: &[HelperKey<W>],
    reads: usize,
) -> Party2<W, P> {
    let items: Vec<Item2<W>> = from_0
        .iter()
        .zip(from_1.iter())
        .enumerate()
        .map(|(j, (a, b)): (usize, (&HelperKey<W>, &HelperKey<W>))| Item2 {
            number: p2.items.wrapping_add(j),
            key_a: a.key.clone(),
            key_b: b.key.clone(),
            delta: a.delta_share.plus(b.delta_share),
        })
        .collect();
    let new_reads: Vec<Item2<W>> = items.iter().take(reads).cloned().collect();
    let new_updates: Vec<Item2<W>> = items.iter().skip(reads).cloned().collect();
    Party2 {
        drawn: p2.drawn.wrapping_add(new_updates.len().wrapping_mul(2)),
        reads: [p2.reads.clone(), new_reads].concat(),
        updates: [p2.updates.clone(), new_updates].concat(),
        items: p2.items.wrapping_add(items.len()),
        ..p2
    }
}
