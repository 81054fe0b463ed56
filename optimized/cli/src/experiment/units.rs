//! Latencies and rates as `tc` takes them: `30ms`, `100mbit`.

use std::time::Duration;

/// A number and what follows it.
fn split(text: &str) -> Option<(f64, &str)> {
    let end = text.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    Some((number.parse().ok()?, unit))
}

/// `30ms`, `30us`, `0.2s`.
pub(super) fn latency(text: &str) -> Result<Duration, String> {
    let seconds = split(text).and_then(|(number, unit)| match unit {
        "us" => Some(1e-6 * number),
        "ms" => Some(1e-3 * number),
        "s" => Some(number),
        _ => None,
    });
    let most = 3600.0;
    seconds.filter(|seconds| *seconds <= most).map(Duration::from_secs_f64).ok_or_else(|| {
        format!(
            "expected a time of at most an hour with us, ms or s, such as 30ms, got '{}'",
            text.escape_debug()
        )
    })
}

/// `100mbit`, `10gbit`, `64kbit`: bits a second, more than none.
pub(super) fn bandwidth(text: &str) -> Result<f64, String> {
    let bits = split(text).and_then(|(number, unit)| match unit {
        "kbit" => Some(1e3 * number),
        "mbit" => Some(1e6 * number),
        "gbit" => Some(1e9 * number),
        _ => None,
    });
    bits.filter(|bits| *bits >= 1.0).ok_or_else(|| {
        format!("expected a rate with kbit, mbit or gbit, such as 100mbit, got '{}'", text.escape_debug())
    })
}

/// From 0 to 1.
pub(super) fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| format!("expected a share from 0 to 1, got '{}'", text.escape_debug()))
}

/// A price: no less than nothing.
pub(super) fn price(text: &str) -> Result<f64, String> {
    let price = text.parse::<f64>().ok().filter(|price| *price >= 0.0 && price.is_finite());
    price.ok_or_else(|| format!("expected a number of dollars, got '{}'", text.escape_debug()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_rates_have_units() {
        assert_eq!(latency("30ms"), Ok(Duration::from_millis(30)));
        assert_eq!(latency("30us"), Ok(Duration::from_micros(30)));
        assert_eq!(latency("0.2s"), Ok(Duration::from_millis(200)));
        assert_eq!(bandwidth("100mbit"), Ok(100e6));
        assert_eq!(bandwidth("1.5gbit"), Ok(1.5e9));
        for text in ["30", "ms", "-3ms", "1e3ms", "3 ms", "4000s", ""] {
            assert!(latency(text).is_err(), "{text}");
        }
        for text in ["100", "0mbit", "100Mbit", "100mbps", "mbit", ""] {
            assert!(bandwidth(text).is_err(), "{text}");
        }
    }

    #[test]
    fn shares_and_prices_are_within_bounds() {
        assert_eq!((share("0.9"), price("0.09")), (Ok(0.9), Ok(0.09)));
        for text in ["1.1", "-0.1", "NaN", "x"] {
            assert!(share(text).is_err(), "{text}");
        }
        for text in ["-1", "inf", "NaN", ""] {
            assert!(price(text).is_err(), "{text}");
        }
    }
}
