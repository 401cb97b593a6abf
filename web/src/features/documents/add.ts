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
  UNREACHABLE,
} from "~/lib/api";
import { refreshDocuments } from "./documents";
import { queueLater } from "./outbox";

export type Saved = Schemas["MemoryOut"];

const ADDRESS = /^https?:\/\/\S+$/i;

export function isAddress(text: string): boolean {
  return ADDRESS.test(text.trim());
}

export type NewText = { text: string; project?: string; tags?: string[] };

/** The request body: the server fetches a single URL; anything else is a Markdown note. */
export function bodyOf({ text, project, tags = [] }: NewText): Schemas["MemoryIn"] {
  const content = text.trim();
  const type = isAddress(content) ? "url" : "markdown";
  return { content, content_type: type, tags, ...(project ? { project } : {}) };
}

export function useAddText() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (text: NewText): Promise<Saved | null> => {
      const body = bodyOf(text);
      try {
        return await answerOf(api.POST("/v3/memory", { body }));
      } catch (error) {
        if (!isStatus(error, 0)) throw error;
        queueLater(body);
        return null;
      }
    },
    onSuccess: (saved) => {
      if (!saved)
        toast("You are offline. This is stored in the browser and sent when you are back online.");
      else toast.success(saved.duplicate ? "Already saved" : "Saved");
      return refreshDocuments(queries);
    },
    onError: (error) => toast.error(messageOf(error)),
  });
}

export type UploadOptions = {
  project?: string;
  onProgress: (share: number) => void;
};

/** Uses XMLHttpRequest, because fetch does not report upload progress. */
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
    request.onerror = () => reject(new Error(UNREACHABLE));
    request.send(form);
  });
}
