//! Messages of the lean protocol.

use duoram_reference::lean::message::{
    Alpha, BatchShape, Beta, Deal, Difference, FlagLayer, Hello, HelloShape, HelperKeys, IndexOffset,
    LevelOpening, LevelOperands, QueryShape, Shift, Unblinding, Update, UpdateShape, ValueLayer, Write,
};
use duoram_reference::lean::{LayeredKey, Lean};
use duoram_reference::{Batch, Message};
use duoram_spec::core::ring::XorWord;
use duoram_spec::lean::online::UpdateMessage;
use duoram_spec::lean::payload as lean;
use duoram_spec::paper::payload;

use super::{Due, Payload, Wired, specified_operands};
use crate::payloads::lean::{self as shapes, Shape};

fn batch(shapes::Batch { log_size, row_words, reads, updates }: shapes::Batch) -> BatchShape {
    BatchShape { log_size, row_words, batch: Batch { reads, updates } }
}

impl Wired for Lean {
    type Shape = Shape;

    fn shape(due: Due) -> Shape {
        let log_size = due.log_size();
        let (count, updates) = (usize::from(due.count % 21), usize::from(due.deltas % 5));
        // One word for every second count: most of what is found is found with words.
        let row_words = if due.count & 1 == 0 { 1 } else { 1 + usize::from(due.deltas >> 5) };
        let batch = shapes::Batch { log_size, row_words, reads: count, updates };
        match 1 + due.kind % 15 {
            // More than half of the addresses have rows.
            1 => Shape::Hello { rows: (1 << log_size) - count.min((1 << (log_size - 1)) - 1), row_words },
            2 => Shape::Alpha { words: count },
            3 => Shape::Beta { words: count },
            4 => Shape::Deal(batch),
            5 => Shape::IndexOffset(batch),
            6 => Shape::LevelOperands { dpfs: count },
            7 => Shape::LevelOpening { dpfs: count },
            8 => Shape::FlagLayer(batch),
            9 => Shape::ValueLayer(batch),
            10 => Shape::HelperKeys(batch),
            11 => Shape::Difference(batch),
            12 => Shape::Shift { log_size, queries: count },
            13 => Shape::Unblinding { row_words, queries: count },
            14 => Shape::Update { log_size, row_words, queries: count },
            _ => Shape::Write { row_words },
        }
    }

    fn payload_length(shape: Shape) -> usize {
        let length = match shape {
            Shape::Hello { rows, row_words } => Hello::length(HelloShape { rows, row_words }),
            Shape::Alpha { words } => Alpha::length(words),
            Shape::Beta { words } => Beta::length(words),
            Shape::Deal(of) => Deal::length(batch(of)),
            Shape::IndexOffset(of) => IndexOffset::length(batch(of)),
            Shape::LevelOperands { dpfs } => LevelOperands::length(dpfs),
            Shape::LevelOpening { dpfs } => LevelOpening::length(dpfs),
            Shape::FlagLayer(of) => FlagLayer::length(batch(of)),
            Shape::ValueLayer(of) => ValueLayer::length(batch(of)),
            Shape::HelperKeys(of) => HelperKeys::length(batch(of)),
            Shape::Difference(of) => Difference::length(batch(of)),
            Shape::Shift { log_size, queries } => Shift::length(QueryShape { log_size, queries }),
            Shape::Unblinding { row_words, queries } => Unblinding::length(queries * row_words),
            Shape::Update { log_size, row_words, queries } => {
                Update::length(update(log_size, row_words, queries))
            }
            Shape::Write { row_words } => Write::length(row_words),
        };
        length.bytes()
    }

    fn decode(p: &Payload<'_, Shape>) {
        let (words, blocks) = (payload::words_bytes, payload::blocks_bytes);
        let h = |log_size: u32| log_size as usize;
        match p.shape {
            Shape::Hello { rows, row_words } => {
                p.decode::<Hello>(HelloShape { rows, row_words }, |hello| {
                    [blocks(&[hello.contribution]), words(&*hello.seed), words(&[hello.size])].concat()
                });
            }
            Shape::Alpha { words: count } => p.decode::<Alpha>(count, |m| words(&m.0)),
            Shape::Beta { words: count } => p.decode::<Beta>(count, |m| words(&m.0)),
            Shape::Deal(of) => p.decode::<Deal>(batch(of), specified_deal),
            Shape::IndexOffset(of) => p.decode::<IndexOffset>(batch(of), |m| {
                lean::moved_shares(&m.0.iter().map(|&offset| offset.into()).collect::<Vec<_>>())
            }),
            Shape::LevelOperands { dpfs } => p.decode::<LevelOperands>(dpfs, |m| specified_operands(&m.0)),
            Shape::LevelOpening { dpfs } => p.decode::<LevelOpening>(dpfs, |m| lean::blocks_bytes(&m.0)),
            Shape::FlagLayer(of) => p.decode::<FlagLayer>(batch(of), |m| lean::blocks_bytes(&m.0)),
            Shape::ValueLayer(of) => p.decode::<ValueLayer>(batch(of), |m| {
                lean::word_shares(&m.0.iter().map(|share| ring(share)).collect::<Vec<_>>())
            }),
            Shape::HelperKeys(of) => p.decode::<HelperKeys>(batch(of), |m| specified_keys(&m.keys)),
            Shape::Difference(of) => p.decode::<Difference>(batch(of), |m| words(&m.0)),
            Shape::Shift { log_size, queries } => {
                let numbers = QueryShape { log_size, queries };
                p.decode::<Shift>(numbers, |m| lean::addresses_bytes(h(log_size), &m.shares));
            }
            Shape::Unblinding { row_words, queries } => {
                p.decode::<Unblinding>(queries * row_words, |m| words(&m.0));
            }
            Shape::Update { log_size, row_words: 1, queries } => {
                p.decode::<Update>(update(log_size, 1, queries), |m| {
                    let message = |(&shift, &bits)| UpdateMessage { shift, masked: XorWord { bits } };
                    lean::updates(
                        h(log_size),
                        &m.shares.iter().zip(&m.masked).map(message).collect::<Vec<_>>(),
                    )
                });
            }
            Shape::Update { log_size, row_words, queries } => {
                p.decode::<Update>(update(log_size, row_words, queries), |m| {
                    [lean::addresses_bytes(h(log_size), &m.shares), words(&m.masked)].concat()
                });
            }
            Shape::Write { row_words } => p.decode::<Write>(row_words, |m| words(&m.0)),
        }
    }
}

fn update(log_size: u32, row_words: usize, queries: usize) -> UpdateShape {
    UpdateShape { query: QueryShape { log_size, queries }, row_words }
}

fn ring(words: &[u64]) -> Vec<XorWord> {
    words.iter().map(|&bits| XorWord { bits }).collect()
}

/// In order: all products, all one-hot vectors, and of each DPF of UPDATE items the values.
fn specified_deal(deal: &Deal) -> Vec<u8> {
    let products = payload::blocks_bytes(&deal.products.concat());
    let values = deal.value_one_hots.iter().zip(&deal.value_shares);
    let values = values.flat_map(|(words, share)| payload::words_bytes(&[&words[..], &share[..]].concat()));
    [products, lean::blocks_bytes(&deal.one_hots), values.collect()].concat()
}

fn specified_keys(keys: &[LayeredKey]) -> Vec<u8> {
    let (mut bytes, mut flags) = (Vec::new(), Vec::new());
    for key in keys {
        let corrections: Vec<_> = key.corrections().iter().map(|correction| correction.word).collect();
        bytes.extend(payload::blocks_bytes(&[*key.root()]));
        bytes.extend(payload::blocks_bytes(&corrections));
        bytes.extend(payload::blocks_bytes(&[key.flag_correction()]));
        bytes.extend(key.value_correction().map_or_else(Vec::new, payload::words_bytes));
        flags.extend(key.corrections().iter().flat_map(|c| [c.left_flag, c.right_flag]));
    }
    [bytes, payload::packed_bits(&flags)].concat()
}
