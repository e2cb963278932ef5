//! Values as compact JSON text.

use std::fmt::Write as _;

use crate::node::{Resolved, Scalar, Value};

/// `value` as JSON on one line without blanks. What JSON has no notation for, such as infinity, is text.
pub(crate) fn compact(value: &Value) -> String {
    let mut json = String::new();
    write(value, &mut json);
    json
}

fn write(value: &Value, json: &mut String) {
    match value {
        Value::Scalar(scalar) => write_scalar(scalar, json),
        Value::Sequence(items) => {
            json.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    json.push(',');
                }
                write(&item.value, json);
            }
            json.push(']');
        }
        Value::Mapping(pairs) => {
            json.push('{');
            for (index, pair) in pairs.iter().enumerate() {
                if index > 0 {
                    json.push(',');
                }
                write_text(&pair.key, json);
                json.push(':');
                write(&pair.value.value, json);
            }
            json.push('}');
        }
    }
}

fn write_scalar(scalar: &Scalar, json: &mut String) {
    // Writing to a `String` cannot fail.
    let _ = match scalar.resolve() {
        Resolved::Null => write!(json, "null"),
        Resolved::Bool(flag) => write!(json, "{flag}"),
        Resolved::Integer(number) => write!(json, "{number}"),
        Resolved::Float(_) if is_json_number(&scalar.text) => write!(json, "{}", scalar.text),
        Resolved::Float(number) if number.is_finite() => write!(json, "{number}"),
        Resolved::Float(_) | Resolved::Text(_) => {
            write_text(&scalar.text, json);
            Ok(())
        }
    };
}

/// Whether a float's text is a number of JSON: an integer part without extra zeros, and digits after the point.
fn is_json_number(text: &str) -> bool {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, _) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, ""));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    is_digits(whole) && is_digits(fraction) && (whole == "0" || !whole.starts_with('0'))
}

fn write_text(text: &str, json: &mut String) {
    json.push('"');
    for c in text.chars() {
        match c {
            '"' => json.push_str("\\\""),
            '\\' => json.push_str("\\\\"),
            '\n' => json.push_str("\\n"),
            '\r' => json.push_str("\\r"),
            '\t' => json.push_str("\\t"),
            c if c.is_control() => {
                let _ = write!(json, "\\u{:04x}", u32::from(c));
            }
            c => json.push(c),
        }
    }
    json.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::Encoding;
    use crate::parse::parse_text;

    #[test]
    fn every_kind_of_value() {
        let text = "---\nx:\n  - null\n  - True\n  - 0x1F\n  - 1.50\n  - .5\n  - .inf\n  - 1e3\n  - 'a\"\\'\n  - \"\\t\\x01\\x85é\"\n  - {k: [], \"l m\": {}}\n---\n";
        let document = parse_text(text.to_owned(), Encoding::Utf8);
        assert_eq!(
            compact(&document.get("x").unwrap().value),
            r#"[null,true,31,1.50,0.5,".inf",1e3,"a\"\\","\t\u0001\u0085é",{"k":[],"l m":{}}]"#
        );
    }
}
