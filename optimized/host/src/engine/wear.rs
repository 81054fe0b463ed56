//! How much of what a session's key may serve it has served: `SECURITY.md`, "How long a session key may serve".

use duoram_reference::KEY_LABELS;
use serde::Serialize;

/// The labels from which on an operator is warned: three quarters of all. What is left gives the time to plan the end of the session, in
/// which the memory is read and a new session is loaded.
const KEY_LABELS_SOON: u64 = KEY_LABELS / 4 * 3;

/// How worn a session's key is. Nothing is refused, whatever it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Wear {
    /// It may serve on.
    #[default]
    Fine,
    /// More than three quarters of [`KEY_LABELS`]: plan a new session.
    Soon,
    /// More than [`KEY_LABELS`]: begin a new session.
    Worn,
}

impl Wear {
    /// Of a key that has served so many labels.
    pub const fn of(labels: u64) -> Self {
        if labels > KEY_LABELS {
            Self::Worn
        } else if labels > KEY_LABELS_SOON {
            Self::Soon
        } else {
            Self::Fine
        }
    }

    /// Goes on to how worn the key is now, and lets the log say so, once since the start for each.
    pub(super) fn becomes(&mut self, labels: u64) {
        let now = Self::of(labels);
        if now <= *self {
            return;
        }
        *self = now;
        let limit = KEY_LABELS;
        match now {
            Self::Fine => {}
            Self::Soon => tracing::warn!(
                labels,
                limit,
                "the session's key has served most of the labels that it may: plan a new session"
            ),
            Self::Worn => tracing::warn!(
                labels,
                limit,
                "the session's key has served too many labels: begin a new session"
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use tracing::level_filters::LevelFilter;

    use super::*;
    use crate::log::Log;

    /// A quarter of what a key may serve is left when the first warning comes.
    #[test]
    fn a_key_is_to_be_replaced_soon_before_it_is_worn() {
        let wears = [0, 3 << 19, (3 << 19) + 1, 1 << 21, (1 << 21) + 1, u64::MAX].map(Wear::of);
        assert_eq!(wears, [Wear::Fine, Wear::Fine, Wear::Soon, Wear::Soon, Wear::Worn, Wear::Worn]);
    }

    /// What the log gets.
    fn logged(what: impl FnOnce()) -> String {
        let log = Log::default();
        tracing::subscriber::with_default(log.subscriber(LevelFilter::INFO), what);
        String::from_utf8(log.bytes()).unwrap()
    }

    #[test]
    fn the_log_warns_once_before_the_limit_and_once_beyond() {
        let mut wear = Wear::default();
        let mut at = |labels| logged(|| wear.becomes(labels));
        assert_eq!(at(100), "");
        let soon = at(KEY_LABELS_SOON + 1);
        assert!(soon.contains("WARN") && soon.contains("plan a new session"), "{soon}");
        assert!(soon.contains("labels=1572865") && soon.contains("limit=2097152"), "{soon}");
        assert_eq!(at(KEY_LABELS_SOON + 2), "");
        let worn = at(KEY_LABELS + 1);
        assert!(worn.contains("WARN") && worn.contains("begin a new session"), "{worn}");
        assert_eq!(at(KEY_LABELS + 2), "");
    }

    /// A party that starts again says it again, and at once what is so.
    #[test]
    fn a_party_that_starts_with_a_worn_key_says_that_and_nothing_else() {
        let said = logged(|| Wear::default().becomes(KEY_LABELS + 1));
        assert!(said.lines().count() == 1 && said.contains("begin a new session"), "{said}");
    }
}
