//! How each type of field takes a value and shows it.

use crate::document::Language;
use crate::field::{FieldValue, Members};
use crate::install::InstallSpec;
use crate::invocation::{Automation, Scope};
use crate::keys::Shape;
use crate::node::{Node, Pair};
use crate::platform::Os;
use crate::reader::{Item, Reader, Separator};
use crate::requirements::{CredentialFile, EnvVariable, Setting};
use crate::trigger::Trigger;

/// A value and what its key says about it.
pub(super) struct Source<'s, 't> {
    pub(super) reader: Reader<'s, 't>,
    pub(super) shape: Shape,
    pub(super) language: Language,
}

/// What became of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Taken {
    /// The field has it.
    Set,
    /// The value says nothing, or could not be read; that has been reported.
    Nothing,
    /// The field had an equal value.
    Same,
    /// The field had another value and keeps it.
    Differs,
}

/// The type of a field.
pub(super) trait Slot: Default + PartialEq {
    /// Reads a value; nothing when it says nothing or cannot be read.
    fn read(source: &mut Source<'_, '_>) -> Option<Self>;

    /// The value to show, when the field is set.
    fn value(&self) -> Option<FieldValue<'_>>;

    /// Whether two values say the same.
    fn agrees(&self, other: &Self) -> bool {
        self == other
    }

    /// Takes a value unless there is one.
    fn fill(&mut self, source: &mut Source<'_, '_>) -> Taken {
        let unset = Self::default();
        match Self::read(source).filter(|value| *value != unset) {
            None => Taken::Nothing,
            Some(value) if *self == unset => {
                *self = value;
                Taken::Set
            }
            Some(value) if self.agrees(&value) => Taken::Same,
            Some(_) => Taken::Differs,
        }
    }
}

impl Slot for Option<String> {
    fn read(source: &mut Source<'_, '_>) -> Option<Self> {
        let text = match source.shape {
            Shape::Verbatim => source.reader.verbatim(),
            Shape::OneOf(words) => source.reader.one_of(words),
            _ => source.reader.text(),
        };
        text.map(Some)
    }

    fn value(&self) -> Option<FieldValue<'_>> {
        self.as_deref().map(FieldValue::Text)
    }

    fn agrees(&self, other: &Self) -> bool {
        self.as_deref().map(str::trim) == other.as_deref().map(str::trim)
    }
}

impl Slot for Option<bool> {
    fn read(source: &mut Source<'_, '_>) -> Option<Self> {
        let flag = source.reader.flag()?;
        Some(Some(flag != (source.shape == Shape::InvertedFlag)))
    }

    fn value(&self) -> Option<FieldValue<'_>> {
        self.map(FieldValue::Flag)
    }
}

impl Slot for Option<u32> {
    fn read(source: &mut Source<'_, '_>) -> Option<Self> {
        let count = source.reader.count()?;
        Some(Some(count).filter(|&count| count > 0))
    }

    fn value(&self) -> Option<FieldValue<'_>> {
        self.map(|count| FieldValue::Integer(count.into()))
    }
}

fn texts(source: &mut Source<'_, '_>) -> Option<Vec<String>> {
    let separator = match source.shape {
        Shape::Phrases => Separator::Phrases,
        _ => Separator::Words,
    };
    source.reader.texts(separator)
}

impl Slot for Vec<String> {
    fn read(source: &mut Source<'_, '_>) -> Option<Self> {
        texts(source)
    }

    fn value(&self) -> Option<FieldValue<'_>> {
        (!self.is_empty()).then(|| FieldValue::texts(self))
    }
}

impl Slot for Option<Vec<String>> {
    fn read(source: &mut Source<'_, '_>) -> Option<Self> {
        texts(source).map(Some)
    }

    fn value(&self) -> Option<FieldValue<'_>> {
        self.as_deref().map(FieldValue::texts)
    }
}

impl Slot for Option<Vec<Os>> {
    fn read(source: &mut Source<'_, '_>) -> Option<Self> {
        source.reader.platforms().map(Some)
    }

    fn value(&self) -> Option<FieldValue<'_>> {
        self.as_deref().map(platforms)
    }

    /// Order does not matter.
    fn agrees(&self, other: &Self) -> bool {
        let sorted = |platforms: &Self| {
            let mut platforms = platforms.clone()?;
            platforms.sort_unstable();
            Some(platforms)
        };
        sorted(self) == sorted(other)
    }
}

fn platforms(platforms: &[Os]) -> FieldValue<'_> {
    FieldValue::List(
        platforms
            .iter()
            .map(|os| FieldValue::Text(os.as_str()))
            .collect(),
    )
}

impl Slot for Vec<Trigger> {
    /// One that cannot be read is reported, the others stay. In TOML, Denkeeper's grammar is exact.
    fn read(source: &mut Source<'_, '_>) -> Option<Self> {
        let parse = match source.language {
            Language::Toml => str::parse,
            Language::Yaml => Trigger::parse_phrase,
        };
        let mut triggers = Vec::new();
        for item in trigger_items(&mut source.reader)? {
            match parse(&item.text) {
                Ok(trigger) => triggers.push(trigger),
                Err(error) => source.reader.invalid(item.span, error.to_string()),
            }
        }
        Some(triggers)
    }

    fn value(&self) -> Option<FieldValue<'_>> {
        (!self.is_empty()).then(|| FieldValue::List(self.iter().map(trigger).collect()))
    }
}

/// The items of a list of triggers. To YAML, `- command: greet` with its blank is a mapping.
fn trigger_items(reader: &mut Reader<'_, '_>) -> Option<Vec<Item>> {
    let Some(nodes) = reader.node.as_sequence() else {
        return reader.items(Separator::Phrases);
    };
    let key = reader.key;
    let mut item = |node: &Node| {
        let text = match node.as_mapping() {
            Some([pair]) if Trigger::is_type(&pair.key) => {
                format!("{}:{}", pair.key, pair.value.as_text()?)
            }
            _ => reader.at(key, node).text()?,
        };
        let span = node.span;
        Some(Item { text, span })
    };
    Some(nodes.iter().filter_map(&mut item).collect())
}

fn trigger(trigger: &Trigger) -> FieldValue<'_> {
    let (kind, text) = match trigger {
        Trigger::Command(text) => ("command", text),
        Trigger::Schedule(text) => ("schedule", text),
        Trigger::Keyword(text) => ("keyword", text),
        Trigger::NotKeyword(text) => ("not_keyword", text),
    };
    Members::default().text(kind, Some(text)).record()
}

impl Slot for Option<Scope> {
    fn read(source: &mut Source<'_, '_>) -> Option<Self> {
        source.reader.parsed().map(Some)
    }

    fn value(&self) -> Option<FieldValue<'_>> {
        self.map(|scope| FieldValue::Text(scope.as_str()))
    }
}

impl Slot for Option<Node> {
    fn read(source: &mut Source<'_, '_>) -> Option<Self> {
        (!source.reader.node.is_null()).then(|| Some(source.reader.node.clone()))
    }

    fn value(&self) -> Option<FieldValue<'_>> {
        self.as_ref().map(FieldValue::Node)
    }

    fn agrees(&self, other: &Self) -> bool {
        match (self, other) {
            (Some(node), Some(other)) => node.same_data(other),
            _ => self.is_none() && other.is_none(),
        }
    }
}

impl Slot for Vec<Pair> {
    fn read(source: &mut Source<'_, '_>) -> Option<Self> {
        let pairs = source.reader.node.as_mapping();
        if pairs.is_none() && !source.reader.node.is_null() {
            source.reader.wrong_type("a mapping");
        }
        pairs.map(<[Pair]>::to_vec)
    }

    fn value(&self) -> Option<FieldValue<'_>> {
        (!self.is_empty()).then(|| FieldValue::Pairs(self))
    }
}

/// A field that holds records of one type.
macro_rules! slot_of_records {
    ($($record:ty),*) => {$(
        impl Slot for Vec<$record> {
            fn read(source: &mut Source<'_, '_>) -> Option<Self> {
                source.reader.each(<$record>::read)
            }

            fn value(&self) -> Option<FieldValue<'_>> {
                (!self.is_empty()).then(|| FieldValue::List(self.iter().map(<$record>::value).collect()))
            }
        }
    )*};
}
slot_of_records!(InstallSpec, EnvVariable, CredentialFile, Setting);

impl Slot for Option<Automation> {
    fn read(source: &mut Source<'_, '_>) -> Option<Self> {
        Automation::read(&mut source.reader).map(Some)
    }

    fn value(&self) -> Option<FieldValue<'_>> {
        self.as_ref().map(Automation::value)
    }
}
