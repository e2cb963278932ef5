//! The watcher's thread: turns hints into batches and keeps watching what there is to watch.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::batch::{Batch, Notice, PollingReason};
use super::debounce::Debouncer;
use super::inbox::{Hint, Inbox};
use super::mailbox::Sender;
use super::native::Native;
use super::remote::is_remote;
use super::survey::{self, Level, Stamp, Survey};
use super::{Extent, Place, WatchOptions};
use crate::discover::{self, SKILL_MD};
use crate::limits;

/// How many times longer than it took a check is put off, so that polling takes a fifth of the time at most.
const PATIENCE: u32 = 4;

/// What the thread knows.
#[derive(Debug)]
pub(super) struct Worker {
    inbox: Arc<Inbox>,
    sender: Sender,
    native: Result<Native, PollingReason>,
    debouncer: Debouncer,
    interval: Duration,
    next_check: Instant,
    places: BTreeMap<usize, Watched>,
    /// The last number that was given to a place.
    given: usize,
    /// From a path without links to all the places and paths under which it is shown.
    tops: HashMap<PathBuf, BTreeSet<(usize, PathBuf)>>,
    /// What changed since the debouncer last heard.
    changes: Batch,
    /// All that the places miss; see [`Watched::missing`].
    awaited: BTreeSet<PathBuf>,
    /// Whether watches were given up that more than one place may need.
    is_loose: bool,
}

/// A place, and how it is watched.
#[derive(Debug)]
struct Watched {
    place: Place,
    key: Arc<Path>,
    identity: Option<Identity>,
    /// What is awaited: places and targets of links that do not exist yet.
    missing: BTreeSet<PathBuf>,
    /// The state of all files when they were last looked at; only where the place is polled.
    stamps: Option<BTreeMap<PathBuf, Stamp>>,
}

/// What makes a place the same as before: where it really lies, and which directory is watched for it.
#[derive(Debug, PartialEq, Eq)]
struct Identity {
    real: PathBuf,
    inode: u64,
}

impl Worker {
    pub(super) fn new(
        options: &WatchOptions,
        native: Result<Native, PollingReason>,
        inbox: Arc<Inbox>,
        sender: Sender,
    ) -> Self {
        let interval = options.interval();
        Self {
            inbox,
            sender,
            native,
            debouncer: Debouncer::new(options.debounce, options.max_wait),
            interval,
            next_check: Instant::now() + interval,
            places: BTreeMap::new(),
            given: 0,
            tops: HashMap::new(),
            changes: Batch::default(),
            awaited: BTreeSet::new(),
            is_loose: false,
        }
    }

    /// Works until it is told to stop.
    pub(super) fn run(mut self) {
        loop {
            let due = self.debouncer.due_at();
            let until = due.map_or(self.next_check, |due| due.min(self.next_check));
            let mail = self.inbox.wait(until);
            if mail.stop {
                return;
            }
            if let Some((places, done)) = mail.places {
                self.set_places(places);
                // Nobody may be waiting any more.
                let _ = done.send(());
            }
            if mail.lost {
                self.renew(&self.numbers(|_| true));
            }
            for hint in &mail.hints {
                self.take(hint);
            }
            let start = Instant::now();
            if start >= self.next_check {
                self.check();
                let pause = self.interval.max(start.elapsed() * PATIENCE);
                self.next_check = Instant::now() + pause;
            }
            self.tighten();
            let now = Instant::now();
            self.debouncer.add(now, std::mem::take(&mut self.changes));
            if let Some(batch) = self.debouncer.take_due(now) {
                self.sender.send(batch);
            }
        }
    }

    /// Watches these places from now on. Those that are watched already stay as they are.
    fn set_places(&mut self, places: Vec<Place>) {
        let places: BTreeSet<Place> = places.into_iter().collect();
        let gone: Vec<usize> = self.numbers(|place| !places.contains(place));
        for number in gone {
            self.release(number);
            self.places.remove(&number);
            self.is_loose = true;
        }
        let known: BTreeSet<&Place> = self.places.values().map(|watched| &watched.place).collect();
        let new: Vec<Place> = places
            .iter()
            .filter(|place| !known.contains(place))
            .cloned()
            .collect();
        for place in new {
            self.given += 1;
            self.places.insert(self.given, Watched::new(place));
            self.cover(self.given);
        }
        self.tighten();
        self.anchor();
    }

    fn numbers(&self, is_wanted: impl Fn(&Place) -> bool) -> Vec<usize> {
        let wanted = self
            .places
            .iter()
            .filter(|(_, watched)| is_wanted(&watched.place));
        wanted.map(|(number, _)| *number).collect()
    }

    /// Gives up the watches of a place, and those of others that lie in the same directories.
    fn release(&mut self, number: usize) {
        if let Ok(native) = &mut self.native {
            for (real, shown) in &self.tops {
                if shown.iter().any(|(place, _)| *place == number) {
                    native.disarm(real);
                }
            }
        }
        self.forget_tops(number);
    }

    /// Watches all places again after watches were given up, but for those that are polled. It ends: a place gives up
    /// its own only once.
    fn tighten(&mut self) {
        while std::mem::take(&mut self.is_loose) {
            for number in self.numbers(|_| true) {
                if self
                    .places
                    .get(&number)
                    .is_some_and(|watched| watched.stamps.is_none())
                {
                    self.cover(number);
                }
            }
        }
    }

    /// Watches a place as it is now.
    fn cover(&mut self, number: usize) {
        let Some(watched) = self.places.get_mut(&number) else {
            return;
        };
        let place = watched.place.clone();
        watched.identity = identity(&place);
        let is_polled = watched.stamps.is_some();
        self.forget_tops(number);
        let reason = match &self.native {
            Err(reason) => reason.clone(),
            Ok(_) if is_remote(&place.path) => PollingReason::Remote,
            Ok(_) if is_polled => return self.note(number, Survey::unguarded(&place)),
            Ok(_) => return self.watch(number, |guard| Survey::of(&place, guard)),
        };
        self.poll(number, reason);
    }

    /// Has the operating system watch what a survey comes by, or polls the place if it cannot.
    fn watch(
        &mut self,
        number: usize,
        survey: impl FnOnce(&mut Native) -> Result<Survey, PollingReason>,
    ) {
        let Ok(native) = &mut self.native else {
            return;
        };
        let survey = survey(native).and_then(|survey| {
            native.entries(survey.beside.iter().cloned())?;
            Ok(survey)
        });
        match survey {
            Ok(survey) => self.note(number, survey),
            Err(reason) => {
                // The watches that it has got may be what other places lack. What happens between this and the first
                // look is not told by either.
                if let Some(watched) = self.places.get(&number) {
                    self.changes.add_all(&watched.key);
                    if let Some(identity) = &watched.identity {
                        native.disarm(&identity.real);
                    }
                }
                self.release(number);
                self.is_loose = true;
                self.poll(number, reason);
            }
        }
    }

    /// Polls a place from now on, and says so.
    fn poll(&mut self, number: usize, reason: PollingReason) {
        let Some(watched) = self.places.get(&number) else {
            return;
        };
        if watched.stamps.is_none() && reason != PollingReason::Wanted {
            self.changes.notices.insert(Notice::Polling {
                place: watched.place.path.clone(),
                interval: self.interval,
                reason,
            });
        }
        let survey = Survey::unguarded(&watched.place);
        self.note(number, survey);
    }

    /// Remembers what a survey found.
    fn note(&mut self, number: usize, survey: Survey) {
        let Some(watched) = self.places.get_mut(&number) else {
            return;
        };
        if survey.truncated {
            self.changes.notices.insert(Notice::TooLarge {
                place: watched.place.path.clone(),
                limit: limits::ENTRIES,
            });
        }
        watched.missing.extend(survey.missing);
        if survey.stamps.is_some() {
            watched.stamps = survey.stamps;
        }
        for (real, shown) in survey.tops {
            self.tops.entry(real).or_default().insert((number, shown));
        }
    }

    fn forget_tops(&mut self, number: usize) {
        self.tops.retain(|_, shown| {
            shown.retain(|(place, _)| *place != number);
            !shown.is_empty()
        });
        if let Some(watched) = self.places.get_mut(&number) {
            watched.missing.clear();
        }
    }

    /// Watches places as if for the first time: what is watched under their paths may be something else by now.
    fn renew(&mut self, places: &[usize]) {
        for number in places {
            self.release(*number);
        }
        for number in places {
            self.cover(*number);
            if let Some(watched) = self.places.get(number) {
                self.changes.add_all(&watched.key);
            }
        }
        self.is_loose |= !places.is_empty();
        self.tighten();
        self.anchor();
    }

    fn take(&mut self, hint: &Hint) {
        let path = hint.path();
        if let (Hint::Vanished(path), Ok(native)) = (hint, &mut self.native) {
            native.disarm(path);
        }
        for (number, shown) in self.shown(path) {
            self.change(number, shown.clone());
            if !matches!(hint, Hint::Vanished(_)) {
                self.extend(number, path, &shown);
            }
        }
        if self.is_awaited(path) {
            self.next_check = Instant::now();
        }
    }

    /// The places and the paths under which a path is shown.
    fn shown(&self, path: &Path) -> Vec<(usize, PathBuf)> {
        let mut found = Vec::new();
        for top in path.ancestors() {
            let Some(tops) = self.tops.get(top) else {
                continue;
            };
            let below = path.strip_prefix(top).unwrap_or(Path::new(""));
            if leads_nowhere(below) {
                continue;
            }
            found.extend(tops.iter().map(|(number, shown)| {
                let shown = if below.as_os_str().is_empty() {
                    shown.clone()
                } else {
                    shown.join(below)
                };
                (*number, shown)
            }));
        }
        found
    }

    fn change(&mut self, number: usize, shown: PathBuf) {
        let Some(watched) = self.places.get(&number) else {
            return;
        };
        if shown == watched.place.path && watched.place.extent != Extent::File {
            self.changes.add_all(&watched.key);
            self.next_check = Instant::now();
        } else {
            self.changes.add_path(&watched.key, shown);
        }
    }

    /// Watches what appeared: a directory with what lies below, or one that has just become a skill.
    fn extend(&mut self, number: usize, path: &Path, shown: &Path) {
        let Some(watched) = self.places.get(&number) else {
            return;
        };
        let Extent::Tree { depth } = watched.place.extent else {
            return;
        };
        if watched.stamps.is_some() {
            return;
        }
        let is_skill_md = path
            .file_name()
            .is_some_and(|name| name.eq_ignore_ascii_case(SKILL_MD));
        let start = if is_skill_md {
            shown.parent()
        } else {
            let is_file = path.symlink_metadata().is_ok_and(|found| found.is_file());
            (!is_file).then_some(shown)
        };
        if let Some(start) = start {
            let level = Level::of(start, &watched.place.path, depth);
            self.watch(number, |guard| Survey::below(start, level, guard));
        }
    }

    /// Whether something that does not exist yet may come into being by a change at this path.
    fn is_awaited(&self, path: &Path) -> bool {
        let mut below = self.awaited.range(path.to_owned()..);
        below
            .next()
            .is_some_and(|missing| missing.starts_with(path))
    }

    /// Looks after what is not reported: places that came, went or were exchanged, and those that are polled.
    fn check(&mut self) {
        let mut other = Vec::new();
        for number in self.numbers(|_| true) {
            let Some(watched) = self.places.get(&number) else {
                continue;
            };
            let came = watched.missing.iter().any(|path| path.exists());
            if came || identity(&watched.place) != watched.identity {
                other.push(number);
            } else if watched.stamps.is_some() {
                self.compare(number);
            }
        }
        self.renew(&other);
    }

    /// Looks at a polled place, and takes what changed for hints.
    fn compare(&mut self, number: usize) {
        let Some(watched) = self.places.get_mut(&number) else {
            return;
        };
        let before = watched.stamps.take().unwrap_or_default();
        let survey = Survey::unguarded(&watched.place);
        let after = survey.stamps.as_ref();
        let changed: Vec<PathBuf> = after
            .map(|after| survey::differences(&before, after).cloned().collect())
            .unwrap_or_default();
        // What vanished is known by the links that led there before.
        let mut shown: BTreeSet<_> = changed.iter().flat_map(|path| self.shown(path)).collect();
        self.forget_tops(number);
        self.note(number, survey);
        shown.extend(changed.iter().flat_map(|path| self.shown(path)));
        for (place, path) in shown {
            if place == number {
                self.change(place, path);
            }
        }
    }

    /// Watches the nearest existing directory above all that is awaited.
    fn anchor(&mut self) {
        let missing = self.places.values().flat_map(|watched| &watched.missing);
        self.awaited = missing.cloned().collect();
        let Ok(native) = &mut self.native else {
            return;
        };
        let anchors: BTreeSet<PathBuf> = self
            .awaited
            .iter()
            .filter_map(|path| nearest(path))
            .collect();
        for anchor in anchors {
            // Without it the next check finds what came.
            let _ = native.entries([anchor]);
        }
    }
}

impl Watched {
    fn new(place: Place) -> Self {
        Self {
            key: Arc::from(&*place.path),
            place,
            identity: None,
            missing: BTreeSet::new(),
            stamps: None,
        }
    }
}

/// Whether a path below a top is of no interest: `.git` with all below, and what lies below dependencies and build
/// output.
fn leads_nowhere(below: &Path) -> bool {
    let mut names = below.iter();
    let last = names.next_back();
    last.is_some_and(|name| name == ".git")
        || names.any(|name| name == ".git" || discover::is_not_searched(name))
}

fn identity(place: &Place) -> Option<Identity> {
    let real = std::fs::canonicalize(&place.path).ok()?;
    let watched = match place.extent {
        Extent::Tree { .. } => &*real,
        Extent::File => real.parent()?,
    };
    let metadata = std::fs::metadata(watched).ok()?;
    let (inode, _) = survey::identity(&metadata);
    Some(Identity { real, inode })
}

fn nearest(path: &Path) -> Option<PathBuf> {
    let directory = path.ancestors().skip(1).find(|path| path.is_dir())?;
    std::fs::canonicalize(directory).ok()
}
