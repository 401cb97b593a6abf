import { type FormEvent, useState } from "react";
import { browser } from "wxt/browser";
import { ask, type Status } from "../messages";
import { parseBase, permissionFor } from "../server/address";
import { DEFAULT_BASE } from "../settings";
import { t } from "../words";
import { Notice } from "./notice";
import { parsePairing } from "./pairing";

type Props = { status: Status; onChange: (status: Status) => void };

/** Connects with the server's address, or with a key or a pairing code. */
export function ConnectForm({ status, onChange }: Props) {
  const [base, setBase] = useState(status.base || DEFAULT_BASE);
  const [code, setCode] = useState("");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");

  async function connect(event: FormEvent) {
    event.preventDefault();
    setProblem("");
    try {
      const target = code.trim() ? parsePairing(code, base) : { base: parseBase(base) };
      const pattern = permissionFor(target.base);
      // First, because permissions can be requested only during the click.
      if (pattern && !(await browser.permissions.request({ origins: [pattern] }))) {
        return setProblem(t("problem_permission"));
      }
      setBusy(true);
      onChange(await ask({ type: "sign-in", ...target }));
    } catch (error) {
      setProblem((error as Error).message);
    } finally {
      setBusy(false);
    }
  }

  return (
    <form className="card" onSubmit={connect}>
      <div className="field">
        <label htmlFor="base">{t("server_address")}</label>
        <div className="row">
          <input
            id="base"
            className="input grow"
            value={base}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => setBase(event.target.value)}
          />
          <button type="submit" className="button primary" disabled={busy} aria-busy={busy}>
            {busy ? t("connecting") : t("connect")}
          </button>
        </div>
        <p className="hint">{t("server_hint")}</p>
      </div>
      <details>
        <summary>{t("key_instead")}</summary>
        <div className="field">
          <label htmlFor="code">{t("key_label")}</label>
          <input
            id="code"
            className="input"
            type="password"
            value={code}
            autoComplete="off"
            onChange={(event) => setCode(event.target.value)}
          />
          <p className="hint">{t("key_hint")}</p>
        </div>
      </details>
      {problem && <Notice tone="bad">{problem}</Notice>}
    </form>
  );
}
