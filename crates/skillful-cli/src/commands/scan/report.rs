//! What a scan comes to, for people: the worst first, in about a screen, and everything on request.

use std::cmp::{Ordering, Reverse};
use std::collections::HashMap;
use std::io::{self, Write};
use std::path::Path;

use anstyle::Style;
use skillful::contract::ScanSummary;
use skillful::scanner::report::FindingReport;
use skillful::scanner::{Confidence, RuleBook, Severity, Verdict};

use super::source::Scanned;
use super::{Job, bundles};
use crate::input::World;
use crate::render::finding::{Drawing, FindingRenderer};
use crate::terminal::{BOLD, DIM, ERROR, GOOD, Out, WARNING, counted, printable};

/// Most findings of a bundle that are shown; the rest are counted.
const FINDINGS: usize = 3;
/// Most bundles that are shown with their findings; of further ones a line each.
const BUNDLES: usize = 5;
/// Most bundles that are named at all.
const NAMED: usize = 20;
/// Most gaps of a bundle that are named.
const GAPS: usize = 2;

/// Writes the report.
pub(super) struct Report<'w> {
    world: &'w World,
    rules: &'static RuleBook,
    renderer: FindingRenderer,
    verbose: bool,
}

impl<'w> Report<'w> {
    pub(super) fn new(job: &Job<'w>, styled: bool) -> Self {
        Self {
            world: job.world,
            rules: job.rules,
            renderer: FindingRenderer::new(styled),
            verbose: job.args.output.verbose,
        }
    }

    pub(super) fn write(&self, out: &mut Out, scanned: &[Scanned]) -> io::Result<()> {
        let mut listed: Vec<&Scanned> = scanned
            .iter()
            .filter(|bundle| self.verbose || bundle.bundle.report.verdict != Verdict::Safe)
            .collect();
        listed.sort_by(|a, b| worse_first(a, b));
        let (shown, named) = if self.verbose {
            (listed.len(), listed.len())
        } else {
            (BUNDLES, NAMED)
        };
        let in_full = listed.iter().take(shown);
        in_full
            .clone()
            .try_for_each(|bundle| self.bundle(out, bundle))?;
        let rest: Vec<_> = listed.iter().skip(shown).take(named - shown).collect();
        for bundle in &rest {
            self.headline(out, bundle)?;
        }
        if listed.len() > named {
            writeln!(
                out,
                "{DIM}and {} more; --verbose shows them{DIM:#}",
                listed.len() - named
            )?;
        }
        if !rest.is_empty() {
            writeln!(out)?;
        }
        write_summary(out, &ScanSummary::of(bundles(scanned)))
    }

    /// A bundle with what was found in it.
    fn bundle(&self, out: &mut Out, scanned: &Scanned) -> io::Result<()> {
        self.headline(out, scanned)?;
        if let Some(accepted) = scanned.accepted.as_ref().filter(|_| self.verbose) {
            writeln!(out, "accepted {}", printable(accepted))?;
        }
        writeln!(out)?;
        let order = self.order(&scanned.bundle.report.findings);
        let limit = if self.verbose { order.len() } else { FINDINGS };
        for &index in order.iter().take(limit) {
            let finding = &scanned.bundle.report.findings[index];
            let place = scanned.places.get(index).and_then(Option::as_ref);
            let drawing = Drawing {
                path: &printable(&scanned.file(&finding.path)),
                rule: self.rules.get(&finding.rule),
                finding,
                place,
                note: None,
            };
            writeln!(out, "{}\n", self.renderer.render(&drawing))?;
        }
        more(out, order.len().saturating_sub(limit))?;
        self.suppressed(out, scanned)?;
        self.gaps(out, scanned)
    }

    fn suppressed(&self, out: &mut Out, scanned: &Scanned) -> io::Result<()> {
        if !self.verbose {
            return Ok(());
        }
        for suppressed in &scanned.bundle.report.suppressed {
            let drawing = Drawing {
                path: &printable(&scanned.file(&suppressed.finding.path)),
                rule: self.rules.get(&suppressed.finding.rule),
                finding: &suppressed.finding,
                place: None,
                note: Some(&format!("accepted: {}", printable(&suppressed.reason))),
            };
            writeln!(out, "{}\n", self.renderer.render(&drawing))?;
        }
        Ok(())
    }

    fn gaps(&self, out: &mut Out, scanned: &Scanned) -> io::Result<()> {
        let gaps = &scanned.bundle.report.gaps;
        let limit = if self.verbose { gaps.len() } else { GAPS };
        for gap in gaps.iter().take(limit) {
            let path = printable(&scanned.file(&gap.path));
            let detail = printable(&gap.detail);
            writeln!(out, "{WARNING}not read{WARNING:#}: {path}: {detail}")?;
        }
        more(out, gaps.len().saturating_sub(limit))?;
        if !gaps.is_empty() && gaps.len() <= limit {
            writeln!(out)?;
        }
        Ok(())
    }

    /// `dangerous  skills/pdf-forms: 3 findings, not read whole`.
    fn headline(&self, out: &mut Out, scanned: &Scanned) -> io::Result<()> {
        let report = &scanned.bundle.report;
        let style = verdict_style(report.verdict);
        let (counting, explained): (Vec<_>, Vec<_>) =
            report.findings.iter().partition(|finding| counts(finding));
        let mut parts = vec![counted(counting.len(), "finding")];
        let mut add = |count: usize, what: &str| {
            if count > 0 {
                parts.push(format!("{count} {what}"));
            }
        };
        add(explained.len(), "of little weight");
        add(report.suppressed.len(), "accepted");

        add(scanned.bundle.known, "known");
        if scanned.bundle.accepted.is_some() {
            parts.push("accepted by its digest".to_owned());
        }
        if !report.complete {
            parts.push("not read whole".to_owned());
        }
        writeln!(
            out,
            "{style}{:<9}{style:#}  {BOLD}{}{BOLD:#}: {}",
            report.verdict,
            printable(&self.world.shown(Path::new(&report.path))),
            parts.join(", ")
        )
    }

    /// The findings that are shown, as indexes: the first of each rule before its others, the worst first.
    fn order(&self, findings: &[FindingReport]) -> Vec<usize> {
        let mut met: HashMap<&str, usize> = HashMap::new();
        let mut order: Vec<(usize, usize)> = Vec::new();
        for (index, finding) in findings.iter().enumerate() {
            if self.verbose || counts(finding) {
                let nth = met.entry(&finding.rule).or_default();
                order.push((*nth, index));
                *nth += 1;
            }
        }
        order.sort_by_key(|&(nth, index)| {
            let finding = &findings[index];
            (nth, Reverse((finding.severity, finding.confidence)), index)
        });
        order.into_iter().map(|(_, index)| index).collect()
    }
}

fn more(out: &mut Out, count: usize) -> io::Result<()> {
    if count > 0 {
        writeln!(out, "{DIM}and {count} more; --verbose shows them{DIM:#}\n")?;
    }
    Ok(())
}

fn write_summary(out: &mut Out, summary: &ScanSummary) -> io::Result<()> {
    if summary.bundles == 0 {
        return writeln!(out, "{WARNING}no skill was found{WARNING:#}");
    }
    let scanned = counted(summary.bundles, "bundle");
    if summary.dangerous + summary.caution == 0 {
        writeln!(
            out,
            "{GOOD}{scanned} scanned, nothing to worry about{GOOD:#}"
        )?;
    } else {
        let part = |count: usize, word: &str, style: Style| {
            let style = if count == 0 { Style::new() } else { style };
            format!("{style}{count} {word}{style:#}")
        };
        writeln!(
            out,
            "{BOLD}{scanned} scanned{BOLD:#}: {}, {}, {}",
            part(summary.dangerous, "dangerous", ERROR),
            part(summary.caution, "to look at", WARNING),
            part(summary.safe, "safe", GOOD),
        )?;
        writeln!(
            out,
            "{DIM}`skillful explain RULE` explains a finding; --verbose shows what counts for less as well{DIM:#}"
        )?;
    }
    if summary.known > 0 {
        let known = counted(summary.known, "finding");
        writeln!(out, "{DIM}{known} known from the baseline{DIM:#}")?;
    }
    Ok(())
}

/// Whether a finding is worth a look without being asked for.
fn counts(finding: &FindingReport) -> bool {
    finding.severity >= Severity::Medium && finding.confidence > Confidence::Low
}

/// Dangerous before caution, more and worse findings before fewer, then by path.
pub(super) fn worse_first(a: &Scanned, b: &Scanned) -> Ordering {
    let weight = |scanned: &Scanned| {
        let report = &scanned.bundle.report;
        let counting = report.findings.iter().filter(|finding| counts(finding));
        let worst = counting
            .clone()
            .map(|finding| (finding.severity, finding.confidence))
            .max();
        (report.verdict, worst, counting.count())
    };
    let path = |scanned: &Scanned| scanned.bundle.report.path.clone();
    (weight(b).cmp(&weight(a))).then_with(|| path(a).cmp(&path(b)))
}

/// How loud a finding is.
pub(super) fn level_of(severity: Severity) -> skillmd::Severity {
    match severity {
        Severity::Critical | Severity::High => skillmd::Severity::Error,
        Severity::Medium => skillmd::Severity::Warning,
        Severity::Low | Severity::Info => skillmd::Severity::Info,
    }
}

fn verdict_style(verdict: Verdict) -> Style {
    match verdict {
        Verdict::Dangerous => ERROR,
        Verdict::Caution => WARNING,
        Verdict::Safe => GOOD,
    }
}

#[cfg(test)]
mod tests {
    use skillmd::Severity::{Error, Info, Warning};

    use super::*;

    #[test]
    fn only_what_does_harm_is_an_error() {
        let levels: Vec<_> = Severity::ALL.iter().map(|&it| level_of(it)).collect();
        assert_eq!(levels, [Info, Info, Warning, Error, Error]);
    }
}
