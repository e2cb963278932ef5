use std::sync::Arc;

use super::*;
use crate::bundle::tests::Place;
use crate::state::{Blocker, State};

fn text(frontmatter: &str, body: &str) -> String {
    format!("---\nname: x\ndescription: d\n{frontmatter}---\n{body}")
}

/// A place whose one skill has this text.
fn place(text: &str) -> Place {
    let place = Place::new();
    place.file("x/SKILL.md", text);
    place
}

fn skill(place: &Place) -> Skill {
    place.skill("x/SKILL.md")
}

fn body_request(arguments: &str) -> Request {
    Request {
        arguments: Arguments::parse(arguments).unwrap(),
        framing: Framing::Body,
        ..Request::default()
    }
}

fn activated(place: &Place, request: &Request) -> Activation {
    activate(&skill(place), request, &Permissions::default()).unwrap()
}

#[test]
fn a_skill_is_handed_over_with_all_that_belongs_to_it() {
    let place = place(&text(
        "allowed-tools: Bash(${CLAUDE_SKILL_DIR}/run.sh $0), Read\nmax_tool_rounds: 3\n",
        "\n# X\n\nRun {baseDir}/run.sh with $ARGUMENTS.\n",
    ));
    place.file("x/run.sh", "");
    place.file("x/references/a.md", "");
    place.file("x/.env", "");
    let activation = activated(
        &place,
        &Request {
            framing: Framing::Wrapped,
            ..body_request("a b")
        },
    );
    let directory = std::fs::canonicalize(place.path("x")).unwrap();
    let shown = directory.display();
    assert_eq!(
        activation.content,
        format!(
            "<skill_content name=\"x\">\n# X\n\nRun {shown}/run.sh with a b.\n\n\
             Skill directory: {shown}\nRelative paths in this skill are relative to the skill directory.\n\n\
             <skill_resources>\n  <file>references/a.md</file>\n  <file>run.sh</file>\n</skill_resources>\n</skill_content>\n"
        )
    );
    assert_eq!(activation.directory, Some(directory.clone()));
    assert_eq!(activation.digest, digest(&skill(&place)));
    assert!(activation.digest.is_some());
    assert_eq!(activation.tokens, estimate_tokens(&activation.content));
    let tools = activation.claims.allowed_tools.unwrap();
    assert_eq!(
        tools,
        [format!("Bash({shown}/run.sh $0)"), "Read".to_owned()]
    );
    assert_eq!(activation.claims.max_tool_rounds, Some(3));
}

#[test]
fn the_whole_file_keeps_its_frontmatter_as_it_is_written() {
    let written = text("license: $0 ${SKILL_DIR}\n", "\nUse $0.\n");
    let place = place(&written);
    let request = Request {
        framing: Framing::File,
        ..body_request("it")
    };
    let expected = written.replace("Use $0", "Use it");
    assert_eq!(activated(&place, &request).content, expected);
    let request = Request {
        as_written: true,
        ..request
    };
    assert_eq!(activated(&place, &request).content, written);
}

#[test]
fn arguments_without_a_place_follow_the_text() {
    let place = place(&text("", "\nDo it.\n\n"));
    assert_eq!(
        activated(&place, &body_request("  a 'b' ")).content,
        "Do it.\n\nARGUMENTS: a 'b'\n"
    );
    assert_eq!(activated(&place, &body_request(" ")).content, "Do it.");
}

#[test]
fn kesokus_readers_replace_skill_dir_themselves() {
    let place = place(&text(
        "version: 2.1.0\n",
        "Run ${SKILL_DIR}/a in {baseDir}.\n",
    ));
    let request = Request {
        framing: Framing::Kesoku,
        ..Request::default()
    };
    let directory = std::fs::canonicalize(place.path("x")).unwrap();
    let content = activated(&place, &request).content;
    assert!(content.starts_with("\n# Skill: x (v2.1.0)\n> [!IMPORTANT]"));
    assert!(content.ends_with(&format!(
        "> SKILL_DIR='{0}'\n>\nRun ${{SKILL_DIR}}/a in {0}.",
        directory.display()
    )));
}

#[test]
fn a_plugins_skill_finds_the_plugin() {
    let place = place(&text("", "${CLAUDE_PLUGIN_ROOT}/run\n"));
    std::fs::create_dir(place.path(".claude-plugin")).unwrap();
    let mut skill = skill(&place);
    let mut content = |request: &Request, source: Source| {
        Arc::make_mut(&mut skill.root).source = source;
        let activation = activate(&skill, request, &Permissions::default()).unwrap();
        activation.content
    };
    let plugin = || Source::Plugin { name: "p".into() };
    let mut request = body_request("");
    let root = std::fs::canonicalize(place.path("")).unwrap();
    let expected = format!("{}/run", root.display());
    assert_eq!(content(&request, plugin()), expected);
    assert_eq!(
        content(&request, Source::Global),
        "${CLAUDE_PLUGIN_ROOT}/run"
    );
    let given = ("CLAUDE_PLUGIN_ROOT".to_owned(), "/other".to_owned());
    request.variables.extend([given]);
    assert_eq!(content(&request, plugin()), "/other/run");
}

#[test]
fn every_state_but_ready_is_refused_with_its_reason() {
    let place = Place::new();
    for state in [
        State::Ineligible,
        State::Disabled,
        State::Archived,
        State::Withheld,
        State::Shadowed,
        State::Broken,
    ] {
        let mut skill = skill(&place);
        skill.state = state;
        skill.blockers = vec![
            Blocker::new("why", "the reason"),
            Blocker::new("and", "more"),
        ];
        skill.shadowed_by = Some("/winner/SKILL.md".into());
        let error = activate(&skill, &Request::default(), &Permissions::default()).unwrap_err();
        let expected = format!("`x` is {}: the reason; more", state.as_str());
        assert_eq!(error.to_string(), expected);
        let ActivationError::Refused(Refusal::State { winner, .. }) = error else {
            panic!("{error}");
        };
        assert_eq!(winner.unwrap(), Path::new("/winner/SKILL.md"));
    }
}

#[test]
fn a_shadowed_skill_names_the_winner() {
    let place = Place::new();
    let first = skill(&place);
    let mut second = first.clone();
    second.path = place.path("y/SKILL.md");
    let registry = crate::Registry::new(vec![first, second], |_, _| false);
    let loser = &registry.skills()[1];
    let error = activate(loser, &Request::default(), &Permissions::default()).unwrap_err();
    let winner = registry.skills()[0].path.display().to_string();
    assert_eq!(
        error.to_string(),
        format!("`x` is shadowed: {winner} has the same id and precedence")
    );
}

#[test]
fn some_skills_are_for_people_only() {
    let model = Request {
        invoker: Invoker::Model,
        ..Request::default()
    };
    let person = Request::default();
    let none = Permissions::default();
    let manual = Permissions {
        mode: Mode::ManualOnly,
        ..Permissions::default()
    };
    let refused = |place: &Place, request: &Request, permissions: &Permissions| {
        activate(&skill(place), request, permissions)
            .map(|_| ())
            .map_err(|error| error.to_string())
    };
    let plain = Place::new();
    assert_eq!(refused(&plain, &model, &none), Ok(()));
    assert_eq!(refused(&plain, &person, &manual), Ok(()));
    assert_eq!(
        refused(&plain, &model, &manual).unwrap_err(),
        "`x` is for people to bring up, not for a model: its mode is `manual-only`"
    );
    let off = Permissions {
        mode: Mode::Disabled,
        ..Permissions::default()
    };
    assert!(refused(&plain, &person, &off).is_err());

    let authors = place(&text("disable-model-invocation: true\n", "Do it.\n"));
    assert_eq!(refused(&authors, &person, &none), Ok(()));
    assert!(
        refused(&authors, &model, &none)
            .unwrap_err()
            .contains("its author")
    );

    plain.file(
        "x/agents/openai.yaml",
        "policy:\n  allow_implicit_invocation: false\n",
    );
    assert!(
        refused(&plain, &model, &none)
            .unwrap_err()
            .contains("its author")
    );
}

#[test]
fn a_part_of_a_large_body() {
    let place = place(&text("", "one\ntwo $0\nthree\n"));
    let request = |range| Request {
        range,
        ..body_request("2")
    };
    let lines = Range::Lines {
        first: 2,
        limit: Some(1),
    };
    let activation = activated(&place, &request(lines));
    assert_eq!(activation.content, "two 2\n");
    assert_eq!(activation.part.next, Some(3));
    assert!(!activation.is_beginning());
    let beyond = Range::Characters {
        offset: 99,
        limit: None,
    };
    let error = activate(&skill(&place), &request(beyond), &Permissions::default());
    assert_eq!(
        error.unwrap_err().to_string(),
        "`x`: the part begins at 99, but there are only 15 characters"
    );
}

#[test]
fn the_same_files_twice_in_a_session_are_already_active() {
    let place = Place::new();
    let mut session = Session::default();
    let mut given = |range| {
        let request = Request {
            range,
            ..Request::default()
        };
        let mut activation = activated(&place, &request);
        session.note(&mut activation);
        activation.already_active
    };
    place.file("x/SKILL.md", text("", "one\ntwo\n"));
    assert!(!given(Range::Whole));
    assert!(given(Range::Whole));
    let later = Range::Lines {
        first: 2,
        limit: None,
    };
    assert!(!given(later), "a later part was not given before");
    place.file("x/run.sh", "new");
    assert!(!given(Range::Whole), "a script has changed");
    assert!(given(Range::Whole));
}

#[test]
fn other_arguments_make_another_text_that_was_not_given_before() {
    let place = place(&text("", "Deploy to $0.\n"));
    let mut session = Session::default();
    assert!(!session.holds("x"));
    let mut given = |arguments| {
        let mut activation = activated(&place, &body_request(arguments));
        session.note(&mut activation);
        activation.already_active
    };
    assert!(!given("staging"));
    assert!(given("staging"));
    assert!(!given("production"));
    assert!(session.holds("x"));
    session.clear();
    assert!(!session.holds("x"));
}

#[test]
fn an_edit_counts_at_once_and_a_file_that_is_gone_says_so() {
    let place = place(&text("", "old\n"));
    let skill = skill(&place);
    let request = body_request("");
    let content = || activate(&skill, &request, &Permissions::default()).map(|given| given.content);
    place.file("x/SKILL.md", text("", "new\n"));
    assert_eq!(content().unwrap(), "new");
    place.file("x/SKILL.md", [0xff]);
    assert!(matches!(content(), Err(ActivationError::Unreadable { .. })));
    std::fs::remove_file(place.path("x/SKILL.md")).unwrap();
    let error = content().unwrap_err().to_string();
    assert!(
        error.starts_with("`x` cannot be read any more: "),
        "{error}"
    );
}

#[cfg(unix)]
#[test]
fn a_link_out_of_the_root_that_came_later_is_not_followed() {
    let place = place(&text("", "old\n"));
    let skill = skill(&place);
    let outside = tempfile::tempdir().unwrap();
    let secret = outside.path().join("secret");
    std::fs::write(&secret, text("", "secret\n")).unwrap();
    std::fs::remove_file(place.path("x/SKILL.md")).unwrap();
    std::os::unix::fs::symlink(&secret, place.path("x/SKILL.md")).unwrap();
    let error = activate(&skill, &Request::default(), &Permissions::default()).unwrap_err();
    assert!(error.to_string().contains("outside its root"), "{error}");
}

#[test]
fn long_lists_of_files_are_cut_and_counted() {
    let place = Place::new();
    for index in 0..limits::ACTIVATION_RESOURCES + 5 {
        place.file(&format!("x/{index}"), "");
    }
    let activation = activated(&place, &Request::default());
    assert_eq!(activation.resources.len(), limits::ACTIVATION_RESOURCES);
    assert_eq!(activation.more_resources, 5);
    assert!(activation.content.contains("  (and 5 more)\n"));
}

#[test]
fn commands_stay_text_and_are_reported() {
    let place = place(&text("allow-inline-shell: true\n", "Now: !`echo $0`\n"));
    let activation = activated(&place, &body_request("a"));
    assert_eq!(activation.content, "Now: !`echo $0`\n\nARGUMENTS: a\n");
    let report = &activation.commands[0];
    assert_eq!(report.outcome, Outcome::NotRun(NotRun::NotAllowed));
}

#[cfg(unix)]
#[test]
fn commands_run_in_the_skills_directory_when_all_agree() {
    let place = place(&text(
        "allow-inline-shell: true\n",
        "Now: !`cat \"{baseDir}/data\" data; echo $1`\n\n```!\npwd\n```\n",
    ));
    place.file("x/data", "!`id` $0 ");
    let host = Host::from_environment();
    let permissions = Permissions {
        trusted: true,
        ..Permissions::default()
    }
    .with_inline_shell(&host, None);
    let activation = activate(&skill(&place), &body_request("a ';b'"), &permissions).unwrap();
    let directory = std::fs::canonicalize(place.path("x")).unwrap();
    assert_eq!(
        activation.content,
        format!("Now: !`id` $0 !`id` $0 ;b\n\n{}", directory.display()),
        "the output is not looked at again"
    );
    assert!(
        activation
            .commands
            .iter()
            .all(|report| report.outcome == Outcome::Done)
    );
}

#[test]
fn skills_of_every_form_can_be_activated() {
    let place = Place::new();
    place.archive("y.skill", &[("y/SKILL.md", 0o644), ("y/a.md", 0o644)]);
    let archive = place.skill("y.skill");
    let root = Arc::new(crate::bundled::root());
    let bundled = crate::load::load(crate::bundled::candidates().next().unwrap(), &root);
    for (skill, resources) in [(archive, 1), (bundled, 0)] {
        let activation = activate(&skill, &Request::default(), &Permissions::default()).unwrap();
        assert_eq!(activation.directory, None);
        assert_eq!(activation.resources.len(), resources);
        assert!(activation.digest.is_some());
    }
}
