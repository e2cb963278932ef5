//! A description for a lesson that has none: what its text says first, and what it is about. The same lesson always gets
//! the same one.

use skillmd::limits::DESCRIPTION_CHARS;
use skillmd::manifest::first_paragraph;

use super::lesson::{one_line, shortened};

/// Most characters that the first sentence takes.
const SENTENCE: usize = 400;

/// The description of a lesson.
pub(super) fn describe(title: &str, body: &str) -> String {
    let sentence = first_paragraph(body).map(|text| first_sentence(&plain(&text)));
    let about = plain(title);
    let text = match sentence.filter(|sentence| !sentence.is_empty()) {
        Some(sentence) if about.is_empty() => format!("{sentence} Use when a task is like it."),
        Some(sentence) => format!("{sentence} Use when a task is about: {about}."),
        None => format!("A learned lesson. Use when a task is about: {about}."),
    };
    shortened(&text, DESCRIPTION_CHARS)
}

/// A given description, tidied up.
pub(super) fn tidy(description: &str) -> String {
    shortened(&plain(description), DESCRIPTION_CHARS)
}

/// One line without tags: what stands between angle brackets could pass for markup of a prompt.
fn plain(text: &str) -> String {
    one_line(&text.replace(['<', '>'], " "))
}

fn first_sentence(text: &str) -> String {
    let ends = [". ", "! ", "? "].iter().filter_map(|end| text.find(end));
    let wide = ["。", "！", "？"].iter();
    let wide = wide.filter_map(|end| text.find(end).map(|at| at + end.len() - 1));
    let end = ends.chain(wide).min().map_or(text.len(), |end| end + 1);
    let sentence = shortened(text.get(..end).unwrap_or(text), SENTENCE);
    let sentence = sentence.trim_end_matches([':', ',', ';', ' ']);
    if sentence.is_empty() || sentence.ends_with(['.', '!', '?', '。', '！', '？']) {
        sentence.to_owned()
    } else {
        format!("{sentence}.")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_first_describes_a_lesson() {
        assert_eq!(
            describe(
                "Reset the widget",
                "# Reset\n\nHold the\nbutton. Then wait."
            ),
            "Hold the button. Use when a task is about: Reset the widget."
        );
        assert_eq!(
            describe("Run <b>it</b>", "```sh\nx\n```\n"),
            "A learned lesson. Use when a task is about: Run b it /b."
        );
        assert_eq!(
            describe("部署", "先备份。然后部署。"),
            "先备份。 Use when a task is about: 部署."
        );
        let long = describe("t", &"word ".repeat(1_000));
        assert!(long.chars().count() <= DESCRIPTION_CHARS && long.ends_with("about: t."));
    }
}
