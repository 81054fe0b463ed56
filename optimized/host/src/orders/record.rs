//! What the journal has of requests and orders: inputs, as the wire has them, each with the client that it is of.

use duoram_link::{Answer, ClientName, Order, Outcome, PeerMessage, Refusal, Request, ToClient, ToParty};
use duoram_link::{decode, encode};
use zeroize::Zeroizing;

/// An input.
pub(super) enum Record {
    /// A request, or the next piece of one.
    Asked(ClientName, Request),
    /// A request that is refused as it came.
    Refused(ClientName, u64, Refusal),
    /// A client has this answer.
    Acknowledged(ClientName, u64),
    /// A client goes on from here.
    Begun(ClientName, u64),
    /// An order, given or taken.
    Ordered(Order),
}

impl Record {
    /// The length of the client's name, the name, and what the wire would carry; of an order the name is empty. Holds shares.
    pub(super) fn encode(&self) -> Zeroizing<Vec<u8>> {
        let (name, body) = match self {
            Self::Asked(client, request) => (client.as_str(), encode(&ToParty::Request(request.clone()))),
            Self::Refused(client, number, refusal) => (client.as_str(), encode_refusal(*number, refusal)),
            Self::Acknowledged(client, number) => {
                (client.as_str(), encode(&ToParty::Acknowledge { number: *number }))
            }
            Self::Begun(client, first) => (client.as_str(), encode(&ToParty::Begin { first: *first })),
            Self::Ordered(order) => ("", encode(&PeerMessage::Order(order.clone()))),
        };
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
        decode_refusal(body).map(|(number, refusal)| Self::Refused(client, number, refusal))
    }
}

/// A refusal as the client is told it.
pub(super) fn encode_refusal(number: u64, refusal: &Refusal) -> Zeroizing<Vec<u8>> {
    encode(&ToClient::Answer(Answer { number, outcome: Outcome::Refused(refusal.clone()) }))
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
