//! What a peer gets wrong about orders. Its link goes down; nothing has changed.

use duoram_link::ClientName;
use duoram_reference::Role;

/// Why a message of a peer was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Orders come from P0, and are acknowledged by the others; P1 alone tells P0 what it holds.
    #[error("{from}: a message that only {expected} sends to this party")]
    NotFrom {
        /// Who sends it.
        expected: &'static str,
        /// Who did.
        from: Role,
    },
    /// An order is missing.
    #[error("order {expected} expected, got {got}")]
    OrderGap {
        /// The number that is due.
        expected: u64,
        /// The number that came.
        got: u64,
    },
    /// A step for a request that is not here, or not so.
    #[error(
        "order {order}: a step for request {number} of {client}, which is not held with that kind and count"
    )]
    NotHeld {
        /// The order.
        order: u64,
        /// Whose request.
        client: ClientName,
        /// The client's number of it.
        number: u64,
    },
    /// More orders than any P0 gives ahead.
    #[error("at most {max} orders may wait for their turn")]
    TooManyOrders {
        /// How many.
        max: usize,
    },
    /// More requests than any P1 holds.
    #[error("at most {max} requests of {client} may be held ahead")]
    TooManyHeld {
        /// Whose.
        client: ClientName,
        /// How many.
        max: usize,
    },
    /// A peer acknowledges what was not ordered.
    #[error("{peer}: {given} orders were given, got an acknowledgement of {got}")]
    NotGiven {
        /// The peer.
        peer: Role,
        /// How many there are.
        given: u64,
        /// How many are acknowledged.
        got: u64,
    },
    /// A peer has fewer orders than it once acknowledged, or than P0 gave: its disk is lost, or an older one.
    #[error("{peer} has forgotten: it had {expected} orders, and has {got}")]
    PeerForgot {
        /// The peer.
        peer: Role,
        /// What it had.
        expected: u64,
        /// What it says that it has.
        got: u64,
    },
    /// A peer has more orders than were given: this party's disk is lost, or an older one.
    #[error("this party has forgotten: {peer} has {got} orders, and {given} were given")]
    SelfForgot {
        /// The peer.
        peer: Role,
        /// How many there are here.
        given: u64,
        /// What the peer says that it has.
        got: u64,
    },
}
