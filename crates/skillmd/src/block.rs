//! Which lines the opening fence means, and the entries in them: the fast way first and the tolerant way last.
//!
//! The fence says the language. Where every line is clearly in the other one, that is what is read.

use crate::code::Code;
use crate::diagnostic::{Edit, Reporter};
use crate::document::Language;
use crate::fence::{Block, Opening};
use crate::key_line::{is_key_line, toml_key};
use crate::lines::Line;
use crate::node::{Node, Pair, Value};
use crate::recover::{self, Recovered};
use crate::span::Span;
use crate::yaml::Fault;
use crate::{plain, toml, yaml};

/// Chooses the block that the opening line means and reads its entries.
pub(crate) fn read(opening: Opening, reporter: &mut Reporter<'_>) -> (Block, Recovered) {
    let text = reporter.text();
    let closed = opening.closed_blocks(text).next();
    if let Some(block) = closed.filter(|block| is_in_other_language(text, block)) {
        return read_other_language(block, reporter);
    }
    match opening.language() {
        Language::Yaml => read_yaml_block(opening, closed, reporter),
        Language::Toml => read_toml_block(opening, reporter),
    }
}

/// Whether the block is written in the language that its fences do not stand for: all of it by its parser, or each line
/// by its looks.
fn is_in_other_language(text: &str, block: &Block) -> bool {
    let span = block.frontmatter.block;
    let mut lines = Line::within(text, span)
        .filter(|line| !line.is_blank() && !line.text.starts_with('#'))
        .peekable();
    let Some(first) = lines.peek().copied() else {
        return false;
    };
    match block.frontmatter.language {
        Language::Yaml => {
            // A key of YAML may have an equals sign in it.
            let is_yaml = || yaml_pairs(span, &mut Reporter::new(text)).is_ok();
            toml_key(first.text).is_some()
                && (toml::parse(span.slice(text), span.start).is_ok()
                    || (lines.all(|line| toml_key(line.text).is_some()) && !is_yaml()))
        }
        Language::Toml => {
            let goes_on = |line: &Line<'_>| line.text.starts_with([' ', '\t', '-']);
            is_key_line(first.text) && lines.all(|line| is_key_line(line.text) || goes_on(&line))
        }
    }
}

/// Reads a block in the language that its fences do not stand for.
fn read_other_language(mut block: Block, reporter: &mut Reporter<'_>) -> (Block, Recovered) {
    let frontmatter = &mut block.frontmatter;
    let fence = frontmatter.language.fence();
    let (language, name) = match frontmatter.language {
        Language::Yaml => (Language::Toml, "TOML"),
        Language::Toml => (Language::Yaml, "YAML"),
    };
    frontmatter.language = language;
    let span = frontmatter.block;
    let source = span.slice(reporter.text());
    let whole = match language {
        Language::Yaml => yaml_pairs(span, reporter),
        Language::Toml => toml::parse(source, span.start),
    };
    let meant = language.fence();
    let diagnostic = reporter.report(
        Code::FrontmatterWrongFence,
        frontmatter.opener,
        format!("the entries are {name}, but `{fence}` is not its fence"),
    );
    diagnostic.help(format!("{name} stands between lines `{meant}`"));
    let mut lines = Line::within(source, Span::new(0, source.len()));
    let is_whole = whole.is_ok() && !lines.any(|line| line.text.trim_end() == meant);
    if let Some(closer) = frontmatter.closer.filter(|_| is_whole) {
        let edits = [frontmatter.opener, closer].map(|place| Edit::replace(place, meant));
        diagnostic.fixes(format!("make both fences `{meant}`"), edits.to_vec());
    }
    let pairs = match (whole, language) {
        (Ok(pairs), _) => Recovered::whole(pairs),
        (Err(fault), Language::Yaml) => recover_yaml(span, &fault, reporter),
        (Err(_), Language::Toml) => recover::toml::entries(span, reporter),
    };
    (block, pairs)
}

/// Reads YAML, `closed` being the block that the nearest fence closes.
fn read_yaml_block(
    opening: Opening,
    closed: Option<Block>,
    reporter: &mut Reporter<'_>,
) -> (Block, Recovered) {
    let text = reporter.text();
    if let Some(block) = closed {
        match yaml_pairs(block.frontmatter.block, reporter) {
            Ok(pairs) => return (block, Recovered::whole(pairs)),
            Err(fault) => {
                // The fence that was found may not be the one that was meant.
                let limit = block.frontmatter.block.end;
                let spoilt = opening.spoilt_block(text, limit);
                let unclosed = Some(opening.unclosed_block(text)).filter(|unclosed| {
                    opening.ends_for_certain(text, unclosed) && unclosed.body.start < limit
                });
                for other in spoilt.into_iter().chain(unclosed) {
                    let pairs = yaml_pairs(other.frontmatter.block, reporter);
                    if let Some(pairs) = pairs.ok().filter(|pairs| !pairs.is_empty()) {
                        return (other, Recovered::whole(pairs));
                    }
                }
                let pairs = recover_yaml(block.frontmatter.block, &fault, reporter);
                return (block, pairs);
            }
        }
    }
    let block = opening
        .spoilt_block(text, text.len())
        .unwrap_or_else(|| opening.unclosed_block(text));
    let pairs = match yaml_pairs(block.frontmatter.block, reporter) {
        Ok(pairs) => Recovered::whole(pairs),
        Err(fault) => recover_yaml(block.frontmatter.block, &fault, reporter),
    };
    (block, pairs)
}

/// The pairs of a block that is valid as a whole.
fn yaml_pairs(block: Span, reporter: &mut Reporter<'_>) -> Result<Vec<Pair>, Fault> {
    let source = block.slice(reporter.text());
    if let Some(pairs) = plain::parse(source, block.start) {
        return Ok(pairs);
    }
    let known = reporter.len();
    match yaml::parse(source, block.start, reporter)? {
        None => Ok(Vec::new()),
        Some(Node {
            value: Value::Mapping(pairs),
            ..
        }) => match recover::flat_text::fault(&pairs) {
            None => Ok(pairs),
            Some(fault) => {
                reporter.truncate(known);
                Err(fault)
            }
        },
        Some(other) => Err(Fault {
            code: Code::FrontmatterNotMapping,
            offset: other.span.start,
            message: format!("the frontmatter is {}", other.type_name()),
        }),
    }
}

fn recover_yaml(block: Span, fault: &Fault, reporter: &mut Reporter<'_>) -> Recovered {
    let first = Line::within(reporter.text(), block).find(|line| !line.is_blank());
    let begins_with_key = first.is_some_and(|line| is_key_line(line.text));
    if fault.code == Code::FrontmatterNotMapping && !begins_with_key {
        reporter
            .report(fault.code, Span::at(fault.offset), fault.message.clone())
            .help("write one `key: value` a line");
        return Recovered::nothing(block);
    }
    let known = reporter.len();
    let pairs = recover::yaml::entries(block, reporter);
    if reporter.len() == known {
        // Every piece is fine alone, yet the whole is not: what the library says must not get lost.
        reporter
            .report(fault.code, Span::at(fault.offset), fault.message.clone())
            .help("each entry could be read by itself");
    }
    pairs
}

fn read_toml_block(opening: Opening, reporter: &mut Reporter<'_>) -> (Block, Recovered) {
    /// How many fences are tried: a fence may stand inside a multi-line string.
    const TRIES: usize = 8;
    let text = reporter.text();
    let mut closed = opening.closed_blocks(text).take(TRIES).peekable();
    let fallback = match closed.peek() {
        Some(block) => *block,
        None => opening
            .spoilt_block(text, text.len())
            .unwrap_or_else(|| opening.unclosed_block(text)),
    };
    for block in closed.chain([fallback]) {
        let span = block.frontmatter.block;
        if let Ok(pairs) = toml::parse(span.slice(text), span.start) {
            return (block, Recovered::whole(pairs));
        }
    }
    let pairs = recover::toml::entries(fallback.frontmatter.block, reporter);
    (fallback, pairs)
}
