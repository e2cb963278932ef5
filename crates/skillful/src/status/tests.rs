use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock};

use skillful_store::{Activity, Choice, Key};
use skillmd::{Encoding, Manifest, Reporter};

use super::*;
use crate::config::{Config, Layer, Level};
use crate::discover::{Candidate, Form};
use crate::host::{Host, Os};
use crate::load::load;
use crate::roots::{Root, Source, Trust};
use crate::setup::Setup;
use crate::state::{Standing, State};

const DAY: i64 = 86_400;

/// Skills of two roots, of which none is on disk.
fn registry(skills: &[(&str, &str, &str)]) -> Registry {
    let roots = ["/near", "/far"].map(|path| {
        let mut root = Root::new(PathBuf::from(path), Source::Global, Trust::Community);
        root.real.clone_from(&root.path);
        root.order = u32::from(path == "/far");
        Arc::new(root)
    });
    let loaded = skills.iter().map(|(root, directory, text)| {
        let root = roots.iter().find(|known| known.path == Path::new(root));
        let root = root.unwrap();
        let candidate = Candidate {
            path: root.path.join(directory).join("SKILL.md"),
            form: Form::Directory,
            real_directory: None,
            content: Ok(text.as_bytes().to_vec()),
            notes: Vec::new(),
        };
        load(candidate, root)
    });
    Registry::new(loaded.collect(), |_, _| false)
}

fn text(name: &str) -> String {
    format!("---\nname: {name}\ndescription: d\n---\nBody\n")
}

fn statuses<'a>(registry: &'a Registry, records: &'a Records, day: i64) -> Vec<StatusEntry<'a>> {
    static SETUP: LazyLock<Setup> = LazyLock::new(|| {
        let config = "[skills.kept]\nmode = \"required\"\n";
        let layer = Layer::read(Level::User, Path::new("/u.toml"), config);
        let mut setup = Setup::of_host(Host::new("/"));
        setup.config = Config::of_layers([layer]);
        setup
    });
    let circumstances = Circumstances {
        agent: SETUP.agent(None),
        records,
        now: Timestamp::from_seconds(day * DAY),
        digests: false,
    };
    full_status(registry, &circumstances)
}

fn used(ids: &[&str], day: i64) -> Records {
    let mut usage = BTreeMap::new();
    for id in ids {
        let known: &mut Usage = usage.entry(Key::new(*id, "/near")).or_default();
        known.count(Activity::Read, Timestamp::from_seconds(day * DAY));
    }
    Records {
        usage,
        ..Records::default()
    }
}

#[test]
fn every_candidate_has_a_status_in_the_order_of_the_registry() {
    let text = text("a");
    let registry = registry(&[
        ("/far", "a", &text),
        ("/near", "b", ""),
        ("/near", "a", &text),
    ]);
    let records = used(&["a"], 1);
    let entries = statuses(&registry, &records, 2);
    let found: Vec<_> = entries
        .iter()
        .map(|entry| (&*entry.skill.id, entry.skill.state, entry.shadows.len()))
        .collect();
    assert_eq!(
        found,
        [
            ("a", State::Ready, 1),
            ("a", State::Shadowed, 0),
            ("b", State::Broken, 0)
        ]
    );
    assert_eq!(entries[0].shadows, [Path::new("/far/a/SKILL.md")]);
    assert_eq!(entries[0].usage.unwrap().of(Activity::Read).count, 1);
    assert_eq!(entries[1].usage, None, "another origin");
    assert_eq!(entries[0].digest, None, "nobody asked");
}

#[test]
fn stale_pinned_and_archived() {
    let texts = ["fresh", "idle", "kept", "put-away"].map(text);
    let skills: Vec<_> = ["fresh", "idle", "kept", "put-away"]
        .into_iter()
        .zip(&texts)
        .map(|(id, text)| ("/near", id, text.as_str()))
        .collect();
    let registry = registry(&skills);
    let mut records = used(&["idle", "kept", "put-away"], 10);
    let archive = Choice::Archive(Archived {
        at: Timestamp::default(),
        reason: None,
    });
    records
        .choices
        .apply(&Key::new("put-away", "/near"), archive);
    records.choices.apply(
        &Key::new("fresh", "/near"),
        Choice::Pin(Timestamp::default()),
    );
    let entries = statuses(&registry, &records, 40);
    let found: Vec<_> = entries
        .iter()
        .map(|entry| (&*entry.skill.id, entry.stage, entry.pinned))
        .collect();
    assert_eq!(
        found,
        [
            ("fresh", Stage::Active, true),
            ("idle", Stage::Stale, false),
            ("kept", Stage::Active, true),
            ("put-away", Stage::Archived, false),
        ]
    );
    let ids = |filter: Filter| -> Vec<&str> {
        entries
            .iter()
            .filter(|entry| filter.takes(entry))
            .map(|entry| &*entry.skill.id)
            .collect()
    };
    assert_eq!(ids(Filter::All).len(), 4);
    assert_eq!(ids(Filter::Ready), ["fresh", "idle", "kept"]);
    assert_eq!(ids(Filter::Stale), ["idle"]);
    assert_eq!(ids(Filter::Archived), ["put-away"]);
}

#[test]
fn filters_go_by_state() {
    let off = "---\nname: off\ndescription: d\n---\n";
    let mut registry = registry(&[("/near", "off", off), ("/near", "empty", "")]);
    registry.judge(|_| Standing {
        state: State::Disabled,
        blockers: Vec::new(),
    });
    let records = Records::default();
    let entries = statuses(&registry, &records, 0);
    let count = |filter: Filter| entries.iter().filter(|entry| filter.takes(entry)).count();
    let counts: Vec<_> = Filter::ALL.into_iter().map(count).collect();
    assert_eq!(counts, [2, 0, 0, 1, 1, 0, 0, 0, 0]);
}

#[test]
fn filters_are_read_back() {
    for filter in Filter::ALL {
        assert_eq!(filter.to_string().parse(), Ok(filter));
    }
    assert_eq!("needs_setup".parse(), Ok(Filter::NeedsSetup));
    let error = "odd".parse::<Filter>().unwrap_err().to_string();
    assert!(
        Filter::ALL
            .iter()
            .all(|filter| error.contains(filter.as_str()))
    );
}

#[test]
fn install_options_are_those_of_this_system() {
    let document = skillmd::parse_text(
        "---\nname: x\ndescription: d\nmetadata:\n  openclaw:\n    install:\n\
         \x20     - {kind: brew, formula: jq, os: [darwin]}\n\
         \x20     - {id: own, kind: npm, package: tool, bins: [tool]}\n\
         \x20     - {kind: uv, package: other, label: Get it, os: [linux]}\n\
         \x20     - {kind: go, module: never, os: []}\n---\n"
            .to_owned(),
        Encoding::Utf8,
    );
    let manifest = Manifest::read(&document, &mut Reporter::new(document.text()));
    let options = |os| {
        InstallOption::on(os, &manifest.install)
            .into_iter()
            .map(|option| (option.id, option.label))
            .collect::<Vec<_>>()
    };
    let pair = |id: &str, label: &str| (id.to_owned(), label.to_owned());
    assert_eq!(
        options(Os::Linux),
        [
            pair("own", "Install tool (npm)"),
            pair("install-3", "Get it")
        ]
    );
    assert_eq!(
        options(Os::MacOs),
        [
            pair("install-1", "Install jq (brew)"),
            pair("own", "Install tool (npm)")
        ]
    );
    assert_eq!(options(Os::Other), [pair("own", "Install tool (npm)")]);
}

#[test]
fn an_api_key_is_set_or_not() {
    let text = "---\nname: x\ndescription: d\nmetadata:\n  openclaw:\n    primaryEnv: X_KEY\n---\n";
    let registry = registry(&[("/near", "x", text)]);
    let records = Records::default();
    let key_set = |host: Host| {
        let setup = Setup::of_host(host);
        let circumstances = Circumstances {
            agent: setup.agent(None),
            records: &records,
            now: Timestamp::default(),
            digests: false,
        };
        full_status(&registry, &circumstances)[0].api_key_set
    };
    assert_eq!(key_set(Host::new("/")), Some(false));
    assert_eq!(
        key_set(Host::new("/").with_variable("X_KEY", "")),
        Some(false)
    );
    assert_eq!(
        key_set(Host::new("/").with_variable("X_KEY", "1")),
        Some(true)
    );
}

#[test]
fn size_is_that_of_all_files_and_tokens_those_of_the_body() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("root");
    std::fs::create_dir_all(path.join("x")).unwrap();
    let text = format!("---\nname: x\ndescription: d\n---\n{}", "word".repeat(10));
    std::fs::write(path.join("x/SKILL.md"), &text).unwrap();
    std::fs::write(path.join("x/data"), [0; 100]).unwrap();
    let host = Host::new(place.path());
    let options = crate::Options {
        roots: vec![path],
        ..crate::Options::default()
    };
    let clients = crate::Clients::built_in().unwrap();
    let library = crate::Library::scan(&host, &clients, &options);
    let records = Records::default();
    let setup = Setup::of_host(host);
    let circumstances = Circumstances {
        agent: setup.agent(None),
        records: &records,
        now: Timestamp::default(),
        digests: true,
    };
    let entries = full_status(&library.registry, &circumstances);
    assert_eq!(entries[0].bytes, text.len() as u64 + 100);
    assert_eq!(entries[0].tokens, 10);
    assert!(entries[0].digest.as_ref().unwrap().starts_with("sha256:"));
    let skill = library.registry.get("x").unwrap();
    let one = status_of(&library.registry, [&**skill], &circumstances);
    assert_eq!(one[0].digest, entries[0].digest);
}
