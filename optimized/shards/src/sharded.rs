//! Rank 0: the party, which asks all workers for whatever it computes, itself among them.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use duoram_reference::{Aside, Paper, Word, lean::Lean};
use duoram_runtime::fast::Fast;
use duoram_runtime::local_computation::{Extent, Footprint, LocalComputation, masks_bytes, values_bytes};
use duoram_runtime::store::{Beside, RangeFolders};
use zeroize::Zeroizing;

use crate::aside::{PutAside, Workers};
use crate::bytes::Request;
use crate::operation as op;
use crate::worker::{With, Worker, WorkerUsage};
use crate::{Collective, Cut, Failure, Threads};

/// A local computation that is divided among workers: [`Fast`] on the range of each.
///
/// Clones are of one and the same party, or of parties of one process: they take turns. What goes wrong among workers is no
/// answer that a party could give, so it ends them ([`Collective::abort`]).
#[derive(Clone)]
pub struct Sharded {
    root: Arc<Mutex<Root>>,
    fast: Fast,
}

/// The workers, and what rank 0 does as one of them.
pub(crate) struct Root {
    pub(crate) collective: Box<dyn Collective + Send>,
    worker: Worker,
    /// Of the next memory or trees.
    next: u64,
    /// Whether a worker is gone.
    broken: bool,
    /// Of workers that have folders.
    pub(crate) aside: Option<PutAside>,
}

impl Root {
    pub(crate) fn ask(&mut self, request: Request, with: With<'_>) -> Result<Zeroizing<Vec<u64>>, Failure> {
        let mut bytes = request.finish();
        let answer = match self.collective.broadcast(&mut bytes) {
            Ok(()) => self.worker.together(&mut *self.collective, &bytes, with),
            Err(failure) => Err(failure),
        };
        self.broken |= answer.is_err();
        answer.map(Option::unwrap_or_default)
    }
}

impl Drop for Root {
    fn drop(&mut self) {
        if !self.broken {
            let _ = self.ask(Request::new(op::STOP), With::Nothing);
        }
    }
}

impl Sharded {
    /// Takes the workers of a collective, of which this must be rank 0 while all others [`crate::serve`]. With folders, which the others must
    /// have too, a memory of the one party that they are of is put aside when it is saved: each worker keeps its range there. Without them
    /// all of its words come here.
    ///
    /// # Errors
    ///
    /// [`Failure`].
    pub fn new(
        collective: Box<dyn Collective + Send>,
        fast: Fast,
        cut: &Cut,
        folders: Option<&RangeFolders>,
    ) -> Result<Self, Failure> {
        let workers = collective.size();
        // Checked before anybody is told.
        let cut = Cut::new(cut.shares().to_vec(), workers)?;
        let worker = Worker::new(0, workers, fast.clone(), folders.cloned());
        let mut root = Root { collective, worker, next: 0, broken: false, aside: None };
        let mut hello = Request::new(op::HELLO);
        hello.word(op::VERSION).count(workers);
        for share in cut.shares() {
            hello.word(u64::from(*share));
        }
        root.ask(hello, With::Nothing)?;
        if let Some(folders) = folders {
            let proof = folders.proof().map_err(|error| Failure::Engine { what: error.to_string() })?;
            let mut open = Request::new(op::OPEN);
            open.count(proof.len()).bytes(&proof);
            root.ask_for_files(open)?.map_err(|what| Failure::Folders { what })?;
            root.aside = Some(PutAside::default());
        }
        Ok(Self { root: Arc::new(Mutex::new(root)), fast })
    }

    /// Workers that are threads of this process, as many as the cut has shares, with folders or without.
    ///
    /// # Errors
    ///
    /// [`Failure::Thread`], [`Failure::Engine`].
    pub fn in_threads(fast: &Fast, cut: &Cut, folders: Option<&RangeFolders>) -> Result<Self, Failure> {
        let threads = Threads::start(cut.shares().len(), fast, folders)?;
        Self::new(Box::new(threads), fast.clone(), cut, folders)
    }

    /// How long it takes, in seconds, until all workers have had a request of so many words, and so many words of each, at most 2^20,
    /// have become one: a broadcast and a reduce, which is what a step pays beside its computation. The median of what they take now.
    pub fn round_trip_seconds(&self, words: usize, back: usize) -> f64 {
        let trip = |_| {
            let mut request = Request::new(op::ECHO);
            request.count(back).count(words);
            (0..words).for_each(|_| _ = request.word(0));
            let start = Instant::now();
            self.ask(request);
            start.elapsed().as_secs_f64()
        };
        let mut seconds: Vec<f64> = (0..301).map(trip).collect();
        seconds.sort_unstable_by(f64::total_cmp);
        seconds[seconds.len() / 2]
    }

    /// What each worker has computed for so far, in the order of their ranks.
    pub fn usage(&self) -> Vec<WorkerUsage> {
        let words = self.ask(Request::new(op::USAGE));
        let time = |word: u64| Some(Duration::from_nanos(word)).filter(|_| word != op::UNKNOWN);
        let of_worker = |&[computing, cpu]: &[u64; 2]| WorkerUsage {
            computing: time(computing).unwrap_or(Duration::MAX),
            cpu: time(cpu),
        };
        words.as_chunks().0.iter().map(of_worker).collect()
    }

    /// How many workers there are, this one among them.
    pub fn workers(&self) -> usize {
        self.root().worker.cut().shares().len()
    }

    pub(crate) fn fast(&self) -> &Fast {
        &self.fast
    }

    pub(crate) fn split_depth(&self, most: u32) -> u32 {
        self.root().worker.cut().split_depth(most)
    }

    /// A party that has panicked has left nothing half done here: workers answer one request at a time.
    pub(crate) fn root(&self) -> MutexGuard<'_, Root> {
        self.root.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What all workers make of a request.
    pub(crate) fn ask(&self, request: Request) -> Zeroizing<Vec<u64>> {
        self.ask_with(request, With::Nothing)
    }

    fn ask_with(&self, request: Request, with: With<'_>) -> Zeroizing<Vec<u64>> {
        let mut root = self.root();
        match root.ask(request, with) {
            Ok(words) => words,
            Err(failure) => root.collective.abort(&failure),
        }
    }

    /// For what is forgotten: if a worker is gone, whoever asks for more will be told.
    pub(crate) fn forget(&self, operation: u8, number: u64) {
        let mut request = Request::new(operation);
        request.word(number);
        let mut root = self.root();
        if !root.broken {
            let _ = root.ask(request, With::Nothing);
        }
    }

    /// A number that nothing else of the workers has.
    pub(crate) fn number(&self) -> u64 {
        let mut root = self.root();
        root.next += 1;
        root.next
    }

    /// A memory of zeros, of so many rows of so many words.
    pub(crate) fn zero(&self, (rows, row_words): (usize, usize), vectors: usize) -> Memory {
        let number = self.number();
        let mut request = Request::new(op::ZERO);
        request.word(number);
        request.count(rows).byte(u8::try_from(vectors).unwrap_or(u8::MAX)).count(row_words);
        self.ask(request);
        let (gathered, aside) = (OnceLock::new(), OnceLock::new());
        Memory { sharded: self.clone(), number, words: rows * row_words, vectors, gathered, aside }
    }

    /// A memory of these vectors, of n words each without rows.
    pub(crate) fn filled(&self, vectors: &[&[Word]]) -> Memory {
        let words = vectors.first().map_or(0, |words| words.len());
        let mut memory = self.zero((words, 1), vectors.len());
        self.add(&mut memory, 0, vectors);
        memory
    }

    /// Adds words to each vector, which is XOR, from word `from` on. Each worker is sent those of its range.
    pub(crate) fn add(&self, memory: &mut Memory, from: usize, words: &[&[Word]]) {
        memory.changed();
        let mut request = memory.request(op::ADD);
        request.count(from);
        for words in words {
            request.count(words.len());
        }
        self.ask_with(request, With::Words(words));
    }
}

/// A memory of which each worker has a range. When it is dropped they forget it.
pub struct Memory {
    sharded: Sharded,
    number: u64,
    /// Of each vector.
    words: usize,
    vectors: usize,
    /// All of its words, if they have been asked for since they changed.
    gathered: OnceLock<Vec<Zeroizing<Vec<Word>>>>,
    /// Where it is on disk, if it has been put there since it changed.
    pub(crate) aside: OnceLock<Aside>,
}

impl Memory {
    /// All words of each vector, which are brought to rank 0 and stay there until the memory changes.
    pub fn words(&self) -> &[Zeroizing<Vec<Word>>] {
        self.gathered.get_or_init(|| {
            let zeros = || Zeroizing::new(vec![0; self.words]);
            let mut vectors: Vec<_> = (0..self.vectors).map(|_| zeros()).collect();
            let mut request = Request::new(op::GATHER);
            request.word(self.number);
            self.sharded.ask_with(request, With::Gathered(&mut vectors));
            vectors
        })
    }

    /// One of the vectors.
    pub fn vector(&self, vector: usize) -> &[Word] {
        self.words().get(vector).map_or(&[], |words| words)
    }

    /// A request about it.
    pub(crate) fn request(&self, operation: u8) -> Request {
        let mut request = Request::new(operation);
        request.word(self.number);
        request
    }

    /// What is known of its words is not true any more.
    pub(crate) fn changed(&mut self) {
        self.gathered.take();
        self.aside.take();
    }

    /// How many vectors it has.
    pub(crate) const fn vectors(&self) -> usize {
        self.vectors
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        self.sharded.forget(op::FREE, self.number);
    }
}

impl LocalComputation for Sharded {
    fn name(&self) -> &'static str {
        self.fast.name()
    }

    fn threads(&self) -> usize {
        self.fast.threads()
    }

    fn beside(&self) -> Option<Box<dyn Beside>> {
        self.root().aside.as_ref()?;
        Some(Box::new(Workers::new(self.clone())))
    }
}

/// All workers together take what one would.
impl Footprint<Paper> for Sharded {
    fn state_bytes(&self, extent: Extent) -> [u64; 3] {
        Footprint::<Paper>::state_bytes(&self.fast, extent)
    }

    fn item_bytes(&self, extent: Extent) -> u64 {
        Footprint::<Paper>::item_bytes(&self.fast, extent)
    }

    fn kept_bytes(&self, extent: Extent) -> u64 {
        Footprint::<Paper>::kept_bytes(&self.fast, extent)
    }

    fn session_bytes(&self, extent: Extent, items: u64) -> u64 {
        Footprint::<Paper>::session_bytes(&self.fast, extent, items)
    }
}

/// The same, but for items: their flags are evaluated when they are needed.
impl Footprint<Lean> for Sharded {
    fn state_bytes(&self, extent: Extent) -> [u64; 3] {
        Footprint::<Lean>::state_bytes(&self.fast, extent)
    }

    fn item_bytes(&self, extent: Extent) -> u64 {
        Footprint::<Lean>::item_bytes(&self.fast, extent)
    }

    /// Two keys of 17 bytes a level, and what is around them; with rows what their values are corrected by.
    fn kept_bytes(&self, extent: Extent) -> u64 {
        2 * (32 * u64::from(extent.log_size) + 128 + values_bytes(extent)) + masks_bytes(extent)
    }

    fn session_bytes(&self, extent: Extent, items: u64) -> u64 {
        Footprint::<Lean>::session_bytes(&self.fast, extent, items)
    }
}
