//! What is in the journal: the inputs that were taken, in their order (rule 2). What follows from them is not: the party does it
//! again.

use zeroize::Zeroizing;

use super::stored::{Stored, write_bytes, write_words};
use crate::engine::{Batch, Command, Lane};
use crate::wire::Role;
use crate::wire::codec::Writer;

/// An input.
pub(super) enum Record {
    /// A command of the client, by its number.
    Command(u64, Command),
    /// A frame that the party has taken.
    Frame {
        /// Whose.
        peer: Role,
        /// The lane.
        lane: Lane,
        /// Its number on the link, in the lane.
        number: u64,
        /// The frame.
        bytes: Zeroizing<Vec<u8>>,
    },
    /// A peer has so many frames of a lane on its disk. Nothing waits for this record to be written: a peer says it again.
    Acknowledged {
        /// Who.
        peer: Role,
        /// The lane.
        lane: Lane,
        /// How many.
        number: u64,
    },
    /// The client has the answer to a command. Nothing waits for this one either: it would be given the answer again.
    Fetched(u64),
}

/// The least bytes of a command: its kind.
pub(super) const COMMAND_BYTES: usize = 1;

impl Record {
    /// The record's bytes; a checksum is for the disk to add.
    pub(super) fn encode(&self) -> Zeroizing<Vec<u8>> {
        let mut out = Writer::default();
        match self {
            Self::Command(number, command) => {
                out.byte(0);
                out.word(*number);
                write_command(&mut out, command);
            }
            Self::Frame { peer, lane, number, bytes } => {
                out.byte(1);
                write_place(&mut out, *peer, *lane, *number);
                write_bytes(&mut out, bytes);
            }
            Self::Acknowledged { peer, lane, number } => {
                out.byte(2);
                write_place(&mut out, *peer, *lane, *number);
            }
            Self::Fetched(number) => {
                out.byte(3);
                out.word(*number);
            }
        }
        out.finish()
    }

    /// The record of these bytes; `None` if it is none.
    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        let mut stored = Stored::new(bytes);
        let record = match stored.byte()? {
            0 => Self::Command(stored.word()?, read_command(&mut stored)?),
            1 => Self::Frame {
                peer: stored.role()?,
                lane: stored.lane()?,
                number: stored.word()?,
                bytes: stored.bytes()?,
            },
            2 => Self::Acknowledged { peer: stored.role()?, lane: stored.lane()?, number: stored.word()? },
            3 => Self::Fetched(stored.word()?),
            _ => return None,
        };
        stored.end()?;
        Some(record)
    }
}

fn write_place(out: &mut Writer, peer: Role, lane: Lane, number: u64) {
    out.byte(peer.number());
    out.byte(lane.number());
    out.word(number);
}

/// Appends a command: its kind, and what it works on.
pub(super) fn write_command(out: &mut Writer, command: &Command) {
    match command {
        Command::Connect => out.byte(0),
        Command::Preprocess(Batch { reads, updates }) => {
            out.byte(1);
            out.words(&[*reads as u64, *updates as u64]);
        }
        Command::Load(words) => {
            out.byte(2);
            write_words(out, words);
        }
        Command::Read { count, addresses } => {
            out.byte(3);
            out.word(*count as u64);
            write_words(out, addresses);
        }
        Command::Follow => out.byte(4),
        Command::Update { count, pairs } => {
            out.byte(5);
            out.word(*count as u64);
            write_words(out, pairs);
        }
        Command::Write(words) => {
            out.byte(6);
            write_words(out, words);
        }
        Command::Swap(words) => {
            out.byte(7);
            write_words(out, words);
        }
        Command::Discard => out.byte(8),
    }
}

/// Reads a command.
pub(super) fn read_command(stored: &mut Stored<'_>) -> Option<Command> {
    Some(match stored.byte()? {
        0 => Command::Connect,
        1 => Command::Preprocess(Batch { reads: stored.size()?, updates: stored.size()? }),
        2 => Command::Load(stored.words()?),
        3 => Command::Read { count: stored.size()?, addresses: stored.words()? },
        4 => Command::Follow,
        5 => Command::Update { count: stored.size()?, pairs: stored.words()? },
        6 => Command::Write(stored.words()?),
        7 => Command::Swap(stored.words()?),
        8 => Command::Discard,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records() -> Vec<Record> {
        let commands = [
            Command::Connect,
            Command::Preprocess(Batch { reads: 3, updates: 4 }),
            Command::Load(Zeroizing::new(vec![1, 2, 3])),
            Command::Read { count: 2, addresses: Zeroizing::new(vec![5, 6]) },
            Command::Follow,
            Command::Update { count: 1, pairs: Zeroizing::new(vec![]) },
            Command::Write(Zeroizing::new(vec![7, 8])),
            Command::Swap(Zeroizing::new(vec![9, 10])),
            Command::Discard,
        ];
        let mut records: Vec<_> = commands
            .into_iter()
            .zip(20..)
            .map(|(command, number)| Record::Command(number, command))
            .collect();
        for (peer, lane) in [(Role::P0, Lane::Making), (Role::P2, Lane::Memory)] {
            records.push(Record::Frame { peer, lane, number: 77, bytes: Zeroizing::new(b"frame".to_vec()) });
            records.push(Record::Acknowledged { peer, lane, number: 1 << 40 });
        }
        records.push(Record::Fetched(99));
        records
    }

    /// What is read is what was written, and nothing shorter, longer, or of another kind is read as anything.
    #[test]
    fn records_are_read_as_they_were_written() {
        let mut all = Vec::new();
        for record in records() {
            let bytes = record.encode();
            assert_eq!(Record::decode(&bytes).unwrap().encode(), bytes);
            for length in 0..bytes.len() {
                assert!(Record::decode(&bytes[..length]).is_none(), "{length} of {bytes:?}");
            }
            assert!(Record::decode(&[&bytes[..], &[0]].concat()).is_none());
            all.push(bytes.to_vec());
        }
        all.sort();
        all.dedup();
        assert_eq!(all.len(), records().len());
        assert!(Record::decode(&[4, 0, 0, 0, 0, 0, 0, 0, 0]).is_none());
    }

    /// A length that the record does not have is refused before anything is allocated for it.
    #[test]
    fn a_length_beyond_the_record_is_refused() {
        let mut bytes = Record::Command(1, Command::Load(Zeroizing::new(vec![1, 2, 3]))).encode();
        for length in [4, 1 << 40, u64::MAX] {
            bytes[10..18].copy_from_slice(&length.to_le_bytes());
            assert!(Record::decode(&bytes).is_none());
        }
    }
}
