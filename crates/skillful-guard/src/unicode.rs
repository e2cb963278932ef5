//! Characters that hide something: tags and selectors that spell, zero width inside words, text that runs backwards.
//!
//! Joiners in emoji, marks that a script needs, and directions in texts that have both are what they are there for.

use std::ops::Range;

use unicode_script::{Script, UnicodeScript};

use crate::context::{Form, Unit};
use crate::decode::{hidden_text, is_invisible};
use crate::facts::Facts;

/// So many selectors in a row style no character.
const SELECTORS: usize = 4;

/// Looks at the invisible characters of a unit that stands in the file as it is.
pub(crate) fn scan(unit: &Unit, facts: &mut Facts) {
    let text = unit.view.text();
    if text.is_ascii() {
        return;
    }
    for run in invisible_runs(text) {
        let inside = text.get(run.clone()).unwrap_or_default();
        if let Some(mut rule) = of_run(unit, text, &run, inside) {
            let hidden = hidden_text(inside);
            if rule == "hidden-selector-text" && hidden.as_deref().is_some_and(is_readable) {
                rule = "selectors-spell-text";
            }
            let note = hidden.map(|hidden| format!("spells: {}", crate::excerpt::short(&hidden)));
            facts.add(unit, rule, &run, note);
        }
    }
}

/// Whether bytes that selectors stand for are a text.
fn is_readable(text: &str) -> bool {
    text.len() >= 8
        && text
            .chars()
            .all(|c| c == ' ' || c == '\n' || c.is_ascii_graphic())
}

/// Runs of characters that leave no mark, a byte order mark at the start left out.
fn invisible_runs(text: &str) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (at, character) in text
        .char_indices()
        .filter(|(_, character)| is_invisible(*character))
    {
        if at == 0 && character == '\u{feff}' {
            continue;
        }
        let end = at + character.len_utf8();
        match runs.last_mut() {
            Some(run) if run.end == at => run.end = end,
            _ => runs.push(at..end),
        }
    }
    runs
}

fn of_run(unit: &Unit, text: &str, run: &Range<usize>, inside: &str) -> Option<&'static str> {
    let before = text.get(..run.start)?.chars().next_back();
    let after = text.get(run.end..)?.chars().next();
    if inside.chars().any(is_tag) {
        // A flag of a region is a black flag and tags.
        return (before != Some('\u{1f3f4}')).then_some("hidden-tag-text");
    }
    let selectors = inside
        .chars()
        .filter(|c| matches!(c, '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}'))
        .count();
    if selectors >= SELECTORS {
        return Some("hidden-selector-text");
    }
    if inside
        .chars()
        .any(|c| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'))
    {
        let in_code = matches!(unit.form, Form::Code(language) if language.can_run());
        let overrides = inside.contains(['\u{202d}', '\u{202e}']);
        return match (in_code, overrides) {
            (true, _) => Some("bidi-in-code"),
            (false, true) => Some("bidi-override"),
            (false, false) => None,
        };
    }
    let hides = inside.contains([
        '\u{200b}', '\u{200c}', '\u{200d}', '\u{2060}', '\u{ad}', '\u{180e}', '\u{feff}',
        '\u{2062}', '\u{2063}', '\u{2064}',
    ]);
    let latin =
        |c: Option<char>| c.is_some_and(|c| c.is_alphabetic() && c.script() == Script::Latin);
    (hides && latin(before) && latin(after) && !inside.contains('\u{ad}'))
        .then_some("zero-width-in-word")
}

fn is_tag(character: char) -> bool {
    matches!(character, '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::{Language, Zone};
    use crate::text::View;

    fn of(text: &str, form: Form) -> Vec<&'static str> {
        let unit = Unit::uniform(View::verbatim(text, 0), form, Zone::Prose);
        let mut facts = Facts::default();
        scan(&unit, &mut facts);
        facts.list.iter().map(|fact| fact.name).collect()
    }

    #[test]
    fn what_hides_is_found() {
        assert_eq!(of("a\u{e0068}\u{e0069}", Form::Prose), ["hidden-tag-text"]);
        assert_eq!(
            of("x\u{fe01}\u{fe02}\u{fe03}\u{fe04}", Form::Prose),
            ["hidden-selector-text"]
        );
        assert_eq!(of("i\u{200b}gnore", Form::Prose), ["zero-width-in-word"]);
        assert_eq!(
            of("x = '\u{202e}'", Form::Code(Language::Python)),
            ["bidi-in-code"]
        );
    }

    #[test]
    fn what_scripts_and_emoji_need_is_left() {
        for text in [
            "⚠️ ❤️ 👩\u{200d}💻",
            "\u{feff}text",
            "می\u{200c}خواهم",
            "\u{2067}שלום\u{2069} ok",
            "🏴\u{e0067}\u{e0062}\u{e007f}",
            "co\u{ad}operate",
        ] {
            assert_eq!(of(text, Form::Prose), Vec::<&str>::new(), "{text}");
        }
    }
}
