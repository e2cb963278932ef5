use super::*;

fn overlaid(text: &str) -> Result<Clients, ClientsError> {
    let mut clients = Clients::built_in().unwrap();
    clients.lay_over(Path::new("my.toml"), text)?;
    Ok(clients)
}

#[test]
fn the_built_in_file_is_read() {
    let clients = Clients::built_in().unwrap();
    assert!(clients.iter().count() >= 80);
    let claude = clients.get("claude-code").unwrap();
    assert_eq!(claude.project, [PathBuf::from(".claude/skills")]);
    assert_eq!(clients.get("denkeeper").unwrap().flat, Flat::Markdown);
    assert!(clients.get("no-such-client").is_none());
}

#[test]
fn every_client_has_a_directory_of_its_own() {
    for client in &Clients::built_in().unwrap() {
        assert!(
            !client.project.is_empty() || !client.global.is_empty(),
            "{} has no directory",
            client.id
        );
        assert_ne!(
            client.name, *client.id,
            "{} has no name for people",
            client.id
        );
        assert!(client.depth >= 1);
    }
}

#[test]
fn a_user_adds_a_client() {
    let clients =
        overlaid("mine = { name = \"Mine\", directory = \".mine\", flat = \"markdown\" }").unwrap();
    let mine = clients.get("mine").unwrap();
    assert_eq!(mine.project, [PathBuf::from(".mine/skills")]);
    assert_eq!(mine.flat, Flat::Markdown);
    assert_eq!(mine.depth, limits::DEPTH);
}

#[test]
fn a_user_changes_one_field_and_the_others_stay() {
    let clients = overlaid("[claude-code]\nproject = [\"agents/claude\"]").unwrap();
    let claude = clients.get("claude-code").unwrap();
    assert_eq!(claude.project, [PathBuf::from("agents/claude")]);
    assert_eq!(claude.name, "Claude Code");
    assert!(!claude.global.is_empty());
}

#[test]
fn a_bad_file_names_the_place() {
    let error = overlaid("a = { name = \"A\" }\nb = { nam = 1 }\n").unwrap_err();
    assert!(error.to_string().starts_with("my.toml:2:"), "{error}");
    let error = overlaid("a = { name = }").unwrap_err();
    assert!(error.to_string().starts_with("my.toml:1:"), "{error}");
}

#[test]
fn a_bad_path_names_client_and_field() {
    for path in ["../x", "/x", "", "a\\b"] {
        let error = overlaid(&format!("[x]\nproject = ['{path}']")).unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("my.toml: client `x`, field `project`: "),
            "{error}"
        );
    }
    let error = overlaid("[x]\nglobal = [\"relative\"]").unwrap_err();
    assert!(error.to_string().contains("field `global`"), "{error}");
}
