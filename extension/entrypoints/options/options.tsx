import { useEffect, useState } from "react";
import { type Answers, ask, type Status } from "@/lib/messages";
import { ConnectForm } from "@/lib/ui/connect-form";
import { Logo } from "@/lib/ui/logo";
import { Notice } from "@/lib/ui/notice";
import { useStatus } from "@/lib/ui/use-status";
import { t } from "@/lib/words";
import { Queue } from "./queue";
import { Shortcuts } from "./shortcuts";
import { Sites } from "./sites";

export function Options() {
  const [status, setStatus] = useStatus();
  if (!status) return <main className="page" aria-busy="true" />;
  return (
    <main className="page">
      <header>
        <Logo />
        <h1>{t("settings")}</h1>
      </header>
      {status.signedIn ? (
        <Connected status={status} onChange={setStatus} />
      ) : (
        <>
          {status.account && <Notice tone="warning">{t("sign_in_ended")}</Notice>}
          <ConnectForm status={status} onChange={setStatus} />
        </>
      )}
      <Queue status={status} onChange={setStatus} />
      <Sites status={status} onChange={setStatus} />
      <Shortcuts />
      <p className="hint">{t("privacy")}</p>
    </main>
  );
}

type Props = { status: Status; onChange: (status: Status) => void };

function Connected({ status, onChange }: Props) {
  const { problem, newer } = useCheck(status.base);
  return (
    <section className="card">
      {problem ? (
        <Notice tone="bad">{problem.text}</Notice>
      ) : (
        <Notice tone="good">{t("connected_to", status.base, status.account ?? "")}</Notice>
      )}
      {newer && (
        <Notice tone="warning">
          {t("newer_server", newer)}{" "}
          <a href={`${status.base}/extension`} target="_blank" rel="noopener noreferrer">
            {t("get_extension")}
          </a>
        </Notice>
      )}
      <div className="row">
        <a className="button" href={status.base} target="_blank" rel="noopener noreferrer">
          {t("open_web_app")}
        </a>
        <button
          type="button"
          className="button"
          onClick={() => ask({ type: "sign-out" }).then(onChange)}
        >
          {t("sign_out")}
        </button>
      </div>
      {problem && <ConnectForm status={status} onChange={onChange} />}
    </section>
  );
}

/** Checks once for each address whether the server answers. */
function useCheck(base: string): Answers["check"] {
  const [result, setResult] = useState<Answers["check"]>({});
  // biome-ignore lint/correctness/useExhaustiveDependencies: check again if the address changes
  useEffect(() => {
    setResult({});
    ask({ type: "check" }).then(setResult);
  }, [base]);
  return result;
}
