import type { ReactNode } from "react";
import type { Document } from "~/features/documents/documents";
import { kindOf } from "~/features/documents/kinds";
import { isDay, languageName, longDay, shortDate } from "~/lib/format";
import { locale, t } from "~/lib/language";

/** What is known about a document besides its text: where it is from, and until when it is kept. */
export function Facts({ document }: { document: Document }) {
  const facts = factsOf(document);
  if (!facts.length) return null;
  return (
    <dl
      aria-label={t("About this document")}
      className="mt-4 flex flex-wrap gap-x-8 gap-y-2 text-sm"
    >
      {facts.map(([name, value]) => (
        <div key={name} className="max-w-full min-w-0">
          <dt className="text-xs text-muted">{name}</dt>
          <dd className="break-words" dir="auto">
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function factsOf(document: Document): [string, ReactNode][] {
  const { author, authors, published_at, date, language } = document.metadata;
  const facts: [string, ReactNode][] = [
    [t("Type"), document.source_url && kindOf(document.content_type).label],
    [t("Author"), textOf(author) || textOf(authors)],
    [t("Whose words"), document.mine && document.metadata.speaker ? t("Yours") : ""],
    [document.mine ? t("Written") : t("Published"), dayOf(published_at) || dayOf(date)],
    [t("Language"), typeof language === "string" && isForeign(language) && languageName(language)],
    [t("Address"), document.source_url && <Address url={document.source_url} />],
    [t("Forget on"), document.forget_after && longDay(document.forget_after)],
  ];
  return facts.filter(([, value]) => Boolean(value));
}

function Address({ url }: { url: string }) {
  if (!/^https?:/i.test(url)) return <span className="break-all">{url}</span>;
  return (
    <a
      href={url}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className="break-all text-accent hover:underline"
    >
      {url}
    </a>
  );
}

/** Whether a text is in another language than the interface. */
function isForeign(language: string): boolean {
  return !locale.toLowerCase().startsWith(language.toLowerCase());
}

/** Metadata is whatever was sent: a text, or a list of texts. */
function textOf(value: unknown): string {
  const values = Array.isArray(value) ? value : [value];
  return values.filter((item) => typeof item === "string" && item.trim()).join(", ");
}

function dayOf(value: unknown): string {
  if (typeof value !== "string" || !value.trim()) return "";
  const day = value.slice(0, 10);
  return isDay(day) ? shortDate(day) : value;
}
