use proptest::prelude::*;

use super::*;

fn fault(manager: Manager, text: &str) -> PackageFault {
    Package::parse(manager, text).unwrap_err()
}

/// A manager, names that it takes, and names that it does not.
type Row = (Manager, &'static [&'static str], &'static [&'static str]);

const TABLE: &[Row] = &[
    (
        Manager::Brew,
        &[
            "jq",
            "openssl@3",
            "gcc@12",
            "g++x",
            "steipete/tap/summarize",
            "yakitrak/yakitrak/obsidian-cli",
        ],
        &[
            "tap/jq", "a/b/c/d", "a//b", "jq@", "jq=1", "jq;ls", "a/-b/c", "jq@-x",
        ],
    ),
    (
        Manager::BrewCask,
        &["font-hack-nerd-font", "temurin@8"],
        &["a/b", "x y"],
    ),
    (
        Manager::Apt,
        &[
            "jq",
            "g++",
            "libssl3:amd64",
            "python3.11",
            "jq=1.6-2.1",
            "vim=2:9.0~rc1",
        ],
        &[
            "jq-",
            "JQ",
            "x",
            "jq/stable",
            "*",
            "jq=",
            "jq:",
            "jq,ls",
            "lib?",
            "jq:amd64-",
        ],
    ),
    (
        Manager::Scoop,
        &["jq", "extras/ffmpeg", "jq@1.7"],
        &["a/b/c", "jq@", "c:jq"],
    ),
    (
        Manager::Winget,
        &["jqlang.jq", "9NBLGGH4NNS1", "Notepad++.Notepad++"],
        &["a b", "a@1", "a/b", "a&b"],
    ),
    (
        Manager::Npm,
        &[
            "typescript",
            "@scope/name",
            "@scope/name@1.2.3",
            "npm@latest",
            "x@^1.2",
            "x@~1",
            "JSONStream",
        ],
        &[
            "user/repo",
            "@scope",
            "@/x",
            "x@npm:y",
            "x@file:y",
            "x@>1",
            "github:user/repo",
            "@-s/x",
            "x@",
            "x@-y",
            "@s/x/y",
            "x#main",
        ],
    ),
    (
        Manager::Uv,
        &[
            "ruff",
            "ruff==0.4",
            "ruff@latest",
            "httpie[all]",
            "a[b,c]==1.0",
            "x==1!2.0",
        ],
        &[
            "ruff>=1",
            "x[a",
            "x[]",
            "x[-a]",
            "x; python_version",
            "x@file:y",
            "x==",
            "x-",
            "a/b",
        ],
    ),
    (
        Manager::Go,
        &[
            "github.com/a/b/cmd/c",
            "github.com/a/b@v1.2.3",
            "golang.org/x/tools/gopls@latest",
            "a.io/b@main",
        ],
        &[
            "fmt",
            "golang.org",
            "golang.org/x/...@latest",
            "github.com/a/b@",
            "github.com/-a/b",
            "a.io//b",
            "github.com/a/b@-x",
            "localhost/a",
        ],
    ),
    (
        Manager::Cargo,
        &["ripgrep", "ripgrep@14.1.0", "cargo-edit"],
        &["a/b", "x@latest", "1x", "x@", "a=b"],
    ),
    (
        Manager::Pipx,
        &["black", "black==24.1", "httpie[all]"],
        &["black@1", "black>1", "black="],
    ),
];

#[test]
fn each_manager_has_its_names() {
    for &(manager, good, bad) in TABLE {
        for text in good {
            let package = Package::parse(manager, text);
            assert!(package.is_ok(), "{manager:?}: {text}: {package:?}");
        }
        for text in bad {
            let package = Package::parse(manager, text);
            assert!(package.is_err(), "{manager:?}: {text}: {package:?}");
        }
    }
}

#[test]
fn every_refusal_names_its_rule() {
    for manager in Manager::ALL {
        for (text, words) in [
            ("", "no package is named"),
            ("--index-url=https://evil.example", "option"),
            ("-g", "option"),
            ("a b", "character"),
            ("a\nb", "character"),
            ("jq\u{202e}", "character"),
            ("https://evil.example/x.tgz", "address"),
            ("git+https://evil.example/x", "address"),
            ("git@evil.example:x", "address"),
            ("../x", "path"),
            ("/etc/passwd", "path"),
            ("~/.ssh/authorized_keys", "path"),
            ("./x", "path"),
            ("x.tgz", "path"),
            ("a\\b", "path"),
            ("a$(ls)", manager.program()),
            ("a;ls", manager.program()),
            ("a|ls", manager.program()),
            ("'a'", manager.program()),
            ("a&b", manager.program()),
            ("a%PATH%", manager.program()),
        ] {
            let message = fault(manager, text).to_string();
            assert!(message.contains(words), "{manager:?} {text:?}: {message}");
        }
    }
    let long = "a".repeat(limits::PACKAGE_BYTES + 1);
    assert_eq!(fault(Manager::Npm, &long), PackageFault::TooLong);
}

#[test]
fn go_gets_a_version_and_taps_are_known() {
    let text = |manager, name| Package::parse(manager, name).unwrap().as_str().to_owned();
    assert_eq!(text(Manager::Go, "a.io/b"), "a.io/b@latest");
    assert_eq!(text(Manager::Go, "a.io/b@v1"), "a.io/b@v1");
    let tapped = Package::parse(Manager::Brew, "steipete/tap/x").unwrap();
    assert_eq!(tapped.tap(), Some("steipete/tap"));
    assert_eq!(Package::parse(Manager::Npm, "@a/b").unwrap().tap(), None);
}

proptest! {
    /// Whatever is accepted is one argument that is no option, no path and no address.
    #[test]
    fn nothing_that_is_accepted_can_be_taken_for_something_else(
        text in prop_oneof![
            ".{0,20}",
            "[-@~./a-zA-Z0-9:+=_^\\[\\], \\\\]{0,16}",
            "-{0,2}[a-z]{1,5}[@=/]{0,2}[-a-z0-9.]{0,8}",
        ],
        index in 0..Manager::ALL.len(),
    ) {
        let manager = Manager::ALL[index];
        if let Ok(package) = Package::parse(manager, &text) {
            let text = package.as_str();
            prop_assert!(!text.is_empty() && !text.starts_with(['-', '/', '.', '~']));
            prop_assert!(text.chars().all(|c| c.is_ascii_graphic()));
            let special = "\\$`'\";&|<>()%*?{}";
            prop_assert!(!text.contains(|c| special.contains(c)));
            prop_assert!(!text.contains("://") && !text.contains(".."));
            prop_assert!(text.len() <= limits::PACKAGE_BYTES + "@latest".len());
        }
    }
}
