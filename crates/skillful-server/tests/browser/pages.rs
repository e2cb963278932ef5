//! Every page, looked at in every way: nothing the browser complains about, nothing wider than the screen, nothing that
//! somebody cannot read or reach.

use serde_json::Value;

use crate::driver::{Browser, View};
use crate::world::World;

/// Every page of the panel.
pub(crate) const PAGES: &[(&str, &str)] = &[
    ("overview", ""),
    ("catalog", "skills"),
    ("catalog-none", "skills?text=nothing+is+called+so"),
    ("instructions", "skill/release-notes"),
    (
        "files",
        "skill/checkout-flow/files?path=references%2Fstates.md",
    ),
    ("problems", "skill/quarterly-report/problems"),
    ("safety", "skill/fast-answers/safety"),
    ("usage", "skill/unit-tests/usage"),
    ("changes", "skill/meeting-notes/history"),
    ("about", "skill/commit-helper/about"),
    ("editor", "skill/quarterly-report/edit"),
    ("install", "install"),
    ("prompt", "prompt?tokens=600"),
    ("history", "history"),
    ("events", "events"),
    ("settings", "settings"),
    ("missing", "no-such-page"),
];

const AXE: &str = include_str!("vendor/axe.min.js");

/// What an examination by axe-core finds that keeps somebody from using the page.
async fn barriers(browser: &Browser) -> Vec<String> {
    browser.run(AXE).await;
    let script = "const done = arguments[arguments.length - 1];
        axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'] }).then(
            (found) => done(found.violations
                .filter((it) => ['serious', 'critical', 'moderate'].includes(it.impact))
                .flatMap((it) => it.nodes.slice(0, 3).map((node) => `${it.id}: ${node.html.slice(0, 160)} (${(node.failureSummary || '').slice(0, 300)})`))),
            (error) => done([String(error)]));";
    let found = browser
        .client
        .execute_async(script, Vec::new())
        .await
        .unwrap();
    let found = found.as_array().unwrap().iter();
    found
        .map(|it| it.as_str().unwrap_or_default().to_owned())
        .collect()
}

async fn look(view: View) {
    let Some(world) = World::start().await else {
        return;
    };
    let browser = &world.browser;
    browser.view(view).await;
    let mut found = Vec::new();
    for (name, page) in PAGES {
        world.open(page).await;
        let wide = browser
            .run("return document.documentElement.scrollWidth > document.documentElement.clientWidth")
            .await;
        if wide == Value::Bool(true) {
            found.push(format!("{name}: wider than the screen"));
        }
        let loaded = browser.run("return performance.getEntriesByType('resource').map((it) => it.name).filter((it) => !it.startsWith(location.origin))").await;
        assert_eq!(
            loaded,
            Value::Array(Vec::new()),
            "{name}: asked another origin"
        );
        let headings = browser
            .run("return document.querySelectorAll('h1').length")
            .await;
        assert_eq!(headings, 1, "{name}");
        found.extend(
            browser
                .logs()
                .await
                .into_iter()
                .map(|log| format!("{name}: {log}")),
        );
        found.extend(
            barriers(browser)
                .await
                .into_iter()
                .map(|it| format!("{name}: {it}")),
        );
        // What axe itself does is no concern of ours.
        browser.logs().await;
    }
    world.end_anyway().await;
    assert!(found.is_empty(), "{found:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_page_is_fine_in_the_light() {
    look(View::Light).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_page_is_fine_in_the_dark() {
    look(View::Dark).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_page_is_fine_on_a_phone() {
    look(View::Phone).await;
}
