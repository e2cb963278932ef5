//! What stands in for a missing description: the first paragraph of the body.

use crate::limits::DESCRIPTION_CHARS;

/// The first paragraph of prose in a Markdown body, on one line and cut at a word to at most 1,024 characters; without
/// any prose the first heading.
///
/// Headings, code blocks, rules, pictures, HTML comments and tables are no prose.
pub fn first_paragraph(body: &str) -> Option<String> {
    let mut scan = Scan::default();
    for line in body.lines() {
        if scan.take(line.trim()) {
            break;
        }
    }
    let text = if scan.prose.is_empty() {
        scan.heading?
    } else {
        scan.prose
    };
    Some(shortened(text))
}

/// What has been seen of a body.
#[derive(Default)]
struct Scan<'b> {
    prose: String,
    heading: Option<String>,
    /// The marks that close the code block or comment that is open.
    until: Option<&'b str>,
}

impl<'b> Scan<'b> {
    /// Takes a trimmed line; true when the first paragraph has ended.
    fn take(&mut self, line: &'b str) -> bool {
        if let Some(closer) = self.until {
            if line.contains(closer) {
                self.until = None;
            }
            return false;
        }
        if let Some(fence) = code_fence(line) {
            self.until = Some(fence);
        } else if let Some(comment) = line.strip_prefix("<!--") {
            self.until = (!comment.contains("-->")).then_some("-->");
        } else if let Some(heading) = heading(line) {
            if self.heading.is_none() && !heading.is_empty() {
                self.heading = Some(heading.to_owned());
            }
        } else if is_prose(line) {
            if !self.prose.is_empty() {
                self.prose.push(' ');
            }
            self.prose.push_str(line);
            return self.prose.chars().nth(DESCRIPTION_CHARS).is_some();
        }
        !self.prose.is_empty()
    }
}

/// The mark that closes the code block which the line opens.
fn code_fence(line: &str) -> Option<&'static str> {
    ["```", "~~~"]
        .into_iter()
        .find(|fence| line.starts_with(fence))
}

/// The text of an ATX heading (CommonMark 4.2); it may be empty.
fn heading(line: &str) -> Option<&str> {
    let text = line.trim_start_matches('#');
    let level = line.len() - text.len();
    let is_heading = (1..=6).contains(&level) && (text.is_empty() || text.starts_with([' ', '\t']));
    is_heading.then(|| text.trim().trim_end_matches('#').trim_end())
}

fn is_prose(line: &str) -> bool {
    let is_rule = !line.is_empty()
        && line
            .chars()
            .all(|c| matches!(c, '-' | '*' | '_' | '=' | ' '));
    !line.is_empty() && !is_rule && !line.starts_with(['|', '<']) && !line.starts_with("![")
}

fn shortened(text: String) -> String {
    let Some((end, _)) = text.char_indices().nth(DESCRIPTION_CHARS) else {
        return text;
    };
    let (kept, _) = text.split_at(end);
    let at_word = kept.rfind(char::is_whitespace).unwrap_or(kept.len());
    kept.get(..at_word).unwrap_or(kept).trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paragraph(body: &str) -> String {
        first_paragraph(body).unwrap()
    }

    #[test]
    fn prose_comes_before_headings() {
        assert_eq!(
            paragraph("\n# Title\n\nMakes\r\nPDFs.\n\nMore.\n"),
            "Makes PDFs."
        );
        assert_eq!(paragraph("Makes PDFs.\n# Title"), "Makes PDFs.");
        assert_eq!(paragraph("#hashtag first"), "#hashtag first");
    }

    #[test]
    fn headings_stand_in_for_prose() {
        assert_eq!(paragraph("## Title ##\n### Sub\n"), "Title");
        assert_eq!(first_paragraph(" \n#\n---\n"), None);
        assert_eq!(first_paragraph(""), None);
    }

    #[test]
    fn what_is_no_prose_is_skipped() {
        let body = "```sh\nrm -rf x\n```\n~~~\ny\n~~~\n<!-- a\nb -->\n<!-- c -->\n***\n![logo](x.png)\n| a |\n\nHere.\n";
        assert_eq!(paragraph(body), "Here.");
        assert_eq!(first_paragraph("```\nnever closed\n"), None);
    }

    #[test]
    fn long_prose_is_cut_at_a_word() {
        let text = paragraph(&"wörd ".repeat(400));
        assert!(text.chars().count() <= DESCRIPTION_CHARS);
        assert!(text.ends_with("wörd"));
        assert_eq!(
            paragraph(&"ö".repeat(3000)).chars().count(),
            DESCRIPTION_CHARS
        );
    }
}
