//! Whatever is typed: reading it ends without a panic, and what was understood has a text that means the same.

#![no_main]

use libfuzzer_sys::fuzz_target;
use skillful_manage::source::{Permission, Source, Surroundings};

fuzz_target!(|text: &str| {
    let here = Surroundings {
        home: Some("/home/u".into()),
        working_directory: "/work".into(),
        permission: Permission::Encrypted,
    };
    match Source::parse(text, &here) {
        Ok(source) => {
            let canonical = source.to_string();
            assert!(!canonical.chars().any(char::is_control) && !canonical.starts_with('-'));
            assert_eq!(
                Source::parse(&canonical, &here).as_ref(),
                Ok(&source),
                "{text:?} became {canonical:?}"
            );
        }
        Err(error) => assert!(!error.to_string().chars().any(char::is_control)),
    }
});
