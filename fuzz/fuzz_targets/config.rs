//! A configuration file is read without a panic, and an edit changes its own key alone.

#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use skillful::config::{Config, KeyPath, Layer, Level, Value, edit};

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = str::from_utf8(bytes) else {
        return;
    };
    let before = read(text);
    let key = KeyPath::single("skills").join("fuzzed").join("enabled");
    let Ok(edited) = edit::set(text, &key, &Value::Flag(false)) else {
        return;
    };
    let after = read(&edited);
    assert!(after.get(&key).is_some(), "{edited}");
    for (path, setting) in before.settings() {
        if *path != key {
            let kept = after.get(path);
            assert_eq!(kept.map(|it| &it.value), Some(&setting.value), "{path}");
        }
    }
});

fn read(text: &str) -> Config {
    Config::of_layers([Layer::read(Level::User, Path::new("skills.toml"), text)])
}
