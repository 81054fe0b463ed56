//! What a call has come to: a code, and words for the thread that asks.

use std::cell::{Cell, RefCell};
use std::ffi::{CStr, CString, c_int};

use duoram_client::Error;

pub(crate) const DONE: c_int = 0;
const AGAIN: c_int = 1;
const REFUSED: c_int = 2;
const INVALID: c_int = 3;
const FAILED: c_int = 4;

/// Why a call was not done.
pub(crate) enum Fault {
    /// By its arguments.
    Invalid(String),
    /// By the client.
    Client(Error),
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self::Client(error)
    }
}

thread_local! {
    static TEXT: RefCell<CString> = RefCell::default();
    static RETRY: Cell<u32> = const { Cell::new(0) };
}

/// Keeps what a call has come to, and gives its code.
pub(crate) fn code(result: Result<(), Fault>) -> c_int {
    RETRY.set(0);
    let (code, text) = match result {
        Ok(()) => return DONE,
        Err(Fault::Invalid(text)) => (INVALID, text),
        Err(Fault::Client(error)) => {
            let code = match &error {
                Error::Refused(refusal) if refusal.retry_after_ms > 0 => {
                    RETRY.set(refusal.retry_after_ms);
                    AGAIN
                }
                Error::Refused(_) | Error::NotAllowed { .. } => REFUSED,
                Error::Address { .. }
                | Error::Row { .. }
                | Error::Steps { .. }
                | Error::Words { .. }
                | Error::Shares { .. } => INVALID,
                _ => FAILED,
            };
            (code, error.to_string())
        }
    };
    // Texts of ours have no zeros, and those of parties are printable.
    TEXT.set(CString::new(text).unwrap_or_default());
    code
}

/// Reads the text of this thread's last fault, which stays where it is until the next.
pub(crate) fn with_text<T>(read: impl FnOnce(&CStr) -> T) -> T {
    TEXT.with_borrow(|text| read(text))
}

pub(crate) fn retry_after_ms() -> u32 {
    RETRY.get()
}
