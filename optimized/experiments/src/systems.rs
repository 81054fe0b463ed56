//! All systems that are built in.

use duoram_reference::Paper;
use duoram_reference::lean::Lean;
use duoram_reference::two_party::TwoParty;

use crate::Error;
use crate::circuit_oram::CircuitOram;
use crate::cost::published::Published;
use crate::duoram::Duoram;
use crate::floram::Floram;
use crate::gigadoram::GigaDoram;
use crate::system::System;
use crate::voram::VoramHirb;

/// One of each.
pub fn all() -> Vec<Box<dyn System>> {
    vec![
        Box::new(Duoram::<Paper>::new()),
        Box::new(Duoram::<Lean>::new()),
        Box::new(Duoram::<TwoParty>::new()),
        Box::new(Floram),
        Box::new(CircuitOram::default()),
        Box::new(GigaDoram),
        Box::new(VoramHirb),
    ]
}

/// What others published of the systems that are rebuilt here, beside what these do on the same.
///
/// # Errors
///
/// See [`System::run`].
pub fn published() -> Result<Vec<Published>, Error> {
    let lines = all().iter().map(|system| system.published()).collect::<Result<Vec<_>, _>>();
    lines.map(|lines| lines.concat())
}

/// What a system says of itself wherever its numbers are printed: what of them is real, counted and quoted, and how far they are from
/// what was published.
///
/// # Errors
///
/// See [`System::run`].
pub fn said(system: &dyn System) -> Result<Vec<String>, Error> {
    let parts: Vec<_> = system.honesty().parts().map(|(name, text)| format!("{name}: {text}")).collect();
    let first = format!("{}: {}", system.name(), parts.join("; "));
    let published = system.published()?.into_iter().map(|line| format!("  {line}"));
    let other = (!system.is_of_parties()).then(|| {
        format!(
            "  {} is one owner's memory at a server, no parties': it is beside the others, and not compared",
            system.name()
        )
    });
    Ok([first].into_iter().chain(other).chain(published).collect())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::catalogue::{CIRCUIT_ORAM, FLORAM, OURS};
    use crate::model::{Sample, extrapolate};
    use crate::network::{Link, Spent};
    use crate::system::{Kind, Phases, Workload};

    /// The issue's words: "Each says in its output what is real, what is counted and what is quoted, with the deviation from the
    /// published line."
    #[test]
    fn each_says_what_is_real_and_counted_and_a_comparator_how_far_it_is_from_what_was_published() {
        for system in all() {
            let (name, lines) = (system.name(), said(&*system).unwrap());
            assert!(lines[0].starts_with(&format!("{name}: real: ")), "{}", lines[0]);
            assert_eq!(
                lines[0].contains("; counted: "),
                name.ends_with("-cost"),
                "a name says what it is: {}",
                lines[0]
            );
            assert_eq!(lines[0].contains("nothing is secure"), name.ends_with("-cost"), "{}", lines[0]);
            let published: Vec<_> = lines.iter().filter(|line| line.contains(" published (")).collect();
            assert_eq!(published.is_empty(), OURS.contains(&name), "{name}");
            for line in published {
                let (_, after) = line.split_once("): ").unwrap();
                let (percent, why) =
                    after.split_once(" %. ").unwrap_or_else(|| panic!("no deviation: {line}"));
                assert!(percent.parse::<f64>().is_ok() && percent.starts_with(['+', '-']), "{line}");
                assert!(!why.is_empty(), "{line}");
            }
        }
        let floram = said(&Floram).unwrap().join("\n");
        let line = "bytes of both parties, 2 reads of 2^16 words: 2128.484375 KiB here, 3837.724609375 KiB published \
                    (duoram's artifact appendix, A.3.2): -44.5 %.";
        assert!(floram.contains(line), "{floram}");
    }

    /// How far the bytes of a size that was not run may be from what is sent there, as a part of it: at sizes as small as these, bits
    /// in whole bytes, FLORAM's circuits, and trees that come one for three address bits or are a level higher, are steps.
    fn tolerance(name: &str) -> f64 {
        match name {
            "3P-DUORAM" => 0.01,
            "gigadoram-cost" => 0.1,
            "circuit-oram-cost" => 0.45,
            _ => 0.35,
        }
    }

    #[test]
    fn every_system_says_how_it_grows_and_what_it_sends_at_another_size_follows_nearly() {
        for mut system in all() {
            let name = system.name();
            let growth = system.growth().unwrap_or_else(|| panic!("{name} does not say how it grows"));
            // Both trees of vORAM and HIRB are trees at these sizes, and not single nodes.
            let sizes = if name == "voram-hirb" { [10, 12, 14] } else { [8, 10, 12] };
            let phases = sizes.map(|log_size| {
                let workload = Workload { log_size, kind: Kind::Read, operations: 2, seed: [1; 32] };
                system.run(&workload, Link::none()).unwrap()
            });
            for of in [|phases: &Phases| phases.preparing.clone(), |phases: &Phases| phases.online.clone()] {
                let [low, high, there]: [Spent; 3] = phases.each_ref().map(of);
                let sample = |size: usize, spent| Sample::new(sizes[size], spent, Link::wide_area());
                let got = extrapolate(growth, [&sample(0, &low), &sample(1, &high)], sizes[2]);
                #[allow(clippy::cast_precision_loss, reason = "some millions")]
                let expected = there.all_bytes() as f64;
                let apart = (got.all_bytes - expected).abs() / expected.max(1.0);
                assert!(
                    apart <= tolerance(name),
                    "{name}: {} bytes, where {expected} are sent",
                    got.all_bytes
                );
            }
        }
    }

    #[test]
    fn what_is_of_no_parties_says_so() {
        let not: Vec<_> =
            all().iter().filter(|system| !system.is_of_parties()).map(|system| system.name()).collect();
        assert_eq!(not, ["voram-hirb"]);
        assert!(said(&VoramHirb).unwrap()[1].contains("beside the others, and not compared"));
    }

    #[test]
    fn systems_have_names_of_their_own_and_those_of_the_catalogue() {
        let names: Vec<_> = all().iter().map(|system| system.name()).collect();
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
        assert!([FLORAM, CIRCUIT_ORAM].iter().all(|name| names.contains(name)));
    }
}
