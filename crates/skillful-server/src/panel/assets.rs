//! The files of the panel, as they are when the program is built.

use std::sync::LazyLock;

use axum::http::HeaderValue;
use sha2::{Digest, Sha256};

use crate::hex::hex;

const HTML: &str = "text/html; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const PICTURE: &str = "image/svg+xml";

/// A file of the panel.
#[derive(Debug)]
pub(super) struct Asset {
    /// Its path below `/panel/`.
    path: &'static str,
    /// Its media type.
    pub(super) kind: &'static str,
    /// What is in it.
    pub(super) content: &'static str,
}

macro_rules! asset {
    ($kind:expr, $path:literal) => {
        Asset {
            path: $path,
            kind: $kind,
            content: include_str!(concat!("../../panel/", $path)),
        }
    };
}

/// The page itself; it names its files by [`VERSION`].
pub(super) static PAGE: LazyLock<String> = LazyLock::new(|| {
    let files = format!("/panel/{}/", *VERSION);
    include_str!("../../panel/index.html").replace("/panel/", &files)
});

/// The media type of the page.
pub(super) const PAGE_KIND: &str = HTML;

/// The tag of the page.
pub(super) static PAGE_TAG: LazyLock<HeaderValue> = LazyLock::new(|| {
    let tag = format!("\"{}\"", hex(&Sha256::digest(PAGE.as_bytes())));
    HeaderValue::from_str(&tag).unwrap_or(HeaderValue::from_static("\"\""))
});

/// What the addresses of all files begin with: another one whenever one of them is another, so that a browser may keep
/// each file for good.
pub(super) static VERSION: LazyLock<String> = LazyLock::new(|| {
    let mut hash = Sha256::new();
    for asset in &FILES {
        hash.update(asset.path);
        hash.update(asset.content.len().to_le_bytes());
        hash.update(asset.content);
    }
    let mut version = hex(&hash.finalize());
    version.truncate(16);
    version
});

/// All that the page asks for.
#[rustfmt::skip] // A file is a line.
static FILES: [Asset; 39] = [
    asset!(STYLE, "css/base.css"),
    asset!(STYLE, "css/frame.css"),
    asset!(STYLE, "css/pages.css"),
    asset!(STYLE, "css/parts.css"),
    asset!(PICTURE, "icon.svg"),
    asset!(PICTURE, "icons.svg"),
    asset!(SCRIPT, "js/api.js"),
    asset!(SCRIPT, "js/app.js"),
    asset!(SCRIPT, "js/changes.js"),
    asset!(SCRIPT, "js/diff.js"),
    asset!(SCRIPT, "js/hooks.js"),
    asset!(SCRIPT, "js/live.js"),
    asset!(SCRIPT, "js/pages/catalog.js"),
    asset!(SCRIPT, "js/pages/events.js"),
    asset!(SCRIPT, "js/pages/history.js"),
    asset!(SCRIPT, "js/pages/install.js"),
    asset!(SCRIPT, "js/pages/missing.js"),
    asset!(SCRIPT, "js/pages/overview.js"),
    asset!(SCRIPT, "js/pages/prompt.js"),
    asset!(SCRIPT, "js/pages/settings.js"),
    asset!(SCRIPT, "js/pages/signin.js"),
    asset!(SCRIPT, "js/pages/skill.js"),
    asset!(SCRIPT, "js/parts.js"),
    asset!(SCRIPT, "js/rendered.js"),
    asset!(SCRIPT, "js/route.js"),
    asset!(SCRIPT, "js/skill/about.js"),
    asset!(SCRIPT, "js/skill/blockers.js"),
    asset!(SCRIPT, "js/skill/conflict.js"),
    asset!(SCRIPT, "js/skill/controls.js"),
    asset!(SCRIPT, "js/skill/editor.js"),
    asset!(SCRIPT, "js/skill/files.js"),
    asset!(SCRIPT, "js/skill/problems.js"),
    asset!(SCRIPT, "js/skill/safety.js"),
    asset!(SCRIPT, "js/skill/text-field.js"),
    asset!(SCRIPT, "js/skill/usage.js"),
    asset!(SCRIPT, "js/theme-switch.js"),
    asset!(SCRIPT, "js/theme.js"),
    asset!(SCRIPT, "js/words.js"),
    asset!(SCRIPT, "vendor/preact.js"),
];

/// The file at a path below `/panel/`: looked up, never joined.
pub(super) fn find(path: &str) -> Option<&'static Asset> {
    FILES.iter().find(|asset| asset.path == path)
}

#[cfg(test)]
pub(super) fn all() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    let page = ("index.html", HTML, include_str!("../../panel/index.html"));
    let files = FILES.iter();
    std::iter::once(page).chain(files.map(|asset| (asset.path, asset.kind, asset.content)))
}
