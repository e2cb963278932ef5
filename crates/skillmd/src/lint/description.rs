//! Whether a description says when to use the skill: by cues, words that such a sentence has in some language.

use crate::code::Code;
use crate::diagnostic::Reporter;
use crate::document::Document;
use crate::manifest::Manifest;

/// Words of languages that part words by blanks. Each matches at the beginning of a word, in any case.
const WORDS: &[&str] = &[
    // English
    "when",
    "use",
    "using",
    "if",
    "for",
    "trigger",
    "activate",
    "invoke",
    "before",
    "after",
    "during",
    "while",
    "whenever",
    "asks",
    "wants",
    "needs",
    "should",
    "must",
    // German
    "wenn",
    "falls",
    "sobald",
    "verwende",
    "nutze",
    "benutze",
    // French
    "quand",
    "lorsque",
    "utilise",
    "si",
    // Spanish, Portuguese, Italian
    "cuando",
    "usa",
    "úsa",
    "utiliza",
    "quando",
    "utilizza",
    // Dutch, Swedish, Polish, Turkish
    "wanneer",
    "gebruik",
    "när",
    "använd",
    "gdy",
    "kiedy",
    "używaj",
    "kullan",
    // Russian, Ukrainian
    "когда",
    "если",
    "использ",
    "коли",
    "використ",
    // Vietnamese, Indonesian
    "khi",
    "dùng",
    "ketika",
    "gunakan",
    // Arabic, Hindi
    "عند",
    "عندما",
    "استخدم",
    "जब",
    "उपयोग",
];

/// Parts of Chinese, Japanese, Korean and Thai texts, which have no blanks to go by.
const PARTS: &[&str] = &[
    "当",
    "當",
    "时使用",
    "時使用",
    "用于",
    "用於",
    "适用",
    "適用",
    "触发",
    "觸發",
    "使用",
    "需要",
    "场景",
    "如果",
    "とき",
    "場合",
    "際に",
    "時に",
    "必要",
    "때",
    "경우",
    "사용",
    "เมื่อ",
    "ใช้",
];

pub(super) fn check(document: &Document, manifest: &Manifest, reporter: &mut Reporter<'_>) {
    let (Some(text), Some(entry)) = (manifest.description(), document.entry("description")) else {
        return;
    };
    let invocation = &manifest.invocation;
    let says_elsewhere = invocation.when_to_use.is_some()
        || !invocation.triggers.is_empty()
        || !invocation.paths.is_empty();
    let needs_none = !manifest.is_model_invocable();
    if says_elsewhere || needs_none || says_when(text) {
        return;
    }
    reporter
        .report(
            Code::DescriptionNoWhen,
            entry.value.span,
            "the description does not say when to use the skill",
        )
        .help("add a sentence such as `Use when the user asks for …`");
}

fn says_when(text: &str) -> bool {
    let text = text.to_lowercase();
    PARTS.iter().any(|part| text.contains(part))
        || text
            .split(|c: char| !c.is_alphanumeric())
            .any(|word| WORDS.iter().any(|cue| word.starts_with(cue)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cues_are_whole_beginnings_of_words() {
        assert!(says_when("Makes PDFs. Use WHEN the user has forms"));
        assert!(says_when("(Use it)"));
        assert!(says_when("Erstellt PDFs, wenn man danach fragt"));
        assert!(says_when("Создаёт PDF, когда нужно"));
        assert!(says_when("生成周报，当用户要求时使用"));
        assert!(says_when("レポートを作成する場合"));
        assert!(says_when("보고서를 만들 때"));
        assert!(!says_when("Release notes generator"));
        assert!(!says_when("Reuse house sense")); // `use` and `when` only inside words
        assert!(!says_when("生成周报"));
    }
}
