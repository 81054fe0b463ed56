//! The artifact appendix's claims C1 to C5 (A.4.1), each as a check of rows with a verdict.

use std::fmt;

use crate::catalogue::{CIRCUIT_ORAM, FLORAM};
use crate::paper::published_crossover;
use crate::row::Row;

/// What came out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// As claimed.
    Holds,
    /// Not as claimed.
    DoesNotHold,
    /// It holds up to some size, or from some on, which is not the published one.
    OtherCrossover,
    /// The rows that it takes are not there.
    NotMeasured,
}

impl fmt::Display for Verdict {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Self::Holds => "holds",
            Self::DoesNotHold => "does not hold",
            Self::OtherCrossover => "other crossover",
            Self::NotMeasured => "not measured",
        })
    }
}

/// A claim of a system, and what came out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// `C1` to `C5`.
    pub claim: &'static str,
    /// Of which system.
    pub system: &'static str,
    /// What is claimed, in short.
    pub says: &'static str,
    /// What came out.
    pub verdict: Verdict,
    /// By which numbers.
    pub because: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { claim, system, says, verdict, because } = self;
        write!(formatter, "{claim}  {system:<11} {verdict:<15} {says}: {because}")
    }
}

/// Where one curve stops being below another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Crossing {
    /// Below at all sizes, the largest being this.
    Always(u32),
    /// At none.
    Never,
    /// Below at the first of these sizes, and no longer at the second.
    Between(u32, u32),
}

impl fmt::Display for Crossing {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Always(last) => write!(formatter, "at all sizes up to 2^{last}"),
            Self::Never => formatter.write_str("at no size"),
            Self::Between(low, high) => write!(formatter, "up to 2^{low}, and no more at 2^{high}"),
        }
    }
}

/// Of two curves, by lg n in ascending order, at the sizes that both have.
fn crossing(ours: &[(u32, f64)], theirs: &[(u32, f64)]) -> Option<Crossing> {
    let mut below = None;
    for &(log_size, value) in ours {
        let Some(&(_, other)) = theirs.iter().find(|(size, _)| *size == log_size) else { continue };
        if value >= other {
            return Some(below.map_or(Crossing::Never, |low| Crossing::Between(low, log_size)));
        }
        below = Some(log_size);
    }
    below.map(Crossing::Always)
}

/// What part of a time is noticed when it is saved.
const NOTICEABLE: f64 = 0.1;

/// The rows of an experiment.
struct Rows<'a>(&'a [Row]);

impl Rows<'_> {
    fn of<'a>(
        &'a self,
        experiment: &'a str,
        system: &'a str,
        phase: &'a str,
    ) -> impl Iterator<Item = &'a Row> + Clone {
        let is = move |row: &&Row| {
            (row.experiment.as_str(), row.system.as_str(), row.phase.as_str()) == (experiment, system, phase)
                && row.kind != "readwrite"
        };
        self.0.iter().filter(is)
    }

    /// A curve over the sizes of some experiments, the large ones after the small ones.
    fn curve(&self, experiments: &[&str], system: &str, phase: &str, of: fn(&Row) -> f64) -> Vec<(u32, f64)> {
        let rows = experiments
            .iter()
            .flat_map(|name| self.of(name, system, phase).map(|row| (row.log_size, of(row))));
        let mut curve: Vec<_> = rows.collect();
        curve.sort_by_key(|(log_size, _)| *log_size);
        curve.dedup_by_key(|(log_size, _)| *log_size);
        curve
    }
}

const fn seconds(row: &Row) -> f64 {
    row.seconds
}

const fn bytes(row: &Row) -> f64 {
    row.bytes_a_party
}

/// All claims, of the paper's protocols and of the lean one.
pub fn check(rows: &[Row]) -> Vec<Finding> {
    let rows = Rows(rows);
    let mut findings = Vec::new();
    for system in ["3P-DUORAM", "3P-lean", "2P-DUORAM"] {
        findings.push(c1(&rows, system));
    }
    findings.push(c1_between_peers(&rows));
    for system in ["3P-DUORAM", "3P-lean", "2P-DUORAM"] {
        findings.push(c2(&rows, system));
    }
    for system in ["3P-DUORAM", "3P-lean"] {
        findings.push(c3(&rows, system));
        findings.push(c3_constant(&rows, system));
    }
    for system in ["3P-DUORAM", "3P-lean"] {
        for (other, phase) in [(FLORAM, "total"), (FLORAM, "online"), (CIRCUIT_ORAM, "total")] {
            findings.push(c4(&rows, system, other, phase));
        }
    }
    findings.push(c5(&rows));
    findings.extend(["3P-DUORAM", "3P-lean"].map(|system| c5_online(&rows, system)));
    findings
}

fn not_measured(claim: &'static str, system: &'static str, says: &'static str) -> Finding {
    let because = "the rows that it takes are not there".to_owned();
    Finding { claim, system, says, verdict: Verdict::NotMeasured, because }
}

/// The verdict on a crossover. What was published for the paper's protocol is what the lean one is held against too: `None` is that
/// it is below at all sizes.
fn judged(crossing: Crossing, published: Option<(u32, u32)>) -> Verdict {
    match (crossing, published) {
        (Crossing::Never, _) => Verdict::DoesNotHold,
        (Crossing::Always(_), None) => Verdict::Holds,
        // Nothing else was looked at: the sizes end before.
        (Crossing::Always(last), Some((_, high))) if last <= high => Verdict::Holds,
        (Crossing::Between(low, high), Some((published_low, published_high)))
            if low <= published_high && published_low <= high =>
        {
            Verdict::Holds
        }
        _ => Verdict::OtherCrossover,
    }
}

fn in_words(published: Option<(u32, u32)>) -> String {
    match published {
        None => "published: at all sizes".to_owned(),
        Some((low, high)) if low == high => format!("published: up to 2^{low}"),
        Some((low, high)) => format!("published: up to between 2^{low} and 2^{high}"),
    }
}

/// "Under realistic Internet networking conditions, DUORAM outperforms FLORAM over a range of ORAM sizes."
fn c1(rows: &Rows<'_>, system: &'static str) -> Finding {
    let says = "faster than FLORAM over the standard network";
    let curve = |system| rows.curve(&["E1"], system, "total", seconds);
    let Some(crossing) = crossing(&curve(system), &curve(FLORAM)) else {
        return not_measured("C1", system, says);
    };
    // The paper says of its three parties that they are always faster.
    let published = published_crossover(system, FLORAM, "total", 30.0).filter(|_| system == "2P-DUORAM");
    let because = format!("{crossing} ({})", in_words(published));
    Finding { claim: "C1", system, says, verdict: judged(crossing, published), because }
}

/// "... FLORAM (which itself outperforms Circuit ORAM)."
fn c1_between_peers(rows: &Rows<'_>) -> Finding {
    let says = "faster than Circuit ORAM over the standard network";
    let curve = |system| rows.curve(&["E5"], system, "total", seconds);
    let Some(crossing) = crossing(&curve(FLORAM), &curve(CIRCUIT_ORAM)) else {
        return not_measured("C1", FLORAM, says);
    };
    Finding {
        claim: "C1",
        system: FLORAM,
        says,
        verdict: judged(crossing, None),
        because: crossing.to_string(),
    }
}

/// "DUORAM's wall-clock performance changes much less as network conditions change than does FLORAM's."
fn c2(rows: &Rows<'_>, system: &'static str) -> Finding {
    let says = "changes less than FLORAM as the network changes";
    let factor = |experiment, system| {
        let times: Vec<_> = rows.of(experiment, system, "total").map(seconds).collect();
        let least = times.iter().copied().fold(f64::INFINITY, f64::min);
        (times.len() > 1).then(|| times.iter().copied().fold(0.0, f64::max) / least)
    };
    let factors = ["E2", "E3"].map(|experiment| factor(experiment, system).zip(factor(experiment, FLORAM)));
    let [Some(bandwidth), Some(latency)] = factors else { return not_measured("C2", system, says) };
    let verdict = if bandwidth.0 < bandwidth.1 && latency.0 < latency.1 {
        Verdict::Holds
    } else {
        Verdict::DoesNotHold
    };
    let because = format!(
        "slowest over fastest by bandwidth {:.2} (FLORAM {:.2}), by latency {:.2} (FLORAM {:.2})",
        bandwidth.0, bandwidth.1, latency.0, latency.1
    );
    Finding { claim: "C2", system, says, verdict, because }
}

/// "DUORAM uses much less bandwidth than FLORAM or Circuit ORAM."
fn c3(rows: &Rows<'_>, system: &'static str) -> Finding {
    let says = "fewer bytes than FLORAM and Circuit ORAM";
    let curve = |system| rows.curve(&["E7", "E10"], system, "total", bytes);
    let crossings = [FLORAM, CIRCUIT_ORAM].map(|other| crossing(&curve(system), &curve(other)));
    let [Some(floram), Some(circuit)] = crossings else { return not_measured("C3", system, says) };
    let against_floram = judged(floram, None);
    // The first that does not hold.
    let verdict = if against_floram == Verdict::Holds { judged(circuit, None) } else { against_floram };
    let because = format!("than FLORAM {floram}, than Circuit ORAM {circuit}");
    Finding { claim: "C3", system, says, verdict, because }
}

/// "... 3P-DUORAM's online bandwidth usage is in fact independent of the ORAM size."
fn c3_constant(rows: &Rows<'_>, system: &'static str) -> Finding {
    let says = "online bytes do not depend on the size";
    let curve = rows.curve(&["E7", "E10"], system, "online", bytes);
    let (Some(&(first, least)), Some(&(last, most))) = (curve.first(), curve.last()) else {
        return not_measured("C3", system, says);
    };
    if first == last {
        return not_measured("C3", system, says);
    }
    let verdict = if curve.iter().all(|(_, bytes)| (bytes - least).abs() < 0.5) {
        Verdict::Holds
    } else {
        Verdict::DoesNotHold
    };
    Finding {
        claim: "C3",
        system,
        says,
        verdict,
        because: format!("{least:.0} bytes a party at 2^{first}, {most:.0} at 2^{last}"),
    }
}

/// "Even in the less realistic setting where the independent parties running the protocols are colocated, DUORAM's wall-clock
/// performance is better than FLORAM's and Circuit ORAM's, but for a smaller range of ORAM sizes."
fn c4(rows: &Rows<'_>, system: &'static str, other: &'static str, phase: &str) -> Finding {
    let says = match (other == FLORAM, phase == "total") {
        (true, true) => "in one data centre faster than FLORAM",
        (true, false) => "in one data centre faster online than FLORAM",
        (false, _) => "in one data centre faster than Circuit ORAM",
    };
    let curve = |system| rows.curve(&["E6", "E9"], system, phase, seconds);
    let Some(crossing) = crossing(&curve(system), &curve(other)) else {
        return not_measured("C4", system, says);
    };
    let published = published_crossover("3P-DUORAM", other, phase, 0.03);
    let because = format!("{crossing} ({})", in_words(published));
    Finding { claim: "C4", system, says, verdict: judged(crossing, published), because }
}

/// "2P-DUORAM's online performance improves noticeably with increased CPU core availability, unlike FLORAM."
fn c5(rows: &Rows<'_>) -> Finding {
    let says = "online faster with more cores, unlike FLORAM";
    let gain = |system| {
        let mut best: Option<(u32, f64)> = None;
        for row in rows.of("E11", system, "online") {
            let same = rows.of("E11", system, "online").filter(|other| other.log_size == row.log_size);
            let most = same.clone().max_by_key(|row| row.cores)?;
            let least = same.min_by_key(|row| row.cores)?;
            let gain = 1.0 - most.seconds / least.seconds;
            if most.cores > least.cores && best.is_none_or(|(_, other)| gain > other) {
                best = Some((row.log_size, gain));
            }
        }
        best
    };
    let Some((log_size, ours)) = gain("2P-DUORAM") else { return not_measured("C5", "2P-DUORAM", says) };
    let theirs = gain(FLORAM).map_or(0.0, |(_, gain)| gain);
    let verdict = if ours > NOTICEABLE && ours > theirs { Verdict::Holds } else { Verdict::DoesNotHold };
    let because = format!(
        "with the most cores {:.0} % less time at 2^{log_size} (FLORAM {:.0} %); beyond two cores extrapolated",
        100.0 * ours,
        100.0 * theirs
    );
    Finding { claim: "C5", system: "2P-DUORAM", says, verdict, because }
}

/// "Under our standard network conditions, 3P-DUORAM's online wall-clock time is much smaller than that of FLORAM, regardless of the
/// number of cores."
fn c5_online(rows: &Rows<'_>, system: &'static str) -> Finding {
    let says = "online faster than FLORAM with any number of cores";
    let theirs = |row: &Row| {
        let same_size = |other: &&Row| other.log_size == row.log_size;
        // What uses one core whatever there is has rows of one.
        rows.of("E11", FLORAM, "online").filter(same_size).map(seconds).reduce(f64::min)
    };
    let ratios: Option<Vec<f64>> =
        rows.of("E11", system, "online").map(|row| Some(theirs(row)? / row.seconds)).collect();
    let Some(least) = ratios.and_then(|ratios| ratios.into_iter().reduce(f64::min)) else {
        return not_measured("C5", system, says);
    };
    let verdict = if least > 1.0 { Verdict::Holds } else { Verdict::DoesNotHold };
    Finding {
        claim: "C5",
        system,
        says,
        verdict,
        because: format!("FLORAM takes {least:.1} times as long at the least"),
    }
}

#[cfg(test)]
mod tests;
