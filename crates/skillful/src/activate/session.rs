//! Which skills a conversation has been given already.

use std::collections::BTreeMap;

use super::Activation;

/// What one conversation was given: of each skill the digest of its files then. It is as large as the number of skills.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Session {
    digests: BTreeMap<String, String>,
}

impl Session {
    /// Notes an activation, and marks it when the same skill with the same files was given before. A later part of a
    /// text is never marked, nor is a skill whose files make no digest.
    pub fn note(&mut self, activation: &mut Activation) {
        let Some(digest) = &activation.digest else {
            return;
        };
        if !activation.is_beginning() {
            return;
        }
        let before = self.digests.insert(activation.id.clone(), digest.clone());
        activation.already_active = before.as_ref() == Some(digest);
    }

    /// Forgets all: the conversation was cut down, and the texts may be gone from it.
    pub fn clear(&mut self) {
        self.digests.clear();
    }
}
