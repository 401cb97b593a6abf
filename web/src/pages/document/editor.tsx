import { useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { useNavigate } from "react-router";
import { toast } from "sonner";
import { type Document, documentQuery, useChangeDocument } from "~/features/documents/documents";
import { messageOf } from "~/lib/api";
import { modifier } from "~/lib/keyboard";
import { Button } from "~/ui/button";
import { TextArea } from "~/ui/input";

const DiffView = lazy(() => import("~/ui/diff-view"));

type Props = { document: Document; onClose: () => void };

export function Editor({ document, onClose }: Props) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [text, setText] = useState(document.content);
  // The version that is edited. A newer version in the meantime is a conflict.
  const [baseId, setBaseId] = useState(document.id);
  const [conflict, setConflict] = useState<Document | null>(null);
  const change = useChangeDocument(baseId);
  async function save() {
    const current = await queries.fetchQuery({ ...documentQuery(document.id), staleTime: 0 });
    const latest = current.versions?.find((version) => version.is_latest);
    if (latest && latest.id !== baseId) {
      return setConflict(await queries.fetchQuery(documentQuery(latest.id)));
    }
    change.mutate(
      { content: text },
      {
        onSuccess: (saved) => {
          toast.success("Saved as a new version");
          navigate(`/memory/${saved.id}`, { replace: true });
        },
        onError: (error) => toast.error(messageOf(error)),
      },
    );
  }
  return (
    <div className="max-w-[80ch] space-y-3">
      {conflict && (
        <div role="alert" className="space-y-3 rounded-lg border border-warning p-4">
          <p className="font-medium">This document was changed elsewhere while you edited it.</p>
          <Suspense fallback={null}>
            <DiffView
              before={conflict.content}
              after={text}
              beforeLabel="Saved elsewhere"
              afterLabel="Yours"
            />
          </Suspense>
          <div className="flex gap-2">
            <Button
              onClick={() => {
                setBaseId(conflict.id);
                setConflict(null);
              }}
            >
              Keep mine
            </Button>
            <Button onClick={() => navigate(`/memory/${conflict.id}`)}>Keep the other</Button>
          </div>
        </div>
      )}
      <TextArea
        aria-label="Text of the document"
        value={text}
        dir="auto"
        autoFocus
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) save();
        }}
        className="min-h-[60vh] font-mono text-sm!"
      />
      <div className="flex items-center gap-2">
        <Button
          variant="primary"
          busy={change.isPending}
          disabled={!text.trim() || text === document.content}
          onClick={save}
        >
          Save a new version
        </Button>
        <Button onClick={onClose}>Cancel</Button>
        <span className="text-xs text-muted">{modifier} ↵ saves. The old version is kept.</span>
      </div>
    </div>
  );
}
