import { useInfiniteQuery } from "@tanstack/react-query";
import clsx from "clsx";
import { Brain, Combine, Pencil, Trash2 } from "lucide-react";
import { useMemo, useState } from "react";
import { useNavigate } from "react-router";
import { toast } from "sonner";
import {
  type Memory,
  type MemoryFilter,
  memoriesQuery,
  useChangeMemory,
  useForgetMemories,
  useMergeMemories,
} from "~/features/memories/memories";
import { MemoryEditor } from "~/features/memories/memory-editor";
import { MemoryLine } from "~/features/memories/memory-line";
import { ProjectSelect } from "~/features/projects/project-select";
import { messageOf } from "~/lib/api";
import { plural } from "~/lib/format";
import { useKeys } from "~/lib/keyboard";
import { t } from "~/lib/language";
import { toggled } from "~/lib/toggled";
import { Button } from "~/ui/button";
import { SelectAll } from "~/ui/select-all";
import { SelectionBar } from "~/ui/selection-bar";
import { ShowMore } from "~/ui/show-more";
import { EmptyState, ErrorState, SkeletonList } from "~/ui/states";

export function MemoryList({ filter }: { filter: MemoryFilter }) {
  const list = useInfiniteQuery(memoriesQuery(filter));
  const memories = useMemo(
    () => list.data?.pages.flatMap((page) => page.memories) ?? [],
    [list.data],
  );
  const [at, setAt] = useState(-1);
  const [selected, setSelected] = useState<string[]>([]);
  const [editing, setEditing] = useState<Memory>();
  const forget = useForgetMemories();
  const navigate = useNavigate();
  const current = memories[at];
  const go = (index: number) => {
    const next = Math.max(0, Math.min(memories.length - 1, index));
    setAt(next);
    document.getElementById(`memory-${memories[next]?.id}`)?.scrollIntoView({ block: "nearest" });
  };
  useKeys({
    j: () => go(at + 1),
    k: () => go(at - 1),
    o: () => current && navigate(`/memories/${current.id}`),
    e: () => current && setEditing(current),
    x: () => current && setSelected((all) => toggled(all, current.id)),
    "#": () => current && forget.mutate([current.id]),
  });
  // Actions do not apply to memories that a filter hides.
  const shownIds = memories.map(({ id }) => id).filter((id) => selected.includes(id));
  if (list.error && !list.data) return <ErrorState error={list.error} onRetry={list.refetch} />;
  if (list.isPending) return <SkeletonList rows={6} height="h-14" />;
  if (!memories.length) return <Nothing filter={filter} />;
  return (
    <>
      <div className="px-4">
        <SelectAll
          count={plural(list.data?.pages[0]?.total ?? memories.length, "memory", "memories")}
          ids={memories.map(({ id }) => id)}
          selected={shownIds}
          onChange={setSelected}
        />
      </div>
      <ul className="divide-y divide-line rounded-lg border bg-surface">
        {memories.map((memory, i) => (
          <li
            key={memory.id}
            id={`memory-${memory.id}`}
            className={clsx(
              "group flex items-start gap-3 px-4 py-3",
              selected.includes(memory.id) && "bg-accent-soft",
              i === at && "outline-2 -outline-offset-2 outline-accent",
            )}
          >
            <input
              type="checkbox"
              aria-label={t("Select: {content}", { content: memory.content })}
              checked={selected.includes(memory.id)}
              onChange={() => setSelected((all) => toggled(all, memory.id))}
              className="mt-1 size-4 accent-(--accent)"
            />
            <MemoryLine
              memory={memory}
              actions={
                <Button
                  variant="quiet"
                  size="icon"
                  aria-label={t("Edit: {content}", { content: memory.content })}
                  className="opacity-0 group-hover:opacity-100 focus-visible:opacity-100 pointer-coarse:opacity-100"
                  onClick={() => setEditing(memory)}
                >
                  <Pencil size={14} />
                </Button>
              }
            />
          </li>
        ))}
      </ul>
      <div className="mt-4 text-center">
        <ShowMore list={list} />
      </div>
      <Selection ids={shownIds} onClear={() => setSelected([])} />
      <MemoryEditor
        open={editing !== undefined}
        memory={editing}
        onClose={() => setEditing(undefined)}
      />
    </>
  );
}

type SelectionProps = { ids: string[]; onClear: () => void };

function Selection({ ids, onClear }: SelectionProps) {
  const forget = useForgetMemories();
  const merge = useMergeMemories();
  const change = useChangeMemory();
  if (!ids.length) return null;
  const finish = (words: string) => ({
    onSuccess: () => {
      toast.success(words);
      onClear();
    },
    onError: (error: unknown) => toast.error(messageOf(error)),
  });
  return (
    <SelectionBar label={t("Selected memories")} count={ids.length} onClear={onClear}>
      <Button
        variant="quiet"
        size="sm"
        disabled={ids.length < 2}
        onClick={() => merge.mutate({ ids }, finish(t("Merged into one")))}
      >
        <Combine size={14} /> {t("Merge")}
      </Button>
      <ProjectSelect
        label={t("Move to a project")}
        none={t("Move to…")}
        value=""
        className="h-7! border-transparent! bg-transparent"
        onChange={async (project) => {
          for (const id of ids) await change.mutateAsync({ id, body: { project } });
          toast.success(
            t("{memories} moved", { memories: plural(ids.length, "memory", "memories") }),
          );
          onClear();
        }}
      />
      <Button variant="quiet" size="sm" onClick={() => forget.mutate(ids, { onSuccess: onClear })}>
        <Trash2 size={14} /> {t("Forget")}
      </Button>
    </SelectionBar>
  );
}

function Nothing({ filter }: { filter: MemoryFilter }) {
  const narrowed = filter.contains || filter.category || filter.project;
  return (
    <EmptyState icon={Brain} title={narrowed ? t("No memory matches") : t("No memories yet")}>
      {narrowed
        ? t("Remove some of the filters.")
        : t("They are extracted from what you save, or added by you and your assistants.")}
    </EmptyState>
  );
}
