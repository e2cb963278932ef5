use std::path::PathBuf;

use super::*;
use crate::bundle;
use crate::discover::{Candidate, Form};
use crate::load::load;
use crate::roots::{Source, Trust};

fn root(path: &str, order: u32) -> Arc<Root> {
    let mut root = Root::new(PathBuf::from(path), Source::Global, Trust::Community);
    root.order = order;
    Arc::new(root)
}

fn skill(root: &Arc<Root>, name: &str, description: &str) -> Skill {
    let text = match description {
        "" => String::new(),
        _ => format!("---\nname: {name}\ndescription: {description}\n---\n"),
    };
    let candidate = Candidate {
        path: root.path.join(name).join("SKILL.md"),
        form: Form::Directory,
        real_directory: None,
        content: Ok(text.into_bytes()),
        notes: Vec::new(),
    };
    load(candidate, root)
}

fn library(skills: Vec<Skill>) -> Library {
    Library {
        roots: Vec::new(),
        depends_on: crate::roots::Dependencies::default(),
        registry: Registry::new(skills, bundle::same_content),
        problems: Vec::new(),
    }
}

fn setup() -> Arc<Setup> {
    let options = crate::Options {
        roots: vec![PathBuf::from("/none")],
        ..crate::Options::default()
    };
    let clients = crate::Clients::built_in().unwrap();
    let host = crate::Host::new("/none");
    Arc::new(Setup::read(
        host,
        clients,
        options,
        None,
        skillful_store::Choices::default(),
    ))
}

fn first(library: Library) -> Snapshot {
    Snapshot::first(setup(), library)
}

fn summary(snapshot: &Snapshot) -> Vec<(ChangeKind, &str, bool)> {
    snapshot
        .changes()
        .iter()
        .map(|change| (change.kind, &*change.skill.id, change.content))
        .collect()
}

#[test]
fn a_snapshot_tells_what_changed_since_the_one_before() {
    use ChangeKind::{Added, Broken, Changed, Recovered, Removed, Shadowed};
    let (near, far) = (root("/near", 0), root("/far", 1));
    let first = first(library(vec![
        skill(&far, "broken-before", ""),
        skill(&far, "changed", "one"),
        skill(&far, "gone", "x"),
        skill(&far, "same", "x"),
        skill(&far, "shadowed", "x"),
        skill(&far, "turns-broken", "x"),
    ]));
    assert_eq!(first.sequence(), 1);
    assert!(first.changes().iter().all(|change| match change.kind {
        Broken => change.skill.id == "broken-before",
        kind => kind == Added,
    }));
    let second = first.next(
        setup(),
        library(vec![
            skill(&far, "broken-before", "x"),
            skill(&far, "changed", "two"),
            skill(&far, "new", "x"),
            skill(&far, "same", "x"),
            skill(&far, "shadowed", "x"),
            skill(&near, "shadowed", "nearer"),
            skill(&far, "turns-broken", ""),
        ]),
    );
    assert_eq!(second.sequence(), 2);
    assert_eq!(
        summary(&second),
        [
            (Recovered, "broken-before", true),
            (Changed, "changed", true),
            (Removed, "gone", true),
            (Added, "new", true),
            (Added, "shadowed", true),
            (Shadowed, "shadowed", false),
            (Broken, "turns-broken", true),
        ]
    );
}

#[test]
fn a_change_of_state_is_told_by_its_direction() {
    let root = root("/r", 0);
    let in_state = |state| {
        let mut skill = skill(&root, "x", "y");
        skill.state = state;
        library(vec![skill])
    };
    let ready = first(in_state(State::Ready));
    let off = ready.next(setup(), in_state(State::Disabled));
    assert_eq!(summary(&off), [(ChangeKind::BecameIneligible, "x", false)]);
    let on = off.next(setup(), in_state(State::Ready));
    assert_eq!(summary(&on), [(ChangeKind::BecameEligible, "x", false)]);
}

#[test]
fn the_hash_is_that_of_the_content() {
    let root = root("/r", 0);
    let first = first(library(vec![skill(&root, "x", "one")]));
    let changed = first.next(setup(), library(vec![skill(&root, "x", "two")]));
    let back = changed.next(setup(), library(vec![skill(&root, "x", "one")]));
    assert_ne!(first.hash(), changed.hash());
    assert_eq!(first.hash(), back.hash());
    assert!(first.hash().starts_with("sha256:") && first.hash().len() == 71);
    let mut with_new_script = skill(&root, "x", "one");
    with_new_script.revision += 1;
    let script = back.next(setup(), library(vec![with_new_script]));
    assert_ne!(script.hash(), first.hash());
    assert_eq!(summary(&script), [(ChangeKind::Changed, "x", true)]);
}

#[test]
fn nothing_changed_is_no_change() {
    let root = root("/r", 0);
    let first = first(library(vec![skill(&root, "x", "one")]));
    let again = first.next(setup(), library(vec![skill(&root, "x", "one")]));
    assert_eq!(summary(&again), []);
}
