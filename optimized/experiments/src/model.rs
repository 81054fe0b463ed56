//! What a size would take that was not run: each quantity by its law, from two sizes that were.

use crate::network::{Link, Spent};
use crate::system::{Growth, Law};

/// What a phase takes, as far as it can be said of a size that was not run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Cost {
    /// From the first message to the last.
    pub seconds: f64,
    /// What all parties compute.
    pub cpu: f64,
    /// The bytes of whichever party sends the most.
    pub most_bytes: f64,
    /// The bytes of all parties.
    pub all_bytes: f64,
    /// The messages of all parties.
    pub messages: f64,
    /// Those that have to wait for one another.
    pub sequential: f64,
}

/// What a phase took at a size that was run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sample {
    /// lg n
    pub log_size: u32,
    /// Over links that take no time: computing alone, as it has to wait for itself.
    computing: f64,
    /// Over the link, without computing.
    transport: f64,
    cost: Cost,
}

#[allow(clippy::cast_precision_loss, reason = "counts of messages and bytes are far below 2^53")]
impl From<&Spent> for Cost {
    fn from(spent: &Spent) -> Self {
        Self {
            seconds: spent.seconds,
            cpu: spent.all_cpu(),
            most_bytes: spent.most_bytes() as f64,
            all_bytes: spent.all_bytes() as f64,
            messages: spent.all_messages() as f64,
            sequential: spent.sequential as f64,
        }
    }
}

impl Cost {
    /// This, and after it `other`.
    pub fn then(&self, other: &Self) -> Self {
        Self {
            seconds: self.seconds + other.seconds,
            cpu: self.cpu + other.cpu,
            most_bytes: self.most_bytes + other.most_bytes,
            all_bytes: self.all_bytes + other.all_bytes,
            messages: self.messages + other.messages,
            sequential: self.sequential + other.sequential,
        }
    }
}

impl Sample {
    /// Of a phase that was run, over this link.
    pub fn new(log_size: u32, spent: &Spent, link: Link) -> Self {
        let computing = spent.over(Link::none(), 1.0).seconds;
        let transport = spent.over(link, 0.0).seconds;
        Self { log_size, computing, transport, cost: Cost::from(&spent.over(link, 1.0)) }
    }
}

/// A quantity of this law at `log_size`, from two samples of it, the larger size last.
fn follow(law: Law, [(low, at_low), (high, at_high)]: [(u32, f64); 2], log_size: u32) -> f64 {
    let [low, high, log_size] = [low, high, log_size].map(f64::from);
    let ratio = || if at_low > 0.0 { at_high / at_low } else { 1.0 };
    match law {
        Law::Logarithm => (at_high + (at_high - at_low) / (high - low) * (log_size - high)).max(0.0),
        Law::PowerOfLogarithm => at_high * (log_size / high).powf(ratio().ln() / (high / low).ln()),
        Law::Linear => at_high * (log_size - high).exp2(),
        Law::Power => at_high * ratio().powf((log_size - high) / (high - low)),
    }
}

/// What the phase would take at `log_size`; the samples are of different sizes, the larger one last. The time is computing plus
/// transport, as if neither overlapped: at the larger sample's size it is scaled to what was measured there.
pub fn extrapolate(growth: Growth, [low, high]: [&Sample; 2], log_size: u32) -> Cost {
    let at = |law, of: fn(&Sample) -> f64| {
        follow(law, [(low.log_size, of(low)), (high.log_size, of(high))], log_size)
    };
    let computing = at(growth.computing, |sample| sample.computing);
    // What takes time on the way is latency, which follows the messages, and transmission, which follows the bytes.
    let by_messages = at(growth.messages, |sample| sample.transport);
    let by_bytes = at(growth.bytes, |sample| sample.transport);
    let sum = high.computing + high.transport;
    let overlap = if sum > 0.0 { high.cost.seconds / sum } else { 1.0 };
    Cost {
        seconds: overlap * (computing + by_messages.max(by_bytes)),
        cpu: at(growth.computing, |sample| sample.cost.cpu),
        most_bytes: at(growth.bytes, |sample| sample.cost.most_bytes),
        all_bytes: at(growth.bytes, |sample| sample.cost.all_bytes),
        messages: at(growth.messages, |sample| sample.cost.messages),
        sequential: at(growth.messages, |sample| sample.cost.sequential),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::network::Network;

    const GROWTH: Growth = Growth { computing: Law::Linear, bytes: Law::Logarithm, messages: Law::Logarithm };

    /// h messages of 10 bytes one after the other, and 2^h microseconds of computing.
    fn spent(log_size: u32, link: Link) -> Spent {
        let mut network = Network::new(2, link);
        for round in 0..log_size as usize {
            network.send(round % 2, 1 - round % 2, 10);
            network.receive(1 - round % 2, round % 2).unwrap();
        }
        network.compute_for(0, Duration::from_micros(1 << log_size));
        network.mark()
    }

    #[test]
    fn what_follows_the_laws_is_found_again() {
        let link = Link::wide_area();
        let samples = [10, 14].map(|log_size| Sample::new(log_size, &spent(log_size, Link::none()), link));
        let cost = extrapolate(GROWTH, [&samples[0], &samples[1]], 20);
        let expected = Cost::from(&spent(20, link));
        let near = |one: f64, other: f64| (one - other).abs() < 1e-6 * other.max(1.0);
        assert!(
            near(cost.seconds, expected.seconds) && near(cost.cpu, expected.cpu),
            "{cost:?} {expected:?}"
        );
        assert!(
            near(cost.all_bytes, expected.all_bytes) && near(cost.sequential, expected.sequential),
            "{cost:?}"
        );
    }

    #[test]
    fn each_law_goes_through_its_samples_and_on() {
        let cases = [
            (Law::Logarithm, [(10, 30.0), (20, 50.0)], 30, 70.0),
            (Law::Linear, [(10, 1.0), (20, 4.0)], 22, 16.0),
            (Law::Power, [(10, 1.0), (20, 32.0)], 22, 64.0),
            (Law::PowerOfLogarithm, [(10, 1.0), (20, 8.0)], 40, 64.0),
            (Law::Power, [(10, 0.0), (20, 0.0)], 30, 0.0),
        ];
        for (law, samples, log_size, expected) in cases {
            let got = follow(law, samples, log_size);
            assert!((got - expected).abs() < 1e-9, "{law:?}: {got}");
            assert!((follow(law, samples, 20) - samples[1].1).abs() < 1e-9, "{law:?}");
        }
    }
}
