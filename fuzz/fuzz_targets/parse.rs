//! Any bytes at all: reading never panics, gives the bytes back, and every place it names lies in the text.

#![no_main]

use libfuzzer_sys::fuzz_target;
use skillmd::{Node, Span, Value};

fuzz_target!(|bytes: &[u8]| {
    let Ok(document) = skillmd::parse(bytes.to_vec()) else {
        return;
    };
    assert_eq!(
        document.to_bytes(),
        bytes,
        "an unedited document is not changed"
    );

    let text = document.text();
    let lies_in_text = |span: Span| {
        assert!(
            text.get(span.start..span.end).is_some(),
            "{span:?} does not lie in the text"
        );
    };
    lies_in_text(document.body_span());
    for entry in document.entries() {
        lies_in_text(entry.span);
        lies_in_text(entry.key_span);
        nodes(&entry.value, &mut |node| lies_in_text(node.span));
    }
    for diagnostic in document.diagnostics() {
        lies_in_text(diagnostic.span);
        let edits = diagnostic.fix.iter().flat_map(|fix| &fix.edits);
        edits.for_each(|edit| lies_in_text(edit.span));
    }
});

/// Visits a node and all below it.
fn nodes(node: &Node, visit: &mut impl FnMut(&Node)) {
    visit(node);
    match &node.value {
        Value::Scalar(_) => {}
        Value::Sequence(items) => items.iter().for_each(|item| nodes(item, visit)),
        Value::Mapping(pairs) => pairs.iter().for_each(|pair| nodes(&pair.value, visit)),
    }
}
