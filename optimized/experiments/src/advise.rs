//! Advice: what each system costs for a size, a network and a mix of operations, and at which sizes another one becomes the best.

use std::ops::RangeInclusive;

use crate::Error;
use crate::measure::{Bench, SEED};
use crate::model::Cost;
use crate::network::Link;
use crate::prices::Prices;
use crate::row::Point;
use crate::system::{Kind, Workload};
use crate::table::{aligned, bytes, seconds};

/// What somebody wants of an oblivious memory.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Question {
    /// lg n
    pub log_size: u32,
    /// Between the parties.
    pub link: Link,
    /// What share of operations are READs, from 0 to 1; the others are WRITEs.
    pub reads: f64,
    /// How many operations are prepared at once: latency of preparing is shared by as many.
    pub operations: usize,
}

/// What one operation costs with a system, of the mix that was asked for.
#[derive(Clone, PartialEq, Debug)]
pub struct Estimate {
    /// Its name.
    pub system: &'static str,
    /// `real`, `counted` or `extrapolated`.
    pub honesty: &'static str,
    /// See [`crate::system::System::is_of_parties`].
    pub is_of_parties: bool,
    /// Answering a READ.
    pub read: f64,
    /// Answering a WRITE.
    pub write: f64,
    /// Preparing and answering, of the mix.
    pub mixed: Cost,
}

/// Sizes at which a system is the fastest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Best {
    /// Of lg n.
    pub sizes: RangeInclusive<u32>,
    /// Its name.
    pub system: &'static str,
}

/// The answer.
#[derive(Clone, PartialEq, Debug)]
pub struct Advice {
    /// The fastest first.
    pub estimates: Vec<Estimate>,
    /// What is not in them, and why.
    pub skipped: Vec<String>,
    /// Over all sizes, by the model.
    pub best: Vec<Best>,
}

/// The sizes that are compared, of lg n.
const SIZES: RangeInclusive<u32> = 8..=34;

/// One operation's part of a mix.
#[allow(clippy::cast_precision_loss, reason = "a small count")]
fn mixed(question: &Question, read: &Cost, write: &Cost) -> Cost {
    let part = |of: fn(&Cost) -> f64| {
        (question.reads * of(read) + (1.0 - question.reads) * of(write)) / question.operations as f64
    };
    Cost {
        seconds: part(|cost| cost.seconds),
        cpu: part(|cost| cost.cpu),
        most_bytes: part(|cost| cost.most_bytes),
        all_bytes: part(|cost| cost.all_bytes),
        messages: part(|cost| cost.messages),
        sequential: part(|cost| cost.sequential),
    }
}

/// Measures shortly, at sizes that the bench's plan allows, and extrapolates the rest.
///
/// # Errors
///
/// [`Error::WrongAnswer`]; whatever stopped a system.
#[allow(clippy::cast_precision_loss, reason = "a small count")]
pub fn advise(bench: &mut Bench<'_>, question: &Question) -> Result<Advice, Error> {
    let names: Vec<_> = bench.systems().map(|system| (system.name(), system.is_of_parties())).collect();
    let workload = |kind, log_size| Workload { log_size, kind, operations: question.operations, seed: SEED };
    let mut advice = Advice { estimates: Vec::new(), skipped: Vec::new(), best: Vec::new() };
    // By size, the fastest so far.
    let mut fastest: Vec<Option<(f64, &'static str)>> = vec![None; SIZES.count()];
    for (system, &(name, is_of_parties)) in names.iter().enumerate() {
        let mut costs = Vec::new();
        for kind in [Kind::Read, Kind::Write] {
            let point = Point { workload: workload(kind, question.log_size), link: question.link, cores: 1 };
            match bench.point(system, &point)? {
                Ok(found) => costs.push(found),
                Err(reason) => advice.skipped.push(format!("{name}, {kind}: {reason}")),
            }
        }
        let [(read, honesty), (write, _)] = costs.as_slice() else { continue };
        let operations = question.operations as f64;
        advice.estimates.push(Estimate {
            system: name,
            honesty,
            is_of_parties,
            read: read[1].seconds / operations,
            write: write[1].seconds / operations,
            mixed: mixed(question, &read[2], &write[2]),
        });
        for (place, log_size) in fastest.iter_mut().zip(SIZES).filter(|_| is_of_parties) {
            let of = |kind| workload(kind, log_size);
            let read = bench.extrapolated(system, of(Kind::Read), question.link)?;
            let write = bench.extrapolated(system, of(Kind::Write), question.link)?;
            let Some((read, write)) = read.zip(write) else { break };
            let time = mixed(question, &read[2], &write[2]).seconds;
            if place.is_none_or(|(other, _)| time < other) {
                *place = Some((time, name));
            }
        }
    }
    advice.estimates.sort_by(|one, other| one.mixed.seconds.total_cmp(&other.mixed.seconds));
    advice.best = ranges(SIZES.zip(fastest).filter_map(|(log_size, best)| Some((log_size, best?.1))));
    Ok(advice)
}

/// Sizes in a row at which the same is the fastest.
fn ranges(fastest: impl Iterator<Item = (u32, &'static str)>) -> Vec<Best> {
    let mut ranges: Vec<Best> = Vec::new();
    for (log_size, system) in fastest {
        match ranges.last_mut() {
            Some(last) if last.system == system => last.sizes = *last.sizes.start()..=log_size,
            _ => ranges.push(Best { sizes: log_size..=log_size, system }),
        }
    }
    ranges
}

impl Advice {
    /// For a person.
    pub fn text(&self, question: &Question, prices: &Prices) -> Vec<String> {
        let mut lines = vec![
            [
                "system",
                "a READ",
                "a WRITE",
                "an operation, prepared",
                "a party sends",
                "a million cost",
                "numbers",
            ]
            .map(str::to_owned)
            .to_vec(),
        ];
        for estimate in &self.estimates {
            let [cpu, bandwidth] = prices.of(estimate.mixed.cpu, estimate.mixed.all_bytes);
            lines.push(vec![
                estimate.system.to_owned(),
                seconds(estimate.read),
                seconds(estimate.write),
                seconds(estimate.mixed.seconds),
                bytes(estimate.mixed.most_bytes),
                // Millionths of a dollar each, of a million.
                format!("{:.2} $", cpu + bandwidth),
                estimate.honesty.to_owned(),
            ]);
        }
        let mut text = aligned(&lines);
        if let Some(first) = self.estimates.iter().find(|estimate| estimate.is_of_parties) {
            text.push(format!(
                "fastest at 2^{} with {:.0} % READs: {}",
                question.log_size,
                100.0 * question.reads,
                first.system
            ));
        }
        let named = |best: &Best| match (best.sizes.start(), best.sizes.end()) {
            (start, end) if start == end => format!("2^{start} {}", best.system),
            (start, end) => format!("2^{start} to 2^{end} {}", best.system),
        };
        if !self.best.is_empty() {
            let ranges: Vec<_> = self.best.iter().map(named).collect();
            text.push(format!("fastest by size, by the model: {}", ranges.join("; ")));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::measure::Plan;
    use crate::network::{Network, Spent};
    use crate::row::Origin;
    use crate::system::{Growth, Honesty, Law, Phases, System};

    /// Computes so many nanoseconds a word and an operation, and sends messages one after the other.
    struct Scan {
        name: &'static str,
        nanoseconds: u64,
        messages: u32,
        is_of_parties: bool,
    }

    impl Scan {
        fn boxed(name: &'static str, nanoseconds: u64, messages: u32) -> Box<dyn System> {
            Box::new(Self { name, nanoseconds, messages, is_of_parties: true })
        }
    }

    impl System for Scan {
        fn name(&self) -> &'static str {
            self.name
        }

        fn honesty(&self) -> Honesty {
            Honesty { real: "all", counted: "", quoted: "" }
        }

        fn takes(&self, _workload: &Workload) -> bool {
            true
        }

        fn is_of_parties(&self) -> bool {
            self.is_of_parties
        }

        fn growth(&self) -> Option<Growth> {
            Some(Growth { computing: Law::Linear, bytes: Law::Logarithm, messages: Law::Logarithm })
        }

        fn run(&mut self, workload: &Workload, link: Link) -> Result<Phases, Error> {
            let mut network = Network::new(2, link);
            for _ in 0..workload.operations {
                network.compute_for(0, Duration::from_nanos(self.nanoseconds * workload.size()));
                for message in 0..self.messages as usize {
                    network.send(message % 2, 1 - message % 2, 8);
                    let _ = network.receive(1 - message % 2, message % 2);
                }
            }
            Ok(Phases { preparing: Spent::nothing(2), online: network.mark() })
        }
    }

    fn asked(log_size: u32) -> (Advice, Question) {
        // A scan of 1 ns a word and 2 messages, and one of 0.001 ns a word that needs 10: equal at 8 x 30 ms = 2^h ns.
        asked_of(vec![Scan::boxed("scan", 1000, 2), Scan::boxed("messages", 1, 10)], log_size)
    }

    fn asked_of(systems: Vec<Box<dyn System>>, log_size: u32) -> (Advice, Question) {
        let plan =
            Plan { quick: false, operations: None, most_log_size: Some(12), headers: false, real: false };
        let origin =
            Origin { backend: String::new(), cpu: String::new(), commit: String::new(), clock: "calculated" };
        let mut watch = |_: &str, _: f64| ();
        let mut bench = Bench::new(systems, plan, origin, &mut watch);
        let question = Question { log_size, link: Link::wide_area(), reads: 0.9, operations: 2 };
        (advise(&mut bench, &question).unwrap(), question)
    }

    #[test]
    fn the_crossover_is_where_calculating_by_hand_puts_it() {
        // 999 ns x 2^h against 8 messages of 30 ms: h = lg(240,000,000 / 999) = 17.87.
        let (advice, _) = asked(22);
        let expected = [Best { sizes: 8..=17, system: "scan" }, Best { sizes: 18..=34, system: "messages" }];
        assert_eq!(advice.best, expected);
        assert_eq!(advice.estimates[0].system, "messages");
        assert_eq!(asked(12).0.estimates[0].system, "scan");
    }

    /// vORAM with HIRB answers its owner alone: faster than any protocol of parties somewhere, and no answer to who asks for one.
    #[test]
    fn what_is_of_no_parties_is_listed_and_never_the_fastest() {
        let alone = Scan { name: "alone", nanoseconds: 1, messages: 1, is_of_parties: false };
        let (advice, question) = asked_of(vec![Box::new(alone), Scan::boxed("scan", 1000, 2)], 22);
        assert_eq!(
            advice.estimates.iter().map(|estimate| estimate.system).collect::<Vec<_>>(),
            ["alone", "scan"]
        );
        assert_eq!(advice.best, [Best { sizes: 8..=34, system: "scan" }]);
        let text = advice.text(&question, &Prices::default()).join("\n");
        assert!(text.contains("fastest at 2^22 with 90 % READs: scan"), "{text}");
    }

    #[test]
    fn what_was_not_measured_says_so() {
        assert_eq!(asked(12).0.estimates[0].honesty, "real");
        let (advice, question) = asked(22);
        assert!(advice.estimates.iter().all(|estimate| estimate.honesty == "extrapolated"));
        let text = advice.text(&question, &Prices::default()).join("\n");
        assert!(text.contains("fastest at 2^22 with 90 % READs: messages"), "{text}");
        assert!(text.contains("2^8 to 2^17 scan; 2^18 to 2^34 messages"), "{text}");
    }

    #[test]
    fn a_mix_is_one_operation_of_it() {
        let (_, question) = asked(12);
        let cost = |seconds| Cost {
            seconds,
            cpu: 0.0,
            most_bytes: 0.0,
            all_bytes: 0.0,
            messages: 0.0,
            sequential: 0.0,
        };
        assert!((mixed(&question, &cost(2.0), &cost(12.0)).seconds - 1.5).abs() < 1e-12);
    }
}
