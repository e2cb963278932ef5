//! `skillful scan`: what an attacker could be doing in a skill.

mod report;
mod source;

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use skillful::Config;
use skillful::contract::{RulesDocument, ScanDocument, ScanSummary, ScannedBundle};
use skillful::scanner::report::{BundleReport, Located, markdown, sarif};
use skillful::scanner::{Baseline, Confidence, Policy, Preset, Rule, RuleBook, Verdict};

use crate::args::{FailOn, GlobalArgs, ScanArgs, ScanFormat};
use crate::error::{CommandError, Outcome};
use crate::input::World;
use crate::render::github::{self, Annotation};
use crate::render::table::{self, Cell};
use crate::suggest::nearest;
use crate::terminal::{
    BOLD, DIM, Out, counted, is_styled, print_json, printable, stdout, warn, width,
};
use crate::{limits, write};

use source::Scanned;

/// Everything that decides what a scan reports.
struct Job<'a> {
    world: &'a World,
    args: &'a ScanArgs,
    rules: &'static RuleBook,
    policy: Policy,
    baseline: Option<Baseline>,
}

pub(crate) fn run(global: &GlobalArgs, args: &ScanArgs) -> Result<Outcome, CommandError> {
    let rules = rule_book()?;
    check_rules(args, rules)?;
    let mut out = stdout(global.color);
    if args.list_rules {
        list_rules(&mut out, args, rules)?;
        return Ok(Outcome::Fine);
    }
    let world = World::gather(global)?;
    for problem in &world.problems {
        warn(&problem.to_string());
    }
    let job = Job {
        world: &world,
        args,
        rules,
        policy: policy(args.preset, &world.config),
        baseline: args.baseline.as_deref().map(read_baseline).transpose()?,
    };
    let scanned = source::scan_all(&job)?;
    if let Some(path) = &args.write_baseline {
        write_baseline(&mut out, path, &scanned)?;
        return Ok(Outcome::Fine);
    }
    let fails = scanned.iter().any(|bundle| is_failure(args, bundle));
    let scanned = chosen(args, scanned);
    match args.output.format() {
        ScanFormat::Json => print_json(&ScanDocument::new(bundles(&scanned)))?,
        ScanFormat::Sarif => write_sarif(&mut out, &scanned, rules)?,
        ScanFormat::Markdown => write_markdown(&mut out, args, scanned)?,
        ScanFormat::Github => annotate(&mut out, &scanned, rules)?,
        ScanFormat::Text => {
            let report = report::Report::new(&job, is_styled(global.color));
            report.write(&mut out, &scanned)?;
        }
    }
    out.flush()?;
    Ok(if fails { Outcome::Found } else { Outcome::Fine })
}

/// The rules that are built in.
pub(super) fn rule_book() -> Result<&'static RuleBook, CommandError> {
    RuleBook::built_in().map_err(CommandError::failed)
}

fn check_rules(args: &ScanArgs, rules: &RuleBook) -> Result<(), CommandError> {
    let Some(unknown) = args.rule.iter().find(|id| rules.get(id).is_none()) else {
        return Ok(());
    };
    let failure = CommandError::usage(format_args!("there is no rule `{unknown}`"));
    let known = rules.rules().map(|rule| &*rule.id);
    let otherwise = "`skillful scan --list-rules` lists all";
    Err(failure.did_you_mean(nearest(unknown, known), Some(otherwise)))
}

/// The configuration's policy; with the thresholds of a preset that was named.
fn policy(preset: Option<Preset>, config: &Config) -> Policy {
    let policy = config.guard_policy();
    match preset {
        Some(preset) => Policy {
            suppressions: policy.suppressions,
            ..preset.policy()
        },
        None => policy,
    }
}

fn list_rules(out: &mut Out, args: &ScanArgs, rules: &RuleBook) -> Result<(), CommandError> {
    let is_chosen = |rule: &&Rule| {
        (args.rule.is_empty() || args.rule.contains(&rule.id))
            && (args.category.is_empty() || args.category.contains(&rule.category()))
    };
    let chosen = rules.rules().filter(is_chosen);
    match args.output.format() {
        ScanFormat::Json => print_json(&RulesDocument::new(chosen))?,
        ScanFormat::Text => {
            let rows: Vec<Vec<Cell>> = chosen.map(row).collect();
            table::write(out, &rows, width())?;
        }
        ScanFormat::Sarif | ScanFormat::Markdown | ScanFormat::Github => {
            return Err(CommandError::usage("--list-rules prints text or JSON"));
        }
    }
    Ok(out.flush()?)
}

/// A rule in a list: id, category, how bad and how sure, and what it finds.
pub(super) fn row(rule: &Rule) -> Vec<Cell> {
    let weight = format!("{}, {} confidence", rule.severity, rule.confidence);
    vec![
        Cell::new(&rule.id, BOLD),
        Cell::plain(rule.category().as_str()),
        Cell::new(&weight, DIM),
        Cell::plain(&rule.title),
    ]
}

/// What a report contains of what was found.
fn chosen(args: &ScanArgs, mut scanned: Vec<Scanned>) -> Vec<Scanned> {
    if args.rule.is_empty() && args.category.is_empty() {
        return scanned;
    }
    for bundle in &mut scanned {
        bundle.bundle.report.findings.retain(|finding| {
            (args.rule.is_empty() || args.rule.contains(&finding.rule))
                && (args.category.is_empty() || args.category.contains(&finding.category))
        });
    }
    scanned
}

fn bundles(scanned: &[Scanned]) -> impl Iterator<Item = &ScannedBundle> {
    scanned.iter().map(|scanned| &scanned.bundle)
}

fn is_failure(args: &ScanArgs, scanned: &Scanned) -> bool {
    let report = &scanned.bundle.report;
    let is_dangerous = report.verdict == Verdict::Dangerous;
    match args.failure() {
        FailOn::Never => false,
        FailOn::Dangerous => is_dangerous,
        FailOn::Caution => report.verdict != Verdict::Safe,
        FailOn::Severity(least) => {
            is_dangerous
                || report.findings.iter().any(|finding| {
                    finding.severity >= least && finding.confidence > Confidence::Low
                })
        }
    }
}

fn write_sarif(out: &mut Out, scanned: &[Scanned], rules: &RuleBook) -> Result<(), CommandError> {
    let located: Vec<Located<'_>> = scanned
        .iter()
        .map(|scanned| Located {
            directory: scanned.base.clone(),
            report: &scanned.bundle.report,
        })
        .collect();
    serde_json::to_writer_pretty(&mut *out, &sarif(&located, rules))?;
    Ok(writeln!(out)?)
}

/// The counts, and what is to be looked at; what is safe is listed on request.
fn write_markdown(
    out: &mut Out,
    args: &ScanArgs,
    mut scanned: Vec<Scanned>,
) -> Result<(), CommandError> {
    let summary = ScanSummary::of(bundles(&scanned));
    writeln!(
        out,
        "**{} scanned**: {} dangerous, {} to look at, {} safe\n",
        counted(summary.bundles, "bundle"),
        summary.dangerous,
        summary.caution,
        summary.safe
    )?;
    scanned.sort_by(report::worse_first);
    let reports: Vec<BundleReport> = scanned
        .into_iter()
        .map(|scanned| scanned.bundle.report)
        .filter(|report| args.output.verbose || report.verdict != Verdict::Safe)
        .collect();
    if !reports.is_empty() {
        write!(out, "{}", markdown(&reports))?;
    }
    Ok(())
}

fn annotate(out: &mut Out, scanned: &[Scanned], rules: &RuleBook) -> Result<(), CommandError> {
    for scanned in scanned {
        for finding in &scanned.bundle.report.findings {
            if finding.confidence == Confidence::Low {
                continue;
            }
            let title = rules.get(&finding.rule).map_or("", |rule| &*rule.title);
            let message = format!(
                "{title} ({}, {} confidence)\n{}\n{}",
                finding.severity, finding.confidence, finding.excerpt, finding.help
            );
            github::annotate(
                out,
                &Annotation {
                    level: report::level_of(finding.severity),
                    path: &scanned.file(&finding.path),
                    line: finding.line,
                    column: finding.column,
                    title: &finding.rule,
                    message: &message,
                },
            )?;
        }
        for gap in &scanned.bundle.report.gaps {
            github::annotate(
                out,
                &Annotation {
                    level: skillmd::Severity::Warning,
                    path: &scanned.file(&gap.path),
                    line: 1,
                    column: 1,
                    title: "not-read",
                    message: &format!("not read whole, so that it is not safe: {}", gap.detail),
                },
            )?;
        }
    }
    Ok(())
}

fn read_baseline(path: &Path) -> Result<Baseline, CommandError> {
    let failed = |reason: &dyn std::fmt::Display| {
        CommandError::usage(format_args!(
            "the baseline {} cannot be read: {reason}",
            path.display()
        ))
        .hint("`skillful scan --write-baseline FILE` makes one")
    };
    let size = std::fs::metadata(path).map_err(|error| failed(&error))?;
    if !size.is_file() || size.len() > limits::BASELINE_BYTES {
        let reason = format!("it is no file of at most {} bytes", limits::BASELINE_BYTES);
        return Err(failed(&reason));
    }
    let text = std::fs::read(path).map_err(|error| failed(&error))?;
    let baseline: Baseline = serde_json::from_slice(&text).map_err(|error| failed(&error))?;
    if baseline.version != 1 {
        return Err(failed(&format_args!(
            "it has version {}, which is not known",
            baseline.version
        )));
    }
    Ok(baseline)
}

fn write_baseline(out: &mut Out, path: &PathBuf, scanned: &[Scanned]) -> Result<(), CommandError> {
    let findings: usize = bundles(scanned)
        .map(|bundle| bundle.report.findings.len())
        .sum();
    let fingerprints: BTreeSet<String> = scanned
        .iter()
        .flat_map(|scanned| scanned.fingerprints.iter().cloned())
        .collect();
    let baseline = Baseline {
        version: 1,
        fingerprints,
    };
    let mut text = serde_json::to_vec_pretty(&baseline)?;
    text.push(b'\n');
    if std::fs::symlink_metadata(path).is_ok() {
        write::replace(path, &text)?;
    } else {
        write::create(path, &text)?;
    }
    let shown = printable(&path.to_string_lossy());
    let findings = counted(findings, "finding");
    writeln!(out, "{findings} written to {BOLD}{shown}{BOLD:#}")?;
    Ok(out.flush()?)
}
