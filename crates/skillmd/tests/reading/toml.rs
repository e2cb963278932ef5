//! Faulty TOML: one fault costs one value.

use skillmd::edit::apply_fixes;

use crate::check;

#[test]
fn toml_faults_cost_one_value() {
    check(
        "+++\nname = \"a\"\nversion = 1.0.0\ntriggers = [\"command:x\"]\n[requires]\ntools = [\"t\"]\n+++\n",
        "name=a; version=1.0.0; triggers=[command:x]; requires={tools=[t]}",
        &["toml-invalid@3:14"],
    );
}

#[test]
fn a_line_that_is_not_toml_leaves_the_value_above_it_alone() {
    let document = check(
        "+++\nname = \"a\"\ndescription: \"b\"\nversion = \"1\"\n+++\n",
        "name=a; description=b; version=1",
        &["toml-invalid@3:12"],
    );
    let mended = apply_fixes(document.text(), document.diagnostics());
    assert_eq!(
        mended.text,
        "+++\nname = \"a\"\ndescription = \"b\"\nversion = \"1\"\n+++\n"
    );
    check(
        "+++\nname = \"a\"\nprose\n# remark\ndescription = \"b\"\n+++\n",
        "name=a; description=b",
        &["toml-invalid@3:6"],
    );
    check(
        "+++\nname = a\nlicense: \"MIT\"\ndescription = \"\"\"\nb: c\nd\"\"\"\n+++\n",
        "name=a; license=MIT; description=b: c\nd",
        &["toml-invalid@2:8", "toml-invalid@3:8"],
    );
}
