/** What is read from a page, before the user adds a project and tags. */

export const CONTENT_LIMIT = 100_000;

/** `html` is the text of a page, as Markdown. */
export type ContentType = "html" | "markdown" | "text" | "tweet" | "code" | "csv";

export type TextDraft = {
  kind: "text";
  title: string;
  content: string;
  contentType: ContentType;
  url: string;
  metadata: Record<string, unknown>;
  /** The number of characters before the content was cut. */
  cutFrom?: number;
  /** A notice for the user about what could not be read. */
  notice?: NoticeName;
};

export type FileDraft = {
  kind: "file";
  title: string;
  name: string;
  type: string;
  url: string;
  metadata: Record<string, unknown>;
};

export type LinkDraft = {
  kind: "link";
  title: string;
  url: string;
  metadata: Record<string, unknown>;
};

/** A text that the user typed; it has no address. */
export type NoteDraft = {
  kind: "note";
  title: string;
  content: string;
  url: "";
  metadata: Record<string, unknown>;
};

export type Draft = TextDraft | FileDraft | LinkDraft | NoteDraft;

export type NoticeName = "no_transcript" | "export_forbidden" | "too_large";

/** What the user chose in the popup. */
export type Choices = {
  title?: string;
  project?: string;
  tags?: string[];
  forget?: boolean;
  /** To be read later. */
  unread?: boolean;
  /** Keep a copy of the page as it is shown. */
  copy?: boolean;
};

/** Cut the draft to 100,000 characters; `cutFrom` is the original number. */
export function cut(draft: TextDraft): TextDraft {
  const cutFrom = Math.max(draft.content.length, draft.cutFrom ?? 0);
  if (cutFrom <= CONTENT_LIMIT) return draft.cutFrom ? markPart(draft) : draft;
  let end = CONTENT_LIMIT;
  // Do not split a surrogate pair.
  if (/[\uD800-\uDBFF]/.test(draft.content.charAt(end - 1))) end -= 1;
  const metadata = { ...draft.metadata, cut_from_characters: cutFrom };
  return { ...draft, content: draft.content.slice(0, end), cutFrom, metadata };
}

/** Mark a page with too many elements as incomplete: how much is missing cannot be counted in characters. */
function markPart({ cutFrom: _, ...draft }: TextDraft): TextDraft {
  return { ...draft, notice: "too_large", metadata: { ...draft.metadata, is_part: true } };
}
