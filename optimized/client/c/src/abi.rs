//! The functions of `duoram_client.h`. All unsafe code of the client is here: what comes from C is looked at once, and then is a
//! slice or a reference.
#![allow(unsafe_code)]
// Pub for the linker, and for nobody else.
#![allow(unreachable_pub)]

use std::ffi::{CStr, OsStr, c_char, c_int};
use std::path::Path;
use std::slice;

use duoram_client::Config;
use duoram_client::blocking::Memory;

use crate::outcome::{Fault, code, retry_after_ms, with_text};

fn null(what: &str) -> Fault {
    Fault::Invalid(format!("{what}: expected a pointer, got NULL"))
}

/// A memory that C has.
///
/// # Safety
///
/// NULL, or what [`duoram_open`] has returned and [`duoram_close`] has not had.
unsafe fn memory<'a>(memory: *const Memory) -> Result<&'a Memory, Fault> {
    // SAFETY: by the header NULL or open, and open as long as the call lasts.
    unsafe { memory.as_ref() }.ok_or_else(|| null("memory"))
}

/// Words that C has.
///
/// # Safety
///
/// If there are some, `words` is NULL or that many words, which nobody changes during the call.
unsafe fn words<'a>(what: &str, words: *const u64, count: usize) -> Result<&'a [u64], Fault> {
    check(what, words, count)?;
    if count == 0 {
        return Ok(&[]);
    }
    // SAFETY: neither NULL, nor unaligned, nor longer than an address space can be; the rest is the header's.
    Ok(unsafe { slice::from_raw_parts(words, count) })
}

/// Writes words to where C wants them.
///
/// # Safety
///
/// If there are some, `out` is NULL or room for that many words, which nobody uses during the call.
unsafe fn put(what: &str, out: *mut u64, words: &[u64]) -> Result<(), Fault> {
    check(what, out, words.len())?;
    if !words.is_empty() {
        // SAFETY: neither NULL nor unaligned; by the header room for them, and nobody else's.
        unsafe { out.copy_from_nonoverlapping(words.as_ptr(), words.len()) };
    }
    Ok(())
}

/// What can be seen of a pointer to words without following it.
fn check(what: &str, pointer: *const u64, count: usize) -> Result<(), Fault> {
    if count == 0 {
        return Ok(());
    }
    if pointer.is_null() {
        return Err(null(what));
    }
    if !pointer.is_aligned() || count > isize::MAX.unsigned_abs() / size_of::<u64>() {
        return Err(Fault::Invalid(format!("{what}: expected {count} aligned words, got none such")));
    }
    Ok(())
}

/// # Safety
///
/// `config` is NULL or a text that ends with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duoram_open(config: *const c_char) -> *mut Memory {
    let open = || {
        if config.is_null() {
            return Err(null("config"));
        }
        // SAFETY: not NULL, and by the header a text.
        let path = unsafe { CStr::from_ptr(config) };
        let config = Config::open(as_path(path)?).map_err(duoram_client::Error::from)?;
        Ok(Memory::open(&config)?)
    };
    match open() {
        Ok(memory) => Box::into_raw(Box::new(memory)),
        Err(fault) => {
            code(Err(fault));
            std::ptr::null_mut()
        }
    }
}

#[cfg(unix)]
#[allow(clippy::unnecessary_wraps, reason = "elsewhere not every text is a path")]
fn as_path(text: &CStr) -> Result<&Path, Fault> {
    use std::os::unix::ffi::OsStrExt;
    Ok(Path::new(OsStr::from_bytes(text.to_bytes())))
}

#[cfg(not(unix))]
fn as_path(text: &CStr) -> Result<&Path, Fault> {
    let text = text.to_str().map_err(|_| Fault::Invalid("config: expected UTF-8".to_owned()))?;
    Ok(Path::new(OsStr::new(text)))
}

/// # Safety
///
/// `memory` is NULL, or is used by nobody any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duoram_close(memory: *mut Memory) {
    if !memory.is_null() {
        // SAFETY: by the header it is from duoram_open, which made it a box, and is given back once.
        drop(unsafe { Box::from_raw(memory) });
    }
}

/// # Safety
///
/// As for all: `memory` is NULL or open.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duoram_len(pointer: *const Memory) -> u64 {
    // SAFETY: the header's.
    unsafe { memory(pointer) }.map_or(0, Memory::len)
}

/// # Safety
///
/// As for all: `memory` is NULL or open.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duoram_row_words(pointer: *const Memory) -> usize {
    // SAFETY: the header's.
    unsafe { memory(pointer) }.map_or(0, Memory::row_words)
}

/// # Safety
///
/// As the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duoram_read(
    pointer: *const Memory,
    addresses: *const u64,
    count: usize,
    out: *mut u64,
) -> c_int {
    code((|| {
        check("words", out, count)?;
        // SAFETY: the header's.
        let (memory, addresses) = unsafe { (memory(pointer)?, words("addresses", addresses, count)?) };
        let read = memory.read_all(addresses)?;
        // SAFETY: as many as there were addresses.
        unsafe { put("words", out, &read) }
    })())
}

/// # Safety
///
/// As the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duoram_update(
    pointer: *const Memory,
    addresses: *const u64,
    deltas: *const u64,
    count: usize,
) -> c_int {
    code((|| {
        // SAFETY: the header's.
        let memory = unsafe { memory(pointer)? };
        // SAFETY: the header's.
        let (addresses, deltas) =
            unsafe { (words("addresses", addresses, count)?, words("deltas", deltas, count)?) };
        let updates: Vec<_> = addresses.iter().copied().zip(deltas.iter().copied()).collect();
        Ok(memory.update_all(&updates)?)
    })())
}

/// # Safety
///
/// As the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duoram_write(pointer: *const Memory, address: u64, value: u64) -> c_int {
    // SAFETY: the header's.
    code(unsafe { memory(pointer) }.and_then(|memory| Ok(memory.write(address, value)?)))
}

/// # Safety
///
/// As the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duoram_swap(
    pointer: *const Memory,
    address: u64,
    value: u64,
    old: *mut u64,
) -> c_int {
    code((|| {
        // Before anything changes.
        check("old", old, 1)?;
        // SAFETY: the header's.
        let word = unsafe { memory(pointer)? }.swap(address, value)?;
        // SAFETY: the header's.
        unsafe { put("old", old, &[word]) }
    })())
}

/// # Safety
///
/// As the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duoram_chase(
    pointer: *const Memory,
    address: u64,
    steps: u64,
    out: *mut u64,
) -> c_int {
    code((|| {
        check("word", out, 1)?;
        // SAFETY: the header's.
        let word = unsafe { memory(pointer)? }.chase(address, steps)?;
        // SAFETY: the header's.
        unsafe { put("word", out, &[word]) }
    })())
}

/// # Safety
///
/// As the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duoram_read_rows(
    pointer: *const Memory,
    addresses: *const u64,
    count: usize,
    out: *mut u64,
) -> c_int {
    code((|| {
        // SAFETY: the header's.
        let memory = unsafe { memory(pointer)? };
        check("rows", out, count.saturating_mul(memory.row_words()))?;
        // SAFETY: the header's.
        let read = memory.read_rows(unsafe { words("addresses", addresses, count)? })?;
        // SAFETY: a row for each address.
        unsafe { put("rows", out, &read.concat()) }
    })())
}

/// # Safety
///
/// As the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duoram_update_rows(
    pointer: *const Memory,
    addresses: *const u64,
    deltas: *const u64,
    count: usize,
) -> c_int {
    code((|| {
        // SAFETY: the header's.
        let memory = unsafe { memory(pointer)? };
        let row_words = memory.row_words();
        // SAFETY: the header's: a row for each address.
        let (addresses, deltas) = unsafe {
            let deltas = words("deltas", deltas, count.saturating_mul(row_words))?;
            (words("addresses", addresses, count)?, deltas)
        };
        let updates: Vec<_> = addresses.iter().copied().zip(deltas.chunks(row_words)).collect();
        Ok(memory.update_rows(&updates)?)
    })())
}

/// # Safety
///
/// As the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duoram_write_row(pointer: *const Memory, address: u64, row: *const u64) -> c_int {
    code((|| {
        // SAFETY: the header's.
        let memory = unsafe { memory(pointer)? };
        // SAFETY: the header's: a row.
        Ok(memory.write_row(address, unsafe { words("row", row, memory.row_words())? })?)
    })())
}

/// # Safety
///
/// As the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duoram_swap_row(
    pointer: *const Memory,
    address: u64,
    row: *const u64,
    old: *mut u64,
) -> c_int {
    code((|| {
        // SAFETY: the header's.
        let memory = unsafe { memory(pointer)? };
        // Before anything changes.
        check("old", old, memory.row_words())?;
        // SAFETY: the header's: a row.
        let was = memory.swap_row(address, unsafe { words("row", row, memory.row_words())? })?;
        // SAFETY: the header's.
        unsafe { put("old", old, &was) }
    })())
}

/// # Safety
///
/// As the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duoram_chase_row(
    pointer: *const Memory,
    address: u64,
    steps: u64,
    out: *mut u64,
) -> c_int {
    code((|| {
        // SAFETY: the header's.
        let memory = unsafe { memory(pointer)? };
        check("row", out, memory.row_words())?;
        let row = memory.chase_row(address, steps)?;
        // SAFETY: the header's.
        unsafe { put("row", out, &row) }
    })())
}

/// # Safety
///
/// As the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duoram_load(pointer: *const Memory, given: *const u64, count: usize) -> c_int {
    code((|| {
        // SAFETY: the header's.
        let (memory, given) = unsafe { (memory(pointer)?, words("words", given, count)?) };
        Ok(memory.load(given.iter().copied())?)
    })())
}

/// What went wrong in this thread.
#[unsafe(no_mangle)]
pub extern "C" fn duoram_error() -> *const c_char {
    with_text(CStr::as_ptr)
}

/// When it may go better.
#[unsafe(no_mangle)]
pub extern "C" fn duoram_retry_after_ms() -> u32 {
    retry_after_ms()
}
