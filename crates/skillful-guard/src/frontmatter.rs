//! The frontmatter: what a skill claims, and what a client would do on loading it.

use std::collections::HashMap;

use skillmd::limits::ALIASED_VALUES;
use skillmd::{Document, Encoding, Node, Value, parse_text};
use unicode_script::{Script, UnicodeScript};

use crate::context::{Form, Language, Unit, Zone, read_markdown};
use crate::facts::Facts;
use crate::flow::{HostKind, host_kind};
use crate::limits::{FRONTMATTER_BYTES, FRONTMATTER_DEPTH, FRONTMATTER_VALUES, PART_BYTES};
use crate::text::View;

/// The text after the frontmatter, and where it begins. Without a frontmatter that is all of it.
pub(crate) fn body(text: &str) -> (&str, usize) {
    // Cheap for the many Markdown files that have none.
    let head = text.trim_start_matches(['\u{feff}', '\n', '\r', ' ']);
    if !head.starts_with("---") && !head.starts_with("+++") && !head.starts_with("<!--") {
        return (text, 0);
    }
    let document = parse_text(text.to_owned(), Encoding::Utf8);
    let start = document.body_span().start;
    match text.get(start..) {
        Some(body) if document.frontmatter().is_some() => (body, start),
        _ => (text, 0),
    }
}

/// Looks at the frontmatter's values, and gives those that programs or agents read to the scan.
pub(crate) fn scan(text: &str, facts: &mut Facts) -> Vec<Unit> {
    let document = parse_text(text.to_owned(), Encoding::Utf8);
    if document.frontmatter().is_none() {
        return Vec::new();
    }
    let mut units = Vec::new();
    for entry in document.entries() {
        let runs = spelt(&entry.key) == "hooks";
        collect(&entry.value, runs, 0, &mut units);
        sources(&entry.value, false, 0, facts);
    }
    claims(&document, facts);
    units
}

fn spelt(key: &str) -> String {
    key.to_ascii_lowercase().replace('_', "-")
}

/// Every scalar is a text that the agent may see; below `hooks` it is a command that the client runs.
fn collect(node: &Node, runs: bool, depth: usize, units: &mut Vec<Unit>) {
    if depth > skillmd::limits::NESTING {
        return;
    }
    match &node.value {
        Value::Scalar(scalar) if runs && scalar.text.contains(' ') => {
            let view = View::pinned(scalar.text.clone(), node.span.start);
            let mut unit = Unit::uniform(view, Form::Code(Language::Shell), Zone::Description);
            unit.runs_on_load = true;
            units.push(unit);
        }
        Value::Scalar(scalar) => {
            let view = View::pinned(single_blanks(&scalar.text), node.span.start);
            units.push(Unit::uniform(view, Form::Prose, Zone::Description));
            commands(&scalar.text, node.span.start, units);
        }
        Value::Sequence(items) => items
            .iter()
            .for_each(|item| collect(item, runs, depth + 1, units)),
        Value::Mapping(pairs) => {
            for pair in pairs {
                collect(
                    &pair.value,
                    runs || spelt(&pair.key) == "hooks",
                    depth + 1,
                    units,
                );
            }
        }
    }
}

/// Where clients are told to get programs: the addresses below `install`, also where a client's metadata is JSON in a text.
fn sources(node: &Node, installs: bool, depth: usize, facts: &mut Facts) {
    if depth > skillmd::limits::NESTING {
        return;
    }
    match &node.value {
        Value::Scalar(scalar) => {
            let text = &*scalar.text;
            let is_json = text.trim_start().starts_with('{') && text.contains("\"install\"");
            if installs || is_json {
                for address in text.split(['"', '\'', ' ', ',', '\n']) {
                    source(address, node.span.start, facts);
                }
            }
        }
        Value::Sequence(items) => items
            .iter()
            .for_each(|item| sources(item, installs, depth + 1, facts)),
        Value::Mapping(pairs) => {
            for pair in pairs {
                let installs = installs || spelt(&pair.key) == "install";
                sources(&pair.value, installs, depth + 1, facts);
            }
        }
    }
}

fn source(address: &str, at: usize, facts: &mut Facts) {
    let address = address.strip_prefix("git+").unwrap_or(address);
    let is_web = ["http://", "https://", "ftp://"]
        .iter()
        .any(|scheme| address.to_ascii_lowercase().starts_with(scheme));
    let rule = match host_kind(address) {
        _ if !is_web => return,
        HostKind::Address | HostKind::Anonymous => "installs-from-anyone",
        HostKind::Plain => "installs-over-http",
        _ => return,
    };
    let unit = Unit::uniform(
        View::pinned(address.to_owned(), at),
        Form::Code(Language::Data),
        Zone::Data,
    );
    facts.add(&unit, rule, &(0..address.len()), Some(address.to_owned()));
}

/// The code in a value that is Markdown: an agent reads it as it reads the body.
fn commands(text: &str, at: usize, units: &mut Vec<Unit>) {
    if !text.contains('`') || text.len() > PART_BYTES {
        return;
    }
    let snippets = read_markdown(text, 0)
        .into_iter()
        .filter(|unit| unit.form != Form::Prose);
    units.extend(snippets.map(|unit| {
        let view = View::pinned(unit.view.text().to_owned(), at);
        Unit::uniform(view, unit.form, Zone::Snippet)
    }));
}

fn single_blanks(text: &str) -> String {
    text.split_whitespace().collect::<Vec<&str>>().join(" ")
}

fn claims(document: &Document, facts: &mut Facts) {
    let unit = |at: usize| {
        Unit::uniform(
            View::pinned(" ".to_owned(), at),
            Form::Prose,
            Zone::Description,
        )
    };
    let block = document.frontmatter().map(|frontmatter| frontmatter.block);
    if let Some(block) = block.filter(|block| block.end - block.start > FRONTMATTER_BYTES) {
        let note = format!("more than {FRONTMATTER_BYTES} bytes");
        facts.add(&unit(block.start), "frontmatter-bomb", &(0..1), Some(note));
    }
    if let Some(block) =
        block.filter(|block| expanded_values(block.slice(document.text())) > ALIASED_VALUES)
    {
        let note = format!("aliases stand for more than {ALIASED_VALUES} values");
        facts.add(&unit(block.start), "frontmatter-bomb", &(0..1), Some(note));
    }
    if let Some(block) = block {
        for (rule, at) in of_block(block.slice(document.text())) {
            facts.add(&unit(block.start + at), rule, &(0..1), None);
        }
    }
    for entry in document.entries() {
        let key = spelt(&entry.key);
        let place = unit(entry.key_span.start);
        if entry.duplicate {
            facts.add(&place, "duplicate-key", &(0..1), Some(entry.key.clone()));
            let first = document
                .entries()
                .iter()
                .find(|other| other.key == entry.key);
            if matches!(key.as_str(), "name" | "description" | "allowed-tools")
                && first.is_some_and(|first| first.value.value != entry.value.value)
            {
                facts.add(
                    &place,
                    "key-says-two-things",
                    &(0..1),
                    Some(entry.key.clone()),
                );
            }
        }
        match key.as_str() {
            "name"
                if entry
                    .value
                    .as_text()
                    .is_some_and(|name| mixes_scripts(name) || has_lone_capital_i(name)) =>
            {
                facts.add(
                    &place,
                    "mixed-script-name",
                    &(0..1),
                    entry.value.as_text().map(str::to_owned),
                );
            }
            "name"
                if entry
                    .value
                    .as_text()
                    .is_some_and(|name| imitated_brand(name).is_some()) =>
            {
                let brand = entry.value.as_text().and_then(imitated_brand);
                facts.add(
                    &place,
                    "name-imitates-brand",
                    &(0..1),
                    brand.map(|brand| format!("not {brand}")),
                );
            }
            "hooks" if !entry.value.is_null() => facts.add(&place, "hooks-on-load", &(0..1), None),
            "allowed-tools" => {
                let text = document
                    .text()
                    .get(entry.span.start..entry.span.end)
                    .unwrap_or_default();
                if text.contains("Bash(*")
                    || text.contains("Bash(:*")
                    || text
                        .split([':', ',', ' ', '[', ']', '"', '\'', '\n'])
                        .any(|word| word == "*")
                {
                    facts.add(&place, "every-tool-claimed", &(0..1), None);
                }
                facts.add(&place, "declares-tools", &(0..1), None);
            }
            "allow-inline-shell" if entry.value.as_text().is_some_and(|text| text == "true") => {
                facts.add(&place, "hooks-on-load", &(0..1), Some(entry.key.clone()));
            }
            _ => {}
        }
    }
}

/// What the text of a frontmatter says by itself, whoever reads it, and where.
fn of_block(block: &str) -> Vec<(&'static str, usize)> {
    const TAGS: &[&str] = &[
        "!!python/",
        "!ruby/",
        "!!ruby/",
        "!!java",
        "js/function",
        "!!js/",
    ];
    let mut found = Vec::new();
    let mut at = 0;
    let (mut depth, mut deepest, mut values) = (0_usize, 0, 0);
    for line in block.split_inclusive('\n') {
        let value = line
            .split_once(':')
            .map_or("", |(_, value)| value.trim_start());
        if value.starts_with('!') && TAGS.iter().any(|tag| value.contains(tag)) {
            found.push(("frontmatter-runs-code", at));
        }
        if line.starts_with("<<:") {
            found.push(("frontmatter-merges", at));
        }
        for byte in line.bytes() {
            match byte {
                b'[' | b'{' => depth += 1,
                b']' | b'}' => depth = depth.saturating_sub(1),
                b',' | b':' => values += 1,
                _ => {}
            }
            deepest = deepest.max(depth);
        }
        at += line.len();
    }
    if deepest > FRONTMATTER_DEPTH || values > FRONTMATTER_VALUES {
        found.push(("frontmatter-bomb", 0));
    }
    found
}

/// Whether a name has letters of Latin and of a script that looks like it, within one word.
fn mixes_scripts(name: &str) -> bool {
    name.split(|c: char| !c.is_alphabetic()).any(|word| {
        let latin = word.chars().any(|c| c.script() == Script::Latin);
        latin
            && word.chars().any(|c| {
                matches!(
                    c.script(),
                    Script::Cyrillic
                        | Script::Greek
                        | Script::Armenian
                        | Script::Cherokee
                        | Script::Coptic
                )
            })
    })
}

/// A capital I among small letters, where an l would make a word: in many typefaces they are the same.
pub(crate) fn has_lone_capital_i(name: &str) -> bool {
    let others = name.chars().filter(|c| *c != 'I').any(char::is_uppercase);
    let letters: Vec<char> = name.chars().collect();
    let between = letters
        .windows(2)
        .any(|pair| matches!(pair, [before, 'I'] if before.is_ascii_lowercase()));
    !others && between && letters.iter().filter(|c| **c == 'I').count() == 1
}

/// Names that many skills are about, and that are therefore imitated. Short ones are one slip away from other words.
const BRANDS: &[&str] = &[
    "anthropic",
    "openai",
    "claude",
    "github",
    "gitlab",
    "google",
    "microsoft",
    "amazon",
    "kubernetes",
    "terraform",
    "postgres",
    "postgresql",
    "playwright",
    "puppeteer",
    "supabase",
    "cloudflare",
    "telegram",
    "whatsapp",
    "discord",
    "linkedin",
    "facebook",
    "instagram",
    "twitter",
    "youtube",
    "spotify",
    "salesforce",
    "atlassian",
    "confluence",
    "shopify",
    "dropbox",
    "airtable",
    "clawhub",
    "openclaw",
    "polymarket",
    "coinbase",
    "binance",
    "metamask",
    "paypal",
];

/// Words of their own that look like slips of a brand.
const OWN_WORDS: &[&str] = &["finance", "openapi", "discards", "shipify", "amazing"];

/// The brand of which a word of the name is one slip away.
fn imitated_brand(name: &str) -> Option<&'static str> {
    let lower = name.to_lowercase();
    let disguised = lower
        .split(|c: char| !c.is_alphanumeric())
        .find_map(|word| {
            // What looks alike in most typefaces.
            let read = word
                .replace("rn", "m")
                .replace("vv", "w")
                .replace('0', "o")
                .replace('1', "l");
            BRANDS
                .iter()
                .find(|brand| read != word && **brand == read)
                .copied()
        });
    if disguised.is_some() {
        return disguised;
    }
    lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.len() >= 6 && !BRANDS.contains(word) && !OWN_WORDS.contains(word))
        .find_map(|word| {
            let close = |brand: &&&'static str| {
                strsim::osa_distance(word, brand) == 1
                    && !word.starts_with(*brand)
                    && !brand.starts_with(word)
            };
            BRANDS.iter().find(close).copied()
        })
}

/// How many values the aliases of a block stand for, counted on the text: a block that grows too far is not read as a
/// whole, and then nobody else counts.
fn expanded_values(block: &str) -> usize {
    let mut sizes: HashMap<&str, usize> = HashMap::new();
    let mut open = "";
    let mut total = 0_usize;
    let words = block
        .split([' ', ',', '[', ']', '{', '}', '\n', '\r', '\t'])
        .filter(|word| !word.is_empty());
    for word in words {
        if word.ends_with(':') {
            open = "";
            continue;
        }
        if let Some(name) = word.strip_prefix('&').filter(|name| !name.is_empty()) {
            open = name;
            sizes.insert(open, 0);
            continue;
        }
        let alias = word
            .strip_prefix('*')
            .and_then(|name| sizes.get(name))
            .copied();
        let size = alias.unwrap_or(1);
        total = total.saturating_add(alias.unwrap_or(0));
        let sum = sizes.get(open).copied().unwrap_or(0).saturating_add(size);
        sizes.entry(open).and_modify(|known| *known = sum);
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aliases_of_aliases_are_counted_as_what_they_stand_for() {
        assert_eq!(
            expanded_values("a: &a [x, y]\nb: &b [*a, *a]\nc: [*b, *b]"),
            2 + 2 + 4 + 4
        );
        assert_eq!(expanded_values("a: one *two* three & four"), 0);
    }
}
