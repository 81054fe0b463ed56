//! The parties' functions of READ, UPDATE and WRITE: what each computes from its own state and material, and from what the other
//! two sent it in this step.
//!
//! An item is good for one query. The items of a kind are used in the order in which they were made, and the functions that end
//! a step return the party without those that it used.

use crate::core::bytes::{words_bytes, words_of_bytes};
use crate::core::share::Primary;
use crate::core::vector::{at, shift};
use crate::paper::memory::{HelperState, PrimaryState};
use crate::paper::party::{
    HELPER, HelperParty, HelperRead, HelperUpdate, PrimaryParty, PrimaryRead, PrimaryUpdate, number, other,
    received, size,
};
use crate::paper::payload;
use crate::paper::read::{read_share, reconstruct_shift, shift_share, unblinding};
use crate::paper::session::Sent;
use crate::paper::tape::{advance, peek};
use crate::paper::update::{
    HelperMessage, UpdateMessage, message, reconstruct_corrections, reconstruct_helper_corrections,
    update_words, updated_p0, updated_p1, updated_p2,
};

/// A message of a step that has one of each kind.
pub fn say(operation: u64, kind: u8, from: u8, to: u8, payload: Vec<u8>) -> Sent {
    Sent { kind, from, to, operation, round: 0, payload }
}

// ---------------------------------------------------------------- READ

/// A primary's shares of the shifts, one a query.
pub fn read_shifts<P>(party: &PrimaryParty<P>, addresses: &[u64]) -> Vec<u64> {
    addresses
        .iter()
        .zip(party.reads.iter())
        .map(|(address, item)| shift_share(*address, item.random_index_share, size(party.log_size)))
        .collect()
}

/// Line 5: a primary to both others.
pub fn say_shifts<P>(party: &PrimaryParty<P>, addresses: &[u64]) -> Vec<Sent> {
    let shifts = words_bytes(&read_shifts(party, addresses));
    let own = number(party.role);
    vec![
        say(party.operation, 10, own, other(party.role), shifts.clone()),
        say(party.operation, 10, own, HELPER, shifts),
    ]
}

/// Lines 6 to 8: P2 to both primaries, for `queries` queries.
pub fn reads_helper<P>(party: HelperParty<P>, queries: usize, inbox: &[Sent]) -> (HelperParty<P>, Vec<Sent>) {
    let shifts_0 = words_of_bytes(&received(inbox, 10, 0, 0));
    let shifts_1 = words_of_bytes(&received(inbox, 10, 1, 0));
    let gammas: Vec<(u64, u64)> = shifts_0
        .iter()
        .zip(shifts_1.iter())
        .zip(party.reads.iter())
        .enumerate()
        .map(|(query, ((shift_0, shift_1), item)): (usize, ((&u64, &u64), &HelperRead))| {
            let s = reconstruct_shift(*shift_0, *shift_1, size(party.log_size));
            unblinding(
                &party.state.blind_0,
                &party.state.blind_1,
                &shift(&item.unit_1_dpf_3, s),
                &shift(&item.unit_0_dpf_2, s),
                peek(&party.tape, query),
            )
        })
        .collect();
    let gammas_0: Vec<u64> = gammas.iter().map(|(gamma, _)| *gamma).collect();
    let gammas_1: Vec<u64> = gammas.iter().map(|(_, gamma)| *gamma).collect();
    let sent = vec![
        say(party.operation, 11, HELPER, 0, words_bytes(&gammas_0)),
        say(party.operation, 11, HELPER, 1, words_bytes(&gammas_1)),
    ];
    let tape = advance(&party.tape, queries);
    let reads: Vec<HelperRead> = party.reads.iter().skip(queries).cloned().collect();
    (HelperParty { tape, reads, operation: party.operation.wrapping_add(1), ..party }, sent)
}

/// Lines 6, 7, 9 and 10: a primary's shares of the words.
pub fn reads_primary<P>(
    party: PrimaryParty<P>,
    addresses: &[u64],
    inbox: &[Sent],
) -> (PrimaryParty<P>, Vec<u64>) {
    let own = read_shifts(&party, addresses);
    let shifts = words_of_bytes(&received(inbox, 10, other(party.role), 0));
    let gammas = words_of_bytes(&received(inbox, 11, HELPER, 0));
    let results: Vec<u64> = own
        .iter()
        .zip(shifts.iter())
        .zip(gammas.iter())
        .zip(party.reads.iter())
        .map(|(((own, shift_share), gamma), item)| {
            let s = reconstruct_shift(*own, *shift_share, size(party.log_size));
            let (t_dpf_1, t_dpf_2, t_dpf_3) = &item.units;
            let t_refresh = match party.role {
                Primary::P0 => t_dpf_3,
                Primary::P1 => t_dpf_2,
            };
            read_share(
                &party.state.memory_share,
                &party.state.blinded,
                &party.state.blind,
                &shift(t_dpf_1, s),
                &shift(t_refresh, s),
                *gamma,
            )
        })
        .collect();
    let reads: Vec<PrimaryRead> = party.reads.iter().skip(addresses.len()).cloned().collect();
    (PrimaryParty { reads, operation: party.operation.wrapping_add(1), ..party }, results)
}

// ---------------------------------------------------------------- UPDATE

/// A primary's shares of one query: of the address, and of M.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Query {
    /// `i*_b`
    pub address: u64,
    /// `M_b`
    pub value: u64,
}

/// Line 5, for each query.
pub fn update_messages<P>(party: &PrimaryParty<P>, queries: &[Query]) -> Vec<UpdateMessage<u64>> {
    queries
        .iter()
        .zip(party.updates.iter())
        .map(|(query, item)| {
            let shift = shift_share(query.address, item.random_index_share, size(party.log_size));
            message(shift, query.value, item.corrections)
        })
        .collect()
}

/// Line 5: a primary to both others.
pub fn say_updates<P>(party: &PrimaryParty<P>, queries: &[Query]) -> Vec<Sent> {
    let messages = update_messages(party, queries);
    let own = number(party.role);
    vec![
        say(party.operation, 12, own, other(party.role), payload::update(&messages)),
        say(party.operation, 13, own, HELPER, payload::helper_update(&messages)),
    ]
}

/// Lines 6 to 9: a primary's state after one query.
pub fn updated_primary(
    role: Primary,
    state: &PrimaryState<u64>,
    item: &PrimaryUpdate,
    s: u64,
    f: (u64, u64, u64),
) -> PrimaryState<u64> {
    let (f_dpf_1, f_dpf_2, f_dpf_3) = f;
    let (t_dpf_1, t_dpf_2, t_dpf_3) = &item.units;
    let (v_dpf_1, v_dpf_2, v_dpf_3) = &item.values;
    let w_dpf_1 = update_words(v_dpf_1, t_dpf_1, f_dpf_1, s);
    let w_dpf_2 = update_words(v_dpf_2, t_dpf_2, f_dpf_2, s);
    let w_dpf_3 = update_words(v_dpf_3, t_dpf_3, f_dpf_3, s);
    match role {
        Primary::P0 => updated_p0(state, &w_dpf_1, &w_dpf_2, &w_dpf_3),
        Primary::P1 => updated_p1(state, &w_dpf_1, &w_dpf_2, &w_dpf_3),
    }
}

/// The queries one after another, at a primary.
pub fn updates_primary<P>(party: PrimaryParty<P>, queries: &[Query], inbox: &[Sent]) -> PrimaryParty<P> {
    let n = size(party.log_size);
    let own = update_messages(&party, queries);
    let received = payload::update_of(&received(inbox, 12, other(party.role), 0), own.len());
    let state = own.iter().zip(received.iter()).zip(party.updates.iter()).fold(
        party.state.clone(),
        |state, ((own, received), item)| {
            let s = reconstruct_shift(own.shift, received.shift, n);
            updated_primary(party.role, &state, item, s, reconstruct_corrections(own, received))
        },
    );
    let updates: Vec<PrimaryUpdate> = party.updates.iter().skip(queries.len()).cloned().collect();
    PrimaryParty { state, updates, operation: party.operation.wrapping_add(1), ..party }
}

/// Lines 6, 7 and 10: P2's state after one query.
pub fn updated_helper(
    state: &HelperState<u64>,
    item: &HelperUpdate,
    s: u64,
    f: (u64, u64),
) -> HelperState<u64> {
    let (f_dpf_2, f_dpf_3) = f;
    updated_p2(
        state,
        &update_words(&item.values_0_dpf_2, &item.unit_0_dpf_2, f_dpf_2, s),
        &update_words(&item.values_1_dpf_3, &item.unit_1_dpf_3, f_dpf_3, s),
    )
}

/// `queries` queries one after another, at P2.
pub fn updates_helper<P>(party: HelperParty<P>, queries: usize, inbox: &[Sent]) -> HelperParty<P> {
    let n = size(party.log_size);
    let messages_0: Vec<HelperMessage<u64>> = payload::helper_update_of(&received(inbox, 13, 0, 0), queries);
    let messages_1: Vec<HelperMessage<u64>> = payload::helper_update_of(&received(inbox, 13, 1, 0), queries);
    let state = messages_0.iter().zip(messages_1.iter()).zip(party.updates.iter()).fold(
        party.state.clone(),
        |state, ((message_0, message_1), item)| {
            let s = reconstruct_shift(message_0.shift, message_1.shift, n);
            updated_helper(&state, item, s, reconstruct_helper_corrections(message_0, message_1))
        },
    );
    let updates: Vec<HelperUpdate> = party.updates.iter().skip(queries).cloned().collect();
    HelperParty { state, updates, operation: party.operation.wrapping_add(1), ..party }
}

// ---------------------------------------------------------------- WRITE

/// The UPDATE of a WRITE, by `M_b - read_b`, at a primary that has the READ's result.
pub fn write_query(query: &Query, results: &[u64]) -> Query {
    Query { address: query.address, value: query.value.wrapping_sub(at(results, 0, 0)) }
}
