// A text field with line numbers, on which the lines with something wrong are marked.
import { html, useEffect, useRef } from "../../vendor/preact.js";

const WORST = { error: 3, warning: 2, info: 1 };

/** Lines that are marked, each with the worst that is there. */
function marked(marks) {
  const lines = new Map();
  for (const { line, severity } of marks) {
    const known = lines.get(line);
    if (!known || WORST[severity] > WORST[known]) lines.set(line, severity);
  }
  return lines;
}

export function TextField({ api, value, change, readOnly, marks }) {
  const field = useRef(null);
  const gutter = useRef(null);
  // After Escape a Tab leaves the field, as for everybody who works without a mouse.
  const isLeaving = useRef(false);
  useEffect(() => {
    api.current = {
      jump(line, column) {
        const lines = field.current.value.split("\n");
        const before = lines.slice(0, line - 1).reduce((sum, it) => sum + it.length + 1, 0);
        const place = Math.min(before + column - 1, field.current.value.length);
        field.current.focus();
        field.current.setSelectionRange(place, before + (lines[line - 1]?.length ?? 0));
        const height = field.current.scrollHeight / Math.max(1, lines.length);
        field.current.scrollTop = Math.max(0, (line - 4) * height);
      },
    };
  }, []);
  const scroll = () => {
    gutter.current.scrollTop = field.current.scrollTop;
  };
  const keys = (event) => {
    if (event.key === "Escape") isLeaving.current = true;
    else if (event.key !== "Tab") isLeaving.current = false;
    else if (!isLeaving.current && !event.shiftKey && !readOnly) {
      event.preventDefault();
      // The one way that keeps the browser's own undo.
      document.execCommand("insertText", false, "  ");
    }
  };
  const lines = marked(marks);
  const numbers = Array.from({ length: value.split("\n").length }, (_, index) => index + 1);
  return html`<div class="text-field">
    <pre class="gutter" ref=${gutter} aria-hidden="true">${numbers.map((line) => html`<span key=${line} class=${lines.get(line) ?? ""}>${line}\n</span>`)}</pre>
    <textarea ref=${field} id="editor" aria-label="Text of SKILL.md" class="mono" wrap="off" spellcheck=${false} autocomplete="off" autocapitalize="off"
      value=${value} readOnly=${readOnly} onInput=${(event) => change(event.currentTarget.value)} onScroll=${scroll} onKeyDown=${keys}></textarea>
  </div>`;
}
