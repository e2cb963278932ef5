// The files of a skill: a tree, and one of them as text or to be kept.
import { html } from "../../vendor/preact.js";
import { at, bytes } from "../api.js";
import { useDocument, useWork } from "../hooks.js";
import { Button, Copy, Icon, Loaded, Panel, Trouble } from "../parts.js";
import { skillAt } from "../route.js";
import { fileName, number, seen, size } from "../words.js";

const SHOWN = 200_000;

/** Directories and files, from paths. */
function tree(files) {
  const root = { directories: new Map(), files: [] };
  for (const file of files) {
    const parts = file.path.split("/");
    const name = parts.pop();
    let place = root;
    for (const part of parts) {
      if (!place.directories.has(part)) place.directories.set(part, { directories: new Map(), files: [] });
      place = place.directories.get(part);
    }
    place.files.push({ ...file, name });
  }
  return root;
}

function Branch({ place, id, current }) {
  const directories = [...place.directories].sort(([a], [b]) => (a < b ? -1 : 1));
  return html`<ul class="tree">
    ${directories.map(([name, inner]) => html`<li key=${`d/${name}`}><span class="tree-name"><${Icon} name="folder" /><bdi>${seen(name)}</bdi></span><${Branch} place=${inner} id=${id} current=${current} /></li>`)}
    ${place.files.map((file) => html`<li key=${file.path}><a class="tree-name" href=${skillAt(id, "files", { path: file.path })} aria-current=${file.path === current ? "true" : undefined}>
      <${Icon} name="file" /><bdi>${seen(file.name)}</bdi>${file.executable && html`<span class="count">runs</span>`}<span class="tree-size">${file.size === undefined ? "" : size(file.size)}</span></a></li>`)}
  </ul>`;
}

function Download({ id, path }) {
  const work = useWork();
  const save = () =>
    work.run(async () => {
      const content = await bytes(`${at(["skills", id, "files"])}/${path.split("/").map(encodeURIComponent).join("/")}`);
      const address = URL.createObjectURL(new Blob([content], { type: "application/octet-stream" }));
      const link = document.createElement("a");
      link.href = address;
      link.download = fileName(path);
      link.click();
      setTimeout(() => URL.revokeObjectURL(address), 10_000);
    });
  return html`<${Button} kind="small" icon="download" busy=${work.isBusy} onClick=${save}>Download<//><${Trouble} error=${work.error} />`;
}

function Text({ text }) {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return html`<div class="source" tabindex="0" role="region" aria-label="Content of the file"><pre class="numbers" aria-hidden="true">${lines.map((_, index) => `${index + 1}\n`).join("")}</pre><pre class="source-text">${seen(text)}</pre></div>`;
}

function File({ id, path, isOwn }) {
  const address = isOwn
    ? at(["skills", id, "source"])
    : `${at(["skills", id, "files"])}/${path.split("/").map(encodeURIComponent).join("/")}?length=${SHOWN}`;
  const file = useDocument(address);
  return html`<${Loaded} from=${file}>${(it) => {
    const text = isOwn ? it.text : it.encoding === "text" ? it.content : null;
    return html`<${Panel} title=${html`<bdi class="mono">${seen(path)}</bdi>`} aside=${html`${text !== null && html`<${Copy} text=${text} />`} ${!isOwn && html`<${Download} id=${id} path=${path} />`}`}>
      ${text === null ? html`<p class="sub">This file is no text: ${number(it.bytes)} bytes, to be downloaded.</p>` : html`<${Text} text=${text} />`}
      ${it.part?.next && html`<p class="sub">The beginning is shown; the download has all of it.</p>`}
    <//>`;
  }}<//>`;
}

export function Files({ id, skill, route }) {
  const own = fileName(skill.path);
  const current = route.query.get("path") || own;
  const files = [{ path: own }, ...skill.resources.filter((it) => it.path !== own)];
  return html`<div class="files"><nav class="panel" aria-label="Files"><${Branch} place=${tree(files)} id=${id} current=${current} /><p class="sub">${size(skill.bytes)} in all</p></nav>
    <${File} key=${current} id=${id} path=${current} isOwn=${current === own} /></div>`;
}
