//! Decoding of arbitrary bytes: never a panic; refused exactly when invalid; what is accepted encodes to the same bytes,
//! by the reference's code and by the specification's.

use arbitrary::Arbitrary;
use duoram_reference::message::{
    ConversionOperands, HelperUpdateOpening, LevelOperand, Triples, UpdateOpening,
};
use duoram_reference::{
    Block, DpfShare, Error, HEADER_LENGTH, Header, MAX_PAYLOAD, Message, Role, Shape, Word,
};
use duoram_spec::core::block::replicate;
use duoram_spec::core::du_atallah::{AndTriple, ProductTriple};
use duoram_spec::paper::payload;
use duoram_spec::paper::update::UpdateMessage;

use crate::payloads::{header, length, valid};

/// Bytes from a peer.
#[derive(Arbitrary, Clone, PartialEq, Eq, Debug)]
pub enum Input {
    /// The first bytes of a frame.
    Header(Role3, Vec<u8>),
    /// A header whose fields are all there.
    Fields {
        /// The link it comes from.
        link: Role3,
        /// The kind, sender, receiver and reserved byte.
        bytes: [u8; 4],
        /// Level or chunk.
        round: u32,
        /// Of the payload.
        length: u32,
        /// Step.
        operation: u64,
        /// Session.
        session: u128,
    },
    /// A payload that should have a shape.
    Payload {
        /// The sender.
        from: Role3,
        /// What is due.
        due: Due,
        /// How many bytes are missing (negative) or too many.
        misfit: i8,
        /// The payload, as far as it goes; zeros follow.
        bytes: Vec<u8>,
    },
}

/// A party.
#[derive(Arbitrary, Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Role3 {
    P0,
    P1,
    P2,
}

impl From<Role3> for Role {
    fn from(role: Role3) -> Self {
        Role::ALL[role as usize]
    }
}

/// A kind of message and the numbers of its shape.
#[derive(Arbitrary, Clone, Copy, PartialEq, Eq, Debug)]
pub struct Due {
    /// From 1 to 13, by the remainder.
    pub kind: u8,
    /// Up to 40.
    pub log_size: u8,
    /// Words, DPFs, items or queries, up to 20.
    pub count: u8,
    /// Pairs of deltas, up to 4.
    pub deltas: u8,
}

impl Due {
    /// The shape.
    pub fn shape(self) -> Shape {
        let log_size = 1 + u32::from(self.log_size % 40);
        let (count, deltas) = (usize::from(self.count % 21), usize::from(self.deltas % 5));
        match 1 + self.kind % 13 {
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
}

/// Decodes one input.
pub fn check(input: &Input) {
    match input {
        Input::Header(link, bytes) => decode_header((*link).into(), bytes),
        Input::Fields { link, bytes, round, length, operation, session } => {
            let [kind, from, to, reserved] = *bytes;
            let bytes = [
                &[0x44, 0x55, 0x4f, 0x01, kind, from, to, reserved][..],
                &round.to_le_bytes(),
                &length.to_le_bytes(),
                &operation.to_le_bytes(),
                &session.to_le_bytes(),
            ]
            .concat();
            decode_header((*link).into(), &bytes);
        }
        Input::Payload { from, due, misfit, bytes } => {
            let (from, shape) = ((*from).into(), due.shape());
            let fitting = length(shape, from);
            assert_eq!(shape.payload_length(), fitting, "{shape:?}");
            let mut payload = bytes.clone();
            payload.resize(fitting.saturating_add_signed(isize::from(*misfit)), 0);
            decode_payload(shape, from, &payload);
        }
    }
}

fn decode_header(link: Role, bytes: &[u8]) {
    let decoded = Header::decode(link, bytes);
    let Some((first, _)) = bytes.split_first_chunk::<HEADER_LENGTH>() else {
        let expected = Error::Truncated { from: link, expected: HEADER_LENGTH, got: bytes.len() };
        assert_eq!(decoded, Err(expected));
        return;
    };
    let number = |at: usize| u32::from_le_bytes(first[at..at + 4].try_into().expect("four bytes"));
    let known = first[..4] == *b"DUO\x01"
        && (1..=13).contains(&first[4])
        && first[5] < 3
        && first[6] < 3
        && first[7] == 0
        && number(12) as usize <= MAX_PAYLOAD;
    match decoded {
        Ok(decoded) => {
            assert!(known, "should have been refused: {decoded:?}");
            assert_eq!(decoded.encode(), *first);
            let session = decoded.session.0;
            let links = [decoded.from, decoded.to];
            let length = decoded.length as usize;
            let written =
                header(decoded.kind.number(), links, decoded.round, length, decoded.operation, session);
            assert_eq!(written, first);
        }
        Err(error) => assert!(!known && !error.to_string().is_empty(), "{error}"),
    }
}

fn decode_payload(shape: Shape, from: Role, payload: &[u8]) {
    match Message::decode(shape, from, payload) {
        Ok(message) => {
            assert!(valid(shape, from, payload), "should have been refused: {shape:?}");
            assert_eq!(message.kind(), shape.kind());
            assert_eq!(*message.encode(), payload, "the reference encodes it otherwise");
            assert_eq!(specified(&message), payload, "the specification encodes it otherwise");
        }
        Err(error) => {
            let valid = valid(shape, from, payload);
            assert!(!valid && !error.to_string().is_empty(), "{shape:?} should have been accepted: {error}");
        }
    }
}

/// The payload of a message, by the specification's code where it has one for the content.
fn specified(message: &Message) -> Vec<u8> {
    let words = |words: &[Word]| payload::words_bytes(words);
    match message {
        Message::Hello(hello) => {
            [payload::blocks_bytes(&[hello.contribution]), words(&[hello.log_size])].concat()
        }
        Message::Blinded(content)
        | Message::ConversionOpening(content)
        | Message::Shift(content)
        | Message::Unblinding(content) => words(content),
        Message::Blind(content) => words(content),
        Message::Triples(triples) => specified_triples(triples),
        Message::LevelOperands(operands) => specified_operands(operands),
        Message::LevelOpening(blocks) => payload::blocks_bytes(blocks),
        Message::ConversionOperands(ConversionOperands { dpfs, deltas }) => {
            let operands = dpfs.iter().flat_map(|dpf| [dpf.sign, dpf.x, dpf.y]);
            words(&operands.chain(deltas.iter().flatten().copied()).collect::<Vec<_>>())
        }
        Message::HelperKeys(keys) => specified_keys(keys),
        Message::Update(openings) => {
            let message = |opening: &UpdateOpening| {
                let [masked_dpf_1, masked_dpf_2, masked_dpf_3] = opening.masked;
                UpdateMessage { shift: opening.shift, masked_dpf_1, masked_dpf_2, masked_dpf_3 }
            };
            payload::update(&openings.iter().map(message).collect::<Vec<_>>())
        }
        Message::HelperUpdate(openings) => {
            let message = |opening: &HelperUpdateOpening| {
                let [masked_dpf_2, masked_dpf_3] = opening.masked;
                UpdateMessage { shift: opening.shift, masked_dpf_1: 0, masked_dpf_2, masked_dpf_3 }
            };
            payload::helper_update(&openings.iter().map(message).collect::<Vec<_>>())
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

fn specified_operands(operands: &[LevelOperand]) -> Vec<u8> {
    let blocks: Vec<Block> = operands.iter().map(|operand| operand.y).collect();
    let bits: Vec<bool> =
        operands.iter().flat_map(|operand| [operand.x, operand.left_flag, operand.right_flag]).collect();
    [payload::blocks_bytes(&blocks), payload::packed_bits(&bits)].concat()
}

fn specified_keys(keys: &[DpfShare]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut flags = Vec::new();
    for key in keys {
        let corrections: Vec<Block> = key.corrections.iter().map(|correction| correction.word).collect();
        bytes.extend(payload::blocks_bytes(&[key.root]));
        bytes.extend(payload::blocks_bytes(&corrections));
        bytes.extend(payload::word_bytes(key.conversion_factor));
        flags.extend(key.corrections.iter().flat_map(|c| [c.left_flag, c.right_flag]));
    }
    [bytes, payload::packed_bits(&flags)].concat()
}
