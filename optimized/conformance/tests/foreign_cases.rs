//! The cases that kernels of others are put to: the list has every edge, and the answers that they are compared with are
//! those of the reference and of all our backends too.

use duoram_conformance::foreign::case::{Case, Key, Level, Operation, Query, Scan};
use duoram_conformance::foreign::expected::expected;
use duoram_conformance::foreign::lean::FlagKey;
use duoram_conformance::foreign::list::cases;
use duoram_conformance::paper::view::{Inspect, PrimaryView};
use duoram_kernel::{Backend, BitKey, Features, Flags, Kernels, Selection, ValueKey, ValueUpdate, Workers};
use duoram_reference::{
    Correction, DpfShare, HelperReadQuery, HelperUpdateQuery, Plain, ReadQuery, Role, SessionKey,
    UpdateQuery, Word,
};
use duoram_runtime::fast::Fast;
use duoram_runtime::local_computation::LocalComputation as _;
use duoram_runtime::seed::Seed;
use duoram_spec::core::block::{high_half, low_half};
use duoram_spec::paper::compressed::{CompressedState, compress};
use duoram_spec::paper::memory::HelperState;

/// The levels as the reference has them.
fn corrections(key: &Key) -> Vec<Correction> {
    let correction = |level: &Level| Correction {
        word: level.word,
        left_flag: level.left_flag,
        right_flag: level.right_flag,
    };
    key.levels.iter().map(correction).collect()
}

/// A key as the reference has it.
fn share(key: &Key) -> DpfShare {
    DpfShare::for_test(key.root, corrections(key), key.conversion_factor)
}

/// The answer of a backend or of the reference, in the paper's protocol.
fn computed<C: Inspect>(compute: &C, case: &Case) -> Vec<Word> {
    let key = SessionKey::new(case.session_key().to_le_bytes());
    match case {
        Case::Grow { trees, parents, .. } => {
            // Each parent as a tree of its own: the sums over one node are its children.
            let mut forest = compute.plant(&key, parents.clone(), 1);
            let children = compute.grow(&mut forest);
            let sums = children.chunks(children.len() / trees).flat_map(|tree| {
                tree.iter().fold([0; 2], |[left, right], child| [left ^ child.left, right ^ child.right])
            });
            let blocks = children.iter().flat_map(|child| [child.left, child.right]).chain(sums);
            blocks.flat_map(|block| [low_half(block), high_half(block)]).collect()
        }
        Case::Evaluate { keys, .. } => {
            let levels: Vec<Vec<_>> = keys.iter().map(corrections).collect();
            let mut forest = compute.plant(&key, keys.iter().map(|key| key.root).collect(), case.depth());
            for level in 0..case.depth() as usize {
                compute.grow(&mut forest);
                let corrections: Vec<_> = levels.iter().map(|levels| levels[level]).collect();
                compute.correct(&mut forest, &corrections);
            }
            let sums = compute.leaf_sums(forest);
            let sums = sums.iter().flat_map(|s| {
                [s.flag_count, s.conversion_sum, s.value_sum, s.index_flag_sum, s.index_conversion_sum]
            });
            sums.collect()
        }
        Case::Read(scan) => read(compute, &key, scan),
        Case::Update(scan) => update(compute, &key, scan),
        _ => panic!("a case of the lean protocol"),
    }
}

fn role(party: u8) -> Role {
    Role::from_number(party).unwrap_or(Role::P2)
}

/// A primary's memory of this C and zeta, whatever a backend keeps.
fn primary<C: Inspect>(compute: &C, [combined, blind]: &[Vec<Word>; 2]) -> C::PrimaryMemory {
    let memory_share = combined.iter().zip(blind).map(|(c, zeta)| c.wrapping_sub(*zeta)).collect();
    compute.primary_memory(memory_share, blind.clone(), vec![0; blind.len()])
}

fn read<C: Inspect>(compute: &C, key: &SessionKey, scan: &Scan) -> Vec<Word> {
    if scan.party == 2 {
        let [blind_0, blind_1] = scan.memory.clone();
        let memory = compute.helper_memory(blind_0, blind_1);
        let query = |Query { keys: [one, two], shift, .. }: &Query| HelperReadQuery {
            dpf_2: share(one),
            dpf_3: share(two),
            shift: *shift,
        };
        let queries: Vec<_> = scan.queries.iter().map(query).collect();
        return compute.unblinding(key, &memory, &queries).concat();
    }
    let memory = primary(compute, &scan.memory);
    let query = |Query { keys: [one, two], shift, .. }: &Query| ReadQuery {
        read: share(one),
        refresh: share(two),
        shift: *shift,
    };
    let queries: Vec<_> = scan.queries.iter().map(query).collect();
    compute.read(key, role(scan.party), &memory, &queries)
}

fn update<C: Inspect>(compute: &C, key: &SessionKey, scan: &Scan) -> Vec<Word> {
    if scan.party == 2 {
        let [blind_0, blind_1] = scan.memory.clone();
        let mut memory = compute.helper_memory(blind_0, blind_1);
        let query = |query: &Query| HelperUpdateQuery {
            dpf_2: share(&query.keys[0]),
            dpf_3: share(&query.keys[1]),
            final_correction_2: query.final_corrections[0],
            final_correction_3: query.final_corrections[1],
            shift: query.shift,
        };
        let queries: Vec<_> = scan.queries.iter().map(query).collect();
        compute.update_blinds(key, &mut memory, &queries);
        let HelperState { blind_0, blind_1 } = C::helper_view(&memory);
        return [blind_0, blind_1].concat();
    }
    let mut memory = primary(compute, &scan.memory);
    let query = |Query { keys: [one, two], final_corrections: [f_one, f_two], shift }: &Query| UpdateQuery {
        // DPF 1 cancels in C: any will do.
        dpfs: [share(one), share(one), share(two)],
        final_corrections: [0, *f_one, *f_two],
        shift: *shift,
    };
    let queries: Vec<_> = scan.queries.iter().map(query).collect();
    compute.update(key, role(scan.party), &mut memory, &queries);
    let CompressedState { combined, blind } = match C::primary_view(&memory) {
        PrimaryView::Paper(state) => compress(&state),
        PrimaryView::Compressed(state) => state,
    };
    [combined, blind].concat()
}

/// What the cases of an operation are compared with is itself right: specification, reference and all our backends agree.
fn agreed(operation: Operation) {
    for case in cases(operation, Seed([9; 32]), 50) {
        let answer = expected(&case).unwrap_or_else(|_| panic!("{operation}, {case}"));
        assert!(computed(&Plain, &case) == answer, "reference: {operation}, {case}");
        // The portable backend is slow on the largest, which the tests of kernels put to it.
        for backend in Backend::available(&Features::detect()) {
            let fast = Fast::new(backend, Workers::new(1).unwrap(), 1 << 20);
            if fast.name() != "portable" || case.depth() <= 6 {
                assert!(computed(&fast, &case) == answer, "{}: {operation}, {case}", fast.name());
            }
        }
    }
}

/// These flags, of up to 7 levels: those of a key of one node, which is corrected to have them.
fn flags(kernels: &Kernels<'_>, depth: u32, words: &[Word]) -> Flags {
    let key = |correction| BitKey::new(depth as usize, duoram_kernel::Key::new(1, vec![]), correction);
    let uncorrected = kernels.flags(&key(0));
    let block = |words: &[Word]| words.iter().rev().fold(0, |block, word| block << 64 | u128::from(*word));
    kernels.flags(&key(block(uncorrected.words()) ^ block(words)))
}

/// The answer of a backend in the lean protocol; `None` for flags that are of no key.
fn lean(kernels: &Kernels<'_>, case: &Case) -> Option<Vec<Word>> {
    let depth = case.depth();
    Some(match case {
        Case::LeanSums { trees, parents, .. } => {
            // Each node as a tree of its own.
            let mut forest = kernels.plant(parents, 0);
            let (flags, values) = (kernels.flag_sums(&mut forest), kernels.value_sums(&mut forest));
            let width = parents.len() / trees;
            let flags = flags.chunks(width).map(|tree| tree.iter().fold(0, |sum, block| sum ^ block));
            let flags = flags.flat_map(|block| [low_half(block), high_half(block)]);
            let add = |sum: [Word; 8], words: &[Word; 8]| std::array::from_fn(|i| sum[i] ^ words[i]);
            let values = values.chunks(width).flat_map(|tree| tree.iter().fold([0; 8], add));
            flags.chain(values).collect()
        }
        Case::LeanFlags { keys, .. } => {
            let flags = |key: &FlagKey| {
                let flags = kernels.flags(&BitKey::new(depth as usize, key.key.tree(), key.correction));
                flags.words()[..(1 << depth) / 64 + usize::from(depth < 6)].to_vec()
            };
            keys.iter().flat_map(flags).collect()
        }
        Case::LeanRead { memory, queries } if depth <= 7 => {
            let flags: Vec<_> = queries.iter().map(|query| flags(kernels, depth, &query.flags)).collect();
            let flags: Vec<_> = flags.iter().map(|flags| [flags]).collect();
            let selections = queries
                .iter()
                .zip(&flags)
                .map(|(query, flags)| Selection { flags, shift: usize::try_from(query.shift).unwrap() });
            kernels.scan(memory, &selections.collect::<Vec<_>>()).to_vec()
        }
        Case::LeanUpdate { memory, queries, .. } if depth <= 7 => {
            let mut memory = memory.clone();
            for query in queries {
                let key = ValueKey::new(depth as usize, query.key.tree(), query.word_correction);
                let flags = flags(kernels, depth, &query.selection.flags);
                let shift = usize::try_from(query.selection.shift).unwrap();
                let correction = query.final_correction;
                kernels.update_values(
                    &mut memory,
                    &[ValueUpdate { key: &key, flags: &flags, correction, shift }],
                );
            }
            memory
        }
        _ => return None,
    })
}

/// [`agreed`], of the specification and all our backends.
fn lean_agreed(operation: Operation) {
    let mut compared = 0;
    for case in cases(operation, Seed([9; 32]), 50) {
        let answer = expected(&case).unwrap_or_else(|_| panic!("{operation}, {case}"));
        assert_eq!(answer.len(), case.answer_words(), "{operation}, {case}");
        for backend in Backend::available(&Features::detect()) {
            let fast = Fast::new(backend, Workers::new(1).unwrap(), 1 << 20);
            if fast.name() != "portable" || case.depth() <= 9 {
                let kernels = fast.kernels(&SessionKey::new(case.session_key().to_le_bytes()));
                let ours = lean(&kernels, &case);
                compared += usize::from(ours.is_some());
                assert!(ours.is_none_or(|ours| ours == answer), "{}: {operation}, {case}", fast.name());
            }
        }
    }
    assert!(compared > 200);
}

#[test]
fn all_agree_on_the_cases_of_lean_sums() {
    lean_agreed(Operation::LeanSums);
}

#[test]
fn all_agree_on_the_cases_of_lean_flags() {
    lean_agreed(Operation::LeanFlags);
}

#[test]
fn all_agree_on_the_cases_of_lean_read() {
    lean_agreed(Operation::LeanRead);
}

#[test]
fn all_agree_on_the_cases_of_lean_update() {
    lean_agreed(Operation::LeanUpdate);
}

#[test]
fn all_agree_on_the_cases_of_grow() {
    agreed(Operation::Grow);
}

#[test]
fn all_agree_on_the_cases_of_evaluate() {
    agreed(Operation::Evaluate);
}

#[test]
fn all_agree_on_the_cases_of_read() {
    agreed(Operation::Read);
}

#[test]
fn all_agree_on_the_cases_of_update() {
    agreed(Operation::Update);
}

#[test]
fn the_list_has_every_edge_from_small_to_large() {
    for operation in Operation::ALL {
        let list = cases(operation, Seed([1; 32]), 50);
        let deepest = list.iter().map(Case::depth).max().unwrap();
        assert!((18..=20).contains(&deepest), "{operation}");
        let end = list.iter().rposition(|case| case.depth() == deepest).unwrap();
        assert!(list[..=end].is_sorted_by_key(|case| (case.depth(), case.count())), "{operation}");
        assert!(list.len() > end + 10, "small ones again after the largest");
        let depths: Vec<_> = (operation.least_depth()..=17).collect();
        for depth in &depths {
            assert!(list.iter().any(|case| case.depth() == *depth), "{operation}, depth {depth}");
        }
        for count in [1, 2, 3, 4, 5, 8, 9, 16, 17, 33] {
            assert!(list.iter().any(|case| case.count() == count), "{operation}, count {count}");
        }
        let scans = list.iter().filter_map(|case| match case {
            Case::Read(scan) | Case::Update(scan) => Some((case.depth(), scan)),
            _ => None,
        });
        for (depth, party) in depths[..10].iter().flat_map(|depth| (0..3).map(move |party| (*depth, party))) {
            let has = |wanted: &dyn Fn(&Scan) -> bool| {
                scans.clone().any(|(d, scan)| d == depth && scan.party == party && wanted(scan))
            };
            if matches!(operation, Operation::Read | Operation::Update) {
                for shift in [0, 1 % (1 << depth), (1 << depth) / 2, (1 << depth) - 1] {
                    assert!(has(&|scan| scan.queries[0].shift == shift), "{operation}, {depth}, {shift}");
                }
                for flags in [(false, false), (true, false), (false, true), (true, true)] {
                    let all = |scan: &Scan| {
                        let levels = scan.queries[0].keys.iter().flat_map(|key| &key.levels);
                        levels.into_iter().all(|level| (level.left_flag, level.right_flag) == flags)
                    };
                    assert!(has(&all), "{operation}, {depth}, {flags:?}");
                }
            }
        }
    }
}
