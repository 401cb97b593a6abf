import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { messageOf } from "~/lib/api";
import { newId } from "~/lib/ids";
import { uploadFile } from "./add";
import { refreshDocuments } from "./documents";

export type Upload = {
  key: string;
  name: string;
  share: number;
  state: "sending" | "saved" | "known" | "failed";
  problem?: string;
  id?: string;
  file: File;
  project?: string;
};

const CONCURRENCY = 3;

/** Uploads files, a few at a time, and tracks the progress of each. */
export function useUploads() {
  const queries = useQueryClient();
  const [uploads, setUploads] = useState<Upload[]>([]);
  const update = useCallback((key: string, change: Partial<Upload>) => {
    setUploads((all) =>
      all.map((upload) => (upload.key === key ? { ...upload, ...change } : upload)),
    );
  }, []);
  const send = useCallback(
    async (files: File[], project?: string) => {
      const batch = files.map((file) => ({
        key: newId(),
        name: file.name || "Picture",
        share: 0,
        state: "sending" as const,
        file,
        project,
      }));
      setUploads((all) => [...batch, ...all]);
      const queue = [...batch];
      const worker = async () => {
        for (let next = queue.shift(); next; next = queue.shift()) {
          const { key, file } = next;
          try {
            if (!file.size) throw new Error("This file is empty.");
            const onProgress = (share: number) => update(key, { share });
            const saved = await uploadFile(file, { project, onProgress });
            update(key, {
              share: 1,
              state: saved.duplicate ? "known" : "saved",
              id: saved.id,
            });
          } catch (error) {
            update(key, { state: "failed", problem: messageOf(error) });
          }
        }
      };
      await Promise.all(Array.from({ length: CONCURRENCY }, worker));
      await refreshDocuments(queries);
    },
    [queries, update],
  );
  const clear = useCallback(
    () => setUploads((all) => all.filter(({ state }) => state === "sending")),
    [],
  );
  const retry = useCallback(
    ({ key, file, project }: Upload) => {
      setUploads((all) => all.filter((upload) => upload.key !== key));
      void send([file], project);
    },
    [send],
  );
  return { uploads, send, retry, clear };
}
