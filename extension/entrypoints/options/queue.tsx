import { ask, type Status } from "@/lib/messages";
import { t } from "@/lib/words";

type Props = { status: Status; onChange: (status: Status) => void };

/** The items that are not saved yet, with the reason. */
export function Queue({ status, onChange }: Props) {
  if (!status.queue.length) return null;
  const act = (action: "retry" | "drop", id: string) =>
    ask({ type: "queue", action, id }).then(onChange);
  return (
    <section className="card">
      <h2>{t("not_saved_yet")}</h2>
      <ul className="lines">
        {status.queue.map(({ id, title, problem }) => (
          <li key={id}>
            <div className="grow">
              <span dir="auto">{title}</span>
              {problem && <p>{problem}</p>}
            </div>
            <button type="button" className="button small" onClick={() => act("retry", id)}>
              {t("retry")}
            </button>
            <button type="button" className="button small" onClick={() => act("drop", id)}>
              {t("drop")}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
