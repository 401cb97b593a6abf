import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { answerOf, api, type Schemas } from "~/lib/api";

export type Project = Schemas["ProjectOut"];

export const projectsQuery = queryOptions({
  queryKey: ["projects"],
  queryFn: async ({ signal }) => (await answerOf(api.GET("/v3/projects", { signal }))).projects,
  staleTime: 30_000,
});

export function useProjects() {
  return useQuery(projectsQuery);
}

/** The project with an id or slug, once the list is loaded. */
export function useProject(ref: string | null | undefined): Project | undefined {
  const { data } = useProjects();
  return data?.find((project) => project.id === ref || project.slug === ref);
}

/** The project of an item for its label: of the only project there is none. */
export function useProjectLabel(id: string | null | undefined): string | undefined {
  const { data = [] } = useProjects();
  return data.length > 1 ? data.find((project) => project.id === id)?.name : undefined;
}

export function useCreateProject() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["ProjectIn"]) => answerOf(api.POST("/v3/projects", { body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["projects"] }),
  });
}

export function useChangeProject(ref: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["ProjectChange"]) =>
      answerOf(api.PATCH("/v3/projects/{ref}", { params: { path: { ref } }, body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["projects"] }),
  });
}

export function useDeleteProject(ref: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (recursive: boolean) =>
      answerOf(
        api.DELETE("/v3/projects/{ref}", {
          params: { path: { ref }, query: { recursive } },
        }),
      ),
    // What the open page shows of the project can no longer be fetched.
    onSuccess: () =>
      void queries.invalidateQueries({ predicate: ({ queryKey }) => !queryKey.includes(ref) }),
  });
}

export function useArchiveProject(name: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () =>
      answerOf(
        api.POST("/v1/containers/{name}/archive", {
          params: { path: { name } },
        }),
      ),
    onSuccess: () => void queries.invalidateQueries(),
  });
}

export type Branch = { project: Project; depth: number };

/** The project tree as a flat list, parents before children. */
export function treeOf(projects: Project[]): Branch[] {
  const slugs = new Set(projects.map((project) => project.slug));
  const sorted = [...projects].sort((a, b) => a.slug.localeCompare(b.slug));
  return sorted.map((project) => {
    const parts = project.slug.split(".");
    const parents = parts.slice(1).map((_, i) => parts.slice(0, i + 1).join("."));
    return {
      project,
      depth: parents.filter((parent) => slugs.has(parent)).length,
    };
  });
}
