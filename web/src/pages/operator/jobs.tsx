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
  arena: "Compare search policies",
  embedding: "Embed memories",
  derivation: "Derive facts and dates",
  consolidation: "Merge, decay, promote",
  graph: "Connect memories",
  learning_propagation: "Pass on what was learned",
};
const STATUS: Record<string, string> = {
  pending: "Waiting",
  running: "Running",
  completed: "Done",
  failed: "Failed",
};

/** The jobs of evolution, newest first. */
export function Jobs() {
  const list = useInfiniteQuery(evolutionJobsQuery());
  return (
    <Loaded query={list} skeleton={<SkeletonList rows={6} height="h-12" />}>
      {({ pages }) => {
        const jobs = pages.flatMap((page) => page.jobs);
        if (!jobs.length) {
          return (
            <EmptyState icon={ListChecks} title="No jobs yet">
              remem checks every day at 09:00 UTC what there is to do.
            </EmptyState>
          );
        }
        return (
          <>
            <Rows>
              {jobs.map((job) => (
                <JobRow key={job.id} job={job} isRetried={hasNewerRun(job, jobs)} />
              ))}
            </Rows>
            <ShowMore list={list} className="mt-4" />
          </>
        );
      }}
    </Loaded>
  );
}

const hasNewerRun = (job: EvolutionJob, jobs: EvolutionJob[]) =>
  jobs.some(
    (other) =>
      other.jobType === job.jobType &&
      other.projectId === job.projectId &&
      other.createdAt > job.createdAt,
  );

function JobRow({ job, isRetried }: { job: EvolutionJob; isRetried: boolean }) {
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
            {isRetried ? "; run again since." : "; remem tries again after six hours."}
          </p>
          {!isRetried && (
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

/** The server's sentence, or a sentence around the name of an error. */
function reason({ error }: EvolutionJob): string {
  if (!error) return "It stopped unexpectedly.";
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
  decayed: (value) => `${value} decayed`,
  promoted: (value) => `${value} promoted`,
  connected: (value) => `${plural(value, "memory", "memories")} connected`,
  links: (value) => plural(value, "link"),
  arms: (value) => plural(value, "score"),
};

/** The counts of a job that are not zero: "120 compared, 3 merged". */
function counts({ result, status }: EvolutionJob): string {
  if (status !== "completed") return "";
  const parts = Object.entries(COUNTED).flatMap(([name, describe]) => {
    const value = result[name];
    return typeof value === "number" && value > 0 ? [describe(value)] : [];
  });
  return parts.join(", ") || "Nothing to do";
}
