//! The lean protocol, over words mod 2^64, which the formulas that do not need a boolean ring are right for too.

use super::sessions::Few;
use crate::random::{Exactly, Random, Rng};
use crate::rocq::Rocq;
use crate::toy::Toy;
use crate::{Vectors, case, given};
use duoram_spec::core::distributed_gen::Operands;
use duoram_spec::core::dpf::Key;
use duoram_spec::core::prg::AesPrg;
use duoram_spec::core::share::Primary;
use duoram_spec::lean::dealing::{self, Deal, Dealt};
use duoram_spec::lean::generation::{self, Growing, Input};
use duoram_spec::lean::layers::{self, LayeredKey, Layers, Purpose};
use duoram_spec::lean::memory::{self, State, State0, State1, State2};
use duoram_spec::lean::online::{self, Query, UpdateMessage};
use duoram_spec::lean::party::{self, Hello, Item0, Item1, Item2, Party0, Party1, Party2};
use duoram_spec::lean::preprocessing::{self, HelperKey, Round};
use duoram_spec::lean::read::{self, Flags, Read};
use duoram_spec::lean::session::{self, Batch, Sent, Session, Streams};
use duoram_spec::lean::tape::{self, PairStreams, Seed0, Seed1, TripleSeed};
use duoram_spec::lean::update::{self, Material};
use duoram_spec::lean::write::{self, Masks, Swap};
use duoram_spec::lean::{lemmas, one_hot, payload};

type Words = Vec<u64>;

/// A height of 0 to 3: memories of up to 8 words.
#[derive(Clone, Copy)]
struct Height(usize);

impl Random for Height {
    fn random(rng: &mut Rng) -> Height {
        Height(rng.below(4) as usize)
    }
}

impl Rocq for Height {
    fn rocq(&self) -> String {
        self.0.rocq()
    }
}

pub fn formulas(v: &mut Vectors) {
    case!(v, 3, "lean::memory::initial", " u64", |n: usize| memory::initial::<u64>(n));
    case!(
        v,
        3,
        "lean::memory::loaded_alpha_0",
        "",
        |memory_share_0: Words, x: Words| memory::loaded_alpha_0(&memory_share_0, &x)
    );
    case!(
        v,
        3,
        "lean::memory::loaded_alpha_1",
        "",
        |memory_share_1: Words, x: Words| memory::loaded_alpha_1(&memory_share_1, &x)
    );
    case!(v, 3, "lean::memory::masked_share", "", |memory_share_1: Words, beta_2: Words| {
        memory::masked_share(&memory_share_1, &beta_2)
    });
    case!(v, 3, "lean::memory::loaded_beta_0", "", |memory_share_0: Words, received: Words| {
        memory::loaded_beta_0(&memory_share_0, &received)
    });
    case!(v, 3, "lean::memory::shared", "", |memory_share_0: Words,
                                             memory_share_1: Words,
                                             x: Words,
                                             b: Words| {
        memory::shared(&memory_share_0, &memory_share_1, &x, &b)
    });
    case!(v, 3, "lean::memory::opened_alpha", "", |state: State<u64>| memory::opened_alpha(&state));
    case!(v, 3, "lean::memory::opened_beta", "", |state: State<u64>| memory::opened_beta(&state));

    case!(v, 3, "lean::read::shift_share", "", |address_share: u64, random_index: u64, n: usize| {
        read::shift_share(address_share, random_index, n)
    });
    case!(v, 3, "lean::read::reconstruct_shift", "", |shift_0: u64, shift_1: u64| read::reconstruct_shift(
        shift_0, shift_1
    ));
    case!(v, 3, "lean::read::moved", "", |flags: Flags<u64>, s: u64| read::moved(&flags, s));
    case!(v, 3, "lean::read::partial_0", "", |state: State0<u64>, a_0: Words, b_0: Words| read::partial_0(
        &state, &a_0, &b_0
    ));
    case!(v, 3, "lean::read::partial_1", "", |state: State1<u64>, a_1: Words| read::partial_1(&state, &a_1));
    case!(v, 3, "lean::read::partial_2", "", |state: State2<u64>, a_0: Words, b_1: Words| read::partial_2(
        &state, &a_0, &b_1
    ));
    case!(v, 3, "lean::read::unblinding", "", |partial: u64, mask: u64| read::unblinding(partial, mask));
    case!(v, 3, "lean::read::read_share_0", "", |partial: u64, unblinding: u64| read::read_share_0(
        partial, unblinding
    ));
    case!(v, 3, "lean::read::read_share_1", "", |partial: u64, mask: u64| read::read_share_1(partial, mask));
    case!(v, 3, "lean::read::read", "", |state: State<u64>,
                                         flags: Flags<u64>,
                                         n: usize,
                                         random_index: (u64, u64),
                                         address_shares: (u64, u64),
                                         mask: u64| read::read(
        &state,
        &flags,
        n,
        random_index,
        address_shares,
        mask
    ));
    case!(v, 3, "lean::read::opened_flags", "", |flags: Flags<u64>| read::opened_flags(&flags));

    case!(v, 3, "lean::update::masked_value_0", "", |m: u64, value_share: u64, x: u64| {
        update::masked_value_0(m, value_share, x)
    });
    case!(v, 3, "lean::update::masked_value_1", "", |m: u64, value_share: u64, x: u64| {
        update::masked_value_1(m, value_share, x)
    });
    case!(v, 3, "lean::update::final_correction_a", "", |masked_0: u64, masked_1: u64| {
        update::final_correction_a(masked_0, masked_1)
    });
    case!(v, 3, "lean::update::final_correction_b", "", |final_correction_a: u64, delta: u64| {
        update::final_correction_b(final_correction_a, delta)
    });
    case!(
        v,
        3,
        "lean::update::update_vector",
        "",
        |values: Words, flags: Words, final_correction: u64, s: u64| update::update_vector(
            &values,
            &flags,
            final_correction,
            s
        )
    );
    case!(v, 3, "lean::update::updated_0", "", |state: State0<u64>, w_a_0: Words, w_b_0: Words| {
        update::updated_0(&state, &w_a_0, &w_b_0)
    });
    case!(v, 3, "lean::update::updated_1", "", |state: State1<u64>, w_a_1: Words| update::updated_1(
        &state, &w_a_1
    ));
    case!(v, 3, "lean::update::updated_2", "", |state: State2<u64>, w_a_0: Words, w_b_1: Words| {
        update::updated_2(&state, &w_a_0, &w_b_1)
    });
    case!(
        v,
        3,
        "lean::update::apply",
        "",
        |state: State<u64>, material: Material<u64>, s: u64, final_correction: u64| update::apply(
            &state,
            &material,
            s,
            final_correction
        )
    );
    case!(v, 3, "lean::update::update", "", |state: State<u64>,
                                             material: Material<u64>,
                                             n: usize,
                                             random_index: (u64, u64),
                                             address_shares: (u64, u64),
                                             value: (u64, u64),
                                             x: u64| {
        update::update(&state, &material, n, random_index, address_shares, value, x)
    });

    case!(
        v,
        3,
        "lean::write::masked_part_0",
        "",
        |m: u64, partial: u64, value_share: u64, y_01: u64, y_02: u64| write::masked_part_0(
            m,
            partial,
            value_share,
            y_01,
            y_02
        )
    );
    case!(
        v,
        3,
        "lean::write::masked_part_1",
        "",
        |m: u64, partial: u64, value_share: u64, y_01: u64, y_12: u64| write::masked_part_1(
            m,
            partial,
            value_share,
            y_01,
            y_12
        )
    );
    case!(v, 3, "lean::write::masked_part_2", "", |partial: u64, y_02: u64, y_12: u64| write::masked_part_2(
        partial, y_02, y_12
    ));
    case!(v, 3, "lean::write::final_correction", "", |part_0: u64, part_1: u64, part_2: u64| {
        write::final_correction(part_0, part_1, part_2)
    });
    case!(v, 3, "lean::write::swap", "", |state: State<u64>,
                                          material: Material<u64>,
                                          n: usize,
                                          random_index: (u64, u64),
                                          address_shares: (u64, u64),
                                          value: (u64, u64),
                                          masks: Masks<u64>,
                                          mask: u64| write::swap(
        &state,
        &material,
        n,
        random_index,
        address_shares,
        value,
        masks,
        mask
    ));
}

pub fn items(v: &mut Vectors) {
    given!(v, "lean::layers::FLAG_TWEAK", "", layers::FLAG_TWEAK;);
    given!(v, "lean::layers::WORD_TWEAK", "", layers::WORD_TWEAK;);
    given!(v, "lean::layers::NODE_WORDS", "", layers::NODE_WORDS;);
    case!(v, 3, "lean::layers::flag_bits", "", |log_size: usize| layers::flag_bits(log_size));
    case!(v, 3, "lean::layers::word_bits", "", |log_size: usize| layers::word_bits(log_size));
    case!(v, 3, "lean::layers::flag_depth", "", |log_size: usize| layers::flag_depth(log_size));
    case!(v, 3, "lean::layers::word_depth", "", |log_size: usize| layers::word_depth(log_size));
    case!(v, 3, "lean::layers::tree_depth", "", |log_size: usize, purpose: Purpose| layers::tree_depth(
        log_size, purpose
    ));
    case!(v, 3, "lean::layers::flag_block", "", |prg: Toy, label: u128| layers::flag_block(&prg, label));
    case!(v, 3, "lean::layers::node_words", " u64", |prg: Toy, label: u128| layers::node_words::<u64, _>(
        &prg, label
    ));
    case!(v, 3, "lean::layers::flag_sum", "", |prg: Toy, labels: Vec<u128>| layers::flag_sum(&prg, &labels));
    case!(v, 3, "lean::layers::word_sum", " u64", |prg: Toy, labels: Vec<u128>| layers::word_sum::<u64, _>(
        &prg, &labels
    ));
    case!(v, 3, "lean::layers::bit_word", " u64", |bit: bool| layers::bit_word::<u64>(bit));
    case!(v, 3, "lean::layers::block_bit", "", |block: u128, i: u64| layers::block_bit(block, i));
    case!(v, 3, "lean::layers::one_hot_block", "", |i: u64| layers::one_hot_block(i));
    case!(v, 3, "lean::layers::labels_at", "", |prg: Toy, key: Key, depth: usize| layers::labels_at(
        &prg, &key, depth
    ));
    case!(v, 3, "lean::layers::node_flags", "", |prg: Toy, label: u128, correction: u128, bits: usize| {
        layers::node_flags(&prg, label, correction, bits)
    });
    case!(v, 3, "lean::layers::node_values", "", |prg: Toy, label: u128, correction: Words, bits: usize| {
        layers::node_values(&prg, label, &correction, bits)
    });
    case!(v, 3, "lean::layers::unit_flags", "", |prg: Toy, key: LayeredKey<u64>, log_size: usize| {
        layers::unit_flags(&prg, &key, log_size)
    });
    case!(
        v,
        3,
        "lean::layers::values",
        "",
        |prg: Toy, key: LayeredKey<u64>, log_size: usize| layers::values(&prg, &key, log_size)
    );
    case!(v, 2, "lean::layers::Layers::output for core::prg::AesPrg", "", |p: AesPrg, l: u128, t: u128| p
        .output(l, t));

    case!(v, 3, "lean::one_hot::low_bits", "", |x: u64, bits: usize| one_hot::low_bits(x, bits));
    case!(v, 3, "lean::one_hot::dealt_one_hot", "", |u_0: u128, r_0: u64, r_1: u64| one_hot::dealt_one_hot(
        u_0, r_0, r_1
    ));
    case!(v, 3, "lean::one_hot::moved_share", "", |random_index: u64, r: u64, bits: usize| {
        one_hot::moved_share(random_index, r, bits)
    });
    case!(v, 3, "lean::one_hot::moved_block", "", |u: u128, e: u64| one_hot::moved_block(u, e));
    case!(v, 3, "lean::one_hot::folded", "", |o: u128| one_hot::folded(o));
    case!(v, 3, "lean::one_hot::dealt_value", "", |u_0: Words, value: u64, r: u64| one_hot::dealt_value(
        &u_0, value, r
    ));
    case!(v, 3, "lean::one_hot::moved_value", "", |dealt: Words, e: u64, g: u64, o: u128| {
        one_hot::moved_value(&dealt, e, g, o)
    });

    given!(v, "lean::tape::PRIMARY_WORDS", "", tape::PRIMARY_WORDS;);
    case!(v, 3, "lean::tape::stream", "", |pair: PairStreams, number: usize| tape::stream(&pair, number));
    case!(v, 3, "lean::tape::item_stream", "", |pair: PairStreams, item: usize| tape::item_stream(
        &pair, item
    ));
    case!(v, 3, "lean::tape::word", "", |words: Words, offset: usize| tape::word(&words, offset));
    case!(v, 3, "lean::tape::block", "", |words: Words, offset: usize| tape::block(&words, offset));
    case!(v, 3, "lean::tape::ring_word", " u64", |words: Words, offset: usize| tape::ring_word::<u64>(
        &words, offset
    ));
    case!(
        v,
        3,
        "lean::tape::ring_words",
        " u64",
        |words: Words, offset: usize, n: usize| tape::ring_words::<u64>(&words, offset, n)
    );
    case!(
        v,
        3,
        "lean::tape::primary_randomness",
        "",
        |words: Words, offset: usize| tape::primary_randomness(&words, offset)
    );
    case!(v, 3, "lean::tape::seed_words_0", "", |log_size: usize, purpose: Purpose| tape::seed_words_0(
        log_size, purpose
    ));
    case!(v, 3, "lean::tape::seed_words_1", "", |log_size: usize, purpose: Purpose| tape::seed_words_1(
        log_size, purpose
    ));
    case!(v, 3, "lean::tape::seed_0", " u64", |words: Words,
                                               log_size: usize,
                                               purpose: Purpose,
                                               dpf: usize| {
        tape::seed_0::<u64>(&words, log_size, purpose, dpf)
    });
    case!(v, 3, "lean::tape::seed_1", "", |words: Words, log_size: usize, purpose: Purpose, dpf: usize| {
        tape::seed_1(&words, log_size, purpose, dpf)
    });
    case!(v, 3, "lean::tape::common_value", " u64", |words: Words, dpf: usize| tape::common_value::<u64>(
        &words, dpf
    ));
    case!(v, 3, "lean::tape::delta_mask", " u64", |words: Words| tape::delta_mask::<u64>(&words));
    case!(v, 3, "lean::tape::online_01", " u64", |words: Words| tape::online_01::<u64>(&words));
    case!(v, 3, "lean::tape::write_mask_01", " u64", |words: Exactly<u64, 5>| tape::write_mask_01::<u64>(
        &words.0
    ));
    case!(v, 3, "lean::tape::online_02", " u64", |words: Words, log_size: usize| tape::online_02::<u64>(
        &words, log_size
    ));
    case!(
        v,
        3,
        "lean::tape::online_12",
        " u64",
        |words: Words, log_size: usize, purpose: Purpose, place: usize| tape::online_12::<u64>(
            &words, log_size, purpose, place
        )
    );

    case!(v, 3, "lean::dealing::dealt_z", "", |seed_0: TripleSeed, seed_1: TripleSeed| dealing::dealt_z(
        &seed_0, &seed_1
    ));
    case!(v, 3, "lean::dealing::deal", "", |seed_0: Seed0<u64>,
                                            seed_1: Seed1,
                                            purpose: Purpose,
                                            value_share_1: u64| {
        dealing::deal(&seed_0, &seed_1, purpose, value_share_1)
    });
    case!(v, 3, "lean::dealing::dealt_0", "", |seed: Seed0<u64>| dealing::dealt_0(&seed));
    case!(v, 3, "lean::dealing::dealt_1", "", |seed: Seed1, received: Deal<u64>| dealing::dealt_1(
        &seed, &received
    ));

    case!(v, 3, "lean::generation::begin", "", |party: Primary, input: Input<u64>, dealt: Dealt<u64>| {
        generation::begin(party, &input, dealt.clone())
    });
    case!(v, 3, "lean::generation::with_dealt", "", |growing: Growing<u64>, dealt: Dealt<u64>| {
        generation::with_dealt(growing.clone(), dealt.clone())
    });
    case!(v, 3, "lean::generation::moved", "", |growing: Growing<u64>| generation::moved(&growing));
    case!(v, 3, "lean::generation::with_offset", "", |growing: Growing<u64>, received: u64| {
        generation::with_offset(growing.clone(), received)
    });
    case!(v, 3, "lean::generation::depth", "", |growing: Growing<u64>| generation::depth(&growing));
    case!(v, 3, "lean::generation::has_level", "", |growing: Growing<u64>| generation::has_level(&growing));
    case!(v, 3, "lean::generation::level_bit", "", |growing: Growing<u64>| generation::level_bit(&growing));
    case!(v, 3, "lean::generation::level_triple", "", |growing: Growing<u64>| generation::level_triple(
        &growing
    ));
    case!(v, 3, "lean::generation::level_operands", "", |prg: Toy, growing: Growing<u64>| {
        generation::level_operands(&prg, &growing)
    });
    case!(
        v,
        3,
        "lean::generation::level_opening",
        "",
        |prg: Toy, growing: Growing<u64>, received: Operands| generation::level_opening(
            &prg, &growing, &received
        )
    );
    case!(
        v,
        3,
        "lean::generation::grown",
        "",
        |prg: Toy, growing: Growing<u64>, received: Operands, received_opening: u128| generation::grown(
            &prg,
            growing.clone(),
            &received,
            received_opening
        )
    );
    case!(
        v,
        3,
        "lean::generation::flag_share",
        "",
        |prg: Toy, growing: Growing<u64>| generation::flag_share(&prg, &growing)
    );
    case!(
        v,
        3,
        "lean::generation::with_flag_correction",
        "",
        |prg: Toy, growing: Growing<u64>, received: u128| generation::with_flag_correction(
            &prg,
            growing.clone(),
            received
        )
    );
    case!(
        v,
        3,
        "lean::generation::word_share",
        "",
        |prg: Toy, growing: Growing<u64>| generation::word_share(&prg, &growing)
    );
    case!(
        v,
        3,
        "lean::generation::with_word_correction",
        "",
        |prg: Toy, growing: Growing<u64>, received: Words| generation::with_word_correction(
            &prg,
            growing.clone(),
            &received
        )
    );
    case!(v, 3, "lean::generation::value_share", "", |party: Primary, growing: Growing<u64>| {
        generation::value_share(party, &growing)
    });
}

pub fn parties(v: &mut Vectors) {
    given!(v, "lean::party::HELLO_WORDS", "", party::HELLO_WORDS;);
    case!(v, 3, "lean::party::hello", "", |tape: Words, words: usize, second: bool| party::hello(
        &tape, words, second
    ));
    case!(v, 3, "lean::party::pair_seed", "", |one: Hello, other: Hello| party::pair_seed(&one, &other));
    case!(v, 3, "lean::party::session_key", "", |contributions: Vec<u128>| party::session_key(
        &contributions
    ));
    case!(v, 3, "lean::party::size", "", |log_size: usize| party::size(log_size));
    case!(
        v,
        3,
        "lean::party::connected_0",
        " u64",
        |log_size: Height,
         words: Height,
         prg: Toy,
         tape: Words,
         stream_01: PairStreams,
         stream_02: PairStreams| {
            party::connected_0::<u64, _>(
                log_size.0,
                words.0,
                prg,
                &tape,
                stream_01.clone(),
                stream_02.clone(),
            )
        }
    );
    case!(
        v,
        3,
        "lean::party::connected_1",
        " u64",
        |log_size: Height,
         words: Height,
         prg: Toy,
         tape: Words,
         stream_01: PairStreams,
         stream_12: PairStreams| {
            party::connected_1::<u64, _>(
                log_size.0,
                words.0,
                prg,
                &tape,
                stream_01.clone(),
                stream_12.clone(),
            )
        }
    );
    case!(
        v,
        3,
        "lean::party::connected_2",
        " u64",
        |log_size: Height,
         words: Height,
         prg: Toy,
         tape: Words,
         stream_02: PairStreams,
         stream_12: PairStreams| {
            party::connected_2::<u64, _>(
                log_size.0,
                words.0,
                prg,
                &tape,
                stream_02.clone(),
                stream_12.clone(),
            )
        }
    );
    case!(v, 1, "lean::party::load_0", "", |p0: Party0<u64, Toy>, memory_share: Words| party::load_0(
        p0.clone(),
        &memory_share
    ));
    case!(v, 1, "lean::party::loaded_0", "", |p0: Party0<u64, Toy>, memory_share: Words, received: Words| {
        party::loaded_0(p0.clone(), &memory_share, &received)
    });
    case!(v, 1, "lean::party::load_1", "", |p1: Party1<u64, Toy>, memory_share: Words| party::load_1(
        p1.clone(),
        &memory_share
    ));
    case!(v, 1, "lean::party::loaded_2", "", |p2: Party2<u64, Toy>, received: Words| party::loaded_2(
        p2.clone(),
        &received
    ));

    case!(v, 3, "lean::preprocessing::purposes", "", |reads: usize, updates: usize| preprocessing::purposes(
        reads, updates
    ));
    case!(v, 3, "lean::preprocessing::batch_depth", "", |log_size: usize, updates: usize| {
        preprocessing::batch_depth(log_size, updates)
    });
    case!(v, 3, "lean::preprocessing::common", " u64", |words: Words, purpose: Purpose, dpf: usize| {
        preprocessing::common::<u64>(&words, purpose, dpf)
    });
    case!(v, 1, "lean::preprocessing::deal_2", "", |p2: Party2<u64, Toy>, reads: Few, updates: Few| {
        preprocessing::deal_2(&p2, reads.0, updates.0)
    });
    case!(v, 1, "lean::preprocessing::begin_0", "", |p0: Party0<u64, Toy>, reads: Few, updates: Few| {
        preprocessing::begin_0(&p0, reads.0, updates.0)
    });
    case!(v, 1, "lean::preprocessing::seeds_1", "", |p1: Party1<u64, Toy>, reads: Few, updates: Few| {
        preprocessing::seeds_1(&p1, reads.0, updates.0)
    });
    case!(v, 1, "lean::preprocessing::begin_1", "", |p1: Party1<u64, Toy>, reads: Few, updates: Few| {
        preprocessing::begin_1(&p1, reads.0, updates.0)
    });
    case!(
        v,
        3,
        "lean::preprocessing::dealt_to_1",
        "",
        |batch: Vec<Growing<u64>>, seeds: Vec<Seed1>, received: Vec<Deal<u64>>| preprocessing::dealt_to_1(
            &batch, &seeds, &received
        )
    );
    case!(v, 3, "lean::preprocessing::moved_shares", "", |batch: Vec<Growing<u64>>| {
        preprocessing::moved_shares(&batch)
    });
    case!(v, 3, "lean::preprocessing::with_offsets", "", |batch: Vec<Growing<u64>>, received: Words| {
        preprocessing::with_offsets(&batch, &received)
    });
    case!(v, 3, "lean::preprocessing::flags_due", "", |growing: Growing<u64>, round: usize| {
        preprocessing::flags_due(&growing, round)
    });
    case!(v, 3, "lean::preprocessing::words_due", "", |growing: Growing<u64>, round: usize| {
        preprocessing::words_due(&growing, round)
    });
    case!(
        v,
        3,
        "lean::preprocessing::round_message",
        "",
        |prg: Toy, batch: Vec<Growing<u64>>, round: usize| preprocessing::round_message(&prg, &batch, round)
    );
    case!(
        v,
        3,
        "lean::preprocessing::round_opening",
        "",
        |prg: Toy, batch: Vec<Growing<u64>>, received: Round<u64>| preprocessing::round_opening(
            &prg, &batch, &received
        )
    );
    case!(
        v,
        3,
        "lean::preprocessing::after_round",
        "",
        |prg: Toy,
         growing: Growing<u64>,
         operands: Option<Operands>,
         opening: Option<u128>,
         flags: Option<u128>,
         words: Option<Words>| preprocessing::after_round(
            &prg,
            growing.clone(),
            &operands,
            &opening,
            &flags,
            &words
        )
    );
    case!(
        v,
        3,
        "lean::preprocessing::next_round",
        "",
        |prg: Toy, batch: Vec<Growing<u64>>, received: Round<u64>, openings: Vec<Option<u128>>| {
            preprocessing::next_round(&prg, &batch, &received, &openings)
        }
    );
    case!(
        v,
        3,
        "lean::preprocessing::delta_share",
        "",
        |party: Primary, value_share_a: u64, value_share_b: u64, x: u64| preprocessing::delta_share(
            party,
            value_share_a,
            value_share_b,
            x
        )
    );
    case!(
        v,
        3,
        "lean::preprocessing::item_delta_share",
        "",
        |party: Primary, a: Growing<u64>, b: Growing<u64>, words: Words| preprocessing::item_delta_share(
            party, &a, &b, &words
        )
    );
    case!(v, 3, "lean::preprocessing::pairs", "", |batch: Vec<Growing<u64>>| preprocessing::pairs(&batch));
    case!(v, 1, "lean::preprocessing::keys_0", "", |p0: Party0<u64, Toy>, batch: Vec<Growing<u64>>| {
        preprocessing::keys_0(&p0, &batch)
    });
    case!(v, 1, "lean::preprocessing::keys_1", "", |p1: Party1<u64, Toy>, batch: Vec<Growing<u64>>| {
        preprocessing::keys_1(&p1, &batch)
    });
    case!(
        v,
        1,
        "lean::preprocessing::prepared_0",
        "",
        |p0: Party0<u64, Toy>,
         batch: Vec<Growing<u64>>,
         own: Vec<HelperKey<u64>>,
         received: Words,
         reads: usize| preprocessing::prepared_0(p0.clone(), &batch, &own, &received, reads)
    );
    case!(
        v,
        1,
        "lean::preprocessing::prepared_1",
        "",
        |p1: Party1<u64, Toy>, batch: Vec<Growing<u64>>, reads: usize| preprocessing::prepared_1(
            p1.clone(),
            &batch,
            reads
        )
    );
    case!(
        v,
        1,
        "lean::preprocessing::prepared_2",
        "",
        |p2: Party2<u64, Toy>, from_0: Vec<HelperKey<u64>>, from_1: Vec<HelperKey<u64>>, reads: usize| {
            preprocessing::prepared_2(p2.clone(), &from_0, &from_1, reads)
        }
    );

    case!(v, 3, "lean::online::flags_at", "", |prg: Toy, key: LayeredKey<u64>, log_size: usize, s: u64| {
        online::flags_at(&prg, &key, log_size, s)
    });
    case!(
        v,
        3,
        "lean::online::update_share",
        "",
        |prg: Toy, key: LayeredKey<u64>, log_size: usize, correction: u64, s: u64| online::update_share(
            &prg, &key, log_size, correction, s
        )
    );
    case!(v, 1, "lean::online::shift_0", "", |p0: Party0<u64, Toy>, item: Item0<u64>, address_share: u64| {
        online::shift_0(&p0, &item, address_share)
    });
    case!(v, 1, "lean::online::shift_1", "", |p1: Party1<u64, Toy>, item: Item1<u64>, address_share: u64| {
        online::shift_1(&p1, &item, address_share)
    });
    case!(v, 1, "lean::online::part_0", "", |p0: Party0<u64, Toy>, item: Item0<u64>, s: u64| online::part_0(
        &p0, &item, s
    ));
    case!(v, 1, "lean::online::part_1", "", |p1: Party1<u64, Toy>, item: Item1<u64>, s: u64| online::part_1(
        &p1, &item, s
    ));
    case!(v, 1, "lean::online::part_2", "", |p2: Party2<u64, Toy>, item: Item2<u64>, s: u64| online::part_2(
        &p2, &item, s
    ));
    case!(v, 1, "lean::online::read_shifts_0", "", |p0: Party0<u64, Toy>, addresses: Words| {
        online::read_shifts_0(&p0, &addresses)
    });
    case!(v, 1, "lean::online::read_shifts_1", "", |p1: Party1<u64, Toy>, addresses: Words| {
        online::read_shifts_1(&p1, &addresses)
    });
    case!(v, 1, "lean::online::reads_2", "", |p2: Party2<u64, Toy>, shifts_0: Words, shifts_1: Words| {
        online::reads_2(p2.clone(), &shifts_0, &shifts_1)
    });
    case!(
        v,
        1,
        "lean::online::reads_0",
        "",
        |p0: Party0<u64, Toy>, addresses: Words, shifts_1: Words, unblindings: Words| online::reads_0(
            p0.clone(),
            &addresses,
            &shifts_1,
            &unblindings
        )
    );
    case!(v, 1, "lean::online::reads_1", "", |p1: Party1<u64, Toy>, addresses: Words, shifts_0: Words| {
        online::reads_1(p1.clone(), &addresses, &shifts_0)
    });
    case!(v, 1, "lean::online::update_messages_0", "", |p0: Party0<u64, Toy>, queries: Vec<Query<u64>>| {
        online::update_messages_0(&p0, &queries)
    });
    case!(v, 1, "lean::online::update_messages_1", "", |p1: Party1<u64, Toy>, queries: Vec<Query<u64>>| {
        online::update_messages_1(&p1, &queries)
    });
    case!(
        v,
        1,
        "lean::online::applied_0",
        "",
        |p0: Party0<u64, Toy>, item: Item0<u64>, s: u64, correction: u64| online::applied_0(
            &p0, &item, s, correction
        )
    );
    case!(
        v,
        1,
        "lean::online::applied_1",
        "",
        |p1: Party1<u64, Toy>, item: Item1<u64>, s: u64, correction: u64| online::applied_1(
            &p1, &item, s, correction
        )
    );
    case!(
        v,
        1,
        "lean::online::applied_2",
        "",
        |p2: Party2<u64, Toy>, item: Item2<u64>, s: u64, correction: u64| online::applied_2(
            &p2, &item, s, correction
        )
    );
    case!(v, 1, "lean::online::used_0", "", |p0: Party0<u64, Toy>, s: u64, correction: u64| online::used_0(
        p0.clone(),
        s,
        correction
    ));
    case!(v, 1, "lean::online::used_1", "", |p1: Party1<u64, Toy>, s: u64, correction: u64| online::used_1(
        p1.clone(),
        s,
        correction
    ));
    case!(v, 1, "lean::online::used_2", "", |p2: Party2<u64, Toy>, s: u64, correction: u64| online::used_2(
        p2.clone(),
        s,
        correction
    ));
    case!(v, 3, "lean::online::opened", "", |one: UpdateMessage<u64>, other: UpdateMessage<u64>| {
        online::opened(&one, &other)
    });
    case!(
        v,
        1,
        "lean::online::updates_0",
        "",
        |p0: Party0<u64, Toy>, own: Vec<UpdateMessage<u64>>, received: Vec<UpdateMessage<u64>>| {
            online::updates_0(p0.clone(), &own, &received)
        }
    );
    case!(
        v,
        1,
        "lean::online::updates_1",
        "",
        |p1: Party1<u64, Toy>, own: Vec<UpdateMessage<u64>>, received: Vec<UpdateMessage<u64>>| {
            online::updates_1(p1.clone(), &own, &received)
        }
    );
    case!(
        v,
        1,
        "lean::online::updates_2",
        "",
        |p2: Party2<u64, Toy>, from_0: Vec<UpdateMessage<u64>>, from_1: Vec<UpdateMessage<u64>>| {
            online::updates_2(p2.clone(), &from_0, &from_1)
        }
    );
    case!(v, 1, "lean::online::write_shifts_0", "", |p0: Party0<u64, Toy>, query: Query<u64>| {
        online::write_shifts_0(&p0, &query)
    });
    case!(v, 1, "lean::online::write_shifts_1", "", |p1: Party1<u64, Toy>, query: Query<u64>| {
        online::write_shifts_1(&p1, &query)
    });
    case!(
        v,
        1,
        "lean::online::write_part_0",
        "",
        |p0: Party0<u64, Toy>, item: Item0<u64>, s: u64, query: Query<u64>| online::write_part_0(
            &p0, &item, s, &query
        )
    );
    case!(
        v,
        1,
        "lean::online::write_part_1",
        "",
        |p1: Party1<u64, Toy>, item: Item1<u64>, s: u64, query: Query<u64>| online::write_part_1(
            &p1, &item, s, &query
        )
    );
    case!(v, 1, "lean::online::write_part_2", "", |p2: Party2<u64, Toy>, item: Item2<u64>, s: u64| {
        online::write_part_2(&p2, &item, s)
    });
    case!(v, 1, "lean::online::swap_unblinding", "", |p2: Party2<u64, Toy>, item: Item2<u64>, s: u64| {
        online::swap_unblinding(&p2, &item, s)
    });
    case!(
        v,
        1,
        "lean::online::swap_result_0",
        "",
        |p0: Party0<u64, Toy>, item: Item0<u64>, s: u64, g: u64| online::swap_result_0(&p0, &item, s, g)
    );
    case!(v, 1, "lean::online::swap_result_1", "", |p1: Party1<u64, Toy>, item: Item1<u64>, s: u64| {
        online::swap_result_1(&p1, &item, s)
    });
}

pub fn sessions(v: &mut Vectors) {
    case!(v, 3, "lean::payload::address_width", "", |log_size: usize| payload::address_width(log_size));
    case!(v, 3, "lean::payload::addresses_bytes", "", |log_size: usize, addresses: Words| {
        payload::addresses_bytes(log_size, &addresses)
    });
    case!(v, 3, "lean::payload::hello", "", |hello: Hello| payload::hello(&hello));
    case!(v, 3, "lean::payload::deals", "", |purposes: Vec<Purpose>, deals: Vec<Deal<u64>>| payload::deals(
        &purposes, &deals
    ));
    case!(v, 3, "lean::payload::moved_shares", "", |shares: Words| payload::moved_shares(&shares));
    case!(v, 3, "lean::payload::present", "", |list: Vec<Option<u64>>| payload::present(&list));
    case!(v, 3, "lean::payload::word_shares", "", |shares: Vec<Words>| payload::word_shares(&shares));
    case!(v, 3, "lean::payload::keys", "", |keys: Vec<HelperKey<u64>>| payload::keys(&keys));
    case!(v, 3, "lean::payload::delta_shares", "", |keys: Vec<HelperKey<u64>>| payload::delta_shares(&keys));
    case!(v, 3, "lean::payload::updates", "", |log_size: usize, messages: Vec<UpdateMessage<u64>>| {
        payload::updates(log_size, &messages)
    });

    case!(v, 3, "lean::payload::equal_widths", "", |count: Few, width: usize| payload::equal_widths(
        count.0, width
    ));
    case!(v, 3, "lean::payload::addresses_of", "", |b: Exactly<u8, 9>, h: usize, count: Few| {
        payload::addresses_of(&b.0, h, count.0)
    });
    case!(v, 2, "lean::payload::hello_of", "", |b: Exactly<u8, 56>| payload::hello_of(&b.0));
    case!(v, 2, "lean::payload::value_width", "", |purpose: Purpose, words: usize| {
        payload::value_width(purpose, words)
    });
    case!(v, 2, "lean::payload::of_dpfs", "", |purposes: Vec<Purpose>| payload::of_dpfs(&purposes));
    case!(
        v,
        3,
        "lean::payload::deals_of",
        " u64",
        |b: Exactly<u8, 320>, h: usize, p: Exactly<Purpose, 2>| { payload::deals_of::<u64>(&b.0, h, &p.0) }
    );
    case!(v, 2, "lean::payload::moved_shares_of", "", |b: Vec<u8>| payload::moved_shares_of(&b));
    case!(v, 3, "lean::payload::with_gaps", "", |values: Words, due: Vec<bool>| payload::with_gaps(
        &values, &due
    ));
    case!(v, 2, "lean::payload::word_shares_of", " u64", |b: Exactly<u8, 130>, dpfs: Few| {
        payload::word_shares_of::<u64>(&b.0, dpfs.0)
    });
    case!(v, 2, "lean::payload::key_of", " u64", |b: Exactly<u8, 75>, bits: Exactly<bool, 4>| {
        payload::key_of::<u64>(&b.0, &bits.0)
    });
    case!(v, 3, "lean::payload::keys_of", " u64", |b: Exactly<u8, 180>, h: usize, p: Exactly<Purpose, 2>| {
        payload::keys_of::<u64>(&b.0, h, &p.0)
    });
    case!(v, 2, "lean::payload::delta_shares_of", " u64", |b: Exactly<u8, 19>, p: Exactly<Purpose, 3>| {
        payload::delta_shares_of::<u64>(&b.0, &p.0)
    });
    case!(v, 3, "lean::payload::updates_of", " u64", |b: Exactly<u8, 27>, h: usize, queries: Few| {
        payload::updates_of::<u64>(&b.0, h, queries.0)
    });

    case!(v, 3, "lean::lemmas::flags_point_at", "", |flags: Flags<u64>, n: usize, i: u64| {
        lemmas::flags_point_at(&flags, n, i)
    });
    case!(v, 3, "lean::lemmas::material_points_at", "", |material: Material<u64>, n: usize, i: u64| {
        lemmas::material_points_at(&material, n, i)
    });
    case!(v, 3, "lean::lemmas::states_agree", "", |state: State<u64>| lemmas::states_agree(&state));
    case!(
        v,
        3,
        "lean::lemmas::load_shares",
        "",
        |state: State<u64>, memory_share_0: Words, memory_share_1: Words| lemmas::load_shares(
            &state,
            &memory_share_0,
            &memory_share_1
        )
    );
    case!(v, 3, "lean::lemmas::target", "", |address_shares: (u64, u64), n: usize| lemmas::target(
        address_shares,
        n
    ));
    case!(v, 3, "lean::lemmas::word_at", "", |memory: Words, n: usize, address_shares: (u64, u64)| {
        lemmas::word_at(&memory, n, address_shares)
    });
    case!(
        v,
        3,
        "lean::lemmas::read_reconstructs",
        "",
        |state: State<u64>, n: usize, address_shares: (u64, u64), outcome: Read<u64>| {
            lemmas::read_reconstructs(&state, n, address_shares, &outcome)
        }
    );
    case!(v, 3, "lean::lemmas::update_adds", "", |before: State<u64>,
                                                  after: State<u64>,
                                                  n: usize,
                                                  address_shares: (u64, u64),
                                                  m: u64| {
        lemmas::update_adds(&before, &after, n, address_shares, m)
    });
    case!(v, 3, "lean::lemmas::write_puts", "", |before: State<u64>,
                                                 after: State<u64>,
                                                 n: usize,
                                                 address_shares: (u64, u64),
                                                 m: u64| {
        lemmas::write_puts(&before, &after, n, address_shares, m)
    });
    case!(
        v,
        3,
        "lean::lemmas::swap_puts_and_returns",
        "",
        |before: State<u64>, n: usize, address_shares: (u64, u64), m: u64, outcome: Swap<u64>| {
            lemmas::swap_puts_and_returns(&before, n, address_shares, m, &outcome)
        }
    );

    given!(v, "lean::session::CHUNK_WORDS", "", session::CHUNK_WORDS;);
    case!(v, 1, "lean::session::state", "", |session: Session<u64, Toy>| session::state(&session));
    case!(
        v,
        2,
        "lean::session::started",
        " u64",
        |log_size: Height, words: Height, prg: Toy, tapes: (Words, Words, Words), streams: Streams| {
            session::started::<u64, _>(log_size.0, words.0, &prg, (&tapes.0, &tapes.1, &tapes.2), &streams)
        }
    );
    case!(
        v,
        1,
        "lean::session::connect",
        " u64",
        |log_size: Height, words: Height, tapes: (Words, Words, Words), streams: Streams| session::connect::<
            u64,
        >(
            log_size.0,
            words.0,
            (&tapes.0, &tapes.1, &tapes.2),
            &streams
        )
    );
    case!(v, 2, "lean::session::chunks", "", |operation: u64, kind: u8, from: u8, to: u8, words: Words| {
        session::chunks(operation, kind, from, to, &words)
    });
    case!(
        v,
        1,
        "lean::session::load",
        "",
        |session: Session<u64, Toy>, memory_share_0: Words, memory_share_1: Words| session::load(
            session.clone(),
            &memory_share_0,
            &memory_share_1
        )
    );
    case!(v, 2, "lean::session::spoken", "", |messages: Vec<Sent>| session::spoken(&messages));
    case!(
        v,
        1,
        "lean::session::batch_round",
        "",
        |session: Session<u64, Toy>, batch: Batch<u64>, round: usize| session::batch_round(
            &session,
            batch.clone(),
            round
        )
    );
    case!(v, 1, "lean::session::preprocess", "", |session: Session<u64, Toy>, reads: Few, updates: Few| {
        session::preprocess(session.clone(), reads.0, updates.0)
    });
    case!(v, 1, "lean::session::reads", "", |session: Session<u64, Toy>, addresses: Vec<(u64, u64)>| {
        session::reads(session.clone(), &addresses)
    });
    case!(
        v,
        1,
        "lean::session::updates",
        "",
        |session: Session<u64, Toy>, queries: Vec<(Query<u64>, Query<u64>)>| session::updates(
            session.clone(),
            &queries
        )
    );
    case!(v, 1, "lean::session::put", "", |session: Session<u64, Toy>,
                                           query: (Query<u64>, Query<u64>),
                                           swap: bool| {
        session::put(session.clone(), query, swap)
    });
    case!(v, 1, "lean::session::write", "", |session: Session<u64, Toy>, query: (Query<u64>, Query<u64>)| {
        session::write(session.clone(), query)
    });
    case!(v, 1, "lean::session::swap", "", |session: Session<u64, Toy>, query: (Query<u64>, Query<u64>)| {
        session::swap(session.clone(), query)
    });
}
