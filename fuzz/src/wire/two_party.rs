//! Messages of the two-party protocol.

use duoram_reference::Message;
use duoram_reference::two_party::message::{
    Answers, BaseChoices, Hello, LevelOpening, LevelOperands, OtColumns, PirKeys, Queries, QueryShape,
    Shifts, Sums, UpdateOpening, Updates,
};
use duoram_reference::two_party::{StringsShape, TwoParty};
use duoram_spec::two_party::payload;
use duoram_spec::two_party::update::UpdateMessage;

use super::{Due, Payload, Wired, specified_operands};
use crate::payloads::two_party::Shape;

impl Wired for TwoParty {
    type Shape = Shape;

    fn shape(due: Due) -> Shape {
        let log_size = due.log_size();
        let (count, bytes) = (usize::from(due.count % 21), usize::from(due.deltas % 5));
        match 1 + due.kind % 11 {
            1 => Shape::Hello { log_size },
            2 => Shape::BaseChoices,
            3 => Shape::PirKeys { bytes: count },
            4 => Shape::OtColumns { transfers: count },
            5 => Shape::Queries { count, bytes },
            6 => Shape::LevelOperands { dpfs: count },
            7 => Shape::LevelOpening { dpfs: count },
            8 => Shape::Sums { dpfs: count },
            9 => Shape::Shifts { log_size, queries: count },
            10 => Shape::Answers { count, bytes },
            _ => Shape::Updates { log_size, queries: count },
        }
    }

    fn payload_length(shape: Shape) -> usize {
        let length = match shape {
            Shape::Hello { log_size } => Hello::length(log_size),
            Shape::BaseChoices => BaseChoices::length(()),
            Shape::PirKeys { bytes } => PirKeys::length(bytes),
            Shape::OtColumns { transfers } => OtColumns::length(transfers),
            Shape::Queries { count, bytes } => Queries::length(StringsShape { count, bytes }),
            Shape::LevelOperands { dpfs } => LevelOperands::length(dpfs),
            Shape::LevelOpening { dpfs } => LevelOpening::length(dpfs),
            Shape::Sums { dpfs } => Sums::length(dpfs),
            Shape::Shifts { log_size, queries } => Shifts::length(QueryShape { log_size, queries }),
            Shape::Answers { count, bytes } => Answers::length(StringsShape { count, bytes }),
            Shape::Updates { log_size, queries } => Updates::length(QueryShape { log_size, queries }),
        };
        length.bytes()
    }

    /// What the specification has as ideal, OT and PIR, it does not encode: points, columns and strings are their own bytes.
    fn decode(p: &Payload<'_, Shape>) {
        match p.shape {
            Shape::Hello { log_size } => p.decode::<Hello>(log_size, |hello| {
                [&payload::hello(hello.contribution, log_size as usize)[..], hello.point.encoding()].concat()
            }),
            Shape::BaseChoices => {
                p.decode::<BaseChoices>((), |m| m.0.iter().flat_map(|point| *point.encoding()).collect());
            }
            Shape::PirKeys { bytes } => p.decode::<PirKeys>(bytes, |m| m.0.clone()),
            Shape::OtColumns { transfers } => p.decode::<OtColumns>(transfers, |m| m.0.clone()),
            Shape::Queries { count, bytes } => {
                p.decode::<Queries>(StringsShape { count, bytes }, |m| m.0.concat());
            }
            Shape::LevelOperands { dpfs } => p.decode::<LevelOperands>(dpfs, |m| specified_operands(&m.0)),
            Shape::LevelOpening { dpfs } => p.decode::<LevelOpening>(dpfs, |m| payload::blocks_bytes(&m.0)),
            Shape::Sums { dpfs } => p.decode::<Sums>(dpfs, |m| payload::ring_bytes(&m.0)),
            Shape::Shifts { log_size, queries } => {
                p.decode::<Shifts>(QueryShape { log_size, queries }, |m| payload::words_bytes(&m.0));
            }
            Shape::Answers { count, bytes } => {
                p.decode::<Answers>(StringsShape { count, bytes }, |m| m.0.concat());
            }
            Shape::Updates { log_size, queries } => {
                p.decode::<Updates>(QueryShape { log_size, queries }, |m| {
                    let message = |opening: &UpdateOpening| UpdateMessage {
                        shift: opening.shift,
                        masked: opening.masked,
                    };
                    payload::updates(&m.0.iter().map(message).collect::<Vec<_>>())
                });
            }
        }
    }
}
