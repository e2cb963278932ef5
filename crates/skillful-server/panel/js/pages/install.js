// Getting skills: a source, a plan with what was found, a decision for each skill, and only then a change.
import { html, useEffect, useRef, useState } from "../../vendor/preact.js";
import { at, call, get } from "../api.js";
import { useDocument, useTitle, useWork } from "../hooks.js";
import { touch } from "../live.js";
import { Button, Empty, Icon, LinkButton, Notice, PageHead, Panel, Severity, Told, Trouble, Verdict, say } from "../parts.js";
import { skillAt, to } from "../route.js";
import { count, number, seen, sentence } from "../words.js";

const EXAMPLES = [
  ["owner/repo", "a repository on GitHub"],
  ["https://github.com/owner/repo/tree/main/skills/name", "one directory of it"],
  ["git@example.com:team/skills.git", "any git host, over ssh"],
  ["./skills or /path/to/skills", "a directory or an archive of this machine"],
  ["https://example.com/skill.zip", "an archive, or a SKILL.md"],
  ["hub:name", "a skill of a hub"],
];

const STEPS = { add: ["Add", "good"], replace: ["Replace", "warn"], nothing: ["Is there already", "mute"], refuse: ["Refused", "bad"] };
const POLL = 300;

function Form({ start, work }) {
  const [source, setSource] = useState("");
  const [client, setClient] = useState("");
  const [isGlobal, setGlobal] = useState(true);
  const [copy, setCopy] = useState(false);
  const clients = useDocument("/clients", { live: false });
  const submit = (event) => {
    event.preventDefault();
    start({ source: source.trim(), clients: client ? [client] : [], global: isGlobal, copy });
  };
  return html`<form class="panel install-form" onSubmit=${submit}>
    <label for="source">Where do the skills come from?</label>
    <div class="pair"><input id="source" class="mono" required value=${source} onInput=${(event) => setSource(event.currentTarget.value)} placeholder="owner/repo" autocomplete="off" autocapitalize="off" spellcheck=${false} />
      <${Button} type="submit" kind="main" icon="install" busy=${work.isBusy}>Look<//></div>
    <p class="sub">Nothing is changed before you have seen the plan.</p>
    <div class="controls">
      <label class="control"><span>Client</span><select value=${client} onChange=${(event) => setClient(event.currentTarget.value)}>
        <option value="">The usual</option>${(clients.data?.clients ?? []).map((it) => html`<option key=${it.id} value=${it.id}>${it.name}</option>`)}</select></label>
      <label class="tick"><input type="checkbox" checked=${isGlobal} onChange=${(event) => setGlobal(event.currentTarget.checked)} /> <span>For all projects</span></label>
      <label class="tick"><input type="checkbox" checked=${copy} onChange=${(event) => setCopy(event.currentTarget.checked)} /> <span>Copy instead of link</span></label>
    </div>
    <${Trouble} error=${work.error} />
    <details><summary>What can be typed here</summary>
      <dl class="facts">${EXAMPLES.map(([form, what]) => html`<dt class="mono">${form}</dt><dd>${what}</dd>`)}</dl></details>
  </form>`;
}

function Progress({ state, progress, cancel }) {
  const { phase, line, done, total } = progress ?? {};
  const share = total ? Math.round((100 * (done ?? 0)) / total) : null;
  const words = sentence(seen(phase ?? (state === "applying" ? "placing" : "fetching")));
  return html`<${Panel} title=${state === "applying" ? "Placing the skills" : "Looking at the source"} aside=${state === "fetching" && html`<${Button} kind="small" onClick=${cancel}>Cancel<//>`}>
    <div class=${`meter ${share === null ? "moving" : ""}`} role="progressbar" aria-label="Progress" aria-valuenow=${share ?? undefined}><span style=${{ width: `${share ?? 30}%` }}></span></div>
    <p class="steps" role="status">${words}${total ? `, ${number(done)} of ${number(total)}` : done ? `, ${number(done)}` : ""}</p>
    ${line && html`<p class="sub mono"><bdi>${seen(line)}</bdi></p>`}
  <//>`;
}

/** Whether it can be placed at all. */
const isPlaceable = (skill) => skill.step === "add" || skill.step === "replace";

/** Whether a person has to have looked at it. */
const isAsked = (skill) => skill.decision === "ask";

function Planned({ skill, isChosen, choose }) {
  const [label, tone] = STEPS[skill.step] ?? [seen(skill.step), "mute"];
  const canBe = isPlaceable(skill);
  const needsWord = canBe && isAsked(skill);
  const refusedByGuard = skill.step === "refuse" && skill.verdict === "dangerous";
  return html`<li class=${`planned ${tone}`} data-id=${skill.id}>
    <div class="planned-head">
      <label class="tick"><input type="checkbox" checked=${isChosen} disabled=${!canBe} onChange=${(event) => choose(event.currentTarget.checked)} />
        <bdi class="mono strong">${seen(skill.id)}</bdi></label>
      <${Verdict} verdict=${skill.verdict} /><span class=${`mark ${tone}`}>${label}</span>
    </div>
    ${skill.reason && html`<${Notice} tone=${refusedByGuard ? "bad" : "warn"} title=${html`<${Told} text=${skill.reason} />`}>${skill.help && html`<p><${Told} text=${skill.help} /></p>`}<//>`}
    ${skill.placements.length > 0 && html`<div><h4>Where it goes</h4><ul class="plain-list">${skill.placements.map((it) => html`<li><bdi class="mono">${seen(it.path)}</bdi> <span class="sub">${it.client ? `${seen(it.client)}, ` : ""}${seen(it.method)}${it.changes ? "" : ", as it is"}</span></li>`)}</ul></div>`}
    ${skill.capabilities.length > 0 && html`<div><h4>What it asks for or brings</h4><ul class="chips">${skill.capabilities.map((it) => html`<li><span class="chip mono"><bdi>${seen(it)}</bdi></span></li>`)}</ul></div>`}
    ${skill.findings.length > 0 && html`<details open=${skill.verdict !== "safe"}><summary>${count(skill.findings.length, "finding")} of the guard</summary>
      <ul class="plain-list">${skill.findings.map((it) => html`<li><${Severity} severity=${it.severity} /> <span class="mono">${seen(it.rule)}</span> <span class="sub"><bdi>${seen(it.path)}</bdi>:${it.line}, ${it.confidence} confidence</span></li>`)}</ul></details>`}
    ${skill.faults?.length > 0 && html`<details><summary>${count(skill.faults.length, "departure")} from the standard</summary><ul class="plain-list">${skill.faults.map((it) => html`<li><${Told} text=${it} /></li>`)}</ul></details>`}
    ${skill.left_out?.length > 0 && html`<p class="sub">Left out: <bdi class="mono">${seen(skill.left_out.join(", "))}</bdi></p>`}
    ${needsWord && html`<p class="sub">It is placed only when you tick it: you then accept exactly these files <span class="mono">${seen(skill.digest).slice(0, 19)}…</span></p>`}
  </li>`;
}

function Plan({ skills, notes, apply, cancel, work }) {
  const [chosen, setChosen] = useState(() => new Set(skills.filter((it) => isPlaceable(it) && !isAsked(it)).map((it) => it.id)));
  const choose = (id, on) => {
    const next = new Set(chosen);
    if (on) next.add(id);
    else next.delete(id);
    setChosen(next);
  };
  if (skills.length === 0) return html`<${Empty} icon="search" title="No skill was found there."><p><${Button} onClick=${cancel}>Try another source<//></p><//>`;
  const submit = () => apply(skills.filter((it) => chosen.has(it.id)));
  return html`<${Panel} title="The plan" aside=${count(skills.length, "skill")} id="plan">
    ${notes.map((note) => html`<${Notice}><p><${Told} text=${note} /></p><//>`)}
    <ul class="plan">${skills.map((skill) => html`<${Planned} key=${skill.id + skill.path} skill=${skill} isChosen=${chosen.has(skill.id)} choose=${(on) => choose(skill.id, on)} />`)}</ul>
    <${Trouble} error=${work.error} />
    <div class="dialog-actions"><${Button} onClick=${cancel}>Cancel<//>
      <${Button} kind="main" icon="install" disabled=${chosen.size === 0} busy=${work.isBusy} onClick=${submit}>${chosen.size === 0 ? "Nothing chosen" : `Install ${count(chosen.size, "skill")}`}<//></div>
  <//>`;
}

function Result({ plan, again }) {
  const work = useWork();
  const [undone, setUndone] = useState(false);
  const placed = plan.placed ?? [];
  const undo = () =>
    work.run(async () => {
      await call("POST", at(["history", String(plan.seq), "undo"]));
      setUndone(true);
      say("The installation was undone.");
      touch();
    });
  return html`<${Panel} title=${undone ? "Undone" : placed.length > 0 ? "Installed" : "Nothing was changed"}>
    ${placed.length > 0 && !undone && html`<ul class="chips">${placed.map((id) => html`<li><a class="chip mono" href=${skillAt(id)}><bdi>${seen(id)}</bdi></a></li>`)}</ul>`}
    ${undone && html`<p>Everything is as it was before.</p>`}
    <${Trouble} error=${work.error} />
    <div class="dialog-actions"><${LinkButton} href=${to("history")} icon="history">History<//>
      ${plan.seq && !undone && html`<${Button} icon="undo" busy=${work.isBusy} onClick=${undo}>Undo<//>`}
      <${Button} kind="main" onClick=${again}>Install more<//></div>
  <//>`;
}

/** Follows a plan until it rests; a plan that was only narrowed down is done as soon as it is the one that was agreed to. */
function useJob(work) {
  const [job, setJob] = useState(null);
  const id = job?.id;
  const isMoving = job && ["fetching", "applying"].includes(job.state);
  useEffect(() => {
    if (!isMoving) return undefined;
    const controller = new AbortController();
    const timer = setInterval(() => {
      get(at(["plans", id]), controller.signal).then(
        (next) => setJob((old) => (old?.id === id ? { ...old, ...next } : old)),
        (error) => error.name !== "AbortError" && setJob((old) => ({ ...old, state: "failed", error })),
      );
    }, POLL);
    return () => {
      clearInterval(timer);
      controller.abort();
    };
  }, [id, isMoving]);
  useEffect(() => {
    if (job?.state === "done") touch();
    if (job?.state !== "ready" || !job.agreed) return;
    const { skills } = job.document.plan;
    const isSame = skills.every((it) => job.agreed.includes(it.digest));
    if (isSame) decide(job.id, skills);
    else setJob({ ...job, agreed: null, notice: "The source has changed in the meantime. Look at the plan again." });
  }, [id, job?.state]);
  const decide = (plan, skills) =>
    work.run(async () => {
      const digests = skills.filter((it) => isPlaceable(it) && isAsked(it)).map((it) => it.digest);
      const next = await call("POST", at(["plans", plan, "apply"]), { digests });
      setJob((old) => ({ ...old, agreed: null, ...next }));
    });
  const propose = (wanted, agreed = null) => work.run(async () => setJob({ wanted, agreed, ...(await call("POST", "/plans", wanted)) }));
  const drop = () => {
    if (id) call("DELETE", at(["plans", id])).catch(() => {});
  };
  return { job, setJob, propose, decide, drop };
}

export function Install() {
  useTitle("Install");
  const work = useWork();
  const place = useRef(null);
  const { job, setJob, propose, decide, drop } = useJob(work);
  useEffect(() => {
    if (job) place.current?.focus();
  }, [job?.state]);
  const apply = (chosen) => {
    const can = job.document.plan.skills.filter(isPlaceable);
    if (can.every((it) => chosen.includes(it))) return decide(job.id, chosen);
    // Only some of them: a plan of these alone.
    drop();
    return propose({ ...job.wanted, skills: chosen.map((it) => it.id) }, chosen.map((it) => it.digest));
  };
  const cancel = () => {
    drop();
    setJob(null);
    work.clear();
  };
  const isMoving = job && (["fetching", "applying"].includes(job.state) || job.agreed);
  const failure = job?.error ?? (job?.failure && { message: job.failure.message ?? job.failure.detail, hints: job.failure.hints });
  return html`<${PageHead} title="Install" sub="Skills of others are scanned before anything of them is placed." />
    ${(!job || job.state === "failed") && html`<${Form} start=${propose} work=${work} />`}
    <div ref=${place} tabindex="-1" class="job">
      ${job?.notice && html`<${Notice} tone="warn" title=${job.notice} />`}
      ${isMoving && html`<${Progress} state=${job.state} progress=${job.progress} cancel=${cancel} />`}
      ${job?.state === "failed" && html`<${Trouble} error=${failure ?? { message: "It failed.", hints: [] }} />`}
      ${job?.state === "ready" && !job.agreed && html`<${Plan} key=${job.id} skills=${job.document.plan.skills} notes=${job.document.notes ?? []} apply=${apply} cancel=${cancel} work=${work} />`}
      ${job?.state === "done" && html`<${Result} plan=${job.document} again=${() => setJob(null)} />`}
    </div>`;
}
