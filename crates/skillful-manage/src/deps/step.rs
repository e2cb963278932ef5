//! One way to get a program, as it would be done: the exact arguments, or why it cannot be done.

use std::fmt;
use std::path::PathBuf;

use skillful::status::InstallOption;
use skillmd::install::InstallKind;

use super::download::{self, DownloadUrl, Sha256, UrlFault};
use super::package::{Manager, Package, PackageFault};
use super::places::Places;

/// What is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A manager is run.
    Command(CommandStep),
    /// A file is fetched.
    Download(DownloadStep),
}

/// A manager's run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandStep {
    /// What is installed.
    pub package: Package,
    /// The program's file.
    pub program: PathBuf,
    /// The whole argument vector, the program's name or `sudo` first.
    pub arguments: Vec<String>,
    /// The file of `sudo`, where it is run by it.
    pub sudo: Option<PathBuf>,
    /// The directory that programs go to, where it is known.
    pub destination: Option<PathBuf>,
}

/// A file to fetch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DownloadStep {
    /// From where.
    pub url: DownloadUrl,
    /// What it must hash to.
    pub sha256: Sha256,
    /// Whether it is an archive, and if so of which form.
    pub archive: Option<download::ArchiveForm>,
    /// Leading parts of the paths in the archive to take off.
    pub strip: usize,
    /// The programs that are placed.
    pub bins: Vec<String>,
    /// The directory that they are placed in.
    pub destination: PathBuf,
}

/// Why a spec cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unusable {
    /// It is for other systems.
    System,
    /// Its manager is not on the search path.
    NoManager(&'static str),
    /// Its package is not taken.
    Package(PackageFault),
    /// A password would have to be asked for, and there is nobody to ask; the command for a person to run.
    NeedsTerminal(String),
    /// There is no `sudo`, and the process may not do it itself; the command for an administrator to run.
    NeedsRights(String),
    /// It names nothing to fetch.
    NoUrl,
    /// What it names is not fetched.
    Url(UrlFault),
    /// Nothing says what the file must hash to.
    NoDigest,
    /// What it says is no SHA-256.
    BadDigest,
    /// It does not say which program the file is.
    NoProgram,
    /// What it says is no name of a program.
    BadProgram(String),
    /// An archive of a form that is not unpacked.
    Archive(String),
    /// There is no directory to put programs into.
    NoPlace,
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::System => f.write_str("it is for another operating system"),
            Self::NoManager(program) => write!(f, "`{program}` is not on the search path"),
            Self::Package(fault) => fault.fmt(f),
            Self::NeedsTerminal(command) => write!(
                f,
                "it needs an administrator's rights, and there is no terminal to ask for a password: run `{command}` yourself"
            ),
            Self::NeedsRights(command) => write!(
                f,
                "it needs an administrator's rights, and there is no `sudo`: have `{command}` run by an administrator"
            ),
            Self::NoUrl => f.write_str("it names no address to download from"),
            Self::Url(fault) => fault.fmt(f),
            Self::NoDigest => f.write_str(
                "it has no `sha256`, without which nothing is downloaded: look at the file yourself, and give its digest with --sha256",
            ),
            Self::BadDigest => f.write_str("its `sha256` is not 64 hexadecimal digits"),
            Self::NoProgram => {
                f.write_str("it does not say with `bins` which program is downloaded")
            }
            Self::BadProgram(name) => {
                write!(f, "`{}` is not a name that a program is placed under", name.escape_debug())
            }
            Self::Archive(form) => {
                write!(f, "archives of the form `{}` are not unpacked", form.escape_debug())
            }
            Self::NoPlace => f.write_str("there is no home to put programs into: name one with --home"),
        }
    }
}

/// What a person adds to a spec.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Additions<'a> {
    /// The digest for a download that has none.
    pub(super) sha256: Option<&'a str>,
}

/// How a spec would be done on this machine.
pub(super) fn of(
    option: &InstallOption<'_>,
    places: &Places,
    additions: Additions<'_>,
) -> Result<Step, Unusable> {
    if !option.is_for(places.host.os()) {
        return Err(Unusable::System);
    }
    let spec = option.spec;
    match Manager::of(spec.kind, spec.cask) {
        Some(manager) => {
            let text = spec.package.as_deref().unwrap_or_default();
            let package = Package::parse(manager, text).map_err(Unusable::Package)?;
            command(package, places).map(Step::Command)
        }
        None => download::step(spec, places, additions).map(Step::Download),
    }
}

fn command(package: Package, places: &Places) -> Result<CommandStep, Unusable> {
    let manager = package.manager();
    let programs = places.on_path();
    let program = programs
        .find(manager.program())
        .ok_or(Unusable::NoManager(manager.program()))?;
    let mut arguments = vec![manager.program().to_owned()];
    arguments.extend(order(manager).iter().map(|&word| word.to_owned()));
    arguments.push(package.as_str().to_owned());
    arguments.extend(after(manager).iter().map(|&word| word.to_owned()));
    let mut sudo = None;
    if manager == Manager::Apt && !places.is_root {
        let command = format!("sudo {}", arguments.join(" "));
        let Some(file) = programs.find("sudo") else {
            return Err(Unusable::NeedsRights(arguments.join(" ")));
        };
        if !places.has_terminal {
            return Err(Unusable::NeedsTerminal(command));
        }
        // The password is asked for beforehand; a run in the background must not ask.
        let whole = program.to_string_lossy().into_owned();
        arguments.splice(
            ..1,
            ["sudo".to_owned(), "-n".to_owned(), "--".to_owned(), whole],
        );
        sudo = Some(file);
    }
    Ok(CommandStep {
        destination: places.of_manager(manager, &program),
        package,
        program,
        arguments,
        sudo,
    })
}

/// The words between the manager and the package.
const fn order(manager: Manager) -> &'static [&'static str] {
    match manager {
        Manager::Brew => &["install", "--formula"],
        Manager::BrewCask => &["install", "--cask"],
        Manager::Apt => &["install", "-y", "--no-install-recommends"],
        Manager::Scoop | Manager::Go | Manager::Pipx => &["install"],
        Manager::Winget => &["install", "--exact", "--id"],
        Manager::Npm => &["install", "-g"],
        Manager::Uv => &["tool", "install"],
        Manager::Cargo => &["install", "--locked"],
    }
}

/// The words after the package.
const fn after(manager: Manager) -> &'static [&'static str] {
    match manager {
        Manager::Winget => &[
            "--accept-package-agreements",
            "--accept-source-agreements",
            "--disable-interactivity",
        ],
        _ => &[],
    }
}

/// The order in which kinds are tried where nobody prefers one: what needs no rights first, and what is fetched without
/// a manager last.
const DEFAULT_ORDER: [InstallKind; 10] = [
    InstallKind::Uv,
    InstallKind::Pipx,
    InstallKind::Npm,
    InstallKind::Brew,
    InstallKind::Scoop,
    InstallKind::Winget,
    InstallKind::Go,
    InstallKind::Cargo,
    InstallKind::Apt,
    InstallKind::Download,
];

/// Where a kind stands in the order, and why: smaller is sooner.
pub(super) fn rank(kind: InstallKind, preferred: &[InstallKind]) -> (usize, bool) {
    if let Some(place) = preferred.iter().position(|&wanted| wanted == kind) {
        return (place, true);
    }
    let place = DEFAULT_ORDER.iter().position(|&other| other == kind);
    (
        preferred.len() + place.unwrap_or(DEFAULT_ORDER.len()),
        false,
    )
}
