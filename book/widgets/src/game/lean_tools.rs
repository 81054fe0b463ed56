//! What wins against the lean protocol.

use duoram_spec::core::bytes::words_of_bytes;
use duoram_spec::core::ring::{Ring, XorWord};
use duoram_spec::core::vector::{dot, mod_size, xor_shift};
use duoram_spec::lean::layers::{Purpose, unit_flags};
use duoram_spec::lean::payload::address_width;
use duoram_spec::lean::preprocessing::deal_2;
use duoram_spec::lean::read::{reconstruct_shift, shift_share};
use duoram_spec::lean::session::Sent;
use duoram_spec::lean::tape::{item_stream, seed_0};

use crate::game::prg::GamePrg;
use crate::game::script::{LOG_SIZE, N, Script};
use crate::game::seen::{LeanParty0, LeanParty2};
use crate::game::tools::{Found, addends, addresses, line, only};

/// The payload of the one message of a kind from a party.
pub(crate) fn received(inbox: &[Sent], kind: u8, from: u8) -> Vec<u8> {
    let due = inbox.iter().find(|message| message.kind == kind && message.from == from);
    due.map_or_else(Vec::new, |message| message.payload.clone())
}

/// A shift share of a READ, which is one byte at this size.
pub(crate) fn received_shift(inbox: &[Sent], from: u8) -> u64 {
    received(inbox, 12, from).first().copied().map_or(0, u64::from)
}

/// A masked value of an UPDATE: behind the shift share.
pub(crate) fn received_masked(inbox: &[Sent], from: u8) -> u64 {
    let payload = received(inbox, 14, from);
    words_of_bytes(payload.get(address_width(LOG_SIZE)..).unwrap_or(&[])).first().copied().unwrap_or(0)
}

/// The word that P2 answers a READ with.
pub(crate) fn received_answer(inbox: &[Sent]) -> u64 {
    words_of_bytes(&received(inbox, 13, 2)).first().copied().unwrap_or(0)
}

/// P0 knows `g = A[i*] xor <A, t_0^b> xor <B, t_0^a> xor rho` but for its first and last part, as `B = D xor H`.
pub(crate) fn difference_of_answers<P: GamePrg>(view: &LeanParty0<P>, scripts: &[Script; 2]) -> Found {
    let p0 = &view.prepared;
    let beta_2: Vec<XorWord> = scripts[0]
        .memory
        .iter()
        .zip(&p0.state.beta)
        .map(|(word, h)| XorWord::from_u64(*word).minus(*h))
        .collect();
    let left = [0, 1].map(|operation: usize| {
        let asked = &view.operations[operation];
        let item = &p0.reads[asked.item];
        let own = shift_share(asked.query.address, item.random_index, N);
        let s = reconstruct_shift(own, received_shift(&asked.inbox, 1));
        let flags = |key| xor_shift(&unit_flags::<XorWord, P>(&p0.prg, key, LOG_SIZE), s);
        let known = dot(&p0.state.alpha, &flags(&item.key_b)).plus(dot(&beta_2, &flags(&item.key_a)));
        XorWord::from_u64(received_answer(&asked.inbox)).minus(known).to_u64()
    });
    let [first, second] = [0, 1].map(|operation| addresses(scripts, operation));
    let alpha = |address: u64| p0.state.alpha[usize::try_from(mod_size(address, N)).unwrap_or(0)].to_u64();
    let expected = [0, 1].map(|side: usize| alpha(first[side]) ^ alpha(second[side]));
    let difference = left[0] ^ left[1];
    Found {
        lines: vec![
            line("what is left of `g`", &left[..1]),
            line("what is left of `g` of READ 2", &left[1..]),
            line("XOR", &[difference]),
            line("XOR, if it was A", &expected[..1]),
            line("XOR, if it was B", &expected[1..]),
        ],
        verdict: only(expected[0] == difference, expected[1] == difference),
    }
}

/// What P2 has dealt to P0 and to P1 of the value of the first item's DPF a.
pub(crate) fn dealt<P: GamePrg>(view: &LeanParty2<P>) -> [u64; 2] {
    let from_0 = seed_0::<XorWord>(&item_stream(&view.loaded.stream_02, 0), LOG_SIZE, Purpose::Update, 0);
    let to_1 = deal_2(&view.loaded, 0, 1);
    [from_0.value_share.to_u64(), to_1[0].value_share.to_u64()]
}

pub(crate) fn unmasked_share<P: GamePrg>(view: &LeanParty2<P>, scripts: &[Script; 2]) -> Found {
    let [_, dealt_1] = dealt(view);
    let masked_1 = received_masked(&view.operations[0].inbox, 1);
    let share = masked_1 ^ dealt_1;
    let [a, b] = addends(scripts);
    Found {
        lines: vec![line("`m_1`", &[masked_1]), line("`R’_1`", &[dealt_1]), line("XOR", &[share])],
        verdict: only(a == share, b == share),
    }
}

pub(crate) fn unmasked_value<P: GamePrg>(view: &LeanParty2<P>, scripts: &[Script; 2]) -> Found {
    let dealt = dealt(view);
    let masked = [0, 1].map(|from| received_masked(&view.operations[0].inbox, from));
    let value = masked[0] ^ masked[1] ^ dealt[0] ^ dealt[1];
    let [a, b] = addends(scripts);
    Found {
        lines: vec![
            line("`m_0`", &masked[..1]),
            line("`m_1`", &masked[1..]),
            line("`R’_0`", &dealt[..1]),
            line("`R’_1`", &dealt[1..]),
            line("XOR of all", &[value]),
        ],
        verdict: only(a == value, b == value),
    }
}
