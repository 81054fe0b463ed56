//! Loading a kernel and calling it.
//!
//! Code that others wrote, in any language, is called here, and nothing that this program does can make that safe. What it
//! does instead is to be called from a process of its own ([`super::host`]), in which there is nothing to be damaged: no secret, no state
//! that outlives the check, and no judgement about the kernel.

use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use duoram_reference::{Block, Word};
use libloading::Symbol;

use super::arrays::{Array, Placement};
use super::case::{Case, Key, Operation, Query, Scan, block_words};
use super::lean::{FlagKey, NODE_WORDS, Selection, ValueUpdate, flag_words};

/// `DUORAM_KERNEL_ABI` of the header that this program goes by.
pub(super) const ABI: u32 = 2;

/// Words of a `duoram_key`.
const KEY_WORDS: usize = 4;

const DONE: i32 = 0;
const UNSUPPORTED: i32 = 1;

/// What came of a call.
pub(super) enum Called {
    /// The answer, and how long it took.
    Done(Vec<Word>, Duration),
    /// The kernel does not have it.
    Unsupported,
    /// Another code was returned.
    Code(i32),
    /// The kernel wrote where it must not.
    Damage(String),
}

type Abi = unsafe extern "C" fn() -> u32;
type Grow = unsafe extern "C" fn(*const Word, u64, u64, *const Word, *mut Word, *mut Word) -> i32;
type Evaluate = unsafe extern "C" fn(*const Word, u64, u64, *const Word, *mut Word) -> i32;
type Read =
    unsafe extern "C" fn(*const Word, u64, u64, *const Word, *const Word, u64, *const Word, *mut Word) -> i32;
type Update = unsafe extern "C" fn(*const Word, u64, u64, *mut Word, *mut Word, u64, *const Word) -> i32;

type LeanSums = unsafe extern "C" fn(*const Word, u64, u64, *const Word, *mut Word, *mut Word) -> i32;
type LeanFlags = unsafe extern "C" fn(*const Word, u64, u64, *const Word, *mut Word) -> i32;
type LeanRead = unsafe extern "C" fn(u64, *const Word, u64, *const Word, *const Word, *mut Word) -> i32;
type LeanUpdate = unsafe extern "C" fn(*const Word, u64, *mut Word, u64, *const Word, *const Word) -> i32;

/// A kernel, loaded. All structures of the header consist of words, and are built as such.
pub(super) struct Library {
    grow: Grow,
    evaluate: Evaluate,
    read: Read,
    update: Update,
    lean_sums: Option<LeanSums>,
    lean_flags: Option<LeanFlags>,
    lean_read: Option<LeanRead>,
    lean_update: Option<LeanUpdate>,
    /// Keeps the functions where they are.
    _loaded: libloading::Library,
}

impl Library {
    /// Loads it, and asks for its version.
    pub(super) fn load(file: &Path) -> Result<Self, String> {
        // A name without a slash would be searched for in the system's folders.
        let path = file.canonicalize().map_err(|error| error.to_string())?;
        // SAFETY: runs the library's initialization, in this process that has nothing else to do.
        let loaded = unsafe { libloading::Library::new(path) }.map_err(|error| described(&error))?;
        // SAFETY: the type is that of the header, for whose contents the kernel answers.
        let abi = unsafe { function::<Abi>(&loaded, "duoram_kernel_abi") }?;
        // SAFETY: takes no argument.
        let version = unsafe { abi() };
        if version != ABI {
            return Err(format!("expected version {ABI} of the interface, got {version}"));
        }
        // SAFETY: the types are those of the header, of this version.
        let (grow, evaluate, read, update) = unsafe {
            (
                function::<Grow>(&loaded, "duoram_kernel_grow")?,
                function::<Evaluate>(&loaded, "duoram_kernel_evaluate")?,
                function::<Read>(&loaded, "duoram_kernel_read")?,
                function::<Update>(&loaded, "duoram_kernel_update")?,
            )
        };
        // SAFETY: as above.
        let (lean_sums, lean_flags, lean_read, lean_update) = unsafe {
            (
                function::<LeanSums>(&loaded, "duoram_kernel_lean_sums").ok(),
                function::<LeanFlags>(&loaded, "duoram_kernel_lean_flags").ok(),
                function::<LeanRead>(&loaded, "duoram_kernel_lean_read").ok(),
                function::<LeanUpdate>(&loaded, "duoram_kernel_lean_update").ok(),
            )
        };
        Ok(Self {
            grow,
            evaluate,
            read,
            update,
            lean_sums,
            lean_flags,
            lean_read,
            lean_update,
            _loaded: loaded,
        })
    }

    /// The operations whose functions the library leaves out, which it may.
    pub(super) fn missing(&self) -> Vec<Operation> {
        let optional = [
            (Operation::LeanSums, self.lean_sums.is_none()),
            (Operation::LeanFlags, self.lean_flags.is_none()),
            (Operation::LeanRead, self.lean_read.is_none()),
            (Operation::LeanUpdate, self.lean_update.is_none()),
        ];
        optional.into_iter().filter_map(|(operation, missing)| missing.then_some(operation)).collect()
    }

    /// Calls the function that a case is for.
    ///
    /// # Errors
    ///
    /// The system gives no memory for its arrays.
    pub(super) fn call(&self, case: &Case, placement: Placement) -> io::Result<Called> {
        let mut session_key = Array::input(placement, "session_key", &block_words(case.session_key()))?;
        let depth = u64::from(case.depth());
        Ok(match case {
            Case::Grow { trees, parents, .. } => {
                let words: Vec<_> = parents.iter().flat_map(|parent| block_words(*parent)).collect();
                let mut parents_array = Array::input(placement, "parents", &words)?;
                let mut children = Array::output(placement, "children", 4 * parents.len())?;
                let mut sums = Array::output(placement, "sums", 4 * trees)?;
                let (trees, width) = (*trees as u64, 1 << depth);
                // SAFETY: as many words as the header says are behind each pointer.
                let call = || unsafe {
                    let (key, parents) = (session_key.pointer(), parents_array.pointer());
                    (self.grow)(key, trees, width, parents, children.pointer(), sums.pointer())
                };
                let code = timed(call);
                finish(code, &[&session_key, &parents_array], &[&children, &sums])
            }
            Case::Evaluate { keys, .. } => {
                let (words, corrections) = key_words(placement, keys)?;
                let mut keys_array = Array::input(placement, "keys", &words)?;
                let mut sums = Array::output(placement, "sums", 5 * keys.len())?;
                let count = keys.len() as u64;
                // SAFETY: as above; each key points to its corrections, which are dropped below.
                let call = || unsafe {
                    (self.evaluate)(session_key.pointer(), depth, count, keys_array.pointer(), sums.pointer())
                };
                let code = timed(call);
                finish(code, &inputs(&session_key, &keys_array, &corrections), &[&sums])
            }
            Case::Read(scan) => {
                let (words, corrections) = query_words(placement, scan, false)?;
                let mut queries = Array::input(placement, "queries", &words)?;
                let mut first = Array::input(placement, "first", &scan.memory[0])?;
                let mut second = Array::input(placement, "second", &scan.memory[1])?;
                let words_each = if scan.party == 2 { 2 } else { 1 };
                let mut results = Array::output(placement, "results", words_each * scan.queries.len())?;
                let (party, count) = (u64::from(scan.party), scan.queries.len() as u64);
                // SAFETY: as above.
                let call = || unsafe {
                    let (key, queries) = (session_key.pointer(), queries.pointer());
                    let (first, second) = (first.pointer(), second.pointer());
                    (self.read)(key, party, depth, first, second, count, queries, results.pointer())
                };
                let code = timed(call);
                let mut inputs = inputs(&session_key, &queries, &corrections);
                inputs.extend([&first, &second]);
                finish(code, &inputs, &[&results])
            }
            Case::Update(scan) => {
                let (words, corrections) = query_words(placement, scan, true)?;
                let mut queries = Array::input(placement, "queries", &words)?;
                let mut first = Array::in_out(placement, "first", &scan.memory[0])?;
                let mut second = Array::in_out(placement, "second", &scan.memory[1])?;
                let (party, count) = (u64::from(scan.party), scan.queries.len() as u64);
                // SAFETY: as above.
                let call = || unsafe {
                    let (key, queries) = (session_key.pointer(), queries.pointer());
                    (self.update)(key, party, depth, first.pointer(), second.pointer(), count, queries)
                };
                let code = timed(call);
                finish(code, &inputs(&session_key, &queries, &corrections), &[&first, &second])
            }
            Case::LeanSums { trees, parents, .. } => {
                self.call_lean_sums(placement, session_key, *trees, parents)?
            }
            Case::LeanFlags { keys, .. } => {
                self.call_lean_flags(placement, session_key, case.depth(), keys)?
            }
            Case::LeanRead { memory, queries } => self.call_lean_read(placement, depth, memory, queries)?,
            Case::LeanUpdate { memory, queries, .. } => {
                self.call_lean_update(placement, session_key, depth, memory, queries)?
            }
        })
    }

    /// `duoram_kernel_lean_sums`
    fn call_lean_sums(
        &self,
        placement: Placement,
        mut session_key: Array,
        trees: usize,
        parents: &[Block],
    ) -> io::Result<Called> {
        let Some(lean_sums) = self.lean_sums else { return Ok(Called::Unsupported) };
        let words: Vec<_> = parents.iter().flat_map(|node| block_words(*node)).collect();
        let mut nodes = Array::input(placement, "nodes", &words)?;
        let mut flag_sums = Array::output(placement, "flag_sums", 2 * trees)?;
        let mut word_sums = Array::output(placement, "word_sums", NODE_WORDS * trees)?;
        let (trees, width) = (trees as u64, (parents.len() / trees) as u64);
        // SAFETY: as many words as the header says are behind each pointer.
        let call = || unsafe {
            let (key, nodes) = (session_key.pointer(), nodes.pointer());
            lean_sums(key, trees, width, nodes, flag_sums.pointer(), word_sums.pointer())
        };
        let code = timed(call);
        Ok(finish(code, &[&session_key, &nodes], &[&flag_sums, &word_sums]))
    }

    /// `duoram_kernel_lean_flags`
    fn call_lean_flags(
        &self,
        placement: Placement,
        mut session_key: Array,
        depth: u32,
        keys: &[FlagKey],
    ) -> io::Result<Called> {
        let Some(lean_flags) = self.lean_flags else { return Ok(Called::Unsupported) };
        let layer = keys.iter().map(|key| (&key.key, block_words(key.correction).to_vec()));
        let (words, corrections) = layered_words(placement, layer)?;
        let mut keys_array = Array::input(placement, "keys", &words)?;
        let mut flags = Array::output(placement, "flags", keys.len() * flag_words(depth))?;
        let count = keys.len() as u64;
        // SAFETY: as many words as the header says are behind each pointer.
        let call = || unsafe {
            lean_flags(session_key.pointer(), depth.into(), count, keys_array.pointer(), flags.pointer())
        };
        let code = timed(call);
        Ok(finish(code, &inputs(&session_key, &keys_array, &corrections), &[&flags]))
    }

    /// `duoram_kernel_lean_read`
    fn call_lean_read(
        &self,
        placement: Placement,
        depth: u64,
        memory: &[Word],
        queries: &[Selection],
    ) -> io::Result<Called> {
        let Some(lean_read) = self.lean_read else { return Ok(Called::Unsupported) };
        let mut memory = Array::input(placement, "memory", memory)?;
        let words: Vec<_> = queries.iter().flat_map(|query| query.flags.clone()).collect();
        let mut flags = Array::input(placement, "flags", &words)?;
        let words: Vec<_> = queries.iter().map(|query| query.shift).collect();
        let mut shifts = Array::input(placement, "shifts", &words)?;
        let mut results = Array::output(placement, "results", queries.len())?;
        let count = queries.len() as u64;
        // SAFETY: as many words as the header says are behind each pointer.
        let call = || unsafe {
            let (memory, flags) = (memory.pointer(), flags.pointer());
            lean_read(depth, memory, count, flags, shifts.pointer(), results.pointer())
        };
        let code = timed(call);
        Ok(finish(code, &[&memory, &flags, &shifts], &[&results]))
    }

    /// `duoram_kernel_lean_update`
    fn call_lean_update(
        &self,
        placement: Placement,
        mut session_key: Array,
        depth: u64,
        memory: &[Word],
        queries: &[ValueUpdate],
    ) -> io::Result<Called> {
        let Some(lean_update) = self.lean_update else { return Ok(Called::Unsupported) };
        let layer = queries.iter().map(|query| {
            let rest = [query.final_correction, query.selection.shift];
            (&query.key, [&query.word_correction[..], &rest].concat())
        });
        let (words, corrections) = layered_words(placement, layer)?;
        let mut queries_array = Array::input(placement, "queries", &words)?;
        let words: Vec<_> = queries.iter().flat_map(|query| query.selection.flags.clone()).collect();
        let mut flags = Array::input(placement, "flags", &words)?;
        let mut memory = Array::in_out(placement, "memory", memory)?;
        let count = queries.len() as u64;
        // SAFETY: as many words as the header says are behind each pointer.
        let call = || unsafe {
            let (key, queries) = (session_key.pointer(), queries_array.pointer());
            lean_update(key, depth, memory.pointer(), count, queries, flags.pointer())
        };
        let code = timed(call);
        let mut inputs = inputs(&session_key, &queries_array, &corrections);
        inputs.push(&flags);
        Ok(finish(code, &inputs, &[&memory]))
    }
}

/// A function of the library.
///
/// # Safety
///
/// `F` must be its type.
unsafe fn function<F: Copy>(library: &libloading::Library, name: &str) -> Result<F, String> {
    // SAFETY: the caller's.
    let symbol: Result<Symbol<'_, F>, _> = unsafe { library.get(name.as_bytes()) };
    symbol.map(|symbol| *symbol).map_err(|_| format!("expected a function {name}, got none"))
}

/// The system's words about a library that it cannot load.
fn described(error: &libloading::Error) -> String {
    std::error::Error::source(error).map_or_else(|| error.to_string(), ToString::to_string)
}

fn timed(call: impl FnOnce() -> i32) -> (i32, Duration) {
    let start = Instant::now();
    let code = call();
    (code, start.elapsed())
}

/// Looks at what the call left behind.
fn finish((code, time): (i32, Duration), inputs: &[&Array], outputs: &[&Array]) -> Called {
    if let Some(damage) = inputs.iter().chain(outputs).find_map(|array| array.damage()) {
        return Called::Damage(damage);
    }
    match code {
        DONE => Called::Done(outputs.iter().map(|output| output.words()).collect::<Vec<_>>().concat(), time),
        UNSUPPORTED => Called::Unsupported,
        code => Called::Code(code),
    }
}

fn inputs<'a>(first: &'a Array, second: &'a Array, others: &'a [Array]) -> Vec<&'a Array> {
    [first, second].into_iter().chain(others).collect()
}

/// `duoram_key` of some keys, and the arrays that they point to. Keys with the same corrections have one array of them in
/// common where arrays are at the end of their pages, and one each where they are at the beginning: both are allowed.
fn key_words(placement: Placement, keys: &[Key]) -> io::Result<(Vec<Word>, Vec<Array>)> {
    let (mut words, mut arrays) = (Vec::new(), Vec::<Array>::new());
    for key in keys {
        let corrections = key.levels.iter().flat_map(|level| {
            let [low, high] = block_words(level.word);
            [low, high, Word::from(level.left_flag), Word::from(level.right_flag)]
        });
        let corrections: Vec<_> = corrections.collect();
        let same = |array: &&mut Array| placement == Placement::End && array.words() == corrections;
        let address = if let Some(array) = arrays.iter_mut().find(same) {
            array.address()
        } else {
            let mut array = Array::input(placement, "corrections", &corrections)?;
            let address = array.address();
            arrays.push(array);
            address
        };
        words.extend(block_words(key.root));
        words.extend([address, key.conversion_factor]);
    }
    Ok((words, arrays))
}

/// `duoram_lean_flag_key` or `duoram_lean_update_query`: a `duoram_key` each and the words after it, and the arrays that the
/// keys point to.
fn layered_words<'a>(
    placement: Placement,
    items: impl Iterator<Item = (&'a Key, Vec<Word>)>,
) -> io::Result<(Vec<Word>, Vec<Array>)> {
    let (keys, rests): (Vec<_>, Vec<_>) = items.map(|(key, rest)| (key.clone(), rest)).unzip();
    let (key_words, arrays) = key_words(placement, &keys)?;
    let words = key_words.chunks(KEY_WORDS).zip(rests).flat_map(|(key, rest)| [key, &rest].concat());
    Ok((words.collect(), arrays))
}

/// `duoram_read_query` or `duoram_update_query` of some queries, and the arrays that they point to.
fn query_words(placement: Placement, scan: &Scan, update: bool) -> io::Result<(Vec<Word>, Vec<Array>)> {
    let keys: Vec<_> = scan.queries.iter().flat_map(|query| query.keys.clone()).collect();
    let (key_words, arrays) = key_words(placement, &keys)?;
    let mut words = Vec::new();
    for (Query { final_corrections, shift, .. }, keys) in
        scan.queries.iter().zip(key_words.chunks(2 * KEY_WORDS))
    {
        words.extend(keys);
        if update {
            words.extend(final_corrections);
        }
        words.push(*shift);
    }
    Ok((words, arrays))
}
