//! Who gets how much of a catalog that has no room for all.
//!
//! Every skill gets its smallest form first: name, `when`, version. If even these have no room, the texts of `when` are
//! shortened as descriptions are, and only then skills are left out, the least important first. What is left of the
//! room buys words: each in turn where it is worth most for its length. The worth of a skill's next word falls with
//! what is said of the skill already, so that the room spreads over all skills as water does. Required and pinned
//! skills come before all others.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::ops::Range;

use super::card::Card;
use super::entry::{Entry, Usage};
use super::form::{Face, Form, Omitted};
use super::shorten::{Offer, Selection, Text};
use super::weigh::{Scales, UNIT};
use crate::mode::Mode;
use crate::roots::Source;

/// What is printed of one skill.
#[derive(Clone, Debug)]
pub(super) struct Share<'p> {
    pub(super) description: Cow<'p, str>,
    pub(super) when: Cow<'p, str>,
}

/// All that does not depend on how much room there is.
pub(super) struct Plan<'p> {
    cards: &'p [Card<'p>],
    costs: Costs,
    rows: Vec<Row<'p>>,
    /// All that can be bought, what is worth most for its length first.
    steps: Vec<Step>,
    /// The cards by importance.
    ranking: Vec<usize>,
}

/// One skill in the plan.
struct Row<'p> {
    /// Characters of its smallest form without `when`, its separator included.
    least: usize,
    description: Ware<'p>,
    when: Ware<'p>,
}

/// A text that is for sale, word by word.
struct Ware<'p> {
    text: Text<'p>,
    /// Its words in the order of sale.
    offers: Vec<Offer>,
    /// Characters of the markup around it.
    markup: usize,
    /// Characters of the whole text with its markup.
    whole: usize,
}

/// Which of a skill's texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Slot {
    When,
    Description,
}

/// Words that are bought at once.
struct Step {
    /// Greater for what is bought earlier.
    key: (Tier, u64),
    card: usize,
    slot: Slot,
    /// Places in the order of sale.
    words: Range<usize>,
}

/// Who comes first, whatever it costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Tier {
    Ordinary,
    Pinned,
    Required,
}

impl Tier {
    fn of(mode: Mode) -> Self {
        match mode {
            Mode::Required => Self::Required,
            Mode::Pinned => Self::Pinned,
            _ => Self::Ordinary,
        }
    }
}

/// Characters of the frame and of the note.
struct Costs {
    frame: usize,
    note: usize,
}

impl<'p> Plan<'p> {
    /// The plan for room of about `limit` characters.
    pub(super) fn new(cards: &'p [Card<'p>], form: Form, search_tool: &str, limit: usize) -> Self {
        let scales = Scales::new(cards);
        let rows: Vec<Row<'_>> = cards
            .iter()
            .map(|card| Row::new(card, form, &scales))
            .collect();
        let saturation = saturation(affordable(&rows, limit));
        let mut steps = Vec::new();
        for (index, (card, row)) in cards.iter().zip(&rows).enumerate() {
            let weight = weight(card.entry);
            let tier = Tier::of(card.entry.mode);
            for (slot, ware) in [
                (Slot::When, &row.when),
                (Slot::Description, &row.description),
            ] {
                ware.offer(weight, saturation, |density, words| {
                    steps.push(Step {
                        key: (tier, density),
                        card: index,
                        slot,
                        words,
                    });
                });
            }
        }
        // Of steps that are worth the same, the first skill's comes first.
        steps.sort_unstable_by_key(|step| {
            (Reverse(step.key), step.card, step.slot, step.words.start)
        });
        let mut ranking: Vec<usize> = (0..cards.len()).collect();
        ranking.sort_by_key(|card| cards.get(*card).map(|card| Reverse(importance(card.entry))));
        Self {
            cards,
            costs: Costs::of(form, cards.len(), search_tool),
            rows,
            steps,
            ranking,
        }
    }

    /// What is printed of each skill within `limit` characters and `entries` skills; nothing of one that is left out.
    pub(super) fn share(&self, limit: usize, entries: usize) -> Vec<Option<Share<'_>>> {
        let (admitted, room) = self.admit(limit, entries);
        let mut room = room;
        let whens: usize = self.admitted(&admitted).map(|row| row.when.whole).sum();
        let whens_are_whole = whens <= room;
        if whens_are_whole {
            room -= whens;
        }
        let mut carts: Vec<Cart> = self.rows.iter().map(Cart::new).collect();
        for step in &self.steps {
            if admitted.get(step.card) != Some(&true)
                || (whens_are_whole && step.slot == Slot::When)
            {
                continue;
            }
            if let (Some(row), Some(cart)) = (self.rows.get(step.card), carts.get_mut(step.card)) {
                room -= cart.buy(row, step, room);
            }
        }
        let shares = self.cards.iter().zip(&self.rows).zip(carts).zip(admitted);
        shares
            .map(|(((card, row), cart), admitted)| {
                let when = if whens_are_whole {
                    Cow::Borrowed(&*card.when)
                } else {
                    row.when.print(&cart.when, &card.when)
                };
                admitted.then(|| Share {
                    description: row.description.print(&cart.description, &card.description),
                    when,
                })
            })
            .collect()
    }

    fn admitted<'s>(&'s self, admitted: &'s [bool]) -> impl Iterator<Item = &'s Row<'p>> {
        let rows = self.rows.iter().zip(admitted);
        rows.filter(|(_, is)| **is).map(|(row, _)| row)
    }

    /// Which skills have room for their smallest form, and the room that is left.
    fn admit(&self, limit: usize, entries: usize) -> (Vec<bool>, usize) {
        let count = self.rows.len();
        let all = self.costs.frame + self.rows.iter().map(|row| row.least).sum::<usize>();
        if all <= limit && count <= entries {
            return (vec![true; count], limit - all);
        }
        let mut admitted = vec![false; count];
        let mut left = entries;
        let Some(mut room) = limit.checked_sub(self.costs.frame + self.costs.note) else {
            return (admitted, 0);
        };
        for &card in &self.ranking {
            if let (Some(row), Some(slot)) = (self.rows.get(card), admitted.get_mut(card))
                && left > 0
                && row.least <= room
            {
                *slot = true;
                room -= row.least;
                left -= 1;
            }
        }
        (admitted, room)
    }
}

impl<'p> Row<'p> {
    fn new(card: &'p Card<'p>, form: Form, scales: &Scales) -> Self {
        let chars = |face: Face<'_>| form.print_one(&face).chars().count();
        let least = chars(card.face("", ""));
        // What a text of one character costs, and how much of it is markup.
        let description = (chars(card.face("x", "")).saturating_sub(least)).saturating_sub(1);
        let when = (chars(card.face("", "x")).saturating_sub(least)).saturating_sub(1);
        Self {
            least: least + form.style().separator.len(),
            description: Ware::new(
                Text::new(&card.description, form, scales, &card.name),
                description,
            ),
            when: Ware::new(Text::new(&card.when, form, scales, &card.name), when),
        }
    }

    fn ware(&self, slot: Slot) -> &Ware<'p> {
        match slot {
            Slot::Description => &self.description,
            Slot::When => &self.when,
        }
    }
}

impl<'p> Ware<'p> {
    fn new(text: Text<'p>, markup: usize) -> Self {
        let whole = text.chars();
        Self {
            offers: text.by_density(),
            markup,
            whole: if whole == 0 { 0 } else { whole + markup },
            text,
        }
    }

    /// Hands over what is for sale: the first words, which must pay for the markup around them, and then word by word.
    /// Each with what it is worth for its length.
    fn offer(&self, weight: u64, saturation: u64, mut step: impl FnMut(u64, Range<usize>)) {
        let mut said = 0;
        let mut offers: Vec<(u64, u64)> = Vec::with_capacity(self.offers.len());
        for word in &self.offers {
            let gain = word.worth * weight * SCALE * saturation / (saturation + said);
            said += word.worth;
            offers.push((gain, word.chars as u64));
        }
        let mut first = 0;
        let mut best = 0;
        let (mut gains, mut chars) = (0, self.markup as u64);
        for (index, (gain, cost)) in offers.iter().enumerate() {
            gains += gain;
            chars += cost;
            let density = gains / chars.max(1);
            if density <= best {
                break;
            }
            (best, first) = (density, index + 1);
        }
        if first > 0 {
            step(best, 0..first);
        }
        for (index, (gain, cost)) in offers.iter().enumerate().skip(first) {
            step(gain / cost.max(&1), index..index + 1);
        }
    }

    fn print(&'p self, selection: &Selection, whole: &'p str) -> Cow<'p, str> {
        if selection.is_empty() {
            Cow::Borrowed("")
        } else if selection.is_whole() {
            Cow::Borrowed(whole)
        } else {
            Cow::Owned(selection.print(&self.text))
        }
    }
}

/// How many percent of all texts can be printed in `limit` characters.
fn affordable(rows: &[Row<'_>], limit: usize) -> u64 {
    let least: usize = rows.iter().map(|row| row.least + row.when.whole).sum();
    let texts: usize = rows.iter().map(|row| row.description.whole).sum();
    let room = limit.saturating_sub(least).min(texts);
    (room as u64 * 100) / (texts as u64).max(1)
}

/// Keeps three digits of a density.
const SCALE: u64 = 1_000;

/// The worth, in sixteenths of a bit, after which the next word of a skill counts for half, when `percent` of all texts
/// can be printed. With little room the best words of many skills are worth more than more words of one; with much
/// room nearly everything is printed, and what matters is the worth of the word alone. Both ends were found by
/// measuring (`benches/catalog_quality.rs`).
fn saturation(percent: u64) -> u64 {
    (4 + percent * percent / 20) * UNIT
}

/// What was bought of one skill's texts.
struct Cart {
    description: Selection,
    when: Selection,
}

impl Cart {
    fn new(row: &Row<'_>) -> Self {
        Self {
            description: Selection::none(&row.description.text),
            when: Selection::none(&row.when.text),
        }
    }

    /// Buys what the step offers if it costs no more than `room`. Gives what it cost.
    fn buy(&mut self, row: &Row<'_>, step: &Step, room: usize) -> usize {
        let ware = row.ware(step.slot);
        let selection = match step.slot {
            Slot::Description => &mut self.description,
            Slot::When => &mut self.when,
        };
        let markup = if selection.is_empty() { ware.markup } else { 0 };
        let Some(room) = room.checked_sub(markup) else {
            return 0;
        };
        let before = selection.chars(&ware.text);
        let words = ware.offers.get(step.words.clone()).unwrap_or_default();
        if selection.add(&ware.text, words, before + room) {
            // A word that closes a gap can make the text shorter.
            (markup + selection.chars(&ware.text)).saturating_sub(before)
        } else {
            0
        }
    }
}

impl Costs {
    fn of(form: Form, count: usize, tool: &str) -> Self {
        let face = Face {
            name: "x",
            ..Face::default()
        };
        let chars = |count| form.print([face], Omitted { count, tool }).chars().count();
        let frame = chars(0);
        Self {
            // The first entry has no separator before it, and the frame may end with one.
            frame: (frame + 1).saturating_sub(form.print_one(&face).chars().count()),
            note: chars(count) - frame,
        }
    }
}

/// What a word of this skill is worth beside the same word of another: its source counts a little, its use a little
/// more. Never nothing.
fn weight(entry: &Entry) -> u64 {
    let source = match entry.source {
        Source::Bundled => 13,
        Source::Global => 16,
        Source::Plugin { .. } => 17,
        Source::Workspace { .. } => 20,
    };
    let Usage { uses, idle_days } = entry.usage;
    let recent = match idle_days {
        Some(0..=7) => 6,
        Some(8..=30) => 3,
        _ => 0,
    };
    let often = u64::from((uses + 1).ilog2().min(5));
    source + recent + often
}

/// Who is left out last.
fn importance(entry: &Entry) -> impl Ord + use<> {
    let Usage { uses, idle_days } = entry.usage;
    (
        Tier::of(entry.mode),
        entry.source.rank(),
        idle_days.map(Reverse),
        uses,
    )
}
