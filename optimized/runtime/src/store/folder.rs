//! A folder of a real file system, which one process has at a time.

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use redb::backends::FileBackend;

use super::{Error, JOURNAL_FILE, Medium};

/// A folder that only its owner can look into, and that is locked until this is dropped: two processes on one state are the
/// surest way to use an item twice.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// Locked; the lock goes with the process, however it ends.
    _lock: File,
}

impl Folder {
    /// Opens the folder, and makes it if there is none.
    ///
    /// # Errors
    ///
    /// [`Error::Locked`], [`Error::Medium`].
    pub fn open(path: &Path) -> Result<Self, Error> {
        let failed = |path: &Path| {
            let place = path.display().to_string();
            move |source| Error::Medium { place, source }
        };
        let missing: Vec<_> = path.ancestors().take_while(|folder| !folder.exists()).collect();
        private(DirBuilder::new().recursive(true)).create(path).map_err(failed(path))?;
        for parent in missing.into_iter().map(folder_of) {
            sync(parent).map_err(failed(parent))?;
        }
        let name = path.join("lock");
        let open = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&name);
        let mut lock = open.map_err(failed(&name))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut holder = String::new();
                // What it says is only for the message.
                let _ = lock.read_to_string(&mut holder);
                return Err(Error::Locked {
                    place: path.display().to_string(),
                    holder: holder.trim().to_owned(),
                });
            }
            Err(TryLockError::Error(source)) => return Err(failed(&name)(source)),
        }
        let write = || {
            lock.set_len(0)?;
            writeln!(lock, "{}", std::process::id())
        };
        let mut write = write;
        write().map_err(failed(&name))?;
        Ok(Self { path: path.to_owned(), _lock: lock })
    }

    fn sync(&self) -> io::Result<()> {
        sync(&self.path)
    }
}

/// Where the name of a file or a folder is.
pub(super) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The names of files are on disk when the folder is; and so are those of folders.
pub(super) fn sync(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(unix)]
fn private(builder: &mut DirBuilder) -> &mut DirBuilder {
    use std::os::unix::fs::DirBuilderExt;
    builder.mode(0o700)
}

#[cfg(not(unix))]
fn private(builder: &mut DirBuilder) -> &mut DirBuilder {
    builder
}

impl Medium for Folder {
    type Journal = FileBackend;

    fn journal(&self, anew: bool) -> io::Result<FileBackend> {
        let name = self.path.join(JOURNAL_FILE);
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(anew).open(name)?;
        self.sync()?;
        FileBackend::new(file).map_err(io::Error::other)
    }

    fn put(&self, name: &str, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        // Found and removed by its name if the process ends in between.
        let beside = self.path.join(format!("{name}.new"));
        let mut file = BufWriter::new(File::create(&beside)?);
        write(&mut file)?;
        file.into_inner()?.sync_all()?;
        fs::rename(beside, self.path.join(name))?;
        self.sync()
    }

    fn open(&self, name: &str) -> io::Result<Option<(u64, Box<dyn Read>)>> {
        match File::open(self.path.join(name)) {
            Ok(file) => Ok(Some((file.metadata()?.len(), Box::new(BufReader::new(file))))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn names(&self) -> io::Result<Vec<String>> {
        let name = |entry: io::Result<fs::DirEntry>| Ok(entry?.file_name().to_string_lossy().into_owned());
        fs::read_dir(&self.path)?.map(name).collect()
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        fs::remove_file(self.path.join(name))
    }

    fn place(&self, name: &str) -> String {
        let path = if name.is_empty() { self.path.clone() } else { self.path.join(name) };
        path.display().to_string()
    }
}
