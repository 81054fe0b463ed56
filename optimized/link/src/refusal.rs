//! Why a request was not done.

use crate::bytes::{Sink, Source};
use crate::{Text, WireError};

/// Why a request was refused. Nothing was done for it, and nothing has changed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// The client has as many requests under way as it may have. To be sent again, unchanged, with the same number.
    Busy,
    /// There were not enough items before the deadline.
    StockEmpty,
    /// The deadline was over before its turn.
    Expired,
    /// The client has begun anew after it.
    Withdrawn,
    /// P0 and P1 got requests of different kinds or counts under this number.
    Different,
    /// The client has no right to it.
    NotAllowed,
    /// Its answer was acknowledged, and is forgotten.
    Acknowledged,
    /// Requests before it are missing.
    Gap,
    /// More than the parties do at once.
    TooLarge,
    /// No memory was loaded.
    NotLoaded,
    /// The parties refused the step when its turn came.
    Failed,
    /// Another request came before under this number.
    Changed,
}

impl Reason {
    const ALL: [Self; 12] = [
        Self::Busy,
        Self::StockEmpty,
        Self::Expired,
        Self::Withdrawn,
        Self::Different,
        Self::NotAllowed,
        Self::Acknowledged,
        Self::Gap,
        Self::TooLarge,
        Self::NotLoaded,
        Self::Failed,
        Self::Changed,
    ];

    /// The byte that stands for it: its place in the list above.
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// The reason that a byte stands for.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }

    /// In one word, for metrics and `--json`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Busy => "busy",
            Self::StockEmpty => "stock-empty",
            Self::Expired => "expired",
            Self::Withdrawn => "withdrawn",
            Self::Different => "different",
            Self::NotAllowed => "not-allowed",
            Self::Acknowledged => "acknowledged",
            Self::Gap => "gap",
            Self::TooLarge => "too-large",
            Self::NotLoaded => "not-loaded",
            Self::Failed => "failed",
            Self::Changed => "changed",
        }
    }
}

/// A refusal: why, whether to come back, and what to tell people (expected and got).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// Why.
    pub reason: Reason,
    /// When it may go better, in milliseconds from now; 0 if waiting does not help.
    pub retry_after_ms: u32,
    /// For people.
    pub text: Text,
}

impl Refusal {
    /// To the end of a message.
    pub(crate) fn write(&self, out: &mut dyn Sink) {
        out.byte(self.reason.number());
        out.u32(self.retry_after_ms);
        self.text.write(out);
    }

    /// To the end of a message.
    pub(crate) fn read(source: &mut Source<'_>) -> Result<Self, WireError> {
        let number = source.byte()?;
        let reason = source.field("reason", "0 to 11", number, Reason::from_number(number))?;
        Ok(Self { reason, retry_after_ms: source.u32()?, text: Text::read(source)? })
    }
}

/// `reason: text`, and when to come back.
impl std::fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}: {}", self.reason.name(), self.text)?;
        match self.retry_after_ms {
            0 => Ok(()),
            ms => write!(formatter, " (again in {ms} ms)"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_read_back() {
        for reason in Reason::ALL {
            assert_eq!(Reason::from_number(reason.number()), Some(reason));
        }
        assert_eq!(Reason::from_number(12), None);
    }
}
