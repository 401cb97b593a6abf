/** Where the server is published: at the root of a host, or below a path of a proxy. */

const path = document.querySelector<HTMLMetaElement>('meta[name="remem-path"]')?.content ?? "/";

/** The path, without a trailing slash; usually empty. */
export const BASE_PATH = new URL(path, window.location.origin).pathname.replace(/\/$/, "");

/** The address of the server, for its clients. */
export const SERVER = window.location.origin + BASE_PATH;

/** At the server's own address, pages also have URLs without the path, which the router does not know. */
export function addBasePath(): void {
  const { pathname, search, hash } = window.location;
  if (pathname === BASE_PATH || pathname.startsWith(`${BASE_PATH}/`)) return;
  window.history.replaceState(window.history.state, "", BASE_PATH + pathname + search + hash);
}
