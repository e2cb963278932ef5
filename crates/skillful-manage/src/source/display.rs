//! The canonical text of a source, which parses to the same source.

use std::fmt;

use super::shorthand::escaped;
use super::{
    GitSource, HubSource, Marketplace, Place, PluginSource, Reference, Repository, Source,
    WebSource,
};

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Git(source) => source.fmt(f),
            Self::Local(path) => path.display().fmt(f),
            Self::Archive(source) | Self::Site(source) => source.fmt(f),
            Self::Document(address) => address.fmt(f),
            Self::WellKnown(source) => write!(f, "well-known:{source}"),
            Self::Hub(source) => source.fmt(f),
            Self::Plugin(source) => source.fmt(f),
        }
    }
}

impl fmt::Display for GitSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (reference, path) = match &self.place {
            Place::Known { reference, path } => (reference.as_ref(), path.as_ref()),
            Place::Tail(tail) => {
                page(f, &self.repository, &escaped(tail.as_str()))?;
                return self.end(f, None);
            }
        };
        match &self.repository {
            Repository::Hosted { host, name } => {
                match &**host {
                    "github.com" => {}
                    "gitlab.com" => f.write_str("gitlab:")?,
                    "bitbucket.org" => f.write_str("bitbucket:")?,
                    "codeberg.org" => f.write_str("codeberg:")?,
                    other => write!(f, "{other}/")?,
                }
                f.write_str(name)?;
                if name.matches('/').count() > 1 {
                    f.write_str("//")?;
                } else if path.is_some() {
                    f.write_str("/")?;
                }
            }
            Repository::Url(address) => {
                if matches!(address.scheme(), "https" | "http" | "file") {
                    f.write_str("git+")?;
                }
                address.fmt(f)?;
                if path.is_some() {
                    f.write_str("//")?;
                }
            }
        }
        if let Some(path) = path {
            f.write_str(&escaped(path.as_str()))?;
        }
        self.end(f, reference)
    }
}

impl GitSource {
    fn end(&self, f: &mut fmt::Formatter<'_>, reference: Option<&Reference>) -> fmt::Result {
        if let Some(skill) = &self.skill {
            write!(f, "@{skill}")?;
        }
        if let Some(reference) = reference {
            write!(f, "#{reference}")?;
        }
        Ok(())
    }
}

/// The address of a page, for a place of which only the page is known.
fn page(f: &mut fmt::Formatter<'_>, repository: &Repository, tail: &str) -> fmt::Result {
    let between = match repository {
        Repository::Hosted { host, .. } if host == "github.com" => "tree",
        Repository::Hosted { host, .. } if host == "bitbucket.org" => "src",
        _ => "-/tree",
    };
    write!(f, "{}/{between}/{tail}", repository.url())
}

impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => name.fmt(f),
            Self::Commit(commit) => commit.fmt(f),
            Self::Newest(range) => range.fmt(f),
        }
    }
}

impl fmt::Display for WebSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.address.fmt(f)?;
        match &self.skill {
            Some(skill) => write!(f, "@{skill}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for HubSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("hub:")?;
        if let Some(owner) = &self.owner {
            write!(f, "@{owner}/")?;
        }
        self.slug.fmt(f)?;
        match &self.version {
            Some(version) => write!(f, "@{version}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for PluginSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@", self.plugin)?;
        match &self.marketplace {
            Marketplace::Named(name) => name.fmt(f),
            Marketplace::Repository(source) => source.fmt(f),
        }
    }
}
