//! `skillful search`: skills for a request, the best first.

use std::io::Write;
use std::slice;
use std::sync::Arc;

use skillful::contract::SearchDocument;
use skillful::search::{Hit, Index, Options};
use skillful::{Skill, State};

use crate::args::{GlobalArgs, SearchArgs};
use crate::error::{CommandError, Outcome};
use crate::input::World;
use crate::render::reasons_in_words;
use crate::render::table::{self, Cell};
use crate::terminal::{BOLD, DIM, Out, counted, print_json, stdout, width};

pub(crate) fn run(global: &GlobalArgs, args: &SearchArgs) -> Result<Outcome, CommandError> {
    let library = World::gather(global)?.scan()?;
    let skills: Vec<Arc<Skill>> = library
        .registry
        .skills()
        .iter()
        .filter(|skill| skill.state == State::Ready)
        .map(Arc::clone)
        .collect();
    let index = Index::of_skills(&skills);
    let options = Options {
        limit: args.limit,
        ..Options::default()
    };
    let query = [slice::from_ref(&args.query), &args.more]
        .concat()
        .join(" ");
    let hits = index.search(&query, &options);
    if args.format.is_json() {
        let skill = |hit: &Hit<'_>| skills.get(hit.document).map(|skill| &**skill);
        print_json(&SearchDocument::new(&hits, skill))?;
    } else {
        let mut out = stdout(global.color);
        write_table(&mut out, args, &skills, &hits)?;
        writeln!(
            out,
            "{DIM}{} of {}{DIM:#}",
            hits.len(),
            counted(skills.len(), "skill")
        )?;
        out.flush()?;
    }
    Ok(Outcome::Fine)
}

fn write_table(
    out: &mut Out,
    args: &SearchArgs,
    skills: &[Arc<Skill>],
    hits: &[Hit<'_>],
) -> std::io::Result<()> {
    let rows: Vec<Vec<Cell>> = hits
        .iter()
        .map(|hit| {
            let last = if args.explain {
                Cell::new(&reasons_in_words(&hit.reasons), DIM)
            } else {
                Cell::plain(
                    skills
                        .get(hit.document)
                        .map_or("", |skill| &skill.description),
                )
            };
            vec![
                Cell::new(hit.id, BOLD),
                Cell::new(&format!("{:.3}", hit.score), DIM),
                last,
            ]
        })
        .collect();
    table::write(out, &rows, width())
}
