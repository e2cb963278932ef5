// Why a skill is not handed to agents, and how each reason can be cleared.
import { html } from "../../vendor/preact.js";
import { Icon, Notice, Told } from "../parts.js";
import { skillAt } from "../route.js";
import { STATES, seen } from "../words.js";

export function Blockers({ id, why }) {
  const state = STATES[why.state];
  if (why.state === "ready" && why.notes.length === 0) return null;
  const tone = why.state === "ready" ? "info" : state?.tone === "bad" ? "bad" : "warn";
  const title = why.state === "ready" ? "Ready, and could be better off" : `${state?.label ?? seen(why.state)}: ${state?.what ?? ""}`;
  const reasons = why.state === "ready" ? why.notes : why.blockers;
  const way = {
    broken: html`<a href=${skillAt(id, "problems")}>See the problems</a> or <a href=${skillAt(id, "edit")}>open the editor</a>.`,
    withheld: html`<a href=${skillAt(id, "safety")}>See what the guard found</a>.`,
  }[why.state];
  return html`<${Notice} tone=${tone} title=${title}>
    ${reasons.length > 0 && html`<ul class="blockers">${reasons.map((it) => html`<li><span><${Told} text=${it.detail} /></span>
      ${it.help && html`<span class="way"><${Icon} name="fix" /><${Told} text=${it.help} /></span>`}</li>`)}</ul>`}
    ${why.shadowed_by && html`<p>Shadowed by <bdi class="mono">${seen(why.shadowed_by)}</bdi></p>`}
    ${way && html`<p>${way}</p>`}
  <//>`;
}
