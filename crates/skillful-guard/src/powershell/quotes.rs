//! Quoted texts and the names of variables.

use super::parse::Parser;
use crate::shell::tree::Part;

impl Parser<'_> {
    /// The name of a variable in small letters; those of the environment in capitals.
    pub(super) fn variable(&mut self) -> Option<String> {
        let start = self.at;
        self.at += 1;
        let braced = self.peek() == Some(b'{');
        self.at += usize::from(braced);
        let range = if braced {
            self.take(|byte| byte != b'}' && byte != b'\n')
        } else {
            self.take(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':' | b'?'))
        };
        let name = self.slice(range).trim_end_matches(':').to_ascii_lowercase();
        self.at += usize::from(braced && self.peek() == Some(b'}'));
        if name.is_empty() {
            self.at = start;
            return None;
        }
        Some(match name.strip_prefix("env:") {
            Some("computername" | "userdomain") => "HOSTNAME".to_owned(),
            Some("username") => "USER".to_owned(),
            Some(name) => name.to_ascii_uppercase(),
            None => name.rsplit(':').next().unwrap_or_default().to_owned(),
        })
    }

    pub(super) fn single_quoted(&mut self) -> String {
        let mut inside = String::new();
        self.at += 1;
        loop {
            let range = self.take(|byte| byte != b'\'');
            inside.push_str(self.slice(range));
            self.at += 1;
            if self.peek() != Some(b'\'') || self.at > self.text.len() {
                self.at = self.at.min(self.text.len());
                return inside;
            }
            self.at += 1;
            inside.push('\'');
        }
    }

    pub(super) fn double_quoted(&mut self, depth: usize) -> Vec<Part> {
        let mut parts = Vec::new();
        let mut plain = String::new();
        self.at += 1;
        while let Some(byte) = self.peek() {
            match byte {
                b'"' => {
                    self.at += 1;
                    break;
                }
                b'`' => {
                    self.at += 1;
                    let end = crate::text::ceil(self.text, self.at + 1);
                    plain.push_str(self.slice(self.at..end));
                    self.at = end;
                }
                b'$' => {
                    let found = if self.starts_with("$(") {
                        self.at += 2;
                        self.bracketed(b')', depth)
                    } else {
                        self.variable().map(Part::Variable).into_iter().collect()
                    };
                    if found.is_empty() {
                        self.at += 1;
                        plain.push('$');
                    } else {
                        parts.push(Part::Text(std::mem::take(&mut plain)));
                        parts.extend(found);
                    }
                }
                _ => {
                    let range = self.take(|byte| !matches!(byte, b'"' | b'`' | b'$'));
                    plain.push_str(self.slice(range));
                }
            }
        }
        parts.push(Part::Text(plain));
        parts
    }

    pub(super) fn here_string(&mut self) -> Vec<Part> {
        let end = if self.starts_with("@'") {
            "\n'@"
        } else {
            "\n\"@"
        };
        self.at += 2;
        let rest = self.slice(self.at..self.text.len());
        let length = rest.find(end).unwrap_or(rest.len());
        let inside = rest.get(..length).unwrap_or_default().to_owned();
        self.at = (self.at + length + end.len()).min(self.text.len());
        vec![Part::Text(inside)]
    }
}
