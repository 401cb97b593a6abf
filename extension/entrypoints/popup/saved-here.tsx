import { useEffect, useState } from "react";
import type { Draft } from "@/lib/draft";
import { ask } from "@/lib/messages";
import type { SavedPage } from "@/lib/server/saved";
import { Notice } from "@/lib/ui/notice";
import { t } from "@/lib/words";

const SHOWN = 4;

type Props = { tab: number; draft: Draft | undefined; base: string };

/** When the page was saved, its tags and highlights; and a button to highlight what is selected. */
export function SavedHere({ tab, draft, base }: Props) {
  const [page, setPage] = useState<SavedPage | null>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  // Without a connection nothing is shown here; the form says what is wrong when it is used.
  useEffect(() => {
    ask({ type: "saved-page", tab }).then(setPage, () => undefined);
  }, [tab]);
  const hasSelection = draft?.kind === "text" && Boolean(draft.metadata.selection);
  async function highlight() {
    setBusy(true);
    setProblem("");
    await ask({ type: "highlight", tab }).then(setPage, (error) => setProblem(error.message));
    setBusy(false);
  }
  if (!page && !hasSelection) return null;
  return (
    <section className="saved-here" aria-label={page ? t("saved_on", day(page)) : t("highlights")}>
      {page && <Saved page={page} base={base} />}
      {hasSelection && (
        <button
          type="button"
          className="button"
          disabled={busy}
          aria-busy={busy}
          onClick={highlight}
        >
          {t("highlight_selection")}
        </button>
      )}
      {problem && <Notice tone="bad">{problem}</Notice>}
    </section>
  );
}

function Saved({ page, base }: { page: SavedPage; base: string }) {
  const { id, tags, highlights } = page;
  return (
    <>
      <p>
        <strong>{t("saved_on", day(page))}</strong>{" "}
        <a
          href={`${base}/memory/${encodeURIComponent(id)}/read`}
          target="_blank"
          rel="noopener noreferrer"
        >
          {t("open_saved")}
        </a>
      </p>
      {tags.length > 0 && <p className="muted">{tags.map((tag) => `#${tag}`).join(" ")}</p>}
      {highlights.length > 0 && (
        <ul aria-label={t("highlights")}>
          {highlights.slice(0, SHOWN).map((highlight) => (
            <li key={highlight.id} dir="auto">
              {highlight.quote}
              {highlight.note && <span className="muted"> {highlight.note}</span>}
            </li>
          ))}
          {highlights.length > SHOWN && <li className="muted">+{highlights.length - SHOWN}</li>}
        </ul>
      )}
    </>
  );
}

/** The day in the user's language, with the year if it is another one. */
function day({ savedAt }: SavedPage): string {
  const date = new Date(savedAt);
  const isThisYear = date.getFullYear() === new Date().getFullYear();
  const year = isThisYear ? {} : ({ year: "numeric" } as const);
  return new Intl.DateTimeFormat(t("language"), { day: "numeric", month: "long", ...year }).format(
    date,
  );
}
