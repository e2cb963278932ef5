// Changes of skills: a list of them, each with its diff and its undo.
import { html, useState } from "../vendor/preact.js";
import { at, call } from "./api.js";
import { useDocument, useWork } from "./hooks.js";
import { touch } from "./live.js";
import { Button, Diff, Empty, Icon, Loaded, Trouble, say } from "./parts.js";
import { skillAt } from "./route.js";
import { moment, seen, sentence } from "./words.js";

const CONTENT = {
  binary: "It is no text.",
  "too-long": "It is too long to be compared here.",
  "not-kept": "What was there before is not kept any more.",
  same: "Its text is the same.",
};

const KINDS = { added: "added", removed: "removed", modified: "changed", mode: "other rights", replaced: "replaced" };

function Details({ seq }) {
  const change = useDocument(at(["history", String(seq)]), { live: false });
  const file = (place, it) => html`<section key=${it.path} class="change-file">
    <h4><bdi class="mono">${seen(place.path)}${it.path ? `/${seen(it.path)}` : ""}</bdi> ${KINDS[it.kind] ?? seen(it.kind)}</h4>
    ${it.diff ? html`<${Diff} text=${it.diff} />` : html`<p class="sub">${CONTENT[it.content] ?? "It has no lines that differ."}</p>`}
  </section>`;
  return html`<${Loaded} from=${change} lines=${3}>${({ places }) => {
    if (places.every((place) => place.files.length === 0)) return html`<p class="sub">No file differs, or nothing is known of them any more.</p>`;
    return places.flatMap((place) => place.files.map((it) => file(place, it)));
  }}<//>`;
}

function Change({ entry, isOpen, toggle, undo, isBusy }) {
  const others = entry.ids.slice(0, 4);
  return html`<li class=${`change ${entry.undone ? "undone" : ""}`} data-seq=${entry.seq}>
    <div class="change-head">
      <span class="change-seq mono">#${entry.seq}</span>
      <div class="row-main">
        <span>${sentence(seen(entry.message)) || seen(entry.op)}</span>
        <span class="row-reason">${moment(entry.at)} by ${seen(entry.actor)}${others.map((id) => html` · <a class="mono" href=${skillAt(id)}><bdi>${seen(id)}</bdi></a>`)}${entry.undone_by ? ` · undone by #${entry.undone_by}` : ""}${entry.undoes?.length ? ` · undoes #${entry.undoes.join(", #")}` : ""}</span>
      </div>
      <div class="change-actions">
        <${Button} kind="small" aria-expanded=${isOpen} onClick=${toggle} aria-label=${`${isOpen ? "Hide" : "What changed"}, change ${entry.seq}`}>${isOpen ? "Hide" : "What changed"}<//>
        ${!entry.undone && html`<${Button} kind="small" icon="undo" busy=${isBusy} onClick=${undo} aria-label=${`Undo change ${entry.seq}`}>Undo<//>`}
      </div>
    </div>
    ${isOpen && html`<div class="change-details"><${Details} seq=${entry.seq} /></div>`}
  </li>`;
}

/** The changes at a path of the interface, the newest first. */
export function Changes({ path, empty }) {
  const [limit, setLimit] = useState(30);
  const [open, setOpen] = useState(null);
  const history = useDocument(`${path}?limit=${limit}`);
  const work = useWork();
  const undo = (seq) =>
    work.run(async () => {
      const done = await call("POST", at(["history", String(seq), "undo"]));
      say(`Change #${seq} was undone by #${done?.seq ?? "a new one"}.`);
      touch();
      history.reload();
    });
  return html`<${Trouble} error=${work.error} />
    <${Loaded} from=${history}>${({ entries }) =>
      entries.length === 0
        ? html`<${Empty} icon="history" title=${empty} />`
        : html`<ol class="changes">${entries.map((entry) => html`<${Change} key=${entry.seq} entry=${entry} isOpen=${open === entry.seq} isBusy=${work.isBusy}
              toggle=${() => setOpen(open === entry.seq ? null : entry.seq)} undo=${() => undo(entry.seq)} />`)}</ol>
          ${entries.length === limit && html`<p><${Button} onClick=${() => setLimit(limit + 50)}>Show earlier ones<//></p>`}`}<//>`;
}

export function Redo() {
  const work = useWork();
  const redo = () =>
    work.run(async () => {
      const done = await call("POST", "/history/redo");
      say(`Done again as #${done?.seq ?? "a new change"}.`);
      touch();
    });
  return html`<${Button} icon="redo" busy=${work.isBusy} onClick=${redo}>Redo<//>${work.error && html`<${Trouble} error=${work.error} />`}`;
}
