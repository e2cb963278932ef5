// The one place where a text becomes markup. The server has already let nothing through; here the result is parsed in a
// document that runs and loads nothing, and only what is known is copied out of it, element by element.
import { html, useEffect, useRef } from "../vendor/preact.js";
import { skillAt } from "./route.js";

const ELEMENTS = new Set(
  ("a p h2 h3 h4 h5 h6 ul ol li em strong del code pre blockquote hr br table thead tbody tr th td input").toUpperCase().split(" "),
);

const policy = globalThis.trustedTypes?.createPolicy("skillful-rendered", { createHTML: (text) => text });

function parsed(text) {
  const trusted = policy ? policy.createHTML(text) : text;
  return new DOMParser().parseFromString(trusted, "text/html").body;
}

function copy(from, into, id) {
  for (const node of from.childNodes) {
    if (node.nodeType === Node.TEXT_NODE) into.append(node.data);
    if (node.nodeType !== Node.ELEMENT_NODE) continue;
    if (!ELEMENTS.has(node.tagName)) copy(node, into, id);
    else into.append(element(node, id));
  }
}

function element(node, id) {
  const name = node.tagName.toLowerCase();
  const made = document.createElement(name);
  if (name === "a") link(made, node.getAttribute("href") ?? "", id);
  if (name === "input") {
    made.type = "checkbox";
    made.disabled = true;
    made.checked = node.hasAttribute("checked");
    made.ariaLabel = made.checked ? "done" : "to do";
    return made;
  }
  if (name === "ol" && node.hasAttribute("start")) made.start = Number(node.getAttribute("start")) || 1;
  if (name === "pre") made.tabIndex = 0;
  copy(node, made, id);
  if (name !== "table") return made;
  const frame = document.createElement("div");
  frame.className = "scroller";
  frame.tabIndex = 0;
  frame.append(made);
  return frame;
}

function link(made, href, id) {
  if (/^(https?:\/\/|mailto:)/i.test(href)) {
    made.href = href;
    made.rel = "noopener noreferrer nofollow";
    made.target = "_blank";
    made.className = "out";
  } else if (id && /^[^/\\:?#]+[^\\:]*$/.test(href)) {
    const path = href.split(/[?#]/)[0].replace(/^(\.\/)+/, "");
    made.href = skillAt(id, "files", { path: unescaped(path) });
  }
}

function unescaped(path) {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** A sanitised text of the server. Relative links lead to files of the skill `id`. */
export function Rendered({ text, id }) {
  const place = useRef(null);
  useEffect(() => {
    const fragment = document.createDocumentFragment();
    copy(parsed(text), fragment, id);
    place.current.replaceChildren(fragment);
  }, [text, id]);
  return html`<div class="prose" ref=${place}></div>`;
}
