//! A scan of anything ends without a panic, twice with the same result, within the limits; what it shows obeys nobody.

#![no_main]

use libfuzzer_sys::fuzz_target;
use skillful_guard::{Bundle, FileInput, RuleBook, limits, scan};

/// The first byte of an input says what kind of file the rest is.
const PATHS: &[&str] = &[
    "SKILL.md",
    "a.sh",
    "a.py",
    "a.ts",
    "a.json",
    "a.zip",
    "a.svg",
    "package.json",
    "requirements.txt",
    "notes",
    "a.ps1",
    "a.bat",
    "Makefile",
    "a.rb",
];

fuzz_target!(|bytes: &[u8]| {
    let Some((&kind, content)) = bytes.split_first() else {
        return;
    };
    let path = PATHS[usize::from(kind) % PATHS.len()];
    let bundle = Bundle::new(vec![FileInput::regular(path, content)]);
    let rules = RuleBook::built_in().expect("the tables are tested");
    let found = scan(&bundle, rules);
    assert_eq!(
        scan(&bundle, rules),
        found,
        "the same bytes, the same report"
    );
    assert!(found.findings.len() <= limits::FINDINGS_PER_FILE * (1 + limits::ARCHIVE_MEMBERS));
    for finding in &found.findings {
        assert!(finding.line >= 1 && finding.column >= 1);
        assert!(!finding.excerpt.chars().any(char::is_control));
    }
});
