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

/** Connects by signing in at the service: with a redirect, or with a code to type in there. */
export function SignIn({ connector, consent, fields, onConnected }: Props) {
  const [client, setClient] = useState({ id: "", secret: "" });
  if (consent.ready)
    return (
      <div className="space-y-3">
        <SignInMethods
          connector={connector}
          consent={consent}
          fields={fields}
          onConnected={onConnected}
        />
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
          Create an app at {connector.title}, allow this redirect address in it, and enter its
          client id. The documentation of the {connector.title} connection explains where.
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
        <Field
          label="Client secret"
          hint={consent.device ? "Not needed to sign in with a code." : undefined}
        >
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
          <SignInMethods
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

type MethodsProps = Props & { client?: { client_id: string; client_secret: string | null } };

function SignInMethods({ connector, consent, fields, client, onConnected }: MethodsProps) {
  const consenting = useConsent();
  const device = useDeviceCode();
  const request = { provider: connector.provider, fields, ...client };
  const problem = consenting.error ?? device.error;
  if (device.data)
    return (
      <DeviceCodeView
        title={connector.title}
        code={device.data}
        onConnected={onConnected}
        onRetry={() => device.mutate(request)}
      />
    );
  return (
    <div className="space-y-2">
      <Button
        className="w-full justify-center"
        busy={consenting.isPending}
        onClick={() => consenting.mutate(request)}
      >
        <LogIn size={14} /> Sign in with {connector.title}
      </Button>
      {consent.device && (
        <Button
          className="w-full justify-center"
          busy={device.isPending}
          onClick={() => device.mutate(request)}
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
  onRetry: () => void;
};

function DeviceCodeView({ title, code, onConnected, onRetry }: CodeProps) {
  const queries = useQueryClient();
  const { data: connection, error } = useQuery(deviceQuery(code));
  useEffect(() => {
    if (!connection) return;
    queries.invalidateQueries({ queryKey: ["connections"] });
    onConnected(connection);
  }, [connection, queries, onConnected]);
  return (
    <div className="space-y-3 rounded-md border bg-raised p-4 text-center">
      <p className="text-sm text-muted">Enter this code at {title}:</p>
      <p className="font-mono text-xl font-semibold tracking-widest select-all">{code.user_code}</p>
      <div className="flex flex-wrap justify-center gap-2">
        <CopyButton text={code.user_code} label="Copy code" />
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
          <Button size="sm" onClick={onRetry}>
            Get a new code
          </Button>
        </div>
      ) : (
        <p role="status" className="flex items-center justify-center gap-2 text-sm text-muted">
          <LoaderCircle size={14} className="animate-spin" /> Waiting for you to allow access there
        </p>
      )}
    </div>
  );
}
