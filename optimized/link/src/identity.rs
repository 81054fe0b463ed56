//! Identities: a private key, in a file that only its owner reads, and a certificate around its public key.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rcgen::{CertificateParams, KeyPair, PKCS_ECDSA_P256_SHA256, PKCS_ED25519, PublicKeyData};
use rustls::crypto::aws_lc_rs::sign::any_supported_type;
use rustls::sign::CertifiedKey;
use rustls_pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use thiserror::Error;
use zeroize::Zeroizing;

use crate::Pin;

/// The longest key file that is read, in bytes; one of ours has some 240.
const MAX_FILE: u16 = 1 << 14;

/// Who this process is. The private key is inside; nothing shows it.
#[derive(Clone)]
pub struct Identity {
    pub(crate) certified: Arc<CertifiedKey>,
    pin: Pin,
}

/// What is wrong with a key file.
#[derive(Error, Debug)]
#[non_exhaustive]
pub enum IdentityError {
    /// The file.
    #[error("{}: {source}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Others may read it.
    #[error("{}: a private key, but its mode is {mode:04o}: expected 0600 (chmod 600)", path.display())]
    Mode {
        /// Which.
        path: PathBuf,
        /// The mode that it has.
        mode: u32,
    },
    /// It is no PKCS#8 PEM file of a P-256 or Ed25519 key.
    #[error("{}: expected a private key in PEM (PKCS#8), P-256 or Ed25519", path.display())]
    NotAKey {
        /// Which.
        path: PathBuf,
    },
    /// The library cannot make a key or a certificate.
    #[error("no key or certificate could be made: {0}")]
    Make(String),
}

impl Identity {
    /// A new P-256 key, which is nowhere but in memory.
    ///
    /// # Errors
    ///
    /// [`IdentityError::Make`].
    pub fn generate() -> Result<Self, IdentityError> {
        let key = new_key()?;
        Self::from_key(&key)
    }

    /// A new P-256 key in a new file, which only the owner may read and write.
    ///
    /// # Errors
    ///
    /// [`IdentityError::File`], also if there is one already: a key is not overwritten. [`IdentityError::Make`].
    pub fn create(path: &Path) -> Result<Self, IdentityError> {
        let failed = |source| IdentityError::File { path: path.to_owned(), source };
        let key = new_key()?;
        let identity = Self::from_key(&key)?;
        let pem = Zeroizing::new(key.serialize_pem());
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(path).map_err(failed)?;
        file.write_all(pem.as_bytes()).and_then(|()| file.sync_all()).map_err(failed)?;
        Ok(identity)
    }

    /// The key in a file.
    ///
    /// # Errors
    ///
    /// [`IdentityError::File`], [`IdentityError::Mode`], [`IdentityError::NotAKey`].
    pub fn read(path: &Path) -> Result<Self, IdentityError> {
        let failed = |source| IdentityError::File { path: path.to_owned(), source };
        let file = File::open(path).map_err(failed)?;
        check_mode(path, &file)?;
        let mut bytes = Zeroizing::new(Vec::with_capacity(MAX_FILE.into()));
        file.take(MAX_FILE.into()).read_to_end(&mut bytes).map_err(failed)?;
        let pem = std::str::from_utf8(&bytes).ok();
        let key = pem.and_then(|pem| KeyPair::from_pem(pem).ok()).map(Zeroizing::new);
        let ours = |key: &Zeroizing<KeyPair>| {
            [&PKCS_ECDSA_P256_SHA256, &PKCS_ED25519].into_iter().any(|algorithm| key.algorithm() == algorithm)
        };
        let key = key.filter(ours).ok_or_else(|| IdentityError::NotAKey { path: path.to_owned() })?;
        Self::from_key(&key)
    }

    /// What others pin.
    pub const fn pin(&self) -> Pin {
        self.pin
    }

    /// The certificate says nothing but the key: who reads it looks at nothing else.
    fn from_key(key: &KeyPair) -> Result<Self, IdentityError> {
        let make = |error: &dyn fmt::Display| IdentityError::Make(error.to_string());
        let certificate = CertificateParams::default().self_signed(key).map_err(|error| make(&error))?;
        let der = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialized_der()));
        let signing = any_supported_type(&der).map_err(|error| make(&error))?;
        let certified = CertifiedKey::new(vec![certificate.der().clone()], signing);
        Ok(Self { certified: Arc::new(certified), pin: Pin::of(&key.subject_public_key_info()) })
    }
}

/// The pin, which is public.
impl fmt::Debug for Identity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Identity({})", self.pin)
    }
}

fn new_key() -> Result<Zeroizing<KeyPair>, IdentityError> {
    KeyPair::generate().map(Zeroizing::new).map_err(|error| IdentityError::Make(error.to_string()))
}

#[cfg(unix)]
fn check_mode(path: &Path, file: &File) -> Result<(), IdentityError> {
    use std::os::unix::fs::PermissionsExt;

    let metadata = file.metadata().map_err(|source| IdentityError::File { path: path.to_owned(), source })?;
    let mode = metadata.permissions().mode() & 0o7777;
    // The lowest six bits are the rights of the group and of all others.
    if mode.trailing_zeros() >= 6 { Ok(()) } else { Err(IdentityError::Mode { path: path.to_owned(), mode }) }
}

#[cfg(not(unix))]
fn check_mode(_path: &Path, _file: &File) -> Result<(), IdentityError> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_reads_back_and_is_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.key");
        let pin = Identity::create(&path).unwrap().pin();
        assert_eq!(Identity::read(&path).unwrap().pin(), pin);
        assert_ne!(Identity::generate().unwrap().pin(), pin);
        let error = Identity::create(&path).unwrap_err();
        assert!(
            matches!(&error, IdentityError::File { source, .. } if source.kind() == io::ErrorKind::AlreadyExists)
        );
        assert_eq!(Identity::read(&path).unwrap().pin(), pin);
    }

    /// What others see in the certificate is the pin that `keygen` has printed.
    #[test]
    fn the_pin_is_that_of_the_key_in_the_certificate() {
        let identity = Identity::generate().unwrap();
        let certificate = &identity.certified.cert[0];
        assert_eq!(crate::pinned::pin_of(certificate).unwrap(), identity.pin());
    }

    #[cfg(unix)]
    #[test]
    fn a_key_that_others_may_read_is_refused() {
        use std::os::unix::fs::PermissionsExt;

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.key");
        Identity::create(&path).unwrap();
        let mode = |mode| std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        for wrong in [0o640, 0o604, 0o660] {
            mode(wrong);
            let error = Identity::read(&path).unwrap_err();
            assert!(matches!(error, IdentityError::Mode { mode, .. } if mode == wrong), "{error}");
        }
        mode(0o400);
        assert!(Identity::read(&path).is_ok());
    }

    /// Nothing of the key is in any error, however it is shown.
    #[test]
    fn what_is_no_key_of_ours_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.key");
        Identity::create(&path).unwrap();
        let pem = std::fs::read_to_string(&path).unwrap();
        let p384 = KeyPair::generate_for(&rcgen::PKCS_ECDSA_P384_SHA384).unwrap().serialize_pem();
        let cut = pem[..pem.len() / 2].to_owned();
        let wrong = ["", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", &cut, &p384];
        for wrong in wrong {
            std::fs::write(&path, wrong).unwrap();
            let error = Identity::read(&path).unwrap_err();
            assert!(matches!(error, IdentityError::NotAKey { .. }), "{error}");
            assert!(
                pem.lines().skip(1).all(|line| line.starts_with('-') || !format!("{error:?}").contains(line))
            );
        }
        let ed25519 = KeyPair::generate_for(&PKCS_ED25519).unwrap().serialize_pem();
        std::fs::write(&path, ed25519).unwrap();
        assert!(Identity::read(&path).is_ok());
    }
}
