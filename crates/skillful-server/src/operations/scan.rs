//! Looking for what attackers do, and for what is wrong: in a skill, or in a text that is being edited.

use skillful::check::{Rules, Subject as Checking, check_content};
use skillful::contract::{AcceptedJson, ScanDocument, ScannedBundle, TextCheckDocument};
use skillful::guard::{Accepted, Subject, judge};
use skillful::scanner::report::BundleReport;
use skillful::scanner::scan;
use skillful::{Setup, Skill};

use super::Answer;
use super::machine::rules;
use super::read::find;
use crate::engine::Engine;
use crate::failure::Failure;

/// What a text is called that lies nowhere.
const NOWHERE: &str = "SKILL.md";

impl Engine {
    /// All that the guard finds in the files of a skill, read anew.
    pub fn scan(&self, id: &str) -> Result<Answer<ScanDocument<'static>>, Failure> {
        let snapshot = self.snapshot()?;
        let skill: &Skill = find(&snapshot, id)?;
        let scanned = scanned(&Subject::of_skill(skill), snapshot.setup())?;
        Ok(Answer::of(&ScanDocument::new([&scanned]))?.typed())
    }

    /// What is wrong with a SKILL.md that is being edited, and what the guard finds in it. Nothing is written.
    pub fn check_text(
        &self,
        text: &str,
        name: Option<&str>,
    ) -> Result<Answer<TextCheckDocument<'static>>, Failure> {
        let snapshot = self.snapshot()?;
        let config = &snapshot.setup().config;
        let subject = Checking::without_place(NOWHERE);
        let subject = match name {
            Some(name) => subject.called(name),
            None => subject,
        };
        let wanted = Rules {
            ignored: config.ignored(),
            ..Rules::default()
        };
        let bytes = text.as_bytes().to_vec();
        let checked = [check_content(&subject, Ok(bytes.clone()), &wanted)];
        let subject = Subject {
            path: NOWHERE.into(),
            ..Subject::of_text(bytes, Some(NOWHERE))
        };
        let scanned = scanned(&subject, snapshot.setup())?;
        Ok(Answer::of(&TextCheckDocument::new(&checked, &scanned))?.typed())
    }
}

fn scanned(subject: &Subject, setup: &Setup) -> Result<ScannedBundle, Failure> {
    let scan = scan(&subject.gathered.bundle, rules()?);
    let digest = subject.gathered.digest.clone();
    let judged = judge(&setup.config.guard_policy(), &scan, digest.as_deref());
    let conditions = setup.conditions();
    let accepted = digest.as_deref().and_then(|digest| {
        let choices = conditions.records.choices();
        Accepted::of(digest, subject.key.as_ref(), &setup.config, choices)
    });
    Ok(ScannedBundle {
        accepted: accepted.map(AcceptedJson::from),
        id: subject.id.clone(),
        digest,
        known: 0,
        report: BundleReport::new(subject.path.to_string_lossy(), &scan.coverage, &judged),
    })
}
