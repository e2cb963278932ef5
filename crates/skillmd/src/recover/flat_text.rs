//! Text under a header `|` or `>` whose lines are not indented.
//!
//! For YAML the block is empty, and what stands below is something else: a fault, or entries of its own where a line
//! of the text happens to have a colon. It is read as what it becomes when its lines are indented.

use super::pieces::{BlockText, Piece, ends_text};
use crate::code::Code;
use crate::diagnostic::{Edit, Reporter};
use crate::lines::Line;
use crate::node::{Node, Pair, Scalar, Value};
use crate::span::Span;
use crate::yaml::{self, Anchors, Fault};

/// By how much lines are indented below their key.
const STEP: usize = 2;

/// What is wrong with a frontmatter that is valid, but only because a line of unindented text looks like an entry.
pub(crate) fn fault(pairs: &[Pair]) -> Option<Fault> {
    let is_empty_block = |pair: &Pair| {
        let scalar = pair.value.as_scalar();
        scalar.is_some_and(|scalar| scalar.is_block() && scalar.text.trim().is_empty())
    };
    let below = pairs.windows(2).find_map(|pair| match pair {
        [above, below] if is_empty_block(above) && !ends_text(&below.key) => Some(below),
        _ => None,
    })?;
    Some(Fault {
        code: Code::YamlStrayLine,
        offset: below.key_span.start,
        message: MESSAGE.to_owned(),
    })
}

const MESSAGE: &str = "the lines of this text are not indented";

/// The value of a piece whose text is not indented; nothing for any other piece.
pub(super) fn read(piece: &Piece<'_>, reporter: &mut Reporter<'_>) -> Option<Node> {
    if piece.text != BlockText::Flat {
        return None;
    }
    let text = reporter.text();
    let below = Span::new(piece.first.next, piece.span.end);
    let lines = || Line::within(text, below).filter(|line| !line.is_blank());
    let first = lines().next()?;
    let least = lines().map(|line| line.indent()).min()?;
    let blanks = " ".repeat((piece.first.indent() + STEP).saturating_sub(least));
    let mut indented = Span::new(piece.span.start, below.start)
        .slice(text)
        .to_owned();
    for line in Line::within(text, below) {
        if !line.is_blank() {
            indented.push_str(&blanks);
        }
        indented.push_str(Span::new(line.start, line.next).slice(text));
    }
    let scalar = block_scalar(&indented)?;
    let edits = lines()
        .map(|line| Edit::insert(line.start, blanks.as_str()))
        .collect();
    let (_, first) = first.trimmed();
    let written = Span::new(first.start, below.end).slice(text).trim_end();
    reporter
        .report(
            Code::YamlStrayLine,
            Span::new(first.start, first.start + written.len()),
            MESSAGE,
        )
        .help("YAML takes them for something else; they were read as the text of the key above")
        .fixes("indent them", edits);
    let header = Span::new(piece.value_start, below.start).slice(text);
    let start = piece.value_start + (header.len() - header.trim_start().len());
    Some(Node {
        value: Value::Scalar(scalar),
        span: Span::new(start, first.start + written.len()),
    })
}

/// The text of the only entry of `source`, where that is a block with something in it.
fn block_scalar(source: &str) -> Option<Scalar> {
    let mut trial = Reporter::new(source);
    let root = yaml::parse_piece(source, 0, &mut Anchors::default(), &mut trial).ok()??;
    let Value::Mapping(pairs) = root.value else {
        return None;
    };
    let [pair] = <[Pair; 1]>::try_from(pairs).ok()?;
    match pair.value.value {
        Value::Scalar(scalar) if scalar.is_block() && !scalar.text.trim().is_empty() => {
            Some(scalar)
        }
        _ => None,
    }
}
