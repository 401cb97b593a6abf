import clsx from "clsx";
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { t } from "~/lib/language";

type Tone = "plain" | "accent" | "warning" | "danger";
const TONES: Record<Tone, string> = {
  plain: "border-line bg-surface text-muted",
  accent: "border-transparent bg-accent-soft text-accent",
  warning: "border-transparent bg-warning-soft text-warning",
  danger: "border-transparent bg-danger-soft text-danger",
};

type Props = {
  children: ReactNode;
  tone?: Tone;
  onRemove?: () => void;
  removeLabel?: string;
};

export function Chip({ children, tone = "plain", onRemove, removeLabel }: Props) {
  return (
    <span
      className={clsx(
        "inline-flex h-6 max-w-full items-center gap-1 rounded-md border px-2 text-xs font-medium",
        TONES[tone],
      )}
    >
      <span className="truncate">{children}</span>
      {onRemove && (
        <button
          type="button"
          aria-label={removeLabel ?? t("Remove")}
          className="-me-1 rounded-sm p-0.5 hover:bg-raised"
          onClick={onRemove}
        >
          <X size={12} />
        </button>
      )}
    </span>
  );
}

type ToggleProps = {
  pressed: boolean;
  onPress: () => void;
  children: ReactNode;
};

export function ToggleChip({ pressed, onPress, children }: ToggleProps) {
  return (
    <button
      type="button"
      aria-pressed={pressed}
      onClick={onPress}
      className={clsx(
        "inline-flex h-7 items-center gap-1.5 rounded-md border px-2 text-sm whitespace-nowrap transition-colors duration-150",
        pressed
          ? "border-accent bg-accent-soft text-accent"
          : "border-line bg-surface text-muted hover:bg-raised hover:text-ink",
      )}
    >
      {children}
    </button>
  );
}
