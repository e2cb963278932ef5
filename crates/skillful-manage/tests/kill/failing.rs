//! The disk fails at each step of each kind of change, while the process lives: nothing was changed then.

use std::io;

use crate::harness::{Expected, Stage};
use crate::scenarios::{Countdown, KINDS, Own};

#[test]
fn an_error_at_any_step_takes_everything_back() {
    for two_steps in [false, true] {
        for kind in KINDS {
            let own = Own::new(kind, two_steps);
            let expected = Expected::of(&own);
            let mut failures = 0;
            for step in 0.. {
                let stage = Stage::new(&own);
                let full = || Err(io::Error::from(io::ErrorKind::StorageFull));
                let options = own.options(Some(Box::new(Countdown::new(step, full))));
                let result = own.act(stage.path(), options);
                let what = format!("{own:?} at {step}: {result:?}");
                let is_new = expected.assert_one_of_both(&stage, &what);
                assert_eq!(is_new, result.is_ok(), "{what}");
                let Err(error) = result else {
                    break;
                };
                assert!(error.contains("no storage space"), "{what}");
                failures += 1;
                own.act(stage.path(), own.options(None)).unwrap();
                assert!(expected.assert_one_of_both(&stage, &what), "{what}");
            }
            assert!(failures > 5, "{kind:?}");
        }
    }
}
