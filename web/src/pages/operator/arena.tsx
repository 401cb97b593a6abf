import { useQuery } from "@tanstack/react-query";
import clsx from "clsx";
import {
  type Arena,
  type ArmScore,
  arenaQuery,
  type Policy,
  usePin,
} from "~/features/evolution/evolution";
import { useProjects } from "~/features/projects/projects";
import { messageOf } from "~/lib/api";
import { plural } from "~/lib/format";
import { useUrlState } from "~/lib/url-state";
import { Button } from "~/ui/button";
import { Select } from "~/ui/input";
import { Card } from "~/ui/layout";
import { Bar } from "~/ui/sparkline";
import { Loaded, SkeletonList } from "~/ui/states";
import { Time } from "~/ui/time";

/** The search policies with their scores, which one is active, and why. */
export function ArenaView() {
  const [params, change] = useUrlState();
  const project = params.get("project") ?? "";
  const projects = useProjects();
  const arena = useQuery(arenaQuery(project || undefined));
  return (
    <>
      <div className="mb-4">
        <Select
          aria-label="Project"
          value={project}
          onChange={(event) => change({ project: event.target.value || null })}
        >
          <option value="">All projects</option>
          {projects.data?.map(({ id, name, slug }) => (
            <option key={id} value={slug}>
              {name}
            </option>
          ))}
        </Select>
      </div>
      <Loaded query={arena} skeleton={<SkeletonList rows={7} height="h-12" />}>
        {(data) => (
          <div className="space-y-6">
            <ActivePolicy arena={data} project={project} />
            <Arms arena={data} />
          </div>
        )}
      </Loaded>
    </>
  );
}

const NAMES: Record<string, string> = {
  fast_memories: "Words, memories only",
  balanced_memories: "Words and titles, memories only",
  deep_memories: "Words and links, memories only",
  balanced_hybrid: "Words and titles, documents too",
  deep_hybrid: "Words and links, documents too",
  balanced_vector: "Words and meaning, memories only",
  built_in: "Words and meaning, documents too",
};

const SOURCES: Record<Policy["source"], string> = {
  project: "learned in this project",
  tenant: "learned in all your projects",
  global: "learned from all users of this server",
  built_in: "built-in",
};

function ActivePolicy({ arena, project }: { arena: Arena; project: string }) {
  const pin = usePin();
  const { policy } = arena;
  return (
    <Card className="p-4">
      <p className="text-sm text-muted">Your assistants' searches use</p>
      <p className="mt-0.5 text-md font-semibold">{NAMES[policy.id] ?? policy.id}</p>
      <p className="mt-1">{why(policy)}</p>
      {policy.decidedAt && (
        <p className="mt-1 text-sm text-muted">
          Decided <Time at={policy.decidedAt} />
        </p>
      )}
      {policy.pinned && (
        <Button
          size="sm"
          className="mt-3"
          busy={pin.isPending}
          onClick={() => pin.mutate({ project: project || null, arm: null })}
        >
          Let remem choose again
        </Button>
      )}
      {pin.error && (
        <p role="alert" className="mt-2 text-sm text-danger">
          {messageOf(pin.error)}
        </p>
      )}
    </Card>
  );
}

const figure = (value: unknown) => (typeof value === "number" ? value.toFixed(2) : "?");

/** Explains in a sentence why a policy is active. */
function why({ pinned, source, reason }: Policy): string {
  if (pinned) return "You chose it. It stays until you let remem choose again.";
  if (source === "built_in") {
    return "The built-in policy is used until ten questions from your conversations show which is best.";
  }
  const origin = `${SOURCES[source]}, from ${reason.episodes} questions`;
  if (reason.decision === "built_in_is_better") {
    return `It scored ${figure(reason.score)}, and all others less; ${origin}.`;
  }
  const next = typeof reason.runner_up === "string" ? NAMES[reason.runner_up] : undefined;
  const comparison = next ? `, the next best (${next}) ${figure(reason.runner_up_score)}` : "";
  return `It scored ${figure(reason.score)}${comparison}; ${origin}.`;
}

function Arms({ arena }: { arena: Arena }) {
  return (
    <Card className="overflow-x-auto">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be focusable */}
      <section aria-label="Search policies" tabIndex={0} className="overflow-x-auto">
        <table className="w-full text-left text-sm">
          <caption className="sr-only">Search policies and their scores</caption>
          <thead className="text-muted">
            <tr className="border-b">
              <th className="px-4 py-2 font-medium">Search policy</th>
              <th className="px-4 py-2 font-medium">Score</th>
              <th className="hidden px-4 py-2 text-end font-medium sm:table-cell">Questions</th>
              <th className="hidden px-4 py-2 text-end font-medium sm:table-cell">Found</th>
              <th className="hidden px-4 py-2 text-end font-medium sm:table-cell">Time</th>
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {arena.arms.map((arm) => (
              <ArmRow key={arm.id} arm={arm} isActive={arm.id === arena.policy.id} />
            ))}
          </tbody>
        </table>
      </section>
    </Card>
  );
}

const FIGURE = "hidden px-4 py-2.5 text-end whitespace-nowrap tabular-nums sm:table-cell";

function ArmRow({ arm, isActive }: { arm: ArmScore; isActive: boolean }) {
  const tried = arm.pulls > 0;
  const recall = `${Math.round(arm.recall * 100)} %`;
  const duration = `${Math.round(arm.tookMs)} ms`;
  return (
    <tr>
      <th scope="row" className="px-4 py-2.5 font-normal sm:whitespace-nowrap">
        {NAMES[arm.id] ?? arm.id}
        {isActive && (
          <span className="ms-2 rounded-full border px-2 py-0.5 text-xs whitespace-nowrap text-accent">
            in use
          </span>
        )}
        {tried && (
          <span className="block text-muted sm:hidden">
            {plural(arm.pulls, "question")}, {recall} found
          </span>
        )}
      </th>
      <td className="px-4 py-2.5 sm:min-w-40">
        {tried ? (
          <Score arm={arm} isActive={isActive} />
        ) : (
          <span className="text-muted">not tried</span>
        )}
      </td>
      <td className={FIGURE}>{arm.pulls}</td>
      <td className={FIGURE}>{tried ? recall : "–"}</td>
      <td className={FIGURE}>{tried ? duration : "–"}</td>
    </tr>
  );
}

/** A bar for the score, and its margin of error: twice the standard error. */
function Score({ arm, isActive }: { arm: ArmScore; isActive: boolean }) {
  const margin = arm.error == null ? "" : ` ± ${(2 * arm.error).toFixed(2)}`;
  return (
    <span className="flex flex-wrap items-center gap-2 sm:flex-nowrap">
      <span className={clsx("w-20 sm:w-24", !isActive && "opacity-60")}>
        <Bar value={arm.score} label={`${NAMES[arm.id] ?? arm.id}: ${arm.score.toFixed(2)}`} />
      </span>
      <span className="whitespace-nowrap tabular-nums">
        {arm.score.toFixed(2)}
        <span className="text-muted">{margin}</span>
      </span>
    </span>
  );
}
