//! A number somebody published, beside ours.

use std::fmt;

/// A published number, ours, and why they differ.
#[derive(Clone, PartialEq, Debug)]
pub struct Published {
    /// Whose system.
    pub system: &'static str,
    /// What was measured, and on what.
    pub what: &'static str,
    /// Where it was published.
    pub place: &'static str,
    /// Of both numbers.
    pub unit: &'static str,
    /// Theirs.
    pub published: f64,
    /// Ours.
    pub here: f64,
    /// Why they differ, or what makes them equal.
    pub why: &'static str,
}

impl Published {
    /// How much more ours is, as a part of theirs.
    pub fn deviation(&self) -> f64 {
        self.here / self.published - 1.0
    }
}

impl fmt::Display for Published {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { system, what, place, unit, published, here, why } = self;
        let deviation = 100.0 * self.deviation();
        write!(
            formatter,
            "{system}, {what}: {here} {unit} here, {published} {unit} published ({place}): {deviation:+.1} %. {why}"
        )
    }
}

/// Bytes as KiB.
#[allow(clippy::cast_precision_loss, reason = "bytes of an experiment are far fewer than 2^53")]
pub fn kibibytes(bytes: u64) -> f64 {
    bytes as f64 / 1024.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deviation_is_a_part_of_what_was_published() {
        let line = Published {
            system: "S",
            what: "two reads",
            place: "p. 1",
            unit: "KiB",
            published: 8.0,
            here: kibibytes(10_240),
            why: "Because.",
        };
        assert!((line.deviation() - 0.25).abs() < 1e-12);
        assert_eq!(line.to_string(), "S, two reads: 10 KiB here, 8 KiB published (p. 1): +25.0 %. Because.");
    }
}
