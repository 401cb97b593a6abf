import { useQuery } from "@tanstack/react-query";
import { Sparkles } from "lucide-react";
import { upcomingQuery, useRunNow } from "~/features/evolution/evolution";
import { messageOf } from "~/lib/api";
import { useUrlState } from "~/lib/url-state";
import { useTitle } from "~/lib/use-title";
import { Button } from "~/ui/button";
import { PageLayout } from "~/ui/layout";
import { Tabs } from "~/ui/tabs";
import { Time } from "~/ui/time";
import { Actions } from "./actions";
import { ArenaView } from "./arena";
import { Jobs } from "./jobs";

const TABS = [
  { value: "changes", label: "What changed" },
  { value: "searching", label: "How remem searches" },
  { value: "jobs", label: "Jobs" },
] as const;
type Tab = (typeof TABS)[number]["value"];

export default function Evolution() {
  useTitle("Evolution");
  const [params, change] = useUrlState();
  const asked = params.get("tab");
  const tab: Tab = TABS.find(({ value }) => value === asked)?.value ?? "changes";
  const run = useRunNow();
  return (
    <PageLayout
      title="Evolution"
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
      {run.isSuccess && <p className="mb-4 text-muted">Done. See what changed below.</p>}
      <Tabs
        label="Evolution"
        tabs={[...TABS]}
        value={tab}
        onChange={(value) => change({ tab: value === "changes" ? null : value })}
      />
      {tab === "changes" && <Actions />}
      {tab === "searching" && <ArenaView />}
      {tab === "jobs" && <Jobs />}
    </PageLayout>
  );
}

function NextRun() {
  const { data } = useQuery(upcomingQuery());
  if (!data) return <>What remem learned and did by itself.</>;
  return (
    <>
      What remem learned and did by itself. The next run is <Time at={data.nextRunAt} />
      {data.due.length > 0 &&
        `; ${data.due.length} ${data.due.length === 1 ? "job is" : "jobs are"} due`}
      .
    </>
  );
}
