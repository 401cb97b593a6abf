import { X } from "lucide-react";
import type { ReactNode } from "react";
import { t } from "~/lib/language";
import { Button } from "./button";

type Props = { label: string; count: number; onClear: () => void; children: ReactNode };

/** A toolbar below a list with actions for the selected rows. */
export function SelectionBar({ label, count, onClear, children }: Props) {
  return (
    <div
      role="toolbar"
      aria-label={label}
      className="sticky bottom-4 z-20 mx-auto mt-4 flex w-fit max-w-full flex-wrap items-center gap-1 rounded-xl border border-line-strong bg-surface p-1.5"
    >
      <span className="px-2 text-sm font-medium">{t("{count} selected", { count: count })}</span>
      {children}
      <Button variant="quiet" size="icon" aria-label={t("Clear selection")} onClick={onClear}>
        <X size={14} />
      </Button>
    </div>
  );
}
