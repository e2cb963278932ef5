//! `skillful enable`, `disable`, `pin` and `mode`: a user's switches for one skill.

use std::io::Write;

use skillful::config::edit::{self, EditError};
use skillful::config::{KeyPath, Value, id_form};
use skillful::{LookUpError, Mode, Skill, evaluate};
use skillful_manage::{Actor, Change, Operation};

use crate::args::{DisableArgs, EnableArgs, GlobalArgs, Layer, ModeArgs, PinArgs, SwitchArgs};
use crate::error::{CommandError, Outcome};
use crate::input::World;
use crate::lookup;
use crate::render::state_style;
use crate::settings;
use crate::terminal::{print_json, printable, stdout};

/// What is done to one key.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    /// It gets this value.
    Set(&'static str, Value),
    /// It is taken out, if it has one of these values.
    TakeOut(&'static str, &'static [&'static str]),
}

pub(crate) fn enable(global: &GlobalArgs, args: &EnableArgs) -> Result<Outcome, CommandError> {
    // A project can only take back what it said itself.
    let first = match args.switch.layer {
        Layer::User => Step::Set("enabled", Value::Flag(true)),
        Layer::Project => Step::TakeOut("enabled", &["false", "true"]),
    };
    run(
        global,
        &args.switch,
        &[first, Step::TakeOut("mode", &["disabled"])],
    )
}

pub(crate) fn disable(global: &GlobalArgs, args: &DisableArgs) -> Result<Outcome, CommandError> {
    run(
        global,
        &args.switch,
        &[Step::Set("enabled", Value::Flag(false))],
    )
}

pub(crate) fn pin(global: &GlobalArgs, args: &PinArgs) -> Result<Outcome, CommandError> {
    if args.off {
        return run(global, &args.switch, &[Step::TakeOut("mode", &["pinned"])]);
    }
    set_mode(global, &args.switch, Mode::Pinned)
}

pub(crate) fn mode(global: &GlobalArgs, args: &ModeArgs) -> Result<Outcome, CommandError> {
    set_mode(global, &args.switch, args.mode)
}

fn set_mode(global: &GlobalArgs, args: &SwitchArgs, mode: Mode) -> Result<Outcome, CommandError> {
    if args.layer == Layer::Project && matches!(mode, Mode::Pinned | Mode::Required) {
        let message = format!("a project may only tighten, and `{mode}` gives more");
        return Err(
            CommandError::usage(message).hint("leave out `--in project` to set it for yourself")
        );
    }
    run(global, args, &[Step::Set("mode", Value::Mode(mode))])
}

/// Takes the steps in the file, and tells how the skill stands then.
fn run(global: &GlobalArgs, args: &SwitchArgs, steps: &[Step]) -> Result<Outcome, CommandError> {
    let world = World::gather(global)?;
    let library = world.scan()?;
    let found = match library.registry.find(&args.id) {
        Err(LookUpError::Unknown(_)) if args.force => None,
        _ => Some(lookup::searched(&world, &library, &args.id)?.clone()),
    };
    let id = match &found {
        Some(skill) => skill.id.clone(),
        None => id_form(&args.id).ok_or_else(|| {
            CommandError::usage(format_args!("`{}` cannot be the id of a skill", args.id))
        })?,
    };
    let section = section(&id, args.agent.as_deref());
    let change = Change::new(Operation::CONFIGURE, Actor::USER)
        .about(&id)
        .saying(message(&section, steps));
    let changed = settings::change(&world, args.layer, change, |text| {
        apply(text, &section, steps)
    })?;

    let after = settings::gather_again(&world, global)?;
    let conditions = after.conditions();
    let judge = |skill: &Skill| evaluate(skill, &conditions, args.agent.as_deref());
    let standing = found.as_ref().map(judge);
    let key = match steps.first() {
        Some(Step::Set(name, _) | Step::TakeOut(name, _)) => section.join(*name),
        None => section,
    };
    let value = changed.says(&key);
    if args.format.is_json() {
        let document = changed.document(&key, value.as_ref());
        print_json(&document.about(&id, standing.as_ref()))?;
        return Ok(Outcome::Fine);
    }
    let mut out = stdout(global.color);
    settings::write_change(&mut out, &world, &key, value.as_ref(), &changed)?;
    if let Some(standing) = &standing {
        let style = state_style(standing.state);
        writeln!(
            out,
            "{} is {style}{}{style:#}",
            printable(&id),
            standing.state.as_str()
        )?;
        for blocker in &standing.blockers {
            writeln!(
                out,
                "  {}",
                printable(&world.with_short_home(&blocker.detail))
            )?;
        }
    }
    out.flush()?;
    Ok(Outcome::Fine)
}

fn section(id: &str, agent: Option<&str>) -> KeyPath {
    let section = KeyPath::single("skills").join(id);
    match agent {
        Some(agent) => section.join("agents").join(agent),
        None => section,
    }
}

/// What the history says of the steps.
fn message(section: &KeyPath, steps: &[Step]) -> String {
    match steps.first() {
        Some(Step::Set(name, value)) => format!("set {} to {value}", section.join(*name)),
        Some(Step::TakeOut(name, _)) => format!("took out {}", section.join(*name)),
        None => format!("changed {section}"),
    }
}

/// The text after all steps; nothing when they change nothing.
fn apply(text: &str, section: &KeyPath, steps: &[Step]) -> Result<Option<String>, EditError> {
    let mut new = text.to_owned();
    for step in steps {
        match step {
            Step::Set(name, value) => new = edit::set(&new, &section.join(*name), value)?,
            Step::TakeOut(name, values) => {
                let key = section.join(*name);
                let given = edit::given(&new, &key);
                if given.is_some_and(|given| values.contains(&given.as_str())) {
                    new = edit::unset(&new, &key)?.unwrap_or(new);
                }
            }
        }
    }
    Ok((new != text).then_some(new))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mode_is_taken_out_only_if_it_is_meant() {
        let section = section("a", None);
        let steps = [Step::TakeOut("mode", &["pinned"])];
        let pinned = "[skills.a]\nmode = 'pinned' # mine\n";
        assert_eq!(
            apply(pinned, &section, &steps).unwrap().as_deref(),
            Some("")
        );
        let other = "[skills.a]\nmode = 'required'\n";
        assert_eq!(apply(other, &section, &steps).unwrap(), None);
        assert!(apply("[x\n", &section, &[Step::Set("mode", Value::Flag(true))]).is_err());
    }
}
