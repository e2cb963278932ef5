//! A fast reader for the plain subset of YAML that most frontmatters are written in.
//!
//! It knows words as keys, plain and quoted one-line scalars, block scalars without surprises, flat one-line lists, and
//! block mappings and lists of these. For everything else it gives up and the YAML library decides. What it does read
//! must equal what the library reads, spans included: a property test, a fuzz target and a test over real texts hold it
//! to that.

use crate::limits;
use crate::lines::Line;
use crate::node::{Node, Pair, ScalarStyle, Value};
use crate::span::Span;

/// Reads the entries of a frontmatter block that stands at byte `at` of its document; nothing where the block is not
/// in the plain subset.
pub(crate) fn parse(text: &str, at: usize) -> Option<Vec<Pair>> {
    if !is_plain_text(text) {
        return None;
    }
    let mut reader = Reader {
        text,
        at,
        offset: 0,
        values: 0,
    };
    let pairs = reader.mapping(0, 0)?;
    // A block without entries is not a mapping; what it is, the library says.
    (!pairs.is_empty() && reader.next_content().is_none()).then_some(pairs)
}

/// Whether the text has nothing that any YAML reader could take for a line break, a mark or a fault.
fn is_plain_text(text: &str) -> bool {
    let bytes = text.as_bytes();
    let has_control = bytes.iter().any(|&b| (b < 0x20 && b != b'\n') || b == 0x7F);
    !has_control
        && !bytes.windows(3).any(|w| match w[0] {
            // U+0080 to U+009F.
            0xC2 => w[1] < 0xA0,
            // U+2028 and U+2029.
            0xE2 => w[1] == 0x80 && (w[2] == 0xA8 || w[2] == 0xA9),
            // U+FEFF, U+FFFE, U+FFFF.
            0xEF => (w[1] == 0xBB && w[2] == 0xBF) || (w[1] == 0xBF && w[2] >= 0xBE),
            _ => false,
        })
        && bytes.ends_with(b"\n")
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    /// Start of the next line.
    offset: usize,
    values: usize,
}

impl<'t> Reader<'t> {
    /// The next line that is neither blank nor a comment, without consuming anything.
    fn next_content(&self) -> Option<Line<'t>> {
        let mut offset = self.offset;
        loop {
            let line = Line::at(self.text, offset)?;
            let content = line.text.trim_start_matches(' ');
            if !content.is_empty() && !content.starts_with('#') {
                return Some(line);
            }
            offset = line.next;
        }
    }

    fn mapping(&mut self, indent: usize, depth: usize) -> Option<Vec<Pair>> {
        if depth >= limits::NESTING - 1 {
            return None;
        }
        let mut pairs: Vec<Pair> = Vec::with_capacity(4);
        while let Some(line) = self.next_content() {
            match line.indent() {
                less if less < indent => break,
                same if same == indent => {}
                _ => return None,
            }
            self.offset = line.next;
            let content = &line.text[indent..];
            let length = key_length(content)?;
            let key = &content[..length];
            // The library notes duplicates below the top level.
            if depth > 0 && pairs.iter().any(|pair| pair.key == key) {
                return None;
            }
            let start = line.start + indent;
            let value = self.value(line, start + length, indent, depth)?;
            pairs.push(Pair {
                key: key.to_owned(),
                key_span: self.span(start, start + length),
                value,
            });
        }
        Some(pairs)
    }

    /// The value after the colon at byte `colon` of a line that is indented by `indent`.
    fn value(&mut self, line: Line<'t>, colon: usize, indent: usize, depth: usize) -> Option<Node> {
        let rest = &line.text[colon + 1 - line.start..];
        let start = colon + 1 + (rest.len() - rest.trim_start_matches(' ').len());
        let value = rest.trim_matches(' ');
        match value.bytes().next() {
            None => self.nested_or_null(colon, indent, depth),
            Some(b'|' | b'>') => self.block_scalar(value, start, indent),
            Some(b'{') if value == "{}" => self.node(Value::Mapping(Vec::new()), start, start + 2),
            Some(b'[') => self.flow_sequence(value, start),
            Some(_) => self.scalar(value, start, indent),
        }
    }

    /// What follows a key without a value on its line: a mapping or list below it, or nothing.
    fn nested_or_null(&mut self, colon: usize, indent: usize, depth: usize) -> Option<Node> {
        let below = self.next_content();
        let below_indent = below.map_or(0, |line| line.indent());
        let is_item = below.is_some_and(|line| is_item(&line.text[below_indent..]));
        if below.is_none() || below_indent < indent || (below_indent == indent && !is_item) {
            return self.node(scalar("", ScalarStyle::Plain), colon, colon);
        }
        self.values += 1;
        let value = if is_item {
            Value::Sequence(self.sequence(below_indent)?)
        } else {
            Value::Mapping(self.mapping(below_indent, depth + 1)?)
        };
        let mut node = Node {
            value,
            span: Span::default(),
        };
        node.span = node.children_span()?;
        Some(node)
    }

    fn sequence(&mut self, indent: usize) -> Option<Vec<Node>> {
        let mut items = Vec::new();
        while let Some(line) = self.next_content() {
            if line.indent() < indent {
                break;
            }
            let content = line.text.get(indent..)?;
            if line.indent() > indent {
                return None;
            }
            if !is_item(content) {
                break;
            }
            self.offset = line.next;
            let rest = &content[1..];
            let start = line.start + indent + 1 + (rest.len() - rest.trim_start_matches(' ').len());
            let value = rest.trim_matches(' ');
            items.push(match value.bytes().next()? {
                b'[' => self.flow_sequence(value, start)?,
                _ => self.scalar(value, start, indent)?,
            });
        }
        Some(items)
    }

    /// A plain or quoted scalar that is whole on its line.
    fn scalar(&mut self, value: &str, start: usize, indent: usize) -> Option<Node> {
        let (text, style) = one_line_scalar(value)?;
        if style == ScalarStyle::Plain && !is_plain_scalar(value, false) {
            return None;
        }
        // A deeper line below would continue the scalar.
        if self
            .next_content()
            .is_some_and(|line| line.indent() > indent)
        {
            return None;
        }
        self.node(scalar(text, style), start, start + value.len())
    }

    fn flow_sequence(&mut self, value: &str, start: usize) -> Option<Node> {
        let inner = value.strip_prefix('[')?.strip_suffix(']')?;
        let mut items = Vec::new();
        if !inner.trim_matches(' ').is_empty() {
            let mut offset = start + 1;
            for piece in inner.split(',') {
                let item = piece.trim_matches(' ');
                let item_start = offset + (piece.len() - piece.trim_start_matches(' ').len());
                let (text, style) = one_line_scalar(item)?;
                if style == ScalarStyle::Plain && !is_plain_scalar(item, true) {
                    return None;
                }
                items.push(self.node(scalar(text, style), item_start, item_start + item.len())?);
                offset += piece.len() + 1;
            }
        }
        self.node(Value::Sequence(items), start, start + value.len())
    }

    fn block_scalar(&mut self, header: &str, start: usize, indent: usize) -> Option<Node> {
        let (style, chomping) = match header {
            "|" => (ScalarStyle::Literal, Chomping::Clip),
            "|-" => (ScalarStyle::Literal, Chomping::Strip),
            "|+" => (ScalarStyle::Literal, Chomping::Keep),
            ">" => (ScalarStyle::Folded, Chomping::Clip),
            ">-" => (ScalarStyle::Folded, Chomping::Strip),
            ">+" => (ScalarStyle::Folded, Chomping::Keep),
            _ => return None,
        };
        let first = Line::at(self.text, self.offset)?;
        let block_indent = first.indent();
        if block_indent <= indent || block_indent == first.text.len() {
            return None;
        }
        let mut text = String::new();
        let mut end = self.offset;
        let mut breaks = 0;
        while let Some(line) = Line::at(self.text, self.offset) {
            if line.text.is_empty() {
                breaks += 1;
                self.offset = line.next;
                continue;
            }
            let line_indent = line.indent();
            if line_indent == line.text.len() {
                return None;
            }
            if line_indent <= indent {
                break;
            }
            let deeper = style == ScalarStyle::Folded && line_indent > block_indent;
            if line_indent < block_indent || deeper {
                return None;
            }
            match (style, breaks) {
                (ScalarStyle::Folded, 1) => text.push(' '),
                (ScalarStyle::Folded, _) => {
                    text.extend(std::iter::repeat_n('\n', breaks.max(1) - 1));
                }
                _ => text.extend(std::iter::repeat_n('\n', breaks)),
            }
            text.push_str(&line.text[block_indent..]);
            breaks = 1;
            end = line.start + line.text.len();
            self.offset = line.next;
        }
        match chomping {
            Chomping::Strip => {}
            Chomping::Clip => text.push('\n'),
            Chomping::Keep => text.extend(std::iter::repeat_n('\n', breaks)),
        }
        let end = start + self.text[start..end].trim_end().len();
        self.node(scalar(&text, style), start, end)
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(start, end).shifted(self.at)
    }

    fn node(&mut self, value: Value, start: usize, end: usize) -> Option<Node> {
        self.values += 2;
        let span = self.span(start, end);
        // The library counts keys and values and refuses above its limit.
        (self.values < limits::VALUES).then_some(Node { value, span })
    }
}

#[derive(Clone, Copy)]
enum Chomping {
    Strip,
    Clip,
    Keep,
}

fn scalar(text: &str, style: ScalarStyle) -> Value {
    Value::Scalar(crate::node::Scalar {
        text: text.to_owned(),
        style,
    })
}

/// Longest key that is read here; the library has a limit of its own, further up.
const KEY_BYTES: usize = 128;

/// Length of a key that is one word, where a colon and a blank or the line's end follow it.
fn key_length(content: &str) -> Option<usize> {
    let bytes = content.as_bytes();
    let length = bytes
        .iter()
        .position(|&b| !(b.is_ascii_alphanumeric() || b == b'_' || b == b'-' || b == b'.'))?;
    let starts_as_word = bytes[0].is_ascii_alphabetic() || bytes[0] == b'_';
    let separated = matches!(bytes.get(length + 1), None | Some(b' '));
    (length <= KEY_BYTES && starts_as_word && bytes[length] == b':' && separated).then_some(length)
}

fn is_item(content: &str) -> bool {
    content.starts_with("- ") || content == "-"
}

/// The text and style of a scalar without escapes that ends on its line.
fn one_line_scalar(value: &str) -> Option<(&str, ScalarStyle)> {
    let (quote, style) = match value.bytes().next()? {
        b'"' => ('"', ScalarStyle::DoubleQuoted),
        b'\'' => ('\'', ScalarStyle::SingleQuoted),
        _ => return Some((value, ScalarStyle::Plain)),
    };
    let inner = value[1..].strip_suffix(quote)?;
    (!inner.contains([quote, '\\'])).then_some((inner, style))
}

/// Whether an unquoted text is the same scalar for every reader.
fn is_plain_scalar(value: &str, in_flow: bool) -> bool {
    let Some(first) = value.bytes().next() else {
        return false;
    };
    if b"-?:,[]{}#&*!|>'\"%@`=<".contains(&first) {
        return false;
    }
    if in_flow {
        return !value.contains(['[', ']', '{', '}', ':', '#', '"', '\'']);
    }
    let bytes = value.as_bytes();
    !value.ends_with(':')
        && !bytes
            .windows(2)
            .any(|pair| matches!(pair, [b':', b' '] | [b' ', b'#']))
}

/// Whether the plain reader and the YAML library read the same from a block; nothing where it is not in the subset.
#[doc(hidden)]
pub fn agrees_with_library(block: &str) -> Option<bool> {
    let plain = parse(block, 0)?;
    let mut reporter = crate::Reporter::new(block);
    let library = crate::yaml::parse(block, 0, &mut reporter).ok().flatten();
    let pairs = library.as_ref().and_then(Node::as_mapping);
    Some(reporter.is_empty() && pairs == Some(plain.as_slice()))
}
