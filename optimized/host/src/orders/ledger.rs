//! What a primary knows of the requests of one client.

use std::collections::BTreeMap;
use std::time::Duration;

use duoram_link::{
    Answer, ClientName, Outcome, PeerMessage, Reason, Refusal, Request, Text, ToClient, WorkKind,
};
use duoram_reference::{Operands, Role};

use super::Said;

/// A request that is not acknowledged.
pub(super) struct Asked {
    pub(super) kind: WorkKind,
    pub(super) count: u64,
    pub(super) deadline_ms: u32,
    /// When it came, or the process started.
    pub(super) since: Duration,
    pub(super) state: State,
}

/// How far a request has come.
pub(super) enum State {
    /// A LOAD of which pieces are missing.
    Coming {
        /// The piece that is next.
        next: u64,
        /// What there is.
        words: Operands,
    },
    /// All of it is here, and waits for its order.
    Held(Operands),
    /// P1 does not allow it: it waits for the order to refuse it, so that P0 does not wait for it.
    Unfit,
    /// It is part of a step.
    Ordered {
        /// The step's last command, which has its answer.
        command: u64,
        /// Once it is there. Not stored: the party keeps it too, and gives it again after a restart.
        outcome: Option<Outcome>,
    },
    /// It was refused.
    Refused(Refusal),
}

impl State {
    /// Whether it waits for its order, or for the rest of it.
    pub(super) const fn waits(&self) -> bool {
        matches!(self, Self::Coming { .. } | Self::Held(_) | Self::Unfit)
    }

    /// Whether it has its answer.
    pub(super) const fn is_answered(&self) -> bool {
        matches!(self, Self::Ordered { outcome: Some(_), .. } | Self::Refused(_))
    }
}

/// All requests of a client, by number.
#[derive(Default)]
pub(super) struct Ledger {
    /// The number of its next new request.
    pub(super) next: u64,
    /// What came before this number is of no interest to the client any more.
    pub(super) first: u64,
    pub(super) asked: BTreeMap<u64, Asked>,
}

/// What is to be done with a request that comes.
pub(super) enum Verdict {
    /// It is new, or the next piece.
    New,
    /// It is here already: the client is told how far it is.
    Repeated,
    /// A piece that is here already.
    Ignored,
    /// Not now, or not so: it leaves no trace.
    Refused(Refusal),
}

impl Ledger {
    /// Looks at a request, before anything is done with it.
    pub(super) fn verdict(&self, request: &Request, window: usize) -> Verdict {
        let Request { number, kind, count, piece, .. } = request;
        if let Some(asked) = self.asked.get(number) {
            if (asked.kind, asked.count) != (*kind, *count) {
                let text =
                    format!("request {number} is {} of {}, got {kind} of {count}", asked.kind, asked.count);
                return Verdict::Refused(refusal(Reason::Changed, text));
            }
            return match asked.state {
                State::Coming { next, .. } if u64::from(*piece) == next => Verdict::New,
                State::Coming { next, .. } if u64::from(*piece) > next => {
                    Verdict::Refused(refusal(Reason::Gap, format!("piece {next} expected, got {piece}")))
                }
                State::Coming { .. } => Verdict::Ignored,
                // Of the pieces of one request one is enough to ask with.
                _ if u64::from(*piece) + 1 < request.pieces() => Verdict::Ignored,
                _ => Verdict::Repeated,
            };
        }
        let next = self.next;
        if *number < next {
            return Verdict::Refused(refusal(
                Reason::Acknowledged,
                format!("request {next} expected, got {number}"),
            ));
        }
        if *number > next || *piece > 0 {
            let text = format!("request {next}, piece 0 expected, got {number}, piece {piece}");
            return Verdict::Refused(refusal(Reason::Gap, text));
        }
        if self.asked.len() >= window {
            let text = format!("at most {window} requests may be without an acknowledged answer");
            return Verdict::Refused(Refusal { retry_after_ms: BUSY_MS, ..refusal(Reason::Busy, text) });
        }
        // Each takes as much room as the memory itself.
        let is_loading = |asked: &Asked| asked.kind == WorkKind::Load && asked.state.waits();
        if *kind == WorkKind::Load && self.asked.values().any(is_loading) {
            let text = "a memory of this client waits already";
            return Verdict::Refused(Refusal { retry_after_ms: BUSY_MS, ..refusal(Reason::Busy, text) });
        }
        Verdict::New
    }

    /// Takes a request that is new, or its next piece; whether all of it is here now.
    pub(super) fn take(&mut self, request: Request, now: Duration) -> bool {
        let pieces = request.pieces();
        let Request { number, kind, count, deadline_ms, shares, .. } = request;
        if let Some(asked) = self.asked.get_mut(&number) {
            let State::Coming { next, words } = &mut asked.state else { return false };
            words.extend_from_slice(&shares);
            *next += 1;
            if *next == pieces {
                asked.state = State::Held(std::mem::take(words));
            }
        } else {
            self.next = number + 1;
            let state = if pieces == 1 {
                State::Held(shares)
            } else {
                // All of it at once: what grows by itself leaves copies behind.
                let room = usize::try_from(count).unwrap_or(usize::MAX);
                let mut words = Operands::new(Vec::with_capacity(room));
                words.extend_from_slice(&shares);
                State::Coming { next: 1, words }
            };
            self.asked.insert(number, Asked { kind, count, deadline_ms, since: now, state });
        }
        self.held(number).is_some()
    }

    /// A request that waits for its order.
    pub(super) fn held(&self, number: u64) -> Option<&Asked> {
        self.asked.get(&number).filter(|asked| matches!(asked.state, State::Held(_)))
    }

    /// Whether a request is the oldest that waits, but for those for which this says that they do not.
    pub(super) fn is_next(&self, number: u64, mut passed: impl FnMut(u64) -> bool) -> bool {
        self.asked.range(..number).all(|(before, asked)| !asked.state.waits() || passed(*before))
    }

    /// What P1 tells P0 of a request, while that waits for its order.
    pub(super) fn holds(&self, client: &ClientName, number: u64) -> Option<Said> {
        let asked = self.asked.get(&number)?;
        let count = match asked.state {
            State::Held(_) => asked.count,
            State::Unfit => 0,
            State::Coming { .. } | State::Ordered { .. } | State::Refused(_) => return None,
        };
        let holds = PeerMessage::Holds { client: client.clone(), number, kind: asked.kind, count };
        Some(Said::Peer(Role::P0, holds))
    }

    /// What the client is told of a request: that it is here, or its answer.
    pub(super) fn told(&self, number: u64) -> Option<ToClient> {
        let outcome = match &self.asked.get(&number)?.state {
            State::Coming { .. } => return None,
            State::Held(_) | State::Unfit | State::Ordered { outcome: None, .. } => {
                return Some(ToClient::Accepted { number });
            }
            State::Ordered { outcome: Some(outcome), .. } => outcome.clone(),
            State::Refused(refusal) => Outcome::Refused(refusal.clone()),
        };
        Some(ToClient::Answer(Answer { number, outcome }))
    }
}

/// When to come back to a full window: an answer may be acknowledged at any moment.
const BUSY_MS: u32 = 50;

/// A refusal that waiting does not help.
pub(super) fn refusal(reason: Reason, text: impl std::fmt::Display) -> Refusal {
    Refusal { reason, retry_after_ms: 0, text: Text::new(text) }
}
