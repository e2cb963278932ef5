//! Unpacking anything ends without a panic, within the limits, and leaves nothing but files and directories where it
//! was told to, none of which an archive may not make.

#![no_main]

use std::fs;
use std::io::Cursor;
use std::path::Path;

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use libfuzzer_sys::fuzz_target;
use skillful_manage::unpack::{Limits, unpack};

const LIMITS: Limits = Limits {
    entries: 200,
    bytes: 1 << 20,
    file_bytes: 1 << 19,
    ratio: 100,
};

fuzz_target!(|bytes: &[u8]| {
    let outer = tempfile::tempdir().expect("a directory");
    let staging = outer.path().join("staging");
    fs::create_dir(&staging).expect("a directory");
    let directory = Dir::open_ambient_dir(&staging, ambient_authority()).expect("a handle");
    let result = unpack(Cursor::new(bytes), &directory, LIMITS);
    let beside = fs::read_dir(outer.path()).expect("a listing").count();
    assert_eq!(beside, 1, "something landed outside");
    let mut found = (0, 0);
    count(&staging, &mut found);
    match result {
        Ok(unpacked) => {
            assert_eq!((unpacked.files, unpacked.bytes), found);
            assert!(unpacked.bytes <= LIMITS.bytes && unpacked.files <= LIMITS.entries);
        }
        Err(error) => assert!(!error.to_string().chars().any(char::is_control)),
    }
});

fn count(directory: &Path, found: &mut (u64, u64)) {
    for entry in fs::read_dir(directory).expect("a listing") {
        let entry = entry.expect("an entry");
        let kind = entry.file_type().expect("a kind");
        assert!(kind.is_dir() || kind.is_file());
        if kind.is_dir() {
            count(&entry.path(), found);
        } else {
            found.0 += 1;
            found.1 += entry.metadata().expect("its facts").len();
        }
    }
}
