//! Everything at once (rule 2): what a restart begins with, as of one record.
//!
//! The memory lane is stored between two steps. The making lane may be in the middle of one: it is stored as it was before that, with
//! the inputs that it has taken since, and a restart does those again. Words are little-endian; what has a length is preceded
//! by it.
//!
//! | field | |
//! |---|---|
//! | `DUOS`, version, role | 6 bytes |
//! | lsn | the last record covered |
//! | for each peer, for each lane | frames taken; frames acknowledged, frames made, frames kept |
//! | commands | number of the next; those that wait; those under way; answers |
//! | making lane | the party's bytes; inputs since |
//! | memory lane | the party's bytes |

use zeroize::Zeroizing;

use super::desk::{Answer, Desk, Running};
use super::journal::{COMMAND_BYTES, read_command, write_command};
use super::links::{Incoming, Link, Made, Outgoing};
use super::stored::{Stored, write_bytes, write_words};
use crate::engine::{Command, Lane};
use crate::wire::Role;
use crate::wire::codec::Writer;

/// The first bytes, and the version.
const MAGIC: [u8; 5] = *b"DUOS\x01";

/// The making lane between two of its steps, and since.
pub(super) struct Making {
    /// As the party has stored it, after its last step.
    pub(super) saved: Zeroizing<Vec<u8>>,
    /// What the lane has done since, in order.
    pub(super) since: Vec<Input>,
}

impl Making {
    /// The items of the batch under way.
    pub(super) fn items(&self) -> usize {
        let items = |input: &Input| match input {
            Input::Begun(Command::Preprocess(batch)) => batch.reads.saturating_add(batch.updates),
            _ => 0,
        };
        self.since.iter().map(items).sum()
    }
}

/// An input of the making lane.
pub(super) enum Input {
    /// A command began.
    Begun(Command),
    /// A peer's frame was taken.
    Taken(Role, Zeroizing<Vec<u8>>),
}

/// What a snapshot holds beside the party.
pub(super) struct State {
    pub(super) lsn: u64,
    pub(super) links: [Link; 2],
    pub(super) desk: Desk,
    pub(super) making: Making,
    pub(super) memory: Zeroizing<Vec<u8>>,
}

/// The bytes of a snapshot.
pub(super) fn encode(
    role: Role,
    lsn: u64,
    links: &[Link; 2],
    desk: &Desk,
    making: &Making,
    memory: &[u8],
) -> Zeroizing<Vec<u8>> {
    let mut out = Writer::default();
    out.bytes(&MAGIC);
    out.byte(role.number());
    out.word(lsn);
    for link in links {
        for (incoming, outgoing) in link.incoming.iter().zip(&link.outgoing) {
            out.words(&[incoming.taken(), outgoing.acknowledged(), outgoing.made()]);
            out.word(outgoing.kept().len() as u64);
            for frame in outgoing.kept() {
                write_bytes(&mut out, &frame.bytes);
            }
        }
    }
    write_desk(&mut out, desk);
    write_bytes(&mut out, &making.saved);
    out.word(making.since.len() as u64);
    for input in &making.since {
        match input {
            Input::Begun(command) => {
                out.byte(0);
                write_command(&mut out, command);
            }
            Input::Taken(peer, bytes) => {
                out.byte(1);
                out.byte(peer.number());
                write_bytes(&mut out, bytes);
            }
        }
    }
    write_bytes(&mut out, memory);
    out.finish()
}

/// What a snapshot of this party holds; `None` if these bytes are none.
pub(super) fn decode(role: Role, bytes: &[u8]) -> Option<State> {
    let mut stored = Stored::new(bytes);
    for expected in MAGIC {
        if stored.byte()? != expected {
            return None;
        }
    }
    if stored.role()? != role {
        return None;
    }
    let lsn = stored.word()?;
    let mut links = <[Link; 2]>::default();
    for link in &mut links {
        for lane in Lane::ALL {
            let (taken, acknowledged, made) = (stored.word()?, stored.word()?, stored.word()?);
            let count = stored.count(size_of::<u64>())?;
            // What is kept is what was made and not acknowledged.
            if made.saturating_sub(acknowledged) != count as u64 {
                return None;
            }
            let mut frames = Vec::with_capacity(count);
            for _ in 0..count {
                frames.push(Made { bytes: stored.bytes()?, cause: lsn });
            }
            link.incoming[lane as usize] = Incoming::restored(taken);
            link.outgoing[lane as usize] = Outgoing::restored(acknowledged, made, frames);
        }
    }
    let desk = read_desk(&mut stored, lsn)?;
    let saved = stored.bytes()?;
    let count = stored.count(COMMAND_BYTES + 1)?;
    let mut since = Vec::with_capacity(count);
    for _ in 0..count {
        since.push(match stored.byte()? {
            0 => Input::Begun(read_command(&mut stored)?),
            1 => Input::Taken(stored.role()?, stored.bytes()?),
            _ => return None,
        });
    }
    let memory = stored.bytes()?;
    stored.end()?;
    Some(State { lsn, links, desk, making: Making { saved, since }, memory })
}

fn write_desk(out: &mut Writer, desk: &Desk) {
    out.words(&[desk.next, desk.waiting.len() as u64]);
    for (number, command) in &desk.waiting {
        out.word(*number);
        write_command(out, command);
    }
    for running in &desk.running {
        out.byte(running.is_some().into());
        if let Some(Running { number, has_results }) = running {
            out.word(*number);
            out.byte((*has_results).into());
        }
    }
    out.word(desk.answers.len() as u64);
    for (number, kept) in &desk.answers {
        out.word(*number);
        match &kept.answer {
            Answer::Done(shares) => {
                out.byte(0);
                write_words(out, shares);
            }
            Answer::Refused(reason) => {
                out.byte(1);
                write_bytes(out, reason.as_bytes());
            }
        }
    }
}

fn read_desk(stored: &mut Stored<'_>, lsn: u64) -> Option<Desk> {
    let mut desk = Desk::restored(stored.word()?);
    for _ in 0..stored.count(size_of::<u64>() + COMMAND_BYTES)? {
        desk.waiting.push_back((stored.word()?, read_command(stored)?));
    }
    for running in &mut desk.running {
        *running = match stored.byte()? {
            0 => None,
            1 => Some(Running { number: stored.word()?, has_results: stored.byte()? == 1 }),
            _ => return None,
        };
    }
    for _ in 0..stored.count(size_of::<u64>() + 1)? {
        let number = stored.word()?;
        let answer = match stored.byte()? {
            0 => Answer::Done(stored.words()?),
            1 => Answer::Refused(String::from_utf8(stored.bytes()?.to_vec()).ok()?),
            _ => return None,
        };
        desk.answer(number, answer, lsn);
    }
    Some(desk)
}
