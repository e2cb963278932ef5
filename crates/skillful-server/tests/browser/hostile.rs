//! Skills that attack whoever looks at them. Nothing of theirs may run, load, or stand for something else.

use std::fs;

use serde_json::Value;
use skillful_server::demo::Demo;
use skillful_server::http::Options;

use crate::world::World;

/// Texts that would set `window.hit` where one of them ran.
const ATTACKS: &[&str] = &[
    "<script>window.hit=1</script>",
    "<img src=x onerror=window.hit=1>",
    "<svg onload=window.hit=1><animate onbegin=window.hit=1 attributeName=x dur=1s></svg>",
    "<math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=1 onerror=window.hit=1&gt;\">",
    "<noscript><p title=\"</noscript><img src=x onerror=window.hit=1>\">",
    "<iframe srcdoc=\"<script>parent.hit=1</script>\"></iframe>",
    "<style>@import 'https://attacker.invalid/x.css'; body{display:none}</style>",
    "<a href=\"javascript:window.hit=1\">x</a><form action=javascript:window.hit=1><button>go</button></form>",
    "\"><script>window.hit=1</script>",
    "' onmouseover='window.hit=1",
    "{{constructor.constructor('window.hit=1')()}} ${window.hit=1} <%= window.hit=1 %>",
    "</textarea><script>window.hit=1</script>",
    "</title><script>window.hit=1</script>",
    "safe\u{202E}gnirts\u{202C}\u{200B}",
    "<template><script>window.hit=1</script></template><object data=\"data:text/html,<script>parent.hit=1</script>\"></object>",
    "__proto__",
];

const BODY: &str = "
[run](javascript:window.hit=1) [mixed](JaVaScRiPt:window.hit=1) [data](data:text/html,<script>window.hit=1</script>)
[tab](java\tscript:window.hit=1) <javascript:window.hit=1> [vb](vbscript:x)
![picture](https://attacker.invalid/pixel.png) ![own](assets/x.svg) [![both](https://attacker.invalid/a.png)](https://attacker.invalid/)
[web](https://attacker.invalid/page) [protocol](//attacker.invalid/) [up](../../../etc/passwd) [file](notes/%3Cimg%20src=x%20onerror=window.hit=1%3E.md)

[ref]: javascript:window.hit=1 \"title\"
[ref]

```html
<script>window.hit=1</script>
```

| <img src=x onerror=window.hit=1> | b |
|---|---|
| `<script>` | </td><script>window.hit=1</script> |
";

fn write(demo: &Demo) {
    for (number, attack) in ATTACKS.iter().enumerate() {
        let quoted = Value::from(*attack);
        let directory = demo.home().join(format!(".agents/skills/hostile-{number}"));
        fs::create_dir_all(directory.join("notes")).unwrap();
        let text = format!(
            "---\nname: {quoted}\ndescription: {quoted}\ntags: [{quoted}]\nlicense: {quoted}\n{quoted}: {quoted}\nmetadata:\n  openclaw:\n    requires:\n      env: [{quoted}]\n      bins: [{quoted}]\n---\n\n# {attack}\n\n{attack}\n{BODY}\n{attack}\n"
        );
        fs::write(directory.join("SKILL.md"), text).unwrap();
        if cfg!(unix) {
            let name = attack.replace('/', "_");
            let name: String = name.chars().take(60).collect();
            fs::write(directory.join("notes").join(format!("{name}.md")), attack).unwrap();
        }
        fs::write(
            directory.join("picture.svg"),
            "<svg xmlns='http://www.w3.org/2000/svg' onload='window.hit=1'/>",
        )
        .unwrap();
    }
}

/// Nothing ran, nothing was loaded from elsewhere, and nothing is there that could.
async fn is_harmless(world: &World, page: &str) {
    let browser = &world.browser;
    world.open(page).await;
    let state = browser
        .run("return {
            hit: window.hit ?? null,
            foreign: performance.getEntriesByType('resource').map((it) => it.name).filter((it) => !it.startsWith(location.origin)),
            elements: [...document.querySelectorAll('#app script, #app img, #app iframe, #app object, #app embed, #app style, #app link, #app math, #app template, #app [srcdoc]')].map((it) => it.outerHTML.slice(0, 200)),
            handlers: [...document.querySelectorAll('#app *')].flatMap((it) => [...it.attributes].map((at) => at.name)).filter((it) => it.startsWith('on')),
            links: [...document.querySelectorAll('#app a[href]')].map((it) => it.protocol).filter((it) => !['http:', 'https:', 'mailto:'].includes(it)),
            away: [...document.querySelectorAll('#app a[href]')].filter((it) => it.origin !== location.origin && it.protocol !== 'mailto:' && !(it.rel.includes('noopener') && it.rel.includes('noreferrer') && it.target === '_blank')).map((it) => it.outerHTML),
            ids: [...document.querySelectorAll('[id], [name]')].map((it) => it.id || it.getAttribute('name')).filter((it) => /hit|hostile|proto/.test(it)),
        }")
        .await;
    assert_eq!(state["hit"], Value::Null, "{page}: something ran");
    for what in ["foreign", "elements", "handlers", "links", "away", "ids"] {
        assert_eq!(state[what], Value::Array(Vec::new()), "{page}: {what}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_of_a_hostile_skill_runs() {
    let Some(world) = World::with(write, Options::default()).await else {
        return;
    };
    let browser = &world.browser;
    for page in [
        "",
        "skills",
        "skills?text=hostile",
        "skills?text=%3Cscript%3E",
        "prompt",
        "settings",
        "history",
        "events",
    ] {
        is_harmless(&world, page).await;
    }
    // Ids are made of names: ask the catalog which there are.
    world.open("skills?text=hit").await;
    let ids = browser.run("return [...new Set([...document.querySelectorAll('.list tbody a')].map((it) => it.getAttribute('href').slice(2)))]").await;
    let ids: Vec<String> = ids
        .as_array()
        .unwrap()
        .iter()
        .map(|id| id.as_str().unwrap().to_owned())
        .collect();
    assert!(ids.len() >= 10, "{ids:?}");
    for id in &ids {
        is_harmless(&world, id).await;
    }
    for side in [
        "files", "problems", "safety", "about", "edit", "history", "usage",
    ] {
        for id in ids.iter().take(3) {
            is_harmless(&world, &format!("{id}/{side}")).await;
        }
    }
    let logs = browser.logs().await;
    let breaches: Vec<_> = logs
        .iter()
        .filter(|log| log.contains("Content Security Policy") || log.contains("Trusted"))
        .collect();
    assert!(breaches.is_empty(), "{breaches:#?}");
    world.end_anyway().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_hides_is_named_and_addresses_are_only_text() {
    let Some(world) = World::with(write, Options::default()).await else {
        return;
    };
    let browser = &world.browser;
    world.open("skills?text=gnirts").await;
    browser
        .until_text("safe[U+202E]gnirts[U+202C][U+200B]")
        .await;
    // Errors show what was asked for, as text.
    world
        .open("skill/%3Cimg%20src=x%20onerror=window.hit=2%3E")
        .await;
    browser
        .until("document.querySelector('[role=alert]')")
        .await;
    browser.until_text("<img src=x onerror=window.hit=2>").await;
    assert_eq!(browser.run("return window.hit ?? null").await, Value::Null);
    world.end_anyway().await;
}
