use std::cell::Cell;

use skillful::{Host, Options};
use skillmd::install::InstallKind;

use super::*;

#[test]
fn only_https_and_this_machine_are_asked() {
    for good in [
        "https://example.org/a",
        "HTTPS://example.org",
        "http://127.0.0.1:8080/a",
        "http://[::1]:80/a",
        "http://localhost/a?b=c",
        " https://example.org/a%20b ",
    ] {
        let url = DownloadUrl::parse(good);
        assert!(url.is_ok(), "{good}: {url:?}");
    }
    for (bad, words) in [
        ("http://example.org/a", "not an https address"),
        ("ftp://example.org/a", "not an https address"),
        ("file:///etc/passwd", "not an https address"),
        ("http://127.0.0.1.evil.example/", "not an https address"),
        ("http://localhost@evil.example/", "name or password"),
        ("https://user:password@example.org/", "name or password"),
        ("https://", "names no host"),
        ("https:///a", "names no host"),
        ("https://a b", "character"),
        ("https://a/'&calc&'", "character"),
        ("https://a/x\ny", "character"),
        ("https://a\\b", "character"),
        ("https://exämple.org", "character"),
        ("", "not an https address"),
        ("-o /etc/passwd", "character"),
    ] {
        let fault = DownloadUrl::parse(bad).unwrap_err();
        assert!(fault.to_string().contains(words), "{bad}: {fault}");
    }
}

#[test]
fn digests_are_64_digits() {
    let hello = Sha256::of(b"hello");
    let text = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";
    assert_eq!(hello.to_string(), text);
    assert_eq!(text.parse(), Ok(hello));
    assert_eq!(format!("sha256:{}", text.to_uppercase()).parse(), Ok(hello));
    for bad in [
        "",
        "2cf2",
        &"x".repeat(64),
        &"é".repeat(32),
        &format!("{text}0"),
    ] {
        assert_eq!(bad.parse::<Sha256>(), Err(NoSha256), "{bad}");
    }
}

fn spec() -> InstallSpec {
    InstallSpec {
        id: None,
        kind: InstallKind::Download,
        package: None,
        cask: false,
        label: None,
        bins: vec!["tool".to_owned()],
        os: None,
        url: Some("https://example.org/tool".to_owned()),
        sha256: Some(Sha256::of(b"hello").to_string()),
        archive: None,
        extract: None,
        strip_components: None,
        target_dir: None,
    }
}

fn places(os: Os) -> Places {
    let host = Host::new("/").with_home("/home/me").with_os(os);
    Places::new(&host, &Options::default(), false)
}

fn planned(spec: &InstallSpec) -> Result<DownloadStep, Unusable> {
    step(spec, &places(Os::Linux), Additions::default())
}

#[test]
fn a_download_says_what_it_is_and_where_it_goes() {
    let step = planned(&spec()).unwrap();
    assert_eq!(step.bins, ["tool"]);
    assert_eq!(step.archive, None);
    assert!(step.destination.ends_with("skillful/bin"));

    let windows = super::step(&spec(), &places(Os::Windows), Additions::default());
    assert_eq!(windows.unwrap().bins, ["tool.exe"]);
    let archive = InstallSpec {
        url: Some("https://example.org/tool-1.0.TGZ?x=y.zip".to_owned()),
        bins: vec!["tool".to_owned(), "other".to_owned()],
        strip_components: Some(1),
        ..spec()
    };
    let step = planned(&archive).unwrap();
    assert_eq!((step.archive, step.strip), (Some(ArchiveForm::TarGz), 1));
    let said = InstallSpec {
        archive: Some("zip".to_owned()),
        ..spec()
    };
    assert_eq!(planned(&said).unwrap().archive, Some(ArchiveForm::Zip));
    let not_unpacked = InstallSpec {
        extract: Some(false),
        ..said
    };
    assert_eq!(planned(&not_unpacked).unwrap().archive, None);
    let by_package = InstallSpec {
        bins: Vec::new(),
        package: Some("tool".to_owned()),
        ..spec()
    };
    assert_eq!(planned(&by_package).unwrap().bins, ["tool"]);
}

#[test]
fn a_download_without_a_digest_waits_for_a_person() {
    let bare = InstallSpec {
        sha256: None,
        ..spec()
    };
    assert_eq!(planned(&bare), Err(Unusable::NoDigest));
    let digest = Sha256::of(b"hello").to_string();
    let additions = Additions {
        sha256: Some(&digest),
    };
    assert!(step(&bare, &places(Os::Linux), additions).is_ok());
}

#[test]
fn what_cannot_be_placed_is_refused() {
    let with_package = |package: &str| InstallSpec {
        bins: Vec::new(),
        package: Some(package.to_owned()),
        ..spec()
    };
    for name in [
        "~/.ssh/authorized_keys",
        "/etc/passwd",
        "../tool",
        "..",
        "a/b",
        "-tool",
        ".bashrc",
        "CON",
        "tool ",
        "a\\b",
        "a:b",
        "tööl",
        "",
    ] {
        let refused = planned(&with_package(name));
        assert_eq!(refused, Err(Unusable::BadProgram(name.to_owned())));
    }
    let of = |change: fn(&mut InstallSpec)| {
        let mut changed = spec();
        change(&mut changed);
        planned(&changed).unwrap_err()
    };
    assert_eq!(of(|spec| spec.url = None), Unusable::NoUrl);
    assert_eq!(of(|spec| spec.bins = Vec::new()), Unusable::NoProgram);
    assert_eq!(
        of(|spec| spec.bins.push("b".to_owned())),
        Unusable::NoProgram
    );
    assert_eq!(
        of(|spec| spec.sha256 = Some("1".to_owned())),
        Unusable::BadDigest
    );
    let form = |form: &str| Unusable::Archive(form.to_owned());
    assert_eq!(
        of(|spec| spec.archive = Some("tar.bz2".to_owned())),
        form("tar.bz2")
    );
    assert_eq!(
        of(|spec| spec.archive = Some("cab".to_owned())),
        form("cab")
    );
    let dmg = |spec: &mut InstallSpec| spec.url = Some("https://a.io/x.dmg".to_owned());
    assert_eq!(of(dmg), form("dmg"));
}

/// A web with one file, which is handed over in pieces.
struct Pieces<'a> {
    pieces: &'a [&'a [u8]],
    handed: Cell<usize>,
}

impl Web for Pieces<'_> {
    fn fetch(&self, _: &DownloadUrl, to: &mut dyn Write) -> Result<(), WebError> {
        for piece in self.pieces {
            to.write_all(piece)
                .map_err(|error| WebError(error.to_string()))?;
            self.handed.set(self.handed.get() + 1);
        }
        Ok(())
    }
}

fn fetched(pieces: &[&[u8]], progress: &dyn Progress) -> (Result<Vec<u8>, DownloadError>, usize) {
    let web = Pieces {
        pieces,
        handed: Cell::new(0),
    };
    let mut file = tempfile::tempfile().unwrap();
    let step = planned(&spec()).unwrap();
    let result = fetch(&step, &web, &mut file, 5, progress).map(|()| read_all(&file).unwrap());
    (result, web.handed.get())
}

struct Cancelled;

impl Progress for Cancelled {
    fn step(&self, _: Event<'_>) {}

    fn is_cancelled(&self) -> bool {
        true
    }
}

#[test]
fn what_comes_is_hashed_and_bounded() {
    let silent = crate::progress::Silent;
    assert_eq!(fetched(&[b"hel", b"lo"], &silent).0.unwrap(), b"hello");
    let (other, _) = fetched(&[b"hellO"], &silent);
    let message = other.unwrap_err().to_string();
    assert!(
        message.contains("not the file that was promised"),
        "{message}"
    );
    let (stopped, handed) = fetched(&[b"hel", b"lo"], &Cancelled);
    assert!(matches!(stopped, Err(DownloadError::Interrupted)));
    assert_eq!(handed, 0);
}

/// A flood ends at the limit, however long it would go on.
#[test]
fn a_flood_is_cut_off() {
    let (web, mut file) = (
        Pieces {
            pieces: &[b"hel", b"lo"],
            handed: Cell::new(0),
        },
        tempfile::tempfile().unwrap(),
    );
    let step = planned(&spec()).unwrap();
    let error = fetch(&step, &web, &mut file, 4, &crate::progress::Silent).unwrap_err();
    assert!(
        matches!(error, DownloadError::TooLarge { limit: 4, .. }),
        "{error}"
    );
    assert_eq!(web.handed.get(), 1);
}
