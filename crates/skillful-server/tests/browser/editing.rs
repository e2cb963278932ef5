//! The newcomer's story: what is wrong, why, and how it is put right; and that nobody's text is lost.

use fantoccini::key::Key;

use crate::world::World;

const STANDUP: &str = ".claude/skills/standup-notes/SKILL.md";

const MENDED: &str = "---\nname: standup-notes\ndescription: Notes for the morning. Use at nine.\n---\n\n# Notes\n\nShort.\n";

/// Puts a text into the editor as if it was typed.
async fn type_over(world: &World, text: &str) {
    let text = serde_json::Value::from(text);
    let script = format!(
        "const field = document.querySelector('#editor');
         field.focus(); field.select(); document.execCommand('insertText', false, {text});"
    );
    world.browser.run(&script).await;
}

async fn save_by_key(world: &World) {
    let control = char::from(Key::Control);
    let null = char::from(Key::Null);
    world.browser.keys(&format!("{control}s{null}")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_newcomer_finds_the_broken_skill_and_mends_it() {
    let Some(world) = World::start().await else {
        return;
    };
    let browser = &world.browser;
    world.open("").await;
    browser.click("a[href='#/skills?state=broken']").await;
    browser
        .until("document.querySelectorAll('.list tbody tr').length === 2")
        .await;
    browser
        .until("document.querySelector('.list .cell-reason')")
        .await;
    browser.press("standup-notes").await;
    browser
        .until_text("Broken: It cannot be read as a skill.")
        .await;
    browser.press("Edit").await;
    browser.element("#editor").await;

    // What is wrong shows while one types, and goes away.
    type_over(&world, "---\nname: standup-notes\n").await;
    browser
        .until("document.querySelectorAll('.found .diagnostic').length > 0")
        .await;
    type_over(&world, MENDED).await;
    browser.until("document.querySelectorAll('.found .mark.bad').length === 0 && !document.querySelector('.found.stale')").await;
    save_by_key(&world).await;
    browser.until_text("Saved as change #").await;
    assert_eq!(world.read(STANDUP), MENDED);

    browser.press("Close").await;
    browser.until("document.querySelector('.marks') && document.querySelector('.marks').innerText.includes('Ready')").await;
    world.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn typed_text_is_never_overwritten() {
    let Some(world) = World::start().await else {
        return;
    };
    let browser = &world.browser;
    world.open("skill/unit-tests/edit").await;
    let path = ".claude/skills/unit-tests/SKILL.md";
    let before = world.read(path);

    // Nothing was typed: what is on disk now takes its place.
    let outside = before.replace("One behaviour", "Just one behaviour");
    world.write(path, &outside);
    browser
        .until("document.querySelector('#editor').value.includes('Just one behaviour')")
        .await;

    // Something was typed: it stays.
    let mine = outside.replace("Just one behaviour", "My behaviour");
    type_over(&world, &mine).await;
    let theirs = outside.replace("Just one behaviour", "Their behaviour");
    world.write(path, &theirs);
    browser
        .until_text("The file was changed by somebody else while you were editing.")
        .await;
    assert_eq!(
        browser
            .run("return document.querySelector('#editor').value")
            .await,
        mine
    );

    // Saving shows both, and does what one says.
    save_by_key(&world).await;
    browser
        .until("document.querySelector('dialog .both')")
        .await;
    let both = browser
        .run("return document.querySelector('dialog .both').innerText")
        .await;
    let both = both.as_str().unwrap();
    assert!(
        both.contains("My behaviour") && both.contains("Their behaviour"),
        "{both}"
    );
    assert_eq!(world.read(path), theirs);
    browser.press("Save mine over it").await;
    browser.until_text("Saved as change #").await;
    assert_eq!(world.read(path), mine);
    world.end_anyway().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn unsaved_text_is_not_left_behind_unasked() {
    let Some(world) = World::start().await else {
        return;
    };
    let browser = &world.browser;
    world.open("skill/unit-tests/edit").await;
    type_over(&world, "something else").await;
    browser.until_text("Not saved").await;
    browser.run("location.hash = '#/skills'").await;
    browser.until_text("Leave without saving?").await;
    browser.press("Keep editing").await;
    browser
        .until("!document.querySelector('dialog') && location.hash.endsWith('/edit')")
        .await;
    assert_eq!(
        browser
            .run("return document.querySelector('#editor').value")
            .await,
        "something else"
    );
    browser.run("location.hash = '#/skills'").await;
    browser.press("Leave and lose the changes").await;
    browser
        .until("location.hash === '#/skills' && document.querySelector('.list')")
        .await;
    world.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fix_is_applied_and_undone() {
    let Some(world) = World::start().await else {
        return;
    };
    let browser = &world.browser;
    let path = ".claude/skills/quarterly-report/SKILL.md";
    let before = world.read(path);
    world.open("skill/quarterly-report/problems").await;
    browser.click(".toolbar .button.main").await;
    browser.until_text("Mended").await;
    assert_ne!(world.read(path), before);
    world.open("skill/quarterly-report/history").await;
    browser.click("[aria-label^='What change']").await;
    browser
        .until("document.querySelector('.diff .minus')")
        .await;
    browser.click("[aria-label^='Undo change']").await;
    browser.until_text("was undone by").await;
    assert_eq!(world.read(path), before);
    world.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn switches_change_the_state() {
    let Some(world) = World::start().await else {
        return;
    };
    let browser = &world.browser;
    let state =
        |word: &str| format!("document.querySelector('.marks').innerText.includes('{word}')");
    world.open("skill/unit-tests").await;
    browser.until(&state("Ready")).await;
    browser
        .run("document.querySelector('[role=switch]').click()")
        .await;
    browser.until(&state("Disabled")).await;
    browser
        .run("document.querySelector('[role=switch]').click()")
        .await;
    browser.until(&state("Ready")).await;
    browser.press("Archive").await;
    browser.until(&state("Archived")).await;
    browser.press("Restore").await;
    browser.until(&state("Ready")).await;
    browser.press("Pin").await;
    browser.until("[...document.querySelectorAll('button')].some((it) => it.textContent.trim() === 'Unpin')").await;
    world.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_found_is_accepted_only_on_purpose() {
    let Some(world) = World::start().await else {
        return;
    };
    let browser = &world.browser;
    world.open("skill/fast-answers/safety").await;
    browser.press("Accept…").await;
    browser
        .until("document.querySelector('dialog .button.bad').disabled")
        .await;
    browser
        .element("#reason")
        .await
        .send_keys("a demonstration")
        .await
        .unwrap();
    browser
        .until("document.querySelector('dialog .button.bad').disabled")
        .await;
    browser.click("dialog input[type=checkbox]").await;
    browser.press("Accept these files").await;
    browser.until("!document.querySelector('dialog')").await;
    browser
        .until("document.querySelector('.marks').innerText.includes('Ready')")
        .await;
    world.end().await;
}
