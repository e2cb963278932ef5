//! How sure it is that a skill helps.
//!
//! A rate alone says too little: one success in one attempt is not better than 48 in 50. The lower bound of Wilson's
//! score interval (E. B. Wilson, "Probable inference, the law of succession, and statistical inference", 1927) is the
//! smallest true rate that what was seen is still compatible with, at a chosen level of confidence.

use crate::usage::{Activity, Usage};

/// The quantile of the normal distribution for an interval of 95 %.
pub const Z_95: f64 = 1.959_963_984_540_054;

/// What was seen of a skill: how often it was tried, and how often that went well.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// How often its text was read.
    pub reads: u64,
    /// How often that went well; never more often than it was read.
    pub wins: u64,
}

impl Evidence {
    /// What a skill's usage shows.
    pub fn of(usage: &Usage) -> Self {
        Self::new(
            usage.of(Activity::Read).count,
            usage.of(Activity::Win).count,
        )
    }

    /// So many wins in so many reads. Wins beyond the reads are reported twice by somebody and do not count.
    pub fn new(reads: u64, wins: u64) -> Self {
        Self {
            reads,
            wins: wins.min(reads),
        }
    }

    /// The lower bound of the rate of wins, from 0 to 1, with [`Z_95`]; 0 when nothing was seen.
    pub fn confidence(self) -> f64 {
        self.lower_bound(Z_95)
    }

    /// The lower bound of Wilson's interval, from 0 to 1. The greater `z`, the more caution; with 0 it is the plain rate.
    #[expect(
        clippy::cast_precision_loss,
        reason = "beyond 2^53 reads, one more or less makes no difference"
    )]
    pub fn lower_bound(self, z: f64) -> f64 {
        if self.reads == 0 || self.wins == 0 {
            return 0.0;
        }
        let (n, z2) = (self.reads as f64, z * z);
        let rate = self.wins as f64 / n;
        let centre = rate + z2 / (2.0 * n);
        let spread = z * (rate * (1.0 - rate) / n + z2 / (4.0 * n * n)).sqrt();
        ((centre - spread) / (1.0 + z2 / n)).clamp(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_bound_of_known_cases() {
        // The values that R's `binom::binom.wilson` gives.
        for (wins, reads, expected) in [
            (1, 1, 0.2065),
            (5, 10, 0.2366),
            (48, 50, 0.8654),
            (950, 1000, 0.9347),
        ] {
            let bound = Evidence::new(reads, wins).confidence();
            assert!((bound - expected).abs() < 1e-4, "{wins}/{reads}: {bound}");
        }
        assert!(Evidence::new(0, 0).confidence() < f64::EPSILON);
        assert!(Evidence::new(10, 0).confidence() < f64::EPSILON);
        assert!((Evidence::new(4, 3).lower_bound(0.0) - 0.75).abs() < 1e-12);
    }

    #[test]
    fn wins_without_reads_do_not_count() {
        assert_eq!(Evidence::new(2, 9), Evidence { reads: 2, wins: 2 });
    }

    proptest! {
        #[test]
        fn the_bound_lies_below_the_rate_and_rises_with_wins_and_with_reads(
            (reads, wins) in (1u32..10_000).prop_flat_map(|reads| (Just(reads), 0..=reads)),
        ) {
            let bound = |reads: u32, wins: u32| Evidence::new(reads.into(), wins.into()).confidence();
            let rate = f64::from(wins) / f64::from(reads);
            prop_assert!((0.0..=rate + 1e-12).contains(&bound(reads, wins)));
            prop_assert!(bound(reads, wins) <= bound(reads, wins + 1) + 1e-12);
            prop_assert!(bound(reads, wins) <= bound(2 * reads, 2 * wins) + 1e-12);
        }
    }
}
