use std::path::PathBuf;

use proptest::prelude::*;

use super::*;
use crate::discover::{Candidate, Form};
use crate::load::load;
use crate::roots::{Root, Source, Trust};
use crate::state::Blocker;

fn root(path: &str, source: Source, order: u32) -> Arc<Root> {
    let mut root = Root::new(PathBuf::from(path), source, Trust::Community);
    root.real.clone_from(&root.path);
    root.order = order;
    Arc::new(root)
}

fn workspace() -> Arc<Root> {
    root("/w", Source::Workspace { distance: 0 }, 0)
}

fn global() -> Arc<Root> {
    root("/g", Source::Global, 1)
}

/// A skill in the directory `place`; an empty `text` makes it broken.
fn skill(root: &Arc<Root>, place: &str, text: &str) -> Skill {
    let candidate = Candidate {
        path: root.path.join(place).join("SKILL.md"),
        form: Form::Directory,
        real_directory: None,
        content: Ok(text.as_bytes().to_vec()),
        notes: Vec::new(),
    };
    load(candidate, root)
}

fn named(root: &Arc<Root>, place: &str, name: &str) -> Skill {
    skill(
        root,
        place,
        &format!("---\nname: {name}\ndescription: x\n---\n"),
    )
}

fn registry(skills: Vec<Skill>) -> Registry {
    Registry::new(skills, |_, _| false)
}

fn summary(registry: &Registry) -> Vec<String> {
    registry
        .skills()
        .iter()
        .map(|skill| {
            let kinds: Vec<_> = skill
                .blockers
                .iter()
                .map(|blocker| &*blocker.kind)
                .collect();
            let path = skill.path.to_string_lossy().replace('\\', "/");
            format!(
                "{} {path} {} {}",
                skill.id,
                skill.state.as_str(),
                kinds.join(",")
            )
            .trim_end()
            .to_owned()
        })
        .collect()
}

#[test]
fn the_higher_source_wins_and_the_other_stays() {
    let registry = registry(vec![
        named(&global(), "a", "a"),
        named(&workspace(), "x", "a"),
    ]);
    assert_eq!(
        summary(&registry),
        ["a /w/x/SKILL.md ready", "a /g/a/SKILL.md shadowed shadowed"]
    );
    let shadowed = &registry.skills()[1];
    assert_eq!(
        shadowed.shadowed_by.as_deref(),
        Some(Path::new("/w/x/SKILL.md"))
    );
    assert_eq!(registry.get("a").unwrap().path, Path::new("/w/x/SKILL.md"));
}

#[test]
fn identical_content_is_told_apart() {
    let skills = vec![named(&global(), "a", "a"), named(&workspace(), "a", "a")];
    let registry = Registry::new(skills, |_, _| true);
    assert_eq!(
        summary(&registry),
        [
            "a /w/a/SKILL.md ready",
            "a /g/a/SKILL.md shadowed identical"
        ]
    );
}

#[test]
fn removing_the_winner_brings_the_next_one_back() {
    let mut registry = registry(vec![
        named(&global(), "a", "a"),
        named(&workspace(), "a", "a"),
    ]);
    let removed = registry.remove(Path::new("/w/a/SKILL.md"));
    assert_eq!(summary(&registry), ["a /g/a/SKILL.md ready"]);
    assert_eq!(registry.skills()[0].shadowed_by, None);
    registry.insert(Arc::clone(&removed[0]));
    assert_eq!(
        summary(&registry),
        ["a /w/a/SKILL.md ready", "a /g/a/SKILL.md shadowed shadowed"]
    );
    assert!(registry.remove(Path::new("/no/such")).is_empty());
}

#[test]
fn reloading_a_shadowed_skill_does_not_make_it_win() {
    let mut registry = registry(vec![
        named(&global(), "a", "a"),
        named(&workspace(), "a", "a"),
    ]);
    registry.insert(named(&global(), "a", "a"));
    assert_eq!(
        summary(&registry),
        ["a /w/a/SKILL.md ready", "a /g/a/SKILL.md shadowed shadowed"]
    );
    registry.insert(named(&workspace(), "a", "renamed"));
    assert_eq!(
        summary(&registry),
        ["a /g/a/SKILL.md ready", "renamed /w/a/SKILL.md ready"]
    );
}

#[test]
fn a_broken_skill_neither_wins_nor_is_shadowed() {
    let registry = registry(vec![
        named(&global(), "a", "a"),
        skill(&workspace(), "a", ""),
    ]);
    assert_eq!(
        summary(&registry),
        ["a /w/a/SKILL.md broken file-empty", "a /g/a/SKILL.md ready"]
    );
    assert_eq!(registry.get("a").unwrap().path, Path::new("/g/a/SKILL.md"));
}

#[test]
fn the_same_directory_counts_once_whatever_its_ids() {
    let outer = root("/w", Source::Workspace { distance: 0 }, 0);
    let inner = root("/w/in", Source::Global, 1);
    let plugin = Source::Plugin { name: "p".into() };
    let linked = root("/p", plugin, 2);
    let mut through_link = named(&linked, "b", "a");
    through_link.real_directory = Some(PathBuf::from("/w/in/a"));
    let registry = registry(vec![
        through_link,
        named(&inner, "a", "a"),
        named(&outer, "in/a", "a"),
    ]);
    assert_eq!(
        summary(&registry),
        [
            "a /w/in/a/SKILL.md ready",
            "a /w/in/a/SKILL.md shadowed same-directory",
            "p:a /p/b/SKILL.md shadowed same-directory",
        ]
    );
}

#[test]
fn a_skill_is_found_by_id_name_or_directory() {
    let workspace = workspace();
    let registry = registry(vec![
        named(&workspace, "x", "My Skill"),
        named(&workspace, "y", "other"),
    ]);
    for text in ["my-skill", "My Skill", "x"] {
        assert_eq!(registry.find(text).unwrap().id, "my-skill", "{text}");
    }
    assert_eq!(
        registry.find("z").unwrap_err(),
        LookUpError::Unknown("z".to_owned())
    );
}

#[test]
fn two_matches_are_an_error_that_lists_both() {
    let workspace = workspace();
    let registry = registry(vec![
        named(&workspace, "x/same", "one"),
        named(&workspace, "y/same", "two"),
        named(&workspace, "one", "three"),
    ]);
    let error = registry.find("same").unwrap_err();
    assert!(error.to_string().contains("one, two"), "{error}");
    assert_eq!(registry.find("one").unwrap().id, "one", "an id comes first");
}

#[test]
fn shadowed_skills_do_not_make_a_name_ambiguous() {
    let registry = registry(vec![
        named(&global(), "place", "a"),
        named(&workspace(), "other", "a"),
        named(&workspace(), "place", "b"),
    ]);
    assert_eq!(registry.find("place").unwrap().id, "b");
}

/// A skill that a law is tried on: which root, which place in it, which name, whether it is broken, and whether a link
/// led to it.
fn any_skill() -> impl Strategy<Value = (usize, usize, usize, bool, Option<usize>)> {
    (
        0..3_usize,
        0..4_usize,
        0..3_usize,
        any::<bool>(),
        prop::option::of(0..4_usize),
    )
}

fn made(roots: &[Arc<Root>], parts: (usize, usize, usize, bool, Option<usize>)) -> Skill {
    let (root, place, name, is_broken, link) = parts;
    let text = if is_broken {
        String::new()
    } else {
        format!("---\nname: n{name}\ndescription: x\n---\n")
    };
    // The second root lies in the first one.
    let below = if root == 1 { "" } else { "in/" };
    let mut skill = skill(&roots[root], &format!("{below}p{place}"), &text);
    skill.real_directory = link.map(|target| PathBuf::from(format!("/w/in/p{target}")));
    skill
}

proptest! {
    /// Whatever is put in and taken out, the outcome is that of a search that found what is there at the end.
    #[test]
    fn changes_one_by_one_end_where_a_search_ends(
        changes in prop::collection::vec((any_skill(), any::<bool>()), 1..24),
    ) {
        let roots = [
            root("/w", Source::Workspace { distance: 0 }, 0),
            root("/w/in", Source::Global, 1),
            root("/g", Source::Global, 2),
        ];
        let mut registry = registry(Vec::new());
        let mut model: Vec<Skill> = Vec::new();
        for (parts, is_removal) in changes {
            let skill = made(&roots, parts);
            if is_removal {
                model.retain(|other| other.path != skill.path);
                registry.remove(&skill.path);
            } else {
                let order = skill.root.order;
                model.retain(|other| other.path != skill.path || other.root.order != order);
                model.push(skill.clone());
                registry.insert(skill);
            }
            let expected = Registry::new(model.clone(), |_, _| false);
            prop_assert_eq!(summary(&registry), summary(&expected));
        }
    }
}

#[test]
fn a_change_copies_only_the_skills_that_it_touches() {
    let global = global();
    let mut registry = registry(vec![
        named(&global, "a", "a"),
        named(&global, "b", "b"),
        named(&workspace(), "b", "b"),
    ]);
    let before = registry.clone();
    registry.insert(named(&workspace(), "a", "a"));
    let shared = |path: &str| {
        let path = Path::new(path);
        let (Some(old), Some(new)) = (before.at_path(path), registry.at_path(path)) else {
            return false;
        };
        Arc::ptr_eq(old, new)
    };
    assert!(shared("/g/b/SKILL.md") && shared("/w/b/SKILL.md"));
    assert!(!shared("/g/a/SKILL.md"), "it is shadowed now");
}

#[test]
fn a_new_search_shares_what_stayed_the_same() {
    let global = global();
    let mut old = registry(vec![named(&global, "a", "a"), named(&global, "c", "c")]);
    let mut seen_to_change = named(&global, "c", "c");
    seen_to_change.revision = 2;
    old.insert(seen_to_change);
    let mut new = registry(vec![
        named(&global, "a", "a"),
        named(&global, "b", "b"),
        named(&global, "d", "other"),
        named(&global, "c", "c"),
    ]);
    new.share_with(&old);
    let shares = |id: &str| match (old.get(id), new.get(id)) {
        (Some(old), Some(new)) => Arc::ptr_eq(old, new),
        _ => false,
    };
    assert!(shares("a") && shares("c") && !shares("b") && !shares("other"));
    assert_eq!(new.get("c").unwrap().revision, 2);
}

#[test]
fn sidecars_are_read_on_request_and_nothing_else_is_copied() {
    let place = tempfile::tempdir().unwrap();
    let root = root(&place.path().to_string_lossy(), Source::Global, 0);
    let sidecar = place.path().join("a/agents/openai.yaml");
    std::fs::create_dir_all(sidecar.parent().unwrap()).unwrap();
    std::fs::write(sidecar, "policy:\n  allow_implicit_invocation: false\n").unwrap();
    let mut registry = registry(vec![named(&root, "a", "a"), named(&root, "b", "b")]);
    let before = registry.clone();
    registry.read_sidecars();
    let may_model = |registry: &Registry| -> Vec<bool> {
        let skills = registry.skills().iter();
        skills
            .map(|skill| skill.manifest.as_ref().unwrap().is_model_invocable())
            .collect()
    };
    assert_eq!(may_model(&before), [true, true]);
    assert_eq!(may_model(&registry), [false, true]);
    assert!(Arc::ptr_eq(&registry.skills()[1], &before.skills()[1]));
}

/// Calls every skill that is named in `off` disabled.
fn judged(registry: &mut Registry, off: &[&str]) {
    registry.judge(|skill| {
        let is_off = off.contains(&&*skill.id);
        Standing {
            state: if is_off {
                State::Disabled
            } else {
                State::Ready
            },
            blockers: is_off
                .then(|| Blocker::new("configured", "off"))
                .into_iter()
                .collect(),
        }
    });
}

#[test]
fn a_skill_that_is_not_ready_shadows_all_the_same() {
    let mut registry = registry(vec![
        named(&global(), "a", "a"),
        named(&workspace(), "a", "a"),
        skill(&global(), "broken", ""),
    ]);
    judged(&mut registry, &["a", "broken"]);
    let expected = [
        "a /w/a/SKILL.md disabled configured",
        "a /g/a/SKILL.md shadowed shadowed",
        "broken /g/broken/SKILL.md broken file-empty",
    ];
    assert_eq!(summary(&registry), expected);
    judged(&mut registry, &["a", "broken"]);
    assert_eq!(
        summary(&registry),
        expected,
        "judging twice is judging once"
    );
    registry.remove(Path::new("/w/a/SKILL.md"));
    assert_eq!(summary(&registry)[0], "a /g/a/SKILL.md ready");
    judged(&mut registry, &[]);
    registry.insert(named(&workspace(), "a", "a"));
    judged(&mut registry, &["a"]);
    assert_eq!(summary(&registry), expected);
    judged(&mut registry, &[]);
    assert_eq!(summary(&registry)[0], "a /w/a/SKILL.md ready");
}

#[test]
fn a_skill_whose_state_stays_is_not_copied() {
    let mut registry = registry(vec![named(&global(), "a", "a"), named(&global(), "b", "b")]);
    let before = registry.clone();
    judged(&mut registry, &["b"]);
    assert!(Arc::ptr_eq(&before.skills()[0], &registry.skills()[0]));
    assert!(!Arc::ptr_eq(&before.skills()[1], &registry.skills()[1]));
}
