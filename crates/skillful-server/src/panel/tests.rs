use axum::body::to_bytes;
use axum::extract::Path;
use axum::http::{HeaderValue, StatusCode, header};

use super::*;

async fn body(response: Response) -> String {
    let bytes = to_bytes(response.into_body(), 1 << 20).await.unwrap();
    String::from_utf8(bytes.to_vec()).unwrap()
}

async fn asked(version: &str, path: &str) -> Response {
    file(Path((version.to_owned(), path.to_owned()))).await
}

#[tokio::test]
async fn the_page_names_files_that_a_browser_may_keep() {
    let page = body(page().await).await;
    let version = &*assets::VERSION;
    let named: Vec<&str> = page
        .split('"')
        .filter(|text| text.starts_with("/panel/"))
        .collect();
    assert!(named.len() > 5, "{named:?}");
    for name in named {
        let path = name.strip_prefix(&format!("/panel/{version}/")).unwrap();
        let answer = asked(version, path).await;
        assert_eq!(answer.status(), StatusCode::OK, "{name}");
        let kept = answer.headers()[header::CACHE_CONTROL].to_str().unwrap();
        assert!(kept.contains("immutable"));
    }
    let old = asked("0123456789abcdef", "js/app.js").await;
    assert_eq!(old.status(), StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn every_answer_has_the_policy() {
    let version = &*assets::VERSION;
    let answers = [
        page().await,
        asked(version, "js/app.js").await,
        asked(version, "../../Cargo.toml").await,
    ];
    for answer in &answers {
        let policy = &answer.headers()[header::CONTENT_SECURITY_POLICY];
        assert_eq!(policy, policy::CONTENT_SECURITY_POLICY);
        let nosniff = HeaderValue::from_static("nosniff");
        assert_eq!(answer.headers()[header::X_CONTENT_TYPE_OPTIONS], nosniff);
    }
    assert!(answers[0].headers().contains_key(header::ETAG));
    assert_eq!(answers[2].status(), StatusCode::NOT_FOUND);
}

#[test]
fn nothing_is_asked_of_other_origins_and_nothing_is_inline() {
    for (path, kind, content) in assets::all() {
        for word in [
            " style=\"",
            "onclick=\"",
            "eval(",
            "new Function",
            "@import",
            "url(",
        ] {
            assert!(!content.contains(word), "{path} has {word}");
        }
        if kind.starts_with("text/html") {
            assert!(!content.contains("http"), "{path} names another origin");
            assert!(!content.contains("<script>"), "{path} has a script in it");
            assert!(!content.contains("<style"), "{path} has a style in it");
        }
    }
}

/// Only one module may turn text into markup; see `panel/js/rendered.js`.
#[test]
fn text_becomes_markup_in_one_place() {
    let ways = [
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "DOMParser",
        "createPolicy",
        "createContextualFragment",
    ];
    for (path, _, content) in assets::all() {
        let is_place = path == "js/rendered.js" || path == "vendor/preact.js";
        for way in ways {
            assert!(is_place || !content.contains(way), "{path} uses {way}");
        }
        let sets_html = content.contains("dangerouslySetInnerHTML") && path != "vendor/preact.js";
        assert!(!sets_html, "{path} sets markup");
    }
}

#[test]
fn all_that_is_imported_is_there() {
    for (path, _, content) in assets::all() {
        for line in content.lines().filter(|line| line.starts_with("import ")) {
            let Some(wanted) = line.split('"').nth(1) else {
                continue;
            };
            let directory = path.rsplit_once('/').map_or("", |(directory, _)| directory);
            let mut segments: Vec<&str> = directory.split('/').collect();
            for segment in wanted.split('/') {
                match segment {
                    "." => {}
                    ".." => {
                        segments.pop();
                    }
                    name => segments.push(name),
                }
            }
            let wanted = segments.join("/");
            assert!(assets::find(&wanted).is_some(), "{path} imports {wanted}");
        }
    }
}
