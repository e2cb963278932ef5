// What a model is shown of all skills, for a budget that can be played with.
import { html, useState } from "../../vendor/preact.js";
import { at } from "../api.js";
import { useDocument, useSettled, useTitle } from "../hooks.js";
import { Copy, Empty, Loaded, PageHead, Panel } from "../parts.js";
import { go, skillAt, to } from "../route.js";
import { count, number, seen } from "../words.js";

const FORMS = ["agentskills", "aleph", "claude-code", "codex", "cursor", "gemini", "goose", "hermes", "json", "markdown", "openclaw", "opencode", "openskills", "vscode"];
const MOST = 8000;

const KINDS = [
  ["whole", "Whole", "with all of its description"],
  ["shortened", "Shortened", "with the beginning of its description"],
  ["name_only", "Name only", "no room for a description"],
  ["omitted", "Left out", "no room at all"],
];

/** Which skills are shown how. */
function sorted(catalog) {
  const less = new Set([...catalog.shortened, ...catalog.name_only]);
  const whole = catalog.included.filter((id) => !less.has(id));
  return { whole, shortened: catalog.shortened, name_only: catalog.name_only, omitted: catalog.omitted };
}

function Picture({ catalog, kinds, budget }) {
  const total = Object.values(kinds).reduce((sum, ids) => sum + ids.length, 0);
  const share = budget ? Math.min(100, (100 * catalog.tokens) / budget) : 100;
  const bar = KINDS.flatMap(([kind]) => kinds[kind].map((id) => ({ id, kind })));
  return html`<${Panel} title="At a glance" aside=${`${number(catalog.tokens)} tokens${budget ? ` of ${number(budget)}` : ""}`}>
    <div class="meter" role="img" aria-label=${`${number(catalog.tokens)} tokens${budget ? ` of ${number(budget)} are used` : ""}`}><span style=${{ width: `${share}%` }}></span></div>
    <div class="blocks" aria-hidden="true">${bar.map(({ id, kind }) => html`<a key=${id} class=${`block ${kind}`} href=${skillAt(id)} tabindex="-1" title=${seen(id)}></a>`)}</div>
    <ul class="legend">${KINDS.map(([kind, label, what]) => html`<li key=${kind}><span class=${`block ${kind}`} aria-hidden="true"></span><strong data-kind=${kind}>${number(kinds[kind].length)}</strong> ${label.toLowerCase()} <span class="sub">${what}</span></li>`)}</ul>
    ${total === 0 && html`<${Empty} icon="prompt" title="No skill is offered to a model." />`}
  <//>`;
}

function Lists({ kinds }) {
  return html`<${Panel} title="Skill by skill">${KINDS.map(([kind, label]) =>
    kinds[kind].length === 0
      ? null
      : html`<details key=${kind} open=${kind !== "whole"}><summary>${label} <span class="count">${kinds[kind].length}</span></summary>
          <ul class="chips">${kinds[kind].map((id) => html`<li key=${id}><a class="chip mono" href=${skillAt(id)}><bdi>${seen(id)}</bdi></a></li>`)}</ul></details>`)}<//>`;
}

export function Prompt({ route }) {
  useTitle("Prompt");
  const { query } = route;
  const given = query.get("tokens") ?? "";
  const [typed, setTyped] = useState(given);
  const settled = useSettled(typed, 150);
  const as = query.get("as") ?? "";
  const locations = query.get("locations") === "true";
  const budget = Number.parseInt(settled, 10) || 0;
  const set = (more) => go(to("prompt", { ...Object.fromEntries(query), tokens: typed, ...more }), { replace: true });
  const budgeted = (event) => {
    const text = event.currentTarget.value;
    setTyped(text);
    go(to("prompt", { ...Object.fromEntries(query), tokens: text }), { replace: true });
  };
  const catalog = useDocument(at("prompt", { max_tokens: budget || undefined, as, locations: locations || undefined }));
  return html`<${PageHead} title="Prompt" sub="What a model is shown of your skills before it asks for one." />
    <form class="panel controls" onSubmit=${(event) => event.preventDefault()}>
      <label class="control wide"><span>Budget in tokens</span>
        <span class="pair"><input type="range" min="50" max=${MOST} step="50" value=${typed || MOST} onInput=${budgeted} aria-label="Budget in tokens, roughly" />
        <input type="number" name="tokens" min="1" inputmode="numeric" placeholder="as configured" value=${typed} onInput=${budgeted} /></span></label>
      <label class="control"><span>Form</span><select name="as" onChange=${(event) => set({ as: event.currentTarget.value })}>
        <option value="" selected=${as === ""}>As configured</option>
        ${FORMS.map((form) => html`<option key=${form} value=${form} selected=${form === as}>${form}</option>`)}</select></label>
      <label class="tick"><input type="checkbox" checked=${locations} onChange=${(event) => set({ locations: event.currentTarget.checked ? "true" : "" })} /> <span>Name paths</span></label>
    </form>
    <${Loaded} from=${catalog}>${(it) => {
      const kinds = sorted(it);
      return html`<div class="split">
        <div><${Picture} catalog=${it} kinds=${kinds} budget=${budget} /><${Lists} kinds=${kinds} /></div>
        <${Panel} title="The text" aside=${html`<span class="sub">${count(it.characters, "character")}</span> <${Copy} text=${it.text} />`}>
          <pre class="text" tabindex="0" aria-label="The catalog as a model reads it">${seen(it.text) || "(empty)"}</pre>
        <//>
      </div>`;
    }}<//>`;
}
