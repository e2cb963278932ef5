//! Quotes and escapes of the shell.

/// A bare word without its backslashes.
pub(crate) fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some('\n') | None => {}
                Some(next) => out.push(next),
            },
            other => out.push(other),
        }
    }
    out
}

/// The inside of double quotes: there a backslash escapes only a few characters.
pub(crate) fn in_double_quotes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match (character, characters.peek()) {
            ('\\', Some('$' | '`' | '"' | '\\' | '\n')) => {
                out.extend(characters.next().filter(|&next| next != '\n'));
            }
            _ => out.push(character),
        }
    }
    out
}

/// `$'…'` with its escapes.
pub(crate) fn ansi_c(text: &str) -> String {
    let inside = text
        .strip_prefix("$'")
        .and_then(|rest| rest.strip_suffix('\''))
        .unwrap_or(text);
    crate::decode::unescape(inside).unwrap_or_else(|| inside.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes() {
        assert_eq!(unescaped(r"c\url a\ b"), "curl a b");
        assert_eq!(in_double_quotes(r#"a\"b\n"#), r#"a"b\n"#);
        assert_eq!(ansi_c(r"$'\x63\165rl'"), "curl");
    }
}
