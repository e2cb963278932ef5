// What the guard found, and accepting it in full knowledge.
import { html, useState } from "../../vendor/preact.js";
import { at, call } from "../api.js";
import { useDocument, useWork } from "../hooks.js";
import { touch } from "../live.js";
import { Button, Dialog, Empty, Loaded, Notice, Severity, Told, Trouble, Verdict, say } from "../parts.js";
import { skillAt } from "../route.js";
import { VERDICTS, count, seen, size } from "../words.js";

function Finding({ it, id }) {
  return html`<li class="finding">
    <div class="diagnostic-head"><${Severity} severity=${it.severity} />
      <span class="row-main"><span class="mono">${seen(it.rule)}</span>
        <span class="row-reason"><a href=${skillAt(id, "files", { path: it.path })}><bdi class="mono">${seen(it.path)}</bdi>:${it.line}</a> · ${seen(it.category)} · ${seen(it.confidence)} confidence</span></span></div>
    <pre class="excerpt" tabindex="0"><bdi>${seen(it.excerpt)}</bdi></pre>
    ${(it.note ?? it.detail) && html`<p class="diagnostic-help"><${Told} text=${it.note ?? it.detail} /></p>`}
    ${it.help && html`<p class="diagnostic-help"><${Told} text=${it.help} /></p>`}
  </li>`;
}

function Accepting({ id, bundle, close }) {
  const [reason, setReason] = useState("");
  const [isSure, setSure] = useState(false);
  const work = useWork();
  const accept = (event) => {
    event.preventDefault();
    work.run(async () => {
      await call("POST", at(["skills", id, "accept"]), { digest: bundle.digest, reason });
      say(`The files of ${id} are accepted.`);
      touch();
      close();
    });
  };
  return html`<${Dialog} title="Accept what was found?" tone="bad" onClose=${close}>
    <form onSubmit=${accept}>
      <${Notice} tone="bad" title=${`The guard says: ${VERDICTS[bundle.verdict].label.toLowerCase()}`}>
        <p>Accepting hands these files to agents, which may do what they say with your rights: read your files, run programs, send data away.</p><//>
      <p>It holds for exactly these files, and ends when one of them changes:</p>
      <p class="digest mono">${seen(bundle.digest)}</p>
      <label for="reason">Why are they fine?</label>
      <input id="reason" required value=${reason} onInput=${(event) => setReason(event.currentTarget.value)} autocomplete="off" />
      <label class="tick"><input type="checkbox" checked=${isSure} onChange=${(event) => setSure(event.currentTarget.checked)} /> <span>I have read the ${count(bundle.findings.length, "finding")} and the files.</span></label>
      <${Trouble} error=${work.error} />
      <div class="dialog-actions"><${Button} onClick=${close}>Do not accept<//>
        <${Button} type="submit" kind="bad" disabled=${!isSure || !reason.trim()} busy=${work.isBusy}>Accept these files<//></div>
    </form>
  <//>`;
}

function Bundle({ id, bundle }) {
  const [isOpen, setOpen] = useState(false);
  return html`<div class="toolbar"><${Verdict} verdict=${bundle.verdict} />
      <span class="sub">${count(bundle.files, "file")}, ${size(bundle.bytes)} were looked at${bundle.complete ? "" : ", not all of them whole"}.</span>
      ${bundle.verdict !== "safe" && bundle.digest && html`<${Button} kind="small" onClick=${() => setOpen(true)}>Accept…<//>`}</div>
    ${bundle.findings.length === 0
      ? html`<${Empty} icon="safe" title="Nothing was found." />`
      : html`<ul class="panel findings">${bundle.findings.map((it, index) => html`<${Finding} key=${index} it=${it} id=${id} />`)}</ul>`}
    ${bundle.gaps?.length > 0 && html`<${Notice} tone="warn" title="Not read"><ul>${bundle.gaps.map((gap) => html`<li><bdi class="mono">${seen(gap.path)}</bdi> ${seen(gap.reason ?? gap.why ?? "")}</li>`)}</ul><//>`}
    ${bundle.suppressed?.length > 0 && html`<p class="sub">${count(bundle.suppressed.length, "finding")} ${bundle.suppressed.length === 1 ? "was" : "were"} accepted by a person.</p>`}
    ${isOpen && html`<${Accepting} id=${id} bundle=${bundle} close=${() => setOpen(false)} />`}`;
}

export function Safety({ id }) {
  const scan = useDocument(at(["skills", id, "findings"]));
  return html`<${Loaded} from=${scan}>${({ bundles }) => bundles.map((bundle) => html`<${Bundle} key=${bundle.path} id=${id} bundle=${bundle} />`)}<//>`;
}
