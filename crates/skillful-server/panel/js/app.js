// The frame of the page: navigation, search, state of the connection, and the page that the address names.
import { html, render, useEffect, useRef, useState } from "../vendor/preact.js";
import { onSignInNeeded } from "./api.js";
import { connect, useLive } from "./live.js";
import { useDocument } from "./hooks.js";
import { Button, Dialog, Icon, Toasts } from "./parts.js";
import { go, setGuard, to, useRoute } from "./route.js";
import { ThemeSwitch } from "./theme-switch.js";
import { SignIn } from "./pages/signin.js";
import { Overview } from "./pages/overview.js";
import { Catalog } from "./pages/catalog.js";
import { Skill } from "./pages/skill.js";
import { Install } from "./pages/install.js";
import { Prompt } from "./pages/prompt.js";
import { History } from "./pages/history.js";
import { Events } from "./pages/events.js";
import { Settings } from "./pages/settings.js";
import { Missing } from "./pages/missing.js";

const PAGES = {
  "": { title: "Overview", icon: "overview", page: Overview },
  skills: { title: "Catalog", icon: "catalog", page: Catalog },
  install: { title: "Install", icon: "install", page: Install },
  prompt: { title: "Prompt", icon: "prompt", page: Prompt },
  history: { title: "History", icon: "history", page: History },
  events: { title: "Events", icon: "events", page: Events },
  settings: { title: "Settings", icon: "settings", page: Settings },
};

function Navigation({ here, attention, isOpen, close }) {
  const current = here === "skill" ? "skills" : here;
  const item = ([path, { title, icon }]) => html`<li key=${path}>
    <a href=${to(path ? [path] : [])} aria-current=${path === current ? "page" : undefined} onClick=${close}>
      <${Icon} name=${icon} /><span>${title}</span>
      ${path === "" && attention > 0 && html`<span class="count" title="need attention">${attention}<span class="hidden"> need attention</span></span>`}
    </a>
  </li>`;
  return html`<nav id="navigation" aria-label="Pages" class=${isOpen ? "open" : ""}><ul>${Object.entries(PAGES).map(item)}</ul></nav>`;
}

/** Search as you type: the catalog follows each letter. */
function Search({ route }) {
  const field = useRef(null);
  const isCatalog = route.segments[0] === "skills";
  const [text, set] = useState(isCatalog ? route.query.get("text") ?? "" : "");
  useEffect(() => {
    if (document.activeElement !== field.current) set(isCatalog ? route.query.get("text") ?? "" : "");
  }, [route.key]);
  useEffect(() => {
    const focus = (event) => {
      const isTyping = event.target.closest?.("input, textarea, select, dialog, [contenteditable]");
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
      event.preventDefault();
      field.current.focus();
      field.current.select();
    };
    addEventListener("keydown", focus);
    return () => removeEventListener("keydown", focus);
  }, []);
  const type = (event) => {
    const text = event.currentTarget.value;
    set(text);
    const others = isCatalog ? Object.fromEntries(route.query) : {};
    delete others.page;
    go(to("skills", { ...others, text }), { replace: isCatalog });
  };
  const submit = (event) => {
    event.preventDefault();
    document.querySelector("#page-title")?.focus();
  };
  return html`<form class="search" role="search" onSubmit=${submit}>
    <${Icon} name="search" />
    <input ref=${field} type="search" value=${text} onInput=${type} placeholder="Search skills" aria-label="Search skills" aria-keyshortcuts="/" autocomplete="off" spellcheck=${false} />
    <kbd aria-hidden="true">/</kbd>
  </form>`;
}

function Connection({ live }) {
  const lost = live.status === "lost";
  return html`<div role="status" aria-live="polite">
    ${lost && html`<p class="banner"><${Icon} name="warning" /><span>The connection to the server is lost. What you see may be out of date; trying again…</span>
      <${Button} kind="small" onClick=${connect}>Try now<//></p>`}
  </div>`;
}

/** Asks before unsaved changes are left behind. */
function Leaving({ leave, stay }) {
  return html`<${Dialog} title="Leave without saving?" onClose=${stay}>
    <p>What you changed in the editor is not saved, and would be lost.</p>
    <div class="dialog-actions">
      <${Button} onClick=${stay}>Keep editing<//>
      <${Button} kind="bad" onClick=${leave}>Leave and lose the changes<//>
    </div>
  <//>`;
}

function App() {
  const route = useRoute();
  const live = useLive();
  const overview = useDocument("/overview");
  const [isOpen, setOpen] = useState(false);
  const [signIn, setSignIn] = useState(null);
  const [leave, setLeave] = useState(null);
  const [guard, setGuardFlag] = useState(false);
  useEffect(() => onSignInNeeded((problem) => setSignIn(problem)), []);
  useEffect(() => {
    connect();
  }, []);
  useEffect(() => {
    setGuard(guard ? (go) => setLeave(() => go) : null);
    return () => setGuard(null);
  }, [guard]);

  const [here = "", ...rest] = route.segments;
  const where = route.segments.join("/");
  const isFirst = useRef(true);
  useEffect(() => {
    setOpen(false);
    if (isFirst.current) {
      isFirst.current = false;
      return;
    }
    scrollTo(0, 0);
    document.querySelector("#page-title")?.focus({ preventScroll: true });
  }, [here, rest[0]]);

  const Page = here === "skill" && rest[0] ? Skill : PAGES[here]?.page ?? Missing;
  const skip = (event) => {
    event.preventDefault();
    document.querySelector("#content").focus();
  };
  const signedIn = () => {
    setSignIn(null);
    location.reload();
  };
  if (signIn) return html`<${SignIn} problem=${signIn} done=${signedIn} />`;
  return html`<a class="skip" href="#content" onClick=${skip}>Skip to the content</a>
    <header class="top">
      <button type="button" class="plain menu" aria-expanded=${isOpen} aria-controls="navigation" aria-label="Pages" onClick=${() => setOpen(!isOpen)}>
        <${Icon} name=${isOpen ? "close" : "menu"} />
      </button>
      <a class="brand" href="#/" aria-label="Skillful, overview"><${Icon} name="mark" /><span>Skillful</span></a>
      <${Search} route=${route} />
      <span class=${`pulse ${live.status}`} title=${live.status === "open" ? "Live: changes appear by themselves" : "Not connected"}>
        <span class="hidden">${live.status === "open" ? "Live" : "Not connected"}</span>
      </span>
      <${ThemeSwitch} />
    </header>
    <${Connection} live=${live} />
    <div class="columns">
      <${Navigation} here=${here} attention=${overview.data?.attention?.length ?? 0} isOpen=${isOpen} close=${() => setOpen(false)} />
      <main id="content" tabindex="-1">
        <${Page} key=${here === "skill" ? `skill/${rest[0]}` : here} route=${route} id=${rest[0]} side=${rest.slice(1)} overview=${overview} where=${where} setUnsaved=${setGuardFlag} />
      </main>
    </div>
    ${leave && html`<${Leaving} stay=${() => setLeave(null)} leave=${() => {
      setLeave(null);
      setGuardFlag(false);
      leave();
    }} />`}
    <${Toasts} />`;
}

const place = document.querySelector("#app");
place.replaceChildren();
render(html`<${App} />`, place);
