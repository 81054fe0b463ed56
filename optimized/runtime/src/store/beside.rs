//! Who has files that belong to a snapshot, beside the snapshot's own.

use std::fmt::Debug;

use super::Error;

/// Others that have put away what belongs to a snapshot before it is made: workers, each its range.
///
/// What was put away is spoken of in the order in which it was: each is followed by its snapshot, or by the end of the process.
pub trait Beside: Debug + Send {
    /// Whether all of what belongs to the next snapshot is on disk. If not, there will be no such snapshot.
    ///
    /// # Errors
    ///
    /// [`Error::Beside`].
    fn written(&mut self) -> Result<(), Error>;

    /// That snapshot is named in the journal: what belonged to those before it is not needed any more.
    ///
    /// # Errors
    ///
    /// [`Error::Beside`].
    fn named(&mut self) -> Result<(), Error>;
}
