import { Plus } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { CATEGORIES, categoryName, isCategory } from "~/features/memories/categories";
import type { MemoryFilter, State } from "~/features/memories/memories";
import { MemoryEditor } from "~/features/memories/memory-editor";
import { ProjectSelect } from "~/features/projects/project-select";
import { useQuestions } from "~/features/review/review";
import { useUrlState } from "~/lib/url-state";
import { useDebounced } from "~/lib/use-debounced";
import { useTitle } from "~/lib/use-title";
import { Button } from "~/ui/button";
import { ToggleChip } from "~/ui/chip";
import { Input } from "~/ui/input";
import { PageLayout } from "~/ui/layout";
import { Tabs } from "~/ui/tabs";
import { MemoryList } from "./memory-list";
import { Review } from "./review";

const TYPING_MS = 250;
type Tab = "current" | "review" | "replaced";

export default function Memories() {
  useTitle("Memories");
  const [params, change] = useUrlState();
  const [adding, setAdding] = useState(false);
  const tab = (params.get("tab") as Tab) || "current";
  const questions = useQuestions();
  return (
    <PageLayout
      title="Memories"
      description="Single statements, each with its source and its history."
      actions={
        <Button variant="primary" onClick={() => setAdding(true)}>
          <Plus size={16} /> Add a memory
        </Button>
      }
    >
      <Tabs<Tab>
        label="Which memories"
        value={tab}
        tabs={[
          { value: "current", label: "Current" },
          { value: "review", label: "Review", count: questions || undefined },
          { value: "replaced", label: "Replaced" },
        ]}
        onChange={(next) => change({ tab: next === "current" ? null : next })}
      />
      {tab === "review" ? (
        <Review />
      ) : (
        <Filtered state={tab === "replaced" ? "superseded" : "active"} />
      )}
      <MemoryEditor open={adding} onClose={() => setAdding(false)} />
    </PageLayout>
  );
}

/** Memories of a state, with filters. */
function Filtered({ state }: { state: State }) {
  const [params, change] = useUrlState();
  const category = params.get("category") ?? "";
  const project = params.get("project") ?? "";
  const [text, setText] = useState(params.get("q") ?? "");
  const settled = useDebounced(text.trim(), TYPING_MS);
  useEffect(() => change({ q: settled }), [settled, change]);
  const filter = useMemo<MemoryFilter>(
    () => ({
      state,
      category: isCategory(category) ? category : undefined,
      project: project || undefined,
      contains: settled || undefined,
    }),
    [state, category, project, settled],
  );
  return (
    <>
      <div className="mb-4 flex flex-wrap gap-2">
        <Input
          type="search"
          aria-label="Filter memories"
          placeholder="Filter by words…"
          value={text}
          className="w-56!"
          onChange={(event) => setText(event.target.value)}
        />
        <ProjectSelect
          label="Project"
          none="All projects"
          value={project}
          onChange={(slug) => change({ project: slug })}
        />
      </div>
      <fieldset aria-label="Kind" className="mb-4 flex flex-wrap gap-1.5">
        {CATEGORIES.map((name) => (
          <ToggleChip
            key={name}
            pressed={category === name}
            onPress={() => change({ category: category === name ? null : name })}
          >
            {categoryName(name)}
          </ToggleChip>
        ))}
      </fieldset>
      <MemoryList filter={filter} />
    </>
  );
}
