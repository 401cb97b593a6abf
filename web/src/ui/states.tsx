import clsx from "clsx";
import { AlertTriangle, Compass, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { isStatus, messageOf, requestIdOf } from "~/lib/api";
import { t } from "~/lib/language";
import { Button, buttonClass } from "./button";

type EmptyProps = {
  icon: LucideIcon;
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
};

export function EmptyState({ icon: Icon, title, children, actions }: EmptyProps) {
  return (
    <div className="mx-auto flex max-w-md flex-col items-center px-4 py-16 text-center">
      <span className="mb-4 grid size-11 place-items-center rounded-xl border bg-surface text-muted">
        <Icon size={20} strokeWidth={1.75} />
      </span>
      <h2 className="text-md font-semibold">{title}</h2>
      {children && <div className="mt-1 text-base text-balance text-muted">{children}</div>}
      {actions && <div className="mt-5 flex flex-wrap justify-center gap-2">{actions}</div>}
    </div>
  );
}

/** Shown if the item of a URL does not exist, or no longer exists. */
export function NothingHere() {
  return (
    <EmptyState
      icon={Compass}
      title={t("Nothing is here")}
      actions={
        <Link to="/dashboard" className={buttonClass("primary")}>
          {t("Go home")}
        </Link>
      }
    >
      {t("It was deleted or moved, it belongs to someone else, or the address is mistyped.")}
    </EmptyState>
  );
}

export function ErrorState({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  if (isStatus(error, 404)) return <NothingHere />;
  const id = requestIdOf(error);
  const title = isStatus(error, 0) ? t("No connection to the server") : t("Something went wrong");
  return (
    <div role="alert" className="mx-auto max-w-md px-4 py-16 text-center">
      <AlertTriangle className="mx-auto mb-3 text-warning" size={20} />
      <h2 className="text-md font-semibold">{title}</h2>
      <p className="mt-1 text-muted">{messageOf(error)}</p>
      {id && <p className="mt-2 font-mono text-xs text-muted">{t("Request {id}", { id })}</p>}
      {onRetry && (
        <Button className="mt-4" onClick={onRetry}>
          {t("Try again")}
        </Button>
      )}
    </div>
  );
}

/** An error message in a form or a list, announced by screen readers. */
export function ErrorText({ children }: { children: ReactNode }) {
  return (
    <p role="alert" className="text-sm text-danger">
      {children}
    </p>
  );
}

export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={clsx("animate-pulse rounded-md bg-raised", className)} />;
}

export function SkeletonList({ rows, height }: { rows: number; height: string }) {
  return (
    <div role="status" aria-label={t("Loading")} className="space-y-2">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
        <Skeleton key={row} className={height} />
      ))}
    </div>
  );
}

type LoadedProps<T> = {
  query: {
    data: T | undefined;
    error: unknown;
    isPending: boolean;
    refetch: () => unknown;
  };
  skeleton: ReactNode;
  children: (data: T) => ReactNode;
};

/** Shows the state of a query: a skeleton, the error with "Try again", or the data. */
export function Loaded<T>({ query, skeleton, children }: LoadedProps<T>) {
  if (query.data !== undefined) return children(query.data);
  if (query.error) return <ErrorState error={query.error} onRetry={() => query.refetch()} />;
  return skeleton;
}
