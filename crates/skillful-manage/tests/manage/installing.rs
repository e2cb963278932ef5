//! Installing the programs that skills need, with managers that are small scripts. No network is asked, and no program of
//! this machine but its shell is run.

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use skillful::State;
use skillful_manage::deps::{
    ApplyError, Consent, Ended, Outcome, Places, Plan, PlanError, Refused, Sha256, Unusable,
    Wishes, apply, plan,
};
use skillful_manage::progress::{self, Progress, Silent};
use skillmd::install::InstallKind;

use crate::machine::{LONG, MAKE_TOOL, Machine, NoWeb, by_kind, commands, yes};

fn names(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

#[test]
fn each_manager_has_its_words() {
    for (kind, package, program, words) in [
        (
            "brew",
            "steipete/tap/tool",
            "brew",
            "brew install --formula steipete/tap/tool",
        ),
        ("scoop", "extras/tool", "scoop", "scoop install extras/tool"),
        (
            "winget",
            "A.Tool",
            "winget",
            "winget install --exact --id A.Tool --accept-package-agreements --accept-source-agreements \
             --disable-interactivity",
        ),
        ("npm", "@a/tool@1.2", "npm", "npm install -g @a/tool@1.2"),
        ("node", "tool", "npm", "npm install -g tool"),
        ("uv", "tool==1.2", "uv", "uv tool install tool==1.2"),
        (
            "go",
            "github.com/a/tool",
            "go",
            "go install github.com/a/tool@latest",
        ),
        (
            "cargo",
            "tool@1.2.3",
            "cargo",
            "cargo install --locked tool@1.2.3",
        ),
        ("pipx", "tool", "pipx", "pipx install tool"),
    ] {
        let machine = Machine::new(&by_kind(kind, package));
        machine.manager(program);
        let plan = machine.plan(&Wishes::default());
        assert_eq!(commands(&plan), [words], "{:?}", plan.ways);
        assert!(machine.noted().is_none(), "planning runs nothing");
        let report = machine.apply(&plan).unwrap();
        assert!(report.is_success(), "{report:?}");
        let noted = machine.noted().unwrap();
        assert_eq!(
            noted.lines().collect::<Vec<_>>(),
            words.split(' ').skip(1).collect::<Vec<_>>()
        );
    }
    let machine =
        Machine::new("install: [{kind: brew, package: tool, cask: true, bins: [tool]}]\n");
    machine.manager("brew");
    assert_eq!(
        commands(&machine.plan(&Wishes::default())),
        ["brew install --cask tool"]
    );
}

#[test]
fn the_way_is_chosen_by_preference_and_by_what_is_there() {
    let machine = Machine::new(
        "install:\n  - {id: d, kind: download, url: \"https://example.org/tool\", bins: [tool]}\n  \
         - {id: b, kind: brew, package: tool, bins: [tool]}\n  \
         - {id: u, kind: uv, package: tool, bins: [tool]}\n  \
         - {id: w, kind: winget, package: A.Tool, bins: [tool], os: [windows]}\n",
    );
    let nothing = machine.plan(&Wishes::default());
    assert_eq!(commands(&nothing), [""; 0]);
    assert_eq!(nothing.unmet, ["tool"]);
    let why: Vec<(&str, String)> = nothing
        .ways
        .iter()
        .map(|way| (&*way.id, way.reason()))
        .collect();
    assert_eq!(why[0], ("u", "`uv` is not on the search path".to_owned()));
    assert_eq!(why[1], ("b", "`brew` is not on the search path".to_owned()));
    assert_eq!(
        why[2],
        ("w", "it is for another operating system".to_owned())
    );
    assert!(
        why[3].0 == "d" && why[3].1.contains("no `sha256`"),
        "{why:?}"
    );

    machine.manager("brew");
    machine.manager("uv");
    machine.manager("winget");
    assert_eq!(
        commands(&machine.plan(&Wishes::default())),
        ["uv tool install tool"]
    );
    let prefer = |prefer: &[InstallKind]| Wishes {
        prefer: prefer.to_vec(),
        ..Wishes::default()
    };
    let plan = machine.plan(&prefer(&[InstallKind::Brew]));
    assert_eq!(commands(&plan), ["brew install --formula tool"]);
    assert_eq!(plan.ways[0].reason(), "brew is preferred");
    assert_eq!(plan.ways[1].reason(), "nothing that is missing needs it");
    // What cannot be used is passed over, however much it is preferred.
    let plan = machine.plan(&prefer(&[InstallKind::Winget, InstallKind::Download]));
    assert_eq!(commands(&plan), ["uv tool install tool"]);
    let named = |spec: &str| Wishes {
        specs: names(&[spec]),
        ..Wishes::default()
    };
    assert_eq!(
        commands(&machine.plan(&named("b"))),
        ["brew install --formula tool"]
    );
    assert_eq!(commands(&machine.plan(&named("w"))), [""; 0]);
    let unknown = plan_error(&machine, &named("nobody"));
    assert_eq!(
        unknown,
        "`x` has no install spec `nobody`; it has d, b, u, w"
    );
    let with_digest = Wishes {
        sha256: Some(Sha256::of(b"x").to_string()),
        ..named("d")
    };
    assert_eq!(
        commands(&machine.plan(&with_digest)),
        ["fetch https://example.org/tool"]
    );
}

fn plan_error(machine: &Machine, wishes: &Wishes) -> String {
    let error: PlanError = plan(&machine.skill(), &machine.places(), wishes).unwrap_err();
    error.to_string()
}

#[test]
fn only_what_is_missing_is_installed() {
    let machine = Machine::new(
        "metadata:\n  openclaw:\n    requires: {bins: [there, tool], anyBins: [one, two]}\n    install:\n      \
         - {kind: uv, package: there, bins: [there]}\n      - {kind: uv, package: tool, bins: [tool]}\n      \
         - {kind: uv, package: two, bins: [two]}\n      - {kind: uv, package: other, bins: [other]}\n",
    );
    machine.program("there", "");
    machine.manager("uv");
    let plan = machine.plan(&Wishes::default());
    assert_eq!(
        commands(&plan),
        ["uv tool install tool", "uv tool install two"]
    );
    assert!(!plan.is_satisfied());
    machine.program("tool", "");
    machine.program("one", "");
    let plan = machine.plan(&Wishes::default());
    assert_eq!(commands(&plan), [""; 0]);
    assert!(plan.is_satisfied() && plan.unmet.is_empty());
}

/// What an attacker writes into `package` and `url` (options, addresses, paths, shells) never becomes an argument.
#[test]
fn hostile_packages_and_addresses_are_refused_and_nothing_runs() {
    let packages = [
        "--registry=https://evil.example",
        "--index-url=https://evil.example/simple",
        "-o/etc/cron.d/x",
        "https://evil.example/x.tgz",
        "git+https://evil.example/x.git",
        "git+ssh://git@evil.example/x",
        "user/repo",
        "file:../x",
        "~/x",
        "/tmp/x",
        "./x",
        "../x",
        "x; touch pwned",
        "x && touch pwned",
        "$(touch pwned)",
        "`touch pwned`",
        "x | sh",
        "x\\ntouch pwned",
        "x%00",
        "x y",
        "",
    ];
    for kind in [
        "brew", "apt", "scoop", "npm", "uv", "cargo", "pipx", "winget", "go",
    ] {
        for package in packages {
            // To Scoop it is a bucket that the user added, and a package in it.
            if (kind, package) == ("scoop", "user/repo") {
                continue;
            }
            let machine = Machine::new(&by_kind(kind, package));
            for program in [
                "brew", "apt-get", "scoop", "npm", "uv", "cargo", "pipx", "winget", "go",
            ] {
                machine.manager(program);
            }
            let plan = machine.plan(&Wishes::default());
            let fault = plan.ways[0].step.clone().unwrap_err();
            assert!(
                matches!(fault, Unusable::Package(_)),
                "{kind} {package}: {fault}"
            );
            let report = machine.apply(&plan).unwrap();
            assert!(report.steps.is_empty() && report.missing == ["tool"]);
            assert!(machine.noted().is_none(), "{kind} {package}");
        }
    }
    let digest = Sha256::of(b"x");
    for url in [
        "http://evil.example/x",
        "https://evil.example/'&calc&'",
        "file:///etc/passwd",
        "-o/etc/passwd",
        "https://user:password@evil.example/x",
    ] {
        let spec = format!(
            "install: [{{kind: download, url: \"{url}\", sha256: \"{digest}\", bins: [tool]}}]\n"
        );
        let plan = Machine::new(&spec).plan(&Wishes::default());
        assert!(matches!(plan.ways[0].step, Err(Unusable::Url(_))), "{url}");
    }
}

/// Without a terminal nobody can type a password: it is refused at once, with what a person may do.
#[test]
fn sudo_is_never_asked_without_a_terminal() {
    let machine = Machine::new(&by_kind("apt", "tool"));
    machine.manager("apt-get");
    let reason = |places: &Places| {
        let plan = plan(&machine.skill(), places, &Wishes::default()).unwrap();
        plan.ways[0].reason()
    };
    assert!(reason(&machine.places()).contains("there is no `sudo`"));
    machine.program("sudo", "exit 9");
    let refused = reason(&machine.places());
    assert!(
        refused.contains("run `sudo apt-get install -y --no-install-recommends tool` yourself"),
        "{refused}"
    );
    let root = Places {
        is_root: true,
        ..machine.places()
    };
    let plan = plan(&machine.skill(), &root, &Wishes::default()).unwrap();
    assert_eq!(
        commands(&plan),
        ["apt-get install -y --no-install-recommends tool"]
    );
}

#[test]
fn with_a_terminal_rights_are_asked_for_before_the_run() {
    let machine = Machine::new(&by_kind("apt", "tool"));
    machine.manager("apt-get");
    machine.program(
        "sudo",
        "[ \"$1\" = -v ] && exit 1\necho \"sudo $*\" > \"$PLACE/noted\"",
    );
    let places = Places {
        has_terminal: true,
        ..machine.places()
    };
    let plan = plan(&machine.skill(), &places, &Wishes::default()).unwrap();
    let run = || {
        apply(
            &plan,
            &machine.skill(),
            &yes(&plan),
            &places,
            &NoWeb,
            &Silent,
        )
        .unwrap()
    };
    assert!(matches!(run().steps[0].outcome, Outcome::NoRights));
    assert!(machine.noted().is_none());

    machine.program(
        "sudo",
        "[ \"$1\" = -v ] && exit 0\n[ \"$1 $2\" = '-n --' ] || exit 8\nshift 2\nexec \"$@\"",
    );
    assert!(run().is_success());
    assert_eq!(
        machine.noted().unwrap(),
        "install\n-y\n--no-install-recommends\ntool\n"
    );
}

#[test]
fn a_yes_holds_for_the_files_that_were_shown() {
    let machine = Machine::new(&by_kind("uv", "tool"));
    machine.manager("uv");
    let plan = machine.plan(&Wishes::default());
    machine.rewrite(&by_kind("uv", "another"));
    assert!(matches!(
        machine.apply(&plan),
        Err(ApplyError::Changed { .. })
    ));
    let new_plan = machine.plan(&Wishes::default());
    let old_yes = yes(&plan);
    let refused = apply(
        &new_plan,
        &machine.skill(),
        &old_yes,
        &machine.places(),
        &NoWeb,
        &Silent,
    );
    assert!(matches!(refused, Err(ApplyError::Changed { .. })));
    assert!(machine.noted().is_none());
}

#[test]
fn nothing_is_installed_for_a_skill_that_must_not_be_used() {
    let machine = Machine::new(&by_kind("uv", "tool"));
    machine.manager("uv");
    for state in [State::Withheld, State::Broken, State::Shadowed] {
        let mut skill = machine.skill();
        skill.state = state;
        let plan = plan(&skill, &machine.places(), &Wishes::default()).unwrap();
        assert!(matches!(plan.refused, Some(Refused::State { .. })));
        let refused = apply(
            &plan,
            &skill,
            &yes_if_any(&plan),
            &machine.places(),
            &NoWeb,
            &Silent,
        );
        assert!(matches!(refused, Err(ApplyError::Refused(_))));
    }
    assert!(machine.noted().is_none());
}

fn yes_if_any(plan: &Plan) -> Consent {
    Consent {
        digest: plan.digest.clone().unwrap_or_default(),
        timeout: LONG,
    }
}

#[test]
fn a_manager_finds_nothing_to_read_and_no_settings() {
    let machine = Machine::new(&by_kind("npm", "tool"));
    machine
        .0
        .write("skills/x/.npmrc", "registry=https://evil.example");
    machine.program(
        "npm",
        &format!("read answer && exit 3\nfor file in * .*; do [ -f \"$file\" ] && exit 4\ndone\n{MAKE_TOOL}\necho out\necho err >&2"),
    );
    let plan = machine.plan(&Wishes::default());
    let report = machine.apply(&plan).unwrap();
    assert!(report.is_success(), "{report:?}");
    let Outcome::Ran(ran) = &report.steps[0].outcome else {
        panic!("it was run");
    };
    assert!(ran.output.contains("out\n") && ran.output.contains("err\n"));
    let left = fs::read_dir(machine.places().data.unwrap().join("staging")).unwrap();
    assert_eq!(left.count(), 0, "the place to work in is gone");
}

#[test]
fn failures_and_what_is_still_missing_are_told() {
    let machine = Machine::new(
        "metadata:\n  openclaw:\n    requires: {bins: [tool, far, lost]}\n    install:\n      \
         - {kind: cargo, package: far, bins: [far]}\n      - {kind: uv, package: tool, bins: [tool]}\n",
    );
    machine.program("uv", "echo 'no such package' >&2\nexit 7");
    machine.program(
        "cargo",
        "/bin/mkdir -p \"$PLACE/home/.cargo/bin\"\necho > \"$PLACE/home/.cargo/bin/far\"\n/bin/chmod 755 \"$PLACE/home/.cargo/bin/far\"",
    );
    let plan = machine.plan(&Wishes::default());
    assert_eq!(plan.unmet, ["lost"]);
    let report = machine.apply(&plan).unwrap();
    assert!(!report.is_success());
    let Outcome::Ran(ran) = &report.steps[0].outcome else {
        panic!("uv comes first");
    };
    assert_eq!(ran.ended, Ended::Exited(Some(7)));
    assert_eq!(ran.output, "no such package\n");
    assert_eq!(report.missing, ["tool", "lost"]);
    let far = machine.0.path("home/.cargo/bin/far");
    assert_eq!(report.off_path, [("far".to_owned(), far)]);
}

/// Interrupts as soon as the manager says that it is ready.
#[derive(Default)]
struct Impatient(AtomicBool);

impl Progress for Impatient {
    fn step(&self, step: progress::Step<'_>) {
        if step == progress::Step::Line("ready") {
            self.0.store(true, Ordering::SeqCst);
        }
    }

    fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}

const HANGS: &str =
    "/bin/sleep 1000 &\necho $! > \"$PLACE/grandchild\"\necho ready\nwait\n/bin/sleep 1000";

#[test]
fn an_interruption_ends_children_and_their_children() {
    let machine = Machine::new(
        "install: [{kind: npm, package: tool, bins: [tool]}, {kind: brew, package: b, bins: [b]}]\n",
    );
    machine.program("npm", HANGS);
    machine.manager("brew");
    let plan = machine.plan(&Wishes::default());
    let impatient = Impatient::default();
    let report = apply(
        &plan,
        &machine.skill(),
        &yes(&plan),
        &machine.places(),
        &NoWeb,
        &impatient,
    )
    .unwrap();
    assert!(report.interrupted && !report.is_success());
    let Outcome::Ran(ran) = &report.steps[0].outcome else {
        panic!("it was run");
    };
    assert_eq!(ran.ended, Ended::Interrupted);
    assert_eq!(report.steps.len(), 1, "what follows is not begun");
    machine.wait_for_the_end_of_the_grandchild();
}

#[test]
fn time_that_is_up_ends_a_manager() {
    let machine = Machine::new(&by_kind("npm", "tool"));
    machine.program("npm", HANGS);
    let plan = machine.plan(&Wishes::default());
    let short = Consent {
        timeout: Duration::from_millis(1),
        ..yes(&plan)
    };
    let report = apply(
        &plan,
        &machine.skill(),
        &short,
        &machine.places(),
        &NoWeb,
        &Silent,
    )
    .unwrap();
    let Outcome::Ran(ran) = &report.steps[0].outcome else {
        panic!("it was run");
    };
    assert_eq!(ran.ended, Ended::TimedOut);
    assert!(!report.interrupted);
}

/// A manager that leaves a child behind, which holds its output, is not waited for.
#[test]
fn what_a_manager_leaves_behind_is_ended_with_it() {
    let machine = Machine::new(&by_kind("npm", "tool"));
    machine.program(
        "npm",
        &format!("/bin/sleep 1000 &\necho $! > \"$PLACE/grandchild\"\n{MAKE_TOOL}"),
    );
    let plan = machine.plan(&Wishes::default());
    assert!(machine.apply(&plan).unwrap().is_success());
    machine.wait_for_the_end_of_the_grandchild();
}

#[test]
fn only_the_end_of_much_output_is_kept() {
    let machine = Machine::new(&by_kind("npm", "tool"));
    machine.program(
        "npm",
        &format!("i=0\nwhile [ $i -lt 3000 ]; do echo \"line $i 0123456789012345678901234567890\"; i=$((i+1)); done\n{MAKE_TOOL}"),
    );
    let report = machine.apply(&machine.plan(&Wishes::default())).unwrap();
    let Outcome::Ran(ran) = &report.steps[0].outcome else {
        panic!("it was run");
    };
    assert!(ran.truncated && ran.output.len() <= skillful_manage::limits::OUTPUT_BYTES);
    assert!(ran.output.contains("line 2999 ") && !ran.output.contains("line 1 "));
}
