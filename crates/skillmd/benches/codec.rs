//! What the codec costs on frontmatters of typical shapes. Run with `cargo bench -p skillmd`.

use divan::{Bencher, black_box};
use skillmd::validate::{Context, validate};
use skillmd::{Document, Encoding, Manifest, Reporter, format, lint, parse_text};

/// The shapes that a library is made of, from the plainest to one that needs the YAML library and recovery.
const SHAPES: [(&str, &str); 5] = [
    (
        "plain",
        "name: pdf-forms\ndescription: Fills PDF forms. Use when a form is to be filled in.\nlicense: MIT\n",
    ),
    (
        "folded",
        "name: pdf-forms\ndescription: >\n  Fills PDF forms.\n  Use when a form is given.\nmetadata:\n  author: someone\n  version: \"1.2\"\n",
    ),
    (
        "flow",
        "name: pdf-forms\ndescription: \"Fills forms: all of them\"\nmetadata: {\"openclaw\":{\"emoji\":\"x\",\"requires\":{\"bins\":[\"pdftk\"]}}}\n",
    ),
    (
        "dialects",
        "name: pdf-forms\ndescription: Fills PDF forms.\nversion: 1.0\nwhen_to_use: A form is given\nallowed-tools: Bash(pdftk:*), Read\nplatforms: [macos, linux]\ntags:\n  - pdf\n  - forms\n",
    ),
    (
        "faulty",
        "name: pdf-forms\ndescription: Use when: a form is given\nhomepage: @me\ntags: [a] b\nlicense: MIT\n",
    ),
];

fn main() {
    divan::main();
}

fn text(shape: &str) -> String {
    let block = SHAPES
        .iter()
        .find(|(name, _)| *name == shape)
        .map_or("", |(_, block)| block);
    let body = "## Step\n\nDo this, then that, and look at `scripts/run.py`.\n\n".repeat(100);
    format!("---\n{block}---\n\n# PDF forms\n\n{body}")
}

fn document(shape: &str) -> Document {
    parse_text(text(shape), Encoding::Utf8)
}

fn shapes() -> impl Iterator<Item = &'static str> {
    SHAPES.iter().map(|(name, _)| *name)
}

#[divan::bench(args = shapes())]
fn parse(bencher: Bencher<'_, '_>, shape: &str) {
    let text = text(shape);
    bencher
        .with_inputs(|| text.clone())
        .bench_values(|text| parse_text(text, Encoding::Utf8));
}

#[divan::bench(args = shapes())]
fn manifest(bencher: Bencher<'_, '_>, shape: &str) {
    let document = document(shape);
    bencher.bench(|| Manifest::read(black_box(&document), &mut Reporter::new(document.text())));
}

#[divan::bench(args = shapes())]
fn canonical_form(bencher: Bencher<'_, '_>, shape: &str) {
    let document = document(shape);
    bencher.bench(|| format::format(black_box(&document)));
}

#[divan::bench(args = shapes())]
fn checks(bencher: Bencher<'_, '_>, shape: &str) {
    let document = document(shape);
    let manifest = Manifest::read(&document, &mut Reporter::new(document.text()));
    let context = Context::default();
    bencher.bench(|| {
        let validation = validate(black_box(&document), &manifest, &context);
        (validation, lint::lint(&document, &manifest, None))
    });
}
