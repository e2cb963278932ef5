// What happens while the page is open.
import { html, useState } from "../../vendor/preact.js";
import { useTitle } from "../hooks.js";
import { useLive } from "../live.js";
import { Button, Empty, PageHead, Told } from "../parts.js";
import { skillAt } from "../route.js";
import { seen, timeOf } from "../words.js";

const KINDS = {
  loaded: ["Loaded", "good"],
  changed: ["Changed", "info"],
  removed: ["Removed", "mute"],
  shadowed: ["Shadowed", "mute"],
  "became-eligible": ["Became eligible", "good"],
  "became-ineligible": ["Became ineligible", "warn"],
  broken: ["Broken", "bad"],
  recovered: ["Recovered", "good"],
  "config-changed": ["Settings changed", "info"],
  reloaded: ["Reloaded", "info"],
  due: ["Due", "info"],
  polling: ["Polling", "warn"],
  records: ["Records", "warn"],
  resync: ["Caught up", "mute"],
};

const STATUS = { open: "Connected: new events appear by themselves.", connecting: "Connecting…", lost: "The connection is lost; trying again.", "signed-out": "Signed out." };

export function Events() {
  useTitle("Events");
  const live = useLive();
  const [since, setSince] = useState(0);
  const events = live.events.filter((event) => event.at.getTime() > since);
  return html`<${PageHead} title="Events" sub=${STATUS[live.status]}>
      <${Button} onClick=${() => setSince(Date.now())} disabled=${events.length === 0}>Clear<//><//>
    ${events.length === 0
      ? html`<${Empty} icon="events" title="Nothing has happened since this page was opened."><p>Change a skill on disk, and it shows up here.</p><//>`
      : html`<ol class="events" aria-label="Events, the newest first">${events.map((event) => {
          const [label, tone] = KINDS[event.kind] ?? [seen(event.kind), "mute"];
          return html`<li key=${event.key}><time class="mono" dateTime=${event.at.toISOString()}>${timeOf(event.at)}</time>
            <span class=${`mark ${tone}`}>${label}</span>
            <span class="row-main">${event.id && html`<a class="mono" href=${skillAt(event.id)}><bdi>${seen(event.id)}</bdi></a>`}
              ${event.detail && html`<span><${Told} text=${event.detail} /></span>`}
              ${event.path && html`<bdi class="row-reason mono">${seen(event.path)}</bdi>`}</span></li>`;
        })}</ol>`}`;
}
