//! Which skills a conversation has been given already.

use std::collections::BTreeMap;

use twox_hash::XxHash3_64;

use super::Activation;

/// What one conversation was given: of each skill the files then and the text that was made of them. It is as large as
/// the number of skills.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Session {
    given: BTreeMap<String, Given>,
}

/// What tells whether a skill is given anew.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Given {
    digest: Option<String>,
    /// A hash of the content: with other arguments the same files make another text.
    content: u64,
}

impl Session {
    /// Notes an activation, and marks it when the same text of the same files was given before. A later part of a text
    /// is never marked, nor is a skill whose files make no digest.
    pub fn note(&mut self, activation: &mut Activation) {
        if !activation.is_beginning() {
            return;
        }
        let given = Given {
            digest: activation.digest.clone(),
            content: XxHash3_64::oneshot(activation.content.as_bytes()),
        };
        let is_same = given.digest.is_some() && self.given.get(&activation.id) == Some(&given);
        self.given.insert(activation.id.clone(), given);
        activation.already_active = is_same;
    }

    /// Whether the conversation was given the skill with this id. A harness that lets a model read files of such skills
    /// only keeps it from those that are for people to bring up.
    pub fn holds(&self, id: &str) -> bool {
        self.given.contains_key(id)
    }

    /// Forgets all: the conversation was cut down, and the texts may be gone from it.
    pub fn clear(&mut self) {
        self.given.clear();
    }
}
