import { Plus } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { CATEGORIES, categoryName, isCategory } from "~/features/memories/categories";
import type { MemoryFilter, State } from "~/features/memories/memories";
import { MemoryEditor } from "~/features/memories/memory-editor";
import { ProjectSelect } from "~/features/projects/project-select";
import { useQuestions } from "~/features/review/review";
import { t } from "~/lib/language";
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
  useTitle(t("Memories"));
  const [params, change] = useUrlState();
  const [adding, setAdding] = useState(false);
  const tab = (params.get("tab") as Tab) || "current";
  const questions = useQuestions();
  return (
    <PageLayout
      title={t("Memories")}
      description={t("Single statements, each with its source and its history.")}
      actions={
        <Button variant="primary" onClick={() => setAdding(true)}>
          <Plus size={16} /> {t("Add a memory")}
        </Button>
      }
    >
      <Tabs<Tab>
        label={t("Which memories")}
        value={tab}
        tabs={[
          { value: "current", label: t("Current") },
          { value: "review", label: t("Review"), count: questions || undefined },
          { value: "replaced", label: t("Replaced##tab") },
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
          aria-label={t("Filter memories")}
          placeholder={t("Filter by words…")}
          value={text}
          className="w-56!"
          onChange={(event) => setText(event.target.value)}
        />
        <ProjectSelect
          label={t("Project")}
          none={t("All projects")}
          value={project}
          onChange={(slug) => change({ project: slug })}
        />
      </div>
      <fieldset aria-label={t("Kind")} className="mb-4 flex flex-wrap gap-1.5">
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
