import { useQuery } from "@tanstack/react-query";
import { dailyQuery, type Stats, weekly } from "~/features/stats/stats";
import { bytes, list, number, plural } from "~/lib/format";
import { t } from "~/lib/language";
import { Card } from "~/ui/layout";
import { Sparkline } from "~/ui/sparkline";

/** How much is stored, and how much of it is new. */
export function Numbers({ stats }: { stats: Stats }) {
  return (
    <Card>
      <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-[7px] bg-line sm:grid-cols-4 [&>*]:bg-surface [&>*]:p-4">
        <Figure label={t("Documents")} value={number(stats.total_documents)} />
        <Figure label={t("Memories")} value={number(stats.total_memories)} />
        <Figure
          label={t("New this week")}
          value={withPlus(stats.documents_this_week + stats.memories_this_week)}
          note={list([
            plural(stats.documents_this_week, "document"),
            plural(stats.memories_this_week, "memory", "memories"),
          ])}
        />
        <Figure label={t("Used")} value={bytes(stats.storage_bytes)} />
      </dl>
      <Weeks />
    </Card>
  );
}

const DAYS = 84;

function Weeks() {
  const { data } = useQuery(dailyQuery(DAYS));
  if (!data) return null;
  const weeks = weekly(data.map(({ documents, memories }) => documents + memories));
  return (
    <div className="border-t px-4 py-3">
      <p className="mb-1 text-xs text-muted">{t("Documents and memories in the last 12 weeks")}</p>
      <Sparkline
        values={weeks}
        label={t("Documents and memories each week: {counts}", { counts: list(weeks.map(number)) })}
      />
    </div>
  );
}

type FigureProps = { label: string; value: string; note?: string };

function Figure({ label, value, note }: FigureProps) {
  return (
    <div>
      <dt className="text-xs text-muted">{label}</dt>
      <dd className="text-lg font-semibold tabular-nums">{value}</dd>
      {note && <dd className="text-xs text-muted">{note}</dd>}
    </div>
  );
}

function withPlus(count: number): string {
  return count ? `+${number(count)}` : "0";
}
