//! Victims that are killed from outside at moments drawn by lot, some of them while they finish what the one before left.
//!
//! `SKILLFUL_KILLS` says how many are killed, `SKILLFUL_KILL_SEED` which moments are drawn.

use std::time::Duration;

use crate::harness::{Expected, Scenario, Stage, run};
use crate::scenarios::{KINDS, Own};

/// Most victims that are killed on one stage, one after the other.
const IN_A_ROW: u64 = 3;

fn number(variable: &str, usual: u64) -> u64 {
    std::env::var(variable).map_or(usual, |text| text.parse().unwrap())
}

/// Numbers that look drawn by lot (`SplitMix64`).
struct Lots(u64);

impl Lots {
    fn draw(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % below
    }
}

#[test]
fn killed_at_any_moment() {
    let kills = number("SKILLFUL_KILLS", 24);
    let mut lots = Lots(number("SKILLFUL_KILL_SEED", 20_261_201));
    let mut expected: Vec<Option<Expected>> = (0..KINDS.len() * 2).map(|_| None).collect();
    let (mut killed, mut unfinished, mut new, mut old) = (0, 0, 0, 0);
    while killed < kills {
        let index = usize::try_from(lots.draw(expected.len() as u64)).unwrap();
        let mut own = Own::new(KINDS[index / 2], index % 2 == 1);
        own.files = 120;
        let expected = expected[index].get_or_insert_with(|| Expected::of(&own));
        let stage = Stage::new(&own);
        let what = format!("{own:?} after {killed} kills");
        for _ in 0..=lots.draw(IN_A_ROW) {
            let longest = u64::try_from(expected.time.as_micros()).unwrap() * 11 / 10;
            let moment = Duration::from_micros(lots.draw(longest.max(1)));
            run(own.victim(&stage), Some(moment));
            killed += 1;
            unfinished += u32::from(stage.is_unfinished());
        }
        own.recover(&stage);
        if expected.assert_one_of_both(&stage, &what) {
            new += 1;
        } else {
            old += 1;
        }
    }
    println!(
        "{killed} killed, {unfinished} in the middle: {old} times all was old, {new} times all was new"
    );
}
