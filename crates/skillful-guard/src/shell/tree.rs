//! A shell script, reduced to what matters for the flow of values.

use std::ops::Range;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Statement {
    Pipeline(Vec<Command>),
    Assign {
        name: String,
        value: Word,
    },
    /// A loop over words, with the variable.
    Each {
        name: String,
        words: Vec<Word>,
    },
    Block(Vec<Statement>),
    Function {
        name: String,
        body: Vec<Statement>,
    },
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Command {
    pub range: Range<usize>,
    pub words: Vec<Word>,
    pub redirects: Vec<Redirect>,
    /// A group or subshell in place of words.
    pub body: Vec<Statement>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Redirect {
    pub kind: RedirectKind,
    pub target: Word,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RedirectKind {
    Read,
    Write,
    /// The word itself is the input.
    Here,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Word {
    pub range: Range<usize>,
    pub parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Text(String),
    Variable(String),
    /// `$(…)`: what the commands print.
    Output(Vec<Statement>),
    /// `<(…)`: a file with what the commands print.
    Process(Vec<Statement>),
}

impl Word {
    /// Its text, if no value of a variable or command goes into it.
    pub(crate) fn literal(&self) -> Option<String> {
        let texts = self.parts.iter().map(|part| match part {
            Part::Text(text) => Some(text.as_str()),
            _ => None,
        });
        texts.collect()
    }
}
