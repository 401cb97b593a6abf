import { Library as LibraryIcon } from "lucide-react";
import { useMemo } from "react";
import { Link } from "react-router";
import { DocumentList } from "~/features/documents/document-list";
import type { DocumentFilter } from "~/features/documents/documents";
import type { Flag } from "~/features/documents/flags";
import { CONTENT_TYPES, kindOf } from "~/features/documents/kinds";
import { ProjectSelect } from "~/features/projects/project-select";
import { toggled } from "~/lib/toggled";
import { useUrlState } from "~/lib/url-state";
import { useStored } from "~/lib/use-stored";
import { useTitle } from "~/lib/use-title";
import { Button, buttonClass } from "~/ui/button";
import { Chip } from "~/ui/chip";
import { Select } from "~/ui/input";
import { PageLayout } from "~/ui/layout";
import { EmptyState } from "~/ui/states";
import { Segments, Tabs } from "~/ui/tabs";

type View = "cards" | "table";

const SHOWN: { value: Flag | "all"; label: string }[] = [
  { value: "all", label: "All" },
  { value: "unread", label: "Unread" },
  { value: "favourite", label: "Favourites" },
  { value: "archived", label: "Archive" },
];
const EMPTY: Record<Flag, [string, string]> = {
  unread: [
    "Nothing to read",
    "Links that you save are unread until you have read them. Press m on any document to read it later.",
  ],
  favourite: ["No favourites yet", "Press f on a document that you want to find again here."],
  archived: [
    "Nothing is archived",
    "Press a on a document that you are done with. It leaves the lists; search and ask still find it.",
  ],
};

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
      flag: (params.get("is") as Flag | null) ?? undefined,
      sort: params.get("sort") ?? undefined,
    }),
    [params],
  );
  const narrowed = ["project", "type", "tag", "status", "is"].some((name) => params.has(name));
  const isOnlyFlag =
    filter.flag && !["project", "type", "tag", "status"].some((name) => params.has(name));
  const [emptyTitle, emptyText] = (isOnlyFlag && filter.flag && EMPTY[filter.flag]) || [];
  return (
    <PageLayout
      title="Library"
      width="list"
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
          <Select
            aria-label="Order"
            value={filter.sort ?? ""}
            onChange={(event) => change({ sort: event.target.value })}
          >
            <option value="">Newest first</option>
            <option value="created-asc">Oldest first</option>
            <option value="updated-desc">Recently changed</option>
            <option value="title-asc">By title</option>
            <option value="size-desc">Largest first</option>
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
      <Tabs
        label="Which documents"
        tabs={SHOWN}
        value={filter.flag ?? "all"}
        onChange={(flag) => change({ is: flag === "all" ? null : flag })}
      />
      {filter.tags && filter.tags.length > 0 && (
        <div className="mb-4 flex flex-wrap gap-1.5">
          {filter.tags.map((tag) => (
            <Chip
              key={tag}
              tone="accent"
              removeLabel={`Remove the tag ${tag}`}
              onRemove={() => change({ tag: toggled(filter.tags ?? [], tag) })}
            >
              #{tag}
            </Chip>
          ))}
        </div>
      )}
      <DocumentList
        key={view}
        filter={filter}
        view={view}
        empty={
          <EmptyState
            icon={LibraryIcon}
            title={emptyTitle ?? (narrowed ? "No document matches" : "Your library is empty")}
            actions={
              narrowed ? (
                <Button
                  onClick={() =>
                    change({
                      project: null,
                      type: null,
                      tag: null,
                      status: null,
                      is: null,
                    })
                  }
                >
                  Show all documents
                </Button>
              ) : (
                <Link to="/dashboard" className={buttonClass("primary")}>
                  Save your first note
                </Link>
              )
            }
          >
            {emptyText ??
              (narrowed
                ? "Remove some of the filters."
                : "Write a note, paste a link or drop files. Press n on any page to open the box.")}
          </EmptyState>
        }
      />
    </PageLayout>
  );
}
