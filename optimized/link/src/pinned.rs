//! TLS as hosts use it: version 1.3 only, both ends known by the pins of their keys.

use std::collections::BTreeSet;
use std::sync::Arc;

use rustls::client::Resumption;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::aws_lc_rs::{default_provider, kx_group};
use rustls::crypto::{CryptoProvider, verify_tls13_signature};
use rustls::server::danger::{ClientCertVerified, ClientCertVerifier};
use rustls::server::{NoServerSessionStorage, ParsedCertificate};
use rustls::sign::SingleCertAndKey;
use rustls::version::TLS13;
use rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, DistinguishedName, Error, OtherError,
    PeerIncompatible, ServerConfig, SignatureScheme,
};
use rustls_pki_types::{CertificateDer, ServerName, UnixTime};
use thiserror::Error;

use crate::{Channel, Identity, Pin};

/// Accepts exactly the keys that are pinned, whatever else their certificates say. The pin proves who may sign, the signature of the
/// handshake that it is they who call.
#[derive(Debug)]
struct Pinned {
    pins: BTreeSet<Pin>,
    provider: Arc<CryptoProvider>,
}

/// A key that no pin is of.
#[derive(Error, Debug)]
#[error("the key {got} is none of those that are pinned")]
pub(crate) struct NotPinned {
    pub(crate) got: Pin,
}

/// The pin of the key in a certificate.
pub(crate) fn pin_of(certificate: &CertificateDer<'_>) -> Result<Pin, Error> {
    let parsed = ParsedCertificate::try_from(certificate)?;
    Ok(Pin::of(&parsed.subject_public_key_info()))
}

impl Pinned {
    fn check(&self, certificate: &CertificateDer<'_>) -> Result<(), Error> {
        let got = pin_of(certificate)?;
        if self.pins.contains(&got) {
            return Ok(());
        }
        Err(CertificateError::Other(OtherError(Arc::new(NotPinned { got }))).into())
    }

    fn check_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signature, algorithms)
    }

    fn schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

/// TLS 1.2 was never offered.
const fn old() -> Error {
    Error::PeerIncompatible(PeerIncompatible::Tls12NotOfferedOrEnabled)
}

impl ServerCertVerifier for Pinned {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        self.check(certificate).map(|()| ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Err(old())
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.check_signature(message, certificate, signature)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.schemes()
    }
}

impl ClientCertVerifier for Pinned {
    fn root_hint_subjects(&self) -> &[DistinguishedName] {
        &[]
    }

    fn verify_client_cert(
        &self,
        certificate: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: UnixTime,
    ) -> Result<ClientCertVerified, Error> {
        self.check(certificate).map(|()| ClientCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Err(old())
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.check_signature(message, certificate, signature)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.schemes()
    }
}

/// X25519MLKEM768 first: what is recorded today must stay hidden from who has a quantum computer later.
fn provider() -> Arc<CryptoProvider> {
    let kx_groups = vec![kx_group::X25519MLKEM768, kx_group::X25519];
    Arc::new(CryptoProvider { kx_groups, ..default_provider() })
}

fn pinned(pins: &[Pin], provider: &Arc<CryptoProvider>) -> Arc<Pinned> {
    Arc::new(Pinned { pins: pins.iter().copied().collect(), provider: provider.clone() })
}

/// Of who calls.
pub(crate) fn calling(identity: &Identity, pins: &[Pin], channel: Channel) -> Result<ClientConfig, Error> {
    let provider = provider();
    let mut config = ClientConfig::builder_with_provider(provider.clone())
        .with_protocol_versions(&[&TLS13])?
        .dangerous()
        .with_custom_certificate_verifier(pinned(pins, &provider))
        .with_client_cert_resolver(Arc::new(SingleCertAndKey::from(identity.certified.clone())));
    config.alpn_protocols = vec![channel.alpn().to_vec()];
    config.resumption = Resumption::disabled();
    config.enable_early_data = false;
    // The name is never looked at, and says nothing to who watches.
    config.enable_sni = false;
    Ok(config)
}

/// Of who answers, on all channels.
pub(crate) fn answering(identity: &Identity, pins: &[Pin]) -> Result<ServerConfig, Error> {
    let provider = provider();
    let mut config = ServerConfig::builder_with_provider(provider.clone())
        .with_protocol_versions(&[&TLS13])?
        .with_client_cert_verifier(pinned(pins, &provider))
        .with_cert_resolver(Arc::new(SingleCertAndKey::from(identity.certified.clone())));
    config.alpn_protocols = Channel::ALL.map(|channel| channel.alpn().to_vec()).to_vec();
    config.session_storage = Arc::new(NoServerSessionStorage {});
    config.send_tls13_tickets = 0;
    config.max_early_data_size = 0;
    Ok(config)
}
