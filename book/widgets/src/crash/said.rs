//! Everything that parties have said to each other, by its number: the same number must mean the same bytes, however often it is said.

use duoram_reference::{Header, Lane, Paper, Protocol, Role};
use serde::Serialize;

use super::hosts::Bytes;

/// A message, as it stands in the list of all.
#[derive(Clone, Serialize)]
pub(super) struct Message {
    pub(super) from: String,
    pub(super) to: [String; 1],
    pub(super) what: &'static str,
    /// A fingerprint of its bytes; two if it was said in two ways.
    pub(super) value: String,
    /// How often it was said.
    times: usize,
    /// It was said in this step.
    new: bool,
}

/// One that was said.
struct Said {
    place: (Role, Role, Lane, u64),
    /// All that was said under its number: one, if all is well.
    ways: Vec<Bytes>,
    times: usize,
    new: bool,
}

/// All of them, in the order in which they were first said.
#[derive(Default)]
pub(super) struct Ledger(Vec<Said>);

impl Ledger {
    /// A frame leaves. Whether it left before.
    pub(super) fn say(&mut self, place: (Role, Role, Lane, u64), frame: &Bytes) -> bool {
        let known = self.0.iter().position(|said| said.place == place).unwrap_or_else(|| {
            self.0.push(Said { place, ways: Vec::new(), times: 0, new: false });
            self.0.len() - 1
        });
        let said = &mut self.0[known];
        if !said.ways.contains(frame) {
            said.ways.push(frame.clone());
        }
        said.times += 1;
        said.new = true;
        said.times > 1
    }

    /// What a party has said last, if a peer has so many frames of a lane.
    pub(super) fn last(&self, from: Role, to: Role, lane: Lane, number: u64) -> Option<&'static str> {
        let place = (from, to, lane, number.checked_sub(1)?);
        self.0.iter().find(|said| said.place == place).map(|said| kind(from, &said.ways[0]))
    }

    /// How many were said in two ways: an item that is used twice would be among them.
    pub(super) fn two_ways(&self) -> usize {
        self.0.iter().filter(|said| said.ways.len() > 1).count()
    }

    /// The list as it is shown; from now on all of it is old.
    pub(super) fn shown(&mut self) -> Vec<Message> {
        let shown = self.0.iter().map(|said| {
            let (from, to, ..) = said.place;
            let prints: Vec<String> = said.ways.iter().map(|frame| fingerprint(frame)).collect();
            Message {
                from: from.to_string(),
                to: [to.to_string()],
                what: kind(from, &said.ways[0]),
                value: prints.join(" and "),
                times: said.times,
                new: said.new,
            }
        });
        let shown = shown.collect();
        self.0.iter_mut().for_each(|said| said.new = false);
        shown
    }
}

/// The name of a frame's kind.
pub(super) fn kind(from: Role, frame: &[u8]) -> &'static str {
    let header = Header::decode(from, frame).ok();
    header.and_then(|header| Paper::kind(header.kind)).map_or("none", |kind| kind.name())
}

/// Four hex digits that are others for most other bytes, of FNV-1a with 32 bits.
fn fingerprint(bytes: &[u8]) -> String {
    let hash =
        bytes.iter().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193));
    format!("{:04x}", hash >> 16 ^ hash & 0xffff)
}
