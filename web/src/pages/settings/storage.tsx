import { useQuery } from "@tanstack/react-query";
import clsx from "clsx";
import { Link } from "react-router";
import { diagnosticsQuery, type ServerState, serverQuery } from "~/features/stats/server";
import { statsQuery } from "~/features/stats/stats";
import { bytes, number, percent } from "~/lib/format";
import { rich, t } from "~/lib/language";
import { Card, Section } from "~/ui/layout";
import { Loaded, Skeleton } from "~/ui/states";
import { Time } from "~/ui/time";
import { Numbers } from "./numbers";

export function Storage() {
  const stats = useQuery(statsQuery);
  return (
    <Section id="storage" title={t("Storage")}>
      <Loaded query={stats} skeleton={<Skeleton className="h-20 rounded-lg" />}>
        {(data) => (
          <>
            <Numbers stats={data} />
            <Card className="mt-3 flex flex-wrap gap-x-10 gap-y-3 p-4">
              <Figure label={t("Searchable by meaning")} value={percent(data.embedding_coverage)} />
              <p className="w-full text-sm text-muted">
                {t("Text in pictures is read in {script}. Speech is understood in {languages}.", {
                  script: data.pictures_read,
                  languages: data.speech_read,
                })}
              </p>
              <ServerLines />
              {data.vector_move && (
                <p className="w-full text-sm text-muted">
                  {t(
                    "{moved} of {total} texts have moved to the model {model}. Searching works meanwhile.",
                    {
                      moved: number(data.vector_move.moved),
                      total: number(data.vector_move.total),
                      model: data.vector_move.new_model,
                    },
                  )}
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
        {rich("remem {version} was started {time}.", {
          version: server.version,
          time: <Time at={server.started_at} />,
        })}
        {failure?.at && (
          <>
            {" "}
            {rich("The last job that failed is {job}, {time}: {error}", {
              job: failure.job,
              time: <Time at={failure.at} />,
              error: failure.error,
            })}
          </>
        )}
      </p>
      <p className={clsx("w-full text-sm", backups.is_overdue ? "text-danger" : "text-muted")}>
        <Backups backups={backups} />
      </p>
      {diagnostics?.isOperator && (
        <Link to="/operator" className="text-sm text-accent hover:underline">
          {t("Search policies and jobs")}
        </Link>
      )}
    </>
  );
}

function Backups({ backups }: { backups: ServerState["backups"] }) {
  if (!backups.is_on) return t("This server makes no backups of its own.");
  return (
    <>
      {backups.last_at
        ? rich("The last backup was made {time} ({size}).", {
            time: <Time at={backups.last_at} />,
            size: bytes(backups.bytes ?? 0),
          })
        : t("The first backup is made tonight.")}
      {backups.failed_at && (
        <>
          {" "}
          {rich("The attempt {time} failed: {error}", {
            time: <Time at={backups.failed_at} />,
            error: backups.error,
          })}
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
