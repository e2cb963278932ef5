//! Whatever is typed: reading never panics, and what was understood has a text that means the same and hides nothing.

use proptest::prelude::*;

use super::table::surroundings;
use super::*;

fn holds(text: &str) -> Result<(), TestCaseError> {
    let here = surroundings();
    match Source::parse(text, &here) {
        Ok(source) => {
            let canonical = source.to_string();
            prop_assert_eq!(
                Source::parse(&canonical, &here).map_err(|error| error.to_string()),
                Ok(source),
                "{} became {}",
                text,
                canonical
            );
            prop_assert!(!canonical.chars().any(char::is_control));
            prop_assert!(!canonical.starts_with('-'));
        }
        Err(error) => prop_assert!(!error.to_string().chars().any(char::is_control)),
    }
    Ok(())
}

/// Found by fuzzing.
#[test]
fn of_texts_that_once_broke_it() {
    for text in [
        "ub@https://h.example/o/p/?x=/a&ver",
        "https://gi/.well-known/6./blob/gi",
        "https:sgit+https://h.exam@nam.xx",
        "https://dev.azure.com//p/_git/git@it@github.com:o/r.gitr?",
        "https://git./o/r/tree/main?a",
        "https:h://@",
        "https://dev.azure.com/osrc/_git/r?path=+a&ve",
        "https://gitlab.com/A/.git.git",
    ] {
        holds(text).unwrap();
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn of_any_text(text in any::<String>()) {
        holds(&text)?;
    }

    #[test]
    fn of_texts_that_look_like_sources(
        start in prop::sample::select(vec![
            "", "github:", "gitlab:", "gitlab.com/", "host.example/", "hub:", "hub:@", "@", "https://github.com/",
            "https://gitlab.com/", "https://host.example/", "https://dev.azure.com/", "git+https://host.example/",
            "git@host.example:", "me@h.example:", "ssh://git@h.example/", "git+file:///", "file:///", "./", "~/", "/",
            "https://raw.githubusercontent.com/", "well-known:", "well-known:https://h.example/", "skills-sh:", "x@",
            "x@gitlab:",
            "x@https://h.example/",
            "x@github:",
            "https://h/",
            "https://h./",
            "https://[::1]:8/",
            "https:h",
            "https:///",
            "h:8/", "https://codeberg.org/", "https://bitbucket.org/", "https://huggingface.co/spaces/",
        ]),
        rest in r"([a-z.A-Z0-9_%@#~^ -]{0,4}(/|//|@|#|%40|%2e|\.git|/tree/|/-/tree/|\.zip|SKILL\.md|:|\\|\?)){0,6}[a-z0-9@#.]{0,4}",
    ) {
        holds(&format!("{start}{rest}"))?;
    }
}
