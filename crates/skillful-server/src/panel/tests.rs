use axum::body::to_bytes;
use axum::extract::Path;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};

use super::*;

async fn body(response: Response) -> String {
    let bytes = to_bytes(response.into_body(), 1 << 20).await.unwrap();
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[tokio::test]
async fn a_file_is_sent_once_and_then_known() {
    let first = page(HeaderMap::new()).await;
    assert_eq!(first.status(), StatusCode::OK);
    let tag = first.headers()[header::ETAG].clone();
    assert!(body(first).await.contains("/panel/js/app.js"));

    let mut known = HeaderMap::new();
    known.insert(header::IF_NONE_MATCH, tag.clone());
    let second = page(known).await;
    assert_eq!(second.status(), StatusCode::NOT_MODIFIED);
    assert_eq!(second.headers()[header::ETAG], tag);
    assert_eq!(body(second).await, "");
}

#[tokio::test]
async fn every_answer_has_the_policy() {
    let answers = [
        page(HeaderMap::new()).await,
        file(Path("js/app.js".into()), HeaderMap::new()).await,
        file(Path("../../Cargo.toml".into()), HeaderMap::new()).await,
    ];
    for answer in &answers {
        let policy = &answer.headers()[header::CONTENT_SECURITY_POLICY];
        assert_eq!(policy, policy::CONTENT_SECURITY_POLICY);
        let nosniff = HeaderValue::from_static("nosniff");
        assert_eq!(answer.headers()[header::X_CONTENT_TYPE_OPTIONS], nosniff);
    }
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
