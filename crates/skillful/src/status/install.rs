//! The ways to get what a skill needs, as far as this system has them. Claims of its author: nothing is run here.

use skillmd::install::InstallSpec;
use skillmd::platform;

use crate::host::Os;

/// One way to get a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstallOption<'a> {
    /// What the author calls it, or `install-N` by its place among all that the skill names, from 1.
    pub id: String,
    /// What installs it, and what.
    pub spec: &'a InstallSpec,
    /// What people are shown.
    pub label: String,
}

impl<'a> InstallOption<'a> {
    /// Those of a skill's ways that there are on this system, in the author's order.
    pub fn on(os: Os, specs: &'a [InstallSpec]) -> Vec<Self> {
        let mut ways = Self::all(specs);
        ways.retain(|way| way.is_for(os));
        ways
    }

    /// All of a skill's ways, on whatever system, in the author's order.
    pub fn all(specs: &'a [InstallSpec]) -> Vec<Self> {
        (1..)
            .zip(specs)
            .map(|(number, spec)| Self {
                id: spec
                    .id
                    .clone()
                    .unwrap_or_else(|| format!("install-{number}")),
                spec,
                label: label(spec),
            })
            .collect()
    }

    /// Whether it is meant for this system.
    pub fn is_for(&self, os: Os) -> bool {
        applies(self.spec, os)
    }
}

/// A way that names no system is for all of them; one that names none is for none.
fn applies(spec: &InstallSpec, os: Os) -> bool {
    spec.os
        .as_ref()
        .is_none_or(|systems| systems.iter().any(|&system| is_same(system, os)))
}

fn is_same(asked: platform::Os, os: Os) -> bool {
    matches!(
        (asked, os),
        (platform::Os::Linux, Os::Linux)
            | (platform::Os::MacOs, Os::MacOs)
            | (platform::Os::Windows, Os::Windows)
    )
}

fn label(spec: &InstallSpec) -> String {
    let what = spec.package.as_deref().or(spec.url.as_deref());
    match (&spec.label, what) {
        (Some(label), _) => label.clone(),
        (None, Some(what)) => format!("Install {what} ({})", spec.kind),
        (None, None) => format!("Install ({})", spec.kind),
    }
}
