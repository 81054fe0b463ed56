//! Memory between two pages that nobody may touch.
//!
//! The only other unsafe code around foreign kernels is [`super::library`], which calls them: an access outside of what is
//! mapped here ends the process that has the kernel in it, and that is what it is for.

use std::ffi::c_void;
use std::io;
use std::ptr;
use std::slice;

use duoram_reference::Word;
use rustix::mm::{MapFlags, MprotectFlags, ProtFlags, mmap_anonymous, mprotect, munmap};
use rustix::param::page_size;

/// Whole pages of words, zero at first, with a page before and a page after that can be neither read nor written.
pub(super) struct Pages {
    /// The page before.
    mapping: *mut c_void,
    words: usize,
}

impl Pages {
    /// As many pages as it takes, at least one.
    ///
    /// # Errors
    ///
    /// The system gives no memory.
    pub(super) fn holding(words: usize) -> io::Result<Self> {
        let bytes = (words * size_of::<Word>()).next_multiple_of(page_size()).max(page_size());
        let whole = bytes + 2 * page_size();
        // SAFETY: a new mapping, at an address of the system's choice: no memory in use is touched.
        let mapping =
            unsafe { mmap_anonymous(ptr::null_mut(), whole, ProtFlags::empty(), MapFlags::PRIVATE) }?;
        let pages = Self { mapping, words: bytes / size_of::<Word>() };
        pages.allow(MprotectFlags::READ | MprotectFlags::WRITE)?;
        Ok(pages)
    }

    /// Nothing in them can be written from now on.
    ///
    /// # Errors
    ///
    /// Those of the system.
    pub(super) fn make_read_only(&mut self) -> io::Result<()> {
        self.allow(MprotectFlags::READ)
    }

    fn allow(&self, access: MprotectFlags) -> io::Result<()> {
        // SAFETY: the pages between the two outer ones of this mapping, which `self` owns; no reference to their words is
        // alive, since each borrows `self`, and whoever made them read-only does not call `words_mut`.
        Ok(unsafe { mprotect(self.first().cast(), self.words * size_of::<Word>(), access) }?)
    }

    /// The first word after the page before.
    fn first(&self) -> *mut Word {
        self.mapping.wrapping_byte_add(page_size()).cast()
    }

    /// The word at `offset`, for a kernel, to which the provenance of all words is given away.
    pub(super) fn pointer(&mut self, offset: usize) -> *mut Word {
        self.first().wrapping_add(offset)
    }

    /// All words.
    pub(super) fn words(&self) -> &[Word] {
        // SAFETY: mapped, readable, aligned to a page, initialized by the system with zeros, and owned; a kernel has
        // finished with it when its call returns (`duoram_kernel.h`, Threads).
        unsafe { slice::from_raw_parts(self.first(), self.words) }
    }

    /// All words, to be written before they are made read-only.
    pub(super) fn words_mut(&mut self) -> &mut [Word] {
        // SAFETY: as above, and borrowed mutably.
        unsafe { slice::from_raw_parts_mut(self.first(), self.words) }
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        // SAFETY: the whole mapping, which `holding` made and nothing uses any more. A failure would leave it mapped.
        let _ = unsafe { munmap(self.mapping, self.words * size_of::<Word>() + 2 * page_size()) };
    }
}
