//! What skills are searched and judged by, gathered from a host once.
//!
//! ```text
//! Host, Clients, Options ─read→ Setup ─agent→ Agent ─scan→ Library, every skill in it judged
//! ```

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use skillful_store::Choices;
use skillmd::Position;

use crate::clients::{Clients, ClientsError, Reach};
use crate::config::{self, Config, ConfigFile, ConfigText, Level};
use crate::eligibility::{Conditions, Records};
use crate::host::Host;
use crate::load::Skill;
use crate::problem::Problem;
use crate::programs::Programs;
use crate::records;
use crate::roots::{self, Options, home};

/// Everything outside the skills that decides which there are and which can be used. It does not change: where the world
/// did, a new one is read.
#[derive(Debug)]
pub struct Setup {
    /// The outside world, with the tools and values that the configuration adds.
    pub host: Host,
    /// The clients, those that the configuration describes among them.
    pub clients: Clients,
    /// What narrows the search.
    pub options: Options,
    /// What the operator wants.
    pub config: Config,
    /// Where configuration files lie, the lowest layer first, whether or not they exist.
    pub config_files: Vec<ConfigFile>,
    /// What is wrong with them.
    pub problems: Vec<Problem>,
    programs: Programs,
    /// Where programs lie that Skillful itself placed.
    program_directory: Option<PathBuf>,
    records: Records,
}

impl Setup {
    /// Reads the configuration, from `named` if a file is named and else from wherever it may lie, and what people chose
    /// for skills is `choices`.
    ///
    /// A faulty configuration is no failure: what is wrong with it is in [`Setup::problems`].
    pub fn read(
        host: Host,
        mut clients: Clients,
        mut options: Options,
        named: Option<&Path>,
        choices: Choices,
    ) -> Self {
        let config_files = config::locate(&host, &options, named);
        let texts = config::read_files(&config_files);
        let config = Config::new(&texts, &host);
        let mut problems = config.problems().to_vec();
        problems.extend(texts.iter().filter_map(|text| lay_over(&mut clients, text)));
        options.extra = config.extra_roots(home(&host, &options).as_deref());
        let program_directory = records::program_directory(&host, &options);
        Self {
            programs: programs(&host, program_directory.as_deref()),
            program_directory,
            host: config.furnish(host),
            clients,
            options,
            config,
            config_files,
            problems,
            records: Records::new(choices),
        }
    }

    /// A setup of this host and no configuration, for tests.
    #[cfg(test)]
    pub(crate) fn of_host(host: Host) -> Self {
        let options = Options {
            roots: vec![PathBuf::from("/nowhere")],
            ..Options::default()
        };
        Self {
            programs: Programs::on_path(&host),
            program_directory: None,
            host,
            clients: Clients::built_in().unwrap(),
            options,
            config: Config::default(),
            config_files: Vec::new(),
            problems: Vec::new(),
            records: Records::default(),
        }
    }

    /// The project: the directory that was named, or the repository that holds the working directory.
    pub fn project(&self) -> PathBuf {
        let directory = self.host.working_directory();
        match &self.options.project {
            Some(project) => directory.join(project),
            None => roots::repository(directory).to_owned(),
        }
    }

    /// Whether the operator and people want the same as in another one.
    pub(crate) fn decides_like(&self, other: &Self) -> bool {
        self.config == other.config && self.records == other.records
    }

    /// Where programs lie that Skillful itself placed; nothing where there is no home for them.
    pub fn program_directory(&self) -> Option<&Path> {
        self.program_directory.as_deref()
    }

    /// The programs that a skill names and that only Skillful's own directory has, with their files.
    pub(crate) fn own_programs(&self, skill: &Skill) -> BTreeMap<String, PathBuf> {
        let (Some(own), Some(manifest)) = (&self.program_directory, &skill.manifest) else {
            return BTreeMap::new();
        };
        let needs = &manifest.requirements;
        let provided = manifest.install.iter().flat_map(|spec| &spec.bins);
        [&needs.bins, &needs.any_bins, &needs.advised_bins]
            .into_iter()
            .flatten()
            .chain(provided)
            .filter_map(|name| Some((name.clone(), self.programs.find(name)?)))
            .filter(|(_, file)| file.starts_with(own))
            .collect()
    }

    /// What skills are judged by.
    pub fn conditions(&self) -> Conditions<'_> {
        Conditions {
            host: &self.host,
            programs: &self.programs,
            config: &self.config,
            records: &self.records,
        }
    }
}

/// The programs on the search path, and behind them those that Skillful itself placed.
fn programs(host: &Host, own: Option<&Path>) -> Programs {
    let programs = Programs::on_path(host);
    match own {
        Some(directory) => programs.and_in(directory),
        None => programs,
    }
}

/// Takes the clients that a file describes; gives what is wrong with them.
fn lay_over(clients: &mut Clients, text: &ConfigText) -> Option<Problem> {
    let path = &text.file.path;
    let reach = match text.file.level {
        Level::Project => Reach::Project,
        _ => Reach::Anywhere,
    };
    let error = clients.lay_over_config(path, text.toml()?, reach).err()?;
    Some(match error {
        ClientsError::Syntax {
            path,
            position,
            message: reason,
        } => Problem::Config {
            path,
            position,
            reason,
        },
        ClientsError::Field { ref path, .. } => Problem::Config {
            path: path.clone(),
            position: Position::START,
            reason: error.to_string(),
        },
    })
}
