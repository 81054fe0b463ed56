//! The pipes to a process that cannot be trusted: nothing waits longer than a deadline, and nothing is read that was not
//! asked for.

use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::process::{ChildStdin, ChildStdout};
use std::time::Instant;

use duoram_reference::Word;
use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// The longest line that a host has to say.
const LINE: usize = 4096;

/// What is read or written at once.
const CHUNK: usize = 64 << 10;

/// Why nothing more comes.
#[derive(Debug)]
pub(super) enum Lost {
    /// The deadline has passed.
    Late,
    /// The other end is closed.
    Closed,
    /// A line has no end.
    TooLong,
}

fn wait(pipe: impl AsFd, what: PollFlags, deadline: Instant) -> Result<(), Lost> {
    loop {
        let left = deadline.checked_duration_since(Instant::now()).ok_or(Lost::Late)?;
        let left = Timespec::try_from(left).map_err(|_| Lost::Late)?;
        match poll(&mut [PollFd::new(&pipe, what)], Some(&left)) {
            Ok(0) => return Err(Lost::Late),
            Ok(_) => return Ok(()),
            Err(rustix::io::Errno::INTR) => {}
            Err(_) => return Err(Lost::Closed),
        }
    }
}

/// What the process says.
pub(super) struct Replies {
    pipe: ChildStdout,
    /// Read and not yet asked for: less than a chunk.
    pending: Vec<u8>,
}

impl Replies {
    pub(super) fn new(pipe: ChildStdout) -> Self {
        Self { pipe, pending: Vec::new() }
    }

    /// Appends what has arrived, at most `limit` bytes.
    fn more(&mut self, limit: usize, deadline: Instant) -> Result<(), Lost> {
        wait(&self.pipe, PollFlags::IN, deadline)?;
        let mut chunk = vec![0; CHUNK];
        let count = self.pipe.read(&mut chunk[..limit.min(CHUNK)]).map_err(|_| Lost::Closed)?;
        if count == 0 {
            return Err(Lost::Closed);
        }
        self.pending.extend_from_slice(&chunk[..count]);
        Ok(())
    }

    /// A line, without its end.
    pub(super) fn line(&mut self, deadline: Instant) -> Result<Vec<u8>, Lost> {
        loop {
            if let Some(end) = self.pending.iter().position(|byte| *byte == b'\n') {
                let mut line: Vec<_> = self.pending.drain(..=end).collect();
                line.pop();
                return Ok(line);
            }
            if self.pending.len() >= LINE {
                return Err(Lost::TooLong);
            }
            self.more(LINE - self.pending.len(), deadline)?;
        }
    }

    /// So many words, lowest byte first.
    pub(super) fn words(&mut self, count: usize, deadline: Instant) -> Result<Vec<Word>, Lost> {
        let bytes = count * size_of::<Word>();
        while self.pending.len() < bytes {
            self.more(bytes - self.pending.len(), deadline)?;
        }
        let words =
            self.pending[..bytes].as_chunks().0.iter().map(|bytes| Word::from_le_bytes(*bytes)).collect();
        self.pending.drain(..bytes);
        Ok(words)
    }
}

/// What the process is told.
pub(super) struct Requests(ChildStdin);

impl Requests {
    pub(super) fn new(pipe: ChildStdin) -> io::Result<Self> {
        rustix::io::ioctl_fionbio(&pipe, true)?;
        Ok(Self(pipe))
    }

    /// All of it: a process that does not listen must not keep us waiting.
    pub(super) fn send(&mut self, mut bytes: &[u8], deadline: Instant) -> Result<(), Lost> {
        while !bytes.is_empty() {
            wait(&self.0, PollFlags::OUT, deadline)?;
            match self.0.write(&bytes[..bytes.len().min(CHUNK)]) {
                Ok(count) => bytes = &bytes[count..],
                Err(error)
                    if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {}
                Err(_) => return Err(Lost::Closed),
            }
        }
        Ok(())
    }
}
