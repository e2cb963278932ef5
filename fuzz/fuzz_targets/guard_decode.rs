//! The guard's decoders keep their laws on any text.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    assert!(skillful_guard::obey_laws(text));
});
