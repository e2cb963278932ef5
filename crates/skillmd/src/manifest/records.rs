//! How the records inside a manifest are read and shown: install specs, variables, files, settings, automations.

use crate::field::{FieldValue, Members};
use crate::install::{InstallKind, InstallSpec};
use crate::invocation::Automation;
use crate::reader::{Reader, Separator};
use crate::requirements::{CredentialFile, EnvVariable, Setting};

impl InstallSpec {
    /// Reads OpenClaw's and Aleph's forms. A spec that could not be carried out is reported and left out: one of an
    /// unknown kind, a download without URL, anything else without package.
    pub(super) fn read(reader: &mut Reader<'_, '_>) -> Option<Self> {
        let kind = kind(reader)?;
        let mut package = ["package", "formula", "module", "crate"]
            .into_iter()
            .find_map(|name| reader.member_text(name));
        let cask = match reader.member("cask") {
            Some(mut cask) => {
                // Either the cask's name, or a mark on a package.
                let mark = package.is_some().then(|| cask.flag()).flatten();
                if package.is_none() {
                    package = cask.text();
                }
                mark.unwrap_or(true)
            }
            None => false,
        };
        let url = reader.member_text("url");
        let missing = match kind {
            InstallKind::Download => url.is_none().then_some("url"),
            _ => package.is_none().then_some("package"),
        };
        if let Some(missing) = missing {
            let message = format!("an entry of `{}` lacks `{missing}`", reader.key);
            reader.invalid(reader.node.span, message);
            return None;
        }
        Some(Self {
            id: reader.member_text("id"),
            kind,
            package,
            cask,
            label: reader.member_text("label"),
            bins: reader
                .member("bins")
                .and_then(|mut bins| bins.texts(Separator::Words))
                .unwrap_or_default(),
            os: reader.member("os").and_then(|mut os| os.platforms()),
            url,
            sha256: reader.member_text("sha256"),
            archive: reader.member_text("archive"),
            extract: reader.member_flag("extract"),
            strip_components: reader
                .member("strip-components")
                .and_then(|mut count| count.count()),
            target_dir: reader.member_text("target-dir"),
        })
    }

    pub(super) fn value(&self) -> FieldValue<'_> {
        let os = self.os.as_ref().map(|os| {
            FieldValue::List(os.iter().map(|os| FieldValue::Text(os.as_str())).collect())
        });
        let strip = self.strip_components.map(u64::from);
        Members::default()
            .text("id", self.id.as_deref())
            .text("kind", Some(self.kind.as_str()))
            .text("package", self.package.as_deref())
            .flag("cask", self.cask.then_some(true))
            .text("label", self.label.as_deref())
            .texts("bins", &self.bins)
            .set("os", os)
            .text("url", self.url.as_deref())
            .text("sha256", self.sha256.as_deref())
            .text("archive", self.archive.as_deref())
            .flag("extract", self.extract)
            .set("strip_components", strip.map(FieldValue::Integer))
            .text("target_dir", self.target_dir.as_deref())
            .record()
    }
}

/// The kind of an install spec; older Aleph skills call it `manager`.
fn kind(reader: &mut Reader<'_, '_>) -> Option<InstallKind> {
    for name in ["kind", "manager"] {
        if let Some(mut kind) = reader.member(name) {
            return kind.parsed();
        }
    }
    let message = format!("an entry of `{}` lacks `kind`", reader.key);
    reader.invalid(reader.node.span, message);
    None
}

/// A record that may be written as its main member alone, which must not be blank.
fn main_text(reader: &mut Reader<'_, '_>, name: &str) -> Option<String> {
    let text = if reader.node.as_mapping().is_some() {
        reader.member_text(name)
    } else {
        reader.text()
    };
    let text = text.filter(|text| !text.trim().is_empty());
    if text.is_none() && (reader.node.as_mapping().is_some() || reader.node.as_scalar().is_some()) {
        let message = format!("an entry of `{}` lacks `{name}`", reader.key);
        reader.invalid(reader.node.span, message);
    }
    text
}

impl EnvVariable {
    pub(super) fn read(reader: &mut Reader<'_, '_>) -> Option<Self> {
        let name = main_text(reader, "name")?;
        let optional = reader.member_flag("optional");
        let required = reader.member_flag("required");
        Some(Self {
            name,
            prompt: reader.member_text("prompt"),
            help: reader
                .member_text("help")
                .or_else(|| reader.member_text("description")),
            required_for: reader.member_text("required-for"),
            optional: optional.unwrap_or(required == Some(false)),
        })
    }

    pub(super) fn value(&self) -> FieldValue<'_> {
        Members::default()
            .text("name", Some(&self.name))
            .text("prompt", self.prompt.as_deref())
            .text("help", self.help.as_deref())
            .text("required_for", self.required_for.as_deref())
            .flag("optional", Some(self.optional))
            .record()
    }
}

impl CredentialFile {
    pub(super) fn read(reader: &mut Reader<'_, '_>) -> Option<Self> {
        Some(Self {
            path: main_text(reader, "path")?,
            description: reader.member_text("description"),
        })
    }

    pub(super) fn value(&self) -> FieldValue<'_> {
        Members::default()
            .text("path", Some(&self.path))
            .text("description", self.description.as_deref())
            .record()
    }
}

impl Setting {
    pub(super) fn read(reader: &mut Reader<'_, '_>) -> Option<Self> {
        Some(Self {
            key: main_text(reader, "key")?,
            description: reader.member_text("description"),
            default: reader.member_text("default"),
            prompt: reader.member_text("prompt"),
        })
    }

    pub(super) fn value(&self) -> FieldValue<'_> {
        Members::default()
            .text("key", Some(&self.key))
            .text("description", self.description.as_deref())
            .text("default", self.default.as_deref())
            .text("prompt", self.prompt.as_deref())
            .record()
    }
}

impl Automation {
    /// Reads a suggested run. A member that is not known could change what the others mean, so that the whole is left
    /// out then, as it is without a schedule.
    pub(super) fn read(reader: &mut Reader<'_, '_>) -> Option<Self> {
        const MEMBERS: [&str; 4] = ["schedule", "prompt", "deliver", "no-agent"];
        let node = reader.node;
        let Some(pairs) = node.as_mapping() else {
            if !node.is_null() {
                reader.wrong_type("a mapping with `schedule`");
            }
            return None;
        };
        let unknown = pairs
            .iter()
            .find(|pair| !MEMBERS.contains(&crate::spelling::fold(&pair.key).as_ref()));
        if let Some(pair) = unknown {
            let message = format!("`{}` has no member `{}`", reader.key, pair.key);
            reader.invalid(pair.key_span, message);
            return None;
        }
        let schedule = reader
            .member_text("schedule")
            .filter(|schedule| !schedule.trim().is_empty());
        let Some(schedule) = schedule else {
            let message = format!("`{}` lacks `schedule`", reader.key);
            reader.invalid(node.span, message);
            return None;
        };
        Some(Self {
            schedule,
            prompt: reader.member_text("prompt"),
            deliver: reader.member_text("deliver"),
            no_agent: reader.member_flag("no-agent"),
        })
    }

    pub(super) fn value(&self) -> FieldValue<'_> {
        Members::default()
            .text("schedule", Some(&self.schedule))
            .text("prompt", self.prompt.as_deref())
            .text("deliver", self.deliver.as_deref())
            .flag("no_agent", self.no_agent)
            .record()
    }
}
