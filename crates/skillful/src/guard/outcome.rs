//! What a scan found, reduced to what any policy needs to judge by: it is small, and kept instead of scanning again.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use skillful_guard::{
    Category, Confidence, Content, Coverage, FileInput, Finding, Gap, GapKind, Judged, Policy,
    RuleBook, Scan, Severity, Verdict,
};

use super::gather::Gathered;
use crate::bundle::git::below_git;
use crate::discover::Form;
use crate::limits;
use crate::load::Skill;

/// What a scan of some content came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Outcome {
    content: ContentName,
    /// The digest of the files, where that is not the name of the content.
    other_digest: Option<String>,
    /// Whether everything was read, and every finding that could matter to a policy is here.
    pub(super) complete: bool,
    /// The worst first; of each rule in each file, one for each confidence.
    pub(super) findings: Vec<Finding>,
}

/// The name of all that a scan sees of a skill: two bundles with the same name are the same to the scanner.
///
/// Of plain files it is their digest. Else it says more than the digest, which tells nothing of what cannot be read, of
/// most of a `.git` directory, and of what an archive holds beside the skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ContentName(String);

/// What all digests begin with, and no other name.
const DIGEST: &str = "sha256:";

impl ContentName {
    /// The name of what was read of a skill.
    pub(super) fn of(skill: &Skill, gathered: &Gathered) -> Self {
        match &gathered.digest {
            Some(digest) if is_plain(skill, gathered) => Self(digest.clone()),
            _ => Self(format!("content:{}", hash(gathered))),
        }
    }

    /// A name that was kept.
    pub(super) fn kept(name: &str) -> Self {
        Self(name.to_owned())
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

/// Whether the digest of a skill's files tells all that a scan sees. It passes over whether the SKILL.md is executable,
/// and what a flat skill's file is called.
fn is_plain(skill: &Skill, gathered: &Gathered) -> bool {
    let main = skill.path.file_name();
    let is_plain = |file: &FileInput| {
        let is_main = main.is_some_and(|main| *main == *file.path);
        matches!(file.content, Content::Bytes(_))
            && !(is_main && file.executable)
            && below_git(&file.path).is_none()
    };
    skill.form == Form::Directory && gathered.bundle.files().iter().all(is_plain)
}

/// The form in which it is kept; nothing at all where everything was read and nothing found.
#[derive(Deserialize, Serialize)]
struct Kept {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    digest: Option<String>,
    #[serde(default, skip_serializing_if = "is_false")]
    incomplete: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    findings: Vec<KeptFinding>,
}

#[derive(Deserialize, Serialize)]
struct KeptFinding {
    rule: String,
    category: Category,
    severity: Severity,
    confidence: Confidence,
    path: String,
    line: usize,
    column: usize,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    excerpt: String,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_false(flag: &bool) -> bool {
    !flag
}

impl Outcome {
    /// Reduces a scan.
    pub(super) fn of(scan: Scan, content: ContentName, digest: Option<String>) -> Self {
        let mut complete = scan.coverage.is_complete();
        let mut findings = scan.findings;
        // Those of one rule, file and confidence are alike to every policy; people are shown the first.
        let mut seen = BTreeSet::new();
        findings.retain(|finding| {
            seen.insert((finding.rule, finding.path.clone(), finding.confidence))
        });
        findings.sort_by(|a, b| worst_first(a).cmp(&worst_first(b)));
        if findings.len() > limits::GUARD_FINDINGS {
            // What is left out is no worse than what is kept, and the skill is never safe.
            findings.truncate(limits::GUARD_FINDINGS);
            complete = false;
        }
        for (place, finding) in findings.iter_mut().enumerate() {
            finding.lowered = Vec::new();
            finding.note = None;
            if place >= limits::GUARD_EXCERPTS {
                finding.excerpt = String::new();
            }
        }
        let is_name = digest.as_deref() == Some(content.as_str());
        Self {
            content,
            other_digest: digest.filter(|_| !is_name),
            complete,
            findings,
        }
    }

    /// What was scanned.
    pub(super) fn content(&self) -> &ContentName {
        &self.content
    }

    /// The digest of the files, by which people accept them; nothing where they cannot all be read.
    pub(super) fn digest(&self) -> Option<&str> {
        let name = self.content.as_str();
        let own = name.starts_with(DIGEST).then_some(name);
        own.or(self.other_digest.as_deref())
    }

    /// The bytes that are kept.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        if self.complete && self.findings.is_empty() && self.other_digest.is_none() {
            return Vec::new();
        }
        let kept = Kept {
            digest: self.other_digest.clone(),
            incomplete: !self.complete,
            findings: self.findings.iter().map(KeptFinding::from).collect(),
        };
        serde_json::to_vec(&kept).unwrap_or_default()
    }

    /// Reads what was kept of this content; nothing when it is something else, or tells of rules that there are not.
    pub(super) fn from_bytes(content: ContentName, bytes: &[u8]) -> Option<Self> {
        if bytes.is_empty() {
            return Some(Self {
                content,
                other_digest: None,
                complete: true,
                findings: Vec::new(),
            });
        }
        let kept: Kept = serde_json::from_slice(bytes).ok()?;
        let findings = if kept.findings.is_empty() {
            Vec::new()
        } else {
            let rules = RuleBook::built_in().ok()?;
            let read = |finding| KeptFinding::read(finding, rules);
            kept.findings.into_iter().map(read).collect::<Option<_>>()?
        };
        Some(Self {
            content,
            other_digest: kept.digest,
            complete: !kept.incomplete,
            findings,
        })
    }

    /// Judges it.
    pub(super) fn judge(&self, policy: &Policy) -> Judged {
        if self.findings.is_empty() {
            return Judged {
                verdict: if self.complete {
                    Verdict::Safe
                } else {
                    Verdict::Caution
                },
                findings: Vec::new(),
                suppressed: Vec::new(),
            };
        }
        let mut coverage = Coverage::default();
        if !self.complete {
            coverage.gaps.push(Gap {
                path: String::new(),
                kind: GapKind::Findings,
                detail: String::new(),
            });
        }
        let scan = Scan {
            findings: self.findings.clone(),
            coverage,
        };
        policy.judge(&scan, self.digest().unwrap_or_default())
    }
}

/// What sorts the worst finding first.
fn worst_first(finding: &Finding) -> impl Ord + use<'_> {
    (
        std::cmp::Reverse((finding.severity, finding.confidence)),
        &finding.path,
        finding.line,
        finding.column,
        finding.rule,
    )
}

impl From<&Finding> for KeptFinding {
    fn from(finding: &Finding) -> Self {
        Self {
            rule: finding.rule.to_owned(),
            category: finding.category,
            severity: finding.severity,
            confidence: finding.confidence,
            path: finding.path.clone(),
            line: finding.line,
            column: finding.column,
            excerpt: finding.excerpt.clone(),
        }
    }
}

impl KeptFinding {
    fn read(self, rules: &'static RuleBook) -> Option<Finding> {
        let rule = rules.get(&self.rule)?;
        Some(Finding {
            path: self.path,
            line: self.line,
            column: self.column,
            rule: &rule.id,
            category: self.category,
            severity: self.severity,
            confidence: self.confidence,
            lowered: Vec::new(),
            excerpt: self.excerpt,
            note: None,
            help: &rule.fix,
        })
    }
}

fn hash(gathered: &Gathered) -> String {
    let mut hasher = Sha256::new();
    let mut part = |bytes: &[u8]| {
        hasher.update((bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    };
    part(gathered.digest.as_deref().unwrap_or_default().as_bytes());
    for file in gathered.bundle.files() {
        part(file.path.as_bytes());
        part(&[u8::from(file.executable)]);
        match &file.content {
            Content::Bytes(bytes) => {
                part(b"file");
                part(bytes);
            }
            Content::Link { target } => {
                part(b"link");
                part(target.as_bytes());
            }
            Content::Unreadable(reason) => {
                part(b"unreadable");
                part(reason.as_bytes());
            }
            Content::TooLarge(size) => {
                part(b"too large");
                part(&size.to_le_bytes());
            }
            Content::Special => part(b"special"),
        }
    }
    super::stamp::hex(&hasher.finalize())
}
