//! Which skills a model may see, and why it may not see the others.

use std::fmt;

use skillmd::invocation::Scope;

use crate::load::Skill;
use crate::mode::Mode;
use crate::state::State;

/// Why a skill is not in the catalog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hidden {
    /// It is not ready.
    State(State),
    /// The user switched it off for models.
    Mode(Mode),
    /// Its author wants no model to bring it up.
    Author,
    /// It is offered nowhere by itself.
    Scope(Scope),
    /// It belongs to a tool that is not available, or to none at all.
    Tool(Option<String>),
}

impl fmt::Display for Hidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::State(state) => write!(f, "it is {}", state.as_str()),
            Self::Mode(mode) => write!(f, "its mode is {mode}"),
            Self::Author => f.write_str("its author lets only people bring it up"),
            Self::Scope(scope) => write!(f, "its scope is {scope}"),
            Self::Tool(Some(tool)) => {
                write!(f, "it belongs to the tool `{tool}`, which is not there")
            }
            Self::Tool(None) => f.write_str("its scope is tool, and it names none"),
        }
    }
}

/// Why a model may not see the skill; nothing when it may. `scope` is the author's or what the user put in its place;
/// `has_tool` says whether a tool is available.
///
/// The user's switches can only narrow what the author allows: a pinned skill of an author who wants no model to bring
/// it up stays hidden.
pub fn hidden(
    skill: &Skill,
    mode: Mode,
    scope: Scope,
    has_tool: impl Fn(&str) -> bool,
) -> Option<Hidden> {
    if skill.state != State::Ready {
        return Some(Hidden::State(skill.state));
    }
    if matches!(mode, Mode::ManualOnly | Mode::Disabled) {
        return Some(Hidden::Mode(mode));
    }
    let Some(manifest) = &skill.manifest else {
        return Some(Hidden::State(State::Broken));
    };
    if !manifest.is_model_invocable() {
        return Some(Hidden::Author);
    }
    match scope {
        Scope::System => None,
        Scope::Standalone | Scope::Disabled => Some(Hidden::Scope(scope)),
        Scope::Tool => match &manifest.invocation.bound_tool {
            Some(tool) if has_tool(tool) => None,
            tool => Some(Hidden::Tool(tool.clone())),
        },
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::discover::Candidate;
    use crate::load::load;
    use crate::roots::{Root, Source, Trust};

    fn skill(frontmatter: &str) -> Skill {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("SKILL.md");
        std::fs::write(
            &path,
            format!("---\nname: a\ndescription: d\n{frontmatter}---\nx\n"),
        )
        .unwrap();
        let root = Root::new(
            directory.path().to_owned(),
            Source::Global,
            Trust::Community,
        );
        load(Candidate::of_file(&path), &Arc::new(root))
    }

    fn reason(frontmatter: &str, mode: Mode) -> Option<String> {
        let skill = skill(frontmatter);
        let scope = skill.manifest.as_ref().unwrap().scope();
        hidden(&skill, mode, scope, |tool| tool == "browser").map(|reason| reason.to_string())
    }

    #[test]
    fn what_a_model_may_see() {
        for mode in [Mode::Auto, Mode::Pinned, Mode::NameOnly, Mode::Required] {
            assert_eq!(reason("", mode), None);
            assert_eq!(
                reason("disable-model-invocation: true\n", mode).as_deref(),
                Some("its author lets only people bring it up")
            );
        }
        assert_eq!(
            reason("", Mode::ManualOnly).as_deref(),
            Some("its mode is manual-only")
        );
        assert_eq!(
            reason("", Mode::Disabled).as_deref(),
            Some("its mode is disabled")
        );
        assert_eq!(
            reason("scope: disabled\n", Mode::Auto).as_deref(),
            Some("its scope is disabled")
        );
    }

    #[test]
    fn scopes() {
        let with_scope = |text: &str| reason(text, Mode::Auto);
        assert_eq!(with_scope("scope: system\n"), None);
        assert_eq!(with_scope("scope: tool\nbound-tool: browser\n"), None);
        assert_eq!(
            with_scope("scope: tool\nbound-tool: shell\n").as_deref(),
            Some("it belongs to the tool `shell`, which is not there")
        );
        assert_eq!(
            with_scope("scope: tool\n").as_deref(),
            Some("its scope is tool, and it names none")
        );
        assert_eq!(
            with_scope("scope: standalone\n").as_deref(),
            Some("its scope is standalone")
        );
        // The user's own scope counts, not the author's.
        let skill = skill("scope: standalone\n");
        assert_eq!(hidden(&skill, Mode::Auto, Scope::System, |_| false), None);
    }
}
