import { queryOptions } from "@tanstack/react-query";
import { answerOf, api } from "~/lib/api";

const AS_BYTES = {
  bodySerializer: (body: unknown) => body as never,
  headers: { "Content-Type": "application/octet-stream" },
};

/** Previews an import: the server reads the file and stores nothing. */
export function previewQuery(file: File) {
  return queryOptions({
    queryKey: ["import preview", file.name, file.size, file.lastModified],
    queryFn: ({ signal }) =>
      answerOf(api.POST("/v3/import/preview", { body: file as never, signal, ...AS_BYTES })),
    retry: false,
  });
}

/** Starts an import and returns the id of its job. */
export async function startImport(file: File, project: string): Promise<string> {
  const params = { query: project ? { project } : {} };
  const started = await answerOf(
    api.POST("/v3/import", { params, body: file as never, ...AS_BYTES }),
  );
  return started.job_id;
}
