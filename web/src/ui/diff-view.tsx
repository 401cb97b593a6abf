import { diffLines, diffWordsWithSpace } from "diff";
import { locale } from "~/lib/language";

type Props = {
  before: string;
  after: string;
  beforeLabel: string;
  afterLabel: string;
};
type Line = { key: string; left: string | null; right: string | null };

/** Pairs removed and added lines, to show them side by side. */
function linesOf(before: string, after: string): Line[] {
  const lines: Line[] = [];
  let removed: string[] = [];
  const flush = (added: string[]) => {
    const count = Math.max(removed.length, added.length);
    for (let i = 0; i < count; i += 1) {
      lines.push({
        key: `${lines.length}`,
        left: removed[i] ?? null,
        right: added[i] ?? null,
      });
    }
    removed = [];
  };
  for (const part of diffLines(before, after)) {
    const texts = part.value.replace(/\n$/, "").split("\n");
    if (part.removed) removed.push(...texts);
    else if (part.added) flush(texts);
    else {
      flush([]);
      for (const text of texts) lines.push({ key: `${lines.length}`, left: text, right: text });
    }
  }
  flush([]);
  return lines;
}

function cellClass(changed: boolean, side: "left" | "right"): string {
  const tone = !changed ? "" : side === "left" ? "bg-danger-soft" : "bg-accent-soft";
  return `w-1/2 px-3 py-0.5 align-top whitespace-pre-wrap break-words ${tone}`;
}

const MARKS = { removed: "bg-danger text-bg", added: "bg-accent text-accent-ink" };

type WordsProps = { text: string | null; other: string | null; side: keyof typeof MARKS };

/** A changed line; the words that the line of the other version does not have are marked. */
function Words({ text, other, side }: WordsProps) {
  if (text === null || other === null || text === other) return text;
  const parts = side === "added" ? diffWords(other, text) : diffWords(text, other);
  let at = 0;
  return parts
    .filter((part) => !part[side === "added" ? "removed" : "added"])
    .map((part) => {
      at += part.value.length;
      if (!part[side]) return <span key={at}>{part.value}</span>;
      return (
        <mark key={at} className={MARKS[side]}>
          {part.value}
        </mark>
      );
    });
}

/** Words of languages without spaces are told apart, too. */
function diffWords(before: string, after: string) {
  return diffWordsWithSpace(before, after, { intlSegmenter: segmenter });
}

const segmenter = new Intl.Segmenter(locale, { granularity: "word" });

export default function DiffView({ before, after, beforeLabel, afterLabel }: Props) {
  return (
    <div className="overflow-x-auto rounded-lg border">
      <table className="w-full table-fixed border-collapse font-mono text-xs leading-5">
        <thead>
          <tr className="border-b bg-raised text-start font-sans text-sm">
            <th className="px-3 py-1.5 text-start font-medium">{beforeLabel}</th>
            <th className="px-3 py-1.5 text-start font-medium">{afterLabel}</th>
          </tr>
        </thead>
        <tbody>
          {linesOf(before, after).map(({ key, left, right }) => (
            <tr key={key}>
              <td className={cellClass(left !== right && left !== null, "left")} dir="auto">
                <Words text={left} other={right} side="removed" />
              </td>
              <td className={cellClass(left !== right && right !== null, "right")} dir="auto">
                <Words text={right} other={left} side="added" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Shows the changed words between two short texts inline. */
export function WordDiff({ before, after }: { before: string; after: string }) {
  let at = 0;
  return (
    <span>
      {diffWords(before, after).map((part) => {
        at += part.value.length;
        const key = `${at}${part.added ? "+" : part.removed ? "-" : ""}`;
        if (part.removed) {
          return (
            <del key={key} className="bg-danger-soft text-danger">
              {part.value}
            </del>
          );
        }
        if (part.added) {
          return (
            <ins key={key} className="bg-accent-soft text-accent no-underline">
              {part.value}
            </ins>
          );
        }
        return <span key={key}>{part.value}</span>;
      })}
    </span>
  );
}
