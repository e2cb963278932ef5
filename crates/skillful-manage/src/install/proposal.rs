//! Sources that are fetched to be looked at, before anybody says yes.

use skillful::{Setup, roots};

use super::{Installer, Offer};
use crate::find::PickError;
use crate::objects::{ObjectError, Staging};
use crate::progress::Progress;
use crate::source::fetch::{FetchError, Fetched, Fetcher};
use crate::source::{Permission, Selector, Source, Surroundings};

/// What was fetched lies in private places, which go when this is dropped.
#[derive(Debug)]
pub struct Proposal {
    fetcher: Fetcher,
    staging: Vec<Staging>,
    /// What is worth knowing about what was fetched.
    pub notes: Vec<String>,
}

/// A source could not be fetched, or what is wanted of it is not there.
#[derive(Debug, thiserror::Error)]
pub enum ProposalError {
    /// There is no private place.
    #[error(transparent)]
    Place(#[from] ObjectError),
    /// It cannot be fetched.
    #[error(transparent)]
    Fetch(#[from] FetchError),
    /// It has no such skill, or it is not clear which is meant.
    #[error(transparent)]
    Pick(#[from] PickError),
}

/// What a source that somebody typed is understood by.
pub fn surroundings(setup: &Setup) -> Surroundings {
    Surroundings {
        home: roots::home(&setup.host, &setup.options),
        working_directory: setup.host.working_directory().to_owned(),
        permission: Permission::Encrypted,
    }
}

impl Proposal {
    /// Nothing is fetched so far.
    pub fn new(installer: &Installer<'_>) -> Self {
        Self {
            fetcher: installer.fetcher(),
            staging: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Fetches a source, and takes the skills that are asked for.
    ///
    /// # Errors
    ///
    /// [`ProposalError`].
    pub fn offers(
        &mut self,
        installer: &Installer<'_>,
        source: &Source,
        names: &[Selector],
        progress: &dyn Progress,
    ) -> Result<Vec<Offer>, ProposalError> {
        let staging = installer.data.objects().stage()?;
        let fetched: Fetched = self.fetcher.fetch(source, staging.path(), progress)?;
        self.staging.push(staging);
        self.notes.extend(fetched.notes.iter().cloned());
        self.notes.extend(fetched.skills.problems.iter().cloned());
        let picked = fetched.asked_for(names)?;
        let files = installer.files();
        let offers = picked.into_iter();
        Ok(offers
            .filter_map(|found| fetched.offer(found, files))
            .collect())
    }
}
