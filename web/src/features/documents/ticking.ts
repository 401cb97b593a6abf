import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { toast } from "sonner";
import { messageOf } from "~/lib/api";
import { t } from "~/lib/language";
import { changeDocument, type Document, documentQuery, refreshDocuments } from "./documents";

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const BOX = /^(?:\s|>)*(?:[-*+]|\d+[.)])\s+\[([ xX])\](?=\s)/;

/** Ticks or clears the box with this number; the boxes of code blocks do not count. */
export function withBox(text: string, index: number, isTicked: boolean): string {
  let fence = "";
  let count = -1;
  let at = 0;
  for (const line of text.split("\n")) {
    const [, mark] = FENCE.exec(line) ?? [];
    const box = fence || mark ? null : BOX.exec(line);
    if (mark) fence = fence ? (line.trim().startsWith(fence) ? "" : fence) : mark;
    if (box) count += 1;
    if (box && count === index) {
      const place = at + box[0].length - 2;
      return `${text.slice(0, place)}${isTicked ? "x" : " "}${text.slice(place + 1)}`;
    }
    at += line.length + 1;
  }
  return text;
}

/** Ticks boxes of a document, each as a new version, and stays at the same place of the page. */
export function useTicking(document: Document, text: string) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [isSaving, setIsSaving] = useState(false);
  const isLatest = document.versions?.every(
    ({ id, is_latest }) => !is_latest || id === document.id,
  );
  if (!isLatest || document.status !== "done") return undefined;
  return async (index: number, isTicked: boolean) => {
    if (isSaving) return;
    setIsSaving(true);
    const above = document.content.slice(0, document.content.length - text.length);
    try {
      const content = above + withBox(text, index, isTicked);
      const { id } = await changeDocument(document.id, { content });
      await queries.fetchQuery(documentQuery(id));
      navigate(`/memory/${id}`, { replace: true, state: { isSamePlace: true } });
      void refreshDocuments(queries);
    } catch (error) {
      toast.error(t("Not changed: {error}", { error: messageOf(error) }));
    } finally {
      setIsSaving(false);
    }
  };
}
