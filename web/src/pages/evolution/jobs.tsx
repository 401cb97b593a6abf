import { useInfiniteQuery } from "@tanstack/react-query";
import clsx from "clsx";
import { ListChecks } from "lucide-react";
import { type EvolutionJob, evolutionJobsQuery, useRetry } from "~/features/evolution/evolution";
import { useProjects } from "~/features/projects/projects";
import { messageOf } from "~/lib/api";
import { plural } from "~/lib/format";
import { Button } from "~/ui/button";
import { Row, Rows } from "~/ui/layout";
import { ShowMore } from "~/ui/show-more";
import { EmptyState, Loaded, SkeletonList } from "~/ui/states";
import { Time } from "~/ui/time";

const LABELS: Record<string, string> = {
  arena: "Compare ways of searching",
  embedding: "Embed memories",
  derivation: "Note dates and parts",
  consolidation: "Merge, fade, promote",
  graph: "Connect memories",
  learning_propagation: "Pass on what was learned",
};
const STATUS: Record<string, string> = {
  pending: "Waiting",
  running: "Running",
  completed: "Done",
  failed: "Failed",
};

/** What was done by itself, the newest first. */
export function Jobs() {
  const list = useInfiniteQuery(evolutionJobsQuery());
  return (
    <Loaded query={list} skeleton={<SkeletonList rows={6} height="h-12" />}>
      {({ pages }) => {
        const jobs = pages.flatMap((page) => page.jobs);
        if (!jobs.length) {
          return (
            <EmptyState icon={ListChecks} title="No jobs yet">
              remem looks every day at 09:00 UTC for what there is to do.
            </EmptyState>
          );
        }
        return (
          <>
            <Rows>
              {jobs.map((job) => (
                <JobRow key={job.id} job={job} triedSince={wasTriedSince(job, jobs)} />
              ))}
            </Rows>
            <ShowMore list={list} className="mt-4" />
          </>
        );
      }}
    </Loaded>
  );
}

const wasTriedSince = (job: EvolutionJob, jobs: EvolutionJob[]) =>
  jobs.some(
    (other) =>
      other.jobType === job.jobType &&
      other.projectId === job.projectId &&
      other.createdAt > job.createdAt,
  );

function JobRow({ job, triedSince }: { job: EvolutionJob; triedSince: boolean }) {
  const projects = useProjects();
  const retry = useRetry();
  const project = projects.data?.find(({ id }) => id === job.projectId);
  const failed = job.status === "failed";
  return (
    <Row className="text-sm">
      <span className="min-w-0 grow basis-2/3 sm:basis-52">
        <span className="font-medium">{LABELS[job.jobType] ?? job.jobType}</span>
        {project && <span className="text-muted"> in {project.name}</span>}
      </span>
      <span className={clsx("sm:order-1 sm:w-16", failed && "font-medium text-danger")}>
        {STATUS[job.status] ?? job.status}
      </span>
      <span className="min-w-0 grow basis-1/2 text-muted sm:grow-0 sm:basis-64">
        {failed ? "" : counts(job)}
      </span>
      <span className="text-muted sm:order-2 sm:w-28 sm:text-end">
        <Time at={job.finishedAt ?? job.createdAt} />
      </span>
      {failed && (
        <div className="order-3 flex basis-full flex-wrap items-center gap-3">
          <p className="min-w-0 flex-1 basis-60 break-words text-muted">
            {reason(job)} Tried {plural(job.attempts, "time")}
            {triedSince ? "; done anew since." : "; remem tries again after six hours."}
          </p>
          {!triedSince && (
            <Button size="sm" busy={retry.isPending} onClick={() => retry.mutate(job)}>
              Try again
            </Button>
          )}
        </div>
      )}
      {retry.error && (
        <p role="alert" className="order-3 basis-full text-danger">
          {messageOf(retry.error)}
        </p>
      )}
    </Row>
  );
}

/** A sentence of the server as it is; the bare name of an error in a sentence. */
function reason({ error }: EvolutionJob): string {
  if (!error) return "It stopped.";
  return error.includes(" ") ? error : `An unexpected error stopped it (${error}).`;
}

const COUNTED: Record<string, (value: number) => string> = {
  episodes: (value) => `${plural(value, "question")} asked again`,
  pulls: (value) => plural(value, "search", "searches"),
  embedded: (value) => `${plural(value, "memory", "memories")} embedded`,
  derived: (value) => `${plural(value, "memory", "memories")} read`,
  facts: (value) => plural(value, "part"),
  insights: (value) => plural(value, "insight"),
  compared: (value) => `${value} compared`,
  merged: (value) => `${value} merged`,
  decayed: (value) => `${value} faded`,
  promoted: (value) => `${value} promoted`,
  connected: (value) => `${plural(value, "memory", "memories")} connected`,
  links: (value) => plural(value, "link"),
  arms: (value) => plural(value, "score"),
};

/** "120 compared, 3 merged": what a job counted, without what is zero. */
function counts({ result, status }: EvolutionJob): string {
  if (status !== "completed") return "";
  const parts = Object.entries(COUNTED).flatMap(([name, say]) => {
    const value = result[name];
    return typeof value === "number" && value > 0 ? [say(value)] : [];
  });
  return parts.join(", ") || "Nothing to do";
}
