import { useQuery } from "@tanstack/react-query";
import { plural } from "~/lib/format";
import { t } from "~/lib/language";
import { buttonClass } from "~/ui/button";
import { Popover } from "~/ui/menu";
import { Bar, Ring } from "~/ui/sparkline";
import { Time } from "~/ui/time";
import { type JobLine, jobLabel, jobQuery, openJobsQuery } from "./jobs";

/** A ring that shows the jobs in progress and opens a list of them. */
export function JobRing() {
  const { data: jobs = [] } = useQuery(openJobsQuery);
  if (!jobs.length) return null;
  const running = jobs.filter((job) => job.status === "processing").length;
  const label = t("{jobs} in progress", { jobs: plural(jobs.length, "job") });
  return (
    <Popover
      label={t("Jobs in progress")}
      trigger={
        <button type="button" className={buttonClass("quiet")} aria-label={label} title={label}>
          <Ring progress={running / jobs.length} />
          {jobs.length}
        </button>
      }
    >
      <h2 className="mb-2 text-sm font-semibold">{label}</h2>
      <ul className="space-y-3">
        {jobs.slice(0, 10).map((job) => (
          <JobItem key={job.id} job={job} />
        ))}
      </ul>
    </Popover>
  );
}

function JobItem({ job }: { job: JobLine }) {
  const { data } = useQuery(jobQuery(job.id));
  return (
    <li className="space-y-1 text-sm">
      <div className="flex justify-between gap-2">
        <span className="truncate">{jobLabel(job.name)}</span>
        <span className="text-xs text-muted">
          {job.status === "pending" ? t("Waiting") : <Time at={job.created_at} />}
        </span>
      </div>
      <Bar value={data?.progress ?? 0} label={jobLabel(job.name)} />
    </li>
  );
}
