//! Which backends the CPU supports, and the choice of one.

use std::fmt;

use crate::lanes::portable::Portable;
#[cfg(target_arch = "x86_64")]
use crate::lanes::{avx2::Avx2, avx512::Avx512};

/// A backend that this CPU cannot run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("backend {backend} is not available: this CPU lacks {missing}")]
pub struct Unavailable {
    /// Its name.
    pub backend: BackendName,
    /// The first feature that is missing, or the architecture it needs.
    pub missing: &'static str,
}

/// A backend by its name, before it is known whether the CPU has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BackendName {
    /// `portable`
    Portable,
    /// `avx2`
    Avx2,
    /// `avx512`
    Avx512,
}

impl BackendName {
    /// All of them, fastest first.
    pub const ALL: [Self; 3] = [Self::Avx512, Self::Avx2, Self::Portable];

    /// The name, as on a command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }
}

impl fmt::Display for BackendName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The backend in use. One `match` on it a coarse operation, in `dispatch`.
#[derive(Clone, Copy, Debug)]
pub enum Backend {
    /// Four lanes of 32 bits for the compiler; AES of the crate `aes`.
    Portable(Portable),
    /// 256-bit registers; AES of the crate `aes`.
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    /// 512-bit registers, VAES.
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
}

impl Backend {
    /// The named backend.
    ///
    /// # Errors
    /// If the CPU lacks a feature it needs.
    pub fn new(name: BackendName) -> Result<Self, Unavailable> {
        let lacks = |missing| Unavailable { backend: name, missing };
        match name {
            BackendName::Portable => Ok(Self::Portable(Portable)),
            #[cfg(target_arch = "x86_64")]
            BackendName::Avx2 => Avx2::new().map(Self::Avx2).map_err(lacks),
            #[cfg(target_arch = "x86_64")]
            BackendName::Avx512 => Avx512::new().map(Self::Avx512).map_err(lacks),
            #[cfg(not(target_arch = "x86_64"))]
            _ => Err(lacks("x86_64")),
        }
    }

    /// Every backend of this CPU, fastest first; never empty.
    pub fn available() -> Vec<Self> {
        BackendName::ALL.into_iter().filter_map(|name| Self::new(name).ok()).collect()
    }

    /// The fastest.
    pub fn best() -> Self {
        Self::available()[0]
    }

    /// Its name.
    pub fn name(self) -> BackendName {
        match self {
            Self::Portable(_) => BackendName::Portable,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) => BackendName::Avx2,
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) => BackendName::Avx512,
        }
    }
}

/// Evaluates an expression with the backend's lanes bound to a name.
macro_rules! dispatch {
    ($backend:expr, $lanes:ident => $body:expr) => {
        match $backend {
            $crate::backend::Backend::Portable($lanes) => $body,
            #[cfg(target_arch = "x86_64")]
            $crate::backend::Backend::Avx2($lanes) => $body,
            #[cfg(target_arch = "x86_64")]
            $crate::backend::Backend::Avx512($lanes) => $body,
        }
    };
}
pub(crate) use dispatch;
