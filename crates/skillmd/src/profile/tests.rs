use super::*;
use crate::code::Code;
use crate::diagnostic::{Reporter, sort};
use crate::keys::KEYS;
use crate::manifest::Manifest;
use crate::validate::Context;
use crate::{Diagnostic, Document, Encoding, parse, parse_text};

fn judge(client: &str, document: &Document, context: &Context) -> Vec<Diagnostic> {
    let mut reporter = Reporter::new(document.text());
    let manifest = Manifest::read(document, &mut reporter);
    check_for(find(client).unwrap(), document, &manifest, context)
}

fn found(client: &str, text: &str) -> Vec<Diagnostic> {
    let context = Context {
        directory: Some("s".to_owned()),
        file_name: Some("SKILL.md".to_owned()),
        depth: Some(1),
    };
    judge(
        client,
        &parse_text(text.to_owned(), Encoding::Utf8),
        &context,
    )
}

/// The messages under one code.
fn told(client: &str, text: &str, code: Code) -> Vec<String> {
    found(client, text)
        .into_iter()
        .filter(|found| found.code == code)
        .map(|found| found.message)
        .collect()
}

fn skips(client: &str, text: &str) -> Vec<String> {
    told(client, text, Code::ClientSkips)
}

fn differs(client: &str, text: &str) -> Vec<String> {
    told(client, text, Code::ClientReadsDifferently)
}

fn ignores(client: &str, text: &str) -> Vec<String> {
    told(client, text, Code::ClientIgnoresKey)
}

fn named(name: &str) -> String {
    format!("---\nname: {name}\ndescription: x\n---\nBody\n")
}

fn with(entries: &str) -> String {
    format!("---\nname: s\ndescription: x\n{entries}\n---\nBody\n")
}

fn with_body(body: &str) -> String {
    format!("---\nname: s\ndescription: x\n---\n{body}\n")
}

#[test]
fn ids_are_unique_sorted_and_known_to_the_table_of_keys() {
    assert!(PROFILES.is_sorted_by_key(|profile| profile.id));
    for profile in PROFILES {
        assert_eq!(find(profile.id), Ok(profile));
        assert!(!profile.title.is_empty());
        if let Some(client) = profile.keys_of {
            let is_reader = KEYS.iter().any(|key| key.is_read_by(client));
            assert!(is_reader, "{}: nothing is read by {client}", profile.id);
        }
        for key in profile.unread {
            assert!(KEYS.iter().any(|row| row.path == *key), "{key}");
        }
    }
}

#[test]
fn unknown_ids_are_answered_with_the_nearest() {
    let nearest = |id: &str| find(id).unwrap_err().nearest;
    assert_eq!(find("Claude-Code").unwrap().id, "claude-code");
    assert_eq!(nearest("claude-kode")[0], "claude-code");
    assert_eq!(nearest("claude"), ["claude-api", "claude-code"]);
    assert_eq!(nearest("vs code"), ["github-copilot"]);
    assert_eq!(nearest("vscode"), ["github-copilot"]);
    assert_eq!(nearest("geminicli"), ["gemini-cli"]);
    let error = find("claude-cod").unwrap_err().to_string();
    assert!(error.contains("did you mean `claude-code`"), "{error}");
    let error = find("zzz").unwrap_err().to_string();
    assert!(error.contains("there are agentskills, "), "{error}");
}

#[test]
fn a_plain_skill_loads_everywhere_as_it_is_written() {
    for profile in PROFILES {
        let text = match profile.language {
            Language::Yaml => named("s"),
            Language::Toml => "+++\nname = \"s\"\ndescription = \"x\"\n+++\nBody\n".to_owned(),
        };
        assert_eq!(found(profile.id, &text), [], "{}", profile.id);
    }
}

#[test]
fn each_client_reads_one_language() {
    let toml = "+++\nname = \"s\"\ndescription = \"x\"\n+++\n";
    for profile in PROFILES {
        assert_eq!(
            skips(profile.id, toml).is_empty(),
            profile.id == "denkeeper",
            "{}",
            profile.id
        );
    }
    assert!(skips("denkeeper", &named("s"))[0].contains("`+++`"));
}

#[test]
fn names_are_judged_by_each_clients_rule() {
    for (client, good, bad) in [
        ("agentskills", "s", "S"),
        ("github-copilot", "s", "ö"),
        ("skillport", "s", "技能"),
        ("copilot-cli", "My skill_1.0", "-x"),
        ("goose", "a:b", "a/b"),
        ("codex", "Any name", "\"a\\nb\""),
    ] {
        let directory = |name: &str| Context {
            directory: Some(name.to_owned()),
            ..Context::default()
        };
        let judged = |name: &str| {
            let document = parse_text(named(name), Encoding::Utf8);
            let name = document.get_text("name").unwrap().to_owned();
            judge(client, &document, &directory(&name))
        };
        assert_eq!(judged(good), [], "{client}: {good}");
        assert!(
            judged(bad)
                .iter()
                .any(|found| found.code == Code::ClientSkips),
            "{client}: {bad}"
        );
    }
}

#[test]
fn long_names_are_refused_where_there_is_a_limit() {
    let text = named(&"a".repeat(65));
    assert!(skips("codex", &text)[0].contains("65 characters; 64"));
    assert_eq!(skips("opencode", &text), [""; 0]);
}

#[test]
fn a_name_that_differs_from_the_directory() {
    assert!(skips("github-copilot", &named("other"))[0].contains("the directory is named `s`"));
    assert!(differs("claude-code", &named("other"))[0].contains("calls the skill `s`"));
    assert!(differs("opencode", &named("other"))[0].contains("may not load"));
    assert_eq!(found("codex", &named("other")), []);
}

#[test]
fn names_that_a_client_rewrites() {
    assert!(differs("gemini-cli", &named("\"a:b/c\""))[0].contains("`a-b-c`"));
    assert!(differs("aleph", &named("My Skill"))[0].contains("`my-skill`"));
}

#[test]
fn reserved_words_and_tags_are_refused() {
    let text = "---\nname: my-claude\ndescription: Makes <b>x</b>\n---\n";
    let told = skips("claude-api", text);
    assert!(
        told.iter()
            .any(|told| told.contains("`claude` is reserved"))
    );
    assert!(
        told.iter()
            .any(|told| told.contains("`description` contains an XML tag"))
    );
    assert_eq!(skips("claude-code", text), [""; 0]);
    let harmless = "---\nname: s\ndescription: a < b, c > d\n---\n";
    assert_eq!(skips("claude-api", harmless), [""; 0]);
}

#[test]
fn missing_facts_are_made_up_or_cost_the_skill() {
    let text = "---\nlicense: MIT\n---\nBody\n";
    let told = differs("claude-code", text);
    assert!(told[0].contains("the directory's name for the missing `name`"));
    assert!(told[1].contains("the first paragraph of the body for the missing `description`"));
    assert_eq!(skips("gemini-cli", text).len(), 2);
    assert!(differs("goose", text)[0].contains("nothing for the missing `description`"));
}

#[test]
fn without_a_frontmatter_only_some_load_the_body() {
    assert!(differs("claude-code", "# Title\n")[0].contains("the first paragraph"));
    assert!(skips("codex", "# Title\n")[0].contains("frontmatter"));
    assert_eq!(
        skips("codex", &named("s").replace("---\nBody", "---# Body")).len(),
        1
    );
}

#[test]
fn syntax_errors_are_taken_in_four_ways() {
    let text = "---\nname: s\ndescription: Use it: now\n---\nBody\n";
    assert!(skips("codex", text)[0].starts_with("Codex skips the skill: "));
    assert!(differs("gemini-cli", text)[0].contains("line by line"));
    assert!(differs("claude-code", text)[0].contains("ignores the whole frontmatter"));
    assert!(differs("cursor", text)[0].contains("may not load"));
}

#[test]
fn what_stands_before_the_frontmatter() {
    let text = format!("\n\n{}", named("s"));
    assert!(skips("agentskills", &text)[0].contains("blank"));
    assert_eq!(found("kesoku", &text), []);
    assert!(differs("codex", &text)[0].contains("may not load"));
    let comment = format!("<!-- c -->\n{}", named("s"));
    assert_eq!(skips("kesoku", &comment).len(), 1, "a comment is not blank");
}

#[test]
fn encodings() {
    let codes = |client: &str, encoding: Encoding| {
        let document = parse(encoding.encode(&named("s"))).unwrap();
        let found = judge(client, &document, &Context::default());
        found.iter().map(|found| found.code).collect::<Vec<_>>()
    };
    assert_eq!(codes("hermes-agent", Encoding::Utf8WithMark), []);
    assert_eq!(codes("kesoku", Encoding::Utf8WithMark), [Code::ClientSkips]);
    assert_eq!(
        codes("goose", Encoding::Utf8WithMark),
        [Code::ClientReadsDifferently]
    );
    assert_eq!(
        codes("hermes-agent", Encoding::Utf16Le),
        [Code::ClientSkips]
    );
}

#[test]
fn file_names_and_depth() {
    let document = parse_text(named("s"), Encoding::Utf8);
    let context = Context {
        file_name: Some("skill.md".to_owned()),
        depth: Some(2),
        ..Context::default()
    };
    let told = |client: &str| {
        let found = judge(client, &document, &context);
        found
            .into_iter()
            .map(|found| found.message)
            .collect::<Vec<_>>()
    };
    assert_eq!(told("claude-code").len(), 2);
    assert!(told("codex")[0].contains("`skill.md`"));
    assert!(told("github-copilot")[0].contains("2 levels below"));
    assert_eq!(told("aleph"), [""; 0]);
}

#[test]
fn sizes() {
    let padding = format!("metadata:\n  a: {}", "x".repeat(2_100));
    assert!(skips("codex", &with(&padding))[0].contains("2048 bytes are searched"));
    assert_eq!(skips("goose", &with(&padding)), [""; 0]);
    let body = with_body(&"x".repeat(70_000));
    assert!(skips("skillport", &body)[0].contains("65536"));
}

#[test]
fn long_descriptions_are_refused_or_cut() {
    let described =
        |length: usize| format!("---\nname: s\ndescription: {}\n---\n", "x".repeat(length));
    assert!(skips("copilot-cli", &described(1_025))[0].contains("1025 characters; 1024"));
    assert!(differs("codex", &described(1_025))[0].contains("1024 of the description's 1025"));
    assert_eq!(differs("claude-code", &described(1_536)), [""; 0]);
    assert_eq!(differs("hermes-agent", &described(61)).len(), 1);
    let with_when = "---\nname: s\ndescription: x\nwhen_to_use: ";
    let text = format!("{with_when}{}\n---\n", "y".repeat(1_536));
    assert_eq!(
        differs("claude-code", &text).len(),
        1,
        "both count together"
    );
    assert_eq!(differs("codex", &text), [""; 0]);
}

#[test]
fn keys_that_a_client_does_not_read() {
    let text = with("effort: high\nfoo: bar");
    assert_eq!(ignores("claude-code", &text), ["Claude Code ignores `foo`"]);
    assert_eq!(ignores("codex", &text).len(), 2);
    assert_eq!(
        ignores("aleph", &with("eligibility:\n  os: [linux]")),
        [""; 0]
    );
    assert_eq!(ignores("codex", &with("license: MIT")).len(), 1);
    let tools = with("allowed-tools: Read");
    assert_eq!(ignores("copilot-cli", &tools), [""; 0]);
    assert_eq!(ignores("github-copilot", &tools).len(), 1);
}

#[test]
fn strict_clients_refuse_the_skill_for_a_key() {
    for client in ["agentskills", "claude-api", "flynn"] {
        assert!(skips(client, &with("version: \"1\""))[0].contains("`version`"));
    }
}

#[test]
fn spelling_counts_except_for_claude_code() {
    let text = with("disable_model_invocation: true");
    assert_eq!(ignores("claude-code", &text), [""; 0]);
    let document = parse_text(text, Encoding::Utf8);
    let found = judge("cursor", &document, &Context::default());
    assert_eq!(found[0].code, Code::ClientIgnoresKey);
    assert!(
        found[0]
            .help
            .as_ref()
            .unwrap()
            .contains("`disable-model-invocation`")
    );
}

#[test]
fn other_clients_blocks_in_metadata_are_ignored() {
    let text = with("metadata:\n  clawdbot:\n    os: [linux]\n  version: \"1\"\n  foo: bar");
    assert_eq!(
        ignores("claude-code", &text),
        ["Claude Code ignores `metadata.clawdbot`"]
    );
    assert_eq!(ignores("openclaw", &text), [""; 0]);
    assert_eq!(
        ignores("gemini-cli", &text),
        ["Gemini CLI ignores `metadata`"]
    );
    assert_eq!(ignores("agentskills", &text), [""; 0]);
}

#[test]
fn tools_are_split_at_blanks_by_the_standard() {
    let split = differs("agentskills", &with("allowed-tools: Bash(git *) Read"));
    assert!(split[0].contains("`Bash(git *)`"), "{split:?}");
    assert!(differs("agentskills", &with("allowed-tools: Read, Write"))[0].contains("commas"));
    assert_eq!(
        differs("claude-code", &with("allowed-tools: Bash(git *), Read")),
        [""; 0]
    );
    assert_eq!(
        differs("agentskills", &with("allowed-tools: Bash(git:*) Read")),
        [""; 0]
    );
}

#[test]
fn arguments_mean_different_things() {
    let text = with_body("Do $1 with $ARGUMENTS");
    assert!(differs("claude-code", &text)[0].contains("`$1` is number 2"));
    assert!(differs("opencode", &text)[0].contains("`$1` is number 1"));
    assert_eq!(differs("codex", &text).len(), 2);
    assert!(differs("aleph", &text)[0].contains("`$1`"));
    assert_eq!(differs("aleph", &text).len(), 1);
    let script = with_body("awk '{print $1}'");
    assert_eq!(differs("claude-code", &script), [""; 0]);
}

#[test]
fn variables_and_inline_commands_belong_to_some_clients() {
    let text = with_body("Run ${CLAUDE_SKILL_DIR}/x and {baseDir}/y\n\n!`date`");
    assert_eq!(
        differs("claude-code", &text),
        ["Claude Code does not fill in `{baseDir}`"]
    );
    assert_eq!(differs("goose", &text).len(), 3);
    let at = found("goose", &text);
    assert_eq!((at[0].position.line, at[0].position.column), (5, 5));
    assert_eq!(differs("goose", &with_body("Hello!`x`")), [""; 0]);
}

#[test]
fn what_is_found_is_sorted_by_place() {
    let text = "---\nfoo: bar\nname: other\ndescription: x\n---\n$ARGUMENTS\n";
    let diagnostics = found("claude-api", text);
    let mut sorted = diagnostics.clone();
    sort(&mut sorted);
    assert_eq!(diagnostics, sorted);
    assert_eq!(diagnostics.len(), 3);
}
