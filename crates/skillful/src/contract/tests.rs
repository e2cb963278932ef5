use std::path::PathBuf;

use serde_json::json;
use skillmd::{Code, Encoding, Manifest, Reporter};

use super::*;
use crate::bundle::Bundle;
use crate::discover::{Candidate, Form};
use crate::load::load;
use crate::roots::{Root, Source, Trust};

fn skill(text: &str) -> Skill {
    let mut root = Root::new(PathBuf::from("/r"), Source::Global, Trust::Community);
    root.client = Some("claude-code".into());
    root.clients = vec!["claude-code".into(), "cursor".into()];
    let candidate = Candidate {
        path: PathBuf::from("/r/x/SKILL.md"),
        form: Form::Directory,
        real_directory: None,
        content: Ok(text.as_bytes().to_vec()),
        notes: Vec::new(),
    };
    load(candidate, &Arc::new(root))
}

#[test]
fn a_ready_skill_in_a_list() {
    let skills = [skill("---\nname: x\ndescription: y\n---\n")];
    let document = serde_json::to_value(ListDocument::new(&skills.map(Arc::new), &[])).unwrap();
    assert_eq!(
        document,
        json!({"version": 1, "skills": [{
            "id": "x", "name": "x", "description": "y", "source": "global",
            "client": "claude-code", "clients": ["claude-code", "cursor"],
            "root": "/r", "path": "/r/x/SKILL.md", "state": "ready", "blockers": [], "verdict": null, "diagnostics": [],
        }]})
    );
}

#[test]
fn a_broken_and_a_shadowed_skill_say_why() {
    let mut skills = [skill(""), skill("---\nname: x\ndescription: y\n---\n")];
    skills[1].shadowed_by = Some(PathBuf::from("/w/x/SKILL.md"));
    let document = serde_json::to_value(ListDocument::new(&skills.map(Arc::new), &[])).unwrap();
    let entries = &document["skills"];
    assert_eq!(entries[0]["state"], "broken");
    assert_eq!(entries[0]["blockers"][0]["kind"], "file-empty");
    assert_eq!(entries[1]["shadowed_by"], "/w/x/SKILL.md");
}

#[test]
fn problems_stand_beside_the_skills() {
    let problems = [Problem::RootMissing(PathBuf::from("/gone"))];
    let problems = problem_diagnostics(&problems);
    let document = serde_json::to_value(ListDocument::new(&[], &problems)).unwrap();
    assert_eq!(document["problems"][0]["code"], "file-unreadable");
    assert_eq!(document["problems"][0]["path"], "/gone");
}

#[test]
fn a_diagnostic_with_help_and_fix() {
    let mut diagnostic = Diagnostic::about_file(Code::YamlTab, "a tab");
    diagnostic.help("use blanks");
    diagnostic.fix(
        "replace it",
        skillmd::Edit::replace(skillmd::Span::new(1, 2), "  "),
    );
    let json = serde_json::to_value(DiagnosticJson {
        diagnostic: &diagnostic,
        path: Path::new("/x"),
    });
    assert_eq!(
        json.unwrap(),
        json!({
            "code": "yaml-tab", "severity": "error", "message": "a tab", "path": "/x", "line": 1, "column": 1,
            "help": "use blanks",
            "fix": {"title": "replace it", "edits": [{"start": 1, "end": 2, "replacement": "  "}]},
        })
    );
}

#[test]
fn a_frontmatter_keeps_everything_in_order_and_typed() {
    let text = "---\nz: 1\na: [yes, 1.5, ~, .inf]\nz: again\nm:\n  d: true\n  b: '1'\n---\n";
    let document = skillmd::parse_text(text.to_owned(), Encoding::Utf8);
    let json = serde_json::to_string(&FrontmatterJson(&document)).unwrap();
    assert_eq!(
        json,
        r#"{"z":1,"a":["yes",1.5,null,".inf"],"m":{"d":true,"b":"1"}}"#
    );
}

#[test]
fn a_number_is_one_only_where_json_says_the_same() {
    let shown = |written: &str| {
        let text = format!("---\nx: {written}\n---\n");
        let document = skillmd::parse_text(text, Encoding::Utf8);
        serde_json::to_string(&FrontmatterJson(&document)).unwrap()
    };
    for number in ["0", "-5", "12", "1.5", "-0.25", "0.001"] {
        assert_eq!(shown(number), format!("{{\"x\":{number}}}"));
    }
    for text in [
        "1.10",
        "1.0",
        "007",
        "+5",
        "-0",
        "0x1F",
        "0o14",
        "1e3",
        ".5",
        ".nan",
        "2026-01-01",
        "9007199254740993",
        "123456789012345678901234567890",
        "0.1234567890123456789",
    ] {
        assert_eq!(shown(text), format!("{{\"x\":\"{text}\"}}"));
    }
}

#[test]
fn show_holds_the_entry_and_more() {
    let text = "---\nname: x\ndescription: y\nversion: 1.0\nown: 1\n---\nBody";
    let skill = skill(text);
    let document = skillmd::parse_text(text.to_owned(), Encoding::Utf8);
    let manifest = Manifest::read(&document, &mut Reporter::new(text));
    let bundle = Bundle {
        resources: vec![Resource {
            path: "a.txt".to_owned(),
            size: 5,
            executable: false,
        }],
        bytes: 10,
        ..Bundle::default()
    };
    let details = Details {
        document: Some(document),
        manifest,
        bundle,
        tokens: 1,
        diagnostics: vec![Diagnostic::about_file(Code::BodyEmpty, "late")],
    };
    let show = serde_json::to_value(ShowDocument::new(&skill, &details)).unwrap();
    assert_eq!(show["version"], 1);
    assert_eq!(show["id"], "x");
    assert_eq!(show["manifest"]["version"], "1.0");
    assert_eq!(show["frontmatter"]["own"], 1);
    assert_eq!(show["diagnostics"][0]["code"], "body-empty");
    assert_eq!((&show["bytes"], &show["tokens"]), (&json!(10), &json!(1)));
    assert_eq!(
        show["resources"],
        json!([{"path": "a.txt", "size": 5, "executable": false}])
    );
}

#[test]
fn the_status_of_a_skill() {
    use skillful_store::{Activity, Archived, Choice, Records, Timestamp, Usage};

    let skills = vec![skill("---\nname: x\ndescription: y\n---\n")];
    let registry = crate::Registry::new(skills, |_, _| false);
    let key = crate::records::key_of(&registry.skills()[0]);
    let mut usage = Usage::default();
    usage.count(Activity::Read, Timestamp::from_seconds(60));
    usage.count(Activity::Win, Timestamp::from_seconds(61));
    let mut records = Records::default();
    records.usage.insert(key.clone(), usage);
    let archived = Archived {
        at: Timestamp::from_seconds(90),
        reason: Some("old".parse().unwrap()),
    };
    records
        .choices
        .apply(&key, Choice::Archive(archived.clone()));
    let setup = crate::Setup::of_host(crate::Host::new("/"));
    let circumstances = crate::status::Circumstances {
        agent: setup.agent(None),
        records: &records,
        now: Timestamp::from_seconds(100),
        digests: false,
    };
    let entries = crate::status::full_status(&registry, &circumstances);
    let document = serde_json::to_value(StatusDocument::new(&entries, 7)).unwrap();
    let mut entry = document["skills"][0].clone();
    let confidence = entry["usage"]["confidence"].take().as_f64().unwrap();
    assert!((0.2..0.21).contains(&confidence));
    assert_eq!(
        entry,
        json!({
            "id": "x", "name": "x", "description": "y", "source": "global",
            "client": "claude-code", "clients": ["claude-code", "cursor"],
            "root": "/r", "path": "/r/x/SKILL.md", "trust": "community", "verdict": null,
            "state": "ready", "blockers": [], "mode": "auto", "scope": "system",
            "user_invocable": true, "model_invocable": true, "install_options": [],
            "bytes": 31, "tokens": 0, "diagnostics": 0, "shadows": [],
            "lifecycle": "archived", "pinned": false,
            "archived": {"at": "1970-01-01T00:01:30Z", "reason": "old"},
            "usage": {
                "offers": 0, "reads": 1, "uses": 0, "wins": 1, "patches": 0,
                "first": "1970-01-01T00:01:00Z", "last_read": "1970-01-01T00:01:00Z",
                "last_win": "1970-01-01T00:01:01Z", "confidence": null,
            },
        })
    );
    assert_eq!(
        (
            &document["version"],
            &document["total"],
            &document["filtered"]
        ),
        (&json!(1), &json!(7), &json!(1))
    );
    let skill = &registry.skills()[0];
    let outcome = LifecycleDocument::new("archived", &skill.id, Some(&skill.path), Some(&archived));
    assert_eq!(
        serde_json::to_value(outcome).unwrap(),
        json!({
            "version": 1, "outcome": "archived", "id": "x", "path": "/r/x/SKILL.md",
            "archived_at": "1970-01-01T00:01:30Z", "reason": "old",
        })
    );
}
