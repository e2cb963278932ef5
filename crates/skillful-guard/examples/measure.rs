//! Measures the guard over a directory of skills:
//!
//! ```text
//! cargo run --release -p skillful-guard --example measure -- DIRECTORY [MANIFEST] [--only FILE] [--kind KIND] [--list]
//! ```
//!
//! Every directory below DIRECTORY that holds a SKILL.md is one skill. MANIFEST is a table with tabs and the columns
//! folder, label (malicious or benign), class and kind; without it every skill counts as benign. FILE names folders, one
//! a line, that alone are measured, and KIND the one kind of the manifest that is. `--list` names what each preset would call wrong, with the rules that did it.

#![expect(clippy::print_stdout, reason = "its report goes to standard output")]

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use skillful_guard::{
    Bundle, Confidence, Content, FileInput, Judged, Preset, RuleBook, Scan, Severity, Verdict, scan,
};

#[derive(Clone, Default)]
struct Label {
    malicious: bool,
    class: String,
    kind: String,
}

struct Row {
    folder: String,
    label: Label,
    scan: Scan,
    seconds: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut options: Vec<String> = std::env::args().skip(1).collect();
    let list = take_flag(&mut options, "--list");
    let only = take_value(&mut options, "--only")
        .map(fs::read_to_string)
        .transpose()?;
    let kind = take_value(&mut options, "--kind");
    let mut options = options.into_iter();
    let root = PathBuf::from(options.next().ok_or("which directory?")?);
    let labels = options
        .next()
        .map(|path| read_manifest(Path::new(&path)))
        .transpose()?;

    let started = Instant::now();
    let rules = RuleBook::built_in()?;
    println!(
        "{} rules, read in {:.1} ms",
        rules.rules().count(),
        started.elapsed().as_secs_f64() * 1e3
    );

    let mut folders = Vec::new();
    find_skills(&root, &mut folders)?;
    folders.sort();
    let mut rows = Vec::new();
    for folder in folders {
        let name = folder.strip_prefix(&root)?.to_string_lossy().into_owned();
        if only
            .as_ref()
            .is_some_and(|only| !only.lines().any(|line| line == name))
        {
            continue;
        }
        let label = labels
            .as_ref()
            .and_then(|labels| labels.get(&name))
            .cloned()
            .unwrap_or_default();
        if kind.as_ref().is_some_and(|kind| *kind != label.kind) {
            continue;
        }
        let bundle = read_bundle(&folder)?;
        let (started, spent) = (Instant::now(), processor_seconds());
        let scan = scan(&bundle, rules);
        let seconds = match (spent, processor_seconds()) {
            (Some(before), Some(after)) => after - before,
            _ => started.elapsed().as_secs_f64(),
        };
        rows.push(Row {
            folder: name,
            label,
            scan,
            seconds,
        });
    }
    times(&rows);
    for &preset in Preset::ALL {
        presets(&rows, preset);
    }
    by_class(&rows);
    by_rule(&rows);
    if list {
        wrong(&rows);
    }
    Ok(())
}

/// What all threads of this process took of the processors, where the system tells: other work on the machine then
/// does not count.
fn processor_seconds() -> Option<f64> {
    let mut seconds = 0.0;
    for thread in fs::read_dir("/proc/self/task").ok()? {
        let stat = fs::read_to_string(thread.ok()?.path().join("schedstat")).ok()?;
        let nanoseconds = stat.split_whitespace().next()?.parse().ok()?;
        seconds += Duration::from_nanos(nanoseconds).as_secs_f64();
    }
    Some(seconds)
}

fn take_flag(options: &mut Vec<String>, flag: &str) -> bool {
    let before = options.len();
    options.retain(|option| option != flag);
    options.len() < before
}

fn take_value(options: &mut Vec<String>, name: &str) -> Option<String> {
    let at = options.iter().position(|option| option == name)?;
    let value = options.get(at + 1).cloned();
    options.drain(at..(at + 2).min(options.len()));
    value
}

fn read_manifest(path: &Path) -> Result<BTreeMap<String, Label>, Box<dyn Error>> {
    let text = fs::read_to_string(path)?;
    let rows = text.lines().skip(1).filter_map(|line| {
        let mut cells = line.split('\t');
        let folder = cells.next()?.to_owned();
        let malicious = cells.next()? == "malicious";
        let class = cells.next()?.to_owned();
        let kind = cells.next().unwrap_or_default().to_owned();
        Some((
            folder,
            Label {
                malicious,
                class,
                kind,
            },
        ))
    });
    Ok(rows.collect())
}

fn find_skills(directory: &Path, found: &mut Vec<PathBuf>) -> Result<(), Box<dyn Error>> {
    let entries: Vec<PathBuf> = fs::read_dir(directory)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    let is_skill = |path: &PathBuf| {
        path.file_name()
            .is_some_and(|name| name.eq_ignore_ascii_case("SKILL.md"))
    };
    if entries.iter().any(is_skill) {
        found.push(directory.to_owned());
        return Ok(());
    }
    for entry in entries {
        if entry.is_dir() && !entry.is_symlink() {
            find_skills(&entry, found)?;
        }
    }
    Ok(())
}

fn read_bundle(folder: &Path) -> Result<Bundle, Box<dyn Error>> {
    let mut files = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(&directory)? {
            let path = entry?.path();
            let name = path
                .strip_prefix(folder)?
                .to_string_lossy()
                .replace('\\', "/");
            let content = if path.is_symlink() {
                Content::Link {
                    target: fs::read_link(&path)?.to_string_lossy().into_owned(),
                }
            } else if path.is_dir() {
                open.push(path);
                continue;
            } else {
                match fs::read(&path) {
                    Ok(bytes) => Content::Bytes(bytes),
                    Err(error) => Content::Unreadable(error.to_string()),
                }
            };
            files.push(FileInput {
                path: name,
                content,
                executable: false,
            });
        }
    }
    Ok(Bundle::new(files))
}

fn judged(row: &Row, preset: Preset) -> Judged {
    preset.policy().judge(&row.scan, "")
}

fn times(rows: &[Row]) {
    let mut seconds: Vec<f64> = rows.iter().map(|row| row.seconds * 1e3).collect();
    seconds.sort_by(f64::total_cmp);
    let at = |share: usize| {
        seconds
            .get((seconds.len() * share / 100).min(seconds.len().saturating_sub(1)))
            .copied()
            .unwrap_or(0.0)
    };
    let sum: f64 = seconds.iter().sum();
    let count = u32::try_from(rows.len().max(1)).unwrap_or(u32::MAX);
    println!(
        "{} skills, mean {:.2} ms, median {:.2}, p95 {:.2}, p99 {:.2}, most {:.2}",
        rows.len(),
        sum / f64::from(count),
        at(50),
        at(95),
        at(99),
        at(100)
    );
    let mut slow: Vec<&Row> = rows.iter().collect();
    slow.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    for row in slow.iter().take(3) {
        println!(
            "  slow: {:.1} ms, {} bytes: {}",
            row.seconds * 1e3,
            row.scan.coverage.bytes,
            row.folder
        );
    }
}

fn presets(rows: &[Row], preset: Preset) {
    for malicious in [true, false] {
        let chosen: Vec<Verdict> = rows
            .iter()
            .filter(|row| row.label.malicious == malicious)
            .map(|row| judged(row, preset).verdict)
            .collect();
        let dangerous = chosen
            .iter()
            .filter(|verdict| **verdict == Verdict::Dangerous)
            .count();
        let caution = chosen
            .iter()
            .filter(|verdict| **verdict == Verdict::Caution)
            .count();
        let name = if malicious { "malicious" } else { "benign" };
        println!(
            "{preset:<11} {name:<9} {:>5}: dangerous {dangerous} ({}), caution or worse {} ({})",
            chosen.len(),
            percent(dangerous, chosen.len()),
            dangerous + caution,
            percent(dangerous + caution, chosen.len())
        );
    }
}

fn percent(part: usize, whole: usize) -> String {
    let tenths = (part * 1000).checked_div(whole).unwrap_or(0);
    format!("{}.{} %", tenths / 10, tenths % 10)
}

fn by_class(rows: &[Row]) {
    let mut groups: BTreeMap<(&str, &str), [usize; 3]> = BTreeMap::new();
    for row in rows {
        let verdict = judged(row, Preset::Balanced).verdict;
        let class = row.label.class.split('/').next().unwrap_or_default();
        for group in [("kind", row.label.kind.as_str()), ("class", class)] {
            groups.entry(group).or_default()[verdict as usize] += 1;
        }
    }
    println!("\nby class and kind, balanced: safe, caution, dangerous");
    for ((column, value), cells) in groups {
        println!("  {column:<6} {value:<28} {cells:?}");
    }
}

fn by_rule(rows: &[Row]) {
    let mut rules: BTreeMap<&str, [usize; 4]> = BTreeMap::new();
    for row in rows {
        let mut seen: BTreeMap<&str, Confidence> = BTreeMap::new();
        for finding in &row.scan.findings {
            let best = seen.entry(finding.rule).or_insert(finding.confidence);
            *best = (*best).max(finding.confidence);
        }
        for (rule, confidence) in seen {
            let cells = rules.entry(rule).or_default();
            let column =
                usize::from(!row.label.malicious) * 2 + usize::from(confidence == Confidence::Low);
            cells[column] += 1;
        }
    }
    println!("\nby rule: malicious (of low confidence), benign (of low confidence)");
    for (rule, [bad, bad_low, good, good_low]) in rules {
        println!("  {rule:<34} {bad:>5} ({bad_low:>3}) {good:>5} ({good_low:>3})");
    }
}

fn wrong(rows: &[Row]) {
    println!("\nwrong in balanced:");
    for row in rows {
        let judged = judged(row, Preset::Balanced);
        let right = (judged.verdict == Verdict::Dangerous) == row.label.malicious
            && (row.label.malicious || judged.verdict == Verdict::Safe);
        if right {
            continue;
        }
        println!(
            "{} {} [{} {}]",
            judged.verdict, row.folder, row.label.kind, row.label.class
        );
        for gap in &row.scan.coverage.gaps {
            println!("    gap {} {}: {}", gap.kind, gap.path, gap.detail);
        }
        let telling = |finding: &&skillful_guard::Finding| {
            finding.severity >= Severity::Medium
                && (row.label.malicious || finding.confidence > Confidence::Low)
        };
        for finding in judged.findings.iter().filter(telling).take(8) {
            println!(
                "    {} {}/{} {}:{} {} | {} {:?}",
                finding.rule,
                finding.severity,
                finding.confidence,
                finding.path,
                finding.line,
                finding.excerpt,
                finding.note.as_deref().unwrap_or(""),
                finding.lowered
            );
        }
    }
}
