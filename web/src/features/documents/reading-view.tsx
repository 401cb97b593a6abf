import { useVirtualizer } from "@tanstack/react-virtual";
import clsx from "clsx";
import { lazy, Suspense, useMemo, useRef } from "react";
import { clock } from "~/lib/format";
import { t } from "~/lib/language";
import { useUrlState } from "~/lib/url-state";
import { Markdown } from "~/ui/markdown";
import { Segments } from "~/ui/tabs";
import { type Document, inlineUrl } from "./documents";
import { RecordTable } from "./record-table";

const Code = lazy(() => import("~/ui/code"));

/** Above this length, only the blocks near the viewport are rendered. */
const LONG = 150_000;
const BLOCK = 8_000;
const CODE_LANGUAGES: Record<string, string> = { json: "json" };

/** Splits at blank lines outside code fences, so that each block is valid Markdown. */
export function blocksOf(text: string): string[] {
  const blocks: string[] = [];
  let current = "";
  let fenced = false;
  for (const line of text.split("\n")) {
    if (/^\s*(```|~~~)/.test(line)) fenced = !fenced;
    current += `${line}\n`;
    const full = current.length > BLOCK && !fenced && !line.trim();
    if (full || current.length > 4 * BLOCK) {
      blocks.push(current);
      current = "";
    }
  }
  if (current) blocks.push(current);
  return blocks;
}

type ViewProps = {
  document: Document;
  /** The text below the title. */
  text: string;
  /** A note of a few lines, shown large. */
  isLarge?: boolean;
  /** Called when a box of a list of tasks is ticked or cleared; without it, boxes only show. */
  onTick?: (index: number, isTicked: boolean) => void;
};

/** The text, and for a PDF also its pages in the browser's viewer. */
export function ReadingView({ document, text, isLarge, onTick }: ViewProps) {
  const [params, change] = useUrlState();
  const isPdf = document.content_type === "pdf" && document.has_original;
  const pages = isPdf && params.get("view") === "pages";
  return (
    <>
      {isPdf && (
        <div className="mb-6">
          <Segments
            label={t("View")}
            value={pages ? "pages" : "text"}
            options={[
              { value: "text", label: t("Text") },
              { value: "pages", label: t("Pages") },
            ]}
            onChange={(view) => change({ view: view === "pages" ? "pages" : null })}
          />
        </div>
      )}
      {pages ? (
        <iframe
          title={t("Pages of {title}", { title: document.title })}
          src={inlineUrl(document.id)}
          className="h-[80vh] w-full rounded-lg border bg-raised"
        />
      ) : (
        <Text document={document} text={text} isLarge={isLarge} onTick={onTick} />
      )}
    </>
  );
}

function Text({ document, text, isLarge, onTick }: ViewProps) {
  return (
    <div
      dir="auto"
      lang={languageOf(document)}
      className={clsx(
        "reading",
        isLarge && "reading-large",
        WITH_LINE_BREAKS.includes(document.content_type) && "keep-lines",
      )}
    >
      {document.content_type === "image" && document.has_original && (
        <img src={inlineUrl(document.id)} alt={document.title} className="border" />
      )}
      <Body document={document} content={text} onTick={onTick} />
    </div>
  );
}

export function languageOf(document: Document): string | undefined {
  const { language } = document.metadata as { language?: string };
  return language;
}

/** Content types whose line breaks are kept. */
const WITH_LINE_BREAKS = ["text", "note", "markdown", "image", "email", "tweet"];

type BodyProps = { document: Document; content: string; onTick: ViewProps["onTick"] };

function Body({ document, content, onTick }: BodyProps) {
  const type = document.content_type;
  if (["audio", "video", "subtitles"].includes(type)) return <Transcript document={document} />;
  if (content.length > LONG) return <LongText text={content} />;
  const codeLanguage =
    CODE_LANGUAGES[type] ?? (document.metadata as { code_language?: string }).code_language;
  if (type === "code" || type === "json") {
    return (
      <pre>
        <Suspense fallback={<code>{content}</code>}>
          <Code text={content} language={codeLanguage ?? "text"} />
        </Suspense>
      </pre>
    );
  }
  const { columns } = document.metadata as { columns?: string[] };
  if (type === "csv" && columns?.length) return <RecordTable columns={columns} text={content} />;
  if (type === "text" && !/^#{1,4} |^\s*[-*] |^\d+\. /m.test(content)) {
    return <div className="whitespace-pre-wrap">{content}</div>;
  }
  return <Markdown text={content} onTick={onTick} />;
}

/** Each part of the text once. Offsets count characters, not UTF-16 units. */
export function withoutOverlaps(chunks: Document["chunks"]): Document["chunks"] {
  return chunks.map((chunk, i) => {
    const repeated = (chunks[i - 1]?.end_offset ?? 0) - chunk.start_offset;
    if (repeated <= 0) return chunk;
    return { ...chunk, content: [...chunk.content].slice(repeated).join("").trimStart() };
  });
}

/** Sound or video with its transcript; click a time to play from there. */
function Transcript({ document }: { document: Document }) {
  const player = useRef<HTMLMediaElement>(null);
  const timed = document.chunks.some((chunk) => chunk.at_s != null);
  const Player = document.content_type === "video" ? "video" : "audio";
  const playable = document.has_original && document.content_type !== "subtitles";
  function playFrom(second: number) {
    if (!player.current) return;
    player.current.currentTime = second;
    player.current.play();
  }
  return (
    <>
      {playable && (
        <Player
          ref={player as never}
          controls
          preload="metadata"
          src={inlineUrl(document.id)}
          className="mb-6 w-full rounded-lg"
        />
      )}
      {!timed && <Markdown text={document.content} />}
      {timed &&
        withoutOverlaps(document.chunks).map(({ memory_id: id, at_s: second, content }) => (
          <p key={id} className="flex gap-4">
            {second != null && (
              <button
                type="button"
                disabled={!playable}
                aria-label={t("Play from {second}", { second: clock(second) })}
                onClick={() => playFrom(second)}
                className="w-14 shrink-0 self-start pt-1 text-start font-mono text-sm text-muted enabled:hover:text-accent"
              >
                {clock(second)}
              </button>
            )}
            <span>{content}</span>
          </p>
        ))}
    </>
  );
}

function LongText({ text }: { text: string }) {
  const blocks = useMemo(() => blocksOf(text), [text]);
  const virtual = useVirtualizer({
    count: blocks.length,
    getScrollElement: () => window.document.getElementById("content"),
    estimateSize: () => BLOCK / 2,
    overscan: 2,
  });
  return (
    <div className="relative" style={{ height: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map((item) => (
        <div
          key={item.key}
          ref={virtual.measureElement}
          data-index={item.index}
          className="reading absolute inset-x-0 top-0"
          style={{ transform: `translateY(${item.start}px)` }}
        >
          <Markdown text={blocks[item.index] ?? ""} />
        </div>
      ))}
    </div>
  );
}
