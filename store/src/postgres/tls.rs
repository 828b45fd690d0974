//! Encrypted connections, as `sslmode` and `sslrootcert` of an address ask for them.
//!
//! Stricter than PostgreSQL's own client in one place: who says `require` gets the certificate checked too, as with
//! `verify-full`. `prefer`, which is meant where nothing is said, checks nothing, as there.

use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};
use tokio_postgres::config::SslMode;
use tokio_postgres_rustls::MakeRustlsConnect;

/// Whether to encrypt, and how.
pub(super) struct Tls {
    pub(super) mode: SslMode,
    pub(super) connect: MakeRustlsConnect,
}

/// Takes what an address says of encryption out of it; the rest is for PostgreSQL's client.
pub(super) fn of(url: &str) -> Result<(String, Tls), String> {
    let (place, parameters) = url.split_once('?').unwrap_or((url, ""));
    let (mut mode, mut roots, mut rest) = ("prefer", None, Vec::new());
    for parameter in parameters.split('&').filter(|it| !it.is_empty()) {
        match parameter.split_once('=') {
            Some(("sslmode", value)) => mode = value,
            Some(("sslrootcert", path)) => roots = Some(path),
            _ => rest.push(parameter),
        }
    }
    let question = if rest.is_empty() { "" } else { "?" };
    let url = format!("{place}{question}{}", rest.join("&"));
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let (mode, checks) = match mode {
        "disable" => (SslMode::Disable, false),
        "prefer" => (SslMode::Prefer, false),
        "require" | "verify-full" => (SslMode::Require, true),
        _ => {
            return Err(
                "its sslmode is none of `disable`, `prefer`, `require` and `verify-full`"
                    .to_owned(),
            );
        }
    };
    let config = ClientConfig::builder_with_provider(provider.clone())
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?;
    let config = match checks {
        true => config
            .with_root_certificates(trusted(roots)?)
            .with_no_client_auth(),
        false => config
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(Unchecked(provider)))
            .with_no_client_auth(),
    };
    let connect = MakeRustlsConnect::new(config);
    Ok((url, Tls { mode, connect }))
}

/// The certificates of a file, or those that the system trusts.
fn trusted(file: Option<&str>) -> Result<RootCertStore, String> {
    let mut roots = RootCertStore::empty();
    match file {
        Some(file) => {
            let read = |error: &dyn std::fmt::Display| format!("its sslrootcert: {error}");
            for certificate in CertificateDer::pem_file_iter(file).map_err(|error| read(&error))? {
                roots
                    .add(certificate.map_err(|error| read(&error))?)
                    .map_err(|error| read(&error))?;
            }
        }
        None => {
            // those that cannot be read are as if they were not there
            roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        }
    }
    match roots.is_empty() {
        true => Err("no certificate is trusted here that could vouch for the server: name one with sslrootcert".to_owned()),
        false => Ok(roots),
    }
}

/// Takes every certificate: against those who listen, not against those who pose as the server.
#[derive(Debug)]
struct Unchecked(Arc<CryptoProvider>);

impl ServerCertVerifier for Unchecked {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let schemes = &self.0.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signed, schemes)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let schemes = &self.0.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signed, schemes)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}
