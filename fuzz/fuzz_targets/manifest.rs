//! Any frontmatter: the manifest can be read, its faults lie in the text, and so do those of a sidecar.

#![no_main]

use libfuzzer_sys::fuzz_target;
use skillmd::sidecar::Sidecar;
use skillmd::{Diagnostic, Encoding, Manifest, Reporter, parse_text};

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = str::from_utf8(bytes) else {
        return;
    };
    let document = parse_text(text.to_owned(), Encoding::Utf8);
    let mut reporter = Reporter::new(text);
    let mut manifest = Manifest::read(&document, &mut reporter);
    lie_in(text, &reporter.finish());

    let block = document
        .frontmatter()
        .map_or(text, |frontmatter| frontmatter.block.slice(text));
    let (sidecar, diagnostics) = Sidecar::read(block);
    lie_in(block, &diagnostics);
    manifest.merge_sidecar(sidecar);
    let _ = manifest.values().count();
});

fn lie_in(text: &str, diagnostics: &[Diagnostic]) {
    for diagnostic in diagnostics {
        let span = diagnostic.span;
        assert!(
            text.get(span.start..span.end).is_some(),
            "{diagnostic:?} does not lie in the text"
        );
    }
}
