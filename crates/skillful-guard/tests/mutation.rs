//! How much is still found when an attacker rewrites what the rules know: spacing, case, marks, look-alike letters,
//! quoting, variables, encodings. The base is the rules' own examples; what counts is that the bundle is not safe.
//!
//! `cargo nextest run -p skillful-guard mutation --no-capture` prints the shares.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "in a test, a panic or a line is the report"
)]

use skillful_guard::{Bundle, Preset, RuleBook, Verdict, scan};

/// A way to rewrite a text, and the least share of the examples, in per cent, that must still be found.
struct Mutation {
    name: &'static str,
    least: usize,
    rewrite: fn(&str) -> String,
}

const PROSE: &[Mutation] = &[
    Mutation {
        name: "double blanks",
        least: 95,
        rewrite: |text| text.replace(' ', "  "),
    },
    Mutation {
        name: "wrapped lines",
        least: 75,
        rewrite: wrapped,
    },
    Mutation {
        name: "upper case",
        least: 85,
        rewrite: str::to_uppercase,
    },
    Mutation {
        name: "emphasis",
        least: 85,
        rewrite: emphasised,
    },
    Mutation {
        name: "Cyrillic letters",
        least: 90,
        rewrite: |text| text.replace('o', "о").replace('a', "а").replace('e', "е"),
    },
    Mutation {
        name: "full-width letters",
        least: 90,
        rewrite: full_width,
    },
    Mutation {
        name: "zero width",
        least: 90,
        rewrite: |text| text.replace('e', "e\u{200b}").replace('o', "o\u{200d}"),
    },
    Mutation {
        name: "base64",
        least: 80,
        rewrite: |text| format!("Note: {}\n", base64(text)),
    },
    Mutation {
        name: "in a comment",
        least: 80,
        rewrite: |text| format!("# A\n\n<!-- {} -->\n", text.trim()),
    },
];

const SHELL: &[Mutation] = &[
    Mutation {
        name: "empty quotes",
        least: 85,
        rewrite: |text| {
            text.replace("curl", "c''url")
                .replace("bash", "b\"\"ash")
                .replace("wget", "w\\get")
        },
    },
    Mutation {
        name: "continued lines",
        least: 85,
        rewrite: |text| text.replace(" | ", " \\\n  | "),
    },
    Mutation {
        name: "variables",
        least: 75,
        rewrite: indirect,
    },
    Mutation {
        name: "IFS",
        least: 70,
        rewrite: |text| {
            text.replace("curl -", "curl${IFS}-")
                .replace("rm -", "rm${IFS}-")
        },
    },
    Mutation {
        name: "absolute paths",
        least: 85,
        rewrite: |text| {
            text.replace("curl", "/usr/bin/curl")
                .replace("bash", "/bin/bash")
        },
    },
    Mutation {
        name: "sudo and nohup",
        least: 80,
        rewrite: |text| {
            text.replace("| sh", "| sudo -E nohup sh")
                .replace("| bash", "| sudo -E nohup bash")
        },
    },
    Mutation {
        name: "base64 to a shell",
        least: 95,
        rewrite: |text| format!("echo {} | base64 -d | sh\n", base64(text)),
    },
    Mutation {
        name: "hexadecimal to a shell",
        least: 95,
        rewrite: |text| format!("echo {} | xxd -r -p | bash\n", hex(text)),
    },
];

const PYTHON: &[Mutation] = &[
    Mutation {
        name: "renamed imports",
        least: 80,
        rewrite: |text| {
            text.replace("import requests", "import requests as q")
                .replace("requests.", "q.")
        },
    },
    Mutation {
        name: "exec of base64",
        least: 95,
        rewrite: |text| {
            format!(
                "import base64\nexec(base64.b64decode('{}'))\n",
                base64(text)
            )
        },
    },
    Mutation {
        name: "exec of characters",
        least: 95,
        rewrite: |text| {
            format!(
                "exec(''.join(chr(n) for n in {:?}))\n",
                text.bytes().collect::<Vec<u8>>()
            )
        },
    },
    Mutation {
        name: "inside a function",
        least: 85,
        rewrite: |text| format!("def go():\n{}\ngo()\n", indented(text)),
    },
];

#[test]
fn rewritten_prose_is_found() {
    measure(
        "SKILL.md",
        |path, text| path == "SKILL.md" && !text.starts_with("---") && !text.contains("```"),
        PROSE,
    );
}

#[test]
fn rewritten_shell_is_found() {
    measure(
        "a.sh",
        |path, _| path.rsplit('.').next() == Some("sh"),
        SHELL,
    );
}

#[test]
fn rewritten_python_is_found() {
    measure(
        "a.py",
        |path, text| path.rsplit('.').next() == Some("py") && text.is_ascii(),
        PYTHON,
    );
}

fn is_found(path: &str, text: &str) -> bool {
    let scan = scan(&Bundle::of_text(path, text), RuleBook::built_in().unwrap());
    Preset::Balanced.policy().judge(&scan, "").verdict > Verdict::Safe
}

fn measure(path: &str, chosen: fn(&str, &str) -> bool, mutations: &[Mutation]) {
    let samples: Vec<String> = RuleBook::built_in()
        .unwrap()
        .rules()
        .flat_map(|rule| rule.matches.iter())
        .filter_map(|example| match example.bundle().files() {
            [file] => match &file.content {
                skillful_guard::Content::Bytes(bytes) => String::from_utf8(bytes.clone())
                    .ok()
                    .filter(|text| chosen(&file.path, text) && text.len() < 2_000),
                _ => None,
            },
            _ => None,
        })
        .filter(|text| is_found(path, text))
        .collect();
    assert!(
        samples.len() >= 20,
        "only {} examples to rewrite",
        samples.len()
    );
    let mut weak = Vec::new();
    for mutation in mutations {
        let missed: Vec<&String> = samples
            .iter()
            .filter(|text| !is_found(path, &(mutation.rewrite)(text)))
            .collect();
        let share = (samples.len() - missed.len()) * 100 / samples.len();
        println!(
            "{path}, {}: {share} % of {} still found",
            mutation.name,
            samples.len()
        );
        if share < mutation.least {
            weak.push(format!(
                "{}: {share} % of at least {} %, missed {missed:#?}",
                mutation.name, mutation.least
            ));
        }
    }
    assert!(weak.is_empty(), "{}", weak.join("\n"));
}

fn wrapped(text: &str) -> String {
    let words = text.split(' ').enumerate();
    words
        .map(|(n, word)| {
            if n % 4 == 3 {
                format!("{word}\n")
            } else {
                format!("{word} ")
            }
        })
        .collect()
}

fn emphasised(text: &str) -> String {
    let words = text.trim_end().split(' ').enumerate();
    let marked = words.map(|(n, word)| {
        if n % 3 == 1 && word.bytes().all(|b| b.is_ascii_alphabetic()) {
            format!("**{word}**")
        } else {
            word.to_owned()
        }
    });
    marked.collect::<Vec<String>>().join(" ")
}

fn full_width(text: &str) -> String {
    text.chars()
        .map(|c| {
            if c.is_ascii_lowercase() {
                char::from_u32(u32::from(c) + 0xfee0).unwrap_or(c)
            } else {
                c
            }
        })
        .collect()
}

fn indirect(text: &str) -> String {
    format!(
        "C=curl\nS=bash\nR=rm\n{}",
        text.replace("curl ", "$C ")
            .replace("| bash", "| $S")
            .replace("rm -", "$R -")
    )
}

fn indented(text: &str) -> String {
    text.lines().flat_map(|line| ["    ", line, "\n"]).collect()
}

fn hex(text: &str) -> String {
    let digit = |value: u8| char::from_digit(u32::from(value), 16).unwrap();
    text.bytes()
        .flat_map(|byte| [digit(byte >> 4), digit(byte & 15)])
        .collect()
}

fn base64(text: &str) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let group = |bytes: &[u8]| -> String {
        let padded = bytes
            .iter()
            .copied()
            .chain([0, 0])
            .take(3)
            .fold(0_u32, |sum, byte| sum << 8 | u32::from(byte));
        (0..4)
            .map(|n| {
                if n <= bytes.len() {
                    char::from(LETTERS[(padded >> (18 - 6 * n)) as usize & 63])
                } else {
                    '='
                }
            })
            .collect()
    };
    text.as_bytes().chunks(3).map(group).collect()
}
