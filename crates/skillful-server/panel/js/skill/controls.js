// The switches of a skill.
import { html, useState } from "../../vendor/preact.js";
import { at, call } from "../api.js";
import { useWork } from "../hooks.js";
import { touch } from "../live.js";
import { Button, Dialog, Switch, Trouble, say } from "../parts.js";
import { go } from "../route.js";
import { seen } from "../words.js";

const MODES = [
  ["auto", "Automatic"],
  ["pinned", "Pinned: shortened last"],
  ["name-only", "Name only"],
  ["manual-only", "Only by a person"],
  ["required", "Required"],
  ["disabled", "Disabled"],
];

function Mode({ mode, change, isBusy }) {
  const known = MODES.some(([key]) => key === mode) ? MODES : [...MODES, [mode, seen(mode)]];
  return html`<label class="choice"><span>Mode</span><select name="mode" disabled=${isBusy} onChange=${(event) => change(event.currentTarget.value)}>
    ${known.map(([key, label]) => html`<option key=${key} value=${key} selected=${key === mode}>${label}</option>`)}</select></label>`;
}

function Removing({ id, close }) {
  const work = useWork();
  const remove = () =>
    work.run(async () => {
      const done = await call("DELETE", at(["skills", id]));
      say(`${id} was deleted${done?.seq ? `; change #${done.seq} undoes it` : ""}.`);
      touch();
      close();
      go("#/skills");
    });
  return html`<${Dialog} title="Delete this skill?" onClose=${close}>
    <p><bdi class="mono">${seen(id)}</bdi> is taken away from disk with all of its files. The history can bring it back.</p>
    <${Trouble} error=${work.error} />
    <div class="dialog-actions"><${Button} onClick=${close}>Keep it<//><${Button} kind="bad" icon="trash" busy=${work.isBusy} onClick=${remove}>Delete<//></div>
  <//>`;
}

export function Controls({ id, skill, status, why }) {
  const work = useWork();
  const [isRemoving, setRemoving] = useState(false);
  const change = (words, method, segments, body) =>
    work.run(async () => {
      await call(method, at(["skills", id, ...segments]), body);
      say(words);
      touch();
    });
  const isOwn = skill.source !== "bundled" && skill.source !== "plugin";
  const isArchived = skill.state === "archived";
  const enabled = why ? why.settings?.find((it) => it.key.endsWith(".enabled"))?.value !== false : skill.state !== "disabled";
  return html`<div class="controls-bar" role="group" aria-label="Switches">
      <${Switch} on=${enabled} label="Enabled" disabled=${work.isBusy} onChange=${(on) => change(`${id} is ${on ? "enabled" : "disabled"}.`, "PUT", ["switches"], { enabled: on })} />
      <${Mode} mode=${why?.mode ?? status?.mode ?? "auto"} isBusy=${work.isBusy} change=${(mode) => change(`The mode of ${id} is ${mode}.`, "PUT", ["switches"], { mode })} />
      <${Button} kind="small" icon="pin" busy=${work.isBusy} aria-pressed=${Boolean(status?.pinned)} onClick=${() => change(status?.pinned ? `${id} is no longer pinned.` : `${id} is pinned.`, "POST", [status?.pinned ? "unpin" : "pin"])}>${status?.pinned ? "Unpin" : "Pin"}<//>
      <${Button} kind="small" icon="archived" busy=${work.isBusy} onClick=${() => change(isArchived ? `${id} is back.` : `${id} is archived.`, "POST", [isArchived ? "restore" : "archive"])}>${isArchived ? "Restore" : "Archive"}<//>
      ${isOwn && html`<${Button} kind="small" icon="trash" busy=${work.isBusy} onClick=${() => setRemoving(true)}>Delete<//>`}
    </div>
    <${Trouble} error=${work.error} />
    ${isRemoving && html`<${Removing} id=${id} close=${() => setRemoving(false)} />`}`;
}
