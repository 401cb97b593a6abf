import { useQuery } from "@tanstack/react-query";
import { Users } from "lucide-react";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { type Entity, entitiesQuery } from "~/features/entities/entities";
import { plainName } from "~/features/graph/names";
import { useProjects } from "~/features/projects/projects";
import { list, plural } from "~/lib/format";
import { t } from "~/lib/language";
import { toggled } from "~/lib/toggled";
import { useTitle } from "~/lib/use-title";
import { Button } from "~/ui/button";
import { Dialog } from "~/ui/dialog";
import { Checkbox, Input } from "~/ui/input";
import { PageLayout, Row, Rows } from "~/ui/layout";
import { SelectionBar } from "~/ui/selection-bar";
import { EmptyState, Loaded, SkeletonList } from "~/ui/states";
import { EntityChanges } from "./changes";
import { MergeForm } from "./merge-form";
import { RenameForm } from "./rename-form";
import { SplitForm } from "./split-form";

type Open = { what: "rename" | "split"; entity: Entity } | { what: "merge" };
const MIN_MERGED = 2;

/** Who and what the memories are about: rename, merge and split. */
export default function People() {
  useTitle(t("People and things"));
  const [params, setParams] = useSearchParams();
  const query = params.get("query") ?? "";
  const entities = useQuery(entitiesQuery(query));
  const [chosen, setChosen] = useState<string[]>([]);
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const all = entities.data?.entities ?? [];
  const merging = all.filter(({ id }) => chosen.includes(id));
  const hasProjects = useProjects().data?.length !== 1;
  return (
    <PageLayout
      title={t("People and things")}
      description={t(
        "Who and what your memories are about. A name that you change here means the same from now on.",
      )}
      width="reading"
    >
      <Input
        type="search"
        aria-label={t("Find a name")}
        placeholder={t("Find a name")}
        className="mb-4"
        value={query}
        onChange={({ target }) =>
          setParams(target.value ? { query: target.value } : {}, { replace: true })
        }
      />
      <Loaded query={entities} skeleton={<SkeletonList rows={6} height="h-14" />}>
        {() =>
          all.length ? (
            <Rows>
              {all.map((entity) => (
                <Row key={entity.id}>
                  <Checkbox
                    label={null}
                    aria-label={t("Choose {name}", { name: entity.name })}
                    checked={chosen.includes(entity.id)}
                    onChange={() => setChosen(toggled(chosen, entity.id))}
                  />
                  <div className="min-w-0 flex-1 basis-48">
                    <div className="font-medium break-words" dir="auto">
                      {entity.name}
                    </div>
                    <div className="text-sm break-words text-muted" dir="auto">
                      {plainName(entity.type)} ·{" "}
                      {plural(entity.mention_count, "memory", "memories")}
                      {hasProjects && ` · ${entity.project}`}
                      {entity.aliases.length > 0 &&
                        ` · ${t("also {names}", { names: list(entity.aliases) })}`}
                    </div>
                  </div>
                  <Button
                    size="sm"
                    aria-label={t("Rename {name}", { name: entity.name })}
                    onClick={() => setOpen({ what: "rename", entity })}
                  >
                    {t("Rename")}
                  </Button>
                  {entity.mention_count > 1 && (
                    <Button
                      size="sm"
                      aria-label={t("Split {name}", { name: entity.name })}
                      onClick={() => setOpen({ what: "split", entity })}
                    >
                      {t("Split##action")}
                    </Button>
                  )}
                </Row>
              ))}
            </Rows>
          ) : (
            <EmptyState icon={Users} title={query ? t("Nobody of that name") : t("Nobody yet")}>
              {t("Names in what you save appear here.")}
            </EmptyState>
          )
        }
      </Loaded>
      {merging.length > 0 && (
        <SelectionBar
          label={t("Chosen names")}
          count={merging.length}
          onClear={() => setChosen([])}
        >
          <Button
            size="sm"
            variant="primary"
            disabled={merging.length < MIN_MERGED}
            onClick={() => setOpen({ what: "merge" })}
          >
            {t("Merge")}
          </Button>
        </SelectionBar>
      )}
      <EntityChanges />
      <Dialog open={open?.what === "merge"} title={t("Merge")} onClose={close}>
        <MergeForm
          entities={merging}
          onClose={close}
          onDone={() => {
            setChosen([]);
            close();
          }}
        />
      </Dialog>
      <Dialog open={open?.what === "rename"} title={t("Rename")} onClose={close}>
        {open?.what === "rename" && <RenameForm entity={open.entity} onClose={close} />}
      </Dialog>
      <Dialog open={open?.what === "split"} title={t("Split##action")} onClose={close} wide>
        {open?.what === "split" && <SplitForm entity={open.entity} onClose={close} />}
      </Dialog>
    </PageLayout>
  );
}
