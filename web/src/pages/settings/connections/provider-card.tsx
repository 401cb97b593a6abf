import { Plus } from "lucide-react";
import type { Connector } from "~/features/connections/connections";
import { iconOf } from "./icons";

type Props = { connector: Connector; onConnect: () => void };

/** A service; the whole card is a button that adds a connection. */
export function ProviderCard({ connector, onConnect }: Props) {
  const Icon = iconOf(connector.provider);
  return (
    <button
      type="button"
      aria-label={`Connect ${connector.title}`}
      onClick={onConnect}
      className="group flex h-full w-full items-start gap-3 rounded-lg border bg-surface p-4 text-start transition-colors duration-150 hover:border-line-strong hover:bg-raised"
    >
      <span className="grid size-9 shrink-0 place-items-center rounded-lg border bg-raised text-accent group-hover:bg-surface">
        <Icon size={18} strokeWidth={1.75} />
      </span>
      <span className="min-w-0 flex-1">
        <span className="block font-medium">{connector.title}</span>
        <span className="mt-0.5 block text-sm text-pretty text-muted">{connector.about}</span>
      </span>
      <Plus size={16} className="mt-0.5 shrink-0 text-muted group-hover:text-ink" />
    </button>
  );
}
