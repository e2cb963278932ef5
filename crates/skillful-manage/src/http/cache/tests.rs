use proptest::prelude::*;
use ureq::http::HeaderValue;

use super::*;
use crate::source::Permission;

fn address(text: &str) -> Address {
    Address::parse(text, Permission::Encrypted).unwrap()
}

fn headers(lines: &[(&'static str, &str)]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for (name, value) in lines {
        headers.append(*name, HeaderValue::from_str(value).unwrap());
    }
    headers
}

fn named(etag: &str) -> Validators {
    Validators {
        etag: Some(etag.to_owned()),
        last_modified: None,
    }
}

fn keep(cache: Cache<'_>, address: &Address, body: &[u8]) {
    let mut saving = cache.save(address, named("\"1\"")).unwrap();
    saving.write(body);
    saving.finish(&hash::of(body).hex());
}

fn body_of(cache: Cache<'_>, address: &Address) -> Option<Vec<u8>> {
    let mut kept = cache.find(address)?;
    let mut body = Vec::new();
    kept.body.read_to_end(&mut body).unwrap();
    Some(body)
}

#[test]
fn an_answer_is_kept_by_its_whole_address() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path().join("new");
    let cache = Cache::at(&directory);
    let secret = address("https://example.org/a?token=secret");
    assert!(cache.find(&secret).is_none());
    keep(cache, &secret, b"one\ntwo");
    assert_eq!(body_of(cache, &secret).unwrap(), b"one\ntwo");
    assert_eq!(cache.find(&secret).unwrap().validators, named("\"1\""));
    for other in [
        "https://example.org/a",
        "http://127.0.0.1/a?token=secret",
        "https://example.org/a?token=Secret",
    ] {
        assert!(cache.find(&address(other)).is_none(), "{other}");
    }
    for entry in fs::read_dir(&directory).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        assert!(!text.contains("secret") && !path.to_string_lossy().contains("secret"));
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(&directory).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
    }
}

#[test]
fn an_answer_that_did_not_arrive_whole_is_not_there() {
    let directory = tempfile::tempdir().unwrap();
    let cache = Cache::at(directory.path());
    let address = address("https://example.org/a");
    let mut saving = cache.save(&address, named("\"1\"")).unwrap();
    saving.write(b"hal");
    drop(saving);
    assert!(cache.find(&address).is_none());
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0);
}

#[test]
fn what_somebody_changed_is_not_taken() {
    let directory = tempfile::tempdir().unwrap();
    let cache = Cache::at(directory.path());
    let address = address("https://example.org/a");
    keep(cache, &address, b"hello");
    let path = cache.path(&address);
    let whole = fs::read(&path).unwrap();
    let text = String::from_utf8(whole.clone()).unwrap();
    for changed in [
        text.replace("hello", "hullo"),
        text.replace("hello", "hello!"),
        text.replace("hello", ""),
        text.replace("\"1\"", ""),
        text.replace("\"1\"", "\"1\"\r\nX: y"),
        text.replace("answer 1", "answer 2"),
        text.replace('\n', " "),
        "x".repeat(100_000),
        String::new(),
    ] {
        fs::write(&path, &changed).unwrap();
        assert!(cache.find(&address).is_none(), "{changed:?}");
    }
    for end in 0..whole.len() {
        fs::write(&path, &whole[..end]).unwrap();
        assert!(cache.find(&address).is_none(), "{end} bytes of it");
    }
    fs::write(&path, &whole).unwrap();
    assert_eq!(body_of(cache, &address).unwrap(), b"hello");
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    assert!(cache.find(&address).is_none());
    keep(cache, &address, b"in the way of a directory");
    assert!(cache.find(&address).is_none());
}

#[test]
fn the_oldest_go_first() {
    let directory = tempfile::tempdir().unwrap();
    let cache = Cache::at(directory.path());
    let all: Vec<Address> = (1..=4)
        .map(|number| address(&format!("https://example.org/{number}")))
        .collect();
    let start = SystemTime::UNIX_EPOCH;
    for (days, address) in (1..).zip(&all) {
        keep(cache, address, b"body");
        let file = File::options().write(true).open(cache.path(address));
        let time = start + std::time::Duration::from_secs(days * 86_400);
        file.unwrap().set_modified(time).unwrap();
    }
    assert!(cache.find(&all[0]).is_some(), "asked for, it is the newest");
    tidy(directory.path(), u64::MAX, 3).unwrap();
    let is_kept = |index: usize| cache.path(&all[index]).exists();
    assert_eq!([0, 1, 2, 3].map(is_kept), [true, false, true, true]);
    let length = fs::metadata(cache.path(&all[0])).unwrap().len();
    tidy(directory.path(), length, 100).unwrap();
    assert_eq!([0, 1, 2, 3].map(is_kept), [true, false, false, false]);
}

#[test]
fn only_names_of_the_standards_form_are_sent_back() {
    let long = format!("\"{}\"", "x".repeat(limits::VALIDATOR_BYTES));
    for (value, is_taken) in [
        ("\"abc\"", true),
        ("W/\"abc\"", true),
        ("\"\"", true),
        ("abc", false),
        ("\"", false),
        ("\"a\"b\"", false),
        ("\"a b\"", false),
        ("\"a\tb\"", false),
        ("w/\"abc\"", false),
        (&long, false),
    ] {
        let kept = Validators::to_keep(&headers(&[("etag", value)]));
        assert_eq!(kept.is_some(), is_taken, "{value}");
    }
    for (value, is_taken) in [
        ("Sun, 06 Nov 1994 08:49:37 GMT", true),
        ("Sun, 06 Nov 1994 08:49:37 CET", false),
        ("1994-11-06", false),
        ("Sunday, 06-Nov-94 08:49:37 GMT", false),
    ] {
        let kept = Validators::to_keep(&headers(&[("last-modified", value)]));
        assert_eq!(kept.is_some(), is_taken, "{value}");
    }
    let two = headers(&[("etag", "\"a\""), ("etag", "\"b\"")]);
    assert_eq!(Validators::to_keep(&two), None);
    assert_eq!(Validators::to_keep(&headers(&[])), None);
}

#[test]
fn what_is_not_to_be_kept_is_not() {
    for (name, value) in [
        ("cache-control", "private, No-Store"),
        ("vary", "Accept, *"),
    ] {
        let answer = headers(&[("etag", "\"a\""), (name, value)]);
        assert_eq!(Validators::to_keep(&answer), None, "{name}: {value}");
    }
}

#[test]
fn a_date_is_asked_with_only_where_there_is_no_name() {
    let date = "Sun, 06 Nov 1994 08:49:37 GMT";
    let asked = |lines: &[(&'static str, &str)]| {
        let validators = Validators::to_keep(&headers(lines)).unwrap();
        let questions = validators.questions();
        questions
            .map(|(name, value)| format!("{name}: {value}"))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        asked(&[("last-modified", date)]),
        ["if-modified-since: Sun, 06 Nov 1994 08:49:37 GMT"]
    );
    assert_eq!(
        asked(&[("last-modified", date), ("etag", "\"a\"")]),
        ["if-none-match: \"a\""]
    );
}

proptest! {
    /// Whatever a file of the cache holds, it is taken as it was kept or not at all.
    #[test]
    fn foreign_bytes_are_no_answer(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let directory = tempfile::tempdir().unwrap();
        let cache = Cache::at(directory.path());
        let address = address("https://example.org/a");
        keep(cache, &address, b"hello");
        let mut file = fs::read(cache.path(&address)).unwrap();
        for (at, byte) in bytes.iter().enumerate() {
            let place = at * 7 % file.len();
            file[place] = *byte;
        }
        fs::write(cache.path(&address), &file).unwrap();
        if let Some(body) = body_of(cache, &address) {
            prop_assert_eq!(body, b"hello");
        }
    }

    #[test]
    fn what_is_kept_is_given(body in proptest::collection::vec(any::<u8>(), 0..2_000)) {
        let directory = tempfile::tempdir().unwrap();
        let cache = Cache::at(directory.path());
        let address = address("https://example.org/a");
        keep(cache, &address, b"older");
        keep(cache, &address, &body);
        prop_assert_eq!(body_of(cache, &address), Some(body));
    }
}
