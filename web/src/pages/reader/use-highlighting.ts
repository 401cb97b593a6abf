import { useQuery } from "@tanstack/react-query";
import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { toast } from "sonner";
import type { Document } from "~/features/documents/documents";
import { scrollToRange } from "~/features/documents/evidence";
import {
  type Highlight,
  highlightsQuery,
  useHighlightChanges,
} from "~/features/highlights/highlights";
import {
  clearMarks,
  highlightAt,
  type Marked,
  markAll,
  markCurrent,
} from "~/features/highlights/marking";
import { passageOf } from "~/features/highlights/ranges";
import { t } from "~/lib/language";

const NO_HIGHLIGHTS: Highlight[] = [];

export type Highlighting = ReturnType<typeof useHighlighting>;

/** The highlights of a document, marked in its text. */
export function useHighlighting(document: Document, text: RefObject<HTMLElement | null>) {
  const { data: highlights = NO_HIGHLIGHTS } = useQuery(highlightsQuery(document.id));
  const changes = useHighlightChanges(document.id);
  const [editing, setEditing] = useState<string | null>(null);
  const [current, setCurrent] = useState<string | null>(null);
  const marked = useRef<Marked>(new Map());
  const isLoaded = Boolean(document.content);
  useEffect(() => {
    const root = text.current;
    if (!root || !isLoaded) return;
    const mark = () => {
      marked.current = markAll(root, highlights);
    };
    mark();
    // Long texts are rendered as they come near, and code is coloured later.
    const watch = new MutationObserver(mark);
    watch.observe(root, { childList: true, subtree: true });
    return () => watch.disconnect();
  }, [text, highlights, isLoaded]);
  useEffect(() => clearMarks, []);
  useEffect(() => markCurrent(current ? marked.current.get(current) : undefined), [current]);
  useEffect(() => {
    const root = text.current;
    if (!root || !isLoaded) return;
    const click = (event: MouseEvent) => {
      setCurrent(highlightAt(marked.current, event.clientX, event.clientY) ?? null);
    };
    root.addEventListener("click", click);
    return () => root.removeEventListener("click", click);
  }, [text, isLoaded]);
  const markRange = useCallback(
    async (range: Range, withNote: boolean) => {
      if (!text.current) return;
      const added = await changes.add(passageOf(text.current, range));
      if (!added) return;
      window.getSelection()?.removeAllRanges();
      setCurrent(added.id);
      if (withNote) setEditing(added.id);
    },
    [changes, text],
  );
  const markSelection = useCallback(
    (withNote: boolean) => {
      const range = selectedRange(text.current);
      if (range) void markRange(range, withNote);
    },
    [markRange, text],
  );
  /** Marks what is selected, or else a paragraph. */
  function markChosen(paragraph: HTMLElement | undefined, withNote: boolean) {
    const range = selectedRange(text.current) ?? rangeOfElement(paragraph);
    if (range) void markRange(range, withNote);
    else toast(t("Select words first, or move to a paragraph with j and k."));
  }
  function show(id: string) {
    const range = marked.current.get(id);
    setCurrent(id);
    if (range) scrollToRange(range);
  }
  return { highlights, changes, editing, setEditing, current, show, markSelection, markChosen };
}

/** What is selected in the text, if it has any words. */
export function selectedRange(root: HTMLElement | null): Range | undefined {
  const selection = window.getSelection();
  if (!root || !selection?.rangeCount || selection.isCollapsed) return undefined;
  const range = selection.getRangeAt(0);
  const isInside = root.contains(range.commonAncestorContainer);
  return isInside && range.toString().trim() ? range : undefined;
}

function rangeOfElement(element: HTMLElement | undefined): Range | undefined {
  if (!element?.isConnected) return undefined;
  const range = document.createRange();
  range.selectNodeContents(element);
  return range;
}
