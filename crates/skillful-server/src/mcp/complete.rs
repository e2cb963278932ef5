//! What may follow what somebody has typed so far: ids and paths in an address, words of a prompt's argument.

use rmcp::model::{CompleteRequestParams, CompletionInfo, Reference};
use skillful::Skill;
use skillful::bundle::Bundle;

use super::prompts;
use super::resources::{files, ready};
use super::uri::{self, Address, SKILL_MD};
use crate::engine::Engine;
use crate::failure::{Failure, FailureKind};

/// What begins with what was typed, sorted.
pub(super) fn complete(
    engine: &Engine,
    request: &CompleteRequestParams,
) -> Result<CompletionInfo, Failure> {
    let snapshot = engine.snapshot()?;
    let typed = &*request.argument.value;
    let candidates: Vec<String> = match &request.r#ref {
        Reference::Prompt(prompt) => {
            let skill = prompts::find(engine, &snapshot, &prompt.name)?;
            prompts::choices(skill, &request.argument.name)
        }
        Reference::Resource(_) if request.argument.name == "skill" => snapshot
            .ready()
            .map(|skill| uri::place(&skill.id))
            .collect(),
        Reference::Resource(_) if request.argument.name == "path" => {
            let known = request
                .context
                .as_ref()
                .and_then(|it| it.arguments.as_ref());
            let place = known.and_then(|arguments| arguments.get("skill"));
            let address = place.and_then(|place| Address::parse(&format!("skill://{place}")));
            match address {
                Some(address) => paths(ready(&snapshot, &address.id)?),
                None => Vec::new(),
            }
        }
        _ => {
            let message = format!("there is no variable `{}`", request.argument.name);
            let hint = "the template has `skill` and `path`";
            return Err(Failure::new(FailureKind::Invalid, message).hint(hint));
        }
    };
    Ok(begins_with(candidates, typed))
}

fn paths(skill: &Skill) -> Vec<String> {
    let bundle = Bundle::of(skill);
    let own = std::iter::once(SKILL_MD.to_owned());
    own.chain(files(&bundle).map(|(path, _)| path.to_owned()))
        .collect()
}

fn begins_with(mut candidates: Vec<String>, typed: &str) -> CompletionInfo {
    let typed = typed.to_lowercase();
    candidates.retain(|text| text.to_lowercase().starts_with(&typed));
    candidates.sort();
    candidates.dedup();
    let total = candidates.len();
    candidates.truncate(CompletionInfo::MAX_VALUES);
    let mut info = CompletionInfo::default();
    info.has_more = Some(total > candidates.len());
    info.total = u32::try_from(total).ok();
    info.values = candidates;
    info
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_than_a_hundred_are_given_and_the_rest_is_counted() {
        let many = (0..150).map(|number| format!("a{number:03}")).collect();
        let info = begins_with(many, "A");
        assert_eq!(info.values.len(), 100);
        assert_eq!((info.total, info.has_more), (Some(150), Some(true)));
        let none = begins_with(vec!["b".to_owned()], "a");
        assert_eq!((none.values.len(), none.has_more), (0, Some(false)));
    }
}
