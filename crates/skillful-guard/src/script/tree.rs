//! The small language that Python and JavaScript are lowered to.

use std::ops::Range;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Statement {
    Expression(Expression),
    Assign {
        target: Expression,
        value: Expression,
    },
    Function {
        name: String,
        parameters: Vec<String>,
        body: Vec<Statement>,
    },
    Return(Expression),
    /// `alias` stands for `path` from here on.
    Import {
        alias: String,
        path: String,
    },
    Block(Vec<Statement>),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Expression {
    /// A text; `escaped` says that numeric escapes spelt most of it.
    Text {
        text: String,
        escaped: bool,
    },
    Number(i64),
    Name(String),
    Member {
        object: Box<Expression>,
        name: String,
    },
    Index {
        object: Box<Expression>,
        index: Box<Expression>,
    },
    Call(Box<Call>),
    Binary {
        operator: String,
        left: Box<Expression>,
        right: Box<Expression>,
    },
    /// A text with values in it.
    Joined(Vec<Expression>),
    List(Vec<Expression>),
    Pairs(Vec<(String, Expression)>),
    Reversed(Box<Expression>),
    /// The body for each value of the source.
    Each {
        variable: String,
        source: Box<Expression>,
        body: Box<Expression>,
    },
    Function {
        parameters: Vec<String>,
        body: Vec<Statement>,
    },
    /// Anything else, for what is inside.
    Other(Vec<Expression>),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Call {
    pub callee: Expression,
    pub arguments: Vec<Argument>,
    pub range: Range<usize>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Argument {
    pub name: Option<String>,
    pub value: Expression,
}

impl Expression {
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self::Text {
            text: text.into(),
            escaped: false,
        }
    }

    pub(crate) fn nothing() -> Self {
        Self::Other(Vec::new())
    }
}
