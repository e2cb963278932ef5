use std::path::Path;
use std::sync::Arc;

use tempfile::TempDir;

use super::*;
use crate::discover::Candidate;
use crate::load::load;
use crate::roots::{Root, Source, Trust};

/// A skill with this frontmatter in the directory `x` of a root.
pub(super) fn skill(frontmatter: &str) -> (TempDir, Skill) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("x/SKILL.md");
    std::fs::create_dir(path.parent().unwrap()).unwrap();
    std::fs::write(&path, format!("---\ndescription: d\n{frontmatter}\n---\n")).unwrap();
    let source = Source::Workspace { distance: 0 };
    let root = Root::new(directory.path().to_owned(), source, Trust::Community);
    let skill = load(Candidate::of_file(&path), &Arc::new(root));
    (directory, skill)
}

fn all(skills: &[(TempDir, Skill)]) -> Declarations {
    let skills = skills.iter().map(|(_, skill)| skill);
    declared(skills, |skill| Some(format!("digest of {}", skill.id)))
}

#[test]
fn triggers_and_automations_are_suggestions() {
    let skills = [
        skill(
            "name: b\nautomation:\n  schedule: 0 8 * * *\n  prompt: Say hello\n  deliver: mail\n",
        ),
        skill(
            "name: a\ntriggers: ['schedule:daily', 'command:go', 'schedule:', 'schedule:night-watch']\n",
        ),
        skill("name: none\n"),
    ];
    let found = all(&skills);
    assert_eq!(found.refused, []);
    let texts: Vec<_> = found
        .declared
        .iter()
        .map(|run| (&*run.key.id, &*run.expression, run.digest.as_deref()))
        .collect();
    assert_eq!(
        texts,
        [
            ("a", "daily", Some("digest of a")),
            ("a", "night-watch", Some("digest of a")),
            ("b", "0 8 * * *", Some("digest of b")),
        ]
    );
    assert_eq!(
        found.declared[1].when,
        When::Named("night-watch".to_owned())
    );
    assert_eq!(
        found.declared[2].run,
        Run::Automation {
            prompt: Some("Say hello".to_owned()),
            deliver: Some("mail".to_owned()),
            no_agent: false,
        }
    );
}

#[test]
fn a_schedule_that_cannot_be_read_is_a_diagnostic() {
    let found = all(&[
        skill("name: a\ntriggers: ['schedule:every 1s']\n"),
        skill("name: b\nautomation:\n  schedule: dayly\n"),
    ]);
    assert_eq!(found.declared, []);
    let messages: Vec<_> = found
        .refused
        .iter()
        .map(|refused| {
            (
                &*refused.skill,
                refused.diagnostic.code,
                &*refused.diagnostic.message,
            )
        })
        .collect();
    assert_eq!(
        messages,
        [
            (
                "a",
                Code::InvalidValue,
                "`every 1s` is not a schedule: an interval is between one minute and a year"
            ),
            ("b", Code::InvalidValue, "`dayly` is not a schedule"),
        ]
    );
    assert!(found.refused[0].path.ends_with(Path::new("x/SKILL.md")));
}

#[test]
fn a_schedule_that_is_suggested_twice_is_one() {
    let found = all(&[skill(
        "name: a\ntriggers: ['schedule:daily', 'schedule: daily ']\nautomation:\n  schedule: daily\n  prompt: Go\n",
    )]);
    let [only] = &found.declared[..] else {
        panic!("{:?}", found.declared);
    };
    assert_eq!(only.permission(), "schedule:daily");
    assert!(matches!(&only.run, Run::Automation { prompt: Some(prompt), .. } if prompt == "Go"));
}
