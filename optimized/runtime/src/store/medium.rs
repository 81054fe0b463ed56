//! What a store needs of a disk: files that can be put there whole, and one that redb writes to.

use std::fmt::Debug;
use std::io::{self, Read, Write};

use redb::StorageBackend;

/// A place for the files of one store. [`super::Folder`] is the real one; a simulation tears its own.
pub trait Medium: Debug {
    /// The file that redb writes to.
    type Journal: StorageBackend;

    /// Opens the journal's file, empty if there is none or if it is to be begun anew.
    ///
    /// # Errors
    ///
    /// Those of the disk; so for all.
    fn journal(&self, anew: bool) -> io::Result<Self::Journal>;

    /// Puts a file there, of whatever is written: when this returns it is on disk, whole, under its name; if the process ends before,
    /// it is not there under that name.
    ///
    /// # Errors
    ///
    /// See [`Medium::journal`]; those of whoever writes.
    fn put(&self, name: &str, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<()>;

    /// A file's length, and its content from the beginning, if there is one of that name.
    ///
    /// # Errors
    ///
    /// See [`Medium::journal`].
    fn open(&self, name: &str) -> io::Result<Option<(u64, Box<dyn Read>)>>;

    /// All of a file's content.
    ///
    /// # Errors
    ///
    /// See [`Medium::journal`].
    fn get(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        let Some((length, mut file)) = self.open(name)? else { return Ok(None) };
        let mut bytes = Vec::with_capacity(usize::try_from(length).map_err(io::Error::other)?);
        file.read_to_end(&mut bytes)?;
        Ok(Some(bytes))
    }

    /// The names of all files.
    ///
    /// # Errors
    ///
    /// See [`Medium::journal`].
    fn names(&self) -> io::Result<Vec<String>>;

    /// Removes a file.
    ///
    /// # Errors
    ///
    /// See [`Medium::journal`].
    fn remove(&self, name: &str) -> io::Result<()>;

    /// What an error calls a file, or with an empty name all of them.
    fn place(&self, name: &str) -> String;
}
