//! Memories that are put aside: each worker has its range in a file, and rank 0 has only their name.
//!
//! A memory is put aside in the moment in which its party is saved, and the snapshot has its name. Only when all workers have said that
//! their files are on disk is that snapshot made; only when it is named are the files of the one before it removed. So of a crash at any
//! moment the snapshot that is named has all of its files, and what else there is goes when it is taken back.

use std::collections::VecDeque;
use std::fmt;

use duoram_reference::{Aside, NotAside};
use duoram_runtime::store::{self, Beside, draw};

use crate::Failure;
use crate::bytes::Request;
use crate::operation as op;
use crate::sharded::{Memory, Root, Sharded};
use crate::worker::With;

/// What workers have put aside, and not removed.
#[derive(Default)]
pub(crate) struct PutAside {
    /// What no snapshot names yet, in order; and why it could not be put there, if it could not.
    unnamed: VecDeque<(Aside, Result<(), String>)>,
    /// What the last snapshot names.
    named: Option<Aside>,
}

impl Root {
    /// What all workers are asked to do with their files: who could not, and why.
    pub(crate) fn ask_for_files(&mut self, request: Request) -> Result<Result<(), String>, Failure> {
        let mut told = Vec::new();
        self.ask(request, With::Told(&mut told))?;
        let reasons: Vec<_> =
            told.into_iter().map(|(rank, what)| Failure::Disk { rank, what }.to_string()).collect();
        Ok(if reasons.is_empty() { Ok(()) } else { Err(reasons.join("; ")) })
    }

    /// Has all files removed that are of nothing that is named or will be.
    fn forget_files(&mut self) -> Result<Result<(), String>, Failure> {
        let Some(PutAside { unnamed, named }) = &self.aside else { return Ok(Ok(())) };
        let kept: Vec<_> = named.iter().chain(unnamed.iter().map(|(aside, _)| aside)).collect();
        let mut request = Request::new(op::KEEP);
        request.count(kept.len());
        for aside in kept {
            request.bytes(&aside.0);
        }
        self.ask_for_files(request)
    }
}

impl Sharded {
    /// What all workers do with their files; that a worker is gone ends them.
    fn files(
        &self,
        ask: impl FnOnce(&mut Root) -> Result<Result<(), String>, Failure>,
    ) -> Result<(), String> {
        let mut root = self.root();
        match ask(&mut root) {
            Ok(done) => done,
            Err(failure) => root.collective.abort(&failure),
        }
    }

    /// The last name that the party has had drawn, if it has any.
    fn last_aside(&self) -> Option<Aside> {
        let root = self.root();
        let PutAside { unnamed, named } = root.aside.as_ref()?;
        unnamed.back().map(|(aside, _)| *aside).or(*named)
    }

    /// Puts a memory aside, if workers have folders: whether it is there is said when a snapshot is to name it. One that has not changed since
    /// it was put there the last time, or was taken from there, still is.
    pub(crate) fn put_aside(&self, memory: &Memory) -> Option<Aside> {
        self.root().aside.as_ref()?;
        let (aside, put) = match memory.aside.get() {
            Some(aside) => (*aside, Ok(())),
            None => match draw(self.last_aside()) {
                Err(error) => (Aside([0; 16]), Err(error.to_string())),
                Ok(aside) => {
                    let mut request = memory.request(op::PUT);
                    request.bytes(&aside.0);
                    (aside, self.files(|root| root.ask_for_files(request)))
                }
            },
        };
        if put.is_ok() {
            memory.aside.get_or_init(|| aside);
        }
        self.root().aside.get_or_insert_default().unnamed.push_back((aside, put));
        Some(aside)
    }

    /// A memory of so many rows of so many words that was put aside, of a snapshot that is there: whatever else was put aside is not needed.
    pub(crate) fn take_aside(
        &self,
        aside: Aside,
        size: (usize, usize),
        vectors: usize,
    ) -> Result<Memory, NotAside> {
        if self.root().aside.is_none() {
            let what = "expected workers that have folders, got some that have not";
            return Err(NotAside(what.to_owned()));
        }
        let memory = self.zero(size, vectors);
        let mut request = memory.request(op::TAKE);
        request.bytes(&aside.0);
        self.files(|root| root.ask_for_files(request)).map_err(NotAside)?;
        memory.aside.get_or_init(|| aside);
        let forget = |root: &mut Root| {
            root.aside = Some(PutAside { named: Some(aside), ..PutAside::default() });
            root.forget_files()
        };
        self.files(forget).map_err(NotAside)?;
        Ok(memory)
    }
}

/// Workers with folders, as the party's store sees them.
pub(crate) struct Workers(Sharded);

impl Workers {
    pub(crate) const fn new(sharded: Sharded) -> Self {
        Self(sharded)
    }
}

impl fmt::Debug for Workers {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Workers").finish_non_exhaustive()
    }
}

impl Beside for Workers {
    fn written(&mut self) -> Result<(), store::Error> {
        let root = self.0.root();
        let unnamed = root.aside.iter().flat_map(|aside| &aside.unnamed);
        // Whichever of them it is: of what comes after one that could not be put there, there will be no snapshot either.
        let put = unnamed.map(|(_, put)| put.clone()).reduce(Result::and);
        let put = put.unwrap_or_else(|| Err("no memory was put aside".to_owned()));
        put.map_err(|what| store::Error::Beside { what })
    }

    fn named(&mut self) -> Result<(), store::Error> {
        let forget = |root: &mut Root| {
            if let Some(aside) = &mut root.aside
                && let Some((name, _)) = aside.unnamed.pop_front()
            {
                aside.named = Some(name);
            }
            root.forget_files()
        };
        self.0.files(forget).map_err(|what| store::Error::Beside { what })
    }
}
