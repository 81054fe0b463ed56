//! Kernels of others: a shared library behind `optimized/conformance/include/duoram_kernel.h`, cross-checked with the
//! specification, and measured beside our backends.
//!
//! The library is never loaded into the process that judges it. The program starts itself again as the [`host`], which
//! loads the library and does what it is told over pipes; whatever the library does to its process, the [`guest`] here
//! sees an answer, a failure, or a time limit.
//!
//! | module | what it is |
//! |---|---|
//! | [`case`], [`lean`], `written` | what one call of a kernel is given, and the same as JSON |
//! | [`case_file`] | cases that were rejected, in a file |
//! | [`list`], `twins`, `numbers` | the cases that every kernel is put to, from small to large |
//! | [`expected`] | what the specification answers |
//! | [`host`], `library`, `arrays`, `pages` | the process with the library in it |
//! | [`guest`], `pipe` | that process, from outside |
//! | [`shrink`] | the smallest case that still fails |
//! | [`judge`] | all of it: a report |
//! | [`race`] | times, beside our backends |

mod arrays;
pub mod case;
pub mod case_file;
pub mod expected;
pub mod guest;
pub mod host;
pub mod judge;
pub mod lean;
#[allow(unsafe_code)]
mod library;
pub mod list;
mod numbers;
#[allow(unsafe_code)]
mod pages;
mod pipe;
pub mod race;
pub mod shrink;
mod twins;
mod written;

use std::io;
use std::path::PathBuf;

/// What keeps a kernel from being checked.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no such file.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It cannot be used at all.
    #[error("{}: not a kernel that can be used: {reason}", path.display())]
    Kernel {
        /// The library.
        path: PathBuf,
        /// What happened instead.
        reason: String,
    },
    /// A file of cases that holds something else.
    #[error("{}: {refusal}", path.display())]
    Cases {
        /// The file.
        path: PathBuf,
        /// What was expected where.
        refusal: String,
    },
    /// The pipes between the two processes broke.
    #[error("lost the process of the kernel: {0}")]
    Pipe(io::Error),
}
