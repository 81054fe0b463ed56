//! What is checked with must itself be checked: each of these computations is subtly wrong, and `duoram check` must say
//! so for each.

use duoram_conformance::check::cases::Candidate;
use duoram_conformance::check::{Layer, cases};
use duoram_conformance::paper::view::{Inspect, PrimaryView};
use duoram_reference::{
    Batch, Block, ChildSums, Compute, Correction, DpfShare, HelperMemory, HelperReadQuery, HelperUpdateQuery,
    LeafSums, Paper, Parameters, Plain, PrimaryMemory, ReadQuery, Role, SessionKey, UpdateQuery, Word,
};
use duoram_runtime::local_computation::{Extent, Footprint, LocalComputation};
use duoram_runtime::protocol::Runs as _;
use duoram_runtime::seed::{Seed, Seeds};
use duoram_runtime::session::Session;
use duoram_runtime::transport::Transport;
use duoram_spec::paper::memory::HelperState;

/// What is wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fault {
    /// Nothing: the check must pass.
    None,
    /// READ leaves out the blind, which P2's gamma makes up for.
    ReadForgetsBlind,
    /// P1 rotates by one place too many in READ.
    ReadShiftOffByOne,
    /// The wrong blind for gamma: P0 gets P1's.
    GammaSwapped,
    /// UPDATE subtracts from P0's share what it should add.
    UpdateSubtracts,
    /// REFRESHBLINDS is left out at the primaries: the memory is right, and P2 could learn it by and by.
    BlindsNotRefreshed,
    /// P2 refreshes one blind and forgets the other.
    HelperForgetsBlind,
    /// UPDATE uses the final correction word of DPF 2 for DPF 3.
    WrongFinalCorrection,
    /// The flag corrections of left and right are exchanged.
    FlagCorrectionsSwapped,
    /// The sum over the conversion words leaves out a word's highest bit.
    ConversionSumTruncated,
    /// The index share counts from 1.
    IndexFromOne,
    /// The sum of one level is cut to 64 bits: only the transcript shows it early.
    ChildSumsTruncated,
    /// P2 panics in READ: its peers must not wait for it.
    HelperPanics,
}

const FAULTS: [Fault; 12] = [
    Fault::ReadForgetsBlind,
    Fault::ReadShiftOffByOne,
    Fault::GammaSwapped,
    Fault::UpdateSubtracts,
    Fault::BlindsNotRefreshed,
    Fault::HelperForgetsBlind,
    Fault::WrongFinalCorrection,
    Fault::FlagCorrectionsSwapped,
    Fault::ConversionSumTruncated,
    Fault::IndexFromOne,
    Fault::ChildSumsTruncated,
    Fault::HelperPanics,
];

/// [`Plain`] with a fault.
#[derive(Clone)]
struct Broken(Fault);

fn copy(share: &DpfShare) -> DpfShare {
    share.copy_for_test()
}

impl Compute for Broken {
    type PrimaryMemory = PrimaryMemory;
    type HelperMemory = HelperMemory;
    type Forest = <Plain as Compute>::Forest;

    fn zero_primary_memory(&self, log_size: u32) -> PrimaryMemory {
        Plain.zero_primary_memory(log_size)
    }

    fn zero_helper_memory(&self, log_size: u32) -> HelperMemory {
        Plain.zero_helper_memory(log_size)
    }

    fn primary_memory(&self, memory_share: Vec<Word>, blind: Vec<Word>, blinded: Vec<Word>) -> PrimaryMemory {
        Plain.primary_memory(memory_share, blind, blinded)
    }

    fn helper_memory(&self, blind_0: Vec<Word>, blind_1: Vec<Word>) -> HelperMemory {
        Plain.helper_memory(blind_0, blind_1)
    }

    fn primary_words<'a>(&self, memory: &'a PrimaryMemory) -> Vec<&'a [Word]> {
        Plain.primary_words(memory)
    }

    fn primary_from_words(&self, vectors: Vec<Vec<Word>>) -> PrimaryMemory {
        Plain.primary_from_words(vectors)
    }

    fn helper_words<'a>(&self, memory: &'a HelperMemory) -> [&'a [Word]; 2] {
        Plain.helper_words(memory)
    }

    fn plant(&self, key: &SessionKey, roots: Vec<Block>, log_size: u32) -> Self::Forest {
        Plain.plant(key, roots, log_size)
    }

    fn grow(&self, forest: &mut Self::Forest) -> Vec<ChildSums> {
        let mut sums = Plain.grow(forest);
        if self.0 == Fault::ChildSumsTruncated {
            for sum in &mut sums {
                sum.left &= Block::from(Word::MAX);
            }
        }
        sums
    }

    fn correct(&self, forest: &mut Self::Forest, corrections: &[Correction]) {
        let mut corrections = corrections.to_vec();
        if self.0 == Fault::FlagCorrectionsSwapped {
            for correction in &mut corrections {
                std::mem::swap(&mut correction.left_flag, &mut correction.right_flag);
            }
        }
        Plain.correct(forest, &corrections);
    }

    fn leaf_sums(&self, forest: Self::Forest) -> Vec<LeafSums> {
        let mut sums = Plain.leaf_sums(forest);
        for sum in &mut sums {
            match self.0 {
                Fault::ConversionSumTruncated => sum.conversion_sum &= Word::MAX >> 1,
                Fault::IndexFromOne => {
                    sum.index_flag_sum = sum.index_flag_sum.wrapping_add(sum.flag_count);
                    sum.index_conversion_sum = sum.index_conversion_sum.wrapping_add(sum.conversion_sum);
                }
                _ => {}
            }
        }
        sums
    }

    fn read(&self, key: &SessionKey, role: Role, memory: &PrimaryMemory, queries: &[ReadQuery]) -> Vec<Word> {
        match self.0 {
            Fault::ReadForgetsBlind => {
                let without = PrimaryMemory {
                    memory_share: memory.memory_share.clone(),
                    blind: vec![0; memory.blind.len()],
                    blinded: memory.blinded.clone(),
                };
                Plain.read(key, role, &without, queries)
            }
            Fault::ReadShiftOffByOne if role == Role::P1 => {
                let n = memory.blind.len() as u64;
                let queries: Vec<ReadQuery> = queries
                    .iter()
                    .map(|query| ReadQuery {
                        read: copy(&query.read),
                        refresh: copy(&query.refresh),
                        shift: (query.shift + 1) % n,
                    })
                    .collect();
                Plain.read(key, role, memory, &queries)
            }
            _ => Plain.read(key, role, memory, queries),
        }
    }

    fn unblinding(
        &self,
        key: &SessionKey,
        memory: &HelperMemory,
        queries: &[HelperReadQuery],
    ) -> Vec<[Word; 2]> {
        assert!(self.0 != Fault::HelperPanics, "on purpose");
        let mut sums = Plain.unblinding(key, memory, queries);
        if self.0 == Fault::GammaSwapped {
            for pair in &mut sums {
                pair.reverse();
            }
        }
        sums
    }

    fn update(&self, key: &SessionKey, role: Role, memory: &mut PrimaryMemory, queries: &[UpdateQuery]) {
        let (share, blind, blinded) =
            (memory.memory_share.clone(), memory.blind.clone(), memory.blinded.clone());
        if self.0 == Fault::WrongFinalCorrection {
            let wrong: Vec<UpdateQuery> = queries
                .iter()
                .map(|query| {
                    let [first, second, _] = query.final_corrections;
                    UpdateQuery {
                        dpfs: [copy(&query.dpfs[0]), copy(&query.dpfs[1]), copy(&query.dpfs[2])],
                        final_corrections: [first, second, second],
                        shift: query.shift,
                    }
                })
                .collect();
            return Plain.update(key, role, memory, &wrong);
        }
        Plain.update(key, role, memory, queries);
        match self.0 {
            Fault::UpdateSubtracts if role == Role::P0 => {
                for (after, before) in memory.memory_share.iter_mut().zip(&share) {
                    *after = before.wrapping_sub(after.wrapping_sub(*before));
                }
            }
            Fault::BlindsNotRefreshed => {
                memory.blind = blind;
                memory.blinded = blinded;
            }
            _ => {}
        }
    }

    fn update_blinds(&self, key: &SessionKey, memory: &mut HelperMemory, queries: &[HelperUpdateQuery]) {
        let before = memory.blind_1.clone();
        Plain.update_blinds(key, memory, queries);
        if self.0 == Fault::HelperForgetsBlind {
            memory.blind_1 = before;
        }
    }
}

impl LocalComputation for Broken {
    fn name(&self) -> &'static str {
        "broken"
    }

    fn threads(&self) -> usize {
        1
    }
}

impl Footprint<Paper> for Broken {
    fn state_bytes(&self, extent: Extent) -> [u64; 3] {
        Paper::footprint(&Plain).state_bytes(extent)
    }

    fn item_bytes(&self, extent: Extent) -> u64 {
        Paper::footprint(&Plain).item_bytes(extent)
    }

    fn kept_bytes(&self, extent: Extent) -> u64 {
        Paper::footprint(&Plain).kept_bytes(extent)
    }

    fn session_bytes(&self, extent: Extent, items: u64) -> u64 {
        Paper::footprint(&Plain).session_bytes(extent, items)
    }
}

impl Inspect for Broken {
    fn primary_view(memory: &PrimaryMemory) -> PrimaryView {
        Plain::primary_view(memory)
    }

    fn helper_view(memory: &HelperMemory) -> HelperState<Word> {
        Plain::helper_view(memory)
    }
}

const SEED: Seed = Seed([0x5a; 32]);

#[test]
fn the_wrapper_alone_breaks_nothing() {
    let report = cases::run(20, SEED, &[Candidate::new::<Paper, _>(&Broken(Fault::None))], |_| ());
    assert_eq!(report.mismatches, 0, "{:?}", report.failures);
}

#[test]
fn every_broken_reference_is_caught() {
    for fault in FAULTS {
        let report = cases::run(20, SEED, &[Candidate::new::<Paper, _>(&Broken(fault))], |_| ());
        assert!(report.mismatches > 0, "{fault:?} was not caught");
        let failure = &report.failures[0];
        // The specification is not what is broken.
        assert!(report.failures.iter().flat_map(|f| &f.mismatches).all(|m| m.layer == Layer::Parties));
        println!("{fault:?}: {} mismatches; first: {}", report.mismatches, failure.mismatches[0]);
    }
}

#[test]
fn a_failing_case_fails_again_alone() {
    for fault in [Fault::UpdateSubtracts, Fault::ReadForgetsBlind] {
        let report = cases::run(20, SEED, &[Candidate::new::<Paper, _>(&Broken(fault))], |_| ());
        let failure = &report.failures[0];
        let again = cases::run(
            1,
            failure.seed.parse().unwrap(),
            &[Candidate::new::<Paper, _>(&Broken(fault))],
            |_| (),
        );
        assert_eq!(again.failures[0].mismatches, failure.mismatches);
    }
}

/// When a party stops, its links close, the others stop too, and the one that began it is named.
#[test]
fn nobody_waits_for_a_party_that_stopped() {
    for transport in [Transport::Memory, Transport::Tcp] {
        let seeds = Seeds::derive(&mut SEED.stream());
        let parameters = Parameters::new(seeds.session, 3).unwrap();
        let broken = Broken(Fault::HelperPanics);
        let mut session =
            Session::start::<Paper, _>(parameters, &seeds, |_| broken.clone(), transport, false).unwrap();
        session.connect().unwrap();
        session.preprocess(Batch { reads: 1, updates: 0 }).unwrap();
        let error = session.read([vec![0], vec![0]]).unwrap_err();
        assert_eq!(error.to_string(), "P2 stopped unexpectedly", "{transport}");
        assert!(session.read([vec![0], vec![0]]).is_err());
    }
}

/// A step that the parties refuse is an error of the session, with the reason.
#[test]
fn a_refusal_is_passed_on() {
    let seeds = Seeds::derive(&mut SEED.stream());
    let parameters = Parameters::new(seeds.session, 3).unwrap();
    let mut session =
        Session::start::<Paper, _>(parameters, &seeds, |_| Broken(Fault::None), Transport::Memory, false)
            .unwrap();
    session.connect().unwrap();
    let error = session.read([vec![0], vec![0]]).unwrap_err().to_string();
    assert!(
        error.starts_with('P') && error.contains("refused: 1 preprocessed READ items needed, 0 left"),
        "{error}"
    );
}
