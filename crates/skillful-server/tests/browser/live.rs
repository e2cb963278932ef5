//! What happens on the machine shows without anybody asking for it.

use std::fs;

use skillful_manage::DataDirectory;
use skillful_server::demo::Demo;
use skillful_server::http::{Options, Scope, TokenFile};

use crate::world::World;

#[tokio::test(flavor = "multi_thread")]
async fn a_change_on_disk_shows_by_itself() {
    let Some(world) = World::start().await else {
        return;
    };
    let browser = &world.browser;
    world.open("skills?text=standup").await;
    browser.until_text("Broken").await;
    browser.until("document.querySelector('.pulse.open')").await;
    world.write(
        ".claude/skills/standup-notes/SKILL.md",
        "---\nname: standup-notes\ndescription: Notes for the morning. Use at nine.\n---\n\n# Notes\n",
    );
    browser
        .until("document.querySelector('.list tbody').innerText.includes('Ready')")
        .await;
    fs::remove_dir_all(world.path(".claude/skills/standup-notes")).unwrap();
    browser.until_text("No skill is like that.").await;
    world.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn events_are_listed_as_they_happen() {
    let Some(world) = World::start().await else {
        return;
    };
    let browser = &world.browser;
    world.open("events").await;
    browser.until_text("new events appear by themselves").await;
    world.write(
        ".claude/skills/standup-notes/SKILL.md",
        "---\nname: standup-notes\ndescription: Notes for the morning. Use at nine.\n---\n\n# Notes\n",
    );
    browser.until("document.querySelector('.events') && document.querySelector('.events').innerText.includes('standup-notes')").await;
    world.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_connection_is_told() {
    let Some(mut world) = World::start().await else {
        return;
    };
    world.open("").await;
    world
        .browser
        .until("document.querySelector('.pulse.open')")
        .await;
    world.stop();
    world
        .browser
        .until_text("The connection to the server is lost")
        .await;
    world.end_anyway().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_wants_a_token_is_given_one() {
    let options = Options {
        require_token: true,
        ..Options::default()
    };
    let mut secret = String::new();
    let make = |demo: &Demo| {
        let settings = demo.settings();
        let data = DataDirectory::of(&settings.host, &settings.options).unwrap();
        let made = TokenFile::of(&data).create("panel", Scope::Read, None);
        secret = made.unwrap().0;
    };
    let Some(world) = World::with(make, options).await else {
        return;
    };
    let browser = &world.browser;
    world.open("skills").await;
    browser.until("document.querySelector('#token')").await;
    browser
        .element("#token")
        .await
        .send_keys("not a token")
        .await
        .unwrap();
    browser.press("Sign in").await;
    browser
        .until("document.querySelector('[role=alert]')")
        .await;
    let kept = browser.run("return JSON.stringify([Object.keys(sessionStorage), Object.keys(localStorage), document.cookie])").await;
    assert_eq!(
        kept, "[[],[],\"\"]",
        "a token that does not count is not kept"
    );
    let field = browser.element("#token").await;
    field.clear().await.unwrap();
    field.send_keys(&secret).await.unwrap();
    browser.press("Sign in").await;
    browser
        .until("document.querySelectorAll('.list tbody tr').length > 20")
        .await;
    // Events are asked for with the token as well.
    browser.until("document.querySelector('.pulse.open')").await;
    let kept = browser.run("return JSON.stringify([Object.keys(sessionStorage), Object.keys(localStorage), document.cookie, location.href.includes('token')])").await;
    assert_eq!(kept, "[[\"skillful-token\"],[],\"\",false]");

    // What the token does not reach is refused, and the page says so.
    world.open("skill/unit-tests").await;
    browser.press("Archive").await;
    browser
        .until("document.querySelector('[role=alert]')")
        .await;
    world.open("settings").await;
    browser.press("Sign out").await;
    browser.until("document.querySelector('#token')").await;
    world.end_anyway().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_prompt_follows_the_budget() {
    let Some(world) = World::start().await else {
        return;
    };
    let browser = &world.browser;
    world.open("prompt").await;
    browser
        .until("Number(document.querySelector('[data-kind=whole]').textContent) > 8")
        .await;
    let field = browser.element("input[name=tokens]").await;
    field.send_keys("150").await.unwrap();
    browser.until("location.hash.includes('tokens=150')").await;
    browser
        .until("Number(document.querySelector('[data-kind=whole]').textContent) < 5")
        .await;
    browser.until("Number(document.querySelector('[data-kind=omitted]').textContent) + Number(document.querySelector('[data-kind=name_only]').textContent) > 5").await;
    world.end().await;
}
