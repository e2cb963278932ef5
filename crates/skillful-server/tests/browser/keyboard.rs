//! The panel without a mouse.

use fantoccini::key::Key;

use crate::world::World;

fn key(key: Key) -> String {
    char::from(key).to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_can_be_reached_by_keys() {
    let Some(world) = World::start().await else {
        return;
    };
    let browser = &world.browser;
    world.open("").await;

    // The first stop leads past the navigation.
    browser.run("document.activeElement.blur()").await;
    browser.keys(&key(Key::Tab)).await;
    browser
        .until("document.activeElement.className === 'skip'")
        .await;
    browser.keys(&key(Key::Enter)).await;
    browser
        .until("document.activeElement.id === 'content'")
        .await;

    // A slash begins a search, which follows each letter; Enter leads to what was found.
    browser.keys("/").await;
    browser
        .until("document.activeElement.type === 'search'")
        .await;
    browser.keys("commit").await;
    browser.until("location.hash.includes('text=commit')").await;
    browser
        .until("document.querySelectorAll('.list tbody tr').length === 2")
        .await;
    browser.keys(&key(Key::Enter)).await;
    browser
        .until("document.activeElement.id === 'page-title'")
        .await;

    // Tab goes on to the first skill, Enter opens it, and the title has the focus then.
    for _ in 0..20 {
        browser.keys(&key(Key::Tab)).await;
        if browser
            .run("return document.activeElement.closest('.list tbody') !== null")
            .await
            == true
        {
            break;
        }
    }
    browser.keys(&key(Key::Enter)).await;
    browser
        .until("location.hash.startsWith('#/skill/commit-helper')")
        .await;
    browser.settled().await;

    // A dialog keeps the focus, Escape closes it, and the focus is where it was.
    world.open("settings").await;
    browser
        .run("document.querySelector('.table button').focus()")
        .await;
    browser.keys(&key(Key::Enter)).await;
    browser
        .until("document.querySelector('dialog[open]')")
        .await;
    for _ in 0..12 {
        browser.keys(&key(Key::Tab)).await;
        let is_inside = "document.activeElement === document.body || document.querySelector('dialog').contains(document.activeElement)";
        browser.until(is_inside).await;
    }
    browser
        .run("document.querySelector('dialog input').focus()")
        .await;
    browser.keys(&key(Key::Escape)).await;
    browser.until("!document.querySelector('dialog')").await;
    browser
        .until("document.activeElement === document.querySelector('.table button')")
        .await;
    world.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_editor_takes_tabs_and_lets_go_of_them() {
    let Some(world) = World::start().await else {
        return;
    };
    let browser = &world.browser;
    world.open("skill/unit-tests/edit").await;
    browser.run("document.querySelector('#editor').focus(); document.querySelector('#editor').setSelectionRange(0, 0)").await;
    browser.keys(&key(Key::Tab)).await;
    browser
        .until("document.querySelector('#editor').value.startsWith('  ---')")
        .await;
    browser.keys(&key(Key::Escape)).await;
    browser.keys(&key(Key::Tab)).await;
    browser
        .until("document.activeElement.id !== 'editor'")
        .await;
    world.end_anyway().await;
}
