import { useState } from "react";
import { useNavigate, useParams } from "react-router";
import { toast } from "sonner";
import { InstructionList } from "~/features/instructions/instruction-list";
import {
  type Project,
  useArchiveProject,
  useChangeProject,
  useDeleteProject,
  useProject,
  useProjects,
} from "~/features/projects/projects";
import { messageOf } from "~/lib/api";
import { plural } from "~/lib/format";
import { t } from "~/lib/language";
import { useTitle } from "~/lib/use-title";
import { Button } from "~/ui/button";
import { Confirm } from "~/ui/confirm";
import { Field, Input, TextArea } from "~/ui/input";
import { Card, PageLayout, Row, Rows, Section } from "~/ui/layout";
import { Loaded, SkeletonList } from "~/ui/states";

export default function ProjectSettings() {
  const { slug = "" } = useParams();
  const projects = useProjects();
  const project = useProject(slug);
  useTitle(t("Project settings"));
  return (
    <PageLayout
      title={project ? t("{name}: settings", { name: project.name }) : t("Project settings")}
      width="reading"
    >
      <Loaded query={projects} skeleton={<SkeletonList rows={3} height="h-16" />}>
        {() =>
          project ? (
            <div className="space-y-8">
              <Names key={project.id} project={project} />
              <Section
                title={t("Standing instructions")}
                description={t(
                  "Your assistants get these at the start of every session in this project.",
                )}
              >
                <InstructionList project={project} />
              </Section>
              <Danger project={project} />
            </div>
          ) : (
            <p className="text-muted">{t("This project does not exist.")}</p>
          )
        }
      </Loaded>
    </PageLayout>
  );
}

function Names({ project }: { project: Project }) {
  const [name, setName] = useState(project.name);
  const [description, setDescription] = useState(project.description ?? "");
  const [slug, setSlug] = useState(lastPart(project.slug));
  const change = useChangeProject(project.slug);
  const navigate = useNavigate();
  const renamed = slug.trim() && slug !== lastPart(project.slug) ? { slug } : {};
  return (
    <Card className="p-4">
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate(
            { name, description: description || null, ...renamed },
            {
              onSuccess: (changed) => {
                toast.success(t("Saved"));
                if (changed.slug !== project.slug)
                  navigate(`/projects/${changed.slug}/settings`, { replace: true });
              },
            },
          );
        }}
      >
        <Field label={t("Name")} error={change.error ? messageOf(change.error) : null}>
          {(id) => (
            <Input id={id} required value={name} onChange={(e) => setName(e.target.value)} />
          )}
        </Field>
        <Field
          label={t("Short name")}
          hint={
            Object.keys(renamed).length
              ? t("Scripts and assistants that use {slug} no longer find it under that name.", {
                  slug: project.slug,
                })
              : t("Scripts and assistants use this name.")
          }
        >
          {(id) => (
            <Input
              id={id}
              value={slug}
              disabled={project.is_default}
              onChange={(e) => setSlug(e.target.value)}
            />
          )}
        </Field>
        <Field label={t("Description")}>
          {(id) => (
            <TextArea
              id={id}
              rows={3}
              value={description}
              onChange={(e) => setDescription(e.target.value)}
            />
          )}
        </Field>
        <Button type="submit" variant="primary" busy={change.isPending}>
          {t("Save")}
        </Button>
      </form>
    </Card>
  );
}

/** "harbour.api" is the project "api" inside "harbour". */
function lastPart(slug: string): string {
  return slug.split(".").at(-1) ?? slug;
}

/** The parent project, or the default one; the contents of an archived project move there. */
function parentOf(project: Project, projects: Project[]): Project | undefined {
  const parent = project.slug.split(".").slice(0, -1).join(".");
  return (
    projects.find(({ slug }) => slug === parent) ?? projects.find(({ is_default }) => is_default)
  );
}

function Danger({ project }: { project: Project }) {
  const [asking, setAsking] = useState<"archive" | "delete" | null>(null);
  const { data: projects = [] } = useProjects();
  const parent = parentOf(project, projects);
  const moves = parent
    ? t("Its documents and memories move to “{name}”.", { name: parent.name })
    : t("Its documents and memories move to your default project.");
  const archive = useArchiveProject(project.slug);
  const remove = useDeleteProject(project.slug);
  const navigate = useNavigate();
  const leaveWith = (message: string) => ({
    onSuccess: () => {
      toast.success(message);
      navigate("/projects");
    },
    onError: (error: unknown) => toast.error(messageOf(error)),
  });
  if (project.is_default) {
    return <p className="text-sm text-muted">{t("The default project cannot be deleted.")}</p>;
  }
  return (
    <Section title={t("Archive or delete")}>
      <Rows>
        <Row>
          <div className="flex-1">
            <div className="font-medium">{t("Archive")}</div>
            <p className="text-sm text-muted">{moves}</p>
          </div>
          <Button onClick={() => setAsking("archive")}>{t("Archive project")}</Button>
        </Row>
        <Row>
          <div className="flex-1">
            <div className="font-medium">{t("Delete")}</div>
            <p className="text-sm text-muted">
              {t("{documents} and every memory in it are erased.", {
                documents: plural(project.document_count, "document"),
              })}
            </p>
          </div>
          <Button variant="danger" onClick={() => setAsking("delete")}>
            {t("Delete project")}
          </Button>
        </Row>
      </Rows>
      <Confirm
        open={asking === "archive"}
        title={t("Archive {name}?", { name: project.name })}
        description={moves}
        action={t("Archive project")}
        busy={archive.isPending}
        onConfirm={() => archive.mutate(undefined, leaveWith(t("Project archived")))}
        onClose={() => setAsking(null)}
      />
      <Confirm
        open={asking === "delete"}
        title={t("Delete {name}?", { name: project.name })}
        description={t(
          "Everything in it is erased, including the projects inside it. This cannot be undone.",
        )}
        action={t("Delete project")}
        phrase={project.name}
        busy={remove.isPending}
        onConfirm={() => remove.mutate(true, leaveWith(t("Project deleted")))}
        onClose={() => setAsking(null)}
      />
    </Section>
  );
}
