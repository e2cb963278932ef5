//! Commands: a message that begins with `/NAME` or `!NAME`.

use skillmd::trigger::Trigger;

use super::{Candidate, Kind, Match, of_kind};
use crate::limits;

/// The command that a message begins with.
pub(super) struct Command<'m> {
    /// As it is typed, with the sign in front.
    written: &'m str,
    /// The words from the command on in lower case, a bot's name behind the first one cut off.
    words: Vec<String>,
    /// How closely a skill must be called so to be meant by its name.
    closeness: Option<Closeness>,
}

/// How a skill is called by a name, the closest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Closeness {
    Id,
    Name,
    /// What a plugin's skill is called in the plugin.
    InPlugin,
}

/// Most words of a command that is declared with blanks in it.
const WORDS: usize = 8;

impl<'m> Command<'m> {
    /// The command of a message, if it has one. Whom its name means depends on all skills: nobody who is merely called
    /// so comes up beside the one with that id.
    pub(super) fn of_message(text: &'m str, candidates: &[Candidate<'_>]) -> Option<Self> {
        let mut written = text.split_whitespace();
        let first = written.next()?;
        let name = first.strip_prefix(['/', '!'])?;
        let name = name.split('@').next().filter(|name| !name.is_empty())?;
        if name.len() > limits::COMMAND_BYTES {
            return None;
        }
        let rest = written
            .take(WORDS - 1)
            .take_while(|word| word.len() <= limits::COMMAND_BYTES);
        let words = std::iter::once(name)
            .chain(rest)
            .map(str::to_lowercase)
            .collect();
        let mut command = Self {
            written: first,
            words,
            closeness: None,
        };
        command.closeness = candidates
            .iter()
            .filter_map(|candidate| command.closeness_to(candidate))
            .min();
        Some(command)
    }

    pub(super) fn brings_up<'s>(&self, candidate: &Candidate<'s>) -> Option<Match<'s>> {
        let written = self.written;
        let declared = candidate
            .invocation
            .triggers
            .iter()
            .take(limits::TRIGGERS)
            .any(|trigger| match trigger {
                Trigger::Command(declared) => self.begins_with(declared),
                _ => false,
            });
        if declared {
            let why = format!("the message begins with its command `{written}`");
            return Some(of_kind(candidate, Kind::Command, why));
        }
        let closeness = self.closeness_to(candidate)?;
        (Some(closeness) == self.closeness).then(|| {
            let why = format!("the message begins with its name: `{written}`");
            of_kind(candidate, Kind::Command, why)
        })
    }

    fn begins_with(&self, declared: &str) -> bool {
        let mut words = self.words.iter();
        declared
            .split_whitespace()
            .all(|word| words.next().is_some_and(|own| own == word))
    }

    fn closeness_to(&self, candidate: &Candidate<'_>) -> Option<Closeness> {
        let name = self.words.first().filter(|_| candidate.is_user_invocable)?;
        let is = |own: &str| own.to_lowercase() == *name;
        if is(candidate.id) {
            Some(Closeness::Id)
        } else if is(candidate.name) || is(candidate.place_name) {
            Some(Closeness::Name)
        } else if candidate
            .id
            .rsplit_once(':')
            .is_some_and(|(_, own)| is(own))
        {
            Some(Closeness::InPlugin)
        } else {
            None
        }
    }
}
