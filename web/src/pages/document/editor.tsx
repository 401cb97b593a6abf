import { useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { toast } from "sonner";
import {
  changeDocument,
  type Document,
  documentQuery,
  refreshDocuments,
} from "~/features/documents/documents";
import { messageOf } from "~/lib/api";
import { caretAtEnd } from "~/lib/caret";
import { modifier } from "~/lib/keyboard";
import { t } from "~/lib/language";
import { useDraft } from "~/lib/unsaved";
import { Button } from "~/ui/button";
import { TextArea } from "~/ui/input";

const DiffView = lazy(() => import("~/ui/diff-view"));

type Props = { document: Document; onClose: () => void };

/** The text that is edited, and the version that it was made from. */
type Draft = { text: string; baseId: string };

/** All versions of a document share one draft. */
export function useDocumentDraft(document: Document) {
  const first = document.versions?.find(({ version }) => version === 1)?.id ?? document.id;
  return useDraft<Draft | null>(`document/${first}`, null);
}

export function Editor({ document, onClose }: Props) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [draft, setDraft] = useDocumentDraft(document);
  const [isRestored] = useState(draft !== null);
  const text = draft?.text ?? document.content;
  // A newer version than the one that was edited is a conflict.
  const baseId = draft?.baseId ?? document.id;
  const [conflict, setConflict] = useState<Document | null>(null);
  const [isSaving, setIsSaving] = useState(false);
  const latest = useRef({ text, baseId });
  latest.current = { text, baseId };
  const isAgain = useRef(false);

  async function save() {
    isAgain.current = isSaving;
    if (isSaving) return;
    setIsSaving(true);
    try {
      await saveVersion();
    } catch (error) {
      toast.error(messageOf(error));
    } finally {
      setIsSaving(false);
    }
  }
  async function saveVersion(): Promise<unknown> {
    const { text: saving, baseId: base } = latest.current;
    const current = await queries.fetchQuery({ ...documentQuery(document.id), staleTime: 0 });
    const newest = current.versions?.find((version) => version.is_latest);
    if (newest && newest.id !== base) {
      return setConflict(await queries.fetchQuery(documentQuery(newest.id)));
    }
    const saved = await changeDocument(base, { content: saving });
    toast.success(t("Saved as a new version"));
    if (latest.current.text === saving) {
      setDraft(null);
      void refreshDocuments(queries);
      return navigate(`/memory/${saved.id}`, { replace: true });
    }
    // More was typed meanwhile: stay here, and go on from the version that was saved.
    latest.current = { text: latest.current.text, baseId: saved.id };
    setDraft(latest.current);
    if (!isAgain.current) return;
    isAgain.current = false;
    return saveVersion();
  }
  function edit(next: string) {
    const isChanged = next !== document.content || baseId !== document.id;
    setDraft(isChanged ? { text: next, baseId } : null);
  }
  function discardDraft() {
    onClose();
    setDraft(null);
    toast(t("Changes discarded"), { action: { label: t("Undo"), onClick: () => setDraft(draft) } });
  }
  return (
    <div className="max-w-[80ch] space-y-3">
      {conflict && (
        <div role="alert" className="space-y-3 rounded-lg border border-warning p-4">
          <p className="font-medium">
            {t("This document was changed elsewhere while you edited it.")}
          </p>
          <Suspense fallback={null}>
            <DiffView
              before={conflict.content}
              after={text}
              beforeLabel={t("Saved elsewhere")}
              afterLabel={t("Yours")}
            />
          </Suspense>
          <div className="flex gap-2">
            <Button
              onClick={() => {
                setDraft({ text, baseId: conflict.id });
                setConflict(null);
              }}
            >
              {t("Keep mine")}
            </Button>
            <Button
              onClick={() => {
                setDraft(null);
                navigate(`/memory/${conflict.id}`);
              }}
            >
              {t("Keep the other")}
            </Button>
          </div>
        </div>
      )}
      <TextArea
        aria-label={t("Text of the document")}
        ref={isRestored ? caretAtEnd : undefined}
        value={text}
        dir="auto"
        autoFocus
        onChange={(event) => edit(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) save();
        }}
        className="field-sizing-content min-h-[60vh] text-md! leading-relaxed!"
      />
      <div className="sticky bottom-0 z-10 -mx-1 flex flex-wrap items-center gap-2 border-t bg-bg px-1 py-3">
        <Button variant="primary" busy={isSaving} disabled={!text.trim() || !draft} onClick={save}>
          {isSaving ? t("Saving…") : t("Save a new version")}
        </Button>
        <Button onClick={onClose}>{t("Close")}</Button>
        {draft && !isSaving && (
          <Button variant="quiet" onClick={discardDraft}>
            {t("Discard changes")}
          </Button>
        )}
        <span className="text-xs text-muted">
          {t("{key} ↵ saves.", { key: modifier })}{" "}
          {draft ? t("Until then it is a draft.") : t("The old version is kept.")}
        </span>
      </div>
    </div>
  );
}
