import { Library as LibraryIcon } from "lucide-react";
import { useMemo } from "react";
import { DocumentList } from "~/features/documents/document-list";
import type { DocumentFilter } from "~/features/documents/documents";
import { CONTENT_TYPES, kindOf } from "~/features/documents/kinds";
import { ProjectSelect } from "~/features/projects/project-select";
import { useUrlState } from "~/lib/url-state";
import { useStored } from "~/lib/use-stored";
import { useTitle } from "~/lib/use-title";
import { Button } from "~/ui/button";
import { Select } from "~/ui/input";
import { PageLayout } from "~/ui/layout";
import { EmptyState } from "~/ui/states";
import { Segments } from "~/ui/tabs";

type View = "cards" | "table";

export default function Library() {
  useTitle("Library");
  const [params, change] = useUrlState();
  const [stored, setStored] = useStored<View>("remem.library.view", "cards");
  const view = (params.get("view") as View) || stored;
  const filter = useMemo<DocumentFilter>(
    () => ({
      project: params.get("project") ?? undefined,
      types: params.getAll("type"),
      tags: params.getAll("tag"),
      status: params.get("status") ?? undefined,
      sort: params.get("sort") ?? undefined,
    }),
    [params],
  );
  const narrowed = ["project", "type", "tag", "status"].some((name) => params.has(name));
  return (
    <PageLayout
      title="Library"
      width="wide"
      actions={
        <>
          <ProjectSelect
            label="Project"
            none="All projects"
            value={filter.project ?? ""}
            onChange={(project) => change({ project })}
          />
          <Select
            aria-label="Type"
            value={filter.types?.[0] ?? ""}
            onChange={(event) => change({ type: event.target.value })}
          >
            <option value="">Any type</option>
            {CONTENT_TYPES.map((type) => (
              <option key={type} value={type}>
                {kindOf(type).label}
              </option>
            ))}
          </Select>
          <Segments
            label="View"
            value={view}
            options={[
              { value: "cards", label: "Cards" },
              { value: "table", label: "Table" },
            ]}
            onChange={(next) => {
              setStored(next);
              change({ view: next });
            }}
          />
        </>
      }
    >
      <DocumentList
        key={view}
        filter={filter}
        view={view}
        empty={
          <EmptyState
            icon={LibraryIcon}
            title={narrowed ? "No document matches" : "Your library is empty"}
            actions={
              narrowed && (
                <Button
                  onClick={() =>
                    change({
                      project: null,
                      type: null,
                      tag: null,
                      status: null,
                    })
                  }
                >
                  Show all documents
                </Button>
              )
            }
          >
            {narrowed ? "Choose fewer filters." : "Press n to add your first document."}
          </EmptyState>
        }
      />
    </PageLayout>
  );
}
