//! One file: what it is, its units, and what the engines say about each.

use std::borrow::Cow;

use super::{Scanned, embedded};
use crate::budget::Budget;
use crate::bundle::{Content, FileInput};
use crate::context::{Form, Language, Role, Unit, Zone, read_markdown};
use crate::coverage::GapKind;
use crate::decode;
use crate::facts::Facts;
use crate::limits::{CONFIRMED_BYTES, DECODE_DEPTH, DECODED_BYTES, DECODED_PIECES};
use crate::rules::{Hit, RuleBook};
use crate::text::{View, ViewBuilder, parts};
use crate::{binary, frontmatter, git, packages, padding, powershell, script, shell, unicode};

/// Everything about one file that can be said without the others.
pub(super) fn scan<'b>(
    file: &'b FileInput,
    role: Role,
    budget: Budget,
    rules: &'static RuleBook,
) -> Scanned<'b> {
    let mut facts = Facts::of_file(role, budget);
    let mut text = None;
    if let Content::Bytes(bytes) = &file.content {
        if let Some(decoded) = binary::text(bytes) {
            scan_text(&file.path, &decoded, rules, &mut facts);
            // What begins like a document may be run as a program all the same, and the other way round.
            if bytes.starts_with(b"%PDF-") {
                binary::scan(file, bytes, &mut facts);
            }
            text = Some(decoded);
        } else {
            binary::scan(file, bytes, &mut facts);
        }
    }
    facts.settle();
    Scanned {
        path: &file.path,
        text: text.or(Some(Cow::Borrowed(""))),
        facts,
    }
}

fn scan_text(path: &str, text: &str, rules: &'static RuleBook, facts: &mut Facts) {
    let language = Language::of_file(path, text);
    padding::scan(text, language, facts);
    for (at, name) in packages::asked_for(path, text) {
        if let Some(popular) = packages::imitated(&name.to_ascii_lowercase()) {
            let unit = Unit::uniform(
                View::verbatim(name, at),
                Form::Code(Language::Data),
                Zone::Data,
            );
            facts.add(
                &unit,
                "brand-typosquat",
                &(0..name.len()),
                Some(format!("{name}, not {popular}")),
            );
        }
    }
    let mut work = Work {
        rules,
        facts,
        open: Vec::new(),
        decoded_bytes: 0,
    };
    work.open = git::scan(path, text, work.facts);
    work.run();
    if is_skill(path) {
        work.open = frontmatter::scan(text, work.facts);
        work.run();
    }
    if matches!(language, Language::Markdown | Language::Text) {
        let (body, at) = frontmatter::body(text);
        for part in parts(body) {
            let text = body.get(part.clone()).unwrap_or_default();
            work.open = read_markdown(text, at + part.start);
            work.run();
        }
    } else {
        work.open.push(program(path, text, language));
        work.run();
    }
}

/// Whether the file is one that an agent reads as a skill.
pub(crate) fn is_skill(path: &str) -> bool {
    let name = path.rsplit(['/', '!']).next().unwrap_or(path);
    name.eq_ignore_ascii_case("SKILL.md") || name.to_ascii_lowercase().ends_with(".skill.md")
}

/// A program or data as one unit.
fn program(path: &str, text: &str, language: Language) -> Unit {
    let zone = match language {
        Language::Data | Language::Markup => Zone::Data,
        _ => Zone::Script,
    };
    let mut unit = Unit::uniform(View::verbatim(text, 0), Form::Code(language), zone);
    unit.runs_on_load = crate::names::runs_by_itself(path);
    unit
}

/// The units that are still to be searched. What decoding and the engines bring up is added.
struct Work<'w> {
    rules: &'static RuleBook,
    facts: &'w mut Facts,
    open: Vec<Unit>,
    decoded_bytes: usize,
}

impl Work<'_> {
    fn run(&mut self) {
        while let Some(unit) = self.open.pop() {
            self.unit(&unit);
        }
    }

    fn unit(&mut self, unit: &Unit) {
        self.patterns(unit);
        if unit.layers.is_empty() {
            unicode::scan(unit, self.facts);
        }
        self.folded(unit);
        if let Form::Code(language) = unit.form {
            let inner = match language {
                Language::Shell => shell::scan(unit, self.facts),
                Language::PowerShell => powershell::scan(unit, self.facts),
                Language::Python | Language::JavaScript => script::scan(unit, language, self.facts),
                _ => Vec::new(),
            };
            self.add(inner);
            if language != Language::Shell {
                self.add(commands_in(unit, language));
            }
        }
        self.decode(unit);
    }

    fn find(&mut self, unit: &Unit) -> Vec<Hit<'static>> {
        let (hits, complete) = self
            .rules
            .patterns
            .find(unit, &mut self.facts.budget.confirmed_bytes);
        if !complete {
            self.facts.gap(
                GapKind::Patterns,
                format!("more than its share of {CONFIRMED_BYTES} bytes may match a rule"),
            );
        }
        hits
    }

    fn patterns(&mut self, unit: &Unit) {
        for hit in self.find(unit) {
            self.facts
                .add(unit, hit.name, &(hit.range.0..hit.range.1), None);
        }
    }

    /// Searches again as a reader sees the text. What was there before folding is no disguise.
    fn folded(&mut self, unit: &Unit) {
        let Some(view) = decode::fold(&unit.view) else {
            return;
        };
        let mut folded = Unit::uniform(view, unit.form, Zone::Prose);
        folded.blocks = refit(unit, &folded.view);
        folded.layers.clone_from(&unit.layers);
        folded.layers.push("look-alike characters");
        for hit in self.find(&folded) {
            let range = hit.range.0..hit.range.1;
            let source = folded.view.source_range(&range);
            let original = unit.view.text();
            let was_there =
                self.facts.list.iter().any(|fact| {
                    fact.name == hit.name && fact.range.start.abs_diff(source.start) < 8
                });
            if !was_there && !original.is_ascii() {
                self.facts.add(
                    &folded,
                    hit.name,
                    &range,
                    Some(
                        folded
                            .view
                            .text()
                            .get(range.clone())
                            .unwrap_or_default()
                            .to_owned(),
                    ),
                );
            }
        }
    }

    fn decode(&mut self, unit: &Unit) {
        let (pieces, cut) = decode::pieces(unit.view.text());
        if cut && matches!(unit.form, Form::Code(language) if language.can_run()) {
            self.facts.gap(
                GapKind::Decoding,
                format!("more than {DECODED_PIECES} encoded pieces"),
            );
        }
        for piece in pieces {
            if unit.layers.len() >= DECODE_DEPTH {
                self.facts.gap(
                    GapKind::Decoding,
                    format!("more than {DECODE_DEPTH} encodings, one inside the other"),
                );
                return;
            }
            self.decoded_bytes += piece.text.len();
            if self.decoded_bytes > DECODED_BYTES {
                self.facts.gap(
                    GapKind::Decoding,
                    format!("more than {DECODED_BYTES} bytes of decoded text"),
                );
                return;
            }
            let language = Language::guess(&piece.text);
            let form = if language == Language::Text {
                Form::Code(Language::Shell)
            } else {
                Form::Code(language)
            };
            let source = unit.view.source_of(piece.range.start);
            let mut inner = unit.inner(View::pinned(piece.text, source), form, piece.range.start);
            inner.layers.push(piece.encoding);
            // Hidden instructions are prose, hidden programs are code; which of them it is, the rules find out.
            let prose = prose_of(&inner);
            self.add(vec![inner]);
            self.patterns(&prose);
        }
    }

    fn add(&mut self, inner: Vec<Unit>) {
        let allowed = inner
            .into_iter()
            .filter(|unit| unit.layers.len() <= DECODE_DEPTH);
        // Programs inside programs inside programs: the layers above bound the encoded, the length bounds the rest.
        let room = 2_000_usize.saturating_sub(self.open.len());
        self.open.extend(allowed.take(room));
    }
}

/// The commands of the shell that a text of another language holds. An engine knows the texts of its own language; what it
/// cannot parse, because the author gave it another name, is looked at for whole commands alone.
fn commands_in(unit: &Unit, language: Language) -> Vec<Unit> {
    let text = unit.view.text();
    let has_engine = matches!(
        language,
        Language::Python | Language::JavaScript | Language::PowerShell
    );
    let ranges = if has_engine {
        embedded::lines(text)
    } else {
        embedded::commands(text)
    };
    ranges
        .into_iter()
        .map(|range| {
            let at = range.start;
            unit.inner(unit.view.part(range), Form::Code(Language::Shell), at)
        })
        .collect()
}

/// Decoded text taken as a sentence.
fn prose_of(decoded: &Unit) -> Unit {
    let mut builder = ViewBuilder::default();
    builder.push_prose(decoded.view.text(), 0);
    let text = builder.build().text().to_owned();
    let mut prose = decoded.inner(
        View::pinned(text, decoded.view.source_of(0)),
        Form::Prose,
        0,
    );
    for block in &mut prose.blocks {
        block.zone = Zone::Prose;
    }
    prose
}

/// The blocks of a unit in its folded view.
fn refit(unit: &Unit, folded: &View) -> Vec<crate::context::Block> {
    let mut blocks = unit.blocks.clone();
    let text = folded.text();
    let mut offsets = text.char_indices().map(|(at, _)| at).peekable();
    for block in &mut blocks {
        let start = unit.view.source_of(block.range.start);
        let end = unit.view.source_of(block.range.end);
        while offsets
            .next_if(|&at| folded.source_of(at) < start)
            .is_some()
        {}
        let from = offsets.peek().copied().unwrap_or(text.len());
        while offsets.next_if(|&at| folded.source_of(at) < end).is_some() {}
        block.range = from..offsets.peek().copied().unwrap_or(text.len());
    }
    blocks
}
