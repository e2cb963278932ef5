//! `skill_manage`.

use std::fmt::Write as _;

use rmcp::model::ToolAnnotations;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use skillful::Mode;
use skillful_manage::author::{NewSkill, Target};
use skillmd::invocation::Scope;

use super::{Arguments, Call, written};
use crate::engine::Engine;
use crate::failure::{Failure, FailureKind};
use crate::mcp::reply::Reply;
use crate::operations::{By, Edit, Switches, Wish, place};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SkillManage {
    /// What to do. `create` needs `name`, `description` and `content`; `edit` `skill_id` and `content`; `patch` `skill_id` and `find`; `rename` `skill_id` and `name`; `write_file` `skill_id`, `file_name` and `content`; `remove_file` `skill_id` and `file_name`; `configure` `skill_id` and `enabled`, `mode` or `scope`; `delete`, `pin`, `unpin`, `archive` and `restore` `skill_id`; `undo` nothing, or `seq`.
    action: Action,
    /// The skill's id; for every action but `create` and `undo`.
    skill_id: Option<String>,
    /// The name of a new skill, or the new name: lower-case letters, digits and single hyphens.
    name: Option<String>,
    /// What a new skill does and when to use it, in one or two sentences: this is how it will be found.
    description: Option<String>,
    /// For `create` the instructions in Markdown; for `edit` the whole new SKILL.md with its frontmatter; for `write_file` the file.
    content: Option<String>,
    /// For `patch`: the text to be replaced, as it stands in the file; it must be there exactly once.
    find: Option<String>,
    /// For `patch`: what is to stand there; left out, the text is taken away.
    replace: Option<String>,
    /// A file of the skill, by its path in the skill, such as `references/api.md`; for `patch` SKILL.md where none is named.
    file_name: Option<String>,
    /// The digest of the skill as you read it; where its files have changed since, nothing is done.
    expect_digest: Option<String>,
    /// For `create`: write it into the project, for everybody who works on it, and not for this person alone.
    #[serde(default)]
    in_project: bool,
    /// For `configure`: whether the skill is in use at all.
    enabled: Option<bool>,
    /// For `configure`: how it is brought up: `auto`, `pinned`, `required`, `manual-only` or `disabled`.
    mode: Option<String>,
    /// For `configure`: where it is offered: `system`, `tool`, `standalone` or `disabled`.
    scope: Option<String>,
    /// For `archive`: why.
    reason: Option<String>,
    /// For `undo`: the number of the change; left out, the last one that you made.
    seq: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Action {
    Create,
    Edit,
    Patch,
    Rename,
    WriteFile,
    RemoveFile,
    Delete,
    Configure,
    Pin,
    Unpin,
    Archive,
    Restore,
    Undo,
}

impl Arguments for SkillManage {
    const NAME: &'static str = "skill_manage";
    const TITLE: &'static str = "Write and change skills";
    const DESCRIPTION: &'static str = "\
Write a new skill, change one, or decide how one is used. Call it when the person asks for it, or when a skill that you \
used was wrong and the person agrees to mend it. Read the skill first, and prefer `patch` to `edit`. Everything you write \
is scanned before it is placed, and can be undone with `undo`. Skills that came with the program, with a plugin or from \
an installation are not changed, nor are pinned ones: create one of your own instead. To keep something that you have \
learned, call skill_capture.";

    fn annotations() -> ToolAnnotations {
        ToolAnnotations::new()
            .read_only(false)
            .destructive(true)
            .idempotent(false)
            .open_world(false)
    }

    fn output_schema() -> Option<Value> {
        Some(written())
    }
}

impl SkillManage {
    /// An argument that the action cannot do without.
    fn needed<'a>(name: &str, value: Option<&'a String>) -> Result<&'a str, Failure> {
        value.map(String::as_str).ok_or_else(|| {
            let message = format!("this action cannot do without `{name}`");
            Failure::new(FailureKind::Invalid, message).hint(format!("call it again with {name}"))
        })
    }

    fn id(&self) -> Result<&str, Failure> {
        Self::needed("skill_id", self.skill_id.as_ref())
    }

    fn target(&self) -> Result<Target, Failure> {
        Ok(Target::from(self.id()?).expecting(self.expect_digest.clone()))
    }

    fn content(&self) -> Result<String, Failure> {
        Ok(Self::needed("content", self.content.as_ref())?.to_owned())
    }

    fn path(&self) -> Result<String, Failure> {
        Ok(Self::needed("file_name", self.file_name.as_ref())?.to_owned())
    }

    /// The change of files that is asked for; nothing for another action.
    fn edit(&self) -> Result<Option<Edit>, Failure> {
        Ok(Some(match self.action {
            Action::Create => Edit::Create(NewSkill {
                name: Self::needed("name", self.name.as_ref())?.to_owned(),
                description: Self::needed("description", self.description.as_ref())?.to_owned(),
                body: Some(self.content()?),
                place: place(self.in_project),
            }),
            Action::Edit => Edit::Replace {
                skill: self.target()?,
                text: self.content()?,
            },
            Action::Patch => Edit::Patch {
                skill: self.target()?,
                file: self.file_name.clone(),
                find: Self::needed("find", self.find.as_ref())?.to_owned(),
                replace: self.replace.clone().unwrap_or_default(),
            },
            Action::Rename => Edit::Rename {
                skill: self.target()?,
                name: Self::needed("name", self.name.as_ref())?.to_owned(),
            },
            Action::WriteFile => Edit::WriteFile {
                skill: self.target()?,
                path: self.path()?,
                content: self.content()?.into_bytes(),
                executable: None,
            },
            Action::RemoveFile => Edit::RemoveFile {
                skill: self.target()?,
                path: self.path()?,
            },
            Action::Delete => Edit::Delete {
                skill: self.target()?,
                everything: false,
            },
            _ => return Ok(None),
        }))
    }

    fn wish(&self) -> Result<Wish, Failure> {
        Ok(match self.action {
            Action::Pin => Wish::Pin,
            Action::Unpin => Wish::Unpin,
            Action::Archive => Wish::Archive(match &self.reason {
                Some(reason) => Some(reason.parse().map_err(invalid)?),
                None => None,
            }),
            _ => Wish::Restore,
        })
    }

    fn switches(&self) -> Result<Switches, Failure> {
        let mode = self.mode.as_deref().map(str::parse::<Mode>).transpose();
        let scope = self.scope.as_deref().map(str::parse::<Scope>).transpose();
        Ok(Switches {
            enabled: self.enabled,
            mode: mode.map_err(invalid)?,
            scope: scope.map_err(invalid)?,
        })
    }
}

fn invalid(error: impl std::fmt::Display) -> Failure {
    Failure::new(FailureKind::Invalid, error)
}

impl Call for SkillManage {
    fn answer(self: Box<Self>, engine: &Engine) -> Result<Reply, Failure> {
        if let Some(edit) = self.edit()? {
            let document = engine.edit(&edit, &By::AGENT)?.value;
            return Ok(Reply::both(words(&document), document));
        }
        let document = match self.action {
            Action::Undo => engine.undo_by(self.seq, &By::AGENT)?.value,
            Action::Configure => {
                let mut document = engine
                    .configure(self.id()?, self.switches()?, &By::AGENT)?
                    .value;
                document["outcome"] = "configured".into();
                document
            }
            _ => engine.wish(self.id()?, &self.wish()?)?.value,
        };
        Ok(Reply::both(words(&document), document))
    }
}

/// What was done, in a sentence, and what people should know about it.
pub(super) fn words(document: &Value) -> String {
    let part = |key: &str| document[key].as_str().unwrap_or_default();
    let mut text = format!("{} {}", part("outcome"), part("id"));
    if let Some(reason) = document["reason"].as_str() {
        // Writing to a string cannot fail.
        let _ = write!(text, " ({reason})");
    }
    if let Some(seq) = document["seq"].as_u64() {
        let _ = write!(text, "; change {seq}, which undo takes back");
    }
    text.push_str(".\n");
    text.extend(
        document["message"]
            .as_str()
            .map(|message| format!("{message}.\n")),
    );
    for remark in document["remarks"].as_array().into_iter().flatten() {
        let message = remark["message"].as_str().unwrap_or_default();
        let _ = writeln!(text, "Note: {message}.");
    }
    text
}
