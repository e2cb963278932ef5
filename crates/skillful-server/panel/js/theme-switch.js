// Light, dark, or as the system has it.
import { html, useState } from "../vendor/preact.js";
import { Icon } from "./parts.js";

const NEXT = { auto: "light", light: "dark", dark: "auto" };
const NAMES = { auto: "as the system", light: "light", dark: "dark" };
const ICONS = { auto: "auto", light: "sun", dark: "moon" };

export function ThemeSwitch() {
  const [theme, set] = useState(document.documentElement.dataset.theme ?? "auto");
  const change = () => {
    const next = NEXT[theme];
    set(next);
    if (next === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = next;
    try {
      if (next === "auto") localStorage.removeItem("skillful-theme");
      else localStorage.setItem("skillful-theme", next);
    } catch {
      // It holds until the page is closed.
    }
  };
  const label = `Appearance: ${NAMES[theme]}. Change to ${NAMES[NEXT[theme]]}`;
  return html`<button type="button" class="plain theme" onClick=${change} aria-label=${label} title=${label}><${Icon} name=${ICONS[theme]} /></button>`;
}
