// Editing a SKILL.md in place: what is wrong shows while one types, and nobody's change is overwritten unseen.
import { html, useEffect, useRef, useState } from "../../vendor/preact.js";
import { at, call, get } from "../api.js";
import { useDocument, useSettled, useTitle, useWork } from "../hooks.js";
import { touch } from "../live.js";
import { Button, Icon, LinkButton, Loaded, Notice, PageHead, Trouble, say } from "../parts.js";
import { skillAt } from "../route.js";
import { count, seen } from "../words.js";
import { Conflict } from "./conflict.js";
import { Diagnostic } from "./problems.js";
import { TextField } from "./text-field.js";

/** The answer to the latest text; answers to older ones are dropped. */
function useCheck(id, text) {
  const settled = useSettled(text, 250);
  const [state, set] = useState({ checked: null, text: null, error: null });
  useEffect(() => {
    const controller = new AbortController();
    call("POST", "/check", { text: settled, name: id }, controller.signal).then(
      (checked) => set({ checked, text: settled, error: null }),
      (error) => error.name !== "AbortError" && set({ checked: null, text: settled, error }),
    );
    return () => controller.abort();
  }, [id, settled]);
  return { ...state, isCurrent: state.text === text };
}

/** What was found in a text: the same for a check of a file and of a text. */
function found(checked) {
  const diagnostics = (checked?.skills ?? []).flatMap((skill) => skill.diagnostics);
  const findings = checked?.scan?.findings ?? [];
  return { diagnostics, findings };
}

function Found({ check, jump }) {
  const { diagnostics, findings } = found(check.checked);
  const errors = diagnostics.filter((it) => it.severity === "error").length;
  const words = !check.checked ? "Checking…" : diagnostics.length + findings.length === 0 ? "Nothing is wrong." : [errors && count(errors, "error"), diagnostics.length - errors && count(diagnostics.length - errors, "remark"), findings.length && count(findings.length, "finding")].filter(Boolean).join(", ");
  return html`<section class=${`panel found ${check.isCurrent ? "" : "stale"}`} aria-label="What is wrong">
    <p role="status" class="found-words"><${Icon} name=${errors ? "error" : "ready"} />${words}</p>
    <${Trouble} error=${check.error} />
    <ul class="diagnostics">${diagnostics.map((it, index) => html`<${Diagnostic} key=${`${it.code}-${it.line}-${index}`} it=${it} onPlace=${jump} />`)}</ul>
    ${findings.length > 0 && html`<ul class="diagnostics">${findings.map((it) => html`<li class="diagnostic"><p><span class="mono">${seen(it.rule)}</span> <button type="button" class="link" onClick=${() => jump(it.line, it.column)}>line ${it.line}</button></p><pre class="excerpt" tabindex="0"><bdi>${seen(it.excerpt)}</bdi></pre></li>`)}</ul>`}
  </section>`;
}

function Form({ id, source, line, setUnsaved }) {
  const [base, setBase] = useState(source);
  const [text, setText] = useState(source.text);
  const [conflict, setConflict] = useState(null);
  const field = useRef(null);
  const work = useWork();
  const check = useCheck(id, text);
  const isDirty = text !== base.text;
  const isOld = source.sha256 !== base.sha256;
  useEffect(() => setUnsaved(isDirty), [isDirty]);
  useEffect(() => () => setUnsaved(false), []);
  // Nothing was typed: the newer text can take its place. Else it waits until it is asked for.
  useEffect(() => {
    if (!isOld || isDirty) return;
    setBase(source);
    setText(source.text);
  }, [source.sha256]);
  useEffect(() => {
    if (line > 1) field.current.jump(line, 1);
  }, []);
  const see = async () => setConflict(await get(at(["skills", id, "source"])));
  const save = (over = base) =>
    work.run(async () => {
      try {
        const done = await call("PUT", at(["skills", id, "source"]), { text, expect_digest: over.digest });
        const now = await get(at(["skills", id, "source"])).catch(() => ({ ...over, text }));
        setBase({ ...now, text });
        setConflict(null);
        say(done?.seq ? `Saved as change #${done.seq}.` : "Nothing had to be changed.");
        touch();
      } catch (error) {
        if (error.status !== 409) throw error;
        await see();
      }
    });
  const keys = (event) => {
    if (event.key.toLowerCase() !== "s" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    if (isDirty && !work.isBusy) save();
  };
  const takeTheirs = () => {
    setBase(conflict);
    setText(conflict.text);
    setConflict(null);
  };
  const takeMine = () => {
    setBase(conflict);
    save(conflict);
  };
  return html`<div onKeyDown=${keys}>
    <div class="toolbar">
      <${Button} kind="main" busy=${work.isBusy} disabled=${!isDirty || !base.editable} onClick=${() => save()} aria-keyshortcuts="Control+S">Save<//>
      <${Button} disabled=${!isDirty} onClick=${() => setText(base.text)}>Discard<//>
      <span class="sub" role="status">${isDirty ? "Not saved" : "Saved"}</span>
      <span class="sub keys"><kbd>Ctrl</kbd> <kbd>S</kbd> saves, <kbd>Esc</kbd> then <kbd>Tab</kbd> leaves the text</span>
    </div>
    ${!base.editable && html`<${Notice} tone="warn" title="It cannot be changed here."><p>${seen(base.reason)}</p><//>`}
    ${isOld && isDirty && html`<${Notice} tone="warn" role="alert" title="The file was changed by somebody else while you were editing."><p>Your text is untouched. <${Button} kind="small" onClick=${see}>Compare<//></p><//>`}
    <${Trouble} error=${work.error} />
    <div class="editor">
      <${TextField} api=${field} value=${text} change=${setText} readOnly=${!base.editable} marks=${found(check.checked).diagnostics} />
      <${Found} check=${check} jump=${(at_, column) => field.current.jump(at_, column)} />
    </div>
    ${conflict && html`<${Conflict} mine=${text} theirs=${conflict.text} close=${() => setConflict(null)} takeMine=${takeMine} takeTheirs=${takeTheirs} isBusy=${work.isBusy} />`}
  </div>`;
}

export function Editor({ id, route, setUnsaved }) {
  useTitle(`Edit ${seen(id)}`);
  const source = useDocument(at(["skills", id, "source"]));
  const line = Number.parseInt(route.query.get("line") ?? "1", 10);
  return html`<p class="crumb"><a href=${skillAt(id)}><${Icon} name="back" /><bdi class="mono">${seen(id)}</bdi></a></p>
    <${PageHead} title=${html`Edit <span class="mono">${seen(id)}</span>`} sub=${source.data && html`<bdi class="mono">${seen(source.data.path)}</bdi>`}>
      <${LinkButton} href=${skillAt(id)}>Close<//><//>
    <${Loaded} from=${source} lines=${12}>${(it) => html`<${Form} id=${id} source=${it} line=${line} setUnsaved=${setUnsaved} />`}<//>`;
}
