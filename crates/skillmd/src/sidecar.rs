//! Codex's sidecar `agents/openai.yaml`: what Codex is told beside SKILL.md.
//!
//! It fails open, as in Codex: what cannot be read is a diagnostic and is left out, and the skill loads all the same.
//! [`Manifest::merge_sidecar`](crate::Manifest::merge_sidecar) brings it together with the frontmatter.

use crate::code::Code;
use crate::diagnostic::{Diagnostic, Reporter};
use crate::field::{FieldValue, Members};
use crate::limits::{SIDECAR_NAME_CHARS, SIDECAR_TEXT_CHARS};
use crate::node::Node;
use crate::reader::{Faults, Reader, Separator};
use crate::span::Span;
use crate::yaml;

/// What the sidecar says. What could not be read is not set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sidecar {
    /// `interface`: what people are shown.
    pub interface: Interface,
    /// `dependencies.tools`: MCP servers and the like that the skill builds on.
    pub tools: Vec<ToolDependency>,
    /// `policy.allow_implicit_invocation`: whether the model may bring the skill up; nothing = yes.
    pub allow_implicit_invocation: Option<bool>,
    /// `policy.products`: the products that the skill is for; empty = all.
    pub products: Vec<String>,
}

/// What people are shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Interface {
    /// A name for people, at most 64 characters.
    pub display_name: Option<String>,
    /// A description for narrow places, at most 1,024 characters.
    pub short_description: Option<String>,
    /// Path of a small picture in the skill.
    pub icon_small: Option<String>,
    /// Path of a large picture in the skill.
    pub icon_large: Option<String>,
    /// A colour's code.
    pub brand_color: Option<String>,
    /// What to begin a conversation with, at most 1,024 characters.
    pub default_prompt: Option<String>,
}

/// A tool that the skill builds on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolDependency {
    /// `type`: what it is, such as `mcp`.
    pub kind: String,
    /// Its name.
    pub value: String,
    /// What it is for.
    pub description: Option<String>,
    /// How it is reached, such as `streamable_http`.
    pub transport: Option<String>,
    /// The command that starts it.
    pub command: Option<String>,
    /// Where it is reached.
    pub url: Option<String>,
}

impl Sidecar {
    /// Reads the text of a sidecar. The diagnostics' places are those of that text.
    pub fn read(text: &str) -> (Self, Vec<Diagnostic>) {
        let mut reporter = Reporter::new(text);
        let sidecar = match yaml::parse(text, 0, &mut reporter) {
            Ok(Some(root)) => Self::from_node(&root, &mut reporter),
            Ok(None) => Self::default(),
            Err(fault) => {
                let message = format!("the sidecar is not YAML: {}", fault.message);
                reporter.report(Code::SidecarInvalid, Span::at(fault.offset), message);
                Self::default()
            }
        };
        (sidecar, reporter.finish())
    }

    fn from_node(root: &Node, reporter: &mut Reporter<'_>) -> Self {
        let mut reader = Reader {
            key: "agents/openai.yaml",
            node: root,
            reporter,
            faults: Faults::As(Code::SidecarInvalid),
        };
        if root.as_mapping().is_none() && !root.is_null() {
            reader.wrong_type("a mapping");
        }
        let mut sidecar = Self::default();
        if let Some(mut interface) = section(&mut reader, "interface") {
            sidecar.interface = Interface::read(&mut interface);
        }
        if let Some(mut dependencies) = section(&mut reader, "dependencies")
            && let Some(mut tools) = dependencies.member("tools")
        {
            sidecar.tools = tools.each(ToolDependency::read).unwrap_or_default();
        }
        if let Some(mut policy) = section(&mut reader, "policy") {
            sidecar.allow_implicit_invocation = policy.member_flag("allow-implicit-invocation");
            sidecar.products = policy
                .member("products")
                .and_then(|mut products| products.texts(Separator::Words))
                .unwrap_or_default();
        }
        sidecar
    }

    pub(crate) fn value(&self) -> FieldValue<'_> {
        let interface = &self.interface;
        let interface = Members::default()
            .text("display_name", interface.display_name.as_deref())
            .text("short_description", interface.short_description.as_deref())
            .text("icon_small", interface.icon_small.as_deref())
            .text("icon_large", interface.icon_large.as_deref())
            .text("brand_color", interface.brand_color.as_deref())
            .text("default_prompt", interface.default_prompt.as_deref())
            .record_if_any();
        let tools = (!self.tools.is_empty())
            .then(|| FieldValue::List(self.tools.iter().map(ToolDependency::value).collect()));
        Members::default()
            .set("interface", interface)
            .set("tools", tools)
            .flag("allow_implicit_invocation", self.allow_implicit_invocation)
            .texts("products", &self.products)
            .record()
    }
}

/// A member that must be a mapping.
fn section<'a, 't>(reader: &'a mut Reader<'_, 't>, name: &str) -> Option<Reader<'a, 't>> {
    let mut section = reader.member(name)?;
    if section.node.as_mapping().is_none() && !section.node.is_null() {
        section.wrong_type("a mapping");
    }
    Some(section)
}

/// The text of a member, left out when it is longer than Codex takes.
fn bounded(reader: &mut Reader<'_, '_>, name: &str, limit: usize) -> Option<String> {
    let mut member = reader.member(name)?;
    let text = member.text()?;
    let length = text.chars().count();
    if length > limit {
        let message = format!(
            "`{}` has {length} characters; Codex takes {limit}",
            member.key
        );
        member.invalid(member.node.span, message);
        return None;
    }
    Some(text)
}

impl Interface {
    fn read(reader: &mut Reader<'_, '_>) -> Self {
        Self {
            display_name: bounded(reader, "display-name", SIDECAR_NAME_CHARS),
            short_description: bounded(reader, "short-description", SIDECAR_TEXT_CHARS),
            icon_small: reader.member_text("icon-small"),
            icon_large: reader.member_text("icon-large"),
            brand_color: reader.member_text("brand-color"),
            default_prompt: bounded(reader, "default-prompt", SIDECAR_TEXT_CHARS),
        }
    }
}

impl ToolDependency {
    fn read(reader: &mut Reader<'_, '_>) -> Option<Self> {
        let kind = bounded(reader, "type", SIDECAR_NAME_CHARS);
        let value = bounded(reader, "value", SIDECAR_TEXT_CHARS);
        let (Some(kind), Some(value)) = (kind, value) else {
            let message = format!("an entry of `{}` lacks `type` or `value`", reader.key);
            reader.invalid(reader.node.span, message);
            return None;
        };
        Some(Self {
            kind,
            value,
            description: bounded(reader, "description", SIDECAR_TEXT_CHARS),
            transport: bounded(reader, "transport", SIDECAR_NAME_CHARS),
            command: bounded(reader, "command", SIDECAR_TEXT_CHARS),
            url: bounded(reader, "url", SIDECAR_TEXT_CHARS),
        })
    }

    fn value(&self) -> FieldValue<'_> {
        Members::default()
            .text("type", Some(&self.kind))
            .text("value", Some(&self.value))
            .text("description", self.description.as_deref())
            .text("transport", self.transport.as_deref())
            .text("command", self.command.as_deref())
            .text("url", self.url.as_deref())
            .record()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str = "\
interface:
  display_name: Pretty PDFs
  short_description: Makes PDFs
  icon_small: ./assets/small.svg
  brand_color: \"#ff0000\"
  default_prompt: Make one
dependencies:
  tools:
    - type: mcp
      value: printer
      transport: streamable_http
      url: https://printer.example/mcp
policy:
  allow_implicit_invocation: no
  products: [codex]
";

    #[test]
    fn a_whole_sidecar() {
        let (sidecar, diagnostics) = Sidecar::read(WHOLE);
        assert_eq!(diagnostics, []);
        let interface = &sidecar.interface;
        assert_eq!(interface.display_name.as_deref(), Some("Pretty PDFs"));
        assert_eq!(interface.brand_color.as_deref(), Some("#ff0000"));
        assert_eq!(interface.icon_large, None);
        assert_eq!(sidecar.tools[0].kind, "mcp");
        assert_eq!(sidecar.tools[0].value, "printer");
        assert_eq!(sidecar.allow_implicit_invocation, Some(false));
        assert_eq!(sidecar.products, ["codex"]);
    }

    fn faults(text: &str) -> (Sidecar, Vec<usize>) {
        let (sidecar, diagnostics) = Sidecar::read(text);
        assert!(diagnostics.iter().all(|d| d.code == Code::SidecarInvalid));
        let lines = diagnostics.iter().map(|d| d.position.line).collect();
        (sidecar, lines)
    }

    #[test]
    fn one_fault_costs_one_field() {
        let long = "x".repeat(65);
        let text = format!(
            "interface:\n  display_name: {long}\n  brand_color: [1]\n  icon_small: a.png\npolicy: 7\n"
        );
        let (sidecar, lines) = faults(&text);
        assert_eq!(lines, [2, 3, 5]);
        assert_eq!(sidecar.interface.display_name, None);
        assert_eq!(sidecar.interface.icon_small.as_deref(), Some("a.png"));
    }

    #[test]
    fn a_tool_needs_type_and_value() {
        let text =
            "dependencies:\n  tools:\n    - type: mcp\n    - {type: mcp, value: x}\n    - text\n";
        let (sidecar, lines) = faults(text);
        assert_eq!(lines, [3, 5]);
        assert_eq!(sidecar.tools.len(), 1);
    }

    #[test]
    fn what_is_no_mapping_says_nothing() {
        assert_eq!(faults(""), (Sidecar::default(), vec![]));
        assert_eq!(faults("- a\n"), (Sidecar::default(), vec![1]));
        assert_eq!(faults("a: [\n").0, Sidecar::default());
        assert_eq!(faults("a: [\n").1.len(), 1);
    }
}
