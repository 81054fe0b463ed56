//! Which backends the CPU supports, and the choice of one.

use alloc::vec::Vec;
use core::fmt;

use crate::portable::Portable;
use crate::tree::CHUNK;
#[cfg(target_arch = "x86_64")]
use crate::{
    aesni::AesNi,
    cpuid::{has_vaes, is_zen_4},
    vaes256::Vaes256,
    vaes512::Vaes512,
};

/// CPU features by name. A value only ever holds features that were detected, possibly fewer: that is what makes a
/// backend built from it sound.
#[derive(Clone, Debug)]
pub struct Features {
    names: Vec<&'static str>,
    /// [`crate::lanes::Lanes::foresees`]: of an AMD Zen 4 it was measured. Only speed depends on it.
    pub(crate) foresees: bool,
}

impl Features {
    /// What this CPU has, of the features that some backend needs.
    pub fn detect() -> Self {
        #[allow(unused_mut, reason = "stays empty where no backend needs features")]
        let mut features = Self { names: Vec::new(), foresees: false };
        #[cfg(target_arch = "x86_64")]
        {
            // Asks the system too: registers that it does not save are as good as absent.
            cpufeatures::new!(aes, "aes");
            cpufeatures::new!(avx2, "avx2");
            cpufeatures::new!(avx512f, "avx512f");
            cpufeatures::new!(avx512dq, "avx512dq");
            cpufeatures::new!(avx512vbmi, "avx512vbmi");
            cpufeatures::new!(gfni, "gfni");
            let (has_avx2, has_avx512) = (avx2::get(), avx512f::get());
            let detected = [
                ("aes", aes::get()),
                ("vaes", has_vaes(has_avx2)),
                ("avx2", has_avx2),
                ("avx512f", has_avx512),
                ("avx512dq", avx512dq::get()),
                ("avx512vbmi", avx512vbmi::get()),
                ("gfni", gfni::get()),
            ];
            features.names.extend(detected.iter().filter(|(_, present)| *present).map(|(name, _)| *name));
            features.foresees = is_zen_4(has_avx512);
        }
        features
    }

    /// Their names.
    pub fn names(&self) -> &[&'static str] {
        &self.names
    }

    /// The same CPU as if it lacked a feature, for tests of the choice.
    pub fn without(mut self, name: &str) -> Self {
        self.names.retain(|feature| *feature != name);
        self
    }

    /// The same CPU as if it found what a scan reads sooner by itself, or when it is asked to, for tests of both.
    pub fn foreseeing(mut self, foresees: bool) -> Self {
        self.foresees = foresees;
        self
    }

    /// Refuses a backend for the first feature that is missing.
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn require(&self, backend: &'static str, needed: &[&'static str]) -> Result<(), Unavailable> {
        match needed.iter().find(|name| !self.names.contains(name)) {
            Some(missing) => Err(Unavailable { backend, missing }),
            None => Ok(()),
        }
    }
}

/// A backend that this CPU cannot run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unavailable {
    /// Its name.
    pub backend: &'static str,
    /// The first feature that is missing, or the architecture it needs.
    pub missing: &'static str,
}

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "backend {} is not available: this CPU lacks {}", self.backend, self.missing)
    }
}

impl core::error::Error for Unavailable {}

/// A backend by its name, before it is known whether the CPU has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BackendName {
    /// `portable`
    Portable,
    /// `aesni`
    AesNi,
    /// `vaes256`
    Vaes256,
    /// `vaes512`
    Vaes512,
}

impl BackendName {
    /// All of them, fastest first.
    pub const ALL: [Self; 4] = [Self::Vaes512, Self::Vaes256, Self::AesNi, Self::Portable];

    /// The name, as on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            Self::AesNi => "aesni",
            Self::Vaes256 => "vaes256",
            Self::Vaes512 => "vaes512",
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
    /// Software AES.
    Portable(Portable),
    /// 128-bit registers.
    #[cfg(target_arch = "x86_64")]
    AesNi(AesNi),
    /// 256-bit registers.
    #[cfg(target_arch = "x86_64")]
    Vaes256(Vaes256),
    /// 512-bit registers.
    #[cfg(target_arch = "x86_64")]
    Vaes512(Vaes512),
}

impl Backend {
    /// The named backend.
    ///
    /// # Errors
    /// If the CPU lacks a feature it needs.
    pub fn new(name: BackendName, features: &Features) -> Result<Self, Unavailable> {
        match name {
            BackendName::Portable => Ok(Self::Portable(Portable)),
            #[cfg(target_arch = "x86_64")]
            BackendName::AesNi => AesNi::new(features).map(Self::AesNi),
            #[cfg(target_arch = "x86_64")]
            BackendName::Vaes256 => Vaes256::new(features).map(Self::Vaes256),
            #[cfg(target_arch = "x86_64")]
            BackendName::Vaes512 => Vaes512::new(features).map(Self::Vaes512),
            #[cfg(not(target_arch = "x86_64"))]
            _ => {
                let _ = features;
                let backend = ["portable", "aesni", "vaes256", "vaes512"][name as usize];
                Err(Unavailable { backend, missing: "x86_64" })
            }
        }
    }

    /// Every backend these features allow, fastest first; never empty.
    pub fn available(features: &Features) -> Vec<Self> {
        BackendName::ALL.into_iter().filter_map(|name| Self::new(name, features).ok()).collect()
    }

    /// The fastest.
    pub fn best(features: &Features) -> Self {
        Self::available(features)[0]
    }

    /// Its name.
    pub fn name(self) -> BackendName {
        match self {
            Self::Portable(_) => BackendName::Portable,
            #[cfg(target_arch = "x86_64")]
            Self::AesNi(_) => BackendName::AesNi,
            #[cfg(target_arch = "x86_64")]
            Self::Vaes256(_) => BackendName::Vaes256,
            #[cfg(target_arch = "x86_64")]
            Self::Vaes512(_) => BackendName::Vaes512,
        }
    }

    /// The backend for a level of so many parents: where they are too few to fill registers at every level of a block, the
    /// one with one label a register.
    pub(crate) fn for_parents(self, parents: usize) -> Self {
        if parents >= CHUNK {
            return self;
        }
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Vaes512(wide) => Self::AesNi(wide.into()),
            #[cfg(target_arch = "x86_64")]
            Self::Vaes256(wide) => Self::AesNi(wide.into()),
            narrow => narrow,
        }
    }
}

/// Evaluates an expression with the backend's lanes bound to a name.
macro_rules! dispatch {
    ($backend:expr, $lanes:ident => $body:expr) => {
        match $backend {
            $crate::backend::Backend::Portable($lanes) => $body,
            #[cfg(target_arch = "x86_64")]
            $crate::backend::Backend::AesNi($lanes) => $body,
            #[cfg(target_arch = "x86_64")]
            $crate::backend::Backend::Vaes256($lanes) => $body,
            #[cfg(target_arch = "x86_64")]
            $crate::backend::Backend::Vaes512($lanes) => $body,
        }
    };
}
pub(crate) use dispatch;
