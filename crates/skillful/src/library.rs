//! Everything that was found on a machine: one call from the outside world to the registry.

use std::sync::Arc;

use rayon::prelude::*;

use crate::bundle;
use crate::bundled;
use crate::clients::Clients;
use crate::discover::{self, SearchLimits};
use crate::host::Host;
use crate::load::{Skill, load};
use crate::problem::Problem;
use crate::registry::Registry;
use crate::roots::{self, Dependencies, Options, Root};

/// What a search found.
#[derive(Clone, Debug)]
pub struct Library {
    /// The roots that were searched, the one with the highest precedence first.
    pub roots: Vec<Arc<Root>>,
    /// What the roots depend on besides their own directories.
    pub depends_on: Dependencies,
    /// All skills.
    pub registry: Registry,
    /// What went wrong around them.
    pub problems: Vec<Problem>,
}

impl Library {
    /// Searches all roots of a machine. Never fails: what goes wrong is in the skills' states and in
    /// [`Library::problems`].
    pub fn scan(host: &Host, clients: &Clients, options: &Options) -> Self {
        let resolved = roots::resolve(host, clients, options);
        let mut roots: Vec<_> = resolved.roots.into_iter().map(Arc::new).collect();
        let mut problems = resolved.problems;
        let searches: Vec<_> = roots.par_iter().map(search).collect();
        let mut skills = Vec::with_capacity(searches.iter().map(|found| found.skills.len()).sum());
        for mut found in searches {
            skills.append(&mut found.skills);
            problems.append(&mut found.problems);
        }
        if options.roots.is_empty() {
            let root = Arc::new(bundled::root());
            skills.extend(bundled::candidates().map(|candidate| load(candidate, &root)));
            roots.push(root);
        }
        Self {
            roots,
            depends_on: resolved.depends_on,
            registry: Registry::new(skills, bundle::same_content),
            problems,
        }
    }

    /// Searches one root again. Its skills are replaced by those that are found, each after `keep` had a look at it; so
    /// are the problems below it.
    pub(crate) fn search_again(&mut self, root: &Arc<Root>, keep: impl Fn(Skill) -> Arc<Skill>) {
        let mut found = search(root);
        let kept = self.registry.skills().iter();
        let mut skills: Vec<Arc<Skill>> = kept
            .filter(|skill| skill.root.order != root.order)
            .cloned()
            .collect();
        skills.extend(found.skills.drain(..).map(keep));
        self.registry = Registry::of_shared(skills, bundle::same_content);
        self.problems
            .retain(|problem| !problem.path().starts_with(&root.path));
        self.problems.append(&mut found.problems);
    }
}

fn search(root: &Arc<Root>) -> discover::Found<Skill> {
    discover::search(root, SearchLimits::default(), |candidate| {
        load(candidate, root)
    })
}

#[cfg(test)]
mod tests;
