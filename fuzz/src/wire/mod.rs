//! Decoding of arbitrary bytes: never a panic; refused exactly when invalid; what is accepted encodes to the same bytes,
//! by the reference's code and by the specification's.

use arbitrary::Arbitrary;
use duoram_reference::message::{
    Blind, Blinded, ConversionOpening, ConversionOperands, ConversionShape, Hello, HelperKeys, HelperUpdate,
    HelperUpdateOpening, LevelOpening, LevelOperand, LevelOperands, QueryShape, Shift, TreeShape, Triples,
    Unblinding, Update, UpdateOpening,
};
use duoram_reference::{
    Block, DpfShare, HEADER_LENGTH, Header, MAX_PAYLOAD, Message, Misbehaviour, Paper, Protocol as _, Role,
    Word,
};
use duoram_spec::core::block::replicate;
use duoram_spec::core::du_atallah::{AndTriple, ProductTriple};
use duoram_spec::paper::payload;
use duoram_spec::paper::update::UpdateMessage;

use crate::payloads::{Shape, header, length, valid};

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
            assert_eq!(payload_length(shape), fitting, "{shape:?}");
            let mut payload = bytes.clone();
            payload.resize(fitting.saturating_add_signed(isize::from(*misfit)), 0);
            decode_payload(shape, from, &payload);
        }
    }
}

fn decode_header(link: Role, bytes: &[u8]) {
    let decoded = Header::decode(link, bytes);
    let Some((first, _)) = bytes.split_first_chunk::<HEADER_LENGTH>() else {
        let expected = Misbehaviour::Truncated { from: link, expected: HEADER_LENGTH, got: bytes.len() };
        assert_eq!(decoded, Err(expected));
        return;
    };
    let number = |at: usize| u32::from_le_bytes(first[at..at + 4].try_into().expect("four bytes"));
    // The version and the kind are the protocol's, which the header's reader does not know: a party refuses others.
    let known = first[..3] == *b"DUO"
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
            let written = header(decoded.kind, links, decoded.round, length, decoded.operation, session);
            assert_eq!(written[4..], first[4..]);
            assert_eq!(decoded.version, first[3]);
            let ours = (written[..4] == first[..4], (1..=13).contains(&first[4]));
            let kind = Paper::kind(decoded.kind);
            assert_eq!((decoded.version == Paper::VERSION, kind.is_some()), ours, "{decoded:?}");
            assert!(kind.is_none_or(|kind| kind.number() == first[4]), "{kind:?}");
        }
        Err(error) => assert!(!known && !error.to_string().is_empty(), "{error}"),
    }
}

/// The length of a payload, by the reference.
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
        Shape::HelperUpdate { log_size, queries } => HelperUpdate::length(QueryShape { log_size, queries }),
    };
    length.bytes()
}

/// Decodes as what is due.
fn decode_payload(shape: Shape, from: Role, payload: &[u8]) {
    let words = payload::words_bytes;
    let p = Payload { shape, from, bytes: payload };
    match shape {
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
                let operands =
                    m.dpfs.iter().flat_map(|dpf| [dpf.blinded_sign, dpf.masked_correction, dpf.masked_sign]);
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

/// A payload, and what it should be.
struct Payload<'a> {
    shape: Shape,
    from: Role,
    bytes: &'a [u8],
}

impl Payload<'_> {
    /// Decodes it as a message; `specified` is its payload by the specification's code where that has some for the content.
    fn decode<M: Message>(&self, numbers: M::Shape, specified: impl FnOnce(&M) -> Vec<u8>) {
        let Self { shape, from, bytes: payload } = *self;
        let valid = valid(shape, from, payload);
        match M::decode(numbers, from, payload) {
            Ok(message) => {
                assert!(valid, "should have been refused: {shape:?}");
                assert_eq!(M::KIND.number(), shape.kind());
                assert_eq!(*message.encode(), payload, "the reference encodes it otherwise");
                assert_eq!(specified(&message), payload, "the specification encodes it otherwise");
            }
            Err(error) => {
                assert!(
                    !valid && !error.to_string().is_empty(),
                    "{shape:?} should have been accepted: {error}"
                );
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

fn specified_operands(operands: &[LevelOperand]) -> Vec<u8> {
    let blocks: Vec<Block> = operands.iter().map(|operand| operand.masked_word).collect();
    let bits: Vec<bool> = operands
        .iter()
        .flat_map(|operand| [operand.masked_bit, operand.left_flag, operand.right_flag])
        .collect();
    [payload::blocks_bytes(&blocks), payload::packed_bits(&bits)].concat()
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
