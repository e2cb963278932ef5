// What holds, who said so, and what is read from where.
import { html, useState } from "../../vendor/preact.js";
import { at, call, hasToken, setToken } from "../api.js";
import { useDocument, useTitle, useWork } from "../hooks.js";
import { touch } from "../live.js";
import { Button, Dialog, Loaded, Notice, PageHead, Panel, Told, Trouble, say } from "../parts.js";
import { to } from "../route.js";
import { SOURCES, count, number, seen } from "../words.js";

const LAYERS = { "built-in": "Built in", system: "System", user: "User", project: "Project", named: "Named file", environment: "Environment" };

const shown = (value) => (Array.isArray(value) && value.length === 0 ? "none" : typeof value === "string" ? value : JSON.stringify(value));

/** A value as it is typed: a list of words with commas in between. */
const typed = (value) => (Array.isArray(value) && value.every((it) => typeof it === "string") ? value.join(", ") : shown(value));

function Change({ setting, close }) {
  const [text, set] = useState(typed(setting.value));
  const work = useWork();
  const finish = (words) => {
    say(words);
    touch();
    close();
  };
  const save = (event) => {
    event.preventDefault();
    work.run(async () => {
      await call("PUT", at(["config", setting.key]), { value: text });
      finish(`${setting.key} is set.`);
    });
  };
  const unset = () =>
    work.run(async () => {
      await call("DELETE", at(["config", setting.key]), {});
      finish(`${setting.key} is no longer set.`);
    });
  return html`<${Dialog} title=${setting.key} onClose=${close}>
    <form onSubmit=${save}>
      <label for="setting-value">Value</label>
      <input id="setting-value" class="mono" value=${text} onInput=${(event) => set(event.currentTarget.value)} autocomplete="off" spellcheck=${false} />
      <p class="sub">Written to your own configuration file. Lists are written with commas: <code>a, b</code>.</p>
      <${Trouble} error=${work.error} />
      <div class="dialog-actions">
        ${setting.layer !== "built-in" && html`<${Button} onClick=${unset} busy=${work.isBusy}>Unset<//>`}
        <${Button} type="submit" kind="main" busy=${work.isBusy}>Set<//>
      </div>
    </form>
  <//>`;
}

function Configuration() {
  const config = useDocument("/config");
  const [open, setOpen] = useState(null);
  return html`<${Panel} title="Configuration">
    <${Loaded} from=${config}>${({ settings, problems = [] }) => html`
      ${problems.map((it) => html`<${Notice} tone="warn" title=${html`<${Told} text=${it.message} />`}><p class="mono"><bdi>${seen(it.path)}</bdi>:${it.line}</p><//>`)}
      <div class="scroller" tabindex="0" role="region" aria-label="Configuration"><table class="table">
        <thead><tr><th>Key</th><th>Value</th><th>Said by</th><th><span class="hidden">Change</span></th></tr></thead>
        <tbody>${settings.map((it) => html`<tr key=${it.key}>
          <td class="mono"><bdi>${seen(it.key)}</bdi></td>
          <td class="mono value"><bdi>${seen(shown(it.value))}</bdi></td>
          <td><span title=${seen(it.file ?? "")}>${LAYERS[it.layer] ?? seen(it.layer)}</span>${it.line ? html` <span class="sub">line ${it.line}</span>` : ""}</td>
          <td class="end"><${Button} kind="small" onClick=${() => setOpen(it)} aria-label=${`Change ${it.key}`}>Change<//></td></tr>`)}</tbody>
      </table></div>`}<//>
    ${open && html`<${Change} setting=${open} close=${() => setOpen(null)} />`}
  <//>`;
}

function Roots() {
  const roots = useDocument("/roots");
  return html`<${Panel} title="Directories that are searched"><${Loaded} from=${roots}>${({ roots }) => html`
    <p class="sub">Where two skills have one name, the one further up counts.</p>
    <ol class="roots">${roots.map((root) => html`<li key=${root.path}><span class="row-main"><bdi class="mono">${seen(root.path)}</bdi>
      <span class="row-reason">${SOURCES[root.source] ?? seen(root.source)}${root.client ? html` · <bdi>${seen(root.client)}</bdi>` : ""} · ${root.trust}</span></span>
      <span class="counts-number">${number(root.skills)}</span></li>`)}</ol>`}<//><//>`;
}

function Clients() {
  const clients = useDocument("/clients");
  return html`<${Panel} title="Clients"><${Loaded} from=${clients}>${({ clients }) => {
    const found = clients.filter((client) => client.roots.length > 0);
    return html`<p class="sub">${count(found.length, "client")} of the ${number(clients.length)} that are known ${found.length === 1 ? "reads" : "read"} a directory of this machine.</p>
      <ul class="counts">${found.map((client) => html`<li key=${client.id}><a href=${to("skills", { client: client.id })}>
        <span class="counts-name">${seen(client.name)}</span><span class="counts-number">${count(client.skills, "skill")}</span></a></li>`)}</ul>`;
  }}<//><//>`;
}

function Access() {
  const signOut = () => {
    setToken(null);
    location.reload();
  };
  return html`<${Panel} title="Access">
    ${hasToken()
      ? html`<p>You are signed in with a token, until this tab is closed.</p><p><${Button} icon="key" onClick=${signOut}>Sign out<//></p>`
      : html`<p>This page asks without a token.</p><p class="sub">Programs of this machine may do everything unless the server was started with <code>--read-only</code> or <code>--require-token</code>.</p>`}
    <dl class="facts"><dt>read</dt><dd>see everything, change nothing</dd><dt>write</dt><dd>edit, install, switch, undo</dd><dt>admin</dt><dd>change settings, accept what the guard found, install programs</dd></dl>
  <//>`;
}

export function Settings() {
  useTitle("Settings");
  return html`<${PageHead} title="Settings" />
    <${Configuration} />
    <div class="split"><${Roots} /><div><${Clients} /><${Access} /></div></div>`;
}
