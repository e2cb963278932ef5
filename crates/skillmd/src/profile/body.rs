//! Placeholders in the body that a client does not fill in, or fills in its own way.

use super::Arguments;
use super::check::Check;
use crate::span::Span;

/// All variables of all clients, beside the arguments.
const VARIABLES: [&str; 9] = [
    "${CLAUDE_SKILL_DIR}",
    "${CLAUDE_SESSION_ID}",
    "${CLAUDE_EFFORT}",
    "${CLAUDE_PROJECT_DIR}",
    "${CLAUDE_PLUGIN_ROOT}",
    "${CLAUDE_PLUGIN_DATA}",
    "${HERMES_SKILL_DIR}",
    "${HERMES_SESSION_ID}",
    "{baseDir}",
];

const ALL_ARGUMENTS: &str = "$ARGUMENTS";

impl Check<'_, '_> {
    pub(super) fn body(&mut self) {
        self.arguments();
        self.variables();
        self.inline_commands();
    }

    fn in_body(&self, offset: usize, length: usize) -> Span {
        Span::new(offset, offset + length).shifted(self.document.body_span().start)
    }

    fn arguments(&mut self) {
        let body = self.document.body();
        let whole = body.find(ALL_ARGUMENTS);
        let invocation = &self.manifest.invocation;
        let takes_arguments = whole.is_some()
            || invocation.argument_hint.is_some()
            || !invocation.arguments.is_empty();
        if let Some(offset) = whole.filter(|_| self.profile.arguments == Arguments::None) {
            let span = self.in_body(offset, ALL_ARGUMENTS.len());
            self.differs(span, "does not fill in `$ARGUMENTS`");
        }
        // In other skills `$1` belongs to a shell script.
        let Some((offset, digit)) = positional(body).filter(|_| takes_arguments) else {
            return;
        };
        let meaning = match self.profile.arguments {
            Arguments::None | Arguments::Whole => format!("does not fill in `${digit}`"),
            Arguments::FromZero => format!(
                "counts arguments from `$0`: `${digit}` is number {}",
                digit + 1
            ),
            Arguments::FromOne => {
                format!("counts arguments from `$1`: `${digit}` is number {digit}")
            }
        };
        let span = self.in_body(offset, 2);
        self.differs(span, &meaning);
    }

    fn variables(&mut self) {
        for variable in VARIABLES {
            if self.profile.variables.contains(&variable) {
                continue;
            }
            if let Some(offset) = self.document.body().find(variable) {
                let span = self.in_body(offset, variable.len());
                self.differs(span, &format!("does not fill in `{variable}`"));
            }
        }
    }

    fn inline_commands(&mut self) {
        if self.profile.inline_commands {
            return;
        }
        let body = self.document.body();
        let command = body
            .match_indices("!`")
            .map(|(offset, _)| offset)
            .find(|&offset| {
                let before = body.get(..offset).unwrap_or_default();
                before.is_empty() || before.ends_with(char::is_whitespace)
            });
        if let Some(offset) = command {
            let span = self.in_body(offset, 2);
            self.differs(span, "does not run inline commands");
        }
    }
}

/// The first `$` with one digit that is no part of a longer word or amount.
fn positional(body: &str) -> Option<(usize, u32)> {
    body.match_indices('$').find_map(|(offset, _)| {
        let mut after = body.get(offset + 1..)?.chars();
        let digit = after.next()?.to_digit(10)?;
        let next = after.next();
        let second = after.next();
        let is_longer = next.is_some_and(char::is_alphanumeric)
            || (matches!(next, Some('.' | ',')) && second.is_some_and(|c| c.is_ascii_digit()));
        let is_escaped = body.get(..offset)?.ends_with('\\');
        (!is_longer && !is_escaped).then_some((offset, digit))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positional_arguments_are_told_from_amounts() {
        assert_eq!(positional("use $1."), Some((4, 1)));
        assert_eq!(positional("$0"), Some((0, 0)));
        assert_eq!(positional("$100 $1.50 $2,000 $1st \\$1 $x $"), None);
    }
}
