//! Addresses in prose of places that the skill does not speak of when it says what it is for.

use std::ops::Range;

use super::vocabulary::{STRANGER_MAIL, STRANGER_PROGRAM, STRANGER_TEMPLATE};
use crate::flow::{HostKind, host_kind};
use crate::text::floor;

/// Top-level names that a bare host ends with more often than a file does.
const TOP_LEVEL: &[&str] = &[
    "com", "net", "org", "io", "dev", "top", "xyz", "ru", "cn", "su", "tk", "pw", "icu", "example",
    "test", "invalid",
];

/// Hosts that documents put in the place of the reader's own.
const PLACEHOLDERS: &[&str] = &[
    "example.com",
    "example.org",
    "example.net",
    "acme.com",
    "company.com",
    "yourcompany.com",
    "domain.com",
    "yourdomain.com",
    "your-domain.com",
    "mydomain.com",
    "test.com",
    "email.com",
    "mysite.com",
    "yoursite.com",
];

/// Marks in an address where something is to be put in.
const TEMPLATES: &[&str] = &["={", "={{", "=$", "=%", "=XX", "=..."];

/// Endings of archives and programs.
const PROGRAMS: &[&str] = &[".zip", ".rar", ".7z", ".exe", ".msi", ".dmg", ".pkg"];

/// Words before a link that make it a destination.
const DIRECTIONS: &[&str] = &[" to ", " at ", " into ", " from "];

/// How far before a link these words are looked for, in bytes.
const LINK_BYTES: usize = 40;

/// The places of addresses, hosts and mail addresses that are neither known ones nor the skill's own, and which of them
/// are mail addresses.
pub(super) fn strangers<'t>(
    text: &'t str,
    purpose: &'t str,
) -> impl Iterator<Item = (Range<usize>, Option<&'static str>)> + 't {
    // Every address has a dot or a scheme, and most words have neither.
    memchr::memchr_iter(b'.', text.as_bytes())
        .scan(0, move |done, at| {
            if at < *done {
                return Some(None);
            }
            let range = word_around(text, at);
            *done = range.end;
            Some(Some(range))
        })
        .flatten()
        .filter_map(move |range| {
            let word = text.get(range.clone())?;
            let is_mail = word.find('@').is_some_and(|at| at > 0) && !word.contains("://");
            let kind = if is_mail {
                Some(STRANGER_MAIL)
            } else if TEMPLATES.iter().any(|mark| word.contains(mark))
                || ends_in_template(text, range.end)
            {
                Some(STRANGER_TEMPLATE)
            } else {
                let lower = word.to_ascii_lowercase();
                let is_program = PROGRAMS.iter().any(|ending| lower.contains(ending));
                is_program.then_some(STRANGER_PROGRAM)
            };
            let is_destination = kind.is_some() || !is_mere_link(text, range.start);
            (is_destination && is_stranger(word, purpose)).then_some((range, kind))
        })
}

fn word_around(text: &str, at: usize) -> Range<usize> {
    let ends = |byte: u8| {
        byte.is_ascii_whitespace() || b"`'\"<>()[]|,;".contains(&byte) || !byte.is_ascii()
    };
    let bytes = text.as_bytes();
    let before = bytes.get(..at).unwrap_or_default();
    let after = bytes.get(at..).unwrap_or_default();
    let start = before
        .iter()
        .rposition(|&byte| ends(byte))
        .map_or(0, |place| place + 1);
    let end = after
        .iter()
        .position(|&byte| ends(byte))
        .map_or(text.len(), |length| at + length);
    start..end
}

/// Whether an address stops where angle or square brackets hold the place of a value.
fn ends_in_template(text: &str, end: usize) -> bool {
    let (before, after) = text.split_at(end);
    before.ends_with('=') && after.starts_with(['<', '['])
}

/// Whether an address is the target of a link that only says where more can be read.
fn is_mere_link(text: &str, at: usize) -> bool {
    let before = text.get(floor(text, at.saturating_sub(LINK_BYTES))..at);
    let before = before.unwrap_or_default();
    let is_attribute = before.ends_with("=\"") || before.ends_with("='");
    is_attribute || before.ends_with('<') && !DIRECTIONS.iter().any(|word| before.contains(word))
}

fn is_stranger(word: &str, purpose: &str) -> bool {
    let word = word.trim_end_matches(['.', ':', '!', '?']);
    let lower = word.to_ascii_lowercase();
    let (scheme, rest) = lower.split_once("://").unwrap_or(("", &lower));
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let (name, host) = authority
        .rsplit_once('@')
        .map_or(("", authority), |(name, host)| (name, host));
    let host = host.split(':').next().unwrap_or_default();
    if word.starts_with('@') {
        return false;
    }
    let Some((stem, top)) = host.rsplit_once('.') else {
        return false;
    };
    let is_numbers =
        host.split('.').count() == 4 && host.split('.').all(|part| part.parse::<u8>().is_ok());
    let looks_like_host = stem.starts_with(char::is_alphanumeric)
        && host
            .chars()
            .all(|c| c.is_alphanumeric() || c == '.' || c == '-')
        && (is_numbers
            || TOP_LEVEL.contains(&top)
            || !(scheme.is_empty() && name.is_empty())
                && top.len() > 1
                && top.chars().all(char::is_alphabetic));
    // Without a scheme, numbers are versions, and what has capitals is a product.
    if !looks_like_host
        || scheme.is_empty() && name.is_empty() && (is_numbers || word.contains(char::is_uppercase))
    {
        return false;
    }
    let is_placeholder = PLACEHOLDERS.iter().any(|known| {
        host == *known
            || host
                .strip_suffix(known)
                .is_some_and(|rest| rest.ends_with('.'))
    });
    // Who says that he is one is an example of an attacker.
    let is_example = ["attacker", "evil", "malicious", "hacker"]
        .iter()
        .any(|word| lower.contains(word));
    if is_example || is_placeholder && !is_numbers {
        return false;
    }
    let kind = host_kind(&format!("https://{rest}"));
    let is_mail = !name.is_empty() && scheme.is_empty();
    if is_mail && stem.len() < 3 {
        return false;
    }
    if matches!(kind, HostKind::Local)
        || !is_mail && matches!(kind, HostKind::Known | HostKind::Installer)
    {
        return false;
    }
    let own = stem.rsplit('.').next().unwrap_or(stem);
    own.len() < 3 || !purpose.contains(own)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stranger_is_a_place_that_nothing_else_speaks_of() {
        for (word, is) in [
            ("https://collect.h-net.test/x", true),
            ("http://198.51.100.3:90/r", true),
            ("keep@desk-care.example", true),
            ("sync.top", true),
            ("https://github.com/a/b", false),
            ("https://api.example.com/x", false),
            ("https://api.weatherly.io/v1", false),
            ("SKILL.md", false),
            ("1.2.3.4", false),
            ("http://127.0.0.1:80/", false),
            ("ASP.NET", false),
            ("user.name", false),
        ] {
            let found = strangers(word, "forecasts from weatherly").count() == 1;
            assert_eq!(found, is, "{word}");
        }
    }
}
