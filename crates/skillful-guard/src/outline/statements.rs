//! A program as a row of statements, in any language: lines, joined where a bracket is open.

use std::ops::Range;

/// Most lines that belong together.
const LINES: usize = 12;

/// Longest statement, in bytes.
const BYTES: usize = 1_600;

/// Words before a name that is given a value.
const DECLARING: &[&str] = &[
    "let",
    "var",
    "val",
    "const",
    "my",
    "our",
    "local",
    "mut",
    "final",
    "auto",
    "static",
    "private",
    "public",
    "protected",
    "readonly",
    "String",
    "string",
    "byte",
    "byte[]",
    "int",
    "set",
    "def",
];

/// Words before the name of a function.
const FUNCTIONS: &[&str] = &["def", "func", "fn", "function", "sub", "fun"];

/// One statement.
pub(super) struct Statement<'t> {
    pub range: Range<usize>,
    /// What its value is made of.
    pub value: Range<usize>,
    /// The names that hold the value afterwards.
    pub targets: Vec<&'t str>,
    /// Whether the value comes to what the names held before.
    pub grows: bool,
    /// Whether the value may be what the function gives.
    pub returns: bool,
    /// The function that begins here.
    pub function: Option<&'t str>,
}

pub(super) fn statements(text: &str) -> Vec<Statement<'_>> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut lines = 0;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let end = at + line.len();
        lines += 1;
        let open = depth(text.get(start..end).unwrap_or_default());
        let begins_block = line.trim_end().ends_with(['{', '|']);
        if open <= 0 || begins_block || lines >= LINES || end - start > BYTES {
            push(text, start..end, &mut found);
            start = end;
            lines = 0;
        }
        at = end;
    }
    if start < text.len() {
        push(text, start..text.len(), &mut found);
    }
    found
}

/// How many brackets are open at the end of a piece.
fn depth(piece: &str) -> isize {
    piece.bytes().fold(0, |depth, byte| match byte {
        b'(' | b'[' => depth + 1,
        b')' | b']' => depth - 1,
        _ => depth,
    })
}

fn push<'t>(text: &'t str, range: Range<usize>, found: &mut Vec<Statement<'t>>) {
    let piece = text.get(range.clone()).unwrap_or_default();
    let line = piece.trim_start();
    let is_comment = ["//", "#", "--", "/*", "* ", ";;", "%"]
        .iter()
        .any(|start| line.starts_with(start))
        && !line.starts_with("#[");
    if line.is_empty() || is_comment {
        return;
    }
    let function = function(line);
    let (targets, value, grows) = assignment(piece).unwrap_or_else(|| (Vec::new(), 0, false));
    // What comes last in a function is its value in many languages.
    let returns = line.starts_with("return") || targets.is_empty();
    found.push(Statement {
        value: range.start + value..range.end,
        range,
        targets,
        grows,
        returns,
        function,
    });
}

/// The name of the function that a line begins.
fn function(line: &str) -> Option<&str> {
    let mut words = line.split([' ', '\t']).filter(|word| !word.is_empty());
    words.find(|word| FUNCTIONS.contains(word))?;
    let name = words.next()?;
    // `func (s *Server) name(`
    let name = if name.starts_with('(') {
        words.find(|word| word.contains('(') && !word.starts_with(['*', '(']))?
    } else {
        name
    };
    let end = name
        .find(|c: char| !is_part_of_name(c))
        .unwrap_or(name.len());
    let name = name.get(..end)?;
    (!name.is_empty() && name.len() < line.trim_end().len()).then_some(name)
}

/// The names that are given a value, where the value begins, and whether it comes to the old one.
fn assignment(piece: &str) -> Option<(Vec<&str>, usize, bool)> {
    let bytes = piece.as_bytes();
    let mut at = None;
    // What stands in an index is no end of the name before it.
    let mut inside = 0_usize;
    for (index, &byte) in bytes.iter().enumerate().take(160) {
        let before = index
            .checked_sub(1)
            .and_then(|before| bytes.get(before))
            .copied();
        let after = bytes.get(index + 1).copied();
        match byte {
            b'[' => {
                inside += 1;
                continue;
            }
            b']' => {
                inside = inside.saturating_sub(1);
                continue;
            }
            _ if inside > 0 => continue,
            b'=' if after != Some(b'=')
                && after != Some(b'>')
                && after != Some(b'~')
                && !matches!(before, Some(b'=' | b'!' | b'<' | b'>' | b'~')) =>
            {
                at = Some((index, 1, matches!(before, Some(b'+' | b'.'))));
            }
            b'<' if after == Some(b'-') => at = Some((index, 2, false)),
            b'<' if after == Some(b'<') => at = Some((index, 2, true)),
            b'(' | b'{' | b'"' | b'\'' => break,
            _ => continue,
        }
        break;
    }
    let (at, length, grows) = at?;
    let left = piece
        .get(..at)?
        .trim_end_matches([':', '+', '.', '|', ' ', '?']);
    let targets: Vec<&str> = left
        .split(',')
        .filter_map(|target| {
            let target = target.split(':').next().unwrap_or(target);
            let name = target
                .split([' ', '\t', '*', '&'])
                .rfind(|word| !word.is_empty() && !DECLARING.contains(word))?;
            last_name(name)
        })
        .collect();
    (!targets.is_empty()).then_some((targets, at + length, grows || left.contains('[')))
}

/// `$this->data[key]` is `data`.
fn last_name(target: &str) -> Option<&str> {
    let target = target.split('[').next().unwrap_or(target);
    let name = target.rsplit(['.', '>', ':', '$', '@', '%']).next()?;
    (!name.is_empty() && name.chars().all(is_part_of_name)).then_some(name)
}

fn is_part_of_name(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}

/// The names in a piece of text.
pub(super) fn identifiers(piece: &str) -> impl Iterator<Item = &str> {
    piece
        .split(|character: char| !is_part_of_name(character))
        .filter(|name| name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'))
}

/// The addresses that are written out in a piece of text.
pub(super) fn addresses(piece: &str) -> impl Iterator<Item = &str> {
    piece.match_indices("://").filter_map(|(at, _)| {
        let before = piece.get(..at)?;
        let scheme = before
            .rfind(|c: char| !c.is_ascii_alphabetic())
            .map_or(0, |end| end + 1);
        let rest = piece.get(at..)?;
        let length = rest
            .find(['"', '\'', '`', ' ', '\n', ')', '<', '>', '#'])
            .unwrap_or(rest.len());
        let address = piece.get(scheme..at + length)?;
        (at > scheme && length > 6).then_some(address)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assignments_of_many_languages() {
        for (line, names, value) in [
            ("x = y", vec!["x"], " y"),
            (
                "b, err := os.ReadFile(p)",
                vec!["b", "err"],
                " os.ReadFile(p)",
            ),
            ("let mut s: String = f();", vec!["s"], " f();"),
            ("my $k = <F>;", vec!["k"], " <F>;"),
            ("String k = read(p);", vec!["k"], " read(p);"),
            ("$this->data['a'] = $b;", vec!["data"], " $b;"),
            ("out << body", vec!["out"], " body"),
            ("x <- readLines(f)", vec!["x"], " readLines(f)"),
        ] {
            let (targets, at, _) = assignment(line).unwrap();
            assert_eq!((targets, line.get(at..).unwrap()), (names, value), "{line}");
        }
        for line in ["if a == b {", "call(x = 1)", "a != b", "x => y"] {
            assert!(assignment(line).is_none(), "{line}");
        }
    }

    #[test]
    fn functions_of_many_languages() {
        for (line, name) in [
            ("def compat", Some("compat")),
            ("def read(path)", Some("read")),
            ("pub fn load() -> String {", Some("load")),
            ("func (s *Server) keys() []byte {", Some("keys")),
            ("  public function show($a) {", Some("show")),
            ("sub grab {", Some("grab")),
            ("x = 1", None),
        ] {
            assert_eq!(function(line), name, "{line}");
        }
    }

    #[test]
    fn open_brackets_join_lines_and_blocks_part_them() {
        let pieces = |text: &str| statements(text).len();
        assert_eq!(pieces("f(a,\n  b)\ng()\n"), 2);
        assert_eq!(pieces("f(func() {\n  g()\n})\n"), 3);
        assert_eq!(pieces("// x = y\n"), 0);
    }

    #[test]
    fn addresses_end_where_their_text_ends() {
        let found: Vec<&str> =
            addresses("post(\"https://h.test/a\", x); # see http://b.test").collect();
        assert_eq!(found, ["https://h.test/a", "http://b.test"]);
    }
}
