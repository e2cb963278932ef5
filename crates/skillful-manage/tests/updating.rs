//! Whether there is something newer, and taking it over, from an index, a hub and an archive: servers of the test's own.

#![expect(clippy::unwrap_used, reason = "in a test, a panic is the report")]

use std::fs;
use std::path::PathBuf;

use skillful::{Clients, Host, Options, Setup};
use skillful_manage::Operation;
use skillful_manage::gate::Gate;
use skillful_manage::install::{
    Consent, Installer, Standing, StandingKind, UpdatePlan, UpdateStep, UpdateWish,
};
use skillful_manage::progress::Silent;
use skillful_manage::source::fetch::{Fetcher, Settings};
use skillful_manage::source::{Address, Permission};
use skillful_manage::targets::Reach;
use skillful_store::Choices;
use tempfile::TempDir;

mod common;
use common::changing::Changing;
use common::*;

const INDEX: &str = "/.well-known/agent-skills/index.json";
const DOWNLOAD: &str = "/api/v1/download?slug=pdf";

/// What a skill comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Index,
    Hub,
    Archive,
}

const KINDS: [Kind; 3] = [Kind::Index, Kind::Hub, Kind::Archive];

/// A project with the skill `pdf`, version 1, and the server that it came from.
struct World {
    kind: Kind,
    web: Changing,
    setup: Setup,
    directory: TempDir,
}

impl World {
    fn with_one(kind: Kind) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let top = directory.path().canonicalize().unwrap();
        for path in ["home", "project/.claude"] {
            fs::create_dir_all(top.join(path)).unwrap();
        }
        let options = Options {
            home: Some(top.join("home")),
            project: Some(top.join("project")),
            ..Options::default()
        };
        let host = Host::new(top.join("project")).with_home(top.join("home"));
        let clients = Clients::built_in().unwrap();
        let world = Self {
            kind,
            web: Changing::start("ETag", "If-None-Match"),
            setup: Setup::read(host, clients, options, None, Choices::default()),
            directory,
        };
        world.publish(1);
        world.install();
        world.web.sent();
        world
    }

    fn installer(&self) -> Installer<'_> {
        let project = self.directory.path().canonicalize().unwrap();
        let reach = Reach::Project(project.join("project"));
        let gate = Gate::of(&self.setup.config).unwrap();
        Installer::new(&self.setup, reach, gate).unwrap()
    }

    fn fetcher(&self) -> Fetcher {
        let hub = Address::parse(&self.web.server.url("/"), Permission::Encrypted);
        Fetcher::new(Settings {
            hub: Some(hub.unwrap()),
            answers: Some(self.installer().data.answers()),
            ..Settings::default()
        })
    }

    fn source(&self) -> String {
        match self.kind {
            Kind::Index => format!("well-known:{}", self.web.server.url("/@pdf")),
            Kind::Hub => "hub:pdf".to_owned(),
            Kind::Archive => self.web.server.url("/pdf.zip"),
        }
    }

    fn install(&self) {
        let installer = self.installer();
        let source = installer.files().source(&self.source()).unwrap();
        let staging = installer.data.objects().stage().unwrap();
        let fetched = self
            .fetcher()
            .fetch(&source, staging.path(), &Silent)
            .unwrap();
        let found = fetched.chosen().unwrap();
        let offers = found.iter().map(|it| fetched.offer(it, installer.files()));
        let plan = installer.plan(offers.flatten().collect(), &Silent).unwrap();
        let applied = installer.apply(&plan, Consent::Given, Operation::ADD);
        assert!(applied.unwrap().entry.is_some());
    }

    /// Puts a version of the skill on the server.
    fn publish(&self, version: u32) {
        let bytes = archive(version);
        let digest = sha256(&bytes);
        self.publish_bytes(version, &bytes, &digest);
    }

    fn publish_bytes(&self, version: u32, bytes: &[u8], digest: &str) {
        let etag = format!("\"{}\"", sha256(bytes));
        match self.kind {
            Kind::Index => {
                let entry = format!(
                    r#"{{"name":"pdf","type":"archive","description":"d","url":"/pdf.zip","digest":"sha256:{digest}"}}"#
                );
                self.list(&entry);
                self.web.set("/pdf.zip", &etag, bytes);
            }
            Kind::Hub => {
                let about = format!(r#"{{"latestVersion":{{"version":"{version}.0.0"}}}}"#);
                let about_etag = format!("\"about-{version}\"");
                self.web.set("/api/v1/skills/pdf", &about_etag, about);
                let download = format!("{DOWNLOAD}&version={version}.0.0");
                self.web.set(&download, &etag, bytes);
            }
            Kind::Archive => self.web.set("/pdf.zip", &etag, bytes),
        }
    }

    fn list(&self, entries: &str) {
        let index = format!(
            r#"{{"$schema":"https://schemas.agentskills.io/discovery/0.2.0/schema.json","skills":[{entries}]}}"#
        );
        let etag = format!("\"{}\"", sha256(index.as_bytes()));
        self.web.set(INDEX, &etag, index);
    }

    fn standing(&self) -> Standing {
        let installer = self.installer();
        let standings = installer.outdated(&[], &self.fetcher(), &Silent).unwrap();
        let [standing] = &standings[..] else {
            panic!("one skill is installed: {standings:?}");
        };
        standing.clone()
    }

    fn plan(&self, prune: bool) -> UpdatePlan {
        let wish = UpdateWish {
            ids: Vec::new(),
            prune,
        };
        let plan = self
            .installer()
            .plan_update(&wish, &self.fetcher(), &Silent);
        plan.unwrap()
    }

    /// What an update would do, and after it was done, what is installed.
    fn update(&self, prune: bool) -> (UpdateStep, Option<String>) {
        let plan = self.plan(prune);
        let updated = self.installer().apply_update(&plan, Consent::Given);
        updated.unwrap();
        (plan.skills[0].step.clone(), self.installed())
    }

    fn installed(&self) -> Option<String> {
        let project: PathBuf = self.directory.path().join("project");
        fs::read_to_string(project.join(".agents/skills/pdf/SKILL.md")).ok()
    }
}

fn text(version: u32) -> String {
    format!("{}Version {version}.\n", skill_text("pdf"))
}

fn archive(version: u32) -> Vec<u8> {
    zip_of(&[("SKILL.md", text(version).as_bytes())])
}

#[test]
fn what_is_unchanged_costs_no_body() {
    for kind in KINDS {
        let world = World::with_one(kind);
        assert_eq!(world.standing().kind, StandingKind::Current, "{kind:?}");
        let (step, installed) = world.update(false);
        assert_eq!(step, UpdateStep::Nothing, "{kind:?}");
        assert_eq!(installed, Some(text(1)));
        assert_eq!(world.web.sent(), 0, "{kind:?}");
    }
}

#[test]
fn what_is_newer_is_sent_once_and_taken_over() {
    for kind in KINDS {
        let world = World::with_one(kind);
        world.publish(2);
        let standing = world.standing();
        assert_eq!(standing.kind, StandingKind::Update, "{kind:?}");
        if kind == Kind::Hub {
            assert_eq!(standing.current, "1.0.0");
            assert_eq!(standing.latest.as_deref(), Some("2.0.0"));
        }
        // The list, or what the hub says of the skill, and the archive.
        let bodies = if kind == Kind::Archive { 1 } else { 2 };
        assert_eq!(world.web.sent(), bodies, "{kind:?}");
        let (step, installed) = world.update(false);
        assert_eq!(step, UpdateStep::Replace, "{kind:?}");
        assert_eq!(installed, Some(text(2)));
        assert_eq!(world.standing().kind, StandingKind::Current);
        assert_eq!(world.web.sent(), 0, "{kind:?}: it is here already");
    }
}

#[test]
fn what_is_gone_stays_until_it_is_pruned() {
    for kind in [Kind::Index, Kind::Hub] {
        let world = World::with_one(kind);
        match kind {
            Kind::Index => world.list(""),
            _ => world.web.remove("/api/v1/skills/pdf"),
        }
        assert_eq!(world.standing().kind, StandingKind::Removed, "{kind:?}");
        assert_eq!(world.update(false), (UpdateStep::Gone, Some(text(1))));
        assert_eq!(world.update(true), (UpdateStep::Remove, None), "{kind:?}");
    }
}

/// An index with others in it is as clear as an empty one; an address without anything may be a mistake of a moment.
#[test]
fn what_is_gone_is_told_from_what_is_not_found() {
    let world = World::with_one(Kind::Index);
    let other = "---\nname: other\ndescription: Waters plants. Use when asked about gardens.\n---\n\nDrip.\n";
    let other = zip_of(&[("SKILL.md", other.as_bytes())]);
    world.web.set("/other.zip", "\"o\"", other.clone());
    world.list(&format!(
        r#"{{"name":"other","type":"archive","description":"d","url":"/other.zip","digest":"sha256:{}"}}"#,
        sha256(&other)
    ));
    assert_eq!(world.standing().kind, StandingKind::Removed);

    for kind in [Kind::Index, Kind::Archive] {
        let world = World::with_one(kind);
        world.web.remove(INDEX);
        world.web.remove("/pdf.zip");
        let standing = world.standing();
        assert_eq!(standing.kind, StandingKind::Unreachable, "{kind:?}");
        let detail = standing.detail.unwrap();
        assert!(detail.contains("answers 404: it is not there"), "{detail}");
        let (step, installed) = world.update(true);
        assert!(matches!(step, UpdateStep::Unreachable(_)), "{step:?}");
        assert_eq!(installed, Some(text(1)));
    }
}

#[test]
fn other_bytes_than_promised_are_not_taken_over() {
    let world = World::with_one(Kind::Index);
    world.publish_bytes(2, &archive(2), &sha256(b"promised"));
    let standing = world.standing();
    assert_eq!(standing.kind, StandingKind::Unreachable);
    let detail = standing.detail.unwrap();
    assert!(detail.contains("is not what its index says"), "{detail}");
    let (step, installed) = world.update(false);
    assert!(matches!(step, UpdateStep::Unreachable(_)), "{step:?}");
    assert_eq!(installed, Some(text(1)));
    // Once the list is right, what arrived earlier is as good as what arrives now.
    world.publish(2);
    assert_eq!(world.update(false), (UpdateStep::Replace, Some(text(2))));
}

#[test]
fn a_damaged_archive_is_not_taken_over() {
    for kind in KINDS {
        let world = World::with_one(kind);
        let mut bytes = archive(2);
        bytes.truncate(bytes.len() / 2);
        world.publish_bytes(2, &bytes, &sha256(&bytes));
        assert_eq!(world.standing().kind, StandingKind::Unreachable, "{kind:?}");
        let (step, installed) = world.update(false);
        assert!(matches!(step, UpdateStep::Unreachable(_)), "{step:?}");
        assert_eq!(installed, Some(text(1)), "{kind:?}");
    }
}

#[test]
fn a_server_that_is_down_changes_nothing() {
    for kind in KINDS {
        let mut world = World::with_one(kind);
        let fetcher = world.fetcher();
        let other = Changing::start("ETag", "If-None-Match");
        std::mem::replace(&mut world.web, other).server.stop();
        let installer = world.installer();
        let standings = installer.outdated(&[], &fetcher, &Silent).unwrap();
        assert_eq!(standings[0].kind, StandingKind::Unreachable, "{kind:?}");
        let wish = UpdateWish {
            ids: Vec::new(),
            prune: true,
        };
        let plan = installer.plan_update(&wish, &fetcher, &Silent).unwrap();
        assert!(plan.has_failures() && !plan.changes_something());
        installer.apply_update(&plan, Consent::Given).unwrap();
        assert_eq!(world.installed(), Some(text(1)), "{kind:?}");
    }
}
