//! Which certificates are trusted.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

use ureq::tls::{PemItem, RootCerts, TlsConfig, parse_pem};

use crate::source::fetch::fault::FetchError;

/// Those that the system trusts, or those of a PEM file.
pub(super) fn config(certificates: Option<&Path>) -> Result<TlsConfig, FetchError> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = TlsConfig::builder().unversioned_rustls_crypto_provider(provider);
    let Some(path) = certificates else {
        return Ok(builder.root_certs(RootCerts::PlatformVerifier).build());
    };
    let failed = |error| FetchError::Local {
        path: path.display().to_string(),
        error,
    };
    let pem = fs::read(path).map_err(failed)?;
    let mut certificates = Vec::new();
    for item in parse_pem(&pem) {
        if let PemItem::Certificate(certificate) =
            item.map_err(|error| failed(io::Error::other(error)))?
        {
            certificates.push(certificate);
        }
    }
    Ok(builder
        .root_certs(RootCerts::Specific(Arc::new(certificates)))
        .build())
}
