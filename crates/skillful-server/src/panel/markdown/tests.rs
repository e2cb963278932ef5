use proptest::prelude::*;

use super::*;

#[test]
fn markdown_becomes_plain_elements() {
    let html = render(
        "# Title\n\nText with *stress*, **weight**, ~~regret~~ and `code`.\n\n- [x] done\n- open\n\n| a | b |\n|:-|-:|\n| 1 | 2 |\n",
    );
    assert!(html.starts_with("<h2>Title</h2>\n<p>Text with <em>stress</em>, <strong>weight</strong>, <del>regret</del> and <code>code</code>.</p>"), "{html}");
    assert!(html.contains("type=\"checkbox\""), "{html}");
    assert!(html.contains("<th>a</th><th>b</th>"), "{html}");
    assert!(!html.contains("style"), "{html}");
}

#[test]
fn raw_html_is_shown_as_the_text_that_it_is() {
    let html =
        render("<!-- hidden words -->\n\nBe <b onclick=x>bold</b>.\n\n<script>alert(1)</script>\n");
    assert!(html.contains("&lt;!-- hidden words --&gt;"), "{html}");
    assert!(
        html.contains("Be &lt;b onclick=x&gt;bold&lt;/b&gt;."),
        "{html}"
    );
    assert!(
        html.contains("&lt;script&gt;alert(1)&lt;/script&gt;"),
        "{html}"
    );
}

#[test]
fn links_lead_out_to_a_file_or_nowhere() {
    let html = render(
        "[web](https://example.com/a?b=1&c) [mail](mailto:a@example.com) [file](references/x.md) [run](javascript:alert(1)) [data](data:text/html,x) [root](/etc/passwd) [share](//example.com/x)",
    );
    let out = "<a href=\"https://example.com/a?b=1&amp;c\" rel=\"noopener noreferrer nofollow\" target=\"_blank\">web</a>";
    assert!(html.contains(out), "{html}");
    assert!(html.contains("<a href=\"mailto:a@example.com\""), "{html}");
    assert!(
        html.contains("<a href=\"references/x.md\">file</a>"),
        "{html}"
    );
    assert!(
        html.contains("run <code>javascript:alert(1)</code>"),
        "{html}"
    );
    assert!(
        html.contains("data <code>data:text/html,x</code>"),
        "{html}"
    );
    assert!(html.contains("root <code>/etc/passwd</code>"), "{html}");
    assert!(
        html.contains("share <code>//example.com/x</code>"),
        "{html}"
    );
}

#[test]
fn a_picture_is_a_link_and_loads_nothing() {
    let html = render(
        "![a cat](https://example.com/cat.png) and [![badge](https://example.com/b.svg)](https://example.com)",
    );
    assert!(!html.contains("<img"), "{html}");
    assert!(html.contains(">Picture: a cat</a>"), "{html}");
    assert!(html.contains(">Picture: badge</a>"), "{html}");
    assert_eq!(html.matches("<a ").count(), 2, "{html}");
}

#[test]
fn what_cannot_be_seen_is_named() {
    assert_eq!(
        render("a\u{202E}b\u{200B}c\u{E0041}"),
        "<p>a[U+202E]b[U+200B]c[U+E0041]</p>\n"
    );
}

#[test]
fn a_text_over_the_limit_is_cut_and_says_so() {
    let html = render(&"é".repeat(limits::RENDERED_BYTES));
    assert!(html.contains("too long to be shown"));
    assert!(!render("short").contains("too long"));
}

#[test]
fn nesting_is_bounded() {
    let html = render(&format!("{} end", ">".repeat(5_000)));
    assert_eq!(html.matches("<blockquote>").count(), limits::RENDERED_DEPTH);
    assert_eq!(
        html.matches("</blockquote>").count(),
        limits::RENDERED_DEPTH
    );
    assert!(html.contains("end"));
}

/// Tags that may be in the result, without attributes.
const BARE: &[&str] = &[
    "p",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "ul",
    "ol",
    "li",
    "em",
    "strong",
    "del",
    "code",
    "pre",
    "blockquote",
    "hr",
    "br",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "a",
];

/// Whether a tag, without its brackets, is one that may be there.
fn is_known(tag: &str) -> bool {
    let tag = tag.strip_suffix(" /").unwrap_or(tag);
    let name = tag.strip_prefix('/').unwrap_or(tag);
    if BARE.contains(&name) {
        return true;
    }
    let attributes = |rest: &str, allowed: &[&str]| {
        let mut rest = rest;
        while !rest.is_empty() {
            let Some((name, after)) = rest.trim_start().split_once("=\"") else {
                return false;
            };
            let Some((_, after)) = after.split_once('"') else {
                return false;
            };
            if !allowed.contains(&name) {
                return false;
            }
            rest = after;
        }
        true
    };
    match name.split_once(' ') {
        Some(("a", rest)) => {
            let is_safe = ["href=\"http", "href=\"mailto:"];
            let lower = rest.to_ascii_lowercase();
            let is_file = !lower.split('"').nth(1).unwrap_or(":").contains(':');
            (is_file || is_safe.iter().any(|start| lower.starts_with(start)))
                && attributes(rest, &["href", "rel", "target"])
        }
        Some(("code", rest)) => attributes(rest, &["class"]),
        Some(("ol", rest)) => attributes(rest, &["start"]),
        Some(("input", rest)) => [
            "disabled=\"\" type=\"checkbox\"",
            "disabled=\"\" type=\"checkbox\" checked=\"\"",
        ]
        .contains(&rest.trim_end_matches('/')),
        _ => false,
    }
}

/// Every tag of a text; the text must have no stray bracket.
fn tags(html: &str) -> Vec<&str> {
    html.split('<')
        .skip(1)
        .map(|rest| rest.split_once('>').map_or("unclosed", |(tag, _)| tag))
        .collect()
}

const PIECES: &[&str] = &[
    "<script>",
    "</script>",
    "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)>",
    "<math>",
    "<style>",
    "</style>",
    "<iframe srcdoc='",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](data:text/html;base64,AA)",
    "![x](x\" onerror=\"y)",
    "[x](<a b\"c>)",
    "[a]: javascript:x\n",
    "[a]",
    "<!--",
    "-->",
    "```\"><script>\n",
    "`",
    "\"",
    "'",
    "<",
    ">",
    "&",
    "&lt;",
    "&#60;",
    "\n",
    "\n\n",
    "# ",
    "> ",
    "- ",
    "1. ",
    "| a | b |\n|:-:|-:|\n",
    "- [ ] ",
    "**",
    "_",
    "~~",
    "{{x}}",
    "<a href=\"https://e.com\">",
    "<https://e.com/\">",
    "\u{202E}",
    "\0",
    "<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\">",
    "text",
];

proptest! {
    #[test]
    fn no_tag_or_attribute_comes_from_the_text(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..24)) {
        let html = render(&pieces.concat());
        for tag in tags(&html) {
            prop_assert!(is_known(tag), "<{tag}> in {html}");
        }
    }

    #[test]
    fn any_text_renders(text in any::<String>()) {
        for tag in tags(&render(&text)) {
            prop_assert!(is_known(tag), "<{tag}>");
        }
    }
}
