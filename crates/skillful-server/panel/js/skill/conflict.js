// Two texts where one was expected: both are shown, and a person decides.
import { html } from "../../vendor/preact.js";
import { sideBySide } from "../diff.js";
import { Button, Dialog } from "../parts.js";
import { seen } from "../words.js";

export function Conflict({ mine, theirs, close, takeMine, takeTheirs, isBusy }) {
  const pairs = sideBySide(theirs, mine);
  const cell = (line, other) => html`<td class=${line === other ? "" : line === null ? "none" : "differs"}>${line === null ? "" : seen(line) || " "}</td>`;
  return html`<${Dialog} wide title="The file was changed by somebody else" onClose=${close}>
    <p>Nothing was saved. Both texts are here; lines that differ are marked.</p>
    <div class="both" tabindex="0" role="region" aria-label="Both texts"><table>
      <thead><tr><th scope="col">On disk now</th><th scope="col">Yours</th></tr></thead>
      <tbody>${pairs.map(([left, right], index) => html`<tr key=${index}>${cell(left, right)}${cell(right, left)}</tr>`)}</tbody>
    </table></div>
    <div class="dialog-actions">
      <${Button} onClick=${close}>Go on editing<//>
      <${Button} onClick=${takeTheirs}>Take what is on disk<//>
      <${Button} kind="main" busy=${isBusy} onClick=${takeMine}>Save mine over it<//>
    </div>
  <//>`;
}
