// The first page: what there is, and what wants somebody's attention.
import { html } from "../../vendor/preact.js";
import { useDocument, useTitle } from "../hooks.js";
import { Empty, Icon, Loaded, PageHead, Panel, State, Told } from "../parts.js";
import { skillAt, to } from "../route.js";
import { SOURCES, STATES, VERDICTS, count, moment, number, seen } from "../words.js";

const GROUPS = [
  ["withheld", "Kept from agents", "They look like an attack, or are not what was accepted."],
  ["suspect", "Need a look", "The guard found something that a person should judge."],
  ["faulty", "Cannot be read as meant", "Each has a place and, often, a fix."],
  ["incomplete", "Miss something", "A program, a key or a system that they need is not there."],
];

function States({ states }) {
  const total = Object.values(states).reduce((sum, it) => sum + it, 0);
  const shown = Object.keys(STATES).filter((state) => states[state] > 0 || ["ready", "broken"].includes(state));
  return html`<div class="strip" aria-hidden="true">
      ${shown.map((state) => html`<span key=${state} class=${`strip-part ${STATES[state].tone} ${state}`} style=${{ flexGrow: states[state] / (total || 1) }}></span>`)}
    </div>
    <ul class="figures">${shown.map((state) => html`<li key=${state}>
      <a class=${`figure ${STATES[state].tone}`} href=${to("skills", { state })}>
        <span class="figure-number">${number(states[state])}</span>
        <span class="figure-name"><${Icon} name=${state} />${STATES[state].label}</span>
      </a></li>`)}</ul>`;
}

function Attention({ attention }) {
  if (attention.length === 0) {
    return html`<${Panel} title="Needs attention"><${Empty} icon="ready" title="Nothing needs attention."><p>Every skill can be read, and nothing is kept from agents.</p><//><//>`;
  }
  const known = new Set(GROUPS.map(([kind]) => kind));
  const groups = [...GROUPS, ["other", "Besides", ""]];
  const of = (kind) => attention.filter((it) => (known.has(it.kind) ? it.kind : "other") === kind);
  const group = ([kind, title, what]) => {
    const members = of(kind);
    if (members.length === 0) return null;
    return html`<section key=${kind} class="attention">
      <h3>${title} <span class="count">${members.length}</span></h3>
      <p class="sub">${what}</p>
      <ul class="rows">${members.map((it) => html`<li key=${it.path}>
        <a href=${skillAt(it.id, kind === "faulty" ? "problems" : kind === "suspect" || kind === "withheld" ? "safety" : undefined)}>
          <${State} state=${it.state} />
          <span class="row-main"><bdi class="mono">${seen(it.id)}</bdi><span class="row-reason"><${Told} text=${it.reason} /></span></span>
          <${Icon} name="next" />
        </a></li>`)}</ul>
    </section>`;
  };
  return html`<${Panel} title="Needs attention" aside=${count(attention.length, "skill")}>${groups.map(group)}<//>`;
}

function Counts({ title, counts, name, query }) {
  const entries = Object.entries(counts).filter(([, value]) => value > 0).sort((a, b) => b[1] - a[1]);
  const most = Math.max(1, ...entries.map(([, value]) => value));
  return html`<${Panel} title=${title}>
    <ul class="counts">${entries.slice(0, 8).map(([key, value]) => html`<li key=${key}>
      <a href=${to("skills", query(key))}><span class="counts-name">${name(key)}</span>
        <span class="counts-bar" aria-hidden="true"><span style=${{ width: `${(100 * value) / most}%` }}></span></span>
        <span class="counts-number">${number(value)}</span></a></li>`)}
    </ul>
    ${entries.length > 8 && html`<p class="sub">and ${entries.length - 8} more</p>`}
  <//>`;
}

function Recent() {
  const history = useDocument("/history?limit=5");
  return html`<${Panel} title="Latest changes" aside=${html`<a href=${to("history")}>All</a>`}>
    <${Loaded} from=${history} lines=${3}>${({ entries }) =>
      entries.length === 0
        ? html`<p class="sub">Nothing was changed yet.</p>`
        : html`<ul class="rows plain-rows">${entries.map((entry) => html`<li key=${entry.seq}>
            <span class=${`row-main ${entry.undone ? "undone" : ""}`}><span><${Told} text=${entry.message} /></span>
            <span class="row-reason">${moment(entry.at)} by ${seen(entry.actor)}</span></span></li>`)}</ul>`}<//>
  <//>`;
}

export function Overview({ overview }) {
  useTitle("Overview");
  return html`<${PageHead} title="Overview" sub=${overview.data ? `${count(overview.data.total, "skill")} on this machine` : ""} />
    <${Loaded} from=${overview} lines=${10}>${(it) =>
      it.total === 0
        ? html`<${Empty} title="There are no skills here yet.">
            <p>Skills are directories with a <code>SKILL.md</code>. <a href=${to("install")}>Install some</a>, or see <a href=${to("settings")}>which directories are searched</a>.</p>
          <//>`
        : html`<${States} states=${it.states} />
          <div class="split">
            <div><${Attention} attention=${it.attention} />
              ${it.problems.length > 0 && html`<${Panel} title="Problems around skills">
                <ul class="rows plain-rows">${it.problems.map((problem) => html`<li><span class="row-main"><span><${Told} text=${problem.message} /></span><bdi class="row-reason mono">${seen(problem.path)}</bdi></span></li>`)}</ul>
              <//>`}
            </div>
            <div>
              <${Counts} title="By source" counts=${it.sources} name=${(key) => SOURCES[key] ?? seen(key)} query=${(source) => ({ source })} />
              <${Counts} title="By verdict" counts=${it.verdicts} name=${(key) => VERDICTS[key]?.label ?? seen(key)} query=${(verdict) => ({ verdict: verdict === "unknown" ? "" : verdict })} />
              <${Counts} title="By client" counts=${it.clients} name=${seen} query=${(client) => ({ client })} />
              <${Recent} />
            </div>
          </div>`}<//>`;
}
