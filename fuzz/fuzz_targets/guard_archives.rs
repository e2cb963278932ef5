//! Archives of any bytes are opened without a panic, within the limits, twice with the same result.
//!
//! The first byte of an input says what is done to the rest before: sums of tar headers are put right, which no mutation
//! finds by itself, and the whole is packed with gzip.

#![no_main]

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use libfuzzer_sys::fuzz_target;
use skillful_guard::{Bundle, FileInput, RuleBook, limits, scan};

const BLOCK: usize = 512;

fuzz_target!(|bytes: &[u8]| {
    let Some((&kind, content)) = bytes.split_first() else {
        return;
    };
    let mut content = content.to_vec();
    if kind & 1 != 0 {
        put_sums_right(&mut content);
    }
    if kind & 2 != 0 {
        let mut writer = GzEncoder::new(Vec::new(), Compression::fast());
        writer.write_all(&content).expect("into memory");
        content = writer.finish().expect("into memory");
    }
    let bundle = Bundle::new(vec![FileInput::regular("a/archive", content)]);
    let rules = RuleBook::built_in().expect("the tables are tested");
    let found = scan(&bundle, rules);
    assert_eq!(
        scan(&bundle, rules),
        found,
        "the same bytes, the same report"
    );
    let most = 1 + limits::ARCHIVE_MEMBERS * limits::ARCHIVE_DEPTH;
    assert!(found.coverage.files <= most.max(limits::FILES));
    assert!(found.coverage.bytes <= bytes.len() as u64 * 2 + 4096 + limits::ARCHIVE_BYTES);
});

/// Gives each block the sum that would make it a header, where it has the shape of one.
fn put_sums_right(bytes: &mut [u8]) {
    for block in bytes.chunks_exact_mut(BLOCK) {
        if block[0] == 0 || block[257..262] != *b"ustar" {
            continue;
        }
        block[148..156].fill(b' ');
        let sum: u32 = block.iter().map(|&byte| u32::from(byte)).sum();
        block[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    }
}
