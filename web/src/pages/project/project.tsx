import { useInfiniteQuery } from "@tanstack/react-query";
import { Files, Pin, PinOff, Settings } from "lucide-react";
import { Link, useParams } from "react-router";
import { AddBox } from "~/features/documents/add-box";
import { DocumentList } from "~/features/documents/document-list";
import { ProjectGraph } from "~/features/graph/project-graph";
import { memoriesQuery } from "~/features/memories/memories";
import { MemoryLine } from "~/features/memories/memory-line";
import { usePins } from "~/features/projects/pins";
import { type Project, useProject, useProjects } from "~/features/projects/projects";
import { t } from "~/lib/language";
import { useUrlState } from "~/lib/url-state";
import { useTitle } from "~/lib/use-title";
import { Button, buttonClass } from "~/ui/button";
import { PageLayout, Row, Rows } from "~/ui/layout";
import { ShowMore } from "~/ui/show-more";
import { EmptyState, Loaded, SkeletonList } from "~/ui/states";
import { Tabs } from "~/ui/tabs";

type Tab = "documents" | "memories" | "graph";

export default function ProjectPage() {
  const { slug = "" } = useParams();
  const projects = useProjects();
  const project = useProject(slug);
  useTitle(project?.name ?? t("Project"));
  return (
    <Loaded query={projects} skeleton={<SkeletonList rows={4} height="h-12" />}>
      {() => (project ? <ProjectView project={project} /> : <Missing />)}
    </Loaded>
  );
}

function Missing() {
  return (
    <EmptyState icon={Files} title={t("This project does not exist")}>
      {t("It may have been renamed or deleted.")}
    </EmptyState>
  );
}

function ProjectView({ project }: { project: Project }) {
  const [params, change] = useUrlState();
  const { pins, toggle } = usePins();
  const pinned = pins.includes(project.slug);
  const tab = (params.get("tab") as Tab) || "documents";
  return (
    <PageLayout
      title={project.name}
      description={project.description}
      width="list"
      actions={
        <>
          <Button onClick={() => toggle(project.slug)}>
            {pinned ? <PinOff size={14} /> : <Pin size={14} />}
            {pinned ? t("Unpin") : t("Pin")}
          </Button>
          <Link to={`/projects/${project.slug}/settings`} className={buttonClass()}>
            <Settings size={14} /> {t("Settings")}
          </Link>
        </>
      }
    >
      <Tabs<Tab>
        label={t("Parts of the project")}
        value={tab}
        tabs={[
          { value: "documents", label: t("Documents"), count: project.document_count },
          { value: "memories", label: t("Memories") },
          { value: "graph", label: t("Graph") },
        ]}
        onChange={(next) => change({ tab: next === "documents" ? null : next })}
      />
      {tab === "documents" && (
        <div className="space-y-6">
          <AddBox project={project.slug} />
          <DocumentList
            filter={{ project: project.slug }}
            view="cards"
            empty={
              <EmptyState icon={Files} title={t("Nothing in this project yet")}>
                {t("Write, paste or drop something into the box above.")}
              </EmptyState>
            }
          />
        </div>
      )}
      {tab === "memories" && <ProjectMemories slug={project.slug} />}
      {tab === "graph" && <ProjectGraph project={project.slug} />}
    </PageLayout>
  );
}

function ProjectMemories({ slug }: { slug: string }) {
  const list = useInfiniteQuery(memoriesQuery({ project: slug }));
  return (
    <Loaded query={list} skeleton={<SkeletonList rows={6} height="h-14" />}>
      {({ pages }) => {
        const memories = pages.flatMap((page) => page.memories);
        if (!memories.length)
          return <p className="text-muted">{t("No memories in this project yet.")}</p>;
        return (
          <>
            <Rows>
              {memories.map((memory) => (
                <Row key={memory.id}>
                  <MemoryLine memory={memory} hideProject />
                </Row>
              ))}
            </Rows>
            <ShowMore list={list} className="mt-4" />
          </>
        );
      }}
    </Loaded>
  );
}
