//! Diagnostics for people: the message, the source line with a caret, the help, and whether `fix` can mend it.

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Level, Origin, Renderer, Snippet};
use skillmd::{Diagnostic, Severity};

/// Draws diagnostics in one look, with or without colours.
pub(crate) struct SnippetRenderer {
    renderer: Renderer,
}

/// Longest line of source that is drawn around a place, in bytes; of longer ones only the place is named.
const DRAWN_LINE: usize = 4_000;

impl SnippetRenderer {
    pub(crate) fn new(styled: bool) -> Self {
        let renderer = if styled {
            Renderer::styled()
        } else {
            Renderer::plain()
        };
        Self {
            renderer: renderer.decor_style(DecorStyle::Ascii),
        }
    }

    /// One diagnostic of the file at `path`, whose text is `source`, without a final line break.
    pub(crate) fn render(&self, path: &str, source: &str, diagnostic: &Diagnostic) -> String {
        let level = match diagnostic.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Info => Level::INFO,
        };
        let title = level
            .primary_title(diagnostic.message.as_str())
            .id(diagnostic.code.as_str());
        let lines = SourceLines::around(source, diagnostic);
        let is_drawn = !lines.text.is_empty();
        let mut group = if is_drawn {
            let place = AnnotationKind::Primary.span(lines.start..lines.end);
            let snippet = Snippet::source(lines.text).path(path);
            title.element(snippet.line_start(lines.first_line).annotation(place))
        } else {
            let place = diagnostic.position;
            let origin = Origin::path(path);
            title.element(match source {
                "" => origin,
                _ => origin.line(place.line).char_column(place.column),
            })
        };
        if let Some(help) = &diagnostic.help {
            group = group.element(Level::HELP.message(help.as_str()));
        }
        if let Some(fix) = &diagnostic.fix {
            let message = format!("`skillful fix` can {}", fix.title);
            group = group.element(Level::NOTE.message(message));
        }
        let rendered = self.renderer.render(&[group]);
        match rendered.split_once('\n') {
            // An arrow above no source has no line number to stand behind; it is set as far in as the help below it.
            Some((title, rest)) if !is_drawn => {
                format!("{title}\n{}", rest.replacen("-->", " -->", 1))
            }
            _ => rendered,
        }
    }
}

/// The line that a diagnostic points into; of a span over several lines only the first is drawn.
struct SourceLines<'t> {
    text: &'t str,
    first_line: usize,
    start: usize,
    end: usize,
}

impl<'t> SourceLines<'t> {
    fn around(source: &'t str, diagnostic: &Diagnostic) -> Self {
        let span = diagnostic.span;
        let start = span.start.min(source.len());
        let line_start = source[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let line_end = source[start..]
            .find('\n')
            .map_or(source.len(), |newline| start + newline);
        let mut text = &source[line_start..line_end];
        if text.len() > DRAWN_LINE {
            text = "";
        }
        let start = (start - line_start).min(text.len());
        let end = span.end.clamp(line_start, line_end) - line_start;
        Self {
            text,
            first_line: diagnostic.position.line,
            start,
            end: end.clamp(start, text.len()),
        }
    }
}

#[cfg(test)]
mod tests {
    use skillmd::{Code, Reporter, Span};

    use super::*;

    fn drawn(source: &str, span: Span) -> String {
        let mut reporter = Reporter::new(source);
        reporter
            .report(Code::YamlTab, span, "a --> b")
            .help("mend it");
        let found = reporter.finish();
        SnippetRenderer::new(false).render("x/SKILL.md", source, &found[0])
    }

    #[test]
    fn a_place_without_a_snippet_is_set_in_as_one_with_a_snippet_is() {
        let title = "error[yaml-tab]: a --> b";
        assert_eq!(
            drawn("", Span::default()),
            format!("{title}\n --> x/SKILL.md\n = help: mend it")
        );
        let long = format!("a\n{}", "b".repeat(DRAWN_LINE + 1));
        assert_eq!(
            drawn(&long, Span::at(4)),
            format!("{title}\n --> x/SKILL.md:2:3\n = help: mend it")
        );
        assert!(
            drawn("a\n", Span::new(0, 1)).starts_with(&format!("{title}\n --> x/SKILL.md:1:1\n"))
        );
    }
}
