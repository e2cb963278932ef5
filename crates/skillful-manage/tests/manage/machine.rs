//! A machine whose package managers are small scripts, which note what they are called with.

use std::fs;
use std::io::Write;
use std::process::Command;
use std::time::{Duration, Instant};

use skillful::{Host, Options, Os, Skill};
use skillful_manage::deps::{
    ApplyError, Consent, DownloadUrl, Places, Plan, Report, Step, Web, WebError, Wishes, apply,
    plan,
};
use skillful_manage::progress::Silent;

use crate::Place;

/// A machine with a search path of one directory, and one skill.
pub(crate) struct Machine(pub(crate) Place);

/// No manager of these tests takes as long.
pub(crate) const LONG: Duration = Duration::from_secs(120);

impl Machine {
    pub(crate) fn new(frontmatter: &str) -> Self {
        let place = Place::new();
        fs::create_dir_all(place.path("bin")).unwrap();
        let machine = Self(place);
        machine.rewrite(frontmatter);
        machine
    }

    pub(crate) fn rewrite(&self, frontmatter: &str) {
        let text = format!(
            "---\nname: x\ndescription: Does x. Use when asked.\n{frontmatter}---\n\nDo it.\n"
        );
        self.0.write("skills/x/SKILL.md", text);
    }

    /// A program on the search path. `$PLACE` is the machine's directory.
    pub(crate) fn program(&self, name: &str, script: &str) {
        let place = self.0.path("");
        let script = format!("#!/bin/sh\nPLACE='{}'\n{script}\n", place.display());
        self.0.program(&format!("bin/{name}"), script);
    }

    /// A manager that notes its arguments and puts `tool` on the search path.
    pub(crate) fn manager(&self, name: &str) {
        self.program(name, &format!("{NOTE}\n{MAKE_TOOL}"));
    }

    pub(crate) fn places(&self) -> Places {
        let host = Host::new(self.0.path(""))
            .with_home(self.0.path("home"))
            .with_os(Os::Linux)
            .with_variable("PATH", self.0.path("bin").to_string_lossy());
        Places {
            is_root: false,
            ..Places::new(&host, &Options::default(), false)
        }
    }

    pub(crate) fn skill(&self) -> Skill {
        self.0.skill("skills/x")
    }

    pub(crate) fn plan(&self, wishes: &Wishes) -> Plan {
        plan(&self.skill(), &self.places(), wishes).unwrap()
    }

    pub(crate) fn apply(&self, plan: &Plan) -> Result<Report, ApplyError> {
        apply(
            plan,
            &self.skill(),
            &yes(plan),
            &self.places(),
            &NoWeb,
            &Silent,
        )
    }

    /// What a manager was called with, a word a line; nothing when none was.
    pub(crate) fn noted(&self) -> Option<String> {
        fs::read_to_string(self.0.path("noted")).ok()
    }

    /// Waits until the process whose id lies in `grandchild` is gone: a signal was sent, and the system may take a moment
    /// to act on it.
    pub(crate) fn wait_for_the_end_of_the_grandchild(&self) {
        let grandchild = fs::read_to_string(self.0.path("grandchild")).unwrap();
        let patience = Instant::now() + LONG;
        while is_alive(grandchild.trim()) {
            assert!(Instant::now() < patience, "the grandchild is still there");
            std::thread::yield_now();
        }
    }
}

/// A manager notes its arguments.
const NOTE: &str = "for word in \"$@\"; do echo \"$word\"; done > \"$PLACE/noted\"";

/// A manager puts `tool` on the search path.
pub(crate) const MAKE_TOOL: &str =
    "echo '#!/bin/sh' > \"$PLACE/bin/tool\"\n/bin/chmod 755 \"$PLACE/bin/tool\"";

pub(crate) fn yes(plan: &Plan) -> Consent {
    Consent {
        digest: plan.digest.clone().unwrap(),
        timeout: LONG,
    }
}

pub(crate) fn by_kind(kind: &str, package: &str) -> String {
    format!("install:\n  - {{kind: {kind}, package: \"{package}\", bins: [tool]}}\n")
}

/// The words that would be run, one string for each step.
pub(crate) fn commands(plan: &Plan) -> Vec<String> {
    plan.steps()
        .map(|(_, step)| match step {
            Step::Command(command) => command.arguments.join(" "),
            Step::Download(download) => format!("fetch {}", download.url),
        })
        .collect()
}

/// Whether a process is there and no zombie.
fn is_alive(process: &str) -> bool {
    let state = Command::new("ps")
        .args(["-o", "stat=", "-p", process])
        .output()
        .unwrap();
    let state = String::from_utf8_lossy(&state.stdout).trim().to_owned();
    !state.is_empty() && !state.starts_with('Z')
}

/// Fetches nothing.
pub(crate) struct NoWeb;

impl Web for NoWeb {
    fn fetch(&self, url: &DownloadUrl, _: &mut dyn Write) -> Result<(), WebError> {
        Err(WebError(format!(
            "nothing may be fetched, {url} least of all"
        )))
    }
}

/// Has one file, whatever is asked for.
pub(crate) struct OneFile(pub(crate) Vec<u8>);

impl Web for OneFile {
    fn fetch(&self, _: &DownloadUrl, to: &mut dyn Write) -> Result<(), WebError> {
        to.write_all(&self.0)
            .map_err(|error| WebError(error.to_string()))
    }
}
