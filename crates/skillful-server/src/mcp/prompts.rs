//! Skills that a person may bring up by name, as prompts: what a client shows as slash commands.

use std::fmt::Write as _;

use rmcp::model::{
    CacheScope, GetPromptResult, JsonObject, ListPromptsResult, Prompt, PromptArgument,
    PromptMessage, Role,
};
use serde_json::Value;
use skillful::activate::{Arguments, Framing};
use skillful::{Invoker, Mode, Range, Skill, Snapshot, State};
use skillmd::Manifest;

use super::origin;
use super::page::{Cursor, page};
use crate::engine::Engine;
use crate::failure::{Failure, FailureKind};
use crate::limits;
use crate::operations::ReadQuery;

/// The argument of a skill that names none: all that is typed behind its name.
pub(super) const ARGUMENTS: &str = "arguments";

/// The prompts.
pub(super) fn list(engine: &Engine, cursor: &Cursor) -> Result<ListPromptsResult, Failure> {
    let snapshot = engine.snapshot()?;
    let skills = snapshot
        .ready()
        .filter(|skill| is_prompt(engine, &snapshot, skill));
    let skills = skills.map(|skill| (skill.id.clone(), skill));
    let (skills, next) = page(skills, cursor, limits::MCP_PAGE_ENTRIES);
    let mut result = ListPromptsResult::with_all_items(
        skills.into_iter().map(|skill| of_skill(skill)).collect(),
    );
    result.next_cursor = next;
    result.ttl_ms = Some(limits::MCP_TTL_MS);
    result.cache_scope = Some(CacheScope::Private);
    Ok(result)
}

/// What a person says with a prompt: the skill's text, as it is handed over.
pub(super) fn get(
    engine: &Engine,
    name: &str,
    arguments: Option<JsonObject>,
) -> Result<GetPromptResult, Failure> {
    let snapshot = engine.snapshot()?;
    let skill = find(engine, &snapshot, name)?;
    let arguments = typed(skill, arguments.unwrap_or_default())?;
    let query = ReadQuery {
        file: None,
        arguments: Some(arguments),
        framing: Framing::Wrapped,
        range: Range::Whole,
        invoker: Invoker::Person,
        session: None,
    };
    let answer = engine.activate(&skill.id, &query)?;
    let text = answer.value["content"].as_str().unwrap_or_default();
    let message = PromptMessage::new_text(Role::User, origin::of(skill) + text);
    Ok(GetPromptResult::new(vec![message]).with_description(&skill.description))
}

/// The skill that a prompt is.
pub(super) fn find<'s>(
    engine: &Engine,
    snapshot: &'s Snapshot,
    name: &str,
) -> Result<&'s Skill, Failure> {
    let skill = snapshot.registry().get(name);
    let skill = skill.filter(|skill| is_prompt(engine, snapshot, skill));
    skill.map(|skill| &**skill).ok_or_else(|| {
        let message = format!("there is no prompt `{name}`");
        Failure::new(FailureKind::Invalid, message).hint("prompts/list gives all of them")
    })
}

fn is_prompt(engine: &Engine, snapshot: &Snapshot, skill: &Skill) -> bool {
    let is_invocable = skill
        .manifest
        .as_deref()
        .is_some_and(Manifest::is_user_invocable);
    let mode = snapshot.setup().agent(engine.agent()).mode(skill);
    skill.state == State::Ready && is_invocable && mode != Mode::Disabled
}

fn of_skill(skill: &Skill) -> Prompt {
    let arguments = arguments(skill);
    let arguments = (!arguments.is_empty()).then_some(arguments);
    Prompt::new(&skill.id, Some(&skill.description), arguments).with_title(&skill.name)
}

/// The arguments that a skill names; of one that only hints at some, one for all of them.
fn arguments(skill: &Skill) -> Vec<PromptArgument> {
    let Some(manifest) = skill.manifest.as_deref() else {
        return Vec::new();
    };
    let invocation = &manifest.invocation;
    let hint = invocation.argument_hint.as_deref();
    if invocation.arguments.is_empty() {
        let all = |hint: &str| {
            PromptArgument::new(ARGUMENTS)
                .with_description(format!("What follows the name: {hint}"))
                .with_required(false)
        };
        return hint.map(all).into_iter().collect();
    }
    let named = |(place, name): (usize, &String)| {
        let mut about = format!("Argument {}", place + 1);
        if let Some(hint) = hint {
            // Writing to a string cannot fail.
            let _ = write!(about, " of: {hint}");
        }
        PromptArgument::new(name)
            .with_description(about)
            .with_required(false)
    };
    invocation.arguments.iter().enumerate().map(named).collect()
}

/// The arguments as they would have been typed. Those that were not given and stand before others are empty words.
fn typed(skill: &Skill, mut given: JsonObject) -> Result<String, Failure> {
    let named = skill
        .manifest
        .as_deref()
        .map(|it| &*it.invocation.arguments);
    let named = named.unwrap_or_default();
    let mut text = |name: &str| match given.shift_remove(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(invalid(format!("the argument `{name}` is no text"))),
    };
    let typed = if named.is_empty() {
        text(ARGUMENTS)?.unwrap_or_default()
    } else {
        let words: Vec<Option<String>> = named
            .iter()
            .map(|name| text(name))
            .collect::<Result<_, _>>()?;
        let count = words
            .iter()
            .rposition(Option::is_some)
            .map_or(0, |last| last + 1);
        let words: Vec<String> = words
            .into_iter()
            .take(count)
            .map(Option::unwrap_or_default)
            .collect();
        let arguments = Arguments::from_words(&words).map_err(invalid)?;
        arguments.text().to_owned()
    };
    match given.keys().next() {
        None => Ok(typed),
        Some(unknown) => Err(invalid(format!(
            "`{}` has no argument `{unknown}`",
            skill.id
        ))),
    }
}

fn invalid(error: impl std::fmt::Display) -> Failure {
    Failure::new(FailureKind::Invalid, error)
}

/// The words that an argument may be, where its skill's hint lists them: `[add|remove|list]`.
pub(super) fn choices(skill: &Skill, argument: &str) -> Vec<String> {
    let Some(manifest) = skill.manifest.as_deref() else {
        return Vec::new();
    };
    let invocation = &manifest.invocation;
    let place = match invocation
        .arguments
        .iter()
        .position(|name| name == argument)
    {
        Some(place) => place,
        None if argument == ARGUMENTS => 0,
        None => return Vec::new(),
    };
    let hint = invocation.argument_hint.as_deref().unwrap_or_default();
    let word = hint.split_whitespace().nth(place).unwrap_or_default();
    let words = word.trim_matches(['[', ']', '<', '>', '(', ')', '{', '}']);
    if !words.contains('|') {
        return Vec::new();
    }
    words
        .split('|')
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}
