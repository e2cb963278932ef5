//! How a text is kept from being taken for markup.

use std::borrow::Cow;

/// For the text of an element or an attribute, quotes included, as Python's `html.escape` does it.
pub(super) fn html(text: &str) -> Cow<'_, str> {
    replace(text, |character| match character {
        '&' => Some("&amp;"),
        '<' => Some("&lt;"),
        '>' => Some("&gt;"),
        '"' => Some("&quot;"),
        '\'' => Some("&#x27;"),
        _ => None,
    })
}

/// For the text of an element; quotes are ordinary there.
pub(super) fn xml(text: &str) -> Cow<'_, str> {
    replace(text, |character| match character {
        '&' => Some("&amp;"),
        '<' => Some("&lt;"),
        '>' => Some("&gt;"),
        _ => None,
    })
}

/// For text in a line of a list: nothing opens a tag, closes one, or is a link or an image.
pub(super) fn markdown(text: &str) -> Cow<'_, str> {
    replace(text, |character| match character {
        '<' => Some("&lt;"),
        '>' => Some("&gt;"),
        '[' => Some("\\["),
        ']' => Some("\\]"),
        _ => None,
    })
}

/// For a JSON string, without its quotes.
pub(super) fn json(text: &str) -> Cow<'_, str> {
    let plain = |byte: u8| byte >= b' ' && !matches!(byte, b'"' | b'\\');
    if text.bytes().all(plain) {
        return Cow::Borrowed(text);
    }
    let quoted = serde_json::Value::from(text).to_string();
    let inner = quoted
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'));
    Cow::Owned(inner.unwrap_or_default().to_owned())
}

fn replace(text: &str, escape: impl Fn(char) -> Option<&'static str>) -> Cow<'_, str> {
    // All that is replaced is ASCII.
    let is_replaced = |byte: u8| byte.is_ascii() && escape(char::from(byte)).is_some();
    let Some(first) = text.bytes().position(is_replaced) else {
        return Cow::Borrowed(text);
    };
    let (plain, rest) = text.split_at(first);
    let mut escaped = String::with_capacity(text.len() + 16);
    escaped.push_str(plain);
    for character in rest.chars() {
        match escape(character) {
            Some(replacement) => escaped.push_str(replacement),
            None => escaped.push(character),
        }
    }
    Cow::Owned(escaped)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_text() {
        let text = "<a href=\"x\">'&'</a> [l](u)";
        assert_eq!(
            html(text),
            "&lt;a href=&quot;x&quot;&gt;&#x27;&amp;&#x27;&lt;/a&gt; [l](u)"
        );
        assert_eq!(xml(text), "&lt;a href=\"x\"&gt;'&amp;'&lt;/a&gt; [l](u)");
        assert_eq!(
            markdown(text),
            "&lt;a href=\"x\"&gt;'&'&lt;/a&gt; \\[l\\](u)"
        );
        assert_eq!(json(text), "<a href=\\\"x\\\">'&'</a> [l](u)");
        assert_eq!(json("a\\\u{1}"), "a\\\\\\u0001");
        for escape in [html, xml, markdown, json] {
            assert!(matches!(escape("plain ö"), Cow::Borrowed("plain ö")));
        }
    }
}
