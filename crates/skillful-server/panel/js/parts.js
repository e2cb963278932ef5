// What pages are made of.
import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { STATES, VERDICTS, SEVERITIES, seen, sentence } from "./words.js";

const ICONS = new URL("../icons.svg", import.meta.url).pathname;

export const Icon = ({ name, class: extra = "" }) =>
  html`<svg class=${`icon ${extra}`} aria-hidden="true" focusable="false"><use href=${`${ICONS}#${name}`} /></svg>`;

/** Foreign text for people, a sentence, with what stands between backticks as code. */
export function Told({ text }) {
  const parts = sentence(seen(text)).split(/`([^`\n]+)`/);
  return parts.map((part, index) => (index % 2 ? html`<code key=${index}><bdi>${part}</bdi></code>` : part));
}

function Mark({ icon, tone, label, what }) {
  return html`<span class=${`mark ${tone}`} title=${what}><${Icon} name=${icon} />${label}</span>`;
}

export function State({ state }) {
  const it = STATES[state] ?? { label: seen(state), tone: "mute" };
  return html`<${Mark} icon=${STATES[state] ? state : "unknown"} ...${it} />`;
}

export function Verdict({ verdict }) {
  const name = verdict in VERDICTS ? verdict : "unknown";
  return html`<${Mark} icon=${name} ...${VERDICTS[name]} />`;
}

export function Severity({ severity }) {
  const it = SEVERITIES[severity] ?? { label: seen(severity), tone: "info" };
  const icon = it.tone === "bad" ? "error" : it.tone === "warn" ? "warning" : "info";
  return html`<${Mark} icon=${icon} ...${it} />`;
}

/** A button that shows that its work is under way. */
export function Button({ icon, busy = false, kind = "", children, ...rest }) {
  return html`<button type="button" ...${rest} class=${`button ${kind}`} disabled=${busy || rest.disabled} aria-busy=${busy}>
    ${icon && html`<${Icon} name=${icon} />`}<span>${children}</span>
  </button>`;
}

export const LinkButton = ({ icon, kind = "", children, ...rest }) =>
  html`<a ...${rest} class=${`button ${kind}`}>${icon && html`<${Icon} name=${icon} />`}<span>${children}</span></a>`;

/** The heading of a page. It takes the focus when the page is opened, so that a screen reader says where it is. */
export function PageHead({ title, sub, mono = false, children }) {
  return html`<header class="page-head">
    <div class="page-title">
      <h1 tabindex="-1" id="page-title" class=${mono ? "mono" : ""}><bdi>${title}</bdi></h1>
      ${sub && html`<p class="sub">${sub}</p>`}
    </div>
    ${children && html`<div class="actions">${children}</div>`}
  </header>`;
}

export function Panel({ title, aside, children, class: extra = "", level = 2, id }) {
  const heading = level === 2 ? html`<h2 id=${id}>${title}</h2>` : html`<h3 id=${id}>${title}</h3>`;
  return html`<section class=${`panel ${extra}`}>
    ${title && html`<header class="panel-head">${heading}${aside && html`<div class="aside">${aside}</div>`}</header>`}
    ${children}
  </section>`;
}

export function Notice({ tone = "info", title, children, role }) {
  const icon = { bad: "error", warn: "warning", good: "ready" }[tone] ?? "info";
  return html`<div class=${`notice ${tone}`} role=${role}>
    <${Icon} name=${icon} />
    <div>${title && html`<p class="notice-title">${title}</p>`}${children}</div>
  </div>`;
}

/** What went wrong, with ways out. */
export function Trouble({ error, retry }) {
  if (!error) return null;
  const hints = (error.hints ?? []).map((hint) => html`<li><${Told} text=${hint} /></li>`);
  return html`<${Notice} tone="bad" role="alert" title=${html`<${Told} text=${error.message} />`}>
    ${hints.length > 0 && html`<ul class="hints">${hints}</ul>`}
    ${retry && html`<${Button} kind="small" onClick=${retry}>Try again<//>`}
  <//>`;
}

export function Empty({ icon = "catalog", title, children }) {
  return html`<div class="empty"><${Icon} name=${icon} /><p class="empty-title">${title}</p>${children}</div>`;
}

export function Skeleton({ lines = 4 }) {
  const bars = Array.from({ length: lines }, (_, index) => html`<span class=${`bar bar-${index % 4}`} key=${index}></span>`);
  return html`<div class="skeleton" role="status"><span class="hidden">Loading…</span>${bars}</div>`;
}

/** A document's page in each of its states: loading, failed, there. */
export function Loaded({ from, lines, children }) {
  if (from.data !== undefined && !(from.isStale && from.error)) {
    return html`<div class=${from.isStale ? "stale" : ""}>
      ${from.error && html`<${Trouble} error=${from.error} retry=${from.reload} />`}
      ${children(from.data)}
    </div>`;
  }
  if (from.error) return html`<${Trouble} error=${from.error} retry=${from.reload} />`;
  return html`<${Skeleton} lines=${lines} />`;
}

/** A dialog of the browser: it keeps the focus inside, closes on Escape, and gives the focus back. */
export function Dialog({ title, tone = "", onClose, children, wide = false }) {
  const place = useRef(null);
  const before = useRef(null);
  useEffect(() => {
    before.current = document.activeElement;
    const dialog = place.current;
    dialog.showModal();
    dialog.querySelector("input, textarea, .dialog-actions button")?.focus();
    return () => {
      if (dialog.open) dialog.close();
      before.current?.focus?.();
    };
  }, []);
  const cancel = (event) => {
    event.preventDefault();
    onClose();
  };
  return html`<dialog ref=${place} class=${`dialog ${tone} ${wide ? "wide" : ""}`} aria-labelledby="dialog-title" onCancel=${cancel}>
    <header class="dialog-head">
      <h2 id="dialog-title">${title}</h2>
      <button type="button" class="plain" aria-label="Close" onClick=${onClose}><${Icon} name="close" /></button>
    </header>
    ${children}
  </dialog>`;
}

const toasts = new Set();

/** Says in a corner, and to screen readers, what was done. */
export function say(text, tone = "good") {
  for (const listener of toasts) listener({ text, tone });
}

export function Toasts() {
  const [shown, set] = useState([]);
  useEffect(() => {
    let next = 0;
    const listener = (toast) => {
      const key = ++next;
      set((old) => [...old, { ...toast, key }].slice(-3));
      setTimeout(() => set((old) => old.filter((it) => it.key !== key)), 6000);
    };
    toasts.add(listener);
    return () => toasts.delete(listener);
  }, []);
  return html`<div class="toasts" role="status" aria-live="polite">
    ${shown.map((toast) => html`<p key=${toast.key} class=${`toast ${toast.tone}`}><${Icon} name=${toast.tone === "bad" ? "error" : "ready"} />${seen(toast.text)}</p>`)}
  </div>`;
}

/** Text on the clipboard; without one it says so. */
export function Copy({ text, label = "Copy" }) {
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => say("Copied."),
      () => say("The browser does not allow copying; select the text instead.", "bad"),
    );
  return html`<${Button} icon="copy" kind="small" onClick=${copy}>${label}<//>`;
}

/** A switch that is on or off. */
export function Switch({ on, label, hint, onChange, disabled }) {
  return html`<label class="switch">
    <input type="checkbox" role="switch" checked=${on} disabled=${disabled} onChange=${(event) => onChange(event.currentTarget.checked)} />
    <span class="switch-track" aria-hidden="true"></span>
    <span class="switch-text"><span>${label}</span>${hint && html`<small>${hint}</small>`}</span>
  </label>`;
}

/** A unified diff, line by line. */
export function Diff({ text }) {
  const lines = seen(text).split("\n");
  if (lines.at(-1) === "") lines.pop();
  const kind = (line) =>
    line.startsWith("+++") || line.startsWith("---") ? "file" : { "+": "plus", "-": "minus", "@": "place" }[line[0]] ?? "";
  return html`<pre class="diff" tabindex="0">${lines.map((line) => html`<span class=${kind(line)}>${line}\n</span>`)}</pre>`;
}
