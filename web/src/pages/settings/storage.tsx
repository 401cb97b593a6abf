import { useQuery } from "@tanstack/react-query";
import clsx from "clsx";
import { Link } from "react-router";
import { diagnosticsQuery, type ServerState, serverQuery } from "~/features/stats/server";
import { statsQuery } from "~/features/stats/stats";
import { bytes, number } from "~/lib/format";
import { Card, Section } from "~/ui/layout";
import { Loaded, Skeleton } from "~/ui/states";
import { Time } from "~/ui/time";
import { Numbers } from "./numbers";

export function Storage() {
  const stats = useQuery(statsQuery);
  return (
    <Section id="storage" title="Storage">
      <Loaded query={stats} skeleton={<Skeleton className="h-20 rounded-lg" />}>
        {(data) => (
          <>
            <Numbers stats={data} />
            <Card className="mt-3 flex flex-wrap gap-x-10 gap-y-3 p-4">
              <Figure
                label="Searchable by meaning"
                value={`${Math.round(data.embedding_coverage * 100)} %`}
              />
              <p className="w-full text-sm text-muted">
                Text in pictures is read in {data.pictures_read}. Speech is understood in{" "}
                {data.speech_read}.
              </p>
              <ServerLines />
              {data.vector_move && (
                <p className="w-full text-sm text-muted">
                  {number(data.vector_move.moved)} of {number(data.vector_move.total)} texts have
                  moved to the model {data.vector_move.new_model}. Searching works meanwhile.
                </p>
              )}
            </Card>
          </>
        )}
      </Loaded>
    </Section>
  );
}

function ServerLines() {
  const { data: server } = useQuery(serverQuery);
  const { data: diagnostics } = useQuery(diagnosticsQuery);
  if (!server) return null;
  const { backups, last_failure: failure } = server;
  return (
    <>
      <p className="w-full text-sm text-muted">
        remem {server.version} was started <Time at={server.started_at} />.
        {failure?.at && (
          <>
            {" "}
            The last job that failed is {failure.job}, <Time at={failure.at} />: {failure.error}
          </>
        )}
      </p>
      <p className={clsx("w-full text-sm", backups.is_overdue ? "text-danger" : "text-muted")}>
        <Backups backups={backups} />
      </p>
      {diagnostics?.isOperator && (
        <Link to="/operator" className="text-sm text-accent hover:underline">
          Search policies and jobs
        </Link>
      )}
    </>
  );
}

function Backups({ backups }: { backups: ServerState["backups"] }) {
  if (!backups.is_on) return "This server makes no backups of its own.";
  return (
    <>
      {backups.last_at ? (
        <>
          The last backup was made <Time at={backups.last_at} />
          {backups.bytes !== null && ` (${bytes(backups.bytes)})`}.
        </>
      ) : (
        "The first backup is made tonight."
      )}
      {backups.failed_at && (
        <>
          {" "}
          The attempt <Time at={backups.failed_at} /> failed: {backups.error}
        </>
      )}
    </>
  );
}

function Figure({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <div className="text-xs text-muted">{label}</div>
      <div className="text-md font-semibold tabular-nums">{value}</div>
    </div>
  );
}
