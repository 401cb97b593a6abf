import { useMutation, useQueryClient } from "@tanstack/react-query";
import { toast } from "sonner";
import { answerOf, api, messageOf } from "~/lib/api";
import { useProjects } from "./projects";

/** The pinned projects, which are listed first in the sidebar. */
export function usePins() {
  const queries = useQueryClient();
  const { data: projects = [] } = useProjects();
  const pins = projects.filter(({ pinned }) => pinned).map(({ slug }) => slug);
  const { mutate } = useMutation({
    mutationFn: (ref: string) =>
      answerOf(
        api.PATCH("/v3/projects/{ref}", {
          params: { path: { ref } },
          body: { pinned: !pins.includes(ref) },
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["projects"] }),
    onError: (error) => toast.error(messageOf(error)),
  });
  return { pins, toggle: (slug: string) => mutate(slug) };
}
