import clsx from "clsx";
import type { ButtonHTMLAttributes, Ref } from "react";

type Variant = "primary" | "secondary" | "quiet" | "danger";
type Size = "sm" | "md" | "icon";

const VARIANTS: Record<Variant, string> = {
  primary: "bg-accent text-accent-ink border-transparent hover:opacity-90",
  secondary: "bg-surface text-ink border-line-strong hover:bg-raised",
  quiet: "bg-transparent text-muted border-transparent hover:bg-raised hover:text-ink",
  danger: "bg-surface text-danger border-line-strong hover:bg-danger-soft",
};
const SIZES: Record<Size, string> = {
  sm: "h-7 px-2 text-sm gap-1.5",
  md: "h-8 px-3 text-sm gap-2",
  icon: "h-8 w-8 justify-center",
};

export function buttonClass(variant: Variant = "secondary", size: Size = "md"): string {
  return clsx(
    "inline-flex shrink-0 items-center rounded-md border font-medium whitespace-nowrap transition-colors duration-150",
    "disabled:cursor-not-allowed disabled:opacity-50",
    VARIANTS[variant],
    SIZES[size],
  );
}

type Props = ButtonHTMLAttributes<HTMLButtonElement> & {
  variant?: Variant;
  size?: Size;
  busy?: boolean;
  ref?: Ref<HTMLButtonElement>;
};

export function Button({ variant, size, busy, className, children, ...rest }: Props) {
  return (
    <button
      type="button"
      {...rest}
      disabled={rest.disabled || busy}
      aria-busy={busy}
      className={clsx(buttonClass(variant, size), className)}
    >
      {children}
    </button>
  );
}
