import { useQuery } from "@tanstack/react-query";
import { FlaskConical } from "lucide-react";
import { samplesQuery, useRemoveSamples } from "~/features/samples/samples";
import { t } from "~/lib/language";
import { Button } from "~/ui/button";

/** A notice that the store has sample data, with a button to remove it. */
export function SampleNote() {
  const { data } = useQuery(samplesQuery);
  const remove = useRemoveSamples();
  if (!data?.present) return null;
  return (
    <div className="mt-4 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border bg-surface px-4 py-2.5 text-sm">
      <FlaskConical size={16} strokeWidth={1.75} className="text-accent" aria-hidden />
      <p className="min-w-0 flex-1">
        {t("You are looking at sample data. Search for it, open it, then remove it.")}
      </p>
      <Button size="sm" busy={remove.isPending} onClick={() => remove.mutate()}>
        {remove.isPending ? t("Removing…") : t("Remove sample data")}
      </Button>
    </div>
  );
}
