// How often a skill was used, day by day: a picture, and the same as a table.
import { html } from "../../vendor/preact.js";
import { at } from "../api.js";
import { useDocument } from "../hooks.js";
import { Empty, Loaded, Panel } from "../parts.js";
import { count, dayName, number } from "../words.js";

const DAYS = 30;
const WIDTH = 640;
const HEIGHT = 140;
const KINDS = [
  ["reads", "Read"],
  ["uses", "Used"],
];

/** The last days, those without anything included. */
function filled(days) {
  const known = new Map(days.map((day) => [day.day, day]));
  const today = Date.now();
  return Array.from({ length: DAYS }, (_, index) => {
    const day = new Date(today - (DAYS - 1 - index) * 86_400_000).toISOString().slice(0, 10);
    return known.get(day) ?? { day, offers: 0, reads: 0, uses: 0, wins: 0, patches: 0 };
  });
}

function Chart({ days }) {
  const most = Math.max(1, ...days.map((day) => day.reads + day.uses));
  const step = WIDTH / days.length;
  const height = (value) => (value / most) * (HEIGHT - 28);
  const bar = (day, index) => {
    let base = HEIGHT - 18;
    return KINDS.map(([kind]) => {
      const tall = height(day[kind]);
      base -= tall;
      return html`<rect key=${day.day + kind} class=${kind} x=${index * step + 2} y=${base} width=${step - 4} height=${tall} />`;
    });
  };
  // The last one ends at the edge, so that it is not cut off.
  const label = (day, index) => {
    const isLast = index === days.length - 1;
    return index % 7 === 1 && html`<text key=${day.day} x=${isLast ? WIDTH : index * step} y=${HEIGHT - 3} text-anchor=${isLast ? "end" : "start"}>${dayName(day.day)}</text>`;
  };
  return html`<svg class="chart" viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-labelledby="chart-title">
    <title id="chart-title">Reads and uses on each of the last ${DAYS} days; at most ${number(most)} on one day</title>
    <line x1="0" x2=${WIDTH} y1=${HEIGHT - 18} y2=${HEIGHT - 18} />
    <text x="0" y="10">${number(most)}</text>
    ${days.map(bar)}${days.map(label)}
  </svg>`;
}

export function Usage({ id }) {
  const usage = useDocument(at(["skills", id, "usage"], { days: DAYS }));
  return html`<${Loaded} from=${usage}>${({ days }) => {
    const sum = (kind) => days.reduce((total, day) => total + day[kind], 0);
    if (days.length === 0) return html`<${Empty} icon="events" title=${`It was not used in the last ${DAYS} days.`} />`;
    return html`<${Panel} title=${`The last ${DAYS} days`} aside=${html`<span class="key reads">Read</span> <span class="key uses">Used</span>`}>
      <${Chart} days=${filled(days)} />
      <p>Offered ${count(sum("offers"), "time")}, read ${count(sum("reads"), "time")}, used ${count(sum("uses"), "time")}, of which ${number(sum("wins"))} helped.</p>
      <details><summary>As a table</summary><div class="scroller" tabindex="0" role="region" aria-label="Usage by day"><table class="table">
        <thead><tr><th>Day</th><th class="end">Offers</th><th class="end">Reads</th><th class="end">Uses</th><th class="end">Helped</th></tr></thead>
        <tbody>${[...days].reverse().map((day) => html`<tr key=${day.day}><th scope="row">${day.day}</th><td class="end">${number(day.offers)}</td><td class="end">${number(day.reads)}</td><td class="end">${number(day.uses)}</td><td class="end">${number(day.wins)}</td></tr>`)}</tbody>
      </table></div></details>
    <//>`;
  }}<//>`;
}
