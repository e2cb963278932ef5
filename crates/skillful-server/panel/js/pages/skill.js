// One skill, from all sides.
import { html, useEffect, useRef } from "../../vendor/preact.js";
import { at } from "../api.js";
import { Changes } from "../changes.js";
import { useDocument, useTitle } from "../hooks.js";
import { Icon, LinkButton, Loaded, PageHead, State, Trouble, Verdict } from "../parts.js";
import { Rendered } from "../rendered.js";
import { skillAt } from "../route.js";
import { About } from "../skill/about.js";
import { Blockers } from "../skill/blockers.js";
import { Controls } from "../skill/controls.js";
import { Editor } from "../skill/editor.js";
import { Files } from "../skill/files.js";
import { Problems } from "../skill/problems.js";
import { Safety } from "../skill/safety.js";
import { Usage } from "../skill/usage.js";
import { SOURCES, count, number, seen } from "../words.js";

function Instructions({ id }) {
  const body = useDocument(at(["skills", id, "rendered"]));
  return html`<${Loaded} from=${body} lines=${10}>${({ html: text }) =>
    text.trim() ? html`<div class="panel"><${Rendered} text=${text} id=${id} /></div>` : html`<p class="sub">The skill has no instructions.</p>`}<//>`;
}

const SIDES = {
  "": { title: "Instructions", body: ({ id }) => html`<${Instructions} id=${id} />` },
  files: { title: "Files", counted: (it) => it.resources.length + 1, body: (props) => html`<${Files} ...${props} />` },
  problems: { title: "Problems", counted: (it) => it.diagnostics.length, body: (props) => html`<${Problems} ...${props} />` },
  safety: { title: "Safety", body: (props) => html`<${Safety} ...${props} />` },
  usage: { title: "Usage", body: ({ id }) => html`<${Usage} id=${id} />` },
  history: { title: "History", body: ({ id }) => html`<${Changes} path=${at(["skills", id, "history"])} empty="Nothing was changed about this skill." />` },
  about: { title: "About", body: (props) => html`<${About} ...${props} />` },
};

function Sides({ id, current, skill }) {
  const place = useRef(null);
  // On a phone not all of them have room: the one that is open does.
  useEffect(() => {
    place.current.querySelector("[aria-current]").scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [current]);
  return html`<nav class="sides" ref=${place} aria-label="Sides of the skill"><ul>${Object.entries(SIDES).map(([side, it]) => {
    const counted = it.counted?.(skill) ?? 0;
    return html`<li key=${side}><a href=${skillAt(id, side || undefined)} aria-current=${side === current ? "page" : undefined}>${it.title}${counted > 0 && html` <span class="count">${number(counted)}</span>`}</a></li>`;
  })}</ul></nav>`;
}

function Head({ id, skill, why, status }) {
  const isEditable = skill.source !== "bundled" && skill.source !== "plugin";
  return html`<${PageHead} mono title=${seen(skill.id)} sub=${html`<bdi>${seen(skill.description) || "No description."}</bdi>`}>
      ${isEditable && html`<${LinkButton} icon="edit" kind="main" href=${skillAt(id, "edit")}>Edit<//>`}
    <//>
    <p class="marks"><${State} state=${skill.state} /><${Verdict} verdict=${skill.verdict} />
      <span class="mark mute">${SOURCES[skill.source] ?? seen(skill.source)}</span>
      <span class="mark mute">${count(skill.tokens, "token")}</span>
      ${skill.name !== skill.id && html`<span class="mark mute">named “<bdi>${seen(skill.name)}</bdi>”</span>`}</p>
    ${why && html`<${Blockers} id=${id} why=${why} skill=${skill} />`}
    <${Controls} id=${id} skill=${skill} status=${status} why=${why} />`;
}

export function Skill({ id, side, route, setUnsaved }) {
  const [current = ""] = side;
  const skill = useDocument(at(["skills", id]));
  const why = useDocument(at(["skills", id, "why"]));
  const status = useDocument(at(["skills", id, "status"]));
  useTitle(current && SIDES[current] ? `${seen(id)}, ${SIDES[current].title}` : seen(id));
  if (current === "edit") return html`<${Editor} id=${id} route=${route} setUnsaved=${setUnsaved} />`;
  const Side = (SIDES[current] ?? SIDES[""]).body;
  const back = html`<p class="crumb"><a href="#/skills"><${Icon} name="back" />Catalog</a></p>`;
  if (skill.error && !skill.data) {
    return html`${back}<${PageHead} mono title=${seen(id)} /><${Trouble} error=${skill.error} retry=${skill.reload} />`;
  }
  return html`${back}
    <${Loaded} from=${skill} lines=${8}>${(it) => html`
      <${Head} id=${id} skill=${it} why=${why.data} status=${status.data?.skills?.[0]} />
      <${Sides} id=${id} current=${SIDES[current] ? current : ""} skill=${it} />
      <section class="side" aria-label=${(SIDES[current] ?? SIDES[""]).title}>
        <${Side} id=${id} skill=${it} why=${why} status=${status.data?.skills?.[0]} route=${route} reload=${skill.reload} />
      </section>`}<//>`;
}
