//! Commands: a message that begins with `/NAME` or `!NAME`.

use skillmd::trigger::Trigger;

use super::{Candidate, Kind, Match, of_kind};
use crate::limits;

/// The command that a message begins with.
pub(super) struct Command<'m> {
    /// The message.
    text: &'m str,
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
            text,
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
        // Of two that fit, the longer one leaves the fewer words that are no part of it.
        let declared = candidate
            .invocation
            .triggers
            .iter()
            .take(limits::TRIGGERS)
            .filter_map(|trigger| match trigger {
                Trigger::Command(declared) => self.words_of(declared),
                _ => None,
            })
            .max();
        let (words, why) = match declared {
            Some(words) => (
                words,
                format!("the message begins with its command `{written}`"),
            ),
            None if self.closeness_to(candidate)? == self.closeness? => {
                (1, format!("the message begins with its name: `{written}`"))
            }
            None => return None,
        };
        Some(Match {
            arguments: self.after(words).to_owned(),
            ..of_kind(candidate, Kind::Command, why)
        })
    }

    /// How many words a declared command has, if the message begins with it.
    fn words_of(&self, declared: &str) -> Option<usize> {
        let declared: Vec<&str> = declared.split_whitespace().collect();
        let begins = self.words.get(..declared.len())?;
        (begins == declared).then_some(declared.len())
    }

    /// What the message says after its first words.
    fn after(&self, words: usize) -> &'m str {
        let mut rest = self.text.trim();
        for _ in 0..words {
            let after = rest.split_once(char::is_whitespace);
            rest = after.map_or("", |(_, rest)| rest.trim_start());
        }
        rest
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
