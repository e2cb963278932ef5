//! Bytes in any encoding, and input that wants to cost more than it may.

use std::fmt::Write;

use skillmd::{Encoding, parse};

use crate::{codes, entries, read};

#[test]
fn encodings() {
    for encoding in [Encoding::Utf8WithMark, Encoding::Utf16Le, Encoding::Utf16Be] {
        let bytes = encoding.encode("---\nname: ö\n---\n");
        let document = parse(bytes.clone()).unwrap();
        assert_eq!(entries(&document), "name=ö");
        assert_eq!(document.to_bytes(), bytes);
        assert_eq!(document.diagnostics().len(), 1);
    }
    assert_eq!(
        parse(b"---\nname: \xFF\n---\n".to_vec())
            .unwrap_err()
            .offset,
        10
    );
}

#[test]
fn hostile_input_is_bounded() {
    let nested = format!("---\nname: a\nx: {}\n---\n", "[".repeat(5_000));
    let document = read(&nested);
    assert_eq!(document.get_text("name"), Some("a"));
    assert_eq!(codes(&document), ["yaml-too-deep@3:36"]);

    let blocks = format!("---\nname: a\nx:\n  {}b\n---\n", "- ".repeat(20_000));
    assert_eq!(read(&blocks).get_text("name"), Some("a"));

    let mut bomb = String::from("---\nname: a\na0: &a0 [x, x, x, x, x, x, x, x, x]\n");
    for level in 1..10 {
        let previous = format!("*a{}", level - 1);
        let items = vec![previous; 9].join(", ");
        writeln!(bomb, "a{level}: &a{level} [{items}]").unwrap();
    }
    bomb.push_str("---\n");
    let document = read(&bomb);
    assert_eq!(document.get_text("name"), Some("a"));
    assert!(
        codes(&document)
            .iter()
            .any(|code| code.starts_with("yaml-too-many-values"))
    );

    let lines = |count: usize, value: &str| {
        (0..count).fold(String::new(), |mut text, n| {
            writeln!(text, "k{n}: {value}").unwrap();
            text
        })
    };
    let many = lines(30_000, "v");
    let document = read(&format!("---\nname: a\n{many}---\n"));
    assert_eq!(document.get_text("name"), Some("a"));
    assert_eq!(document.entries().len(), 30_001);
    assert!(codes(&document)[0].starts_with("yaml-too-many-values"));

    let faults = lines(20_000, "@v");
    let document = read(&format!("---\nname: a\n{faults}---\n"));
    assert_eq!(document.get_text("name"), Some("a"));
    assert_eq!(document.get_text("k19999"), Some("@v"));
    assert!(document.diagnostics().len() <= skillmd::limits::DIAGNOSTICS + 1);
}
