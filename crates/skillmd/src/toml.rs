//! TOML text to [`Node`]s. The only file, beside the writer, that touches the TOML library.

use toml_edit::{Item, TableLike, Value as TomlValue};
use toml_parser::lexer::TokenKind;

use crate::code::Code;
use crate::node::{Node, Pair, Scalar, ScalarStyle, Value};
use crate::span::Span;
use crate::yaml::Fault;

/// Parses the entries of `text`, which stands at byte `at` of the document.
pub(crate) fn parse(text: &str, at: usize) -> Result<Vec<Pair>, Fault> {
    let document = toml_edit::Document::parse(text).map_err(|error| Fault {
        code: Code::TomlInvalid,
        offset: at + error.span().map_or(0, |span| span.start),
        message: error.message().lines().collect::<Vec<_>>().join("; "),
    })?;
    Ok(Reader { text, at }.pairs(document.as_table()))
}

/// The places of all comments in `text`, which stands at byte `at` of the document.
pub(crate) fn comments(text: &str, at: usize) -> Vec<Span> {
    toml_parser::Source::new(text)
        .lex()
        .filter(|token| token.kind() == TokenKind::Comment)
        .map(|token| Span::new(token.span().start(), token.span().end()).shifted(at))
        .collect()
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl Reader<'_> {
    fn pairs(&self, table: &dyn TableLike) -> Vec<Pair> {
        let mut pairs: Vec<Pair> = table
            .iter()
            .filter_map(|(name, item)| {
                let key_span = table.key(name).and_then(toml_edit::Key::span);
                let value = self.item(item)?;
                let key_span = key_span.map_or(value.span, |span| self.span(span));
                Some(Pair {
                    key: name.to_owned(),
                    key_span,
                    value,
                })
            })
            .collect();
        // The library lists tables where they are first named; readers expect the order of the text.
        pairs.sort_by_key(|pair| pair.key_span.start);
        pairs
    }

    fn item(&self, item: &Item) -> Option<Node> {
        let value = match item {
            Item::None => return None,
            Item::Value(value) => return Some(self.value(value)),
            Item::Table(table) => Value::Mapping(self.pairs(table)),
            Item::ArrayOfTables(tables) => Value::Sequence(
                tables
                    .iter()
                    .map(|table| self.collection(Value::Mapping(self.pairs(table)), table.span()))
                    .collect(),
            ),
        };
        Some(self.collection(value, item.span()))
    }

    fn value(&self, value: &TomlValue) -> Node {
        let span = value.span();
        match value {
            TomlValue::Array(array) => {
                let items = array.iter().map(|item| self.value(item)).collect();
                self.collection(Value::Sequence(items), span)
            }
            TomlValue::InlineTable(table) => {
                self.collection(Value::Mapping(self.pairs(table)), span)
            }
            _ => {
                let span = span.unwrap_or_default();
                let source = self.text.get(span.clone()).unwrap_or_default();
                Node {
                    value: Value::Scalar(scalar(value, source)),
                    span: self.span(span),
                }
            }
        }
    }

    /// A list or mapping; where the library has no place for it, it is where its children are.
    fn collection(&self, value: Value, span: Option<std::ops::Range<usize>>) -> Node {
        let span = span.map(|span| self.span(span));
        let mut node = Node {
            value,
            span: span.unwrap_or_default(),
        };
        if let Some(children) = node.children_span() {
            node.span = match span {
                Some(own) => Span::new(own.start.min(children.start), own.end.max(children.end)),
                None => children,
            };
        }
        node
    }

    fn span(&self, range: std::ops::Range<usize>) -> Span {
        Span::new(range.start, range.end).shifted(self.at)
    }
}

/// Strings by their style; all else is plain and keeps the digits its author wrote.
fn scalar(value: &TomlValue, source: &str) -> Scalar {
    let Some(text) = value.as_str() else {
        return Scalar {
            text: source.replace('_', ""),
            style: ScalarStyle::Plain,
        };
    };
    let style = if source.starts_with("\"\"\"") || source.starts_with("'''") {
        ScalarStyle::Literal
    } else if source.starts_with('\'') {
        ScalarStyle::SingleQuoted
    } else {
        ScalarStyle::DoubleQuoted
    };
    Scalar {
        text: text.to_owned(),
        style,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_keep_their_text_and_order() {
        let text = "name = 'a'\nmax_tool_rounds = 1_000\nversion = 1.0\ntriggers = [\"command:x\"]\n\n[requires]\ntools = [\"t\"]\n";
        let pairs = parse(text, 10).unwrap();
        let keys: Vec<_> = pairs.iter().map(|pair| pair.key.as_str()).collect();
        assert_eq!(
            keys,
            ["name", "max_tool_rounds", "version", "triggers", "requires"]
        );
        assert_eq!(pairs[1].value.as_text(), Some("1000"));
        assert_eq!(pairs[2].value.as_text(), Some("1.0"));
        assert_eq!(pairs[0].value.span, Span::new(17, 20));
        let tools = pairs[4].value.get("tools").unwrap();
        assert_eq!(tools.as_sequence().unwrap()[0].as_text(), Some("t"));
        assert!(pairs[4].key_span.start >= 10 + text.find("[requires]").unwrap());
    }

    #[test]
    fn faults_name_their_place() {
        let fault = parse("a = 1\nb = \n", 100).unwrap_err();
        assert_eq!(fault.code, Code::TomlInvalid);
        assert!(fault.offset > 105, "{fault:?}");
    }

    #[test]
    fn deep_nesting_is_refused_without_recursion() {
        let text = format!("a = {}", "[".repeat(5_000));
        assert!(parse(&text, 0).is_err());
    }
}
