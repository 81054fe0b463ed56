//! What the journal has of requests and orders: inputs, as the wire has them, each with the client that it is of.

use duoram_link::{
    Answer, ClientName, Order, Outcome, PeerMessage, Refusal, Request, ToClient, ToParty, WorkKind,
};
use duoram_link::{decode, encode};
use zeroize::Zeroizing;

/// An input.
pub(super) enum Record {
    /// A request, or the next piece of one.
    Asked(ClientName, Request),
    /// A request that is refused as it came: its number, what it was, and why.
    Refused(ClientName, u64, (WorkKind, u64), Refusal),
    /// A client has this answer.
    Acknowledged(ClientName, u64),
    /// A client goes on from here.
    Begun(ClientName, u64),
    /// An order, given or taken.
    Ordered(Order),
}

impl Record {
    /// The length of the client's name, the name, and what the wire would carry; of an order the name is empty. Holds shares.
    pub(super) fn encode(self) -> Zeroizing<Vec<u8>> {
        let (client, body) = match self {
            Self::Asked(client, request) => (Some(client), encode(&ToParty::Request(request))),
            Self::Refused(client, number, work, refusal) => {
                (Some(client), encode_refused(number, work, refusal))
            }
            Self::Acknowledged(client, number) => (Some(client), encode(&ToParty::Acknowledge { number })),
            Self::Begun(client, first) => (Some(client), encode(&ToParty::Begin { first })),
            Self::Ordered(order) => (None, encode(&PeerMessage::Order(order))),
        };
        let name = client.as_ref().map_or("", ClientName::as_str);
        let mut bytes = Zeroizing::new(Vec::with_capacity(1 + name.len() + body.len()));
        // A name has at most 64 bytes.
        bytes.push(u8::try_from(name.len()).unwrap_or(u8::MAX));
        bytes.extend_from_slice(name.as_bytes());
        bytes.extend_from_slice(&body);
        bytes
    }

    /// The record of these bytes; `None` if it is none.
    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        let (length, rest) = bytes.split_first()?;
        let (name, body) = rest.split_at_checked(usize::from(*length))?;
        if name.is_empty() {
            return match decode(body) {
                Ok(PeerMessage::Order(order)) => Some(Self::Ordered(order)),
                _ => None,
            };
        }
        let client: ClientName = std::str::from_utf8(name).ok()?.parse().ok()?;
        match decode(body) {
            Ok(ToParty::Request(request)) => return Some(Self::Asked(client, request)),
            Ok(ToParty::Acknowledge { number }) => return Some(Self::Acknowledged(client, number)),
            Ok(ToParty::Begin { first }) => return Some(Self::Begun(client, first)),
            Ok(_) | Err(_) => {}
        }
        let (body, work) = body.split_last_chunk::<WORK>()?;
        let (kind, count) = work.split_first()?;
        let work = (WorkKind::from_number(*kind)?, u64::from_le_bytes(count.try_into().ok()?));
        decode_refusal(body).map(|(number, refusal)| Self::Refused(client, number, work, refusal))
    }
}

/// The bytes of a kind and a count.
const WORK: usize = 1 + size_of::<u64>();

/// A refusal as the client is told it, kind and count.
fn encode_refused(number: u64, (kind, count): (WorkKind, u64), refusal: Refusal) -> Zeroizing<Vec<u8>> {
    let mut bytes = encode_refusal(number, refusal);
    bytes.push(kind.number());
    bytes.extend_from_slice(&count.to_le_bytes());
    bytes
}

/// A refusal as the client is told it.
pub(super) fn encode_refusal(number: u64, refusal: Refusal) -> Zeroizing<Vec<u8>> {
    encode(&ToClient::Answer(Answer { number, outcome: Outcome::Refused(refusal) }))
}

/// What [`encode_refusal`] has written.
pub(super) fn decode_refusal(bytes: &[u8]) -> Option<(u64, Refusal)> {
    match decode(bytes) {
        Ok(ToClient::Answer(Answer { number, outcome: Outcome::Refused(refusal) })) => {
            Some((number, refusal))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use duoram_link::{Entry, Reason, Text};
    use duoram_reference::{Batch, Operands};

    use super::*;

    /// What is read is what was written; and nothing shorter or longer is read as anything.
    #[test]
    fn records_are_read_as_they_were_written() {
        let client = || "a-client".parse::<ClientName>().unwrap();
        let shares = Operands::new(vec![1, 2]);
        let (kind, deadline_ms) = (WorkKind::Write, 9);
        let refusal = Refusal { reason: Reason::TooLarge, retry_after_ms: 0, text: Text::new("too large") };
        let records = [
            Record::Asked(client(), Request { number: 3, kind, count: 1, deadline_ms, piece: 0, shares }),
            Record::Refused(client(), 4, (kind, 1), refusal),
            Record::Acknowledged(client(), 5),
            Record::Begun(client(), 6),
            Record::Ordered(Order { number: 7, entry: Entry::Preprocess(Batch { reads: 1, updates: 2 }) }),
        ];
        for record in records {
            // The text of a refusal ends where it ends.
            let is_refused = matches!(record, Record::Refused(..));
            let bytes = record.encode();
            assert_eq!(Record::decode(&bytes).unwrap().encode(), bytes);
            for length in 0..bytes.len() {
                assert!(is_refused || Record::decode(&bytes[..length]).is_none(), "{length} of {bytes:?}");
            }
        }
    }
}
