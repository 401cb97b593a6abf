import { ask, type Status } from "@/lib/messages";
import { Notice } from "@/lib/ui/notice";
import { t } from "@/lib/words";

type Props = { status: Status; onChange: (status: Status) => void };

/** How many items wait, and those that the server refused. */
export function QueueLine({ status, onChange }: Props) {
  const failed = status.queue.filter(({ state }) => state === "failed");
  const waiting = status.queue.length - failed.length;
  if (!status.queue.length) return null;
  const act = (action: "retry" | "drop") => ask({ type: "queue", action }).then(onChange);
  if (!failed.length) return <Notice tone="warning">{t("waiting", waiting)}</Notice>;
  return (
    <Notice tone="bad">
      <p>{t("refused", failed.length, failed[0]?.problem ?? "")}</p>
      <div className="row">
        <button type="button" className="button small" onClick={() => act("retry")}>
          {t("retry")}
        </button>
        <button type="button" className="button small" onClick={() => act("drop")}>
          {t("drop")}
        </button>
      </div>
    </Notice>
  );
}
