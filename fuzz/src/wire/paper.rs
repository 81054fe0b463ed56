//! Messages of the paper's protocol.

use duoram_reference::message::{
    Blind, Blinded, ConversionOpening, ConversionOperands, ConversionShape, Hello, HelperKeys, HelperUpdate,
    HelperUpdateOpening, LevelOpening, LevelOperands, QueryShape, Shift, TreeShape, Triples, Unblinding,
    Update, UpdateOpening,
};
use duoram_reference::{Block, DpfShare, Message, Paper, Word};
use duoram_spec::core::block::replicate;
use duoram_spec::core::du_atallah::{AndTriple, ProductTriple};
use duoram_spec::paper::payload;
use duoram_spec::paper::update::UpdateMessage;

use super::{Due, Payload, Wired, specified_operands};
use crate::payloads::paper::Shape;

impl Wired for Paper {
    type Shape = Shape;

    fn shape(due: Due) -> Shape {
        let log_size = due.log_size();
        let (count, deltas) = (usize::from(due.count % 21), usize::from(due.deltas % 5));
        match 1 + due.kind % 13 {
            1 => Shape::Hello { log_size },
            2 => Shape::Blinded { words: count },
            3 => Shape::Blind { words: count },
            4 => Shape::Triples { log_size, dpfs: count },
            5 => Shape::LevelOperands { dpfs: count },
            6 => Shape::LevelOpening { dpfs: count },
            7 => Shape::ConversionOperands { dpfs: count, deltas },
            8 => Shape::ConversionOpening { dpfs: count },
            9 => Shape::HelperKeys { log_size, items: count },
            10 => Shape::Shift { log_size, queries: count },
            11 => Shape::Unblinding { queries: count },
            12 => Shape::Update { log_size, queries: count },
            _ => Shape::HelperUpdate { log_size, queries: count },
        }
    }

    fn payload_length(shape: Shape) -> usize {
        let length = match shape {
            Shape::Hello { log_size } => Hello::length(log_size),
            Shape::Blinded { words } => Blinded::length(words),
            Shape::Blind { words } => Blind::length(words),
            Shape::Triples { log_size, dpfs } => Triples::length(TreeShape { log_size, dpfs }),
            Shape::LevelOperands { dpfs } => LevelOperands::length(dpfs),
            Shape::LevelOpening { dpfs } => LevelOpening::length(dpfs),
            Shape::ConversionOperands { dpfs, deltas } => {
                ConversionOperands::length(ConversionShape { dpfs, deltas })
            }
            Shape::ConversionOpening { dpfs } => ConversionOpening::length(dpfs),
            Shape::HelperKeys { log_size, items } => HelperKeys::length(TreeShape { log_size, dpfs: items }),
            Shape::Shift { log_size, queries } => Shift::length(QueryShape { log_size, queries }),
            Shape::Unblinding { queries } => Unblinding::length(queries),
            Shape::Update { log_size, queries } => Update::length(QueryShape { log_size, queries }),
            Shape::HelperUpdate { log_size, queries } => {
                HelperUpdate::length(QueryShape { log_size, queries })
            }
        };
        length.bytes()
    }

    fn decode(p: &Payload<'_, Shape>) {
        let words = payload::words_bytes;
        match p.shape {
            Shape::Hello { log_size } => p.decode::<Hello>(log_size, |hello| {
                [payload::blocks_bytes(&[hello.contribution]), words(&[hello.log_size])].concat()
            }),
            Shape::Blinded { words: count } => p.decode::<Blinded>(count, |m| words(&m.0)),
            Shape::Blind { words: count } => p.decode::<Blind>(count, |m| words(&m.0)),
            Shape::Triples { log_size, dpfs } => {
                p.decode::<Triples>(TreeShape { log_size, dpfs }, specified_triples);
            }
            Shape::LevelOperands { dpfs } => p.decode::<LevelOperands>(dpfs, |m| specified_operands(&m.0)),
            Shape::LevelOpening { dpfs } => p.decode::<LevelOpening>(dpfs, |m| payload::blocks_bytes(&m.0)),
            Shape::ConversionOperands { dpfs, deltas } => {
                p.decode::<ConversionOperands>(ConversionShape { dpfs, deltas }, |m| {
                    let operands = m
                        .dpfs
                        .iter()
                        .flat_map(|dpf| [dpf.blinded_sign, dpf.masked_correction, dpf.masked_sign]);
                    words(&operands.chain(m.deltas.iter().flatten().copied()).collect::<Vec<_>>())
                });
            }
            Shape::ConversionOpening { dpfs } => p.decode::<ConversionOpening>(dpfs, |m| words(&m.0)),
            Shape::HelperKeys { log_size, items } => {
                p.decode::<HelperKeys>(TreeShape { log_size, dpfs: items }, |m| specified_keys(&m.0));
            }
            Shape::Shift { log_size, queries } => {
                p.decode::<Shift>(QueryShape { log_size, queries }, |m| words(&m.0));
            }
            Shape::Unblinding { queries } => p.decode::<Unblinding>(queries, |m| words(&m.0)),
            Shape::Update { log_size, queries } => {
                p.decode::<Update>(QueryShape { log_size, queries }, |m| {
                    let message = |opening: &UpdateOpening| {
                        let [masked_dpf_1, masked_dpf_2, masked_dpf_3] = opening.masked;
                        UpdateMessage { shift: opening.shift, masked_dpf_1, masked_dpf_2, masked_dpf_3 }
                    };
                    payload::update(&m.0.iter().map(message).collect::<Vec<_>>())
                });
            }
            Shape::HelperUpdate { log_size, queries } => {
                p.decode::<HelperUpdate>(QueryShape { log_size, queries }, |m| {
                    let message = |opening: &HelperUpdateOpening| {
                        let [masked_dpf_2, masked_dpf_3] = opening.masked;
                        UpdateMessage { shift: opening.shift, masked_dpf_1: 0, masked_dpf_2, masked_dpf_3 }
                    };
                    payload::helper_update(&m.0.iter().map(message).collect::<Vec<_>>())
                });
            }
        }
    }
}

fn specified_triples(triples: &Triples) -> Vec<u8> {
    let and: Vec<AndTriple> = triples
        .and
        .iter()
        .map(|triple| AndTriple { x: replicate(triple.x), y: triple.y, z: triple.z })
        .collect();
    let products: Vec<ProductTriple<Word>> = triples
        .products
        .iter()
        .map(|triple| ProductTriple { x: triple.x, y: triple.y, z: triple.z })
        .collect();
    payload::triples(&and, &products)
}

fn specified_keys(keys: &[DpfShare]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut flags = Vec::new();
    for key in keys {
        let corrections: Vec<Block> = key.corrections().iter().map(|correction| correction.word).collect();
        bytes.extend(payload::blocks_bytes(&[*key.root()]));
        bytes.extend(payload::blocks_bytes(&corrections));
        bytes.extend(payload::word_bytes(key.conversion_factor()));
        flags.extend(key.corrections().iter().flat_map(|c| [c.left_flag, c.right_flag]));
    }
    [bytes, payload::packed_bits(&flags)].concat()
}
