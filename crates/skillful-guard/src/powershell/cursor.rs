//! Moving through the text of a script.

use std::ops::Range;

use super::parse::Parser;

impl Parser<'_> {
    pub(super) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    pub(super) fn starts_with(&self, start: &str) -> bool {
        self.text
            .as_bytes()
            .get(self.at..)
            .is_some_and(|rest| rest.starts_with(start.as_bytes()))
    }

    pub(super) fn slice(&self, range: Range<usize>) -> &str {
        self.text.get(range).unwrap_or_default()
    }

    /// Takes bytes as long as they are wanted.
    pub(super) fn take(&mut self, wanted: impl Fn(u8) -> bool) -> Range<usize> {
        let start = self.at;
        while self.peek().is_some_and(&wanted) {
            self.at += 1;
        }
        start..self.at
    }

    pub(super) fn blanks(&mut self, with_breaks: bool) {
        loop {
            self.take(|byte| {
                byte == b' ' || byte == b'\t' || (with_breaks && (byte == b'\n' || byte == b'\r'))
            });
            if self.starts_with("`\n") || self.starts_with("`\r") {
                self.at += 2;
            } else if self.starts_with("<#") {
                let end = self.text.get(self.at..).and_then(|rest| rest.find("#>"));
                self.at = end.map_or(self.text.len(), |end| self.at + end + 2);
            } else if self.peek() == Some(b'#') {
                self.take(|byte| byte != b'\n');
            } else {
                return;
            }
        }
    }
}
