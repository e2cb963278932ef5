//! The search for the longest catalog within a budget.
//!
//! A plan counts characters. A budget of tokens is met by trying: the number of characters is moved by what the last
//! try measured, between the largest number that fitted and the smallest that did not.

use std::borrow::Cow;

use super::card::Card;
use super::plan::{Plan, Share};
use super::{Budget, Catalog, Options};

/// Most catalogs that are tried for one budget. Four are usual with tokens, one with characters.
const TRIES: usize = 12;

/// The catalog of these cards, as long as its budget allows. Its tokens are not counted yet.
pub(super) fn fit(cards: &[Card<'_>], options: &Options<'_>) -> Catalog {
    let budget = &options.budget;
    let whole = Catalog::print(cards, &whole_texts(cards), options);
    if budget.holds(&whole, options.counter) {
        return whole;
    }
    let tokens = |catalog: &Catalog| match budget.tokens {
        Some(_) => options.counter.count(&catalog.text),
        None => 0,
    };
    let entries = budget.entries.unwrap_or(usize::MAX);
    let mut best = None;
    let mut low = 0;
    let mut high = whole.characters + NOTE;
    high = budget.characters.map_or(high, |most| high.min(most));
    let mut limit = proportional(high, tokens(&whole), budget).min(high);
    let plan = Plan::new(cards, options.form, options.search_tool, limit);
    for _ in 0..TRIES {
        let catalog = Catalog::print(cards, &plan.share(limit, entries), options);
        let used = tokens(&catalog);
        let excess = budget
            .characters
            .map_or(0, |most| catalog.characters.saturating_sub(most));
        if excess == 0 && budget.tokens.is_none_or(|most| used <= most) {
            low = limit;
            best = Some(catalog);
            let is_full = budget.tokens.is_none_or(|most| used + most / FINE >= most);
            if is_full {
                break;
            }
        } else {
            high = limit.saturating_sub(1);
        }
        if low >= high {
            break;
        }
        let next = proportional(limit.saturating_sub(excess), used, budget);
        limit = if (low + 1..=high).contains(&next) {
            next
        } else {
            low + (high - low).div_ceil(2)
        };
    }
    best.unwrap_or_else(|| nothing(cards, options))
}

/// A catalog that uses all but this part of its tokens is not tried again.
const FINE: usize = 100;

/// Room for a note, which the whole catalog does not have.
const NOTE: usize = 200;

/// The number of characters that has the budget's tokens if `chars` characters have `tokens`.
fn proportional(chars: usize, tokens: usize, budget: &Budget) -> usize {
    match budget.tokens {
        Some(most) => (chars as u128 * most as u128 / tokens.max(1) as u128)
            .try_into()
            .unwrap_or(usize::MAX),
        None => chars,
    }
}

fn whole_texts<'c>(cards: &'c [Card<'_>]) -> Vec<Option<Share<'c>>> {
    cards
        .iter()
        .map(|card| {
            Some(Share {
                description: Cow::Borrowed(&*card.description),
                when: Cow::Borrowed(&*card.when),
            })
        })
        .collect()
}

/// What is printed where not even a note has room.
fn nothing(cards: &[Card<'_>], options: &Options<'_>) -> Catalog {
    let none: Vec<_> = cards.iter().map(|_| None).collect();
    let mut catalog = Catalog::print(cards, &none, options);
    if !options.budget.holds(&catalog, options.counter) {
        catalog.text.clear();
        catalog.characters = 0;
    }
    catalog
}
