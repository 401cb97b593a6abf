import { useInfiniteQuery } from "@tanstack/react-query";
import clsx from "clsx";
import { ListChecks } from "lucide-react";
import { type EvolutionJob, evolutionJobsQuery } from "~/features/evolution/evolution";
import { Row, Rows } from "~/ui/layout";
import { ShowMore } from "~/ui/show-more";
import { EmptyState, Loaded, SkeletonList } from "~/ui/states";
import { Time } from "~/ui/time";

const LABELS: Record<string, string> = {
  arena: "Compare ways of searching",
  embedding: "Embed memories",
  derivation: "Take memories apart",
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
                <JobRow key={job.id} job={job} />
              ))}
            </Rows>
            <ShowMore list={list} className="mt-4" />
          </>
        );
      }}
    </Loaded>
  );
}

function JobRow({ job }: { job: EvolutionJob }) {
  return (
    <Row className="text-sm">
      <span className="min-w-0 flex-1 basis-52 font-medium">
        {LABELS[job.jobType] ?? job.jobType}
      </span>
      <span className="basis-52 text-muted">{job.error ?? counts(job)}</span>
      <span className={clsx("w-16", job.status === "failed" && "text-danger")}>
        {STATUS[job.status] ?? job.status}
      </span>
      <span className="text-muted">
        <Time at={job.finishedAt ?? job.createdAt} />
      </span>
    </Row>
  );
}

/** "3 merged, 120 compared": what a job counted, without what is zero. */
function counts({ result }: EvolutionJob): string {
  const parts = Object.entries(result)
    .filter(([, value]) => typeof value === "number" && value > 0)
    .map(([name, value]) => `${value} ${name}`);
  return parts.join(", ") || "Nothing to do";
}
