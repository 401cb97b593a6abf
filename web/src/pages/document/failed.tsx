import { type Document, useRetryDocument } from "~/features/documents/documents";
import { withoutStop } from "~/lib/format";
import { t } from "~/lib/language";
import { Button } from "~/ui/button";

export function Failed({ document }: { document: Document }) {
  const retry = useRetryDocument(document.id);
  return (
    <div
      role="alert"
      className="mb-6 flex max-w-[70ch] flex-wrap items-center gap-3 rounded-lg bg-danger-soft p-4"
    >
      <p className="flex-1 text-danger">
        {t("This document could not be read: {reason}. The original is kept.", {
          reason: withoutStop(document.error ?? t("the reason is unknown")),
        })}
      </p>
      <Button busy={retry.isPending} onClick={() => retry.mutate()}>
        {t("Try again")}
      </Button>
    </div>
  );
}
