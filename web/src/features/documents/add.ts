import { useMutation, useQueryClient } from "@tanstack/react-query";
import { toast } from "sonner";
import {
  answerOf,
  api,
  csrfToken,
  failureFrom,
  isStatus,
  messageOf,
  type Schemas,
} from "~/lib/api";
import { refreshDocuments } from "./documents";
import { queueLater } from "./outbox";

export type Saved = Schemas["MemoryOut"];

const ADDRESS = /^https?:\/\/\S+$/i;

export function isAddress(text: string): boolean {
  return ADDRESS.test(text.trim());
}

export type NewText = { text: string; project?: string; tags?: string[] };

/** A single address is fetched by the server; anything else is a note in markdown. */
export function bodyOf({ text, project, tags = [] }: NewText): Schemas["MemoryIn"] {
  const content = text.trim();
  const type = isAddress(content) ? "url" : "markdown";
  return { content, content_type: type, tags, ...(project ? { project } : {}) };
}

export function useAddText() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (given: NewText): Promise<Saved | null> => {
      const body = bodyOf(given);
      try {
        return await answerOf(api.POST("/v3/memory", { body }));
      } catch (error) {
        if (!isStatus(error, 0)) throw error;
        queueLater(body);
        return null;
      }
    },
    onSuccess: (saved) => {
      if (!saved) toast("You are offline. It is kept here and sent when you are back.");
      else toast.success(saved.duplicate ? "You have this already" : "Saved");
      return refreshDocuments(queries);
    },
    onError: (error) => toast.error(messageOf(error)),
  });
}

export type UploadOptions = {
  project?: string;
  onProgress: (share: number) => void;
};

/** By XMLHttpRequest, because fetch does not tell how much of a body was sent. */
export function uploadFile(file: File, { project, onProgress }: UploadOptions): Promise<Saved> {
  const form = new FormData();
  form.set("file", file, file.name);
  if (project) form.set("project", project);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", "/v3/documents/upload");
    request.setRequestHeader("X-CSRF-Token", csrfToken());
    request.responseType = "json";
    request.upload.onprogress = (event) => onProgress(event.loaded / (event.total || 1));
    request.onload = () => {
      if (request.status < 300) return resolve(request.response as Saved);
      reject(failureFrom(new Response(null, { status: request.status }), request.response));
    };
    request.onerror = () => reject(new Error("The server cannot be reached."));
    request.send(form);
  });
}
