import { Library as LibraryIcon } from "lucide-react";
import { useMemo } from "react";
import { Link } from "react-router";
import { DocumentList } from "~/features/documents/document-list";
import type { DocumentFilter } from "~/features/documents/documents";
import type { Flag } from "~/features/documents/flags";
import { CONTENT_TYPES, kindOf } from "~/features/documents/kinds";
import { ProjectSelect } from "~/features/projects/project-select";
import { t } from "~/lib/language";
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
  { value: "all", label: t("All") },
  { value: "unread", label: t("Unread") },
  { value: "favourite", label: t("Favourites") },
  { value: "archived", label: t("Archive##tab") },
];
const EMPTY: Record<Flag, [string, string]> = {
  unread: [
    t("Nothing to read"),
    t(
      "Links that you save are unread until you have read them. Press m on any document to read it later.",
    ),
  ],
  favourite: [t("No favourites yet"), t("Press f on a document that you want to find again here.")],
  archived: [
    t("Nothing is archived"),
    t(
      "Press a on a document that you are done with. It leaves the lists; search and ask still find it.",
    ),
  ],
};

export default function Library() {
  useTitle(t("Library"));
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
      title={t("Library")}
      width="list"
      actions={
        <>
          <ProjectSelect
            label={t("Project")}
            none={t("All projects")}
            value={filter.project ?? ""}
            onChange={(project) => change({ project })}
          />
          <Select
            aria-label={t("Type")}
            value={filter.types?.[0] ?? ""}
            onChange={(event) => change({ type: event.target.value })}
          >
            <option value="">{t("Any type")}</option>
            {CONTENT_TYPES.map((type) => (
              <option key={type} value={type}>
                {kindOf(type).label}
              </option>
            ))}
          </Select>
          <Select
            aria-label={t("Order")}
            value={filter.sort ?? ""}
            onChange={(event) => change({ sort: event.target.value })}
          >
            <option value="">{t("Newest first")}</option>
            <option value="created-asc">{t("Oldest first")}</option>
            <option value="updated-desc">{t("Recently changed")}</option>
            <option value="title-asc">{t("By title")}</option>
            <option value="size-desc">{t("Largest first")}</option>
          </Select>
          <Segments
            label={t("View")}
            value={view}
            options={[
              { value: "cards", label: t("Cards") },
              { value: "table", label: t("Table") },
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
        label={t("Which documents")}
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
              removeLabel={t("Remove the tag {tag}", { tag })}
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
            title={emptyTitle ?? (narrowed ? t("No document matches") : t("Your library is empty"))}
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
                  {t("Show all documents")}
                </Button>
              ) : (
                <Link to="/dashboard" className={buttonClass("primary")}>
                  {t("Save your first note")}
                </Link>
              )
            }
          >
            {emptyText ??
              (narrowed
                ? t("Remove some of the filters.")
                : t(
                    "Write a note, paste a link or drop files. Press n on any page to open the box.",
                  ))}
          </EmptyState>
        }
      />
    </PageLayout>
  );
}
