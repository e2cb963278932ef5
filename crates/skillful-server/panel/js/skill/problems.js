// What is wrong with a skill, where, and what mends it.
import { html, useState } from "../../vendor/preact.js";
import { at, call } from "../api.js";
import { useDocument, useWork } from "../hooks.js";
import { touch } from "../live.js";
import { Button, Empty, LinkButton, Loaded, Severity, Told, Trouble, say } from "../parts.js";
import { Rendered } from "../rendered.js";
import { skillAt } from "../route.js";
import { fileName, seen } from "../words.js";

function Explanation({ code }) {
  const page = useDocument(at(["explain", code]), { live: false });
  return html`<${Loaded} from=${page} lines=${3}>${(it) =>
    it.html ? html`<${Rendered} text=${it.html} />` : html`<p class="explained">${seen(it.explanation ?? it.summary ?? it.help ?? "")}</p>`}<//>`;
}

/** A diagnostic with its place. */
export function Diagnostic({ it, id, onPlace }) {
  const [isOpen, setOpen] = useState(false);
  const place = `line ${it.line}, column ${it.column}`;
  return html`<li class="diagnostic">
    <div class="diagnostic-head"><${Severity} severity=${it.severity} />
      <span class="row-main"><span><${Told} text=${it.message} /></span>
        <span class="row-reason">${onPlace ? html`<button type="button" class="link" onClick=${() => onPlace(it.line, it.column)}>${place}</button>` : html`<a href=${skillAt(id, "edit", { line: it.line })}><bdi class="mono">${seen(fileName(it.path))}</bdi>, ${place}</a>`}
          ${" "}· <button type="button" class="link mono" aria-expanded=${isOpen} onClick=${() => setOpen(!isOpen)}>${seen(it.code)}</button></span></span></div>
    ${it.help && html`<p class="diagnostic-help"><${Told} text=${it.help} /></p>`}
    ${it.fix && html`<p class="diagnostic-help">Can be mended: ${seen(it.fix.title)}</p>`}
    ${isOpen && html`<div class="diagnostic-page"><${Explanation} code=${it.code} /></div>`}
  </li>`;
}

export function Problems({ id, skill, reload }) {
  const work = useWork();
  const { diagnostics } = skill;
  const fixable = diagnostics.filter((it) => it.fix).length;
  const fix = () =>
    work.run(async () => {
      const done = await call("POST", at(["skills", id, "fix"]));
      say(done?.seq ? `Mended as change #${done.seq}.` : "Mended what could be.");
      touch();
      reload();
    });
  if (diagnostics.length === 0) return html`<${Empty} icon="ready" title="Nothing is wrong with it." />`;
  return html`<div class="toolbar">
      ${fixable > 0 && html`<${Button} kind="main" icon="fix" busy=${work.isBusy} onClick=${fix}>${fixable === 1 ? "Apply fix" : `Apply ${fixable} fixes`}<//>`}
      <${LinkButton} icon="edit" href=${skillAt(id, "edit")}>Open the editor<//></div>
    <${Trouble} error=${work.error} />
    <ul class="diagnostics panel">${diagnostics.map((it, index) => html`<${Diagnostic} key=${`${it.code}-${it.line}-${index}`} it=${it} id=${id} />`)}</ul>`;
}
