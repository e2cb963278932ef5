//! What the fast reader takes, the YAML library reads in exactly the same way.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = str::from_utf8(bytes) else {
        return;
    };
    let document = skillmd::parse_text(text.to_owned(), skillmd::Encoding::Utf8);
    let block = match document.frontmatter() {
        Some(frontmatter) => frontmatter.block.slice(text),
        None => text,
    };
    assert_ne!(skillmd::agrees_with_library(block), Some(false));
});
