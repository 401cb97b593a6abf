import { useQuery } from "@tanstack/react-query";
import { KeyRound, ListChecks, Pause, Play, RefreshCw, Unplug, Webhook } from "lucide-react";
import { useState } from "react";
import { toast } from "sonner";
import {
  type Connection,
  type Connector,
  connectionQuery,
  currentRun,
  type Run,
  useChangeConnection,
  useSync,
} from "~/features/connections/connections";
import { messageOf } from "~/lib/api";
import { plural } from "~/lib/format";
import { Button } from "~/ui/button";
import { Chip } from "~/ui/chip";
import { Row } from "~/ui/layout";
import { ErrorText } from "~/ui/states";
import { Time } from "~/ui/time";
import { ChooseDialog } from "./choose-dialog";
import { DisconnectDialog } from "./disconnect-dialog";
import { iconOf } from "./icons";
import { Problems } from "./problems";
import { WebhookDialog } from "./webhook-dialog";

const STATUSES: Record<string, { label: string; tone: "plain" | "accent" | "warning" | "danger" }> =
  {
    choosing: { label: "Nothing chosen", tone: "warning" },
    active: { label: "Up to date", tone: "accent" },
    paused: { label: "Paused", tone: "plain" },
    needs_auth: { label: "Sign-in needed", tone: "danger" },
    failing: { label: "Failing", tone: "danger" },
    removing: { label: "Removing", tone: "warning" },
  };

const UNKNOWN = { label: "Unknown", tone: "plain" } as const;

type Props = {
  connection: Connection;
  connector: Connector | undefined;
  onConnect: (connector: Connector, former: Connection) => void;
};

export function ConnectionRow({ connection: listed, connector, onConnect }: Props) {
  const { data } = useQuery(connectionQuery(listed.id));
  const connection = data ?? listed;
  const run = currentRun(data?.runs);
  const { label, tone } = statusOf(connection);
  const Icon = iconOf(connection.provider);
  return (
    <Row className="items-start">
      <span className="mt-0.5 grid size-9 shrink-0 place-items-center rounded-lg border bg-raised text-accent max-sm:hidden">
        <Icon size={18} strokeWidth={1.75} />
      </span>
      <div className="min-w-0 flex-1 basis-80 space-y-1">
        <div className="flex flex-wrap items-center gap-2">
          <span className="min-w-0 font-medium break-words" dir="auto">
            {connection.account}
          </span>
          <Chip tone={run ? "warning" : tone}>{run ? "Syncing" : label}</Chip>
        </div>
        <p className="text-sm text-muted">
          {connector?.title ?? connection.provider} · into {connection.project}
          {!isNamedByChoice(connection) && ` · ${connection.chosen.join(", ") || "nothing chosen"}`}
        </p>
        <p className="text-sm text-muted" aria-live="polite">
          {run ? progressOf(run) : <Numbers connection={connection} />}
        </p>
        {connection.usage && <Usage usage={connection.usage} />}
        {connection.error && <ErrorText>{connection.error}</ErrorText>}
        {isEmpty(connection) && !run && (
          <p className="text-sm text-warning">Nothing was found there. {connector?.help}</p>
        )}
        {connection.problems > 0 && !run && (
          <Problems id={connection.id} count={connection.problems} />
        )}
      </div>
      <Actions
        connection={connection}
        connector={connector}
        isSyncing={run !== undefined}
        onConnect={onConnect}
      />
    </Row>
  );
}

function statusOf({ status, error, last_synced_at }: Connection) {
  if (status === "active" && !last_synced_at && !error)
    return { label: "Starting", tone: "warning" } as const;
  if (status === "active" && error) return { label: "Retrying", tone: "warning" } as const;
  return STATUSES[status] ?? UNKNOWN;
}

/** Whether the connection was synced but has no items. */
function isEmpty({ status, last_synced_at, error, items, problems }: Connection): boolean {
  return status === "active" && !!last_synced_at && !error && items + problems === 0;
}

/** Whether the account has the same name as the only thing that is read. */
function isNamedByChoice(connection: Connection): boolean {
  return connection.chosen.length === 1 && connection.chosen[0] === connection.account;
}

function progressOf(run: Run): string {
  const parts = [
    `${plural(run.added, "item")} added`,
    run.updated && `${run.updated} updated`,
    run.deleted && `${run.deleted} deleted`,
    run.unchanged && `${run.unchanged} unchanged`,
    run.skipped && `${run.skipped} skipped`,
  ];
  return parts.filter(Boolean).join(", ");
}

function Numbers({ connection }: { connection: Connection }) {
  return (
    <>
      {plural(connection.items, "item")}
      {connection.last_synced_at && (
        <>
          {" "}
          · synced <Time at={connection.last_synced_at} />
        </>
      )}
      {connection.next_at && (
        <>
          {" "}
          · next <Time at={connection.next_at} />
        </>
      )}
    </>
  );
}

/** The reads and costs of today, for a service that charges for each read. */
function Usage({ usage }: { usage: NonNullable<Connection["usage"]> }) {
  const { reads, most_reads, usd, most_usd } = usage;
  return (
    <p className="text-sm text-muted">
      {reads.toLocaleString()} of {plural(most_reads, "read")} today, about {usd.toFixed(2)} of{" "}
      {most_usd.toFixed(2)} USD
    </p>
  );
}

type ActionsProps = Props & { isSyncing: boolean };

function Actions({ connection, connector, isSyncing, onConnect }: ActionsProps) {
  const sync = useSync();
  const change = useChangeConnection();
  const [disconnecting, setDisconnecting] = useState(false);
  const [choosing, setChoosing] = useState(false);
  const [editingWebhook, setEditingWebhook] = useState(false);
  const isPaused = connection.status === "paused";
  const canSync = ["active", "failing"].includes(connection.status);
  const onError = (error: unknown) => toast.error(messageOf(error));
  if (connection.status === "removing") return null;
  return (
    <div className="flex flex-wrap gap-2">
      {connection.status === "needs_auth" && connector && (
        <Button size="sm" variant="primary" onClick={() => onConnect(connector, connection)}>
          <KeyRound size={14} /> Connect again
        </Button>
      )}
      {connector?.needs_choice && (
        <Button
          size="sm"
          variant={connection.status === "choosing" ? "primary" : "secondary"}
          aria-label={`Choose what to read from ${connection.account}`}
          onClick={() => setChoosing(true)}
        >
          <ListChecks size={14} /> Choose
        </Button>
      )}
      {canSync && (
        <Button
          size="sm"
          busy={sync.isPending}
          disabled={isSyncing}
          aria-label={`Sync ${connection.account} now`}
          onClick={() => sync.mutate(connection.id, { onError })}
        >
          <RefreshCw size={14} /> Sync now
        </Button>
      )}
      {(canSync || isPaused) && (
        <Button
          size="sm"
          busy={change.isPending}
          aria-label={`${isPaused ? "Resume" : "Pause"} ${connection.account}`}
          onClick={() => change.mutate({ id: connection.id, paused: !isPaused }, { onError })}
        >
          {isPaused ? <Play size={14} /> : <Pause size={14} />} {isPaused ? "Resume" : "Pause"}
        </Button>
      )}
      {connector?.webhooks && (
        <Button
          size="sm"
          aria-label={`Webhook of ${connection.account}`}
          onClick={() => setEditingWebhook(true)}
        >
          <Webhook size={14} /> Webhook
        </Button>
      )}
      <Button
        size="sm"
        variant="danger"
        aria-label={`Disconnect ${connection.account}`}
        onClick={() => setDisconnecting(true)}
      >
        <Unplug size={14} /> Disconnect
      </Button>
      {choosing && connector && (
        <ChooseDialog
          connection={connection}
          connector={connector}
          onClose={() => setChoosing(false)}
        />
      )}
      {editingWebhook && connector && (
        <WebhookDialog
          connection={connection}
          connector={connector}
          onClose={() => setEditingWebhook(false)}
        />
      )}
      {disconnecting && (
        <DisconnectDialog connection={connection} onClose={() => setDisconnecting(false)} />
      )}
    </div>
  );
}
