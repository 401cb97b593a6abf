import { FolderTree, Pin, PinOff, Plus } from "lucide-react";
import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { usePins } from "~/features/projects/pins";
import { treeOf, useCreateProject, useProjects } from "~/features/projects/projects";
import { messageOf } from "~/lib/api";
import { plural } from "~/lib/format";
import { t } from "~/lib/language";
import { useUrlState } from "~/lib/url-state";
import { useTitle } from "~/lib/use-title";
import { Button } from "~/ui/button";
import { Dialog, DialogActions } from "~/ui/dialog";
import { Field, Input, TextArea } from "~/ui/input";
import { PageLayout } from "~/ui/layout";
import { EmptyState, Loaded, SkeletonList } from "~/ui/states";

export default function Projects() {
  useTitle(t("Projects"));
  const [params, change] = useUrlState();
  const projects = useProjects();
  const { pins, toggle } = usePins();
  return (
    <PageLayout
      title={t("Projects")}
      description={t(
        "Places for documents and memories. A dot in the short name puts a project inside another.",
      )}
      actions={
        <Button variant="primary" onClick={() => change({ new: "1" })}>
          <Plus size={16} /> {t("New project")}
        </Button>
      }
    >
      <Loaded query={projects} skeleton={<SkeletonList rows={4} height="h-14" />}>
        {(all) =>
          all.length ? (
            <ul className="divide-y divide-line rounded-lg border bg-surface">
              {treeOf(all).map(({ project, depth }) => (
                <li
                  key={project.id}
                  className="group relative flex items-center gap-3 px-4 py-3 hover:bg-raised"
                  style={{ paddingInlineStart: 16 + depth * 24 }}
                >
                  <FolderTree size={16} strokeWidth={1.75} className="shrink-0 text-muted" />
                  <div className="min-w-0 flex-1">
                    <Link
                      to={`/projects/${project.slug}`}
                      className="font-medium after:absolute after:inset-0"
                      dir="auto"
                    >
                      {project.name}
                    </Link>
                    <p className="truncate text-sm text-muted" dir="auto">
                      {project.description || project.slug}
                    </p>
                  </div>
                  <span className="text-sm text-muted">
                    {plural(project.document_count, "document")}
                  </span>
                  <Button
                    variant="quiet"
                    size="icon"
                    className="relative z-10"
                    aria-label={`${pins.includes(project.slug) ? t("Unpin") : t("Pin")} ${project.name}`}
                    aria-pressed={pins.includes(project.slug)}
                    onClick={() => toggle(project.slug)}
                  >
                    {pins.includes(project.slug) ? <PinOff size={16} /> : <Pin size={16} />}
                  </Button>
                </li>
              ))}
            </ul>
          ) : (
            <EmptyState icon={FolderTree} title={t("No projects yet")}>
              {t("Create one for each part of your life or work.")}
            </EmptyState>
          )
        }
      </Loaded>
      <CreateDialog open={params.has("new")} onClose={() => change({ new: null })} />
    </PageLayout>
  );
}

function CreateDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [name, setName] = useState("");
  const [slug, setSlug] = useState("");
  const [description, setDescription] = useState("");
  const create = useCreateProject();
  const navigate = useNavigate();
  return (
    <Dialog open={open} title={t("New project")} onClose={onClose}>
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate(
            { name, slug: slug || null, description: description || null },
            { onSuccess: (project) => navigate(`/projects/${project.slug}`) },
          );
        }}
      >
        <Field label={t("Name")} error={create.error ? messageOf(create.error) : null}>
          {(id) => (
            <Input id={id} required value={name} onChange={(e) => setName(e.target.value)} />
          )}
        </Field>
        <Field
          label={t("Short name")}
          hint={t(
            "Used in URLs and by scripts, for example work.harbour. Leave empty to derive it from the name.",
          )}
        >
          {(id, describedBy) => (
            <Input
              id={id}
              aria-describedby={describedBy}
              value={slug}
              onChange={(e) => setSlug(e.target.value)}
            />
          )}
        </Field>
        <Field label={t("Description")}>
          {(id) => (
            <TextArea
              id={id}
              rows={2}
              value={description}
              onChange={(e) => setDescription(e.target.value)}
            />
          )}
        </Field>
        <DialogActions>
          <Button onClick={onClose}>{t("Cancel")}</Button>
          <Button type="submit" variant="primary" busy={create.isPending}>
            {t("Create project")}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
