//! The laws of the codec's writing side, held over generated texts and values.

mod generate;

use proptest::prelude::*;
use skillmd::convert::{Note, convert};
use skillmd::format::format;
use skillmd::keys::STANDARD;
use skillmd::publish::publish;
use skillmd::validate::{Context, validate};
use skillmd::{
    Document, Encoding, FieldValue, Language, Manifest, Node, Reporter, Resolved, Scalar, Severity,
    Value, parse, parse_text,
};

use generate::{awkward_text, source, toml_source, value};

fn read(text: &str) -> Document {
    parse_text(text.to_owned(), Encoding::Utf8)
}

/// The text with LF for every CR LF, and for every CR more before it.
fn unix_lines(text: &str) -> String {
    let mut text = text.to_owned();
    while text.contains("\r\n") {
        text = text.replace("\r\n", "\n");
    }
    text
}

/// Whether two values mean the same to a reader of skills: texts as they are; flags and nothing in any spelling; of keys
/// that are given twice the first.
fn means_same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Scalar(a), Value::Scalar(b)) => {
            let both_null = a.resolve() == Resolved::Null && b.resolve() == Resolved::Null;
            a.text == b.text || both_null || (flag(a).is_some() && flag(a) == flag(b))
        }
        (Value::Sequence(a), Value::Sequence(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| means_same(&a.value, &b.value))
        }
        (Value::Mapping(_), Value::Mapping(_)) => {
            let (a, b) = (counting(a), counting(b));
            let is_in_b = |(key, value): &(&str, &Value)| {
                b.iter()
                    .any(|(other, b)| key == other && means_same(value, b))
            };
            a.len() == b.len() && a.iter().all(is_in_b)
        }
        _ => false,
    }
}

fn counting(value: &Value) -> Vec<(&str, &Value)> {
    let Value::Mapping(pairs) = value else {
        return Vec::new();
    };
    let mut counting: Vec<(&str, &Value)> = Vec::new();
    for pair in pairs {
        if counting.iter().all(|(key, _)| *key != pair.key) {
            counting.push((&pair.key, &pair.value.value));
        }
    }
    counting
}

fn flag(scalar: &Scalar) -> Option<bool> {
    match scalar.text.trim().to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" | "1" => Some(true),
        "false" | "no" | "off" | "0" => Some(false),
        _ => None,
    }
}

/// The entries that count, by key.
fn entries(document: &Document) -> Vec<(&str, &Value)> {
    let mut entries: Vec<_> = document
        .entries()
        .iter()
        .filter(|entry| !entry.duplicate)
        .map(|entry| (entry.key.as_str(), &entry.value.value))
        .collect();
    entries.sort_by_key(|(key, _)| *key);
    entries
}

fn assert_same_entries(before: &Document, after: &Document) {
    let (a, b) = (entries(before), entries(after));
    let texts = format!("\nbefore: {:?}\nafter: {:?}", before.text(), after.text());
    let keys = |entries: &[(&str, &Value)]| -> Vec<String> {
        entries.iter().map(|(key, _)| (*key).to_owned()).collect()
    };
    assert_eq!(keys(&a), keys(&b), "{texts}");
    for ((key, a), (_, b)) in a.iter().zip(&b) {
        assert!(means_same(a, b), "`{key}`: {a:?} became {b:?}{texts}");
    }
}

/// All entries as one mapping.
fn whole_value(document: &Document) -> Value {
    let pairs = entries(document).into_iter();
    Value::mapping(pairs.map(|(key, value)| (key, value.clone())))
}

/// Whether two values mean the same in languages that write numbers differently, and of which one has no null.
fn same_typed(a: &Value, b: &Value) -> bool {
    fn is_null(value: &Value) -> bool {
        matches!(value, Value::Scalar(scalar) if scalar.resolve() == Resolved::Null)
    }
    match (a, b) {
        (Value::Scalar(one), Value::Scalar(other)) => {
            // Infinity is `.inf` in YAML and `inf` in TOML.
            let word = |text: &str| text.to_ascii_lowercase().replacen(".inf", "inf", 1);
            one.resolve() == other.resolve()
                || word(&one.text) == word(&other.text)
                || means_same(a, b)
        }
        (Value::Sequence(a), Value::Sequence(b)) => {
            let some = |items: &[Node]| -> Vec<Value> {
                let values = items.iter().map(|item| item.value.clone());
                values.filter(|value| !is_null(value)).collect()
            };
            let (a, b) = (some(a), some(b));
            a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| same_typed(a, b))
        }
        (Value::Mapping(_), Value::Mapping(_)) => {
            let (mut a, mut b) = (counting(a), counting(b));
            a.retain(|(_, value)| !is_null(value));
            b.retain(|(_, value)| !is_null(value));
            let is_in_b = |(key, value): &(&str, &Value)| {
                b.iter()
                    .any(|(other, b)| key == other && same_typed(value, b))
            };
            a.len() == b.len() && a.iter().all(is_in_b)
        }
        _ => false,
    }
}

fn manifest(document: &Document) -> Manifest {
    Manifest::read(document, &mut Reporter::new(document.text()))
}

fn assert_same_manifest(before: &Document, after: &Document) {
    let (a, b) = (manifest(before), manifest(after));
    let (a, b): (Vec<_>, Vec<_>) = (a.values().collect(), b.values().collect());
    let texts = format!("\nbefore: {:?}\nafter: {:?}", before.text(), after.text());
    assert_eq!(a.len(), b.len(), "{a:#?}\n{b:#?}{texts}");
    for ((field, a), (other, b)) in a.iter().zip(&b) {
        assert_eq!(field, other, "{texts}");
        assert!(same_fact(a, b), "{field}: {a:?} became {b:?}{texts}");
    }
}

fn same_fact(a: &FieldValue<'_>, b: &FieldValue<'_>) -> bool {
    match (a, b) {
        (FieldValue::List(a), FieldValue::List(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_fact(a, b))
        }
        (FieldValue::Record(a), FieldValue::Record(b)) => {
            let same = |((a, one), (b, other)): (&(_, _), &(_, _))| a == b && same_fact(one, other);
            a.len() == b.len() && a.iter().zip(b).all(same)
        }
        (FieldValue::Node(a), FieldValue::Node(b)) => means_same(&a.value, &b.value),
        (FieldValue::Pairs(a), FieldValue::Pairs(b)) => {
            means_same(&Value::Mapping(a.to_vec()), &Value::Mapping(b.to_vec()))
        }
        (a, b) => a == b,
    }
}

/// What another YAML reader must find where we wrote `value`.
fn assert_other_reads(value: &Value, other: &serde_yaml_ng::Value, is_text: bool) {
    use serde_yaml_ng::Value as Other;
    match (value, other) {
        (Value::Scalar(scalar), Other::String(text)) => assert_eq!(&scalar.text, text),
        (Value::Scalar(scalar), other) => {
            let agrees = match (scalar.resolve(), other) {
                (Resolved::Null, Other::Null) => true,
                (Resolved::Bool(a), Other::Bool(b)) => a == *b && !is_text,
                (Resolved::Integer(a), Other::Number(b)) => b.as_i64() == Some(a) && !is_text,
                (Resolved::Float(a), Other::Number(b)) => {
                    b.as_f64().map(f64::to_bits) == Some(a.to_bits()) && !is_text
                }
                _ => false,
            };
            assert!(agrees, "{scalar:?} is read as {other:?}");
        }
        (Value::Sequence(items), Other::Sequence(others)) => {
            assert_eq!(items.len(), others.len());
            for (item, other) in items.iter().zip(others) {
                assert_other_reads(&item.value, other, is_text);
            }
        }
        (Value::Mapping(pairs), Other::Mapping(others)) => {
            assert_eq!(pairs.len(), others.len());
            for (pair, (key, other)) in pairs.iter().zip(others) {
                assert_eq!(Some(pair.key.as_str()), key.as_str());
                assert_other_reads(&pair.value.value, other, is_text);
            }
        }
        (value, other) => panic!("{value:?} is read as {other:?}"),
    }
}

fn assert_other_reads_document(document: &Document) {
    let block = document
        .frontmatter()
        .map_or("", |frontmatter| frontmatter.block.slice(document.text()));
    if document.entries().is_empty() {
        return;
    }
    let other: serde_yaml_ng::Value = serde_yaml_ng::from_str(block)
        .unwrap_or_else(|error| panic!("another reader refuses {block:?}: {error}"));
    let serde_yaml_ng::Value::Mapping(others) = other else {
        panic!("another reader finds no mapping in {block:?}");
    };
    assert_eq!(document.entries().len(), others.len(), "{block:?}");
    for (entry, (key, other)) in document.entries().iter().zip(&others) {
        assert_eq!(key.as_str(), Some(entry.key.as_str()), "{block:?}");
        let is_text = ["name", "description", "license", "version"].contains(&entry.key.as_str());
        assert_other_reads(&entry.value.value, other, is_text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn an_unedited_document_gives_back_its_bytes(text in source()) {
        let is_binary = text.lines().next().is_some_and(|line| line.contains('\0'));
        let bytes = text.into_bytes();
        match parse(bytes.clone()) {
            Ok(document) => prop_assert_eq!(document.to_bytes(), bytes),
            Err(error) => prop_assert!(is_binary, "{}", error),
        }
    }

    #[test]
    fn formatting_keeps_the_data_and_is_stable(
        text in prop_oneof![3 => source(), 1 => toml_source()],
    ) {
        let document = read(&text);
        let formatted = format(&document);
        let again = read(&formatted);
        assert_same_entries(&document, &again);
        assert_same_manifest(&document, &again);
        prop_assert_eq!(format(&again), formatted);
    }

    #[test]
    fn formatting_makes_yaml_that_everyone_reads(text in source()) {
        let document = read(&text);
        let formatted = read(&format(&document));
        let language = formatted.frontmatter().map(|frontmatter| frontmatter.language);
        if language == Some(Language::Yaml) && !document.entries().is_empty() {
            let is_faulty = |entry: &&skillmd::Entry| entry.recovered || entry.duplicate;
            prop_assert_eq!(formatted.entries().iter().find(is_faulty), None);
            assert_other_reads_document(&formatted);
        }
    }

    #[test]
    fn values_read_back_as_they_were_set(
        text in proptest::sample::select(vec![
            "", "---\nname: a\nmetadata:\n  b: c\n---\nBody\n", "---\r\nz: 1\r\n---\r\n",
        ]),
        key in awkward_text(),
        value in value(),
    ) {
        let edited = read(text).with_entry_set(&key, &value).unwrap();
        prop_assert!(means_same(&value, &edited.get(&key).unwrap().value));
        assert_other_reads_document(&edited);
        let formatted = read(&format(&edited));
        assert_other_reads_document(&formatted);
        assert_same_entries(&edited, &formatted);
        prop_assert_eq!(format(&formatted), formatted.text());
    }

    #[test]
    fn conversion_keeps_the_data(text in prop_oneof![source(), toml_source()]) {
        let document = read(&text);
        let language = document.frontmatter().map(|frontmatter| frontmatter.language);
        for to in [Language::Yaml, Language::Toml] {
            let conversion = convert(&document, to);
            if language.is_none() || conversion.notes.contains(&Note::Unreadable) {
                prop_assert_eq!(&conversion.text, &text);
                continue;
            }
            let converted = read(&conversion.text);
            prop_assert_eq!(converted.frontmatter().map(|f| f.language), Some(to));
            prop_assert!(converted.body().ends_with(&unix_lines(document.body())));
            let (a, b) = (whole_value(&document), whole_value(&converted));
            prop_assert!(same_typed(&a, &b), "{:?}\n{:?}", text, conversion.text);
            let stays = convert(&converted, to);
            prop_assert_eq!(&stays.text, &conversion.text);
        }
    }

    #[test]
    fn what_is_published_is_strict(text in prop_oneof![3 => source(), 1 => toml_source()]) {
        let document = read(&text);
        let publication = publish(&document);
        if document.entries().is_empty() || publication.notes.contains(&Note::Unreadable) {
            return Ok(());
        }
        let published = read(&publication.text);
        assert_other_reads_document(&published);
        for entry in published.entries() {
            prop_assert!(STANDARD.contains(&entry.key.as_str()), "{:?}", publication.text);
            let values: Vec<_> = match &entry.value.value {
                Value::Mapping(pairs) if entry.key == "metadata" => {
                    pairs.iter().map(|pair| &pair.value).collect()
                }
                _ => vec![&entry.value],
            };
            for value in values {
                let resolved = value.as_scalar().map(Scalar::resolve);
                prop_assert!(matches!(resolved, Some(Resolved::Text(_))), "{:?}", publication.text);
            }
        }
        // What is left to the author are the name and the description.
        let whole = published
            .with_entry_set("name", &Value::text("a"))
            .and_then(|named| named.with_entry_set("description", &Value::text("Does b")))
            .unwrap();
        let mut found = whole.diagnostics().to_vec();
        found.extend(validate(&whole, &manifest(&whole), &Context::default()));
        prop_assert_eq!(found.iter().find(|d| d.severity == Severity::Error), None);
        let again = publish(&published);
        prop_assert_eq!(&again.text, &publication.text);
        prop_assert_eq!(again.notes, []);
    }

    #[test]
    fn no_comment_is_lost(text in source()) {
        let document = read(&text);
        let formatted = format(&document);
        for remark in ["bumped", "nested", "a comment", "indented comment", "no blank", "stray text", "licence", "star"] {
            let count = |text: &str| text.matches(remark).count();
            prop_assert!(count(&formatted) >= count(&text), "{remark}\n{:?}\n{:?}", text, formatted);
        }
    }

    #[test]
    fn an_edit_touches_its_own_entry_only(
        text in prop_oneof![3 => source(), 1 => toml_source()],
        value in value(),
        index in any::<prop::sample::Index>(),
    ) {
        let document = read(&text);
        let count = document.entries().len();
        if count == 0 {
            return Ok(());
        }
        let key = &document.entries()[index.index(count)].key;
        let span = document.entry(key).unwrap().span;
        let (before, after) = (&text[..span.start], &text[span.end..]);
        if let Ok(edited) = document.with_entry_set(key, &value) {
            prop_assert!(edited.text().starts_with(before), "{:?}", edited.text());
            prop_assert!(edited.text().ends_with(after), "{:?}", edited.text());
        }
        if let Ok(edited) = document.with_entry_removed(key) {
            prop_assert!(edited.text().starts_with(before), "{:?}", edited.text());
            prop_assert!(edited.entry(key).is_none(), "{:?}", edited.text());
        }
    }
}
