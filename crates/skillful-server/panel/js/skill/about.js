// Where a skill lies, who reads it, whom it stands before, what it says of itself, and what was said about it.
import { html } from "../../vendor/preact.js";
import { Loaded, Panel } from "../parts.js";
import { to } from "../route.js";
import { count, moment, seen, size } from "../words.js";

function value(it) {
  if (typeof it === "string") return seen(it);
  if (Array.isArray(it) && it.every((part) => typeof part === "string")) return seen(it.join(", "));
  return seen(JSON.stringify(it, null, 1));
}

function Fact({ name, children }) {
  return html`<dt>${name}</dt><dd>${children}</dd>`;
}

function Place({ skill, status, why }) {
  return html`<${Panel} title="Place">
    <dl class="facts">
      <${Fact} name="File"><bdi class="mono">${seen(skill.path)}</bdi><//>
      <${Fact} name="Found in"><bdi class="mono">${seen(skill.root)}</bdi><//>
      <${Fact} name="Read by">${skill.clients.length > 0 ? html`<ul class="chips">${skill.clients.map((client) => html`<li key=${client}><a class="chip" href=${to("skills", { client })}>${seen(client)}</a></li>`)}</ul>` : "no client by itself"}<//>
      ${status && html`<${Fact} name="Trust">${seen(status.trust)}<//><${Fact} name="Lifecycle">${seen(status.lifecycle)}${status.archived ? `, since ${moment(status.archived.at)}` : ""}<//><${Fact} name="Size">${size(status.bytes)}, ${count(status.tokens, "token")}<//>`}
      ${why && html`<${Fact} name="Brought up by">${[why.invocation.model && "agents", why.invocation.person && "people"].filter(Boolean).join(" and ") || "nobody"}<//>`}
      ${why?.shadowed_by && html`<${Fact} name="Shadowed by"><bdi class="mono">${seen(why.shadowed_by)}</bdi><//>`}
      ${why?.shadows.length > 0 && html`<${Fact} name="Shadows"><ul class="plain-list">${why.shadows.map((path) => html`<li><bdi class="mono">${seen(path)}</bdi></li>`)}</ul><//>`}
    </dl>
  <//>`;
}

function Frontmatter({ skill }) {
  const entries = Object.entries(skill.frontmatter ?? {});
  return html`<${Panel} title="What it says of itself">
    ${entries.length === 0
      ? html`<p class="sub">It has no frontmatter that can be read.</p>`
      : html`<dl class="facts">${entries.map(([key, it]) => html`<dt class="mono"><bdi>${seen(key)}</bdi></dt><dd class="pre"><bdi>${value(it)}</bdi></dd>`)}</dl>`}
    <p class="sub">These are claims: none of them grants anything.</p>
  <//>`;
}

function Said({ why }) {
  if (!why || why.settings.length === 0) return null;
  return html`<${Panel} title="Settings about it"><dl class="facts">${why.settings.map((it) => html`<dt class="mono">${seen(it.key)}</dt><dd><span class="mono">${seen(JSON.stringify(it.value))}</span> <span class="sub">${seen(it.layer)}${it.file ? html`, <bdi>${seen(it.file)}</bdi>` : ""}</span></dd>`)}</dl><//>`;
}

export function About({ skill, why, status }) {
  return html`<div class="split"><div><${Place} skill=${skill} status=${status} why=${why.data} /><${Said} why=${why.data} /></div><${Frontmatter} skill=${skill} /></div>`;
}
