import { type ReactNode, useEffect, useState } from "react";
import { ask, type Hit } from "@/lib/messages";
import { ConnectForm } from "@/lib/ui/connect-form";
import { Logo } from "@/lib/ui/logo";
import { Notice } from "@/lib/ui/notice";
import { useStatus } from "@/lib/ui/use-status";
import { t } from "@/lib/words";

/** The page after the installation: connect, save something, find it again. */
export function Welcome() {
  const [status, setStatus] = useStatus();
  const [saved, setSaved] = useState(false);
  if (!status) return <main className="page" aria-busy="true" />;
  return (
    <main className="page">
      <header>
        <Logo />
        <h1>{t("welcome")}</h1>
        <p className="lead">{t("welcome_lead")}</p>
      </header>
      <ol className="steps">
        <Step done={status.signedIn} title={t("step_connect")}>
          {status.signedIn ? (
            <p>{t("connected_to", status.base, status.account ?? "")}</p>
          ) : (
            <ConnectForm status={status} onChange={setStatus} />
          )}
        </Step>
        <Step done={saved} title={t("step_save")}>
          <p>{t("step_save_hint")}</p>
          {status.signedIn && <FirstNote onSaved={() => setSaved(true)} />}
        </Step>
        <Step done={false} title={t("step_recall")}>
          <p>{t("step_recall_hint")}</p>
          {saved && <LatestMemory />}
        </Step>
      </ol>
      <p className="hint">{t("privacy")}</p>
    </main>
  );
}

function Step({ done, title, children }: { done: boolean; title: string; children: ReactNode }) {
  return (
    <li className={done ? "step done" : "step"}>
      <div className="body">
        <h2>{title}</h2>
        {children}
      </div>
    </li>
  );
}

function FirstNote({ onSaved }: { onSaved: () => void }) {
  const [text, setText] = useState("");
  const [problem, setProblem] = useState("");
  async function save() {
    const metadata = { captured_at: new Date().toISOString() };
    const draft = {
      kind: "note" as const,
      title: "",
      content: text.trim(),
      url: "" as const,
      metadata,
    };
    try {
      await ask({ type: "save", draft, choices: {} });
      setProblem("");
      onSaved();
    } catch (error) {
      setProblem((error as Error).message);
    }
  }
  return (
    <>
      <div className="row">
        <input
          className="input grow"
          aria-label={t("first_note")}
          placeholder={t("first_note_hint")}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <button type="button" className="button" disabled={!text.trim()} onClick={save}>
          {t("save_to_memory")}
        </button>
      </div>
      {problem && <Notice tone="bad">{problem}</Notice>}
    </>
  );
}

function LatestMemory() {
  const [hits, setHits] = useState<Hit[]>([]);
  useEffect(() => {
    ask({ type: "recall", query: "", limit: 1 }).then(setHits, () => undefined);
  }, []);
  return hits[0] ? <Notice tone="good">{hits[0].text}</Notice> : null;
}
