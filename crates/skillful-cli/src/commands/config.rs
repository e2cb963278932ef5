//! `skillful config`: what is set and where, and changes of single keys.

use std::io::Write;

use skillful::config::edit;
use skillful::config::schema::{self, KEYS, Place};
use skillful::config::{KeyPath, ProjectRule, Setting, Value};
use skillful::contract::{
    DiagnosticJson, FilesDocument, SettingJson, SettingsDocument, problem_diagnostics,
};

use crate::args::{
    ConfigAction, ConfigArgs, GetArgs, GlobalArgs, Layer, PathArgs, SetArgs, UnsetArgs,
};
use crate::error::{CommandError, Outcome};
use crate::input::World;
use crate::lookup;
use crate::render::origin_text;
use crate::render::table::{self, Cell};
use crate::settings::{self, Changed};
use crate::suggest::nearest;
use crate::terminal::{BOLD, DIM, print_json, printable, stdout, warn, width};

pub(crate) fn run(global: &GlobalArgs, args: &ConfigArgs) -> Result<Outcome, CommandError> {
    match &args.action {
        ConfigAction::Get(args) => get(global, args),
        ConfigAction::Set(args) => set(global, args),
        ConfigAction::Unset(args) => unset(global, args),
        ConfigAction::Path(args) => path(global, args),
    }
}

/// What holds for a key: said by somebody, or built in.
enum Shown<'w> {
    Said(KeyPath, &'w Setting),
    BuiltIn(KeyPath, &'static Value),
}

fn get(global: &GlobalArgs, args: &GetArgs) -> Result<Outcome, CommandError> {
    let world = World::gather(global)?;
    let wanted = args.key.as_deref().map(key).transpose()?;
    if let Some(key) = &wanted {
        known(key)?;
    }
    let shown = settings(&world, wanted.as_ref());
    let found = !shown.is_empty() || wanted.is_none();
    if args.format.is_json() {
        let problems = problem_diagnostics(&world.problems);
        let problems = problems
            .iter()
            .map(|(diagnostic, path)| DiagnosticJson { diagnostic, path });
        let settings = shown.iter().map(|shown| match shown {
            Shown::Said(key, setting) => SettingJson::new(key, setting),
            Shown::BuiltIn(key, default) => SettingJson::built_in(key, default),
        });
        print_json(&SettingsDocument::new(
            settings.collect(),
            problems.collect(),
        ))?;
    } else {
        write_settings(global, &world, &shown, wanted.as_ref())?;
    }
    Ok(if found { Outcome::Fine } else { Outcome::Found })
}

/// What holds for the wanted keys, sorted: all that is said, and the defaults of what nobody says.
fn settings<'w>(world: &'w World, wanted: Option<&KeyPath>) -> Vec<Shown<'w>> {
    let is_wanted = |key: &KeyPath| wanted.is_none_or(|wanted| key.is_within(wanted));
    let said = world.config.settings();
    let mut shown: Vec<(KeyPath, Shown<'w>)> = said
        .filter(|(key, _)| is_wanted(key))
        .map(|(key, setting)| (key.clone(), Shown::Said(key.clone(), setting)))
        .collect();
    let fixed = KEYS.iter().filter(|spec| !spec.pattern.contains('*'));
    let defaults = fixed.filter_map(|spec| {
        let key: KeyPath = spec.pattern.parse().ok()?;
        let is_shown = is_wanted(&key) && world.config.get(&key).is_none();
        let default = spec.default.filter(|_| is_shown)?;
        Some((key.clone(), Shown::BuiltIn(key, default)))
    });
    shown.extend(defaults);
    shown.sort_by(|(a, _), (b, _)| a.cmp(b));
    shown.into_iter().map(|(_, shown)| shown).collect()
}

fn write_settings(
    global: &GlobalArgs,
    world: &World,
    shown: &[Shown<'_>],
    wanted: Option<&KeyPath>,
) -> Result<(), CommandError> {
    let mut out = stdout(global.color);
    let rows: Vec<(String, String, String)> = shown
        .iter()
        .map(|shown| match shown {
            Shown::Said(key, setting) => {
                let place = origin_text(world, &setting.origin);
                (key.to_string(), setting.value.to_string(), place)
            }
            Shown::BuiltIn(key, value) => {
                (key.to_string(), value.to_string(), "built in".to_owned())
            }
        })
        .collect();
    // A single key is asked for by scripts, which want its value and nothing else.
    let only = |key: &&KeyPath| schema::find(key).is_some();
    match (wanted.filter(only), &rows[..]) {
        (Some(_), [(_, value, _)]) => writeln!(out, "{}", printable(value))?,
        (Some(key), []) => warn(&format!("`{key}` is not set")),
        (None, []) => writeln!(
            out,
            "Nothing is set. {DIM}`skillful config path` tells where that is done.{DIM:#}"
        )?,
        _ => {
            let cells: Vec<Vec<Cell>> = rows
                .iter()
                .map(|(key, value, place)| {
                    vec![
                        Cell::new(key, BOLD),
                        Cell::plain(value),
                        Cell::new(place, DIM),
                    ]
                })
                .collect();
            table::write(&mut out, &cells, width())?;
        }
    }
    out.flush()?;
    for problem in &world.problems {
        warn(&problem.to_string());
    }
    Ok(())
}

fn set(global: &GlobalArgs, args: &SetArgs) -> Result<Outcome, CommandError> {
    let world = World::gather(global)?;
    let key = key(&args.key)?;
    let Place::Key(spec) = known(&key)? else {
        let names = schema::siblings(&key.join("?")).join("`, `");
        let failure = CommandError::usage(format_args!("`{key}` is a section, not a key"));
        return Err(failure.hint(format!("its keys are `{names}`")));
    };
    if args.layer == Layer::Project && spec.project == ProjectRule::Never {
        return Err(
            CommandError::usage(format_args!("a project may not set `{key}`"))
                .hint("leave out `--in project` to set it for yourself"),
        );
    }
    let value = Value::from_text(spec.kind, &args.value)
        .map_err(|reason| CommandError::usage(format_args!("`{key}` {reason}")))?;
    if let ([section, id, ..], false) = (key.segments(), args.force)
        && section == "skills"
    {
        lookup::searched(&world, &world.scan()?, id)?;
    }
    let changed = settings::change(&world, args.layer, |text| {
        edit::set(text, &key, &value).map(Some)
    })?;
    settings::gather_again(&world, global)?;
    report(
        global,
        &world,
        &key,
        Some(&value),
        &changed,
        args.format.is_json(),
    )
}

fn unset(global: &GlobalArgs, args: &UnsetArgs) -> Result<Outcome, CommandError> {
    let world = World::gather(global)?;
    // What the table does not know can be taken out all the same.
    let key = key(&args.key)?;
    let changed = settings::change(&world, args.layer, |text| edit::unset(text, &key))?;
    settings::gather_again(&world, global)?;
    report(global, &world, &key, None, &changed, args.format.is_json())
}

fn report(
    global: &GlobalArgs,
    world: &World,
    key: &KeyPath,
    value: Option<&Value>,
    changed: &Changed,
    json: bool,
) -> Result<Outcome, CommandError> {
    if json {
        print_json(&changed.document(key, value))?;
        return Ok(Outcome::Fine);
    }
    let mut out = stdout(global.color);
    settings::write_change(&mut out, world, key, value, changed)?;
    out.flush()?;
    Ok(Outcome::Fine)
}

fn path(global: &GlobalArgs, args: &PathArgs) -> Result<Outcome, CommandError> {
    let world = World::gather(global)?;
    let files = world.config_files.iter();
    let files = files.map(|file| (file.level, file.path.as_path(), file.path.exists()));
    if args.format.is_json() {
        print_json(&FilesDocument::new(files))?;
        return Ok(Outcome::Fine);
    }
    let mut out = stdout(global.color);
    let rows: Vec<Vec<Cell>> = files
        .map(|(level, path, exists)| {
            let path = path.to_string_lossy();
            let note = if exists { "there" } else { "not there yet" };
            vec![
                Cell::plain(level.as_str()),
                Cell::new(note, DIM),
                Cell::new(&path, BOLD),
            ]
        })
        .collect();
    table::write(&mut out, &rows, width())?;
    out.flush()?;
    Ok(Outcome::Fine)
}

/// The key that was typed; of a skill's the id in its form.
fn key(text: &str) -> Result<KeyPath, CommandError> {
    let key: KeyPath = text.parse().map_err(CommandError::usage)?;
    key.with_ids().ok_or_else(|| {
        CommandError::usage(format_args!(
            "`{text}` names no skill: an id has letters or digits"
        ))
    })
}

/// How the table knows a key.
fn known(key: &KeyPath) -> Result<Place, CommandError> {
    let place = schema::place(key);
    if !matches!(place, Place::Unknown) {
        return Ok(place);
    }
    let failure = CommandError::usage(format_args!("`{key}` is not a key that is known"));
    // What stands below a part that is not known cannot be known either.
    let mut parts = key.ancestors();
    parts.push(key.clone());
    let faulty = parts
        .iter()
        .find(|part| matches!(schema::place(part), Place::Unknown));
    let siblings = faulty.map(schema::siblings).unwrap_or_default();
    let last = faulty.and_then(|part| part.segments().last());
    let near = last.and_then(|last| nearest(last, siblings.iter().copied()));
    let otherwise = if siblings.is_empty() {
        "`skillful config get` lists what is set".to_owned()
    } else {
        format!("there are `{}`", siblings.join("`, `"))
    };
    Err(failure.did_you_mean(near, Some(&otherwise)))
}
