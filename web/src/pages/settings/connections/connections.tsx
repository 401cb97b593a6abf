import { useQuery } from "@tanstack/react-query";
import { ArrowLeft } from "lucide-react";
import { useCallback, useEffect, useState } from "react";
import { Link } from "react-router";
import { toast } from "sonner";
import {
  type Connection,
  type Connector,
  connectionsQuery,
  connectorsQuery,
} from "~/features/connections/connections";
import { useUrlState } from "~/lib/url-state";
import { useTitle } from "~/lib/use-title";
import { PageLayout, Rows, Section } from "~/ui/layout";
import { Loaded, SkeletonList } from "~/ui/states";
import { AddDialog } from "./add-dialog";
import { ConnectionRow } from "./connection-row";
import { ProviderCard } from "./provider-card";

/** Messages for the reasons why a service returned without an account. */
const FAILURES: Record<string, string> = {
  unauthenticated: "Sign in first, then connect the account again.",
  signed_out: "Sign in first, then connect the account again.",
  other_user: "Another user started this sign-in. Connect the account yourself.",
  not_found: "This sign-in was already used or is older than ten minutes. Connect again.",
  needs_auth: "The service denied access. Connect again and allow it there.",
};

type Adding = { connector: Connector; former?: Connection };

export default function Connections() {
  useTitle("Connections");
  useSignInResult();
  const connections = useQuery(connectionsQuery);
  const connectors = useQuery(connectorsQuery);
  const [adding, setAdding] = useState<Adding | null>(null);
  const close = useCallback(() => setAdding(null), []);
  return (
    <PageLayout
      title="Connections"
      description="Places that remem keeps up with. Everything they bring belongs to the project you choose. In an organization, every member can find it."
      actions={
        <Link
          to="/settings"
          className="inline-flex items-center gap-1.5 text-sm text-muted hover:text-ink"
        >
          <ArrowLeft size={14} /> Settings
        </Link>
      }
    >
      <div className="space-y-10">
        <Loaded query={connections} skeleton={<SkeletonList rows={2} height="h-24" />}>
          {(all) => (
            <ConnectionList
              connections={all}
              connectors={connectors.data ?? []}
              onConnect={(connector, former) => setAdding({ connector, former })}
            />
          )}
        </Loaded>
        <Section
          title="Add a connection"
          description="You see how much there is before anything is saved."
        >
          <Loaded query={connectors} skeleton={<SkeletonList rows={3} height="h-20" />}>
            {(all) => (
              <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
                {all.map((connector) => (
                  <li key={connector.provider} className="min-w-0">
                    <ProviderCard
                      connector={connector}
                      onConnect={() => setAdding({ connector })}
                    />
                  </li>
                ))}
              </ul>
            )}
          </Loaded>
        </Section>
      </div>
      {adding && <AddDialog {...adding} onClose={close} />}
    </PageLayout>
  );
}

type ListProps = {
  connections: Connection[];
  connectors: Connector[];
  onConnect: (connector: Connector, former: Connection) => void;
};

function ConnectionList({ connections, connectors, onConnect }: ListProps) {
  if (!connections.length) return null;
  return (
    <Section title="Your connections">
      <Rows>
        {connections.map((connection) => (
          <ConnectionRow
            key={connection.id}
            connection={connection}
            connector={connectors.find(({ provider }) => provider === connection.provider)}
            onConnect={onConnect}
          />
        ))}
      </Rows>
    </Section>
  );
}

/** Shows the result of a sign-in at a service once, and removes it from the URL. */
function useSignInResult() {
  const [params, change] = useUrlState();
  const connected = params.get("connected");
  const failed = params.get("failed");
  useEffect(() => {
    if (connected) toast.success("The account is connected");
    if (failed) toast.error(FAILURES[failed] ?? "The account was not connected. Try again.");
    if (connected || failed) change({ connected: null, failed: null });
  }, [connected, failed, change]);
}
