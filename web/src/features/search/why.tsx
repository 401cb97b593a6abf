import type { Parts } from "./recall";

const NAMES: Record<string, string> = {
  vector: "Meaning",
  text: "Words",
  recency: "Recent",
  reader: "Read by the model",
  relevance: "Relevance",
};

type Part = { name: string; value: number };

function partsOf(parts: Parts): Part[] {
  const main = (["vector", "text", "recency", "reader", "relevance"] as const)
    .map((key) => ({ name: NAMES[key] ?? key, value: Number(parts[key] ?? 0) }))
    .filter((part) => part.value !== 0);
  const evidence = Object.entries(parts.evidence as Record<string, number>).map(([key, value]) => ({
    name: key.replaceAll("_", " "),
    value: Number(value),
  }));
  return [...main, ...evidence];
}

/** Each part of a score as a bar. */
export function Why({ parts }: { parts: Parts }) {
  const shown = partsOf(parts);
  const top = Math.max(1, ...shown.map((part) => Math.abs(part.value)));
  return (
    <dl className="mt-2 grid max-w-md grid-cols-[auto_1fr_auto] items-center gap-x-3 gap-y-1 rounded-md border bg-bg p-3 text-xs">
      {shown.map(({ name, value }) => (
        <div key={name} className="contents">
          <dt className="text-muted first-letter:uppercase">{name}</dt>
          <dd className="h-1.5 overflow-hidden rounded-full bg-raised">
            <div
              className={value < 0 ? "h-full bg-danger" : "h-full bg-accent"}
              style={{ width: `${(Math.abs(value) / top) * 100}%` }}
            />
          </dd>
          <dd className="text-end tabular-nums">{value.toFixed(2)}</dd>
        </div>
      ))}
    </dl>
  );
}
