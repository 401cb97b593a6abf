import { useVirtualizer } from "@tanstack/react-virtual";
import { lazy, type Ref, Suspense, useMemo } from "react";
import { clock } from "~/lib/format";
import { Markdown } from "~/ui/markdown";
import { type Document, originalUrl } from "./documents";

const Code = lazy(() => import("~/ui/code"));

/** Above this, only the blocks near the window are in the page. */
const LONG = 150_000;
const BLOCK = 8_000;
const CODE_LANGUAGES: Record<string, string> = { json: "json" };

/** Cuts at blank lines outside code fences, so that each block is markdown of its own. */
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

export function ReadingView({ document, ref }: { document: Document; ref: Ref<HTMLDivElement> }) {
  return (
    <div ref={ref} dir="auto" lang={languageOf(document)} className="reading">
      {document.content_type === "image" && document.has_original && (
        <img src={originalUrl(document.id)} alt={document.title} className="border" />
      )}
      <Body document={document} />
    </div>
  );
}

function languageOf(document: Document): string | undefined {
  const { language } = document.metadata as { language?: string };
  return language;
}

/** The title stands above the text already. */
export function withoutTitle({ content, title }: Document): string {
  const found = /^\s*# (.+?)\s*(?:\n|$)/.exec(content);
  return found && found[1]?.trim() === title.trim() ? content.slice(found[0].length) : content;
}

function Body({ document }: { document: Document }) {
  const content = withoutTitle(document);
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
  if (type === "text" && !/^#{1,4} |^\s*[-*] |^\d+\. /m.test(content)) {
    return <div className="whitespace-pre-wrap">{content}</div>;
  }
  return <Markdown text={content} />;
}

function Transcript({ document }: { document: Document }) {
  if (!document.chunks.some((chunk) => chunk.at_s != null)) {
    return <Markdown text={document.content} />;
  }
  return document.chunks.map((chunk) => (
    <p key={chunk.memory_id} className="flex gap-4">
      <span className="w-14 shrink-0 pt-1 font-mono text-sm text-muted">
        {chunk.at_s != null && clock(chunk.at_s)}
      </span>
      <span>{chunk.content}</span>
    </p>
  ));
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
