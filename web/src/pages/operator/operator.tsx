import { useQuery } from "@tanstack/react-query";
import { Lock, Sparkles } from "lucide-react";
import { Link } from "react-router";
import { type Run, upcomingQuery, useRunNow } from "~/features/evolution/evolution";
import { diagnosticsQuery } from "~/features/stats/server";
import { messageOf } from "~/lib/api";
import { plural } from "~/lib/format";
import { useUrlState } from "~/lib/url-state";
import { useTitle } from "~/lib/use-title";
import { Button } from "~/ui/button";
import { PageLayout } from "~/ui/layout";
import { EmptyState, Loaded, SkeletonList } from "~/ui/states";
import { Tabs } from "~/ui/tabs";
import { Time } from "~/ui/time";
import { ArenaView } from "./arena";
import { Jobs } from "./jobs";

const TABS = [
  { value: "searching", label: "Search policies" },
  { value: "jobs", label: "Jobs" },
] as const;
type Tab = (typeof TABS)[number]["value"];

/** How the server learns to search and what it does at night, for its operator. */
export default function Operator() {
  useTitle("Operator");
  const diagnostics = useQuery(diagnosticsQuery);
  return (
    <Loaded query={diagnostics} skeleton={<SkeletonList rows={4} height="h-12" />}>
      {({ isOperator }) => (isOperator ? <Tools /> : <Refusal />)}
    </Loaded>
  );
}

function Refusal() {
  return (
    <EmptyState icon={Lock} title="For the operator of this server">
      Sign in with the link that “remem open” prints to see it.
    </EmptyState>
  );
}

function Tools() {
  const [params, change] = useUrlState();
  const requested = params.get("tab");
  const tab: Tab = TABS.find(({ value }) => value === requested)?.value ?? "searching";
  const run = useRunNow();
  return (
    <PageLayout
      title="Operator"
      description={<NextRun />}
      actions={
        <Button busy={run.isPending} onClick={() => run.mutate(undefined)}>
          <Sparkles size={14} />
          Do what is due now
        </Button>
      }
    >
      {run.error && (
        <p role="alert" className="mb-4 text-danger">
          {messageOf(run.error)}
        </p>
      )}
      {run.data && (
        <p role="status" className="mb-4 text-muted">
          {outcome(run.data)}
        </p>
      )}
      <Tabs
        label="Operator"
        tabs={[...TABS]}
        value={tab}
        onChange={(value) => change({ tab: value === "searching" ? null : value })}
      />
      {tab === "searching" ? <ArenaView /> : <Jobs />}
    </PageLayout>
  );
}

function outcome({ jobs, left }: Run): string {
  if (!jobs.length) return "Nothing is due: everything is up to date.";
  const failed = jobs.filter(({ status }) => status !== "completed").length;
  const done = `${plural(jobs.length - failed, "job")} done`;
  return [done, failed && `${failed} failed`, left && "more is due: run it again"]
    .filter(Boolean)
    .join(", ")
    .concat(".");
}

function NextRun() {
  const { data } = useQuery(upcomingQuery());
  const feeds = (
    <Link to="/settings/connections" className="text-accent underline">
      feeds
    </Link>
  );
  if (!data) return <>How this server learns to search, and what it does at night.</>;
  return (
    <>
      How this server learns to search, and what it does at night. The next run is{" "}
      <Time at={data.nextRunAt} />
      {data.due.length > 0 && `, with ${plural(data.due.length, "job")} to do`}; it reads your{" "}
      {feeds} first.
    </>
  );
}
