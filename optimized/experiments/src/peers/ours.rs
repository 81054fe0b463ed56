//! One of our systems, when it is its turn.

use super::Contender;
use crate::Error;
use crate::catalogue::COMPUTING;
use crate::measure::SEED;
use crate::model::Cost;
use crate::network::Link;
use crate::row::{Origin, Point, Row};
use crate::system::{Kind, System, Workload};

/// A system, and what it is asked for in each turn.
pub struct Ours {
    system: Box<dyn System>,
    log_size: u32,
    operations: usize,
    origin: Origin,
}

impl Ours {
    /// So many operations a turn, of `2^log_size` words.
    pub fn new(system: Box<dyn System>, log_size: u32, operations: usize, origin: Origin) -> Self {
        Self { system, log_size, operations, origin }
    }
}

impl Contender for Ours {
    /// What is online, and the total.
    fn perform(&mut self, kind: Kind) -> Result<Vec<Row>, Error> {
        let workload = Workload { log_size: self.log_size, kind, operations: self.operations, seed: SEED };
        let phases = self.system.run(&workload, Link::none())?;
        let [preparing, online] = [&phases.preparing, &phases.online].map(Cost::from);
        let point = Point { workload, link: Link::none(), cores: 1 };
        let names = |phase| [self.system.name(), phase, self.system.honesty().word()];
        let row = |phase, cost: &Cost| Row::new(COMPUTING, names(phase), &point, cost, &self.origin);
        Ok(vec![row("online", &online), row("total", &preparing.then(&online))])
    }
}

#[cfg(test)]
mod tests {
    use duoram_reference::lean::Lean;

    use super::*;
    use crate::duoram::Duoram;

    #[test]
    fn a_turn_is_what_all_parties_compute_online_and_in_total() {
        let origin = Origin {
            backend: "b".to_owned(),
            cpu: "c".to_owned(),
            commit: "d".to_owned(),
            clock: "calculated",
        };
        let mut ours = Ours::new(Box::new(Duoram::<Lean>::new()), 8, 3, origin);
        for kind in [Kind::Read, Kind::Write, Kind::Update] {
            let rows = ours.perform(kind).unwrap();
            let [online, total] = &*rows else { panic!("expected two rows, got {}", rows.len()) };
            assert_eq!([&*online.phase, &*total.phase], ["online", "total"]);
            assert_eq!((&*total.kind, total.operations, total.log_size), (kind.name(), 3, 8));
            assert_eq!((&*total.experiment, &*total.system), ("computing", "3P-lean"));
            assert!(0.0 < online.cpu_seconds && online.cpu_seconds < total.cpu_seconds, "{rows:?}");
        }
    }
}
