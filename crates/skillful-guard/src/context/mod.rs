//! What surrounds a text: where it stands, under which headings, after which sentence.
//!
//! Everything that is searched is a [`Unit`]: a view with its blocks. A Markdown file gives one unit of prose and one
//! for each snippet of code; a program is one unit; what decoding brings to light is a unit as well.

mod language;
mod markdown;
mod polarity;
mod role;

use std::ops::Range;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::text::View;

pub(crate) use language::Language;
pub use language::program_name;
pub(crate) use markdown::read_markdown;
pub(crate) use polarity::{lowerings, points_elsewhere};
pub(crate) use role::{Role, fixtures_of};

/// Where a text stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Zone {
    /// A value of the frontmatter, which the agent sees before anything else.
    Description,
    /// A paragraph, heading or item of a list: what the agent reads as instructions.
    Prose,
    /// A cell of a table.
    Table,
    /// A comment of HTML or Markdown, which a rendered page does not show.
    Comment,
    /// Code in a Markdown file, fenced or in a line.
    Snippet,
    /// A program's file.
    Script,
    /// JSON, YAML and other data.
    Data,
}

/// A part of a unit whose surroundings are the same throughout.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    /// In the unit's view.
    pub range: Range<usize>,
    pub zone: Zone,
    /// The headings above, from the outermost, one per line.
    pub headings: Arc<str>,
    /// The sentence before a list, table or snippet.
    pub introduction: Arc<str>,
    /// What stands before code in the same paragraph.
    pub sentence: Arc<str>,
    /// The names of the columns, in a table.
    pub columns: Arc<str>,
}

/// What a unit is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Prose,
    Code(Language),
}

/// A text that is searched as one.
#[derive(Clone, Debug)]
pub(crate) struct Unit {
    pub view: View,
    pub form: Form,
    /// Sorted, without overlap.
    pub blocks: Vec<Block>,
    /// The encodings that were taken off, outermost first; empty for what stands in the file.
    pub layers: Vec<&'static str>,
    /// Whether a client runs it when it loads the skill.
    pub runs_on_load: bool,
    /// Whether the document tells its reader to run or follow what stands elsewhere in it. Then nothing there is only
    /// described.
    pub pointed_at: bool,
}

impl Unit {
    /// A text with the same surroundings throughout.
    pub(crate) fn uniform(view: View, form: Form, zone: Zone) -> Self {
        let nothing: Arc<str> = Arc::from("");
        Self {
            blocks: vec![Block {
                range: 0..view.text().len(),
                zone,
                headings: Arc::clone(&nothing),
                introduction: Arc::clone(&nothing),
                sentence: Arc::clone(&nothing),
                columns: nothing,
            }],
            view,
            form,
            layers: Vec::new(),
            runs_on_load: false,
            pointed_at: false,
        }
    }

    /// A unit that stands where this one's `at` stands: what is found inside a string, or decoded from it.
    pub(crate) fn inner(&self, view: View, form: Form, at: usize) -> Self {
        let mut inner = Self::uniform(view, form, Zone::Script);
        if let (Some(outer), Some(block)) = (self.block_at(at), inner.blocks.first_mut()) {
            block.zone = outer.zone;
            block.headings = Arc::clone(&outer.headings);
            block.introduction = Arc::clone(&outer.introduction);
            block.sentence = Arc::clone(&outer.sentence);
            block.columns = Arc::clone(&outer.columns);
        }
        inner.layers.clone_from(&self.layers);
        inner.runs_on_load = self.runs_on_load;
        inner.pointed_at = self.pointed_at;
        inner
    }

    /// The block that holds an offset of the view.
    pub(crate) fn block_at(&self, offset: usize) -> Option<&Block> {
        let after = self
            .blocks
            .partition_point(|block| block.range.start <= offset);
        self.blocks.get(after.checked_sub(1)?)
    }
}
