import type { Parts } from "./recall";

const FORMS: Record<string, [strong: string, weak: string]> = {
  vector: ["It means what you asked", "Its meaning"],
  text: ["It has your words", "Its words"],
  recency: ["It is recent", "Its age"],
  reader: ["Read closely, it answers", "Read closely, it does not answer"],
};
/** How much of the score each part can be; search weighs them so. */
const MOST = { vector: 0.6, text: 0.4, recency: 0.1 } as const;

const HINTS: Record<string, string> = {
  words: "your words, or the sentences around it have them",
  speaker: "said by the person you asked about",
  in_time: "from the time you asked about",
  tells_time: "names a date or time",
  asks: "a question itself, which counts against it",
  answers: "follows a question like yours",
  thread_score: "near other sentences that match",
  exact: "the exact phrase",
  titled: "the title matches",
  named: "named by another result",
  prefer_newer: "newer than what it replaces",
};

const AGAINST: Record<string, string> = { prefer_newer: "replaced by a newer result" };

type Part = { name: string; share: number };

function partsOf(parts: Parts): Part[] {
  const weighed: [string, number][] = [
    ["vector", MOST.vector * parts.vector],
    ["text", MOST.text * parts.text],
    ["recency", Math.min(MOST.recency, parts.recency)],
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
  const found = Object.entries(evidence as Record<string, number>);
  return found
    .filter(([, value]) => Math.abs(value) >= 0.05)
    .sort(([, a], [, b]) => Math.abs(b) - Math.abs(a))
    .map(
      ([key, value]) =>
        (value < 0 ? AGAINST[key] : HINTS[key]) ?? HINTS[key] ?? key.replaceAll("_", " "),
    );
}

/** Each part of the score as its share of the whole, and what was found in the text. */
export function Why({ parts }: { parts: Parts }) {
  const hints = hintsOf(parts);
  return (
    <div className="mt-2 max-w-lg rounded-md border bg-bg p-3 text-xs">
      <p className="mb-2 text-muted">What its place in the list is made of, together 100 %</p>
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
            <dd className="text-end tabular-nums">{Math.round(share * 100)} %</dd>
          </div>
        ))}
      </dl>
      {hints.length > 0 && <p className="mt-2 text-muted">Found in it: {hints.join("; ")}.</p>}
    </div>
  );
}
