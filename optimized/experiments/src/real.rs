//! The same over real time: each party in a thread of its own, links that sleep. What [`crate::network`] calculates must agree.

use duoram_kernel::{Backend, Features, Workers};
use duoram_runtime::budget::DEFAULT_TREE_BYTES;
use duoram_runtime::event::Action;
use duoram_runtime::fast::Fast;
use duoram_runtime::meter::{Phase, PhaseCost};
use duoram_runtime::protocol::Rules;
use duoram_runtime::session::{Outcome, Session};
use duoram_runtime::transport::Transport;
use duoram_runtime::transport::emulated::Emulation;

use crate::Error;
use crate::duoram::Named;
use crate::network::{Link, Spent};
use crate::program::{Program, Stage, opened, updated};
use crate::system::{Array, Phases, Step, Workload};

/// The link as a transport. Headers are not slowed down.
fn emulation(link: Link) -> Emulation {
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it saturates, and no link is as fast"
    )]
    let bits_per_second = link.bits_per_second.is_finite().then_some(link.bits_per_second as u64);
    Emulation { delay: link.delay, bits_per_second }
}

/// Counts each party's messages of a step.
fn count(messages: &mut [u64; 3], outcome: &Outcome) {
    for event in outcome.events.iter().filter(|event| event.action == Action::Send) {
        messages[event.party.index()] += 1;
    }
}

/// What a phase cost, by the clock on the wall.
fn spent<P: Rules>(cost: &PhaseCost, messages: [u64; 3]) -> Spent {
    let parties = || P::ROLES.iter().map(|role| cost.parties[role.index()]);
    Spent {
        seconds: cost.wall.as_secs_f64(),
        cpu: parties().map(|usage| usage.cpu.unwrap_or_default().as_secs_f64()).collect(),
        bytes: parties().map(|usage| usage.payload_bytes).collect(),
        messages: messages[..P::ROLES.len()].to_vec(),
        sequential: cost.sequential_messages(),
        ..Spent::nothing(P::ROLES.len())
    }
}

/// Items, and the steps that use them up, with their answers checked. Each party's messages are counted, of both phases.
fn perform<P: Named>(
    session: &mut Session,
    stage: &Stage,
    array: &mut Array,
    place: &mut usize,
    [prepared, performed]: &mut [[u64; 3]; 2],
) -> Result<(), Error> {
    for &batch in &stage.batches {
        count(prepared, &session.preprocess(batch)?);
    }
    for shared in &stage.steps {
        let [address, value] = [shared.address, shared.value];
        let operands = [0, 1].map(|party| vec![address[party], value[party]]);
        let outcome = match shared.step {
            Step::Read { .. } => session.read(address.map(|share| vec![share]))?,
            Step::Write { .. } => session.write(operands)?,
            Step::Update { .. } => session.update(operands)?,
        };
        count(performed, &outcome);
        let read = matches!(shared.step, Step::Read { .. });
        let shares = outcome.results.map(|results| results.last().copied().filter(|_| read));
        array.check(P::SYSTEM, *place, shared.step, opened::<P>(shares))?;
        *place += 1;
    }
    Ok(())
}

/// Runs a workload of the protocol P with sleeps. Three parties on one computer take cores from each other: where computing counts,
/// this says less than the calculated network does.
///
/// # Errors
///
/// [`Error::WrongAnswer`]; whatever stopped the session.
pub fn run<P: Named>(workload: &Workload, link: Link) -> Result<Phases, Error> {
    let computation = Fast::new(Backend::best(&Features::detect()), Workers::one(), DEFAULT_TREE_BYTES);
    let Program { parameters, seeds, memory, stages, check } = Program::new::<P>(workload, &computation)?;
    let transport = Transport::Emulated(emulation(link));
    let mut session =
        Session::start::<P, Fast>(parameters, &seeds, |_| computation.clone(), transport, false)?;
    let mut array = Array::new(workload, updated::<P>);
    session.connect()?;
    session.load(memory)?;
    session.take_meter();
    let (mut place, mut messages) = (0, [[0; 3]; 2]);
    for stage in &stages {
        perform::<P>(&mut session, stage, &mut array, &mut place, &mut messages)?;
    }
    let meter = session.take_meter();
    let [prepared, performed] = messages;
    perform::<P>(&mut session, &check, &mut array, &mut place, &mut messages)?;
    Ok(Phases {
        preparing: spent::<P>(meter.phase(Phase::Preprocessing), prepared),
        online: spent::<P>(meter.phase(Phase::Online), performed),
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use duoram_reference::Paper;
    use duoram_reference::lean::Lean;
    use duoram_reference::two_party::TwoParty;

    use super::*;
    use crate::duoram::Duoram;
    use crate::system::{Kind, System};

    /// Both clocks on one point at which next to all of the time is latency. Whatever else this computer does makes a thread wake up
    /// late, and never early, by the more the less of it there is: so long sleeps, and the best of some runs.
    fn clocks_agree<P: Named>(kind: Kind) {
        let workload = Workload { log_size: 8, kind, operations: 1, seed: [5; 32] };
        let link = Link { delay: Duration::from_millis(400), ..Link::wide_area() };
        let calculated = Duoram::<P>::new().run(&workload, link).unwrap();
        let mut seen = Vec::new();
        for phase in [|phases: &Phases| phases.preparing.clone(), |phases: &Phases| phases.online.clone()] {
            let expected = phase(&calculated);
            let agreed = (0..8).any(|run_number| {
                if seen.len() <= run_number {
                    seen.push(run::<P>(&workload, link).unwrap());
                }
                let wall = phase(&seen[run_number]);
                assert_eq!(
                    (&wall.bytes, &wall.messages, wall.sequential),
                    (&expected.bytes, &expected.messages, expected.sequential)
                );
                (wall.seconds - expected.seconds).abs() <= 0.05 * expected.seconds
            });
            let seen: Vec<_> = seen.iter().map(|phases| phase(phases).seconds).collect();
            assert!(agreed, "expected {} s within a twentieth, got {seen:?}", expected.seconds);
        }
    }

    #[test]
    fn sleeping_and_calculating_agree_within_a_twentieth() {
        clocks_agree::<Paper>(Kind::Interleaved);
        clocks_agree::<Lean>(Kind::Read);
        clocks_agree::<TwoParty>(Kind::Update);
    }
}
