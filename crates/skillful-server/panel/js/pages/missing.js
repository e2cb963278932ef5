// An address that leads nowhere.
import { html } from "../../vendor/preact.js";
import { useTitle } from "../hooks.js";
import { Empty, LinkButton, PageHead } from "../parts.js";

export function Missing() {
  useTitle("No such page");
  return html`<${PageHead} title="No such page" />
    <${Empty} icon="unknown" title="The address leads to no page of this panel.">
      <p><${LinkButton} href="#/">To the overview<//></p>
    <//>`;
}
