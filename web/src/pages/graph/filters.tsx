import clsx from "clsx";
import { Search, SlidersHorizontal } from "lucide-react";
import { useState } from "react";
import type { GraphData } from "~/features/graph/graph";
import { KIND_KEYS, kindKey, tokenOf } from "~/features/graph/kinds";
import { plainName } from "~/features/graph/names";
import { findNodes } from "~/features/graph/select";
import { ProjectSelect } from "~/features/projects/project-select";
import { list } from "~/lib/format";
import { t } from "~/lib/language";
import { toggled } from "~/lib/toggled";
import { Button } from "~/ui/button";
import { ToggleChip } from "~/ui/chip";
import { Menu, MenuItem } from "~/ui/menu";

type Props = {
  graph: GraphData;
  kinds: string[];
  relations: string[];
  project: string;
  /** The side panel is open. */
  beside: boolean;
  change: (changes: Record<string, string | string[] | null>) => void;
};

const MAX_MATCHES = 8;

export function GraphFilters({ graph, kinds, relations, project, beside, change }: Props) {
  const present = KIND_KEYS.filter((key) => graph.nodes.some((node) => kindKey(node) === key));
  const names = [...new Set(graph.edges.map(({ relation }) => relation))].sort();
  return (
    <div
      className={clsx(
        "absolute inset-x-3 top-3 flex flex-wrap items-start gap-2",
        beside && "sm:end-86",
      )}
    >
      <FindNode graph={graph} onSelect={(id) => change({ node: id })} />
      <ProjectSelect
        label={t("Project")}
        none={t("All projects")}
        value={project}
        onChange={(slug) => change({ project: slug, node: null, from: null })}
        className="h-7!"
      />
      <Menu
        trigger={
          <Button size="sm">
            <SlidersHorizontal size={14} />
            {relations.length ? list(relations.map(plainName)) : t("Any connection")}
          </Button>
        }
      >
        {names.map((name) => (
          <MenuItem
            key={name}
            stay
            checked={relations.includes(name)}
            onSelect={() => change({ relation: toggled(relations, name) })}
          >
            {plainName(name)}
          </MenuItem>
        ))}
      </Menu>
      {present.map((key) => (
        <ToggleChip
          key={key}
          pressed={kinds.includes(key)}
          onPress={() => change({ kind: toggled(kinds, key) })}
        >
          <span
            aria-hidden
            className="size-2.5 rounded-full"
            style={{ background: `var(${tokenOf(key)})` }}
          />
          {plainName(key)}
        </ToggleChip>
      ))}
    </div>
  );
}

function FindNode({ graph, onSelect }: { graph: GraphData; onSelect: (id: string) => void }) {
  const [text, setText] = useState("");
  const wanted = text.trim().toLowerCase();
  const matches = wanted ? findNodes(graph, wanted).slice(0, MAX_MATCHES) : [];
  return (
    <div className="relative">
      <div className="flex h-7 items-center gap-2 rounded-md border border-line-strong bg-surface px-2">
        <Search size={14} className="text-muted" />
        <input
          aria-label={t("Find in the graph")}
          placeholder={t("Find…")}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && matches[0]) {
              onSelect(matches[0].id);
              setText("");
            }
          }}
          className="w-32 bg-transparent text-sm outline-none"
        />
      </div>
      {matches.length > 0 && (
        <ul className="absolute z-10 mt-1 w-64 rounded-lg border border-line-strong bg-surface p-1">
          {matches.map((node) => (
            <li key={node.id}>
              <button
                type="button"
                className="block w-full truncate rounded-md px-2 py-1 text-start text-sm hover:bg-raised"
                dir="auto"
                onClick={() => {
                  onSelect(node.id);
                  setText("");
                }}
              >
                <span
                  aria-hidden
                  className="me-2 inline-block size-2.5 rounded-full"
                  style={{ background: `var(${tokenOf(kindKey(node))})` }}
                />
                {node.label}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
