//! YAML text to [`Node`]s. Nothing but this module touches the YAML library.
//!
//! The library gives events with byte spans and bounds its own recursion; this file builds the tree with an explicit
//! stack, under limits of its own, and reports what is legal YAML but reads differently from client to client: anchors,
//! aliases, tags, duplicate keys.

use std::collections::{HashMap, HashSet};

use granit_parser::{Event, Parser, ScalarStyle as LibraryStyle, Span as LibrarySpan, options};

use crate::code::Code;
use crate::diagnostic::Reporter;
use crate::limits;
use crate::node::{Node, Pair, ScalarStyle, Value};
use crate::span::Span;

mod fault;

pub(crate) use fault::Fault;

/// The values with an anchor, by its name, for texts that are pieces of one.
#[derive(Debug, Default)]
pub(crate) struct Anchors {
    values: HashMap<String, Node>,
    /// How many values all aliases so far stand for.
    aliased_values: usize,
}

/// Parses `text`, which stands at byte `at` of the document; nothing when it holds no value.
///
/// Diagnostics are reported only when the whole text can be read, so that a failed try leaves no trace.
pub(crate) fn parse(
    text: &str,
    at: usize,
    reporter: &mut Reporter<'_>,
) -> Result<Option<Node>, Fault> {
    parse_piece(text, at, &mut Anchors::default(), reporter)
}

/// Parses a piece of a text, in which the anchors of the pieces before it are known.
pub(crate) fn parse_piece(
    text: &str,
    at: usize,
    anchors: &mut Anchors,
    reporter: &mut Reporter<'_>,
) -> Result<Option<Node>, Fault> {
    let mut builder = Builder::new(text, at, anchors);
    for event in Parser::new_from_str_with_options(text, library_options(false)) {
        let (event, span) = event.map_err(|error| Fault::of(&error, at))?;
        builder.take(event, span)?;
    }
    for note in std::mem::take(&mut builder.notes) {
        let diagnostic = reporter.report(note.code, note.span, note.message);
        if let Some(help) = note.help {
            diagnostic.help(help);
        }
    }
    let Builder {
        root,
        anchors: mut values,
        names,
        aliased_values,
        ..
    } = builder;
    anchors.aliased_values = aliased_values;
    for (id, name) in names {
        // What no alias may stand for is not worth keeping.
        let value = values.remove(&id);
        if let Some(value) = value.filter(|value| count(value) <= limits::ALIASED_VALUES) {
            anchors.values.insert(name, value);
        }
    }
    Ok(root)
}

/// The places of all comments in `text`, which stands at byte `at` of the document. Where the text is not YAML,
/// those up to the fault.
pub(crate) fn comments(text: &str, at: usize) -> Vec<Span> {
    Parser::new_from_str_with_options(text, library_options(true))
        .map_while(Result::ok)
        .filter(|(event, _)| matches!(event, Event::Comment(..)))
        .filter_map(|(_, span)| span.byte_range())
        .map(|range| Span::new(range.start, range.end).shifted(at))
        .collect()
}

fn library_options(emit_comments: bool) -> granit_parser::Options {
    options! {
        disallow_directives: true,
        emit_unresolved_aliases: true,
        emit_anchor_events: true,
        emit_comments: emit_comments,
        max_buffered_comment_events: limits::VALUES,
        flow_nesting_limit: limits::NESTING,
        block_nesting_limit: limits::NESTING,
    }
}

/// A diagnostic that waits until the whole text proves to be readable.
struct Note {
    code: Code,
    span: Span,
    message: String,
    help: Option<&'static str>,
}

/// A collection whose end has not come yet.
struct Open {
    node: Node,
    anchor: usize,
    /// The key that waits for its value, in a mapping.
    key: Option<(String, Span)>,
    /// Keys seen so far, kept only once a mapping is large enough for a scan to be slow.
    seen: HashSet<String>,
}

/// Mappings up to this size are searched for duplicate keys by looking through them.
const SCANNED_KEYS: usize = 16;

struct Builder<'t> {
    text: &'t str,
    at: usize,
    /// The anchors of the pieces before this one.
    known: &'t Anchors,
    root: Option<Node>,
    stack: Vec<Open>,
    anchors: HashMap<usize, Node>,
    /// The anchors' names, in the order of the text.
    names: Vec<(usize, String)>,
    aliased_values: usize,
    values: usize,
    documents: usize,
    /// End of the event before, where the next block scalar's header is looked for.
    last_end: usize,
    notes: Vec<Note>,
}

impl<'t> Builder<'t> {
    fn new(text: &'t str, at: usize, known: &'t Anchors) -> Self {
        Self {
            text,
            at,
            known,
            root: None,
            stack: Vec::new(),
            anchors: HashMap::new(),
            names: Vec::new(),
            aliased_values: known.aliased_values,
            values: 0,
            documents: 0,
            last_end: 0,
            notes: Vec::new(),
        }
    }

    fn take(&mut self, event: Event<'_>, span: LibrarySpan) -> Result<(), Fault> {
        let range = span.byte_range().unwrap_or_default();
        let local = Span::new(range.start, range.end);
        let span = local.shifted(self.at);
        let tagged = event.tag().map(ToString::to_string);
        if let Some(tag) = tagged {
            self.note(Code::YamlTag, span, format!("the tag `{tag}` is ignored"));
        }
        match event {
            Event::DocumentStart(..) => {
                self.documents += 1;
                if self.documents > 1 {
                    return Err(Fault {
                        code: Code::YamlInvalid,
                        offset: span.start,
                        message: "a second YAML document begins here".to_owned(),
                    });
                }
            }
            Event::Scalar(text, style, anchor, _) => {
                let node = self.scalar(&text, style, local);
                self.value(node, anchor)?;
            }
            Event::Alias(id) => {
                let node = self.alias(id, span)?;
                self.value(node, 0)?;
            }
            Event::UnresolvedAlias(name) => {
                let node = match self.known.values.get(&*name) {
                    Some(target) => self.repeat(target, span)?,
                    None => self.literal_alias(span),
                };
                self.value(node, 0)?;
            }
            Event::Anchor(id, name) => {
                self.names.push((id, name.into_owned()));
                // It stands before the value whose event came before it.
                return Ok(());
            }
            Event::SequenceStart(_, anchor, _) => {
                self.open(Value::Sequence(Vec::new()), anchor, span);
            }
            Event::MappingStart(_, anchor, _) => {
                self.open(Value::Mapping(Vec::new()), anchor, span);
            }
            Event::SequenceEnd | Event::MappingEnd => self.close(span)?,
            _ => {}
        }
        if !local.is_empty() {
            self.last_end = local.end;
        }
        Ok(())
    }

    fn note(&mut self, code: Code, span: Span, message: String) {
        self.notes.push(Note {
            code,
            span,
            message,
            help: None,
        });
    }

    fn scalar(&self, text: &str, style: LibraryStyle, local: Span) -> Node {
        let (style, span) = match style {
            LibraryStyle::Plain => (ScalarStyle::Plain, local),
            LibraryStyle::SingleQuoted => (ScalarStyle::SingleQuoted, local),
            LibraryStyle::DoubleQuoted => (ScalarStyle::DoubleQuoted, local),
            LibraryStyle::Literal => (ScalarStyle::Literal, self.block_scalar_span(local)),
            LibraryStyle::Folded => (ScalarStyle::Folded, self.block_scalar_span(local)),
        };
        // The library says `~` where nothing is written.
        let text = if style == ScalarStyle::Plain && span.is_empty() {
            ""
        } else {
            text
        };
        Node::scalar(text, style, span.shifted(self.at))
    }

    /// The library's span of a block scalar lacks the header and has the blank lines that follow.
    fn block_scalar_span(&self, content: Span) -> Span {
        let before = self.text.get(self.last_end..content.start).unwrap_or("");
        let start = before
            .find(['|', '>'])
            .map_or(content.start, |header| self.last_end + header);
        let content = self.text.get(start..content.end).unwrap_or("");
        Span::new(start, start + content.trim_end().len())
    }

    fn alias(&mut self, id: usize, span: Span) -> Result<Node, Fault> {
        // An anchor that is still open would hold itself.
        let Some(target) = self.anchors.get(&id).cloned() else {
            return Ok(self.literal_alias(span));
        };
        self.repeat(&target, span)
    }

    fn repeat(&mut self, target: &Node, span: Span) -> Result<Node, Fault> {
        self.aliased_values += count(target);
        if self.aliased_values > limits::ALIASED_VALUES {
            return Err(Fault {
                code: Code::YamlTooManyValues,
                offset: span.start,
                message: format!(
                    "aliases stand for more than {} values",
                    limits::ALIASED_VALUES
                ),
            });
        }
        let mut node = target.clone();
        node.span = span;
        self.notes.push(Note {
            code: Code::YamlAnchor,
            span,
            message: "an alias repeats another value".to_owned(),
            help: Some("write the value out: some clients refuse aliases"),
        });
        Ok(node)
    }

    fn literal_alias(&mut self, span: Span) -> Node {
        let name = self
            .text
            .get(span.start - self.at..span.end - self.at)
            .unwrap_or_default();
        self.notes.push(Note {
            code: Code::YamlUnknownAlias,
            span,
            message: format!("`{name}` refers to no anchor; it was taken as text"),
            help: Some("put the value in quotes"),
        });
        Node::scalar(name, ScalarStyle::Plain, span)
    }

    fn open(&mut self, value: Value, anchor: usize, span: Span) {
        self.stack.push(Open {
            node: Node { value, span },
            anchor,
            key: None,
            seen: HashSet::new(),
        });
    }

    fn close(&mut self, end: Span) -> Result<(), Fault> {
        let Some(mut open) = self.stack.pop() else {
            return Ok(());
        };
        // The library's borders of a block collection are those of the tokens around it; its children know better.
        open.node.span = match open.node.children_span() {
            Some(children) if end.is_empty() => children,
            _ => Span::new(open.node.span.start, end.end.max(open.node.span.start)),
        };
        self.value(open.node, open.anchor)
    }

    /// Puts a finished value where it belongs: into the open collection, or at the root.
    fn value(&mut self, node: Node, anchor: usize) -> Result<(), Fault> {
        self.values += 1;
        if self.values > limits::VALUES {
            return Err(Fault {
                code: Code::YamlTooManyValues,
                offset: node.span.start,
                message: format!("there are more than {} values", limits::VALUES),
            });
        }
        if anchor != 0 {
            self.notes.push(Note {
                code: Code::YamlAnchor,
                span: node.span,
                message: "a value has an anchor".to_owned(),
                help: Some("take the anchor out: some clients refuse anchors"),
            });
            self.anchors.insert(anchor, node.clone());
        }
        let Some(open) = self.stack.last_mut() else {
            self.root = Some(node);
            return Ok(());
        };
        match &mut open.node.value {
            Value::Sequence(items) => items.push(node),
            Value::Mapping(pairs) => {
                if let Some((key, key_span)) = open.key.take() {
                    pairs.push(Pair {
                        key,
                        key_span,
                        value: node,
                    });
                    return Ok(());
                }
                let duplicate = register_key(pairs, &mut open.seen, &node);
                let (key, span) = key_text(node)?;
                open.key = Some((key.clone(), span));
                // A frontmatter's own keys are checked where its entries are made.
                if duplicate && self.stack.len() > 1 {
                    let message = format!("`{key}` is given twice; the first one counts");
                    self.note(Code::YamlDuplicateKey, span, message);
                }
            }
            Value::Scalar(_) => {}
        }
        Ok(())
    }
}

/// Whether the mapping has the key already; remembers it.
fn register_key(pairs: &[Pair], seen: &mut HashSet<String>, key: &Node) -> bool {
    let Some(key) = key.as_scalar() else {
        return false;
    };
    if pairs.len() < SCANNED_KEYS {
        return pairs.iter().any(|pair| pair.key == key.text);
    }
    if seen.is_empty() {
        seen.extend(pairs.iter().map(|pair| pair.key.clone()));
    }
    !seen.insert(key.text.clone())
}

fn key_text(node: Node) -> Result<(String, Span), Fault> {
    match node.value {
        Value::Scalar(scalar) if !node.span.is_empty() => Ok((scalar.text, node.span)),
        _ => Err(Fault {
            code: Code::YamlUnsupportedKey,
            offset: node.span.start,
            message: "a key must be plain text".to_owned(),
        }),
    }
}

fn count(node: &Node) -> usize {
    1 + match &node.value {
        Value::Scalar(_) => 0,
        Value::Sequence(items) => items.iter().map(count).sum(),
        Value::Mapping(pairs) => pairs.iter().map(|pair| count(&pair.value)).sum(),
    }
}
