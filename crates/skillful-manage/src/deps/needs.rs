//! The programs that a skill needs, and which of them are there.

use std::path::PathBuf;

use skillful::Programs;
use skillmd::Manifest;

/// How a skill asks for a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NeedKind {
    /// It cannot do without.
    Required,
    /// It needs this one or one of the others of this kind.
    AnyOf,
    /// It is of use; nothing is installed for it unless asked for.
    Advised,
    /// Nothing says that it is needed, but an install spec says that it provides it. Counts where the skill requires no
    /// program by name.
    Provided,
}

impl NeedKind {
    /// The word in every output.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Required => "required",
            Self::AnyOf => "any-of",
            Self::Advised => "advised",
            Self::Provided => "provided",
        }
    }
}

/// A program that a skill asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Need {
    /// Its name.
    pub program: String,
    /// How it is asked for.
    pub kind: NeedKind,
    /// Its file, where it is there.
    pub found: Option<PathBuf>,
}

impl Need {
    /// All that a skill asks for, each program once, in its author's order.
    pub(super) fn all(manifest: &Manifest, programs: &Programs) -> Vec<Self> {
        let required = &manifest.requirements;
        let mut needs: Vec<Self> = Vec::new();
        let mut add = |names: &[String], kind| {
            for name in names {
                if needs.iter().all(|need| need.program != *name) {
                    needs.push(Self {
                        program: name.clone(),
                        kind,
                        found: programs.find(name),
                    });
                }
            }
        };
        add(&required.bins, NeedKind::Required);
        add(&required.any_bins, NeedKind::AnyOf);
        add(&required.advised_bins, NeedKind::Advised);
        if required.bins.is_empty() && required.any_bins.is_empty() {
            for spec in &manifest.install {
                add(&spec.bins, NeedKind::Provided);
            }
        }
        needs
    }
}

/// The programs that something is to be done for: each of those that are required, and where none of the alternatives
/// is there, any one of these.
pub(super) fn missing(needs: &[Need]) -> Vec<Vec<&str>> {
    let is_absent = |need: &&Need| need.found.is_none();
    let of = |kind| needs.iter().filter(move |need| need.kind == kind);
    let single = needs
        .iter()
        .filter(|need| matches!(need.kind, NeedKind::Required | NeedKind::Provided))
        .filter(is_absent)
        .map(|need| vec![need.program.as_str()]);
    let mut groups: Vec<Vec<&str>> = single.collect();
    if of(NeedKind::AnyOf).next().is_some() && of(NeedKind::AnyOf).all(|need| is_absent(&need)) {
        groups.push(
            of(NeedKind::AnyOf)
                .map(|need| need.program.as_str())
                .collect(),
        );
    }
    groups
}
