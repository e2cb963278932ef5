//! Values of `metadata` that are JSON in a text: the standard wants texts there, some clients want more.
//!
//! YAML's flow notation has all of JSON, and of what JSON5 adds what is used in practice: bare keys, single quotes,
//! trailing commas.

use crate::diagnostic::Reporter;
use crate::keys::{KEYS, Shape, find::Child};
use crate::node::{Node, Value};
use crate::span::Span;
use crate::yaml;

/// `node` with all JSON texts unfolded, where it has any and `child` wants more than text there.
pub(super) fn unfold(node: &Node, child: &Child) -> Option<Node> {
    if let Some(parsed) = wants_structure(child).then(|| json(node)).flatten() {
        return Some(unfold(&parsed, child).unwrap_or(parsed));
    }
    let mut unfolded: Option<Node> = None;
    for (index, pair) in node.as_mapping()?.iter().enumerate() {
        let inner = child
            .branch
            .child(&pair.key)
            .and_then(|child| unfold(&pair.value, child));
        let Some(inner) = inner else { continue };
        let copy = unfolded.get_or_insert_with(|| node.clone());
        if let Value::Mapping(pairs) = &mut copy.value
            && let Some(pair) = pairs.get_mut(index)
        {
            pair.value = inner;
        }
    }
    unfolded
}

fn wants_structure(child: &Child) -> bool {
    let shape = child.row.and_then(|row| KEYS.get(row)).map(|key| key.shape);
    !matches!(
        shape,
        Some(
            Shape::Text
                | Shape::Verbatim
                | Shape::OneOf(_)
                | Shape::Flag
                | Shape::InvertedFlag
                | Shape::Count
                | Shape::Scope
        )
    )
}

/// The list or mapping that a text spells out. All its places are that of the text.
fn json(node: &Node) -> Option<Node> {
    let text = node.as_text()?.trim();
    if !text.starts_with(['{', '[']) {
        return None;
    }
    let mut parsed = yaml::parse(text, 0, &mut Reporter::new("")).ok()??;
    place(&mut parsed, node.span);
    parsed.as_scalar().is_none().then_some(parsed)
}

fn place(node: &mut Node, span: Span) {
    node.span = span;
    match &mut node.value {
        Value::Scalar(_) => {}
        Value::Sequence(items) => items.iter_mut().for_each(|item| place(item, span)),
        Value::Mapping(pairs) => {
            for pair in pairs {
                pair.key_span = span;
                place(&mut pair.value, span);
            }
        }
    }
}
