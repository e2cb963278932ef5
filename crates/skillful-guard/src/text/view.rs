//! A text made from another, with an offset map: what is found in the made text is reported where it came from.

use std::ops::Range;

/// A stretch of a view. Within it, offsets grow with the source's, unless it is pinned to one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stretch {
    view: usize,
    source: usize,
    pinned: bool,
}

/// Text to search, and where each byte of it stands in the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct View {
    text: String,
    stretches: Vec<Stretch>,
}

impl View {
    /// A part of the file as it is.
    pub(crate) fn verbatim(text: &str, at: usize) -> Self {
        let mut builder = ViewBuilder::default();
        builder.push(text, at);
        builder.build()
    }

    /// Text that all came from one place, such as what an encoded piece holds.
    pub(crate) fn pinned(text: String, at: usize) -> Self {
        Self {
            text,
            stretches: vec![Stretch {
                view: 0,
                source: at,
                pinned: true,
            }],
        }
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// A part of this view as a view.
    pub(crate) fn part(&self, range: Range<usize>) -> Self {
        let mut builder = ViewBuilder::default();
        let text = self.text.get(range.clone()).unwrap_or_default();
        for (at, character) in text.char_indices() {
            builder.push_char(character, self.source_of(range.start + at));
        }
        builder.build()
    }

    /// Where an offset of this view stands in the file.
    pub(crate) fn source_of(&self, offset: usize) -> usize {
        let after = self
            .stretches
            .partition_point(|stretch| stretch.view <= offset);
        match self.stretches.get(after.saturating_sub(1)) {
            Some(stretch) if stretch.pinned => stretch.source,
            Some(stretch) => stretch.source + offset.saturating_sub(stretch.view),
            None => offset,
        }
    }

    /// The range of this view as a range of the file.
    pub(crate) fn source_range(&self, range: &Range<usize>) -> Range<usize> {
        let start = self.source_of(range.start);
        // The end belongs to the last byte inside, which may lie in an earlier stretch than the byte after.
        let end = match range.end.checked_sub(1) {
            Some(last) if last >= range.start => self.source_of(last) + 1,
            _ => start,
        };
        start..end.max(start)
    }

    /// This view changed character by character: `fold` gives what stands for each, possibly nothing.
    /// `None` when nothing changes.
    pub(crate) fn folded(&self, fold: impl Fn(char) -> Folded) -> Option<Self> {
        if self.text.is_ascii() {
            return None;
        }
        let mut builder = ViewBuilder::default();
        let mut changed = false;
        for (at, character) in self.text.char_indices() {
            let source = self.source_of(at);
            match fold(character) {
                Folded::Same => builder.push_char(character, source),
                Folded::Dropped => changed = true,
                Folded::Into(text) => {
                    changed = true;
                    builder.push_pinned(&text, source);
                }
            }
        }
        changed.then(|| builder.build())
    }
}

/// What a character becomes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Folded {
    Same,
    Dropped,
    Into(String),
}

/// Builds a view piece by piece.
#[derive(Debug, Default)]
pub(crate) struct ViewBuilder {
    view: View,
}

impl ViewBuilder {
    /// Adds text that stands in the file at `source`.
    pub(crate) fn push(&mut self, text: &str, source: usize) {
        if text.is_empty() {
            return;
        }
        let view = self.view.text.len();
        let continues = self
            .view
            .stretches
            .last()
            .is_some_and(|last| !last.pinned && last.source + (view - last.view) == source);
        if !continues {
            self.view.stretches.push(Stretch {
                view,
                source,
                pinned: false,
            });
        }
        self.view.text.push_str(text);
    }

    /// Adds text of prose that stands at `source`: however many blanks stand between two words, one is kept.
    pub(crate) fn push_prose(&mut self, text: &str, source: usize) {
        for (at, character) in text.char_indices() {
            if !character.is_whitespace() {
                self.push_char(character, source + at);
            } else if !self.view.text.is_empty() && !self.view.text.ends_with([' ', '\n']) {
                self.push_pinned(" ", source + at);
            }
        }
    }

    fn push_char(&mut self, character: char, source: usize) {
        self.push(character.encode_utf8(&mut [0; 4]), source);
    }

    /// Adds text that stands for what is at `source`.
    pub(crate) fn push_pinned(&mut self, text: &str, source: usize) {
        if text.is_empty() {
            return;
        }
        self.view.stretches.push(Stretch {
            view: self.view.text.len(),
            source,
            pinned: true,
        });
        self.view.text.push_str(text);
    }

    /// Adds a line break that stands right after what was added last.
    pub(crate) fn push_break(&mut self) {
        let source = match self.view.text.len().checked_sub(1) {
            Some(last) => self.view.source_of(last) + 1,
            None => 0,
        };
        self.push_pinned("\n", source);
    }

    pub(crate) fn len(&self) -> usize {
        self.view.text.len()
    }

    pub(crate) fn ends_with(&self, character: char) -> bool {
        self.view.text.ends_with(character)
    }

    /// The text from an offset on.
    pub(crate) fn tail(&self, from: usize) -> &str {
        self.view.text.get(from..).unwrap_or_default()
    }

    pub(crate) fn build(self) -> View {
        self.view
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_lead_back_through_gaps_and_pins() {
        let mut builder = ViewBuilder::default();
        builder.push("ab", 10);
        builder.push("cd", 12);
        builder.push_pinned("xyz", 20);
        builder.push("e", 40);
        let view = builder.build();
        assert_eq!(view.text(), "abcdxyze");
        assert_eq!(view.stretches.len(), 3, "neighbours are one stretch");
        assert_eq!(view.source_of(3), 13);
        assert_eq!(view.source_of(6), 20);
        assert_eq!(view.source_range(&(2..8)), 12..41);
        assert_eq!(view.source_range(&(0..0)), 10..10);
    }

    #[test]
    fn folding_keeps_the_way_back_and_says_when_nothing_changed() {
        let view = View::verbatim("a\u{200b}bß", 5);
        let drop = |c| match c {
            '\u{200b}' => Folded::Dropped,
            'ß' => Folded::Into("ss".to_owned()),
            _ => Folded::Same,
        };
        let folded = view.folded(drop).unwrap();
        assert_eq!(folded.text(), "abss");
        assert_eq!(folded.source_of(1), 9);
        assert_eq!(folded.source_of(3), 10);
        assert!(View::verbatim("aé", 0).folded(drop).is_none());
    }
}
