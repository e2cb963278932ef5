//! Prints the list of all rules, which is `docs/guard-rules.md`.

#![expect(clippy::print_stdout, reason = "its page goes to standard output")]

use std::error::Error;

use skillful_guard::RuleBook;

fn main() -> Result<(), Box<dyn Error>> {
    print!("{}", RuleBook::built_in()?.list());
    Ok(())
}
