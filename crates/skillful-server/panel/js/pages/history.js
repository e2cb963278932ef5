// Everything that was changed through Skillful.
import { html } from "../../vendor/preact.js";
import { Changes, Redo } from "../changes.js";
import { useTitle } from "../hooks.js";
import { PageHead } from "../parts.js";

export function History() {
  useTitle("History");
  return html`<${PageHead} title="History" sub="Every change that was made through Skillful, the newest first. Each can be undone."><${Redo} /><//>
    <${Changes} path="/history" empty="Nothing was changed yet." />`;
}
