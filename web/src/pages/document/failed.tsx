import { type Document, useRetryDocument } from "~/features/documents/documents";
import { withoutStop } from "~/lib/format";
import { Button } from "~/ui/button";

export function Failed({ document }: { document: Document }) {
  const retry = useRetryDocument(document.id);
  return (
    <div
      role="alert"
      className="mb-6 flex max-w-[70ch] flex-wrap items-center gap-3 rounded-lg bg-danger-soft p-4"
    >
      <p className="flex-1 text-danger">
        This document could not be read: {withoutStop(document.error ?? "the reason is unknown")}.
        The original is kept.
      </p>
      <Button busy={retry.isPending} onClick={() => retry.mutate()}>
        Try again
      </Button>
    </div>
  );
}
