// Asks for a token where the server wants one.
import { html, useEffect, useRef, useState } from "../../vendor/preact.js";
import { get, hasToken, setToken } from "../api.js";
import { useTitle, useWork } from "../hooks.js";
import { Button, Icon, Trouble } from "../parts.js";

export function SignIn({ problem, done }) {
  useTitle("Sign in");
  const [token, set] = useState("");
  const field = useRef(null);
  const work = useWork();
  useEffect(() => field.current.focus(), []);
  const submit = (event) => {
    event.preventDefault();
    work.run(async () => {
      setToken(token.trim());
      try {
        await get("/overview");
      } catch (error) {
        setToken(null);
        throw error;
      }
      done();
    });
  };
  const error = work.error ?? (hasToken() ? problem : null);
  return html`<main class="sign-in">
    <form class="panel" onSubmit=${submit}>
      <p class="brand"><${Icon} name="mark" /><span>Skillful</span></p>
      <h1 id="page-title">Sign in</h1>
      <p>This server wants to know who you are. Paste a token of yours.</p>
      <label for="token">Token</label>
      <input id="token" ref=${field} type="password" autocomplete="off" required value=${token} onInput=${(event) => set(event.currentTarget.value)} />
      <p class="sub">A token is made with <code>skillful token create NAME --scope read</code>. It is kept until this tab is closed, and nowhere else.</p>
      <${Trouble} error=${error} />
      <div class="dialog-actions"><${Button} type="submit" kind="main" icon="key" busy=${work.isBusy}>Sign in<//></div>
    </form>
  </main>`;
}
