//! What the solutions to the exercises share: sessions of the reference, and what was said in them.
//!
//! [`trio`] is three durable parties, for the chapter about crashes; [`counting`] counts calls of AES.
//!
//! The solutions are the tests in `tests/`, one file for a chapter or a few. They use the public functions of
//! `duoram-spec` and `duoram-reference`, random inputs from `duoram-vectors`, and nothing else.

pub mod counting;
pub mod trio;

use duoram_reference::local::{Delivery, LocalSession};
use duoram_reference::{Compute, Error, HEADER_LENGTH, Header, Parameters, Role, SessionId};

/// A session of the reference that has connected and keeps a log.
///
/// # Errors
///
/// None for `1 <= log_size <= 40`.
pub fn session<C: Compute + Clone>(log_size: u32, seed: u8, compute: C) -> Result<LocalSession<C>, Error> {
    let parameters = Parameters::new(SessionId([seed; 16]), log_size)?;
    let seeds = [[seed; 32], [seed.wrapping_add(1); 32], [seed.wrapping_add(2); 32]];
    let mut session = LocalSession::new(parameters, seeds, compute)?;
    session.record();
    session.connect()?;
    session.take_log();
    Ok(session)
}

/// The header of a frame in the log.
///
/// # Errors
///
/// None for frames that a party has sent.
pub fn header(delivery: &Delivery) -> Result<Header, Error> {
    Ok(Header::decode(delivery.frame.from, &delivery.frame.bytes)?)
}

/// The payload of a frame in the log, as words.
pub fn words(delivery: &Delivery) -> Vec<u64> {
    delivery.frame.bytes[HEADER_LENGTH..]
        .as_chunks()
        .0
        .iter()
        .map(|bytes| u64::from_le_bytes(*bytes))
        .collect()
}

/// The payload of the first frame in the log from one party to another.
pub fn said(log: &[Delivery], from: Role, to: Role) -> Vec<u64> {
    log.iter().find(|d| d.frame.from == from && d.frame.to == to).map(words).unwrap_or_default()
}

/// What is seen in all cases, in order: two lists are equal if each thing is seen equally often.
pub fn seen<T: Ord>(cases: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut seen: Vec<T> = cases.into_iter().collect();
    seen.sort_unstable();
    seen
}
