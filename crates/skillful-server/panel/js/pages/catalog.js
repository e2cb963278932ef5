// All skills: searched, filtered and paged by the server, so that ten thousand are as quick as ten.
import { html } from "../../vendor/preact.js";
import { at } from "../api.js";
import { useDocument, useSettled, useTitle } from "../hooks.js";
import { Button, Empty, Icon, Loaded, PageHead, State, Told, Verdict } from "../parts.js";
import { go, skillAt, to } from "../route.js";
import { SOURCES, STATES, VERDICTS, count, number, seen } from "../words.js";

const PAGE = 50;
const FILTERS = ["state", "source", "client", "verdict"];

function Choice({ name, label, value, options, change }) {
  return html`<label class="choice"><span>${label}</span>
    <select name=${name} value=${value} onChange=${(event) => change(name, event.currentTarget.value)}>
      <option value="">All</option>
      ${options.map(([key, text, number_]) => html`<option key=${key} value=${key} selected=${key === value}>${text} (${number(number_)})</option>`)}
    </select></label>`;
}

function Filters({ overview, query, change, clear }) {
  const counted = (counts, name) =>
    Object.entries(counts ?? {}).filter(([, value]) => value > 0).map(([key, value]) => [key, name(key), value]);
  const of = overview.data ?? {};
  const states = Object.keys(STATES).map((state) => [state, STATES[state].label, of.states?.[state] ?? 0]);
  const verdicts = counted(of.verdicts, (key) => VERDICTS[key]?.label ?? key).filter(([key]) => key !== "unknown");
  const isSet = FILTERS.some((name) => query.get(name)) || query.get("text");
  return html`<div class="filters" role="group" aria-label="Filters">
    <${Choice} name="state" label="State" value=${query.get("state") ?? ""} options=${states} change=${change} />
    <${Choice} name="source" label="Source" value=${query.get("source") ?? ""} options=${counted(of.sources, (key) => SOURCES[key] ?? key)} change=${change} />
    <${Choice} name="client" label="Client" value=${query.get("client") ?? ""} options=${counted(of.clients, seen)} change=${change} />
    <${Choice} name="verdict" label="Verdict" value=${query.get("verdict") ?? ""} options=${verdicts} change=${change} />
    ${isSet && html`<${Button} kind="small" icon="close" onClick=${clear}>Clear<//>`}
  </div>`;
}

/** Why a skill is not ready, or what is wrong with one that is, in one line. */
function reason(skill) {
  if (skill.blockers.length > 0) return skill.blockers[0].detail;
  if (skill.shadowed_by) return `${skill.shadowed_by} has precedence`;
  const errors = skill.diagnostics.filter((it) => it.severity === "error");
  return errors.length > 0 ? errors[0].message : "";
}

function Row({ skill }) {
  const why = skill.state === "ready" && !skill.diagnostics.some((it) => it.severity === "error") ? "" : reason(skill);
  return html`<tr role="row" class=${`tone-${STATES[skill.state]?.tone ?? "mute"}`}>
    <td role="cell" class="cell-name">
      <a href=${skillAt(skill.id)}><bdi class="mono">${seen(skill.id)}</bdi></a>
      <span class="cell-description"><bdi>${seen(skill.description) || "No description."}</bdi></span>
      ${why && html`<span class="cell-reason"><${Told} text=${why} /></span>`}
    </td>
    <td role="cell"><${State} state=${skill.state} /></td>
    <td role="cell"><${Verdict} verdict=${skill.verdict} /></td>
    <td role="cell" class="cell-source">${SOURCES[skill.source] ?? seen(skill.source)}${skill.client && html`<small><bdi>${seen(skill.client)}</bdi></small>`}</td>
    <td role="cell" class="cell-tokens">${skill.tokens === undefined ? "" : html`${number(skill.tokens)}<span class="only-phone"> tokens</span>`}</td>
  </tr>`;
}

function Sortable({ name, label, query, change }) {
  const isCurrent = (query.get("sort") ?? "name") === name;
  return html`<th role="columnheader" aria-sort=${isCurrent ? "ascending" : undefined}>
    <button type="button" class="sort" onClick=${() => change("sort", name === "name" ? "" : name)}>${label}${isCurrent && html`<span aria-hidden="true"> ↓</span>`}</button></th>`;
}

function Pages({ page, total, turn }) {
  const last = Math.max(1, Math.ceil(total / PAGE));
  if (last === 1) return null;
  return html`<nav class="pages" aria-label="Pages of the list">
    <${Button} icon="back" kind="small" disabled=${page <= 1} onClick=${() => turn(page - 1)}>Previous<//>
    <span>Page ${number(page)} of ${number(last)}</span>
    <${Button} icon="next" kind="small" disabled=${page >= last} onClick=${() => turn(page + 1)}>Next<//>
  </nav>`;
}

export function Catalog({ route, overview }) {
  useTitle("Catalog");
  const { query } = route;
  const page = Math.max(1, Number.parseInt(query.get("page") ?? "1", 10) || 1);
  const wanted = at("skills", {
    text: query.get("text"),
    ...Object.fromEntries(FILTERS.map((name) => [name, query.get(name)])),
    sort: query.get("sort"),
    offset: (page - 1) * PAGE || undefined,
    limit: PAGE,
  });
  const list = useDocument(useSettled(wanted, 120));
  const all = Object.fromEntries(query);
  const change = (name, value) => go(to("skills", { ...all, [name]: value, page: "" }), { replace: true });
  const turn = (next) => {
    go(to("skills", { ...all, page: next > 1 ? next : "" }));
    scrollTo(0, 0);
  };
  const total = list.data?.total;
  return html`<${PageHead} title="Catalog" sub=${total === undefined ? "" : html`<span role="status">${count(total, "skill")}${query.get("text") ? html` for “<bdi>${seen(query.get("text"))}</bdi>”` : ""}</span>`} />
    <${Filters} overview=${overview} query=${query} change=${change} clear=${() => go("#/skills", { replace: true })} />
    <${Loaded} from=${list} lines=${12}>${({ skills, total }) =>
      skills.length === 0
        ? html`<${Empty} icon="search" title="No skill is like that."><p>Use fewer words or filters, or <a href="#/skills">see all</a>.</p><//>`
        : html`<table class="list" role="table" aria-label="Skills">
            <thead role="rowgroup"><tr role="row">
              <${Sortable} name="name" label="Skill" query=${query} change=${change} />
              <${Sortable} name="state" label="State" query=${query} change=${change} />
              <${Sortable} name="verdict" label="Verdict" query=${query} change=${change} />
              <${Sortable} name="source" label="Source" query=${query} change=${change} />
              <th role="columnheader" class="end">Tokens</th>
            </tr></thead>
            <tbody role="rowgroup">${skills.map((skill) => html`<${Row} key=${skill.path} skill=${skill} />`)}</tbody>
          </table>
          <${Pages} page=${page} total=${total} turn=${turn} />`}<//>`;
}
