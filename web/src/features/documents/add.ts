import { api, csrfToken, failureFrom, type Schemas, UNREACHABLE } from "~/lib/api";

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
      if (request.status === 401) void api.GET("/v3/whoami"); // opens the sign-in dialog
      reject(failureFrom(new Response(null, { status: request.status }), request.response));
    };
    request.onerror = () => reject(new Error(UNREACHABLE));
    request.send(form);
  });
}
