//! What a party is sent: the messages of a step to it, and what is in them.
//!
//! Each party's whole step is a function of this, in [`crate::lean::prepare_turn`] and [`crate::lean::party_turn`]. Here is the
//! first step, the connect.

use crate::core::aes::{bytes_of_block, expand_key};
use crate::core::block::Block;
use crate::core::prg::AesPrg;
use crate::lean::party::{hello, session_key};
use crate::lean::payload;
use crate::lean::session::Sent;

/// Of the messages of a step those to one party: all that it sees of them.
pub fn inbox(sent: &[Sent], to: u8) -> Vec<Sent> {
    sent.iter().flat_map(|message| if message.to == to { vec![message.clone()] } else { vec![] }).collect()
}

/// From an inbox, the payload of the message of a kind, a sender and a round; nothing, if there is none: who has nothing to say says
/// nothing.
pub fn received(inbox: &[Sent], kind: u8, from: u8, round: usize) -> Vec<u8> {
    inbox
        .iter()
        .flat_map(|message| {
            let due = message.kind == kind && message.from == from && message.round == round as u32;
            if due { message.payload.clone() } else { vec![] }
        })
        .collect()
}

/// From an inbox, the payloads of all chunks of a kind from a sender, one after another.
pub fn received_chunks(inbox: &[Sent], kind: u8, from: u8) -> Vec<u8> {
    inbox
        .iter()
        .flat_map(
            |message| {
                if message.kind == kind && message.from == from { message.payload.clone() } else { vec![] }
            },
        )
        .collect()
}

/// The other two parties, the lower number first.
pub fn others(number: u8) -> Vec<u8> {
    vec![if number == 0 { 1 } else { 0 }, if number == 2 { 1 } else { 2 }]
}

/// What a party says in step 0, from its random words and m, the words of the memory.
pub fn say_hello(number: u8, words: usize, tape: &[u64]) -> Vec<Sent> {
    others(number)
        .iter()
        .zip([false, true].iter())
        .map(|(to, second)| Sent {
            kind: 1,
            from: number,
            to: *to,
            operation: 0,
            round: 0,
            payload: payload::hello(&hello(tape, words, *second)),
        })
        .collect()
}

/// The PRG under K, from a party's own contribution and those that it received in step 0.
pub fn session_prg(number: u8, words: usize, tape: &[u64], inbox: &[Sent]) -> AesPrg {
    let of_others: Vec<Block> = others(number)
        .iter()
        .map(|from| payload::hello_of(&received(inbox, 1, *from, 0)).contribution)
        .collect();
    let key = session_key(&[vec![hello(tape, words, false).contribution], of_others].concat());
    AesPrg { aes: expand_key(&bytes_of_block(key)) }
}
