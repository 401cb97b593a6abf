import { Settings } from "lucide-react";
import { useEffect, useState } from "react";
import { browser } from "wxt/browser";
import type { Draft } from "@/lib/draft";
import { ask, type SaveResult } from "@/lib/messages";
import { Logo } from "@/lib/ui/logo";
import { Notice } from "@/lib/ui/notice";
import { useStatus } from "@/lib/ui/use-status";
import { t } from "@/lib/words";
import { Bookmarks } from "./bookmarks";
import { QueueLine } from "./queue-line";
import { SaveForm } from "./save-form";
import { SavedHere } from "./saved-here";
import { Search } from "./search";

export function Popup() {
  const [status, setStatus] = useStatus();
  const [tab, setTab] = useState<number>();
  const [draft, setDraft] = useState<Draft>();
  const [problem, setProblem] = useState("");
  const [isWaiting, setWaiting] = useState(false);

  useEffect(() => {
    activeTab().then(async (id) => {
      setTab(id);
      if (id === undefined) return setProblem(t("problem_unreadable"));
      await ask({ type: "capture", tab: id }).then(setDraft, (error) => setProblem(error.message));
    });
  }, []);

  function onSaved(result?: SaveResult) {
    setWaiting(result?.status === "waiting");
    setStatus();
  }

  if (!status) return <main className="popup" aria-busy="true" />;
  return (
    <main className="popup">
      <header>
        <Logo />
        <button
          type="button"
          className="button quiet icon"
          aria-label={t("settings")}
          title={t("settings")}
          onClick={openOptions}
        >
          <Settings size={16} aria-hidden />
        </button>
      </header>
      {status.signedIn || status.account ? (
        <>
          {!status.signedIn && <SignInEnded waiting={status.queue.length} />}
          {status.signedIn && tab !== undefined && (
            <SavedHere tab={tab} draft={draft} base={status.base} />
          )}
          {problem ? (
            <Notice>{problem}</Notice>
          ) : (
            <SaveForm tab={tab} draft={draft} status={status} onSaved={onSaved} />
          )}
          {draft && tab !== undefined && <Bookmarks url={draft.url} tab={tab} />}
          {status.signedIn && !isWaiting && <QueueLine status={status} onChange={setStatus} />}
          {status.signedIn && <hr />}
          {status.signedIn && <Search />}
        </>
      ) : (
        <SignedOut waiting={status.queue.length} />
      )}
    </main>
  );
}

function SignedOut({ waiting }: { waiting: number }) {
  return (
    <div className="center">
      <h1>{t("not_connected")}</h1>
      <p className="muted">{t("not_connected_hint")}</p>
      {waiting > 0 && <Notice tone="warning">{t("waiting_for_sign_in", waiting)}</Notice>}
      <button type="button" className="button primary" onClick={openOptions}>
        {t("connect")}
      </button>
    </div>
  );
}

/** The page can still be saved; it waits until the user is connected again. */
function SignInEnded({ waiting }: { waiting: number }) {
  return (
    <Notice tone="warning">
      <p>{t("sign_in_ended")}</p>
      {waiting > 0 && <p>{t("waiting_for_sign_in", waiting)}</p>}
      <button type="button" className="button small" onClick={openOptions}>
        {t("connect")}
      </button>
    </Notice>
  );
}

const openOptions = () => browser.runtime.openOptionsPage();

/** The tab to save. In tests and in browsers without popups, the popup is opened in a tab and `?tab=` has the id. */
async function activeTab(): Promise<number | undefined> {
  const tab = new URLSearchParams(location.search).get("tab");
  if (tab) return Number(tab);
  return (await browser.tabs.query({ active: true, currentWindow: true }))[0]?.id;
}
