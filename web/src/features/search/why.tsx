import { percent } from "~/lib/format";
import { t } from "~/lib/language";
import type { Parts } from "./recall";

const FORMS: Record<string, [strong: string, weak: string]> = {
  vector: [t("Similar meaning"), t("Different meaning")],
  text: [t("Contains your words"), t("Lacks your words")],
  recency: [t("Recent"), t("Old")],
  reader: [t("The reader finds an answer"), t("The reader finds no answer")],
};
/** The highest share of the score that each part can have; search uses the same weights. */
const WEIGHTS = { vector: 0.6, text: 0.4, recency: 0.1 } as const;

const HINTS: Record<string, string> = {
  words: t("your words in it or in the sentences around it"),
  speaker: t("said by the person you asked about"),
  in_time: t("from the time you asked about"),
  tells_time: t("a date or time"),
  asks: t("a question, which lowers the rank"),
  answers: t("follows a question like yours"),
  thread_score: t("close to other sentences that match"),
  exact: t("the exact phrase"),
  titled: t("a matching title"),
  named: t("mentioned by another result"),
  prefer_newer: t("newer than what it replaces"),
};

const NEGATIVE_HINTS: Record<string, string> = { prefer_newer: t("replaced by a newer result") };

type Part = { name: string; share: number };

function partsOf(parts: Parts): Part[] {
  const weighed: [string, number][] = [
    ["vector", WEIGHTS.vector * parts.vector],
    ["text", WEIGHTS.text * parts.text],
    ["recency", Math.min(WEIGHTS.recency, parts.recency)],
    ["reader", parts.reader ?? 0],
  ];
  const counted = weighed.filter(([, value]) => Math.abs(value) >= 0.005);
  const total = counted.reduce((sum, [, value]) => sum + Math.abs(value), 0) || 1;
  return counted.map(([key, value]) => ({
    name: FORMS[key]?.[value < 0 ? 1 : 0] ?? key,
    share: value / total,
  }));
}

function hintsOf({ evidence }: Parts): string[] {
  const signals = Object.entries(evidence as Record<string, number>);
  return signals
    .filter(([, value]) => Math.abs(value) >= 0.05)
    .sort(([, a], [, b]) => Math.abs(b) - Math.abs(a))
    .map(
      ([key, value]) =>
        (value < 0 ? NEGATIVE_HINTS[key] : HINTS[key]) ?? HINTS[key] ?? key.replaceAll("_", " "),
    );
}

/** The parts of the score in percent, and the signals found in the text. */
export function Why({ parts }: { parts: Parts }) {
  const hints = hintsOf(parts);
  return (
    <div className="mt-2 max-w-lg rounded-md border bg-bg p-3 text-xs">
      <p className="mb-2 text-muted">
        {t("What the rank consists of, together {all}", { all: percent(1) })}
      </p>
      <dl className="grid grid-cols-[auto_1fr_auto] items-center gap-x-3 gap-y-1">
        {partsOf(parts).map(({ name, share }) => (
          <div key={name} className="contents">
            <dt>{name}</dt>
            <dd className="h-1.5 overflow-hidden rounded-full bg-raised">
              <div
                className={share < 0 ? "h-full bg-danger" : "h-full bg-accent"}
                style={{ width: `${Math.abs(share) * 100}%` }}
              />
            </dd>
            <dd className="text-end tabular-nums">{percent(share)}</dd>
          </div>
        ))}
      </dl>
      {hints.length > 0 && (
        <p className="mt-2 text-muted">{t("Signals: {signals}.", { signals: hints.join("; ") })}</p>
      )}
    </div>
  );
}
