//! Fixes can be applied to any text, come to an end, and what they leave alone stays as it was.

#![no_main]

use libfuzzer_sys::fuzz_target;
use skillmd::edit::apply_fixes;
use skillmd::limits::FIX_ROUNDS;
use skillmd::{Encoding, parse_text};

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = str::from_utf8(bytes) else {
        return;
    };
    let mut text = text.to_owned();
    for _ in 0..FIX_ROUNDS {
        let document = parse_text(text.clone(), Encoding::Utf8);
        let fixed = apply_fixes(&text, document.diagnostics());
        if fixed.applied.is_empty() {
            assert_eq!(fixed.text, text, "without a fix nothing changes");
            return;
        }
        text = fixed.text;
    }
});
