import { ChevronDown } from "lucide-react";
import type { Finding, FindingKind } from "~/features/checkup/checkup";
import { number } from "~/lib/format";
import { t } from "~/lib/language";
import { Card } from "~/ui/layout";
import { FindingItems } from "./finding-items";

const TITLES: Record<FindingKind, string> = {
  secrets: t("Secrets in plain text"),
  backups: t("Backups"),
  contradictions: t("Contradictions"),
  lost_sources: t("Lost sources"),
  never_recalled: t("Never recalled"),
  without_vectors: t("Not found by meaning"),
  capture_gaps: t("Stopped saving"),
  languages: t("Other languages"),
  duplicates: t("Duplicates"),
};

type Props = {
  finding: Finding;
  isOpen: boolean;
  onToggle: (kind: FindingKind | null) => void;
};

export function FindingCard({ finding, isOpen, onToggle }: Props) {
  return (
    <Card>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-label={TITLES[finding.kind]}
        onClick={() => onToggle(isOpen ? null : finding.kind)}
        className="flex w-full items-center gap-4 rounded-lg px-4 py-3 text-left hover:bg-raised"
      >
        <span className="min-w-6 text-center text-lg font-semibold tabular-nums">
          {number(finding.count)}
          {finding.is_more && "+"}
        </span>
        <span className="min-w-0 flex-1">
          <span className="block font-medium">{TITLES[finding.kind]}</span>
          <span className="block text-sm text-muted">{finding.says}</span>
        </span>
        <ChevronDown
          size={16}
          className={`shrink-0 text-muted transition-transform ${isOpen ? "rotate-180" : ""}`}
        />
      </button>
      {isOpen && <FindingItems finding={finding} />}
    </Card>
  );
}
