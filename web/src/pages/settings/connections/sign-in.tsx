import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ExternalLink, LoaderCircle, LogIn, Smartphone } from "lucide-react";
import { useEffect, useState } from "react";
import {
  type Connection,
  type Connector,
  type DeviceCode,
  deviceQuery,
  useConsent,
  useDeviceCode,
} from "~/features/connections/connections";
import { messageOf } from "~/lib/api";
import { Button, buttonClass } from "~/ui/button";
import { CopyBox, CopyButton } from "~/ui/copy-button";
import { Field, Input } from "~/ui/input";
import { ErrorText } from "~/ui/states";

type Props = {
  connector: Connector;
  consent: NonNullable<Connector["consent"]>;
  fields: Record<string, string>;
  onConnected: (connection: Connection) => void;
};

/** Connect by consenting at the service: there and back, or by a code that is typed in there. */
export function SignIn({ connector, consent, fields, onConnected }: Props) {
  const [client, setClient] = useState({ id: "", secret: "" });
  if (consent.ready)
    return (
      <div className="space-y-3">
        <Ways connector={connector} consent={consent} fields={fields} onConnected={onConnected} />
        <div className="flex items-center gap-3 text-xs text-muted">
          <span className="h-px flex-1 bg-line" /> or without signing in{" "}
          <span className="h-px flex-1 bg-line" />
        </div>
      </div>
    );
  return (
    <details className="text-sm">
      <summary className="cursor-pointer text-muted hover:text-ink">
        Sign in with an app of your own
      </summary>
      <div className="mt-3 space-y-3 rounded-md border p-3">
        <p className="text-muted">
          Make an app at {connector.title}, allow this redirect address in it, and give its client
          id. The docs page of {connector.title} says where.
        </p>
        <CopyBox text={consent.redirect_uri} />
        <Field label="Client id">
          {(id) => (
            <Input
              id={id}
              autoComplete="off"
              spellCheck={false}
              value={client.id}
              onChange={(event) => setClient({ ...client, id: event.target.value })}
            />
          )}
        </Field>
        <Field label="Client secret" hint={consent.device ? "Not needed for a code." : undefined}>
          {(id, describedBy) => (
            <Input
              id={id}
              aria-describedby={describedBy}
              type="password"
              autoComplete="off"
              value={client.secret}
              onChange={(event) => setClient({ ...client, secret: event.target.value })}
            />
          )}
        </Field>
        {client.id.trim() && (
          <Ways
            connector={connector}
            consent={consent}
            fields={fields}
            client={{
              client_id: client.id.trim(),
              client_secret: client.secret.trim() || null,
            }}
            onConnected={onConnected}
          />
        )}
      </div>
    </details>
  );
}

type WaysProps = Props & { client?: { client_id: string; client_secret: string | null } };

function Ways({ connector, consent, fields, client, onConnected }: WaysProps) {
  const there = useConsent();
  const device = useDeviceCode();
  const asked = { provider: connector.provider, fields, ...client };
  const problem = there.error ?? device.error;
  if (device.data)
    return (
      <CodeToType
        title={connector.title}
        code={device.data}
        onConnected={onConnected}
        onAgain={() => device.mutate(asked)}
      />
    );
  return (
    <div className="space-y-2">
      <Button
        className="w-full justify-center"
        busy={there.isPending}
        onClick={() => there.mutate(asked)}
      >
        <LogIn size={14} /> Sign in with {connector.title}
      </Button>
      {consent.device && (
        <Button
          className="w-full justify-center"
          busy={device.isPending}
          onClick={() => device.mutate(asked)}
        >
          <Smartphone size={14} /> Sign in with a code
        </Button>
      )}
      {problem && <ErrorText>{messageOf(problem)}</ErrorText>}
    </div>
  );
}

type CodeProps = {
  title: string;
  code: DeviceCode;
  onConnected: (connection: Connection) => void;
  onAgain: () => void;
};

function CodeToType({ title, code, onConnected, onAgain }: CodeProps) {
  const queries = useQueryClient();
  const { data: connection, error } = useQuery(deviceQuery(code));
  useEffect(() => {
    if (!connection) return;
    queries.invalidateQueries({ queryKey: ["connections"] });
    onConnected(connection);
  }, [connection, queries, onConnected]);
  return (
    <div className="space-y-3 rounded-md border bg-raised p-4 text-center">
      <p className="text-sm text-muted">Type this code in at {title}:</p>
      <p className="font-mono text-xl font-semibold tracking-widest select-all">{code.user_code}</p>
      <div className="flex flex-wrap justify-center gap-2">
        <CopyButton text={code.user_code} label="Copy the code" />
        <a
          href={code.verification_url}
          target="_blank"
          rel="noreferrer"
          className={buttonClass("primary", "sm")}
        >
          <ExternalLink size={14} /> Open {title}
        </a>
      </div>
      {error ? (
        <div className="space-y-2">
          <ErrorText>{messageOf(error)}</ErrorText>
          <Button size="sm" onClick={onAgain}>
            Get a new code
          </Button>
        </div>
      ) : (
        <p role="status" className="flex items-center justify-center gap-2 text-sm text-muted">
          <LoaderCircle size={14} className="animate-spin" /> Waiting until you have allowed it
          there
        </p>
      )}
    </div>
  );
}
