import clsx from "clsx";
import type { ReactNode } from "react";

type PageProps = {
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  /** How wide: for texts and forms, or for lists. */
  width?: "reading" | "list";
};
const WIDTHS = { reading: "max-w-[46rem]", list: "" };

export function PageLayout({ title, description, actions, children, width = "list" }: PageProps) {
  return (
    // Every page starts at the same edge; only the width differs.
    <div className="mx-auto w-full max-w-7xl px-4 py-6 max-sm:py-4 sm:px-8 sm:py-8">
      <div className={WIDTHS[width]}>
        <header className="mb-6 flex max-sm:mb-4 flex-wrap items-end gap-x-4 gap-y-3">
          <div className="min-w-[min(100%,16rem)] flex-1">
            <h1 className="truncate text-lg font-semibold tracking-tight" dir="auto">
              {title}
            </h1>
            {description && (
              <p className="mt-0.5 text-pretty text-muted max-sm:hidden">{description}</p>
            )}
          </div>
          {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
        </header>
        {children}
      </div>
    </div>
  );
}

type SectionProps = {
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  id?: string;
};

export function Section({ title, description, actions, children, id }: SectionProps) {
  return (
    <section id={id} aria-label={title} className="scroll-mt-20">
      <div className="mb-3 flex flex-wrap items-center gap-3">
        <div className="flex-1">
          <h2 className="font-semibold">{title}</h2>
          {description && <p className="text-sm text-muted">{description}</p>}
        </div>
        {actions}
      </div>
      {children}
    </section>
  );
}

export function Card({ children, className }: { children: ReactNode; className?: string }) {
  return <div className={clsx("rounded-lg border bg-surface", className)}>{children}</div>;
}

/** Rows with a thin line between them. */
export function Rows({ children }: { children: ReactNode }) {
  return <ul className="divide-y divide-line rounded-lg border bg-surface">{children}</ul>;
}

export function Row({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <li className={clsx("flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3", className)}>
      {children}
    </li>
  );
}
