import { api, csrfToken, failureFrom, RememFailure, type Schemas, UNREACHABLE } from "~/lib/api";
import { BASE_PATH } from "~/lib/base";

export type Saved = Schemas["MemoryOut"];

const ADDRESS = /^https?:\/\/\S+$/i;

export function isAddress(text: string): boolean {
  return ADDRESS.test(text.trim());
}

/** The metadata of what the user wrote themselves. */
const OWN = { speaker: "user" };

export type NewText = { text: string; project?: string; tags?: string[]; isOwn?: boolean };

/** The request body: the server fetches a single URL; anything else is a Markdown note. */
export function bodyOf({ text, project, tags = [], isOwn }: NewText): Schemas["MemoryIn"] {
  const content = text.trim();
  const type = isAddress(content) ? "url" : "markdown";
  return {
    content,
    content_type: type,
    tags,
    // A link is saved to be read.
    ...(type === "url" ? { unread: true } : {}),
    ...(project ? { project } : {}),
    // What is typed is theirs anyway.
    ...(isOwn && type === "url" ? { metadata: OWN } : {}),
  };
}

export type UploadOptions = {
  project?: string;
  /** What the user wrote themselves: "my" in it is theirs. */
  isOwn?: boolean;
  /** The server saves it once, however often it is sent with this key. */
  key: string;
  onProgress: (share: number) => void;
};

/** Uses XMLHttpRequest, because fetch does not report upload progress. */
export function uploadFile(
  file: Blob,
  name: string,
  { project, isOwn, key, onProgress }: UploadOptions,
): Promise<Saved> {
  const form = new FormData();
  form.set("file", file, name);
  if (project) form.set("project", project);
  if (isOwn) form.set("metadata", JSON.stringify(OWN));
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", `${BASE_PATH}/v3/documents/upload`);
    request.setRequestHeader("X-CSRF-Token", csrfToken());
    request.setRequestHeader("Idempotency-Key", key);
    request.responseType = "json";
    request.upload.onprogress = (event) => onProgress(event.loaded / (event.total || 1));
    request.onload = () => {
      if (request.status < 300) return resolve(request.response as Saved);
      if (request.status === 401) void api.GET("/v3/whoami"); // opens the sign-in dialog
      reject(failureFrom(new Response(null, { status: request.status }), request.response));
    };
    request.onerror = () => reject(new RememFailure(0, UNREACHABLE, "unreachable"));
    request.send(form);
  });
}
